//! The compiled form of a puzzle for programs that reason about candidates: which candidates are
//! open, and the groups of which exactly one or at most one is true.
//!
//! The search works on the same groups (`compile.rs`). This form differs in three ways. It contains
//! no slack variables: in a group of kind `AtMostOne` all members may be false. Relations
//! between two cells list the partners of each candidate. Candidates that a clue, a cage or a
//! relation excludes on its own are left out.

use super::compile::{Compiler, Form};
use super::literal::{Lists, Literal};
use super::{Compiled, Relation, Rule, Rules, compile};
use crate::grid::{Candidates, Cell, Digit, DigitSet, Grid};
use std::sync::Arc;

/// The kind of a group of candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum GroupKind {
    /// The digits of a cell: exactly one is true.
    Cell,
    /// A digit in a row or column: exactly one is true.
    Line,
    /// A digit in a region, or in other cells that contain every digit: exactly one is true.
    House,
    /// A digit in cells that differ: at most one is true.
    AtMostOne,
    /// The combinations of digits of a cage: exactly one is true.
    Combinations,
    /// A digit in a cage, and the combinations without the digit: exactly one is true.
    Cage,
    /// A value or a state of a layered graph is true, or one of its edges.
    #[doc(hidden)]
    Path,
    /// A literal that is known.
    #[doc(hidden)]
    Unit,
}

/// The combinations of a cage, which are hidden nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Combinations {
    /// The cells of the cage.
    pub cells: Vec<Cell>,
    /// The node of each combination, with its digits.
    pub nodes: Vec<(u32, DigitSet)>,
}

impl Combinations {
    /// The node of the combination that a full grid contains.
    #[must_use]
    pub fn true_node(&self, digit_at: impl Fn(Cell) -> Digit) -> Option<u32> {
        let digits = self.cells.iter().fold(DigitSet::EMPTY, |all, &cell| all.with(digit_at(cell)));
        self.nodes.iter().find(|(_, set)| *set == digits).map(|(node, _)| *node)
    }
}

/// The open candidates of a puzzle and the groups that its rules make of them.
///
/// A node is a candidate or a hidden candidate, such as a combination of a cage. The candidates come
/// first, in the order of cells and digits.
///
/// ```
/// use ninefold::grid::Grid;
/// use ninefold::grid::rules::{GroupKind, Groups};
///
/// let puzzle: Grid = "1..4..1..3..4..3".parse()?;
/// let groups = Groups::new(&puzzle).expect("the puzzle breaks no rule");
/// let (kind, members) = groups.groups().next().expect("there are groups");
/// let cell_of = |node: u32| groups.candidates()[node as usize].0;
/// assert_eq!(kind, GroupKind::Cell);
/// assert!(members.iter().all(|&node| cell_of(node) == cell_of(members[0])));
/// # Ok::<(), ninefold::grid::ParseGridError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Groups {
    known: Vec<Option<Digit>>,
    candidates: Vec<(Cell, Digit)>,
    node_count: usize,
    kinds: Vec<GroupKind>,
    members: Lists<u32>,
    relations: Vec<(u32, u32, u32)>,
    relation_count: u32,
    conflicts: Vec<(u32, u32)>,
    paths: Vec<(u32, u32)>,
    combinations: Vec<Combinations>,
}

impl Groups {
    /// Compiles a puzzle; `None` if its digits break a rule, or if a rule cannot be satisfied.
    #[must_use]
    pub fn new(puzzle: &Grid) -> Option<Groups> {
        let order = puzzle.order();
        let candidates = Candidates::new(puzzle).ok()?;
        let rules = match puzzle.rules() {
            Some(rules) => Arc::clone(rules),
            None => Arc::new(Rules::classic(order)),
        };
        let digits_of = |cell| match puzzle[cell] {
            Some(digit) => DigitSet::from_digit(digit),
            None => candidates.at(cell),
        };
        let mut digits: Vec<DigitSet> = order.cells().map(digits_of).collect();
        restrict(&rules, &mut digits)?;
        let compiled = compile(&rules, &digits, Form::Groups)?;
        Some(Builder::new(&compiled).build(compiled, &digits, rules.side()))
    }

