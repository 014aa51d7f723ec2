//! Solutions: found, counted, proven to be the only ones, checked.

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

/// Two arrays with a row for each puzzle.
type Two<'py> = (Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<bool>>);

/// Puzzles that a thread takes at a time: enough to keep the lanes of the batch solver busy.
const BUNDLE: usize = 4096;

/// So many 9×9 puzzles are solved before a thread has started.
const AT_ONCE: usize = 256;

type Answers<'py> = (Bound<'py, PyArray2<u8>>, Bound<'py, PyArray1<u64>>);

/// A solution of each puzzle and how many there are, up to a limit. Rows without a solution are 0.
#[pyfunction]
pub fn solve<'py>(
    py: Python<'py>,
    puzzles: PyReadonlyArray2<'py, u8>,
    boxes: Boxes,
    limit: u64,
    threads: usize,
) -> PyResult<Answers<'py>> {
    let puzzles = Puzzles::of(&puzzles, boxes)?;
    let (solutions, counts) = solved(py, puzzles, limit, threads)?;
    Ok((rows(py, solutions, puzzles.order.cell_count())?, PyArray1::from_vec(py, counts)))
}

/// The same, with the solutions in the place of the puzzles.
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
        .map_err(|_| NinefoldError::new_err("the array is not C-contiguous"))?;
    let (solutions, counts) =
        solved(py, Puzzles::checked(arrays::order(boxes)?, numbers, columns)?, limit, threads)?;
    numbers.copy_from_slice(&solutions);
    Ok(PyArray1::from_vec(py, counts))
}

fn solved(
    py: Python<'_>,
    puzzles: Puzzles<'_>,
    limit: u64,
    asked: usize,
) -> PyResult<(Vec<u8>, Vec<u64>)> {
    let mut solutions = vec![0; puzzles.numbers.len()];
    let mut counts = vec![0; puzzles.count()];
    if puzzles.order == Order::NINE && puzzles.count() <= AT_ONCE && limit <= 2 {
        let never = AtomicBool::new(false);
        py.detach(|| solve_nines(puzzles.numbers, &mut solutions, &mut counts, limit, &never));
        return Ok((solutions, counts));
    }
    let places = (&mut solutions[..], &mut counts[..]);
    interruptible(py, move |cancel| solve_all(puzzles, places, limit, threads(asked), cancel))?;
    Ok((solutions, counts))
}

/// Bundle after bundle on several threads.
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

/// 9×9 puzzles side by side in the lanes of vectors.
fn solve_nines(
    numbers: &[u8],
    solutions: &mut [u8],
    counts: &mut [u64],
    limit: u64,
    cancel: &AtomicBool,
) {
    let lines: Vec<_> = numbers.chunks_exact(81).map(line).collect();
    let mut begun = vec![false; lines.len()];
    let mut keep_first = |index: usize, solution: &[u8; 81]| {
        if !std::mem::replace(&mut begun[index], true) {
            let row = &mut solutions[index * 81..][..81];
            row.iter_mut().zip(solution).for_each(|(number, byte)| *number = byte - b'0');
        }
        ControlFlow::Continue(())
    };
    let (tallies, _) =
        Batch::BEST.solve_all(&lines, limit, &Limits::cancelled_by(cancel), &mut keep_first);
    counts.iter_mut().zip(&tallies).for_each(|(count, tally)| *count = tally.solutions);
}

/// A puzzle of any size.
fn solve_one(puzzle: &Grid, solution: &mut [u8], limit: u64, cancel: &AtomicBool) -> u64 {
    let mut count = 0;
    let mut visit = |found: Grid| {
        if count == 0 {
            solution.iter_mut().zip(found.numbers()).for_each(|(place, number)| *place = number);
        }
        count += 1;
        if count >= limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let solver = search::default_for(puzzle.order());
    solver
        .search(puzzle, &Limits::cancelled_by(cancel), &mut visit)
        .expect("the default solver takes every size");
    count
}

/// The solution of one 9×9 puzzle in a line of text, and how many there are, up to 2; nothing if this is not such a line.
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

/// How many solutions each puzzle has, up to a limit.
#[pyfunction]
pub fn count<'py>(
    py: Python<'py>,
    puzzles: PyReadonlyArray2<'py, u8>,
    boxes: Boxes,
    limit: u64,
    threads: usize,
) -> PyResult<Bound<'py, PyArray1<u64>>> {
    let puzzles = Puzzles::of(&puzzles, boxes)?;
    Ok(PyArray1::from_vec(py, solved(py, puzzles, limit, threads)?.1))
}

/// 0, 1 or 2 for several solutions of each puzzle, and whether each with one solution needs every clue.
#[pyfunction]
pub fn check<'py>(
    py: Python<'py>,
    puzzles: PyReadonlyArray2<'py, u8>,
    boxes: Boxes,
    threads: usize,
) -> PyResult<Two<'py>> {
    let puzzles = Puzzles::of(&puzzles, boxes)?;
    let (_, counts) = solved(py, puzzles, 2, threads)?;
    let mut minimal = vec![false; counts.len()];
    let places = &mut minimal;
    let counted = &counts;
    interruptible(py, move |cancel| {
        let items = puzzles
            .rows()
            .zip(counted)
            .zip(places.iter_mut())
            .filter(|((_, count), _)| **count == 1);
        share(crate::work::threads(threads), items, cancel, |((row, _), place)| {
            *place = generate::is_minimal(&grid(puzzles.order, row)) == Ok(true);
        });
    })?;
    Ok((PyArray1::from_vec(py, counts), PyArray1::from_vec(py, minimal)))
}

/// Is each grid of the second array a solution of the puzzle in the first?
#[pyfunction]
pub fn verify<'py>(
    py: Python<'py>,
    puzzles: PyReadonlyArray2<'py, u8>,
    grids: PyReadonlyArray2<'py, u8>,
    boxes: Boxes,
    threads: usize,
) -> PyResult<Bound<'py, PyArray1<bool>>> {
    let (puzzles, grids) = (Puzzles::of(&puzzles, boxes)?, Puzzles::of(&grids, boxes)?);
    if puzzles.count() != grids.count() {
        let words =
            format!("{} puzzles and {} grids do not go together", puzzles.count(), grids.count());
        return Err(NinefoldError::new_err(words));
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

/// Does a row keep the clues, and hold every digit in every house? Numbers are at most the side.
fn is_solution(puzzle: &[u8], grid: &[u8], houses: &[&[ninefold::Cell]]) -> bool {
    let keeps_clues =
        puzzle.iter().zip(grid).all(|(&clue, &digit)| digit > 0 && (clue == 0 || clue == digit));
    keeps_clues
        && houses.iter().all(|cells| {
            let seen = cells.iter().fold(0_u64, |seen, cell| seen | 1 << (grid[cell.index()] - 1));
            seen.count_ones() as usize == cells.len()
        })
}

/// Guesses of the batch solver for each 9×9 puzzle until a second solution is ruled out.
pub fn guesses(puzzles: Puzzles<'_>, threads: usize, cancel: &AtomicBool) -> Vec<Tally> {
    let mut tallies = vec![Tally::default(); puzzles.count()];
    let bundles = puzzles.numbers.chunks(BUNDLE * 81).zip(tallies.chunks_mut(BUNDLE));
    share(threads, bundles, cancel, |(numbers, tallies)| {
        let lines: Vec<_> = numbers.chunks_exact(81).map(line).collect();
        tallies.copy_from_slice(&Batch::BEST.count_all(&lines, 2));
    });
    tallies
}
