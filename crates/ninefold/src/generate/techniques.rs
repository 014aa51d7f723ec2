//! Requirements for the techniques on the solution path of a puzzle.
//!
//! The solution path is the sequence of steps of an explanation with the default techniques
//! ([`TechniqueSummary`]): it takes the easiest step at each position. If a requested technique is
//! not used by default, it is tried just before forcing chains, which are tried last.

use super::{Fit, InvalidOptionsError, Mismatch, Requirement};
use crate::explain::{ExplainOutcome, TechniqueSummary};
use crate::grid::Grid;
use crate::limits::Limits;
use crate::logic;
use crate::proof::Technique;
use crate::search::singles;

/// Singles are always allowed, because no path ends without them.
const SINGLES: [Technique; 3] =
    [Technique::FullHouse, Technique::NakedSingle, Technique::HiddenSingle];

/// The distance of a puzzle that is too hard.
const TOO_HARD: usize = 20;

/// Which techniques the solution path of a puzzle uses.
///
/// ```
/// use ninefold::generate::{self, Fit, GenerateOptions, Requirement, TechniqueOptions};
///
/// let requirement =
///     TechniqueOptions::new().with_hardest("X-Wing".parse()?).into_requirement()?;
/// let options = GenerateOptions::default().with_requirement(&requirement);
/// let generated = generate::generate_one(&options, 1, 0)?;
/// assert_eq!(requirement.fit(&generated.puzzle), Fit::Within);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TechniqueOptions {
    /// Techniques that the path uses.
    pub required: Vec<Technique>,
    /// Techniques that the path does not use.
    pub forbidden: Vec<Technique>,
    /// The hardest technique that the path uses.
    pub hardest: Option<Technique>,
    /// The allowed techniques besides singles. If empty, all techniques are allowed.
    pub allowed: Vec<Technique>,
    /// Whether the path may use steps that assume a unique solution. True by default.
    pub uniqueness: bool,
}

impl Default for TechniqueOptions {
    fn default() -> TechniqueOptions {
        TechniqueOptions::new()
    }
}

impl TechniqueOptions {
    /// Options that allow every path.
    #[must_use]
    pub fn new() -> TechniqueOptions {
        TechniqueOptions {
            required: Vec::new(),
            forbidden: Vec::new(),
            hardest: None,
            allowed: Vec::new(),
            uniqueness: true,
        }
    }

    /// Sets the techniques that the path uses.
    #[must_use]
    pub fn with_required(mut self, techniques: Vec<Technique>) -> TechniqueOptions {
        self.required = techniques;
        self
    }

    /// Sets the techniques that the path does not use.
    #[must_use]
    pub fn with_forbidden(mut self, techniques: Vec<Technique>) -> TechniqueOptions {
        self.forbidden = techniques;
        self
    }

    /// Sets the hardest technique that the path uses.
    #[must_use]
    pub fn with_hardest(mut self, technique: Technique) -> TechniqueOptions {
        self.hardest = Some(technique);
        self
    }

    /// Sets the allowed techniques besides singles.
    #[must_use]
    pub fn with_allowed(mut self, techniques: Vec<Technique>) -> TechniqueOptions {
        self.allowed = techniques;
        self
    }

    /// Sets whether the path may use steps that assume a unique solution.
    #[must_use]
    pub fn with_uniqueness(mut self, uniqueness: bool) -> TechniqueOptions {
        self.uniqueness = uniqueness;
        self
    }

