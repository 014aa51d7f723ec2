//! A bidirectional LSTM layer as loops over plain numbers: the form for the processor.
//!
//! What makes it fast:
//! - Eight puzzles go through the layer side by side, each in one lane of a vector; the compiler turns loops over lanes
//!   into vector instructions. A batch that does not fill the lanes is filled up with zeros.
//! - Such a block runs through all its steps before the next one begins, so everything it needs stays close by.
//! - The weights of the four gates of a unit stand together: an input is loaded once and used four times, and eight sums
//!   grow independently of each other.
//! - The exponential function is a polynomial without branches.

use super::{DIRECTIONS, GATES, Gradients, Weights};
use crate::device::Cpu;
use crate::ops::fast_math::{sigmoid, tanh};
use burn::tensor::{Tensor, TensorData};

const LANES: usize = 8;
type Lanes = [f32; LANES];
const ZERO: Lanes = [0.0; LANES];

#[derive(Clone, Copy, Debug)]
struct Shape {
    groups: usize,
    batch: usize,
    steps: usize,
    inputs: usize,
    hidden: usize,
}

impl Shape {
    fn blocks(&self) -> usize {
        self.batch.div_ceil(LANES)
    }

    /// Inputs and hidden units: what a gate looks at.
    fn rows(&self) -> usize {
        self.inputs + self.hidden
    }
}

/// What the forward pass saves.
#[derive(Debug)]
pub struct Saved {
    shape: Shape,
    /// By group and direction.
    packed: Vec<Packed>,
    /// By group, block, step and input.
    inputs: Vec<Lanes>,
    /// By group, direction, block, step and unit.
    moments: Vec<Moment>,
}

/// The weights of one direction of one group, gates side by side.
#[derive(Debug)]
struct Packed {
    /// By unit and row; first the rows of the inputs, then those of the hidden units.
    rows: Vec<[f32; GATES]>,
    /// By unit.
    bias: Vec<[f32; GATES]>,
}

/// One unit at one step.
#[derive(Clone, Copy, Debug)]
struct Moment {
    gates: [Lanes; GATES],
    cell: Lanes,
    squashed: Lanes,
    hidden: Lanes,
}

const NO_MOMENT: Moment = Moment { gates: [ZERO; GATES], cell: ZERO, squashed: ZERO, hidden: ZERO };

/// `[groups, batch, steps, inputs]` to `[groups, batch, steps, 2 · hidden]`, and what the gradients need.
pub fn forward(sequence: Tensor<Cpu, 4>, weights: Weights<Cpu>) -> (Tensor<Cpu, 4>, Saved) {
    let [groups, batch, steps, inputs] = sequence.dims();
    let shape = Shape { groups, batch, steps, inputs, hidden: weights.recurrent.dims()[2] };
    let device = sequence.device();
    let packed = pack(&shape, weights);
    let inputs =
        into_lanes(&values(sequence), shape.groups, shape.batch, shape.steps * shape.inputs);
    let mut moments =
        vec![NO_MOMENT; shape.groups * DIRECTIONS * shape.blocks() * shape.steps * shape.hidden];
    let mut answer =
        vec![ZERO; shape.groups * shape.blocks() * shape.steps * DIRECTIONS * shape.hidden];
    for (number, moments) in moments.chunks_mut(shape.steps * shape.hidden).enumerate() {
        let (stack, block) = (number / shape.blocks(), number % shape.blocks());
        let (group, direction) = (stack / DIRECTIONS, stack % DIRECTIONS);
        let place = group * shape.blocks() + block;
        let length = shape.steps * shape.inputs;
        read_through(
            &shape,
            &packed[stack],
            direction,
            &inputs[place * length..][..length],
            moments,
        );
        let length = shape.steps * DIRECTIONS * shape.hidden;
        let answer = &mut answer[place * length..][..length];
        for (step, moments) in moments.chunks(shape.hidden).enumerate() {
            let place = (step * DIRECTIONS + direction) * shape.hidden;
            answer[place..]
                .iter_mut()
                .zip(moments)
                .for_each(|(answer, moment)| *answer = moment.hidden);
        }
    }
    let width = DIRECTIONS * shape.hidden;
    let answer = from_lanes(&answer, shape.groups, shape.batch, shape.steps * width);
    let answer = Tensor::from_data(TensorData::new(answer, [groups, batch, steps, width]), &device);
    (answer, Saved { shape, packed, inputs, moments })
}

