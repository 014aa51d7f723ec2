//! Grey images: what every stage of the reader works on.
//!
//! `GreyImage` holds bytes as a camera gives them; `Plane` holds numbers and is sampled between
//! pixels.

use crate::geometry::Point;

/// The largest number of pixels that is accepted.
pub const MAX_PIXELS: usize = 64_000_000;

/// An image with one byte per pixel, 0 for black and 255 for white.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GreyImage {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

/// Pixels that do not form an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PixelsError {
    #[error("an image of {width}x{height} pixels needs {expected} bytes, found {found}")]
    WrongLength { width: usize, height: usize, expected: usize, found: usize },
    #[error("the image has {width}x{height} pixels; at most {} million are read", MAX_PIXELS / 1_000_000)]
    TooLarge { width: usize, height: usize },
}

impl GreyImage {
    /// An image from rows of pixels, top to bottom.
    pub fn new(width: usize, height: usize, pixels: Vec<u8>) -> Result<GreyImage, PixelsError> {
        let expected = width
            .checked_mul(height)
            .filter(|&count| count <= MAX_PIXELS)
            .ok_or(PixelsError::TooLarge { width, height })?;
        if pixels.len() != expected {
            let found = pixels.len();
            return Err(PixelsError::WrongLength { width, height, expected, found });
        }
        Ok(GreyImage { width, height, pixels })
    }

    /// An image from four bytes per pixel (red, green, blue, alpha), as a canvas provides them.
    /// Transparent pixels are shown on white.
    pub fn from_rgba(width: usize, height: usize, rgba: &[u8]) -> Result<GreyImage, PixelsError> {
        let pixels = rgba.chunks_exact(4).map(|p| grey_of(p[0], p[1], p[2], p[3])).collect();
        GreyImage::new(width, height, pixels)
    }

    pub fn width(&self) -> usize {
        self.width
    }

    pub fn height(&self) -> usize {
        self.height
    }

    pub fn pixels(&self) -> &[u8] {
        &self.pixels
    }

    /// The same image with dark and light exchanged.
    pub fn inverted(&self) -> GreyImage {
        let pixels = self.pixels.iter().map(|pixel| 255 - pixel).collect();
        GreyImage { pixels, ..*self }
    }

    /// An average over areas, scaled by a factor of at most 1.
    pub fn shrunk(&self, factor: f32) -> Plane {
        let width = ((self.width as f32 * factor).round() as usize).clamp(1, self.width.max(1));
        let height = ((self.height as f32 * factor).round() as usize).clamp(1, self.height.max(1));
        let columns = shares(self.width, width);
        let mut rows: Vec<f32> = Vec::with_capacity(width * self.height);
        for row in self.pixels.chunks_exact(self.width.max(1)) {
            rows.extend(columns.iter().map(|(start, weights)| {
                let pixels = &row[*start..*start + weights.len()];
                pixels.iter().zip(weights).map(|(&p, w)| f32::from(p) * w).sum::<f32>()
            }));
        }
        let mut data = vec![0.0; width * height];
        let targets = data.chunks_exact_mut(width);
        for (target, (start, weights)) in targets.zip(shares(self.height, height)) {
            for (row, weight) in weights.iter().enumerate() {
                let source = &rows[(start + row) * width..][..width];
                target.iter_mut().zip(source).for_each(|(t, s)| *t += s * weight);
            }
        }
        Plane { width, height, data }
    }

    /// The image as numbers, in its own size.
    pub fn to_plane(&self) -> Plane {
        let data = self.pixels.iter().map(|&pixel| f32::from(pixel)).collect();
        Plane { width: self.width, height: self.height, data }
    }
}

/// Luma of ITU-R BT.601, on white.
pub(crate) fn grey_of(red: u8, green: u8, blue: u8, alpha: u8) -> u8 {
    let luma = (299 * u32::from(red) + 587 * u32::from(green) + 114 * u32::from(blue)) / 1000;
    let alpha = u32::from(alpha);
    ((luma * alpha + 255 * (255 - alpha)) / 255) as u8
}

/// For each output pixel the first input pixel that it covers, and the share of each.
fn shares(from: usize, to: usize) -> Vec<(usize, Vec<f32>)> {
    let ratio = from as f64 / to as f64;
    let share = |output: usize| {
        let (start, end) = (output as f64 * ratio, (output + 1) as f64 * ratio);
        let first = start as usize;
        let last = (end.ceil() as usize).clamp(first + 1, from.max(first + 1));
        let overlap = |pixel: usize| {
            ((end.min(pixel as f64 + 1.0) - start.max(pixel as f64)).max(0.0) / ratio) as f32
        };
        (first, (first..last).map(overlap).collect())
    };
    (0..to).map(share).collect()
}

/// A rectangle of numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Plane {
    pub width: usize,
    pub height: usize,
    pub data: Vec<f32>,
}

