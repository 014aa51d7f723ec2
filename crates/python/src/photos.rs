//! Photos: image files or pixels in, a puzzle with confidences out.

use crate::NinefoldError;
use crate::work::interruptible;
use ninefold_vision::{GreyImage, Reader, Reading, open};
use numpy::{PyArray1, PyArray2, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Reads a JPEG, PNG or WebP file from its bytes.
#[pyfunction]
pub fn read_image_file<'py>(py: Python<'py>, bytes: Vec<u8>) -> PyResult<Bound<'py, PyDict>> {
    let reading = interruptible(py, |_| {
        let image = open::open(&bytes).map_err(|error| error.to_string())?;
        Reader::default().read(&image).map_err(|error| error.to_string())
    })?;
    to_dict(py, &reading.map_err(NinefoldError::new_err)?)
}

/// Reads a board from rows of grey pixels.
#[pyfunction]
pub fn read_image_pixels<'py>(
    py: Python<'py>,
    pixels: PyReadonlyArray2<'py, u8>,
) -> PyResult<Bound<'py, PyDict>> {
    let (height, width) = pixels.as_array().dim();
    let pixels: Vec<u8> = pixels.as_array().iter().copied().collect();
    let reading = interruptible(py, |_| {
        let image = GreyImage::new(width, height, pixels).map_err(|error| error.to_string())?;
        Reader::default().read(&image).map_err(|error| error.to_string())
    })?;
    to_dict(py, &reading.map_err(NinefoldError::new_err)?)
}

fn to_dict<'py>(py: Python<'py>, reading: &Reading) -> PyResult<Bound<'py, PyDict>> {
    let cells = || reading.cells.iter();
    let dict = PyDict::new(py);
    dict.set_item("puzzle", PyArray1::from_vec(py, reading.digits()))?;
    dict.set_item("outcome", reading.outcome.name())?;
    dict.set_item("confidence", reading.confidence)?;
    dict.set_item("confidences", PyArray1::from_iter(py, cells().map(|cell| cell.confidence)))?;
    dict.set_item("seen", PyArray1::from_iter(py, cells().map(|cell| cell.seen_digit)))?;
    let probabilities: Vec<Vec<f32>> = cells().map(|cell| cell.probabilities.clone()).collect();
    dict.set_item("probabilities", PyArray2::from_vec2(py, &probabilities)?)?;
    let solution = reading.solution.clone().map(|solution| PyArray1::from_vec(py, solution));
    dict.set_item("solution", solution)?;
    let corners: Vec<Vec<f32>> =
        reading.corners().iter().map(|corner| vec![corner.x, corner.y]).collect();
    dict.set_item("corners", PyArray2::from_vec2(py, &corners)?)?;
    Ok(dict)
}
