//! What lies around a file: gzip, zstd or xz, and UTF-16. Each is known by its first bytes.

use std::io::{self, BufRead, Read};

/// How a file is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "these are names of their own")]
pub enum Packing {
    Plain,
    Gzip,
    Zstd,
    Xz,
}

impl Packing {
    /// The packing of a file with this beginning.
    pub fn detect(beginning: &[u8]) -> Packing {
        let starts_with = |magic: &[u8]| beginning.starts_with(magic);
        match () {
            () if starts_with(&[0x1f, 0x8b]) => Packing::Gzip,
            () if starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) => Packing::Zstd,
            () if starts_with(&[0xfd, b'7', b'z', b'X', b'Z', 0]) => Packing::Xz,
            () => Packing::Plain,
        }
    }
}

/// The bytes of a file without its packing, as UTF-8 if they were UTF-16 with a byte order mark.
pub fn unpack<'a>(
    mut source: impl BufRead + Send + 'a,
) -> io::Result<(Packing, Box<dyn Read + Send + 'a>)> {
    let packing = Packing::detect(source.fill_buf()?);
    let text = match packing {
        Packing::Plain => in_utf_8(source),
        #[cfg(feature = "gzip")]
        Packing::Gzip => in_utf_8(io::BufReader::new(flate2::bufread::MultiGzDecoder::new(source))),
        #[cfg(feature = "zstd")]
        Packing::Zstd => in_utf_8(io::BufReader::new(zstd::Frames::new(source))),
        #[cfg(feature = "xz")]
        Packing::Xz => in_utf_8(io::BufReader::new(lzma_rust2::XzReader::new(source, true))),
        #[allow(unreachable_patterns, reason = "depends on the features")]
        other => Err(io::Error::other(format!(
            "files packed with {other:?} are not supported by this build"
        ))),
    };
    Ok((packing, text?))
}

fn in_utf_8<'a>(mut source: impl BufRead + Send + 'a) -> io::Result<Box<dyn Read + Send + 'a>> {
    let beginning = source.fill_buf()?;
    let is_big_endian = match beginning {
        [0xff, 0xfe, ..] => false,
        [0xfe, 0xff, ..] => true,
        _ => return Ok(Box::new(source)),
    };
    // Two odd bytes in a line of a list are not the beginning of a text in UTF-16, whose next bytes are a sign.
    let pair = |high: u8, low: u8| u16::from_be_bytes([high, low]);
    let next = match (beginning.get(2), beginning.get(3)) {
        (Some(&first), Some(&second)) if is_big_endian => Some(pair(first, second)),
        (Some(&first), Some(&second)) => Some(pair(second, first)),
        _ => None,
    };
    match next {
        Some(sign) if sign < 0x3000 => Ok(Box::new(Utf16 {
            source,
            is_big_endian,
            waiting: Vec::new(),
            given: 0,
            is_started: false,
        })),
        _ => Ok(Box::new(source)),
    }
}

/// UTF-16 read as UTF-8; half a sign at the end and single surrogates become signs that no format knows.
struct Utf16<R> {
    source: R,
    is_big_endian: bool,
    /// UTF-8 that was not asked for yet.
    waiting: Vec<u8>,
    given: usize,
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
            // What was typed is passed on line by line.
            if is_line_end && self.source.fill_buf()?.is_empty() {
                break;
            }
        }
        // A pair of surrogates must not be torn apart.
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
        self.waiting = String::from_utf16_lossy(&units[skipped..]).into_bytes();
        self.given = 0;
        Ok(())
    }
}

impl<R: BufRead> Read for Utf16<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.given == self.waiting.len() {
            self.fill()?;
        }
        let count = buffer.len().min(self.waiting.len() - self.given);
        buffer[..count].copy_from_slice(&self.waiting[self.given..self.given + count]);
        self.given += count;
        Ok(count)
    }
}

#[cfg(feature = "zstd")]
mod zstd {
    //! Frames of Zstandard, one after the other.

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

        /// Opens the next frame; false at the end.
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
