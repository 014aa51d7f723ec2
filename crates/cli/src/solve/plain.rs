//! Fast path for long lists: solves the plain 9×9 lines of a chunk together, in the batch solver or
//! on a GPU.
//!
//! It handles only puzzles with exactly one solution. All other records take the general path,
//! which also produces the error messages.

use super::gpu::Gpu;
use crate::input::InputResult;
use ninefold::search::batch::Batch;
use ninefold::search::nine::Line;
use ninefold::search::{Effort, Limits};
use std::ops::ControlFlow;
use std::time::Instant;

/// With fewer puzzles, most lanes of the batch solver would be empty.
const MIN_BATCH: usize = 8;

/// The unique solution of a puzzle.
pub struct PlainSolution {
    /// The puzzle, as in the record.
    pub puzzle: Line,
    pub solution: Line,
    /// The time is that of the chunk divided by the number of its puzzles.
    pub effort: Effort,
}

/// A line of digits and dots as text.
pub fn text(line: &Line) -> &str {
    str::from_utf8(line).expect("digits and dots are text")
}

/// The solution of each record that is a plain 9×9 puzzle with one solution.
pub fn solve(records: &[InputResult], gpu: Option<&Gpu>) -> Vec<Option<PlainSolution>> {
    let mut results: Vec<Option<PlainSolution>> = records.iter().map(|_| None).collect();
    let mut places = Vec::new();
    let mut lines: Vec<Line> = Vec::new();
    for (place, record) in records.iter().enumerate() {
        if let Some(line) = record.as_ref().ok().and_then(|record| record.plain_nine().copied()) {
            places.push(place);
            lines.push(line);
        }
    }
    if lines.len() < MIN_BATCH {
        return results;
    }
    let started = Instant::now();
    let mut solutions = vec![[0; 81]; lines.len()];
    let tallies = match gpu {
        Some(gpu) => gpu.solve(&lines, &mut solutions),
        None => {
            let mut see = |puzzle: usize, solution: &Line| {
                solutions[puzzle] = *solution;
                ControlFlow::Continue(())
            };
            Batch::BEST.solve_all(&lines, 2, &Limits::none(), &mut see).0
        }
    };
    let elapsed = started.elapsed() / lines.len() as u32;
    for (index, (place, tally)) in places.into_iter().zip(tallies).enumerate() {
        if tally.solutions == 1 {
            // Each guess adds two nodes to a completely searched tree.
            let mut effort = Effort::none(None);
            effort.nodes = 1 + 2 * tally.guesses;
            effort.guesses = tally.guesses;
            effort.elapsed = elapsed;
            let (puzzle, solution) = (lines[index], solutions[index]);
            results[place] = Some(PlainSolution { puzzle, solution, effort });
        }
    }
    results
}
