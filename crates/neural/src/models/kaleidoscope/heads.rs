//! Heads: what the states of the network tell beside the solution.
//!
//! The network stays as it is. It thinks about a board for sixteen iterations, and all that a head sees of a candidate are its
//! states after some of them, side by side.
//!
//! - **Rules**: which of the six rules of Cheewaprakobkit et al. places this candidate or strikes it out on this board, now? It is
//!   the question of `rem::board`, asked of a network that has only learned to solve.
//! - **Doubt**: can this board not be completed? Every candidate has its say, and the board's doubt is the logarithm of the mean of
//!   their exponentials: a single candidate that is sure can decide, and its share shows where the board breaks.
//!
//! Both are guesses. Whoever shows them checks them first: the rules by the finders and the checker, the doubt by a search.

mod learning;
mod perceptron;
mod report;
mod training;

pub use report::DoubtReport;
pub use training::{RulesExperiment, recipe};
pub(crate) use training::{load, measure, train};

use super::forward::{Forward, Weights};
use super::layout::{Frame, Layout, PuzzleNodes};
use super::parameters::Spans;
use super::reading::{Reading, keeps_the_rules};
use super::{Config, noise};
use crate::models::rem::labels::RULES;
use crate::parallel;
use crate::training::checkpoint::{CheckpointError, HostTensor, Tensors};
use ninefold::grid::Order;
use perceptron::Perceptron;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// With the settings of the recipe.
pub const PARAMETERS: usize = (512 + 1) * 128 + (128 + 1) * RULES + (512 + 1) * 32 + 32 + 1;

/// The settings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeadsConfig {
    /// The iterations after which the states are looked at, in rising order.
    pub looks: Vec<usize>,
    /// Hidden units of the head for rules.
    pub rule_units: usize,
    /// Hidden units of the head for doubt.
    pub doubt_units: usize,
}

impl Default for HeadsConfig {
    fn default() -> HeadsConfig {
        HeadsConfig { looks: vec![1, 2, 3, 4, 6, 8, 12, 16], rule_units: 128, doubt_units: 32 }
    }
}

impl HeadsConfig {
    fn check(&self) -> Result<(), String> {
        let rise = self.looks.is_sorted_by(|earlier, later| earlier < later);
        match self.looks.first() {
            Some(&first) if first > 0 && rise && self.rule_units > 0 && self.doubt_units > 0 => {
                Ok(())
            }
            _ => Err(
                "looks are iterations from 1 on, in rising order, and each head has hidden units"
                    .to_string(),
            ),
        }
    }

    /// The shapes of both heads on states of this width.
    fn shapes(&self, width: usize) -> [Perceptron; 2] {
        let inputs = self.looks.len() * width;
        [
            Perceptron { inputs, units: self.rule_units, outputs: RULES },
            Perceptron { inputs, units: self.doubt_units, outputs: 1 },
        ]
    }
}

/// What the heads say about a board.
#[derive(Clone, Debug, PartialEq)]
pub struct Insight {
    /// The probability of each of the six rules for each digit of each cell, in the order cell, digit, rule; 0 for digits that the
    /// clues exclude.
    pub rules: Vec<f32>,
    /// The probability that the board cannot be completed.
    pub doubt: f32,
    /// The candidate with the largest share of the doubt: cell and digit, both counted from 0.
    pub doubted: Option<(usize, usize)>,
    /// Is the doubt a fact: a cell without a candidate, or a digit without a place in a house?
    pub is_broken: bool,
    /// Does the grid that the network has in mind after the last look keep the rules?
    pub is_settled: bool,
}

/// The frozen network with both heads, for boards of one size.
#[derive(Clone, Debug)]
pub struct Heads {
    eyes: Eyes,
    /// The numbers of the head for rules, then those of the head for doubt.
    numbers: Arc<[f32]>,
}

/// The frozen network: turns boards into what heads see.
#[derive(Clone, Debug)]
struct Eyes {
    network: Config,
    weights: Arc<Weights>,
    frame: Frame,
    config: HeadsConfig,
}

/// A board as heads see it.
struct Seen {
    /// The candidate of each node.
    candidates: Vec<i32>,
    /// For each node its states after each look: `[nodes, looks · width]`.
    features: Vec<f32>,
    /// Does the grid after the last look keep the rules?
    is_settled: bool,
}

impl Eyes {
    fn see(&self, board: &[u8]) -> Seen {
        let nodes = PuzzleNodes::new(&self.frame, self.network.nodes, board);
        let layout = Layout::new(std::iter::once(&nodes));
        let (width, looks) = (self.network.width, &self.config.looks);
        let mut features = vec![0.0; nodes.candidates.len() * looks.len() * width];
        let mut forward = Forward::new(&self.weights);
        forward.set_layout(&self.frame, &layout);
        forward.begin(std::iter::repeat_n(noise::NONE, layout.len()));
        let mut iteration = 0;
        for (place, &look) in looks.iter().enumerate() {
            while iteration < look {
                forward.step();
                iteration += 1;
            }
            for (node, row) in features.chunks_exact_mut(looks.len() * width).enumerate() {
                row[place * width..][..width]
                    .iter_mut()
                    .zip(forward.state(node))
                    .for_each(|(to, from)| *to = from);
            }
        }
        let mut digits = board.to_vec();
        let candidates = nodes.candidates;
        Reading {
            frame: &self.frame,
            puzzle: board,
            candidates: &candidates,
            logits: forward.logits(),
        }
        .fill(&mut digits);
        Seen { is_settled: keeps_the_rules(&self.frame, &digits), candidates, features }
    }

