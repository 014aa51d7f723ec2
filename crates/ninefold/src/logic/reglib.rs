//! Checks the finders against the test cases of HoDoKu's regression library.
//!
//! A case is a position, a technique and the expected eliminations or placements. It passes if one
//! of the steps that the technique finds in the position has exactly this result. A case whose code
//! ends in `-x` passes if there is no such step. The caller parses the lines of the library.

use super::all_steps;
use crate::grid::Position;
use crate::proof::{Candidate, Technique, check};
use std::collections::BTreeMap;
use std::fmt;

/// Result that a technique must find in a position, or must not find.
#[derive(Clone, Debug)]
pub struct Case {
    code: String,
    technique: Option<Technique>,
    must_fail: bool,
    position: Position,
    removes: Vec<Candidate>,
    places: Vec<Candidate>,
}

/// Result of a test case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The result is as expected.
    Passed,
    /// The step was not found.
    Missed,
    /// A step was found that must not be found, or the checker rejected a step.
    Wrong,
}

/// Number of cases of one technique code, by result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Cases with the expected result.
    pub passed: usize,
    /// Steps that were not found.
    pub missed: usize,
    /// Steps that should not have been found.
    pub wrong: usize,
}

/// Results of a complete library.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Results by technique code.
    pub tallies: BTreeMap<String, Tally>,
    /// Each failed line with its line number and outcome.
    pub failures: Vec<(usize, Outcome, String)>,
}

impl Report {
    /// Runs a case. A failure is added to the report with its line number and text.
    pub fn add(&mut self, case: &Case, number: usize, text: &str) {
        let outcome = case.run();
        let tally = self.tallies.entry(case.code.clone()).or_default();
        match outcome {
            Outcome::Passed => tally.passed += 1,
            Outcome::Missed => tally.missed += 1,
            Outcome::Wrong => tally.wrong += 1,
        }
        if outcome != Outcome::Passed {
            self.failures.push((number, outcome, text.to_string()));
        }
    }
}

impl Case {
    /// Creates a case from a code with an optional variant (`0901`, `0000-x`) and the expected
    /// effect of the step.
    pub fn new(
        code: &str,
        position: Position,
        removes: Vec<Candidate>,
        places: Vec<Candidate>,
    ) -> Case {
        let sorted = |mut candidates: Vec<Candidate>| {
            candidates.sort_unstable();
            candidates.dedup();
            candidates
        };
        let (code, variant) = code.split_once('-').unwrap_or((code, ""));
        Case {
            code: code.to_string(),
            technique: Technique::from_hodoku_code(code),
            must_fail: variant == "x",
            position,
            removes: sorted(removes),
            places: sorted(places),
        }
    }

    /// Searches for the step.
    pub fn run(&self) -> Outcome {
        let Some(technique) = self.technique else {
            return if self.must_fail { Outcome::Passed } else { Outcome::Missed };
        };
        let steps = all_steps(technique, &self.position);
        let is_flawed =
            |step| check(step, self.position.puzzle(), self.position.candidates()).is_err();
        if steps.iter().any(is_flawed) {
            return Outcome::Wrong;
        }
        let is_it = |mut removes: Vec<Candidate>, mut places: Vec<Candidate>| {
            removes.sort_unstable();
            places.sort_unstable();
            removes == self.removes && places == self.places
        };
        let is_found = steps.into_iter().any(|step| is_it(step.removes, step.places));
        match (is_found, self.must_fail) {
            (true, false) | (false, true) => Outcome::Passed,
            (false, false) => Outcome::Missed,
            (true, true) => Outcome::Wrong,
        }
    }
}

/// Prints a table by code, followed by the failed lines.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut all = Tally::default();
        writeln!(
            f,
            "{:<6} {:<34} {:>6} {:>6} {:>6}",
            "code", "technique", "found", "missed", "wrong"
        )?;
        for (code, tally) in &self.tallies {
            let name = Technique::from_hodoku_code(code).map_or("not known", Technique::name);
            writeln!(
                f,
                "{code:<6} {name:<34} {:>6} {:>6} {:>6}",
                tally.passed, tally.missed, tally.wrong
            )?;
            all.passed += tally.passed;
            all.missed += tally.missed;
            all.wrong += tally.wrong;
        }
        writeln!(
            f,
            "{:<6} {:<34} {:>6} {:>6} {:>6}",
            "all", "", all.passed, all.missed, all.wrong
        )?;
        for (number, outcome, line) in &self.failures {
            writeln!(
                f,
                "{} line {number}: {line}",
                if *outcome == Outcome::Missed { "missed" } else { "wrong" }
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Digit, Grid, Order};

    #[test]
    fn reports_passed_missed_and_wrong_cases() {
        let puzzle: Grid =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
                .parse()
                .unwrap();
        let position = Position::from_puzzle(&puzzle).unwrap();
        let check = |code: &str, digit: u8, expected: Outcome| {
            let placed = Candidate::new(Order::NINE.cell(4, 4), Digit::new(digit).unwrap());
            let case = Case::new(code, position.clone(), vec![], vec![placed]);
            assert_eq!(case.run(), expected, "{code} {digit}");
        };
        check("0003", 5, Outcome::Passed);
        check("0003-x", 5, Outcome::Wrong);
        check("0003", 4, Outcome::Missed);
        check("9999", 5, Outcome::Missed);
    }
}
