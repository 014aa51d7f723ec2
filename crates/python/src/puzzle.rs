//! Puzzles with rules: reading, solving, checking, writing and generating variants.

use crate::arrays::rows;
use crate::work::{interruptible, threads};
use crate::{NinefoldError, NotFound};
use ninefold::Grid;
use ninefold::generate::range;
use ninefold::generate::variants::{
    self, GeneratedVariant, VariantError, VariantKind, VariantOptions,
};
use ninefold::grid::{Digit, Order, text};
use ninefold::search::{self, Limits, redundancy};
use ninefold_formats::{Entry, Format, Writer};
use numpy::PyArray2;
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

/// A puzzle with rules of its own, or a classic one.
#[pyclass(name = "Puzzle", module = "ninefold._native", frozen)]
pub struct PyPuzzle {
    entry: Entry,
}

impl PyPuzzle {
    pub fn new(entry: Entry) -> PyPuzzle {
        PyPuzzle { entry }
    }

    pub fn grid(&self) -> &Grid {
        &self.entry.puzzle
    }
}

/// A row of digits, one per cell.
type Row<'py> = Bound<'py, PyArray2<u8>>;

/// Reads the only puzzle in a text: a link, JSON, TOML or any other format.
#[pyfunction]
pub fn read_puzzle(text: &str, ignore_unknown_rules: bool) -> PyResult<PyPuzzle> {
    let invalid = |error: String| NinefoldError::new_err(error);
    let (_, records) = ninefold_formats::read_any(text.as_bytes(), None)
        .map_err(|error| invalid(error.to_string()))?;
    let mut entries = records.entries();
    let entry = entries
        .next()
        .ok_or_else(|| invalid("expected a puzzle, found an empty text".to_string()))?
        .map_err(|error| invalid(error.to_string()))?;
    if entries.next().is_some() {
        return Err(invalid("expected one puzzle, found several".to_string()));
    }
    if !entry.unknown_rules.is_empty() && !ignore_unknown_rules {
        return Err(invalid(format!(
            "this puzzle has rules that Ninefold does not know: {}; \
             ignore_unknown_rules=True gives answers that ignore them",
            entry.unknown_rules.join("; ")
        )));
    }
    Ok(PyPuzzle { entry })
}

#[pymethods]
impl PyPuzzle {
    /// The side of the grid.
    #[getter]
    fn side(&self) -> usize {
        self.entry.puzzle.order().side()
    }

    /// The names of the rules beside the classic ones.
    #[getter]
    fn rules(&self) -> Vec<String> {
        let rules = self.entry.puzzle.rules();
        rules.map_or(Vec::new(), |rules| rules.names().into_iter().map(str::to_string).collect())
    }

    #[getter]
    fn unknown_rules(&self) -> Vec<String> {
        self.entry.unknown_rules.clone()
    }

    #[getter]
    fn title(&self) -> Option<&str> {
        self.entry.source.as_deref()
    }

    #[getter]
    fn author(&self) -> Option<&str> {
        self.entry.author.as_deref()
    }

    #[getter]
    fn ruleset(&self) -> Option<&str> {
        self.entry.ruleset.as_deref()
    }

    /// The givens as an array with one row, 0 for an empty cell.
    fn givens<'py>(&self, py: Python<'py>) -> PyResult<Row<'py>> {
        one_row(py, &self.entry.puzzle)
    }

    /// The stored solution.
    fn solution<'py>(&self, py: Python<'py>) -> PyResult<Option<Row<'py>>> {
        self.entry.solution.as_ref().map(|solution| one_row(py, solution)).transpose()
    }

    /// The first solution and the number of solutions up to a limit.
    fn solve<'py>(&self, py: Python<'py>, limit: u64) -> PyResult<(Option<Row<'py>>, u64)> {
        let puzzle = &self.entry.puzzle;
        let (first, count) = interruptible(py, |cancel| {
            let (mut first, mut count) = (None, 0);
            let mut visit = |found: Grid| {
                first.get_or_insert(found);
                count += 1;
                if count >= limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            search::default_for(puzzle)
                .search(puzzle, &Limits::none().with_cancel(cancel), &mut visit)
                .expect("the default solver supports every puzzle");
            (first, count)
        })?;
        Ok((first.map(|solution| one_row(py, &solution)).transpose()?, count))
    }

    /// The rules and givens that can be left out, one at a time, of a puzzle with one solution.
    fn redundant(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let (puzzle, rules) = self.parts();
        let redundancy = interruptible(py, |cancel| {
            redundancy::redundant(&rules, &puzzle, &Limits::none().with_cancel(cancel))
        })?;
        Ok(redundancy.parts.iter().map(|part| part.describe(&rules, &puzzle)).collect())
    }

    /// Rules and givens that contradict each other; `None` if the puzzle has a solution.
    fn contradiction(&self, py: Python<'_>) -> PyResult<Option<String>> {
        let (puzzle, rules) = self.parts();
        let found = interruptible(py, |cancel| {
            redundancy::contradiction(&rules, &puzzle, &Limits::none().with_cancel(cancel))
        })?;
        let contradiction = found.ok().flatten();
        Ok(contradiction.map(|contradiction| contradiction.describe(&rules, &puzzle)))
    }

    /// Whether a full grid keeps the givens and all rules.
    fn is_solution(&self, numbers: Vec<u8>) -> PyResult<bool> {
        let puzzle = &self.entry.puzzle;
        let grid = Grid::from_numbers(puzzle.order(), &numbers).ok_or_else(|| {
            NinefoldError::new_err(format!(
                "expected {} digits from 1 to {}",
                puzzle.order().cell_count(),
                self.side()
            ))
        })?;
        let grid = match puzzle.rules() {
            Some(rules) => grid.with_rules(rules.clone()),
            None => grid,
        };
        Ok(grid.is_full() && grid.solves(puzzle))
    }

    /// The puzzle in a format with this name.
    fn to_text(&self, format: &str) -> PyResult<String> {
        let invalid = |error: String| NinefoldError::new_err(error);
        let format: Format = format
            .parse()
            .map_err(|error: ninefold_formats::UnknownFormatError| invalid(error.to_string()))?;
        let write = || {
            let mut writer = Writer::new(format, Vec::new())?;
            writer.write(&self.entry)?;
            writer.finish()
        };
        let bytes = write().map_err(|error| invalid(error.to_string()))?;
        let text = String::from_utf8(bytes)
            .map_err(|_| invalid(format!("{format} is not a text format")))?;
        Ok(text.trim_end().to_string())
    }

    fn __str__(&self) -> String {
        text::diagram(&self.entry.puzzle)
    }

    fn __repr__(&self) -> String {
        let side = self.side();
        let clues = self.entry.puzzle.clue_count();
        let rules = self.rules();
        let rules = if rules.is_empty() { "classic".to_string() } else { rules.join(", ") };
        format!("<Puzzle {side}x{side}, {clues} givens, {rules}>")
    }

    fn __eq__(&self, other: &PyPuzzle) -> bool {
        self.entry == other.entry
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        self.entry.puzzle.to_string().hash(&mut hasher);
        hasher.finish()
    }
}

