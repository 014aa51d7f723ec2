//! Decodes image files into grey pixels, within limits of memory.

use crate::grey::{GreyImage, MAX_PIXELS, grey_of};
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};
use std::io::Cursor;

/// A file that is not a readable image.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OpenImageError {
    #[error("not an image: JPEG, PNG and WebP files can be read")]
    NotAnImage,
    #[error("HEIC photos cannot be read; save the photo as JPEG or PNG")]
    Heic,
    #[error("the image has {width}x{height} pixels; at most {} million are read", limit / 1_000_000)]
    TooLarge { width: u32, height: u32, limit: usize },
    #[error("the {format} file is damaged or incomplete: {reason}")]
    Damaged { format: &'static str, reason: String },
}

/// Decodes a JPEG, PNG or WebP file and turns it upright according to its EXIF orientation.
pub fn open(bytes: &[u8]) -> Result<GreyImage, OpenImageError> {
    open_within(bytes, MAX_PIXELS)
}

/// Like [`open`], for images of at most `limit` pixels.
pub fn open_within(bytes: &[u8], limit: usize) -> Result<GreyImage, OpenImageError> {
    let format = detect(bytes)?;
    let name = match format {
        ImageFormat::Jpeg => "JPEG",
        ImageFormat::Png => "PNG",
        _ => "WebP",
    };
    let damaged = |error: ImageError| {
        let reason = error.to_string();
        // The messages of decoders span lines and start with the name of the format.
        let reason = reason.lines().next().unwrap_or_default().trim().to_string();
        OpenImageError::Damaged { format: name, reason }
    };
    if format == ImageFormat::Jpeg && !is_complete_jpeg(bytes) {
        let reason = "its end is missing".to_string();
        return Err(OpenImageError::Damaged { format: name, reason });
    }
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_alloc = Some(4 * limit as u64 + (64 << 20));
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(damaged)?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > limit as u64 {
        return Err(OpenImageError::TooLarge { width, height, limit });
    }
    let orientation = decoder.orientation().map_err(damaged)?;
    let mut image = DynamicImage::from_decoder(decoder).map_err(damaged)?;
    image.apply_orientation(orientation);
    Ok(to_grey(image))
}

/// Whether the last scan of a JPEG file has an end. The decoder fills what is missing with grey.
fn is_complete_jpeg(bytes: &[u8]) -> bool {
    const START_OF_SCAN: [u8; 2] = [0xFF, 0xDA];
    const END_OF_IMAGE: [u8; 2] = [0xFF, 0xD9];
    let last = |marker: [u8; 2]| bytes.windows(2).rposition(|pair| pair == marker);
    last(END_OF_IMAGE) > last(START_OF_SCAN)
}

/// True if the bytes start like an image file, also of a kind that cannot be read.
pub fn is_image(bytes: &[u8]) -> bool {
    !matches!(detect(bytes), Err(OpenImageError::NotAnImage))
}

fn detect(bytes: &[u8]) -> Result<ImageFormat, OpenImageError> {
    const HEIC: [&[u8]; 6] = [b"heic", b"heix", b"hevc", b"mif1", b"msf1", b"avif"];
    if bytes.starts_with(&[0xFF, 0xD8, 0xFF]) {
        Ok(ImageFormat::Jpeg)
    } else if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        Ok(ImageFormat::Png)
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        Ok(ImageFormat::WebP)
    } else if bytes.get(4..8) == Some(b"ftyp")
        && bytes.get(8..12).is_some_and(|brand| HEIC.contains(&brand))
    {
        Err(OpenImageError::Heic)
    } else {
        Err(OpenImageError::NotAnImage)
    }
}

fn to_grey(image: DynamicImage) -> GreyImage {
    let (width, height) = (image.width() as usize, image.height() as usize);
    let pixels: Vec<u8> = match &image {
        DynamicImage::ImageLuma8(grey) => grey.as_raw().clone(),
        DynamicImage::ImageRgb8(colour) => {
            colour.as_raw().chunks_exact(3).map(|p| grey_of(p[0], p[1], p[2], 255)).collect()
        }
        _ => {
            let colour = image.into_rgba8();
            colour.as_raw().chunks_exact(4).map(|p| grey_of(p[0], p[1], p[2], p[3])).collect()
        }
    };
    GreyImage::new(width, height, pixels).expect("the decoder returns all pixels")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(format: ImageFormat) -> Vec<u8> {
        let image = image::GrayImage::from_fn(40, 30, |x, y| image::Luma([(x * 5 + y) as u8]));
        let mut bytes = Cursor::new(Vec::new());
        image.write_to(&mut bytes, format).expect("memory can be written");
        bytes.into_inner()
    }

    #[test]
    fn reads_jpeg_and_png() {
        for format in [ImageFormat::Jpeg, ImageFormat::Png] {
            let image = open(&encoded(format)).unwrap();
            assert_eq!((image.width(), image.height()), (40, 30));
            assert!(image.pixels()[39].abs_diff(195) < 8);
        }
    }

    #[test]
    fn rejects_other_files_with_one_message() {
        assert_eq!(open(b"puzzle"), Err(OpenImageError::NotAnImage));
        assert_eq!(open(b""), Err(OpenImageError::NotAnImage));
        assert_eq!(open(b"\0\0\0\x18ftypheic\0\0\0\0"), Err(OpenImageError::Heic));
        assert!(is_image(b"\0\0\0\x18ftypheic\0\0\0\0"));
        assert!(!is_image(b"53..7...."));
    }

    #[test]
    fn rejects_truncated_files() {
        let png = encoded(ImageFormat::Png);
        let error = open(&png[..png.len() / 2]).unwrap_err();
        assert!(error.to_string().starts_with("the PNG file is damaged"), "{error}");
        let jpeg = encoded(ImageFormat::Jpeg);
        for length in [20, jpeg.len() * 2 / 3, jpeg.len() - 2] {
            let error = open(&jpeg[..length]).unwrap_err();
            assert!(error.to_string().starts_with("the JPEG file is damaged"), "{error}");
        }
    }

    #[test]
    fn rejects_a_small_file_with_huge_dimensions() {
        let mut png = encoded(ImageFormat::Png);
        // Width and height in the header chunk, and the checksum of the chunk.
        png[16..24].copy_from_slice(&[0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF]);
        let checksum = crc32(&png[12..29]);
        png[29..33].copy_from_slice(&checksum.to_be_bytes());
        assert!(
            matches!(open(&png), Err(OpenImageError::TooLarge { width: 65535, height: 65535, .. })),
            "{:?}",
            open(&png)
        );
    }

    fn crc32(bytes: &[u8]) -> u32 {
        !bytes.iter().fold(!0u32, |crc, &byte| {
            (0..8).fold(crc ^ u32::from(byte), |crc, _| {
                if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 }
            })
        })
    }
}
