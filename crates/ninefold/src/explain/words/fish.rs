//! Text for fish with and without fins, and for kraken fish.

use super::facts::{cells_of, covers_of, targets_of, truths_of};
use super::language::Value::{C, D, H, Hs, K, N, T};
use super::language::{Kind, Value};
use super::{Detail, StepWriter};
use crate::grid::{Cell, Digit, House};
use crate::proof::{Candidate, Count, Fins, Fish, Shape, Step, Technique};

/// Fish, prepared for the text.
struct FishFacts {
    digit: Digit,
    bases: Vec<House>,
    covers: Vec<House>,
    fins: Vec<Cell>,
    targets: Vec<Cell>,
}

impl StepWriter<'_> {
    /// Text for one fish, or for the two of a siamese fish.
    pub(super) fn fish(&self, step: &Step, counts: &[&Count], detail: Detail) -> String {
        let fish: Vec<FishFacts> =
            counts.iter().map(|count| self.fish_facts(step, count)).collect();
        match detail {
            Detail::Hint => self.render("fish.hint", &self.fish_slots(step, &fish[0])),
            Detail::Technique => self.fish_pattern(step, &fish[0]),
            Detail::Full => {
                let reasons: Vec<String> =
                    fish.iter().map(|one| self.fish_reason(step, one)).collect();
                match &reasons[..] {
                    [only] => format!("{} {only}", self.result(step)),
                    _ => format!("{}\n{}", self.result(step), reasons.join("\n")),
                }
            }
        }
    }

    fn fish_facts(&self, step: &Step, count: &Count) -> FishFacts {
        let ((_, mut bases, of), (_, mut covers)) = (truths_of(count), covers_of(count));
        bases.sort_unstable();
        covers.sort_unstable();
        let fins = self.fins(count);
        let is_removed = |cell: &Cell| {
            self.see_all(*cell, &fins) && covers.iter().any(|&cover| self.is_in(*cell, cover))
        };
        let mut targets: Vec<Cell> = targets_of(step).into_iter().filter(is_removed).collect();
        if targets.is_empty() {
            targets = targets_of(step);
        }
        FishFacts { digit: of.first().expect("a fish has a digit"), bases, covers, fins, targets }
    }

    fn fish_slots(&self, step: &Step, fish: &FishFacts) -> Vec<(&'static str, Value)> {
        vec![
            ("name", T(self.short_name(step))),
            (
                "fish",
                T(self
                    .words
                    .get(&format!("fish.{}", fish.bases.len()))
                    .unwrap_or_default()
                    .to_string()),
            ),
            (
                "a",
                T(self
                    .words
                    .get(&format!("fish.a.{}", fish.bases.len()))
                    .unwrap_or_default()
                    .to_string()),
            ),
            ("d", D(fish.digit)),
            ("bases", Hs(fish.bases.clone())),
            ("covers", Hs(fish.covers.clone())),
            ("base_kind", K(Kind::common(&fish.bases))),
            ("cover_kind", K(Kind::common(&fish.covers))),
            ("n", N(fish.bases.len())),
            ("fins", self.cells(&fish.fins)),
            ("count", N(fish.fins.len())),
            ("targets", self.cells(&fish.targets)),
        ]
    }

    fn fish_pattern(&self, step: &Step, fish: &FishFacts) -> String {
        let key = match step.technique {
            Technique::Fish(sort) if sort.fins() == Fins::Sashimi => "fish.pattern.sashimi",
            Technique::Fish(sort) if sort.fins() == Fins::Finned => "fish.pattern.finned",
            _ if Kind::common(&fish.covers) == Kind::House => "fish.pattern.mixed",
            _ => "fish.pattern",
        };
        self.render(key, &self.fish_slots(step, fish))
    }

    fn fish_reason(&self, step: &Step, fish: &FishFacts) -> String {
        let sort = match step.technique {
            Technique::Fish(sort) => sort,
            _ => Fish::basic(crate::proof::FishSize::XWing),
        };
        if fish.fins.is_empty() {
            return self.without_fins(step, fish, sort.shape() == Shape::Basic);
        }
        let sashimi = (sort.fins() == Fins::Sashimi).then(|| self.sashimi(fish)).flatten();
        sashimi.unwrap_or_else(|| self.with_fins(step, fish))
    }

    fn without_fins(&self, step: &Step, fish: &FishFacts, is_basic: bool) -> String {
        let mut slots = self.fish_slots(step, fish);
        if let (true, [first, second], [one, other]) = (is_basic, &fish.bases[..], &fish.covers[..])
        {
            slots.extend([
                ("first", H(*first)),
                ("second", H(*second)),
                ("one", H(*one)),
                ("other", H(*other)),
                ("places", self.cells(&self.places(*first, fish.digit))),
                ("more", self.cells(&self.places(*second, fish.digit))),
            ]);
            return self.render("x_wing.reason", &slots);
        }
        let mixed =
            [&fish.bases, &fish.covers].iter().any(|houses| Kind::common(houses) == Kind::House);
        let mut text = self.render(if mixed { "fish.reason.mixed" } else { "fish.reason" }, &slots);
        // A place of the fish itself is removed if it is in two of the covers.
        let base = |cell: &Cell| fish.bases.iter().any(|&base| self.is_in(*cell, base));
        let own: Vec<Cell> = fish.targets.iter().copied().filter(base).collect();
        if !own.is_empty() {
            text += " ";
            text += &self.render("fish.own", &[("cells", self.cells(&own))]);
        }
        text
    }

    fn with_fins(&self, step: &Step, fish: &FishFacts) -> String {
        let mut slots = self.fish_slots(step, fish);
        let all: Vec<Cell> = fish.fins.iter().chain(&fish.targets).copied().collect();
        let key = match self.houses_around(&all).pop() {
            Some(house) => {
                slots.push(("house", H(house)));
                "fish.fins"
            }
            None => "fish.fins.seen",
        };
        let twice =
            |cell: &Cell| fish.bases.iter().filter(|&&base| self.is_in(*cell, base)).count() > 1;
        let inside: Vec<Cell> = fish.fins.iter().copied().filter(twice).collect();
        let mut sentences = vec![self.render("fish.reason.finned", &slots)];
        if !inside.is_empty() {
            sentences.push(self.render("fish.inside", &[("cells", self.cells(&inside))]));
        }
        sentences.push(self.render(key, &slots));
        let hit: Vec<House> = fish
            .covers
            .iter()
            .copied()
            .filter(|&cover| self.has_any(cover, &fish.targets))
            .collect();
        let links: Vec<String> = hit.iter().map(|&cover| self.cover_holds(fish, cover)).collect();
        slots.push(("links", T(self.words.list(&links, ""))));
        sentences.push(self.render("fish.holds", &slots));
        sentences.join(" ")
    }

    fn has_any(&self, house: House, cells: &[Cell]) -> bool {
        cells.iter().any(|&cell| self.is_in(cell, house))
    }

    /// Returns where the digit of a cover is if no fin contains it.
    fn cover_holds(&self, fish: &FishFacts, cover: House) -> String {
        let is_base = |cell: &Cell| fish.bases.iter().any(|&base| self.is_in(*cell, base));
        let places = self.places(cover, fish.digit).into_iter().filter(is_base);
        let places: Vec<Cell> = places
            .filter(|cell| !fish.fins.contains(cell) && !fish.targets.contains(cell))
            .collect();
        self.render(
            "link.house",
            &[("d", D(fish.digit)), ("house", H(cover)), ("cells", self.cells(&places))],
        )
    }

    /// Text for two lines, one of which has only one place besides its fins.
    fn sashimi(&self, fish: &FishFacts) -> Option<String> {
        let [first, second] = fish.bases[..] else { return None };
        let fins_in = |base: House| fish.fins.iter().filter(|&&fin| self.is_in(fin, base)).count();
        let (finned, plain) = match (fins_in(first), fins_in(second)) {
            (0, _) => (second, first),
            (_, 0) => (first, second),
            _ => return None,
        };
        let [a, b] = self.places(plain, fish.digit)[..] else { return None };
        let beside =
            self.places(finned, fish.digit).into_iter().filter(|cell| !fish.fins.contains(cell));
        let [corner] = beside.collect::<Vec<_>>()[..] else { return None };
        let (near, far) = if self.order.see_each_other(b, corner) { (a, b) } else { (b, a) };
        let with = |cells: &[Cell]| self.houses_around(&[cells, &fish.targets].concat()).pop();
        let near_house =
            self.houses_around(&[&[near], &fish.targets[..]].concat()).first().copied()?;
        Some(self.render(
            "sashimi.reason",
            &[
                ("d", D(fish.digit)),
                ("plain", H(plain)),
                ("finned", H(finned)),
                ("places", self.cells(&[a, b])),
                ("near", C(near)),
                ("far", C(far)),
                ("corner", C(corner)),
                ("fins", self.cells(&fish.fins)),
                ("targets", self.cells(&fish.targets)),
                ("line", H(near_house)),
                ("box", H(with(&fish.fins)?)),
            ],
        ))
    }

    /// Contradiction of a kraken fish: the lines need more places than are left.
    pub(super) fn no_room(&self, assumed: Candidate, count: &Count) -> String {
        let ((_, bases, of), (_, covers)) = (truths_of(count), covers_of(count));
        let digit = of.first().expect("a fish has a digit");
        let taken = |cover: &House| assumed.digit == digit && self.is_in(assumed.cell, *cover);
        let covers: Vec<House> = covers.into_iter().filter(|cover| !taken(cover)).collect();
        self.render(
            "kraken.end",
            &[
                ("d", D(digit)),
                ("bases", Hs(bases.clone())),
                ("n", N(covers.len())),
                ("covers", Hs(covers)),
            ],
        )
    }

    pub(super) fn kraken_clue(&self, step: &Step, count: &Count, key: &str) -> String {
        let (_, bases, of) = truths_of(count);
        let cell = cells_of(&step.removes)[0];
        let digit = of.first().expect("a fish has a digit");
        self.render(
            key,
            &[
                ("name", T(self.short_name(step))),
                ("d", D(digit)),
                ("bases", Hs(bases)),
                ("cell", C(cell)),
            ],
        )
    }
}
