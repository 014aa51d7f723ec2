//! Adam with decoupled weight decay (Loshchilov and Hutter 2019).

use crate::network::Weights;

const BETA: (f32, f32) = (0.9, 0.999);
const DECAY: f32 = 1e-4;

/// Means of the gradients and of their squares.
pub struct Adam {
    mean: Weights,
    square: Weights,
    steps: i32,
}

impl Adam {
    pub fn new() -> Adam {
        Adam { mean: Weights::zero(), square: Weights::zero(), steps: 0 }
    }

    /// Moves the weights against a gradient summed over `batch` samples.
    pub fn step(&mut self, weights: &mut Weights, gradient: Weights, batch: usize, rate: f32) {
        self.steps += 1;
        let corrections = (1.0 - BETA.0.powi(self.steps), 1.0 - BETA.1.powi(self.steps));
        let moments = self.mean.slices_mut().zip(self.square.slices_mut());
        for ((weights, gradient), (mean, square)) in
            weights.slices_mut().zip(gradient.slices()).zip(moments)
        {
            for (((w, g), m), s) in weights.iter_mut().zip(gradient).zip(mean).zip(square) {
                let g = g / batch as f32;
                *m = BETA.0 * *m + (1.0 - BETA.0) * g;
                *s = BETA.1 * *s + (1.0 - BETA.1) * g * g;
                let step = (*m / corrections.0) / ((*s / corrections.1).sqrt() + 1e-8);
                *w -= rate * (step + DECAY * *w);
            }
        }
    }
}
