//! The gradient of the loss with respect to all weights, for one cell at a time.

use super::sample::Sample;
use crate::network::kernel::{convolve, pack, weight_gradient};
use crate::network::{Activations, CHANNELS, CLASSES, HIDDEN, Network, SHAPES, SIDES, Weights};
use crate::synth::normal;
use ninefold::random::Random;

/// Probability given to all classes together by the target, which limits overconfidence.
const SMOOTHING: f32 = 0.004;
/// The share of hidden numbers that are dropped during training.
const DROPOUT: f64 = 0.2;

/// Random weights with the variance of He et al. 2015.
pub fn initial(random: &mut Random) -> Weights {
    let mut weights = Weights::zero();
    for (matrix, (inputs, _)) in weights.matrices.iter_mut().zip(SHAPES) {
        let deviation = (2.0 / inputs as f64).sqrt();
        matrix.iter_mut().for_each(|weight| *weight = normal(random, deviation));
    }
    weights
}

/// The packed weights that lead gradients from the second and third convolution back.
pub fn transposed(network: &Network) -> [Vec<f32>; 2] {
    std::array::from_fn(|layer| {
        let (inputs, outputs) = (CHANNELS[layer], CHANNELS[layer + 1]);
        let matrix = &network.weights.matrices[layer + 1];
        pack(&crate::network::kernel::transposed(matrix, inputs, outputs), inputs)
    })
}

/// A sum of gradients.
pub struct Gradient {
    pub weights: Weights,
    pub loss: f32,
    /// The gradient at the output of each convolution, with and without border.
    bordered: [Vec<f32>; 3],
    plain: [Vec<f32>; 3],
    /// The gradient at the pooled image of each convolution.
    pooled: [Vec<f32>; 3],
}

impl Gradient {
    pub fn new() -> Gradient {
        let pixels = |layer: usize, border: usize| {
            let side = SIDES[layer] + 2 * border;
            vec![0.0; side * side * CHANNELS[layer]]
        };
        let pooled = |l: usize| vec![0.0; SIDES[l].div_ceil(2).pow(2) * CHANNELS[l]];
        Gradient {
            weights: Weights::zero(),
            loss: 0.0,
            bordered: std::array::from_fn(|layer| pixels(layer, 1)),
            plain: std::array::from_fn(|layer| pixels(layer, 0)),
            pooled: std::array::from_fn(pooled),
        }
    }

    pub fn plus(mut self, other: Gradient) -> Gradient {
        self.loss += other.loss;
        for (sum, part) in self.weights.slices_mut().zip(other.weights.slices()) {
            sum.iter_mut().zip(part).for_each(|(a, b)| *a += b);
        }
        self
    }

    /// Adds the gradient of one cell.
    pub fn add(
        &mut self,
        network: &Network,
        transposed: &[Vec<f32>; 2],
        ink: &[f32],
        sample: &Sample,
        random: &mut Random,
        state: &mut Activations,
    ) {
        network.run(ink, state);
        let kept = drop_some(network, random, state);
        let at_logits = self.loss_gradient(sample, state);
        let at_hidden = self.dense(4, &state.hidden, &at_logits, network);
        let at_hidden: Vec<f32> = at_hidden.iter().zip(&kept).map(|(g, keep)| g * keep).collect();
        self.pooled[2] = self.dense(3, &state.flat, &at_hidden, network);
        for layer in (0..3).rev() {
            self.unpool(layer, state);
            self.convolution(layer, transposed, state);
        }
    }

    /// The gradient of the negative logarithm of the probability of the right classes.
    fn loss_gradient(&mut self, sample: &Sample, state: &Activations) -> Vec<f32> {
        let probabilities = state.log_probabilities.map(f32::exp);
        let right: f32 = sample.classes().map(|class| probabilities[class]).sum::<f32>().max(1e-12);
        self.loss -= right.ln();
        let mut gradient: Vec<f32> =
            probabilities.iter().map(|p| p - SMOOTHING / CLASSES as f32).collect();
        for class in sample.classes() {
            gradient[class] -= (1.0 - SMOOTHING) * probabilities[class] / right;
        }
        gradient
    }

