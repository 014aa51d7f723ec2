//! Writes entries one at a time, so memory use does not depend on the file size.

use crate::entry::Entry;
use crate::format::Format;
use crate::{hodoku, json, links, marks, notation, sections, table};
use ninefold::grid::{Grid, Order, marks as pencil_marks, text};
use std::io::{self, Write};

/// Writes entries to a stream in one format.
///
/// ```
/// use ninefold_formats::{Entry, Format, Writer};
///
/// let mut writer = Writer::new(Format::Sdm, Vec::new())?;
/// writer.write(&Entry::new("1..4..1..3..4..3".parse()?))?;
/// assert_eq!(writer.finish()?, b"1004001003004003\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Writer<W: Write + Send> {
    format: Format,
    written: u64,
    sink: Sink<W>,
}

enum Sink<W: Write + Send> {
    Text(W),
    #[cfg(feature = "parquet")]
    Table(Box<crate::parquet::TableWriter<W>>),
}

/// The error when writing an entry.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The format does not support puzzles of this size.
    #[error("the format {format} does not support this {order} puzzle")]
    DoesNotFit {
        /// The format of the file.
        format: Format,
        /// The size of the puzzle.
        order: Order,
    },
    /// The format cannot contain a rule of the puzzle.
    #[error("the format {format} cannot contain this rule: {rule}")]
    Rule {
        /// The format of the file.
        format: Format,
        /// The rule in words.
        rule: String,
    },
    /// The format allows one puzzle per file, and it has been written.
    #[error("a .{format} file can contain only one puzzle")]
    OnlyOne {
        /// The format of the file.
        format: Format,
    },
    /// This build does not include the format.
    #[error("this build does not support the format {format}")]
    NotSupported {
        /// The format of the file.
        format: Format,
    },
    /// Writing to the stream failed.
    #[error(transparent)]
    Stream(#[from] io::Error),
}

impl<W: Write + Send> Writer<W> {
    /// Starts a file and writes its header, if the format has one.
    pub fn new(format: Format, mut sink: W) -> Result<Writer<W>, WriteError> {
        if format == Format::Parquet {
            #[cfg(feature = "parquet")]
            return Ok(Writer {
                format,
                written: 0,
                sink: Sink::Table(Box::new(crate::parquet::TableWriter::new(sink)?)),
            });
            #[cfg(not(feature = "parquet"))]
            return Err(WriteError::NotSupported { format });
        }
        let columns = ["puzzle", "solution", "rating", "source", "position"];
        sink.write_all(
            match format {
                Format::Csv => "puzzle,solution\n".to_string(),
                Format::Tsv => table::row(&columns, '\t'),
                Format::Semicolon => table::row(&columns, ';'),
                Format::Extreme => "source,question,answer,rating\n".to_string(),
                Format::Json => "[\n".to_string(),
                _ => String::new(),
            }
            .as_bytes(),
        )?;
        Ok(Writer { format, written: 0, sink: Sink::Text(sink) })
    }

    /// Writes one entry.
    pub fn write(&mut self, entry: &Entry) -> Result<(), WriteError> {
        let (format, order) = (self.format, entry.puzzle.order());
        if self.written > 0 && matches!(format, Format::Sdk | Format::Ss) {
            return Err(WriteError::OnlyOne { format });
        }
        if let Some(rule) = links::rule_without_form(&entry.puzzle, format) {
            return Err(WriteError::Rule { format, rule });
        }
        match &mut self.sink {
            Sink::Text(sink) => {
                let text = format_entry(entry, format, self.written)
                    .ok_or(WriteError::DoesNotFit { format, order })?;
                sink.write_all(text.as_bytes())?;
            }
            #[cfg(feature = "parquet")]
            Sink::Table(table) => table.write(entry)?,
        }
        self.written += 1;
        Ok(())
    }

    /// The underlying writer.
    pub fn sink(&mut self) -> &mut W {
        match &mut self.sink {
            Sink::Text(sink) => sink,
            #[cfg(feature = "parquet")]
            Sink::Table(table) => table.sink(),
        }
    }

    /// Writes the end of the file, which some formats require, and returns the underlying writer.
    pub fn finish(self) -> Result<W, WriteError> {
        match self.sink {
            Sink::Text(mut sink) => {
                sink.write_all(match self.format {
                    Format::Json if self.written > 0 => b"\n]\n",
                    Format::Json => b"]\n",
                    _ => b"",
                })?;
                sink.flush()?;
                Ok(sink)
            }
            #[cfg(feature = "parquet")]
            Sink::Table(table) => Ok(table.finish()?),
        }
    }
}

/// Formats an entry after `written` others; `None` if the format does not support it.
fn format_entry(entry: &Entry, format: Format, written: u64) -> Option<String> {
    let puzzle = &entry.puzzle;
    let gap = if written > 0 { "\n" } else { "" };
    let solution =
        |write: fn(&Grid) -> String| entry.solution.as_ref().map_or(String::new(), write);
    Some(match format {
        Format::Line => text::line(puzzle) + "\n",
        Format::Sdm => with_zeros(puzzle) + "\n",
        Format::Drawn => format!("{gap}{}\n", text::diagram(puzzle)),
        Format::Numbers => text::numbers(puzzle) + "\n",
        Format::Csv => table::row(&[&with_zeros(puzzle), &solution(with_zeros)], ','),
        Format::Tsv => all_columns(entry, '\t'),
        Format::Semicolon => all_columns(entry, ';'),
        Format::Extreme => {
            let (source, rating) = (entry.source.as_deref(), entry.rating.as_deref());
            table::row(
                &[
                    source.unwrap_or(""),
                    &text::line(puzzle),
                    &solution(text::line),
                    rating.unwrap_or(""),
                ],
                ',',
            )
        }
        Format::Json => format!(
            "{}  {}",
            if written > 0 { ",\n" } else { "" },
            json::format_object(entry, with_zeros)
        ),
        Format::Sdk => sections::write_sdk(entry),
        Format::Ss if puzzle.order().side() > 35 => return None,
        Format::Ss => sections::write_ss(entry),
        Format::Hodoku => hodoku::format_line(entry)? + "\n",
        Format::Marks => {
            let (_, position) = entry.start();
            format!("{gap}{}", pencil_marks::diagram_with_clues(puzzle, &position))
        }
        Format::Sudokuwiki | Format::Fpuzzles | Format::Sudokupad => {
            links::format_link(entry, format)? + "\n"
        }
        Format::Jigsaw | Format::Sumocue | Format::Iss => {
            notation::write(puzzle, format).ok()? + "\n"
        }
        Format::Parquet => return None,
    })
}

fn all_columns(entry: &Entry, separator: char) -> String {
    let grid = |grid: Option<&Grid>| grid.map_or(String::new(), text::line);
    let position = entry
        .position
        .as_ref()
        .map_or(String::new(), |position| marks::line(&entry.puzzle, position));
    let fields = [
        &grid(Some(&entry.puzzle)),
        &grid(entry.solution.as_ref()),
        entry.rating.as_deref().unwrap_or(""),
        entry.source.as_deref().unwrap_or(""),
        &position,
    ];
    table::row(&fields, separator)
}

/// The solution of an entry as a line of numbers, as in a file of solutions for
/// [`Pairs`](crate::Pairs).
pub fn solution_numbers(entry: &Entry) -> Option<String> {
    entry.solution.as_ref().map(|solution| text::numbers(solution) + "\n")
}

fn with_zeros(grid: &Grid) -> String {
    let line = text::line(grid);
    // Grids too large for letters are written as numbers, which already use zeros.
    if line.contains(' ') { line } else { line.replace('.', "0") }
}
