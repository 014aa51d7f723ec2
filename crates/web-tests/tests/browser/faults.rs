//! Regression tests for bugs that players reported. Each test repeats what they did.

use crate::player::{CONTROL, Player, SHIFT};
use crate::{PUZZLE, SOLUTION};
use serde_json::json;

const OTHER: &str =
    "7..849.3.928135..64..267.896427839513974516288156923..2.4516.931....8.6.5....4.1.";

async fn open() -> Player {
    let player = Player::open(&format!("/#p={PUZZLE}")).await;
    player.on_a_desk().await;
    player
}

async fn write(player: &Player, cell: usize, digit: &str) {
    player.click(&format!("#board .cell[data-cell=\"{cell}\"]")).await;
    player.keys(&[digit]).await;
}

pub async fn reloading_right_after_a_move_loses_nothing() {
    let player = open().await;
    player.until("document.getElementById('timer').textContent !== '0:00'").await;
    write(&player, 2, "4").await;
    player.reload().await;
    assert_eq!(&player.board().await[2..3], "4");
    assert_eq!(player.see("document.getElementById('undo').disabled").await, json!(false));
    assert_ne!(player.text("#timer").await, "0:00");
    // The undo history is complete, too.
    player.press("undo").await;
    player.reload().await;
    assert_eq!(player.board().await, PUZZLE);
    player.press("redo").await;
    assert_eq!(&player.board().await[2..3], "4");

    player.press("blank").await;
    player.press("blank-3x3").await;
    player.write_grid(PUZZLE).await;
    player.reload().await;
    assert_eq!(player.board().await, PUZZLE);
    assert_eq!(player.see("document.querySelectorAll('#board .clue').length").await, json!(30));
    assert_eq!(
        player.see("document.getElementById('play').checkVisibility()").await,
        json!(true),
        "clues go on"
    );
    player.leave().await;
}

pub async fn other_games_do_not_overwrite_a_game_and_back_returns_to_it() {
    let player = open().await;
    write(&player, 2, "4").await;
    let is_back = async || {
        player.back().await;
        assert_eq!(&player.board().await[..4], "534.", "the game is unchanged");
        assert_eq!(player.see("document.getElementById('undo').disabled").await, json!(false));
    };

    player.follow_link(&format!("#p={OTHER}")).await;
    assert_eq!(player.board().await, OTHER);
    is_back().await;

    player.press("panel-new").await;
    player.press("generate").await;
    player
        .until("document.getElementById('cancel').hidden && !location.hash.includes('p=53..7')")
        .await;
    assert_ne!(&player.board().await[..4], "534.");
    is_back().await;

    player.paste(OTHER).await;
    player.until("location.hash.includes('p=7..849')").await;
    is_back().await;

    player.press("view-learn").await;
    player.until("document.querySelectorAll('#lesson-tiers a').length > 9").await;
    player.follow_link("#lesson=naked-pair").await;
    player.until("document.querySelectorAll('#lesson-board .cell').length === 81").await;
    player.press("lesson-try").await;
    player.until("!document.getElementById('view-play').hidden").await;
    player.back().await;
    player.back().await;
    is_back().await;

    // Without an address the same game continues, and all changed games are listed.
    player.go("/").await;
    player.press("continue").await;
    assert_eq!(&player.board().await[..4], "534.");
    player.leave().await;
}

pub async fn announces_hints_to_screen_readers() {
    let player = open().await;
    assert_eq!(
        player.see("document.getElementById('spoken').getAttribute('aria-live')").await,
        json!("polite")
    );
    assert_eq!(player.text("#spoken").await, "");
    player.press("hint").await;
    player.until("document.getElementById('spoken').textContent.startsWith('Where to look')").await;
    player.press("hint").await;
    player
        .until("document.getElementById('spoken').textContent.startsWith('What to look for')")
        .await;
    player.press("close").await;
    assert_eq!(player.text("#spoken").await, "");
    player.leave().await;
}

