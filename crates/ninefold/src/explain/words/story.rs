//! Joins consecutive inferences into sentences of at most three clauses.
//!
//! A clause has two forms, because in German the verb comes first after "also" or "dann". The order
//! of the clauses and the sentence breaks are the same in all languages.

use super::StepWriter;
use super::language::Value::{C, D, Ds, H, N, T};
use super::language::{Value, capitalized};
use crate::grid::{Cell, Digit, DigitSet};
use crate::proof::{Node, OneOf, Strong};

/// Clause, in its plain form and in the form that follows a word like "so".
#[derive(Clone, Debug)]
pub(super) struct Clause {
    pub plain: String,
    pub inverted: String,
}

/// One statement of the text.
#[derive(Clone, Debug)]
pub(super) enum Part {
    /// Something is true.
    Is(Clause),
    /// Something is false, which the reader could not see otherwise.
    Not(Clause),
    /// A sentence that the next clause depends on.
    Note(String),
    /// Cells with as many digits left as cells, in a separate sentence.
    Locked(Clause),
}

/// Link: `on` is true because `off` is false.
#[derive(Clone, Copy)]
pub(super) struct Link<'a> {
    pub off: &'a Node,
    pub on: &'a Node,
    pub reason: &'a Strong,
}

/// Statement before a link.
#[derive(Clone, Copy, PartialEq)]
enum Previous {
    /// The start is false.
    Nothing,
    /// The digit of a cell was stated.
    Cell,
    /// The place of a digit in a house was stated.
    House,
}

/// Builds sentences from clauses. The last sentence may be incomplete.
pub(super) struct SentenceBuilder {
    done: Vec<String>,
    open: String,
    separator: &'static str,
}

impl SentenceBuilder {
    /// Returns the text without the final full stop.
    pub fn without_period(&self) -> String {
        let mut all = self.done.clone();
        all.push(self.open.clone());
        all.retain(|sentence| !sentence.is_empty());
        all.join(self.separator)
    }

    /// Returns the text with the final full stop.
    pub fn with_period(&self) -> String {
        format!("{}.", self.without_period())
    }
}

/// Chains with more links are split into several lines.
const MAX_LINKS: usize = 5;

