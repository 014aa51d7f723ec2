//! Compares the message passing of a device with the CPU implementation, and measures the time of
//! training steps.

use super::{Config, Model};
use crate::device::{Device, Engine, GpuError, TrainingCpu};
use crate::models::{ModelConfig, Network};
use crate::training::adam::Adam;
use crate::training::losses;
use burn::module::{AutodiffModule, Module, ModuleMapper, ModuleVisitor, Param};
use burn::tensor::backend::AutodiffBackend;
use burn::tensor::{ElementConversion, Tensor, TensorData};
use ninefold::generate;
use ninefold::grid::Order;
use ninefold::random::Random;
use std::collections::BTreeMap;
use std::time::Instant;

/// A measurement of the time per training step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BenchmarkCase {
    /// Recurrent steps.
    pub recurrences: usize,
    /// Puzzles per batch.
    pub batch_size: usize,
    /// Whether messages are 16-bit numbers.
    pub half: bool,
    /// Number of measured training steps, after one warm-up step.
    pub steps: usize,
}

/// Compares the device with the CPU, then measures training steps. Each line of the report is
/// passed to `print` immediately.
pub fn run(
    device: Device,
    cases: &[BenchmarkCase],
    print: &mut dyn FnMut(&str),
) -> Result<(), GpuError> {
    device.check()?;
    match device {
        Device::Cpu => run_on::<TrainingCpu>(&Default::default(), cases, print),
        #[cfg(feature = "cuda")]
        Device::Gpu => {
            run_on::<burn::backend::Autodiff<crate::device::Gpu>>(&Default::default(), cases, print)
        }
        #[cfg(not(feature = "cuda"))]
        Device::Gpu => return Err(GpuError::NotBuilt),
    }
    Ok(())
}

fn run_on<B>(device: &B::Device, cases: &[BenchmarkCase], print: &mut dyn FnMut(&str))
where
    B: AutodiffBackend<InnerBackend: Engine> + Engine,
    Model<B>: AutodiffModule<B, InnerModule = Model<B::InnerBackend>>,
{
    let bits = bits_of_products::<B::InnerBackend>(device);
    print(&format!("matrix products keep {bits} bits of their factors"));
    for config in [Config::paper(), Config::palm(), Config { half: true, ..Config::paper() }] {
        let on_cpu = |kept| {
            gradients::<TrainingCpu>(
                &Config { half: false, ..config.clone() },
                kept,
                &Default::default(),
            )
        };
        let (plain_loss, plain) = on_cpu(f32::MANTISSA_DIGITS);
        let (loss, found) = gradients::<B>(&config, f32::MANTISSA_DIGITS, device);
        let variant = format!("{:?}{}", config.variant, if config.half { ", 16 bits" } else { "" });
        print(&format!("{variant}: loss {loss:.6}, on the CPU {plain_loss:.6}"));
        let relative_error = |other: &Gradients, name: &String| {
            let largest =
                plain[name].iter().fold(1e-9f32, |largest, gradient| largest.max(gradient.abs()));
            other[name].iter().zip(&plain[name]).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
                / largest
        };
        let worst = |a: &&String, b: &&String| {
            relative_error(&found, a).total_cmp(&relative_error(&found, b))
        };
        let place = plain.keys().max_by(worst).expect("the network has weights");
        let size = relative_error(&found, place);
        print(&format!(
            "{variant}: largest gradient error {size:.2e} relative to the largest gradient, in {place}"
        ));
        let rounded = relative_error(&on_cpu(bits).1, place);
        print(&format!("{variant}: on the CPU with weights rounded to {bits} bits: {rounded:.2e}"));
    }
    print(
        "recurrences  batch  bits  first step s  step ms  examples per second  inferences per second",
    );
    for case in cases {
        let [first, mean, answer] = time::<B>(case, device);
        print(&format!(
            "{:>11}  {:>5}  {:>4}  {first:>12.2}  {:>7.1}  {:>19.1}  {:>18.1}",
            case.recurrences,
            case.batch_size,
            if case.half { 16 } else { 32 },
            1e3 * mean,
            case.batch_size as f64 / mean,
            case.batch_size as f64 / answer
        ));
    }
}

/// The number of bits of their factors that products on this device keep: 24 for 32-bit floats, 11
/// for example with TF32.
fn bits_of_products<B: Engine>(device: &B::Device) -> u32 {
    let width = Config::paper().hidden;
    let keeps = |bits: &u32| {
        // 1 plus the last of these bits, multiplied by 1.
        let fine: Tensor<B, 3> =
            Tensor::full([1, width, width], 1.0 + 0.5f32.powi(*bits as i32 - 1), device);
        let product = fine.clone().matmul(Tensor::<B, 2>::eye(width, device).unsqueeze());
        (product - fine).abs().max().into_scalar().elem::<f32>() == 0.0
    };
    (2..=f32::MANTISSA_DIGITS).rev().find(keeps).unwrap_or(1)
}

/// Gradients by the name of the weights.
type Gradients = BTreeMap<String, Vec<f32>>;

