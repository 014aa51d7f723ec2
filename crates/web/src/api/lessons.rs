//! Lessons as JSON: the list of all, and each with its own boards.

use super::game::language_of;
use crate::error::ApiError;
use crate::server::AppState;
use axum::Json;
use axum::extract::{Path, RawQuery, State};
use axum::http::StatusCode;
use ninefold::explain::lessons::{self, Example, Lesson};
use ninefold::explain::view::digits;
use ninefold::proof::Chapter;
use ninefold::{Language, Technique};
use serde_json::{Value, json};

/// Answers `GET /api/lessons`: all lessons by chapter.
pub async fn list() -> Json<Value> {
    let entry = |lesson: &Lesson| {
        json!({
            "name": lesson.technique.to_string(),
            "slug": lesson.technique.slug(),
            "tried": lesson.technique.is_default(),
        })
    };
    let lessons = |chapter: Chapter| -> Vec<Value> {
        lessons::all().iter().filter(|lesson| lesson.technique.chapter() == chapter).map(entry).collect()
    };
    let chapters = Chapter::ALL.map(|chapter| json!({ "name": chapter.title(), "lessons": lessons(chapter) }));
    Json(json!({ "tiers": chapters }))
}

/// Answers `GET /api/lessons/{technique}`, with `?language=de` in that language.
pub async fn one(
    State(state): State<AppState>,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Json<Value>, ApiError> {
    let asked = query.as_deref().and_then(|query| query.strip_prefix("language="));
    let language = language_of(asked)?;
    let lesson = name.parse::<Technique>().ok().and_then(lessons::about).ok_or_else(|| {
        ApiError::new(StatusCode::NOT_FOUND, "there is no such lesson", "see /api/lessons for all of them")
    })?;
    state.queues.slowly(move |_| tell(lesson, language)).await.map(Json)
}

fn tell(lesson: &Lesson, language: Language) -> Value {
    json!({
        "name": lesson.technique.to_string(),
        "slug": lesson.technique.slug(),
        "tier": lesson.technique.chapter().title(),
        "paragraphs": lesson.paragraphs,
        "boards": lesson.examples.iter().map(|example| board(example, lesson.technique, language)).collect::<Vec<_>>(),
    })
}

fn board(example: &Example, technique: Technique, language: Language) -> Value {
    let (position, candidates) = (&example.position, example.position.candidates());
    let order = position.order();
    let steps = example.steps(technique);
    let steps = (1..).zip(&steps).map(|(number, step)| step.view(number, candidates, language));
    json!({
        "puzzle": position.puzzle().to_string(),
        "boxes": format!("{}x{}", order.box_rows(), order.box_columns()),
        "grid": position.grid().to_string(),
        "candidates": digits(candidates),
        "steps": steps.collect::<Vec<_>>(),
    })
}
