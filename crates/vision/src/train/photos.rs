//! Cuts labelled cells out of photos.

use super::sample::{BORDER, Sample, WIDTH, inner_index};
use crate::cells::{AREA, cut, turned_index};
use crate::find::find;
use crate::geometry::Quad;
use crate::labels::Label;
use crate::mesh::Mesh;
use crate::network::Content;
use crate::open::open;

/// The cells of a photo, or `None` if the grid is not found where the label says.
pub fn cells(label: &Label, printed: Option<&[u8]>) -> Option<Vec<Sample>> {
    let image = open(&std::fs::read(label.path()).ok()?).ok()?;
    let grid = find(&image)?;
    if grid.side * grid.side != label.puzzle.len() {
        return None;
    }
    let mesh = Mesh::new(&image, &grid);
    let quarters = turns(&mesh, label.corners)?;
    let ink = ink_with_border(&cut(&mesh, BORDER));
    let area = WIDTH * WIDTH;
    let samples = (0..label.puzzle.len()).map(|cell| {
        let source = turned_index(cell, mesh.side, quarters);
        let cut = &ink[source * area..][..area];
        let turned: Vec<f32> =
            (0..area).map(|pixel| cut[turned_index(pixel, WIDTH, quarters)]).collect();
        Sample::new(&turned, &contents(label, printed, cell))
    });
    Some(samples.collect())
}

/// The possible contents of a cell. Whether a digit is printed is known in printed puzzles, and if
/// another photo shows the same puzzle before it was filled in.
fn contents(label: &Label, printed: Option<&[u8]>, cell: usize) -> Vec<Content> {
    let digit = label.puzzle[cell];
    if digit == 0 {
        let marks = label.candidate_cells.contains(&cell);
        return vec![if marks { Content::PencilMarks } else { Content::Empty }];
    }
    let (by_machine, by_hand) = (Content::Printed(digit), Content::Handwritten(digit));
    match printed {
        _ if label.content == "printed" => vec![by_machine],
        Some(clues) if clues[cell] == digit => vec![by_machine],
        Some(_) => vec![by_hand],
        None => vec![by_machine, by_hand],
    }
}

/// The quarter turns after which the found corners are in reading order.
fn turns(mesh: &Mesh, corners: Option<Quad>) -> Option<usize> {
    let Some(corners) = corners else { return Some(0) };
    let last = mesh.side;
    let found = [(0, 0), (0, last), (last, last), (last, 0)].map(|(r, c)| mesh.photo_node(r, c));
    let distance = |quarters: usize| {
        // After a counterclockwise turn, the top right corner is the top left one.
        Quad(std::array::from_fn(|i| found[(i + quarters) % 4])).distance(&corners)
    };
    let best = (0..4).min_by(|&a, &b| distance(a).total_cmp(&distance(b)))?;
    let cell = corners.mean_side() / last as f32;
    (distance(best) < 0.6 * cell).then_some(best)
}

/// Ink as [`crate::cells::normalise`] computes it, for cells with border.
fn ink_with_border(pixels: &[f32]) -> Vec<f32> {
    let area = WIDTH * WIDTH;
    let inner: Vec<f32> = pixels
        .chunks_exact(area)
        .flat_map(|cell| (0..AREA).map(|pixel| cell[inner_index(pixel)]))
        .collect();
    let medians: Vec<f32> = inner
        .chunks_exact(AREA)
        .map(|cell| {
            let mut sorted = cell.to_vec();
            *sorted.select_nth_unstable_by(AREA / 2, f32::total_cmp).1
        })
        .collect();
    let mut ink: Vec<f32> = inner
        .chunks_exact(AREA)
        .zip(&medians)
        .flat_map(|(c, m)| c.iter().map(move |v| m - v))
        .collect();
    let position = (ink.len() - 1) * 98 / 100;
    let scale = ink.select_nth_unstable_by(position, f32::total_cmp).1.max(8.0);
    let cells = pixels.chunks_exact(area).zip(&medians);
    cells
        .flat_map(|(cell, m)| cell.iter().map(move |v| ((m - v) / scale).clamp(-1.0, 3.0)))
        .collect()
}
