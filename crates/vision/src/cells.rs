//! Cuts the cells out of a photo and normalises their ink.

use crate::geometry::Point;
use crate::mesh::Mesh;

/// The width of a cell as the network sees it, in pixels.
pub const SIZE: usize = 28;
/// The number of pixels of a cell.
pub const AREA: usize = SIZE * SIZE;
/// How much of the neighbouring cells is visible on each side, as a share of the cell.
const MARGIN: f32 = 0.06;

/// The cells of a board in reading order, [`AREA`] numbers each; about 1 for ink, 0 for paper.
#[derive(Clone, Debug, PartialEq)]
pub struct Cells {
    pub side: usize,
    pub ink: Vec<f32>,
    /// The brightness of the paper of each cell, in the same unit.
    pub paper: Vec<f32>,
}

/// Cuts all cells, with `border` more pixels on each side, as grey values.
pub fn cut(mesh: &Mesh, border: usize) -> Vec<f32> {
    let width = SIZE + 2 * border;
    let mut pixels = Vec::with_capacity(mesh.side * mesh.side * width * width);
    let span = 1.0 + 2.0 * MARGIN;
    // Two by two samples per pixel, because the image has up to 1.4 pixels for each of them.
    let share = |at: usize| (at as f32 * 0.5 + 0.25 - border as f32) / SIZE as f32 * span - MARGIN;
    for row in 0..mesh.side {
        for column in 0..mesh.side {
            let corners = [
                mesh.node(row, column),
                mesh.node(row, column + 1),
                mesh.node(row + 1, column + 1),
                mesh.node(row + 1, column),
            ];
            for y in 0..width {
                for x in 0..width {
                    let sum: f32 = [(0, 0), (1, 0), (0, 1), (1, 1)]
                        .map(|(dx, dy)| {
                            let at = inside(&corners, share(2 * x + dx), share(2 * y + dy));
                            mesh.image.bilinear(at)
                        })
                        .iter()
                        .sum();
                    pixels.push(0.25 * sum);
                }
            }
        }
    }
    pixels
}

fn inside(corners: &[Point; 4], u: f32, v: f32) -> Point {
    corners[0].toward(corners[1], u).toward(corners[3].toward(corners[2], u), v)
}

/// Turns grey values into ink: paper is the median of a cell, and the ink of the complete board has
/// one scale, so that faint marks stay fainter than digits. Returns the ink, and the paper of each
/// cell.
fn normalise(pixels: &[f32], area: usize) -> (Vec<f32>, Vec<f32>) {
    let mut ink = Vec::with_capacity(pixels.len());
    let mut paper = Vec::with_capacity(pixels.len() / area);
    let mut sorted = vec![0.0; area];
    for cell in pixels.chunks_exact(area) {
        sorted.copy_from_slice(cell);
        let (_, median, _) = sorted.select_nth_unstable_by(area / 2, f32::total_cmp);
        let median = *median;
        paper.push(median);
        ink.extend(cell.iter().map(|value| median - value));
    }
    if ink.is_empty() {
        return (ink, paper);
    }
    let mut all = ink.clone();
    let position = (all.len() - 1) * 98 / 100;
    let (_, scale, _) = all.select_nth_unstable_by(position, f32::total_cmp);
    let scale = scale.max(8.0);
    ink.iter_mut().for_each(|value| *value = (*value / scale).clamp(-1.0, 3.0));
    paper.iter_mut().for_each(|value| *value /= scale);
    (ink, paper)
}

impl Cells {
    pub fn new(mesh: &Mesh) -> Cells {
        let (ink, paper) = normalise(&cut(mesh, 0), AREA);
        Cells { side: mesh.side, ink, paper }
    }

    pub fn cell(&self, index: usize) -> &[f32] {
        &self.ink[index * AREA..][..AREA]
    }

    /// The board turned counterclockwise by a number of quarter turns.
    pub fn turned(&self, quarters: usize) -> Cells {
        let mut ink = Vec::with_capacity(self.ink.len());
        let before = |index| turned_index(index, self.side, quarters);
        for index in 0..self.side * self.side {
            ink.extend(turned_cell(self.cell(before(index)), quarters));
        }
        let paper = (0..self.paper.len()).map(|index| self.paper[before(index)]).collect();
        Cells { side: self.side, ink, paper }
    }
}

/// The place before the turn of what is at `index` after counterclockwise quarter turns.
pub fn turned_index(index: usize, side: usize, quarters: usize) -> usize {
    let (row, column) = (index / side, index % side);
    let last = side - 1;
    match quarters % 4 {
        0 => index,
        1 => column * side + last - row,
        2 => (last - row) * side + last - column,
        _ => (last - column) * side + row,
    }
}

/// A cell turned counterclockwise by a number of quarter turns.
pub fn turned_cell(cell: &[f32], quarters: usize) -> Vec<f32> {
    (0..AREA).map(|pixel| cell[turned_index(pixel, SIZE, quarters)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_quarter_turns_change_nothing() {
        for side in [4, 9] {
            for index in 0..side * side {
                let once = |index| turned_index(index, side, 1);
                assert_eq!(once(once(index)), turned_index(index, side, 2));
                assert_eq!(once(once(once(index))), turned_index(index, side, 3));
                assert_eq!(once(once(once(once(index)))), index);
            }
        }
        // Counterclockwise, the top right cell becomes the top left one.
        assert_eq!(turned_index(0, 9, 1), 8);
    }

    #[test]
    fn paper_becomes_zero_and_ink_one() {
        let mut pixels = vec![200.0; 4 * AREA];
        for cell in 0..4 {
            pixels[cell * AREA..][..40].fill(80.0);
        }
        let (ink, paper) = normalise(&pixels, AREA);
        assert_eq!((ink[0], ink[100]), (1.0, 0.0));
        assert_eq!(paper, [200.0 / 120.0; 4]);
    }
}
