//! A position under assumptions, with everything that follows from cells, houses and rules.
//!
//! Every statement is recorded as an event, and every removed candidate with the event that removed
//! it. From these, the statements that a contradiction needs can be traced back.

use super::Variant;
use super::layout::Layout;
use crate::grid::{Cell, Digit, DigitSet};
use crate::proof::{Candidate, Ending, Inference, InferenceReason, Node, OneOf};
use std::collections::BTreeSet;

/// Why an event happened.
#[derive(Clone, Copy, Debug)]
pub(super) enum Why {
    Assumed,
    Cell,
    House(usize),
    Rule(usize),
}

/// A statement: the candidate is true, or a rule refutes it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub candidate: Candidate,
    pub holds: bool,
    pub why: Why,
}

/// A contradiction.
#[derive(Clone, Copy, Debug)]
pub(super) enum Failure {
    Cell(Cell),
    House(usize, Digit),
    Rule(usize),
}

/// The index of an event in a removed candidate: not removed.
const OPEN: u32 = u32::MAX;

#[derive(Clone)]
pub(super) struct Net<'a> {
    layout: &'a Layout,
    /// The digits of each cell before any assumption.
    base: &'a [DigitSet],
    pub domains: Vec<DigitSet>,
    /// For each candidate the event that removed it.
    removed_by: Vec<u32>,
    is_placed: Vec<bool>,
    pub events: Vec<Event>,
    /// Cells, houses and rules to look at.
    cells: Vec<Cell>,
    houses: Vec<(usize, Digit)>,
    is_waiting: Vec<bool>,
    rules: BTreeSet<usize>,
}

