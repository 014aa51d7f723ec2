//! Technique cases in the format of HoDoKu's regression library: this is where we hold our finders to them.
//!
//! A line reads `:code[-variant]:candidates:givens:deleted:eliminations:placements:extra`. The givens are 81 cells,
//! `.` for an empty one, `+` before a digit that was placed and not given. The other lists are triples of digit, row
//! and column. A case passes if the technique finds, among all its steps in that position, one with exactly these
//! eliminations or placements; a case of variant `x` passes if it finds none such.

use super::all_steps;
use crate::grid::{Candidates, Cell, Digit, Grid, Order, Position};
use crate::proof::{Candidate, Technique, check};
use std::collections::BTreeMap;
use std::fmt;

/// One line of the library.
#[derive(Clone, Debug)]
pub struct Case {
    /// HoDoKu's code without the variant.
    pub code: String,
    /// The technique, if it is one of ours.
    pub technique: Option<Technique>,
    /// Must the step not be found?
    pub must_fail: bool,
    /// The position.
    pub position: Position,
    /// The candidates the step removes, sorted.
    pub removes: Vec<Candidate>,
    /// The candidates the step places, sorted.
    pub places: Vec<Candidate>,
}

/// A line that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct ParseCaseError {
    /// Its number, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

/// How a case went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// As the library says.
    Passed,
    /// The step was not found.
    Missed,
    /// A step that must not be found was found, or one that the checker rejects.
    Wrong,
}

/// The cases of one code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Cases that went as the library says.
    pub passed: usize,
    /// Steps that were not found.
    pub missed: usize,
    /// Steps that should not have been found.
    pub wrong: usize,
}

/// What came out of a whole library.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// By code.
    pub tallies: BTreeMap<String, Tally>,
    /// Each line that did not pass, with its number and outcome.
    pub failures: Vec<(usize, Outcome, String)>,
}

/// Runs every case of a library text; blank lines and lines that begin with `#` are skipped.
pub fn run(text: &str) -> Result<Report, ParseCaseError> {
    let mut report = Report::default();
    for (index, line) in text.lines().enumerate() {
        let Some(case) = Case::read(line).map_err(|reason| ParseCaseError { line: index + 1, reason })? else {
            continue;
        };
        let outcome = case.run();
        let tally = report.tallies.entry(case.code).or_default();
        match outcome {
            Outcome::Passed => tally.passed += 1,
            Outcome::Missed => tally.missed += 1,
            Outcome::Wrong => tally.wrong += 1,
        }
        if outcome != Outcome::Passed {
            report.failures.push((index + 1, outcome, line.to_string()));
        }
    }
    Ok(report)
}

impl Case {
    /// Reads a line; `None` if it is blank or a remark.
    pub fn read(line: &str) -> Result<Option<Case>, String> {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return Ok(None);
        }
        let fields: Vec<&str> = line.split(':').collect();
        if fields.len() < 7 || !fields[0].is_empty() {
            return Err("a case has at least six fields, each after a colon".to_string());
        }
        let (code, variant) = fields[1].split_once('-').unwrap_or((fields[1], ""));
        let (givens, grid) = read_cells(fields[3])?;
        let mut candidates = Candidates::of(&grid).map_err(|conflict| conflict.to_string())?;
        for Candidate { cell, digit } in read_triples(fields[4])? {
            candidates.remove(cell, digit);
        }
        Ok(Some(Case {
            code: code.to_string(),
            technique: Technique::with_hodoku_code(code),
            must_fail: variant == "x",
            position: Position::new(givens, candidates).map_err(|error| error.to_string())?,
            removes: read_triples(fields[5])?,
            places: read_triples(fields[6])?,
        }))
    }

    /// Looks for the step.
    pub fn run(&self) -> Outcome {
        let Some(technique) = self.technique else {
            return if self.must_fail { Outcome::Passed } else { Outcome::Missed };
        };
        let steps = all_steps(technique, &self.position);
        let is_flawed = |step| check(step, self.position.puzzle(), self.position.candidates()).is_err();
        if steps.iter().any(is_flawed) {
            return Outcome::Wrong;
        }
        let is_it = |mut removes: Vec<Candidate>, mut places: Vec<Candidate>| {
            removes.sort_unstable();
            places.sort_unstable();
            removes == self.removes && places == self.places
        };
        let found = steps.into_iter().any(|step| is_it(step.removes, step.places));
        match (found, self.must_fail) {
            (true, false) | (false, true) => Outcome::Passed,
            (false, false) => Outcome::Missed,
            (true, true) => Outcome::Wrong,
        }
    }
}

