//! Solves puzzles with any [`Rules`]: clause learning over their compiled form.
//!
//! A search that propagates the rules themselves (`walk.rs`) solves everyday puzzles. Those that it
//! does not solve within a few nodes go to clause learning: the rules are compiled, propagated and
//! compiled again with the remaining candidates until nothing changes, and then searched as in
//! [`cdcl`](super::cdcl). Both start without implied sums, because deriving those takes longer than
//! solving an easy puzzle.

mod model;
mod walk;

use super::cdcl::engine::Engine;
use super::cdcl::{Problem, Search};
use super::effort::{Effort, Meter};
use crate::grid::rules::literal::Literal;
use crate::grid::rules::{Compiled, Form, Rule, Rules, compile};
use crate::grid::{Cell, Digit, DigitSet};
use crate::limits::{Limits, StopReason};
use model::Model;
use std::ops::ControlFlow;
use walk::Walk;

/// Nodes of the walk: first without implied sums and locked candidates, then with both.
const NODES_OF_WALK: [u64; 2] = [20, 3_000];
/// Conflicts before the first restart. Variants profit from more restarts than large classic grids.
const RESTART: u64 = 100;
/// Compiling again after propagation pays up to this many times.
const MOST_COMPILATIONS: usize = 3;

/// The solutions that a search found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RulesSolutions {
    /// Solutions as digits in reading order. Each satisfies the rules and the givens.
    pub solutions: Vec<Vec<Digit>>,
    /// Nodes, guesses, and why the search ended early. With `stop: None` there are no other
    /// solutions, unless the requested number was found.
    pub effort: Effort,
}

/// Finds up to `most` solutions of a puzzle: its rules and the given digits in reading order.
///
/// With `most` = 2, one solution and no early stop prove that the solution is unique.
///
/// # Panics
/// If the number of givens is not the number of cells, or if a given is larger than the side.
#[must_use]
pub fn solve(
    rules: &Rules,
    givens: &[Option<Digit>],
    most: usize,
    limits: &Limits<'_>,
) -> RulesSolutions {
    let side = rules.side();
    assert_eq!(givens.len(), side * side, "expected a given or an empty field for every cell");
    let candidates = start_candidates(rules, givens);
    let mut spent = Effort::none(None);
    for (is_strong, nodes) in [false, true].into_iter().zip(NODES_OF_WALK) {
        let Some(model) = Model::new(rules, &candidates, is_strong) else { break };
        let left = left_of(limits, spent);
        let is_last = left.nodes.is_some_and(|left| left <= nodes);
        let capped = if is_last { left } else { left.with_nodes(nodes) };
        let mut found = collect(rules, most, &capped, |meter, visit| {
            Walk::new(&model, is_strong).run(meter, visit)
        });
        spent = spent.then(found.effort);
        if is_last || found.effort.stop != Some(StopReason::Nodes) {
            found.effort = spent;
            return found;
        }
    }
    let left = left_of(limits, spent);
    let mut found =
        collect(rules, most, &left, |meter, visit| learn(rules, candidates, meter, visit));
    found.effort = spent.then(found.effort);
    found
}

/// The digits of each cell that its given and rules for one cell allow.
fn start_candidates(rules: &Rules, givens: &[Option<Digit>]) -> Vec<DigitSet> {
    let side = rules.side();
    let all = DigitSet::up_to(side);
    let mut candidates: Vec<DigitSet> =
        givens.iter().map(|given| given.map_or(all, DigitSet::from_digit)).collect();
    for rule in rules.rules() {
        if let Rule::Candidates { cell, digits } = rule {
            candidates[cell.index()] = candidates[cell.index()] & *digits;
        }
    }
    candidates
}

/// A search that tries likely digits first. `likelihoods` has a number between 0 and 1 for each
/// digit of each cell. Rules that propagation does not support are left to clause learning, which
/// ignores the likelihoods.
pub(super) fn guided(
    rules: &Rules,
    givens: &[Option<Digit>],
    likelihoods: &[f32],
    meter: &mut Meter<'_>,
    visit: VisitDigits<'_>,
) -> ControlFlow<StopReason> {
    let candidates = start_candidates(rules, givens);
    let mut checked = |solution: Vec<Digit>| {
        assert_holds(rules, &solution);
        visit(solution)
    };
    match Model::new(rules, &candidates, true) {
        Some(model) => Walk::new(&model, true).guided_by(likelihoods).run(meter, &mut checked),
        None => learn(rules, candidates, meter, &mut checked),
    }
}

