//! Tests for Miri, the interpreter that detects undefined behaviour in `unsafe` code.
//!
//! CI runs them with `cargo +nightly miri test -p ninefold --lib miri`. Under Miri, code is about a
//! thousand times slower and not all vector instructions are supported. So these tests use only the
//! portable engine and a few short searches.

use super::batch::Batch;
use super::nine::Line;
use super::triads::Triads;
use super::{Engine, Limits, Solver, bands::Bands, cdcl::Cdcl, dlx::Dlx, norvig::Norvig};
use std::ops::ControlFlow;

const EASY: &Line =
    b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const TWO_SOLUTIONS: &Line =
    b"534..8912672195348198342567859..1423426853791713924856961537284287419635345286179";

#[test]
fn portable_triads_count_and_solve() {
    let triads = Triads::with_engine(Engine::Portable).expect("the portable engine is available");
    assert_eq!(triads.count_line(EASY, 2).solutions, 1);
    let (solution, tally) = triads.solve_line(TWO_SOLUTIONS, 3);
    assert_eq!((solution.is_some(), tally.solutions), (true, 2));
}

#[test]
fn portable_batch_counts_and_solves() {
    let batch = Batch::with_engine(Engine::Portable).expect("the portable engine is available");
    let puzzles = [*EASY, *TWO_SOLUTIONS];
    let mut visited = 0;
    let (tallies, _) = batch.solve_all(&puzzles, 3, &Limits::none(), &mut |_, _| {
        visited += 1;
        ControlFlow::Continue(())
    });
    assert_eq!((tallies[0].solutions, tallies[1].solutions, visited), (1, 2, 3));
}

#[test]
fn solvers_without_vectors_find_the_solution() {
    let puzzle = "1..4..1..3..4..3".parse().expect("a valid grid");
    for solver in [&Dlx as &dyn Solver, &Cdcl, &Norvig] {
        let (count, _) = solver.count(&puzzle, 2, &Limits::none()).expect("4×4 is supported");
        assert_eq!(count, 1, "{}", solver.name());
    }
    let puzzle = super::nine::grid(TWO_SOLUTIONS);
    assert_eq!(Bands.count(&puzzle, 3, &Limits::none()).expect("9×9 is supported").0, 2);
}
