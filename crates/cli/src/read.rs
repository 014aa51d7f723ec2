//! `ninefold read`: reads puzzles from photos and screenshots.

use crate::console::outln;
use crate::error::CliError;
use crate::output::write_file;
use crate::photo;
use crate::verdict::Verdict;
use ninefold_vision::network::Content;
use ninefold_vision::reading::{Outcome, Reader, Reading};
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
    outcome: &'a str,
    puzzle: String,
    confidence: f32,
    solution: Option<&'a [u8]>,
    side: usize,
    /// Top left, top right, bottom right, bottom left of the upright board, in pixels.
    corners: [[f32; 2]; 4],
    quarter_turns: usize,
    light_on_dark: bool,
    more_than_one_grid: bool,
    regions: Option<&'a [u8]>,
    cells: Vec<JsonCell>,
}

#[derive(Serialize)]
struct JsonCell {
    cell: String,
    digit: u8,
    seen: &'static str,
    seen_digit: u8,
    confidence: f32,
    changed: bool,
    probabilities: Vec<f32>,
}

fn json(name: &str, reading: &Reading) -> String {
    let cells = reading.cells.iter().enumerate().map(|(index, cell)| JsonCell {
        cell: photo::cell_name(reading, index),
        digit: cell.digit,
        seen: match cell.seen {
            Content::Empty => "empty",
            Content::Printed(_) => "printed",
            Content::Handwritten(_) => "handwritten",
            Content::PencilMarks => "pencil marks",
        },
        seen_digit: cell.seen_digit,
        confidence: cell.confidence,
        changed: cell.is_changed(),
        probabilities: cell.probabilities.clone(),
    });
    let line = Json {
        file: name,
        outcome: reading.outcome.name(),
        puzzle: photo::line(reading),
        confidence: reading.confidence,
        solution: reading.solution.as_deref(),
        side: reading.side,
        corners: reading.corners().map(|corner| [corner.x, corner.y]),
        quarter_turns: reading.quarter_turns,
        light_on_dark: reading.grid.is_dark,
        more_than_one_grid: reading.grid.has_rival,
        regions: reading.jigsaw.as_deref(),
        cells: cells.collect(),
    };
    serde_json::to_string(&line).expect("a reading can be written as JSON")
}
