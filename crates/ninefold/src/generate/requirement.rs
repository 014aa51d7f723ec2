//! Requirements that a generated puzzle must meet besides its number of clues and its pattern.

use crate::grid::Grid;
use crate::limits::Limits;
use crate::proof::{HodokuLevel, Technique};
use crate::rate::consistency::{self, Consistency};
use crate::rate::explainer::{self, Tenths};
use crate::rate::{dupree, effort, hodoku};
use crate::search::singles;
use std::fmt;
use std::ops::RangeInclusive;

/// One requirement that a puzzle does not meet, and by how much.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mismatch {
    /// The distance from the requirement. The nearest puzzle is the one with the smallest sum.
    pub distance: usize,
    /// A description such as "it has 23 clues, too many".
    pub description: String,
}

impl Mismatch {
    /// A mismatch with this distance and description.
    #[must_use]
    pub fn new(distance: usize, description: impl Into<String>) -> Mismatch {
        Mismatch { distance, description: description.into() }
    }
}

/// The difficulty of a puzzle relative to a requirement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// Too easy: removing clues may help.
    Below,
    /// The requirement is met.
    Within,
    /// Too hard.
    Above,
}

/// A property that a puzzle must have, such as a rating within a range.
pub trait Requirement: Sync {
    /// A description such as "DuPree's score 251 to 400".
    fn description(&self) -> String;

    /// Compares a puzzle with one solution with the requirement.
    fn fit(&self, puzzle: &Grid) -> Fit;

    /// Describes how the puzzle misses the requirement; `None` if it meets it.
    fn mismatch(&self, puzzle: &Grid) -> Option<Mismatch> {
        let description = match self.fit(puzzle) {
            Fit::Within => return None,
            Fit::Below => format!("it is too easy for {}", self.description()),
            Fit::Above => format!("it is too hard for {}", self.description()),
        };
        Some(Mismatch::new(1, description))
    }

    /// Whether only puzzles that singles solve can meet the requirement.
    fn is_singles_only(&self) -> bool {
        false
    }

    /// A technique beyond singles that every puzzle must use, if there is one.
    fn technique_beyond_singles(&self) -> Option<Technique> {
        None
    }

    /// Whether no puzzle is too hard. If so, clues can be removed without checking the requirement.
    fn is_open_ended(&self) -> bool {
        false
    }

    /// Like [`fit`](Requirement::fit), for requirements that take long to check. If a limit is
    /// reached, any value may be returned, because the puzzle is discarded.
    fn fit_within(&self, puzzle: &Grid, _limits: &Limits<'_>) -> Fit {
        self.fit(puzzle)
    }

    /// Like [`mismatch`](Requirement::mismatch), for requirements that take long to check.
    fn mismatch_within(&self, puzzle: &Grid, _limits: &Limits<'_>) -> Option<Mismatch> {
        self.mismatch(puzzle)
    }
}

/// Requires that naked and hidden singles solve the puzzle.
pub struct SinglesOnly;

impl Requirement for SinglesOnly {
    fn description(&self) -> String {
        "singles only".to_string()
    }

    fn fit(&self, puzzle: &Grid) -> Fit {
        if singles::solve(puzzle) { Fit::Within } else { Fit::Above }
    }

    fn is_singles_only(&self) -> bool {
        true
    }
}

/// Requires a rating within a range on one of the rating scales.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RatingRange {
    /// DuPree's score.
    Dupree(RangeInclusive<u64>),
    /// The weakest consistency that solves the puzzle without search.
    Consistency(RangeInclusive<Consistency>),
    /// Sudoku Explainer's ER.
    Explainer(RangeInclusive<Tenths>),
    /// HoDoKu's level.
    Hodoku(RangeInclusive<HodokuLevel>),
    /// The level of the [`effort`] scale.
    Effort(RangeInclusive<effort::Level>),
}

impl Requirement for RatingRange {
    fn description(&self) -> String {
        match self {
            RatingRange::Dupree(range) => {
                format!("DuPree's score {} to {}", range.start(), range.end())
            }
            RatingRange::Consistency(range) => {
                format!("consistency {} to {}", range.start(), range.end())
            }
            RatingRange::Explainer(range) => format!("ER {} to {}", range.start(), range.end()),
            RatingRange::Hodoku(range) => format!("HoDoKu's level {}", level_range(range)),
            RatingRange::Effort(range) => format!("difficulty {}", level_range(range)),
        }
    }

