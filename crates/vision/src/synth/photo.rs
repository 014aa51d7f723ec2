//! Synthetic photos of boards: a page with a grid, seen by a camera.
//!
//! The page is drawn flat, and then sampled through perspective, a bend of the paper, uneven light,
//! blur and noise. The same seed gives the same photo.

use super::canvas::Canvas;
use super::strokes::{self, Pen};
use super::{normal, uniform};
use crate::geometry::{Point, Projection, Quad};
use crate::grey::GreyImage;
use crate::regions;
use ninefold::random::Random;

/// The content of a photo and the conditions under which it was taken.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Digits in reading order; 0 for an empty cell.
    pub digits: Vec<u8>,
    /// Cells whose digit is written by hand.
    pub handwritten: Vec<bool>,
    /// Cells with pencil marks.
    pub marked: Vec<bool>,
    /// The region of each cell; its borders are drawn thick. `None` for the classic boxes.
    pub regions: Option<Vec<u8>>,
    /// The cage of each cell, drawn dashed inside the cells as in a killer.
    pub cages: Option<Vec<u8>>,
    /// Thin lines along both diagonals.
    pub has_diagonals: bool,
    pub lines: LineStyle,
    /// The width and height of the image in pixels.
    pub size: (usize, usize),
    /// How strong perspective, light, blur and noise are: 0 for a screenshot, 1 for a usual photo.
    pub roughness: f32,
    /// The angle of the camera in radians.
    pub angle: f32,
    /// How far the page bends, in cells.
    pub bend: f32,
    /// Light digits on a dark page.
    pub is_dark: bool,
}

/// How grid lines are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineStyle {
    /// Thin lines, and thick ones around regions.
    Usual,
    /// All lines thin.
    Thin,
    /// Dotted lines inside regions.
    Dotted,
}

impl Scene {
    /// A photo of a puzzle without handwriting.
    pub fn printed(digits: &[u8]) -> Scene {
        Scene {
            digits: digits.to_vec(),
            handwritten: vec![false; digits.len()],
            marked: vec![false; digits.len()],
            regions: None,
            cages: None,
            has_diagonals: false,
            lines: LineStyle::Usual,
            size: (640, 800),
            roughness: 1.0,
            angle: 0.0,
            bend: 0.0,
            is_dark: false,
        }
    }

    pub fn side(&self) -> usize {
        self.digits.len().isqrt()
    }
}

/// A photo and where its grid is.
#[derive(Clone, Debug)]
pub struct Photo {
    pub image: GreyImage,
    /// The corners of the grid in reading order, without the bend of the page.
    pub corners: Quad,
}

/// The width of a cell on the flat page, in pixels.
const CELL: f32 = 44.0;
/// Empty paper around the grid, in cells.
const EDGE: f32 = 1.0;

/// Takes a photo.
pub fn take(scene: &Scene, seed: u64) -> Photo {
    let mut random = Random::new(seed);
    let page = draw_page(scene, &mut random);
    let corners = grid_corners(scene, &mut random);
    let image = expose(scene, &page, &corners, &mut random);
    Photo { image, corners }
}

fn draw_page(scene: &Scene, random: &mut Random) -> Canvas {
    let side = scene.side();
    let size = ((side as f32 + 2.0 * EDGE) * CELL) as usize;
    let mut canvas = Canvas::new(size, size);
    draw_lines(&mut canvas, scene);
    draw_variant(&mut canvas, scene, random);
    let height = CELL * uniform(random, 0.5, 0.66);
    for (cell, &digit) in scene.digits.iter().enumerate() {
        let middle = |at: usize| (at as f32 + 0.5 + EDGE) * CELL;
        let centre = Point::new(middle(cell % side), middle(cell / side));
        let pen = Pen { radius: CELL * 0.03, ink: 0.75, wobble: 0.015 };
        if digit > 0 && scene.handwritten[cell] {
            strokes::write(&mut canvas, digit, centre, height * 1.1, &pen, random);
        } else if digit > 0 {
            strokes::draw_number(&mut canvas, digit, centre, height, 1.0);
        } else if scene.marked[cell] {
            for mark in 0..3 {
                let offset = Point::new((mark as f32 - 1.0) * 0.26 * CELL, -0.26 * CELL);
                let digit = 1 + random.below(side.min(9)) as u8;
                let pen = Pen { radius: CELL * 0.016, ink: 0.6, ..pen };
                strokes::write(&mut canvas, digit, centre + offset, CELL * 0.24, &pen, random);
            }
        }
    }
    canvas
}

