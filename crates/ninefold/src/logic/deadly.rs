//! Eliminations from a deadly pattern: cells with two digits each, such as a unique rectangle or a
//! BUG, in which the two digits could be exchanged without violating a rule.
//!
//! Why they are sound: if every cell of the pattern contained one of its two digits, the digits
//! could be exchanged and the puzzle would have a second solution. So at least one of the other
//! candidates in these cells, the guardians, is true. This assumes that the puzzle has a unique
//! solution.
//!
//! - Type 1: all guardians are in one cell, which loses the two digits of the pattern.
//! - Type 2: all guardians have the same digit, which is removed from the cells that see all of
//!   them.
//! - Type 3: two cells have guardians. They act as one cell of a naked subset, with the digits of
//!   the guardians as its candidates.
//! - Type 4: one digit of the pattern must be in one of the two cells with guardians, so the other
//!   digit of the pattern is removed from both.

use super::board::Board;
use super::subsets::each_combination;
use super::{StepSink, Technique};
use crate::grid::{Cell, CellSet, Digit, DigitSet};
use crate::proof::{Candidate, Count, Deadly, OneOf, Reason, Step, Truth};
use std::ops::ControlFlow;

pub(super) struct Pattern<const W: usize> {
    cells: Vec<(Cell, DigitSet)>,
    guardians: Vec<Candidate>,
    /// Cells with guardians.
    pub guarded: CellSet<W>,
}

impl<const W: usize> Pattern<W> {
    /// Creates the pattern from cells with two digits each. Returns `None` if there are no
    /// guardians.
    pub fn new(position: &Board<W>, cells: Vec<(Cell, DigitSet)>) -> Option<Pattern<W>> {
        let guards = |&(cell, pair): &(Cell, DigitSet)| {
            (position.at(cell) - pair).map(move |d| Candidate::new(cell, d))
        };
        let guardians: Vec<Candidate> = cells.iter().flat_map(guards).collect();
        let guarded = guardians.iter().map(|candidate| candidate.cell).collect();
        (!guardians.is_empty()).then_some(Pattern { cells, guardians, guarded })
    }

    fn pair_of(&self, cell: Cell) -> DigitSet {
        self.cells
            .iter()
            .find(|(other, _)| *other == cell)
            .map_or(DigitSet::EMPTY, |(_, pair)| *pair)
    }

    /// Returns the proof from the guardians and the additional truths and covers.
    pub fn proof(&self, truths: impl IntoIterator<Item = OneOf>, covers: Vec<OneOf>) -> Reason {
        let guardians = Truth::Guardians(Deadly { cells: self.cells.clone() });
        let truths =
            std::iter::once(guardians).chain(truths.into_iter().map(Truth::OneOf)).collect();
        Reason::Count(Count { truths, covers })
    }

    /// All guardians are in one cell.
    pub fn type_1(
        &self,
        position: &Board<W>,
        technique: Technique,
        emit: &mut StepSink<'_>,
    ) -> ControlFlow<()> {
        let Some(cell) = self.guarded.only() else { return ControlFlow::Continue(()) };
        let removes = (position.at(cell) & self.pair_of(cell))
            .map(|digit| Candidate::new(cell, digit))
            .collect();
        self.report(technique, removes, [], Vec::new(), emit)
    }

    /// Returns the digit of all guardians if they have only one.
    pub fn only_digit(&self) -> Option<Digit> {
        self.guardians.iter().map(|candidate| candidate.digit).collect::<DigitSet>().only()
    }

    /// All guardians have the same digit and are in several cells.
    pub fn type_2(
        &self,
        position: &Board<W>,
        technique: Technique,
        emit: &mut StepSink<'_>,
    ) -> ControlFlow<()> {
        let (Some(digit), true) = (self.only_digit(), self.guarded.count() > 1) else {
            return ControlFlow::Continue(());
        };
        let hit = position.places(digit) & position.common_peers(self.guarded);
        self.report(technique, Board::candidates_of(hit, digit).collect(), [], Vec::new(), emit)
    }

