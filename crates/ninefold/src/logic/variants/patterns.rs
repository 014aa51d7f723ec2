//! Patterns in houses and rules: overlaps, locked candidates, subsets, fish, the law of leftovers.
//!
//! Each is a count: every truth contains a true candidate, every cover at most one.

use super::Variant;
use crate::grid::{Cell, Digit, DigitSet, House};
use crate::logic::StepSink;
use crate::logic::subsets::each_combination;
use crate::proof::{
    Candidate, Count, Fins, Fish, OneOf, Reason, Shape, Step, SubsetSize, Technique, Truth,
};
use std::ops::ControlFlow;

/// A digit with more places than this in a rule or a house is not tried.
const MOST_PLACES: usize = 6;
/// At most so many neighbouring lines are compared with regions.
const MOST_LINES: usize = 4;

fn is_line(house: House) -> bool {
    matches!(house, House::Row(_) | House::Column(_))
}

impl Variant<'_> {
    fn count(truths: Vec<Truth>, covers: Vec<OneOf>) -> Reason {
        Reason::Count(Count { truths, covers })
    }

    /// A digit that every filling of a rule contains, and cells that see all its places there.
    pub(super) fn overlaps(&self, emit: &mut StepSink<'_>) -> ControlFlow<()> {
        for propagator in &self.layout.propagators {
            self.check_limits()?;
            let domains: Vec<DigitSet> =
                propagator.cells.iter().map(|&cell| self.domain(cell)).collect();
            let Some(filtered) = propagator.filter(&domains, self.layout.side) else { continue };
            for digit in filtered.needed {
                let is_filled = |&cell: &Cell| self.candidates.grid()[cell] == Some(digit);
                let places: Vec<Candidate> = self
                    .places(&propagator.cells, digit)
                    .into_iter()
                    .map(|cell| Candidate::new(cell, digit))
                    .collect();
                if propagator.cells.iter().any(is_filled) || places.len() > MOST_PLACES {
                    continue;
                }
                let mut removes = self.excluded_by_all(&places);
                removes.retain(|target| !propagator.cells.contains(&target.cell));
                if !removes.is_empty() {
                    let truth = Truth::Needs(propagator.combined.clone(), digit);
                    let reason = Variant::count(vec![truth], Vec::new());
                    emit(Step::remove(Technique::CageOverlap, removes, reason))?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Pointing, claiming, and candidates that see all places or all digits in another way.
    pub(super) fn locked(&self, technique: Technique, emit: &mut StepSink<'_>) -> ControlFlow<()> {
        for (house, cells) in &self.layout.houses {
            let own = if is_line(*house) { Technique::Claiming } else { Technique::Pointing };
            if technique != Technique::CommonPeer && technique != own {
                continue;
            }
            self.check_limits()?;
            let digits = cells.iter().fold(DigitSet::EMPTY, |all, &cell| all | self.at(cell));
            for digit in digits {
                let places = self.places(cells, digit);
                if !(2..=MOST_PLACES).contains(&places.len()) {
                    continue;
                }
                let truth = Truth::OneOf(OneOf::House(*house, digit));
                if technique == Technique::CommonPeer {
                    let sources: Vec<Candidate> =
                        places.iter().map(|&cell| Candidate::new(cell, digit)).collect();
                    let removes = self.excluded_by_all(&sources);
                    if !removes.is_empty() {
                        let reason = Variant::count(vec![truth], Vec::new());
                        emit(Step::remove(technique, removes, reason))?;
                    }
                    continue;
                }
                for &cover in &self.layout.houses_of[places[0].index()] {
                    let (cover, cover_cells) = &self.layout.houses[cover];
                    if cover == house || !places.iter().all(|cell| cover_cells.contains(cell)) {
                        continue;
                    }
                    let others = self.places(cover_cells, digit);
                    let others = others.into_iter().filter(|cell| !places.contains(cell));
                    let removes: Vec<Candidate> =
                        others.map(|cell| Candidate::new(cell, digit)).collect();
                    if !removes.is_empty() {
                        let covers = vec![OneOf::House(*cover, digit)];
                        let reason = Variant::count(vec![truth.clone()], covers);
                        emit(Step::remove(technique, removes, reason))?;
                    }
                }
            }
        }
        if technique != Technique::CommonPeer {
            return ControlFlow::Continue(());
        }
        for cell in self.candidates.grid().empty_cells() {
            let digits = self.at(cell);
            if self.layout.special[cell.index()].is_empty() || digits.count() > MOST_PLACES {
                continue;
            }
            let sources: Vec<Candidate> = digits.map(|digit| Candidate::new(cell, digit)).collect();
            let removes = self.excluded_by_all(&sources);
            if !removes.is_empty() {
                let truth = Truth::OneOf(OneOf::Cell(cell));
                emit(Step::remove(technique, removes, Variant::count(vec![truth], Vec::new())))?;
            }
        }
        ControlFlow::Continue(())
    }

    pub(super) fn naked_subsets(
        &self,
        size: SubsetSize,
        emit: &mut StepSink<'_>,
    ) -> ControlFlow<()> {
        let (technique, size) = (Technique::NakedSubset(size), size.cells());
        for (house, cells) in &self.layout.houses {
            self.check_limits()?;
            let open: Vec<Cell> =
                cells.iter().copied().filter(|&cell| self.is_empty(cell)).collect();
            let few = |cell: &Cell| (2..=size).contains(&self.at(*cell).count());
            let few: Vec<Cell> = open.iter().copied().filter(few).collect();
            if open.len() <= size {
                continue;
            }
            let join = |digits: DigitSet, cell: Cell| {
                let digits = digits | self.at(cell);
                (digits.count() <= size).then_some(digits)
            };
            each_combination(
                &few,
                size,
                DigitSet::EMPTY,
                &mut Vec::new(),
                &join,
                &mut |digits, chosen| {
                    let others = open.iter().filter(|cell| !chosen.contains(cell));
                    let removes: Vec<Candidate> = others
                        .flat_map(|&cell| {
                            (self.at(cell) & digits).map(move |digit| Candidate::new(cell, digit))
                        })
                        .collect();
                    if digits.count() != size || removes.is_empty() {
                        return ControlFlow::Continue(());
                    }
                    let truths =
                        chosen.iter().map(|&cell| Truth::OneOf(OneOf::Cell(cell))).collect();
                    let covers = digits.map(|digit| OneOf::House(*house, digit)).collect();
                    emit(Step::remove(technique, removes, Variant::count(truths, covers)))
                },
            )?;
        }
        ControlFlow::Continue(())
    }

    pub(super) fn hidden_subsets(
        &self,
        size: SubsetSize,
        emit: &mut StepSink<'_>,
    ) -> ControlFlow<()> {
        let (technique, size) = (Technique::HiddenSubset(size), size.cells());
        for (house, cells) in &self.layout.houses {
            self.check_limits()?;
            let open: Vec<Cell> =
                cells.iter().copied().filter(|&cell| self.is_empty(cell)).collect();
            if open.len() <= size {
                continue;
            }
            let places = |digit: Digit| -> u64 {
                let has = |(_, cell): &(usize, &Cell)| self.at(**cell).contains(digit);
                open.iter().enumerate().filter(has).fold(0, |all, (at, _)| all | 1 << at)
            };
            let digits = open.iter().fold(DigitSet::EMPTY, |all, &cell| all | self.at(cell));
            let few: Vec<(Digit, u64)> = digits
                .map(|digit| (digit, places(digit)))
                .filter(|(_, places)| (2..=size as u32).contains(&places.count_ones()))
                .collect();
            let join = |cells: u64, (_, own): (Digit, u64)| {
                let cells = cells | own;
                (cells.count_ones() as usize <= size).then_some(cells)
            };
            each_combination(&few, size, 0, &mut Vec::new(), &join, &mut |cells, chosen| {
                let held: DigitSet = chosen.iter().map(|(digit, _)| *digit).collect();
                let in_set = |(at, _): &(usize, &Cell)| cells >> at & 1 == 1;
                let cells: Vec<Cell> =
                    open.iter().enumerate().filter(in_set).map(|(_, cell)| *cell).collect();
                let removes: Vec<Candidate> = cells
                    .iter()
                    .flat_map(|&cell| {
                        (self.at(cell) - held).map(move |digit| Candidate::new(cell, digit))
                    })
                    .collect();
                if cells.len() != size || removes.is_empty() {
                    return ControlFlow::Continue(());
                }
                let truths = held.map(|digit| Truth::OneOf(OneOf::House(*house, digit))).collect();
                let covers = cells.into_iter().map(OneOf::Cell).collect();
                emit(Step::remove(technique, removes, Variant::count(truths, covers)))
            })?;
        }
        ControlFlow::Continue(())
    }

    /// Fish without fins: rows against columns.
    pub(super) fn fish(&self, fish: Fish, emit: &mut StepSink<'_>) -> ControlFlow<()> {
        let size = fish.size() as usize + 2;
        if fish.shape() != Shape::Basic || fish.fins() != Fins::None || size > 4 {
            return ControlFlow::Continue(());
        }
        let side = self.layout.side;
        for digit in DigitSet::up_to(side) {
            for (bases, covers) in [(0..side, side..2 * side), (side..2 * side, 0..side)] {
                self.check_limits()?;
                let has = |cell: &Cell| self.at(*cell).contains(digit);
                let crossings = |house: usize| -> u64 {
                    let cells = self.layout.houses[house].1.iter().enumerate();
                    cells.filter(|(_, cell)| has(cell)).fold(0, |all, (at, _)| all | 1 << at)
                };
                let lines: Vec<(usize, u64)> = bases
                    .map(|house| (house, crossings(house)))
                    .filter(|(_, places)| (2..=size as u32).contains(&places.count_ones()))
                    .collect();
                let join = |all: u64, (_, places): (usize, u64)| {
                    let all = all | places;
                    (all.count_ones() as usize <= size).then_some(all)
                };
                each_combination(&lines, size, 0, &mut Vec::new(), &join, &mut |all, chosen| {
                    let crossing: Vec<usize> = covers
                        .clone()
                        .filter(|house| all >> (house - covers.start) & 1 == 1)
                        .collect();
                    let in_bases = |cell: &Cell| {
                        chosen.iter().any(|(base, _)| self.layout.houses[*base].1.contains(cell))
                    };
                    let removes: Vec<Candidate> = crossing
                        .iter()
                        .flat_map(|&house| &self.layout.houses[house].1)
                        .filter(|cell| has(cell) && !in_bases(cell))
                        .map(|&cell| Candidate::new(cell, digit))
                        .collect();
                    if removes.is_empty() || crossing.len() != size {
                        return ControlFlow::Continue(());
                    }
                    let of = |house: usize| OneOf::House(self.layout.houses[house].0, digit);
                    let truths = chosen.iter().map(|(base, _)| Truth::OneOf(of(*base))).collect();
                    let covers = crossing.into_iter().map(of).collect();
                    let reason = Variant::count(truths, covers);
                    emit(Step::remove(Technique::Fish(fish), removes, reason))
                })?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Neighbouring lines against as many other houses that nearly cover them: a digit that is
    /// missing in the cells that stick out on one side is missing on the other side too.
    pub(super) fn leftovers(&self, emit: &mut StepSink<'_>) -> ControlFlow<()> {
        let side = self.layout.side;
        let regions: Vec<usize> = (0..self.layout.houses.len())
            .filter(|&at| !is_line(self.layout.houses[at].0))
            .collect();
        for first_line in [0, side] {
            for count in 2..=MOST_LINES.min(side - 1) {
                for first in 0..=side - count {
                    self.check_limits()?;
                    let lines: Vec<usize> =
                        (first_line + first..first_line + first + count).collect();
                    let in_lines = |cell: &Cell| {
                        lines.iter().any(|&line| self.layout.houses[line].1.contains(cell))
                    };
                    let inside = |&at: &usize| {
                        self.layout.houses[at].1.iter().filter(|cell| in_lines(cell)).count()
                    };
                    let mut chosen: Vec<usize> =
                        regions.iter().copied().filter(|at| 2 * inside(at) > side).collect();
                    chosen.sort_by_key(|at| std::cmp::Reverse(inside(at)));
                    // Overlapping houses could share a digit.
                    let mut covered: Vec<Cell> = Vec::new();
                    chosen.retain(|&at| {
                        let cells = &self.layout.houses[at].1;
                        let is_free = covered.len() < count * side
                            && cells.iter().all(|cell| !covered.contains(cell));
                        if is_free {
                            covered.extend(cells);
                        }
                        is_free
                    });
                    if chosen.len() == count {
                        self.leftovers_between(&lines, &chosen, emit)?;
                        self.leftovers_between(&chosen, &lines, emit)?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Digits whose places in the base houses are all in the cover houses.
    fn leftovers_between(
        &self,
        bases: &[usize],
        covers: &[usize],
        emit: &mut StepSink<'_>,
    ) -> ControlFlow<()> {
        let cells_of = |houses: &[usize]| -> Vec<Cell> {
            houses.iter().flat_map(|&house| self.layout.houses[house].1.iter().copied()).collect()
        };
        let (in_bases, in_covers) = (cells_of(bases), cells_of(covers));
        for digit in DigitSet::up_to(self.layout.side) {
            let open = |houses: &[usize]| -> Vec<OneOf> {
                let missing =
                    |&&house: &&usize| !self.places(&self.layout.houses[house].1, digit).is_empty();
                let of = |&house: &usize| OneOf::House(self.layout.houses[house].0, digit);
                houses.iter().filter(missing).map(of).collect()
            };
            let (truths, covers) = (open(bases), open(covers));
            let sticks_out =
                |cell: &Cell| self.at(*cell).contains(digit) && !in_covers.contains(cell);
            if truths.len() < 2 || truths.len() != covers.len() || in_bases.iter().any(sticks_out) {
                continue;
            }
            let removes: Vec<Candidate> = in_covers
                .iter()
                .filter(|cell| self.at(**cell).contains(digit) && !in_bases.contains(cell))
                .map(|&cell| Candidate::new(cell, digit))
                .collect();
            if !removes.is_empty() {
                let truths = truths.into_iter().map(Truth::OneOf).collect();
                let reason = Variant::count(truths, covers);
                emit(Step::remove(Technique::LawOfLeftovers, removes, reason))?;
            }
        }
        ControlFlow::Continue(())
    }
}
