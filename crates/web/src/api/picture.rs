//! Picture: a position as SVG for printing or for a document, or one step of its explanation.

use crate::body::JsonBody;
use crate::client::Client;
use crate::error::ErrorResponse;
use crate::limits::MAX_TIME;
use crate::server::AppState;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use ninefold_api::picture::PictureRequest;

/// Answers `POST /api/picture`.
pub async fn answer(
    State(state): State<AppState>,
    client: Client,
    JsonBody(request): JsonBody<PictureRequest>,
) -> Result<impl IntoResponse, ErrorResponse> {
    let svg = state.queues.run(client, MAX_TIME, move |budget| request.svg(budget)).await??;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg))
}
