//! A* search as in Sharaf, Marathe and Nguyen 2016 (section "A* Search"): the board with the least
//! uncertainty first.
//!
//! A state is a board: the puzzle with some empty cells filled. A value is possible in an empty
//! cell if its row, column and box do not contain it. Expanding a state chooses an empty cell with
//! the fewest possible values and creates one state for each of them. Only this cell is filled, so
//! no board occurs twice. The heuristic h is the uncertainty of the board: the number of possible
//! values, summed over all empty cells. A queue returns the state with the smallest f = g + h. The
//! search continues until the queue is empty, so it also counts solutions and proves uniqueness.
//!
//! The paper leaves some details open. This implementation chooses:
//!
//! - g is the number of cells filled so far, one per step. All solutions have the same depth, so no
//!   path is cheaper than another and h need not be a lower bound.
//! - Among equal f, the deeper state comes first, then the one with the smaller last digit.
//! - A board on which an empty cell has no possible value is not queued, because it has no
//!   children.
//!
//! Memory is bounded by the queue, and the queue stays short. Filling a cell with k possible values
//! reduces h by at least k, so f never increases from a board to its children. All descendants of
//! the best child therefore come before its siblings, and the queue only contains siblings of the
//! boards on one branch: fewer than empty cells × digits. Siblings share the board of their parent.
//! The same argument shows that g = 0 would visit the same boards in the same order, and that this
//! A* is a depth-first search that tries the child with the least uncertainty first.

use super::watch::Action;
use super::{Meter, StopReason, Visit, Walk};
use crate::grid::{Cell, Digit, DigitSet, Grid, Order};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::ops::ControlFlow;
use std::rc::Rc;

/// The A* search of Sharaf, Marathe and Nguyen.
pub struct Astar;

impl Walk for Astar {
    fn name(&self) -> &'static str {
        "astar"
    }

    fn idea(&self) -> &'static str {
        "A*: always expand the board with the fewest possible values (Sharaf et al. 2016)"
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
        if puzzle.conflict().is_some() {
            return ControlFlow::Continue(());
        }
        let mut queue = BinaryHeap::new();
        let mut state = State::first(puzzle);
        loop {
            let board = state.board();
            let (last, possible_values) = (state.last, state.uncertainty);
            meter.show(Action::Expand { last, possible_values, waiting: queue.len() }, &board)?;
            if board.is_full() {
                visit(board)?;
            } else {
                queue.extend(state.children(board));
            }
            match queue.pop() {
                Some(best) => state = best,
                None => return ControlFlow::Continue(()),
            }
            meter.node()?;
            if state.is_guess {
                meter.guess();
            }
        }
    }
}

/// A board of the search: its parent with one more digit.
struct State {
    parent: Rc<Grid>,
    /// The last filled cell and its digit; `None` for the puzzle itself.
    last: Option<(Cell, Digit)>,
    /// Whether the last filled cell had several possible values.
    is_guess: bool,
    /// g: the number of cells filled in addition to the clues.
    filled: usize,
    /// h: the number of possible values, summed over all empty cells.
    uncertainty: usize,
}

impl State {
    fn first(puzzle: &Grid) -> State {
        let uncertainty = possible_values(puzzle).iter().map(|values| values.count()).sum();
        State {
            parent: Rc::new(puzzle.clone()),
            last: None,
            is_guess: false,
            filled: 0,
            uncertainty,
        }
    }

    fn board(&self) -> Grid {
        match self.last {
            Some((cell, digit)) => self.parent.with(cell, digit),
            None => Grid::clone(&self.parent),
        }
    }

    /// The boards with one more cell filled, a cell with the fewest possible values. `board` is the
    /// board of this state.
    fn children(&self, board: Grid) -> Vec<State> {
        let values = possible_values(&board);
        let parent = Rc::new(board);
        let Some(cell) = parent.empty_cells().min_by_key(|cell| values[cell.index()].count())
        else {
            return Vec::new();
        };
        let choices = values[cell.index()];
        let child = |digit| {
            Some(State {
                parent: Rc::clone(&parent),
                last: Some((cell, digit)),
                is_guess: choices.count() > 1,
                filled: self.filled + 1,
                uncertainty: self.uncertainty - values_lost(&values, cell, digit, parent.order())?,
            })
        };
        choices.filter_map(child).collect()
    }

