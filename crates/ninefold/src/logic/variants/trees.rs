//! Forcing nets and trees: a candidate that leads to a contradiction.
//!
//! Nets are tried first. If no candidate fails by itself, candidates are tried with one split, then
//! with more. The last resort splits until everything is decided, which refutes every candidate
//! that is in no solution.

use super::Variant;
use super::net::{Failure, Net};
use crate::grid::{Cell, DigitSet};
use crate::logic::StepSink;
use crate::proof::{Candidate, OneOf, Reason, Step, Technique, Tree};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

/// So many nets are compared before the shortest is taken.
pub(super) const COMPARED: usize = 12;
/// So many choices are tried for a split.
const SPLITS: usize = 8;
/// And so many if further splits follow.
const DEEP_SPLITS: usize = 2;

/// So many assumptions with a choice are followed.
const MOST_OPTIONS: usize = 400;

/// What is left of each cell after an assumption.
type Reached = BTreeMap<Candidate, Vec<DigitSet>>;

/// The number of digits that are left.
fn open_in(left: &[DigitSet]) -> usize {
    left.iter().map(|digits| digits.count()).sum()
}

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
        let reached = self.reached(&start)?;
        let mut refuted = self.common_refutation(&start, &reached)?;
        if refuted.is_none() {
            refuted = self.split_refutation(&start, &reached)?;
        }
        if let Some(refuted) = refuted {
            return emit(Variant::refutation(Technique::NestedForcingNet, refuted.tree));
        }
        // Assumptions with many consequences fail most easily.
        let mut candidates = self.all_candidates();
        candidates.sort_by_cached_key(|candidate| reached.get(candidate).map(|left| open_in(left)));
        for depth in 1.. {
            for &candidate in &candidates {
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

    /// What is left of each cell if a candidate is assumed; without the candidates that fail.
    fn reached(&self, start: &Net<'_>) -> ControlFlow<(), Reached> {
        let mut reached = Reached::new();
        for candidate in self.all_candidates() {
            self.check_limits()?;
            let mut net = start.clone();
            if net.assume(candidate).is_ok() {
                reached.insert(candidate, net.domains);
            }
        }
        ControlFlow::Continue(reached)
    }

    /// A short refutation with one split in which at most one branch has to be followed to the end.
    /// The others fail because what the assumption and the choice leave of some cell has no digit
    /// in common.
    fn split_refutation(
        &self,
        start: &Net<'_>,
        reached: &Reached,
    ) -> ControlFlow<(), Option<Refuted>> {
        let mut options = Vec::new();
        for (&candidate, left) in reached {
            for (of, members) in self.open_choices(left) {
                let agrees = |member: &&Candidate| {
                    reached.get(*member).is_some_and(|other| {
                        left.iter().zip(other).all(|(a, b)| !(*a & *b).is_empty())
                    })
                };
                let unclear = members.iter().filter(agrees).count();
                if unclear <= 1 && unclear < members.len() {
                    options.push((unclear, members.len(), open_in(left), candidate, of, members));
                }
            }
        }
        options.sort_by_key(|(unclear, size, open, candidate, of, _)| {
            (*unclear, *size, *open, *candidate, *of)
        });
        let mut best: Option<Refuted> = None;
        let mut found = 0;
        for (_, _, _, candidate, of, members) in options.into_iter().take(MOST_OPTIONS) {
            self.check_limits()?;
            let mut net = start.clone();
            if net.assume(candidate).is_err() {
                continue;
            }
            let Some(refuted) = self.split(&net, 0, 1, vec![(of, members)])? else { continue };
            found += 1;
            let size = |refuted: &Refuted| refuted.tree.statements();
            if best.as_ref().is_none_or(|best| size(&refuted) < size(best)) {
                best = Some(refuted);
            }
            if found >= COMPARED / 2 {
                break;
            }
        }
        ControlFlow::Continue(best)
    }

    /// Cells with two or three digits left, and digits with so many places in a house.
    fn open_choices(&self, left: &[DigitSet]) -> Vec<(OneOf, Vec<Candidate>)> {
        let mut choices = Vec::new();
        for cell in self.candidates.grid().empty_cells() {
            let digits = left[cell.index()];
            if (2..=3).contains(&digits.count()) {
                let members = digits.map(|digit| Candidate::new(cell, digit)).collect();
                choices.push((OneOf::Cell(cell), members));
            }
        }
        for (house, cells) in &self.layout.houses {
            for digit in DigitSet::up_to(self.layout.side) {
                let is_open = |cell: &&Cell| left[cell.index()].contains(digit);
                let open = || cells.iter().filter(is_open);
                if (2..=3).contains(&open().count()) {
                    let members = open().map(|&cell| Candidate::new(cell, digit)).collect();
                    choices.push((OneOf::House(*house, digit), members));
                }
            }
        }
        choices
    }

    /// The shortest refutation of a candidate that every candidate of a cell, or every place of a
    /// digit in a house, rules out. `None` if there is no such candidate.
    fn common_refutation(
        &self,
        start: &Net<'_>,
        reached: &Reached,
    ) -> ControlFlow<(), Option<Refuted>> {
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
