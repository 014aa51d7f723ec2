//! Does a network reason by rules? Its own beliefs, step by step, held to the six rules.
//!
//! ```text
//! after each step:   a digit is still believed possible in a cell if its probability is not too low
//! between two steps: each digit that was possible and is not any more was struck out by the network; would one of
//!                    the six rules have done so, knowing what the network believed before this step?
//! ```
//! A rule that places a digit strikes it out of all peers, and the others out of its cell. For comparison all digits that
//! were possible and wrong are asked about in the same way, struck out or not: a network that takes no notice of the rules
//! strikes out as many with a reason as there are among those.

use super::labels::{self, NAMES, RULES};
use super::report::share;
use crate::inference::predictor::Predictor;
use crate::parallel;
use crate::training::data::Examples;
use ninefold::grid::{Candidates, Cell, Digit, Grid};
use serde::Serialize;

/// What was counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Commitments {
    /// Puzzles that were watched.
    pub puzzles: u64,
    /// Digits struck out.
    pub struck: u64,
    /// Of these, digits of the solution.
    pub wrong: u64,
    /// Digits that were struck out earlier and are believed possible again.
    pub taken_back: u64,
    /// For each rule, the digits struck out that it explains and no earlier rule does.
    pub explained: [u64; RULES],
    /// Digits struck out while the network's beliefs contradicted each other, so that no rule applies.
    pub in_contradiction: u64,
    /// Wrong digits that were possible, counted at every step.
    pub possible: u64,
    /// Of these, those that a rule would strike out.
    pub explainable: u64,
    /// For each step the digits struck out, and those of them that a rule explains.
    pub steps: Vec<[u64; 2]>,
}

/// Watches a network for this many steps on each puzzle; a digit is struck out when its probability falls below `least`.
pub fn of(predictor: &dyn Predictor, examples: &Examples, steps: usize, least: f32) -> Commitments {
    let all: Vec<usize> = (0..examples.len()).collect();
    let counted = parallel::map(&all, |&index| {
        of_puzzle(predictor, [examples.puzzle(index), examples.solution(index)], steps, least)
    });
    counted.iter().fold(Commitments::default(), |all, one| all.with(one))
}

fn of_puzzle(
    predictor: &dyn Predictor,
    [puzzle, solution]: [&[u8]; 2],
    steps: usize,
    least: f32,
) -> Commitments {
    let order = predictor.order();
    let mut counted = Commitments { puzzles: 1, ..Commitments::default() };
    let grid = Grid::from_numbers(order, puzzle).expect("examples hold grids of their order");
    let Ok(start) = Candidates::of(&grid) else { return counted };
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

/// What the six rules can say where a network believes this.
struct Reasons<'a> {
    beliefs: &'a Candidates,
    is_contradictory: bool,
    /// As in [`labels::of_candidates`].
    marks: Vec<f32>,
}

