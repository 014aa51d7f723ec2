//! Variants: puzzles with rules are made, opened, drawn, played, checked, explained and shared.

use crate::player::Player;
use ninefold_formats::lz_string;
use ninefold_test_support as support;
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashSet};

/// A killer of 6×6 with one solution, as the command line writes it.
const KILLER: &str = r#"{"puzzle":"....................................","rules":{"boxes":"2x3","cage":[{"cells":"r1c1 r1c2 r2c1","sum":9},{"cells":"r1c3 r1c4","sum":9},{"cells":"r1c5 r1c6 r2c6","sum":10}]}}"#;

/// The number of rules that are drawn, and of rules that have something to draw.
const DRAWN: &str = "new Set([...document.querySelectorAll('#board .rules [data-rule]')].map((one) => one.dataset.rule)).size";

pub async fn a_killer_is_made_played_checked_explained_and_shared() {
    let player = Player::open("/").await;
    player.on_a_desk().await;
    player.press("view-variants").await;
    player.until("document.querySelectorAll('#view-variants .kind').length === 39").await;
    player.pictures("variants").await;
    player.see("document.querySelector('#view-variants [value=\"killer\"]').click()").await;
    player.choose("variants-size", "2x3").await;
    player.click("#variants-make").await;
    player.until("document.querySelectorAll('#board.ruled .r-cage').length > 3").await;
    assert_eq!(player.text("#level").await, "Killer");
    let rules = player.text("#rules-text").await;
    assert!(rules.contains("Digits in a cage do not repeat"), "{rules}");
    player.pictures("killer").await;

    // The combinations of the cage of the selected cell.
    player.until("document.querySelectorAll('#combos li').length > 0").await;

    // A mistake against a cage: equal digits in two of its cells.
    let cage = player
        .see("[...document.querySelectorAll('#board .summed:not(.clue)')].map((cell) => Number(cell.dataset.cell))")
        .await;
    let cell = cage[0].as_u64().expect("a cage has a first cell");
    let mistake = player
        .see(&format!(
            "(() => {{ const label = document.querySelector('#board [data-cell=\"{cell}\"]'); label.focus(); return true; }})()"
        ))
        .await;
    assert_eq!(mistake, json!(true));

    // A hint in three stages, and every step of the explanation.
    for _ in 0..3 {
        player.press("hint").await;
        player.until("document.getElementById('reason').checkVisibility()").await;
    }
    player.until("document.querySelectorAll('#board .ink').length > 0").await;
    player.picture("killer-hint").await;
    player.press("follow").await;
    player.press("explain").await;
    player.until("document.querySelectorAll('#steps li').length > 5").await;
    player.press("walk-last").await;
    player.picture("killer-explain").await;
    player.press("walk-take").await;
    player.press("reset").await;

    // Its effort.
    player.press("view-rate").await;
    player.until("document.querySelectorAll('#rate-techniques tr').length > 0").await;
    player.until("document.querySelectorAll('#rate-board .r-cage').length > 3").await;
    player.press("view-play").await;

    // The link opens the same puzzle in another browser profile.
    player.press("share").await;
    player.until("document.getElementById('share-other') !== null").await;
    player.see("document.getElementById('share-other').open = true").await;
    player.until("document.querySelector('.format-text').value.startsWith('https://www.f-puzzles.com/?load=')").await;
    let link = player.see("document.getElementById('share-text').value").await;
    let link = link.as_str().expect("a link").to_string();
    let other = player.see("document.querySelector('.format-text').value").await;
    let other = other.as_str().expect("a link").to_string();
    let cages = player.see(DRAWN).await;
    player.leave().await;

    let friend = Player::open(&format!("/{}", &link[link.find('#').expect("a fragment")..])).await;
    friend.until(&format!("{DRAWN} === {cages}")).await;
    // And the link of the other program, in the address and in the import field.
    let code = other.split("load=").nth(1).expect("a code");
    friend.go(&format!("/?load={}", code.replace('+', "%2B"))).await;
    friend.until(&format!("{DRAWN} === {cages}")).await;
    friend.press("solve").await;
    friend.until_message("Here is the solution").await;
    friend.leave().await;
}

