//! Lessons as JSON: the list of all, and each with its own boards.

use crate::error::ApiError;
use crate::server::AppState;
use axum::Json;
use axum::extract::{Path, RawQuery, State};
use ninefold_api::lessons;
use serde_json::Value;

/// Answers `GET /api/lessons`: all lessons by chapter.
pub async fn list() -> Json<Value> {
    Json(lessons::list())
}

/// Answers `GET /api/lessons/{technique}`, with `?language=de` in that language.
pub async fn one(
    State(state): State<AppState>,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Json<Value>, ApiError> {
    let language = query.as_deref().and_then(|query| query.strip_prefix("language="));
    let (lesson, language) = lessons::asked(&name, language)?;
    state.queues.slowly(move |_| lessons::tell(lesson, language)).await.map(Json)
}
