//! How much a quadrilateral looks like a grid: the decisive question of the finder.
//!
//! The ink along the lines that a grid of this size would have is compared with the ink beside
//! them. Only points along the lines are sampled, so a score costs some ten thousand lookups.

use crate::geometry::{Projection, Quad};
use crate::grey::Plane;

/// Samples along the part of a line that borders one cell.
const SAMPLES: usize = 7;
/// Offsets from a line, in cells: on the line, and beside it.
const ON_LINE: [f32; 5] = [-0.09, -0.045, 0.0, 0.045, 0.09];
const BESIDE: [f32; 2] = [0.19, 0.25];

/// The difference between line and surroundings that counts fully. Darker lines count no more;
/// otherwise four thick box lines would outweigh the missing lines of a grid of another size, and
/// digits, which cover only parts of a line, would look like lines.
const CLEAR_RIDGE: f32 = 0.25;

/// About 1 for a clean grid, below 0.3 for anything else.
pub fn gridness(ink: &Plane, quad: &Quad, side: usize) -> f32 {
    let projection = Projection::new(quad);
    let (rows, worst_row) = direction(ink, &projection, side, false);
    let (columns, worst_column) = direction(ink, &projection, side, true);
    (rows + columns + worst_row.min(worst_column)) / 3.0
}

/// The mean and the least response of the lines in one direction.
fn direction(ink: &Plane, projection: &Projection, side: usize, turned: bool) -> (f32, f32) {
    let (mut sum, mut weights, mut worst) = (0.0, 0.0, f32::MAX);
    for line in 0..=side {
        let response = line_response(ink, projection, side, line, turned);
        let weight = if line == 0 || line == side { 1.3 } else { 1.0 };
        sum += weight * response;
        weights += weight;
        worst = worst.min(response);
    }
    (sum / weights, worst)
}

fn line_response(
    ink: &Plane,
    projection: &Projection,
    side: usize,
    line: usize,
    turned: bool,
) -> f32 {
    let segments = (0..side).map(|at| segment_response(ink, projection, side, line, turned, at));
    segments.sum::<f32>() / side as f32
}

/// The mean response of the part of a line that borders one cell.
fn segment_response(
    ink: &Plane,
    projection: &Projection,
    side: usize,
    line: usize,
    turned: bool,
    segment: usize,
) -> f32 {
    let cell = 1.0 / side as f32;
    let at = |along: f32, across: f32| {
        let (along, across) = (along * cell, across * cell);
        ink.nearest(if turned {
            projection.map(across, along)
        } else {
            projection.map(along, across)
        })
    };
    let most = |along: f32, offsets: &[f32], sign: f32| {
        let values = offsets.iter().map(|offset| at(along, line as f32 + sign * offset));
        values.fold(f32::MIN, f32::max)
    };
    let mut sum = 0.0;
    for sample in 0..SAMPLES {
        let along = segment as f32 + (sample as f32 + 0.5) / SAMPLES as f32;
        let (before, after) = (most(along, &BESIDE, -1.0), most(along, &BESIDE, 1.0));
        // The darker side has more weight, so the edge of a dark area does not count as a line. The
        // other side has some, because handwriting touches lines.
        let beside = 0.7 * before.max(after) + 0.3 * before.min(after);
        let ridge = most(along, &ON_LINE, 1.0) - beside;
        sum += (ridge / CLEAR_RIDGE).clamp(-0.8, 1.0);
    }
    sum / SAMPLES as f32
}

/// Whether every line inside the boxes of a 16×16 grid is clear along some cells. Beside numbers a line
/// is hardly visible, but every line has cells without numbers.
fn has_lines_inside_boxes(ink: &Plane, quad: &Quad) -> bool {
    const CLEAR_SEGMENTS: usize = 2;
    let projection = Projection::new(quad);
    (1..16).filter(|line| line % 4 != 0).all(|line| {
        [false, true].into_iter().all(|turned| {
            let is_clear =
                |&at: &usize| segment_response(ink, &projection, 16, line, turned, at) > 0.6;
            (0..16).filter(is_clear).count() >= CLEAR_SEGMENTS
        })
    })
}

/// The ink of an image in several resolutions. Scores use the one where cells are 18 to 36 pixels
/// wide, because a line must not fall between the samples.
pub struct Pyramid {
    levels: Vec<Plane>,
}

impl Pyramid {
    pub fn new(grey: &Plane) -> Pyramid {
        let mut levels = Vec::new();
        let mut plane = grey.clone();
        for _ in 0..3 {
            let radius = plane.width.max(plane.height) / 36;
            levels.push(crate::contrast::ink_map(&plane.blurred(), radius.max(3)));
            plane = plane.halved();
        }
        Pyramid { levels }
    }

    /// The score of a quadrilateral given in pixels of the finest level.
    pub fn gridness(&self, quad: &Quad, side: usize) -> f32 {
        let (ink, quad) = self.level(quad, side);
        gridness(ink, &quad, side)
    }

    /// See [`has_lines_inside_boxes`].
    pub fn has_lines_inside_boxes(&self, quad: &Quad) -> bool {
        let (ink, quad) = self.level(quad, 16);
        has_lines_inside_boxes(ink, &quad)
    }

    fn level(&self, quad: &Quad, side: usize) -> (&Plane, Quad) {
        let cell = quad.mean_side() / side as f32;
        let mut level = 0;
        while level + 1 < self.levels.len() && cell / (1 << level) as f32 > 36.0 {
            level += 1;
        }
        (&self.levels[level], quad.scaled(1.0 / (1 << level) as f32))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Point;

    fn drawn(side: usize, cell: usize) -> Plane {
        let size = (side + 2) * cell;
        let mut plane = Plane::filled(size, size, 240.0);
        for line in 0..=side {
            for at in 0..=side * cell {
                plane.data[(cell + line * cell) * size + cell + at] = 30.0;
                plane.data[(cell + at) * size + cell + line * cell] = 30.0;
            }
        }
        plane
    }

    fn square(from: f32, to: f32) -> Quad {
        Quad([
            Point::new(from, from),
            Point::new(to, from),
            Point::new(to, to),
            Point::new(from, to),
        ])
    }

    #[test]
    fn the_right_quadrilateral_wins() {
        let pyramid = Pyramid::new(&drawn(9, 20));
        let right = pyramid.gridness(&square(20.5, 200.5), 9);
        assert!(right > 0.7, "{right}");
        for wrong in [square(25.0, 205.0), square(20.5, 180.5), square(40.5, 200.5)] {
            assert!(pyramid.gridness(&wrong, 9) < right - 0.3);
        }
    }

    #[test]
    fn the_right_size_wins() {
        for (side, cell) in [(4, 40), (6, 26), (9, 20), (16, 16)] {
            let pyramid = Pyramid::new(&drawn(side, cell));
            let quad = square(cell as f32 + 0.5, (cell * (side + 1)) as f32 + 0.5);
            let score = |other: usize| pyramid.gridness(&quad, other);
            for other in [4, 6, 9, 16].into_iter().filter(|&other| other != side) {
                assert!(score(other) < score(side), "{side} {other}");
            }
        }
    }
}
