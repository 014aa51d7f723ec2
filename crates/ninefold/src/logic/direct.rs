//! Direct forms: locked candidates and hidden subsets that immediately leave a hidden single.
//!
//! Sudoku Explainer lists these forms separately and rates them easier, because they can be found
//! without pencil marks. A step contains only the placed digit and not the eliminations.
//!
//! Why they are sound: the pattern removes all places of a digit in a house except one. The proof
//! is a single counting argument. Suppose that the digit is not in this place. For locked
//! candidates, the house of the pattern and the house of the single then both need the digit in the
//! same line or box. For hidden subsets, the digits of the subset and the placed digit need more
//! cells than there are.

use super::board::Board;
use super::locked::{Locked, each};
use super::subsets::each_combination;
use super::{StepSink, Technique};
use crate::grid::{CellSet, Digit, DigitSet};
use crate::proof::{Count, OneOf, Reason, Step, Truth};
use std::ops::{ControlFlow, Range};

/// Pointing that leaves a hidden single.
pub fn pointing<const W: usize>(position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
    locked(position, position.boxes(), position.lines(), Technique::DirectPointing, emit)
}

/// Claiming that leaves a hidden single.
pub fn claiming<const W: usize>(position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
    locked(position, position.lines(), position.boxes(), Technique::DirectClaiming, emit)
}

fn locked<const W: usize>(
    position: &Board<W>,
    from: Range<usize>,
    towards: Range<usize>,
    technique: Technique,
    emit: &mut StepSink<'_>,
) -> ControlFlow<()> {
    each(position, from, towards, &mut |Locked { digit, base, cover, hit }| {
        for house in (0..position.house_count()).filter(|house| ![base, cover].contains(house)) {
            let in_house = position.places_in(digit, house);
            let Some(cell) = (in_house - hit).only().filter(|_| in_house.intersects(&hit)) else {
                continue;
            };
            let one_of = |house: usize| OneOf::House(position.house(house), digit);
            let reason = Reason::Count(Count {
                truths: vec![Truth::OneOf(one_of(base)), Truth::OneOf(one_of(house))],
                covers: vec![one_of(cover)],
            });
            emit(Step::place(technique, cell, digit, reason))?;
        }
        ControlFlow::Continue(())
    })
}

/// Hidden pair or triple that leaves one place for another digit of its house.
pub fn hidden<const W: usize>(
    position: &Board<W>,
    technique: Technique,
    size: usize,
    emit: &mut StepSink<'_>,
) -> ControlFlow<()> {
    for house in 0..position.house_count() {
        let all = position.digits_in(position.cells(house) & position.empty());
        let fits = |digit: &Digit| (2..=size).contains(&position.places_in(*digit, house).count());
        let digits: Vec<Digit> = all.filter(fits).collect();
        let join = |cells: CellSet<W>, digit: Digit| {
            let cells = cells | position.places_in(digit, house);
            (cells.count() <= size).then_some(cells)
        };
        each_combination(
            &digits,
            size,
            CellSet::EMPTY,
            &mut Vec::new(),
            &join,
            &mut |cells, chosen| {
                let subset: DigitSet = chosen.iter().copied().collect();
                for other in (all - subset).into_iter().filter(|_| cells.count() == size) {
                    let places = position.places_in(other, house);
                    let Some(cell) = (places - cells).only().filter(|_| places.intersects(&cells))
                    else {
                        continue;
                    };
                    let reason = Reason::Count(Count {
                        truths: subset
                            .with(other)
                            .map(|d| Truth::OneOf(OneOf::House(position.house(house), d)))
                            .collect(),
                        covers: cells.iter().map(OneOf::Cell).collect(),
                    });
                    emit(Step::place(technique, cell, other, reason))?;
                }
                ControlFlow::Continue(())
            },
        )?;
    }
    ControlFlow::Continue(())
}
