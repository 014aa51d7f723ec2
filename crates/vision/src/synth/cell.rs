//! Single cells for training: printed and handwritten digits, pencil marks, empty cells with specks
//! and ink from the back of the page.

use super::canvas::{Affine, Canvas};
use super::fonts::Face;
use super::strokes::{self, Pen};
use super::{normal, uniform};
use crate::geometry::Point;
use crate::grey::Plane;
use crate::network::Content;
use crate::train::sample::{Sample, WIDTH};
use ninefold::random::Random;

/// Cells are drawn twice as large as they are stored.
const CANVAS: usize = 2 * WIDTH;
/// The width of a cell on the canvas, without the margin.
const CELL: f32 = 2.0 * 28.0 / 1.12;

/// A random cell.
pub fn cell(families: &[Vec<Face>], random: &mut Random) -> Sample {
    let mut canvas = Canvas::new(CANVAS, CANVAS);
    let contents = draw_content(&mut canvas, families, random);
    draw_lines(&mut canvas, random);
    let mut plane = canvas.plane;
    for _ in 0..blur_rounds(random) {
        plane = plane.blurred();
    }
    let mut plane = plane.halved();
    light_and_noise(&mut plane, random);
    Sample::new(&plane.data, &contents)
}

fn draw_content(canvas: &mut Canvas, families: &[Vec<Face>], random: &mut Random) -> Vec<Content> {
    match random.below(100) {
        0..16 => {
            if random.chance(0.45) {
                draw_specks(canvas, families, random);
            }
            vec![Content::Empty]
        }
        16..28 => {
            draw_marks(canvas, families, random);
            vec![Content::PencilMarks]
        }
        28..34 => {
            let number = 10 + random.below(7) as u8;
            draw_large_number(canvas, families, number, random);
            vec![Content::Printed(number)]
        }
        34..54 => {
            let digit = 1 + random.below(9) as u8;
            let height = CELL * uniform(random, 0.42, 0.82);
            strokes::write(canvas, digit, centre(random), height, &pen(height, random), random);
            vec![Content::Handwritten(digit)]
        }
        _ => {
            let digit = 1 + random.below(9) as u8;
            let face = pick_face(families, random);
            let height = CELL * uniform(random, 0.36, 0.82);
            let ink = uniform(random, 0.45, 1.3);
            draw_mask(canvas, &face.masks[usize::from(digit)], centre(random), height, ink, random);
            match face.is_script {
                true => vec![Content::Printed(digit), Content::Handwritten(digit)],
                false => vec![Content::Printed(digit)],
            }
        }
    }
}

fn pick_face<'a>(families: &'a [Vec<Face>], random: &mut Random) -> &'a Face {
    let family = random.pick(families).expect("there are fonts");
    random.pick(family).expect("a family has faces")
}

fn centre(random: &mut Random) -> Point {
    let middle = CANVAS as f32 / 2.0;
    let offset = |random: &mut Random| normal(random, 0.05) * CELL;
    Point::new(middle + offset(random), middle + offset(random))
}

fn pen(height: f32, random: &mut Random) -> Pen {
    Pen {
        radius: height * uniform(random, 0.02, 0.07),
        ink: uniform(random, 0.35, 1.25),
        wobble: uniform(random, 0.01, 0.06),
    }
}

fn draw_mask(
    canvas: &mut Canvas,
    mask: &Plane,
    centre: Point,
    height: f32,
    ink: f32,
    random: &mut Random,
) {
    let scale = height / super::fonts::HEIGHT;
    let width = scale * uniform(random, 0.8, 1.2);
    let (angle, slant) = (normal(random, 0.04), normal(random, 0.04));
    canvas.mask(mask, &Affine::new(centre, angle, slant, width, scale), ink);
}

/// A number from 10 to 16, or the letter that stands for it.
fn draw_large_number(canvas: &mut Canvas, families: &[Vec<Face>], number: u8, random: &mut Random) {
    let face = pick_face(families, random);
    let (at, ink) = (centre(random), uniform(random, 0.5, 1.3));
    if random.chance(0.4) {
        let height = CELL * uniform(random, 0.4, 0.75);
        return draw_mask(canvas, &face.masks[usize::from(number)], at, height, ink, random);
    }
    let height = CELL * uniform(random, 0.34, 0.6);
    let scale = height / super::fonts::HEIGHT;
    let digits = [&face.masks[1], &face.masks[usize::from(number - 10)]];
    let gap = uniform(random, 0.02, 0.12) * height;
    let widths = digits.map(|mask| mask.width as f32 * scale);
    let start = at.x - (widths[0] + widths[1] + gap) / 2.0;
    let middles = [start + widths[0] / 2.0, start + widths[0] + gap + widths[1] / 2.0];
    for (mask, x) in digits.into_iter().zip(middles) {
        canvas.mask(mask, &Affine::new(Point::new(x, at.y), 0.0, 0.0, scale, scale), ink);
    }
}

