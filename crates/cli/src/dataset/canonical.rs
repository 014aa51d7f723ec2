//! `ninefold dataset canonical`: replaces puzzles by the canonical form of their symmetry class.

use crate::console::{Console, Total};
use crate::error::CliError;
use crate::humanize;
use crate::input::{CollectionArgs, Item};
use crate::output::{self, Output};
use crate::stream::{self, Event};
use crate::verdict::Verdict;
use ninefold::puzzles;
use ninefold_formats::Entry;
use std::collections::HashSet;

/// Write the canonical form of each puzzle
///
/// Equivalent puzzles (digits renamed, bands, stacks, rows and columns exchanged, transposed) have
/// the same canonical form. Solutions are transformed in the same way.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Exit codes:
  0  all puzzles were written, except invalid entries with --skip-bad
  2  an input could not be read or does not fit the format")]
pub struct Args {
    #[command(flatten)]
    input: CollectionArgs,

    #[command(flatten)]
    output: output::OutputArgs,

    /// Write each canonical form only once
    #[arg(long)]
    distinct: bool,

    /// Number of worker threads [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    let collection = args.input.open()?;
    let mut console = Console::open(false, false).with_total(Total::Bytes(collection.progress()));
    let mut output = Output::open(&args.output, &mut console)?;
    let (mut skipped, mut images) = (0, 0);
    let mut classes = HashSet::new();
    let threads = args.threads.map_or_else(stream::all_cores, usize::from);
    stream::run(
        collection,
        threads,
        |items, send| items.into_iter().for_each(|item| send(to_canonical(item))),
        |event| match event {
            Event::Idle => console.flush(),
            Event::Part((_, Some(class))) if args.distinct && !classes.insert(class) => images += 1,
            Event::Part((Item::Entry(place, entry), _)) => {
                if let Err(error) = output.write(&entry, &mut console) {
                    console.stop(&error.at(&place));
                }
            }
            Event::Part((Item::Skipped(error), _)) => {
                skipped += 1;
                console.error(error);
            }
            Event::Part((Item::Failed(error), _)) => console.stop(&error),
        },
    );
    output.finish(&mut console)?;
    console.finish();
    output::report_skipped(skipped, false);
    if images > 0 {
        eprintln!(
            "{}",
            humanize::count(
                images,
                "equivalent puzzle was skipped",
                "equivalent puzzles were skipped"
            )
        );
    }
    if console.puzzles == 0 && skipped == 0 {
        return Err(CliError::new("there is no puzzle in the input")
            .hint("use --from to set the format of the input"));
    }
    Ok(Verdict::Yes)
}

/// The canonical form of an entry, and the fingerprint of its class.
fn to_canonical(item: Item) -> (Item, Option<u128>) {
    let Item::Entry(place, entry) = item else { return (item, None) };
    let canonical = puzzles::canonical(&entry.puzzle);
    let class = canonical.fingerprint();
    let solution = entry.solution.as_ref().map(|solution| canonical.symmetry.image(solution));
    let form = Entry::new(canonical.form)
        .with_solution(solution)
        .with_rating(entry.rating)
        .with_source(entry.source);
    (Item::Entry(place, Box::new(form)), Some(class))
}
