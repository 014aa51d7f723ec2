//! Counts how many of the candidates that a network eliminates would also be eliminated by one of
//! the six rules.
//!
//! A digit is possible in a cell after a step if its probability is at least a threshold. It is
//! eliminated in a step if it was possible before the step and no longer is. A rule explains the
//! elimination if it eliminates this digit on the board of the digits that were possible before the
//! step. A rule that places a digit eliminates it from all peers, and all other digits from its
//! cell.
//!
//! The baseline is the share of all wrong possible digits that a rule would eliminate. A network
//! that ignores the rules has the same share of explained eliminations as this baseline.

use super::labels::{self, NAMES, RULES};
use super::report::share;
use crate::inference::predictor::Predictor;
use crate::training::data::Examples;
use ninefold::grid::{Candidates, Cell, Digit, Grid};
use ninefold_training::parallel;
use serde::Serialize;

/// Counts over all puzzles and steps.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Commitments {
    /// Number of puzzles.
    pub puzzles: u64,
    /// Eliminated digits.
    pub struck: u64,
    /// Of these, digits of the solution.
    pub wrong: u64,
    /// Eliminated digits that became possible again.
    pub taken_back: u64,
    /// For each rule, the eliminations that it explains and no earlier rule explains.
    pub explained: [u64; RULES],
    /// Eliminations while the possible digits were contradictory, so that no rule applies.
    pub in_contradiction: u64,
    /// Wrong possible digits, summed over all steps.
    pub possible: u64,
    /// Of these, digits that a rule would eliminate.
    pub explainable: u64,
    /// For each step, the eliminations and how many of them a rule explains.
    pub steps: Vec<[u64; 2]>,
}

/// Runs a network for this many steps on each puzzle. A digit is eliminated when its probability
/// falls below `least`.
pub fn measure(
    predictor: &dyn Predictor,
    examples: &Examples,
    steps: usize,
    least: f32,
) -> Commitments {
    let all: Vec<usize> = (0..examples.len()).collect();
    let counted = parallel::map(&all, |&index| {
        measure_puzzle(predictor, [examples.puzzle(index), examples.solution(index)], steps, least)
    });
    counted.iter().fold(Commitments::default(), |all, one| all.with(one))
}

fn measure_puzzle(
    predictor: &dyn Predictor,
    [puzzle, solution]: [&[u8]; 2],
    steps: usize,
    least: f32,
) -> Commitments {
    let order = predictor.order();
    let mut counted = Commitments { puzzles: 1, ..Commitments::default() };
    let grid = Grid::from_numbers(order, puzzle).expect("examples hold grids of their order");
    let Ok(start) = Candidates::new(&grid) else { return counted };
    let mut before = start.clone();
    for answer in predictor.log_probabilities_each_step(puzzle).take(steps) {
        let mut after = start.clone();
        for cell in grid.empty_cells() {
            let is_gone =
                |digit: &Digit| answer[cell.index() * order.side() + digit.index()].exp() < least;
            start.at(cell).into_iter().filter(is_gone).for_each(|digit| {
                after.remove(cell, digit);
            });
        }
        let reasons = Reasons::on(&before);
        let mut step = [0, 0];
        for cell in grid.empty_cells() {
            counted.taken_back += (after.at(cell) - before.at(cell)).into_iter().count() as u64;
            for digit in before.at(cell) {
                let (is_right, reason) =
                    (solution[cell.index()] == digit.number(), reasons.against(cell, digit));
                counted.possible += u64::from(!is_right);
                counted.explainable += u64::from(!is_right && reason.is_some());
                if after.at(cell).contains(digit) {
                    continue;
                }
                counted.wrong += u64::from(is_right);
                counted.in_contradiction += u64::from(reasons.is_contradictory);
                step = [step[0] + 1, step[1] + u64::from(reason.is_some())];
                if let Some(rule) = reason {
                    counted.explained[rule] += 1;
                }
            }
        }
        counted.struck += step[0];
        counted.steps.push(step);
        before = after;
    }
    counted
}

/// Eliminations by the six rules, given the possible digits.
struct Reasons<'a> {
    possible_digits: &'a Candidates,
    is_contradictory: bool,
    /// Labels as in [`labels::of_candidates`].
    labels: Vec<f32>,
}

impl Reasons<'_> {
    fn on(possible_digits: &Candidates) -> Reasons<'_> {
        let is_contradictory = possible_digits.is_contradictory();
        let size = possible_digits.order().cell_count() * possible_digits.order().side() * RULES;
        let labels = if is_contradictory {
            vec![0.0; size]
        } else {
            labels::of_candidates(possible_digits, false)
        };
        Reasons { possible_digits, is_contradictory, labels }
    }

    /// The first rule that eliminates this digit, counted from 0.
    fn against(&self, cell: Cell, digit: Digit) -> Option<usize> {
        let order = self.possible_digits.order();
        let has_label = |rule: usize, cell: Cell, digit: Digit| {
            self.labels[labels::place(order, cell.index(), digit.index(), rule)] > 0.5
        };
        let eliminates = |&rule: &usize| match rule {
            // Singles place a digit; this eliminates it from all peers, and all other digits from
            // its cell.
            0 | 1 => {
                order.peers_of(cell).iter().any(|&peer| has_label(rule, peer, digit))
                    || self
                        .possible_digits
                        .at(cell)
                        .into_iter()
                        .any(|other| other != digit && has_label(rule, cell, other))
            }
            _ => has_label(rule, cell, digit),
        };
        (0..RULES).find(eliminates)
    }
}