    /// The digit of each cell that has only one candidate, and so no nodes.
    #[must_use]
    pub fn known(&self) -> &[Option<Digit>] {
        &self.known
    }

    /// The candidates, which are the first nodes.
    #[must_use]
    pub fn candidates(&self) -> &[(Cell, Digit)] {
        &self.candidates
    }

    /// The number of candidates and hidden candidates.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.node_count
    }

    /// The groups that have nodes.
    pub fn groups(&self) -> impl Iterator<Item = (GroupKind, &[u32])> {
        self.kinds.iter().enumerate().map(|(group, &kind)| (kind, self.members.at(group)))
    }

    /// The number of relations between two cells.
    #[must_use]
    pub fn relation_count(&self) -> usize {
        self.relation_count as usize
    }

    /// For each relation between two cells the pairs of candidates that it allows: the number of the
    /// relation and two nodes.
    #[must_use]
    pub fn relations(&self) -> &[(u32, u32, u32)] {
        &self.relations
    }

    /// Pairs of candidates that exclude each other by a rule about two cells.
    #[must_use]
    pub fn conflicts(&self) -> &[(u32, u32)] {
        &self.conflicts
    }

    /// Pairs of nodes of a layered graph: a value or a state, and an edge that it needs.
    #[must_use]
    pub fn paths(&self) -> &[(u32, u32)] {
        &self.paths
    }

    /// The cages whose combinations are nodes.
    #[must_use]
    pub fn combinations(&self) -> &[Combinations] {
        &self.combinations
    }
}

/// Removes candidates that a single cage or relation excludes, until nothing changes.
fn restrict(rules: &Rules, digits: &mut [DigitSet]) -> Option<()> {
    loop {
        let before = digits.to_vec();
        for rule in rules.rules() {
            match rule {
                Rule::Cage { cells, sum } => {
                    let combinations =
                        Compiler::new(rules.side(), digits).combinations(cells, Some(*sum));
                    let possible = combinations.iter().fold(DigitSet::EMPTY, |all, set| all | *set);
                    cells.iter().for_each(|cell| {
                        digits[cell.index()] = digits[cell.index()] & possible;
                    });
                }
                Rule::Pairs { pairs, relation } if *relation != Relation::Different => {
                    for &(a, b) in pairs {
                        keep_supported(digits, a, b, |x, y| relation.holds(x, y));
                        keep_supported(digits, b, a, |y, x| relation.holds(x, y));
                    }
                }
                _ => {}
            }
        }
        if digits.iter().any(|digits| digits.is_empty()) {
            return None;
        }
        if digits[..] == before[..] {
            return Some(());
        }
    }
}

/// Keeps the digits of `a` that go with a digit of `b`.
fn keep_supported(digits: &mut [DigitSet], a: Cell, b: Cell, holds: impl Fn(u8, u8) -> bool) {
    let others = digits[b.index()];
    let has_partner = |digit: &Digit| {
        let mut others = others;
        others.any(|other| holds(digit.number(), other.number()))
    };
    digits[a.index()] = digits[a.index()].filter(has_partner).collect();
}

/// Assigns nodes to variables.
struct Builder {
    /// The node of each variable.
    node_of: Vec<Option<u32>>,
    node_count: usize,
}

impl Builder {
    fn new(compiled: &Compiled) -> Builder {
        // Slack variables and known variables are no nodes.
        let mut is_node = vec![false; compiled.variables];
        is_node[..compiled.meaning.len()].fill(true);
        let groups = || (0..compiled.groups.count()).zip(&compiled.kinds);
        for (group, kind) in groups() {
            if !matches!(kind, GroupKind::AtMostOne | GroupKind::Unit) {
                compiled.groups.at(group).iter().for_each(|one| is_node[one.variable()] = true);
            }
        }
        for (group, _) in groups().filter(|(_, kind)| **kind == GroupKind::Unit) {
            let [literal] = compiled.groups.at(group) else { continue };
            is_node[literal.variable()] &= literal.is_positive();
        }
        let mut node_count = 0;
        let node = |is_node: bool| {
            node_count += u32::from(is_node);
            is_node.then(|| node_count - 1)
        };
        let node_of = is_node.into_iter().map(node).collect();
        Builder { node_of, node_count: node_count as usize }
    }

