//! A perceptron with one hidden layer, forward and backward. Its parameters are one array.
//!
//! ```text
//! hidden = relu(first · row + bias)      outputs = second · hidden + bias
//! ```
//! The first weight is stored input by input, so that all inner loops run along the hidden units
//! and are vectorized.

use ninefold::random::Random;

/// The shape of a perceptron. The parameters are passed to each function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Perceptron {
    pub inputs: usize,
    pub units: usize,
    pub outputs: usize,
}

/// The activations for a row of inputs.
pub(super) struct Activations {
    pub hidden: Vec<f32>,
    pub outputs: Vec<f32>,
}

impl Perceptron {
    /// The number of parameters: the first weight `[inputs, units]`, its bias, the second weight
    /// `[outputs, units]`, its bias.
    pub fn len(self) -> usize {
        (self.inputs + 1) * self.units + self.outputs * (self.units + 1)
    }

    /// The end of each of the first three parts.
    fn cuts(self) -> [usize; 3] {
        let first = self.inputs * self.units;
        [first, first + self.units, first + self.units + self.outputs * self.units]
    }

    /// Random initial parameters. Biases are zero.
    pub fn draw(self, random: &mut Random) -> Vec<f32> {
        let mut numbers = vec![0.0; self.len()];
        let [first, bias, second] = self.cuts();
        let scale = |inputs: usize| (2.0 / inputs as f64).sqrt();
        numbers[..first]
            .iter_mut()
            .for_each(|number| *number = (random.normal() * scale(self.inputs)) as f32);
        numbers[bias..second]
            .iter_mut()
            .for_each(|number| *number = (0.1 * random.normal() * scale(self.units)) as f32);
        numbers
    }

    /// One row.
    pub fn forward(self, numbers: &[f32], row: &[f32]) -> Activations {
        let [first, bias, second] = self.cuts();
        let mut hidden = numbers[first..bias].to_vec();
        for (&input, weights) in row.iter().zip(numbers[..first].chunks_exact(self.units)) {
            add_times(&mut hidden, input, weights);
        }
        hidden.iter_mut().for_each(|unit| *unit = unit.max(0.0));
        let weights = numbers[bias..second].chunks_exact(self.units);
        let outputs = weights.zip(&numbers[second..]).map(|(weights, &bias)| {
            bias + weights.iter().zip(&hidden).map(|(weight, unit)| weight * unit).sum::<f32>()
        });
        Activations { outputs: outputs.collect(), hidden }
    }

    /// Adds the gradient of a loss that has this slope at the outputs.
    pub fn backward(
        self,
        numbers: &[f32],
        row: &[f32],
        activations: &Activations,
        slopes: &[f32],
        gradient: &mut [f32],
    ) {
        let [first, bias, second] = self.cuts();
        let mut back = vec![0.0; self.units];
        for (output, &slope) in slopes.iter().enumerate().filter(|(_, slope)| **slope != 0.0) {
            let place = bias + output * self.units;
            add_times(&mut back, slope, &numbers[place..][..self.units]);
            add_times(&mut gradient[place..][..self.units], slope, &activations.hidden);
            gradient[second + output] += slope;
        }
        back.iter_mut()
            .zip(&activations.hidden)
            .filter(|(_, unit)| **unit <= 0.0)
            .for_each(|(back, _)| *back = 0.0);
        for (&input, gradient) in row.iter().zip(gradient[..first].chunks_exact_mut(self.units)) {
            add_times(gradient, input, &back);
        }
        add_times(&mut gradient[first..bias], 1.0, &back);
    }
}

fn add_times(sums: &mut [f32], factor: f32, numbers: &[f32]) {
    sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += factor * number);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forward_and_backward_equal_a_hand_calculation() {
        let shape = Perceptron { inputs: 2, units: 2, outputs: 1 };
        // hidden = relu([1·3 + 2·1 + 0.5, −1·3 + 0·1 + 0]) = [5.5, 0]; output = 2 · 5.5 + 7 · 0 −
        // 1.
        let numbers = [1.0, -1.0, 2.0, 0.0, 0.5, 0.0, 2.0, 7.0, -1.0];
        assert_eq!(shape.len(), numbers.len());
        let activations = shape.forward(&numbers, &[3.0, 1.0]);
        assert_eq!(
            (activations.hidden.clone(), activations.outputs.clone()),
            (vec![5.5, 0.0], vec![10.0])
        );
        let mut gradient = [0.0; 9];
        shape.backward(&numbers, &[3.0, 1.0], &activations, &[0.5], &mut gradient);
        assert_eq!(gradient, [3.0, 0.0, 1.0, 0.0, 1.0, 0.0, 2.75, 0.0, 0.5]);
    }

    #[test]
    fn gradients_equal_finite_differences() {
        let shape = Perceptron { inputs: 3, units: 4, outputs: 2 };
        let mut numbers = shape.draw(&mut Random::new(3));
        numbers.iter_mut().enumerate().for_each(|(place, number)| *number += 0.01 * place as f32);
        let (row, slopes) = ([0.3, -0.7, 1.1], [1.0, -2.0]);
        let loss = |numbers: &[f32]| {
            let outputs = shape.forward(numbers, &row).outputs;
            outputs.iter().zip(slopes).map(|(output, slope)| output * slope).sum::<f32>()
        };
        let mut gradient = vec![0.0; shape.len()];
        shape.backward(&numbers, &row, &shape.forward(&numbers, &row), &slopes, &mut gradient);
        for place in 0..numbers.len() {
            let mut moved = numbers.clone();
            moved[place] += 1e-2;
            let up = loss(&moved);
            moved[place] -= 2e-2;
            let difference = (up - loss(&moved)) / 2e-2;
            assert!(
                (difference - gradient[place]).abs() < 1e-2,
                "{place}: {difference} and {}",
                gradient[place]
            );
        }
    }
}
