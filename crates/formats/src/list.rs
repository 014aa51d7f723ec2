//! Lists of puzzles as people keep them: lines, drawn grids, numbers and links, of all sizes and mixed.
//!
//! A line is a puzzle, perhaps with a label behind it; rows of a drawn grid are collected until the grid is complete. What
//! a puzzle's text means is decided later.

use crate::error::{ReadError, Reason};
use crate::lines::{Line, Lines};
use crate::links;
use crate::marks::is_gap;
use crate::record::Written;
use ninefold::grid::{Order, ParseGridError, text};
use std::collections::VecDeque;
use std::io::BufRead;

/// More lines than the largest drawn grid has, frame and rules included.
const TALLEST_DRAWING: usize = 200;

pub(crate) struct List<R> {
    pub(crate) lines: Lines<R>,
    order: Option<Order>,
    /// Lines that were read too early.
    put_back: VecDeque<Line>,
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

/// What was found at which line.
type Found = Result<(u64, Written), ReadError>;

impl<R: BufRead> List<R> {
    pub(crate) fn new(lines: Lines<R>, order: Option<Order>) -> List<R> {
        List { lines, order, put_back: VecDeque::new() }
    }

    pub(crate) fn next(&mut self) -> Option<Found> {
        loop {
            let line = match self.next_line()? {
                Ok(line) => line,
                Err(error) => return Some(Err(error)),
            };
            let (number, written) = (line.number, line.text.trim());
            if is_gap(written) || (number == 1 && is_heading(written)) {
                continue;
            }
            if links::is_link(written) {
                return Some(Ok((number, Written::Link(line.text))));
            }
            let cells = match kind_of(written, &line.text, self.order) {
                Kind::Puzzle(text) if line.is_text || text.is_ascii() => {
                    let note = written
                        .get(text.len() + 1..)
                        .map(str::trim)
                        .filter(|note| !note.is_empty());
                    let note = note.map(str::to_string);
                    let whole = text.len() == line.text.len();
                    let text = if whole { line.text } else { text.to_string() };
                    return Some(Ok((number, Written::Grid(text, note))));
                }
                _ if !line.is_text => return Some(Err(Reason::NotText.at_line(number))),
                Kind::Row(cells) => cells,
                Kind::Puzzle(_) | Kind::Rule => 0,
            };
            match self.drawing(line, cells) {
                Ok(text) if text.is_empty() => {}
                Ok(text) => return Some(Ok((number, Written::Grid(text, None)))),
                Err(error) => return Some(Err(error)),
            }
        }
    }

    /// Collects the lines of a drawn grid; empty if there are only rules.
    fn drawing(&mut self, first: Line, cells: usize) -> Result<String, ReadError> {
        let mut rows = if cells > 0 { vec![cells] } else { Vec::new() };
        let mut lines = vec![first];
        while !is_complete(&rows, &lines) && lines.len() < TALLEST_DRAWING {
            let Some(line) = self.next_line().transpose()? else { break };
            let written = line.text.trim();
            match kind_of(written, written, self.order) {
                // The row of a large grid may read as a small grid.
                Kind::Puzzle(text) if text.chars().count() == cells => rows.push(cells),
                Kind::Puzzle(_) => {
                    self.put_back.push_front(line);
                    break;
                }
                _ if is_gap(written) || links::is_link(written) => {
                    self.put_back.push_front(line);
                    break;
                }
                Kind::Row(cells) => rows.push(cells),
                Kind::Rule => {}
            }
            lines.push(line);
        }
        let drawing = joined(&lines);
        // Perhaps what looked like the first row of a 16×16 grid was a 4×4 grid with a slip.
        if Order::of_cell_count(cells).is_some() && text::read(&drawing, self.order).is_err() {
            lines.drain(1..).rev().for_each(|line| self.put_back.push_front(line));
            return Ok(joined(&lines));
        }
        Ok(if rows.is_empty() { String::new() } else { drawing })
    }

