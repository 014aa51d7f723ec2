//! Pencil marks as text: a grid whose cells list their candidates.
//!
//! | text | cell |
//! |---|---|
//! | `5` | filled |
//! | `+5` | filled by the player, not a clue |
//! | `124` | empty, with these candidates |
//! | `{5}`, `{}` | empty, with one candidate or none |
//! | `.` | empty, candidates not listed |
//!
//! Cells are separated by blanks. The parser skips the lines between boxes; vertical bars determine
//! the box width.
//!
//! Some programs write neither `+` nor `{}`. In their texts `5` is either a filled cell or an empty
//! cell with a single candidate. Therefore [`MarkedCells::has_signs`] reports whether a text
//! contains one of these symbols: only then a single digit is certainly a filled cell.

use super::{Candidates, Cell, Digit, DigitSet, Grid, Order, text};

/// A text is not a valid grid of pencil marks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseMarksError {
    /// No grid size has this number of cells.
    #[error("expected 16, 36, 81 or 256 cells of pencil marks, found {found}")]
    WrongLength {
        /// The number of cells found.
        found: usize,
    },
    /// The number of cells does not fit the expected size.
    #[error("expected {} cells of pencil marks for a {order} grid, found {found}", order.cell_count())]
    WrongLengthFor {
        /// The number of cells found.
        found: usize,
        /// The expected size.
        order: Order,
    },
    /// A cell contains something other than digits.
    #[error("row {row}, column {column}: expected a list of digits, found {found:?}")]
    NotDigits {
        /// The row, counted from 1.
        row: usize,
        /// The column, counted from 1.
        column: usize,
        /// The text of the cell.
        found: String,
    },
}

/// The content of one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A single digit: a clue or, in some texts, a single candidate; see
    /// [`MarkedCells::has_signs`].
    Digit(Digit),
    /// A digit that the player placed, written as `+5`.
    Placed(Digit),
    /// Several candidates, or candidates in braces.
    Candidates(DigitSet),
    /// An empty cell whose candidates are not listed.
    Unmarked,
}

/// The cells of a grid of pencil marks, as written in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct MarkedCells {
    /// The size of the grid.
    pub order: Order,
    /// One mark for each cell, in reading order.
    pub marks: Vec<Mark>,
    /// Whether the text contains a `+` or a brace. If so, a single digit is a clue; otherwise it
    /// may also be a single candidate.
    pub has_signs: bool,
}

/// Formats candidates as a diagram.
pub fn diagram(candidates: &Candidates) -> String {
    diagram_with_clues(candidates.grid(), candidates)
}

/// Formats candidates as a diagram in which digits that are not clues have a `+`. [`parse_cells`]
/// parses it.
pub fn diagram_with_clues(clues: &Grid, candidates: &Candidates) -> String {
    let order = candidates.order();
    let cells = words(clues, candidates);
    let width = |column: usize| {
        (0..order.side()).map(|row| cells[row * order.side() + column].len()).max().unwrap_or(1)
    };
    let widths: Vec<usize> = (0..order.side()).map(width).collect();
    let rule: Vec<String> = widths
        .chunks(order.box_columns())
        .map(|chunk| "-".repeat(chunk.iter().map(|width| width + 1).sum::<usize>() + 1))
        .collect();
    let rule = format!("+{}+\n", rule.join("+"));
    let mut out = rule.clone();
    for (row, line) in cells.chunks(order.side()).enumerate() {
        for (column, cell) in line.iter().enumerate() {
            let bar = if column.is_multiple_of(order.box_columns()) { "| " } else { "" };
            out += &format!("{bar}{cell:<width$} ", width = widths[column]);
        }
        out += "|\n";
        let ends_box = order.has_boxes() && (row + 1).is_multiple_of(order.box_rows());
        if ends_box || row + 1 == order.side() {
            out += &rule;
        }
    }
    out
}

/// Formats the cells in reading order, one string each.
///
/// Parsers recognize a single digit as a clue only if the text contains a `+` or a brace. If no
/// cell needs these symbols but a peer of a cell contains one of its candidates, all candidate
/// lists are written in braces, so that the text is not ambiguous.
pub fn words(clues: &Grid, candidates: &Candidates) -> Vec<String> {
    let order = candidates.order();
    let grid = candidates.grid();
    let needs_symbol = |cell: Cell| match grid[cell] {
        Some(_) => clues[cell].is_none(),
        None => candidates.at(cell).count() < 2,
    };
    let sees_its_digit = |cell: Cell| {
        let sees =
            |digit: Digit| order.peers_of(cell).iter().any(|&peer| grid[peer] == Some(digit));
        candidates.at(cell).into_iter().any(sees)
    };
    let all_in_braces = !order.cells().any(needs_symbol) && order.cells().any(sees_its_digit);
    let separator = if order.side() > 35 { "," } else { "" };
    let word = |cell: Cell| match grid[cell] {
        Some(digit) if clues[cell].is_none() => format!("+{}", text::symbol(order, digit)),
        Some(digit) => text::symbol(order, digit),
        None => {
            let marks: Vec<String> =
                candidates.at(cell).map(|digit| text::symbol(order, digit)).collect();
            let marks_in_line = marks.join(separator);
            if marks.len() < 2 || all_in_braces {
                format!("{{{marks_in_line}}}")
            } else {
                marks_in_line
            }
        }
    };
    order.cells().map(word).collect()
}

