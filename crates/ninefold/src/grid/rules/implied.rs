//! Sums that follow from cages and houses together: the rule of 45.
//!
//! The digits of a house have a known sum. Subtracting the cages that are mostly inside one or
//! several houses leaves a sum of the cells that no cage covers, minus the cells of these cages
//! outside. Short sums of this kind are innies and outies; search on hard killers visits far fewer
//! nodes with them.

use super::{Rule, Rules};
use crate::grid::Cell;
use std::collections::BTreeSet;

/// Up to this many neighbouring rows or columns are considered together.
const MOST_LINES: usize = 4;
/// Longer sums propagate too little to pay.
const MOST_CELLS: usize = 5;

/// A sum of cells with coefficients.
pub(crate) type WeightedSum = (Vec<(i32, Cell)>, i32);

/// The implied sums, each once.
pub(crate) fn sums(rules: &Rules, houses: &[Vec<Cell>]) -> Vec<WeightedSum> {
    let cages = Cages::new(rules);
    if cages.list.is_empty() {
        return Vec::new();
    }
    let mut seen = BTreeSet::new();
    let unions = unions(rules, houses);
    let sums = unions.iter().filter_map(|union| cages.remainder(union, rules.side()));
    sums.filter(|(terms, _)| terms.len() <= MOST_CELLS && seen.insert(terms.clone())).collect()
}

/// The houses, and several of them together, as long as they do not overlap.
fn unions<'a>(rules: &Rules, houses: &'a [Vec<Cell>]) -> Vec<Vec<&'a Vec<Cell>>> {
    let side = rules.side();
    let extra = houses.iter().skip(2 * side).filter(|house| house.len() == side);
    let regions: Vec<&Vec<Cell>> = extra.collect();
    let lines = [&houses[..side], &houses[side..2 * side]];
    let mut unions: Vec<Vec<&Vec<Cell>>> = Vec::new();
    unions.extend(lines.iter().flat_map(|lines| lines.iter()).map(|line| vec![line]));
    unions.extend(regions.iter().map(|region| vec![*region]));
    for width in 2..=MOST_LINES.min(side - 1) {
        for lines in lines {
            unions.extend(lines.windows(width).map(|lines| lines.iter().collect()));
        }
    }
    for (at, a) in regions.iter().enumerate() {
        unions.extend(regions[..at].iter().map(|b| vec![*a, *b]));
    }
    unions
}

/// The cages that share no cell with another cage.
struct Cages<'a> {
    list: Vec<(&'a [Cell], i32)>,
    /// The cage of each cell.
    of: Vec<Option<usize>>,
}

impl<'a> Cages<'a> {
    fn new(rules: &'a Rules) -> Cages<'a> {
        let all = || {
            rules.rules.iter().filter_map(|rule| match rule {
                Rule::Cage { cells, sum } => Some((&cells[..], *sum as i32)),
                _ => None,
            })
        };
        let mut count = vec![0u32; rules.side() * rules.side()];
        all().flat_map(|(cells, _)| cells).for_each(|cell| count[cell.index()] += 1);
        let list: Vec<(&[Cell], i32)> =
            all().filter(|(cells, _)| cells.iter().all(|cell| count[cell.index()] == 1)).collect();
        let mut of = vec![None; count.len()];
        for (at, (cells, _)) in list.iter().enumerate() {
            cells.iter().for_each(|cell| of[cell.index()] = Some(at));
        }
        Cages { list, of }
    }

    /// The sum that remains of these houses without the cages that are mostly inside; `None` if no
    /// cage is.
    fn remainder(&self, union: &[&Vec<Cell>], side: usize) -> Option<WeightedSum> {
        let mut inside = vec![false; self.of.len()];
        union.iter().copied().flatten().for_each(|cell| inside[cell.index()] = true);
        let mut total = (union.len() * side * (side + 1) / 2) as i32;
        let mut is_used = vec![false; self.list.len()];
        let mut terms = Vec::new();
        for &cell in union.iter().copied().flatten() {
            let Some(cage) = self.of[cell.index()] else {
                terms.push((1, cell));
                continue;
            };
            let (cells, sum) = self.list[cage];
            let within = cells.iter().filter(|cell| inside[cell.index()]).count();
            if 2 * within < cells.len() {
                terms.push((1, cell));
            } else if !is_used[cage] {
                is_used[cage] = true;
                total -= sum;
                let outside = cells.iter().filter(|cell| !inside[cell.index()]);
                terms.extend(outside.map(|&cell| (-1, cell)));
            }
        }
        terms.sort_unstable();
        is_used.contains(&true).then_some((terms, total))
    }
}
