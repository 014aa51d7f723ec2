//! Nested forcing nets: suppose a candidate, follow the singles, and where they stop try every choice of a cell or house.
//!
//! Why they are sound: one digit of a cell is true, and one place of a digit in a house. If a candidate, together with
//! each of these, ends in a contradiction, the candidate is false. It is the last resort, and it always helps: a candidate
//! that is false is refuted if choices are tried inside choices for long enough, so no puzzle with one solution is left
//! unexplained.
//!
//! What is told is the shortest tree that was found: `pairs.rs` finds all candidates that a single split refutes,
//! `deeper.rs` looks further where there are none, `trace.rs` finds the reasons and leaves out what is not needed.

mod deeper;
mod pairs;
mod plan;
mod state;
mod trace;

use super::board::{Board, Geometry};
use super::steps::Preference;
use super::{Found, Technique};
use crate::limits::{Deadline, Limits, Stop};
use crate::proof::{Because, Candidate, Count, Ending, Inference, Step, Tree};
use deeper::Deeper;
use pairs::Pairs;
use plan::Plan;
use state::{Mask, Quiet, State};
use std::any::Any;
use std::ops::ControlFlow;
use trace::{Trace, shortened};

/// So many hits are traced to see which is the shortest, and so many of those are shortened.
const TRACED: usize = 16;
const SHORTENED: usize = 3;
/// Where few steps are wanted, so many hits are traced, and so many candidates are compared by what their going leads to.
const TRACED_FOR_FEW: usize = 400;
const COMPARED_FOR_FEW: usize = 60;
/// A hit of this cost is told without looking whether there is a shorter one by now.
const SHORT_ENOUGH: usize = 36;
/// So many hits are traced with locked candidates and pairs as well.
const TRACED_RICHLY: usize = 8;

/// Larger grids are not looked at in pairs: they have too many.
const MOST_SIDE_IN_PAIRS: usize = 9;
/// Nor are positions with more candidates, in which hardly anything is known.
const MOST_PAIRED: usize = 450;

/// Having found a tree in a row of splits, look no further than this many suppositions for a shorter one.
const PROBES_FOR_A_SHORTER: usize = 20_000;
const TREES_IN_A_ROW: usize = 6;

/// What follows from suppositions and where it fails; nothing if it does not.
pub(super) type Net = Box<dyn Fn(&[Candidate]) -> Option<(Vec<Inference>, Ending)>>;

