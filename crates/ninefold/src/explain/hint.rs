//! Hints for players: the next step from their own grid and pencil marks, or the mistake in it.
//!
//! The caller passes in the solution that a search found. It is only used to check whether the
//! player's digits and marks are compatible with it, never to choose a step.

use super::words::{Detail, Wording};
use super::{ExplainOutcome, Explanation};
use crate::grid::{Candidates, Cell, Digit, Grid, Position, Solutions};
use crate::limits::Limits;
use crate::logic::ExplainOptions;
use crate::proof::Step;

/// Error in a position that prevents the solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mistake {
    /// A filled digit that differs from the solution.
    WrongDigit {
        /// Cell of the wrong digit.
        cell: Cell,
        /// The wrong digit.
        digit: Digit,
    },
    /// A pencil mark that was removed although the solution needs it.
    MissingMark {
        /// Cell of the missing mark.
        cell: Cell,
        /// The missing mark.
        digit: Digit,
    },
}

/// The next step in a position, or the reason why there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint(Explanation);

impl Hint {
    /// Returns the next step in a position, or what is wrong with it. See [`Explanation::new`] for
    /// the arguments.
    pub fn new(
        position: &Position,
        solutions: Option<Solutions>,
        options: &ExplainOptions,
        limits: &Limits<'_>,
    ) -> Hint {
        let options = options.clone().with_max_steps(1);
        Hint(Explanation::new(position, solutions, &options, limits))
    }

    /// Returns the next step.
    pub fn step(&self) -> Option<&Step> {
        self.0.steps.first()
    }

    /// Returns why there is no step. The value has no meaning if there is a step.
    pub fn outcome(&self) -> &ExplainOutcome {
        &self.0.outcome
    }

    /// Returns the position of the step without stale candidates.
    pub fn position(&self) -> &Position {
        &self.0.start
    }

    /// Returns the text of the hint. With [`Detail::Full`], a step that assumes a unique solution
    /// ends with a note about it.
    pub fn text(&self, detail: Detail, wording: impl Into<Wording>) -> String {
        let wording = wording.into();
        match self.step() {
            Some(step) => {
                let text = step.explain_in(self.0.start.candidates(), detail, wording);
                let adds_note = detail == Detail::Full && step.technique.needs_uniqueness();
                if adds_note { format!("{text} {}", wording.uniqueness_note()) } else { text }
            }
            None => self.0.outcome.text(&self.0.start, detail, wording),
        }
    }
}

/// Returns the first difference from the solution in reading order, digits before marks.
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

/// Returns the index of the first position of a game that cannot lead to the solution, and the
/// reason. Returns `None` if there is no such position. The player can return to the position
/// before it. Without a solution, only equal digits in the same house are found.
pub fn first_mistake(
    game: &[Position],
    solution: Option<&Grid>,
) -> Option<(usize, ExplainOutcome)> {
    game.iter().enumerate().find_map(|(index, position)| {
        let end = match position.grid().conflict() {
            Some(conflict) => ExplainOutcome::Conflict(conflict),
            None => ExplainOutcome::Mistake(mistake(position.candidates(), solution?)?),
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
        Hint::new(
            &position,
            solution.map(Solutions::One),
            &ExplainOptions::default(),
            &Limits::none(),
        )
    }

    fn check(change: impl Fn(&mut Candidates), expected: &str) {
        let (puzzle, solution): (Grid, Grid) = (PUZZLE.parse().unwrap(), SOLUTION.parse().unwrap());
        let mut position = Candidates::new(&puzzle).unwrap();
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
    fn next_step_uses_the_players_grid() {
        check(
            |_| {},
            "Hidden Single: r1c6 is 8. The 8 in r3c3 blocks row 3 and the 8 in r5c4 blocks \
             column 4, so box 2 has no other place for it.",
        );
        // If the player has already filled this cell, the hint shows another step.
        check(
            |position| position.place(cell(1, 6), digit(8)),
            "Hidden Single: r1c4 is 6. The other empty cells of box 2 are all in row 3, which \
             already has its 6 in r3c8.",
        );
    }

    #[test]
    fn reports_wrong_digits_and_missing_marks() {
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
    fn finds_the_first_mistake_of_a_game() {
        let (puzzle, solution): (Grid, Grid) = (PUZZLE.parse().unwrap(), SOLUTION.parse().unwrap());
        let mut candidates = Candidates::new(&puzzle).unwrap();
        let mut game = vec![Position::from_puzzle(&puzzle).unwrap()];
        for (row, column, number) in [(5, 5, 5), (1, 3, 1), (2, 2, 7), (1, 4, 3)] {
            candidates.place(cell(row, column), digit(number));
            game.push(Position::new(puzzle.clone(), candidates.clone()).unwrap());
        }
        let wrong = Mistake::WrongDigit { cell: cell(1, 3), digit: digit(1) };
        assert_eq!(
            first_mistake(&game, Some(&solution)),
            Some((2, ExplainOutcome::Mistake(wrong)))
        );
        assert_eq!(first_mistake(&game[..2], Some(&solution)), None);
        assert!(matches!(first_mistake(&game, None), Some((4, ExplainOutcome::Conflict(_)))));
    }

    #[test]
    fn reports_solved_and_contradictory_grids() {
        let solution: Grid = SOLUTION.parse().unwrap();
        let position = Candidates::new(&solution).unwrap();
        assert_eq!(
            hint(solution.clone(), position, Some(solution)).outcome(),
            &ExplainOutcome::Solved
        );
        let mut dead = Candidates::new(&PUZZLE.parse().unwrap()).unwrap();
        dead.set(cell(5, 5), DigitSet::from_digit(digit(1)));
        // A mark that a filled digit rules out is ignored, so the cell has no candidates left.
        assert_eq!(hint(dead.grid().clone(), dead, None).outcome(), &ExplainOutcome::Contradiction);
    }
}
