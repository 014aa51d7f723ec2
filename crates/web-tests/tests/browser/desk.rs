//! The setter's desk: a killer is set from nothing, its second solution is found and repaired, and
//! another player opens and solves it.

use crate::player::{Player, SHIFT};
use serde_json::{Value, json};

/// The stored puzzle.
const KEPT: &str = "JSON.parse(localStorage.getItem('ninefold.desk'))";

async fn open_desk() -> Player {
    let player = Player::open("/#desk").await;
    player.on_a_desk().await;
    player.until("document.querySelectorAll('#desk-board .cell').length === 81").await;
    player
}

/// The parts of the desk wait for one style sheet.
pub async fn the_desk_opens_when_its_styles_are_the_last_file() {
    let player = Player::open("/").await;
    player.until("document.documentElement.dataset.views === 'all'").await;
    player.command("Network.enable", json!({})).await;
    player.command("Network.setBypassServiceWorker", json!({ "bypass": true })).await;
    player.command("Fetch.enable", json!({ "patterns": [{ "urlPattern": "*extra.css" }] })).await;
    player.see("location.hash = '#desk'").await;
    let has_loaded = |file| {
        format!(
            "performance.getEntriesByType('resource').some(({{ name }}) => name.endsWith('{file}'))"
        )
    };
    player.until(&has_loaded("desk.js")).await;
    player.until(&has_loaded("variants.js")).await;
    assert_eq!(player.see("document.getElementById('desk-board')").await, Value::Null);
    player.command("Fetch.disable", json!({})).await;
    player.until("document.querySelectorAll('#desk-board .cell').length === 81").await;
}

async fn until_count(player: &Player, words: &str) {
    player.until(&format!("document.getElementById('desk-count').textContent === {words:?}")).await;
}

/// A killer of 4×4 with two solutions: three cages, and a thermometer drawn with the keyboard.
async fn draw_killer(player: &Player) {
    player.choose("desk-size", "2x2").await;
    player.click("#desk-new").await;
    until_count(player, "288 solutions.").await;
    player.choose("desk-tool", "cage").await;
    for (cells, sum) in [(&[0, 1, 5][..], "7"), (&[2, 3], "7"), (&[4, 8], "5")] {
        player.drag_on("#desk-board", cells).await;
        player.keys(&[sum]).await;
    }
    assert_eq!(
        player.see(&format!("{KEPT}.rules.cage")).await,
        json!([
            { "cells": "r1c1 r1c2 r2c2", "sum": 7 },
            { "cells": "r1c3 r1c4", "sum": 7 },
            { "cells": "r2c1 r3c1", "sum": 5 },
        ])
    );
    player.choose("desk-tool", "thermometer").await;
    player.click("#desk-board .cell[data-cell=\"9\"]").await;
    player.key("ArrowDown", SHIFT).await;
    player.keys(&["Enter"]).await;
    assert_eq!(
        player.see(&format!("{KEPT}.rules.thermometer")).await,
        json!([{ "cells": "r3c2 r4c2" }])
    );
}

