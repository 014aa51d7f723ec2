//! `ninefold generate`: new puzzles as a setter wants them.
//!
//! Every puzzle has been proven to have one solution before it is printed. Puzzle number 5 of a seed is the same
//! whether it is made alone, in a row or on many threads.

use crate::console::{Console, Total};
use crate::error::CliError;
use crate::output::{self, Output};
use crate::stream;
use crate::verdict::Verdict;
use crate::words;
use clap::{Args, ValueEnum};
use formats::Entry;
use ninefold::generate::{self, Made, Refusal};
use std::time::{SystemTime, UNIX_EPOCH};

mod climb;
mod wish_args;

pub use wish_args::WishArgs;

/// Make new puzzles
///
/// Every puzzle has exactly one solution. Equal seeds give equal puzzles, on any number of threads.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ninefold generate --count 10 --clues 24-26 --symmetry half-turn
  ninefold generate --difficulty medium --to drawn
  ninefold generate --er 8.3-9.0 --count 20
  ninefold generate --with x-wing --hardest swordfish
  ninefold generate --size 16 --clues 110-130
  ninefold generate --kaggle --count 10000 --to csv > easy.csv
  ninefold generate --climb fewer-clues --minutes 60 --state climb.txt

Exit codes:
  0  yes: all puzzles asked for were made
  1  no: the wish could not be met; what was tried and the nearest puzzle found are printed
  2  trouble: the wish contradicts itself, or something could not be read or written")]
pub struct Options {
    /// How many puzzles
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1)]
    count: u64,

    /// The seed [default: a new one each time, printed to stderr]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    #[command(flatten)]
    wish: WishArgs,

    /// How to make them
    #[arg(long, value_name = "NAME", default_value = "cut")]
    method: Method,

    /// With --method kocherzhenko: stop emptying cells after this many that could not be emptied [default: try all]
    #[arg(long, value_name = "N")]
    refusals: Option<usize>,

    /// Make this many puzzles at once [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    #[command(flatten)]
    climb: climb::Climbing,

    #[command(flatten)]
    output: output::Writing,

    /// Print nothing to stderr but errors
    #[arg(long, short)]
    quiet: bool,
}

/// Ways to make puzzles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Method {
    /// Cut clues out of a random complete grid, by the wish
    Cut,
    /// The generator of Kocherzhenko: backtracking fill, then removal of random cells; takes no wish but the size
    #[value(alias = "paper2")]
    Kocherzhenko,
}

/// Makes all puzzles and prints them.
pub fn run(options: &Options) -> Result<Verdict, CliError> {
    let demands = options.wish.demands()?;
    let wish = options.wish.wish(&demands)?;
    let seed = options.seed.unwrap_or_else(|| {
        let seed = seed_from_the_clock();
        if !options.quiet {
            eprintln!("seed {seed}");
        }
        seed
    });
    if options.climb.is_wanted() {
        return climb::run(options, &wish, seed);
    }
    let mut console = Console::open(options.quiet, false).counting_to(Total::Puzzles(options.count));
    let mut output = Output::start(&options.output, &mut console)?;
    let mut outcome = Ok(Verdict::Yes);
    let mut deliver = |_, made: Result<Made, Refusal>| {
        let written = made.map_err(|refusal| options.wish.refused(refusal)).and_then(|made| {
            let entry = Entry::new(made.puzzle).with_solution(made.solution);
            output.write(&entry, &mut console).map_err(|error| (error, Verdict::Trouble))
        });
        match written {
            Ok(()) => true,
            // One that was not found says little about the next, once there is any.
            Err((error, Verdict::No)) => {
                outcome = Err((error, Verdict::No));
                console.puzzles > 0
            }
            Err(trouble) => {
                outcome = Err(trouble);
                false
            }
        }
    };
    match options.method {
        Method::Cut => generate::make_many(&wish, seed, 0..options.count, threads(options), deliver),
        Method::Kocherzhenko => {
            knows_no_wish(&options.wish)?;
            let refusals = options.refusals.unwrap_or(usize::MAX);
            let deliver = |index, made| deliver(index, Ok(made));
            generate::kocherzhenko_many(wish.order, refusals, seed, 0..options.count, threads(options), deliver);
        }
    }
    // After trouble a file does not get its name: it would not be what was asked for.
    if !matches!(&outcome, Err((_, Verdict::Trouble))) {
        output.end(&mut console)?;
    }
    console.finish();
    let made = console.puzzles;
    outcome.or_else(|(error, verdict)| match verdict {
        Verdict::No => {
            eprintln!("{}", error.as_an_answer());
            if options.count > 1 {
                eprintln!("\n{} of {} were made", words::thousands(made), words::thousands(options.count));
            }
            Ok(Verdict::No)
        }
        _ => Err(error),
    })
}

fn threads(options: &Options) -> usize {
    options.threads.map_or_else(stream::all_cores, usize::from)
}

fn seed_from_the_clock() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    // Short enough to be typed again.
    (since.as_nanos() % 1_000_000_007) as u64
}

/// Kocherzhenko's generator takes a size and nothing else; a wish it would not hear is refused.
fn knows_no_wish(wish: &WishArgs) -> Result<(), CliError> {
    match wish.first_given() {
        Some(option) => Err(CliError::new(format!("--method kocherzhenko does not take {option}"))
            .hint("leave the option out, or leave --method out")),
        None => Ok(()),
    }
}
