//! Wishes: what a setter asks for, and what is said when it cannot be had.

use super::PatternSymmetry;
use crate::grid::{Grid, Order};
use crate::limits::{Limits, Stop};
use crate::proof::{HodokuLevel, Technique};
use crate::rate::consistency::{self, Consistency};
use crate::rate::explainer::{self, Tenths};
use crate::rate::{dupree, effort, hodoku};
use crate::search::{Unfinished, singles, unique};
use std::fmt;
use std::ops::RangeInclusive;

/// What a setter wants. Whatever is not asked for is left to chance.
#[derive(Clone)]
pub struct Wish<'a> {
    /// The size.
    pub order: Order,
    /// How many clues.
    pub clues: Option<RangeInclusive<usize>>,
    /// How often each number of clues should come up, as pairs of number and weight; the range must allow them.
    pub clue_weights: &'a [(usize, u32)],
    /// Is every clue needed?
    pub minimal: bool,
    /// The symmetry of the clues' pattern.
    pub symmetry: PatternSymmetry,
    /// Clues stand exactly where this grid is filled; its digits do not matter.
    pub pattern: Option<Grid>,
    /// The puzzle has this solution.
    pub solution: Option<Grid>,
    /// What else must hold, such as a range on a rating scale.
    pub demands: Vec<&'a dyn Demand>,
    /// Made as the million puzzles on Kaggle were; their looks are then left to that method.
    pub plucked: bool,
    /// Complete grids that are tried before giving up.
    pub attempts: usize,
    /// Nodes after which a proof is given up; then the clues in question stay. Proofs for 9×9 are always finished. What
    /// [`Wish::any`] sets is small for large grids ([`unique::nodes_per_cut`]): who wants [`minimal`](Wish::minimal) ones of
    /// these sets [`unique::NODES_PER_PROOF`] or more, and needs patience.
    pub nodes_per_proof: u64,
    /// A time, and a flag that ends the search. No puzzle depends on them: one that is not made in time is refused.
    pub limits: Limits<'a>,
}

/// Any 9×9 puzzle.
impl Default for Wish<'_> {
    fn default() -> Self {
        Wish::any(Order::NINE)
    }
}

