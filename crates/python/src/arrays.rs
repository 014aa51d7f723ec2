//! Arrays: rows of bytes become grids and back, and what does not fit is said with its place.

use crate::NinefoldError;
use ninefold::grid::{Grid, Order, text};
use ninefold::search::nine::Line;
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2};
use pyo3::prelude::*;

/// The shape of the boxes, rows and columns.
pub type Boxes = (usize, usize);

/// The size with boxes of this shape.
pub fn order((rows, columns): Boxes) -> PyResult<Order> {
    Order::boxes(rows, columns).map_err(|error| NinefoldError::new_err(error.to_string()))
}

/// Puzzles of one size, one after the other.
#[derive(Clone, Copy)]
pub struct Puzzles<'a> {
    /// Their size.
    pub order: Order,
    /// Numbers, 0 for an empty cell; none is larger than the side.
    pub numbers: &'a [u8],
}

impl<'a> Puzzles<'a> {
    /// Takes an array with one puzzle a row.
    pub fn of(array: &'a PyReadonlyArray2<'_, u8>, boxes: Boxes) -> PyResult<Puzzles<'a>> {
        let numbers = array
            .as_slice()
            .map_err(|_| NinefoldError::new_err("the array is not C-contiguous"))?;
        let columns = array.as_array().ncols();
        Puzzles::checked(order(boxes)?, numbers, columns)
    }

    /// The same for numbers that stand in rows of this length.
    pub fn checked(order: Order, numbers: &[u8], columns: usize) -> PyResult<Puzzles<'_>> {
        if columns != order.cell_count() {
            let words = format!(
                "rows of {columns} numbers are not {order} grids, which have {}",
                order.cell_count()
            );
            return Err(NinefoldError::new_err(words));
        }
        let side = order.side();
        if let Some(at) = numbers.iter().position(|&number| usize::from(number) > side) {
            let (puzzle, cell) = (at / columns, at % columns);
            return Err(NinefoldError::new_err(format!(
                "puzzle {puzzle}, row {}, column {}: {} is neither a digit of a {order} grid nor 0 for an empty cell",
                cell / side + 1,
                cell % side + 1,
                numbers[at],
            )));
        }
        Ok(Puzzles { order, numbers })
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.numbers.len() / self.order.cell_count()
    }

    /// One after the other.
    pub fn rows(&self) -> std::slice::ChunksExact<'a, u8> {
        self.numbers.chunks_exact(self.order.cell_count())
    }

    /// All as grids.
    pub fn grids(&self) -> Vec<Grid> {
        self.rows().map(|row| grid(self.order, row)).collect()
    }
}

/// The grid with these numbers, which have been checked.
pub fn grid(order: Order, numbers: &[u8]) -> Grid {
    Grid::from_numbers(order, numbers).expect("the numbers have been checked")
}

/// The line of a 9×9 puzzle.
pub fn line(numbers: &[u8]) -> Line {
    std::array::from_fn(|cell| if numbers[cell] > 0 { b'0' + numbers[cell] } else { b'.' })
}

/// An array with rows of this length.
pub fn rows<'py>(
    py: Python<'py>,
    numbers: Vec<u8>,
    columns: usize,
) -> PyResult<Bound<'py, PyArray2<u8>>> {
    let count = numbers.len().checked_div(columns).unwrap_or(0);
    PyArray1::from_vec(py, numbers).reshape([count, columns])
}

/// Reads puzzles from lines of text: the numbers, and the shape of the boxes that the first one has.
#[pyfunction]
#[pyo3(signature = (lines, boxes=None))]
pub fn read<'py>(
    py: Python<'py>,
    lines: Vec<String>,
    boxes: Option<Boxes>,
) -> PyResult<(Bound<'py, PyArray2<u8>>, Boxes)> {
    let mut size = boxes.map(order).transpose()?;
    let mut numbers = Vec::new();
    for (number, written) in lines.iter().enumerate() {
        let read = text::read_position(written, size).map_err(|error| {
            let which = if lines.len() > 1 { format!("puzzle {number}: ") } else { String::new() };
            NinefoldError::new_err(format!("{which}{error}"))
        })?;
        size = Some(read.order());
        numbers.extend(read.numbers());
    }
    let size = size.unwrap_or(Order::NINE);
    Ok((rows(py, numbers, size.cell_count())?, (size.box_rows(), size.box_columns())))
}

/// Writes puzzles as lines of text.
#[pyfunction]
pub fn write(puzzles: PyReadonlyArray2<'_, u8>, boxes: Boxes) -> PyResult<Vec<String>> {
    Ok(Puzzles::of(&puzzles, boxes)?.grids().iter().map(text::line).collect())
}

/// The usual shape of the boxes of a grid with so many cells.
#[pyfunction]
pub fn usual_boxes(cells: usize) -> Option<Boxes> {
    Order::of_cell_count(cells).map(|order| (order.box_rows(), order.box_columns()))
}
