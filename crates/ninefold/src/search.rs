//! Solvers that find and count the solutions of a puzzle by search, or prove that there is only
//! one.
//!
//! Each solver has its own file and implements [`Walk`], which visits the solutions of a puzzle one
//! by one. [`Solver`] builds everything else on that: it returns the first solution, all solutions,
//! a count up to a limit or a proof of uniqueness. It checks every solution against the rules and
//! the clues before the caller receives it.

mod any_rules;
pub mod astar;
pub mod backtrack;
pub mod bands;
pub mod batch;
pub mod cdcl;
pub mod dlx;
mod effort;
pub mod engine;
#[cfg(target_arch = "x86_64")]
mod features;
pub mod guided;
#[cfg(test)]
mod miri;
pub mod mistakes;
#[doc(hidden)]
pub mod nine;
pub mod norvig;
pub mod redundancy;
pub mod rules;
pub(crate) mod singles;
pub mod triads;
pub mod unique;
pub mod watch;

pub use crate::limits::{Limits, StopReason};
pub use any_rules::AnyRules;
pub use effort::{Effort, Meter};
pub use engine::{Engine, EngineError};

pub use crate::grid::Solutions;
use crate::grid::{Grid, Order};
pub use nine::{Line, PencilMarks, VisitLine};
use std::ops::ControlFlow;

/// Visits the solutions of puzzles. Solvers implement this trait; callers use [`Solver`], which
/// every `Walk` implements automatically.
///
/// The solutions of a walk are untrusted until [`Solver`] has checked them.
pub trait Walk: Send + Sync {
    /// The name of the solver, such as `dlx`, which [`by_name`] and the command line accept.
    fn name(&self) -> &'static str;

    /// A description of the algorithm in one line.
    fn idea(&self) -> &'static str;

    /// Whether the solver supports grids of this size. Some support only 9×9.
    fn supports(&self, order: Order) -> bool;

    /// Whether the solver respects [`Grid::rules`]. Most solvers only know the classic rules.
    fn supports_rules(&self) -> bool {
        false
    }

    /// Whether the solver reports its progress to [`Solver::watch`].
    fn can_be_watched(&self) -> bool {
        false
    }

    /// Passes each solution to `visit`, until `visit` returns `Break`, no solution is left or a
    /// limit is reached.
    ///
    /// The size of `puzzle` is supported, but its clues may break the rules. The walk counts its
    /// nodes and guesses with `meter`, which is new, and ends as soon as the meter returns `Break`.
    fn walk(
        &self,
        puzzle: &Grid,
        meter: &mut Meter<'_>,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<StopReason>;

    /// Like [`walk`](Walk::walk), for 9×9 puzzles and solutions stored as a [`Line`]. Returns
    /// `None` if the solver does not support lines.
    ///
    /// This is faster for puzzles with many solutions, because building a [`Grid`] takes longer
    /// than finding the next solution.
    fn walk_lines(
        &self,
        _puzzle: &Line,
        _meter: &mut Meter<'_>,
        _visit: &mut VisitLine<'_>,
    ) -> Option<ControlFlow<StopReason>> {
        None
    }
}

/// A solver. Every grid it returns has been checked against the rules and the clues.
///
/// Every [`Walk`] implements this trait, and no implementation can override these methods and skip
/// the check:
///
/// ```compile_fail,E0119
/// use ninefold::grid::{Grid, Order};
/// use ninefold::search::{Effort, Limits, Meter, Solver, StopReason, Visit, Walk, UnsupportedError};
/// use std::ops::ControlFlow;
///
/// struct Unchecked;
///
/// impl Walk for Unchecked {
///     fn name(&self) -> &'static str { "unchecked" }
///     fn idea(&self) -> &'static str { "return the puzzle itself" }
///     fn supports(&self, _: Order) -> bool { true }
///     fn walk(&self, _: &Grid, _: &mut Meter<'_>, _: &mut Visit<'_>) -> ControlFlow<StopReason> { ControlFlow::Continue(()) }
/// }
///
/// impl Solver for Unchecked {
///     fn first(&self, puzzle: &Grid, _: &Limits<'_>) -> Result<(Option<Grid>, Effort), UnsupportedError> {
///         Ok((Some(puzzle.clone()), Effort::none(None)))
///     }
/// }
/// ```
pub trait Solver: Walk {
    /// An error if the solver does not support the size or the rules of the puzzle.
    fn check_support(&self, puzzle: &Grid) -> Result<(), UnsupportedError> {
        let solver = self.name();
        if !self.supports(puzzle.order()) {
            Err(UnsupportedError::Size { solver, order: puzzle.order() })
        } else if puzzle.rules().is_some() && !self.supports_rules() {
            Err(UnsupportedError::Rules { solver })
        } else {
            Ok(())
        }
    }

