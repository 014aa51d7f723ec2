//! The primitives that all constraints are lowered to, and their meaning for a full grid.

use super::context::Context;
use super::{ConstraintError, LineKind, Relation};
use crate::grid::{Cell, Digit, DigitSet};

/// One rule that programs work on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Rule {
    /// All digits in these cells differ: extra regions, diagonals, windoku, cages without a sum.
    Differ(Vec<Cell>),
    /// A killer cage: all digits differ and have this sum.
    Cage {
        /// The cells of the cage.
        cells: Vec<Cell>,
        /// The sum of their digits.
        sum: u32,
    },
    /// The sum of `coefficient · digit` over the terms; digits may repeat. Arrows, little killers.
    Sum {
        /// Coefficients and cells.
        terms: Vec<(i32, Cell)>,
        /// The required total.
        total: i32,
    },
    /// The only digits that a cell can take: even, odd, given pencil marks.
    Candidates {
        /// The cell.
        cell: Cell,
        /// Its possible digits.
        digits: DigitSet,
    },
    /// A relation that holds for the digits of each pair: thermometers, dots, whispers,
    /// palindromes.
    Pairs {
        /// The pairs of cells.
        pairs: Vec<(Cell, Cell)>,
        /// The relation between the first and the second digit.
        relation: Relation,
    },
    /// A rule about the sequence of digits along a line: sandwich, skyscraper, X-sum, between.
    Line {
        /// The cells in the order in which the rule reads them.
        cells: Vec<Cell>,
        /// The rule.
        kind: LineKind,
    },
    /// Each of these digits appears in the cells, at least as often as it is listed: quadruples.
    Contains {
        /// The cells.
        cells: Vec<Cell>,
        /// The required digits.
        digits: Vec<Digit>,
    },
    /// A digit d in one of these cells appears in exactly d of them.
    CountingCircles(Vec<Cell>),
    /// `cell` contains `digit` exactly if `other` contains `value`: indexers.
    Index {
        /// The first cell.
        cell: Cell,
        /// The digit in the first cell.
        digit: Digit,
        /// The second cell.
        other: Cell,
        /// The digit in the second cell.
        value: Digit,
    },
}

impl Rule {
    /// The cells that the rule is about.
    #[must_use]
    pub fn cells(&self) -> Vec<Cell> {
        match self {
            Rule::Differ(cells) | Rule::CountingCircles(cells) => cells.clone(),
            Rule::Cage { cells, .. } | Rule::Line { cells, .. } => cells.clone(),
            Rule::Contains { cells, .. } => cells.clone(),
            Rule::Sum { terms, .. } => terms.iter().map(|term| term.1).collect(),
            Rule::Candidates { cell, .. } => vec![*cell],
            Rule::Pairs { pairs, .. } => pairs.iter().flat_map(|&(a, b)| [a, b]).collect(),
            Rule::Index { cell, other, .. } => vec![*cell, *other],
        }
    }

    /// The number of cells that the rule names, counted with repetition.
    pub(super) fn size(&self) -> usize {
        match self {
            Rule::Differ(cells) | Rule::CountingCircles(cells) => cells.len(),
            Rule::Cage { cells, .. } | Rule::Line { cells, .. } => cells.len(),
            Rule::Contains { cells, .. } => cells.len(),
            Rule::Sum { terms, .. } => terms.len(),
            Rule::Candidates { .. } => 1,
            Rule::Pairs { pairs, .. } => 2 * pairs.len(),
            Rule::Index { .. } => 2,
        }
    }

    /// Whether a full grid satisfies the rule.
    pub(super) fn holds_for(&self, grid: &[Digit], side: usize) -> bool {
        let at = |cell: &Cell| grid[cell.index()];
        let number = |cell: &Cell| i64::from(at(cell).number());
        match self {
            Rule::Differ(cells) => differ(grid, cells),
            Rule::Cage { cells, sum } => {
                differ(grid, cells) && cells.iter().map(number).sum::<i64>() == i64::from(*sum)
            }
            Rule::Sum { terms, total } => {
                let sum: i64 = terms.iter().map(|(k, cell)| i64::from(*k) * number(cell)).sum();
                sum == i64::from(*total)
            }
            Rule::Candidates { cell, digits } => digits.contains(at(cell)),
            Rule::Pairs { pairs, relation } => {
                pairs.iter().all(|(a, b)| relation.holds(at(a).number(), at(b).number()))
            }
            Rule::Line { cells, kind } => {
                let digits: Vec<u8> = cells.iter().map(|cell| at(cell).number()).collect();
                kind.holds(&digits, side)
            }
            Rule::Contains { cells, digits } => digits.iter().all(|digit| {
                let required = digits.iter().filter(|other| *other == digit).count();
                cells.iter().filter(|cell| at(cell) == *digit).count() >= required
            }),
            Rule::CountingCircles(cells) => cells.iter().all(|cell| {
                let count = cells.iter().filter(|other| at(other) == at(cell)).count();
                count == usize::from(at(cell).number())
            }),
            Rule::Index { cell, digit, other, value } => {
                (at(cell) == *digit) == (at(other) == *value)
            }
        }
    }

    /// Whether the rule can be used in a grid.
    pub(super) fn check(&self, context: &Context) -> Result<(), ConstraintError> {
        context.inside(&self.cells())?;
        match self {
            Rule::Differ(cells) => context.different(cells),
            Rule::Cage { cells, sum } => context.cage(cells, *sum),
            Rule::Sum { terms, .. } => context.coefficients(terms),
            Rule::Candidates { digits, .. } => context.digits_of_grid(*digits),
            Rule::Line { cells, kind } => {
                context.distinct(cells)?;
                match kind {
                    // A row holds all digits of the grid; the automata count on it.
                    LineKind::EqualSums(lengths)
                        if lengths.is_empty()
                            || lengths.contains(&0)
                            || lengths.iter().sum::<usize>() != cells.len() =>
                    {
                        Err(ConstraintError::WrongSegments { cells: cells.len() })
                    }
                    _ => Ok(()),
                }
            }
            Rule::CountingCircles(cells) => context.distinct(cells),
            Rule::Contains { digits, .. } => {
                context.digits_of_grid(digits.iter().copied().collect())
            }
            Rule::Index { digit, value, .. } => {
                context.digits_of_grid([*digit, *value].into_iter().collect())
            }
            Rule::Pairs { .. } => Ok(()),
        }
    }
}

pub(super) fn differ(grid: &[Digit], cells: &[Cell]) -> bool {
    let mut seen = DigitSet::EMPTY;
    cells.iter().all(|cell| {
        let digit = grid[cell.index()];
        let is_new = !seen.contains(digit);
        seen.insert(digit);
        is_new
    })
}
