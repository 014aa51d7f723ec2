//! Pimpa Cheewaprakobkit, Timothy K. Shih, Timothy Lau, Yu-Cheng Lin and Chih-Yang Lin, "Rule-based
//! Explaining Module: Enhancing the Interpretability of Recurrent Relational Network in Sudoku
//! Solving" (2023).
//!
//! A recurrent relational network solves a puzzle. A second network (REM) receives all its hidden
//! states and predicts which of six rules are in use: hidden single, naked single, pointing,
//! claiming, naked pair and hidden pair. The labels come from a solver that uses only these rules
//! and records which of them it needed for each digit. With 42 hidden units, both networks together
//! have exactly the 518,006 parameters of the paper.
//!
//! paper → code: r(hᵗ) → `Model::rules`, Rᵢᵗ → a row of its output, the step solver →
//! `ninefold::logic::six_rules`.
//!
//! This file reproduces the module of the paper, including its flaw: the state after step t is
//! compared with the rules that the solver needed for its t-th digit, although the network has
//! found most digits long before. [`board`] asks a question that can be checked: which rules apply
//! on this board, and where?

pub mod board;
pub mod board_report;
pub mod commitments;
pub mod explain;
pub(crate) mod labels;
pub mod networks;
pub mod relations;
pub mod report;

use crate::device::Engine;
use crate::inference::decoding::Decoding;
use crate::models::encoding::Encoding;
use crate::models::{ModelConfig, Network, StepOutputs, rrn};
use crate::onnx::{GraphBuilder, Value};
use crate::ops::dense::Dense;
use crate::training::data::{DatasetConfig, Examples};
use crate::training::experiment::{Experiment, Stage};
use crate::training::losses;
use burn::module::Module;
use burn::tensor::activation::relu;
use burn::tensor::backend::Backend;
use burn::tensor::{Tensor, TensorData};
use labels::RULES;
use ninefold::grid::Order;
use ninefold::random::Random;
use ninefold_training::memory::NetworkSize;
use ninefold_training::parallel;
use serde::{Deserialize, Serialize};

/// Authors of the paper.
pub(crate) const AUTHORS: &str = "Cheewaprakobkit and others 2023";

/// Parameter count of both networks of [`Config::paper`] for 9×9.
pub(crate) const PARAMETERS: usize = 518_006;

/// Settings of the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Hidden units between the states and the rules.
    pub between: usize,
    /// Whether the weights of the solving network stay fixed.
    pub frozen: bool,
    /// Settings of the solving network.
    pub rrn: rrn::Config,
}

impl Config {
    /// The published settings.
    pub fn paper() -> Config {
        Config { between: 42, frozen: false, rrn: rrn::Config::paper() }
    }

    /// Small enough for tests.
    pub fn tiny() -> Config {
        Config { between: 4, frozen: false, rrn: rrn::Config::tiny() }
    }
}

impl ModelConfig for Config {
    type Network<B: Engine> = Model<B>;

    fn encoding(&self) -> Encoding {
        self.rrn.encoding()
    }

    fn decoding(&self) -> Decoding {
        self.rrn.decoding()
    }

    fn validate(&self, order: Order) -> Result<(), String> {
        if self.between == 0 {
            return Err("the rule head needs at least one hidden unit".to_string());
        }
        if self.rrn.steps > order.cell_count() {
            return Err(format!("a {order} grid has fewer than {} digits", self.rrn.steps));
        }
        self.rrn.validate(order)
    }

    fn size(&self, order: Order, recurrences: Option<usize>) -> NetworkSize {
        let (between, states) =
            (self.between as f64, (order.cell_count() * self.rrn.hidden) as f64);
        let head = NetworkSize::new(between * (states + RULES as f64), between);
        self.rrn.size(order, recurrences) + head
    }

    /// Exports the digits only, without the rules.
    fn add_to_graph(&self, order: Order, graph: &mut GraphBuilder<'_>) -> Option<Value> {
        Some(rrn::onnx::logits(&self.rrn, order, graph, "rrn."))
    }

    fn build<B: Engine>(&self, order: Order, random: &mut Random, device: &B::Device) -> Model<B> {
        Model {
            rrn: self.rrn.build(order, random, device),
            between: Dense::new(order.cell_count() * self.rrn.hidden, self.between, random, device),
            rules: Dense::new(self.between, RULES, random, device),
            steps: self.rrn.steps,
            frozen: self.frozen,
        }
    }

    /// The digits of the solution, `[batch, cells, digits]`, followed by six planes for the rules:
    /// row t contains the rules that the solver needs for digit t.
    fn targets<B: Engine>(
        &self,
        order: Order,
        examples: &Examples,
        batch: &[usize],
        device: &B::Device,
    ) -> Tensor<B, 3> {
        let solutions =
            losses::targets(order, batch.iter().map(|&index| examples.solution(index)), device);
        let rows =
            parallel::map(batch, |&index| labels::path_labels(order, examples.puzzle(index)));
        let rows = TensorData::new(rows.concat(), [batch.len(), order.cell_count(), RULES]);
        Tensor::cat(vec![solutions, Tensor::from_data(rows, device)], 2)
    }
}

/// The published recipe: both networks on the original 17-clue puzzles, batches of 128, Adam at
/// 0.00002, 32 steps.
pub fn recipe() -> Experiment<Config> {
    let rrn = rrn::recipe(rrn::Config::paper());
    Experiment {
        batch_size: 128,
        data: DatasetConfig { augmentation: None, ..rrn.data.clone() },
        stages: vec![Stage::new(300, 2e-5)],
        ..rrn.with_model(Config::paper())
    }
}

