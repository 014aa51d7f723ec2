//! Facts of a proof that the texts refer to.

use super::StepWriter;
use crate::grid::{Cell, Digit, DigitSet, House};
use crate::proof::{Candidate, Count, Deadly, Node, OneOf, Step, Technique, Truth};

pub(super) fn is_direct(technique: Technique) -> bool {
    matches!(
        technique,
        Technique::DirectPointing
            | Technique::DirectClaiming
            | Technique::DirectHiddenPair
            | Technique::DirectHiddenTriple
    )
}

pub(super) fn deadly_of(count: &Count) -> Option<&Deadly> {
    count.truths.iter().find_map(|truth| match truth {
        Truth::Guardians(deadly) => Some(deadly),
        Truth::OneOf(_) | Truth::Escape(_) | Truth::Needs(..) => None,
    })
}

/// Returns the cells, houses and digits of the truths. The cells are in the order of the proof.
pub(super) fn truths_of(count: &Count) -> (Vec<Cell>, Vec<House>, DigitSet) {
    let (mut truth_cells, mut houses, mut of) = (Vec::new(), Vec::new(), DigitSet::EMPTY);
    for truth in &count.truths {
        match truth {
            Truth::OneOf(OneOf::Cell(cell)) => truth_cells.push(*cell),
            Truth::OneOf(OneOf::House(house, digit)) => {
                houses.push(*house);
                of.insert(*digit);
            }
            Truth::Guardians(_) | Truth::Escape(_) | Truth::Needs(..) => {}
        }
    }
    (truth_cells, houses, of)
}

/// Returns the cells and houses of the covers.
pub(super) fn covers_of(count: &Count) -> (Vec<Cell>, Vec<House>) {
    let (mut cover_cells, mut houses) = (Vec::new(), Vec::new());
    for cover in &count.covers {
        match cover {
            OneOf::Cell(cell) => cover_cells.push(*cell),
            OneOf::House(house, _) => houses.push(*house),
        }
    }
    (cover_cells, houses)
}

/// Returns the digits of some candidates.
pub(super) fn digits_of(candidates: &[Candidate]) -> DigitSet {
    candidates.iter().map(|candidate| candidate.digit).collect()
}

/// Returns the distinct cells of some candidates in reading order.
pub(super) fn cells_of(candidates: &[Candidate]) -> Vec<Cell> {
    let mut cells: Vec<Cell> = candidates.iter().map(|candidate| candidate.cell).collect();
    cells.sort_unstable();
    cells.dedup();
    cells
}

/// Returns the cells that a step changes.
pub(super) fn targets_of(step: &Step) -> Vec<Cell> {
    cells_of(&step.removes)
}

impl<'a> StepWriter<'a> {
    /// Returns the places of a digit in a house in reading order.
    pub(super) fn places(&self, house: House, digit: Digit) -> Vec<Cell> {
        let has = |cell: &Cell| self.candidates.at(*cell).contains(digit);
        self.cells_in(house).iter().copied().filter(has).collect()
    }

    /// Returns the cells of a house in reading order.
    pub(super) fn cells_in(&self, house: House) -> &'a [Cell] {
        self.candidates.grid().cells_in(house)
    }

    /// Returns the row, the column, the box and the other houses of a cell.
    pub(super) fn houses_of(&self, cell: Cell) -> Vec<House> {
        let houses = self.candidates.grid().houses();
        houses.filter(|&house| self.is_in(cell, house)).collect()
    }

    /// Returns all digits that these cells can still take.
    pub(super) fn digits_in(&self, cells: &[Cell]) -> DigitSet {
        cells.iter().fold(DigitSet::EMPTY, |held, &cell| held | self.candidates.at(cell))
    }

    pub(super) fn is_in(&self, cell: Cell, house: House) -> bool {
        self.cells_in(house).contains(&cell)
    }

    /// Returns the houses that contain all these cells. Rows and columns come first, because they
    /// are easier to see.
    pub(super) fn houses_around(&self, cells: &[Cell]) -> Vec<House> {
        let Some(&first) = cells.first() else { return Vec::new() };
        let around = |house: &House| cells.iter().all(|&cell| self.is_in(cell, *house));
        self.houses_of(first).into_iter().filter(around).collect()
    }

    /// Returns true if the two cannot both be true.
    pub(super) fn conflict(&self, a: Candidate, b: Candidate) -> bool {
        if a.cell == b.cell {
            return a.digit != b.digit;
        }
        let rules = self.candidates.grid().rules();
        a.digit == b.digit && self.order.see_each_other(a.cell, b.cell)
            || rules
                .is_some_and(|rules| rules.links().exclude((a.cell, a.digit), (b.cell, b.digit)))
    }

    /// Returns true if the candidate is false whenever the node is true.
    pub(super) fn rules_out(&self, node: &Node, candidate: Candidate) -> bool {
        node.candidates().all(|member| self.conflict(member, candidate))
    }

    pub(super) fn see_all(&self, cell: Cell, others: &[Cell]) -> bool {
        others.iter().all(|&other| self.order.see_each_other(cell, other))
    }

    /// Returns the candidates that prevent a deadly pattern.
    pub(super) fn guardians(&self, deadly: &Deadly) -> Vec<Candidate> {
        let guards = |&(cell, pair): &(Cell, DigitSet)| {
            (self.candidates.at(cell) - pair).map(move |digit| Candidate::new(cell, digit))
        };
        deadly.cells.iter().flat_map(guards).collect()
    }

    /// Returns the base places outside the covers and those in two base houses.
    pub(super) fn fins(&self, count: &Count) -> Vec<Cell> {
        let places = |of: &OneOf| match of {
            OneOf::House(house, of) => self.places(*house, *of),
            OneOf::Cell(cell) => vec![*cell],
        };
        let covered: Vec<Cell> = count.covers.iter().flat_map(places).collect();
        let (mut base, mut fins): (Vec<Cell>, Vec<Cell>) = (Vec::new(), Vec::new());
        for truth in &count.truths {
            let Truth::OneOf(of) = truth else { continue };
            for cell in places(of) {
                if base.contains(&cell) || !covered.contains(&cell) {
                    fins.push(cell);
                }
                base.push(cell);
            }
        }
        fins.sort_unstable();
        fins.dedup();
        fins
    }
}