    /// The guardians of two cells and some other cells of their house form a naked subset.
    pub fn type_3(
        &self,
        position: &Board<W>,
        technique: Technique,
        emit: &mut StepSink<'_>,
    ) -> ControlFlow<()> {
        if self.guarded.count() != 2 {
            return ControlFlow::Continue(());
        }
        let digits: DigitSet = self.guardians.iter().map(|candidate| candidate.digit).collect();
        for house in position.houses_around(self.guarded).collect::<Vec<_>>() {
            let others = ((position.cells(house) & position.empty()) - self.guarded).to_vec();
            for size in 1..others.len() {
                let join = |digits: DigitSet, cell: Cell| {
                    let digits = digits | position.at(cell);
                    (digits.count() <= size + 1).then_some(digits)
                };
                each_combination(
                    &others,
                    size,
                    digits,
                    &mut Vec::new(),
                    &join,
                    &mut |digits, chosen| {
                        if digits.count() != size + 1 {
                            return ControlFlow::Continue(());
                        }
                        self.subset(position, technique, house, digits, chosen, emit)
                    },
                )?;
            }
        }
        ControlFlow::Continue(())
    }

    fn subset(
        &self,
        position: &Board<W>,
        technique: Technique,
        house: usize,
        digits: DigitSet,
        chosen: &[Cell],
        emit: &mut StepSink<'_>,
    ) -> ControlFlow<()> {
        let chosen_set: CellSet<W> = chosen.iter().copied().collect();
        let proof_in = |house: usize| {
            let covers = digits.map(|digit| OneOf::House(position.house(house), digit)).collect();
            self.proof(chosen.iter().map(|&cell| OneOf::Cell(cell)), covers)
        };
        let hit_in = |house: usize| {
            let rest = position.cells(house) - chosen_set - self.guarded;
            digits.flat_map(move |digit| Board::candidates_of(position.places(digit) & rest, digit))
        };
        // A subset in the intersection of a line and a box is valid in both.
        let both = position.houses_around(self.guarded | chosen_set).collect::<Vec<_>>();
        let removes: Vec<Candidate> = both.iter().flat_map(|&house| hit_in(house)).collect();
        if both.len() > 1 && both[0] == house && !removes.is_empty() {
            let reason = Reason::Together(both.iter().map(|&house| proof_in(house)).collect());
            return emit(Step::remove(technique, removes, reason));
        }
        if both.len() > 1 || removes.is_empty() {
            return ControlFlow::Continue(());
        }
        emit(Step::remove(technique, removes, proof_in(house)))
    }

    /// Two guarded cells are the only places of a pattern digit in a house.
    pub fn type_4(
        &self,
        position: &Board<W>,
        technique: Technique,
        emit: &mut StepSink<'_>,
    ) -> ControlFlow<()> {
        if self.guarded.count() != 2 {
            return ControlFlow::Continue(());
        }
        for house in position.houses_around(self.guarded).collect::<Vec<_>>() {
            let shared = self
                .guarded
                .iter()
                .fold(position.all_digits(), |shared, cell| shared & self.pair_of(cell));
            for kept in shared.filter(|&digit| position.places_in(digit, house) == self.guarded) {
                let others = |cell: Cell| {
                    (position.at(cell) & self.pair_of(cell))
                        .without(kept)
                        .map(move |digit| Candidate::new(cell, digit))
                };
                let removes = self.guarded.iter().flat_map(others).collect();
                let truth = OneOf::House(position.house(house), kept);
                let covers = self.guarded.iter().map(OneOf::Cell).collect();
                self.report(technique, removes, [truth], covers, emit)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Reports a step unless it removes nothing.
    pub fn report(
        &self,
        technique: Technique,
        removes: Vec<Candidate>,
        truths: impl IntoIterator<Item = OneOf>,
        covers: Vec<OneOf>,
        emit: &mut StepSink<'_>,
    ) -> ControlFlow<()> {
        if removes.is_empty() {
            return ControlFlow::Continue(());
        }
        emit(Step::remove(technique, removes, self.proof(truths, covers)))
    }
}