/// Parses the output of [`diagram`] and similar diagrams of other programs. A single digit is a
/// filled cell.
pub fn parse(input: &str) -> Result<Candidates, ParseMarksError> {
    let cells = parse_cells(input, None)?;
    let mut grid = Grid::empty(cells.order);
    for (cell, mark) in cells.order.cells().zip(&cells.marks) {
        if let Mark::Digit(digit) | Mark::Placed(digit) = mark {
            grid.set(cell, Some(*digit));
        }
    }
    Ok(cells.candidates(&grid))
}

/// Parses the cells of a grid of pencil marks. Pass `order` if the boxes do not have the default
/// shape.
pub fn parse_cells(input: &str, order: Option<Order>) -> Result<MarkedCells, ParseMarksError> {
    let rows: Vec<&str> = input.lines().filter(|line| !is_rule(line)).collect();
    let words: Vec<&str> = rows.iter().flat_map(|line| words_of(line)).collect();
    let found = words.len();
    let order = match order {
        Some(order) if order.cell_count() == found => order,
        Some(order) => return Err(ParseMarksError::WrongLengthFor { found, order }),
        None => order_of(&rows, found).ok_or(ParseMarksError::WrongLength { found })?,
    };
    let mut marks = Vec::with_capacity(found);
    for (cell, word) in order.cells().zip(&words) {
        marks.push(mark_of(order, word).ok_or_else(|| ParseMarksError::NotDigits {
            row: order.row_of(cell) + 1,
            column: order.column_of(cell) + 1,
            found: word.chars().take(40).collect(),
        })?);
    }
    let is_placed = |mark: &Mark| matches!(mark, Mark::Placed(_));
    let has_signs = words.iter().any(|word| word.contains('{')) || marks.iter().any(is_placed);
    Ok(MarkedCells { order, marks, has_signs })
}

impl MarkedCells {
    /// Cells with one mark each, in reading order, without `+` and braces.
    pub fn new(order: Order, marks: Vec<Mark>) -> MarkedCells {
        MarkedCells { order, marks, has_signs: false }
    }

    /// The candidates of all cells that are empty in `filled`. A cell without a list gets all
    /// candidates that its peers allow.
    pub fn candidates(&self, filled: &Grid) -> Candidates {
        let mut candidates = Candidates::empty(filled);
        for (cell, mark) in
            self.order.cells().zip(&self.marks).filter(|(cell, _)| filled[*cell].is_none())
        {
            let digits = match mark {
                Mark::Digit(digit) | Mark::Placed(digit) => DigitSet::from_digit(*digit),
                Mark::Candidates(digits) => *digits,
                Mark::Unmarked => {
                    let seen: DigitSet =
                        self.order.peers_of(cell).iter().filter_map(|&peer| filled[peer]).collect();
                    self.order.digits() - seen
                }
            };
            candidates.set(cell, digits);
        }
        candidates
    }
}

fn words_of(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| c.is_whitespace() || text::is_bar(c) || c == ':')
        .filter(|word| !word.is_empty())
}

/// A line between boxes. A row of cells without pencil marks consists of dots and has no dashes.
fn is_rule(line: &str) -> bool {
    let drawing = |c: char| "+-|.:'*=".contains(c) || c.is_whitespace() || ('─'..='╿').contains(&c);
    line.chars().all(drawing)
        && (line.contains("--")
            || line.contains("==")
            || line.contains(['─', '━', '═', '┼'])
            || line.trim().is_empty())
}

/// The size of a grid with this number of cells. Bars in the first row determine the box width.
fn order_of(rows: &[&str], found: usize) -> Option<Order> {
    let usual = Order::from_cell_count(found)?;
    let inside = rows.first()?.trim().trim_matches(text::is_bar);
    let columns = inside.find(text::is_bar).map(|end| words_of(&inside[..end]).count());
    let drawn = columns
        .filter(|&columns| columns > 0 && usual.side().is_multiple_of(columns))
        .and_then(|columns| Order::new(usual.side() / columns, columns).ok());
    Some(drawn.unwrap_or(usual))
}

