//! Text for templates: all ways to place a digit, if they are few enough to list.

use super::language::Value::{Cs, D, N, T};
use super::{Detail, StepWriter};
use crate::grid::{Cell, Digit, House};
use crate::proof::{Candidate, Step};

/// Maximum number of templates to list.
const MAX_LISTED: usize = 4;

/// Maximum number of templates to count.
const MAX_COUNTED: usize = 1_000;

impl StepWriter<'_> {
    pub(super) fn templates(
        &self,
        step: &Step,
        digit: Digit,
        first: &[Candidate],
        detail: Detail,
    ) -> String {
        let rows = self.open_rows(digit, first, step);
        let sets = !step.places.is_empty();
        let slots = [("name", T(self.short_name(step))), ("d", D(digit)), ("n", N(rows.len()))];
        match detail {
            Detail::Hint => self.render("templates.hint", &slots),
            Detail::Technique if sets => self.render("templates.pattern.set", &slots),
            Detail::Technique => self.render("templates.pattern", &slots),
            Detail::Full => {
                let mut ways = Vec::new();
                self.walk(&rows, &mut Vec::new(), &mut ways);
                let mut sentences = vec![self.result(step)];
                sentences.extend(self.settled(first, step));
                sentences.push(self.ways_text(digit, rows.len(), &ways));
                let changed = if sets { &step.places } else { &step.removes };
                let cells =
                    self.cells(&changed.iter().map(|candidate| candidate.cell).collect::<Vec<_>>());
                let key = if sets { "templates.all" } else { "templates.none" };
                sentences.push(self.render(key, &[("cells", cells), ("n", N(ways.len()))]));
                sentences.join(" ")
            }
        }
    }

    /// Returns the places of the digit in each row that lacks it, outside the cells of other
    /// digits.
    fn open_rows(&self, digit: Digit, first: &[Candidate], step: &Step) -> Vec<Vec<Cell>> {
        let taken = |cell: &Cell| {
            first.iter().any(|c| c.cell == *cell && c.digit != digit && !step.places.contains(c))
        };
        let rows = (0..self.order.side()).map(|row| House::Row(row as u8));
        let missing = rows.filter(|&row| self.candidates.digits_missing_in(row).contains(digit));
        missing
            .map(|row| self.places(row, digit).into_iter().filter(|cell| !taken(cell)).collect())
            .collect()
    }

    fn walk(&self, rows: &[Vec<Cell>], chosen: &mut Vec<Cell>, ways: &mut Vec<Vec<Cell>>) {
        let Some((row, rest)) = rows.split_first() else {
            ways.push(chosen.clone());
            return;
        };
        for &cell in row {
            if ways.len() < MAX_COUNTED
                && chosen.iter().all(|&other| !self.order.see_each_other(cell, other))
            {
                chosen.push(cell);
                self.walk(rest, chosen, ways);
                chosen.pop();
            }
        }
    }

    /// Returns the cells that were determined in the same way before.
    fn settled(&self, first: &[Candidate], step: &Step) -> Option<String> {
        let digit = step.places.iter().chain(&step.removes).next()?.digit;
        let others = first.iter().filter(|candidate| candidate.digit != digit);
        let is = |c: &Candidate| {
            self.render(
                "link.cell",
                &[("cell", super::language::Value::C(c.cell)), ("d", D(c.digit))],
            )
        };
        let list: Vec<String> = others.map(is).collect();
        (!list.is_empty())
            .then(|| self.render("templates.settled", &[("list", T(self.words.list(&list, "")))]))
    }

    fn ways_text(&self, digit: Digit, missing: usize, ways: &[Vec<Cell>]) -> String {
        let slots = [("d", D(digit)), ("missing", N(missing)), ("n", N(ways.len()))];
        if ways.len() > MAX_LISTED {
            let key =
                if ways.len() < MAX_COUNTED { "templates.many" } else { "templates.very_many" };
            return self.render(key, &slots);
        }
        let list: Vec<String> = ways
            .iter()
            .map(|way| self.render("cells.list", &[("cells", Cs(way.clone()))]))
            .collect();
        let separator = self.words.get("templates.or").unwrap_or("; ");
        let mut slots = slots.to_vec();
        slots.push(("list", T(list.join(&separator.replace('_', " ")))));
        self.render("templates.few", &slots)
    }
}
