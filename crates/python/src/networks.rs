//! Predictions of Kaleidoscope, whose weights are part of the package.

use crate::arrays::{Boxes, Puzzles, rows};
use crate::work::{interruptible, share, threads};
use ninefold_kaleidoscope::{Budget, Solver};
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray2};
use pyo3::prelude::*;
use std::sync::atomic::Ordering;

/// A complete grid per puzzle, and the probability of each digit in each cell.
type Filled<'py> = (Bound<'py, PyArray2<u8>>, Bound<'py, PyArray3<f32>>);

/// Fills each puzzle. The grids keep the clues, but may break the rules.
#[pyfunction]
pub fn kaleidoscope<'py>(
    py: Python<'py>,
    puzzles: PyReadonlyArray2<'py, u8>,
    boxes: Boxes,
    iterations: usize,
    starts: usize,
    threads: usize,
) -> PyResult<Filled<'py>> {
    let puzzles = Puzzles::from_array(&puzzles, boxes)?;
    let (order, cells, side) = (puzzles.order, puzzles.order.cell_count(), puzzles.order.side());
    let mut filled = vec![0; puzzles.numbers.len()];
    let mut odds = vec![0.0; puzzles.numbers.len() * side];
    let (grids, chances) = (&mut filled, &mut odds);
    let threads = self::threads(threads);
    interruptible(py, move |cancel| {
        let solver = Solver::shipped().for_size(order).with_budget(Budget { iterations, starts });
        let keep_running = || !cancel.load(Ordering::Relaxed);
        // Small parts limit memory use and distribute the work evenly.
        let part_size = puzzles.count().div_ceil(8 * threads).clamp(1, 32);
        let parts = puzzles.numbers.chunks(part_size * cells);
        let parts = parts.zip(grids.chunks_mut(part_size * cells));
        let parts = parts.zip(chances.chunks_mut(part_size * cells * side));
        share(threads, parts, cancel, |((puzzles, grids), chances)| {
            let puzzles: Vec<&[u8]> = puzzles.chunks_exact(cells).collect();
            let places = grids.chunks_exact_mut(cells).zip(chances.chunks_exact_mut(cells * side));
            for (prediction, (grid, chances)) in
                solver.solve_while(&puzzles, &keep_running).into_iter().zip(places)
            {
                grid.copy_from_slice(&prediction.digits);
                chances
                    .iter_mut()
                    .zip(prediction.log_probabilities)
                    .for_each(|(chance, log)| *chance = log.exp());
            }
        });
    })?;
    let count = filled.len() / cells;
    Ok((rows(py, filled, cells)?, PyArray1::from_vec(py, odds).reshape([count, cells, side])?))
}
