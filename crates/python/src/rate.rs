//! Ratings: every scale as one number a puzzle, and in detail as JSON.

use crate::NinefoldError;
use crate::arrays::{Boxes, Puzzles, grid};
use crate::solve;
use crate::work::{interruptible, map, threads};
use ninefold::Grid;
use ninefold::grid::Order;
use ninefold::rate::consistency::{self, Consistency, Verdict};
use ninefold::rate::{dupree, effort, explainer, hodoku, trial, whips};
use ninefold::search::Limits;
use numpy::{PyArray1, PyReadonlyArray2};
use pyo3::prelude::*;
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The scales by name.
const SCALES: [&str; 8] = ["effort", "se", "hodoku", "dupree", "consistency", "te", "w", "guesses"];

/// The names of the scales.
#[pyfunction]
pub fn scales() -> [&'static str; 8] {
    SCALES
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
    if !SCALES.contains(&scale) {
        let words = format!("{scale:?} is not a scale; use one of {}", SCALES.join(", "));
        return Err(NinefoldError::new_err(words));
    }
    let time = match seconds.map(Duration::try_from_secs_f64) {
        None => None,
        Some(Ok(time)) => Some(time),
        Some(Err(_)) => return Err(NinefoldError::new_err("a time limit is a number of seconds, 0 or more")),
    };
    let threads = self::threads(threads);
    let ratings = interruptible(py, move |cancel| {
        if scale == "guesses" {
            return guesses(puzzles, threads, cancel);
        }
        let limits = Limits { time, nodes: None, cancel: Some(cancel) };
        let rows: Vec<&[u8]> = puzzles.rows().collect();
        map(threads, &rows, cancel, |_, row| one(scale, &grid(puzzles.order, row), &limits))
    })?;
    let (values, details): (Vec<f64>, Vec<String>) =
        ratings.into_iter().map(|(value, details)| (value.unwrap_or(f64::NAN), details.to_string())).unzip();
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

fn one(scale: &str, puzzle: &Grid, limits: &Limits<'_>) -> Rating {
    match scale {
        "effort" => effort_of(puzzle, limits),
        "se" => explainer_of(puzzle, limits),
        "hodoku" => hodoku_of(puzzle, limits),
        "dupree" => match dupree::score(puzzle) {
            Ok(score) => {
                let details =
                    json!({ "score": score.points, "level": score.difficulty().label(), "depth": score.depth });
                (Some(score.points as f64), details)
            }
            Err(error) => none(&error),
        },
        "consistency" => consistency_of(puzzle, limits),
        "w" => match whips::rating_within(puzzle, limits) {
            Ok(length) => (Some(length as f64), json!({ "length": length })),
            Err(error) => none(&error),
        },
        _ => match trial::depth_within(puzzle, limits) {
            Ok(depth) => (Some(f64::from(depth)), json!({ "depth": depth })),
            Err(error) => none(&error),
        },
    }
}

fn effort_of(puzzle: &Grid, limits: &Limits<'_>) -> Rating {
    // Assumptions three deep may take minutes on large grids.
    let hardest = if puzzle.order().side() <= 9 { effort::Kind::ThreeAssumptions } else { effort::Kind::ForcingChains };
    match effort::rate_within(puzzle, limits, hardest) {
        Ok(effort) => {
            let (level, hardest) = (effort.level().name(), effort.hardest.to_string());
            (Some(effort.points), json!({ "points": effort.points, "level": level, "hardest": hardest }))
        }
        Err(error) => none(&error),
    }
}

fn explainer_of(puzzle: &Grid, limits: &Limits<'_>) -> Rating {
    let number = |tenths: explainer::Tenths| f64::from(tenths.0) / 10.0;
    match explainer::rate_within(puzzle, limits) {
        Ok(rating) => {
            let [er, ep, ed] = [rating.er, rating.ep, rating.ed].map(number);
            (Some(er), json!({ "er": er, "ep": ep, "ed": ed, "hardest": rating.hardest.to_string() }))
        }
        Err(error) => none(&error),
    }
}

fn hodoku_of(puzzle: &Grid, limits: &Limits<'_>) -> Rating {
    match hodoku::rate_within(puzzle, limits) {
        Ok(rating) => {
            let (score, level) = (rating.score, rating.level.name());
            (Some(f64::from(score)), json!({ "score": score, "level": level, "brute_force": rating.given_away }))
        }
        Err(error) => none(&error),
    }
}

/// The place of the level among all, counted from 0.
fn consistency_of(puzzle: &Grid, limits: &Limits<'_>) -> Rating {
    match consistency::weakest_within(puzzle, Consistency::Ssgac, limits) {
        Ok(Verdict::Solved(level)) => {
            let place = Consistency::ALL.iter().position(|&other| other == level);
            (place.map(|place| place as f64), json!({ "level": level.name() }))
        }
        Ok(Verdict::Refuted(_)) => none(&"the puzzle has no solution, so it has no rating"),
        Ok(Verdict::Open) => none(&"no level up to SSGAC solves it without search"),
        Err(stop) => none(&format!("stopped by {stop}")),
    }
}
