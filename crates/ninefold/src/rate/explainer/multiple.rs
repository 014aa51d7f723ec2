//! Nishio, cell and region forcing chains, static and dynamic, and dynamic chains with nested
//! chains.
//!
//! For each cell in reading order and each of its digits, the search derives two branches: one with
//! the candidate on (true) and one with it off (false). There are four sources of hints, used in
//! this order:
//!
//! 1. a branch with a contradiction
//! 2. common consequences of both branches of the candidate
//! 3. common consequences of the digit being in each of its places in a house
//! 4. common consequences of the cell having each of its digits
//!
//! The hint with the fewest inferences is used.

use super::board::Board;
use super::branch::{Branch, Conflict, Means};
use super::candidate_set::CandidateSet;
use super::chain::{Fingerprint, Inner, Preference};
use super::hint::{Hint, Technique};
use super::links::{Cause, WeakLinks, each_gone};
use super::nested::Rules;
use super::tables::{CANDIDATES, CELLS_OF, HOUSES_OF, cells, count, ones};
use crate::limits::{Deadline, StopReason};

/// The kind of chains to search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    /// Dynamic chains of one digit.
    Nishio,
    /// Static chains from all candidates of a cell or all places of a house.
    Multiple,
    /// Dynamic chains. Levels above 0 use nested patterns and chains.
    Dynamic(u8),
}

impl Kind {
    fn is_dynamic(self) -> bool {
        self != Kind::Multiple
    }

    /// The rating of the shortest chains.
    pub fn base_rating(self) -> f64 {
        match self {
            Kind::Nishio => 7.5,
            Kind::Multiple => 8.0,
            Kind::Dynamic(level) => 8.5 + 0.5 * f64::from(level),
        }
    }
}

/// The branches that lead to a hint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    /// The candidate being on (or off) leads to a contradiction.
    Contradiction(u16, bool),
    /// Both branches of a candidate.
    Double(u16),
    Cell(u8),
    /// A digit in a house.
    Region(u8, u8),
}

impl Source {
    /// The program's order of preference among chains of equal length.
    fn kind(self) -> u8 {
        match self {
            Source::Double(_) => 1,
            Source::Cell(_) => 5,
            Source::Region(..) => 6,
            Source::Contradiction(..) => 7,
        }
    }
}

/// A hint in internal form.
#[derive(Clone, Copy)]
struct Found {
    source: Source,
    target: u16,
    is_on: bool,
    complexity: u32,
    cell: u8,
    digits: u16,
}

/// The search for one kind of chains, with its caches.
pub(super) struct Search<'a> {
    kind: Kind,
    weak: WeakLinks,
    on: Vec<Option<Box<Branch>>>,
    off: Vec<Option<Box<Branch>>>,
    #[allow(
        clippy::vec_box,
        reason = "branches are large and move between this list and the two above as they are"
    )]
    spare: Vec<Box<Branch>>,
    rules: Rules<'a>,
    found: Vec<Found>,
    best_only: bool,
    deadline: Deadline<'a>,
    stopped: Option<StopReason>,
}