impl Plane {
    pub fn filled(width: usize, height: usize, value: f32) -> Plane {
        Plane { width, height, data: vec![value; width * height] }
    }

    /// The value of the nearest pixel; 0 outside.
    pub fn nearest(&self, point: Point) -> f32 {
        let (x, y) = (point.x, point.y);
        if x >= 0.0 && y >= 0.0 {
            let (column, row) = (x as usize, y as usize);
            if column < self.width && row < self.height {
                return self.data[row * self.width + column];
            }
        }
        0.0
    }

    /// The value between four pixels; the nearest edge outside. Pixel centres are at half numbers.
    pub fn bilinear(&self, point: Point) -> f32 {
        let x = (point.x - 0.5).clamp(0.0, (self.width - 1) as f32);
        let y = (point.y - 0.5).clamp(0.0, (self.height - 1) as f32);
        let (column, row) = (x as usize, y as usize);
        let (right, below) = ((column + 1).min(self.width - 1), (row + 1).min(self.height - 1));
        let (fx, fy) = (x - column as f32, y - row as f32);
        let at = |row: usize, column: usize| self.data[row * self.width + column];
        let top = at(row, column) + (at(row, right) - at(row, column)) * fx;
        let bottom = at(below, column) + (at(below, right) - at(below, column)) * fx;
        top + (bottom - top) * fy
    }

    /// Halves both sides by averaging four pixels.
    pub fn halved(&self) -> Plane {
        let (width, height) = ((self.width / 2).max(1), (self.height / 2).max(1));
        let at = |x: usize, y: usize| {
            self.data[y.min(self.height - 1) * self.width + x.min(self.width - 1)]
        };
        let mut data = Vec::with_capacity(width * height);
        for y in (0..height).map(|y| 2 * y) {
            data.extend(
                (0..width)
                    .map(|x| 2 * x)
                    .map(|x| 0.25 * (at(x, y) + at(x + 1, y) + at(x, y + 1) + at(x + 1, y + 1))),
            );
        }
        Plane { width, height, data }
    }

    /// A binomial blur with the weights 1 2 1 in both directions.
    pub fn blurred(&self) -> Plane {
        let (width, height) = (self.width, self.height);
        let mut rows = vec![0.0f32; self.data.len()];
        for (target, row) in rows.chunks_exact_mut(width).zip(self.data.chunks_exact(width)) {
            for x in 0..width {
                let (left, right) = (x.saturating_sub(1), (x + 1).min(width - 1));
                target[x] = 0.25 * (row[left] + row[right]) + 0.5 * row[x];
            }
        }
        let mut data = Vec::with_capacity(self.data.len());
        for y in 0..height {
            let above = &rows[y.saturating_sub(1) * width..][..width];
            let below = &rows[(y + 1).min(height - 1) * width..][..width];
            let middle = &rows[y * width..][..width];
            data.extend((0..width).map(|x| 0.25 * (above[x] + below[x]) + 0.5 * middle[x]));
        }
        Plane { width, height, data }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_pixels_of_the_wrong_number() {
        assert!(GreyImage::new(3, 2, vec![0; 6]).is_ok());
        let error = GreyImage::new(3, 2, vec![0; 5]).unwrap_err();
        assert_eq!(error.to_string(), "an image of 3x2 pixels needs 6 bytes, found 5");
        assert!(GreyImage::new(1 << 20, 1 << 20, Vec::new()).is_err());
        assert!(GreyImage::new(usize::MAX, 2, Vec::new()).is_err());
    }

    #[test]
    fn shrinking_keeps_the_mean() {
        let pixels: Vec<u8> = (0..70 * 45).map(|i| (i * 37 % 251) as u8).collect();
        let mean = pixels.iter().map(|&p| f32::from(p)).sum::<f32>() / pixels.len() as f32;
        let small = GreyImage::new(70, 45, pixels).unwrap().shrunk(0.4);
        assert_eq!((small.width, small.height), (28, 18));
        let small_mean = small.data.iter().sum::<f32>() / small.data.len() as f32;
        assert!((mean - small_mean).abs() < 0.1, "{mean} {small_mean}");
    }

    #[test]
    fn transparent_pixels_are_white() {
        let image = GreyImage::from_rgba(2, 1, &[0, 0, 0, 0, 0, 0, 0, 255]).unwrap();
        assert_eq!(image.pixels(), [255, 0]);
    }

    #[test]
    fn bilinear_meets_pixel_centres() {
        let plane = Plane { width: 2, height: 2, data: vec![1.0, 3.0, 5.0, 7.0] };
        assert_eq!(plane.bilinear(Point::new(1.5, 0.5)), 3.0);
        assert_eq!(plane.bilinear(Point::new(1.0, 1.0)), 4.0);
        assert_eq!(plane.bilinear(Point::new(-9.0, 9.0)), 5.0);
    }
}
