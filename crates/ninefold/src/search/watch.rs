//! Watching a search: this is where a solver shows what it tries.
//!
//! A solver that can be watched reports every moment to its [`Meter`]. Without a watcher that is one
//! comparison; the solvers built for speed do not even have that and show nothing.

use super::{Meter, Stop};
use crate::grid::{Candidates, Cell, Digit, Grid};
use std::ops::ControlFlow;

/// One moment of a search.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Moment<'a> {
    /// What happens.
    pub what: What,
    /// The board after it.
    pub board: &'a Grid,
}

/// What a search does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A digit is written into a cell.
    Write {
        /// The cell.
        cell: Cell,
        /// The digit.
        digit: Digit,
        /// How many ways there were to go on; with one it is not a guess.
        choices: usize,
    },
    /// A digit is taken back, because nothing that follows from it works out.
    Retreat {
        /// The cell.
        cell: Cell,
        /// The digit.
        digit: Digit,
    },
    /// The search goes on with the most promising of all boards it knows.
    Expand {
        /// The digit that this board has more than the one it comes from.
        last: Option<(Cell, Digit)>,
        /// The possible values of all its empty cells together.
        possible_values: usize,
        /// The boards that wait for their turn.
        waiting: usize,
    },
    /// A conflict taught the search a clause, and it goes back.
    Learn {
        /// How many literals the clause has.
        literals: usize,
        /// How many decisions are taken back.
        taken_back: usize,
    },
}

/// Somebody who sees every moment and answers whether to go on.
pub type Watcher<'a> = dyn FnMut(Moment<'_>) -> ControlFlow<Stop> + 'a;

/// Shows one by one the digits by which singles alone have filled a board, each when it has become a single.
pub(super) fn show_singles(
    before: &Grid,
    after: &Grid,
    meter: &mut Meter<'_>,
) -> ControlFlow<Stop> {
    let Ok(mut now) = Candidates::of(before) else { return ControlFlow::Continue(()) };
    let mut waiting: Vec<(Cell, Digit)> =
        after.clues().filter(|&(cell, _)| before[cell].is_none()).collect();
    loop {
        let mut rest = Vec::new();
        for &(cell, digit) in &waiting {
            if is_single(&now, cell, digit) {
                now.place(cell, digit);
                meter.show(What::Write { cell, digit, choices: 1 }, now.grid())?;
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

    /// The digits on the board follow from the moments alone, for solvers that write and retreat.
    #[test]
    fn every_write_and_retreat_is_shown() {
        let puzzle: Grid = "1..4..1..3..4..3".parse().unwrap();
        for solver in [search::by_name("backtrack").unwrap(), search::by_name("dlx").unwrap()] {
            let mut board = puzzle.clone();
            let (solution, effort) = solver
                .watch(&puzzle, &Limits::none(), &mut |moment| {
                    match moment.what {
                        What::Write { cell, digit, .. } => board.set(cell, Some(digit)),
                        What::Retreat { cell, .. } => board.set(cell, None),
                        other => panic!("{} does not {other:?}", solver.name()),
                    }
                    assert_eq!(&board, moment.board);
                    ControlFlow::Continue(())
                })
                .unwrap();
            assert_eq!(Some(board), solution);
            assert_eq!(effort.stop, Some(Stop::Enough));
        }
    }

    #[test]
    fn a_watcher_sees_the_solution_grow_and_changes_nothing() {
        let puzzle: Grid =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
                .parse()
                .unwrap();
        for solver in search::all().iter().filter(|solver| solver.can_be_watched()) {
            let mut moments = 0;
            let mut last = puzzle.clone();
            let watched = solver.watch(&puzzle, &Limits::none(), &mut |moment| {
                moments += 1;
                last = moment.board.clone();
                ControlFlow::Continue(())
            });
            let (solution, effort) = watched.unwrap();
            let (unwatched, same) = solver.first(&puzzle, &Limits::none()).unwrap();
            assert_eq!(
                (&solution, effort.nodes, effort.guesses),
                (&unwatched, same.nodes, same.guesses)
            );
            // Singles alone solve it, so every digit is seen to come.
            assert_eq!(Some(last), solution, "{}", solver.name());
            assert!(moments >= puzzle.empty_cells().count(), "{}: {moments}", solver.name());
        }
    }

    #[test]
    fn a_watcher_who_has_seen_enough_stops_the_search() {
        for solver in search::all().iter().filter(|solver| solver.can_be_watched()) {
            let mut moments = 0;
            let watched = solver.watch(&PUZZLE.parse().unwrap(), &Limits::none(), &mut |_| {
                moments += 1;
                if moments == 3 {
                    ControlFlow::Break(Stop::Cancelled)
                } else {
                    ControlFlow::Continue(())
                }
            });
            let (solution, effort) = watched.unwrap();
            assert_eq!(
                (solution, effort.stop, moments),
                (None, Some(Stop::Cancelled), 3),
                "{}",
                solver.name()
            );
        }
    }
}