/// Small digits: in their places like a telephone, or in a row at the top or bottom.
fn draw_marks(canvas: &mut Canvas, families: &[Vec<Face>], random: &mut Random) {
    let face = pick_face(families, random);
    let by_hand = random.chance(0.65);
    let height = CELL * uniform(random, 0.16, 0.34);
    let pen = pen(height, random);
    let left = (CANVAS as f32 - CELL) / 2.0;
    let mut digits: Vec<u8> = (1..=9).collect();
    random.shuffle(&mut digits);
    let count = 1 + random.below(5);
    let mut digits = digits[..count].to_vec();
    digits.sort_unstable();
    let in_places = random.chance(0.4);
    let row = if random.chance(0.7) { 0.24 } else { 0.76 };
    for (index, &digit) in digits.iter().enumerate() {
        let (column, row) = if in_places {
            (0.2 + 0.3 * f32::from((digit - 1) % 3), 0.2 + 0.3 * f32::from((digit - 1) / 3))
        } else {
            (0.18 + 0.24 * (index % 4) as f32, row + 0.28 * (index / 4) as f32)
        };
        let wobble = |random: &mut Random| normal(random, 0.03);
        let at = Point::new(
            left + CELL * (column + wobble(random)),
            left + CELL * (row + wobble(random)),
        );
        if by_hand {
            strokes::write(canvas, digit, at, height, &pen, random);
        } else {
            let mask = &face.masks[usize::from(digit)];
            draw_mask(canvas, mask, at, height, pen.ink, random);
        }
    }
}

/// Dirt, or a faint mirrored digit from the back of the page.
fn draw_specks(canvas: &mut Canvas, families: &[Vec<Face>], random: &mut Random) {
    if random.chance(0.5) {
        let face = pick_face(families, random);
        let scale = CELL * uniform(random, 0.3, 0.9) / super::fonts::HEIGHT;
        let place = |random: &mut Random| uniform(random, 0.0, CANVAS as f64);
        let at = Point::new(place(random), place(random));
        let angle = uniform(random, -3.0, 3.0);
        let mask = &face.masks[random.below(10)];
        let ink = uniform(random, 0.05, 0.25);
        canvas.mask(mask, &Affine::new(at, angle, 0.0, -scale, scale), ink);
        return;
    }
    for _ in 0..1 + random.below(3) {
        let place = |random: &mut Random| uniform(random, 0.0, CANVAS as f64);
        let at = Point::new(place(random), place(random));
        let to = at + Point::new(normal(random, 2.0), normal(random, 2.0));
        let (radius, ink) = (uniform(random, 0.5, 2.0), uniform(random, 0.2, 0.8));
        canvas.line(at, to, radius, ink);
    }
}

/// The grid lines at the edges of the cell, and sometimes a diagonal or a dashed cage.
fn draw_lines(canvas: &mut Canvas, random: &mut Random) {
    let (low, high) = ((CANVAS as f32 - CELL) / 2.0, (CANVAS as f32 + CELL) / 2.0);
    for edge in 0..4 {
        let offset = normal(random, 1.5);
        let tilt = normal(random, 0.02) * CANVAS as f32;
        let (radius, ink) = (uniform(random, 0.3, 2.6), uniform(random, 0.2, 1.3));
        let at = if edge % 2 == 0 { low } else { high } + offset;
        let (from, to) = (Point::new(-5.0, at - tilt), Point::new(CANVAS as f32 + 5.0, at + tilt));
        match edge {
            0 | 1 => canvas.line(from, to, radius, ink),
            _ => canvas.line(Point::new(from.y, from.x), Point::new(to.y, to.x), radius, ink),
        }
    }
    if random.chance(0.03) {
        let (from, to) = (Point::new(low, low), Point::new(high, high));
        let (radius, ink) = (uniform(random, 0.3, 1.5), uniform(random, 0.1, 0.5));
        match random.chance(0.5) {
            true => canvas.line(from, to, radius, ink),
            false => canvas.line(Point::new(low, high), Point::new(high, low), radius, ink),
        }
    }
}

fn blur_rounds(random: &mut Random) -> usize {
    match random.below(10) {
        0..5 => 1,
        5..8 => 2,
        8 => 5,
        _ => 10 + random.below(14),
    }
}

fn light_and_noise(plane: &mut Plane, random: &mut Random) {
    let (slope_x, slope_y) = (normal(random, 0.08), normal(random, 0.08));
    let shadow = random.chance(0.08).then(|| {
        (uniform(random, -1.0, 1.0), uniform(random, -1.0, 1.0), uniform(random, 0.1, 0.5))
    });
    let edge = uniform(random, -0.3, 0.3);
    let noise = random.normal().abs() * 0.06;
    let width = plane.width;
    for (index, value) in plane.data.iter_mut().enumerate() {
        let x = (index % width) as f32 / width as f32 - 0.5;
        let y = (index / width) as f32 / width as f32 - 0.5;
        *value += slope_x * x + slope_y * y + normal(random, noise);
        if let Some((a, b, depth)) = shadow
            && a * x + b * y > edge
        {
            *value += depth;
        }
    }
}