    /// Passes each solution to `visit`, until `visit` returns `Break`, no solution is left or a
    /// limit is reached.
    fn search(
        &self,
        puzzle: &Grid,
        limits: &Limits<'_>,
        visit: &mut dyn FnMut(Grid) -> ControlFlow<()>,
    ) -> Result<Effort, UnsupportedError> {
        checked_walk(self, puzzle, Meter::start(limits), visit)
    }

    /// Like [`Solver::first`], and passes every event of the search to `watcher`.
    fn watch(
        &self,
        puzzle: &Grid,
        limits: &Limits<'_>,
        watcher: &mut watch::Watcher<'_>,
    ) -> Result<(Option<Grid>, Effort), UnsupportedError> {
        let mut first = None;
        let effort =
            checked_walk(self, puzzle, Meter::watched(limits, watcher), &mut |solution| {
                first = Some(solution);
                ControlFlow::Break(())
            })?;
        Ok((first, effort))
    }

    /// Finds a solution.
    fn first(
        &self,
        puzzle: &Grid,
        limits: &Limits<'_>,
    ) -> Result<(Option<Grid>, Effort), UnsupportedError> {
        let mut first = None;
        let effort = self.search(puzzle, limits, &mut |solution| {
            first = Some(solution);
            ControlFlow::Break(())
        })?;
        Ok((first, effort))
    }

