//! A hint for a player: the next deduction from their own grid and pencil marks, or the mistake in it.
//!
//! The caller knows the solution (a search has found it) and hands it over; it is used only to see whether the
//! player's digits and marks still allow it, never to choose a step.

use super::words::{Detail, Wording};
use super::{End, Explanation};
use crate::grid::{Candidates, Cell, Digit, Grid, Position, Solutions};
use crate::limits::Limits;
use crate::logic::Options;
use crate::proof::Step;

/// Something in a position that cannot lead to the solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mistake {
    /// A filled digit that is not the solution's.
    WrongDigit {
        /// Where.
        cell: Cell,
        /// What stands there.
        digit: Digit,
    },
    /// A pencil mark that was crossed out though the solution needs it.
    MissingMark {
        /// Where.
        cell: Cell,
        /// The mark that is missing.
        digit: Digit,
    },
}

/// The answer to "what now?": the next step, or why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint(Explanation);

impl Hint {
    /// The next step from a position on, or what is wrong with it; the arguments are those of [`Explanation::of`].
    pub fn of(
        position: &Position,
        solutions: Option<Solutions>,
        options: &Options,
        limits: &Limits<'_>,
    ) -> Hint {
        Hint(Explanation::of(
            position,
            solutions,
            &Options { most_steps: 1, ..options.clone() },
            limits,
        ))
    }

    /// The next step.
    pub fn step(&self) -> Option<&Step> {
        self.0.steps.first()
    }

    /// Why there is no step; without meaning where there is one.
    pub fn end(&self) -> &End {
        &self.0.end
    }

    /// The position that the step is about, without stale candidates.
    pub fn position(&self) -> &Position {
        &self.0.start
    }

    /// The hint in words. The whole reason of a step that rests on uniqueness ends with that promise.
    pub fn text(&self, detail: Detail, wording: impl Into<Wording>) -> String {
        let wording = wording.into();
        match self.step() {
            Some(step) => {
                let said = step.explain_in(self.0.start.candidates(), detail, wording);
                let promises = detail == Detail::Full && step.technique.needs_uniqueness();
                if promises { format!("{said} {}", wording.promise()) } else { said }
            }
            None => self.0.end.text(&self.0.start, detail, wording),
        }
    }
}

/// The first thing, in reading order, that keeps a position from the solution; digits before marks.
pub fn mistake(position: &Candidates, solution: &Grid) -> Option<Mistake> {
    let order = position.order();
    let right = |cell: Cell| solution[cell].filter(|_| solution.order() == order);
    let wrong_digit = order.cells().find_map(|cell| {
        let (digit, right) = (position.grid()[cell]?, right(cell)?);
        (digit != right).then_some(Mistake::WrongDigit { cell, digit })
    });
    let missing_mark = || {
        position.grid().empty_cells().find_map(|cell| {
            let digit = right(cell)?;
            (!position.at(cell).contains(digit)).then_some(Mistake::MissingMark { cell, digit })
        })
    };
    wrong_digit.or_else(missing_mark)
}

/// The first position of a game that cannot lead to the solution, and why: go back to the position before it. Without a
/// solution only digits that break the rules are found.
pub fn first_mistake(game: &[Position], solution: Option<&Grid>) -> Option<(usize, End)> {
    game.iter().enumerate().find_map(|(index, position)| {
        let end = match position.grid().conflict() {
            Some(conflict) => End::Conflict(conflict),
            None => End::Mistake(mistake(position.candidates(), solution?)?),
        };
        Some((index, end))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explain::Notation;
    use crate::grid::{DigitSet, Order};

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLUTION: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn hint(puzzle: Grid, position: Candidates, solution: Option<Grid>) -> Hint {
        let position = Position::new(puzzle, position).unwrap();
        Hint::of(&position, solution.map(Solutions::One), &Options::default(), &Limits::none())
    }

    fn check(change: impl Fn(&mut Candidates), expected: &str) {
        let (puzzle, solution): (Grid, Grid) = (PUZZLE.parse().unwrap(), SOLUTION.parse().unwrap());
        let mut position = Candidates::of(&puzzle).unwrap();
        change(&mut position);
        assert_eq!(
            hint(puzzle, position, Some(solution)).text(Detail::Full, Notation::default()),
            expected
        );
    }

    fn cell(row: usize, column: usize) -> Cell {
        Order::NINE.cell(row - 1, column - 1)
    }

    fn digit(number: u8) -> Digit {
        Digit::new(number).unwrap()
    }

    #[test]
    fn the_next_step_comes_from_the_players_own_grid() {
        check(
            |_| {},
            "Hidden Single: r1c6 is 8. The 8 in r3c3 blocks row 3 and the 8 in r5c4 blocks column 4, so box 2 has no other \
             place for it.",
        );
        // A player who has already filled it gets another hint.
        check(
            |position| position.place(cell(1, 6), digit(8)),
            "Hidden Single: r1c4 is 6. The other empty cells of box 2 are all in row 3, which already has its 6 in r3c8.",
        );
    }

    #[test]
    fn a_wrong_digit_and_a_missing_mark_are_named() {
        check(
            |position| position.place(cell(1, 3), digit(1)),
            "The 1 in r1c3 is wrong. Erase it, and check what you filled in after it.",
        );
        check(
            |position| {
                position.remove(cell(1, 3), digit(4));
            },
            "r1c3 still needs the pencil mark 4. Put it back before you go on.",
        );
        check(
            |position| position.place(cell(1, 3), digit(3)),
            "There are two 3s in row 1, in r1c2 and r1c3.",
        );
    }

    #[test]
    fn the_first_mistake_of_a_game_is_found() {
        let (puzzle, solution): (Grid, Grid) = (PUZZLE.parse().unwrap(), SOLUTION.parse().unwrap());
        let mut candidates = Candidates::of(&puzzle).unwrap();
        let mut game = vec![Position::start(&puzzle).unwrap()];
        for (row, column, number) in [(5, 5, 5), (1, 3, 1), (2, 2, 7), (1, 4, 3)] {
            candidates.place(cell(row, column), digit(number));
            game.push(Position::new(puzzle.clone(), candidates.clone()).unwrap());
        }
        let wrong = Mistake::WrongDigit { cell: cell(1, 3), digit: digit(1) };
        assert_eq!(first_mistake(&game, Some(&solution)), Some((2, End::Mistake(wrong))));
        assert_eq!(first_mistake(&game[..2], Some(&solution)), None);
        assert!(matches!(first_mistake(&game, None), Some((4, End::Conflict(_)))));
    }

    #[test]
    fn a_full_grid_is_praised_and_a_dead_end_named() {
        let solution: Grid = SOLUTION.parse().unwrap();
        let position = Candidates::of(&solution).unwrap();
        assert_eq!(hint(solution.clone(), position, Some(solution)).end(), &End::Solved);
        let mut dead = Candidates::of(&PUZZLE.parse().unwrap()).unwrap();
        dead.set(cell(5, 5), DigitSet::of(digit(1)));
        // A mark that a filled digit rules out does not count: the cell has none left.
        assert_eq!(hint(dead.grid().clone(), dead, None).end(), &End::Contradiction);
    }
}
