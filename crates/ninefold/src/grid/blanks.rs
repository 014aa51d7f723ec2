//! Parses grids whose empty cells are written as blanks. The column of a digit in the text then
//! determines its cell.
//!
//! Such a grid is one line with exactly one character per cell, or a line for each row. In rows,
//! neighbouring cells may be separated by a blank (left) or not (right), and boxes by bars:
//!
//! ```text
//! |5 3  |  7  |     |      53  7
//! |6    |1 9 5|     |      6  195
//! |  9 8|     |  6  |       98    6
//! ```
//! A blank is read as an empty cell only if the text has no other symbol for empty cells and the
//! cells of all rows are in the same text columns.

use super::{Order, text};

/// Replaces each blank cell with a dot. Returns `None` if the text is not such a grid.
pub(super) fn dotted(input: &str, expected_order: Option<Order>) -> Option<String> {
    let lines: Vec<&str> = input.lines().filter(|line| !text::is_rule(line)).collect();
    let first = lines.iter().position(|line| !line.is_empty())?;
    let last = lines.iter().rposition(|line| !line.is_empty())?;
    let lines = &lines[first..=last];
    let is_cell = |symbol: char| symbol.is_alphanumeric() && !matches!(symbol, '0' | 'x' | 'X');
    let fits = |line: &&str| {
        line.chars().all(|symbol| symbol == ' ' || text::is_bar(symbol) || is_cell(symbol))
    };
    if !lines.iter().all(fits) || !lines.iter().any(|line| line.contains(' ')) {
        return None;
    }
    match lines {
        [line] => one_line(line, expected_order),
        rows => several_rows(rows, expected_order),
    }
}

fn one_line(line: &str, expected_order: Option<Order>) -> Option<String> {
    let count = line.chars().count();
    let is_grid = match expected_order {
        Some(order) => order.cell_count() == count,
        // A shorter line may also be a row of a larger grid.
        None => count > Order::MAX_SIDE && Order::from_cell_count(count).is_some(),
    };
    (is_grid && !line.contains(text::is_bar)).then(|| line.replace(' ', "."))
}

fn several_rows(rows: &[&str], expected_order: Option<Order>) -> Option<String> {
    let side = rows.len();
    expected_order
        .map_or(Order::from_side(side).is_some(), |order| order.side() == side)
        .then_some(())?;
    let is_framed = rows
        .iter()
        .all(|row| row.trim().starts_with(text::is_bar) && row.trim().ends_with(text::is_bar));
    let rows: Vec<Vec<Vec<char>>> = rows
        .iter()
        .map(|row| {
            let row =
                if is_framed { row.trim().trim_matches(text::is_bar) } else { row.trim_end() };
            row.split(text::is_bar).map(|part| part.chars().collect()).collect()
        })
        .collect();
    let parts = rows.iter().map(Vec::len).max()?;
    let columns = side / parts;
    let is_complete =
        rows.iter().all(|row| row.len() == parts || (!is_framed && row.len() < parts));
    if !side.is_multiple_of(parts) || columns < 2 || !is_complete {
        return None;
    }
    let lines = [1, 2].into_iter().find_map(|stride| {
        let offsets: Vec<usize> = (0..parts)
            .map(|part| {
                let is_open = !is_framed && part + 1 == parts;
                let fits = |&offset: &usize| {
                    rows.iter()
                        .all(|row| is_aligned(row.get(part), offset, stride, columns, is_open))
                };
                (0..stride).find(fits)
            })
            .collect::<Option<_>>()?;
        Some(rows.iter().map(|row| cells_of(row, &offsets, stride, columns)).collect::<Vec<_>>())
    })?;
    Some(lines.join("\n"))
}

/// Whether the symbols of a part are at cell positions, with blanks between them. The last part of
/// a row may lack its trailing blanks.
fn is_aligned(
    part: Option<&Vec<char>>,
    offset: usize,
    stride: usize,
    columns: usize,
    is_open: bool,
) -> bool {
    let Some(part) = part else { return is_open };
    let (shortest, longest) = (offset + stride * (columns - 1) + 1, offset + stride * columns);
    let is_cell = |place: usize| place >= offset && (place - offset).is_multiple_of(stride);
    part.len() <= longest
        && (is_open || part.len() >= shortest)
        && part.iter().enumerate().all(|(place, &symbol)| symbol == ' ' || is_cell(place))
}

fn cells_of(row: &[Vec<char>], offsets: &[usize], stride: usize, columns: usize) -> String {
    let parts = offsets.iter().enumerate().map(|(part, offset)| {
        let symbol = |column: usize| {
            row.get(part).and_then(|part| part.get(offset + stride * column)).copied()
        };
        (0..columns)
            .map(|column| symbol(column).filter(|&symbol| symbol != ' ').unwrap_or('.'))
            .collect::<String>()
    });
    parts.collect::<Vec<_>>().join("|")
}

#[cfg(test)]
mod tests {
    use super::super::{Grid, Order, text};

    const LINE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn check(written: &str, expected: &str) {
        match text::parse(written, None) {
            Ok(grid) => assert_eq!(grid.to_string(), expected, "from\n{written}"),
            Err(error) => assert_eq!(error.to_string(), expected, "from\n{written}"),
        }
    }

    #[test]
    fn blanks_are_empty_cells_in_a_line_of_the_right_length() {
        check(&LINE.replace('.', " "), LINE);
        let one_short = LINE.replace('.', " ").replacen("  ", " ", 1);
        check(&one_short, "expected 16, 36 or 64 cells, found 30");
    }

    #[test]
    fn blanks_are_empty_cells_in_diagrams() {
        let grid: Grid = LINE.parse().unwrap();
        check(&format!("{grid:#}").replace('.', " "), LINE);
        let rows: Vec<String> =
            (0..9).map(|row| LINE[row * 9..row * 9 + 9].replace('.', " ")).collect();
        check(&rows.join("\n"), LINE);
        let trimmed: Vec<&str> = rows.iter().map(|row| row.trim_end()).collect();
        check(&trimmed.join("\n"), LINE);
        let framed = |row: &String| format!("|{}|{}|{}|", &row[..3], &row[3..6], &row[6..]);
        let framed: Vec<String> = rows.iter().map(framed).collect();
        check(&format!("+---+---+---+\n{}\n+---+---+---+", framed.join("\n")), LINE);
        let spaced = |row: &String| row.chars().map(String::from).collect::<Vec<_>>().join(" ");
        let spaced: Vec<String> = rows
            .iter()
            .map(spaced)
            .map(|row| format!("|{}|{}|{}|", &row[..5], &row[6..11], &row[12..]))
            .collect();
        check(&spaced.join("\n"), LINE);
    }

    #[test]
    fn bars_determine_the_box_width() {
        let rows =
            ["|12|  |  |", "|  |12|  |", "|  |  |12|", "|34|  |  |", "|  |34|  |", "|  |  |34|"];
        let order = text::parse(&rows.join("\n"), None).unwrap().order();
        assert_eq!(order, Order::new(3, 2).unwrap());
    }

    #[test]
    fn grid_with_dots_and_a_blank_is_an_error() {
        check("1..4\n..1\n.3..\n4..3", "row 2: expected 4 cells, found 3");
        check("1..4\n..1 \n.3..\n4..3", "row 2: expected 4 cells, found 3");
        check("12 4\n341\n2 43\n4321", "12.4341.2.434321");
    }
}
