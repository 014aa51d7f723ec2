//! The files in `../shared/data`: public puzzle lists and the results of other programs.

use crate::Resource;
use flate2::read::MultiGzDecoder;
use std::io::Read;

/// Reads a file in `../shared/data`, decompressing names that end in `.gz`.
///
/// # Panics
/// If the file is missing. Only tests that need [`Resource::SharedData`] may call this.
pub fn text(name: &str) -> String {
    let directory = Resource::SharedData.path().expect("the test requires SharedData");
    let bytes =
        std::fs::read(directory.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut text = String::new();
    let read = match name.ends_with(".gz") {
        true => MultiGzDecoder::new(&bytes[..]).read_to_string(&mut text),
        false => (&bytes[..]).read_to_string(&mut text),
    };
    read.unwrap_or_else(|error| panic!("{name}: {error}"));
    text
}

/// The lines of a file in `../shared/data`.
pub fn lines(name: &str) -> Vec<String> {
    text(name).lines().map(str::to_string).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    pub(crate) fn empty_test() {}
}
