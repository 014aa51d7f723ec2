//! Pencil marks as text: a grid whose cells list their candidates.
//!
//! | written | the cell |
//! |---|---|
//! | `5` | is filled |
//! | `+5` | is filled by the player and is not a clue |
//! | `124` | is empty and lists its candidates |
//! | `{5}`, `{}` | is empty and has one candidate left, or none |
//! | `.` | is empty; nobody has listed its candidates yet |
//!
//! Cells are set apart by blanks; bars and rules between boxes are skipped when reading, but bars say how wide a box is.
//! Programs that know neither `+` nor `{}` write a filled cell and a last candidate alike: [`read_cells`] tells whether a text has
//! any of these signs, so that its reader knows when a single digit means what it says.

use super::{Candidates, Cell, Digit, DigitSet, Grid, Order, text};

/// Pencil marks that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseMarksError {
    /// The number of cells fits no size.
    #[error("{found} cells do not form a grid of pencil marks; 16, 36, 81 or 256 would")]
    WrongLength {
        /// How many were found.
        found: usize,
    },
    /// The number of cells does not fit the size that was asked for.
    #[error("{found} cells do not form a {order} grid of pencil marks; {} would", order.cell_count())]
    WrongLengthFor {
        /// How many were found.
        found: usize,
        /// The size that was asked for.
        order: Order,
    },
    /// A cell holds something else than digits.
    #[error("row {row}, column {column}: {found:?} is not a list of digits")]
    NotDigits {
        /// The row, counted from 1.
        row: usize,
        /// The column, counted from 1.
        column: usize,
        /// What was read.
        found: String,
    },
}

/// What is written in one cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A digit alone.
    Digit(Digit),
    /// A digit that the player placed, `+5`.
    Placed(Digit),
    /// Several candidates, or those in braces.
    Candidates(DigitSet),
    /// An empty cell whose candidates are not listed.
    Unmarked,
}

/// The cells of a grid of pencil marks as they are written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkedCells {
    /// The size of the grid.
    pub order: Order,
    /// One mark for each cell, in reading order.
    pub marks: Vec<Mark>,
    /// Is there a `+` or a brace? Then a digit alone is a clue; otherwise it may be a last candidate.
    pub has_signs: bool,
}

/// Writes candidates as a drawn grid.
pub fn drawn(candidates: &Candidates) -> String {
    drawn_with_clues(candidates.grid(), candidates)
}

/// Writes candidates as a drawn grid in which digits that are not clues carry a `+`. [`read_cells`] reads all of it back.
pub fn drawn_with_clues(clues: &Grid, candidates: &Candidates) -> String {
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
        if (row + 1).is_multiple_of(order.box_rows()) {
            out += &rule;
        }
    }
    out
}

