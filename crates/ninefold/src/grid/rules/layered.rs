//! Sequences of values as a layered graph with one hidden variable per edge.
//!
//! Each position takes one of several values (the digits of a cell, or the sums of several cells),
//! and an automaton reads them in order. Its reachable states form the layers:
//!
//! ```text
//! position 1      position 2
//! start ──2──▶ s2 ──1──▶ s3        value    exactly one of: its edges, or the value is false
//!       ──3──▶ s3 ──…              state    exactly one of: its outgoing edges, or the state is false
//!                                           exactly one of: its incoming edges, or the state is false
//! ```
//!
//! Unit propagation on these groups removes exactly the values that no accepted sequence contains.
//! An edge that is the only one of its value or of its state needs no variable.

use super::compile::{Compiler, Term};
use super::groups::GroupKind;
use std::collections::BTreeMap;

/// One step of the automaton.
pub(crate) struct Edge {
    /// The state before, counted within its layer.
    pub from: usize,
    /// The index of the value in its position.
    pub value: usize,
    /// The state after, counted within the next layer.
    pub to: usize,
}

impl Compiler {
    /// Requires that the values along the positions lead from `start` to an accepted state.
    pub(super) fn layered(
        &mut self,
        positions: &[Vec<(i64, Term)>],
        start: u64,
        next: impl Fn(usize, u64, i64) -> Option<u64>,
        accepts: impl Fn(u64) -> bool,
    ) {
        let values: Vec<Vec<i64>> =
            positions.iter().map(|values| values.iter().map(|value| value.0).collect()).collect();
        let Some(layers) = build(&values, start, next, accepts) else {
            self.is_impossible = true;
            return;
        };
        let mut states = vec![Term::True];
        for (values, edges) in positions.iter().zip(&layers) {
            let mut by_value = vec![Vec::new(); values.len()];
            let mut by_start = vec![Vec::new(); states.len()];
            let mut by_end = vec![Vec::new(); edges.iter().map(|e| e.to + 1).max().unwrap_or(0)];
            let count = |key: fn(&Edge) -> usize, of: usize| {
                edges.iter().filter(|edge| key(edge) == of).take(2).count()
            };
            for edge in edges {
                let term = if count(|edge| edge.value, edge.value) == 1 {
                    values[edge.value].1
                } else if count(|edge| edge.from, edge.from) == 1 {
                    states[edge.from]
                } else {
                    self.hidden()
                };
                by_value[edge.value].push(term);
                by_start[edge.from].push(term);
                by_end[edge.to].push(term);
            }
            for (terms, &(_, own)) in by_value.into_iter().zip(values) {
                self.equivalent_to_one_of(own, terms);
            }
            for (terms, &own) in by_start.into_iter().zip(&states) {
                if own != Term::False {
                    self.equivalent_to_one_of(own, terms);
                }
            }
            states = by_end.into_iter().map(|terms| self.one_of(terms)).collect();
        }
    }

    /// `own` is true exactly if one of the terms is, and at most one of them is true.
    fn equivalent_to_one_of(&mut self, own: Term, terms: Vec<Term>) {
        if terms[..] != [own] {
            self.exactly_one(GroupKind::Path, terms.into_iter().chain([!own]));
        }
    }

    /// A term that is true exactly if one of the terms is; at most one of them is true.
    pub(super) fn one_of(&mut self, terms: Vec<Term>) -> Term {
        match terms[..] {
            [] => Term::False,
            [only] => only,
            _ => {
                let own = self.hidden();
                self.exactly_one(GroupKind::Path, terms.into_iter().chain([!own]));
                own
            }
        }
    }
}

/// The edges of each layer that lie on a path from the start to an accepted state; `None` without
/// any.
pub(super) fn build(
    positions: &[Vec<i64>],
    start: u64,
    next: impl Fn(usize, u64, i64) -> Option<u64>,
    accepts: impl Fn(u64) -> bool,
) -> Option<Vec<Vec<Edge>>> {
    let mut layers: Vec<Vec<Edge>> = Vec::with_capacity(positions.len());
    let mut widths = Vec::with_capacity(positions.len());
    let mut states = vec![start];
    for (position, values) in positions.iter().enumerate() {
        let is_last = position + 1 == positions.len();
        let mut numbers: BTreeMap<u64, usize> = BTreeMap::new();
        let mut following = Vec::new();
        let mut edges = Vec::new();
        for (from, &state) in states.iter().enumerate() {
            for (value, &number) in values.iter().enumerate() {
                let Some(state) = next(position, state, number) else { continue };
                if is_last && !accepts(state) {
                    continue;
                }
                let to = *numbers.entry(state).or_insert_with(|| {
                    following.push(state);
                    following.len() - 1
                });
                edges.push(Edge { from, value, to });
            }
        }
        widths.push(states.len());
        layers.push(edges);
        states = following;
    }
    let mut alive = vec![true; states.len()];
    for (edges, width) in layers.iter_mut().zip(&widths).rev() {
        edges.retain(|edge| alive[edge.to]);
        alive = vec![false; *width];
        edges.iter().for_each(|edge| alive[edge.from] = true);
    }
    layers.iter().all(|edges| !edges.is_empty()).then_some(layers)
}
