//! Solves puzzles with any [`Rules`]: clause learning over their compiled form.
//!
//! The rules are compiled, propagated and compiled again with the remaining candidates until
//! nothing changes. That solves many puzzles; the others go to the search of [`cdcl`](super::cdcl).
//! Killers are first tried without implied sums, because compiling those takes longer than solving
//! an easy puzzle.

use super::cdcl::engine::Engine;
use super::cdcl::{Problem, Search};
use super::effort::{Effort, Meter};
use crate::grid::rules::literal::Literal;
use crate::grid::rules::{Compiled, Rule, Rules, compile};
use crate::grid::{Cell, Digit, DigitSet};
use crate::limits::{Limits, StopReason};
use std::ops::ControlFlow;

/// Nodes after which a killer is compiled again with implied sums.
const NODES_WITHOUT_IMPLIED_SUMS: u64 = 200;
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
    let mut candidates: Vec<DigitSet> = givens
        .iter()
        .map(|given| given.map_or(DigitSet::up_to(side), DigitSet::from_digit))
        .collect();
    for rule in rules.rules() {
        if let Rule::Candidates { cell, digits } = rule {
            candidates[cell.index()] = candidates[cell.index()] & *digits;
        }
    }
    let has_cages = rules.rules().iter().any(|rule| matches!(rule, Rule::Cage { .. }));
    if has_cages {
        let cap = limits.nodes.unwrap_or(u64::MAX).min(NODES_WITHOUT_IMPLIED_SUMS);
        let quick = attempt(rules, candidates.clone(), most, &limits.with_nodes(cap), false);
        if quick.effort.stop != Some(StopReason::Nodes) {
            return quick;
        }
    }
    attempt(rules, candidates, most, limits, true)
}

fn attempt(
    rules: &Rules,
    mut candidates: Vec<DigitSet>,
    most: usize,
    limits: &Limits<'_>,
    with_implied_sums: bool,
) -> RulesSolutions {
    let mut meter = Meter::start(limits);
    let mut solutions = Vec::new();
    let mut visit = |solution: Vec<Digit>| {
        assert!(
            rules.hold_for(&solution),
            "this is a bug in Ninefold: the solver returned a grid that breaks a rule"
        );
        solutions.push(solution);
        if solutions.len() < most {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(StopReason::Enough)
        }
    };
    let mut end = meter.node();
    for round in 1..=MOST_COMPILATIONS {
        if end.is_break() {
            break;
        }
        let encoding = Encoding::new(rules, candidates, with_implied_sums);
        let Some((encoding, is_smaller)) = encoding else { break };
        if let Some(solution) = encoding.complete() {
            end = visit(solution);
            break;
        }
        if !is_smaller || round == MOST_COMPILATIONS {
            end = Search::new(encoding, RESTART).run(&mut meter, &mut visit);
            break;
        }
        candidates = encoding.candidates;
    }
    let effort = meter.finish(end);
    // Finding the requested number of solutions is not an early stop.
    let stop = effort.stop.filter(|stop| *stop != StopReason::Enough);
    RulesSolutions { solutions, effort: Effort { stop, ..effort } }
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
    fn new(
        rules: &Rules,
        mut candidates: Vec<DigitSet>,
        with_implied_sums: bool,
    ) -> Option<(Encoding, bool)> {
        let compiled = compile(rules, &candidates, with_implied_sums)?;
        let Compiled { meaning, variables, groups, clauses } = compiled;
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
