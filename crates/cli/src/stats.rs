//! `ninefold stats`: prints statistics of one or several collections of puzzles.

use crate::console::{Console, Part, Total};
use crate::error::CliError;
use crate::humanize;
use crate::input::{CollectionArgs, Item, RulesArgs};
use crate::output;
use crate::source::Source;
use crate::stream;
use crate::values;
use crate::verdict::Verdict;
use clap::ValueEnum;
use clap::builder::TypedValueParser;
use ninefold::puzzles::stats::{self, Stats, StatsOptions};
use ninefold::rate::consistency::Consistency;
use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

/// Print statistics of collections: clues, solutions, difficulty, duplicates
///
/// Every file is a column of the table. Puzzles on the command line form one column.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Exit codes:
  0  all puzzles were counted, except invalid entries with --skip-bad
  2  a file could not be read or written")]
pub struct Args {
    #[command(flatten)]
    input: CollectionArgs,

    #[command(flatten)]
    rules: RulesArgs,

    /// Compute only this statistic; may be repeated [default: all]
    #[arg(long = "statistic", value_name = "NAME")]
    statistics: Vec<Statistic>,

    /// Strongest consistency to try [default: SGAC]
    #[arg(long, value_name = "LEVEL", value_parser = consistency_parser())]
    strongest: Option<Consistency>,

    /// Print one JSON object per collection
    #[arg(long)]
    json: bool,

    /// Draw the distributions as SVG files in this directory
    #[arg(long, value_name = "DIR")]
    plots: Option<PathBuf>,

    /// Number of worker threads [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Statistic {
    /// Number of clues
    Clues,
    /// Number of puzzles with no solution, one solution and several
    Solutions,
    /// Number of puzzles without redundant clues
    Minimality,
    /// DuPree's scores and levels
    Dupree,
    /// Number of puzzles that each consistency solves without search
    Consistency,
    /// Number of puzzles that are equivalent to others
    Duplicates,
}

pub fn consistency_parser() -> impl TypedValueParser<Value = Consistency> {
    values::parser(Consistency::ALL, Consistency::name)
}

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    if args.strongest.is_some() && !args.computes(Statistic::Consistency) {
        return Err(CliError::new("--strongest needs the statistic consistency")
            .hint("add --statistic consistency, or leave out --strongest"));
    }
    let mut collections = Vec::new();
    for (name, sources) in columns(args.input.input.sources.list()?) {
        collections.push((name, count(args, sources)?));
    }
    if collections.iter().all(|(_, stats)| stats.puzzles == 0) {
        return Err(CliError::new("there is no puzzle in the input")
            .hint("use --from to set the format of the input"));
    }
    let mut console = Console::open(false, false);
    let borrowed: Vec<(&str, &Stats)> =
        collections.iter().map(|(name, stats)| (name.as_str(), stats)).collect();
    let data = match args.json {
        true => borrowed.iter().map(|(name, stats)| json(name, stats)).collect(),
        false => stats::table(&borrowed) + "\n" + &histogram(&borrowed),
    };
    console.print(Part { data, ..Part::default() });
    console.finish();
    if let Some(directory) = &args.plots {
        draw(directory, &borrowed)?;
    }
    Ok(Verdict::Yes)
}

impl Args {
    fn computes(&self, statistic: Statistic) -> bool {
        self.statistics.is_empty() || self.statistics.contains(&statistic)
    }
}

/// The name and the sources of each column.
fn columns(sources: VecDeque<Source>) -> Vec<(String, VecDeque<Source>)> {
    let mut columns: Vec<(String, VecDeque<Source>)> = Vec::new();
    for source in sources {
        let name = match &source {
            Source::Argument { .. } => "arguments".to_string(),
            Source::File(path) => name_of(path),
            Source::StandardInput => "standard input".to_string(),
        };
        match columns
            .iter_mut()
            .find(|(known, _)| *known == name && matches!(source, Source::Argument { .. }))
        {
            Some((_, together)) => together.push_back(source),
            None => columns.push((name, [source].into())),
        }
    }
    columns
}

