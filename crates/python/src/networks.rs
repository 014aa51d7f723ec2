//! Predictions of Kaleidoscope, whose weights are part of the package.

use crate::NinefoldError;
use crate::arrays::{Boxes, Puzzles, rows};
use crate::puzzle::PyPuzzle;
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

/// The same for one puzzle with any rules; a cell has the same number of digits as the grid.
#[pyfunction]
pub fn kaleidoscope_with_rules<'py>(
    py: Python<'py>,
    puzzle: &PyPuzzle,
    iterations: usize,
    starts: usize,
) -> PyResult<Filled<'py>> {
    let grid = puzzle.grid();
    let (cells, side) = (grid.order().cell_count(), grid.order().side());
    if side > LARGEST_WITH_RULES {
        return Err(NinefoldError::new_err(format!(
            "kaleidoscope supports puzzles with rules up to side {LARGEST_WITH_RULES}, found {side}"
        )));
    }
    let prediction = interruptible(py, |cancel| {
        let solver = Solver::shipped_for_variants().with_budget(Budget { iterations, starts });
        let keep_running = || !cancel.load(Ordering::Relaxed);
        solver.solve_grids_while(std::slice::from_ref(grid), &keep_running).remove(0)
    })?;
    let odds: Vec<f32> = prediction.log_probabilities.into_iter().map(f32::exp).collect();
    let odds = PyArray1::from_vec(py, odds).reshape([1, cells, side])?;
    Ok((rows(py, prediction.digits, cells)?, odds))
}

/// Larger puzzles have too many candidates.
const LARGEST_WITH_RULES: usize = 16;