    fn node(&self, literal: Literal) -> Option<u32> {
        self.node_of[literal.variable()]
    }

    fn build(&self, compiled: Compiled, digits: &[DigitSet], side: usize) -> Groups {
        let candidates: Vec<(Cell, Digit)> = compiled
            .meaning
            .iter()
            .zip(&self.node_of)
            .filter(|(_, node)| node.is_some())
            .map(|(meaning, _)| *meaning)
            .collect();
        let mut groups = Groups {
            known: digits.iter().map(|digits| digits.only()).collect(),
            node_count: self.node_count,
            kinds: Vec::new(),
            members: Lists::new(),
            relations: Vec::new(),
            relation_count: 0,
            conflicts: Vec::new(),
            paths: Vec::new(),
            combinations: self.combinations(&compiled),
            candidates,
        };
        for (group, &kind) in compiled.kinds.iter().enumerate() {
            let literals = compiled.groups.at(group);
            match kind {
                GroupKind::Unit => {}
                GroupKind::Path if literals.iter().any(|literal| !literal.is_positive()) => {
                    self.add_path(literals, &mut groups.paths);
                }
                // The edges of a value or a state that is known to be true.
                GroupKind::Path => self.add_group(GroupKind::Cage, literals, &mut groups),
                _ => self.add_group(kind, literals, &mut groups),
            }
        }
        for clause in 0..compiled.clauses.count() {
            self.add_clause(compiled.clauses.at(clause), &mut groups);
        }
        self.add_relations(&compiled, digits, side, &mut groups);
        groups
    }

    fn combinations(&self, compiled: &Compiled) -> Vec<Combinations> {
        let cages = compiled.cages.iter().map(|cage| {
            let nodes = (cage.first..).zip(&cage.combinations);
            let nodes = nodes.filter_map(|(variable, set)| Some((self.node_of[variable]?, *set)));
            Combinations { cells: cage.cells.clone(), nodes: nodes.collect() }
        });
        cages.collect()
    }

    fn add_group(&self, kind: GroupKind, literals: &[Literal], groups: &mut Groups) {
        let nodes: Vec<u32> = literals.iter().filter_map(|&literal| self.node(literal)).collect();
        let least = if kind == GroupKind::AtMostOne { 2 } else { 1 };
        if nodes.len() >= least {
            groups.kinds.push(kind);
            groups.members.push(nodes);
        }
    }

    /// A negative literal, which is a value or a state, is linked with each of the others.
    fn add_path(&self, literals: &[Literal], paths: &mut Vec<(u32, u32)>) {
        for own in literals.iter().filter(|literal| !literal.is_positive()) {
            for other in literals.iter().filter(|literal| literal.is_positive()) {
                if let (Some(own), Some(other)) = (self.node(*own), self.node(*other)) {
                    paths.push((own, other));
                }
            }
        }
    }

    fn add_clause(&self, literals: &[Literal], groups: &mut Groups) {
        let nodes: Option<Vec<u32>> = literals.iter().map(|&literal| self.node(literal)).collect();
        match (literals, nodes.as_deref()) {
            ([a, b], Some(&[x, y])) if !a.is_positive() && !b.is_positive() => {
                groups.conflicts.push((x, y));
            }
            _ if literals.iter().all(|literal| literal.is_positive()) => {
                self.add_group(GroupKind::Cage, literals, groups);
            }
            _ => self.add_path(literals, &mut groups.paths),
        }
    }