/// The gradients, from that of the answer.
pub fn backward(saved: &Saved, answer: Tensor<Cpu, 4>) -> Gradients<Cpu> {
    let shape = &saved.shape;
    let device = answer.device();
    let width = shape.steps * DIRECTIONS * shape.hidden;
    let answer = into_lanes(&values(answer), shape.groups, shape.batch, width);
    let mut inputs = vec![ZERO; saved.inputs.len()];
    let mut unpacked = Unpacked::new(shape);
    for stack in 0..shape.groups * DIRECTIONS {
        let mut sums = Sums::new(shape);
        for block in 0..shape.blocks() {
            let place = stack / DIRECTIONS * shape.blocks() + block;
            let length = shape.steps * shape.inputs;
            let pass = BackwardPass {
                direction: stack % DIRECTIONS,
                packed: &saved.packed[stack],
                inputs: &saved.inputs[place * length..][..length],
                moments: &saved.moments
                    [(stack * shape.blocks() + block) * shape.steps * shape.hidden..],
                answer: &answer[place * width..][..width],
            };
            pass.run(shape, &mut inputs[place * length..][..length], &mut sums);
        }
        unpacked.add(shape, &sums);
    }
    let inputs = from_lanes(&inputs, shape.groups, shape.batch, shape.steps * shape.inputs);
    let dims = [shape.groups, shape.batch, shape.steps, shape.inputs];
    Gradients {
        sequence: Tensor::from_data(TensorData::new(inputs, dims), &device),
        weights: unpacked.into_tensors(shape, &device),
    }
}

/// The steps in the order of a direction, each with the one before it.
fn steps(
    shape: &Shape,
    direction: usize,
) -> impl DoubleEndedIterator<Item = (usize, Option<usize>)> {
    let last = shape.steps - 1;
    let place = move |number: usize| if direction == 0 { number } else { last - number };
    (0..shape.steps).map(move |number| (place(number), number.checked_sub(1).map(place)))
}

/// One block, one direction, from the first step to the last.
fn read_through(
    shape: &Shape,
    packed: &Packed,
    direction: usize,
    inputs: &[Lanes],
    moments: &mut [Moment],
) {
    let (mut hidden, mut next) = (vec![ZERO; shape.hidden], vec![ZERO; shape.hidden]);
    let mut cell = vec![ZERO; shape.hidden];
    for (step, _) in steps(shape, direction) {
        let inputs = &inputs[step * shape.inputs..][..shape.inputs];
        let moments = &mut moments[step * shape.hidden..][..shape.hidden];
        for (unit, rows) in packed.rows.chunks(shape.rows()).enumerate() {
            let mut sums = packed.bias[unit].map(|bias| [bias; LANES]);
            let (of_inputs, of_hidden) = rows.split_at(shape.inputs);
            add_products(&mut sums, of_inputs, inputs);
            add_products(&mut sums, of_hidden, &hidden);
            let moment = moment(sums, cell[unit]);
            (next[unit], cell[unit]) = (moment.hidden, moment.cell);
            moments[unit] = moment;
        }
        std::mem::swap(&mut hidden, &mut next);
    }
}

fn add_products(sums: &mut [Lanes; GATES], weights: &[[f32; GATES]], rows: &[Lanes]) {
    for (weights, row) in weights.iter().zip(rows) {
        for (sums, weight) in sums.iter_mut().zip(weights) {
            for lane in 0..LANES {
                sums[lane] += weight * row[lane];
            }
        }
    }
}

