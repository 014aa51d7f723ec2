//! Questions: how the body of a request becomes a value, however strange the body is.

use crate::connections::Activity;
use crate::error::ApiError;
use crate::limits::{BODY_PATIENCE, MOST_BODY_BYTES};
use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::de::DeserializeOwned;
use std::sync::Arc;

/// A JSON body, read with limits on its size and on the time it takes.
pub struct JsonBody<T>(pub T);

impl<T: DeserializeOwned, S: Sync> FromRequest<S> for JsonBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<JsonBody<T>, ApiError> {
        // Another site's page can send plain text without asking, but not JSON: this keeps strangers' pages out.
        let kind = request
            .headers()
            .get(header::CONTENT_TYPE)
            .and_then(|kind| kind.to_str().ok())
            .unwrap_or("");
        if kind.split(';').next().map(str::trim) != Some("application/json") {
            return Err(ApiError::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "the body is not labelled as JSON",
                "send the header content-type: application/json",
            ));
        }
        let activity = request.extensions().get::<Arc<Activity>>().cloned();
        let bytes = body(request).await?;
        if let Some(activity) = activity {
            activity.request_is_here();
        }
        serde_json::from_slice(&bytes)
            .map(JsonBody)
            .map_err(|error| ninefold_api::ApiError::malformed(&error).into())
    }
}

async fn body(request: Request) -> Result<Bytes, ApiError> {
    let too_large = || {
        let words = format!("the body is longer than {MOST_BODY_BYTES} bytes");
        ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, words, "send fewer puzzles at once")
    };
    let announced = request
        .headers()
        .get(header::CONTENT_LENGTH)
        .and_then(|length| length.to_str().ok()?.parse().ok());
    if announced.is_some_and(|length: u64| length > MOST_BODY_BYTES as u64) {
        return Err(too_large());
    }
    match tokio::time::timeout(
        BODY_PATIENCE,
        Limited::new(request.into_body(), MOST_BODY_BYTES).collect(),
    )
    .await
    {
        Err(_) => Err(ApiError::new(
            StatusCode::REQUEST_TIMEOUT,
            "the body took too long to arrive",
            "send it in one piece",
        )),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_large()),
        Ok(Err(error)) => Err(ApiError::new(
            StatusCode::BAD_REQUEST,
            format!("the body broke off: {error}"),
            "send it again",
        )),
        Ok(Ok(collected)) => Ok(collected.to_bytes()),
    }
}
