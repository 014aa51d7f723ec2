//! The co-processor: A*, asked once, and its solution kept.

use ninefold::grid::Grid;
use ninefold::search::astar::Astar;
use ninefold::search::{self, Effort, Limits, Proof, Solutions, Solver, Stop, Unfinished};

/// One question to a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The solver's name.
    pub solver: &'static str,
    /// What the answer cost.
    pub effort: Effort,
    /// The answer, or how far it came.
    pub answer: Result<Solutions, Unfinished>,
}

/// Solves a puzzle at most once, however often it is asked: with A*, and with the fast solver of this size if A* has
/// looked at more boards than it may.
#[derive(Clone, Debug)]
pub struct CoProcessor {
    puzzle: Grid,
    astar_nodes: u64,
    asked: Vec<Asked>,
}

impl CoProcessor {
    /// A co-processor that has not been asked yet; A* may look at this many boards.
    pub fn new(puzzle: &Grid, astar_nodes: u64) -> CoProcessor {
        CoProcessor { puzzle: puzzle.clone(), astar_nodes, asked: Vec::new() }
    }

    /// The puzzle it is asked about.
    pub fn puzzle(&self) -> &Grid {
        &self.puzzle
    }

    /// Finds the solutions, within the limits, if that has not been done before.
    ///
    /// The last question has the answer; there are two of them if the fast solver had to help.
    pub fn ask(&mut self, limits: &Limits<'_>) -> &[Asked] {
        if self.asked.is_empty() {
            let for_astar =
                limits.nodes.map_or(self.astar_nodes, |nodes| nodes.min(self.astar_nodes));
            let astar = self.put_to(&Astar, &Limits { nodes: Some(for_astar), ..*limits });
            if astar.effort.stop == Some(Stop::Nodes) && limits.nodes != Some(for_astar) {
                let fast = search::default_for(self.puzzle.order());
                self.put_to(fast, &less(limits, &astar.effort));
            }
        }
        &self.asked
    }

    fn put_to(&mut self, solver: &dyn Solver, limits: &Limits<'_>) -> Asked {
        let proof = solver.prove(&self.puzzle, limits);
        let Proof { solutions, effort } =
            proof.expect("A* takes every size, and the default solver takes its own");
        let asked = Asked { solver: solver.name(), effort, answer: solutions };
        self.asked.push(asked.clone());
        asked
    }
}

/// What is left of the limits after an effort.
pub(super) fn less<'a>(limits: &Limits<'a>, effort: &Effort) -> Limits<'a> {
    Limits {
        time: limits.time.map(|time| time.saturating_sub(effort.elapsed)),
        nodes: limits.nodes.map(|nodes| nodes.saturating_sub(effort.nodes)),
        cancel: limits.cancel,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A puzzle on which A* needs thousands of boards.
    const SLOW: &str =
        "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9";

    fn who(asked: &[Asked]) -> Vec<&'static str> {
        asked.iter().map(|asked| asked.solver).collect()
    }

    #[test]
    fn it_is_asked_once_and_its_answer_is_kept() {
        let mut co_processor = CoProcessor::new(&"1..4..1..3..4..3".parse().unwrap(), 100);
        let first = co_processor.ask(&Limits::none()).to_vec();
        assert_eq!(who(&first), ["astar"]);
        assert_eq!(co_processor.ask(&Limits::none()), first, "even the time it took is the same");
    }

    #[test]
    fn the_fast_solver_helps_when_astar_has_looked_at_too_many_boards() {
        let puzzle: Grid = SLOW.parse().unwrap();
        let mut co_processor = CoProcessor::new(&puzzle, 100);
        let asked = co_processor.ask(&Limits::none());
        assert_eq!(who(asked), ["astar", search::default_for(puzzle.order()).name()]);
        assert_eq!(asked[0].effort.stop, Some(Stop::Nodes));
        assert!(matches!(&asked[1].answer, Ok(Solutions::One(grid)) if grid.solves(&puzzle)));
    }

    #[test]
    fn the_callers_own_limit_ends_it() {
        let mut co_processor = CoProcessor::new(&SLOW.parse().unwrap(), 100);
        let asked = co_processor.ask(&Limits::nodes(50));
        assert_eq!(who(asked), ["astar"]);
        assert_eq!(asked[0].answer, Err(Unfinished { found: None, stop: Stop::Nodes }));
    }
}
