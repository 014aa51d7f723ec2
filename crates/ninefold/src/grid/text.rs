//! Grids as text: lines, diagrams and lists of numbers.
//!
//! One parser accepts all common notations:
//!
//! - An empty cell is `.`, `0`, `_`, `*` or `-`. In grids up to 32×32, where `X` is not a digit, it
//!   can also be `x`. Blanks are tried last, if the text is not a valid grid otherwise
//!   (`blanks.rs`).
//! - Digits above 9 are letters: `A` = 10 … `Z` = 35, and in grids larger than 35×35 also `a` = 36
//!   … `z` = 61. If blanks or commas separate the cells, digits can also be numbers.
//! - Lines between boxes are skipped; vertical bars determine the box width.
//!
//! Errors contain the row, the column and the text found there.

use super::{Cell, Conflict, Digit, Grid, Order, blanks};

/// A text is not a valid grid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseGridError {
    /// The text contains no cells.
    #[error("the text contains no cells")]
    Empty,
    /// No grid size has this number of cells.
    #[error("expected {} cells, found {found}", likely_counts(*found))]
    WrongLength {
        /// The number of cells found.
        found: usize,
    },
    /// The number of cells does not fit the expected size.
    #[error("expected {} cells for a {order} grid, found {found}", order.cell_count())]
    WrongLengthFor {
        /// The number of cells found.
        found: usize,
        /// The expected size.
        order: Order,
    },
    /// The number of cells in a row differs from the number of rows.
    #[error("row {row}: expected {expected} cells, found {found}")]
    RaggedRow {
        /// The row, counted from 1.
        row: usize,
        /// The number of cells found in the row.
        found: usize,
        /// The number of cells expected.
        expected: usize,
    },
    /// A symbol is neither a digit nor an empty cell.
    #[error("row {row}, column {column}: expected a digit or '.', found {found:?}")]
    NotADigit {
        /// The row, counted from 1.
        row: usize,
        /// The column, counted from 1.
        column: usize,
        /// The symbol found.
        found: String,
    },
    /// A digit is larger than the side of the grid.
    #[error(
        "row {row}, column {column}: digit {found} is too large for a {order} grid (maximum: {})",
        symbol(*order, Digit::from_index(order.side() - 1))
    )]
    TooLarge {
        /// The row, counted from 1.
        row: usize,
        /// The column, counted from 1.
        column: usize,
        /// The symbol found.
        found: String,
        /// The size of the grid.
        order: Order,
    },
    /// Two equal digits in one house.
    #[error(transparent)]
    Duplicate(#[from] Conflict),
}

/// Parses a grid whose digits must follow the rules. Pass `order` if the boxes do not have the
/// default shape.
///
/// ```
/// use ninefold::grid::text;
///
/// let grid = text::parse("1..4 ..1. .3.. 4..3", None)?;
/// assert_eq!(grid.to_string(), "1..4..1..3..4..3");
/// let typo = text::parse("1..4 ..q. .3.. 4..3", None).unwrap_err();
/// assert_eq!(typo.to_string(), "row 2, column 3: expected a digit or '.', found \"q\"");
/// # Ok::<(), ninefold::grid::ParseGridError>(())
/// ```
pub fn parse(text: &str, order: Option<Order>) -> Result<Grid, ParseGridError> {
    let grid = parse_position(text, order)?;
    match grid.conflict() {
        Some(conflict) => Err(conflict.into()),
        None => Ok(grid),
    }
}

/// Parses a grid whose digits may break the rules, such as the position of a player.
pub fn parse_position(text: &str, order: Option<Order>) -> Result<Grid, ParseGridError> {
    parse_symbols(text, order).or_else(|error| {
        let dotted = blanks::dotted(text, order).ok_or_else(|| error.clone())?;
        parse_symbols(&dotted, order).map_err(|_| error)
    })
}

