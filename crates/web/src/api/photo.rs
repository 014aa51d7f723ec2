//! Photo: reads a puzzle from an image file.

use crate::body::ImageBody;
use crate::client::Client;
use crate::error::ErrorResponse;
use crate::limits::{BODY_TIMEOUT, MAX_PHOTO_PIXELS, MAX_TIME};
use crate::server::AppState;
use axum::Json;
use axum::extract::{FromRequest, Request, State};
use ninefold_api::{ApiError, photo};
use ninefold_vision::{Reader, open};
use serde_json::Value;
use std::sync::{Arc, LazyLock};

static READER: LazyLock<Reader> = LazyLock::new(Reader::default);

/// Answers `POST /api/photo`.
pub async fn answer(
    State(state): State<AppState>,
    client: Client,
    request: Request,
) -> Result<Json<Value>, ErrorResponse> {
    let places = Arc::clone(&state.photos).acquire_owned();
    let Ok(Ok(place)) = tokio::time::timeout(BODY_TIMEOUT, places).await else {
        let error =
            ApiError::unavailable("too many images are being read", "try again in a moment");
        return Err(error.into());
    };
    let ImageBody(bytes) = ImageBody::from_request(request, &state).await?;
    let reading = state.queues.run(client, MAX_TIME, move |budget| {
        let _place = place;
        budget.check()?;
        let image = open::open_within(&bytes, MAX_PHOTO_PIXELS).map_err(|error| {
            ApiError::invalid(error.to_string(), "send a photo or screenshot of the puzzle")
        })?;
        // Each of the two steps is short, because the number of pixels is limited.
        budget.check()?;
        photo::read(&READER, &image)
    });
    Ok(Json(reading.await??))
}
