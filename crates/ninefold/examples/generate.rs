//! Generates symmetric puzzles of medium or hard difficulty.
//!
//! ```sh
//! cargo run --release -p ninefold --example generate -- 5 2026
//! ```
//! prints five puzzles with the seed 2026. The same seed gives the same puzzles on every machine.

use ninefold::generate::{self, PatternSymmetry, RatingRange};
use ninefold::rate::effort::Level;
use ninefold::{GenerateOptions, Order};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut numbers = std::env::args().skip(1);
    let count: u64 = numbers.next().map_or(Ok(3), |text| text.parse())?;
    let seed: u64 = numbers.next().map_or(Ok(1), |text| text.parse())?;

    let difficulty = RatingRange::Effort(Level::Medium..=Level::Hard);
    let options = GenerateOptions::new(Order::NINE)
        .with_clues(22..=30)
        .with_symmetry(PatternSymmetry::HalfTurn)
        .with_requirement(&difficulty);

    // A puzzle depends only on the options, the seed and its index, so the number of threads does
    // not change the puzzles. They arrive in order; returning `false` stops the generator.
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get());
    generate::generate_many(&options, seed, 0..count, threads, |_, result| {
        match result {
            Ok(generated) => println!("{}", generated.puzzle),
            Err(error) => eprintln!("{error}"),
        }
        true
    });
    Ok(())
}
