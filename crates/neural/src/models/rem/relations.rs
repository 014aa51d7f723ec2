//! A network with one state per candidate, for predicting rules.
//!
//! In every round a candidate receives two kinds of messages:
//!
//! - Sums over the states of other candidates: those of its digit in its row, column, box and the
//!   intersections of box and line, and those of its cell.
//! - Numbers of similar nodes. A node is a cell with its digits, or a digit of a house with its
//!   cells. A cell is compared with the other cells of a house, digit by digit; a digit of a house
//!   is compared with the other digits of the house, cell by cell.
//!
//! All cells and digits share the same weights, so a pattern learned for one pair of digits in one
//! house applies everywhere. Because cells with digits and digits with cells are treated alike,
//! hidden pairs are found like naked pairs, with cells and digits exchanged.
//!
//! Sums suffice for singles and for locked candidates: how many are in the box, and how many in the
//! intersection? Pairs need comparisons: sums cannot distinguish {12}{12}{3…} from {12}{13}{23}.

use crate::device::Engine;
use crate::ops::dense::Dense;
use crate::ops::init::glorot;
use burn::module::{Module, Param};
use burn::tensor::activation::relu;
use burn::tensor::backend::Backend;
use burn::tensor::{Tensor, TensorData};
use ninefold::grid::{Cell, Order};
use ninefold::random::Random;
use ninefold_training::memory::NetworkSize;
use serde::{Deserialize, Serialize};

/// Settings of the network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// Width of the state of a candidate.
    pub width: usize,
    /// Number of channels that are summed.
    pub added: usize,
    /// Number of channels per comparison.
    pub compared: usize,
    /// Number of different comparisons.
    pub ways: usize,
    /// Hidden units of the state update.
    pub between: usize,
    /// Number of rounds.
    pub rounds: usize,
}

impl Default for Config {
    fn default() -> Config {
        Config { width: 32, added: 16, compared: 4, ways: 2, between: 64, rounds: 4 }
    }
}

impl Config {
    /// Small enough for tests.
    pub fn tiny() -> Config {
        Config { width: 8, added: 4, compared: 2, ways: 2, between: 16, rounds: 3 }
    }

    /// A lower bound of its size in training.
    pub(super) fn size(&self, order: Order) -> NetworkSize {
        let candidates = (order.cell_count() * order.side()) as f64;
        let [width, added, compared, ways, between, rounds] =
            [self.width, self.added, self.compared, self.ways, self.between, self.rounds]
                .map(|number| number as f64);
        let inputs = width + added + ways * compared;
        let parameters = rounds * between * (inputs + width);
        NetworkSize::new(parameters, rounds * candidates * (inputs + between + width))
    }

    /// Checks that it can be built; the error is the reason.
    pub(super) fn validate(&self) -> Result<(), String> {
        let numbers = [self.width, self.added, self.compared, self.ways, self.between, self.rounds];
        match numbers.contains(&0) {
            true => Err("all settings of relations must be at least 1".to_string()),
            false => Ok(()),
        }
    }

    /// Builds an untrained network.
    pub(super) fn build<B: Engine>(
        &self,
        order: Order,
        random: &mut Random,
        device: &B::Device,
    ) -> Model<B> {
        Model {
            start: glorot([1, self.width], 1 + self.width, random, device),
            rounds: (0..self.rounds).map(|_| Round::new(self, random, device)).collect(),
            box_rows: order.box_rows(),
            box_columns: order.box_columns(),
        }
    }
}

/// The groups over which candidates of a digit are summed: row, column, box, and the intersections
/// of box and line.
const KINDS: usize = 5;
/// Comparisons: cells in rows, columns and boxes, and digits in rows, columns and boxes.
const COMPARISONS: usize = 6;
/// Views: cells, and the digits of rows, columns and boxes.
const VIEWS: usize = 4;

/// Number of values of [`counts`] per candidate.
pub(super) const COUNTS: usize = KINDS + 1;

/// For each candidate, the number of candidates of its digit in its row, column, box and their
/// intersections, and of its cell, divided by the side, `[batch, cells · digits, counts]`.
pub(super) fn counts<B: Engine>(order: Order, candidates: Tensor<B, 3>) -> Tensor<B, 3> {
    let [batch, cells, digits] = candidates.dims();
    let tables = Tables::new(order, &candidates.device());
    let open = candidates.reshape([batch, cells * digits, 1]);
    Tensor::cat(vec![tables.sums_of_digits(open.clone()), tables.sums_of_cells(open)], 2)
        / digits as f64
}

/// The layers.
#[derive(Module, Debug)]
pub struct Model<B: Backend> {
    /// Initial state of a candidate, `[1, width]`.
    start: Param<Tensor<B, 2>>,
    rounds: Vec<Round<B>>,
    box_rows: usize,
    box_columns: usize,
}

