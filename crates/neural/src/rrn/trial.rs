//! A trial of message passing on a device: does it compute what the plain form computes, and how fast?

use super::{Rrn, RrnNetwork};
use crate::adam::Adam;
use crate::design::{Design, Network};
use crate::device::{Device, Engine, NoGpu, TrainingCpu};
use crate::losses;
use burn::module::{AutodiffModule, Module, ModuleVisitor, Param};
use burn::tensor::backend::AutodiffBackend;
use burn::tensor::{ElementConversion, Tensor};
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
        Device::Gpu => on::<burn::backend::Autodiff<crate::device::Gpu>>(&Default::default(), paces, tell),
        #[cfg(not(feature = "cuda"))]
        Device::Gpu => return Err(NoGpu::NotBuilt),
    }
    Ok(())
}

fn on<B>(device: &B::Device, paces: &[Pace], tell: &mut dyn FnMut(&str))
where
    B: AutodiffBackend<InnerBackend: Engine> + Engine,
    RrnNetwork<B>: AutodiffModule<B, InnerModule = RrnNetwork<B::InnerBackend>>,
{
    for design in [Rrn::paper(), Rrn::palm(), Rrn { half: true, ..Rrn::paper() }] {
        let (plain_loss, plain) = gradients::<TrainingCpu>(&Rrn { half: false, ..design.clone() }, &Default::default());
        let (loss, found) = gradients::<B>(&design, device);
        let reading = format!("{:?}{}", design.reading, if design.half { ", 16 bits" } else { "" });
        tell(&format!("{reading}: loss {loss:.6}, plain {plain_loss:.6}"));
        let (mut worst, mut place) = (0.0, String::new());
        for (name, plain) in &plain {
            let longest = plain.iter().fold(1e-9f32, |longest, gradient| longest.max(gradient.abs()));
            let apart = found[name].iter().zip(plain).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max) / longest;
            if apart.is_nan() || apart > worst {
                (worst, place) = (apart, name.clone());
            }
        }
        tell(&format!("{reading}: gradients differ by {worst:.2e} of the largest one at most, in {place}"));
    }
    tell("recurrences  batch  bits  first step s  step ms  examples per second  answers per second");
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

/// Loss and gradients by name, of a fresh network on a few puzzles.
fn gradients<B: AutodiffBackend + Engine>(design: &Rrn, device: &B::Device) -> (f32, BTreeMap<String, Vec<f32>>) {
    struct Collect<'a, B: AutodiffBackend> {
        gradients: &'a B::Gradients,
        path: Vec<String>,
        found: BTreeMap<String, Vec<f32>>,
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
                let values = gradient.into_data().convert::<f32>().into_vec().expect("the data was just made f32");
                self.found.insert(self.path.join("."), values);
            }
        }
    }
    let network: RrnNetwork<B> = design.build(Order::NINE, &mut Random::new(1), device);
    let [board, solutions] = batch::<B>(design, 3, device);
    let loss = network.loss_after(board, solutions, Some(3));
    let gradients = loss.backward();
    let mut collect = Collect { gradients: &gradients, path: Vec::new(), found: BTreeMap::new() };
    network.visit(&mut collect);
    (loss.into_scalar().elem(), collect.found)
}

/// The time of the first training step, the mean of the others, and the mean of answers without learning, in seconds.
fn time<B>(pace: &Pace, device: &B::Device) -> [f64; 3]
where
    B: AutodiffBackend<InnerBackend: Engine> + Engine,
    RrnNetwork<B>: AutodiffModule<B, InnerModule = RrnNetwork<B::InnerBackend>>,
{
    let design = Rrn { half: pace.half, ..Rrn::paper() };
    let mut network: RrnNetwork<B> = design.build(Order::NINE, &mut Random::new(1), device);
    let mut adam = Adam::new();
    let [board, solutions] = batch::<B>(&design, pace.batch, device);
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
            let last = answering.think(board.clone().inner(), pace.steps).last().expect("there is at least one step");
            // Answers are for people, so they are fetched.
            assert!(answering.digits_of(last).into_data().iter::<f32>().all(f32::is_finite));
        }
        started.elapsed().as_secs_f64()
    };
    answer(1);
    [first, mean, answer(times) / times as f64]
}

fn batch<B: Engine>(design: &Rrn, count: usize, device: &B::Device) -> [Tensor<B, 3>; 2] {
    let made: Vec<[Vec<u8>; 2]> = (0..count.min(8) as u64)
        .map(|index| generate::paper_two(Order::NINE, 3, 1, index))
        .map(|made| [made.puzzle.numbers().collect(), made.solution.numbers().collect()])
        .collect();
    // More than eight would take longer to make than to learn from.
    let all: Vec<&[Vec<u8>; 2]> = made.iter().cycle().take(count).collect();
    let puzzles = all.iter().map(|example| &example[0][..]);
    let solutions = all.iter().map(|example| &example[1][..]);
    [design.encoding().batch(Order::NINE, puzzles, device), losses::targets(Order::NINE, solutions, device)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_agrees_with_itself() {
        let mut lines = Vec::new();
        let pace = Pace { steps: 1, batch: 1, half: false, times: 1 };
        run(Device::Cpu, &[pace], &mut |line| lines.push(line.to_string())).unwrap();
        assert_eq!(lines.len(), 3 * 2 + 2, "{lines:?}");
        assert!(lines[1].contains("differ by 0.00e0"), "{}", lines[1]);
        assert!(lines[7].trim_start().starts_with('1'), "{}", lines[7]);
    }
}
