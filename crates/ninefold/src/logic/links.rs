//! Graph of strong and weak links that chains follow.
//!
//! A node states "one of these cells contains the digit". A strong link joins two nodes that are
//! not both false. A weak link joins two nodes that are not both true. A walk assumes that one node
//! is true and follows weak and strong links alternately. It refutes the node if it reaches another
//! true node that rules it out. Most walks find nothing, so `implications.rs` first computes for
//! all nodes at once which of them a walk can refute.

use super::als;
use super::board::Board;
use super::implications::Implications;
use crate::grid::{Cell, CellSet, Digit, DigitSet, House, Order};
use crate::proof::{Candidate, Chain, Inference, InferenceReason, Node, OneOf, Strong};
use std::cell::OnceCell;
use std::collections::HashMap;

/// Selects the links of a graph.
#[derive(Clone, Copy, Default)]
pub(super) struct Kinds {
    /// Strong links inside cells with two candidates.
    pub cells: bool,
    /// Strong links inside houses.
    pub houses: bool,
    /// Nodes of several cells in the intersection of a line and a box.
    pub groups: bool,
    /// No weak links inside cells, so that chains use one digit.
    pub one_digit: bool,
    /// Strong links inside almost locked sets of at most this many cells; 0 for none.
    pub als_cells: usize,
}

/// Reason for a strong link, in a form that is cheap to copy.
#[derive(Clone, Copy)]
enum StrongReason {
    Cell(Cell),
    House(u8),
    Als(u32),
}

pub(super) struct Graph<const W: usize> {
    order: Order,
    digits: Vec<Digit>,
    cells: Vec<CellSet<W>>,
    /// Cells that see all cells of a node.
    sees: Vec<CellSet<W>>,
    strong: Lists<(u32, StrongReason)>,
    weak: OnceCell<Lists<u32>>,
    /// For each digit, the cells of its single-cell nodes that have a strong link. Weak links only
    /// lead to such nodes.
    linked_cells: Vec<CellSet<W>>,
    /// For each digit, its nodes of several cells that have a strong link.
    linked_groups: Vec<Vec<u32>>,
    /// Single-cell nodes, by cell and digit.
    singles: Vec<u32>,
    sets: Vec<CellSet<W>>,
    one_digit: bool,
    implications: OnceCell<Implications>,
}

/// Marks an absent node.
const NONE: u32 = u32::MAX;

/// Consequences of one assumption: how each node became true or false.
pub(super) struct Reach {
    start: u32,
    starts_true: bool,
    /// For a node that became true, the false node before it.
    on_from: Vec<u32>,
    /// Index of the strong link that made the node true, among the links of the node before it.
    on_link: Vec<u32>,
    /// For a node that became false, the true node before it.
    off_from: Vec<u32>,
    /// Nodes that became true, nearest first.
    pub on: Vec<u32>,
    /// Nodes that became false.
    off: Vec<u32>,
}

struct Builder<'a, const W: usize> {
    position: &'a Board<'a, W>,
    graph: Graph<W>,
    /// Nodes of several cells.
    groups: HashMap<(Digit, CellSet<W>), u32>,
    links: Vec<(u32, u32, StrongReason)>,
}

