//! Puzzles from arguments, files and standard input: this is where we find out where one puzzle ends.
//!
//! A source is read line by line and never held as a whole, so a stream may be endless. A line is a puzzle, perhaps
//! with a label behind it; rows of a drawn grid are collected until the grid is complete. Files packed with gzip are
//! unpacked on the way. What a puzzle's text means is decided later, by `ninefold::grid::text`.

use crate::trouble::Trouble;
use clap::Args;
use flate2::bufread::MultiGzDecoder;
use ninefold::grid::{Order, ParseGridError, text};
use std::collections::VecDeque;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, IsTerminal, Read};
use std::path::Path;
use std::sync::Arc;

/// Which puzzles to read.
#[derive(Args, Debug)]
pub struct Sources {
    /// Puzzles or files; without any, or for `-`, standard input is read
    ///
    /// A puzzle is one line with a character for each cell (1-9, and 0 or . for empty; A is 10, B is 11 and so on),
    /// or a drawn grid. A file holds one puzzle per line, or drawn grids with an empty line between them; sizes may be
    /// mixed, what follows a puzzle on its line is a label, lines that start with # are skipped, and files packed
    /// with gzip are unpacked.
    #[arg(value_name = "PUZZLE|FILE")]
    pub puzzles: Vec<String>,

    /// Shape of a box, rows x columns, where it is not the usual one
    #[arg(long, value_name = "ROWSxCOLUMNS")]
    pub boxes: Option<Order>,
}

/// The text of one puzzle and where it stands.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Where it stands.
    pub place: Place,
    /// The puzzle as it was written.
    pub text: String,
}

/// Where a puzzle stands: `list.txt, line 3`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file, `standard input` or `argument 2`; empty if there is nothing to tell apart.
    pub source: Arc<str>,
    /// The line, counted from 1; an argument of one line has none.
    pub line: Option<usize>,
}

impl Place {
    /// The place in front of a message, with a colon; nothing if there is only one puzzle.
    pub fn prefix(&self) -> String {
        if self.source.is_empty() { String::new() } else { format!("{self}: ") }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}, line {line}", self.source),
            None => f.write_str(&self.source),
        }
    }
}

/// All puzzles of all sources, one after the other.
pub struct Puzzles {
    waiting: VecDeque<Source>,
    open: Option<Lines>,
    boxes: Option<Order>,
    /// Is the only source a puzzle that was typed as an argument?
    pub typed: bool,
}

enum Source {
    Argument { name: String, text: String },
    File(String),
    StandardInput,
}

impl Puzzles {
    /// Looks at the arguments; a file that is not there is trouble now, not after an hour.
    pub fn of(sources: &Sources) -> Result<Puzzles, Trouble> {
        let many = sources.puzzles.len() > 1;
        let mut waiting = VecDeque::new();
        for (number, argument) in (1..).zip(&sources.puzzles) {
            let name = if many { format!("argument {number}") } else { String::new() };
            waiting.push_back(if argument == "-" {
                Source::StandardInput
            } else if Path::new(argument).is_file() {
                Source::File(argument.clone())
            } else if looks_like_a_path(argument) {
                return Err(no_such_file(argument));
            } else {
                Source::Argument { name, text: argument.clone() }
            });
        }
        if waiting.is_empty() {
            if io::stdin().is_terminal() {
                eprintln!("reading puzzles from the keyboard, one per line; Ctrl-D ends the list");
            }
            waiting.push_back(Source::StandardInput);
        }
        let typed = matches!(waiting.make_contiguous(), [Source::Argument { .. }]);
        Ok(Puzzles { waiting, open: None, boxes: sources.boxes, typed })
    }

    /// The puzzles of one file.
    pub fn of_file(path: &str, boxes: Option<Order>) -> Puzzles {
        Puzzles { waiting: [Source::File(path.to_string())].into(), open: None, boxes, typed: false }
    }

    /// Is the next line already in memory, so that asking for it will not wait?
    pub fn more_is_ready(&self) -> bool {
        self.open.as_ref().is_some_and(|lines| lines.reader.buffer().contains(&b'\n'))
    }
}

impl Iterator for Puzzles {
    type Item = Result<Entry, Trouble>;

    fn next(&mut self) -> Option<Result<Entry, Trouble>> {
        loop {
            if let Some(lines) = &mut self.open {
                match lines.next_entry(self.boxes) {
                    Ok(Some(entry)) => return Some(Ok(entry)),
                    Ok(None) => self.open = None,
                    Err(error) => {
                        let name = lines.name.clone();
                        self.open = None;
                        return Some(Err(Trouble::new(format!("{name}: {error}"))));
                    }
                }
            }
            match self.waiting.pop_front()?.open() {
                Ok(lines) => self.open = Some(lines),
                Err(trouble) => return Some(Err(trouble)),
            }
        }
    }
}