pub async fn a_killer_is_set_repaired_shared_and_solved_with_hints() {
    let player = open_desk().await;
    draw_killer(&player).await;
    // Two solutions, and the cells in which they differ.
    player.until("document.getElementById('desk-differ').textContent.startsWith('Two solutions differ in the ')").await;
    let ringed = player
        .see("[...document.querySelectorAll('#desk-board .ringed')].map((cell) => Number(cell.dataset.cell))")
        .await;
    let ringed: Vec<u64> =
        ringed.as_array().expect("cells").iter().filter_map(Value::as_u64).collect();
    assert!(ringed.len() >= 4, "{ringed:?}");
    player.pictures("desk-two-solutions").await;

    // Clues in ringed cells repair it. Every one is taken from a solution of the engine.
    player.choose("desk-tool", "digits").await;
    for _ in 0..6 {
        if player.text("#desk-count").await == "Exactly one solution." {
            break;
        }
        let cell = player
            .see("Number(document.querySelector('#desk-board .ringed').dataset.cell)")
            .await
            .as_u64()
            .expect("a ringed cell");
        let solution = player
            .see(&format!("fetch('api/study', {{ method: 'POST', headers: {{ 'content-type': 'application/json' }}, body: JSON.stringify({{ what: 'solutions', puzzle: JSON.stringify({{ puzzle: {KEPT}.clues.join(''), rules: {KEPT}.rules }}) }}) }}).then((answer) => answer.json()).then(({{ solution }}) => solution)"))
            .await;
        let digit = &solution.as_str().expect("a solution")[cell as usize..=cell as usize];
        player.click(&format!("#desk-board .cell[data-cell=\"{cell}\"]")).await;
        player.keys(&[digit]).await;
        player.until("document.getElementById('desk-count').textContent.endsWith('.') && document.getElementById('desk-count').textContent !== 'Counting …'").await;
    }
    until_count(&player, "Exactly one solution.").await;
    // Rated as the setter types.
    player.until("document.getElementById('desk-rating').textContent.includes('effort')").await;
    player.see("document.getElementById('desk-texts').open = true").await;
    player.choose("desk-title", "Four cages").await;
    player.choose("desk-author", "A. Setter").await;
    player.click("#desk-write").await;
    player.until("document.getElementById('desk-ruleset').value.includes('Digits along a thermometer increase')").await;
    player.see("document.getElementById('desk-export').open = true").await;
    player.until("document.querySelector('#desk-formats textarea').value.startsWith('https://www.f-puzzles.com/?load=')").await;
    player.picture("desk").await;
    player.click("#desk-share").await;
    player.until("Boolean(document.getElementById('desk-share').dataset.link)").await;
    let link = player.see("document.getElementById('desk-share').dataset.link").await;
    let link = link.as_str().expect("a link").to_string();
    // The desk is still there after a reload.
    player.reload().await;
    player.until("document.querySelectorAll('#desk-board .r-cage').length === 3").await;
    until_count(&player, "Exactly one solution.").await;
    player.leave().await;

    // Another profile: title, author and rules arrive, and hints lead to the solution.
    let friend = Player::open(&format!("/{}", &link[link.find('#').expect("a fragment")..])).await;
    friend.on_a_desk().await;
    friend.until("document.querySelectorAll('#board .r-cage').length === 3").await;
    assert_eq!(friend.text("#level").await, "Four cages");
    assert!(friend.text("#rules-text").await.contains("by A. Setter"));
    for _ in 0..60 {
        if friend.text("#message").await.starts_with("Solved!") {
            break;
        }
        for stage in ["Where to look", "What to look for", ""] {
            friend.press("hint").await;
            friend
                .until(&format!("document.getElementById('reasontitle').textContent.includes({stage:?}) && document.getElementById('reason').checkVisibility()"))
                .await;
        }
        friend.press("follow").await;
    }
    friend.until_message("Solved!").await;
    friend.picture("desk-solved").await;
    friend.leave().await;
}