/// What is remembered from step to step.
pub(super) trait Memory<const W: usize> {
    /// The next step: the shortest tree, or the one that leads furthest.
    fn step(
        &mut self,
        board: &Board<W>,
        preference: Preference,
        deadline: &Deadline<'_>,
    ) -> Result<Option<Step>, Stop>;
    /// The candidates that singles alone refute, followed from the position as it stands.
    fn refuted_alone(&self, board: &Board<W>) -> Vec<Candidate>;
    /// For each candidate that leads to all of these being false, the tree that ends in this count.
    fn ruling_out(&self, board: &Board<W>, goals: &[Candidate], count: &Count) -> Vec<Tree>;
    /// Follows suppositions by singles to where they fail, if they do.
    fn net(&self, board: &Board<W>) -> Net;
    /// One step for each candidate that a single split refutes, or one in which several do.
    fn each(&mut self, board: &Board<W>, found: &mut Found<'_>) -> ControlFlow<()>;
}

/// A memory that fits the size of the board. Each width is met with few sizes only, so that little is compiled in vain.
pub(super) fn memory<const W: usize>(board: &Board<W>) -> Box<dyn Memory<W>> {
    let made: Box<dyn Any> = match (W, board.order().side()) {
        (2, ..=9) => Box::new(Box::new(Kept::<u16, 2, 9, 81>(None)) as Box<dyn Memory<2>>),
        (2, _) => Box::new(Box::new(Kept::<u16, 2, 11, 128>(None)) as Box<dyn Memory<2>>),
        (10, ..=16) => Box::new(Box::new(Kept::<u16, 10, 16, 256>(None)) as Box<dyn Memory<10>>),
        (10, _) => Box::new(Box::new(Kept::<u32, 10, 25, 640>(None)) as Box<dyn Memory<10>>),
        _ => Box::new(Box::new(Kept::<u64, 64, 64, 4096>(None)) as Box<dyn Memory<64>>),
    };
    *made.downcast::<Box<dyn Memory<W>>>().expect("boards have 2, 10 or 64 words")
}

/// All nested nets of a position, as far as one row of splits reaches.
pub fn find<const W: usize>(position: &Board<W>, found: &mut Found<'_>) -> ControlFlow<()> {
    memory(position).each(position, found)
}

/// The pairs of the last position, where they are few enough.
struct Kept<D, const W: usize, const S: usize, const C: usize>(Option<Pairs<D, W, S, C>>);

impl<D: Mask, const W: usize, const S: usize, const C: usize> Memory<W> for Kept<D, W, S, C> {
    fn step(
        &mut self,
        board: &Board<W>,
        preference: Preference,
        deadline: &Deadline<'_>,
    ) -> Result<Option<Step>, Stop> {
        let most = match preference {
            Preference::ShortSteps => TRACED,
            Preference::FewSteps => TRACED_FOR_FEW,
            Preference::Quick => 1,
        };
        let trees = self.trees(board, most, deadline)?;
        let tree = match trees.is_empty() {
            true => Space::<D, W, S, C>::new(board).largest_tree(deadline)?,
            false => Some(self.choose(board, trees, preference)),
        };
        Ok(tree.map(step_of))
    }

    fn refuted_alone(&self, board: &Board<W>) -> Vec<Candidate> {
        let base = State::<D, W, S, C>::new(board);
        let mut quiet = Quiet::default();
        let cells = board.empty().iter();
        let all =
            cells.flat_map(|cell| board.at(cell).map(move |digit| Candidate::new(cell, digit)));
        all.filter(|&candidate| {
            quiet.start(candidate);
            base.clone().follow(board.geometry(), &mut quiet).is_err()
        })
        .collect()
    }

    fn ruling_out(&self, board: &Board<W>, goals: &[Candidate], count: &Count) -> Vec<Tree> {
        let space = Space::<D, W, S, C>::new(board);
        let trace = Trace::new(space.geometry, &space.base);
        let has_none =
            |state: State<D, W, S, C>| goals.iter().all(|goal| !state.has(goal.cell, goal.digit));
        let leads_there =
            |candidate: &&Candidate| space.supposing(**candidate).is_some_and(has_none);
        let all = space.candidates.iter().filter(leads_there);
        all.map(|&candidate| trace.ruling_out(candidate, goals, count)).collect()
    }

    fn net(&self, board: &Board<W>) -> Net {
        let (geometry, base) = (board.geometry(), State::<D, W, S, C>::new(board));
        Box::new(move |supposed| {
            let mut quiet = Quiet::default();
            quiet.start_all(supposed);
            let fails = base.clone().follow(geometry, &mut quiet).is_err();
            fails.then(|| Trace::new(geometry, &base).failure(supposed)).flatten()
        })
    }

