//! A cost fuzzer: searches the requests with the slowest answers, per byte of the request, over all
//! paths of the API.
//!
//! `cargo run --release -p ninefold-api --example cost -- 60` mutates requests for 60 seconds,
//! keeps the most expensive ones, and prints them. It calls the API directly, without a server, in
//! one thread, so the times do not depend on queues. Time limits apply: an answer at its limit
//! costs exactly that limit, and the table shows how few bytes are needed to reach it.

use ninefold::random::Random;
use ninefold_formats::{Entry, Format, Writer};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The paths that compute something from their request.
const PATHS: [&str; 11] = [
    "solve", "check", "hint", "explain", "rate", "generate", "read", "picture", "judge", "study",
    "write",
];

/// The longest body that the server accepts.
const MAX_BYTES: usize = 128 * 1024;

#[derive(Clone)]
struct Case {
    path: &'static str,
    body: String,
    time: Duration,
}

impl Case {
    fn measure(path: &'static str, body: String) -> Case {
        let started = Instant::now();
        // Errors are answers, too.
        let _ = ninefold_api::call(path, &body);
        Case { path, body, time: started.elapsed() }
    }

    fn micros_per_byte(&self) -> f64 {
        // A request without a body is not free, because it has a head.
        1e6 * self.time.as_secs_f64() / self.body.len().max(16) as f64
    }
}

fn main() {
    let seconds = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(60);
    let end = Instant::now() + Duration::from_secs(seconds);
    let mut random = Random::new(42);
    let mut worst: Vec<Vec<Case>> = PATHS
        .iter()
        .map(|path| seeds(path).into_iter().map(|body| Case::measure(path, body)).collect())
        .collect();
    let mut requests: usize = worst.iter().map(Vec::len).sum();
    while Instant::now() < end {
        let place = random.below(PATHS.len());
        let cases = &mut worst[place];
        let parent = cases[random.below(cases.len())].body.clone();
        let body = mutate(&parent, &mut random);
        if body.len() > MAX_BYTES {
            continue;
        }
        cases.push(Case::measure(PATHS[place], body));
        cases.sort_by(|a, b| b.micros_per_byte().total_cmp(&a.micros_per_byte()));
        cases.truncate(16);
        requests += 1;
    }
    println!("{requests} requests in {seconds} s\n");
    println!("| path | µs per byte | answer | request | beginning |");
    println!("|---|---:|---:|---:|---|");
    for case in worst.iter().filter_map(|cases| cases.first()) {
        let beginning: String = case.body.chars().take(48).collect();
        println!(
            "| {} | {:.1} | {:.3} s | {} bytes | `{beginning}` |",
            case.path,
            case.micros_per_byte(),
            case.time.as_secs_f64(),
            case.body.len()
        );
    }
}

fn seeds(path: &str) -> Vec<String> {
    let puzzles = [
        "1..4..1..3..4..3".to_string(),
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".into(),
        "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..".into(),
        ".".repeat(81),
        ".".repeat(256),
    ];
    let puzzles: Vec<String> = puzzles.into_iter().chain(VARIANTS.map(str::to_string)).collect();
    let bodies: Vec<Value> = match path {
        "generate" => vec![json!({}), json!({ "seed": 1, "clues": [24, 26] })],
        "read" => texts().into_iter().map(|text| json!({ "text": text })).collect(),
        "picture" => puzzles
            .iter()
            .flat_map(|puzzle| {
                [json!({ "puzzle": puzzle }), json!({ "puzzle": puzzle, "step": 1 })]
            })
            .collect(),
        "judge" => {
            let judged = |puzzle| json!({ "puzzle": puzzle, "places": [[0, 1]] });
            puzzles.iter().map(judged).collect()
        }
        "study" => puzzles
            .iter()
            .flat_map(|puzzle| {
                ["solutions", "redundant", "candidates"]
                    .map(|what| json!({ "puzzle": puzzle, "what": what }))
            })
            .collect(),
        "write" => {
            let written = |puzzle| json!({ "puzzle": puzzle, "format": "fpuzzles" });
            puzzles.iter().map(written).collect()
        }
        _ => puzzles.iter().map(|puzzle| json!({ "puzzle": puzzle })).collect(),
    };
    bodies.iter().map(Value::to_string).collect()
}

/// Empty grids with rules, from the smallest to the largest.
const VARIANTS: [&str; 4] = [
    r#"{"size": 4, "grid": [[{},{},{},{}],[{},{},{},{}],[{},{},{},{}],[{},{},{},{}]],
        "killercage": [{"cells": ["R1C1", "R1C2", "R2C1"], "value": "6"}]}"#,
    r#"{"puzzle": ".................................................................................",
        "rules": {"boxes": "3x3", "diagonals": ["rising", "falling"], "anti_knight": true,
        "cage": [{"cells": "r1c1 r1c2 r1c3 r2c1", "sum": 20}, {"cells": "r9c9 r9c8", "sum": 9}],
        "arrow": [{"circle": "r5c5", "lines": ["r5c5 r5c6 r5c7 r5c8 r5c9"]}],
        "thermometer": [{"cells": "r1c9 r2c9 r3c9 r4c9"}]}}"#,
    r#"{"puzzle": "................................................................................................................................................................................................................................................................",
        "rules": {"boxes": "4x4", "nonconsecutive": true}}"#,
    r#"{"puzzle": "................................................................................................................................................................................................................................................................",
        "rules": {"size": 16, "disjoint_groups": false, "anti_king": true}}"#,
];

/// A puzzle and an empty grid of each size in each text format, and many links.
fn texts() -> Vec<String> {
    let puzzle =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    let entries = [puzzle.to_string(), ".".repeat(625), ".".repeat(4096)]
        .map(|line| Entry::new(line.parse().expect("a grid of this size")));
    let formats = Format::ALL.into_iter().filter(|format| *format != Format::Parquet);
    let written = |format: Format, entry: &Entry| {
        let mut writer = Writer::new(format, Vec::new()).ok()?;
        writer.write(entry).ok()?;
        String::from_utf8(writer.finish().ok()?).ok()
    };
    let mut texts: Vec<String> = formats
        .flat_map(|format| entries.iter().filter_map(move |entry| written(format, entry)))
        .collect();
    let links = written(Format::Fpuzzles, &entries[2]).expect("a link");
    texts.push(links.repeat((MAX_BYTES / 2) / links.len()));
    texts
}

/// Changes, repeats or removes a part.
fn mutate(body: &str, random: &mut Random) -> String {
    const SYMBOLS: &[u8] = b"0123456789.,:;|-[]{}\" ABCxyz/=?\\n";
    let mut bytes = body.as_bytes().to_vec();
    for _ in 0..1 + random.below(4) {
        let at = random.below(bytes.len().max(1)).min(bytes.len());
        match random.below(4) {
            0 if at < bytes.len() => bytes[at] = SYMBOLS[random.below(SYMBOLS.len())],
            1 => bytes.insert(at, SYMBOLS[random.below(SYMBOLS.len())]),
            2 => {
                let part = bytes[at..(at + random.below(200)).min(bytes.len())].to_vec();
                bytes.splice(at..at, part);
            }
            _ => _ = bytes.drain(at..(at + random.below(20)).min(bytes.len())),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
