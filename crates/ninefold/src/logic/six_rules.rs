//! Rule-based step solver of Cheewaprakobkit et al. (section 3.4, Figure 10): six rules, one digit
//! at a time.
//!
//! A step ends with a placed digit. The solver first tries hidden and naked singles. If there are
//! none, it tries the four elimination rules in order, and restarts with all rules after each
//! pattern found. When no rule finds anything, the solver stops: the six rules cannot solve the
//! puzzle.

use super::{ExplainOptions, Steps};
use crate::grid::{Conflict, Grid, Position};
use crate::limits::Limits;
use crate::proof::{Step, SubsetSize, Technique};

/// The rules in the paper's order, rule 1 first.
pub const RULES: [Technique; 6] = [
    Technique::HiddenSingle,
    Technique::NakedSingle,
    Technique::Pointing,
    Technique::Claiming,
    Technique::NakedSubset(SubsetSize::Pair),
    Technique::HiddenSubset(SubsetSize::Pair),
];

/// Step in the sense of the paper: any number of eliminations, then a digit.
#[derive(Clone, Debug)]
pub struct DigitStep {
    /// The eliminations in order, followed by the placement.
    pub steps: Vec<Step>,
}

/// Result of solving a puzzle with the six rules.
#[derive(Clone, Debug)]
pub struct SolvePath {
    /// One step for each placed digit.
    pub digits: Vec<DigitStep>,
    /// Eliminations found after the last digit that did not lead to another digit.
    pub unused: Vec<Step>,
    /// The grid after all steps.
    pub grid: Grid,
}

impl DigitStep {
    /// Returns true if the rule with this number (1 to 6) was used for this digit.
    pub fn uses_rule(&self, number: usize) -> bool {
        self.steps.iter().any(|step| Some(&step.technique) == RULES.get(number.wrapping_sub(1)))
    }
}

impl SolvePath {
    /// Returns true if the six rules filled the complete grid.
    pub fn is_solved(&self) -> bool {
        self.grid.is_solved()
    }

    /// Returns all steps in order.
    pub fn steps(&self) -> Vec<Step> {
        self.digits.iter().flat_map(|digit| &digit.steps).chain(&self.unused).cloned().collect()
    }
}

/// Solves a puzzle as far as possible with the six rules. Returns an error if two equal clues share
/// a house.
pub fn solve(puzzle: &Grid) -> Result<SolvePath, Conflict> {
    let options = ExplainOptions::default().with_techniques(RULES.to_vec());
    let mut all = Steps::new(&Position::from_puzzle(puzzle)?, &options, &Limits::none());
    let (mut digits, mut steps) = (Vec::new(), Vec::new());
    for step in all.by_ref() {
        let is_digit = !step.places.is_empty();
        steps.push(step);
        if is_digit {
            digits.push(DigitStep { steps: std::mem::take(&mut steps) });
        }
    }
    Ok(SolvePath { digits, unused: steps, grid: all.reached().grid().clone() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::logic::all_steps;
    use crate::proof::check as check_proof;

    /// Checks that one of the rule's steps in the position has this conclusion, and that all proofs
    /// are valid.
    fn check(rule: usize, puzzle: &str, conclusion: &str) {
        let grid: Grid = puzzle.parse().unwrap();
        let position = Position::from_puzzle(&grid).unwrap();
        let steps = all_steps(RULES[rule - 1], &position);
        let conclusions: Vec<String> =
            steps.iter().map(|step| step.conclusion(grid.order())).collect();
        assert!(
            conclusions.iter().any(|other| other == conclusion),
            "{conclusion} is not in {conclusions:?}"
        );
        for step in steps {
            assert_eq!(check_proof(&step, &grid, position.candidates()), Ok(()), "{step:?}");
        }
    }

    #[test]
    fn figure_4_has_a_hidden_single() {
        check(
            1,
            ".28..7....16.83.7.....2.85113729.......73........463.729..7.......86.14....3..7..",
            "r3c4=6",
        );
    }

    /// Figure 5 is not part of the text of the paper. This grid has the same naked single, r6c7 =
    /// 6.
    #[test]
    fn figure_5_has_a_naked_single() {
        check(
            2,
            "......4........5..................78........9123.................................",
            "r6c7=6",
        );
    }

    #[test]
    fn figure_6_has_locked_candidates_of_type_1() {
        check(
            3,
            "984........25...4...19.4..2..6.9723...36.2...2.9.3561.195768423427351896638..9751",
            "r3c7<>5",
        );
    }

    #[test]
    fn figure_7_has_locked_candidates_of_type_2() {
        check(
            4,
            "318..54.6...6.381...6.8.5.3864952137123476958795318264.3.5..78......73.5....39641",
            "r3c2<>7",
        );
    }

    #[test]
    fn figure_8_has_a_naked_pair() {
        check(
            5,
            "7..849.3.928135..64..267.896427839513974516288156923..2.4516.931....8.6.5....4.1.",
            "r8c2<>3",
        );
    }

    #[test]
    fn figure_9_has_a_hidden_pair() {
        check(
            6,
            ".49132....81479...327685914.96.518...75.28....38.46..5853267...712894563964513...",
            "r5c9<>6",
        );
    }

    #[test]
    fn every_step_ends_with_a_digit_and_hard_puzzles_stay_unsolved() {
        let easy: Grid =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
                .parse()
                .unwrap();
        let run = solve(&easy).unwrap();
        assert!(run.is_solved() && run.unused.is_empty());
        assert_eq!(run.digits.len(), 51);
        for digit in &run.digits {
            let (last, before) = digit.steps.split_last().unwrap();
            assert!(last.places.len() == 1 && before.iter().all(|step| step.places.is_empty()));
            assert!(digit.uses_rule(1) || digit.uses_rule(2));
        }
        let hard: Grid =
            "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."
                .parse()
                .unwrap();
        assert!(!solve(&hard).unwrap().is_solved());
    }
}
