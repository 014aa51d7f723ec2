//! Encodings of puzzles as network inputs.
//!
//! A plane is an input channel: one number for every cell. Every encoding gives all cells the same
//! number of planes. A batch has the shape `[batch, cells, planes]`.

use crate::onnx::{GraphBuilder, Value};
use burn::tensor::backend::Backend;
use burn::tensor::{Tensor, TensorData};
use ninefold::grid::{Candidates, Grid, Order};

/// How a cell is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// One value: digit / side − 0.5, so an empty cell is −0.5 (Kocherzhenko, after the article
    /// cited there).
    Scalar,
    /// One plane per digit; an empty cell is all zeros.
    OneHot,
    /// A plane for "empty" and one per digit (Tran and Manley).
    OneHotWithBlank,
    /// One plane per digit: 1 for each candidate. A filled cell has its own digit only.
    Candidates,
}

impl Encoding {
    /// Number of planes per cell.
    pub(crate) fn planes(self, order: Order) -> usize {
        match self {
            Encoding::Scalar => 1,
            Encoding::OneHot | Encoding::Candidates => order.side(),
            Encoding::OneHotWithBlank => order.side() + 1,
        }
    }

    /// Appends the planes of all cells; 0 in `numbers` is an empty cell.
    pub(crate) fn write(self, order: Order, numbers: &[u8], planes: &mut Vec<f32>) {
        match self {
            Encoding::Scalar => {
                planes.extend(numbers.iter().map(|&n| f32::from(n) / order.side() as f32 - 0.5))
            }
            Encoding::OneHot => one_hot(
                order.side(),
                numbers.iter().map(|&n| usize::from(n).checked_sub(1)),
                planes,
            ),
            Encoding::OneHotWithBlank => {
                one_hot(order.side() + 1, numbers.iter().map(|&n| Some(usize::from(n))), planes);
            }
            Encoding::Candidates => candidates(order, numbers, planes),
        }
    }

    /// Adds the encoding to an ONNX graph, `[batch, cells, planes]`. Returns `None` for encodings
    /// that need more than a lookup table.
    pub(crate) fn add_to_graph(self, order: Order, graph: &mut GraphBuilder<'_>) -> Option<Value> {
        let puzzle = graph.puzzle();
        match self {
            Encoding::Scalar => {
                let numbers = graph.as_float(&puzzle);
                let (side, half) = (
                    graph.constant(&[1], vec![order.side() as f32]),
                    graph.constant(&[1], vec![0.5]),
                );
                let shares = graph.binary("Div", &numbers, &side);
                let shares = graph.binary("Sub", &shares, &half);
                Some(graph.unsqueeze(&shares, 2))
            }
            Encoding::OneHotWithBlank => {
                let planes = order.side() + 1;
                let identity = (0..planes * planes)
                    .map(|at| f32::from(u8::from(at / planes == at % planes)))
                    .collect();
                let identity = graph.constant(&[planes, planes], identity);
                Some(graph.gather(&identity, &puzzle, 0))
            }
            Encoding::OneHot | Encoding::Candidates => None,
        }
    }

    /// Encodes a batch of puzzles, `[batch, cells, planes]`.
    pub(crate) fn batch<'a, B: Backend>(
        self,
        order: Order,
        puzzles: impl ExactSizeIterator<Item = &'a [u8]>,
        device: &B::Device,
    ) -> Tensor<B, 3> {
        let shape = [puzzles.len(), order.cell_count(), self.planes(order)];
        let mut planes = Vec::with_capacity(shape.iter().product());
        puzzles.for_each(|puzzle| self.write(order, puzzle, &mut planes));
        Tensor::from_data(TensorData::new(planes, shape), device)
    }
}

fn one_hot(width: usize, indices: impl Iterator<Item = Option<usize>>, planes: &mut Vec<f32>) {
    for index in indices {
        let start = planes.len();
        planes.resize(start + width, 0.0);
        if let Some(index) = index {
            planes[start + index] = 1.0;
        }
    }
}

/// If the position breaks the rules, as the output of a network may, the candidates are all digits
/// that no peer has.
fn candidates(order: Order, numbers: &[u8], planes: &mut Vec<f32>) {
    let grid = Grid::from_numbers(order, numbers).expect("examples have the order of their list");
    let known = Candidates::new(&grid).ok();
    for cell in order.cells() {
        let open = match (grid[cell], &known) {
            (Some(digit), _) => ninefold::grid::DigitSet::from_digit(digit),
            (None, Some(known)) => known.at(cell),
            (None, None) => {
                order.digits()
                    - order.peers_of(cell).iter().filter_map(|&peer| grid[peer]).collect()
            }
        };
        planes.extend(order.digits().map(|digit| f32::from(u8::from(open.contains(digit)))));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Cpu;

    fn encoded(encoding: Encoding, numbers: &[u8]) -> Vec<f32> {
        let mut planes = Vec::new();
        encoding.write(Order::FOUR, numbers, &mut planes);
        planes
    }

    #[test]
    fn encodings_of_clues_and_empty_cells() {
        let mut numbers = [0; 16];
        numbers[0] = 4;
        numbers[6] = 2;
        assert_eq!(encoded(Encoding::Scalar, &numbers)[..2], [0.5, -0.5]);
        assert_eq!(
            encoded(Encoding::OneHot, &numbers)[..8],
            [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]
        );
        let with_blank = [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0];
        assert_eq!(encoded(Encoding::OneHotWithBlank, &numbers)[..10], with_blank);
        // r1c2 sees the 4 in row 1; r1c3 sees that 4 and the 2 below.
        let planes = encoded(Encoding::Candidates, &numbers);
        assert_eq!(planes[..12], [0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0]);
    }

    #[test]
    fn invalid_positions_exclude_the_digits_of_peers() {
        let mut numbers = [0; 16];
        (numbers[0], numbers[1]) = (3, 3);
        assert_eq!(encoded(Encoding::Candidates, &numbers)[8..12], [1.0, 1.0, 0.0, 1.0]);
    }

    #[test]
    fn batches_have_one_row_per_puzzle() {
        let puzzles = [[0u8; 16], [1; 16]];
        for encoding in
            [Encoding::Scalar, Encoding::OneHot, Encoding::OneHotWithBlank, Encoding::Candidates]
        {
            let batch: Tensor<Cpu, 3> = encoding.batch(
                Order::FOUR,
                puzzles.iter().map(|puzzle| &puzzle[..]),
                &Default::default(),
            );
            assert_eq!(batch.dims(), [2, 16, encoding.planes(Order::FOUR)]);
        }
    }
}
