//! List arguments: the options of verbs that go through many puzzles with logic.

use crate::error::CliError;
use crate::input::{Puzzles, Question};
use crate::search_args::seconds;
use crate::stream::{self, Feed};
use clap::Args;
use ninefold::{Grid, Limits, Solutions};
use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Time, threads and what is said on the way.
#[derive(Args, Debug)]
pub struct ListArgs {
    /// Give up a puzzle after this many seconds
    #[arg(long, visible_alias = "limit", value_name = "SECONDS", value_parser = seconds)]
    time_limit: Option<Duration>,

    /// Work on this many puzzles at once [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Stop at the first error instead of going on with the next puzzle
    #[arg(long)]
    pub strict: bool,

    /// Print nothing to stderr but errors
    #[arg(long, short)]
    pub quiet: bool,
}

/// How long a search for the solutions may take if nobody says so.
const LONGEST_SEARCH: Duration = Duration::from_secs(120);

impl ListArgs {
    /// How many threads to use.
    pub fn threads(&self) -> usize {
        self.threads.map_or_else(stream::all_cores, usize::from)
    }

    /// What a search finds out about the solutions of a puzzle, and the limits for what comes after it.
    pub fn solutions(&self, puzzle: &Grid) -> (Option<Solutions>, Limits<'static>) {
        let started = Instant::now();
        let longest = self.time_limit.unwrap_or(LONGEST_SEARCH);
        let solutions = ninefold::solutions_within(puzzle, &Limits::time(longest));
        let limits = match self.time_limit {
            Some(limit) => Limits::time(limit.saturating_sub(started.elapsed())),
            None => Limits::none(),
        };
        (solutions, limits)
    }
}

/// Puzzles with their numbers, counted from 1; a puzzle that is alone has none.
pub struct Numbered {
    ahead: VecDeque<Question>,
    puzzles: Puzzles,
    alone: bool,
    next: usize,
}

impl Numbered {
    /// Looks whether there is more than one puzzle; none at all is an error.
    pub fn of(mut puzzles: Puzzles) -> Result<Numbered, CliError> {
        let ahead: VecDeque<Question> = puzzles.by_ref().take(2).collect();
        if ahead.is_empty() {
            return Err(
                CliError::new("there is no puzzle in the input").hint("write one puzzle per line")
            );
        }
        Ok(Numbered { alone: ahead.len() == 1, ahead, puzzles, next: 1 })
    }
}

impl Iterator for Numbered {
    type Item = (Option<usize>, Question);

    fn next(&mut self) -> Option<(Option<usize>, Question)> {
        let question = self.ahead.pop_front().or_else(|| self.puzzles.next())?;
        self.next += 1;
        Some(((!self.alone).then_some(self.next - 1), question))
    }
}

impl Feed for Numbered {
    fn more_is_ready(&self) -> bool {
        !self.ahead.is_empty() || self.puzzles.more_is_ready()
    }
}
