//! The explanation of a position: checked steps and a typed end.

use super::hint::{Mistake, mistake};
use crate::grid::{Candidates, Conflict, Grid, Position, Solutions, Symmetry};
use crate::limits::{Limits, Stop};
use crate::logic::{self, Options, Steps};
use crate::proof::{self, Flaw, Step};

/// How an explanation ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum End {
    /// Every cell is filled.
    Solved,
    /// No technique in use finds a step.
    Stuck,
    /// A cell or a digit has no possibility left: there is no solution.
    Contradiction,
    /// It did not begin: two equal digits share a house.
    Conflict(Conflict),
    /// It did not begin: the position cannot lead to the only solution.
    Mistake(Mistake),
    /// As many steps as were wanted.
    Enough,
    /// The time was up, or somebody cancelled.
    Stopped(Stop),
    /// This is a bug in Ninefold: the checker does not accept the next step, so it is not told.
    NotProven {
        /// The step.
        step: Box<Step>,
        /// What is wrong with it.
        flaw: Flaw,
    },
}

impl End {
    /// The end in one word: `solved`, `stuck`, `contradiction`, `conflict`, `mistake`, `enough`, `time`, `cancelled`, `bug`.
    pub fn name(&self) -> &'static str {
        match self {
            End::Solved => "solved",
            End::Stuck => "stuck",
            End::Contradiction => "contradiction",
            End::Conflict(_) => "conflict",
            End::Mistake(_) => "mistake",
            End::Enough => "enough",
            End::Stopped(Stop::Cancelled) => "cancelled",
            End::Stopped(_) => "time",
            End::NotProven { .. } => "bug",
        }
    }
}

impl From<logic::End> for End {
    fn from(end: logic::End) -> End {
        match end {
            logic::End::Solved => End::Solved,
            logic::End::Stuck => End::Stuck,
            logic::End::Contradiction => End::Contradiction,
            logic::End::Enough => End::Enough,
            logic::End::Stopped(stop) => End::Stopped(stop),
        }
    }
}

/// The steps of an explanation as they are found, each with the position before it; the checker has replayed every one.
#[must_use = "steps are found only when they are asked for"]
pub struct Checked<'a> {
    start: Position,
    steps: Steps<'a>,
    now: Candidates,
    end: Option<End>,
}

impl<'a> Checked<'a> {
    /// Explains from a position on; the arguments are those of [`Explanation::of`].
    pub fn new(
        position: &Position,
        solutions: Option<&Solutions>,
        options: &Options,
        limits: &Limits<'a>,
    ) -> Checked<'a> {
        let start = position.clone().without_stale_marks();
        let only = solutions.and_then(Solutions::only);
        let options = Options {
            uniqueness: options.uniqueness && only.is_some(),
            one_solution: only.is_some(),
            ..options.clone()
        };
        Checked {
            steps: Steps::new(&start, &options, limits),
            now: start.candidates().clone(),
            end: obstacle(&start, only),
            start,
        }
    }

    /// The position it starts from, without stale candidates.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// How it ended, once it has.
    pub fn end(&self) -> Option<&End> {
        self.end.as_ref()
    }

    /// The digits and candidates reached so far.
    pub fn reached(&self) -> &Candidates {
        &self.now
    }
}

impl Iterator for Checked<'_> {
    type Item = (Candidates, Step);

    fn next(&mut self) -> Option<(Candidates, Step)> {
        if self.end.is_some() {
            return None;
        }
        let Some(step) = self.steps.next() else {
            self.end = self.steps.end().map(End::from);
            return None;
        };
        if let Err(flaw) = proof::check(&step, self.start.puzzle(), &self.now) {
            self.end = Some(End::NotProven { step: Box::new(step), flaw });
            return None;
        }
        let before = self.now.clone();
        step.apply_to(&mut self.now);
        Some((before, step))
    }
}

/// What keeps a position from being explained.
fn obstacle(position: &Position, only: Option<&Grid>) -> Option<End> {
    let conflict = position.grid().conflict().map(End::Conflict);
    let altered =
        || position.altered_clue().map(|(cell, digit)| Mistake::WrongDigit { cell, digit });
    let mistake = || altered().or_else(|| mistake(position.candidates(), only?)).map(End::Mistake);
    conflict.or_else(mistake)
}

/// A position explained.
///
/// ```
/// use ninefold::explain::{End, Explanation};
/// use ninefold::grid::{Grid, Position};
/// use ninefold::limits::Limits;
/// use ninefold::logic::Options;
///
/// let puzzle: Grid =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let explanation = Explanation::of(&Position::start(&puzzle)?, None, &Options::default(), &Limits::none());
/// assert_eq!(explanation.end, End::Solved);
/// assert_eq!(explanation.steps.len(), 51);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Explanation {
    /// The position it starts from.
    pub start: Position,
    /// What was known of the solutions of the puzzle; `None` if that was not certain.
    pub solutions: Option<Solutions>,
    /// The steps, each accepted by the checker.
    pub steps: Vec<Step>,
    /// The digits and candidates it ends with.
    pub last: Candidates,
    /// How it ended.
    pub end: End,
}

