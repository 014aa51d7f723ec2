//! Nested patterns and chains, which a dynamic branch uses when plain links lead no further.
//!
//! | level | nested rules |
//! |---|---|
//! | 1 | locked candidates, hidden and naked pairs, X-Wings |
//! | 2 | the rules of level 1, then forcing chains and cycles |
//! | 3 | the rules of level 2, then multiple forcing chains |
//! | 4 | the rules of level 1, then dynamic forcing chains without nested rules |
//! | 5 | the rules of level 4, then dynamic forcing chains with nested rules of level 2 |
//!
//! The rules are tried in order. All results of the first one that finds anything are used, and the
//! branch continues with plain links.

use super::board::Board;
use super::branch::Implications;
use super::chain::Inner;
use super::forcing;
use super::multiple::{self, Kind};
use super::pattern::{self, Found, Pattern};
use super::tables::ones;
use crate::limits::{Deadline, StopReason};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::rc::Rc;

/// A rule that searches for chains.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Inside {
    Forcing,
    Multiple(Kind),
}

/// The nested chains of a level, in the order in which they are tried after the patterns.
fn chains_inside(level: u8) -> &'static [Inside] {
    match level {
        0 | 1 => &[],
        2 => &[Inside::Forcing],
        3 => &[Inside::Forcing, Inside::Multiple(Kind::Multiple)],
        4 => &[Inside::Multiple(Kind::Dynamic(0))],
        _ => &[Inside::Multiple(Kind::Dynamic(0)), Inside::Multiple(Kind::Dynamic(2))],
    }
}

/// The rules of one level.
pub(super) struct Rules<'a> {
    level: u8,
    deadline: Deadline<'a>,
    forcing: Option<Box<forcing::Search>>,
    searches: Vec<multiple::Search<'a>>,
    /// A cache of the chains of each rule by board, because different branches reach the same
    /// boards.
    known: HashMap<(u128, Inside), Rc<[Inner]>>,
    /// The board at which the cache was started.
    start: u128,
    /// Whether that board had no forcing chains and cycles.
    start_is_clear: bool,
    parents: Vec<u16>,
    stopped: Option<StopReason>,
}

impl<'a> Rules<'a> {
    pub fn new(level: u8, deadline: Deadline<'a>) -> Rules<'a> {
        Rules {
            level,
            deadline,
            forcing: None,
            searches: Vec::new(),
            known: HashMap::new(),
            start: 0,
            start_is_clear: false,
            parents: Vec::new(),
            stopped: None,
        }
    }

    pub fn set_level(&mut self, level: u8) {
        self.level = level;
    }

    pub fn stopped(&self) -> Option<StopReason> {
        self.stopped
    }

    /// Adds the results of the first rule that finds something new. Returns whether later rules
    /// might find more.
    pub fn imply(
        &mut self,
        board: &Board,
        start: &Board,
        implications: &mut Implications<'_>,
    ) -> bool {
        if self.level == 0 || self.stopped.is_some() {
            return false;
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
                return true;
            }
        }
        let chains = chains_inside(self.level);
        for (n, &kind) in chains.iter().enumerate() {
            add_chains(&self.chains(kind, board, start), implications);
            if implications.any() {
                return n + 1 < chains.len();
            }
            if self.stopped.is_some() {
                return false;
            }
        }
        false
    }

    /// The chains that one rule finds, from the cache if possible.
    fn chains(&mut self, kind: Inside, board: &Board, start: &Board) -> Rc<[Inner]> {
        let (key, began) = ((board.fingerprint(), kind), start.fingerprint());
        if self.start != began {
            self.known.clear();
            self.start = began;
            let forcing = self.forcing.get_or_insert_with(|| Box::new(forcing::Search::new()));
            self.start_is_clear = !forcing.has_any(start);
        }
        if let Some(chains) = self.known.get(&key) {
            return Rc::clone(chains);
        }
        let mut chains = match kind {
            Inside::Forcing => {
                let forcing = self.forcing.get_or_insert_with(|| Box::new(forcing::Search::new()));
                forcing.all_inner(board, start, self.start_is_clear)
            }
            Inside::Multiple(kind) => {
                let search = self.searches.iter().position(|search| search.kind() == kind);
                let search = search.unwrap_or_else(|| {
                    self.searches.push(multiple::Search::new(kind, self.deadline));
                    self.searches.len() - 1
                });
                let chains = self.searches[search].all_inner(board, start);
                self.stopped = self.searches[search].stopped();
                chains
            }
        };
        // Chains that exist without the outer chain are useless inside it.
        chains.retain(|chain| !chain.parents.is_empty());
        let chains: Rc<[Inner]> = chains.into();
        self.known.insert(key, Rc::clone(&chains));
        chains
    }

    fn add_pattern(
        &mut self,
        pattern: &Pattern,
        board: &Board,
        start: &Board,
        implications: &mut Implications<'_>,
    ) {
        self.parents.clear();
        let parents = &mut self.parents;
        pattern.each_parent(board, start, |cell, digit| parents.push((cell * 9 + digit) as u16));
        if parents.is_empty() {
            return; // The pattern exists without the chain.
        }
        let mut removes = Vec::new();
        pattern.each_removed(board, |cell, digits| removes.push((cell as u8, digits)));
        add_removals(&mut removes, &self.parents, 0, implications);
    }
}

fn add_chains(chains: &[Inner], implications: &mut Implications<'_>) {
    for chain in chains {
        let is_new = |&(cell, digits): &(u8, u16)| {
            ones(digits).any(|digit| !implications.has(u16::from(cell) * 9 + digit as u16))
        };
        if chain.removes.iter().any(is_new) {
            let number = implications.add_chain(chain.nested());
            add_removals(&mut chain.removes.clone(), &chain.parents, number, implications);
        }
    }
}

/// Adds removals cell by cell in reading order, lowest digit first.
fn add_removals(
    removes: &mut [(u8, u16)],
    parents: &[u16],
    chain: u16,
    implications: &mut Implications<'_>,
) {
    removes.sort_by_key(|&(cell, _)| cell);
    for &(cell, digits) in removes.iter() {
        for digit in ones(digits) {
            implications.add(u16::from(cell) * 9 + digit as u16, parents, chain);
        }
    }
}
