//! Steps for puzzles with rules beyond rows, columns and boxes.
//!
//! Houses, peers and rules are data here, so the same finders serve jigsaws, killers and any other
//! variant. The rules of a puzzle are prepared once as propagators, which return the digits that
//! occur in some filling of a rule. What no technique closes, trees close: they assume a candidate
//! and follow houses, cells and rules to a contradiction, with splits if necessary.
//!
//! Classic puzzles use [`Board`](super::board::Board) instead.

mod innies;
mod layout;
mod masks;
mod net;
mod patterns;
mod propagator;
mod trees;

use super::StepSink;
use super::steps::{DynBoard, Preference, StepsOutcome};
use crate::grid::{Candidates, Cell, Digit, DigitSet, House};
use crate::limits::{Deadline, Pulse, StopReason};
use crate::proof::{Candidate, Reason, Step, Technique};
use layout::Layout;
use std::cell::RefCell;
use std::ops::ControlFlow;

/// A position of a puzzle with rules.
pub(super) struct Variant<'a> {
    layout: Layout,
    candidates: Candidates,
    /// For each propagator, whether it found nothing since its cells last changed.
    is_idle: RefCell<Vec<bool>>,
    pulse: Pulse<'a>,
}

impl<'a> Variant<'a> {
    /// # Panics
    /// If the grid has no rules.
    pub fn new(candidates: &Candidates, deadline: Deadline<'a>) -> Variant<'a> {
        let rules = candidates.grid().rules().expect("a grid with rules");
        let layout = Layout::new(candidates.grid(), rules);
        let is_idle = RefCell::new(vec![false; layout.propagators.len()]);
        Variant { layout, candidates: candidates.clone(), is_idle, pulse: Pulse::new(deadline) }
    }

    fn at(&self, cell: Cell) -> DigitSet {
        self.candidates.at(cell)
    }

    fn is_empty(&self, cell: Cell) -> bool {
        self.candidates.grid()[cell].is_none()
    }

    /// The digit of a filled cell, or the candidates of an empty one.
    fn domain(&self, cell: Cell) -> DigitSet {
        self.candidates.grid()[cell].map_or_else(|| self.at(cell), DigitSet::from_digit)
    }

    /// The places of a digit in a house.
    fn places(&self, cells: &[Cell], digit: Digit) -> Vec<Cell> {
        cells.iter().copied().filter(|&cell| self.at(cell).contains(digit)).collect()
    }

    fn check_limits(&self) -> ControlFlow<()> {
        match self.pulse.stopped() {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    }

    /// Whether each candidate excludes the target.
    fn all_exclude(&self, sources: &[Candidate], target: Candidate) -> bool {
        sources.iter().all(|source| self.excludes(*source, target))
    }

    fn excludes(&self, a: Candidate, b: Candidate) -> bool {
        if a.cell == b.cell {
            return a.digit != b.digit;
        }
        if a.digit == b.digit && self.layout.peers[a.cell.index()].binary_search(&b.cell).is_ok() {
            return true;
        }
        self.layout.special[a.cell.index()].iter().any(|(other, excluded)| {
            *other == b.cell && excluded[a.digit.index()].contains(b.digit)
        })
    }

    /// The candidates that each of these excludes.
    fn excluded_by_all(&self, sources: &[Candidate]) -> Vec<Candidate> {
        let Some((first, rest)) = sources.split_first() else { return Vec::new() };
        let mut targets = Vec::new();
        self.layout.each_excluded(first.cell, first.digit, |cell, digit| {
            let target = Candidate::new(cell, digit);
            if self.at(cell).contains(digit) && self.all_exclude(rest, target) {
                targets.push(target);
            }
        });
        targets.retain(|target| !sources.contains(target));
        targets.sort_unstable();
        targets.dedup();
        targets
    }

    fn each_step(&self, technique: Technique, emit: &mut StepSink<'_>) -> ControlFlow<()> {
        self.check_limits()?;
        match technique {
            Technique::FullHouse => self.full_house(emit),
            Technique::NakedSingle => self.naked_singles(emit),
            Technique::HiddenSingle => self.hidden_singles(&|_| true, emit),
            Technique::Rule(_) | Technique::InniesAndOuties => self.rules(technique, emit),
            Technique::CageOverlap => self.overlaps(emit),
            Technique::CommonPeer | Technique::Pointing | Technique::Claiming => {
                self.locked(technique, emit)
            }
            Technique::NakedSubset(size) => self.naked_subsets(size, emit),
            Technique::HiddenSubset(size) => self.hidden_subsets(size, emit),
            Technique::Fish(fish) => self.fish(fish, emit),
            Technique::LawOfLeftovers => self.leftovers(emit),
            Technique::ForcingNet => self.forcing_nets(usize::MAX, emit),
            Technique::NestedForcingNet => self.nested_nets(emit),
            _ => ControlFlow::Continue(()),
        }
    }

    /// The last empty cell of a house takes the missing digit.
    fn full_house(&self, emit: &mut StepSink<'_>) -> ControlFlow<()> {
        for (house, cells) in &self.layout.houses {
            let mut open = cells.iter().copied().filter(|&cell| self.is_empty(cell));
            if let (Some(cell), None) = (open.next(), open.next())
                && let Some(digit) = self.at(cell).only()
            {
                let reason = Reason::LastPlaceIn(*house);
                emit(Step::place(Technique::FullHouse, cell, digit, reason))?;
            }
        }
        ControlFlow::Continue(())
    }

    fn naked_singles(&self, emit: &mut StepSink<'_>) -> ControlFlow<()> {
        for cell in self.candidates.grid().empty_cells() {
            if let Some(digit) = self.at(cell).only() {
                emit(Step::place(Technique::NakedSingle, cell, digit, Reason::LastDigit))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Hidden singles in boxes and regions first, then in lines.
    fn hidden_singles(
        &self,
        wanted: &dyn Fn(House) -> bool,
        emit: &mut StepSink<'_>,
    ) -> ControlFlow<()> {
        let is_line = |house: &House| matches!(house, House::Row(_) | House::Column(_));
        for lines in [false, true] {
            let houses = self.layout.houses.iter();
            for (house, cells) in
                houses.filter(|(house, _)| is_line(house) == lines && wanted(*house))
            {
                let (mut once, mut twice) = (DigitSet::EMPTY, DigitSet::EMPTY);
                for &cell in cells {
                    twice = twice | (once & self.at(cell));
                    once = once | self.at(cell);
                }
                for digit in once - twice {
                    for cell in self.places(cells, digit) {
                        let reason = Reason::LastPlaceIn(*house);
                        emit(Step::place(Technique::HiddenSingle, cell, digit, reason))?;
                    }
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// What one rule, or a sum of rules and houses, leaves for its cells.
    fn rules(&self, technique: Technique, emit: &mut StepSink<'_>) -> ControlFlow<()> {
        for (index, propagator) in self.layout.propagators.iter().enumerate() {
            if propagator.technique != technique || self.is_idle.borrow()[index] {
                continue;
            }
            self.check_limits()?;
            let domains: Vec<DigitSet> =
                propagator.cells.iter().map(|&cell| self.domain(cell)).collect();
            let Some(filtered) = propagator.filter(&domains, self.layout.side) else { continue };
            let mut removes = Vec::new();
            for (&cell, supported) in propagator.cells.iter().zip(filtered.supported) {
                removes
                    .extend((self.at(cell) - supported).map(|digit| Candidate::new(cell, digit)));
            }
            if removes.is_empty() {
                self.is_idle.borrow_mut()[index] = true;
                continue;
            }
            let reason = Reason::Rule(propagator.combined.clone());
            emit(Step::remove(technique, removes, reason))?;
        }
        ControlFlow::Continue(())
    }

    fn first(&self, find: impl FnOnce(&mut StepSink<'_>) -> ControlFlow<()>) -> Option<Step> {
        let mut first = None;
        let _ = find(&mut |step| {
            first = Some(step);
            ControlFlow::Break(())
        });
        first
    }

    fn changed(&mut self, cell: Cell) {
        for &index in &self.layout.propagators_of[cell.index()] {
            self.is_idle.get_mut()[index] = false;
        }
    }
}

impl DynBoard for Variant<'_> {
    fn next_step(
        &self,
        techniques: &[Technique],
        boxes_first: bool,
        preference: Preference,
        _deadline: &Deadline<'_>,
    ) -> Result<Option<Step>, StopReason> {
        let is_line = |house: House| matches!(house, House::Row(_) | House::Column(_));
        for &technique in techniques {
            let mut step = None;
            if boxes_first && technique == Technique::NakedSingle {
                step = self.first(|emit| self.hidden_singles(&|house| !is_line(house), emit));
            }
            if step.is_none() {
                step = self.first(|emit| match technique {
                    Technique::ForcingNet => {
                        let is_quick = preference == Preference::Quick;
                        self.forcing_nets(if is_quick { 1 } else { trees::COMPARED }, emit)
                    }
                    _ => self.each_step(technique, emit),
                });
            }
            // A finder that was stopped early may have missed a step or a better one.
            if let Some(stop) = self.pulse.stopped() {
                return Err(stop);
            }
            if step.is_some() {
                return Ok(step);
            }
        }
        Ok(None)
    }

    fn check_finished(&self) -> Result<(), StepsOutcome> {
        let grid = self.candidates.grid();
        let lacks = |cells: &Vec<Cell>| {
            let open = |cell: &&Cell| self.is_empty(**cell);
            let digits = cells.iter().fold(DigitSet::EMPTY, |all, &cell| all | self.at(cell));
            digits.count() < cells.iter().filter(open).count()
        };
        if grid.empty_cells().any(|cell| self.at(cell).is_empty())
            || self.layout.houses.iter().any(|(_, cells)| lacks(cells))
        {
            return Err(StepsOutcome::Contradiction);
        }
        if grid.empty_cells().next().is_none() {
            let holds = grid.violation().is_none();
            return Err(if holds { StepsOutcome::Solved } else { StepsOutcome::Contradiction });
        }
        Ok(())
    }

    fn apply(&mut self, step: &Step) {
        for place in &step.places {
            self.fill(place.cell, place.digit);
        }
        for &candidate in &step.removes {
            self.remove(candidate);
        }
    }

    fn fill(&mut self, cell: Cell, digit: Digit) {
        self.candidates.place(cell, digit);
        self.changed(cell);
        let special = self.layout.special[cell.index()].iter().map(|(other, _)| *other);
        let seen: Vec<Cell> =
            self.layout.peers[cell.index()].iter().copied().chain(special).collect();
        seen.into_iter().for_each(|other| self.changed(other));
    }

    fn remove(&mut self, candidate: Candidate) {
        self.candidates.remove(candidate.cell, candidate.digit);
        self.changed(candidate.cell);
    }

    fn first_of(&self, technique: Technique) -> Option<Step> {
        self.first(|emit| self.each_step(technique, emit))
    }

    fn all_of(&self, technique: Technique) -> Vec<Step> {
        let mut steps = Vec::new();
        let _ = self.each_step(technique, &mut |step| {
            steps.push(step);
            ControlFlow::Continue(())
        });
        steps
    }

    fn candidates(&self) -> Candidates {
        self.candidates.clone()
    }
}
