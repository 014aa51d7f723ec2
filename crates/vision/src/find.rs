//! Finds the grid in an image: candidates, their scores, and hill climbing on the corners.

use crate::contrast::{Integral, dark_pixels, dilated};
use crate::geometry::{Point, Projection, Quad};
use crate::grey::{GreyImage, Plane};
use crate::quads;
use crate::score::Pyramid;

/// The numbers of rows that are tried.
pub const SIDES: [usize; 4] = [9, 6, 16, 4];
/// The longest side of the image in which the grid is searched.
const SEARCH_SIDE: f32 = 800.0;
/// A quadrilateral with a lower score is not a grid.
pub const LEAST_SCORE: f32 = 0.24;
/// A score at which the search ends without trying other thresholds.
const CLEAR_SCORE: f32 = 0.75;

/// A grid in an image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FoundGrid {
    /// The corners in pixels of the image.
    pub quad: Quad,
    /// The number of rows.
    pub side: usize,
    /// How much it looks like a grid; see [`LEAST_SCORE`].
    pub score: f32,
    /// True if digits are lighter than the paper.
    pub is_dark: bool,
    /// True if the image contains a second grid that does not overlap with this one.
    pub has_rival: bool,
}

/// A threshold: window as a share of the longest side, margin in grey levels, dilation.
const THRESHOLDS: [(f32, f32, bool); 6] = [
    (1.0 / 40.0, 6.0, false),
    (1.0 / 20.0, 8.0, false),
    (1.0 / 40.0, 4.0, true),
    (1.0 / 12.0, 12.0, false),
    (1.0 / 20.0, 3.0, true),
    (1.0 / 60.0, 2.0, true),
];

/// The best grid of an image, or `None` if nothing in it looks like a grid.
pub fn find(image: &GreyImage) -> Option<FoundGrid> {
    find_all(image).into_iter().next()
}

/// The best grid of an image, followed by the best one with light instead of dark lines or the
/// other way round, if it could be meant as well.
pub fn find_all(image: &GreyImage) -> Vec<FoundGrid> {
    if image.width() < 24 || image.height() < 24 {
        return Vec::new();
    }
    let light = find_dark_lines(image);
    if light.is_some_and(|grid| grid.score > 0.5) && !is_mostly_dark(image) {
        return Vec::from_iter(light);
    }
    let dark = find_dark_lines(&image.inverted());
    let dark = dark.map(|grid| FoundGrid { is_dark: true, ..grid });
    // Between two dark lines there is a light one, so light lines need a margin.
    let score = |grid: &Option<FoundGrid>| grid.map_or(f32::MIN, |grid| grid.score);
    let order = if score(&dark) > score(&light) + 0.15 { [dark, light] } else { [light, dark] };
    order.into_iter().flatten().filter(|grid| grid.score >= LEAST_SCORE).collect()
}

impl FoundGrid {
    /// The grid moved by one row or column in each direction.
    pub fn shifted(&self) -> [FoundGrid; 4] {
        let row = 1.0 / self.side as f32;
        let moves = [(row, 0.0), (-row, 0.0), (0.0, row), (0.0, -row)];
        let projection = Projection::new(&self.quad);
        moves.map(|(x, y)| {
            let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)];
            let quad = Quad(corners.map(|(u, v)| projection.map(u + x, v + y)));
            FoundGrid { quad, ..*self }
        })
    }
}

/// Whether three quarters of the pixels are darker than a medium grey.
fn is_mostly_dark(image: &GreyImage) -> bool {
    let dark = image.pixels().iter().filter(|&&pixel| pixel < 100).count();
    4 * dark > 3 * image.pixels().len()
}

#[derive(Clone, Copy)]
struct Candidate {
    quad: Quad,
    side: usize,
    score: f32,
}