    fn next_line(&mut self) -> Option<Result<Line, ReadError>> {
        self.put_back.pop_front().map(Ok).or_else(|| self.lines.next())
    }
}

fn joined(lines: &[Line]) -> String {
    lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n")
}

/// Are there as many rows as the longest has cells? Where blanks may be empty cells, rows of different lengths say nothing, and
/// the drawing goes on to the next gap.
fn is_complete(rows: &[usize], lines: &[Line]) -> bool {
    let side = rows.iter().copied().max().unwrap_or(usize::MAX);
    if rows.len() < side {
        return false;
    }
    let is_even = rows.iter().all(|&cells| cells == side);
    is_even
        || lines.iter().any(|line| has_sign_for_empty(&line.text))
        || !lines.iter().any(|line| line.text.contains(' '))
}

/// Is there a sign that only stands for an empty cell?
fn has_sign_for_empty(line: &str) -> bool {
    line.contains(['.', '0', '_', 'x', 'X']) || (line.contains('*') && !line.contains("--"))
}

/// The first line of a table, such as `puzzle,solution`.
fn is_heading(line: &str) -> bool {
    line.contains(',')
        && line.chars().all(|character| character.is_alphabetic() || ",_ ".contains(character))
}

/// What a line is; `untrimmed` has the blanks around it, which may be cells.
fn kind_of<'a>(line: &'a str, untrimmed: &'a str, order: Option<Order>) -> Kind<'a> {
    let is_separator =
        |character: char| character.is_whitespace() || matches!(character, ',' | ';');
    let first_word = line.split(is_separator).next().unwrap_or(line);
    let makes_a_grid = |cells: usize| match order {
        Some(order) => order.cell_count() == cells,
        None => Order::of_cell_count(cells).is_some(),
    };
    // A word too long for a row is a puzzle; most lines of most lists end here.
    let letters = first_word.chars().count();
    if letters > Order::MAX_SIDE && makes_a_grid(letters) {
        return Kind::Puzzle(first_word);
    }
    let has_bars = line.contains(['|', '│', '┃', '║', '!']);
    if untrimmed.len() > Order::MAX_SIDE
        && makes_a_grid(untrimmed.chars().count())
        && !has_sign_for_empty(line)
    {
        return Kind::Puzzle(untrimmed);
    }
    let cells = match text::read_position(line, order) {
        Ok(grid) if has_bars => grid.order().cell_count(),
        Ok(_) => return Kind::Puzzle(line),
        Err(ParseGridError::Empty) => return Kind::Rule,
        Err(
            ParseGridError::WrongLength { found } | ParseGridError::WrongLengthFor { found, .. },
        ) => found,
        Err(_) => line.chars().filter(|&character| !is_separator(character)).count(),
    };
    if !has_bars && makes_a_grid(letters) && line.split(is_separator).count() != letters {
        return match text::read_position(first_word, order) {
            // Sixteen letters may be a 4×4 grid with a slip or a row of a drawn 16×16 grid: a label decides.
            Err(_) if letters == line.len() => Kind::Row(letters),
            _ => Kind::Puzzle(first_word),
        };
    }
    if cells <= Order::MAX_SIDE { Kind::Row(cells) } else { Kind::Puzzle(line) }
}

#[cfg(test)]
mod tests {
    use crate::{Format, Location, read};
    use ninefold::grid::Grid;

    const NINE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn check(text: &str, expected: &[(u64, &str)]) {
        let found: Vec<(u64, String)> = read(Format::Line, text.as_bytes(), None)
            .map(|record| {
                let record = record.unwrap();
                let Location::Line(line) = record.location() else { panic!("a list has lines") };
                let entry = record.entry_that_may_break_rules();
                (
                    line,
                    entry.map_or_else(
                        |error| error.reason.to_string(),
                        |entry| entry.puzzle.to_string(),
                    ),
                )
            })
            .collect();
        let expected: Vec<_> =
            expected.iter().map(|(line, text)| (*line, text.to_string())).collect();
        assert_eq!(found, expected, "from {text:?}");
    }

    #[test]
    fn a_list_may_mix_sizes_labels_comments_and_line_ends() {
        let text = format!(
            "# two\r\n{NINE} easy, by hand\r\n\r\n1..4..1..3..4..3\t4x4\n1..4 ..1. .3.. 4..3"
        );
        check(&text, &[(2, NINE), (4, "1..4..1..3..4..3"), (5, "1..4..1..3..4..3")]);
    }

