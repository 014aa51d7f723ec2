//! Networks: this is where arrays of puzzles are filled by Kaleidoscope, whose weights are inside the package.

use crate::arrays::{Boxes, Puzzles, rows};
use crate::work::{interruptible, share, threads};
use ::kaleidoscope::{Patience, Thinker};
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray2};
use pyo3::prelude::*;
use std::sync::atomic::Ordering;

/// A full grid for each puzzle, and how likely each digit is in each cell.
type Filled<'py> = (Bound<'py, PyArray2<u8>>, Bound<'py, PyArray3<f32>>);

/// Fills every puzzle. What is filled in keeps the clues; whether it keeps the rules has to be verified.
#[pyfunction]
pub fn kaleidoscope<'py>(
    py: Python<'py>,
    puzzles: PyReadonlyArray2<'py, u8>,
    boxes: Boxes,
    iterations: usize,
    starts: usize,
    threads: usize,
) -> PyResult<Filled<'py>> {
    let puzzles = Puzzles::of(&puzzles, boxes)?;
    let (order, cells, side) = (puzzles.order, puzzles.order.cell_count(), puzzles.order.side());
    let mut filled = vec![0; puzzles.numbers.len()];
    let mut odds = vec![0.0; puzzles.numbers.len() * side];
    let (grids, chances) = (&mut filled, &mut odds);
    let threads = self::threads(threads);
    interruptible(py, move |cancel| {
        let thinker =
            Thinker::shipped().for_size(order).with_patience(Patience { iterations, starts });
        let go_on = || !cancel.load(Ordering::Relaxed);
        // A few at a time use the same memory, and no thread is left with many at the end.
        let share_of_a_thread = puzzles.count().div_ceil(8 * threads).clamp(1, 32);
        let parts = puzzles.numbers.chunks(share_of_a_thread * cells);
        let parts = parts.zip(grids.chunks_mut(share_of_a_thread * cells));
        let parts = parts.zip(chances.chunks_mut(share_of_a_thread * cells * side));
        share(threads, parts, cancel, |((puzzles, grids), chances)| {
            let puzzles: Vec<&[u8]> = puzzles.chunks_exact(cells).collect();
            let places = grids.chunks_exact_mut(cells).zip(chances.chunks_exact_mut(cells * side));
            for (thought, (grid, chances)) in
                thinker.think_while(&puzzles, &go_on).into_iter().zip(places)
            {
                grid.copy_from_slice(&thought.digits);
                chances
                    .iter_mut()
                    .zip(thought.log_probabilities)
                    .for_each(|(chance, log)| *chance = log.exp());
            }
        });
    })?;
    let count = filled.len() / cells;
    Ok((rows(py, filled, cells)?, PyArray1::from_vec(py, odds).reshape([count, cells, side])?))
}
