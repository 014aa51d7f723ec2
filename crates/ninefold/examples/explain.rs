//! Explains a puzzle step by step: `cargo run --release --example explain -- PUZZLE [hint|technique|full|marks|svg N]`.
//!
//! Without a level it prints one line per step; `marks` adds the pencil marks before each step, `svg N` draws step N.

use ninefold::grid::{Candidates, Grid, marks};
use ninefold::logic::{self, Level, Options, picture};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let puzzle: Grid = arguments.next().ok_or("usage: explain PUZZLE [hint|technique|full|marks|svg N]")?.parse()?;
    let mode = arguments.next();
    let drawn: Option<usize> = arguments.next().map(|number| number.parse()).transpose()?;
    let level = match mode.as_deref() {
        Some("hint") => Some(Level::Hint),
        Some("technique") => Some(Level::Technique),
        Some("full") => Some(Level::Full),
        _ => None,
    };
    let path = logic::solve(&puzzle, &Candidates::of(&puzzle)?, &Options::default());
    path.check().map_err(|(index, flaw)| format!("step {} does not hold: {flaw}", index + 1))?;
    for (number, (position, step)) in path.positions().enumerate() {
        if mode.as_deref() == Some("svg") {
            if Some(number + 1) == drawn {
                print!("{}", picture::svg(&puzzle, &position, Some(step)));
            }
            continue;
        }
        if mode.as_deref() == Some("marks") {
            print!("{}", marks::drawn(&position));
        }
        let said = level.map_or_else(|| step.one_line(&position), |level| step.explain(&position, level));
        println!("{:>3}. {said}", number + 1);
    }
    if mode.as_deref() != Some("svg") {
        println!("{:?}: {}", path.end, path.last.grid());
    }
    Ok(())
}
