//! Chains of alternating strong and weak links.
//!
//! A node is a candidate, or a digit in one of several cells. A strong link (`=`) joins two nodes
//! that are not both false. A weak link (`-`) joins two nodes that are not both true.
//!
//! Why chains are sound: in `a = b - c = d`, if `a` is false, then `b` is true, `c` is false and
//! `d` is true. So the first or the last node is true, and a candidate that sees both is false.
//! There are two special cases:
//! - Discontinuous nice loop: the chain returns to its first candidate. If it has a strong link at
//!   both ends, this candidate is true; if it has a weak link at both ends, the candidate is false.
//! - Continuous nice loop: a weak link joins the last node to the first. Then exactly one node of
//!   every weak link is true.
//!
//! X-chains use one digit and XY-chains use bivalue cells only. Alternating inference chains (AICs)
//! use all links. Grouped chains also use nodes of several cells and almost locked sets.

use super::board::Board;
use super::links::{Graph, Kinds, Reach};
use super::{StepSink, Technique};
use crate::grid::{Cell, CellSet, Digit, DigitSet};
use crate::proof::{Candidate, Chain, Reason, Step, Strong};
use std::collections::HashSet;
use std::ops::ControlFlow;

/// Finds chains of one digit.
pub fn x_chain<const W: usize>(position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
    let kinds = Kinds { houses: true, one_digit: true, ..Kinds::default() };
    position.each_digit(Technique::XChain, emit, |digit, emit| {
        let graph = Graph::new(position, DigitSet::from_digit(digit), kinds);
        each_end(position, &graph, Technique::XChain, &mut |_, _| true, emit)
    })
}

/// Finds chains through bivalue cells whose ends have the same digit.
pub fn xy_chain<const W: usize>(position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
    let kinds = Kinds { cells: true, ..Kinds::default() };
    let graph = Graph::new(position, position.all_digits(), kinds);
    each_end(
        position,
        &graph,
        Technique::XyChain,
        &mut |first, last| graph.digit(first) == graph.digit(last),
        emit,
    )
}

/// Finds alternating inference chains with any links.
pub fn aic<const W: usize>(
    position: &Board<W>,
    grouped: bool,
    emit: &mut StepSink<'_>,
) -> ControlFlow<()> {
    each_end(
        position,
        &graph(position, grouped),
        Technique::Aic { grouped },
        &mut |_, _| true,
        emit,
    )
}

fn graph<const W: usize>(position: &Board<W>, grouped: bool) -> Graph<W> {
    graph_with(position, grouped, if grouped { MAX_ALS_CELLS } else { 0 })
}

fn graph_with<const W: usize>(position: &Board<W>, grouped: bool, als_cells: usize) -> Graph<W> {
    let all = position.all_digits();
    Graph::new(
        position,
        all,
        Kinds { cells: true, houses: true, groups: grouped, als_cells, one_digit: false },
    )
}

/// Returns the cached graph of links between candidates and groups, without almost locked sets.
pub(super) fn grouped<'a, const W: usize>(position: &'a Board<'_, W>) -> &'a Graph<W> {
    position.cache().grouped.get_or_init(|| graph_with(position, true, 0))
}

/// Larger almost locked sets are left to the ALS techniques.
const MAX_ALS_CELLS: usize = 5;

/// Finds open chains, the shortest one for each pair of ends.
fn each_end<const W: usize>(
    position: &Board<W>,
    graph: &Graph<W>,
    technique: Technique,
    fits: &mut dyn FnMut(u32, u32) -> bool,
    emit: &mut StepSink<'_>,
) -> ControlFlow<()> {
    if !graph.may_refute_any() {
        return ControlFlow::Continue(());
    }
    let mut reach = Reach::new(graph.len());
    for start in (0..graph.len()).filter(|&node| graph.is_linked(node)) {
        position.check_limits()?;
        graph.reach_again(&mut reach, start, false);
        // Each chain is found from both ends.
        for &end in reach.on.iter().filter(|&&end| end > start) {
            if !fits(start, end) {
                continue;
            }
            let removes = graph.seen_by_both(position, start, end);
            if !removes.is_empty() {
                let chain = graph.chain_to(&reach, end, false);
                if chain.nodes.len() > 2 {
                    emit(Step::remove(technique, removes, Reason::Chain(chain)))?;
                }
            }
        }
    }
    ControlFlow::Continue(())
}

