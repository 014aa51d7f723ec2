//! Splits text lists into records: lines, drawn grids, numbers and links, of all sizes and mixed.
//!
//! A line is either a complete puzzle, optionally followed by a label, or one row of a grid that is
//! drawn over several lines. Such rows are collected until the grid is complete. The grids
//! themselves are parsed later.

use crate::error::{ReadError, ReadErrorKind};
use crate::lines::{Line, Lines};
use crate::marks::is_gap;
use crate::record::RecordText;
use crate::{links, notation};
use ninefold::grid::{Order, ParseGridError, text};
use std::collections::VecDeque;
use std::io::BufRead;

/// The maximum number of lines of a drawn grid, including its frame and rules.
const MAX_DRAWING_LINES: usize = 200;

pub(crate) struct List<R> {
    pub(crate) lines: Lines<R>,
    order: Option<Order>,
    /// Lines that were read ahead.
    put_back: VecDeque<Line>,
}

/// The kind of a line.
enum LineKind<'a> {
    /// A puzzle, possibly invalid.
    Puzzle(&'a str),
    /// A row of a drawn grid, with its number of cells.
    Row(usize),
    /// A line between the boxes of a drawn grid.
    Rule,
}

/// A record with its line number.
type Item = Result<(u64, RecordText), ReadError>;

impl<R: BufRead> List<R> {
    pub(crate) fn new(lines: Lines<R>, order: Option<Order>) -> List<R> {
        List { lines, order, put_back: VecDeque::new() }
    }

    pub(crate) fn next(&mut self) -> Option<Item> {
        loop {
            let line = match self.next_line()? {
                Ok(line) => line,
                Err(error) => return Some(Err(error)),
            };
            let (number, trimmed) = (line.number, line.text.trim());
            if is_gap(trimmed) || (number == 1 && is_heading(trimmed)) {
                continue;
            }
            if links::is_link(trimmed) {
                return Some(Ok((number, RecordText::Link(line.text))));
            }
            if notation::detect_format(trimmed).is_some() {
                return Some(Ok((number, RecordText::Notation(line.text))));
            }
            let cells = match classify(trimmed, &line.text, self.order) {
                LineKind::Puzzle(text) if line.is_text || text.is_ascii() => {
                    let note = trimmed
                        .get(text.len() + 1..)
                        .map(str::trim)
                        .filter(|note| !note.is_empty());
                    let note = note.map(str::to_string);
                    let is_full_line = text.len() == line.text.len();
                    let text = if is_full_line { line.text } else { text.to_string() };
                    return Some(Ok((number, RecordText::Grid(text, note))));
                }
                _ if !line.is_text => return Some(Err(ReadErrorKind::NotText.at_line(number))),
                LineKind::Row(cells) => cells,
                LineKind::Puzzle(_) | LineKind::Rule => 0,
            };
            match self.drawing(line, cells) {
                Ok(text) if text.is_empty() => {}
                Ok(text) => return Some(Ok((number, RecordText::Grid(text, None)))),
                Err(error) => return Some(Err(error)),
            }
        }
    }

