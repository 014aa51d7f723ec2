//! Symmetries of the clue pattern: which cells are clues, regardless of their digits.

use crate::grid::{Cell, Grid, Order};
use std::fmt;
use std::str::FromStr;

/// A symmetry of the clue pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum PatternSymmetry {
    /// No symmetry is required.
    #[default]
    None,
    /// Rotation by 180°.
    HalfTurn,
    /// Rotation by 90°.
    QuarterTurn,
    /// Reflection in the diagonal from the top left to the bottom right.
    Diagonal,
    /// Reflections in both diagonals.
    BothDiagonals,
    /// Reflection in the vertical axis, which swaps left and right.
    Vertical,
    /// Reflection in the horizontal axis, which swaps top and bottom.
    Horizontal,
    /// All rotations and reflections.
    Full,
}

/// The name of a symmetry that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown symmetry {:?}, expected one of {}", .0, PatternSymmetry::ALL.map(PatternSymmetry::name).join(", "))]
pub struct UnknownSymmetryError(pub String);

impl PatternSymmetry {
    /// All symmetries, the least restrictive first.
    pub const ALL: [PatternSymmetry; 8] = [
        PatternSymmetry::None,
        PatternSymmetry::HalfTurn,
        PatternSymmetry::QuarterTurn,
        PatternSymmetry::Diagonal,
        PatternSymmetry::BothDiagonals,
        PatternSymmetry::Vertical,
        PatternSymmetry::Horizontal,
        PatternSymmetry::Full,
    ];

    /// The name on the command line and in the API, such as `half-turn`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            PatternSymmetry::None => "none",
            PatternSymmetry::HalfTurn => "half-turn",
            PatternSymmetry::QuarterTurn => "quarter-turn",
            PatternSymmetry::Diagonal => "diagonal",
            PatternSymmetry::BothDiagonals => "both-diagonals",
            PatternSymmetry::Vertical => "vertical",
            PatternSymmetry::Horizontal => "horizontal",
            PatternSymmetry::Full => "full",
        }
    }

    /// Groups of cells that are either all clues or all empty, in reading order of their first
    /// cells.
    pub(super) fn groups(self, order: Order) -> Vec<Vec<Cell>> {
        let mut grouped = vec![false; order.cell_count()];
        let mut groups = Vec::new();
        for first in order.cells() {
            if grouped[first.index()] {
                continue;
            }
            grouped[first.index()] = true;
            let mut group = vec![first];
            let mut next = 0;
            while let Some(&cell) = group.get(next) {
                next += 1;
                for image in self.images(order, cell) {
                    if !std::mem::replace(&mut grouped[image.index()], true) {
                        group.push(image);
                    }
                }
            }
            groups.push(group);
        }
        groups
    }

    /// Whether the clue pattern of a puzzle has this symmetry.
    #[must_use]
    pub fn holds_for(self, puzzle: &Grid) -> bool {
        puzzle.order().cells().all(|cell| {
            self.images(puzzle.order(), cell)
                .into_iter()
                .all(|image| puzzle[cell].is_some() == puzzle[image].is_some())
        })
    }

    /// The images of a cell under the generators of the symmetry group.
    fn images(self, order: Order, cell: Cell) -> Vec<Cell> {
        let last = order.side() - 1;
        let (row, column) = (order.row_of(cell), order.column_of(cell));
        let half_turn = || order.cell(last - row, last - column);
        let quarter_turn = || order.cell(column, last - row);
        let diagonal = || order.cell(column, row);
        let vertical = || order.cell(row, last - column);
        let horizontal = || order.cell(last - row, column);
        match self {
            PatternSymmetry::None => vec![],
            PatternSymmetry::HalfTurn => vec![half_turn()],
            PatternSymmetry::QuarterTurn => vec![quarter_turn()],
            PatternSymmetry::Diagonal => vec![diagonal()],
            PatternSymmetry::BothDiagonals => vec![diagonal(), half_turn()],
            PatternSymmetry::Vertical => vec![vertical()],
            PatternSymmetry::Horizontal => vec![horizontal()],
            PatternSymmetry::Full => vec![quarter_turn(), diagonal()],
        }
    }
}

impl FromStr for PatternSymmetry {
    type Err = UnknownSymmetryError;

    fn from_str(name: &str) -> Result<PatternSymmetry, UnknownSymmetryError> {
        let found = PatternSymmetry::ALL.into_iter().find(|symmetry| symmetry.name() == name);
        found.ok_or_else(|| UnknownSymmetryError(name.to_string()))
    }
}

impl fmt::Display for PatternSymmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn group_sizes_match_the_symmetry() {
        let sizes = |symmetry: PatternSymmetry| {
            let groups = symmetry.groups(Order::NINE);
            assert_eq!(groups.iter().map(Vec::len).sum::<usize>(), 81);
            (groups.len(), groups.iter().map(Vec::len).max())
        };
        assert_eq!(sizes(PatternSymmetry::None), (81, Some(1)));
        assert_eq!(sizes(PatternSymmetry::HalfTurn), (41, Some(2)));
        assert_eq!(sizes(PatternSymmetry::QuarterTurn), (21, Some(4)));
        assert_eq!(sizes(PatternSymmetry::Diagonal), (45, Some(2)));
        assert_eq!(sizes(PatternSymmetry::BothDiagonals), (25, Some(4)));
        assert_eq!(sizes(PatternSymmetry::Vertical), (45, Some(2)));
        assert_eq!(sizes(PatternSymmetry::Horizontal), (45, Some(2)));
        assert_eq!(sizes(PatternSymmetry::Full), (15, Some(8)));
    }

    #[test]
    fn parses_every_name() {
        for symmetry in PatternSymmetry::ALL {
            assert_eq!(symmetry.to_string().parse(), Ok(symmetry));
        }
        let error = "odd".parse::<PatternSymmetry>().unwrap_err().to_string();
        assert!(error.starts_with("unknown symmetry \"odd\", expected one of none, half-turn,"));
    }

    #[test]
    fn recognises_the_symmetries_of_a_pattern() {
        let puzzle: Grid = "1..4..1..3..4..3".parse().unwrap();
        let holds: Vec<&str> = PatternSymmetry::ALL
            .into_iter()
            .filter(|symmetry| symmetry.holds_for(&puzzle))
            .map(|s| s.name())
            .collect();
        assert_eq!(holds, ["none", "half-turn", "diagonal", "both-diagonals"]);
    }
}
