//! HoDoKu's score and level: the sum of the scores of all steps, and the level of the hardest step.
//!
//! HoDoKu (Bernhard Hobiger, version 2.2.0) assigns each technique a score and one of five levels.
//! The score of a puzzle is the sum over its steps. Its level is the highest among them, raised
//! until the score is within the limit of the level (800, 1,000, 1,600 and 1,800 for easy, medium,
//! hard and unfair). If no technique finds a step, one cell is filled from the solution for 10,000
//! points.
//!
//! The score depends on which of several steps is found first, so symmetric images of a puzzle may
//! have different scores; the level rarely differs. This module therefore reproduces HoDoKu's
//! search order for most techniques: singles, subsets, skyscrapers, empty rectangles, wings, remote
//! pairs, XY-chains, almost locked sets, loops, forcing chains and nets.
//!
//! Fish, rectangles, colours, X-chains and Sue de Coq are searched with [`logic`](crate::logic).
//! They are tried in HoDoKu's order of techniques. But if one of these techniques has several
//! steps, `logic` may find another one first than HoDoKu.
//!
//! The scores and levels of techniques are in [`Technique::hodoku_score`].

mod als;
mod forcing;
mod loops;
mod pair_chains;
mod patterns;
mod singles;
mod subsets;
mod tables;

use crate::grid::{Cell, ClassicOnlyError, Digit, Grid, Order, Position, Solutions};
use crate::limits::{Limits, StopReason};
use crate::logic::{ExplainOptions, Steps};
use crate::proof::{Candidate, Fins, Fish, FishSize, HodokuLevel, Reason, Shape, Step, Technique};
use crate::search;
use singles::{Kind, Singles};
use std::cmp::Ordering;
use std::fmt;

/// The score of filling one cell from the solution.
const BRUTE_FORCE: u32 = 10_000;

/// HoDoKu's rating of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rating {
    /// The sum of the scores of all steps.
    pub score: u32,
    /// The level of the hardest step, or a higher one if the score requires it.
    pub level: HodokuLevel,
    /// The hardest technique by level, then by score. `None` if a cell was filled from the
    /// solution.
    pub hardest: Option<Technique>,
    /// The number of cells filled from the solution.
    pub brute_forced: u32,
}

/// Why a puzzle has no rating.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RatingError {
    /// The scale supports only 9×9.
    #[error("HoDoKu's scale supports only 9×9 puzzles, found {order}")]
    WrongSize {
        /// The size of the puzzle.
        order: Order,
    },
    /// The puzzle has no solution.
    #[error("the puzzle has no solution, so it has no rating")]
    NoSolution,
    /// The puzzle has several solutions.
    #[error("the puzzle has more than one solution, so it has no rating")]
    ManySolutions,
    /// A limit was reached.
    #[error("stopped by {stop}")]
    Stopped {
        /// The limit that was reached.
        stop: StopReason,
        /// The score until then, a lower bound.
        at_least: u32,
        /// The level until then, a lower bound.
        level: HodokuLevel,
    },
    /// The puzzle has rules of its own.
    #[error(transparent)]
    Rules(#[from] ClassicOnlyError),
}

/// Returns HoDoKu's rating of a puzzle with one solution.
///
/// ```
/// use ninefold::proof::HodokuLevel;
/// use ninefold::rate::hodoku;
///
/// let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let rating = hodoku::rate(&puzzle)?;
/// assert_eq!((rating.score, rating.level), (204, HodokuLevel::Easy));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn rate(puzzle: &Grid) -> Result<Rating, RatingError> {
    rate_within(puzzle, &Limits::none())
}

