//! Iterator over the steps from a position to the solution.
//!
//! In each position the techniques are tried in order and the first step found is applied. The
//! search then restarts with the first technique. It ends when the grid is complete, when no
//! technique finds a step, when a contradiction shows that there is no solution, or when a limit is
//! reached.

use super::board::Board;
use super::chains;
use super::variants::Variant;
use super::{StepSink, default_order, each_step, first_step};
use crate::grid::{Candidates, Cell, Digit, Position};
use crate::limits::{Deadline, Limits, StopReason};
use crate::proof::{Candidate, Step, Technique};
use std::ops::ControlFlow;

/// Whether hidden singles in boxes are tried before naked singles. This has an effect only if naked
/// singles come before hidden singles in [`ExplainOptions::techniques`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SinglesOrder {
    /// Hidden singles in boxes first, then naked singles, then hidden singles in rows and columns.
    /// This is the order in which people usually search.
    #[default]
    BoxesFirst,
    /// The order of [`ExplainOptions::techniques`].
    AsListed,
}

impl SinglesOrder {
    /// All values.
    pub const ALL: [SinglesOrder; 2] = [SinglesOrder::BoxesFirst, SinglesOrder::AsListed];

    /// The name in options, for example `boxes-first`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            SinglesOrder::BoxesFirst => "boxes-first",
            SinglesOrder::AsListed => "as-listed",
        }
    }
}

/// Options for explanations and solution paths.
///
/// ```
/// use ninefold::logic::ExplainOptions;
/// use ninefold::proof::Technique;
///
/// let options = ExplainOptions::default()
///     .with_techniques(vec![Technique::NakedSingle, Technique::HiddenSingle])
///     .with_max_steps(10);
/// assert_eq!(options.techniques.len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ExplainOptions {
    /// Techniques in the order in which they are tried.
    pub techniques: Vec<Technique>,
    /// Order of naked and hidden singles.
    pub singles: SinglesOrder,
    /// Allows steps that assume a unique solution. True by default.
    pub uniqueness: bool,
    /// Maximum number of steps. Unlimited by default.
    pub max_steps: usize,
    /// True if the puzzle is known to have exactly one solution. Nested forcing nets are only used
    /// in this case, because then they always find a step. If there were several solutions, they
    /// could search every possibility and find nothing. [`Explanation::new`] sets this field from
    /// the search result.
    ///
    /// [`Explanation::new`]: crate::Explanation::new
    pub one_solution: bool,
    /// Which nested forcing net to choose if there are several.
    pub preference: Preference,
}

/// Which nested forcing net to choose if there are several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Preference {
    /// The shortest net, which is the easiest to follow.
    #[default]
    ShortSteps,
    /// The net with the largest effect. This gives fewer but longer steps.
    FewSteps,
    /// The first net found, without shortening it. This is the fastest to compute and the longest
    /// to read.
    Quick,
}

impl Preference {
    /// All values.
    pub const ALL: [Preference; 3] =
        [Preference::ShortSteps, Preference::FewSteps, Preference::Quick];

    /// The name in options, for example `short`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Preference::ShortSteps => "short",
            Preference::FewSteps => "few",
            Preference::Quick => "quick",
        }
    }
}

impl Default for ExplainOptions {
    fn default() -> ExplainOptions {
        ExplainOptions {
            techniques: default_order(),
            singles: SinglesOrder::default(),
            uniqueness: true,
            max_steps: usize::MAX,
            one_solution: false,
            preference: Preference::default(),
        }
    }
}

impl ExplainOptions {
    /// Sets the techniques, in the order in which they are tried.
    pub fn with_techniques(mut self, techniques: Vec<Technique>) -> ExplainOptions {
        self.techniques = techniques;
        self
    }

    /// Sets the order of naked and hidden singles.
    pub fn with_singles(mut self, singles: SinglesOrder) -> ExplainOptions {
        self.singles = singles;
        self
    }

    /// Allows or forbids steps that assume a unique solution.
    pub fn with_uniqueness(mut self, uniqueness: bool) -> ExplainOptions {
        self.uniqueness = uniqueness;
        self
    }

    /// Sets the maximum number of steps.
    pub fn with_max_steps(mut self, max_steps: usize) -> ExplainOptions {
        self.max_steps = max_steps;
        self
    }

    /// Sets whether the puzzle is known to have exactly one solution.
    pub fn with_one_solution(mut self, one_solution: bool) -> ExplainOptions {
        self.one_solution = one_solution;
        self
    }

    /// Sets which nested forcing net to choose if there are several.
    pub fn with_preference(mut self, preference: Preference) -> ExplainOptions {
        self.preference = preference;
        self
    }
}

