//! Errors of the API: an HTTP status, what is wrong, and what to do about it.

use ninefold::Conflict;
use ninefold::grid::ClassicOnlyError;
use serde_json::json;

/// Why a request failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiError {
    /// The HTTP status code.
    pub status: u16,
    /// What is wrong, for a person.
    pub error: String,
    /// What the person can do about it.
    pub hint: String,
}

impl ApiError {
    /// An error with this HTTP status code.
    pub fn new(status: u16, error: impl Into<String>, hint: impl Into<String>) -> ApiError {
        ApiError { status, error: error.into(), hint: hint.into() }
    }

    /// The body is not JSON, or has missing or unknown fields.
    pub fn malformed(error: &serde_json::Error) -> ApiError {
        let hint = "see /openapi.json for the expected form";
        ApiError::new(400, format!("the body does not have the expected form: {error}"), hint)
    }

    /// The request has the right form but its values are not valid.
    pub fn invalid(error: impl Into<String>, hint: impl Into<String>) -> ApiError {
        ApiError::new(422, error, hint)
    }

    /// There is nothing with this name.
    pub fn not_found(error: impl Into<String>, hint: impl Into<String>) -> ApiError {
        ApiError::new(404, error, hint)
    }

    /// The answer was not found in time, or the server has no capacity left. Trying again may help.
    pub fn unavailable(error: impl Into<String>, hint: impl Into<String>) -> ApiError {
        ApiError::new(503, error, hint)
    }

    /// Two equal digits share a house.
    pub fn conflict(conflict: &Conflict) -> ApiError {
        ApiError::invalid(conflict.to_string(), "one of the two digits is wrong; change it")
    }

    /// The request is only defined for classic Sudoku.
    pub fn classic_only(error: &ClassicOnlyError) -> ApiError {
        ApiError::invalid(error.to_string(), "solve and check accept puzzles with other rules")
    }

    /// A bug in Ninefold.
    pub fn bug() -> ApiError {
        ApiError::new(500, "this is a bug in Ninefold", "please report it together with the puzzle")
    }

    /// The error as the body of an answer.
    #[must_use]
    pub fn body(&self) -> serde_json::Value {
        json!({ "error": self.error, "hint": self.hint })
    }
}

impl std::fmt::Display for ApiError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.error)
    }
}

impl std::error::Error for ApiError {}
