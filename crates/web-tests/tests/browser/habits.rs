//! Problems that daily players would notice.

use crate::player::Player;
use crate::{PUZZLE, address};
use serde_json::json;

const OTHER: &str =
    ".7......5..5..329..4..8...79.....1.8.1..2.9....38...5...7.9..4.6...4.....9...2...";

pub async fn uses_the_language_of_the_browser() {
    let player = Player::open("").await;
    player
        .run_on_every_page(
            "Object.defineProperty(navigator, 'languages', { get: () => ['fr', 'de-AT', 'en'] })",
        )
        .await;
    player.go("/").await;
    player.until("document.documentElement.lang === 'de'").await;
    assert_eq!(player.text("#today-title").await, "Die fünf von heute");
    // A selected language is kept.
    player.settle("language", "es").await;
    player.until("document.documentElement.lang === 'es'").await;
    player.reload().await;
    player.until("document.documentElement.lang === 'es'").await;
    player.leave().await;
}

pub async fn continue_opens_the_displayed_game() {
    let player = Player::open(&address(PUZZLE)).await;
    player.click(".cell[data-cell=\"2\"]").await;
    player.keys(&["4"]).await;
    // A game that Solve has filled is over, although it was played last.
    player.follow_link(&format!("#p={OTHER}")).await;
    player.press("solve").await;
    player.until_message("Here is the solution").await;
    player.press("view-today").await;
    player.until("document.querySelector('.resume').checkVisibility()").await;
    assert!(
        player.text("#resume-about").await.starts_with("50 cells to go"),
        "{}",
        player.text("#resume-about").await
    );
    player.press("continue").await;
    assert_eq!(&player.board().await[..4], "534.");
    player.leave().await;
}

/// A clock that can be moved forward by a day, as if the page had been left open overnight.
const NIGHT: &str = "(() => {
    const Real = Date;
    let late = 0;
    window.Date = class extends Real {
        constructor(...parts) { if (parts.length > 0) super(...parts); else super(Real.now() + late); }
        static now() { return Real.now() + late; }
    };
    window.sleep = () => { late += 86400000; document.dispatchEvent(new Event('visibilitychange')); };
})()";

pub async fn a_page_left_open_overnight_shows_the_new_puzzles() {
    let player = Player::open("").await;
    player.run_on_every_page(NIGHT).await;
    player.go("/").await;
    player.until("document.getElementById('today-date').textContent !== ''").await;
    let before = player.text("#today-date").await;
    player.see("sleep()").await;
    player
        .until(&format!("document.getElementById('today-date').textContent !== {before:?}"))
        .await;
    player.leave().await;
}

pub async fn help_opens_on_every_view() {
    let player = Player::open("/").await;
    for place in ["#learn", "#watch", "#make", "#games", "#today"] {
        player.follow_link(place).await;
        player.keys(&["?"]).await;
        player.until("document.getElementById('panel-help').open").await;
        player.see("document.getElementById('panel-help').close()").await;
    }
    player.leave().await;
}

pub async fn today_shows_the_next_lesson() {
    let player = Player::open(&address(PUZZLE)).await;
    player.press("view-today").await;
    player.until("document.querySelectorAll('#today-tiers li').length > 3").await;
    assert_eq!(player.text("#schoolp-title").await, "Next: Full House");
    player.leave().await;
}

pub async fn confirms_copying_in_the_share_panel() {
    let player = Player::open(&address(PUZZLE)).await;
    player.press("share").await;
    player.press("copy-line").await;
    // If the browser does not let the page copy, the text is selected, and the panel says what to
    // do.
    player.until("['Copied.', 'Selected: press Ctrl+C to copy it.'].includes(document.getElementById('share-said').textContent)").await;
    player.leave().await;
}

pub async fn a_deleted_game_can_be_restored() {
    let player = Player::open(&address(PUZZLE)).await;
    player.click(".cell[data-cell=\"2\"]").await;
    player.keys(&["4"]).await;
    let games = "document.querySelectorAll('#games-open .goon').length";
    player.press("view-games").await;
    player.until(&format!("{games} === 1")).await;
    player.press("game-remove").await;
    player.until(&format!("{games} === 0")).await;
    player.press("game-back").await;
    player.until(&format!("{games} === 1")).await;
    player.press("game-remove").await;
    // It was on the board: navigating there and back does not store it again.
    player.press("view-play").await;
    assert_eq!(player.board().await, PUZZLE);
    player.press("view-games").await;
    player.until("document.querySelector('#view-games').checkVisibility()").await;
    assert_eq!(player.see(games).await, json!(0));
    player.leave().await;
}

pub async fn keeps_a_game_after_a_hint() {
    let player = Player::open(&address(PUZZLE)).await;
    player.press("hint").await;
    player.until("document.getElementById('reason').checkVisibility()").await;
    player.press("hint").await;
    player.press("learn-this").await;
    player.until("document.getElementById('back-to-game').checkVisibility()").await;
    player.press("back-to-game").await;
    player.press("view-games").await;
    player.until("document.querySelectorAll('#games-open .goon').length === 1").await;
    player.leave().await;
}

/// On a slow connection the other views are loaded after the board; opening one before waits for
/// it.
pub async fn a_view_opened_before_it_is_loaded_appears() {
    let player = Player::open("").await;
    player.on_a_slow_phone().await;
    player.on_a_desk().await;
    player
        .run_on_every_page(
            "const early = setInterval(() => { \
             if (document.documentElement.dataset.theme === undefined) return; clearInterval(early); \
             window.wasThere = performance.getEntriesByName(new URL('other-views.js', location).href).length > 0; \
             document.querySelector('nav [data-do=\"view-learn\"]').click(); }, 1)",
        )
        .await;
    player.go(&address(PUZZLE)).await;
    player.until("document.querySelectorAll('#lesson-tiers a').length > 20").await;
    assert_eq!(
        player.see("window.wasThere").await,
        json!(false),
        "it was asked for before it was there"
    );
    player.leave().await;
}

pub async fn the_status_line_has_a_constant_height() {
    let player = Player::open(&address(PUZZLE)).await;
    player.screen(1280, 860).await;
    let height = "document.getElementById('about').offsetHeight";
    let own = player.see(height).await;
    player.press("view-today").await;
    player
        .until("Boolean(JSON.parse(localStorage.getItem('ninefold.daily') ?? '{}').puzzles?.easy)")
        .await;
    player.click(".paper.easy").await;
    player.until("document.getElementById('about').textContent.startsWith('Daily')").await;
    assert_eq!(player.see(height).await, own);
    player.leave().await;
}

pub async fn scrolls_to_the_current_step_in_the_list() {
    let player = Player::open(&address(OTHER)).await;
    player.screen(1280, 860).await;
    player.press("explain").await;
    player
        .until("document.getElementById('reasontitle').textContent.startsWith('Step 1 of')")
        .await;
    for _ in 0..12 {
        player.press("walk-on").await;
    }
    let seen = "(() => { const list = document.getElementById('steps').getBoundingClientRect(); \
                const item = document.querySelector('#steps [aria-current]').getBoundingClientRect(); \
                return item.top >= list.top && item.bottom <= list.bottom; })()";
    assert_eq!(player.see(seen).await, json!(true));
    player.leave().await;
}
