//! A head that predicts, for every candidate of a board, which rules apply to it.
//!
//! A head is a small network that uses the states of another network, the network below. For each
//! digit of each cell of a partly filled board and each of the six rules, this head predicts
//! whether the rule places or eliminates the digit on this board. Each prediction can be checked
//! separately. Training and evaluation use open candidates only: the digits of empty cells that no
//! filled cell excludes.
//!
//! The network below is either the recurrent relational network, which provides the states of a
//! cell after each of its first steps, or a network with one state per candidate ([`relations`]).
//! It can be fixed, learn the rules only, or learn the rules and continue to learn solving. There
//! are two baselines without a network: the head receives the candidates of the cell and its peers,
//! or only their counts.

use super::labels::{self, RULES};
use super::relations;
use crate::device::Engine;
use crate::inference::decoding::Decoding;
use crate::models::encoding::Encoding;
use crate::models::{ModelConfig, Network, cells_and_side, rrn};
use crate::ops::dense::Dense;
use crate::training::adam::OptimizerConfig;
use crate::training::data::{Augmentation, DatasetConfig, Examples};
use crate::training::experiment::{Experiment, Stage};
use crate::training::losses;
use burn::module::Module;
use burn::tensor::activation::relu;
use burn::tensor::backend::Backend;
use burn::tensor::{Int, Tensor, TensorData};
use ninefold::grid::Order;
use ninefold::random::Random;
use ninefold_training::memory::NetworkSize;
use ninefold_training::parallel;
use serde::{Deserialize, Serialize};

/// Authors of the network.
pub(crate) const AUTHORS: &str = "Cheewaprakobkit and others 2023, on boards";

/// Authors of the task; the network is another one.
pub(crate) const RELATIONS_AUTHORS: &str =
    "Cheewaprakobkit and others 2023, on boards, without their network";

/// Parameter count of [`Config::paper`] for 9×9.
pub(crate) const PARAMETERS: usize = 507_200;

/// Parameter count of [`Config::relations`] for 9×9.
pub(crate) const RELATIONS_PARAMETERS: usize = 57_542;

/// Input of the head.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HeadInput {
    /// The states of a cell after each step of the recurrent relational network, which is trained
    /// as well.
    States,
    /// The same states, but the recurrent relational network is not trained.
    FrozenStates,
    /// The candidates of the cell and of its peers.
    Candidates,
    /// The number of candidates of the cell, and of the digit in its houses.
    Counts,
    /// The states of the candidates; their network is trained as well.
    Relations,
}

/// Settings of the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Input of the head.
    #[serde(rename = "sees")]
    pub input: HeadInput,
    /// Hidden units between a state and the rules.
    pub between: usize,
    /// Weight of the digits of the solution in the loss, relative to the rules. With 0 the network
    /// below loses its ability to solve.
    #[serde(default)]
    pub digits: f64,
    /// Settings of the network with states per cell. The head uses as many steps as this network in
    /// training.
    pub rrn: rrn::Config,
    /// Settings of the network with states per candidate.
    #[serde(default)]
    pub relations: relations::Config,
}

impl Config {
    /// The head on the network with states per candidate.
    pub fn relations() -> Config {
        Config { input: HeadInput::Relations, between: 64, ..Config::paper() }
    }

    /// The network of the paper with a head for each cell. Eight steps suffice, because patterns
    /// are found earlier than solutions.
    pub fn paper() -> Config {
        let rrn = rrn::Config { steps: 8, answer_steps: 8, ..rrn::Config::paper() };
        Config {
            input: HeadInput::States,
            between: 384,
            digits: 0.0,
            rrn,
            relations: relations::Config::default(),
        }
    }

    /// Small enough for tests.
    pub fn tiny() -> Config {
        Config {
            between: 16,
            rrn: rrn::Config::tiny(),
            relations: relations::Config::tiny(),
            ..Config::relations()
        }
    }
}

impl ModelConfig for Config {
    type Network<B: Engine> = Model<B>;

    fn encoding(&self) -> Encoding {
        match self.input {
            HeadInput::States | HeadInput::FrozenStates => self.rrn.encoding(),
            HeadInput::Candidates | HeadInput::Counts | HeadInput::Relations => {
                Encoding::Candidates
            }
        }
    }

