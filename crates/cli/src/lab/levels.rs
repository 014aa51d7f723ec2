//! `ninefold lab levels`: counts puzzles that networks solve by consistency (Figure 6 of paper 4).

use crate::console::outln;
use crate::error::CliError;
use crate::output::write_file;
use crate::stats::consistency_parser;
use crate::verdict::Verdict;
use crate::{evaluate, stream};
use ninefold::chart;
use ninefold::grid::{Grid, Order};
use ninefold::rate::consistency::{self, Consistency};
use std::collections::HashSet;
use std::path::PathBuf;

/// Count puzzles, and those that networks solved, by the weakest consistency that solves them
#[derive(clap::Args, Debug)]
pub struct Args {
    /// List of 9×9 puzzles with one solution each
    #[arg(value_name = "LIST")]
    list: PathBuf,

    /// Puzzles that networks solved, files written by `ninefold evaluate --write-solved`; a puzzle
    /// counts if any of the files contains it
    #[arg(long, value_name = "FILE", num_args = 1..)]
    solved: Vec<PathBuf>,

    /// Strongest consistency to try; the other puzzles count as open
    #[arg(long, value_name = "LEVEL", default_value = "BiSGAC", value_parser = consistency_parser())]
    strongest: Consistency,

    /// Draw the counts to this SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    let puzzles = read(&args.list)?;
    let mut solved = HashSet::new();
    for path in &args.solved {
        solved.extend(read(path)?);
    }
    let levels = rate_all(&puzzles, args.strongest);
    let names: Vec<&str> = Consistency::ALL
        .into_iter()
        .take_while(|&level| level <= args.strongest)
        .map(Consistency::name)
        .chain(["open"])
        .collect();
    let mut counts = vec![(0u64, 0u64); names.len()];
    for (puzzle, level) in puzzles.iter().zip(levels) {
        let (all, by_networks) = &mut counts[level.map_or(names.len() - 1, |level| level as usize)];
        *all += 1;
        *by_networks += u64::from(solved.contains(puzzle));
    }
    outln!("level    puzzles  solved by a network");
    for (name, (all, by_networks)) in names.iter().zip(&counts) {
        outln!("{name:<8} {all:>7}  {by_networks:>19}");
    }
    if let Some(file) = &args.svg {
        let heights =
            |part: fn(&(u64, u64)) -> u64| counts.iter().map(|count| part(count) as f64).collect();
        let series = [
            ("all puzzles", heights(|count| count.0)),
            ("solved by a network", heights(|count| count.1)),
        ];
        let title = "Puzzles by consistency";
        let svg = chart::grouped_bars(title, "consistency", "puzzles", &names, &series);
        write_file(file, svg)?;
    }
    Ok(Verdict::Yes)
}

fn read(path: &std::path::Path) -> Result<Vec<Grid>, CliError> {
    let examples = evaluate::read(path, Order::NINE)?;
    let grid = |index| {
        Grid::from_numbers(Order::NINE, examples.puzzle(index))
            .expect("examples contain valid numbers")
    };
    Ok((0..examples.len()).map(grid).collect())
}

fn rate_all(puzzles: &[Grid], strongest: Consistency) -> Vec<Option<Consistency>> {
    let rate = |puzzle: &Grid| match consistency::weakest(puzzle, strongest) {
        consistency::Verdict::Solved(level) => Some(level),
        consistency::Verdict::Refuted(_) | consistency::Verdict::Open => None,
    };
    let share = puzzles.len().div_ceil(stream::all_cores()).max(1);
    std::thread::scope(|scope| {
        let raters: Vec<_> = puzzles
            .chunks(share)
            .map(|puzzles| scope.spawn(move || puzzles.iter().map(rate).collect::<Vec<_>>()))
            .collect();
        raters.into_iter().flat_map(|rater| rater.join().expect("rating does not panic")).collect()
    })
}
