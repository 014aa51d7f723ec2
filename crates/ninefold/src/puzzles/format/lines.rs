//! Lines of a stream with their numbers, none longer than a limit.

use super::{BadEntry, Reason};
use std::io::{BufRead, Read};

/// The longest line: the largest grid, its solution and a note fit many times over.
pub(super) const LIMIT: usize = 256 * 1024;

pub(super) struct Lines<R> {
    source: R,
    number: u64,
    buffer: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(source: R) -> Lines<R> {
        Lines { source, number: 0, buffer: Vec::new() }
    }

    pub(super) fn into_source(self) -> R {
        self.source
    }

    /// The next line with its number, without its end.
    pub(super) fn next(&mut self) -> Option<Result<(u64, String), BadEntry>> {
        self.buffer.clear();
        self.number += 1;
        let limited = (&mut self.source).take(LIMIT as u64 + 1).read_until(b'\n', &mut self.buffer);
        let number = self.number;
        match limited {
            Err(error) => return Some(Err(BadEntry::new(number, Reason::Stream(error)))),
            Ok(0) => return None,
            Ok(_) => {}
        }
        if self.buffer.len() > LIMIT && self.buffer.last() != Some(&b'\n') {
            return Some(Err(match self.skip_rest() {
                Err(error) => BadEntry::new(number, Reason::Stream(error)),
                Ok(()) => BadEntry::new(number, Reason::TooLong { limit: LIMIT }),
            }));
        }
        let line = match str::from_utf8(&self.buffer) {
            Ok(line) => line.trim_end_matches(['\n', '\r']),
            Err(_) => return Some(Err(BadEntry::new(number, Reason::NotText))),
        };
        // Some editors begin a file with a byte order mark.
        let line = if number == 1 { line.trim_start_matches('\u{feff}') } else { line };
        Some(Ok((number, line.to_string())))
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