    #[test]
    fn a_table_with_a_heading_gives_its_first_column() {
        check(&format!("quizzes,solutions\n{NINE},{NINE}\n"), &[(2, NINE)]);
    }

    #[test]
    fn drawn_grids_end_where_they_are_complete() {
        let grid: Grid = NINE.parse().unwrap();
        let large: Grid = format!("G{}", ".".repeat(255)).parse().unwrap();
        let small = "1 . | . 4\n. . | 1 .\n----+----\n. 3 | . .\n4 . | . 3";
        let text = format!("+---+\n{grid:#}\n+---+\n\n{small}\n{small}\n\n{large:#}\n{NINE}");
        let four = "1..4..1..3..4..3";
        check(&text, &[(1, NINE), (15, four), (20, four), (26, &large.to_string()), (45, NINE)]);
    }

    #[test]
    fn grids_with_blanks_for_empty_cells_end_at_a_gap() {
        let grid: Grid = NINE.parse().unwrap();
        let blank = format!("{grid:#}").replace('.', " ");
        let line = NINE.replace('.', " ");
        check(
            &format!("{blank}\n\n{blank}\n\n{line}\n{line}\n"),
            &[(1, NINE), (13, NINE), (25, NINE), (26, NINE)],
        );
    }

    #[test]
    fn a_broken_line_takes_no_other_line_with_it() {
        let text = format!("{}\n{NINE}\nhello\n{NINE}\n{}\n{NINE}", &NINE[1..], &NINE[..30]);
        check(
            &text,
            &[
                (1, "80 cells do not form a grid; 64, 81 or 100 would"),
                (2, NINE),
                (3, "5 cells do not form a grid; 16, 36 or 64 would"),
                (4, NINE),
                (5, "30 cells do not form a grid; 16, 36 or 64 would"),
                (6, NINE),
            ],
        );
    }

    #[test]
    fn slips_in_small_grids_are_told_one_by_one() {
        let text = "1..4..1..3..4..q\n1..4..1..3..4..y\n1..4..1..3..4..3\n1..4..1..3..4..z";
        let slip =
            |found| format!("row 4, column 4: {found:?} is neither a digit nor an empty cell");
        check(text, &[(1, &slip("q")), (2, &slip("y")), (3, "1..4..1..3..4..3"), (4, &slip("z"))]);
        let large: Grid = format!("G{}", ".".repeat(255)).parse().unwrap();
        let rows: Vec<String> = large
            .to_string()
            .as_bytes()
            .chunks(16)
            .map(|row| String::from_utf8_lossy(row).into())
            .collect();
        check(&rows.join("\n"), &[(1, &large.to_string())]);
    }

    #[test]
    fn no_text_makes_the_reader_stumble() {
        let pieces = [
            ".", "1", "9", "G", "|", "-", "+", " ", ",", "\n", "\n\n", "#", "é", "..4.", "---",
            NINE, "\r", "\u{0}", "  ",
        ];
        let mut random = ninefold::random::Random::new(1);
        for _ in 0..20_000 {
            let text: String =
                (0..random.below(60)).map(|_| *random.pick(&pieces).unwrap()).collect();
            let count = text.lines().count() as u64;
            let mut last = 0;
            for record in read(Format::Line, text.as_bytes(), None) {
                let record = record.unwrap();
                let Location::Line(line) = record.location() else { panic!("a list has lines") };
                assert!(last < line && line <= count, "line {line} of {text:?}");
                last = line;
                if let Ok(entry) = record.entry() {
                    assert_eq!(entry.puzzle.conflict(), None, "{text:?}");
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
        let endless =
            std::io::BufReader::new(std::io::Read::take(std::io::repeat(b'1'), 10_000_000));
        let items: Vec<_> =
            read(Format::Line, endless, None).map(|item| item.err().unwrap().to_string()).collect();
        assert_eq!(items, ["line 1: more than 1048576 bytes without an end"]);
    }
}
