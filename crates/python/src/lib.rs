//! The native module of the Python package, `ninefold._native`.
//!
//! Its functions take C-contiguous arrays of bytes, one puzzle per row, and the shape of the boxes.
//! The Python code in `python/ninefold` converts all other inputs to that form. Work runs on all
//! cores without the interpreter lock, and Ctrl+C interrupts it.
#![forbid(unsafe_code)]

mod arrays;
mod classes;
mod explain;
mod files;
mod generate;
mod networks;
mod photos;
mod puzzle;
mod rate;
mod solve;
mod work;

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

create_exception!(
    ninefold,
    NinefoldError,
    PyValueError,
    "An invalid argument or a failed operation."
);
create_exception!(
    ninefold,
    NotFound,
    NinefoldError,
    "No puzzle with the requested properties was found."
);

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("NinefoldError", module.py().get_type::<NinefoldError>())?;
    module.add("NotFound", module.py().get_type::<NotFound>())?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("PUZZLE_COLUMNS", ninefold_formats::PUZZLE_COLUMNS.to_vec())?;
    module.add_class::<explain::PyExplanation>()?;
    module.add_class::<puzzle::PyPuzzle>()?;
    for function in [
        wrap_pyfunction!(arrays::read, module)?,
        wrap_pyfunction!(arrays::write, module)?,
        wrap_pyfunction!(arrays::usual_boxes, module)?,
        wrap_pyfunction!(files::read_file, module)?,
        wrap_pyfunction!(files::read_puzzles, module)?,
        wrap_pyfunction!(solve::solve, module)?,
        wrap_pyfunction!(solve::solve_inplace, module)?,
        wrap_pyfunction!(solve::solve_line, module)?,
        wrap_pyfunction!(solve::count, module)?,
        wrap_pyfunction!(solve::check, module)?,
        wrap_pyfunction!(solve::verify, module)?,
        wrap_pyfunction!(generate::generate, module)?,
        wrap_pyfunction!(generate::kocherzhenko, module)?,
        wrap_pyfunction!(generate::unbiased, module)?,
        wrap_pyfunction!(generate::require_memory, module)?,
        wrap_pyfunction!(puzzle::read_puzzle, module)?,
        wrap_pyfunction!(puzzle::generate_variants, module)?,
        wrap_pyfunction!(classes::augment, module)?,
        wrap_pyfunction!(classes::canonical, module)?,
        wrap_pyfunction!(classes::split, module)?,
        wrap_pyfunction!(networks::kaleidoscope, module)?,
        wrap_pyfunction!(networks::kaleidoscope_with_rules, module)?,
        wrap_pyfunction!(networks::kaleidoscope_weights, module)?,
        wrap_pyfunction!(networks::kaleidoscope_noise, module)?,
        wrap_pyfunction!(networks::kaleidoscope_graph, module)?,
        wrap_pyfunction!(photos::read_image_file, module)?,
        wrap_pyfunction!(photos::read_image_pixels, module)?,
        wrap_pyfunction!(rate::rate, module)?,
        wrap_pyfunction!(rate::scales, module)?,
        wrap_pyfunction!(explain::explain, module)?,
        wrap_pyfunction!(explain::hint, module)?,
        wrap_pyfunction!(explain::step_labels, module)?,
        wrap_pyfunction!(explain::techniques, module)?,
        wrap_pyfunction!(explain::picture, module)?,
    ] {
        module.add_function(function)?;
    }
    Ok(())
}