pub async fn mistakes_against_rules_are_marked() {
    let player = Player::open("").await;
    player.go("/").await;
    player.press("view-play").await;
    player.paste(KILLER).await;
    player.until("document.querySelectorAll('#board .r-cage').length === 3").await;
    let wrong = "[...document.querySelectorAll('#board .wrong')].map((cell) => Number(cell.dataset.cell)).join()";
    // r1c3 and r1c4 have the sum 9: 3 and 5 are too few, 3 and 6 are right.
    player.click("#board [data-cell=\"2\"]").await;
    player.keys(&["3", "ArrowRight", "5"]).await;
    player.until(&format!("{wrong} === '2,3'")).await;
    assert!(player.label(2).await.contains("wrong"), "{}", player.label(2).await);
    player.keys(&["6"]).await;
    player.until(&format!("{wrong} === ''")).await;
    // Equal digits in one cage that share no row, column or box.
    player.click("#board [data-cell=\"5\"]").await;
    player.keys(&["1"]).await;
    player.click("#board [data-cell=\"11\"]").await;
    player.keys(&["1"]).await;
    player.until(&format!("{wrong} === '5,11'")).await;
    // The game continues after a reload, with its rules.
    player.reload().await;
    player.until("document.querySelectorAll('#board .r-cage').length === 3").await;
    player.until(&format!("{wrong} === '5,11'")).await;
    // Rules are told in the language of the page.
    player.settle("language", "de").await;
    player.until("document.getElementById('rules-text').textContent.includes('In einem Käfig wiederholt sich keine Ziffer')").await;
    player.settle("language", "es").await;
    player.until("document.getElementById('rules-text').textContent.includes('En una jaula no se repiten cifras')").await;
    player.leave().await;
}

pub async fn every_kind_is_made_and_drawn() {
    let player = Player::open("/").await;
    player.on_a_desk().await;
    player.press("view-variants").await;
    player.until("document.querySelectorAll('#view-variants .kind').length === 39").await;
    let kinds = player
        .see("[...document.querySelectorAll('#view-variants [type=checkbox]')].map((input) => input.value)")
        .await;
    let names: HashSet<&str> =
        kinds.as_array().expect("kinds").iter().filter_map(Value::as_str).collect();
    assert_eq!(names.len(), 39);
    for name in names {
        let made = format!(
            "window.made = null; fetch('api/generate', {{ method: 'POST', headers: {{ 'content-type': 'application/json' }}, \
             body: JSON.stringify({{ rules: {name:?}, boxes: '{}', seed: 3 }}) }}).then((answer) => answer.json()).then((made) => {{ window.made = made; }}); true",
            if name == "windoku" || name == "entropic" { "3x3" } else { "2x3" }
        );
        player.see(&made).await;
        player.until("window.made !== null").await;
        let puzzle = player.see("window.made.puzzle").await;
        let puzzle = puzzle.as_str().unwrap_or_else(|| panic!("{name} is not made")).to_string();
        player.press("view-play").await;
        player.paste(&puzzle).await;
        player.until("document.getElementById('board').classList.contains('ruled')").await;
        // Some rules are not drawn: they are about the complete grid.
        let is_drawn = ![
            "jigsaw",
            "no-boxes",
            "disjoint-groups",
            "anti-knight",
            "anti-king",
            "nonconsecutive",
        ]
        .contains(&name);
        if is_drawn {
            player.until(&format!("{DRAWN} > 0")).await;
        }
        let own = "JSON.parse(window.made.puzzle).puzzle.replaceAll('0', '.')";
        player
            .until(&format!("[...document.querySelectorAll('#board .cell')].map((cell) => cell.querySelector('.digit')?.textContent ?? '.').join('') === {own}"))
            .await;
        assert_eq!(player.text("#message").await, "", "{name} has one solution");
    }
    player.leave().await;
}

pub async fn several_variants_are_made_for_a_file_and_a_sheet() {
    let player = Player::open("/#variants").await;
    player.on_a_desk().await;
    player.until("document.querySelectorAll('#view-variants .kind').length === 39").await;
    player.see("document.querySelector('#view-variants [value=\"thermo\"]').click()").await;
    player.choose("variants-size", "2x3").await;
    player.choose("variants-count", "3").await;
    player.click("#variants-make").await;
    player.until("document.querySelectorAll('#make-list .ruled .thermo').length >= 3 && !document.getElementById('make-file').hidden").await;
    player.picture("variants-made").await;
    let file = player.see("decodeURIComponent(document.getElementById('make-file').href.split(',').slice(1).join(','))").await;
    let lines: Vec<Value> = file
        .as_str()
        .expect("a text")
        .lines()
        .map(|line| serde_json::from_str(line).expect("a JSON object"))
        .collect();
    assert_eq!(lines.len(), 3);
    assert!(lines.iter().all(|line| line["rules"]["thermometer"].is_array()));
    player.press("make-play").await;
    player.until("document.querySelectorAll('#board .thermo').length > 0").await;
    player.leave().await;
}