    fn decoding(&self) -> Decoding {
        self.rrn.decoding()
    }

    /// Without a digit loss, training destroys the ability of the network below to solve.
    fn solves(&self) -> bool {
        self.digits > 0.0
    }

    fn validate(&self, order: Order) -> Result<(), String> {
        if self.between == 0 {
            return Err("the rule head needs at least one hidden unit".to_string());
        }
        if !(self.digits >= 0.0 && self.digits.is_finite()) {
            return Err("the weight of the digits must be finite and not negative".to_string());
        }
        if self.digits > 0.0 && self.input != HeadInput::States {
            return Err("a digit loss needs sees = \"states\"".to_string());
        }
        self.rrn.validate(order)?;
        self.relations.validate()
    }

    fn size(&self, order: Order, recurrences: Option<usize>) -> NetworkSize {
        let (cells, side) = cells_and_side(order);
        let below = match self.input {
            HeadInput::States | HeadInput::FrozenStates => self.rrn.size(order, recurrences),
            HeadInput::Relations => self.relations.size(order),
            HeadInput::Candidates | HeadInput::Counts => NetworkSize::default(),
        };
        let between = self.between as f64;
        let inputs = match self.input {
            HeadInput::States | HeadInput::FrozenStates => {
                self.rrn.hidden as f64 * self.rrn.steps as f64
            }
            HeadInput::Relations => self.relations.width as f64,
            HeadInput::Candidates => side,
            HeadInput::Counts => relations::COUNTS as f64,
        };
        let head = between * (inputs + RULES as f64);
        below + NetworkSize::new(head, cells * (inputs + between))
    }

    fn build<B: Engine>(&self, order: Order, random: &mut Random, device: &B::Device) -> Model<B> {
        let has_cells = matches!(self.input, HeadInput::States | HeadInput::FrozenStates);
        let rrn = has_cells.then(|| self.rrn.build(order, random, device));
        let relations = (self.input == HeadInput::Relations)
            .then(|| self.relations.build(order, random, device));
        let neighbours = order.peers_of(order.cell(0, 0)).len();
        // States of candidates belong to one digit; all other inputs belong to all digits of a
        // cell.
        let (inputs, digits) = match self.input {
            HeadInput::States | HeadInput::FrozenStates => {
                (self.rrn.hidden * self.rrn.steps, order.side())
            }
            HeadInput::Candidates => (order.side() * (neighbours + 1), order.side()),
            HeadInput::Counts => (relations::COUNTS, 1),
            HeadInput::Relations => (self.relations.width, 1),
        };
        Model {
            rrn,
            relations,
            between: Dense::new(inputs, self.between, random, device),
            rules: Dense::new(self.between, digits * RULES, random, device),
            box_rows: order.box_rows(),
            box_columns: order.box_columns(),
            steps: self.rrn.steps,
            digits: self.digits,
            counts: self.input == HeadInput::Counts,
            frozen: self.input == HeadInput::FrozenStates,
        }
    }

    /// The rule labels of each candidate, `[batch, cells, digits · rules]`, the mask of open
    /// candidates, `[batch, cells, digits]`, and the digits of the solution, `[batch, cells,
    /// digits]`, concatenated.
    fn targets<B: Engine>(
        &self,
        order: Order,
        examples: &Examples,
        batch: &[usize],
        device: &B::Device,
    ) -> Tensor<B, 3> {
        let (cells, side) = (order.cell_count(), order.side());
        let tensor = |values: Vec<Vec<f32>>, planes: usize| -> Tensor<B, 3> {
            Tensor::from_data(
                TensorData::new(values.concat(), [batch.len(), cells, planes]),
                device,
            )
        };
        let rules =
            parallel::map(batch, |&index| labels::of_board(order, examples.puzzle(index), false));
        let open = parallel::map(batch, |&index| labels::open(order, examples.puzzle(index)));
        let solutions =
            losses::targets(order, batch.iter().map(|&index| examples.solution(index)), device);
        Tensor::cat(vec![tensor(rules, side * RULES), tensor(open, side), solutions], 2)
    }
}

