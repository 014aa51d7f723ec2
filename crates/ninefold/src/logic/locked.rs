//! Locked candidates: all places of a digit in one house are in the intersection with another
//! house.
//!
//! Why it is sound: the first house needs the digit in the intersection, so the second house has it
//! there and nowhere else. Type 1 (pointing) goes from a box to a line, type 2 (claiming) from a
//! line to a box.

use super::board::Board;
use super::{StepSink, Technique};
use crate::grid::{CellSet, Digit};
use crate::proof::{Count, OneOf, Reason, Step, Truth};
use std::ops::{ControlFlow, Range};

/// The places in a box are in one line, so the digit is removed from the rest of the line.
pub fn pointing<const W: usize>(position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
    find(position, position.boxes(), position.lines(), Technique::Pointing, emit)
}

/// The places in a line are in one box, so the digit is removed from the rest of the box.
pub fn claiming<const W: usize>(position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
    find(position, position.lines(), position.boxes(), Technique::Claiming, emit)
}

fn find<const W: usize>(
    position: &Board<W>,
    from: Range<usize>,
    towards: Range<usize>,
    technique: Technique,
    emit: &mut StepSink<'_>,
) -> ControlFlow<()> {
    each(position, from, towards, &mut |locked| {
        let Locked { digit, base, cover, hit } = locked;
        let reason = Reason::Count(Count {
            truths: vec![Truth::OneOf(OneOf::House(position.house(base), digit))],
            covers: vec![OneOf::House(position.house(cover), digit)],
        });
        emit(Step::remove(technique, Board::candidates_of(hit, digit).collect(), reason))
    })
}

/// Digit that is locked in the intersection of two houses.
#[derive(Clone, Copy)]
pub(super) struct Locked<const W: usize> {
    pub digit: Digit,
    /// House whose places for the digit are all in the intersection.
    pub base: usize,
    /// House that must therefore have the digit in the intersection.
    pub cover: usize,
    /// Other places of the digit in the cover house, which are removed.
    pub hit: CellSet<W>,
}

/// Calls the callback for each digit that is locked in an intersection and removes candidates.
pub(super) fn each<const W: usize>(
    position: &Board<W>,
    from: Range<usize>,
    towards: Range<usize>,
    see: &mut dyn FnMut(Locked<W>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    for base in from {
        for digit in position.digits_in(position.cells(base) & position.empty()) {
            let places = position.places_in(digit, base);
            for cover in position.houses_around(places).filter(|house| towards.contains(house)) {
                let hit = position.places_in(digit, cover) - places;
                if places.count() >= 2 && !hit.is_empty() {
                    see(Locked { digit, base, cover, hit })?;
                }
            }
        }
    }
    ControlFlow::Continue(())
}
