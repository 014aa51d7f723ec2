//! Almost locked sets (ALS): n cells of one house with n + 1 candidate digits. If the set loses one
//! of these digits, its cells must contain all the others.
//!
//! ALS-XZ, ALS-XY-Wing and ALS-XY-Chain are chains of such sets. Neighbouring sets share a
//! restricted common digit: all its places in one set see all its places in the other, so at most
//! one of the two sets contains it. A set that loses this digit contains all its other digits.
//!
//! Let `z` be a digit of the first and the last set that does not link either of them to its
//! neighbour. Then at least one of the two sets contains `z`, and `z` is removed from every cell
//! that sees all places of `z` in both sets. Two sets with two restricted common digits form a
//! closed chain.

use super::board::Board;
use super::{StepSink, Technique};
use crate::grid::{Cell, CellSet, Digit, DigitSet};
use crate::proof::{Candidate, Chain, Node, Reason, Step, Strong};
use std::ops::ControlFlow;

/// Cells of one house that have one more candidate digit than cells.
#[derive(Clone, Debug)]
pub(super) struct Als<const W: usize> {
    pub cells: CellSet<W>,
    pub digits: DigitSet,
}

impl<const W: usize> Als<W> {
    pub fn places(&self, position: &Board<W>, digit: Digit) -> CellSet<W> {
        self.cells & position.places(digit)
    }

    pub fn node(&self, position: &Board<W>, digit: Digit) -> Node {
        Node { digit, cells: self.places(position, digit).to_vec() }
    }
}

/// Returns all almost locked sets of at most `max_cells` cells, smallest first.
pub(super) fn all<const W: usize>(position: &Board<W>, max_cells: usize) -> Vec<Als<W>> {
    let mut sets = Vec::new();
    let open_in = |house: usize| (position.cells(house) & position.empty()).count();
    for house in (0..position.house_count()).take_while(|_| position.stop_reason().is_none()) {
        let open = (position.cells(house) & position.empty()).to_vec();
        let most = max_cells.min(open.len().saturating_sub(1));
        let most =
            if position.order().side() > 9 { most.min(MAX_CELLS_IN_LARGE_GRIDS) } else { most };
        gather(position, &open, most, CellSet::EMPTY, DigitSet::EMPTY, &mut |cells, digits| {
            // A set in the intersection of two houses was already found in the earlier one, unless
            // it is the complete set of empty cells there.
            let met = |earlier: usize| earlier < house && open_in(earlier) > cells.count();
            if !position.houses_around(cells).any(met) {
                sets.push(Als { cells, digits });
            }
        });
    }
    sets.sort_by_key(|als| als.cells.count());
    sets
}

/// Grids larger than 9×9 only use small sets, because the number of sets doubles with every cell.
const MAX_CELLS_IN_LARGE_GRIDS: usize = 2;

fn gather<const W: usize>(
    position: &Board<W>,
    open: &[Cell],
    most: usize,
    cells: CellSet<W>,
    digits: DigitSet,
    visit: &mut dyn FnMut(CellSet<W>, DigitSet),
) {
    let count = cells.count();
    if count > 0 && digits.count() == count + 1 {
        visit(cells, digits);
    }
    if count == most {
        return;
    }
    for (index, &cell) in open.iter().enumerate() {
        let more = digits | position.at(cell);
        if more.count() <= most + 1 {
            gather(
                position,
                &open[index + 1..],
                most,
                cells | CellSet::from_cell(cell),
                more,
                visit,
            );
        }
    }
}

/// Edge in the graph of almost locked sets: the neighbouring set and the digit that links it.
#[derive(Clone, Copy, Debug)]
struct Neighbour {
    set: usize,
    digit: Digit,
}

/// All almost locked sets with their restricted common digits.
#[derive(Debug)]
pub(super) struct Graph<const W: usize> {
    sets: Vec<Als<W>>,
    neighbours: Vec<Vec<Neighbour>>,
    /// For each set and digit, the cells that see all places of the digit in the set.
    seen: Vec<CellSet<W>>,
    side: usize,
}

impl<const W: usize> Graph<W> {
    /// Returns the graph of a position, computing it on first use.
    fn cached<'a>(position: &'a Board<'_, W>) -> &'a Graph<W> {
        position.cache().als.get_or_init(|| Graph::new(position))
    }

    fn new(position: &Board<W>) -> Graph<W> {
        let (sets, side) = (all(position, usize::MAX), position.order().side());
        let mut seen = vec![CellSet::EMPTY; sets.len() * side];
        for (index, set) in sets.iter().enumerate() {
            for digit in set.digits {
                seen[index * side + digit.index()] =
                    position.common_peers(set.places(position, digit));
            }
        }
        let neighbours = neighbours(position, &sets, &seen);
        Graph { sets, neighbours, seen, side }
    }

