//! The digit network: 28×28 pixels of ink in, a probability for each kind of content out.
//!
//! Three 3×3 convolutions with maxima over 2×2 pixels, a hidden layer and a softmax. The weights
//! are stored as one byte each with a scale per output.

pub mod kernel;

use crate::cells::{AREA, SIZE};

/// The channels of the three convolutions.
pub const CHANNELS: [usize; 3] = [16, 32, 64];
/// The width of their images.
pub const SIDES: [usize; 3] = [SIZE, SIZE / 2, SIZE / 4];
/// Numbers after the last pooling: 4×4 pixels.
pub const FLAT: usize = 16 * CHANNELS[2];
/// The width of the hidden layer.
pub const HIDDEN: usize = 96;
/// Kinds of content: see [`Content`].
pub const CLASSES: usize = 27;
/// Inputs and outputs of each matrix of weights.
pub const SHAPES: [(usize, usize); 5] = [
    (9, CHANNELS[0]),
    (9 * CHANNELS[0], CHANNELS[1]),
    (9 * CHANNELS[1], CHANNELS[2]),
    (FLAT, HIDDEN),
    (HIDDEN, CLASSES),
];

/// The content of a cell; each is a class of the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    Empty,
    /// A printed digit, 1 to 16.
    Printed(u8),
    /// A handwritten digit, 1 to 9.
    Handwritten(u8),
    /// Small digits that note candidates.
    PencilMarks,
}

impl Content {
    pub fn class(self) -> usize {
        match self {
            Content::Empty => 0,
            Content::Printed(digit) => usize::from(digit),
            Content::Handwritten(digit) => 16 + usize::from(digit),
            Content::PencilMarks => CLASSES - 1,
        }
    }

    pub fn from_class(class: usize) -> Content {
        match class {
            0 => Content::Empty,
            1..=16 => Content::Printed(class as u8),
            17..=25 => Content::Handwritten(class as u8 - 16),
            _ => Content::PencilMarks,
        }
    }
}

/// Weights as numbers: for each of [`SHAPES`] a matrix `[inputs][outputs]` and a bias.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    pub matrices: [Vec<f32>; 5],
    pub biases: [Vec<f32>; 5],
}

/// Stored weights that do not fit the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the weights do not fit this version of the digit network")]
pub struct InvalidWeightsError;

const MAGIC: &[u8; 8] = b"NINEVIS1";

impl Weights {
    pub fn zero() -> Weights {
        Weights {
            matrices: SHAPES.map(|(inputs, outputs)| vec![0.0; inputs * outputs]),
            biases: SHAPES.map(|(_, outputs)| vec![0.0; outputs]),
        }
    }

    /// All numbers, for optimisers.
    pub fn slices_mut(&mut self) -> impl Iterator<Item = &mut Vec<f32>> {
        self.matrices.iter_mut().chain(&mut self.biases)
    }

    pub fn slices(&self) -> impl Iterator<Item = &Vec<f32>> {
        self.matrices.iter().chain(&self.biases)
    }

    /// One byte per weight, four per bias and per scale.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for ((matrix, bias), (_, outputs)) in self.matrices.iter().zip(&self.biases).zip(SHAPES) {
            let mut scales = vec![0f32; outputs];
            for row in matrix.chunks_exact(outputs) {
                scales.iter_mut().zip(row).for_each(|(most, w)| *most = most.max(w.abs()));
            }
            scales.iter_mut().for_each(|scale| *scale = (*scale / 127.0).max(1e-12));
            let numbers = scales.iter().chain(bias);
            bytes.extend(numbers.flat_map(|number| number.to_le_bytes()));
            for row in matrix.chunks_exact(outputs) {
                let byte = |(w, scale): (&f32, &f32)| (w / scale).round() as i8 as u8;
                bytes.extend(row.iter().zip(&scales).map(byte));
            }
        }
        bytes
    }

    pub fn from_bytes(bytes: &[u8]) -> Result<Weights, InvalidWeightsError> {
        let mut rest = bytes.strip_prefix(MAGIC).ok_or(InvalidWeightsError)?;
        let mut take = |count: usize| {
            let (taken, left) = rest.split_at_checked(count).ok_or(InvalidWeightsError)?;
            rest = left;
            Ok(taken)
        };
        let numbers = |bytes: &[u8]| -> Vec<f32> {
            let number = |b: &[u8]| f32::from_le_bytes([b[0], b[1], b[2], b[3]]);
            bytes.chunks_exact(4).map(number).collect()
        };
        let mut weights = Weights::zero();
        for (index, (inputs, outputs)) in SHAPES.into_iter().enumerate() {
            let scales = numbers(take(4 * outputs)?);
            weights.biases[index] = numbers(take(4 * outputs)?);
            let matrix = take(inputs * outputs)?.chunks_exact(outputs);
            weights.matrices[index] = matrix
                .flat_map(|row| {
                    row.iter().zip(&scales).map(|(&w, scale)| f32::from(w as i8) * scale)
                })
                .collect();
        }
        if rest.is_empty() { Ok(weights) } else { Err(InvalidWeightsError) }
    }
}

/// The network, ready to classify cells.
pub struct Network {
    pub(crate) weights: Weights,
    /// The convolutions as [`kernel::convolve`] reads them.
    packed: [Vec<f32>; 3],
}

