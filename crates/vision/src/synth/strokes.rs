//! Digits as strokes of a pen: a small built-in font, and with variation a model of handwriting.

use super::canvas::{Affine, Canvas};
use super::{normal, uniform};
use crate::geometry::Point;
use ninefold::random::Random;

/// A stroke through points in a box of height 1; `true` if it is a smooth curve.
type Stroke = (bool, &'static [(f32, f32)]);

/// The ways to write each digit from 0 to 9. The first one is the built-in font.
const SHAPES: [&[&[Stroke]]; 10] = [
    &[&[(
        true,
        &[(0.5, 0.0), (0.17, 0.28), (0.2, 0.8), (0.5, 1.0), (0.8, 0.75), (0.82, 0.25), (0.5, 0.0)],
    )]],
    &[
        &[(false, &[(0.3, 0.2), (0.55, 0.0), (0.55, 1.0)])],
        &[(false, &[(0.5, 0.0), (0.5, 1.0)])],
        &[(false, &[(0.3, 0.2), (0.52, 0.0), (0.52, 1.0)]), (false, &[(0.25, 1.0), (0.8, 1.0)])],
        &[(false, &[(0.15, 0.45), (0.55, 0.0), (0.5, 1.0)])],
    ],
    &[
        &[
            (
                true,
                &[(0.15, 0.25), (0.3, 0.03), (0.6, 0.02), (0.78, 0.24), (0.6, 0.52), (0.12, 0.98)],
            ),
            (false, &[(0.12, 0.98), (0.85, 0.98)]),
        ],
        &[(
            true,
            &[
                (0.15, 0.2),
                (0.4, 0.0),
                (0.75, 0.15),
                (0.65, 0.5),
                (0.2, 0.92),
                (0.12, 0.98),
                (0.3, 0.85),
                (0.6, 0.95),
                (0.92, 0.93),
            ],
        )],
    ],
    &[
        &[
            (true, &[(0.15, 0.12), (0.45, 0.0), (0.78, 0.2), (0.6, 0.42), (0.38, 0.47)]),
            (true, &[(0.38, 0.47), (0.75, 0.58), (0.8, 0.82), (0.5, 1.0), (0.12, 0.9)]),
        ],
        &[
            (false, &[(0.15, 0.02), (0.8, 0.02), (0.42, 0.4)]),
            (true, &[(0.42, 0.4), (0.8, 0.55), (0.78, 0.88), (0.45, 1.0), (0.12, 0.9)]),
        ],
    ],
    &[
        &[(false, &[(0.65, 1.0), (0.65, 0.0), (0.1, 0.68), (0.9, 0.68)])],
        &[(false, &[(0.3, 0.0), (0.12, 0.58), (0.85, 0.56)]), (false, &[(0.65, 0.2), (0.6, 1.0)])],
        &[
            (true, &[(0.2, 0.0), (0.15, 0.4), (0.4, 0.55), (0.75, 0.45)]),
            (false, &[(0.78, 0.0), (0.72, 1.0)]),
        ],
    ],
    &[
        &[
            (false, &[(0.8, 0.02), (0.25, 0.02), (0.2, 0.44)]),
            (true, &[(0.2, 0.44), (0.5, 0.36), (0.82, 0.62), (0.7, 0.92), (0.4, 1.0), (0.12, 0.9)]),
        ],
        &[(
            true,
            &[
                (0.85, 0.03),
                (0.35, 0.05),
                (0.25, 0.4),
                (0.6, 0.45),
                (0.75, 0.7),
                (0.5, 0.98),
                (0.15, 0.95),
            ],
        )],
    ],
    &[
        &[(
            true,
            &[
                (0.7, 0.0),
                (0.32, 0.28),
                (0.16, 0.7),
                (0.35, 0.98),
                (0.68, 0.95),
                (0.8, 0.7),
                (0.55, 0.5),
                (0.2, 0.66),
            ],
        )],
        &[(
            true,
            &[
                (0.5, 0.0),
                (0.2, 0.5),
                (0.25, 0.95),
                (0.6, 0.98),
                (0.72, 0.78),
                (0.5, 0.65),
                (0.22, 0.85),
            ],
        )],
    ],
    &[
        &[(false, &[(0.1, 0.02), (0.85, 0.02), (0.4, 1.0)])],
        &[
            (false, &[(0.1, 0.04), (0.85, 0.02), (0.45, 1.0)]),
            (false, &[(0.25, 0.52), (0.75, 0.48)]),
        ],
        &[(true, &[(0.1, 0.15), (0.3, 0.05), (0.8, 0.05), (0.6, 0.4), (0.45, 1.0)])],
    ],
    &[
        &[(
            true,
            &[
                (0.5, 0.48),
                (0.2, 0.3),
                (0.3, 0.03),
                (0.68, 0.02),
                (0.8, 0.26),
                (0.5, 0.48),
                (0.15, 0.74),
                (0.3, 0.98),
                (0.7, 0.98),
                (0.85, 0.75),
                (0.5, 0.48),
            ],
        )],
        &[(
            true,
            &[
                (0.78, 0.12),
                (0.45, 0.0),
                (0.2, 0.2),
                (0.5, 0.47),
                (0.82, 0.75),
                (0.5, 1.0),
                (0.15, 0.78),
                (0.5, 0.5),
                (0.8, 0.12),
            ],
        )],
    ],
    &[
        &[(
            true,
            &[
                (0.8, 0.32),
                (0.5, 0.52),
                (0.18, 0.35),
                (0.3, 0.05),
                (0.65, 0.02),
                (0.82, 0.28),
                (0.72, 0.7),
                (0.35, 1.0),
            ],
        )],
        &[
            (
                true,
                &[(0.75, 0.3), (0.4, 0.48), (0.15, 0.25), (0.4, 0.0), (0.75, 0.14), (0.76, 0.3)],
            ),
            (false, &[(0.76, 0.1), (0.72, 1.0)]),
        ],
    ],
];

/// How a digit is written.
#[derive(Clone, Copy, Debug)]
pub struct Pen {
    /// Half the width of a stroke, in pixels.
    pub radius: f32,
    pub ink: f32,
    /// How far points move from the built-in shape, as a share of the height.
    pub wobble: f32,
}

/// Draws a digit of the built-in font, `height` pixels high.
pub fn draw(canvas: &mut Canvas, digit: u8, centre: Point, height: f32, ink: f32) {
    let place = Affine::new(centre, 0.0, 0.0, height * 0.8, height);
    let pen = Pen { radius: height * 0.055, ink, wobble: 0.0 };
    trace(canvas, SHAPES[usize::from(digit)][0], &place, &pen, &mut Random::new(0));
}

/// Draws a number with the built-in font; numbers above 9 have two narrower digits.
pub fn draw_number(canvas: &mut Canvas, number: u8, centre: Point, height: f32, ink: f32) {
    if number < 10 {
        return draw(canvas, number, centre, height, ink);
    }
    let offset = Point::new(height * 0.33, 0.0);
    draw(canvas, number / 10, centre - offset, height * 0.8, ink);
    draw(canvas, number % 10, centre + offset, height * 0.8, ink);
}

/// Draws a digit by hand: one of its shapes with random shifts, slant and width.
pub fn write(
    canvas: &mut Canvas,
    digit: u8,
    centre: Point,
    height: f32,
    pen: &Pen,
    random: &mut Random,
) {
    let shapes = SHAPES[usize::from(digit)];
    let shape = shapes[random.below(shapes.len())];
    let width = height * uniform(random, 0.55, 0.95);
    let (angle, slant) = (normal(random, 0.09), normal(random, 0.14) - 0.06);
    trace(canvas, shape, &Affine::new(centre, angle, slant, width, height), pen, random);
}

fn trace(canvas: &mut Canvas, shape: &[Stroke], place: &Affine, pen: &Pen, random: &mut Random) {
    for (smooth, points) in shape {
        let points: Vec<Point> = points
            .iter()
            .map(|&(x, y)| {
                let wobble = Point::new(
                    normal(random, f64::from(pen.wobble)),
                    normal(random, f64::from(pen.wobble)),
                );
                place.map(Point::new(x - 0.5, y - 0.5) + wobble)
            })
            .collect();
        let path = if *smooth { curve(&points) } else { points };
        for pair in path.windows(2) {
            canvas.line(pair[0], pair[1], pen.radius, pen.ink);
        }
    }
}

/// A Catmull-Rom spline through the points, as short lines.
fn curve(points: &[Point]) -> Vec<Point> {
    let last = points.len() - 1;
    let mut path = vec![points[0]];
    for i in 0..last {
        let (p0, p1) = (points[i.saturating_sub(1)], points[i]);
        let (p2, p3) = (points[i + 1], points[(i + 2).min(last)]);
        for step in 1..=5 {
            let t = step as f32 / 5.0;
            let weights = [
                -0.5 * t + t * t - 0.5 * t * t * t,
                1.0 - 2.5 * t * t + 1.5 * t * t * t,
                0.5 * t + 2.0 * t * t - 1.5 * t * t * t,
                -0.5 * t * t + 0.5 * t * t * t,
            ];
            let parts = [p0, p1, p2, p3].into_iter().zip(weights);
            path.push(parts.fold(Point::default(), |sum, (point, w)| sum + point.scaled(w)));
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_differ_and_are_reproducible() {
        let drawn = |digit: u8, seed: u64| {
            let mut canvas = Canvas::new(40, 40);
            let pen = Pen { radius: 1.5, ink: 1.0, wobble: 0.03 };
            let centre = Point::new(20.0, 20.0);
            write(&mut canvas, digit, centre, 28.0, &pen, &mut Random::new(seed));
            canvas.plane.data
        };
        for digit in 1..=9 {
            assert_eq!(drawn(digit, 1), drawn(digit, 1));
            assert_ne!(drawn(digit, 1), drawn(digit, 2));
            let ink: f32 = drawn(digit, 3).iter().sum();
            assert!(ink > 40.0, "{digit}: {ink}");
        }
    }
}