    /// Returns the places of the digit that see all its places in both sets.
    fn hit(&self, position: &Board<W>, [first, last]: [usize; 2], digit: Digit) -> CellSet<W> {
        let seen = |set: usize| self.seen[set * self.side + digit.index()];
        position.places(digit) & seen(first) & seen(last)
    }

    /// Reports what a chain from the first to the last set removes. `links` are the digits between
    /// neighbours.
    fn report(
        &self,
        position: &Board<W>,
        technique: Technique,
        (path, links): (&[usize], &[Digit]),
        emit: &mut StepSink<'_>,
    ) -> ControlFlow<()> {
        let ends = [path[0], path[path.len() - 1]];
        let [first, last] = ends.map(|set| self.sets[set].digits);
        let mut parts = Vec::new();
        for z in (first & last).without(links[0]).without(links[links.len() - 1]) {
            let hit = self.hit(position, ends, z);
            if !hit.is_empty() {
                let removes: Vec<Candidate> = Board::candidates_of(hit, z).collect();
                parts.push((removes, Reason::Chain(self.chain(position, path, links, (z, false)))));
            }
        }
        if parts.len() > 1 {
            let removes = parts.iter().flat_map(|(removes, _)| removes.clone()).collect();
            let reason = Reason::Together(parts.iter().map(|(_, reason)| reason.clone()).collect());
            emit(Step::remove(technique, removes, reason))?;
        }
        for (removes, reason) in parts {
            emit(Step::remove(technique, removes, reason))?;
        }
        ControlFlow::Continue(())
    }

    fn chain(
        &self,
        position: &Board<W>,
        path: &[usize],
        links: &[Digit],
        (z, closed): (Digit, bool),
    ) -> Chain {
        let mut nodes = Vec::new();
        for (index, &set) in path.iter().enumerate() {
            let enter = if index == 0 { z } else { links[index - 1] };
            let leave = if index == path.len() - 1 { z } else { links[index] };
            nodes.extend([enter, leave].map(|digit| self.sets[set].node(position, digit)));
        }
        let strong = path
            .iter()
            .map(|&set| Strong::AlmostLockedSet(self.sets[set].cells.to_vec()))
            .collect();
        Chain { nodes, strong, closed }
    }
}

/// Returns, for each set, the sets that share a restricted common digit with it, ordered by set and
/// digit.
///
/// The simple algorithm tests, for each two sets and each common digit, whether all places in one
/// set see all places in the other. This version works digit by digit. Each cell has a bit row of
/// the sets that have the digit there. The sets whose places are all seen are those in some row of
/// a seen cell and in no row of an unseen cell.
fn neighbours<const W: usize>(
    position: &Board<W>,
    sets: &[Als<W>],
    seen: &[CellSet<W>],
) -> Vec<Vec<Neighbour>> {
    let (side, words) = (position.order().side(), sets.len().div_ceil(64));
    let mut neighbours = vec![Vec::new(); sets.len()];
    let mut sets_at = vec![0u64; position.order().cell_count() * words];
    let (mut linked, mut apart) = (vec![0u64; words], vec![0u64; words]);
    for digit in position.all_digits() {
        sets_at.fill(0);
        let with_digit = || sets.iter().enumerate().filter(|(_, set)| set.digits.contains(digit));
        for (index, set) in with_digit() {
            for cell in set.places(position, digit) {
                sets_at[cell.index() * words + index / 64] |= 1 << (index % 64);
            }
        }
        let add_rows = |cells: CellSet<W>, sum: &mut [u64]| {
            sum.fill(0);
            for cell in cells {
                let row = &sets_at[cell.index() * words..][..words];
                sum.iter_mut().zip(row).for_each(|(sum, row)| *sum |= row);
            }
        };
        for (index, _) in with_digit().take_while(|_| position.stop_reason().is_none()) {
            let (places, seen) = (position.places(digit), seen[index * side + digit.index()]);
            add_rows(places & seen, &mut linked);
            add_rows(places - seen, &mut apart);
            for (word, (&linked, &apart)) in linked.iter().zip(&apart).enumerate() {
                let mut bits = linked & !apart;
                while bits != 0 {
                    neighbours[index]
                        .push(Neighbour { set: 64 * word + bits.trailing_zeros() as usize, digit });
                    bits &= bits - 1;
                }
            }
        }
    }
    for list in &mut neighbours {
        list.sort_unstable_by_key(|neighbour| (neighbour.set, neighbour.digit));
    }
    neighbours
}

