//! Turns a plan into a proof tree: follows the singles again, this time with their reasons, and
//! then removes unnecessary statements.

use super::plan::{AllowedStatements, Plan, Statement};
use super::state::{Constraint, Contradiction, Locked, LockedBy, Mask, Observer, State};
use crate::grid::{Cell, CellSet, Digit};
use crate::logic::board::Geometry;
use crate::proof::{Candidate, Count, Ending, Inference, InferenceReason, Node, OneOf, Tree};
use std::rc::Rc;

const NO_ENTRY: u16 = u16::MAX;

/// State that stores why each candidate was removed.
#[derive(Clone)]
pub struct Trace<'a, D, const W: usize, const S: usize, const C: usize> {
    geometry: &'static Geometry<W>,
    /// Position without assumptions, before any singles were followed.
    base: &'a State<D, W, S, C>,
    state: State<D, W, S, C>,
    log: Log,
    /// Whether to use locked candidates and pairs when there are no more singles.
    with_locked: bool,
}

/// Statements in the order in which they were found, and which of them removed each candidate.
#[derive(Clone)]
struct Log {
    entries: Vec<Entry>,
    next: usize,
    following: u16,
    /// For each candidate, the statement that removed it.
    out: Vec<u16>,
    /// For each cell, the digit that was last stated for it.
    stated: Vec<u8>,
    side: usize,
    /// Statements that may be made. `None` allows all.
    allowed: Option<Rc<AllowedStatements>>,
}

/// Statement that the digit is in the cell, or in one of the cells of a group.
#[derive(Clone)]
struct Entry {
    cell: Cell,
    digit: Digit,
    group: Option<Rc<[Cell]>>,
    reason: EntryReason,
}

#[derive(Clone, Copy)]
enum EntryReason {
    Assumed,
    Last(Constraint),
    /// The cells of the group have as many digits as cells.
    Subset,
}

impl Entry {
    fn cells(&self) -> &[Cell] {
        self.group.as_deref().unwrap_or(std::slice::from_ref(&self.cell))
    }
}

/// Subtree.
struct Branch {
    tree: Tree,
    /// Which of the preceding statements it uses.
    used: Vec<bool>,
    /// Whether it uses its assumption.
    uses_assumption: bool,
}

impl Observer for Log {
    fn on_single(&mut self, cell: Cell, digit: Digit, constraint: Constraint) {
        let allowed = self.allowed.as_ref().is_none_or(|allowed| allowed.single(cell, digit));
        if allowed && self.stated[cell.index()] != digit.number() {
            self.stated[cell.index()] = digit.number();
            self.entries.push(Entry {
                cell,
                digit,
                group: None,
                reason: EntryReason::Last(constraint),
            });
        }
    }

    fn next_single(&mut self) -> Option<(Cell, Digit)> {
        let entry = self.entries.get(self.next)?;
        self.following = self.next as u16;
        self.next += 1;
        Some((entry.cell, entry.digit))
    }

    fn ruled_out(&mut self, cell: Cell, digit: Digit) {
        let slot = self.slot(cell, digit);
        self.out[slot] = self.following;
    }
}

impl Log {
    fn slot(&self, cell: Cell, digit: Digit) -> usize {
        cell.index() * self.side + digit.index()
    }
}

impl<'a, D: Mask, const W: usize, const S: usize, const C: usize> Trace<'a, D, W, S, C> {
    /// Creates a trace without assumptions.
    pub fn new(geometry: &'static Geometry<W>, base: &'a State<D, W, S, C>) -> Self {
        let side = geometry.order().side();
        let out = vec![NO_ENTRY; geometry.order().cell_count() * side];
        let stated = vec![0; geometry.order().cell_count()];
        let log = Log {
            entries: Vec::new(),
            next: 0,
            following: NO_ENTRY,
            out,
            stated,
            side,
            allowed: None,
        };
        Trace { geometry, base, state: base.clone(), log, with_locked: false }
    }

    /// Creates a trace that also uses locked candidates and pairs.
    pub fn with_locked(geometry: &'static Geometry<W>, base: &'a State<D, W, S, C>) -> Self {
        Trace { with_locked: true, ..Trace::new(geometry, base) }
    }

    /// Copies another trace into the memory of this one.
    pub fn copy(&mut self, other: &Self) {
        self.state.clone_from(&other.state);
        self.with_locked = other.with_locked;
        let (log, other) = (&mut self.log, &other.log);
        log.entries.clone_from(&other.entries);
        log.out.clone_from(&other.out);
        log.stated.clone_from(&other.stated);
        log.allowed.clone_from(&other.allowed);
        (log.next, log.following) = (other.next, other.following);
    }

