//! Rules as the tables that `walk.rs` works on.

use super::walk::Mask;
use crate::grid::rules::implied::{self, WeightedSum};
use crate::grid::rules::{Constraint, LineKind, LineRule, Relation, Rule, Rules};
use crate::grid::{Cell, DigitSet};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// More propagators are left to clause learning.
const MOST_PROPAGATORS: usize = 1024;
/// The most edges of an automaton. It has fewer states than edges, so they fit into 16 bits.
const MOST_EDGES: usize = 12_000;
/// A cage with more combinations is propagated as different cells and a sum.
const MOST_COMBINATIONS: usize = 60;

/// How much each rule of a cell, beside its houses, counts for the first guesses.
const WEIGHT_OF_RULE: f32 = 0.1;

/// What a puzzle's rules ask of the search.
pub(super) struct Model {
    pub side: usize,
    pub all_digits: Mask,
    /// The digits of each cell at the start.
    pub start: Vec<Mask>,
    /// Cheap propagators come first.
    pub propagators: Vec<Propagator>,
    /// The number of 64-bit words in a set of propagators.
    pub words: usize,
    /// For each cell the set of propagators that read it.
    watchers: Vec<u64>,
    /// For each cell the set of cells with a different digit.
    peers: Vec<u64>,
    peer_words: usize,
    cells: Vec<u16>,
    /// The parts of sums: coefficients, and cells whose digits differ.
    pub parts: Vec<(i32, Range<usize>)>,
    pub combinations: Vec<Mask>,
    /// For each relation the partners of each digit, forwards and backwards.
    pub tables: Vec<(Vec<Mask>, Vec<Mask>)>,
    pub layers: Vec<Layer>,
    pub edges: Vec<Edge>,
}

/// A rule in a form that removes digits. Ranges refer to the lists of the model.
pub(super) enum Propagator {
    Pair { a: usize, b: usize, table: usize },
    Index { cell: usize, digit: Mask, other: usize, value: Mask },
    House { cells: Range<usize> },
    Contains { cells: Range<usize>, digit: Mask, least: usize },
    Cage { cells: Range<usize>, combinations: Range<usize> },
    Sum { parts: Range<usize>, total: i32 },
    Line { cells: Range<usize>, layers: Range<usize>, states: usize },
}

impl Propagator {
    /// The order in which propagators run.
    fn cost(&self) -> usize {
        match self {
            Propagator::Pair { .. } | Propagator::Index { .. } => 0,
            Propagator::House { .. } | Propagator::Contains { .. } => 1,
            Propagator::Cage { .. } => 2,
            Propagator::Sum { .. } => 3,
            Propagator::Line { .. } => 4,
        }
    }
}

/// The layers of an automaton and the number of its states; `None` if no line satisfies it.
type Automaton = Option<(Range<usize>, usize)>;

/// Tables that several rules share.
#[derive(Default)]
struct Known {
    tables: HashMap<Relation, usize>,
    /// For the number of cells and the sum of a cage.
    combinations: HashMap<(usize, u32), Range<usize>>,
    /// For a kind of line and its length.
    automata: HashMap<(LineKind, usize), Automaton>,
}

/// The edges between two neighbouring layers of states.
pub(super) struct Layer {
    pub edges: Range<usize>,
    /// The states before.
    pub from: Range<usize>,
}

/// A step of an automaton. States of all layers are numbered together, beginning with the start.
pub(super) struct Edge {
    pub from: u16,
    pub digit: u8,
    pub to: u16,
}

