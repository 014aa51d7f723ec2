//! Nice loops and alternating inference chains from HoDoKu's tables, and HoDoKu's choice among
//! them.
//!
//! A table lists the consequences of an assumption. A consequence in the same cell closes a loop. A
//! chain assumes that a candidate is off and ends with another candidate that is on, so at least
//! one of the two is true. Of all loops and chains, HoDoKu chooses the one with the most removals,
//! then the one with the smallest weighted sum of removed candidates. Of those with the same
//! removals, it chooses the shortest.

use super::singles::Singles;
use super::tables::{Cells, Derivation, Grid, Node, Tables, candidate, cells_of, is_on, node};
use crate::proof::Technique;
use std::cmp::Ordering;

/// The removals of a loop or chain, sorted by digit and then by cell, as in HoDoKu.
pub(super) struct Found {
    pub technique: Technique,
    /// Cells and digits, numbered from 0.
    pub removes: Vec<(usize, usize)>,
    length: usize,
}

/// The loop or chain that HoDoKu chooses.
pub(super) fn find(singles: &Singles, grouped: bool) -> Option<Found> {
    let grid = Grid::new(singles, grouped);
    let mut search = Search { tables: Tables::from_links(&grid), grid, found: Vec::new() };
    let roots: Vec<(usize, usize)> = search.grid.candidates().collect();
    for is_on in [true, false] {
        roots.iter().for_each(|&(cell, digit)| search.close_loops(node(cell, digit, is_on)));
    }
    roots.iter().for_each(|&(cell, digit)| search.end_chains(cell, digit));
    super::first_by(search.found, |one, other| {
        let same_key = one.technique == other.technique && one.removes == other.removes;
        let length = one.length.cmp(&other.length);
        order(&one.removes, &other.removes).then(if same_key { length } else { Ordering::Equal })
    })
}

/// Most removals first, then the smallest weighted sum of removed candidates.
pub(super) fn order(one: &[(usize, usize)], other: &[(usize, usize)]) -> Ordering {
    other.len().cmp(&one.len()).then(sum(one).cmp(&sum(other)))
}

/// HoDoKu's weighted sum of removed candidates. The cell numbers are weighted: the first by 1, the
/// second by 81, the third by 161, and so on. The digits are not weighted.
fn sum(removes: &[(usize, usize)]) -> usize {
    removes
        .iter()
        .zip((1..).step_by(80))
        .map(|(&(cell, digit), factor)| cell * factor + digit + 1)
        .sum()
}

struct Search {
    grid: Grid,
    tables: Tables,
    found: Vec<Found>,
}

/// The length of direct links. Derivations of at most this length are neither loops nor chains.
const DIRECT: u16 = 2;

impl Search {
    fn close_loops(&mut self, assumed: Node) {
        let start = self.grid.cell(assumed);
        let table = self.tables.get(assumed).expect("the candidate exists");
        let is_end = |&(to, distance): &(Node, u16)| {
            distance > DIRECT && candidate(to).is_some_and(|(cell, _)| cell == start)
        };
        let ends: Vec<Node> = table.statements().filter(is_end).map(|(to, _)| to).collect();
        for to in ends {
            let way = self.tables.way(assumed, to);
            if !self.crosses_itself(&way, false) {
                self.close_loop(assumed, to, &way);
            }
        }
    }

    /// Whether a cell occurs twice, apart from the first and the last.
    fn crosses_itself(&self, way: &Derivation, is_open: bool) -> bool {
        let grid = &self.grid;
        let start = grid.cell(way.nodes[way.nodes.len() - 1]);
        let mut been: Cells = 0;
        let mut last: Option<Node> = None;
        for &here in way.nodes.iter().rev() {
            let cell = grid.cell(here);
            if been >> cell & 1 == 1 {
                return true;
            }
            if let Some(last) = last.filter(|&last| is_open || grid.cell(last) != start) {
                been |= grid.all_cells(last);
            }
            last = Some(here);
        }
        false
    }

