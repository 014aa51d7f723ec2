//! The current assignment and unit propagation.
//!
//! The rules of Sudoku are groups of literals of which exactly one is true. They are propagated
//! directly, not as clauses:
//!
//! ```text
//! a literal becomes true   ->  all others in its groups become false
//! a literal becomes false  ->  each of its groups loses an open literal; the last open one becomes true
//! ```
//!
//! What makes it fast: each group stores the number of its literals that are not false and the XOR
//! of these literals, so the last one is known without a search. Only learned clauses have watches
//! (see `clauses.rs`).

use super::activity::Activity;
use super::clauses::{ClauseId, Clauses, Watch};
use crate::grid::rules::literal::{Lists, Literal};

/// Why a literal is true.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// It was decided, or it is true without any decision.
    None,
    /// This true literal shares a group with its opposite.
    Pair(Literal),
    /// All other literals of the group are false.
    Group(u32),
    /// All other literals of the clause are false.
    Clause(ClauseId),
}

/// A contradiction.
pub enum Conflict {
    /// Two true literals in one group.
    Pair(Literal, Literal),
    /// A group without any true literal.
    Group(u32),
    /// A clause without any true literal.
    Clause(ClauseId),
}

/// A partial assignment of the variables, extended by decisions and propagation.
pub struct Engine {
    groups: Lists<Literal>,
    /// For each literal the groups that contain it.
    groups_of: Lists<u32>,
    /// For each group the number of literals that are not false, up to the propagated part of the
    /// trail.
    open: Vec<u32>,
    /// For each group the XOR of these literals.
    open_literals: Vec<u32>,
    /// For each literal 1 if it is true, -1 if it is false, 0 if it is open.
    value: Vec<i8>,
    /// For each assigned variable its decision level.
    level: Vec<u32>,
    reason: Vec<Reason>,
    /// The true literals in the order of assignment.
    trail: Vec<Literal>,
    /// The length of the propagated part of the trail.
    propagated: usize,
    /// For each decision its index in the trail.
    decisions: Vec<usize>,
    pub(super) clauses: Clauses,
    pub(super) activity: Activity,
}

impl Engine {
    /// Creates an engine for these groups; `None` if they are contradictory without any decision.
    pub fn new(variables: usize, groups: Lists<Literal>) -> Option<Engine> {
        Engine::with_clauses(variables, groups, &Lists::new())
    }

    /// Creates an engine for these groups and clauses of two or more literals; `None` if they are
    /// contradictory without any decision.
    pub fn with_clauses(
        variables: usize,
        groups: Lists<Literal>,
        clauses: &Lists<Literal>,
    ) -> Option<Engine> {
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
            propagated: 0,
            decisions: Vec::new(),
            clauses: Clauses::new(variables),
            activity: Activity::new(variables),
        };
        for clause in 0..clauses.count() {
            // Clauses of quality 1 are never forgotten.
            engine.clauses.add(clauses.at(clause), 1);
        }
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

    pub fn is_true(&self, literal: Literal) -> bool {
        self.value[literal.index()] > 0
    }

    /// Whether the literal is neither true nor false.
    pub fn is_open(&self, literal: Literal) -> bool {
        self.value[literal.index()] == 0
    }

    /// The current decision level.
    pub fn depth(&self) -> u32 {
        self.decisions.len() as u32
    }

    /// The literal decided at this level, counted from 1.
    pub fn decision(&self, level: u32) -> Literal {
        self.trail[self.decisions[level as usize - 1]]
    }

    /// The true literals in the order of assignment.
    pub fn trail(&self) -> &[Literal] {
        &self.trail
    }

    /// The true literals that do not depend on the latest decision.
    pub fn trail_before_last_decision(&self) -> &[Literal] {
        &self.trail[..self.decisions.last().copied().unwrap_or(self.trail.len())]
    }

    /// The decision level of the variable.
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

    /// Makes an open literal true at a new decision level.
    pub fn decide(&mut self, literal: Literal) {
        self.decisions.push(self.trail.len());
        self.assign(literal, Reason::None);
    }

    /// Makes an open literal true at the current level.
    #[inline]
    pub fn assign(&mut self, literal: Literal, reason: Reason) {
        self.value[literal.index()] = 1;
        self.value[(!literal).index()] = -1;
        self.level[literal.variable()] = self.decisions.len() as u32;
        self.reason[literal.variable()] = reason;
        self.trail.push(literal);
    }

    /// Propagates all assignments. Returns the first conflict.
    pub fn propagate(&mut self) -> Option<Conflict> {
        while let Some(&literal) = self.trail.get(self.propagated) {
            self.propagated += 1;
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

    /// A literal became false: updates its groups.
    // Invariant: all its groups are decremented, even after a conflict, because `undo_to`
    // increments all of them.
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

    /// A literal became true: makes the other literals of its groups false.
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

    /// A literal became false: the learned clauses that watch it search for another literal to
    /// watch.
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
            // Keep the false literal in the second place, so that the first is the other watched
            // one.
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

    /// Undoes all decisions above this level and their consequences.
    pub fn undo_to(&mut self, level: u32) {
        let Some(&length) = self.decisions.get(level as usize) else { return };
        for at in (length..self.trail.len()).rev() {
            let literal = self.trail[at];
            if at < self.propagated {
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
        self.propagated = length;
        self.decisions.truncate(level as usize);
    }

    /// Forgets learned clauses that were rarely useful.
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