    /// The state with the greatest rank leaves the queue first.
    fn rank(&self) -> (Reverse<usize>, usize, Reverse<Option<Digit>>) {
        let f = self.filled + self.uncertainty;
        (Reverse(f), self.filled, Reverse(self.last.map(|(_, digit)| digit)))
    }
}

impl Ord for State {
    fn cmp(&self, other: &State) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for State {
    fn partial_cmp(&self, other: &State) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for State {
    fn eq(&self, other: &State) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for State {}

/// The decrease of the uncertainty when a cell is filled with a digit; `None` if a peer would have
/// no value left.
fn values_lost(values: &[DigitSet], cell: Cell, digit: Digit, order: Order) -> Option<usize> {
    let mut lost = values[cell.index()].count();
    for &peer in order.peers_of(cell) {
        let peer_values = values[peer.index()];
        if peer_values.contains(digit) {
            if peer_values.only().is_some() {
                return None;
            }
            lost += 1;
        }
    }
    Some(lost)
}

/// For each empty cell the digits that its row, column and box do not contain; none for a filled
/// cell.
fn possible_values(grid: &Grid) -> Vec<DigitSet> {
    let order = grid.order();
    let mut in_row = [DigitSet::EMPTY; Order::MAX_SIDE];
    let mut in_column = [DigitSet::EMPTY; Order::MAX_SIDE];
    let mut in_box = [DigitSet::EMPTY; Order::MAX_SIDE];
    for (cell, digit) in grid.clues() {
        in_row[order.row_of(cell)].insert(digit);
        in_column[order.column_of(cell)].insert(digit);
        in_box[order.box_of(cell)].insert(digit);
    }
    let open = |cell| match grid[cell] {
        Some(_) => DigitSet::EMPTY,
        None => {
            order.digits()
                - (in_row[order.row_of(cell)]
                    | in_column[order.column_of(cell)]
                    | in_box[order.box_of(cell)])
        }
    };
    order.cells().map(open).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{Limits, Solver};

    /// The sample board of Sharaf et al.
    const SAMPLE: &str =
        "89127456.6.31859..457639...5.641723.7429.381.31..26.5.93854.67.16479.32..7536149.";

    #[test]
    fn solves_the_sample_board_of_the_paper() {
        let (solution, _) = Astar.first(&SAMPLE.parse().unwrap(), &Limits::none()).unwrap();
        assert_eq!(
            solution.unwrap().to_string(),
            "891274563623185947457639182586417239742953816319826754938542671164798325275361498"
        );
    }

    #[test]
    fn f_never_increases_and_h_counts_possible_values() {
        let mut state = State::first(&SAMPLE.parse().unwrap());
        while !state.board().is_full() {
            let children = state.children(state.board());
            for child in &children {
                assert!(child.filled + child.uncertainty <= state.filled + state.uncertainty);
                assert_eq!(child.uncertainty, State::first(&child.board()).uncertainty);
            }
            state = children
                .into_iter()
                .max()
                .expect("the best child of this easy board leads to the solution");
        }
        assert!(state.board().is_solved());
    }

    #[test]
    fn queue_contains_only_siblings_of_one_branch() {
        let mut queue = BinaryHeap::from([State::first(&Grid::empty(Order::FOUR))]);
        let mut branch: Vec<Grid> = Vec::new();
        while let Some(state) = queue.pop() {
            // The boards from the root to this one; every queued state is a child of one of them.
            branch.truncate(state.filled);
            branch.push(state.board());
            assert!(queue.iter().all(|waiting| branch.contains(&waiting.parent)));
            queue.extend(state.children(state.board()));
        }
    }

    #[test]
    fn walk_ends_when_the_queue_is_empty() {
        let (count, effort) =
            Astar.count(&Grid::empty(Order::FOUR), 1_000, &Limits::none()).unwrap();
        assert_eq!((count, effort.stop), (288, None));
    }
}
