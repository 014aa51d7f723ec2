//! Locked candidates: a digit whose places in one house all lie in the crossing with another house.
//!
//! Why it is sound: the first house must have the digit in the crossing, so the other house has it there too and
//! nowhere else. Type 1 (pointing) looks from a box at a line, type 2 (claiming) from a line at a box.

use super::board::Board;
use super::{Found, Technique};
use crate::grid::{CellSet, Digit};
use crate::proof::{Because, Count, OneOf, Step, Truth};
use std::ops::{ControlFlow, Range};

/// The places in a box lie in one line: the digit leaves the rest of the line.
pub fn pointing<const W: usize>(position: &Board<W>, found: &mut Found<'_>) -> ControlFlow<()> {
    find(position, position.boxes(), position.lines(), Technique::Pointing, found)
}

/// The places in a line lie in one box: the digit leaves the rest of the box.
pub fn claiming<const W: usize>(position: &Board<W>, found: &mut Found<'_>) -> ControlFlow<()> {
    find(position, position.lines(), position.boxes(), Technique::Claiming, found)
}

fn find<const W: usize>(
    position: &Board<W>,
    from: Range<usize>,
    towards: Range<usize>,
    technique: Technique,
    found: &mut Found<'_>,
) -> ControlFlow<()> {
    each(position, from, towards, &mut |locked| {
        let Locked { digit, base, cover, hit } = locked;
        let because = Because::Count(Count {
            truths: vec![Truth::OneOf(OneOf::House(position.house(base), digit))],
            covers: vec![OneOf::House(position.house(cover), digit)],
        });
        found(Step::remove(technique, Board::candidates_of(hit, digit).collect(), because))
    })
}

/// A digit locked into the crossing of two houses.
#[derive(Clone, Copy)]
pub(super) struct Locked<const W: usize> {
    pub digit: Digit,
    /// The house that has the digit nowhere else.
    pub base: usize,
    /// The house that must therefore have it there.
    pub cover: usize,
    /// The other places of the digit in the cover, which lose it.
    pub hit: CellSet<W>,
}

/// Shows each digit that is locked into a crossing and takes places away.
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
