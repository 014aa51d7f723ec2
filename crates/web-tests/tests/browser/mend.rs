//! Regression tests for what players, learners and setters reported about the page.

use crate::PUZZLE;
use crate::player::{Player, SHIFT};
use serde_json::{Value, json};

const SOLVED_BUT_ONE: &str =
    "..4678912.72...348198342567.59761423.26.53791.13924856961537284287...635345.86179";

fn address(puzzle: &str) -> String {
    format!("/#p={puzzle}")
}

async fn list(player: &Player, expression: &str) -> Vec<Value> {
    player.see(expression).await.as_array().expect("a list").clone()
}

async fn open_exercise(slug: &str) -> Player {
    let player = Player::open(&format!("/#lesson={slug}")).await;
    player.on_a_desk().await;
    player.until("document.querySelectorAll('#lesson-board .cell').length === 81").await;
    player.press("exercise-start").await;
    player.until("document.getElementById('exercise-check').checkVisibility()").await;
    player
}

/// Every hidden single on the board of the exercise, as cell and digit, found here.
const HIDDEN_SINGLES: &str = "(() => {
    const cells = [...document.querySelectorAll('#lesson-board .cell')];
    const has = cells.map((cell) => [...cell.querySelectorAll('.candidates [data-digit]')].map((one) => one.dataset.digit));
    const houses = [...Array(9).keys()].flatMap((at) => [
        [...Array(9).keys()].map((other) => 9 * at + other), [...Array(9).keys()].map((other) => 9 * other + at),
        [...Array(9).keys()].map((other) => 27 * Math.floor(at / 3) + 3 * (at % 3) + 9 * Math.floor(other / 3) + (other % 3)),
    ]);
    const found = new Map();
    for (const house of houses) for (let digit = 1; digit <= 9; digit += 1) {
        const places = house.filter((cell) => has[cell].includes(String(digit)));
        if (places.length === 1) found.set(`${places[0]}`, [places[0], digit]);
    }
    return [...found.values()];
})()";

pub async fn school_accepts_every_right_single() {
    let (mut player, mut singles) = (open_exercise("hidden-single").await, Vec::new());
    // Exercises are random, and a few have only one answer.
    for _ in 0..20 {
        singles = list(&player, HIDDEN_SINGLES).await;
        if singles.len() > 1 {
            break;
        }
        player.leave().await;
        player = open_exercise("hidden-single").await;
    }
    assert!(singles.len() > 1, "an exercise has several answers: {singles:?}");
    for single in &singles {
        player.click(&format!("#lesson-board .cell[data-cell=\"{}\"]", single[0])).await;
        player.click(&format!("#exercise-keys [data-index=\"{}\"]", single[1])).await;
    }
    // All of them at once are right, too.
    player.press("exercise-check").await;
    assert_eq!(player.text("#exercise-said").await, "Right.");
    player.leave().await;
}

pub async fn exercises_work_with_the_keyboard() {
    let player = open_exercise("hidden-single").await;
    assert_eq!(
        player.see("document.getElementById('lesson-why').checkVisibility()").await,
        json!(false),
        "the text of the example is gone"
    );
    let [cell, digit] = {
        let singles = list(&player, HIDDEN_SINGLES).await;
        [0, 1].map(|place| singles[0][place].as_u64().expect("a number"))
    };
    player.see("document.activeElement.blur()").await;
    // The first arrow selects the first cell.
    player.keys(&["ArrowRight"]).await;
    for _ in 0..cell / 9 {
        player.keys(&["ArrowDown"]).await;
    }
    for _ in 0..cell % 9 {
        player.keys(&["ArrowRight"]).await;
    }
    player.keys(&[&digit.to_string(), "Enter"]).await;
    assert_eq!(player.text("#exercise-said").await, "Right.");
    player.leave().await;
}

