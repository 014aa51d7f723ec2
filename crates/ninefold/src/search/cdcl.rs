//! Conflict-driven clause learning (CDCL), the search of SAT solvers, for large grids.
//!
//! The search assigns a variable and propagates the consequences. On a conflict it learns a clause
//! that excludes the cause and backtracks as far as the clause allows. In outline:
//!
//! ```text
//! apply singles; end if they solve or refute the puzzle          singles/board.rs
//! encode the rules as groups: exactly one literal is true        encode.rs
//! loop
//!     propagate the assignment through groups and clauses        engine.rs, clauses.rs
//!     conflict without a decision to undo: end
//!     conflict otherwise: learn a clause and backtrack           learn.rs
//!     no conflict:
//!         now and then: forget bad clauses, restart from the root
//!         a variable is open: decide the most active one         activity.rs
//!         no variable is open: a solution; exclude it, or end if there is no decision to undo
//! ```
//!
//! The first solution is excluded by a clause, and the search may still restart from the root, so
//! uniqueness is proved fast. From the second solution on, the last decision is flipped instead,
//! and it is not undone before its subtree is complete (Gebser et al. 2007). So a million solutions
//! do not need a million clauses.
//!
//! Tried: the crates batsat 0.6 and varisat 0.2 with the rules as clauses, and a search without
//! learning that branches in the group with the smallest size relative to its number of conflicts.
//! All were slower: `benchmarks/records/2026-11-15-large-orders.md`.

mod activity;
mod clauses;
mod encode;
pub(super) mod engine;
mod learn;
#[cfg(test)]
mod tests;

use super::singles::Board;
use super::watch::{Action, show_singles};
use super::{Meter, StopReason, Visit, Walk};
use crate::grid::rules::literal::Literal;
use crate::grid::{Cell, Digit, Grid, Order};
use encode::Encoding;
use engine::{Conflict, Engine, Reason};
use learn::Learner;
use std::ops::ControlFlow;

/// The clause learning solver. Supports every size and is the fastest for large grids.
pub struct Cdcl;

impl Walk for Cdcl {
    fn name(&self) -> &'static str {
        "cdcl"
    }

    fn idea(&self) -> &'static str {
        "learn a clause from every conflict, as SAT solvers do; for 16×16 and larger"
    }

    fn supports(&self, _order: Order) -> bool {
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
    ) -> ControlFlow<StopReason> {
        meter.node()?;
        // Singles solve most puzzles or nearly solve them, and setting up groups costs far more
        // than propagating singles.
        let Ok(board) = Board::new(puzzle) else { return ControlFlow::Continue(()) };
        if meter.is_watched() {
            show_singles(puzzle, &board.grid(), meter)?;
        }
        if board.is_full() {
            return visit(board.grid());
        }
        match Encoding::new(&board.candidates()) {
            Some(encoding) => Search::new(encoding, RESTART).run(meter, visit),
            None => ControlFlow::Continue(()),
        }
    }
}

/// The problem that the search solves: an engine, and the meaning of its variables.
pub(super) trait Problem {
    type Solution;

    fn engine(&self) -> &Engine;

    fn engine_mut(&mut self) -> &mut Engine;

    /// The number of variables.
    fn variables(&self) -> usize;

    /// The solution, when every variable has a value.
    fn solution(&self) -> Self::Solution;

    /// The current board, if it can be shown to a watcher.
    fn board(&self) -> Option<Grid> {
        None
    }

    /// The cell and digit of a positive literal; `None` for hidden variables.
    fn digit_of(&self, _literal: Literal) -> Option<(Cell, Digit)> {
        None
    }
}

impl Problem for Encoding {
    type Solution = Grid;

    fn engine(&self) -> &Engine {
        &self.engine
    }

    fn engine_mut(&mut self) -> &mut Engine {
        &mut self.engine
    }

    fn variables(&self) -> usize {
        self.variables
    }

    fn solution(&self) -> Grid {
        self.grid()
    }

    fn board(&self) -> Option<Grid> {
        Some(self.grid())
    }

    fn digit_of(&self, literal: Literal) -> Option<(Cell, Digit)> {
        Encoding::digit_of(self, literal)
    }
}

/// The search itself, for any problem.
pub(super) struct Search<P> {
    problem: P,
    learner: Learner,
    /// The value to try first for each variable: that of the longest trail without a conflict so
    /// far, initially true.
    target: Vec<bool>,
    longest_trail: usize,
    conflicts: u64,
    first_restart: u64,
    restart: Schedule,
    forget: Schedule,
    /// When `longest_trail` is reset.
    rephase: Schedule,
    solutions: u64,
    /// Decisions up to this level have been flipped and are undone only after their subtrees are
    /// complete.
    floor: u32,
}

/// The conflict count at which something is due next, and how often it has been due.
struct Schedule {
    due: u64,
    times: u64,
}

/// Conflicts before the first restart; later ones follow the sequence of Luby et al. 1993.
// Tried: restarts by the quality of clauses, as in Glucose. Then seven of eight 36×36 grids at 45 %
// fill took more than 4 s, instead of two of eight.
const RESTART: u64 = 1_000;
/// Conflicts before clauses are first forgotten, and the increment for each further time.
const FORGET: (u64, u64) = (2_000, 300);
/// Conflicts before target values are first reset, and the increment for each further time.
const REPHASE: (u64, u64) = (1_000, 1_000);
/// A node of a large grid can take a millisecond, so limits are checked more often than by the
/// meter.
const NODES_BETWEEN_CHECKS: u64 = 16;