    /// Adds an assumption. Returns the cell or house that has no candidate left, if there is one.
    pub fn assume(&mut self, candidate: Candidate) -> Option<Constraint> {
        let first = self.log.entries.is_empty();
        let Candidate { cell, digit } = candidate;
        self.log.entries.push(Entry { cell, digit, group: None, reason: EntryReason::Assumed });
        let mut followed = self.state.follow(self.geometry, &mut self.log);
        if first && followed.is_ok() {
            followed = self.state.settle(self.geometry, &mut self.log);
        }
        while self.with_locked && followed.is_ok() {
            let Some(locked) = self.next_locked() else { break };
            followed = self.follow_locked(&locked);
        }
        followed.err().map(|Contradiction(constraint)| constraint)
    }

    fn next_locked(&self) -> Option<Locked<W>> {
        let wanted = |digit: Digit, cells: CellSet<W>| {
            let stated = |allowed: &Rc<AllowedStatements>| {
                allowed.groups().contains(&Node { digit, cells: cells.to_vec() })
            };
            self.log.allowed.as_ref().is_none_or(stated)
        };
        self.state.locked(self.geometry, wanted)
    }

    /// States that one of the cells contains the digit and removes candidates accordingly.
    fn follow_locked(&mut self, locked: &Locked<W>) -> Result<(), Contradiction> {
        let reason = match locked.by {
            LockedBy::House(house) => EntryReason::Last(Constraint::House(house, locked.digit)),
            LockedBy::Pair => EntryReason::Subset,
        };
        let cells: Rc<[Cell]> = locked.cells.iter().collect();
        self.log.following = self.log.entries.len() as u16;
        self.log.entries.push(Entry {
            cell: cells[0],
            digit: locked.digit,
            group: Some(cells),
            reason,
        });
        self.log.next = self.log.entries.len();
        for cell in locked.targets {
            self.state.rule_out(self.geometry, cell, locked.digit, &mut self.log)?;
        }
        self.state.follow(self.geometry, &mut self.log)
    }

    /// Returns the number of statements that a contradiction depends on.
    pub fn size_of(&self, empty: Constraint) -> usize {
        let mut used = vec![false; self.log.entries.len()];
        self.mark(empty.one_of(self.geometry), self.log.entries.len(), &mut used);
        self.close(&mut used);
        used.into_iter().filter(|&used| used).count()
    }

    /// Returns the tree of a candidate that this plan refutes, or `None` if the plan does not
    /// refute it.
    pub fn tree(&self, candidate: Candidate, plan: &Plan) -> Option<Tree> {
        self.branch(candidate, plan).map(|branch| branch.tree)
    }

    /// Returns the tree of a candidate that makes all of `goals` false, which the count does not
    /// allow.
    pub fn ruling_out(&self, candidate: Candidate, goals: &[Candidate], count: &Count) -> Tree {
        let mut inside = self.clone();
        let empty = inside.assume(candidate);
        let mut used = vec![false; inside.log.entries.len()];
        let end = match empty {
            Some(constraint) => {
                let of = constraint.one_of(self.geometry);
                inside.mark(of, used.len(), &mut used);
                Ending::Nothing(of)
            }
            None => {
                for goal in goals {
                    used[usize::from(inside.log.out[inside.log.slot(goal.cell, goal.digit)])] =
                        true;
                }
                Ending::NoRoom(count.clone())
            }
        };
        inside.close(&mut used);
        let own = inside.log.entries.iter().zip(&used).skip(1);
        let inferences =
            own.filter(|(_, used)| **used).map(|(entry, _)| self.inference(entry)).collect();
        Tree { assumed: candidate, inferences, end }
    }

    /// Returns the inferences needed to derive a contradiction from these assumptions, and the
    /// contradiction.
    pub fn failure(&self, assumptions: &[Candidate]) -> Option<(Vec<Inference>, Ending)> {
        let mut inside = self.clone();
        for &Candidate { cell, digit } in assumptions {
            inside.log.entries.push(Entry {
                cell,
                digit,
                group: None,
                reason: EntryReason::Assumed,
            });
        }
        let Contradiction(constraint) =
            inside.state.follow(self.geometry, &mut inside.log).err()?;
        let of = constraint.one_of(self.geometry);
        let mut used = vec![false; inside.log.entries.len()];
        inside.mark(of, used.len(), &mut used);
        inside.close(&mut used);
        let own = inside.log.entries.iter().zip(&used).skip(assumptions.len());
        let inferences =
            own.filter(|(_, used)| **used).map(|(entry, _)| self.inference(entry)).collect();
        Some((inferences, Ending::Nothing(of)))
    }

