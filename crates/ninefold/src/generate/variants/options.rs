//! Options of the generator of variants, and its errors.

use super::VariantKind;
use crate::grid::Order;
use crate::grid::rules::RulesError;
use crate::limits::{Limits, StopReason};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// What kind of variant to generate.
///
/// ```
/// use ninefold::generate::variants::{self, VariantKind, VariantOptions};
/// use ninefold::grid::Order;
///
/// let options = VariantOptions::new(Order::FOUR, vec![VariantKind::Killer]).with_clues(0..=0);
/// let variant = variants::generate_one(&options, 7, 0)?;
/// assert!(variant.givens.iter().all(Option::is_none));
/// assert!(variant.rules.hold_for(&variant.solution));
/// # Ok::<(), variants::VariantError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct VariantOptions<'a> {
    /// The size of the grid. Jigsaws and grids without boxes use only its side.
    pub order: Order,
    /// The kinds of rules that the puzzle combines.
    pub kinds: Vec<VariantKind>,
    /// The allowed numbers of givens. Without a range, givens are removed until every one is
    /// needed.
    pub clues: Option<RangeInclusive<usize>>,
    /// Whether every given must be proven necessary.
    pub minimal: bool,
    /// Whether rules that are not needed are removed: cages, lines, marks and clues beside the
    /// grid. Rules for the complete grid, such as diagonals and negative rules, stay.
    pub minimal_rules: bool,
    /// How many cages, lines, marks and clues beside the grid to begin with.
    pub density: Density,
    /// The number of cells of killer cages.
    pub cage_sizes: RangeInclusive<usize>,
    /// The number of complete grids to try before generation fails.
    pub attempts: usize,
    /// The node limit of one uniqueness proof. A given or a rule whose proof is not finished stays.
    pub nodes_per_proof: u64,
    /// A time limit and a cancellation flag. They never change a puzzle: generation fails if a
    /// limit is reached.
    pub limits: Limits<'a>,
}

impl VariantOptions<'_> {
    /// Options for a puzzle of this size with rules of these kinds.
    #[must_use]
    pub fn new(order: Order, kinds: Vec<VariantKind>) -> VariantOptions<'static> {
        VariantOptions {
            order,
            kinds,
            clues: None,
            minimal: false,
            minimal_rules: false,
            density: Density::Normal,
            cage_sizes: 2..=5,
            attempts: 100,
            nodes_per_proof: 2_000,
            limits: Limits::none(),
        }
    }
}

impl<'a> VariantOptions<'a> {
    /// Sets the allowed numbers of givens.
    #[must_use]
    pub fn with_clues(mut self, clues: RangeInclusive<usize>) -> Self {
        self.clues = Some(clues);
        self
    }

    /// Sets whether every given must be proven necessary.
    #[must_use]
    pub fn with_minimal(mut self, minimal: bool) -> Self {
        self.minimal = minimal;
        self
    }

    /// Sets whether rules that are not needed are removed.
    #[must_use]
    pub fn with_minimal_rules(mut self, minimal_rules: bool) -> Self {
        self.minimal_rules = minimal_rules;
        self
    }

    /// Sets how many rules to begin with.
    #[must_use]
    pub fn with_density(mut self, density: Density) -> Self {
        self.density = density;
        self
    }

    /// Sets the number of cells of killer cages.
    #[must_use]
    pub fn with_cage_sizes(mut self, sizes: RangeInclusive<usize>) -> Self {
        self.cage_sizes = sizes;
        self
    }

    /// Sets the number of complete grids to try before generation fails.
    #[must_use]
    pub fn with_attempts(mut self, attempts: usize) -> Self {
        self.attempts = attempts;
        self
    }

    /// Sets the node limit of one uniqueness proof.
    #[must_use]
    pub fn with_nodes_per_proof(mut self, nodes: u64) -> Self {
        self.nodes_per_proof = nodes;
        self
    }

    /// Sets the time limit and the cancellation flag.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits<'a>) -> Self {
        self.limits = limits;
        self
    }

    pub(super) fn is_jigsaw(&self) -> bool {
        self.kinds.contains(&VariantKind::Jigsaw)
    }

    /// Returns an error if no puzzle can satisfy the options. Generators call it first.
    pub fn check(&self) -> Result<(), InvalidVariantError> {
        let (side, cells) = (self.order.side(), self.order.cell_count());
        if !SIDES.contains(&side) {
            return Err(InvalidVariantError::Side { found: side });
        }
        if self.kinds.is_empty() {
            return Err(InvalidVariantError::NoKind);
        }
        let has = |kind| self.kinds.contains(&kind);
        if !self.is_jigsaw() && !has(VariantKind::NoBoxes) && !self.order.has_boxes() {
            return Err(InvalidVariantError::NoBoxes { side });
        }
        for &kind in &self.kinds {
            if let Some(reason) = kind.obstacle(self.order, &self.kinds) {
                return Err(InvalidVariantError::Kind { kind, side, reason });
            }
        }
        for (first, second) in OVERLAPPING {
            if has(first) && has(second) {
                return Err(InvalidVariantError::Overlap { first, second });
            }
        }
        if let Some(clues) = &self.clues
            && (clues.is_empty() || *clues.end() > cells)
        {
            let (first, last) = (*clues.start(), *clues.end());
            return Err(InvalidVariantError::Clues { first, last, cells });
        }
        let (first, last) = (*self.cage_sizes.start(), *self.cage_sizes.end());
        if has(VariantKind::Killer) && (first > last || !(2..=side).contains(&first)) {
            return Err(InvalidVariantError::CageSizes { first, last, side });
        }
        Ok(())
    }
}

