//! Explanations as moving pictures, the first visit, the calendar, and the review of a game.

use crate::player::Player;
use crate::{PUZZLE, SOLUTION, address};
use serde_json::json;

/// Golden Nugget, by tarek (2007).
const NUGGET: &str =
    ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....";

async fn open_hint(puzzle: &str) -> Player {
    let player = Player::open(&address(puzzle)).await;
    player.on_a_desk().await;
    player.press("hint").await;
    player.until("document.getElementById('more').checkVisibility()").await;
    player.press("hint").await;
    player.press("hint").await;
    player.until("document.querySelectorAll('#board .ink').length > 0").await;
    player
}

pub async fn a_hidden_single_shows_the_digits_that_block() {
    let player = open_hint(PUZZLE).await;
    assert_eq!(player.text("#reasontitle").await, "Hidden Single");
    // Two digits cross all other empty cells of the box.
    let count = |part: &str| format!("document.querySelectorAll('#board {part}').length");
    assert_eq!(player.see(&count(".ray")).await, json!(2));
    assert_eq!(player.see(&count(".blocked")).await, json!(4));
    assert_eq!(player.see(&count(".cell.blocker")).await, json!(2));
    // The digits are lit in the text, which lights the board, and the board lights the text.
    let blocker = "document.querySelector('#board .cell.blocker').dataset.cell";
    let cell = player.see(blocker).await;
    let cell = cell.as_str().expect("a cell");
    let over = |part: &str| {
        format!(
            "document.querySelector('{part}').dispatchEvent(new PointerEvent('pointerover', {{ bubbles: true }})); true"
        )
    };
    player.see(&over(&format!("#reasontext mark.alt[data-cells=\"{cell}\"]"))).await;
    let pointed = "document.querySelector('#board .cell.pointed').dataset.cell";
    assert_eq!(player.see(pointed).await, json!(cell));
    player.see(&over(&format!("#board .cell[data-cell=\"{cell}\"]"))).await;
    let named = format!("#reasontext mark.pointed[data-cells=\"{cell}\"]");
    assert_eq!(
        player.see(&format!("document.querySelector('{named}') !== null")).await,
        json!(true)
    );
    player.leave().await;
}

/// The share of points on the links that are within the digits and candidates on the board.
const COVERED: &str = "(() => { \
    const svg = document.querySelector('#board .arrows'); const box = svg.getBoundingClientRect(); const unit = box.width / 540; \
    const middle = (part) => { const own = part.getBoundingClientRect(); return [(own.left + own.right) / 2 - box.left, (own.top + own.bottom) / 2 - box.top].map((at) => at / unit); }; \
    const digits = [...document.querySelectorAll('#board .cell .digit')].filter((part) => part.textContent).map((part) => [...middle(part), 14]); \
    const small = [...document.querySelectorAll('#board .candidates [data-digit]')].map((part) => [...middle(part), 5]); \
    const points = [...document.querySelectorAll('.arrows path.weak, .arrows path.strong')].flatMap((path) => { const all = path.getTotalLength(); return Array.from({ length: 200 }, (_, at) => path.getPointAtLength((all * at) / 199)); }); \
    return [points.length, points.filter((point) => [...digits, ...small].some(([x, y, radius]) => Math.hypot(point.x - x, point.y - y) < radius)).length]; })()";

pub async fn links_are_bundled_and_cover_no_digit() {
    let player = open_hint(NUGGET).await;
    assert!(player.text("#reasontitle").await.contains("Exocet"));
    let links = "document.querySelectorAll('.arrows path.weak, .arrows path.strong').length";
    let links = player.see(links).await.as_u64().expect("a number");
    assert!((1..=6).contains(&links), "{links} links");
    assert_eq!(player.see(COVERED).await, json!([200 * links, 0]));
    // Only the candidates that matter are shown, the others on request.
    let shown = "[...document.querySelectorAll('#board .candidates [data-digit]')].length";
    let few = player.see(shown).await.as_u64().expect("a number");
    player.press("show-all").await;
    let all = player.see(shown).await.as_u64().expect("a number");
    assert!(few + 100 < all, "{few} of {all}");
    player.leave().await;
}

pub async fn a_forcing_net_is_played_case_by_case() {
    let player = Player::open(&address(NUGGET)).await;
    player.on_a_desk().await;
    player.press("explain").await;
    player.until("document.querySelectorAll('#steps li').length > 100").await;
    // The list speaks words; the notation is shown on request.
    let step = "document.querySelectorAll('#steps button')[1].textContent";
    let words = player.see(step).await;
    assert!(words.as_str().expect("a text").starts_with("Nested Forcing Net: no 2 in r2c4"));
    player.see("document.querySelectorAll('#steps button')[1].click()").await;
    player.until("document.querySelectorAll('#caselist li').length > 3").await;
    // The keypad's room belongs to the explanation.
    assert_eq!(player.see("document.querySelector('.pad').checkVisibility()").await, json!(false));
    let mut colours = std::collections::BTreeSet::new();
    for case in 0..3 {
        player.see(&format!("document.querySelectorAll('#caselist button')[{case}].click()")).await;
        let ghosts = "[...document.querySelectorAll('#board .cell.ghost:not(.assumed) .digit')].map((digit) => getComputedStyle(digit).color)";
        let seen = player.see(ghosts).await;
        let seen = seen.as_array().expect("colours");
        assert!(!seen.is_empty() && seen.iter().all(|colour| *colour == seen[0]), "{seen:?}");
        colours.insert(seen[0].to_string());
        let clash = "document.querySelectorAll('#board .cell.clash').length";
        assert_ne!(player.see(clash).await, json!(0), "case {case} marks its contradiction");
    }
    assert_eq!(colours.len(), 3, "each case has its colour");
    player.press("show-notation").await;
    assert_ne!(player.see(step).await, words);
    player.leave().await;
}

