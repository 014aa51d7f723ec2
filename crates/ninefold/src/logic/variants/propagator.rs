//! Propagators: which digits of the cells of a rule occur in some filling.
//!
//! A propagator belongs to one rule, or to a sum of rules and houses. Sums are filtered group by
//! group, where a group is a set of cells that must differ: the sets of digits that can fill its
//! first cells are listed forwards, and those that can be completed backwards.

use super::innies;
use super::layout::{Layout, technique_of};
use super::masks::{self, Masks};
use crate::grid::rules::{Line, LineKind, Relation, Rule, Rules};
use crate::grid::{Cell, Digit, DigitSet, Grid};
use crate::proof::{Combined, Technique};
use std::collections::HashMap;

/// Rules about more pairs than this are about the complete grid. Their consequences are found one
/// cell at a time.
const MOST_PAIRS: usize = 40;

/// A rule or a sum of rules, prepared for filtering.
pub(super) struct Propagator {
    pub combined: Combined,
    pub technique: Technique,
    pub cells: Vec<Cell>,
    kind: Kind,
}

enum Kind {
    Sum {
        groups: Vec<Group>,
        total: i64,
    },
    /// The cells differ and their digits are consecutive.
    Consecutive,
    Different,
    Pairs {
        pairs: Vec<(usize, usize)>,
        relation: Relation,
    },
    Line {
        kind: LineKind,
        different: bool,
    },
    Contains(Vec<Digit>),
    Circles,
}

/// Cells with the same factor that must differ, by their index in the propagator.
struct Group {
    factor: i64,
    cells: Vec<usize>,
}

/// The digits that occur in some filling, and those that occur in every filling.
pub(super) struct Filtered {
    pub supported: Vec<DigitSet>,
    pub needed: DigitSet,
}

impl Filtered {
    fn new(supported: Vec<DigitSet>) -> Option<Filtered> {
        let complete = supported.iter().all(|digits| !digits.is_empty());
        complete.then_some(Filtered { supported, needed: DigitSet::EMPTY })
    }
}

/// All propagators of a puzzle, the simplest first.
pub(super) fn all(grid: &Grid, rules: &Rules, layout: &Layout) -> Vec<Propagator> {
    let mut all = Vec::new();
    for (index, rule) in rules.rules().iter().enumerate() {
        let technique = technique_of(&rules.constraints()[rules.constraint_of(index)]);
        let mut cells = rule.cells();
        cells.sort_unstable();
        cells.dedup();
        let kind = match rule {
            Rule::Cage { sum, .. } => sum_of(&ones(&cells), i64::from(*sum), &cells, layout),
            Rule::Sum { terms, total } => {
                let terms = merged(terms.iter().map(|&(factor, cell)| (cell, i64::from(factor))));
                cells = terms.iter().map(|(cell, _)| *cell).collect();
                sum_of(&terms, i64::from(*total), &cells, layout)
            }
            Rule::Pairs { pairs, relation } => {
                if pairs.len() > MOST_PAIRS || *relation == Relation::Different {
                    continue;
                }
                let at = |cell: Cell| cells.binary_search(&cell).expect("a cell of the rule");
                let pairs: Vec<_> = pairs.iter().map(|&(a, b)| (at(a), at(b))).collect();
                match relation {
                    Relation::Within(n)
                        if usize::from(*n) == cells.len()
                            && cells.len() <= masks::MOST_CELLS
                            && layout.side <= masks::MOST_DIGITS
                            && pairs.len() == cells.len() * (cells.len() - 1) / 2 =>
                    {
                        Kind::Consecutive
                    }
                    _ => Kind::Pairs { pairs, relation: *relation },
                }
            }
            Rule::Line { kind, cells: in_order } => {
                cells = in_order.clone();
                let different = layout.side <= masks::MOST_DIGITS && all_differ(&cells, layout);
                Kind::Line { kind: kind.clone(), different }
            }
            Rule::Contains { digits, cells: listed } => {
                cells = listed.clone();
                Kind::Contains(digits.clone())
            }
            Rule::CountingCircles(listed) => {
                cells = listed.clone();
                Kind::Circles
            }
            Rule::Differ(_) if cells.len() < layout.side && cells.len() > 2 && layout.side <= 9 => {
                Kind::Different
            }
            Rule::Differ(_) | Rule::Candidates { .. } => continue,
            Rule::Index { .. } => continue,
        };
        all.push(Propagator { combined: Combined::rule(index), technique, cells, kind });
    }
    for sum in innies::all(grid, rules) {
        let cells: Vec<Cell> = sum.terms.iter().map(|(cell, _)| *cell).collect();
        let kind = sum_of(&sum.terms, sum.total, &cells, layout);
        let technique = Technique::InniesAndOuties;
        all.push(Propagator { combined: sum.combined, technique, cells, kind });
    }
    all
}

fn ones(cells: &[Cell]) -> Vec<(Cell, i64)> {
    cells.iter().map(|&cell| (cell, 1)).collect()
}

