//! Rules beyond rows and columns, as data: regions, cages, lines, dots and outside clues.
//!
//! [`Rules`] contains the regions of a grid and a list of [`Constraint`]s, which are what a setter
//! writes. Each is lowered to a few [`Rule`]s, the primitives that programs work on. Two things are
//! derived from the primitives: a check of full grids ([`Rules::hold_for`]), and the groups of
//! literals of which exactly one is true (`rules/compile.rs`), which the solver in
//! [`search::rules`](crate::search::rules) works on. The two share no code, so the check does not
//! depend on the compiled form.
//!
//! The files under `rules/constraint/` have one family of rules each: how they are called, how they
//! are lowered, and how f-puzzles writes them.

mod cage;
mod compile;
mod constraint;
mod context;
mod error;
mod groups;
pub(crate) mod implied;
mod layered;
mod line;
mod links;
pub(crate) mod literal;
mod pairs;
mod partial;
mod primitive;
#[cfg(feature = "serde")]
mod serial;
mod subset;
mod sum;

pub(crate) use compile::{Compiled, Form, compile};
pub use constraint::{
    Constraint, Diagonal, Direction, Dot, Indexer, LineRule, Negative, Outside, Place,
};
pub use error::{ConstraintError, RulesError};
pub use groups::{Combinations, GroupKind, Groups};
pub(crate) use line::Line;
pub use line::LineKind;
pub(crate) use links::Links;
pub use pairs::Relation;
pub use primitive::Rule;

use super::{Cell, Digit, Order};
use context::Context;
use primitive::differ;
use std::collections::HashSet;
use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

/// The regions of a grid and its rules. Rows and columns always contain different digits.
///
/// ```
/// use ninefold::grid::Order;
/// use ninefold::grid::rules::{Constraint, Rules};
///
/// let cells = vec![Order::NINE.cell(0, 0), Order::NINE.cell(0, 1)];
/// let cage = Constraint::Cage { cells, sum: Some(17) };
/// let rules = Rules::classic(Order::NINE).with(cage)?.with(Constraint::AntiKnight)?;
/// assert_eq!(rules.constraints()[0].describe(Order::NINE), "killer cage of 17 at r1c1, r1c2");
/// # Ok::<(), ninefold::grid::rules::RulesError>(())
/// ```
///
/// Two values are equal if they have the same regions and constraints in any order.
#[derive(Clone, Debug)]
pub struct Rules {
    order: Order,
    /// The region of each cell; `None` for cells outside all regions. Regions are numbered in the
    /// order in which they appear.
    regions: Vec<Option<u8>>,
    constraints: Vec<Constraint>,
    /// The primitives, derived from the constraints.
    rules: Vec<Rule>,
    /// For each primitive the index of its constraint.
    origins: Vec<usize>,
    /// Houses and pairs of candidates that exclude each other, derived when they are first used.
    links: OnceLock<Links>,
}

impl Rules {
    /// At most this many cells in all primitives together, counted with repetition.
    const MOST_CELLS: usize = 1 << 21;

    /// A grid of this side in which only rows and columns contain different digits.
    pub fn without_regions(side: usize) -> Result<Rules, RulesError> {
        let order = Order::without_boxes(side).map_err(|_| RulesError::Side { found: side })?;
        Ok(Rules::new(order, vec![None; side * side]))
    }

    /// The classic rules: the boxes of this order are the regions.
    pub fn classic(order: Order) -> Rules {
        if !order.has_boxes() {
            return Rules::new(order, vec![None; order.cell_count()]);
        }
        Rules::new(order, order.cells().map(|cell| Some(order.box_of(cell) as u8)).collect())
    }

    /// A jigsaw: the region of each cell in reading order, `None` for cells outside all regions.
    ///
    /// If the regions are the rectangular boxes of an order, the result equals the
    /// [`classic`](Rules::classic) rules of that order.
    pub fn jigsaw(side: usize, regions: Vec<Option<u8>>) -> Result<Rules, RulesError> {
        let mut rules = Rules::without_regions(side)?;
        let expected = side * side;
        if regions.len() != expected {
            return Err(RulesError::RegionCount { expected, found: regions.len() });
        }
        rules.regions = renumber(&regions);
        match rules.regions().iter().map(Vec::len).max() {
            Some(cells) if cells > side => {
                return Err(RulesError::LargeRegion { cells, digits: side });
            }
            _ => {}
        }
        let shapes = (2..side).filter(|rows| side.is_multiple_of(*rows));
        let mut boxes = shapes.filter_map(|rows| Order::new(rows, side / rows).ok());
        let same = boxes.find(|&order| Rules::classic(order).regions == rules.regions);
        Ok(same.map_or(rules, Rules::classic))
    }

    fn new(order: Order, regions: Vec<Option<u8>>) -> Rules {
        let (constraints, rules, origins) = (Vec::new(), Vec::new(), Vec::new());
        Rules { order, regions, constraints, rules, origins, links: OnceLock::new() }
    }

