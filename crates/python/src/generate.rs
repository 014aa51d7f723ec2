//! New puzzles by wish. Names and ranges are written as on the command line: `easy-medium`, `7.1-8.4`, `24-26`.

use crate::arrays::{self, Boxes, rows};
use crate::work::{interruptible, threads};
use crate::{NinefoldError, NotFound};
use ninefold::Technique;
use ninefold::generate::range::BadRange;
use ninefold::generate::{
    Between, Demand, Made, PatternSymmetry, Refusal, SinglesOnly, Techniques, Wish as RustWish,
    kocherzhenko_many, make_many,
};
use ninefold::grid::Grid;
use ninefold::search::Limits;
use numpy::PyArray2;
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

/// What is wished for, as the package writes it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Wish {
    boxes: Boxes,
    clues: Option<(usize, usize)>,
    minimal: bool,
    symmetry: String,
    pattern: Option<Vec<u8>>,
    solution: Option<Vec<u8>>,
    difficulty: Option<String>,
    er: Option<(f64, f64)>,
    level: Option<String>,
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

type Demands = Vec<Box<dyn Demand + Send>>;
type Pairs<'py> = (Bound<'py, PyArray2<u8>>, Bound<'py, PyArray2<u8>>);

/// Puzzles with the indices `start` to `start + count` of a seed, and their solutions.
#[pyfunction]
pub fn generate<'py>(
    py: Python<'py>,
    count: u64,
    seed: u64,
    start: u64,
    wish: Wish,
    threads: usize,
) -> PyResult<Pairs<'py>> {
    let order = arrays::order(wish.boxes)?;
    let demands = wish.demands()?;
    let grid = |numbers: &Option<Vec<u8>>| match numbers {
        None => Ok(None),
        Some(numbers) => Grid::from_numbers(order, numbers).map(Some).ok_or_else(|| {
            NinefoldError::new_err(format!(
                "a pattern or a solution of {order} has {} cells",
                order.cell_count()
            ))
        }),
    };
    let (pattern, solution) = (grid(&wish.pattern)?, grid(&wish.solution)?);
    let symmetry = wish.symmetry()?;
    let made = interruptible(py, |cancel| {
        let base = if wish.kaggle { RustWish::kaggle() } else { RustWish::any(order) };
        let wish = RustWish {
            clues: wish.clues.map(|(fewest, most)| fewest..=most).or(base.clues),
            minimal: wish.minimal,
            symmetry,
            pattern,
            solution,
            demands: demands.iter().map(|demand| &**demand as &dyn Demand).collect(),
            attempts: wish.attempts,
            limits: Limits::cancelled_by(cancel),
            order: base.order,
            clue_weights: base.clue_weights,
            nodes_per_proof: base.nodes_per_proof,
            plucked: base.plucked,
        };
        make_all(
            &wish,
            seed,
            start..start.saturating_add(count),
            crate::work::threads(threads),
            cancel,
        )
    })?;
    let (puzzles, solutions) = made?;
    Ok((rows(py, puzzles, order.cell_count())?, rows(py, solutions, order.cell_count())?))
}

type Numbers = (Vec<u8>, Vec<u8>);

fn make_all(
    wish: &RustWish<'_>,
    seed: u64,
    indices: std::ops::Range<u64>,
    threads: usize,
    cancel: &AtomicBool,
) -> PyResult<Numbers> {
    let mut made = Numbers::default();
    let mut refused = None;
    make_many(wish, seed, indices, threads, |_, result| {
        match result {
            Ok(one) => push(&mut made, &one),
            Err(refusal) => refused = Some(refusal),
        }
        refused.is_none() && !cancel.load(Ordering::Relaxed)
    });
    match refused {
        None => Ok(made),
        Some(refusal) => Err(refused_in_words(&refusal)),
    }
}

fn push((puzzles, solutions): &mut Numbers, made: &Made) {
    puzzles.extend(made.puzzle.numbers());
    solutions.extend(made.solution.numbers());
}

fn refused_in_words(refusal: &Refusal) -> PyErr {
    match refusal {
        Refusal::NotFound(not_found) => {
            let mut words =
                format!("no such puzzle was found in {} complete grids", not_found.attempts);
            if let Some(nearest) = &not_found.nearest {
                words +=
                    &format!("; nearest: {}, but {}", nearest.puzzle, nearest.misses.join(", "));
            }
            NotFound::new_err(words)
        }
        other => NinefoldError::new_err(other.to_string()),
    }
}

/// Puzzles by Kocherzhenko's method.
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
    let (puzzles, solutions) = interruptible(py, |cancel| {
        let mut made = Numbers::default();
        kocherzhenko_many(
            order,
            refusals.unwrap_or(usize::MAX),
            seed,
            indices,
            threads,
            |_, one| {
                push(&mut made, &one);
                !cancel.load(Ordering::Relaxed)
            },
        );
        made
    })?;
    Ok((rows(py, puzzles, order.cell_count())?, rows(py, solutions, order.cell_count())?))
}

impl Wish {
    fn symmetry(&self) -> PyResult<PatternSymmetry> {
        PatternSymmetry::by_name(&self.symmetry).ok_or_else(|| {
            let names = PatternSymmetry::ALL.map(PatternSymmetry::name).join(", ");
            NinefoldError::new_err(format!(
                "{:?} is not a symmetry; use one of {names}",
                self.symmetry
            ))
        })
    }

    fn demands(&self) -> PyResult<Demands> {
        let mut demands: Demands = Vec::new();
        type Read = fn(&str) -> Result<Between, BadRange>;
        let read: [(&Option<String>, Read); 4] = [
            (&self.dupree, Between::dupree),
            (&self.consistency, Between::consistency),
            (&self.difficulty, Between::effort),
            (&self.level, Between::hodoku),
        ];
        for (text, read) in read {
            if let Some(text) = text {
                demands.push(Box::new(
                    read(text).map_err(|bad| NinefoldError::new_err(bad.to_string()))?,
                ));
            }
        }
        if let Some((lowest, highest)) = self.er {
            demands.push(Box::new(Between::explainer_numbers(lowest, highest)));
        }
        if self.singles || self.kaggle {
            demands.push(Box::new(SinglesOnly));
        }
        let techniques = Techniques {
            with: techniques(&self.uses)?,
            without: techniques(&self.without)?,
            hardest: self.hardest.as_deref().map(technique).transpose()?,
            only: techniques(&self.only)?,
            uniqueness: self.uniqueness,
        };
        if techniques != Techniques::default() {
            let demand =
                techniques.demand().map_err(|bad| NinefoldError::new_err(bad.to_string()))?;
            demands.push(Box::new(demand));
        }
        Ok(demands)
    }
}

/// The technique with this name.
pub fn technique(name: &str) -> PyResult<Technique> {
    name.parse().map_err(|error: ninefold::proof::UnknownTechnique| {
        NinefoldError::new_err(error.to_string())
    })
}

/// Those with these names.
pub fn techniques(names: &[String]) -> PyResult<Vec<Technique>> {
    names.iter().map(|name| technique(name)).collect()
}
