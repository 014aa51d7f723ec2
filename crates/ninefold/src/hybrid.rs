//! Guess, check, repair: this is where a guesser and a solver work together.
//!
//! A [`Proposer`] fills puzzles without proof; a neural network is one. The rules check what it says, and where it is
//! wrong a search finds the answer instead (Kocherzhenko 2020). So a wrong proposal costs time and never truth: every solution
//! that leaves this module keeps the rules and the clues, and says who found it.

use crate::clock::Instant;
use crate::grid::{Grid, Order};
use crate::search::guided::Guided;
use crate::search::{Effort, Limits, Solver, Stop, WrongSize};
use std::time::Duration;

/// How long a person at a keyboard waits for a solution before the puzzle is taken to have none (Kocherzhenko 2020).
pub const INTERACTIVE_LIMIT: Duration = Duration::from_secs(120);

/// Somebody who fills puzzles without proof.
pub trait Proposer {
    /// Can it take puzzles of this size?
    fn takes(&self, order: Order) -> bool;

    /// One grid for each puzzle, right or wrong. Digits that stand in a puzzle, a player's own ones too, are kept.
    fn propose(&self, puzzles: &[Grid]) -> Vec<Grid>;

    /// Asked about a puzzle that it filled wrongly: how likely each digit of each cell is, in reading order, if a search shall try the
    /// likeliest first ([`Guided`]).
    fn guide(&self, _puzzle: &Grid) -> Option<Vec<f32>> {
        None
    }
}

/// Nodes of a guided search before the solver takes over: a guide that is far off leads nowhere.
const GUIDED_NODES: u64 = 20_000;

/// Who found a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finder {
    /// The proposal kept all rules.
    Proposer,
    /// The proposal was wrong, and the search found a solution.
    Search,
}

/// The answer for one puzzle.
#[derive(Clone, Debug)]
pub struct Answer {
    /// A solution and who found it; nothing if there is none or a limit was reached.
    pub solution: Option<(Grid, Finder)>,
    /// What the search cost, if it was needed.
    pub search: Option<Effort>,
}

/// The answers for all puzzles, and the time of each part of the work.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// One answer for each puzzle.
    pub answers: Vec<Answer>,
    /// Time of the proposer.
    pub proposing: Duration,
    /// Time of checking the rules.
    pub checking: Duration,
    /// Time of the search.
    pub searching: Duration,
}

/// Why puzzles cannot be worked on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// The proposer is for other sizes.
    #[error("the proposer does not take {0} grids")]
    Proposer(Order),
    /// The solver is for other sizes.
    #[error(transparent)]
    Solver(#[from] WrongSize),
}

impl Report {
    /// How many solutions this finder found.
    #[must_use]
    pub fn found_by(&self, finder: Finder) -> usize {
        self.answers
            .iter()
            .filter(|answer| answer.solution.as_ref().is_some_and(|(_, by)| *by == finder))
            .count()
    }
}

