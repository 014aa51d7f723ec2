//! Measures solvers in turns of equal CPU time and checks every result.

use crate::contestants::{Contestant, Tally};
use crate::lists::Line;
use cpu_time::ThreadTime;

/// The maximum number of puzzles per call.
const LARGEST_CHUNK: usize = 8_192;

/// The target time of a chunk, the puzzles solved between two reads of the clock: long enough that
/// reading the clock costs nothing, short enough to end turns on time.
const CHUNK_SECONDS: f64 = 0.02;

/// The results of one solver on one list.
pub struct Score {
    pub name: String,
    /// Whether the solver is part of Ninefold.
    pub ours: bool,
    /// Puzzles per CPU second in each turn.
    pub speeds: Vec<f64>,
    /// The number of solved puzzles in all turns.
    pub answered: u64,
    /// The number of guesses in all turns, if the solver reports it.
    pub guesses: Option<u64>,
    /// The number of results that differ from the reference.
    pub wrong: u64,
    /// Whether it exceeded the time limit on a puzzle.
    pub timed_out: bool,
    chunk: usize,
    /// The next puzzle. A turn starts where the last one ended.
    next: usize,
}

impl Score {
    /// The median of the speeds; 0 if there was no turn.
    pub fn speed(&self) -> f64 {
        let mut speeds = self.speeds.clone();
        speeds.sort_by(f64::total_cmp);
        speeds.get(speeds.len() / 2).copied().unwrap_or(0.0)
    }
}

/// Runs all solvers in turns. The first one is the reference.
pub fn run(
    puzzles: &[Line],
    contestants: &mut [Contestant],
    turns: usize,
    seconds: f64,
) -> Vec<Score> {
    let reference: Vec<u64> =
        contestants[0].count(puzzles).iter().map(|tally| tally.solutions).collect();
    let mut scores: Vec<Score> =
        contestants.iter_mut().map(|contestant| warm_up(contestant, puzzles)).collect();
    for _ in 0..turns {
        for (contestant, score) in contestants.iter_mut().zip(&mut scores) {
            if !score.timed_out {
                take_turn(contestant, score, puzzles, &reference, seconds);
            }
        }
    }
    scores
}

/// Determines the number of puzzles per chunk. These runs are not counted.
fn warm_up(contestant: &mut Contestant, puzzles: &[Line]) -> Score {
    let mut chunk = 1;
    let mut timed_out = false;
    while chunk < LARGEST_CHUNK.min(puzzles.len()) && !timed_out {
        let started = ThreadTime::now();
        timed_out = contestant.count(&puzzles[..chunk]).len() < chunk;
        if started.elapsed().as_secs_f64() > CHUNK_SECONDS {
            break;
        }
        chunk *= 2;
    }
    let chunk = chunk.min(LARGEST_CHUNK).min(puzzles.len());
    Score {
        name: contestant.name.clone(),
        ours: contestant.ours,
        speeds: Vec::new(),
        answered: 0,
        guesses: Some(0),
        wrong: 0,
        timed_out,
        chunk,
        next: 0,
    }
}

fn take_turn(
    contestant: &mut Contestant,
    score: &mut Score,
    puzzles: &[Line],
    reference: &[u64],
    seconds: f64,
) {
    let (mut time, mut answered) = (0.0, 0);
    while time < seconds && !score.timed_out {
        let range = score.next..(score.next + score.chunk).min(puzzles.len());
        let started = ThreadTime::now();
        let tallies = contestant.count(&puzzles[range.clone()]);
        time += started.elapsed().as_secs_f64();
        answered += tallies.len();
        score.timed_out = tallies.len() < range.len();
        score.next = if range.end == puzzles.len() { 0 } else { range.end };
        check(score, &tallies, &reference[range]);
    }
    score.answered += answered as u64;
    if time > 0.0 && answered > 0 {
        score.speeds.push(answered as f64 / time);
    }
}

fn check(score: &mut Score, tallies: &[Tally], reference: &[u64]) {
    score.wrong +=
        tallies.iter().zip(reference).filter(|(tally, right)| tally.solutions != **right).count()
            as u64;
    let guesses: Option<u64> = tallies.iter().map(|tally| tally.guesses).sum();
    score.guesses = score.guesses.zip(guesses).map(|(sum, guesses)| sum + guesses);
}
