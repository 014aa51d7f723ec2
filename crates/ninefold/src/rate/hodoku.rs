//! HoDoKu's score and level: the sum over the steps of a solution, and the hardest kind of step among them.
//!
//! HoDoKu (Bernhard Hobiger, version 2.2.0) gives each technique a score and one of five levels. The score of a puzzle is the
//! sum over its steps; its level is the highest among them, raised as long as the score exceeds what the level allows
//! (800, 1,000, 1,600 and 1,800 for easy, medium, hard and unfair). Where no technique helps, a cell is given away for
//! 10,000 points.
//!
//! The score depends on which of several steps is found first, so a turned or relabelled puzzle may score differently; the
//! level rarely does. So nearly everything is found here as HoDoKu finds it: singles with its two queues, subsets, skyscrapers, empty
//! rectangles and wings in its order, remote pairs and XY-chains among all of ten cells or fewer, loops, forcing chains and nets with
//! its tables, almost locked sets in its lists. Fish, rectangles, colours, X-chains and Sue de Coq come from
//! [`logic`](crate::logic) in HoDoKu's order of techniques; among several steps of one of these it may choose another one.
//!
//! The name of a level and the score of a technique are [`Technique::hodoku_score`].

mod als;
mod forcing;
mod loops;
mod pair_chains;
mod patterns;
mod singles;
mod subsets;
mod tables;

use crate::grid::{Cell, Digit, Grid, Order, Position, Solutions};
use crate::limits::{Limits, Stop};
use crate::logic::{Options, Steps};
use crate::proof::{Because, Candidate, Fins, Fish, FishSize, HodokuLevel, Shape, Step, Technique};
use crate::search;
use singles::{Kind, Singles};
use std::cmp::Ordering;
use std::fmt;

/// What giving one cell away costs.
const GIVEN_AWAY: u32 = 10_000;

/// What HoDoKu says of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rating {
    /// The sum over all steps.
    pub score: u32,
    /// The level of the hardest step, or one that the score demands.
    pub level: HodokuLevel,
    /// The hardest technique used, by level and then by score. `None` if a cell had to be given away.
    pub hardest: Option<Technique>,
    /// How many cells had to be given away.
    pub given_away: u32,
}

/// Why a puzzle has no rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoRating {
    /// The scale is made for 9×9.
    #[error("HoDoKu's scale takes 9×9 puzzles, not {order}")]
    WrongSize {
        /// The size of the puzzle.
        order: Order,
    },
    /// No grid solves the puzzle.
    #[error("the puzzle has no solution, so it has no rating")]
    NoSolution,
    /// Several grids solve it.
    #[error("the puzzle has more than one solution, so it has no rating")]
    ManySolutions,
    /// A limit was reached.
    #[error("stopped by {stop}")]
    Stopped {
        /// Which one.
        stop: Stop,
        /// The score so far.
        at_least: u32,
        /// The level so far.
        level: HodokuLevel,
    },
}

/// HoDoKu's rating of a puzzle.
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
pub fn rate(puzzle: &Grid) -> Result<Rating, NoRating> {
    rate_within(puzzle, &Limits::none())
}

/// The same within some limits; nodes do not count.
pub fn rate_within(puzzle: &Grid, limits: &Limits<'_>) -> Result<Rating, NoRating> {
    if puzzle.order() != Order::NINE {
        return Err(NoRating::WrongSize { order: puzzle.order() });
    }
    let solution = match search::prove(puzzle, limits).solutions {
        Ok(Solutions::One(solution)) => solution,
        Ok(Solutions::Zero) => return Err(NoRating::NoSolution),
        Ok(Solutions::Many(..)) => return Err(NoRating::ManySolutions),
        Err(unfinished) => {
            return Err(NoRating::Stopped {
                stop: unfinished.stop,
                at_least: 0,
                level: HodokuLevel::Easy,
            });
        }
    };
    let position = Position::start(puzzle).map_err(|_| NoRating::NoSolution)?;
    let steps = Steps::new(&position, &Options::default(), limits);
    let mut way =
        Way { singles: Singles::of(puzzle), stages: stages(), steps, tally: Tally::default() };
    way.walk(&solution)?;
    Ok(way.tally.rating())
}

/// What HoDoKu looks for together, and whether it takes the first step it finds or the best one.
enum Stage {
    Subset(Technique, subsets::Kind, usize),
    /// A finder of our own in HoDoKu's order.
    Own(Technique, fn(&Singles) -> Option<subsets::Removes>),
    First(Technique),
    Best(Technique),
    /// Nice loops and open chains, with groups or without.
    Loops {
        grouped: bool,
    },
    /// Forcing chains, or nets.
    Forcing {
        by_nets: bool,
    },
}

