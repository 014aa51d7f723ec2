//! Patterns and chains inside chains: what a dynamic branch may use when plain links lead no further.
//!
//! | level | inside |
//! |---|---|
//! | 1 | locked candidates, hidden and naked pairs, X-Wings |
//! | 2 | the same, forcing chains and cycles |
//! | 3 | the same, multiple forcing chains |
//! | 4 | patterns, dynamic forcing chains |
//! | 5 | the same, dynamic forcing chains of level 2 |
//!
//! The first rule that finds something ends the round, with everything it finds.

use super::board::Board;
use super::branch::Implications;
use super::chain::Inner;
use super::forcing;
use super::multiple::{self, Kind};
use super::pattern::{self, Found, Pattern};
use super::tables::ones;
use crate::limits::{Deadline, Stop};
use std::ops::ControlFlow;

/// The rules of one level.
pub(super) struct Rules<'a> {
    level: u8,
    deadline: Deadline<'a>,
    forcing: Option<Box<forcing::Search>>,
    searches: Vec<multiple::Search<'a>>,
    parents: Vec<u16>,
    stopped: Option<Stop>,
}

impl<'a> Rules<'a> {
    pub fn of_level(level: u8, deadline: Deadline<'a>) -> Rules<'a> {
        Rules { level, deadline, forcing: None, searches: Vec::new(), parents: Vec::new(), stopped: None }
    }

    pub fn stopped(&self) -> Option<Stop> {
        self.stopped
    }

    /// Adds what the first rule finds that finds something new.
    pub fn imply(&mut self, board: &Board, start: &Board, implications: &mut Implications<'_>) {
        if self.level == 0 || self.stopped.is_some() {
            return;
        }
        type Each = fn(&Board, &mut Found<'_>) -> ControlFlow<()>;
        let patterns: [Each; 4] = [
            |board, found| pattern::each_locked(board, true, found),
            |board, found| pattern::each_hidden(board, 2, found),
            |board, found| pattern::each_naked(board, 2, found),
            |board, found| pattern::each_fish(board, 2, found),
        ];
        for each in patterns {
            let _ = each(board, &mut |pattern| {
                self.add_pattern(pattern, board, start, implications);
                ControlFlow::Continue(())
            });
            if implications.any() {
                return;
            }
        }
        if self.level == 2 || self.level == 3 {
            let forcing = self.forcing.get_or_insert_with(|| Box::new(forcing::Search::new()));
            add_chains(&forcing.all_inner(board, start), implications);
        }
        let kinds: &[Kind] = match self.level {
            0..=2 => &[],
            3 => &[Kind::Multiple],
            4 => &[Kind::Dynamic(0)],
            _ => &[Kind::Dynamic(0), Kind::Dynamic(2)],
        };
        for (n, &kind) in kinds.iter().enumerate() {
            if implications.any() {
                return;
            }
            self.stopped = self.deadline.reached();
            if self.stopped.is_some() {
                return;
            }
            if self.searches.len() == n {
                self.searches.push(multiple::Search::new(kind, self.deadline));
            }
            let chains = self.searches[n].all_inner(board, start);
            self.stopped = self.searches[n].stopped();
            add_chains(&chains, implications);
        }
    }

    fn add_pattern(&mut self, pattern: &Pattern, board: &Board, start: &Board, implications: &mut Implications<'_>) {
        self.parents.clear();
        let parents = &mut self.parents;
        pattern.each_parent(board, start, |cell, digit| parents.push((cell * 9 + digit) as u16));
        if parents.is_empty() {
            return; // The pattern is there without the chain.
        }
        let mut removes = Vec::new();
        pattern.each_removed(board, |cell, digits| removes.push((cell as u8, digits)));
        add_removals(&mut removes, &self.parents, 0, implications);
    }
}

fn add_chains(chains: &[Inner], implications: &mut Implications<'_>) {
    for chain in chains.iter().filter(|chain| !chain.parents.is_empty()) {
        let is_new = |&(cell, digits): &(u8, u16)| {
            ones(digits).any(|digit| !implications.has(u16::from(cell) * 9 + digit as u16))
        };
        if chain.removes.iter().any(is_new) {
            let number = implications.add_chain(chain.nested());
            add_removals(&mut chain.removes.clone(), &chain.parents, number, implications);
        }
    }
}

/// Adds removals cell by cell in reading order, the lowest digit first.
fn add_removals(removes: &mut [(u8, u16)], parents: &[u16], chain: u16, implications: &mut Implications<'_>) {
    removes.sort_by_key(|&(cell, _)| cell);
    for &(cell, digits) in removes.iter() {
        for digit in ones(digits) {
            implications.add(u16::from(cell) * 9 + digit as u16, parents, chain);
        }
    }
}
