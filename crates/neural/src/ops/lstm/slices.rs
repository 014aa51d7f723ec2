//! The CPU implementation of the bidirectional LSTM layer: loops over slices.
//!
//! Optimisations:
//! - Eight puzzles are processed together, one per vector lane. The compiler turns loops over lanes
//!   into vector instructions. Incomplete blocks are padded with zeros.
//! - A block runs through all steps before the next one starts, so its data stays in the cache.
//! - The weights of the four gates of a unit are adjacent: an input is loaded once and used four
//!   times, in eight independent sums.
//! - The exponential function is a branch-free polynomial.

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

    /// Number of inputs of a gate: the layer inputs and the hidden units.
    fn rows(&self) -> usize {
        self.inputs + self.hidden
    }
}

/// Values of the forward pass that the gradients need.
#[derive(Debug)]
pub struct Saved {
    shape: Shape,
    /// Indexed by group and direction.
    packed: Vec<Packed>,
    /// Indexed by group, block, step and input.
    inputs: Vec<Lanes>,
    /// Indexed by group, direction, block, step and unit.
    states: Vec<UnitState>,
}

/// The weights of one direction of one group, with the gates of a unit adjacent.
#[derive(Debug)]
struct Packed {
    /// Indexed by unit and row. The rows of the inputs precede those of the hidden units.
    rows: Vec<[f32; GATES]>,
    /// Indexed by unit.
    bias: Vec<[f32; GATES]>,
}

/// The state of one unit at one step.
#[derive(Clone, Copy, Debug)]
struct UnitState {
    gates: [Lanes; GATES],
    cell: Lanes,
    tanh_cell: Lanes,
    hidden: Lanes,
}

const ZERO_STATE: UnitState =
    UnitState { gates: [ZERO; GATES], cell: ZERO, tanh_cell: ZERO, hidden: ZERO };

/// Maps `[groups, batch, steps, inputs]` to `[groups, batch, steps, 2 · hidden]`; also returns what
/// the gradients need.
pub fn forward(sequence: Tensor<Cpu, 4>, weights: Weights<Cpu>) -> (Tensor<Cpu, 4>, Saved) {
    let [groups, batch, steps, inputs] = sequence.dims();
    let shape = Shape { groups, batch, steps, inputs, hidden: weights.recurrent.dims()[2] };
    let device = sequence.device();
    let packed = pack(&shape, weights);
    let inputs =
        into_lanes(&values(sequence), shape.groups, shape.batch, shape.steps * shape.inputs);
    let mut states =
        vec![ZERO_STATE; shape.groups * DIRECTIONS * shape.blocks() * shape.steps * shape.hidden];
    let mut output =
        vec![ZERO; shape.groups * shape.blocks() * shape.steps * DIRECTIONS * shape.hidden];
    for (number, states) in states.chunks_mut(shape.steps * shape.hidden).enumerate() {
        let (stack, block) = (number / shape.blocks(), number % shape.blocks());
        let (group, direction) = (stack / DIRECTIONS, stack % DIRECTIONS);
        let place = group * shape.blocks() + block;
        let length = shape.steps * shape.inputs;
        run_block(&shape, &packed[stack], direction, &inputs[place * length..][..length], states);
        let length = shape.steps * DIRECTIONS * shape.hidden;
        let output = &mut output[place * length..][..length];
        for (step, states) in states.chunks(shape.hidden).enumerate() {
            let place = (step * DIRECTIONS + direction) * shape.hidden;
            output[place..]
                .iter_mut()
                .zip(states)
                .for_each(|(output, state)| *output = state.hidden);
        }
    }
    let width = DIRECTIONS * shape.hidden;
    let output = from_lanes(&output, shape.groups, shape.batch, shape.steps * width);
    let output = Tensor::from_data(TensorData::new(output, [groups, batch, steps, width]), &device);
    (output, Saved { shape, packed, inputs, states })
}

