//! Solving, counting and verifying solutions.

use crate::NinefoldError;
use crate::arrays::{self, Boxes, Puzzles, grid, line, rows};
use crate::work::{interruptible, share, threads};
use ninefold::grid::Order;
use ninefold::search::batch::{Batch, Tally};
use ninefold::search::triads::Triads;
use ninefold::search::{self, Limits};
use ninefold::{Grid, generate};
use numpy::{PyArray1, PyArray2, PyReadonlyArray2, PyReadwriteArray2};
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// The number of solutions and the minimality of each puzzle.
type Two<'py> = (Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<bool>>);

/// The number of puzzles that a thread takes at a time: enough to fill the lanes of the batch
/// solver.
const BUNDLE: usize = 4096;

/// Up to this number of 9×9 puzzles, solving is faster than starting a thread.
const MAX_WITHOUT_THREADS: usize = 256;

type Answers<'py> = (Bound<'py, PyArray2<u8>>, Bound<'py, PyArray1<u64>>);

/// A solution of each puzzle, and the number of solutions up to a limit. Rows without a solution
/// are 0.
#[pyfunction]
pub fn solve<'py>(
    py: Python<'py>,
    puzzles: PyReadonlyArray2<'py, u8>,
    boxes: Boxes,
    limit: u64,
    threads: usize,
) -> PyResult<Answers<'py>> {
    let puzzles = Puzzles::from_array(&puzzles, boxes)?;
    let (solutions, counts) = solve_rows(py, puzzles, limit, threads)?;
    Ok((rows(py, solutions, puzzles.order.cell_count())?, PyArray1::from_vec(py, counts)))
}

/// Like [`solve`], but overwrites the puzzles with the solutions.
#[pyfunction]
pub fn solve_inplace<'py>(
    py: Python<'py>,
    mut puzzles: PyReadwriteArray2<'py, u8>,
    boxes: Boxes,
    limit: u64,
    threads: usize,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let columns = puzzles.as_array().ncols();
    let numbers = puzzles
        .as_slice_mut()
        .map_err(|_| NinefoldError::new_err("expected a C-contiguous array"))?;
    let (solutions, counts) = solve_rows(
        py,
        Puzzles::from_numbers(arrays::order(boxes)?, numbers, columns)?,
        limit,
        threads,
    )?;
    numbers.copy_from_slice(&solutions);
    Ok(PyArray1::from_vec(py, counts))
}

fn solve_rows(
    py: Python<'_>,
    puzzles: Puzzles<'_>,
    limit: u64,
    requested_threads: usize,
) -> PyResult<(Vec<u8>, Vec<u64>)> {
    let mut solutions = vec![0; puzzles.numbers.len()];
    let mut counts = vec![0; puzzles.count()];
    if puzzles.order == Order::NINE && puzzles.count() <= MAX_WITHOUT_THREADS && limit <= 2 {
        let never = AtomicBool::new(false);
        py.detach(|| solve_nines(puzzles.numbers, &mut solutions, &mut counts, limit, &never));
        return Ok((solutions, counts));
    }
    let places = (&mut solutions[..], &mut counts[..]);
    interruptible(py, move |cancel| {
        solve_all(puzzles, places, limit, threads(requested_threads), cancel)
    })?;
    Ok((solutions, counts))
}

/// Solves puzzles on several threads.
fn solve_all(
    puzzles: Puzzles<'_>,
    (solutions, counts): (&mut [u8], &mut [u64]),
    limit: u64,
    threads: usize,
    cancel: &AtomicBool,
) {
    let cells = puzzles.order.cell_count();
    let bundle = if puzzles.order == Order::NINE {
        BUNDLE.min(puzzles.count().div_ceil(threads)).max(32)
    } else {
        1
    };
    let bundles = puzzles.numbers.chunks(bundle * cells).zip(solutions.chunks_mut(bundle * cells));
    let bundles = bundles.zip(counts.chunks_mut(bundle));
    share(threads, bundles, cancel, |((numbers, solutions), counts)| {
        if puzzles.order == Order::NINE {
            solve_nines(numbers, solutions, counts, limit, cancel);
        } else {
            counts[0] = solve_one(&grid(puzzles.order, numbers), solutions, limit, cancel);
        }
    });
}

/// Solves 9×9 puzzles with the vectorized batch solver.
fn solve_nines(
    numbers: &[u8],
    solutions: &mut [u8],
    counts: &mut [u64],
    limit: u64,
    cancel: &AtomicBool,
) {
    let lines: Vec<_> = numbers.chunks_exact(81).map(line).collect();
    let mut has_solution = vec![false; lines.len()];
    let mut keep_first = |index: usize, solution: &[u8; 81]| {
        if !std::mem::replace(&mut has_solution[index], true) {
            let row = &mut solutions[index * 81..][..81];
            row.iter_mut().zip(solution).for_each(|(number, byte)| *number = byte - b'0');
        }
        ControlFlow::Continue(())
    };
    let (tallies, _) =
        Batch::BEST.solve_all(&lines, limit, &Limits::none().with_cancel(cancel), &mut keep_first);
    counts.iter_mut().zip(&tallies).for_each(|(count, tally)| *count = tally.solutions);
}

