//! Forcing nets and trees: a candidate that leads to a contradiction.
//!
//! Nets are tried first. If no candidate fails by itself, candidates are tried with one split, then
//! with more. The last resort splits until everything is decided, which refutes every candidate
//! that is in no solution.

use super::Variant;
use super::net::{Failure, Net};
use crate::grid::DigitSet;
use crate::logic::StepSink;
use crate::proof::{Candidate, OneOf, Reason, Step, Technique, Tree};
use std::collections::{BTreeSet, HashMap};
use std::ops::ControlFlow;

/// So many nets are compared before the shortest is taken.
pub(super) const COMPARED: usize = 12;
/// So many choices are tried for a split.
const SPLITS: usize = 8;
/// And so many if further splits follow.
const DEEP_SPLITS: usize = 2;

/// A refuted branch: its tree, and the events of enclosing branches that it needs.
struct Refuted {
    tree: Tree,
    needs: BTreeSet<usize>,
    uses_assumption: bool,
}

impl Variant<'_> {
    fn base(&self) -> Vec<DigitSet> {
        self.candidates.order().cells().map(|cell| self.domain(cell)).collect()
    }

    /// All candidates, those of cells with few candidates first.
    fn all_candidates(&self) -> Vec<Candidate> {
        let mut cells: Vec<_> = self.candidates.grid().empty_cells().collect();
        cells.sort_by_key(|&cell| self.at(cell).count());
        let of = |cell| self.at(cell).map(move |digit| Candidate::new(cell, digit));
        cells.into_iter().flat_map(of).collect()
    }

    fn refutation(technique: Technique, tree: Tree) -> Step {
        Step::remove(technique, vec![tree.assumed], Reason::Tree(tree))
    }

    /// Candidates that fail without a split, the first `most` of them, those with the shortest
    /// trees first.
    pub(super) fn forcing_nets(&self, most: usize, emit: &mut StepSink<'_>) -> ControlFlow<()> {
        let base = self.base();
        let start = Net::new(self, &base);
        let mut found: Vec<Tree> = Vec::new();
        for candidate in self.all_candidates() {
            self.check_limits()?;
            let mut net = start.clone();
            if let Err(failure) = net.assume(candidate) {
                found.push(close(&net, 0, failure).tree);
                if found.len() >= most {
                    break;
                }
            }
        }
        found.sort_by_key(Tree::statements);
        for tree in found {
            emit(Variant::refutation(Technique::ForcingNet, tree))?;
        }
        ControlFlow::Continue(())
    }

    /// A candidate that fails in every branch of a split.
    pub(super) fn nested_nets(&self, emit: &mut StepSink<'_>) -> ControlFlow<()> {
        let base = self.base();
        let start = Net::new(self, &base);
        if let Some(refuted) = self.common_refutation(&start)? {
            return emit(Variant::refutation(Technique::NestedForcingNet, refuted.tree));
        }
        for depth in 1.. {
            for candidate in self.all_candidates() {
                let mut net = start.clone();
                let refuted = match net.assume(candidate) {
                    Err(failure) => Some(close(&net, 0, failure)),
                    Ok(()) => {
                        let choices = net.choices(if depth == 1 { SPLITS } else { DEEP_SPLITS });
                        self.split(&net, 0, depth, choices)?
                    }
                };
                if let Some(refuted) = refuted {
                    let technique = match refuted.tree.branches().is_empty() {
                        true => Technique::ForcingNet,
                        false => Technique::NestedForcingNet,
                    };
                    emit(Variant::refutation(technique, refuted.tree))?;
                    return ControlFlow::Continue(());
                }
            }
            if depth > self.candidates.order().cell_count() {
                break;
            }
        }
        ControlFlow::Continue(())
    }

    /// The shortest refutation of a candidate that every candidate of a cell, or every place of a
    /// digit in a house, rules out. `None` if there is no such candidate.
    fn common_refutation(&self, start: &Net<'_>) -> ControlFlow<(), Option<Refuted>> {
        let mut reached: HashMap<Candidate, Vec<DigitSet>> = HashMap::new();
        for candidate in self.all_candidates() {
            self.check_limits()?;
            let mut net = start.clone();
            if net.assume(candidate).is_ok() {
                reached.insert(candidate, net.domains);
            }
        }
        let mut best: Option<Refuted> = None;
        let mut found = 0;
        for (of, members) in start.choices(usize::MAX) {
            let mut left = vec![DigitSet::EMPTY; start.domains.len()];
            for member in &members {
                let Some(domains) = reached.get(member) else { continue };
                left.iter_mut().zip(domains).for_each(|(left, own)| *left = *left | *own);
            }
            for candidate in self.all_candidates() {
                if left[candidate.cell.index()].contains(candidate.digit) {
                    continue;
                }
                self.check_limits()?;
                let mut net = start.clone();
                let refuted = match net.assume(candidate) {
                    Err(failure) => Some(close(&net, 0, failure)),
                    Ok(()) => {
                        let is_open = |member: &&Candidate| net.is_open(**member);
                        let open: Vec<Candidate> =
                            members.iter().filter(is_open).copied().collect();
                        match open.len() {
                            0 | 1 => None,
                            _ => self.split(&net, 0, 1, vec![(of, open)])?,
                        }
                    }
                };
                let Some(refuted) = refuted else { continue };
                found += 1;
                let size = |refuted: &Refuted| refuted.tree.statements();
                if best.as_ref().is_none_or(|best| size(&refuted) < size(best)) {
                    best = Some(refuted);
                }
                if found >= COMPARED {
                    return ControlFlow::Continue(best);
                }
            }
        }
        ControlFlow::Continue(best)
    }

    /// Refutes an assumption with one of the choices and splits nested up to `depth`; `Break` if a
    /// limit was reached.
    fn split(
        &self,
        net: &Net<'_>,
        start: usize,
        depth: usize,
        choices: Vec<(OneOf, Vec<Candidate>)>,
    ) -> ControlFlow<(), Option<Refuted>> {
        'choices: for (of, open) in choices {
            let mut branches: Vec<(Net<'_>, Refuted)> = Vec::new();
            for &candidate in &open {
                self.check_limits()?;
                let mut branch = net.clone();
                let refuted = match branch.assume(candidate) {
                    Err(failure) => Some(close(&branch, net.events.len(), failure)),
                    Ok(()) if depth > 1 => {
                        let choices = branch.choices(DEEP_SPLITS);
                        self.split(&branch, net.events.len(), depth - 1, choices)?
                    }
                    Ok(()) => None,
                };
                match refuted {
                    Some(refuted) => branches.push((branch, refuted)),
                    None => continue 'choices,
                }
            }
            // A branch that fails without its assumption makes the split superfluous.
            if let Some(at) = branches.iter().position(|(_, refuted)| !refuted.uses_assumption) {
                let (branch, refuted) = branches.swap_remove(at);
                let last = branch.events.len();
                let needs = trace(&branch, refuted.needs, start, net.events.len());
                let own: Vec<usize> = needs.range(start + 1..).copied().collect();
                debug_assert!(own.iter().all(|&event| event < last));
                let mut inferences: Vec<_> = own.iter().map(|&at| net.inference(at)).collect();
                inferences.extend(refuted.tree.inferences);
                let tree = Tree {
                    assumed: net.events[start].candidate,
                    inferences,
                    end: refuted.tree.end,
                };
                return ControlFlow::Continue(Some(finish(tree, needs, start)));
            }
            let mut needs = BTreeSet::new();
            net.needs_of(of, &mut needs);
            let mut trees = Vec::new();
            for (_, refuted) in branches {
                needs.extend(refuted.needs);
                trees.push(refuted.tree);
            }
            let needs = trace(net, needs, start, net.events.len());
            let own = needs.range(start + 1..).map(|&event| net.inference(event)).collect();
            let tree = Tree {
                assumed: net.events[start].candidate,
                inferences: own,
                end: crate::proof::Ending::Split(of, trees),
            };
            return ControlFlow::Continue(Some(finish(tree, needs, start)));
        }
        ControlFlow::Continue(None)
    }
}

/// The tree of a branch that fails without a split. Its events begin at `start`.
fn close(net: &Net<'_>, start: usize, failure: Failure) -> Refuted {
    let (end, needs) = net.ending(failure);
    let needs = trace(net, needs, start, net.events.len());
    let inferences = needs.range(start + 1..).map(|&event| net.inference(event)).collect();
    finish(Tree { assumed: net.events[start].candidate, inferences, end }, needs, start)
}

/// Splits the needed events into those of the branch and those of enclosing branches.
fn finish(tree: Tree, mut needs: BTreeSet<usize>, start: usize) -> Refuted {
    let own = needs.split_off(&start);
    Refuted { tree, needs, uses_assumption: own.contains(&start) }
}

/// All events from `start` on that these events need, with the events before `start` that these
/// need.
fn trace(net: &Net<'_>, needs: BTreeSet<usize>, start: usize, end: usize) -> BTreeSet<usize> {
    let mut all = needs;
    let mut at = end;
    while let Some(&event) = all.range(start..at).next_back() {
        all.extend(net.needs_of_event(event));
        at = event;
    }
    all
}