/// A unit after the sums of its gates are known.
fn moment(sums: [Lanes; GATES], cell_before: Lanes) -> Moment {
    let mut moment = NO_MOMENT;
    for lane in 0..LANES {
        let (enter, forget) = (sigmoid(sums[0][lane]), sigmoid(sums[1][lane]));
        let (out, new) = (sigmoid(sums[2][lane]), tanh(sums[3][lane]));
        let cell = forget * cell_before[lane] + enter * new;
        let squashed = tanh(cell);
        moment.gates[0][lane] = enter;
        moment.gates[1][lane] = forget;
        moment.gates[2][lane] = out;
        moment.gates[3][lane] = new;
        moment.cell[lane] = cell;
        moment.squashed[lane] = squashed;
        moment.hidden[lane] = out * squashed;
    }
    moment
}

/// The backward pass of one block in one direction.
struct BackwardPass<'a> {
    direction: usize,
    packed: &'a Packed,
    inputs: &'a [Lanes],
    moments: &'a [Moment],
    /// The gradient of the answer, both directions.
    answer: &'a [Lanes],
}

impl BackwardPass<'_> {
    /// Adds the gradients of the inputs and of the weights.
    fn run(&self, shape: &Shape, inputs: &mut [Lanes], sums: &mut Sums) {
        let mut gates = vec![[ZERO; GATES]; shape.steps * shape.hidden];
        let (mut hidden_later, mut cell_later) =
            (vec![ZERO; shape.hidden], vec![ZERO; shape.hidden]);
        for (step, before) in steps(shape, self.direction).rev() {
            let gates = &mut gates[step * shape.hidden..][..shape.hidden];
            for unit in 0..shape.hidden {
                let answer =
                    &self.answer[(step * DIRECTIONS + self.direction) * shape.hidden + unit];
                let moment = &self.moments[step * shape.hidden + unit];
                let cell_before =
                    before.map_or(ZERO, |before| self.moments[before * shape.hidden + unit].cell);
                gates[unit] =
                    moment.back(answer, &hidden_later[unit], &mut cell_later[unit], &cell_before);
            }
            for (row, input) in inputs[step * shape.inputs..][..shape.inputs].iter_mut().enumerate()
            {
                let found = self.back_to(shape, row, gates);
                (0..LANES).for_each(|lane| input[lane] += found[lane]);
            }
            for (unit, hidden) in hidden_later.iter_mut().enumerate() {
                *hidden = self.back_to(shape, shape.inputs + unit, gates);
            }
        }
        self.add_to(shape, &gates, sums);
    }

    /// The gradient of one row of what the gates look at.
    fn back_to(&self, shape: &Shape, row: usize, gates: &[[Lanes; GATES]]) -> Lanes {
        let mut sums = [ZERO; GATES];
        for (gates, weights) in gates.iter().zip(self.packed.rows.chunks(shape.rows())) {
            for gate in 0..GATES {
                for lane in 0..LANES {
                    sums[gate][lane] += weights[row][gate] * gates[gate][lane];
                }
            }
        }
        std::array::from_fn(|lane| {
            (sums[0][lane] + sums[1][lane]) + (sums[2][lane] + sums[3][lane])
        })
    }

    /// Adds what this block says about the weights.
    fn add_to(&self, shape: &Shape, gates: &[[Lanes; GATES]], sums: &mut Sums) {
        // What the gates saw at each step, in the order of the steps: the inputs, and the hidden units of the step before.
        let mut seen = vec![ZERO; shape.steps * shape.rows()];
        for (step, before) in steps(shape, self.direction) {
            let seen = &mut seen[step * shape.rows()..][..shape.rows()];
            seen[..shape.inputs]
                .copy_from_slice(&self.inputs[step * shape.inputs..][..shape.inputs]);
            if let Some(before) = before {
                let moments = &self.moments[before * shape.hidden..][..shape.hidden];
                seen[shape.inputs..]
                    .iter_mut()
                    .zip(moments)
                    .for_each(|(seen, moment)| *seen = moment.hidden);
            }
        }
        for unit in 0..shape.hidden {
            let of_unit = |gates: &'_ [[Lanes; GATES]]| gates[unit];
            for row in 0..shape.rows() {
                let mut sum = sums.rows[unit * shape.rows() + row];
                for (seen, gates) in
                    seen.chunks_exact(shape.rows()).zip(gates.chunks_exact(shape.hidden))
                {
                    let (seen, gates) = (seen[row], of_unit(gates));
                    for gate in 0..GATES {
                        for lane in 0..LANES {
                            sum[gate][lane] += gates[gate][lane] * seen[lane];
                        }
                    }
                }
                sums.rows[unit * shape.rows() + row] = sum;
            }
            let mut sum = sums.bias[unit];
            for gates in gates.chunks_exact(shape.hidden).map(of_unit) {
                for gate in 0..GATES {
                    (0..LANES).for_each(|lane| sum[gate][lane] += gates[gate][lane]);
                }
            }
            sums.bias[unit] = sum;
        }
    }
}

