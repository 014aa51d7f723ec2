//! AdamW by Loshchilov and Hutter (2017) on an array of parameters, with their exponential moving
//! average.
//!
//! It runs on the CPU for both devices: for a hundred thousand numbers that is faster than
//! launching GPU kernels.

use super::experiment::Experiment;

const BETA_1: f32 = 0.9;
/// Lower than the usual 0.999, because the distribution of the puzzles changes during training.
const BETA_2: f32 = 0.95;
const EPSILON: f32 = 1e-8;

/// Parameters in training, with the state of the optimizer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Optimizer {
    pub steps: u64,
    pub parameters: Vec<f32>,
    /// Running means of the gradients and of their squares.
    pub mean: Vec<f32>,
    pub square: Vec<f32>,
    /// The moving average of the parameters: the trained weights.
    pub averaged: Vec<f32>,
}

impl Optimizer {
    pub fn new(parameters: Vec<f32>) -> Optimizer {
        let zeros = vec![0.0; parameters.len()];
        Optimizer {
            steps: 0,
            mean: zeros.clone(),
            square: zeros,
            averaged: parameters.clone(),
            parameters,
        }
    }

    /// Takes one step. Returns the norm of the gradient before clipping.
    pub fn step(&mut self, gradients: &[f32], experiment: &Experiment) -> f64 {
        let norm =
            gradients.iter().map(|&slope| f64::from(slope) * f64::from(slope)).sum::<f64>().sqrt();
        let clip = (experiment.max_grad_norm / norm.max(1e-12)).min(1.0) as f32;
        let rate = rate(experiment, self.steps) as f32;
        let decay =
            experiment.ema_decay.min((1 + self.steps) as f64 / (10 + self.steps) as f64) as f32;
        self.steps += 1;
        let time = self.steps as i32;
        let (first, second) = (1.0 - BETA_1.powi(time), 1.0 - BETA_2.powi(time));
        let weight_decay = experiment.weight_decay as f32;
        // The GPU waits for this loop. Slices of equal length let LLVM vectorize it.
        let count = gradients.len();
        let (mean, square) = (&mut self.mean[..count], &mut self.square[..count]);
        let (parameters, averaged) = (&mut self.parameters[..count], &mut self.averaged[..count]);
        for (index, &slope) in gradients.iter().enumerate() {
            let slope = slope * clip;
            mean[index] += (1.0 - BETA_1) * (slope - mean[index]);
            square[index] += (1.0 - BETA_2) * (slope * slope - square[index]);
            let update = mean[index] / first / ((square[index] / second).sqrt() + EPSILON);
            parameters[index] -= rate * (update + weight_decay * parameters[index]);
            averaged[index] += (1.0 - decay) * (parameters[index] - averaged[index]);
        }
        norm
    }
}

/// The learning rate of a step: linear warm-up, then a cosine.
fn rate(experiment: &Experiment, step: u64) -> f64 {
    let rise = ((step + 1) as f64 / experiment.warm_up_steps.max(1) as f64).min(1.0);
    let fall = 0.5 * (1.0 + (std::f64::consts::PI * experiment.share_done(step)).cos());
    experiment.learning_rate
        * rise
        * (experiment.final_learning_rate + (1.0 - experiment.final_learning_rate) * fall)
}

impl Experiment {
    /// The share of the run before this step.
    pub(super) fn share_done(&self, step: u64) -> f64 {
        (step as f64 / self.steps.max(1) as f64).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::recipe;

    #[test]
    fn two_steps_equal_a_hand_calculation() {
        let experiment = Experiment {
            learning_rate: 0.1,
            warm_up_steps: 1,
            final_learning_rate: 1.0,
            weight_decay: 0.5,
            max_grad_norm: 1.0,
            ..recipe()
        };
        let mut optimizer = Optimizer::new(vec![1.0, 2.0]);
        // The gradient is (3, 4) and its norm 5. Each weight changes by the rate, and by half the
        // rate times itself.
        assert_eq!(optimizer.step(&[3.0, 4.0], &experiment), 5.0);
        let near = |found: f32, expected: f32| {
            assert!((found - expected).abs() < 1e-5, "{found} {expected}")
        };
        near(optimizer.parameters[0], 1.0 - 0.1 * (1.0 + 0.5));
        near(optimizer.parameters[1], 2.0 - 0.1 * (1.0 + 1.0));
        near(optimizer.mean[0], 0.1 * 0.6);
        near(optimizer.averaged[0], 0.9 * 0.85 + 0.1 * 1.0);
        optimizer.step(&[3.0, 4.0], &experiment);
        near(optimizer.parameters[0], 0.85 - 0.1 * (1.0 + 0.425));
    }

    #[test]
    fn the_learning_rate_warms_up_and_decays() {
        let experiment = Experiment { steps: 1_000, warm_up_steps: 10, ..recipe() };
        let found =
            [0, 9, 500, 1_000].map(|step| rate(&experiment, step) / experiment.learning_rate);
        let near = |found: f64, expected: f64| assert!((found - expected).abs() < 0.01, "{found}");
        [0.1, 1.0, 0.525, 0.05]
            .into_iter()
            .zip(found)
            .for_each(|(expected, found)| near(found, expected));
    }
}
