//! `ninefold read`: reads puzzles from photos and screenshots.

use crate::console::outln;
use crate::error::CliError;
use crate::output::write_file;
use crate::photo;
use crate::verdict::Verdict;
use ninefold_vision::reading::{Outcome, Reader, Reading};
use ninefold_vision::report::Report;
use serde::Serialize;
use std::fs::File;
use std::path::PathBuf;

/// Read puzzles from photos and screenshots
///
/// Prints each puzzle as a line. The digits are either read, or corrected where the rules leave no
/// place for what was seen, or unresolved; notes on stderr list the cells to check. The image may
/// be rotated, and lines may be curved. Printed and handwritten digits are read, pencil marks are
/// left out.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Exit codes:
  0  every puzzle was read with certainty
  1  a puzzle was corrected or is unresolved
  2  a file is not a readable image, or shows no grid")]
pub struct Args {
    /// Photos and screenshots: JPEG, PNG or WebP files
    #[arg(value_name = "IMAGE", required = true)]
    images: Vec<PathBuf>,

    /// Print one JSON object per line, with the confidence of every cell
    #[arg(long)]
    json: bool,

    /// Print only printed digits, without handwriting
    #[arg(long, conflicts_with = "json")]
    printed: bool,

    /// Write the image with the grid as found to this PNG file, with crosses in doubtful cells
    #[arg(long, value_name = "FILE")]
    debug: Option<PathBuf>,
}

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    if args.debug.is_some() && args.images.len() > 1 {
        return Err(CliError::new("--debug supports only one image"));
    }
    let reader = Reader::default();
    let mut worst = Verdict::Yes;
    for path in &args.images {
        let verdict = read_file(args, &reader, path).unwrap_or_else(|error| {
            eprintln!("{error}");
            Verdict::Error
        });
        worst = worst.max(verdict);
    }
    Ok(worst)
}

fn read_file(args: &Args, reader: &Reader, path: &PathBuf) -> Result<Verdict, CliError> {
    let name = path.display().to_string();
    let mut file = File::open(path).map_err(|error| CliError::cannot_read(&name, error))?;
    let image = photo::open_image(&name, &mut file)?;
    let reading = reader.read(&image);
    if let Some(debug) = &args.debug {
        write_file(debug, ninefold_vision::draw::png(&image, reading.as_ref().ok()))?;
    }
    let reading = reading.map_err(|error| photo::no_grid(&name, error))?;
    if args.json {
        outln!("{}", json(&name, &reading));
    } else if args.printed {
        outln!("{}", photo::printed_line(&reading));
    } else {
        outln!("{}", photo::line(&reading));
    }
    for note in photo::notes(&reading) {
        eprintln!("{name}: {note}");
    }
    if reading.outcome == Outcome::Unresolved {
        eprintln!("{name}: not certain, please check: {}", photo::doubts(&reading));
    }
    Ok(if reading.outcome == Outcome::Read { Verdict::Yes } else { Verdict::No })
}

#[derive(Serialize)]
struct Json<'a> {
    file: &'a str,
    #[serde(flatten)]
    report: Report,
}

fn json(name: &str, reading: &Reading) -> String {
    let line = Json { file: name, report: Report::new(reading) };
    serde_json::to_string(&line).expect("a reading can be written as JSON")
}
