//! `ninefold lab`: experiments with networks and techniques, and comparisons of training runs.

mod commitments;
mod curves;
mod hopfield_hints;
mod levels;
mod runs;
mod six_rules;
mod throughput;

use crate::console;
use crate::console::outln;
use crate::error::CliError;
use crate::gpu;
use crate::verdict::Verdict;
use clap::Subcommand;
use ninefold::grid::Position;
use ninefold::logic::reglib;
use ninefold::proof::Candidate;
use ninefold_formats::ReadErrorKind;
use ninefold_formats::hodoku::LibraryLine;
use ninefold_neural::device::Device;
use ninefold_neural::models::rrn::benchmark::{self, BenchmarkCase};

/// Run experiments: technique libraries, network measurements, comparisons of training runs
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    command: LabCommand,
}

#[derive(Subcommand, Debug)]
enum LabCommand {
    /// Run a library of technique cases in HoDoKu's format
    ///
    /// A case passes if its technique finds a step with exactly the eliminations or placements of
    /// the line. A case of variant x passes if the technique finds no such step. The output counts
    /// found, missed and wrong cases for each technique, and contains every line that did not pass.
    Reglib {
        /// Library with one case per line
        file: String,
        /// Run only cases with these codes
        codes: Vec<String>,
    },
    Throughput(throughput::Args),
    Curves(curves::Args),
    Levels(levels::Args),
    Runs(runs::Args),
    /// Solve a list of puzzles with only the six rules of Cheewaprakobkit et al.
    ///
    /// Prints how many puzzles the rules solve, and for each rule how many digits and puzzles need
    /// it.
    SixRules {
        /// List of puzzles in any format
        file: String,
    },
    Commitments(commitments::Args),
    HopfieldHints(hopfield_hints::Args),
    /// Compare the message passing of a device with its reference implementation, and time training
    /// steps
    Messages {
        /// Device: cpu or gpu
        #[arg(long, value_name = "DEVICE", default_value = "cpu")]
        device: Device,
        /// Time training steps with this many recurrences; may be repeated
        #[arg(long, value_name = "N", default_values_t = [8, 16, 32])]
        recurrences: Vec<usize>,
        /// Time training steps with this many puzzles; may be repeated
        #[arg(long, value_name = "N", default_values_t = [2])]
        batch_size: Vec<usize>,
        /// Store messages as 16-bit numbers
        #[arg(long)]
        half: bool,
        /// Number of training steps to time
        #[arg(long, value_name = "N", default_value_t = 2)]
        steps: usize,
    },
}

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    match &args.command {
        LabCommand::Reglib { file, codes } => reglib(file, codes),
        LabCommand::Throughput(args) => throughput::run(args),
        LabCommand::Curves(args) => curves::run(args),
        LabCommand::Levels(args) => levels::run(args),
        LabCommand::Runs(args) => runs::run(args),
        LabCommand::SixRules { file } => six_rules::run(file),
        LabCommand::Commitments(args) => commitments::run(args),
        LabCommand::HopfieldHints(args) => hopfield_hints::run(args),
        LabCommand::Messages { device, recurrences, batch_size, half, steps } => {
            let case = |&batch_size: &usize, &recurrences: &usize| BenchmarkCase {
                recurrences,
                batch_size,
                half: *half,
                steps: *steps,
            };
            let cases: Vec<BenchmarkCase> = recurrences
                .iter()
                .flat_map(|recurrences| {
                    batch_size.iter().map(move |batch_size| case(batch_size, recurrences))
                })
                .collect();
            gpu::check(*device)?;
            benchmark::run(*device, &cases, &mut |line| outln!("{line}"))
                .map_err(|error| CliError::new(error.to_string()))?;
            Ok(Verdict::Yes)
        }
    }
}

fn reglib(file: &str, codes: &[String]) -> Result<Verdict, CliError> {
    let text = std::fs::read_to_string(file).map_err(|error| CliError::cannot_read(file, error))?;
    let mut report = reglib::Report::default();
    for (number, line) in (1..).zip(text.lines()) {
        let code = line.split([':', '-']).nth(1).unwrap_or_default();
        let is_selected = codes.is_empty() || codes.iter().any(|selected| selected == code);
        if is_selected && !line.trim().is_empty() && !line.starts_with('#') {
            let case = library_case(line)
                .map_err(|reason| CliError::new(format!("{file}, line {number}: {reason}")))?;
            report.add(&case, number, line);
        }
    }
    console::print(format_args!("{report}"));
    Ok(if report.failures.is_empty() { Verdict::Yes } else { Verdict::No })
}

fn library_case(line: &str) -> Result<reglib::Case, String> {
    let read: LibraryLine = line.parse().map_err(|reason: ReadErrorKind| reason.to_string())?;
    let position = Position::new(read.puzzle, read.position).map_err(|error| error.to_string())?;
    let candidates =
        |list: Vec<_>| list.into_iter().map(|(cell, digit)| Candidate::new(cell, digit)).collect();
    Ok(reglib::Case::new(
        &read.code,
        position,
        candidates(read.eliminations),
        candidates(read.placements),
    ))
}
