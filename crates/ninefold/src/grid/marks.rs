//! Pencil marks as text: a grid whose cells list their candidates.
//!
//! A filled cell is one digit. An empty cell lists its candidates, `{5}` if there is only one, `{}` if there is none.
//! Cells are set apart by blanks; bars and rules between boxes are skipped when reading.

use super::{Candidates, Cell, Digit, DigitSet, Grid, Order, text};

/// Pencil marks that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseMarksError {
    /// The number of cells fits no size.
    #[error("{found} cells make no grid of pencil marks; 16, 36, 81 or 256 would")]
    WrongLength {
        /// How many were found.
        found: usize,
    },
    /// A cell holds something else than digits.
    #[error("row {row}, column {column}: {found:?} is no list of digits")]
    NotDigits {
        /// The row, counted from 1.
        row: usize,
        /// The column, counted from 1.
        column: usize,
        /// What was read.
        found: String,
    },
}

/// Writes candidates as a drawn grid.
pub fn drawn(candidates: &Candidates) -> String {
    let order = candidates.order();
    let separator = if order.side() > 35 { "," } else { "" };
    let content = |cell: Cell| match candidates.grid()[cell] {
        Some(digit) => text::symbol(order, digit),
        None => {
            let marks: Vec<String> = candidates.at(cell).map(|digit| text::symbol(order, digit)).collect();
            if marks.len() > 1 { marks.join(separator) } else { format!("{{{}}}", marks.concat()) }
        }
    };
    let cells: Vec<String> = order.cells().map(content).collect();
    let width =
        |column: usize| (0..order.side()).map(|row| cells[row * order.side() + column].len()).max().unwrap_or(1);
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

/// Reads what [`drawn`] writes, and similar grids of other programs.
pub fn read(input: &str) -> Result<Candidates, ParseMarksError> {
    let is_rule = |line: &&str| line.chars().all(|c| "+-|.:'*= \t".contains(c));
    let words: Vec<&str> = input
        .lines()
        .filter(|line| !is_rule(line))
        .flat_map(|line| line.split(|c: char| c.is_whitespace() || c == '|'))
        .filter(|word| !word.is_empty())
        .collect();
    let order = Order::of_cell_count(words.len()).ok_or(ParseMarksError::WrongLength { found: words.len() })?;
    let mut grid = Grid::empty(order);
    let mut marks: Vec<(Cell, DigitSet)> = Vec::new();
    for (cell, word) in order.cells().zip(words) {
        let inner = word.trim_matches(['{', '}']);
        let digits = digits_of(order, inner).ok_or_else(|| ParseMarksError::NotDigits {
            row: order.row_of(cell) + 1,
            column: order.column_of(cell) + 1,
            found: word.to_string(),
        })?;
        match digits.only() {
            Some(digit) if inner == word => grid.set(cell, Some(digit)),
            _ => marks.push((cell, digits)),
        }
    }
    let mut candidates = Candidates::unmarked(&grid);
    for (cell, digits) in marks {
        candidates.set(cell, digits);
    }
    Ok(candidates)
}

fn digits_of(order: Order, word: &str) -> Option<DigitSet> {
    let digit = |symbol: &str| {
        let digits = (0..order.side()).map(Digit::from_index);
        digits.into_iter().find(|&digit| text::symbol(order, digit) == symbol)
    };
    if order.side() > 35 {
        return word.split(',').filter(|part| !part.is_empty()).map(digit).collect();
    }
    word.chars().map(|symbol| digit(&symbol.to_ascii_uppercase().to_string())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        for puzzle in [
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
            "1..4..1..3..4..3",
            "..64.2.4..........13...5.521......2.",
        ] {
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
    fn what_cannot_be_read_is_named() {
        assert_eq!(
            read("1 2 3").unwrap_err().to_string(),
            "3 cells make no grid of pencil marks; 16, 36, 81 or 256 would"
        );
        let text = "1 2 3 4 ".repeat(3) + "1 x 3 4";
        assert_eq!(read(&text).unwrap_err().to_string(), "row 4, column 2: \"x\" is no list of digits");
    }
}
