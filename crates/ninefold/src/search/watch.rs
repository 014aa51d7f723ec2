//! Events of a running search, for animations of a solver.
//!
//! A solver that can be watched reports every event to its [`Meter`], which passes it to the
//! [`Watcher`]. Without a watcher this costs one comparison per event. The solvers built for speed
//! report nothing.

use super::{Meter, StopReason};
use crate::grid::{Candidates, Cell, Digit, Grid};
use std::ops::ControlFlow;

/// One event of a search.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Event<'a> {
    /// What the search did.
    pub action: Action,
    /// The board afterwards.
    pub board: &'a Grid,
}

/// A kind of event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A digit was placed in a cell.
    Place {
        /// The cell.
        cell: Cell,
        /// The digit.
        digit: Digit,
        /// The number of alternatives; 1 if it was not a guess.
        choices: usize,
    },
    /// A digit was removed again, because it leads to no further solution.
    Undo {
        /// The cell.
        cell: Cell,
        /// The digit.
        digit: Digit,
    },
    /// The search expanded the most promising board of its queue.
    Expand {
        /// The digit that distinguishes this board from its parent.
        last: Option<(Cell, Digit)>,
        /// The number of possible values, summed over all empty cells.
        possible_values: usize,
        /// The number of boards in the queue.
        waiting: usize,
    },
    /// The search learned a clause from a conflict and backtracked.
    Learn {
        /// The number of literals in the clause.
        literals: usize,
        /// The number of decisions that were undone.
        undone: usize,
    },
}

/// The callback of [`Solver::watch`](super::Solver::watch), called with every event. It decides
/// whether the search continues.
pub type Watcher<'a> = dyn FnMut(Event<'_>) -> ControlFlow<StopReason> + 'a;

/// Reports the digits that singles have placed between two boards, each when it has become a
/// single.
pub(super) fn show_singles(
    before: &Grid,
    after: &Grid,
    meter: &mut Meter<'_>,
) -> ControlFlow<StopReason> {
    let Ok(mut now) = Candidates::new(before) else { return ControlFlow::Continue(()) };
    let mut waiting: Vec<(Cell, Digit)> =
        after.clues().filter(|&(cell, _)| before[cell].is_none()).collect();
    loop {
        let mut rest = Vec::new();
        for &(cell, digit) in &waiting {
            if is_single(&now, cell, digit) {
                now.place(cell, digit);
                meter.show(Action::Place { cell, digit, choices: 1 }, now.grid())?;
            } else {
                rest.push((cell, digit));
            }
        }
        if rest.len() == waiting.len() {
            return ControlFlow::Continue(());
        }
        waiting = rest;
    }
}

fn is_single(now: &Candidates, cell: Cell, digit: Digit) -> bool {
    let is_hidden = |house| now.places_for(digit, house).only() == Some(cell);
    now.at(cell).count() == 1 || now.order().houses_of(cell).into_iter().any(is_hidden)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{self, Limits};

    const PUZZLE: &str =
        "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";

    /// Replays the events of solvers that only place and undo digits.
    #[test]
    fn events_describe_every_change_of_the_board() {
        let puzzle: Grid = "1..4..1..3..4..3".parse().unwrap();
        for solver in [search::by_name("backtrack").unwrap(), search::by_name("dlx").unwrap()] {
            let mut board = puzzle.clone();
            let (solution, effort) = solver
                .watch(&puzzle, &Limits::none(), &mut |event| {
                    match event.action {
                        Action::Place { cell, digit, .. } => board.set(cell, Some(digit)),
                        Action::Undo { cell, .. } => board.set(cell, None),
                        other => panic!("{} reported {other:?}", solver.name()),
                    }
                    assert_eq!(&board, event.board);
                    ControlFlow::Continue(())
                })
                .unwrap();
            assert_eq!(Some(board), solution);
            assert_eq!(effort.stop, Some(StopReason::Enough));
        }
    }

    #[test]
    fn watching_does_not_change_the_search() {
        let puzzle: Grid =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
                .parse()
                .unwrap();
        for solver in search::all().iter().filter(|solver| solver.can_be_watched()) {
            let mut events = 0;
            let mut last = puzzle.clone();
            let watched = solver.watch(&puzzle, &Limits::none(), &mut |event| {
                events += 1;
                last = event.board.clone();
                ControlFlow::Continue(())
            });
            let (solution, effort) = watched.unwrap();
            let (unwatched, same) = solver.first(&puzzle, &Limits::none()).unwrap();
            assert_eq!(
                (&solution, effort.nodes, effort.guesses),
                (&unwatched, same.nodes, same.guesses)
            );
            // Singles solve this puzzle, so every digit is reported.
            assert_eq!(Some(last), solution, "{}", solver.name());
            assert!(events >= puzzle.empty_cells().count(), "{}: {events}", solver.name());
        }
    }

    #[test]
    fn watcher_can_stop_the_search() {
        for solver in search::all().iter().filter(|solver| solver.can_be_watched()) {
            let mut events = 0;
            let watched = solver.watch(&PUZZLE.parse().unwrap(), &Limits::none(), &mut |_| {
                events += 1;
                if events == 3 {
                    ControlFlow::Break(StopReason::Cancelled)
                } else {
                    ControlFlow::Continue(())
                }
            });
            let (solution, effort) = watched.unwrap();
            assert_eq!(
                (solution, effort.stop, events),
                (None, Some(StopReason::Cancelled), 3),
                "{}",
                solver.name()
            );
        }
    }
}
