//! Rules beyond rows and columns, as data: regions, cages, lines, dots and outside clues.
//!
//! [`Rules`] contains the regions of a grid and a list of [`Rule`]s. Two things are derived from
//! it: a check of full grids ([`Rules::hold_for`]), and the groups of literals of which exactly one
//! is true (`rules/compile.rs`), which the solver in [`search::rules`](crate::search::rules) works
//! on. The two share no code, so the check does not depend on the compiled form.
//!
//! Rules are not connected to [`Grid`](super::Grid) yet: cells without digits and solutions are
//! lists of digits in reading order.

mod cage;
mod compile;
mod implied;
mod layered;
mod line;
pub(crate) mod literal;
mod pairs;
mod sum;

pub(crate) use compile::{Compiled, compile};
pub use line::LineKind;
pub use pairs::Relation;

use super::{Cell, Digit, DigitSet, Order};

/// The regions of a grid and its rules. Rows and columns always contain different digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    side: usize,
    /// The region of each cell; `None` for cells outside all regions.
    regions: Vec<Option<u8>>,
    rules: Vec<Rule>,
}

/// One rule.
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// A rule or a size that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RulesError {
    /// The side is not supported.
    #[error("expected a side from 2 to 64, found {found}")]
    Side {
        /// The side.
        found: usize,
    },
    /// The list of regions has the wrong length.
    #[error("expected a region for each of {expected} cells, found {found}")]
    RegionCount {
        /// The number of cells.
        expected: usize,
        /// The length of the list.
        found: usize,
    },
    /// A region has more cells than there are digits.
    #[error("a region of {cells} cells cannot have {digits} different digits")]
    LargeRegion {
        /// The cells of the region.
        cells: usize,
        /// The number of digits.
        digits: usize,
    },
    /// A rule names a cell outside the grid.
    #[error("cell {index} is outside a grid of {cells} cells")]
    OutsideGrid {
        /// The index of the cell, counted from 0.
        index: usize,
        /// The number of cells.
        cells: usize,
    },
    /// A rule names the same cell twice where each cell may appear once.
    #[error("r{row}c{column} appears twice in one rule")]
    RepeatedCell {
        /// The row, counted from 1.
        row: usize,
        /// The column, counted from 1.
        column: usize,
    },
    /// A rule requires more different digits than there are.
    #[error("{cells} cells cannot have different digits from 1 to {digits}")]
    TooManyCells {
        /// The cells of the rule.
        cells: usize,
        /// The number of digits.
        digits: usize,
    },
    /// A rule has no cells.
    #[error("a rule has no cells")]
    NoCells,
    /// No digits have the required sum.
    #[error("{cells} different digits from 1 to {digits} cannot have the sum {sum}")]
    ImpossibleSum {
        /// The cells of the cage.
        cells: usize,
        /// The number of digits.
        digits: usize,
        /// The required sum.
        sum: u32,
    },
}

impl Rules {
    /// A grid of this side in which only rows and columns contain different digits.
    pub fn without_regions(side: usize) -> Result<Rules, RulesError> {
        if !(2..=Order::MAX_SIDE).contains(&side) {
            return Err(RulesError::Side { found: side });
        }
        Ok(Rules { side, regions: vec![None; side * side], rules: Vec::new() })
    }

    /// The classic rules: the boxes of this order are the regions.
    pub fn classic(order: Order) -> Rules {
        let regions = order.cells().map(|cell| Some(order.box_of(cell) as u8)).collect();
        Rules { side: order.side(), regions, rules: Vec::new() }
    }

    /// A jigsaw: the region of each cell in reading order, `None` for cells outside all regions.
    pub fn jigsaw(side: usize, regions: Vec<Option<u8>>) -> Result<Rules, RulesError> {
        let mut rules = Rules::without_regions(side)?;
        let expected = side * side;
        if regions.len() != expected {
            return Err(RulesError::RegionCount { expected, found: regions.len() });
        }
        rules.regions = regions;
        match rules.regions().iter().map(Vec::len).max() {
            Some(cells) if cells > side => Err(RulesError::LargeRegion { cells, digits: side }),
            _ => Ok(rules),
        }
    }