impl Commitments {
    fn with(mut self, other: &Commitments) -> Commitments {
        self.puzzles += other.puzzles;
        self.struck += other.struck;
        self.wrong += other.wrong;
        self.taken_back += other.taken_back;
        self.in_contradiction += other.in_contradiction;
        self.possible += other.possible;
        self.explainable += other.explainable;
        self.explained.iter_mut().zip(other.explained).for_each(|(sum, more)| *sum += more);
        self.steps.resize(self.steps.len().max(other.steps.len()), [0, 0]);
        for (sum, more) in self.steps.iter_mut().zip(&other.steps) {
            *sum = [sum[0] + more[0], sum[1] + more[1]];
        }
        self
    }

    /// Eliminations that a rule explains.
    fn explained_count(&self) -> u64 {
        self.explained.iter().sum()
    }

    /// The report as text.
    pub fn table(&self) -> String {
        let percent = |part: u64, all: u64| 100.0 * share(part, all);
        let mut text = format!(
            "{} puzzles, {} digits eliminated, {:.2}% of them correct; {} were restored\n\
             explained by one of the six rules: {:.2}% (baseline, all wrong digits at every step: {:.2}%)\n",
            self.puzzles,
            self.struck,
            percent(self.wrong, self.struck),
            self.taken_back,
            percent(self.explained_count(), self.struck),
            percent(self.explainable, self.possible)
        );
        for ((number, name), &count) in (1..).zip(NAMES).zip(&self.explained) {
            text += &format!(
                "{:<26} {:>6.2}%\n",
                format!("{number} {name}"),
                percent(count, self.struck)
            );
        }
        let unexplained = self.struck - self.explained_count() - self.in_contradiction;
        text += &format!(
            "{:<26} {:>6.2}%\n",
            "contradictory position",
            percent(self.in_contradiction, self.struck)
        );
        text += &format!(
            "{:<26} {:>6.2}%\nstep    eliminated   explained\n",
            "none",
            percent(unexplained, self.struck)
        );
        for (step, &[struck, explained]) in (1..).zip(&self.steps) {
            if struck > 0 {
                text +=
                    &format!("{step:>4}  {struck:>12}   {:>8.2}%\n", percent(explained, struck));
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::StepOutputs;
    use ninefold::grid::Order;

    /// Predicts given values: for each step, the cells with their impossible digits.
    struct ScriptedPredictor(Vec<Vec<(usize, Vec<u8>)>>);

    impl Predictor for ScriptedPredictor {
        fn order(&self) -> Order {
            Order::FOUR
        }

        fn batch(&self) -> usize {
            1
        }

        fn log_probabilities(&self, _: &[&[u8]]) -> Vec<f32> {
            unreachable!("commitments uses the steps only")
        }

        fn log_probabilities_each_step(&self, _: &[u8]) -> StepOutputs<'_, Vec<f32>> {
            Box::new(self.0.iter().map(|step| {
                let mut answer = vec![0.5f32.ln(); 64];
                for (cell, digits) in step {
                    digits.iter().for_each(|&digit| {
                        answer[cell * 4 + usize::from(digit) - 1] = 0.001f32.ln()
                    });
                }
                answer
            }))
        }
    }

    /// The counts for the grid `1 . . 4 | . . 1 . | . 3 . . | 4 . . 3`.
    fn counted(steps: Vec<Vec<(usize, Vec<u8>)>>) -> Commitments {
        let examples = Examples::read("1..4..1..3..4..3\n".as_bytes(), Order::FOUR).unwrap();
        measure(&ScriptedPredictor(steps), &examples, 9, 0.01)
    }

    #[test]
    fn eliminations_are_explained_by_the_first_rule() {
        // r1c2 can only be 2, and r1c3 can be 2 or 3. So 2 is eliminated from r1c3 by rule 1 (it is
        // the only place for 3) and by rule 2 (r1c2 is a naked single).
        let one = counted(vec![vec![(2, vec![2])]]);
        assert_eq!((one.puzzles, one.struck, one.wrong), (1, 1, 0));
        assert_eq!(one.explained, [1, 0, 0, 0, 0, 0]);
        assert_eq!(one.steps, [[1, 1]]);
        // No rule eliminates the right digit of r1c3.
        let wrong = counted(vec![vec![(2, vec![3])]]);
        assert_eq!((wrong.struck, wrong.wrong, wrong.explained_count()), (1, 1, 0));
    }

    #[test]
    fn restored_digits_and_contradictions_are_counted() {
        let back = counted(vec![vec![(2, vec![2])], vec![]]);
        assert_eq!((back.struck, back.taken_back, back.steps.len()), (1, 1, 2));
        // No digit is left for r1c3, so later eliminations have no reason.
        let lost = counted(vec![vec![(2, vec![2, 3])], vec![(2, vec![2, 3]), (1, vec![2])]]);
        assert_eq!((lost.struck, lost.in_contradiction), (3, 1));
        assert_eq!(lost.steps, [[2, 1], [1, 0]]);
    }

    #[test]
    fn counts_are_summed_and_printed() {
        let one = counted(vec![vec![(2, vec![2])]]);
        let two = one.clone().with(&one);
        assert_eq!((two.puzzles, two.struck, two.steps.clone()), (2, 2, vec![[2, 2]]));
        assert_eq!(
            two.possible, two.explainable,
            "a rule eliminates every wrong digit of this easy grid"
        );
        assert!(two.possible > 10);
        let text = two.table();
        assert!(
            text.starts_with("2 puzzles, 2 digits eliminated, 0.00% of them correct"),
            "{text}"
        );
        assert!(text.contains("explained by one of the six rules: 100.00%"), "{text}");
        assert!(text.contains("   1             2     100.00%"), "{text}");
    }
}
