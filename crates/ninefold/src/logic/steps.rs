//! The way from a position to the solution, one deduction after the other.
//!
//! At each position the techniques are tried in order and the first step found is taken; then all techniques are tried
//! again from the start. The way ends when the grid is full, when no technique finds a step, when a contradiction shows
//! that there is no solution, or when a limit is reached.

use super::board::Board;
use super::chains;
use super::{Found, default_order, each_step, first_step};
use crate::grid::{Candidates, Cell, Digit, Position};
use crate::limits::{Deadline, Limits, Stop};
use crate::proof::{Candidate, Step, Technique};
use std::ops::ControlFlow;

/// How singles are looked for, where naked ones come before hidden ones in the order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SinglesOrder {
    /// Hidden singles in boxes first, then naked ones, then hidden ones in rows and columns: as people look.
    #[default]
    BoxesFirst,
    /// As the techniques are listed.
    AsListed,
}

/// What a way to the solution may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The techniques in the order in which they are tried.
    pub techniques: Vec<Technique>,
    /// How singles are looked for.
    pub singles: SinglesOrder,
    /// May a step rest on the promise that there is only one solution?
    pub uniqueness: bool,
    /// Stop after this many steps.
    pub most_steps: usize,
    /// Is the puzzle known to have exactly one solution? Only then are nested nets used, which find a step whenever there
    /// is one; with several solutions they would try everything in vain.
    pub one_solution: bool,
    /// Which of several nested nets to take.
    pub preference: Preference,
}

/// Which of several nested nets to take.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Preference {
    /// The shortest: each step is as easy to follow as can be.
    #[default]
    ShortSteps,
    /// The one that leads furthest: there are fewer of them, but they are longer.
    FewSteps,
    /// The first that is found, as it is found: sooner there, and longer to read.
    Quick,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            techniques: default_order(),
            singles: SinglesOrder::default(),
            uniqueness: true,
            most_steps: usize::MAX,
            one_solution: false,
            preference: Preference::default(),
        }
    }
}

impl Options {
    /// The techniques in order, without those that are switched off.
    fn in_use(&self) -> Vec<Technique> {
        let allowed = |technique: &Technique| {
            (self.uniqueness || !technique.needs_uniqueness())
                && (self.one_solution || *technique != Technique::NestedForcingNet)
        };
        self.techniques.iter().copied().filter(allowed).collect()
    }

    /// Do hidden singles in boxes come before naked singles, though these are listed first?
    fn boxes_first(&self) -> bool {
        let place =
            |single: Technique| self.techniques.iter().position(|&technique| technique == single);
        let listed = place(Technique::NakedSingle).zip(place(Technique::HiddenSingle));
        self.singles == SinglesOrder::BoxesFirst
            && listed.is_some_and(|(naked, hidden)| naked < hidden)
    }
}

/// How a way ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum End {
    /// Every cell is filled.
    Solved,
    /// No technique finds a step.
    Stuck,
    /// A cell or a digit has no possibility left: there is no solution.
    Contradiction,
    /// The number of steps allowed was reached.
    Enough,
    /// The time was up, or somebody cancelled.
    Stopped(Stop),
}

/// The steps from a position on, each found when it is asked for.
///
/// The iterator owns the position it has reached and remembers where techniques have looked in vain. Steps are as the
/// finders found them; [`explain`](mod@crate::explain) has each of them checked.
///
/// ```
/// use ninefold::grid::{Grid, Position};
/// use ninefold::limits::Limits;
/// use ninefold::logic::{End, Options, Steps};
///
/// let puzzle: Grid =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let mut steps = Steps::new(&Position::start(&puzzle)?, &Options::default(), &Limits::none());
/// assert_eq!(steps.by_ref().count(), 51);
/// assert_eq!(steps.end(), Some(End::Solved));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "steps are found only when they are asked for"]
pub struct Steps<'a> {
    board: Box<dyn Deduce + 'a>,
    techniques: Vec<Technique>,
    boxes_first: bool,
    steps_left: usize,
    preference: Preference,
    deadline: Deadline<'a>,
    end: Option<End>,
}

