//! An accessibility audit with axe, which is installed separately.

use crate::player::Player;
use crate::states::{LEAVE, State, states};
use ninefold_test_support::Resource;
use serde_json::Value;

pub async fn accessibility_audit_finds_nothing_serious() {
    let axe = Resource::Axe.path().expect("the audit runs only if axe is installed");
    let script = std::fs::read_to_string(axe).expect("axe can be read");
    let player = Player::open("/").await;
    player.on_a_desk().await;
    let states = states();
    for theme in ["light", "dark"] {
        player.go("/").await;
        player.settle("theme", theme).await;
        player.see(&format!("{script}; true")).await;
        for State { name, prepare, ready } in &states {
            player.see(LEAVE).await;
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
