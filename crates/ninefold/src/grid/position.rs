//! A position: a puzzle together with the player's progress.
//!
//! It distinguishes the clues from the digits that the player filled in, and stores which
//! candidates the player has removed.

use super::{Candidates, Cell, Conflict, Digit, Grid, Order};

/// A puzzle together with a player's digits and candidates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    puzzle: Grid,
    candidates: Candidates,
}

/// The puzzle and the candidates of a position have different sizes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("grid sizes differ: the puzzle is {puzzle}, the position is {position}")]
#[non_exhaustive]
pub struct DifferentSizesError {
    /// The size of the puzzle.
    pub puzzle: Order,
    /// The size of the position.
    pub position: Order,
}

impl Position {
    /// The start position of a puzzle: only the clues are filled in, with all possible candidates.
    /// Fails if the clues break the rules.
    ///
    /// ```
    /// use ninefold::grid::{Grid, Position};
    ///
    /// let puzzle: Grid = "1..4..1..3..4..3".parse()?;
    /// let position = Position::from_puzzle(&puzzle)?;
    /// assert_eq!(position.puzzle(), position.candidates().grid());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_puzzle(puzzle: &Grid) -> Result<Position, Conflict> {
        Ok(Position { puzzle: puzzle.clone(), candidates: Candidates::new(puzzle)? })
    }

    /// A position during solving. Clues missing in `candidates` are filled in. The digits may break
    /// the rules or differ from a clue, as a player's digits sometimes do.
    pub fn new(puzzle: Grid, mut candidates: Candidates) -> Result<Position, DifferentSizesError> {
        if puzzle.order() != candidates.order() {
            return Err(DifferentSizesError {
                puzzle: puzzle.order(),
                position: candidates.order(),
            });
        }
        for (cell, clue) in puzzle.clues() {
            if candidates.grid()[cell].is_none() {
                candidates.place(cell, clue);
            }
        }
        Ok(Position { puzzle, candidates })
    }

    /// The first cell whose digit differs from its clue, and that digit.
    pub fn altered_clue(&self) -> Option<(Cell, Digit)> {
        let held = |(cell, clue): (Cell, Digit)| {
            Some((cell, self.grid()[cell].filter(|digit| *digit != clue)?))
        };
        self.puzzle.clues().find_map(held)
    }

    /// The grid of clues.
    pub fn puzzle(&self) -> &Grid {
        &self.puzzle
    }

    /// The digits placed so far and the remaining candidates.
    pub fn candidates(&self) -> &Candidates {
        &self.candidates
    }

    /// The digits placed so far, including the clues.
    pub fn grid(&self) -> &Grid {
        self.candidates.grid()
    }

    /// The size of the grid.
    pub fn order(&self) -> Order {
        self.puzzle.order()
    }

    /// A copy without candidates that see an equal digit; see `Candidates::without_stale_marks`.
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
        let position = Position::new(puzzle, Candidates::new(&reached).unwrap());
        let found =
            position.map(|position| position.grid().to_string()).map_err(|error| error.to_string());
        assert_eq!(found.as_deref().map_err(String::as_str), expected);
    }

    #[test]
    fn keeps_placed_digits_and_restores_missing_clues() {
        check("1..4..1..3..4..3", "12.4..1..3..4..3", Ok("12.4..1..3..4..3"));
        check("1..4..1..3..4..3", "12.4............", Ok("12.4..1..3..4..3"));
    }

    #[test]
    fn finds_an_altered_clue() {
        let (puzzle, altered): (Grid, Grid) =
            ("1..4..1..3..4..3".parse().unwrap(), "2...............".parse().unwrap());
        let position = Position::new(puzzle, Candidates::new(&altered).unwrap()).unwrap();
        assert_eq!(position.altered_clue(), Some((Cell::new(0), Digit::new(2).unwrap())));
    }

    #[test]
    fn rejects_different_sizes() {
        let large = ".".repeat(81);
        check(
            "1..4..1..3..4..3",
            &large,
            Err("grid sizes differ: the puzzle is 4×4, the position is 9×9"),
        );
    }
}
