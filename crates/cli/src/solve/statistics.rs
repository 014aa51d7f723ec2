//! The totals that `--stats` prints.

use crate::console::Part;
use crate::humanize;
use crate::verdict::Verdict;
use ninefold::search::Effort;
use std::time::Duration;

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
    /// Adds a part of the output. Only the last part of each puzzle has an effort.
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

    pub fn to_text(&self, elapsed: Duration) -> String {
        let per_search =
            |sum: u64| humanize::three_digits(sum as f64 / self.searches.max(1) as f64);
        let share = 100.0 * self.without_a_guess as f64 / self.searches.max(1) as f64;
        let per_second = self.puzzles as f64 / elapsed.as_secs_f64().max(1e-9);
        let verdict = |verdict: Verdict| humanize::thousands(self.verdicts[verdict as usize]);
        format!(
            "puzzles  {}: {} yes, {} no, {} errors\n\
             nodes    {} ({} per puzzle)\n\
             guesses  {} ({} per puzzle; {share:.1} % of the puzzles without a guess)\n\
             time     {} ({} puzzles per second; searching {}, slowest {})\n",
            humanize::thousands(self.puzzles),
            verdict(Verdict::Yes),
            verdict(Verdict::No),
            verdict(Verdict::Error),
            humanize::thousands(self.nodes),
            per_search(self.nodes),
            humanize::thousands(self.guesses),
            per_search(self.guesses),
            humanize::time(elapsed),
            humanize::three_digits(per_second),
            humanize::time(self.searching),
            humanize::time(self.slowest),
        )
    }
}
