//! Almost locked sets in HoDoKu's order. ALS-XZ and ALS-XY-Wings use the first step found, ALS
//! chains use the best step.
//!
//! Sets are listed house by house. A *restricted common* is a digit that at most one of two sets
//! can contain. Pairs of sets that have one are listed in the order of the sets. If a pair has more
//! than two restricted commons, only the first and the last are stored, as in HoDoKu.

use super::loops::order;
use super::singles::Singles;
use super::subsets::Removes;
use super::tables::{Cells, Grid, cells_of};
use super::{first_by, singles::cell_in};
use std::collections::HashSet;

/// An almost locked set: N cells of a house with N + 1 digits.
struct Set {
    cells: Cells,
    digits: u16,
    /// For each digit, the cells of the set with that candidate.
    holding: [Cells; 9],
    /// For each digit, the cells outside of the set with that candidate that see all of these.
    seen: [Cells; 9],
}

/// Two disjoint sets with a restricted common digit: at most one of them contains it.
struct Pair {
    one: usize,
    other: usize,
    digit: usize,
    second: Option<usize>,
}

/// All sets and all pairs. The first set of a pair is listed before the second.
pub(super) struct Sets {
    sets: Vec<Set>,
    pairs: Vec<Pair>,
    /// For each set, the range of the pairs that begin with it.
    starts: Vec<usize>,
}

impl Sets {
    fn new(singles: &Singles) -> Sets {
        let grid = Grid::new(singles, false);
        let mut found = Vec::new();
        let mut known = HashSet::new();
        for house in 0..27 {
            collect(&grid, house, 0, 0, 0, &mut |cells| {
                if known.insert(cells) {
                    found.push(cells);
                }
            });
        }
        let sets = found.into_iter().map(|cells| Set::new(&grid, cells)).collect();
        let mut all = Sets { sets, pairs: Vec::new(), starts: Vec::new() };
        for one in 0..all.sets.len() {
            all.starts.push(all.pairs.len());
            for other in one + 1..all.sets.len() {
                all.pairs.extend(all.pair(one, other));
            }
        }
        all.starts.push(all.pairs.len());
        all
    }

    fn pair(&self, one: usize, other: usize) -> Option<Pair> {
        let (a, b) = (&self.sets[one], &self.sets[other]);
        if a.cells & b.cells != 0 {
            return None;
        }
        let is_restricted = |&digit: &usize| {
            let near = |set: &Set| set.seen[digit] | set.holding[digit];
            (a.holding[digit] | b.holding[digit]) & !(near(a) & near(b)) == 0
        };
        let mut restricted = digits_of(a.digits & b.digits).filter(is_restricted);
        let digit = restricted.next()?;
        Some(Pair { one, other, digit, second: restricted.last() })
    }

    /// Removals because one of two sets must contain a digit that both have.
    fn removed(&self, one: usize, other: usize, but: u16) -> Removes {
        let (a, b) = (&self.sets[one], &self.sets[other]);
        let digits = digits_of(a.digits & b.digits & !but);
        digits
            .flat_map(|digit| {
                cells_of(a.seen[digit] & b.seen[digit]).map(move |cell| (cell, digit))
            })
            .collect()
    }

    /// Removals by a locked set, except in the other set.
    fn locked(&self, one: usize, other: usize, but: u16) -> Removes {
        let (a, b) = (&self.sets[one], &self.sets[other]);
        let digits = digits_of(a.digits & !but);
        digits
            .flat_map(|digit| cells_of(a.seen[digit] & !b.cells).map(move |cell| (cell, digit)))
            .collect()
    }
}

/// Calls back with every set of cells of a house. A set comes before its extensions.
fn collect(
    grid: &Grid,
    house: usize,
    first: usize,
    cells: Cells,
    digits: u16,
    call: &mut dyn FnMut(Cells),
) {
    if cells.count_ones() == 8 {
        return;
    }
    for place in first..9 {
        let cell = cell_in(house, place);
        if grid.digits[cell] != 0 {
            let (cells, digits) = (cells | 1 << cell, digits | grid.digits[cell]);
            if digits.count_ones() == cells.count_ones() + 1 {
                call(cells);
            }
            collect(grid, house, place + 1, cells, digits, call);
        }
    }
}

fn digits_of(set: u16) -> impl Iterator<Item = usize> {
    (0..9).filter(move |digit| set >> digit & 1 == 1)
}

impl Set {
    fn new(grid: &Grid, cells: Cells) -> Set {
        let holding: [Cells; 9] = std::array::from_fn(|digit| cells & grid.cells[digit]);
        let seen = std::array::from_fn(|digit| {
            let all = cells_of(holding[digit])
                .fold(grid.cells[digit], |set, cell| set & grid.peers[cell]);
            if holding[digit] == 0 { 0 } else { all & !cells }
        });
        let digits = cells_of(cells).fold(0, |set, cell| set | grid.digits[cell]);
        Set { cells, digits, holding, seen }
    }
}

