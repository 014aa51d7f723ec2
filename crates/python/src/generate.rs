//! Generates puzzles. Levels, techniques and other options with names have the names of the command
//! line, such as `easy-medium` for a range of levels.

use crate::arrays::{self, Boxes, rows};
use crate::work::{interruptible, threads};
use crate::{NinefoldError, NotFound};
use ninefold::Technique;
use ninefold::generate::range::ParseRangeError;
use ninefold::generate::unbiased::generate_many as generate_unbiased;
use ninefold::generate::{
    GenerateError, GenerateOptions, GeneratedPuzzle, PatternSymmetry, RatingRange, Requirement,
    SinglesOnly, TechniqueOptions, generate_many, kocherzhenko_many,
};
use ninefold::grid::{Grid, Order};
use ninefold::search::Limits;
use numpy::PyArray2;
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// The options of `generate`, a dictionary from the Python package.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct GenerateArgs {
    boxes: Boxes,
    clues: Option<(usize, usize)>,
    minimal: bool,
    symmetry: String,
    pattern: Option<Vec<u8>>,
    solution: Option<Vec<u8>>,
    difficulty: Option<String>,
    er: Option<(f64, f64)>,
    hodoku: Option<String>,
    dupree: Option<String>,
    consistency: Option<String>,
    singles: bool,
    uses: Vec<String>,
    without: Vec<String>,
    hardest: Option<String>,
    only: Vec<String>,
    uniqueness: bool,
    kaggle: bool,
    attempts: usize,
}

type Requirements = Vec<Box<dyn Requirement + Send>>;
type Pairs<'py> = (Bound<'py, PyArray2<u8>>, Bound<'py, PyArray2<u8>>);

/// Puzzles with the indices `start` to `start + count` of a seed, and their solutions.
#[pyfunction]
pub fn generate<'py>(
    py: Python<'py>,
    count: u64,
    seed: u64,
    start: u64,
    args: GenerateArgs,
    threads: usize,
) -> PyResult<Pairs<'py>> {
    let order = arrays::order(args.boxes)?;
    let requirements = args.requirements()?;
    let grid = |numbers: &Option<Vec<u8>>| match numbers {
        None => Ok(None),
        Some(numbers) => Grid::from_numbers(order, numbers).map(Some).ok_or_else(|| {
            NinefoldError::new_err(format!(
                "expected a pattern or solution of {} cells for a {order} grid",
                order.cell_count()
            ))
        }),
    };
    let (pattern, solution) = (grid(&args.pattern)?, grid(&args.solution)?);
    let symmetry = args.symmetry()?;
    let generated = interruptible(py, |cancel| {
        let mut options = match args.kaggle {
            true => GenerateOptions::kaggle(),
            false => GenerateOptions::new(order),
        };
        options.clues = args.clues.map(|(fewest, most)| fewest..=most).or(options.clues);
        options.minimal = args.minimal;
        options.symmetry = symmetry;
        options.pattern = pattern;
        options.solution = solution;
        options.requirements =
            requirements.iter().map(|requirement| &**requirement as &dyn Requirement).collect();
        options.attempts = args.attempts;
        options.limits = Limits::none().with_cancel(cancel);
        generate_all(
            &options,
            seed,
            start..start.saturating_add(count),
            crate::work::threads(threads),
            cancel,
        )
    })?;
    let (puzzles, solutions) = generated?;
    Ok((rows(py, puzzles, order.cell_count())?, rows(py, solutions, order.cell_count())?))
}

type Numbers = (Vec<u8>, Vec<u8>);

/// Empty arrays with space for the result. A `MemoryError` if there is not enough memory.
fn reserve(count: u64, order: Order) -> PyResult<Numbers> {
    let mut numbers = Numbers::default();
    let bytes = usize::try_from(count).unwrap_or(usize::MAX).saturating_mul(order.cell_count());
    match numbers.0.try_reserve_exact(bytes).and_then(|()| numbers.1.try_reserve_exact(bytes)) {
        Ok(()) => Ok(numbers),
        Err(_) => Err(too_large(count, 2 * order.cell_count(), available_memory())),
    }
}

/// A `MemoryError` if the result needs more memory than is available. Systems that overcommit
/// would accept the allocation and kill the process later.
#[pyfunction]
pub fn require_memory(count: u64, bytes_each: usize) -> PyResult<()> {
    let needed = u128::from(count) * bytes_each as u128;
    let available = available_memory();
    match available.is_some_and(|available| needed > available.into()) {
        true => Err(too_large(count, bytes_each, available)),
        false => Ok(()),
    }
}

fn too_large(count: u64, bytes_each: usize, available: Option<u64>) -> PyErr {
    let gigabytes = |bytes: u128| bytes as f64 / 1e9;
    let needed = gigabytes(u128::from(count) * bytes_each as u128);
    let available = available.map_or(String::new(), |available| {
        format!(", and {:.1} GB are available", gigabytes(available.into()))
    });
    PyMemoryError::new_err(format!(
        "{count} puzzles and their solutions need about {needed:.1} GB of memory{available}; \
         generate them in parts with start, or with batches"
    ))
}

/// The memory that is available without swapping, in bytes, on systems that report it.
fn available_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    line.trim().strip_suffix(" kB")?.parse::<u64>().ok()?.checked_mul(1024)
}

