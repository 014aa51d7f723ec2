//! Compares ratings with a table of reference values and measures the speed on one thread.
//!
//! `cargo run --release -p ninefold --example ratings -- [--hodoku | --dupree] TABLE [FROM] [TO]
//! [SECONDS]`
//!
//! TABLE is a CSV file with a column `puzzle` and the columns of the scale: `er`, `ep` and `ed` for
//! Sudoku Explainer (the default), `score` and `level` for HoDoKu, `score` and `label` for DuPree.
//! Only puzzles whose `er` or `score` is between FROM and TO are rated, each for at most SECONDS.
//! The speed is puzzles per second of CPU time.

#[path = "common/cpu_time.rs"]
mod cpu_time;

use cpu_time::cpu_seconds;
use ninefold::Grid;
use ninefold::limits::Limits;
use ninefold::rate::{dupree, explainer, hodoku};
use std::time::Duration;

/// A scale to compare.
struct Scale {
    columns: &'static [&'static str],
    rate: fn(&Grid, &Limits<'_>) -> String,
}

const EXPLAINER: Scale = Scale {
    columns: &["er", "ep", "ed"],
    rate: |puzzle, limits| {
        to_text(explainer::rate_within(puzzle, limits).map(|rating| rating.to_string()))
    },
};

const HODOKU: Scale = Scale {
    columns: &["score", "level"],
    rate: |puzzle, limits| {
        to_text(
            hodoku::rate_within(puzzle, limits)
                .map(|rating| format!("{}/{}", rating.score, rating.level)),
        )
    },
};

const DUPREE: Scale = Scale {
    columns: &["score", "label"],
    rate: |puzzle, limits| {
        to_text(
            dupree::score_within(puzzle, limits)
                .map(|score| format!("{}/{}", score.points, score.difficulty())),
        )
    },
};

fn to_text<E: std::fmt::Debug>(rating: Result<String, E>) -> String {
    rating.unwrap_or_else(|error| format!("{error:?}"))
}

fn main() {
    let (options, arguments): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|text| text.starts_with("--"));
    let scale = match options.first().map(String::as_str) {
        None => EXPLAINER,
        Some("--hodoku") => HODOKU,
        Some("--dupree") => DUPREE,
        Some(other) => panic!(
            "unknown scale {other}; use --hodoku or --dupree, or no option for Sudoku Explainer"
        ),
    };
    let number = |n: usize, otherwise: f64| {
        arguments.get(n).map_or(otherwise, |text| text.parse().expect("a number"))
    };
    let (from, to, seconds) = (number(1, 0.0), number(2, f64::MAX), number(3, 1e6));
    let limits = Limits::none().with_time(Duration::from_secs_f64(seconds));
    let table = std::fs::read_to_string(
        arguments.first().expect("usage: ratings [--hodoku | --dupree] TABLE"),
    )
    .expect("the table can be read");
    let is_wanted =
        |(_, known): &(&str, Vec<&str>)| (from..=to).contains(&known[0].parse().expect("a number"));
    let rows: Vec<(&str, Vec<&str>)> =
        rows(&table, scale.columns).into_iter().filter(is_wanted).collect();
    let puzzles: Vec<Grid> =
        rows.iter().map(|(puzzle, _)| puzzle.parse().expect("a puzzle")).collect();
    let begin = cpu_seconds();
    let ratings: Vec<String> = puzzles.iter().map(|puzzle| (scale.rate)(puzzle, &limits)).collect();
    let per_second = ratings.len() as f64 / (cpu_seconds() - begin);
    let mut equal = 0;
    for ((puzzle, known), found) in rows.iter().zip(&ratings) {
        let expected = known.join("/");
        if found.eq_ignore_ascii_case(&expected) {
            equal += 1;
        } else {
            println!("{puzzle} expected {expected} found {found}");
        }
    }
    println!("{equal} of {} equal, {per_second:.1} per second", ratings.len());
}

/// The puzzles with the values of some columns.
fn rows<'a>(table: &'a str, columns: &[&str]) -> Vec<(&'a str, Vec<&'a str>)> {
    let mut lines = table.lines();
    let names: Vec<&str> = lines.next().expect("a header line").split(',').collect();
    let place = |name: &str| {
        names.iter().position(|&other| other == name).expect("a column with this name")
    };
    let (puzzle, columns): (usize, Vec<usize>) =
        (place("puzzle"), columns.iter().map(|name| place(name)).collect());
    let fields = lines.map(|line| line.split(',').collect::<Vec<&str>>());
    fields
        .map(|fields| (fields[puzzle], columns.iter().map(|&column| fields[column]).collect()))
        .collect()
}