/// The gradients, from the gradient of the output.
pub fn backward(saved: &Saved, output: Tensor<Cpu, 4>) -> Gradients<Cpu> {
    let shape = &saved.shape;
    let device = output.device();
    let width = shape.steps * DIRECTIONS * shape.hidden;
    let output = into_lanes(&values(output), shape.groups, shape.batch, width);
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
                states: &saved.states
                    [(stack * shape.blocks() + block) * shape.steps * shape.hidden..],
                output: &output[place * width..][..width],
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

/// The steps in the order of a direction, each with its predecessor.
fn steps(
    shape: &Shape,
    direction: usize,
) -> impl DoubleEndedIterator<Item = (usize, Option<usize>)> {
    let last = shape.steps - 1;
    let place = move |number: usize| if direction == 0 { number } else { last - number };
    (0..shape.steps).map(move |number| (place(number), number.checked_sub(1).map(place)))
}

/// Runs one block in one direction through all steps.
fn run_block(
    shape: &Shape,
    packed: &Packed,
    direction: usize,
    inputs: &[Lanes],
    states: &mut [UnitState],
) {
    let (mut hidden, mut next) = (vec![ZERO; shape.hidden], vec![ZERO; shape.hidden]);
    let mut cell = vec![ZERO; shape.hidden];
    for (step, _) in steps(shape, direction) {
        let inputs = &inputs[step * shape.inputs..][..shape.inputs];
        let states = &mut states[step * shape.hidden..][..shape.hidden];
        for (unit, rows) in packed.rows.chunks(shape.rows()).enumerate() {
            let mut sums = packed.bias[unit].map(|bias| [bias; LANES]);
            let (input_weights, hidden_weights) = rows.split_at(shape.inputs);
            add_products(&mut sums, input_weights, inputs);
            add_products(&mut sums, hidden_weights, &hidden);
            let state = state(sums, cell[unit]);
            (next[unit], cell[unit]) = (state.hidden, state.cell);
            states[unit] = state;
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

/// The state of a unit, from the sums of its gates.
fn state(sums: [Lanes; GATES], cell_before: Lanes) -> UnitState {
    let mut state = ZERO_STATE;
    for lane in 0..LANES {
        let (enter, forget) = (sigmoid(sums[0][lane]), sigmoid(sums[1][lane]));
        let (out, new) = (sigmoid(sums[2][lane]), tanh(sums[3][lane]));
        let cell = forget * cell_before[lane] + enter * new;
        let tanh_cell = tanh(cell);
        state.gates[0][lane] = enter;
        state.gates[1][lane] = forget;
        state.gates[2][lane] = out;
        state.gates[3][lane] = new;
        state.cell[lane] = cell;
        state.tanh_cell[lane] = tanh_cell;
        state.hidden[lane] = out * tanh_cell;
    }
    state
}

/// The backward pass of one block in one direction.
struct BackwardPass<'a> {
    direction: usize,
    packed: &'a Packed,
    inputs: &'a [Lanes],
    states: &'a [UnitState],
    /// The gradient of the output, for both directions.
    output: &'a [Lanes],
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
                let output =
                    &self.output[(step * DIRECTIONS + self.direction) * shape.hidden + unit];
                let state = &self.states[step * shape.hidden + unit];
                let cell_before =
                    before.map_or(ZERO, |before| self.states[before * shape.hidden + unit].cell);
                gates[unit] = state.gate_gradients(
                    output,
                    &hidden_later[unit],
                    &mut cell_later[unit],
                    &cell_before,
                );
            }
            for (row, input) in inputs[step * shape.inputs..][..shape.inputs].iter_mut().enumerate()
            {
                let found = self.input_gradient(shape, row, gates);
                (0..LANES).for_each(|lane| input[lane] += found[lane]);
            }
            for (unit, hidden) in hidden_later.iter_mut().enumerate() {
                *hidden = self.input_gradient(shape, shape.inputs + unit, gates);
            }
        }
        self.add_weight_gradients(shape, &gates, sums);
    }

    /// The gradient of one input of the gates.
    fn input_gradient(&self, shape: &Shape, row: usize, gates: &[[Lanes; GATES]]) -> Lanes {
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

    /// Adds the contribution of this block to the gradients of the weights.
    fn add_weight_gradients(&self, shape: &Shape, gates: &[[Lanes; GATES]], sums: &mut Sums) {
        // Inputs of the gates at each step: the layer inputs and the hidden units of the previous
        // step.
        let mut gate_inputs = vec![ZERO; shape.steps * shape.rows()];
        for (step, before) in steps(shape, self.direction) {
            let gate_inputs = &mut gate_inputs[step * shape.rows()..][..shape.rows()];
            gate_inputs[..shape.inputs]
                .copy_from_slice(&self.inputs[step * shape.inputs..][..shape.inputs]);
            if let Some(before) = before {
                let states = &self.states[before * shape.hidden..][..shape.hidden];
                gate_inputs[shape.inputs..]
                    .iter_mut()
                    .zip(states)
                    .for_each(|(gate_inputs, state)| *gate_inputs = state.hidden);
            }
        }
        for unit in 0..shape.hidden {
            let of_unit = |gates: &'_ [[Lanes; GATES]]| gates[unit];
            for row in 0..shape.rows() {
                let mut sum = sums.rows[unit * shape.rows() + row];
                for (gate_inputs, gates) in
                    gate_inputs.chunks_exact(shape.rows()).zip(gates.chunks_exact(shape.hidden))
                {
                    let (gate_inputs, gates) = (gate_inputs[row], of_unit(gates));
                    for gate in 0..GATES {
                        for lane in 0..LANES {
                            sum[gate][lane] += gates[gate][lane] * gate_inputs[lane];
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

impl UnitState {
    /// The gradients of the gate sums. `cell_later` becomes the gradient of the previous cell
    /// state.
    fn gate_gradients(
        &self,
        output: &Lanes,
        hidden_later: &Lanes,
        cell_later: &mut Lanes,
        cell_before: &Lanes,
    ) -> [Lanes; GATES] {
        let mut gates = [ZERO; GATES];
        for lane in 0..LANES {
            let [enter, forget, out, new] = [0, 1, 2, 3].map(|gate: usize| self.gates[gate][lane]);
            let tanh_cell = self.tanh_cell[lane];
            let hidden = output[lane] + hidden_later[lane];
            let cell = cell_later[lane] + hidden * out * (1.0 - tanh_cell * tanh_cell);
            gates[0][lane] = cell * new * enter * (1.0 - enter);
            gates[1][lane] = cell * cell_before[lane] * forget * (1.0 - forget);
            gates[2][lane] = hidden * tanh_cell * out * (1.0 - out);
            gates[3][lane] = cell * enter * (1.0 - new * new);
            cell_later[lane] = cell * forget;
        }
        gates
    }
}

/// Gradients of the packed weights of one direction of one group, before summing over the lanes.
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

/// Gradients of the weights, in the layout of their tensors.
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

    /// Appends the gradients of the next direction or group.
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

/// Reorders the weights for the loops.
fn pack(shape: &Shape, weights: Weights<Cpu>) -> Vec<Packed> {
    let [kernel, recurrent, bias] = [weights.kernel, weights.recurrent, weights.bias].map(values);
    let width = GATES * shape.hidden;
    let gates = |values: &[f32], row: usize, unit: usize| {
        std::array::from_fn(|gate| values[row * width + gate * shape.hidden + unit])
    };
    let stack = |number: usize| Packed {
        rows: (0..shape.hidden)
            .flat_map(|unit| {
                let input_weights = (0..shape.inputs).map(move |row| (true, row));
                let hidden_weights = (0..shape.hidden).map(move |row| (false, row));
                input_weights.chain(hidden_weights).map(move |place| (unit, place))
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

/// Converts `[groups, batch, columns]` to blocks of eight, `[groups, blocks, columns]`.
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

/// The inverse of [`into_lanes`].
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
    tensor.into_data().into_vec().expect("CPU tensors are f32")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversion_to_lanes_round_trips() {
        // Two groups, nine puzzles, three columns: two blocks each, and the second holds one
        // puzzle.
        let values: Vec<f32> = (1..=54).map(|value| value as f32).collect();
        let lanes = into_lanes(&values, 2, 9, 3);
        assert_eq!(lanes.len(), 2 * 2 * 3);
        assert_eq!(lanes[0], [1.0, 4.0, 7.0, 10.0, 13.0, 16.0, 19.0, 22.0]);
        assert_eq!(lanes[3], [25.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(from_lanes(&lanes, 2, 9, 3), values);
    }
}
