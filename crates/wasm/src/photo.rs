//! Puzzles from the pixels of an image, with weights that the host provides. The host decodes the
//! image, so this module contains no decoder.

use crate::locked;
use ninefold_api::{ApiError, photo};
use ninefold_vision::network::{Network, Weights};
use ninefold_vision::{GreyImage, Reader};
use serde_json::{Value, json};
use std::sync::Mutex;

static READER: Mutex<Option<Reader>> = Mutex::new(None);

/// Loads the weights of the digit network.
pub fn load_digits(weights: &[u8]) -> Result<Value, ApiError> {
    let weights = Weights::from_bytes(weights).map_err(|error| {
        ApiError::invalid(error.to_string(), "use the file digits.bin of this package")
    })?;
    *locked(&READER) = Some(Reader { network: Network::new(weights) });
    Ok(json!({}))
}

/// Reads the largest board of an image with four bytes per pixel: red, green, blue, alpha.
pub fn read(width: usize, height: usize, rgba: &[u8]) -> Result<Value, ApiError> {
    let reader = locked(&READER);
    let Some(reader) = &*reader else {
        let error = "the digit network has no weights yet";
        return Err(ApiError::new(
            409,
            error,
            "use the method `readImage`, which loads them first",
        ));
    };
    let image = GreyImage::from_rgba(width, height, rgba).map_err(|error| {
        ApiError::invalid(error.to_string(), "scale the image down and send all of its pixels")
    })?;
    photo::read(reader, &image)
}
