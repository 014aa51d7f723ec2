//! `ninefold lab`: measuring ourselves, against other programs and against our own runs.

mod commitments;
mod curves;
mod levels;
mod runs;
mod six_rules;
mod throughput;

use crate::console;
use crate::console::tell;
use crate::error::CliError;
use crate::verdict::Verdict;
use clap::{Args, Subcommand};
use formats::Reason;
use formats::hodoku::LibraryLine;
use neural::device::Device;
use neural::models::rrn::trial::{self, Pace};
use ninefold::grid::Position;
use ninefold::logic::reglib;
use ninefold::proof::Candidate;

/// Try Ninefold against other programs, measure its networks, and compare training runs
#[derive(Args, Debug)]
pub struct Options {
    #[command(subcommand)]
    trial: Trial,
}

/// The trials.
#[derive(Subcommand, Debug)]
enum Trial {
    /// Run a library of technique cases in HoDoKu's format
    ///
    /// A case passes if its technique finds a step with exactly the eliminations or placements that the line names; a case
    /// of variant x passes if the technique finds no such step. Found, missed and wrong are counted for each technique, and
    /// every line that did not pass is shown.
    Reglib {
        /// The library, one case per line
        file: String,
        /// Only cases with these codes
        codes: Vec<String>,
    },
    Throughput(throughput::Options),
    Curves(curves::Options),
    Levels(levels::Options),
    Runs(runs::Runs),
    /// Solve a list of puzzles with the six rules of Cheewaprakobkit et al. alone
    ///
    /// Prints how many puzzles they solve, and for each rule how many of the digits and of the puzzles need it.
    SixRules {
        /// The list, in any format; packed files are unpacked
        file: String,
    },
    Commitments(commitments::Options),
    /// Compare the message passing of a device with its plain form, and time training steps
    Messages {
        /// Where to compute: cpu or gpu
        #[arg(long, value_name = "WHERE", default_value = "cpu")]
        device: Device,
        /// Time a training step with so many recurrences; may be repeated
        #[arg(long, value_name = "N", default_values_t = [8, 16, 32])]
        steps: Vec<usize>,
        /// … and so many puzzles; may be repeated
        #[arg(long, value_name = "N", default_values_t = [2])]
        batch: Vec<usize>,
        /// Keep messages as 16-bit numbers
        #[arg(long)]
        half: bool,
        /// Steps to time
        #[arg(long, value_name = "N", default_value_t = 2)]
        times: usize,
    },
}

/// Runs one trial.
pub fn run(options: &Options) -> Result<Verdict, CliError> {
    match &options.trial {
        Trial::Reglib { file, codes } => reglib(file, codes),
        Trial::Throughput(options) => throughput::run(options),
        Trial::Curves(options) => curves::run(options),
        Trial::Levels(options) => levels::run(options),
        Trial::Runs(options) => runs::run(options),
        Trial::SixRules { file } => six_rules::run(file),
        Trial::Commitments(options) => commitments::run(options),
        Trial::Messages { device, steps, batch, half, times } => {
            let pace = |&batch: &usize, steps: &usize| Pace {
                steps: *steps,
                batch,
                half: *half,
                times: *times,
            };
            let paces: Vec<Pace> = steps
                .iter()
                .flat_map(|steps| batch.iter().map(move |batch| pace(batch, steps)))
                .collect();
            trial::run(*device, &paces, &mut |line| tell!("{line}")).map_err(|error| {
                CliError::new(error.to_string()).hint("--device cpu computes on the processor")
            })?;
            Ok(Verdict::Yes)
        }
    }
}

fn reglib(file: &str, codes: &[String]) -> Result<Verdict, CliError> {
    let text = std::fs::read_to_string(file)
        .map_err(|error| CliError::new(format!("{file} cannot be read: {error}")))?;
    let mut report = reglib::Report::default();
    for (number, line) in (1..).zip(text.lines()) {
        let code = line.split([':', '-']).nth(1).unwrap_or_default();
        let is_wanted = codes.is_empty() || codes.iter().any(|wanted| wanted == code);
        if is_wanted && !line.trim().is_empty() && !line.starts_with('#') {
            let case = library_case(line)
                .map_err(|reason| CliError::new(format!("{file}: line {number}: {reason}")))?;
            report.add(&case, number, line);
        }
    }
    console::print(format_args!("{report}"));
    Ok(if report.failures.is_empty() { Verdict::Yes } else { Verdict::No })
}

fn library_case(line: &str) -> Result<reglib::Case, String> {
    let read: LibraryLine = line.parse().map_err(|reason: Reason| reason.to_string())?;
    let position = Position::new(read.puzzle, read.position).map_err(|error| error.to_string())?;
    let candidates =
        |list: Vec<_>| list.into_iter().map(|(cell, digit)| Candidate::new(cell, digit)).collect();
    Ok(reglib::Case::new(&read.code, position, candidates(read.removes), candidates(read.places)))
}
