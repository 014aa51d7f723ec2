//! A trial of message passing on a device: does it compute what the plain form computes, and how fast?

use super::{Config, Model};
use crate::device::{Device, Engine, NoGpu, TrainingCpu};
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

/// A measurement of the time of a training step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pace {
    /// Recurrences.
    pub steps: usize,
    /// Puzzles in a batch.
    pub batch: usize,
    /// Messages as 16-bit numbers.
    pub half: bool,
    /// Steps that are timed, after one that is not.
    pub times: usize,
}

/// Compares with the plain form, then times training steps; each line is handed over when it is known.
pub fn run(device: Device, paces: &[Pace], tell: &mut dyn FnMut(&str)) -> Result<(), NoGpu> {
    device.check()?;
    match device {
        Device::Cpu => on::<TrainingCpu>(&Default::default(), paces, tell),
        #[cfg(feature = "cuda")]
        Device::Gpu => {
            on::<burn::backend::Autodiff<crate::device::Gpu>>(&Default::default(), paces, tell)
        }
        #[cfg(not(feature = "cuda"))]
        Device::Gpu => return Err(NoGpu::NotBuilt),
    }
    Ok(())
}

fn on<B>(device: &B::Device, paces: &[Pace], tell: &mut dyn FnMut(&str))
where
    B: AutodiffBackend<InnerBackend: Engine> + Engine,
    Model<B>: AutodiffModule<B, InnerModule = Model<B::InnerBackend>>,
{
    let bits = bits_of_products::<B::InnerBackend>(device);
    tell(&format!("products keep {bits} bits of their factors"));
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
        let reading = format!("{:?}{}", config.reading, if config.half { ", 16 bits" } else { "" });
        tell(&format!("{reading}: loss {loss:.6}, plain {plain_loss:.6}"));
        let apart = |other: &Gradients, name: &String| {
            let largest =
                plain[name].iter().fold(1e-9f32, |largest, gradient| largest.max(gradient.abs()));
            other[name].iter().zip(&plain[name]).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
                / largest
        };
        let worst = |a: &&String, b: &&String| apart(&found, a).total_cmp(&apart(&found, b));
        let place = plain.keys().max_by(worst).expect("there are weights");
        let size = apart(&found, place);
        tell(&format!(
            "{reading}: gradients differ by {size:.2e} of the largest one at most, in {place}"
        ));
        let rounded = apart(&on_cpu(bits).1, place);
        tell(&format!(
            "{reading}: the plain form with its weights rounded to {bits} bits differs there by {rounded:.2e}"
        ));
    }
    tell(
        "recurrences  batch  bits  first step s  step ms  examples per second  answers per second",
    );
    for pace in paces {
        let [first, mean, answer] = time::<B>(pace, device);
        tell(&format!(
            "{:>11}  {:>5}  {:>4}  {first:>12.2}  {:>7.1}  {:>19.1}  {:>18.1}",
            pace.steps,
            pace.batch,
            if pace.half { 16 } else { 32 },
            1e3 * mean,
            pace.batch as f64 / mean,
            pace.batch as f64 / answer
        ));
    }
}

/// The bits that products on this device keep of their factors: 24 of a number of 32 bits, 11 if it has only those.
fn bits_of_products<B: Engine>(device: &B::Device) -> u32 {
    let width = Config::paper().hidden;
    let keeps = |bits: &u32| {
        // One and the last of these bits, multiplied by one.
        let fine: Tensor<B, 3> =
            Tensor::full([1, width, width], 1.0 + 0.5f32.powi(*bits as i32 - 1), device);
        let product = fine.clone().matmul(Tensor::<B, 2>::eye(width, device).unsqueeze());
        (product - fine).abs().max().into_scalar().elem::<f32>() == 0.0
    };
    (2..=f32::MANTISSA_DIGITS).rev().find(keeps).unwrap_or(1)
}

/// Gradients by the name of the weights.
type Gradients = BTreeMap<String, Vec<f32>>;

/// Loss and gradients of an untrained network on a few puzzles, its weights rounded to this many bits.
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
                    .expect("the data was just made f32");
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

