//! The ways in which players enter things: selecting cells, marking, typing clues, going back,
//! navigating steps.

use crate::player::{ALT, CONTROL, Player, SHIFT};
use crate::{PUZZLE, SOLUTION};
use serde_json::json;

async fn open() -> Player {
    let player = Player::open(&format!("/#p={PUZZLE}")).await;
    player.on_a_desk().await;
    player
}

pub async fn keys_work_without_a_click() {
    let player = open().await;
    // Without a click, the first empty cell is selected: r1c3.
    player.keys(&["4"]).await;
    assert_eq!(&player.board().await[2..3], "4");
    let selected = "document.querySelectorAll('#board .selected').length";
    player.key("a", CONTROL).await;
    assert_eq!(player.see(selected).await, json!(81));
    player.keys(&["Escape"]).await;
    assert_eq!(player.see(selected).await, json!(1));
    player.see("document.querySelector('#board [data-cell=\"0\"]').dispatchEvent(new MouseEvent('dblclick', { bubbles: true }))").await;
    let fives = PUZZLE.matches('5').count();
    assert_eq!(player.see(selected).await, json!(fives), "a double click selects equal digits");
    player.leave().await;
}

pub async fn shows_marks_colours_and_remaining_digits() {
    let player = open().await;
    player.click("#board .cell[data-cell=\"2\"]").await;
    for digit in ["1", "2", "4", "6", "8"] {
        player.key(digit, SHIFT).await;
    }
    let slots = "[...document.querySelectorAll('#board [data-cell=\"2\"] .corner i')].map((mark) => mark.className)";
    assert_eq!(
        player.see(slots).await,
        json!(["tl", "t", "tr", "bl", "br"]),
        "corners first, then edges"
    );
    // Equal digits are highlighted in marks, too: r2c6 is 5, r1c5 is 7, r3c3 is 8.
    player.click("#board .cell[data-cell=\"20\"]").await;
    let lit = "[...document.querySelectorAll('#board [data-cell=\"2\"] .corner i')] \
               .filter((mark) => Number(getComputedStyle(mark).fontWeight) > 600).map((mark) => mark.textContent)";
    assert_eq!(player.see(lit).await, json!(["8"]));
    // A key shows how many of its digits are left, and where the others are.
    let left = "document.querySelector('[data-key=\"8\"] em').dataset.left";
    assert_eq!(player.see(left).await, json!((9 - PUZZLE.matches('8').count()).to_string()));
    assert_eq!(
        player.see("document.querySelectorAll('[data-key=\"8\"] .nine .on').length").await,
        json!(PUZZLE.matches('8').count())
    );
    // Colours are side by side, and the selection stays visible.
    player.click("#board .cell[data-cell=\"3\"]").await;
    player.key("1", ALT).await;
    player.key("5", ALT).await;
    let strips = "[...document.querySelectorAll('#board [data-cell=\"3\"] .colour')].map((strip) => strip.style.clipPath !== '')";
    assert_eq!(player.see(strips).await, json!([true, true]));
    let ring = "getComputedStyle(document.querySelector('#board [data-cell=\"3\"]'), '::after').borderTopWidth";
    assert_ne!(player.see(ring).await, json!("0px"));
    player.picture("marks-and-colours").await;
    player.leave().await;
}

pub async fn clues_can_be_typed_edited_and_pasted() {
    let player = open().await;
    player.press("blank").await;
    player.press("blank-2x2").await;
    // The cursor moves on by itself; 0 or a dot leaves a cell empty.
    player.keys(&["1", "0", ".", "4", ".", ".", "1"]).await;
    assert_eq!(&player.board().await[..8], "1..4..1.");
    player.press("play").await;
    player.press("edit-clues").await;
    player.click("#board .cell[data-cell=\"9\"]").await;
    player.keys(&["3"]).await;
    assert_eq!(player.see("document.querySelectorAll('#board .clue').length").await, json!(4));

    let tabs: String = PUZZLE
        .replace('.', " ")
        .as_bytes()
        .chunks(9)
        .map(|row| {
            row.iter()
                .map(|cell| char::from(*cell).to_string().trim().to_string())
                .collect::<Vec<_>>()
                .join("\t")
                + "\n"
        })
        .collect();
    for (text, board) in [
        (tabs, PUZZLE),
        (format!("https://www.sudokuwiki.org/sudoku.htm?bd={}", PUZZLE.replace('.', "0")), PUZZLE),
        (SOLUTION.to_string(), SOLUTION),
    ] {
        player.follow_link("#p=1...............").await;
        player.paste(&text).await;
        player.until("document.querySelectorAll('#board .cell').length === 81").await;
        assert_eq!(player.board().await, board, "{text}");
    }
    player.leave().await;
}

pub async fn checkpoints_and_the_move_list_go_back() {
    let player = open().await;
    for (cell, digit) in [(2, "4"), (3, "6"), (5, "8")] {
        player.click(&format!("#board .cell[data-cell=\"{cell}\"]")).await;
        player.keys(&[digit]).await;
        if cell == 3 {
            player.press("checkpoint").await;
        }
    }
    assert_eq!(player.see("document.querySelectorAll('#moves li').length").await, json!(3));
    player.press("back-to-checkpoint").await;
    assert_eq!(&player.board().await[..6], "53467.");
    player.press("redo").await;
    assert_eq!(&player.board().await[..6], "534678");
    player.click("#moves li:first-child button").await;
    assert_eq!(&player.board().await[..6], "534.7.");
    player.click("#moves li:last-child button").await;
    assert_eq!(&player.board().await[..6], "534678", "later moves are not lost");
    player.reload().await;
    assert_eq!(
        player.see("document.querySelectorAll('#moves .checkpoint').length").await,
        json!(1)
    );
    player.leave().await;
}

pub async fn arrows_and_clicks_navigate_an_explanation() {
    let player = open().await;
    player.press("explain").await;
    player
        .until("document.getElementById('reasontitle').textContent.startsWith('Step 1 of')")
        .await;
    player.keys(&["ArrowRight", "ArrowDown"]).await;
    assert!(player.text("#reasontitle").await.starts_with("Step 3 of"));
    player.keys(&["ArrowLeft"]).await;
    assert!(player.text("#reasontitle").await.starts_with("Step 2 of"));
    player.click("#steps li:nth-child(4) button").await;
    assert!(player.text("#reasontitle").await.starts_with("Step 4 of"));
    assert_eq!(
        player.see("document.querySelector('#steps [aria-current]').textContent !== ''").await,
        json!(true)
    );
    let numbers = "[...document.querySelectorAll('#board .rows span')].map((number) => number.textContent).join('')";
    assert_eq!(player.see(numbers).await, json!("123456789"));
    assert_eq!(
        player.see("document.querySelector('#board .rows').checkVisibility()").await,
        json!(true)
    );
    player.leave().await;
}

pub async fn supports_german_and_spanish() {
    let player = open().await;
    for (language, hint, cell) in [
        ("de", "Tipp", "Zeile 1, Spalte 1, 5, Vorgabe"),
        ("es", "Ayuda", "fila 1, columna 1, 5, pista"),
    ] {
        player.settle("language", language).await;
        player.until(&format!("document.documentElement.lang === {language:?}")).await;
        assert_eq!(player.text("#hint").await, hint);
        player
            .until(&format!(
                "document.querySelector('#board [data-cell=\"0\"]').ariaLabel === {cell:?}"
            ))
            .await;
        player.pictures(&format!("play-{language}")).await;
    }
    player.reload().await;
    assert_eq!(player.text("#hint").await, "Ayuda");
    player.leave().await;
}
