//! `ninefold dataset canonical`: one puzzle that stands for all its symmetric images.

use crate::console::{Console, Total};
use crate::error::CliError;
use crate::input::{CollectionInput, Item};
use crate::output::{self, Output};
use crate::stream::{self, Told};
use crate::verdict::Verdict;
use crate::words;
use clap::Args;
use formats::Entry;
use ninefold::puzzles;
use std::collections::HashSet;

/// Write the canonical form of each puzzle
///
/// Puzzles that are images of each other (digits renamed, bands, stacks, rows and columns exchanged, transposed) have
/// the same form. Solutions are rearranged in the same way.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit codes:
  0  yes: every puzzle has its form, but for bad entries that --skip-bad left out
  2  trouble: something could not be read, or does not fit the format")]
pub struct Canonical {
    #[command(flatten)]
    input: CollectionInput,

    #[command(flatten)]
    output: output::Writing,

    /// Write each form once
    #[arg(long)]
    distinct: bool,

    /// Work on this many puzzles at once [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

/// Writes all forms.
pub fn run(options: &Canonical) -> Result<Verdict, CliError> {
    let collection = options.input.open()?;
    let mut console = Console::open(false, false).counting_to(Total::Bytes(collection.reading()));
    let mut output = Output::start(&options.output, &mut console)?;
    let (mut skipped, mut images) = (0, 0);
    let mut classes = HashSet::new();
    let threads = options.threads.map_or_else(stream::all_cores, usize::from);
    stream::run(
        collection,
        threads,
        |items, send| items.into_iter().for_each(|item| send(in_canonical_form(item))),
        |told| match told {
            Told::Idle => console.flush(),
            Told::Part((_, Some(class))) if options.distinct && !classes.insert(class) => {
                images += 1
            }
            Told::Part((Item::Found(place, entry), _)) => {
                if let Err(error) = output.write(&entry, &mut console) {
                    console.stop(&error.at(&place));
                }
            }
            Told::Part((Item::Skipped(error), _)) => {
                skipped += 1;
                console.error(error);
            }
            Told::Part((Item::Broken(error), _)) => console.stop(&error),
        },
    );
    output.end(&mut console)?;
    console.finish();
    output::report_skipped(skipped, false);
    if images > 0 {
        eprintln!(
            "{}",
            words::counted(
                images,
                "image of another was left out",
                "images of others were left out"
            )
        );
    }
    if console.puzzles == 0 && skipped == 0 {
        return Err(CliError::new("there is no puzzle in the input")
            .hint("--from names the format of the input"));
    }
    Ok(Verdict::Yes)
}

/// The entry rearranged, and the fingerprint of its class.
fn in_canonical_form(item: Item) -> (Item, Option<u128>) {
    let Item::Found(place, entry) = item else { return (item, None) };
    let canonical = puzzles::canonical(&entry.puzzle);
    let class = canonical.fingerprint();
    let solution = entry.solution.as_ref().map(|solution| canonical.symmetry.image(solution));
    let form = Entry::new(canonical.form)
        .with_solution(solution)
        .with_rating(entry.rating)
        .with_source(entry.source);
    (Item::Found(place, Box::new(form)), Some(class))
}
