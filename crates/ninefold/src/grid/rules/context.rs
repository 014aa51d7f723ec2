//! What a constraint needs to know about its grid to be lowered: size, regions, dots and extremes.
//!
//! It also has the checks and the constructors of primitives that several families share.

use super::constraint::{Constraint, Dot};
use super::{ConstraintError, Relation, Rule};
use crate::grid::{Cell, DigitSet, Order};
use std::collections::BTreeSet;

type Result<T, E = ConstraintError> = std::result::Result<T, E>;
pub(super) type Pair = (Cell, Cell);

/// The grid that constraints are lowered for.
pub(super) struct Context<'a> {
    pub(super) order: Order,
    pub(super) regions: &'a [Option<u8>],
    pub(super) maximums: BTreeSet<Cell>,
    pub(super) minimums: BTreeSet<Cell>,
    dots: Vec<(Dot, Pair)>,
}

impl<'a> Context<'a> {
    /// Coefficients beyond this make compiled sums too large.
    const MOST_COEFFICIENT: i32 = 1_000_000;

    pub(super) fn new(
        order: Order,
        regions: &'a [Option<u8>],
        constraints: &[Constraint],
    ) -> Context<'a> {
        let (mut maximums, mut minimums) = (BTreeSet::new(), BTreeSet::new());
        let mut dots = Vec::new();
        for constraint in constraints {
            match constraint {
                Constraint::Maximum(cell) => drop(maximums.insert(*cell)),
                Constraint::Minimum(cell) => drop(minimums.insert(*cell)),
                Constraint::Dot { kind, cells: [a, b] } => {
                    dots.push((*kind, ordered(*a, *b)));
                }
                _ => {}
            }
        }
        Context { order, regions, maximums, minimums, dots }
    }

    pub(super) fn side(&self) -> usize {
        self.order.side()
    }

    /// The rectangular boxes of the grid, or the usual ones of its side.
    pub(super) fn boxes(&self) -> Result<Order> {
        let own = Some(self.order).filter(|order| order.has_boxes());
        own.or_else(|| Order::from_side(self.side())).ok_or(ConstraintError::NoBoxes)
    }

    /// All pairs of orthogonal neighbours.
    pub(super) fn neighbours(&self) -> Vec<Pair> {
        let (order, side) = (self.order, self.side());
        let mut pairs = Vec::new();
        for row in 0..side {
            for column in 0..side {
                if column + 1 < side {
                    pairs.push((order.cell(row, column), order.cell(row, column + 1)));
                }
                if row + 1 < side {
                    pairs.push((order.cell(row, column), order.cell(row + 1, column)));
                }
            }
        }
        pairs
    }

    /// The pairs of neighbours without any of these dots.
    pub(super) fn neighbours_without(&self, is_meant: impl Fn(Dot) -> bool) -> Vec<Pair> {
        let dots = self.dots.iter().filter(|(kind, _)| is_meant(*kind));
        let marked: BTreeSet<Pair> = dots.map(|&(_, pair)| pair).collect();
        let mut pairs = self.neighbours();
        pairs.retain(|pair| !marked.contains(pair));
        pairs
    }

    /// The orthogonal neighbours of a cell.
    pub(super) fn neighbours_of(&self, cell: Cell) -> impl Iterator<Item = Cell> {
        let (order, side) = (self.order, self.side());
        let (row, column) = (order.row_of(cell), order.column_of(cell));
        let places = [
            (row.wrapping_sub(1), column),
            (row, column.wrapping_sub(1)),
            (row, column + 1),
            (row + 1, column),
        ];
        let is_inside = move |&(row, column): &(usize, usize)| row < side && column < side;
        places.into_iter().filter(is_inside).map(move |(row, column)| order.cell(row, column))
    }

    /// There are cells, all inside the grid.
    pub(super) fn inside(&self, cells: &[Cell]) -> Result<()> {
        let count = self.order.cell_count();
        if cells.is_empty() {
            return Err(ConstraintError::NoCells);
        }
        match cells.iter().find(|cell| cell.index() >= count) {
            Some(cell) => Err(ConstraintError::OutsideGrid { index: cell.index(), cells: count }),
            None => Ok(()),
        }
    }

    /// No cell appears twice.
    pub(super) fn distinct(&self, cells: &[Cell]) -> Result<()> {
        let mut seen = BTreeSet::new();
        match cells.iter().find(|cell| !seen.insert(**cell)) {
            Some(&cell) => {
                let (row, column) = self.row_and_column(cell);
                Err(ConstraintError::RepeatedCell { row, column })
            }
            None => Ok(()),
        }
    }

    /// The digits of the cells can differ.
    pub(super) fn different(&self, cells: &[Cell]) -> Result<()> {
        self.distinct(cells)?;
        self.not_too_many(cells.len())
    }

    pub(super) fn not_too_many(&self, cells: usize) -> Result<()> {
        let digits = self.side();
        if cells > digits {
            return Err(ConstraintError::TooManyCells { cells, digits });
        }
        Ok(())
    }

    /// Different digits of the cells can have this sum.
    pub(super) fn cage(&self, cells: &[Cell], sum: u32) -> Result<()> {
        self.different(cells)?;
        let (cells, digits) = (cells.len(), self.side());
        let smallest = cells * (cells + 1) / 2;
        let largest = cells * (2 * digits + 1 - cells) / 2;
        if (smallest..=largest).contains(&(sum as usize)) {
            Ok(())
        } else {
            Err(ConstraintError::ImpossibleSum { cells, digits, sum })
        }
    }

    /// No coefficient is too large.
    pub(super) fn coefficients(&self, terms: &[(i32, Cell)]) -> Result<()> {
        let most = Context::MOST_COEFFICIENT;
        let is_large = |found: &i32| found.unsigned_abs() > most.unsigned_abs();
        match terms.iter().map(|term| term.0).find(is_large) {
            Some(found) => Err(ConstraintError::LargeCoefficient { most, found }),
            None => Ok(()),
        }
    }

    /// Digits can have this weighted sum.
    pub(super) fn possible_sum(&self, terms: &[(i32, Cell)], total: i32) -> Result<()> {
        self.coefficients(terms)?;
        let (mut least, mut most) = (0, 0);
        for &(coefficient, _) in terms {
            let ends = [i64::from(coefficient), i64::from(coefficient) * self.side() as i64];
            least += ends[0].min(ends[1]);
            most += ends[0].max(ends[1]);
        }
        let found = i64::from(total);
        if (least..=most).contains(&found) {
            Ok(())
        } else {
            Err(ConstraintError::ImpossibleTotal { least, most, found })
        }
    }

    /// All digits exist in the grid, and there is at least one.
    pub(super) fn digits_of_grid(&self, digits: DigitSet) -> Result<()> {
        if digits.is_empty() {
            return Err(ConstraintError::NoDigits);
        }
        match (digits - self.order.digits()).first() {
            Some(digit) => {
                let found = digit.number();
                Err(ConstraintError::NotADigit { digits: self.side(), found })
            }
            None => Ok(()),
        }
    }

    pub(super) fn row_and_column(&self, cell: Cell) -> (usize, usize) {
        (self.order.row_of(cell) + 1, self.order.column_of(cell) + 1)
    }

    /// The rules that a relation holds for all these pairs. A cell may be paired with itself.
    pub(super) fn pairs(&self, pairs: Vec<Pair>, relation: Relation) -> Vec<Rule> {
        let (same, different): (Vec<Pair>, Vec<Pair>) = pairs.into_iter().partition(|p| p.0 == p.1);
        let holds = |number: u8| relation.holds(number, number);
        let digits: DigitSet = self.order.digits().filter(|d| holds(d.number())).collect();
        let mut rules = Vec::new();
        if digits != self.order.digits() {
            rules.extend(same.iter().map(|&(cell, _)| Rule::Candidates { cell, digits }));
        }
        if !different.is_empty() {
            rules.push(Rule::Pairs { pairs: different, relation });
        }
        rules
    }
}

/// A number from `least` to `most`.
pub(super) fn in_range(found: u32, least: u32, most: u32) -> Result<()> {
    if (least..=most).contains(&found) {
        Ok(())
    } else {
        Err(ConstraintError::OutOfRange { least, most, found })
    }
}

fn ordered(a: Cell, b: Cell) -> Pair {
    (a.min(b), a.max(b))
}

/// All pairs of two different places in the list.
pub(super) fn all_pairs(cells: &[Cell]) -> Vec<Pair> {
    let pairs = cells.iter().enumerate();
    pairs.flat_map(|(at, &b)| cells[..at].iter().map(move |&a| (a, b))).collect()
}
