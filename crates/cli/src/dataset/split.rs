//! `ninefold dataset split`: parts of a collection that no symmetry connects.

use crate::console::tell;
use crate::console::{Console, Total};
use crate::error::CliError;
use crate::input::{CollectionInput, Item, format_names};
use crate::output::{self, PuzzleFile, cannot_write};
use crate::source::Source;
use crate::stream::{self, Told};
use crate::verdict::Verdict;
use crate::words;
use clap::{Args, ValueEnum};
use formats::Format;
use ninefold::puzzles::split::{self, Manifest};
use ninefold::puzzles::{Canonical, canonical};
use ninefold::search::{self, Unfinished, unique};
use std::collections::{HashSet, VecDeque};
use std::path::{Path, PathBuf};

/// Divide a collection into parts, such as train and test, by symmetry class
///
/// All images of a puzzle go to one part, and the part depends on nothing but the seed and the class: a puzzle that is
/// added later moves no other. Shares are met on average. The folder gets one file for each part and manifest.toml. The
/// files get their names when all of them are whole, the manifest last: where there is one, the parts are those it names.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit codes:
  0  yes: every puzzle is in its part, but for bad entries that --skip-bad left out
  2  trouble: something could not be read or written, or with --by solution a search was not finished")]
pub struct Split {
    #[command(flatten)]
    input: CollectionInput,

    /// Names and shares of the parts
    #[arg(long, value_name = "NAME=SHARE,…", default_value = "train=80,test=20")]
    parts: String,

    /// The seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Keep together the images of a puzzle, or all puzzles whose solutions are images of each other
    #[arg(long, value_name = "WHAT", default_value = "puzzle")]
    by: By,

    /// Leave out every puzzle whose class is that of a puzzle in this file; may be given several times
    #[arg(long, value_name = "FILE")]
    apart_from: Vec<String>,

    /// The folder to write into
    #[arg(long, short = 'o', visible_alias = "out", value_name = "FOLDER")]
    into: PathBuf,

    /// Replace the parts and the manifest of an earlier split in the folder
    #[arg(long)]
    force: bool,

    /// The format of the parts
    #[arg(long, value_name = "FORMAT", default_value = "line", value_parser = format_names())]
    to: Format,

    /// Work on this many puzzles at once [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// What a class is the class of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum By {
    /// The puzzle itself
    Puzzle,
    /// Its solution; puzzles without a single solution go by themselves
    Solution,
}

/// Writes the parts and the manifest.
pub fn run(options: &Split) -> Result<Verdict, CliError> {
    let shares = split::Split::read(&options.parts, options.seed)
        .map_err(|error| CliError::new(error.to_string()))?;
    let manifest_path = options.into.join(MANIFEST);
    let names: Vec<String> = shares
        .parts()
        .iter()
        .map(|part| format!("{}.{}", part.name, options.to.extension()))
        .collect();
    refuse_to_replace(options, &names)?;
    let elsewhere = classes_elsewhere(options)?;
    let collection = options.input.open()?;
    std::fs::create_dir_all(&options.into)
        .map_err(|error| cannot_write(&shown(&options.into), &error))?;
    let mut parts = Vec::new();
    for name in &names {
        parts.push(PuzzleFile::create(&shown(&options.into.join(name)), options.to)?);
    }
    let by = if options.by == By::Puzzle { split::By::Puzzle } else { split::By::Solution };
    let mut manifest = Manifest::new(shares, by);
    let mut console = Console::open(false, false).counting_to(Total::Bytes(collection.reading()));
    let (mut skipped, mut left_out) = (0, 0);
    let threads = options.threads.map_or_else(stream::all_cores, usize::from);
    stream::run(
        collection,
        threads,
        |items, send| items.into_iter().for_each(|item| send(classed(item, options.by))),
        |told| match told {
            Told::Idle => {}
            Told::Part((Item::Found(place, entry), Some((class, unfinished)))) => {
                if let Some(unfinished) = unfinished {
                    let prefix = place.prefix();
                    let words = format!(
                        "{prefix}the search for its solution was {unfinished}; the puzzle goes by itself"
                    );
                    console.remark("such a puzzle", words);
                    console.verdict = Verdict::Trouble;
                }
                console.count(1);
                if elsewhere.contains(&class.fingerprint()) {
                    left_out += 1;
                } else if let Err(error) = parts[manifest.add(&class)].write(&entry) {
                    console.stop(&error.at(&place));
                }
            }
            Told::Part((Item::Found(..), None)) => unreachable!("every puzzle has a class"),
            Told::Part((Item::Skipped(error), _)) => {
                skipped += 1;
                console.error(error);
            }
            Told::Part((Item::Broken(error), _)) => console.stop(&error),
        },
    );
    console.finish();
    let parts = parts.into_iter().map(PuzzleFile::finish).collect::<Result<Vec<_>, CliError>>()?;
    // From here on the old manifest would vouch for parts that are not its own.
    files::remove(&manifest_path).map_err(|error| cannot_write(&shown(&manifest_path), &error))?;
    for (index, part) in parts.into_iter().enumerate() {
        let path = part.commit()?;
        let (puzzles, classes) = manifest.counts(index);
        let puzzles = words::counted(puzzles, "puzzle", "puzzles");
        tell!("{path}: {puzzles}, {}", words::counted(classes as u64, "class", "classes"));
    }
    output::report_skipped(skipped, false);
    if !options.apart_from.is_empty() {
        let (one, many) =
            ("puzzle was left out, as its class is", "puzzles were left out, as their classes are");
        eprintln!("{} in {}", words::counted(left_out, one, many), options.apart_from.join(", "));
    }
    output::write_file(&manifest_path, manifest_text(options, &manifest, &names))?;
    tell!("{}", manifest_path.display());
    Ok(console.verdict)
}

