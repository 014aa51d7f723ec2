//! Singles: full house, naked single, hidden single.
//!
//! Why they are sound: every cell contains a digit and every house contains every digit once. So
//! the last candidate of a cell, and the last place of a digit in a house, must be true.

use super::board::Board;
use super::{StepSink, Technique};
use crate::proof::{Reason, Step};
use std::ops::ControlFlow;

/// The last empty cell of a house takes the missing digit.
pub fn full_house<const W: usize>(position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
    for house in 0..position.house_count() {
        let Some(cell) = (position.cells(house) & position.empty()).only() else { continue };
        if let Some(digit) = position.at(cell).only() {
            let reason = Reason::LastPlaceIn(position.house(house));
            emit(Step::place(Technique::FullHouse, cell, digit, reason))?;
        }
    }
    ControlFlow::Continue(())
}

/// A cell with one candidate takes it.
pub fn naked<const W: usize>(position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
    for cell in position.empty() {
        if let Some(digit) = position.at(cell).only() {
            emit(Step::place(Technique::NakedSingle, cell, digit, Reason::LastDigit))?;
        }
    }
    ControlFlow::Continue(())
}

/// A digit with one place in a house is placed there.
pub fn hidden<const W: usize>(position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
    hidden_in(position, position.boxes().chain(position.lines()), emit)
}

/// Returns the first digit with one place in a box.
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
    emit: &mut StepSink<'_>,
) -> ControlFlow<()> {
    for house in houses {
        for digit in digits_with_one_place(position, house) {
            if let Some(cell) = position.places_in(digit, house).only() {
                let reason = Reason::LastPlaceIn(position.house(house));
                emit(Step::place(Technique::HiddenSingle, cell, digit, reason))?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Combines the candidates of the house cell by cell. `twice` collects every digit that occurs more
/// than once.
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
