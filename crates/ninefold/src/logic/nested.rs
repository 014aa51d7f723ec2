//! Nested forcing nets: assume a candidate, follow the singles, then try all candidates of a cell
//! or all places of a digit in a house. Such a case distinction is called a split, its cases are
//! its choices, and splits can be nested.
//!
//! Why they are sound: one digit of a cell is true, and one place of a digit in a house is true. If
//! a candidate together with each of these leads to a contradiction, the candidate is false. This
//! technique is the last resort and always succeeds: with sufficient nesting it refutes every false
//! candidate, so every puzzle with one solution can be explained.
//!
//! The proof is a tree of assumptions, and the explanation uses the shortest tree found. `pairs.rs`
//! finds all candidates that a single split refutes. If there are none, `deep_search.rs` nests
//! splits. It first tries linear splits, in which singles refute all choices except at most one.
//! `trace.rs` adds the reasons and removes unnecessary statements.

mod deep_search;
mod pairs;
mod plan;
mod state;
mod trace;

use super::board::{Board, Geometry};
use super::steps::Preference;
use super::{StepSink, Technique};
use crate::limits::{Deadline, Limits, StopReason};
use crate::proof::{Candidate, Count, Ending, Inference, Reason, Step, Tree};
use deep_search::DeepSearch;
use pairs::Pairs;
use plan::Plan;
use state::{Mask, Queue, State};
use std::any::Any;
use std::ops::ControlFlow;
use trace::{Trace, shortened};

/// Number of refutations that are traced to find the shortest ones, and number of those that are
/// shortened.
const MAX_TRACED: usize = 16;
const MAX_SHORTENED: usize = 3;
/// The same for [`Preference::FewSteps`]: number of refutations traced, and number of candidates
/// whose removal is simulated for comparison.
const MAX_TRACED_FOR_FEW_STEPS: usize = 400;
const MAX_COMPARED_FOR_FEW_STEPS: usize = 60;
/// A refutation of at most this cost is used without searching for a shorter one.
const SHORT_ENOUGH: usize = 36;
/// Number of refutations that are also traced with locked candidates and pairs.
const MAX_TRACED_WITH_LOCKED: usize = 8;

/// Larger grids have too many pairs of candidates.
const MAX_SIDE_FOR_PAIRS: usize = 9;
/// Positions with more candidates, in which little is known, do not use pairs either.
const MAX_CANDIDATES_FOR_PAIRS: usize = 450;

/// After finding a tree with linear splits, the search for a shorter one stops after this many
/// assumptions.
const MAX_PROBES_FOR_SHORTER: usize = 20_000;
const MAX_LINEAR_TREES: usize = 6;

/// Function that follows assumptions by singles. It returns the inferences and the contradiction,
/// or `None` if there is no contradiction.
pub(super) type Refuter = Box<dyn Fn(&[Candidate]) -> Option<(Vec<Inference>, Ending)>>;

