//! Photos as input of every command.
//!
//! A board that the rules corrected is used with a warning that lists the changes; a board that is
//! not certain is an error.

use crate::error::CliError;
use crate::source::{Place, Reader as SourceReader};
use ninefold::grid::Order;
use ninefold_formats::{Format, Records};
use ninefold_vision::network::Content;
use ninefold_vision::open;
use ninefold_vision::reading::{self, CellReading, Outcome, Reader, Reading};
use ninefold_vision::{GreyImage, NoGridError};
use std::io::{BufReader, Cursor, Read};

/// The size of the largest file that is read.
const LARGEST_FILE: u64 = 64 << 20;
/// Cells listed in a message.
const SHOWN: usize = 6;

pub fn is_photo(beginning: &[u8]) -> bool {
    open::is_image(beginning)
}

/// Decodes an image file. The message names the file.
pub fn open_image(name: &str, source: &mut impl Read) -> Result<GreyImage, CliError> {
    let mut bytes = Vec::new();
    let length = source
        .take(LARGEST_FILE + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| CliError::cannot_read(name, error))?;
    if length as u64 > LARGEST_FILE {
        return Err(CliError::new(format!("{name}: the file is larger than 64 MB")));
    }
    open::open(&bytes).map_err(|error| CliError::new(format!("{name}: {error}")))
}

pub fn no_grid(name: &str, error: NoGridError) -> CliError {
    CliError::new(format!("{name}: {error}"))
        .hint("the complete grid must be visible, and fill at least a fifth of the image")
}

/// The puzzle of a photo, as the records of a list of one line.
pub fn records(
    name: &str,
    source: &mut SourceReader,
    boxes: Option<Order>,
) -> Result<Records<SourceReader>, CliError> {
    let image = open_image(name, source)?;
    let reading = Reader::default().read(&image).map_err(|error| no_grid(name, error))?;
    let place = Place { source: name.into(), ..Place::default() };
    if reading.jigsaw.is_some() {
        return Err(CliError::new(
            "the lines show irregular regions, which are not read from photos",
        )
        .at(&place)
        .hint(format!("`ninefold read --json {name}` prints the digits and the regions")));
    }
    if let Some(sign) = reading.signs.first() {
        let error = format!("{}, whose rules are not read from photos", sign.meaning());
        return Err(CliError::new(error)
            .at(&place)
            .hint(format!("`ninefold read {name}` prints the digits")));
    }
    if reading.outcome == Outcome::Unresolved {
        return Err(CliError::new(format!(
            "the digits are not certain: {}; read as {}",
            doubts(&reading),
            line(&reading)
        ))
        .at(&place)
        .hint("correct the line and pass it instead of the photo"));
    }
    for note in notes(&reading) {
        eprintln!("{name}: {note}");
    }
    let text: Box<dyn Read + Send> = Box::new(Cursor::new(line(&reading)));
    Ok(ninefold_formats::read(Format::Line, BufReader::new(text), boxes))
}

/// The puzzle as a line with a character for each cell.
pub fn line(reading: &Reading) -> String {
    reading::line(&reading.digits())
}

/// The printed digits as a line.
pub fn printed_line(reading: &Reading) -> String {
    let printed = |cell: &CellReading| match cell.seen {
        Content::Printed(_) => cell.digit,
        _ => 0,
    };
    reading::line(&reading.cells.iter().map(printed).collect::<Vec<u8>>())
}

/// Notes about an accepted reading.
pub fn notes(reading: &Reading) -> Vec<String> {
    let mut notes = Vec::new();
    if reading.outcome == Outcome::Corrected {
        let changed = reading.cells.iter().enumerate().filter(|(_, cell)| cell.is_changed());
        let count = changed.clone().count();
        let changes: Vec<String> = changed
            .take(SHOWN)
            .map(|(index, cell)| {
                let (seen, digit) = (digit_name(cell.seen_digit), digit_name(cell.digit));
                format!("{} from {seen} to {digit}", cell_name(reading, index))
            })
            .collect();
        let rest = and_more(count);
        notes.push(format!("corrected by the rules, please check: {}{rest}", changes.join(", ")));
    }
    let signs = reading.signs.iter();
    notes.extend(signs.map(|sign| format!("{}; its rules are not read", sign.meaning())));
    if reading.grid.has_rival {
        notes.push("the image shows more than one grid; the larger one was read".to_string());
    }
    notes
}

/// The least certain cells of a reading.
pub fn doubts(reading: &Reading) -> String {
    let doubtful = reading.doubtful_cells();
    if doubtful.is_empty() {
        return "the puzzle does not have exactly one solution".to_string();
    }
    let shown: Vec<String> = doubtful
        .iter()
        .take(SHOWN)
        .map(|&index| {
            let cell: &CellReading = &reading.cells[index];
            let percent = (100.0 * cell.confidence).round();
            format!("{} {} ({percent} %)", cell_name(reading, index), digit_name(cell.digit))
        })
        .collect();
    format!("{}{}", shown.join(", "), and_more(doubtful.len()))
}

fn and_more(count: usize) -> String {
    let more = count.saturating_sub(SHOWN);
    if more > 0 { format!(" and {more} more") } else { String::new() }
}

fn digit_name(digit: u8) -> String {
    if digit == 0 { "empty".to_string() } else { digit.to_string() }
}

/// The name of a cell, such as r3c7.
pub fn cell_name(reading: &Reading, index: usize) -> String {
    format!("r{}c{}", index / reading.side + 1, index % reading.side + 1)
}
