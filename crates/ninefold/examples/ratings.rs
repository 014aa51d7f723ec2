//! Compares Sudoku Explainer's ratings with a table of known ones, and measures the speed on one thread.
//!
//! `cargo run --release -p ninefold --example ratings -- TABLE [FROM] [TO] [SECONDS]`: a CSV file with the columns puzzle,
//! er, ep and ed; only puzzles with FROM ≤ ER ≤ TO are rated, each for at most SECONDS.

use ninefold::Grid;
use ninefold::limits::Limits;
use ninefold::rate::explainer;
use std::time::{Duration, Instant};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |n: usize, otherwise: f64| arguments.get(n).map_or(otherwise, |text| text.parse().expect("a number"));
    let (from, to, seconds) = (number(1, 0.0), number(2, 20.0), number(3, 1e6));
    let table = std::fs::read_to_string(arguments.first().expect("the table")).expect("a table that can be read");
    let mut lines = table.lines();
    let names: Vec<&str> = lines.next().expect("a line of names").split(',').collect();
    let column = |name: &str| names.iter().position(|&other| other == name).expect("a column of that name");
    let (puzzle, er, ep, ed) = (column("puzzle"), column("er"), column("ep"), column("ed"));
    let (mut equal, mut total, mut time) = (0, 0, Duration::ZERO);
    for line in lines {
        let fields: Vec<&str> = line.split(',').collect();
        let known: f64 = fields[er].parse().expect("a rating");
        if known < from || known > to {
            continue;
        }
        let grid: Grid = fields[puzzle].parse().expect("a puzzle");
        let expected = format!("{}/{}/{}", fields[er], fields[ep], fields[ed]);
        let begin = Instant::now();
        let rating = explainer::rate_within(&grid, &Limits::time(Duration::from_secs_f64(seconds)));
        let spent = begin.elapsed();
        time += spent;
        total += 1;
        let found = rating.map_or_else(|error| format!("{error:?}"), |rating| rating.to_string());
        if found == expected {
            equal += 1;
        } else {
            println!("{} expected {expected} found {found} in {:.2} s", fields[puzzle], spent.as_secs_f64());
        }
    }
    println!("{equal} of {total} equal, {:.1} per second", f64::from(total) / time.as_secs_f64());
}
