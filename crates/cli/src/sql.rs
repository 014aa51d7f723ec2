//! `ninefold sql`: runs SQL queries on tables of puzzles, on this machine or on a cluster.

use crate::console::{self, Console, Part};
use crate::error::CliError;
use crate::output::cannot_write;
use crate::stream;
use crate::verdict::Verdict;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use ninefold_batch::{BatchError, Format, Node, Resources, SessionContext};
use ninefold_files::AtomicFile;
use std::io::{self, IsTerminal, Write};

/// Run SQL queries that solve, rate, count and generate puzzles
///
/// Names in quotes are files: CSV and TSV with column names, JSON, Parquet, and .txt lists with one
/// puzzle per line in the column `puzzle`. Files that end in .gz, .zst, .bz2 and .xz are
/// decompressed, and 'lists/*.csv' matches several files. A missing result is NULL. The order of
/// rows is undefined without `order by`. The dialect is that of Apache DataFusion.
#[derive(clap::Args, Debug)]
#[command(after_help = format!("\
Functions:
{}
Examples:
  ninefold sql \"select puzzle, solve(puzzle) from 'puzzles.csv'\"
  ninefold sql \"select clues(puzzle) n, count(*) from 'lists/*.txt' group by n order by n\"
  ninefold sql \"select count(distinct canonical(puzzle)) from 'puzzles.parquet'\"
  ninefold sql \"select * from generate(7, 1000000, 'clues 24-26') where is_minimal(puzzle)\" -o generated.parquet
  ninefold sql --cluster localhost:50050 \"select avg(rate('se', puzzle)) from '/shared/lists/*.parquet'\"", Node::default().help()))]
pub struct Args {
    /// Query, or - to read it from standard input
    #[arg(value_name = "QUERY", required_unless_present = "functions")]
    query: Option<String>,

    /// Format of the output [default: that of the extension of --out, or table; on a terminal only
    /// the first 100 rows]
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    format: Option<Format>,

    /// Write to this file instead of stdout. The file appears when it is complete
    #[arg(long, short = 'o', value_name = "FILE")]
    out: Option<String>,

    /// Run on the cluster with this scheduler; files must have the same paths on all machines
    #[arg(long, value_name = "HOST:PORT")]
    cluster: Option<String>,

    /// With --cluster: minimum number of partitions
    #[arg(long, value_name = "N", default_value_t = 16, requires = "cluster",
          value_parser = clap::value_parser!(u16).range(1..))]
    partitions: u16,

    /// Number of worker threads [default: number of cores]
    #[arg(long, value_name = "N", conflicts_with = "cluster", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Memory limit for sorting, grouping and joining; larger data is written to disk
    #[arg(long, value_name = "SIZE", default_value = "2GiB", conflicts_with = "cluster", value_parser = ninefold_batch::memory_size)]
    memory: u64,

    /// List the functions and exit
    #[arg(long)]
    functions: bool,

    /// Print only errors to stderr
    #[arg(long, short)]
    quiet: bool,
}

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    if args.functions {
        console::print(format_args!("{}", Node::default().help()));
        return Ok(Verdict::Yes);
    }
    let query = match args.query.as_deref() {
        Some("-") => io::read_to_string(io::stdin())
            .map_err(|error| CliError::cannot_read("standard input", error))?,
        query => query.unwrap_or_default().to_string(),
    };
    let format = match (args.format, args.out.as_deref()) {
        (Some(format), _) => format,
        (None, Some(path)) => Format::from_path(path).ok_or_else(|| {
            CliError::new(format!("{path}: the extension names no format of tables"))
                .hint("use .csv, .json, .jsonl, .parquet or .arrows, or add --format")
        })?,
        (None, None) if io::stdout().is_terminal() => Format::Preview,
        (None, None) => Format::Table,
    };
    let is_binary = matches!(format, Format::Parquet | Format::Arrow);
    if is_binary && args.out.is_none() && io::stdout().is_terminal() {
        return Err(CliError::new("cannot print binary data to a terminal")
            .hint("add -o rows.parquet or -o rows.arrows"));
    }
    let threads = args.threads.map_or_else(stream::all_cores, usize::from);
    ninefold_batch::block_on(threads, async {
        match &args.out {
            Some(path) => {
                let mut file =
                    AtomicFile::create(path).map_err(|error| cannot_write(path, &error))?;
                let result = execute(args, &query, format, threads, &mut file).await;
                result.map_err(|error| {
                    CliError::new(format!("{path}: {}", error.message)).maybe_hint(error.hint)
                })?;
                file.commit().map_err(|error| cannot_write(path, &error))
            }
            None => {
                let mut stdout = Stdout(Vec::new());
                execute(args, &query, format, threads, &mut stdout).await?;
                stdout.flush().map_err(|error| cannot_write("standard output", &error))
            }
        }
    })?;
    Ok(Verdict::Yes)
}

async fn execute(
    args: &Args,
    query: &str,
    format: Format,
    threads: usize,
    sink: &mut (dyn Write + Send),
) -> Result<(), BatchError> {
    let node = Node::default();
    let session = match &args.cluster {
        Some(scheduler) => client(node, scheduler, args.partitions.into()).await?,
        None => node.local(Resources { threads, memory: args.memory as usize })?,
    };
    let mut console = Console::open(args.quiet, false);
    let mut printed = 0;
    ninefold_batch::run(&session, query, format, sink, &mut |rows| {
        console.print(Part {
            puzzles: rows - std::mem::replace(&mut printed, rows),
            ..Part::default()
        });
    })
    .await?;
    console.finish();
    Ok(())
}

/// A session on a cluster.
#[cfg(feature = "cluster")]
async fn client(node: Node, scheduler: &str, parts: usize) -> Result<SessionContext, BatchError> {
    node.client(scheduler, parts).await
}

#[cfg(not(feature = "cluster"))]
async fn client(_: Node, _: &str, _: usize) -> Result<SessionContext, BatchError> {
    Err(BatchError::new("clusters are not compiled in; build with --features cluster")
        .hint("leave out --cluster to run the query on this machine"))
}

/// Stdout. A closed pipe ends the process quietly.
struct Stdout(Vec<u8>);

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.extend_from_slice(bytes);
        if self.0.len() >= 1 << 16 {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        console::print_bytes(&self.0);
        self.0.clear();
        Ok(())
    }
}

fn format_parser() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(|(name, _)| name))
        .map(|name| name.parse().expect("the parser accepts only these names"))
}

impl From<BatchError> for CliError {
    fn from(error: BatchError) -> CliError {
        CliError::new(error.message).maybe_hint(error.hint)
    }
}

impl CliError {
    fn maybe_hint(self, hint: Option<String>) -> CliError {
        CliError { hint: hint.or(self.hint), ..self }
    }
}
