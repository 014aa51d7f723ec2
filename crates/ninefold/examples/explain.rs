//! Explains the solution of a puzzle step by step, and gives a hint for its first step.
//!
//! ```sh
//! cargo run --release -p ninefold --example explain -- \
//!     .7......5..5..329..4..8...79.....1.8.1..2.9....38...5...7.9..4.6...4.....9...2...
//! ```

use ninefold::{Detail, Grid, Language};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let text = std::env::args().nth(1).ok_or("usage: explain PUZZLE")?;
    let puzzle: Grid = text.parse()?;
    let explanation = ninefold::explain(&puzzle)?;

    // Each step comes with the position before it. Players who are stuck want a hint first.
    if let Some((position, step)) = explanation.positions().next() {
        println!("Hint: {}\n", step.explain(&position, Detail::Hint));
    }

    for (number, (position, step)) in (1..).zip(explanation.positions()) {
        println!("{number}. {}", step.explain(&position, Detail::Full));
    }

    // A puzzle may be unsolved at the end, for example if it has several solutions.
    let outcome = &explanation.outcome;
    println!("\n{}", outcome.text(&explanation.start, Detail::Full, Language::English));
    Ok(())
}
