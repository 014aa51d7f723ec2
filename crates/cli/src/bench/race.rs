//! Runs the solvers in turns on transformed puzzles and checks their answers.

use super::contestant::{Answer, COUNT_LIMIT, Contestant, Task, Turn};
use super::definition::Definition;
use crate::error::CliError;
use ninefold::grid::{Grid, Symmetry};
use ninefold::random::Random;
use std::time::Duration;

/// The number of puzzles in a turn.
const PUZZLES_PER_TURN: usize = 1_024;

/// The number of wrong answers that are printed for each solver.
const EXAMPLES_SHOWN: usize = 3;

/// The settings for all solvers.
pub struct Settings {
    /// The time limit of each solver for each list.
    pub time: Duration,
    pub passes: u64,
    pub seed: u64,
}

impl Settings {
    pub fn new(seconds: f64, passes: u64, seed: u64) -> Result<Settings, CliError> {
        let time = Duration::try_from_secs_f64(seconds).map_err(|_| {
            CliError::new(format!("--seconds {seconds}: expected a number that is not negative"))
        })?;
        Ok(Settings { time, passes, seed })
    }
}

/// The result of one solver on one list.
#[derive(Clone, Debug, Default)]
pub struct Score {
    pub name: &'static str,
    /// The number of answered puzzles.
    pub answered: u64,
    /// The CPU time, including incomplete answers.
    pub time: Duration,
    pub guesses: u64,
    /// The number of answers without guesses.
    pub without_a_guess: u64,
    /// True if the time limit was reached before the end of the list.
    pub capped: bool,
    pub wrong: u64,
    /// Descriptions of the first wrong answers.
    pub wrong_examples: Vec<String>,
}

pub fn run(
    puzzles: &[Grid],
    contestants: &[Box<dyn Contestant>],
    definition: &Definition,
    settings: &Settings,
) -> Vec<Score> {
    let mut scores: Vec<Score> = contestants
        .iter()
        .map(|contestant| Score { name: contestant.name(), ..Score::default() })
        .collect();
    for pass in 0..settings.passes {
        let mut order: Vec<usize> = (0..puzzles.len()).collect();
        Random::for_part(settings.seed, pass).shuffle(&mut order);
        for turn in order.chunks(PUZZLES_PER_TURN) {
            let images: Vec<Grid> = turn
                .iter()
                .map(|&index| {
                    let part = 1 + pass * puzzles.len() as u64 + index as u64;
                    let mut random = Random::for_part(settings.seed.wrapping_add(1), part);
                    Symmetry::random(puzzles[index].order(), &mut random).image(&puzzles[index])
                })
                .collect();
            let mut answers = Vec::new();
            for (contestant, score) in contestants.iter().zip(&mut scores) {
                answers.push(take_turn(
                    contestant.as_ref(),
                    score,
                    &images,
                    definition.task,
                    settings.time,
                ));
            }
            check_answers(&images, &answers, definition, &mut scores);
        }
    }
    scores
}

fn take_turn(
    contestant: &dyn Contestant,
    score: &mut Score,
    puzzles: &[Grid],
    task: Task,
    time: Duration,
) -> Vec<Answer> {
    let left = time.saturating_sub(score.time);
    if left.is_zero() || score.capped {
        score.capped = true;
        return Vec::new();
    }
    let Turn { answers, time } = contestant.answer(puzzles, task, left);
    score.time += time;
    score.capped |= answers.len() < puzzles.len();
    score.answered += answers.len() as u64;
    score.guesses += answers.iter().map(|answer| answer.guesses).sum::<u64>();
    score.without_a_guess += answers.iter().filter(|answer| answer.guesses == 0).count() as u64;
    answers
}