fn looks_like_a_path(argument: &str) -> bool {
    let ending = Path::new(argument).extension().and_then(|ending| ending.to_str());
    let known = ["txt", "gz", "csv", "tsv", "sdk", "sdm", "toml", "json", "md", "dat"];
    argument.contains('/') || ending.is_some_and(|ending| known.contains(&ending)) || Path::new(argument).is_dir()
}

fn no_such_file(argument: &str) -> Trouble {
    if Path::new(argument).is_dir() {
        return Trouble::new(format!("{argument} is a folder")).hint(format!("name the files in it: {argument}/*"));
    }
    Trouble::new(format!("there is no file {argument}"))
        .hint("a puzzle itself may be given instead, or piped in through standard input")
}

impl Source {
    fn open(self) -> Result<Lines, Trouble> {
        let cannot_read = |name: &str, error: io::Error| Trouble::new(format!("{name} cannot be read: {error}"));
        match self {
            Source::Argument { name, text } => {
                let mut lines = Lines::of(name, Box::new(Cursor::new(text.clone()))).expect("memory can be read");
                lines.numbered = text.trim().contains('\n') && !lines.name.is_empty();
                Ok(lines)
            }
            Source::File(path) => File::open(&path)
                .and_then(|file| Lines::of(path.clone(), Box::new(file)))
                .map_err(|error| cannot_read(&path, error)),
            Source::StandardInput => Lines::of("standard input".to_string(), Box::new(io::stdin()))
                .map_err(|error| cannot_read("standard input", error)),
        }
    }
}

/// Room for more than a thousand 9×9 puzzles, as many as go to a worker at once.
const READ_AHEAD: usize = 1 << 17;

/// The longest line that is read; 64×64 cells written as numbers need 12 thousand bytes.
const LONGEST_LINE: u64 = 1 << 16;

/// More lines than the largest drawn grid has, frame and rules included.
const TALLEST_DRAWING: usize = 200;

/// A line and its number, counted from 1.
type Numbered = (usize, String);

struct Lines {
    name: Arc<str>,
    reader: BufReader<Box<dyn Read + Send>>,
    line: usize,
    numbered: bool,
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
    fn of(name: String, source: Box<dyn Read + Send>) -> io::Result<Lines> {
        let mut peeked = BufReader::new(source);
        let packed = peeked.fill_buf()?.starts_with(&[0x1f, 0x8b]);
        let reader: Box<dyn Read + Send> =
            if packed { Box::new(MultiGzDecoder::new(peeked)) } else { Box::new(peeked) };
        Ok(Lines {
            name: name.into(),
            reader: BufReader::with_capacity(READ_AHEAD, reader),
            line: 0,
            numbered: true,
            put_back: VecDeque::new(),
        })
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
                let place = Place { source: self.name.clone(), line: self.numbered.then_some(first) };
                return Ok(Some(Entry { place, text }));
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
        (&mut self.reader).take(LONGEST_LINE).read_until(b'\n', &mut bytes)?;
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

    const NINE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn check(text: &str, expected: &[(usize, &str)]) {
        let mut lines = Lines::of("list".to_string(), Box::new(Cursor::new(text.to_string()))).unwrap();
        let mut found = Vec::new();
        while let Some(entry) = lines.next_entry(None).unwrap() {
            let grid = text::read_position(&entry.text, None).map_or_else(|error| error.to_string(), |g| g.to_string());
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
        let text = "1..4..1..3..4..x\n1..4..1..3..4..y\n1..4..1..3..4..3\n1..4..1..3..4..z";
        let slip = |found| format!("row 4, column 4: {found:?} is neither a digit nor an empty cell");
        check(text, &[(1, &slip("x")), (2, &slip("y")), (3, "1..4..1..3..4..3"), (4, &slip("z"))]);
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
            let mut lines = Lines::of("list".to_string(), Box::new(Cursor::new(text.clone()))).unwrap();
            let mut last = 0;
            while let Some(entry) = lines.next_entry(None).unwrap() {
                let line = entry.place.line.unwrap();
                assert!(last < line && line <= count, "line {line} of {text:?}");
                last = line;
                if let Ok(grid) = text::read(&entry.text, None) {
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
        let mut lines = Lines::of("list".to_string(), Box::new(io::repeat(b'1'))).unwrap();
        assert!(lines.next_entry(None).unwrap_err().to_string().contains("more than 65536"));
    }
}
