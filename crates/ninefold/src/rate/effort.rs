//! Effort: Ninefold's own scale. It is the same for all symmetric images of a puzzle and supports
//! all grid sizes.
//!
//! A puzzle is solved in rounds. Each round takes the easiest kind of step that is possible and
//! applies **all** its steps at once, so the rating does not depend on which step is found first.
//! The cost of a round depends on how hard a step of its kind is to notice, and on how many such
//! steps there are.
//!
//! ```text
//! cost of a round = base cost of the kind · (1 + 1/2 + 1/3 + … + 1/n)      if n steps are possible
//! ```
//! The base cost is the time to find a step of that kind if it is the only one. If n steps are
//! possible, the first is found n times as fast, then n − 1 are left, and so on. The effort is the
//! sum of the costs of all rounds. The level is that of the hardest kind needed.
//!
//! | level | kinds of steps, with their base cost |
//! |---|---|
//! | easy | last cell of a house 1, hidden single in a box 2, in a line 3, naked single 5 |
//! | medium | locked candidates 10, one rule of the puzzle 12, pairs 15 |
//! | hard | triples 25, sums of houses and cages 40, quads, fish without fins, XY- and XYZ-Wings 50 |
//! | expert | chains of two strong links 80, chains 120 |
//! | extreme | chains with groups and almost locked sets 200, forcing chains of cells and houses 400, assumption 1,000, assumption inside another 5,000, assumptions three deep 25,000 |
//!
//! An assumption is refuted by naked and hidden subsets of any size; in a puzzle with rules beyond
//! rows, columns and boxes, by singles and single rules, and not inside another assumption. No step assumes a unique
//! solution. A chain step removes a candidate that implies its own opposite. If several chains
//! prove this for the same candidate, they count as one step. `docs/effort.md` explains the costs
//! and compares the scale with others.

use super::consistency::{self, Consistency};
use crate::grid::{Candidates, Cell, Digit, Grid, House, Position, Solutions};
use crate::limits::{Limits, StopReason};
use crate::logic::{ExplainOptions, Steps};
use crate::proof::{Candidate, Fish, FishSize, RuleKind, SubsetSize, Technique};
use crate::search;
use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

/// The five difficulty levels. The command line, the web page and SQL use these names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Singles.
    Easy,
    /// Locked candidates and pairs.
    Medium,
    /// Triples, quads, fish and wings.
    Hard,
    /// Chains, from two strong links on.
    Expert,
    /// Chains with groups, forcing chains and assumptions.
    Extreme,
}

impl Level {
    /// All levels, the easiest first.
    pub const ALL: [Level; 5] =
        [Level::Easy, Level::Medium, Level::Hard, Level::Expert, Level::Extreme];

    /// The name, such as `easy`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Level::Easy => "easy",
            Level::Medium => "medium",
            Level::Hard => "hard",
            Level::Expert => "expert",
            Level::Extreme => "extreme",
        }
    }
}

/// The name of a difficulty level that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown difficulty {:?}, expected one of {}", .0, Level::ALL.map(Level::name).join(", "))]
pub struct UnknownLevelError(pub String);

/// Parses the name of a level, ignoring case.
impl FromStr for Level {
    type Err = UnknownLevelError;

