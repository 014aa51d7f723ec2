//! The fastest solver for one 9×9 puzzle at a time: the complete board is in a few vector
//! registers.
//!
//! A triad is three cells of one line inside one box. A digit occurs once in each row and each box
//! of a band (a row of boxes), so its three triads are in three different boxes: there are six such
//! permutations. tdoku (Dillon 2019) was the first solver based on them. Here the layout of the
//! board lets a few instructions process all triads at once. With AVX-512:
//!
//! ```text
//!   register 0:  r1c1 r1c4 r1c7  r2c1 r2c4 r2c7  …  r9c1 r9c4 r9c7      first cell of each triad
//!   register 1:  r1c2 r1c5 r1c8  r2c2 r2c5 r2c8  …  r9c2 r9c5 r9c8      second cell
//!   register 2:  r1c3 r1c6 r1c9  r2c3 r2c6 r2c9  …  r9c3 r9c6 r9c9      third cell
//!
//!   27 of 32 lanes are used; a lane is 16 bits: 0000000 987654321
//! ```
//!
//! The OR of the three registers is the candidate set of all row triads at once. One shuffle moves
//! a neighbour of every triad to its lane: the next row of the box, the next box of the row or the
//! next band. A round applies every rule once to the complete board, with about 100 instructions;
//! `batch/kernel.rs` lists the rules in outline.
//!
//! Other CPUs have shorter vectors without a shuffle over the full length, so they use another
//! layout: nine vectors with a lane for each box (`boxes.rs`), one algorithm for four kinds of
//! vectors. A round takes about 300 instructions with AVX2, twice as many with the 128-bit vectors
//! of ARM and WebAssembly, and about 900 in plain Rust.
//!
//! What makes it fast: no loops, tables or work lists inside a round, so there are no branch
//! mispredictions; most 17-clue puzzles need about fifteen rounds in total. Guesses are chosen as
//! in the batch solver.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod boxes;
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon;
#[cfg(any(
    test,
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod pair;
mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(any(
    test,
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "wasm32", target_feature = "simd128")
))]
mod sixteen;
mod walk;

use super::batch::Tally;
use super::nine::{self, Line, PencilMarks, VisitLine};
use super::{Engine, Meter, StopReason, Visit, Walk};
use crate::grid::{Grid, Order};
use std::ops::ControlFlow;

/// The solver for one 9×9 puzzle at a time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Triads {
    engine: Option<Engine>,
}