fn find_dark_lines(image: &GreyImage) -> Option<FoundGrid> {
    let factor = (SEARCH_SIDE / image.width().max(image.height()) as f32).min(1.0);
    let grey = image.shrunk(factor);
    let pyramid = Pyramid::new(&grey);
    let candidates = candidates(&grey, &pyramid);
    let best = largest_of_the_good(&candidates)?;
    let has_rival = candidates
        .iter()
        .any(|other| other.score > 0.5 && prior(other) > 0.7 * prior(&best) && apart(&best, other));
    let best = climb(&pyramid, best, &[6.0, 3.0, 1.5, 0.7]);
    let best = sixteen_if_lines_show_it(&pyramid, sixteen_instead_of_four(&pyramid, best));
    let best = climb(&pyramid, best, &[12.0, 6.0, 1.5, 0.7]);
    let best = shift_rows(&pyramid, best);
    let quad = best.quad.scaled(1.0 / factor);
    // The numbers of a large grid fill its cells and lower its score.
    let score = if best.side == 16 { best.score.max(LEAST_SCORE) } else { best.score };
    Some(FoundGrid { quad, side: best.side, score, is_dark: false, has_rival })
}

/// The best candidate, or a larger one beside it that is nearly as good.
fn largest_of_the_good(candidates: &[Candidate]) -> Option<Candidate> {
    let best = candidates.iter().copied().max_by(|a, b| prior(a).total_cmp(&prior(b)))?;
    let beside = candidates
        .iter()
        .filter(|other| prior(other) > 0.8 * prior(&best) && apart(&best, other))
        .copied()
        .max_by(|a, b| a.quad.area().total_cmp(&b.quad.area()));
    Some(beside.filter(|other| other.quad.area() > 1.3 * best.quad.area()).unwrap_or(best))
}

/// Whether two candidates are different grids.
fn apart(a: &Candidate, b: &Candidate) -> bool {
    !a.quad.contains(b.quad.centre()) && !b.quad.contains(a.quad.centre())
}

/// Candidates of all thresholds, the best of them with improved corners.
fn candidates(grey: &Plane, pyramid: &Pyramid) -> Vec<Candidate> {
    let smooth = grey.blurred().blurred();
    let means = Integral::new(&smooth, f64::from);
    let longest = grey.width.max(grey.height) as f32;
    let mut quads = vec![border(grey)];
    let mut scored: Vec<Candidate> = Vec::new();
    let mut climbed: Vec<Candidate> = Vec::new();
    for (window, margin, wide) in THRESHOLDS {
        let radius = ((window * longest) as usize / 2).max(2);
        let mut dark = dark_pixels(&smooth, &means, radius, margin);
        if wide {
            dark = dilated(&dark, grey.width);
        }
        let known = scored.len();
        quads::propose(&dark, grey.width, grey.height, &mut quads);
        scored.extend(quads[known..].iter().map(|quad| best_side(pyramid, *quad)));
        let mut fresh = scored[known..].to_vec();
        fresh.sort_by(|a, b| rank(b).total_cmp(&rank(a)));
        climbed.extend(fresh.iter().take(6).map(|start| climb(pyramid, *start, &[6.0, 3.0])));
        if climbed.iter().any(|candidate| prior(candidate) > CLEAR_SCORE) {
            break;
        }
    }
    climbed
}

/// Larger quadrilaterals win among those with equal scores.
fn rank(candidate: &Candidate) -> f32 {
    prior(candidate) + 1e-4 * candidate.quad.mean_side()
}

/// The whole image, for screenshots that show only the grid.
fn border(grey: &Plane) -> Quad {
    let (right, bottom) = (grey.width as f32 - 2.0, grey.height as f32 - 2.0);
    Quad([
        Point::new(2.0, 2.0),
        Point::new(right, 2.0),
        Point::new(right, bottom),
        Point::new(2.0, bottom),
    ])
}

/// The box lines of a 16×16 grid are a perfect 4×4 grid, but a 4×4 grid has no lines between.
fn sixteen_instead_of_four(pyramid: &Pyramid, candidate: Candidate) -> Candidate {
    let score = pyramid.gridness(&candidate.quad, 16);
    let is_better = candidate.side == 4 && score > 0.25;
    if is_better { Candidate { side: 16, score, ..candidate } } else { candidate }
}

