//! Naked and hidden subsets: n cells of a house that must contain exactly n digits.
//!
//! Why they are sound: n cells with only n candidate digits use up these digits in every house that
//! contains all the cells (naked). n digits with only n places in a house use up these cells
//! (hidden). A naked subset in the intersection of a line and a box is valid in both houses and is
//! called locked.

use super::board::Board;
use super::{StepSink, Technique};
use crate::grid::{Cell, CellSet, Digit, DigitSet};
use crate::proof::{Candidate, Count, OneOf, Reason, Step, SubsetSize, Truth};
use std::ops::ControlFlow;

/// `size` cells of a house with `size` candidate digits, which are removed from the rest of the
/// house.
pub fn naked<const W: usize>(
    position: &Board<W>,
    size: SubsetSize,
    emit: &mut StepSink<'_>,
) -> ControlFlow<()> {
    let (technique, size) = (Technique::NakedSubset(size), size.cells());
    position.each_house(technique, emit, |house, emit| {
        each_naked(position, house, size, &mut |cells, digits| {
            report_naked(position, technique, &[house], cells, digits, emit)
        })
    })
}

/// A naked subset in the intersection of a line and a box. The digits are removed from both.
pub fn locked<const W: usize>(
    position: &Board<W>,
    technique: Technique,
    size: usize,
    emit: &mut StepSink<'_>,
) -> ControlFlow<()> {
    for square in position.boxes() {
        each_naked(position, square, size, &mut |cells, digits| {
            let around: Vec<usize> = position.houses_around(cells).collect();
            let loses = |house: &usize| {
                digits.into_iter().any(|d| !(position.places_in(d, *house) - cells).is_empty())
            };
            if around.len() < 2 || !around.iter().all(loses) {
                return ControlFlow::Continue(());
            }
            report_naked(position, technique, &around, cells, digits, emit)
        })?;
    }
    ControlFlow::Continue(())
}

/// `size` digits of a house with `size` places. Other digits are removed from these cells.
pub fn hidden<const W: usize>(
    position: &Board<W>,
    size: SubsetSize,
    emit: &mut StepSink<'_>,
) -> ControlFlow<()> {
    let (technique, size) = (Technique::HiddenSubset(size), size.cells());
    position.each_house(technique, emit, |house, emit| {
        let open = position.cells(house) & position.empty();
        if open.count() <= size {
            return ControlFlow::Continue(());
        }
        let fits = |digit: &Digit| (2..=size).contains(&position.places_in(*digit, house).count());
        let digits: Vec<Digit> = position.digits_in(open).filter(fits).collect();
        each_combination(
            &digits,
            size,
            CellSet::EMPTY,
            &mut Vec::new(),
            &|cells: CellSet<W>, digit: Digit| {
                let cells = cells | position.places_in(digit, house);
                (cells.count() <= size).then_some(cells)
            },
            &mut |cells, chosen| {
                let chosen: DigitSet = chosen.iter().copied().collect();
                let removes: Vec<Candidate> = cells
                    .iter()
                    .flat_map(|cell| {
                        (position.at(cell) - chosen).map(move |digit| Candidate::new(cell, digit))
                    })
                    .collect();
                if cells.count() != size || removes.is_empty() {
                    return ControlFlow::Continue(());
                }
                let reason = Reason::Count(Count {
                    truths: chosen
                        .map(|digit| Truth::OneOf(OneOf::House(position.house(house), digit)))
                        .collect(),
                    covers: cells.iter().map(OneOf::Cell).collect(),
                });
                emit(Step::remove(technique, removes, reason))
            },
        )
    })
}

/// Callback that receives the cells and digits of a naked subset.
type SubsetSink<'a, const W: usize> = dyn FnMut(CellSet<W>, DigitSet) -> ControlFlow<()> + 'a;

fn each_naked<const W: usize>(
    position: &Board<W>,
    house: usize,
    size: usize,
    use_it: &mut SubsetSink<'_, W>,
) -> ControlFlow<()> {
    let open = position.cells(house) & position.empty();
    if open.count() <= size {
        return ControlFlow::Continue(());
    }
    let cells: Vec<Cell> =
        open.iter().filter(|&cell| (2..=size).contains(&position.at(cell).count())).collect();
    each_combination(
        &cells,
        size,
        DigitSet::EMPTY,
        &mut Vec::new(),
        &|digits: DigitSet, cell: Cell| {
            let digits = digits | position.at(cell);
            (digits.count() <= size).then_some(digits)
        },
        &mut |digits, chosen| {
            if digits.count() != size {
                return ControlFlow::Continue(());
            }
            use_it(chosen.iter().copied().collect(), digits)
        },
    )
}

fn report_naked<const W: usize>(
    position: &Board<W>,
    technique: Technique,
    houses: &[usize],
    cells: CellSet<W>,
    digits: DigitSet,
    emit: &mut StepSink<'_>,
) -> ControlFlow<()> {
    let rest =
        houses.iter().fold(CellSet::EMPTY, |rest, &house| rest | position.cells(house)) - cells;
    let removes: Vec<Candidate> = digits
        .flat_map(|digit| Board::candidates_of(position.places(digit) & rest, digit))
        .collect();
    if removes.is_empty() {
        return ControlFlow::Continue(());
    }
    let count_in = |&house: &usize| {
        Reason::Count(Count {
            truths: cells.iter().map(|cell| Truth::OneOf(OneOf::Cell(cell))).collect(),
            covers: digits.map(|digit| OneOf::House(position.house(house), digit)).collect(),
        })
    };
    let mut parts: Vec<Reason> = houses.iter().map(count_in).collect();
    let reason = if parts.len() == 1 { parts.remove(0) } else { Reason::Together(parts) };
    emit(Step::remove(technique, removes, reason))
}

/// Enumerates the combinations of `size` items. `join` adds an item to an accumulated value or
/// rejects it.
pub(super) fn each_combination<T: Copy, G: Copy>(
    items: &[T],
    size: usize,
    gathered: G,
    chosen: &mut Vec<T>,
    join: &dyn Fn(G, T) -> Option<G>,
    visit: &mut dyn FnMut(G, &[T]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if chosen.len() == size {
        return visit(gathered, chosen);
    }
    let missing = size - chosen.len();
    for index in 0..(items.len() + 1).saturating_sub(missing) {
        if let Some(gathered) = join(gathered, items[index]) {
            chosen.push(items[index]);
            let flow = each_combination(&items[index + 1..], size, gathered, chosen, join, visit);
            chosen.pop();
            flow?;
        }
    }
    ControlFlow::Continue(())
}
