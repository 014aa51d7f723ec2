//! Solving with singles only: cells with one candidate and digits with one place.
//!
//! Each placement is forced, so a puzzle that singles solve has no other solution. In outline:
//!
//! ```text
//! repeat until nothing is placed:
//!     fill every cell that has one candidate
//!     place every digit that has one place in a house
//!     if a cell has no candidate or a digit has no place in a house: contradiction, stop
//! ```
//!
//! `board.rs` applies the two rules to grids of any size; several solvers use it for propagation.
//! `nine.rs` only decides whether singles solve a 9×9 grid, which is many times as fast.

mod board;
mod nine;

pub(crate) use board::{Board, Contradiction};

use super::nine::line;
use crate::grid::Grid;
use nine::Nine;

/// Whether singles solve the puzzle without any guess.
#[must_use]
pub fn solve(puzzle: &Grid) -> bool {
    match line(puzzle) {
        Some(line) => Nine::new(&line).is_some_and(Nine::fill),
        None => Board::new(puzzle).is_ok_and(|board| board.is_full()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::nine::Line;
    use super::*;
    use crate::random::Random;

    #[test]
    fn fast_and_plain_versions_agree() {
        let solution: Line =
            *b"534678912672195348198342567859761423426853791713924856961537284287419635345286179";
        let mut random = Random::new(4);
        let mut solved = 0;
        for _ in 0..3_000 {
            let mut puzzle = solution;
            for _ in 0..40 + random.below(60) {
                puzzle[random.below(81)] = b'.';
            }
            if random.chance(0.2) {
                puzzle[random.below(81)] = b'1' + random.below(9) as u8;
            }
            let grid = super::super::nine::grid(&puzzle);
            let plain = Board::new(&grid).is_ok_and(|board| board.is_full());
            assert_eq!(solve(&grid), plain, "{grid}");
            solved += usize::from(plain);
        }
        assert!(
            (300..2_700).contains(&solved),
            "singles solve {solved} of 3000 puzzles, so both answers were tested"
        );
    }

    #[test]
    fn supports_other_sizes() {
        assert!(solve(&"1..4..1..3..4..3".parse().unwrap()));
        assert!(!solve(&".".repeat(16).parse().unwrap()));
    }
}
