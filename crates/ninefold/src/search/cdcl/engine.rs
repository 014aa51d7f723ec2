//! The engine: what is true so far, and what follows from it.
//!
//! The rules of Sudoku are groups of literals of which exactly one is true. They are not written out as clauses:
//!
//! ```text
//! a literal becomes true   ->  all others in its groups become false
//! a literal becomes false  ->  each of its groups has one literal less that could be true; the last one is true
//! ```
//!
//! What was done to make it fast: a group holds the number of its literals that are not false, and the exclusive or of
//! these literals, so the last one is known without looking for it. Only learned clauses are watched.

use super::activity::Activity;
use super::clauses::{ClauseId, Clauses, Watch};
use super::literal::{Lists, Literal};

/// Why a literal is true.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// It was decided, or it holds without any decision.
    None,
    /// This true literal shares a group with its opposite.
    Pair(Literal),
    /// All other literals of the group are false.
    Group(u32),
    /// All other literals of the clause are false.
    Clause(ClauseId),
}

/// What cannot be.
pub enum Conflict {
    /// Two true literals in one group.
    Pair(Literal, Literal),
    /// A group without any true literal.
    Group(u32),
    /// A clause without any true literal.
    Clause(ClauseId),
}

/// An assignment of variables that grows by decisions and by what follows from them.
pub struct Engine {
    groups: Lists<Literal>,
    /// For each literal the groups that hold it.
    groups_of: Lists<u32>,
    /// For each group how many of its literals are not false, as far as the trail has been followed.
    open: Vec<u32>,
    /// For each group the exclusive or of these literals.
    open_literals: Vec<u32>,
    /// For each literal 1 if it is true, -1 if it is false, 0 if that is open.
    value: Vec<i8>,
    /// For each assigned variable the number of decisions before it.
    level: Vec<u32>,
    reason: Vec<Reason>,
    /// The true literals in the order in which they became true.
    trail: Vec<Literal>,
    /// How far the trail has been followed.
    followed: usize,
    /// For each decision its place in the trail.
    decisions: Vec<usize>,
    pub(super) clauses: Clauses,
    pub(super) activity: Activity,
}

impl Engine {
    /// An engine for these groups; `None` if they contradict each other before anything is decided.
    pub fn new(variables: usize, groups: Lists<Literal>) -> Option<Engine> {
        let numbers = 0..groups.count();
        let mut engine = Engine {
            groups_of: groups.lists_of_each(2 * variables),
            open: numbers.clone().map(|group| groups.at(group).len() as u32).collect(),
            open_literals: numbers
                .clone()
                .map(|g| groups.at(g).iter().fold(0, |all, one| all ^ one.0))
                .collect(),
            groups,
            value: vec![0; 2 * variables],
            level: vec![0; variables],
            reason: vec![Reason::None; variables],
            trail: Vec::with_capacity(variables),
            followed: 0,
            decisions: Vec::new(),
            clauses: Clauses::new(variables),
            activity: Activity::new(variables),
        };
        for group in numbers {
            match engine.groups.at(group) {
                [] => return None,
                &[only] if engine.is_open(only) => engine.assign(only, Reason::None),
                &[only] if !engine.is_true(only) => return None,
                _ => {}
            }
        }
        engine.propagate().is_none().then_some(engine)
    }

    /// Is the literal true?
    pub fn is_true(&self, literal: Literal) -> bool {
        self.value[literal.index()] > 0
    }

    /// Is the literal neither true nor false?
    pub fn is_open(&self, literal: Literal) -> bool {
        self.value[literal.index()] == 0
    }

    /// How many decisions stand.
    pub fn depth(&self) -> u32 {
        self.decisions.len() as u32
    }

    /// The literal decided at this level, counted from 1.
    pub fn decision(&self, level: u32) -> Literal {
        self.trail[self.decisions[level as usize - 1]]
    }

    /// The true literals in the order in which they became true.
    pub fn trail(&self) -> &[Literal] {
        &self.trail
    }

    /// The true literals that do not depend on the latest decision.
    pub fn trail_before_last_decision(&self) -> &[Literal] {
        &self.trail[..self.decisions.last().copied().unwrap_or(self.trail.len())]
    }

    /// How many decisions stand before this variable's value.
    pub fn level_of(&self, literal: Literal) -> u32 {
        self.level[literal.variable()]
    }

    /// Why the literal has its value.
    pub fn reason_for(&self, literal: Literal) -> Reason {
        self.reason[literal.variable()]
    }

    /// The literals of a group.
    pub fn group(&self, group: u32) -> &[Literal] {
        self.groups.at(group as usize)
    }

    /// Makes an open literal true on trial.
    pub fn decide(&mut self, literal: Literal) {
        self.decisions.push(self.trail.len());
        self.assign(literal, Reason::None);
    }

