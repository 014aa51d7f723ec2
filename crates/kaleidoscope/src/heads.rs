//! Heads: small networks that predict more about a board from the states of Kaleidoscope.
//!
//! Kaleidoscope itself is not changed. It runs on a board for sixteen iterations, and the input of
//! a head for a candidate is the candidate's states after some of these iterations, concatenated.
//!
//! - **Rules**: which of the six rules of Cheewaprakobkit et al. place or eliminate this candidate
//!   on this board? `rem::board` in `ninefold-neural` answers the same question.
//! - **Doubt**: the probability that the board has no solution. Every candidate has a logit.
//!   The logit of the board is the logarithm of the mean of their exponentials. So a single
//!   candidate can decide, and its share of the sum shows where the contradiction is.
//!
//! Both are predictions, which callers should check: rules with the finders and the proof checker,
//! doubt with a search.

mod gradient;
mod learner;
mod perceptron;
mod report;

pub use learner::{MODEL, RulesExperiment, load, measure, recipe, train};
pub use report::DoubtReport;

use crate::decoding::{NodeLogits, is_complete};
use crate::forward::{Forward, Weights};
use crate::layout::{Frame, Layout, PuzzleNodes};
use crate::parameters::Spans;
use crate::{Config, noise};
use ninefold::grid::Order;
use ninefold_checkpoint::{CheckpointError, HostTensor, Tensors};
use ninefold_training::parallel;
use ninefold_training::rule_labels::RULES;
use perceptron::Perceptron;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The authors of the task.
pub const AUTHORS: &str = "Cheewaprakobkit and others 2023, on kaleidoscope";

/// The included weights, as a safetensors file.
pub const SHIPPED_WEIGHTS: &[u8] = include_bytes!("../weights/kaleidoscope-rules.safetensors");

/// The number of parameters of the default configuration.
pub const PARAMETERS: usize = (512 + 1) * 128 + (128 + 1) * RULES + (512 + 1) * 32 + 32 + 1;

/// The settings of the heads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HeadsConfig {
    /// The iterations whose states are the input of the heads, in increasing order.
    pub readout_iterations: Vec<usize>,
    /// Hidden units of the rule head.
    pub rule_units: usize,
    /// Hidden units of the doubt head.
    pub doubt_units: usize,
}

impl Default for HeadsConfig {
    fn default() -> HeadsConfig {
        HeadsConfig {
            readout_iterations: vec![1, 2, 3, 4, 6, 8, 12, 16],
            rule_units: 128,
            doubt_units: 32,
        }
    }
}

impl HeadsConfig {
    fn check(&self) -> Result<(), String> {
        let largest = self.readout_iterations.last().copied().unwrap_or(0);
        if largest > 10_000 || self.rule_units.max(self.doubt_units) > 100_000 {
            return Err("model: at most 10,000 iterations and 100,000 hidden units are supported"
                .to_string());
        }
        let increase = self.readout_iterations.is_sorted_by(|earlier, later| earlier < later);
        match self.readout_iterations.first() {
            Some(&first) if first > 0 && increase && self.rule_units > 0 && self.doubt_units > 0 => {
                Ok(())
            }
            _ => Err(
                "model: readout_iterations must be positive and increase, and each head needs hidden units"
                    .to_string(),
            ),
        }
    }

    /// The shapes of both heads for states of this width.
    fn shapes(&self, width: usize) -> [Perceptron; 2] {
        let inputs = self.readout_iterations.len() * width;
        [
            Perceptron { inputs, units: self.rule_units, outputs: RULES },
            Perceptron { inputs, units: self.doubt_units, outputs: 1 },
        ]
    }
}

