//! Explanations and hints: the library's own steps, in words, in JSON and as pictures.

use crate::NinefoldError;
use crate::arrays::{self, Boxes, Puzzles, grid};
use crate::generate::techniques as named;
use crate::work::{interruptible, map, threads};
use ninefold::explain::picture as drawn;
use ninefold::grid::{Candidates, Digit, DigitSet, Order, Position};
use ninefold::logic;
use ninefold::{Detail, Explanation, Grid, Hint, Language, Limits, Notation, Options, Step};
use numpy::{PyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::json;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How to look and how to speak, as the package writes it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct How {
    techniques: Option<Vec<String>>,
    uniqueness: bool,
    steps: Option<usize>,
    seconds: Option<f64>,
    language: String,
}

impl How {
    fn options(&self) -> PyResult<Options> {
        let techniques = match &self.techniques {
            None => logic::default_order(),
            Some(names) => named(names)?,
        };
        let most_steps = self.steps.unwrap_or(usize::MAX);
        Ok(Options { techniques, uniqueness: self.uniqueness, most_steps, ..Options::default() })
    }

    fn limits<'a>(&self, cancel: &'a AtomicBool) -> Limits<'a> {
        let time = self.seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        Limits { time, nodes: None, cancel: Some(cancel) }
    }

    fn language(&self) -> PyResult<Language> {
        self.language.parse().map_err(|error: ninefold::explain::UnknownLanguage| {
            NinefoldError::new_err(format!("{error}; use en, de or es"))
        })
    }
}

/// An explanation that pictures can be made of.
#[pyclass(frozen, module = "ninefold._native")]
pub struct Explained {
    explanation: Explanation,
    language: Language,
}

#[pymethods]
impl Explained {
    /// The whole explanation as JSON.
    fn json(&self) -> String {
        serde_json::to_string(&self.explanation.view(self.language))
            .expect("an explanation can be written as JSON")
    }

    /// The picture of a step, counted from 0, in the position before it; without one, of the position it starts from.
    fn svg(&self, step: Option<usize>) -> PyResult<String> {
        let Some(index) = step else {
            let start = &self.explanation.start;
            return Ok(drawn::svg(start.puzzle(), start.candidates(), None));
        };
        let found = self.explanation.positions().nth(index);
        let (before, step) = found
            .ok_or_else(|| NinefoldError::new_err(format!("there is no step {}", index + 1)))?;
        let pictures = drawn::svgs(self.explanation.puzzle(), &before, step, self.language);
        Ok(pictures.concat())
    }

    /// The grid before each step.
    fn grids(&self) -> Vec<String> {
        self.explanation.positions().map(|(before, _)| before.grid().to_string()).collect()
    }

    /// All steps as a page of HTML.
    fn page(&self) -> String {
        drawn::page(&self.explanation, self.language)
    }
}

/// Explains every puzzle of an array.
#[pyfunction]
pub fn explain(
    py: Python<'_>,
    puzzles: PyReadonlyArray2<'_, u8>,
    boxes: Boxes,
    how: How,
    threads: usize,
) -> PyResult<Vec<Explained>> {
    let (options, language) = (how.options()?, how.language()?);
    let starts = starts(Puzzles::of(&puzzles, boxes)?)?;
    let threads = self::threads(threads);
    interruptible(py, |cancel| {
        map(threads, &starts, cancel, |_, position| {
            let limits = how.limits(cancel);
            let explanation = explained(position, &options, &limits);
            Explained { explanation, language }
        })
    })
}

fn explained(position: &Position, options: &Options, limits: &Limits<'_>) -> Explanation {
    let solutions = ninefold::solutions_within(position.puzzle(), limits);
    Explanation::of(position, solutions, options, limits)
}

fn starts(puzzles: Puzzles<'_>) -> PyResult<Vec<Position>> {
    let count = puzzles.count();
    let start = |(number, row): (usize, &[u8])| {
        Position::start(&grid(puzzles.order, row)).map_err(|conflict| {
            let which = if count > 1 { format!("puzzle {number}: ") } else { String::new() };
            NinefoldError::new_err(format!("{which}{conflict}"))
        })
    };
    puzzles.rows().enumerate().map(start).collect()
}

