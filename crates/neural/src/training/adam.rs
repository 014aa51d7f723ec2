//! Adam, by Kingma and Ba (2014): each weight walks at its own pace.
//!
//! ```text
//! mean     ← β₁·mean + (1 − β₁)·gradient
//! square   ← β₂·square + (1 − β₂)·gradient²
//! weight   ← weight − rate · √(1 − β₂ᵗ)/(1 − β₁ᵗ) · mean / (√square + ε)
//! ```
//! This is the form of Keras, which Kocherzhenko and Tran and Manley used, with β₁ 0.9, β₂ 0.999 and ε 1e-7. It is written here, and not
//! taken from the tensor library, so that its state can be saved by the name of each weight and read back exactly.

use burn::module::{AutodiffModule, ModuleMapper, ModuleVisitor, Param};
use burn::tensor::Tensor;
use burn::tensor::backend::AutodiffBackend;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What is done to gradients before a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OptimizerConfig {
    /// L2 regularization: this share of each weight is added to its gradient; 0 is none.
    pub weight_decay: f64,
    /// Clips the global gradient norm to this value; 0 does not clip.
    pub max_grad_norm: f64,
}

impl OptimizerConfig {
    /// Is nothing done?
    pub(super) fn is_default(&self) -> bool {
        *self == OptimizerConfig::default()
    }
}

const BETA_1: f64 = 0.9;
const BETA_2: f64 = 0.999;
const EPSILON: f64 = 1e-7;

/// The optimizer with its moments.
pub struct Adam<B: AutodiffBackend> {
    /// Steps taken.
    pub steps: u64,
    /// Running mean and running square of the gradient of each weight, by its name, each as one row.
    pub moments: BTreeMap<String, Moments<B>>,
    /// What is done to gradients first.
    pub config: OptimizerConfig,
}

/// Running mean and running square of one gradient.
#[derive(Clone)]
pub struct Moments<B: AutodiffBackend> {
    /// The mean.
    pub mean: Tensor<B::InnerBackend, 1>,
    /// The mean of the square.
    pub square: Tensor<B::InnerBackend, 1>,
}

impl<B: AutodiffBackend> Adam<B> {
    /// An optimizer that has not taken a step.
    pub fn new() -> Adam<B> {
        Adam { steps: 0, moments: BTreeMap::new(), config: OptimizerConfig::default() }
    }

    /// Takes one step against the gradients.
    pub fn step<M: AutodiffModule<B>>(
        &mut self,
        model: M,
        gradients: &B::Gradients,
        rate: f64,
    ) -> M {
        self.steps += 1;
        let time = self.steps as f64;
        let rate = rate * (1.0 - BETA_2.powf(time)).sqrt() / (1.0 - BETA_1.powf(time));
        let max_norm = self.config.max_grad_norm;
        let scale = (max_norm > 0.0).then(|| clipping_factor(&model, gradients, max_norm));
        model.map(&mut Walk {
            adam: self,
            gradients,
            rate,
            scale: scale.flatten(),
            path: Vec::new(),
        })
    }
}

impl<B: AutodiffBackend> Default for Adam<B> {
    fn default() -> Adam<B> {
        Adam::new()
    }
}

/// Visits each weight by name and moves it.
struct Walk<'a, B: AutodiffBackend> {
    adam: &'a mut Adam<B>,
    gradients: &'a B::Gradients,
    rate: f64,
    /// What all gradients are multiplied by, `[1]`.
    scale: Option<Tensor<B::InnerBackend, 1>>,
    path: Vec<String>,
}

/// What clips the global norm of the gradients; it stays on the device, so nothing waits for it.
fn clipping_factor<B: AutodiffBackend, M: AutodiffModule<B>>(
    model: &M,
    gradients: &B::Gradients,
    max_norm: f64,
) -> Option<Tensor<B::InnerBackend, 1>> {
    struct Squares<'a, B: AutodiffBackend> {
        gradients: &'a B::Gradients,
        found: Vec<Tensor<B::InnerBackend, 1>>,
    }
    impl<B: AutodiffBackend> ModuleVisitor<B> for Squares<'_, B> {
        fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<B, D>>) {
            if let Some(gradient) = param.val().grad(self.gradients) {
                self.found.push((gradient.clone() * gradient).sum());
            }
        }
    }
    let mut squares = Squares { gradients, found: Vec::new() };
    model.visit(&mut squares);
    if squares.found.is_empty() {
        return None;
    }
    let norm = Tensor::cat(squares.found, 0).sum().sqrt();
    Some((norm + 1e-12).recip().mul_scalar(max_norm).clamp_max(1.0))
}