/// The predictions of the heads for a board.
#[derive(Clone, Debug, PartialEq)]
pub struct BoardPrediction {
    /// The probability of each of the six rules for each digit of each cell, in the order cell,
    /// digit, rule; 0 for digits that the clues exclude.
    pub rules: Vec<f32>,
    /// The probability that the board has no solution.
    pub doubt: f32,
    /// The candidate that contributes most to the doubt: cell and digit, both counted from 0.
    pub doubted: Option<(usize, usize)>,
    /// Whether a cell has no candidate, or a digit no place in a house. Then `doubt` is 1.
    pub has_contradiction: bool,
    /// Whether the grid of the network after the last readout is a solution.
    pub is_solved: bool,
}

/// Kaleidoscope with both heads, for boards of one size.
#[derive(Clone, Debug)]
pub struct Heads {
    extractor: FeatureExtractor,
    /// The parameters of the rule head, then those of the doubt head.
    parameters: Arc<[f32]>,
}

/// Kaleidoscope with fixed weights, as the feature extractor of the heads.
#[derive(Clone, Debug)]
struct FeatureExtractor {
    network: Config,
    weights: Arc<Weights>,
    frame: Frame,
    config: HeadsConfig,
}

/// The input of the heads for a board.
struct BoardFeatures {
    /// The candidate of each node.
    candidates: Vec<i32>,
    /// The states of each node: `[nodes, readout_iterations · width]`.
    features: Vec<f32>,
    /// Whether the grid after the last readout is a solution.
    is_solved: bool,
}

impl FeatureExtractor {
    fn extract(&self, board: &[u8]) -> BoardFeatures {
        let nodes = PuzzleNodes::new(&self.frame, self.network.nodes, board);
        let layout = Layout::new(std::iter::once(&nodes));
        let (width, readout_iterations) = (self.network.width, &self.config.readout_iterations);
        let mut features = vec![0.0; nodes.candidates.len() * readout_iterations.len() * width];
        let mut forward = Forward::new(&self.weights);
        forward.set_layout(&self.frame, &layout);
        forward.begin(std::iter::repeat_n(noise::NONE, layout.len()));
        let mut iteration = 0;
        for (place, &readout) in readout_iterations.iter().enumerate() {
            while iteration < readout {
                forward.step();
                iteration += 1;
            }
            for (node, row) in
                features.chunks_exact_mut(readout_iterations.len() * width).enumerate()
            {
                row[place * width..][..width]
                    .iter_mut()
                    .zip(forward.state(node))
                    .for_each(|(to, from)| *to = from);
            }
        }
        let mut digits = board.to_vec();
        let candidates = nodes.candidates;
        NodeLogits {
            frame: &self.frame,
            puzzle: board,
            candidates: &candidates,
            logits: forward.logits(),
        }
        .fill(&mut digits);
        BoardFeatures { is_solved: is_complete(self.frame.order, &digits), candidates, features }
    }

    fn shapes(&self) -> [Perceptron; 2] {
        self.config.shapes(self.network.width)
    }

    /// Whether an empty cell has no candidate, or a digit no place in a house.
    fn has_contradiction(&self, board: &[u8], candidates: &[i32]) -> bool {
        let (order, side) = (self.frame.order, self.frame.order.side());
        let mut digits = vec![0u64; board.len()];
        candidates
            .iter()
            .for_each(|&node| digits[node as usize / side] |= 1 << (node as usize % side));
        let cell_has_none = |(cell, &number): (usize, &u8)| number == 0 && digits[cell] == 0;
        let house_lacks_digit = |house| {
            let cells = order.cells_in(house).iter().map(|cell| cell.index());
            let given = cells.clone().filter(|&cell| board[cell] > 0);
            let (count, given) = given
                .fold((0, 0u64), |(count, seen), cell| (count + 1, seen | 1 << (board[cell] - 1)));
            let possible = cells.fold(given, |seen, cell| seen | digits[cell]);
            given.count_ones() != count || possible != (1u64 << side) - 1
        };
        board.iter().enumerate().any(cell_has_none) || order.houses().any(house_lacks_digit)
    }
}

