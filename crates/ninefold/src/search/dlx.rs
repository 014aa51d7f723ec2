//! Dancing links (Knuth, "Dancing Links", 2000): Sudoku as an exact cover problem.
//! Schendowich et al. 2024 list all 288 4×4 grids with it.
//!
//! An *item* must be covered exactly once: a cell gets a digit, or a house gets a digit. An
//! *option* is one digit in one cell; it covers four items. A solution is a set of options that
//! covers every item exactly once. The search takes an item with the fewest remaining options and
//! tries each of them.
//!
//! The open items form a ring, and the options of each item form a ring below it:
//!
//! ```text
//!   root ⇄ item a ⇄ item b ⇄ item c ⇄ … ⇄ root        left, right
//!            ⇅        ⇅        ⇅
//!          node     node     node                      up, down
//!            ⇅        ⇅        ⇅                        four nodes side by side = one option
//! ```
//!
//! A node is removed from its ring by linking its neighbours to each other. The node keeps its own
//! links, so undoing the removals in reverse order restores every ring. Links are array indices,
//! not pointers. The four nodes of an option are adjacent, so finding the others needs arithmetic
//! instead of a third ring.
//!
//! Clues are not covered one by one: the items that they cover and the options that they exclude
//! are never built.

use super::watch::Action;
use super::{Meter, StopReason, Visit, Walk};
use crate::grid::{Candidates, Cell, Digit, Grid, Order};
use std::ops::ControlFlow;

/// Knuth's dancing links.
pub struct Dlx;

impl Walk for Dlx {
    fn name(&self) -> &'static str {
        "dlx"
    }

    fn idea(&self) -> &'static str {
        "dancing links: exact cover, branching on the item with the fewest options (Knuth 2000)"
    }

    fn supports(&self, _order: Order) -> bool {
        true
    }

    fn can_be_watched(&self) -> bool {
        true
    }

    fn walk(
        &self,
        puzzle: &Grid,
        meter: &mut Meter<'_>,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<StopReason> {
        meter.node()?;
        match Candidates::new(puzzle) {
            Ok(candidates) => Matrix::new(&candidates).cover_all(&mut puzzle.clone(), meter, visit),
            Err(_conflict) => ControlFlow::Continue(()),
        }
    }
}

/// The nodes of an option: its cell, its row, its column and its box.
const NODES_PER_OPTION: usize = 4;

/// Items and options with their rings.
///
/// `ring[0]` is the root. `column` contains first the items, in the order of `ring`, then the
/// nodes, four per option.
struct Matrix {
    ring: Vec<Ring>,
    column: Vec<Column>,
    /// The cell and the digit of each option.
    options: Vec<(Cell, Digit)>,
}

/// The horizontal links of an item and the number of its remaining options.
#[derive(Clone, Copy, Default)]
struct Ring {
    left: u32,
    right: u32,
    options: u32,
}

/// The vertical links of an item or a node, and its item.
#[derive(Clone, Copy, Default)]
struct Column {
    up: u32,
    down: u32,
    item: u32,
}

impl Matrix {
    fn new(candidates: &Candidates) -> Matrix {
        let order = candidates.order();
        let (side, cells) = (order.side(), order.cell_count());
        let items = 1 + NODES_PER_OPTION * cells;
        let self_linked =
            |place| Column { up: place as u32, down: place as u32, item: place as u32 };
        let mut matrix = Matrix {
            ring: vec![Ring::default(); items],
            column: (0..items).map(self_linked).collect(),
            options: Vec::new(),
        };

        let item_of_cell = |cell: Cell| 1 + cell.index();
        for cell in candidates.grid().empty_cells() {
            matrix.open_item(item_of_cell(cell));
        }
        // Houses are numbered rows first, then columns, then boxes; each has an item for each
        // digit.
        for (number, house) in order.houses().enumerate() {
            for digit in candidates.digits_missing_in(house) {
                matrix.open_item(1 + cells + number * side + digit.index());
            }
        }
        for cell in candidates.grid().empty_cells() {
            let houses =
                [order.row_of(cell), side + order.column_of(cell), 2 * side + order.box_of(cell)];
            for digit in candidates.at(cell) {
                let [row, column, block] =
                    houses.map(|number| 1 + cells + number * side + digit.index());
                matrix.add_option(cell, digit, [item_of_cell(cell), row, column, block]);
            }
        }
        matrix
    }

    /// Appends an item to the ring of open items.
    fn open_item(&mut self, item: usize) {
        let last = self.ring[0].left;
        self.ring[item] = Ring { left: last, right: 0, options: 0 };
        self.ring[last as usize].right = item as u32;
        self.ring[0].left = item as u32;
    }

    /// Appends an option to the rings of its items.
    fn add_option(&mut self, cell: Cell, digit: Digit, items: [usize; NODES_PER_OPTION]) {
        self.options.push((cell, digit));
        for item in items {
            let node = self.column.len() as u32;
            let last = self.column[item].up;
            self.column.push(Column { up: last, down: item as u32, item: item as u32 });
            self.column[last as usize].down = node;
            self.column[item].up = node;
            self.ring[item].options += 1;
        }
    }