/// The words of the cells, in reading order.
///
/// A digit alone counts as a clue only where some sign shows that its writer knows the signs. If no cell needs one although
/// a candidate contradicts a digit it sees, as a player's forgotten marks do, every list is written in braces.
pub fn words(clues: &Grid, candidates: &Candidates) -> Vec<String> {
    let order = candidates.order();
    let grid = candidates.grid();
    let needs_sign = |cell: Cell| match grid[cell] {
        Some(_) => clues[cell].is_none(),
        None => candidates.at(cell).count() < 2,
    };
    let is_forgotten = |cell: Cell| {
        let sees =
            |digit: Digit| order.peers_of(cell).iter().any(|&peer| grid[peer] == Some(digit));
        candidates.at(cell).into_iter().any(sees)
    };
    let all_in_braces = !order.cells().any(needs_sign) && order.cells().any(is_forgotten);
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

/// Reads what [`drawn`] writes, and similar grids of other programs; a digit alone is a filled cell.
pub fn read(input: &str) -> Result<Candidates, ParseMarksError> {
    let cells = read_cells(input, None)?;
    let mut grid = Grid::empty(cells.order);
    for (cell, mark) in cells.order.cells().zip(&cells.marks) {
        if let Mark::Digit(digit) | Mark::Placed(digit) = mark {
            grid.set(cell, Some(*digit));
        }
    }
    Ok(cells.candidates(&grid))
}

/// Reads the cells of a grid of pencil marks as they are written. `order` settles the size where boxes are not the usual ones.
pub fn read_cells(input: &str, order: Option<Order>) -> Result<MarkedCells, ParseMarksError> {
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
    /// The candidates of all cells that `filled` leaves empty; where none are listed, all that its digits leave.
    pub fn candidates(&self, filled: &Grid) -> Candidates {
        let mut candidates = Candidates::unmarked(filled);
        for (cell, mark) in
            self.order.cells().zip(&self.marks).filter(|(cell, _)| filled[*cell].is_none())
        {
            let digits = match mark {
                Mark::Digit(digit) | Mark::Placed(digit) => DigitSet::of(*digit),
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

/// A line between boxes. A row of cells without any marks has dots, but no dashes.
fn is_rule(line: &str) -> bool {
    let drawing = |c: char| "+-|.:'*=".contains(c) || c.is_whitespace() || ('─'..='╿').contains(&c);
    line.chars().all(drawing)
        && (line.contains("--")
            || line.contains("==")
            || line.contains(['─', '━', '═', '┼'])
            || line.trim().is_empty())
}

/// The size of a grid with so many cells; bars in its first row say how wide a box is.
fn order_of(rows: &[&str], found: usize) -> Option<Order> {
    let usual = Order::of_cell_count(found)?;
    let inside = rows.first()?.trim().trim_matches(text::is_bar);
    let columns = inside.find(text::is_bar).map(|end| words_of(&inside[..end]).count());
    let drawn = columns
        .filter(|&columns| columns > 0 && usual.side().is_multiple_of(columns))
        .and_then(|columns| Order::boxes(usual.side() / columns, columns).ok());
    Some(drawn.unwrap_or(usual))
}

fn mark_of(order: Order, word: &str) -> Option<Mark> {
    if matches!(word, "." | "0" | "_" | "-" | "*") {
        return Some(Mark::Unmarked);
    }
    if let Some(inner) = word.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        return digits_of(order, inner).map(Mark::Candidates);
    }
    // SudoCue writes `u` before a digit of the user.
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
    fn what_is_written_is_read_again() {
        for puzzle in PUZZLES {
            let candidates = Candidates::of(&puzzle.parse().unwrap()).unwrap();
            assert_eq!(read(&drawn(&candidates)), Ok(candidates), "{puzzle}");
        }
    }

    #[test]
    fn a_drawn_grid_has_its_boxes() {
        let candidates = Candidates::of(&"1..4..1..3..4..3".parse().unwrap()).unwrap();
        let expected = "\
+---------+---------+
| 1   {2} | 23  4   |
| 23  24  | 1   {2} |
+---------+---------+
| {2} 3   | 24  12  |
| 4   12  | {2} 3   |
+---------+---------+
";
        assert_eq!(drawn(&candidates), expected);
    }

    #[test]
    fn clues_placed_digits_and_last_candidates_are_told_apart() {
        let puzzle: Grid = "1..4..1..3..4..3".parse().unwrap();
        let mut candidates = Candidates::of(&puzzle).unwrap();
        candidates.place(Order::FOUR.cell(0, 1), Digit::new(2).unwrap());
        let written = drawn_with_clues(&puzzle, &candidates);
        assert!(written.contains("| 1   +2  | {3} 4   |"), "{written}");
        let cells = read_cells(&written, None).unwrap();
        assert!(cells.has_signs);
        assert_eq!(
            cells.marks[..4],
            [
                Mark::Digit(Digit::from_index(0)),
                Mark::Placed(Digit::from_index(1)),
                Mark::Candidates(DigitSet::of(Digit::from_index(2))),
                Mark::Digit(Digit::from_index(3)),
            ]
        );
        assert_eq!(read(&written), Ok(candidates));
    }

    #[test]
    fn forgotten_marks_are_written_so_that_a_digit_alone_stays_a_clue() {
        let puzzle: Grid = "1..4..1..3..4..3".parse().unwrap();
        let mut candidates = Candidates::unmarked(&puzzle);
        for cell in puzzle.empty_cells() {
            candidates.set(cell, DigitSet::up_to(4));
        }
        let written = drawn(&candidates);
        assert!(
            written.contains("{1234}") && read_cells(&written, None).unwrap().has_signs,
            "{written}"
        );
        assert_eq!(read(&written), Ok(candidates));
    }

    #[test]
    fn cells_without_marks_have_all_that_the_digits_leave() {
        let candidates = Candidates::of(&"1..4..1..3..4..3".parse().unwrap()).unwrap();
        assert_eq!(read("1 . . 4\n. . 1 .\n. 3 . .\n4 . . 3"), Ok(candidates));
    }

    #[test]
    fn bars_say_how_wide_a_box_is() {
        let rows = "| 12 34 | 1 2 | 3 4 |\n".repeat(6);
        let order = read_cells(&rows, None).unwrap().order;
        assert_eq!((order.box_rows(), order.box_columns()), (3, 2));
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        assert_eq!(
            read("1 2 3").unwrap_err().to_string(),
            "3 cells do not form a grid of pencil marks; 16, 36, 81 or 256 would"
        );
        let text = "1 2 3 4 ".repeat(3) + "1 x 3 4";
        assert_eq!(
            read(&text).unwrap_err().to_string(),
            "row 4, column 2: \"x\" is not a list of digits"
        );
        assert_eq!(
            read_cells(&text, Some(Order::NINE)).unwrap_err().to_string(),
            "16 cells do not form a 9×9 grid of pencil marks; 81 would"
        );
    }
}