impl<const W: usize> Builder<'_, W> {
    /// Returns the node for these cells and adds it if necessary.
    fn node(&mut self, digit: Digit, cells: CellSet<W>) -> u32 {
        let graph = &mut self.graph;
        let slot = match cells.only() {
            Some(cell) => &mut graph.singles[cell.index() * graph.order.side() + digit.index()],
            None => self.groups.entry((digit, cells)).or_insert(NONE),
        };
        if *slot == NONE {
            *slot = graph.digits.len() as u32;
            graph.digits.push(digit);
            graph.cells.push(cells);
            graph.sees.push(self.position.common_peers(cells));
        }
        *slot
    }

    /// Adds the places of the digit in each intersection of a line and a box.
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

    fn link_cells(&mut self) {
        for cell in self.position.cells_with(2) {
            let mut digits = self.position.at(cell);
            if let (Some(first), Some(second)) = (digits.next(), digits.next()) {
                let (a, b) = (
                    self.node(first, CellSet::from_cell(cell)),
                    self.node(second, CellSet::from_cell(cell)),
                );
                self.links.push((a, b, StrongReason::Cell(cell)));
            }
        }
    }

    /// Links two nodes of this range that contain all places of the digit in a house.
    fn link_houses(&mut self, digit: Digit, nodes: std::ops::Range<u32>) {
        let cells = &self.graph.cells;
        let mut inside: Vec<u32> = Vec::new();
        for house in 0..self.position.house_count() {
            let places = self.position.places_in(digit, house);
            if places.count() < 2 {
                continue;
            }
            let fits = |node: &u32| {
                cells[*node as usize].is_subset(&places) && cells[*node as usize] != places
            };
            inside.clear();
            inside.extend(nodes.clone().filter(fits));
            for (index, &a) in inside.iter().enumerate() {
                let rest = places - cells[a as usize];
                let complete =
                    inside[index + 1..].iter().filter(|&&b| rest.is_subset(&cells[b as usize]));
                self.links.extend(complete.map(|&b| (a, b, StrongReason::House(house as u8))));
            }
        }
    }

    /// Links each two digits of an almost locked set. Single cells are already linked.
    fn link_sets(&mut self, max_cells: usize) {
        for set in als::all(self.position, max_cells) {
            if set.cells.count() < 2 {
                continue;
            }
            let reason = StrongReason::Als(self.graph.sets.len() as u32);
            self.graph.sets.push(set.cells);
            let nodes: Vec<u32> = set
                .digits
                .map(|digit| self.node(digit, set.places(self.position, digit)))
                .collect();
            for (index, &a) in nodes.iter().enumerate() {
                self.links.extend(nodes[index + 1..].iter().map(|&b| (a, b, reason)));
            }
        }
    }

    fn finish(self) -> Graph<W> {
        let Builder { mut graph, links, .. } = self;
        let both_ways =
            links.iter().flat_map(|&(a, b, reason)| [(a, (b, reason)), (b, (a, reason))]);
        graph.strong = Lists::gather(graph.digits.len(), both_ways, (NONE, StrongReason::House(0)));
        for node in (0..graph.len()).filter(|&node| !graph.strong.list(node).is_empty()) {
            let digit = graph.digits[node as usize].index();
            match graph.cells[node as usize].only() {
                Some(cell) => graph.linked_cells[digit].insert(cell),
                None => graph.linked_groups[digit].push(node),
            }
        }
        graph
    }
}

impl<const W: usize> Graph<W> {
    /// Builds the graph for some digits of a position.
    pub fn new(position: &Board<W>, digits: DigitSet, kinds: Kinds) -> Graph<W> {
        let order = position.order();
        let graph = Graph {
            order,
            digits: Vec::new(),
            cells: Vec::new(),
            sees: Vec::new(),
            strong: Lists { starts: Vec::new(), items: Vec::new() },
            weak: OnceCell::new(),
            linked_cells: vec![CellSet::EMPTY; order.side()],
            linked_groups: vec![Vec::new(); order.side()],
            singles: vec![NONE; order.cell_count() * order.side()],
            sets: Vec::new(),
            one_digit: kinds.one_digit,
            implications: OnceCell::new(),
        };
        let mut builder = Builder { position, graph, groups: HashMap::new(), links: Vec::new() };
        let mut nodes_of = vec![0..0; order.side()];
        for digit in digits {
            let first = builder.graph.len();
            for cell in position.places(digit) {
                builder.node(digit, CellSet::from_cell(cell));
            }
            if kinds.groups {
                builder.add_groups(digit);
            }
            nodes_of[digit.index()] = first..builder.graph.len();
        }
        if kinds.cells {
            builder.link_cells();
        }
        if kinds.houses {
            for digit in digits {
                builder.link_houses(digit, nodes_of[digit.index()].clone());
            }
        }
        if kinds.als_cells > 0 {
            builder.link_sets(kinds.als_cells);
        }
        builder.finish()
    }

    /// Returns the number of nodes.
    pub fn len(&self) -> u32 {
        self.digits.len() as u32
    }

    pub fn digit(&self, node: u32) -> Digit {
        self.digits[node as usize]
    }

    pub fn cells(&self, node: u32) -> CellSet<W> {
        self.cells[node as usize]
    }

    /// Returns the candidate of a node, if it has only one.
    pub fn single(&self, node: u32) -> Option<Candidate> {
        self.cells(node).only().map(|cell| Candidate::new(cell, self.digit(node)))
    }

    /// Returns the node of one candidate.
    pub fn node_of(&self, candidate: Candidate) -> Option<u32> {
        let node =
            self.singles[candidate.cell.index() * self.order.side() + candidate.digit.index()];
        (node != NONE).then_some(node)
    }

    /// Returns true if the candidate is false whenever the node is true.
    pub fn rules_out(&self, node: u32, candidate: Candidate) -> bool {
        if self.digit(node) == candidate.digit {
            return self.sees[node as usize].contains(candidate.cell);
        }
        self.cells(node).only() == Some(candidate.cell)
    }