/// The head on the recurrent relational network: positions on the solving path of the six rules,
/// and puzzles with random cells revealed.
///
/// The gradient norm is clipped to 1. The learning rate rises and falls in stages; their duration
/// depends on the hardware.
pub fn recipe() -> Experiment<Config> {
    let rrn = rrn::recipe(rrn::Config::paper());
    let augmentation =
        Some(Augmentation { givens: [17, 60], symmetries: true, on_solving_path: true });
    let schedule = [(1, 1e-4), (70, 8e-4), (11, 3e-4), (8, 1e-4), (13, 3e-5)];
    Experiment {
        solved_per_stage: 0,
        data: DatasetConfig { augmentation, ..rrn.data.clone() },
        stages: schedule.map(|(epochs, rate)| Stage::new(epochs, rate)).to_vec(),
        optimizer: OptimizerConfig { weight_decay: 0.0, max_grad_norm: 1.0 },
        ..rrn.with_model(Config::paper())
    }
}

/// The head on the network with states per candidate.
pub fn relations_recipe() -> Experiment<Config> {
    Experiment {
        batch_size: 512,
        stages: vec![
            Stage::new(2, 5e-4),
            Stage::new(40, 2e-3),
            Stage::new(12, 5e-4),
            Stage::new(6, 1e-4),
        ],
        ..recipe().with_model(Config::relations())
    }
}

/// The head, and the network below if there is one.
#[derive(Module, Debug)]
pub struct Model<B: Backend> {
    rrn: Option<rrn::Model<B>>,
    relations: Option<relations::Model<B>>,
    between: Dense<B>,
    rules: Dense<B>,
    box_rows: usize,
    box_columns: usize,
    steps: usize,
    digits: f64,
    counts: bool,
    frozen: bool,
}

impl<B: Engine> Model<B> {
    /// The logit of each rule for each candidate, `[batch, cells, digits · rules]`.
    pub(super) fn rules(&self, board: Tensor<B, 3>) -> Tensor<B, 3> {
        self.head(self.features(board))
    }

    /// Maps the features of each cell or candidate to `[batch, cells, digits · rules]`.
    fn head(&self, features: Tensor<B, 3>) -> Tensor<B, 3> {
        let batch = features.dims()[0];
        let side = self.box_rows * self.box_columns;
        self.rules.on_nodes(relu(self.between.on_nodes(features))).reshape([
            batch,
            side * side,
            side * RULES,
        ])
    }

    /// The features that the head receives.
    fn features(&self, board: Tensor<B, 3>) -> Tensor<B, 3> {
        match (&self.relations, &self.rrn) {
            (Some(relations), _) => relations.states(board),
            (None, None) if self.counts => relations::counts(self.order(), board),
            (None, None) => self.with_peers(board),
            (None, Some(rrn)) => {
                let rrn = if self.frozen { rrn.clone().no_grad() } else { rrn.clone() };
                concat_steps(rrn.hidden_states(board, self.steps).collect())
            }
        }
    }

    fn order(&self) -> Order {
        Order::new(self.box_rows, self.box_columns).expect("the network was built for this order")
    }

    /// The candidates of each cell, followed by those of its peers in reading order, `[batch,
    /// cells, digits · (peers + 1)]`.
    fn with_peers(&self, candidates: Tensor<B, 3>) -> Tensor<B, 3> {
        let [batch, cells, digits] = candidates.dims();
        let order = self.order();
        let cell_indices: Vec<i32> = order
            .cells()
            .flat_map(|cell| std::iter::once(cell).chain(order.peers_of(cell).iter().copied()))
            .map(|cell| cell.index() as i32)
            .collect();
        let each = cell_indices.len() / cells;
        let cell_indices: Tensor<B, 1, Int> =
            Tensor::from_data(TensorData::new(cell_indices, [cells * each]), &candidates.device());
        candidates.select(1, cell_indices).reshape([batch, cells, each * digits])
    }
}