/// The name of a file without directory and extensions.
fn name_of(path: &str) -> String {
    let file = Path::new(path).file_name().map_or(path.into(), |name| name.to_string_lossy());
    file.split('.').find(|part| !part.is_empty()).unwrap_or(&file).to_string()
}

fn count(args: &Args, sources: VecDeque<Source>) -> Result<Stats, CliError> {
    let mut options = StatsOptions::all();
    options.solutions = args.computes(Statistic::Solutions);
    options.minimality = args.computes(Statistic::Minimality);
    options.dupree = args.computes(Statistic::Dupree);
    let strongest = args.strongest.unwrap_or(Consistency::Sgac);
    options.consistency = args.computes(Statistic::Consistency).then_some(strongest);
    options.duplicates = args.computes(Statistic::Duplicates);
    let threads = args.threads.map_or_else(stream::all_cores, usize::from);
    let (mut failure, mut skipped) = (None, 0);
    let collection = args.input.open_sources(sources).with_rules(args.rules);
    let mut console = Console::open(false, false)
        .with_progress_on_terminal()
        .with_total(Total::Bytes(collection.progress()));
    let puzzles = collection.filter_map(|item| match item {
        Item::Entry(_, entry) => {
            console.count(1);
            Some(entry.puzzle)
        }
        Item::Skipped(error) => {
            skipped += 1;
            console.error(error);
            None
        }
        Item::Failed(error) => {
            failure = Some(error);
            None
        }
    });
    let stats = stats::collect(puzzles, &options, threads);
    console.finish();
    match failure {
        Some(error) => Err(error),
        None => {
            output::report_skipped(skipped, false);
            Ok(stats)
        }
    }
}

/// The number of puzzles for each number of clues, with bars for a single collection.
fn histogram(collections: &[(&str, &Stats)]) -> String {
    const LONGEST_BAR: u64 = 40;
    let numbers: BTreeSet<usize> =
        collections.iter().flat_map(|(_, stats)| stats.clues.keys().copied()).collect();
    let count = |stats: &Stats, clues: usize| stats.clues.get(&clues).copied().unwrap_or(0);
    let width = |name: &str, stats: &Stats| {
        let most = stats.clues.values().max().copied().unwrap_or(0);
        name.chars().count().max(most.to_string().len())
    };
    let mut text = "clues".to_string();
    for (name, stats) in collections {
        text += &format!("  {name:>width$}", width = width(name, stats));
    }
    for clues in numbers {
        text += &format!("\n{clues:>5}");
        for (name, stats) in collections {
            text += &format!("  {:>width$}", count(stats, clues), width = width(name, stats));
        }
        if let [(_, stats)] = collections {
            let most = stats.clues.values().max().copied().unwrap_or(1);
            let bar = (count(stats, clues) * LONGEST_BAR).div_ceil(most);
            text += &format!("  {}", "#".repeat(bar as usize));
        }
    }
    text + "\n"
}

fn json(name: &str, stats: &Stats) -> String {
    let name = serde_json::Value::from(name);
    let object = stats.to_json();
    format!("{{\"collection\": {name}, {}\n", object.trim_start_matches('{'))
}

fn draw(directory: &Path, collections: &[(&str, &Stats)]) -> Result<(), CliError> {
    let cannot_write =
        |path: &Path, error| output::cannot_write(&path.display().to_string(), &error);
    std::fs::create_dir_all(directory).map_err(|error| cannot_write(directory, error))?;
    let mut drawn = 0;
    for (name, stats) in collections {
        for (plot, svg) in stats.plots(name) {
            let path = directory.join(format!("{}-{plot}.svg", name.replace(' ', "-")));
            output::write_file(&path, svg)?;
            drawn += 1;
        }
    }
    eprintln!("{} in {}", humanize::count(drawn, "plot", "plots"), directory.display());
    Ok(())
}