/// Like [`rate`], with limits. The node limit is ignored.
pub fn rate_within(puzzle: &Grid, limits: &Limits<'_>) -> Result<Rating, RatingError> {
    puzzle.require_classic("HoDoKu ratings are")?;
    if puzzle.order() != Order::NINE {
        return Err(RatingError::WrongSize { order: puzzle.order() });
    }
    let solution = match search::prove(puzzle, limits).solutions {
        Ok(Solutions::One(solution)) => solution,
        Ok(Solutions::Zero) => return Err(RatingError::NoSolution),
        Ok(Solutions::Many(..)) => return Err(RatingError::ManySolutions),
        Err(unfinished) => {
            return Err(RatingError::Stopped {
                stop: unfinished.stop,
                at_least: 0,
                level: HodokuLevel::Easy,
            });
        }
    };
    let position = Position::from_puzzle(puzzle).map_err(|_| RatingError::NoSolution)?;
    let steps = Steps::new(&position, &ExplainOptions::default(), limits);
    let mut way =
        Solver { singles: Singles::new(puzzle), stages: stages(), steps, tally: Tally::default() };
    way.walk(&solution)?;
    Ok(way.tally.rating())
}

/// One stage of HoDoKu's search: the techniques searched together, and whether the first or the
/// best step is used.
enum Stage {
    Subset(Technique, subsets::Kind, usize),
    /// A finder of this module with HoDoKu's search order.
    Custom(Technique, fn(&Singles) -> Option<subsets::Removes>),
    First(Technique),
    Best(Technique),
    /// Nice loops and open chains, with or without groups.
    Loops {
        grouped: bool,
    },
    /// Forcing chains or nets.
    Forcing {
        by_nets: bool,
    },
}

/// The stages after singles, in HoDoKu's order.
fn stages() -> Vec<Stage> {
    let mut stages = Vec::new();
    for technique in crate::logic::default_order() {
        match technique {
            Technique::FullHouse | Technique::NakedSingle | Technique::HiddenSingle => {}
            Technique::LockedPair => {
                stages.push(Stage::Subset(technique, subsets::Kind::Locked, 2))
            }
            Technique::LockedTriple => {
                stages.push(Stage::Subset(technique, subsets::Kind::Locked, 3))
            }
            Technique::NakedSubset(size) => {
                stages.push(Stage::Subset(technique, subsets::Kind::Naked, size.cells()))
            }
            Technique::HiddenSubset(size) => {
                stages.push(Stage::Subset(technique, subsets::Kind::Hidden, size.cells()))
            }
            Technique::ContinuousNiceLoop { grouped } => stages.push(Stage::Loops { grouped }),
            Technique::DiscontinuousNiceLoop { .. } | Technique::Aic { .. } => {}
            Technique::XChain | Technique::TurbotFish => stages.push(Stage::Best(technique)),
            Technique::XyChain => stages.push(Stage::Custom(technique, pair_chains::xy_chain)),
            Technique::RemotePair => {
                stages.push(Stage::Custom(technique, pair_chains::remote_pair))
            }
            Technique::Skyscraper => stages.push(Stage::Custom(technique, patterns::skyscraper)),
            Technique::EmptyRectangle => {
                stages.push(Stage::Custom(technique, patterns::empty_rectangle))
            }
            Technique::WWing => stages.push(Stage::Custom(technique, patterns::w_wing)),
            Technique::XyWing => stages.push(Stage::Custom(technique, patterns::xy_wing)),
            Technique::AlsXz => stages.push(Stage::Custom(technique, als::xz)),
            Technique::AlsXyWing => stages.push(Stage::Custom(technique, als::xy_wing)),
            Technique::AlsXyChain => stages.push(Stage::Custom(technique, als::xy_chain)),
            Technique::XyzWing => stages.push(Stage::Custom(technique, patterns::xyz_wing)),
            _ if technique.hodoku_score().is_none() => {}
            Technique::CellForcingChain => {
                stages.extend(franken().map(Stage::First));
                stages.push(Stage::Forcing { by_nets: false });
            }
            Technique::HouseForcingChain => {}
            Technique::ForcingNet => stages.push(Stage::Forcing { by_nets: true }),
            _ => stages.push(Stage::First(technique)),
        }
    }
    stages
}

