//! `ninefold convert`: converts puzzles between formats.
//!
//! Entries are processed one by one, so memory use does not depend on the length of the input.

use crate::console::{Console, Message, Total};
use crate::error::CliError;
use crate::input::{CollectionArgs, Item, RulesArgs};
use crate::output::{self, Output};
use crate::stream::{self, Event};
use crate::verdict::Verdict;
use ninefold::grid::Grid;
use ninefold::search::{self, Limits, Solutions, UnfinishedError, unique};

/// Convert puzzles from one format to another
///
/// Positions, solutions, ratings and sources are kept if the output format supports them.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Formats (+ supports positions):
  line        one line per puzzle with a character for each cell; . 0 _ * x and spaces are empty
  sdm         like line, with 0 for empty cells (SadMan collections)
  drawn       a drawn grid
  numbers     one line per puzzle with numbers separated by spaces (see --solutions)
  csv         a table with the columns puzzle, solution
  tsv       + a tab-separated table with the columns puzzle, solution, rating, source, position
  semicolon + like tsv, separated by semicolons
  extreme     a table with the columns source, question, answer, rating
  json      + a list of objects
  sdk       + a SadMan Sudoku file, which contains one puzzle
  ss        + a Simple Sudoku file, which contains one puzzle
  hodoku    + a line of the HoDoKu library format
  marks     + a drawn grid with pencil marks; +5 is a placed digit, {5} a last candidate
  sudokuwiki + a link to the SudokuWiki solver
  fpuzzles  + a link to f-puzzles
  sudokupad + a link to SudokuPad
  parquet   + a Parquet file with the columns puzzle, solution, rating, source, position

The columns are those of written tables; tables with other columns can be read. Input files
compressed with gzip, zstd or xz are decompressed.

Exit codes:
  0  all entries were converted, except invalid entries with --skip-bad
  1  with --solve: a puzzle has no solution or several
  2  an input could not be read or does not fit the format, or with --solve a search was stopped")]
pub struct Args {
    #[command(flatten)]
    input: CollectionArgs,

    #[command(flatten)]
    rules: RulesArgs,

    /// A second input file with the solution of each puzzle, one per line, as numbers with spaces
    #[arg(long, value_name = "FILE", conflicts_with = "from")]
    solutions: Option<String>,

    /// Add missing solutions of puzzles with exactly one solution
    #[arg(long)]
    solve: bool,

    /// With --solve: stop a search after this many nodes [default: 200000; no limit for 9×9]
    #[arg(long, value_name = "N", requires = "solve")]
    node_limit: Option<u64>,

    #[command(flatten)]
    output: output::OutputArgs,

    /// Print only errors to stderr
    #[arg(long, short)]
    quiet: bool,
}

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    let collection = match &args.solutions {
        Some(file) => args.input.open_pair(file)?,
        None => args.input.open()?,
    };
    let collection = collection.with_rules(args.rules);
    let mut console =
        Console::open(args.quiet, false).with_total(Total::Bytes(collection.progress()));
    let mut output = Output::open(&args.output, &mut console)?;
    let mut skipped = 0;
    let threads = if args.solve { stream::all_cores() } else { 1 };
    stream::run(
        collection,
        threads,
        |items, send| {
            let process = |item| match args.solve {
                true => add_solution(item, args.node_limit),
                false => (item, Ok(true)),
            };
            items.into_iter().for_each(|item| send(process(item)));
        },
        |event| match event {
            Event::Idle => console.flush(),
            Event::Part((Item::Entry(place, entry), is_unique)) => {
                let missing = match is_unique {
                    Ok(true) => None,
                    Ok(false) => {
                        Some(("the puzzle has no solution or several".to_string(), Verdict::No))
                    }
                    Err(unfinished) => {
                        Some((format!("the search was {unfinished}"), Verdict::Error))
                    }
                };
                if let Some((Message { topic, text: Ok(text) }, _)) =
                    args.rules.judge(&entry, &place)
                {
                    console.note(topic, text);
                }
                if let Some((text, verdict)) = missing {
                    console.note("puzzles like this", format!("{}{text}", place.prefix()));
                    console.verdict = console.verdict.max(verdict);
                }
                if let Err(error) = output.write(&entry, &mut console) {
                    console.stop(&error.at(&place));
                }
            }
            Event::Part((Item::Skipped(error), _)) => {
                skipped += 1;
                console.error(error);
            }
            Event::Part((Item::Failed(error), _)) => console.stop(&error),
        },
    );
    output.finish(&mut console)?;
    console.finish();
    output::report_skipped(skipped, args.quiet);
    if console.puzzles == 0 && skipped == 0 {
        return Err(CliError::new("there is no puzzle in the input")
            .hint("use --from to set the format of the input"));
    }
    Ok(console.verdict)
}

/// Adds the solution to an entry without one. Also returns whether there is exactly one.
fn add_solution(item: Item, node_limit: Option<u64>) -> (Item, Result<bool, UnfinishedError>) {
    match item {
        Item::Entry(place, mut entry) if entry.solution.is_none() => {
            match only_solution(&entry.puzzle, node_limit) {
                Ok(solution) => {
                    let is_unique = solution.is_some();
                    entry.solution = solution;
                    (Item::Entry(place, entry), Ok(is_unique))
                }
                Err(unfinished) => (Item::Entry(place, entry), Err(unfinished)),
            }
        }
        other => (other, Ok(true)),
    }
}

/// The solution if there is exactly one, from the default solver. The limit counts nodes instead of
/// time, so that the output does not depend on the machine.
fn only_solution(puzzle: &Grid, node_limit: Option<u64>) -> Result<Option<Grid>, UnfinishedError> {
    let default = || unique::limits_for(puzzle.order(), unique::NODES_PER_PROOF);
    let limits = node_limit.map_or_else(default, |nodes| Limits::none().with_nodes(nodes));
    search::prove(puzzle, &limits).solutions.map(Solutions::into_only)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ninefold::generate::full;
    use ninefold::grid::Order;
    use ninefold::random::Random;
    use ninefold::search::StopReason;

    /// The limit of exactly the nodes that the default solver needs is sufficient, and one less is
    /// not.
    #[test]
    fn uses_the_default_solver_for_large_puzzles() {
        let order = Order::new(5, 5).unwrap();
        let mut random = Random::new(5);
        let mut puzzle = full::random(order, &mut random);
        order
            .cells()
            .filter(|_| random.chance(0.5))
            .collect::<Vec<_>>()
            .into_iter()
            .for_each(|cell| puzzle.set(cell, None));
        let proof = search::default_for_order(order).prove(&puzzle, &Limits::none()).unwrap();
        assert!(proof.effort.guesses > 0, "the puzzle needs guesses");
        let nodes = proof.effort.nodes;
        assert_eq!(only_solution(&puzzle, Some(nodes)), Ok(proof.solutions.unwrap().into_only()));
        assert_eq!(only_solution(&puzzle, Some(nodes - 1)).unwrap_err().stop, StopReason::Nodes);
    }
}