impl<B: Engine> Network<B> for Model<B> {
    /// The digits of the network below; without one, all digits have the same logit.
    fn forward(&self, board: Tensor<B, 3>) -> Tensor<B, 3> {
        match &self.rrn {
            Some(rrn) => rrn.forward(board),
            None => board.zeros_like(),
        }
    }

    fn loss(&self, board: Tensor<B, 3>, targets: Tensor<B, 3>) -> Tensor<B, 1> {
        self.loss_after(board, targets, None)
    }

    /// The loss of the rules over open candidates. If digits have a weight, their loss after each
    /// of `recurrences` steps is added; the head always uses its own number of steps.
    fn loss_after(
        &self,
        board: Tensor<B, 3>,
        targets: Tensor<B, 3>,
        recurrences: Option<usize>,
    ) -> Tensor<B, 1> {
        let [batch, cells, planes] = targets.dims();
        let side = self.box_rows * self.box_columns;
        let part = |from: usize, to: usize| targets.clone().slice([0..batch, 0..cells, from..to]);
        let (rules, open) = (part(0, side * RULES), part(side * RULES, side * RULES + side));
        let mask = open.reshape([batch, cells * side, 1]).repeat_dim(2, RULES).reshape([
            batch,
            cells,
            side * RULES,
        ]);
        let rule_loss = |logits| losses::masked_binary_cross_entropy(logits, rules, mask);
        match &self.rrn {
            Some(rrn) if self.digits > 0.0 => {
                let recurrences = recurrences.unwrap_or(self.steps).max(self.steps);
                let states: Vec<Tensor<B, 3>> = rrn.hidden_states(board, recurrences).collect();
                let logits = self.head(concat_steps(states[..self.steps].to_vec()));
                let digit_loss = rrn.losses_of(states, part(planes - side, planes)).mean();
                rule_loss(logits) + digit_loss * self.digits
            }
            _ => rule_loss(self.rules(board)),
        }
    }
}