    /// Collects the lines of a drawn grid; empty if the lines contain no cells.
    fn drawing(&mut self, first: Line, cells: usize) -> Result<String, ReadError> {
        let mut rows = if cells > 0 { vec![cells] } else { Vec::new() };
        let mut lines = vec![first];
        while !is_complete(&rows, &lines) && lines.len() < MAX_DRAWING_LINES {
            let Some(line) = self.next_line().transpose()? else { break };
            let trimmed = line.text.trim();
            match classify(trimmed, trimmed, self.order) {
                // A row of a large grid may look like a small grid.
                LineKind::Puzzle(text) if text.chars().count() == cells => rows.push(cells),
                LineKind::Puzzle(_) => {
                    self.put_back.push_front(line);
                    break;
                }
                _ if is_gap(trimmed) || links::is_link(trimmed) => {
                    self.put_back.push_front(line);
                    break;
                }
                LineKind::Row(cells) => rows.push(cells),
                LineKind::Rule => {}
            }
            lines.push(line);
        }
        let drawing = joined(&lines);
        // What looked like the first row of a 16×16 grid may be an invalid 4×4 grid.
        if Order::from_cell_count(cells).is_some() && text::parse(&drawing, self.order).is_err() {
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

/// Whether a drawn grid is complete: it has as many rows as its longest row has cells. If spaces
/// may be empty cells and the rows differ in length, their lengths are unreliable. Then the result
/// is false, and the drawing ends at the next gap.
fn is_complete(rows: &[usize], lines: &[Line]) -> bool {
    let side = rows.iter().copied().max().unwrap_or(usize::MAX);
    if rows.len() < side {
        return false;
    }
    let is_square = rows.iter().all(|&cells| cells == side);
    is_square
        || lines.iter().any(|line| has_empty_symbol(&line.text))
        || !lines.iter().any(|line| line.text.contains(' '))
}

/// Whether a line contains a symbol that always means an empty cell.
fn has_empty_symbol(line: &str) -> bool {
    line.contains(['.', '0', '_', 'x', 'X']) || (line.contains('*') && !line.contains("--"))
}

/// Whether a line is the heading of a table, such as `puzzle,solution`.
fn is_heading(line: &str) -> bool {
    line.contains(',')
        && line.chars().all(|character| character.is_alphabetic() || ",_ ".contains(character))
}

/// Classifies a line. `untrimmed` includes the surrounding spaces, which may be cells.
fn classify<'a>(line: &'a str, untrimmed: &'a str, order: Option<Order>) -> LineKind<'a> {
    let is_separator =
        |character: char| character.is_whitespace() || matches!(character, ',' | ';');
    let first_word = line.split(is_separator).next().unwrap_or(line);
    let is_grid_size = |cells: usize| match order {
        Some(order) => order.cell_count() == cells,
        None => Order::from_cell_count(cells).is_some(),
    };
    // A word too long for a row is a puzzle; this is the case for most lines of most lists.
    let letters = first_word.chars().count();
    if letters > Order::MAX_SIDE && is_grid_size(letters) {
        return LineKind::Puzzle(first_word);
    }
    let has_bars = line.contains(['|', '│', '┃', '║', '!']);
    if untrimmed.len() > Order::MAX_SIDE
        && is_grid_size(untrimmed.chars().count())
        && !has_empty_symbol(line)
    {
        return LineKind::Puzzle(untrimmed);
    }
    let cells = match text::parse_position(line, order) {
        Ok(grid) if has_bars => grid.order().cell_count(),
        Ok(_) => return LineKind::Puzzle(line),
        Err(ParseGridError::Empty) => return LineKind::Rule,
        Err(
            ParseGridError::WrongLength { found } | ParseGridError::WrongLengthFor { found, .. },
        ) => found,
        Err(_) => line.chars().filter(|&character| !is_separator(character)).count(),
    };
    if !has_bars && is_grid_size(letters) && line.split(is_separator).count() != letters {
        return match text::parse_position(first_word, order) {
            // Sixteen characters may be an invalid 4×4 grid or a row of a drawn 16×16 grid. With a
            // label after it, it is a puzzle.
            Err(_) if letters == line.len() => LineKind::Row(letters),
            _ => LineKind::Puzzle(first_word),
        };
    }
    if cells <= Order::MAX_SIDE { LineKind::Row(cells) } else { LineKind::Puzzle(line) }
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
                let Location::Line(line) = record.location() else { panic!("expected a line") };
                let entry = record.entry_allowing_conflicts();
                (
                    line,
                    entry.map_or_else(
                        |error| error.kind.to_string(),
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
    fn reads_mixed_sizes_labels_comments_and_line_breaks() {
        let text = format!(
            "# two\r\n{NINE} easy, by hand\r\n\r\n1..4..1..3..4..3\t4x4\n1..4 ..1. .3.. 4..3"
        );
        check(&text, &[(2, NINE), (4, "1..4..1..3..4..3"), (5, "1..4..1..3..4..3")]);
    }

    #[test]
    fn reads_the_first_column_of_a_table_with_a_heading() {
        check(&format!("quizzes,solutions\n{NINE},{NINE}\n"), &[(2, NINE)]);
    }

    #[test]
    fn drawn_grids_end_when_they_are_complete() {
        let grid: Grid = NINE.parse().unwrap();
        let large: Grid = format!("G{}", ".".repeat(255)).parse().unwrap();
        let small = "1 . | . 4\n. . | 1 .\n----+----\n. 3 | . .\n4 . | . 3";
        let text = format!("+---+\n{grid:#}\n+---+\n\n{small}\n{small}\n\n{large:#}\n{NINE}");
        let four = "1..4..1..3..4..3";
        check(&text, &[(1, NINE), (15, four), (20, four), (26, &large.to_string()), (45, NINE)]);
    }

    #[test]
    fn grids_with_spaces_for_empty_cells_end_at_a_gap() {
        let grid: Grid = NINE.parse().unwrap();
        let blank = format!("{grid:#}").replace('.', " ");
        let line = NINE.replace('.', " ");
        check(
            &format!("{blank}\n\n{blank}\n\n{line}\n{line}\n"),
            &[(1, NINE), (13, NINE), (25, NINE), (26, NINE)],
        );
    }

    #[test]
    fn an_invalid_line_does_not_affect_other_lines() {
        let text = format!("{}\n{NINE}\nhello\n{NINE}\n{}\n{NINE}", &NINE[1..], &NINE[..30]);
        check(
            &text,
            &[
                (1, "expected 64, 81 or 100 cells, found 80"),
                (2, NINE),
                (3, "expected 16, 36 or 64 cells, found 5"),
                (4, NINE),
                (5, "expected 16, 36 or 64 cells, found 30"),
                (6, NINE),
            ],
        );
    }

    #[test]
    fn reports_each_invalid_small_grid() {
        let text = "1..4..1..3..4..q\n1..4..1..3..4..y\n1..4..1..3..4..3\n1..4..1..3..4..z";
        let error = |found| format!("row 4, column 4: expected a digit or '.', found {found:?}");
        check(
            text,
            &[(1, &error("q")), (2, &error("y")), (3, "1..4..1..3..4..3"), (4, &error("z"))],
        );
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
    fn random_text_never_panics() {
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
                let Location::Line(line) = record.location() else { panic!("expected a line") };
                assert!(last < line && line <= count, "line {line} of {text:?}");
                last = line;
                if let Ok(entry) = record.entry() {
                    assert_eq!(entry.puzzle.conflict(), None, "{text:?}");
                }
            }
        }
    }

    #[test]
    fn a_drawing_with_a_short_row_is_one_record() {
        check("1..4\n..1\n.3..\n4..3\n", &[(1, "row 2: expected 4 cells, found 3")]);
    }

    #[test]
    fn rejects_an_endless_line_without_buffering_it() {
        let endless =
            std::io::BufReader::new(std::io::Read::take(std::io::repeat(b'1'), 10_000_000));
        let items: Vec<_> =
            read(Format::Line, endless, None).map(|item| item.err().unwrap().to_string()).collect();
        assert_eq!(items, ["line 1: input line or JSON object is longer than 1048576 bytes"]);
    }
}
