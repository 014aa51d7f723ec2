//! A sheet of ink that lines and glyphs are drawn on.

use crate::geometry::Point;
use crate::grey::Plane;

/// Ink from 0 for none; later drawings cover earlier ones only where they are darker.
#[derive(Clone, Debug)]
pub struct Canvas {
    pub plane: Plane,
}

/// A linear map followed by a shift.
#[derive(Clone, Copy, Debug)]
pub struct Affine {
    pub x: [f32; 3],
    pub y: [f32; 3],
}

impl Affine {
    /// Turns by an angle, slants and scales around the origin, then moves it to `centre`.
    pub fn new(centre: Point, angle: f32, slant: f32, width: f32, height: f32) -> Affine {
        let (sin, cos) = angle.sin_cos();
        Affine {
            x: [cos * width, (cos * slant - sin) * height, centre.x],
            y: [sin * width, (sin * slant + cos) * height, centre.y],
        }
    }

    pub fn map(&self, point: Point) -> Point {
        Point::new(
            self.x[0] * point.x + self.x[1] * point.y + self.x[2],
            self.y[0] * point.x + self.y[1] * point.y + self.y[2],
        )
    }

    /// The map back; the linear part must not be singular.
    pub fn inverse(&self) -> Affine {
        let ([a, b, e], [c, d, f]) = (self.x, self.y);
        let factor = 1.0 / (a * d - b * c);
        let (a, b, c, d) = (d * factor, -b * factor, -c * factor, a * factor);
        Affine { x: [a, b, -(a * e + b * f)], y: [c, d, -(c * e + d * f)] }
    }
}

impl Canvas {
    pub fn new(width: usize, height: usize) -> Canvas {
        Canvas { plane: Plane::filled(width, height, 0.0) }
    }

    /// Draws a straight line with round ends.
    pub fn line(&mut self, from: Point, to: Point, radius: f32, ink: f32) {
        let reach = radius + 1.0;
        let along = to - from;
        let length = (along.x * along.x + along.y * along.y).max(1e-9);
        let (width, height) = (self.plane.width, self.plane.height);
        let range = |a: f32, b: f32, end: usize| {
            let low = (a.min(b) - reach).max(0.0) as usize;
            low..((a.max(b) + reach).max(0.0) as usize + 1).min(end)
        };
        for y in range(from.y, to.y, height) {
            for x in range(from.x, to.x, width) {
                let at = Point::new(x as f32 + 0.5, y as f32 + 0.5);
                let offset = at - from;
                let share = ((offset.x * along.x + offset.y * along.y) / length).clamp(0.0, 1.0);
                let distance = (at - from.toward(to, share)).length();
                let value = (radius + 0.5 - distance).clamp(0.0, 1.0) * ink;
                let pixel = &mut self.plane.data[y * width + x];
                *pixel = pixel.max(value);
            }
        }
    }

    /// Draws a mask with values from 0 to 1. `place` maps coordinates relative to the centre of the
    /// mask, in its pixels, to the canvas.
    pub fn mask(&mut self, mask: &Plane, place: &Affine, ink: f32) {
        let (half_width, half_height) = (mask.width as f32 / 2.0, mask.height as f32 / 2.0);
        let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .map(|(x, y)| place.map(Point::new(x * half_width, y * half_height)));
        let back = place.inverse();
        let (width, height) = (self.plane.width, self.plane.height);
        let range = |key: fn(&Point) -> f32, end: usize| {
            let low = corners.iter().map(key).fold(f32::MAX, f32::min).max(0.0) as usize;
            let high = corners.iter().map(key).fold(f32::MIN, f32::max).max(0.0) as usize + 1;
            low..high.min(end)
        };
        for y in range(|p| p.y, height) {
            for x in range(|p| p.x, width) {
                let at = back.map(Point::new(x as f32 + 0.5, y as f32 + 0.5));
                if at.x.abs() < half_width && at.y.abs() < half_height {
                    let value =
                        mask.bilinear(Point::new(at.x + half_width, at.y + half_height)) * ink;
                    let pixel = &mut self.plane.data[y * width + x];
                    *pixel = pixel.max(value);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_undoes_the_map() {
        let map = Affine::new(Point::new(5.0, -2.0), 0.4, 0.2, 1.5, 0.7);
        let point = Point::new(3.0, 8.0);
        assert!((map.inverse().map(map.map(point)) - point).length() < 1e-4);
    }

    #[test]
    fn lines_have_their_width() {
        let mut canvas = Canvas::new(20, 20);
        canvas.line(Point::new(2.0, 10.0), Point::new(18.0, 10.0), 2.0, 1.0);
        let column: f32 = (0..20).map(|y| canvas.plane.data[y * 20 + 10]).sum();
        assert!((column - 4.0).abs() < 0.1, "{column}");
    }
}
