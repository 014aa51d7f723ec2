//! A* search as in Sharaf, Marathe and Nguyen 2016 (section "A* Search"): the most certain board first.
//!
//! A state is the puzzle with some empty cells filled. Expanding it fills one empty cell, one with the fewest possible
//! values, with each of these values; filling order does not matter, so no board is met twice. The heuristic h is
//! the uncertainty of the board: the number of possible values summed over all empty cells, where only the digits
//! filled in the cell's row, column and box rule a value out. A queue hands out the state with the smallest
//! f = g + h. The walk goes on until the queue is empty, so it also counts and proves.
//!
//! What the paper leaves open, and what we chose:
//!
//! - g is the number of cells filled so far, each step costing one. All solutions lie equally deep, so no path is
//!   cheaper than another and h need not be a lower bound.
//! - Of equal f the deeper state goes first, then the one with the smaller last digit.
//! - A board on which an empty cell has no possible value is not queued: it has no children.
//!
//! Memory is bounded by the queue, and the queue stays short. Filling a cell with k possible values takes k off h, so
//! f never rises from a board to its children. All that grows from the best child therefore goes before its
//! siblings, and the queue only ever holds siblings of the boards on one branch: fewer than empty cells × digits.
//! Siblings share their parent's board. The same argument shows that g = 0 would visit the same boards in the same
//! order, and that this A* is a depth-first search which tries the most certain child first.

use super::watch::What;
use super::{Meter, Stop, Visit, Walk};
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
        "A*: always go on with the board that leaves the fewest possible values (Sharaf et al. 2016)"
    }

    fn takes(&self, _order: Order) -> bool {
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
    ) -> ControlFlow<Stop> {
        meter.node()?;
        if puzzle.conflict().is_some() {
            return ControlFlow::Continue(());
        }
        let mut queue = BinaryHeap::new();
        let mut state = State::first(puzzle);
        loop {
            let board = state.board();
            let (last, possible_values) = (state.last, state.uncertainty);
            meter.show(What::Expand { last, possible_values, waiting: queue.len() }, &board)?;
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

/// A board on the way to a solution: its parent with one more digit.
struct State {
    parent: Rc<Grid>,
    /// The cell filled last and its digit; nothing for the puzzle itself.
    last: Option<(Cell, Digit)>,
    /// Had the cell filled last several possible values?
    is_guess: bool,
    /// g: the cells filled since the puzzle.
    filled: usize,
    /// h: the possible values of all empty cells together.
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

    /// The boards with one more cell filled, a cell with the fewest possible values. `board` is this state's own.
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

    /// The greatest rank leaves the queue first.
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

/// By how much the uncertainty falls when a cell takes a digit; `None` when a peer would have no value left.
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

/// For each empty cell the digits that its row, column and box do not hold; nothing for a filled cell.
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
    fn the_sample_board_of_the_paper_gets_the_papers_answer() {
        let (solution, _) = Astar.first(&SAMPLE.parse().unwrap(), &Limits::none()).unwrap();
        assert_eq!(
            solution.unwrap().to_string(),
            "891274563623185947457639182586417239742953816319826754938542671164798325275361498"
        );
    }

    #[test]
    fn f_never_rises_and_h_is_the_number_of_possible_values() {
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
    fn the_queue_holds_only_siblings_of_one_branch() {
        let mut queue = BinaryHeap::from([State::first(&Grid::empty(Order::FOUR))]);
        let mut branch: Vec<Grid> = Vec::new();
        while let Some(state) = queue.pop() {
            // The boards on the way to this one; every state still queued hangs on one of them.
            branch.truncate(state.filled);
            branch.push(state.board());
            assert!(queue.iter().all(|waiting| branch.contains(&waiting.parent)));
            queue.extend(state.children(state.board()));
        }
    }

    #[test]
    fn the_walk_ends_when_the_queue_is_empty() {
        let (count, effort) =
            Astar.count(&Grid::empty(Order::FOUR), 1_000, &Limits::none()).unwrap();
        assert_eq!((count, effort.stop), (288, None));
    }
}
