//! A labelled cell, and the random changes it gets each time it is shown.

use super::super::synth::{normal, uniform};
use crate::cells::{AREA, SIZE};
use crate::geometry::Point;
use crate::grey::Plane;
use crate::network::Content;
use crate::synth::canvas::Affine;
use ninefold::random::Random;

/// Pixels around the cell, so that a turned or shifted cell has no blank corners.
pub const BORDER: usize = 4;
/// The width of a stored cell.
pub const WIDTH: usize = SIZE + 2 * BORDER;

/// A cell with border, one byte per pixel.
#[derive(Clone, Debug)]
pub struct Sample {
    pixels: Vec<u8>,
    /// The classes that count as right; several if the style of a digit is unknown.
    classes: [u8; 2],
}

impl Sample {
    /// A sample from ink of [`WIDTH`]² pixels. The paper level is made 0.
    pub fn new(ink: &[f32], contents: &[Content]) -> Sample {
        assert_eq!(ink.len(), WIDTH * WIDTH, "a sample has {WIDTH} rows");
        let mut inner: Vec<f32> = (0..AREA).map(|pixel| ink[inner_index(pixel)]).collect();
        let (_, median, _) = inner.select_nth_unstable_by(AREA / 2, f32::total_cmp);
        let paper = *median;
        let byte = |value: &f32| ((value - paper + 1.0) * 63.75).clamp(0.0, 255.0) as u8;
        let class = |at: usize| contents[at.min(contents.len() - 1)].class() as u8;
        Sample { pixels: ink.iter().map(byte).collect(), classes: [class(0), class(1)] }
    }

    /// The right classes.
    pub fn classes(&self) -> impl Iterator<Item = usize> {
        let [first, second] = self.classes.map(usize::from);
        std::iter::once(first).chain((second != first).then_some(second))
    }

    /// The cell, unchanged.
    pub fn plain(&self) -> Vec<f32> {
        (0..AREA).map(|pixel| f32::from(self.pixels[inner_index(pixel)]) / 63.75 - 1.0).collect()
    }

    /// The cell, moved, turned, scaled, and with other contrast, blur and noise.
    pub fn distorted(&self, random: &mut Random) -> Vec<f32> {
        let data = self.pixels.iter().map(|&byte| f32::from(byte) / 63.75 - 1.0).collect();
        let stored = Plane { width: WIDTH, height: WIDTH, data };
        let middle = WIDTH as f32 / 2.0;
        let centre = Point::new(middle + normal(random, 0.9), middle + normal(random, 0.9));
        let size = uniform(random, 0.88, 1.1);
        let aspect = uniform(random, 0.94, 1.06);
        let (angle, slant) = (normal(random, 0.05), normal(random, 0.05));
        let map = Affine::new(centre, angle, slant, size * aspect, size / aspect);
        let half = SIZE as f32 / 2.0;
        let strength = if random.chance(0.6) { random.normal().abs() * 0.8 } else { 0.0 };
        let [bend_x, bend_y] = [(); 2].map(|()| bend(random, strength));
        let at = |pixel: usize| {
            let (x, y) = ((pixel % SIZE) as f32 + 0.5 - half, (pixel / SIZE) as f32 + 0.5 - half);
            let place = map.map(Point::new(x, y));
            let coarse = place.scaled(BEND as f32 / WIDTH as f32);
            stored.bilinear(place + Point::new(bend_x.bilinear(coarse), bend_y.bilinear(coarse)))
        };
        let data = (0..AREA).map(at).collect();
        let mut plane = Plane { width: SIZE, height: SIZE, data };
        match random.below(20) {
            0..4 => plane = plane.blurred(),
            4 | 5 => plane = thicker(&plane, f32::max),
            6 | 7 => plane = thicker(&plane, f32::min),
            _ => {}
        }
        let contrast = uniform(random, 0.7, 1.35);
        let noise = if random.chance(0.3) { random.normal().abs() * 0.04 } else { 0.0 };
        for value in &mut plane.data {
            *value *= contrast;
            if noise > 0.0 {
                *value += normal(random, noise);
            }
            *value = value.clamp(-1.0, 3.0);
        }
        plane.data
    }
}

/// The width of the coarse planes that bend a cell.
const BEND: usize = 5;

/// Random shifts that vary smoothly over the cell.
fn bend(random: &mut Random, strength: f64) -> Plane {
    let data = (0..BEND * BEND).map(|_| normal(random, strength)).collect();
    Plane { width: BEND, height: BEND, data }
}

/// Each pixel is halfway to the largest or smallest of its neighbours: thicker or thinner strokes.
fn thicker(plane: &Plane, choose: fn(f32, f32) -> f32) -> Plane {
    let mut result = plane.clone();
    let last = SIZE - 1;
    for y in 0..SIZE {
        for x in 0..SIZE {
            let at = |x: usize, y: usize| plane.data[y * SIZE + x];
            let sides = choose(at(x.saturating_sub(1), y), at((x + 1).min(last), y));
            let ends = choose(at(x, y.saturating_sub(1)), at(x, (y + 1).min(last)));
            let own = at(x, y);
            result.data[y * SIZE + x] = 0.5 * (own + choose(own, choose(sides, ends)));
        }
    }
    result
}

/// The index in a stored cell of a pixel of the cell itself.
pub fn inner_index(pixel: usize) -> usize {
    (pixel / SIZE + BORDER) * WIDTH + pixel % SIZE + BORDER
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_keep_ink_and_classes() {
        let mut ink = vec![0.2; WIDTH * WIDTH];
        ink[inner_index(0)] = 1.2;
        let sample = Sample::new(&ink, &[Content::Printed(3), Content::Handwritten(3)]);
        let plain = sample.plain();
        assert!((plain[0] - 1.0).abs() < 0.02 && plain[1].abs() < 0.02);
        assert_eq!(sample.classes().collect::<Vec<_>>(), [3, 19]);
        let distorted = |seed| sample.distorted(&mut Random::new(seed));
        assert_eq!(distorted(1), distorted(1));
        assert_ne!(distorted(1), distorted(2));
    }
}
