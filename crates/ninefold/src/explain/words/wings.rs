//! Text for wings.

use super::facts::{digits_of, targets_of, truths_of};
use super::language::Value::{C, D, Ds, N, T};
use super::{Detail, StepWriter};
use crate::grid::Cell;
use crate::proof::{Count, Step, Technique};

impl StepWriter<'_> {
    pub(super) fn wing(&self, step: &Step, count: &Count, detail: Detail) -> String {
        let (cells, _, _) = truths_of(count);
        let z = digits_of(&step.removes).first().expect("a step removes something");
        let (pivot, held) = (cells[0], self.digits_in(&cells));
        let with_z: Vec<Cell> =
            cells.iter().copied().filter(|&cell| self.candidates.at(cell).contains(z)).collect();
        let mut sorted = cells.clone();
        sorted.sort_unstable();
        let mut ends = with_z.clone();
        ends.sort_unstable();
        let (targets, rest) = (targets_of(step), held.without(z));
        let mut slots = vec![
            ("name", T(self.short_name(step))),
            ("pivot", C(pivot)),
            ("z", D(z)),
            ("n", N(self.candidates.at(pivot).count())),
            ("size", N(cells.len())),
            ("digits", Ds(self.candidates.at(pivot))),
            ("cells", self.cells(&sorted)),
            ("held", Ds(held)),
            ("rest", Ds(rest)),
            ("ends", self.cells(&ends)),
            ("targets", self.cells(&targets)),
            ("sees", T(self.sees(&targets, with_z.len()))),
        ];
        let key = match (step.technique, &cells[..]) {
            (Technique::XyWing, &[_, first, second])
            | (Technique::XyzWing, &[_, first, second]) => {
                let other = |cell: Cell| self.candidates.at(cell).without(z).first().unwrap_or(z);
                let mut cases = [(other(first), first), (other(second), second)];
                cases.sort_unstable();
                slots.extend([
                    ("x", D(cases[0].0)),
                    ("a", C(cases[0].1)),
                    ("y", D(cases[1].0)),
                    ("b", C(cases[1].1)),
                ]);
                if step.technique == Technique::XyWing { "xy_wing" } else { "xyz_wing" }
            }
            _ => "large_wing",
        };
        match detail {
            Detail::Hint => self.render("wing.hint", &slots),
            Detail::Technique => self.render(&format!("{key}.pattern"), &slots),
            Detail::Full => {
                format!("{} {}", self.result(step), self.render(&format!("{key}.reason"), &slots))
            }
        }
    }
}
