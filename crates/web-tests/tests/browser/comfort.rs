//! Sounds, boards, own keys, frames and printed sheets.

use crate::player::Player;
use crate::{PUZZLE, address};
use serde_json::json;

pub async fn sounds_and_vibration_are_off_at_first() {
    let player = Player::open("").await;
    player
        .run_on_every_page(
            "window.tones = 0; window.pulses = []; \
             const make = AudioContext.prototype.createOscillator; \
             AudioContext.prototype.createOscillator = function () { window.tones += 1; return make.call(this); }; \
             navigator.vibrate = (pulse) => window.pulses.push(pulse.length);",
        )
        .await;
    player.go(&address(PUZZLE)).await;
    player.click("#board .cell[data-cell=\"2\"]").await;
    player.keys(&["4", "Backspace"]).await;
    assert_eq!(player.see("[window.tones, window.pulses.length]").await, json!([0, 0]));
    player.settle("sound", "true").await;
    player.settle("haptics", "true").await;
    // A digit, then one that is already in its row.
    player.keys(&["4"]).await;
    assert_eq!(player.see("[window.tones, window.pulses]").await, json!([1, [1]]));
    player.keys(&["Backspace"]).await;
    assert_eq!(player.see("window.tones").await, json!(1), "nothing is written");
    player.keys(&["5"]).await;
    assert_eq!(player.see("[window.tones, window.pulses]").await, json!([2, [1, 1]]));
    player.leave().await;
}

pub async fn boards_have_themes() {
    let player = Player::open(&address(PUZZLE)).await;
    let sheet = "getComputedStyle(document.querySelector('#board .cell:not(.facet, .peer, .selected, .equal)')).backgroundColor + getComputedStyle(document.querySelector('#sheet')).backgroundColor";
    let mut seen = Vec::new();
    for board in ["paper", "sand", "mint"] {
        for dark in [false, true] {
            player.settle("board", board).await;
            player.media(false, dark).await;
            seen.push(player.see(sheet).await.to_string());
        }
    }
    let distinct: std::collections::BTreeSet<_> = seen.iter().collect();
    assert_eq!(distinct.len(), 6, "{seen:?}");
    player.settle("board", "contrast").await;
    player.media(false, false).await;
    let ink = "getComputedStyle(document.querySelector('#board .clue .digit')).color";
    assert_eq!(player.see(ink).await, json!("rgb(0, 0, 0)"));
    player.reload().await;
    assert_eq!(player.see(ink).await, json!("rgb(0, 0, 0)"), "the board is kept");
    player.leave().await;
}

pub async fn keys_can_be_chosen() {
    let player = Player::open(&address(PUZZLE)).await;
    player.on_a_desk().await;
    let hint = "document.getElementById('reason').checkVisibility()";
    player.settle("key-hint", "J").await;
    player.click("#board .cell[data-cell=\"2\"]").await;
    player.keys(&["h"]).await;
    assert_eq!(player.see(hint).await, json!(false), "the old key does nothing");
    player.keys(&["j"]).await;
    player.until(hint).await;
    assert_eq!(player.see("document.getElementById('hint').title").await, json!("Hint (J)"));
    assert!(player.text("#help-keys").await.contains("J"));
    // A key that another command had is taken from it.
    player.settle("key-hint", "k").await;
    let check = "document.getElementById('settings').elements['key-check'].value";
    assert_eq!(player.see(check).await, json!(""));
    player.reload().await;
    let hint_key = "document.getElementById('settings').elements['key-hint'].value";
    assert_eq!(player.see(hint_key).await, json!("k"), "the keys are kept");
    player.leave().await;
}

pub async fn a_frame_shows_one_puzzle_and_nothing_else() {
    let player = Player::open(&address(PUZZLE)).await;
    player.on_a_desk().await;
    player.press("share").await;
    let code = player.see("document.getElementById('share-embed').value").await;
    let code = code.as_str().expect("HTML").to_string();
    let expected = format!("<iframe src=\"{}/?embed#b=3x3&p={PUZZLE}\"", player.address);
    assert!(code.starts_with(&expected), "{code}");
    player.go(&format!("/?embed#p={PUZZLE}")).await;
    for part in [".top", ".tabs", "#menu"] {
        let visible = format!("document.querySelector('{part}').checkVisibility()");
        assert_eq!(player.see(&visible).await, json!(false), "{part}");
    }
    // Playing and hints work; what leaves the game does not.
    player.click("#board .cell[data-cell=\"2\"]").await;
    player.keys(&["4", "?"]).await;
    assert_eq!(&player.board().await[2..3], "4");
    assert_eq!(player.see("document.querySelector('dialog[open]')").await, json!(null));
    player.see("document.querySelector('[data-do=\"view-games\"]').click()").await;
    assert_eq!(player.see("document.getElementById('view-play').hidden").await, json!(false));
    player.keys(&["h"]).await;
    player.until("document.getElementById('reason').checkVisibility()").await;
    player.leave().await;
}

pub async fn sheets_have_codes_and_no_solutions() {
    let player = Player::open("/#make").await;
    player.on_a_desk().await;
    player.see("document.getElementById('make-count').value = '1'").await;
    player.press("make-now").await;
    player.until("document.getElementById('make-sheet').checkVisibility()").await;
    player.see("window.print = () => {}; true").await;
    player.press("make-sheet").await;
    player.media(true, false).await;
    let visible = |part: &str| format!("document.querySelector('{part}').checkVisibility()");
    assert_eq!(player.see(&visible("#make-solutions")).await, json!(false));
    assert_eq!(player.see(&visible(".gallery .said")).await, json!(false));
    assert_eq!(player.see(&visible(".gallery .qr")).await, json!(true));
    let puzzle = player
        .see("decodeURIComponent(document.getElementById('make-file').href.split(',')[1]).trim()")
        .await;
    let path = player.see("document.querySelector('.qr path').getAttribute('d')").await;
    let side = player.see("document.querySelector('.qr').viewBox.baseVal.width").await;
    let side = side.as_u64().expect("a number") as usize;
    let modules: std::collections::HashSet<(usize, usize)> = path
        .as_str()
        .expect("a path")
        .split('M')
        .skip(1)
        .map(|module| {
            let (column, row) =
                module.split_once('h').and_then(|(at, _)| at.split_once(' ')).expect("a point");
            (column.parse().expect("a column"), row.parse().expect("a row"))
        })
        .collect();
    // A scanner needs several pixels for each module.
    let mut picture = rqrr::PreparedImage::prepare_from_bitmap(4 * side, 4 * side, |x, y| {
        modules.contains(&(x / 4, y / 4))
    });
    let codes = picture.detect_grids();
    let (_, text) = codes.first().expect("a code").decode().expect("a readable code");
    let puzzle = puzzle.as_str().expect("a puzzle");
    assert_eq!(text, format!("{}/#b=3x3&p={puzzle}", player.address));
    player.see("dispatchEvent(new Event('afterprint')); true").await;
    assert_eq!(player.see(&visible("#make-solutions")).await, json!(true));
    player.leave().await;
}
