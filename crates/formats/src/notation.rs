//! Puzzles with rules as one line of text.
//!
//! | format | line |
//! |---|---|
//! | `jigsaw` | the digits of the cells, then a sign for the region of each cell, `-` for none |
//! | `sumocue` | `3x3::k:` and for each cell 256 · sum + number of its cage, `3x3:d:k:` with diagonals |
//! | `iss` | the notation of Interactive Sudoku Solver: `.~R1C1_5.Cage~17~R1C2~R1C3.AntiKnight` |
//!
//! The reader also accepts killer charts: 81 signs, of which `<`, `>`, `^`, `v`, `` ` ``, `'`, `,`
//! and `.` point to the next cell of the same cage, and a number or letter is the sum of a cage.

mod iss;
mod killer;

use crate::boards::with_rules;
use crate::entry::{Entry, ParseOptions};
use crate::error::ReadErrorKind;
use crate::format::Format;
use crate::rules::regions;
use ninefold::grid::rules::{Constraint, Diagonal, Rules};
use ninefold::grid::{Grid, Order, text};

/// The format of a line, if it is one of these notations.
pub(crate) fn detect_format(line: &str) -> Option<Format> {
    let line = line.trim();
    if line.starts_with('.') && line.contains('~') {
        return Some(Format::Iss);
    }
    if line.starts_with("3x3:") || killer::is_chart(line) {
        return Some(Format::Sumocue);
    }
    // Nearly all lines of long lists are 9×9 puzzles; 81 is odd, so they are no jigsaws.
    if line.len() == 81 {
        return None;
    }
    jigsaw_side(line.split_whitespace().next()?).map(|_| Format::Jigsaw)
}

pub(crate) fn read(line: &str, options: ParseOptions) -> Result<Entry, ReadErrorKind> {
    let line = line.trim();
    match detect_format(line) {
        Some(Format::Iss) => iss::read(line, options),
        Some(Format::Sumocue) => killer::read(line, options),
        Some(_) => {
            let (word, note) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            let note = Some(note.trim().to_string()).filter(|note| !note.is_empty());
            Ok(Entry::new(jigsaw(word, options)?).with_source(note))
        }
        None => Err(ReadErrorKind::syntax(
            "expected a jigsaw, a SumoCue line, a killer chart or a line of Interactive Sudoku \
             Solver",
        )),
    }
}

/// Formats a puzzle; an error is a rule that the notation cannot contain, in words.
pub(crate) fn write(puzzle: &Grid, format: Format) -> Result<String, String> {
    match format {
        Format::Iss => iss::write(puzzle),
        Format::Sumocue => killer::write(puzzle),
        _ => write_jigsaw(puzzle),
    }
}

/// The side of a jigsaw with twice as many signs as cells.
fn jigsaw_side(word: &str) -> Option<usize> {
    if !word.is_ascii() || !word.len().is_multiple_of(2) {
        return None;
    }
    let side = (word.len() / 2).isqrt();
    if side * side * 2 != word.len() || !(4..=Order::MAX_SIDE).contains(&side) {
        return None;
    }
    // The puzzle of twice the size that a classic line of this length would be has other signs.
    let regions = &word[side * side..];
    let is_region = |sign: char| regions.matches(sign).count() == side;
    let mut signs = regions.chars().filter(|sign| *sign != '-').peekable();
    (signs.peek().is_some() && signs.all(is_region)).then_some(side)
}

fn jigsaw(word: &str, options: ParseOptions) -> Result<Grid, ReadErrorKind> {
    let side = jigsaw_side(word).ok_or_else(|| ReadErrorKind::syntax("the regions are missing"))?;
    let (digits, layout) = word.split_at(side * side);
    let rules = Rules::jigsaw(side, regions(layout))?;
    grid_with_rules(digits, &rules, options)
}

/// A grid of these digits with rules. The digits must not break them.
fn grid_with_rules(
    digits: &str,
    rules: &Rules,
    options: ParseOptions,
) -> Result<Grid, ReadErrorKind> {
    let grid = text::parse_position(digits, Some(rules.order()))?;
    options.checked(with_rules(grid, rules))
}

fn write_jigsaw(puzzle: &Grid) -> Result<String, String> {
    const SIGNS: &[u8] = b"123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz@#$";
    let order = puzzle.order();
    let classic = Rules::classic(order);
    let rules = puzzle.rules().map_or(&classic, |rules| &**rules);
    if let Some(constraint) = rules.constraints().first() {
        return Err(constraint.describe(order));
    }
    let sign = |cell| match rules.region_of(cell) {
        Some(region) => SIGNS.get(region).map_or('?', |sign| char::from(*sign)),
        None => '-',
    };
    let regions: String = order.cells().map(sign).collect();
    let line = format!("{}{regions}", text::line(puzzle));
    // Numbers, regions of other sizes and grids without regions have no such line.
    if jigsaw_side(&line).is_none() {
        return Err("regions of different sizes, or none".to_string());
    }
    Ok(line)
}

/// Both diagonals.
fn diagonals() -> [Constraint; 2] {
    [Diagonal::Rising, Diagonal::Falling].map(Constraint::Diagonal)
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) const OPTIONS: ParseOptions = ParseOptions { order: None, allow_conflicts: false };
    const JIGSAW: &str = "1...............................................1112233112233411123344555344665554466777446677755667777";

    #[test]
    fn a_jigsaw_is_digits_and_regions() {
        let line = "1..../...../...../...../.....".replace('/', "") + "1112211222333334445544555";
        assert_eq!(detect_format(&line), Some(Format::Jigsaw));
        let entry = read(&format!("{line} easy"), OPTIONS).unwrap();
        let rules = entry.puzzle.rules().unwrap();
        assert_eq!(rules.regions().len(), 5);
        assert_eq!(entry.source.as_deref(), Some("easy"));
        assert_eq!(write(&entry.puzzle, Format::Jigsaw), Ok(line));
        assert_eq!(detect_format(JIGSAW), None, "one sign is missing");
    }

    #[test]
    fn a_classic_line_is_no_jigsaw() {
        // As long as a jigsaw of side 8 would be, and digits that are no regions.
        assert_eq!(detect_format(&"1".repeat(128)), None);
        assert_eq!(detect_format(&".".repeat(81)), None);
    }
}