    fn add_relations(
        &self,
        compiled: &Compiled,
        digits: &[DigitSet],
        side: usize,
        groups: &mut Groups,
    ) {
        let mut nodes = vec![None; digits.len() * side];
        for ((cell, digit), node) in compiled.meaning.iter().zip(&self.node_of) {
            nodes[cell.index() * side + digit.index()] = *node;
        }
        let node = |cell: Cell, digit: Digit| nodes[cell.index() * side + digit.index()];
        for &(a, b, relation) in &compiled.pairs {
            let number = groups.relation_count;
            groups.relation_count += 1;
            for x in digits[a.index()] {
                for y in digits[b.index()] {
                    if let (Some(x_node), Some(y_node)) = (node(a, x), node(b, y))
                        && relation.holds(x.number(), y.number())
                    {
                        groups.relations.push((number, x_node, y_node));
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Constraint;
    use super::*;
    use crate::grid::Order;

    fn groups(rules: Rules, digits: &str) -> Groups {
        let puzzle: Grid = digits.parse().unwrap();
        Groups::new(&puzzle.with_rules(Arc::new(rules))).unwrap()
    }

    #[test]
    fn a_cage_has_a_node_for_each_combination() {
        let order = Order::FOUR;
        let cells = vec![order.cell(0, 0), order.cell(0, 1)];
        let cage = Constraint::Cage { cells: cells.clone(), sum: Some(5) };
        let rules = Rules::classic(order).with(cage).unwrap();
        let groups = groups(rules, "................");
        // The rest of the row and of the box are implied cages, which come first.
        let [row, block, cage] = groups.combinations() else { panic!("three cages") };
        assert_eq!([row, block].map(|implied| implied.cells.len()), [2, 2]);
        assert_eq!(groups.candidates().len(), 64);
        assert_eq!((groups.node_count(), cage.nodes.len()), (70, 2), "1+4 and 2+3");
        // Each digit is in a cell of the cage, or in the other combination.
        let of_cage = groups.groups().filter(|(kind, _)| *kind == GroupKind::Cage);
        let sizes: Vec<usize> = of_cage.map(|(_, members)| members.len()).collect();
        assert_eq!(sizes, [3; 12]);
        let digits = [1, 4];
        let digit_at = |cell| {
            let at = cells.iter().position(|other| *other == cell).unwrap();
            Digit::new(digits[at]).unwrap()
        };
        assert_eq!(cage.true_node(digit_at), Some(68));
    }

    #[test]
    fn excluded_candidates_are_left_out() {
        let order = Order::FOUR;
        let cells: Vec<Cell> = (0..4).map(|column| order.cell(3, column)).collect();
        let line = super::super::LineRule::Thermometer;
        let rules = Rules::classic(order).with(Constraint::Line { kind: line, cells }).unwrap();
        let groups = groups(rules, "................");
        // The thermometer has one solution, so its cells have one candidate each.
        let last = order.cell(3, 3);
        let open: Vec<u8> = groups
            .candidates()
            .iter()
            .filter(|(cell, _)| *cell == last)
            .map(|(_, digit)| digit.number())
            .collect();
        assert!(open.is_empty(), "{open:?}");
        assert!(!groups.candidates().iter().any(|(_, digit)| digit.index() > 3));
    }

    #[test]
    fn classic_groups_are_cells_rows_columns_and_boxes() {
        let puzzle: Grid = "1..4..1..3..4..3".parse().unwrap();
        let groups = Groups::new(&puzzle).unwrap();
        let mut kinds: Vec<GroupKind> = groups.groups().map(|(kind, _)| kind).collect();
        kinds.dedup();
        assert_eq!(kinds, [GroupKind::Cell, GroupKind::Line, GroupKind::House]);
        assert_eq!(groups.node_count(), groups.candidates().len());
        assert_eq!((groups.relation_count(), groups.conflicts().len()), (0, 0));
        let numbers: Vec<u8> = [1, 1].into_iter().chain([0; 14]).collect();
        let conflict = Grid::from_numbers(Order::FOUR, &numbers).unwrap();
        assert!(Groups::new(&conflict).is_none());
    }

    #[test]
    fn relations_list_the_allowed_pairs() {
        let rules = Rules::classic(Order::FOUR).with(Constraint::AntiKnight).unwrap();
        assert!(!groups(rules, "................").conflicts().is_empty());
        let cells = [Order::FOUR.cell(0, 0), Order::FOUR.cell(0, 1)];
        let dot = Constraint::Dot { kind: super::super::Dot::Ratio(2), cells };
        let groups = groups(Rules::classic(Order::FOUR).with(dot).unwrap(), "................");
        let pairs: Vec<(u8, u8)> = groups
            .relations()
            .iter()
            .map(|&(_, a, b)| {
                let digit = |node: u32| groups.candidates()[node as usize].1.number();
                (digit(a), digit(b))
            })
            .collect();
        assert_eq!(pairs, [(1, 2), (2, 1), (2, 4), (4, 2)]);
    }
}
