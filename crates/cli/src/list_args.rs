//! Options of the commands that process lists of puzzles with logic.

use crate::error::CliError;
use crate::input::{InputResult, Puzzles};
use crate::search_args::parse_seconds;
use crate::stream::{self, Feed};
use ninefold::{Grid, Limits, Solutions};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

#[derive(clap::Args, Debug)]
pub struct ListArgs {
    /// Stop working on a puzzle after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time_limit: Option<Duration>,

    /// Number of worker threads [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Stop at the first error instead of continuing with the next puzzle
    #[arg(long)]
    pub strict: bool,

    /// Print only errors to stderr
    #[arg(long, short)]
    pub quiet: bool,
}

/// The time limit for the search for solutions without `--time-limit`.
const DEFAULT_SEARCH_TIME: Duration = Duration::from_secs(120);

impl ListArgs {
    #[cfg(feature = "networks")]
    pub fn has_time_limit(&self) -> bool {
        self.time_limit.is_some()
    }

    pub fn has_threads(&self) -> bool {
        self.threads.is_some()
    }

    pub fn threads(&self) -> usize {
        self.threads.map_or_else(stream::all_cores, usize::from)
    }

    /// Searches the solutions of a puzzle. Also returns the limits that remain for the explanation.
    pub fn solutions(&self, puzzle: &Grid) -> (Option<Solutions>, Limits<'static>) {
        let started = Instant::now();
        let longest = self.time_limit.unwrap_or(DEFAULT_SEARCH_TIME);
        let solutions = ninefold::solutions_within(puzzle, &Limits::none().with_time(longest));
        let limits = match self.time_limit {
            Some(limit) => Limits::none().with_time(limit.saturating_sub(started.elapsed())),
            None => Limits::none(),
        };
        (solutions, limits)
    }
}

/// Numbers the puzzles of the input from 1. A single puzzle has no number.
pub struct NumberedPuzzles {
    ahead: VecDeque<InputResult>,
    puzzles: Puzzles,
    is_single: bool,
    next: usize,
}

impl NumberedPuzzles {
    /// An empty input is an error.
    pub fn new(mut puzzles: Puzzles) -> Result<NumberedPuzzles, CliError> {
        let ahead: VecDeque<InputResult> = puzzles.by_ref().take(2).collect();
        if ahead.is_empty() {
            return Err(CliError::empty_input());
        }
        Ok(NumberedPuzzles { is_single: ahead.len() == 1, ahead, puzzles, next: 1 })
    }
}

impl Iterator for NumberedPuzzles {
    type Item = (Option<usize>, InputResult);

    fn next(&mut self) -> Option<(Option<usize>, InputResult)> {
        let record = self.ahead.pop_front().or_else(|| self.puzzles.next())?;
        self.next += 1;
        Some(((!self.is_single).then_some(self.next - 1), record))
    }
}

impl Feed for NumberedPuzzles {
    fn has_buffered(&self) -> bool {
        !self.ahead.is_empty() || self.puzzles.has_buffered()
    }
}