impl Wish<'_> {
    /// No wish but a size and one solution.
    #[must_use]
    pub fn any(order: Order) -> Wish<'static> {
        Wish {
            order,
            clues: None,
            clue_weights: &[],
            minimal: false,
            symmetry: PatternSymmetry::None,
            pattern: None,
            solution: None,
            demands: Vec::new(),
            plucked: false,
            attempts: 200,
            nodes_per_proof: unique::nodes_per_cut(order),
            limits: Limits::none(),
        }
    }

    /// Puzzles made as the Kaggle million was: 29 to 37 clues, 33.8 on average, solved by hidden singles; see [`kaggle`].
    ///
    /// [`kaggle`]: super::kaggle
    #[must_use]
    pub fn kaggle() -> Wish<'static> {
        Wish { plucked: true, ..Wish::any(Order::NINE) }
    }

    /// Puzzles with the clue counts of the Kaggle million that are solved by singles, but cut as all others are: they are a
    /// little harder. Data sets that networks were trained on are made of these.
    #[must_use]
    pub fn kaggle_clues() -> Wish<'static> {
        Wish {
            clues: Some(29..=37),
            clue_weights: &KAGGLE_CLUES,
            demands: vec![&SinglesOnly],
            ..Wish::any(Order::NINE)
        }
    }

    /// Refuses a wish that contradicts itself at first sight.
    pub(super) fn check(&self) -> Result<(), BadWish> {
        let order = self.order;
        if let Some(clues) = self
            .clues
            .as_ref()
            .filter(|clues| clues.is_empty() || *clues.end() > order.cell_count())
        {
            return Err(BadWish::Clues { first: *clues.start(), last: *clues.end(), order });
        }
        let (fewest, why) = fewest_clues(order);
        if let Some(most) =
            self.clues.as_ref().map(|clues| *clues.end()).filter(|most| *most < fewest)
        {
            return Err(BadWish::TooFewClues { most, fewest, why, order });
        }
        if self.demands.iter().any(|demand| demand.is_singles_only())
            && let Some(technique) = self.demands.iter().find_map(|demand| demand.beyond_singles())
        {
            return Err(BadWish::BeyondSingles { technique });
        }
        for grid in [&self.pattern, &self.solution].into_iter().flatten() {
            if grid.order() != order {
                return Err(BadWish::OtherOrder { found: grid.order(), order });
            }
        }
        if self.solution.as_ref().is_some_and(|solution| !solution.is_solved()) {
            return Err(BadWish::NoSolution);
        }
        if let Some(pattern) = &self.pattern {
            if !self.symmetry.holds_for(pattern) {
                return Err(BadWish::PatternSymmetry { symmetry: self.symmetry });
            }
            let count = pattern.clue_count();
            if self.clues.as_ref().is_some_and(|clues| !clues.contains(&count)) {
                return Err(BadWish::PatternClues { count });
            }
        }
        Ok(())
    }

    /// What keeps a puzzle from being what was wished for; nothing if it is. The puzzle has one solution.
    pub(super) fn misses(
        &self,
        puzzle: &Grid,
        limits: &Limits<'_>,
        is_minimal: impl FnOnce() -> Result<bool, Unfinished>,
    ) -> Vec<Miss> {
        let mut misses = Vec::new();
        let count = puzzle.clue_count();
        if let Some(clues) = &self.clues {
            if count > *clues.end() {
                misses.push(Miss {
                    weight: count - clues.end(),
                    words: format!("it has {count} clues, too many"),
                });
            }
            if count < *clues.start() {
                misses.push(Miss {
                    weight: clues.start() - count,
                    words: format!("it has {count} clues, too few"),
                });
            }
        }
        if misses.is_empty() && self.minimal {
            let miss = |words: &str| Miss { weight: 1, words: words.to_string() };
            match is_minimal() {
                Ok(true) => {}
                Ok(false) => misses.push(miss("it has a clue that is not needed")),
                Err(_) => misses
                    .push(miss("whether every clue is needed was not proven within the limit")),
            }
        }
        misses.extend(self.demands.iter().filter_map(|demand| demand.miss_within(puzzle, limits)));
        misses
    }

    /// Where a puzzle with one solution lies with respect to all demands together.
    pub(super) fn fit(&self, puzzle: &Grid, limits: &Limits<'_>) -> Fit {
        let mut fit = Fit::Within;
        for demand in &self.demands {
            match demand.fit_within(puzzle, limits) {
                Fit::Within => {}
                Fit::Below => fit = Fit::Below,
                Fit::Above => return Fit::Above,
            }
        }
        fit
    }
}

/// No puzzle of this order with one solution has fewer clues, and why that is known.
fn fewest_clues(order: Order) -> (usize, &'static str) {
    match (order.box_rows(), order.box_columns()) {
        (2, 2) => (4, "all puzzles of this size have been counted"),
        (3, 3) => (17, "McGuire, Tugemann and Civario searched all grids for fewer in 2012"),
        // Of two digits that no clue shows, each could stand for the other.
        _ => (order.side() - 1, "two digits that no clue shows could be exchanged"),
    }
}

/// One thing that is not as wished, and how far from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Miss {
    /// How far; the nearest thing to a wish is the puzzle with the smallest sum.
    pub weight: usize,
    /// What is not as wished, as in "it has 23 clues, too many".
    pub words: String,
}

/// Clue counts of a sample of 10,000 puzzles of the Kaggle kind, rounded up to 29 and 37, the ends that Tran and
/// Manley name.
const KAGGLE_CLUES: [(usize, u32); 9] = [
    (29, 1),
    (30, 8),
    (31, 68),
    (32, 590),
    (33, 2_660),
    (34, 4_574),
    (35, 1_960),
    (36, 139),
    (37, 1),
];