impl Heads {
    /// The heads of a file, with a network of another file, for boards of this size.
    fn new(
        config: &HeadsConfig,
        tensors: &Tensors,
        network: &Config,
        network_parameters: &[f32],
        order: Order,
    ) -> Result<Heads, CheckpointError> {
        let own = read(tensors, "network", network.width)?;
        let answer = Spans::new(network).answer.of(network_parameters);
        if own
            .iter()
            .zip(answer)
            .any(|(own, answer)| (own - answer).abs() > 1e-3 * (1.0 + answer.abs()))
        {
            return Err(CheckpointError::Unfit(
                "these heads were trained with other weights of kaleidoscope".to_string(),
            ));
        }
        let [rules, doubt] = config.shapes(network.width);
        let parameters =
            [read(tensors, "rules", rules.len())?, read(tensors, "doubt", doubt.len())?].concat();
        let extractor = FeatureExtractor::new(config, network, network_parameters, order);
        Ok(Heads { extractor, parameters: parameters.into() })
    }

    /// The same heads for boards of another size.
    #[must_use]
    pub fn for_size(&self, order: Order) -> Heads {
        Heads {
            extractor: FeatureExtractor { frame: Frame::new(order), ..self.extractor.clone() },
            ..self.clone()
        }
    }

    /// The size of the boards.
    pub fn order(&self) -> Order {
        self.extractor.frame.order
    }

    /// Predictions for several boards, on all cores.
    pub fn predict_all(&self, boards: &[&[u8]]) -> Vec<BoardPrediction> {
        parallel::map(boards, |board| self.predict(board))
    }

    /// Predictions for a board.
    pub fn predict(&self, board: &[u8]) -> BoardPrediction {
        let BoardFeatures { candidates, features, is_solved } = self.extractor.extract(board);
        let [rules, doubt] = self.extractor.shapes();
        let (rule_parameters, doubt_parameters) = self.parameters.split_at(rules.len());
        let mut probabilities = vec![0.0; self.extractor.frame.candidates() * RULES];
        let mut doubts = Vec::with_capacity(candidates.len());
        for (&candidate, row) in candidates.iter().zip(features.chunks_exact(rules.inputs)) {
            let outputs = rules.forward(rule_parameters, row).outputs;
            let place = &mut probabilities[candidate as usize * RULES..][..RULES];
            place.iter_mut().zip(outputs).for_each(|(place, logit)| *place = sigmoid(logit));
            doubts.push(doubt.forward(doubt_parameters, row).outputs[0]);
        }
        let has_contradiction = self.extractor.has_contradiction(board, &candidates);
        let side = self.extractor.frame.order.side();
        let most_doubted = (0..doubts.len()).max_by(|&a, &b| doubts[a].total_cmp(&doubts[b]));
        let doubted = most_doubted
            .map(|node| (candidates[node] as usize / side, candidates[node] as usize % side));
        let doubt = match doubts.is_empty() || has_contradiction {
            true => f32::from(u8::from(has_contradiction)),
            false => sigmoid(pooled(&doubts)),
        };
        BoardPrediction { rules: probabilities, doubt, doubted, has_contradiction, is_solved }
    }
}

impl FeatureExtractor {
    fn new(
        config: &HeadsConfig,
        network: &Config,
        parameters: &[f32],
        order: Order,
    ) -> FeatureExtractor {
        let weights = Arc::new(Weights::new(network, parameters));
        FeatureExtractor {
            network: network.clone(),
            weights,
            frame: Frame::new(order),
            config: config.clone(),
        }
    }
}

/// The values of a tensor of this length.
fn read(tensors: &Tensors, name: &str, count: usize) -> Result<Vec<f32>, CheckpointError> {
    let tensor = tensors.get(name).filter(|tensor| tensor.values.len() == count);
    let tensor = tensor
        .ok_or_else(|| CheckpointError::Unfit(format!("{name} is missing or has another shape")))?;
    Ok(tensor.values.clone())
}

