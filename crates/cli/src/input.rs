//! Puzzles from all sources: this is where we find out where one puzzle ends.
//!
//! A source is read line by line and never held as a whole, so a stream may be endless. A line is a puzzle, perhaps
//! with a label behind it; rows of a drawn grid are collected until the grid is complete. What a puzzle's text means is
//! decided later, by `ninefold::grid::text`. Tables, JSON and the files of other programs are left to `collection`.

use crate::collection::Entries;
use crate::error::CliError;
use crate::format::{self, FileFormat};
use crate::source::{Opened, Place, Source, Sources};
use crate::stream::Feed;
use clap::Args;
use ninefold::grid::{Grid, Order, ParseGridError, text};
use ninefold::puzzles::format::Format;
use std::collections::VecDeque;
use std::io::{self, BufRead, Read};

/// Which puzzles to read, and how they are written.
#[derive(Args, Debug)]
pub struct Input {
    #[command(flatten)]
    pub sources: Sources,

    /// The format of the input [default: found out from its beginning]
    #[arg(long, value_name = "FORMAT", value_parser = format::names())]
    pub from: Option<FileFormat>,
}

/// One puzzle and where it stands.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Where it stands.
    pub place: Place,
    /// The puzzle as it was written, or why there is none.
    pub text: Result<String, CliError>,
}

impl Entry {
    /// The puzzle as it was written, or the trouble with it.
    pub fn written(&self) -> Result<&str, CliError> {
        self.text.as_deref().map_err(CliError::clone)
    }

    /// The puzzle; it keeps the rules.
    pub fn puzzle(&self, boxes: Option<Order>) -> Result<Grid, CliError> {
        text::read(self.written()?, boxes).map_err(|error| CliError::unreadable(&error, boxes))
    }

    /// The puzzle, which may break the rules.
    pub fn position(&self, boxes: Option<Order>) -> Result<Grid, CliError> {
        text::read_position(self.written()?, boxes).map_err(|error| CliError::unreadable(&error, boxes))
    }
}

/// All puzzles of all sources, one after the other.
pub struct Puzzles {
    waiting: VecDeque<Source>,
    open: Option<Open>,
    boxes: Option<Order>,
    from: Option<FileFormat>,
    /// Is the only source a puzzle that was typed as an argument?
    pub typed: bool,
}

/// A source, and who reads it.
enum Open {
    Lines(Lines),
    Entries(Entries),
}

impl Puzzles {
    /// Looks at the arguments; a file that is not there is trouble now, not after an hour.
    pub fn of(sources: &Sources) -> Result<Puzzles, CliError> {
        let mut waiting = sources.list()?;
        let typed = matches!(waiting.make_contiguous(), [Source::Argument { .. }]);
        Ok(Puzzles { waiting, open: None, boxes: sources.boxes, from: None, typed })
    }

    /// The same in the format that the user names.
    pub fn of_input(input: &Input) -> Result<Puzzles, CliError> {
        Ok(Puzzles { from: input.from, ..Puzzles::of(&input.sources)? })
    }

    /// The puzzles of one file.
    pub fn of_file(path: &str, boxes: Option<Order>) -> Puzzles {
        Puzzles { waiting: [Source::File(path.to_string())].into(), open: None, boxes, from: None, typed: false }
    }
}

impl Feed for Puzzles {
    fn more_is_ready(&self) -> bool {
        match &self.open {
            Some(Open::Lines(lines)) => lines.source.reader.buffer().contains(&b'\n'),
            Some(Open::Entries(entries)) => !entries.waits,
            None => false,
        }
    }
}

impl Iterator for Puzzles {
    type Item = Result<Entry, CliError>;

