//! Consistency levels: how much reasoning solves a puzzle without any search.
//!
//! Paper 4 groups puzzles by the weakest consistency that solves them, after Howell, Woodward, Choueiry and Bessiere
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

use crate::grid::{Candidates, Grid};
use domains::{Domains, Empty, Model};
use std::fmt;

/// The levels in the order in which they are tried; see the table above.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs, reason = "the table at the head of this file explains every name")]
pub enum Level {
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

impl Level {
    /// All levels in the order in which they are tried.
    pub const ALL: [Level; 11] = [
        Level::Ac,
        Level::Gac,
        Level::Sac,
        Level::Sgac,
        Level::Poac,
        Level::Pogac,
        Level::Bisac,
        Level::Bisgac,
        Level::Ssac,
        Level::Ssgac,
        Level::Sssgac,
    ];

    /// The name as it is written in the literature.
    pub fn name(self) -> &'static str {
        match self {
            Level::Ac => "AC",
            Level::Gac => "GAC",
            Level::Sac => "SAC",
            Level::Sgac => "SGAC",
            Level::Poac => "POAC",
            Level::Pogac => "POGAC",
            Level::Bisac => "BiSAC",
            Level::Bisgac => "BiSGAC",
            Level::Ssac => "SSAC",
            Level::Ssgac => "SSGAC",
            Level::Sssgac => "SSSGAC",
        }
    }

    /// The level with this name, in capitals or not.
    pub fn by_name(name: &str) -> Option<Level> {
        Level::ALL.into_iter().find(|level| level.name().eq_ignore_ascii_case(name))
    }

    fn model(self) -> Model {
        match self {
            Level::Ac | Level::Sac | Level::Poac | Level::Bisac | Level::Ssac => Model::Plain,
            _ => Model::Global,
        }
    }

    fn enforce(self, domains: &mut Domains) -> Result<(), Empty> {
        let model = self.model();
        match self {
            Level::Ac | Level::Gac => domains.propagate(model),
            Level::Sac | Level::Sgac => domains.singleton(model, 1),
            Level::Poac | Level::Pogac => domains.partition_one(model),
            Level::Bisac | Level::Bisgac => domains.bidirectional(model),
            Level::Ssac | Level::Ssgac => domains.singleton(model, 2),
            Level::Sssgac => domains.singleton(model, 3),
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What the levels can say about a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// This is the first level that fills the grid.
    Solved(Level),
    /// This is the first level that finds a cell without candidates: the puzzle has no solution.
    Refuted(Level),
    /// No level up to the strongest one asked for decides it. A puzzle with several solutions always ends here.
    Open,
}

/// The first level, up to `strongest`, that solves the puzzle without search.
///
/// ```
/// use ninefold::rate::consistency::{Level, Verdict, weakest};
///
/// let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// assert_eq!(weakest(&puzzle, Level::Sgac), Verdict::Solved(Level::Ac));
/// # Ok::<(), ninefold::grid::ParseGridError>(())
/// ```
pub fn weakest(puzzle: &Grid, strongest: Level) -> Verdict {
    if puzzle.conflict().is_some() {
        return Verdict::Refuted(Level::Ac);
    }
    // Every level is at least as strong as the ones before it in its own model, and a global level as strong as the
    // plain one with the same letters. So each level may begin where those have ended.
    let mut plain = Domains::of(puzzle);
    let mut global = plain.clone();
    for level in Level::ALL.into_iter().take_while(|&level| level <= strongest) {
        let domains = match level.model() {
            Model::Plain => &mut plain,
            Model::Global => {
                if global.keep_only(&plain).is_err() {
                    return Verdict::Refuted(level);
                }
                &mut global
            }
        };
        if level.enforce(domains).is_err() {
            return Verdict::Refuted(level);
        }
        if domains.are_solved() {
            return Verdict::Solved(level);
        }
    }
    Verdict::Open
}

/// The candidates that a level leaves, or `None` when it finds the puzzle to have no solution.
pub fn candidates_after(puzzle: &Grid, level: Level) -> Option<Candidates> {
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

    fn check(puzzle: &str, strongest: Level, expected: Verdict) {
        assert_eq!(weakest(&puzzle.parse().unwrap(), strongest), expected, "{puzzle}");
    }

    #[test]
    fn a_puzzle_for_naked_singles_needs_ac() {
        check("1..4..1..3..4..3", Level::Ac, Verdict::Solved(Level::Ac));
        check(&".".repeat(16), Level::Sssgac, Verdict::Open);
    }

    #[test]
    fn a_hidden_single_needs_gac() {
        // Row 1 can hold its 1 in the last cell only, which keeps all its other candidates for AC.
        let grid: Grid = ".... 1... ..1. ....".parse().unwrap();
        let corner = grid.order().cell(0, 3);
        let after = |level| candidates_after(&grid, level).unwrap();
        assert_eq!(after(Level::Ac).at(corner).count(), 4);
        assert_eq!(after(Level::Gac).grid()[corner].map(|digit| digit.number()), Some(1));
    }

    #[test]
    fn two_solutions_stay_open_at_every_level() {
        let twofold = "534..8912672195348198342567859..1423426853791713924856961537284287419635345286179";
        check(twofold, Level::Sssgac, Verdict::Open);
    }

    #[test]
    fn a_house_that_cannot_be_filled_is_refuted_by_gac_and_not_by_ac() {
        // Three cells of row 1 have only 8 and 9 left.
        let crowded = format!("123456.........7..{}", ".".repeat(63));
        check(&crowded, Level::Ac, Verdict::Open);
        check(&crowded, Level::Gac, Verdict::Refuted(Level::Gac));
    }

    #[test]
    fn a_grid_found_outside_a_trial_proves_nothing_inside_it() {
        // SSAC once spared the digits of every solution seen, also in trials that contradict that solution.
        let puzzle = "2.......6.5..8..1...4...9...7.3.1......82.......7.5.3...9...4...8..1..5.6.......2";
        check(puzzle, Level::Sssgac, Verdict::Solved(Level::Ssac));
    }

    #[test]
    fn every_level_keeps_the_solution() {
        let puzzle: Grid =
            "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......".parse().unwrap();
        let solution: Grid =
            "417369825632158947958724316825437169791586432346912758289643571573291684164875293".parse().unwrap();
        assert!(solution.solves(&puzzle));
        for level in Level::ALL.into_iter().take_while(|&level| level <= Level::Bisgac) {
            let after = candidates_after(&puzzle, level).unwrap();
            for cell in puzzle.order().cells() {
                let digit = solution[cell].unwrap();
                assert!(after.grid()[cell] == Some(digit) || after.at(cell).contains(digit), "{level}");
            }
        }
    }
}