/// The layers of one round.
#[derive(Module, Debug)]
struct Round<B: Backend> {
    added: Dense<B>,
    /// For each comparison and view, the query and the key of a candidate.
    compared: Dense<B>,
    /// Bias of the similarity, `[1, ways · views]`; the lower, the more similar two nodes must be.
    least: Param<Tensor<B, 2>>,
    first: Dense<B>,
    second: Dense<B>,
}

impl<B: Engine> Model<B> {
    /// Maps candidates, `[batch, cells, digits]`, to the state of each, `[batch, cells · digits,
    /// width]`. Other digits have the state zero.
    pub(super) fn states(&self, candidates: Tensor<B, 3>) -> Tensor<B, 3> {
        let [batch, cells, digits] = candidates.dims();
        let order = Order::new(self.box_rows, self.box_columns)
            .expect("the network was built for this order");
        let tables = Tables::new(order, &candidates.device());
        let open = candidates.reshape([batch, cells * digits, 1]);
        let mut states = open.clone() * self.start.val().unsqueeze::<3>(); // [batch, candidates, width]
        for round in &self.rounds {
            states = round.forward(states, &open, &tables);
        }
        states
    }
}

impl<B: Engine> Round<B> {
    fn new(settings: &Config, random: &mut Random, device: &B::Device) -> Round<B> {
        let Config { width, added, compared, ways, between, .. } = *settings;
        let received = width + (KINDS + 1) * added + ways * COMPARISONS;
        Round {
            added: Dense::new(width, added, random, device),
            compared: Dense::heads(ways * VIEWS * 2, width, compared, random, device),
            least: Param::from_tensor(Tensor::zeros([1, ways * VIEWS], device)),
            first: Dense::new(received, between, random, device),
            second: Dense::new(between, width, random, device),
        }
    }

    fn forward(
        &self,
        states: Tensor<B, 3>,
        open: &Tensor<B, 3>,
        tables: &Tables<B>,
    ) -> Tensor<B, 3> {
        let added = relu(self.added.on_nodes(states.clone())) * open.clone(); // [batch, candidates, added]
        // tanh limits the factors: products of large values would make the first training steps
        // unstable.
        let compared = self.compared.on_nodes(states.clone()).tanh() * open.clone(); // [batch, candidates, …]
        let mut received =
            vec![states.clone(), tables.sums_of_digits(added.clone()), tables.sums_of_cells(added)];
        received.extend(self.similar_counts(compared, tables));
        let update = relu(self.first.on_nodes(Tensor::cat(received, 2))); // [batch, candidates, between]
        (states + self.second.on_nodes(update)) * open.clone()
    }

    /// The number of similar nodes, for each way and each comparison, `[batch, candidates, 1]`
    /// each.
    fn similar_counts(&self, compared: Tensor<B, 3>, tables: &Tables<B>) -> Vec<Tensor<B, 3>> {
        let [batch, candidates, planes] = compared.dims();
        let least = self.least.val(); // [1, ways · views]
        let ways = least.dims()[1] / VIEWS;
        let each = planes / (2 * VIEWS * ways);
        // Most cells have two or three candidates, so a sum over all digits is of the same size as
        // a single product.
        let scale = 1.0 / (each as f64).sqrt();
        let part = |index: usize| {
            compared.clone().slice([0..batch, 0..candidates, index * each..(index + 1) * each])
        };
        let similarity = |way: usize, view: View| {
            let index = way * VIEWS + view as usize;
            let queries = tables.group_by(part(2 * index), view); // [batch, nodes, members · compared]
            let keys = tables.group_by(part(2 * index + 1), view).swap_dims(1, 2);
            let least: Tensor<B, 3> = least.clone().slice([0..1, index..index + 1]).unsqueeze();
            relu(queries.matmul(keys) * scale + least) // [batch, nodes, nodes]
        };
        let counts_of_way = |way: usize| {
            let cells = similarity(way, View::Cells);
            let cell_counts = tables.same_house.iter().map(move |same| {
                let count = (cells.clone() * same.clone()).sum_dim(2); // [batch, cells, 1]
                tables.spread(count, View::Cells)
            });
            let digit_counts = [View::Rows, View::Columns, View::Boxes].map(|view| {
                let count = (similarity(way, view) * tables.same_group.clone()).sum_dim(2); // [batch, houses · digits, 1]
                tables.spread(count, view)
            });
            cell_counts.chain(digit_counts)
        };
        (0..ways).flat_map(counts_of_way).collect()
    }
}

/// How candidates are grouped into nodes: cells with digits, or digits of a house with cells.
#[derive(Clone, Copy)]
enum View {
    Cells,
    Rows,
    Columns,
    Boxes,
}

