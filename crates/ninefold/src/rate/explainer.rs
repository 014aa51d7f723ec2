//! Sudoku Explainer's ratings ER, EP and ED, which setters and forums use.
//!
//! Sudoku Explainer (Nicolas Juillerat, version 1.2.1) solves a puzzle one hint at a time. Its
//! techniques have a fixed order. At each position, the first technique that finds something gives
//! the hint; a technique with several hints uses the one with the lowest rating. **ER** is the
//! highest rating of all hints, **EP** the highest rating up to the first hint that places a digit,
//! **ED** the rating of the first hint.
//!
//! ```text
//! 1.0–1.5 hidden singles · 1.7, 1.9 direct pointing, claiming · 2.0, 2.5 direct hidden pair, triplet · 2.3 naked single
//! 2.6, 2.8 pointing, claiming · 3.0–5.4 subsets, fish · 4.2, 4.4 wings · 4.5–5.6 unique loops · 5.6–6.2 BUG
//! 6.2 aligned pairs · 6.5–7.9 cycles, forcing chains · 7.5 aligned triplets, Nishio · 8.0 multiple chains
//! 8.5 dynamic chains · 9.0–11.0 dynamic chains with patterns or chains inside
//! ratings of chains (from 6.5) also increase with the length of the chain
//! ```
//!
//! Each hint determines all following positions, so cells, houses and links are visited in the
//! order of the program. There are two corrections, which all current successors of the program
//! share: unique loops and BUG follow the version called lksudoku, and removals inside nested
//! chains are made cell by cell. The module has its own bit sets and does not use
//! [`logic`](crate::logic), which searches for the most readable step.

mod aligned;
mod board;
mod branch;
mod bug;
mod candidate_set;
mod chain;
mod forcing;
mod hint;
mod links;
mod multiple;
mod nested;
mod pattern;
mod reach;
mod singles;
mod tables;
mod unique_loop;
mod wings;

use crate::grid::{ClassicOnlyError, Grid, Order, Solutions};
use crate::limits::{Deadline, Limits, StopReason};
use crate::search;
use board::Board;
use hint::Hint;
pub use hint::Technique;
use multiple::Kind;
use std::fmt;

/// A rating in tenths, displayed as `7.2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tenths(pub u16);

impl Tenths {
    fn from_rating(rating: f64) -> Tenths {
        Tenths((rating * 10.0).round() as u16)
    }
}

impl fmt::Display for Tenths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}.{}", self.0 / 10, self.0 % 10))
    }
}

/// Sudoku Explainer's rating of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rating {
    /// The rating of the hardest hint.
    pub er: Tenths,
    /// The rating of the hardest hint up to the first placed digit.
    pub ep: Tenths,
    /// The rating of the first hint.
    pub ed: Tenths,
    /// The technique of the hardest hint.
    pub hardest: Technique,
}

/// Why a puzzle has no rating.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RatingError {
    /// The scale supports only 9×9.
    #[error("Sudoku Explainer's scale supports only 9×9 puzzles, found {order}")]
    WrongSize {
        /// The size of the puzzle.
        order: Order,
    },
    /// The grid is complete.
    #[error("the grid is complete, so there is nothing to rate")]
    Complete,
    /// The puzzle has no solution.
    #[error("the puzzle has no solution, so it has no rating")]
    NoSolution,
    /// The puzzle has several solutions; some techniques assume a unique solution.
    #[error("the puzzle has more than one solution, so it has no rating")]
    ManySolutions,
    /// No technique finds a hint below the requested maximum.
    #[error("Sudoku Explainer's techniques do not solve the puzzle")]
    Beyond {
        /// The rating of the hardest hint until then, if any: a lower bound.
        at_least: Option<Tenths>,
    },
    /// A limit was reached.
    #[error("stopped by {stop}")]
    Stopped {
        /// The limit that was reached.
        stop: StopReason,
        /// The rating of the hardest hint until then, if any: a lower bound.
        at_least: Option<Tenths>,
    },
    /// The puzzle has rules of its own.
    #[error(transparent)]
    Rules(#[from] ClassicOnlyError),
}

/// Returns Sudoku Explainer's ratings of a puzzle with one solution.
///
/// ```
/// use ninefold::rate::explainer;
///
/// let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let rating = explainer::rate(&puzzle)?;
/// assert_eq!(rating.to_string(), "1.2/1.2/1.2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn rate(puzzle: &Grid) -> Result<Rating, RatingError> {
    rate_within(puzzle, &Limits::none())
}

/// Like [`rate`], with limits. The node limit is ignored.
pub fn rate_within(puzzle: &Grid, limits: &Limits<'_>) -> Result<Rating, RatingError> {
    puzzle.require_classic("SE ratings are")?;
    if puzzle.order() != Order::NINE {
        return Err(RatingError::WrongSize { order: puzzle.order() });
    }
    match search::prove(puzzle, limits).solutions {
        Ok(Solutions::One(_)) => rate_hints(puzzle, limits, f64::INFINITY),
        Ok(Solutions::Zero) => Err(RatingError::NoSolution),
        Ok(Solutions::Many(..)) => Err(RatingError::ManySolutions),
        Err(unfinished) => Err(RatingError::Stopped { stop: unfinished.stop, at_least: None }),
    }
}

/// Returns the ratings of a puzzle with one solution if its ER is at most `most`. For a harder
/// puzzle, returns [`RatingError::Beyond`] as soon as possible.
pub fn rate_up_to(puzzle: &Grid, most: Tenths) -> Result<Rating, RatingError> {
    rate_hints(puzzle, &Limits::none(), f64::from(most.0) / 10.0 + 0.05)
}

