//! `ninefold dataset neighbours`: derives similar puzzles from the puzzles of a list.

use crate::console::{Console, Total};
use crate::error::CliError;
use crate::humanize;
use crate::input::{CollectionArgs, Item};
use crate::output::{self, Output};
use crate::source::Place;
use crate::stream::{self, Event};
use crate::verdict::Verdict;
use ninefold::generate::{self, range};
use ninefold::grid::{Grid, Order};
use ninefold::random::Random;
use ninefold::search::{self, unique};
use ninefold_formats::Entry;
use std::collections::HashSet;
use std::ops::RangeInclusive;

/// Write puzzles that differ from each puzzle by a few clues
///
/// A move removes a clue and adds a digit of the solution in another cell. Search proves that the
/// solution is still unique. Neighbours of hard puzzles are often hard, so a short list of hard
/// puzzles becomes a training set. The neighbours depend only on the puzzle and the seed.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Exit codes:
  0  every puzzle has the requested number of neighbours
  1  a puzzle has fewer neighbours, or not exactly one solution
  2  a file could not be read or written, or a search was stopped")]
pub struct Args {
    #[command(flatten)]
    input: CollectionArgs,

    #[command(flatten)]
    output: output::OutputArgs,

    /// Number of different neighbours of each puzzle
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1)]
    count: usize,

    /// Number of clues to move, or a range from which each neighbour draws a number
    #[arg(long, value_name = "N|N-M", default_value = "1", value_parser = parse_moves)]
    moved_clues: RangeInclusive<usize>,

    /// Allow moves that change the solution; only for 9×9, and the neighbours have no redundant
    /// clues
    #[arg(long)]
    other_solutions: bool,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Number of worker threads [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// After this many attempts in a row without a new neighbour, the search for neighbours ends.
const MAX_FAILED_ATTEMPTS: usize = 20;

fn parse_moves(text: &str) -> Result<RangeInclusive<usize>, &'static str> {
    let moves = range::parse(text).ok().filter(|moves| *moves.start() >= 1 && *moves.end() <= 100);
    moves.ok_or("expected a number from 1 to 100, or a range such as 1-3")
}

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    let collection = args.input.open()?;
    let mut console = Console::open(false, false).with_total(Total::Bytes(collection.progress()));
    let mut output = Output::open(&args.output, &mut console)?;
    let (mut skipped, mut fewer) = (0, 0);
    let threads = args.threads.map_or_else(stream::all_cores, usize::from);
    stream::run(
        collection,
        threads,
        |items, send| items.into_iter().for_each(|item| send(neighbours_of(item, args))),
        |event| match event {
            Event::Idle => console.flush(),
            Event::Part(Ok(Neighbourhood { place, entries, problem })) => {
                fewer += u64::from(problem.is_none() && entries.len() < args.count);
                if let Some((text, verdict)) = problem {
                    console.note("puzzles like this", format!("{}{text}", place.prefix()));
                    console.verdict = console.verdict.max(verdict);
                }
                for entry in entries {
                    if let Err(error) = output.write(&entry, &mut console) {
                        console.stop(&error.at(&place));
                    }
                }
            }
            Event::Part(Err(Item::Skipped(error))) => {
                skipped += 1;
                console.error(error);
            }
            Event::Part(Err(Item::Failed(error))) => console.stop(&error),
            Event::Part(Err(Item::Entry(..))) => {
                unreachable!("every entry is turned into a neighbourhood")
            }
        },
    );
    output.finish(&mut console)?;
    console.finish();
    output::report_skipped(skipped, false);
    if fewer > 0 {
        let puzzles = humanize::count(fewer, "puzzle has", "puzzles have");
        eprintln!("{puzzles} fewer neighbours than requested");
        console.verdict = console.verdict.max(Verdict::No);
    }
    Ok(console.verdict)
}

/// The neighbours of a puzzle.
struct Neighbourhood {
    place: Place,
    entries: Vec<Entry>,
    /// The reason why there are none.
    problem: Option<(String, Verdict)>,
}

fn neighbours_of(item: Item, args: &Args) -> Result<Neighbourhood, Item> {
    let Item::Entry(place, entry) = item else { return Err(item) };
    let puzzle = &entry.puzzle;
    if args.other_solutions && puzzle.order() != Order::NINE {
        let problem = ("--other-solutions supports only 9×9 puzzles".to_string(), Verdict::No);
        return Ok(Neighbourhood { place, entries: Vec::new(), problem: Some(problem) });
    }
    let limits = unique::limits_for(puzzle.order(), unique::NODES_PER_PROOF);
    let (entries, problem) = match search::prove(puzzle, &limits).solutions {
        Ok(solutions) => match solutions.into_only() {
            Some(solution) => (distinct_neighbours(puzzle, &solution, args), None),
            None => (
                Vec::new(),
                Some(("the puzzle does not have exactly one solution".to_string(), Verdict::No)),
            ),
        },
        Err(unfinished) => (
            Vec::new(),
            Some((format!("the search for the solution was {unfinished}"), Verdict::Error)),
        ),
    };
    Ok(Neighbourhood { place, entries, problem })
}

/// Different neighbours of a puzzle.
fn distinct_neighbours(puzzle: &Grid, solution: &Grid, args: &Args) -> Vec<Entry> {
    let mut random = Random::for_part(args.seed, hash(puzzle));
    let (fewest, most) = (*args.moved_clues.start(), *args.moved_clues.end());
    let (mut seen, mut neighbours, mut failed_attempts) = (HashSet::new(), Vec::new(), 0);
    while neighbours.len() < args.count && failed_attempts < MAX_FAILED_ATTEMPTS {
        let moves = fewest + random.below(most - fewest + 1);
        failed_attempts += 1;
        let (others, solution) = if args.other_solutions {
            let mut others = generate::exchange_neighbours(puzzle, moves, &mut random);
            random.shuffle(&mut others);
            (others, None)
        } else {
            let other = generate::neighbour(puzzle, solution, moves, &mut random);
            (other.into_iter().collect(), Some(solution))
        };
        let new = others
            .into_iter()
            .filter(|other| seen.insert(other.clone()))
            .take(args.count - neighbours.len());
        for other in new {
            neighbours.push(Entry::new(other).with_solution(solution.cloned()));
            failed_attempts = 0;
        }
    }
    neighbours
}

/// A hash of the clues.
fn hash(puzzle: &Grid) -> u64 {
    let digits =
        puzzle.order().cells().map(|cell| puzzle[cell].map_or(0, |digit| digit.index() as u64 + 1));
    digits.fold(0, |number, digit| {
        (number ^ digit).wrapping_mul(0x0000_0100_0000_01B3).rotate_left(5)
    })
}