/// Constant matrices that describe the grid.
struct Tables<B: Backend> {
    side: usize,
    box_rows: usize,
    box_columns: usize,
    /// For each group and cell, ones for the cells of the same group, `[1, kinds · cells, cells]`.
    kinds: Tensor<B, 3>,
    /// For rows, columns and boxes: ones for two different cells in the same house, `[1, cells,
    /// cells]`.
    same_house: Vec<Tensor<B, 3>>,
    /// Ones for two different nodes in the same run of `side` adjacent nodes.
    same_group: Tensor<B, 3>,
}

impl<B: Engine> Tables<B> {
    fn new(order: Order, device: &B::Device) -> Tables<B> {
        let cells = order.cell_count();
        let matrix = |is_one: &dyn Fn(Cell, Cell) -> bool| -> Tensor<B, 3> {
            let one = |(a, b): (Cell, Cell)| f32::from(u8::from(is_one(a, b)));
            let ones: Vec<f32> =
                order.cells().flat_map(|a| order.cells().map(move |b| (a, b))).map(one).collect();
            Tensor::from_data(TensorData::new(ones, [1, cells, cells]), device)
        };
        let row = |a: Cell, b: Cell| order.row_of(a) == order.row_of(b);
        let column = |a: Cell, b: Cell| order.column_of(a) == order.column_of(b);
        let square = |a: Cell, b: Cell| order.box_of(a) == order.box_of(b);
        let kinds = vec![
            matrix(&row),
            matrix(&column),
            matrix(&square),
            matrix(&|a, b| row(a, b) && square(a, b)),
            matrix(&|a, b| column(a, b) && square(a, b)),
        ];
        let others = |same: &dyn Fn(Cell, Cell) -> bool| matrix(&|a, b| a != b && same(a, b));
        Tables {
            side: order.side(),
            box_rows: order.box_rows(),
            box_columns: order.box_columns(),
            kinds: Tensor::cat(kinds, 1),
            same_house: vec![others(&row), others(&column), others(&square)],
            same_group: others(&row),
        }
    }

    /// Sums over each group for the same digit, `[batch, candidates, kinds · planes]`.
    fn sums_of_digits(&self, states: Tensor<B, 3>) -> Tensor<B, 3> {
        let [batch, candidates, planes] = states.dims();
        let cells = self.side * self.side;
        let sums = self.kinds.clone().matmul(states.reshape([batch, cells, self.side * planes]));
        let sums = sums.reshape([batch, KINDS, candidates, planes]).swap_dims(1, 2);
        sums.reshape([batch, candidates, KINDS * planes])
    }

    /// Sums over the digits of the same cell, `[batch, candidates, planes]`.
    fn sums_of_cells(&self, states: Tensor<B, 3>) -> Tensor<B, 3> {
        let [batch, candidates, planes] = states.dims();
        let sums = states.reshape([batch * candidates / self.side, self.side, planes]).sum_dim(1);
        sums.repeat_dim(1, self.side).reshape([batch, candidates, planes])
    }

    /// Groups candidates into the nodes of a view: one row per node with the planes of all its
    /// members, `[batch, nodes, members · planes]`.
    fn group_by(&self, states: Tensor<B, 3>, view: View) -> Tensor<B, 3> {
        let [batch, _, planes] = states.dims();
        let (side, rows, columns) = (self.side, self.box_rows, self.box_columns);
        let group_by = [batch, side * side, side * planes];
        match view {
            View::Cells => states.reshape(group_by),
            View::Rows => {
                states.reshape([batch, side, side, side, planes]).swap_dims(2, 3).reshape(group_by)
            }
            View::Columns => {
                let states = states.reshape([batch, side, side * side, planes]);
                states.swap_dims(1, 2).reshape(group_by)
            }
            View::Boxes => {
                let states = states.reshape([
                    batch,
                    side / rows,
                    rows,
                    side / columns,
                    columns * side * planes,
                ]);
                let by_box = states.swap_dims(2, 3).reshape([batch, side, side, side, planes]);
                by_box.swap_dims(2, 3).reshape(group_by)
            }
        }
    }

