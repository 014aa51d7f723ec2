//! The baseline for the SQL benchmark: a plain loop that reads or generates puzzles, solves them on
//! several threads, and compares the results with the given solutions.
//!
//! ```sh
//! cargo run --release -p ninefold-formats --example plain_loop -- 2 FILE.csv      # lines of puzzle,solution
//! cargo run --release -p ninefold-formats --example plain_loop -- 2 FILE.parquet  # the first two columns
//! cargo run --release -p ninefold-formats --example plain_loop -- 2 30 SEED COUNT # puzzles of 30 clues
//! ```
//! Prints the number of matching solutions and the time. The benchmark record compares it with
//! `ninefold sql "select count(*) from 'FILE.csv' where solve(puzzle) = solution"`.

use ninefold::Limits;
use ninefold::generate::{self, GenerateOptions};
use ninefold::search::batch::Batch;
use ninefold::search::nine::{self, Line};
use parquet::column::reader::get_typed_column_reader;
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::file::reader::{FileReader, SerializedFileReader};
use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Instant;

#[derive(Default)]
struct Chunk {
    puzzles: Vec<Line>,
    solutions: Vec<Line>,
}

const ROWS_AT_ONCE: usize = 1024;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let threads: usize =
        arguments.next().ok_or("usage: plain_loop THREADS (FILE | CLUES SEED COUNT)")?.parse()?;
    let what = arguments.next().ok_or("usage: plain_loop THREADS (FILE | CLUES SEED COUNT)")?;
    let started = Instant::now();
    let solved = match what.parse::<usize>() {
        Ok(clues) => {
            let [seed, count] = [arguments.next(), arguments.next()]
                .map(|number| number.unwrap_or_default().parse());
            solve_generated(threads, clues, seed?, count?)
        }
        Err(_) if what.ends_with(".parquet") => solve_parquet(threads, &what)?,
        Err(_) => solve_csv(threads, &what)?,
    };
    let seconds = started.elapsed().as_secs_f64();
    println!(
        "{solved} solved correctly in {seconds:.3} s, {:.0} per second",
        solved as f64 / seconds
    );
    Ok(())
}

/// The number of puzzles whose only solution is the given one.
fn count_correct(chunk: &Chunk) -> usize {
    let mut equal = vec![false; chunk.puzzles.len()];
    let (tallies, _) =
        Batch::BEST.solve_all(&chunk.puzzles, 2, &Limits::none(), &mut |place, solution| {
            equal[place] = *solution == chunk.solutions[place];
            ControlFlow::Continue(())
        });
    tallies.iter().zip(equal).filter(|(tally, equal)| tally.solutions == 1 && *equal).count()
}

/// One thread reads lines, the other threads solve.
fn solve_csv(threads: usize, path: &str) -> Result<usize, Box<dyn Error>> {
    let mut reader = BufReader::with_capacity(1 << 20, File::open(path)?);
    let (give, take) = sync_channel::<Chunk>(4 * threads);
    let take = Arc::new(Mutex::new(take));
    let work = |take: Arc<Mutex<std::sync::mpsc::Receiver<Chunk>>>| {
        move || {
            let next =
                || take.lock().expect("no worker panics while it holds the lock").recv().ok();
            std::iter::from_fn(next).map(|chunk| count_correct(&chunk)).sum::<usize>()
        }
    };
    let workers: Vec<_> = (0..threads).map(|_| thread::spawn(work(Arc::clone(&take)))).collect();
    let (mut line, mut chunk) = (Vec::new(), Chunk::default());
    while {
        line.clear();
        reader.read_until(b'\n', &mut line)?
    } > 0
    {
        let (Some(puzzle), Some(solution)) = (line.first_chunk::<81>(), line.get(82..163)) else {
            continue;
        };
        chunk.puzzles.push(*puzzle);
        chunk.solutions.push(*solution.first_chunk().expect("the slice has 81 bytes"));
        if chunk.puzzles.len() == ROWS_AT_ONCE {
            give.send(std::mem::take(&mut chunk))?;
        }
    }
    give.send(chunk)?;
    drop(give);
    Ok(workers.into_iter().map(|worker| worker.join().expect("no worker panics")).sum())
}

/// Each thread takes the next unprocessed row group.
fn solve_parquet(threads: usize, path: &str) -> Result<usize, Box<dyn Error>> {
    let next = AtomicU64::new(0);
    let work = || -> parquet::errors::Result<usize> {
        let reader = SerializedFileReader::new(File::open(path)?)?;
        let (mut chunk, mut texts, mut solved) = (Chunk::default(), Vec::<ByteArray>::new(), 0);
        loop {
            let group = next.fetch_add(1, Ordering::Relaxed) as usize;
            if group >= reader.num_row_groups() {
                return Ok(solved);
            }
            let group = reader.get_row_group(group)?;
            let column = |place| {
                group.get_column_reader(place).map(get_typed_column_reader::<ByteArrayType>)
            };
            let (mut puzzles, mut solutions) = (column(0)?, column(1)?);
            loop {
                for (column, lines) in
                    [(&mut puzzles, &mut chunk.puzzles), (&mut solutions, &mut chunk.solutions)]
                {
                    texts.clear();
                    lines.clear();
                    column.read_records(ROWS_AT_ONCE, Some(&mut Vec::new()), None, &mut texts)?;
                    lines.extend(texts.iter().filter_map(|text| text.data().first_chunk::<81>()));
                }
                if chunk.puzzles.is_empty() {
                    break;
                }
                solved += count_correct(&chunk);
            }
        }
    };
    let counts = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .map(|worker| worker.join().expect("no worker panics"))
            .collect::<Result<Vec<usize>, _>>()
    })?;
    Ok(counts.into_iter().sum())
}

/// Each thread generates and solves the next chunk of puzzles.
fn solve_generated(threads: usize, clues: usize, seed: u64, count: u64) -> usize {
    let next = AtomicU64::new(0);
    let work = || {
        let options = GenerateOptions::default().with_clues(clues..=clues);
        let mut solved = 0;
        loop {
            let first = next.fetch_add(ROWS_AT_ONCE as u64, Ordering::Relaxed);
            if first >= count {
                return solved;
            }
            let mut chunk = Chunk::default();
            generate::generate_many(
                &options,
                seed,
                first..count.min(first + ROWS_AT_ONCE as u64),
                1,
                |_, generated| {
                    if let Ok(generated) = generated {
                        chunk.puzzles.extend(nine::line(&generated.puzzle));
                        chunk.solutions.extend(nine::line(&generated.solution));
                    }
                    true
                },
            );
            solved += count_correct(&chunk);
        }
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().map(|worker| worker.join().expect("no worker panics")).sum()
    })
}