    /// Adds a constraint, for chaining.
    pub fn with(mut self, constraint: impl Into<Constraint>) -> Result<Rules, RulesError> {
        self.push(constraint)?;
        Ok(self)
    }

    /// Adds a constraint, unless the rules contain it. An error leaves the rules as they were.
    pub fn push(&mut self, constraint: impl Into<Constraint>) -> Result<(), RulesError> {
        self.extend([constraint.into()])
    }

    /// Adds the constraints that the rules do not contain yet. An error leaves the rules as they were.
    pub fn extend(
        &mut self,
        constraints: impl IntoIterator<Item = Constraint>,
    ) -> Result<(), RulesError> {
        let (constraint_count, rule_count) = (self.constraints.len(), self.rules.len());
        let mut seen: HashSet<Constraint> = self.constraints.iter().cloned().collect();
        let is_new = |constraint: &Constraint| seen.insert(constraint.clone());
        self.constraints.extend(constraints.into_iter().filter(is_new));
        // Negative rules depend on the dots, and maximums on the other maximums.
        let (old, new) = self.constraints.split_at(constraint_count);
        let is_independent = old.iter().all(|old| !new.iter().any(|new| old.depends_on(new)));
        let first = if is_independent { constraint_count } else { 0 };
        match self.lower_from(first) {
            Ok(lowered) => {
                self.links = OnceLock::new();
                if first == 0 {
                    self.rules.clear();
                    self.origins.clear();
                }
                for (origin, rule) in lowered {
                    self.rules.push(rule);
                    self.origins.push(origin);
                }
                Ok(())
            }
            Err(error) => {
                self.constraints.truncate(constraint_count);
                debug_assert_eq!(self.rules.len(), rule_count);
                Err(error)
            }
        }
    }

    /// The primitives of the constraints from this index on, with the index of their constraint.
    fn lower_from(&self, first: usize) -> Result<Vec<(usize, Rule)>, RulesError> {
        let context = Context::new(self.order, &self.regions, &self.constraints);
        let mut lowered = Vec::new();
        let kept = if first == 0 { &[] } else { &self.rules[..] };
        let mut cells: usize = kept.iter().map(Rule::size).sum();
        for (index, constraint) in self.constraints.iter().enumerate().skip(first) {
            let rules = constraint.lower(&context).map_err(|error| RulesError::Constraint {
                constraint: constraint.describe(self.order),
                error,
            })?;
            cells += rules.iter().map(Rule::size).sum::<usize>();
            if cells > Rules::MOST_CELLS {
                return Err(RulesError::TooLarge { most: Rules::MOST_CELLS });
            }
            lowered.extend(rules.into_iter().map(|rule| (index, rule)));
        }
        Ok(lowered)
    }

    /// The size of the grid and the shape of its boxes, if the regions are rectangular boxes.
    #[must_use]
    pub fn order(&self) -> Order {
        self.order
    }

    /// The number of digits, which is the number of cells in a row.
    #[must_use]
    pub fn side(&self) -> usize {
        self.order.side()
    }

    /// Whether these are the rules of classic Sudoku: rectangular boxes and no constraints.
    #[must_use]
    pub fn is_classic(&self) -> bool {
        self.order.has_boxes() && self.constraints.is_empty()
    }

    /// What the setter wrote, in the order in which it was added.
    #[must_use]
    pub fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// The primitives that the constraints are lowered to.
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The index of the constraint that a primitive belongs to.
    ///
    /// # Panics
    /// If there are not so many primitives.
    #[must_use]
    pub fn constraint_of(&self, rule: usize) -> usize {
        self.origins[rule]
    }

    /// The houses that the rules add, and which candidates exclude each other.
    pub(crate) fn links(&self) -> &Links {
        self.links.get_or_init(|| Links::new(self))
    }

    /// The cells of each region, in the order of their first cells.
    #[must_use]
    pub fn regions(&self) -> Vec<Vec<Cell>> {
        let mut cells: Vec<Vec<Cell>> = Vec::new();
        for (index, region) in self.regions.iter().enumerate() {
            if let Some(region) = region {
                let region = usize::from(*region);
                cells.resize_with(cells.len().max(region + 1), Vec::new);
                cells[region].push(Cell::new(index));
            }
        }
        cells
    }

    /// The index of the region of a cell in [`regions`](Rules::regions); `None` outside of them.
    #[must_use]
    pub fn region_of(&self, cell: Cell) -> Option<usize> {
        self.regions[cell.index()].map(usize::from)
    }

    /// Rows, columns and the regions: sets of cells whose digits differ.
    pub(crate) fn houses(&self) -> Vec<Vec<Cell>> {
        let side = self.side();
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
        let side = self.side();
        assert_eq!(grid.len(), side * side, "expected a digit for every cell");
        let in_range = grid.iter().all(|digit| digit.index() < side);
        in_range
            && self.houses().iter().all(|house| differ(grid, house))
            && self.rules.iter().all(|rule| rule.holds_for(grid, side))
    }
}