/// Where a puzzle lies with respect to a demand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fit {
    /// Too easy: taking clues away may help.
    Below,
    /// Just right.
    Within,
    /// Too hard.
    Above,
}

/// Something a puzzle must fulfil beside its looks. Other rooms add their own, such as a technique that must appear.
pub trait Demand: Sync {
    /// What is asked for, as in "DuPree's score 251 to 400".
    fn words(&self) -> String;

    /// Where a puzzle with one solution lies.
    fn fit(&self, puzzle: &Grid) -> Fit;

    /// What is not as wished, or `None` for a puzzle that fits.
    fn miss(&self, puzzle: &Grid) -> Option<Miss> {
        let words = match self.fit(puzzle) {
            Fit::Within => return None,
            Fit::Below => format!("it is too easy for {}", self.words()),
            Fit::Above => format!("it is too hard for {}", self.words()),
        };
        Some(Miss { weight: 1, words })
    }

    /// Does it keep all puzzles out that singles do not solve?
    fn is_singles_only(&self) -> bool {
        false
    }

    /// A technique beyond singles that every puzzle has to use.
    fn beyond_singles(&self) -> Option<Technique> {
        None
    }

    /// Is no puzzle too hard for it? Then clues may leave without a look at the demand.
    fn has_no_top(&self) -> bool {
        false
    }

    /// The same as [`fit`](Demand::fit) for a demand that takes long: where a limit is reached any answer will do,
    /// because the puzzle is given up.
    fn fit_within(&self, puzzle: &Grid, _limits: &Limits<'_>) -> Fit {
        self.fit(puzzle)
    }

    /// The same as [`miss`](Demand::miss) for a demand that takes long.
    fn miss_within(&self, puzzle: &Grid, _limits: &Limits<'_>) -> Option<Miss> {
        self.miss(puzzle)
    }
}

/// The puzzle falls to cells with one candidate and digits with one place.
pub struct SinglesOnly;

impl Demand for SinglesOnly {
    fn words(&self) -> String {
        "singles only".to_string()
    }

    fn fit(&self, puzzle: &Grid) -> Fit {
        if singles::solve(puzzle) { Fit::Within } else { Fit::Above }
    }

    fn is_singles_only(&self) -> bool {
        true
    }
}

/// A range on one of our rating scales.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Between {
    /// DuPree's score.
    Dupree(RangeInclusive<u64>),
    /// The weakest consistency that solves the puzzle without search.
    Consistency(RangeInclusive<Consistency>),
    /// Sudoku Explainer's ER.
    Explainer(RangeInclusive<Tenths>),
    /// HoDoKu's level.
    Hodoku(RangeInclusive<HodokuLevel>),
    /// The level of our own scale.
    Effort(RangeInclusive<effort::Level>),
}

impl Demand for Between {
    fn words(&self) -> String {
        match self {
            Between::Dupree(range) => {
                format!("DuPree's score {} to {}", range.start(), range.end())
            }
            Between::Consistency(range) => {
                format!("consistency {} to {}", range.start(), range.end())
            }
            Between::Explainer(range) => format!("ER {} to {}", range.start(), range.end()),
            Between::Hodoku(range) => format!("HoDoKu's level {}", from_to(range)),
            Between::Effort(range) => format!("difficulty {}", from_to(range)),
        }
    }

    fn is_singles_only(&self) -> bool {
        match self {
            Between::Hodoku(range) => *range.end() == HodokuLevel::Easy,
            Between::Effort(range) => *range.end() == effort::Level::Easy,
            Between::Dupree(_) | Between::Consistency(_) | Between::Explainer(_) => false,
        }
    }

    fn has_no_top(&self) -> bool {
        match self {
            Between::Hodoku(range) => *range.end() == HodokuLevel::Extreme,
            Between::Effort(range) => *range.end() == effort::Level::Extreme,
            Between::Dupree(_) | Between::Consistency(_) | Between::Explainer(_) => false,
        }
    }

