//! A branch: everything that follows from one candidate being on, or off.
//!
//! ```text
//! on  ─▶ its weak links are off                    all that is on comes first,
//! off ─▶ a cell or house with one candidate left   then one that is off,
//!        has it on                                 then, in a nested search, the patterns and chains of inner levels
//! ```
//! In a *dynamic* branch what is off is gone for what follows, so a later link may rest on several parents. Candidates
//! follow in Sudoku Explainer's order, which decides the parents and with them the length of a chain.

use super::board::Board;
use super::candidate_set::CandidateSet;
use super::links::{Cause, WeakLinks, each_gone};
use super::tables::{CANDIDATES, CELLS_OF, HOUSES_OF, SPOTS, Spot};

/// Which links a branch may use.
#[derive(Clone, Copy)]
pub(super) struct Means {
    /// Is what is off gone for what follows?
    pub dynamic: bool,
    /// May links lie inside cells? A Nishio branch follows one digit.
    pub in_cells: bool,
    /// Chains with more inferences are of no use; the branch may end where only such chains would follow.
    pub bound: u32,
}

/// A chain that proves a candidate off inside another chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NestedChain {
    /// Equal for equal chains.
    pub signature: u64,
    pub complexity: u32,
}

/// A candidate of a branch and what it follows from.
#[derive(Clone, Copy)]
struct Node {
    candidate: u16,
    /// A lower bound on the inferences of a chain that ends here: the longest way to it, with the chains inside.
    depth: u16,
    first_parent: u32,
    parents: u16,
    /// The number of its ancestors, itself included; 0 until counted.
    ancestors: u16,
    /// 0, or one more than the number of the nested chain.
    nested: u16,
    cause: Cause,
}

/// A candidate that is on and would have to be off, or the other way round.
#[derive(Clone, Copy)]
pub(super) struct Conflict {
    pub candidate: u16,
    node: Node,
}

/// What follows from one candidate.
pub(super) struct Branch {
    pub on: CandidateSet,
    pub off: CandidateSet,
    /// In the order of deduction.
    pub ons: Vec<u16>,
    pub offs: Vec<u16>,
    pub conflict: Option<Conflict>,
    /// In the order of deduction, so that what is used together lies together.
    nodes: Vec<Node>,
    /// The node of each candidate that is on or off.
    number: Box<[u16; CANDIDATES]>,
    /// Numbers of nodes.
    parents: Vec<u16>,
    nested: Vec<NestedChain>,
}

/// Where a search for nested implications puts what it finds.
pub(super) struct Implications<'a> {
    branch: &'a mut Branch,
    bound: u32,
    found: bool,
    /// Is something among it that chains within the bound can use?
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

    /// Follows `root` on a board until nothing follows or a conflict shows. When nothing else is left, `inner` looks for
    /// nested implications and answers whether more could come without those it has found.
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
                if self.turn_off(on, weak.of(on, means.in_cells)) {
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

    /// Adds what `on` turns off; true at a conflict.
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

    /// Adds what `off` turns on, and takes it off the board in a dynamic branch; true at a conflict.
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

    /// A node whose parents are the last ones noted.
    fn node(&self, candidate: u16, cause: Cause, parents: usize, nested: u16) -> Node {
        let first_parent = self.parents.len() - parents;
        let depths = self.parents[first_parent..]
            .iter()
            .map(|&parent| self.nodes[usize::from(parent)].depth);
        let inside = nested.checked_sub(1).map_or(0, |n| self.nested[usize::from(n)].complexity);
        // No chain comes near the largest number.
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

    /// What is on, or off.
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

    /// A lower bound on the inferences of a chain to a candidate, with the chains inside it.
    pub fn depth(&self, candidate: u16) -> u32 {
        u32::from(self.node_of(candidate).depth)
    }

    /// How many inferences lead to a candidate, itself included.
    pub fn ancestors(&mut self, candidate: u16) -> u32 {
        let number = usize::from(self.number[usize::from(candidate)]);
        if self.nodes[number].ancestors == 0 {
            self.nodes[number].ancestors = self.count(&self.nodes[number]) as u16;
        }
        u32::from(self.nodes[number].ancestors)
    }

    /// The same for the second side of the conflict.
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

    /// Calls with the candidate, the cause and the nested chain of a node and all its ancestors, nearest first. The node is
    /// that of `candidate`, or the second side of the conflict.
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

/// Candidates that are on, with the cause; at most four.
type Targets = ([(u16, Cause); 4], usize);

/// What is on when `off` is off: the last digit of its cell, the last place in its houses.
fn single_left(board: &Board, off: u16, in_cells: bool) -> Targets {
    let spot = &SPOTS[usize::from(off)];
    let digits = board.digits[usize::from(spot.cell)] & !(1 << spot.digit);
    let left =
        spot.places.map(|(n, place)| board.places.as_flattened()[usize::from(n)] & !(1 << place));
    targets(spot, digits, left, in_cells)
}

/// The same, and `off` leaves the board.
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

/// Singles among what a cell and three houses have left.
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
    /// Has anything been added?
    pub fn any(&self) -> bool {
        self.found
    }

    /// Is the candidate off already?
    pub fn has(&self, candidate: u16) -> bool {
        self.branch.off.has(candidate)
    }

    /// Notes a nested chain that the next candidates follow from.
    pub fn add_chain(&mut self, chain: NestedChain) -> u16 {
        self.branch.nested.push(chain);
        self.branch.nested.len() as u16
    }

    /// Adds a candidate that is off because all `parents` are; `chain` is 0 or what [`Self::add_chain`] answered.
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
