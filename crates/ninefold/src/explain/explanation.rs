//! The explanation of a position: checked steps and an outcome.

use super::hint::{Mistake, mistake};
use crate::grid::{Candidates, Conflict, Grid, Position, Solutions, Symmetry};
use crate::limits::{Limits, StopReason};
use crate::logic::{self, ExplainOptions, Steps};
use crate::proof::{self, ProofError, Step};

/// How an explanation ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ExplainOutcome {
    /// Every cell is filled.
    Solved,
    /// None of the enabled techniques finds a step.
    Stuck,
    /// A cell has no candidate or a digit has no place left, so there is no solution.
    Contradiction,
    /// No steps were searched, because two equal digits share a house.
    Conflict(Conflict),
    /// No steps were searched, because the position cannot lead to the unique solution.
    Mistake(Mistake),
    /// The maximum number of steps was reached.
    StepLimit,
    /// A time limit was reached, or the caller cancelled.
    Stopped(StopReason),
    /// The checker rejected the next step, which is a bug in Ninefold. The step is not part of the
    /// explanation.
    NotProven {
        /// The rejected step.
        step: Box<Step>,
        /// Why the checker rejected it.
        error: ProofError,
    },
}

impl ExplainOutcome {
    /// Returns a short name: `solved`, `stuck`, `contradiction`, `conflict`, `mistake`,
    /// `enough`, `time`, `cancelled` or `bug`.
    pub fn name(&self) -> &'static str {
        match self {
            ExplainOutcome::Solved => "solved",
            ExplainOutcome::Stuck => "stuck",
            ExplainOutcome::Contradiction => "contradiction",
            ExplainOutcome::Conflict(_) => "conflict",
            ExplainOutcome::Mistake(_) => "mistake",
            ExplainOutcome::StepLimit => "enough",
            ExplainOutcome::Stopped(StopReason::Cancelled) => "cancelled",
            ExplainOutcome::Stopped(_) => "time",
            ExplainOutcome::NotProven { .. } => "bug",
        }
    }
}

impl From<logic::StepsOutcome> for ExplainOutcome {
    fn from(end: logic::StepsOutcome) -> ExplainOutcome {
        match end {
            logic::StepsOutcome::Solved => ExplainOutcome::Solved,
            logic::StepsOutcome::Stuck => ExplainOutcome::Stuck,
            logic::StepsOutcome::Contradiction => ExplainOutcome::Contradiction,
            logic::StepsOutcome::StepLimit => ExplainOutcome::StepLimit,
            logic::StepsOutcome::Stopped(stop) => ExplainOutcome::Stopped(stop),
        }
    }
}

/// Iterator over the steps of an explanation, each with the position before it. The checker has
/// verified every step.
#[must_use = "the iterator is lazy and does nothing unless consumed"]
pub struct CheckedSteps<'a> {
    start: Position,
    steps: Steps<'a>,
    now: Candidates,
    outcome: Option<ExplainOutcome>,
}

impl<'a> CheckedSteps<'a> {
    /// Starts explaining a position. See [`Explanation::new`] for the arguments.
    pub fn new(
        position: &Position,
        solutions: Option<&Solutions>,
        options: &ExplainOptions,
        limits: &Limits<'a>,
    ) -> CheckedSteps<'a> {
        let start = position.clone().without_stale_marks();
        let only = solutions.and_then(Solutions::only);
        let options = options
            .clone()
            .with_uniqueness(options.uniqueness && only.is_some())
            .with_one_solution(only.is_some());
        CheckedSteps {
            steps: Steps::new(&start, &options, limits),
            now: start.candidates().clone(),
            outcome: obstacle(&start, only),
            start,
        }
    }

    /// Returns the start position without stale candidates.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// Returns the outcome, or `None` before the end.
    pub fn outcome(&self) -> Option<&ExplainOutcome> {
        self.outcome.as_ref()
    }

    /// Returns the current digits and candidates.
    pub fn reached(&self) -> &Candidates {
        &self.now
    }
}