fn mark_of(order: Order, word: &str) -> Option<Mark> {
    if matches!(word, "." | "0" | "_" | "-" | "*") {
        return Some(Mark::Unmarked);
    }
    if let Some(inner) = word.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        return digits_of(order, inner).map(Mark::Candidates);
    }
    // SudoCue writes `u` before a digit placed by the user.
    if let Some(placed) =
        word.strip_prefix('+').or_else(|| word.strip_prefix('u').filter(|_| order.side() < 30))
    {
        return digits_of(order, placed)?.only().map(Mark::Placed);
    }
    let digits =
        digits_of(order, word.trim_start_matches('*')).filter(|digits| !digits.is_empty())?;
    Some(digits.only().map_or(Mark::Candidates(digits), Mark::Digit))
}

fn digits_of(order: Order, word: &str) -> Option<DigitSet> {
    if order.side() > 35 {
        return word
            .split(',')
            .filter(|part| !part.is_empty())
            .map(|part| text::digit(order, part))
            .collect();
    }
    let mut buffer = [0; 4];
    word.chars().map(|symbol| text::digit(order, symbol.encode_utf8(&mut buffer))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLES: [&str; 3] = [
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
        "1..4..1..3..4..3",
        "..64.2.4..........13...5.521......2.",
    ];

    #[test]
    fn diagrams_round_trip() {
        for puzzle in PUZZLES {
            let candidates = Candidates::new(&puzzle.parse().unwrap()).unwrap();
            assert_eq!(parse(&diagram(&candidates)), Ok(candidates), "{puzzle}");
        }
    }

    #[test]
    fn diagram_shows_boxes() {
        let candidates = Candidates::new(&"1..4..1..3..4..3".parse().unwrap()).unwrap();
        let expected = "\
+---------+---------+
| 1   {2} | 23  4   |
| 23  24  | 1   {2} |
+---------+---------+
| {2} 3   | 24  12  |
| 4   12  | {2} 3   |
+---------+---------+
";
        assert_eq!(diagram(&candidates), expected);
    }

    #[test]
    fn distinguishes_clues_placed_digits_and_single_candidates() {
        let puzzle: Grid = "1..4..1..3..4..3".parse().unwrap();
        let mut candidates = Candidates::new(&puzzle).unwrap();
        candidates.place(Order::FOUR.cell(0, 1), Digit::new(2).unwrap());
        let written = diagram_with_clues(&puzzle, &candidates);
        assert!(written.contains("| 1   +2  | {3} 4   |"), "{written}");
        let cells = parse_cells(&written, None).unwrap();
        assert!(cells.has_signs);
        assert_eq!(
            cells.marks[..4],
            [
                Mark::Digit(Digit::from_index(0)),
                Mark::Placed(Digit::from_index(1)),
                Mark::Candidates(DigitSet::from_digit(Digit::from_index(2))),
                Mark::Digit(Digit::from_index(3)),
            ]
        );
        assert_eq!(parse(&written), Ok(candidates));
    }

    #[test]
    fn candidates_that_see_their_digit_are_written_in_braces() {
        let puzzle: Grid = "1..4..1..3..4..3".parse().unwrap();
        let mut candidates = Candidates::empty(&puzzle);
        for cell in puzzle.empty_cells() {
            candidates.set(cell, DigitSet::up_to(4));
        }
        let written = diagram(&candidates);
        assert!(
            written.contains("{1234}") && parse_cells(&written, None).unwrap().has_signs,
            "{written}"
        );
        assert_eq!(parse(&written), Ok(candidates));
    }

    #[test]
    fn cell_without_marks_gets_all_possible_candidates() {
        let candidates = Candidates::new(&"1..4..1..3..4..3".parse().unwrap()).unwrap();
        assert_eq!(parse("1 . . 4\n. . 1 .\n. 3 . .\n4 . . 3"), Ok(candidates));
    }

    #[test]
    fn bars_determine_the_box_width() {
        let rows = "| 12 34 | 1 2 | 3 4 |\n".repeat(6);
        let order = parse_cells(&rows, None).unwrap().order;
        assert_eq!((order.box_rows(), order.box_columns()), (3, 2));
    }

    #[test]
    fn reports_invalid_text() {
        assert_eq!(
            parse("1 2 3").unwrap_err().to_string(),
            "expected 16, 36, 81 or 256 cells of pencil marks, found 3"
        );
        let text = "1 2 3 4 ".repeat(3) + "1 x 3 4";
        assert_eq!(
            parse(&text).unwrap_err().to_string(),
            "row 4, column 2: expected a list of digits, found \"x\""
        );
        assert_eq!(
            parse_cells(&text, Some(Order::NINE)).unwrap_err().to_string(),
            "expected 81 cells of pencil marks for a 9×9 grid, found 16"
        );
    }
}