impl ExplainOptions {
    /// Returns the techniques in order, without disabled ones.
    fn in_use(&self, has_rules: bool) -> Vec<Technique> {
        let allowed = |technique: &Technique| {
            (has_rules || !technique.needs_rules())
                && (self.uniqueness || !technique.needs_uniqueness())
                && (self.one_solution || *technique != Technique::NestedForcingNet)
        };
        self.techniques.iter().copied().filter(allowed).collect()
    }

    /// Returns true if hidden singles in boxes come before naked singles although naked singles are
    /// listed first.
    fn boxes_first(&self) -> bool {
        let place =
            |single: Technique| self.techniques.iter().position(|&technique| technique == single);
        let listed = place(Technique::NakedSingle).zip(place(Technique::HiddenSingle));
        self.singles == SinglesOrder::BoxesFirst
            && listed.is_some_and(|(naked, hidden)| naked < hidden)
    }
}

/// How the search for steps ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StepsOutcome {
    /// Every cell is filled.
    Solved,
    /// No technique finds a step.
    Stuck,
    /// A cell has no candidate or a digit has no place left, so there is no solution.
    Contradiction,
    /// The maximum number of steps was reached.
    StepLimit,
    /// A time limit was reached, or the caller cancelled.
    Stopped(StopReason),
}

/// Iterator over the steps from a position. Each step is computed when it is requested.
///
/// The iterator owns the current position and caches failed searches. It does not check the proofs
/// of its steps; [`explain`](mod@crate::explain) does.
///
/// ```
/// use ninefold::grid::{Grid, Position};
/// use ninefold::limits::Limits;
/// use ninefold::logic::{StepsOutcome, ExplainOptions, Steps};
///
/// let puzzle: Grid =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
///         .parse()?;
/// let position = Position::from_puzzle(&puzzle)?;
/// let mut steps = Steps::new(&position, &ExplainOptions::default(), &Limits::none());
/// assert_eq!(steps.by_ref().count(), 51);
/// assert_eq!(steps.outcome(), Some(StepsOutcome::Solved));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "the iterator is lazy and does nothing unless consumed"]
pub struct Steps<'a> {
    board: Box<dyn DynBoard + 'a>,
    techniques: Vec<Technique>,
    boxes_first: bool,
    steps_left: usize,
    preference: Preference,
    deadline: Deadline<'a>,
    outcome: Option<StepsOutcome>,
}

impl<'a> Steps<'a> {
    /// Creates the iterator. Time limits start now.
    pub fn new(position: &Position, options: &ExplainOptions, limits: &Limits<'a>) -> Steps<'a> {
        let (givens, start) = (position.puzzle(), position.candidates());
        let deadline = Deadline::new(limits);
        let rules = position.puzzle().rules();
        let board: Box<dyn DynBoard + 'a> = match position.order().cell_count() {
            _ if rules.is_some() => Box::new(Variant::new(start, deadline)),
            ..=128 => Box::new(Board::<2>::new(givens, start).with_deadline(deadline)),
            129..=640 => Box::new(Board::<10>::new(givens, start).with_deadline(deadline)),
            _ => Box::new(Board::<64>::new(givens, start).with_deadline(deadline)),
        };
        let techniques = options.in_use(rules.is_some());
        Steps {
            board,
            techniques,
            boxes_first: options.boxes_first(),
            steps_left: options.max_steps,
            preference: options.preference,
            deadline,
            outcome: None,
        }
    }

    /// Returns the current digits and candidates.
    pub fn reached(&self) -> Candidates {
        self.board.candidates()
    }

    /// Returns how the search ended, or `None` before the end.
    pub fn outcome(&self) -> Option<StepsOutcome> {
        self.outcome
    }

    /// Fills a cell without a step.
    pub(crate) fn fill(&mut self, cell: Cell, digit: Digit) {
        self.board.fill(cell, digit);
    }

    /// Removes a candidate without a step.
    pub(crate) fn remove(&mut self, candidate: Candidate) {
        self.board.remove(candidate);
    }

    /// Returns the first step of a technique in the current position.
    pub(crate) fn first_of(&self, technique: Technique) -> Option<Step> {
        self.board.first_of(technique)
    }

    /// Returns all steps of a technique in the current position.
    pub(crate) fn all_of(&self, technique: Technique) -> Vec<Step> {
        self.board.all_of(technique)
    }

    /// Returns the limit that was reached, if any.
    pub(crate) fn limit_reached(&self) -> Option<StopReason> {
        self.deadline.reached()
    }

    fn find_next(&self) -> Result<Step, StepsOutcome> {
        self.board.check_finished()?;
        if self.steps_left == 0 {
            return Err(StepsOutcome::StepLimit);
        }
        self.board
            .next_step(&self.techniques, self.boxes_first, self.preference, &self.deadline)
            .map_err(StepsOutcome::Stopped)?
            .ok_or(StepsOutcome::Stuck)
    }
}

