//! `ninefold batch`: processes long lists on all cores and resumes after an interruption.
//!
//! Every puzzle becomes one row, in the order of the input. The rows are written to part files of
//! equal length. Part files are written atomically, so an interrupted run resumes after the last
//! part. The output is byte-identical for any number of threads and interruptions.

use crate::console::{Console, Part, Total};
use crate::error::CliError;
use crate::generate::{PuzzleArgs, check_count};
use crate::humanize;
use crate::input::{Puzzles, format_parser};
use crate::rate;
use crate::stream::{self, Event};
use crate::verdict::Verdict;
use clap::Subcommand;
use clap::builder::PossibleValuesParser;
use job::{Job, Manifest};
use ninefold::rate::scale::Scale;
use ninefold_formats::Format;
use rows::{Rows, Task};

mod job;
mod rows;

/// Process long lists of puzzles, with resume
///
/// The results are written to the directory OUT as part-000000.csv, part-000001.csv and so on. Each
/// part is written atomically. The same command resumes an interrupted run, and the output is then
/// byte-identical to that of an uninterrupted run.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Examples:
  ninefold batch solve puzzles.csv.gz solved/
  ninefold batch rate --scale se,effort lists/*.txt rated/
  ninefold batch explain puzzles.txt explained/
  ninefold batch generate --count 10000000 --seed 7 --clues 24-26 generated/

Exit codes:
  0  every puzzle has a result
  1  some puzzles have none; the column `why` contains the reason
  2  a file could not be read or written")]
pub struct Args {
    #[command(subcommand)]
    task: TaskCommand,
}

#[derive(Subcommand, Debug)]
enum TaskCommand {
    /// Solve puzzles; the columns are puzzle, solution and why (the reason for a missing solution)
    Solve(ListArgs),
    /// Rate puzzles; the columns are puzzle, those of each scale, and why (the reason for a missing
    /// rating)
    Rate {
        /// Use these scales; may be repeated
        #[arg(long = "scale", value_name = "NAME,…", value_delimiter = ',', required = true,
              value_parser = PossibleValuesParser::new(Scale::ALL.map(Scale::name)))]
        scales: Vec<String>,

        #[command(flatten)]
        lists: ListArgs,
    },
    /// Explain puzzles; the output is one JSON object per line, as from `ninefold explain --json`
    Explain(ListArgs),
    /// Generate puzzles; the columns are puzzle and solution
    Generate(Box<GenerateArgs>),
}

#[derive(clap::Args, Debug)]
struct ListArgs {
    /// Files to read, in any supported format, and the directory for the parts
    #[arg(value_names = ["IN", "OUT"], num_args = 2.., required = true)]
    paths: Vec<String>,

    /// Format of the input [default: detected from its beginning]
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    from: Option<Format>,

    #[command(flatten)]
    common: CommonArgs,
}

#[derive(clap::Args, Debug)]
struct GenerateArgs {
    /// Directory for the parts
    #[arg(value_name = "OUT")]
    out: String,

    /// Number of puzzles
    #[arg(long, short = 'n', value_name = "N")]
    count: u64,

    /// Random seed
    #[arg(long, value_name = "N")]
    seed: u64,

    #[command(flatten)]
    puzzle: PuzzleArgs,

    #[command(flatten)]
    common: CommonArgs,
}

#[derive(clap::Args, Debug)]
struct CommonArgs {
    /// Number of rows in each part
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    rows_per_part: u64,

    /// Number of worker threads [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Delete the existing parts and start again
    #[arg(long)]
    restart: bool,

    /// Print only errors to stderr
    #[arg(long, short)]
    quiet: bool,
}

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    match &args.task {
        TaskCommand::Solve(lists) => process(lists, Task::Solve),
        TaskCommand::Rate { scales, lists } => {
            process(lists, Task::Rate(rate::selected_scales(scales)))
        }
        TaskCommand::Explain(lists) => process(lists, Task::Explain),
        TaskCommand::Generate(args) => generate(args),
    }
}

fn threads(common: &CommonArgs) -> usize {
    common.threads.map_or_else(stream::all_cores, usize::from)
}

fn process(lists: &ListArgs, task: Task) -> Result<Verdict, CliError> {
    let (directory, inputs) = lists.paths.split_last().expect("the parser requires two paths");
    let manifest =
        Manifest::for_files(task.name(), task.columns(), inputs, lists.common.rows_per_part)?;
    let mut puzzles = Puzzles::from_files(inputs, lists.from);
    let total = Total::Bytes(puzzles.progress.clone());
    let mut console = Console::open(lists.common.quiet, false).with_total(total);
    let mut job = open_job(directory, manifest, &lists.common, &mut console)?;
    if job.is_complete() {
        return Ok(verdict(&job));
    }
    // Compressed files cannot be read from the middle, so skip the puzzles that are done.
    for _ in 0..job.rows_done() {
        let skipped = puzzles.next();
        if skipped.is_none_or(|record| record.is_err_and(|error| error.ends_source)) {
            return Err(CliError::new(format!(
                "the input has fewer puzzles than {directory} has results"
            ))
            .hint("use --restart to start again"));
        }
    }
    stream::run(
        puzzles,
        threads(&lists.common),
        |records, send| task.process_chunk(records, send),
        |event| match event {
            Event::Part(rows) => write_rows(rows, &mut job, &mut console),
            Event::Idle => {}
        },
    );
    finish(job, directory, console)
}

/// Writes rows. A read or write error ends the process; complete parts remain.
fn write_rows(rows: Rows, job: &mut Job, console: &mut Console) {
    let written = match rows {
        Rows::Lines(lines) => {
            job.write(&lines).map(|puzzles| console.print(Part { puzzles, ..Part::default() }))
        }
        Rows::Failed(error) => Err(error),
    };
    if let Err(error) = written {
        console.stop(&error);
    }
}

fn generate(args: &GenerateArgs) -> Result<Verdict, CliError> {
    let requirements = args.puzzle.requirements()?;
    let options = args.puzzle.options(&requirements)?;
    check_count(args.count, options.order)?;
    let description = format!("seed {}, count {}, {:?}", args.seed, args.count, args.puzzle);
    let manifest =
        Manifest::for_generation("puzzle,solution\n", &description, args.common.rows_per_part);
    let mut console =
        Console::open(args.common.quiet, false).with_total(Total::Puzzles(args.count));
    let mut job = open_job(&args.out, manifest, &args.common, &mut console)?;
    if job.is_complete() {
        return Ok(verdict(&job));
    }
    let todo = job.rows_done().min(args.count)..args.count;
    let mut failure = None;
    ninefold::generate::generate_many(
        &options,
        args.seed,
        todo,
        threads(&args.common),
        |_, result| match result {
            Ok(generated) => {
                let text = format!("{},{}\n", generated.puzzle, generated.solution);
                write_rows(Rows::Lines(text), &mut job, &mut console);
                true
            }
            Err(error) => {
                failure = Some(error);
                false
            }
        },
    );
    match failure {
        Some(error) => {
            console.finish();
            match args.puzzle.to_cli_error(error) {
                (error, Verdict::No) => {
                    eprintln!("{}", error.without_prefix());
                    Ok(Verdict::No)
                }
                (error, _) => Err(error),
            }
        }
        None => finish(job, &args.out, console),
    }
}

/// Opens the directory and prints how many rows it already contains.
fn open_job(
    directory: &str,
    manifest: Manifest,
    common: &CommonArgs,
    console: &mut Console,
) -> Result<Job, CliError> {
    let job = Job::open(directory, manifest, common.restart)?;
    if job.is_complete() {
        console
            .note("done", format!("{directory} is already complete; use --restart to start again"));
    } else if job.rows_done() > 0 {
        let rows = humanize::count(job.rows_done(), "row", "rows");
        console
            .note("resumed", format!("{directory} already contains {rows}; resuming after them"));
        console.count(job.rows_done());
    }
    Ok(job)
}

/// The verdict for all rows in the directory, including those of earlier runs.
fn verdict(job: &Job) -> Verdict {
    if job.missing_results() == 0 { Verdict::Yes } else { Verdict::No }
}

fn finish(job: Job, directory: &str, mut console: Console) -> Result<Verdict, CliError> {
    let verdict = verdict(&job);
    let (rows, parts) = job.finish()?;
    console.finish();
    if rows == 0 {
        return Err(CliError::empty_input());
    }
    let (rows, parts) =
        (humanize::count(rows, "row", "rows"), humanize::count(parts, "part", "parts"));
    console.note("done", format!("{directory}: {rows} in {parts}"));
    Ok(verdict)
}