    fn next(&mut self) -> Option<Result<Entry, CliError>> {
        loop {
            if let Some(open) = &mut self.open {
                match open.next(self.boxes) {
                    Some(Ok(entry)) => return Some(Ok(entry)),
                    Some(Err(error)) => {
                        self.open = None;
                        return Some(Err(error));
                    }
                    None => self.open = None,
                }
            }
            match self.waiting.pop_front()?.open().and_then(|opened| Open::of(opened, self.from, self.boxes)) {
                Ok(open) => self.open = Some(open),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

impl Open {
    fn of(mut opened: Opened, from: Option<FileFormat>, boxes: Option<Order>) -> Result<Open, CliError> {
        let beginning = opened.reader.fill_buf();
        let beginning = beginning.map_err(|error| CliError::new(format!("{} cannot be read: {error}", opened.name)))?;
        let format = from.unwrap_or_else(|| FileFormat::of(beginning));
        Ok(match format {
            // Lists in which sizes, drawings and labels are mixed are read more kindly here.
            FileFormat::Text(Format::Line | Format::Sdm | Format::Drawn | Format::Numbers) => {
                Open::Lines(Lines::of(opened))
            }
            _ => Open::Entries(Entries::of(opened, format, boxes)?),
        })
    }

    fn next(&mut self, boxes: Option<Order>) -> Option<Result<Entry, CliError>> {
        match self {
            Open::Lines(lines) => match lines.next_entry(boxes) {
                Ok(entry) => entry.map(Ok),
                Err(error) => Some(Err(CliError::new(format!("{}: {error}", lines.source.name)))),
            },
            Open::Entries(entries) => Some(match entries.next()? {
                Ok(found) => Ok(Entry { place: found.place, text: Ok(found.entry.puzzle.to_string()) }),
                Err(bad) if bad.is_fatal() => Err(bad.error(boxes)),
                Err(bad) => Ok(Entry { text: Err(bad.trouble_without_place(boxes)), place: bad.place }),
            }),
        }
    }
}

/// The longest line that is read; 64×64 cells written as numbers need 12 thousand bytes.
const LONGEST_LINE: u64 = 1 << 16;

/// More lines than the largest drawn grid has, frame and rules included.
const TALLEST_DRAWING: usize = 200;

/// A line and its number, counted from 1.
type Numbered = (usize, String);

struct Lines {
    source: Opened,
    line: usize,
    /// Lines that were read too early.
    put_back: VecDeque<Numbered>,
}

/// What one line is.
enum Kind<'a> {
    /// A puzzle, or at least nothing else.
    Puzzle(&'a str),
    /// A row of a drawn grid with so many cells.
    Row(usize),
    /// A line between the boxes of a drawn grid.
    Rule,
}

impl Lines {
    fn of(source: Opened) -> Lines {
        Lines { source, line: 0, put_back: VecDeque::new() }
    }

    fn next_entry(&mut self, boxes: Option<Order>) -> io::Result<Option<Entry>> {
        while let Some((first, line)) = self.next_line()? {
            if line.is_empty() || line.starts_with('#') || (first == 1 && is_heading(&line)) {
                continue;
            }
            let text = match kind_of(&line, boxes) {
                Kind::Puzzle(text) => text.to_string(),
                Kind::Row(cells) => self.drawing((first, line), cells, boxes)?,
                Kind::Rule => self.drawing((first, line), 0, boxes)?,
            };
            if !text.is_empty() {
                return Ok(Some(Entry { place: self.source.place(first), text: Ok(text) }));
            }
        }
        Ok(None)
    }

    /// Collects the lines of a drawn grid; empty if there are only rules.
    fn drawing(&mut self, first: Numbered, cells: usize, boxes: Option<Order>) -> io::Result<String> {
        let (mut side, mut rows) = (cells, usize::from(cells > 0));
        let mut lines = vec![first];
        while (rows == 0 || rows < side) && lines.len() < TALLEST_DRAWING {
            let Some((number, line)) = self.next_line()? else { break };
            match kind_of(&line, boxes) {
                // The row of a large grid may read as a small grid.
                Kind::Puzzle(text) if text.chars().count() == cells => rows += 1,
                Kind::Puzzle(_) => {
                    self.put_back.push_front((number, line));
                    break;
                }
                Kind::Rule if line.is_empty() => {
                    self.put_back.push_front((number, line));
                    break;
                }
                Kind::Row(cells) => {
                    side = side.max(cells);
                    rows += 1;
                }
                Kind::Rule => {}
            }
            lines.push((number, line));
        }
        let joined = |lines: &[Numbered]| lines.iter().map(|(_, line)| line.as_str()).collect::<Vec<_>>().join("\n");
        let drawing = joined(&lines);
        // Perhaps what looked like the first row of a 16×16 grid was a 4×4 grid with a slip.
        if Order::of_cell_count(cells).is_some() && text::read(&drawing, boxes).is_err() {
            lines.drain(1..).rev().for_each(|line| self.put_back.push_front(line));
            return Ok(joined(&lines));
        }
        Ok(if rows == 0 { String::new() } else { drawing })
    }

    fn next_line(&mut self) -> io::Result<Option<Numbered>> {
        if let Some(line) = self.put_back.pop_front() {
            return Ok(Some(line));
        }
        let mut bytes = Vec::new();
        (&mut self.source.reader).take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
        if bytes.is_empty() {
            return Ok(None);
        }
        self.line += 1;
        if bytes.len() as u64 == LONGEST_LINE && !bytes.ends_with(b"\n") {
            let message = format!("line {} has more than {LONGEST_LINE} characters", self.line);
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
        let line = String::from_utf8_lossy(&bytes);
        Ok(Some((self.line, line.trim_start_matches('\u{feff}').trim().to_string())))
    }
}

/// The first line of a table, such as `puzzle,solution`.
fn is_heading(line: &str) -> bool {
    line.contains(',') && line.chars().all(|character| character.is_alphabetic() || ",_ ".contains(character))
}

fn kind_of(line: &str, boxes: Option<Order>) -> Kind<'_> {
    let is_separator = |character: char| character.is_whitespace() || matches!(character, ',' | ';');
    let first_word = line.split(is_separator).next().unwrap_or(line);
    let makes_a_grid = |cells: usize| match boxes {
        Some(order) => order.cell_count() == cells,
        None => Order::of_cell_count(cells).is_some(),
    };
    // A word too long for a row is a puzzle; most lines of most lists end here.
    let letters = first_word.chars().count();
    if letters > Order::MAX_SIDE && makes_a_grid(letters) {
        return Kind::Puzzle(first_word);
    }
    let has_bars = line.contains(['|', '│', '┃', '║', '!']);
    let cells = match text::read_position(line, boxes) {
        Ok(grid) if has_bars => grid.order().cell_count(),
        Ok(_) => return Kind::Puzzle(line),
        Err(ParseGridError::Empty) => return Kind::Rule,
        Err(ParseGridError::WrongLength { found } | ParseGridError::WrongLengthFor { found, .. }) => found,
        Err(_) => line.chars().filter(|&character| !is_separator(character)).count(),
    };
    if !has_bars && makes_a_grid(letters) && line.split(is_separator).count() != letters {
        return match text::read_position(first_word, boxes) {
            // Sixteen letters may be a 4×4 grid with a slip or a row of a drawn 16×16 grid: a label decides.
            Err(_) if letters == line.len() => Kind::Row(letters),
            _ => Kind::Puzzle(first_word),
        };
    }
    if cells <= Order::MAX_SIDE { Kind::Row(cells) } else { Kind::Puzzle(line) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Cursor;

    const NINE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn lines_of(source: impl Read + Send + 'static) -> Lines {
        Lines::of(Opened::of("list", Box::new(source)).unwrap())
    }

    fn check(text: &str, expected: &[(usize, &str)]) {
        let mut lines = lines_of(Cursor::new(text.to_string()));
        let mut found = Vec::new();
        while let Some(entry) = lines.next_entry(None).unwrap() {
            let grid = entry.position(None).map_or_else(|error| error.message, |grid| grid.to_string());
            found.push((entry.place.line.unwrap(), grid));
        }
        let expected: Vec<_> = expected.iter().map(|(line, text)| (*line, text.to_string())).collect();
        assert_eq!(found, expected, "from {text:?}");
    }

    #[test]
    fn a_list_may_mix_sizes_labels_comments_and_line_ends() {
        let text = format!("# two\r\n{NINE} easy, by hand\r\n\r\n1..4..1..3..4..3\t4x4\n1..4 ..1. .3.. 4..3");
        check(&text, &[(2, NINE), (4, "1..4..1..3..4..3"), (5, "1..4..1..3..4..3")]);
    }

    #[test]
    fn a_table_with_a_heading_gives_its_first_column() {
        check(&format!("quizzes,solutions\n{NINE},{NINE}\n"), &[(2, NINE)]);
    }

    #[test]
    fn drawn_grids_end_where_they_are_complete() {
        let grid: ninefold::grid::Grid = NINE.parse().unwrap();
        let large: ninefold::grid::Grid = format!("G{}", ".".repeat(255)).parse().unwrap();
        let small = "1 . | . 4\n. . | 1 .\n----+----\n. 3 | . .\n4 . | . 3";
        let text = format!("+---+\n{grid:#}\n+---+\n\n{small}\n{small}\n\n{large:#}\n{NINE}");
        let four = "1..4..1..3..4..3";
        check(&text, &[(1, NINE), (15, four), (20, four), (26, &large.to_string()), (45, NINE)]);
    }

    #[test]
    fn a_broken_line_takes_no_other_line_with_it() {
        let text = format!("{}\n{NINE}\nhello\n{NINE}\n{}\n{NINE}", &NINE[1..], &NINE[..30]);
        check(
            &text,
            &[
                (1, "80 cells make no grid; 64, 81 or 100 would"),
                (2, NINE),
                (3, "5 cells make no grid; 16, 36 or 64 would"),
                (4, NINE),
                (5, "30 cells make no grid; 16, 36 or 64 would"),
                (6, NINE),
            ],
        );
    }

    #[test]
    fn slips_in_small_grids_are_told_one_by_one() {
        let text = "1..4..1..3..4..q\n1..4..1..3..4..y\n1..4..1..3..4..3\n1..4..1..3..4..z";
        let slip = |found| format!("row 4, column 4: {found:?} is neither a digit nor an empty cell");
        check(text, &[(1, &slip("q")), (2, &slip("y")), (3, "1..4..1..3..4..3"), (4, &slip("z"))]);
        let large: ninefold::grid::Grid = format!("G{}", ".".repeat(255)).parse().unwrap();
        let rows: Vec<String> =
            large.to_string().as_bytes().chunks(16).map(|row| String::from_utf8_lossy(row).into()).collect();
        check(&rows.join("\n"), &[(1, &large.to_string())]);
    }

    #[test]
    fn no_text_makes_the_reader_stumble() {
        let pieces =
            [".", "1", "9", "G", "|", "-", "+", " ", ",", "\n", "\n\n", "#", "é", "..4.", "---", NINE, "\r", "\u{0}"];
        let mut random = ninefold::random::Random::new(1);
        for _ in 0..20_000 {
            let text: String = (0..random.below(60)).map(|_| *random.pick(&pieces).unwrap()).collect();
            let count = text.lines().count();
            let mut lines = lines_of(Cursor::new(text.clone()));
            let mut last = 0;
            while let Some(entry) = lines.next_entry(None).unwrap() {
                let line = entry.place.line.unwrap();
                assert!(last < line && line <= count, "line {line} of {text:?}");
                last = line;
                if let Ok(grid) = entry.puzzle(None) {
                    assert_eq!(grid.conflict(), None, "{text:?}");
                }
            }
        }
    }

    #[test]
    fn a_ragged_drawing_is_read_as_one() {
        check("1..4\n..1\n.3..\n4..3\n", &[(1, "row 2 has 3 cells, but the grid has 4 rows")]);
    }

    #[test]
    fn a_line_without_end_is_refused_and_not_kept() {
        let mut lines = lines_of(io::repeat(b'1'));
        assert!(lines.next_entry(None).unwrap_err().to_string().contains("more than 65536"));
    }
}