    fn each(&mut self, board: &Board<W>, found: &mut Found<'_>) -> ControlFlow<()> {
        let Ok(trees) = self.trees(board, usize::MAX, &Deadline::of(&Limits::none())) else {
            return ControlFlow::Continue(());
        };
        let base = State::<D, W, S, C>::new(board);
        let mut told: Vec<Candidate> = Vec::new();
        for tree in trees {
            if !told.contains(&tree.assumed) {
                told.push(tree.assumed);
                found(step_of(shortened(board.geometry(), &base, tree)))?;
            }
        }
        ControlFlow::Continue(())
    }
}

impl<D: Mask, const W: usize, const S: usize, const C: usize> Kept<D, W, S, C> {
    /// Trees of no split or of one, the shortest first; or, where there are none, trees with a row of splits.
    fn trees(
        &mut self,
        board: &Board<W>,
        most: usize,
        deadline: &Deadline<'_>,
    ) -> Result<Vec<Tree>, Stop> {
        if board.order().side() <= MOST_SIDE_IN_PAIRS {
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
        let space = Space::<D, W, S, C>::new(board);
        let alone = space.refuted_alone();
        if alone.is_empty() { space.trees_in_a_row(deadline) } else { Ok(alone) }
    }

    /// Shortens the best trees and takes the shortest, or the one after which most candidates go; or the first as it is.
    fn choose(&self, board: &Board<W>, mut trees: Vec<Tree>, preference: Preference) -> Tree {
        if preference == Preference::Quick {
            return trees.swap_remove(0);
        }
        let base = State::<D, W, S, C>::new(board);
        if preference == Preference::FewSteps {
            let space = Space::<D, W, S, C>::new(board);
            let mut met: Vec<Candidate> = Vec::new();
            trees.retain(|tree| {
                !met.contains(&tree.assumed) && met.len() < COMPARED_FOR_FEW && {
                    met.push(tree.assumed);
                    true
                }
            });
            trees.sort_by_cached_key(|tree| (space.left_without(tree.assumed), tree.statements()));
            trees.truncate(1);
        }
        let best =
            trees.into_iter().take(SHORTENED).map(|tree| shortened(board.geometry(), &base, tree));
        best.min_by_key(|tree| (tree.statements(), tree.splits()))
            .expect("there is at least one tree")
    }
}

/// The shortest trees that pairs show: those without a split, or else those with one.
fn trees_of_pairs<D: Mask, const W: usize, const S: usize, const C: usize>(
    pairs: &mut Pairs<D, W, S, C>,
    most: usize,
    deadline: &Deadline<'_>,
) -> Result<Vec<Tree>, Stop> {
    let alone = pairs.refuted_alone();
    let mut hits = if alone.is_empty() { pairs.hits() } else { Vec::new() };
    let is_short = hits.first().is_some_and(|hit| hit.cost <= SHORT_ENOUGH);
    if alone.is_empty() && !is_short && pairs.catch_up(deadline)? {
        hits = pairs.hits();
    }
    let trace = Trace::new(pairs.geometry(), pairs.base());
    let mut trees: Vec<Tree> =
        alone.into_iter().filter_map(|candidate| trace.tree(candidate, &Plan::dead())).collect();
    let rich = Trace::rich(pairs.geometry(), pairs.base());
    for (number, hit) in hits.iter().take(most).enumerate() {
        let (candidate, plan) = (pairs.candidates()[hit.index], pairs.plan(hit));
        trees.extend(trace.tree(candidate, &plan));
        if number < TRACED_RICHLY {
            trees.extend(rich.tree(candidate, &plan));
        }
    }
    trees.sort_by_key(Tree::statements);
    Ok(trees)
}

fn step_of(tree: Tree) -> Step {
    Step::remove(Technique::NestedForcingNet, vec![tree.assumed], Because::Tree(tree))
}

/// A position and its open candidates.
struct Space<D, const W: usize, const S: usize, const C: usize> {
    geometry: &'static Geometry<W>,
    /// The position, nothing followed.
    base: State<D, W, S, C>,
    candidates: Vec<Candidate>,
}

impl<D: Mask, const W: usize, const S: usize, const C: usize> Space<D, W, S, C> {
    fn new(board: &Board<W>) -> Self {
        let base = State::new(board);
        let open = board.empty().iter().filter(|&cell| board.at(cell).count() > 1);
        let candidates = open
            .flat_map(|cell| board.at(cell).map(move |digit| Candidate::new(cell, digit)))
            .collect();
        Space { geometry: board.geometry(), base, candidates }
    }

    /// What follows from a candidate; `None` if that is a contradiction.
    fn supposing(&self, candidate: Candidate) -> Option<State<D, W, S, C>> {
        let mut state = self.base.clone();
        let mut quiet = Quiet::default();
        quiet.start(candidate);
        state.follow(self.geometry, &mut quiet).ok()?;
        state.settle(self.geometry, &mut quiet).ok()?;
        Some(state)
    }

