//! Explains a puzzle step by step: `cargo run --release --example explain -- PUZZLE [hint|technique|full]`.

use ninefold::grid::{Candidates, Grid};
use ninefold::logic::{self, Level, Options};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let puzzle: Grid = arguments.next().ok_or("usage: explain PUZZLE [hint|technique|full]")?.parse()?;
    let level = match arguments.next().as_deref() {
        Some("hint") => Some(Level::Hint),
        Some("technique") => Some(Level::Technique),
        Some("full") => Some(Level::Full),
        _ => None,
    };
    let path = logic::solve(&puzzle, &Candidates::of(&puzzle)?, &Options::default());
    for (number, (position, step)) in path.positions().enumerate() {
        let said = level.map_or_else(|| step.one_line(&position), |level| step.explain(&position, level));
        println!("{:>3}. {said}", number + 1);
    }
    println!("{:?}: {}", path.end, path.last.grid());
    Ok(())
}