/// The sides that can be generated.
const SIDES: RangeInclusive<usize> = 4..=16;

/// Kinds that are about the same dots or regions, or forbid each other's.
const OVERLAPPING: [(VariantKind, VariantKind); 4] = [
    (VariantKind::Jigsaw, VariantKind::NoBoxes),
    (VariantKind::Kropki, VariantKind::Consecutive),
    (VariantKind::Nonconsecutive, VariantKind::Kropki),
    (VariantKind::Nonconsecutive, VariantKind::Consecutive),
];

/// How many rules a puzzle has before rules are removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Density {
    /// Few rules and more givens.
    Sparse,
    /// The usual number.
    #[default]
    Normal,
    /// As many as fit.
    Dense,
}

impl Density {
    /// All values with their names.
    const NAMES: [(Density, &'static str); 3] =
        [(Density::Sparse, "sparse"), (Density::Normal, "normal"), (Density::Dense, "dense")];

    /// This share of a number, at least 1.
    pub(super) fn of(self, normal: usize, all: usize) -> usize {
        match self {
            Density::Sparse => normal.div_ceil(2),
            Density::Normal => normal,
            Density::Dense => all,
        }
        .clamp(1, all.max(1))
    }
}

impl fmt::Display for Density {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entry = Density::NAMES.iter().find(|(density, _)| density == self);
        f.write_str(entry.expect("every density has a name").1)
    }
}

/// A name that is not a density.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown density {found:?}; expected sparse, normal or dense")]
#[non_exhaustive]
pub struct UnknownDensityError {
    /// The unknown name.
    pub found: String,
}

impl FromStr for Density {
    type Err = UnknownDensityError;

    fn from_str(text: &str) -> Result<Density, UnknownDensityError> {
        let entry = Density::NAMES.iter().find(|(_, name)| *name == text);
        entry.map(|entry| entry.0).ok_or_else(|| UnknownDensityError { found: text.to_string() })
    }
}

/// Why no variant was generated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VariantError {
    /// No puzzle can satisfy the options.
    #[error(transparent)]
    InvalidOptions(#[from] InvalidVariantError),
    /// A generated rule cannot be used, for example because sums are too long for the solver.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// No grid satisfies the rules that apply to the complete grid.
    #[error("no full grid found for {kinds} in {attempts} attempts")]
    NoGrid {
        /// The kinds.
        kinds: String,
        /// The number of attempts.
        attempts: usize,
    },
    /// All attempts failed.
    #[error("no matching puzzle found in {attempts} complete grids; {nearest}")]
    NotFound {
        /// The number of complete grids tried.
        attempts: usize,
        /// How the nearest puzzle differs from the options.
        nearest: String,
    },
    /// A limit was reached before a puzzle was found.
    #[error("stopped by {stop} before a puzzle was found")]
    Interrupted {
        /// The limit that was reached.
        stop: StopReason,
    },
}

impl From<StopReason> for VariantError {
    fn from(stop: StopReason) -> VariantError {
        VariantError::Interrupted { stop }
    }
}

/// Options that no puzzle can satisfy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InvalidVariantError {
    /// The side is not supported.
    #[error("expected a side from {} to {}, found {found}", SIDES.start(), SIDES.end())]
    Side {
        /// The side.
        found: usize,
    },
    /// No kind is requested.
    #[error("expected at least one kind of variant")]
    NoKind,
    /// The size has no rectangular boxes, and the puzzle is not a jigsaw.
    #[error("a {side}×{side} grid without boxes needs the kind jigsaw or no-boxes")]
    NoBoxes {
        /// The side.
        side: usize,
    },
    /// A kind does not exist for this size.
    #[error("{kind} is not possible on this {side}×{side} grid: {reason}")]
    Kind {
        /// The kind.
        kind: VariantKind,
        /// The side of the grid.
        side: usize,
        /// The reason.
        reason: &'static str,
    },
    /// Two kinds cannot be combined.
    #[error("{first} and {second} cannot be combined")]
    Overlap {
        /// The first kind.
        first: VariantKind,
        /// The second kind.
        second: VariantKind,
    },
    /// The range of clue counts is empty or exceeds the number of cells.
    #[error("invalid number of clues {first}-{last} for a grid of {cells} cells")]
    Clues {
        /// The start of the range.
        first: usize,
        /// The end of the range.
        last: usize,
        /// The number of cells.
        cells: usize,
    },
    /// The range of cage sizes is empty or outside the possible sizes.
    #[error("expected cages of 2 to {side} cells, found {first}-{last}")]
    CageSizes {
        /// The start of the range.
        first: usize,
        /// The end of the range.
        last: usize,
        /// The largest size.
        side: usize,
    },
}