impl Iterator for CheckedSteps<'_> {
    type Item = (Candidates, Step);

    fn next(&mut self) -> Option<(Candidates, Step)> {
        if self.outcome.is_some() {
            return None;
        }
        let Some(step) = self.steps.next() else {
            self.outcome = self.steps.outcome().map(ExplainOutcome::from);
            return None;
        };
        if let Err(error) = proof::check(&step, self.start.puzzle(), &self.now) {
            self.outcome = Some(ExplainOutcome::NotProven { step: Box::new(step), error });
            return None;
        }
        let before = self.now.clone();
        step.apply_to(&mut self.now);
        Some((before, step))
    }
}

/// Returns what prevents a position from being explained.
fn obstacle(position: &Position, only: Option<&Grid>) -> Option<ExplainOutcome> {
    let conflict = position.grid().conflict().map(ExplainOutcome::Conflict);
    let altered =
        || position.altered_clue().map(|(cell, digit)| Mistake::WrongDigit { cell, digit });
    let mistake =
        || altered().or_else(|| mistake(position.candidates(), only?)).map(ExplainOutcome::Mistake);
    conflict.or_else(mistake)
}

/// Explanation of a position.
///
/// ```
/// use ninefold::explain::{ExplainOutcome, Explanation};
/// use ninefold::grid::{Grid, Position};
/// use ninefold::limits::Limits;
/// use ninefold::logic::ExplainOptions;
///
/// let puzzle: Grid =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
///         .parse()?;
/// let position = Position::from_puzzle(&puzzle)?;
/// let options = ExplainOptions::default();
/// let explanation = Explanation::new(&position, None, &options, &Limits::none());
/// assert_eq!(explanation.outcome, ExplainOutcome::Solved);
/// assert_eq!(explanation.steps.len(), 51);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// Start position.
    pub start: Position,
    /// Solutions of the puzzle, or `None` if they are unknown.
    pub solutions: Option<Solutions>,
    /// The checked steps.
    pub steps: Vec<Step>,
    /// Digits and candidates after the last step.
    pub last: Candidates,
    /// How the explanation ended.
    pub outcome: ExplainOutcome,
}

impl Explanation {
    /// Explains a position. `solutions` is the result of a search, or `None` if it did not finish.
    /// If it contains exactly one solution, the position is compared with this solution, and steps
    /// that assume a unique solution are allowed; otherwise they are not. Candidates that see an
    /// equal digit are removed before the first step, and cells without any candidates get all
    /// possible ones.
    pub fn new(
        position: &Position,
        solutions: Option<Solutions>,
        options: &ExplainOptions,
        limits: &Limits<'_>,
    ) -> Explanation {
        let mut checked = CheckedSteps::new(position, solutions.as_ref(), options, limits);
        let steps = checked.by_ref().map(|(_, step)| step).collect();
        Explanation {
            start: checked.start,
            solutions,
            steps,
            last: checked.now,
            outcome: checked.outcome.expect("the iterator is exhausted"),
        }
    }

    /// Applies a symmetry to a position, explains the result, and maps the steps back to the
    /// original position. If the symmetry leads to the canonical form of the puzzle, all equivalent
    /// puzzles get equivalent steps. Otherwise the step found first would depend on the arrangement
    /// of the grid. See [`Explanation::new`] for the other arguments.
    pub fn with_symmetry(
        position: &Position,
        symmetry: &Symmetry,
        solutions: Option<Solutions>,
        options: &ExplainOptions,
        limits: &Limits<'_>,
    ) -> Explanation {
        let image = |grid: &Grid| symmetry.image(grid);
        let image_solutions = solutions.as_ref().map(|solutions| match solutions {
            Solutions::Zero => Solutions::Zero,
            Solutions::One(only) => Solutions::One(image(only)),
            Solutions::Many(first, second) => Solutions::Many(image(first), image(second)),
        });
        let mut checked = CheckedSteps::new(
            &symmetry.position(position),
            image_solutions.as_ref(),
            options,
            limits,
        );
        let inverse = symmetry.inverse();
        let steps: Vec<Step> = checked.by_ref().map(|(_, step)| step.image(&inverse)).collect();
        let start = position.clone().without_stale_marks();
        let outcome = checked.outcome.expect("the iterator is exhausted");
        // Mistakes and conflicts refer to the cells of the original position, and the mapped steps
        // are checked again.
        let mut last = start.candidates().clone();
        let only = solutions.as_ref().and_then(Solutions::only);
        let mut outcome = obstacle(&start, only).unwrap_or(outcome);
        let mut checked_steps = Vec::new();
        for step in steps {
            if let Err(error) = proof::check(&step, start.puzzle(), &last) {
                outcome = ExplainOutcome::NotProven { step: Box::new(step), error };
                break;
            }
            step.apply_to(&mut last);
            checked_steps.push(step);
        }
        Explanation { start, solutions, steps: checked_steps, last, outcome }
    }