/// A 4×4 grid has no lines inside its boxes. Numbers beside the lines lower the score of a 16×16 grid,
/// so the score alone does not decide.
fn sixteen_if_lines_show_it(pyramid: &Pyramid, candidate: Candidate) -> Candidate {
    if candidate.side != 4 {
        return candidate;
    }
    let score = pyramid.gridness(&candidate.quad, 16);
    let large = climb(pyramid, Candidate { side: 16, score, ..candidate }, &[12.0, 6.0, 3.0]);
    if pyramid.has_lines_inside_boxes(&large.quad) { large } else { candidate }
}

/// Most puzzles are 9×9, and half of the lines of a 6×6 grid are lines of a 9×9 grid.
fn prior(candidate: &Candidate) -> f32 {
    match candidate.side {
        9 => candidate.score,
        16 if candidate.score > 0.25 => 0.6 * candidate.score,
        _ if candidate.score > 0.7 => 0.6 * candidate.score,
        _ => 0.15 * candidate.score,
    }
}

fn best_side(pyramid: &Pyramid, quad: Quad) -> Candidate {
    let sides = SIDES.into_iter();
    let scored = sides.map(|side| Candidate { quad, side, score: pyramid.gridness(&quad, side) });
    let best = scored.max_by(|a, b| prior(a).total_cmp(&prior(b))).expect("there are sizes");
    sixteen_instead_of_four(pyramid, best)
}

/// Moves corners and edges as long as the score rises. Steps are in 24ths of a cell.
fn climb(pyramid: &Pyramid, start: Candidate, steps: &[f32]) -> Candidate {
    let mut best = start;
    let cell = start.quad.mean_side() / start.side as f32;
    const MOVES: [&[usize]; 8] = [&[0], &[1], &[2], &[3], &[0, 1], &[1, 2], &[2, 3], &[3, 0]];
    for step in steps.iter().map(|step| step * cell / 24.0) {
        for _ in 0..6 {
            let before = best.score;
            for corners in MOVES {
                for (x, y) in [(step, 0.0), (-step, 0.0), (0.0, step), (0.0, -step)] {
                    let mut quad = best.quad;
                    for &corner in corners {
                        quad.0[corner] = quad.0[corner] + Point::new(x, y);
                    }
                    let score = pyramid.gridness(&quad, best.side);
                    if score > best.score + 1e-4 {
                        best = Candidate { quad, score, ..best };
                    }
                }
            }
            if best.score <= before {
                break;
            }
        }
    }
    best
}

/// Tries one row more or less on each side, and a move by one row: a title bar or a broken border
/// line misleads the proposals by exactly one row.
fn shift_rows(pyramid: &Pyramid, start: Candidate) -> Candidate {
    let mut best = start;
    for edge in 0..4 {
        for (own, opposite) in [(1.0, 0.0), (-1.0, 0.0), (1.0, 1.0)] {
            let row = 1.0 / best.side as f32;
            let (a, b, c, d) = (edge, (edge + 1) % 4, (edge + 2) % 4, (edge + 3) % 4);
            let old = best.quad.0;
            let mut quad = best.quad;
            quad.0[a] = old[d].toward(old[a], 1.0 + own * row);
            quad.0[b] = old[c].toward(old[b], 1.0 + own * row);
            quad.0[c] = old[c].toward(old[b], opposite * row);
            quad.0[d] = old[d].toward(old[a], opposite * row);
            let score = pyramid.gridness(&quad, best.side);
            if score > 0.4 * best.score {
                let moved = Candidate { quad, score, ..best };
                let moved = climb(pyramid, moved, &[6.0, 3.0, 1.5]);
                // A window that is off by one row gains a complete line.
                if moved.score > best.score + if opposite > 0.0 { 0.1 } else { 0.0 } {
                    best = moved;
                }
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_nothing_in_an_empty_image() {
        let image = GreyImage::new(300, 200, vec![200; 60_000]).unwrap();
        assert_eq!(find(&image), None);
        let tiny = GreyImage::new(1, 1, vec![0]).unwrap();
        assert_eq!(find(&tiny), None);
    }
}
