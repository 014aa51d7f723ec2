//! Labelled boards, and the gradient of both heads.
//!
//! Every second board is spoiled: one cell gets a wrong digit, chosen so that every cell still has
//! a candidate and every digit still has a possible cell in every house. Such a board has no direct
//! contradiction. It has no solution either, because the puzzle has exactly one solution and the
//! wrong digit differs from it.

use super::{BoardFeatures, FeatureExtractor, pooled, sigmoid};
use crate::Nodes;
use crate::layout::PuzzleNodes;
use ninefold::random::Random;
use ninefold_training::data::Examples;
use ninefold_training::parallel;
use ninefold_training::rule_labels::{self, RULES};

/// Wrong digits to try before a board is left unchanged.
const ATTEMPTS: usize = 12;
/// Boards whose gradients one thread sums in order, so that sums do not depend on the number of
/// threads.
const BOARDS_PER_SUM: usize = 4;

/// A board with its labels.
pub(super) struct LabelledBoard {
    pub board: Vec<u8>,
    /// For boards with a solution: the rules that apply, in the order of [`rule_labels::of_board`].
    pub rules: Option<Vec<f32>>,
}

/// The gradient of a batch of boards.
pub(super) struct BatchGradient {
    /// The mean cross entropy per candidate and rule, and of the doubt per board.
    pub losses: [f64; 2],
    /// The share of boards with a correct doubt prediction.
    pub accuracy: f64,
    pub gradient: Vec<f32>,
}

/// Labels boards that have a solution, of which every second one is spoiled first.
pub(super) fn labelled_boards(
    extractor: &FeatureExtractor,
    boards: &Examples,
    seed: u64,
) -> Vec<LabelledBoard> {
    let all: Vec<usize> = (0..boards.len()).collect();
    parallel::map(&all, |&index| {
        let board = boards.puzzle(index);
        let mut random = Random::for_part(seed, index as u64);
        let spoiled = (index % 2 == 1)
            .then(|| spoiled(extractor, board, boards.solution(index), &mut random))
            .flatten();
        match spoiled {
            Some(board) => LabelledBoard { board, rules: None },
            None => {
                let rules = rule_labels::of_board(extractor.frame.order, board, false);
                LabelledBoard { board: board.to_vec(), rules: Some(rules) }
            }
        }
    })
}

/// The board with a wrong digit that makes no direct contradiction, if one is found.
pub(super) fn spoiled(
    extractor: &FeatureExtractor,
    board: &[u8],
    solution: &[u8],
    random: &mut Random,
) -> Option<Vec<u8>> {
    let side = extractor.frame.order.side();
    let candidates =
        |board: &[u8]| PuzzleNodes::new(&extractor.frame, Nodes::Open, board).candidates;
    let cell_and_digit = |candidate: i32| (candidate as usize / side, candidate as usize % side);
    let is_wrong = |&candidate: &i32| {
        let (cell, digit) = cell_and_digit(candidate);
        usize::from(solution[cell]) != digit + 1
    };
    let mut wrong: Vec<i32> = candidates(board).into_iter().filter(is_wrong).collect();
    random.shuffle(&mut wrong);
    wrong.into_iter().take(ATTEMPTS).find_map(|candidate| {
        let (cell, digit) = cell_and_digit(candidate);
        let mut board = board.to_vec();
        board[cell] = digit as u8 + 1;
        let open = candidates(&board);
        (!open.is_empty() && !extractor.has_contradiction(&board, &open)).then_some(board)
    })
}

/// The mean gradient of both heads over the boards.
pub(super) fn batch_gradient(
    extractor: &FeatureExtractor,
    parameters: &[f32],
    boards: &[LabelledBoard],
) -> BatchGradient {
    let parts: Vec<&[LabelledBoard]> = boards.chunks(BOARDS_PER_SUM).collect();
    let sums = parallel::map(&parts, |part| {
        let mut sum = BatchGradient {
            losses: [0.0; 2],
            accuracy: 0.0,
            gradient: vec![0.0; parameters.len()],
        };
        part.iter().for_each(|board| add_board(extractor, parameters, board, &mut sum));
        sum
    });
    let mut all =
        BatchGradient { losses: [0.0; 2], accuracy: 0.0, gradient: vec![0.0; parameters.len()] };
    let with_rules = boards.iter().filter(|board| board.rules.is_some()).count().max(1) as f64;
    let count = boards.len().max(1) as f64;
    for sum in &sums {
        all.losses[0] += sum.losses[0] / with_rules;
        all.losses[1] += sum.losses[1] / count;
        all.accuracy += sum.accuracy / count;
        all.gradient
            .iter_mut()
            .zip(&sum.gradient)
            .for_each(|(all, slope)| *all += slope / count as f32);
    }
    all
}

