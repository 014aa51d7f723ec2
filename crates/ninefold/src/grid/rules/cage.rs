//! Killer cages: different digits with a sum.
//!
//! A cage has few combinations of digits, at most twelve on 9×9. Each is a hidden candidate:
//! exactly one combination is true, and a digit is either in one of the cells or absent from the
//! combination.

use super::compile::{Compiler, Term};
use super::groups::GroupKind;
use crate::grid::{Cell, Digit, DigitSet};

/// A cage with more combinations is compiled as different cells and a sum.
const MOST_COMBINATIONS: usize = 400;

impl Compiler {
    pub(super) fn cage(&mut self, cells: &[Cell], sum: u32) {
        let side = self.side;
        if cells.len() == side && sum as usize == side * (side + 1) / 2 {
            return self.differ(cells, GroupKind::House);
        }
        let combinations = self.combinations(cells, Some(sum));
        if combinations.len() > MOST_COMBINATIONS {
            self.differ(cells, GroupKind::House);
            return self.weighted_sum(
                &cells.iter().map(|&cell| (1, cell)).collect::<Vec<_>>(),
                sum.into(),
            );
        }
        let hidden: Vec<Term> = match combinations.len() {
            0 => {
                self.is_impossible = true;
                return;
            }
            1 => vec![Term::True],
            _ => combinations.iter().map(|_| self.hidden()).collect(),
        };
        self.tie_to_cells(cells, &combinations, &hidden);
    }

    /// Exactly one combination is true, and the cells contain its digits.
    pub(super) fn tie_to_cells(
        &mut self,
        cells: &[Cell],
        combinations: &[DigitSet],
        hidden: &[Term],
    ) {
        self.exactly_one(GroupKind::Combinations, hidden.iter().copied());
        self.note_cage(cells, combinations, hidden[0]);
        for index in 0..self.side {
            let digit = Digit::from_index(index);
            let in_cells: Vec<Term> = cells.iter().map(|&cell| self.term(cell, digit)).collect();
            let without = combinations.iter().zip(hidden).filter(|(set, _)| !set.contains(digit));
            let terms: Vec<Term> = in_cells.into_iter().chain(without.map(|(_, t)| *t)).collect();
            self.exactly_one(GroupKind::Cage, terms);
        }
    }

    /// The sets of digits that fit into these cells, with this sum if one is given. The list stops
    /// beyond [`MOST_COMBINATIONS`].
    pub(super) fn combinations(&self, cells: &[Cell], sum: Option<u32>) -> Vec<DigitSet> {
        let at = |cell: &Cell| self.candidates[cell.index()];
        let none = DigitSet::from_bits(0);
        let union = cells.iter().fold(none, |all, cell| all | at(cell));
        let known = cells.iter().filter_map(|cell| at(cell).only());
        let required = known.fold(none, DigitSet::with);
        let mut search = Combinations {
            side: self.side,
            union: union.bits(),
            required: required.bits(),
            sum,
            found: Vec::new(),
        };
        search.extend(cells.len() as u32, 0, 0, 0);
        // A combination needs a cell for each of its digits, and a digit for each cell.
        search.found.retain(|set| {
            cells.iter().all(|cell| !(at(cell) & *set).is_empty())
                && set.into_iter().all(|digit| cells.iter().any(|cell| at(cell).contains(digit)))
        });
        search.found
    }
}

struct Combinations {
    side: usize,
    /// The digits that some cell can take.
    union: u64,
    /// The digits that are already in the cells.
    required: u64,
    sum: Option<u32>,
    found: Vec<DigitSet>,
}

impl Combinations {
    /// Adds `left` more digits, all larger than those in `chosen`, whose sum is `total`.
    fn extend(&mut self, left: u32, from: usize, chosen: u64, total: u32) {
        if self.found.len() > MOST_COMBINATIONS {
            return;
        }
        if left == 0 {
            if self.sum.is_none_or(|sum| sum == total) && self.required & !chosen == 0 {
                self.found.push(DigitSet::from_bits(chosen));
            }
            return;
        }
        for index in from..self.side {
            let digit = index as u32 + 1;
            if let Some(sum) = self.sum {
                let least = (0..left).map(|more| digit + more).sum::<u32>();
                let side = self.side as u32;
                let most = digit + (1..left).map(|more| side + 1 - more).sum::<u32>();
                if total + least > sum {
                    return;
                }
                if total + most < sum {
                    continue;
                }
            }
            if self.union >> index & 1 == 1 {
                self.extend(left - 1, index + 1, chosen | 1 << index, total + digit);
            }
        }
    }
}
