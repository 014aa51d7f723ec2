//! What the finders need to know about the rules of a puzzle: houses, peers, and propagators.

use super::propagator::{self, Propagator};
use crate::grid::rules::{Constraint, LineRule, Outside, Rules};
use crate::grid::{Cell, Digit, DigitSet, Grid, House};
use crate::proof::{RuleKind, Technique};

/// Houses, peers and rules of a puzzle, the same for all positions.
pub(super) struct Layout {
    pub side: usize,
    /// Rows, columns, boxes or regions, and extra houses.
    pub houses: Vec<(House, Vec<Cell>)>,
    /// For each cell the indices of its houses.
    pub houses_of: Vec<Vec<usize>>,
    /// For each cell the cells that cannot contain the same digit.
    pub peers: Vec<Vec<Cell>>,
    /// For each cell the cells where it excludes other digits than its own.
    pub special: Vec<Vec<(Cell, Vec<DigitSet>)>>,
    pub propagators: Vec<Propagator>,
    /// For each cell the indices of its propagators.
    pub propagators_of: Vec<Vec<usize>>,
}

impl Layout {
    pub fn new(grid: &Grid, rules: &Rules) -> Layout {
        let order = grid.order();
        let houses: Vec<(House, Vec<Cell>)> =
            grid.houses().map(|house| (house, grid.cells_in(house).to_vec())).collect();
        let mut houses_of = vec![Vec::new(); order.cell_count()];
        for (index, (_, cells)) in houses.iter().enumerate() {
            cells.iter().for_each(|cell| houses_of[cell.index()].push(index));
        }
        let (mut peers, mut special) = (Vec::new(), Vec::new());
        for cell in order.cells() {
            let mut own: Vec<Cell> = order.peers_of(cell).to_vec();
            let mut other = Vec::new();
            for (neighbour, excluded) in rules.links().of(cell) {
                let equal = |(at, digits): (usize, &DigitSet)| {
                    *digits == DigitSet::from_digit(Digit::from_index(at))
                };
                if excluded.iter().enumerate().all(equal) {
                    own.push(*neighbour);
                } else {
                    other.push((*neighbour, excluded.clone()));
                }
            }
            own.sort_unstable();
            own.dedup();
            peers.push(own);
            special.push(other);
        }
        let mut layout = Layout {
            side: order.side(),
            houses,
            houses_of,
            peers,
            special,
            propagators: Vec::new(),
            propagators_of: vec![Vec::new(); order.cell_count()],
        };
        layout.propagators = propagator::all(grid, rules, &layout);
        for (index, propagator) in layout.propagators.iter().enumerate() {
            for cell in &propagator.cells {
                layout.propagators_of[cell.index()].push(index);
            }
        }
        layout
    }

    /// Whether two cells contain different digits.
    pub fn differ(&self, a: Cell, b: Cell) -> bool {
        self.peers[a.index()].binary_search(&b).is_ok()
            || self.special[a.index()].iter().any(|(other, excluded)| {
                let equal =
                    |(at, digits): (usize, &DigitSet)| digits.contains(Digit::from_index(at));
                *other == b && excluded.iter().enumerate().all(equal)
            })
    }

    /// Calls `visit` for each candidate that cannot be true together with this one, except those of
    /// the same cell.
    pub fn each_excluded(&self, cell: Cell, digit: Digit, mut visit: impl FnMut(Cell, Digit)) {
        for &peer in &self.peers[cell.index()] {
            visit(peer, digit);
        }
        for (other, excluded) in &self.special[cell.index()] {
            for digit in excluded[digit.index()] {
                visit(*other, digit);
            }
        }
    }
}

/// The technique that draws conclusions from one constraint.
pub(super) fn technique_of(constraint: &Constraint) -> Technique {
    let kind = match constraint {
        Constraint::Cage { .. } => RuleKind::Cage,
        Constraint::Arrow { .. } => RuleKind::Arrow,
        Constraint::Dot { .. }
        | Constraint::Negative(_)
        | Constraint::GreaterThan(_)
        | Constraint::Maximum(_)
        | Constraint::Minimum(_)
        | Constraint::Nonconsecutive => RuleKind::Dots,
        Constraint::Clone { .. } => RuleKind::Palindrome,
        Constraint::Quadruple { .. } => RuleKind::Quadruple,
        Constraint::CountingCircles(_) => RuleKind::Circles,
        Constraint::Indexer { .. } => RuleKind::Indexer,
        Constraint::Even(_) | Constraint::Odd(_) => RuleKind::Modular,
        Constraint::LittleKiller { .. } | Constraint::Sum { .. } => RuleKind::LittleKiller,
        Constraint::Outside { kind, .. } => match kind {
            Outside::Sandwich => RuleKind::Sandwich,
            Outside::XSum => RuleKind::XSum,
            Outside::Skyscraper => RuleKind::Skyscraper,
            Outside::NumberedRoom => RuleKind::NumberedRoom,
        },
        Constraint::Line { kind, .. } => match kind {
            LineRule::Thermometer | LineRule::SlowThermometer => RuleKind::Thermometer,
            LineRule::Whispers(_) => RuleKind::Whispers,
            LineRule::Palindrome => RuleKind::Palindrome,
            LineRule::Renban | LineRule::Nabner => RuleKind::Renban,
            LineRule::Entropic | LineRule::Modular(_) => RuleKind::Modular,
            LineRule::Between | LineRule::Lockout(_) => RuleKind::Between,
            LineRule::RegionSum | LineRule::Zipper => RuleKind::EqualSums,
            LineRule::DoubleArrow => RuleKind::Arrow,
        },
        _ => RuleKind::Other,
    };
    Technique::Rule(kind)
}
