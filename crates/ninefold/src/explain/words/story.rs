//! Stories: one thing after another, in sentences of at most three clauses.
//!
//! A clause has two forms, for in German the verb comes first after "also" or "dann". What is shared by all languages is
//! which clause follows from which, and where a sentence ends.

use super::Teller;
use super::language::Value::{C, D, Ds, H, N, T};
use super::language::{Value, capital};
use crate::grid::{Cell, Digit, DigitSet};
use crate::proof::{Node, OneOf, Strong};

/// A clause, as it stands by itself and after a word like "so".
#[derive(Clone, Debug)]
pub(super) struct Clause {
    pub plain: String,
    pub inverted: String,
}

/// One part of a story.
#[derive(Clone, Debug)]
pub(super) enum Part {
    /// Something is so.
    Is(Clause),
    /// Something is not so, which the reader could not see otherwise.
    Not(Clause),
    /// A sentence that the next clause rests on.
    Note(String),
    /// Cells that have as many digits left as they are; a sentence of its own.
    Locked(Clause),
}

/// One link: `on` is true because `off` is false.
#[derive(Clone, Copy)]
pub(super) struct Link<'a> {
    pub off: &'a Node,
    pub on: &'a Node,
    pub why: &'a Strong,
}

/// What came before a link.
#[derive(Clone, Copy, PartialEq)]
enum Before {
    /// The start is false.
    Nothing,
    /// It was said that a cell is a digit.
    Cell,
    /// It was said where the digit of a house is.
    House,
}

/// The sentences that are finished, and the one that may go on.
pub(super) struct Told {
    done: Vec<String>,
    open: String,
    separator: &'static str,
}

impl Told {
    /// The text so far without its last full stop.
    pub fn open(&self) -> String {
        let mut all = self.done.clone();
        all.push(self.open.clone());
        all.retain(|sentence| !sentence.is_empty());
        all.join(self.separator)
    }

    /// The text with its last full stop.
    pub fn closed(&self) -> String {
        format!("{}.", self.open())
    }
}

/// A chain with more links than this is told on several lines.
const MOST_LINKS: usize = 5;