/// Finds chains that prove or refute their first candidate.
pub fn discontinuous<const W: usize>(
    position: &Board<W>,
    grouped: bool,
    emit: &mut StepSink<'_>,
) -> ControlFlow<()> {
    discontinuous_in(position, &graph(position, grouped), grouped, emit)
}

fn discontinuous_in<const W: usize>(
    position: &Board<W>,
    graph: &Graph<W>,
    grouped: bool,
    emit: &mut StepSink<'_>,
) -> ControlFlow<()> {
    let technique = Technique::DiscontinuousNiceLoop { grouped };
    let mut reach = Reach::new(graph.len());
    for start in 0..graph.len() {
        position.check_limits()?;
        let Some(candidate) = graph.single(start) else { continue };
        if let Some(last) = graph.refute(&mut reach, start, usize::MAX) {
            let chain = graph.chain_to(&reach, last, false);
            emit(Step::remove(technique, vec![candidate], Reason::Chain(chain)))?;
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
                emit(Step::remove(technique, removes, Reason::Chain(chain)))?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Returns the shortest chain that removes anything, as a step of the technique that matches its
/// form: a continuous or discontinuous nice loop, or an open chain (AIC). Solution paths use this
/// function, because they need only one step.
///
/// Any candidate that a loop or an open chain removes is also refuted by a chain that starts from
/// it, so the search only has to refute candidates.
pub fn shortest<const W: usize>(position: &Board<W>, grouped: bool) -> Option<Step> {
    // Almost locked sets make the graph large, so they are only used if groups are not enough.
    if !grouped {
        return shortest_in(position, &graph_with(position, false, 0), false);
    }
    shortest_in(position, self::grouped(position), true).or_else(|| {
        shortest_in(position, &graph_with(position, true, MAX_ALS_CELLS_IN_PATHS), true)
    })
}

/// Chains through larger sets are hard to follow.
const MAX_ALS_CELLS_IN_PATHS: usize = 3;

/// Minimum number of strong links in a chain.
const MIN_LINKS: usize = 2;

fn shortest_in<const W: usize>(
    position: &Board<W>,
    graph: &Graph<W>,
    grouped: bool,
) -> Option<Step> {
    let mut reach = Reach::new(graph.len());
    let mut best: Option<(Candidate, Chain)> = None;
    for start in (0..graph.len()).take_while(|_| position.stop_reason().is_none()) {
        let Some(candidate) = graph.single(start).filter(|_| graph.may_refute(start)) else {
            continue;
        };
        // Only a shorter chain improves on the best one so far.
        let max_links = best.as_ref().map_or(usize::MAX, |(_, chain)| chain.strong.len() - 1);
        if let Some(last) = graph.refute(&mut reach, start, max_links) {
            best = Some((candidate, graph.chain_to(&reach, last, false)));
        }
        if best.as_ref().is_some_and(|(_, chain)| chain.strong.len() <= MIN_LINKS) {
            break;
        }
    }
    let (candidate, mut chain) = best?;
    let (first, last) = (&chain.nodes[0], &chain.nodes[chain.nodes.len() - 1]);
    let ends = [first, last].map(|node| node.cells.iter().copied().collect::<CellSet<W>>());
    let same_cell = first.cells == last.cells && first.cells.len() == 1;
    let closes = if first.digit == last.digit {
        ends[0].is_subset(&position.common_peers(ends[1]))
    } else {
        same_cell
    };
    if closes && chain.nodes.len() > 2 && !repeats(&chain) {
        chain.closed = true;
        let removes = loop_removes(position, &chain);
        return Some(Step::remove(
            Technique::ContinuousNiceLoop { grouped },
            removes,
            Reason::Chain(chain),
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
            return Some(Step::remove(discontinuous, others, Reason::Chain(chain)));
        }
    }
    if first.digit == last.digit {
        let seen = position.common_peers(ends[0] | ends[1]) & position.places(first.digit);
        if seen.count() > 1 {
            let removes = Board::candidates_of(seen, first.digit).collect();
            return Some(Step::remove(Technique::Aic { grouped }, removes, Reason::Chain(chain)));
        }
    }
    Some(Step::remove(discontinuous, vec![candidate], Reason::Chain(chain)))
}

/// Finds chains that are closed by a weak link.
///
/// The search starts with the shortest loop through each weak link. If there are such loops, longer
/// loops often remove other candidates, so the shortest loops through each pair of nodes follow.
pub fn continuous<const W: usize>(
    position: &Board<W>,
    grouped: bool,
    emit: &mut StepSink<'_>,
) -> ControlFlow<()> {
    let graph = graph(position, grouped);
    let mut loops = Loops {
        technique: Technique::ContinuousNiceLoop { grouped },
        position,
        seen: HashSet::new(),
    };
    short_loops(&graph, &mut loops, emit)?;
    let linked = || (0..graph.len()).filter(|&node| graph.is_linked(node));
    if loops.seen.is_empty() || graph.len() > MAX_NODES_FOR_LONG_LOOPS {
        return ControlFlow::Continue(());
    }
    let from_true: Vec<Reach> = (0..graph.len()).map(|node| graph.reach(node, true)).collect();
    for start in linked() {
        let reach = graph.reach(start, false);
        for &middle in reach.on.iter().filter(|&&middle| middle != start) {
            position.check_limits()?;
            let back = &from_true[middle as usize];
            for &end in back.on.iter().filter(|&&end| graph.conflict(start, end)) {
                let (mut chain, second) =
                    (graph.chain_to(&reach, middle, true), graph.chain_to(back, end, true));
                chain.nodes.extend(second.nodes);
                chain.strong.extend(second.strong);
                loops.report(chain, emit)?;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Finds the shortest loop through each weak link.
fn short_loops<const W: usize>(
    graph: &Graph<W>,
    loops: &mut Loops<'_, W>,
    emit: &mut StepSink<'_>,
) -> ControlFlow<()> {
    for start in (0..graph.len()).filter(|&node| graph.is_linked(node)) {
        loops.position.check_limits()?;
        let reach = graph.reach(start, false);
        for &end in reach.on.iter().filter(|&&end| end != start && graph.conflict(start, end)) {
            loops.report(graph.chain_to(&reach, end, true), emit)?;
        }
    }
    ControlFlow::Continue(())
}

/// Larger graphs have too many pairs of nodes.
const MAX_NODES_FOR_LONG_LOOPS: u32 = 2_000;

/// Reports loops and skips those whose eliminations were already reported.
struct Loops<'a, const W: usize> {
    technique: Technique,
    position: &'a Board<'a, W>,
    seen: HashSet<Vec<Candidate>>,
}

impl<const W: usize> Loops<'_, W> {
    fn report(&mut self, chain: Chain, emit: &mut StepSink<'_>) -> ControlFlow<()> {
        if chain.nodes.len() < 4 || repeats(&chain) {
            return ControlFlow::Continue(());
        }
        let removes = loop_removes(self.position, &chain);
        if removes.is_empty() {
            return ControlFlow::Continue(());
        }
        // Some programs, including HoDoKu, do not remove candidates from cells of the loop, unless
        // the weak link is inside the cell. Their version of the step is listed after the full one.
        let outside: Vec<Candidate> =
            removes.iter().copied().filter(|c| is_outside(&chain, c.cell)).collect();
        for removes in [removes, outside].into_iter().filter(|removes| !removes.is_empty()) {
            let step = Step::remove(self.technique, removes, Reason::Chain(chain.clone()));
            if self.seen.insert(step.removes.clone()) {
                emit(step)?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// Returns true if the cell is not part of the loop, or if a weak link lies inside it.
fn is_outside(chain: &Chain, cell: Cell) -> bool {
    let nodes = &chain.nodes;
    let used_up = |index: usize| {
        [index, (index + 1) % nodes.len()].iter().all(|&node| nodes[node].cells == [cell])
    };
    !nodes.iter().any(|node| node.cells.contains(&cell)) || (1..nodes.len()).step_by(2).any(used_up)
}

/// Returns true if the loop visits a node twice.
fn repeats(chain: &Chain) -> bool {
    chain.nodes.iter().enumerate().any(|(index, node)| chain.nodes[..index].contains(node))
}

/// Returns the candidates that see both ends of a weak link, and those that a locked set of the
/// loop excludes.
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
