//! Which rules apply on this board, and where? A head that answers for every candidate of a position.
//!
//! The network sees a partly filled board, and says for each digit of each cell and each of the six rules whether the
//! rule places the digit there or strikes it out, on this board, now. Its answer can be checked candidate by candidate.
//! It is asked, and held to the rules, only about digits that are still open in empty cells: about all others there is
//! nothing to say.
//!
//! The head looks at the states that a cell of the recurrent relational network has after each of its first steps, or at
//! those of a network whose states belong to candidates ([`relations`]). The network below may be left as it is, may
//! learn the rules, or may learn the rules and go on learning to solve. To know what its states are worth, the same head
//! can be put on the bare candidates of the cell and its peers, or on their numbers, without any network.

use super::labels::{self, RULES};
use super::relations;
use crate::device::Engine;
use crate::inference::decoding::Decoding;
use crate::models::encoding::Encoding;
use crate::models::{ModelConfig, Network, rrn};
use crate::ops::dense::Dense;
use crate::parallel;
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
use serde::{Deserialize, Serialize};

/// Whose network is asked about boards.
pub(crate) const AUTHORS: &str = "Cheewaprakobkit and others 2023, asked about boards";

/// Whose question is asked of another network.
pub(crate) const RELATIONS_AUTHORS: &str =
    "Cheewaprakobkit and others 2023, asked about boards, without their network";

/// The parameters of [`Config::paper`] for 9×9.
pub(crate) const PARAMETERS: usize = 507_200;

/// The parameters of [`Config::relations`] for 9×9.
pub(crate) const RELATIONS_PARAMETERS: usize = 57_542;

/// What the head looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sees {
    /// The states of a cell after each step of the network, which learns along.
    States,
    /// The same states of a network that stays as it is.
    FrozenStates,
    /// The candidates of the cell and of its peers.
    Candidates,
    /// How many candidates the cell has, and the digit in its houses.
    Counts,
    /// The states of the candidates, which learn along.
    Relations,
}

/// The settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// What the head looks at.
    pub sees: Sees,
    /// Hidden units between a state and the rules.
    pub between: usize,
    /// The weight of the digits of the solution in the loss, beside the rules; with 0 the network below forgets how to
    /// solve.
    #[serde(default)]
    pub digits: f64,
    /// The network below, if it has states for cells. The head looks at as many steps as this one learns with.
    pub rrn: rrn::Config,
    /// The network below, if it has states for candidates.
    #[serde(default)]
    pub relations: relations::Config,
}

impl Config {
    /// The head on states of candidates.
    pub fn relations() -> Config {
        Config { sees: Sees::Relations, between: 64, ..Config::paper() }
    }

