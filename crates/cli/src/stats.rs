//! `ninefold stats`: what is in a collection of puzzles, or in several side by side.

use crate::console::{Console, Part, Total};
use crate::error::CliError;
use crate::input::{CollectionInput, Item};
use crate::output;
use crate::source::Source;
use crate::stream;
use crate::verdict::Verdict;
use crate::words;
use clap::{Args, ValueEnum};
use ninefold::puzzles::stats::{self, Questions, Stats};
use ninefold::rate::consistency::Consistency;
use std::collections::{BTreeSet, VecDeque};
use std::path::{Path, PathBuf};

/// Describe collections of puzzles: clues, solutions, difficulty, duplicates
///
/// Every file is a column of the table; puzzles that were typed make up a column together.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit codes:
  0  yes: everything was counted, but for bad entries that --skip-bad left out
  2  trouble: something could not be read or written")]
pub struct Options {
    #[command(flatten)]
    input: CollectionInput,

    /// Ask only this; may be repeated [default: everything]
    #[arg(long = "only", value_name = "QUESTION")]
    only: Vec<Question>,

    /// The strongest consistency that is tried
    #[arg(long, value_name = "LEVEL", default_value = "SGAC", value_parser = level)]
    strongest: Consistency,

    /// Answer with one JSON object for each collection
    #[arg(long)]
    json: bool,

    /// Draw the distributions as SVG files into this folder
    #[arg(long, value_name = "FOLDER")]
    plots: Option<PathBuf>,

    /// Work on this many puzzles at once [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// What can be asked about a collection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Question {
    /// How many clues
    Clues,
    /// How many puzzles have no solution, one, or several
    Solutions,
    /// In how many puzzles every clue is needed
    Minimality,
    /// DuPree's scores and levels
    Dupree,
    /// Which consistency solves how many puzzles without search
    Consistency,
    /// How many puzzles are images of others
    Duplicates,
}

/// A level of consistency by its name.
pub fn level(name: &str) -> Result<Consistency, String> {
    let names: Vec<&str> = Consistency::ALL.iter().map(|level| level.name()).collect();
    Consistency::by_name(name)
        .ok_or_else(|| format!("there is no such level; the choice is {}", names.join(", ")))
}

/// Counts everything and prints it.
pub fn run(options: &Options) -> Result<Verdict, CliError> {
    let mut collections = Vec::new();
    for (name, sources) in columns(options.input.input.sources.list()?) {
        collections.push((name, count(options, sources)?));
    }
    if collections.iter().all(|(_, stats)| stats.puzzles == 0) {
        return Err(CliError::new("there is no puzzle in the input")
            .hint("--from names the format of the input"));
    }
    let mut console = Console::open(false, false);
    let borrowed: Vec<(&str, &Stats)> =
        collections.iter().map(|(name, stats)| (name.as_str(), stats)).collect();
    let data = match options.json {
        true => borrowed.iter().map(|(name, stats)| json(name, stats)).collect(),
        false => stats::table(&borrowed) + "\n" + &histogram(&borrowed),
    };
    console.print(Part { data, ..Part::default() });
    console.finish();
    if let Some(folder) = &options.plots {
        draw(folder, &borrowed)?;
    }
    Ok(Verdict::Yes)
}

/// The sources of each column, with its name.
fn columns(sources: VecDeque<Source>) -> Vec<(String, VecDeque<Source>)> {
    let mut columns: Vec<(String, VecDeque<Source>)> = Vec::new();
    for source in sources {
        let name = match &source {
            Source::Argument { .. } => "as typed".to_string(),
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

/// A file's name without its folder and endings.
fn name_of(path: &str) -> String {
    let file = Path::new(path).file_name().map_or(path.into(), |name| name.to_string_lossy());
    file.split('.').find(|part| !part.is_empty()).unwrap_or(&file).to_string()
}

fn count(options: &Options, sources: VecDeque<Source>) -> Result<Stats, CliError> {
    let asked = |question| options.only.is_empty() || options.only.contains(&question);
    let questions = Questions {
        solutions: asked(Question::Solutions),
        minimality: asked(Question::Minimality),
        dupree: asked(Question::Dupree),
        consistency: asked(Question::Consistency).then_some(options.strongest),
        duplicates: asked(Question::Duplicates),
        ..Questions::ALL
    };
    let threads = options.threads.map_or_else(stream::all_cores, usize::from);
    let (mut broken, mut skipped) = (None, 0);
    let collection = options.input.open_some(sources);
    let mut console = Console::open(false, false)
        .silent_until_the_end()
        .counting_to(Total::Bytes(collection.reading()));
    let puzzles = collection.filter_map(|item| match item {
        Item::Found(_, entry) => {
            console.count(1);
            Some(entry.puzzle)
        }
        Item::Skipped(error) => {
            skipped += 1;
            console.error(error);
            None
        }
        Item::Broken(error) => {
            broken = Some(error);
            None
        }
    });
    let stats = stats::collect(puzzles, &questions, threads);
    console.finish();
    match broken {
        Some(error) => Err(error),
        None => {
            output::report_skipped(skipped, false);
            Ok(stats)
        }
    }
}

/// How many puzzles have how many clues, a row for each number; a single collection is drawn as well.
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

fn draw(folder: &Path, collections: &[(&str, &Stats)]) -> Result<(), CliError> {
    let cannot_write =
        |path: &Path, error| output::cannot_write(&path.display().to_string(), &error);
    std::fs::create_dir_all(folder).map_err(|error| cannot_write(folder, error))?;
    let mut drawn = 0;
    for (name, stats) in collections {
        for (plot, svg) in stats.plots(name) {
            let path = folder.join(format!("{}-{plot}.svg", name.replace(' ', "-")));
            output::write_file(&path, svg)?;
            drawn += 1;
        }
    }
    eprintln!("{} in {}", words::counted(drawn, "plot", "plots"), folder.display());
    Ok(())
}