    fn fit(&self, puzzle: &Grid) -> Fit {
        match self {
            Between::Dupree(range) => match dupree::score(puzzle) {
                Ok(score) => place(&score.points, range),
                Err(_) => Fit::Above,
            },
            // The level before the range decides "too easy", the last one of it "too hard": no level beyond is tried.
            Between::Consistency(range) => match consistency::weakest(puzzle, *range.end()) {
                consistency::Verdict::Solved(level) => place(&level, range),
                consistency::Verdict::Refuted(_) | consistency::Verdict::Open => Fit::Above,
            },
            Between::Explainer(range) => match explainer::rate_up_to(puzzle, *range.end()) {
                Ok(rating) => place(&rating.er, range),
                Err(_) => Fit::Above,
            },
            Between::Hodoku(range) => match hodoku::rate(puzzle) {
                Ok(rating) => place(&rating.level, range),
                Err(_) => Fit::Above,
            },
            Between::Effort(range) => {
                match effort::rate_within(puzzle, &Limits::none(), hardest_of(*range.end())) {
                    Ok(effort) => place(&effort.level(), range),
                    Err(_) => Fit::Above,
                }
            }
        }
    }

    fn miss(&self, puzzle: &Grid) -> Option<Miss> {
        // How far an ER lies below the range shows which of two puzzles to go on from.
        if let Between::Explainer(range) = self
            && let Ok(rating) = explainer::rate_up_to(puzzle, *range.end())
        {
            let weight = usize::from(range.start().0.saturating_sub(rating.er.0));
            let words = format!("its ER is {}, below {}", rating.er, range.start());
            return (weight > 0).then_some(Miss { weight, words });
        }
        // So does the number of kinds of steps between the hardest one needed and those of the range.
        if let Between::Effort(range) = self
            && let Ok(effort) =
                effort::rate_within(puzzle, &Limits::none(), hardest_of(*range.end()))
        {
            let needed = effort::Kind::ALL.into_iter().find(|kind| kind.level() == *range.start());
            let weight = needed
                .map_or(0, |needed| (needed as usize).saturating_sub(effort.hardest as usize));
            let words = format!("it is {}, too easy for {}", effort.level(), self.words());
            return (weight > 0).then_some(Miss { weight, words });
        }
        let (words, weight) = match self.fit(puzzle) {
            Fit::Within => return None,
            Fit::Below => (format!("it is too easy for {}", self.words()), 1),
            Fit::Above => (format!("it is too hard for {}", self.words()), TOO_HARD),
        };
        let is_graded = matches!(self, Between::Explainer(_) | Between::Effort(_));
        Some(Miss { weight: if is_graded { weight } else { 1 }, words })
    }
}

/// How far from a range of ERs or efforts a puzzle counts that is too hard for it: more than a point, or all kinds of steps.
const TOO_HARD: usize = 15;

/// `hard`, or `medium to hard`.
fn from_to<T: fmt::Display + PartialEq>(range: &RangeInclusive<T>) -> String {
    if range.start() == range.end() {
        range.start().to_string()
    } else {
        format!("{} to {}", range.start(), range.end())
    }
}

/// The hardest kind of step that a puzzle of this level may need.
fn hardest_of(level: effort::Level) -> effort::Kind {
    let of_level = effort::Kind::ALL.into_iter().rev().find(|kind| kind.level() == level);
    of_level.expect("every level has a kind of step")
}

fn place<T: PartialOrd>(value: &T, range: &RangeInclusive<T>) -> Fit {
    if value < range.start() {
        Fit::Below
    } else if value > range.end() {
        Fit::Above
    } else {
        Fit::Within
    }
}

