//! Daily puzzles, the end of a game, and the statistics.

use crate::PUZZLE;
use crate::player::Player;
use serde_json::json;

pub async fn daily_puzzles_are_counted_and_the_same_for_everyone() {
    let player = Player::open("/").await;
    player.on_a_desk().await;
    assert_eq!(player.see("document.querySelectorAll('.paper').length").await, json!(5));
    player
        .until("Boolean(JSON.parse(localStorage.getItem('ninefold.daily') ?? '{}').puzzles?.easy)")
        .await;
    player.click(".paper.easy").await;
    player.until("!document.getElementById('view-play').hidden").await;
    let puzzle = player.board().await;
    player.see(&format!(
        "window.solution = null; fetch('/api/check', {{ method: 'POST', headers: {{ 'content-type': 'application/json' }}, \
         body: JSON.stringify({{ puzzle: {puzzle:?} }}) }}).then((r) => r.json()).then((a) => {{ window.solution = a.solution; }}); true"
    ))
    .await;
    player.until("window.solution !== null").await;
    let solution = player.see("window.solution").await.as_str().expect("a solution").to_string();
    player.press("hint").await;
    player.until("document.getElementById('reasontitle').textContent === 'Where to look'").await;
    let open: String = puzzle
        .chars()
        .zip(solution.chars())
        .map(|(clue, digit)| if clue == '.' { digit } else { '.' })
        .collect();
    player.press("close").await;
    player.write_grid(&open).await;
    player.until("document.getElementById('win').checkVisibility()").await;
    let facts = player.text("#win-facts").await;
    assert!(
        facts.contains("DifficultyEasy")
            && facts.contains("Hints1 ")
            && facts.contains("ChecksNone"),
        "{facts}"
    );
    assert!(player.text("#win-about").await.starts_with("Easy, Daily"));
    assert_eq!(player.text("#win-usual").await, "Your first Easy");
    // The day counts once the game is stored.
    player.until("document.getElementById('win-streak').textContent === '1 day in a row'").await;
    assert_eq!(player.text("#win-next").await, "Next: today’s Medium");
    player.pictures("win").await;

    player.press("view-today").await;
    player.until("document.querySelectorAll('.paper.done').length === 1").await;
    assert_eq!(player.text("#today-streak").await, "1 day in a row");
    assert!(player.text("#today-figures").await.starts_with("1solved"));
    player.pictures("today").await;
    player.press("view-games").await;
    player.until("document.querySelectorAll('#games-solved tbody tr').length === 1").await;

    // Another player on the same day.
    player.clear_storage().await;
    player.go("/").await;
    player
        .until("Boolean(JSON.parse(localStorage.getItem('ninefold.daily') ?? '{}').puzzles?.easy)")
        .await;
    player.click(".paper.easy").await;
    player.until("!document.getElementById('view-play').hidden").await;
    assert_eq!(player.board().await, puzzle);
    player.leave().await;
}

/// Screens on which the game fits without scrolling: desktops, tablets and phones, portrait and
/// landscape.
const SCREENS: [(i64, i64); 6] =
    [(1400, 900), (1024, 768), (768, 1024), (390, 844), (360, 640), (844, 390)];

pub async fn the_game_fits_on_every_screen() {
    let player = Player::open(&format!("/#p={PUZZLE}")).await;
    let seen = "(() => { const out = [...document.querySelectorAll('#board .cell, #keypad .key, #modes button, .tools button, #hint, #menu summary, #pause')] \
                .filter((part) => part.checkVisibility()).map((part) => part.getBoundingClientRect()) \
                .filter((box) => box.left < 0 || box.top < 0 || box.right > innerWidth + 0.5 || box.bottom > innerHeight + 0.5); \
                return out.length + (document.documentElement.scrollWidth > innerWidth ? 1000 : 0); })()";
    let place = "(() => { const { x, y, width } = document.getElementById('board').getBoundingClientRect(); \
                 const keys = document.getElementById('keypad').getBoundingClientRect(); return [x, y, width, keys.x, keys.y].map(Math.round); })()";
    for (width, height) in SCREENS {
        player.screen(width, height).await;
        for dark in [false, true] {
            player.media(false, dark).await;
            let name =
                |what: &str| format!("{what}-{width}x{height}{}", if dark { "-dark" } else { "" });
            player.snapshot(&name("play")).await;
            assert_eq!(
                player.see(seen).await,
                json!(0),
                "parts of the game are out of sight at {width}x{height}"
            );
            // Nothing moves when a message appears.
            let before = player.see(place).await;
            player.press("check").await;
            player.until_message("Everything is right so far").await;
            assert_eq!(
                player.see(place).await,
                before,
                "a message moves the game at {width}x{height}"
            );
            player.press("hint").await;
            player.until("document.getElementById('reason').checkVisibility()").await;
            player.press("hint").await;
            player.press("hint").await;
            player.until("document.querySelectorAll('#board .ink').length > 0").await;
            player.snapshot(&name("hint")).await;
            let board = player.see(place).await;
            assert_eq!(board[0], before[0], "a hint moves the board at {width}x{height}");
            assert_eq!(
                (&board[1], &board[2]),
                (&before[1], &before[2]),
                "a hint moves the board at {width}x{height}"
            );
            player.press("close").await;
            player.see("document.querySelector('[data-do=\"view-today\"]').click()").await;
            player.until("document.querySelectorAll('.paper').length === 5").await;
            assert_eq!(
                player.see("document.documentElement.scrollWidth <= innerWidth").await,
                json!(true),
                "today hangs over the edge at {width}x{height}"
            );
            player.snapshot(&name("home")).await;
            player.back().await;
        }
    }
    player.leave().await;
}

/// Layout shifts of the first visit, as browsers measure them (0.1 counts as good).
pub async fn nothing_moves_on_the_first_visit() {
    let player = Player::open("").await;
    player
        .run_on_every_page(
            "window.moved = 0; new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.moved += entry.value; }) \
               .observe({ type: 'layout-shift', buffered: true });",
        )
        .await;
    for (width, height) in SCREENS {
        player.screen(width, height).await;
        for (place, ready) in [
            ("/".to_string(), "document.querySelectorAll('.paper').length === 5"),
            (format!("/#p={PUZZLE}"), "document.querySelectorAll('#board .cell').length === 81"),
        ] {
            player.go(&place).await;
            player.until(ready).await;
            // The browser reports shifts after the frame in which they happen.
            player
                .see("new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100)))")
                .await;
            let moved = player.see("window.moved").await.as_f64().expect("a number");
            assert!(moved < 0.01, "{moved} at {width}x{height}, {place}");
        }
    }
    player.leave().await;
}
