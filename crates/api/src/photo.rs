//! Photo: a puzzle from the pixels of an image.
//!
//! The image is not JSON, so [`call`](crate::call) has no request for it: the server decodes an image
//! file, and the WebAssembly module gets the pixels that the browser has decoded.

use crate::error::ApiError;
use ninefold_vision::report::Report;
use ninefold_vision::{GreyImage, Reader};
use serde_json::{Value, json};

/// The largest board of an image: its digits with probabilities, and how far they can be trusted.
pub fn read(reader: &Reader, image: &GreyImage) -> Result<Value, ApiError> {
    let reading = reader.read(image).map_err(|error| {
        ApiError::invalid(
            error.to_string(),
            "the complete grid must be visible, and fill at least a fifth of the image",
        )
    })?;
    Ok(json!(Report::new(&reading)))
}
