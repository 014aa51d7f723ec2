//! `ninefold dataset split`: splits a collection so that equivalent puzzles are in the same part.

use crate::console::{Console, Total, outln};
use crate::error::CliError;
use crate::humanize;
use crate::input::{CollectionArgs, Item, format_parser};
use crate::output::{self, PuzzleFile, cannot_write};
use crate::source::Source;
use crate::stream::{self, Event};
use crate::values;
use crate::verdict::Verdict;
use clap::builder::TypedValueParser;
use ninefold::puzzles::split::{self, Manifest, SplitBy};
use ninefold::puzzles::{Canonical, canonical};
use ninefold::search::{self, UnfinishedError, unique};
use ninefold_formats::Format;
use std::collections::{HashSet, VecDeque};
use std::path::{Path, PathBuf};

/// Split a collection into parts, such as train and test, by symmetry class
///
/// All puzzles of a symmetry class are in the same part. The part depends only on the seed and the
/// class, so adding puzzles does not move others. The shares hold on average. The directory
/// contains one file for each part and manifest.toml. The files appear when all of them are
/// complete, the manifest last.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Exit codes:
  0  all puzzles were written, except invalid entries with --skip-bad
  2  a file could not be read or written, or with --by solution a search was stopped")]
pub struct Args {
    #[command(flatten)]
    input: CollectionArgs,

    /// Names and shares of the parts
    #[arg(long, value_name = "NAME=SHARE,…", default_value = "train=80,test=20")]
    parts: String,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Keep equivalent puzzles together, or puzzles with equivalent solutions
    #[arg(long, value_name = "CLASS", default_value = "puzzle", value_parser = by_parser())]
    by: SplitBy,

    /// Exclude puzzles that are equivalent to a puzzle in this file; may be repeated
    #[arg(long, value_name = "FILE")]
    exclude: Vec<String>,

    /// Directory for the parts
    #[arg(long, short = 'o', value_name = "DIR")]
    out: PathBuf,

    /// Replace the parts and the manifest of an earlier split in the directory
    #[arg(long)]
    force: bool,

    /// Format of the parts
    #[arg(long, value_name = "FORMAT", default_value = "line", value_parser = format_parser())]
    to: Format,

    /// Also write README.md, a dataset card for Hugging Face; needs --to parquet
    #[arg(long)]
    card: bool,

    /// Number of worker threads [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

fn by_parser() -> impl TypedValueParser<Value = SplitBy> {
    values::parser_with_help(SplitBy::ALL.map(|by| {
        let help = match by {
            SplitBy::Puzzle => "The class of the puzzle",
            SplitBy::Solution => {
                "The class of the solution; without a unique solution, the class of the puzzle"
            }
        };
        (by, by.name(), help)
    }))
}

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    let shares = split::Split::parse(&args.parts, args.seed)
        .map_err(|error| CliError::new(error.to_string()))?;
    if args.card && args.to != Format::Parquet {
        let mode = format!("--to {}", args.to.name());
        return Err(CliError::unsupported_option("--card", &mode).hint("add --to parquet"));
    }
    let manifest_path = args.out.join(MANIFEST);
    let names: Vec<String> = shares
        .parts()
        .iter()
        .map(|part| format!("{}.{}", part.name, args.to.extension()))
        .collect();
    check_existing_files(args, &names)?;
    let excluded = excluded_classes(args)?;
    let collection = args.input.open()?;
    std::fs::create_dir_all(&args.out).map_err(|error| cannot_write(&shown(&args.out), &error))?;
    let mut parts = Vec::new();
    for name in &names {
        parts.push(PuzzleFile::create(&shown(&args.out.join(name)), args.to)?);
    }
    let mut manifest = Manifest::new(shares, args.by);
    let mut console = Console::open(false, false).with_total(Total::Bytes(collection.progress()));
    let (mut skipped, mut left_out) = (0, 0);
    let threads = args.threads.map_or_else(stream::all_cores, usize::from);
    stream::run(
        collection,
        threads,
        |items, send| items.into_iter().for_each(|item| send(classify(item, args.by))),
        |event| match event {
            Event::Idle => {}
            Event::Part((Item::Entry(place, entry), Some((class, unfinished)))) => {
                if let Some(unfinished) = unfinished {
                    let prefix = place.prefix();
                    let text = format!(
                        "{prefix}the search for the solution was {unfinished}; using the class of the puzzle"
                    );
                    console.note("puzzles like this", text);
                    console.verdict = Verdict::Error;
                }
                console.count(1);
                if excluded.contains(&class.fingerprint()) {
                    left_out += 1;
                } else if let Err(error) = parts[manifest.add(&class)].write(&entry) {
                    console.stop(&error.at(&place));
                }
            }
            Event::Part((Item::Entry(..), None)) => unreachable!("every puzzle has a class"),
            Event::Part((Item::Skipped(error), _)) => {
                skipped += 1;
                console.error(error);
            }
            Event::Part((Item::Failed(error), _)) => console.stop(&error),
        },
    );
    console.finish();
    let parts = parts.into_iter().map(PuzzleFile::finish).collect::<Result<Vec<_>, CliError>>()?;
    // Remove the old manifest first, because it does not describe the new parts.
    ninefold_files::remove(&manifest_path)
        .map_err(|error| cannot_write(&shown(&manifest_path), &error))?;
    for (index, part) in parts.into_iter().enumerate() {
        let path = part.commit()?;
        let (puzzles, classes) = manifest.counts(index);
        let puzzles = humanize::count(puzzles, "puzzle", "puzzles");
        outln!("{path}: {puzzles}, {}", humanize::count(classes as u64, "class", "classes"));
    }
    output::report_skipped(skipped, false);
    if !args.exclude.is_empty() {
        let (one, many) = ("puzzle is equivalent to one", "puzzles are equivalent to some");
        eprintln!(
            "excluded: {} in {}",
            humanize::count(left_out, one, many),
            args.exclude.join(", ")
        );
    }
    if args.card {
        let path = args.out.join(CARD);
        output::write_file(&path, card_text(args, &manifest, &names))?;
        outln!("{}", path.display());
    }
    output::write_file(&manifest_path, manifest_text(args, &manifest, &names))?;
    outln!("{}", manifest_path.display());
    Ok(console.verdict)
}

