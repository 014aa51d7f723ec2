//! A file whose damage costs neither time nor memory.
//!
//! The `parquet` crate believes the sizes in a file: it allocates as much as a page claims to have,
//! and it skips billions of numbers that would follow the end of the file. [`Source`] rejects both.

use super::ChunkReader;
use ::parquet::errors::{ParquetError, Result};
use ::parquet::file::reader::Length;
use bytes::Bytes;
use std::io::{self, Read};

/// Reads at the end of a file; more of them are an error.
const MAX_READS_AT_END: u32 = 16;

pub(super) struct Source<R>(pub R);

impl<R: ChunkReader> Length for Source<R> {
    fn len(&self) -> u64 {
        self.0.len()
    }
}

impl<R: ChunkReader> ChunkReader for Source<R> {
    type T = SourceReader<R::T>;

    fn get_read(&self, start: u64) -> Result<SourceReader<R::T>> {
        Ok(SourceReader { reader: self.0.get_read(start)?, reads_at_end: 0 })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        match start.checked_add(length as u64) {
            Some(end) if end <= self.len() => self.0.get_bytes(start, length),
            _ => Err(ParquetError::EOF(format!(
                "the file ends before byte {start} + {length}, where a page should end"
            ))),
        }
    }
}

pub(super) struct SourceReader<R> {
    reader: R,
    reads_at_end: u32,
}

impl<R: Read> Read for SourceReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        if count == 0 && !buffer.is_empty() {
            self.reads_at_end += 1;
            if self.reads_at_end > MAX_READS_AT_END {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn file() -> std::fs::File {
        let mut file = tempfile::tempfile().expect("a temporary file");
        file.write_all(&[7; 100]).expect("the file is writable");
        file
    }

    /// A file would reserve the memory first, and end the process if there is not enough.
    #[test]
    fn sizes_beyond_the_end_are_rejected_before_memory_is_reserved() {
        let source = Source(file());
        assert_eq!(
            source.get_bytes(90, 10).map_err(|error| error.to_string()),
            Ok(vec![7; 10].into())
        );
        for (start, length) in [(91, 10), (0, usize::MAX), (u64::MAX, 2)] {
            let error = source.get_bytes(start, length).unwrap_err().to_string();
            assert!(error.contains("the file ends before byte"), "{error}");
        }
    }

    #[test]
    fn skipping_numbers_at_the_end_ends() {
        let mut reader = Source(file()).get_read(96).expect("a reader");
        let mut skipped = 0;
        while io::copy(&mut reader.by_ref().take(8), &mut io::sink()).is_ok() {
            skipped += 1;
        }
        assert!(skipped <= MAX_READS_AT_END, "{skipped}");
    }
}
