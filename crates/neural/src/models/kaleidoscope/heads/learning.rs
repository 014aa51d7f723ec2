//! Learning: boards with what is true of them, and the gradient of both heads.
//!
//! Every second board is spoiled: a wrong digit is written into it, one that leaves every cell a candidate and every digit a place, so
//! that nothing shows at first sight that it cannot be completed. As the puzzle below has one solution, it cannot.

use super::{Eyes, Seen, pooled, sigmoid};
use crate::models::rem::labels::{self, RULES};
use crate::parallel;
use crate::training::data::Examples;
use ninefold::random::Random;

/// Wrong digits that are tried before a board is left as it is.
const TRIES: usize = 12;
/// Boards whose gradients are added up by one thread, one after the other: sums do not depend on the number of threads.
const BOARDS_PER_SUM: usize = 4;

/// A board with what is true of it.
pub(super) struct Lesson {
    pub board: Vec<u8>,
    /// For boards that can be completed: 1 for each candidate and rule that applies, as in [`labels::place`].
    pub rules: Option<Vec<f32>>,
}

/// What was learned from some boards.
pub(super) struct Learned {
    /// The mean cross entropy of a rule of a candidate, and of the doubt about a board.
    pub losses: [f64; 2],
    /// The share of boards that were rightly doubted or not.
    pub right: f64,
    pub gradient: Vec<f32>,
}

/// Lessons from boards that can be completed; every second one is spoiled.
pub(super) fn lessons(eyes: &Eyes, boards: &Examples, seed: u64) -> Vec<Lesson> {
    let all: Vec<usize> = (0..boards.len()).collect();
    parallel::map(&all, |&index| {
        let board = boards.puzzle(index);
        let mut random = Random::for_part(seed, index as u64);
        let spoiled = (index % 2 == 1)
            .then(|| spoiled(eyes, board, boards.solution(index), &mut random))
            .flatten();
        match spoiled {
            Some(board) => Lesson { board, rules: None },
            None => {
                let rules = labels::of_board(eyes.frame.order, board, false);
                Lesson { board: board.to_vec(), rules: Some(rules) }
            }
        }
    })
}

/// The board with a wrong digit that does not show at first sight.
pub(super) fn spoiled(
    eyes: &Eyes,
    board: &[u8],
    solution: &[u8],
    random: &mut Random,
) -> Option<Vec<u8>> {
    let side = eyes.frame.order.side();
    let candidates = |board: &[u8]| {
        super::PuzzleNodes::new(&eyes.frame, super::super::Nodes::Open, board).candidates
    };
    let place = |candidate: i32| (candidate as usize / side, candidate as usize % side);
    let is_wrong =
        |&candidate: &i32| usize::from(solution[place(candidate).0]) != place(candidate).1 + 1;
    let mut wrong: Vec<i32> = candidates(board).into_iter().filter(is_wrong).collect();
    random.shuffle(&mut wrong);
    wrong.into_iter().take(TRIES).find_map(|candidate| {
        let (cell, digit) = place(candidate);
        let mut board = board.to_vec();
        board[cell] = digit as u8 + 1;
        let open = candidates(&board);
        (!open.is_empty() && !eyes.is_broken(&board, &open)).then_some(board)
    })
}

/// The gradient of both heads on some lessons, which count alike.
pub(super) fn learn(eyes: &Eyes, numbers: &[f32], lessons: &[Lesson]) -> Learned {
    let parts: Vec<&[Lesson]> = lessons.chunks(BOARDS_PER_SUM).collect();
    let sums = parallel::map(&parts, |part| {
        let mut sum = Learned { losses: [0.0; 2], right: 0.0, gradient: vec![0.0; numbers.len()] };
        part.iter().for_each(|lesson| add_lesson(eyes, numbers, lesson, &mut sum));
        sum
    });
    let mut all = Learned { losses: [0.0; 2], right: 0.0, gradient: vec![0.0; numbers.len()] };
    let with_rules = lessons.iter().filter(|lesson| lesson.rules.is_some()).count().max(1) as f64;
    let count = lessons.len().max(1) as f64;
    for sum in &sums {
        all.losses[0] += sum.losses[0] / with_rules;
        all.losses[1] += sum.losses[1] / count;
        all.right += sum.right / count;
        all.gradient
            .iter_mut()
            .zip(&sum.gradient)
            .for_each(|(all, slope)| *all += slope / count as f32);
    }
    all
}