/// Search that keeps data between steps.
pub(super) trait NestedSearch<const W: usize> {
    /// Returns the next step: the shortest tree, or the one with the largest effect.
    fn step(
        &mut self,
        board: &Board<W>,
        preference: Preference,
        deadline: &Deadline<'_>,
    ) -> Result<Option<Step>, StopReason>;
    /// Returns the candidates that singles alone refute, starting from the position as it is.
    fn refuted_by_singles(&self, board: &Board<W>) -> Vec<Candidate>;
    /// Returns, for each candidate that makes all of `goals` false, the tree that ends in this
    /// count.
    fn ruling_out(&self, board: &Board<W>, goals: &[Candidate], count: &Count) -> Vec<Tree>;
    /// Returns a function that follows assumptions by singles.
    fn refuter(&self, board: &Board<W>) -> Refuter;
    /// Reports one step for each candidate that a single split refutes or, if there are none, that
    /// linear splits refute.
    fn each(&mut self, board: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()>;
}

/// Creates a search for the size of the board. Each width is combined with few sizes only, to limit
/// the number of instantiations.
pub(super) fn new_search<const W: usize>(board: &Board<W>) -> Box<dyn NestedSearch<W>> {
    let made: Box<dyn Any> = match (W, board.order().side()) {
        (2, ..=9) => {
            Box::new(Box::new(PairCache::<u16, 2, 9, 81>(None)) as Box<dyn NestedSearch<2>>)
        }
        (2, _) => {
            Box::new(Box::new(PairCache::<u16, 2, 11, 128>(None)) as Box<dyn NestedSearch<2>>)
        }
        (10, ..=16) => {
            Box::new(Box::new(PairCache::<u16, 10, 16, 256>(None)) as Box<dyn NestedSearch<10>>)
        }
        (10, _) => {
            Box::new(Box::new(PairCache::<u32, 10, 25, 640>(None)) as Box<dyn NestedSearch<10>>)
        }
        _ => Box::new(Box::new(PairCache::<u64, 64, 64, 4096>(None)) as Box<dyn NestedSearch<64>>),
    };
    *made.downcast::<Box<dyn NestedSearch<W>>>().expect("cell sets have 2, 10 or 64 words")
}

/// Finds all nested nets of a position that need at most linear splits.
pub fn find<const W: usize>(position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
    new_search(position).each(position, emit)
}

/// Pairs of the previous position, if there were few enough.
struct PairCache<D, const W: usize, const S: usize, const C: usize>(Option<Pairs<D, W, S, C>>);

impl<D: Mask, const W: usize, const S: usize, const C: usize> NestedSearch<W>
    for PairCache<D, W, S, C>
{
    fn step(
        &mut self,
        board: &Board<W>,
        preference: Preference,
        deadline: &Deadline<'_>,
    ) -> Result<Option<Step>, StopReason> {
        let most = match preference {
            Preference::ShortSteps => MAX_TRACED,
            Preference::FewSteps => MAX_TRACED_FOR_FEW_STEPS,
            Preference::Quick => 1,
        };
        let trees = self.trees(board, most, deadline)?;
        let tree = match trees.is_empty() {
            true => SearchSpace::<D, W, S, C>::new(board).branching_tree(deadline)?,
            false => Some(self.choose(board, trees, preference)),
        };
        Ok(tree.map(step_of))
    }

    fn refuted_by_singles(&self, board: &Board<W>) -> Vec<Candidate> {
        let base = State::<D, W, S, C>::new(board);
        let mut queue = Queue::default();
        let cells = board.empty().iter();
        let all =
            cells.flat_map(|cell| board.at(cell).map(move |digit| Candidate::new(cell, digit)));
        all.filter(|&candidate| {
            queue.start(candidate);
            base.clone().follow(board.geometry(), &mut queue).is_err()
        })
        .collect()
    }

    fn ruling_out(&self, board: &Board<W>, goals: &[Candidate], count: &Count) -> Vec<Tree> {
        let space = SearchSpace::<D, W, S, C>::new(board);
        let trace = Trace::new(space.geometry, &space.base);
        let has_none =
            |state: State<D, W, S, C>| goals.iter().all(|goal| !state.has(goal.cell, goal.digit));
        let leads_there =
            |candidate: &&Candidate| space.state_after(**candidate).is_some_and(has_none);
        let all = space.candidates.iter().filter(leads_there);
        all.map(|&candidate| trace.ruling_out(candidate, goals, count)).collect()
    }

    fn refuter(&self, board: &Board<W>) -> Refuter {
        let (geometry, base) = (board.geometry(), State::<D, W, S, C>::new(board));
        Box::new(move |assumptions| {
            let mut queue = Queue::default();
            queue.start_all(assumptions);
            let fails = base.clone().follow(geometry, &mut queue).is_err();
            fails.then(|| Trace::new(geometry, &base).failure(assumptions)).flatten()
        })
    }

    fn each(&mut self, board: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
        let Ok(trees) = self.trees(board, usize::MAX, &Deadline::new(&Limits::none())) else {
            return ControlFlow::Continue(());
        };
        let base = State::<D, W, S, C>::new(board);
        let mut reported: Vec<Candidate> = Vec::new();
        for tree in trees {
            if !reported.contains(&tree.assumed) {
                reported.push(tree.assumed);
                emit(step_of(shortened(board.geometry(), &base, tree)))?;
            }
        }
        ControlFlow::Continue(())
    }
}

impl<D: Mask, const W: usize, const S: usize, const C: usize> PairCache<D, W, S, C> {
    /// Returns trees with no split or one split, shortest first. If there are none, returns trees
    /// with linear splits.
    fn trees(
        &mut self,
        board: &Board<W>,
        most: usize,
        deadline: &Deadline<'_>,
    ) -> Result<Vec<Tree>, StopReason> {
        if board.order().side() <= MAX_SIDE_FOR_PAIRS {
            match &mut self.0 {
                Some(pairs) => pairs.update(board),
                none => *none = Pairs::new(board, deadline)?,
            }
        }
        if let Some(pairs) = &mut self.0 {
            let trees = trees_of_pairs(pairs, most, deadline)?;
            if !trees.is_empty() {
                return Ok(trees);
            }
        }
        let space = SearchSpace::<D, W, S, C>::new(board);
        let alone = space.refuted_by_singles();
        if alone.is_empty() { space.linear_trees(deadline) } else { Ok(alone) }
    }

