//! Text for uniqueness techniques: rectangles, loops and BUGs that would give the puzzle a second
//! solution.

use super::facts::{covers_of, deadly_of, digits_of, targets_of, truths_of};
use super::language::Value;
use super::language::Value::{C, Cs, D, Ds, H, Hs, N, T};
use super::{Detail, StepWriter};
use crate::grid::{Cell, Digit, DigitSet, House};
use crate::proof::{Candidate, Count, Deadly, Step, Technique};

/// Deadly pattern, prepared for the text.
struct Pattern {
    cells: Vec<Cell>,
    pair: DigitSet,
    /// Empty cells without guardians.
    bare: Vec<Cell>,
    /// Cells that are already filled. Only avoidable rectangles have some.
    filled: Vec<Cell>,
    guarded: Vec<Cell>,
    extra: DigitSet,
}

impl StepWriter<'_> {
    pub(super) fn deadly(&self, step: &Step, counts: &[&Count], detail: Detail) -> String {
        let count = counts[0];
        let Some(deadly) = deadly_of(count) else { return self.result(step) };
        let pattern = self.pattern(deadly);
        let is_grave = matches!(step.technique, Technique::Bug(_));
        match detail {
            Detail::Hint if is_grave => self.render("bug.hint", &[]),
            Detail::Hint => self.render("deadly.hint", &[("rows", Hs(self.rows(&pattern.cells)))]),
            Detail::Technique => self.deadly_pattern(step, count, &pattern, is_grave),
            Detail::Full => {
                let slots = self.deadly_slots(step, &pattern);
                let deadly = if is_grave {
                    self.render("bug.deadly", &slots)
                } else {
                    self.render("deadly.deadly", &slots)
                };
                let houses = counts.iter().filter_map(|count| covers_of(count).1.first().copied());
                self.deadly_reason(step, count, &pattern, slots, deadly, houses.collect(), is_grave)
            }
        }
    }

    fn pattern(&self, deadly: &Deadly) -> Pattern {
        let guardians = self.guardians(deadly);
        let mut cells: Vec<Cell> = deadly.cells.iter().map(|(cell, _)| *cell).collect();
        cells.sort_unstable();
        let is_filled = |cell: &Cell| self.candidates.grid()[*cell].is_some();
        let is_guarded = |cell: &Cell| guardians.iter().any(|guardian| guardian.cell == *cell);
        Pattern {
            pair: deadly.cells.iter().fold(DigitSet::EMPTY, |held, (_, pair)| held | *pair),
            bare: cells
                .iter()
                .copied()
                .filter(|cell| !is_guarded(cell) && !is_filled(cell))
                .collect(),
            filled: cells.iter().copied().filter(is_filled).collect(),
            guarded: cells.iter().copied().filter(is_guarded).collect(),
            extra: digits_of(&guardians),
            cells,
        }
    }

    fn rows(&self, cells: &[Cell]) -> Vec<House> {
        let mut rows: Vec<House> =
            cells.iter().map(|&cell| self.order.houses_of(cell)[0]).collect();
        rows.sort_unstable();
        rows.dedup();
        rows
    }

    fn deadly_slots(&self, step: &Step, pattern: &Pattern) -> Vec<(&'static str, Value)> {
        let targets = targets_of(step);
        vec![
            ("name", T(self.short_name(step))),
            ("pair", Ds(pattern.pair)),
            ("cells", self.cells(&pattern.cells)),
            ("n", N(pattern.cells.len())),
            ("bare", self.cells(&pattern.bare)),
            ("free", N(pattern.bare.len())),
            ("filled", self.cells(&pattern.filled)),
            ("guarded", self.cells(&pattern.guarded)),
            ("count", N(pattern.guarded.len())),
            ("extra", Ds(pattern.extra)),
            ("sees", T(self.sees(&targets, pattern.guarded.len()))),
            ("targets", self.cells(&targets)),
            ("gone", Ds(digits_of(&step.removes))),
        ]
    }

    fn deadly_pattern(
        &self,
        step: &Step,
        count: &Count,
        pattern: &Pattern,
        is_grave: bool,
    ) -> String {
        let mut slots = self.deadly_slots(step, pattern);
        let (subset, houses, of) = truths_of(count);
        let family = if is_grave { "bug" } else { "deadly" };
        let sort = match (&houses[..], of.first()) {
            ([], _) if !subset.is_empty() => {
                slots.push(("more", self.cells(&subset)));
                "subset"
            }
            ([], _) if !pattern.filled.is_empty() => "filled",
            ([], _) if pattern.guarded.len() == 1 => "one",
            ([], _) => "same",
            ([house, ..], Some(digit)) => {
                slots.extend([
                    ("house", H(*house)),
                    ("houses", Hs(houses.clone())),
                    ("d", D(digit)),
                ]);
                slots.push(("each", T(self.each_house(&houses))));
                "locked"
            }
            _ => "one",
        };
        self.render(&format!("{family}.pattern.{sort}"), &slots)
    }

    /// `in row 3 and in column 1`
    fn each_house(&self, houses: &[House]) -> String {
        let each: Vec<String> =
            houses.iter().map(|&house| self.render("within", &[("house", H(house))])).collect();
        self.words.list(&each, "")
    }

    #[allow(clippy::too_many_arguments, reason = "one place chooses among all types")]
    fn deadly_reason(
        &self,
        step: &Step,
        count: &Count,
        pattern: &Pattern,
        mut slots: Vec<(&'static str, Value)>,
        deadly: String,
        houses_of_subset: Vec<House>,
        is_grave: bool,
    ) -> String {
        slots.push(("deadly", T(deadly)));
        let (mut subset, houses, of) = truths_of(count);
        let family = if is_grave { "bug" } else { "deadly" };
        let result = self.result(step);
        if !subset.is_empty() {
            subset.sort_unstable();
            let digits = pattern.extra | self.digits_in(&subset);
            slots.extend([
                ("more", self.cells(&subset)),
                ("size", N(digits.count())),
                ("digits", Ds(digits)),
                ("houses", Hs(houses_of_subset)),
            ]);
            return format!("{result} {}", self.render(&format!("{family}.subset"), &slots));
        }
        match (&houses[..], of.first()) {
            ([], _) if pattern.guarded.len() == 1 => {
                let guarded = pattern.guarded[0];
                slots.extend([
                    ("cell", C(guarded)),
                    ("held", N(self.candidates.at(guarded).count())),
                ]);
                slots.push(("filled_with", T(self.filled_with(pattern))));
                let sort = if pattern.filled.is_empty() { "one" } else { "one.filled" };
                format!(
                    "{} {}",
                    self.result_of_cell(step),
                    self.render(&format!("{family}.{sort}"), &slots)
                )
            }
            ([], _) => {
                slots.push(("filled_with", T(self.filled_with(pattern))));
                let sort = if pattern.filled.is_empty() { "same" } else { "same.filled" };
                format!("{result} {}", self.render(&format!("{family}.{sort}"), &slots))
            }
            ([house], Some(digit)) => {
                slots.extend([("house", H(*house)), ("d", D(digit))]);
                format!("{result} {}", self.render(&format!("{family}.locked"), &slots))
            }
            (_, Some(digit)) => self.two_lines(step, pattern, &houses, digit, slots),
            _ => result,
        }
    }

    /// Text for the digits that an avoidable rectangle already contains.
    fn filled_with(&self, pattern: &Pattern) -> String {
        let is = |&cell: &Cell| {
            let digit = self.candidates.grid()[cell]?;
            Some(self.render("link.cell", &[("cell", C(cell)), ("d", D(digit))]))
        };
        self.words.list(&pattern.filled.iter().filter_map(is).collect::<Vec<_>>(), "")
    }

    /// Two lines have a digit only in the rectangle: the parallel lines of type 6, or the lines of
    /// a hidden rectangle.
    fn two_lines(
        &self,
        step: &Step,
        pattern: &Pattern,
        houses: &[House],
        digit: Digit,
        mut slots: Vec<(&'static str, Value)>,
    ) -> String {
        let other = pattern.pair.without(digit).first().unwrap_or(digit);
        slots.extend([("houses", Hs(houses.to_vec())), ("d", D(digit)), ("x", D(other))]);
        if step.technique != Technique::HiddenRectangle {
            return format!("{} {}", self.result(step), self.render("deadly.parallel", &slots));
        }
        let goal = step.removes[0].cell;
        let corner = |house: House| {
            pattern
                .cells
                .iter()
                .copied()
                .find(|&cell| cell != goal && self.is_in(cell, house))
                .unwrap_or(goal)
        };
        let mut links: Vec<String> = houses
            .iter()
            .map(|&house| {
                let place = Cs(vec![corner(house)]);
                self.render("link.house", &[("d", D(digit)), ("house", H(house)), ("cells", place)])
            })
            .collect();
        let taken: Vec<Cell> = houses.iter().map(|&house| corner(house)).collect();
        let last =
            pattern.cells.iter().copied().find(|cell| *cell != goal && !taken.contains(cell));
        let last = last.map(|cell| Candidate::new(cell, other));
        links.extend(
            last.map(|c| self.render("link.cell", &[("cell", C(c.cell)), ("d", D(c.digit))])),
        );
        slots.push(("links", T(self.words.list(&links, "clauses_and"))));
        let result = self.result_of_cell(step);
        let suppose = if result == self.result(step) { "suppose" } else { "suppose.digit" };
        let suppose = self.render(suppose, &[("d", D(other))]);
        format!("{result} {suppose} {}", self.render("deadly.hidden", &slots))
    }
}