    /// The network of the paper with a head for each cell; patterns are found in fewer steps than solutions.
    pub fn paper() -> Config {
        let rrn = rrn::Config { steps: 8, answer_steps: 8, ..rrn::Config::paper() };
        Config {
            sees: Sees::States,
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
        match self.sees {
            Sees::States | Sees::FrozenStates => self.rrn.encoding(),
            Sees::Candidates | Sees::Counts | Sees::Relations => Encoding::Candidates,
        }
    }

    fn decoding(&self) -> Decoding {
        self.rrn.decoding()
    }

    /// Where only rules are learned, the digits of the network below are forgotten on the way.
    fn solves(&self) -> bool {
        self.digits > 0.0
    }

    fn validate(&self, order: Order) -> Result<(), String> {
        if self.between == 0 {
            return Err("the head for the rules needs at least one hidden unit".to_string());
        }
        if !(self.digits >= 0.0 && self.digits.is_finite()) {
            return Err("the weight of the digits in the loss cannot be negative".to_string());
        }
        if self.digits > 0.0 && self.sees != Sees::States {
            return Err("digits can only be learned by states that are trained too".to_string());
        }
        self.rrn.validate(order)?;
        self.relations.validate()
    }

    fn build<B: Engine>(&self, order: Order, random: &mut Random, device: &B::Device) -> Model<B> {
        let has_cells = matches!(self.sees, Sees::States | Sees::FrozenStates);
        let rrn = has_cells.then(|| self.rrn.build(order, random, device));
        let relations =
            (self.sees == Sees::Relations).then(|| self.relations.build(order, random, device));
        let neighbours = order.peers_of(order.cell(0, 0)).len();
        // What is seen of a candidate tells about its digit alone, all else about every digit of its cell.
        let (inputs, digits) = match self.sees {
            Sees::States | Sees::FrozenStates => (self.rrn.hidden * self.rrn.steps, order.side()),
            Sees::Candidates => (order.side() * (neighbours + 1), order.side()),
            Sees::Counts => (relations::COUNTS, 1),
            Sees::Relations => (self.relations.width, 1),
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
            counts: self.sees == Sees::Counts,
            frozen: self.sees == Sees::FrozenStates,
        }
    }

    /// What the six rules say about each candidate, `[batch, cells, digits · rules]`, beside it which digits are open,
    /// `[batch, cells, digits]`, and beside these the digits of the solution, `[batch, cells, digits]`.
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

/// The head on the recurrent relational network: positions on the path that the six rules take, and puzzles with random
/// cells revealed.
///
/// The gradient norm is clipped to 1. The rate rises and falls in stages; how long each takes depends on the hardware.
pub fn recipe() -> Experiment<Config> {
    let rrn = rrn::recipe(rrn::Config::paper());
    let augmentation = Some(Augmentation { givens: [17, 60], twins: true, on_solving_path: true });
    let schedule = [(1, 1e-4), (70, 8e-4), (11, 3e-4), (8, 1e-4), (13, 3e-5)];
    Experiment {
        solved_per_stage: 0,
        data: DatasetConfig { augmentation, ..rrn.data.clone() },
        stages: schedule.map(|(epochs, rate)| Stage::new(epochs, rate)).to_vec(),
        optimizer: OptimizerConfig { weight_decay: 0.0, max_grad_norm: 1.0 },
        ..rrn.with_model(Config::paper())
    }
}

/// The head on states of candidates.
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
        self.head(self.seen(board))
    }

    /// From what is seen of each cell or of each candidate to `[batch, cells, digits · rules]`.
    fn head(&self, seen: Tensor<B, 3>) -> Tensor<B, 3> {
        let batch = seen.dims()[0];
        let side = self.box_rows * self.box_columns;
        self.rules.on_nodes(relu(self.between.on_nodes(seen))).reshape([
            batch,
            side * side,
            side * RULES,
        ])
    }

    /// What the head looks at.
    fn seen(&self, board: Tensor<B, 3>) -> Tensor<B, 3> {
        match (&self.relations, &self.rrn) {
            (Some(relations), _) => relations.states(board),
            (None, None) if self.counts => relations::counts(self.order(), board),
            (None, None) => self.with_peers(board),
            (None, Some(rrn)) => {
                let rrn = if self.frozen { rrn.clone().no_grad() } else { rrn.clone() };
                one_trail(rrn.hidden_states(board, self.steps).collect())
            }
        }
    }

    fn order(&self) -> Order {
        Order::boxes(self.box_rows, self.box_columns).expect("the network was built for this order")
    }

    /// The candidates of each cell and then those of its peers in reading order, `[batch, cells, digits · (peers + 1)]`.
    fn with_peers(&self, candidates: Tensor<B, 3>) -> Tensor<B, 3> {
        let [batch, cells, digits] = candidates.dims();
        let order = self.order();
        let places: Vec<i32> = order
            .cells()
            .flat_map(|cell| std::iter::once(cell).chain(order.peers_of(cell).iter().copied()))
            .map(|cell| cell.index() as i32)
            .collect();
        let each = places.len() / cells;
        let places: Tensor<B, 1, Int> =
            Tensor::from_data(TensorData::new(places, [cells * each]), &candidates.device());
        candidates.select(1, places).reshape([batch, cells, each * digits])
    }
}

