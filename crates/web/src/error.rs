//! The HTTP response for an [`ApiError`].

use axum::Json;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use ninefold_api::ApiError;

/// Wraps an [`ApiError`], because the trait of axum cannot be implemented for a type of another
/// crate.
#[derive(Debug)]
pub struct ErrorResponse(ApiError);

impl<E: Into<ApiError>> From<E> for ErrorResponse {
    fn from(error: E) -> ErrorResponse {
        ErrorResponse(error.into())
    }
}

impl ErrorResponse {
    /// An error with a status from the HTTP standard.
    pub fn new(status: StatusCode, error: impl Into<String>, hint: impl Into<String>) -> Self {
        ErrorResponse(ApiError::new(status.as_u16(), error, hint))
    }
}

impl IntoResponse for ErrorResponse {
    fn into_response(self) -> Response {
        let status =
            StatusCode::from_u16(self.0.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let body = Json(self.0.body());
        // A client for which there is no room leaves its connection to others.
        match status {
            StatusCode::SERVICE_UNAVAILABLE => {
                (status, [(header::CONNECTION, "close")], body).into_response()
            }
            _ => (status, body).into_response(),
        }
    }
}
