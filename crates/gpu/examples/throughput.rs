//! Benchmarks the GPU against the CPU of the same machine: counts up to two solutions of each
//! puzzle and compares all answers.
//!
//! ```sh
//! cargo run --profile dist -p ninefold-gpu --features cuda --example throughput -- 17_clue.txt:10000000 forum_11.txt:2000000
//! ```
//! A list is a file with one 9×9 puzzle per line and, after a colon, the number of puzzles to
//! derive from it: each is the image of a puzzle of the list under a random symmetry. `--tune`
//! tries several launch parameters.

use ninefold::grid::{Grid, Order, Symmetry};
use ninefold::random::Random;
use ninefold::search::Engine;
use ninefold::search::batch::Batch;
use ninefold::search::nine::{self, Line};
use ninefold_gpu::{Answer, Gpu, Tuning, pack};
use std::time::{Duration, Instant};

/// Puzzles per call of the CPU solver.
const CHUNK: usize = 4_096;

/// Time limit of the measurement on one core.
const ONE_CORE_TIME: Duration = Duration::from_secs(2);

fn main() {
    let (options, lists): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|word| word == "--tune");
    let mut tunings = vec![Tuning::default()];
    if !options.is_empty() {
        for (threads_per_block, blocks, rounds) in
            [(384, 1, 2), (384, 1, 4), (384, 1, 5), (256, 1, 3), (448, 1, 3), (512, 1, 3)]
        {
            tunings.push(Tuning { threads_per_block, blocks, rounds, ..Tuning::default() });
        }
    }
    println!("{} cores, batch on {}\n", cores(), Engine::best());
    for list in lists {
        let (file, count) = list.split_once(':').expect("expected FILE:COUNT");
        let puzzles = random_images(file, count.parse().expect("COUNT is not a number"));
        println!("## {file}, {} random images\n", puzzles.len());
        let expected = on_cpu(&puzzles);
        for &tuning in &tunings {
            on_gpu(&puzzles, &expected, tuning);
        }
        println!();
    }
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Images of the puzzles of a list under random symmetries, computed on all cores.
fn random_images(file: &str, count: usize) -> Vec<Line> {
    let text = std::fs::read_to_string(file).expect("cannot read the list");
    let puzzles: Vec<Grid> = text.lines().filter_map(|line| line.get(..81)?.parse().ok()).collect();
    let mut lines = vec![[b'.'; 81]; count];
    let share = count.div_ceil(cores());
    std::thread::scope(|scope| {
        for (part, lines) in lines.chunks_mut(share).enumerate() {
            let puzzles = &puzzles;
            scope.spawn(move || {
                let mut random = Random::for_part(1, part as u64);
                for (number, line) in lines.iter_mut().enumerate() {
                    let puzzle = &puzzles[(part * share + number) % puzzles.len()];
                    let image = Symmetry::random(Order::NINE, &mut random).image(puzzle);
                    *line = nine::line(&image).expect("a 9×9 grid");
                }
            });
        }
    });
    lines
}

/// Measures one core and all cores; returns the numbers of solutions, counted up to two.
fn on_cpu(puzzles: &[Line]) -> Vec<u32> {
    let (started, mut done) = (Instant::now(), 0);
    for chunk in puzzles.chunks(CHUNK).take_while(|_| started.elapsed() < ONE_CORE_TIME) {
        done += std::hint::black_box(Batch::BEST.count_all(chunk, 2)).len();
    }
    print_rate("one core", done, started.elapsed().as_secs_f64());
    let mut counts = vec![0; puzzles.len()];
    let share = puzzles.len().div_ceil(cores()).next_multiple_of(CHUNK);
    let started = Instant::now();
    std::thread::scope(|scope| {
        for (puzzles, counts) in puzzles.chunks(share).zip(counts.chunks_mut(share)) {
            scope.spawn(move || {
                for (puzzles, counts) in puzzles.chunks(CHUNK).zip(counts.chunks_mut(CHUNK)) {
                    for (tally, count) in Batch::BEST.count_all(puzzles, 2).iter().zip(counts) {
                        *count = tally.solutions as u32;
                    }
                }
            });
        }
    });
    print_rate("all cores", puzzles.len(), started.elapsed().as_secs_f64());
    counts
}

fn on_gpu(puzzles: &[Line], expected: &[u32], tuning: Tuning) {
    println!("{tuning:?}");
    let mut gpu = Gpu::with_tuning(tuning).expect("no usable GPU");
    // The first launch compiles the kernel.
    let started = Instant::now();
    let _ = gpu.count_to_two(&puzzles[..puzzles.len().min(1_000)]);
    println!("  first launch: {:.1} s", started.elapsed().as_secs_f64());
    let loaded = gpu.load(&pack(puzzles));
    gpu.wait();
    for _ in 0..3 {
        let started = Instant::now();
        gpu.launch(&loaded);
        gpu.wait();
        print_rate("GPU, kernels only", puzzles.len(), started.elapsed().as_secs_f64());
    }
    drop(loaded);
    let mut answers = Vec::new();
    for _ in 0..2 {
        let started = Instant::now();
        answers = gpu.count_to_two(puzzles);
        print_rate(
            "GPU, with transfers and checks",
            puzzles.len(),
            started.elapsed().as_secs_f64(),
        );
    }
    let wrong =
        answers.iter().zip(expected).filter(|(answer, count)| answer.solutions != **count).count();
    let guesses: u64 = answers.iter().map(|answer: &Answer| u64::from(answer.guesses)).sum();
    println!(
        "  wrong answers: {wrong}; guesses per puzzle: {:.3}",
        guesses as f64 / puzzles.len() as f64
    );
}

fn print_rate(label: &str, puzzles: usize, seconds: f64) {
    println!(
        "  {label}: {:.3} million/s ({puzzles} in {seconds:.3} s)",
        puzzles as f64 / seconds / 1e6
    );
}
