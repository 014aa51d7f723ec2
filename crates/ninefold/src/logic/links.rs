//! The graph of strong and weak links that chains walk on.
//!
//! A node says "one of these cells holds the digit". A strong link: not both nodes are false. A weak link: not both
//! are true. Strong links are listed when the graph is made; weak links follow from the cells that a node sees and are
//! listed when a walk first needs them.

use super::als;
use super::position::Position;
use super::step::{Candidate, Chain, Node, OneOf, Strong};
use crate::grid::{Cell, CellSet, Digit};
use std::cell::OnceCell;
use std::collections::HashMap;

/// Which links a graph has.
#[derive(Clone, Copy, Default)]
pub(super) struct Kinds {
    /// Strong links inside cells with two candidates.
    pub cells: bool,
    /// Strong links inside houses.
    pub houses: bool,
    /// Nodes of several cells in the crossing of a line and a box.
    pub groups: bool,
    /// No weak links inside cells: chains stay with one digit.
    pub one_digit: bool,
    /// Strong links inside almost locked sets of at most so many cells; 0 for none.
    pub als_cells: usize,
}

/// Why a strong link holds, in a form that is cheap to copy.
#[derive(Clone, Copy)]
enum Reason {
    Cell(Cell),
    House(u8),
    Als(u32),
}

/// Nodes and their links.
pub(super) struct Graph<'a, const W: usize> {
    pub position: &'a Position<W>,
    digits: Vec<Digit>,
    cells: Vec<CellSet<W>>,
    /// The cells that see all cells of a node.
    sees: Vec<CellSet<W>>,
    strong: Vec<Vec<(u32, Reason)>>,
    weak: Vec<OnceCell<Vec<u32>>>,
    /// The nodes of each digit that a weak link can lead to: those from which a strong link goes on.
    by_digit: Vec<Vec<u32>>,
    /// The nodes of one cell, by cell and digit.
    singles: Vec<u32>,
    /// The nodes of several cells.
    groups: HashMap<(Digit, CellSet<W>), u32>,
    sets: Vec<CellSet<W>>,
    one_digit: bool,
}

/// No node.
const NONE: u32 = u32::MAX;

/// What follows from one assumption: for each node how it became true or false.
pub(super) struct Reach {
    start: u32,
    starts_true: bool,
    /// The false node before it, if a node became true.
    on_from: Vec<u32>,
    /// Which strong link made it true: its number among those of the node before.
    on_link: Vec<u32>,
    /// The true node before it, if a node became false.
    off_from: Vec<u32>,
    /// The nodes that became true, the nearest first.
    pub on: Vec<u32>,
    /// The nodes that became false.
    off: Vec<u32>,
}

