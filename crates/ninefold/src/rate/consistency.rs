//! Consistency levels: how much reasoning solves a puzzle without any search.
//!
//! Tran and Manley group puzzles by the weakest consistency that solves them, after Howell, Woodward, Choueiry and Bessiere
//! (IJCAI 2018). A puzzle is seen as a set of cells with candidates, in one of two ways: *plain*, where two cells of
//! a house must differ, or *global* (the G in the names), where all cells of a house must differ at once.
//!
//! | level | a candidate goes when … |
//! |---|---|
//! | AC | a cell that sees it is down to that digit |
//! | GAC | no way of filling one house uses it (this includes all naked and hidden subsets) |
//! | SAC, SGAC | writing it down and applying AC (GAC) leaves some cell without a candidate |
//! | POAC, POGAC | the same, or some cell loses it whichever of its own candidates it takes |
//! | BiSAC, BiSGAC | the same, or AC (GAC) fails on what is left of the grid by all candidates that can live with it |
//! | SSAC, SSGAC | writing it down and applying SAC (SGAC) leaves some cell without a candidate |
//! | SSSGAC | writing it down and applying SSGAC leaves some cell without a candidate |
//!
//! Each level is applied until nothing goes any more, so the order of visits does not matter and the level is the
//! same for every turned, mirrored or relabelled puzzle. It takes grids of every size.

mod domains;

use crate::grid::{Candidates, DigitSet, Grid};
use crate::limits::{Deadline, Limits, Stop};
use domains::{Domains, Empty, Model};
use std::fmt;

/// The levels in the order in which they are tried; see the table above.
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

    /// The name as it is written in the literature.
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

    /// The level with this name, in capitals or not.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Consistency> {
        Consistency::ALL.into_iter().find(|level| level.name().eq_ignore_ascii_case(name))
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

impl fmt::Display for Consistency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What the levels can say about a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// This is the first level that fills the grid.
    Solved(Consistency),
    /// This is the first level that finds a cell without candidates: the puzzle has no solution.
    Refuted(Consistency),
    /// No level up to the strongest one asked for decides it. A puzzle with several solutions always ends here.
    Open,
}

/// The first level, up to `strongest`, that solves the puzzle without search.
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
    weakest_within(puzzle, strongest, &Limits::none()).expect("without limits nothing ends early")
}

/// The same with an end: the strong levels take minutes on large grids.
pub fn weakest_within(
    puzzle: &Grid,
    strongest: Consistency,
    limits: &Limits<'_>,
) -> Result<Verdict, Stop> {
    if puzzle.conflict().is_some() {
        return Ok(Verdict::Refuted(Consistency::Ac));
    }
    let deadline = Deadline::of(limits);
    // Every level is at least as strong as the ones before it in its own model, and a global level as strong as the
    // plain one with the same letters. So each level may begin where those have ended.
    let mut plain = Domains::of(puzzle).until(deadline);
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
        // A level that was broken off has removed nothing wrong, but not all that it could.
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

/// The digits that a level leaves to each cell of a position on the way; `None` when it finds that there is no solution.
pub(super) fn left_by(level: Consistency, candidates: &Candidates) -> Option<Vec<DigitSet>> {
    let mut domains = Domains::of_candidates(candidates);
    level.enforce(&mut domains).ok()?;
    Some(candidates.order().cells().map(|cell| domains.at(cell)).collect())
}

/// The candidates that a level leaves, or `None` when it finds the puzzle to have no solution.
#[cfg(test)]
fn candidates_after(puzzle: &Grid, level: Consistency) -> Option<Candidates> {
    let mut candidates = Candidates::of(puzzle).ok()?;
    let mut domains = Domains::of(puzzle);
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
    fn a_puzzle_for_naked_singles_needs_ac() {
        check("1..4..1..3..4..3", Consistency::Ac, Verdict::Solved(Consistency::Ac));
        check(&".".repeat(16), Consistency::Sssgac, Verdict::Open);
    }

    #[test]
    fn a_hidden_single_needs_gac() {
        // Row 1 can hold its 1 in the last cell only, which keeps all its other candidates for AC.
        let grid: Grid = ".... 1... ..1. ....".parse().unwrap();
        let corner = grid.order().cell(0, 3);
        let after = |level| candidates_after(&grid, level).unwrap();
        assert_eq!(after(Consistency::Ac).at(corner).count(), 4);
        assert_eq!(after(Consistency::Gac).grid()[corner].map(|digit| digit.number()), Some(1));
    }

    #[test]
    fn two_solutions_stay_open_at_every_level() {
        let twofold =
            "534..8912672195348198342567859..1423426853791713924856961537284287419635345286179";
        check(twofold, Consistency::Sssgac, Verdict::Open);
    }

    #[test]
    fn a_house_that_cannot_be_filled_is_refuted_by_gac_and_not_by_ac() {
        // Three cells of row 1 have only 8 and 9 left.
        let crowded = format!("123456.........7..{}", ".".repeat(63));
        check(&crowded, Consistency::Ac, Verdict::Open);
        check(&crowded, Consistency::Gac, Verdict::Refuted(Consistency::Gac));
    }

    #[test]
    fn a_grid_found_outside_a_trial_proves_nothing_inside_it() {
        // SSAC once spared the digits of every solution seen, also in trials that contradict that solution.
        let puzzle =
            "2.......6.5..8..1...4...9...7.3.1......82.......7.5.3...9...4...8..1..5.6.......2";
        check(puzzle, Consistency::Sssgac, Verdict::Solved(Consistency::Ssac));
    }

    #[test]
    fn every_level_keeps_the_solution() {
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