/// Solves the puzzle hint by hint, until a hint is rated above `most`.
fn rate_hints(puzzle: &Grid, limits: &Limits<'_>, most: f64) -> Result<Rating, RatingError> {
    puzzle.require_classic("SE ratings are")?;
    if puzzle.order() != Order::NINE {
        return Err(RatingError::WrongSize { order: puzzle.order() });
    }
    let mut board = Board::new(puzzle).ok_or(RatingError::NoSolution)?;
    if board.is_solved() {
        return Err(RatingError::Complete);
    }
    let mut explainer = Explainer::new(Deadline::new(limits), most);
    let mut ratings = Ratings::default();
    while !board.is_solved() {
        let at_least = ratings.hardest.map(|(rating, _)| Tenths::from_rating(rating));
        if !board.is_sound() {
            return Err(RatingError::NoSolution);
        }
        let hint =
            explainer.hint(&board).map_err(|stop| RatingError::Stopped { stop, at_least })?;
        let hint =
            hint.filter(|hint| hint.rating <= most).ok_or(RatingError::Beyond { at_least })?;
        hint.apply(&mut board);
        ratings.add(&hint);
    }
    ratings.rating().ok_or(RatingError::Complete)
}

impl fmt::Display for Rating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}/{}", self.er, self.ep, self.ed)
    }
}

/// The ratings of the hints so far.
#[derive(Default)]
struct Ratings {
    hardest: Option<(f64, Technique)>,
    first: Option<f64>,
    first_placement: Option<f64>,
}

impl Ratings {
    fn add(&mut self, hint: &Hint) {
        if self.hardest.is_none_or(|(rating, _)| hint.rating > rating) {
            self.hardest = Some((hint.rating, hint.technique));
        }
        let highest = self.hardest.map(|(rating, _)| rating);
        self.first = self.first.or(highest);
        if hint.places.is_some() {
            self.first_placement = self.first_placement.or(highest);
        }
    }

    fn rating(&self) -> Option<Rating> {
        let (er, hardest) = self.hardest?;
        let (ep, ed) = (self.first_placement?, self.first?);
        Some(Rating {
            er: Tenths::from_rating(er),
            ep: Tenths::from_rating(ep),
            ed: Tenths::from_rating(ed),
            hardest,
        })
    }
}

/// The techniques in order, with the caches of the chain searches.
struct Explainer<'a> {
    aligned_pairs: aligned::Memory,
    aligned_triplets: aligned::Memory,
    forcing: forcing::Search,
    /// Created when first needed; most puzzles do not need them.
    chains: Option<multiple::Search<'a>>,
    deadline: Deadline<'a>,
    /// Hints with a higher rating are not searched.
    most: f64,
}

/// The chains after aligned triplets, in order of rating.
const CHAINS: [Kind; 8] = [
    Kind::Nishio,
    Kind::Multiple,
    Kind::Dynamic(0),
    Kind::Dynamic(1),
    Kind::Dynamic(2),
    Kind::Dynamic(3),
    Kind::Dynamic(4),
    Kind::Dynamic(5),
];

impl<'a> Explainer<'a> {
    fn new(deadline: Deadline<'a>, most: f64) -> Explainer<'a> {
        Explainer {
            aligned_pairs: aligned::Memory::new(),
            aligned_triplets: aligned::Memory::new(),
            forcing: forcing::Search::new(),
            chains: None,
            deadline,
            most,
        }
    }

    /// The next hint.
    fn hint(&mut self, board: &Board) -> Result<Option<Hint>, StopReason> {
        if let Some(hint) = by_patterns(board).or_else(|| self.aligned_pairs.pair(board)) {
            return Ok(Some(hint));
        }
        self.deadline.reached().map_or(Ok(()), Err)?;
        if let Some(hint) =
            self.forcing.best(board).or_else(|| self.aligned_triplets.triplet(board))
        {
            return Ok(Some(hint));
        }
        let chains =
            self.chains.get_or_insert_with(|| multiple::Search::new(Kind::Nishio, self.deadline));
        for kind in CHAINS.into_iter().take_while(|kind| kind.base_rating() <= self.most) {
            if let Some(hint) = chains.best(kind, board)? {
                return Ok(Some(hint));
            }
        }
        Ok(None)
    }
}

/// The first hint of all techniques before aligned pairs.
fn by_patterns(board: &Board) -> Option<Hint> {
    singles::hidden(board)
        .or_else(|| singles::direct_locked(board))
        .or_else(|| singles::direct_hidden_set(board, 2))
        .or_else(|| singles::naked(board))
        .or_else(|| singles::direct_hidden_set(board, 3))
        .or_else(|| pattern::locked(board))
        .or_else(|| pattern::naked_set(board, 2))
        .or_else(|| pattern::fish(board, 2))
        .or_else(|| pattern::hidden_set(board, 2))
        .or_else(|| pattern::naked_set(board, 3))
        .or_else(|| pattern::fish(board, 3))
        .or_else(|| pattern::hidden_set(board, 3))
        .or_else(|| wings::find(board, 2))
        .or_else(|| wings::find(board, 3))
        .or_else(|| unique_loop::find(board))
        .or_else(|| pattern::naked_set(board, 4))
        .or_else(|| pattern::fish(board, 4))
        .or_else(|| pattern::hidden_set(board, 4))
        .or_else(|| bug::find(board))
}
