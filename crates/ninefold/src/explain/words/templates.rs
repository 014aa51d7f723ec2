//! Templates in words: all ways to place a digit, where they are few enough to be listed.

use super::language::Value::{Cs, D, N, T};
use super::{Detail, Teller};
use crate::grid::{Cell, Digit, House};
use crate::proof::{Candidate, Step};

/// As many ways are listed one by one.
const MOST_LISTED: usize = 4;

/// As many are counted.
const MOST_COUNTED: usize = 1_000;

impl Teller<'_> {
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
            Detail::Hint => self.say("templates.hint", &slots),
            Detail::Technique if sets => self.say("templates.pattern.set", &slots),
            Detail::Technique => self.say("templates.pattern", &slots),
            Detail::Full => {
                let mut ways = Vec::new();
                self.walk(&rows, &mut Vec::new(), &mut ways);
                let mut said = vec![self.result(step)];
                said.extend(self.settled(first, step));
                said.push(self.told_ways(digit, rows.len(), &ways));
                let changed = if sets { &step.places } else { &step.removes };
                let cells =
                    self.cells(&changed.iter().map(|candidate| candidate.cell).collect::<Vec<_>>());
                let key = if sets { "templates.all" } else { "templates.none" };
                said.push(self.say(key, &[("cells", cells), ("n", N(ways.len()))]));
                said.join(" ")
            }
        }
    }

    /// The places of the digit in each row that lacks it, off the cells that other digits take.
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
            if ways.len() < MOST_COUNTED
                && chosen.iter().all(|&other| !self.order.see_each_other(cell, other))
            {
                chosen.push(cell);
                self.walk(rest, chosen, ways);
                chosen.pop();
            }
        }
    }

    /// The cells that are settled in the same way before.
    fn settled(&self, first: &[Candidate], step: &Step) -> Option<String> {
        let digit = step.places.iter().chain(&step.removes).next()?.digit;
        let others = first.iter().filter(|candidate| candidate.digit != digit);
        let is = |c: &Candidate| {
            self.say("link.cell", &[("cell", super::language::Value::C(c.cell)), ("d", D(c.digit))])
        };
        let list: Vec<String> = others.map(is).collect();
        (!list.is_empty())
            .then(|| self.say("templates.settled", &[("list", T(self.words.list(&list, "")))]))
    }

    fn told_ways(&self, digit: Digit, missing: usize, ways: &[Vec<Cell>]) -> String {
        let slots = [("d", D(digit)), ("missing", N(missing)), ("n", N(ways.len()))];
        if ways.len() > MOST_LISTED {
            let key =
                if ways.len() < MOST_COUNTED { "templates.many" } else { "templates.very_many" };
            return self.say(key, &slots);
        }
        let list: Vec<String> =
            ways.iter().map(|way| self.say("cells.list", &[("cells", Cs(way.clone()))])).collect();
        let separator = self.words.get("templates.or").unwrap_or("; ");
        let mut slots = slots.to_vec();
        slots.push(("list", T(list.join(&separator.replace('_', " ")))));
        self.say("templates.few", &slots)
    }
}