impl Explanation {
    /// Explains from a position on. `solutions` is what a search has found out about the puzzle, `None` if it did not
    /// finish: steps that rest on uniqueness are used only if there is known to be one solution, and the position is
    /// compared with it. Candidates that see an equal digit are left out first, and cells without any candidate get all
    /// that are possible.
    pub fn of(
        position: &Position,
        solutions: Option<Solutions>,
        options: &Options,
        limits: &Limits<'_>,
    ) -> Explanation {
        let mut checked = Checked::new(position, solutions.as_ref(), options, limits);
        let steps = checked.by_ref().map(|(_, step)| step).collect();
        Explanation {
            start: checked.start,
            solutions,
            steps,
            last: checked.now,
            end: checked.end.expect("steps have come to an end"),
        }
    }

    /// Explains the image of a position under a symmetry and tells that of the position itself. With the symmetry that
    /// leads to the canonical form of the puzzle all twins get the same steps, each in its own place: which of several
    /// steps is found first depends on where it stands, and here all stand in the same place. The arguments are those of
    /// [`Explanation::of`].
    pub fn of_image(
        position: &Position,
        symmetry: &Symmetry,
        solutions: Option<Solutions>,
        options: &Options,
        limits: &Limits<'_>,
    ) -> Explanation {
        let turn = |grid: &Grid| symmetry.image(grid);
        let turned = solutions.as_ref().map(|solutions| match solutions {
            Solutions::Zero => Solutions::Zero,
            Solutions::One(only) => Solutions::One(turn(only)),
            Solutions::Many(first, second) => Solutions::Many(turn(first), turn(second)),
        });
        let mut checked =
            Checked::new(&symmetry.position(position), turned.as_ref(), options, limits);
        let back = symmetry.inverse();
        let steps: Vec<Step> = checked.by_ref().map(|(_, step)| step.image(&back)).collect();
        let start = position.clone().without_stale_marks();
        let end = checked.end.expect("steps have come to an end");
        // What keeps a position from being explained is named by its own cells; steps are checked once more in their place.
        let mut last = start.candidates().clone();
        let mut end = obstacle(&start, solutions.as_ref().and_then(Solutions::only)).unwrap_or(end);
        let mut told = Vec::new();
        for step in steps {
            if let Err(flaw) = proof::check(&step, start.puzzle(), &last) {
                end = End::NotProven { step: Box::new(step), flaw };
                break;
            }
            step.apply_to(&mut last);
            told.push(step);
        }
        Explanation { start, solutions, steps: told, last, end }
    }

    /// The puzzle.
    pub fn puzzle(&self) -> &Grid {
        self.start.puzzle()
    }

    /// The mistake that kept it from beginning.
    pub fn mistake(&self) -> Option<Mistake> {
        match self.end {
            End::Mistake(mistake) => Some(mistake),
            _ => None,
        }
    }

    /// Does it lead, step by step, to the only solution?
    pub fn is_complete(&self) -> bool {
        let only = self.solutions.as_ref().and_then(Solutions::only);
        self.end == End::Solved && only == Some(self.last.grid())
    }

    /// The position before each step, with the step.
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
        let mut candidates = Candidates::of(&puzzle).unwrap();
        change(&mut candidates);
        let position = Position::new(puzzle, candidates).unwrap();
        Explanation::of(&position, Some(Solutions::One(solution)), &Options::default(), limits)
    }

    #[test]
    fn a_complete_explanation_leads_to_the_only_solution() {
        let explanation = explain(|_| {}, &Limits::none());
        assert!(explanation.is_complete());
        assert_eq!(explanation.last.grid().to_string(), SOLUTION);
        let unknown = Explanation { solutions: None, ..explanation };
        assert!(!unknown.is_complete());
    }

    #[test]
    fn it_goes_on_from_the_position_reached() {
        let first = explain(|_| {}, &Limits::none()).steps.remove(0);
        let rest = explain(|candidates| first.apply_to(candidates), &Limits::none());
        assert!(!rest.steps.contains(&first));
        assert_eq!(rest.steps.len(), 50);
    }

    #[test]
    fn a_mistake_or_a_limit_is_its_end() {
        let (cell, digit) = (Cell::new(2), Digit::new(1).unwrap());
        let wrong = explain(|candidates| candidates.place(cell, digit), &Limits::none());
        assert_eq!(wrong.mistake(), Some(Mistake::WrongDigit { cell, digit }));
        assert!(wrong.steps.is_empty());
        let stopped = explain(|_| {}, &Limits::time(Duration::ZERO));
        assert_eq!(stopped.end, End::Stopped(Stop::Time));
    }

    #[test]
    fn steps_that_rest_on_uniqueness_need_to_know_of_it() {
        let puzzle: Grid =
            "1.34......8.9....4.....1......2..6...6..7..5...8..5......5.....6....3.4......81.9"
                .parse()
                .unwrap();
        let position = Position::start(&puzzle).unwrap();
        let unique = [Technique::NakedSingle, Technique::HiddenSingle].into_iter();
        let techniques = unique
            .chain(crate::logic::default_order().into_iter().filter(|t| t.needs_uniqueness()));
        let options = Options { techniques: techniques.collect(), ..Options::default() };
        let explanation = Explanation::of(&position, None, &options, &Limits::none());
        assert!(explanation.steps.iter().all(|step| !step.technique.needs_uniqueness()));
    }
}
