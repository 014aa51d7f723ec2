//! Ratings, new puzzles and batches.

use crate::PUZZLE;
use crate::player::Player;
use serde_json::json;

pub async fn rates_and_generates_puzzles_and_lists_a_batch() {
    let player = Player::open(&format!("/#p={PUZZLE}")).await;
    player.on_a_desk().await;
    player.press("view-rate").await;
    player.until("document.querySelectorAll('#rate-techniques tr').length > 1").await;
    let cards = player.text("#rate-scales").await;
    assert!(cards.contains("score51trivial") && cards.contains("ACsolves it"), "{cards}");
    player.pictures("rate").await;

    player.press("view-make").await;
    player.choose("make-level", "").await;
    player.choose("make-fewest", "30").await;
    player.choose("make-most", "32").await;
    player.choose("make-count", "2").await;
    player.press("make-now").await;
    player.until("document.getElementById('make-state').textContent.startsWith('2 puzzles')").await;
    player.pictures("make").await;
    let clues = "[...document.querySelectorAll('#make-list li')].map((item) => item.querySelectorAll('.clue').length)";
    let clues = player.see(clues).await;
    assert!(
        clues.as_array().unwrap().iter().all(|count| (30..=32).contains(&count.as_u64().unwrap())),
        "{clues}"
    );
    player.press("make-play").await;
    player.until("!document.getElementById('view-play').hidden").await;
    let filled = player.board().await.chars().filter(|symbol| *symbol != '.').count();
    assert_eq!(json!(filled), clues[0]);

    player.press("view-batch").await;
    let puzzles = vec![PUZZLE; 100].join("\n");
    player.choose("batch-text", &format!("{puzzles}\n{}", ".".repeat(81))).await;
    player.press("batch-now").await;
    player.until("document.getElementById('batch-csv').checkVisibility()").await;
    player.pictures("batch").await;
    let csv = player
        .see("decodeURIComponent(document.getElementById('batch-csv').href.split(',')[1])")
        .await;
    let lines: Vec<&str> = csv.as_str().unwrap().lines().collect();
    assert_eq!(lines.len(), 102);
    assert_eq!(lines[0], "puzzle,clues,difficulty,dupree,consistency,hardest,steps");
    assert!(lines[1].starts_with(&format!("{PUZZLE},30,easy,51,AC,")), "{}", lines[1]);
    assert!(lines[101].contains("more than one solution"), "{}", lines[101]);
    println!("{}", player.text("#batch-state").await);
    player.leave().await;
}

pub async fn a_new_puzzle_needs_the_requested_technique() {
    let player = Player::open(&format!("/#p={PUZZLE}")).await;
    player.press("panel-new").await;
    player.until("document.querySelectorAll('#new-technique option').length > 10").await;
    player.choose("new-level", "").await;
    player.choose("new-technique", "naked-pair").await;
    player.press("generate").await;
    player
        .until("document.getElementById('cancel').hidden && !location.hash.includes('p=53..7')")
        .await;
    player.press("view-rate").await;
    player.until("document.querySelectorAll('#rate-techniques tr').length > 0").await;
    let needed = player.text("#rate-techniques").await;
    assert!(needed.contains("Naked Pair"), "{needed}");
    player.leave().await;
}