pub async fn the_variant_of_the_day_is_the_same_for_everyone() {
    let mut links = BTreeSet::new();
    for view in ["today", "variants"] {
        let player = Player::open(&format!("/#{view}")).await;
        if view == "today" {
            player.press("daily-variant").await;
        } else {
            player.until("document.getElementById('daily-variant') !== null").await;
            player.click("#daily-variant").await;
        }
        player
            .until(
                "document.querySelector('#board.ruled') !== null && location.hash.includes('&r=')",
            )
            .await;
        links.insert(player.see("location.hash").await.as_str().expect("a link").to_string());
        // It is continued, not made again.
        player.press("view-variants").await;
        player.until("document.getElementById('daily-variant') !== null").await;
        player.click("#daily-variant").await;
        player.until("!document.getElementById('view-play').hidden").await;
        player.leave().await;
    }
    assert_eq!(links.len(), 1);
}

pub async fn techniques_of_rules_have_lessons_in_three_languages() {
    let player = Player::open("/#variants").await;
    player.on_a_desk().await;
    player.until("document.querySelectorAll('#variants-lessons a').length === 21").await;
    let links = player
        .see("[...document.querySelectorAll('#variants-lessons a')].map((link) => link.getAttribute('href'))")
        .await;
    for link in links.as_array().expect("links").iter().filter_map(Value::as_str) {
        player.follow_link(link).await;
        let slug = link.trim_start_matches("#lesson=");
        player
            .until(&format!("location.hash === '#lesson={slug}' && document.getElementById('lesson').checkVisibility() && document.getElementById('lesson-board').classList.contains('ruled')"))
            .await;
        player.click("#lesson-parts button:last-child").await;
        player.until("document.querySelectorAll('#lesson-board .ink.removed, #lesson-board .ink.placed').length > 0").await;
        assert!(player.text("#lesson-text").await.len() > 100, "{link}");
    }
    for (language, tier) in [("de", "Varianten"), ("es", "Variantes")] {
        player.settle("language", language).await;
        player
            .until(&format!("document.getElementById('lesson-tier').textContent === {tier:?}"))
            .await;
        assert!(player.text("#lesson-text").await.len() > 100, "{language}");
    }
    // The lesson of a hint about a cage.
    player.settle("language", "en").await;
    player.follow_link("#lesson=cage-combinations").await;
    player
        .until("document.getElementById('lesson-name').textContent === 'Cage Combinations'")
        .await;
    player.pictures("variant-lesson").await;
    player.press("lesson-try").await;
    player.until("document.querySelectorAll('#board .r-cage').length > 3").await;
    player.leave().await;
}

