//! The race itself: rearranged puzzles, turns of equal length, checked answers.

use super::contestant::{Answer, COUNT_LIMIT, Contestant, Task, Turn};
use super::definition::Definition;
use crate::error::CliError;
use ninefold::grid::{Grid, Symmetry};
use ninefold::random::Random;
use std::time::Duration;

/// How many puzzles a contestant answers before the next one has its turn.
const PUZZLES_PER_TURN: usize = 1_024;

/// How many wrong answers are shown in full.
const EXAMPLES_SHOWN: usize = 3;

/// What holds for all contestants alike.
pub struct Rules {
    /// The time that each contestant gets for each list.
    pub time: Duration,
    /// How often the list is run through.
    pub passes: u64,
    /// The seed of the rearrangement.
    pub seed: u64,
}

impl Rules {
    /// Checks the numbers.
    pub fn of(seconds: f64, passes: u64, seed: u64) -> Result<Rules, CliError> {
        let time = Duration::try_from_secs_f64(seconds).map_err(|_| {
            CliError::new(format!("{seconds} is not a time")).hint("--seconds is 0 or more")
        })?;
        Ok(Rules { time, passes, seed })
    }
}

/// How one contestant did on one list.
#[derive(Clone, Debug, Default)]
pub struct Score {
    /// The contestant.
    pub name: &'static str,
    /// Puzzles it answered.
    pub answered: u64,
    /// CPU time it used, also for what it did not finish.
    pub time: Duration,
    /// Guesses for all answers.
    pub guesses: u64,
    /// Answers that needed no guess.
    pub without_a_guess: u64,
    /// Was its time used up before the list was?
    pub capped: bool,
    /// Wrong answers.
    pub wrong: u64,
    /// The first of them, in words.
    pub wrong_examples: Vec<String>,
}