impl<'a> Search<'a> {
    pub fn new(kind: Kind, deadline: Deadline<'a>) -> Search<'a> {
        let level = if let Kind::Dynamic(level) = kind { level } else { 0 };
        Search {
            kind,
            weak: WeakLinks::new(),
            on: (0..CANDIDATES).map(|_| None).collect(),
            off: (0..CANDIDATES).map(|_| None).collect(),
            spare: Vec::new(),
            rules: Rules::new(level, deadline),
            found: Vec::new(),
            best_only: true,
            deadline,
            stopped: None,
        }
    }

    /// The best hint of this kind of chains, or the limit that ended the search. Levels of dynamic
    /// chains should share one search, because it caches nested chains.
    pub fn best(&mut self, kind: Kind, board: &Board) -> Result<Option<Hint>, StopReason> {
        self.kind = kind;
        self.rules.set_level(if let Kind::Dynamic(level) = kind { level } else { 0 });
        self.best_only = true;
        self.all_cells(board);
        self.stopped.map_or(Ok(()), Err)?;
        Ok(self.found.first().copied().map(|found| self.hint(&found)))
    }

    /// All chains inside an outer chain that began at `start`, the best first. Of chains with the
    /// same removals, only the best is returned.
    pub fn all_inner(&mut self, board: &Board, start: &Board) -> Vec<Inner> {
        self.best_only = false;
        self.all_cells(board);
        let mut found = std::mem::take(&mut self.found);
        found.sort_by_key(|found| (found.complexity, found.source.kind()));
        let mut known = std::collections::HashSet::new();
        found.retain(|found| known.insert((found.cell, found.digits)));
        let inner = found.iter().map(|found| self.inner(found, board, start)).collect();
        self.found = found;
        inner
    }

    pub fn kind(&self) -> Kind {
        self.kind
    }

    pub fn stopped(&self) -> Option<StopReason> {
        self.stopped
    }

    fn all_cells(&mut self, board: &Board) {
        self.found.clear();
        self.weak.read(board);
        self.forget_branches();
        let fewest = if self.kind.is_dynamic() { 2 } else { 3 };
        for cell in cells(board.empty).filter(|&cell| count(board.digits[cell]) >= fewest) {
            self.stopped = self.stopped.or_else(|| self.deadline.reached());
            if self.stopped.is_some() {
                return;
            }
            for digit in ones(board.digits[cell]) {
                self.binary(board, cell, digit);
                if self.kind != Kind::Nishio {
                    self.regions(board, cell, digit);
                }
            }
            if self.kind != Kind::Nishio {
                let roots: Vec<u16> =
                    ones(board.digits[cell]).map(|digit| (cell * 9 + digit) as u16).collect();
                self.shared(board, Source::Cell(cell as u8), &roots);
            }
        }
    }

    fn forget_branches(&mut self) {
        for branch in self.on.iter_mut().chain(&mut self.off) {
            self.spare.extend(branch.take());
        }
    }

    /// Derives the branch of a candidate unless that has been done.
    fn follow(&mut self, board: &Board, root: u16, is_on: bool) {
        let branches = if is_on { &mut self.on } else { &mut self.off };
        if branches[usize::from(root)].is_some() {
            return;
        }
        let mut branch = self.spare.pop().unwrap_or_else(|| Box::new(Branch::new()));
        let best = self.found.first().filter(|_| self.best_only);
        let bound = best.map_or(u32::MAX, |best| best.complexity);
        let means =
            Means { dynamic: self.kind.is_dynamic(), in_cells: self.kind != Kind::Nishio, bound };
        let rules = &mut self.rules;
        branch.follow(
            (board, &self.weak),
            (root, is_on),
            means,
            &mut |now, start, implications| rules.imply(now, start, implications),
        );
        self.stopped = self.stopped.or(self.rules.stopped());
        branches[usize::from(root)] = Some(branch);
    }

    fn branch(&mut self, root: u16, is_on: bool) -> &mut Branch {
        let branches = if is_on { &mut self.on } else { &mut self.off };
        branches[usize::from(root)].as_mut().expect("the branch was derived")
    }

    /// Uses both branches of a candidate: contradictions and common consequences.
    fn binary(&mut self, board: &Board, cell: usize, digit: usize) {
        let root = (cell * 9 + digit) as u16;
        self.follow(board, root, true);
        if !self.kind.is_dynamic() {
            return;
        }
        self.contradiction(board, root, true);
        self.follow(board, root, false);
        self.contradiction(board, root, false);
        if count(board.digits[cell]) >= 3 && self.kind != Kind::Nishio {
            for is_on in [true, false] {
                let mut both = *self.branch(root, true).reached(is_on);
                both.keep_only(self.branch(root, false).reached(is_on));
                self.add_all(board, Source::Double(root), &both, is_on);
            }
        }
        if self.best_only
            && let Some(branch) = self.off[usize::from(root)].take()
        {
            self.spare.push(branch);
        }
    }

    fn contradiction(&mut self, board: &Board, root: u16, is_on: bool) {
        let Some(conflict) = self.branch(root, is_on).conflict else { return };
        let cell = usize::from(root / 9);
        let digit = 1 << (root % 9);
        let digits = if is_on { digit } else { board.digits[cell] & !digit };
        if digits == 0 {
            return;
        }
        let source = Source::Contradiction(root, is_on);
        let complexity = self.complexity_of_conflict(root, is_on, &conflict);
        self.add(Found {
            source,
            target: root,
            is_on: !is_on,
            complexity,
            cell: cell as u8,
            digits,
        });
    }

    /// Uses the common consequences of all places of a digit, in the houses whose first place is
    /// this cell.
    fn regions(&mut self, board: &Board, cell: usize, digit: usize) {
        for (house, place) in HOUSES_OF[cell] {
            let places = board.places[usize::from(house)][digit];
            if count(places) < 2 || places.trailing_zeros() != u32::from(place) {
                continue;
            }
            let root_at =
                |place: usize| u16::from(CELLS_OF[usize::from(house)][place]) * 9 + digit as u16;
            let roots: Vec<u16> = ones(places).map(root_at).collect();
            self.shared(board, Source::Region(house, digit as u8), &roots);
        }
    }

    /// Adds hints for the common consequences of the branches of all roots.
    fn shared(&mut self, board: &Board, source: Source, roots: &[u16]) {
        roots.iter().for_each(|&root| self.follow(board, root, true));
        for is_on in [true, false] {
            let mut all = *self.branch(roots[0], true).reached(is_on);
            for &root in &roots[1..] {
                all.keep_only(self.branch(root, true).reached(is_on));
            }
            self.add_all(board, source, &all, is_on);
        }
    }

    /// Adds a hint for each of these targets, in the order in which the first branch reached them.
    fn add_all(&mut self, board: &Board, source: Source, targets: &CandidateSet, is_on: bool) {
        if targets.is_empty() {
            return;
        }
        let (roots, count) = roots_of(source, board);
        let first = self.branch(roots[0].0, roots[0].1);
        let order: Vec<u16> = (if is_on { &first.ons } else { &first.offs })
            .iter()
            .copied()
            .filter(|&target| targets.has(target))
            .collect();
        for target in order {
            let (cell, digit) = (usize::from(target / 9), 1 << (target % 9));
            let digits = if is_on { board.digits[cell] & !digit } else { digit };
            if digits == 0 {
                continue;
            }
            let bound = self.bound(source.kind());
            let least: u32 = roots[..count]
                .iter()
                .map(|&(root, is_on)| self.branch(root, is_on).depth(target))
                .sum();
            if least > bound {
                continue;
            }
            let mut complexity: u32 = roots[..count]
                .iter()
                .map(|&(root, is_on)| self.branch(root, is_on).ancestors(target))
                .sum();
            if complexity <= bound {
                complexity += self.nested_complexity(&roots[..count], target);
                self.add(Found { source, target, is_on, complexity, cell: cell as u8, digits });
            }
        }
    }

    /// The maximum number of inferences of a chain that can be the best one.
    fn bound(&self, kind: u8) -> u32 {
        match self.found.first().filter(|_| self.best_only) {
            None => u32::MAX,
            Some(best) if kind < best.source.kind() => best.complexity,
            Some(best) => best.complexity - 1,
        }
    }

    fn add(&mut self, found: Found) {
        if !self.best_only {
            self.found.push(found);
        } else if found.complexity <= self.bound(found.source.kind()) {
            self.found.clear();
            self.found.push(found);
        }
    }

    fn complexity_of_conflict(&mut self, root: u16, is_on: bool, conflict: &Conflict) -> u32 {
        let branch = self.branch(root, is_on);
        let flat = branch.ancestors(conflict.candidate) + branch.ancestors_of_conflict(conflict);
        if !branch.has_nested() {
            return flat;
        }
        let mut nested = Vec::new();
        for of_conflict in [false, true] {
            branch.each_ancestor(conflict.candidate, of_conflict, |_, _, _, chain| {
                nested.extend(chain.copied())
            });
        }
        flat + sum_of_distinct(nested)
    }

    /// The number of inferences of all nested chains in the chains from these roots to the target.
    /// Equal chains are counted once.
    fn nested_complexity(&mut self, roots: &[(u16, bool)], target: u16) -> u32 {
        let mut nested = Vec::new();
        for &(root, is_on) in roots {
            let branch = self.branch(root, is_on);
            if branch.has_nested() {
                branch.each_ancestor(target, false, |_, _, _, chain| nested.extend(chain.copied()));
            }
        }
        sum_of_distinct(nested)
    }

    fn hint(&self, found: &Found) -> Hint {
        let technique = match (self.kind, found.source) {
            (Kind::Nishio, _) => Technique::Nishio,
            (Kind::Multiple, Source::Cell(_)) => Technique::CellForcing,
            (Kind::Multiple, _) => Technique::RegionForcing,
            (Kind::Dynamic(level), Source::Cell(_)) => Technique::DynamicCellForcing(level),
            (Kind::Dynamic(level), Source::Region(..)) => Technique::DynamicRegionForcing(level),
            (Kind::Dynamic(level), Source::Contradiction(..)) => {
                Technique::DynamicContradiction(level)
            }
            (Kind::Dynamic(level), Source::Double(_)) => Technique::DynamicDouble(level),
        };
        let places =
            found.is_on.then_some((usize::from(found.target / 9), usize::from(found.target % 9)));
        let removes = vec![(usize::from(found.cell), found.digits)];
        Hint { technique, rating: self.preference(found).rating, removes, places }
    }

    fn preference(&self, found: &Found) -> Preference {
        Preference::new(self.kind.base_rating(), found.complexity, found.source.kind())
    }

    /// Converts a hint to a chain inside an outer chain that began at `start`.
    fn inner(&mut self, found: &Found, board: &Board, start: &Board) -> Inner {
        let assumption = match found.source {
            Source::Cell(_) => Cause::Cell,
            Source::Region(house, _) => Cause::House(house / 9),
            Source::Contradiction(..) | Source::Double(_) => Cause::None,
        };
        let mut parents = Vec::new();
        let mut seen = CandidateSet::new();
        let mut signature = Fingerprint::new();
        let mut visit = |branch: &Branch, target: u16, of_conflict: bool| {
            signature.add(u64::MAX);
            branch.each_ancestor(target, of_conflict, |candidate, is_on, cause, _| {
                signature.add_potential(candidate, is_on);
                let cause = if cause == Cause::None { assumption } else { cause };
                if is_on {
                    each_gone(board, start, candidate, cause, |gone| {
                        if !seen.has(gone) {
                            seen.insert(gone);
                            parents.push(gone);
                        }
                    });
                }
            });
        };
        if let Source::Contradiction(root, is_on) = found.source {
            let branch = self.branch(root, is_on);
            let candidate = branch.conflict.expect("the branch has a conflict").candidate;
            // The side that is on comes first.
            for of_conflict in [branch.off.has(candidate), branch.on.has(candidate)] {
                visit(branch, candidate, of_conflict);
            }
        } else {
            let (roots, count) = roots_of(found.source, board);
            for &(root, is_on) in &roots[..count] {
                visit(self.branch(root, is_on), found.target, false);
            }
        }
        let signature = signature.value();
        Inner {
            preference: self.preference(found),
            removes: vec![(found.cell, found.digits)],
            parents,
            signature,
        }
    }
}

/// The roots of the branches of a hint: candidates, and whether they are on.
fn roots_of(source: Source, board: &Board) -> ([(u16, bool); 9], usize) {
    let mut roots = [(0, true); 9];
    let mut count = 0;
    let mut add = |root: u16, is_on: bool| {
        roots[count] = (root, is_on);
        count += 1;
    };
    match source {
        Source::Contradiction(root, is_on) => add(root, is_on),
        Source::Double(root) => {
            add(root, true);
            add(root, false);
        }
        Source::Cell(cell) => {
            ones(board.digits[usize::from(cell)])
                .for_each(|digit| add(u16::from(cell) * 9 + digit as u16, true));
        }
        Source::Region(house, digit) => ones(board.places[usize::from(house)][usize::from(digit)])
            .for_each(|place| {
                add(u16::from(CELLS_OF[usize::from(house)][place]) * 9 + u16::from(digit), true)
            }),
    }
    (roots, count)
}

fn sum_of_distinct(mut chains: Vec<super::branch::NestedChain>) -> u32 {
    chains.sort_unstable_by_key(|chain| chain.signature);
    chains.dedup_by_key(|chain| chain.signature);
    chains.iter().map(|chain| chain.complexity).sum()
}
