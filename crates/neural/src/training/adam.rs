//! The Adam optimizer by Kingma and Ba (2014).
//!
//! ```text
//! mean     ← β₁·mean + (1 − β₁)·gradient
//! square   ← β₂·square + (1 − β₂)·gradient²
//! weight   ← weight − rate · √(1 − β₂ᵗ)/(1 − β₁ᵗ) · mean / (√square + ε)
//! ```
//! This is the form of Keras, which Kocherzhenko and Tran and Manley used, with β₁ 0.9, β₂ 0.999
//! and ε 1e-7. The optimizer of the tensor library is not used, because its state cannot be saved
//! by the name of each weight and restored exactly.

use burn::module::{AutodiffModule, ModuleMapper, ModuleVisitor, Param};
use burn::tensor::Tensor;
use burn::tensor::backend::AutodiffBackend;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Changes to the gradients before a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OptimizerConfig {
    /// L2 regularization: this fraction of each weight is added to its gradient; 0 disables it.
    pub weight_decay: f64,
    /// Clips the global gradient norm to this value; 0 disables clipping.
    pub max_grad_norm: f64,
}

impl OptimizerConfig {
    pub(super) fn is_default(&self) -> bool {
        *self == OptimizerConfig::default()
    }
}

const BETA_1: f64 = 0.9;
const BETA_2: f64 = 0.999;
const EPSILON: f64 = 1e-7;

/// The optimizer with its state.
pub struct Adam<B: AutodiffBackend> {
    pub steps: u64,
    /// The moments of each weight by its name, flattened.
    pub moments: BTreeMap<String, Moments<B>>,
    pub config: OptimizerConfig,
}

/// Running means of the gradient of one weight and of its square.
#[derive(Clone)]
pub struct Moments<B: AutodiffBackend> {
    pub mean: Tensor<B::InnerBackend, 1>,
    pub square: Tensor<B::InnerBackend, 1>,
}

impl<B: AutodiffBackend> Adam<B> {
    pub fn new() -> Adam<B> {
        Adam { steps: 0, moments: BTreeMap::new(), config: OptimizerConfig::default() }
    }

    /// Takes one step and returns the updated model.
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
        model.map(&mut Update {
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

/// Updates each weight by name.
struct Update<'a, B: AutodiffBackend> {
    adam: &'a mut Adam<B>,
    gradients: &'a B::Gradients,
    rate: f64,
    /// The factor of all gradients, `[1]`.
    scale: Option<Tensor<B::InnerBackend, 1>>,
    path: Vec<String>,
}

/// The factor that clips the global norm of the gradients. It stays on the device, so that no step
/// waits for it.
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

impl<B: AutodiffBackend> ModuleMapper<B> for Update<'_, B> {
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
        let update = moments.mean.clone() / (moments.square.clone().sqrt() + EPSILON) * self.rate;
        let weight = weight.inner() - update.reshape(shape);
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
    fn two_steps_equal_a_hand_calculation() {
        let device = Default::default();
        let mut layer: Dense<TrainingCpu> = Dense {
            weight: Param::from_data([[1.0f32]], &device),
            bias: Param::from_data([0.0f32], &device),
        };
        let mut adam = Adam::new();
        // The loss is 2·weight, so the gradient is 2 at every step. mean/√square is 1 after bias
        // correction, so each step subtracts the learning rate. The loss does not depend on the
        // bias.
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
    fn clips_the_global_norm_and_decays_weights() {
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
