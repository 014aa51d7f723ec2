//! Writing: entries as text, one after the other, so that files of any length are written in constant memory.

use super::{Entry, Format, blocks, csv, hodoku, json};
use crate::grid::{Candidates, Grid, text};

/// Turns entries into the text of a file.
///
/// ```
/// use ninefold::puzzles::format::{Entry, Format, Writer};
///
/// let entry = Entry::new("1..4..1..3..4..3".parse()?);
/// let mut writer = Writer::new(Format::Sdm);
/// let file = writer.start() + &writer.entry(&entry).unwrap() + &writer.end();
/// assert_eq!(file, "1004001003004003\n");
/// # Ok::<(), ninefold::grid::ParseGridError>(())
/// ```
pub struct Writer {
    format: Format,
    written: u64,
}

impl Writer {
    /// A writer of this format.
    pub fn new(format: Format) -> Writer {
        Writer { format, written: 0 }
    }

    /// What stands before the first entry.
    pub fn start(&self) -> String {
        match self.format {
            Format::Csv => "quizzes,solutions\n".to_string(),
            Format::Extreme => "source,question,answer,rating\n".to_string(),
            Format::Json => "[\n".to_string(),
            _ => String::new(),
        }
    }

    /// One entry, or `None` if the format cannot hold it: HoDoKu's lines are 9×9 only, and a `.sdk` file holds one.
    pub fn entry(&mut self, entry: &Entry) -> Option<String> {
        let puzzle = &entry.puzzle;
        let text = match self.format {
            Format::Line => text::line(puzzle) + "\n",
            Format::Sdm => with_zeros(puzzle) + "\n",
            Format::Drawn => format!("{}{}\n", if self.written > 0 { "\n" } else { "" }, text::drawn(puzzle)),
            Format::Numbers => text::numbers(puzzle) + "\n",
            Format::Csv => format!("{},{}\n", with_zeros(puzzle), solution(entry, with_zeros)),
            Format::Extreme => format!(
                "{},{},{},{}\n",
                csv::quoted(entry.source.as_deref().unwrap_or("")),
                text::line(puzzle),
                solution(entry, text::line),
                csv::quoted(entry.rating.as_deref().unwrap_or(""))
            ),
            Format::Json => self.object(entry),
            Format::Sdk if self.written > 0 => return None,
            Format::Sdk => sdk(entry),
            Format::Hodoku => hodoku::line_of(entry)? + "\n",
            Format::Marks => {
                let gap = if self.written > 0 { "\n" } else { "" };
                match &entry.position {
                    Some(position) => format!("{gap}{}\n", blocks::drawn_marks(position)),
                    None => format!("{gap}{}\n", blocks::drawn_marks(&Candidates::of(puzzle).ok()?)),
                }
            }
        };
        self.written += 1;
        Some(text)
    }

    /// What stands after the last entry.
    pub fn end(&self) -> String {
        match self.format {
            Format::Json if self.written > 0 => "\n]\n".to_string(),
            Format::Json => "]\n".to_string(),
            _ => String::new(),
        }
    }

    fn object(&self, entry: &Entry) -> String {
        let mut fields = vec![("puzzle", json::quoted(&with_zeros(&entry.puzzle)))];
        fields.push(("clues", entry.puzzle.clue_count().to_string()));
        if let Some(solution) = &entry.solution {
            fields.push(("solution", json::quoted(&with_zeros(solution))));
        }
        if let Some(rating) = &entry.rating {
            fields.push(("rating", json::quoted(rating)));
        }
        if let Some(source) = &entry.source {
            fields.push(("source", json::quoted(source)));
        }
        let fields: Vec<String> = fields.into_iter().map(|(name, value)| format!("\"{name}\": {value}")).collect();
        format!("{}  {{{}}}", if self.written > 0 { ",\n" } else { "" }, fields.join(", "))
    }
}

/// The line of a paper 2 solutions file that belongs to an entry, if it has a solution.
pub fn solution_numbers(entry: &Entry) -> Option<String> {
    entry.solution.as_ref().map(|solution| text::numbers(solution) + "\n")
}

fn solution(entry: &Entry, write: impl Fn(&Grid) -> String) -> String {
    entry.solution.as_ref().map_or(String::new(), write)
}

fn with_zeros(grid: &Grid) -> String {
    let line = text::line(grid);
    // Sides whose digits run out of letters are written as numbers, which have their zeros already.
    if line.contains(' ') { line } else { line.replace('.', "0") }
}

fn sdk(entry: &Entry) -> String {
    let rows = |grid: &Grid| {
        let side = grid.order().side();
        let signs: Vec<char> = text::line(grid).chars().collect();
        signs.chunks(side).map(|row| row.iter().collect::<String>() + "\n").collect::<String>()
    };
    let source = entry.source.as_deref().map_or(String::new(), |source| format!("#A{source}\n"));
    let state = match &entry.position {
        Some(position) => format!("[State]\n{}", rows(position.grid())),
        None => String::new(),
    };
    format!("{source}[Puzzle]\n{}{state}", rows(&entry.puzzle))
}
