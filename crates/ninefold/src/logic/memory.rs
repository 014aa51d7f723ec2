//! Where techniques have looked in vain: this is where we remember it, so that none looks there again.
//!
//! Many techniques look at one digit or at one house and at nothing else, and a step changes few of these. So a
//! position keeps a word for each digit and each house with one bit for each such technique. The bit is set when the
//! technique has found nothing there; when a candidate of the digit or the house goes, the whole word is cleared.

use super::board::Board;
use super::{Found, Technique};
use crate::grid::Digit;
use crate::proof::{FishSize, Shape};
use std::cell::Cell;
use std::ops::ControlFlow;

/// One word for each unit: the digits first, then the houses.
#[derive(Clone)]
pub(super) struct Memory {
    in_vain: Vec<Cell<u32>>,
    side: usize,
}

/// What several techniques ask about a digit.
pub(super) enum Question {
    /// May there be a basic fish of this size, with fins of whatever sort?
    FinnedFish(FishSize),
}

impl Memory {
    /// Nobody has looked anywhere yet.
    pub fn new(side: usize) -> Memory {
        Memory { in_vain: vec![Cell::new(0); 4 * side], side }
    }

    /// A candidate of the digit has gone.
    #[inline]
    pub fn forget_digit(&mut self, digit: Digit) {
        self.in_vain[digit.index()].set(0);
    }

    /// A candidate in the houses has gone.
    #[inline]
    pub fn forget_houses(&mut self, houses: [usize; 3]) {
        for house in houses {
            self.in_vain[self.side + house].set(0);
        }
    }

    /// Asks a question about a digit, unless the answer was no and the digit has not changed since.
    pub fn may(&self, digit: Digit, question: Question, ask: impl FnOnce() -> bool) -> bool {
        let Question::FinnedFish(size) = question;
        let (word, bit) = (&self.in_vain[digit.index()], 1 << (FIRST_QUESTION + size as u32));
        if word.get() & bit != 0 {
            return false;
        }
        let may = ask();
        if !may {
            word.set(word.get() | bit);
        }
        may
    }

    /// Lets a technique look at a unit, unless it has done so in vain.
    fn look(
        &self,
        technique: Technique,
        unit: usize,
        found: &mut Found<'_>,
        look: impl FnOnce(&mut Found<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let (word, bit) = (&self.in_vain[unit], bit_of(technique));
        if word.get() & bit != 0 {
            return ControlFlow::Continue(());
        }
        let mut in_vain = true;
        look(&mut |step| {
            in_vain = false;
            found(step)
        })?;
        if in_vain {
            word.set(word.get() | bit);
        }
        ControlFlow::Continue(())
    }
}

impl<const W: usize> Board<'_, W> {
    /// Lets a technique that looks at one digit at a time look at all digits where it may find something.
    pub(super) fn each_digit(
        &self,
        technique: Technique,
        found: &mut Found<'_>,
        mut look: impl FnMut(Digit, &mut Found<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for digit in self.all_digits() {
            self.go_on()?;
            self.memory().look(technique, digit.index(), found, |found| look(digit, found))?;
        }
        ControlFlow::Continue(())
    }

    /// Lets a technique that looks at one house at a time look at all houses where it may find something.
    pub(super) fn each_house(
        &self,
        technique: Technique,
        found: &mut Found<'_>,
        mut look: impl FnMut(usize, &mut Found<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let side = self.order().side();
        for house in 0..self.house_count() {
            self.go_on()?;
            self.memory().look(technique, side + house, found, |found| look(house, found))?;
        }
        ControlFlow::Continue(())
    }
}

/// The bits below belong to techniques, those from here on to questions: six of them, one for each size of a fish.
const FIRST_QUESTION: u32 = 26;

/// The bit of a technique; none, so that nothing is remembered, for those that are rarely used.
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

    /// Removes candidates one by one; what is found with a memory must be what is found without one.
    #[test]
    fn remembering_changes_nothing_that_is_found() {
        let puzzle: Grid =
            ".7......5..5..329..4..8...79.....1.8.1..2.9....38...5...7.9..4.6...4.....9...2..."
                .parse()
                .unwrap();
        let mut position = Board::<2>::new(&puzzle, &Candidates::of(&puzzle).unwrap());
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
                let mut remembered = Vec::new();
                let _ = crate::logic::each_step(technique, &position, &mut |step| {
                    remembered.push(step);
                    ControlFlow::Continue(())
                });
                let anew = Position::new(puzzle.clone(), position.candidates()).unwrap();
                assert_eq!(remembered, all_steps(technique, &anew), "{technique}");
            }
        }
    }
}