impl Teller<'_> {
    pub(super) fn clause(&self, key: &str, slots: &[(&str, Value)]) -> Clause {
        let plain = self.say(key, slots);
        let inverted = format!("{key}.inverted");
        let inverted = if self.words.get(&inverted).is_some() {
            self.say(&inverted, slots)
        } else {
            plain.clone()
        };
        Clause { plain, inverted }
    }

    /// Tells the parts; the first one is introduced by these words.
    pub(super) fn compose(&self, intro: &str, slots: &[(&str, Value)], parts: &[Part]) -> Told {
        let simple = parts.iter().all(|part| matches!(part, Part::Is(_))) && parts.len() <= 4;
        let most = if simple { 4 } else { 3 };
        let links = parts.iter().filter(|part| matches!(part, Part::Is(_))).count();
        let separator = if links > MOST_LINKS { "\n" } else { " " };
        let mut told = Told { done: Vec::new(), open: String::new(), separator };
        let (mut clauses, mut after_not, mut after_locked) = (0, false, false);
        let with = |key: &str, clause: String| self.say(key, &[("clause", T(clause))]);
        for (index, part) in parts.iter().enumerate() {
            if clauses >= most && matches!(part, Part::Is(_) | Part::Not(_)) {
                told.end_sentence();
                (clauses, after_not) = (0, false);
            }
            let introduced = |clause: &Clause| {
                let mut slots = slots.to_vec();
                slots.push(("clause", T(clause.inverted.clone())));
                self.say(intro, &slots)
            };
            match part {
                Part::Is(clause) | Part::Not(clause) | Part::Locked(clause) if index == 0 => {
                    told.open = introduced(clause);
                }
                Part::Is(clause) if told.open.is_empty() => {
                    let key = if after_locked { "join.start.so" } else { "join.start.then" };
                    told.open = with(key, clause.inverted.clone());
                }
                Part::Is(clause) if after_not => {
                    told.open += &with("join.and", clause.plain.clone())
                }
                Part::Is(clause) if index == 1 && matches!(parts[0], Part::Not(_)) => {
                    told.open += &with("join.so.not", clause.inverted.clone());
                }
                Part::Is(clause) => told.open += &with("join.so", clause.inverted.clone()),
                Part::Not(clause) if told.open.is_empty() => {
                    told.open = with("join.start.so", clause.inverted.clone());
                }
                Part::Not(clause) => told.open += &with("join.so", clause.inverted.clone()),
                Part::Note(sentence) => {
                    told.end_sentence();
                    told.open = capital(sentence);
                    clauses = 0;
                }
                Part::Locked(clause) => {
                    told.end_sentence();
                    told.open = with("join.start.then", clause.inverted.clone());
                }
            }
            clauses += 1;
            after_not = matches!(part, Part::Not(_)) && index > 0;
            after_locked = matches!(part, Part::Locked(_));
            if after_locked && index + 1 < parts.len() {
                told.end_sentence();
                clauses = 0;
            }
        }
        told
    }

    /// The parts of links that follow one another; `start` is what is assumed, if anything is, and `target` a cell that
    /// the last link may end in.
    pub(super) fn parts(
        &self,
        start: Option<&Node>,
        links: &[Link<'_>],
        target: Option<Cell>,
    ) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut before = start.map(|node| (node, Before::Cell));
        for (index, link) in links.iter().enumerate() {
            let itself = target.filter(|&cell| index + 1 == links.len() && link.on.cells == [cell]);
            let (node, sort) =
                before.map_or((None, Before::Nothing), |(node, sort)| (Some(node), sort));
            let said = self.link(&mut parts, node, sort, link, itself.is_some());
            before = Some((link.on, said));
        }
        parts
    }

    fn link(
        &self,
        parts: &mut Vec<Part>,
        node: Option<&Node>,
        sort: Before,
        link: &Link<'_>,
        itself: bool,
    ) -> Before {
        // Two digits of one cell: that one excludes the other needs no word.
        let in_cell = node.is_some_and(|node| node.digit != link.off.digit);
        let is_group = node.is_some_and(|node| node.cells.len() > 1);
        let note = || {
            let node = node.filter(|_| is_group)?;
            let house = self
                .houses_around(&[&node.cells[..], &link.off.cells].concat())
                .first()
                .copied()?;
            Some(Part::Note(
                self.say("link.both", &[("cells", self.cells(&node.cells)), ("house", H(house))]),
            ))
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
        match link.why {
            Strong::OneOf(OneOf::Cell(cell)) => {
                parts.extend(note());
                parts.push(Part::Is(
                    self.clause(&format!("link.cell{last}"), &[("cell", C(*cell)), digit]),
                ));
                Before::Cell
            }
            Strong::OneOf(OneOf::House(house, _)) => {
                if is_group && !in_cell {
                    parts.extend(note());
                    parts.push(not(false));
                } else if !in_cell && sort == Before::Cell {
                    parts.push(not(true));
                }
                let slots = [digit, ("house", H(*house)), ("cells", self.cells(&link.on.cells))];
                parts.push(Part::Is(self.clause(&format!("link.house{last}"), &slots)));
                Before::House
            }
            Strong::AlmostLockedSet(set) => {
                let (singles, rest, left) = self.settle(set, link.off.digit, link.on.digit);
                let seen_at_once =
                    singles.first().is_some_and(|(cell, _)| link.off.cells.contains(cell));
                if is_group && !in_cell {
                    parts.extend(note());
                }
                if node.is_some() && !in_cell && !seen_at_once {
                    parts.push(not(sort == Before::Cell && !is_group));
                }
                self.locked(parts, link.on, &singles, &rest, left, last);
                Before::Cell
            }
        }
    }

    /// A set that has lost a digit: first what is certain cell by cell, then what the others share.
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

    /// What an almost locked set holds once a digit is gone: the cells that are certain, in order and as far as the rest
    /// needs them, then the cells and digits that are left, unless the digit looked for is among the certain ones.
    pub(super) fn settle(
        &self,
        set: &[Cell],
        lost: Digit,
        wanted: Digit,
    ) -> (Vec<(Cell, Digit)>, Vec<Cell>, DigitSet) {
        let mut gone = DigitSet::of(lost);
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
        // What the last cells never could hold says nothing about them.
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

impl Told {
    fn end_sentence(&mut self) {
        if !self.open.is_empty() {
            self.done.push(format!("{}.", std::mem::take(&mut self.open)));
        }
    }
}
