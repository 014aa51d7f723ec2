//! Trees of tries: this is where we find, count and prove solutions.
//!
//! One file per idea. A solver implements [`Walk`]: it walks through the solutions of a puzzle one by one. Everything a
//! caller may ask of a [`Solver`] (the first solution, how many up to a limit, all of them, is it unique?) is that walk,
//! stopped at the right moment. Every grid that leaves this module has been checked against the rules and the clues.

pub mod astar;
pub mod backtrack;
pub mod bands;
pub mod batch;
pub mod cdcl;
pub mod dlx;
mod effort;
pub mod engine;
pub mod guided;
pub mod mistakes;
pub mod nine;
pub mod norvig;
pub mod singles;
pub mod triads;
pub mod unique;
pub mod watch;

pub use crate::limits::{Limits, Stop};
pub use effort::{Effort, Meter};
pub use engine::Engine;

pub use crate::grid::Solutions;
use crate::grid::{Grid, Order};
use nine::{Line, VisitLine};
use std::ops::ControlFlow;

/// What a solver implements: a way to walk through solutions.
///
/// A walk proposes grids and is believed nothing: callers ask a [`Solver`], which every walk is, and a solver checks each
/// grid before anybody sees it.
pub trait Walk: Send + Sync {
    /// The name to call it by, as in `--method`.
    fn name(&self) -> &'static str;

    /// The idea in one line.
    fn idea(&self) -> &'static str;

    /// Can it take grids of this size? Some are written for 9×9 alone.
    fn takes(&self, order: Order) -> bool;

    /// Does it show what it tries?
    fn can_be_watched(&self) -> bool {
        false
    }

    /// Walks through the solutions and hands each one to `visit`, until `visit` breaks off, no solution is left or a
    /// limit is reached. The meter has counted nothing yet; it says when to stop. `puzzle` is of a size that the
    /// solver takes and may break the rules.
    fn walk(
        &self,
        puzzle: &Grid,
        meter: &mut Meter<'_>,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<Stop>;

    /// The same walk for whoever needs no grids, from line to line; `None` where the solver has no such entry point. Building a
    /// grid for a solution takes longer than finding it, where there are many.
    fn walk_lines(
        &self,
        _puzzle: &Line,
        _meter: &mut Meter<'_>,
        _visit: &mut VisitLine<'_>,
    ) -> Option<ControlFlow<Stop>> {
        None
    }
}

/// What callers ask of a solver; every grid that comes back has been checked against the rules and the clues.
///
/// Every [`Walk`] is a solver, and none can replace these methods by its own, so there is no way around the check:
///
/// ```compile_fail,E0119
/// use ninefold::grid::{Grid, Order};
/// use ninefold::search::{Effort, Limits, Meter, Solver, Stop, Visit, Walk, WrongSize};
/// use std::ops::ControlFlow;
///
/// struct Unchecked;
///
/// impl Walk for Unchecked {
///     fn name(&self) -> &'static str { "unchecked" }
///     fn idea(&self) -> &'static str { "hand out whatever comes to mind" }
///     fn takes(&self, _: Order) -> bool { true }
///     fn walk(&self, _: &Grid, _: &mut Meter<'_>, _: &mut Visit<'_>) -> ControlFlow<Stop> { ControlFlow::Continue(()) }
/// }
///
/// impl Solver for Unchecked {
///     fn first(&self, puzzle: &Grid, _: &Limits<'_>) -> Result<(Option<Grid>, Effort), WrongSize> {
///         Ok((Some(puzzle.clone()), Effort::none(None)))
///     }
/// }
/// ```
pub trait Solver: Walk {
    /// Hands each solution, checked, to `visit`, until `visit` breaks off, no solution is left or a limit is reached.
    fn search(
        &self,
        puzzle: &Grid,
        limits: &Limits<'_>,
        visit: &mut dyn FnMut(Grid) -> ControlFlow<()>,
    ) -> Result<Effort, WrongSize> {
        checked_walk(self, puzzle, Meter::start(limits), visit)
    }

    /// The first solution, like [`Solver::first`], with every moment of the way shown to `watcher`.
    fn watch(
        &self,
        puzzle: &Grid,
        limits: &Limits<'_>,
        watcher: &mut watch::Watcher<'_>,
    ) -> Result<(Option<Grid>, Effort), WrongSize> {
        let mut first = None;
        let effort =
            checked_walk(self, puzzle, Meter::watched(limits, watcher), &mut |solution| {
                first = Some(solution);
                ControlFlow::Break(())
            })?;
        Ok((first, effort))
    }

    /// The first solution found, if there is one.
    fn first(
        &self,
        puzzle: &Grid,
        limits: &Limits<'_>,
    ) -> Result<(Option<Grid>, Effort), WrongSize> {
        let mut first = None;
        let effort = self.search(puzzle, limits, &mut |solution| {
            first = Some(solution);
            ControlFlow::Break(())
        })?;
        Ok((first, effort))
    }

