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
use super::tables::{CANDIDATES, CELLS_OF, HOUSES_OF};

/// Which links a branch may use.
#[derive(Clone, Copy)]
pub(super) struct Means {
    /// Is what is off gone for what follows?
    pub dynamic: bool,
    /// May links lie inside cells? A Nishio branch follows one digit.
    pub in_cells: bool,
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
    first_parent: u32,
    parents: u16,
    /// A lower bound on the number of its ancestors: the longest way to it.
    depth: u16,
    /// The number of its ancestors, itself included; 0 until counted.
    ancestors: u16,
    cause: Cause,
    /// 0, or one more than the number of the nested chain.
    nested: u16,
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
    nodes: Box<[Node; CANDIDATES]>,
    parents: Vec<u16>,
    nested: Vec<NestedChain>,
}

/// Where a search for nested implications puts what it finds.
pub(super) struct Implications<'a> {
    branch: &'a mut Branch,
    found: bool,
}

impl Branch {
    pub fn new() -> Branch {
        let node = Node { first_parent: 0, parents: 0, depth: 0, ancestors: 0, cause: Cause::None, nested: 0 };
        Branch {
            on: CandidateSet::new(),
            off: CandidateSet::new(),
            ons: Vec::new(),
            offs: Vec::new(),
            conflict: None,
            nodes: Box::new([node; CANDIDATES]),
            parents: Vec::new(),
            nested: Vec::new(),
        }
    }

