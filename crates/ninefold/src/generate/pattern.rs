//! Patterns: where the clues of a puzzle stand, and how that picture is symmetric.

use crate::grid::{Cell, Grid, Order};
use std::fmt;

/// The symmetry of the clues' pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum PatternSymmetry {
    /// No symmetry is asked for.
    #[default]
    None,
    /// Turned by 180°.
    HalfTurn,
    /// Turned by 90°.
    QuarterTurn,
    /// Mirrored along the diagonal from the top left.
    Diagonal,
    /// Mirrored along either diagonal.
    BothDiagonals,
    /// Left and right mirrored.
    Vertical,
    /// Top and bottom mirrored.
    Horizontal,
    /// Turned and mirrored in every way.
    Full,
}

impl PatternSymmetry {
    /// All of them, the freest first.
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

    /// The name to ask for it by.
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

    /// The symmetry with this name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<PatternSymmetry> {
        PatternSymmetry::ALL.into_iter().find(|symmetry| symmetry.name() == name)
    }

    /// Groups of cells that are clues together or empty together, in reading order of their first cells.
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

    /// Is the picture of the clues symmetric in this way?
    #[must_use]
    pub fn holds_for(self, puzzle: &Grid) -> bool {
        puzzle.order().cells().all(|cell| {
            self.images(puzzle.order(), cell)
                .into_iter()
                .all(|image| puzzle[cell].is_some() == puzzle[image].is_some())
        })
    }

    /// Where the generating turns and mirrorings take a cell.
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

impl fmt::Display for PatternSymmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_have_the_sizes_geometry_says() {
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
    fn a_pattern_is_recognised() {
        let puzzle: Grid = "1..4..1..3..4..3".parse().unwrap();
        let holds: Vec<&str> = PatternSymmetry::ALL
            .into_iter()
            .filter(|symmetry| symmetry.holds_for(&puzzle))
            .map(|s| s.name())
            .collect();
        assert_eq!(holds, ["none", "half-turn", "diagonal", "both-diagonals"]);
    }
}
