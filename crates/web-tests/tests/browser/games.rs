//! Games are kept through reloads, links and navigation.

use crate::player::{CONTROL, Player, SHIFT};
use crate::{PUZZLE, SOLUTION};
use serde_json::json;

/// The moves of the long game.
const MOVES: usize = 200;

/// A deterministic sequence of numbers.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % count
    }
}

/// The digits, marks and colours on the board, from the labels.
async fn seen(player: &Player) -> String {
    let labels = "[...document.querySelectorAll('#board .cell')].map((cell) => cell.ariaLabel.replace(', wrong', '')).join('|')";
    player.see(labels).await.as_str().expect("labels").to_string()
}

pub async fn a_long_game_with_reloads_links_and_back_loses_nothing() {
    let others = ["1..............1", "....2..........2", "..3............3"];
    let player = Player::open(&format!("/#p={PUZZLE}")).await;
    player.on_a_desk().await;
    player.settle("mistakes", "off").await;
    let mut dice = Dice(19);
    let mut undos = 0;
    for number in 0..MOVES {
        let cell = loop {
            let cell = dice.below(81);
            if &PUZZLE[cell..=cell] == "." {
                break cell;
            }
        };
        let digit = (1 + dice.below(9)).to_string();
        player
            .see(&format!("document.querySelector('#board [data-cell=\"{cell}\"]').focus()"))
            .await;
        let before = seen(&player).await;
        player.key(&digit, [0, 0, 0, SHIFT, CONTROL][dice.below(5)]).await;
        let now = seen(&player).await;
        undos += usize::from(now != before);
        // The state that must be restored after the next action.
        match dice.below(12) {
            0 => player.reload().await,
            1 => {
                player.follow_link(&format!("#p={}", others[dice.below(3)])).await;
                player.until("document.querySelectorAll('#board .cell').length === 16").await;
                player.see("document.querySelector('#board [data-cell=\"5\"]').focus()").await;
                player.keys(&["4"]).await;
                player.back().await;
            }
            2 => {
                player.paste(others[dice.below(3)]).await;
                player.until("document.querySelectorAll('#board .cell').length === 16").await;
                player.reload().await;
                player.back().await;
            }
            3 => {
                player.press("blank").await;
                player.press("blank-2x2").await;
                player.keys(&["1", "2"]).await;
                player.back().await;
            }
            4 => {
                player.press("view-today").await;
                player.press("continue").await;
            }
            5 => player.go("/").await,
            _ => {}
        }
        if player.see("document.getElementById('view-play').hidden").await == json!(true) {
            player.press("continue").await;
        }
        assert_eq!(seen(&player).await, now, "after move {number}");
    }
    // Every change can be undone.
    for _ in 0..undos {
        player.key("z", CONTROL).await;
    }
    assert_eq!(player.board().await, PUZZLE);
    assert_eq!(
        player.see("document.getElementById('undo').disabled").await,
        json!(true),
        "{undos} changes"
    );
    player.leave().await;
}

pub async fn exports_and_imports_games() {
    let player = Player::open(&format!("/#p={PUZZLE}")).await;
    player.on_a_desk().await;
    player.click("#board .cell[data-cell=\"2\"]").await;
    player.keys(&["4"]).await;
    player.follow_link(&format!("#p={}", &"1...".repeat(4))).await;
    player.click("#board .cell[data-cell=\"1\"]").await;
    player.keys(&["2"]).await;
    player.press("view-games").await;
    player.until("document.querySelectorAll('#games-open .goon').length === 2").await;
    player.pictures("games").await;
    player
        .see("document.getElementById('games-export').addEventListener('click', (event) => event.preventDefault())")
        .await;
    player.settle("peers", "false").await;
    player.press("export").await;
    let file = player
        .see("decodeURIComponent(document.getElementById('games-export').href.split(',').slice(1).join(','))")
        .await;
    let file = file.as_str().expect("a text").to_string();

    // Another browser with empty storage.
    player.clear_storage().await;
    player.go("/#games").await;
    assert_eq!(player.see("document.querySelectorAll('#games-open .goon').length").await, json!(0));
    let take = format!(
        "(() => {{ const data = new DataTransfer(); data.items.add(new File([{file:?}], 'games.json')); \
         const field = document.getElementById('games-import'); field.files = data.files; \
         field.dispatchEvent(new Event('change')); }})()"
    );
    player.see(&take).await;
    player.until("document.querySelectorAll('#games-open .goon').length === 2").await;
    assert_eq!(
        player.see("document.getElementById('settings').elements.peers.checked").await,
        json!(false)
    );
    assert_eq!(player.text("#games-said").await, "2 games and 0 solved puzzles imported.");
    player.click("#games-open li:last-child .goon").await;
    assert_eq!(&player.board().await[..3], &SOLUTION[..3]);

    player.go("/#games").await;
    player.until("document.querySelectorAll('#games-open .goon').length === 2").await;
    player.press("game-remove").await;
    player.until("document.querySelectorAll('#games-open .goon').length === 1").await;
    player.leave().await;
}