    /// Candidates that need no split.
    fn refuted_alone(&self) -> Vec<Tree> {
        let dead = self.candidates.iter().filter(|&&candidate| self.supposing(candidate).is_none());
        let trace = Trace::new(self.geometry, &self.base);
        let mut trees: Vec<Tree> =
            dead.filter_map(|&candidate| trace.tree(candidate, &Plan::dead())).collect();
        trees.sort_by_key(Tree::statements);
        trees
    }

    /// How many candidates are left if this one goes, with all that are refuted alone then.
    fn left_without(&self, candidate: Candidate) -> usize {
        let mut state = self.base.clone();
        let mut gone = vec![candidate];
        let mut quiet = Quiet::default();
        while !gone.is_empty() {
            quiet.clear();
            for Candidate { cell, digit } in std::mem::take(&mut gone) {
                if state.has(cell, digit)
                    && state.rule_out(self.geometry, cell, digit, &mut quiet).is_err()
                {
                    return 0;
                }
            }
            if state.follow(self.geometry, &mut quiet).is_err() {
                return 0;
            }
            let open = |candidate: &&Candidate| {
                !state.is_followed(candidate.cell) && state.has(candidate.cell, candidate.digit)
            };
            for &candidate in self.candidates.iter().filter(open) {
                let mut next = state.clone();
                quiet.start(candidate);
                if next.follow(self.geometry, &mut quiet).is_err() {
                    gone.push(candidate);
                }
            }
        }
        let left = self.candidates.iter().filter(|candidate| !state.is_followed(candidate.cell));
        left.filter(|candidate| state.has(candidate.cell, candidate.digit)).count()
    }

    /// The candidates that imply most come first: they fail soonest.
    fn by_consequences(&self) -> Vec<(Candidate, State<D, W, S, C>)> {
        let with_state = |&candidate: &Candidate| Some((candidate, self.supposing(candidate)?));
        let mut all: Vec<_> = self.candidates.iter().filter_map(with_state).collect();
        all.sort_by_key(|(_, state)| std::cmp::Reverse(state.followed_count()));
        all
    }

    fn trees_in_a_row(&self, deadline: &Deadline<'_>) -> Result<Vec<Tree>, Stop> {
        let mut deeper = Deeper { space: self, deadline, quiet: Quiet::default(), probes: 0 };
        let trace = Trace::new(self.geometry, &self.base);
        let mut trees: Vec<Tree> = Vec::new();
        for (candidate, state) in self.by_consequences() {
            let plan = deeper.in_a_row(&state)?;
            trees.extend(plan.and_then(|plan| trace.tree(candidate, &plan)));
            let enough = trees.len() >= TREES_IN_A_ROW || deeper.probes > PROBES_FOR_A_SHORTER;
            if enough && !trees.is_empty() {
                break;
            }
        }
        trees.sort_by_key(Tree::statements);
        Ok(trees)
    }

