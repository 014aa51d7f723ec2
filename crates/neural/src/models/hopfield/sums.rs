//! The four sums of equations 3 to 6 that contain each neuron.
//!
//! In a solution each of these sums is 1:
//!
//! - equation 3, the neurons of one column and digit: every column has every digit once;
//! - equation 4, the neurons of one row and digit;
//! - equation 5, the neurons of one cell: it has one digit;
//! - equation 6, the neurons of one box and digit.

use ninefold::grid::{Cell, Digit, Order};

/// A neuron V(i,j,k): whether a cell has a digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Neuron {
    /// The cell in row i and column j.
    pub cell: Cell,
    /// The digit k.
    pub digit: Digit,
}

impl Neuron {
    /// All neurons of a grid, ordered by cell, then digit.
    pub fn all(order: Order) -> impl Iterator<Item = Neuron> + Clone {
        order.cells().flat_map(move |cell| order.digits().map(move |digit| Neuron { cell, digit }))
    }

    /// Index in [`Neuron::all`].
    pub fn index(self, order: Order) -> usize {
        self.cell.index() * order.side() + self.digit.index()
    }

    /// Indices of its four sums, in the order of the equations.
    pub fn sums(self, order: Order) -> [usize; 4] {
        let (side, cells) = (order.side(), order.cell_count());
        let digit = self.digit.index();
        [
            order.column_of(self.cell) * side + digit,
            cells + order.row_of(self.cell) * side + digit,
            2 * cells + self.cell.index(),
            3 * cells + order.box_of(self.cell) * side + digit,
        ]
    }
}

/// All sums of a grid: side² for each equation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sums {
    order: Order,
    sums: Vec<i64>,
}

impl Sums {
    /// All sums 0.
    pub fn zero(order: Order) -> Sums {
        Sums { order, sums: vec![0; 4 * order.cell_count()] }
    }

    /// Adds the output of a neuron to its four sums.
    pub fn add(&mut self, neuron: Neuron, output: i64) {
        for place in neuron.sums(self.order) {
            self.sums[place] += output;
        }
    }

    /// The four sums of a neuron.
    pub fn at(&self, neuron: Neuron) -> [i64; 4] {
        neuron.sums(self.order).map(|place| self.sums[place])
    }

    /// All sums, equation by equation.
    pub fn all(&self) -> &[i64] {
        &self.sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ninefold::grid::Grid;

    #[test]
    fn neurons_are_numbered_in_order() {
        for (order, count) in [(Order::FOUR, 64), (Order::NINE, 729), (Order::SIXTEEN, 4_096)] {
            assert!(Neuron::all(order).map(|neuron| neuron.index(order)).eq(0..count), "{order}");
        }
    }

    #[test]
    fn every_sum_of_a_solution_is_one() {
        for solution in ["1234341223414123", "123456456123231564564231312645645312"] {
            let solution: Grid = solution.parse().unwrap();
            let mut sums = Sums::zero(solution.order());
            for (cell, digit) in solution.clues() {
                sums.add(Neuron { cell, digit }, 1);
            }
            assert!(sums.all().iter().all(|&sum| sum == 1), "{solution}");
        }
    }
}
