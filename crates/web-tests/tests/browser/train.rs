//! The trainer: answers are judged, rated and repeated, storms are counted, and everything is kept.

use crate::player::Player;
use serde_json::json;

/// The stored training.
const KEPT: &str = "JSON.parse(localStorage.getItem('ninefold.train'))";

/// Waits until a position is open.
async fn until_open(player: &Player) {
    player
        .until("document.querySelectorAll('#train-board .cell').length === 81 && document.getElementById('train-check').checkVisibility()")
        .await;
}

/// The conclusion of the displayed step: the first struck or placed candidate, as `[cell, digit]`.
const SHOWN: &str = "(() => { const ink = document.querySelector('#train-board :is(.ink.removed, .ink.placed)'); \
    return [Number(ink.closest('.cell').dataset.cell), Number(ink.dataset.digit)]; })()";

pub async fn answers_are_judged_rated_and_repeated() {
    let player = Player::open("/#train").await;
    player.on_a_desk().await;
    until_open(&player).await;
    player.pictures("train").await;
    player.choose("train-wanted", "naked-single").await;
    player
        .until("document.getElementById('train-task').textContent === 'Find a step: Naked Single'")
        .await;
    until_open(&player).await;

    // The solution of the position, to give a right and a wrong answer on purpose.
    let solve = "window.solved = null; (async () => { const cells = [...document.querySelectorAll('#train-board .cell')]; \
        const puzzle = cells.map((cell) => cell.querySelector('.digit')?.textContent ?? '.').join(''); \
        const answer = await fetch('api/solve', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ puzzle }) }); \
        window.solved = { puzzle, solution: (await answer.json()).solution }; })(); true";
    player.see(solve).await;
    player.until("window.solved !== null").await;
    let place = |what: &str| {
        // `of-one` is a cell with one candidate, `wrong` a candidate that is not in the solution.
        format!(
            "(() => {{ const cells = [...document.querySelectorAll('#train-board .cell')]; \
               const digits = (cell) => [...cell.querySelectorAll('.candidates [data-digit]')].map((one) => Number(one.dataset.digit)); \
               const at = cells.findIndex((cell, index) => {what}); return at; }})()"
        )
    };
    let single =
        player.see(&place("digits(cell).length === 1")).await.as_u64().expect("a naked single");
    player.click(&format!("#train-board .cell[data-cell=\"{single}\"]")).await;
    let digit = player.see(&format!("window.solved.solution[{single}]")).await;
    player.keys(&[digit.as_str().expect("a digit"), "Enter"]).await;
    player
        .until(
            "document.getElementById('train-said').textContent.startsWith('Right: Naked Single.')",
        )
        .await;
    player.picture("train-right").await;
    let rating = player.see(&format!("{KEPT}.overall.rating")).await.as_f64().expect("a rating");
    assert!(rating > 1200.0, "{rating}");
    assert_eq!(player.see(&format!("{KEPT}.techniques['naked-single'].right")).await, json!(1));
    assert_eq!(player.see(&format!("{KEPT}.streak.now")).await, json!(1));
    assert_eq!(player.see(&format!("{KEPT}.cards.length")).await, json!(0));

    // A wrong digit is shown why, and comes back later.
    player.keys(&["Enter"]).await;
    until_open(&player).await;
    player.see(solve).await;
    player.until("window.solved?.puzzle === [...document.querySelectorAll('#train-board .cell')].map((cell) => cell.querySelector('.digit')?.textContent ?? '.').join('')").await;
    let wrong = player
        .see(&place(
            "digits(cell).some((digit) => digit !== Number(window.solved.solution[index]))",
        ))
        .await
        .as_u64()
        .expect("a cell with several candidates");
    player.click(&format!("#train-board .cell[data-cell=\"{wrong}\"]")).await;
    let digit = player
        .see(&format!("[...document.querySelectorAll('#train-board [data-cell=\"{wrong}\"] .candidates [data-digit]')].map((one) => one.dataset.digit).find((digit) => digit !== window.solved.solution[{wrong}])"))
        .await;
    player.keys(&[digit.as_str().expect("a digit"), "Enter"]).await;
    player
        .until(
            "document.querySelector('#train-said .bad')?.textContent.includes(' is not ') === true",
        )
        .await;
    let said = player.text("#train-said").await;
    assert!(said.contains("This grid cannot be completed"), "{said}");
    assert!(said.contains("The checker says: it does not follow"), "{said}");
    player.picture("train-wrong").await;
    assert_eq!(player.see(&format!("{KEPT}.streak.now")).await, json!(0));
    assert_eq!(player.see(&format!("{KEPT}.streak.best")).await, json!(1));
    assert_eq!(player.see(&format!("{KEPT}.cards.length")).await, json!(1));
    let now = player.see(&format!("{KEPT}.overall.rating")).await.as_f64().expect("a rating");
    assert!(now < rating, "{now} {rating}");

    // The missed position is due after ten minutes: it is the next one, and a right answer moves it
    // to the next day.
    player
        .see(&format!("(() => {{ const kept = {KEPT}; kept.cards[0].due = Date.now() - 1000; localStorage.setItem('ninefold.train', JSON.stringify(kept)); }})()"))
        .await;
    player.go("/#train").await;
    until_open(&player).await;
    player.until("document.getElementById('train-said').textContent.startsWith('Repeated')").await;
    let (cell, digit) = (
        player.see(&format!("{KEPT}.cards[0].places[0][0]")).await,
        player.see(&format!("{KEPT}.cards[0].places[0][1]")).await,
    );
    player.click(&format!("#train-board .cell[data-cell=\"{cell}\"]")).await;
    player.keys(&[&digit.to_string(), "Enter"]).await;
    player.until("document.getElementById('train-said').textContent.startsWith('Right')").await;
    assert_eq!(player.see(&format!("{KEPT}.cards[0].box")).await, json!(1));
    let days =
        player.see(&format!("Math.round(({KEPT}.cards[0].due - Date.now()) / 86400000)")).await;
    assert_eq!(days, json!(1));

    // The page of progress, and the export.
    player.click("#train-tabs [data-tab=\"progress\"]").await;
    player.until("document.querySelectorAll('#train-table tbody tr').length === 1").await;
    player.pictures("train-progress").await;
    let exported = player.see("decodeURIComponent(document.getElementById('train-export').href.split(',').slice(1).join(','))").await;
    let exported: serde_json::Value =
        serde_json::from_str(exported.as_str().expect("a text")).expect("JSON");
    assert_eq!(exported["train"]["answers"].as_array().expect("answers").len(), 3);
    player.leave().await;
}

