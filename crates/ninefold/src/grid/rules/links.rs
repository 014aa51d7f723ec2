//! Houses that rules add, and candidates that exclude each other by a rule.
//!
//! A region or a rule becomes a house if it has as many cells as there are digits, because then it
//! contains every digit. Every rule about pairs of cells becomes a table of the digits that exclude
//! each other. Rows, columns and boxes are not repeated here.

use super::{Rule, Rules};
use crate::grid::{Cell, Digit, DigitSet, House};
use std::collections::BTreeMap;

/// What the rules of a grid add to its rows, columns and boxes.
#[derive(Clone, Debug)]
pub(crate) struct Links {
    houses: Vec<(House, Vec<Cell>)>,
    /// For each cell the other cells of its rules, in reading order, with the digits that each
    /// digit of the cell excludes there.
    excluded: Vec<Vec<(Cell, Vec<DigitSet>)>>,
}

type Tables = BTreeMap<(Cell, Cell), Vec<DigitSet>>;

impl Links {
    pub(super) fn new(rules: &Rules) -> Links {
        let side = rules.side();
        let mut tables = Tables::new();
        let regions = rules.regions();
        if !rules.order().has_boxes() {
            regions.iter().for_each(|cells| add_different(&mut tables, cells, side));
        }
        for rule in rules.rules() {
            add_rule(&mut tables, rule, side);
        }
        let mut excluded = vec![Vec::new(); side * side];
        for ((cell, other), digits) in tables {
            excluded[cell.index()].push((other, digits));
        }
        Links { houses: houses(rules, &regions), excluded }
    }

    /// The houses that the rules add.
    pub(crate) fn houses(&self) -> impl Iterator<Item = House> + '_ {
        self.houses.iter().map(|(house, _)| *house)
    }

    /// The cells of such a house.
    ///
    /// # Panics
    /// If the rules do not have this house.
    pub(crate) fn cells_in(&self, house: House) -> &[Cell] {
        let found = self.houses.iter().find(|(other, _)| *other == house);
        &found.unwrap_or_else(|| panic!("the rules have no {house}")).1
    }

    /// Whether the rules have this house.
    pub(crate) fn has_house(&self, house: House) -> bool {
        self.houses.iter().any(|(other, _)| *other == house)
    }

    /// The cells that share a rule about pairs with this cell. For each digit of the cell, by its
    /// index, the digits that it excludes there.
    pub(crate) fn of(&self, cell: Cell) -> &[(Cell, Vec<DigitSet>)] {
        &self.excluded[cell.index()]
    }

    /// Whether a digit in one cell excludes a digit in another one by a rule.
    pub(crate) fn exclude(&self, (a, digit): (Cell, Digit), (b, other): (Cell, Digit)) -> bool {
        self.table(a, b).is_some_and(|digits| digits[digit.index()].contains(other))
    }

    /// Whether two cells contain different digits by a rule.
    pub(crate) fn differ(&self, a: Cell, b: Cell) -> bool {
        self.table(a, b).is_some_and(|digits| {
            digits.iter().enumerate().all(|(at, excluded)| excluded.contains(Digit::from_index(at)))
        })
    }

    fn table(&self, a: Cell, b: Cell) -> Option<&[DigitSet]> {
        let row = &self.excluded[a.index()];
        let at = row.binary_search_by_key(&b, |(other, _)| *other).ok()?;
        Some(&row[at].1)
    }
}

/// Full regions of a jigsaw, and rules that say that as many cells as digits differ.
fn houses(rules: &Rules, regions: &[Vec<Cell>]) -> Vec<(House, Vec<Cell>)> {
    let (order, side) = (rules.order(), rules.side());
    let mut houses: Vec<(House, Vec<Cell>)> = Vec::new();
    let mut add = |house: House, cells: &[Cell]| {
        let mut cells = cells.to_vec();
        cells.sort_unstable();
        let is_new = !order.houses().any(|other| order.cells_in(other) == cells)
            && houses.iter().all(|(_, other)| *other != cells);
        if cells.len() == side && is_new {
            houses.push((house, cells));
        }
    };
    if !order.has_boxes() {
        for (number, cells) in regions.iter().enumerate() {
            add(House::Region(number as u8), cells);
        }
    }
    for (number, rule) in rules.rules().iter().enumerate() {
        if let (Rule::Differ(cells) | Rule::Cage { cells, .. }, Ok(number)) =
            (rule, number.try_into())
        {
            add(House::Extra(number), cells);
        }
    }
    houses
}

