//! Fast path for long lists: checks the plain 9×9 lines of a chunk together in the batch solver.
//! The batch also contains every puzzle without each of its clues.
//!
//! It handles only puzzles with exactly one solution. All other records take the general path.

use super::Findings;
use crate::input::InputResult;
use ninefold::search::batch::Batch;
use ninefold::search::nine::{self, Line};
use ninefold::search::{Limits, Solutions, unique};
use std::ops::ControlFlow;

/// With fewer puzzles, most lanes of the batch solver would be empty.
const MIN_BATCH: usize = 8;

/// The findings for each record that is a plain 9×9 puzzle with one solution.
pub fn check(records: &[InputResult]) -> Vec<Option<Findings>> {
    let mut findings: Vec<Option<Findings>> = records.iter().map(|_| None).collect();
    let plain =
        |record: &InputResult| record.as_ref().ok().and_then(|record| record.plain_nine().copied());
    let plain =
        records.iter().enumerate().filter_map(|(place, record)| Some((place, plain(record)?)));
    let (places, lines): (Vec<usize>, Vec<Line>) = plain.unzip();
    if lines.len() < MIN_BATCH {
        return findings;
    }
    let mut solutions = vec![[0; 81]; lines.len()];
    let (tallies, _) =
        Batch::BEST.solve_all(&lines, 2, &Limits::none(), &mut |puzzle, solution| {
            solutions[puzzle] = *solution;
            ControlFlow::Continue(())
        });
    let unique: Vec<usize> =
        (0..lines.len()).filter(|&number| tallies[number].solutions == 1).collect();
    let puzzles: Vec<Line> = unique.iter().map(|&number| lines[number]).collect();
    for ((&number, puzzle), idle) in
        unique.iter().zip(&puzzles).zip(unique::redundant_clues(&puzzles))
    {
        findings[places[number]] = Some(Findings {
            puzzle: nine::grid(puzzle),
            conflict: None,
            contradiction: None,
            redundant_rules: None,
            solutions: Some(Ok(Solutions::One(nine::grid(&solutions[number])))),
            redundant: Some(Ok(idle)),
        });
    }
    findings
}
