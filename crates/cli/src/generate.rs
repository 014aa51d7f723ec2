//! `ninefold generate`: new puzzles as a setter wants them.
//!
//! Every puzzle has been proven to have one solution before it is printed. Puzzle number 5 of a seed is the same
//! whether it is made alone, in a row or on many threads.

use crate::console::{Console, Total};
use crate::error::CliError;
use crate::output::{self, NamedFile, Output};
use crate::stream;
use crate::verdict::Verdict;
use crate::words;
use clap::{Args, ValueEnum};
use formats::Entry;
use ninefold::generate::{self, Made, Refusal, unbiased};
use std::time::{SystemTime, UNIX_EPOCH};

mod card;
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
  ninefold generate --method unbiased --count 1000 > typical.txt
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

    /// With --method unbiased: print all puzzles that were drawn, and write the weight of each into this file, line by line
    ///
    /// Sums over the puzzles, each counted with its weight, are in proportion to those over all minimal puzzles there are.
    /// Without this option a puzzle is drawn as often as its weight says, so that all count the same.
    #[arg(long, value_name = "FILE")]
    write_weights: Option<String>,

    /// With --method kocherzhenko: stop emptying cells after this many that could not be emptied [default: try all]
    #[arg(long, value_name = "N")]
    refusals: Option<usize>,

    /// Make this many puzzles at once [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Where plain 9×9 puzzles are proven to have one solution: cpu or gpu; the puzzles are the same
    #[cfg(feature = "networks")]
    #[arg(long, value_name = "WHERE", default_value = "cpu")]
    device: neural::device::Device,

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
    /// Minimal 9×9 puzzles, each that there is equally likely, where cutting prefers few clues; takes no wish
    Unbiased,
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
    refuse_what_is_not_heard(options)?;
    let card = card::asked_for(options)?;
    let mut console =
        Console::open(options.quiet, false).counting_to(Total::Puzzles(options.count));
    let mut output = Output::start(&options.output, &mut console)?;
    let mut weights = options.write_weights.as_deref().map(NamedFile::create).transpose()?;
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
        Method::Cut => match &card {
            None => generate::make_many(&wish, seed, 0..options.count, threads(options), deliver),
            Some(card) => {
                card::make_many(card, &wish, seed, 0..options.count, threads(options), deliver)
            }
        },
        Method::Kocherzhenko => {
            let refusals = options.refusals.unwrap_or(usize::MAX);
            let deliver = |index, made| deliver(index, Ok(made));
            generate::kocherzhenko_many(
                wish.order,
                refusals,
                seed,
                0..options.count,
                threads(options),
                deliver,
            );
        }
        Method::Unbiased => {
            draw_unbiased(options, seed, weights.as_mut(), |made| deliver(0, Ok(made)))?
        }
    }
    // After trouble a file does not get its name: it would not be what was asked for.
    if !matches!(&outcome, Err((_, Verdict::Trouble))) {
        output.end(&mut console)?;
        weights.map_or(Ok(()), NamedFile::commit)?;
    }
    console.finish();
    let made = console.puzzles;
    outcome.or_else(|(error, verdict)| match verdict {
        Verdict::No => {
            eprintln!("{}", error.as_an_answer());
            if options.count > 1 {
                eprintln!(
                    "\n{} of {} were made",
                    words::thousands(made),
                    words::thousands(options.count)
                );
            }
            Ok(Verdict::No)
        }
        _ => Err(error),
    })
}

/// Draws as many unbiased puzzles as were asked for, and writes their weights if somebody wants them.
fn draw_unbiased(
    options: &Options,
    seed: u64,
    weights: Option<&mut NamedFile>,
    mut deliver: impl FnMut(Made) -> bool,
) -> Result<(), CliError> {
    let mut left = options.count;
    if left == 0 {
        return Ok(());
    }
    let mut deliver = |made| {
        left -= 1;
        deliver(made) && left > 0
    };
    let mut written = Ok(());
    match weights {
        None => unbiased::many(seed, threads(options), deliver),
        Some(file) => unbiased::many_weighted(seed, threads(options), |puzzle| {
            written = file.write(format!("{:e}\n", puzzle.ln_weight.exp()).as_bytes());
            written.is_ok() && deliver(puzzle.made)
        }),
    }
    written
}

fn threads(options: &Options) -> usize {
    options.threads.map_or_else(stream::all_cores, usize::from)
}

fn seed_from_the_clock() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    // Short enough to be typed again.
    (since.as_nanos() % 1_000_000_007) as u64
}

/// Some methods take no wish: one that would not be heard is refused.
fn refuse_what_is_not_heard(options: &Options) -> Result<(), CliError> {
    let (name, given) = match options.method {
        Method::Cut => ("cut", None),
        Method::Kocherzhenko => ("kocherzhenko", options.wish.first_given()),
        Method::Unbiased => {
            ("unbiased", options.wish.size_given().or_else(|| options.wish.first_given()))
        }
    };
    if let Some(option) = given {
        return Err(CliError::new(format!("--method {name} does not take {option}"))
            .hint("leave the option out, or leave --method out"));
    }
    match &options.write_weights {
        Some(_) if options.method != Method::Unbiased => {
            Err(CliError::new("--write-weights needs puzzles with weights")
                .hint("add --method unbiased"))
        }
        _ => Ok(()),
    }
}