/// The two networks.
#[derive(Module, Debug)]
pub struct Model<B: Backend> {
    /// The solving network.
    pub rrn: rrn::Model<B>,
    between: Dense<B>,
    rules: Dense<B>,
    steps: usize,
    frozen: bool,
}

impl<B: Engine> Model<B> {
    /// The logit of each rule, `[batch, rules]`, from all hidden states, `[batch, cells, hidden]`.
    pub(super) fn rules(&self, hidden: Tensor<B, 3>) -> Tensor<B, 2> {
        let [batch, cells, width] = hidden.dims();
        self.rules.forward(relu(self.between.forward(hidden.reshape([batch, cells * width]))))
    }
}

impl<B: Engine> Network<B> for Model<B> {
    fn forward(&self, board: Tensor<B, 3>) -> Tensor<B, 3> {
        self.rrn.forward(board)
    }

    fn forward_each_step(&self, board: Tensor<B, 3>) -> StepOutputs<'_, Tensor<B, 3>> {
        self.rrn.forward_each_step(board)
    }

    fn loss(&self, board: Tensor<B, 3>, targets: Tensor<B, 3>) -> Tensor<B, 1> {
        self.loss_after(board, targets, None)
    }

    /// The mean loss of the digits after each step plus the loss of the rules after each step, with
    /// equal weight.
    fn loss_after(
        &self,
        board: Tensor<B, 3>,
        targets: Tensor<B, 3>,
        steps: Option<usize>,
    ) -> Tensor<B, 1> {
        let [batch, cells, planes] = targets.dims();
        let steps = steps.unwrap_or(self.steps).min(cells);
        let solutions = targets.clone().slice([0..batch, 0..cells, 0..planes - RULES]);
        let rules = targets.slice([0..batch, 0..steps, planes - RULES..planes]); // [batch, steps, rules]
        // `no_grad` removes the graph of a frozen network; detaching only its states would keep all
        // steps in memory.
        let rrn = if self.frozen { self.rrn.clone().no_grad() } else { self.rrn.clone() };
        let states: Vec<Tensor<B, 3>> = rrn.hidden_states(board, steps).collect();
        // All steps as one batch, the first step of all puzzles first.
        let logits = self.rules(Tensor::cat(states.clone(), 0)); // [steps · batch, rules]
        let rules = rules.swap_dims(0, 1).reshape([steps * batch, RULES]);
        let for_rules = losses::binary_cross_entropy(logits, rules);
        match self.frozen {
            true => for_rules,
            false => for_rules + self.rrn.losses_of(states, solutions).mean(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::{Cpu, TrainingCpu};

    #[test]
    fn paper_networks_have_518_006_parameters() {
        let network: Model<Cpu> =
            Config::paper().build(Order::NINE, &mut Random::new(1), &Default::default());
        assert_eq!(network.num_params(), PARAMETERS);
        assert_eq!(network.rules(Tensor::zeros([2, 81, 96], &Default::default())).dims(), [2, 6]);
    }

    #[test]
    fn frozen_networks_get_no_gradients_but_the_module_does() {
        let examples = Examples::read("1..4..1..3..4..3\n".as_bytes(), Order::FOUR).unwrap();
        for frozen in [true, false] {
            let config = Config { frozen, ..Config::tiny() };
            let network: Model<TrainingCpu> =
                config.build(Order::FOUR, &mut Random::new(1), &Default::default());
            let board = [examples.puzzle(0)].into_iter();
            let board = config.encoding().batch(Order::FOUR, board, &Default::default());
            let targets = config.targets(Order::FOUR, &examples, &[0], &Default::default());
            let gradients = network.loss(board, targets).backward();
            assert!(network.rules.weight.val().grad(&gradients).is_some());
            let rrn_gradient = network.rrn.first_weight().grad(&gradients);
            assert_eq!(rrn_gradient.is_none(), frozen);
        }
    }

    #[test]
    fn targets_contain_digits_and_rules() {
        let examples = Examples::read("1..4..1..3..4..3\n".as_bytes(), Order::FOUR).unwrap();
        let targets: Tensor<Cpu, 3> =
            Config::tiny().targets(Order::FOUR, &examples, &[0], &Default::default());
        assert_eq!(targets.dims(), [1, 16, 4 + 6]);
        let numbers: Vec<f32> = targets.clone().into_data().into_vec().unwrap();
        let rules: Vec<&[f32]> = numbers.chunks(10).map(|row| &row[4..]).collect();
        // Ten digits are missing, and each is a hidden or a naked single. The rows after them are
        // empty.
        assert!(rules[..10].iter().all(|rules| rules[0] + rules[1] == 1.0), "{rules:?}");
        assert!(rules[10..].iter().all(|rules| rules.iter().all(|&rule| rule == 0.0)));
        let network: Model<Cpu> =
            Config::tiny().build(Order::FOUR, &mut Random::new(1), &Default::default());
        let board = Encoding::OneHotWithBlank.batch(
            Order::FOUR,
            [examples.puzzle(0)].into_iter(),
            &Default::default(),
        );
        let loss: f32 = network.loss_after(board, targets, Some(3)).into_scalar();
        assert!(loss > 0.5 && loss.is_finite(), "{loss}");
    }
}
