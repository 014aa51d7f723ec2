//! The JSON API: one file for each question, described for programs in `openapi.json`.

mod check;
mod explain;
mod generate;
mod hint;
mod picture;
mod position;
mod rate;
mod read;
mod solve;
mod told;

use crate::server::House;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::{get, post};
use axum::{Json, Router};
use ninefold::logic;
use serde_json::{Value, json};

/// All questions.
pub fn routes() -> Router<House> {
    Router::new()
        .route("/api/solve", post(solve::answer))
        .route("/api/check", post(check::answer))
        .route("/api/hint", post(hint::answer))
        .route("/api/explain", post(explain::answer))
        .route("/api/rate", post(rate::answer))
        .route("/api/generate", post(generate::answer))
        .route("/api/read", post(read::answer))
        .route("/api/picture", post(picture::answer))
        .route("/api/techniques", get(techniques))
        .route("/api/quit", post(quit))
}

/// The techniques by name, in the order in which they are tried.
async fn techniques() -> Json<Value> {
    let name = |technique: &logic::Technique| json!({ "name": technique.to_string(), "slug": technique.slug() });
    Json(json!({ "techniques": logic::default_order().iter().map(name).collect::<Vec<_>>() }))
}

/// Quit, as in the window of paper 2: the server stops.
async fn quit(
    State(house): State<House>,
    crate::question::Question(_): crate::question::Question<Value>,
) -> StatusCode {
    house.quit.notify_one();
    StatusCode::ACCEPTED
}