    fn shapes(&self) -> [Perceptron; 2] {
        self.config.shapes(self.network.width)
    }

    /// Has an empty cell no candidate, or a missing digit no place in a house? Then nobody needs to guess.
    fn is_broken(&self, board: &[u8], candidates: &[i32]) -> bool {
        let (order, side) = (self.frame.order, self.frame.order.side());
        let mut digits = vec![0u64; board.len()];
        candidates
            .iter()
            .for_each(|&node| digits[node as usize / side] |= 1 << (node as usize % side));
        let cell_is_broken = |(cell, &number): (usize, &u8)| number == 0 && digits[cell] == 0;
        let house_is_broken = |house| {
            let cells = order.cells_in(house).iter().map(|cell| cell.index());
            let given = cells.clone().filter(|&cell| board[cell] > 0);
            let (count, given) = given
                .fold((0, 0u64), |(count, seen), cell| (count + 1, seen | 1 << (board[cell] - 1)));
            let possible = cells.fold(given, |seen, cell| seen | digits[cell]);
            given.count_ones() != count || possible != (1u64 << side) - 1
        };
        board.iter().enumerate().any(cell_is_broken) || order.houses().any(house_is_broken)
    }
}

impl Heads {
    /// The heads of a file on the network of another, for boards of this size.
    pub(super) fn new(
        config: &HeadsConfig,
        tensors: &Tensors,
        network: &Config,
        parameters: &[f32],
        order: Order,
    ) -> Result<Heads, CheckpointError> {
        let own = read(tensors, "network", network.width)?;
        let answer = Spans::new(network).answer.of(parameters);
        if own
            .iter()
            .zip(answer)
            .any(|(own, answer)| (own - answer).abs() > 1e-3 * (1.0 + answer.abs()))
        {
            return Err(CheckpointError::Unfit(
                "these heads were learned on other weights of kaleidoscope".to_string(),
            ));
        }
        let [rules, doubt] = config.shapes(network.width);
        let numbers =
            [read(tensors, "rules", rules.len())?, read(tensors, "doubt", doubt.len())?].concat();
        Ok(Heads { eyes: Eyes::new(config, network, parameters, order), numbers: numbers.into() })
    }

    /// The same heads for boards of another size.
    #[must_use]
    pub fn for_size(&self, order: Order) -> Heads {
        Heads { eyes: Eyes { frame: Frame::new(order), ..self.eyes.clone() }, ..self.clone() }
    }

    /// The size of its boards.
    pub fn order(&self) -> Order {
        self.eyes.frame.order
    }

    /// What both heads say about each board, on all cores.
    pub fn look(&self, boards: &[&[u8]]) -> Vec<Insight> {
        parallel::map(boards, |board| self.look_at(board))
    }

    /// What both heads say about a board.
    pub fn look_at(&self, board: &[u8]) -> Insight {
        let Seen { candidates, features, is_settled } = self.eyes.see(board);
        let [rules, doubt] = self.eyes.shapes();
        let (rule_numbers, doubt_numbers) = self.numbers.split_at(rules.len());
        let mut probabilities = vec![0.0; self.eyes.frame.candidates() * RULES];
        let mut doubts = Vec::with_capacity(candidates.len());
        for (&candidate, row) in candidates.iter().zip(features.chunks_exact(rules.inputs)) {
            let told = rules.forward(rule_numbers, row).outputs;
            let place = &mut probabilities[candidate as usize * RULES..][..RULES];
            place.iter_mut().zip(told).for_each(|(place, logit)| *place = sigmoid(logit));
            doubts.push(doubt.forward(doubt_numbers, row).outputs[0]);
        }
        let is_broken = self.eyes.is_broken(board, &candidates);
        let side = self.eyes.frame.order.side();
        let surest = (0..doubts.len()).max_by(|&a, &b| doubts[a].total_cmp(&doubts[b]));
        let doubted =
            surest.map(|node| (candidates[node] as usize / side, candidates[node] as usize % side));
        let doubt = match doubts.is_empty() || is_broken {
            true => f32::from(u8::from(is_broken)),
            false => sigmoid(pooled(&doubts)),
        };
        Insight { rules: probabilities, doubt, doubted, is_broken, is_settled }
    }
}

impl Eyes {
    fn new(config: &HeadsConfig, network: &Config, parameters: &[f32], order: Order) -> Eyes {
        let weights = Arc::new(Weights::new(network, parameters));
        Eyes { network: network.clone(), weights, frame: Frame::new(order), config: config.clone() }
    }
}

