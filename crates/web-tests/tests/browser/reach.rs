//! Keyboard and phone reach everything. The controls are found in the DOM of each state of the page
//! (reach.js), so a new control is tested without a change here. A control that no state shows is an
//! error: then `states.rs` needs another state.

use crate::player::{Player, SHIFT};
use crate::states::{LEAVE, State, states};
use serde_json::{Value, json};
use std::collections::BTreeSet;

const SCRIPT: &str = include_str!("reach.js");

/// The rules of the puzzle on the desk.
const RULES: &str = "JSON.parse(localStorage.getItem('ninefold.desk'))?.rules";

/// Controls that no state of the page shows here, and why.
const NEVER_SHOWN: [(&str, &str); 1] = [("share-send", "this browser has no dialog for sharing")];

/// Elements that react to the mouse alone, and what does the same.
const MOUSE_ONLY: [(&str, &str); 1] = [("#photo-picture", "the board beside the photo")];

async fn open() -> Player {
    let player = Player::open("").await;
    player.run_on_every_page(SCRIPT).await;
    player.go("/").await;
    player
}

/// Leads to a state. Nothing moves any more, and all that can be unfolded is.
async fn enter(player: &Player, State { prepare, ready, .. }: &State) {
    player.see(LEAVE).await;
    player.see(&format!("{prepare}; true")).await;
    player.until(ready).await;
    let still = "*, *::before, *::after { transition: none !important; animation: none !important; scroll-behavior: auto !important; }";
    player
        .see(&format!(
            "if (!document.getElementById('still')) {{ const style = document.createElement('style'); style.id = 'still'; style.textContent = {still:?}; document.head.append(style); }} \
             document.querySelectorAll('details:not(#menu)').forEach((part) => {{ part.open = true; }}); \
             new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"
        ))
        .await;
}

fn strings(value: &Value) -> Vec<String> {
    value
        .as_array()
        .expect("a list")
        .iter()
        .map(|text| text.as_str().unwrap_or("?").to_string())
        .collect()
}

fn numbers(value: &Value) -> Vec<u64> {
    value.as_array().expect("a list").iter().filter_map(Value::as_u64).collect()
}

/// Walks through a state with Tab, and presses the keys of each control.
async fn walk(player: &Player) -> Vec<String> {
    let controls = player.see("reach.begin()").await.as_u64().expect("a number");
    // Boards, sliders and the end of the page take further stops.
    for stop in 0..2 * controls + 20 {
        player.press_key("Tab", 0).await;
        if stop % 8 == 7 && player.see("reach.isDone()").await == json!(true) {
            break;
        }
    }
    let mut problems = strings(&player.see("reach.end()").await);
    let mouse_only = strings(&player.see("reach.mouseOnly()").await).into_iter();
    problems.extend(
        mouse_only.filter(|found| !MOUSE_ONLY.iter().any(|(name, _)| found.contains(name))),
    );
    for number in numbers(&player.see("reach.untested('keys')").await) {
        let keys = strings(&player.see(&format!("reach.keysOf({number})")).await);
        for key in keys {
            if player.see(&format!("reach.focus({number})")).await != json!(true) {
                let control = player.see(&format!("reach.describe({number})")).await;
                problems.push(format!("{control} cannot have the focus"));
                break;
            }
            player.press_key(&key, 0).await;
            if player.see(&format!("reach.reacted({number})")).await != json!(true) {
                let control = player.see(&format!("reach.describe({number})")).await;
                problems.push(format!("{control} does not react to {key:?}"));
            }
        }
    }
    player.see("reach.stop()").await;
    problems
}

/// Escape closes an open dialog.
async fn escape(player: &Player) -> Vec<String> {
    let open = "document.querySelector('dialog[open]')?.id ?? ''";
    let dialog = player.see(open).await;
    if dialog == json!("") {
        return Vec::new();
    }
    player.press_key("Escape", 0).await;
    match player.see(open).await == dialog {
        true => vec![format!("Escape does not close {dialog}")],
        false => Vec::new(),
    }
}

/// Arrows lead to every cell of a board.
async fn walk_on_boards(player: &Player, done: &mut BTreeSet<String>) -> Vec<String> {
    let mut problems = Vec::new();
    for board in strings(&player.see("reach.boards()").await) {
        if !done.insert(board.clone()) {
            continue;
        }
        let cells = format!("document.getElementById({board:?}).querySelectorAll('.cell')");
        let side =
            player.see(&format!("Math.sqrt({cells}.length)")).await.as_u64().expect("a number");
        player.see(&format!("[...{cells}].find((cell) => cell.tabIndex === 0)?.focus()")).await;
        let mut reached = BTreeSet::new();
        for _ in 0..side {
            for _ in 0..side {
                player.press_key("ArrowRight", 0).await;
                let at = "document.activeElement.dataset.cell ?? ''";
                reached.insert(player.see(at).await.as_str().unwrap_or("").to_string());
            }
            player.press_key("ArrowDown", 0).await;
        }
        if reached.len() as u64 != side * side {
            problems.push(format!("arrows reach {} cells of {board}", reached.len()));
        }
    }
    problems
}

/// Problems of all states, with the names of the states.
fn report(problems: &[(&str, Vec<String>)]) -> String {
    let lines = problems
        .iter()
        .flat_map(|(state, list)| list.iter().map(move |problem| format!("{state}: {problem}")));
    lines.collect::<Vec<_>>().join("\n")
}

/// Controls of the page that were visible in no state.
async fn unseen(player: &Player) -> BTreeSet<String> {
    let all = strings(&player.see("reach.all()").await).into_iter();
    all.filter(|control| !NEVER_SHOWN.iter().any(|(name, _)| control.contains(name))).collect()
}