/// Boards that other people made are opened, drawn and solved.
pub async fn boards_of_other_people_are_opened_drawn_and_solved() {
    let text = support::shared::text("variants/verified.jsonl.gz");
    let puzzles: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("a JSON object")).collect();
    let real = |puzzle: &&Value| {
        puzzle["collection"].as_str().is_some_and(|name| name.contains("fpuzzles"))
            && puzzle["kind"] != "classic"
    };
    // As many different combinations of rules as possible.
    let mut seen = HashSet::new();
    let (new, others): (Vec<&Value>, Vec<&Value>) =
        puzzles.iter().filter(real).partition(|puzzle| seen.insert(puzzle["kind"].to_string()));
    let boards: Vec<&Value> = new.into_iter().chain(others).take(50).collect();
    assert_eq!(boards.len(), 50);
    let player = Player::open("/").await;
    player.on_a_desk().await;
    player.press("view-play").await;
    let (mut kinds, mut remarks) = (BTreeSet::new(), 0);
    for puzzle in boards {
        let id = puzzle["id"].as_str().expect("an id");
        let board = board(puzzle);
        let link = format!("https://www.f-puzzles.com/?load={}", lz_string::compress(&board));
        player.see("document.querySelector('[data-do=\"import\"]').click()").await;
        player.see(&format!("document.getElementById('import-text').value = {link:?}")).await;
        player.press("import-now").await;
        player
            .until(&format!(
                "document.getElementById('rules-text')?.textContent.includes({id:?}) === true"
            ))
            .await;
        // A text that explains a rule in words that Ninefold does not know is reported.
        remarks +=
            usize::from(player.text("#rules-text").await.contains("does not know all rules"));
        let constraints = puzzle["constraints"].as_object().expect("constraints");
        kinds.extend(constraints.keys().cloned());
        let drawn = player.see(DRAWN).await.as_u64().expect("a number");
        let needed = constraints.iter().map(|(key, value)| drawable(key, value)).sum::<u64>();
        assert_eq!(drawn, needed, "{id}: {:?}", constraints.keys());
        player.see("document.querySelector('[data-do=\"solve\"]').click()").await;
        player.until_message("Here is the solution").await;
        assert_eq!(player.board().await, puzzle["solution"].as_str().expect("a solution"), "{id}");
        // The page agrees with the engine that no rule is broken.
        let wrong = "document.querySelectorAll('#board .wrong').length";
        assert_eq!(player.see(wrong).await, json!(0), "{id}");
    }
    println!("{} kinds of rules: {kinds:?}", kinds.len());
    assert!(remarks <= 1, "{remarks} of 50 boards have a text that is not understood");
    player.leave().await;
}

/// The rules that the page checks while the player writes, and those of the engine, agree: on the
/// solution of every verified puzzle, on a part of it, and on a grid with two digits exchanged.
pub async fn the_page_and_the_engine_agree_on_rules() {
    let text = support::shared::text("variants/verified.jsonl.gz");
    let player = Player::open("/").await;
    player.see(AGREE).await;
    let (mut checked, mut broken) = (0, 0);
    let puzzles: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect("a JSON object")).collect();
    for chunk in puzzles.chunks(50) {
        let list: Vec<Value> = chunk
            .iter()
            .map(|puzzle| json!({ "id": puzzle["id"], "board": board(puzzle), "solution": puzzle["solution"] }))
            .collect();
        player.see(&format!("window.agreed = null; agree({}).then((found) => {{ window.agreed = found; }}); true", json!(list))).await;
        player.until("window.agreed !== null").await;
        let found = player.see("window.agreed").await;
        assert_eq!(found["errors"], json!([]));
        checked += found["checked"].as_u64().expect("a number");
        broken += found["broken"].as_u64().expect("a number");
    }
    println!("{checked} puzzles with rules; exchanging two digits broke {broken}");
    assert!(checked > 1_300 && broken > 300 && broken < checked, "{checked} {broken}");
    player.leave().await;
}

/// `agree(list)` compares the page with the engine.
const AGREE: &str = "window.agree = async (list) => { \
    const { gridWithRules } = await import('./variants.js'); \
    const ask = (name, question) => fetch(`api/${name}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(question) }).then((answer) => answer.json()); \
    const errors = []; let [checked, broken] = [0, 0]; \
    for (const [index, { id, board, solution }] of list.entries()) { \
      const { puzzles: [read] } = await ask('read', { text: board, accept_rules: true }); \
      if (!read.puzzle.startsWith('{')) continue; \
      const { rules } = JSON.parse(read.puzzle); \
      const grid = gridWithRules({ boxes: read.boxes, rules }); \
      const isKept = (digits) => grid.broken(digits).size === 0 && !grid.cells.some((cell) => digits[cell] && grid.peers[cell].some((peer) => digits[peer] === digits[cell])); \
      const digits = [...solution].map((sign) => parseInt(sign, 36)); \
      const [a, b] = [1 + (index % grid.side), 1 + ((index + 2 + (index % 3)) % grid.side)]; \
      const exchanged = digits.map((digit) => (digit === a ? b : digit === b ? a : digit)); \
      if (!grid.list) errors.push(`${id} has no grid`); \
      if (!isKept(digits)) errors.push(`${id} rejects its solution`); \
      if (!isKept(digits.map((digit, cell) => ((cell * 7 + index) % 3 ? digit : 0)))) errors.push(`${id} rejects a part of its solution`); \
      const { answer } = await ask('check', { puzzle: JSON.stringify({ puzzle: '.'.repeat(digits.length), rules }), entries: exchanged.map((digit, cell) => [cell, digit]) }); \
      if (isKept(exchanged) !== (answer !== 'conflict')) errors.push(`${id} ${answer}`); \
      checked += 1; broken += answer === 'conflict' ? 1 : 0; \
    } \
    return { errors, checked, broken }; }; true";

