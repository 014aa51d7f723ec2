//! `ninefold batch`: long lists on all cores, into a folder of parts, and on from where it stopped.
//!
//! Every puzzle becomes one row, in the order of the input. Rows go into parts of equal length; a part gets its name when it is
//! whole, so what has a name is finished work, and a run that was killed goes on behind it. Nothing that is written
//! depends on threads, time or interruptions: the parts are the same bytes however often a run was stopped.

use crate::console::{Console, Part, Total};
use crate::error::CliError;
use crate::generate::WishArgs;
use crate::input::{Puzzles, format_names};
use crate::rate;
use crate::stream::{self, Told};
use crate::verdict::Verdict;
use crate::words;
use clap::builder::PossibleValuesParser;
use clap::{Args, Subcommand};
use formats::Format;
use job::{Job, Manifest};
use ninefold::rate::scale::Scale;
use rows::{Row, Task};

mod job;
mod rows;

/// Work through long lists, and go on after an interruption
///
/// The answers go into the folder OUT as part-000000.csv, part-000001.csv and so on. A part gets its name when it is whole. The
/// same command goes on where a run has ended, for whatever reason, and the parts are then the same as if nothing had happened.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  ninefold batch solve puzzles.csv.gz solved/
  ninefold batch rate --scale se,effort lists/*.txt rated/
  ninefold batch explain puzzles.txt explained/
  ninefold batch generate --count 10000000 --seed 7 --clues 24-26 made/

Exit codes:
  0  yes: every puzzle has an answer
  1  no: some puzzles have none; the column `why` says the reason
  2  trouble: something could not be read or written")]
pub struct Options {
    #[command(subcommand)]
    task: Verb,
}

#[derive(Subcommand, Debug)]
enum Verb {
    /// Solve puzzles: the columns are puzzle, solution and why there is none
    Solve(Lists),
    /// Rate puzzles: the columns are puzzle, those of each scale, and why a rating is missing
    Rate {
        /// Rate on these scales; may be repeated
        #[arg(long = "scale", value_name = "NAME,…", value_delimiter = ',', required = true,
              value_parser = PossibleValuesParser::new(Scale::ALL.map(Scale::name)))]
        scales: Vec<String>,

        #[command(flatten)]
        lists: Lists,
    },
    /// Explain puzzles: one JSON object per line, as `ninefold explain --json` writes it
    Explain(Lists),
    /// Make puzzles: the columns are puzzle and solution
    Generate(Box<Making>),
}

#[derive(Args, Debug)]
struct Lists {
    /// Files to read, in any format that other verbs read, and the folder for the parts
    #[arg(value_names = ["IN", "OUT"], num_args = 2.., required = true)]
    paths: Vec<String>,

    /// The format of the input [default: detected from its beginning]
    #[arg(long, value_name = "FORMAT", value_parser = format_names())]
    from: Option<Format>,

    #[command(flatten)]
    common: Common,
}

#[derive(Args, Debug)]
struct Making {
    /// The folder for the parts
    #[arg(value_name = "OUT")]
    out: String,

    /// How many puzzles
    #[arg(long, short = 'n', value_name = "N")]
    count: u64,

    /// The seed
    #[arg(long, value_name = "N")]
    seed: u64,

    #[command(flatten)]
    wish: WishArgs,

    #[command(flatten)]
    common: Common,
}

#[derive(Args, Debug)]
struct Common {
    /// Rows in each part
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(1..))]
    rows_per_part: u64,

    /// Work on this many puzzles at once [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Begin again, and remove the parts that are there
    #[arg(long)]
    restart: bool,

    /// Print nothing to stderr but errors
    #[arg(long, short)]
    quiet: bool,
}

/// Works through everything that is not done yet.
pub fn run(options: &Options) -> Result<Verdict, CliError> {
    match &options.task {
        Verb::Solve(lists) => answer(lists, Task::Solve),
        Verb::Rate { scales, lists } => answer(lists, Task::Rate(rate::chosen(scales))),
        Verb::Explain(lists) => answer(lists, Task::Explain),
        Verb::Generate(making) => make(making),
    }
}

fn threads(common: &Common) -> usize {
    common.threads.map_or_else(stream::all_cores, usize::from)
}

fn answer(lists: &Lists, task: Task) -> Result<Verdict, CliError> {
    let (folder, inputs) = lists.paths.split_last().expect("the parser asks for two paths");
    let manifest =
        Manifest::of_files(task.name(), task.columns(), inputs, lists.common.rows_per_part)?;
    let mut puzzles = Puzzles::of_files(inputs, lists.from);
    let total = Total::Bytes(puzzles.reading.clone());
    let mut console = Console::open(lists.common.quiet, false).counting_to(total);
    let mut job = begin(folder, manifest, &lists.common, &mut console)?;
    if job.is_complete() {
        return Ok(verdict(&job));
    }
    // A stream that was packed cannot be entered in the middle, so what is done is read once more, and not answered.
    for _ in 0..job.rows_done() {
        let skipped = puzzles.next();
        if skipped.is_none_or(|question| question.is_err_and(|unreadable| unreadable.ends_source)) {
            return Err(CliError::new(format!(
                "the input has fewer puzzles than {folder} has answers"
            ))
            .hint("--restart begins again"));
        }
    }
    stream::run(
        puzzles,
        threads(&lists.common),
        |questions, send| task.answer_all(questions, send),
        |told| match told {
            Told::Part(row) => keep(row, &mut job, &mut console),
            Told::Idle => {}
        },
    );
    end(job, folder, console)
}

/// Writes a row; what cannot be read or written any more ends the process, and what is whole stays.
fn keep(row: Row, job: &mut Job, console: &mut Console) {
    let written = match row {
        Row::Answer(text) => {
            console.print(Part { puzzles: 1, ..Part::default() });
            job.write(&text)
        }
        Row::Broken(error) => Err(error),
    };
    if let Err(error) = written {
        console.stop(&error);
    }
}

fn make(making: &Making) -> Result<Verdict, CliError> {
    let demands = making.wish.demands()?;
    let wish = making.wish.wish(&demands)?;
    let asked = format!("seed {}, count {}, {:?}", making.seed, making.count, making.wish);
    let manifest = Manifest::of_wish("puzzle,solution\n", &asked, making.common.rows_per_part);
    let mut console =
        Console::open(making.common.quiet, false).counting_to(Total::Puzzles(making.count));
    let mut job = begin(&making.out, manifest, &making.common, &mut console)?;
    if job.is_complete() {
        return Ok(verdict(&job));
    }
    let todo = job.rows_done().min(making.count)..making.count;
    let mut refused = None;
    ninefold::generate::make_many(&wish, making.seed, todo, threads(&making.common), |_, made| {
        match made {
            Ok(made) => {
                let text = format!("{},{}\n", made.puzzle, made.solution);
                keep(Row::Answer(text), &mut job, &mut console);
                true
            }
            Err(refusal) => {
                refused = Some(refusal);
                false
            }
        }
    });
    match refused {
        Some(refusal) => {
            console.finish();
            match making.wish.refused(refusal) {
                (error, Verdict::No) => {
                    eprintln!("{}", error.as_an_answer());
                    Ok(Verdict::No)
                }
                (error, _) => Err(error),
            }
        }
        None => end(job, &making.out, console),
    }
}

/// Opens the folder and says what is there already.
fn begin(
    folder: &str,
    manifest: Manifest,
    common: &Common,
    console: &mut Console,
) -> Result<Job, CliError> {
    let job = Job::open(folder, manifest, common.restart)?;
    if job.is_complete() {
        console.remark("done", format!("{folder} is complete already; --restart begins again"));
    } else if job.rows_done() > 0 {
        let rows = words::counted(job.rows_done(), "row", "rows");
        console.remark("resumed", format!("{folder} has {rows} already; going on behind them"));
        console.count(job.rows_done());
    }
    Ok(job)
}

/// Has every row of the folder an answer, whichever run wrote it?
fn verdict(job: &Job) -> Verdict {
    if job.unanswered() == 0 { Verdict::Yes } else { Verdict::No }
}

fn end(job: Job, folder: &str, mut console: Console) -> Result<Verdict, CliError> {
    let verdict = verdict(&job);
    let (rows, parts) = job.finish()?;
    console.finish();
    if rows == 0 {
        return Err(
            CliError::new("there is no puzzle in the input").hint("write one puzzle per line")
        );
    }
    let (rows, parts) =
        (words::counted(rows, "row", "rows"), words::counted(parts, "part", "parts"));
    console.remark("done", format!("{folder}: {rows} in {parts}"));
    Ok(verdict)
}