fn assert_holds(rules: &Rules, solution: &[Digit]) {
    assert!(
        rules.hold_for(solution),
        "this is a bug in Ninefold: the solver returned a grid that breaks a rule"
    );
}

/// The limits without what was spent.
fn left_of<'a>(limits: &Limits<'a>, spent: Effort) -> Limits<'a> {
    limits
        .with_nodes(limits.nodes.map(|nodes| nodes.saturating_sub(spent.nodes)))
        .with_time(limits.time.map(|time| time.saturating_sub(spent.elapsed)))
}

/// Called for each solution; breaks when there are enough.
type VisitDigits<'a> = &'a mut dyn FnMut(Vec<Digit>) -> ControlFlow<StopReason>;

/// Collects the solutions of a search and checks each.
fn collect(
    rules: &Rules,
    most: usize,
    limits: &Limits<'_>,
    search: impl FnOnce(&mut Meter<'_>, VisitDigits<'_>) -> ControlFlow<StopReason>,
) -> RulesSolutions {
    let mut meter = Meter::start(limits);
    let mut solutions = Vec::new();
    let end = search(&mut meter, &mut |solution: Vec<Digit>| {
        assert_holds(rules, &solution);
        solutions.push(solution);
        if solutions.len() < most {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(StopReason::Enough)
        }
    });
    let effort = meter.finish(end);
    // Finding the requested number of solutions is not an early stop.
    let stop = effort.stop.filter(|stop| *stop != StopReason::Enough);
    RulesSolutions { solutions, effort: Effort { stop, ..effort } }
}

/// Clause learning on the compiled rules.
fn learn(
    rules: &Rules,
    mut candidates: Vec<DigitSet>,
    meter: &mut Meter<'_>,
    visit: VisitDigits<'_>,
) -> ControlFlow<StopReason> {
    meter.node()?;
    for round in 1.. {
        let Some((encoding, is_smaller)) = Encoding::new(rules, candidates) else { break };
        if let Some(solution) = encoding.complete() {
            return visit(solution);
        }
        if !is_smaller || round == MOST_COMPILATIONS {
            return Search::new(encoding, RESTART).run(meter, visit);
        }
        candidates = encoding.candidates;
    }
    ControlFlow::Continue(())
}

/// Compiled rules in an engine, after propagation.
struct Encoding {
    engine: Engine,
    meaning: Vec<(Cell, Digit)>,
    variables: usize,
    /// The candidates that propagation left.
    candidates: Vec<DigitSet>,
}

impl Encoding {
    /// Compiles and propagates. Returns `None` if there is no solution, and otherwise whether
    /// propagation removed candidates.
    fn new(rules: &Rules, mut candidates: Vec<DigitSet>) -> Option<(Encoding, bool)> {
        let compiled = compile(rules, &candidates, Form::Clauses)?;
        let Compiled { meaning, variables, groups, clauses, .. } = compiled;
        let engine = Engine::with_clauses(variables, groups, &clauses)?;
        let mut is_smaller = false;
        for (variable, &(cell, digit)) in meaning.iter().enumerate() {
            if engine.is_true(Literal::new(variable, false)) {
                candidates[cell.index()].remove(digit);
                is_smaller = true;
            }
        }
        Some((Encoding { engine, meaning, variables, candidates }, is_smaller))
    }

    /// The solution, if propagation alone found it.
    fn complete(&self) -> Option<Vec<Digit>> {
        self.candidates.iter().map(|digits| digits.only()).collect()
    }
}

impl Problem for Encoding {
    type Solution = Vec<Digit>;

    fn engine(&self) -> &Engine {
        &self.engine
    }

    fn engine_mut(&mut self) -> &mut Engine {
        &mut self.engine
    }

    fn variables(&self) -> usize {
        self.variables
    }

    fn solution(&self) -> Vec<Digit> {
        let mut digits: Vec<Option<Digit>> =
            self.candidates.iter().map(|digits| digits.only()).collect();
        for (variable, &(cell, digit)) in self.meaning.iter().enumerate() {
            if self.engine.is_true(Literal::new(variable, true)) {
                digits[cell.index()] = Some(digit);
            }
        }
        digits.into_iter().map(|digit| digit.expect("every cell has a digit")).collect()
    }
}
