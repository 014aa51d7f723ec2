//! Lessons: the list, the search, links from hints, addresses, and exercises.

use crate::player::Player;
use serde_json::json;

pub async fn lessons_open_from_the_list_a_hint_and_an_address() {
    let puzzle =
        "7..849.3.928135..64..267.896427839513974516288156923..2.4516.931....8.6.5....4.1.";
    let player = Player::open(&format!("/#p={puzzle}")).await;
    player.on_a_desk().await;
    player.press("hint").await;
    player.until("document.getElementById('reasontitle').textContent === 'Where to look'").await;
    let offered = "document.getElementById('learnthis').checkVisibility()";
    assert_eq!(
        player.see(offered).await,
        json!(false),
        "the first stage does not name the technique"
    );
    player.press("hint").await;
    player.press("learn-this").await;
    player.until("document.querySelectorAll('#lesson-board .cell').length === 81").await;
    let slug = player.see("location.hash").await.as_str().unwrap().to_string();
    assert!(slug.starts_with("#lesson="), "{slug}");

    player.see("history.back()").await;
    player.until("!document.getElementById('view-play').hidden").await;
    assert_eq!(player.board().await, puzzle, "the game is unchanged");

    player.press("view-learn").await;
    assert!(player.text("#lesson-rules").await.starts_with("Lessons about cages"));
    let pages = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../ninefold/lessons"))
        .unwrap()
        .count();
    player.until(&format!("document.querySelectorAll('#lesson-tiers a').length === {pages}")).await;
    player.pictures("lessons").await;
    player.choose("lesson-search", "xyz").await;
    let found = "[...document.querySelectorAll('#lesson-tiers a')].map((link) => link.textContent)";
    assert_eq!(player.see(found).await.as_array().unwrap()[0], json!("XYZ-Wing"));
    player.choose("lesson-search", "no such thing").await;
    assert_eq!(player.see("document.querySelectorAll('#lesson-tiers a').length").await, json!(0));
    player.choose("lesson-search", "").await;

    player.go("/#lesson=aic").await;
    player.until("document.querySelectorAll('#lesson-board .cell').length === 81").await;
    player.click("#lesson-parts button:last-child").await;
    player.until("document.querySelectorAll('#lesson .arrows path').length > 2").await;
    assert_eq!(player.text("#lesson-name").await, "AIC");
    player.until("document.querySelectorAll('#lesson-ways a').length === 2").await;
    player.click("#lesson-ways a:last-child").await;
    player
        .until(
            "document.getElementById('lesson-name').textContent === 'Grouped Continuous Nice Loop'",
        )
        .await;
    player.click("#lesson-ways a:first-child").await;
    player.until("document.getElementById('lesson-name').textContent === 'AIC'").await;
    player.pictures("lesson").await;
    player.press("lesson-try").await;
    player.until("!document.getElementById('view-play').hidden").await;
    assert_eq!(&player.board().await[..6], "469172");
    player.leave().await;
}

pub async fn exercises_are_graded_and_counted() {
    let player = Player::open("/#lesson=naked-pair").await;
    player.on_a_desk().await;
    player.until("document.querySelectorAll('#lesson-board .cell').length === 81").await;
    // The lesson has three boards: the position, the pattern, the conclusion.
    player.click("#lesson-parts button:first-child").await;
    assert_eq!(
        player.see("document.querySelectorAll('#lesson-board .ink').length").await,
        json!(0)
    );
    player.click("#lesson-parts button:nth-child(2)").await;
    assert_ne!(
        player.see("document.querySelectorAll('#lesson-board .ink').length").await,
        json!(0)
    );
    assert_eq!(
        player.see("document.querySelectorAll('#lesson-board .ink.removed').length").await,
        json!(0)
    );
    player.click("#lesson-parts button:last-child").await;
    assert_ne!(
        player.see("document.querySelectorAll('#lesson-board .ink.removed').length").await,
        json!(0)
    );

    player.press("exercise-start").await;
    player.until("document.getElementById('exercise-check').checkVisibility()").await;
    player.press("exercise-check").await;
    assert_eq!(player.text("#exercise-said").await, "Nothing is chosen yet.");
    // A candidate that cannot be removed is rejected.
    let cells = "[...document.querySelectorAll('#lesson-board .cell')].filter((cell) => cell.querySelector('.candidates')).map((cell) => Number(cell.dataset.cell))";
    let open = player.see(cells).await;
    let mut refused = false;
    for cell in open.as_array().expect("cells").iter().take(30) {
        player.click(&format!("#lesson-board .cell[data-cell=\"{cell}\"]")).await;
        player.click("#exercise-keys .key").await;
        player.press("exercise-check").await;
        refused |= player.text("#exercise-said").await.contains("does not follow");
        player.click("#exercise-keys .key").await;
        if refused {
            break;
        }
    }
    assert!(refused, "a naked pair does not remove everything");
    // The step that the library found is right. The page can show it, but then it does not count.
    player.press("exercise-show").await;
    player.until("document.querySelectorAll('#lesson-board .ink.removed').length > 0").await;
    let gone = "[...document.querySelectorAll('#lesson-board .ink.removed')].map((ink) => [Number(ink.closest('.cell').dataset.cell), ink.dataset.digit])";
    let gone = player.see(gone).await;
    for pair in gone.as_array().expect("pairs") {
        player.click(&format!("#lesson-board .cell[data-cell=\"{}\"]", pair[0])).await;
        player.click(&format!("#exercise-keys [data-index={}]", pair[1])).await;
    }
    player.pictures("exercise").await;
    player.press("exercise-check").await;
    player.until("document.getElementById('exercise-said').textContent === 'Right.'").await;
    assert_eq!(
        player.text("#exercise-count").await,
        "0 of 3 exercises done",
        "what was shown does not count"
    );
    player.leave().await;
}

pub async fn arrows_stay_on_the_board() {
    let player = Player::open("/").await;
    let outside = "[...document.querySelectorAll('#lesson .arrows path')].filter((path) => {
        const size = path.ownerSVGElement.viewBox.baseVal.width;
        const length = path.getTotalLength();
        const along = Array.from({ length: 41 }, (_, part) => path.getPointAtLength((length * part) / 40));
        return along.some(({ x, y }) => Math.min(x, y) < 0 || Math.max(x, y) > size);
    }).length";
    // Chains along the edges of the board, where a curve with the wrong bend would leave it.
    for (slug, lesson) in [
        ("aic", "AIC"),
        ("x-chain", "X-Chain"),
        ("xy-chain", "XY-Chain"),
        ("grouped-aic", "Grouped AIC"),
    ] {
        player.go(&format!("/#lesson={slug}")).await;
        player
            .until(&format!("document.getElementById('lesson-name').textContent === '{lesson}'"))
            .await;
        player.until("document.querySelectorAll('#lesson-board .cell').length === 81").await;
        player.click("#lesson-parts button:last-child").await;
        player.until("document.querySelectorAll('#lesson .arrows path').length > 2").await;
        assert_eq!(player.see(outside).await, json!(0), "{lesson}");
    }
    player.leave().await;
}
