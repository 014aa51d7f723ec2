//! Decompresses files and decodes UTF-16. The compression format and the byte order are detected
//! from the first bytes.

use std::io::{self, BufRead, Read};

/// A compression format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the names are self-explanatory")]
pub enum Compression {
    None,
    Gzip,
    Zstd,
    Xz,
}

impl Compression {
    /// Detects the compression format from the first bytes of a file.
    pub fn detect(beginning: &[u8]) -> Compression {
        let starts_with = |magic: &[u8]| beginning.starts_with(magic);
        match () {
            () if starts_with(&[0x1f, 0x8b]) => Compression::Gzip,
            () if starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) => Compression::Zstd,
            () if starts_with(&[0xfd, b'7', b'z', b'X', b'Z', 0]) => Compression::Xz,
            () => Compression::None,
        }
    }
}

/// Decompresses a stream, and converts it to UTF-8 if it is UTF-16 with a byte order mark.
pub fn decompress<'a>(
    mut source: impl BufRead + Send + 'a,
) -> io::Result<(Compression, Box<dyn Read + Send + 'a>)> {
    let compression = Compression::detect(source.fill_buf()?);
    let text = match compression {
        Compression::None => decode_utf_16(source),
        #[cfg(feature = "gzip")]
        Compression::Gzip => {
            decode_utf_16(io::BufReader::new(flate2::bufread::MultiGzDecoder::new(source)))
        }
        #[cfg(feature = "zstd")]
        Compression::Zstd => decode_utf_16(io::BufReader::new(zstd::Frames::new(source))),
        #[cfg(feature = "xz")]
        Compression::Xz => {
            decode_utf_16(io::BufReader::new(lzma_rust2::XzReader::new(source, true)))
        }
        #[allow(unreachable_patterns, reason = "depends on the features")]
        other => {
            Err(io::Error::other(format!("this build does not support {other:?} compression")))
        }
    };
    Ok((compression, text?))
}

fn decode_utf_16<'a>(
    mut source: impl BufRead + Send + 'a,
) -> io::Result<Box<dyn Read + Send + 'a>> {
    let beginning = source.fill_buf()?;
    let is_big_endian = match beginning {
        [0xff, 0xfe, ..] => false,
        [0xfe, 0xff, ..] => true,
        _ => return Ok(Box::new(source)),
    };
    // The same two bytes may occur in a file with another encoding. In UTF-16, they are followed by
    // a character, here one below U+3000.
    let pair = |high: u8, low: u8| u16::from_be_bytes([high, low]);
    let next = match (beginning.get(2), beginning.get(3)) {
        (Some(&first), Some(&second)) if is_big_endian => Some(pair(first, second)),
        (Some(&first), Some(&second)) => Some(pair(second, first)),
        _ => None,
    };
    match next {
        Some(unit) if unit < 0x3000 => Ok(Box::new(Utf16 {
            source,
            is_big_endian,
            pending: Vec::new(),
            consumed: 0,
            is_started: false,
        })),
        _ => Ok(Box::new(source)),
    }
}

/// Converts UTF-16 to UTF-8. Unpaired surrogates become U+FFFD, and half a code unit at the end is
/// dropped.
struct Utf16<R> {
    source: R,
    is_big_endian: bool,
    /// Converted bytes, of which `consumed` were returned.
    pending: Vec<u8>,
    consumed: usize,
    is_started: bool,
}

impl<R: BufRead> Utf16<R> {
    fn fill(&mut self) -> io::Result<()> {
        let mut units = Vec::new();
        while units.len() < 4096 {
            let mut pair = [0; 2];
            match self.source.read_exact(&mut pair) {
                Ok(()) => {}
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => break,
                Err(error) => return Err(error),
            }
            let unit = if self.is_big_endian {
                u16::from_be_bytes(pair)
            } else {
                u16::from_le_bytes(pair)
            };
            units.push(unit);
            let is_line_end = unit == u16::from(b'\n');
            // Pass interactive input on line by line.
            if is_line_end && self.source.fill_buf()?.is_empty() {
                break;
            }
        }
        // Read the second half of a surrogate pair.
        if units.last().is_some_and(|unit| (0xd800..0xdc00).contains(unit)) {
            let mut pair = [0; 2];
            if self.source.read_exact(&mut pair).is_ok() {
                units.push(if self.is_big_endian {
                    u16::from_be_bytes(pair)
                } else {
                    u16::from_le_bytes(pair)
                });
            }
        }
        let skipped = usize::from(
            !std::mem::replace(&mut self.is_started, true) && units.first() == Some(&0xfeff),
        );
        self.pending = String::from_utf16_lossy(&units[skipped..]).into_bytes();
        self.consumed = 0;
        Ok(())
    }
}

impl<R: BufRead> Read for Utf16<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.consumed == self.pending.len() {
            self.fill()?;
        }
        let count = buffer.len().min(self.pending.len() - self.consumed);
        buffer[..count].copy_from_slice(&self.pending[self.consumed..self.consumed + count]);
        self.consumed += count;
        Ok(count)
    }
}

#[cfg(feature = "zstd")]
mod zstd {
    //! Decodes concatenated Zstandard frames.

    use ruzstd::decoding::FrameDecoder;
    use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
    use std::io::{self, BufRead, Read};

    pub(super) struct Frames<R> {
        source: R,
        decoder: FrameDecoder,
        is_open: bool,
    }

    impl<R: BufRead> Frames<R> {
        pub(super) fn new(source: R) -> Frames<R> {
            Frames { source, decoder: FrameDecoder::new(), is_open: false }
        }

        /// Opens the next frame; false at the end of the stream.
        fn open(&mut self) -> io::Result<bool> {
            loop {
                if self.source.fill_buf()?.is_empty() {
                    return Ok(false);
                }
                match self.decoder.reset(&mut self.source) {
                    Ok(()) => return Ok(true),
                    Err(FrameDecoderError::ReadFrameHeaderError(
                        ReadFrameHeaderError::SkipFrame { length, .. },
                    )) => {
                        io::copy(&mut (&mut self.source).take(length.into()), &mut io::sink())?;
                    }
                    Err(error) => {
                        return Err(io::Error::new(io::ErrorKind::InvalidData, error.to_string()));
                    }
                }
            }
        }
    }

    impl<R: BufRead> Read for Frames<R> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            loop {
                if !self.is_open {
                    self.is_open = self.open()?;
                    if !self.is_open {
                        return Ok(0);
                    }
                }
                while self.decoder.can_collect() < buffer.len() && !self.decoder.is_finished() {
                    let some = ruzstd::decoding::BlockDecodingStrategy::UptoBytes(buffer.len());
                    let decoded = self.decoder.decode_blocks(&mut self.source, some);
                    decoded.map_err(|error| {
                        io::Error::new(io::ErrorKind::InvalidData, error.to_string())
                    })?;
                }
                let count = self.decoder.read(buffer)?;
                if count > 0 || buffer.is_empty() {
                    return Ok(count);
                }
                self.is_open = false;
            }
        }
    }
}