impl Iterator for Steps<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        if self.outcome.is_some() {
            return None;
        }
        match self.find_next() {
            Ok(step) => {
                self.board.apply(&step);
                self.steps_left -= 1;
                Some(step)
            }
            Err(outcome) => {
                self.outcome = Some(outcome);
                None
            }
        }
    }
}

/// Board of any width, as a trait object.
pub(super) trait DynBoard {
    /// Returns the next step, or `None` if no technique finds one.
    fn next_step(
        &self,
        techniques: &[Technique],
        boxes_first: bool,
        preference: Preference,
        deadline: &Deadline<'_>,
    ) -> Result<Option<Step>, StopReason>;
    /// Returns an error if the grid is complete or contradictory.
    fn check_finished(&self) -> Result<(), StepsOutcome>;
    fn apply(&mut self, step: &Step);
    fn fill(&mut self, cell: Cell, digit: Digit);
    fn remove(&mut self, candidate: Candidate);
    fn first_of(&self, technique: Technique) -> Option<Step>;
    fn all_of(&self, technique: Technique) -> Vec<Step>;
    fn candidates(&self) -> Candidates;
}

impl<const W: usize> DynBoard for Board<'_, W> {
    fn next_step(
        &self,
        techniques: &[Technique],
        boxes_first: bool,
        preference: Preference,
        deadline: &Deadline<'_>,
    ) -> Result<Option<Step>, StopReason> {
        for &technique in techniques {
            if boxes_first
                && technique == Technique::NakedSingle
                && let Some(step) = super::singles::first_hidden_in_box(self)
            {
                return Ok(Some(step));
            }
            let step = match technique {
                // Nested nets may take long, so they check the deadline themselves.
                Technique::NestedForcingNet => {
                    self.with_nested(|search| search.step(self, preference, deadline))?
                }
                _ => try_technique(self, technique, techniques),
            };
            // A finder that was stopped early may have missed a step or a better one.
            if let Some(stop) = self.stop_reason() {
                return Err(stop);
            }
            if step.is_some() {
                return Ok(step);
            }
        }
        Ok(None)
    }

    fn check_finished(&self) -> Result<(), StepsOutcome> {
        if self.is_contradictory() {
            return Err(StepsOutcome::Contradiction);
        }
        if self.empty().is_empty() {
            return Err(StepsOutcome::Solved);
        }
        Ok(())
    }

    fn apply(&mut self, step: &Step) {
        for place in &step.places {
            self.place(place.cell, place.digit);
        }
        for &candidate in &step.removes {
            self.remove(candidate);
        }
    }

    fn fill(&mut self, cell: Cell, digit: Digit) {
        self.place(cell, digit);
    }

    fn remove(&mut self, candidate: Candidate) {
        Board::remove(self, candidate);
    }

    fn first_of(&self, technique: Technique) -> Option<Step> {
        first_step(technique, self)
    }

    fn all_of(&self, technique: Technique) -> Vec<Step> {
        collect(|emit| each_step(technique, self, emit))
    }

    fn candidates(&self) -> Candidates {
        Board::candidates(self)
    }
}