/// The numbers of a tensor of a file, as many as there must be.
fn read(tensors: &Tensors, name: &str, count: usize) -> Result<Vec<f32>, CheckpointError> {
    let tensor = tensors.get(name).filter(|tensor| tensor.values.len() == count);
    let tensor = tensor
        .ok_or_else(|| CheckpointError::Unfit(format!("{name} is missing or has another shape")))?;
    Ok(tensor.values.clone())
}

/// Both heads as tensors of a file, with the mark of the network that they were learned on.
fn write(shapes: [Perceptron; 2], numbers: &[f32], answer: &[f32]) -> Tensors {
    let row = |values: &[f32]| HostTensor { shape: vec![values.len()], values: values.to_vec() };
    let (rules, doubt) = numbers.split_at(shapes[0].len());
    [("rules", rules), ("doubt", doubt), ("network", answer)]
        .map(|(name, values)| (name.to_string(), row(values)))
        .into_iter()
        .collect()
}

fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// The logarithm of the mean of the exponentials.
fn pooled(logits: &[f32]) -> f32 {
    let highest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let sum: f32 = logits.iter().map(|logit| (logit - highest).exp()).sum();
    highest + (sum / logits.len() as f32).ln()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::{Weights, load_heads};
    use ninefold::grid::{Grid, Symmetry};
    use ninefold::random::Random;

    fn numbers(text: &str) -> Vec<u8> {
        text.parse::<Grid>().unwrap().numbers().collect()
    }

    const EASY: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    #[test]
    fn the_published_settings_have_as_many_parameters_as_they_say() {
        let count: usize = HeadsConfig::default().shapes(64).iter().map(|shape| shape.len()).sum();
        assert_eq!(count, PARAMETERS);
    }

    #[test]
    fn a_wrong_digit_is_doubted_and_a_right_one_is_not() {
        let (heads, _) = load_heads(Weights::Shipped).unwrap();
        let mut board = numbers(EASY);
        let right = heads.look_at(&board);
        assert!(right.doubt < 0.1 && !right.is_broken && right.is_settled, "{}", right.doubt);
        // r1c3 may be 1, 2 or 4; 4 is right.
        board[2] = 1;
        let wrong = heads.look_at(&board);
        assert!(
            wrong.doubt > 0.9 && !wrong.is_settled && wrong.doubted.is_some(),
            "{}",
            wrong.doubt
        );
        board[2] = 5;
        assert!(heads.look_at(&board).is_broken, "a second 5 in row 1 is no matter of doubt");
    }

    #[test]
    fn the_reasons_of_an_image_are_the_images_of_the_reasons() {
        let (heads, _) = load_heads(Weights::Shipped).unwrap();
        let grid: Grid = EASY.parse().unwrap();
        let told = heads.look_at(&numbers(EASY));
        assert!(told.rules.iter().any(|&probability| probability > 0.9));
        let twin = Symmetry::random(Order::NINE, &mut Random::new(7)).image(&grid);
        let image = heads.look_at(&twin.numbers().collect::<Vec<u8>>());
        let sorted = |insight: &Insight| {
            let mut all = insight.rules.clone();
            all.sort_by(f32::total_cmp);
            all
        };
        let pairs = sorted(&told).into_iter().zip(sorted(&image));
        assert!(pairs.into_iter().all(|(one, other)| (one - other).abs() < 1e-2));
        assert!((told.doubt - image.doubt).abs() < 1e-2);
    }

    #[test]
    fn a_full_board_and_other_sizes_are_looked_at_too() {
        let (heads, _) = load_heads(Weights::Shipped).unwrap();
        let four = heads.for_size(Order::FOUR);
        let full = four.look_at(&numbers("1234341223414123"));
        assert_eq!((full.doubt, full.is_broken, full.doubted), (0.0, false, None));
        let open = four.look_at(&numbers("1234341223..4123"));
        assert_eq!((open.rules.len(), open.doubt < 0.5), (64 * RULES, true));
    }

    #[test]
    fn heads_of_other_weights_are_refused() {
        let network = Config::tiny();
        let parameters = Spans::new(&network).draw(&mut Random::new(1));
        let config = HeadsConfig { looks: vec![1], rule_units: 2, doubt_units: 2 };
        let shapes = config.shapes(network.width);
        let numbers: Vec<f32> =
            shapes.iter().flat_map(|shape| shape.draw(&mut Random::new(2))).collect();
        let answer = Spans::new(&network).answer.of(&parameters).to_vec();
        let tensors = write(shapes, &numbers, &answer);
        assert!(Heads::new(&config, &tensors, &network, &parameters, Order::FOUR).is_ok());
        let others = Spans::new(&network).draw(&mut Random::new(9));
        let refused = Heads::new(&config, &tensors, &network, &others, Order::FOUR).unwrap_err();
        assert!(refused.to_string().contains("other weights"), "{refused}");
    }
}
