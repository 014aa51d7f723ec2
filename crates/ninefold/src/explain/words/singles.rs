//! Singles in words: the last cell of a house, the last place of a digit, the last digit of a cell.

use super::language::Value::{C, D, Ds, H, Hs, T};
use super::language::capital;
use super::{Detail, Teller};
use crate::grid::{Cell, Digit, DigitSet, House};
use crate::proof::{Step, Technique};

/// More houses than this that block a digit are named together.
const MOST_BLOCKS: usize = 3;

impl Teller<'_> {
    pub(super) fn last_place(&self, step: &Step, house: House, detail: Detail) -> String {
        let place = step.places[0];
        let slots =
            [("name", T(self.short_name(step))), ("house", H(house)), ("d", D(place.digit))];
        let of =
            if step.technique == Technique::FullHouse { "full_house" } else { "hidden_single" };
        match detail {
            Detail::Hint => self.say(&format!("{of}.hint"), &slots),
            Detail::Technique => self.say(&format!("{of}.pattern"), &slots),
            Detail::Full => {
                let others = self.other_empty_cells(house, place.cell);
                if others.is_empty() {
                    return format!(
                        "{} {}",
                        self.result(step),
                        self.say("full_house.reason", &slots)
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
        self.order.cells_in(house).iter().copied().filter(is_other).collect()
    }

    /// Where the digit stands already in a house.
    fn stands_in(&self, house: House, digit: Digit) -> Option<Cell> {
        let holds = |cell: &Cell| self.candidates.grid()[*cell] == Some(digit);
        self.order.cells_in(house).iter().copied().find(holds)
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
            return self.say("hidden_single.elsewhere", &slots(clue, square));
        }
        let (blocks, lost) = self.blocks(house, digit, others);
        let mut said: Vec<String> = match blocks.len() {
            0..=MOST_BLOCKS => blocks
                .iter()
                .map(|&(of, clue)| self.say("hidden_single.block", &slots(clue, of)))
                .collect(),
            _ => {
                let houses = blocks.iter().map(|(of, _)| *of).collect();
                vec![self.say("hidden_single.blocks", &[("d", D(digit)), ("houses", Hs(houses))])]
            }
        };
        if !lost.is_empty() {
            said.push(
                self.say("hidden_single.lost", &[("d", D(digit)), ("cells", self.cells(&lost))]),
            );
        }
        let blocks = capital(&self.words.list(&said, "clauses"));
        self.say(
            "hidden_single.blocked",
            &[("blocks", T(blocks)), ("house", H(house)), ("d", D(digit))],
        )
    }

    /// As few houses as keep the digit out of the cells, with the clue in each, and the cells that lost it in another way.
    fn blocks(
        &self,
        house: House,
        digit: Digit,
        others: &[Cell],
    ) -> (Vec<(House, Cell)>, Vec<Cell>) {
        let mut left: Vec<Cell> = others.to_vec();
        let mut blocks = Vec::new();
        loop {
            let all = left
                .iter()
                .flat_map(|&cell| self.order.houses_of(cell))
                .filter(|&other| other != house);
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
            Detail::Hint => self.say("naked_single.hint", &slots),
            Detail::Technique => self.say("naked_single.pattern", &slots),
            Detail::Full => {
                let taken = capital(&self.words.list(&self.taken(place.cell, place.digit), ""));
                let only = self.say("naked_single.only", &slots);
                if taken.is_empty() {
                    return format!("{} {only}", self.result(step));
                }
                format!("{} {taken}. {only}", self.result(step))
            }
        }
    }

    /// Which houses have the other digits, the one with most of them first.
    fn taken(&self, cell: Cell, digit: Digit) -> Vec<String> {
        let held = |house: House| -> DigitSet {
            self.order
                .cells_in(house)
                .iter()
                .filter_map(|&other| self.candidates.grid()[other])
                .collect()
        };
        let mut left = self.order.digits().without(digit);
        let mut said = Vec::new();
        let mut houses = self.order.houses_of(cell).to_vec();
        // The sort keeps the order of the other two: row, column, box.
        let fullest = houses.iter().map(|&house| held(house).count()).max();
        houses.sort_by_key(|&house| Some(held(house).count()) != fullest);
        for house in houses {
            let adds = held(house) & left;
            if !adds.is_empty() {
                let key = if said.is_empty() { "naked_single.has" } else { "naked_single.adds" };
                said.push(self.say(key, &[("house", H(house)), ("digits", Ds(adds))]));
                left = left - adds;
            }
        }
        if !left.is_empty() {
            said.push(self.say("naked_single.earlier", &[("digits", Ds(left))]));
        }
        said
    }
}