    /// Converts the options to a requirement, or returns an error if they are contradictory.
    pub fn into_requirement(self) -> Result<TechniqueRequirement, InvalidOptionsError> {
        let order = self.order();
        let rank = |technique: Technique| order.iter().position(|&other| other == technique);
        for &technique in self.all_required() {
            if self.forbidden.contains(&technique) {
                return Err(InvalidOptionsError::RequiredAndForbidden { technique });
            }
            if !self.uniqueness && technique.needs_uniqueness() {
                return Err(InvalidOptionsError::AssumesUniqueness { technique });
            }
            if rank(technique).is_none() {
                return Err(InvalidOptionsError::NotAllowed { technique });
            }
            if let Some(hardest) = self.hardest.filter(|&hardest| rank(technique) > rank(hardest)) {
                return Err(InvalidOptionsError::HarderThanHardest { technique, hardest });
            }
        }
        let last = self.hardest.and_then(rank).map_or(order.len(), |rank| rank + 1);
        // The three kinds of chains share one search. Removing one of them would change the path.
        let shares_search = |technique: &Technique| {
            self.hardest.is_some_and(|hardest| are_one_search(hardest, *technique))
        };
        let end = order.iter().rposition(shares_search).map_or(last, |index| last.max(index + 1));
        let options = logic::ExplainOptions {
            techniques: order[..end].to_vec(),
            // A fixed order: the puzzles of a seed must not depend on the default order of singles.
            singles: logic::SinglesOrder::AsListed,
            uniqueness: self.uniqueness,
            ..logic::ExplainOptions::default()
        };
        let beyond_singles = self.all_required().any(|technique| !SINGLES.contains(technique))
            && !self.forbidden.iter().any(|technique| SINGLES.contains(technique));
        Ok(TechniqueRequirement { requested: self, order, options, beyond_singles })
    }

    /// All techniques that the path must use.
    fn all_required(&self) -> impl Iterator<Item = &Technique> {
        self.required.iter().chain(&self.hardest)
    }

    /// The techniques to try, the easiest first.
    fn order(&self) -> Vec<Technique> {
        let mut order = logic::default_order();
        let last_resort =
            order.iter().position(|&technique| technique == Technique::CellForcingChain);
        let mut place = last_resort.unwrap_or(order.len());
        for &technique in self.all_required().chain(&self.allowed) {
            if !order.contains(&technique) {
                order.insert(place, technique);
                place += 1;
            }
        }
        if !self.allowed.is_empty() {
            order.retain(|technique| {
                SINGLES.contains(technique) || self.allowed.contains(technique)
            });
        }
        order
    }
}

/// Whether both are chains of the same search.
fn are_one_search(one: Technique, other: Technique) -> bool {
    let kind = |technique: Technique| match technique {
        Technique::ContinuousNiceLoop { grouped }
        | Technique::DiscontinuousNiceLoop { grouped }
        | Technique::Aic { grouped } => Some(grouped),
        _ => None,
    };
    kind(one).is_some() && kind(one) == kind(other)
}

/// A requirement on the techniques of the solution path, created by
/// [`TechniqueOptions::into_requirement`].
#[derive(Clone, Debug)]
pub struct TechniqueRequirement {
    requested: TechniqueOptions,
    /// All techniques of the path, the easiest first.
    order: Vec<Technique>,
    /// The techniques to try: none beyond the hardest allowed one.
    options: logic::ExplainOptions,
    /// Whether a puzzle that singles solve is always too easy.
    beyond_singles: bool,
}

/// The result of checking a solution path.
enum PathCheck {
    /// The path meets the requirement.
    Match,
    /// The path does not use these required techniques. Its hardest step is the other technique.
    Missing(Vec<Technique>, Option<Technique>),
    /// The path uses this forbidden technique N times.
    Forbidden(Technique, usize),
    /// The allowed techniques do not solve the puzzle.
    Unsolved,
}