pub async fn the_desk_finds_redundant_clues_and_neighbours_and_keeps_symmetry() {
    let player = open_desk().await;
    player.go(&format!("/#p={}", crate::PUZZLE)).await;
    player.press("view-desk").await;
    player.until("document.getElementById('desk-game') !== null").await;
    player.click("#desk-game").await;
    until_count(&player, "Exactly one solution.").await;
    player
        .until("document.getElementById('desk-rating').textContent.startsWith('Easy, effort 42')")
        .await;

    // The true candidates of a puzzle with one solution are its digits.
    player.click("#desk-candidates").await;
    player.until("document.querySelectorAll('#desk-board .candidates').length === 51").await;
    let single = "[...document.querySelectorAll('#desk-board .candidates')].every((one) => one.querySelectorAll('[data-digit]').length === 1)";
    assert_eq!(player.see(single).await, json!(true));
    player.click("#desk-candidates").await;

    player.click("#desk-redundant").await;
    player.until("/redundant|needed/.test(document.getElementById('desk-said').textContent)").await;
    let clues = format!("{KEPT}.clues.filter(Boolean).length");
    assert_eq!(player.see(&clues).await, json!(30));
    player.click("#desk-harder").await;
    player.until("document.getElementById('desk-said').textContent.includes('effort 42 →')").await;
    assert_eq!(player.see(&clues).await, json!(29));
    until_count(&player, "Exactly one solution.").await;
    player.click("#desk-easier").await;
    player.until(&format!("{clues} === 30")).await;
    player.click("#desk-undo").await;
    player.click("#desk-undo").await;
    assert_eq!(player.see(&clues).await, json!(30));
    until_count(&player, "Exactly one solution.").await;

    // The clues have the symmetry of a half turn; without one, its cell is ringed and filled again.
    player.choose("desk-symmetry", "half").await;
    player
        .until(
            "document.getElementById('desk-said').textContent.includes('The clues are symmetric.')",
        )
        .await;
    player.click("#desk-board .cell[data-cell=\"0\"]").await;
    player.keys(&["Backspace"]).await;
    until_count(&player, "Exactly one solution.").await;
    player.until("document.querySelector('#desk-board [data-cell=\"0\"].ringed') !== null").await;
    player.click("#desk-fill").await;
    player.until(&format!("{KEPT}.clues[0] === 5")).await;

    // A rule for the whole grid, and a regions tool: boxes become regions.
    player.see("document.querySelector('[data-whole=\"anti_knight\"]').click()").await;
    assert_eq!(player.see(&format!("{KEPT}.rules.anti_knight")).await, json!(true));
    player.until("document.getElementById('desk-count').textContent.includes('anti-knight')").await;
    player.see("document.querySelector('[data-whole=\"anti_knight\"]').click()").await;
    until_count(&player, "Exactly one solution.").await;
    player.leave().await;
}

/// Cages are drawn with a finger, too.
pub async fn a_finger_draws_cages() {
    let player = Player::open("/#desk").await;
    player.on_a_phone().await;
    player.until("document.querySelectorAll('#desk-board .cell').length === 81").await;
    player.choose("desk-tool", "cage").await;
    player.touch_drag_on("#desk-board", &[0, 1, 10]).await;
    player.until(&format!("{KEPT}?.rules?.cage?.length === 1")).await;
    player.click("#desk-keys .key:nth-child(9)").await;
    assert_eq!(
        player.see(&format!("{KEPT}.rules.cage")).await,
        json!([{ "cells": "r1c1 r1c2 r2c2", "sum": 9 }])
    );
    player.picture("desk-phone").await;
    player.leave().await;
}

pub async fn rotating_moves_rules_and_clues_alike() {
    let player = open_desk().await;
    draw_killer(&player).await;
    player.until("document.getElementById('desk-differ').textContent !== ''").await;
    let count = player.text("#desk-count").await;
    let before = player.see(&format!("JSON.stringify({KEPT}.rules)")).await;
    for turn in 1..=4 {
        player.click("#desk-rotate").await;
        until_count(&player, "Counting …").await;
        until_count(&player, &count).await;
        let now = player.see(&format!("JSON.stringify({KEPT}.rules)")).await;
        assert_eq!(now == before, turn == 4, "{now}");
    }
    // A phone reaches everything: the rules are removed with buttons.
    player.on_a_phone().await;
    for left in (0..4).rev() {
        player.click("#desk-list li:first-child .bare").await;
        player
            .until(&format!("document.querySelectorAll('#desk-list .bare').length === {left}"))
            .await;
    }
    until_count(&player, "288 solutions.").await;
    player.leave().await;
}
