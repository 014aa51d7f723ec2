//! Local contrast: how much darker a pixel is than its surroundings.
//!
//! Shadows and lamps change the brightness over a page, but hardly within the width of a cell. So
//! ink is measured against the mean of a window and in units of its standard deviation.

use crate::grey::Plane;

/// Sums over rectangles in constant time.
pub struct Integral {
    stride: usize,
    sums: Vec<f64>,
}

impl Integral {
    pub fn new(plane: &Plane, value: impl Fn(f32) -> f64) -> Integral {
        let stride = plane.width + 1;
        let mut sums = vec![0.0; stride * (plane.height + 1)];
        for y in 0..plane.height {
            let mut row = 0.0;
            for x in 0..plane.width {
                row += value(plane.data[y * plane.width + x]);
                sums[(y + 1) * stride + x + 1] = sums[y * stride + x + 1] + row;
            }
        }
        Integral { stride, sums }
    }

    /// The mean over a window around a pixel, cut off at the edge of the image.
    pub fn mean(&self, x: usize, y: usize, radius: usize) -> f64 {
        let (width, height) = (self.stride - 1, self.sums.len() / self.stride - 1);
        let (left, right) = (x.saturating_sub(radius), (x + radius + 1).min(width));
        let (top, bottom) = (y.saturating_sub(radius), (y + radius + 1).min(height));
        let at = |x: usize, y: usize| self.sums[y * self.stride + x];
        let sum = at(right, bottom) - at(left, bottom) - at(right, top) + at(left, top);
        sum / ((right - left) * (bottom - top)) as f64
    }
}

/// Positive where a pixel is darker than its surroundings; from −1 to 3.
///
/// `radius` should be about the size of a cell.
pub fn ink_map(plane: &Plane, radius: usize) -> Plane {
    let means = Integral::new(plane, f64::from);
    let squares = Integral::new(plane, |value| f64::from(value) * f64::from(value));
    let mut data = Vec::with_capacity(plane.data.len());
    for y in 0..plane.height {
        for x in 0..plane.width {
            let mean = means.mean(x, y, radius);
            let variance = (squares.mean(x, y, radius) - mean * mean).max(1.0);
            let darker = mean as f32 - plane.data[y * plane.width + x];
            data.push((darker / (variance.sqrt() as f32 + 6.0)).clamp(-1.0, 3.0));
        }
    }
    Plane { width: plane.width, height: plane.height, data }
}

/// True where a pixel is darker than the mean of its window by more than `margin`.
pub fn dark_pixels(plane: &Plane, means: &Integral, radius: usize, margin: f32) -> Vec<bool> {
    let mut dark = Vec::with_capacity(plane.data.len());
    for y in 0..plane.height {
        for x in 0..plane.width {
            let mean = means.mean(x, y, radius) as f32;
            dark.push(plane.data[y * plane.width + x] < mean - margin);
        }
    }
    dark
}

/// Adds the neighbours of dark pixels, which closes gaps of two pixels.
pub fn dilated(dark: &[bool], width: usize) -> Vec<bool> {
    let mut wide = dark.to_vec();
    for (target, row) in wide.chunks_exact_mut(width).zip(dark.chunks_exact(width)) {
        for x in 0..width {
            target[x] = row[x] || (x > 0 && row[x - 1]) || (x + 1 < width && row[x + 1]);
        }
    }
    let rows: Vec<bool> = wide.clone();
    let height = dark.len() / width.max(1);
    for y in 0..height {
        for x in 0..width {
            let above = y > 0 && rows[(y - 1) * width + x];
            let below = y + 1 < height && rows[(y + 1) * width + x];
            wide[y * width + x] |= above || below;
        }
    }
    wide
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ink_does_not_depend_on_the_light() {
        let mut plane = Plane::filled(60, 60, 0.0);
        for y in 0..60 {
            for x in 0..60 {
                let paper = 80.0 + 2.5 * x as f32;
                plane.data[y * 60 + x] = if x % 12 == 6 { paper * 0.5 } else { paper };
            }
        }
        let ink = ink_map(&plane, 8);
        let at = |x: usize| ink.data[30 * 60 + x];
        assert!(at(18) > 1.0 && at(42) > 1.0, "{} {}", at(18), at(42));
        assert!(at(24) < 0.3 && at(36) < 0.3);
    }

    #[test]
    fn dilation_closes_a_gap_of_two_pixels() {
        let row = [true, false, false, true, false, false, false];
        let wide = dilated(&row, 7);
        assert_eq!(wide, [true, true, true, true, true, false, false]);
    }
}