    /// Adds, for each digit, the cells that cannot take it if the node is true.
    pub fn rule_out(&self, node: u32, out: &mut [CellSet<W>]) {
        let digit = self.digit(node);
        out[digit.index()] |= self.sees[node as usize];
        if let Some(cell) = self.cells(node).only() {
            let in_cell = self.singles_in(cell).iter().zip(out).enumerate();
            for (other, (&node, out)) in in_cell {
                if node != NONE && other != digit.index() {
                    out.insert(cell);
                }
            }
        }
    }

    /// Returns true if the node has a strong link.
    pub fn is_linked(&self, node: u32) -> bool {
        !self.strong.list(node).is_empty()
    }

    /// Returns true if the two nodes cannot both be true.
    pub fn conflict(&self, a: u32, b: u32) -> bool {
        let (a, b) = (a as usize, b as usize);
        if self.digits[a] == self.digits[b] {
            return self.cells[b].is_subset(&self.sees[a]);
        }
        self.cells[a] == self.cells[b] && self.cells[a].count() == 1
    }

    /// Returns the nodes of a cell, by digit.
    fn singles_in(&self, cell: Cell) -> &[u32] {
        let side = self.order.side();
        &self.singles[cell.index() * side..(cell.index() + 1) * side]
    }

    /// Returns the nodes that are false if this one is true and that have a strong link.
    pub fn weak(&self, node: u32) -> &[u32] {
        self.weak.get_or_init(|| self.all_weak()).list(node)
    }

    /// Returns the nodes at the other end of strong links.
    pub fn partners(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        self.strong.list(node).iter().map(|&(partner, _)| partner)
    }

    fn all_weak(&self) -> Lists<u32> {
        let mut lists =
            Lists { starts: Vec::with_capacity(self.digits.len() + 1), items: Vec::new() };
        for node in 0..self.digits.len() {
            lists.starts.push(lists.items.len() as u32);
            let (digit, seen) = (self.digits[node].index(), self.sees[node]);
            for cell in self.linked_cells[digit] & seen {
                lists.items.push(self.singles_in(cell)[digit]);
            }
            let is_seen = |other: &&u32| self.cells[**other as usize].is_subset(&seen);
            lists.items.extend(self.linked_groups[digit].iter().filter(is_seen));
            if let (Some(cell), false) = (self.cells[node].only(), self.one_digit) {
                let others =
                    self.singles_in(cell).iter().enumerate().filter(|(other, _)| *other != digit);
                lists.items.extend(
                    others.map(|(_, &other)| other).filter(|&o| o != NONE && self.is_linked(o)),
                );
            }
        }
        lists.starts.push(lists.items.len() as u32);
        lists
    }

    /// Returns false if no walk from this node, assumed to be true, can reach a node that rules it
    /// out. Then no chain refutes the node.
    pub fn may_refute(&self, node: u32) -> bool {
        self.implications().may_refute(self, node)
    }

    /// Returns false if no candidate can be refuted. Then no chain of this graph removes anything.
    pub fn may_refute_any(&self) -> bool {
        (0..self.len()).any(|node| self.single(node).is_some() && self.may_refute(node))
    }

    /// Returns the consequences of every node.
    pub fn implications(&self) -> &Implications {
        self.implications.get_or_init(|| Implications::new(self))
    }

    /// Returns the candidates that see both nodes and are therefore false if one of the nodes is
    /// true.
    pub fn seen_by_both(&self, position: &Board<W>, a: u32, b: u32) -> Vec<Candidate> {
        let (first, second) = (a as usize, b as usize);
        if self.digits[first] == self.digits[second] {
            let hit = position.places(self.digits[first]) & self.sees[first] & self.sees[second];
            return Board::candidates_of(hit, self.digits[first]).collect();
        }
        let mut removes = Vec::new();
        if a == b || self.cells[first] == self.cells[second] && self.cells[first].count() == 1 {
            let cell = self.cells[first].first().expect("a node has cells");
            let others = position.at(cell).without(self.digits[first]).without(self.digits[second]);
            return others.map(|digit| Candidate::new(cell, digit)).collect();
        }
        for (one, other) in [(first, second), (second, first)] {
            // The digit of one node, in the cell of the other.
            if let Some(cell) = self.cells[other].only() {
                let candidate = Candidate::new(cell, self.digits[one]);
                if self.sees[one].contains(cell) && position.has(candidate) {
                    removes.push(candidate);
                }
            }
        }
        removes
    }

    /// Returns all consequences, link by link, of a node being true or false.
    pub fn reach(&self, start: u32, starts_true: bool) -> Reach {
        let mut reach = Reach::new(self.len());
        self.reach_again(&mut reach, start, starts_true);
        reach
    }

    /// Like [`Graph::reach`], reusing the memory of an earlier walk.
    pub fn reach_again(&self, reach: &mut Reach, start: u32, starts_true: bool) {
        self.walk(reach, start, starts_true, usize::MAX, |_| false);
    }

