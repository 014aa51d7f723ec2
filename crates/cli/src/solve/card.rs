//! `--device gpu` without a network: plain lists of 9×9 puzzles go to the graphics card, a chunk at a time.
//!
//! Whatever is not plain (another size, another task, a clue twice in a house, several solutions) goes the ordinary way.

use super::Options;
use crate::error::CliError;
use ninefold::search::batch::Tally;
use ninefold::search::nine::Line;
use std::sync::{Mutex, PoisonError};

/// The most puzzles that go to the card at once: it has tens of thousands of threads, and wants several for each.
pub const LARGEST_CHUNK: usize = 1 << 18;

/// A card that all workers share.
pub struct Card(Mutex<gpu::Card>);

/// The card, if it was asked for and no network wants it.
pub fn asked_for(options: &Options) -> Result<Option<Card>, CliError> {
    if !is_wanted(options) {
        return Ok(None);
    }
    match gpu::Card::open() {
        Ok(card) => Ok(Some(Card(Mutex::new(card)))),
        Err(no_card) => {
            Err(CliError::new(no_card.to_string()).hint("--device cpu computes on the processor"))
        }
    }
}

#[cfg(feature = "networks")]
fn is_wanted(options: &Options) -> bool {
    options.device == super::network::Device::Gpu && options.search.network().is_none()
}

#[cfg(not(feature = "networks"))]
fn is_wanted(_options: &Options) -> bool {
    false
}

impl Card {
    /// Counts the solutions of every line up to two; `solutions` gets the first of each.
    pub fn solve(&self, lines: &[Line], solutions: &mut [Line]) -> Vec<Tally> {
        let mut card = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let answers = card.count_to_two(lines);
        let tally = |(answer, solution): (gpu::Answer, &mut Line)| {
            if let Some(first) = answer.first {
                *solution = first;
            }
            Tally::new(u64::from(answer.solutions), u64::from(answer.guesses))
        };
        answers.into_iter().zip(solutions).map(tally).collect()
    }
}