pub async fn pause_blocks_input_and_t_resumes() {
    let player = open().await;
    player.click("#board .cell[data-cell=\"2\"]").await;
    player.press("pause").await;
    assert_eq!(
        player.see("document.getElementById('pausecover').checkVisibility()").await,
        json!(true)
    );
    let point = "(() => { const box = document.querySelector('[data-key=\"4\"]').getBoundingClientRect(); \
                 return document.elementFromPoint(box.x + 9, box.y + 9)?.closest('[data-key]') === null; })()";
    assert_eq!(player.see(point).await, json!(true), "the keys are covered");
    player.see("document.querySelector('[data-key=\"4\"]').click(); document.getElementById('hint').click()").await;
    player.keys(&["4", "h", "x", "u"]).await;
    assert_eq!(player.board().await, PUZZLE);
    assert_eq!(player.see("document.getElementById('reason').hidden").await, json!(true));
    player.keys(&["t"]).await;
    assert_eq!(player.see("document.getElementById('pausecover').hidden").await, json!(true));
    player.keys(&["4"]).await;
    assert_eq!(&player.board().await[2..3], "4");
    player.leave().await;
}

pub async fn leaving_watch_pauses_it() {
    let endless = "/#watch=backtrack&p=........5........6........7........8........9...........................1234.....";
    let player = Player::open(endless).await;
    player.on_a_desk().await;
    player.until("document.getElementById('watch-system-0').value === 'backtrack'").await;
    player.press("watch-start").await;
    player.until("document.getElementById('stage-count-0').textContent.includes('of')").await;
    player.press("view-play").await;
    let ask = "window.working = null; fetch('/api/status').then((r) => r.json()).then((s) => { window.working = s.shows.working; }); true";
    while player.see("window.working").await != json!(0) {
        player.see(ask).await;
        player.until("window.working !== null").await;
    }
    player.press("view-watch").await;
    assert_eq!(player.text("#watch-pause").await, "Resume");
    player.leave().await;
}

pub async fn keeps_corner_marks_beside_automatic_candidates() {
    let player = open().await;
    player.click("#board .cell[data-cell=\"2\"]").await;
    player.key("1", SHIFT).await;
    player.settle("auto", "true").await;
    assert_eq!(player.text("#board [data-cell=\"2\"] .corner").await, "1");
    let candidates = player.see(
        "document.querySelectorAll('#board [data-cell=\"2\"] .candidates [data-digit]').length",
    );
    assert_ne!(candidates.await, json!(0));
    assert!(
        player.label(2).await.contains("corner marks 1, candidates 1 2 4"),
        "{}",
        player.label(2).await
    );
    player.picture("corner-and-candidates").await;
    player.leave().await;
}

pub async fn a_fast_drag_selects_every_cell() {
    let player = open().await;
    let selected = "[...document.querySelectorAll('#board .selected')].map((cell) => Number(cell.dataset.cell)).join(' ')";
    player.drag(&[0, 8]).await;
    assert_eq!(player.see(selected).await, json!("0 1 2 3 4 5 6 7 8"));
    player.drag(&[0, 80]).await;
    assert_eq!(
        player.see(selected).await,
        json!("0 10 20 30 40 50 60 70 80"),
        "a diagonal takes no cell beside it"
    );
    player.leave().await;
}

pub async fn shows_an_error_and_its_hint_as_two_sentences() {
    let player = open().await;
    player.press("import").await;
    player
        .see(&format!("document.getElementById('import-text').value = {:?}", &PUZZLE[..80]))
        .await;
    player.press("import-now").await;
    player.until("document.getElementById('import-error').textContent.length > 10").await;
    let said = player.text("#import-error").await;
    assert!(said.contains(". Paste a line") && said.ends_with('.'), "{said}");
    player.leave().await;
}

