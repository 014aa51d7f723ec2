//! Text for Sue de Coq.

use super::facts::{covers_of, digits_of, targets_of, truths_of};
use super::language::Kind;
use super::language::Value::{D, Ds, H, K, N, T};
use super::{Detail, StepWriter};
use crate::grid::{Cell, Digit, DigitSet, House};
use crate::proof::{Candidate, Count, OneOf, Step};

impl StepWriter<'_> {
    pub(super) fn sue_de_coq(&self, step: &Step, counts: &[&Count], detail: Detail) -> String {
        let (mut cells, _, _) = truths_of(counts[0]);
        cells.sort_unstable();
        let (_, covers) = covers_of(counts[0]);
        let is_box = |house: &House| matches!(house, House::Box(_));
        let (Some(&square), Some(&line)) =
            (covers.iter().find(|h| is_box(h)), covers.iter().find(|h| !is_box(h)))
        else {
            return self.result(step);
        };
        let crossing: Vec<Cell> = cells
            .iter()
            .copied()
            .filter(|&cell| self.is_in(cell, square) && self.is_in(cell, line))
            .collect();
        let more =
            |house: House| cells.iter().filter(|&&c| self.is_in(c, house)).count() - crossing.len();
        let of_line = |digit: &Digit| counts[0].covers.contains(&OneOf::House(line, *digit));
        let held = self.digits_in(&cells);
        let in_line: DigitSet = held.filter(of_line).collect();
        let slots = [
            ("name", T(self.short_name(step))),
            ("line", H(line)),
            ("box", H(square)),
            ("kind", K(Kind::from_house(line))),
            ("cells", self.cells(&cells)),
            ("digits", Ds(held)),
            ("n", N(crossing.len())),
            ("in_line", N(more(line))),
            ("in_box", N(more(square))),
            ("count", N(held.count())),
            ("of_line", Ds(in_line)),
            ("of_box", Ds(held - in_line)),
        ];
        match detail {
            Detail::Hint => self.render("sue_de_coq.hint", &slots),
            Detail::Technique => self.render("sue_de_coq.pattern", &slots),
            Detail::Full => {
                let mut sentences =
                    vec![self.result(step), self.render("sue_de_coq.reason", &slots)];
                sentences.push(self.once_each(step, &cells));
                sentences.join(" ")
            }
        }
    }

    /// Returns where each digit that is removed elsewhere is located.
    fn once_each(&self, step: &Step, cells: &[Cell]) -> String {
        let has = |digit: Digit| -> Vec<Cell> {
            cells.iter().copied().filter(|&cell| self.candidates.at(cell).contains(digit)).collect()
        };
        let gone = digits_of(&step.removes);
        if let Some(digit) = gone.only() {
            let places = has(digit);
            let sees = T(self.sees(&targets_of(step), places.len()));
            return self.render(
                "sue_de_coq.once",
                &[("d", D(digit)), ("cells", self.cells(&places)), ("sees", sees)],
            );
        }
        let is_in = |digit: Digit| {
            let of: Vec<Candidate> =
                has(digit).into_iter().map(|cell| Candidate::new(cell, digit)).collect();
            let cells: Vec<Cell> = of.iter().map(|candidate| candidate.cell).collect();
            self.render("sue_de_coq.where", &[("d", D(digit)), ("cells", self.cells(&cells))])
        };
        let list = self.words.list(&gone.map(is_in).collect::<Vec<_>>(), "");
        self.render("sue_de_coq.once.more", &[("list", T(list))])
    }
}