    fn from_str(name: &str) -> Result<Level, UnknownLevelError> {
        let found = Level::ALL.into_iter().find(|level| level.name().eq_ignore_ascii_case(name));
        found.ok_or_else(|| UnknownLevelError(name.to_string()))
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The kinds of steps, the easiest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the names are those of the table at the head of this file")]
pub enum Kind {
    LastCell,
    BoxSingle,
    LineSingle,
    NakedSingle,
    Locked,
    Rules,
    Pairs,
    Triples,
    Sums,
    Wings,
    ShortChains,
    Chains,
    GroupedChains,
    ForcingChains,
    OneAssumption,
    TwoAssumptions,
    ThreeAssumptions,
}

impl Kind {
    /// All kinds, the easiest first.
    pub const ALL: [Kind; 17] = [
        Kind::LastCell,
        Kind::BoxSingle,
        Kind::LineSingle,
        Kind::NakedSingle,
        Kind::Locked,
        Kind::Rules,
        Kind::Pairs,
        Kind::Triples,
        Kind::Sums,
        Kind::Wings,
        Kind::ShortChains,
        Kind::Chains,
        Kind::GroupedChains,
        Kind::ForcingChains,
        Kind::OneAssumption,
        Kind::TwoAssumptions,
        Kind::ThreeAssumptions,
    ];

    /// The cost of finding a step of this kind if it is the only one.
    #[must_use]
    pub const fn cost(self) -> u32 {
        match self {
            Kind::LastCell => 1,
            Kind::BoxSingle => 2,
            Kind::LineSingle => 3,
            Kind::NakedSingle => 5,
            Kind::Locked => 10,
            Kind::Rules => 12,
            Kind::Pairs => 15,
            Kind::Triples => 25,
            Kind::Sums => 40,
            Kind::Wings => 50,
            Kind::ShortChains => 80,
            Kind::Chains => 120,
            Kind::GroupedChains => 200,
            Kind::ForcingChains => 400,
            Kind::OneAssumption => 1_000,
            Kind::TwoAssumptions => 5_000,
            Kind::ThreeAssumptions => 25_000,
        }
    }

    /// The level of puzzles that need it.
    #[must_use]
    pub const fn level(self) -> Level {
        match self {
            Kind::LastCell | Kind::BoxSingle | Kind::LineSingle | Kind::NakedSingle => Level::Easy,
            Kind::Locked | Kind::Rules | Kind::Pairs => Level::Medium,
            Kind::Triples | Kind::Sums | Kind::Wings => Level::Hard,
            Kind::ShortChains | Kind::Chains => Level::Expert,
            Kind::GroupedChains
            | Kind::ForcingChains
            | Kind::OneAssumption
            | Kind::TwoAssumptions
            | Kind::ThreeAssumptions => Level::Extreme,
        }
    }

    /// The techniques that find steps of this kind; empty for singles and assumptions, which this
    /// module finds itself.
    fn techniques(self) -> Vec<Technique> {
        let fish = |size| Technique::Fish(Fish::basic(size));
        match self {
            Kind::Locked => vec![Technique::Pointing, Technique::Claiming],
            Kind::Rules => RuleKind::ALL
                .map(Technique::Rule)
                .into_iter()
                .chain([Technique::CommonPeer, Technique::CageOverlap])
                .collect(),
            Kind::Sums => vec![Technique::InniesAndOuties, Technique::LawOfLeftovers],
            Kind::Pairs => vec![
                Technique::NakedSubset(SubsetSize::Pair),
                Technique::HiddenSubset(SubsetSize::Pair),
            ],
            Kind::Triples => {
                vec![
                    Technique::NakedSubset(SubsetSize::Triple),
                    Technique::HiddenSubset(SubsetSize::Triple),
                ]
            }
            Kind::Wings => vec![
                Technique::NakedSubset(SubsetSize::Quadruple),
                Technique::HiddenSubset(SubsetSize::Quadruple),
                fish(FishSize::XWing),
                fish(FishSize::Swordfish),
                fish(FishSize::Jellyfish),
                Technique::XyWing,
                Technique::XyzWing,
            ],
            Kind::ShortChains => vec![
                Technique::WWing,
                Technique::Skyscraper,
                Technique::TwoStringKite,
                Technique::TurbotFish,
                Technique::EmptyRectangle,
            ],
            Kind::Chains => vec![Technique::DiscontinuousNiceLoop { grouped: false }],
            Kind::GroupedChains => vec![Technique::DiscontinuousNiceLoop { grouped: true }],
            Kind::ForcingChains => vec![Technique::CellForcingChain, Technique::HouseForcingChain],
            _ => Vec::new(),
        }
    }

    fn assumptions(self) -> Option<Consistency> {
        match self {
            Kind::OneAssumption => Some(Consistency::Sgac),
            Kind::TwoAssumptions => Some(Consistency::Ssgac),
            Kind::ThreeAssumptions => Some(Consistency::Sssgac),
            _ => None,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Kind::LastCell => "last cell of a house",
            Kind::BoxSingle => "hidden single in a box",
            Kind::LineSingle => "hidden single in a line",
            Kind::NakedSingle => "naked single",
            Kind::Locked => "locked candidates",
            Kind::Rules => "one rule",
            Kind::Pairs => "pair",
            Kind::Triples => "triple",
            Kind::Sums => "sum of houses and cages",
            Kind::Wings => "quad, fish or wing",
            Kind::ShortChains => "chain of two strong links",
            Kind::Chains => "chain",
            Kind::GroupedChains => "chain with groups",
            Kind::ForcingChains => "forcing chain",
            Kind::OneAssumption => "an assumption",
            Kind::TwoAssumptions => "an assumption inside another",
            Kind::ThreeAssumptions => "assumptions three deep",
        })
    }
}

/// The effort of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Effort {
    /// The sum of the costs of all rounds.
    pub points: f64,
    /// The hardest kind of step that is needed.
    pub hardest: Kind,
    /// The number of rounds.
    pub rounds: u32,
}

