//! The fast one-at-a-time solver for 9×9: the whole board in three vector registers.
//!
//! A triad is three cells of one line inside one box. A digit takes exactly one triad of each line and one of each box, so
//! inside a band it follows one of six permutations; tdoku (Dillon 2019) was first to build a solver on this. Here the
//! board is laid out so that all 27 row triads meet in one instruction:
//!
//! ```text
//!   register 0:  r1c1 r1c4 r1c7  r2c1 r2c4 r2c7  …  r9c1 r9c4 r9c7      first cell of each triad
//!   register 1:  r1c2 r1c5 r1c8  r2c2 r2c5 r2c8  …  r9c2 r9c5 r9c8      second cell
//!   register 2:  r1c3 r1c6 r1c9  r2c3 r2c6 r2c9  …  r9c3 r9c6 r9c9      third cell
//!
//!   27 of 32 lanes are used; a lane is 16 bits: 0000000 987654321
//! ```
//!
//! The OR of the three registers is the candidate set of all row triads at once, and neighbours (the next row of the box,
//! the next box of the row, the next band) are one shuffle away. The rules of a round are those of `batch/kernel.rs`, which
//! states them in plain words; a round costs about 100 instructions and serves the whole board, rows and columns, bands
//! and stacks together.
//!
//! What makes it fast: no loops, tables or work lists inside a round, so the processor always knows what comes next; most
//! 17-clue puzzles need some fifteen rounds in all. Guesses are chosen as in the batch solver.
//!
//! It needs AVX-512 with BW, VBMI and BITALG. On other processors the entry points are the same and others do the work: the
//! [`batch`](super::batch) solver where there is AVX2 (it spreads the nodes of one hard puzzle over its lanes: four times
//! as fast as bands on forum 11+, 1.1 times on 17-clue puzzles), [`bands`] elsewhere.

#[cfg(target_arch = "x86_64")]
mod avx512;

use super::batch::{Batch, Engine, Tally};
use super::nine::{self, Line, VisitLine};
use super::{Meter, Stop, Visit, Walk, bands};
use crate::grid::{Grid, Order};
use std::ops::ControlFlow;

/// The one-at-a-time solver.
pub struct Triads;

impl Triads {
    /// Counts the solutions of a puzzle up to `limit`.
    ///
    /// ```
    /// use ninefold::search::triads::Triads;
    ///
    /// let puzzle = b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    /// assert_eq!(Triads.count_line(puzzle, 2).solutions, 1);
    /// ```
    #[must_use]
    pub fn count_line(&self, puzzle: &Line, limit: u64) -> Tally {
        self.walk_line(puzzle, limit, &mut Meter::without_clock(), None).0
    }

    fn walk_line(
        &self,
        puzzle: &Line,
        limit: u64,
        meter: &mut Meter<'_>,
        visit: Option<&mut VisitLine<'_>>,
    ) -> (Tally, ControlFlow<Stop>) {
        #[cfg(target_arch = "x86_64")]
        if avx512::is_available() {
            return avx512::walk(puzzle, limit, meter, visit);
        }
        match Batch::on(Engine::Avx2) {
            Some(batch) => batch.walk_line(puzzle, limit, meter, visit),
            None => bands::walk(puzzle, limit, meter, visit),
        }
    }
}

impl Walk for Triads {
    fn name(&self) -> &'static str {
        "triads"
    }

    fn idea(&self) -> &'static str {
        "the whole 9×9 board in three vector registers; the fastest for one puzzle at a time"
    }

    fn takes(&self, order: Order) -> bool {
        order == Order::NINE
    }

    fn walk(&self, puzzle: &Grid, meter: &mut Meter<'_>, visit: &mut Visit<'_>) -> ControlFlow<Stop> {
        let line = nine::line(puzzle).expect("the caller has asked `takes`");
        self.walk_line(&line, u64::MAX, meter, Some(&mut |solution| visit(nine::grid(solution)))).1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::search::{Limits, Solver};

    const SOLUTION: Line = *b"534678912672195348198342567859761423426853791713924856961537284287419635345286179";

    #[test]
    fn random_puzzles_get_the_batch_solvers_answer() {
        let mut random = Random::new(11);
        for _ in 0..2_000 {
            let mut puzzle = SOLUTION;
            for _ in 0..random.below(120) {
                puzzle[random.below(81)] = b'.';
            }
            if random.chance(0.3) {
                puzzle[random.below(81)] = b'1' + random.below(9) as u8;
            }
            let expected = Batch::BEST.count_all(&[puzzle], 5)[0].solutions;
            assert_eq!(Triads.count_line(&puzzle, 5).solutions, expected, "{}", nine::grid(&puzzle));
            let (found, _) = Triads.first(&nine::grid(&puzzle), &Limits::none()).unwrap();
            assert_eq!(found.is_some(), expected > 0);
        }
    }

    #[test]
    fn a_limit_of_zero_finds_nothing() {
        assert_eq!(Triads.count_line(&SOLUTION, 0), Tally::default());
    }
}
