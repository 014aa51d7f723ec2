//! Random jigsaw layouts: a partition of the grid into connected regions of equal size.
//!
//! The start is a grid of rectangular boxes, or of rows if the side is prime. Neighbouring regions
//! then exchange cells as long as both stay connected. Exchanges that make the borders longer are
//! accepted less often, because grids rarely exist for long and thin regions, and people like
//! compact ones.

use crate::grid::Order;
use crate::random::Random;

/// The probability of accepting an exchange is this number to the power of the additional border.
const ACCEPTED_PER_BORDER: f64 = 0.75;

/// A random layout: the region of each cell in reading order, from 0.
///
/// `exchanges` is the number of tried exchanges per cell; 0 returns the start.
pub(super) fn random(side: usize, exchanges: usize, random: &mut Random) -> Vec<u8> {
    let mut layout = Layout::start(side);
    for _ in 0..exchanges * side * side {
        layout.try_exchange(random);
    }
    layout.renumbered()
}

struct Layout {
    side: usize,
    regions: Vec<u8>,
    /// Cells that a connectivity test has still to visit, and the visited ones.
    stack: Vec<usize>,
    seen: Vec<bool>,
}

impl Layout {
    fn start(side: usize) -> Layout {
        let cells = side * side;
        let regions = match Order::from_side(side) {
            Some(order) => order.cells().map(|cell| order.box_of(cell) as u8).collect(),
            None => (0..cells).map(|cell| (cell / side) as u8).collect(),
        };
        Layout { side, regions, stack: Vec::new(), seen: vec![false; cells] }
    }

    /// A random cell next to another region moves there, and a random cell of that region moves
    /// back.
    fn try_exchange(&mut self, random: &mut Random) {
        let cell = random.below(self.regions.len());
        let from = self.regions[cell];
        let others: Vec<u8> = neighbours(self.side, cell)
            .map(|other| self.regions[other])
            .filter(|region| *region != from)
            .collect();
        let Some(&to) = random.pick(&others) else { return };
        let before = self.border_at(from, to);
        self.regions[cell] = to;
        let candidates: Vec<usize> = (0..self.regions.len())
            .filter(|&other| other != cell && self.regions[other] == to)
            .filter(|&other| neighbours(self.side, other).any(|next| self.regions[next] == from))
            .collect();
        if let Some(&back) = random.pick(&candidates) {
            self.regions[back] = from;
            if self.is_connected(cell) && self.is_connected(back) {
                let longer = self.border_at(from, to).saturating_sub(before);
                if random.chance(ACCEPTED_PER_BORDER.powi(longer as i32)) {
                    return;
                }
            }
            self.regions[back] = to;
        }
        self.regions[cell] = from;
    }

    /// The length of the borders of two regions.
    fn border_at(&self, a: u8, b: u8) -> usize {
        let is_ours = |&cell: &usize| self.regions[cell] == a || self.regions[cell] == b;
        let borders = |cell: usize| {
            neighbours(self.side, cell)
                .filter(|other| self.regions[*other] != self.regions[cell])
                .count()
        };
        (0..self.regions.len()).filter(is_ours).map(borders).sum()
    }

    /// Whether the region of a cell is connected and has as many cells as a row.
    fn is_connected(&mut self, cell: usize) -> bool {
        self.seen.fill(false);
        self.seen[cell] = true;
        self.stack.push(cell);
        let mut count = 0;
        while let Some(next) = self.stack.pop() {
            count += 1;
            for other in neighbours(self.side, next) {
                if self.regions[other] == self.regions[cell] && !self.seen[other] {
                    self.seen[other] = true;
                    self.stack.push(other);
                }
            }
        }
        count == self.side
    }

    /// The regions numbered in reading order.
    fn renumbered(&self) -> Vec<u8> {
        let mut numbers: Vec<u8> = Vec::new();
        let number_of = |region: &u8| {
            let known = numbers.iter().position(|number| number == region);
            known.unwrap_or_else(|| {
                numbers.push(*region);
                numbers.len() - 1
            }) as u8
        };
        self.regions.iter().map(number_of).collect()
    }
}

/// The orthogonal neighbours of a cell.
pub(super) fn neighbours(side: usize, cell: usize) -> impl Iterator<Item = usize> {
    let (row, column) = (cell / side, cell % side);
    let up = (row > 0).then(|| cell - side);
    let left = (column > 0).then(|| cell - 1);
    let right = (column + 1 < side).then_some(cell + 1);
    let down = (row + 1 < side).then_some(cell + side);
    [up, left, right, down].into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_of_every_side_are_connected_and_varied() {
        for side in 4..=16 {
            let mut seeds = Random::new(side as u64);
            let start = random(side, 0, &mut seeds);
            let mut layouts = vec![start];
            for _ in 0..5 {
                let regions = random(side, 10, &mut seeds);
                let mut layout = Layout { regions: regions.clone(), ..Layout::start(side) };
                for cell in 0..side * side {
                    assert!(layout.is_connected(cell), "{side}: {regions:?}");
                }
                assert_eq!(regions.iter().max(), Some(&(side as u8 - 1)));
                assert_eq!(regions[0], 0);
                layouts.push(regions);
            }
            layouts.sort();
            layouts.dedup();
            // 4×4 has 117 layouts, larger grids have very many.
            assert!(layouts.len() >= 4, "side {side}: {} different layouts", layouts.len());
        }
    }
}
