//! The same singles with their reasons: this is where we turn a plan into a tree, and make the tree short.

use super::plan::{Allowed, Plan, Statement};
use super::state::{Empty, Locked, LockedBy, Mask, Room, State, Witness};
use crate::grid::{Cell, CellSet, Digit};
use crate::logic::board::Geometry;
use crate::proof::{Candidate, Count, Ending, Inference, Node, OneOf, Tree, Why};
use std::rc::Rc;

const NOBODY: u16 = u16::MAX;

/// A state that remembers why each candidate of the position went.
#[derive(Clone)]
pub struct Trace<'a, D, const W: usize, const S: usize, const C: usize> {
    geometry: &'static Geometry<W>,
    /// The position without any supposition, nothing followed.
    base: &'a State<D, W, S, C>,
    state: State<D, W, S, C>,
    log: Log,
    /// Are locked candidates and pairs used where singles stop?
    rich: bool,
}

/// True statements in the order in which they were found, and which of them rules out what.
#[derive(Clone)]
struct Log {
    entries: Vec<Entry>,
    next: usize,
    following: u16,
    /// For each candidate the statement that rules it out.
    out: Vec<u16>,
    /// For each cell the digit that was stated of it last.
    stated: Vec<u8>,
    side: usize,
    /// Only these statements may be made; any if there is no list.
    allowed: Option<Rc<Allowed>>,
}

/// One true statement: the digit is in the cell, or in one of the cells of a group.
#[derive(Clone)]
struct Entry {
    cell: Cell,
    digit: Digit,
    group: Option<Rc<[Cell]>>,
    why: Reason,
}

#[derive(Clone, Copy)]
enum Reason {
    Supposed,
    Last(Room),
    /// The cells of the group have only as many digits.
    Subset,
}

impl Entry {
    fn cells(&self) -> &[Cell] {
        self.group.as_deref().unwrap_or(std::slice::from_ref(&self.cell))
    }
}

/// A tree inside another one.
struct Branch {
    tree: Tree,
    /// Which of the statements before it it rests on.
    used: Vec<bool>,
    /// Does it rest on what it supposes?
    needs_it: bool,
}

impl Witness for Log {
    fn found(&mut self, cell: Cell, digit: Digit, in_room: Room) {
        let allowed = self.allowed.as_ref().is_none_or(|allowed| allowed.single(cell, digit));
        if allowed && self.stated[cell.index()] != digit.number() {
            self.stated[cell.index()] = digit.number();
            self.entries.push(Entry { cell, digit, group: None, why: Reason::Last(in_room) });
        }
    }

