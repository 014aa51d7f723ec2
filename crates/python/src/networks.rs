//! Predictions of Kaleidoscope, whose weights are part of the package.

use crate::NinefoldError;
use crate::arrays::{Boxes, Puzzles, rows};
use crate::puzzle::PyPuzzle;
use crate::work::{interruptible, share, threads};
use ninefold_kaleidoscope::layout::PuzzleNodes;
use ninefold_kaleidoscope::{
    Budget, SHIPPED_VARIANT_WEIGHTS, SHIPPED_WEIGHTS, Solver, noise, noise_of_start,
};
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
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

/// The included weights, as a safetensors file.
#[pyfunction]
pub fn kaleidoscope_weights(py: Python<'_>, rules: bool) -> Bound<'_, PyBytes> {
    PyBytes::new(py, if rules { SHIPPED_VARIANT_WEIGHTS } else { SHIPPED_WEIGHTS })
}

/// The noise of the initial state of each node, for every start except the first.
#[pyfunction]
pub fn kaleidoscope_noise(
    py: Python<'_>,
    start: usize,
    nodes: usize,
    width: usize,
) -> PyResult<Bound<'_, PyArray2<f32>>> {
    let rows = noise_of_start(start).take(nodes);
    let numbers = rows.flat_map(|source| noise::row(source, width)).collect();
    PyArray1::from_vec(py, numbers).reshape([nodes, width])
}

/// The graph of a puzzle with any rules, as arrays; `None` if its clues break a rule. An entry is a
/// group of a node; an edge is a member of an entry.
#[pyfunction]
pub fn kaleidoscope_graph<'py>(
    py: Python<'py>,
    puzzle: &PyPuzzle,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let Some((nodes, known)) = PuzzleNodes::with_rules(puzzle.grid()) else { return Ok(None) };
    let groups = nodes.groups.as_ref().expect("puzzles with rules have groups");
    let [mut entry_nodes, mut entry_slots, mut edge_entries, mut edge_members] =
        [const { Vec::<i64>::new() }; 4];
    for node in 0..nodes.candidates.len() {
        for (slot, members) in groups.of(node) {
            edge_entries.resize(edge_entries.len() + members.len(), entry_nodes.len() as i64);
            edge_members.extend(members.iter().map(|&member| i64::from(member)));
            entry_nodes.push(node as i64);
            entry_slots.push(slot as i64);
        }
    }
    let widened = |numbers: &[i32]| numbers.iter().map(|&number| i64::from(number)).collect();
    let arrays = PyDict::new(py);
    arrays.set_item("known", PyArray1::from_vec(py, known))?;
    for (name, numbers) in [
        ("candidates", widened(&nodes.candidates)),
        ("roles", widened(&nodes.roles)),
        ("entry_nodes", entry_nodes),
        ("entry_slots", entry_slots),
        ("edge_entries", edge_entries),
        ("edge_members", edge_members),
    ] {
        arrays.set_item(name, PyArray1::from_vec(py, numbers))?;
    }
    Ok(Some(arrays))
}
