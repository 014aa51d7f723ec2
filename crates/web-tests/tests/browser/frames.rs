//! The board reacts to a key in one frame: the next frame that the browser paints shows all
//! changes.

use crate::player::Player;
use serde_json::{Value, json};

/// Observes the board in every frame. Keeps the first frame after a key, as the digit and
/// background of each cell; `late` counts the changes between that frame and the next key.
const EYES: &str = "(() => {
    const board = document.getElementById('board');
    const look = () => [...board.querySelectorAll('.cell')].map((cell) =>
        `${cell.querySelector('.digit')?.textContent ?? '.'} ${getComputedStyle(cell).backgroundColor}`);
    window.eyes = { look, first: null, late: 0, frames: 0 };
    let key = null;
    addEventListener('keydown', (event) => { key = event.key; Object.assign(eyes, { first: null, late: 0 }); }, true);
    new MutationObserver((changes) => { if (eyes.first) eyes.late += changes.length; })
        .observe(board, { subtree: true, childList: true, attributes: true, characterData: true });
    const frame = () => {
        eyes.frames += 1;
        if (key) Object.assign(eyes, { first: look(), since: eyes.frames });
        key = null;
        requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
})()";

pub async fn a_key_takes_effect_in_one_frame() {
    let player = Player::open_alone("/").await;
    player.on_a_desk().await;
    for (side, box_side) in [(4, 2), (9, 3), (16, 4)] {
        // Only two cells are filled: a 2 in the second row and another one in the last.
        let (cell, last) = (side + 1, side * side - 1);
        let puzzle: String =
            (0..side * side).map(|at| if at == last { '2' } else { '.' }).collect();
        player.go(&format!("/#p={puzzle}")).await;
        player.click(&format!("#board .cell[data-cell=\"{cell}\"]")).await;
        player.see(EYES).await;
        let background = async |name: &str| {
            let seen = format!(
                "(() => {{ const probe = document.createElement('i'); probe.style.backgroundColor = 'var(--{name})'; \
                 document.body.append(probe); const seen = getComputedStyle(probe).backgroundColor; probe.remove(); \
                 return seen; }})()"
            );
            player.see(&seen).await.as_str().expect("a colour").to_string()
        };
        let (selected, peer, equal) =
            (background("selected").await, background("peer").await, background("equal").await);
        let peers = 2 * (side - 1) + (box_side - 1) * (box_side - 1);
        let count = |look: &[String], colour: &str| {
            look.iter().filter(|cell| cell.ends_with(colour)).count()
        };

        let look = assert_one_frame(&player, "2").await;
        assert_eq!(look[cell], format!("2 {selected}"));
        assert_eq!((count(&look, &peer), count(&look, &equal)), (peers, 1), "{side}");
        assert_eq!(look[last], format!("2 {equal}"), "the other 2");

        let look = assert_one_frame(&player, "ArrowRight").await;
        assert_eq!(look[cell + 1], format!(". {selected}"));
        assert_eq!((count(&look, &peer), count(&look, &equal)), (peers, 0), "{side}");

        let look = assert_one_frame(&player, "1").await;
        assert_eq!(look[cell + 1], format!("1 {selected}"));
        let look = assert_one_frame(&player, "Backspace").await;
        assert_eq!(look[cell + 1], format!(". {selected}"));
    }
    player.leave().await;
}

/// Presses a key and returns the first frame, after checking that ten more frames change nothing.
async fn assert_one_frame(player: &Player, key: &str) -> Vec<String> {
    player.keys(&[key]).await;
    player.until("eyes.first !== null && eyes.frames >= eyes.since + 10").await;
    assert_eq!(
        player.see("eyes.late").await,
        json!(0),
        "after {key} nothing on the board changes any more"
    );
    let first = player.see("eyes.first").await;
    assert_eq!(first, player.see("eyes.look()").await, "after {key}, no colour changes later");
    first
        .as_array()
        .expect("cells")
        .iter()
        .map(|cell| cell.as_str().unwrap_or("").to_string())
        .collect()
}

/// Prints the CPU time of a key press by part, and checks that every key is painted.
/// `NINEFOLD_KEYS=40` presses more keys for a better measurement.
pub async fn measures_the_cost_of_each_key() {
    let count =
        std::env::var("NINEFOLD_KEYS").map_or(8, |count| count.parse().expect("a number of keys"));
    let player = Player::open_alone("/").await;
    player.on_a_desk().await;
    println!(
        "| board | {} | all on the main thread | raster | frames | key to commit |",
        PARTS.map(|(name, _)| name).join(" | ")
    );
    println!("|---|{}---:|---:|---:|---:|", "---:|".repeat(PARTS.len()));
    for side in [4, 9, 16] {
        for marks in [false, true] {
            player.go(&format!("/#p={}", ".".repeat(side * side))).await;
            player.click(&format!("#board .cell[data-cell=\"{}\"]", side + 1)).await;
            player.settle("auto", &marks.to_string()).await;
            if marks {
                player.until("document.querySelectorAll('#board .candidates').length > 9").await;
            }
            let keys = ["1", "2", "ArrowRight", "3", "4", "ArrowDown", "2", "Backspace"]
                .into_iter()
                .cycle();
            let keys: Vec<&str> = keys.take(count).collect();
            let trace = player.traced(press(&player, &keys)).await;
            let costs = key_costs(&trace);
            assert_eq!(costs.len(), keys.len(), "every key is in the trace");
            assert!(
                costs.iter().all(|cost| cost[FRAMES] >= 1.0),
                "every key leads to a frame: {costs:?}"
            );
            let name = if marks {
                format!("{side}×{side} with marks")
            } else {
                format!("{side}×{side}")
            };
            let column = |index: usize| {
                let mut column: Vec<f64> = costs.iter().map(|cost| cost[index]).collect();
                column.sort_by(f64::total_cmp);
                format!("{:.2} / {:.2}", column[column.len() / 2], column[column.len() - 1])
            };
            let columns: Vec<String> = (0..costs[0].len()).map(column).collect();
            println!("| {name} | {} |", columns.join(" | "));
        }
    }
    player.leave().await;
}