/// Franken fish, which are tried before forcing chains.
fn franken() -> [Technique; 4] {
    let fish = |size, fins| {
        Technique::Fish(Fish::new(size, Shape::Franken, fins).expect("the fish is valid"))
    };
    [
        fish(FishSize::XWing, Fins::None),
        fish(FishSize::Swordfish, Fins::None),
        fish(FishSize::XWing, Fins::Finned),
        fish(FishSize::Swordfish, Fins::Finned),
    ]
}

/// The step that HoDoKu prefers: the one with the most removals, then the one with the smallest
/// weighted sum of removed candidates, then the shortest.
fn best(steps: Vec<Step>) -> Option<Move> {
    let length =
        |step: &Step| if let Reason::Chain(chain) = &step.reason { chain.nodes.len() } else { 0 };
    let moves = steps.into_iter().map(|step| (length(&step), Move::from_step(step))).collect();
    let order = |(length, one): &(usize, Move), (other_length, other): &(usize, Move)| {
        loops::order(&one.removes, &other.removes).then(length.cmp(other_length))
    };
    first_by(moves, order).map(|(_, found)| found)
}

/// The first of the minimal elements.
fn first_by<T>(all: Vec<T>, order: impl Fn(&T, &T) -> Ordering) -> Option<T> {
    all.into_iter().reduce(|best, next| if order(&next, &best).is_lt() { next } else { best })
}

/// The current position in two representations: for singles and for the other techniques.
struct Solver<'a> {
    singles: Singles,
    stages: Vec<Stage>,
    steps: Steps<'a>,
    tally: Tally,
}

