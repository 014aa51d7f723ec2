//! Combines a [`Proposer`], such as a neural network, with a solver (Kocherzhenko 2020).
//!
//! The proposer fills puzzles without proof. Each proposal is checked against the rules and the
//! clues, and a search solves the puzzles whose proposals are wrong. So a wrong proposal costs time
//! but never correctness. For each solution, the [`Report`] contains whether the proposer or the
//! search found it.

use crate::clock::Instant;
use crate::grid::{ClassicOnlyError, Grid, Order};
use crate::search::guided::Guided;
use crate::search::{Effort, Limits, Solver, StopReason, UnsupportedError};
use std::time::Duration;

/// The time limit for a solution in interactive use (Kocherzhenko 2020).
pub const INTERACTIVE_LIMIT: Duration = Duration::from_secs(120);

/// Proposes complete grids for puzzles, without proof.
pub trait Proposer {
    /// Whether the proposer supports puzzles of this size.
    fn supports(&self, order: Order) -> bool;

    /// Whether the proposer supports puzzles with rules other than the classic ones.
    fn supports_rules(&self) -> bool {
        false
    }

    /// Proposes one grid for each puzzle, in the same order. A grid keeps all digits of its puzzle,
    /// and its rules.
    fn propose(&self, puzzles: &[Grid]) -> Vec<Grid>;

    /// The likelihood of each digit of each cell, cells in reading order; `None` if the proposer
    /// has no likelihoods. Called for puzzles whose proposal is wrong: the search tries the most
    /// likely digits first ([`Guided`]).
    fn guide(&self, _puzzle: &Grid) -> Option<Vec<f32>> {
        None
    }
}

/// The node limit of a guided search before the solver takes over, in case the likelihoods are
/// misleading.
const GUIDED_NODES: u64 = 20_000;

/// The origin of a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The proposal was correct.
    Proposer,
    /// The proposal was wrong, and the search found the solution.
    Search,
}

/// The result for one puzzle.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Answer {
    /// A solution and its source. `None` if the puzzle is unsolvable or a limit was reached.
    pub solution: Option<(Grid, Source)>,
    /// The cost of the search, if it was needed.
    pub search: Option<Effort>,
}

/// The results for all puzzles and the time of each phase.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// One result per puzzle, in the same order.
    pub answers: Vec<Answer>,
    /// The time of the proposer.
    pub proposing: Duration,
    /// The time of checking the proposals.
    pub checking: Duration,
    /// The time of all searches.
    pub searching: Duration,
}

