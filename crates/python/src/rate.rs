//! Ratings: one number per puzzle on each scale, with details as JSON.

use crate::NinefoldError;
use crate::arrays::{Boxes, Puzzles, grid};
use crate::solve;
use crate::work::{interruptible, map, threads};
use ninefold::Grid;
use ninefold::grid::Order;
use ninefold::rate::scale::{Reach, Scale, UnratedError};
use ninefold::search::Limits;
use numpy::{PyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The scale that counts the guesses of the batch solver. The batch solver needs many puzzles at a
/// time, so this scale is not one of the library's.
const GUESSES: &str = "guesses";

/// The names of the scales.
#[pyfunction]
pub fn scales() -> Vec<&'static str> {
    Scale::ALL.into_iter().map(Scale::name).chain([GUESSES]).collect()
}

/// The rating of each puzzle, NaN if there is none, and its details as JSON.
#[pyfunction]
pub fn rate<'py>(
    py: Python<'py>,
    puzzles: PyReadonlyArray2<'py, u8>,
    boxes: Boxes,
    scale: &str,
    seconds: Option<f64>,
    threads: usize,
) -> PyResult<(Bound<'py, PyArray1<f64>>, Vec<String>)> {
    let puzzles = Puzzles::from_array(&puzzles, boxes)?;
    let known = scale.parse::<Scale>().ok();
    if known.is_none() && scale != GUESSES {
        let names = scales().join(", ");
        return Err(NinefoldError::new_err(format!(
            "unknown scale {scale:?}, expected one of {names}"
        )));
    }
    let time = match seconds.map(Duration::try_from_secs_f64) {
        None => None,
        Some(Ok(time)) => Some(time),
        Some(Err(_)) => {
            return Err(NinefoldError::new_err("expected a time limit of at least 0 seconds"));
        }
    };
    let threads = self::threads(threads);
    let ratings = interruptible(py, move |cancel| {
        let Some(scale) = known else {
            return guesses(puzzles, threads, cancel);
        };
        let limits = Limits::none().with_time(time).with_cancel(cancel);
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
        return vec![none(&"the scale guesses supports 9×9 puzzles only"); puzzles.count()];
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

/// Rates one puzzle. If a limit is reached, `so_far` contains the lower bounds.
fn one(scale: Scale, puzzle: &Grid, limits: &Limits<'_>) -> Rating {
    match scale.rate(puzzle, limits, Reach::Full) {
        Ok(rating) => (Some(rating.number), json!(rating.details)),
        Err(UnratedError { reason, so_far: Some(so_far), .. }) => {
            (None, json!({ "reason": reason, "so_far": so_far.details }))
        }
        Err(unrated) => none(&unrated.reason),
    }
}
