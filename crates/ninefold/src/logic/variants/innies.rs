//! Innies and outies: the sum of some houses minus the cages inside them is the sum of the cells
//! that are left over or stick out.

use super::propagator::merged;
use crate::grid::rules::{Rule, Rules};
use crate::grid::{Cell, Grid, House};
use crate::proof::{Combined, Part};
use std::collections::HashSet;

/// At most so many cells may be left.
const MOST_LEFT: usize = 5;
/// At most so many neighbouring lines are added up.
const MOST_LINES: usize = 4;

/// A sum over a few cells.
pub(super) struct Sum {
    pub combined: Combined,
    pub terms: Vec<(Cell, i64)>,
    pub total: i64,
}

/// All sums with few cells, the smallest first.
pub(super) fn all(grid: &Grid, rules: &Rules) -> Vec<Sum> {
    let cages: Vec<(usize, &[Cell], u32)> = rules
        .rules()
        .iter()
        .enumerate()
        .filter_map(|(index, rule)| match rule {
            Rule::Cage { cells, sum } => Some((index, &cells[..], *sum)),
            _ => None,
        })
        .collect();
    if cages.is_empty() {
        return Vec::new();
    }
    let mut sums: Vec<Sum> = Vec::new();
    let mut seen = HashSet::new();
    for houses in unions(grid) {
        for sum in [1, 2, 3].map(|share| leftover(grid, &cages, &houses, share)) {
            let Some(sum) = sum else { continue };
            if seen.insert((sum.terms.clone(), sum.total)) {
                sums.push(sum);
            }
        }
    }
    sums.sort_by_key(|sum| (sum.terms.len(), sum.combined.parts.len()));
    sums
}

/// Houses, and up to four neighbouring rows or columns.
fn unions(grid: &Grid) -> Vec<Vec<House>> {
    let side = grid.order().side();
    let mut unions: Vec<Vec<House>> = grid.houses().map(|house| vec![house]).collect();
    for count in 2..=MOST_LINES.min(side - 1) {
        for first in 0..=side - count {
            let lines = first as u8..(first + count) as u8;
            unions.push(lines.clone().map(House::Row).collect());
            unions.push(lines.map(House::Column).collect());
        }
    }
    let others: Vec<House> =
        grid.houses().filter(|house| !matches!(house, House::Row(_) | House::Column(_))).collect();
    for (at, &a) in others.iter().enumerate() {
        for &b in &others[at + 1..] {
            if disjoint(grid.cells_in(a), grid.cells_in(b)) {
                unions.push(vec![a, b]);
            }
        }
    }
    unions
}

fn disjoint(a: &[Cell], b: &[Cell]) -> bool {
    a.iter().all(|cell| !b.contains(cell))
}

/// The houses minus the cages. A cage counts if all (1), at least half (2) or any (3) of its cells
/// are inside.
fn leftover(
    grid: &Grid,
    cages: &[(usize, &[Cell], u32)],
    houses: &[House],
    share: usize,
) -> Option<Sum> {
    let side = grid.order().side() as i64;
    let inside: HashSet<Cell> =
        houses.iter().flat_map(|&house| grid.cells_in(house)).copied().collect();
    let mut total = houses.len() as i64 * side * (side + 1) / 2;
    let mut parts: Vec<(Part, i32)> = houses.iter().map(|&house| (Part::House(house), 1)).collect();
    let mut covered: HashSet<Cell> = HashSet::new();
    let mut subtracted: Vec<Cell> = Vec::new();
    for &(index, cells, sum) in cages {
        let within = cells.iter().filter(|cell| inside.contains(cell)).count();
        let counts = match share {
            1 => within == cells.len(),
            2 => 2 * within >= cells.len() && within > 0,
            _ => within > 0,
        };
        if counts && cells.iter().all(|cell| !covered.contains(cell)) {
            covered.extend(cells);
            subtracted.extend(cells);
            parts.push((Part::Rule(index), -1));
            total -= i64::from(sum);
        }
    }
    if parts.len() == houses.len() {
        return None;
    }
    let innies = inside.iter().map(|&cell| (cell, 1));
    let mut terms = merged(innies.chain(subtracted.into_iter().map(|cell| (cell, -1))));
    if terms.is_empty() || terms.len() > MOST_LEFT {
        return None;
    }
    // If only outies are left, say what they add up to.
    if terms.iter().all(|(_, factor)| *factor < 0) {
        terms.iter_mut().for_each(|(_, factor)| *factor = -*factor);
        parts.iter_mut().for_each(|(_, factor)| *factor = -*factor);
        total = -total;
    }
    Some(Sum { combined: Combined { parts }, terms, total })
}
