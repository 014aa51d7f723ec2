//! Result of a step: the first sentence of every reason.

use super::StepWriter;
use super::facts::{cells_of, digits_of};
use super::language::Value::{C, D, Ds, T};
use super::language::capitalized;
use crate::grid::{Cell, DigitSet};
use crate::proof::{Candidate, Step};

impl StepWriter<'_> {
    /// `r3c7 is 5.`, `r1c3 and r2c3 cannot be 5.`, `Remove 4 from r7c5; 6 from r8c2 and r9c2.`
    pub(super) fn result(&self, step: &Step) -> String {
        let placed = digits_of(&step.places).map(|digit| {
            let cells: Vec<Cell> =
                step.places.iter().filter(|p| p.digit == digit).map(|p| p.cell).collect();
            self.render("result.is", &[("cells", self.cells(&cells)), ("d", D(digit))])
        });
        let mut sentences: Vec<String> = placed.collect();
        if !step.removes.is_empty() {
            sentences.push(self.removed(&step.removes));
        }
        sentences.join(" ")
    }

    /// Like `result`, for a proof about one cell: `r1c9 must be 1.` if the step leaves no other
    /// digit.
    pub(super) fn result_of_cell(&self, step: &Step) -> String {
        let must = |cell: Cell| (self.candidates.at(cell) - digits_of(&step.removes)).only();
        match cells_of(&step.removes)[..] {
            [cell] if step.places.is_empty() => match must(cell) {
                Some(digit) => self.render("result.must", &[("cell", C(cell)), ("d", D(digit))]),
                None => self.result(step),
            },
            _ => self.result(step),
        }
    }

    /// `r1c3 and r2c3 cannot be 5.`
    pub(super) fn removed(&self, removes: &[Candidate]) -> String {
        let (cells, digits) = (cells_of(removes), digits_of(removes));
        if removes.len() == cells.len() * digits.count() {
            let key = if digits.count() == 1 { "result.not" } else { "result.not.digits" };
            return self.render(key, &[("cells", self.cells(&cells)), ("digits", Ds(digits))]);
        }
        // Digits that are removed from the same cells are listed together.
        let mut groups: Vec<(DigitSet, Vec<Cell>)> = Vec::new();
        for digit in digits {
            let of: Vec<Candidate> =
                removes.iter().copied().filter(|candidate| candidate.digit == digit).collect();
            let cells = cells_of(&of);
            match groups.iter_mut().find(|(_, other)| *other == cells) {
                Some((together, _)) => together.insert(digit),
                None => groups.push((DigitSet::from_digit(digit), cells)),
            }
        }
        let from = |(digits, cells): &(DigitSet, Vec<Cell>)| {
            self.render("result.from", &[("digits", Ds(*digits)), ("cells", self.cells(cells))])
        };
        let list = groups.iter().map(from).collect::<Vec<_>>().join("; ");
        capitalized(&self.render("result.remove", &[("list", T(list))]))
    }
}