    /// Counts the solutions up to `limit`.
    fn count(
        &self,
        puzzle: &Grid,
        limit: u64,
        limits: &Limits<'_>,
    ) -> Result<(u64, Effort), UnsupportedError> {
        if limit == 0 {
            return Ok((0, Effort::none(Some(StopReason::Enough))));
        }
        let mut count = 0;
        if let Some(line) = nine::line(puzzle) {
            let mut meter = Meter::start(limits);
            let mut checked = |solution: &Line| {
                nine::check(solution, &line, self.name());
                count += 1;
                if count == limit {
                    ControlFlow::Break(StopReason::Enough)
                } else {
                    ControlFlow::Continue(())
                }
            };
            if let Some(end) = self.walk_lines(&line, &mut meter, &mut checked) {
                return Ok((count, meter.finish(end)));
            }
        }
        let effort = self.search(puzzle, limits, &mut |_| {
            count += 1;
            if count == limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok((count, effort))
    }

    /// Proves whether the puzzle has no solution, one or several: searches until a second solution
    /// is found or ruled out.
    fn prove(&self, puzzle: &Grid, limits: &Limits<'_>) -> Result<Proof, UnsupportedError> {
        let mut first = None;
        let mut second = None;
        let effort = self.search(puzzle, limits, &mut |solution| {
            if first.is_none() {
                first = Some(solution);
                ControlFlow::Continue(())
            } else {
                second = Some(solution);
                ControlFlow::Break(())
            }
        })?;
        let solutions = match (first, second, effort.stop) {
            (Some(first), Some(second), _) => Ok(Solutions::Many(first, second)),
            (found, _, Some(stop)) => Err(UnfinishedError { found, stop }),
            (Some(only), None, None) => Ok(Solutions::One(only)),
            (None, _, None) => Ok(Solutions::Zero),
        };
        Ok(Proof { solutions, effort })
    }
}

impl<W: Walk + ?Sized> Solver for W {}

/// Runs a walk with this meter and checks every solution before it reaches `visit`.
fn checked_walk<W: Walk + ?Sized>(
    solver: &W,
    puzzle: &Grid,
    mut meter: Meter<'_>,
    visit: &mut dyn FnMut(Grid) -> ControlFlow<()>,
) -> Result<Effort, UnsupportedError> {
    solver.check_support(puzzle)?;
    let mut checked = |solution: Grid| {
        assert!(
            solution.solves(puzzle),
            "this is a bug in Ninefold: solver {} returned {solution} as a solution of {puzzle}",
            solver.name()
        );
        match visit(solution) {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(()) => ControlFlow::Break(StopReason::Enough),
        }
    };
    let end = solver.walk(puzzle, &mut meter, &mut checked);
    Ok(meter.finish(end))
}

/// The callback of [`Walk::walk`], called with each solution. It decides whether the walk
/// continues.
pub type Visit<'a> = dyn FnMut(Grid) -> ControlFlow<StopReason> + 'a;

/// The result of a proof of uniqueness, and its cost.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Proof {
    /// Whether there is no, one or several solutions; an error if a limit stopped the search.
    pub solutions: Result<Solutions, UnfinishedError>,
    /// The cost of the search.
    pub effort: Effort,
}

/// A limit was reached before the result was certain.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped by {stop} before the result was certain")]
#[non_exhaustive]
pub struct UnfinishedError {
    /// A solution, if one was found. It may not be the only one.
    pub found: Option<Grid>,
    /// Why the search stopped.
    pub stop: StopReason,
}

impl UnfinishedError {
    /// Creates the error of a search that ended because of `stop`. `found` is the solution that it
    /// had found, if any.
    #[must_use]
    pub const fn new(found: Option<Grid>, stop: StopReason) -> UnfinishedError {
        UnfinishedError { found, stop }
    }
}

/// The solver does not support a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnsupportedError {
    /// The size is not supported.
    #[error("solver {solver} does not support {order} grids")]
    Size {
        /// The name of the solver.
        solver: &'static str,
        /// The unsupported size.
        order: Order,
    },
    /// The puzzle has rules of its own.
    #[error("solver {solver} only knows the classic rules; solver rules knows all")]
    Rules {
        /// The name of the solver.
        solver: &'static str,
    },
}

/// All solvers, from the simplest to the fastest.
#[must_use]
pub fn all() -> &'static [&'static dyn Solver] {
    &[
        &backtrack::Backtrack,
        &astar::Astar,
        &norvig::Norvig,
        &dlx::Dlx,
        &cdcl::Cdcl,
        &bands::Bands,
        &triads::Triads::BEST,
        &batch::Batch::BEST,
        &AnyRules,
    ]
}

/// The solver with this name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static dyn Solver> {
    all().iter().copied().find(|solver| solver.name() == name)
}

/// Proves whether the puzzle has no solution, one or several. Searches with the default solver
/// until a second solution is found or ruled out.
///
/// ```
/// use ninefold::search::{self, Limits, Solutions};
///
/// let puzzle = "1..4..1..3..4..3".parse()?;
/// let proof = search::prove(&puzzle, &Limits::none());
/// assert!(matches!(proof.solutions, Ok(Solutions::One(_))));
/// # Ok::<(), ninefold::grid::ParseGridError>(())
/// ```
#[must_use]
pub fn prove(puzzle: &Grid, limits: &Limits<'_>) -> Proof {
    default_for(puzzle).prove(puzzle, limits).expect("the default solver supports every puzzle")
}

/// The default solver for the size and the rules of a puzzle.
#[must_use]
pub fn default_for(puzzle: &Grid) -> &'static dyn Solver {
    if puzzle.rules().is_some() {
        return &AnyRules;
    }
    default_for_order(puzzle.order())
}