    /// A tree in which splits stand inside each other; the number of nodes grows until one is found. `None` if every
    /// candidate is part of a solution.
    fn largest_tree(&self, deadline: &Deadline<'_>) -> Result<Option<Tree>, Stop> {
        let mut deeper = Deeper { space: self, deadline, quiet: Quiet::default(), probes: 0 };
        let trace = Trace::new(self.geometry, &self.base);
        let mut open = self.by_consequences();
        let mut most = 8;
        while !open.is_empty() {
            let mut in_vain = Vec::new();
            for (candidate, state) in open {
                let mut nodes = most;
                let plan = deeper.in_a_tree(&state, &mut nodes)?;
                if let Some(tree) = plan.and_then(|plan| trace.tree(candidate, &plan)) {
                    return Ok(Some(shortened(self.geometry, &self.base, tree)));
                }
                // A candidate that fails with nodes to spare is part of a solution.
                if nodes == 0 {
                    in_vain.push((candidate, state));
                }
            }
            open = in_vain;
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

    /// Arto Inkala's puzzle of 2012, in which no candidate is refuted by singles alone.
    const HARD: &str =
        "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";

    fn board() -> (Grid, Board<'static, 2>) {
        let puzzle: Grid = HARD.parse().unwrap();
        let candidates = Candidates::of(&puzzle).unwrap();
        (puzzle.clone(), Board::new(&puzzle, &candidates))
    }

    #[test]
    fn whoever_cancels_does_not_wait_for_a_tree() {
        let (_, board) = board();
        let cancelled = AtomicBool::new(true);
        let deadline = Deadline::of(&Limits::cancelled_by(&cancelled));
        let answer = memory(&board).step(&board, Preference::ShortSteps, &deadline);
        assert_eq!(answer, Err(Stop::Cancelled));
    }

    #[test]
    fn what_is_remembered_from_step_to_step_is_what_a_new_look_would_find() {
        let (puzzle, mut board) = board();
        let mut kept = memory(&board);
        let deadline = Deadline::of(&Limits::none());
        for _ in 0..6 {
            let step = kept
                .step(&board, Preference::ShortSteps, &deadline)
                .unwrap()
                .expect("a false candidate is left");
            assert_eq!(check(&step, &puzzle, &board.candidates()), Ok(()));
            let anew: Vec<Candidate> = {
                let mut all = Vec::new();
                let _ = find(&board, &mut |step| {
                    all.extend(step.removes);
                    ControlFlow::Continue(())
                });
                all
            };
            assert!(anew.contains(&step.removes[0]), "{step:?}");
            step.removes.iter().for_each(|&candidate| board.remove(candidate));
        }
    }

    #[test]
    fn a_quick_tree_is_right_and_no_shorter_than_the_shortest() {
        let (puzzle, board) = board();
        let deadline = Deadline::of(&Limits::none());
        let size = |preference| {
            let step = memory(&board)
                .step(&board, preference, &deadline)
                .unwrap()
                .expect("a false candidate is left");
            assert_eq!(check(&step, &puzzle, &board.candidates()), Ok(()));
            let Because::Tree(tree) = step.because else { panic!("a net is a tree") };
            tree.statements()
        };
        assert!(size(Preference::Quick) >= size(Preference::ShortSteps));
    }

    #[test]
    fn where_splits_in_a_row_do_not_help_splits_inside_splits_do() {
        let (puzzle, board) = board();
        let space = Space::<u16, 2, 9, 81>::new(&board);
        let tree = space
            .largest_tree(&Deadline::of(&Limits::none()))
            .unwrap()
            .expect("some candidate is false");
        let step = step_of(tree);
        assert_eq!(check(&step, &puzzle, &board.candidates()), Ok(()));
    }

    #[test]
    fn locked_candidates_and_pairs_make_a_tree_shorter_or_leave_it_as_it_is() {
        let (puzzle, board) = board();
        let space = Space::<u16, 2, 9, 81>::new(&board);
        let trees = space.trees_in_a_row(&Deadline::of(&Limits::none())).unwrap();
        assert!(!trees.is_empty());
        let rich = Trace::rich(space.geometry, &space.base);
        for tree in trees {
            let of = match &tree.end {
                crate::proof::Ending::Split(of, _) => *of,
                _ => OneOf::Cell(tree.assumed.cell),
            };
            let choices =
                tree.branches().iter().map(|branch| (branch.assumed, Plan::dead())).collect();
            if let Some(richer) = rich.tree(tree.assumed, &Plan::split(of, choices)) {
                assert_eq!(check(&step_of(richer), &puzzle, &board.candidates()), Ok(()));
            }
            let short = shortened(space.geometry, &space.base, tree.clone());
            assert!(short.statements() <= tree.statements());
            assert_eq!(check(&step_of(short), &puzzle, &board.candidates()), Ok(()));
        }
    }
}