impl Effort {
    /// The level of the hardest kind.
    #[must_use]
    pub fn level(&self) -> Level {
        self.hardest.level()
    }
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.0} points, {}; hardest: {}", self.points, self.level(), self.hardest)
    }
}

/// Why a puzzle has no effort.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EffortError {
    /// The puzzle has no solution.
    #[error("the puzzle has no solution, so it has no rating")]
    NoSolution,
    /// The grid is complete.
    #[error("the grid is complete, so there is nothing to rate")]
    Complete,
    /// The steps do not solve the puzzle. This includes all puzzles with several solutions.
    #[error("no step of any kind is left; the puzzle may have several solutions")]
    Beyond {
        /// The effort until then, a lower bound.
        so_far: Option<Effort>,
    },
    /// A limit was reached.
    #[error("stopped by {stop}")]
    Stopped {
        /// The limit that was reached.
        stop: StopReason,
        /// The effort until then, a lower bound.
        so_far: Option<Effort>,
    },
}

/// Returns the effort of a puzzle.
///
/// ```
/// use ninefold::rate::effort::{self, Kind, Level};
///
/// let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let effort = effort::rate(&puzzle)?;
/// assert_eq!((effort.level(), effort.hardest), (Level::Easy, Kind::BoxSingle));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn rate(puzzle: &Grid) -> Result<Effort, EffortError> {
    rate_within(puzzle, &Limits::none(), Kind::ThreeAssumptions)
}

/// Like [`rate`], with limits and with kinds up to `hardest`. The node limit is ignored.
pub fn rate_within(
    puzzle: &Grid,
    limits: &Limits<'_>,
    hardest: Kind,
) -> Result<Effort, EffortError> {
    let position = Position::from_puzzle(puzzle).map_err(|_| EffortError::NoSolution)?;
    let mut steps = Steps::new(&position, &ExplainOptions::default(), limits);
    let mut so_far: Option<Effort> = None;
    // Assumptions take very long on puzzles with several solutions, so first prove that there is
    // only one.
    let mut is_proven = false;
    loop {
        let candidates = steps.reached();
        if candidates.is_contradictory() {
            return Err(EffortError::NoSolution);
        }
        if candidates.grid().empty_cells().next().is_none() {
            return so_far.ok_or(EffortError::Complete);
        }
        let most = if is_proven { hardest } else { hardest.min(Kind::ForcingChains) };
        let Some((kind, round)) = next_round(&steps, &candidates, most, so_far)? else {
            if most == hardest {
                return Err(EffortError::Beyond { so_far });
            }
            match search::prove(puzzle, limits).solutions {
                Ok(Solutions::One(_)) => is_proven = true,
                Ok(Solutions::Zero) => return Err(EffortError::NoSolution),
                Ok(Solutions::Many(..)) => return Err(EffortError::Beyond { so_far }),
                Err(unfinished) => {
                    return Err(EffortError::Stopped { stop: unfinished.stop, so_far });
                }
            }
            continue;
        };
        let before = so_far.unwrap_or(Effort { points: 0.0, hardest: kind, rounds: 0 });
        let waiting: f64 = (1..=round.len()).map(|open| 1.0 / open as f64).sum();
        so_far = Some(Effort {
            points: before.points + f64::from(kind.cost()) * waiting,
            hardest: before.hardest.max(kind),
            rounds: before.rounds + 1,
        });
        round.take(&mut steps, &candidates);
    }
}

/// All steps of one kind at one position.
#[derive(Default)]
struct Round {
    places: BTreeSet<(Cell, Digit)>,
    removes: BTreeSet<(Cell, Digit)>,
}

impl Round {
    fn len(&self) -> usize {
        self.places.len() + self.removes.len()
    }

    fn take(self, steps: &mut Steps<'_>, before: &Candidates) {
        for (cell, digit) in self.removes {
            if before.at(cell).contains(digit) {
                steps.remove(Candidate { cell, digit });
            }
        }
        for (cell, digit) in self.places {
            steps.fill(cell, digit);
        }
    }
}

