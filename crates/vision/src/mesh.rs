//! The crossings of the grid lines, also on curved pages.
//!
//! Every segment of a line is moved to where the ink is, and a parabola through the segments of a
//! line removes outliers. Two rounds: the second starts from the curved lines of the first.

use crate::contrast::ink_map;
use crate::find::FoundGrid;
use crate::geometry::{Point, Projection};
use crate::grey::{GreyImage, Plane};

/// The width of a cell in the image that is measured, in pixels.
const CELL: f32 = 36.0;

/// Crossings of grid lines in pixels of `image`, a part of the photo in a suitable scale.
pub struct Mesh {
    pub side: usize,
    /// `side + 1` rows of `side + 1` crossings.
    nodes: Vec<Point>,
    /// The image with dark digits, scaled so that cells have about 36 pixels.
    pub image: Plane,
    /// Pixels of `image` for each pixel of the photo.
    pub scale: f32,
    /// How thick and dark each segment is: those of horizontal lines, then the vertical ones.
    strengths: [Vec<f32>; 2],
}

impl Mesh {
    pub fn new(photo: &GreyImage, grid: &FoundGrid) -> Mesh {
        let cell = grid.quad.mean_side() / grid.side as f32;
        let scale = (CELL / cell).min(1.0);
        let mut image = photo.shrunk(scale);
        if grid.is_dark {
            image.data.iter_mut().for_each(|value| *value = 255.0 - *value);
        }
        let scale = image.width as f32 / photo.width() as f32;
        let projection = Projection::new(&grid.quad.scaled(scale));
        let side = grid.side;
        let step = 1.0 / side as f32;
        let nodes = (0..=side)
            .flat_map(|row| (0..=side).map(move |column| (row, column)))
            .map(|(row, column)| projection.map(column as f32 * step, row as f32 * step))
            .collect();
        let mut mesh = Mesh { side, nodes, image, scale, strengths: Default::default() };
        let ink = ink_map(&mesh.image.blurred(), (cell * scale) as usize);
        mesh.refine(&ink, 0.16);
        mesh.refine(&ink, 0.10);
        mesh.strengths = [false, true].map(|vertical| mesh.all_strengths(&ink, vertical));
        mesh
    }

    pub fn node(&self, row: usize, column: usize) -> Point {
        self.nodes[row * (self.side + 1) + column]
    }

    /// A crossing in pixels of the photo.
    pub fn photo_node(&self, row: usize, column: usize) -> Point {
        self.node(row, column).scaled(1.0 / self.scale)
    }

    /// How thick and dark a segment of line `line` is; of a vertical line if `vertical`.
    pub fn strength(&self, vertical: bool, line: usize, segment: usize) -> f32 {
        self.strengths[usize::from(vertical)][line * self.side + segment]
    }

    /// Moves the crossings to the lines, by at most `reach` cells.
    fn refine(&mut self, ink: &Plane, reach: f32) {
        let offsets: [Vec<Vec<f32>>; 2] = [false, true].map(|vertical| {
            (0..=self.side)
                .map(|line| {
                    let measured: Vec<(f32, f32)> = (0..self.side)
                        .map(|segment| self.measure(ink, vertical, line, segment, reach))
                        .collect();
                    smooth(&measured, reach)
                })
                .collect()
        });
        let side = self.side;
        let mut moved = self.nodes.clone();
        for row in 0..=side {
            for column in 0..=side {
                let down = self.unit(row, column, false).scaled(offsets[0][row][column]);
                let right = self.unit(row, column, true).scaled(offsets[1][column][row]);
                let node = &mut moved[row * (side + 1) + column];
                *node = *node + down + right;
            }
        }
        self.nodes = moved;
    }

    fn all_strengths(&self, ink: &Plane, vertical: bool) -> Vec<f32> {
        let lines = (0..=self.side).flat_map(|line| (0..self.side).map(move |at| (line, at)));
        let strength = |(line, segment)| {
            let profile = self.profile(ink, vertical, line, segment, 0.2);
            let least = profile.iter().copied().fold(f32::MAX, f32::min);
            profile.iter().map(|value| value - least).sum::<f32>() / profile.len() as f32
        };
        lines.map(strength).collect()
    }

    /// The vector from one line to the next at a crossing: down, or right if `vertical`.
    fn unit(&self, row: usize, column: usize, vertical: bool) -> Point {
        let (before, after) = if vertical {
            ((row, column.saturating_sub(1)), (row, (column + 1).min(self.side)))
        } else {
            ((row.saturating_sub(1), column), ((row + 1).min(self.side), column))
        };
        let lines = (after.0 - before.0 + after.1 - before.1).max(1) as f32;
        (self.node(after.0, after.1) - self.node(before.0, before.1)).scaled(1.0 / lines)
    }

    /// The offset in cells at which a segment has the most ink, and its contrast.
    fn measure(
        &self,
        ink: &Plane,
        vertical: bool,
        line: usize,
        segment: usize,
        reach: f32,
    ) -> (f32, f32) {
        let profile = self.profile(ink, vertical, line, segment, reach);
        let responses: [f32; OFFSETS] =
            std::array::from_fn(|index| profile[index] - 0.7 * offset(index, reach).abs());
        let best = (0..OFFSETS)
            .max_by(|&a, &b| responses[a].total_cmp(&responses[b]))
            .expect("there are offsets");
        let mut sorted = responses;
        sorted.sort_by(f32::total_cmp);
        (offset(best, reach), (responses[best] - sorted[OFFSETS / 2]).max(0.01))
    }