impl TechniqueRequirement {
    fn check(&self, puzzle: &Grid, limits: &Limits<'_>) -> PathCheck {
        let Ok(summary) = TechniqueSummary::new(puzzle, &self.options, limits) else {
            return PathCheck::Unsolved;
        };
        if summary.outcome != ExplainOutcome::Solved {
            return PathCheck::Unsolved;
        }
        let count = |technique: Technique| summary.count(technique);
        if let Some(&forbidden) =
            self.requested.forbidden.iter().find(|&&technique| count(technique) > 0)
        {
            return PathCheck::Forbidden(forbidden, count(forbidden));
        }
        let hardest = summary.hardest();
        if let (Some(used), Some(requested)) = (hardest, self.requested.hardest)
            && self.rank(used) > self.rank(requested)
        {
            return PathCheck::Forbidden(used, count(used));
        }
        let required = self.requested.all_required().copied();
        let missing: Vec<Technique> = required.filter(|&technique| count(technique) == 0).collect();
        if missing.is_empty() { PathCheck::Match } else { PathCheck::Missing(missing, hardest) }
    }

    fn rank(&self, technique: Technique) -> usize {
        self.order.iter().position(|&other| other == technique).unwrap_or(0)
    }
}

impl Requirement for TechniqueRequirement {
    fn description(&self) -> String {
        let list = |techniques: &[Technique]| {
            techniques.iter().map(Technique::to_string).collect::<Vec<_>>().join(", ")
        };
        let requested = &self.requested;
        let mut parts = Vec::new();
        if !requested.allowed.is_empty() {
            parts.push(format!("a path with only singles and {}", list(&requested.allowed)));
        }
        if !requested.required.is_empty() {
            parts.push(format!("a path with {}", list(&requested.required)));
        }
        if !requested.forbidden.is_empty() {
            parts.push(format!("a path without {}", list(&requested.forbidden)));
        }
        if let Some(hardest) = requested.hardest {
            parts.push(format!("{hardest} as the hardest step"));
        }
        if parts.is_empty() { "a path of logical steps".to_string() } else { parts.join(", ") }
    }

    fn technique_beyond_singles(&self) -> Option<Technique> {
        let mut required = self.requested.all_required().copied();
        required.find(|technique| !SINGLES.contains(technique)).filter(|_| self.beyond_singles)
    }

    fn fit(&self, puzzle: &Grid) -> Fit {
        self.fit_within(puzzle, &Limits::none())
    }

    fn mismatch(&self, puzzle: &Grid) -> Option<Mismatch> {
        self.mismatch_within(puzzle, &Limits::none())
    }

    fn fit_within(&self, puzzle: &Grid, limits: &Limits<'_>) -> Fit {
        // Singles solve most puzzles early in clue removal, and this check is a hundred times
        // faster.
        if self.beyond_singles && singles::solve(puzzle) {
            return Fit::Below;
        }
        match self.check(puzzle, limits) {
            PathCheck::Match => Fit::Within,
            PathCheck::Missing(..) => Fit::Below,
            PathCheck::Forbidden(..) | PathCheck::Unsolved => Fit::Above,
        }
    }

    fn mismatch_within(&self, puzzle: &Grid, limits: &Limits<'_>) -> Option<Mismatch> {
        Some(match self.check(puzzle, limits) {
            PathCheck::Match => return None,
            PathCheck::Missing(missing, hardest) => {
                let names: Vec<String> = missing.iter().map(Technique::to_string).collect();
                let reached = hardest.map_or(0, |hardest| self.rank(hardest));
                let gap = missing
                    .iter()
                    .map(|&technique| self.rank(technique).saturating_sub(reached))
                    .max();
                let hardest = hardest
                    .map_or(String::new(), |hardest| format!("; its hardest step is {hardest}"));
                let description = format!("its path has no {}{hardest}", names.join(" and no "));
                Mismatch { distance: missing.len() + gap.unwrap_or(0), description }
            }
            PathCheck::Forbidden(technique, count) => {
                Mismatch::new(TOO_HARD + count, format!("its path uses {technique}"))
            }
            PathCheck::Unsolved => {
                let description = match self.requested.hardest {
                    Some(hardest) => format!("it requires more than {hardest}"),
                    None => "the allowed techniques do not solve it".to_string(),
                };
                Mismatch { distance: 2 * TOO_HARD, description }
            }
        })
    }
}
