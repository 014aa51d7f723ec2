//! Measures how the batch solver scales with cores: wall time on one thread and on several, in
//! turns.
//!
//! `cargo run --release -p ninefold --example cores -- 2 LIST` prints the ratio of the medians and
//! checks that both give the same results.

use ninefold::search::batch::{Batch, Tally};
use ninefold::search::nine::Line;
use std::error::Error;
use std::thread;
use std::time::{Duration, Instant};

const TURNS: usize = 9;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let threads: usize = arguments.next().ok_or("usage: cores THREADS LIST")?.parse()?;
    let list = arguments.next().ok_or("usage: cores THREADS LIST (9×9 puzzles, one per line)")?;
    let text = std::fs::read_to_string(&list)?;
    let puzzles: Vec<Line> =
        text.lines().filter_map(|line| line.as_bytes().first_chunk().copied()).collect();
    // Repeat the list so that the time to start threads is negligible.
    let puzzles: Vec<Line> =
        puzzles.iter().copied().cycle().take(puzzles.len().max(1_000_000)).collect();
    let mut times = [Vec::new(), Vec::new()];
    for _ in 0..TURNS {
        let (alone, time) = timed(&puzzles, 1);
        times[0].push(time);
        let (together, time) = timed(&puzzles, threads);
        times[1].push(time);
        assert!(
            alone.iter().zip(&together).all(|(a, b)| a.solutions == b.solutions),
            "the results differ"
        );
    }
    let [one, many] = times.map(median);
    println!("{list}: {} puzzles, {TURNS} turns", puzzles.len());
    println!(
        "1 thread   {:.3} s, {:.0} puzzles/s",
        one.as_secs_f64(),
        puzzles.len() as f64 / one.as_secs_f64()
    );
    println!(
        "{threads} threads  {:.3} s, {:.0} puzzles/s",
        many.as_secs_f64(),
        puzzles.len() as f64 / many.as_secs_f64()
    );
    println!("ratio      {:.2}", one.as_secs_f64() / many.as_secs_f64());
    Ok(())
}

fn timed(puzzles: &[Line], threads: usize) -> (Vec<Tally>, Duration) {
    let started = Instant::now();
    let share = puzzles.len().div_ceil(threads).max(1);
    let tallies = thread::scope(|scope| {
        let parts: Vec<_> = puzzles
            .chunks(share)
            .map(|part| scope.spawn(|| Batch::BEST.count_all(part, 2)))
            .collect();
        parts.into_iter().flat_map(|part| part.join().expect("workers never panic")).collect()
    });
    (tallies, started.elapsed())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
