//! GPU kernels of LSTM cells: one thread per value of each node, `[batch, nodes, width]`.

use super::LstmCell;
use crate::device::Gpu;
use crate::ops::cuda::{Rows, empty, from_kernel, launch, to_kernel};
use burn::tensor::DType;
use cubecl::prelude::*;

#[cube]
fn sigmoid(value: f32) -> f32 {
    1.0f32 / (1.0f32 + f32::exp(-value))
}

#[cube(launch)]
fn cell_state(
    gates: &Tensor<f32>,
    old: &Tensor<f32>,
    new: &mut Tensor<f32>,
    threads: u32,
    #[comptime] width: usize,
) {
    let thread = ABSOLUTE_POS;
    if thread >= threads as usize {
        terminate!();
    }
    let channel = thread % width;
    let row = thread / width;
    let start = row * gates.stride(1) + channel;
    let input = sigmoid(gates[start]);
    let forget = sigmoid(gates[start + width]);
    let value = f32::tanh(gates[start + 2 * width]);
    new[row * new.stride(1) + channel] =
        forget * old[row * old.stride(1) + channel] + input * value;
}

#[cube(launch)]
fn cell_state_backward(
    gates: &Tensor<f32>,
    old: &Tensor<f32>,
    gradient: &Tensor<f32>,
    for_gates: &mut Tensor<f32>,
    for_old: &mut Tensor<f32>,
    threads: u32,
    #[comptime] width: usize,
) {
    let thread = ABSOLUTE_POS;
    if thread >= threads as usize {
        terminate!();
    }
    let channel = thread % width;
    let row = thread / width;
    let start = row * gates.stride(1) + channel;
    let input = sigmoid(gates[start]);
    let forget = sigmoid(gates[start + width]);
    let value = f32::tanh(gates[start + 2 * width]);
    let before = old[row * old.stride(1) + channel];
    let slope = gradient[row * gradient.stride(1) + channel];
    let place = row * for_gates.stride(1) + channel;
    for_gates[place] = slope * value * input * (1.0f32 - input);
    for_gates[place + width] = slope * before * forget * (1.0f32 - forget);
    for_gates[place + 2 * width] = slope * input * (1.0f32 - value * value);
    for_gates[place + 3 * width] = 0.0f32;
    for_old[row * for_old.stride(1) + channel] = slope * forget;
}

#[cube(launch)]
fn hidden_state(
    gates: &Tensor<f32>,
    cell: &Tensor<f32>,
    new: &mut Tensor<f32>,
    threads: u32,
    #[comptime] width: usize,
) {
    let thread = ABSOLUTE_POS;
    if thread >= threads as usize {
        terminate!();
    }
    let channel = thread % width;
    let row = thread / width;
    let output = sigmoid(gates[row * gates.stride(1) + 3 * width + channel]);
    new[row * new.stride(1) + channel] = output * f32::tanh(cell[row * cell.stride(1) + channel]);
}

#[cube(launch)]
fn hidden_state_backward(
    gates: &Tensor<f32>,
    cell: &Tensor<f32>,
    gradient: &Tensor<f32>,
    for_gates: &mut Tensor<f32>,
    for_cell: &mut Tensor<f32>,
    threads: u32,
    #[comptime] width: usize,
) {
    let thread = ABSOLUTE_POS;
    if thread >= threads as usize {
        terminate!();
    }
    let channel = thread % width;
    let row = thread / width;
    let output = sigmoid(gates[row * gates.stride(1) + 3 * width + channel]);
    let tanh_cell = f32::tanh(cell[row * cell.stride(1) + channel]);
    let slope = gradient[row * gradient.stride(1) + channel];
    let place = row * for_gates.stride(1) + channel;
    for_gates[place] = 0.0f32;
    for_gates[place + width] = 0.0f32;
    for_gates[place + 2 * width] = 0.0f32;
    for_gates[place + 3 * width] = slope * tanh_cell * output * (1.0f32 - output);
    for_cell[row * for_cell.stride(1) + channel] =
        slope * output * (1.0f32 - tanh_cell * tanh_cell);
}

impl LstmCell for Gpu {
    fn cell_state(gates: Rows<3>, old: Rows<3>) -> Rows<3> {
        let ([batch, nodes, width], gates, old) = (old.dims(), to_kernel(&gates), to_kernel(&old));
        let new = empty(&old, [batch, nodes, width], DType::F32);
        launch!(cell_state, batch * nodes, width, [gates, old] => [new], width);
        from_kernel(new)
    }

    fn hidden_state(gates: Rows<3>, cell: Rows<3>) -> Rows<3> {
        let ([batch, nodes, width], gates, cell) =
            (cell.dims(), to_kernel(&gates), to_kernel(&cell));
        let new = empty(&cell, [batch, nodes, width], DType::F32);
        launch!(hidden_state, batch * nodes, width, [gates, cell] => [new], width);
        from_kernel(new)
    }

    fn cell_state_backward(gates: Rows<3>, old: Rows<3>, gradient: Rows<3>) -> [Rows<3>; 2] {
        let [batch, nodes, width] = old.dims();
        let (gates, old, gradient) = (to_kernel(&gates), to_kernel(&old), to_kernel(&gradient));
        let [for_gates, for_old] =
            [4, 1].map(|times| empty(&old, [batch, nodes, times * width], DType::F32));
        launch!(cell_state_backward, batch * nodes, width, [gates, old, gradient] => [for_gates, for_old], width);
        [from_kernel(for_gates), from_kernel(for_old)]
    }

    fn hidden_state_backward(gates: Rows<3>, cell: Rows<3>, gradient: Rows<3>) -> [Rows<3>; 2] {
        let [batch, nodes, width] = cell.dims();
        let (gates, cell, gradient) = (to_kernel(&gates), to_kernel(&cell), to_kernel(&gradient));
        let [for_gates, for_cell] =
            [4, 1].map(|times| empty(&cell, [batch, nodes, times * width], DType::F32));
        launch!(hidden_state_backward, batch * nodes, width, [gates, cell, gradient] => [for_gates, for_cell], width);
        [from_kernel(for_gates), from_kernel(for_cell)]
    }
}
