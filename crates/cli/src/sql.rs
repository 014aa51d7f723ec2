//! `ninefold sql`: questions about tables of puzzles, on this machine or on a cluster.

use crate::console::{self, Console, Part};
use crate::error::CliError;
use crate::output::cannot_write;
use crate::stream;
use crate::verdict::Verdict;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use files::WholeFile;
use ninefold_batch::{BatchError, Format, Node, Resources};
use std::io::{self, IsTerminal, Write};

/// Ask in SQL: solve, rate, count and make puzzles in tables of any length
///
/// Names in quotes are files: CSV and TSV with a line of column names, JSON, Parquet, and .txt lists with one puzzle per line,
/// whose column is called `puzzle`; .gz, .zst, .bz2 and .xz are unpacked, 'lists/*.csv' stands for many files. A row that has no
/// answer is NULL. Rows come in any order unless the query says `order by`. The dialect is that of Apache DataFusion.
#[derive(Args, Debug)]
#[command(after_help = format!("\
Functions:
{}
Examples:
  ninefold sql \"select puzzle, solve(puzzle) from 'puzzles.csv'\"
  ninefold sql \"select clues(puzzle) n, count(*) from 'lists/*.txt' group by n order by n\"
  ninefold sql \"select count(distinct canonical(puzzle)) from 'puzzles.parquet'\"
  ninefold sql \"select * from generate(7, 1000000, 'clues 24-26') where is_minimal(puzzle)\" -o made.parquet
  ninefold sql --cluster localhost:50050 \"select avg(rate('se', puzzle)) from '/shared/lists/*.parquet'\"", Node::default().help()))]
pub struct Options {
    /// The query, or - to read it from standard input
    #[arg(value_name = "QUERY", required_unless_present = "functions")]
    query: Option<String>,

    /// How to write the rows [default: table, or what the name of --out ends with]
    #[arg(long, value_name = "FORMAT", value_parser = format_names())]
    format: Option<Format>,

    /// Write into this file instead of to stdout; it gets its name when it is whole
    #[arg(long, short = 'o', value_name = "FILE")]
    out: Option<String>,

    /// Ask the cluster whose scheduler listens there; files must have the same names on all its machines
    #[arg(long, value_name = "HOST:PORT")]
    cluster: Option<String>,

    /// On a cluster: divide the work into this many tasks at least
    #[arg(long, value_name = "N", default_value_t = 16, requires = "cluster",
          value_parser = clap::value_parser!(u16).range(1..))]
    parts: u16,

    /// On this machine: use this many threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// On this machine: keep at most this much in memory for sorting, grouping and joining, and use the disk beyond it
    #[arg(long, value_name = "SIZE", default_value = "2GiB", value_parser = ninefold_batch::memory_size)]
    memory: u64,

    /// List the functions and exit
    #[arg(long)]
    functions: bool,

    /// Print nothing to stderr but errors
    #[arg(long, short)]
    quiet: bool,
}

/// Asks and writes the rows.
pub fn run(options: &Options) -> Result<Verdict, CliError> {
    if options.functions {
        console::print(format_args!("{}", Node::default().help()));
        return Ok(Verdict::Yes);
    }
    let query = match options.query.as_deref() {
        Some("-") => io::read_to_string(io::stdin())
            .map_err(|error| CliError::new(format!("standard input cannot be read: {error}")))?,
        query => query.unwrap_or_default().to_string(),
    };
    let format = options
        .format
        .or_else(|| options.out.as_deref().and_then(Format::of_file))
        .unwrap_or(Format::Table);
    if format == Format::Parquet && options.out.is_none() && io::stdout().is_terminal() {
        return Err(
            CliError::new("a Parquet file is not text for a terminal").hint("add -o rows.parquet")
        );
    }
    ninefold_batch::logging::to_stderr(false);
    let threads = options.threads.map_or_else(stream::all_cores, usize::from);
    ninefold_batch::block_on(threads, async {
        match &options.out {
            Some(path) => {
                let mut file =
                    WholeFile::create(path).map_err(|error| cannot_write(path, &error))?;
                let answered = ask(options, &query, format, threads, &mut file).await;
                answered.map_err(|error| {
                    CliError::new(format!("{path}: {}", error.message)).maybe_hint(error.hint)
                })?;
                file.commit().map_err(|error| cannot_write(path, &error))
            }
            None => {
                let mut stdout = Stdout(Vec::new());
                ask(options, &query, format, threads, &mut stdout).await?;
                stdout.flush().map_err(|error| cannot_write("standard output", &error))
            }
        }
    })?;
    Ok(Verdict::Yes)
}

async fn ask(
    options: &Options,
    query: &str,
    format: Format,
    threads: usize,
    sink: &mut (dyn Write + Send),
) -> Result<(), BatchError> {
    let node = Node::default();
    let session = match &options.cluster {
        Some(scheduler) => node.client(scheduler, options.parts.into()).await?,
        None => node.local(Resources { threads, memory: options.memory as usize })?,
    };
    let mut console = Console::open(options.quiet, false);
    let mut told = 0;
    ninefold_batch::run(&session, query, format, sink, &mut |rows| {
        console
            .print(Part { puzzles: rows - std::mem::replace(&mut told, rows), ..Part::default() });
    })
    .await?;
    console.finish();
    Ok(())
}

/// Rows on their way to stdout, whose reader may leave at any time.
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

fn format_names() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(|(name, _)| name))
        .map(|name| name.parse().expect("the parser lets only these names through"))
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