    /// The mean ink along a segment for each offset.
    fn profile(
        &self,
        ink: &Plane,
        vertical: bool,
        line: usize,
        segment: usize,
        reach: f32,
    ) -> [f32; OFFSETS] {
        const SAMPLES: usize = 12;
        let crossing = |at: usize| if vertical { (at, line) } else { (line, at) };
        let ((r0, c0), (r1, c1)) = (crossing(segment), crossing(segment + 1));
        let (start, end) = (self.node(r0, c0), self.node(r1, c1));
        let (u0, u1) = (self.unit(r0, c0, vertical), self.unit(r1, c1, vertical));
        std::array::from_fn(|index| {
            let shift = offset(index, reach);
            let (a, b) = (start + u0.scaled(shift), end + u1.scaled(shift));
            let sum: f32 = (0..SAMPLES)
                .map(|sample| {
                    let share = 0.12 + 0.76 * (sample as f32 + 0.5) / SAMPLES as f32;
                    ink.bilinear(a.toward(b, share))
                })
                .sum();
            sum / SAMPLES as f32
        })
    }
}

/// The number of offsets at which a segment is measured.
const OFFSETS: usize = 13;

/// An offset in cells, from `-reach` to `reach`.
fn offset(index: usize, reach: f32) -> f32 {
    (index as f32 / (OFFSETS - 1) as f32 * 2.0 - 1.0) * reach
}

/// A weighted parabola through the offsets of a line, evaluated at the crossings. A second fit
/// leaves out segments far from the first.
fn smooth(measured: &[(f32, f32)], reach: f32) -> Vec<f32> {
    let mut weights: Vec<f32> = measured.iter().map(|&(_, weight)| weight).collect();
    let mut fit = [0.0; 3];
    for _ in 0..2 {
        fit = parabola(measured, &weights);
        for (index, weight) in weights.iter_mut().enumerate() {
            let error = (value_at(fit, index as f32 + 0.5) - measured[index].0).abs();
            *weight = if error < 0.05 { measured[index].1 } else { 1e-3 };
        }
    }
    (0..=measured.len()).map(|at| value_at(fit, at as f32).clamp(-reach, reach)).collect()
}

fn value_at(fit: [f32; 3], x: f32) -> f32 {
    fit[0] + fit[1] * x + fit[2] * x * x
}

/// Weighted least squares by Gauss elimination of the three normal equations.
fn parabola(measured: &[(f32, f32)], weights: &[f32]) -> [f32; 3] {
    let mut rows = [[0.0f64; 4]; 3];
    for (index, (&(offset, _), &weight)) in measured.iter().zip(weights).enumerate() {
        let x = index as f64 + 0.5;
        let powers = [1.0, x, x * x];
        for (row, power) in rows.iter_mut().zip(powers) {
            for (entry, other) in row.iter_mut().zip(powers) {
                *entry += f64::from(weight) * power * other;
            }
            row[3] += f64::from(weight) * power * f64::from(offset);
        }
    }
    for pivot in 0..3 {
        rows[pivot][pivot] += 1e-9;
        for row in 0..3 {
            if row != pivot {
                let factor = rows[row][pivot] / rows[pivot][pivot];
                let source = rows[pivot];
                rows[row].iter_mut().zip(source).for_each(|(a, b)| *a -= factor * b);
            }
        }
    }
    std::array::from_fn(|i| (rows[i][3] / rows[i][i]) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parabola_ignores_an_outlier() {
        let curve = |x: f32| 0.02 + 0.01 * x - 0.002 * x * x;
        let mut measured: Vec<(f32, f32)> = (0..9).map(|i| (curve(i as f32 + 0.5), 1.0)).collect();
        measured[4] = (0.15, 0.3);
        let smoothed = smooth(&measured, 0.16);
        for (at, value) in smoothed.into_iter().enumerate() {
            assert!((value - curve(at as f32)).abs() < 0.02, "{at}: {value}");
        }
    }

    #[test]
    fn follows_curved_lines() {
        let (side, cell) = (9usize, 36usize);
        let size = (side + 2) * cell;
        let bend = |x: f32| 6.0 * ((x / size as f32) * std::f32::consts::PI).sin();
        let mut pixels = vec![230u8; size * size];
        for line in 0..=side {
            for at in cell..=cell * (side + 1) {
                let y = (cell * (line + 1)) as f32 + bend(at as f32);
                pixels[y as usize * size + at] = 20;
                pixels[(y as usize + 1) * size + at] = 20;
                let along = at as f32 + bend((cell * (line + 1)) as f32);
                pixels[along as usize * size + cell * (line + 1)] = 20;
            }
        }
        let image = GreyImage::new(size, size, pixels).unwrap();
        let grid = crate::find::find(&image).unwrap();
        let mesh = Mesh::new(&image, &grid);
        for line in 0..=side {
            let x = (cell * 5) as f32;
            let expected = (cell * (line + 1)) as f32 + bend(x) + 1.0;
            let found = mesh.photo_node(line, 4);
            assert!((found.y - expected).abs() < 2.0, "{line}: {found:?}, not {expected}");
        }
    }
}
