//! Errors of the API: a status, what is wrong, and a way on.

use ninefold::Conflict;
use serde_json::json;

/// Why a request is not answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiError {
    /// The status that a program reads, as HTTP numbers them.
    pub status: u16,
    /// What a person reads.
    pub error: String,
    /// What can be done about it.
    pub hint: String,
}

impl ApiError {
    /// An error with a way on.
    pub fn new(status: u16, error: impl Into<String>, hint: impl Into<String>) -> ApiError {
        ApiError { status, error: error.into(), hint: hint.into() }
    }

    /// The request is not JSON of the right form.
    pub fn malformed(error: &serde_json::Error) -> ApiError {
        let hint = "see /openapi.json for what is expected";
        ApiError::new(400, format!("the body does not have the expected form: {error}"), hint)
    }

    /// The request is well formed, but no puzzle we take.
    pub fn unusable(error: impl Into<String>, hint: impl Into<String>) -> ApiError {
        ApiError::new(422, error, hint)
    }

    /// There is nothing of this name.
    pub fn not_found(error: impl Into<String>, hint: impl Into<String>) -> ApiError {
        ApiError::new(404, error, hint)
    }

    /// The time was not enough.
    pub fn not_in_time(error: impl Into<String>, hint: impl Into<String>) -> ApiError {
        ApiError::new(503, error, hint)
    }

    /// Two equal digits share a house.
    pub fn conflict(conflict: &Conflict) -> ApiError {
        ApiError::unusable(conflict.to_string(), "one of the two is a slip; no grid can hold both")
    }

    /// Something in Ninefold broke.
    pub fn bug() -> ApiError {
        ApiError::new(
            500,
            "this is a bug in Ninefold",
            "please report the puzzle, so that it becomes a test",
        )
    }

    /// The body of the answer that says so.
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