    /// Copies one value per node to each of its members, `[batch, nodes, 1]` to `[batch,
    /// candidates, 1]`.
    fn spread(&self, nodes: Tensor<B, 3>, view: View) -> Tensor<B, 3> {
        let [batch, count, _] = nodes.dims();
        let (side, rows, columns) = (self.side, self.box_rows, self.box_columns);
        let candidates = [batch, count * side, 1];
        match view {
            View::Cells => nodes.repeat_dim(2, side).reshape(candidates),
            View::Rows => {
                nodes.reshape([batch, side, 1, side]).repeat_dim(2, side).reshape(candidates)
            }
            View::Columns => {
                nodes.reshape([batch, 1, count]).repeat_dim(1, side).reshape(candidates)
            }
            View::Boxes => {
                let members = nodes.reshape([batch, side / rows, 1, side / columns, 1, side]);
                members.repeat_dim(2, rows).repeat_dim(4, columns).reshape(candidates)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Cpu;
    use crate::models::encoding::Encoding;

    const SIX: fn() -> Order = || Order::new(2, 3).unwrap();

    fn numbers(tensor: Tensor<Cpu, 3>) -> Vec<f32> {
        tensor.into_data().into_vec().unwrap()
    }

    #[test]
    fn views_group_candidates_in_order() {
        let order = SIX();
        let tables = Tables::<Cpu>::new(order, &Default::default());
        let all: Vec<f32> = (0..216).map(|candidate| candidate as f32).collect();
        let all: Tensor<Cpu, 3> =
            Tensor::from_data(TensorData::new(all, [1, 216, 1]), &Default::default());
        let check = |view: View, node: usize, members: [(usize, usize, usize); 6]| {
            let group_by = numbers(tables.group_by(all.clone(), view));
            let expected =
                members.map(|(row, column, digit)| ((row * 6 + column) * 6 + digit) as f32);
            assert_eq!(group_by[node * 6..][..6], expected);
            let nodes: Vec<f32> = (0..36).map(|node| node as f32).collect();
            let nodes = Tensor::from_data(TensorData::new(nodes, [1, 36, 1]), &Default::default());
            let back = numbers(tables.spread(nodes, view));
            assert!(
                expected.iter().all(|&candidate| back[candidate as usize] == node as f32),
                "{node}"
            );
        };
        // Cell r2c3; digit 5 of row 2; digit 5 of column 2; digit 5 of box 4, which has rows 3 and
        // 4 and columns 4 to 6.
        check(View::Cells, 8, [0, 1, 2, 3, 4, 5].map(|digit| (1, 2, digit)));
        check(View::Rows, 6 + 4, [0, 1, 2, 3, 4, 5].map(|column| (1, column, 4)));
        check(View::Columns, 6 + 4, [0, 1, 2, 3, 4, 5].map(|row| (row, 1, 4)));
        check(
            View::Boxes,
            3 * 6 + 4,
            [(2, 3), (2, 4), (2, 5), (3, 3), (3, 4), (3, 5)].map(|(r, c)| (r, c, 4)),
        );
    }

    #[test]
    fn sums_count_candidates() {
        let tables = Tables::<Cpu>::new(SIX(), &Default::default());
        // Digit 1 is a candidate in the complete first row, digit 2 in r1c1 only.
        let open: Vec<f32> = (0..216)
            .map(|place| f32::from(u8::from(place == 1 || place < 36 && place % 6 == 0)))
            .collect();
        let open: Tensor<Cpu, 3> =
            Tensor::from_data(TensorData::new(open, [1, 216, 1]), &Default::default());
        let sums = numbers(tables.sums_of_digits(open.clone()));
        // For digit 1 of r1c1: six in its row, one in its column, three in its box and in the
        // intersection of both.
        assert_eq!(sums[..KINDS], [6.0, 1.0, 3.0, 3.0, 1.0]);
        assert_eq!(sums[KINDS..2 * KINDS], [1.0; KINDS]);
        assert_eq!(
            numbers(tables.sums_of_cells(open.clone()))[..7],
            [2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 1.0]
        );
        let shares: Vec<f32> = numbers(counts(SIX(), open.reshape([1, 36, 6])))
            .iter()
            .map(|share| share * 6.0)
            .collect();
        assert_eq!(shares[..COUNTS], [6.0, 1.0, 3.0, 3.0, 1.0, 2.0]);
    }

    #[test]
    fn states_are_equivariant_under_digit_permutations() {
        let network =
            Config::tiny().build::<Cpu>(Order::FOUR, &mut Random::new(1), &Default::default());
        let states_of = |board: [u8; 16]| {
            let board = Encoding::Candidates.batch(
                Order::FOUR,
                [&board[..]].into_iter(),
                &Default::default(),
            );
            numbers(network.states(board))
        };
        let board = [1, 0, 0, 4, 0, 0, 1, 0, 0, 3, 0, 0, 4, 0, 0, 0];
        let (states, renamed) =
            (states_of(board), states_of(board.map(|number| [0, 2, 1, 3, 4][usize::from(number)])));
        let width = Config::tiny().width;
        for cell in 0..16usize {
            for (digit, other) in [(0, 1), (1, 0), (2, 2), (3, 3)] {
                let state = |states: &[f32], digit: usize| {
                    states[(cell * 4 + digit) * width..][..width].to_vec()
                };
                let pairs = state(&states, digit).into_iter().zip(state(&renamed, other));
                assert!(
                    pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-5),
                    "cell {cell}, digit {digit}"
                );
            }
        }
        assert!(states.iter().any(|&number| number.abs() > 0.1));
    }
}