/// The easiest kind that has steps, and all its steps.
fn next_round(
    steps: &Steps<'_>,
    candidates: &Candidates,
    hardest: Kind,
    so_far: Option<Effort>,
) -> Result<Option<(Kind, Round)>, EffortError> {
    for kind in Kind::ALL.into_iter().take_while(|&kind| kind <= hardest) {
        if let Some(stop) = steps.limit_reached() {
            return Err(EffortError::Stopped { stop, so_far });
        }
        let mut round = Round::default();
        match kind {
            Kind::LastCell | Kind::BoxSingle | Kind::LineSingle => {
                hidden_singles(kind, candidates, &mut round)
            }
            Kind::NakedSingle => {
                for cell in candidates.grid().empty_cells() {
                    round.places.extend(candidates.at(cell).only().map(|digit| (cell, digit)));
                }
            }
            _ => {
                for step in
                    kind.techniques().into_iter().flat_map(|technique| steps.all_of(technique))
                {
                    round
                        .places
                        .extend(step.places.iter().map(|placed| (placed.cell, placed.digit)));
                    round
                        .removes
                        .extend(step.removes.iter().map(|removed| (removed.cell, removed.digit)));
                }
                match kind.assumptions() {
                    Some(level) if candidates.grid().rules().is_none() => {
                        refuted(level, candidates, &mut round)?;
                    }
                    Some(_) if kind == Kind::OneAssumption => {
                        let nets = steps.all_of(Technique::ForcingNet);
                        let removes = nets.iter().flat_map(|step| &step.removes);
                        round.removes.extend(removes.map(|removed| (removed.cell, removed.digit)));
                    }
                    _ => {}
                }
            }
        }
        if round.len() > 0 {
            return Ok(Some((kind, round)));
        }
    }
    Ok(None)
}

fn hidden_singles(kind: Kind, candidates: &Candidates, round: &mut Round) {
    let grid = candidates.grid();
    for house in grid.houses() {
        let cells = grid.cells_in(house);
        let missing = grid.order().digits() - cells.iter().filter_map(|&cell| grid[cell]).collect();
        let is_line = matches!(house, House::Row(_) | House::Column(_));
        let fits = match kind {
            Kind::LastCell => missing.count() == 1,
            Kind::BoxSingle => !is_line,
            _ => is_line,
        };
        if fits {
            for digit in missing {
                let mut places = cells.iter().filter(|&&cell| candidates.at(cell).contains(digit));
                if let (Some(&cell), None) = (places.next(), places.next()) {
                    round.places.insert((cell, digit));
                }
            }
        }
    }
}

/// Adds the candidates that assumptions of this level refute.
fn refuted(
    level: Consistency,
    candidates: &Candidates,
    round: &mut Round,
) -> Result<(), EffortError> {
    let left = consistency::candidates_left_by(level, candidates).ok_or(EffortError::NoSolution)?;
    for cell in candidates.grid().empty_cells() {
        for digit in candidates.at(cell).filter(|&digit| !left[cell.index()].contains(digit)) {
            round.removes.insert((cell, digit));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn check(puzzle: &str, level: Level, hardest: Kind) {
        let effort = rate(&puzzle.parse().unwrap()).unwrap();
        assert_eq!((effort.level(), effort.hardest), (level, hardest), "{puzzle}");
    }

    #[test]
    fn the_level_is_that_of_the_hardest_kind() {
        check("1..4..1..3..4..3", Level::Easy, Kind::BoxSingle);
        check(
            "63.....5.....8..3....42....71......6......8...6.......5.8...2.....6.1............",
            Level::Expert,
            Kind::ShortChains,
        );
        check(
            "98.7.....6.....87...7.....5.4..3.5....65...9......2..1..86...5.....1.3.......4..2",
            Level::Extreme,
            Kind::TwoAssumptions,
        );
    }

    #[test]
    fn rejects_puzzles_without_a_unique_solution() {
        let none = "12...............3...4..........".to_string() + &".".repeat(49);
        assert!(matches!(
            rate(&".".repeat(16).parse().unwrap()),
            Err(EffortError::Beyond { so_far: None })
        ));
        assert!(rate(&none.parse().unwrap()).is_err());
    }

    #[test]
    fn a_time_limit_returns_an_error() {
        let puzzle =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
                .parse()
                .unwrap();
        let stopped =
            rate_within(&puzzle, &Limits::none().with_time(Duration::ZERO), Kind::ThreeAssumptions);
        assert_eq!(stopped, Err(EffortError::Stopped { stop: StopReason::Time, so_far: None }));
    }
}
