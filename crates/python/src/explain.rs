//! Explanations and hints as JSON, text and pictures.

use crate::NinefoldError;
use crate::arrays::{self, Boxes, Puzzles, grid};
use crate::generate::techniques as parse_techniques;
use crate::work::{interruptible, map, threads};
use ninefold::explain::picture as pictures;
use ninefold::grid::{Candidates, Digit, DigitSet, Order, Position};
use ninefold::logic;
use ninefold::{Detail, ExplainOptions, Explanation, Grid, Hint, Language, Limits, Notation, Step};
use numpy::{PyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::json;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The options of explanations and hints, a dictionary from the Python package.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct ExplainArgs {
    techniques: Option<Vec<String>>,
    uniqueness: bool,
    steps: Option<usize>,
    seconds: Option<f64>,
    language: String,
}

impl ExplainArgs {
    fn options(&self) -> PyResult<ExplainOptions> {
        let techniques = match &self.techniques {
            None => logic::default_order(),
            Some(names) => parse_techniques(names)?,
        };
        let max_steps = self.steps.unwrap_or(usize::MAX);
        Ok(ExplainOptions::default()
            .with_techniques(techniques)
            .with_uniqueness(self.uniqueness)
            .with_max_steps(max_steps))
    }

    fn limits<'a>(&self, cancel: &'a AtomicBool) -> Limits<'a> {
        let time = self.seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        Limits::none().with_time(time).with_cancel(cancel)
    }

    fn language(&self) -> PyResult<Language> {
        self.language.parse().map_err(|error: ninefold::explain::UnknownLanguageError| {
            NinefoldError::new_err(format!("{error}, expected en, de or es"))
        })
    }
}

/// An explanation in a fixed language.
#[pyclass(frozen, name = "Explanation", module = "ninefold._native")]
pub struct PyExplanation {
    explanation: Explanation,
    language: Language,
}

#[pymethods]
impl PyExplanation {
    /// The complete explanation as JSON.
    fn json(&self) -> String {
        serde_json::to_string(&self.explanation.view(self.language))
            .expect("explanations serialize to JSON")
    }

    /// The explanation without its steps as JSON.
    fn summary(&self) -> String {
        serde_json::to_string(&self.explanation.view_without_steps(self.language))
            .expect("explanations serialize to JSON")
    }

    fn __len__(&self) -> usize {
        self.explanation.steps.len()
    }

    /// The picture of a step, counted from 0, in the position before it; of the start position if
    /// `None`.
    fn svg(&self, step: Option<usize>) -> PyResult<String> {
        let Some(index) = step else {
            let start = &self.explanation.start;
            return Ok(pictures::svg(start.puzzle(), start.candidates(), None));
        };
        let (before, step) = self.explanation.positions().nth(index).ok_or_else(|| {
            let count = self.explanation.steps.len();
            NinefoldError::new_err(format!(
                "expected a step from 1 to {count}, found {}",
                index + 1
            ))
        })?;
        let images = pictures::svgs(self.explanation.puzzle(), &before, step, self.language);
        Ok(images.concat())
    }

    /// The grid before each step.
    fn grids(&self) -> Vec<String> {
        self.explanation.positions().map(|(before, _)| before.grid().to_string()).collect()
    }

    /// All steps as an HTML page.
    fn page(&self) -> String {
        pictures::page(&self.explanation, self.language)
    }
}

/// Explains each puzzle of an array.
#[pyfunction]
pub fn explain(
    py: Python<'_>,
    puzzles: PyReadonlyArray2<'_, u8>,
    boxes: Boxes,
    args: ExplainArgs,
    threads: usize,
) -> PyResult<Vec<PyExplanation>> {
    let (options, language) = (args.options()?, args.language()?);
    let starts = starts(Puzzles::from_array(&puzzles, boxes)?)?;
    let threads = self::threads(threads);
    interruptible(py, |cancel| {
        map(threads, &starts, cancel, |_, position| {
            let limits = args.limits(cancel);
            let explanation = explain_one(position, &options, &limits);
            PyExplanation { explanation, language }
        })
    })
}

fn explain_one(position: &Position, options: &ExplainOptions, limits: &Limits<'_>) -> Explanation {
    let solutions = ninefold::solutions_within(position.puzzle(), limits);
    Explanation::new(position, solutions, options, limits)
}

fn starts(puzzles: Puzzles<'_>) -> PyResult<Vec<Position>> {
    let count = puzzles.count();
    let start = |(number, row): (usize, &[u8])| {
        Position::from_puzzle(&grid(puzzles.order, row)).map_err(|conflict| {
            let prefix = if count > 1 { format!("puzzle {number}: ") } else { String::new() };
            NinefoldError::new_err(format!("{prefix}{conflict}"))
        })
    };
    puzzles.rows().enumerate().map(start).collect()
}