impl Solver<'_> {
    fn walk(&mut self, solution: &Grid) -> Result<(), RatingError> {
        loop {
            while let Some((kind, cell, digit)) = self.singles.next() {
                let technique = match kind {
                    Kind::FullHouse => Technique::FullHouse,
                    Kind::Naked => Technique::NakedSingle,
                    Kind::Hidden => Technique::HiddenSingle,
                };
                self.tally.add(technique);
                self.singles.fill(cell.index(), digit.index());
                self.steps.fill(cell, digit);
            }
            if self.singles.empty().next().is_none() {
                return Ok(());
            }
            match self.next_move()? {
                Some(found) => self.take(found),
                None => self.fill_from_solution(solution),
            }
        }
    }

    /// The move of the first stage that finds one.
    fn next_move(&self) -> Result<Option<Move>, RatingError> {
        for stage in &self.stages {
            if let Some(stop) = self.steps.limit_reached() {
                return Err(self.tally.stopped(stop));
            }
            let found = match *stage {
                Stage::Subset(technique, kind, size) => {
                    let removes = subsets::find(&self.singles, kind, size);
                    removes.map(|removes| Move { technique, removes, places: Vec::new() })
                }
                Stage::Custom(technique, find) => find(&self.singles).map(|removes| Move {
                    technique,
                    removes,
                    places: Vec::new(),
                }),
                Stage::First(technique) => self.steps.first_of(technique).map(Move::from_step),
                Stage::Best(technique) => best(self.steps.all_of(technique)),
                Stage::Loops { grouped } => loops::find(&self.singles, grouped).map(|found| Move {
                    technique: found.technique,
                    removes: found.removes,
                    places: Vec::new(),
                }),
                Stage::Forcing { by_nets } => {
                    forcing::find(&self.singles, by_nets).map(|node| Move::forced(node, by_nets))
                }
            };
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    fn take(&mut self, found: Move) {
        self.tally.add(found.technique);
        for (cell, digit) in found.removes {
            if self.singles.digits_at(cell) >> digit & 1 == 1 {
                self.singles.remove(cell, digit);
                self.steps
                    .remove(Candidate { cell: Cell::new(cell), digit: Digit::from_index(digit) });
            }
        }
        for (cell, digit) in found.places {
            self.singles.fill(cell, digit);
            self.steps.fill(Cell::new(cell), Digit::from_index(digit));
        }
    }

    /// Fills the middle one of the empty cells from the solution.
    fn fill_from_solution(&mut self, solution: &Grid) {
        let empty: Vec<usize> = self.singles.empty().collect();
        let cell = Cell::new(empty[empty.len() / 2]);
        let digit = solution[cell].expect("a solution is complete");
        self.tally.brute_forced += 1;
        self.singles.fill(cell.index(), digit.index());
        self.steps.fill(cell, digit);
    }
}

/// The effect of a step. Cells and digits are numbered from 0.
struct Move {
    technique: Technique,
    /// In the order in which HoDoKu removes them.
    removes: Vec<(usize, usize)>,
    places: Vec<(usize, usize)>,
}

impl Move {
    /// The conclusion of forcing chains or nets.
    fn forced(node: tables::Node, by_nets: bool) -> Move {
        let technique = if by_nets { Technique::ForcingNet } else { Technique::CellForcingChain };
        let mut found = Move { technique, removes: Vec::new(), places: Vec::new() };
        let list = if tables::is_on(node) { &mut found.places } else { &mut found.removes };
        list.extend(tables::candidate(node));
        found
    }

    /// Sorts removals by digit.
    fn from_step(step: Step) -> Move {
        let plain = |candidates: &[Candidate]| -> Vec<(usize, usize)> {
            candidates
                .iter()
                .map(|candidate| (candidate.cell.index(), candidate.digit.index()))
                .collect()
        };
        let mut removes = plain(&step.removes);
        removes.sort_unstable_by_key(|&(cell, digit)| (digit, cell));
        Move { technique: step.technique, removes, places: plain(&step.places) }
    }
}

/// Score and level so far.
#[derive(Default)]
struct Tally {
    score: u32,
    hardest: Option<Technique>,
    level: Option<HodokuLevel>,
    brute_forced: u32,
}

impl Tally {
    fn add(&mut self, technique: Technique) {
        let (score, level) = technique.hodoku_score().expect("all stages have a score");
        self.score += score;
        self.level = self.level.max(Some(level));
        if self
            .hardest
            .and_then(Technique::hodoku_score)
            .is_none_or(|(hardest, of)| (of, hardest) < (level, score))
        {
            self.hardest = Some(technique);
        }
    }

    fn level(&self) -> HodokuLevel {
        if self.brute_forced > 0 {
            return HodokuLevel::Extreme;
        }
        let mut level = self.level.unwrap_or(HodokuLevel::Easy);
        while let Some((_, next)) = cap(level).filter(|&(most, _)| self.score > most) {
            level = next;
        }
        level
    }

    fn rating(&self) -> Rating {
        let score = self.score + self.brute_forced * BRUTE_FORCE;
        let hardest = self.hardest.filter(|_| self.brute_forced == 0);
        Rating { score, level: self.level(), hardest, brute_forced: self.brute_forced }
    }

    fn stopped(&self, stop: StopReason) -> RatingError {
        let rating = self.rating();
        RatingError::Stopped { stop, at_least: rating.score, level: rating.level }
    }
}

/// The maximum score of a level, and the next level.
fn cap(level: HodokuLevel) -> Option<(u32, HodokuLevel)> {
    match level {
        HodokuLevel::Easy => Some((800, HodokuLevel::Medium)),
        HodokuLevel::Medium => Some((1_000, HodokuLevel::Hard)),
        HodokuLevel::Hard => Some((1_600, HodokuLevel::Unfair)),
        HodokuLevel::Unfair => Some((1_800, HodokuLevel::Extreme)),
        HodokuLevel::Extreme => None,
    }
}

impl fmt::Display for Rating {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} points, {}", self.score, self.level)
    }
}
