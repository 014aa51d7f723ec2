//! Chains: strong and weak links in turn.
//!
//! Why they are sound: in `a = b - c = d`, if `a` is false then `b` is true, `c` false and `d` true. So the first or
//! the last node is true, and what sees both is false. If the chain comes back to its first candidate, that candidate
//! is true (strong at both ends) or false (weak at both ends): a discontinuous nice loop. If a weak link closes the
//! chain, every weak link of it joins two nodes of which exactly one is true: a continuous nice loop.
//!
//! X-chains stay with one digit, XY-chains use bivalue cells only, alternating inference chains use everything; grouped
//! ones also nodes of several cells and almost locked sets.

use super::board::Board;
use super::links::{Graph, Kinds, Reach};
use super::{Found, Technique};
use crate::grid::{Cell, CellSet, Digit, DigitSet};
use crate::proof::{Because, Candidate, Chain, Step, Strong};
use std::collections::HashSet;
use std::ops::ControlFlow;

/// Chains of one digit.
pub fn x_chain<const W: usize>(position: &Board<W>, found: &mut Found<'_>) -> ControlFlow<()> {
    let kinds = Kinds { houses: true, one_digit: true, ..Kinds::default() };
    position.each_digit(Technique::XChain, found, |digit, found| {
        let graph = Graph::new(position, DigitSet::of(digit), kinds);
        each_end(position, &graph, Technique::XChain, &mut |_, _| true, found)
    })
}

/// Chains through bivalue cells; both ends are the same digit.
pub fn xy_chain<const W: usize>(position: &Board<W>, found: &mut Found<'_>) -> ControlFlow<()> {
    let kinds = Kinds { cells: true, ..Kinds::default() };
    let graph = Graph::new(position, position.all_digits(), kinds);
    each_end(
        position,
        &graph,
        Technique::XyChain,
        &mut |first, last| graph.digit(first) == graph.digit(last),
        found,
    )
}

/// Alternating inference chains of any sort.
pub fn aic<const W: usize>(
    position: &Board<W>,
    grouped: bool,
    found: &mut Found<'_>,
) -> ControlFlow<()> {
    each_end(
        position,
        &graph(position, grouped),
        Technique::Aic { grouped },
        &mut |_, _| true,
        found,
    )
}

fn graph<const W: usize>(position: &Board<W>, grouped: bool) -> Graph<W> {
    graph_with(position, grouped, if grouped { MOST_ALS_CELLS } else { 0 })
}

fn graph_with<const W: usize>(position: &Board<W>, grouped: bool, als_cells: usize) -> Graph<W> {
    let all = position.all_digits();
    Graph::new(
        position,
        all,
        Kinds { cells: true, houses: true, groups: grouped, als_cells, one_digit: false },
    )
}

/// Links between candidates and groups of them, without almost locked sets; kept for the position.
pub(super) fn grouped<'a, const W: usize>(position: &'a Board<'_, W>) -> &'a Graph<W> {
    position.cache().grouped.get_or_init(|| graph_with(position, true, 0))
}

/// Larger almost locked sets are left to the ALS techniques.
const MOST_ALS_CELLS: usize = 5;

/// Open chains: for each pair of ends the shortest one.
fn each_end<const W: usize>(
    position: &Board<W>,
    graph: &Graph<W>,
    technique: Technique,
    fits: &mut dyn FnMut(u32, u32) -> bool,
    found: &mut Found<'_>,
) -> ControlFlow<()> {
    if !graph.may_refute_any() {
        return ControlFlow::Continue(());
    }
    let mut reach = Reach::new(graph.len());
    for start in (0..graph.len()).filter(|&node| graph.is_linked(node)) {
        position.go_on()?;
        graph.reach_again(&mut reach, start, false);
        // Each chain is met from both ends.
        for &end in reach.on.iter().filter(|&&end| end > start) {
            if !fits(start, end) {
                continue;
            }
            let removes = graph.seen_by_both(position, start, end);
            if !removes.is_empty() {
                let chain = graph.chain_to(&reach, end, false);
                if chain.nodes.len() > 2 {
                    found(Step::remove(technique, removes, Because::Chain(chain)))?;
                }
            }
        }
    }
    ControlFlow::Continue(())
}

/// Chains that prove or refute their first candidate.
pub fn discontinuous<const W: usize>(
    position: &Board<W>,
    grouped: bool,
    found: &mut Found<'_>,
) -> ControlFlow<()> {
    discontinuous_in(position, &graph(position, grouped), grouped, found)
}