/// The next step from a position as JSON, and its picture. `grid` holds clues and entries; `marks` one list of digits for
/// each cell.
#[pyfunction]
pub fn hint(
    py: Python<'_>,
    puzzle: Vec<u8>,
    grid: Option<Vec<u8>>,
    marks: Option<Vec<Vec<u8>>>,
    boxes: Boxes,
    how: How,
) -> PyResult<(String, Option<String>)> {
    let (options, language) = (how.options()?, how.language()?);
    let order = arrays::order(boxes)?;
    let puzzle = checked(order, &puzzle)?;
    let grid = grid.map_or_else(|| Ok(puzzle.clone()), |grid| checked(order, &grid))?;
    let position = Position::new(puzzle, marked(&grid, &marks.unwrap_or_default())?)
        .map_err(|error| NinefoldError::new_err(error.to_string()))?;
    if let Some((cell, _)) = position.altered_clue() {
        let words =
            format!("the grid has another digit in {} than the puzzle", order.name_of(cell));
        return Err(NinefoldError::new_err(words));
    }
    let hint = interruptible(py, |cancel| {
        let limits = how.limits(cancel);
        let solutions = ninefold::solutions_within(position.puzzle(), &limits);
        Hint::of(&position, solutions, &options, &limits)
    })?;
    let candidates = hint.position().candidates();
    let stages =
        [Detail::Hint, Detail::Technique, Detail::Full].map(|detail| hint.text(detail, language));
    let answer = json!({
        "answer": if hint.step().is_some() { "step" } else { hint.end().name() },
        "stages": stages,
        "step": hint.step().map(|step| step.view(1, candidates, language)),
    });
    let svg =
        hint.step().map(|step| drawn::svgs(position.puzzle(), candidates, step, language).concat());
    Ok((answer.to_string(), svg))
}

fn checked(order: Order, numbers: &[u8]) -> PyResult<Grid> {
    Puzzles::checked(order, numbers, numbers.len())?;
    Ok(grid(order, numbers))
}

fn marked(grid: &Grid, marks: &[Vec<u8>]) -> PyResult<Candidates> {
    let order = grid.order();
    let mut candidates = Candidates::unmarked(grid);
    if !marks.is_empty() && marks.len() != order.cell_count() {
        let words = format!(
            "marks for {} cells do not fit a {order} grid, which has {}",
            marks.len(),
            order.cell_count()
        );
        return Err(NinefoldError::new_err(words));
    }
    for (cell, digits) in order.cells().zip(marks) {
        let digit = |&number: &u8| {
            let digit = Digit::new(number).filter(|digit| digit.index() < order.side());
            digit.ok_or_else(|| {
                NinefoldError::new_err(format!("{number} is not a digit of a {order} grid"))
            })
        };
        let set: DigitSet = digits.iter().map(digit).collect::<PyResult<_>>()?;
        if grid[cell].is_none() {
            candidates.set(cell, set);
        }
    }
    Ok(candidates)
}

/// One row for each candidate that a step of an explanation proves true or false.
#[pyfunction]
pub fn step_labels<'py>(
    py: Python<'py>,
    puzzles: PyReadonlyArray2<'py, u8>,
    boxes: Boxes,
    how: How,
    threads: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let options = how.options()?;
    let starts = starts(Puzzles::of(&puzzles, boxes)?)?;
    let threads = self::threads(threads);
    let labels: Vec<Vec<Label>> = interruptible(py, |cancel| {
        map(threads, &starts, cancel, |puzzle, position| {
            let explanation = explained(position, &options, &how.limits(cancel));
            (0..)
                .zip(&explanation.steps)
                .flat_map(|(step, found)| Label::all(puzzle as u32, step, found))
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

/// A candidate that a step decides.
struct Label {
    puzzle: u32,
    step: u32,
    technique: ninefold::Technique,
    cell: u16,
    digit: u8,
    placed: bool,
}

impl Label {
    fn all(puzzle: u32, step: u32, found: &Step) -> Vec<Label> {
        let technique = found.technique;
        let of = |candidates: &[ninefold::proof::Candidate], placed: bool| -> Vec<Label> {
            let label = |one: &ninefold::proof::Candidate| {
                let (cell, digit) = (one.cell.index() as u16, one.digit.number());
                Label { puzzle, step, technique, cell, digit, placed }
            };
            candidates.iter().map(label).collect()
        };
        let mut labels = of(&found.places, true);
        labels.extend(of(&found.removes, false));
        labels
    }
}

/// Name, slug and whether it is tried unless others are asked for, of every technique.
#[pyfunction]
pub fn techniques() -> Vec<(String, String, bool)> {
    let all = ninefold::proof::all_techniques().into_iter();
    all.map(|technique| (technique.to_string(), technique.slug(), technique.is_default())).collect()
}

/// A puzzle as a picture.
#[pyfunction]
pub fn picture(puzzle: Vec<u8>, boxes: Boxes) -> PyResult<String> {
    let puzzle = checked(arrays::order(boxes)?, &puzzle)?;
    Ok(drawn::puzzle(&puzzle, Notation::default()))
}