/// Collects all steps of a finder.
fn collect(find: impl FnOnce(&mut StepSink<'_>) -> ControlFlow<()>) -> Vec<Step> {
    let mut steps = Vec::new();
    let _ = find(&mut |step| {
        steps.push(step);
        ControlFlow::Continue(())
    });
    steps
}

/// Returns the first step of one technique. Loops and open chains are searched together if all of
/// them are enabled, because the shortest one is the easiest to follow.
fn try_technique<const W: usize>(
    board: &Board<W>,
    technique: Technique,
    all: &[Technique],
) -> Option<Step> {
    match technique {
        Technique::ContinuousNiceLoop { grouped } if has_all_chains(all, grouped) => {
            chains::shortest(board, grouped)
        }
        Technique::DiscontinuousNiceLoop { grouped } | Technique::Aic { grouped }
            if has_all_chains(all, grouped) =>
        {
            None
        }
        technique => first_step(technique, board),
    }
}

fn has_all_chains(techniques: &[Technique], grouped: bool) -> bool {
    let kinds = [
        Technique::ContinuousNiceLoop { grouped },
        Technique::DiscontinuousNiceLoop { grouped },
        Technique::Aic { grouped },
    ];
    kinds.iter().all(|kind| techniques.contains(kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Grid, House};
    use crate::proof::{Fish, FishSize, OneOrTwo, Reason, SubsetSize};
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    const HARD: &str =
        ".7......5..5..329..4..8...79.....1.8.1..2.9....38...5...7.9..4.6...4.....9...2...";

    fn end(
        puzzle: &str,
        options: &ExplainOptions,
        limits: &Limits<'_>,
    ) -> (usize, Option<StepsOutcome>) {
        let puzzle: Grid = puzzle.parse().unwrap();
        let mut steps = Steps::new(&Position::from_puzzle(&puzzle).unwrap(), options, limits);
        (steps.by_ref().count(), steps.outcome())
    }

    #[test]
    fn returns_the_outcome() {
        let all = ExplainOptions::default();
        assert!(matches!(end(HARD, &all, &Limits::none()), (10.., Some(StepsOutcome::Solved))));
        let singles = ExplainOptions {
            techniques: vec![Technique::NakedSingle],
            ..ExplainOptions::default()
        };
        assert_eq!(end(HARD, &singles, &Limits::none()).1, Some(StepsOutcome::Stuck));
        let three = ExplainOptions { max_steps: 3, ..ExplainOptions::default() };
        assert_eq!(end(HARD, &three, &Limits::none()), (3, Some(StepsOutcome::StepLimit)));
        // Row 1 needs a 9 in its last cell, but column 9 already has one.
        let impossible = format!("12345678.{}9{}", ".".repeat(35), ".".repeat(36));
        assert_eq!(end(&impossible, &all, &Limits::none()), (0, Some(StepsOutcome::Contradiction)));
    }

    /// Techniques that take long on large grids. Each of them must check for cancellation.
    const LONG: [Technique; 20] = [
        Technique::NakedSubset(SubsetSize::Quadruple),
        Technique::HiddenSubset(SubsetSize::Quadruple),
        Technique::Fish(Fish::basic(FishSize::Jellyfish)),
        Technique::AlsXz,
        Technique::AlsXyWing,
        Technique::AlsXyChain,
        Technique::DeathBlossom,
        Technique::SueDeCoq,
        Technique::AlignedPairExclusion,
        Technique::TemplateDelete,
        Technique::TemplateSet,
        Technique::XChain,
        Technique::XyChain,
        Technique::Aic { grouped: true },
        Technique::ContinuousNiceLoop { grouped: false },
        Technique::DiscontinuousNiceLoop { grouped: true },
        Technique::CellForcingChain,
        Technique::HouseForcingChain,
        Technique::ForcingNet,
        Technique::KrakenFish(OneOrTwo::Two),
    ];

    #[test]
    fn cancelled_techniques_find_nothing() {
        let cancelled = AtomicBool::new(true);
        let mut found_by = 0;
        for technique in LONG {
            let puzzle: Grid = HARD.parse().unwrap();
            let mut steps = Steps::new(
                &Position::from_puzzle(&puzzle).unwrap(),
                &ExplainOptions::default(),
                &Limits::none(),
            );
            // Apply steps until the technique finds something.
            loop {
                let position = Position::new(puzzle.clone(), steps.reached()).unwrap();
                if crate::logic::find(technique, &position).is_some() {
                    let board = Board::<2>::new(position.puzzle(), position.candidates());
                    let board =
                        board.with_deadline(Deadline::new(&Limits::none().with_cancel(&cancelled)));
                    assert!(
                        first_step(technique, &board).is_none(),
                        "{technique} ignores cancellation"
                    );
                    found_by += 1;
                    break;
                }
                if steps.next().is_none() {
                    break;
                }
            }
        }
        assert!(found_by >= 12, "only {found_by} techniques find a step");
    }

    #[test]
    fn hidden_singles_in_boxes_come_first_by_default() {
        let puzzle: Grid =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
                .parse()
                .unwrap();
        let first = |singles: SinglesOrder, techniques: Vec<Technique>| {
            let options = ExplainOptions { singles, techniques, ..ExplainOptions::default() };
            let step =
                Steps::new(&Position::from_puzzle(&puzzle).unwrap(), &options, &Limits::none())
                    .next()
                    .unwrap();
            (step.technique, step.reason)
        };
        let (technique, reason) = first(SinglesOrder::BoxesFirst, default_order());
        assert_eq!(technique, Technique::HiddenSingle);
        assert!(matches!(reason, Reason::LastPlaceIn(House::Box(_))));
        assert_eq!(first(SinglesOrder::AsListed, default_order()).0, Technique::NakedSingle);
        let naked_only = vec![Technique::NakedSingle];
        assert_eq!(first(SinglesOrder::BoxesFirst, naked_only).0, Technique::NakedSingle);
    }

    #[test]
    fn timeout_and_cancellation_stop_before_the_first_step() {
        let all = ExplainOptions::default();
        assert_eq!(
            end(HARD, &all, &Limits::none().with_time(Duration::ZERO)),
            (0, Some(StepsOutcome::Stopped(StopReason::Time)))
        );
        let cancelled = AtomicBool::new(true);
        let limits = Limits::none().with_cancel(&cancelled);
        assert_eq!(
            end(HARD, &all, &limits),
            (0, Some(StepsOutcome::Stopped(StopReason::Cancelled)))
        );
    }
}
