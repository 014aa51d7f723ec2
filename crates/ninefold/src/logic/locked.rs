//! Locked candidates: a digit whose places in one house all lie in the crossing with another house.
//!
//! Why it is sound: the first house must have the digit in the crossing, so the other house has it there too and
//! nowhere else. Type 1 (pointing) looks from a box at a line, type 2 (claiming) from a line at a box.

use super::position::Position;
use super::step::{Because, Count, OneOf, Step, Truth};
use super::{Found, Technique};
use std::ops::{ControlFlow, Range};

/// The places in a box lie in one line: the digit leaves the rest of the line.
pub fn pointing<const W: usize>(position: &Position<W>, found: &mut Found<'_>) -> ControlFlow<()> {
    find(position, position.boxes(), position.lines(), Technique::Pointing, found)
}

/// The places in a line lie in one box: the digit leaves the rest of the box.
pub fn claiming<const W: usize>(position: &Position<W>, found: &mut Found<'_>) -> ControlFlow<()> {
    find(position, position.lines(), position.boxes(), Technique::Claiming, found)
}

fn find<const W: usize>(
    position: &Position<W>,
    from: Range<usize>,
    towards: Range<usize>,
    technique: Technique,
    found: &mut Found<'_>,
) -> ControlFlow<()> {
    for base in from {
        for digit in position.digits_in(position.cells(base) & position.empty()) {
            let places = position.places_in(digit, base);
            for cover in position.houses_around(places).filter(|house| towards.contains(house)) {
                let hit = position.places_in(digit, cover) - places;
                if places.count() < 2 || hit.is_empty() {
                    continue;
                }
                let because = Because::Count(Count {
                    truths: vec![Truth::OneOf(OneOf::House(position.house(base), digit))],
                    covers: vec![OneOf::House(position.house(cover), digit)],
                });
                found(Step::remove(technique, Position::candidates_of(hit, digit).collect(), because))?;
            }
        }
    }
    ControlFlow::Continue(())
}
