//! Text in and out: lines, drawn grids and numbers.
//!
//! One reader takes what people write. Empty cells are `.`, `0`, `_`, `*`, `-`, and `x` in grids up to 32×32, where it
//! is not a digit; or blanks, where nothing else makes a grid (`blanks.rs`). Digits above 9 are letters (`A` = 10 … `Z` = 35, and in grids larger than 35×35 also `a` = 36 …
//! `z` = 61), or numbers where the cells are separated by blanks or commas. Bars and rules between boxes are skipped, but bars say how wide a box is.
//! Whatever cannot be read is an error that names the row, the column and what was found there.

use super::{Conflict, Digit, Grid, Order, blanks};

/// Why a text is not a grid.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseGridError {
    /// There is no cell at all.
    #[error("the text holds no cells")]
    Empty,
    /// The number of cells fits no size.
    #[error("{found} cells do not form a grid; {} would", likely_counts(*found))]
    WrongLength {
        /// How many cells were found.
        found: usize,
    },
    /// The number of cells does not fit the size that was asked for.
    #[error("{found} cells do not form a {order} grid; {} would", order.cell_count())]
    WrongLengthFor {
        /// How many cells were found.
        found: usize,
        /// The size that was asked for.
        order: Order,
    },
    /// A row is shorter or longer than the grid is high.
    #[error("row {row} has {found} cells, but the grid has {expected} rows")]
    RaggedRow {
        /// The row, counted from 1.
        row: usize,
        /// How many cells it has.
        found: usize,
        /// How many it should have.
        expected: usize,
    },
    /// A character stands where a digit or an empty cell should be.
    #[error("row {row}, column {column}: {found:?} is neither a digit nor an empty cell")]
    NotADigit {
        /// The row, counted from 1.
        row: usize,
        /// The column, counted from 1.
        column: usize,
        /// What stands there.
        found: String,
    },
    /// The digit is larger than the grid's side.
    #[error("row {row}, column {column}: {found} is too large for a {order} grid; its digits end at {}", symbol(*order, Digit::from_index(order.side() - 1)))]
    TooLarge {
        /// The row, counted from 1.
        row: usize,
        /// The column, counted from 1.
        column: usize,
        /// What stands there.
        found: String,
        /// The size of the grid.
        order: Order,
    },
    /// Two equal digits in one house.
    #[error(transparent)]
    Duplicate(#[from] Conflict),
}

/// Reads a grid; its digits must keep the rules. `order` settles the size where boxes are not the usual ones.
///
/// ```
/// use ninefold::grid::text;
///
/// let grid = text::read("1..4 ..1. .3.. 4..3", None)?;
/// assert_eq!(grid.to_string(), "1..4..1..3..4..3");
/// let typo = text::read("1..4 ..q. .3.. 4..3", None).unwrap_err();
/// assert_eq!(typo.to_string(), "row 2, column 3: \"q\" is neither a digit nor an empty cell");
/// # Ok::<(), ninefold::grid::ParseGridError>(())
/// ```
pub fn read(text: &str, order: Option<Order>) -> Result<Grid, ParseGridError> {
    let grid = read_position(text, order)?;
    match grid.conflict() {
        Some(conflict) => Err(conflict.into()),
        None => Ok(grid),
    }
}

/// Reads a grid as a player left it: equal digits in one house are no error here.
pub fn read_position(text: &str, order: Option<Order>) -> Result<Grid, ParseGridError> {
    read_signs(text, order).or_else(|error| {
        let dotted = blanks::dotted(text, order).ok_or_else(|| error.clone())?;
        read_signs(&dotted, order).map_err(|_| error)
    })
}

fn read_signs(text: &str, order: Option<Order>) -> Result<Grid, ParseGridError> {
    let written = Written::split(text, order);
    let order = written.order(order)?;
    let mut grid = Grid::empty(order);
    for (cell, symbol) in order.cells().zip(&written.cells) {
        let (row, column) = (order.row_of(cell) + 1, order.column_of(cell) + 1);
        let digit = match meaning(symbol, order.side()) {
            Meaning::Empty => None,
            Meaning::Digit(digit) if digit.index() < order.side() => Some(digit),
            Meaning::Digit(_) | Meaning::HugeNumber => {
                return Err(ParseGridError::TooLarge {
                    row,
                    column,
                    found: shortened(symbol),
                    order,
                });
            }
            Meaning::Nothing => {
                return Err(ParseGridError::NotADigit { row, column, found: shortened(symbol) });
            }
        };
        grid.set(cell, digit);
    }
    Ok(grid)
}

/// One line with a character for each cell, `.` for an empty one; sides above 61 are written as numbers.
pub fn line(grid: &Grid) -> String {
    if grid.order().side() > LAST_LETTER {
        return numbers(grid);
    }
    grid.order()
        .cells()
        .map(|cell| grid[cell].map_or('.', |digit| letter(digit).unwrap_or('?')))
        .collect()
}

