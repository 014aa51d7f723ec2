//! Errors of the API: a status, what is wrong, and a way on.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// Why a request is not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiError {
    /// The status that a program reads.
    pub status: StatusCode,
    /// What a person reads.
    pub error: String,
    /// What can be done about it.
    pub hint: String,
}

impl ApiError {
    /// An error with a way on.
    pub fn new(status: StatusCode, error: impl Into<String>, hint: impl Into<String>) -> ApiError {
        ApiError { status, error: error.into(), hint: hint.into() }
    }

    /// Something in Ninefold broke.
    pub fn bug() -> ApiError {
        ninefold_api::ApiError::bug().into()
    }
}

impl From<ninefold_api::ApiError> for ApiError {
    fn from(error: ninefold_api::ApiError) -> ApiError {
        let status =
            StatusCode::from_u16(error.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        ApiError { status, error: error.error, hint: error.hint }
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, Json(json!({ "error": self.error, "hint": self.hint }))).into_response()
    }
}