/// The file that says how the parts were made.
const MANIFEST: &str = "manifest.toml";

/// Refuses to replace what somebody may train on.
fn refuse_to_replace(options: &Split, names: &[String]) -> Result<(), CliError> {
    let mut files =
        names.iter().map(String::as_str).chain([MANIFEST]).map(|name| options.into.join(name));
    match files.find(|file| file.exists()).filter(|_| !options.force) {
        Some(file) => Err(CliError::new(format!("{} is there already", file.display()))
            .hint("--force replaces the parts and the manifest, or choose another folder")),
        None => Ok(()),
    }
}

/// The classes of the files that the parts have nothing to do with.
fn classes_elsewhere(options: &Split) -> Result<HashSet<u128>, CliError> {
    let mut found = HashSet::new();
    for file in &options.apart_from {
        let collection = options.input.open_some(VecDeque::from([Source::File(file.clone())]));
        let mut trouble = None;
        for item in collection {
            match classed(item, options.by) {
                (_, Some((class, None))) => {
                    found.insert(class.fingerprint());
                }
                (_, Some((_, Some(unfinished)))) => {
                    trouble = Some(CliError::new(format!(
                        "{file}: the search for a solution was {unfinished}"
                    )));
                }
                (Item::Skipped(error) | Item::Broken(error), None) => trouble = Some(error),
                (Item::Found(..), None) => unreachable!("every puzzle has a class"),
            }
        }
        if let Some(error) = trouble {
            return Err(error);
        }
    }
    Ok(found)
}

/// A class, and why it is not that of the solution though that was asked for.
type Classed = (Box<Canonical>, Option<Unfinished>);

/// The entry and its class.
fn classed(item: Item, by: By) -> (Item, Option<Classed>) {
    let Item::Found(_, entry) = &item else { return (item, None) };
    let puzzle = &entry.puzzle;
    let (solution, unfinished) = match (by, &entry.solution) {
        (By::Puzzle, _) => (None, None),
        (By::Solution, Some(known)) => (Some(known.clone()), None),
        (By::Solution, None) => {
            let limits = unique::limits_for(puzzle.order(), unique::NODES_PER_PROOF);
            match search::prove(puzzle, &limits).solutions {
                Ok(solutions) => (solutions.into_only(), None),
                Err(unfinished) => (None, Some(unfinished)),
            }
        }
    };
    let class = canonical(solution.as_ref().unwrap_or(puzzle));
    (item, Some((Box::new(class), unfinished)))
}

fn manifest_text(options: &Split, manifest: &Manifest, names: &[String]) -> String {
    let files: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
    let sources: Vec<String> =
        options.input.input.sources.puzzles.iter().map(|name| format!("{name:?}")).collect();
    let apart_from: Vec<String> =
        options.apart_from.iter().map(|name| format!("{name:?}")).collect();
    let apart_from = if apart_from.is_empty() {
        String::new()
    } else {
        format!("apart_from = [{}]\n", apart_from.join(", "))
    };
    format!(
        "{manifest}\n[made]\nby = \"ninefold {}\"\nsources = [{}]\n{apart_from}files = [{}]\nformat = \"{}\"\n",
        env!("CARGO_PKG_VERSION"),
        sources.join(", "),
        files.join(", "),
        options.to.name(),
    )
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
