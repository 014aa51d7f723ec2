//! An accessibility audit with axe; its code is not ours and is not kept here.

use crate::player::Player;
use ninefold_test_support::Resource;
use serde_json::Value;

pub async fn the_accessibility_audit_finds_nothing_serious() {
    let axe = Resource::Axe.path().expect("the audit runs only where axe is");
    let script = std::fs::read_to_string(axe).expect("axe can be read");
    let player = Player::open("/").await;
    player.see(&format!("{script}; true")).await;
    let view = |name: &str| format!("document.querySelector('nav [data-do=\"view-{name}\"]').click()");
    let ready = "!document.getElementById('view-play').hidden";
    for (name, prepare, ready) in [
        ("the board", "true".to_string(), ready),
        (
            "marks",
            "document.querySelector('[data-do=\"marks\"]').click()".to_string(),
            "document.querySelectorAll('.centre').length > 9",
        ),
        ("watch", view("watch"), "document.querySelectorAll('#watch-system-0 option').length > 3"),
        (
            "a show",
            "document.querySelector('[data-do=\"watch-start\"]').click()".to_string(),
            "document.querySelectorAll('#stage-0 .cell').length > 0",
        ),
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
            "document.querySelectorAll('#lesson .ink').length > 0",
        ),
        ("rate", view("rate"), "document.querySelectorAll('#rate-techniques tr').length > 0"),
        ("make", view("make"), "!document.getElementById('view-make').hidden"),
        ("batch", view("batch"), "!document.getElementById('view-batch').hidden"),
        ("in the dark", "document.documentElement.dataset.theme = 'dark'".to_string(), "true"),
        ("settings", "document.getElementById('panel-settings').showModal()".to_string(), "true"),
    ] {
        player.see(&prepare).await;
        player.until(ready).await;
        player.see("window.audit = null; axe.run().then((found) => { window.audit = found; }); true").await;
        player.until("window.audit !== null").await;
        let found = player.see("window.audit.violations.map((v) => `${v.impact} ${v.id}: ${v.nodes[0].html}`)").await;
        let passed = player.see("window.audit.passes.length").await;
        assert!(passed.as_u64().is_some_and(|passes| passes > 10), "the audit looked at something");
        assert_eq!(found, Value::Array(Vec::new()), "{name}");
    }
    // The audit itself is audited: a picture without a word for it must be found.
    player
        .see("document.querySelector('dialog[open]').append(document.createElement('img')); window.audit = null")
        .await;
    player.see("axe.run().then((found) => { window.audit = found; }); true").await;
    player.until("window.audit !== null").await;
    assert_ne!(player.see("window.audit.violations.length").await, Value::from(0));
    player.leave().await;
}
