//! What SQL costs beside the loop that a program would write: the same puzzles read, solved and compared with their solutions.
//!
//! `cargo run --release -p ninefold --example plain_loop -- 2 FILE.csv` reads lines of `puzzle,solution`, on so many threads,
//! and prints how many were solved as told, and the time. The record compares it with
//! `ninefold sql "select count(*) from 'FILE.csv' where solve(puzzle) = solution"`.

use ninefold::Limits;
use ninefold::search::batch::Batch;
use ninefold::search::nine::Line;
use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::ops::ControlFlow;
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

/// Puzzles and their solutions.
type Chunk = (Vec<Line>, Vec<Line>);

const ROWS_AT_ONCE: usize = 1024;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let threads: usize = arguments.next().ok_or("name the number of threads, then a file")?.parse()?;
    let path = arguments.next().ok_or("name a file with lines of puzzle,solution")?;
    let mut reader = BufReader::with_capacity(1 << 20, File::open(&path)?);
    let started = Instant::now();
    let (give, take) = sync_channel::<Chunk>(4 * threads);
    let take = Arc::new(Mutex::new(take));
    let workers: Vec<_> = (0..threads)
        .map(|_| {
            let take = Arc::clone(&take);
            thread::spawn(move || work(&take))
        })
        .collect();
    let (mut line, mut chunk): (Vec<u8>, Chunk) = Default::default();
    while {
        line.clear();
        reader.read_until(b'\n', &mut line)?
    } > 0
    {
        let (Some(puzzle), Some(solution)) = (line.first_chunk::<81>(), line.get(82..163)) else { continue };
        chunk.0.push(*puzzle);
        chunk.1.push(*solution.first_chunk().expect("it is as long"));
        if chunk.0.len() == ROWS_AT_ONCE {
            give.send(std::mem::take(&mut chunk))?;
        }
    }
    give.send(chunk)?;
    drop(give);
    let solved: usize = workers.into_iter().map(|worker| worker.join().expect("no worker panics")).sum();
    let seconds = started.elapsed().as_secs_f64();
    println!("{solved} solved as told in {seconds:.3} s, {:.0} per second", solved as f64 / seconds);
    Ok(())
}

fn work(take: &Mutex<Receiver<Chunk>>) -> usize {
    let mut solved = 0;
    loop {
        let next = take.lock().expect("no worker panics while it takes work").recv();
        let Ok((puzzles, solutions)) = next else { return solved };
        let mut equal = vec![false; puzzles.len()];
        let (tallies, _) = Batch::BEST.solve_all(&puzzles, 2, &Limits::none(), &mut |place, solution| {
            equal[place] = *solution == solutions[place];
            ControlFlow::Continue(())
        });
        solved += tallies.iter().zip(equal).filter(|(tally, equal)| tally.solutions == 1 && *equal).count();
    }
}
