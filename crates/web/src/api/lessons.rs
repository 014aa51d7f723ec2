//! Lessons: the list of all, and each with its own boards.

use crate::error::ApiError;
use crate::lessons::{self, Example, Lesson, TIERS};
use crate::server::AppState;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use ninefold::explain::view::digits;
use ninefold::{Notation, Technique, logic};
use serde_json::{Value, json};

/// Answers `GET /api/lessons`: all lessons by tier.
pub async fn list() -> Json<Value> {
    let tried = logic::default_order();
    let entry = |lesson: &Lesson| {
        json!({
            "name": lesson.technique.to_string(),
            "slug": lesson.technique.slug(),
            "tried": tried.contains(&lesson.technique),
        })
    };
    let lessons = |tier: usize| -> Vec<Value> {
        lessons::all().iter().filter(|lesson| lessons::tier(lesson.technique) == tier).map(entry).collect()
    };
    let tiers = TIERS.iter().enumerate().map(|(tier, name)| json!({ "name": name, "lessons": lessons(tier) }));
    Json(json!({ "tiers": tiers.collect::<Vec<_>>() }))
}

/// Answers `GET /api/lessons/{technique}`.
pub async fn one(State(state): State<AppState>, Path(name): Path<String>) -> Result<Json<Value>, ApiError> {
    let lesson = Technique::named(&name).and_then(lessons::about).ok_or_else(|| {
        ApiError::new(StatusCode::NOT_FOUND, "there is no such lesson", "see /api/lessons for all of them")
    })?;
    state.queues.slowly(move |_| tell(lesson)).await.map(Json)
}

fn tell(lesson: &Lesson) -> Value {
    json!({
        "name": lesson.technique.to_string(),
        "slug": lesson.technique.slug(),
        "tier": TIERS[lessons::tier(lesson.technique)],
        "paragraphs": lesson.paragraphs,
        "boards": lesson.examples.iter().map(|example| board(example, lesson.technique)).collect::<Vec<_>>(),
    })
}

fn board(example: &Example, technique: Technique) -> Value {
    let (position, candidates) = (&example.position, example.position.candidates());
    let order = position.order();
    let steps = example.steps(technique);
    let steps = (1..).zip(&steps).map(|(number, step)| step.view(number, candidates, Notation::default()));
    json!({
        "puzzle": position.puzzle().to_string(),
        "boxes": format!("{}x{}", order.box_rows(), order.box_columns()),
        "grid": position.grid().to_string(),
        "candidates": digits(candidates),
        "steps": steps.collect::<Vec<_>>(),
    })
}
