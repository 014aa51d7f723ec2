//! A file whose damage costs neither time nor memory.
//!
//! The `parquet` crate believes the sizes in a file: it allocates as much as a page or a dictionary
//! claims to contain, and it skips billions of numbers that would follow the end of the file.
//! [`Source`] and [`Pages`] reject them.

use super::ChunkReader;
use ::parquet::column::page::{Page, PageMetadata, PageReader};
use ::parquet::errors::{ParquetError, Result};
use ::parquet::file::reader::Length;
use bytes::Bytes;
use std::io::{self, Read};

/// Reads at the end of a file; more of them are an error.
const MAX_READS_AT_END: u32 = 16;

/// The largest size of a decompressed page; writers make pages of about a megabyte.
const MAX_PAGE_BYTES: u64 = 256 << 20;

/// Bytes at the beginning of the head of a page that contain its decompressed size.
const SIZE_BYTES: usize = 22;

pub(super) struct Source<R>(pub R);

impl<R: ChunkReader> Length for Source<R> {
    fn len(&self) -> u64 {
        self.0.len()
    }
}

impl<R: ChunkReader> ChunkReader for Source<R> {
    type T = SourceReader<R::T>;

    fn get_read(&self, start: u64) -> Result<SourceReader<R::T>> {
        Ok(SourceReader { reader: self.0.get_read(start)?, reads_at_end: 0, first: Vec::new() })
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
    /// The first bytes, at most [`SIZE_BYTES`].
    first: Vec<u8>,
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
        if self.first.len() < SIZE_BYTES {
            let missing = SIZE_BYTES - self.first.len();
            self.first.extend_from_slice(&buffer[..count.min(missing)]);
            if page_size(&self.first).is_some_and(|size| size > MAX_PAGE_BYTES) {
                let message = "a page claims to contain more than 256 MiB";
                return Err(io::Error::new(io::ErrorKind::InvalidData, message));
            }
        }
        Ok(count)
    }
}

/// The decompressed size of a page, if these are the first bytes of its head: the fields 1 and 2 are
/// numbers, the kind of the page and its size. The head of another structure begins otherwise.
fn page_size(head: &[u8]) -> Option<u64> {
    /// The next field is a number, in Thrift's compact protocol.
    const NUMBER: u8 = 0x15;
    let (&NUMBER, rest) = head.split_first()? else { return None };
    let (_, rest) = number(rest)?;
    let (&NUMBER, rest) = rest.split_first()? else { return None };
    let (zigzag, _) = number(rest)?;
    // As the crate reads it: signs are interleaved, and digits beyond 32 bits are dropped.
    let size = (zigzag >> 1) as i64 ^ -((zigzag & 1) as i64);
    u64::try_from(size as i32).ok()
}

/// A number of variable length, and what follows.
fn number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let end = bytes.iter().take(10).position(|byte| byte & 0x80 == 0)?;
    let (digits, rest) = bytes.split_at(end + 1);
    Some((digits.iter().rev().fold(0, |sum, byte| (sum << 7) | u64::from(byte & 0x7f)), rest))
}

/// The pages of a column. A dictionary contains at most as many values as bytes.
pub(super) struct Pages(pub Box<dyn PageReader>);

impl PageReader for Pages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.0.get_next_page()?;
        match &page {
            Some(Page::DictionaryPage { buf, num_values, .. })
                if *num_values as usize > buf.len() =>
            {
                Err(ParquetError::General(format!(
                    "a dictionary of {} bytes cannot contain {num_values} values",
                    buf.len()
                )))
            }
            _ => Ok(page),
        }
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.0.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.0.skip_next_page()
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.0.at_record_boundary()
    }
}

impl Iterator for Pages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Result<Page>> {
        self.get_next_page().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::parquet::basic::Encoding;
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

    #[test]
    fn pages_of_more_than_256_mib_are_rejected_before_memory_is_reserved() {
        let read = |head: &[u8]| {
            let mut file = tempfile::tempfile().expect("a temporary file");
            file.write_all(head).expect("the file is writable");
            let mut bytes = Vec::new();
            // As the crate reads: byte by byte.
            let mut reader = Source(file).get_read(0).expect("a reader");
            while bytes.len() < head.len() {
                let mut byte = [0];
                reader.read_exact(&mut byte)?;
                bytes.push(byte[0]);
            }
            Ok::<_, io::Error>(bytes)
        };
        assert!(read(&[0x15, 0x04, 0x15, 0x14, 0x15, 0x18, 0x4c]).is_ok());
        // 1,430,190,782 bytes, as the fuzzer wrote it.
        let claim = [0x15, 0x00, 0x15, 0xfc, 0xea, 0xf7, 0xd3, 0xea, 0xfd, 0xeb, 0x00, 0x12];
        assert_eq!(page_size(&claim), Some(1_430_190_782));
        let error = read(&claim).unwrap_err();
        assert!(error.to_string().contains("256 MiB"), "{error}");
        assert_eq!(page_size(&[0x15, 0, 0x15, 0x80, 0x80, 0x80, 0x80, 0x02]), Some(MAX_PAGE_BYTES));
        assert_eq!(page_size(&[0x15, 0x00, 0x15, 0x01]), None, "negative");
        // The version of a table and its list of columns.
        assert_eq!(page_size(&[0x15, 0x02, 0x19, 0x6c, 0x48]), None);
        assert_eq!(page_size(&[0x15]), None);
    }

    /// One dictionary with eight bytes.
    struct Dictionary(u32);

    impl PageReader for Dictionary {
        fn get_next_page(&mut self) -> Result<Option<Page>> {
            let buf = Bytes::from_static(&[0; 8]);
            let (num_values, encoding) = (self.0, Encoding::PLAIN);
            Ok(Some(Page::DictionaryPage { buf, num_values, encoding, is_sorted: false }))
        }

        fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
            Ok(None)
        }

        fn skip_next_page(&mut self) -> Result<()> {
            Ok(())
        }
    }

    impl Iterator for Dictionary {
        type Item = Result<Page>;

        fn next(&mut self) -> Option<Result<Page>> {
            self.get_next_page().transpose()
        }
    }

    /// The reader of a column would allocate 16 bytes for each value, and end the process.
    #[test]
    fn dictionaries_with_more_values_than_bytes_are_rejected() {
        let next = |values| Pages(Box::new(Dictionary(values))).get_next_page();
        assert!(next(8).is_ok());
        let error = next(2_840_770_506).unwrap_err().to_string();
        assert!(error.contains("8 bytes cannot contain 2840770506 values"), "{error}");
    }
}
