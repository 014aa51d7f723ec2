//! Trains the digit network on cells of photos and on synthetic cells.
//!
//! The gradient is written by hand beside the forward pass, without a tensor library, in loops
//! that the compiler turns into vector instructions.

mod backward;
mod optimiser;
pub mod photos;
pub mod sample;

use crate::network::{Activations, CLASSES, Network, Weights};
use crate::synth::fonts::Face;
use backward::Gradient;
use ninefold::random::Random;
use optimiser::Adam;
use sample::Sample;
use std::time::Instant;

/// The settings of a run.
#[derive(Clone, Debug)]
pub struct Recipe {
    pub seed: u64,
    pub steps: usize,
    pub batch: usize,
    pub learning_rate: f32,
    /// The share of synthetic cells in each batch.
    pub synthetic: f64,
    pub threads: usize,
}

impl Default for Recipe {
    fn default() -> Recipe {
        Recipe { seed: 1, steps: 7000, batch: 128, learning_rate: 2e-3, synthetic: 0.4, threads: 2 }
    }
}

/// Progress after some steps.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    pub step: usize,
    /// The mean loss since the last report.
    pub loss: f32,
    pub seconds: f64,
}

/// Trains new weights. The result is the average of the weights over the last steps, which varies
/// less than the weights themselves.
pub fn train(
    recipe: &Recipe,
    real: &[Sample],
    families: &[Vec<Face>],
    mut report: impl FnMut(Progress, &Weights),
) -> Weights {
    let start = Instant::now();
    let mut random = Random::new(recipe.seed);
    let mut weights = backward::initial(&mut random);
    let mut average = weights.clone();
    let mut adam = Adam::new();
    let mut loss = 0.0;
    let mut order: Vec<usize> = Vec::new();
    for step in 0..recipe.steps {
        let network = Network::new(weights.clone());
        let synthetic = (recipe.batch as f64 * recipe.synthetic) as usize;
        let chosen: Vec<Option<usize>> = (0..recipe.batch)
            .map(|slot| {
                if slot < synthetic || real.is_empty() {
                    return None;
                }
                if order.is_empty() {
                    order = (0..real.len()).collect();
                    random.shuffle(&mut order);
                }
                order.pop()
            })
            .collect();
        let gradient = batch_gradient(&network, recipe, step, &chosen, real, families);
        loss += gradient.loss / recipe.batch as f32;
        let rate = learning_rate(recipe, step);
        adam.step(&mut weights, gradient.weights, recipe.batch, rate);
        // The average covers about the last 200 steps.
        let keep = (step as f32 / (step as f32 + 10.0)).min(0.995);
        for (mean, now) in average.slices_mut().zip(weights.slices()) {
            mean.iter_mut().zip(now).for_each(|(m, n)| *m = *m * keep + n * (1.0 - keep));
        }
        if (step + 1) % 250 == 0 || step + 1 == recipe.steps {
            let seconds = start.elapsed().as_secs_f64();
            report(Progress { step: step + 1, loss: loss / 250.0, seconds }, &average);
            loss = 0.0;
        }
    }
    average
}

/// A short warm-up, then half a cosine.
fn learning_rate(recipe: &Recipe, step: usize) -> f32 {
    let share = step as f32 / recipe.steps as f32;
    let cosine = 0.5 * (1.0 + (std::f32::consts::PI * share).cos());
    recipe.learning_rate * cosine.max(0.01) * ((step + 1) as f32 / 200.0).min(1.0)
}

/// The gradient of a batch, computed by several threads. Every cell has its own random numbers, so
/// the number of threads changes only the order of the sum.
fn batch_gradient(
    network: &Network,
    recipe: &Recipe,
    step: usize,
    chosen: &[Option<usize>],
    real: &[Sample],
    families: &[Vec<Face>],
) -> Gradient {
    let part = chosen.len().div_ceil(recipe.threads);
    let transposed = backward::transposed(network);
    std::thread::scope(|scope| {
        let transposed = &transposed;
        let workers: Vec<_> = chosen
            .chunks(part)
            .enumerate()
            .map(|(worker, cells)| {
                scope.spawn(move || {
                    let mut gradient = Gradient::new();
                    let mut state = Activations::default();
                    for (index, cell) in cells.iter().enumerate() {
                        let slot = (step * recipe.batch + worker * part + index) as u64;
                        let mut random = Random::for_part(recipe.seed, slot);
                        let synthetic;
                        let sample = match cell {
                            Some(index) => &real[*index],
                            None => {
                                synthetic = crate::synth::cell::cell(families, &mut random);
                                &synthetic
                            }
                        };
                        let ink = sample.distorted(&mut random);
                        gradient.add(network, transposed, &ink, sample, &mut random, &mut state);
                    }
                    gradient
                })
            })
            .collect();
        let parts = workers.into_iter().map(|worker| worker.join().expect("no worker panics"));
        parts.reduce(Gradient::plus).expect("there is a worker")
    })
}

/// The probability that the network gives to what a cell contains.
pub fn probability(log_probabilities: &[f32; CLASSES], sample: &Sample) -> f32 {
    sample.classes().map(|class| log_probabilities[class].exp()).sum()
}
