//! Cache of failed searches, so that techniques do not repeat them.
//!
//! The result of many techniques depends only on one digit or one house, and a step changes few of
//! these. The cache stores one word per digit and per house, with one bit for each such technique.
//! The bit is set when the technique has found nothing there. When a candidate is removed, the
//! words of its digit and of its houses are cleared completely.

use super::board::Board;
use super::{StepSink, Technique};
use crate::grid::Digit;
use crate::proof::{FishSize, Shape};
use std::cell::Cell;
use std::ops::ControlFlow;

/// One word per digit, followed by one word per house.
#[derive(Clone)]
pub(super) struct NegativeCache {
    found_nothing: Vec<Cell<u32>>,
    side: usize,
}

/// Test about a digit that several techniques share.
pub(super) enum Query {
    /// Whether there may be a basic fish of this size, with any fins.
    FinnedFish(FishSize),
}

impl NegativeCache {
    /// Creates an empty cache.
    pub fn new(side: usize) -> NegativeCache {
        NegativeCache { found_nothing: vec![Cell::new(0); 4 * side], side }
    }

    /// Clears the results for a digit after one of its candidates was removed.
    #[inline]
    pub fn invalidate_digit(&mut self, digit: Digit) {
        self.found_nothing[digit.index()].set(0);
    }

    /// Clears the results for houses after a candidate in them was removed.
    #[inline]
    pub fn invalidate_houses(&mut self, houses: [usize; 3]) {
        for house in houses {
            self.found_nothing[self.side + house].set(0);
        }
    }

    /// Runs a test about a digit, unless it failed before and the digit has not changed since.
    pub fn is_possible(&self, digit: Digit, query: Query, test: impl FnOnce() -> bool) -> bool {
        let Query::FinnedFish(size) = query;
        let (word, bit) = (&self.found_nothing[digit.index()], 1 << (FIRST_QUERY + size as u32));
        if word.get() & bit != 0 {
            return false;
        }
        let is_possible = test();
        if !is_possible {
            word.set(word.get() | bit);
        }
        is_possible
    }

    /// Runs a technique on a digit or house, unless it found nothing there before.
    fn search(
        &self,
        technique: Technique,
        unit: usize,
        emit: &mut StepSink<'_>,
        search: impl FnOnce(&mut StepSink<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (word, bit) = (&self.found_nothing[unit], bit_of(technique));
        if word.get() & bit != 0 {
            return ControlFlow::Continue(());
        }
        let mut found_nothing = true;
        search(&mut |step| {
            found_nothing = false;
            emit(step)
        })?;
        if found_nothing {
            word.set(word.get() | bit);
        }
        ControlFlow::Continue(())
    }
}

impl<const W: usize> Board<'_, W> {
    /// Runs a technique that depends on one digit for all digits where it may find something.
    pub(super) fn each_digit(
        &self,
        technique: Technique,
        emit: &mut StepSink<'_>,
        mut search: impl FnMut(Digit, &mut StepSink<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for digit in self.all_digits() {
            self.check_limits()?;
            self.negative_cache()
                .search(technique, digit.index(), emit, |emit| search(digit, emit))?;
        }
        ControlFlow::Continue(())
    }

    /// Runs a technique that depends on one house for all houses where it may find something.
    pub(super) fn each_house(
        &self,
        technique: Technique,
        emit: &mut StepSink<'_>,
        mut search: impl FnMut(usize, &mut StepSink<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let side = self.order().side();
        for house in 0..self.house_count() {
            self.check_limits()?;
            self.negative_cache()
                .search(technique, side + house, emit, |emit| search(house, emit))?;
        }
        ControlFlow::Continue(())
    }
}

/// The lower bits belong to techniques. The six bits from here on belong to queries, one for each
/// fish size.
const FIRST_QUERY: u32 = 26;

/// Returns the bit of a technique, or 0 if its results are not cached because it is rarely used.
fn bit_of(technique: Technique) -> u32 {
    let number = match technique {
        Technique::NakedSubset(size) => size as u32,
        Technique::HiddenSubset(size) => 3 + size as u32,
        Technique::Fish(fish)
            if fish.shape() == Shape::Basic
                && fish.size() <= FishSize::Jellyfish
                && !fish.is_siamese() =>
        {
            6 + 3 * fish.size() as u32 + fish.fins() as u32
        }
        Technique::Skyscraper => 15,
        Technique::TwoStringKite => 16,
        Technique::TurbotFish => 17,
        Technique::EmptyRectangle => 18,
        Technique::SimpleColoursTrap => 19,
        Technique::SimpleColoursWrap => 20,
        Technique::MultiColours(kind) => 21 + kind as u32,
        Technique::XChain => 23,
        _ => return 0,
    };
    1 << number
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Position;
    use crate::grid::{Candidates, Grid, Order};
    use crate::logic::{all_steps, default_order};
    use crate::proof::Candidate;

    /// Removes candidates one at a time and compares the results with and without the cache.
    #[test]
    fn cache_does_not_change_the_results() {
        let puzzle: Grid =
            ".7......5..5..329..4..8...79.....1.8.1..2.9....38...5...7.9..4.6...4.....9...2..."
                .parse()
                .unwrap();
        let mut position = Board::<2>::new(&puzzle, &Candidates::new(&puzzle).unwrap());
        let techniques: Vec<Technique> =
            default_order().into_iter().filter(|&t| bit_of(t) != 0).collect();
        assert_eq!(techniques.len(), 24);
        for cell in Order::NINE.cells().step_by(3) {
            if let Some(digit) =
                position.at(cell).into_iter().next().filter(|_| position.at(cell).count() > 1)
            {
                position.remove(Candidate::new(cell, digit));
            }
            for &technique in &techniques {
                let mut cached = Vec::new();
                let _ = crate::logic::each_step(technique, &position, &mut |step| {
                    cached.push(step);
                    ControlFlow::Continue(())
                });
                let fresh = Position::new(puzzle.clone(), position.candidates()).unwrap();
                assert_eq!(cached, all_steps(technique, &fresh), "{technique}");
            }
        }
    }
}