impl Moment {
    /// The gradients of the sums of the gates; the cell's gradient moves on to the step before.
    fn back(
        &self,
        answer: &Lanes,
        hidden_later: &Lanes,
        cell_later: &mut Lanes,
        cell_before: &Lanes,
    ) -> [Lanes; GATES] {
        let mut gates = [ZERO; GATES];
        for lane in 0..LANES {
            let [enter, forget, out, new] = [0, 1, 2, 3].map(|gate: usize| self.gates[gate][lane]);
            let squashed = self.squashed[lane];
            let hidden = answer[lane] + hidden_later[lane];
            let cell = cell_later[lane] + hidden * out * (1.0 - squashed * squashed);
            gates[0][lane] = cell * new * enter * (1.0 - enter);
            gates[1][lane] = cell * cell_before[lane] * forget * (1.0 - forget);
            gates[2][lane] = hidden * squashed * out * (1.0 - out);
            gates[3][lane] = cell * enter * (1.0 - new * new);
            cell_later[lane] = cell * forget;
        }
        gates
    }
}

/// Gradients of the packed weights of one direction of one group, not yet added up over the lanes.
struct Sums {
    rows: Vec<[Lanes; GATES]>,
    bias: Vec<[Lanes; GATES]>,
}

impl Sums {
    fn new(shape: &Shape) -> Sums {
        let nothing = [ZERO; GATES];
        Sums { rows: vec![nothing; shape.hidden * shape.rows()], bias: vec![nothing; shape.hidden] }
    }
}

/// Gradients of the weights in the order of their tensors.
#[derive(Default)]
struct Unpacked {
    kernel: Vec<f32>,
    recurrent: Vec<f32>,
    bias: Vec<f32>,
}

impl Unpacked {
    fn new(shape: &Shape) -> Unpacked {
        let row = shape.groups * DIRECTIONS * GATES * shape.hidden;
        Unpacked {
            kernel: Vec::with_capacity(row * shape.inputs),
            recurrent: Vec::with_capacity(row * shape.hidden),
            bias: Vec::with_capacity(row),
        }
    }

    /// Adds the next direction of the next group.
    fn add(&mut self, shape: &Shape, sums: &Sums) {
        let total = |lanes: &[Lanes; GATES], gate: usize| lanes[gate].iter().sum::<f32>();
        for row in 0..shape.rows() {
            let into = if row < shape.inputs { &mut self.kernel } else { &mut self.recurrent };
            for gate in 0..GATES {
                into.extend(
                    (0..shape.hidden)
                        .map(|unit| total(&sums.rows[unit * shape.rows() + row], gate)),
                );
            }
        }
        for gate in 0..GATES {
            self.bias.extend((0..shape.hidden).map(|unit| total(&sums.bias[unit], gate)));
        }
    }

