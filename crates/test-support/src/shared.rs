//! The files of `../shared/data`: public puzzle lists, and what other programs answer.

use crate::Resource;
use flate2::read::MultiGzDecoder;
use std::io::Read;

/// A file of `../shared/data` as text; one that ends in `.gz` is unpacked.
///
/// # Panics
/// Where the file is absent: whoever asks for it is a test that needs [`Resource::SharedData`].
pub fn text(name: &str) -> String {
    let folder =
        Resource::SharedData.path().expect("a test that needs this folder runs only where it is");
    let bytes = std::fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut text = String::new();
    let read = match name.ends_with(".gz") {
        true => MultiGzDecoder::new(&bytes[..]).read_to_string(&mut text),
        false => (&bytes[..]).read_to_string(&mut text),
    };
    read.unwrap_or_else(|error| panic!("{name}: {error}"));
    text
}

/// The lines of a file of `../shared/data`.
pub fn lines(name: &str) -> Vec<String> {
    text(name).lines().map(str::to_string).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    /// A test body with a path of its own.
    pub(crate) fn a_body() {}
}