impl PyPuzzle {
    fn parts(&self) -> (Vec<Option<Digit>>, ninefold::grid::rules::Rules) {
        let puzzle = &self.entry.puzzle;
        let rules = puzzle.rules().map_or_else(
            || ninefold::grid::rules::Rules::classic(puzzle.order()),
            |rules| (**rules).clone(),
        );
        (puzzle.order().cells().map(|cell| puzzle[cell]).collect(), rules)
    }
}

fn one_row<'py>(py: Python<'py>, grid: &Grid) -> PyResult<Row<'py>> {
    rows(py, grid.numbers().collect(), grid.order().cell_count())
}

/// The options of `generate_variants`, a dictionary from the Python package.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct VariantArgs {
    rules: String,
    size: usize,
    clues: Option<(usize, usize)>,
    minimal: bool,
    minimal_rules: bool,
    density: String,
    cage_sizes: Option<String>,
    attempts: usize,
}

impl VariantArgs {
    fn options(&self) -> PyResult<VariantOptions<'static>> {
        fn invalid(error: impl ToString) -> PyErr {
            NinefoldError::new_err(error.to_string())
        }
        let kinds = VariantKind::parse_list(&self.rules).map_err(invalid)?;
        let order = match Order::from_side(self.size) {
            Some(order) => order,
            None => Order::without_boxes(self.size).map_err(invalid)?,
        };
        let mut options = VariantOptions::new(order, kinds)
            .with_minimal(self.minimal)
            .with_minimal_rules(self.minimal_rules)
            .with_density(self.density.parse().map_err(invalid)?)
            .with_attempts(self.attempts);
        options.clues = self.clues.map(|(fewest, most)| fewest..=most);
        if let Some(sizes) = &self.cage_sizes {
            options = options.with_cage_sizes(range::parse::<usize>(sizes).map_err(invalid)?);
        }
        Ok(options)
    }
}

/// The least memory that a puzzle with rules needs.
const BYTES_PER_VARIANT: usize = 1 << 10;

/// Variants with the indices `start` to `start + count` of a seed, with their solutions.
#[pyfunction]
pub fn generate_variants(
    py: Python<'_>,
    count: u64,
    seed: u64,
    start: u64,
    args: VariantArgs,
    threads: usize,
) -> PyResult<Vec<PyPuzzle>> {
    let options = args.options()?;
    crate::generate::require_memory(count, BYTES_PER_VARIANT)?;
    let indices = start..start.saturating_add(count);
    let generated = interruptible(py, |cancel: &AtomicBool| {
        let options = options.with_limits(Limits::none().with_cancel(cancel));
        let mut generated = Ok(Vec::new());
        variants::generate_many(&options, seed, indices, self::threads(threads), |_, result| {
            match (result, &mut generated) {
                (Ok(variant), Ok(puzzles)) => puzzles.push(variant),
                (Err(error), generated) => *generated = Err(error),
                (Ok(_), Err(_)) => {}
            }
            generated.is_ok() && !cancel.load(Ordering::Relaxed)
        });
        generated
    })?;
    let to_puzzle = |variant: GeneratedVariant| {
        let generated = variant.into_puzzle();
        PyPuzzle { entry: Entry::new(generated.puzzle).with_solution(generated.solution) }
    };
    match generated {
        Ok(variants) => Ok(variants.into_iter().map(to_puzzle).collect()),
        Err(error @ (VariantError::NotFound { .. } | VariantError::NoGrid { .. })) => {
            Err(NotFound::new_err(error.to_string()))
        }
        Err(error) => Err(NinefoldError::new_err(error.to_string())),
    }
}
