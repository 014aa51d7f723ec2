//! Consistency levels: the weakest constraint propagation that solves a puzzle without search.
//!
//! Tran and Manley group puzzles by the weakest consistency that solves them, after Howell,
//! Woodward, Choueiry and Bessiere (IJCAI 2018). The rules are modelled in one of two ways:
//! *plain*, with one constraint for each pair of cells in a house, or *global* (the G in the
//! names), with one constraint for all cells of a house together.
//!
//! | level | a candidate is removed if … |
//! |---|---|
//! | AC | a peer has that digit as its only candidate |
//! | GAC | no way to fill one of its houses uses it (this covers all naked and hidden subsets) |
//! | SAC, SGAC | assuming it and applying AC (GAC) leaves a cell without candidates |
//! | POAC, POGAC | as SAC (SGAC), or each candidate of some other cell removes it |
//! | BiSAC, BiSGAC | as SAC (SGAC), or AC (GAC) fails if all candidates that would remove it are
//! removed |
//! | SSAC, SSGAC | assuming it and applying SAC (SGAC) leaves a cell without candidates |
//! | SSSGAC | assuming it and applying SSGAC leaves a cell without candidates |
//!
//! Each level is applied until nothing changes. The result does not depend on the order of cells,
//! so the level is the same for all symmetric images of a puzzle. All grid sizes are supported.

mod domains;

use crate::grid::{Candidates, DigitSet, Grid};
use crate::limits::{Deadline, Limits, StopReason};
use domains::{Domains, Empty, Model};
use std::fmt;
use std::str::FromStr;

/// The levels in the order in which they are tried; see the [module documentation](self).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the table at the head of this file explains every name")]
pub enum Consistency {
    Ac,
    Gac,
    Sac,
    Sgac,
    Poac,
    Pogac,
    Bisac,
    Bisgac,
    Ssac,
    Ssgac,
    Sssgac,
}

impl Consistency {
    /// All levels in the order in which they are tried.
    pub const ALL: [Consistency; 11] = [
        Consistency::Ac,
        Consistency::Gac,
        Consistency::Sac,
        Consistency::Sgac,
        Consistency::Poac,
        Consistency::Pogac,
        Consistency::Bisac,
        Consistency::Bisgac,
        Consistency::Ssac,
        Consistency::Ssgac,
        Consistency::Sssgac,
    ];

    /// The name in the literature, such as `BiSAC`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Consistency::Ac => "AC",
            Consistency::Gac => "GAC",
            Consistency::Sac => "SAC",
            Consistency::Sgac => "SGAC",
            Consistency::Poac => "POAC",
            Consistency::Pogac => "POGAC",
            Consistency::Bisac => "BiSAC",
            Consistency::Bisgac => "BiSGAC",
            Consistency::Ssac => "SSAC",
            Consistency::Ssgac => "SSGAC",
            Consistency::Sssgac => "SSSGAC",
        }
    }

    fn model(self) -> Model {
        match self {
            Consistency::Ac
            | Consistency::Sac
            | Consistency::Poac
            | Consistency::Bisac
            | Consistency::Ssac => Model::Plain,
            _ => Model::Global,
        }
    }

    fn enforce(self, domains: &mut Domains) -> Result<(), Empty> {
        let model = self.model();
        match self {
            Consistency::Ac | Consistency::Gac => domains.propagate(model),
            Consistency::Sac | Consistency::Sgac => domains.singleton(model, 1),
            Consistency::Poac | Consistency::Pogac => domains.partition_one(model),
            Consistency::Bisac | Consistency::Bisgac => domains.bidirectional(model),
            Consistency::Ssac | Consistency::Ssgac => domains.singleton(model, 2),
            Consistency::Sssgac => domains.singleton(model, 3),
        }
    }
}

/// The name of a consistency level that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown consistency level {:?}, expected one of {}", .0, Consistency::ALL.map(Consistency::name).join(", "))]
pub struct UnknownConsistencyError(pub String);

/// Parses the name of a level, ignoring case.
impl FromStr for Consistency {
    type Err = UnknownConsistencyError;

    fn from_str(name: &str) -> Result<Consistency, UnknownConsistencyError> {
        let found =
            Consistency::ALL.into_iter().find(|level| level.name().eq_ignore_ascii_case(name));
        found.ok_or_else(|| UnknownConsistencyError(name.to_string()))
    }
}

impl fmt::Display for Consistency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The result of trying the levels on a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The first level that solves the puzzle.
    Solved(Consistency),
    /// The first level that finds a cell without candidates. The puzzle has no solution.
    Refuted(Consistency),
    /// No level up to the strongest requested one decides the puzzle. Puzzles with several
    /// solutions always have this result.
    Open,
}

/// Returns the first level, up to `strongest`, that solves the puzzle without search.
///
/// ```
/// use ninefold::rate::consistency::{Consistency, Verdict, weakest};
///
/// let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// assert_eq!(weakest(&puzzle, Consistency::Sgac), Verdict::Solved(Consistency::Ac));
/// # Ok::<(), ninefold::grid::ParseGridError>(())
/// ```
#[must_use]
pub fn weakest(puzzle: &Grid, strongest: Consistency) -> Verdict {
    weakest_within(puzzle, strongest, &Limits::none()).expect("no limit can be reached")
}