/// A number rounded to the nearest with a mantissa in these units, its leading bit being one.
fn rounded_by(number: f32, unit: f32) -> f32 {
    if number == 0.0 {
        return 0.0;
    }
    let scale = unit * 2f32.powi(number.abs().log2().floor() as i32 + 1);
    (number / scale).round() * scale
}

/// The time of the first training step, the mean of the others, and the mean of answers without learning, in seconds.
fn time<B>(pace: &Pace, device: &B::Device) -> [f64; 3]
where
    B: AutodiffBackend<InnerBackend: Engine> + Engine,
    Model<B>: AutodiffModule<B, InnerModule = Model<B::InnerBackend>>,
{
    let config = Config { half: pace.half, ..Config::paper() };
    let mut network: Model<B> = config.build(Order::NINE, &mut Random::new(1), device);
    let mut adam = Adam::new();
    let [board, solutions] = batch::<B>(&config, pace.batch, device);
    let mut learn = |times: usize| {
        let started = Instant::now();
        let mut last = None;
        for _ in 0..times {
            let loss = network.loss_after(board.clone(), solutions.clone(), Some(pace.steps));
            network = adam.step(network.clone(), &loss.backward(), 1e-4);
            last = Some(loss);
        }
        // The device works on its own; only a number from it shows that it has come so far.
        let weight: f64 = network.answer.bias.val().sum().into_scalar().elem();
        assert!(weight.is_finite() && last.is_some());
        started.elapsed().as_secs_f64()
    };
    let times = pace.times.max(1);
    let first = learn(1);
    let mean = learn(times) / times as f64;
    let answering = network.valid();
    let answer = |times: usize| {
        let started = Instant::now();
        for _ in 0..times {
            let last = answering
                .hidden_states(board.clone().inner(), pace.steps)
                .last()
                .expect("there is at least one step");
            // Answers are for people, so they are fetched.
            assert!(answering.digits_of(last).into_data().iter::<f32>().all(f32::is_finite));
        }
        started.elapsed().as_secs_f64()
    };
    answer(1);
    [first, mean, answer(times) / times as f64]
}

fn batch<B: Engine>(config: &Config, count: usize, device: &B::Device) -> [Tensor<B, 3>; 2] {
    let made: Vec<[Vec<u8>; 2]> = (0..count.min(8) as u64)
        .map(|index| generate::kocherzhenko(Order::NINE, 3, 1, index))
        .map(|made| [made.puzzle.numbers().collect(), made.solution.numbers().collect()])
        .collect();
    // More than eight would take longer to make than to learn from.
    let all: Vec<&[Vec<u8>; 2]> = made.iter().cycle().take(count).collect();
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
    fn the_processor_agrees_with_itself() {
        let mut lines = Vec::new();
        let pace = Pace { steps: 1, batch: 1, half: false, times: 1 };
        run(Device::Cpu, &[pace], &mut |line| lines.push(line.to_string())).unwrap();
        assert_eq!(lines.len(), 1 + 3 * 3 + 2, "{lines:?}");
        assert_eq!(lines[0], "products keep 24 bits of their factors");
        assert!(lines[2].contains("differ by 0.00e0"), "{}", lines[2]);
        assert!(lines[3].ends_with("rounded to 24 bits differs there by 0.00e0"), "{}", lines[3]);
        assert!(lines[11].trim_start().starts_with('1'), "{}", lines[11]);
    }

    #[test]
    fn numbers_are_rounded_to_their_leading_bits() {
        let to_bits = |number, bits: i32| rounded_by(number, 0.5f32.powi(bits));
        assert_eq!(to_bits(5.0 / 8.0, 2), 0.75, "0.101 in binary, and halves are rounded up");
        assert_eq!((to_bits(-9.0, 3), to_bits(-9.0, 4), to_bits(0.0, 3)), (-10.0, -9.0, 0.0));
        assert_eq!(to_bits(1.0 / 3.0, 24), 1.0 / 3.0);
    }
}
