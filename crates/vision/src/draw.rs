//! Draws a reading into its photo, to see what was found.

use crate::geometry::Point;
use crate::grey::GreyImage;
use crate::reading::{Outcome, Reading};
use image::{Rgb, RgbImage};

const GRID: Rgb<u8> = Rgb([0, 160, 70]);
const DOUBTFUL: Rgb<u8> = Rgb([220, 120, 0]);
const CHANGED: Rgb<u8> = Rgb([210, 0, 30]);

/// The photo with the grid lines as found, and a cross in doubtful and changed cells, as PNG.
pub fn png(photo: &GreyImage, reading: Option<&Reading>) -> Vec<u8> {
    let (width, height) = (photo.width() as u32, photo.height() as u32);
    let mut image = RgbImage::from_fn(width, height, |x, y| {
        let grey = photo.pixels()[y as usize * photo.width() + x as usize];
        Rgb([grey; 3])
    });
    if let Some(reading) = reading {
        draw_reading(&mut image, reading);
    }
    let mut bytes = std::io::Cursor::new(Vec::new());
    image.write_to(&mut bytes, image::ImageFormat::Png).expect("memory can be written");
    bytes.into_inner()
}

fn draw_reading(image: &mut RgbImage, reading: &Reading) {
    let side = reading.side;
    let node = |row: usize, column: usize| reading.crossings[row * (side + 1) + column];
    for line in 0..=side {
        for at in 0..side {
            draw_line(image, node(line, at), node(line, at + 1), GRID);
            draw_line(image, node(at, line), node(at + 1, line), GRID);
        }
    }
    if reading.outcome == Outcome::Read {
        return;
    }
    for cell in reading.doubtful_cells() {
        let colour = if reading.cells[cell].is_changed() { CHANGED } else { DOUBTFUL };
        let place = crate::cells::turned_index(cell, side, reading.quarter_turns);
        let (row, column) = (place / side, place % side);
        let (a, c) = (node(row, column), node(row + 1, column + 1));
        let (b, d) = (node(row, column + 1), node(row + 1, column));
        draw_line(image, a.toward(c, 0.1), a.toward(c, 0.9), colour);
        draw_line(image, b.toward(d, 0.1), b.toward(d, 0.9), colour);
    }
}

fn draw_line(image: &mut RgbImage, from: Point, to: Point, colour: Rgb<u8>) {
    let steps = (to - from).length().ceil().max(1.0) as usize;
    for step in 0..=steps {
        let at = from.toward(to, step as f32 / steps as f32);
        for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let (x, y) = (at.x as i64 + dx, at.y as i64 + dy);
            if (0..i64::from(image.width())).contains(&x)
                && (0..i64::from(image.height())).contains(&y)
            {
                image.put_pixel(x as u32, y as u32, colour);
            }
        }
    }
}