pub async fn lessons_open_on_the_position() {
    let player = Player::open("/#lesson=x-wing").await;
    player.until("document.querySelectorAll('#lesson-board .cell').length === 81").await;
    assert_eq!(
        player.see("document.querySelectorAll('#lesson-board .ink').length").await,
        json!(0),
        "the answer is not shown"
    );
    // The rule and the example agree: two columns.
    assert!(player.text("#lesson-text").await.starts_with("In two columns"));
    let order = list(
        &player,
        "[...document.querySelectorAll('#lesson-tiers a')].map((link) => link.hash.slice(8))",
    )
    .await;
    let place = |slug: &str| order.iter().position(|other| *other == slug).expect("a lesson");
    assert!(place("locked-pair") > place("naked-pair"));
    assert!(place("locked-pair") > place("locked-candidates-type-1"));
    player.leave().await;
}

pub async fn colour_keys_have_their_colours_and_move_nothing() {
    let player = Player::open(&address(PUZZLE)).await;
    for (width, height) in [(1280, 900), (768, 1024), (390, 844), (844, 390)] {
        player.screen(width, height).await;
        let modes = "document.getElementById('modes').getBoundingClientRect().y";
        player.press("mode-digit").await;
        let before = player.see(modes).await;
        player.press("mode-colour").await;
        assert_eq!(player.see(modes).await, before, "{width}x{height}");
        let colours = "new Set([...document.querySelectorAll('.swatch')].map((key) => getComputedStyle(key).backgroundColor)).size";
        assert_eq!(player.see(colours).await, json!(7), "{width}x{height}");
    }
    player.leave().await;
}

async fn solve(player: &Player) {
    for (cell, digit) in crate::SOLUTION.char_indices() {
        let is_open = format!("!document.querySelector('#board [data-cell=\"{cell}\"] .digit')");
        if player.see(&is_open).await == json!(true) {
            player.click(&format!("#board .cell[data-cell=\"{cell}\"]")).await;
            player.keys(&[&digit.to_string()]).await;
        }
    }
    player.until("document.getElementById('win').checkVisibility()").await;
}

pub async fn a_solved_game_shares_its_puzzle() {
    let player = Player::open(&address(SOLVED_BUT_ONE)).await;
    player.on_a_desk().await;
    solve(&player).await;
    player.until("document.getAnimations().length === 0").await;
    player.press("share").await;
    player.until("document.getElementById('panel-share').open").await;
    let link = player.see("document.getElementById('share-text').value").await;
    let link = link.as_str().expect("a link");
    assert!(link.contains(SOLVED_BUT_ONE) && !link.contains("&e="), "{link}");
    assert!(link.contains("&t="), "the link carries the time: {link}");
    // The result has nine squares and no digit of the solution.
    let result = player.see("document.getElementById('share-result').value").await;
    let result = result.as_str().expect("a text");
    let squares = result.chars().filter(|one| "■▨".contains(*one)).count();
    assert_eq!(squares, 9, "{result}");
    player.leave().await;
}

pub async fn warns_of_links_that_only_work_here() {
    let player = Player::open(&address(PUZZLE)).await;
    player.on_a_desk().await;
    player.press("share").await;
    assert!(player.text("#share-local").await.starts_with("This link works only on this computer"));
    let tags = "[...document.querySelectorAll('meta[property^=\"og:\"]')].map((tag) => tag.getAttribute('property'))";
    for name in ["og:title", "og:description", "og:image"] {
        assert!(list(&player, tags).await.contains(&json!(name)), "{name}");
    }
    let icon = "document.querySelector('link[rel=\"apple-touch-icon\"]').href";
    let icon = player.see(icon).await.as_str().expect("an icon").to_string();
    player.see(&format!("window.icon = null; fetch({icon:?}).then((r) => {{ window.icon = r.headers.get('content-type'); }}); true")).await;
    player.until("window.icon !== null").await;
    assert_eq!(player.see("window.icon").await, json!("image/png"));
    player.see("document.getElementById('panel-share').close()").await;
    player.settle("base", "https://sudoku.example/").await;
    player.press("share").await;
    assert_eq!(player.text("#share-local").await, "");
    player.leave().await;
}

