//! Remote pairs: a chain of cells that hold the same two digits, each seeing the next.
//!
//! Why they are sound: along the chain the two digits alternate, so two cells that are an odd number of links apart
//! hold different digits. Both digits leave every cell that sees both of them.

use super::board::Board;
use super::{Found, Technique};
use crate::grid::{Cell, CellSet, Digit, DigitSet};
use crate::proof::{Because, Candidate, Chain, Node, OneOf, Step, Strong};
use std::collections::HashSet;
use std::ops::ControlFlow;

/// All remote pairs: for each two cells the shortest chain of four or more.
pub fn find<const W: usize>(position: &Board<W>, found: &mut Found<'_>) -> ControlFlow<()> {
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
                        pair.map(|digit| Because::Chain(chain(&path, digit, pair))).collect();
                    let because = Because::Together(chains);
                    all.push(Step::remove(Technique::RemotePair, removes, because));
                }
            }
        }
        for step in all {
            found(step)?;
        }
    }
    ControlFlow::Continue(())
}

/// The shortest path from a cell to every other cell of the set that it reaches.
fn paths_from<const W: usize>(
    position: &Board<W>,
    cells: CellSet<W>,
    start: Cell,
) -> Vec<Vec<Cell>> {
    let mut paths = vec![vec![start]];
    let mut left = cells - CellSet::of(start);
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

/// Either the first or the last cell of the path holds the digit.
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
