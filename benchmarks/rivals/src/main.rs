//! Compares the speed of Ninefold with other solvers. Every solver counts the solutions of each
//! puzzle up to 2. All run on one thread of the same process, and CPU time is measured.
//!
//! `cargo run --release -- FILE… > ../records/NAME.md` prints a record in Markdown. All solvers
//! start from the same 81 bytes, so parsing is included for all of them. They take turns on each
//! list, so that noise affects all equally. Speeds are medians over the turns, and ratios refer to
//! crate `sudoku` in the same run. `--generators` compares puzzle generators in the same way.

mod contestants;
mod generators;
mod lists;
mod race;
mod record;

use clap::Parser;
use ninefold::search::Engine;
use std::process::ExitCode;

/// Compare the speed of Ninefold with other solvers: count to 2, one thread, CPU time
#[derive(Parser, Debug)]
pub struct Args {
    /// Lists of 9×9 puzzles, one per line, optionally gzipped
    #[arg(required_unless_present = "generators")]
    files: Vec<String>,

    /// Also compare generators
    #[arg(long)]
    generators: bool,

    /// Number of turns of each solver on each list
    #[arg(long, default_value_t = 5)]
    turns: usize,

    /// CPU seconds per turn
    #[arg(long, default_value_t = 0.5)]
    seconds: f64,

    /// Maximum number of puzzles from each list
    #[arg(long, default_value_t = 20_000)]
    puzzles: usize,

    /// Seed of the random symmetries
    #[arg(long, default_value_t = 1)]
    seed: u64,

    /// Also run tdoku, from a shared library with its function TdokuSolverDpllTriadSimd
    #[arg(long, value_name = "LIBRARY")]
    tdoku: Option<String>,

    /// Also run fastdoku, from a shared library with a function
    /// `uint32_t fastdoku_count(const char *puzzle, uint32_t limit)` that calls its engine `auto`
    #[arg(long, value_name = "LIBRARY")]
    fastdoku: Option<String>,

    /// Run only solvers whose name contains this text (repeatable). The reference always runs
    #[arg(long)]
    only: Vec<String>,

    /// Engine of Ninefold's generators: avx512, avx2, neon, simd128 or portable
    /// [default: the best of this CPU]
    #[arg(long, value_name = "NAME")]
    engine: Option<Engine>,
}

fn main() -> ExitCode {
    let args = Args::parse();
    if let Some(Err(error)) = args.engine.map(Engine::select) {
        eprintln!("error: --engine: {error}");
        return ExitCode::from(2);
    }
    print!("{}", record::heading(&args));
    let mut wrong = 0;
    let libraries = match library_solvers(&args) {
        Ok(libraries) => libraries,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    for file in &args.files {
        let puzzles = match lists::read(file, args.puzzles, args.seed) {
            Ok(puzzles) => puzzles,
            Err(error) => {
                eprintln!(
                    "error: {file}: {error}\n\nhint: expected one 9×9 puzzle of 81 characters per line"
                );
                return ExitCode::from(2);
            }
        };
        let mut contestants = contestants::all(&args.only, libraries);
        let scores = race::run(&puzzles, &mut contestants, args.turns, args.seconds);
        print!("{}", record::table(file, puzzles.len(), &scores));
        wrong += scores.iter().map(|score| score.wrong).sum::<u64>();
    }
    if args.generators {
        print!("{}", generators::race(&args));
    }
    if wrong > 0 {
        eprintln!("{wrong} answers differ from those of crate sudoku");
        return ExitCode::from(1);
    }
    ExitCode::SUCCESS
}

/// Loads the solvers from shared libraries.
fn library_solvers(args: &Args) -> Result<contestants::LibrarySolvers, String> {
    let tdoku = args.tdoku.as_deref().map(contestants::Tdoku::load).transpose();
    let fastdoku = args.fastdoku.as_deref().map(contestants::Fastdoku::load).transpose();
    Ok(contestants::LibrarySolvers {
        tdoku: tdoku.map_err(|error| format!("--tdoku: {error}"))?,
        fastdoku: fastdoku.map_err(|error| format!("--fastdoku: {error}"))?,
    })
}