impl StepWriter<'_> {
    pub(super) fn clause(&self, key: &str, slots: &[(&str, Value)]) -> Clause {
        let plain = self.render(key, slots);
        let inverted = format!("{key}.inverted");
        let inverted = if self.words.get(&inverted).is_some() {
            self.render(&inverted, slots)
        } else {
            plain.clone()
        };
        Clause { plain, inverted }
    }

    /// Joins the statements into sentences. The template `intro` introduces the first one.
    pub(super) fn compose(
        &self,
        intro: &str,
        slots: &[(&str, Value)],
        parts: &[Part],
    ) -> SentenceBuilder {
        let simple = parts.iter().all(|part| matches!(part, Part::Is(_))) && parts.len() <= 4;
        let most = if simple { 4 } else { 3 };
        let links = parts.iter().filter(|part| matches!(part, Part::Is(_))).count();
        let separator = if links > MAX_LINKS { "\n" } else { " " };
        let mut sentences = SentenceBuilder { done: Vec::new(), open: String::new(), separator };
        let (mut clauses, mut after_not, mut after_locked) = (0, false, false);
        let with = |key: &str, clause: String| self.render(key, &[("clause", T(clause))]);
        for (index, part) in parts.iter().enumerate() {
            if clauses >= most && matches!(part, Part::Is(_) | Part::Not(_)) {
                sentences.end_sentence();
                (clauses, after_not) = (0, false);
            }
            let introduced = |clause: &Clause| {
                let mut slots = slots.to_vec();
                slots.push(("clause", T(clause.inverted.clone())));
                self.render(intro, &slots)
            };
            match part {
                Part::Is(clause) | Part::Not(clause) | Part::Locked(clause) if index == 0 => {
                    sentences.open = introduced(clause);
                }
                Part::Is(clause) if sentences.open.is_empty() => {
                    let key = if after_locked { "join.start.so" } else { "join.start.then" };
                    sentences.open = with(key, clause.inverted.clone());
                }
                Part::Is(clause) if after_not => {
                    sentences.open += &with("join.and", clause.plain.clone())
                }
                Part::Is(clause) if index == 1 && matches!(parts[0], Part::Not(_)) => {
                    sentences.open += &with("join.so.not", clause.inverted.clone());
                }
                Part::Is(clause) => sentences.open += &with("join.so", clause.inverted.clone()),
                Part::Not(clause) if sentences.open.is_empty() => {
                    sentences.open = with("join.start.so", clause.inverted.clone());
                }
                Part::Not(clause) => sentences.open += &with("join.so", clause.inverted.clone()),
                Part::Note(sentence) => {
                    sentences.end_sentence();
                    sentences.open = capitalized(sentence);
                    clauses = 0;
                }
                Part::Locked(clause) => {
                    sentences.end_sentence();
                    sentences.open = with("join.start.then", clause.inverted.clone());
                }
            }
            clauses += 1;
            after_not = matches!(part, Part::Not(_)) && index > 0;
            after_locked = matches!(part, Part::Locked(_));
            if after_locked && index + 1 < parts.len() {
                sentences.end_sentence();
                clauses = 0;
            }
        }
        sentences
    }

    /// Returns the statements for consecutive links. `start` is the assumption, if any, and
    /// `target` a cell in which the last link may end.
    pub(super) fn parts(
        &self,
        start: Option<&Node>,
        links: &[Link<'_>],
        target: Option<Cell>,
    ) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut before = start.map(|node| (node, Previous::Cell));
        for (index, link) in links.iter().enumerate() {
            let itself = target.filter(|&cell| index + 1 == links.len() && link.on.cells == [cell]);
            let (node, sort) =
                before.map_or((None, Previous::Nothing), |(node, sort)| (Some(node), sort));
            let stated = self.link(&mut parts, node, sort, link, itself.is_some());
            before = Some((link.on, stated));
        }
        parts
    }

    fn link(
        &self,
        parts: &mut Vec<Part>,
        node: Option<&Node>,
        sort: Previous,
        link: &Link<'_>,
        itself: bool,
    ) -> Previous {
        // Two digits of one cell obviously exclude each other, so this is not stated.
        let in_cell = node.is_some_and(|node| node.digit != link.off.digit);
        let is_group = node.is_some_and(|node| node.cells.len() > 1);
        let note =
            || {
                let node = node.filter(|_| is_group)?;
                let house = self
                    .houses_around(&[&node.cells[..], &link.off.cells].concat())
                    .first()
                    .copied()?;
                Some(Part::Note(self.render(
                    "link.both",
                    &[("cells", self.cells(&node.cells)), ("house", H(house))],
                )))
            };
        let not =
            |ellipsis: bool| {
                let key = if ellipsis { "link.not" } else { "link.not.digit" };
                Part::Not(self.clause(
                    key,
                    &[("cells", self.cells(&link.off.cells)), ("d", D(link.off.digit))],
                ))
            };
        let last = if itself { ".itself" } else { "" };
        let digit = ("d", D(link.on.digit));
        match link.reason {
            Strong::OneOf(OneOf::Cell(cell)) => {
                parts.extend(note());
                parts.push(Part::Is(
                    self.clause(&format!("link.cell{last}"), &[("cell", C(*cell)), digit]),
                ));
                Previous::Cell
            }
            Strong::OneOf(OneOf::House(house, _)) => {
                if is_group && !in_cell {
                    parts.extend(note());
                    parts.push(not(false));
                } else if !in_cell && sort == Previous::Cell {
                    parts.push(not(true));
                }
                let slots = [digit, ("house", H(*house)), ("cells", self.cells(&link.on.cells))];
                parts.push(Part::Is(self.clause(&format!("link.house{last}"), &slots)));
                Previous::House
            }
            Strong::AlmostLockedSet(set) => {
                let (singles, rest, left) = self.settle(set, link.off.digit, link.on.digit);
                let seen_at_once =
                    singles.first().is_some_and(|(cell, _)| link.off.cells.contains(cell));
                if is_group && !in_cell {
                    parts.extend(note());
                }
                if node.is_some() && !in_cell && !seen_at_once {
                    parts.push(not(sort == Previous::Cell && !is_group));
                }
                self.locked(parts, link.on, &singles, &rest, left, last);
                Previous::Cell
            }
        }
    }

    /// Adds the statements for a set that has lost a digit: first the certain cells one by one,
    /// then the remaining cells together.
    fn locked(
        &self,
        parts: &mut Vec<Part>,
        on: &Node,
        singles: &[(Cell, Digit)],
        rest: &[Cell],
        left: DigitSet,
        last: &str,
    ) {
        let is = |cell: Cell, digit: Digit, last: &str| {
            Part::Is(
                self.clause(&format!("link.cell{last}"), &[("cell", C(cell)), ("d", D(digit))]),
            )
        };
        for (index, &(cell, digit)) in singles.iter().enumerate() {
            let is_last = rest.is_empty() && index + 1 == singles.len();
            parts.push(is(cell, digit, if is_last { last } else { "" }));
        }
        if rest.is_empty() {
            return;
        }
        let slots = [
            ("cells", self.cells(rest)),
            ("digits", Ds(left)),
            ("n", N(rest.len())),
            ("d", D(on.digit)),
        ];
        if rest.len() == 2 && on.cells == rest {
            parts.push(Part::Locked(self.clause("link.locked.pair", &slots)));
            return;
        }
        parts.push(Part::Locked(self.clause("link.locked", &slots)));
        parts.push(match on.cells[..] {
            [cell] => is(cell, on.digit, last),
            _ => Part::Is(
                self.clause("link.one_of", &[("cells", self.cells(&on.cells)), ("d", D(on.digit))]),
            ),
        });
    }

    /// Returns the contents of an almost locked set after it lost a digit: the certain cells in
    /// order, as far as they are needed for the rest, and the remaining cells and digits. Nothing
    /// remains if the searched digit is among the certain ones.
    pub(super) fn settle(
        &self,
        set: &[Cell],
        lost: Digit,
        wanted: Digit,
    ) -> (Vec<(Cell, Digit)>, Vec<Cell>, DigitSet) {
        let mut gone = DigitSet::from_digit(lost);
        let mut open: Vec<Cell> = set.to_vec();
        let mut certain: Vec<(Cell, Digit)> = Vec::new();
        let left = |cell: Cell, gone: DigitSet| self.candidates.at(cell) - gone;
        while let Some(place) = open.iter().position(|&cell| left(cell, gone).count() == 1) {
            let cell = open.remove(place);
            let digit = left(cell, gone).first().expect("one digit is left");
            certain.push((cell, digit));
            gone.insert(digit);
            if digit == wanted {
                open.clear();
            }
        }
        // Digits that the last cells never could contain are not relevant for them.
        let mut needed = self.digits_in(&open);
        let mut kept = Vec::new();
        for &(cell, digit) in certain.iter().rev() {
            if digit == wanted || needed.contains(digit) {
                needed = needed | self.candidates.at(cell);
                kept.push((cell, digit));
            }
        }
        kept.reverse();
        let digits = self.digits_in(&open) - gone;
        (kept, open, digits)
    }
}

impl SentenceBuilder {
    fn end_sentence(&mut self) {
        if !self.open.is_empty() {
            self.done.push(format!("{}.", std::mem::take(&mut self.open)));
        }
    }
}
