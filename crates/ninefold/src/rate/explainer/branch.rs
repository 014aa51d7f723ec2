//! A branch: all consequences of one candidate being on (true) or off (false).
//!
//! ```text
//! repeat until a candidate is both on and off, which is a contradiction:
//!     if a candidate that is on has not been processed:
//!         the candidates that it excludes (its weak links) are off
//!     else if a candidate that is off has not been processed:
//!         if its cell, or its digit in a house, has one candidate left, that one is on
//!     else if nested patterns and chains find consequences:  add them
//!     else: the branch is complete, without a contradiction
//! ```
//! In a *dynamic* branch, candidates that are off are removed for later deductions. A consequence
//! may then have several *parents*, the statements that it follows from. Consequences are derived
//! in Sudoku Explainer's order, which determines the parents and therefore the length of a chain.

use super::board::Board;
use super::candidate_set::CandidateSet;
use super::links::{Cause, WeakLinks, each_gone};
use super::tables::{CANDIDATES, CELLS_OF, HOUSES_OF, SPOTS, Spot};

/// The links that a branch may use.
#[derive(Clone, Copy)]
pub(super) struct Means {
    /// Whether candidates that are off are removed for later deductions.
    pub dynamic: bool,
    /// Whether links inside cells are used. A Nishio branch follows one digit.
    pub in_cells: bool,
    /// The maximum number of useful inferences. The branch may end when only longer chains are
    /// left.
    pub bound: u32,
}

/// A chain inside another chain that proves a candidate off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NestedChain {
    /// A hash: equal for equal chains.
    pub signature: u64,
    pub complexity: u32,
}

/// A candidate of a branch and its parents.
#[derive(Clone, Copy)]
struct Node {
    candidate: u16,
    /// A lower bound for the number of inferences of a chain that ends here: the longest path to
    /// it, including nested chains.
    depth: u16,
    first_parent: u32,
    parents: u16,
    /// The number of ancestors including itself; 0 if not counted yet.
    ancestors: u16,
    /// The number of the nested chain plus one, or 0.
    nested: u16,
    cause: Cause,
}

/// A contradiction: a candidate that is both on and off.
#[derive(Clone, Copy)]
pub(super) struct Conflict {
    pub candidate: u16,
    node: Node,
}

/// The consequences of one candidate.
pub(super) struct Branch {
    pub on: CandidateSet,
    pub off: CandidateSet,
    /// In the order of deduction.
    pub ons: Vec<u16>,
    pub offs: Vec<u16>,
    pub conflict: Option<Conflict>,
    /// In the order of deduction, for memory locality.
    nodes: Vec<Node>,
    /// The node of each candidate that is on or off.
    number: Box<[u16; CANDIDATES]>,
    /// The node numbers of all parents.
    parents: Vec<u16>,
    nested: Vec<NestedChain>,
}

/// Collects the results of a search for nested implications.
pub(super) struct Implications<'a> {
    branch: &'a mut Branch,
    bound: u32,
    found: bool,
    /// Whether chains within the bound can use any of the results.
    is_useful: bool,
}

impl Branch {
    pub fn new() -> Branch {
        Branch {
            on: CandidateSet::new(),
            off: CandidateSet::new(),
            ons: Vec::new(),
            offs: Vec::new(),
            conflict: None,
            nodes: Vec::new(),
            number: Box::new([0; CANDIDATES]),
            parents: Vec::new(),
            nested: Vec::new(),
        }
    }

