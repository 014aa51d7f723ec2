//! `ninefold dataset neighbours`: more puzzles like those of a list.

use crate::console::{Console, Total};
use crate::error::CliError;
use crate::input::{CollectionInput, Item};
use crate::output::{self, Output};
use crate::source::Place;
use crate::stream::{self, Told};
use crate::verdict::Verdict;
use crate::words;
use clap::Args;
use formats::Entry;
use ninefold::generate::{self, range};
use ninefold::grid::{Grid, Order};
use ninefold::random::Random;
use ninefold::search::{self, unique};
use std::collections::HashSet;
use std::ops::RangeInclusive;

/// Write puzzles that differ from each puzzle by a few clues
///
/// A move drops a clue and adds another digit of the solution elsewhere, after which the solution is the only one again, as search
/// proves. Neighbours of hard puzzles are often hard as well: a short list of them becomes one to train on. What a puzzle's
/// neighbours are depends on nothing but the puzzle and the seed.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit codes:
  0  yes: every puzzle has as many neighbours as were asked for
  1  no: some puzzle has fewer, or not exactly one solution
  2  trouble: something could not be read or written, or a search was not finished")]
pub struct Neighbours {
    #[command(flatten)]
    input: CollectionInput,

    #[command(flatten)]
    output: output::Writing,

    /// Neighbours of each puzzle, all different
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1)]
    count: usize,

    /// Clues that are moved, one after the other; of a range such as 1-3 each neighbour draws a number
    #[arg(long, value_name = "N|N-M", default_value = "1", value_parser = read_moves)]
    moves: RangeInclusive<usize>,

    /// Let clues come that change the solution; such neighbours are 9×9, and no clue of theirs is idle
    #[arg(long)]
    other_solutions: bool,

    /// The seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Work on this many puzzles at once [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// Draws in a row that bring nothing new, after which a puzzle is thought to have no more neighbours.
const DRAWS_IN_VAIN: usize = 20;

/// A number of moves, or the fewest and the most.
fn read_moves(text: &str) -> Result<RangeInclusive<usize>, &'static str> {
    let moves =
        range::numbers(text).ok().filter(|moves| *moves.start() >= 1 && *moves.end() <= 100);
    moves.ok_or("write a number from 1 to 100, or two of them such as 1-3")
}

/// Writes all neighbours.
pub fn run(options: &Neighbours) -> Result<Verdict, CliError> {
    let collection = options.input.open()?;
    let mut console = Console::open(false, false).counting_to(Total::Bytes(collection.reading()));
    let mut output = Output::start(&options.output, &mut console)?;
    let (mut skipped, mut fewer) = (0, 0);
    let threads = options.threads.map_or_else(stream::all_cores, usize::from);
    stream::run(
        collection,
        threads,
        |items, send| items.into_iter().for_each(|item| send(neighbours_of(item, options))),
        |told| match told {
            Told::Idle => console.flush(),
            Told::Part(Ok(Neighbourhood { place, entries, remark })) => {
                fewer += u64::from(remark.is_none() && entries.len() < options.count);
                if let Some((words, verdict)) = remark {
                    console.remark("such a puzzle", format!("{}{words}", place.prefix()));
                    console.verdict = console.verdict.max(verdict);
                }
                for entry in entries {
                    if let Err(error) = output.write(&entry, &mut console) {
                        console.stop(&error.at(&place));
                    }
                }
            }
            Told::Part(Err(Item::Skipped(error))) => {
                skipped += 1;
                console.error(error);
            }
            Told::Part(Err(Item::Broken(error))) => console.stop(&error),
            Told::Part(Err(Item::Found(..))) => {
                unreachable!("what was found has neighbours, or a remark")
            }
        },
    );
    output.end(&mut console)?;
    console.finish();
    output::report_skipped(skipped, false);
    if fewer > 0 {
        let puzzles = words::counted(fewer, "puzzle has", "puzzles have");
        eprintln!("{puzzles} fewer neighbours than asked for");
        console.verdict = console.verdict.max(Verdict::No);
    }
    Ok(console.verdict)
}

/// What came of a puzzle.
struct Neighbourhood {
    place: Place,
    entries: Vec<Entry>,
    /// Why there is none.
    remark: Option<(String, Verdict)>,
}

fn neighbours_of(item: Item, options: &Neighbours) -> Result<Neighbourhood, Item> {
    let Item::Found(place, entry) = item else { return Err(item) };
    let puzzle = &entry.puzzle;
    if options.other_solutions && puzzle.order() != Order::NINE {
        let remark = ("--other-solutions takes 9×9 puzzles".to_string(), Verdict::No);
        return Ok(Neighbourhood { place, entries: Vec::new(), remark: Some(remark) });
    }
    let limits = unique::limits_for(puzzle.order(), unique::NODES_PER_PROOF);
    let (entries, remark) = match search::prove(puzzle, &limits).solutions {
        Ok(solutions) => match solutions.into_only() {
            Some(solution) => (around(puzzle, &solution, options), None),
            None => (
                Vec::new(),
                Some(("it does not have exactly one solution".to_string(), Verdict::No)),
            ),
        },
        Err(unfinished) => (
            Vec::new(),
            Some((format!("the search for its solution was {unfinished}"), Verdict::Trouble)),
        ),
    };
    Ok(Neighbourhood { place, entries, remark })
}

/// Different neighbours of a puzzle.
fn around(puzzle: &Grid, solution: &Grid, options: &Neighbours) -> Vec<Entry> {
    let mut random = Random::for_part(options.seed, number_of(puzzle));
    let (fewest, most) = (*options.moves.start(), *options.moves.end());
    let (mut seen, mut found, mut in_vain) = (HashSet::new(), Vec::new(), 0);
    while found.len() < options.count && in_vain < DRAWS_IN_VAIN {
        let moves = fewest + random.below(most - fewest + 1);
        in_vain += 1;
        let (others, solution) = if options.other_solutions {
            let mut others = generate::exchanged(puzzle, moves, &mut random);
            random.shuffle(&mut others);
            (others, None)
        } else {
            let other = generate::neighbour(puzzle, solution, moves, &mut random);
            (other.into_iter().collect(), Some(solution))
        };
        let new = others
            .into_iter()
            .filter(|other| seen.insert(other.clone()))
            .take(options.count - found.len());
        for other in new {
            found.push(Entry::new(other).with_solution(solution.cloned()));
            in_vain = 0;
        }
    }
    found
}

/// A number that the clues alone decide.
fn number_of(puzzle: &Grid) -> u64 {
    let digits =
        puzzle.order().cells().map(|cell| puzzle[cell].map_or(0, |digit| digit.index() as u64 + 1));
    digits.fold(0, |number, digit| {
        (number ^ digit).wrapping_mul(0x0000_0100_0000_01B3).rotate_left(5)
    })
}
