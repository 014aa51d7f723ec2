//! Sums of digits with integer coefficients: arrows, little killers, zippers, implied sums.
//!
//! Cells with equal coefficients whose digits are known to differ are taken together: the
//! combinations of their digits are hidden candidates, as in a cage, and their totals are the
//! values of one position in a layered graph over partial sums. This keeps graphs small and
//! propagation strong.

use super::compile::{Compiler, Term};
use crate::grid::Cell;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// At most this many cells are taken together.
const MOST_TOGETHER: usize = 5;
/// Partial sums are stored with this offset, so that they are positive.
const OFFSET: i64 = 1 << 40;

impl Compiler {
    /// `Σ coefficient · digit = total`, where cells may repeat.
    pub(super) fn sum(&mut self, terms: &[(i32, Cell)], total: i32) {
        let mut merged: BTreeMap<Cell, i32> = BTreeMap::new();
        for &(coefficient, cell) in terms {
            *merged.entry(cell).or_default() += coefficient;
        }
        let mut total = i64::from(total);
        let mut open = Vec::new();
        for (cell, coefficient) in merged {
            match self.candidates[cell.index()].only() {
                Some(digit) => total -= i64::from(coefficient) * i64::from(digit.number()),
                None if coefficient != 0 => open.push((coefficient, cell)),
                None => {}
            }
        }
        self.weighted_sum(&open, total);
    }

    /// The same for different cells without known digits.
    pub(super) fn weighted_sum(&mut self, terms: &[(i32, Cell)], total: i64) {
        if terms.is_empty() {
            self.is_impossible |= total != 0;
            return;
        }
        let mut sets: Vec<(i32, Vec<Cell>)> = Vec::new();
        for &(coefficient, cell) in terms {
            let fits = |(other, cells): &&mut (i32, Vec<Cell>)| {
                *other == coefficient
                    && cells.len() < MOST_TOGETHER
                    && cells.iter().all(|&one| self.are_different(one, cell))
            };
            match sets.iter_mut().find(fits) {
                Some((_, cells)) => cells.push(cell),
                None => sets.push((coefficient, vec![cell])),
            }
        }
        if let [(coefficient, cells)] = &sets[..]
            && cells.len() > 1
        {
            let quotient = total / i64::from(*coefficient);
            if quotient * i64::from(*coefficient) != total || quotient <= 0 {
                self.is_impossible = true;
                return;
            }
            return self.cage(cells, quotient as u32);
        }
        // Large coefficients first keep the number of partial sums small.
        sets.sort_by_key(|(coefficient, _)| Reverse(coefficient.abs()));
        let positions: Vec<Vec<(i64, Term)>> = sets
            .iter()
            .map(|(coefficient, cells)| {
                let totals = self.totals(cells).into_iter();
                totals.map(|(value, term)| (value * i64::from(*coefficient), term)).collect()
            })
            .collect();
        self.partial_sums(&positions, total);
    }

    fn partial_sums(&mut self, positions: &[Vec<(i64, Term)>], total: i64) {
        // What the positions after each one add, at least and at most.
        let mut rest = vec![(0, 0); positions.len()];
        for at in (1..positions.len()).rev() {
            let values = || positions[at].iter().map(|value| value.0);
            let (least, most) = (values().min().unwrap_or(0), values().max().unwrap_or(0));
            rest[at - 1] = (rest[at].0 + least, rest[at].1 + most);
        }
        let next = |position: usize, state: u64, value: i64| {
            let sum = state as i64 - OFFSET + value;
            let (least, most) = rest[position];
            (sum + least <= total && total <= sum + most).then_some((sum + OFFSET) as u64)
        };
        self.layered(positions, OFFSET as u64, next, |state| state as i64 - OFFSET == total);
    }

    /// The possible sums of cells with different digits, each with a term.
    fn totals(&mut self, cells: &[Cell]) -> Vec<(i64, Term)> {
        if let [cell] = cells {
            return self.positions(&[*cell]).remove(0);
        }
        let combinations = self.combinations(cells, None);
        if combinations.is_empty() {
            self.is_impossible = true;
            return Vec::new();
        }
        let hidden: Vec<Term> = combinations.iter().map(|_| self.hidden()).collect();
        self.tie_to_cells(cells, &combinations, &hidden);
        let mut by_total: BTreeMap<i64, Vec<Term>> = BTreeMap::new();
        for (set, term) in combinations.iter().zip(hidden) {
            let total = set.map(|digit| i64::from(digit.number())).sum();
            by_total.entry(total).or_default().push(term);
        }
        by_total.into_iter().map(|(total, terms)| (total, self.one_of(terms))).collect()
    }
}
