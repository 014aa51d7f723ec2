//! Killers as one line: SumoCue's numbers, and charts of signs that point to the next cell.

use super::{diagonals, grid_with_rules};
use crate::entry::{Entry, ParseOptions};
use crate::error::ReadErrorKind;
use crate::rules::ReadRulesError;
use ninefold::grid::rules::{Constraint, Rules};
use ninefold::grid::{Cell, Grid, Order};
use std::collections::BTreeMap;

/// The signs of a chart that point to another cell, with their steps down and to the right.
const ARROWS: [(char, isize, isize); 8] = [
    ('v', 1, 0),
    ('^', -1, 0),
    ('<', 0, -1),
    ('>', 0, 1),
    ('`', -1, -1),
    ('\'', -1, 1),
    (',', 1, -1),
    ('.', 1, 1),
];

/// Whether a line is a killer chart. Full stops alone would be a classic puzzle.
pub(super) fn is_chart(line: &str) -> bool {
    // Without branches, so that it costs little for the lines of a long list of classic puzzles.
    let is_sign = |byte: &u8| matches!(byte, b'<' | b'>' | b'^' | b'v' | b'`' | b'\'' | b',');
    line.len() == 81
        && line.as_bytes().iter().fold(false, |found, byte| found | is_sign(byte))
        && line.chars().all(|sign| is_arrow(sign) || sum_of(sign).is_some())
}

fn is_arrow(sign: char) -> bool {
    ARROWS.iter().any(|arrow| arrow.0 == sign)
}

/// The sum that a sign of a chart means.
fn sum_of(sign: char) -> Option<u32> {
    match sign {
        '0'..='9' => Some(sign as u32 - '0' as u32),
        'A'..='Z' => Some(sign as u32 - 'A' as u32 + 10),
        'a'..='j' => Some(sign as u32 - 'a' as u32 + 36),
        _ => None,
    }
}

pub(super) fn read(line: &str, options: ParseOptions) -> Result<Entry, ReadErrorKind> {
    let (cages, has_diagonals) =
        if is_chart(line) { (chart(line)?, false) } else { sumocue(line)? };
    let constraints =
        cages.into_iter().map(|(sum, cells)| Constraint::Cage { cells, sum: Some(sum) });
    let mut rules = Rules::classic(Order::NINE);
    rules
        .extend(constraints.chain(has_diagonals.then(diagonals).into_iter().flatten()))
        .map_err(ReadRulesError::from)?;
    Ok(Entry::new(grid_with_rules(&".".repeat(81), &rules, options)?))
}

/// Sums and cells of cages.
type Cages = Vec<(u32, Vec<Cell>)>;

fn sumocue(line: &str) -> Result<(Cages, bool), ReadErrorKind> {
    let mut parts = line.trim_end_matches(':').split(':').skip(1);
    let kind = parts.next().unwrap_or("");
    let has_diagonals = match kind {
        "" => false,
        "d" => true,
        _ => return Err(ReadErrorKind::syntax(format!("unknown SumoCue option {kind:?}"))),
    };
    if parts.next() != Some("k") {
        return Err(ReadErrorKind::syntax("expected 3x3::k: or 3x3:d:k: and 81 numbers"));
    }
    let mut cages: BTreeMap<u32, (u32, Vec<Cell>)> = BTreeMap::new();
    let mut count = 0;
    for (index, part) in parts.enumerate() {
        count += 1;
        let number = part.trim().parse::<u32>().ok().filter(|number| *number < 1 << 16);
        let Some(number) = number.filter(|_| index < 81) else {
            let message = format!("number {} of a SumoCue line: found {part:?}", index + 1);
            return Err(ReadErrorKind::syntax(message));
        };
        if number == 0 {
            continue;
        }
        let (sum, cells) = cages.entry(number % 256).or_default();
        *sum = (*sum).max(number / 256);
        cells.push(Cell::new(index));
    }
    if count != 81 {
        return Err(ReadErrorKind::syntax(format!("expected 81 numbers, found {count}")));
    }
    Ok((cages.into_values().filter(|cage| cage.0 > 0).collect(), has_diagonals))
}