/// Concatenates the states of each cell after all steps.
fn concat_steps<B: Backend>(states: Vec<Tensor<B, 3>>) -> Tensor<B, 3> {
    Tensor::cat(states, 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::{Cpu, TrainingCpu};
    use crate::training::adam::Adam;
    use crate::training::data::{Source, Split};
    use crate::training::train::train_step;

    #[test]
    fn heads_have_316_086_and_2_502_parameters() {
        let parameters = |config: Config| {
            config.build::<Cpu>(Order::NINE, &mut Random::new(1), &Default::default()).num_params()
        };
        assert_eq!(parameters(Config::paper()), 191_114 + (8 * 96 + 1) * 384 + (384 + 1) * 54);
        assert_eq!(parameters(Config::paper()), PARAMETERS);
        assert_eq!(PARAMETERS, 191_114 + 316_086);
        let round = (32 + 1) * 16 + (32 + 1) * 64 + 8 + (32 + 6 * 16 + 12 + 1) * 64 + (64 + 1) * 32;
        assert_eq!(parameters(Config::relations()), 32 + 4 * round + (32 + 1) * 64 + (64 + 1) * 6);
        assert_eq!(parameters(Config::relations()), RELATIONS_PARAMETERS);
    }

    #[test]
    fn memorises_a_handful_of_boards() {
        let order = Order::new(2, 3).unwrap();
        let puzzles = DatasetConfig { train: 4, ..DatasetConfig::new(Source::Minimal) }
            .load(order, Split::Train, 1, 1)
            .unwrap();
        let augmentation =
            Augmentation { givens: [14, 14], symmetries: false, on_solving_path: false };
        let boards = puzzles.augmented(&[0, 1, 2, 3], &augmentation, 1);
        let (config, device, stage) = (Config::tiny(), Default::default(), Stage::new(1, 0.01));
        let mut network = config.build::<TrainingCpu>(order, &mut Random::new(1), &device);
        let mut adam = Adam::new();
        let mut losses = Vec::new();
        for _ in 0..120 {
            let (next, loss) =
                train_step(&config, network, &mut adam, &boards, &[0, 1, 2, 3], &stage, &device);
            network = next;
            losses.push(loss.into_scalar());
        }
        assert!(losses[0] > 0.3 && losses[119] < 0.05, "{losses:?}");
    }

    #[test]
    fn only_open_candidates_have_labels() {
        let examples = Examples::read("1..4..1..3..4..3\n".as_bytes(), Order::FOUR).unwrap();
        let config = Config::tiny();
        let targets = config.targets::<Cpu>(Order::FOUR, &examples, &[0], &Default::default());
        assert_eq!(targets.dims(), [1, 16, 4 * 6 + 4 + 4]);
        let numbers: Vec<f32> = targets.into_data().into_vec().unwrap();
        for (cell, planes) in numbers.chunks(32).enumerate() {
            let open = &planes[24..28];
            assert!(
                examples.puzzle(0)[cell] == 0 || open.iter().all(|&open| open == 0.0),
                "cell {cell} is filled"
            );
            for (place, _) in planes[..24].iter().enumerate().filter(|(_, mark)| **mark > 0.0) {
                assert_eq!(
                    open[place / 6],
                    1.0,
                    "cell {cell}: only open candidates can have labels"
                );
            }
        }
    }

    #[test]
    fn every_input_gives_logits_for_every_candidate() {
        let board = [1u8, 0, 0, 4, 0, 0, 1, 0, 0, 3, 0, 0, 4, 0, 0, 3];
        let examples = Examples::read("1..4..1..3..4..3\n".as_bytes(), Order::FOUR).unwrap();
        for input in [
            HeadInput::States,
            HeadInput::FrozenStates,
            HeadInput::Candidates,
            HeadInput::Counts,
            HeadInput::Relations,
        ] {
            let config = Config { input, ..Config::tiny() };
            let network: Model<Cpu> =
                config.build(Order::FOUR, &mut Random::new(1), &Default::default());
            // A file with more parameters than its settings describe can be loaded, one with fewer
            // cannot.
            let bound = config.size(Order::FOUR, None).parameters;
            assert!(bound <= network.num_params() as f64, "{input:?}: {bound}");
            let board = || {
                config.encoding().batch::<Cpu>(
                    Order::FOUR,
                    [&board[..]].into_iter(),
                    &Default::default(),
                )
            };
            assert_eq!(network.rules(board()).dims(), [1, 16, 4 * 6]);
            assert_eq!(network.forward(board()).dims(), [1, 16, 4]);
            let targets = config.targets::<Cpu>(Order::FOUR, &examples, &[0], &Default::default());
            let loss: f32 = network.loss(board(), targets).into_scalar();
            assert!(loss > 0.1 && loss.is_finite(), "{loss}");
        }
    }

    #[test]
    fn digit_loss_has_its_weight_and_number_of_steps() {
        let examples = Examples::read("1..4..1..3..4..3\n".as_bytes(), Order::FOUR).unwrap();
        let loss = |digits: f64, recurrences: usize| -> f32 {
            let config = Config { input: HeadInput::States, digits, ..Config::tiny() };
            let network: Model<Cpu> =
                config.build(Order::FOUR, &mut Random::new(1), &Default::default());
            let board = config.encoding().batch(
                Order::FOUR,
                [examples.puzzle(0)].into_iter(),
                &Default::default(),
            );
            let targets = config.targets(Order::FOUR, &examples, &[0], &Default::default());
            network.loss_after(board, targets, Some(recurrences)).into_scalar()
        };
        assert_eq!(loss(0.0, 4), loss(0.0, 6), "the number of steps of the head is fixed");
        let (once, twice) = (loss(1.0, 4) - loss(0.0, 4), loss(2.0, 4) - loss(0.0, 4));
        assert!(once > 0.5 && (twice - 2.0 * once).abs() < 1e-4, "{once}, {twice}");
        assert_ne!(loss(1.0, 4), loss(1.0, 6));
        assert_eq!(loss(1.0, 1), loss(1.0, 4), "the loss includes at least the steps of the head");
        let frozen = Config { input: HeadInput::FrozenStates, digits: 1.0, ..Config::tiny() };
        assert!(frozen.validate(Order::FOUR).is_err());
        assert!(Config { digits: -1.0, ..Config::paper() }.validate(Order::NINE).is_err());
    }
}