/// The level says what a puzzle needs: the ratings of two daily puzzles of each level.
pub async fn levels_are_named_after_what_they_need() {
    let player = Player::open("/").await;
    let rate = "window.ratings = null; (async () => {
        const post = async (name, body) => (await fetch(`api/${name}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })).json();
        const rows = [];
        for (const [difficulty, seed] of ['easy', 'medium', 'hard', 'expert', 'extreme'].flatMap((level) => [[level, 1], [level, 2], [level, 3]])) {
            const { puzzle } = await post('generate', { boxes: '3x3', difficulty, symmetry: 'half-turn', seed });
            const { scales } = await post('rate', { puzzle });
            rows.push([difficulty, Number(scales.find(({ name }) => name === 'se').value)]);
        }
        window.ratings = rows;
    })(); true";
    player.see(rate).await;
    player.until("window.ratings !== null").await;
    let ranges = [
        ("easy", 1.0..=2.5),
        ("medium", 1.7..=3.4),
        ("hard", 3.0..=5.4),
        ("expert", 4.5..=7.1),
        ("extreme", 7.2..=9.5),
    ];
    for row in list(&player, "window.ratings").await {
        let (level, rating) = (row[0].as_str().unwrap(), row[1].as_f64().unwrap());
        let (_, range) = ranges.iter().find(|(name, _)| *name == level).expect("a level");
        assert!(range.contains(&rating), "{level}: {rating}");
    }
    player.leave().await;
}

pub async fn school_and_ratings_speak_german_and_spanish() {
    let player = Player::open("/#lesson=naked-pair").await;
    player.on_a_desk().await;
    for (language, name, tier, text, scale) in [
        ("de", "Nacktes Paar", "Blöcke, Linien und Teilmengen", "Zwei Zellen", "Schwierigkeit"),
        ("es", "Par desnudo", "Cajas, líneas y subconjuntos", "Dos celdas", "Dificultad"),
    ] {
        player.go("/#lesson=naked-pair").await;
        player.settle("language", language).await;
        player
            .until(&format!("document.getElementById('lesson-name').textContent === {name:?}"))
            .await;
        assert!(player.text("#lesson-tiers").await.contains(tier));
        assert!(
            player.text("#lesson-text").await.contains(text),
            "{}",
            player.text("#lesson-text").await
        );
        player.go(&format!("/#rate&p={PUZZLE}")).await;
        player.until("document.querySelectorAll('#rate-scales .card').length > 3").await;
        assert!(player.text("#rate-scales").await.contains(scale));
        assert!(!player.text("#rate-scales").await.contains("hardest"));
    }
    player.leave().await;
}

pub async fn watch_reports_what_solved_the_puzzle() {
    let hard = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
    let player = Player::open(&format!("/#watch=dense-val,backtrack&p={hard}")).await;
    player.on_a_desk().await;
    player.until("document.querySelectorAll('#watch-system-0 option').length > 5").await;
    let raw = "[...document.querySelectorAll('#watch-system-0 option')].filter((option) => option.value && option.textContent === option.value).map((option) => option.value)";
    assert_eq!(player.see(raw).await, json!([]), "every system has a name");
    player.press("watch-start").await;
    player.until("!document.getElementById('watch-stop').checkVisibility() || document.getElementById('watch-stop').disabled").await;
    player.press("watch-last").await;
    player.until("!document.getElementById('watch-end').hidden").await;
    let row = |index: usize| format!("#watch-end tbody tr:nth-child({index})");
    assert!(
        player.text(&row(1)).await.contains("solved by the search that took over"),
        "{}",
        player.text("#watch-end").await
    );
    // The number of guesses in the table is that of the text.
    let guesses = player.text(&format!("{} td:last-child", row(4))).await;
    assert!(
        player.text("#stage-event-1").await.contains(&format!("{guesses} guess")),
        "{guesses}: {}",
        player.text("#stage-event-1").await
    );
    player.leave().await;
}

pub async fn reports_puzzles_without_one_solution() {
    let player = Player::open(&address(&format!("{}.........", &PUZZLE[..72]))).await;
    player.on_a_desk().await;
    player.until_message("more than one solution").await;
    player.go(&address(&format!("55{}", &PUZZLE[2..]))).await;
    player.until_message("Two equal clues").await;
    player.paste(&format!("531{}", &PUZZLE[3..])).await;
    player.until_message("A clue must be wrong").await;
    // The reader names the clue that repeats another one.
    player.paste(&format!("{}1", &PUZZLE[..80])).await;
    player.until_message("a second 1 in column 9").await;
    player.leave().await;
}

pub async fn reports_a_broken_link() {
    let player = Player::open(&address(&PUZZLE[..70])).await;
    player.until_message("This link is damaged").await;
    player.leave().await;
}

pub async fn opens_links_of_other_sites_and_keeps_every_pasted_puzzle() {
    let other = "7..849.3.928135..64..267.896427839513974516288156923..2.4516.931....8.6.5....4.1.";
    let player = Player::open(&address(other)).await;
    player.on_a_desk().await;
    let zeros = PUZZLE.replace('.', "0");
    for link in [
        format!("https://sudoku.coach/en/play/{PUZZLE}"),
        format!("sudokupad.app/{zeros}"),
        format!("https://sudoku.coach/en/play/{zeros}"),
    ] {
        player.go(&address(other)).await;
        player.paste(&link).await;
        player.until("location.hash.includes('p=53..7')").await;
        assert_eq!(player.board().await, PUZZLE, "{link}");
    }
    player.paste(&format!("{other}\n{PUZZLE}\n")).await;
    player.until_message("1 more puzzle is under Your games").await;
    player.press("view-games").await;
    player.until("document.querySelectorAll('#games-open .goon').length >= 1").await;
    player.leave().await;
}

pub async fn limits_of_the_server_are_said_in_plain_words() {
    let player = Player::open(&address(PUZZLE)).await;
    player.on_a_desk().await;
    player.paste(&format!("{PUZZLE}\n").repeat(2000)).await;
    player.until_message("This text is too long").await;
    assert!(!player.text("#message").await.contains("bytes"));
    player.leave().await;
}

pub async fn two_windows_share_a_game() {
    let player = Player::open(&address(PUZZLE)).await;
    player.click("#board .cell[data-cell=\"2\"]").await;
    player.keys(&["4"]).await;
    // The storage event is what the other window receives when this one stores a move.
    player
        .see(
            "(() => { const name = Object.keys(localStorage).find((key) => key.startsWith('ninefold.game.')); \
             const game = JSON.parse(localStorage.getItem(name)); game.steps.push('e3:6'); game.at += 1; \
             localStorage.setItem(name, JSON.stringify(game)); dispatchEvent(new StorageEvent('storage', { key: name })); })()",
        )
        .await;
    assert_eq!(&player.board().await[2..4], "46", "the move of the other window is here");
    player.click("#board .cell[data-cell=\"5\"]").await;
    player.keys(&["8"]).await;
    player.reload().await;
    assert_eq!(&player.board().await[2..6], "4678", "no move is lost");
    player.leave().await;
}

pub async fn enter_takes_a_hint() {
    let player = Player::open(&address(PUZZLE)).await;
    player.on_a_desk().await;
    player.click("#board .cell[data-cell=\"2\"]").await;
    player.keys(&["h"]).await;
    player.until("document.getElementById('reasontitle').textContent === 'Where to look'").await;
    player.keys(&["h", "h"]).await;
    player.until("document.querySelectorAll('#board .ink').length > 0").await;
    let title = player.text("#reasontitle").await;
    player.keys(&["h"]).await;
    assert_eq!(player.text("#reasontitle").await, title, "a fourth H does not start again");
    let empty = |line: &str| line.matches('.').count();
    let before = empty(&player.board().await);
    player.keys(&["Enter"]).await;
    player.until("document.getElementById('reason').hidden").await;
    assert_eq!(empty(&player.board().await), before - 1);
    player.leave().await;
}

pub async fn the_board_fills_an_upright_tablet() {
    let player = Player::open(&address(PUZZLE)).await;
    player.screen(768, 1024).await;
    let width = "Math.round(document.getElementById('board').getBoundingClientRect().width)";
    let width = player.see(width).await.as_u64().expect("a width");
    assert!(width >= 540, "{width} px");
    player.leave().await;
}

pub async fn labels_do_not_overlap_at_double_zoom() {
    let player = Player::open(&address(PUZZLE)).await;
    for (width, height) in [(720, 450), (640, 400), (683, 384)] {
        player.screen(width, height).await;
        let overlaps = "(() => { const parts = [...document.querySelectorAll('#modes button span:not(.glyph), .tools button span, #level, #timer, #about')].filter((part) => part.checkVisibility() && part.textContent); \
            const boxes = parts.map((part) => { const range = document.createRange(); range.selectNodeContents(part); const own = part.getBoundingClientRect(); const text = range.getBoundingClientRect(); \
                return { name: part.textContent, left: Math.max(text.left, getComputedStyle(part).overflow === 'hidden' ? own.left : text.left), right: getComputedStyle(part).overflow === 'hidden' ? Math.min(own.right, text.right) : text.right, top: text.top, bottom: text.bottom }; }); \
            return boxes.flatMap((a, index) => boxes.slice(index + 1).filter((b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3).map((b) => `${a.name} / ${b.name}`)); })()";
        assert_eq!(player.see(overlaps).await, json!([]), "{width}x{height}");
    }
    player.leave().await;
}

pub async fn large_grids_show_all_marks() {
    let player = Player::open(&address(&format!("1{}", ".".repeat(255)))).await;
    player.on_a_desk().await;
    player.click("#board .cell[data-cell=\"34\"]").await;
    player.press("mode-centre").await;
    for digit in ["2", "3", "4", "5", "6", "7", "8", "9"] {
        player.keys(&[digit]).await;
    }
    let inside = "(() => { const cell = document.querySelector('#board [data-cell=\"34\"]'); const box = cell.getBoundingClientRect(); \
        const marks = [...cell.querySelectorAll('[data-digit], [data-mark]')].map((mark) => mark.getBoundingClientRect()); \
        const rows = new Set(marks.map((mark) => Math.round(mark.top))).size; \
        return [marks.length, rows, marks.every((mark) => mark.left >= box.left - 1 && mark.right <= box.right + 1 && mark.bottom <= box.bottom + 1)]; })()";
    assert_eq!(player.see(inside).await, json!([8, 3, true]), "marks are in the rows of a 4×4 box");
    player.leave().await;
}

pub async fn made_puzzles_can_be_copied_and_printed_without_the_answer() {
    let player = Player::open("/#make").await;
    player.on_a_desk().await;
    player.see("document.getElementById('make-count').value = '2'").await;
    player.press("make-now").await;
    player.until("document.getElementById('make-copy').checkVisibility()").await;
    let file = "decodeURIComponent(document.getElementById('make-file').href.split(',')[1]).trim().split('\\n').map((line) => line.length)";
    assert_eq!(player.see(file).await, json!([81, 81]));
    player.media(true, false).await;
    let said =
        "[...document.querySelectorAll('.gallery .said')].some((part) => part.checkVisibility())";
    assert_eq!(player.see(said).await, json!(false), "print does not name the technique");
    player.leave().await;
}

pub async fn marks_look_like_those_of_hints() {
    let player = Player::open(&address(PUZZLE)).await;
    player.on_a_desk().await;
    player.press("marks").await;
    let shown = "document.querySelectorAll('#board .candidates').length";
    assert_eq!(player.see(shown).await, json!(51));
    assert_eq!(player.see("document.querySelectorAll('#board .centre').length").await, json!(0));
    // The player's own corner marks stay.
    player.click("#board .cell[data-cell=\"2\"]").await;
    player.key("1", SHIFT).await;
    player.press("marks").await;
    assert_eq!(player.see(shown).await, json!(0));
    assert_eq!(player.text("#board [data-cell=\"2\"] .corner").await, "1");
    player.leave().await;
}

/// All five daily puzzles come with the page, so that no engine has to make them.
pub async fn daily_puzzles_are_there_at_once() {
    let player = Player::open("").await;
    player
        .run_on_every_page(
            "window.asked = []; const own = window.fetch; \
             window.fetch = (...all) => { window.asked.push(String(all[0])); return own(...all); }; \
             const now = Date; window.Date = class extends now { constructor(...all) { if (all.length) super(...all); else super('2026-12-24T12:00:00'); } };",
        )
        .await;
    player.go("/").await;
    player
        .until(
            "Boolean(JSON.parse(localStorage.getItem('ninefold.daily') ?? '{}').puzzles?.extreme)",
        )
        .await;
    assert_eq!(
        player.see("window.asked.some((name) => name.includes('generate'))").await,
        json!(false)
    );
    player.leave().await;
}

/// Every button of an explanation is inside its panel, and the text has space for four lines.
pub async fn explanations_fit_on_every_screen() {
    let fish = "1.....569492.561.8.561.924...964.8.1.64.1....218.356.4.4.5...169.5.614.2621.....5";
    let player = Player::open(&address(fish)).await;
    player.press("explain").await;
    player.until("document.querySelectorAll('#steps li').length > 10").await;
    player
        .see("[...document.querySelectorAll('#steps button')].find((one) => one.textContent.startsWith('X-Wing')).click()")
        .await;
    // Several cells that lose a candidate have its colour.
    assert_eq!(
        player.see("document.querySelector('#reasontext mark').className").await,
        json!("gone")
    );
    for (width, height) in
        [(1440, 900), (1024, 768), (768, 1024), (390, 844), (360, 640), (844, 390)]
    {
        player.screen(width, height).await;
        let outside = "(() => { const panel = document.getElementById('reason').getBoundingClientRect(); \
            return [...document.querySelectorAll('#reason button')].filter((button) => button.checkVisibility() && !button.closest('#steps')) \
                .filter((button) => { const box = button.getBoundingClientRect(); return box.bottom > panel.bottom + 1 || box.right > panel.right + 1 || box.bottom > innerHeight; }) \
                .map((button) => button.dataset.do); })()";
        assert_eq!(player.see(outside).await, json!([]), "{width}x{height}");
        let height_of_text = "document.getElementById('say').clientHeight >= 80";
        assert_eq!(player.see(height_of_text).await, json!(true), "{width}x{height}");
    }
    player.leave().await;
}

/// The buttons and keys of an exercise are visible without scrolling, and not covered.
pub async fn exercises_fit_on_every_screen() {
    let player = open_exercise("naked-pair").await;
    // A cell with candidates, so that there are keys.
    player
        .see(
            "document.querySelector('#lesson-board .cell:has(.candidates)').dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))",
        )
        .await;
    player.see("dispatchEvent(new PointerEvent('pointerup')); scrollTo(0, 0); true").await;
    for (width, height) in
        [(1440, 900), (1024, 768), (768, 1024), (390, 844), (360, 640), (844, 390)]
    {
        player.screen(width, height).await;
        let hidden = "[...document.querySelectorAll('#exercise button, #lesson-board')].filter((part) => part.checkVisibility()) \
            .filter((part) => { const box = part.getBoundingClientRect(); const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2); \
                return box.top < 0 || box.bottom > innerHeight || box.right > innerWidth || !part.contains(top); }) \
            .map((part) => part.dataset.do ?? part.id)";
        assert_eq!(player.see(hidden).await, json!([]), "{width}x{height}");
        let keys = "document.querySelectorAll('#exercise-keys button').length > 1";
        assert_eq!(player.see(keys).await, json!(true), "{width}x{height}");
    }
    player.leave().await;
}

pub async fn nothing_covers_the_win_card() {
    let player = Player::open(&address(SOLVED_BUT_ONE)).await;
    player.on_a_desk().await;
    solve(&player).await;
    player.until("document.getElementById('win-facts').textContent.includes('Hardest')").await;
    player.until("document.getAnimations().length === 0").await;
    for (width, height) in
        [(1440, 900), (1024, 768), (768, 1024), (390, 844), (360, 640), (844, 390)]
    {
        player.screen(width, height).await;
        player.until("document.getAnimations().length === 0").await;
        let faults = "(() => { const range = document.createRange(); range.selectNodeContents(document.getElementById('win-title')); \
            const [title, stamp] = [range, document.querySelector('.stamp.big')].map((part) => part.getBoundingClientRect()); \
            const isCovered = title.left < stamp.right && stamp.left < title.right && title.top + 6 < stamp.bottom && stamp.top < title.bottom - 6; \
            const outside = [...document.querySelectorAll('#win button')].filter((button) => button.checkVisibility() && button.getBoundingClientRect().bottom > innerHeight); \
            return [...(isCovered ? ['stamp'] : []), ...outside.map((button) => button.dataset.do)]; })()";
        assert_eq!(player.see(faults).await, json!([]), "{width}x{height}");
    }
    player.leave().await;
}

/// Minutes have no leading zero, in the game and on the card of Today.
pub async fn times_have_one_format() {
    let player = Player::open(&address(PUZZLE)).await;
    player.on_a_desk().await;
    player.click("#board .cell[data-cell=\"2\"]").await;
    player.keys(&["4"]).await;
    player.until("/^0:0[1-9]$/.test(document.getElementById('timer').textContent)").await;
    player.press("view-today").await;
    let time = player.text("#resume-time").await;
    let (minutes, seconds) = time.split_once(':').expect("minutes and seconds");
    assert_eq!((minutes, seconds.len()), ("0", 2), "{time}");
    player.leave().await;
}

/// The example has sets that are not single cells; otherwise it would be an XY-Wing.
pub async fn als_xz_has_an_example_of_its_own() {
    let player = Player::open("/#lesson=als-xz").await;
    player.on_a_desk().await;
    player.until("document.querySelectorAll('#lesson-board .cell').length === 81").await;
    player.see("document.querySelectorAll('#lesson-parts button')[1].click()").await;
    let cells = "new Set([...document.querySelectorAll('#lesson-board .ink')].map((ink) => ink.closest('.cell').dataset.cell)).size";
    let cells = player.see(cells).await.as_u64().expect("a number");
    assert!(cells > 3, "{cells} cells");
    player.leave().await;
}

/// The network writes the digits that it is surest of first, and names reasons for them.
pub async fn kaleidoscope_gives_reasons() {
    let player = Player::open(&format!("/#watch=kaleidoscope,&p={PUZZLE}")).await;
    player.on_a_desk().await;
    player.until("document.querySelectorAll('#watch-system-0 option').length > 5").await;
    player.press("watch-start").await;
    player.until("document.getElementById('watch-stop').disabled || !document.getElementById('watch-stop').checkVisibility()").await;
    player.press("watch-pause").await;
    player.press("watch-first").await;
    let mut texts = Vec::new();
    for _ in 0..60 {
        player.press("watch-step").await;
        texts.push(player.text("#stage-event-0").await);
    }
    let written: Vec<&String> = texts.iter().filter(|text| text.contains("It writes")).collect();
    assert!(written.len() > 5, "{texts:?}");
    let is_unexplained = |text: &&&String| text.contains("gives no reason");
    assert_eq!(written.iter().filter(is_unexplained).count(), 0, "{written:?}");
    let has_reason =
        |text: &&String| text.contains("Its reason") || text.contains("It names no rule, but");
    assert!(written.iter().take(3).all(has_reason), "{written:?}");
    player.leave().await;
}