    fn close_loop(&mut self, assumed: Node, to: Node, way: &Derivation) {
        let grid = &self.grid;
        let chain: Vec<Node> = way.nodes.iter().rev().copied().collect();
        let end = chain.len() - 1;
        let is_in_cell = |place: usize| grid.cell(chain[place]) == grid.cell(chain[place + 1]);
        if is_in_cell(0) || is_in_cell(end - 1) {
            return;
        }
        let (starts_strong, ends_strong) = (!is_on(assumed), is_on(to));
        let start = grid.cell(assumed);
        let (first, last) = (grid.digit(assumed), grid.digit(to));
        let mut removes = Vec::new();
        let mut is_continuous = false;
        match (starts_strong, ends_strong, first == last) {
            (false, false, true) => removes.push((start, first)),
            (true, true, true) => removes.extend(self.others(start, first, first)),
            (false, true, false) => removes.push((start, first)),
            (true, false, false) => removes.push((start, last)),
            (false, false, false) if grid.digits[start].count_ones() != 2 => {}
            _ => {
                is_continuous = true;
                removes = self.removed_by_loop(&chain, way);
                if starts_strong && ends_strong {
                    removes.extend(self.others(start, first, last));
                }
            }
        }
        let is_grouped = chain.iter().any(|&node| candidate(node).is_none());
        let technique = if is_continuous {
            Technique::ContinuousNiceLoop { grouped: is_grouped }
        } else {
            Technique::DiscontinuousNiceLoop { grouped: is_grouped }
        };
        self.add(technique, removes, chain.len());
    }

    fn others(&self, cell: usize, one: usize, another: usize) -> Vec<(usize, usize)> {
        let goes = |&digit: &usize| {
            digit != one && digit != another && self.grid.digits[cell] >> digit & 1 == 1
        };
        (0..9).filter(goes).map(|digit| (cell, digit)).collect()
    }

    /// Removals by a continuous loop: one of the two ends of every weak link is true.
    fn removed_by_loop(&self, chain: &[Node], way: &Derivation) -> Vec<(usize, usize)> {
        let grid = &self.grid;
        let end = chain.len() - 1;
        let cell = |place: usize| grid.cell(chain[place]);
        let on_the_way =
            way.nodes[1..].iter().fold(0, |set: Cells, &node| set | grid.all_cells(node));
        let mut removes = Vec::new();
        for place in 1..=end {
            let enters = cell(place - 1) != cell(place);
            if is_on(chain[place]) && enters && place + 2 <= end {
                let passes = !is_on(chain[place + 1]) && cell(place) == cell(place + 1);
                if passes && is_on(chain[place + 2]) && cell(place + 1) != cell(place + 2) {
                    removes.extend(self.others(
                        cell(place),
                        grid.digit(chain[place]),
                        grid.digit(chain[place + 2]),
                    ));
                }
            }
            if !is_on(chain[place]) && enters {
                let digit = grid.digit(chain[place]);
                let seen =
                    grid.peers(chain[place - 1]) & grid.peers(chain[place]) & grid.cells[digit];
                let outside = seen & !on_the_way & !(1 << grid.cell(chain[0]));
                removes.extend(cells_of(outside).map(|cell| (cell, digit)));
            }
        }
        removes
    }

    /// Finds chains that begin with a candidate that is off.
    fn end_chains(&mut self, start: usize, digit: usize) {
        let assumed = node(start, digit, false);
        let table = self.tables.get(assumed).expect("the candidate exists");
        let ends: Vec<Node> = table
            .statements()
            .filter(|&(_, distance)| distance > DIRECT)
            .map(|(to, _)| to)
            .collect();
        for to in ends {
            let Some((cell, other)) = candidate(to).filter(|&(cell, _)| is_on(to) && cell != start)
            else {
                continue;
            };
            let removes = self.removed_by_chain((start, digit), (cell, other));
            if removes.len() < 2 {
                continue;
            }
            let way = self.tables.way(assumed, to);
            if !self.crosses_itself(&way, true) {
                let grouped = way.nodes.iter().any(|&node| candidate(node).is_none());
                self.add(Technique::Aic { grouped }, removes, way.nodes.len());
            }
        }
    }

    fn removed_by_chain(
        &self,
        (start, digit): (usize, usize),
        (end, other): (usize, usize),
    ) -> Vec<(usize, usize)> {
        let grid = &self.grid;
        if digit == other {
            let seen = grid.peers[start] & grid.peers[end] & grid.cells[digit];
            return cells_of(seen).map(|cell| (cell, digit)).collect();
        }
        let sees = grid.peers[start] >> end & 1 == 1;
        let both = grid.digits[end] >> digit & 1 == 1 && grid.digits[start] >> other & 1 == 1;
        if sees && both { vec![(start, other), (end, digit)] } else { Vec::new() }
    }

    /// Adds a loop or chain. If an earlier one has the same removals, the new one is only kept if
    /// it is shorter.
    fn add(&mut self, technique: Technique, mut removes: Vec<(usize, usize)>, length: usize) {
        removes.sort_unstable_by_key(|&(cell, digit)| (digit, cell));
        removes.dedup();
        let is_known = |found: &Found| {
            found.technique == technique && found.removes == removes && found.length <= length
        };
        if !removes.is_empty() && !self.found.iter().any(is_known) {
            self.found.push(Found { technique, removes, length });
        }
    }
}