fn add_rule(tables: &mut Tables, rule: &Rule, side: usize) {
    match rule {
        Rule::Differ(cells) | Rule::Cage { cells, .. } => add_different(tables, cells, side),
        Rule::Pairs { pairs, relation } => {
            for &(a, b) in pairs {
                add_pair(tables, (a, b), side, |x, y| relation.holds(x.number(), y.number()));
            }
        }
        Rule::Index { cell, digit, other, value } => {
            add_pair(tables, (*cell, *other), side, |x, y| (x == *digit) == (y == *value));
        }
        Rule::Sum { .. }
        | Rule::Candidates { .. }
        | Rule::Line { .. }
        | Rule::Contains { .. }
        | Rule::CountingCircles(_) => {}
    }
}

fn add_different(tables: &mut Tables, cells: &[Cell], side: usize) {
    for (at, &a) in cells.iter().enumerate() {
        for &b in &cells[at + 1..] {
            add_pair(tables, (a, b), side, |x, y| x != y);
        }
    }
}

fn add_pair(
    tables: &mut Tables,
    (a, b): (Cell, Cell),
    side: usize,
    holds: impl Fn(Digit, Digit) -> bool,
) {
    if a == b {
        return;
    }
    for x in DigitSet::up_to(side) {
        let excluded: DigitSet = DigitSet::up_to(side).filter(|&y| !holds(x, y)).collect();
        let empty = || vec![DigitSet::EMPTY; side];
        let forward = &mut tables.entry((a, b)).or_insert_with(empty)[x.index()];
        *forward = *forward | excluded;
        for y in excluded {
            tables.entry((b, a)).or_insert_with(empty)[y.index()].insert(x);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::grid::rules::{Constraint, Diagonal, Dot, Rules};
    use crate::grid::{Cell, Digit, House, Order};

    fn digit(number: u8) -> Digit {
        Digit::new(number).unwrap()
    }

    #[test]
    fn full_rules_are_houses() {
        let rules =
            Rules::classic(Order::FOUR).with(Constraint::Diagonal(Diagonal::Falling)).unwrap();
        assert_eq!(rules.links().houses().collect::<Vec<_>>(), [House::Extra(0)]);
        let cells: Vec<usize> =
            rules.links().cells_in(House::Extra(0)).iter().map(|cell| cell.index()).collect();
        assert_eq!(cells, [0, 5, 10, 15]);
        let columns = (0..16).map(|cell| Some((cell % 4) as u8)).collect();
        let jigsaw = Rules::jigsaw(4, columns).unwrap();
        assert_eq!(jigsaw.links().houses().count(), 0, "the regions are columns");
    }

    #[test]
    fn dots_and_cages_exclude_candidates() {
        let cells = [Cell::new(0), Cell::new(1)];
        let dot = Constraint::Dot { kind: Dot::Difference(1), cells };
        let cage = Constraint::Cage { cells: vec![Cell::new(0), Cell::new(5)], sum: None };
        let rules = Rules::classic(Order::FOUR).with(dot).unwrap().with(cage).unwrap();
        let links = rules.links();
        assert!(links.exclude((cells[0], digit(1)), (cells[1], digit(3))));
        assert!(!links.exclude((cells[0], digit(1)), (cells[1], digit(2))));
        assert!(links.exclude((cells[1], digit(4)), (cells[0], digit(4))));
        assert!(links.differ(Cell::new(0), Cell::new(5)));
        assert!(!links.differ(Cell::new(0), Cell::new(7)));
    }
}