fn parse_symbols(text: &str, order: Option<Order>) -> Result<Grid, ParseGridError> {
    let cells = Cells::split(text, order);
    let order =
        cells.order(order).map_err(|error| stray_separator(text, order).unwrap_or(error))?;
    let mut grid = Grid::empty(order);
    for (cell, symbol) in order.cells().zip(&cells.cells) {
        let (row, column) = (order.row_of(cell) + 1, order.column_of(cell) + 1);
        let digit = match meaning(symbol, order.side()) {
            Meaning::Empty => None,
            Meaning::Digit(digit) if digit.index() < order.side() => Some(digit),
            Meaning::Digit(_) | Meaning::HugeNumber => {
                return Err(ParseGridError::TooLarge {
                    row,
                    column,
                    found: truncated(symbol),
                    order,
                });
            }
            Meaning::Nothing => {
                return Err(ParseGridError::NotADigit { row, column, found: truncated(symbol) });
            }
        };
        grid.set(cell, digit);
    }
    Ok(grid)
}

/// Formats a grid as one line with one character per cell, `.` for an empty one. If the side is
/// above 61, there are too few characters, and the cells are written as by [`numbers`].
pub fn line(grid: &Grid) -> String {
    if grid.order().side() > LAST_LETTER {
        return numbers(grid);
    }
    grid.order()
        .cells()
        .map(|cell| grid[cell].map_or('.', |digit| letter(digit).unwrap_or('?')))
        .collect()
}

/// Formats a grid as one line of numbers separated by blanks, 0 for an empty cell.
pub fn numbers(grid: &Grid) -> String {
    grid.numbers().map(|number| number.to_string()).collect::<Vec<_>>().join(" ")
}

/// Formats a grid as several lines with bars and dashes between the boxes.
///
/// ```
/// let grid: ninefold::grid::Grid = "1..4..1..3..4..3".parse()?;
/// assert_eq!(format!("{grid:#}"), "1 . | . 4\n. . | 1 .\n----+----\n. 3 | . .\n4 . | . 3");
/// # Ok::<(), ninefold::grid::ParseGridError>(())
/// ```
///
/// Irregular regions are separated by bars and dashes as well.
pub fn diagram(grid: &Grid) -> String {
    diagram_with(grid, |_, word| word.to_string())
}

/// Like [`diagram`]; `paint` may add colour to the text of each cell.
pub fn diagram_with(grid: &Grid, mut paint: impl FnMut(Cell, &str) -> String) -> String {
    let order = grid.order();
    let width = if order.side() > LAST_LETTER { 2 } else { 1 };
    let mut word = |row, column| {
        let cell = order.cell(row, column);
        let word = grid[cell].map_or(".".to_string(), |digit| symbol(order, digit));
        paint(cell, &format!("{word:>width$}"))
    };
    if !order.has_boxes() {
        return region_diagram(grid, width, word);
    }
    let rule = vec!["-".repeat(order.box_columns() * (width + 1)); order.box_rows()].join("+-");
    let mut lines = Vec::new();
    for row in 0..order.side() {
        if row > 0 && row.is_multiple_of(order.box_rows()) {
            lines.push(rule[..rule.len() - 1].to_string());
        }
        let mut words = Vec::new();
        for column in 0..order.side() {
            if column > 0 && column.is_multiple_of(order.box_columns()) {
                words.push("|".to_string());
            }
            words.push(word(row, column));
        }
        lines.push(words.join(" "));
    }
    lines.join("\n")
}

/// A diagram in which borders follow the regions of the rules.
fn region_diagram(
    grid: &Grid,
    width: usize,
    mut word: impl FnMut(usize, usize) -> String,
) -> String {
    let (order, side) = (grid.order(), grid.order().side());
    let region = |row: usize, column: usize| {
        grid.rules().and_then(|rules| rules.region_of(order.cell(row, column)))
    };
    let mut lines = Vec::new();
    for row in 0..side {
        if row > 0 {
            // Whether a border is above this cell, and left of a cell in this row or the one above.
            let above = |column: usize| region(row - 1, column) != region(row, column);
            let left = |row: usize, column: usize| region(row, column - 1) != region(row, column);
            let mut line = String::new();
            for column in 0..side {
                if column > 0 {
                    let across = [above(column - 1), above(column)];
                    let down = [left(row - 1, column), left(row, column)];
                    line.push(match (across, down) {
                        ([false, false], [false, false]) => ' ',
                        ([true, true], [false, false]) => '-',
                        ([false, false], [true, true]) => '|',
                        _ => '+',
                    });
                }
                line += &if above(column) { "-" } else { " " }.repeat(width);
            }
            if line.contains('-') {
                lines.push(line.trim_end().to_string());
            }
        }
        let mut line = word(row, 0);
        for column in 1..side {
            line.push(if region(row, column - 1) == region(row, column) { ' ' } else { '|' });
            line += &word(row, column);
        }
        lines.push(line);
    }
    lines.join("\n")
}

