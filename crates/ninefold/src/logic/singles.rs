//! Singles: full house, naked single, hidden single.
//!
//! Why they are sound: every cell holds a digit and every house holds every digit once, so the last candidate of a
//! cell, and the last place of a digit in a house, must be true.

use super::board::Board;
use super::{Found, Technique};
use crate::proof::{Because, Step};
use std::ops::ControlFlow;

/// The last empty cell of a house takes the digit the house still lacks.
pub fn full_house<const W: usize>(position: &Board<W>, found: &mut Found<'_>) -> ControlFlow<()> {
    for house in 0..position.house_count() {
        let Some(cell) = (position.cells(house) & position.empty()).only() else { continue };
        if let Some(digit) = position.at(cell).only() {
            let because = Because::LastPlaceIn(position.house(house));
            found(Step::place(Technique::FullHouse, cell, digit, because))?;
        }
    }
    ControlFlow::Continue(())
}

/// A cell with one candidate takes it.
pub fn naked<const W: usize>(position: &Board<W>, found: &mut Found<'_>) -> ControlFlow<()> {
    for cell in position.empty() {
        if let Some(digit) = position.at(cell).only() {
            found(Step::place(Technique::NakedSingle, cell, digit, Because::LastDigit))?;
        }
    }
    ControlFlow::Continue(())
}

/// A digit with one place in a house goes there.
pub fn hidden<const W: usize>(position: &Board<W>, found: &mut Found<'_>) -> ControlFlow<()> {
    hidden_in(position, position.boxes().chain(position.lines()), found)
}

/// The first digit with one place in a box.
pub fn first_hidden_in_box<const W: usize>(position: &Board<W>) -> Option<Step> {
    let mut first = None;
    let _ = hidden_in(position, position.boxes(), &mut |step| {
        first = Some(step);
        ControlFlow::Break(())
    });
    first
}

fn hidden_in<const W: usize>(
    position: &Board<W>,
    houses: impl Iterator<Item = usize>,
    found: &mut Found<'_>,
) -> ControlFlow<()> {
    for house in houses {
        for digit in digits_with_one_place(position, house) {
            if let Some(cell) = position.places_in(digit, house).only() {
                let because = Because::LastPlaceIn(position.house(house));
                found(Step::place(Technique::HiddenSingle, cell, digit, because))?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Adds the candidates of the house cell by cell: `twice` collects every digit that was met before.
fn digits_with_one_place<const W: usize>(
    position: &Board<W>,
    house: usize,
) -> crate::grid::DigitSet {
    let (mut once, mut twice) = (0, 0);
    for cell in position.cells(house) & position.empty() {
        let digits = position.at(cell).bits();
        twice |= once & digits;
        once |= digits;
    }
    crate::grid::DigitSet::from_bits(once & !twice)
}
