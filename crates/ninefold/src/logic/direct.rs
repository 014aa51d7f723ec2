//! Direct forms: locked candidates and hidden subsets that leave a digit its last place at once.
//!
//! Sudoku Explainer counts them apart and rates them easier, because they can be seen without any pencil marks. Why
//! they are sound: the pattern takes all other places of the digit in a house. Said as a count: were the digit not in
//! the cell, the base house and the house in question would both need a place of the digit in the one line (or box)
//! where the base has it; or the digits of the subset and one digit more would need their places in too few cells.

use super::board::Board;
use super::locked::{Locked, each};
use super::subsets::each_combination;
use super::{Found, Technique};
use crate::grid::{CellSet, Digit, DigitSet};
use crate::proof::{Because, Count, OneOf, Step, Truth};
use std::ops::{ControlFlow, Range};

/// Pointing that makes a hidden single.
pub fn pointing<const W: usize>(position: &Board<W>, found: &mut Found<'_>) -> ControlFlow<()> {
    locked(position, position.boxes(), position.lines(), Technique::DirectPointing, found)
}

/// Claiming that makes a hidden single.
pub fn claiming<const W: usize>(position: &Board<W>, found: &mut Found<'_>) -> ControlFlow<()> {
    locked(position, position.lines(), position.boxes(), Technique::DirectClaiming, found)
}

fn locked<const W: usize>(
    position: &Board<W>,
    from: Range<usize>,
    towards: Range<usize>,
    technique: Technique,
    found: &mut Found<'_>,
) -> ControlFlow<()> {
    each(position, from, towards, &mut |Locked { digit, base, cover, hit }| {
        for house in (0..position.house_count()).filter(|house| ![base, cover].contains(house)) {
            let in_house = position.places_in(digit, house);
            let Some(cell) = (in_house - hit).only().filter(|_| in_house.meets(&hit)) else {
                continue;
            };
            let one_of = |house: usize| OneOf::House(position.house(house), digit);
            let because = Because::Count(Count {
                truths: vec![Truth::OneOf(one_of(base)), Truth::OneOf(one_of(house))],
                covers: vec![one_of(cover)],
            });
            found(Step::place(technique, cell, digit, because))?;
        }
        ControlFlow::Continue(())
    })
}

/// A hidden pair or triple that takes all places but one of another digit of its house.
pub fn hidden<const W: usize>(
    position: &Board<W>,
    technique: Technique,
    size: usize,
    found: &mut Found<'_>,
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
                    let Some(cell) = (places - cells).only().filter(|_| places.meets(&cells))
                    else {
                        continue;
                    };
                    let because = Because::Count(Count {
                        truths: subset
                            .with(other)
                            .map(|d| Truth::OneOf(OneOf::House(position.house(house), d)))
                            .collect(),
                        covers: cells.iter().map(OneOf::Cell).collect(),
                    });
                    found(Step::place(technique, cell, other, because))?;
                }
                ControlFlow::Continue(())
            },
        )?;
    }
    ControlFlow::Continue(())
}