/// Formats a digit of a grid of this order: `7`, `G`, or `62` if the side is above 61.
pub fn symbol(order: Order, digit: Digit) -> String {
    match letter(digit) {
        Some(letter) if order.side() <= LAST_LETTER => letter.to_string(),
        _ => digit.to_string(),
    }
}

/// Parses a digit of a grid of this order, the inverse of [`symbol`]. Letters may be lowercase if
/// that is not ambiguous.
pub fn digit(order: Order, symbol: &str) -> Option<Digit> {
    match meaning_of_digit(symbol, order.side()) {
        Meaning::Digit(digit) if digit.index() < order.side() => Some(digit),
        _ => None,
    }
}

/// In grids of at least this side `X` is a digit; in smaller ones it is an empty cell.
const FIRST_SIDE_WITH_X: usize = 33;

/// The largest digit that is written as a single character.
const LAST_LETTER: usize = 61;

fn letter(digit: Digit) -> Option<char> {
    const LETTERS: &[u8; LAST_LETTER] =
        b"123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    LETTERS.get(digit.index()).map(|&byte| char::from(byte))
}

enum Meaning {
    Empty,
    Digit(Digit),
    HugeNumber,
    Nothing,
}

fn meaning(symbol: &str, side: usize) -> Meaning {
    match symbol {
        "." | "0" | "_" | "*" | "-" => Meaning::Empty,
        "x" | "X" if side < FIRST_SIDE_WITH_X => Meaning::Empty,
        _ => meaning_of_digit(symbol, side),
    }
}

fn meaning_of_digit(symbol: &str, side: usize) -> Meaning {
    let mut characters = symbol.chars();
    let (Some(only), None) = (characters.next(), characters.next()) else {
        if symbol.is_empty() || !symbol.bytes().all(|byte| byte.is_ascii_digit()) {
            return Meaning::Nothing;
        }
        return match symbol.parse().ok().map(|number: u8| (number, Digit::new(number))) {
            Some((0, _)) => Meaning::Empty,
            Some((_, Some(digit))) => Meaning::Digit(digit),
            _ => Meaning::HugeNumber,
        };
    };
    match only {
        '1'..='9' => Meaning::Digit(Digit::from_index(only as usize - '1' as usize)),
        // Up to 9×9 a letter is a typo, not a digit that is too large.
        'A'..='Z' if side > 9 => {
            Meaning::Digit(Digit::from_index(only as usize - 'A' as usize + 9))
        }
        'a'..='z' if side > 35 => {
            Meaning::Digit(Digit::from_index(only as usize - 'a' as usize + 35))
        }
        'a'..='z' if side > 9 => {
            Meaning::Digit(Digit::from_index(only as usize - 'a' as usize + 9))
        }
        _ => Meaning::Nothing,
    }
}

/// The cells of a text before their symbols are parsed.
struct Cells<'a> {
    cells: Vec<&'a str>,
    /// The number of cells in each line of the text.
    line_lengths: Vec<usize>,
    /// The number of cells before the first bar inside the first line.
    cells_before_bar: Option<usize>,
}