/// One line of numbers separated by blanks, 0 for an empty cell.
pub fn numbers(grid: &Grid) -> String {
    grid.numbers().map(|number| number.to_string()).collect::<Vec<_>>().join(" ")
}

/// Several lines with bars and rules between the boxes.
///
/// ```
/// let grid: ninefold::grid::Grid = "1..4..1..3..4..3".parse()?;
/// assert_eq!(format!("{grid:#}"), "1 . | . 4\n. . | 1 .\n----+----\n. 3 | . .\n4 . | . 3");
/// # Ok::<(), ninefold::grid::ParseGridError>(())
/// ```
pub fn drawn(grid: &Grid) -> String {
    let order = grid.order();
    let width = if order.side() > LAST_LETTER { 2 } else { 1 };
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
            let cell = order.cell(row, column);
            let word = grid[cell].map_or(".".to_string(), |digit| symbol(order, digit));
            words.push(format!("{word:>width$}"));
        }
        lines.push(words.join(" "));
    }
    lines.join("\n")
}

/// How a digit is written in a grid of this order: `7`, `G`, or `62` where letters run out.
pub fn symbol(order: Order, digit: Digit) -> String {
    match letter(digit) {
        Some(letter) if order.side() <= LAST_LETTER => letter.to_string(),
        _ => digit.to_string(),
    }
}

/// The digit that a symbol stands for in a grid of this order, the inverse of [`symbol`]; letters may be small where that
/// is not ambiguous.
pub fn digit(order: Order, symbol: &str) -> Option<Digit> {
    match meaning_of_digit(symbol, order.side()) {
        Meaning::Digit(digit) if digit.index() < order.side() => Some(digit),
        _ => None,
    }
}

/// From this side on `X` is a digit; below, it marks an empty cell.
const FIRST_SIDE_WITH_X: usize = 33;

/// The largest digit that has a letter of its own.
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
        // Up to 9×9 a letter is a slip of the pen, not a digit that is too large.
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

/// The cells of a text before their digits are understood.
struct Written<'a> {
    cells: Vec<&'a str>,
    /// How many cells each written line holds.
    line_lengths: Vec<usize>,
    /// How many cells stand before the first bar inside the first line.
    cells_before_bar: Option<usize>,
}