pub async fn going_back_before_a_mistake_fixes_a_wrong_mark() {
    let player = open().await;
    // r1c3 is 4; marks without it are a mistake.
    player.click("#board .cell[data-cell=\"2\"]").await;
    player.key("1", CONTROL).await;
    player.press("hint").await;
    player.until("document.getElementById('undomistake').checkVisibility()").await;
    player.press("undo-mistake").await;
    player.until("document.querySelectorAll('#board .centre').length === 0").await;
    player.press("hint").await;
    player.until("document.getElementById('reasontitle').textContent === 'Where to look'").await;

    // The position of a link starts with the mistake.
    player.go(&format!("/#p={PUZZLE}&m=2:12")).await;
    player.press("hint").await;
    player.until("document.getElementById('undomistake').checkVisibility()").await;
    player.press("undo-mistake").await;
    player
        .until("document.querySelector('#board [data-cell=\"2\"] .centre').textContent === '1 2 4'")
        .await;
    player.leave().await;
}

pub async fn reports_a_full_but_wrong_grid() {
    let player = open().await;
    let entries: String = (PUZZLE.chars().zip(SOLUTION.chars()).enumerate())
        .map(|(cell, (clue, digit))| if clue == '.' && cell != 2 { digit } else { '.' })
        .collect();
    player.go(&format!("/#p={PUZZLE}&e={entries}")).await;
    player.settle("mistakes", "off").await;
    write(&player, 2, "1").await;
    player.until_message("The grid is full").await;
    assert_ne!(player.see("document.querySelectorAll('#board .wrong').length").await, json!(0));
    player.keys(&["4"]).await;
    player.until_message("Solved!").await;
    player.leave().await;
}

pub async fn clues_can_be_edited_after_solve() {
    let player = open().await;
    player.press("blank").await;
    player.press("blank-3x3").await;
    player.write_grid(PUZZLE).await;
    player.press("solve").await;
    player.until_message("Here is the solution").await;
    assert_eq!(player.board().await, SOLUTION);
    player.press("undo").await;
    assert_eq!(player.board().await, PUZZLE);
    write(&player, 2, "4").await;
    assert_eq!(
        player.see("document.querySelectorAll('#board .clue').length").await,
        json!(31),
        "it became a clue"
    );
    player.press("play").await;
    write(&player, 3, "6").await;
    assert_eq!(player.see("document.querySelectorAll('#board .clue').length").await, json!(31));
    player.leave().await;
}

pub async fn watch_reports_a_missing_server() {
    let player = open().await;
    player.stop_server();
    player.press("view-watch").await;
    player
        .until("document.getElementById('watch-empty').textContent.includes('needs the server')")
        .await;
    assert_eq!(player.see("document.getElementById('watch-start').disabled").await, json!(true));
    player.picture("watch-offline").await;
    player.leave().await;
}

pub async fn colour_swatches_match_their_labels() {
    let player = open().await;
    player.press("mode-colour").await;
    let swatches =
        "[...document.querySelectorAll('.swatch')].map((key) => [key.textContent, key.ariaLabel])";
    let swatches = player.see(swatches).await;
    assert_eq!(swatches[0], json!(["1", "1 red"]));
    let all = swatches.as_array().expect("swatches");
    assert!(
        all.iter().all(|pair| pair[1].as_str().unwrap().starts_with(pair[0].as_str().unwrap())),
        "{swatches}"
    );
    player.leave().await;
}

pub async fn medium_16x16_puzzles_need_no_forcing_nets() {
    let player = open().await;
    player.press("panel-new").await;
    player.choose("new-boxes", "4x4").await;
    player.choose("new-level", "medium").await;
    player.press("generate").await;
    player
        .until("document.querySelectorAll('#board .cell').length === 256 && document.getElementById('cancel').hidden")
        .await;
    player.press("explain").await;
    player
        .until("document.getElementById('reasontitle').textContent.startsWith('Step 1 of')")
        .await;
    let steps = player.text("#steps").await;
    assert!(!steps.contains("Forcing"), "{steps}");
    player.leave().await;
}
