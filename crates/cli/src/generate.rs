//! `ninefold generate`: generates puzzles with requested properties.
//!
//! Every puzzle is proven to have one solution before it is printed. Puzzle number 5 of a seed is
//! the same on any number of threads and in a run of any length.

use crate::console::{Console, Total};
use crate::error::CliError;
use crate::humanize;
use crate::output::{self, NamedFile, Output};
use crate::stream;
use crate::verdict::Verdict;
use clap::ValueEnum;
use ninefold::generate::{self, GenerateError, GenerateOptions, GeneratedPuzzle, unbiased};
use ninefold_formats::{Entry, Format};
use std::time::{SystemTime, UNIX_EPOCH};

mod climb;
mod gpu;
mod puzzle_args;
mod variants;

pub use puzzle_args::{PuzzleArgs, check_count};

/// Generate puzzles
///
/// Every puzzle has exactly one solution. Equal seeds give equal puzzles on any number of threads.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  ninefold generate --count 10 --clues 24-26 --symmetry half-turn
  ninefold generate --difficulty medium --to drawn
  ninefold generate --er 8.3-9.0 --count 20
  ninefold generate --uses x-wing --hardest swordfish
  ninefold generate --size 16 --clues 110-130
  ninefold generate --rules killer,x --clues 0 --to fpuzzles
  ninefold generate --rules jigsaw --size 7 --minimal
  ninefold generate --kaggle --count 10000 --to csv > easy.csv
  ninefold generate --method unbiased --count 1000 > typical.txt
  ninefold generate --climb fewer-clues --minutes 60 --state climb.txt

Exit codes:
  0  all puzzles were generated
  1  no puzzle with these properties was found; the nearest one is printed
  2  the options contradict each other, or a file could not be read or written")]
pub struct Args {
    /// Number of puzzles
    #[arg(long, short = 'n', value_name = "N", default_value_t = 1)]
    count: u64,

    /// Random seed [default: a new one for each run, printed to stderr]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,

    #[command(flatten)]
    puzzle: PuzzleArgs,

    #[command(flatten)]
    variants: variants::VariantArgs,

    /// Generation method
    #[arg(long, value_name = "NAME", default_value = "cut")]
    method: Method,

    /// With --method unbiased: print all sampled puzzles, and write their weights to this file, one
    /// per line
    ///
    /// Weighted sums over these puzzles estimate sums over all minimal puzzles. Without this
    /// option, puzzles are resampled according to their weights, so that each one counts the same.
    #[arg(long, value_name = "FILE")]
    write_weights: Option<String>,

    /// With --method kocherzhenko: stop after this many cells that could not be emptied [default: 5,
    /// which leaves 31 clues on average; the paper does not say when it stops]
    #[arg(long, value_name = "N")]
    max_failures: Option<usize>,

    /// Number of worker threads [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// With --method cut: device that proves the uniqueness of 9×9 puzzles, cpu or gpu; the puzzles
    /// are the same
    #[cfg(feature = "networks")]
    #[arg(long, value_name = "DEVICE", default_value = "cpu")]
    device: ninefold_neural::device::Device,

    #[command(flatten)]
    climb: climb::ClimbArgs,

    #[command(flatten)]
    output: output::OutputArgs,

    /// Print only errors to stderr
    #[arg(long, short)]
    quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Method {
    /// Remove clues from a random complete grid
    Cut,
    /// Kocherzhenko's generator: fill a grid by backtracking, then remove random cells; the size is
    /// the only property that can be chosen
    #[value(alias = "paper2")]
    Kocherzhenko,
    /// Sample minimal 9×9 puzzles uniformly; no property can be chosen
    Unbiased,
}

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    args.reject_unused_options()?;
    let variant_options = match args.variants.is_requested() {
        true => Some(args.variants.options(args)?),
        false => None,
    };
    let requirements = args.puzzle.requirements()?;
    let options = match variant_options {
        Some(_) => GenerateOptions::default(),
        None => args.puzzle.options(&requirements)?,
    };
    check_count(args.count, options.order)?;
    let seed = args.seed.unwrap_or_else(|| {
        let seed = seed_from_clock();
        if !args.quiet {
            eprintln!("seed {seed}");
        }
        seed
    });
    if args.climb.is_requested() {
        return climb::run(args, &options, seed);
    }
    let gpu = gpu::from_args(args)?;
    let mut console = Console::open(args.quiet, false).with_total(Total::Puzzles(args.count));
    let default_format = match args.method {
        _ if variant_options.is_some() => variants::DEFAULT_FORMAT,
        // The two files of the paper have the same format.
        Method::Kocherzhenko if args.output.write_solutions.is_some() => Format::Numbers,
        _ => Format::Line,
    };
    let mut output = Output::open_as(&args.output, default_format, &mut console)?;
    let mut weights = args.write_weights.as_deref().map(NamedFile::create).transpose()?;
    let mut outcome = Ok(Verdict::Yes);
    let mut deliver_any = |generated: Result<GeneratedPuzzle, (CliError, Verdict)>| {
        let written = generated.and_then(|generated| {
            let entry = Entry::new(generated.puzzle).with_solution(generated.solution);
            output.write(&entry, &mut console).map_err(|error| (error, Verdict::Error))
        });
        match written {
            Ok(()) => true,
            // If a puzzle was found before, later ones may be found as well.
            Err((error, Verdict::No)) => {
                outcome = Err((error, Verdict::No));
                console.puzzles > 0
            }
            Err(error) => {
                outcome = Err(error);
                false
            }
        }
    };
    if let Some(options) = &variant_options {
        variants::generate_many(options, seed, args.count, threads(args), &mut deliver_any);
    }
    let mut deliver = |_, result: Result<GeneratedPuzzle, GenerateError>| {
        deliver_any(result.map_err(|error| args.puzzle.to_cli_error(error)))
    };
    match args.method {
        _ if variant_options.is_some() => {}
        Method::Cut => match &gpu {
            None => generate::generate_many(&options, seed, 0..args.count, threads(args), deliver),
            Some(gpu) => {
                gpu::generate_many(gpu, &options, seed, 0..args.count, threads(args), deliver)
            }
        },
        Method::Kocherzhenko => {
            let max_failures = args.max_failures.unwrap_or(KOCHERZHENKO_FAILURES);
            let deliver = |index, generated| deliver(index, Ok(generated));
            generate::kocherzhenko_many(
                options.order,
                max_failures,
                seed,
                0..args.count,
                threads(args),
                deliver,
            );
        }
        Method::Unbiased => {
            sample_unbiased(args, seed, weights.as_mut(), |generated| deliver(0, Ok(generated)))?
        }
    }
    // After an error, incomplete files are not committed.
    if !matches!(&outcome, Err((_, Verdict::Error))) {
        output.finish(&mut console)?;
        weights.map_or(Ok(()), NamedFile::commit)?;
    }
    console.finish();
    let count = console.puzzles;
    outcome.or_else(|(error, verdict)| match verdict {
        Verdict::No => {
            eprintln!("{}", error.without_prefix());
            if args.count > 1 {
                eprintln!(
                    "\n{} of {} puzzles were generated",
                    humanize::thousands(count),
                    humanize::thousands(args.count)
                );
            }
            Ok(Verdict::No)
        }
        _ => Err(error),
    })
}