impl<'a> Cells<'a> {
    /// Splits a text into cells. A line of dashes is a row of empty cells if the grid is square or
    /// complete only with it; otherwise it is a rule.
    fn split(text: &'a str, expected_order: Option<Order>) -> Cells<'a> {
        let without_rules = Cells::from_lines(text.lines().filter(|line| !is_rule(line)).collect());
        if without_rules.is_square(expected_order) || !text.contains("---") {
            return without_rules;
        }
        let with_dashes = Cells::from_lines(
            text.lines().filter(|line| !is_rule(line) || is_dashes(line)).collect(),
        );
        if with_dashes.is_square(expected_order)
            || !without_rules.fills_a_grid(expected_order)
                && with_dashes.fills_a_grid(expected_order)
        {
            with_dashes
        } else {
            without_rules
        }
    }

    fn fills_a_grid(&self, expected_order: Option<Order>) -> bool {
        let found = self.cells.len();
        expected_order
            .map_or(Order::from_cell_count(found).is_some(), |order| order.cell_count() == found)
    }

    /// Whether the cells form a grid with each row on a separate line.
    fn is_square(&self, expected_order: Option<Order>) -> bool {
        self.fills_a_grid(expected_order)
            && self.line_lengths.iter().all(|&length| length == self.line_lengths.len())
    }

    fn from_lines(lines: Vec<&'a str>) -> Cells<'a> {
        let words = |line: &'a str| line.split(is_separator).filter(|word| !word.is_empty());
        // Words are cells if they fill a grid and have at most two characters. Otherwise they are
        // rows or boxes, and every character is a cell.
        let all: Vec<&str> = lines.iter().flat_map(|line| words(line)).collect();
        let one_word_per_cell =
            Order::from_cell_count(all.len()).is_some() && all.iter().all(|word| word.len() <= 2);
        let cells_of = |line: &'a str| -> Vec<&'a str> {
            if one_word_per_cell {
                words(line).collect()
            } else {
                words(line).flat_map(characters).collect()
            }
        };
        let line_lengths =
            lines.iter().map(|line| cells_of(line).len()).filter(|&length| length > 0).collect();
        let cells_before_bar = lines.first().and_then(|line| {
            let inside = line.trim().trim_matches(is_bar);
            inside.find(is_bar).map(|end| cells_of(&inside[..end]).len())
        });
        Cells {
            cells: lines.iter().flat_map(|line| cells_of(line)).collect(),
            line_lengths,
            cells_before_bar,
        }
    }

    fn order(&self, expected_order: Option<Order>) -> Result<Order, ParseGridError> {
        let found = self.cells.len();
        if found == 0 {
            return Err(ParseGridError::Empty);
        }
        // If each row is on a separate line, report the first row of the wrong length.
        let rows = self.line_lengths.len();
        if rows > 1
            && expected_order.map_or(Order::from_side(rows).is_some(), |order| order.side() == rows)
        {
            for (row, &length) in self.line_lengths.iter().enumerate() {
                if length != rows {
                    return Err(ParseGridError::RaggedRow {
                        row: row + 1,
                        found: length,
                        expected: rows,
                    });
                }
            }
        }
        if let Some(order) = expected_order {
            return if order.cell_count() == found {
                Ok(order)
            } else {
                Err(ParseGridError::WrongLengthFor { found, order })
            };
        }
        let usual = Order::from_cell_count(found).ok_or(ParseGridError::WrongLength { found })?;
        let drawn = self
            .cells_before_bar
            .filter(|&columns| columns > 0 && usual.side().is_multiple_of(columns))
            .and_then(|columns| Order::new(usual.side() / columns, columns).ok());
        Ok(drawn.unwrap_or(usual))
    }
}

/// The location of the only bar or comma in a line that fills a grid if this character is a cell: it
/// is a typo for a digit. Shorter lines may be rows of a drawn grid.
fn stray_separator(text: &str, expected_order: Option<Order>) -> Option<ParseGridError> {
    let line = text.trim();
    let count = line.chars().count();
    let order = expected_order.or_else(|| Order::from_cell_count(count))?;
    let mut separators = line.chars().enumerate().filter(|&(_, symbol)| is_separator(symbol));
    let (Some((place, found)), None) = (separators.next(), separators.next()) else { return None };
    if count != order.cell_count() || count <= Order::MAX_SIDE || found.is_whitespace() {
        return None;
    }
    let (row, column) = (place / order.side() + 1, place % order.side() + 1);
    Some(ParseGridError::NotADigit { row, column, found: found.to_string() })
}

fn characters(word: &str) -> impl Iterator<Item = &str> {
    word.char_indices().map(|(start, character)| &word[start..start + character.len_utf8()])
}

/// A bar between two boxes.
pub(super) fn is_bar(character: char) -> bool {
    matches!(character, '|' | '│' | '┃' | '║' | '!')
}

fn is_separator(character: char) -> bool {
    character.is_whitespace()
        || is_bar(character)
        || matches!(character, ',' | ';')
        || character.is_control()
}

/// A line that only separates boxes, such as `------+-------+------` or `*-----------*`.
pub(super) fn is_rule(line: &str) -> bool {
    // Bars are box-drawing characters too, but they also occur inside rows, so a bar alone is not a
    // rule.
    let is_drawing =
        |character| matches!(character, '-' | '=' | '+' | '─'..='╿') && !is_bar(character);
    let line = line.trim();
    line.chars().any(is_drawing)
        && line.chars().all(|character| {
            is_drawing(character)
                || is_separator(character)
                || matches!(character, '*' | '.' | '\'' | ':')
        })
        && (line.contains("---")
            || line.contains("===")
            || line.contains('+')
            || !line.contains(['-', '=']))
        && !line.contains("..")
}

/// A line in which every cell is a dash.
fn is_dashes(line: &str) -> bool {
    line.contains('-') && line.chars().all(|character| character == '-' || is_separator(character))
}

fn truncated(symbol: &str) -> String {
    symbol.chars().take(12).collect()
}

fn likely_counts(found: usize) -> String {
    let sides = [4, 6, 8, 9, 10, 12, 16, 25, 36];
    let mut counts: Vec<usize> = sides.iter().map(|side| side * side).collect();
    counts.sort_by_key(|count| count.abs_diff(found));
    counts.truncate(3);
    counts.sort_unstable();
    format!("{}, {} or {}", counts[0], counts[1], counts[2])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::rules::Rules;

    #[test]
    fn diagram_shows_irregular_regions() {
        let regions = "AAABADBBDDDBCCCC".bytes().map(|name| Some(name - b'A')).collect();
        let rules = Rules::jigsaw(4, regions).unwrap();
        let mut grid = Grid::empty_with(rules.into());
        grid.set(Cell::new(0), Digit::new(3));
        let expected = ["3 . .|.", " +-+-+", ".|.|. .", "-+ +-+", ". . .|.", "-----+-", ". . . ."];
        assert_eq!(diagram(&grid), expected.join("\n"));
    }

    const LINE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn check(text: &str, expected: &str) {
        match text.parse::<Grid>() {
            Ok(grid) => assert_eq!(grid.to_string(), expected, "from {text:?}"),
            Err(error) => assert_eq!(error.to_string(), expected, "from {text:?}"),
        }
    }

    #[test]
    fn parses_every_symbol_for_an_empty_cell() {
        for symbol in [".", "0", "_", "*", "-", "x", "X"] {
            check(&LINE.replace('.', symbol), LINE);
        }
        check(&"x".repeat(256), &".".repeat(256));
        assert_eq!(
            "X".repeat(36 * 36).parse::<Grid>().map(|grid| grid.clue_count()).ok(),
            None,
            "36 equal digits in a row"
        );
    }

    #[test]
    fn a_separator_in_place_of_a_digit_is_reported_at_its_place() {
        for separator in ["!", "|", ",", ";"] {
            let mut line = LINE.to_string();
            line.replace_range(20..21, separator);
            check(&line, &format!("row 3, column 3: expected a digit or '.', found {separator:?}"));
        }
        check(&LINE[1..], "expected 64, 81 or 100 cells, found 80");
        check(&format!("{}!", &LINE[2..]), "expected 64, 81 or 100 cells, found 79");
    }

    #[test]
    fn diagrams_round_trip() {
        for line in [LINE, "1..4..1..3..4..3", &".".repeat(36), &".".repeat(144)] {
            let grid: Grid = line.parse().unwrap();
            assert_eq!(format!("{grid:#}").parse::<Grid>().unwrap(), grid, "{grid:#}");
        }
    }

    #[test]
    fn skips_frames_of_other_programs() {
        let rows: Vec<&str> = (0..9).map(|row| &LINE[row * 9..row * 9 + 9]).collect();
        let framed = |edge: &str, rule: &str| {
            let mut text = format!("{edge}\n");
            for (row, digits) in rows.iter().enumerate() {
                if row > 0 && row % 3 == 0 {
                    text += &format!("{rule}\n");
                }
                text += &format!("|{}|{}|{}|\n", &digits[..3], &digits[3..6], &digits[6..]);
            }
            text + edge
        };
        check(&framed("*-----------*", "|---+---+---|"), LINE);
        check(&framed(".---.---.---.", ":---+---+---:"), LINE);
        check(&framed("┌───┬───┬───┐", "├───┼───┼───┤"), LINE);
        check(&framed("+===+===+===+", "+===+===+===+"), LINE);
        check(&rows.join(" "), LINE);
        check(&rows.join("\r\n"), LINE);
    }

    #[test]
    fn line_of_dashes_is_a_row_only_if_the_grid_needs_it() {
        let dashed = LINE.replacen("53..7....", ".........", 1);
        let rows: Vec<String> =
            (0..9).map(|row| dashed[row * 9..row * 9 + 9].replace('.', "-")).collect();
        check(&rows.join("\n"), &dashed);
        check(&"-".repeat(81), &".".repeat(81));
        check("12|34\n--|--\n--+--\n21|43\n43|21", "1234....21434321");
        check("1234\n3412\n----\n2143\n4321", "1234341221434321");
        check("1234\n----", "expected 16, 36 or 64 cells, found 4");
    }

    #[test]
    fn bars_determine_the_box_width() {
        let grid: Grid = ". . | . . | . .\n".repeat(6).parse().unwrap();
        assert_eq!((grid.order().box_rows(), grid.order().box_columns()), (3, 2));
        let usual: Grid = ".".repeat(36).parse().unwrap();
        assert_eq!((usual.order().box_rows(), usual.order().box_columns()), (2, 3));
    }

    #[test]
    fn large_digits_are_letters_or_numbers() {
        let mut numbers = vec!["0"; 256];
        numbers[0] = "16";
        numbers[17] = "9";
        let letters = format!("G{}9{}", ".".repeat(16), ".".repeat(238));
        check(&numbers.join(" "), &letters);
        check(&numbers.join(","), &letters);
        check(&letters.to_lowercase(), &letters);
    }

    #[test]
    fn largest_sizes_round_trip() {
        for side in [25, 36, 49, 64] {
            let order = Order::from_side(side).unwrap();
            let mut grid = Grid::empty(order);
            for number in 1..=side {
                grid.set(order.cell(0, number - 1), Digit::new(number as u8));
            }
            assert_eq!(line(&grid).parse::<Grid>(), Ok(grid.clone()), "{order}");
            assert_eq!(numbers(&grid).parse::<Grid>(), Ok(grid.clone()), "{order}");
            assert_eq!(diagram(&grid).parse::<Grid>(), Ok(grid), "{order}");
        }
    }

    #[test]
    fn wrong_length_suggests_valid_lengths() {
        check(&LINE[1..], "expected 64, 81 or 100 cells, found 80");
        check("", "the text contains no cells");
        check(" \n | ", "the text contains no cells");
        let error = parse("....", Some(Order::NINE)).unwrap_err();
        assert_eq!(error.to_string(), "expected 81 cells for a 9×9 grid, found 4");
    }

    #[test]
    fn reports_a_row_of_the_wrong_length() {
        check("1..4\n..1\n.3..\n4..3", "row 2: expected 4 cells, found 3");
    }

    #[test]
    fn reports_an_invalid_symbol_with_its_position() {
        check(&LINE.replacen('6', "q", 1), "row 2, column 1: expected a digit or '.', found \"q\"");
        check(&LINE.replacen('6', "é", 1), "row 2, column 1: expected a digit or '.', found \"é\"");
        check(
            "1..5..1..3..4..3",
            "row 1, column 4: digit 5 is too large for a 4×4 grid (maximum: 4)",
        );
        check(
            &format!("H{}", ".".repeat(255)),
            "row 1, column 1: digit H is too large for a 16×16 grid (maximum: G)",
        );
    }

    #[test]
    fn rejects_duplicates_except_in_positions() {
        let text = "1..1..1..3..4..3";
        check(text, "row 1, column 4: a second 1 in row 1, the first is in row 1, column 1");
        assert_eq!(parse_position(text, None).unwrap().to_string(), text);
    }
}
