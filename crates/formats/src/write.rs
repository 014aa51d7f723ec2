//! Writing: entries, one after the other, so that files of any length are written in constant memory.

use crate::entry::Entry;
use crate::format::Format;
use crate::{hodoku, json, links, marks, sections, table};
use ninefold::grid::{Grid, Order, marks as pencil_marks, text};
use std::io::{self, Write};

/// Writes entries into a stream.
///
/// ```
/// use formats::{Entry, Format, Writer};
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

/// Why an entry was not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The format knows only some sizes.
    #[error("the format {format} cannot hold this {order} puzzle")]
    DoesNotFit {
        /// The format.
        format: Format,
        /// The size of the puzzle.
        order: Order,
    },
    /// The file holds one puzzle, and that has been written.
    #[error("a .{format} file holds one puzzle, and there are more")]
    OnlyOne {
        /// The format.
        format: Format,
    },
    /// The format was left out of this build.
    #[error("the format {format} is not supported by this build")]
    NotSupported {
        /// The format.
        format: Format,
    },
    /// The stream cannot be written.
    #[error(transparent)]
    Stream(#[from] io::Error),
}

impl<W: Write + Send> Writer<W> {
    /// Starts a file and writes what stands before the first entry.
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
                Format::Csv => "quizzes,solutions\n".to_string(),
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
        match &mut self.sink {
            Sink::Text(sink) => {
                let text = text_of(entry, format, self.written)
                    .ok_or(WriteError::DoesNotFit { format, order })?;
                sink.write_all(text.as_bytes())?;
            }
            #[cfg(feature = "parquet")]
            Sink::Table(table) => table.write(entry)?,
        }
        self.written += 1;
        Ok(())
    }

    /// What is written to.
    pub fn sink(&mut self) -> &mut W {
        match &mut self.sink {
            Sink::Text(sink) => sink,
            #[cfg(feature = "parquet")]
            Sink::Table(table) => table.sink(),
        }
    }

    /// Writes what stands after the last entry, without which some formats cannot be read, and hands the stream back.
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

/// The text of an entry that follows so many others; `None` if the format cannot hold it.
fn text_of(entry: &Entry, format: Format, written: u64) -> Option<String> {
    let puzzle = &entry.puzzle;
    let gap = if written > 0 { "\n" } else { "" };
    let solution =
        |write: fn(&Grid) -> String| entry.solution.as_ref().map_or(String::new(), write);
    Some(match format {
        Format::Line => text::line(puzzle) + "\n",
        Format::Sdm => with_zeros(puzzle) + "\n",
        Format::Drawn => format!("{gap}{}\n", text::drawn(puzzle)),
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
            json::object_of(entry, with_zeros)
        ),
        Format::Sdk => sections::write_sdk(entry),
        Format::Ss if puzzle.order().side() > 35 => return None,
        Format::Ss => sections::write_ss(entry),
        Format::Hodoku => hodoku::line_of(entry)? + "\n",
        Format::Marks => {
            let (_, position) = entry.start();
            format!("{gap}{}", pencil_marks::drawn_with_clues(puzzle, &position))
        }
        Format::Sudokuwiki | Format::Fpuzzles | Format::Sudokupad => {
            links::link_of(entry, format)? + "\n"
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

/// The line of a file of solutions that belongs to an entry, if it has a solution.
pub fn solution_numbers(entry: &Entry) -> Option<String> {
    entry.solution.as_ref().map(|solution| text::numbers(solution) + "\n")
}

fn with_zeros(grid: &Grid) -> String {
    let line = text::line(grid);
    // Sides whose digits run out of letters are written as numbers, which have their zeros already.
    if line.contains(' ') { line } else { line.replace('.', "0") }
}
