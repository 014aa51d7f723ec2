//! Reads lines of bounded length and numbers them.

use crate::error::{ReadError, ReadErrorKind};
use std::io::{BufRead, Read};

/// The maximum line length in bytes: all candidates of the largest grid take 800 thousand.
pub(crate) const LIMIT: usize = 1 << 20;

pub(crate) struct Lines<R> {
    source: R,
    number: u64,
    buffer: Vec<u8>,
}

/// A line without its line break.
pub(crate) struct Line {
    pub(crate) number: u64,
    pub(crate) text: String,
    /// False if the bytes were not UTF-8 and invalid ones were replaced.
    pub(crate) is_text: bool,
}

impl<R: BufRead> Lines<R> {
    pub(crate) fn new(source: R) -> Lines<R> {
        Lines { source, number: 0, buffer: Vec::new() }
    }

    pub(crate) fn source(&self) -> &R {
        &self.source
    }

    pub(crate) fn into_source(self) -> R {
        self.source
    }

    pub(crate) fn next(&mut self) -> Option<Result<Line, ReadError>> {
        self.buffer.clear();
        self.number += 1;
        let number = self.number;
        match (&mut self.source).take(LIMIT as u64 + 1).read_until(b'\n', &mut self.buffer) {
            Err(error) => return Some(Err(ReadErrorKind::Stream(error).at_line(number))),
            Ok(0) => return None,
            Ok(_) => {}
        }
        if self.buffer.len() > LIMIT && self.buffer.last() != Some(&b'\n') {
            let skipped = self.skip_rest();
            return Some(Err(skipped
                .map_or_else(ReadErrorKind::Stream, |()| ReadErrorKind::TooLong { limit: LIMIT })
                .at_line(number)));
        }
        let (line, is_text) = match str::from_utf8(&self.buffer) {
            Ok(line) => (line.trim_end_matches(['\n', '\r']).to_string(), true),
            Err(_) => (
                String::from_utf8_lossy(&self.buffer).trim_end_matches(['\n', '\r']).to_string(),
                false,
            ),
        };
        // Some editors write a byte order mark.
        let text = if number == 1 { line.trim_start_matches('\u{feff}').to_string() } else { line };
        Some(Ok(Line { number, text, is_text }))
    }

    /// The next line, which must be valid UTF-8.
    pub(crate) fn next_text(&mut self) -> Option<Result<(u64, String), ReadError>> {
        Some(match self.next()? {
            Ok(Line { number, text, is_text: true }) => Ok((number, text)),
            Ok(Line { number, .. }) => Err(ReadErrorKind::NotText.at_line(number)),
            Err(error) => Err(error),
        })
    }

    fn skip_rest(&mut self) -> std::io::Result<()> {
        loop {
            let bytes = self.source.fill_buf()?;
            let (used, is_end) = match bytes.iter().position(|&byte| byte == b'\n') {
                Some(end) => (end + 1, true),
                None => (bytes.len(), bytes.is_empty()),
            };
            self.source.consume(used);
            if is_end {
                return Ok(());
            }
        }
    }
}
