//! Reads lists of puzzles and applies random symmetries, so that no solver benefits from the order
//! of cells or digits.

use flate2::read::MultiGzDecoder;
use ninefold::grid::{Grid, Order, Symmetry};
use ninefold::random::Random;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};

/// A 9×9 puzzle: `1` to `9`, and `.` for an empty cell.
pub type Line = [u8; 81];

/// Reads a list, samples at most `limit` puzzles and applies a random symmetry to each.
pub fn read(path: &str, limit: usize, seed: u64) -> Result<Vec<Line>, String> {
    let mut file = BufReader::new(File::open(path).map_err(|error| error.to_string())?);
    let is_gzip = file.fill_buf().map_err(|error| error.to_string())?.starts_with(&[0x1f, 0x8b]);
    let mut text = String::new();
    match is_gzip {
        true => MultiGzDecoder::new(file).read_to_string(&mut text),
        false => file.read_to_string(&mut text),
    }
    .map_err(|error| error.to_string())?;
    let mut puzzles = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let Some(word) = line.split([' ', '\t', ',']).next().filter(|word| !word.is_empty()) else {
            continue;
        };
        let puzzle: Grid = word.parse().map_err(|error| format!("line {number}: {error}"))?;
        if puzzle.order() != Order::NINE {
            return Err(format!("line {number}: expected a 9×9 grid, found {}", puzzle.order()));
        }
        puzzles.push(puzzle);
    }
    let mut random = Random::new(seed);
    random.shuffle(&mut puzzles);
    puzzles.truncate(limit);
    let image = |puzzle| Symmetry::random(Order::NINE, &mut random).image(puzzle);
    let lines: Vec<Line> = puzzles.iter().map(image).map(|image| line(&image)).collect();
    if lines.is_empty() { Err("the list contains no puzzles".to_string()) } else { Ok(lines) }
}

fn line(grid: &Grid) -> Line {
    let mut line = [b'.'; 81];
    for (byte, number) in line.iter_mut().zip(grid.numbers()) {
        if number > 0 {
            *byte = b'0' + number;
        }
    }
    line
}
