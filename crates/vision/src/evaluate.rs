//! Measures readings against labelled photos: found grids, exact boards, wrong answers that were
//! accepted, calibration and time.

use crate::cells::Cells;
use crate::classify::classify;
use crate::find::find_all;
use crate::geometry::Quad;
use crate::labels::Label;
use crate::mesh::Mesh;
use crate::open::open;
use crate::reading::{Outcome, Reader, Reading, interpret};
use std::time::Instant;

/// The stages whose time is measured. The last one includes second attempts with another grid.
pub const STAGES: [&str; 5] = ["decode", "find", "cells", "network", "rules"];

/// The result for one photo.
#[derive(Clone, Debug)]
pub struct PhotoResult {
    pub file: String,
    /// The set that the photo is counted in.
    pub set: String,
    /// The grid was found where the label says.
    pub is_found: bool,
    /// All digits were right without the rules.
    pub is_raw_exact: bool,
    /// All digits of the final reading are right.
    pub is_exact: bool,
    /// The board was taken for a puzzle with other rules.
    pub has_signs: bool,
    /// `None` if no grid was found.
    pub outcome: Option<Outcome>,
    /// The probability of the board that the reader claims.
    pub confidence: f32,
    /// For each cell the confidence, and whether the digit is right.
    pub cells: Vec<(f32, bool)>,
    /// Seconds for each of [`STAGES`].
    pub seconds: [f64; 5],
    /// Why the photo could not be opened.
    pub error: Option<String>,
}

/// Reads a labelled photo and compares.
pub fn evaluate(reader: &Reader, label: &Label) -> PhotoResult {
    let mut result = PhotoResult {
        file: label.file.clone(),
        set: set_of(label),
        is_found: false,
        is_raw_exact: false,
        is_exact: false,
        has_signs: false,
        outcome: None,
        confidence: 0.0,
        cells: Vec::new(),
        seconds: [0.0; 5],
        error: None,
    };
    let bytes = match std::fs::read(label.path()) {
        Ok(bytes) => bytes,
        Err(error) => {
            result.error = Some(error.to_string());
            return result;
        }
    };
    let mut start = Instant::now();
    let mut stage = 0;
    let mut lap = |seconds: &mut [f64; 5]| {
        seconds[stage] = start.elapsed().as_secs_f64();
        stage += 1;
        start = Instant::now();
    };
    let image = match open(&bytes) {
        Ok(image) => image,
        Err(error) => {
            result.error = Some(error.to_string());
            return result;
        }
    };
    lap(&mut result.seconds);
    let grids = find_all(&image);
    lap(&mut result.seconds);
    let Some(&grid) = grids.first() else { return result };
    let mesh = Mesh::new(&image, &grid);
    let cells = Cells::new(&mesh);
    lap(&mut result.seconds);
    let seen = classify(&reader.network, &cells);
    lap(&mut result.seconds);
    let reading = reader.second_chance(&image, &grids, interpret(grid, &mesh, &cells, &seen));
    lap(&mut result.seconds);
    compare(&mut result, label, &reading);
    result
}

fn set_of(label: &Label) -> String {
    let name = if label.source.is_empty() { &label.content } else { &label.source };
    let name = if name.is_empty() { "photos" } else { name };
    if label.role == "dev" { format!("{name} (dev)") } else { name.to_string() }
}

fn compare(result: &mut PhotoResult, label: &Label, reading: &Reading) {
    result.is_found = is_where_labelled(label, reading);
    result.has_signs = !reading.signs.is_empty();
    result.outcome = Some(reading.outcome);
    result.confidence = reading.confidence;
    if reading.cells.len() != label.puzzle.len() {
        return;
    }
    let pairs = reading.cells.iter().zip(&label.puzzle);
    result.is_raw_exact = pairs.clone().all(|(cell, &digit)| cell.seen_digit == digit);
    result.is_exact = pairs.clone().all(|(cell, &digit)| cell.digit == digit);
    result.cells = pairs.map(|(cell, &digit)| (cell.confidence, cell.digit == digit)).collect();
}

/// Whether the corners are within half a cell of the label, in any orientation.
fn is_where_labelled(label: &Label, reading: &Reading) -> bool {
    if reading.side * reading.side != label.puzzle.len() {
        return false;
    }
    let Some(corners) = label.corners else { return true };
    let last = reading.side;
    let found = [(0, 0), (0, last), (last, last), (last, 0)]
        .map(|(r, c)| reading.crossings[r * (last + 1) + c]);
    let distance =
        |turn: usize| Quad(std::array::from_fn(|i| found[(i + turn) % 4])).distance(&corners);
    let cell = corners.mean_side() / last as f32;
    (0..4).map(distance).fold(f32::MAX, f32::min) < 0.5 * cell
}

/// Counts for a set of photos.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub photos: usize,
    pub found: usize,
    pub raw_exact: usize,
    pub exact: usize,
    pub read: usize,
    pub read_wrong: usize,
    pub corrected: usize,
    pub corrected_wrong: usize,
    pub unresolved: usize,
}