impl<'a> Net<'a> {
    /// The position without assumptions. `base` has the digits of each cell.
    pub fn new(variant: &'a Variant<'_>, base: &'a [DigitSet]) -> Net<'a> {
        let layout = &variant.layout;
        let filled = |cell| !variant.is_empty(cell);
        Net {
            layout,
            base,
            domains: base.to_vec(),
            removed_by: vec![OPEN; base.len() * layout.side],
            is_placed: variant.candidates.order().cells().map(filled).collect(),
            events: Vec::new(),
            cells: Vec::new(),
            houses: Vec::new(),
            is_waiting: vec![false; layout.propagators.len()],
            rules: BTreeSet::new(),
        }
    }

    pub fn is_open(&self, candidate: Candidate) -> bool {
        !self.is_placed[candidate.cell.index()]
            && self.domains[candidate.cell.index()].contains(candidate.digit)
    }

    /// Assumes a candidate and follows the consequences.
    pub fn assume(&mut self, candidate: Candidate) -> Result<(), Failure> {
        self.place(candidate, Why::Assumed)?;
        self.follow()
    }

    fn place(&mut self, candidate: Candidate, why: Why) -> Result<(), Failure> {
        let Candidate { cell, digit } = candidate;
        self.is_placed[cell.index()] = true;
        let event = self.events.len() as u32;
        self.events.push(Event { candidate, holds: true, why });
        for other in self.domains[cell.index()].without(digit) {
            self.remove(cell, other, event)?;
        }
        let layout = self.layout;
        for &peer in &layout.peers[cell.index()] {
            self.remove(peer, digit, event)?;
        }
        for (other, excluded) in &layout.special[cell.index()] {
            for digit in self.domains[other.index()] & excluded[digit.index()] {
                self.remove(*other, digit, event)?;
            }
        }
        Ok(())
    }

    fn remove(&mut self, cell: Cell, digit: Digit, event: u32) -> Result<(), Failure> {
        if !self.domains[cell.index()].remove(digit) {
            return Ok(());
        }
        self.removed_by[cell.index() * self.layout.side + digit.index()] = event;
        if self.domains[cell.index()].is_empty() {
            return Err(Failure::Cell(cell));
        }
        self.cells.push(cell);
        self.houses.extend(self.layout.houses_of[cell.index()].iter().map(|&house| (house, digit)));
        for &rule in &self.layout.propagators_of[cell.index()] {
            if !self.is_waiting[rule] {
                self.is_waiting[rule] = true;
                self.rules.insert(rule);
            }
        }
        Ok(())
    }

    fn follow(&mut self) -> Result<(), Failure> {
        loop {
            if let Some(cell) = self.cells.pop() {
                if let Some(digit) = self.domains[cell.index()].only()
                    && !self.is_placed[cell.index()]
                {
                    self.place(Candidate::new(cell, digit), Why::Cell)?;
                }
            } else if let Some((house, digit)) = self.houses.pop() {
                let mut places = self.layout.houses[house]
                    .1
                    .iter()
                    .copied()
                    .filter(|cell| self.domains[cell.index()].contains(digit));
                match (places.next(), places.next()) {
                    (None, _) => return Err(Failure::House(house, digit)),
                    (Some(cell), None) if !self.is_placed[cell.index()] => {
                        self.place(Candidate::new(cell, digit), Why::House(house))?;
                    }
                    _ => {}
                }
            } else if let Some(rule) = self.rules.pop_first() {
                self.is_waiting[rule] = false;
                self.apply(rule)?;
            } else {
                return Ok(());
            }
        }
    }

    fn apply(&mut self, rule: usize) -> Result<(), Failure> {
        let propagator = &self.layout.propagators[rule];
        let domains: Vec<DigitSet> =
            propagator.cells.iter().map(|cell| self.domains[cell.index()]).collect();
        let Some(filtered) = propagator.filter(&domains, self.layout.side) else {
            return Err(Failure::Rule(rule));
        };
        for (&cell, supported) in propagator.cells.iter().zip(filtered.supported) {
            for digit in self.domains[cell.index()] - supported {
                let event = self.events.len() as u32;
                let candidate = Candidate::new(cell, digit);
                self.events.push(Event { candidate, holds: false, why: Why::Rule(rule) });
                self.remove(cell, digit, event)?;
            }
        }
        Ok(())
    }

    /// The choices with the fewest open candidates, the smallest first.
    pub fn choices(&self, most: usize) -> Vec<(OneOf, Vec<Candidate>)> {
        let mut choices: Vec<(OneOf, Vec<Candidate>)> = Vec::new();
        for (index, &digits) in self.domains.iter().enumerate() {
            if !self.is_placed[index] && digits.count() > 1 {
                let cell = Cell::new(index);
                let open = digits.map(|digit| Candidate::new(cell, digit)).collect();
                choices.push((OneOf::Cell(cell), open));
            }
        }
        for (house, cells) in &self.layout.houses {
            for digit in DigitSet::up_to(self.layout.side) {
                let open: Vec<Candidate> = cells
                    .iter()
                    .map(|&cell| Candidate::new(cell, digit))
                    .filter(|&candidate| self.is_open(candidate))
                    .collect();
                if open.len() > 1 {
                    choices.push((OneOf::House(*house, digit), open));
                }
            }
        }
        choices.sort_by_key(|(of, open)| (open.len(), matches!(of, OneOf::House(..))));
        choices.truncate(most);
        choices
    }

    /// The events that removed candidates of this set.
    pub fn needs_of(&self, of: OneOf, needs: &mut BTreeSet<usize>) {
        match of {
            OneOf::Cell(cell) => {
                for digit in self.base[cell.index()] {
                    self.need(cell, digit, needs);
                }
            }
            OneOf::House(house, digit) => {
                let houses = &self.layout.houses;
                let cells = houses.iter().find(|(other, _)| *other == house);
                cells.into_iter().flat_map(|(_, cells)| cells).for_each(|&cell| {
                    self.need(cell, digit, needs);
                });
            }
        }
    }

    fn need(&self, cell: Cell, digit: Digit, needs: &mut BTreeSet<usize>) {
        let event = self.removed_by[cell.index() * self.layout.side + digit.index()];
        if event != OPEN {
            needs.insert(event as usize);
        }
    }

    /// The contradiction at the end of a tree, and the events that it needs.
    pub fn ending(&self, failure: Failure) -> (Ending, BTreeSet<usize>) {
        let mut needs = BTreeSet::new();
        let ending = match failure {
            Failure::Cell(cell) => Ending::Nothing(OneOf::Cell(cell)),
            Failure::House(house, digit) => {
                Ending::Nothing(OneOf::House(self.layout.houses[house].0, digit))
            }
            Failure::Rule(rule) => {
                needs = self.needs_of_rule(rule, self.events.len(), None);
                Ending::NoFilling(self.layout.propagators[rule].combined.clone())
            }
        };
        if let Ending::Nothing(of) = ending {
            self.needs_of(of, &mut needs);
        }
        (ending, needs)
    }

    /// The earlier events that an event needs.
    pub fn needs_of_event(&self, index: usize) -> BTreeSet<usize> {
        let Event { candidate, why, .. } = self.events[index];
        let mut needs = BTreeSet::new();
        match why {
            Why::Assumed => {}
            Why::Cell => {
                self.needs_of(OneOf::Cell(candidate.cell), &mut needs);
            }
            Why::House(house) => {
                let of = OneOf::House(self.layout.houses[house].0, candidate.digit);
                self.needs_of(of, &mut needs);
            }
            Why::Rule(rule) => return self.needs_of_rule(rule, index, Some(candidate)),
        }
        // The event itself removed other candidates, and so did later ones.
        needs.retain(|&other| other < index);
        needs
    }

    /// A small set of events before `index` that make the rule refute the candidate, or fail.
    fn needs_of_rule(
        &self,
        rule: usize,
        index: usize,
        candidate: Option<Candidate>,
    ) -> BTreeSet<usize> {
        let propagator = &self.layout.propagators[rule];
        let removed = |cell: Cell, digit: Digit| {
            let event = self.removed_by[cell.index() * self.layout.side + digit.index()] as usize;
            (event < index).then_some(event)
        };
        let mut needs: BTreeSet<usize> = BTreeSet::new();
        for &cell in &propagator.cells {
            needs.extend(self.base[cell.index()].filter_map(|digit| removed(cell, digit)));
        }
        let follows_from = |needs: &BTreeSet<usize>| {
            let is_open = |cell: Cell, digit: Digit| {
                removed(cell, digit).is_none_or(|event| !needs.contains(&event))
            };
            let domains: Vec<DigitSet> = propagator
                .cells
                .iter()
                .map(|&cell| self.base[cell.index()].filter(|&d| is_open(cell, d)).collect())
                .collect();
            match (propagator.filter(&domains, self.layout.side), candidate) {
                (None, _) => true,
                (Some(_), None) => false,
                (Some(filtered), Some(candidate)) => {
                    let at = propagator.cells.iter().position(|&cell| cell == candidate.cell);
                    at.is_some_and(|at| !filtered.supported[at].contains(candidate.digit))
                }
            }
        };
        for event in needs.clone().into_iter().rev() {
            needs.remove(&event);
            if !follows_from(&needs) {
                needs.insert(event);
            }
        }
        needs
    }

    /// An event as a statement of a proof.
    pub fn inference(&self, index: usize) -> Inference {
        let Event { candidate, holds, why } = self.events[index];
        let reason = match why {
            Why::Assumed => InferenceReason::Assumed,
            Why::Cell => InferenceReason::LastIn(OneOf::Cell(candidate.cell)),
            Why::House(house) => {
                InferenceReason::LastIn(OneOf::House(self.layout.houses[house].0, candidate.digit))
            }
            Why::Rule(rule) => {
                InferenceReason::Rule(self.layout.propagators[rule].combined.clone())
            }
        };
        Inference { node: Node::single(candidate), holds, reason }
    }
}
