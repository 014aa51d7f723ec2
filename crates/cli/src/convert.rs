//! `ninefold convert`: any format in, any format out.
//!
//! Entries pass through one by one, so memory stays the same however long the input is.

use crate::console::Console;
use crate::error::CliError;
use crate::input::{CollectionInput, Item};
use crate::output::{self, Output};
use crate::stream::{self, Told};
use crate::verdict::Verdict;
use clap::Args;
use ninefold::search::unique;

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
  2  trouble: something could not be read, or does not fit the format")]
pub struct Options {
    #[command(flatten)]
    input: CollectionInput,

    /// A second input file with the solutions, line by line, as numbers
    #[arg(long, value_name = "FILE", conflicts_with = "from")]
    solutions: Option<String>,

    /// Add the solution where there is none and it is the only one
    #[arg(long)]
    solve: bool,

    #[command(flatten)]
    output: output::Writing,

    /// Say nothing on stderr but errors
    #[arg(long, short)]
    quiet: bool,
}

/// Reads everything and writes it again.
pub fn run(options: &Options) -> Result<Verdict, CliError> {
    let collection = match &options.solutions {
        Some(file) => options.input.open_pair(file)?,
        None => options.input.open()?,
    };
    let mut console = Console::open(options.quiet, false);
    let mut output = Output::start(&options.output, &mut console)?;
    let mut skipped = 0;
    let threads = if options.solve { stream::all_cores() } else { 1 };
    stream::run(
        collection,
        threads,
        |items, send| items.into_iter().for_each(|item| send(if options.solve { solved(item) } else { (item, true) })),
        |told| match told {
            Told::Idle => console.flush(),
            Told::Part((Item::Found(place, entry), is_unique)) => {
                if !is_unique {
                    console.remark("such a puzzle", format!("{}the puzzle has no solution or several", place.prefix()));
                    console.verdict = console.verdict.max(Verdict::No);
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
        return Err(CliError::new("there is no puzzle in the input").hint("--from names the format of the input"));
    }
    Ok(console.verdict)
}

/// The entry with its solution, and whether there is exactly one.
fn solved(item: Item) -> (Item, bool) {
    match item {
        Item::Found(place, mut entry) if entry.solution.is_none() => {
            entry.solution = unique::solution_if_unique(&entry.puzzle);
            let is_unique = entry.solution.is_some();
            (Item::Found(place, entry), is_unique)
        }
        other => (other, true),
    }
}
