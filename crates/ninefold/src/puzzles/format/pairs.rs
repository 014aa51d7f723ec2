//! Paper 2's two files: one with puzzles, one with their solutions, line by line.

use super::{BadEntry, Entries, Entry, Format, Item, Reason, read};
use crate::grid::Order;
use std::io::BufRead;

/// The entries of two files that belong together.
pub struct Pairs<P, S> {
    puzzles: Entries<P>,
    solutions: Entries<S>,
    pairs: u64,
}

impl<P: BufRead, S: BufRead> Pairs<P, S> {
    /// Joins a file of puzzles and a file of solutions, both as numbers separated by blanks.
    pub fn new(puzzles: P, solutions: S, order: Option<Order>) -> Pairs<P, S> {
        Pairs {
            puzzles: read(Format::Numbers, puzzles, order),
            solutions: read(Format::Numbers, solutions, order),
            pairs: 0,
        }
    }
}

impl<P: BufRead, S: BufRead> Iterator for Pairs<P, S> {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        self.pairs += 1;
        let missing = |what: &str| Some(Err(BadEntry::syntax(self.pairs, format!("puzzle {}: {what}", self.pairs))));
        match (self.puzzles.next(), self.solutions.next()) {
            (None, None) => None,
            (Some(_), None) => missing("there is no solution for it"),
            (None, Some(_)) => missing("there is a solution but no puzzle"),
            (Some(Err(bad)), _) => Some(Err(bad)),
            (Some(Ok(_)), Some(Err(bad))) => {
                let reason = match bad.reason {
                    Reason::Puzzle(error) => Reason::Solution(error),
                    other => other,
                };
                Some(Err(BadEntry { line: bad.line, reason }))
            }
            (Some(Ok(puzzle)), Some(Ok(solution))) => Some(if solution.puzzle.solves(&puzzle.puzzle) {
                Ok(Entry { solution: Some(solution.puzzle), ..puzzle })
            } else {
                Err(BadEntry::new(self.pairs, Reason::WrongSolution))
            }),
        }
    }
}
