//! Encodings: this is where we turn the cells of a puzzle into numbers a network can read.
//!
//! Every encoding gives each cell the same number of planes; a batch has the shape `[batch, cells, planes]`.

use crate::onnx::{Drawing, Value};
use burn::tensor::backend::Backend;
use burn::tensor::{Tensor, TensorData};
use ninefold::grid::{Candidates, Grid, Order};

/// How a cell is written for a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// One number: digit / side − 0.5, so an empty cell is −0.5 (Kocherzhenko, after the article cited there).
    Scalar,
    /// One plane for each digit; an empty cell is all zeros.
    OneHot,
    /// A plane for "empty" and one for each digit (Tran and Manley).
    OneHotWithBlank,
    /// One plane for each digit: may it still stand here? A filled cell has its own digit only.
    Candidates,
}

impl Encoding {
    /// How many planes a cell has.
    pub(crate) fn planes(self, order: Order) -> usize {
        match self {
            Encoding::Scalar => 1,
            Encoding::OneHot | Encoding::Candidates => order.side(),
            Encoding::OneHotWithBlank => order.side() + 1,
        }
    }

    /// Appends the planes of all cells; `numbers` holds 0 for an empty cell.
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

    /// Draws how the numbers of a puzzle become planes, `[batch, cells, planes]`; nothing for encodings that need more than
    /// a table.
    pub(crate) fn draw(self, order: Order, drawing: &mut Drawing<'_>) -> Option<Value> {
        let puzzle = drawing.puzzle();
        match self {
            Encoding::Scalar => {
                let numbers = drawing.as_float(&puzzle);
                let (side, half) = (
                    drawing.constant(&[1], vec![order.side() as f32]),
                    drawing.constant(&[1], vec![0.5]),
                );
                let shares = drawing.two("Div", &numbers, &side);
                let shares = drawing.two("Sub", &shares, &half);
                Some(drawing.unsqueeze(&shares, 2))
            }
            Encoding::OneHotWithBlank => {
                let planes = order.side() + 1;
                let identity = (0..planes * planes)
                    .map(|at| f32::from(u8::from(at / planes == at % planes)))
                    .collect();
                let identity = drawing.constant(&[planes, planes], identity);
                Some(drawing.gather(&identity, &puzzle, 0))
            }
            Encoding::OneHot | Encoding::Candidates => None,
        }
    }

    /// A batch of puzzles as a tensor of the shape `[batch, cells, planes]`.
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

fn one_hot(width: usize, marks: impl Iterator<Item = Option<usize>>, planes: &mut Vec<f32>) {
    for mark in marks {
        let start = planes.len();
        planes.resize(start + width, 0.0);
        if let Some(mark) = mark {
            planes[start + mark] = 1.0;
        }
    }
}

/// A position that breaks the rules, as a network may produce it, is written like one that does not: candidates are
/// what the peers leave.
fn candidates(order: Order, numbers: &[u8], planes: &mut Vec<f32>) {
    let grid = Grid::from_numbers(order, numbers)
        .expect("examples hold the numbers of a grid of their order");
    let known = Candidates::of(&grid).ok();
    for cell in order.cells() {
        let open = match (grid[cell], &known) {
            (Some(digit), _) => ninefold::grid::DigitSet::of(digit),
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

    fn written(encoding: Encoding, numbers: &[u8]) -> Vec<f32> {
        let mut planes = Vec::new();
        encoding.write(Order::FOUR, numbers, &mut planes);
        planes
    }

    #[test]
    fn each_encoding_writes_the_first_cells_as_its_line_says() {
        let mut numbers = [0; 16];
        numbers[0] = 4;
        numbers[6] = 2;
        assert_eq!(written(Encoding::Scalar, &numbers)[..2], [0.5, -0.5]);
        assert_eq!(
            written(Encoding::OneHot, &numbers)[..8],
            [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]
        );
        let with_blank = [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0];
        assert_eq!(written(Encoding::OneHotWithBlank, &numbers)[..10], with_blank);
        // r1c2 sees the 4 beside it; r1c3 sees that 4 and the 2 below.
        let planes = written(Encoding::Candidates, &numbers);
        assert_eq!(planes[..12], [0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0]);
    }

    #[test]
    fn candidates_of_a_broken_position_are_what_the_peers_leave() {
        let mut numbers = [0; 16];
        (numbers[0], numbers[1]) = (3, 3);
        assert_eq!(written(Encoding::Candidates, &numbers)[8..12], [1.0, 1.0, 0.0, 1.0]);
    }

    #[test]
    fn a_batch_has_one_row_for_each_puzzle() {
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
