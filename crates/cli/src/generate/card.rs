//! `--device gpu`: the questions of many puzzles at once, whether they have one solution, go to the graphics card.

use super::Options;
use crate::error::CliError;
use gpu::Card;
use ninefold::generate::{self, Made, Refusal, Wish};
use ninefold::search::nine::Line;
use std::ops::Range;
use std::sync::{Mutex, PoisonError};

/// Puzzles that are made side by side. Each has a question at a time, and the card has tens of thousands of threads.
const BUNDLE: u64 = 1 << 16;

/// The card, if it was asked for.
pub fn asked_for(options: &Options) -> Result<Option<Mutex<Card>>, CliError> {
    if !is_wanted(options) {
        return Ok(None);
    }
    match Card::open() {
        Ok(card) => Ok(Some(Mutex::new(card))),
        Err(no_card) => {
            Err(CliError::new(no_card.to_string()).hint("--device cpu computes on the processor"))
        }
    }
}

#[cfg(feature = "networks")]
fn is_wanted(options: &Options) -> bool {
    options.device == neural::device::Device::Gpu
}

#[cfg(not(feature = "networks"))]
fn is_wanted(_options: &Options) -> bool {
    false
}

/// The puzzles that [`generate::make_many`] makes, proven on the card.
pub fn make_many(
    card: &Mutex<Card>,
    wish: &Wish<'_>,
    seed: u64,
    indices: Range<u64>,
    threads: usize,
    deliver: impl FnMut(u64, Result<Made, Refusal>) -> bool,
) {
    let are_unique = |puzzles: &[Line]| {
        let mut card = card.lock().unwrap_or_else(PoisonError::into_inner);
        card.count_to_two(puzzles).iter().map(|answer| answer.solutions == 1).collect()
    };
    generate::make_many_asking(wish, seed, indices, threads, BUNDLE, &are_unique, deliver);
}