    /// Returns the puzzle.
    pub fn puzzle(&self) -> &Grid {
        self.start.puzzle()
    }

    /// Returns the mistake in the start position, if there is one.
    pub fn mistake(&self) -> Option<Mistake> {
        match self.outcome {
            ExplainOutcome::Mistake(mistake) => Some(mistake),
            _ => None,
        }
    }

    /// Returns true if the steps lead to the unique solution.
    pub fn is_complete(&self) -> bool {
        let only = self.solutions.as_ref().and_then(Solutions::only);
        self.outcome == ExplainOutcome::Solved && only == Some(self.last.grid())
    }

    /// Returns each step with the position before it.
    pub fn positions(&self) -> impl Iterator<Item = (Candidates, &Step)> {
        self.steps.iter().scan(self.start.candidates().clone(), |position, step| {
            let before = position.clone();
            step.apply_to(position);
            Some((before, step))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Cell, Digit};
    use crate::proof::Technique;
    use std::time::Duration;

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const SOLUTION: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    fn explain(change: impl Fn(&mut Candidates), limits: &Limits<'_>) -> Explanation {
        let (puzzle, solution): (Grid, Grid) = (PUZZLE.parse().unwrap(), SOLUTION.parse().unwrap());
        let mut candidates = Candidates::new(&puzzle).unwrap();
        change(&mut candidates);
        let position = Position::new(puzzle, candidates).unwrap();
        Explanation::new(
            &position,
            Some(Solutions::One(solution)),
            &ExplainOptions::default(),
            limits,
        )
    }

    #[test]
    fn complete_explanation_reaches_the_unique_solution() {
        let explanation = explain(|_| {}, &Limits::none());
        assert!(explanation.is_complete());
        assert_eq!(explanation.last.grid().to_string(), SOLUTION);
        let unknown = Explanation { solutions: None, ..explanation };
        assert!(!unknown.is_complete());
    }

    #[test]
    fn continues_from_a_partly_solved_position() {
        let first = explain(|_| {}, &Limits::none()).steps.remove(0);
        let rest = explain(|candidates| first.apply_to(candidates), &Limits::none());
        assert!(!rest.steps.contains(&first));
        assert_eq!(rest.steps.len(), 50);
    }

    #[test]
    fn stops_at_a_mistake_or_a_limit() {
        let (cell, digit) = (Cell::new(2), Digit::new(1).unwrap());
        let wrong = explain(|candidates| candidates.place(cell, digit), &Limits::none());
        assert_eq!(wrong.mistake(), Some(Mistake::WrongDigit { cell, digit }));
        assert!(wrong.steps.is_empty());
        let stopped = explain(|_| {}, &Limits::none().with_time(Duration::ZERO));
        assert_eq!(stopped.outcome, ExplainOutcome::Stopped(StopReason::Time));
    }

    #[test]
    fn uniqueness_steps_require_a_known_unique_solution() {
        let puzzle: Grid =
            "1.34......8.9....4.....1......2..6...6..7..5...8..5......5.....6....3.4......81.9"
                .parse()
                .unwrap();
        let position = Position::from_puzzle(&puzzle).unwrap();
        let unique = [Technique::NakedSingle, Technique::HiddenSingle].into_iter();
        let techniques = unique
            .chain(crate::logic::default_order().into_iter().filter(|t| t.needs_uniqueness()));
        let options = ExplainOptions::default().with_techniques(techniques.collect());
        let explanation = Explanation::new(&position, None, &options, &Limits::none());
        assert!(explanation.steps.iter().all(|step| !step.technique.needs_uniqueness()));
    }
}
