//! An accessibility audit with axe, which is installed separately.

use crate::photo;
use crate::player::Player;
use crate::{PUZZLE, SOLUTION};
use ninefold_test_support::Resource;
use serde_json::Value;

pub async fn accessibility_audit_finds_nothing_serious() {
    let axe = Resource::Axe.path().expect("the audit runs only if axe is installed");
    let script = std::fs::read_to_string(axe).expect("axe can be read");
    let player = Player::open("/").await;
    player.on_a_desk().await;
    let view =
        |name: &str| format!("document.querySelector('nav [data-do=\"view-{name}\"]').click()");
    let press = |action: &str| format!("document.querySelector('[data-do=\"{action}\"]').click()");
    let entries: String = (PUZZLE.chars().zip(SOLUTION.chars()).enumerate())
        .map(|(cell, (clue, digit))| if clue == '.' && cell != 2 { digit } else { '.' })
        .collect();
    let one_left = format!("location.hash = '#p={PUZZLE}&e={entries}'");
    let steps = [
        ("today", "true".to_string(), "document.querySelectorAll('.paper').length === 5"),
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
        ("a pause", press("pause"), "document.getElementById('pausecover').checkVisibility()"),
        (
            "a hint",
            format!("{}; {}", press("pause"), press("hint")),
            "document.getElementById('reason').checkVisibility()",
        ),
        ("an explanation", press("explain"), "document.querySelectorAll('#steps li').length > 0"),
        ("the last cell", one_left, "document.querySelectorAll('#board .digit').length === 80"),
        (
            "the end",
            "document.querySelector('#board [data-cell=\"2\"]').focus(); \
             document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '4', bubbles: true }))"
                .to_string(),
            "document.getElementById('win').checkVisibility() && document.getAnimations().length === 0",
        ),
        ("watch", view("watch"), "document.querySelectorAll('#watch-system-0 option').length > 3"),
        ("a show", press("watch-start"), "document.querySelectorAll('#stage-0 .cell').length > 0"),
        (
            "activations",
            "document.getElementById('watch-system-0').value = 'hopfield'; \
             document.getElementById('watch-system-0').dispatchEvent(new Event('change')); \
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
        ("variants", view("variants"), "document.querySelectorAll('#view-variants .kind').length === 39"),
        (
            "a killer",
            "document.querySelector('#view-variants [value=\"killer\"]').checked || document.querySelector('#view-variants [value=\"killer\"]').click(); \
             document.getElementById('variants-make').click()"
                .to_string(),
            "document.querySelectorAll('#board.ruled .r-cage').length > 3 && document.querySelectorAll('#combos li').length > 0",
        ),
        (
            "the rules",
            "document.getElementById('rules-open').click()".to_string(),
            "document.getElementById('panel-rules').open",
        ),
        (
            "the trainer",
            format!("document.getElementById('panel-rules').close(); {}", view("train")),
            "document.getElementById('train-check')?.checkVisibility() === true",
        ),
        (
            "progress",
            "document.getElementById('train-show').click(); document.querySelector('#train-tabs [data-tab=\"progress\"]').click()".to_string(),
            "document.querySelectorAll('#train-table tbody tr').length > 0",
        ),
        ("the desk", view("desk"), "document.getElementById('desk-count')?.textContent.endsWith('.') === true"),
        ("rate", view("rate"), "document.querySelectorAll('#rate-techniques tr').length > 0"),
        ("make", view("make"), "!document.getElementById('view-make').hidden"),
        ("batch", view("batch"), "!document.getElementById('view-batch').hidden"),
        ("games", view("games"), "document.querySelectorAll('#games-solved tbody tr').length > 0"),
        (
            "a photo",
            photo::drop_script(),
            "document.getElementById('photo-play')?.checkVisibility() === true",
        ),
        ("settings", press("panel-settings"), "document.getElementById('panel-settings').open"),
    ];
    for theme in ["light", "dark"] {
        player.go("/").await;
        player.settle("theme", theme).await;
        player.see(&format!("{script}; true")).await;
        for (name, prepare, ready) in &steps {
            player.see(prepare).await;
            player.until(ready).await;
            player.see("window.audit = null; axe.run().then((found) => { window.audit = found; }); true").await;
            player.until("window.audit !== null").await;
            let found = player
                .see(
                    "window.audit.violations.map((v) => `${v.impact} ${v.id}: ${v.nodes[0].html}`)",
                )
                .await;
            let passed = player.see("window.audit.passes.length").await;
            assert!(
                passed.as_u64().is_some_and(|passes| passes > 10),
                "the audit looked at something"
            );
            assert_eq!(found, Value::Array(Vec::new()), "{name}, {theme}");
        }
    }
    // Check the audit itself: it must find an image without alternative text.
    player
        .see("document.querySelector('dialog[open]').append(document.createElement('img')); window.audit = null")
        .await;
    player.see("axe.run().then((found) => { window.audit = found; }); true").await;
    player.until("window.audit !== null").await;
    assert_ne!(player.see("window.audit.violations.length").await, Value::from(0));
    player.leave().await;
}
