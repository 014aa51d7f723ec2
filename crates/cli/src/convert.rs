//! `ninefold convert`: any format in, any format out.
//!
//! Entries pass through one by one, so memory stays the same however long the input is.

use crate::console::{Console, Total};
use crate::error::CliError;
use crate::input::{CollectionInput, Item};
use crate::output::{self, Output};
use crate::stream::{self, Told};
use crate::verdict::Verdict;
use clap::Args;
use ninefold::grid::Grid;
use ninefold::search::{self, Limits, Solutions, Unfinished, unique};

/// Read puzzles in one format and write them in another
///
/// Positions, solutions, ratings and sources travel along where the formats know them.
#[derive(Args, Debug)]
#[command(after_help = "\
Formats (+ keeps a position):
  line        a line with a character for each cell; . 0 _ * x and blanks are empty
  sdm         the same, written with 0 (SadMan collections)
  drawn       a grid drawn with bars
  numbers     a line of numbers with blanks between them (--solutions for solutions in a second file)
  csv         a table; written as quizzes,solutions
  tsv       + a table with tabs; written as puzzle, solution, rating, source, position
  semicolon + the same with semicolons
  extreme     a table; written as source,question,answer,rating
  json      + a list of objects
  sdk       + a file of SadMan Sudoku, which holds one puzzle
  ss        + a file of Simple Sudoku, which holds one puzzle
  hodoku    + a line of HoDoKu's library
  marks     + a drawn grid with the candidates of each cell; +5 is a placed digit, {5} a last candidate
  sudokuwiki + a link to the solver of SudokuWiki
  fpuzzles  + a link to f-puzzles
  sudokupad + a link to SudokuPad
  parquet   + a table in a Parquet file; written as source, question, answer, rating, position

Files packed with gzip, zstd or xz are unpacked when they are read.

Exit codes:
  0  yes: everything was converted, but for bad entries that --skip-bad left out
  1  no: with --solve, some puzzle has no solution or several
  2  trouble: something could not be read, does not fit the format, or with --solve was not finished")]
pub struct Options {
    #[command(flatten)]
    input: CollectionInput,

    /// A second input file with the solutions, line by line, as numbers
    #[arg(long, value_name = "FILE", conflicts_with = "from")]
    solutions: Option<String>,

    /// Add the solution where there is none and it is the only one
    #[arg(long)]
    solve: bool,

    /// With --solve: give a puzzle up after so many nodes [default: 200000; 9×9 is never given up]
    #[arg(long, value_name = "N", requires = "solve")]
    node_limit: Option<u64>,

    #[command(flatten)]
    output: output::Writing,

    /// Print nothing to stderr but errors
    #[arg(long, short)]
    quiet: bool,
}

/// Reads everything and writes it again.
pub fn run(options: &Options) -> Result<Verdict, CliError> {
    let collection = match &options.solutions {
        Some(file) => options.input.open_pair(file)?,
        None => options.input.open()?,
    };
    let mut console =
        Console::open(options.quiet, false).counting_to(Total::Bytes(collection.reading()));
    let mut output = Output::start(&options.output, &mut console)?;
    let mut skipped = 0;
    let threads = if options.solve { stream::all_cores() } else { 1 };
    stream::run(
        collection,
        threads,
        |items, send| {
            let solved = |item| {
                if options.solve { solved(item, options.node_limit) } else { (item, Ok(true)) }
            };
            items.into_iter().for_each(|item| send(solved(item)));
        },
        |told| match told {
            Told::Idle => console.flush(),
            Told::Part((Item::Found(place, entry), is_unique)) => {
                let missing = match is_unique {
                    Ok(true) => None,
                    Ok(false) => {
                        Some(("the puzzle has no solution or several".to_string(), Verdict::No))
                    }
                    Err(unfinished) => {
                        Some((format!("the search was {unfinished}"), Verdict::Trouble))
                    }
                };
                if let Some((words, verdict)) = missing {
                    console.remark("such a puzzle", format!("{}{words}", place.prefix()));
                    console.verdict = console.verdict.max(verdict);
                }
                if let Err(error) = output.write(&entry, &mut console) {
                    console.stop(&error.at(&place));
                }
            }
            Told::Part((Item::Skipped(error), _)) => {
                skipped += 1;
                console.error(error);
            }
            Told::Part((Item::Broken(error), _)) => console.stop(&error),
        },
    );
    output.end(&mut console)?;
    console.finish();
    output::report_skipped(skipped, options.quiet);
    if console.puzzles == 0 && skipped == 0 {
        return Err(CliError::new("there is no puzzle in the input")
            .hint("--from names the format of the input"));
    }
    Ok(console.verdict)
}

/// The entry with its solution, and whether there is exactly one.
fn solved(item: Item, node_limit: Option<u64>) -> (Item, Result<bool, Unfinished>) {
    match item {
        Item::Found(place, mut entry) if entry.solution.is_none() => {
            match only_solution(&entry.puzzle, node_limit) {
                Ok(solution) => {
                    let is_unique = solution.is_some();
                    entry.solution = solution;
                    (Item::Found(place, entry), Ok(is_unique))
                }
                Err(unfinished) => (Item::Found(place, entry), Err(unfinished)),
            }
        }
        other => (other, Ok(true)),
    }
}

/// The solution, if there is exactly one, found by the solver that `ninefold solve` would choose. The limit counts nodes
/// and reads no clock, so that the same input gives the same output on every machine.
fn only_solution(puzzle: &Grid, node_limit: Option<u64>) -> Result<Option<Grid>, Unfinished> {
    let default = || unique::limits_for(puzzle.order(), unique::NODES_PER_PROOF);
    let limits = node_limit.map_or_else(default, Limits::nodes);
    search::prove(puzzle, &limits).solutions.map(Solutions::into_only)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ninefold::generate::full;
    use ninefold::grid::Order;
    use ninefold::random::Random;
    use ninefold::search::Stop;

    /// A limit of exactly as many nodes as the default solver needs is enough, and one less is not: nobody else searches.
    #[test]
    fn large_puzzles_are_solved_by_the_default_solver() {
        let order = Order::boxes(5, 5).unwrap();
        let mut random = Random::new(5);
        let mut puzzle = full::random(order, &mut random);
        order
            .cells()
            .filter(|_| random.chance(0.5))
            .collect::<Vec<_>>()
            .into_iter()
            .for_each(|cell| puzzle.set(cell, None));
        let proof = search::default_for(order).prove(&puzzle, &Limits::none()).unwrap();
        assert!(proof.effort.guesses > 0, "too easy to show anything");
        let nodes = proof.effort.nodes;
        assert_eq!(only_solution(&puzzle, Some(nodes)), Ok(proof.solutions.unwrap().into_only()));
        assert_eq!(only_solution(&puzzle, Some(nodes - 1)).unwrap_err().stop, Stop::Nodes);
    }
}
