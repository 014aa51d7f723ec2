//! Text for locked candidates and subsets, with their direct forms.

use super::facts::{covers_of, truths_of};
use super::language::Kind;
use super::language::Value::{C, D, Ds, H, Hs, K, N, T};
use super::{Detail, StepWriter};
use crate::grid::House;
use crate::proof::{Count, Step};

impl StepWriter<'_> {
    pub(super) fn locked_candidates(&self, step: &Step, count: &Count, detail: Detail) -> String {
        let ((_, houses, of), (_, covers)) = (truths_of(count), covers_of(count));
        let (base, cover) = (houses[0], covers[0]);
        let digit = of.first().expect("locked candidates have a digit");
        let places = self.places(base, digit);
        let slots = [
            ("name", T(self.short_name(step))),
            ("d", D(digit)),
            ("house", H(base)),
            ("cover", H(cover)),
            ("kind", K(Kind::from_house(cover))),
            ("n", N(places.len())),
            ("cells", self.cells(&places)),
        ];
        match detail {
            Detail::Hint => self.render("locked.hint", &slots),
            Detail::Technique => self.render("locked.pattern", &slots),
            Detail::Full => {
                format!("{} {}", self.result(step), self.render("locked.reason", &slots))
            }
        }
    }

    /// Text for a naked subset. A locked subset uses up its digits in a line and in a box at once.
    pub(super) fn naked_subset(&self, step: &Step, counts: &[&Count], detail: Detail) -> String {
        let (mut cells, _, _) = truths_of(counts[0]);
        cells.sort_unstable();
        let mut houses: Vec<House> = counts.iter().map(|count| covers_of(count).1[0]).collect();
        houses.dedup();
        let slots = [
            ("name", T(self.short_name(step))),
            ("house", H(houses[0])),
            ("houses", Hs(houses)),
            ("cells", self.cells(&cells)),
            ("digits", Ds(self.digits_in(&cells))),
            ("n", N(cells.len())),
        ];
        let key = if cells.len() == 2 { "naked_pair" } else { "naked_subset" };
        match detail {
            Detail::Hint => self.render(&format!("{key}.hint"), &slots),
            Detail::Technique => self.render(&format!("{key}.pattern"), &slots),
            Detail::Full => {
                format!("{} {}", self.result(step), self.render(&format!("{key}.reason"), &slots))
            }
        }
    }

    pub(super) fn hidden_subset(&self, step: &Step, count: &Count, detail: Detail) -> String {
        let ((_, houses, of), (mut cells, _)) = (truths_of(count), covers_of(count));
        cells.sort_unstable();
        let (first, last) = (of.first(), of.last());
        let digit = |digit: Option<_>| D(digit.expect("a hidden subset has digits"));
        let slots = [
            ("name", T(self.short_name(step))),
            ("house", H(houses[0])),
            ("cells", self.cells(&cells)),
            ("digits", Ds(of)),
            ("first", digit(first)),
            ("last", digit(last)),
            ("n", N(cells.len())),
        ];
        match detail {
            Detail::Hint => self.render("hidden_subset.hint", &slots),
            Detail::Technique => self.render("hidden_subset.pattern", &slots),
            Detail::Full => {
                // Only a pair whose digits both have the two places can be described place by
                // place.
                let is_pair = cells.len() == 2
                    && of.into_iter().all(|d| self.places(houses[0], d).len() == 2);
                let key = if is_pair { "hidden_pair.reason" } else { "hidden_subset.reason" };
                format!("{} {}", self.result(step), self.render(key, &slots))
            }
        }
    }

    /// Describes what the direct form removes, and where that leaves one place.
    pub(super) fn direct(&self, step: &Step, count: &Count, detail: Detail) -> String {
        let ((_, houses, of), (mut cells, covers)) = (truths_of(count), covers_of(count));
        cells.sort_unstable();
        let place = step.places[0];
        let is_subset = covers.is_empty();
        let last = if is_subset { houses[0] } else { houses[1] };
        let slots = [
            ("name", T(self.short_name(step))),
            ("house", H(houses[0])),
            ("last", H(last)),
            ("cover", H(covers.first().copied().unwrap_or(last))),
            ("kind", K(Kind::from_house(covers.first().copied().unwrap_or(last)))),
            ("d", D(place.digit)),
            ("cell", C(place.cell)),
            ("digits", Ds(of.without(place.digit))),
            ("cells", self.cells(&cells)),
            ("n", N(cells.len())),
        ];
        let key = if is_subset { "direct_subset" } else { "direct_locked" };
        match detail {
            Detail::Hint => self.render(&format!("{key}.hint"), &slots),
            Detail::Technique => self.render(&format!("{key}.pattern"), &slots),
            Detail::Full => {
                format!("{} {}", self.result(step), self.render(&format!("{key}.reason"), &slots))
            }
        }
    }
}
