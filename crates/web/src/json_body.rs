//! Reads JSON bodies of requests, with limits on their size and on the time they take to arrive.

use crate::connections::Activity;
use crate::error::ErrorResponse;
use crate::limits::{BODY_TIMEOUT, MAX_BODY_BYTES};
use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use ninefold_api::ApiError;
use serde::de::DeserializeOwned;
use std::sync::Arc;

pub struct JsonBody<T>(pub T);

impl<T: DeserializeOwned, S: Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = ErrorResponse;

    async fn from_request(request: Request, _: &S) -> Result<JsonBody<T>, ErrorResponse> {
        // A page of another site can send plain text without a CORS preflight request, but not
        // JSON.
        let media_type = request
            .headers()
            .get(header::CONTENT_TYPE)
            .and_then(|media_type| media_type.to_str().ok())
            .unwrap_or("");
        if media_type.split(';').next().map(str::trim) != Some("application/json") {
            return Err(ErrorResponse::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "the content type is not JSON",
                "send the header content-type: application/json",
            ));
        }
        let activity = request.extensions().get::<Arc<Activity>>().cloned();
        let bytes = read_body(request).await?;
        if let Some(activity) = activity {
            activity.request_received();
        }
        Ok(JsonBody(serde_json::from_slice(&bytes).map_err(|error| ApiError::malformed(&error))?))
    }
}

async fn read_body(request: Request) -> Result<Bytes, ErrorResponse> {
    let too_large = || {
        let error = format!("the body is longer than {MAX_BODY_BYTES} bytes");
        ErrorResponse::new(StatusCode::PAYLOAD_TOO_LARGE, error, "send fewer puzzles at once")
    };
    let announced = request
        .headers()
        .get(header::CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse().ok());
    if announced.is_some_and(|length: u64| length > MAX_BODY_BYTES as u64) {
        return Err(too_large());
    }
    let reading = Limited::new(request.into_body(), MAX_BODY_BYTES).collect();
    match tokio::time::timeout(BODY_TIMEOUT, reading).await {
        Err(_) => Err(ErrorResponse::new(
            StatusCode::REQUEST_TIMEOUT,
            "the body took too long to arrive",
            "send it in one piece",
        )),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large()),
        Ok(Err(error)) => Err(ErrorResponse::new(
            StatusCode::BAD_REQUEST,
            format!("the body could not be read: {error}"),
            "send it again",
        )),
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
    }
}
