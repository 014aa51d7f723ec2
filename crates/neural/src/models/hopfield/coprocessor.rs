//! The coprocessor: an A* search that runs at most once per puzzle.

use ninefold::grid::Grid;
use ninefold::search::astar::Astar;
use ninefold::search::{
    self, Effort, Limits, Proof, Solutions, Solver, StopReason, UnfinishedError,
};

/// One search of the coprocessor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchRun {
    /// Name of the solver.
    pub solver: &'static str,
    /// Effort of the search.
    pub effort: Effort,
    /// The solutions, or how far the search got.
    pub answer: Result<Solutions, UnfinishedError>,
}

/// Solves a puzzle at most once: with A*, and with the fast solver of this size if A* reaches its
/// limit.
#[derive(Clone, Debug)]
pub struct CoProcessor {
    puzzle: Grid,
    astar_nodes: u64,
    searches: Vec<SearchRun>,
}

impl CoProcessor {
    /// Creates a coprocessor for a puzzle. A* may examine `astar_nodes` boards.
    pub fn new(puzzle: &Grid, astar_nodes: u64) -> CoProcessor {
        CoProcessor { puzzle: puzzle.clone(), astar_nodes, searches: Vec::new() }
    }

    /// The puzzle.
    pub fn puzzle(&self) -> &Grid {
        &self.puzzle
    }

    /// Searches for the solutions within the limits, unless this has been done before.
    ///
    /// Returns the searches. The last one has the result; there are two if the fast solver was
    /// needed.
    pub fn search_once(&mut self, limits: &Limits<'_>) -> &[SearchRun] {
        if self.searches.is_empty() {
            let for_astar =
                limits.nodes.map_or(self.astar_nodes, |nodes| nodes.min(self.astar_nodes));
            let astar = self.run(&Astar, &limits.with_nodes(for_astar));
            if astar.effort.stop == Some(StopReason::Nodes) && limits.nodes != Some(for_astar) {
                let fast = search::default_for(&self.puzzle);
                self.run(fast, &remaining(limits, &astar.effort));
            }
        }
        &self.searches
    }

    fn run(&mut self, solver: &dyn Solver, limits: &Limits<'_>) -> SearchRun {
        let proof = solver.prove(&self.puzzle, limits);
        let Proof { solutions, effort, .. } =
            proof.expect("A* supports every size, and the default solver was chosen for this size");
        let search = SearchRun { solver: solver.name(), effort, answer: solutions };
        self.searches.push(search.clone());
        search
    }
}

/// The limits minus an effort.
pub(super) fn remaining<'a>(limits: &Limits<'a>, effort: &Effort) -> Limits<'a> {
    limits
        .with_time(limits.time.map(|time| time.saturating_sub(effort.elapsed)))
        .with_nodes(limits.nodes.map(|nodes| nodes.saturating_sub(effort.nodes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A puzzle for which A* examines thousands of boards.
    const SLOW: &str =
        "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9";

    fn solvers(searches: &[SearchRun]) -> Vec<&'static str> {
        searches.iter().map(|search| search.solver).collect()
    }

    #[test]
    fn searches_only_once() {
        let mut co_processor = CoProcessor::new(&"1..4..1..3..4..3".parse().unwrap(), 100);
        let first = co_processor.search_once(&Limits::none()).to_vec();
        assert_eq!(solvers(&first), ["astar"]);
        assert_eq!(
            co_processor.search_once(&Limits::none()),
            first,
            "the second call returns the first result"
        );
    }

    #[test]
    fn fast_solver_takes_over_at_the_astar_limit() {
        let puzzle: Grid = SLOW.parse().unwrap();
        let mut co_processor = CoProcessor::new(&puzzle, 100);
        let searches = co_processor.search_once(&Limits::none());
        assert_eq!(solvers(searches), ["astar", search::default_for(&puzzle).name()]);
        assert_eq!(searches[0].effort.stop, Some(StopReason::Nodes));
        assert!(matches!(&searches[1].answer, Ok(Solutions::One(grid)) if grid.solves(&puzzle)));
    }

    #[test]
    fn stops_at_the_limit_of_the_caller() {
        let mut co_processor = CoProcessor::new(&SLOW.parse().unwrap(), 100);
        let searches = co_processor.search_once(&Limits::none().with_nodes(50));
        assert_eq!(solvers(searches), ["astar"]);
        assert_eq!(searches[0].answer, Err(UnfinishedError::new(None, StopReason::Nodes)));
    }
}