    fn is_singles_only(&self) -> bool {
        match self {
            RatingRange::Hodoku(range) => *range.end() == HodokuLevel::Easy,
            RatingRange::Effort(range) => *range.end() == effort::Level::Easy,
            RatingRange::Dupree(_) | RatingRange::Consistency(_) | RatingRange::Explainer(_) => {
                false
            }
        }
    }

    fn is_open_ended(&self) -> bool {
        match self {
            RatingRange::Hodoku(range) => *range.end() == HodokuLevel::Extreme,
            RatingRange::Effort(range) => *range.end() == effort::Level::Extreme,
            RatingRange::Dupree(_) | RatingRange::Consistency(_) | RatingRange::Explainer(_) => {
                false
            }
        }
    }

    fn fit(&self, puzzle: &Grid) -> Fit {
        match self {
            RatingRange::Dupree(range) => match dupree::score(puzzle) {
                Ok(score) => compare(&score.points, range),
                Err(_) => Fit::Above,
            },
            // Levels above the end of the range are not tried: a puzzle that the last level does
            // not solve is too hard.
            RatingRange::Consistency(range) => match consistency::weakest(puzzle, *range.end()) {
                consistency::Verdict::Solved(level) => compare(&level, range),
                consistency::Verdict::Refuted(_) | consistency::Verdict::Open => Fit::Above,
            },
            RatingRange::Explainer(range) => match explainer::rate_up_to(puzzle, *range.end()) {
                Ok(rating) => compare(&rating.er, range),
                Err(_) => Fit::Above,
            },
            RatingRange::Hodoku(range) => match hodoku::rate(puzzle) {
                Ok(rating) => compare(&rating.level, range),
                Err(_) => Fit::Above,
            },
            RatingRange::Effort(range) => {
                match effort::rate_within(puzzle, &Limits::none(), hardest_of(*range.end())) {
                    Ok(effort) => compare(&effort.level(), range),
                    Err(_) => Fit::Above,
                }
            }
        }
    }

    fn mismatch(&self, puzzle: &Grid) -> Option<Mismatch> {
        // Graded distances show which of two puzzles is the better start for the next variation.
        // For ER, the distance is the difference to the range.
        if let RatingRange::Explainer(range) = self
            && let Ok(rating) = explainer::rate_up_to(puzzle, *range.end())
        {
            let distance = usize::from(range.start().0.saturating_sub(rating.er.0));
            let description = format!("its ER is {}, below {}", rating.er, range.start());
            return (distance > 0).then_some(Mismatch { distance, description });
        }
        // For effort, it is the number of step kinds between the hardest one and the range.
        if let RatingRange::Effort(range) = self
            && let Ok(effort) =
                effort::rate_within(puzzle, &Limits::none(), hardest_of(*range.end()))
        {
            let needed = effort::Kind::ALL.into_iter().find(|kind| kind.level() == *range.start());
            let distance = needed
                .map_or(0, |needed| (needed as usize).saturating_sub(effort.hardest as usize));
            let description =
                format!("it is {}, too easy for {}", effort.level(), self.description());
            return (distance > 0).then_some(Mismatch { distance, description });
        }
        let (description, distance) = match self.fit(puzzle) {
            Fit::Within => return None,
            Fit::Below => (format!("it is too easy for {}", self.description()), 1),
            Fit::Above => (format!("it is too hard for {}", self.description()), TOO_HARD),
        };
        let is_graded = matches!(self, RatingRange::Explainer(_) | RatingRange::Effort(_));
        Some(Mismatch { distance: if is_graded { distance } else { 1 }, description })
    }
}

/// The distance of a puzzle that is too hard for a range of ERs or efforts. It corresponds to 1.5
/// points of ER, and exceeds the number of step kinds.
const TOO_HARD: usize = 15;

/// `hard`, or `medium to hard`.
fn level_range<T: fmt::Display + PartialEq>(range: &RangeInclusive<T>) -> String {
    if range.start() == range.end() {
        range.start().to_string()
    } else {
        format!("{} to {}", range.start(), range.end())
    }
}

/// The hardest kind of step that a puzzle of this level may need.
fn hardest_of(level: effort::Level) -> effort::Kind {
    let hardest = effort::Kind::ALL.into_iter().rev().find(|kind| kind.level() == level);
    hardest.expect("every level has a kind of step")
}

fn compare<T: PartialOrd>(value: &T, range: &RangeInclusive<T>) -> Fit {
    if value < range.start() {
        Fit::Below
    } else if value > range.end() {
        Fit::Above
    } else {
        Fit::Within
    }
}
