//! Measures how many puzzles the six rules of Cheewaprakobkit et al. solve:
//! `cargo run --release --example six_rules -- FILE`.
//!
//! Prints the percentage of solved puzzles, and for each rule the number of placed digits and the
//! number of puzzles that needed it.

use ninefold::grid::Grid;
use ninefold::logic::six_rules::{self, RULES};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1).ok_or("usage: six_rules FILE")?;
    let text = std::fs::read_to_string(file)?;
    let (mut puzzles, mut solved, mut digits) = (0, 0, 0);
    let mut in_digits = [0usize; RULES.len()];
    let mut in_puzzles = [0usize; RULES.len()];
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let puzzle: Grid = line.split([' ', ',']).next().unwrap_or_default().parse()?;
        let run = six_rules::solve(&puzzle)?;
        puzzles += 1;
        solved += usize::from(run.is_solved());
        digits += run.digits.len();
        for number in 0..RULES.len() {
            let used = run.digits.iter().filter(|digit| digit.uses_rule(number + 1)).count();
            in_digits[number] += used;
            in_puzzles[number] += usize::from(used > 0);
        }
    }
    println!(
        "{solved} of {puzzles} puzzles solved ({:.2} %)",
        100.0 * solved as f64 / puzzles as f64
    );
    for (number, rule) in RULES.iter().enumerate() {
        let (of_digits, of_puzzles) = (in_digits[number], in_puzzles[number]);
        println!(
            "rule {} {rule}: {of_digits} of {digits} digits, {of_puzzles} puzzles",
            number + 1
        );
    }
    Ok(())
}