/// Terms with each cell once and without those that cancel out.
pub(super) fn merged(terms: impl IntoIterator<Item = (Cell, i64)>) -> Vec<(Cell, i64)> {
    let mut sums = std::collections::BTreeMap::new();
    for (cell, factor) in terms {
        *sums.entry(cell).or_insert(0) += factor;
    }
    sums.into_iter().filter(|(_, factor)| *factor != 0).collect()
}

fn all_differ(cells: &[Cell], layout: &Layout) -> bool {
    cells.iter().enumerate().all(|(at, &a)| cells[at + 1..].iter().all(|&b| layout.differ(a, b)))
}

fn sum_of(terms: &[(Cell, i64)], total: i64, cells: &[Cell], layout: &Layout) -> Kind {
    let mut groups: Vec<Group> = Vec::new();
    for (index, &(cell, factor)) in terms.iter().enumerate() {
        let fits = |group: &&mut Group| {
            group.factor == factor
                && group.cells.len() < masks::MOST_CELLS
                && layout.side <= masks::MOST_DIGITS
                && group.cells.iter().all(|&member| layout.differ(cells[member], cell))
        };
        match groups.iter_mut().find(fits) {
            Some(group) => group.cells.push(index),
            None => groups.push(Group { factor, cells: vec![index] }),
        }
    }
    Kind::Sum { groups, total }
}

impl Propagator {
    /// The digits of each cell that occur in some filling; `None` if there is no filling.
    pub fn filter(&self, domains: &[DigitSet], side: usize) -> Option<Filtered> {
        if domains.iter().any(|digits| digits.is_empty()) {
            return None;
        }
        match &self.kind {
            Kind::Sum { groups, total } => filter_sum(groups, *total, domains),
            Kind::Consecutive => {
                let is_run = |mask: u64| {
                    let low = mask >> mask.trailing_zeros();
                    low & (low + 1) == 0
                };
                let masks = Masks::new(domains)?;
                masks.supported(&is_run).and_then(|(supported, needed)| {
                    Filtered::new(supported).map(|filtered| Filtered { needed, ..filtered })
                })
            }
            Kind::Different => {
                let (supported, _) = Masks::new(domains)?.supported(&|_| true)?;
                Filtered::new(supported)
            }
            Kind::Pairs { pairs, relation } => filter_pairs(pairs, *relation, domains),
            Kind::Line { kind, different } => filter_line(kind, *different, domains, side),
            Kind::Contains(digits) => filter_contains(digits, domains),
            Kind::Circles => filter_circles(domains, DigitSet::up_to(side)),
        }
    }
}

/// Sums that some values of each of two sets have, in ascending order.
fn sums_of(a: &[i64], b: &[i64], range: std::ops::RangeInclusive<i64>) -> Vec<i64> {
    let mut sums: Vec<i64> =
        a.iter().flat_map(|x| b.iter().map(move |y| x + y)).filter(|s| range.contains(s)).collect();
    sums.sort_unstable();
    sums.dedup();
    sums
}

fn filter_sum(groups: &[Group], total: i64, domains: &[DigitSet]) -> Option<Filtered> {
    let of_group: Vec<(Masks, Vec<i64>)> = groups
        .iter()
        .map(|group| {
            let own: Vec<DigitSet> = group.cells.iter().map(|&at| domains[at]).collect();
            let masks = Masks::new(&own)?;
            let sums = masks.sums(group.factor);
            Some((masks, sums))
        })
        .collect::<Option<_>>()?;
    // Bounds of the sums of the groups before and after each group.
    let lows: Vec<i64> = of_group.iter().map(|(_, sums)| sums[0]).collect();
    let highs: Vec<i64> = of_group.iter().map(|(_, sums)| sums[sums.len() - 1]).collect();
    let (low, high): (i64, i64) = (lows.iter().sum(), highs.iter().sum());
    if total < low || total > high {
        return None;
    }
    let mut before: Vec<Vec<i64>> = vec![vec![0]];
    let (mut low_after, mut high_after) = (low, high);
    for (at, (_, sums)) in of_group.iter().enumerate() {
        low_after -= lows[at];
        high_after -= highs[at];
        let range = total - high_after..=total - low_after;
        before.push(sums_of(&before[at], sums, range));
    }
    if !before[groups.len()].contains(&total) {
        return None;
    }
    let mut supported = domains.to_vec();
    let mut needed = DigitSet::EMPTY;
    let mut after = vec![0];
    let (mut low_before, mut high_before) = (low, high);
    for (at, (masks, sums)) in of_group.iter().enumerate().rev() {
        low_before -= lows[at];
        high_before -= highs[at];
        let factor = groups[at].factor;
        let fits = |sum: i64| {
            before[at].iter().any(|one| after.binary_search(&(total - one - sum)).is_ok())
        };
        let good: Vec<i64> = sums.iter().copied().filter(|&sum| fits(sum)).collect();
        let (digits, in_all) =
            masks.supported(&|mask| good.binary_search(&(factor * masks::sum(mask))).is_ok())?;
        for (&index, digits) in groups[at].cells.iter().zip(digits) {
            supported[index] = digits;
        }
        needed = needed | in_all;
        if at > 0 {
            after = sums_of(&after, sums, total - high_before..=total - low_before);
        }
    }
    Filtered::new(supported).map(|filtered| Filtered { needed, ..filtered })
}