/// Loss and gradients of an untrained network on a few puzzles, with its weights rounded to this
/// many bits.
fn gradients<B: AutodiffBackend + Engine>(
    config: &Config,
    bits: u32,
    device: &B::Device,
) -> (f32, Gradients) {
    struct Round(u32);
    impl<B: AutodiffBackend> ModuleMapper<B> for Round {
        fn map_float<const D: usize>(&mut self, param: Param<Tensor<B, D>>) -> Param<Tensor<B, D>> {
            let unit = 0.5f32.powi(self.0 as i32);
            param.map(|weights| {
                let weights = weights.inner();
                let data = weights.to_data().convert::<f32>();
                let rounded: Vec<f32> =
                    data.iter::<f32>().map(|weight| rounded_by(weight, unit)).collect();
                let shape = data.shape;
                Tensor::from_inner(Tensor::from_data(
                    TensorData::new(rounded, shape),
                    &weights.device(),
                ))
                .require_grad()
            })
        }
    }
    struct Collect<'a, B: AutodiffBackend> {
        gradients: &'a B::Gradients,
        path: Vec<String>,
        found: Gradients,
    }
    impl<B: AutodiffBackend> ModuleVisitor<B> for Collect<'_, B> {
        fn enter_module(&mut self, name: &str, _container: &str) {
            self.path.push(name.to_string());
        }

        fn exit_module(&mut self, _name: &str, _container: &str) {
            self.path.pop();
        }

        fn visit_float<const D: usize>(&mut self, param: &Param<Tensor<B, D>>) {
            if let Some(gradient) = param.val().grad(self.gradients) {
                let values = gradient
                    .into_data()
                    .convert::<f32>()
                    .into_vec()
                    .expect("the data was just converted to f32");
                self.found.insert(self.path.join("."), values);
            }
        }
    }
    let network: Model<B> =
        config.build(Order::NINE, &mut Random::new(1), device).map(&mut Round(bits));
    let [board, solutions] = batch::<B>(config, 3, device);
    let loss = network.loss_after(board, solutions, Some(3));
    let gradients = loss.backward();
    let mut collect = Collect { gradients: &gradients, path: Vec::new(), found: BTreeMap::new() };
    network.visit(&mut collect);
    (loss.into_scalar().elem(), collect.found)
}

/// Rounds the mantissa to multiples of `unit`.
fn rounded_by(number: f32, unit: f32) -> f32 {
    if number == 0.0 {
        return 0.0;
    }
    let scale = unit * 2f32.powi(number.abs().log2().floor() as i32 + 1);
    (number / scale).round() * scale
}

/// Times in seconds: the first training step, the mean of the others, and the mean of inference.
fn time<B>(case: &BenchmarkCase, device: &B::Device) -> [f64; 3]
where
    B: AutodiffBackend<InnerBackend: Engine> + Engine,
    Model<B>: AutodiffModule<B, InnerModule = Model<B::InnerBackend>>,
{
    let config = Config { half: case.half, ..Config::paper() };
    let mut network: Model<B> = config.build(Order::NINE, &mut Random::new(1), device);
    let mut adam = Adam::new();
    let [board, solutions] = batch::<B>(&config, case.batch_size, device);
    let mut learn = |times: usize| {
        let started = Instant::now();
        let mut last = None;
        for _ in 0..times {
            let loss = network.loss_after(board.clone(), solutions.clone(), Some(case.recurrences));
            network = adam.step(network.clone(), &loss.backward(), 1e-4);
            last = Some(loss);
        }
        // The device runs asynchronously; reading a value waits for it.
        let weight: f64 = network.answer.bias.val().sum().into_scalar().elem();
        assert!(weight.is_finite() && last.is_some());
        started.elapsed().as_secs_f64()
    };
    let times = case.steps.max(1);
    let first = learn(1);
    let mean = learn(times) / times as f64;
    let inference = network.valid();
    let answer = |times: usize| {
        let started = Instant::now();
        for _ in 0..times {
            let last = inference
                .hidden_states(board.clone().inner(), case.recurrences)
                .last()
                .expect("steps must be positive");
            // Include the transfer of the result.
            assert!(inference.digits_of(last).into_data().iter::<f32>().all(f32::is_finite));
        }
        started.elapsed().as_secs_f64()
    };
    answer(1);
    [first, mean, answer(times) / times as f64]
}

fn batch<B: Engine>(config: &Config, count: usize, device: &B::Device) -> [Tensor<B, 3>; 2] {
    let examples: Vec<[Vec<u8>; 2]> = (0..count.min(8) as u64)
        .map(|index| generate::kocherzhenko(Order::NINE, 3, 1, index))
        .map(|examples| {
            [examples.puzzle.numbers().collect(), examples.solution.numbers().collect()]
        })
        .collect();
    // Generating more than eight puzzles would take longer than the measurement.
    let all: Vec<&[Vec<u8>; 2]> = examples.iter().cycle().take(count).collect();
    let puzzles = all.iter().map(|example| &example[0][..]);
    let solutions = all.iter().map(|example| &example[1][..]);
    [
        config.encoding().batch(Order::NINE, puzzles, device),
        losses::targets(Order::NINE, solutions, device),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpu_agrees_with_itself() {
        let mut lines = Vec::new();
        let case = BenchmarkCase { recurrences: 1, batch_size: 1, half: false, steps: 1 };
        run(Device::Cpu, &[case], &mut |line| lines.push(line.to_string())).unwrap();
        assert_eq!(lines.len(), 1 + 3 * 3 + 2, "{lines:?}");
        assert_eq!(lines[0], "matrix products keep 24 bits of their factors");
        assert!(lines[2].contains("error 0.00e0"), "{}", lines[2]);
        assert!(lines[3].ends_with("rounded to 24 bits: 0.00e0"), "{}", lines[3]);
        assert!(lines[11].trim_start().starts_with('1'), "{}", lines[11]);
    }

    #[test]
    fn values_are_rounded_to_their_leading_bits() {
        let to_bits = |number, bits: i32| rounded_by(number, 0.5f32.powi(bits));
        assert_eq!(to_bits(5.0 / 8.0, 2), 0.75, "0.101 in binary; halves are rounded up");
        assert_eq!((to_bits(-9.0, 3), to_bits(-9.0, 4), to_bits(0.0, 3)), (-10.0, -9.0, 0.0));
        assert_eq!(to_bits(1.0 / 3.0, 24), 1.0 / 3.0);
    }
}
