//! What the rules say about grids that are not full: which rule the digits already break, and which
//! cells and digits exclude each other.

use super::primitive::differ;
use super::{Rule, Rules};
use crate::grid::{Cell, Digit, DigitSet};

impl Rules {
    /// The names of all rules that are not classic, each once: "irregular regions", "killer cage".
    #[must_use]
    pub fn names(&self) -> Vec<&'static str> {
        let mut names = Vec::new();
        if !self.order.has_boxes() {
            let has_regions = self.regions.iter().any(Option::is_some);
            names.push(if has_regions { "irregular regions" } else { "no boxes" });
        }
        for constraint in &self.constraints {
            if !names.contains(&constraint.name()) {
                names.push(constraint.name());
            }
        }
        names
    }

    /// The cells that cannot contain the same digit as this cell because of a region or a rule,
    /// without its row and its column.
    #[must_use]
    pub fn peers_of(&self, cell: Cell) -> Vec<Cell> {
        let mut peers: Vec<Cell> = Vec::new();
        if let Some(region) = self.region_of(cell) {
            let cells = self.order.cells();
            peers.extend(cells.filter(|&other| self.region_of(other) == Some(region)));
        }
        for rule in &self.rules {
            match rule {
                Rule::Differ(cells) | Rule::Cage { cells, .. } if cells.contains(&cell) => {
                    peers.extend(cells);
                }
                Rule::Pairs { pairs, relation } if relation.excludes_equal_digits() => {
                    let other = |&(a, b): &(Cell, Cell)| match (a == cell, b == cell) {
                        (true, _) => Some(b),
                        (_, true) => Some(a),
                        _ => None,
                    };
                    peers.extend(pairs.iter().filter_map(other));
                }
                _ => {}
            }
        }
        peers.sort_unstable();
        peers.dedup();
        peers.retain(|&other| other != cell);
        peers
    }

    /// The digits that rules about a single cell allow: even, odd, given pencil marks.
    #[must_use]
    pub fn digits_for(&self, cell: Cell) -> DigitSet {
        let mut digits = self.order.digits();
        for rule in &self.rules {
            match rule {
                Rule::Candidates { cell: other, digits: allowed } if *other == cell => {
                    digits = digits & *allowed;
                }
                _ => {}
            }
        }
        digits
    }

    /// The index of the first constraint that the digits of a grid break, full or not.
    ///
    /// A constraint with empty cells counts as broken if two of its digits are equal but must
    /// differ, or if one of its pairs of cells is full and wrong.
    pub(in crate::grid) fn first_broken(
        &self,
        digit_at: impl Fn(Cell) -> Option<Digit>,
    ) -> Option<usize> {
        let any = Digit::from_index(0);
        let digits: Vec<Digit> =
            self.order.cells().map(|cell| digit_at(cell).unwrap_or(any)).collect();
        let is_filled = |cell: &Cell| digit_at(*cell).is_some();
        let is_broken = |rule: &Rule| match rule {
            Rule::Differ(cells) | Rule::Cage { cells, .. } => {
                let filled: Vec<Cell> = cells.iter().copied().filter(is_filled).collect();
                let is_full = filled.len() == cells.len();
                !differ(&digits, &filled) || (is_full && !rule.holds_for(&digits, self.side()))
            }
            Rule::Pairs { pairs, relation } => pairs.iter().any(|(a, b)| {
                let both = digit_at(*a).zip(digit_at(*b));
                both.is_some_and(|(a, b)| !relation.holds(a.number(), b.number()))
            }),
            rule => rule.cells().iter().all(is_filled) && !rule.holds_for(&digits, self.side()),
        };
        let broken = self.rules.iter().position(is_broken)?;
        Some(self.constraint_of(broken))
    }
}

#[cfg(test)]
mod tests {
    use crate::grid::rules::{Constraint, LineRule, Rules};
    use crate::grid::{Candidates, Cell, Digit, Grid, Order, text};
    use std::sync::Arc;

    fn puzzle(line: &str, constraints: Vec<Constraint>) -> Grid {
        let mut rules = Rules::classic(Order::FOUR);
        rules.extend(constraints).unwrap();
        text::parse_position(line, None).unwrap().with_rules(Arc::new(rules))
    }

    fn cells(indices: &[usize]) -> Vec<Cell> {
        indices.iter().map(|&index| Cell::new(index)).collect()
    }

    #[test]
    fn partial_digits_break_a_thermometer_or_a_cage() {
        let thermometer =
            Constraint::Line { kind: LineRule::Thermometer, cells: cells(&[0, 1, 2]) };
        let cage = Constraint::Cage { cells: cells(&[10, 15]), sum: Some(5) };
        let check = |line: &str, expected: Option<&str>| {
            let puzzle = puzzle(line, vec![thermometer.clone(), cage.clone()]);
            let found = puzzle.violation().map(|violation| violation.to_string());
            assert_eq!(found.as_deref(), expected, "{line}");
        };
        check("12..............", None);
        check("2.1.............", None);
        check("21..............", Some("the digits break a rule: thermometer at r1c1, r1c2, r1c3"));
        check("..........2....3", None);
        check("..........2....4", Some("the digits break a rule: killer cage of 5 at r3c3, r4c4"));
        check(
            "..........2....2",
            Some("row 4, column 4: a second 2 in box 4, the first is in row 3, column 3"),
        );
    }

    #[test]
    fn candidates_exclude_digits_of_cages_and_knights() {
        let two = Digit::new(2).unwrap();
        let puzzle = puzzle(
            "2...............",
            vec![Constraint::AntiKnight, Constraint::Odd(Cell::new(15))],
        );
        let mut candidates = Candidates::new(&puzzle).unwrap();
        assert!(!candidates.at(Cell::new(6)).contains(two), "a knight's move away");
        assert!(candidates.at(Cell::new(11)).contains(two));
        assert_eq!(candidates.at(Cell::new(15)).map(Digit::number).collect::<Vec<_>>(), [1, 3]);
        candidates.place(Cell::new(11), two);
        assert!(!candidates.at(Cell::new(13)).contains(two));
    }

    #[test]
    fn names_list_each_kind_once() {
        let mut rules = Rules::without_regions(5).unwrap();
        rules
            .extend([Constraint::AntiKing, Constraint::Even(Cell::new(0)), Constraint::AntiKing])
            .unwrap();
        assert_eq!(rules.names(), ["no boxes", "anti-king", "even cell"]);
    }
}