pub async fn a_valid_deduction_counts_whatever_its_name() {
    let player = Player::open("/#train").await;
    player.on_a_desk().await;
    until_open(&player).await;
    player.choose("train-wanted", "x-wing").await;
    player
        .until("document.getElementById('train-task').textContent === 'Find a step: X-Wing'")
        .await;
    until_open(&player).await;
    // The step is shown on request, which counts as missed.
    player.click("#train-show").await;
    player.until("document.querySelectorAll('#train-board .ink.removed').length > 0").await;
    assert!(player.text("#train-said").await.contains("The step: X-Wing."));
    let shown = player.see(SHOWN).await;
    assert!(shown[1].as_u64().is_some_and(|digit| digit > 0), "{shown}");
    player.picture("train-x-wing").await;
    assert_eq!(player.see(&format!("{KEPT}.techniques['x-wing'].count")).await, json!(1));
    // The same position again, with the keys of the page: strike it.
    player
        .see(&format!("(() => {{ const kept = {KEPT}; kept.cards[0].due = 0; localStorage.setItem('ninefold.train', JSON.stringify(kept)); }})()"))
        .await;
    player.go("/#train").await;
    until_open(&player).await;
    let (cell, digit) = (shown[0].as_u64().expect("a cell"), shown[1].as_u64().expect("a digit"));
    player.click(&format!("#train-board .cell[data-cell=\"{cell}\"]")).await;
    player.click(&format!("#train-keys .key:nth-child({})", 1 + player
        .see(&format!("[...document.querySelectorAll('#train-keys .key')].findIndex((key) => key.textContent === '{digit}')"))
        .await.as_u64().expect("a key"))).await;
    player.click("#train-check").await;
    player
        .until("document.getElementById('train-said').textContent.startsWith('Right: X-Wing.')")
        .await;
    player.leave().await;
}