impl<'a> Steps<'a> {
    /// The steps from this position on; the time of the limits runs from now.
    pub fn new(position: &Position, options: &Options, limits: &Limits<'a>) -> Steps<'a> {
        let (givens, start) = (position.puzzle(), position.candidates());
        let deadline = Deadline::of(limits);
        let board: Box<dyn Deduce + 'a> = match position.order().cell_count() {
            ..=128 => Box::new(Board::<2>::new(givens, start).until(deadline)),
            129..=640 => Box::new(Board::<10>::new(givens, start).until(deadline)),
            _ => Box::new(Board::<64>::new(givens, start).until(deadline)),
        };
        let techniques = options.in_use();
        Steps {
            board,
            techniques,
            boxes_first: options.boxes_first(),
            steps_left: options.most_steps,
            preference: options.preference,
            deadline,
            end: None,
        }
    }

    /// The digits and candidates reached so far.
    pub fn reached(&self) -> Candidates {
        self.board.candidates()
    }

    /// How the way ended, once it has.
    pub fn end(&self) -> Option<End> {
        self.end
    }

    /// Fills a cell from outside.
    pub(crate) fn fill(&mut self, cell: Cell, digit: Digit) {
        self.board.fill(cell, digit);
    }

    /// Removes a candidate from outside.
    pub(crate) fn remove(&mut self, candidate: Candidate) {
        self.board.remove(candidate);
    }

    /// The first step of a technique here.
    pub(crate) fn first_of(&self, technique: Technique) -> Option<Step> {
        self.board.first_of(technique)
    }

    /// All steps of a technique here.
    pub(crate) fn all_of(&self, technique: Technique) -> Vec<Step> {
        self.board.all_of(technique)
    }

    /// The limit that was reached, if one was.
    pub(crate) fn limit_reached(&self) -> Option<Stop> {
        self.deadline.reached()
    }

    fn look(&self) -> Result<Step, End> {
        self.board.look_for_the_end()?;
        if self.steps_left == 0 {
            return Err(End::Enough);
        }
        self.board
            .next_step(&self.techniques, (self.boxes_first, self.preference), &self.deadline)
            .map_err(End::Stopped)?
            .ok_or(End::Stuck)
    }
}

impl Iterator for Steps<'_> {
    type Item = Step;

    fn next(&mut self) -> Option<Step> {
        if self.end.is_some() {
            return None;
        }
        match self.look() {
            Ok(step) => {
                self.board.apply(&step);
                self.steps_left -= 1;
                Some(step)
            }
            Err(end) => {
                self.end = Some(end);
                None
            }
        }
    }
}

/// A board of any width.
trait Deduce {
    /// The next step, or nothing if no technique finds one.
    fn next_step(
        &self,
        techniques: &[Technique],
        wish: (bool, Preference),
        deadline: &Deadline<'_>,
    ) -> Result<Option<Step>, Stop>;
    /// Is the grid full or the position contradictory?
    fn look_for_the_end(&self) -> Result<(), End>;
    fn apply(&mut self, step: &Step);
    fn fill(&mut self, cell: Cell, digit: Digit);
    fn remove(&mut self, candidate: Candidate);
    fn first_of(&self, technique: Technique) -> Option<Step>;
    fn all_of(&self, technique: Technique) -> Vec<Step>;
    fn candidates(&self) -> Candidates;
}

impl<const W: usize> Deduce for Board<'_, W> {
    fn next_step(
        &self,
        techniques: &[Technique],
        (boxes_first, preference): (bool, Preference),
        deadline: &Deadline<'_>,
    ) -> Result<Option<Step>, Stop> {
        for &technique in techniques {
            if boxes_first
                && technique == Technique::NakedSingle
                && let Some(step) = super::singles::first_hidden_in_box(self)
            {
                return Ok(Some(step));
            }
            let step = match technique {
                // It may take long, so it looks at the clock itself.
                Technique::NestedForcingNet => {
                    self.with_nested(|memory| memory.step(self, preference, deadline))?
                }
                _ => try_technique(self, technique, techniques),
            };
            // A finder that was broken off may have found nothing yet, or not the best.
            if let Some(stop) = self.stopped() {
                return Err(stop);
            }
            if step.is_some() {
                return Ok(step);
            }
        }
        Ok(None)
    }

    fn look_for_the_end(&self) -> Result<(), End> {
        if self.is_contradictory() {
            return Err(End::Contradiction);
        }
        if self.empty().is_empty() {
            return Err(End::Solved);
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
        collect(|found| each_step(technique, self, found))
    }

    fn candidates(&self) -> Candidates {
        Board::candidates(self)
    }
}