    /// Follows `root` on a board until nothing follows or a conflict shows. `inner` looks for nested implications when
    /// nothing else is left.
    pub fn follow(
        &mut self,
        (start, weak): (&Board, &WeakLinks),
        (root, is_on): (u16, bool),
        means: Means,
        inner: &mut dyn FnMut(&Board, &Board, &mut Implications<'_>),
    ) {
        self.clear();
        let mut board = start.clone();
        if is_on {
            self.add_on(root, Cause::None, 0);
        } else {
            self.add_off(root, Cause::None, 0, 0);
        }
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
                let mut implications = Implications { branch: self, found: false };
                inner(&board, start, &mut implications);
                if !implications.found {
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
        self.parents.clear();
        self.nested.clear();
    }

    /// Adds what `on` turns off; true at a conflict.
    fn turn_off(&mut self, on: u16, weak: &[u16]) -> bool {
        for &other in weak {
            if self.on.has(other) {
                self.parents.push(on);
                self.conflict = Some(Conflict { candidate: other, node: self.node(Cause::None, 1, 0) });
                return true;
            }
            if !self.off.has(other) {
                self.parents.push(on);
                self.add_off(other, Cause::None, 1, 0);
            }
        }
        false
    }

    /// Adds what `off` turns on, and takes it off the board in a dynamic branch; true at a conflict.
    fn turn_on(&mut self, off: u16, start: &Board, board: &mut Board, means: Means) -> bool {
        let (cell, digit) = (usize::from(off / 9), usize::from(off % 9));
        let mut targets = [(0, Cause::None); 4];
        let mut count = 0;
        if means.in_cells {
            let others = board.digits[cell] & !(1 << digit);
            if others.is_power_of_two() {
                targets[0] = ((cell * 9) as u16 + others.trailing_zeros() as u16, Cause::Cell);
                count = 1;
            }
        }
        for kind in 0..3 {
            let (house, place) = HOUSES_OF[cell][kind];
            let others = board.places[usize::from(house)][digit] & !(1 << place);
            if others.is_power_of_two() {
                let other =
                    u16::from(CELLS_OF[usize::from(house)][others.trailing_zeros() as usize]) * 9 + digit as u16;
                if targets[..count].iter().all(|&(known, _)| known != other) {
                    targets[count] = (other, Cause::House(kind as u8));
                    count += 1;
                }
            }
        }
        if means.dynamic {
            board.remove(cell, digit);
        }
        for &(target, cause) in &targets[..count] {
            let is_conflict = self.off.has(target);
            if is_conflict || !self.on.has(target) {
                let before = self.parents.len();
                self.parents.push(off);
                if means.dynamic {
                    let parents = &mut self.parents;
                    each_gone(board, start, target, cause, |gone| {
                        if gone != off {
                            parents.push(gone);
                        }
                    });
                }
                let parents = self.parents.len() - before;
                if is_conflict {
                    self.conflict = Some(Conflict { candidate: target, node: self.node(cause, parents, 0) });
                    return true;
                }
                self.add_on(target, cause, parents);
            }
        }
        false
    }

    /// A node whose parents are the last ones noted.
    fn node(&self, cause: Cause, parents: usize, nested: u16) -> Node {
        let first_parent = self.parents.len() - parents;
        let depths = self.parents[first_parent..].iter().map(|&parent| self.nodes[usize::from(parent)].depth);
        let depth = depths.max().unwrap_or(0) + 1;
        Node { first_parent: first_parent as u32, parents: parents as u16, depth, ancestors: 0, cause, nested }
    }

    fn add_on(&mut self, candidate: u16, cause: Cause, parents: usize) {
        self.nodes[usize::from(candidate)] = self.node(cause, parents, 0);
        self.on.insert(candidate);
        self.ons.push(candidate);
    }

    fn add_off(&mut self, candidate: u16, cause: Cause, parents: usize, nested: u16) {
        self.nodes[usize::from(candidate)] = self.node(cause, parents, nested);
        self.off.insert(candidate);
        self.offs.push(candidate);
    }

    /// What is on, or off.
    pub fn reached(&self, is_on: bool) -> CandidateSet {
        if is_on { self.on } else { self.off }
    }

    fn parents_of(&self, node: &Node) -> &[u16] {
        let first = node.first_parent as usize;
        &self.parents[first..first + usize::from(node.parents)]
    }

    /// A lower bound on [`Self::ancestors`] of a candidate.
    pub fn depth(&self, candidate: u16) -> u32 {
        u32::from(self.nodes[usize::from(candidate)].depth)
    }

    /// How many inferences lead to a candidate, itself included.
    pub fn ancestors(&mut self, candidate: u16) -> u32 {
        let known = self.nodes[usize::from(candidate)].ancestors;
        if known > 0 {
            return u32::from(known);
        }
        let count = self.count(&self.nodes[usize::from(candidate)]);
        self.nodes[usize::from(candidate)].ancestors = count as u16;
        count
    }

    /// The same for the second side of the conflict.
    pub fn ancestors_of_conflict(&self, conflict: &Conflict) -> u32 {
        self.count(&conflict.node)
    }

    fn count(&self, node: &Node) -> u32 {
        let mut seen = CandidateSet::new();
        let mut stack: Vec<u16> = Vec::with_capacity(64);
        let mut count = 1;
        let mut add = |candidates: &[u16], stack: &mut Vec<u16>| {
            for &candidate in candidates {
                if !seen.has(candidate) {
                    seen.insert(candidate);
                    count += 1;
                    stack.push(candidate);
                }
            }
        };
        add(self.parents_of(node), &mut stack);
        while let Some(candidate) = stack.pop() {
            add(self.parents_of(&self.nodes[usize::from(candidate)]), &mut stack);
        }
        count
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
        let mut queue: Vec<u16> = Vec::with_capacity(64);
        let mut visit = |candidate: u16, is_on: bool, node: &Node, queue: &mut Vec<u16>, seen: &mut CandidateSet| {
            let nested = node.nested.checked_sub(1).map(|n| &self.nested[usize::from(n)]);
            found(candidate, is_on, node.cause, nested);
            for &parent in self.parents_of(node) {
                if !seen.has(parent) {
                    seen.insert(parent);
                    queue.push(parent);
                }
            }
        };
        let is_on = self.on.has(candidate) != of_conflict;
        match self.conflict.as_ref().filter(|_| of_conflict) {
            Some(conflict) => visit(candidate, is_on, &conflict.node, &mut queue, &mut seen),
            None => {
                seen.insert(candidate);
                visit(candidate, is_on, &self.nodes[usize::from(candidate)], &mut queue, &mut seen);
            }
        }
        let mut next = 0;
        while next < queue.len() {
            let candidate = queue[next];
            next += 1;
            visit(candidate, self.on.has(candidate), &self.nodes[usize::from(candidate)], &mut queue, &mut seen);
        }
    }
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
            self.branch.parents.extend_from_slice(parents);
            self.branch.add_off(candidate, Cause::Nested, parents.len(), chain);
            self.found = true;
        }
    }
}
