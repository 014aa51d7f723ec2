//! Which rules apply on this board, and where? A head that answers for every candidate of a position.
//!
//! The network sees a partly filled board, and says for each digit of each cell and each of the six rules whether the
//! rule places the digit there or strikes it out, on this board, now. Its answer can be checked candidate by candidate.
//! To know whether the states of the network help, the same head can be put on states that learn nothing for it, or on
//! the bare candidates of the cell and its peers, without any network.

use super::labels::{self, RULES};
use crate::data::{Examples, in_threads};
use crate::design::{Design, Network};
use crate::device::Engine;
use crate::encode::Encoding;
use crate::evaluate::Way;
use crate::layers::Dense;
use crate::losses;
use crate::rrn::{Rrn, RrnNetwork};
use burn::module::Module;
use burn::tensor::activation::relu;
use burn::tensor::backend::Backend;
use burn::tensor::{Int, Tensor, TensorData};
use ninefold::grid::Order;
use ninefold::random::Random;
use serde::{Deserialize, Serialize};

/// What the head looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sees {
    /// The states of the network, which learn along.
    States,
    /// The states of the network as they are.
    FrozenStates,
    /// The candidates of the cell and of its peers.
    Candidates,
}

/// The settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoardRules {
    /// What the head looks at.
    pub sees: Sees,
    /// Numbers between a state and the rules.
    pub between: usize,
    /// The network below.
    pub rrn: Rrn,
}

impl BoardRules {
    /// The network of the paper with a head for each cell; patterns are found in fewer steps than solutions.
    pub fn paper() -> BoardRules {
        BoardRules { sees: Sees::States, between: 192, rrn: Rrn { steps: 8, answer_steps: 8, ..Rrn::paper() } }
    }

    /// Small enough for tests.
    pub fn tiny() -> BoardRules {
        BoardRules { sees: Sees::States, between: 16, rrn: Rrn::tiny() }
    }
}

impl Design for BoardRules {
    type Network<B: Engine> = BoardRulesNetwork<B>;

    fn encoding(&self) -> Encoding {
        match self.sees {
            Sees::States | Sees::FrozenStates => self.rrn.encoding(),
            Sees::Candidates => Encoding::Candidates,
        }
    }

    fn way(&self) -> Way {
        self.rrn.way()
    }

    /// It learns rules; the digits of the network below are forgotten on the way.
    fn solves(&self) -> bool {
        false
    }

    fn refuses(&self, order: Order) -> Option<String> {
        let is_empty = self.between == 0;
        is_empty.then(|| "rules need at least one number to be told by".to_string()).or(self.rrn.refuses(order))
    }

    fn build<B: Engine>(&self, order: Order, random: &mut Random, device: &B::Device) -> BoardRulesNetwork<B> {
        let rrn = (self.sees != Sees::Candidates).then(|| self.rrn.build(order, random, device));
        let neighbours = order.peers_of(order.cell(0, 0)).len();
        let inputs = if rrn.is_some() { self.rrn.hidden } else { order.side() * (neighbours + 1) };
        BoardRulesNetwork {
            rrn,
            between: Dense::new(inputs, self.between, random, device),
            rules: Dense::new(self.between, order.side() * RULES, random, device),
            box_rows: order.box_rows(),
            box_columns: order.box_columns(),
            steps: self.rrn.steps,
            answer_steps: self.rrn.answer_steps,
            frozen: self.sees == Sees::FrozenStates,
        }
    }

    /// What the six rules say about each candidate, `[batch, cells, digits · rules]`.
    fn targets<B: Engine>(
        &self,
        order: Order,
        examples: &Examples,
        batch: &[usize],
        device: &B::Device,
    ) -> Tensor<B, 3> {
        let marks = in_threads(batch, |&index| labels::of_board(order, examples.puzzle(index), false));
        let shape = [batch.len(), order.cell_count(), order.side() * RULES];
        Tensor::from_data(TensorData::new(marks.concat(), shape), device)
    }
}