const MANIFEST: &str = "manifest.toml";
const CARD: &str = "README.md";

/// Existing parts are an error without `--force`.
fn check_existing_files(args: &Args, names: &[String]) -> Result<(), CliError> {
    let mut files =
        names.iter().map(String::as_str).chain([MANIFEST]).map(|name| args.out.join(name));
    match files.find(|file| file.exists()).filter(|_| !args.force) {
        Some(file) => Err(CliError::new(format!("{} already exists", file.display())).hint(
            "use --force to replace the parts and the manifest, or choose another directory",
        )),
        None => Ok(()),
    }
}

/// The classes of the puzzles in the files of `--exclude`.
fn excluded_classes(args: &Args) -> Result<HashSet<u128>, CliError> {
    let mut classes = HashSet::new();
    for file in &args.exclude {
        let collection = args.input.open_sources(VecDeque::from([Source::File(file.clone())]));
        let mut first_error = None;
        for item in collection {
            match classify(item, args.by) {
                (_, Some((class, None))) => {
                    classes.insert(class.fingerprint());
                }
                (_, Some((_, Some(unfinished)))) => {
                    first_error = Some(CliError::new(format!(
                        "{file}: the search for a solution was {unfinished}"
                    )));
                }
                (Item::Skipped(error) | Item::Failed(error), None) => first_error = Some(error),
                (Item::Entry(..), None) => unreachable!("every puzzle has a class"),
            }
        }
        if let Some(error) = first_error {
            return Err(error);
        }
    }
    Ok(classes)
}

/// A class. With `--by solution`, also the reason why it is the class of the puzzle.
type Classification = (Box<Canonical>, Option<UnfinishedError>);

fn classify(item: Item, by: SplitBy) -> (Item, Option<Classification>) {
    let Item::Entry(_, entry) = &item else { return (item, None) };
    let puzzle = &entry.puzzle;
    let (solution, unfinished) = match (by, &entry.solution) {
        (SplitBy::Puzzle, _) => (None, None),
        (SplitBy::Solution, Some(known)) => (Some(known.clone()), None),
        (SplitBy::Solution, None) => {
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

fn manifest_text(args: &Args, manifest: &Manifest, names: &[String]) -> String {
    let files: Vec<String> = names.iter().map(|name| format!("{name:?}")).collect();
    let sources: Vec<String> =
        args.input.input.sources.puzzles.iter().map(|name| format!("{name:?}")).collect();
    let excluded: Vec<String> = args.exclude.iter().map(|name| format!("{name:?}")).collect();
    let apart_from = if excluded.is_empty() {
        String::new()
    } else {
        format!("apart_from = [{}]\n", excluded.join(", "))
    };
    format!(
        "{manifest}\n[made]\nby = \"ninefold {}\"\nsources = [{}]\n{apart_from}files = [{}]\nformat = \"{}\"\n",
        env!("CARGO_PKG_VERSION"),
        sources.join(", "),
        files.join(", "),
        args.to.name(),
    )
}

/// A dataset card: metadata for Hugging Face `datasets`, and a description.
fn card_text(args: &Args, manifest: &Manifest, names: &[String]) -> String {
    let (mut files, mut rows) = (String::new(), String::new());
    for (index, file) in names.iter().enumerate() {
        let name = file.strip_suffix(".parquet").unwrap_or(file);
        let (puzzles, classes) = manifest.counts(index);
        let (puzzles, classes) =
            (humanize::thousands(puzzles), humanize::thousands(classes as u64));
        files += &format!("  - split: {name}\n    path: {file}\n");
        rows += &format!("| {name} | {puzzles} | {classes} |\n");
    }
    let together = match args.by {
        SplitBy::Puzzle => "equivalent puzzles",
        SplitBy::Solution => "puzzles with equivalent solutions",
    };
    let mut excluded = String::new();
    if !args.exclude.is_empty() {
        let lists = args.exclude.join(", ");
        excluded = format!("\nPuzzles that are equivalent to one in {lists} were excluded.");
    }
    let (version, seed) = (env!("CARGO_PKG_VERSION"), args.seed);
    format!(
        "---
pretty_name: Sudoku puzzles
tags:
- sudoku
- reasoning
configs:
- config_name: default
  data_files:
{files}---

# Sudoku puzzles

The columns are puzzle, solution, rating, source and position. A puzzle is a line with one character
for each cell, and a dot for an empty one. Solutions in the sources were checked.

| part | puzzles | symmetry classes |
|---|---:|---:|
{rows}
All {together} are in the same part, so no part contains a rotated, mirrored or relabelled copy of
a puzzle in another part.{excluded}

Written by `ninefold dataset split` {version} with the seed {seed}; manifest.toml lists the sources.
"
    )
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}