impl Tally {
    pub fn add(&mut self, result: &PhotoResult) {
        self.photos += 1;
        self.found += usize::from(result.is_found);
        self.raw_exact += usize::from(result.is_raw_exact);
        self.exact += usize::from(result.is_exact);
        let wrong = usize::from(!result.is_exact);
        match result.outcome {
            Some(Outcome::Read) => {
                self.read += 1;
                self.read_wrong += wrong;
            }
            Some(Outcome::Corrected) => {
                self.corrected += 1;
                self.corrected_wrong += wrong;
            }
            _ => self.unresolved += 1,
        }
    }
}

/// Tallies for each set in the order of their first photo, and for all photos.
pub fn tallies(results: &[PhotoResult]) -> Vec<(String, Tally)> {
    let mut sets: Vec<(String, Tally)> = Vec::new();
    let mut all = Tally::default();
    for result in results {
        all.add(result);
        match sets.iter_mut().find(|(name, _)| *name == result.set) {
            Some((_, tally)) => tally.add(result),
            None => {
                let mut tally = Tally::default();
                tally.add(result);
                sets.push((result.set.clone(), tally));
            }
        }
    }
    sets.push(("all".to_string(), all));
    sets
}

/// Cells grouped by confidence: the lower end of the group, cells, mean confidence, share right.
pub fn calibration(results: &[PhotoResult]) -> Vec<(f32, usize, f32, f32)> {
    const ENDS: [f32; 8] = [0.0, 0.5, 0.7, 0.9, 0.97, 0.99, 0.999, 0.9999];
    let mut groups = [(0usize, 0.0f64, 0usize); ENDS.len()];
    for &(confidence, is_right) in results.iter().flat_map(|result| &result.cells) {
        let group = ENDS.iter().rposition(|&end| confidence >= end).unwrap_or(0);
        groups[group].0 += 1;
        groups[group].1 += f64::from(confidence);
        groups[group].2 += usize::from(is_right);
    }
    let rows = ENDS.iter().zip(groups).filter(|(_, group)| group.0 > 0);
    rows.map(|(&end, (cells, sum, right))| {
        (end, cells, (sum / cells as f64) as f32, right as f32 / cells as f32)
    })
    .collect()
}

/// The tables as text.
pub fn report(results: &[PhotoResult]) -> String {
    let mut text = String::from(
        "set                  photos  grid  raw  exact  read  wrong  corrected  wrong  \
         unresolved\n",
    );
    for (name, t) in tallies(results) {
        text += &format!(
            "{name:<20} {:>6} {:>5} {:>4} {:>6} {:>5} {:>6} {:>10} {:>6} {:>11}\n",
            t.photos,
            t.found,
            t.raw_exact,
            t.exact,
            t.read,
            t.read_wrong,
            t.corrected,
            t.corrected_wrong,
            t.unresolved
        );
    }
    let with_signs = results.iter().filter(|result| result.has_signs).count();
    text += &format!("\n{with_signs} taken for puzzles with other rules\n");
    text += "\nstage     mean ms  largest ms\n";
    let mut totals = Vec::new();
    for (stage, name) in STAGES.iter().enumerate() {
        let times: Vec<f64> = results.iter().map(|result| result.seconds[stage]).collect();
        text += &time_row(name, &times);
    }
    totals.extend(results.iter().map(|result| result.seconds.iter().sum::<f64>()));
    text += &time_row("all", &totals);
    text += "\nconfidence  cells  mean confidence  right\n";
    for (end, cells, mean, right) in calibration(results) {
        text += &format!("from {end:<6} {cells:>5} {mean:>16.4} {right:>6.4}\n");
    }
    text
}

fn time_row(name: &str, seconds: &[f64]) -> String {
    let mean = seconds.iter().sum::<f64>() / seconds.len().max(1) as f64;
    let largest = seconds.iter().copied().fold(0.0, f64::max);
    format!("{name:<9} {:>7.1} {:>11.1}\n", mean * 1e3, largest * 1e3)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(set: &str, outcome: Option<Outcome>, is_exact: bool) -> PhotoResult {
        PhotoResult {
            file: String::new(),
            set: set.to_string(),
            is_found: outcome.is_some(),
            is_raw_exact: is_exact,
            is_exact,
            has_signs: false,
            outcome,
            confidence: 0.9,
            cells: vec![(0.95, is_exact)],
            seconds: [0.001; 5],
            error: None,
        }
    }

    #[test]
    fn counts_wrong_answers_by_outcome() {
        let results = [
            result("a", Some(Outcome::Read), true),
            result("a", Some(Outcome::Read), false),
            result("b", Some(Outcome::Corrected), false),
            result("b", None, false),
        ];
        let tallies = tallies(&results);
        assert_eq!(tallies.len(), 3);
        let all = &tallies[2].1;
        assert_eq!((all.photos, all.found, all.exact), (4, 3, 1));
        assert_eq!((all.read, all.read_wrong), (2, 1));
        assert_eq!((all.corrected_wrong, all.unresolved), (1, 1));
        let calibration = calibration(&results);
        assert_eq!(calibration, [(0.9, 4, 0.95, 0.25)]);
        assert!(report(&results).contains("largest ms"));
    }
}
