//! The JSON API over HTTP, with one file for each kind of request. `openapi.json` documents it.
//!
//! `crates/api` computes the answers; this module runs it in queues and cancels it when a client
//! disconnects.

mod check;
mod explain;
mod generate;
mod hint;
mod judge;
mod lessons;
mod models;
mod photo;
mod picture;
mod rate;
mod read;
mod solve;
mod study;
mod watch;
mod write;

use crate::body::JsonBody;
use crate::error::ErrorResponse;
use crate::queues::Status;
use crate::server::AppState;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use serde_json::{Value, json};

pub fn routes() -> Router<AppState> {
    Router::new()
        .route("/api/solve", post(solve::answer))
        .route("/api/check", post(check::answer))
        .route("/api/hint", post(hint::answer))
        .route("/api/explain", post(explain::answer))
        .route("/api/rate", post(rate::answer))
        .route("/api/generate", post(generate::answer))
        .route("/api/judge", post(judge::answer))
        .route("/api/study", post(study::answer))
        .route("/api/read", post(read::answer))
        .route("/api/write", post(write::answer))
        .route("/api/photo", post(photo::answer))
        .route("/api/picture", post(picture::answer))
        .route("/api/watch", post(watch::answer))
        .route("/api/models", get(models::answer))
        .route("/api/techniques", get(techniques))
        .route("/api/lessons", get(lessons::list))
        .route("/api/lessons/{technique}", get(lessons::one))
        .route("/api/status", get(status))
        .route("/api/quit", post(quit))
}

/// The names of the techniques, in the order in which they are tried.
async fn techniques() -> Json<Value> {
    Json(ninefold_api::techniques())
}

/// The load of the queues and the number of open connections.
async fn status(State(state): State<AppState>) -> Json<Value> {
    let Status { quick, slow, watch } = state.queues.status();
    let (open, places) = (state.connections.count(), state.connections.places());
    Json(
        json!({ "quick": quick, "slow": slow, "shows": watch, "connections": { "open": open, "places": places } }),
    )
}

/// Stops the server, unless other machines can reach it. (Kocherzhenko's program has a Quit
/// button, too.)
async fn quit(
    State(state): State<AppState>,
    JsonBody(_): JsonBody<Value>,
) -> Result<StatusCode, ErrorResponse> {
    if !state.may_quit {
        let hint = "stop it with Ctrl+C where it was started";
        return Err(ErrorResponse::new(
            StatusCode::FORBIDDEN,
            "this server is shared and cannot be stopped from the page",
            hint,
        ));
    }
    state.quit.notify_one();
    Ok(StatusCode::ACCEPTED)
}