/// The start of a search.
#[derive(Clone, Copy)]
enum Start<'a> {
    /// The clues of a puzzle.
    Line(&'a Line),
    /// The candidates of each cell.
    PencilMarks(&'a PencilMarks),
}

impl Triads {
    /// The solver on the engine that [`Engine::best_for_one`] returns when it runs.
    pub const BEST: Triads = Triads { engine: None };

    /// The solver on this engine; `None` if the CPU does not support it.
    #[must_use]
    pub fn with_engine(engine: Engine) -> Option<Triads> {
        engine.is_available().then_some(Triads { engine: Some(engine) })
    }

    /// The engine that the solver uses.
    #[must_use]
    pub fn engine(&self) -> Engine {
        self.engine.unwrap_or_else(Engine::best_for_one)
    }

    /// Counts the solutions of a puzzle up to `limit`.
    ///
    /// ```
    /// use ninefold::search::triads::Triads;
    ///
    /// let puzzle = b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    /// assert_eq!(Triads::BEST.count_line(puzzle, 2).solutions, 1);
    /// ```
    #[must_use]
    pub fn count_line(&self, puzzle: &Line, limit: u64) -> Tally {
        self.walk_from(Start::Line(puzzle), limit, &mut Meter::without_clock(), None).0
    }

    /// Finds the first solution of a puzzle, checked against the rules and the clues, and counts
    /// the solutions up to `limit`.
    ///
    /// ```
    /// use ninefold::search::triads::Triads;
    ///
    /// let puzzle = b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    /// let (solution, tally) = Triads::BEST.solve_line(puzzle, 2);
    /// assert!(solution.is_some_and(|solution| solution.starts_with(b"534678912")));
    /// assert_eq!(tally.solutions, 1);
    /// ```
    #[must_use]
    pub fn solve_line(&self, puzzle: &Line, limit: u64) -> (Option<Line>, Tally) {
        let mut first = None;
        let mut visit = |solution: &Line| {
            first.get_or_insert(*solution);
            ControlFlow::Continue(())
        };
        let (tally, _) = self.walk_from(
            Start::Line(puzzle),
            limit,
            &mut Meter::without_clock(),
            Some(&mut visit),
        );
        (first.inspect(|solution| nine::check(solution, puzzle, self.name())), tally)
    }

    /// Counts the solutions of a position with these candidates, up to `limit`.
    ///
    /// ```
    /// use ninefold::search::triads::Triads;
    ///
    /// let mut marks = [0b111_111_111; 81];
    /// marks[0] = 0b000_000_110; // r1c1 is 2 or 3
    /// assert_eq!(Triads::BEST.count_marks(&marks, 1_000).solutions, 1_000);
    /// marks[0] = 0;
    /// assert_eq!(Triads::BEST.count_marks(&marks, 1_000).solutions, 0);
    /// ```
    #[must_use]
    pub fn count_marks(&self, marks: &PencilMarks, limit: u64) -> Tally {
        let marks = marks.map(|set| set & nine::ANY);
        self.walk_from(Start::PencilMarks(&marks), limit, &mut Meter::without_clock(), None).0
    }

    /// Finds the first solution of a position with these candidates.
    #[must_use]
    pub fn first_of_marks(&self, marks: &PencilMarks) -> Option<Line> {
        let marks = marks.map(|set| set & nine::ANY);
        let mut first = None;
        let mut visit = |solution: &Line| {
            first = Some(*solution);
            ControlFlow::Break(StopReason::Enough)
        };
        let _ = self.walk_from(
            Start::PencilMarks(&marks),
            1,
            &mut Meter::without_clock(),
            Some(&mut visit),
        );
        first.inspect(|solution| nine::check_marks(solution, &marks, self.name()))
    }

    fn walk_from(
        &self,
        start: Start<'_>,
        limit: u64,
        meter: &mut Meter<'_>,
        visit: Option<&mut VisitLine<'_>>,
    ) -> (Tally, ControlFlow<StopReason>) {
        match self.engine() {
            #[cfg(target_arch = "x86_64")]
            Engine::Avx512 => avx512::walk(start, limit, meter, visit),
            #[cfg(target_arch = "x86_64")]
            Engine::Avx2 => avx2::walk(start, limit, meter, visit),
            #[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
            Engine::Neon => boxes::walk::<pair::Pair<neon::Eight>>((), start, limit, meter, visit),
            #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
            Engine::Simd128 => {
                boxes::walk::<pair::Pair<simd128::Eight>>((), start, limit, meter, visit)
            }
            _ => boxes::walk::<portable::Twelve>((), start, limit, meter, visit),
        }
    }
}

impl Walk for Triads {
    fn name(&self) -> &'static str {
        "triads"
    }

    fn idea(&self) -> &'static str {
        "the whole 9×9 board in a few vector registers; the fastest for one puzzle at a time"
    }

    fn supports(&self, order: Order) -> bool {
        order == Order::NINE
    }

    fn walk(
        &self,
        puzzle: &Grid,
        meter: &mut Meter<'_>,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<StopReason> {
        let line = nine::line(puzzle).expect("the caller checked `supports`");
        self.walk_from(
            Start::Line(&line),
            u64::MAX,
            meter,
            Some(&mut |solution| visit(nine::grid(solution))),
        )
        .1
    }

    fn walk_lines(
        &self,
        puzzle: &Line,
        meter: &mut Meter<'_>,
        visit: &mut VisitLine<'_>,
    ) -> Option<ControlFlow<StopReason>> {
        Some(self.walk_from(Start::Line(puzzle), u64::MAX, meter, Some(visit)).1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::search::batch::Batch;
    use crate::search::{Limits, Solver};

    const SOLUTION: Line =
        *b"534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    const HARD: Line =
        *b"8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";

    fn engines() -> impl Iterator<Item = Triads> {
        Engine::available().filter_map(Triads::with_engine)
    }

    /// A solution with some cells emptied and sometimes a wrong digit.
    fn random_puzzle(random: &mut Random) -> Line {
        let mut puzzle = SOLUTION;
        for _ in 0..random.below(120) {
            puzzle[random.below(81)] = b'.';
        }
        if random.chance(0.3) {
            puzzle[random.below(81)] = b'1' + random.below(9) as u8;
        }
        puzzle
    }

    #[test]
    fn every_engine_agrees_with_the_batch_solver_on_random_puzzles() {
        let mut random = Random::new(11);
        for _ in 0..2_000 {
            let puzzle = random_puzzle(&mut random);
            let expected = Batch::BEST.count_all(&[puzzle], 5)[0].solutions;
            for triads in engines() {
                let engine = triads.engine();
                assert_eq!(
                    triads.count_line(&puzzle, 5).solutions,
                    expected,
                    "{engine}: {}",
                    nine::grid(&puzzle)
                );
                let (solution, tally) = triads.solve_line(&puzzle, 5);
                assert_eq!(
                    (solution.is_some(), tally.solutions),
                    (expected > 0, expected),
                    "{engine}"
                );
                let (found, _) = triads.first(&nine::grid(&puzzle), &Limits::none()).unwrap();
                assert_eq!(found.is_some(), expected > 0, "{engine}");
            }
        }
    }

    #[test]
    fn pairs_of_plain_vectors_agree_with_the_portable_engine() {
        use super::{pair::Pair, pair::plain::Eight};
        let mut random = Random::new(12);
        let mut puzzles: Vec<Line> = (0..300).map(|_| random_puzzle(&mut random)).collect();
        puzzles.push(HARD);
        let portable = Triads::with_engine(Engine::Portable).unwrap();
        for puzzle in &puzzles {
            let (tally, _) = boxes::walk::<Pair<Eight>>(
                (),
                Start::Line(puzzle),
                3,
                &mut Meter::without_clock(),
                None,
            );
            assert_eq!(
                tally.solutions,
                portable.count_line(puzzle, 3).solutions,
                "{}",
                nine::grid(puzzle)
            );
        }
    }

    #[test]
    fn count_marks_excludes_solutions_with_removed_candidates() {
        let mut random = Random::new(13);
        let mut kept = 0;
        for _ in 0..300 {
            let mut puzzle = SOLUTION;
            for _ in 0..90 {
                puzzle[random.below(81)] = b'.';
            }
            let mut marks = puzzle.map(|byte| nine::BITS_OF_BYTE[usize::from(byte)]);
            for _ in 0..4 {
                let cell = random.below(81);
                marks[cell] &= !(1 << random.below(9));
            }
            let fits = |solution: &Line| {
                solution
                    .iter()
                    .zip(&marks)
                    .all(|(&byte, &set)| set & nine::BITS_OF_BYTE[usize::from(byte)] != 0)
            };
            let mut expected = 0;
            Batch::BEST.solve_all(&[puzzle], 3_000, &Limits::none(), &mut |_, solution| {
                expected += u64::from(fits(solution));
                ControlFlow::Continue(())
            });
            if Batch::BEST.count_all(&[puzzle], 3_000)[0].solutions == 3_000 {
                continue;
            }
            kept += 1;
            for triads in engines() {
                assert_eq!(
                    triads.count_marks(&marks, 3_000).solutions,
                    expected,
                    "{}",
                    triads.engine()
                );
                let first = triads.first_of_marks(&marks);
                assert_eq!(first.is_some(), expected > 0);
                assert!(first.is_none_or(|first| fits(&first)));
            }
        }
        assert!(kept > 50, "{kept} puzzles were compared");
    }

    #[test]
    fn limit_of_zero_finds_nothing() {
        for triads in engines() {
            assert_eq!(triads.count_line(&SOLUTION, 0), Tally::default());
        }
    }

    #[test]
    fn counts_up_to_the_limit_on_an_empty_grid() {
        for triads in engines() {
            assert_eq!(triads.count_line(&[b'.'; 81], 1_000).solutions, 1_000);
        }
    }
}