/// The puzzle, and the grid with all digits.
fn read_cells(text: &str) -> Result<(Grid, Grid), String> {
    let order = Order::NINE;
    let (mut givens, mut grid) = (Grid::empty(order), Grid::empty(order));
    let mut cells = order.cells();
    let mut placed = false;
    for symbol in text.chars() {
        if symbol == '+' {
            placed = true;
            continue;
        }
        let cell = cells.next().ok_or("more than 81 cells")?;
        let digit = match symbol {
            '.' | '0' => None,
            '1'..='9' => Digit::new(symbol as u8 - b'0'),
            other => return Err(format!("{other:?} is neither a digit nor an empty cell")),
        };
        grid.set(cell, digit);
        givens.set(cell, if placed { None } else { digit });
        placed = false;
    }
    if cells.next().is_some() { Err("fewer than 81 cells".to_string()) } else { Ok((givens, grid)) }
}

/// Triples of digit, row and column, sorted by cell.
fn read_triples(text: &str) -> Result<Vec<Candidate>, String> {
    let triple = |word: &str| {
        let numbers: Vec<usize> = word.bytes().map(|byte| usize::from(byte.wrapping_sub(b'0'))).collect();
        match numbers[..] {
            [digit @ 1..=9, row @ 1..=9, column @ 1..=9] => {
                Ok(Candidate::new(Cell::new(9 * (row - 1) + column - 1), Digit::from_index(digit - 1)))
            }
            _ => Err(format!("{word:?} is not a digit, a row and a column")),
        }
    };
    let mut triples = text.split_whitespace().map(triple).collect::<Result<Vec<_>, String>>()?;
    triples.sort_unstable();
    triples.dedup();
    Ok(triples)
}

/// A table by code, then the lines that did not pass.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut all = Tally::default();
        writeln!(f, "{:<6} {:<34} {:>6} {:>6} {:>6}", "code", "technique", "found", "missed", "wrong")?;
        for (code, tally) in &self.tallies {
            let name = Technique::with_hodoku_code(code).map_or("not known", Technique::name);
            writeln!(f, "{code:<6} {name:<34} {:>6} {:>6} {:>6}", tally.passed, tally.missed, tally.wrong)?;
            all.passed += tally.passed;
            all.missed += tally.missed;
            all.wrong += tally.wrong;
        }
        writeln!(f, "{:<6} {:<34} {:>6} {:>6} {:>6}", "all", "", all.passed, all.missed, all.wrong)?;
        for (number, outcome, line) in &self.failures {
            writeln!(f, "{} line {number}: {line}", if *outcome == Outcome::Missed { "missed" } else { "wrong" })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_is_found_or_missed() {
        let naked_single =
            ":0003:5:53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79:::555:";
        let check = |line: &str, expected: Outcome| {
            assert_eq!(Case::read(line).unwrap().unwrap().run(), expected, "{line}");
        };
        check(naked_single, Outcome::Passed);
        check(&naked_single.replace(":0003:", ":0003-x:"), Outcome::Wrong);
        check(&naked_single.replace(":555:", ":455:"), Outcome::Missed);
        check(&naked_single.replace(":0003:", ":9999:"), Outcome::Missed);
    }

    #[test]
    fn a_line_that_cannot_be_read_is_named() {
        let error = run("# a remark\n\n:0003:5:12:::155:").unwrap_err();
        assert_eq!(error.to_string(), "line 3: fewer than 81 cells");
        let error = run(&format!(":0003:5:{}:::1055:", ".".repeat(81))).unwrap_err();
        assert_eq!(error.to_string(), "line 1: \"1055\" is not a digit, a row and a column");
        assert_eq!(run("nonsense").unwrap_err().line, 1);
    }
}