fn generate_all(
    options: &GenerateOptions<'_>,
    seed: u64,
    indices: std::ops::Range<u64>,
    threads: usize,
    cancel: &AtomicBool,
) -> PyResult<Numbers> {
    let mut generated = reserve(indices.end - indices.start, options.order)?;
    let mut failure = None;
    generate_many(options, seed, indices, threads, |_, result| {
        match result {
            Ok(puzzle) => push(&mut generated, &puzzle),
            Err(error) => failure = Some(error),
        }
        failure.is_none() && !cancel.load(Ordering::Relaxed)
    });
    match failure {
        None => Ok(generated),
        Some(error) => Err(to_py_error(&error)),
    }
}

fn push((puzzles, solutions): &mut Numbers, generated: &GeneratedPuzzle) {
    puzzles.extend(generated.puzzle.numbers());
    solutions.extend(generated.solution.numbers());
}

fn to_py_error(error: &GenerateError) -> PyErr {
    match error {
        GenerateError::NotFound(not_found) => {
            let mut message =
                format!("no matching puzzle found in {} complete grids", not_found.attempts);
            if let Some(nearest) = &not_found.nearest {
                message += &format!(
                    "; nearest: {}, but {}",
                    nearest.puzzle,
                    nearest.mismatches.join(", ")
                );
            }
            NotFound::new_err(message)
        }
        other => NinefoldError::new_err(other.to_string()),
    }
}

/// Generates puzzles with Kocherzhenko's method.
#[pyfunction]
pub fn kocherzhenko<'py>(
    py: Python<'py>,
    count: u64,
    seed: u64,
    start: u64,
    boxes: Boxes,
    refusals: Option<usize>,
    threads: usize,
) -> PyResult<Pairs<'py>> {
    let order = arrays::order(boxes)?;
    let indices = start..start.saturating_add(count);
    let threads = self::threads(threads);
    let mut generated = reserve(count, order)?;
    let (puzzles, solutions) = interruptible(py, |cancel| {
        kocherzhenko_many(
            order,
            refusals.unwrap_or(usize::MAX),
            seed,
            indices,
            threads,
            |_, puzzle| {
                push(&mut generated, &puzzle);
                !cancel.load(Ordering::Relaxed)
            },
        );
        generated
    })?;
    Ok((rows(py, puzzles, order.cell_count())?, rows(py, solutions, order.cell_count())?))
}

/// Samples from all minimal 9×9 puzzles, each with the same probability.
#[pyfunction]
pub fn unbiased<'py>(
    py: Python<'py>,
    count: u64,
    seed: u64,
    start: u64,
    threads: usize,
) -> PyResult<Pairs<'py>> {
    let threads = self::threads(threads);
    let mut generated = reserve(count, Order::NINE)?;
    let (puzzles, solutions) = interruptible(py, |cancel| {
        let (mut skipped, mut left) = (0, count);
        if left > 0 {
            generate_unbiased(seed, threads, |puzzle| {
                if skipped < start {
                    skipped += 1;
                } else {
                    push(&mut generated, &puzzle);
                    left -= 1;
                }
                left > 0 && !cancel.load(Ordering::Relaxed)
            });
        }
        generated
    })?;
    Ok((rows(py, puzzles, 81)?, rows(py, solutions, 81)?))
}

impl GenerateArgs {
    fn symmetry(&self) -> PyResult<PatternSymmetry> {
        self.symmetry.parse().map_err(|_| {
            let names = PatternSymmetry::ALL.map(PatternSymmetry::name).join(", ");
            NinefoldError::new_err(format!(
                "unknown symmetry {:?}, expected one of {names}",
                self.symmetry
            ))
        })
    }

    fn requirements(&self) -> PyResult<Requirements> {
        let mut requirements: Requirements = Vec::new();
        type Parse = fn(&str) -> Result<RatingRange, ParseRangeError>;
        let ratings: [(&Option<String>, Parse); 4] = [
            (&self.dupree, RatingRange::parse_dupree),
            (&self.consistency, RatingRange::parse_consistency),
            (&self.difficulty, RatingRange::parse_effort),
            (&self.hodoku, RatingRange::parse_hodoku),
        ];
        for (text, parse) in ratings {
            if let Some(text) = text {
                requirements.push(Box::new(
                    parse(text).map_err(|error| NinefoldError::new_err(error.to_string()))?,
                ));
            }
        }
        if let Some((lowest, highest)) = self.er {
            requirements.push(Box::new(RatingRange::explainer(lowest, highest)));
        }
        if self.singles || self.kaggle {
            requirements.push(Box::new(SinglesOnly));
        }
        let mut options = TechniqueOptions::new()
            .with_required(techniques(&self.uses)?)
            .with_forbidden(techniques(&self.without)?)
            .with_allowed(techniques(&self.only)?)
            .with_uniqueness(self.uniqueness);
        options.hardest = self.hardest.as_deref().map(technique).transpose()?;
        if options != TechniqueOptions::default() {
            let requirement = options
                .into_requirement()
                .map_err(|error| NinefoldError::new_err(error.to_string()))?;
            requirements.push(Box::new(requirement));
        }
        Ok(requirements)
    }
}

/// Parses the name of a technique.
pub fn technique(name: &str) -> PyResult<Technique> {
    name.parse().map_err(|error: ninefold::proof::UnknownTechniqueError| {
        NinefoldError::new_err(error.to_string())
    })
}

/// Parses the names of techniques.
pub fn techniques(names: &[String]) -> PyResult<Vec<Technique>> {
    names.iter().map(|name| technique(name)).collect()
}