/// The number of rules under a key of f-puzzles that are drawn.
fn drawable(key: &str, value: &Value) -> u64 {
    let items = value.as_array().map_or(&[][..], |items| items);
    let is_given =
        |item: &&Value| item["value"].as_str().is_none_or(|text| !text.trim().is_empty());
    match key {
        "antiknight" | "antiking" | "nonconsecutive" | "disjointgroups" | "negative"
        | "regions" | "noboxes" | "boxes_too" => 0,
        "diagonal+" | "diagonal-" | "windoku" => 1,
        "littlekillersum" | "sandwichsum" | "xsum" | "skyscraper" | "numberedroom" | "xv" => {
            items.iter().filter(is_given).count() as u64
        }
        "quadruple" => {
            let has_digits =
                |item: &&Value| item["values"].as_array().is_some_and(|list| !list.is_empty());
            items.iter().filter(has_digits).count() as u64
        }
        _ => items
            .iter()
            .map(|item| {
                item["lines"]
                    .as_array()
                    .map_or(1, |lines| if key == "arrow" { 1 } else { lines.len() as u64 })
            })
            .sum(),
    }
}

/// The board of f-puzzles of a line.
fn board(puzzle: &Value) -> String {
    let side = puzzle["size"].as_u64().expect("a size") as usize;
    let givens: Vec<char> = puzzle["givens"].as_str().expect("givens").chars().collect();
    let cell = |sign: &char| match sign.to_digit(36) {
        Some(digit) if digit > 0 => json!({ "value": digit, "given": true }),
        _ => json!({}),
    };
    let grid: Vec<Vec<Value>> =
        givens.chunks(side).map(|row| row.iter().map(cell).collect()).collect();
    let mut board =
        json!({ "size": side, "title": puzzle["id"], "grid": grid, "ruleset": puzzle["ruleset"] });
    let constraints = puzzle["constraints"].as_object().expect("constraints").clone();
    board.as_object_mut().expect("an object").extend(constraints);
    board.to_string()
}

/// Links with rules contain no brackets, at which chat programs end them; earlier links still open,
/// and rules that cannot be read are never left out.
pub async fn links_with_rules_are_never_opened_without_them() {
    let line = ".".repeat(81);
    let earlier = "('boxes':'3x3','cage':!('cells':'r1c1+r1c2','sum':7)*,'windoku':true)";
    let player = Player::open(&format!("/#b=3x3&p={line}&r={earlier}")).await;
    player.on_a_desk().await;
    player.until("document.querySelectorAll('#board.ruled .r-cage').length === 1").await;
    player.until("location.hash.includes('&r=U')").await;
    let link = player.see("location.hash").await;
    let link = link.as_str().expect("an address");
    let is_plain = |sign: char| sign.is_ascii_alphanumeric() || "#&=.,:_-".contains(sign);
    assert!(link.chars().all(is_plain), "{link}");
    player.see("localStorage.clear()").await;
    player.go(&format!("/{link}")).await;
    player.until("document.querySelectorAll('#board.ruled .r-cage').length === 1").await;
    // The shaded squares of windoku are the background of cells, so the boxes keep their borders.
    assert_eq!(player.see("document.querySelectorAll('#board .shaded').length").await, json!(36));

    // Without a name, a rule cannot be drawn.
    let unnamed = r#"{"boxes":"3x3","primitive":[{"differ":{"cells":"r1c1 r2c2"}}]}"#;
    for rules in [unnamed.replace(['"', ' '], "Q"), "UQboxesQ".to_string()] {
        player.go(&format!("/#b=3x3&p={line}&r={rules}")).await;
        player.until_message("This link is damaged").await;
    }
    player.press("import").await;
    player.choose("import-text", &format!("{{\"puzzle\":\"{line}\",\"rules\":{unnamed}}}")).await;
    player.press("import-now").await;
    player
        .until("document.getElementById('import-error').textContent.startsWith('Some rules of this puzzle have no name')")
        .await;
    player.leave().await;
}