fn add_board(
    extractor: &FeatureExtractor,
    parameters: &[f32],
    board: &LabelledBoard,
    sum: &mut BatchGradient,
) {
    let BoardFeatures { candidates, features, .. } = extractor.extract(&board.board);
    if candidates.is_empty() {
        sum.accuracy += 1.0;
        return;
    }
    let [rules, doubt] = extractor.shapes();
    let (rule_parameters, doubt_parameters) = parameters.split_at(rules.len());
    let (rule_slopes, doubt_slopes) = sum.gradient.split_at_mut(rules.len());
    let rows = || features.chunks_exact(rules.inputs);
    if let Some(labels) = &board.rules {
        let share = 1.0 / (candidates.len() * RULES) as f32;
        for (&candidate, row) in candidates.iter().zip(rows()) {
            let activations = rules.forward(rule_parameters, row);
            let labels = &labels[candidate as usize * RULES..][..RULES];
            let outputs = activations.outputs.iter().zip(labels);
            sum.losses[0] +=
                outputs.clone().map(|(&logit, &label)| cross_entropy(logit, label)).sum::<f64>()
                    * share as f64;
            // Times the number of rules, so that the gradient of the rules is not smaller than that
            // of the doubt.
            let slopes: Vec<f32> = outputs
                .map(|(&logit, label)| (sigmoid(logit) - label) * share * RULES as f32)
                .collect();
            rules.backward(rule_parameters, row, &activations, &slopes, rule_slopes);
        }
    }
    let activations: Vec<_> = rows().map(|row| doubt.forward(doubt_parameters, row)).collect();
    let logits: Vec<f32> = activations.iter().map(|activations| activations.outputs[0]).collect();
    let (logit, label) = (pooled(&logits), f32::from(u8::from(board.rules.is_none())));
    sum.losses[1] += cross_entropy(logit, label);
    sum.accuracy += f64::from(u8::from((logit > 0.0) == (label > 0.5)));
    let slope = sigmoid(logit) - label;
    for ((activations, row), &own) in activations.iter().zip(rows()).zip(&logits) {
        let share = (own - logit).exp() / candidates.len() as f32;
        doubt.backward(doubt_parameters, row, activations, &[slope * share], doubt_slopes);
    }
}

fn cross_entropy(logit: f32, label: f32) -> f64 {
    let (logit, label) = (f64::from(logit), f64::from(label));
    logit.max(0.0) - logit * label + (-logit.abs()).exp().ln_1p()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Config;
    use crate::heads::HeadsConfig;
    use crate::parameters::Spans;
    use crate::train::optimizer::Optimizer;
    use crate::train::{Experiment, recipe};
    use ninefold::grid::Order;

    const LIST: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n\
                        1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..\n";

    fn extractor() -> FeatureExtractor {
        let network = Config::tiny();
        let parameters = Spans::new(&network).draw(&mut Random::new(1));
        let config =
            HeadsConfig { readout_iterations: vec![1, 3], rule_units: 16, doubt_units: 16 };
        FeatureExtractor::new(&config, &network, &parameters, Order::NINE)
    }

    fn random_parameters(extractor: &FeatureExtractor) -> Vec<f32> {
        extractor.shapes().iter().flat_map(|shape| shape.draw(&mut Random::new(2))).collect()
    }

    #[test]
    fn spoiled_boards_have_one_wrong_digit_and_no_direct_contradiction() {
        let (extractor, boards) =
            (extractor(), Examples::read(LIST.as_bytes(), Order::NINE).unwrap());
        for index in 0..2 {
            let (board, solution) = (boards.puzzle(index), boards.solution(index));
            let spoiled = spoiled(&extractor, board, solution, &mut Random::new(5)).unwrap();
            let changed: Vec<usize> =
                (0..81).filter(|&cell| spoiled[cell] != board[cell]).collect();
            assert_eq!(changed.len(), 1);
            assert!(board[changed[0]] == 0 && spoiled[changed[0]] != solution[changed[0]]);
            assert!(
                !extractor.has_contradiction(&spoiled, &extractor.extract(&spoiled).candidates)
            );
        }
        let labelled = labelled_boards(&extractor, &boards, 1);
        assert!(labelled[0].rules.is_some() && labelled[1].rules.is_none());
    }

    #[test]
    fn gradients_equal_finite_differences() {
        let extractor = extractor();
        let boards = Examples::read(LIST.as_bytes(), Order::NINE).unwrap();
        let boards = labelled_boards(&extractor, &boards, 1);
        let numbers = random_parameters(&extractor);
        let loss = |numbers: &[f32]| {
            let result = batch_gradient(&extractor, numbers, &boards);
            // One of the two boards has rules, whose gradient is multiplied by six.
            result.losses[0] * RULES as f64 / 2.0 + result.losses[1]
        };
        let result = batch_gradient(&extractor, &numbers, &boards);
        for place in (0..numbers.len()).step_by(numbers.len() / 60) {
            let mut moved = numbers.clone();
            moved[place] += 1e-3;
            let up = loss(&moved);
            moved[place] -= 2e-3;
            let difference = (up - loss(&moved)) / 2e-3;
            let slope = f64::from(result.gradient[place]);
            assert!(
                (difference - slope).abs() < 2e-3 + 0.02 * slope.abs(),
                "{place}: {difference} and {slope}"
            );
        }
    }

    #[test]
    fn training_on_two_boards_reduces_both_losses() {
        let extractor = extractor();
        let boards = Examples::read(LIST.as_bytes(), Order::NINE).unwrap();
        let boards = labelled_boards(&extractor, &boards, 1);
        let schedule = Experiment {
            steps: 300,
            learning_rate: 0.004,
            warm_up_steps: 5,
            max_grad_norm: 10.0,
            ..recipe()
        };
        let mut optimizer = Optimizer::new(random_parameters(&extractor));
        let first = batch_gradient(&extractor, &optimizer.parameters, &boards).losses;
        for _ in 0..300 {
            let gradient = batch_gradient(&extractor, &optimizer.parameters, &boards).gradient;
            optimizer.step(&gradient, &schedule);
        }
        // The states are those of random weights, which contain little about contradictions.
        let last = batch_gradient(&extractor, &optimizer.parameters, &boards).losses;
        assert!(last[0] < 0.5 * first[0] && last[1] < 0.9 * first[1], "{first:?} {last:?}");
    }
}
