//! The sums that `--stats` prints.

use crate::console::Part;
use crate::verdict::Verdict;
use crate::words;
use ninefold::search::Effort;
use std::time::Duration;

/// Sums over all puzzles.
#[derive(Default)]
pub struct Statistics {
    puzzles: u64,
    verdicts: [u64; 3],
    searches: u64,
    nodes: u64,
    guesses: u64,
    without_a_guess: u64,
    searching: Duration,
    slowest: Duration,
}

impl Statistics {
    /// Adds one part of an answer; the effort comes with the last part of each puzzle.
    pub fn add(&mut self, part: &Part, effort: Option<Effort>) {
        self.puzzles += part.puzzles;
        self.verdicts[part.verdict as usize] += part.puzzles;
        let Some(effort) = effort else { return };
        self.searches += 1;
        self.nodes += effort.nodes;
        self.guesses += effort.guesses;
        self.without_a_guess += u64::from(effort.guesses == 0);
        self.searching += effort.elapsed;
        self.slowest = self.slowest.max(effort.elapsed);
    }

    /// A few lines for a person.
    pub fn in_words(&self, elapsed: Duration) -> String {
        let per_search = |sum: u64| words::three_digits(sum as f64 / self.searches.max(1) as f64);
        let share = 100.0 * self.without_a_guess as f64 / self.searches.max(1) as f64;
        let per_second = self.puzzles as f64 / elapsed.as_secs_f64().max(1e-9);
        let verdict = |verdict: Verdict| words::thousands(self.verdicts[verdict as usize]);
        format!(
            "puzzles  {}: {} yes, {} no, {} trouble\n\
             nodes    {} ({} per puzzle)\n\
             guesses  {} ({} per puzzle; {share:.1} % of the puzzles without a guess)\n\
             time     {} ({} puzzles per second; searching {}, slowest {})\n",
            words::thousands(self.puzzles),
            verdict(Verdict::Yes),
            verdict(Verdict::No),
            verdict(Verdict::Trouble),
            words::thousands(self.nodes),
            per_search(self.nodes),
            words::thousands(self.guesses),
            per_search(self.guesses),
            words::time(elapsed),
            words::three_digits(per_second),
            words::time(self.searching),
            words::time(self.slowest),
        )
    }
}