pub async fn the_keyboard_reaches_every_control() {
    let player = open().await;
    player.on_a_desk().await;
    let (mut problems, mut boards) = (Vec::new(), BTreeSet::new());
    for state in states() {
        enter(&player, &state).await;
        let mut found = walk(&player).await;
        found.extend(walk_on_boards(&player, &mut boards).await);
        found.extend(escape(&player).await);
        problems.push((state.name, found));
    }
    assert_eq!(report(&problems), "");
    assert!(boards.len() >= 5, "{boards:?}");
    player.leave().await;
}

/// All commands that are visible in any state.
async fn commands(player: &Player) -> BTreeSet<String> {
    strings(&player.see("reach.commands()").await).into_iter().collect()
}

pub async fn a_phone_reaches_every_control() {
    let player = open().await;
    player.on_a_desk().await;
    let mut on_a_desk = BTreeSet::new();
    for state in states() {
        enter(&player, &state).await;
        player.see("reach.notice()").await;
        on_a_desk.extend(commands(&player).await);
    }
    let mut never_seen = unseen(&player).await;
    player.leave().await;
    for (width, height) in [(390, 844), (320, 568)] {
        let player = open().await;
        player.screen(width, height).await;
        player.touch().await;
        let mut on_a_phone = BTreeSet::new();
        let mut problems = Vec::new();
        for state in states() {
            enter(&player, &state).await;
            on_a_phone.extend(commands(&player).await);
            let mut found = strings(&player.see("reach.small()").await);
            for number in numbers(&player.see("reach.untested('taps')").await) {
                let mut has_reacted = false;
                // A control can move between the look and the tap, while the page still loads.
                for _ in 0..3 {
                    let at = player.see(&format!("reach.aim({number})")).await;
                    player.tap((at[0].as_f64().expect("x"), at[1].as_f64().expect("y"))).await;
                    has_reacted =
                        player.see(&format!("reach.tapped({number})")).await == json!(true);
                    if has_reacted {
                        break;
                    }
                }
                if !has_reacted {
                    let control = player.see(&format!("reach.describe({number})")).await;
                    found.push(format!("{control} does not react to a finger"));
                }
            }
            player.see("reach.stop()").await;
            problems.push((state.name, found));
        }
        problems.push(("covered in every state", strings(&player.see("reach.covered()").await)));
        assert_eq!(report(&problems), "", "{width}x{height}");
        let not_here = unseen(&player).await;
        never_seen.retain(|control| not_here.contains(control));
        let missing: Vec<&String> = on_a_desk.difference(&on_a_phone).collect();
        assert!(missing.is_empty(), "{width}x{height}: only on a desktop: {missing:#?}");
        player.leave().await;
    }
    // Another state has to show them.
    assert!(never_seen.is_empty(), "controls that were never visible: {never_seen:#?}");
}

/// Cells that a tool may need: a pair, three in a row, and a square.
const SHAPES: [&[(&str, usize)]; 3] = [
    &[("ArrowRight", 41)],
    &[("ArrowRight", 41), ("ArrowRight", 42)],
    &[("ArrowRight", 41), ("ArrowDown", 50), ("ArrowLeft", 49)],
];

pub async fn every_tool_of_the_desk_draws_with_keys_and_fingers() {
    let player = Player::open("/#desk").await;
    player.until("document.querySelectorAll('#desk-board .cell').length === 81").await;
    let tools = "[...document.getElementById('desk-tool').options].map((option) => option.value).filter((tool) => tool !== 'digits')";
    let tools = strings(&player.see(tools).await);
    assert!(tools.len() > 20, "{tools:?}");
    let rules = async || player.see(&format!("JSON.stringify({RULES} ?? null)")).await;
    let mut problems = Vec::new();
    for is_phone in [false, true] {
        match is_phone {
            true => player.screen(320, 568).await,
            false => player.on_a_desk().await,
        }
        if is_phone {
            player.touch().await;
        }
        for tool in &tools {
            player.choose("desk-tool", tool).await;
            let mut has_drawn = false;
            for shape in SHAPES {
                let before = rules().await;
                let cells: Vec<usize> =
                    std::iter::once(40).chain(shape.iter().map(|(_, cell)| *cell)).collect();
                let is_beside = player.see("document.getElementById('desk-side-label').hidden && document.getElementById('desk-direction-label').hidden").await == json!(false);
                if is_beside {
                    // A number beside the grid belongs to the row or column of the cursor, and the
                    // diagonal of a little killer begins in a corner.
                    player.choose("desk-number", "9").await;
                }
                let cells = if is_beside { vec![0] } else { cells };
                if is_phone {
                    player.touch_drag_on("#desk-board", &cells).await;
                    if is_beside {
                        player.click("#desk-add").await;
                    }
                } else {
                    player
                        .see(&format!(
                            "document.querySelector('#desk-board [data-cell=\"{}\"]').focus()",
                            cells[0]
                        ))
                        .await;
                    for (key, _) in shape.iter().take(cells.len() - 1) {
                        player.press_key(key, SHIFT).await;
                    }
                    player.press_key("Enter", 0).await;
                }
                has_drawn |= rules().await != before;
            }
            if !has_drawn {
                problems.push(format!(
                    "{tool} draws nothing {}",
                    if is_phone { "with a finger" } else { "with keys" }
                ));
            }
            player.click("#desk-new").await;
            player.until(&format!("JSON.stringify({RULES}) === '{{\"boxes\":\"3x3\"}}'")).await;
        }
    }
    assert_eq!(problems.join("\n"), "");
    player.leave().await;
}