    /// A dense layer: adds the gradient of its weights and returns that of its input.
    fn dense(&mut self, index: usize, input: &[f32], above: &[f32], network: &Network) -> Vec<f32> {
        let outputs = above.len();
        let bias = &mut self.weights.biases[index];
        bias.iter_mut().zip(above).for_each(|(b, g)| *b += g);
        let rows = network.weights.matrices[index].chunks_exact(outputs);
        let gradients = self.weights.matrices[index].chunks_exact_mut(outputs);
        let mut below = vec![0.0; input.len()];
        for (((&value, row), gradient), below) in
            input.iter().zip(rows).zip(gradients).zip(&mut below)
        {
            // All inputs are results of a rectifier: where they are 0, no gradient passes.
            if value != 0.0 {
                gradient.iter_mut().zip(above).for_each(|(g, a)| *g += value * a);
                *below = row.iter().zip(above).map(|(w, a)| w * a).sum();
            }
        }
        below
    }

    /// Leads the gradient at a pooled image to the pixels that were the maxima.
    fn unpool(&mut self, layer: usize, state: &Activations) {
        let (side, channels) = (SIDES[layer], CHANNELS[layer]);
        let small = side.div_ceil(2);
        self.plain[layer].fill(0.0);
        self.bordered[layer].fill(0.0);
        for (pixel, (chosen, gradient)) in state.chosen[layer]
            .chunks_exact(channels)
            .zip(self.pooled[layer].chunks_exact(channels))
            .enumerate()
        {
            let (y, x) = (2 * (pixel / small), 2 * (pixel % small));
            for channel in 0..channels {
                let corner = usize::from(chosen[channel]);
                if corner < 4 {
                    let (row, column) = (y + corner / 2, x + corner % 2);
                    let value = gradient[channel];
                    self.plain[layer][(row * side + column) * channels + channel] = value;
                    let at = ((row + 1) * (side + 2) + column + 1) * channels + channel;
                    self.bordered[layer][at] = value;
                    self.weights.biases[layer][channel] += value;
                }
            }
        }
    }

    /// Adds the gradient of a convolution's weights and leads it to the layer below.
    fn convolution(&mut self, layer: usize, transposed: &[Vec<f32>; 2], state: &Activations) {
        let (side, outputs) = (SIDES[layer], CHANNELS[layer]);
        let (input, above) = (&state.inputs[layer], &self.plain[layer]);
        let gradient = &mut self.weights.matrices[layer];
        if layer == 0 {
            return weight_gradient::<3>(input, side, 1, above, outputs, gradient);
        }
        let inputs = CHANNELS[layer - 1];
        weight_gradient::<6>(input, side, inputs, above, outputs, gradient);
        let back = &transposed[layer - 1];
        convolve(&self.bordered[layer], side, outputs, back, inputs, &mut self.pooled[layer - 1]);
    }
}

/// Drops some hidden numbers and classifies again. Returns the factor of each hidden number.
fn drop_some(network: &Network, random: &mut Random, state: &mut Activations) -> [f32; HIDDEN] {
    let keep = 1.0 / (1.0 - DROPOUT) as f32;
    let kept = std::array::from_fn(|_| if random.chance(DROPOUT) { 0.0 } else { keep });
    state.hidden.iter_mut().zip(kept).for_each(|(value, factor): (_, f32)| *value *= factor);
    network.classify(state);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::Content;
    use crate::train::sample::WIDTH;

    #[test]
    fn gradient_equals_differences() {
        let mut random = Random::new(5);
        let weights = initial(&mut random);
        let ink: Vec<f32> = (0..WIDTH * WIDTH).map(|_| normal(&mut random, 0.5)).collect();
        let sample = Sample::new(&ink, &[Content::Printed(4), Content::Handwritten(4)]);
        let cell = sample.plain();
        let loss = |weights: &Weights| {
            let network = Network::new(weights.clone());
            let mut gradient = Gradient::new();
            let back = transposed(&network);
            let state = &mut Activations::default();
            gradient.add(&network, &back, &cell, &sample, &mut Random::new(9), state);
            gradient
        };
        let gradient = loss(&weights);
        let largest = |values: &[f32]| {
            (0..values.len()).max_by(|&a, &b| values[a].abs().total_cmp(&values[b].abs())).unwrap()
        };
        for layer in 0..5 {
            let expected = &gradient.weights.matrices[layer];
            let at = largest(expected);
            let (mut more, mut less) = (weights.clone(), weights.clone());
            more.matrices[layer][at] += 2e-3;
            less.matrices[layer][at] -= 2e-3;
            let difference = (loss(&more).loss - loss(&less).loss) / 4e-3;
            // Smoothing changes the gradient by about one percent.
            let tolerance = 0.05 * expected[at].abs() + 0.02;
            assert!((difference - expected[at]).abs() < tolerance, "{difference} {}", expected[at]);
        }
    }
}
