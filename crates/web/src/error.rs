//! Errors of the API: a status, what is wrong, and a way on.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use ninefold::Conflict;
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

    /// The request is well formed, but no puzzle we take.
    pub fn unusable(error: impl Into<String>, hint: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, error, hint)
    }

    /// Two equal digits share a house.
    pub fn conflict(conflict: &Conflict) -> ApiError {
        ApiError::unusable(conflict.to_string(), "one of the two is a slip; no grid can hold both")
    }

    /// Something in Ninefold broke.
    pub fn bug() -> ApiError {
        let hint = "please report the puzzle, so that it becomes a test";
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "this is a bug in Ninefold", hint)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, Json(json!({ "error": self.error, "hint": self.hint }))).into_response()
    }
}