    /// Shortens the best trees and returns the shortest one. Depending on the preference, returns
    /// the tree after which most candidates are removed, or the first tree unchanged.
    fn choose(&self, board: &Board<W>, mut trees: Vec<Tree>, preference: Preference) -> Tree {
        if preference == Preference::Quick {
            return trees.swap_remove(0);
        }
        let base = State::<D, W, S, C>::new(board);
        if preference == Preference::FewSteps {
            let space = SearchSpace::<D, W, S, C>::new(board);
            let mut seen: Vec<Candidate> = Vec::new();
            trees.retain(|tree| {
                !seen.contains(&tree.assumed) && seen.len() < MAX_COMPARED_FOR_FEW_STEPS && {
                    seen.push(tree.assumed);
                    true
                }
            });
            trees.sort_by_cached_key(|tree| {
                (space.candidates_left_without(tree.assumed), tree.statements())
            });
            trees.truncate(1);
        }
        let best = trees
            .into_iter()
            .take(MAX_SHORTENED)
            .map(|tree| shortened(board.geometry(), &base, tree));
        best.min_by_key(|tree| (tree.statements(), tree.splits()))
            .expect("the caller passes at least one tree")
    }
}

/// Returns the shortest trees that the pairs provide: those without a split, or else those with
/// one.
fn trees_of_pairs<D: Mask, const W: usize, const S: usize, const C: usize>(
    pairs: &mut Pairs<D, W, S, C>,
    most: usize,
    deadline: &Deadline<'_>,
) -> Result<Vec<Tree>, StopReason> {
    let alone = pairs.refuted_by_singles();
    let mut refutations = if alone.is_empty() { pairs.refutations() } else { Vec::new() };
    let is_short = refutations.first().is_some_and(|refutation| refutation.cost <= SHORT_ENOUGH);
    if alone.is_empty() && !is_short && pairs.retest_pending(deadline)? {
        refutations = pairs.refutations();
    }
    let trace = Trace::new(pairs.geometry(), pairs.base());
    let mut trees: Vec<Tree> = alone
        .into_iter()
        .filter_map(|candidate| trace.tree(candidate, &Plan::contradiction()))
        .collect();
    let with_locked = Trace::with_locked(pairs.geometry(), pairs.base());
    for (number, refutation) in refutations.iter().take(most).enumerate() {
        let (candidate, plan) = (pairs.candidates()[refutation.index], pairs.plan(refutation));
        trees.extend(trace.tree(candidate, &plan));
        if number < MAX_TRACED_WITH_LOCKED {
            trees.extend(with_locked.tree(candidate, &plan));
        }
    }
    trees.sort_by_key(Tree::statements);
    Ok(trees)
}

fn step_of(tree: Tree) -> Step {
    Step::remove(Technique::NestedForcingNet, vec![tree.assumed], Reason::Tree(tree))
}

/// Position with its unsolved candidates.
struct SearchSpace<D, const W: usize, const S: usize, const C: usize> {
    geometry: &'static Geometry<W>,
    /// Position before any singles were followed.
    base: State<D, W, S, C>,
    candidates: Vec<Candidate>,
}

impl<D: Mask, const W: usize, const S: usize, const C: usize> SearchSpace<D, W, S, C> {
    fn new(board: &Board<W>) -> Self {
        let base = State::new(board);
        let open = board.empty().iter().filter(|&cell| board.at(cell).count() > 1);
        let candidates = open
            .flat_map(|cell| board.at(cell).map(move |digit| Candidate::new(cell, digit)))
            .collect();
        SearchSpace { geometry: board.geometry(), base, candidates }
    }

