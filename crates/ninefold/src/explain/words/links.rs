//! Text for techniques with two strong links: skyscrapers, kites, empty rectangles, W-Wings, remote
//! pairs.

use super::facts::targets_of;
use super::language::Kind;
use super::language::Value::{C, D, Ds, H, Hs, K, N, T};
use super::{Detail, StepWriter};
use crate::grid::{Cell, DigitSet, House};
use crate::proof::{Candidate, Chain, OneOf, Step, Strong, Technique};

impl StepWriter<'_> {
    /// Returns the cells of a step from which this chain removes its digit.
    fn targets_of_chain(&self, step: &Step, chain: &Chain) -> Vec<Cell> {
        let (first, last) = (&chain.nodes[0], &chain.nodes[chain.nodes.len() - 1]);
        let is_removed = |candidate: &&Candidate| {
            self.rules_out(first, **candidate) && self.rules_out(last, **candidate)
        };
        step.removes.iter().filter(is_removed).map(|candidate| candidate.cell).collect()
    }

    /// Text for skyscraper, kite and turbot fish: two houses with two places each, joined by a
    /// third. Dual kites have two chains.
    pub(super) fn turbot(&self, step: &Step, chains: &[&Chain], detail: Detail) -> String {
        let chain = chains[0];
        let houses = houses_of(chain);
        let inner = [chain.nodes[1].cells[0], chain.nodes[2].cells[0]];
        let joint = self.houses_around(&inner);
        let slots = [
            ("name", T(self.short_name(step))),
            ("d", D(chain.nodes[0].digit)),
            ("houses", Hs(houses)),
            ("joint", H(joint[0])),
            ("kind", K(Kind::from_house(joint[0]))),
            ("box", H(joint[joint.len() - 1])),
        ];
        match detail {
            Detail::Hint => self.render("turbot.hint", &slots),
            Detail::Technique => match step.technique {
                Technique::Skyscraper => self.render("skyscraper.pattern", &slots),
                Technique::TwoStringKite | Technique::DualTwoStringKite => {
                    self.render("kite.pattern", &slots)
                }
                _ => self.render("turbot.pattern", &slots),
            },
            Detail::Full => self.one_or_more(
                step,
                chains.iter().map(|chain| self.turbot_reason(step, chain)).collect(),
            ),
        }
    }

    /// Returns the result, followed by one reason or by several on separate lines.
    pub(super) fn one_or_more(&self, step: &Step, reasons: Vec<String>) -> String {
        match &reasons[..] {
            [only] => format!("{} {only}", self.result(step)),
            _ => format!("{}\n{}", self.result(step), reasons.join("\n")),
        }
    }

    fn turbot_reason(&self, step: &Step, chain: &Chain) -> String {
        let houses = houses_of(chain);
        let cells: Vec<Cell> = chain.nodes.iter().map(|node| node.cells[0]).collect();
        let is_kite =
            matches!(step.technique, Technique::TwoStringKite | Technique::DualTwoStringKite);
        let joint = self.houses_around(&cells[1..3]);
        let joint = if is_kite { joint[joint.len() - 1] } else { joint[0] };
        let sorted = |a: Cell, b: Cell| if a < b { [a, b] } else { [b, a] };
        self.render(
            "turbot.reason",
            &[
                ("d", D(chain.nodes[0].digit)),
                ("first", H(houses[0])),
                ("second", H(houses[1])),
                ("places", self.cells(&sorted(cells[0], cells[1]))),
                ("more", self.cells(&sorted(cells[2], cells[3]))),
                ("inner", self.cells(&cells[1..3])),
                ("joint", H(joint)),
                ("ends", self.cells(&[cells[0], cells[3]])),
                ("sees", T(self.sees(&self.targets_of_chain(step, chain), 2))),
            ],
        )
    }

    pub(super) fn empty_rectangle(&self, step: &Step, chains: &[&Chain], detail: Detail) -> String {
        let chain = chains[0];
        let (square, line) = (houses_of(chain)[1], houses_of(chain)[0]);
        let [_, near, seen, other] = &chain.nodes[..] else {
            return self.open_chain(step, chain, detail);
        };
        let arm = self.arm(square, &seen.cells, near.cells[0]);
        let slots = [
            ("name", T(self.short_name(step))),
            ("d", D(near.digit)),
            ("box", H(square)),
            ("line", H(line)),
            ("arm", H(arm)),
            ("arms", Hs(vec![arm, self.cross_arm(arm, &other.cells)])),
        ];
        match detail {
            Detail::Hint => self.render("empty_rectangle.hint", &slots),
            Detail::Technique => self.render("empty_rectangle.pattern", &slots),
            Detail::Full => self.one_or_more(
                step,
                chains.iter().map(|chain| self.rectangle_reason(step, chain)).collect(),
            ),
        }
    }

    /// Returns the line through these cells of the box that contains the near end of the link.
    fn arm(&self, square: House, cells: &[Cell], near: Cell) -> House {
        let lines = self.order.houses_of(near).into_iter().filter(|&house| house != square);
        let through = |house: &House| cells.iter().all(|&cell| self.is_in(cell, *house));
        lines.into_iter().find(through).unwrap_or_else(|| self.order.houses_of(near)[0])
    }

    /// Returns the line of the other direction that contains the rest of the cross.
    fn cross_arm(&self, arm: House, other: &[Cell]) -> House {
        let direction = usize::from(matches!(arm, House::Row(_)));
        self.order.houses_of(other[0])[direction]
    }

    fn rectangle_reason(&self, step: &Step, chain: &Chain) -> String {
        let [far, near, seen, other] = &chain.nodes[..] else { return String::new() };
        let (line, square) = (houses_of(chain)[0], houses_of(chain)[1]);
        let targets = self.targets_of_chain(step, chain);
        let through =
            |cells: &[Cell]| self.houses_around(&[cells, &targets].concat()).first().copied();
        let (one, two) =
            (through(&far.cells).unwrap_or(line), through(&other.cells).unwrap_or(square));
        let mut places = vec![far.cells[0], near.cells[0]];
        places.sort_unstable();
        self.render(
            "empty_rectangle.reason",
            &[
                ("d", D(near.digit)),
                ("line", H(line)),
                ("box", H(square)),
                ("places", self.cells(&places)),
                ("far", C(far.cells[0])),
                ("near", C(near.cells[0])),
                ("targets", self.cells(&targets)),
                ("one", H(one)),
                ("two", H(two)),
                ("seen", self.cells(&seen.cells)),
                ("other", self.cells(&other.cells)),
            ],
        )
    }

    pub(super) fn w_wing(&self, step: &Step, chain: &Chain, detail: Detail) -> String {
        let cells: Vec<Cell> = chain.nodes.iter().map(|node| node.cells[0]).collect();
        let (gone, linked) = (chain.nodes[0].digit, chain.nodes[1].digit);
        let link = houses_of(chain)[0];
        let square = |cell: Cell| self.order.houses_of(cell)[2];
        let mut boxes = [square(cells[0]), square(cells[5])];
        boxes.sort_unstable();
        let slots = [
            ("name", T(self.short_name(step))),
            ("d", D(gone)),
            ("x", D(linked)),
            ("digits", Ds(DigitSet::from_digit(gone).with(linked))),
            ("ends", self.cells(&[cells[0], cells[5]])),
            ("places", self.cells(&cells[2..4])),
            ("house", H(link)),
            ("first", H(boxes[0])),
            ("second", H(boxes[1])),
            ("sees", T(self.sees(&targets_of(step), 2))),
        ];
        match detail {
            Detail::Hint => self.render("w_wing.hint", &slots),
            Detail::Technique => self.render("w_wing.pattern", &slots),
            Detail::Full => {
                format!("{} {}", self.result(step), self.render("w_wing.reason", &slots))
            }
        }
    }

    pub(super) fn remote_pair(&self, step: &Step, chain: &Chain, detail: Detail) -> String {
        let cells: Vec<Cell> = chain.nodes.iter().step_by(2).map(|node| node.cells[0]).collect();
        let pair = DigitSet::from_digit(chain.nodes[0].digit).with(chain.nodes[1].digit);
        let gone: DigitSet = step.removes.iter().map(|candidate| candidate.digit).collect();
        let path =
            cells.iter().map(|&cell| self.render("cell", &[("cell", C(cell))])).collect::<Vec<_>>();
        let slots = [
            ("name", T(self.short_name(step))),
            ("digits", Ds(pair)),
            ("d", D(gone.first().expect("a step removes something"))),
            ("n", N(cells.len())),
            ("path", T(self.words.list(&path, ""))),
            ("ends", self.cells(&[cells[0], cells[cells.len() - 1]])),
            ("sees", T(self.sees(&targets_of(step), 2))),
        ];
        match detail {
            Detail::Hint => self.render("remote_pair.hint", &slots),
            Detail::Technique => self.render("remote_pair.pattern", &slots),
            Detail::Full => {
                let key = if gone.count() == 1 {
                    "remote_pair.reason"
                } else {
                    "remote_pair.reason.both"
                };
                format!("{} {}", self.result(step), self.render(key, &slots))
            }
        }
    }

    /// `r5c4 sees both`.
    pub(super) fn sees(&self, targets: &[Cell], nodes: usize) -> String {
        self.render("sees", &[("targets", self.cells(targets)), ("nodes", N(nodes))])
    }
}

/// Returns the houses of the strong links.
pub(super) fn houses_of(chain: &Chain) -> Vec<House> {
    let house = |reason: &Strong| match reason {
        Strong::OneOf(OneOf::House(house, _)) => Some(*house),
        _ => None,
    };
    chain.strong.iter().filter_map(house).collect()
}