    fn branch(&self, candidate: Candidate, plan: &Plan) -> Option<Branch> {
        let mut inside = self.clone();
        let start = self.log.entries.len();
        inside.log.allowed.clone_from(&plan.allowed);
        let empty = inside.assume(candidate);
        let mut used = vec![false; inside.log.entries.len()];
        let mut later = Vec::new();
        let end = match (empty, &plan.split) {
            (Some(constraint), _) => {
                let of = constraint.one_of(self.geometry);
                inside.mark(of, used.len(), &mut used);
                Ending::Nothing(of)
            }
            (None, None) => return None,
            (None, Some((of, plans))) => {
                let mut branches = Vec::new();
                for choice in
                    inside.members(*of).filter(|choice| inside.state.has(choice.cell, choice.digit))
                {
                    let (_, plan) = plans.iter().find(|(planned, _)| *planned == choice)?;
                    branches.push(inside.branch(choice, plan)?);
                }
                match branches.iter().position(|branch| !branch.uses_assumption) {
                    // A choice that fails without being assumed fails here already, so no split is
                    // needed.
                    Some(index) => {
                        let branch = branches.swap_remove(index);
                        used.copy_from_slice(&branch.used);
                        later = branch.tree.inferences;
                        branch.tree.end
                    }
                    None => {
                        inside.mark(*of, used.len(), &mut used);
                        for branch in &branches {
                            used.iter_mut()
                                .zip(&branch.used)
                                .for_each(|(used, needed)| *used |= needed);
                        }
                        Ending::Split(*of, branches.into_iter().map(|branch| branch.tree).collect())
                    }
                }
            }
        };
        inside.close(&mut used);
        let own = inside.log.entries[start + 1..].iter().zip(&used[start + 1..]);
        let mut inferences: Vec<Inference> =
            own.filter(|(_, used)| **used).map(|(e, _)| self.inference(e)).collect();
        inferences.append(&mut later);
        let uses_assumption = used[start];
        used.truncate(start);
        Some(Branch { tree: Tree { assumed: candidate, inferences, end }, used, uses_assumption })
    }

    fn inference(&self, entry: &Entry) -> Inference {
        let cells = entry.cells().to_vec();
        let reason = match entry.reason {
            EntryReason::Assumed => InferenceReason::Assumed,
            EntryReason::Last(constraint) => {
                InferenceReason::LastIn(constraint.one_of(self.geometry))
            }
            EntryReason::Subset => InferenceReason::LockedIn(cells.clone()),
        };
        Inference { node: Node { digit: entry.digit, cells }, holds: true, reason }
    }

    /// Returns the candidates of a cell or a house in the position without assumptions.
    fn members(&self, of: OneOf) -> impl Iterator<Item = Candidate> + use<'a, D, W, S, C> {
        let (cells, digits) = self.geometry.cells_and_digits(of);
        let base = self.base;
        let all = cells
            .into_iter()
            .flat_map(move |cell| digits.map(move |digit| Candidate::new(cell, digit)));
        all.filter(move |candidate| base.has(candidate.cell, candidate.digit))
    }

    /// Marks the statements before index `before` that removed members of `of`.
    fn mark(&self, of: OneOf, before: usize, used: &mut [bool]) {
        for member in self.members(of) {
            let by = self.log.out[self.log.slot(member.cell, member.digit)];
            if by != NO_ENTRY && usize::from(by) < before {
                used[usize::from(by)] = true;
            }
        }
    }

    /// Marks all statements that the marked ones depend on.
    fn close(&self, used: &mut [bool]) {
        for index in (0..used.len()).rev().filter(|&index| index < self.log.entries.len()) {
            if !used[index] {
                continue;
            }
            let entry = &self.log.entries[index];
            match entry.reason {
                EntryReason::Assumed => {}
                EntryReason::Last(constraint) => {
                    self.mark(constraint.one_of(self.geometry), index, used)
                }
                EntryReason::Subset => {
                    entry.cells().iter().for_each(|&cell| self.mark(OneOf::Cell(cell), index, used))
                }
            }
        }
    }
}

/// Removes unnecessary statements, one at a time, as long as the tree still leads to
/// contradictions.
pub fn shortened<D: Mask, const W: usize, const S: usize, const C: usize>(
    geometry: &'static Geometry<W>,
    base: &State<D, W, S, C>,
    tree: Tree,
) -> Tree {
    let side = geometry.order().side();
    let has_groups = Statement::all(&tree).iter().any(Statement::is_group);
    let trace =
        if has_groups { Trace::with_locked(geometry, base) } else { Trace::new(geometry, base) };
    let mut best = tree;
    let mut search: Vec<Statement> = Vec::new();
    loop {
        let stated = Statement::all(&best);
        let Some(next) = stated.into_iter().find(|statement| !search.contains(statement)) else {
            return best;
        };
        let shorter = trace.tree(best.assumed, &Plan::without(&best, &next, side));
        match shorter.filter(|shorter| shorter.statements() < best.statements()) {
            Some(shorter) => best = shorter,
            None => search.push(next),
        }
    }
}