/// Cells that Kocherzhenko's generator fails to empty before it stops: the reading of the paper that
/// fits its times best.
const KOCHERZHENKO_FAILURES: usize = 5;

/// Samples unbiased puzzles, and writes their weights if `weights` is a file.
fn sample_unbiased(
    args: &Args,
    seed: u64,
    weights: Option<&mut NamedFile>,
    mut deliver: impl FnMut(GeneratedPuzzle) -> bool,
) -> Result<(), CliError> {
    let mut left = args.count;
    if left == 0 {
        return Ok(());
    }
    let mut deliver = |generated| {
        left -= 1;
        deliver(generated) && left > 0
    };
    let mut written = Ok(());
    match weights {
        None => unbiased::generate_many(seed, threads(args), deliver),
        Some(file) => unbiased::generate_many_weighted(seed, threads(args), |puzzle| {
            written = file.write(format!("{:e}\n", puzzle.ln_weight.exp()).as_bytes());
            written.is_ok() && deliver(puzzle.generated)
        }),
    }
    written
}

fn threads(args: &Args) -> usize {
    args.threads.map_or_else(stream::all_cores, usize::from)
}

fn seed_from_clock() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    // Few digits, so that the seed is easy to type.
    (since.as_nanos() % 1_000_000_007) as u64
}

impl Args {
    /// Rejects options that the chosen method cannot use.
    fn reject_unused_options(&self) -> Result<(), CliError> {
        let method_options = [
            ("--method", self.method != Method::Cut),
            ("--write-weights", self.write_weights.is_some()),
            ("--max-failures", self.max_failures.is_some()),
            ("--device gpu", gpu::is_requested(self)),
        ];
        let first = |options: &[(&'static str, bool)]| {
            options.iter().find(|(_, is_given)| *is_given).map(|&(option, _)| option)
        };
        let size = || self.puzzle.size_option();
        let property = || self.puzzle.first_option();
        let [method, weights, failures, device] = method_options;
        let (mode, unused) = if self.variants.is_requested() {
            let climb = ("--climb", self.climb.is_requested());
            let options = [climb, method, weights, failures, device];
            ("--rules", first(&options).or_else(|| self.puzzle.first_classic_option()))
        } else if self.climb.starts_from_puzzles() {
            ("--climb and --start", first(&method_options).or_else(property))
        } else if self.climb.is_requested() {
            ("--climb", first(&method_options))
        } else {
            match self.method {
                Method::Cut => ("--method cut", first(&[weights, failures])),
                Method::Kocherzhenko => {
                    ("--method kocherzhenko", first(&[weights, device]).or_else(property))
                }
                Method::Unbiased => {
                    let unused = first(&[failures, device]).or_else(size).or_else(property);
                    ("--method unbiased", unused)
                }
            }
        };
        match unused {
            Some("--write-weights") => {
                Err(CliError::unsupported_option("--write-weights", mode)
                    .hint("add --method unbiased"))
            }
            Some("--max-failures") => Err(CliError::unsupported_option("--max-failures", mode)
                .hint("add --method kocherzhenko")),
            Some(option) => Err(CliError::unsupported_option(option, mode)
                .hint(format!("leave out {option}, or leave out {mode}"))),
            None => Ok(()),
        }
    }
}
