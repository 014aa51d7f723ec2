//! Hint: the next deduction from the player's own digits and marks, told in three stages.

use super::explain::{Next, Patience, easy_techniques, known, next_step};
use super::position::{Asked, Position};
use super::told;
use crate::error::ApiError;
use crate::json_body::JsonBody;
use crate::queues::QUICK;
use crate::server::AppState;
use axum::Json;
use axum::extract::State;
use ninefold::logic::{self, Hint, Level, Mistake, Options};
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// A step that is not found in this time is not told.
const LONGEST: Duration = Duration::from_secs(30);

/// Answers `POST /api/hint`. Easy techniques are tried at once; the others wait in the slow queue.
pub async fn answer(State(state): State<AppState>, JsonBody(asked): JsonBody<Asked>) -> Result<Json<Value>, ApiError> {
    let position = asked.position()?;
    let (easy, position) = state.queues.quickly(move |gone| (easy_hint(&position, gone), position)).await?;
    let (hint, position) = match easy {
        (Hint::Stuck, unique) => {
            state.queues.slowly(move |gone| (hard_hint(&position, unique, gone), position)).await?
        }
        (hint, _) => (hint, position),
    };
    Ok(Json(tell(&hint, &position)))
}

/// A mistake or an easy step, and whether the puzzle has one solution.
fn easy_hint(position: &Position, gone: &AtomicBool) -> (Hint, bool) {
    let known = known(position, QUICK, gone);
    let options = Options { techniques: easy_techniques(), uniqueness: known.is_unique, ..Options::default() };
    (logic::hint(&position.puzzle, &marks(position), known.solution.as_ref(), &options), known.is_unique)
}

/// A step of any technique.
fn hard_hint(position: &Position, unique: bool, gone: &AtomicBool) -> Hint {
    let patience = Patience { until: Instant::now() + LONGEST, gone };
    match next_step(&position.puzzle, &marks(position), unique, &patience) {
        Next::Step(step) => Hint::Step(step),
        Next::End(_) => Hint::Stuck,
    }
}

/// The player's marks. Where none were made at all, the library takes all that are possible.
fn marks(position: &Position) -> ninefold::grid::Candidates {
    logic::without_stale_marks(&position.marks)
}

fn tell(hint: &Hint, position: &Position) -> Value {
    let candidates = marks(position);
    let text = |level| hint.text(&candidates, level);
    let (kind, step, cells) = match hint {
        Hint::Step(step) => ("step", told::step(step, &candidates), Vec::new()),
        Hint::Mistake(Mistake::WrongDigit { cell, .. } | Mistake::MissingMark { cell, .. }) => {
            ("mistake", Value::Null, vec![cell.index()])
        }
        Hint::Conflict(conflict) => ("conflict", Value::Null, vec![conflict.first.index(), conflict.second.index()]),
        Hint::Solved => ("solved", Value::Null, Vec::new()),
        Hint::Contradiction => ("contradiction", Value::Null, Vec::new()),
        Hint::Stuck => ("stuck", Value::Null, Vec::new()),
    };
    json!({
        "answer": kind,
        "stages": [text(Level::Hint), text(Level::Technique), text(Level::Full)],
        "step": step,
        "cells": cells,
        "candidates": told::candidates(&candidates),
    })
}