/// The default solver for classic puzzles of this size.
#[must_use]
pub fn default_for_order(order: Order) -> &'static dyn Solver {
    match order.side() {
        9 if order == Order::NINE => &triads::Triads::BEST,
        // Up to 6×6, setting up the groups of CDCL takes longer than backtracking:
        // benchmarks/records/2026-11-15-large-orders.md.
        ..=6 => &backtrack::Backtrack,
        _ => &cdcl::Cdcl,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the puzzle itself as a solution.
    struct Careless;

    impl Walk for Careless {
        fn name(&self) -> &'static str {
            "careless"
        }

        fn idea(&self) -> &'static str {
            "return the puzzle"
        }

        fn supports(&self, _order: Order) -> bool {
            true
        }

        fn walk(
            &self,
            puzzle: &Grid,
            meter: &mut Meter<'_>,
            visit: &mut Visit<'_>,
        ) -> ControlFlow<StopReason> {
            meter.node()?;
            visit(puzzle.clone())
        }
    }

    /// Returns the puzzle itself as a solution, also as a line.
    struct CarelessLines;

    impl Walk for CarelessLines {
        fn name(&self) -> &'static str {
            "careless"
        }

        fn idea(&self) -> &'static str {
            "return the line"
        }

        fn supports(&self, order: Order) -> bool {
            order == Order::NINE
        }

        fn walk(
            &self,
            puzzle: &Grid,
            meter: &mut Meter<'_>,
            visit: &mut Visit<'_>,
        ) -> ControlFlow<StopReason> {
            Careless.walk(puzzle, meter, visit)
        }

        fn walk_lines(
            &self,
            puzzle: &Line,
            meter: &mut Meter<'_>,
            visit: &mut VisitLine<'_>,
        ) -> Option<ControlFlow<StopReason>> {
            Some(match meter.node() {
                ControlFlow::Continue(()) => visit(puzzle),
                stopped => stopped,
            })
        }
    }

    #[test]
    #[should_panic(expected = "this is a bug in Ninefold: solver careless returned")]
    fn count_rejects_a_wrong_line() {
        let _ = CarelessLines.count(&Grid::empty(Order::NINE), 2, &Limits::none());
    }

    #[test]
    fn counting_lines_equals_counting_grids() {
        let puzzle: Grid =
            "8.........95.......76.........426798...571243...893165......916....3.487....1.532"
                .parse()
                .unwrap();
        let counted_grids = |solver: &dyn Solver| {
            let mut count = 0;
            let effort = solver.search(&puzzle, &Limits::none(), &mut |_| {
                count += 1;
                ControlFlow::Continue(())
            });
            (count, effort.unwrap().guesses)
        };
        for solver in [&bands::Bands as &dyn Solver, &triads::Triads::BEST, &batch::Batch::BEST] {
            let (count, effort) = solver.count(&puzzle, u64::MAX, &Limits::none()).unwrap();
            assert_eq!((count, effort.guesses), counted_grids(solver), "{}", solver.name());
            assert_eq!(effort.stop, None);
            let (some, effort) = solver.count(&puzzle, 3, &Limits::none()).unwrap();
            assert_eq!((some, effort.stop), (3, Some(StopReason::Enough)), "{}", solver.name());
        }
    }

    #[test]
    fn every_method_rejects_a_wrong_grid() {
        let puzzle: Grid = "1..4..1..3..4..3".parse().unwrap();
        let limits = Limits::none();
        type Question<'a> = &'a dyn Fn(&dyn Solver);
        let ask: [Question<'_>; 5] = [
            &|solver| drop(solver.search(&puzzle, &limits, &mut |_| ControlFlow::Continue(()))),
            &|solver| drop(solver.first(&puzzle, &limits)),
            &|solver| drop(solver.count(&puzzle, 2, &limits)),
            &|solver| drop(solver.prove(&puzzle, &limits)),
            &|solver| drop(solver.watch(&puzzle, &limits, &mut |_| ControlFlow::Continue(()))),
        ];
        for ask in ask {
            let answer = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| ask(&Careless)));
            let words = *answer.unwrap_err().downcast::<String>().unwrap();
            assert!(
                words.starts_with("this is a bug in Ninefold: solver careless returned"),
                "{words}"
            );
        }
        let full: Grid = "1234341223414123".parse().unwrap();
        assert_eq!(Careless.first(&full, &limits).unwrap().0, Some(full));
    }
}