fn filter_pairs(
    pairs: &[(usize, usize)],
    relation: Relation,
    domains: &[DigitSet],
) -> Option<Filtered> {
    let holds = |a: Digit, b: Digit| relation.holds(a.number(), b.number());
    let mut left = domains.to_vec();
    let mut changed = true;
    while changed {
        changed = false;
        for &(a, b) in pairs {
            let (own, other) = (left[a], left[b]);
            let first: DigitSet = own.filter(|&x| other.into_iter().any(|y| holds(x, y))).collect();
            let second: DigitSet =
                other.filter(|&y| own.into_iter().any(|x| holds(x, y))).collect();
            changed |= first != own || second != other;
            (left[a], left[b]) = (first, second);
            if first.is_empty() || second.is_empty() {
                return None;
            }
        }
    }
    Filtered::new(left)
}

fn filter_line(
    kind: &LineKind,
    different: bool,
    domains: &[DigitSet],
    side: usize,
) -> Option<Filtered> {
    type State = (u64, u64);
    let line = Line { side: side as u64, length: domains.len() as u64 };
    let step = |position: usize, (state, used): State, digit: Digit| -> Option<State> {
        let bit = 1 << digit.index();
        if used & bit != 0 {
            return None;
        }
        let after = kind.next(line, position, state, u64::from(digit.number()))?;
        Some((after, if different { used | bit } else { 0 }))
    };
    // For each position the states, and whether they can be completed.
    let mut layers: Vec<HashMap<State, bool>> = vec![HashMap::from([((0, 0), false)])];
    for (position, domain) in domains.iter().enumerate() {
        let next = layers[position]
            .keys()
            .flat_map(|&state| domain.filter_map(move |digit| step(position, state, digit)))
            .map(|state| (state, false))
            .collect();
        layers.push(next);
    }
    let last = layers.len() - 1;
    layers[last].iter_mut().for_each(|((state, _), alive)| *alive = kind.accepts(*state));
    let mut supported = vec![DigitSet::EMPTY; domains.len()];
    for position in (0..domains.len()).rev() {
        let (layers, later) = layers.split_at_mut(position + 1);
        for (&state, alive) in &mut layers[position] {
            for digit in domains[position] {
                if step(position, state, digit).is_some_and(|next| later[0][&next]) {
                    *alive = true;
                    supported[position].insert(digit);
                }
            }
        }
    }
    Filtered::new(supported)
}

fn filter_contains(digits: &[Digit], domains: &[DigitSet]) -> Option<Filtered> {
    fn assign(
        rest: &[Digit],
        domains: &[DigitSet],
        chosen: &mut Vec<Option<Digit>>,
        supported: &mut [DigitSet],
    ) {
        let Some((&digit, rest)) = rest.split_first() else {
            for (at, one) in chosen.iter().enumerate() {
                let digits = one.map_or(domains[at], DigitSet::from_digit);
                supported[at] = supported[at] | digits;
            }
            return;
        };
        for at in 0..domains.len() {
            if chosen[at].is_none() && domains[at].contains(digit) {
                chosen[at] = Some(digit);
                assign(rest, domains, chosen, supported);
                chosen[at] = None;
            }
        }
    }
    let mut supported = vec![DigitSet::EMPTY; domains.len()];
    assign(digits, domains, &mut vec![None; domains.len()], &mut supported);
    let needed = digits.iter().copied().collect();
    Filtered::new(supported).map(|filtered| Filtered { needed, ..filtered })
}

/// The circles contain a set of digits whose sum is the number of circles.
fn filter_circles(domains: &[DigitSet], all: DigitSet) -> Option<Filtered> {
    fn search(
        domains: &[DigitSet],
        rest: DigitSet,
        chosen: DigitSet,
        left: usize,
        supported: &mut [DigitSet],
    ) {
        if left > 0 {
            let Some(digit) = rest.first() else { return };
            let rest = rest.without(digit);
            if let Some(left) = left.checked_sub(digit.number().into()) {
                search(domains, rest, chosen.with(digit), left, supported);
            }
            return search(domains, rest, chosen, left, supported);
        }
        let open: Vec<DigitSet> = domains.iter().map(|domain| *domain & chosen).collect();
        let enough = chosen.into_iter().all(|digit| {
            let number = usize::from(digit.number());
            open.iter().filter(|open| open.contains(digit)).count() >= number
                && open.iter().filter(|open| open.only() == Some(digit)).count() <= number
        });
        if enough && open.iter().all(|open| !open.is_empty()) {
            for (supported, open) in supported.iter_mut().zip(open) {
                *supported = *supported | open;
            }
        }
    }
    let mut supported = vec![DigitSet::EMPTY; domains.len()];
    search(domains, all, DigitSet::EMPTY, domains.len(), &mut supported);
    Filtered::new(supported)
}