fn add_lesson(eyes: &Eyes, numbers: &[f32], lesson: &Lesson, sum: &mut Learned) {
    let Seen { candidates, features, .. } = eyes.see(&lesson.board);
    if candidates.is_empty() {
        sum.right += 1.0;
        return;
    }
    let [rules, doubt] = eyes.shapes();
    let (rule_numbers, doubt_numbers) = numbers.split_at(rules.len());
    let (rule_slopes, doubt_slopes) = sum.gradient.split_at_mut(rules.len());
    let rows = || features.chunks_exact(rules.inputs);
    if let Some(labels) = &lesson.rules {
        let share = 1.0 / (candidates.len() * RULES) as f32;
        for (&candidate, row) in candidates.iter().zip(rows()) {
            let passed = rules.forward(rule_numbers, row);
            let labels = &labels[candidate as usize * RULES..][..RULES];
            let told = passed.outputs.iter().zip(labels);
            sum.losses[0] +=
                told.clone().map(|(&logit, &label)| cross_entropy(logit, label)).sum::<f64>()
                    * share as f64;
            // The slopes of all candidates of a board together are as steep as those of its doubt, times the number of rules.
            let slopes: Vec<f32> = told
                .map(|(&logit, label)| (sigmoid(logit) - label) * share * RULES as f32)
                .collect();
            rules.backward(rule_numbers, row, &passed, &slopes, rule_slopes);
        }
    }
    let passed: Vec<_> = rows().map(|row| doubt.forward(doubt_numbers, row)).collect();
    let logits: Vec<f32> = passed.iter().map(|passed| passed.outputs[0]).collect();
    let (logit, label) = (pooled(&logits), f32::from(u8::from(lesson.rules.is_none())));
    sum.losses[1] += cross_entropy(logit, label);
    sum.right += f64::from(u8::from((logit > 0.0) == (label > 0.5)));
    let slope = sigmoid(logit) - label;
    for ((passed, row), &own) in passed.iter().zip(rows()).zip(&logits) {
        let share = (own - logit).exp() / candidates.len() as f32;
        doubt.backward(doubt_numbers, row, passed, &[slope * share], doubt_slopes);
    }
}

fn cross_entropy(logit: f32, label: f32) -> f64 {
    let (logit, label) = (f64::from(logit), f64::from(label));
    logit.max(0.0) - logit * label + (-logit.abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::super::super::parameters::Spans;
    use super::super::super::{Config, optimizer::Optimizer, recipe};
    use super::super::HeadsConfig;
    use super::*;
    use ninefold::grid::Order;

    const LIST: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n\
                        1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..\n";

    fn eyes() -> Eyes {
        let network = Config::tiny();
        let parameters = Spans::new(&network).draw(&mut Random::new(1));
        let config = HeadsConfig { looks: vec![1, 3], rule_units: 16, doubt_units: 16 };
        Eyes::new(&config, &network, &parameters, Order::NINE)
    }

    fn drawn(eyes: &Eyes) -> Vec<f32> {
        eyes.shapes().iter().flat_map(|shape| shape.draw(&mut Random::new(2))).collect()
    }

    #[test]
    fn a_spoiled_board_has_one_wrong_digit_and_nothing_that_shows() {
        let (eyes, boards) = (eyes(), Examples::read(LIST.as_bytes(), Order::NINE).unwrap());
        for index in 0..2 {
            let (board, solution) = (boards.puzzle(index), boards.solution(index));
            let spoiled = spoiled(&eyes, board, solution, &mut Random::new(5)).unwrap();
            let changed: Vec<usize> =
                (0..81).filter(|&cell| spoiled[cell] != board[cell]).collect();
            assert_eq!(changed.len(), 1);
            assert!(board[changed[0]] == 0 && spoiled[changed[0]] != solution[changed[0]]);
            assert!(!eyes.is_broken(&spoiled, &eyes.see(&spoiled).candidates));
        }
        let lessons = lessons(&eyes, &boards, 1);
        assert!(lessons[0].rules.is_some() && lessons[1].rules.is_none());
    }

    #[test]
    fn the_gradient_agrees_with_differences_and_not_with_the_number_of_threads() {
        let eyes = eyes();
        let lessons = lessons(&eyes, &Examples::read(LIST.as_bytes(), Order::NINE).unwrap(), 1);
        let numbers = drawn(&eyes);
        let loss = |numbers: &[f32]| {
            let learned = learn(&eyes, numbers, &lessons);
            // One of the two boards has rules, each of which counts six times.
            learned.losses[0] * RULES as f64 / 2.0 + learned.losses[1]
        };
        let learned = learn(&eyes, &numbers, &lessons);
        for place in (0..numbers.len()).step_by(numbers.len() / 60) {
            let mut moved = numbers.clone();
            moved[place] += 1e-3;
            let up = loss(&moved);
            moved[place] -= 2e-3;
            let difference = (up - loss(&moved)) / 2e-3;
            let slope = f64::from(learned.gradient[place]);
            assert!(
                (difference - slope).abs() < 2e-3 + 0.02 * slope.abs(),
                "{place}: {difference} and {slope}"
            );
        }
    }

    #[test]
    fn both_heads_learn_from_two_boards() {
        let eyes = eyes();
        let lessons = lessons(&eyes, &Examples::read(LIST.as_bytes(), Order::NINE).unwrap(), 1);
        let schedule = super::super::super::Experiment {
            steps: 300,
            learning_rate: 0.004,
            warm_up_steps: 5,
            max_grad_norm: 10.0,
            ..recipe()
        };
        let mut optimizer = Optimizer::new(drawn(&eyes));
        let first = learn(&eyes, &optimizer.parameters, &lessons).losses;
        for _ in 0..300 {
            let gradient = learn(&eyes, &optimizer.parameters, &lessons).gradient;
            optimizer.step(&gradient, &schedule);
        }
        // The states are those of random weights, in which a contradiction hardly shows.
        let last = learn(&eyes, &optimizer.parameters, &lessons).losses;
        assert!(last[0] < 0.5 * first[0] && last[1] < 0.9 * first[1], "{first:?} {last:?}");
    }
}
