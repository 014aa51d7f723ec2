//! Remote pairs: a chain of cells with the same two candidates, each seeing the next.
//!
//! Why they are sound: the two digits alternate along the chain, so two cells that are an odd
//! number of links apart contain different digits. Both digits are removed from every cell that
//! sees both of them.

use super::board::Board;
use super::{StepSink, Technique};
use crate::grid::{Cell, CellSet, Digit, DigitSet};
use crate::proof::{Candidate, Chain, Node, OneOf, Reason, Step, Strong};
use std::collections::HashSet;
use std::ops::ControlFlow;

/// Finds all remote pairs: for each two cells, the shortest chain of at least four cells.
pub fn find<const W: usize>(position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
    let bivalue = position.cells_with(2);
    let pairs: HashSet<DigitSet> = bivalue.iter().map(|cell| position.at(cell)).collect();
    let mut pairs: Vec<DigitSet> = pairs.into_iter().collect();
    pairs.sort_unstable();
    for pair in pairs {
        let cells: CellSet<W> = bivalue.iter().filter(|&cell| position.at(cell) == pair).collect();
        if cells.count() < 4 {
            continue;
        }
        let mut all = Vec::new();
        for start in cells {
            for path in paths_from(position, cells, start) {
                let end = path[path.len() - 1];
                if path.len() < 4 || !path.len().is_multiple_of(2) || end < start {
                    continue;
                }
                let seen = (position.peers(start) & position.peers(end)) - cells;
                let removes: Vec<Candidate> = pair
                    .flat_map(|digit| Board::candidates_of(seen & position.places(digit), digit))
                    .collect();
                if !removes.is_empty() {
                    let chains =
                        pair.map(|digit| Reason::Chain(chain(&path, digit, pair))).collect();
                    let reason = Reason::Together(chains);
                    all.push(Step::remove(Technique::RemotePair, removes, reason));
                }
            }
        }
        for step in all {
            emit(step)?;
        }
    }
    ControlFlow::Continue(())
}

/// Returns the shortest paths from a cell to all other cells of the set that it reaches.
fn paths_from<const W: usize>(
    position: &Board<W>,
    cells: CellSet<W>,
    start: Cell,
) -> Vec<Vec<Cell>> {
    let mut paths = vec![vec![start]];
    let mut left = cells - CellSet::from_cell(start);
    let mut next = 0;
    while next < paths.len() {
        let path = paths[next].clone();
        next += 1;
        for cell in left & position.peers(path[path.len() - 1]) {
            left.remove(cell);
            let mut longer = path.clone();
            longer.push(cell);
            paths.push(longer);
        }
    }
    paths
}

/// Returns the chain that proves that the first or the last cell of the path contains the digit.
fn chain(path: &[Cell], digit: Digit, pair: DigitSet) -> Chain {
    let other = pair.without(digit).first().expect("a pair has two digits");
    let node = |cell, digit| Node::single(Candidate::new(cell, digit));
    let nodes = path.iter().enumerate().flat_map(|(index, &cell)| {
        let digits = if index % 2 == 0 { [digit, other] } else { [other, digit] };
        digits.map(|digit| node(cell, digit))
    });
    let strong = path.iter().map(|&cell| Strong::OneOf(OneOf::Cell(cell))).collect();
    Chain { nodes: nodes.collect(), strong, closed: false }
}
