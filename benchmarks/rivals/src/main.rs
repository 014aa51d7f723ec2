//! Ninefold against other people's solvers: count to 2, one thread, CPU time, in one process.
//!
//! `cargo run --release -- FILE… > ../records/NAME.md` prints a record in Markdown. Every contestant starts from the
//! same 81 bytes, so setting up counts for all alike. Contestants take turns, list by list and repetition by
//! repetition, so that noise hits all of them; speeds are medians over the repetitions, and what is compared is the
//! ratio to crate `sudoku` inside this one run. `--generators` lets the makers of puzzles race in the same way.

mod contestants;
mod generators;
mod lists;
mod race;
mod record;

use clap::Parser;
use std::process::ExitCode;

/// Measure Ninefold's solvers against other people's: count to 2, one thread, CPU time.
#[derive(Parser, Debug)]
pub struct Options {
    /// Lists of 9×9 puzzles, one per line; gzip is unpacked
    #[arg(required_unless_present = "generators")]
    files: Vec<String>,

    /// Let the generators race as well
    #[arg(long)]
    generators: bool,

    /// How many turns each contestant has on each list
    #[arg(long, default_value_t = 5)]
    turns: usize,

    /// CPU seconds of one turn
    #[arg(long, default_value_t = 0.5)]
    seconds: f64,

    /// Use no more than so many puzzles of each list
    #[arg(long, default_value_t = 20_000)]
    puzzles: usize,

    /// The seed of the rearrangement
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Let tdoku race as well: a shared library with its function TdokuSolverDpllTriadSimd
    #[arg(long, value_name = "LIBRARY")]
    tdoku: Option<String>,

    /// Let fastdoku race as well: a shared library with `uint32_t fastdoku_count(const char *puzzle, uint32_t limit)` around its engine
    /// `auto`
    #[arg(long, value_name = "LIBRARY")]
    fastdoku: Option<String>,

    /// Only contestants whose name contains this; may be repeated. The rival to compare with always takes part
    #[arg(long)]
    only: Vec<String>,
}

fn main() -> ExitCode {
    let options = Options::parse();
    print!("{}", record::heading(&options));
    let mut wrong = 0;
    let guests = match guests(&options) {
        Ok(guests) => guests,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    for file in &options.files {
        let puzzles = match lists::read(file, options.puzzles, options.seed) {
            Ok(puzzles) => puzzles,
            Err(error) => {
                eprintln!(
                    "error: {file}: {error}\n\nhint: a list has one 9×9 puzzle of 81 characters per line"
                );
                return ExitCode::from(2);
            }
        };
        let mut contestants = contestants::all(&options.only, guests);
        let scores = race::run(&puzzles, &mut contestants, options.turns, options.seconds);
        print!("{}", record::table(file, puzzles.len(), &scores));
        wrong += scores.iter().map(|score| score.wrong).sum::<u64>();
    }
    if options.generators {
        print!("{}", generators::race(&options));
    }
    if wrong > 0 {
        eprintln!("{wrong} answers differ from those of crate sudoku");
        return ExitCode::from(1);
    }
    ExitCode::SUCCESS
}

/// The rivals from shared libraries.
fn guests(options: &Options) -> Result<contestants::Guests, String> {
    let tdoku = options.tdoku.as_deref().map(contestants::Tdoku::load).transpose();
    let fastdoku = options.fastdoku.as_deref().map(contestants::Fastdoku::load).transpose();
    Ok(contestants::Guests {
        tdoku: tdoku.map_err(|error| format!("--tdoku: {error}"))?,
        fastdoku: fastdoku.map_err(|error| format!("--fastdoku: {error}"))?,
    })
}