/// Like [`weakest`], with limits: the strong levels take minutes on large grids. The node limit is
/// ignored.
///
/// # Panics
/// If the puzzle has rules of its own, because the levels are defined for classic Sudoku.
pub fn weakest_within(
    puzzle: &Grid,
    strongest: Consistency,
    limits: &Limits<'_>,
) -> Result<Verdict, StopReason> {
    puzzle.require_classic("consistency levels are").expect("a classic puzzle");
    if puzzle.conflict().is_some() {
        return Ok(Verdict::Refuted(Consistency::Ac));
    }
    let deadline = Deadline::new(limits);
    // Every level is at least as strong as the earlier ones of its model, and a global level is at
    // least as strong as the plain one of the same kind. Each level can therefore continue with the
    // result of the earlier ones.
    let mut plain = Domains::new(puzzle).with_deadline(deadline);
    let mut global = plain.clone();
    for level in Consistency::ALL.into_iter().take_while(|&level| level <= strongest) {
        let domains = match level.model() {
            Model::Plain => &mut plain,
            Model::Global => {
                if global.keep_only(&plain).is_err() {
                    return Ok(Verdict::Refuted(level));
                }
                &mut global
            }
        };
        let enforced = level.enforce(domains);
        // An interrupted level has removed only wrong candidates, but maybe not all of them.
        if let Some(stop) = deadline.reached() {
            return Err(stop);
        }
        if enforced.is_err() {
            return Ok(Verdict::Refuted(level));
        }
        if domains.are_solved() {
            return Ok(Verdict::Solved(level));
        }
    }
    Ok(Verdict::Open)
}

/// The digits that a level leaves in each cell of a position, or `None` if it refutes the position.
pub(super) fn candidates_left_by(
    level: Consistency,
    candidates: &Candidates,
) -> Option<Vec<DigitSet>> {
    let mut domains = Domains::from_candidates(candidates);
    level.enforce(&mut domains).ok()?;
    Some(candidates.order().cells().map(|cell| domains.at(cell)).collect())
}

/// The candidates that a level leaves, or `None` if it refutes the puzzle.
#[cfg(test)]
fn candidates_after(puzzle: &Grid, level: Consistency) -> Option<Candidates> {
    let mut candidates = Candidates::new(puzzle).ok()?;
    let mut domains = Domains::new(puzzle);
    level.enforce(&mut domains).ok()?;
    for cell in puzzle.order().cells() {
        if let (None, Some(digit)) = (candidates.grid()[cell], domains.at(cell).only()) {
            candidates.place(cell, digit);
        }
    }
    for cell in puzzle.order().cells().filter(|&cell| domains.at(cell).count() > 1) {
        candidates.set(cell, domains.at(cell));
    }
    Some(candidates)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(puzzle: &str, strongest: Consistency, expected: Verdict) {
        assert_eq!(weakest(&puzzle.parse().unwrap(), strongest), expected, "{puzzle}");
    }

    #[test]
    fn naked_singles_need_ac() {
        check("1..4..1..3..4..3", Consistency::Ac, Verdict::Solved(Consistency::Ac));
        check(&".".repeat(16), Consistency::Sssgac, Verdict::Open);
    }

    #[test]
    fn hidden_singles_need_gac() {
        // Only the last cell of row 1 can be 1, but AC leaves its other candidates.
        let grid: Grid = ".... 1... ..1. ....".parse().unwrap();
        let corner = grid.order().cell(0, 3);
        let after = |level| candidates_after(&grid, level).unwrap();
        assert_eq!(after(Consistency::Ac).at(corner).count(), 4);
        assert_eq!(after(Consistency::Gac).grid()[corner].map(|digit| digit.number()), Some(1));
    }

    #[test]
    fn no_level_decides_a_puzzle_with_two_solutions() {
        let ambiguous =
            "534..8912672195348198342567859..1423426853791713924856961537284287419635345286179";
        check(ambiguous, Consistency::Sssgac, Verdict::Open);
    }

    #[test]
    fn gac_refutes_a_house_that_cannot_be_filled() {
        // Three cells of row 1 have only the candidates 8 and 9.
        let crowded = format!("123456.........7..{}", ".".repeat(63));
        check(&crowded, Consistency::Ac, Verdict::Open);
        check(&crowded, Consistency::Gac, Verdict::Refuted(Consistency::Gac));
    }

    #[test]
    fn solutions_found_outside_of_a_trial_are_not_used_inside() {
        // Regression test: SSAC kept the digits of every solution found, even in trials that
        // contradict that solution.
        let puzzle =
            "2.......6.5..8..1...4...9...7.3.1......82.......7.5.3...9...4...8..1..5.6.......2";
        check(puzzle, Consistency::Sssgac, Verdict::Solved(Consistency::Ssac));
    }

    #[test]
    fn no_level_removes_the_solution() {
        let puzzle: Grid =
            "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
                .parse()
                .unwrap();
        let solution: Grid =
            "417369825632158947958724316825437169791586432346912758289643571573291684164875293"
                .parse()
                .unwrap();
        assert!(solution.solves(&puzzle));
        for level in Consistency::ALL.into_iter().take_while(|&level| level <= Consistency::Bisgac)
        {
            let after = candidates_after(&puzzle, level).unwrap();
            for cell in puzzle.order().cells() {
                let digit = solution[cell].unwrap();
                assert!(
                    after.grid()[cell] == Some(digit) || after.at(cell).contains(digit),
                    "{level}"
                );
            }
        }
    }
}
