//! Stub of `photo.rs` for the small engine, which does not read photos.

use ninefold_api::ApiError;
use serde_json::Value;

pub fn load_digits(_: &[u8]) -> Result<Value, ApiError> {
    Err(ApiError::new(501, "the small engine does not read photos", "load the full engine"))
}

pub fn read(_: usize, _: usize, _: &[u8]) -> Result<Value, ApiError> {
    load_digits(&[])
}