/// The stages beside singles, in HoDoKu's order.
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
            Technique::XyChain => stages.push(Stage::Own(technique, pair_chains::xy_chain)),
            Technique::RemotePair => stages.push(Stage::Own(technique, pair_chains::remote_pair)),
            Technique::Skyscraper => stages.push(Stage::Own(technique, patterns::skyscraper)),
            Technique::EmptyRectangle => {
                stages.push(Stage::Own(technique, patterns::empty_rectangle))
            }
            Technique::WWing => stages.push(Stage::Own(technique, patterns::w_wing)),
            Technique::XyWing => stages.push(Stage::Own(technique, patterns::xy_wing)),
            Technique::AlsXz => stages.push(Stage::Own(technique, als::xz)),
            Technique::AlsXyWing => stages.push(Stage::Own(technique, als::xy_wing)),
            Technique::AlsXyChain => stages.push(Stage::Own(technique, als::xy_chain)),
            Technique::XyzWing => stages.push(Stage::Own(technique, patterns::xyz_wing)),
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

/// Franken fish, which stand before the forcing chains.
fn franken() -> [Technique; 4] {
    let fish = |size, fins| {
        Technique::Fish(Fish::new(size, Shape::Franken, fins).expect("there is such a fish"))
    };
    [
        fish(FishSize::XWing, Fins::None),
        fish(FishSize::Swordfish, Fins::None),
        fish(FishSize::XWing, Fins::Finned),
        fish(FishSize::Swordfish, Fins::Finned),
    ]
}

/// The step that HoDoKu puts first: the one that removes most, then the one that removes further up, then the shorter one.
fn best(steps: Vec<Step>) -> Option<Move> {
    let length =
        |step: &Step| if let Because::Chain(chain) = &step.because { chain.nodes.len() } else { 0 };
    let moves = steps.into_iter().map(|step| (length(&step), Move::of(step))).collect();
    let order = |(length, one): &(usize, Move), (other_length, other): &(usize, Move)| {
        loops::order(&one.removes, &other.removes).then(length.cmp(other_length))
    };
    first_by(moves, order).map(|(_, found)| found)
}

/// The one that comes before all others; of equals the first.
fn first_by<T>(all: Vec<T>, order: impl Fn(&T, &T) -> Ordering) -> Option<T> {
    all.into_iter().reduce(|best, next| if order(&next, &best).is_lt() { next } else { best })
}

/// The way to the solution, seen by the singles and by the other techniques.
struct Way<'a> {
    singles: Singles,
    stages: Vec<Stage>,
    steps: Steps<'a>,
    tally: Tally,
}

impl Way<'_> {
    fn walk(&mut self, solution: &Grid) -> Result<(), NoRating> {
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
                None => self.give_away(solution),
            }
        }
    }

    /// The move of the first stage that has one.
    fn next_move(&self) -> Result<Option<Move>, NoRating> {
        for stage in &self.stages {
            if let Some(stop) = self.steps.limit_reached() {
                return Err(self.tally.stopped(stop));
            }
            let found = match *stage {
                Stage::Subset(technique, kind, size) => {
                    let removes = subsets::find(&self.singles, kind, size);
                    removes.map(|removes| Move { technique, removes, places: Vec::new() })
                }
                Stage::Own(technique, find) => find(&self.singles).map(|removes| Move {
                    technique,
                    removes,
                    places: Vec::new(),
                }),
                Stage::First(technique) => self.steps.first_of(technique).map(Move::of),
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

    /// Fills the cell in the middle of the empty ones from the solution.
    fn give_away(&mut self, solution: &Grid) {
        let empty: Vec<usize> = self.singles.empty().collect();
        let cell = Cell::new(empty[empty.len() / 2]);
        let digit = solution[cell].expect("a solution is full");
        self.tally.given_away += 1;
        self.singles.fill(cell.index(), digit.index());
        self.steps.fill(cell, digit);
    }
}

/// A step as far as it matters here: cells and digits count from 0.
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

    /// Removals digit by digit.
    fn of(step: Step) -> Move {
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
    given_away: u32,
}

impl Tally {
    fn add(&mut self, technique: Technique) {
        let (score, level) =
            technique.hodoku_score().expect("only techniques with a score are used");
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
        if self.given_away > 0 {
            return HodokuLevel::Extreme;
        }
        let mut level = self.level.unwrap_or(HodokuLevel::Easy);
        while let Some((_, next)) = cap(level).filter(|&(most, _)| self.score > most) {
            level = next;
        }
        level
    }

    fn rating(&self) -> Rating {
        let score = self.score + self.given_away * GIVEN_AWAY;
        let hardest = self.hardest.filter(|_| self.given_away == 0);
        Rating { score, level: self.level(), hardest, given_away: self.given_away }
    }

    fn stopped(&self, stop: Stop) -> NoRating {
        let rating = self.rating();
        NoRating::Stopped { stop, at_least: rating.score, level: rating.level }
    }
}

/// The most points that a level allows, and the next level.
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