impl Reasons<'_> {
    fn on(beliefs: &Candidates) -> Reasons<'_> {
        let is_contradictory = beliefs.is_contradictory();
        let size = beliefs.order().cell_count() * beliefs.order().side() * RULES;
        let marks =
            if is_contradictory { vec![0.0; size] } else { labels::of_candidates(beliefs, false) };
        Reasons { beliefs, is_contradictory, marks }
    }

    /// The first rule that would strike out this digit, from 0.
    fn against(&self, cell: Cell, digit: Digit) -> Option<usize> {
        let order = self.beliefs.order();
        let says = |rule: usize, cell: Cell, digit: Digit| {
            self.marks[labels::place(order, cell.index(), digit.index(), rule)] > 0.5
        };
        let strikes_out = |&rule: &usize| match rule {
            // Singles place a digit, and so strike it out of all peers, and the others out of its cell.
            0 | 1 => {
                order.peers_of(cell).iter().any(|&peer| says(rule, peer, digit))
                    || self
                        .beliefs
                        .at(cell)
                        .into_iter()
                        .any(|other| other != digit && says(rule, cell, other))
            }
            _ => says(rule, cell, digit),
        };
        (0..RULES).find(strikes_out)
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

    /// Digits struck out that a rule explains.
    fn with_a_reason(&self) -> u64 {
        self.explained.iter().sum()
    }

    /// The report as text.
    pub fn table(&self) -> String {
        let percent = |part: u64, all: u64| 100.0 * share(part, all);
        let mut text = format!(
            "{} puzzles, {} digits struck out, {:.2}% of them right ones; {} were taken back\n\
             explained by one of the six rules: {:.2}% (of all wrong digits at every step: {:.2}%)\n",
            self.puzzles,
            self.struck,
            percent(self.wrong, self.struck),
            self.taken_back,
            percent(self.with_a_reason(), self.struck),
            percent(self.explainable, self.possible)
        );
        for ((number, name), &count) in (1..).zip(NAMES).zip(&self.explained) {
            text += &format!(
                "{:<26} {:>6.2}%\n",
                format!("{number} {name}"),
                percent(count, self.struck)
            );
        }
        let unexplained = self.struck - self.with_a_reason() - self.in_contradiction;
        text += &format!(
            "{:<26} {:>6.2}%\n",
            "beliefs contradictory",
            percent(self.in_contradiction, self.struck)
        );
        text += &format!(
            "{:<26} {:>6.2}%\nstep    struck out   explained\n",
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

    /// Predicts what it is given: for each step the cells with digits that are impossible.
    struct Told(Vec<Vec<(usize, Vec<u8>)>>);

    impl Predictor for Told {
        fn order(&self) -> Order {
            Order::FOUR
        }

        fn batch(&self) -> usize {
            1
        }

        fn log_probabilities(&self, _: &[&[u8]]) -> Vec<f32> {
            unreachable!("it is watched on its way")
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

    /// What is counted on the grid `1 . . 4 | . . 1 . | . 3 . . | 4 . . 3`.
    fn counted(steps: Vec<Vec<(usize, Vec<u8>)>>) -> Commitments {
        let examples = Examples::read("1..4..1..3..4..3\n".as_bytes(), Order::FOUR).unwrap();
        of(&Told(steps), &examples, 9, 0.01)
    }

    #[test]
    fn a_digit_is_explained_by_the_first_rule_that_strikes_it_out() {
        // In row 1 r1c2 can be 2 only, and r1c3 2 or 3. So r1c3 cannot be 2: it is the only place for 3 (rule 1), and r1c2
        // is a naked single (rule 2).
        let one = counted(vec![vec![(2, vec![2])]]);
        assert_eq!((one.puzzles, one.struck, one.wrong), (1, 1, 0));
        assert_eq!(one.explained, [1, 0, 0, 0, 0, 0]);
        assert_eq!(one.steps, [[1, 1]]);
        // The right digit of r1c3 has a reason neither before nor after.
        let wrong = counted(vec![vec![(2, vec![3])]]);
        assert_eq!((wrong.struck, wrong.wrong, wrong.with_a_reason()), (1, 1, 0));
    }

    #[test]
    fn beliefs_are_taken_back_and_may_contradict_each_other() {
        let back = counted(vec![vec![(2, vec![2])], vec![]]);
        assert_eq!((back.struck, back.taken_back, back.steps.len()), (1, 1, 2));
        // Nothing is left for r1c3, so what is struck out afterwards has no reason.
        let lost = counted(vec![vec![(2, vec![2, 3])], vec![(2, vec![2, 3]), (1, vec![2])]]);
        assert_eq!((lost.struck, lost.in_contradiction), (3, 1));
        assert_eq!(lost.steps, [[2, 1], [1, 0]]);
    }

    #[test]
    fn two_puzzles_are_counted_together_and_told() {
        let one = counted(vec![vec![(2, vec![2])]]);
        let two = one.clone().with(&one);
        assert_eq!((two.puzzles, two.struck, two.steps.clone()), (2, 2, vec![[2, 2]]));
        assert_eq!(
            two.possible, two.explainable,
            "every wrong digit of this easy grid has a reason"
        );
        assert!(two.possible > 10);
        let text = two.table();
        assert!(
            text.starts_with("2 puzzles, 2 digits struck out, 0.00% of them right ones"),
            "{text}"
        );
        assert!(text.contains("explained by one of the six rules: 100.00%"), "{text}");
        assert!(text.contains("   1             2     100.00%"), "{text}");
    }
}