    fn next(&mut self) -> Option<(Cell, Digit)> {
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
    /// The position without any supposition.
    pub fn new(geometry: &'static Geometry<W>, base: &'a State<D, W, S, C>) -> Self {
        let side = geometry.order().side();
        let out = vec![NOBODY; geometry.order().cell_count() * side];
        let stated = vec![0; geometry.order().cell_count()];
        let log = Log {
            entries: Vec::new(),
            next: 0,
            following: NOBODY,
            out,
            stated,
            side,
            allowed: None,
        };
        Trace { geometry, base, state: base.clone(), log, rich: false }
    }

    /// The same with locked candidates and pairs.
    pub fn rich(geometry: &'static Geometry<W>, base: &'a State<D, W, S, C>) -> Self {
        Trace { rich: true, ..Trace::new(geometry, base) }
    }

    /// Becomes a copy of another trace and keeps its own memory.
    pub fn copy(&mut self, other: &Self) {
        self.state.clone_from(&other.state);
        self.rich = other.rich;
        let (log, other) = (&mut self.log, &other.log);
        log.entries.clone_from(&other.entries);
        log.out.clone_from(&other.out);
        log.stated.clone_from(&other.stated);
        log.allowed.clone_from(&other.allowed);
        (log.next, log.following) = (other.next, other.following);
    }

    /// Supposes one more candidate; the answer is where nothing is left.
    pub fn suppose(&mut self, candidate: Candidate) -> Option<Room> {
        let first = self.log.entries.is_empty();
        let Candidate { cell, digit } = candidate;
        self.log.entries.push(Entry { cell, digit, group: None, why: Reason::Supposed });
        let mut followed = self.state.follow(self.geometry, &mut self.log);
        if first && followed.is_ok() {
            followed = self.state.settle(self.geometry, &mut self.log);
        }
        while self.rich && followed.is_ok() {
            let Some(locked) = self.next_locked() else { break };
            followed = self.follow_locked(&locked);
        }
        followed.err().map(|Empty(room)| room)
    }

    fn next_locked(&self) -> Option<Locked<W>> {
        let wanted = |digit: Digit, cells: CellSet<W>| {
            let stated = |allowed: &Rc<Allowed>| {
                allowed.groups().contains(&Node { digit, cells: cells.to_vec() })
            };
            self.log.allowed.as_ref().is_none_or(stated)
        };
        self.state.locked(self.geometry, wanted)
    }

    /// States that one of the cells holds the digit; it follows at once what it rules out.
    fn follow_locked(&mut self, locked: &Locked<W>) -> Result<(), Empty> {
        let why = match locked.by {
            LockedBy::House(house) => Reason::Last(Room::House(house, locked.digit)),
            LockedBy::Pair => Reason::Subset,
        };
        let cells: Rc<[Cell]> = locked.cells.iter().collect();
        self.log.following = self.log.entries.len() as u16;
        self.log.entries.push(Entry {
            cell: cells[0],
            digit: locked.digit,
            group: Some(cells),
            why,
        });
        self.log.next = self.log.entries.len();
        for cell in locked.targets {
            self.state.rule_out(self.geometry, cell, locked.digit, &mut self.log)?;
        }
        self.state.follow(self.geometry, &mut self.log)
    }

    /// How many statements a contradiction rests on.
    pub fn size_of(&self, empty: Room) -> usize {
        let mut used = vec![false; self.log.entries.len()];
        self.mark(empty.one_of(self.geometry), self.log.entries.len(), &mut used);
        self.close(&mut used);
        used.into_iter().filter(|&used| used).count()
    }

    /// The tree of a candidate that is refuted by this plan; nothing if the plan does not hold.
    pub fn tree(&self, candidate: Candidate, plan: &Plan) -> Option<Tree> {
        self.branch(candidate, plan).map(|branch| branch.tree)
    }

    /// The tree of a candidate that leads to all of these being false, which the count does not allow.
    pub fn ruling_out(&self, candidate: Candidate, goals: &[Candidate], count: &Count) -> Tree {
        let mut inside = self.clone();
        let empty = inside.suppose(candidate);
        let mut used = vec![false; inside.log.entries.len()];
        let end = match empty {
            Some(room) => {
                let of = room.one_of(self.geometry);
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

    /// What follows from these suppositions together, as far as it is needed, and where they fail.
    pub fn failure(&self, supposed: &[Candidate]) -> Option<(Vec<Inference>, Ending)> {
        let mut inside = self.clone();
        for &Candidate { cell, digit } in supposed {
            inside.log.entries.push(Entry { cell, digit, group: None, why: Reason::Supposed });
        }
        let Empty(room) = inside.state.follow(self.geometry, &mut inside.log).err()?;
        let of = room.one_of(self.geometry);
        let mut used = vec![false; inside.log.entries.len()];
        inside.mark(of, used.len(), &mut used);
        inside.close(&mut used);
        let own = inside.log.entries.iter().zip(&used).skip(supposed.len());
        let inferences =
            own.filter(|(_, used)| **used).map(|(entry, _)| self.inference(entry)).collect();
        Some((inferences, Ending::Nothing(of)))
    }

    fn branch(&self, candidate: Candidate, plan: &Plan) -> Option<Branch> {
        let mut inside = self.clone();
        let start = self.log.entries.len();
        inside.log.allowed.clone_from(&plan.allowed);
        let empty = inside.suppose(candidate);
        let mut used = vec![false; inside.log.entries.len()];
        let mut later = Vec::new();
        let end = match (empty, &plan.split) {
            (Some(room), _) => {
                let of = room.one_of(self.geometry);
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
                match branches.iter().position(|branch| !branch.needs_it) {
                    // What fails without being supposed fails here already: there is nothing to split.
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
        let needs_it = used[start];
        used.truncate(start);
        Some(Branch { tree: Tree { assumed: candidate, inferences, end }, used, needs_it })
    }

    fn inference(&self, entry: &Entry) -> Inference {
        let cells = entry.cells().to_vec();
        let why = match entry.why {
            Reason::Supposed => Why::Assumed,
            Reason::Last(room) => Why::LastIn(room.one_of(self.geometry)),
            Reason::Subset => Why::LockedIn(cells.clone()),
        };
        Inference { node: Node { digit: entry.digit, cells }, holds: true, why }
    }

    /// The candidates that a cell or a house has in the position without any supposition.
    fn members(&self, of: OneOf) -> impl Iterator<Item = Candidate> + use<'a, D, W, S, C> {
        let (cells, digits) = self.geometry.crossing(of);
        let base = self.base;
        let all = cells
            .into_iter()
            .flat_map(move |cell| digits.map(move |digit| Candidate::new(cell, digit)));
        all.filter(move |candidate| base.has(candidate.cell, candidate.digit))
    }

    /// Marks the statements, before a number, that rule out members of this.
    fn mark(&self, of: OneOf, before: usize, used: &mut [bool]) {
        for member in self.members(of) {
            let by = self.log.out[self.log.slot(member.cell, member.digit)];
            if by != NOBODY && usize::from(by) < before {
                used[usize::from(by)] = true;
            }
        }
    }

    /// Marks what the marked statements rest on.
    fn close(&self, used: &mut [bool]) {
        for index in (0..used.len()).rev().filter(|&index| index < self.log.entries.len()) {
            if !used[index] {
                continue;
            }
            let entry = &self.log.entries[index];
            match entry.why {
                Reason::Supposed => {}
                Reason::Last(room) => self.mark(room.one_of(self.geometry), index, used),
                Reason::Subset => {
                    entry.cells().iter().for_each(|&cell| self.mark(OneOf::Cell(cell), index, used))
                }
            }
        }
    }
}

/// Leaves out statements, one after the other, as long as the tree still fails: in the end each is needed.
pub fn shortened<D: Mask, const W: usize, const S: usize, const C: usize>(
    geometry: &'static Geometry<W>,
    base: &State<D, W, S, C>,
    tree: Tree,
) -> Tree {
    let side = geometry.order().side();
    let has_groups = Statement::all(&tree).iter().any(Statement::is_group);
    let trace = if has_groups { Trace::rich(geometry, base) } else { Trace::new(geometry, base) };
    let mut best = tree;
    let mut kept: Vec<Statement> = Vec::new();
    loop {
        let stated = Statement::all(&best);
        let Some(next) = stated.into_iter().find(|statement| !kept.contains(statement)) else {
            return best;
        };
        let shorter = trace.tree(best.assumed, &Plan::without(&best, &next, side));
        match shorter.filter(|shorter| shorter.statements() < best.statements()) {
            Some(shorter) => best = shorter,
            None => kept.push(next),
        }
    }
}