    /// Makes an open literal true at the present level.
    #[inline]
    pub fn assign(&mut self, literal: Literal, reason: Reason) {
        self.value[literal.index()] = 1;
        self.value[(!literal).index()] = -1;
        self.level[literal.variable()] = self.decisions.len() as u32;
        self.reason[literal.variable()] = reason;
        self.trail.push(literal);
    }

    /// Follows the trail to its end; answers the first conflict.
    pub fn propagate(&mut self) -> Option<Conflict> {
        while let Some(&literal) = self.trail.get(self.followed) {
            self.followed += 1;
            let conflict = self.close_groups(!literal).or_else(|| self.exclude_others(literal));
            if conflict.is_some() {
                return conflict;
            }
            if let Some(clause) = self.visit_clauses(!literal) {
                return Some(Conflict::Clause(clause));
            }
        }
        None
    }

    /// A literal became false: its groups have one open literal less.
    // Invariant: all its groups are counted down, also after a conflict, because `undo_to` counts all of them up.
    fn close_groups(&mut self, literal: Literal) -> Option<Conflict> {
        let mut conflict = None;
        for place in self.groups_of.range(literal.index()) {
            let group = self.groups_of.item(place);
            let at = group as usize;
            self.open[at] -= 1;
            self.open_literals[at] ^= literal.0;
            match self.open[at] {
                0 => conflict = Some(Conflict::Group(group)),
                1 => {
                    let last = Literal(self.open_literals[at]);
                    match self.value[last.index()] {
                        0 => self.assign(last, Reason::Group(group)),
                        1 => {}
                        _ => conflict = Some(Conflict::Group(group)),
                    }
                }
                _ => {}
            }
        }
        conflict
    }

    /// A literal became true: the others in its groups are false.
    fn exclude_others(&mut self, literal: Literal) -> Option<Conflict> {
        for place in self.groups_of.range(literal.index()) {
            for place in self.groups.range(self.groups_of.item(place) as usize) {
                let other = self.groups.item(place);
                match self.value[other.index()] {
                    0 => self.assign(!other, Reason::Pair(literal)),
                    1 if other != literal => return Some(Conflict::Pair(literal, other)),
                    _ => {}
                }
            }
        }
        None
    }

    /// A literal became false: the learned clauses that watch it look for another literal to watch.
    fn visit_clauses(&mut self, literal: Literal) -> Option<ClauseId> {
        let mut watches = std::mem::take(&mut self.clauses.watches[literal.index()]);
        let (mut next, mut kept) = (0, 0);
        let mut conflict = None;
        while let Some(&watch) = watches.get(next) {
            next += 1;
            if self.is_true(watch.blocker) {
                watches[kept] = watch;
                kept += 1;
                continue;
            }
            let words = self.clauses.words_mut(watch.clause);
            if words[0] == literal.0 {
                words.swap(0, 1);
            }
            let other = Literal(words[0]);
            let now = Watch { clause: watch.clause, blocker: other };
            if self.value[other.index()] <= 0
                && let Some(place) =
                    (2..words.len()).find(|&place| self.value[words[place] as usize] >= 0)
            {
                words.swap(1, place);
                let watched = words[1] as usize;
                self.clauses.watches[watched].push(now);
                continue;
            }
            watches[kept] = now;
            kept += 1;
            match self.value[other.index()] {
                0 => self.assign(other, Reason::Clause(watch.clause)),
                1 => {}
                _ => {
                    conflict = Some(watch.clause);
                    break;
                }
            }
        }
        watches.drain(kept..next);
        self.clauses.watches[literal.index()] = watches;
        conflict
    }

    /// Takes back all decisions above this level and what followed from them.
    pub fn undo_to(&mut self, level: u32) {
        let Some(&length) = self.decisions.get(level as usize) else { return };
        for at in (length..self.trail.len()).rev() {
            let literal = self.trail[at];
            if at < self.followed {
                for place in self.groups_of.range((!literal).index()) {
                    let group = self.groups_of.item(place) as usize;
                    self.open[group] += 1;
                    self.open_literals[group] ^= (!literal).0;
                }
            }
            self.value[literal.index()] = 0;
            self.value[(!literal).index()] = 0;
            self.activity.push(literal.variable());
        }
        self.trail.truncate(length);
        self.followed = length;
        self.decisions.truncate(level as usize);
    }

    /// Forgets learned clauses that were of little use.
    pub fn forget(&mut self) {
        let reason_clause = |reason: &[Reason], literal: &Literal| match reason[literal.variable()]
        {
            Reason::Clause(clause) => Some(clause),
            _ => None,
        };
        let mut locked: Vec<ClauseId> =
            self.trail.iter().filter_map(|one| reason_clause(&self.reason, one)).collect();
        locked.sort_unstable();
        let moved = self.clauses.forget(&locked);
        for literal in &self.trail {
            if let Some(clause) = reason_clause(&self.reason, literal)
                && let Ok(at) = moved.binary_search_by_key(&clause, |&(old, _)| old)
            {
                self.reason[literal.variable()] = Reason::Clause(moved[at].1);
            }
        }
    }
}
