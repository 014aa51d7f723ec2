//! Compares the distribution of clue counts of unbiased minimal puzzles with the one published by
//! Berthier.
//!
//! ```sh
//! cargo run --release -p ninefold --example unbiased -- 2000 2 7
//! ```
//! samples 2,000 random grids on two threads with the seed 7. Puzzles of one grid are correlated,
//! so errors are computed from the variation between grids: with the residuals r of each grid's
//! weights, C = Σ r·rᵀ is the covariance of the shares, and chi-square is dᵀ·C⁻¹·d for the
//! differences d to the published shares. Puzzles with 29 clues and more are rare and have large
//! weights: with few grids, their share is underestimated, and so is its error.

use ninefold::generate::unbiased;
use std::sync::atomic::{AtomicU64, Ordering};

/// Shares by number of clues, in percent (Berthier, The real distribution of minimal puzzles;
/// relative precision 0.065 %).
const PUBLISHED: [(usize, f64); 7] =
    [(23, 0.1515), (24, 2.28), (25, 13.42), (26, 31.91), (27, 32.71), (28, 15.48), (29, 4.033)];

/// The classes of [`PUBLISHED`]; the first has 23 clues and fewer, the last 29 and more.
const CLASSES: usize = PUBLISHED.len();

fn main() {
    let mut numbers = std::env::args().skip(1).map(|word| word.parse::<u64>().expect("a number"));
    let (grids, threads) = (numbers.next().unwrap_or(200), numbers.next().unwrap_or(1));
    let seed = numbers.next().unwrap_or(1);
    let next = AtomicU64::new(0);
    let drawn: Vec<(u64, [f64; CLASSES])> = std::thread::scope(|scope| {
        let workers: Vec<_> =
            (0..threads).map(|_| scope.spawn(|| draw(&next, grids, seed))).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("workers never panic")).collect()
    });
    let puzzles: u64 = drawn.iter().map(|(count, _)| count).sum();
    let by_grid: Vec<[f64; CLASSES]> = drawn.into_iter().map(|(_, weights)| weights).collect();
    report(puzzles, &by_grid);
}

/// The number of puzzles and the weights by class, for every grid of this thread.
fn draw(next: &AtomicU64, grids: u64, seed: u64) -> Vec<(u64, [f64; CLASSES])> {
    let numbers = std::iter::from_fn(|| {
        Some(next.fetch_add(1, Ordering::Relaxed)).filter(|&grid| grid < grids)
    });
    let of_grid = |grid| {
        let puzzles = unbiased::sample_grid(seed, grid);
        let mut weights = [0.0; CLASSES];
        for puzzle in &puzzles {
            let clues = puzzle.generated.puzzle.clue_count();
            weights[clues.clamp(PUBLISHED[0].0, PUBLISHED[CLASSES - 1].0) - PUBLISHED[0].0] +=
                puzzle.ln_weight.exp();
        }
        (puzzles.len() as u64, weights)
    };
    numbers.map(of_grid).collect()
}

fn report(puzzles: u64, by_grid: &[[f64; CLASSES]]) {
    let total: f64 = by_grid.iter().flatten().sum();
    let share = |class: usize| by_grid.iter().map(|weights| weights[class]).sum::<f64>() / total;
    let shares: [f64; CLASSES] = std::array::from_fn(share);
    let mut covariance = [[0.0; CLASSES]; CLASSES];
    for weights in by_grid {
        let of_grid: f64 = weights.iter().sum();
        let residual: [f64; CLASSES] =
            std::array::from_fn(|class| (weights[class] - shares[class] * of_grid) / total);
        for (row, a) in covariance.iter_mut().zip(residual) {
            row.iter_mut().zip(residual).for_each(|(sum, b)| *sum += a * b);
        }
    }
    println!("{} grids, {puzzles} puzzles\n", by_grid.len());
    println!(
        "| clues | published, % | drawn, % | standard error | difference in errors |\n|---:|---:|---:|---:|---:|"
    );
    let mut difference = [0.0; CLASSES];
    // The published numbers add up to 99.98 %.
    let sum: f64 = PUBLISHED.iter().map(|(_, published)| published).sum();
    for (class, (clues, published)) in PUBLISHED.into_iter().enumerate() {
        let published = 100.0 * published / sum;
        let (drawn, error) = (100.0 * shares[class], 100.0 * covariance[class][class].sqrt());
        difference[class] = shares[class] - published / 100.0;
        println!(
            "| {clues} | {published:.4} | {drawn:.4} | {error:.4} | {:+.2} |",
            (drawn - published) / error
        );
    }
    let mean: f64 =
        shares.iter().zip(PUBLISHED).map(|(share, (clues, _))| share * clues as f64).sum();
    // The shares add up to one, so the last class is redundant.
    let chi_square = quadratic_form(covariance, difference);
    println!(
        "\n{mean:.3} clues on average; chi-square {chi_square:.2} with {} degrees of freedom",
        CLASSES - 1
    );
}

/// dᵀ·C⁻¹·d without the last class, by elimination.
fn quadratic_form(mut matrix: [[f64; CLASSES]; CLASSES], mut vector: [f64; CLASSES]) -> f64 {
    let mut sum = 0.0;
    for pivot in 0..CLASSES - 1 {
        let above = matrix[pivot];
        sum += vector[pivot] * vector[pivot] / above[pivot];
        for row in pivot + 1..CLASSES - 1 {
            let factor = matrix[row][pivot] / above[pivot];
            matrix[row].iter_mut().zip(above).for_each(|(value, above)| *value -= factor * above);
            vector[row] -= factor * vector[pivot];
        }
    }
    sum
}