    /// Returns the state after assuming a candidate, or `None` if this leads to a contradiction.
    fn state_after(&self, candidate: Candidate) -> Option<State<D, W, S, C>> {
        let mut state = self.base.clone();
        let mut queue = Queue::default();
        queue.start(candidate);
        state.follow(self.geometry, &mut queue).ok()?;
        state.settle(self.geometry, &mut queue).ok()?;
        Some(state)
    }

    /// Returns trees for the candidates that need no split.
    fn refuted_by_singles(&self) -> Vec<Tree> {
        let dead =
            self.candidates.iter().filter(|&&candidate| self.state_after(candidate).is_none());
        let trace = Trace::new(self.geometry, &self.base);
        let mut trees: Vec<Tree> =
            dead.filter_map(|&candidate| trace.tree(candidate, &Plan::contradiction())).collect();
        trees.sort_by_key(Tree::statements);
        trees
    }

    /// Returns how many candidates are left after removing this one and all that singles then
    /// refute.
    fn candidates_left_without(&self, candidate: Candidate) -> usize {
        let mut state = self.base.clone();
        let mut gone = vec![candidate];
        let mut queue = Queue::default();
        while !gone.is_empty() {
            queue.clear();
            for Candidate { cell, digit } in std::mem::take(&mut gone) {
                if state.has(cell, digit)
                    && state.rule_out(self.geometry, cell, digit, &mut queue).is_err()
                {
                    return 0;
                }
            }
            if state.follow(self.geometry, &mut queue).is_err() {
                return 0;
            }
            let open = |candidate: &&Candidate| {
                !state.is_followed(candidate.cell) && state.has(candidate.cell, candidate.digit)
            };
            for &candidate in self.candidates.iter().filter(open) {
                let mut next = state.clone();
                queue.start(candidate);
                if next.follow(self.geometry, &mut queue).is_err() {
                    gone.push(candidate);
                }
            }
        }
        let left = self.candidates.iter().filter(|candidate| !state.is_followed(candidate.cell));
        left.filter(|candidate| state.has(candidate.cell, candidate.digit)).count()
    }

    /// Returns candidates with most consequences first, because they lead to a contradiction
    /// soonest.
    fn by_consequences(&self) -> Vec<(Candidate, State<D, W, S, C>)> {
        let with_state = |&candidate: &Candidate| Some((candidate, self.state_after(candidate)?));
        let mut all: Vec<_> = self.candidates.iter().filter_map(with_state).collect();
        all.sort_by_key(|(_, state)| std::cmp::Reverse(state.followed_count()));
        all
    }

    fn linear_trees(&self, deadline: &Deadline<'_>) -> Result<Vec<Tree>, StopReason> {
        let mut search = DeepSearch { space: self, deadline, queue: Queue::default(), probes: 0 };
        let trace = Trace::new(self.geometry, &self.base);
        let mut trees: Vec<Tree> = Vec::new();
        for (candidate, state) in self.by_consequences() {
            let plan = search.linear_plan(&state)?;
            trees.extend(plan.and_then(|plan| trace.tree(candidate, &plan)));
            let enough = trees.len() >= MAX_LINEAR_TREES || search.probes > MAX_PROBES_FOR_SHORTER;
            if enough && !trees.is_empty() {
                break;
            }
        }
        trees.sort_by_key(Tree::statements);
        Ok(trees)
    }

