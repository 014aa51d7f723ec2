//! Entering digits: marks, dragging, digit-first entry, colours, and settings.

use crate::player::{Player, SHIFT};
use crate::{PUZZLE, SOLUTION};
use serde_json::json;

pub async fn supports_all_ways_of_entering_digits_and_keeps_settings() {
    let player = Player::open(&format!("/#p={PUZZLE}")).await;
    player.on_a_desk().await;
    // The transferred size of the page and everything it loads.
    player.until("document.readyState === 'complete'").await;
    let entries = "[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]";
    let bytes =
        player.see(&format!("{entries}.reduce((sum, entry) => sum + entry.transferSize, 0)")).await;
    println!("the first page takes {bytes} bytes over the wire");
    assert!(bytes.as_u64().is_some_and(|bytes| bytes > 10_000 && bytes < 80_000), "{bytes}");

    // A drag selects cells, and a digit is entered into all of them as a mark.
    player.drag(&[2, 3, 12]).await;
    assert_eq!(player.see("document.querySelectorAll('#board .selected').length").await, json!(3));
    player.key("2", SHIFT).await;
    assert_eq!(
        player.see("document.querySelectorAll('#board .corner').length").await,
        json!(2),
        "a clue takes no mark"
    );

    // Colours, from the keypad.
    player.press("mode-colour").await;
    player.click("[data-key=\"5\"]").await;
    assert_eq!(
        player.see("document.querySelectorAll('#board .colour.blue').length").await,
        json!(3)
    );
    player.press("undo").await;
    assert_eq!(player.see("document.querySelectorAll('#board .colour').length").await, json!(0));
    player.press("redo").await;
    assert_eq!(player.see("document.querySelectorAll('#board .colour').length").await, json!(3));
    player.press("mode-digit").await;

    // Automatic candidates follow the entries and stay editable.
    player.settle("auto", "true").await;
    let shown = "[...document.querySelectorAll('[data-cell=\"40\"] .candidates span')].map((s) => s.dataset.digit ?? '').join('')";
    assert_eq!(player.see(shown).await, json!("5"));
    player.click("#board .cell[data-cell=\"30\"]").await;
    let of_30 = "[...document.querySelectorAll('[data-cell=\"30\"] .candidates span')].map((s) => s.dataset.digit ?? '').join('')";
    assert!(player.see(of_30).await.as_str().unwrap().contains('5'));
    player.click("#board .cell[data-cell=\"40\"]").await;
    player.keys(&["5"]).await;
    assert!(
        !player.see(of_30).await.as_str().unwrap().contains('5'),
        "a written digit takes its candidates away"
    );

    // Mistakes are shown according to the settings: never, by the rules, or against the solution.
    player.settle("mistakes", "off").await;
    player.click("#board .cell[data-cell=\"2\"]").await;
    player.keys(&["3"]).await;
    let wrong = "document.querySelectorAll('#board .wrong').length";
    assert_eq!(player.see(wrong).await, json!(0));
    player.settle("mistakes", "rules").await;
    assert_ne!(player.see(wrong).await, json!(0));
    player.keys(&["1"]).await;
    assert_eq!(player.see(wrong).await, json!(0), "a 1 breaks no rule");
    player.settle("mistakes", "solution").await;
    player.until(&format!("{wrong} === 1")).await;
    player.keys(&["Backspace"]).await;

    // A selected digit is entered into every cell that is pressed.
    player.settle("entry", "digit").await;
    player.click("[data-key=\"4\"]").await;
    assert_eq!(
        player.see("document.querySelector('[data-key=\"4\"]').ariaPressed").await,
        json!("true")
    );
    player.click("#board .cell[data-cell=\"2\"]").await;
    assert_eq!(&player.board().await[2..3], &SOLUTION[2..3]);
    player.picture("digit-first").await;

    // The timer runs, pauses and can be hidden.
    player.until("document.getElementById('timer').textContent !== '0:00'").await;
    player.press("pause").await;
    let stopped = player.text("#timer").await;
    assert_eq!(player.see("document.getElementById('pausecover').hidden").await, json!(false));
    player.see("document.querySelector('#pausecover button').click()").await;
    player.settle("timer", "false").await;
    assert_eq!(
        player.see("document.getElementById('timer').hidden").await,
        json!(true),
        "{stopped}"
    );

    // Everything is restored after a reload.
    player.until("location.hash.includes('e=..4')").await;
    player.go("/").await;
    player.press("continue").await;
    assert_eq!(&player.board().await[2..3], "4");
    let kept = player.see("JSON.parse(localStorage.getItem('ninefold.settings'))").await;
    assert_eq!(
        (&kept["auto"], &kept["entry"], &kept["mistakes"]),
        (&json!(true), &json!("digit"), &json!("solution"))
    );

    // Quit closes the view of the game without losing it.
    player.press("quit").await;
    assert_eq!(
        player.see("document.getElementById('board').checkVisibility()").await,
        json!(false)
    );
    player.picture("quit").await;
    player.press("view-play").await;
    assert_eq!(&player.board().await[2..3], "4");
    player.leave().await;
}

pub async fn pastes_every_format() {
    let player = Player::open(&format!("/#p={PUZZLE}")).await;
    let drawn = "1 . | . 4\n. . | 1 .\n----+----\n. 3 | . .\n4 . | . 3\n";
    let csv = format!("puzzle,solution\n{},{SOLUTION}\n", PUZZLE.replace('.', "0"));
    let marks = "+--------+--------+\n| 1 23 23 4 |\n".to_string();
    for (text, first) in [
        (drawn.to_string(), Some("1..4")),
        (csv, Some("53..")),
        (SOLUTION.to_string(), Some("5346")),
        (format!("https://example.org/#p={}", "1...".repeat(4)), Some("1...")),
        (marks, None),
        ("no puzzle".to_string(), None),
    ] {
        player.press("import").await;
        player.see(&format!("document.getElementById('import-text').value = {text:?}")).await;
        player.press("import-now").await;
        match first {
            Some(first) => {
                player.until("!document.getElementById('panel-import').open").await;
                assert_eq!(&player.board().await[..4], first, "{text}");
            }
            None => {
                player
                    .until("document.getElementById('import-error').textContent.length > 10")
                    .await;
                player.see("document.getElementById('panel-import').close()").await;
            }
        }
    }
    player.leave().await;
}