    /// Adds a rule, for chaining.
    pub fn with(mut self, rule: Rule) -> Result<Rules, RulesError> {
        self.push(rule)?;
        Ok(self)
    }

    /// Adds a rule.
    pub fn push(&mut self, rule: Rule) -> Result<(), RulesError> {
        self.check(&rule)?;
        self.rules.push(rule);
        Ok(())
    }

    /// The number of digits, which is the number of cells in a row.
    #[must_use]
    pub fn side(&self) -> usize {
        self.side
    }

    /// The rules in the order in which they were added.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The cells of each region.
    #[must_use]
    pub fn regions(&self) -> Vec<Vec<Cell>> {
        let mut cells = vec![Vec::new(); 256];
        for (index, region) in self.regions.iter().enumerate() {
            if let Some(region) = region {
                cells[*region as usize].push(Cell::new(index));
            }
        }
        cells.retain(|cells| !cells.is_empty());
        cells
    }

    /// Rows, columns and the regions: sets of cells whose digits differ.
    pub(crate) fn houses(&self) -> Vec<Vec<Cell>> {
        let side = self.side;
        let rows = (0..side).map(|row| (0..side).map(|i| Cell::new(row * side + i)).collect());
        let columns = (0..side).map(|at| (0..side).map(|i| Cell::new(i * side + at)).collect());
        rows.chain(columns).chain(self.regions()).collect()
    }

    /// Whether a full grid satisfies rows, columns, regions and every rule.
    ///
    /// # Panics
    /// If the number of digits is not the number of cells.
    #[must_use]
    pub fn hold_for(&self, grid: &[Digit]) -> bool {
        assert_eq!(grid.len(), self.side * self.side, "expected a digit for every cell");
        let in_range = grid.iter().all(|digit| digit.index() < self.side);
        in_range
            && self.houses().iter().all(|house| differ(grid, house))
            && self.rules.iter().all(|rule| rule.holds_for(grid, self.side))
    }

    fn check(&self, rule: &Rule) -> Result<(), RulesError> {
        let cells = rule.cells();
        let digits = self.side;
        if cells.is_empty() {
            return Err(RulesError::NoCells);
        }
        if let Some(cell) = cells.iter().find(|cell| cell.index() >= self.regions.len()) {
            return Err(RulesError::OutsideGrid { index: cell.index(), cells: self.regions.len() });
        }
        let distinct = match rule {
            Rule::Differ(cells) | Rule::Cage { cells, .. } => cells,
            Rule::Line { cells, .. } | Rule::CountingCircles(cells) => cells,
            _ => return Ok(()),
        };
        let repeated = (1..distinct.len()).find(|&at| distinct[..at].contains(&distinct[at]));
        if let Some(at) = repeated {
            let index = distinct[at].index();
            return Err(RulesError::RepeatedCell {
                row: index / digits + 1,
                column: index % digits + 1,
            });
        }
        let cells = distinct.len();
        match rule {
            Rule::Differ(_) | Rule::Cage { .. } if cells > digits => {
                Err(RulesError::TooManyCells { cells, digits })
            }
            Rule::Cage { sum, .. } => {
                let smallest = cells * (cells + 1) / 2;
                let largest = cells * (2 * digits + 1 - cells) / 2;
                if (smallest..=largest).contains(&(*sum as usize)) {
                    Ok(())
                } else {
                    Err(RulesError::ImpossibleSum { cells, digits, sum: *sum })
                }
            }
            _ => Ok(()),
        }
    }
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

    /// Whether a full grid satisfies the rule.
    fn holds_for(&self, grid: &[Digit], side: usize) -> bool {
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
}

fn differ(grid: &[Digit], cells: &[Cell]) -> bool {
    let mut seen = DigitSet::from_bits(0);
    cells.iter().all(|cell| {
        let digit = grid[cell.index()];
        let is_new = !seen.contains(digit);
        seen.insert(digit);
        is_new
    })
}