/// The next step from a position as JSON, and its picture. `grid` contains clues and entries,
/// `marks` one list of digits per cell.
#[pyfunction]
pub fn hint(
    py: Python<'_>,
    puzzle: Vec<u8>,
    grid: Option<Vec<u8>>,
    marks: Option<Vec<Vec<u8>>>,
    boxes: Boxes,
    args: ExplainArgs,
) -> PyResult<(String, Option<String>)> {
    let (options, language) = (args.options()?, args.language()?);
    let order = arrays::order(boxes)?;
    let puzzle = parse_grid(order, &puzzle)?;
    let grid = grid.map_or_else(|| Ok(puzzle.clone()), |grid| parse_grid(order, &grid))?;
    let position = Position::new(puzzle, parse_marks(&grid, &marks.unwrap_or_default())?)
        .map_err(|error| NinefoldError::new_err(error.to_string()))?;
    if let Some((cell, _)) = position.altered_clue() {
        let cell = order.name_of(cell);
        return Err(NinefoldError::new_err(format!("{cell}: the grid contradicts the clue")));
    }
    let hint = interruptible(py, |cancel| {
        let limits = args.limits(cancel);
        let solutions = ninefold::solutions_within(position.puzzle(), &limits);
        Hint::new(&position, solutions, &options, &limits)
    })?;
    let candidates = hint.position().candidates();
    let stages =
        [Detail::Hint, Detail::Technique, Detail::Full].map(|detail| hint.text(detail, language));
    let answer = json!({
        "answer": if hint.step().is_some() { "step" } else { hint.outcome().name() },
        "stages": stages,
        "step": hint.step().map(|step| step.view(1, candidates, language)),
    });
    let svg = hint
        .step()
        .map(|step| pictures::svgs(position.puzzle(), candidates, step, language).concat());
    Ok((answer.to_string(), svg))
}

fn parse_grid(order: Order, numbers: &[u8]) -> PyResult<Grid> {
    Puzzles::from_numbers(order, numbers, numbers.len())?;
    Ok(grid(order, numbers))
}

fn parse_marks(grid: &Grid, marks: &[Vec<u8>]) -> PyResult<Candidates> {
    let order = grid.order();
    let mut candidates = Candidates::empty(grid);
    if !marks.is_empty() && marks.len() != order.cell_count() {
        return Err(NinefoldError::new_err(format!(
            "expected marks for {} cells, found {}",
            order.cell_count(),
            marks.len()
        )));
    }
    for (cell, digits) in order.cells().zip(marks) {
        let digit = |&number: &u8| {
            let digit = Digit::new(number).filter(|digit| digit.index() < order.side());
            digit.ok_or_else(|| {
                NinefoldError::new_err(format!(
                    "expected a digit of a {order} grid, found {number}"
                ))
            })
        };
        let set: DigitSet = digits.iter().map(digit).collect::<PyResult<_>>()?;
        if grid[cell].is_none() {
            candidates.set(cell, set);
        }
    }
    Ok(candidates)
}

/// The steps as a table with one row per candidate that a step proves true or false.
#[pyfunction]
pub fn step_labels<'py>(
    py: Python<'py>,
    puzzles: PyReadonlyArray2<'py, u8>,
    boxes: Boxes,
    args: ExplainArgs,
    threads: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let options = args.options()?;
    let starts = starts(Puzzles::from_array(&puzzles, boxes)?)?;
    let threads = self::threads(threads);
    let labels: Vec<Vec<Label>> = interruptible(py, |cancel| {
        map(threads, &starts, cancel, |puzzle, position| {
            let explanation = explain_one(position, &options, &args.limits(cancel));
            (0..)
                .zip(&explanation.steps)
                .flat_map(|(number, step)| Label::all(puzzle as u32, number, step))
                .collect()
        })
    })?;
    let order = logic::default_order();
    let mut names: Vec<String> = order.iter().map(|technique| technique.slug()).collect();
    let mut code = |name: String| match names.iter().position(|other| *other == name) {
        Some(place) => place as u16,
        None => {
            names.push(name);
            (names.len() - 1) as u16
        }
    };
    let all: Vec<Label> = labels.into_iter().flatten().collect();
    let codes: Vec<u16> = all.iter().map(|label| code(label.technique.slug())).collect();
    let table = PyDict::new(py);
    table.set_item("puzzle", PyArray1::from_iter(py, all.iter().map(|label| label.puzzle)))?;
    table.set_item("step", PyArray1::from_iter(py, all.iter().map(|label| label.step)))?;
    table.set_item("technique", PyArray1::from_vec(py, codes))?;
    table.set_item("cell", PyArray1::from_iter(py, all.iter().map(|label| label.cell)))?;
    table.set_item("digit", PyArray1::from_iter(py, all.iter().map(|label| label.digit)))?;
    table.set_item("placed", PyArray1::from_iter(py, all.iter().map(|label| label.placed)))?;
    table.set_item("techniques", names)?;
    Ok(table)
}

/// A candidate that a step proves true or false.
struct Label {
    puzzle: u32,
    step: u32,
    technique: ninefold::Technique,
    cell: u16,
    digit: u8,
    placed: bool,
}

impl Label {
    fn all(puzzle: u32, number: u32, step: &Step) -> Vec<Label> {
        let technique = step.technique;
        let labels_for = |candidates: &[ninefold::proof::Candidate], placed: bool| -> Vec<Label> {
            let label = |candidate: &ninefold::proof::Candidate| {
                let (cell, digit) = (candidate.cell.index() as u16, candidate.digit.number());
                Label { puzzle, step: number, technique, cell, digit, placed }
            };
            candidates.iter().map(label).collect()
        };
        let mut labels = labels_for(&step.places, true);
        labels.extend(labels_for(&step.removes, false));
        labels
    }
}

/// The name, the slug and the default state of every technique.
#[pyfunction]
pub fn techniques() -> Vec<(String, String, bool)> {
    let all = ninefold::proof::all_techniques().into_iter();
    all.map(|technique| (technique.to_string(), technique.slug(), technique.is_default())).collect()
}

/// A puzzle as SVG.
#[pyfunction]
pub fn picture(puzzle: Vec<u8>, boxes: Boxes) -> PyResult<String> {
    let puzzle = parse_grid(arrays::order(boxes)?, &puzzle)?;
    Ok(pictures::puzzle(&puzzle, Notation::default()))
}
