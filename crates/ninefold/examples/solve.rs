//! Solves a puzzle and reports whether its solution is unique.
//!
//! ```sh
//! cargo run --release -p ninefold --example solve -- \
//!     53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
//! ```

use ninefold::search;
use ninefold::{Grid, Limits, Solutions};
use std::error::Error;
use std::time::Duration;

fn main() -> Result<(), Box<dyn Error>> {
    // The parser accepts 81 characters, diagrams and lists of numbers, and grids of other sizes.
    let text = std::env::args().nth(1).ok_or("usage: solve PUZZLE")?;
    let puzzle: Grid = text.parse()?;

    // Large puzzles with few clues can take very long, so limit the time.
    let limits = Limits::none().with_time(Duration::from_secs(10));
    let proof = search::prove(&puzzle, &limits);
    match proof.solutions {
        Ok(Solutions::Zero) => println!("no solution"),
        // `{:#}` prints a grid with its boxes.
        Ok(Solutions::One(solution)) => println!("{solution:#}\n\nthe only solution"),
        Ok(Solutions::Many(first, second)) => {
            println!("{first:#}\n\n{second:#}\n\nat least two solutions");
        }
        Err(error) => println!("{error}"),
    }
    println!("{} nodes, {} guesses", proof.effort.nodes, proof.effort.guesses);
    Ok(())
}