    /// Visits all exact covers of the open items.
    fn cover_all(
        &mut self,
        grid: &mut Grid,
        meter: &mut Meter<'_>,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<StopReason> {
        let Some(item) = self.item_with_fewest_options() else {
            return visit(grid.clone());
        };
        let choices = self.ring[item].options;
        self.cover(item);
        let mut node = self.column[item].down as usize;
        while node != item {
            meter.node()?;
            if choices > 1 {
                meter.guess();
            }
            let (cell, digit) = self.options[(node - self.ring.len()) / NODES_PER_OPTION];
            grid.set(cell, Some(digit));
            meter.show(Action::Place { cell, digit, choices: choices as usize }, grid)?;
            let others = self.others_of(node);
            for other in others {
                self.cover(self.column[other].item as usize);
            }
            self.cover_all(grid, meter, visit)?;
            for other in others.into_iter().rev() {
                self.uncover(self.column[other].item as usize);
            }
            grid.set(cell, None);
            meter.show(Action::Undo { cell, digit }, grid)?;
            node = self.column[node].down as usize;
        }
        self.uncover(item);
        ControlFlow::Continue(())
    }

    /// The first open item with the fewest options; `None` if every item is covered.
    fn item_with_fewest_options(&self) -> Option<usize> {
        let mut best = None;
        let mut fewest = u32::MAX;
        let mut item = self.ring[0].right as usize;
        while item != 0 {
            let Ring { right, options, .. } = self.ring[item];
            if options < fewest {
                best = Some(item);
                fewest = options;
                if fewest <= 1 {
                    break;
                }
            }
            item = right as usize;
        }
        best
    }

    /// Removes an item from the ring, and each of its options from the rings of its other items.
    fn cover(&mut self, item: usize) {
        let Ring { left, right, .. } = self.ring[item];
        self.ring[left as usize].right = right;
        self.ring[right as usize].left = left;
        let mut node = self.column[item].down as usize;
        while node != item {
            for other in self.others_of(node) {
                let Column { up, down, item } = self.column[other];
                self.column[up as usize].down = down;
                self.column[down as usize].up = up;
                self.ring[item as usize].options -= 1;
            }
            node = self.column[node].down as usize;
        }
    }

    /// Undoes [`Matrix::cover`] in reverse order.
    fn uncover(&mut self, item: usize) {
        let mut node = self.column[item].up as usize;
        while node != item {
            for other in self.others_of(node).into_iter().rev() {
                let Column { up, down, item } = self.column[other];
                self.column[up as usize].down = other as u32;
                self.column[down as usize].up = other as u32;
                self.ring[item as usize].options += 1;
            }
            node = self.column[node].up as usize;
        }
        let Ring { left, right, .. } = self.ring[item];
        self.ring[left as usize].right = item as u32;
        self.ring[right as usize].left = item as u32;
    }

    /// The three other nodes of the same option.
    fn others_of(&self, node: usize) -> [usize; NODES_PER_OPTION - 1] {
        let place = (node - self.ring.len()) % NODES_PER_OPTION;
        let first = node - place;
        std::array::from_fn(|other| first + (place + 1 + other) % NODES_PER_OPTION)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Limits, Solver};
    use std::collections::HashSet;

    #[test]
    fn lists_288_grids_of_4x4_once_each() {
        let mut seen = HashSet::new();
        let effort = Dlx
            .search(&Grid::empty(Order::FOUR), &Limits::none(), &mut |solution| {
                assert!(seen.insert(solution));
                ControlFlow::Continue(())
            })
            .unwrap();
        assert_eq!(seen.len(), 288);
        assert_eq!(effort.stop, None);
    }

    #[test]
    fn uncovering_restores_every_link() {
        let candidates = Candidates::new(&"1..4..1..3..4...".parse().unwrap()).unwrap();
        let mut matrix = Matrix::new(&candidates);
        let links = |matrix: &Matrix| {
            let sideways = matrix
                .ring
                .iter()
                .map(|ring| (ring.left, ring.right, ring.options))
                .collect::<Vec<_>>();
            (
                sideways,
                matrix.column.iter().map(|column| (column.up, column.down)).collect::<Vec<_>>(),
            )
        };
        let before = links(&matrix);
        let first = matrix.ring[0].right as usize;
        let second = matrix.ring[first].right as usize;
        matrix.cover(first);
        matrix.cover(second);
        assert_ne!(links(&matrix), before);
        matrix.uncover(second);
        matrix.uncover(first);
        assert_eq!(links(&matrix), before);
    }

    #[test]
    fn clues_do_not_become_items() {
        let solved: Grid = "1234341221434321".parse().unwrap();
        let matrix = Matrix::new(&Candidates::new(&solved).unwrap());
        assert_eq!(matrix.item_with_fewest_options(), None);
        let one_open =
            Matrix::new(&Candidates::new(&solved.without(Order::FOUR.cell(0, 0))).unwrap());
        assert_eq!(one_open.options, [(Order::FOUR.cell(0, 0), Digit::from_index(0))]);
    }
}