/// Lets the contestants take turns.
pub fn run(
    puzzles: &[Grid],
    contestants: &[Box<dyn Contestant>],
    definition: &Definition,
    rules: &Rules,
) -> Vec<Score> {
    let mut scores: Vec<Score> = contestants
        .iter()
        .map(|contestant| Score { name: contestant.name(), ..Score::default() })
        .collect();
    for pass in 0..rules.passes {
        let mut order: Vec<usize> = (0..puzzles.len()).collect();
        Random::for_part(rules.seed, pass).shuffle(&mut order);
        for turn in order.chunks(PUZZLES_PER_TURN) {
            let images: Vec<Grid> = turn
                .iter()
                .map(|&index| {
                    let part = 1 + pass * puzzles.len() as u64 + index as u64;
                    let mut random = Random::for_part(rules.seed.wrapping_add(1), part);
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
                    rules.time,
                ));
            }
            judge(&images, &answers, definition, &mut scores);
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

/// Checks every answer against the rules, against what is known and against the first contestant that answered.
fn judge(puzzles: &[Grid], answers: &[Vec<Answer>], definition: &Definition, scores: &mut [Score]) {
    for (at, puzzle) in puzzles.iter().enumerate() {
        let mut reference: Option<(&Answer, &'static str)> = None;
        for (answers, score) in answers.iter().zip(&mut *scores) {
            let Some(answer) = answers.get(at) else { continue };
            let complaint = complaint(puzzle, answer, definition).or_else(|| {
                let (other, name) = reference?;
                disagreement(answer, other, definition.task).map(|what| format!("{what} {name}"))
            });
            if let Some(complaint) = complaint {
                score.wrong += 1;
                if score.wrong_examples.len() < EXAMPLES_SHOWN {
                    score.wrong_examples.push(format!("{} {complaint}, on {puzzle}", score.name));
                }
            } else if reference.is_none() {
                reference = Some((answer, score.name));
            }
        }
    }
}

/// What is wrong with an answer by itself.
fn complaint(puzzle: &Grid, answer: &Answer, definition: &Definition) -> Option<String> {
    if answer.witnesses.iter().any(|solution| !solution.solves(puzzle)) {
        return Some("shows a grid that is not a solution".to_string());
    }
    if matches!(answer.witnesses.as_slice(), [first, second] if first == second) {
        return Some("shows the same solution twice".to_string());
    }
    let shows_too_few =
        definition.task != Task::Count && answer.witnesses.len() as u64 != answer.count;
    if shows_too_few {
        return Some(format!("counts {} but shows {}", answer.count, answer.witnesses.len()));
    }
    let expected = definition.solutions?;
    (!expected.allows(answer.count, definition.task))
        .then(|| format!("finds {} solutions where {expected} is right", answer.count))
}

/// How two answers to one puzzle contradict each other.
fn disagreement(answer: &Answer, other: &Answer, task: Task) -> Option<&'static str> {
    let up_to = if task == Task::Count { COUNT_LIMIT } else { 2 };
    if answer.count.min(up_to) != other.count.min(up_to) {
        return Some("counts differently from");
    }
    let unique = task == Task::ProveUnique && answer.count == 1;
    (unique && answer.witnesses != other.witnesses).then_some("has another only solution than")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::definition::Expected;
    use ninefold::grid::Order;

    /// Says the same about every puzzle.
    struct Stubborn(&'static str, u64, Vec<Grid>);

    impl Contestant for Stubborn {
        fn name(&self) -> &'static str {
            self.0
        }
        fn takes(&self, _order: Order) -> bool {
            true
        }
        fn answer(&self, puzzles: &[Grid], _task: Task, _time: Duration) -> Turn {
            let answer = Answer { count: self.1, witnesses: self.2.clone(), guesses: 3 };
            Turn { answers: vec![answer; puzzles.len()], time: Duration::ZERO }
        }
    }

    fn check(task: Task, solutions: Option<Expected>, contestants: Vec<Stubborn>, wrong: &[&str]) {
        let puzzles = vec![Grid::empty(Order::FOUR)];
        let definition = Definition {
            name: String::new(),
            list: String::new(),
            task,
            solutions,
            solvers: Vec::new(),
        };
        let rules = Rules::of(1.0, 1, 1).unwrap();
        let contestants: Vec<Box<dyn Contestant>> = contestants
            .into_iter()
            .map(|contestant| Box::new(contestant) as Box<dyn Contestant>)
            .collect();
        let scores = run(&puzzles, &contestants, &definition, &rules);
        let found: Vec<&str> =
            scores.iter().flat_map(|score| &score.wrong_examples).map(String::as_str).collect();
        let ending = format!(", on {}", puzzles[0]);
        let wrong: Vec<String> = wrong.iter().map(|words| format!("{words}{ending}")).collect();
        assert_eq!(found, wrong);
        assert!(
            scores.iter().all(|score| score.answered == 1 && score.guesses == 3 && !score.capped)
        );
    }

    fn solution(line: &str) -> Grid {
        line.parse().unwrap()
    }

    #[test]
    fn a_solver_that_lies_is_found_out() {
        let (one, two) = (solution("1234341221434321"), solution("1234341223414123"));
        check(Task::Count, Some(Expected::Several), vec![Stubborn("a", 288, vec![])], &[]);
        check(
            Task::Count,
            Some(Expected::Several),
            vec![Stubborn("a", 1, vec![])],
            &["a finds 1 solutions where 2+ is right"],
        );
        check(
            Task::Count,
            None,
            vec![Stubborn("a", 288, vec![]), Stubborn("b", 287, vec![])],
            &["b counts differently from a"],
        );
        check(
            Task::ProveUnique,
            None,
            vec![Stubborn("a", 1, vec![one.clone()]), Stubborn("b", 1, vec![two.clone()])],
            &["b has another only solution than a"],
        );
        check(Task::ProveUnique, None, vec![Stubborn("a", 2, vec![one.clone(), two])], &[]);
        check(
            Task::ProveUnique,
            None,
            vec![Stubborn("a", 2, vec![one.clone(), one.clone()])],
            &["a shows the same solution twice"],
        );
        check(Task::First, None, vec![Stubborn("a", 1, vec![])], &["a counts 1 but shows 0"]);
        let broken = one.without(Order::FOUR.cell(0, 0));
        check(
            Task::First,
            None,
            vec![Stubborn("a", 1, vec![broken])],
            &["a shows a grid that is not a solution"],
        );
    }

    #[test]
    fn a_contestant_without_time_is_capped() {
        let definition = Definition {
            name: String::new(),
            list: String::new(),
            task: Task::First,
            solutions: None,
            solvers: vec![],
        };
        let contestants: Vec<Box<dyn Contestant>> = vec![Box::new(Stubborn("a", 0, vec![]))];
        let rules = Rules::of(0.0, 1, 1).unwrap();
        let scores = run(&[Grid::empty(Order::FOUR)], &contestants, &definition, &rules);
        assert!(scores[0].capped);
        assert_eq!(scores[0].answered, 0);
    }
}
