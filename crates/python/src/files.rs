//! Reads files of puzzles in every format.

use crate::NinefoldError;
use crate::arrays::{self, Boxes, rows};
use crate::puzzle::PyPuzzle;
use crate::work::{interruptible, map, threads};
use ninefold::grid::Order;
use ninefold_formats::{DecompressedReader, Entry, ReadError, Record, Records};
use numpy::PyArray2;
use pyo3::prelude::*;
use std::fs::File;
use std::io::BufReader;
use std::sync::atomic::{AtomicBool, Ordering};

/// The number of records that are parsed together.
const BUNDLE: usize = 1 << 14;

/// Puzzles and solutions (zeros where there is none), the shape of the boxes, ratings and sources.
type Table<'py> = (
    Bound<'py, PyArray2<u8>>,
    Option<Bound<'py, PyArray2<u8>>>,
    Boxes,
    Vec<Option<String>>,
    Vec<Option<String>>,
);

/// Reads classic puzzles of one size.
#[pyfunction]
pub fn read_file<'py>(
    py: Python<'py>,
    path: &str,
    boxes: Option<Boxes>,
    limit: Option<usize>,
) -> PyResult<Table<'py>> {
    let entries = entries(py, path, boxes, limit)?;
    let order = entries.first().map_or(Order::NINE, |entry| entry.puzzle.order());
    let cells = order.cell_count();
    let (mut puzzles, mut solutions) = (Vec::new(), Vec::new());
    let (mut ratings, mut sources) = (Vec::new(), Vec::new());
    let has_solutions = entries.iter().any(|entry| entry.solution.is_some());
    for (number, entry) in entries.into_iter().enumerate() {
        let rules = entry.puzzle.rules().map(|rules| rules.names().join(", "));
        let other = match entry.puzzle.order() {
            other if other != order => {
                Some(format!("the size {other}, and the others have {order}"))
            }
            _ => rules.map(|rules| format!("rules of its own: {rules}")),
        };
        if let Some(other) = other {
            return Err(NinefoldError::new_err(format!(
                "{path}: puzzle {number} has {other}; read_puzzles reads such files"
            )));
        }
        puzzles.extend(entry.puzzle.numbers());
        match entry.solution {
            Some(solution) => solutions.extend(solution.numbers()),
            None if has_solutions => solutions.resize(solutions.len() + cells, 0),
            None => {}
        }
        ratings.push(entry.rating);
        sources.push(entry.source);
    }
    let solutions = has_solutions.then(|| rows(py, solutions, cells)).transpose()?;
    let boxes = (order.box_rows(), order.box_columns());
    Ok((rows(py, puzzles, cells)?, solutions, boxes, ratings, sources))
}

/// Reads puzzles of all sizes and with all rules.
#[pyfunction]
pub fn read_puzzles(
    py: Python<'_>,
    path: &str,
    boxes: Option<Boxes>,
    limit: Option<usize>,
) -> PyResult<Vec<PyPuzzle>> {
    Ok(entries(py, path, boxes, limit)?.into_iter().map(PyPuzzle::new).collect())
}

fn entries(
    py: Python<'_>,
    path: &str,
    boxes: Option<Boxes>,
    limit: Option<usize>,
) -> PyResult<Vec<Entry>> {
    let order = boxes.map(arrays::order).transpose()?;
    let read = interruptible(py, |cancel| {
        let file = BufReader::new(File::open(path).map_err(|error| error.to_string())?);
        let (_, records) =
            ninefold_formats::read_any(file, order).map_err(|error| error.to_string())?;
        parse(records, limit.unwrap_or(usize::MAX), cancel).map_err(|error| error.to_string())
    })?;
    read.map_err(|error| NinefoldError::new_err(format!("{path}: {error}")))
}

fn parse(
    mut records: Records<DecompressedReader<'_>>,
    limit: usize,
    cancel: &AtomicBool,
) -> Result<Vec<Entry>, ReadError> {
    let threads = threads(0);
    let mut entries = Vec::new();
    while entries.len() < limit && !cancel.load(Ordering::Relaxed) {
        let count = BUNDLE.min(limit - entries.len());
        let bundle: Vec<Record> = records.by_ref().take(count).collect::<Result<_, _>>()?;
        if bundle.is_empty() {
            break;
        }
        let parsed = map(threads, &bundle, cancel, |_, record| record.entry());
        for entry in parsed {
            entries.push(entry?);
        }
    }
    Ok(entries)
}