    /// Returns the nearest node that refutes a node, using at most `max_links` strong links.
    pub fn refute(&self, reach: &mut Reach, start: u32, max_links: usize) -> Option<u32> {
        self.walk(reach, start, true, max_links, |node| self.conflict(node, start))
    }

    /// Walks level by level until the node that became true is the one searched for.
    fn walk(
        &self,
        reach: &mut Reach,
        start: u32,
        starts_true: bool,
        max_links: usize,
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
        while next_off < reach.off.len() && links < max_links {
            links += 1;
            while next_off < reach.off.len() {
                let node = reach.off[next_off];
                next_off += 1;
                for (number, &(next, _)) in self.strong.list(node).iter().enumerate() {
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
                // A chain that returns to its start is complete.
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

    /// Returns the chain by which a node became true. It begins with the start or, if the start was
    /// assumed to be true, with the first node that this made false.
    pub fn chain_to(&self, reach: &Reach, end: u32, closed: bool) -> Chain {
        let mut nodes = Vec::new();
        let mut strong = Vec::new();
        let mut on = end;
        loop {
            let off = reach.on_from[on as usize];
            let (_, reason) = self.strong.list(off)[reach.on_link[on as usize] as usize];
            nodes.extend([self.as_node(on), self.as_node(off)]);
            strong.push(self.as_strong(reason, on));
            let before = reach.off_from[off as usize];
            if off == reach.start && !reach.starts_true
                || before == reach.start && reach.starts_true
            {
                break;
            }
            on = before;
        }
        nodes.reverse();
        strong.reverse();
        Chain { nodes, strong, closed }
    }

    /// Returns the same chain as inferences: the nodes after the start, which is assumed to be
    /// true, become false and true alternately.
    pub fn inferences_to(&self, reach: &Reach, end: u32) -> Vec<Inference> {
        let chain = self.chain_to(reach, end, false);
        let pairs = chain.nodes.chunks(2).zip(chain.strong).flat_map(|(pair, reason)| {
            let off =
                Inference { node: pair[0].clone(), holds: false, reason: InferenceReason::Seen };
            [off, Inference { node: pair[1].clone(), holds: true, reason: reason.into() }]
        });
        pairs.collect()
    }

    fn house(&self, number: usize) -> House {
        self.order.houses().nth(number).expect("house number is valid for the grid")
    }

    fn as_node(&self, node: u32) -> Node {
        Node { digit: self.digit(node), cells: self.cells(node).to_vec() }
    }

    fn as_strong(&self, reason: StrongReason, node: u32) -> Strong {
        match reason {
            StrongReason::Cell(cell) => Strong::OneOf(OneOf::Cell(cell)),
            StrongReason::House(house) => {
                Strong::OneOf(OneOf::House(self.house(usize::from(house)), self.digit(node)))
            }
            StrongReason::Als(set) => Strong::AlmostLockedSet(self.sets[set as usize].to_vec()),
        }
    }
}

impl Reach {
    /// Allocates memory for a walk in a graph with this many nodes.
    pub fn new(nodes: u32) -> Reach {
        let none = || vec![NONE; nodes as usize];
        let (on_from, on_link, off_from) = (none(), none(), none());
        Reach {
            start: NONE,
            starts_true: false,
            on_from,
            on_link,
            off_from,
            on: Vec::new(),
            off: Vec::new(),
        }
    }

    /// Clears the last walk. Only the entries that it changed are reset.
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

    /// Returns true if the node became true.
    pub fn is_on(&self, node: u32) -> bool {
        self.on_from[node as usize] != NONE
    }
}

/// One list per node, stored in a single allocation.
struct Lists<T> {
    /// Start of each list, followed by the end of the last one.
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T: Copy> Lists<T> {
    fn list(&self, node: u32) -> &[T] {
        &self.items[self.starts[node as usize] as usize..self.starts[node as usize + 1] as usize]
    }

    /// Appends each item to the list of its node and keeps the order of the items.
    fn gather(nodes: usize, items: impl Iterator<Item = (u32, T)> + Clone, filler: T) -> Lists<T> {
        let mut starts = vec![0; nodes + 2];
        // Counts are stored two positions late. Advancing each start while its list is filled
        // leaves it at the start of the next list.
        items.clone().for_each(|(node, _)| starts[node as usize + 2] += 1);
        for index in 2..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut sorted = vec![filler; starts[nodes + 1] as usize];
        for (node, item) in items {
            let next = &mut starts[node as usize + 1];
            sorted[*next as usize] = item;
            *next += 1;
        }
        starts.pop();
        Lists { starts, items: sorted }
    }
}
