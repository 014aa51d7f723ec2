//! A hint for a player: the next deduction from their own grid and pencil marks, or the mistake in it.
//!
//! Whoever asks knows the solution (a search has found it) and hands it over; it is used only to see whether the
//! player's digits and marks still allow it, never to choose a step.

use super::notation::{Names, Notation};
use super::path::{Options, solve};
use super::words::Level;
use super::{End, Step};
use crate::grid::{Candidates, Cell, Conflict, Digit, Grid};

/// Something in a position that cannot lead to the solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// An answer to "what now?".
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hint {
    /// Two equal digits in one house.
    Conflict(Conflict),
    /// Something is wrong already.
    Mistake(Mistake),
    /// The next deduction.
    Step(Box<Step>),
    /// Every cell is filled, and rightly.
    Solved,
    /// The position has no solution.
    Contradiction,
    /// No technique in use finds anything.
    Stuck,
}

/// The next deduction, or what is wrong. `position` holds the player's digits and marks; marks that a filled digit
/// rules out anyway are taken away first. Without a solution nothing is compared.
pub fn hint(givens: &Grid, position: &Candidates, solution: Option<&Grid>, options: &Options) -> Hint {
    if let Some(conflict) = position.grid().conflict() {
        return Hint::Conflict(conflict);
    }
    if let Some(mistake) = solution.and_then(|solution| mistake(position, solution)) {
        return Hint::Mistake(mistake);
    }
    let position = without_stale_marks(position);
    let path = solve(givens, &position, &Options { most_steps: 1, ..options.clone() });
    match (path.trace.steps.into_iter().next(), path.end) {
        (Some(step), _) => Hint::Step(Box::new(step)),
        (None, End::Solved) => Hint::Solved,
        (None, End::Contradiction) => Hint::Contradiction,
        (None, _) => Hint::Stuck,
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

/// The first position of a player's history with a mistake, and the mistake: go back to the position before it.
pub fn first_mistake(history: &[Candidates], solution: &Grid) -> Option<(usize, Mistake)> {
    history.iter().enumerate().find_map(|(index, position)| Some((index, mistake(position, solution)?)))
}

/// The position without marks that see an equal digit. A cell without any mark gets all that are possible: many
/// players write no marks at all.
pub fn without_stale_marks(position: &Candidates) -> Candidates {
    let Ok(possible) = Candidates::of(position.grid()) else { return position.clone() };
    let mut cleaned = possible.clone();
    for cell in position.grid().empty_cells() {
        let marks = position.at(cell);
        if !marks.is_empty() {
            cleaned.set(cell, marks & possible.at(cell));
        }
    }
    cleaned
}

impl Hint {
    /// The hint in words.
    pub fn text(&self, position: &Candidates, level: Level) -> String {
        self.text_in(position, level, Notation::default())
    }

    /// The hint in words, with the names of a notation.
    pub fn text_in(&self, position: &Candidates, level: Level, notation: Notation) -> String {
        let names = Names { order: position.order(), notation };
        match self {
            Hint::Conflict(conflict) => format!("This cannot be: {conflict}."),
            Hint::Mistake(Mistake::WrongDigit { cell, digit }) => {
                format!("The {} in {} is wrong.", names.digit(*digit), names.cell(*cell))
            }
            Hint::Mistake(Mistake::MissingMark { cell, digit }) => match level {
                Level::Hint => format!("A pencil mark that is needed is missing in {}.", names.cell(*cell)),
                _ => format!(
                    "The pencil mark {} is missing in {}; it must not be crossed out.",
                    names.digit(*digit),
                    names.cell(*cell)
                ),
            },
            Hint::Step(step) => step.explain_in(&without_stale_marks(position), level, notation),
            Hint::Solved => "The grid is full and right.".to_string(),
            Hint::Contradiction => {
                "There is no way on: a cell has no digit left or a house no place for one.".to_string()
            }
            Hint::Stuck => "None of the techniques in use finds anything here.".to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{DigitSet, Order};

    const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLUTION: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn check(change: impl Fn(&mut Candidates), expected: &str) {
        let (puzzle, solution): (Grid, Grid) = (PUZZLE.parse().unwrap(), SOLUTION.parse().unwrap());
        let mut position = Candidates::of(&puzzle).unwrap();
        change(&mut position);
        let hint = hint(&puzzle, &position, Some(&solution), &Options::default());
        assert_eq!(hint.text(&position, Level::Full), expected);
    }

    fn cell(row: usize, column: usize) -> Cell {
        Order::NINE.cell(row - 1, column - 1)
    }

    fn digit(number: u8) -> Digit {
        Digit::new(number).unwrap()
    }

    #[test]
    fn the_next_step_comes_from_the_players_own_grid() {
        let naked = "Naked Single: r5c5 can hold nothing but 5, because it sees every other digit or has lost it. \
                     So r5c5 is 5.";
        check(|_| {}, naked);
        // Whoever has filled r5c5 already is told something else.
        check(
            |position| position.place(cell(5, 5), digit(5)),
            "Naked Single: r5c2 can hold nothing but 2, because it sees every other digit or has lost it. So r5c2 is 2.",
        );
    }

    #[test]
    fn a_wrong_digit_and_a_missing_mark_are_named() {
        check(|position| position.place(cell(1, 3), digit(1)), "The 1 in r1c3 is wrong.");
        check(
            |position| {
                position.remove(cell(1, 3), digit(4));
            },
            "The pencil mark 4 is missing in r1c3; it must not be crossed out.",
        );
        check(
            |position| position.place(cell(1, 3), digit(3)),
            "This cannot be: row 1, column 3: a second 3 in row 1, the first is in row 1, column 2.",
        );
    }

    #[test]
    fn the_first_mistake_of_a_history_is_found() {
        let (puzzle, solution): (Grid, Grid) = (PUZZLE.parse().unwrap(), SOLUTION.parse().unwrap());
        let mut history = vec![Candidates::of(&puzzle).unwrap()];
        for (row, column, number) in [(5, 5, 5), (1, 3, 1), (2, 2, 7)] {
            let mut next = history[history.len() - 1].clone();
            next.place(cell(row, column), digit(number));
            history.push(next);
        }
        let wrong = Mistake::WrongDigit { cell: cell(1, 3), digit: digit(1) };
        assert_eq!(first_mistake(&history, &solution), Some((2, wrong)));
        assert_eq!(first_mistake(&history[..2], &solution), None);
    }

    #[test]
    fn a_full_grid_is_praised_and_a_dead_end_named() {
        let solution: Grid = SOLUTION.parse().unwrap();
        let position = Candidates::of(&solution).unwrap();
        assert_eq!(hint(&solution, &position, Some(&solution), &Options::default()), Hint::Solved);
        let mut dead = Candidates::of(&PUZZLE.parse().unwrap()).unwrap();
        dead.set(cell(5, 5), DigitSet::of(digit(1)));
        // A mark that a filled digit rules out is no mark: the cell has none left.
        assert_eq!(hint(dead.grid(), &dead, None, &Options::default()), Hint::Contradiction);
    }
}