impl<P: Problem> Search<P> {
    /// Prepares a search with its first restart after this many conflicts.
    pub(super) fn new(problem: P, first_restart: u64) -> Search<P> {
        let variables = problem.variables();
        Search {
            problem,
            learner: Learner::new(variables),
            target: vec![true; variables],
            longest_trail: 0,
            conflicts: 0,
            first_restart,
            restart: Schedule { due: first_restart, times: 0 },
            forget: Schedule { due: FORGET.0, times: 0 },
            rephase: Schedule { due: REPHASE.0, times: 0 },
            solutions: 0,
            floor: 0,
        }
    }

    /// Passes each solution to `visit`.
    pub(super) fn run(
        &mut self,
        meter: &mut Meter<'_>,
        visit: &mut dyn FnMut(P::Solution) -> ControlFlow<StopReason>,
    ) -> ControlFlow<StopReason> {
        meter.check_limits()?;
        for node in 1u64.. {
            // The first node was counted before the groups were set up.
            if node > 1 {
                meter.node()?;
            }
            if node.is_multiple_of(NODES_BETWEEN_CHECKS) {
                meter.check_limits()?;
            }
            let continues = if let Some(conflict) = self.problem.engine_mut().propagate() {
                let depth = self.problem.engine().depth();
                let continues = self.resolve(conflict);
                if continues {
                    self.show_learning(depth, meter)?;
                }
                continues
            } else {
                self.run_schedules();
                match self.next_decision() {
                    Some(literal) => {
                        meter.guess();
                        self.problem.engine_mut().decide(literal);
                        self.show_decision(literal, meter)?;
                        true
                    }
                    None => {
                        visit(self.problem.solution())?;
                        self.exclude_solution()
                    }
                }
            };
            if !continues {
                break;
            }
        }
        ControlFlow::Continue(())
    }

    /// Reports a decision for a digit. Decisions against a digit or about crossings do not change
    /// the board.
    fn show_decision(&self, literal: Literal, meter: &mut Meter<'_>) -> ControlFlow<StopReason> {
        if meter.is_watched()
            && let Some((cell, digit)) = self.problem.digit_of(literal)
            && let Some(board) = self.problem.board()
        {
            return meter.show(Action::Place { cell, digit, choices: 2 }, &board);
        }
        ControlFlow::Continue(())
    }

    /// Reports a learned clause.
    fn show_learning(&self, depth: u32, meter: &mut Meter<'_>) -> ControlFlow<StopReason> {
        if !meter.is_watched() {
            return ControlFlow::Continue(());
        }
        let undone = depth.saturating_sub(self.problem.engine().depth()) as usize;
        match self.problem.board() {
            Some(board) => {
                meter.show(Action::Learn { literals: self.learner.last_length(), undone }, &board)
            }
            None => ControlFlow::Continue(()),
        }
    }

    /// Learns from a conflict and backtracks. Returns false if the search is complete.
    fn resolve(&mut self, conflict: Conflict) -> bool {
        self.conflicts += 1;
        let engine = self.problem.engine_mut();
        if engine.depth() == self.floor {
            return self.flip_decision();
        }
        if engine.trail_before_last_decision().len() > self.longest_trail {
            self.longest_trail = engine.trail_before_last_decision().len();
            for literal in engine.trail_before_last_decision() {
                self.target[literal.variable()] = literal.is_positive();
            }
        }
        let learned = self.learner.learn(engine, conflict);
        engine.undo_to(learned.level.max(self.floor));
        add_clause(engine, learned.clause, learned.quality);
        true
    }

    /// Excludes the solution just found. Returns false if the search is complete.
    fn exclude_solution(&mut self) -> bool {
        self.solutions += 1;
        let engine = self.problem.engine_mut();
        let depth = engine.depth();
        if depth == 0 {
            return false;
        }
        if self.solutions > 1 {
            self.floor = depth;
            return self.flip_decision();
        }
        // The decisions imply this solution and no other, so a clause over them is enough. Clauses
        // of quality 1 are never forgotten.
        let clause: Vec<Literal> = (1..=depth).rev().map(|level| !engine.decision(level)).collect();
        engine.undo_to(depth - 1);
        add_clause(engine, &clause, 1);
        true
    }

    /// Flips the decision at the floor and lowers the floor. Returns false if there is none.
    fn flip_decision(&mut self) -> bool {
        if self.floor == 0 {
            return false;
        }
        let engine = self.problem.engine_mut();
        let decision = engine.decision(self.floor);
        self.floor -= 1;
        engine.undo_to(self.floor);
        // The flipped decision has no reason clause, so learned clauses treat it as a decision.
        engine.assign(!decision, Reason::None);
        true
    }

    /// Forgets clauses, restarts and resets target values when they are due.
    fn run_schedules(&mut self) {
        if self.restart.is_due(self.conflicts, |times| self.first_restart * luby(times + 1)) {
            self.problem.engine_mut().undo_to(self.floor);
        }
        if self.forget.is_due(self.conflicts, |times| FORGET.0 + FORGET.1 * times) {
            self.problem.engine_mut().forget();
        }
        if self.rephase.is_due(self.conflicts, |times| REPHASE.0 + REPHASE.1 * times) {
            self.longest_trail = 0;
            // Every other time, the search leaves the neighbourhood of the longest trail.
            if self.rephase.times.is_multiple_of(2) {
                self.target.fill(true);
            }
        }
    }

    fn next_decision(&mut self) -> Option<Literal> {
        let engine = self.problem.engine_mut();
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
    /// Whether it is due now. If so, it is due again after `interval(times)` conflicts.
    fn is_due(&mut self, conflicts: u64, interval: impl Fn(u64) -> u64) -> bool {
        let due = conflicts >= self.due;
        if due {
            self.times += 1;
            self.due = conflicts + interval(self.times);
        }
        due
    }
}

/// Adds a clause whose first literal is open and whose others are false, so that the first becomes
/// true.
// Clauses of one literal are not stored: below the floor they are learned again when needed.
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