/// The proposer or the solver does not support the size of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum HybridError {
    /// The proposer does not support the size.
    #[error("the proposer does not support {0} grids")]
    Proposer(Order),
    /// The solver does not support the size.
    #[error(transparent)]
    Solver(#[from] UnsupportedError),
    /// A puzzle has rules that no proposer knows.
    #[error(transparent)]
    Rules(#[from] ClassicOnlyError),
}

impl Report {
    /// The number of solutions from this source.
    #[must_use]
    pub fn solved_by(&self, source: Source) -> usize {
        self.answers
            .iter()
            .filter(|answer| answer.solution.as_ref().is_some_and(|(_, by)| *by == source))
            .count()
    }
}

/// Solves puzzles with the proposer, and with the solver where a proposal is wrong. The limits
/// apply to each search separately.
pub fn solve(
    puzzles: &[Grid],
    proposer: &dyn Proposer,
    solver: &dyn Solver,
    limits: &Limits<'_>,
) -> Result<Report, HybridError> {
    for puzzle in puzzles {
        if !proposer.supports_rules() {
            puzzle.require_classic("most networks are")?;
        }
        if !proposer.supports(puzzle.order()) {
            return Err(HybridError::Proposer(puzzle.order()));
        }
        solver.check_support(puzzle)?;
    }
    let started = Instant::now();
    let proposals = proposer.propose(puzzles);
    let proposed = Instant::now();
    let missing = std::iter::repeat_with(|| None);
    let proposals = proposals.into_iter().map(Some).chain(missing).zip(puzzles);
    let correct: Vec<Option<Grid>> =
        proposals.map(|(proposal, puzzle)| proposal.filter(|grid| grid.solves(puzzle))).collect();
    let checked = Instant::now();
    let mut answers = Vec::with_capacity(puzzles.len());
    for (puzzle, correct) in puzzles.iter().zip(correct) {
        answers.push(match correct {
            Some(solution) => Answer { solution: Some((solution, Source::Proposer)), search: None },
            None => {
                let (solution, effort) = repair(puzzle, proposer, solver, limits)?;
                Answer {
                    solution: solution.map(|solution| (solution, Source::Search)),
                    search: Some(effort),
                }
            }
        });
    }
    Ok(Report {
        answers,
        proposing: proposed - started,
        checking: checked - proposed,
        searching: checked.elapsed(),
    })
}

/// Searches for a solution, guided by the likelihoods of the proposer if it has any.
fn repair(
    puzzle: &Grid,
    proposer: &dyn Proposer,
    solver: &dyn Solver,
    limits: &Limits<'_>,
) -> Result<(Option<Grid>, Effort), UnsupportedError> {
    let Some(likelihoods) = proposer.guide(puzzle) else {
        return solver.first(puzzle, limits);
    };
    let bound = limits.nodes.map_or(GUIDED_NODES, |nodes| nodes.min(GUIDED_NODES));
    let bounded = limits.with_nodes(bound);
    let (solution, guided) = Guided::new(puzzle.order(), &likelihoods).first(puzzle, &bounded)?;
    if guided.stop != Some(StopReason::Nodes) || limits.nodes == Some(bound) {
        return Ok((solution, guided));
    }
    let (solution, effort) = solver.first(puzzle, limits)?;
    Ok((solution, guided.then(effort)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::backtrack::Backtrack;
    use crate::search::bands::Bands;

    /// Proposes fixed grids for all puzzles.
    struct FixedProposer(Vec<Grid>);

    impl Proposer for FixedProposer {
        fn supports(&self, order: Order) -> bool {
            order == Order::FOUR
        }

        fn propose(&self, _puzzles: &[Grid]) -> Vec<Grid> {
            self.0.clone()
        }
    }

    fn grid(text: &str) -> Grid {
        text.parse().unwrap()
    }

    #[test]
    fn search_repairs_wrong_proposals_and_reports_the_source() {
        let solution = grid("1234341223414123");
        let puzzles =
            [grid("1..4..1..3..4..3"), grid(".43.3.....4..1.."), grid("123........4....")];
        let proposer = FixedProposer(vec![solution.clone(); 3]);
        let report = solve(&puzzles, &proposer, &Backtrack, &Limits::none()).unwrap();
        assert_eq!(report.answers[0].solution, Some((solution, Source::Proposer)));
        assert!(report.answers[0].search.is_none());
        assert_eq!(report.answers[1].solution, Some((grid("1432321423414123"), Source::Search)));
        assert_eq!(report.answers[2].solution, None, "the puzzle has no solution");
        assert_eq!((report.solved_by(Source::Proposer), report.solved_by(Source::Search)), (1, 1));
    }

    #[test]
    fn search_repairs_missing_and_incomplete_proposals() {
        let puzzles = [grid("1..4..1..3..4..3")];
        let report =
            solve(&puzzles, &FixedProposer(Vec::new()), &Backtrack, &Limits::none()).unwrap();
        assert_eq!(report.solved_by(Source::Search), 1);
        let half = FixedProposer(vec![puzzles[0].clone()]);
        assert_eq!(
            solve(&puzzles, &half, &Backtrack, &Limits::none()).unwrap().solved_by(Source::Search),
            1
        );
    }

    #[test]
    fn rejects_unsupported_sizes() {
        let (four, nine) = ([grid("1..4..1..3..4..3")], [Grid::empty(Order::NINE)]);
        let error = |puzzles: &[Grid], solver: &dyn Solver| {
            solve(puzzles, &FixedProposer(Vec::new()), solver, &Limits::none())
                .unwrap_err()
                .to_string()
        };
        assert_eq!(error(&nine, &Bands), "the proposer does not support 9×9 grids");
        assert_eq!(error(&four, &Bands), "solver bands does not support 4×4 grids");
    }

    /// Fills nothing but returns likelihoods.
    struct GuideOnly(Vec<f32>);

    impl Proposer for GuideOnly {
        fn supports(&self, _order: Order) -> bool {
            true
        }

        fn propose(&self, puzzles: &[Grid]) -> Vec<Grid> {
            puzzles.to_vec()
        }

        fn guide(&self, _puzzle: &Grid) -> Option<Vec<f32>> {
            Some(self.0.clone())
        }
    }

    #[test]
    fn likelihoods_guide_the_search() {
        let puzzle = grid(
            "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
        );
        let solution: Vec<u8> =
            Bands.first(&puzzle, &Limits::none()).unwrap().0.unwrap().numbers().collect();
        let nodes = |sign: f32| {
            let likelihood = |place: usize| {
                sign * f32::from(u8::from(usize::from(solution[place / 9]) == place % 9 + 1))
            };
            let proposer = GuideOnly((0..729).map(likelihood).collect());
            let report =
                solve(std::slice::from_ref(&puzzle), &proposer, &Bands, &Limits::none()).unwrap();
            let Answer { solution: Some((found, Source::Search)), search: Some(effort) } =
                &report.answers[0]
            else {
                panic!("the search finds it")
            };
            assert!(found.solves(&puzzle));
            effort.nodes
        };
        assert!(nodes(1.0) < nodes(-1.0), "{} {}", nodes(1.0), nodes(-1.0));
    }
}
