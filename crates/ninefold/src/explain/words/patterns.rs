//! Text for expert patterns: multi-sector locked sets, SK-loops and impossible patterns.

use super::facts::truths_of;
use super::language::Value::{C, D, Ds, Hs, N, T};
use super::{Detail, StepWriter};
use crate::grid::{Cell, Digit, DigitSet, House};
use crate::proof::{Candidate, Count, Impossible, OneOf, Step, Truth};

/// Returns the impossible pattern that the count uses, if any.
pub(super) fn impossible_of(count: &Count) -> Option<&Impossible> {
    count.truths.iter().find_map(|truth| match truth {
        Truth::Escape(impossible) => Some(impossible),
        Truth::OneOf(_) | Truth::Guardians(_) | Truth::Needs(..) => None,
    })
}

impl StepWriter<'_> {
    /// Text for cells that cannot be filled with some digits alone.
    pub(super) fn impossible(
        &self,
        step: &Step,
        impossible: &Impossible,
        detail: Detail,
    ) -> String {
        let slots = [
            ("name", T(self.short_name(step))),
            ("cells", self.cells(&impossible.cells)),
            ("digits", Ds(impossible.digits)),
        ];
        match detail {
            Detail::Hint => self.render("impossible.hint", &slots),
            Detail::Technique => self.render("impossible.pattern", &slots),
            Detail::Full => {
                let guardians: Vec<String> = self
                    .others(impossible)
                    .map(|other| {
                        self.render(
                            "impossible.other",
                            &[("d", D(other.digit)), ("cell", C(other.cell))],
                        )
                    })
                    .collect();
                let list =
                    [("n", N(guardians.len())), ("list", T(self.words.list(&guardians, "or")))];
                let reason = self.render("impossible.reason", &slots);
                format!(
                    "{} {reason} {}",
                    self.result(step),
                    self.render("impossible.others", &list)
                )
            }
        }
    }

    /// Returns the other candidates of the pattern.
    fn others(&self, impossible: &Impossible) -> impl Iterator<Item = Candidate> {
        let others = |&cell: &Cell| {
            (self.candidates.at(cell) - impossible.digits)
                .map(move |digit| Candidate::new(cell, digit))
        };
        impossible.cells.iter().flat_map(others).collect::<Vec<_>>().into_iter()
    }

    /// Text for a set of cells with exactly as many places for their digits.
    pub(super) fn sectors(&self, step: &Step, count: &Count, detail: Detail) -> String {
        let (cells, _, _) = truths_of(count);
        let slots = [
            ("name", T(self.short_name(step))),
            ("n", N(cells.len())),
            ("cells", self.cells(&cells)),
        ];
        match detail {
            Detail::Hint => self.render("sectors.hint", &slots),
            Detail::Technique => self.render("sectors.pattern", &slots),
            Detail::Full => {
                let mut slots = slots.to_vec();
                slots.push(("rooms", T(self.cover_list(count))));
                format!("{} {}", self.result(step), self.render("sectors.reason", &slots))
            }
        }
    }

    /// Lists the houses that have room for each digit.
    pub(super) fn cover_list(&self, count: &Count) -> String {
        let room = |digit: Digit| {
            self.render(
                "sectors.room",
                &[("d", D(digit)), ("houses", Hs(houses_with(count, digit)))],
            )
        };
        covered(count).map(room).collect::<Vec<_>>().join("; ")
    }

    /// Returns the short notation of the pattern.
    pub(super) fn pattern_in_short(&self, count: &Count) -> String {
        if let Some(impossible) = impossible_of(count) {
            return format!(
                "{} in {}",
                self.names.digits(impossible.digits),
                self.names.cells(&impossible.cells)
            );
        }
        let (cells, _, _) = truths_of(count);
        let one = |digit: Digit| {
            format!("{}{}", self.names.digit(digit), self.names.houses(&houses_with(count, digit)))
        };
        let covers = covered(count).map(one).collect::<Vec<_>>().join(" ");
        format!("{}, {covers}", self.names.cells(&cells))
    }
}

fn covered(count: &Count) -> DigitSet {
    let digit = |cover: &OneOf| match cover {
        OneOf::House(_, digit) => Some(*digit),
        OneOf::Cell(_) => None,
    };
    count.covers.iter().filter_map(digit).collect()
}

fn houses_with(count: &Count, digit: Digit) -> Vec<House> {
    let house = |cover: &OneOf| match cover {
        OneOf::House(house, of) if *of == digit => Some(*house),
        _ => None,
    };
    count.covers.iter().filter_map(house).collect()
}
