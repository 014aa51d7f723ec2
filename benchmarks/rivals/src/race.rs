//! Turns of equal CPU time, and a check of every answer.

use crate::contestants::{Contestant, Tally};
use crate::lists::Line;
use cpu_time::ThreadTime;

/// The most puzzles handed over at once.
const LARGEST_CHUNK: usize = 8_192;

/// A chunk should take about so long, so that reading the clock costs nothing and a turn ends in time.
const CHUNK_SECONDS: f64 = 0.02;

/// How one contestant did on one list.
pub struct Score {
    /// The contestant.
    pub name: String,
    /// Is it one of ours?
    pub ours: bool,
    /// Puzzles per CPU second in each turn.
    pub speeds: Vec<f64>,
    /// Puzzles answered over all turns.
    pub answered: u64,
    /// Guesses over all turns, where the contestant tells.
    pub guesses: Option<u64>,
    /// Answers that differ from the reference.
    pub wrong: u64,
    /// Did it give up on a puzzle?
    pub gave_up: bool,
    chunk: usize,
    /// The next puzzle; a turn starts where the last one ended.
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

/// Lets all contestants take turns. The first one's answers are the reference.
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
            if !score.gave_up {
                take_turn(contestant, score, puzzles, &reference, seconds);
            }
        }
    }
    scores
}

/// Finds out how many puzzles take about as long as a chunk should; nothing of this is counted.
fn warm_up(contestant: &mut Contestant, puzzles: &[Line]) -> Score {
    let mut chunk = 1;
    let mut gave_up = false;
    while chunk < LARGEST_CHUNK.min(puzzles.len()) && !gave_up {
        let started = ThreadTime::now();
        gave_up = contestant.count(&puzzles[..chunk]).len() < chunk;
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
        gave_up,
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
    while time < seconds && !score.gave_up {
        let range = score.next..(score.next + score.chunk).min(puzzles.len());
        let started = ThreadTime::now();
        let tallies = contestant.count(&puzzles[range.clone()]);
        time += started.elapsed().as_secs_f64();
        answered += tallies.len();
        score.gave_up = tallies.len() < range.len();
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