fn draw_lines(canvas: &mut Canvas, scene: &Scene) {
    let side = scene.side();
    let boxes = regions::boxes(side).unwrap_or_else(|| vec![0; side * side]);
    let regions = scene.regions.as_ref().unwrap_or(&boxes);
    let region = |row: usize, column: usize| {
        (row < side && column < side).then(|| regions[row * side + column])
    };
    for line in 0..=side {
        for at in 0..side {
            // Cells outside the grid have no region, so the frame is a border, too.
            let is_border =
                |a: (usize, usize), b: (usize, usize)| region(a.0, a.1) != region(b.0, b.1);
            let before = line.wrapping_sub(1);
            let horizontal = is_border((before, at), (line, at));
            let vertical = is_border((at, before), (at, line));
            let place = |at: usize| (at as f32 + EDGE) * CELL;
            let point = |line: usize, at: usize| Point::new(place(at), place(line));
            segment(canvas, scene, point(line, at), point(line, at + 1), horizontal);
            segment(canvas, scene, point(at, line), point(at + 1, line), vertical);
        }
    }
}

/// Diagonals, and cages with their sums.
fn draw_variant(canvas: &mut Canvas, scene: &Scene, random: &mut Random) {
    let side = scene.side();
    let corner = |row: usize, column: usize| {
        Point::new((column as f32 + EDGE) * CELL, (row as f32 + EDGE) * CELL)
    };
    if scene.has_diagonals {
        canvas.line(corner(0, 0), corner(side, side), 0.6, 0.6);
        canvas.line(corner(0, side), corner(side, 0), 0.6, 0.6);
    }
    let Some(cages) = &scene.cages else { return };
    let mut has_sum = [false; 256];
    for (cell, &cage) in cages.iter().enumerate() {
        let (row, column) = (cell / side, cell % side);
        let is_other = |down: isize, right: isize| {
            let (row, column) = (row.wrapping_add_signed(down), column.wrapping_add_signed(right));
            row >= side || column >= side || cages[row * side + column] != cage
        };
        let centre = corner(row, column) + Point::new(0.5 * CELL, 0.5 * CELL);
        let half = 0.39 * CELL;
        for (down, right) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
            if is_other(down, right) {
                let middle = centre + Point::new(right as f32, down as f32).scaled(half);
                let along = Point::new(down as f32, right as f32).scaled(half);
                for dash in (0..8).map(|dash| dash as f32 / 4.0 - 1.0) {
                    let (from, to) = (along.scaled(dash), along.scaled(dash + 0.14));
                    canvas.line(middle + from, middle + to, 0.6, 0.8);
                }
            }
        }
        if !std::mem::replace(&mut has_sum[usize::from(cage)], true) {
            let digit = 1 + random.below(9) as u8;
            let place = corner(row, column) + Point::new(0.2 * CELL, 0.2 * CELL);
            strokes::draw_number(canvas, digit, place, 0.22 * CELL, 1.0);
        }
    }
}

fn segment(canvas: &mut Canvas, scene: &Scene, from: Point, to: Point, is_border: bool) {
    match scene.lines {
        LineStyle::Usual if is_border => canvas.line(from, to, 1.8, 1.0),
        LineStyle::Dotted if is_border => canvas.line(from, to, 1.2, 1.0),
        LineStyle::Dotted => {
            for dot in 0..11 {
                let at = from.toward(to, dot as f32 / 11.0);
                canvas.line(at, at, 0.8, 0.9);
            }
        }
        _ => canvas.line(from, to, 0.6, 0.8),
    }
}

/// Where the corners of the grid fall in the image.
fn grid_corners(scene: &Scene, random: &mut Random) -> Quad {
    let (width, height) = (scene.size.0 as f32, scene.size.1 as f32);
    // The rotated grid must stay inside the image.
    let (sin, cos) = scene.angle.sin_cos();
    let half = 0.44 * width.min(height) / (sin.abs() + cos.abs());
    let centre = Point::new(width / 2.0, height / 2.0);
    let corner = |x: f32, y: f32| {
        let turned = Point::new(x * cos - y * sin, x * sin + y * cos).scaled(half);
        centre + turned
    };
    let corners = [corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)];
    let shift = f64::from(0.05 * half * scene.roughness);
    Quad(corners.map(|point| point + Point::new(normal(random, shift), normal(random, shift))))
}