/// Why no puzzle was made.
#[derive(Clone, Debug, thiserror::Error)]
pub enum Refusal {
    /// The wish contradicts itself.
    #[error(transparent)]
    BadWish(#[from] BadWish),
    /// Nothing like it was found.
    #[error(transparent)]
    NotFound(#[from] NotFound),
    /// A limit was reached before a puzzle was made.
    #[error("no puzzle was made before the end by {}", .0.stop)]
    Stopped(Interrupted),
}

/// A limit ended the work on a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Interrupted {
    /// The limit.
    pub stop: Stop,
    /// What was tried until then.
    pub so_far: NotFound,
}

/// A wish that contradicts itself.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadWish {
    /// The range of clue counts is empty or goes beyond the grid.
    #[error("a grid of {} cells cannot have {first} to {last} clues", order.cell_count())]
    Clues {
        /// The start of the range.
        first: usize,
        /// The end of the range.
        last: usize,
        /// The size of the grid.
        order: Order,
    },
    /// No puzzle with one solution has so few clues.
    #[error("no {order} puzzle with one solution has {most} clues; {fewest} are the fewest: {why}")]
    TooFewClues {
        /// The most clues that are allowed.
        most: usize,
        /// The fewest that a puzzle needs.
        fewest: usize,
        /// Why that is known.
        why: &'static str,
        /// The size of the grid.
        order: Order,
    },
    /// A pattern or a solution of another size.
    #[error("the pattern or solution is {found}, but the puzzle is to be {order}")]
    OtherOrder {
        /// The size of the pattern or solution.
        found: Order,
        /// The size that was asked for.
        order: Order,
    },
    /// The given solution is not a complete grid that keeps the rules.
    #[error("the solution is not a complete grid that keeps the rules")]
    NoSolution,
    /// The given pattern is not symmetric in the way asked for.
    #[error("the pattern does not have the symmetry {symmetry}")]
    PatternSymmetry {
        /// The symmetry.
        symmetry: PatternSymmetry,
    },
    /// The given pattern has another number of clues than asked for.
    #[error("the pattern has {count} clues, which the wish does not allow")]
    PatternClues {
        /// How many it has.
        count: usize,
    },
    /// A technique must appear and must not appear.
    #[error("{technique} is asked for and forbidden")]
    WantedAndForbidden {
        /// The technique.
        technique: Technique,
    },
    /// A technique must appear, and an easier one is to be the hardest.
    #[error("{technique} is harder than {hardest}, which is to be the hardest step")]
    HarderThanTheHardest {
        /// The technique.
        technique: Technique,
        /// The one that is to be the hardest.
        hardest: Technique,
    },
    /// A technique must appear that is not among the only ones allowed.
    #[error("{technique} is asked for, but only other techniques are allowed")]
    NotAmongTheOnly {
        /// The technique.
        technique: Technique,
    },
    /// A technique must appear, and singles alone are to solve the puzzle.
    #[error("{technique} is asked for, but singles alone are to solve the puzzle")]
    BeyondSingles {
        /// The technique.
        technique: Technique,
    },
    /// A technique must appear that rests on a promise which may not be used.
    #[error("{technique} rests on the promise of one solution, which may not be used")]
    RestsOnUniqueness {
        /// The technique.
        technique: Technique,
    },
}

/// The effort was spent and no puzzle met the wish.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct NotFound {
    /// Complete grids that were tried.
    pub attempts: usize,
    /// Puzzles that were tested for a single solution.
    pub proofs: u64,
    /// Tests that reached their limit.
    pub unfinished: u64,
    /// Puzzles that were measured against the demands.
    pub measured: u64,
    /// The nearest thing found.
    pub nearest: Option<Nearest>,
}

/// Something close to the wish.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Nearest {
    /// The puzzle; it has one solution unless `misses` says otherwise.
    pub puzzle: Grid,
    /// What is not as wished.
    pub misses: Vec<String>,
}

impl std::error::Error for NotFound {}

impl fmt::Display for NotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "no such puzzle after {} complete grids and {} proofs",
            self.attempts, self.proofs
        )?;
        if self.unfinished > 0 {
            write!(f, ", {} of them unfinished", self.unfinished)?;
        }
        if self.measured > 0 {
            write!(f, ", with {} puzzles measured against the demands", self.measured)?;
        }
        match &self.nearest {
            Some(nearest) => {
                write!(f, "; the nearest is {}: {}", nearest.puzzle, nearest.misses.join(", "))
            }
            None => Ok(()),
        }
    }
}
