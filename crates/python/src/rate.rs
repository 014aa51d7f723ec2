//! Ratings: every scale as one number a puzzle, and in detail as JSON.

use crate::NinefoldError;
use crate::arrays::{Boxes, Puzzles, grid};
use crate::solve;
use crate::work::{interruptible, map, threads};
use ninefold::Grid;
use ninefold::grid::Order;
use ninefold::rate::scale::{Reach, Scale, Unrated};
use ninefold::search::Limits;
use numpy::{PyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The guesses of the batch solver, which rates puzzles many at a time and so is not one of the library's scales.
const GUESSES: &str = "guesses";

/// The names of the scales.
#[pyfunction]
pub fn scales() -> Vec<&'static str> {
    Scale::ALL.into_iter().map(Scale::name).chain([GUESSES]).collect()
}

/// A number for each puzzle, NaN where there is none, and everything that is known of it as JSON.
#[pyfunction]
pub fn rate<'py>(
    py: Python<'py>,
    puzzles: PyReadonlyArray2<'py, u8>,
    boxes: Boxes,
    scale: &str,
    seconds: Option<f64>,
    threads: usize,
) -> PyResult<(Bound<'py, PyArray1<f64>>, Vec<String>)> {
    let puzzles = Puzzles::of(&puzzles, boxes)?;
    let known = Scale::by_name(scale);
    if known.is_none() && scale != GUESSES {
        let words = format!("{scale:?} is not a scale; use one of {}", scales().join(", "));
        return Err(NinefoldError::new_err(words));
    }
    let time = match seconds.map(Duration::try_from_secs_f64) {
        None => None,
        Some(Ok(time)) => Some(time),
        Some(Err(_)) => {
            return Err(NinefoldError::new_err("a time limit is a number of seconds, 0 or more"));
        }
    };
    let threads = self::threads(threads);
    let ratings = interruptible(py, move |cancel| {
        let Some(scale) = known else {
            return guesses(puzzles, threads, cancel);
        };
        let limits = Limits { time, nodes: None, cancel: Some(cancel) };
        let rows: Vec<&[u8]> = puzzles.rows().collect();
        map(threads, &rows, cancel, |_, row| one(scale, &grid(puzzles.order, row), &limits))
    })?;
    let (values, details): (Vec<f64>, Vec<String>) = ratings
        .into_iter()
        .map(|(value, details)| (value.unwrap_or(f64::NAN), details.to_string()))
        .unzip();
    Ok((PyArray1::from_vec(py, values), details))
}

type Rating = (Option<f64>, Value);

fn guesses(puzzles: Puzzles<'_>, threads: usize, cancel: &AtomicBool) -> Vec<Rating> {
    if puzzles.order != Order::NINE {
        return vec![none(&"guesses are counted for 9×9 puzzles"); puzzles.count()];
    }
    let tallies = solve::guesses(puzzles, threads, cancel);
    let rating = |tally: &ninefold::search::batch::Tally| match tally.solutions {
        1 => (Some(tally.guesses as f64), json!({ "guesses": tally.guesses })),
        0 => none(&"the puzzle has no solution, so it has no rating"),
        _ => none(&"the puzzle has several solutions, so it has no rating"),
    };
    tallies.iter().map(rating).collect()
}

fn none(reason: &impl ToString) -> Rating {
    (None, json!({ "reason": reason.to_string() }))
}

/// Where a limit ended the work, `so_far` holds what is known.
fn one(scale: Scale, puzzle: &Grid, limits: &Limits<'_>) -> Rating {
    match scale.rate(puzzle, limits, Reach::Full) {
        Ok(rating) => (Some(rating.number), json!(rating.details)),
        Err(Unrated { reason, so_far: Some(so_far), .. }) => {
            (None, json!({ "reason": reason, "so_far": so_far.details }))
        }
        Err(unrated) => none(&unrated.reason),
    }
}