fn discontinuous_in<const W: usize>(
    position: &Board<W>,
    graph: &Graph<W>,
    grouped: bool,
    found: &mut Found<'_>,
) -> ControlFlow<()> {
    let technique = Technique::DiscontinuousNiceLoop { grouped };
    let mut reach = Reach::new(graph.len());
    for start in 0..graph.len() {
        position.go_on()?;
        let Some(candidate) = graph.single(start) else { continue };
        if let Some(last) = graph.refute(&mut reach, start, usize::MAX) {
            let chain = graph.chain_to(&reach, last, false);
            found(Step::remove(technique, vec![candidate], Because::Chain(chain)))?;
        }
        if !graph.is_linked(start) {
            continue;
        }
        let reach = graph.reach(start, false);
        if reach.is_on(start) {
            let others = position.at(candidate.cell).without(candidate.digit);
            let removes: Vec<Candidate> =
                others.map(|digit| Candidate::new(candidate.cell, digit)).collect();
            if !removes.is_empty() {
                let chain = graph.chain_to(&reach, start, false);
                found(Step::remove(technique, removes, Because::Chain(chain)))?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// The shortest chain that removes anything, named by its form; for paths, where one step is wanted and not all.
///
/// Whatever a loop or an open chain removes is refuted by a chain of its own, so it is enough to refute candidates.
pub fn shortest<const W: usize>(position: &Board<W>, grouped: bool) -> Option<Step> {
    // Almost locked sets make large graphs, so they come in only where groups are not enough.
    if !grouped {
        return shortest_in(position, &graph_with(position, false, 0), false);
    }
    shortest_in(position, self::grouped(position), true).or_else(|| {
        shortest_in(position, &graph_with(position, true, MOST_ALS_CELLS_IN_PATHS), true)
    })
}

/// Chains through larger sets are hard to follow.
const MOST_ALS_CELLS_IN_PATHS: usize = 3;

/// No chain worth the name has fewer strong links.
const FEWEST_LINKS: usize = 2;

fn shortest_in<const W: usize>(
    position: &Board<W>,
    graph: &Graph<W>,
    grouped: bool,
) -> Option<Step> {
    let mut reach = Reach::new(graph.len());
    let mut best: Option<(Candidate, Chain)> = None;
    for start in (0..graph.len()).take_while(|_| position.stopped().is_none()) {
        let Some(candidate) = graph.single(start).filter(|_| graph.may_refute(start)) else {
            continue;
        };
        // Only a shorter chain is better than the best so far.
        let most_links = best.as_ref().map_or(usize::MAX, |(_, chain)| chain.strong.len() - 1);
        if let Some(last) = graph.refute(&mut reach, start, most_links) {
            best = Some((candidate, graph.chain_to(&reach, last, false)));
        }
        if best.as_ref().is_some_and(|(_, chain)| chain.strong.len() <= FEWEST_LINKS) {
            break;
        }
    }
    let (candidate, mut chain) = best?;
    let (first, last) = (&chain.nodes[0], &chain.nodes[chain.nodes.len() - 1]);
    let ends = [first, last].map(|node| node.cells.iter().copied().collect::<CellSet<W>>());
    let same_cell = first.cells == last.cells && first.cells.len() == 1;
    let closes = if first.digit == last.digit {
        ends[0].is_inside(&position.common_peers(ends[1]))
    } else {
        same_cell
    };
    if closes && chain.nodes.len() > 2 && !repeats(&chain) {
        chain.closed = true;
        let removes = loop_removes(position, &chain);
        return Some(Step::remove(
            Technique::ContinuousNiceLoop { grouped },
            removes,
            Because::Chain(chain),
        ));
    }
    let discontinuous = Technique::DiscontinuousNiceLoop { grouped };
    if same_cell && first.digit == last.digit {
        let others = position
            .at(first.cells[0])
            .without(first.digit)
            .map(|d| Candidate::new(first.cells[0], d));
        let others: Vec<Candidate> = others.collect();
        if !others.is_empty() {
            return Some(Step::remove(discontinuous, others, Because::Chain(chain)));
        }
    }
    if first.digit == last.digit {
        let seen = position.common_peers(ends[0] | ends[1]) & position.places(first.digit);
        if seen.count() > 1 {
            let removes = Board::candidates_of(seen, first.digit).collect();
            return Some(Step::remove(Technique::Aic { grouped }, removes, Because::Chain(chain)));
        }
    }
    Some(Step::remove(discontinuous, vec![candidate], Because::Chain(chain)))
}

/// Chains closed by a weak link.
///
/// First the shortest loop through each weak link. Where there are such loops there are often longer ones that remove
/// something else, so then the shortest loops through each two nodes follow.
pub fn continuous<const W: usize>(
    position: &Board<W>,
    grouped: bool,
    found: &mut Found<'_>,
) -> ControlFlow<()> {
    let graph = graph(position, grouped);
    let mut loops = Loops {
        technique: Technique::ContinuousNiceLoop { grouped },
        position,
        seen: HashSet::new(),
    };
    short_loops(&graph, &mut loops, found)?;
    let linked = || (0..graph.len()).filter(|&node| graph.is_linked(node));
    if loops.seen.is_empty() || graph.len() > MOST_NODES_FOR_LONG_LOOPS {
        return ControlFlow::Continue(());
    }
    let from_true: Vec<Reach> = (0..graph.len()).map(|node| graph.reach(node, true)).collect();
    for start in linked() {
        let reach = graph.reach(start, false);
        for &middle in reach.on.iter().filter(|&&middle| middle != start) {
            position.go_on()?;
            let back = &from_true[middle as usize];
            for &end in back.on.iter().filter(|&&end| graph.conflict(start, end)) {
                let (mut chain, second) =
                    (graph.chain_to(&reach, middle, true), graph.chain_to(back, end, true));
                chain.nodes.extend(second.nodes);
                chain.strong.extend(second.strong);
                loops.report(chain, found)?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// The shortest loop through each weak link.
fn short_loops<const W: usize>(
    graph: &Graph<W>,
    loops: &mut Loops<'_, W>,
    found: &mut Found<'_>,
) -> ControlFlow<()> {
    for start in (0..graph.len()).filter(|&node| graph.is_linked(node)) {
        loops.position.go_on()?;
        let reach = graph.reach(start, false);
        for &end in reach.on.iter().filter(|&&end| end != start && graph.conflict(start, end)) {
            loops.report(graph.chain_to(&reach, end, true), found)?;
        }
    }
    ControlFlow::Continue(())
}

/// Graphs with more nodes than this have too many pairs of them.
const MOST_NODES_FOR_LONG_LOOPS: u32 = 2_000;

/// Hands on loops, each set of eliminations once.
struct Loops<'a, const W: usize> {
    technique: Technique,
    position: &'a Board<'a, W>,
    seen: HashSet<Vec<Candidate>>,
}

impl<const W: usize> Loops<'_, W> {
    fn report(&mut self, chain: Chain, found: &mut Found<'_>) -> ControlFlow<()> {
        if chain.nodes.len() < 4 || repeats(&chain) {
            return ControlFlow::Continue(());
        }
        let removes = loop_removes(self.position, &chain);
        if removes.is_empty() {
            return ControlFlow::Continue(());
        }
        // Some programs (HoDoKu is one) leave the loop's own cells alone, unless the weak link lies inside the cell.
        // Their step is listed after the full one.
        let outside: Vec<Candidate> =
            removes.iter().copied().filter(|c| is_outside(&chain, c.cell)).collect();
        for removes in [removes, outside].into_iter().filter(|removes| !removes.is_empty()) {
            let step = Step::remove(self.technique, removes, Because::Chain(chain.clone()));
            if self.seen.insert(step.removes.clone()) {
                found(step)?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// Is the cell no part of the loop, or one that a weak link uses up?
fn is_outside(chain: &Chain, cell: Cell) -> bool {
    let nodes = &chain.nodes;
    let used_up = |index: usize| {
        [index, (index + 1) % nodes.len()].iter().all(|&node| nodes[node].cells == [cell])
    };
    !nodes.iter().any(|node| node.cells.contains(&cell)) || (1..nodes.len()).step_by(2).any(used_up)
}

/// Does the loop come through a node twice?
fn repeats(chain: &Chain) -> bool {
    chain.nodes.iter().enumerate().any(|(index, node)| chain.nodes[..index].contains(node))
}

/// What sees both ends of a weak link, and what a set that is now locked no longer leaves to others.
fn loop_removes<const W: usize>(position: &Board<W>, chain: &Chain) -> Vec<Candidate> {
    let mut removes = Vec::new();
    let nodes = &chain.nodes;
    let set = |cells: &[Cell]| cells.iter().copied().collect::<CellSet<W>>();
    let mut hit = |around: CellSet<W>, digit: Digit| {
        removes.extend(Board::candidates_of(
            position.places(digit) & position.common_peers(around),
            digit,
        ));
    };
    let mut cells_used_up = Vec::new();
    for index in (1..nodes.len()).step_by(2) {
        let (a, b) = (&nodes[index], &nodes[(index + 1) % nodes.len()]);
        if a.digit == b.digit {
            hit(set(&a.cells) | set(&b.cells), a.digit);
        } else {
            cells_used_up.push((a.cells[0], a.digit, b.digit));
        }
    }
    for (pair, reason) in nodes.chunks(2).zip(&chain.strong) {
        if let Strong::AlmostLockedSet(cells) = reason {
            let cells = set(cells);
            for digit in position.digits_in(cells).without(pair[0].digit).without(pair[1].digit) {
                hit(cells & position.places(digit), digit);
            }
        }
    }
    for (cell, first, second) in cells_used_up {
        let others = position.at(cell).without(first).without(second);
        removes.extend(others.map(|digit| Candidate::new(cell, digit)));
    }
    removes
}
