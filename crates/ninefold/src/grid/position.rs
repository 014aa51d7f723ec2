//! A position: a puzzle, and how far somebody has come with it.
//!
//! Digits that were filled in are told apart from the clues, and candidates that were crossed out stay crossed out.

use super::{Candidates, Cell, Conflict, Digit, Grid, Order};

/// A puzzle together with the digits and candidates of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    puzzle: Grid,
    candidates: Candidates,
}

/// A puzzle and candidates of different sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the puzzle is {puzzle}, but the position is {position}")]
pub struct DifferentSizes {
    /// The size of the puzzle.
    pub puzzle: Order,
    /// The size of the position.
    pub position: Order,
}

impl Position {
    /// The position in which a puzzle is first seen: nothing filled in, every possible candidate open; a conflict if its
    /// clues break the rules.
    ///
    /// ```
    /// use ninefold::grid::{Grid, Position};
    ///
    /// let puzzle: Grid = "1..4..1..3..4..3".parse()?;
    /// let position = Position::start(&puzzle)?;
    /// assert_eq!(position.puzzle(), position.candidates().grid());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn start(puzzle: &Grid) -> Result<Position, Conflict> {
        Ok(Position { puzzle: puzzle.clone(), candidates: Candidates::of(puzzle)? })
    }

    /// A position on the way. A clue that the position lacks is filled in. The digits may break the rules or differ from a
    /// clue, as those of a player sometimes do.
    pub fn new(puzzle: Grid, mut candidates: Candidates) -> Result<Position, DifferentSizes> {
        if puzzle.order() != candidates.order() {
            return Err(DifferentSizes { puzzle: puzzle.order(), position: candidates.order() });
        }
        for (cell, clue) in puzzle.clues() {
            if candidates.grid()[cell].is_none() {
                candidates.place(cell, clue);
            }
        }
        Ok(Position { puzzle, candidates })
    }

    /// The first cell that holds another digit than its clue, and that digit.
    pub fn altered_clue(&self) -> Option<(Cell, Digit)> {
        let held = |(cell, clue): (Cell, Digit)| {
            Some((cell, self.grid()[cell].filter(|digit| *digit != clue)?))
        };
        self.puzzle.clues().find_map(held)
    }

    /// The clues.
    pub fn puzzle(&self) -> &Grid {
        &self.puzzle
    }

    /// The digits and candidates reached.
    pub fn candidates(&self) -> &Candidates {
        &self.candidates
    }

    /// The digits reached, clues included.
    pub fn grid(&self) -> &Grid {
        self.candidates.grid()
    }

    /// The size of the grid.
    pub fn order(&self) -> Order {
        self.puzzle.order()
    }

    /// The same position without candidates that see an equal digit; see `Candidates::without_stale_marks`.
    #[must_use]
    pub(crate) fn without_stale_marks(self) -> Position {
        Position { candidates: self.candidates.without_stale_marks(), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(puzzle: &str, reached: &str, expected: Result<&str, &str>) {
        let (puzzle, reached): (Grid, Grid) = (puzzle.parse().unwrap(), reached.parse().unwrap());
        let position = Position::new(puzzle, Candidates::of(&reached).unwrap());
        let found =
            position.map(|position| position.grid().to_string()).map_err(|error| error.to_string());
        assert_eq!(found.as_deref().map_err(String::as_str), expected);
    }

    #[test]
    fn digits_filled_in_stay_and_clues_left_out_come_back() {
        check("1..4..1..3..4..3", "12.4..1..3..4..3", Ok("12.4..1..3..4..3"));
        check("1..4..1..3..4..3", "12.4............", Ok("12.4..1..3..4..3"));
    }

    #[test]
    fn an_altered_clue_is_found() {
        let (puzzle, altered): (Grid, Grid) =
            ("1..4..1..3..4..3".parse().unwrap(), "2...............".parse().unwrap());
        let position = Position::new(puzzle, Candidates::of(&altered).unwrap()).unwrap();
        assert_eq!(position.altered_clue(), Some((Cell::new(0), Digit::new(2).unwrap())));
    }

    #[test]
    fn what_does_not_belong_together_is_refused() {
        let large = ".".repeat(81);
        check("1..4..1..3..4..3", &large, Err("the puzzle is 4×4, but the position is 9×9"));
    }
}