/// Lets the proposer fill all puzzles, checks each grid, and searches where one is wrong. The limits hold for each
/// search.
pub fn solve(
    puzzles: &[Grid],
    proposer: &dyn Proposer,
    solver: &dyn Solver,
    limits: &Limits<'_>,
) -> Result<Report, Refusal> {
    for order in puzzles.iter().map(Grid::order) {
        if !proposer.takes(order) {
            return Err(Refusal::Proposer(order));
        }
        if !solver.takes(order) {
            return Err(WrongSize { solver: solver.name(), order }.into());
        }
    }
    let started = Instant::now();
    let proposals = proposer.propose(puzzles);
    let proposed = Instant::now();
    let unknown = std::iter::repeat_with(|| None);
    let proposals = proposals.into_iter().map(Some).chain(unknown).zip(puzzles);
    let right: Vec<Option<Grid>> =
        proposals.map(|(proposal, puzzle)| proposal.filter(|grid| grid.solves(puzzle))).collect();
    let checked = Instant::now();
    let mut answers = Vec::with_capacity(puzzles.len());
    for (puzzle, right) in puzzles.iter().zip(right) {
        answers.push(match right {
            Some(solution) => Answer { solution: Some((solution, Finder::Proposer)), search: None },
            None => {
                let (solution, effort) = repair(puzzle, proposer, solver, limits)?;
                Answer {
                    solution: solution.map(|solution| (solution, Finder::Search)),
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

/// Searches, along the proposer's own likelihoods if it has some.
fn repair(
    puzzle: &Grid,
    proposer: &dyn Proposer,
    solver: &dyn Solver,
    limits: &Limits<'_>,
) -> Result<(Option<Grid>, Effort), WrongSize> {
    let Some(likelihoods) = proposer.guide(puzzle) else {
        return solver.first(puzzle, limits);
    };
    let bound = limits.nodes.map_or(GUIDED_NODES, |nodes| nodes.min(GUIDED_NODES));
    let bounded = Limits { nodes: Some(bound), ..*limits };
    let (solution, guided) = Guided::new(puzzle.order(), &likelihoods).first(puzzle, &bounded)?;
    if guided.stop != Some(Stop::Nodes) || limits.nodes == Some(bound) {
        return Ok((solution, guided));
    }
    let (solution, mut effort) = solver.first(puzzle, limits)?;
    effort.nodes += guided.nodes;
    effort.guesses += guided.guesses;
    effort.elapsed += guided.elapsed;
    Ok((solution, effort))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::backtrack::Backtrack;
    use crate::search::bands::Bands;

    /// Says the same grid to everybody.
    struct Stubborn(Vec<Grid>);

    impl Proposer for Stubborn {
        fn takes(&self, order: Order) -> bool {
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
    fn a_wrong_proposal_is_repaired_and_the_answer_says_by_whom() {
        let solution = grid("1234341223414123");
        let puzzles =
            [grid("1..4..1..3..4..3"), grid(".43.3.....4..1.."), grid("123........4....")];
        let proposer = Stubborn(vec![solution.clone(); 3]);
        let report = solve(&puzzles, &proposer, &Backtrack, &Limits::none()).unwrap();
        assert_eq!(report.answers[0].solution, Some((solution, Finder::Proposer)));
        assert!(report.answers[0].search.is_none());
        assert_eq!(report.answers[1].solution, Some((grid("1432321423414123"), Finder::Search)));
        assert_eq!(report.answers[2].solution, None, "there is none, and nobody says otherwise");
        assert_eq!((report.found_by(Finder::Proposer), report.found_by(Finder::Search)), (1, 1));
    }

    #[test]
    fn a_proposer_that_says_too_little_is_repaired_too() {
        let puzzles = [grid("1..4..1..3..4..3")];
        let report = solve(&puzzles, &Stubborn(Vec::new()), &Backtrack, &Limits::none()).unwrap();
        assert_eq!(report.found_by(Finder::Search), 1);
        let half = Stubborn(vec![puzzles[0].clone()]);
        assert_eq!(
            solve(&puzzles, &half, &Backtrack, &Limits::none()).unwrap().found_by(Finder::Search),
            1
        );
    }

    #[test]
    fn sizes_that_one_of_the_two_cannot_take_are_refused() {
        let (four, nine) = ([grid("1..4..1..3..4..3")], [Grid::empty(Order::NINE)]);
        let refusal = |puzzles: &[Grid], solver: &dyn Solver| {
            solve(puzzles, &Stubborn(Vec::new()), solver, &Limits::none()).unwrap_err().to_string()
        };
        assert_eq!(refusal(&nine, &Bands), "the proposer does not take 9×9 grids");
        assert_eq!(refusal(&four, &Bands), "the solver bands does not take 4×4 grids");
    }

    /// Fills nothing, and has an opinion.
    struct Hesitant(Vec<f32>);

    impl Proposer for Hesitant {
        fn takes(&self, _order: Order) -> bool {
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
    fn a_guide_orders_the_search_that_repairs() {
        let puzzle = grid(
            "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
        );
        let solution: Vec<u8> =
            Bands.first(&puzzle, &Limits::none()).unwrap().0.unwrap().numbers().collect();
        let nodes = |sign: f32| {
            let likelihood = |place: usize| {
                sign * f32::from(u8::from(usize::from(solution[place / 9]) == place % 9 + 1))
            };
            let proposer = Hesitant((0..729).map(likelihood).collect());
            let report =
                solve(std::slice::from_ref(&puzzle), &proposer, &Bands, &Limits::none()).unwrap();
            let Answer { solution: Some((found, Finder::Search)), search: Some(effort) } =
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