/// The guide covers neither the board nor the keys.
async fn guide_has_its_place(player: &Player) {
    for (width, height) in [(1280, 900), (390, 844), (360, 640), (768, 1024)] {
        player.screen(width, height).await;
        let covers = "(() => { const tour = document.getElementById('tour').getBoundingClientRect(); \
            return [...document.querySelectorAll('#board .cell, #keypad button, #hint')].filter((part) => { const box = part.getBoundingClientRect(); \
                return box.left < tour.right && box.right > tour.left && box.top < tour.bottom - 1 && box.bottom > tour.top + 1; }).length; })()";
        let visible = "document.getElementById('tour-text').checkVisibility()";
        assert_eq!(player.see(visible).await, json!(true), "{width}x{height}");
        assert_eq!(player.see(covers).await, json!(0), "{width}x{height}");
    }
    player.on_a_desk().await;
}

pub async fn the_first_visit_guides_and_can_be_skipped() {
    let player = Player::open("/").await;
    player.on_a_desk().await;
    // One sentence, one thing to do first, and the same five levels once.
    assert!(player.text("#hero-title").await.starts_with("Stuck?"));
    assert_eq!(player.see("document.querySelectorAll('#hero .primary').length").await, json!(1));
    assert_eq!(player.see("document.querySelectorAll('#today-papers li').length").await, json!(5));
    player.until("document.querySelectorAll('#today-papers text').length > 100").await;
    player.go(&address(PUZZLE)).await;
    guide_has_its_place(&player).await;
    assert!(player.text("#tour-text").await.contains("type a digit"));
    player.click("#board .cell[data-cell=\"2\"]").await;
    player.keys(&["4"]).await;
    assert!(player.text("#tour-text").await.contains("Stuck?"));
    guide_has_its_place(&player).await;
    player.press("hint").await;
    player.until("document.getElementById('more').checkVisibility()").await;
    player.press("close").await;
    let hidden = "document.getElementById('tour').hidden";
    assert_eq!(player.see(hidden).await, json!(true), "the first hint ends it");
    player.see("localStorage.clear()").await;
    player.go(&address(PUZZLE)).await;
    player.press("toured").await;
    assert_eq!(player.see(hidden).await, json!(true), "it can be skipped");
    player.leave().await;
}

pub async fn the_calendar_opens_past_days_and_streaks_forgive_one() {
    let player = Player::open("/").await;
    player.on_a_desk().await;
    // Today and the days before, except one.
    player
        .see(
            "(() => { const day = (back) => { const date = new Date(); date.setDate(date.getDate() - back); \
               return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`; }; \
             localStorage.setItem('ninefold.solved', JSON.stringify([0, 1, 3, 4].map((back) => ({ id: `x${back}`, at: Date.now(), day: day(back), daily: day(back), level: 'easy', seconds: 300, hints: [], checks: 0, boxes: '3x3', puzzle: '' })))); })()",
        )
        .await;
    player.go("/").await;
    assert!(player.text("#today-streak").await.contains('4'), "a missed day is forgiven");
    player.press("calendar").await;
    player.press("calendar-back").await;
    let days = "document.querySelectorAll('#calendar-days button').length";
    let count = player.see(days).await.as_u64().expect("a number");
    assert!((28..=31).contains(&count), "{count}");
    let day = player.see("document.querySelector('#calendar-days button').dataset.name").await;
    player.press("play-past").await;
    player.until("location.hash.includes('p=')").await;
    let about = "JSON.parse(JSON.stringify(history.state.about)).daily";
    player.until(&format!("{about} === {day}")).await;
    player.leave().await;
}

pub async fn a_finished_game_can_be_reviewed() {
    let player = Player::open(&address(&format!("............{}", &SOLUTION[12..]))).await;
    player.on_a_desk().await;
    for cell in 0..12 {
        player.click(&format!("#board .cell[data-cell=\"{cell}\"]")).await;
        player.keys(&[&SOLUTION[cell..=cell]]).await;
    }
    player.until("document.getElementById('win').checkVisibility()").await;
    player.until("document.getAnimations().length === 0").await;
    player.press("review").await;
    player.until("document.getElementById('reasontext').textContent.includes('You thought longest here')").await;
    assert!(player.text("#reasontext").await.contains("The step was"));
    assert!(player.text("#learnstep").await.starts_with("Practise "));
    player.press("replay").await;
    player.until("document.getElementById('reasontitle').textContent.startsWith('Step 12')").await;
    assert_eq!(player.see("document.querySelectorAll('#steps li').length").await, json!(12));
    player.leave().await;
}
