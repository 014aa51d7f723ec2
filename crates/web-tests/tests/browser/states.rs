//! The states of the page that the audit and the tests of reach look at, one after the other.

use crate::photo;
use crate::{PUZZLE, SOLUTION};

/// A script that leads from the state before to this one, and the condition that it is there.
pub struct State {
    pub name: &'static str,
    pub prepare: String,
    pub ready: &'static str,
}

/// Golden Nugget, by tarek (2007).
const NUGGET: &str =
    ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....";

/// From now on the engine does not answer, so that the buttons that stop it stay visible.
const STOP_ENGINE: &str = "window.fetchAgain ??= window.fetch; \
    window.fetch = (address, options) => String(address).includes('read') ? window.fetchAgain(address, options) : new Promise((_, reject) => options?.signal?.addEventListener('abort', () => reject(new DOMException('', 'AbortError'))))";
const START_ENGINE: &str = "window.fetch = window.fetchAgain";

/// Closes the dialogs and the menu of the state before.
pub const LEAVE: &str = "document.querySelectorAll('dialog[open]').forEach((dialog) => dialog.close()); \
    document.getElementById('menu').open = false";

/// Several states for each view, and all dialogs.
pub fn states() -> Vec<State> {
    let view =
        |name: &str| format!("document.querySelector('nav [data-do=\"view-{name}\"]').click()");
    let choose = |id: &str, value: &str| {
        format!(
            "(() => {{ const field = document.getElementById('{id}'); field.value = '{value}'; field.dispatchEvent(new Event('change')); }})()"
        )
    };
    let press = |action: &str| format!("document.querySelector('[data-do=\"{action}\"]').click()");
    let entries: String = (PUZZLE.chars().zip(SOLUTION.chars()).enumerate())
        .map(|(cell, (clue, digit))| if clue == '.' && cell != 2 { digit } else { '.' })
        .collect();
    let one_left = format!("location.hash = '#p={PUZZLE}&e={entries}'");
    let states = [
        ("today", "true".to_string(), "document.querySelectorAll('.paper').length === 5"),
        ("the calendar", press("calendar"), "document.querySelectorAll('#calendar-levels button').length === 5"),
        ("an earlier month", format!("{}; {}", press("calendar"), press("calendar-back")), "!document.getElementById('calendar-on').disabled"),
        ("a new puzzle", press("panel-new"), "document.getElementById('panel-new').open"),
        ("a blank grid", press("blank"), "document.getElementById('panel-blank').open"),
        ("pasting", press("import"), "document.getElementById('panel-import').open"),
        ("the help", press("panel-help"), "document.getElementById('panel-help').open"),
        ("more", press("panel-more"), "document.getElementById('panel-more').open"),
        ("the board", view("play"), "!document.getElementById('view-play').hidden"),
        (
            "marks",
            "document.getElementById('marks').ariaPressed === 'true' || document.getElementById('marks').click(); true".to_string(), "document.querySelectorAll('#board .candidates').length > 9",
        ),
        ("colours", press("mode-colour"), "document.querySelectorAll('.swatch').length === 7"),
        (
            "the menu",
            "document.getElementById('menu').open = true".to_string(),
            "document.querySelector('.pop').checkVisibility()",
        ),
        ("sharing", press("share"), "document.getElementById('share-other')?.open === false"),
        ("other formats", "document.getElementById('share-other').open = true".to_string(), "document.querySelector('#share-other textarea').value !== ''"),
        ("editing clues", press("edit-clues"), "document.getElementById('play').checkVisibility()"),
        ("the clues are done", press("play"), "!document.getElementById('play').checkVisibility()"),
        ("a checkpoint", format!("{}; document.getElementById('menu').open = true", press("checkpoint")), "document.getElementById('back-to-checkpoint').checkVisibility()"),
        (
            "a move",
            "document.querySelector('#board [data-cell=\"2\"]').focus(); \
             document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '4', bubbles: true })); document.getElementById('menu').open = true"
                .to_string(),
            "!document.getElementById('undo').disabled && !document.getElementById('back-to-checkpoint').disabled",
        ),
        ("the moves", press("panel-moves"), "document.getElementById('panel-moves').open && document.querySelectorAll('#moves button').length > 0"),
        ("a move taken back", press("undo"), "!document.getElementById('redo').disabled"),
        ("a pause", press("pause"), "document.getElementById('pausecover').checkVisibility()"),
        (
            "a hint",
            format!("{}; {}", press("pause"), press("hint")),
            "document.getElementById('reason').checkVisibility()",
        ),
        ("what to look for", press("hint"), "document.getElementById('learnthis').checkVisibility()"),
        ("the reason", press("hint"), "document.getElementById('follow').checkVisibility()"),
        (
            "a mistake",
            format!("location.hash = '#p={PUZZLE}&e=..1{}'; setTimeout(() => {}, 300)", ".".repeat(78), press("hint")),
            "document.getElementById('undomistake').checkVisibility()",
        ),
        (
            "two solutions",
            format!("location.hash = '#p={}'; setTimeout(() => {}, 300)", ".".repeat(16), press("solve")),
            "document.getElementById('twobuttons').checkVisibility()",
        ),
        (
            "cases",
            format!(
                "location.hash = '#p={NUGGET}'; setTimeout(() => {}, 300)",
                press("explain")
            ),
            "document.querySelectorAll('#steps button').length > 1 \
             && (document.querySelectorAll('#steps button')[1].click(), document.querySelectorAll('#caselist button').length > 3)",
        ),
        (
            "waiting for the engine",
            format!("{STOP_ENGINE}; location.hash = '#p={PUZZLE}'; setTimeout(() => {}, 300)", press("solve")),
            "document.getElementById('cancel').checkVisibility()",
        ),
        (
            "stopped",
            format!("{START_ENGINE}; {}", press("cancel")),
            "!document.getElementById('cancel').checkVisibility()",
        ),
        ("an explanation", press("explain"), "document.querySelectorAll('#steps li').length > 0"),
        ("the last cell", one_left, "document.querySelectorAll('#board .digit').length === 80"),
        ("the last hint", press("hint"), "document.getElementById('reason').checkVisibility()"),
        (
            "the end",
            "document.querySelector('#board [data-cell=\"2\"]').focus(); \
             document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '4', bubbles: true }))"
                .to_string(),
            "document.getElementById('win').checkVisibility() && document.getAnimations().length === 0",
        ),
        ("a result to share", press("share"), "document.getElementById('share-won').checkVisibility()"),
        (
            "a long game",
            format!(
                "location.hash = '#p={}{}'; setTimeout(() => document.querySelectorAll('#board .cell').forEach((cell) => {{ const digit = '{SOLUTION}'[cell.dataset.cell]; \
                 cell.focus(); cell.dispatchEvent(new KeyboardEvent('keydown', {{ key: digit, bubbles: true }})); }}), 300)",
                ".".repeat(12), &SOLUTION[12..]
            ),
            "document.getElementById('win-review').checkVisibility() && document.getAnimations().length === 0",
        ),
        ("a review", press("review"), "document.getElementById('replay').checkVisibility()"),
        ("watch", view("watch"), "document.querySelectorAll('#watch-system-0 option').length > 3"),
        (
            "waiting for a show",
            format!("{STOP_ENGINE}; {}", press("watch-start")),
            "!document.getElementById('watch-stop').disabled",
        ),
        ("a stopped show", format!("{START_ENGINE}; {}", press("watch-stop")), "document.getElementById('watch-stop').disabled"),
        ("a show", press("watch-start"), "document.querySelectorAll('#stage-0 .cell').length > 0"),
        (
            "activations",
            "[0, 1].forEach((stage) => { const field = document.getElementById(`watch-system-${stage}`); field.value = ['hopfield', 'backtrack'][stage]; field.dispatchEvent(new Event('change')); }); \
             document.querySelector('[data-do=\"watch-start\"]').click(); \
             document.querySelector('#watch-pause').click()"
                .to_string(),
            "document.querySelector('[data-do=\"watch-step\"]').click(), document.querySelectorAll('#stage-0 .odds').length > 9",
        ),
        ("learn", view("learn"), "document.querySelectorAll('#lesson-tiers a').length > 80"),
        (
            "a lesson",
            "location.hash = '#lesson=x-wing'".to_string(),
            "document.querySelectorAll('#lesson-board .cell').length === 81",
        ),
        ("an exercise", press("exercise-start"), "document.getElementById('exercise-check').checkVisibility()"),
        (
            // The exercise is a random one: the first cell with candidates.
            "a selected cell",
            "(async () => { for (let cell = 0; cell < 81 && !document.querySelector('#exercise-keys button'); cell += 1) { \
             document.querySelector('#lesson-board .cell').dispatchEvent(new CustomEvent('boardpress', { bubbles: true, detail: { cell } })); \
             await new Promise(requestAnimationFrame); } })()".to_string(),
            "document.querySelector('#exercise-keys button') !== null",
        ),
        ("a shown exercise", press("exercise-show"), "!document.getElementById('exercise-show').checkVisibility()"),
        (
            "a lesson about rules",
            "location.hash = '#lesson=cage-combinations'".to_string(),
            "document.querySelectorAll('#lesson-board.ruled .cell').length > 0",
        ),
        ("variants", view("variants"), "document.querySelectorAll('#view-variants .kind').length === 39"),
        (
            "a chosen variant",
            "document.querySelector('#view-variants [value=\"killer\"]').checked || document.querySelector('#view-variants [value=\"killer\"]').click(); true".to_string(),
            "!document.getElementById('variants-make').disabled",
        ),
        (
            "a killer",
            "document.querySelector('#view-variants [value=\"killer\"]').checked || document.querySelector('#view-variants [value=\"killer\"]').click(); \
             document.getElementById('variants-make').click()"
                .to_string(),
            "document.querySelectorAll('#board.ruled .r-cage').length > 3 \
             && (document.querySelector('#board .summed').focus(), document.querySelectorAll('#combos li').length > 0)",
        ),
        (
            "the rules",
            "document.getElementById('rules-open').click()".to_string(),
            "document.getElementById('panel-rules').open",
        ),
        (
            "making a variant",
            format!("{STOP_ENGINE}; {}; setTimeout(() => document.getElementById('variants-make').click(), 300)", view("variants")),
            "document.getElementById('variants-stop').checkVisibility()",
        ),
        (
            "the trainer",
            format!("{START_ENGINE}; document.querySelector('#variants-stop').click(); {}", view("train")),
            "document.getElementById('train-check')?.checkVisibility() === true",
        ),
        (
            "a selected position",
            "document.querySelector('#train-board .cell:has(.candidates)').dispatchEvent(new PointerEvent('pointerdown', { bubbles: true })); true".to_string(),
            "document.querySelectorAll('#train-keys button').length > 0",
        ),
        ("a shown step", "document.getElementById('train-show').click()".to_string(), "document.getElementById('train-next').checkVisibility()"),
        ("storms", "document.querySelector('#train-tabs [data-tab=\"storm\"]').click()".to_string(), "document.getElementById('train-storm').checkVisibility()"),
        ("a storm", "document.getElementById('train-storm').click()".to_string(), "document.querySelectorAll('#train-board .cell').length === 81 && document.getElementById('train-check').checkVisibility()"),
        (
            "progress",
            "document.querySelector('#train-tabs [data-tab=\"progress\"]').click()".to_string(),
            "document.querySelectorAll('#train-table tbody tr').length > 0",
        ),
        ("the desk", view("desk"), "document.getElementById('desk-count')?.textContent.endsWith('.') === true"),
        (
            "rules on the desk",
            "document.querySelectorAll('#view-desk details').forEach((part) => { part.open = true; }); \
             document.getElementById('desk-tool').value = 'cage'; document.getElementById('desk-tool').dispatchEvent(new Event('change')); \
             document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))"
                .to_string(),
            "document.querySelectorAll('#desk-list .bare').length > 0",
        ),
        (
            "a tool with a number",
            choose("desk-tool", "cage"),
            "!document.getElementById('desk-number').disabled",
        ),
        (
            "a tool beside the grid",
            choose("desk-tool", "sandwich"),
            "document.getElementById('desk-side').checkVisibility()",
        ),
        (
            "a tool for diagonals",
            choose("desk-tool", "little_killer"),
            "document.getElementById('desk-direction').checkVisibility()",
        ),
        (
            "an undone change",
            format!("{}; document.getElementById('desk-undo').click()", choose("desk-tool", "digits")),
            "!document.getElementById('desk-redo').disabled",
        ),
        ("a change again", "document.getElementById('desk-redo').click()".to_string(), "document.getElementById('desk-redo').disabled"),
        (
            "symmetry on the desk",
            "(() => { const cell = document.querySelector('#desk-board .cell'); cell.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true })); \
              window.dispatchEvent(new PointerEvent('pointerup')); \
              if (!cell.querySelector('.digit')) document.querySelector('#desk-keys button').click(); \
              const field = document.getElementById('desk-symmetry'); field.value = 'half'; field.dispatchEvent(new Event('change')); })()"
                .to_string(),
            "document.getElementById('desk-fill').checkVisibility()",
        ),
        ("rate", view("rate"), "document.querySelectorAll('#rate-techniques tr').length > 0"),
        ("make", view("make"), "!document.getElementById('view-make').hidden"),
        (
            "making puzzles",
            format!("{STOP_ENGINE}; {}", press("make-now")),
            "document.getElementById('make-stop').checkVisibility()",
        ),
        (
            "made puzzles",
            format!("{START_ENGINE}; document.getElementById('make-stop').click(); setTimeout(() => {}, 300)", press("make-now")),
            "document.getElementById('make-file').checkVisibility()",
        ),
        ("batch", view("batch"), "!document.getElementById('view-batch').hidden"),
        (
            "rating a list",
            format!("{STOP_ENGINE}; document.getElementById('batch-text').value = {PUZZLE:?}; {}", press("batch-now")),
            "document.getElementById('batch-stop').checkVisibility()",
        ),
        (
            "a rated list",
            format!("{START_ENGINE}; document.getElementById('batch-stop').click(); setTimeout(() => {}, 300)", press("batch-now")),
            "document.getElementById('batch-csv').checkVisibility()",
        ),
        ("today with a game", view("today"), "document.querySelector('.resume').checkVisibility()"),
        ("games", view("games"), "document.querySelectorAll('#games-solved tbody tr').length > 0"),
        (
            "a deleted game",
            "document.querySelector('#games-open [data-do=\"game-remove\"]').click()".to_string(),
            "document.getElementById('game-back').checkVisibility()",
        ),
        ("the end of a visit", press("quit"), "document.getElementById('stop-server').checkVisibility()"),
        (
            "a photo",
            photo::drop_script(),
            "document.getElementById('photo-play')?.checkVisibility() === true",
        ),
        ("settings", press("panel-settings"), "document.getElementById('panel-settings').open"),
    ];
    Vec::from_iter(states.map(|(name, prepare, ready)| State { name, prepare, ready }))
}