impl Model {
    /// `None` if the rules contain something that only clause learning supports.
    pub(super) fn new(
        rules: &Rules,
        candidates: &[DigitSet],
        with_implied_sums: bool,
    ) -> Option<Model> {
        let side = rules.side();
        if side > Mask::BITS as usize {
            return None;
        }
        let peer_words = candidates.len().div_ceil(64);
        let mut model = Model {
            side,
            all_digits: DigitSet::up_to(side).bits() as Mask,
            start: candidates.iter().map(|digits| digits.bits() as Mask).collect(),
            propagators: Vec::with_capacity(64),
            words: 0,
            watchers: Vec::new(),
            peers: vec![0; peer_words * candidates.len()],
            peer_words,
            cells: Vec::with_capacity(512),
            parts: Vec::new(),
            combinations: Vec::new(),
            tables: Vec::new(),
            layers: Vec::new(),
            edges: Vec::new(),
        };
        let mut known = Known::default();
        let houses = rules.houses();
        for house in &houses {
            model.differ(house);
        }
        // Sums need to know all cells that differ.
        for rule in rules.rules() {
            match rule {
                Rule::Differ(cells) => model.differ(cells),
                Rule::Cage { cells, .. } => model.exclude(cells),
                Rule::Pairs { pairs, relation: Relation::Different } => {
                    pairs.iter().for_each(|&(a, b)| model.exclude(&[a, b]));
                }
                _ => {}
            }
        }
        for rule in rules.rules() {
            model.rule(rule, &mut known)?;
        }
        for constraint in rules.constraints() {
            if let Constraint::Line { kind: LineRule::Renban, cells } = constraint {
                model.run_of_digits(cells);
            }
        }
        if with_implied_sums {
            for sum in implied::sums(rules, &houses) {
                model.implied(sum, &mut known);
            }
        }
        (model.propagators.len() <= MOST_PROPAGATORS).then(|| model.finish())
    }

    /// The cells of a propagator.
    pub(super) fn cells_in(&self, range: &Range<usize>) -> &[u16] {
        &self.cells[range.clone()]
    }

    pub(super) fn peers_of(&self, cell: usize) -> &[u64] {
        &self.peers[cell * self.peer_words..(cell + 1) * self.peer_words]
    }

    pub(super) fn watchers_of(&self, cell: usize) -> &[u64] {
        &self.watchers[cell * self.words..(cell + 1) * self.words]
    }

    /// The weight of each cell for the first guesses: more for cells of many rules.
    pub(super) fn priorities(&self) -> Vec<f32> {
        let is_house =
            |index: usize| self.propagators.get(index).is_some_and(|one| one.cost() <= 1);
        let mut houses = vec![0u64; self.words];
        for index in (0..self.propagators.len()).filter(|&index| is_house(index)) {
            houses[index / 64] |= 1 << (index % 64);
        }
        let weight = |cell: usize| {
            let watchers = self.watchers_of(cell).iter().zip(&houses);
            let count: u32 = watchers.map(|(bits, houses)| (bits & !houses).count_ones()).sum();
            1.0 + WEIGHT_OF_RULE * count as f32
        };
        (0..self.start.len()).map(weight).collect()
    }

    fn rule(&mut self, rule: &Rule, known: &mut Known) -> Option<()> {
        match rule {
            Rule::Differ(_) | Rule::Pairs { relation: Relation::Different, .. } => {}
            Rule::Cage { cells, sum } => self.cage(cells, *sum, known),
            Rule::Sum { terms, total } => self.sum(terms, *total),
            Rule::Candidates { cell, digits } => {
                self.start[cell.index()] &= digits.bits() as Mask;
            }
            Rule::Pairs { pairs, relation } => {
                let side = self.side;
                let table = *known.tables.entry(*relation).or_insert_with(|| {
                    self.tables.push(relation_table(*relation, side));
                    self.tables.len() - 1
                });
                let pair =
                    |&(a, b): &(Cell, Cell)| Propagator::Pair { a: a.index(), b: b.index(), table };
                self.propagators.extend(pairs.iter().map(pair));
            }
            Rule::Line { cells, kind } => self.line(cells, kind, known)?,
            Rule::Contains { cells, digits } => {
                let own = self.range(cells);
                let mut seen = DigitSet::EMPTY;
                for &digit in digits {
                    if !seen.contains(digit) {
                        seen.insert(digit);
                        let least = digits.iter().filter(|other| **other == digit).count();
                        let digit = 1 << digit.index();
                        self.propagators.push(Propagator::Contains {
                            cells: own.clone(),
                            digit,
                            least,
                        });
                    }
                }
            }
            Rule::CountingCircles(_) => return None,
            Rule::Index { cell, digit, other, value } => {
                self.propagators.push(Propagator::Index {
                    cell: cell.index(),
                    digit: 1 << digit.index(),
                    other: other.index(),
                    value: 1 << value.index(),
                });
            }
        }
        Some(())
    }

    fn range(&mut self, cells: &[Cell]) -> Range<usize> {
        let start = self.cells.len();
        self.cells.extend(cells.iter().map(|cell| cell.index() as u16));
        start..self.cells.len()
    }

    /// The digits of these cells differ.
    fn exclude(&mut self, cells: &[Cell]) {
        for &a in cells {
            for &b in cells {
                if a != b {
                    let word = a.index() * self.peer_words + b.index() / 64;
                    self.peers[word] |= 1 << (b.index() % 64);
                }
            }
        }
    }