impl<B: AutodiffBackend> ModuleMapper<B> for Walk<'_, B> {
    fn enter_module(&mut self, name: &str, _container: &str) {
        self.path.push(name.to_string());
    }

    fn exit_module(&mut self, _name: &str, _container: &str) {
        self.path.pop();
    }

    fn map_float<const D: usize>(&mut self, param: Param<Tensor<B, D>>) -> Param<Tensor<B, D>> {
        let (id, weight, mapper) = param.consume();
        let Some(gradient) = weight.grad(self.gradients) else {
            return Param::from_mapped_value(id, weight, mapper);
        };
        let shape = weight.shape();
        let count = shape.num_elements();
        let gradient = gradient.reshape([count]);
        let gradient = match &self.scale {
            Some(scale) => gradient * scale.clone(),
            None => gradient,
        };
        let decay = self.adam.config.weight_decay;
        let gradient = match decay > 0.0 {
            true => gradient + weight.clone().inner().reshape([count]) * decay,
            false => gradient,
        };
        let square_now = gradient.clone() * gradient.clone() * (1.0 - BETA_2);
        let mean_now = gradient * (1.0 - BETA_1);
        let name = self.path.join(".");
        let moments = match self.adam.moments.remove(&name) {
            None => Moments { mean: mean_now, square: square_now },
            Some(old) => Moments {
                mean: old.mean * BETA_1 + mean_now,
                square: old.square * BETA_2 + square_now,
            },
        };
        let walk = moments.mean.clone() / (moments.square.clone().sqrt() + EPSILON) * self.rate;
        let weight = weight.inner() - walk.reshape(shape);
        self.adam.moments.insert(name, moments);
        Param::from_mapped_value(id, Tensor::from_inner(weight).require_grad(), mapper)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::TrainingCpu;
    use crate::ops::dense::Dense;

    #[test]
    fn two_steps_by_hand() {
        let device = Default::default();
        let mut layer: Dense<TrainingCpu> = Dense {
            weight: Param::from_data([[1.0f32]], &device),
            bias: Param::from_data([0.0f32], &device),
        };
        let mut adam = Adam::new();
        // The loss is 2·weight, so the gradient is 2 at every step; mean/√square is 1 after the correction for time,
        // and each step walks by the rate. The bias takes no part in the loss and stays.
        for expected in [0.9, 0.8] {
            let loss = (layer.weight.val() * 2.0).sum();
            let gradients = loss.backward();
            layer = adam.step(layer, &gradients, 0.1);
            let found: f32 = layer.weight.val().into_scalar();
            assert!((found - expected).abs() < 1e-5, "{found}");
        }
        assert_eq!(layer.bias.val().into_scalar(), 0.0);
        assert_eq!(adam.moments.keys().collect::<Vec<_>>(), ["weight"]);
        let mean: f32 = adam.moments["weight"].mean.clone().into_scalar();
        assert!((mean - (0.1 * 2.0 * 0.9 + 0.1 * 2.0)).abs() < 1e-6);
    }

    #[test]
    fn the_global_norm_is_clipped_and_weights_decay() {
        let device = Default::default();
        let layer: Dense<TrainingCpu> = Dense {
            weight: Param::from_data([[2.0f32]], &device),
            bias: Param::from_data([0.0f32], &device),
        };
        // The gradients are 3 and 4, so their norm is 5; clipped to 0.5 they are 0.3 and 0.4.
        let loss = layer.weight.val().sum() * 3.0 + layer.bias.val().sum() * 4.0;
        let mut adam = Adam {
            config: OptimizerConfig { weight_decay: 0.1, max_grad_norm: 0.5 },
            ..Adam::new()
        };
        adam.step(layer, &loss.backward(), 0.1);
        let mean = |name: &str| adam.moments[name].mean.clone().into_scalar();
        assert!((mean("weight") - 0.1 * (0.3 + 0.1 * 2.0)).abs() < 1e-6, "{}", mean("weight"));
        assert!((mean("bias") - 0.1 * 0.4).abs() < 1e-6);
    }
}
