//! The JSON API over HTTP: one file for each question, described for programs in `openapi.json`. What is answered is said by
//! `crates/api`; here it waits in a queue and is told when nobody listens any more.

mod check;
mod explain;
mod generate;
mod hint;
mod lessons;
mod models;
mod picture;
mod rate;
mod read;
mod solve;
mod watch;

use crate::error::ApiError;
use crate::json_body::JsonBody;
use crate::queues::Status;
use crate::server::AppState;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Value, json};

/// All questions.
pub fn routes() -> Router<AppState> {
    Router::new()
        .route("/api/solve", post(solve::answer))
        .route("/api/check", post(check::answer))
        .route("/api/hint", post(hint::answer))
        .route("/api/explain", post(explain::answer))
        .route("/api/rate", post(rate::answer))
        .route("/api/generate", post(generate::answer))
        .route("/api/read", post(read::answer))
        .route("/api/picture", post(picture::answer))
        .route("/api/watch", post(watch::answer))
        .route("/api/models", get(models::answer))
        .route("/api/techniques", get(techniques))
        .route("/api/lessons", get(lessons::list))
        .route("/api/lessons/{technique}", get(lessons::one))
        .route("/api/status", get(status))
        .route("/api/quit", post(quit))
}

/// The techniques by name, in the order in which they are tried.
async fn techniques() -> Json<Value> {
    Json(ninefold_api::techniques())
}

/// How many threads are at work, and how many connections are open.
async fn status(State(state): State<AppState>) -> Json<Value> {
    let Status { quick, slow, shows } = state.queues.status();
    let (open, places) = (state.connections.count(), state.connections.places());
    Json(
        json!({ "quick": quick, "slow": slow, "shows": shows, "connections": { "open": open, "places": places } }),
    )
}

/// Quit, as in the window of paper 2: the server stops, if it serves this machine alone.
async fn quit(
    State(state): State<AppState>,
    JsonBody(_): JsonBody<Value>,
) -> Result<StatusCode, ApiError> {
    if !state.may_quit {
        let hint = "whoever started it stops it with Ctrl+C";
        return Err(ApiError::new(
            StatusCode::FORBIDDEN,
            "this server is shared with others",
            hint,
        ));
    }
    state.quit.notify_one();
    Ok(StatusCode::ACCEPTED)
}
