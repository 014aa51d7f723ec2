//! Text for singles: the last cell of a house, the last place of a digit, the last digit of a cell.

use super::language::Value::{C, D, Ds, H, Hs, T};
use super::language::capitalized;
use super::{Detail, StepWriter};
use crate::grid::{Cell, Digit, DigitSet, House};
use crate::proof::{Step, Technique};

/// If more houses block a digit, they are listed together.
const MAX_BLOCKS: usize = 3;

impl StepWriter<'_> {
    pub(super) fn last_place(&self, step: &Step, house: House, detail: Detail) -> String {
        let place = step.places[0];
        let slots =
            [("name", T(self.short_name(step))), ("house", H(house)), ("d", D(place.digit))];
        let of =
            if step.technique == Technique::FullHouse { "full_house" } else { "hidden_single" };
        match detail {
            Detail::Hint => self.render(&format!("{of}.hint"), &slots),
            Detail::Technique => self.render(&format!("{of}.pattern"), &slots),
            Detail::Full => {
                let others = self.other_empty_cells(house, place.cell);
                if others.is_empty() {
                    return format!(
                        "{} {}",
                        self.result(step),
                        self.render("full_house.reason", &slots)
                    );
                }
                format!(
                    "{} {}",
                    self.result(step),
                    self.no_other_place(house, place.digit, &others)
                )
            }
        }
    }

    fn other_empty_cells(&self, house: House, cell: Cell) -> Vec<Cell> {
        let is_other = |other: &Cell| *other != cell && self.candidates.grid()[*other].is_none();
        self.cells_in(house).iter().copied().filter(is_other).collect()
    }

    /// Returns where a house already contains the digit.
    fn stands_in(&self, house: House, digit: Digit) -> Option<Cell> {
        let holds = |cell: &Cell| self.candidates.grid()[*cell] == Some(digit);
        self.cells_in(house).iter().copied().find(holds)
    }

    fn no_other_place(&self, house: House, digit: Digit, others: &[Cell]) -> String {
        let slots = |clue: Cell, of: House| {
            [("d", D(digit)), ("clue", C(clue)), ("house", H(of)), ("line", H(house))]
        };
        let common = self.houses_around(others).into_iter().filter(|&other| other != house);
        if let (true, Some((square, clue))) = (
            others.len() > 1,
            common.filter_map(|of| Some((of, self.stands_in(of, digit)?))).next(),
        ) {
            return self.render("hidden_single.elsewhere", &slots(clue, square));
        }
        let (blocks, lost) = self.blocks(house, digit, others);
        let mut sentences: Vec<String> = match blocks.len() {
            0..=MAX_BLOCKS => blocks
                .iter()
                .map(|&(of, clue)| self.render("hidden_single.block", &slots(clue, of)))
                .collect(),
            _ => {
                let houses = blocks.iter().map(|(of, _)| *of).collect();
                vec![
                    self.render("hidden_single.blocks", &[("d", D(digit)), ("houses", Hs(houses))]),
                ]
            }
        };
        if !lost.is_empty() {
            sentences.push(
                self.render("hidden_single.lost", &[("d", D(digit)), ("cells", self.cells(&lost))]),
            );
        }
        let blocks = capitalized(&self.words.list(&sentences, "clauses"));
        self.render(
            "hidden_single.blocked",
            &[("blocks", T(blocks)), ("house", H(house)), ("d", D(digit))],
        )
    }

    /// Returns a small set of houses that exclude the digit from the cells, with the clue in each,
    /// and the cells that lost it in another way.
    fn blocks(
        &self,
        house: House,
        digit: Digit,
        others: &[Cell],
    ) -> (Vec<(House, Cell)>, Vec<Cell>) {
        let mut left: Vec<Cell> = others.to_vec();
        let mut blocks = Vec::new();
        loop {
            let all =
                left.iter().flat_map(|&cell| self.houses_of(cell)).filter(|&other| other != house);
            let blocked = all.filter_map(|other| Some((other, self.stands_in(other, digit)?)));
            let reach = |(other, _): &(House, Cell)| {
                left.iter().filter(|&&cell| self.is_in(cell, *other)).count()
            };
            let mut best: Option<(House, Cell)> = None;
            for block in blocked {
                if best.is_none_or(|best| reach(&block) > reach(&best)) {
                    best = Some(block);
                }
            }
            let Some(best) = best else { break };
            left.retain(|&cell| !self.is_in(cell, best.0));
            blocks.push(best);
        }
        blocks.sort_unstable_by_key(|(_, clue)| *clue);
        (blocks, left)
    }

    pub(super) fn naked_single(&self, step: &Step, detail: Detail) -> String {
        let place = step.places[0];
        let [_, _, square] = self.order.houses_of(place.cell);
        let slots = [
            ("name", T(self.short_name(step))),
            ("cell", C(place.cell)),
            ("d", D(place.digit)),
            ("box", H(square)),
        ];
        match detail {
            Detail::Hint => self.render("naked_single.hint", &slots),
            Detail::Technique => self.render("naked_single.pattern", &slots),
            Detail::Full => {
                let taken = capitalized(&self.words.list(&self.taken(place.cell, place.digit), ""));
                let only = self.render("naked_single.only", &slots);
                if taken.is_empty() {
                    return format!("{} {only}", self.result(step));
                }
                format!("{} {taken}. {only}", self.result(step))
            }
        }
    }

    /// Lists the houses that contain the other digits, the one with most of them first.
    fn taken(&self, cell: Cell, digit: Digit) -> Vec<String> {
        let held = |house: House| -> DigitSet {
            self.cells_in(house).iter().filter_map(|&other| self.candidates.grid()[other]).collect()
        };
        let mut left = self.order.digits().without(digit);
        let mut sentences = Vec::new();
        let mut houses = self.houses_of(cell);
        // The sort is stable and keeps the order row, column, box.
        let fullest = houses.iter().map(|&house| held(house).count()).max();
        houses.sort_by_key(|&house| Some(held(house).count()) != fullest);
        for house in houses {
            let adds = held(house) & left;
            if !adds.is_empty() {
                let key =
                    if sentences.is_empty() { "naked_single.has" } else { "naked_single.adds" };
                sentences.push(self.render(key, &[("house", H(house)), ("digits", Ds(adds))]));
                left = left - adds;
            }
        }
        if !left.is_empty() {
            sentences.push(self.render("naked_single.earlier", &[("digits", Ds(left))]));
        }
        sentences
    }
}
