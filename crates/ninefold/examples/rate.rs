//! Rates the difficulty of puzzles on several scales and lists the techniques that they need.
//!
//! ```sh
//! cargo run --release -p ninefold --example rate -- \
//!     53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
//! ```

use ninefold::rate::{explainer, hodoku};
use ninefold::{Grid, Limits};
use std::error::Error;
use std::time::Duration;

fn main() -> Result<(), Box<dyn Error>> {
    for text in std::env::args().skip(1) {
        let puzzle: Grid = text.parse()?;
        println!("{puzzle}");

        // The techniques of the explanation, from hard to easy, with the number of their steps.
        for (technique, steps) in ninefold::rate(&puzzle)?.techniques {
            println!("  {technique} (tier {}): {steps}", technique.tier());
        }

        // Ratings of the hardest puzzles can take minutes, so limit the time.
        let limits = Limits::none().with_time(Duration::from_secs(30));
        match explainer::rate_within(&puzzle, &limits) {
            Ok(rating) => println!("  Sudoku Explainer: {rating}"),
            Err(error) => println!("  Sudoku Explainer: {error}"),
        }
        match hodoku::rate_within(&puzzle, &limits) {
            Ok(rating) => println!("  HoDoKu: {} ({})", rating.score, rating.level),
            Err(error) => println!("  HoDoKu: {error}"),
        }
    }
    Ok(())
}
