//! Text for what the rules of a puzzle allow: cages, lines, dots, sums, overlaps.

use super::facts::{cells_of, covers_of, digits_of, truths_of};
use super::language::Value;
use super::language::Value::{C, D, Ds, H, Hs, N, T};
use super::story::Clause;
use super::{Detail, StepWriter};
use crate::grid::rules::{Constraint, Diagonal, Dot, LineRule, Rule, Rules};
use crate::grid::{Cell, Digit, DigitSet, House};
use crate::proof::{Combined, Count, Inference, InferenceReason, OneOf, Part, Step, Truth};
use std::collections::{BTreeMap, BTreeSet};

/// Combinations are listed if there are at most so many.
const MOST_SETS: usize = 5;

/// A sum over a few cells: cells that count, cells that are subtracted, and the total.
struct Equation {
    plus: Vec<Cell>,
    minus: Vec<Cell>,
    total: i64,
}

impl StepWriter<'_> {
    fn rules(&self) -> Option<&Rules> {
        self.candidates.grid().rules().map(|rules| &**rules)
    }

    /// Returns `the 17 cage in r1c1 and r1c2`.
    pub(super) fn rule_in_words(&self, index: usize) -> String {
        let Some(rules) = self.rules() else { return String::new() };
        let constraint = &rules.constraints()[rules.constraint_of(index)];
        let mut cells = constraint.cells();
        if cells.is_empty() {
            cells = rules.rules()[index].cells();
        }
        let key = format!("rule.{}", constraint.name().to_lowercase().replace(' ', "-"));
        let number = number_of(constraint);
        let key = if number.is_some() || self.words.get(&format!("{key}.plain")).is_none() {
            key
        } else {
            format!("{key}.plain")
        };
        let slots = [("cells", self.cells(&cells)), ("number", T(number.unwrap_or_default()))];
        self.render(&key, &slots)
    }

    /// Returns the name of a rule that is a house: `the falling diagonal`.
    pub(super) fn extra_house(&self, index: usize) -> String {
        let Some(rules) = self.rules() else { return String::new() };
        let key = match rules.constraints()[rules.constraint_of(index)] {
            Constraint::Diagonal(Diagonal::Rising) => "extra.rising",
            Constraint::Diagonal(Diagonal::Falling) => "extra.falling",
            _ => "extra.region",
        };
        let cell = rules.rules()[index].cells().into_iter().min();
        self.render(key, &[("cell", C(cell.expect("a house has cells")))])
    }

    /// Returns the rule, or the sum that several rules and houses give.
    pub(super) fn combined(&self, combined: &Combined) -> String {
        if let Some(index) = combined.single() {
            return self.rule_in_words(index);
        }
        let equation = self.equation(combined);
        let slots = [
            ("cells", self.cells(&equation.plus)),
            ("others", self.cells(&equation.minus)),
            ("number", T(equation.total.to_string())),
        ];
        let key = if equation.minus.is_empty() { "combined.sum" } else { "combined.difference" };
        self.render(key, &slots)
    }

    /// Returns `17 in r1c12` or `r1c3-r2c4=5`.
    pub(super) fn combined_in_short(&self, combined: &Combined) -> String {
        let Some(rules) = self.rules() else { return String::new() };
        let Some(index) = combined.single() else {
            let Equation { plus, minus, total } = self.equation(combined);
            let minus = match &minus[..] {
                [] => String::new(),
                cells => format!("-{}", self.names.cells(cells)),
            };
            return format!("{}{minus}={total}", self.names.cells(&plus));
        };
        let constraint = &rules.constraints()[rules.constraint_of(index)];
        let cells = self.names.cells(&rules.rules()[index].cells());
        match number_of(constraint) {
            Some(number) => format!("{} {number} in {cells}", constraint.name()),
            None => format!("{} in {cells}", constraint.name()),
        }
    }

    fn equation(&self, combined: &Combined) -> Equation {
        let mut factors: BTreeMap<Cell, i64> = BTreeMap::new();
        let mut total = 0;
        for &(part, factor) in &combined.parts {
            let factor = i64::from(factor);
            let (cells, sum) = self.part(part);
            for (own, cell) in cells {
                *factors.entry(cell).or_default() += factor * own;
            }
            total += factor * sum;
        }
        let of = |sign: i64| -> Vec<Cell> {
            factors.iter().filter(|(_, f)| f.signum() == sign).map(|(cell, _)| *cell).collect()
        };
        let (plus, minus) = (of(1), of(-1));
        if total < 0 && !minus.is_empty() {
            return Equation { plus: minus, minus: plus, total: -total };
        }
        Equation { plus, minus, total }
    }

    fn part(&self, part: Part) -> (Vec<(i64, Cell)>, i64) {
        let ones = |cells: &[Cell]| cells.iter().map(|&cell| (1, cell)).collect();
        match part {
            Part::House(house) => {
                let side = self.order.side() as i64;
                (ones(self.cells_in(house)), side * (side + 1) / 2)
            }
            Part::Rule(index) => match self.rules().map(|rules| &rules.rules()[index]) {
                Some(Rule::Cage { cells, sum }) => (ones(cells), i64::from(*sum)),
                Some(Rule::Sum { terms, total }) => (
                    terms.iter().map(|&(factor, cell)| (i64::from(factor), cell)).collect(),
                    i64::from(*total),
                ),
                _ => (Vec::new(), 0),
            },
        }
    }

    /// Text for what a rule, or a sum of rules, leaves for its cells.
    pub(super) fn rule(&self, step: &Step, combined: &Combined, detail: Detail) -> String {
        if combined.single().is_none() {
            return self.innies(step, combined, detail);
        }
        let slots = [
            ("name", T(self.short_name(step))),
            ("rule", T(self.combined(combined))),
            ("cells", self.cells(&cells_of(&step.removes))),
            ("digits", Ds(digits_of(&step.removes))),
        ];
        match detail {
            Detail::Hint => self.render("rule.hint", &slots),
            Detail::Technique => self.render("rule.pattern", &slots),
            Detail::Full => {
                let (cells, digits) = (cells_of(&step.removes), digits_of(&step.removes));
                if step.removes.len() != cells.len() * digits.count() {
                    return self.left_by_rule(step, &slots);
                }
                let mut sentences = vec![self.result_of_cell(step)];
                let sets = self.sets_of(combined);
                let union = sets.iter().fold(DigitSet::EMPTY, |all, set| all | *set);
                if !sets.is_empty() {
                    let digits: Vec<String> =
                        sets.iter().map(|set| self.names.digits(*set)).collect();
                    let sets = ("sets", T(self.words.list(&digits, "or")));
                    let slots = [slots.to_vec(), vec![sets]].concat();
                    sentences.push(self.render("rule.reason.sets", &slots));
                }
                if sets.is_empty() || !(digits_of(&step.removes) & union).is_empty() {
                    sentences.push(self.render("rule.reason", &slots));
                }
                sentences.join(" ")
            }
        }
    }

    /// Returns what a rule leaves for several cells that lose different digits.
    fn left_by_rule(&self, step: &Step, slots: &[(&str, Value)]) -> String {
        let mut groups: Vec<(DigitSet, Vec<Cell>)> = Vec::new();
        for cell in cells_of(&step.removes) {
            let lost = step.removes.iter().filter(|removed| removed.cell == cell);
            let left = self.candidates.at(cell) - lost.map(|removed| removed.digit).collect();
            match groups.iter_mut().find(|(digits, _)| *digits == left) {
                Some((_, cells)) => cells.push(cell),
                None => groups.push((left, vec![cell])),
            }
        }
        let left = |(digits, cells): &(DigitSet, Vec<Cell>)| {
            self.render("rule.left", &[("digits", Ds(*digits)), ("cells", self.cells(cells))])
        };
        let list: Vec<String> = groups.iter().map(left).collect();
        let list = ("list", T(self.words.list(&list, "")));
        self.render("rule.leaves", &[slots.to_vec(), vec![list]].concat())
    }

    /// Returns the sets of digits that can fill a cage, if there are few.
    fn sets_of(&self, combined: &Combined) -> Vec<DigitSet> {
        let rule = combined.single().zip(self.rules()).map(|(index, rules)| &rules.rules()[index]);
        let Some(Rule::Cage { cells, sum }) = rule else { return Vec::new() };
        let mut sets = BTreeSet::from([0u64]);
        for &cell in cells {
            let filled = self.candidates.grid()[cell];
            let open = filled.map_or(self.candidates.at(cell), DigitSet::from_digit);
            let with = |set: u64| {
                (open - DigitSet::from_bits(set)).map(move |digit| set | 1 << digit.index())
            };
            sets = sets.into_iter().flat_map(with).collect();
        }
        let total = |set: &DigitSet| set.map(|digit| u32::from(digit.number())).sum::<u32>();
        let sets: Vec<DigitSet> =
            sets.into_iter().map(DigitSet::from_bits).filter(|set| total(set) == *sum).collect();
        if sets.len() > MOST_SETS { Vec::new() } else { sets }
    }

    /// Text for the sum of houses minus the sum of cages.
    fn innies(&self, step: &Step, combined: &Combined, detail: Detail) -> String {
        let mut houses: Vec<House> = combined.houses().collect();
        houses.sort_unstable();
        let sum_of = |is_wanted: &dyn Fn(Part) -> bool| -> i64 {
            let wanted = combined.parts.iter().filter(|(part, _)| is_wanted(*part));
            wanted.map(|&(part, _)| self.part(part).1).sum()
        };
        let cages: Vec<String> =
            combined.rules().map(|index| self.part(Part::Rule(index)).1.to_string()).collect();
        let slots = [
            ("name", T(self.short_name(step))),
            ("houses", Hs(houses)),
            ("total", T(sum_of(&|part| matches!(part, Part::House(_))).to_string())),
            ("n", N(cages.len())),
            ("list", T(self.words.list(&cages, ""))),
            ("sum", T(sum_of(&|part| matches!(part, Part::Rule(_))).to_string())),
        ];
        match detail {
            Detail::Hint => self.render("innies.hint", &slots),
            Detail::Technique => self.render("innies.pattern", &slots),
            Detail::Full => {
                let Equation { plus, minus, total } = self.equation(combined);
                let key = match (&plus[..], &minus[..], total) {
                    ([_], [], _) => "innies.one",
                    (_, [], _) => "innies.sum",
                    (_, _, 0) => "innies.equal",
                    _ => "innies.more",
                };
                let so = [
                    ("cells", self.cells(&plus)),
                    ("others", self.cells(&minus)),
                    ("total", T(total.to_string())),
                ];
                let reason = self.render("innies.reason", &slots);
                format!("{} {reason} {}", self.result_of_cell(step), self.render(key, &so))
            }
        }
    }

    /// Text for a digit that a rule needs.
    pub(super) fn overlap(
        &self,
        step: &Step,
        combined: &Combined,
        digit: Digit,
        detail: Detail,
    ) -> String {
        let mut cells: Vec<Cell> = match combined.single().zip(self.rules()) {
            Some((index, rules)) => rules.rules()[index].cells(),
            None => {
                let Equation { plus, minus, .. } = self.equation(combined);
                [plus, minus].concat()
            }
        };
        cells.retain(|&cell| self.candidates.at(cell).contains(digit));
        cells.sort_unstable();
        cells.dedup();
        let slots = [
            ("name", T(self.short_name(step))),
            ("rule", T(self.combined(combined))),
            ("d", D(digit)),
            ("cells", self.cells(&cells)),
            ("targets", self.cells(&cells_of(&step.removes))),
        ];
        match detail {
            Detail::Hint => self.render("overlap.hint", &slots),
            Detail::Technique => self.render("overlap.pattern", &slots),
            Detail::Full => {
                format!("{} {}", self.result(step), self.render("overlap.reason", &slots))
            }
        }
    }

    /// Text for candidates that exclude all candidates of a cell or all places of a digit.
    pub(super) fn common_peer(&self, step: &Step, count: &Count, detail: Detail) -> String {
        let name = ("name", T(self.short_name(step)));
        let targets = ("targets", self.cells(&cells_of(&step.removes)));
        let (key, slots) = match count.truths.first() {
            Some(Truth::OneOf(OneOf::House(house, digit))) => {
                let places = self.places(*house, *digit);
                let slots = vec![
                    name,
                    targets,
                    ("house", H(*house)),
                    ("d", D(*digit)),
                    ("n", N(places.len())),
                    ("cells", self.cells(&places)),
                ];
                ("common.house", slots)
            }
            Some(Truth::OneOf(OneOf::Cell(cell))) => {
                let digits = ("digits", Ds(self.candidates.at(*cell)));
                ("common.cell", vec![name, targets, ("cell", C(*cell)), digits])
            }
            _ => return self.only_result(step, detail),
        };
        match detail {
            Detail::Hint => self.render(&format!("{key}.hint"), &slots),
            Detail::Technique => self.render(&format!("{key}.pattern"), &slots),
            Detail::Full => {
                let reason = self.render(&format!("{key}.reason"), &slots);
                format!("{} {reason}", self.result_of_cell(step))
            }
        }
    }

    /// Text for lines and as many regions that contain a digit equally often.
    pub(super) fn leftovers(&self, step: &Step, count: &Count, detail: Detail) -> String {
        let ((_, houses, of), (_, covers)) = (truths_of(count), covers_of(count));
        let slots = [
            ("name", T(self.short_name(step))),
            ("d", D(of.first().expect("the digit of the houses"))),
            ("houses", Hs(houses)),
            ("covers", Hs(covers)),
        ];
        match detail {
            Detail::Hint => self.render("leftovers.hint", &slots),
            Detail::Technique => self.render("leftovers.pattern", &slots),
            Detail::Full => {
                format!("{} {}", self.result(step), self.render("leftovers.reason", &slots))
            }
        }
    }

    /// Returns what one rule refutes in one cell.
    pub(super) fn false_clause(&self, inferences: &[Inference]) -> Clause {
        let digits = inferences.iter().map(|one| one.node.digit).collect();
        let cells = inferences.first().map(|one| one.node.cells.clone()).unwrap_or_default();
        let rule = match inferences.first().map(|one| &one.reason) {
            Some(InferenceReason::Rule(combined)) => self.combined(combined),
            _ => String::new(),
        };
        let slots = [("rule", T(rule)), ("cells", self.cells(&cells)), ("digits", Ds(digits))];
        self.clause("link.rule", &slots)
    }
}

/// The number that belongs to a constraint, such as the sum of a cage.
fn number_of(constraint: &Constraint) -> Option<String> {
    Some(match constraint {
        Constraint::Cage { sum, .. } => (*sum)?.to_string(),
        Constraint::Sum { total, .. } => total.to_string(),
        Constraint::LittleKiller { sum, .. } => sum.to_string(),
        Constraint::Outside { value, .. } => value.to_string(),
        Constraint::Quadruple { digits, .. } => {
            digits.iter().map(|digit| digit.to_string()).collect::<Vec<_>>().join(", ")
        }
        Constraint::Dot { kind: Dot::Difference(n), .. } if *n != 1 => n.to_string(),
        Constraint::Dot { kind: Dot::Ratio(n), .. } if *n != 2 => n.to_string(),
        Constraint::Dot { kind: Dot::Total(n), .. } if ![5, 10].contains(n) => n.to_string(),
        Constraint::Line { kind: LineRule::Modular(n), .. } => n.to_string(),
        _ => return None,
    })
}
