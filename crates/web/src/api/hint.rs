//! Hint: the next deduction from the player's own digits and marks, told in three stages.

use super::explain::{Known, known};
use super::position::{Asked, Position};
use super::told;
use crate::desk::QUICK;
use crate::question::Question;
use crate::refusal::Refusal;
use crate::server::House;
use axum::Json;
use axum::extract::State;
use ninefold::logic::{self, Hint, Level, Mistake, Options, Technique};
use serde_json::{Value, json};

/// Answers `POST /api/hint`.
pub async fn answer(State(house): State<House>, Question(asked): Question<Asked>) -> Result<Json<Value>, Refusal> {
    let position = asked.position()?;
    let again = position.clone();
    let easy =
        house.desk.quickly(move |gone| hint(&position, &known(&position, QUICK, gone), easy_techniques())).await?;
    let (hint, position) = match easy {
        Hint::Stuck => {
            let work = move |gone: &_| {
                let known = known(&again, QUICK, gone);
                (hint(&again, &known, logic::default_order()), again)
            };
            house.desk.slowly(work).await?
        }
        hint => (hint, again),
    };
    Ok(Json(tell(&hint, &position)))
}

fn hint(position: &Position, known: &Known, techniques: Vec<Technique>) -> Hint {
    let options = Options { techniques, uniqueness: known.is_unique, ..Options::default() };
    logic::hint(&position.puzzle, &marks(position), known.solution.as_ref(), &options)
}

/// What is found at a glance, even on 25×25. The rest may take seconds and waits in the slow queue.
fn easy_techniques() -> Vec<Technique> {
    let is_easy = |technique: &Technique| *technique != Technique::NakedSubset(4);
    logic::default_order().into_iter().take_while(is_easy).collect()
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