/// The numbers of all layers for one cell; training reads them again on the way back.
pub struct Activations {
    /// The inputs of the convolutions, with border.
    pub(crate) inputs: [Vec<f32>; 3],
    pub(crate) convolved: [Vec<f32>; 3],
    pub(crate) chosen: [Vec<u8>; 3],
    pub(crate) flat: Vec<f32>,
    pub(crate) hidden: Vec<f32>,
    /// Logarithms of the probabilities.
    pub log_probabilities: [f32; CLASSES],
}

impl Default for Activations {
    fn default() -> Activations {
        let channels = [1, CHANNELS[0], CHANNELS[1]];
        let image = |layer: usize| (SIDES[layer] + 2) * (SIDES[layer] + 2) * channels[layer];
        let pooled = |layer: usize| SIDES[layer].div_ceil(2).pow(2) * CHANNELS[layer];
        Activations {
            inputs: std::array::from_fn(|layer| vec![0.0; image(layer)]),
            convolved: std::array::from_fn(|l| vec![0.0; SIDES[l] * SIDES[l] * CHANNELS[l]]),
            chosen: std::array::from_fn(|layer| vec![0; pooled(layer)]),
            flat: vec![0.0; FLAT],
            hidden: vec![0.0; HIDDEN],
            log_probabilities: [0.0; CLASSES],
        }
    }
}

impl Network {
    pub fn new(weights: Weights) -> Network {
        let packed = std::array::from_fn(|l| kernel::pack(&weights.matrices[l], CHANNELS[l]));
        Network { weights, packed }
    }

    /// The network whose weights are included in this library.
    #[cfg(feature = "weights")]
    pub fn included() -> Network {
        let bytes = include_bytes!("../weights/digits.bin");
        Network::new(Weights::from_bytes(bytes).expect("the included weights fit"))
    }

    /// Classifies a cell of [`AREA`] numbers.
    pub fn run(&self, ink: &[f32], state: &mut Activations) {
        self.convolutions(ink, state);
        dense(&state.flat, &self.weights.matrices[3], &self.weights.biases[3], &mut state.hidden);
        state.hidden.iter_mut().for_each(|value| *value = value.max(0.0));
        self.classify(state);
    }

    pub(crate) fn convolutions(&self, ink: &[f32], state: &mut Activations) {
        assert_eq!(ink.len(), AREA, "a cell has {AREA} pixels");
        for (y, row) in ink.chunks_exact(SIZE).enumerate() {
            state.inputs[0][(y + 1) * (SIZE + 2) + 1..][..SIZE].copy_from_slice(row);
        }
        for layer in 0..3 {
            let inputs = if layer == 0 { 1 } else { CHANNELS[layer - 1] };
            let (before, after) = state.inputs.split_at_mut(layer + 1);
            let convolved = &mut state.convolved[layer];
            let (side, channels) = (SIDES[layer], CHANNELS[layer]);
            let packed = &self.packed[layer];
            kernel::convolve(&before[layer], side, inputs, packed, channels, convolved);
            let (border, target) = match after.first_mut() {
                Some(next) => (1, next),
                None => (0, &mut state.flat),
            };
            let bias = &self.weights.biases[layer];
            kernel::pool(convolved, side, bias, border, target, &mut state.chosen[layer]);
        }
    }

    pub(crate) fn classify(&self, state: &mut Activations) {
        let logits = &mut state.log_probabilities;
        dense(&state.hidden, &self.weights.matrices[4], &self.weights.biases[4], logits);
        let most = logits.iter().copied().fold(f32::MIN, f32::max);
        let sum: f32 = logits.iter().map(|logit| (logit - most).exp()).sum();
        let total = most + sum.ln();
        logits.iter_mut().for_each(|logit| *logit -= total);
    }
}

/// `result = input × matrix + bias`, skipping inputs that are 0.
fn dense(input: &[f32], matrix: &[f32], bias: &[f32], result: &mut [f32]) {
    result.copy_from_slice(bias);
    for (&value, row) in input.iter().zip(matrix.chunks_exact(bias.len())) {
        if value != 0.0 {
            result.iter_mut().zip(row).for_each(|(sum, weight)| *sum += value * weight);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_and_contents_correspond() {
        for class in 0..CLASSES {
            assert_eq!(Content::from_class(class).class(), class);
        }
        assert_eq!(Content::Handwritten(9).class(), 25);
    }

    #[test]
    fn stored_weights_return_nearly_unchanged() {
        let mut weights = Weights::zero();
        for slice in weights.slices_mut() {
            for (at, value) in slice.iter_mut().enumerate() {
                *value = ((at * 7919 % 2001) as f32 - 1000.0) / 5000.0;
            }
        }
        let bytes = weights.to_bytes();
        assert!(bytes.len() < 130_000, "{}", bytes.len());
        let restored = Weights::from_bytes(&bytes).unwrap();
        for (a, b) in weights.slices().flatten().zip(restored.slices().flatten()) {
            assert!((a - b).abs() < 0.001, "{a} {b}");
        }
        assert_eq!(Weights::from_bytes(&bytes[1..]), Err(InvalidWeightsError));
        assert_eq!(Weights::from_bytes(&bytes[..bytes.len() - 1]), Err(InvalidWeightsError));
    }
}