fn chart(line: &str) -> Result<Cages, ReadErrorKind> {
    let signs: Vec<char> = line.chars().collect();
    let mut cages: BTreeMap<usize, Vec<Cell>> = BTreeMap::new();
    for start in 0..signs.len() {
        let mut at = start;
        let mut steps = 0;
        while let Some(&(_, down, right)) = ARROWS.iter().find(|arrow| arrow.0 == signs[at]) {
            let (row, column) = ((at / 9) as isize + down, (at % 9) as isize + right);
            steps += 1;
            if !(0..9).contains(&row) || !(0..9).contains(&column) || steps > 81 {
                let cell = Cell::new(start);
                let message = "the signs lead out of the grid or in a circle";
                return Err(ReadErrorKind::cell(Order::NINE, cell, message));
            }
            at = (row * 9 + column) as usize;
        }
        cages.entry(at).or_default().push(Cell::new(start));
    }
    let sum = |at: &usize| sum_of(signs[*at]).unwrap_or(0);
    // A single 0 is a cell without a cage.
    let cages = cages.into_iter().map(|(at, cells)| (sum(&at), cells));
    Ok(cages.filter(|cage| cage.0 > 0).collect())
}

pub(super) fn write(puzzle: &Grid) -> Result<String, String> {
    let order = puzzle.order();
    let empty = Rules::classic(order);
    let rules = puzzle.rules().map_or(&empty, |rules| &**rules);
    if order != Order::NINE || rules.regions() != Rules::classic(Order::NINE).regions() {
        return Err("another size, or irregular regions".to_string());
    }
    if puzzle.clue_count() > 0 {
        return Err("givens".to_string());
    }
    let mut numbers = [0; 81];
    let mut cages = 0;
    let mut left: Vec<Constraint> = diagonals().to_vec();
    for constraint in rules.constraints() {
        match constraint {
            Constraint::Cage { cells, sum: Some(sum) }
                if cages < 255 && cells.iter().all(|cell| numbers[cell.index()] == 0) =>
            {
                cages += 1;
                cells.iter().for_each(|cell| numbers[cell.index()] = 256 * sum + cages);
            }
            other if left.contains(other) => left.retain(|one| one != other),
            other => return Err(other.describe(order)),
        }
    }
    let kind = match left.len() {
        2 => "",
        0 => "d",
        _ => return Err("one diagonal only".to_string()),
    };
    let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
    Ok(format!("3x3:{kind}:k:{}:", numbers.join(":")))
}

#[cfg(test)]
mod tests {
    use super::super::tests::OPTIONS;
    use crate::format::Format;
    use crate::notation;

    #[test]
    fn sumocue_lines_are_written_as_they_were_read() {
        let mut numbers = vec!["0".to_string(); 81];
        for (cell, number) in [(0, 256 * 3 + 1), (1, 256 * 3 + 1), (80, 256 * 9 + 2)] {
            numbers[cell] = number.to_string();
        }
        let line = format!("3x3:d:k:{}:", numbers.join(":"));
        let entry = notation::read(&line, OPTIONS).unwrap();
        assert_eq!(entry.puzzle.rules().unwrap().constraints().len(), 4);
        assert_eq!(notation::write(&entry.puzzle, Format::Sumocue), Ok(line));
    }

    #[test]
    fn charts_point_to_the_sum_of_a_cage() {
        // Row 1: a cage of 15 in the first three cells; row 2 points up to a cage of 7.
        let line = format!("F<<70000000^{}", "0".repeat(69));
        let line = &line[..81];
        let entry = notation::read(line, OPTIONS).unwrap();
        let rules = entry.puzzle.rules().unwrap();
        assert_eq!(rules.constraints().len(), 2, "{rules:?}");
        let error = notation::read(&format!("{}>", "0".repeat(80)), OPTIONS).unwrap_err();
        assert!(error.to_string().contains("out of the grid"), "{error}");
    }

    #[test]
    fn damaged_lines_are_errors() {
        let error = |line: &str| notation::read(line, OPTIONS).unwrap_err().to_string();
        assert_eq!(error("3x3::k:1:2"), "expected 81 numbers, found 2");
        assert_eq!(error("3x3:q:k:1"), "unknown SumoCue option \"q\"");
        assert_eq!(error("3x3::k:-1"), "number 1 of a SumoCue line: found \"-1\"");
    }
}