pub async fn a_storm_counts_right_answers_until_the_time_is_up() {
    let player = Player::open("/#train").await;
    player.on_a_desk().await;
    until_open(&player).await;
    // The clock of the page runs faster, so that three minutes are over soon.
    player
        .see("(() => { const real = performance.now.bind(performance); const from = real(); window.faster = 1; let last = from; let sum = from; performance.now = () => { const now = real(); sum += (now - last) * window.faster; last = now; return sum; }; })()")
        .await;
    player.click("#train-tabs [data-tab=\"storm\"]").await;
    player.click("#train-storm").await;
    until_open(&player).await;
    player.pictures("storm").await;
    for wanted in 1..=3 {
        until_open(&player).await;
        player
            .see("window.solved = null; (async () => { const cells = [...document.querySelectorAll('#train-board .cell')]; const puzzle = cells.map((cell) => cell.querySelector('.digit')?.textContent ?? '.').join(''); const marks = cells.map((cell) => [...cell.querySelectorAll('.candidates [data-digit]')].map((one) => Number(one.dataset.digit))); const answer = await fetch('api/hint', { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ puzzle, marks }) }); window.solved = (await answer.json()).step; })(); true")
            .await;
        player.until("window.solved !== null").await;
        let one = player
            .see("(({ places, removes }) => [...places, ...removes][0])(window.solved)")
            .await;
        let is_placed = player.see("window.solved.places.length > 0").await == json!(true);
        player
            .click(&format!(
                "#train-modes [data-mode=\"{}\"]",
                if is_placed { "place" } else { "strike" }
            ))
            .await;
        player.click(&format!("#train-board .cell[data-cell=\"{}\"]", one["index"])).await;
        player.keys(&[&one["digit"].to_string()]).await;
        player.keys(&["Enter"]).await;
        player
            .until(&format!(
                "document.getElementById('train-figures').textContent.startsWith('{wanted} solved')"
            ))
            .await;
    }
    player.see("window.faster = 100").await;
    player.until("document.getElementById('train-said').textContent.startsWith('Time is up: 3 solved. That is your best storm.')").await;
    assert_eq!(player.see(&format!("{KEPT}.storms[0].score")).await, json!(3));
    // Storms do not change ratings.
    assert_eq!(player.see(&format!("{KEPT}.answers.length")).await, json!(0));
    player.leave().await;
}

/// The example of Glickman's description of Glicko-2.
pub async fn ratings_follow_glicko_2() {
    let player = Player::open("/").await;
    let example = "import('./train.js').then(({ rated }) => rated({ rating: 1500, deviation: 200, volatility: 0.06 }, \
        [{ rating: 1400, deviation: 30, score: 1 }, { rating: 1550, deviation: 100, score: 0 }, { rating: 1700, deviation: 300, score: 0 }]))";
    let rated = player.see(example).await;
    let value = |name: &str| rated[name].as_f64().expect("a number");
    assert!((value("rating") - 1464.06).abs() < 0.01, "{rated}");
    assert!((value("deviation") - 151.52).abs() < 0.01, "{rated}");
    assert!((value("volatility") - 0.05999).abs() < 0.00001, "{rated}");
    player.leave().await;
}

/// Techniques of rules are trained on puzzles with these rules; a missed one comes back with them.
pub async fn techniques_of_rules_are_trained() {
    let player = Player::open("/#train").await;
    player.on_a_desk().await;
    until_open(&player).await;
    player.choose("train-wanted", "cage-combinations").await;
    let task =
        "document.getElementById('train-task').textContent === 'Find a step: Cage Combinations'";
    player.until(task).await;
    until_open(&player).await;
    player.until("document.querySelectorAll('#train-board.ruled .r-cage').length > 10").await;
    player.picture("train-killer").await;
    player.click("#train-show").await;
    player.until("document.getElementById('train-said').textContent.includes('The step: Cage Combinations.')").await;
    player.until("document.querySelector('#train-board .ink.removed') !== null").await;
    let shown = player.see(SHOWN).await;
    assert_ne!(player.see(&format!("{KEPT}.cards[0].rules.cage.length > 10")).await, json!(false));

    // The same position again, and this time the right answer.
    player
        .see(&format!("(() => {{ const kept = {KEPT}; kept.cards[0].due = Date.now() - 1000; localStorage.setItem('ninefold.train', JSON.stringify(kept)); }})()"))
        .await;
    player.go("/#train").await;
    until_open(&player).await;
    player.until("document.getElementById('train-said').textContent.startsWith('Repeated')").await;
    player.until("document.querySelectorAll('#train-board.ruled .r-cage').length > 10").await;
    player.click(&format!("#train-board .cell[data-cell=\"{}\"]", shown[0])).await;
    player.keys(&[&shown[1].to_string(), "Enter"]).await;
    player
        .until("document.getElementById('train-said').textContent.startsWith('Right: Cage')")
        .await;
    player.leave().await;
}