/// Two sets with one or two restricted common digits.
pub fn xz<const W: usize>(position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
    let graph = Graph::cached(position);
    for (first, neighbours) in graph.neighbours.iter().enumerate() {
        position.check_limits()?;
        for (index, x) in neighbours.iter().enumerate().filter(|(_, x)| x.set > first) {
            graph.report(position, Technique::AlsXz, (&[first, x.set], &[x.digit]), emit)?;
            for y in neighbours[index + 1..].iter().filter(|y| y.set == x.set) {
                doubly_linked(position, graph, [first, x.set], [x.digit, y.digit], emit)?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Each of the two common digits is in one of the two sets. So each set loses one of them and
/// contains all its other digits.
fn doubly_linked<const W: usize>(
    position: &Board<W>,
    graph: &Graph<W>,
    pair: [usize; 2],
    [x, y]: [Digit; 2],
    emit: &mut StepSink<'_>,
) -> ControlFlow<()> {
    let mut removes: Vec<Candidate> = Vec::new();
    for digit in [x, y] {
        removes.extend(Board::candidates_of(graph.hit(position, pair, digit), digit));
    }
    for set in pair {
        for digit in graph.sets[set].digits.without(x).without(y) {
            removes.extend(Board::candidates_of(graph.hit(position, [set, set], digit), digit));
        }
    }
    // Some programs, including HoDoKu, do not remove candidates from the cells of the two sets.
    // Their version of the step is listed after the full one.
    let own = graph.sets[pair[0]].cells | graph.sets[pair[1]].cells;
    let outside: Vec<Candidate> =
        removes.iter().copied().filter(|candidate| !own.contains(candidate.cell)).collect();
    let is_less = outside.len() < removes.len();
    for removes in [removes, if is_less { outside } else { Vec::new() }]
        .into_iter()
        .filter(|list| !list.is_empty())
    {
        let reason = Reason::Chain(graph.chain(position, &pair, &[x], (y, true)));
        emit(Step::remove(Technique::AlsXz, removes, reason))?;
    }
    ControlFlow::Continue(())
}

/// Two sets that are linked to a third one by different digits.
pub fn xy_wing<const W: usize>(position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
    let graph = Graph::cached(position);
    for (pivot, neighbours) in graph.neighbours.iter().enumerate() {
        for (index, x) in neighbours.iter().enumerate() {
            position.check_limits()?;
            for y in neighbours[index + 1..].iter().filter(|y| y.digit != x.digit && y.set != x.set)
            {
                let (path, links) = ([x.set, pivot, y.set], [x.digit, y.digit]);
                graph.report(position, Technique::AlsXyWing, (&path, &links), emit)?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Four or more sets in a row. Each set is linked to the next by a different digit than to the
/// previous one.
///
/// The search keeps the shortest chain between two sets for each pair of linking digits.
pub fn xy_chain<const W: usize>(position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
    let graph = Graph::cached(position);
    let side = position.order().side();
    // A state is a set and the digit by which it was entered. `from` stores the previous state.
    let mut from: Vec<u32> = vec![u32::MAX; graph.sets.len() * side];
    let mut queue: Vec<(u32, u8)> = Vec::new();
    for start in 0..graph.sets.len() {
        for leave in graph.sets[start].digits {
            position.check_limits()?;
            for (state, _) in queue.drain(..) {
                from[state as usize] = u32::MAX;
            }
            for first in graph.neighbours[start].iter().filter(|first| first.digit == leave) {
                let state = first.set * side + first.digit.index();
                from[state] = state as u32;
                queue.push((state as u32, 2));
            }
            let mut next = 0;
            while next < queue.len() {
                let (state, length) = queue[next];
                next += 1;
                let (set, entered) =
                    (state as usize / side, Digit::from_index(state as usize % side));
                if length > 3
                    && set > start
                    && may_hit(position, graph, [start, set], [leave, entered])
                {
                    let (path, links) = walk_back(&from, state, side, start);
                    graph.report(position, Technique::AlsXyChain, (&path, &links), emit)?;
                }
                if usize::from(length) == MAX_SETS {
                    continue;
                }
                for step in graph.neighbours[set]
                    .iter()
                    .filter(|step| step.digit != entered && step.set != start)
                {
                    let other = step.set * side + step.digit.index();
                    if from[other] == u32::MAX {
                        from[other] = state;
                        queue.push((other as u32, length + 1));
                    }
                }
            }
        }
    }
    ControlFlow::Continue(())
}

/// Maximum number of almost locked sets in a chain.
const MAX_SETS: usize = 12;

fn may_hit<const W: usize>(
    position: &Board<W>,
    graph: &Graph<W>,
    [start, set]: [usize; 2],
    [leave, entered]: [Digit; 2],
) -> bool {
    let shared = graph.sets[start].digits & graph.sets[set].digits;
    shared
        .without(leave)
        .without(entered)
        .into_iter()
        .any(|z| !graph.hit(position, [start, set], z).is_empty())
}

fn walk_back(from: &[u32], end: u32, side: usize, start: usize) -> (Vec<usize>, Vec<Digit>) {
    let (mut path, mut links) = (Vec::new(), Vec::new());
    let mut state = end;
    loop {
        path.push(state as usize / side);
        links.push(Digit::from_index(state as usize % side));
        if from[state as usize] == state {
            break;
        }
        state = from[state as usize];
    }
    path.push(start);
    path.reverse();
    links.reverse();
    (path, links)
}