/// Presses keys with time to paint between them.
async fn press(player: &Player, keys: &[&str]) {
    for key in keys {
        player.see("window.rested = false; true").await;
        player.keys(&[key]).await;
        player.see("setTimeout(() => { window.rested = true; }, 150); true").await;
        player.until("window.rested === true").await;
    }
}

/// The parts of the work on the main thread, by the names that the browser uses.
const PARTS: [(&str, &str); 7] = [
    ("script", "EventDispatch"),
    ("style", "UpdateLayoutTree"),
    ("layout", "Layout"),
    ("pre-paint", "PrePaint"),
    ("paint", "Paint"),
    ("layerize", "Layerize"),
    ("commit", "Commit"),
];

/// The index of the number of frames among the costs of a key.
const FRAMES: usize = PARTS.len() + 2;

/// For each key: the CPU time in milliseconds of each part and in total, that of the raster
/// threads, the number of frames, and the wall time from the key to the end of the first commit.
fn key_costs(trace: &[Value]) -> Vec<Vec<f64>> {
    let time = |event: &Value, name: &str| event[name].as_f64().unwrap_or(0.0) / 1000.0;
    let is_key = |event: &Value| {
        event["name"] == "EventDispatch" && event["args"]["data"]["type"] == "keydown"
    };
    let mut keys: Vec<&Value> = trace.iter().filter(|event| is_key(event)).collect();
    keys.sort_by(|a, b| time(a, "ts").total_cmp(&time(b, "ts")));
    let starts: Vec<f64> = keys.iter().map(|key| time(key, "ts")).chain([f64::INFINITY]).collect();
    let cost = |(index, key): (usize, &&Value)| {
        let mine: Vec<&Value> = trace
            .iter()
            .filter(|event| event["pid"] == key["pid"])
            .filter(|event| (starts[index]..starts[index + 1]).contains(&time(event, "ts")))
            .collect();
        // Some names occur on several threads; rasterization is never on the main thread.
        let is_here =
            |event: &Value, name: &str| event["name"] == name && event["tid"] == key["tid"];
        let here = |name: &'static str| mine.iter().filter(move |event| is_here(event, name));
        let spent = |name: &'static str| here(name).map(|event| time(event, "tdur")).sum::<f64>();
        let raster: f64 = mine
            .iter()
            .filter(|event| event["name"] == "RasterTask")
            .map(|event| time(event, "tdur"))
            .sum();
        // Only the event of the key: work a quarter of a second later does not belong to the frame.
        let script = time(key, "tdur");
        let mut costs: Vec<f64> = PARTS
            .iter()
            .map(|(_, name)| if *name == "EventDispatch" { script } else { spent(name) })
            .collect();
        let committed = here("Commit")
            .map(|event| time(event, "ts") + time(event, "dur"))
            .fold(f64::INFINITY, f64::min);
        let frames = here("Commit").count() as f64;
        costs.extend([costs.iter().sum(), raster, frames, committed - starts[index]]);
        costs
    };
    keys.iter().enumerate().map(cost).collect()
}

/// Types a digit repeatedly from the start, and records when the board and when the digit appears.
const IMPATIENT: &str = "
    window.first = { drawn: null, plays: null };
    const again = setInterval(() => {
        const board = document.getElementById('board');
        if (first.drawn === null && board?.querySelector('.cell')) first.drawn = performance.now();
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key: '4', code: 'Digit4', bubbles: true }));
        if (board?.querySelector('[data-cell=\"2\"] .digit')?.textContent !== '4') return;
        first.plays = performance.now();
        clearInterval(again);
    }, 4);
";

/// Prints how long the first visit with an empty cache takes on a slow phone until the page is
/// playable. `NINEFOLD_VISITS=9` repeats it nine times, each with a new browser, and prints the
/// median, too.
pub async fn measures_the_first_visit_on_a_slow_phone() {
    let visits = std::env::var("NINEFOLD_VISITS")
        .map_or(1, |count| count.parse().expect("a number of visits"));
    let mut plays = Vec::new();
    for _ in 0..visits {
        plays.push(visit_on_a_slow_phone().await);
    }
    plays.sort_by(f64::total_cmp);
    println!(
        "on a slow phone the board plays after {:.0} ms, the middle of {visits} visits",
        plays[visits / 2]
    );
}

/// One visit: the milliseconds until the board takes a key.
async fn visit_on_a_slow_phone() -> f64 {
    let player = Player::open_alone("").await;
    player.on_a_slow_phone().await;
    player.run_on_every_page(IMPATIENT).await;
    player.go(&format!("/#p={}", crate::PUZZLE)).await;
    player.until("window.first.plays !== null").await;
    let files = "performance.getEntriesByType('navigation').concat(performance.getEntriesByType('resource'))\
                 .filter((file) => file.startTime < first.plays && !file.name.includes('/api/'))";
    println!(
        "drawn after {} ms, plays after {} ms, with {} files and {} bytes",
        player.see("Math.round(first.drawn)").await,
        player.see("Math.round(first.plays)").await,
        player.see(&format!("{files}.length")).await,
        player.see(&format!("{files}.reduce((sum, file) => sum + file.transferSize, 0)")).await,
    );
    assert_eq!(&player.board().await[2..3], "4");
    let plays = player.see("first.plays").await.as_f64().expect("milliseconds");
    player.leave().await;
    plays
}