impl<B: Engine> Network<B> for Model<B> {
    /// The network below was built to solve; without one, no digit is likelier than another.
    fn forward(&self, board: Tensor<B, 3>) -> Tensor<B, 3> {
        match &self.rrn {
            Some(rrn) => rrn.forward(board),
            None => board.zeros_like(),
        }
    }

    fn loss(&self, board: Tensor<B, 3>, targets: Tensor<B, 3>) -> Tensor<B, 1> {
        self.loss_after(board, targets, None)
    }

    /// The rules, over open candidates alone; where digits count, they are learned after each of this many recurrences,
    /// while the head looks at no more than its own.
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
        let asked = open.reshape([batch, cells * side, 1]).repeat_dim(2, RULES).reshape([
            batch,
            cells,
            side * RULES,
        ]);
        let of_rules = |told| losses::masked_binary_cross_entropy(told, rules, asked);
        match &self.rrn {
            Some(rrn) if self.digits > 0.0 => {
                let recurrences = recurrences.unwrap_or(self.steps).max(self.steps);
                let states: Vec<Tensor<B, 3>> = rrn.hidden_states(board, recurrences).collect();
                let told = self.head(one_trail(states[..self.steps].to_vec()));
                let of_digits = rrn.losses_of(states, part(planes - side, planes)).mean();
                of_rules(told) + of_digits * self.digits
            }
            _ => of_rules(self.rules(board)),
        }
    }
}

/// The states of each cell after all steps, beside each other.
fn one_trail<B: Backend>(states: Vec<Tensor<B, 3>>) -> Tensor<B, 3> {
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
    fn the_head_adds_316_086_parameters_to_the_papers_network_and_2_502_to_relations() {
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
    fn a_handful_of_boards_is_learned_by_heart() {
        let order = Order::boxes(2, 3).unwrap();
        let puzzles = DatasetConfig { train: 4, ..DatasetConfig::of(Source::Minimal) }
            .make(order, Split::Train, 1, 1)
            .unwrap();
        let augmentation = Augmentation { givens: [14, 14], twins: false, on_solving_path: false };
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
    fn what_is_not_open_costs_nothing() {
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
                    "cell {cell}: only what is open can be placed or removed"
                );
            }
        }
    }

    #[test]
    fn whatever_it_sees_it_answers_for_every_candidate() {
        let board = [1u8, 0, 0, 4, 0, 0, 1, 0, 0, 3, 0, 0, 4, 0, 0, 3];
        let examples = Examples::read("1..4..1..3..4..3\n".as_bytes(), Order::FOUR).unwrap();
        for sees in
            [Sees::States, Sees::FrozenStates, Sees::Candidates, Sees::Counts, Sees::Relations]
        {
            let config = Config { sees, ..Config::tiny() };
            let network: Model<Cpu> =
                config.build(Order::FOUR, &mut Random::new(1), &Default::default());
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
    fn digits_count_as_much_as_they_are_told_to_and_for_as_long() {
        let examples = Examples::read("1..4..1..3..4..3\n".as_bytes(), Order::FOUR).unwrap();
        let loss = |digits: f64, recurrences: usize| -> f32 {
            let config = Config { sees: Sees::States, digits, ..Config::tiny() };
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
        assert_eq!(
            loss(0.0, 4),
            loss(0.0, 6),
            "rules are read after the same steps however many are taken"
        );
        let (once, twice) = (loss(1.0, 4) - loss(0.0, 4), loss(2.0, 4) - loss(0.0, 4));
        assert!(once > 0.5 && (twice - 2.0 * once).abs() < 1e-4, "{once}, {twice}");
        assert_ne!(loss(1.0, 4), loss(1.0, 6));
        assert_eq!(loss(1.0, 1), loss(1.0, 4), "all that the head looks at is learned");
        let frozen = Config { sees: Sees::FrozenStates, digits: 1.0, ..Config::tiny() };
        assert!(frozen.validate(Order::FOUR).is_err());
        assert!(Config { digits: -1.0, ..Config::paper() }.validate(Order::NINE).is_err());
    }
}
