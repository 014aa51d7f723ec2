//! Converts between rows of bytes and grids, and checks arrays.

use crate::NinefoldError;
use ninefold::grid::{Grid, Order, text};
use ninefold::search::nine::Line;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

/// The rows and columns of a box.
pub type Boxes = (usize, usize);

pub fn order((rows, columns): Boxes) -> PyResult<Order> {
    Order::new(rows, columns).map_err(|error| NinefoldError::new_err(error.to_string()))
}

/// An array of puzzles of one size.
#[derive(Clone, Copy)]
pub struct Puzzles<'a> {
    pub order: Order,
    /// The cells of all puzzles, 0 for an empty cell; at most the side of the grid.
    pub numbers: &'a [u8],
}

impl<'a> Puzzles<'a> {
    /// Checks an array with one puzzle per row.
    pub fn from_array(array: &'a PyReadonlyArray2<'_, u8>, boxes: Boxes) -> PyResult<Puzzles<'a>> {
        let numbers = array
            .as_slice()
            .map_err(|_| NinefoldError::new_err("expected a C-contiguous array"))?;
        let columns = array.as_array().ncols();
        Puzzles::from_numbers(order(boxes)?, numbers, columns)
    }

    /// Checks numbers in rows of length `columns`.
    pub fn from_numbers(order: Order, numbers: &[u8], columns: usize) -> PyResult<Puzzles<'_>> {
        if columns != order.cell_count() {
            return Err(NinefoldError::new_err(format!(
                "expected rows of {} numbers for {order} grids, found {columns}",
                order.cell_count()
            )));
        }
        let side = order.side();
        if let Some(at) = numbers.iter().position(|&number| usize::from(number) > side) {
            let (puzzle, cell) = (at / columns, at % columns);
            return Err(NinefoldError::new_err(format!(
                "puzzle {puzzle}, row {}, column {}: expected a number from 0 to {side}, found {}",
                cell / side + 1,
                cell % side + 1,
                numbers[at],
            )));
        }
        Ok(Puzzles { order, numbers })
    }

    pub fn count(&self) -> usize {
        self.numbers.len() / self.order.cell_count()
    }

    pub fn rows(&self) -> std::slice::ChunksExact<'a, u8> {
        self.numbers.chunks_exact(self.order.cell_count())
    }

    pub fn grids(&self) -> Vec<Grid> {
        self.rows().map(|row| grid(self.order, row)).collect()
    }
}

pub fn grid(order: Order, numbers: &[u8]) -> Grid {
    Grid::from_numbers(order, numbers).expect("Puzzles::from_numbers has checked the numbers")
}

pub fn line(numbers: &[u8]) -> Line {
    std::array::from_fn(|cell| if numbers[cell] > 0 { b'0' + numbers[cell] } else { b'.' })
}

/// An array with `columns` numbers per row.
pub fn rows<'py>(
    py: Python<'py>,
    numbers: Vec<u8>,
    columns: usize,
) -> PyResult<Bound<'py, PyArray2<u8>>> {
    let count = numbers.len().checked_div(columns).unwrap_or(0);
    PyArray1::from_vec(py, numbers).reshape([count, columns])
}

/// Parses lines of text. The first one determines the shape of the boxes if it is not given.
#[pyfunction]
#[pyo3(signature = (lines, boxes=None))]
pub fn read<'py>(
    py: Python<'py>,
    lines: &Bound<'py, PyList>,
    boxes: Option<Boxes>,
) -> PyResult<(Bound<'py, PyArray2<u8>>, Boxes)> {
    let mut size = boxes.map(order).transpose()?;
    let mut numbers = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let failed = |error: String| {
            let prefix = if lines.len() > 1 { format!("puzzle {number}: ") } else { String::new() };
            NinefoldError::new_err(format!("{prefix}{error}"))
        };
        let Ok(line) = line.cast::<PyString>() else {
            let found = line.repr().map_or(String::new(), |text| format!(", found {text}"));
            return Err(failed(format!("expected a string{found}")));
        };
        let line = line.to_str()?;
        if size.is_some_and(|size| push_plain(&mut numbers, line, size)) {
            continue;
        }
        let grid = text::parse_position(line, size).map_err(|error| failed(error.to_string()))?;
        size = Some(grid.order());
        numbers.extend(grid.numbers());
    }
    let size = size.unwrap_or(Order::NINE);
    Ok((rows(py, numbers, size.cell_count())?, (size.box_rows(), size.box_columns())))
}

/// Fast path for grids up to 9×9 with one byte per cell. If anything is unusual, the result is
/// false, and nothing is added.
fn push_plain(numbers: &mut Vec<u8>, line: &str, order: Order) -> bool {
    if line.len() != order.cell_count() || order.side() > 9 {
        return false;
    }
    let largest = b'0' + order.side() as u8;
    let before = numbers.len();
    numbers.extend(line.bytes().map(|byte| match byte {
        b'.' => 0,
        b'0'..=b'9' if byte <= largest => byte - b'0',
        _ => u8::MAX,
    }));
    let is_plain = !numbers[before..].contains(&u8::MAX);
    if !is_plain {
        numbers.truncate(before);
    }
    is_plain
}

/// Formats puzzles as lines of text.
#[pyfunction]
pub fn write(puzzles: PyReadonlyArray2<'_, u8>, boxes: Boxes) -> PyResult<Vec<String>> {
    let puzzles = Puzzles::from_array(&puzzles, boxes)?;
    if puzzles.order.side() > 9 {
        return Ok(puzzles.grids().iter().map(text::line).collect());
    }
    let symbol = |&number: &u8| if number == 0 { '.' } else { char::from(b'0' + number) };
    Ok(puzzles.rows().map(|row| row.iter().map(symbol).collect()).collect())
}

/// The default shape of the boxes of a grid with `cells` cells.
#[pyfunction]
pub fn usual_boxes(cells: usize) -> Option<Boxes> {
    Order::from_cell_count(cells).map(|order| (order.box_rows(), order.box_columns()))
}