    /// Derives the consequences of `root` until nothing follows or a conflict is found. If plain
    /// links lead no further, `inner` searches for nested implications. It returns whether a later
    /// search could find more, even if none of the implications found so far is useful.
    pub fn follow(
        &mut self,
        (start, weak): (&Board, &WeakLinks),
        (root, is_on): (u16, bool),
        means: Means,
        inner: &mut dyn FnMut(&Board, &Board, &mut Implications<'_>) -> bool,
    ) {
        self.clear();
        let mut board = start.clone();
        self.add(root, is_on, Cause::None, 0, 0);
        let (mut next_on, mut next_off) = (0, 0);
        loop {
            if let Some(&on) = self.ons.get(next_on) {
                next_on += 1;
                if self.turn_off(on, weak.targets(on, means.in_cells)) {
                    return;
                }
            } else if let Some(&off) = self.offs.get(next_off) {
                next_off += 1;
                if self.turn_on(off, start, &mut board, means) {
                    return;
                }
            } else {
                let mut implications = Implications {
                    branch: self,
                    bound: means.bound,
                    found: false,
                    is_useful: false,
                };
                let more = inner(&board, start, &mut implications);
                if !implications.found || !(implications.is_useful || more) {
                    return;
                }
            }
        }
    }

    fn clear(&mut self) {
        self.on = CandidateSet::new();
        self.off = CandidateSet::new();
        self.ons.clear();
        self.offs.clear();
        self.conflict = None;
        self.nodes.clear();
        self.parents.clear();
        self.nested.clear();
    }

    /// Adds the candidates that `on` turns off. Returns true at a conflict.
    fn turn_off(&mut self, on: u16, weak: &[u16]) -> bool {
        let number = self.number[usize::from(on)];
        for &other in weak {
            if self.on.has(other) {
                self.parents.push(number);
                self.conflict =
                    Some(Conflict { candidate: other, node: self.node(other, Cause::None, 1, 0) });
                return true;
            }
            if !self.off.has(other) {
                self.parents.push(number);
                self.add(other, false, Cause::None, 1, 0);
            }
        }
        false
    }

    /// Adds the candidates that `off` turns on, and removes `off` from the board in a dynamic
    /// branch. Returns true at a conflict.
    fn turn_on(&mut self, off: u16, start: &Board, board: &mut Board, means: Means) -> bool {
        let (targets, count) = if means.dynamic {
            take_off(board, off, means.in_cells)
        } else {
            single_left(board, off, means.in_cells)
        };
        for &(target, cause) in &targets[..count] {
            let is_conflict = self.off.has(target);
            if is_conflict || !self.on.has(target) {
                let before = self.parents.len();
                self.parents.push(self.number[usize::from(off)]);
                if means.dynamic {
                    let (parents, number) = (&mut self.parents, &self.number);
                    each_gone(board, start, target, cause, |gone| {
                        if gone != off {
                            parents.push(number[usize::from(gone)]);
                        }
                    });
                }
                let parents = self.parents.len() - before;
                if is_conflict {
                    self.conflict = Some(Conflict {
                        candidate: target,
                        node: self.node(target, cause, parents, 0),
                    });
                    return true;
                }
                self.add(target, true, cause, parents, 0);
            }
        }
        false
    }

    /// A node whose parents are the last `parents` entries of the list.
    fn node(&self, candidate: u16, cause: Cause, parents: usize, nested: u16) -> Node {
        let first_parent = self.parents.len() - parents;
        let depths = self.parents[first_parent..]
            .iter()
            .map(|&parent| self.nodes[usize::from(parent)].depth);
        let inside = nested.checked_sub(1).map_or(0, |n| self.nested[usize::from(n)].complexity);
        // No chain is long enough to overflow.
        let depth = depths.fold(0, u16::max) + 1 + inside as u16;
        Node {
            candidate,
            depth,
            first_parent: first_parent as u32,
            parents: parents as u16,
            ancestors: 0,
            nested,
            cause,
        }
    }

    fn add(&mut self, candidate: u16, is_on: bool, cause: Cause, parents: usize, nested: u16) {
        let node = self.node(candidate, cause, parents, nested);
        self.number[usize::from(candidate)] = self.nodes.len() as u16;
        self.nodes.push(node);
        let (set, list) =
            if is_on { (&mut self.on, &mut self.ons) } else { (&mut self.off, &mut self.offs) };
        set.insert(candidate);
        list.push(candidate);
    }

    /// The candidates that are on, or those that are off.
    pub fn reached(&self, is_on: bool) -> &CandidateSet {
        if is_on { &self.on } else { &self.off }
    }

    fn node_of(&self, candidate: u16) -> &Node {
        &self.nodes[usize::from(self.number[usize::from(candidate)])]
    }

    fn parents_of(&self, node: &Node) -> &[u16] {
        let first = node.first_parent as usize;
        &self.parents[first..first + usize::from(node.parents)]
    }

    /// A lower bound for the number of inferences of a chain to a candidate, including nested
    /// chains.
    pub fn depth(&self, candidate: u16) -> u32 {
        u32::from(self.node_of(candidate).depth)
    }

    /// The number of inferences that lead to a candidate, including itself.
    pub fn ancestors(&mut self, candidate: u16) -> u32 {
        let number = usize::from(self.number[usize::from(candidate)]);
        if self.nodes[number].ancestors == 0 {
            self.nodes[number].ancestors = self.count(&self.nodes[number]) as u16;
        }
        u32::from(self.nodes[number].ancestors)
    }

    /// Like [`Self::ancestors`], for the second side of the conflict.
    pub fn ancestors_of_conflict(&self, conflict: &Conflict) -> u32 {
        self.count(&conflict.node)
    }

    fn count(&self, node: &Node) -> u32 {
        let mut seen = CandidateSet::new();
        let mut stack = [0_u16; CANDIDATES];
        let (mut top, mut count) = (0, 1);
        let mut node = node;
        loop {
            for &parent in self.parents_of(node) {
                if !seen.has(parent) {
                    seen.insert(parent);
                    count += 1;
                    stack[top] = parent;
                    top += 1;
                }
            }
            if top == 0 {
                return count;
            }
            top -= 1;
            node = &self.nodes[usize::from(stack[top])];
        }
    }

    pub fn has_nested(&self) -> bool {
        !self.nested.is_empty()
    }

    /// Calls back with the candidate, the cause and the nested chain of a node and of all its
    /// ancestors, nearest first. The node is that of `candidate` or the second side of the
    /// conflict.
    pub fn each_ancestor(
        &self,
        candidate: u16,
        of_conflict: bool,
        mut found: impl FnMut(u16, bool, Cause, Option<&NestedChain>),
    ) {
        let mut seen = CandidateSet::new();
        let mut queue = [0_u16; CANDIDATES];
        let (mut next, mut end) = (0, 0);
        let mut node = self.node_of(candidate);
        let mut is_on = self.on.has(candidate);
        if let Some(conflict) = self.conflict.as_ref().filter(|_| of_conflict) {
            node = &conflict.node;
            is_on = !is_on;
        } else {
            seen.insert(self.number[usize::from(candidate)]);
        }
        loop {
            let nested = node.nested.checked_sub(1).map(|n| &self.nested[usize::from(n)]);
            found(node.candidate, is_on, node.cause, nested);
            for &parent in self.parents_of(node) {
                if !seen.has(parent) {
                    seen.insert(parent);
                    queue[end] = parent;
                    end += 1;
                }
            }
            if next == end {
                return;
            }
            node = &self.nodes[usize::from(queue[next])];
            is_on = self.on.has(node.candidate);
            next += 1;
        }
    }
}

/// At most four candidates that are on, with their causes.
type Targets = ([(u16, Cause); 4], usize);

/// The candidates that are on if `off` is off: the last digit of its cell and the last places in
/// its houses.
fn single_left(board: &Board, off: u16, in_cells: bool) -> Targets {
    let spot = &SPOTS[usize::from(off)];
    let digits = board.digits[usize::from(spot.cell)] & !(1 << spot.digit);
    let left =
        spot.places.map(|(n, place)| board.places.as_flattened()[usize::from(n)] & !(1 << place));
    targets(spot, digits, left, in_cells)
}

/// Removes `off` from the board and returns the candidates that are then on.
fn take_off(board: &mut Board, off: u16, in_cells: bool) -> Targets {
    let spot = &SPOTS[usize::from(off)];
    let digits = &mut board.digits[usize::from(spot.cell)];
    *digits &= !(1 << spot.digit);
    let digits = *digits;
    let left = spot.places.map(|(n, place)| {
        let places = &mut board.places.as_flattened_mut()[usize::from(n)];
        *places &= !(1 << place);
        *places
    });
    targets(spot, digits, left, in_cells)
}

/// The singles among the remaining candidates of a cell and its three houses.
fn targets(spot: &Spot, digits: u16, left: [u16; 3], in_cells: bool) -> Targets {
    let mut targets = [(0, Cause::None); 4];
    let mut count = 0;
    if in_cells && is_single(digits) {
        targets[0] = (u16::from(spot.cell) * 9 + digits.trailing_zeros() as u16, Cause::Cell);
        count = 1;
    }
    for (kind, places) in left.into_iter().enumerate() {
        if is_single(places) {
            let house = usize::from(HOUSES_OF[usize::from(spot.cell)][kind].0);
            let cell = u16::from(CELLS_OF[house][places.trailing_zeros() as usize]);
            let other = cell * 9 + u16::from(spot.digit);
            if targets[..count].iter().all(|&(known, _)| known != other) {
                targets[count] = (other, Cause::House(kind as u8));
                count += 1;
            }
        }
    }
    (targets, count)
}

fn is_single(bits: u16) -> bool {
    bits != 0 && bits & (bits - 1) == 0
}

impl Implications<'_> {
    /// Whether any implication was added.
    pub fn any(&self) -> bool {
        self.found
    }

    /// Whether the candidate is already off.
    pub fn has(&self, candidate: u16) -> bool {
        self.branch.off.has(candidate)
    }

    /// Adds a nested chain from which the next candidates follow.
    pub fn add_chain(&mut self, chain: NestedChain) -> u16 {
        self.branch.nested.push(chain);
        self.branch.nested.len() as u16
    }

    /// Adds a candidate that is off because all `parents` are. `chain` is 0 or the result of
    /// [`Self::add_chain`].
    pub fn add(&mut self, candidate: u16, parents: &[u16], chain: u16) {
        if !self.branch.off.has(candidate) {
            let number = &self.branch.number;
            self.branch.parents.extend(parents.iter().map(|&parent| number[usize::from(parent)]));
            self.branch.add(candidate, false, Cause::Nested, parents.len(), chain);
            self.found = true;
            self.is_useful |= self.branch.depth(candidate) <= self.bound;
        }
    }
}