impl Rules {
    /// The constraints in a fixed order.
    fn sorted(&self) -> Vec<&Constraint> {
        let mut sorted: Vec<&Constraint> = self.constraints.iter().collect();
        sorted.sort_unstable();
        sorted
    }
}

impl PartialEq for Rules {
    fn eq(&self, other: &Rules) -> bool {
        // The primitives follow from the constraints.
        self.order == other.order
            && self.regions == other.regions
            && self.constraints.len() == other.constraints.len()
            && (self.constraints == other.constraints || self.sorted() == other.sorted())
    }
}

impl Eq for Rules {}

impl Hash for Rules {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.order.hash(state);
        self.regions.hash(state);
        self.sorted().hash(state);
    }
}

/// Numbers regions in the order in which they appear, so that equal layouts are equal values.
fn renumber(regions: &[Option<u8>]) -> Vec<Option<u8>> {
    let mut numbers = [None; 256];
    let mut next = 0;
    let mut number_of = |region: u8| {
        *numbers[usize::from(region)].get_or_insert_with(|| {
            next += 1;
            (next - 1) as u8
        })
    };
    regions.iter().map(|region| region.map(&mut number_of)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dot(a: Cell, b: Cell) -> Constraint {
        Constraint::Dot { kind: Dot::Difference(1), cells: [a, b] }
    }

    #[test]
    fn negative_rules_exclude_dots_that_are_added_later() {
        let at = |row, column| Order::FOUR.cell(row, column);
        let negative = Constraint::Negative(Negative::Difference);
        let first = Rules::classic(Order::FOUR).with(negative.clone()).unwrap();
        let pairs = |rules: &Rules| rules.rules().iter().map(Rule::size).sum::<usize>() / 2;
        assert_eq!(pairs(&first), 24);
        let both = first.with(dot(at(0, 0), at(0, 1))).unwrap();
        // One pair has the dot instead of the negative rule.
        assert_eq!(pairs(&both), 24);
        assert_eq!([both.constraint_of(0), both.constraint_of(1)], [0, 1]);
        let reverse =
            Rules::classic(Order::FOUR).with(dot(at(0, 0), at(0, 1))).unwrap().with(negative);
        let sorted = |rules: &Rules| {
            let mut list: Vec<String> = rules.rules().iter().map(|r| format!("{r:?}")).collect();
            list.sort();
            list
        };
        assert_eq!(sorted(&both), sorted(&reverse.unwrap()));
    }

    #[test]
    fn an_error_changes_nothing() {
        let mut rules = Rules::classic(Order::FOUR).with(Constraint::AntiKing).unwrap();
        let before = rules.clone();
        let bad = Constraint::Cage { cells: vec![Cell::new(0)], sum: Some(9) };
        assert!(rules.extend([Constraint::AntiKnight, bad]).is_err());
        assert_eq!(rules, before);
    }

    #[test]
    fn the_order_of_constraints_does_not_matter_for_equality() {
        let classic = || Rules::classic(Order::FOUR);
        let with = |list: [Constraint; 2]| {
            let mut rules = classic();
            rules.extend(list).unwrap();
            rules
        };
        let (knight, king) = (Constraint::AntiKnight, Constraint::AntiKing);
        let a = with([knight.clone(), king.clone()]);
        let b = with([king.clone(), knight]);
        let hasher = std::hash::BuildHasherDefault::<std::hash::DefaultHasher>::default();
        let hash = |rules: &Rules| std::hash::BuildHasher::hash_one(&hasher, rules);
        assert_eq!(a, b);
        assert_eq!(hash(&a), hash(&b));
        assert_eq!(with([king.clone(), king]).constraints().len(), 1);
    }

    #[test]
    fn rectangular_regions_are_boxes() {
        let six = Order::new(3, 2).unwrap();
        let regions = six.cells().map(|cell| Some(9 - six.box_of(cell) as u8)).collect();
        let rules = Rules::jigsaw(6, regions).unwrap();
        assert_eq!(rules, Rules::classic(six));
        assert!(rules.is_classic());
        assert!(!Rules::without_regions(6).unwrap().is_classic());
    }

    #[test]
    fn limits_the_size_of_all_rules_together() {
        let order = Order::new(8, 8).unwrap();
        let line = |start: usize| Constraint::Line {
            kind: LineRule::Renban,
            cells: (start..start + 64).map(Cell::new).collect(),
        };
        let many: Vec<Constraint> = (0..600).map(line).collect();
        assert_eq!(Rules::classic(order).extend(many[..9].to_vec()), Ok(()));
        assert!(matches!(Rules::classic(order).extend(many), Err(RulesError::TooLarge { .. })));
    }
}