fn expose(scene: &Scene, page: &Canvas, corners: &Quad, random: &mut Random) -> GreyImage {
    let (width, height) = scene.size;
    let rough = scene.roughness;
    let back = inverse(corners, scene.side());
    let (slope_x, slope_y) = (normal(random, 25.0) * rough, normal(random, 25.0) * rough);
    let (paper, ink) = (235.0 - 40.0 * rough, 200.0 - 50.0 * rough);
    let mut plane = crate::grey::Plane::filled(width, height, 0.0);
    for y in 0..height {
        for x in 0..width {
            let mut at = back(Point::new(x as f32 + 0.5, y as f32 + 0.5));
            let along = at.x / (scene.side() as f32) * std::f32::consts::PI;
            at.y += scene.bend * along.clamp(0.0, std::f32::consts::PI).sin();
            let place = Point::new((at.x + EDGE) * CELL, (at.y + EDGE) * CELL);
            let size = page.plane.width as f32;
            let inside = (0.0..size).contains(&place.x) && (0.0..size).contains(&place.y);
            let dark = if inside { page.plane.bilinear(place) } else { 0.0 };
            let light = slope_x * (x as f32 / width as f32 - 0.5)
                + slope_y * (y as f32 / height as f32 - 0.5);
            plane.data[y * width + x] = (paper + light) * (1.0 - dark * ink / 235.0);
        }
    }
    if rough > 0.0 {
        plane = plane.blurred();
    }
    let noise = f64::from(4.0 * rough);
    let pixels = plane.data.iter().map(|value| {
        let value = value + if noise > 0.0 { normal(random, noise) } else { 0.0 };
        let value = value.clamp(0.0, 255.0) as u8;
        if scene.is_dark { 255 - value } else { value }
    });
    GreyImage::new(width, height, pixels.collect()).expect("the size is small")
}

/// The map from the image to the page, in cells. Inverts the projection by Newton's method, which
/// converges in a few steps because photos are nearly affine.
fn inverse(corners: &Quad, side: usize) -> impl Fn(Point) -> Point {
    let projection = Projection::new(corners);
    let [a, b, _, d] = corners.0;
    let (u, v) = (b - a, d - a);
    let determinant = u.x * v.y - u.y * v.x;
    move |target| {
        let mut at = Point::new(0.5, 0.5);
        for _ in 0..6 {
            let error = target - projection.map(at.x, at.y);
            let step = Point::new(
                (error.x * v.y - error.y * v.x) / determinant,
                (error.y * u.x - error.x * u.y) / determinant,
            );
            at = at + step;
        }
        at.scaled(side as f32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find::find;

    const PUZZLE: &str =
        "530070000600195000098000060800060003400803001700020006060000280000419005000080079";

    fn digits(text: &str) -> Vec<u8> {
        text.bytes().map(|byte| byte - b'0').collect()
    }

    fn assert_found(scene: &Scene, seed: u64) {
        let photo = take(scene, seed);
        let grid = find(&photo.image).unwrap_or_else(|| panic!("no grid in {scene:?}"));
        assert_eq!(grid.side, scene.side(), "{scene:?}");
        let cell = photo.corners.mean_side() / scene.side() as f32;
        let turned = |turn: usize| Quad(std::array::from_fn(|i| grid.quad.0[(i + turn) % 4]));
        let distance = |turn| turned(turn).distance(&photo.corners);
        let nearest = (0..4).map(distance).fold(f32::MAX, f32::min);
        assert!(nearest < 0.5 * cell, "{nearest} of {cell}: {scene:?}");
    }

    #[test]
    fn equal_seeds_give_equal_photos() {
        let scene = Scene::printed(&digits(PUZZLE));
        assert_eq!(take(&scene, 4).image, take(&scene, 4).image);
        assert_ne!(take(&scene, 4).image, take(&scene, 5).image);
    }

    #[test]
    fn finds_grids_in_all_styles() {
        let printed = Scene::printed(&digits(PUZZLE));
        let styles = [
            Scene { roughness: 0.0, ..printed.clone() },
            Scene { lines: LineStyle::Thin, ..printed.clone() },
            Scene { lines: LineStyle::Dotted, ..printed.clone() },
            Scene { angle: 0.4, ..printed.clone() },
            Scene { bend: 0.3, ..printed.clone() },
            Scene { is_dark: true, ..printed.clone() },
            Scene { size: (400, 400), ..printed.clone() },
        ];
        for (seed, scene) in styles.iter().enumerate() {
            assert_found(scene, seed as u64);
        }
    }

    #[test]
    fn finds_grids_of_all_sizes() {
        for side in [4, 6, 9, 16] {
            let mut digits = vec![0; side * side];
            for (cell, digit) in digits.iter_mut().enumerate() {
                if cell % 3 == 0 {
                    *digit = (cell % side) as u8 + 1;
                }
            }
            assert_found(&Scene::printed(&digits), side as u64);
        }
    }
}