/// Solves a puzzle of any size.
fn solve_one(puzzle: &Grid, solution: &mut [u8], limit: u64, cancel: &AtomicBool) -> u64 {
    let mut count = 0;
    let mut visit = |found: Grid| {
        if count == 0 {
            solution.iter_mut().zip(found.numbers()).for_each(|(place, number)| *place = number);
        }
        count += 1;
        if count >= limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let solver = search::default_for(puzzle);
    solver
        .search(puzzle, &Limits::none().with_cancel(cancel), &mut visit)
        .expect("the default solver supports every size");
    count
}

/// Solves a 9×9 puzzle in a line of text: a solution, and the number of solutions up to 2. `None`
/// if the text is not such a line.
#[pyfunction]
pub fn solve_line(puzzle: &str) -> Option<(Option<String>, u64)> {
    let line: &[u8; 81] = puzzle.as_bytes().try_into().ok()?;
    if !line.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.') {
        return None;
    }
    let (solution, tally) = Triads::BEST.solve_line(line, 2);
    Some((
        solution.map(|solution| String::from_utf8_lossy(&solution).into_owned()),
        tally.solutions,
    ))
}

/// The number of solutions of each puzzle, up to a limit.
#[pyfunction]
pub fn count<'py>(
    py: Python<'py>,
    puzzles: PyReadonlyArray2<'py, u8>,
    boxes: Boxes,
    limit: u64,
    threads: usize,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let puzzles = Puzzles::from_array(&puzzles, boxes)?;
    Ok(PyArray1::from_vec(py, solve_rows(py, puzzles, limit, threads)?.1))
}

/// The number of solutions of each puzzle (2 for several), and whether it has one solution and
/// needs every clue.
#[pyfunction]
pub fn check<'py>(
    py: Python<'py>,
    puzzles: PyReadonlyArray2<'py, u8>,
    boxes: Boxes,
    threads: usize,
) -> PyResult<Two<'py>> {
    let puzzles = Puzzles::from_array(&puzzles, boxes)?;
    let (_, counts) = solve_rows(py, puzzles, 2, threads)?;
    let mut minimal = vec![false; counts.len()];
    let places = &mut minimal;
    let known_counts = &counts;
    interruptible(py, move |cancel| {
        let items = puzzles
            .rows()
            .zip(known_counts)
            .zip(places.iter_mut())
            .filter(|((_, count), _)| **count == 1);
        share(crate::work::threads(threads), items, cancel, |((row, _), place)| {
            *place = generate::is_minimal(&grid(puzzles.order, row)) == Ok(true);
        });
    })?;
    Ok((PyArray1::from_vec(py, counts), PyArray1::from_vec(py, minimal)))
}

/// Whether each grid in the second array is a solution of the puzzle in the first.
#[pyfunction]
pub fn verify<'py>(
    py: Python<'py>,
    puzzles: PyReadonlyArray2<'py, u8>,
    grids: PyReadonlyArray2<'py, u8>,
    boxes: Boxes,
    threads: usize,
) -> PyResult<Bound<'py, PyArray1<bool>>> {
    let (puzzles, grids) =
        (Puzzles::from_array(&puzzles, boxes)?, Puzzles::from_array(&grids, boxes)?);
    if puzzles.count() != grids.count() {
        let (expected, found) = (puzzles.count(), grids.count());
        return Err(NinefoldError::new_err(format!(
            "expected as many grids as puzzles ({expected}), found {found}"
        )));
    }
    let mut solves = vec![false; puzzles.count()];
    let houses: Vec<&[ninefold::Cell]> =
        puzzles.order.houses().map(|house| puzzles.order.cells_in(house)).collect();
    let places = &mut solves;
    let (houses, cells) = (&houses, puzzles.order.cell_count());
    interruptible(py, move |cancel| {
        let bundles =
            puzzles.numbers.chunks(BUNDLE * cells).zip(grids.numbers.chunks(BUNDLE * cells));
        share(
            crate::work::threads(threads),
            bundles.zip(places.chunks_mut(BUNDLE)),
            cancel,
            |((puzzles, grids), solves)| {
                let pairs = puzzles.chunks_exact(cells).zip(grids.chunks_exact(cells));
                solves
                    .iter_mut()
                    .zip(pairs)
                    .for_each(|(place, (puzzle, grid))| *place = is_solution(puzzle, grid, houses));
            },
        );
    })?;
    Ok(PyArray1::from_vec(py, solves))
}

/// Whether a grid keeps the clues and every house contains every digit. Numbers are at most the
/// side.
fn is_solution(puzzle: &[u8], grid: &[u8], houses: &[&[ninefold::Cell]]) -> bool {
    let keeps_clues =
        puzzle.iter().zip(grid).all(|(&clue, &digit)| digit > 0 && (clue == 0 || clue == digit));
    keeps_clues
        && houses.iter().all(|cells| {
            let seen = cells.iter().fold(0_u64, |seen, cell| seen | 1 << (grid[cell.index()] - 1));
            seen.count_ones() as usize == cells.len()
        })
}

/// The guesses of the batch solver for each 9×9 puzzle until it excludes a second solution.
pub fn guesses(puzzles: Puzzles<'_>, threads: usize, cancel: &AtomicBool) -> Vec<Tally> {
    let mut tallies = vec![Tally::default(); puzzles.count()];
    let bundles = puzzles.numbers.chunks(BUNDLE * 81).zip(tallies.chunks_mut(BUNDLE));
    share(threads, bundles, cancel, |(numbers, tallies)| {
        let lines: Vec<_> = numbers.chunks_exact(81).map(line).collect();
        tallies.copy_from_slice(&Batch::BEST.count_all(&lines, 2));
    });
    tallies
}