/// Everything that a finder finds.
fn collect(find: impl FnOnce(&mut Found<'_>) -> ControlFlow<()>) -> Vec<Step> {
    let mut steps = Vec::new();
    let _ = find(&mut |step| {
        steps.push(step);
        ControlFlow::Continue(())
    });
    steps
}

/// The first step of one technique among several. Loops and open chains are looked for together if all are wanted: the
/// shortest of all is the easiest to follow.
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
    use crate::proof::{Because, Fish, FishSize, OneOrTwo, SubsetSize};
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    const HARD: &str =
        ".7......5..5..329..4..8...79.....1.8.1..2.9....38...5...7.9..4.6...4.....9...2...";

    fn end(puzzle: &str, options: &Options, limits: &Limits<'_>) -> (usize, Option<End>) {
        let puzzle: Grid = puzzle.parse().unwrap();
        let mut steps = Steps::new(&Position::start(&puzzle).unwrap(), options, limits);
        (steps.by_ref().count(), steps.end())
    }

    #[test]
    fn a_way_says_why_it_ended() {
        let all = Options::default();
        assert!(matches!(end(HARD, &all, &Limits::none()), (10.., Some(End::Solved))));
        let singles = Options { techniques: vec![Technique::NakedSingle], ..Options::default() };
        assert_eq!(end(HARD, &singles, &Limits::none()).1, Some(End::Stuck));
        let three = Options { most_steps: 3, ..Options::default() };
        assert_eq!(end(HARD, &three, &Limits::none()), (3, Some(End::Enough)));
        // Row 1 wants a 9 in its last cell, and column 9 already has one.
        let impossible = format!("12345678.{}9{}", ".".repeat(35), ".".repeat(36));
        assert_eq!(end(&impossible, &all, &Limits::none()), (0, Some(End::Contradiction)));
    }

    /// Techniques that take long on large grids: each of them looks at the flag while it looks for steps.
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
    fn a_long_technique_that_is_cancelled_finds_nothing_any_more() {
        let cancelled = AtomicBool::new(true);
        let mut found_by = 0;
        for technique in LONG {
            let puzzle: Grid = HARD.parse().unwrap();
            let mut steps = Steps::new(
                &Position::start(&puzzle).unwrap(),
                &Options::default(),
                &Limits::none(),
            );
            // The way is walked until the technique has something to find.
            loop {
                let position = Position::new(puzzle.clone(), steps.reached()).unwrap();
                if crate::logic::find(technique, &position).is_some() {
                    let board = Board::<2>::new(position.puzzle(), position.candidates());
                    let board = board.until(Deadline::of(&Limits::cancelled_by(&cancelled)));
                    assert!(
                        first_step(technique, &board).is_none(),
                        "{technique} does not look at the flag"
                    );
                    found_by += 1;
                    break;
                }
                if steps.next().is_none() {
                    break;
                }
            }
        }
        assert!(found_by >= 12, "only {found_by} of them find anything here");
    }

    #[test]
    fn hidden_singles_in_boxes_come_before_naked_ones_unless_singles_are_as_listed() {
        let puzzle: Grid =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
                .parse()
                .unwrap();
        let first = |singles: SinglesOrder, techniques: Vec<Technique>| {
            let options = Options { singles, techniques, ..Options::default() };
            let step = Steps::new(&Position::start(&puzzle).unwrap(), &options, &Limits::none())
                .next()
                .unwrap();
            (step.technique, step.because)
        };
        let (technique, because) = first(SinglesOrder::BoxesFirst, default_order());
        assert_eq!(technique, Technique::HiddenSingle);
        assert!(matches!(because, Because::LastPlaceIn(House::Box(_))));
        assert_eq!(first(SinglesOrder::AsListed, default_order()).0, Technique::NakedSingle);
        let naked_only = vec![Technique::NakedSingle];
        assert_eq!(first(SinglesOrder::BoxesFirst, naked_only).0, Technique::NakedSingle);
    }

    #[test]
    fn time_and_cancellation_end_a_way_before_its_first_step() {
        let all = Options::default();
        assert_eq!(
            end(HARD, &all, &Limits::time(Duration::ZERO)),
            (0, Some(End::Stopped(Stop::Time)))
        );
        let cancelled = AtomicBool::new(true);
        let limits = Limits::cancelled_by(&cancelled);
        assert_eq!(end(HARD, &all, &limits), (0, Some(End::Stopped(Stop::Cancelled))));
    }
}