impl<'a> Written<'a> {
    /// A line of dashes is a rule or a row of empty cells; it is a row where only that makes as many rows as columns,
    /// or any grid at all.
    fn split(text: &'a str, wanted: Option<Order>) -> Written<'a> {
        let without_rules = Written::of_lines(text.lines().filter(|line| !is_rule(line)).collect());
        if without_rules.is_square(wanted) || !text.contains("---") {
            return without_rules;
        }
        let with_dashes = Written::of_lines(
            text.lines().filter(|line| !is_rule(line) || is_dashes(line)).collect(),
        );
        if with_dashes.is_square(wanted)
            || !without_rules.makes_a_grid(wanted) && with_dashes.makes_a_grid(wanted)
        {
            with_dashes
        } else {
            without_rules
        }
    }

    fn makes_a_grid(&self, wanted: Option<Order>) -> bool {
        let found = self.cells.len();
        wanted.map_or(Order::of_cell_count(found).is_some(), |order| order.cell_count() == found)
    }

    /// Does it make a grid with each row on a line of its own?
    fn is_square(&self, wanted: Option<Order>) -> bool {
        self.makes_a_grid(wanted)
            && self.line_lengths.iter().all(|&length| length == self.line_lengths.len())
    }

    fn of_lines(lines: Vec<&'a str>) -> Written<'a> {
        let words = |line: &'a str| line.split(is_separator).filter(|word| !word.is_empty());
        // Cells separated by blanks may be numbers of two characters. Rows separated by blanks have more than two
        // characters, or there are too few of them to fill a grid.
        let all: Vec<&str> = lines.iter().flat_map(|line| words(line)).collect();
        let one_word_per_cell =
            Order::of_cell_count(all.len()).is_some() && all.iter().all(|word| word.len() <= 2);
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
        Written {
            cells: lines.iter().flat_map(|line| cells_of(line)).collect(),
            line_lengths,
            cells_before_bar,
        }
    }

    fn order(&self, wanted: Option<Order>) -> Result<Order, ParseGridError> {
        let found = self.cells.len();
        if found == 0 {
            return Err(ParseGridError::Empty);
        }
        // A drawn grid whose rows do not match its height shows which row is wrong.
        let rows = self.line_lengths.len();
        if rows > 1 && wanted.map_or(Order::of_side(rows).is_some(), |order| order.side() == rows) {
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
        if let Some(order) = wanted {
            return if order.cell_count() == found {
                Ok(order)
            } else {
                Err(ParseGridError::WrongLengthFor { found, order })
            };
        }
        let usual = Order::of_cell_count(found).ok_or(ParseGridError::WrongLength { found })?;
        let drawn = self
            .cells_before_bar
            .filter(|&columns| columns > 0 && usual.side().is_multiple_of(columns))
            .and_then(|columns| Order::boxes(usual.side() / columns, columns).ok());
        Ok(drawn.unwrap_or(usual))
    }
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
    // A bar is drawn like a rule, but it also stands inside rows, so it does not make a rule alone.
    let drawing =
        |character| matches!(character, '-' | '=' | '+' | '─'..='╿') && !is_bar(character);
    let line = line.trim();
    line.chars().any(drawing)
        && line.chars().all(|character| {
            drawing(character)
                || is_separator(character)
                || matches!(character, '*' | '.' | '\'' | ':')
        })
        && (line.contains("---")
            || line.contains("===")
            || line.contains('+')
            || !line.contains(['-', '=']))
        && !line.contains("..")
}

/// A line of which every cell is a dash.
fn is_dashes(line: &str) -> bool {
    line.contains('-') && line.chars().all(|character| character == '-' || is_separator(character))
}

fn shortened(symbol: &str) -> String {
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

    const LINE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn check(text: &str, expected: &str) {
        match text.parse::<Grid>() {
            Ok(grid) => assert_eq!(grid.to_string(), expected, "from {text:?}"),
            Err(error) => assert_eq!(error.to_string(), expected, "from {text:?}"),
        }
    }

    #[test]
    fn every_sign_for_an_empty_cell_is_read() {
        for sign in [".", "0", "_", "*", "-", "x", "X"] {
            check(&LINE.replace('.', sign), LINE);
        }
        check(&"x".repeat(256), &".".repeat(256));
        assert_eq!(
            "X".repeat(36 * 36).parse::<Grid>().map(|grid| grid.clue_count()).ok(),
            None,
            "36 equal digits in a row"
        );
    }

    #[test]
    fn a_drawn_grid_is_read_back() {
        for line in [LINE, "1..4..1..3..4..3", &".".repeat(36), &".".repeat(144)] {
            let grid: Grid = line.parse().unwrap();
            assert_eq!(format!("{grid:#}").parse::<Grid>().unwrap(), grid, "{grid:#}");
        }
    }

    #[test]
    fn frames_of_other_programs_are_skipped() {
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
    fn a_row_of_dashes_is_a_row_where_only_that_makes_a_grid() {
        let dashed = LINE.replacen("53..7....", ".........", 1);
        let rows: Vec<String> =
            (0..9).map(|row| dashed[row * 9..row * 9 + 9].replace('.', "-")).collect();
        check(&rows.join("\n"), &dashed);
        check(&"-".repeat(81), &".".repeat(81));
        check("12|34\n--|--\n--+--\n21|43\n43|21", "1234....21434321");
        check("1234\n3412\n----\n2143\n4321", "1234341221434321");
        check("1234\n----", "4 cells do not form a grid; 16, 36 or 64 would");
    }

    #[test]
    fn bars_say_how_wide_a_box_is() {
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
    fn the_largest_sizes_are_read_back() {
        for side in [25, 36, 49, 64] {
            let order = Order::of_side(side).unwrap();
            let mut grid = Grid::empty(order);
            for number in 1..=side {
                grid.set(order.cell(0, number - 1), Digit::new(number as u8));
            }
            assert_eq!(line(&grid).parse::<Grid>(), Ok(grid.clone()), "{order}");
            assert_eq!(numbers(&grid).parse::<Grid>(), Ok(grid.clone()), "{order}");
            assert_eq!(drawn(&grid).parse::<Grid>(), Ok(grid), "{order}");
        }
    }

    #[test]
    fn a_wrong_length_says_what_would_fit() {
        check(&LINE[1..], "80 cells do not form a grid; 64, 81 or 100 would");
        check("", "the text holds no cells");
        check(" \n | ", "the text holds no cells");
        let error = read("....", Some(Order::NINE)).unwrap_err();
        assert_eq!(error.to_string(), "4 cells do not form a 9×9 grid; 81 would");
    }

    #[test]
    fn a_wrong_row_is_named() {
        check("1..4\n..1\n.3..\n4..3", "row 2 has 3 cells, but the grid has 4 rows");
    }

    #[test]
    fn a_wrong_character_is_named_with_its_place() {
        check(
            &LINE.replacen('6', "q", 1),
            "row 2, column 1: \"q\" is neither a digit nor an empty cell",
        );
        check(
            &LINE.replacen('6', "é", 1),
            "row 2, column 1: \"é\" is neither a digit nor an empty cell",
        );
        check(
            "1..5..1..3..4..3",
            "row 1, column 4: 5 is too large for a 4×4 grid; its digits end at 4",
        );
        check(
            &format!("H{}", ".".repeat(255)),
            "row 1, column 1: H is too large for a 16×16 grid; its digits end at G",
        );
    }

    #[test]
    fn a_duplicate_is_named_with_both_places_unless_a_position_is_wanted() {
        let text = "1..1..1..3..4..3";
        check(text, "row 1, column 4: a second 1 in row 1, the first is in row 1, column 1");
        assert_eq!(read_position(text, None).unwrap().to_string(), text);
    }
}