/// Both heads as tensors of a file. It also contains the last weight of the network below, to
/// detect other weights.
fn write(shapes: [Perceptron; 2], parameters: &[f32], answer: &[f32]) -> Tensors {
    let row = |values: &[f32]| HostTensor { shape: vec![values.len()], values: values.to_vec() };
    let (rules, doubt) = parameters.split_at(shapes[0].len());
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
    use ninefold::grid::{Grid, Symmetry};
    use ninefold::random::Random;

    fn numbers(text: &str) -> Vec<u8> {
        text.parse::<Grid>().unwrap().numbers().collect()
    }

    fn shipped() -> Heads {
        let (metadata, tensors) =
            ninefold_checkpoint::read_bytes("the included heads", SHIPPED_WEIGHTS).unwrap();
        load(&metadata, &tensors).unwrap().0
    }

    const EASY: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    #[test]
    fn the_default_settings_have_the_documented_number_of_parameters() {
        let count: usize = HeadsConfig::default().shapes(64).iter().map(|shape| shape.len()).sum();
        assert_eq!(count, PARAMETERS);
    }

    #[test]
    fn wrong_digits_raise_the_doubt() {
        let heads = shipped();
        let mut board = numbers(EASY);
        let right = heads.predict(&board);
        assert!(
            right.doubt < 0.1 && !right.has_contradiction && right.is_solved,
            "{}",
            right.doubt
        );
        // The candidates of r1c3 are 1, 2 and 4; the solution has 4.
        board[2] = 1;
        let wrong = heads.predict(&board);
        assert!(
            wrong.doubt > 0.9 && !wrong.is_solved && wrong.doubted.is_some(),
            "{}",
            wrong.doubt
        );
        board[2] = 5;
        assert!(heads.predict(&board).has_contradiction, "a second 5 in row 1");
    }

    #[test]
    fn predictions_are_equivariant_under_symmetries() {
        let heads = shipped();
        let grid: Grid = EASY.parse().unwrap();
        let original = heads.predict(&numbers(EASY));
        assert!(original.rules.iter().any(|&probability| probability > 0.9));
        let symmetry = Symmetry::random(Order::NINE, &mut Random::new(7)).image(&grid);
        let image = heads.predict(&symmetry.numbers().collect::<Vec<u8>>());
        let sorted = |prediction: &BoardPrediction| {
            let mut all = prediction.rules.clone();
            all.sort_by(f32::total_cmp);
            all
        };
        let pairs = sorted(&original).into_iter().zip(sorted(&image));
        assert!(pairs.into_iter().all(|(one, other)| (one - other).abs() < 1e-2));
        assert!((original.doubt - image.doubt).abs() < 1e-2);
    }

    #[test]
    fn supports_full_boards_and_other_sizes() {
        let heads = shipped();
        let four = heads.for_size(Order::FOUR);
        let full = four.predict(&numbers("1234341223414123"));
        assert_eq!((full.doubt, full.has_contradiction, full.doubted), (0.0, false, None));
        let open = four.predict(&numbers("1234341223..4123"));
        assert_eq!((open.rules.len(), open.doubt < 0.5), (64 * RULES, true));
    }

    #[test]
    fn heads_of_other_weights_are_rejected() {
        let network = Config::tiny();
        let parameters = Spans::new(&network).draw(&mut Random::new(1));
        let config = HeadsConfig { readout_iterations: vec![1], rule_units: 2, doubt_units: 2 };
        let shapes = config.shapes(network.width);
        let numbers: Vec<f32> =
            shapes.iter().flat_map(|shape| shape.draw(&mut Random::new(2))).collect();
        let answer = Spans::new(&network).answer.of(&parameters).to_vec();
        let tensors = write(shapes, &numbers, &answer);
        assert!(Heads::new(&config, &tensors, &network, &parameters, Order::FOUR).is_ok());
        let others = Spans::new(&network).draw(&mut Random::new(9));
        let error = Heads::new(&config, &tensors, &network, &others, Order::FOUR).unwrap_err();
        assert!(error.to_string().contains("other weights"), "{error}");
    }
}