    fn differ(&mut self, cells: &[Cell]) {
        self.exclude(cells);
        if cells.len() == self.side {
            let cells = self.range(cells);
            self.propagators.push(Propagator::House { cells });
        } else if cells.len() > self.side {
            self.start[cells[0].index()] = 0;
        }
    }

    fn cage(&mut self, cells: &[Cell], sum: u32, known: &mut Known) {
        if cells.len() == self.side {
            return self.differ(cells);
        }
        let (side, list) = (self.side, &mut self.combinations);
        let combinations = known.combinations.entry((cells.len(), sum)).or_insert_with(|| {
            let start = list.len();
            add_combinations(side, cells.len(), 1, 0, sum, list, start + MOST_COMBINATIONS + 1);
            start..list.len()
        });
        if combinations.len() > MOST_COMBINATIONS {
            let terms: Vec<(i32, Cell)> = cells.iter().map(|&cell| (1, cell)).collect();
            return self.sum(&terms, sum as i32);
        }
        let combinations = combinations.clone();
        let cells = self.range(cells);
        self.propagators.push(Propagator::Cage { cells, combinations });
    }

    /// The cells contain consecutive digits. Their pairs are propagated as well.
    fn run_of_digits(&mut self, cells: &[Cell]) {
        let (side, count) = (self.side, cells.len());
        if count < 2 || count >= side {
            return;
        }
        let start = self.combinations.len();
        let run: Mask = (1 << count) - 1;
        self.combinations.extend((0..=side - count).map(|first| run << first));
        let combinations = start..self.combinations.len();
        let cells = self.range(cells);
        self.propagators.push(Propagator::Cage { cells, combinations });
    }

    fn sum(&mut self, terms: &[(i32, Cell)], total: i32) {
        let mut merged: BTreeMap<Cell, i32> = BTreeMap::new();
        for &(coefficient, cell) in terms {
            *merged.entry(cell).or_default() += coefficient;
        }
        let mut open: Vec<(i32, Cell)> =
            merged.into_iter().filter(|term| term.1 != 0).map(|(cell, k)| (k, cell)).collect();
        let mut parts: Vec<(i32, Vec<Cell>)> = Vec::new();
        while let Some(&(coefficient, first)) = open.first() {
            let cells = self.largest_part(&open, coefficient, first);
            open.retain(|(k, cell)| *k != coefficient || !cells.contains(cell));
            parts.push((coefficient, cells));
        }
        let start = self.parts.len();
        for (coefficient, cells) in parts {
            let cells = self.range(&cells);
            self.parts.push((coefficient, cells));
        }
        let parts = start..self.parts.len();
        self.propagators.push(Propagator::Sum { parts, total });
    }

    /// Many cells with this coefficient whose digits all differ: those in one house, or those that
    /// differ from the first cell and each other.
    fn largest_part(&self, open: &[(i32, Cell)], coefficient: i32, first: Cell) -> Vec<Cell> {
        let cells = || open.iter().filter(|term| term.0 == coefficient).map(|term| term.1);
        let mut best = Vec::new();
        for cell in cells() {
            if self.are_different(first, cell) || first == cell {
                let fits = best.iter().all(|&one| self.are_different(one, cell));
                best.extend(fits.then_some(cell));
            }
        }
        for propagator in &self.propagators {
            if let Propagator::House { cells: house } = propagator {
                let house = self.cells_in(house);
                let inside: Vec<Cell> =
                    cells().filter(|cell| house.contains(&(cell.index() as u16))).collect();
                if inside.len() > best.len() {
                    best = inside;
                }
            }
        }
        best
    }

    fn are_different(&self, a: Cell, b: Cell) -> bool {
        self.peers_of(a.index())[b.index() / 64] >> (b.index() % 64) & 1 == 1
    }

    /// An implied sum is a cage if its cells differ.
    fn implied(&mut self, (terms, total): WeightedSum, known: &mut Known) {
        let sign = terms.first().map_or(0, |term| term.0);
        let is_equal = terms.iter().all(|term| term.0 == sign);
        let differ = terms
            .iter()
            .enumerate()
            .all(|(at, &(_, a))| terms[..at].iter().all(|&(_, b)| self.are_different(a, b)));
        if is_equal && differ && sign.abs() == 1 && total * sign > 0 {
            let cells: Vec<Cell> = terms.iter().map(|term| term.1).collect();
            self.cage(&cells, (total * sign) as u32, known);
        } else {
            self.sum(&terms, total);
        }
    }

