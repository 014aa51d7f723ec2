//! Lessons as JSON: a list of all lessons, and each lesson with its boards.

use crate::client::Client;
use crate::error::ErrorResponse;
use crate::limits::MAX_TIME;
use crate::server::AppState;
use axum::Json;
use axum::extract::{Path, RawQuery, State};
use ninefold_api::lessons;
use serde_json::Value;

/// Answers `GET /api/lessons`: all lessons by chapter.
pub async fn list() -> Json<Value> {
    Json(lessons::list())
}

/// Answers `GET /api/lessons/{technique}`; `?language=de` selects a language.
pub async fn one(
    State(state): State<AppState>,
    client: Client,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
) -> Result<Json<Value>, ErrorResponse> {
    let language = query.as_deref().and_then(|query| query.strip_prefix("language="));
    let (lesson, language) = lessons::find(&name, language)?;
    Ok(Json(state.queues.run(client, MAX_TIME, move |_| lessons::view(lesson, language)).await?))
}
