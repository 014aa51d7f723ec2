//! Watch: two systems side by side, and a network with its probabilities.

use crate::player::Player;
use crate::{PUZZLE, SOLUTION};
use ninefold_neural::device::Device;
use ninefold_neural::registry;
use ninefold_neural::training::TrainOptions;
use ninefold_web::Networks;
use serde_json::json;
use std::path::{Path, PathBuf};

/// A network that is trained on a few 4×4 puzzles; it is bad, but real.
fn small_network(directory: &Path) -> PathBuf {
    let changes = "
        boxes = [2, 2]
        batch = 16
        model = { hidden = 32 }
        data = { recipe = \"minimal\", train = 64, validation = 8, test = 4 }
        stages = [{ epochs = 20, rate = 0.01, blanks = 6 }]
    ";
    let mut options = TrainOptions::new(directory);
    options.changes = Some(changes);
    registry::by_name("dense")
        .unwrap()
        .train(&options, Device::Cpu, &mut |_| {})
        .expect("a small network is trained");
    directory.join(ninefold_neural::training::run::WEIGHTS)
}

pub async fn watches_two_systems_side_by_side() {
    let directory = tempfile::tempdir().expect("a directory for weights");
    let networks = Networks::shipped()
        .with_weights("dense", small_network(directory.path()))
        .expect("weights fit");
    let player = Player::open_with(&format!("/#p={PUZZLE}"), networks).await;
    player.on_a_desk().await;
    player.press("view-watch").await;
    player.until("document.querySelectorAll('#watch-system-0 option').length > 5").await;
    let offered = "[...document.querySelectorAll('#watch-system-0 option')].some((option) => option.value === 'dense')";
    assert_eq!(player.see(offered).await, json!(false), "a network for 4×4 is not offered for 9×9");

    player.choose("watch-system-0", "backtrack").await;
    player.choose("watch-system-1", "logic").await;
    assert!(
        player.see("location.hash").await.as_str().unwrap().starts_with("#watch=backtrack,logic&")
    );
    player.press("watch-start").await;
    player.until("parseInt(document.getElementById('stage-count-0').textContent) >= 9").await;
    player.press("watch-pause").await;
    assert_eq!(player.text("#watch-pause").await, "Resume");
    player.until("!document.getElementById('stage-count-0').textContent.includes('so far')").await;
    let before = player.text("#stage-count-0").await;
    player.press("watch-step").await;
    assert_ne!(player.text("#stage-count-0").await, before);
    player.press("watch-back").await;
    assert_eq!(player.text("#stage-count-0").await, before);
    player.choose("stage-bar-0", "3").await;
    assert!(
        player.text("#stage-count-0").await.starts_with("4 of"),
        "the slider leads to a moment"
    );
    player
        .choose(
            "stage-bar-0",
            &(before.split(' ').next().unwrap().parse::<usize>().unwrap() - 1).to_string(),
        )
        .await;
    player.keys(&[".", ".", ","]).await;
    assert_ne!(player.text("#stage-count-0").await, before);
    player.keys(&[","]).await;
    assert_eq!(player.text("#stage-count-0").await, before, "keys control playback, too");
    assert_eq!(player.see("document.querySelectorAll('#stage-0 .current').length").await, json!(1));
    assert_ne!(player.see("document.querySelectorAll('#stage-1 .ink').length").await, json!(0));
    player.pictures("watch").await;
    player.press("watch-last").await;
    let digits = "[...document.querySelectorAll('#stage-0 .digit')].map((digit) => digit.textContent).join('')";
    assert_eq!(player.see(digits).await, json!(SOLUTION));
    assert!(player.text("#stage-event-0").await.starts_with("Solved"));

    player.choose("watch-system-0", "hopfield").await;
    player.choose("watch-system-1", "").await;
    player.press("watch-start").await;
    player.until("document.querySelectorAll('#stage-0 .odds').length > 0").await;
    player.press("watch-pause").await;
    assert_eq!(player.see("document.getElementById('stage-1').hidden").await, json!(true));
    player.press("watch-stop").await;

    player.go("/#watch=dense&p=1..4..1..3..4..3").await;
    player.until("document.getElementById('watch-system-0').value === 'dense'").await;
    player.press("watch-start").await;
    player.until("document.querySelectorAll('#stage-0 .odds').length > 0").await;
    player.press("watch-pause").await;
    player.press("watch-first").await;
    player.press("watch-step").await;
    assert_eq!(player.see("document.querySelectorAll('#stage-0 .odds').length").await, json!(10));
    player.pictures("watch-network").await;
    player.press("watch-last").await;
    player.until("!document.getElementById('stage-count-0').textContent.includes('so far')").await;
    player.press("watch-last").await;
    assert_eq!(player.see("document.querySelectorAll('#stage-0 .digit').length").await, json!(16));
    player.leave().await;
}

pub async fn stopping_watch_stops_it_on_the_server() {
    // The last cell has no candidates; backtracking tries everything else before it sees that.
    let endless = "/#watch=backtrack&p=........5........6........7........8........9...........................1234.....";
    let player = Player::open(endless).await;
    player.until("document.getElementById('watch-system-0').value === 'backtrack'").await;
    player.press("watch-start").await;
    player.until("document.getElementById('stage-count-0').textContent.includes('of')").await;
    let ask = "window.working = null; fetch('/api/status').then((r) => r.json()).then((s) => { window.working = s.shows.working; }); true";
    player.see(ask).await;
    player.until("window.working === 1").await;
    player.press("watch-stop").await;
    while player.see("window.working").await != json!(0) {
        player.see(ask).await;
        player.until("window.working !== null").await;
    }
    player.leave().await;
}
