//! Conflict-driven clause learning (CDCL), the search of SAT solvers, over the groups of a Sudoku: for large grids.
//!
//! Decide the value of a variable, follow what it entails, and when that ends in a conflict, learn a clause that says
//! why, go back as far as the clause allows and never make the same mistake again. In plain words:
//!
//! ```text
//! carry singles to their end                 singles/board.rs; a grid that they fill has one solution
//! loop
//!     propagate                              engine.rs, over the groups of encode.rs and the clauses of clauses.rs
//!     conflict?      learn, go back          learn.rs
//!     now and then   forget bad clauses, start again from the top
//!     all decided?   a solution; exclude it
//!     else           decide the most active variable          activity.rs
//! ```
//!
//! The first solution is excluded by a clause, and the search is free to start again from the top: this proves
//! uniqueness fast. From the second solution on, the last decision is turned round instead and never taken back
//! before all below it is seen (Gebser et al. 2007): so a million solutions need no million clauses.
//!
//! Tried: the crates batsat 0.6 and varisat 0.2 on plain clauses, and a search without learning that takes the
//! smallest group for its number of conflicts. All were slower: `benchmarks/records/2026-11-15-large-orders.md`.

mod activity;
mod clauses;
mod encode;
mod engine;
mod learn;
mod literal;
#[cfg(test)]
mod tests;

use super::singles::Board;
use super::watch::{What, show_singles};
use super::{Meter, Stop, Visit, Walk};
use crate::grid::{Grid, Order};
use encode::Encoding;
use engine::{Conflict, Reason};
use learn::Learner;
use literal::Literal;
use std::ops::ControlFlow;

/// The clause learning solver; it takes every size and is made for the large ones.
pub struct Cdcl;

impl Walk for Cdcl {
    fn name(&self) -> &'static str {
        "cdcl"
    }

    fn idea(&self) -> &'static str {
        "learn a clause from every conflict, as SAT solvers do; for 16×16 and larger"
    }

    fn takes(&self, _order: Order) -> bool {
        true
    }

    fn can_be_watched(&self) -> bool {
        true
    }

    fn walk(
        &self,
        puzzle: &Grid,
        meter: &mut Meter<'_>,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<Stop> {
        meter.node()?;
        // Most puzzles fall to singles or nearly so, and groups cost far more to set up than singles to carry out.
        let Ok(board) = Board::of(puzzle) else { return ControlFlow::Continue(()) };
        if meter.is_watched() {
            show_singles(puzzle, &board.grid(), meter)?;
        }
        if board.is_full() {
            return visit(board.grid());
        }
        match Encoding::of(&board.candidates()) {
            Some(encoding) => Search::new(encoding).run(meter, visit),
            None => ControlFlow::Continue(()),
        }
    }
}

struct Search {
    encoding: Encoding,
    learner: Learner,
    /// The value each variable is decided to have: that of the longest trail without a conflict so far, true at first.
    target: Vec<bool>,
    longest_trail: usize,
    conflicts: u64,
    restart: Schedule,
    forget: Schedule,
    /// When the longest trail is measured anew.
    rephase: Schedule,
    solutions: u64,
    /// Decisions up to this level have been turned round and are taken back only when all below them is seen.
    floor: u32,
}

/// A conflict number at which something is due, and how often it was.
struct Schedule {
    due: u64,
    times: u64,
}

/// Conflicts before the first restart; later ones follow the sequence of Luby et al. 1993.
// Tried: restarts by the quality of clauses, as in Glucose. Of eight 36×36 grids at 45 % fill, seven then took more than
// 4 s instead of two.
const RESTART: u64 = 1_000;
/// Conflicts before clauses are forgotten for the first time, and what is added each time.
const FORGET: (u64, u64) = (2_000, 300);
/// Conflicts before the first change of target values, and what is added each time.
const REPHASE: (u64, u64) = (1_000, 1_000);
/// A node of a large grid can take a millisecond, so the clock is read more often than the meter does.
const NODES_BETWEEN_LOOKS: u64 = 16;

impl Search {
    fn new(encoding: Encoding) -> Search {
        let variables = encoding.variables;
        Search {
            encoding,
            learner: Learner::new(variables),
            target: vec![true; variables],
            longest_trail: 0,
            conflicts: 0,
            restart: Schedule { due: RESTART, times: 0 },
            forget: Schedule { due: FORGET.0, times: 0 },
            rephase: Schedule { due: REPHASE.0, times: 0 },
            solutions: 0,
            floor: 0,
        }
    }

    fn run(&mut self, meter: &mut Meter<'_>, visit: &mut Visit<'_>) -> ControlFlow<Stop> {
        meter.look()?;
        for node in 1u64.. {
            // The first node was counted before the groups were set up.
            if node > 1 {
                meter.node()?;
            }
            if node.is_multiple_of(NODES_BETWEEN_LOOKS) {
                meter.look()?;
            }
            let goes_on = if let Some(conflict) = self.encoding.engine.propagate() {
                let depth = self.encoding.engine.depth();
                let goes_on = self.resolve(conflict);
                if goes_on {
                    self.show_lesson(depth, meter)?;
                }
                goes_on
            } else {
                self.tidy_up();
                match self.next_decision() {
                    Some(literal) => {
                        meter.guess();
                        self.encoding.engine.decide(literal);
                        self.show_decision(literal, meter)?;
                        true
                    }
                    None => {
                        visit(self.encoding.grid())?;
                        self.exclude_solution()
                    }
                }
            };
            if !goes_on {
                break;
            }
        }
        ControlFlow::Continue(())
    }