    /// `None` if the automaton is too large.
    fn line(&mut self, cells: &[Cell], kind: &LineKind, known: &mut Known) -> Option<()> {
        let key = (kind.clone(), cells.len());
        let automaton = match known.automata.get(&key) {
            Some(automaton) => automaton.clone(),
            None => {
                let automaton = self.automaton(kind, cells.len())?;
                known.automata.insert(key, automaton.clone());
                automaton
            }
        };
        match automaton {
            Some((layers, states)) => {
                let cells = self.range(cells);
                self.propagators.push(Propagator::Line { cells, layers, states });
            }
            None => self.start[cells[0].index()] = 0,
        }
        Some(())
    }

    /// The layers and the number of states of an automaton, `Some(None)` if no line satisfies it,
    /// and `None` if it is too large.
    fn automaton(&mut self, kind: &LineKind, length: usize) -> Option<Automaton> {
        let Some(layers) = kind.layers(self.side, length) else { return Some(None) };
        if layers.iter().map(Vec::len).sum::<usize>() > MOST_EDGES {
            return None;
        }
        let first = self.layers.len();
        let (mut from, mut width) = (0, 1);
        for layer in &layers {
            let to = from + width;
            let start = self.edges.len();
            self.edges.extend(layer.iter().map(|edge| Edge {
                from: (from + edge.from) as u16,
                digit: edge.value as u8,
                to: (to + edge.to) as u16,
            }));
            self.layers.push(Layer { edges: start..self.edges.len(), from: from..to });
            width = layer.iter().map(|edge| edge.to + 1).max().unwrap_or(0);
            from = to;
        }
        Some(Some((first..self.layers.len(), from + width)))
    }

    /// Sorts the propagators and notes which cells they read.
    fn finish(mut self) -> Model {
        self.propagators.sort_by_key(Propagator::cost);
        self.words = self.propagators.len().div_ceil(64);
        let mut watchers = vec![0; self.words * self.start.len()];
        for (index, propagator) in self.propagators.iter().enumerate() {
            let mut watch = |cell: usize| {
                watchers[cell * self.words + index / 64] |= 1 << (index % 64);
            };
            match propagator {
                Propagator::Pair { a, b, .. } | Propagator::Index { cell: a, other: b, .. } => {
                    watch(*a);
                    watch(*b);
                }
                Propagator::House { cells }
                | Propagator::Contains { cells, .. }
                | Propagator::Cage { cells, .. }
                | Propagator::Line { cells, .. } => {
                    self.cells_in(cells).iter().for_each(|&cell| watch(usize::from(cell)));
                }
                Propagator::Sum { parts, .. } => {
                    for (_, cells) in &self.parts[parts.clone()] {
                        self.cells_in(cells).iter().for_each(|&cell| watch(usize::from(cell)));
                    }
                }
            }
        }
        self.watchers = watchers;
        self
    }
}

fn relation_table(relation: Relation, side: usize) -> (Vec<Mask>, Vec<Mask>) {
    let table = |holds: &dyn Fn(u8, u8) -> bool| {
        let partners = |digit: u8| {
            (1..=side as u8)
                .filter(|&other| holds(digit, other))
                .fold(0, |all, other| all | 1 << (other - 1))
        };
        (1..=side as u8).map(partners).collect()
    };
    (table(&|a, b| relation.holds(a, b)), table(&|b, a| relation.holds(a, b)))
}

/// The sets of `left` different digits from `digit` on with this sum. The list stops at `most`.
fn add_combinations(
    side: usize,
    left: usize,
    digit: u32,
    chosen: Mask,
    sum: u32,
    list: &mut Vec<Mask>,
    most: usize,
) {
    if left == 0 {
        if sum == 0 && list.len() < most {
            list.push(chosen);
        }
        return;
    }
    let (side_digit, count) = (side as u32, left as u32);
    for digit in digit..=side_digit {
        let least: u32 = (0..count).map(|more| digit + more).sum();
        let largest: u32 =
            digit + (1..count).map(|more| (side_digit + 1).saturating_sub(more)).sum::<u32>();
        if least > sum || list.len() >= most {
            return;
        }
        if largest >= sum {
            let chosen = chosen | 1 << (digit - 1);
            add_combinations(side, left - 1, digit + 1, chosen, sum - digit, list, most);
        }
    }
}
