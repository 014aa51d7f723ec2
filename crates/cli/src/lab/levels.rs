//! `ninefold lab levels`: how hard are the puzzles that networks solve? (Figure 6 of paper 4.)

use crate::console;
use crate::console::tell;
use crate::error::CliError;
use crate::verdict::Verdict;
use crate::{evaluate, stream};
use clap::Args;
use ninefold::chart;
use ninefold::grid::{Grid, Order};
use ninefold::rate::consistency::{self, Consistency};
use std::collections::HashSet;
use std::path::PathBuf;

/// Count puzzles, and those that networks solved, by the consistency that solves them without search
#[derive(Args, Debug)]
pub struct Options {
    /// The puzzles, 9×9 with one solution each
    #[arg(value_name = "LIST")]
    list: PathBuf,

    /// What networks solved of them: files of `ninefold evaluate --solved`; one of them is enough to count a puzzle
    #[arg(long, value_name = "FILE", num_args = 1..)]
    solved: Vec<PathBuf>,

    /// The strongest consistency to try; the rest counts as open
    #[arg(long, value_name = "LEVEL", default_value = "BiSGAC", value_parser = level)]
    strongest: Consistency,

    /// Draw the counts as SVG
    #[arg(long)]
    svg: bool,
}

/// Rates all puzzles and counts.
pub fn run(options: &Options) -> Result<Verdict, CliError> {
    let puzzles = read(&options.list)?;
    let mut solved = HashSet::new();
    for path in &options.solved {
        solved.extend(read(path)?);
    }
    let levels = rate_all(&puzzles, options.strongest);
    let names: Vec<&str> = Consistency::ALL
        .into_iter()
        .take_while(|&level| level <= options.strongest)
        .map(Consistency::name)
        .chain(["open"])
        .collect();
    let mut counts = vec![(0u64, 0u64); names.len()];
    for (puzzle, level) in puzzles.iter().zip(levels) {
        let (all, by_networks) = &mut counts[level.map_or(names.len() - 1, |level| level as usize)];
        *all += 1;
        *by_networks += u64::from(solved.contains(puzzle));
    }
    if options.svg {
        let heights =
            |part: fn(&(u64, u64)) -> u64| counts.iter().map(|count| part(count) as f64).collect();
        let series = [
            ("all puzzles", heights(|count| count.0)),
            ("solved by a network", heights(|count| count.1)),
        ];
        console::print(format_args!(
            "{}",
            chart::grouped_bars(
                "Puzzles by consistency",
                "consistency",
                "puzzles",
                &names,
                &series
            )
        ));
    } else {
        tell!("level    puzzles  solved by a network");
        for (name, (all, by_networks)) in names.iter().zip(&counts) {
            tell!("{name:<8} {all:>7}  {by_networks:>19}");
        }
    }
    Ok(Verdict::Yes)
}

fn read(path: &std::path::Path) -> Result<Vec<Grid>, CliError> {
    let examples = evaluate::read(path, Order::NINE)?;
    let grid = |index| {
        Grid::from_numbers(Order::NINE, examples.puzzle(index)).expect("examples hold grids")
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
        raters.into_iter().flat_map(|rater| rater.join().expect("no rater panics")).collect()
    })
}

fn level(text: &str) -> Result<Consistency, String> {
    let names: Vec<&str> = Consistency::ALL.into_iter().map(Consistency::name).collect();
    Consistency::by_name(text).ok_or_else(|| format!("the choice is {}", names.join(", ")))
}
