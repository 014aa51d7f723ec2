//! Reads bodies of requests, JSON and images, with limits on their size and on the time they take to
//! arrive.

use crate::connections::Activity;
use crate::error::ErrorResponse;
use crate::limits::{BODY_TIMEOUT, MAX_BODY_BYTES, MAX_PHOTO_BYTES};
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
        if media_type(&request) != "application/json" {
            return Err(ErrorResponse::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "the content type is not JSON",
                "send the header content-type: application/json",
            ));
        }
        let bytes = read_body(request, MAX_BODY_BYTES, "send fewer puzzles at once").await?;
        Ok(JsonBody(serde_json::from_slice(&bytes).map_err(|error| ApiError::malformed(&error))?))
    }
}

/// The bytes of an image file.
pub struct ImageBody(pub Bytes);

impl<S: Sync> FromRequest<S> for ImageBody {
    type Rejection = ErrorResponse;

    async fn from_request(request: Request, _: &S) -> Result<ImageBody, ErrorResponse> {
        // A page of another site cannot send this type without a CORS preflight request, either.
        if !media_type(&request).starts_with("image/") {
            return Err(ErrorResponse::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "the content type is not that of an image",
                "send the header content-type: image/jpeg, image/png or image/webp",
            ));
        }
        let hint = "send a smaller image; 1,600 pixels on the longer side are enough";
        Ok(ImageBody(read_body(request, MAX_PHOTO_BYTES, hint).await?))
    }
}

fn media_type(request: &Request) -> &str {
    let header = request.headers().get(header::CONTENT_TYPE);
    let media_type = header.and_then(|media_type| media_type.to_str().ok()).unwrap_or("");
    media_type.split(';').next().unwrap_or("").trim()
}

async fn read_body(request: Request, limit: usize, hint: &str) -> Result<Bytes, ErrorResponse> {
    let activity = request.extensions().get::<Arc<Activity>>().cloned();
    let too_large = || {
        let error = format!("the body is longer than {limit} bytes");
        ErrorResponse::new(StatusCode::PAYLOAD_TOO_LARGE, error, hint)
    };
    let announced = request
        .headers()
        .get(header::CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse().ok());
    if announced.is_some_and(|length: u64| length > limit as u64) {
        return Err(too_large());
    }
    let reading = Limited::new(request.into_body(), limit).collect();
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
        Ok(Ok(collected)) => {
            if let Some(activity) = activity {
                activity.request_received();
            }
            Ok(collected.to_bytes())
        }
    }
}