    /// Searches trees with nested splits, increasing the number of nodes until one is found.
    /// Returns `None` if every candidate is part of a solution.
    fn branching_tree(&self, deadline: &Deadline<'_>) -> Result<Option<Tree>, StopReason> {
        let mut search = DeepSearch { space: self, deadline, queue: Queue::default(), probes: 0 };
        let trace = Trace::new(self.geometry, &self.base);
        let mut open = self.by_consequences();
        let mut most = 8;
        while !open.is_empty() {
            let mut unrefuted = Vec::new();
            for (candidate, state) in open {
                let mut nodes = most;
                let plan = search.branching_plan(&state, &mut nodes)?;
                if let Some(tree) = plan.and_then(|plan| trace.tree(candidate, &plan)) {
                    return Ok(Some(shortened(self.geometry, &self.base, tree)));
                }
                // A candidate that fails before the nodes are used up is part of a solution.
                if nodes == 0 {
                    unrefuted.push((candidate, state));
                }
            }
            open = unrefuted;
            most *= 4;
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Candidates, Grid};
    use crate::proof::{OneOf, check};
    use std::sync::atomic::AtomicBool;

    /// Arto Inkala's puzzle of 2012, in which singles alone refute no candidate.
    const HARD: &str =
        "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";

    fn board() -> (Grid, Board<'static, 2>) {
        let puzzle: Grid = HARD.parse().unwrap();
        let candidates = Candidates::new(&puzzle).unwrap();
        (puzzle.clone(), Board::new(&puzzle, &candidates))
    }

    #[test]
    fn cancellation_stops_the_search() {
        let (_, board) = board();
        let cancelled = AtomicBool::new(true);
        let deadline = Deadline::new(&Limits::none().with_cancel(&cancelled));
        let answer = new_search(&board).step(&board, Preference::ShortSteps, &deadline);
        assert_eq!(answer, Err(StopReason::Cancelled));
    }

    #[test]
    fn cached_pairs_give_the_same_steps_as_a_new_search() {
        let (puzzle, mut board) = board();
        let mut search = new_search(&board);
        let deadline = Deadline::new(&Limits::none());
        for _ in 0..6 {
            let step = search
                .step(&board, Preference::ShortSteps, &deadline)
                .unwrap()
                .expect("a false candidate remains");
            assert_eq!(check(&step, &puzzle, &board.candidates()), Ok(()));
            let fresh: Vec<Candidate> = {
                let mut all = Vec::new();
                let _ = find(&board, &mut |step| {
                    all.extend(step.removes);
                    ControlFlow::Continue(())
                });
                all
            };
            assert!(fresh.contains(&step.removes[0]), "{step:?}");
            step.removes.iter().for_each(|&candidate| board.remove(candidate));
        }
    }

    #[test]
    fn quick_tree_is_valid_and_not_shorter_than_the_shortest() {
        let (puzzle, board) = board();
        let deadline = Deadline::new(&Limits::none());
        let size = |preference| {
            let step = new_search(&board)
                .step(&board, preference, &deadline)
                .unwrap()
                .expect("a false candidate remains");
            assert_eq!(check(&step, &puzzle, &board.candidates()), Ok(()));
            let Reason::Tree(tree) = step.reason else { panic!("a nested net has a tree") };
            tree.statements()
        };
        assert!(size(Preference::Quick) >= size(Preference::ShortSteps));
    }

    #[test]
    fn branching_search_finds_a_valid_tree() {
        let (puzzle, board) = board();
        let space = SearchSpace::<u16, 2, 9, 81>::new(&board);
        let tree = space
            .branching_tree(&Deadline::new(&Limits::none()))
            .unwrap()
            .expect("some candidate is false");
        let step = step_of(tree);
        assert_eq!(check(&step, &puzzle, &board.candidates()), Ok(()));
    }

    #[test]
    fn shortened_trees_are_valid_and_not_longer() {
        let (puzzle, board) = board();
        let space = SearchSpace::<u16, 2, 9, 81>::new(&board);
        let trees = space.linear_trees(&Deadline::new(&Limits::none())).unwrap();
        assert!(!trees.is_empty());
        let with_locked = Trace::with_locked(space.geometry, &space.base);
        for tree in trees {
            let of = match &tree.end {
                crate::proof::Ending::Split(of, _) => *of,
                _ => OneOf::Cell(tree.assumed.cell),
            };
            let choices = tree
                .branches()
                .iter()
                .map(|branch| (branch.assumed, Plan::contradiction()))
                .collect();
            if let Some(richer) = with_locked.tree(tree.assumed, &Plan::split(of, choices)) {
                assert_eq!(check(&step_of(richer), &puzzle, &board.candidates()), Ok(()));
            }
            let short = shortened(space.geometry, &space.base, tree.clone());
            assert!(short.statements() <= tree.statements());
            assert_eq!(check(&step_of(short), &puzzle, &board.candidates()), Ok(()));
        }
    }
}