    fn into_tensors(self, shape: &Shape, device: &burn::tensor::Device<Cpu>) -> Weights<Cpu> {
        let tensor = |values, rows| {
            let dims = [shape.groups, DIRECTIONS, rows, GATES * shape.hidden];
            Tensor::from_data(TensorData::new(values, dims), device)
        };
        Weights {
            kernel: tensor(self.kernel, shape.inputs),
            recurrent: tensor(self.recurrent, shape.hidden),
            bias: tensor(self.bias, 1),
        }
    }
}

/// Brings the weights into the order of the loops.
fn pack(shape: &Shape, weights: Weights<Cpu>) -> Vec<Packed> {
    let [kernel, recurrent, bias] = [weights.kernel, weights.recurrent, weights.bias].map(values);
    let width = GATES * shape.hidden;
    let gates = |values: &[f32], row: usize, unit: usize| {
        std::array::from_fn(|gate| values[row * width + gate * shape.hidden + unit])
    };
    let stack = |number: usize| Packed {
        rows: (0..shape.hidden)
            .flat_map(|unit| {
                let of_inputs = (0..shape.inputs).map(move |row| (true, row));
                let of_hidden = (0..shape.hidden).map(move |row| (false, row));
                of_inputs.chain(of_hidden).map(move |place| (unit, place))
            })
            .map(|(unit, (is_input, row))| match is_input {
                true => gates(&kernel, number * shape.inputs + row, unit),
                false => gates(&recurrent, number * shape.hidden + row, unit),
            })
            .collect(),
        bias: (0..shape.hidden).map(|unit| gates(&bias, number, unit)).collect(),
    };
    (0..shape.groups * DIRECTIONS).map(stack).collect()
}

/// From `[groups, batch, columns]` to blocks of eight, `[groups, blocks, columns]`.
fn into_lanes(values: &[f32], groups: usize, batch: usize, columns: usize) -> Vec<Lanes> {
    let blocks = batch.div_ceil(LANES);
    let mut lanes = vec![ZERO; groups * blocks * columns];
    for (number, row) in values.chunks(columns).enumerate() {
        let (group, puzzle) = (number / batch, number % batch);
        let block = &mut lanes[(group * blocks + puzzle / LANES) * columns..][..columns];
        block.iter_mut().zip(row).for_each(|(lanes, value)| lanes[puzzle % LANES] = *value);
    }
    lanes
}

/// The way back from [`into_lanes`].
fn from_lanes(lanes: &[Lanes], groups: usize, batch: usize, columns: usize) -> Vec<f32> {
    let blocks = batch.div_ceil(LANES);
    let mut values = vec![0.0; groups * batch * columns];
    for (number, row) in values.chunks_mut(columns).enumerate() {
        let (group, puzzle) = (number / batch, number % batch);
        let block = &lanes[(group * blocks + puzzle / LANES) * columns..][..columns];
        row.iter_mut().zip(block).for_each(|(value, lanes)| *value = lanes[puzzle % LANES]);
    }
    values
}

fn values(tensor: Tensor<Cpu, 4>) -> Vec<f32> {
    tensor.into_data().into_vec().expect("numbers on the processor are f32")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_come_back_in_order_and_are_filled_up_with_zeros() {
        // Two groups, nine puzzles, three columns: two blocks each, the second nearly empty.
        let values: Vec<f32> = (1..=54).map(|value| value as f32).collect();
        let lanes = into_lanes(&values, 2, 9, 3);
        assert_eq!(lanes.len(), 2 * 2 * 3);
        assert_eq!(lanes[0], [1.0, 4.0, 7.0, 10.0, 13.0, 16.0, 19.0, 22.0]);
        assert_eq!(lanes[3], [25.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(from_lanes(&lanes, 2, 9, 3), values);
    }
}