/// The head, and the network below if there is one.
#[derive(Module, Debug)]
pub struct BoardRulesNetwork<B: Backend> {
    rrn: Option<RrnNetwork<B>>,
    between: Dense<B>,
    rules: Dense<B>,
    box_rows: usize,
    box_columns: usize,
    steps: usize,
    answer_steps: usize,
    frozen: bool,
}

impl<B: Engine> BoardRulesNetwork<B> {
    /// The logit of each rule for each candidate, `[batch, cells, digits · rules]`.
    pub fn rules(&self, board: Tensor<B, 3>) -> Tensor<B, 3> {
        let seen = self.seen(board, self.answer_steps).pop().expect("there is at least one look");
        self.head(seen)
    }

    fn head(&self, seen: Tensor<B, 3>) -> Tensor<B, 3> {
        let on_cells = |layer: &Dense<B>, cells: Tensor<B, 3>| {
            cells.matmul(layer.weight.val().unsqueeze()) + layer.bias.val().unsqueeze()
        };
        on_cells(&self.rules, relu(on_cells(&self.between, seen)))
    }

    /// What the head looks at, after each step.
    fn seen(&self, board: Tensor<B, 3>, steps: usize) -> Vec<Tensor<B, 3>> {
        match &self.rrn {
            None => vec![self.with_peers(board)],
            Some(rrn) => {
                let states = rrn.think(board, steps);
                if self.frozen { states.map(Tensor::detach).collect() } else { states.collect() }
            }
        }
    }

    /// The candidates of each cell and then those of its peers in reading order, `[batch, cells, digits · (peers + 1)]`.
    fn with_peers(&self, candidates: Tensor<B, 3>) -> Tensor<B, 3> {
        let [batch, cells, digits] = candidates.dims();
        let order = Order::boxes(self.box_rows, self.box_columns).expect("the network was built for this order");
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

impl<B: Engine> Network<B> for BoardRulesNetwork<B> {
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

    fn loss_after(&self, board: Tensor<B, 3>, targets: Tensor<B, 3>, steps: Option<usize>) -> Tensor<B, 1> {
        let seen = self.seen(board, steps.unwrap_or(self.steps));
        let count = seen.len();
        losses::binary_cross_entropy(self.head(Tensor::cat(seen, 0)), targets.repeat_dim(0, count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Cpu;

    #[test]
    fn the_head_adds_29_046_parameters() {
        let network: BoardRulesNetwork<Cpu> =
            BoardRules::paper().build(Order::NINE, &mut Random::new(1), &Default::default());
        assert_eq!(network.num_params(), 191_114 + (96 + 1) * 192 + (192 + 1) * 54);
        assert_eq!(network.num_params(), 220_160);
    }

    #[test]
    fn whatever_it_sees_it_answers_for_every_candidate() {
        let board = [1u8, 0, 0, 4, 0, 0, 1, 0, 0, 3, 0, 0, 4, 0, 0, 3];
        let examples = Examples::read("1..4..1..3..4..3\n".as_bytes(), Order::FOUR).unwrap();
        for sees in [Sees::States, Sees::FrozenStates, Sees::Candidates] {
            let design = BoardRules { sees, ..BoardRules::tiny() };
            let network: BoardRulesNetwork<Cpu> = design.build(Order::FOUR, &mut Random::new(1), &Default::default());
            let board = || design.encoding().batch::<Cpu>(Order::FOUR, [&board[..]].into_iter(), &Default::default());
            assert_eq!(network.rules(board()).dims(), [1, 16, 4 * 6]);
            assert_eq!(network.forward(board()).dims(), [1, 16, 4]);
            let targets = design.targets::<Cpu>(Order::FOUR, &examples, &[0], &Default::default());
            let loss: f32 = network.loss(board(), targets).into_scalar();
            assert!(loss > 0.1 && loss.is_finite(), "{loss}");
        }
    }
}