    /// Shows a decision for a digit; decisions against one, and those about crossings, leave the board as it is.
    fn show_decision(&self, literal: Literal, meter: &mut Meter<'_>) -> ControlFlow<Stop> {
        match self.encoding.digit_of(literal) {
            Some((cell, digit)) if meter.is_watched() => {
                meter.show(What::Write { cell, digit, choices: 2 }, &self.encoding.grid())
            }
            _ => ControlFlow::Continue(()),
        }
    }

    /// Shows what a conflict taught.
    fn show_lesson(&self, depth: u32, meter: &mut Meter<'_>) -> ControlFlow<Stop> {
        if !meter.is_watched() {
            return ControlFlow::Continue(());
        }
        let taken_back = depth.saturating_sub(self.encoding.engine.depth()) as usize;
        meter.show(
            What::Learn { literals: self.learner.last_length(), taken_back },
            &self.encoding.grid(),
        )
    }

    /// Learns from a conflict and goes back; false when nothing is left to search.
    fn resolve(&mut self, conflict: Conflict) -> bool {
        self.conflicts += 1;
        let engine = &mut self.encoding.engine;
        if engine.depth() == self.floor {
            return self.turn_round();
        }
        if engine.trail_before_last_decision().len() > self.longest_trail {
            self.longest_trail = engine.trail_before_last_decision().len();
            for literal in engine.trail_before_last_decision() {
                self.target[literal.variable()] = literal.says_true();
            }
        }
        let lesson = self.learner.learn(engine, conflict);
        engine.undo_to(lesson.level.max(self.floor));
        add_clause(engine, lesson.clause, lesson.quality);
        true
    }

    /// Excludes the solution just found; false when nothing is left to search.
    fn exclude_solution(&mut self) -> bool {
        self.solutions += 1;
        let engine = &mut self.encoding.engine;
        let depth = engine.depth();
        if depth == 0 {
            return false;
        }
        if self.solutions > 1 {
            self.floor = depth;
            return self.turn_round();
        }
        // The decisions entail this solution and no other, so it is enough to forbid their meeting. Quality 1 is
        // never forgotten.
        let clause: Vec<Literal> = (1..=depth).rev().map(|level| !engine.decision(level)).collect();
        engine.undo_to(depth - 1);
        add_clause(engine, &clause, 1);
        true
    }

    /// Turns the decision at the floor round and lowers the floor; false when there is none.
    fn turn_round(&mut self) -> bool {
        if self.floor == 0 {
            return false;
        }
        let engine = &mut self.encoding.engine;
        let decision = engine.decision(self.floor);
        self.floor -= 1;
        engine.undo_to(self.floor);
        // It has no reason that a clause could be learned from, so clauses will name it as if it were decided.
        engine.assign(!decision, Reason::None);
        true
    }

    /// Forgets, restarts and changes target values when it is time.
    fn tidy_up(&mut self) {
        if self.restart.is_due(self.conflicts, |times| RESTART * luby(times + 1)) {
            self.encoding.engine.undo_to(self.floor);
        }
        if self.forget.is_due(self.conflicts, |times| FORGET.0 + FORGET.1 * times) {
            self.encoding.engine.forget();
        }
        if self.rephase.is_due(self.conflicts, |times| REPHASE.0 + REPHASE.1 * times) {
            self.longest_trail = 0;
            // Every other time the search leaves the neighbourhood of what it knows.
            if self.rephase.times.is_multiple_of(2) {
                self.target.fill(true);
            }
        }
    }

    fn next_decision(&mut self) -> Option<Literal> {
        let engine = &mut self.encoding.engine;
        loop {
            let variable = engine.activity.pop()?;
            let literal = Literal::new(variable, self.target[variable]);
            if engine.is_open(literal) {
                return Some(literal);
            }
        }
    }
}

impl Schedule {
    /// Is it time? Then the next time is as many conflicts away as `pause` says for the times so far.
    fn is_due(&mut self, conflicts: u64, pause: impl Fn(u64) -> u64) -> bool {
        let due = conflicts >= self.due;
        if due {
            self.times += 1;
            self.due = conflicts + pause(self.times);
        }
        due
    }
}

/// Adds a clause whose first literal is open and whose others are false, so that the first becomes true.
// A clause of one literal is not kept: below the floor its truth is found anew when it is needed again.
fn add_clause(engine: &mut engine::Engine, clause: &[Literal], quality: u32) {
    let reason = match clause {
        [_] => Reason::None,
        _ => Reason::Clause(engine.clauses.add(clause, quality)),
    };
    engine.assign(clause[0], reason);
}

/// The sequence 1 1 2 1 1 2 4 1 1 2 …, counted from 1.
fn luby(mut at: u64) -> u64 {
    loop {
        let power = 1 << at.ilog2();
        if at == 2 * power - 1 {
            return power;
        }
        at -= power - 1;
    }
}