/// Checks every answer against the rules, the expected count and the first correct answer.
fn check_answers(
    puzzles: &[Grid],
    answers: &[Vec<Answer>],
    definition: &Definition,
    scores: &mut [Score],
) {
    for (at, puzzle) in puzzles.iter().enumerate() {
        let mut reference: Option<(&Answer, &'static str)> = None;
        for (answers, score) in answers.iter().zip(&mut *scores) {
            let Some(answer) = answers.get(at) else { continue };
            let error = error_in(puzzle, answer, definition).or_else(|| {
                let (other, name) = reference?;
                disagreement(answer, other, definition.task).map(|what| format!("{what} {name}"))
            });
            if let Some(error) = error {
                score.wrong += 1;
                if score.wrong_examples.len() < EXAMPLES_SHOWN {
                    score.wrong_examples.push(format!("{} {error}, on {puzzle}", score.name));
                }
            } else if reference.is_none() {
                reference = Some((answer, score.name));
            }
        }
    }
}

/// The error in a single answer.
fn error_in(puzzle: &Grid, answer: &Answer, definition: &Definition) -> Option<String> {
    if answer.solutions.iter().any(|solution| !solution.solves(puzzle)) {
        return Some("returns a grid that is not a solution".to_string());
    }
    if matches!(answer.solutions.as_slice(), [first, second] if first == second) {
        return Some("returns the same solution twice".to_string());
    }
    let count_differs =
        definition.task != Task::Count && answer.solutions.len() as u64 != answer.count;
    if count_differs {
        return Some(format!("counts {} but returns {}", answer.count, answer.solutions.len()));
    }
    let expected = definition.solutions?;
    (!expected.allows(answer.count, definition.task))
        .then(|| format!("finds {} solutions instead of {expected}", answer.count))
}

/// The contradiction between two answers for the same puzzle.
fn disagreement(answer: &Answer, other: &Answer, task: Task) -> Option<&'static str> {
    let up_to = if task == Task::Count { COUNT_LIMIT } else { 2 };
    if answer.count.min(up_to) != other.count.min(up_to) {
        return Some("has another count than");
    }
    let unique = task == Task::ProveUnique && answer.count == 1;
    (unique && answer.solutions != other.solutions).then_some("has another unique solution than")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::definition::Expected;
    use ninefold::grid::Order;

    /// Gives the same answer for every puzzle.
    struct FixedAnswer(&'static str, u64, Vec<Grid>);

    impl Contestant for FixedAnswer {
        fn name(&self) -> &'static str {
            self.0
        }
        fn supports(&self, _order: Order) -> bool {
            true
        }
        fn answer(&self, puzzles: &[Grid], _task: Task, _time: Duration) -> Turn {
            let answer = Answer { count: self.1, solutions: self.2.clone(), guesses: 3 };
            Turn { answers: vec![answer; puzzles.len()], time: Duration::ZERO }
        }
    }

    fn check(
        task: Task,
        solutions: Option<Expected>,
        contestants: Vec<FixedAnswer>,
        wrong: &[&str],
    ) {
        let puzzles = vec![Grid::empty(Order::FOUR)];
        let definition = Definition {
            name: String::new(),
            list: String::new(),
            task,
            solutions,
            solvers: Vec::new(),
        };
        let settings = Settings::new(1.0, 1, 1).unwrap();
        let contestants: Vec<Box<dyn Contestant>> = contestants
            .into_iter()
            .map(|contestant| Box::new(contestant) as Box<dyn Contestant>)
            .collect();
        let scores = run(&puzzles, &contestants, &definition, &settings);
        let found: Vec<&str> =
            scores.iter().flat_map(|score| &score.wrong_examples).map(String::as_str).collect();
        let ending = format!(", on {}", puzzles[0]);
        let wrong: Vec<String> = wrong.iter().map(|text| format!("{text}{ending}")).collect();
        assert_eq!(found, wrong);
        assert!(
            scores.iter().all(|score| score.answered == 1 && score.guesses == 3 && !score.capped)
        );
    }

    fn solution(line: &str) -> Grid {
        line.parse().unwrap()
    }

    #[test]
    fn detects_wrong_answers() {
        let (one, two) = (solution("1234341221434321"), solution("1234341223414123"));
        check(Task::Count, Some(Expected::Several), vec![FixedAnswer("a", 288, vec![])], &[]);
        check(
            Task::Count,
            Some(Expected::Several),
            vec![FixedAnswer("a", 1, vec![])],
            &["a finds 1 solutions instead of 2+"],
        );
        check(
            Task::Count,
            None,
            vec![FixedAnswer("a", 288, vec![]), FixedAnswer("b", 287, vec![])],
            &["b has another count than a"],
        );
        check(
            Task::ProveUnique,
            None,
            vec![FixedAnswer("a", 1, vec![one.clone()]), FixedAnswer("b", 1, vec![two.clone()])],
            &["b has another unique solution than a"],
        );
        check(Task::ProveUnique, None, vec![FixedAnswer("a", 2, vec![one.clone(), two])], &[]);
        check(
            Task::ProveUnique,
            None,
            vec![FixedAnswer("a", 2, vec![one.clone(), one.clone()])],
            &["a returns the same solution twice"],
        );
        check(Task::First, None, vec![FixedAnswer("a", 1, vec![])], &["a counts 1 but returns 0"]);
        let broken = one.without(Order::FOUR.cell(0, 0));
        check(
            Task::First,
            None,
            vec![FixedAnswer("a", 1, vec![broken])],
            &["a returns a grid that is not a solution"],
        );
    }

    #[test]
    fn caps_a_solver_at_the_time_limit() {
        let definition = Definition {
            name: String::new(),
            list: String::new(),
            task: Task::First,
            solutions: None,
            solvers: vec![],
        };
        let contestants: Vec<Box<dyn Contestant>> = vec![Box::new(FixedAnswer("a", 0, vec![]))];
        let settings = Settings::new(0.0, 1, 1).unwrap();
        let scores = run(&[Grid::empty(Order::FOUR)], &contestants, &definition, &settings);
        assert!(scores[0].capped);
        assert_eq!(scores[0].answered, 0);
    }
}