fn bit(digit: Option<usize>) -> u16 {
    digit.map_or(0, |digit| 1 << digit)
}

/// ALS-XZ: two sets with a restricted common.
pub(super) fn xz(singles: &Singles) -> Option<Removes> {
    let all = Sets::new(singles);
    all.pairs.iter().find_map(|pair| {
        let mut removes = all.removed(pair.one, pair.other, 1 << pair.digit);
        if let Some(second) = pair.second {
            let both = 1 << pair.digit | 1 << second;
            removes.extend(all.removed(pair.one, pair.other, 1 << second));
            removes.extend(all.locked(pair.one, pair.other, both));
            removes.extend(all.locked(pair.other, pair.one, both));
        }
        (!removes.is_empty()).then_some(removes)
    })
}

/// ALS-XY-Wing: two sets that each have a restricted common with a third.
pub(super) fn xy_wing(singles: &Singles) -> Option<Removes> {
    let all = Sets::new(singles);
    all.pairs.iter().enumerate().find_map(|(number, first)| {
        all.pairs[number + 1..].iter().find_map(|second| {
            let is_same =
                first.second.is_none() && second.second.is_none() && first.digit == second.digit;
            let (a, b) = ends(first, second)?;
            if is_same || all.sets[a].cells & all.sets[b].cells != 0 {
                return None;
            }
            let but = 1 << first.digit | bit(first.second) | 1 << second.digit | bit(second.second);
            Some(all.removed(a, b, but)).filter(|removes| !removes.is_empty())
        })
    })
}

/// The two sets at the ends if the pairs share the other one.
fn ends(first: &Pair, second: &Pair) -> Option<(usize, usize)> {
    if first.other == second.other && first.one != second.one {
        Some((first.one, second.one))
    } else if first.other == second.one && first.one != second.other {
        Some((first.one, second.other))
    } else if first.one == second.other && first.other != second.one {
        Some((first.other, second.one))
    } else if first.one == second.one && first.other != second.other {
        Some((first.other, second.other))
    } else {
        None
    }
}

/// The restricted commons of a pair that a chain uses.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Use {
    First,
    Second,
    Both,
}

impl Pair {
    fn digits(&self, uses: Use) -> u16 {
        match uses {
            Use::First => 1 << self.digit,
            Use::Second => bit(self.second),
            Use::Both => 1 << self.digit | bit(self.second),
        }
    }

    /// The restricted commons that this pair can use after the previous pair. If there are two,
    /// HoDoKu compares only the first one.
    fn after(&self, last: &Pair, uses: Use) -> Option<Use> {
        let taken = if uses == Use::Second { last.second } else { Some(last.digit) };
        match self.second {
            None => (taken != Some(self.digit)).then_some(Use::First),
            Some(second) if taken == Some(second) => Some(Use::First),
            Some(_) if taken == Some(self.digit) => Some(Use::Second),
            Some(_) => Some(Use::Both),
        }
    }
}

/// ALS chain: a chain of four or more sets.
pub(super) fn xy_chain(singles: &Singles) -> Option<Removes> {
    let all = Sets::new(singles);
    let mut found: Vec<Removes> = Vec::new();
    for start in 0..all.sets.len() {
        for pair in all.starts[start]..all.starts[start + 1] {
            let uses = if all.pairs[pair].second.is_some() {
                vec![Use::First, Use::Second]
            } else {
                vec![Use::First]
            };
            uses.into_iter().for_each(|uses| follow(&all, start, pair, uses, &mut found));
        }
    }
    first_by(found, |one, other| order(one, other))
}

/// Follows all chains that begin with a pair. A pair that a long enough chain has reached in the
/// same way leads to nothing new.
fn follow(all: &Sets, start: usize, first: usize, uses: Use, found: &mut Vec<Removes>) {
    const LONG_ENOUGH: usize = 3;
    let used = all.pairs[first].digits(uses);
    let mut been = HashSet::new();
    let mut open = vec![(first, uses, 1)];
    while let Some((at, uses, length)) = open.pop() {
        let pair = &all.pairs[at];
        if length == LONG_ENOUGH {
            let mut removes = all.removed(start, pair.other, used | pair.digits(uses));
            removes.sort_unstable_by_key(|&(cell, digit)| (digit, cell));
            if !removes.is_empty() {
                found.push(removes);
            }
        }
        for next in (all.starts[pair.other]..all.starts[pair.other + 1]).rev() {
            let length = (length + 1).min(LONG_ENOUGH);
            if let Some(uses) =
                all.pairs[next].after(pair, uses).filter(|&uses| been.insert((next, uses, length)))
            {
                open.push((next, uses, length));
            }
        }
    }
}