impl<'a, const W: usize> Graph<'a, W> {
    /// The graph of a position.
    pub fn new(position: &'a Position<W>, kinds: Kinds) -> Graph<'a, W> {
        let digits = position.all_digits();
        let mut graph = Graph {
            position,
            digits: Vec::new(),
            cells: Vec::new(),
            sees: Vec::new(),
            strong: Vec::new(),
            weak: Vec::new(),
            by_digit: vec![Vec::new(); position.order().side()],
            singles: vec![NONE; position.order().cell_count() * position.order().side()],
            groups: HashMap::new(),
            sets: Vec::new(),
            one_digit: kinds.one_digit,
        };
        for digit in digits {
            for cell in position.places(digit) {
                graph.node(digit, CellSet::of(cell));
            }
            if kinds.groups {
                graph.add_groups(digit);
            }
        }
        if kinds.cells {
            graph.link_cells();
        }
        if kinds.houses {
            digits.for_each(|digit| graph.link_houses(digit));
        }
        if kinds.als_cells > 0 {
            graph.link_sets(kinds.als_cells);
        }
        for node in 0..graph.digits.len() {
            if !graph.strong[node].is_empty() {
                graph.by_digit[graph.digits[node].index()].push(node as u32);
            }
        }
        graph
    }

    /// The node for these cells, made if need be.
    fn node(&mut self, digit: Digit, cells: CellSet<W>) -> u32 {
        let slot = match cells.only() {
            Some(cell) => &mut self.singles[cell.index() * self.position.order().side() + digit.index()],
            None => self.groups.entry((digit, cells)).or_insert(NONE),
        };
        if *slot == NONE {
            *slot = self.digits.len() as u32;
            self.digits.push(digit);
            self.cells.push(cells);
            self.sees.push(self.position.common_peers(cells));
            self.strong.push(Vec::new());
            self.weak.push(OnceCell::new());
        }
        *slot
    }

    /// The places of the digit in the crossing of a line and a box.
    fn add_groups(&mut self, digit: Digit) {
        for line in self.position.lines() {
            let places = self.position.places_in(digit, line);
            let mut left = places;
            while let Some(cell) = left.first() {
                let group = places & self.position.cells(self.position.houses_of(cell)[2]);
                left -= group;
                if group.count() > 1 {
                    self.node(digit, group);
                }
            }
        }
    }

    fn link(&mut self, a: u32, b: u32, reason: Reason) {
        self.strong[a as usize].push((b, reason));
        self.strong[b as usize].push((a, reason));
    }

    fn link_cells(&mut self) {
        for cell in self.position.cells_with(2) {
            let mut digits = self.position.at(cell);
            if let (Some(first), Some(second)) = (digits.next(), digits.next()) {
                let (a, b) = (self.node(first, CellSet::of(cell)), self.node(second, CellSet::of(cell)));
                self.link(a, b, Reason::Cell(cell));
            }
        }
    }

    /// Two nodes that hold all places of the digit in a house.
    fn link_houses(&mut self, digit: Digit) {
        let of_digit: Vec<u32> = (0..self.digits.len() as u32).filter(|&n| self.digits[n as usize] == digit).collect();
        for house in 0..self.position.house_count() {
            let places = self.position.places_in(digit, house);
            if places.count() < 2 {
                continue;
            }
            let inside: Vec<u32> =
                of_digit.iter().copied().filter(|&node| self.cells[node as usize].is_inside(&places)).collect();
            for (index, &a) in inside.iter().enumerate() {
                let rest = places - self.cells[a as usize];
                for &b in &inside[index + 1..] {
                    let other = self.cells[b as usize];
                    if rest.is_inside(&other) && other != places && self.cells[a as usize] != places {
                        self.link(a, b, Reason::House(house as u8));
                    }
                }
            }
        }
    }

    /// Each two digits of an almost locked set. Single cells are linked already.
    fn link_sets(&mut self, most_cells: usize) {
        for set in als::all(self.position, most_cells) {
            if set.cells.count() < 2 {
                continue;
            }
            let reason = Reason::Als(self.sets.len() as u32);
            self.sets.push(set.cells);
            let nodes: Vec<u32> = set.digits.map(|digit| self.node(digit, set.places(self.position, digit))).collect();
            for (index, &a) in nodes.iter().enumerate() {
                for &b in &nodes[index + 1..] {
                    self.link(a, b, reason);
                }
            }
        }
    }

    /// How many nodes there are.
    pub fn len(&self) -> u32 {
        self.digits.len() as u32
    }

    /// The digit of a node.
    pub fn digit(&self, node: u32) -> Digit {
        self.digits[node as usize]
    }

    /// The cells of a node.
    pub fn cells(&self, node: u32) -> CellSet<W> {
        self.cells[node as usize]
    }

    /// The candidate of a node, if it has only one.
    pub fn single(&self, node: u32) -> Option<Candidate> {
        self.cells(node).only().map(|cell| Candidate::new(cell, self.digit(node)))
    }

    /// The node of one candidate.
    pub fn node_of(&self, candidate: Candidate) -> Option<u32> {
        let node = self.singles[candidate.cell.index() * self.position.order().side() + candidate.digit.index()];
        (node != NONE).then_some(node)
    }

    /// Is the candidate false if the node is true?
    pub fn rules_out(&self, node: u32, candidate: Candidate) -> bool {
        if self.digit(node) == candidate.digit {
            return self.sees[node as usize].contains(candidate.cell);
        }
        self.cells(node).only() == Some(candidate.cell)
    }

    /// Adds to each digit the cells that cannot hold it if the node is true.
    pub fn rule_out(&self, node: u32, out: &mut [CellSet<W>]) {
        let digit = self.digit(node);
        out[digit.index()] |= self.sees[node as usize];
        if let Some(cell) = self.cells(node).only() {
            for other in self.position.at(cell).without(digit) {
                out[other.index()].insert(cell);
            }
        }
    }

    /// Does a strong link begin here?
    pub fn is_linked(&self, node: u32) -> bool {
        !self.strong[node as usize].is_empty()
    }

    /// Can the two nodes not both be true?
    pub fn conflict(&self, a: u32, b: u32) -> bool {
        let (a, b) = (a as usize, b as usize);
        if self.digits[a] == self.digits[b] {
            return self.cells[b].is_inside(&self.sees[a]);
        }
        self.cells[a] == self.cells[b] && self.cells[a].count() == 1
    }

    /// The nodes that are false if this one is true.
    fn weak(&self, node: u32) -> &[u32] {
        self.weak[node as usize].get_or_init(|| {
            let digit = self.digit(node);
            let seen = self.sees[node as usize];
            let is_seen = |&other: &u32| self.cells[other as usize].is_inside(&seen);
            let mut targets: Vec<u32> = self.by_digit[digit.index()].iter().copied().filter(is_seen).collect();
            if let (Some(cell), false) = (self.cells(node).only(), self.one_digit) {
                let others = self.position.at(cell).without(digit);
                let row = cell.index() * self.position.order().side();
                let in_cell = others.map(|other| self.singles[row + other.index()]);
                targets.extend(in_cell.filter(|&other| other != NONE && self.is_linked(other)));
            }
            targets
        })
    }

    /// The candidates that see both nodes, so that they are false if one of the nodes is true.
    pub fn seen_by_both(&self, a: u32, b: u32) -> Vec<Candidate> {
        let (first, second) = (a as usize, b as usize);
        if self.digits[first] == self.digits[second] {
            let hit = self.position.places(self.digits[first]) & self.sees[first] & self.sees[second];
            return Position::candidates_of(hit, self.digits[first]).collect();
        }
        let mut removes = Vec::new();
        if a == b || self.cells[first] == self.cells[second] && self.cells[first].count() == 1 {
            let cell = self.cells[first].first().expect("a node has cells");
            let others = self.position.at(cell).without(self.digits[first]).without(self.digits[second]);
            return others.map(|digit| Candidate::new(cell, digit)).collect();
        }
        for (one, other) in [(first, second), (second, first)] {
            // The digit of one node, in the cell of the other.
            if let Some(cell) = self.cells[other].only() {
                let candidate = Candidate::new(cell, self.digits[one]);
                if self.sees[one].contains(cell) && self.position.has(candidate) {
                    removes.push(candidate);
                }
            }
        }
        removes
    }

    /// Everything that follows, link by link, if a node is false (or true).
    pub fn reach(&self, start: u32, starts_true: bool) -> Reach {
        let mut reach = Reach::new(self.len());
        self.walk(&mut reach, start, starts_true, usize::MAX, |_| false);
        reach
    }

    /// The nearest node that refutes a node, if it takes at most so many strong links.
    pub fn refute(&self, reach: &mut Reach, start: u32, most_links: usize) -> Option<u32> {
        self.walk(reach, start, true, most_links, |node| self.conflict(node, start))
    }

    /// Walks level by level until a node that became true is the one looked for.
    fn walk(
        &self,
        reach: &mut Reach,
        start: u32,
        starts_true: bool,
        most_links: usize,
        is_goal: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        reach.clear(start, starts_true);
        let (mut next_on, mut next_off) = (0, 0);
        if starts_true {
            self.step_off(reach, start);
        } else {
            reach.off.push(start);
        }
        let mut links = 0;
        while next_off < reach.off.len() && links < most_links {
            links += 1;
            while next_off < reach.off.len() {
                let node = reach.off[next_off];
                next_off += 1;
                for (number, &(next, _)) in self.strong[node as usize].iter().enumerate() {
                    if reach.on_from[next as usize] == NONE {
                        reach.on_from[next as usize] = node;
                        reach.on_link[next as usize] = number as u32;
                        reach.on.push(next);
                        if is_goal(next) {
                            return Some(next);
                        }
                    }
                }
            }
            while next_on < reach.on.len() {
                let node = reach.on[next_on];
                next_on += 1;
                // A chain that comes back to its start has reached its end.
                if node != start {
                    self.step_off(reach, node);
                }
            }
        }
        None
    }

    fn step_off(&self, reach: &mut Reach, node: u32) {
        for &next in self.weak(node) {
            if reach.off_from[next as usize] == NONE && next != reach.start {
                reach.off_from[next as usize] = node;
                reach.off.push(next);
            }
        }
    }

    /// The chain by which a node became true. It begins with the start, or, if the start was taken as true, with the
    /// first node that this made false.
    pub fn chain_to(&self, reach: &Reach, end: u32, closed: bool) -> Chain {
        let mut nodes = Vec::new();
        let mut strong = Vec::new();
        let mut on = end;
        loop {
            let off = reach.on_from[on as usize];
            let (_, reason) = self.strong[off as usize][reach.on_link[on as usize] as usize];
            nodes.extend([self.as_node(on), self.as_node(off)]);
            strong.push(self.as_strong(reason, on));
            let before = reach.off_from[off as usize];
            if off == reach.start && !reach.starts_true || before == reach.start && reach.starts_true {
                break;
            }
            on = before;
        }
        nodes.reverse();
        strong.reverse();
        Chain { nodes, strong, closed }
    }

    fn as_node(&self, node: u32) -> Node {
        Node { digit: self.digit(node), cells: self.cells(node).to_vec() }
    }

    fn as_strong(&self, reason: Reason, node: u32) -> Strong {
        match reason {
            Reason::Cell(cell) => Strong::OneOf(OneOf::Cell(cell)),
            Reason::House(house) => {
                Strong::OneOf(OneOf::House(self.position.house(usize::from(house)), self.digit(node)))
            }
            Reason::Als(set) => Strong::AlmostLockedSet(self.sets[set as usize].to_vec()),
        }
    }
}

impl Reach {
    /// Room for a walk in a graph of so many nodes.
    pub fn new(nodes: u32) -> Reach {
        let none = || vec![NONE; nodes as usize];
        let (on_from, on_link, off_from) = (none(), none(), none());
        Reach { start: NONE, starts_true: false, on_from, on_link, off_from, on: Vec::new(), off: Vec::new() }
    }

    /// Forgets the last walk; only what it touched is cleared.
    fn clear(&mut self, start: u32, starts_true: bool) {
        for node in self.on.drain(..) {
            self.on_from[node as usize] = NONE;
        }
        for node in self.off.drain(..) {
            self.off_from[node as usize] = NONE;
        }
        self.start = start;
        self.starts_true = starts_true;
    }

    /// Did the node become true?
    pub fn is_on(&self, node: u32) -> bool {
        self.on_from[node as usize] != NONE
    }
}