    /// How many solutions there are, counted up to `limit`.
    fn count(
        &self,
        puzzle: &Grid,
        limit: u64,
        limits: &Limits<'_>,
    ) -> Result<(u64, Effort), WrongSize> {
        if limit == 0 {
            return Ok((0, Effort::none(Some(Stop::Enough))));
        }
        let mut count = 0;
        if let Some(line) = nine::line(puzzle) {
            let mut meter = Meter::start(limits);
            let mut checked = |solution: &Line| {
                nine::check(solution, &line, self.name());
                count += 1;
                if count == limit {
                    ControlFlow::Break(Stop::Enough)
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

    /// Searches on until a second solution is found or ruled out.
    fn prove(&self, puzzle: &Grid, limits: &Limits<'_>) -> Result<Proof, WrongSize> {
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
            (found, _, Some(stop)) => Err(Unfinished { found, stop }),
            (Some(only), None, None) => Ok(Solutions::One(only)),
            (None, _, None) => Ok(Solutions::Zero),
        };
        Ok(Proof { solutions, effort })
    }
}

impl<W: Walk + ?Sized> Solver for W {}

/// Walks with this meter; every solution is checked before anybody sees it.
fn checked_walk<W: Walk + ?Sized>(
    solver: &W,
    puzzle: &Grid,
    mut meter: Meter<'_>,
    visit: &mut dyn FnMut(Grid) -> ControlFlow<()>,
) -> Result<Effort, WrongSize> {
    if !solver.takes(puzzle.order()) {
        return Err(WrongSize { solver: solver.name(), order: puzzle.order() });
    }
    let mut checked = |solution: Grid| {
        assert!(
            solution.solves(puzzle),
            "this is a bug in Ninefold: solver {} calls {solution} a solution of {puzzle}",
            solver.name()
        );
        match visit(solution) {
            ControlFlow::Continue(()) => ControlFlow::Continue(()),
            ControlFlow::Break(()) => ControlFlow::Break(Stop::Enough),
        }
    };
    let end = solver.walk(puzzle, &mut meter, &mut checked);
    Ok(meter.finish(end))
}

/// What a solver calls with each solution; it answers whether to go on.
pub type Visit<'a> = dyn FnMut(Grid) -> ControlFlow<Stop> + 'a;

/// The answer to "is there exactly one solution?" and what it cost.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The answer, or how far the search came before a limit stopped it.
    pub solutions: Result<Solutions, Unfinished>,
    /// What the search cost.
    pub effort: Effort,
}

/// A limit was reached before the answer was certain.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("stopped by {stop} before the answer was certain")]
pub struct Unfinished {
    /// A solution, if one was found in time; whether it is the only one is not known.
    pub found: Option<Grid>,
    /// The limit.
    pub stop: Stop,
}

/// A solver was asked about a size it does not take.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the solver {solver} does not take {order} grids")]
#[non_exhaustive]
pub struct WrongSize {
    /// The solver's name.
    pub solver: &'static str,
    /// The size.
    pub order: Order,
}

/// All solvers, from the plainest to the fastest.
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
    ]
}

/// The solver with this name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static dyn Solver> {
    all().iter().copied().find(|solver| solver.name() == name)
}

/// Searches with the default solver of this size on until a second solution is found or ruled out.
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
    default_for(puzzle.order()).prove(puzzle, limits).expect("the default solver takes every size")
}

/// The solver we would choose for one puzzle of this size.
#[must_use]
pub fn default_for(order: Order) -> &'static dyn Solver {
    match order.side() {
        9 if order == Order::NINE => &triads::Triads::BEST,
        // Up to 6×6 setting up groups takes longer than trying all digits: benchmarks/records/2026-11-15-large-orders.md.
        ..=6 => &backtrack::Backtrack,
        _ => &cdcl::Cdcl,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Calls the puzzle itself a solution.
    struct Careless;

    impl Walk for Careless {
        fn name(&self) -> &'static str {
            "careless"
        }

        fn idea(&self) -> &'static str {
            "hand the puzzle back"
        }

        fn takes(&self, _order: Order) -> bool {
            true
        }

        fn walk(
            &self,
            puzzle: &Grid,
            meter: &mut Meter<'_>,
            visit: &mut Visit<'_>,
        ) -> ControlFlow<Stop> {
            meter.node()?;
            visit(puzzle.clone())
        }
    }

    /// Calls the puzzle itself a solution, from line to line too.
    struct CarelessLines;

    impl Walk for CarelessLines {
        fn name(&self) -> &'static str {
            "careless"
        }

        fn idea(&self) -> &'static str {
            "hand the line back"
        }

        fn takes(&self, order: Order) -> bool {
            order == Order::NINE
        }

        fn walk(
            &self,
            puzzle: &Grid,
            meter: &mut Meter<'_>,
            visit: &mut Visit<'_>,
        ) -> ControlFlow<Stop> {
            Careless.walk(puzzle, meter, visit)
        }

        fn walk_lines(
            &self,
            puzzle: &Line,
            meter: &mut Meter<'_>,
            visit: &mut VisitLine<'_>,
        ) -> Option<ControlFlow<Stop>> {
            Some(match meter.node() {
                ControlFlow::Continue(()) => visit(puzzle),
                stopped => stopped,
            })
        }
    }

    #[test]
    #[should_panic(expected = "this is a bug in Ninefold: solver careless calls")]
    fn a_wrong_line_is_not_counted() {
        let _ = CarelessLines.count(&Grid::empty(Order::NINE), 2, &Limits::none());
    }

    #[test]
    fn counting_lines_is_counting_grids() {
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
            assert_eq!((some, effort.stop), (3, Some(Stop::Enough)), "{}", solver.name());
        }
    }

    #[test]
    fn a_wrong_grid_never_leaves_whatever_is_asked() {
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
                words.starts_with("this is a bug in Ninefold: solver careless calls"),
                "{words}"
            );
        }
        let full: Grid = "1234341223414123".parse().unwrap();
        assert_eq!(Careless.first(&full, &limits).unwrap().0, Some(full));
    }
}
