//! Reads a file of puzzles together with a file of their solutions, line by line.

use crate::error::{ReadError, ReadErrorKind};
use crate::lines::Lines;
use crate::record::{Record, RecordText};
use crate::table::Fields;
use ninefold::grid::Order;
use std::io::BufRead;

/// Iterator over the records of a file of puzzles and a file of their solutions.
pub struct Pairs<P, S> {
    puzzles: Lines<P>,
    solutions: Lines<S>,
    order: Option<Order>,
    pairs: u64,
}

impl<P: BufRead, S: BufRead> Pairs<P, S> {
    /// Joins a file of puzzles and a file of solutions.
    pub fn new(puzzles: P, solutions: S, order: Option<Order>) -> Pairs<P, S> {
        Pairs { puzzles: Lines::new(puzzles), solutions: Lines::new(solutions), order, pairs: 0 }
    }
}

impl<P: BufRead, S: BufRead> Iterator for Pairs<P, S> {
    type Item = Result<Record, ReadError>;

    fn next(&mut self) -> Option<Result<Record, ReadError>> {
        self.pairs += 1;
        let missing = |what: &str| {
            let message = format!("puzzle {}: {what}", self.pairs);
            Some(Err(ReadErrorKind::syntax(message).at_line(self.pairs)))
        };
        match (next_line(&mut self.puzzles), next_line(&mut self.solutions)) {
            (None, None) => None,
            (Some(_), None) => missing("the solution is missing"),
            (None, Some(_)) => missing("there is a solution without a puzzle"),
            (Some(Err(error)), _) | (_, Some(Err(error))) => Some(Err(error)),
            (Some(Ok((line, puzzle))), Some(Ok((_, solution)))) => {
                let fields =
                    Fields { puzzle: Some(puzzle), solution: Some(solution), ..Fields::default() };
                Some(Ok(Record::at_line(line, self.order, RecordText::Row(Box::new(fields)))))
            }
        }
    }
}

/// The next line that is neither blank nor a comment.
fn next_line<R: BufRead>(lines: &mut Lines<R>) -> Option<Result<(u64, String), ReadError>> {
    loop {
        match lines.next_text()? {
            Ok((_, line)) if line.trim().is_empty() || line.trim().starts_with('#') => {}
            other => return Some(other),
        }
    }
}
