//! Throughput: this is where we measure how fast a network learns.
//!
//! The steps are those of `train`, reading and encoding of examples included. Only one batch is made, and learned again
//! and again: how fast a step is does not depend on what is in it.

use crate::device::{Device, Engine};
use crate::models::ModelConfig;
use crate::training::adam::Adam;
use crate::training::data::{DatasetConfig, Split};
use crate::training::experiment::{Experiment, Stage};
use crate::training::train::{self, TrainError};
use burn::module::{AutodiffModule, Module};
use burn::tensor::Tensor;
use burn::tensor::backend::AutodiffBackend;
use ninefold::random::Random;
use serde::Serialize;
use std::time::{Duration, Instant};

/// What to measure.
pub struct Probe<'a> {
    /// What differs from the default experiment.
    pub changes: Option<&'a str>,
    /// Examples for one step, where it is not the experiment's number.
    pub batch: Option<usize>,
    /// The most steps to measure, after the first.
    pub steps: u64,
    /// The longest time to measure, after the first step.
    pub time: Duration,
    /// Where to compute.
    pub device: Device,
}

/// What was measured.
#[derive(Clone, Debug, Serialize)]
pub struct Throughput {
    /// Parameters of the network.
    pub parameters: usize,
    /// Examples for one step.
    pub batch: usize,
    /// Steps measured.
    pub steps: u64,
    /// Seconds until the first step was done; where kernels are compiled, this is when.
    pub seconds_to_first_step: f64,
    /// Seconds of all steps after it.
    pub seconds: f64,
    /// Examples learned in each of these seconds.
    pub examples_per_second: f64,
}

/// Steps that may run ahead of the clock: a device works through them while the next are prepared.
const STEPS_PER_LOOK: u64 = 10;

/// Takes steps until they or the time are used up.
pub(crate) fn measure<C, B>(
    experiment: &Experiment<C>,
    probe: &Probe<'_>,
) -> Result<Throughput, TrainError>
where
    C: ModelConfig,
    B: AutodiffBackend<InnerBackend: Engine> + Engine,
    C::Network<B>: AutodiffModule<B>,
{
    let batch = probe.batch.unwrap_or(experiment.batch_size).max(1);
    let order = experiment.order()?;
    let device: B::Device = Default::default();
    let dataset = DatasetConfig { train: batch as u64, ..experiment.data.clone() };
    let train_set = dataset.make(order, Split::Train, experiment.seed, 1)?;
    let indices: Vec<usize> = (0..batch).collect();
    let mut network =
        experiment.model.build::<B>(order, &mut Random::new(experiment.seed), &device);
    let parameters = network.num_params();
    let (mut adam, stage) = (Adam::new(), Stage::new(1, 1e-4));
    let mut step = || {
        let (after, loss) = train::train_step(
            &experiment.model,
            network.clone(),
            &mut adam,
            &train_set,
            &indices,
            &stage,
            &device,
        );
        network = after;
        loss
    };
    let started = Instant::now();
    wait_for(step());
    let seconds_to_first_step = started.elapsed().as_secs_f64();
    let started = Instant::now();
    let mut steps = 0;
    while steps < probe.steps && started.elapsed() < probe.time {
        let ahead = STEPS_PER_LOOK.min(probe.steps - steps);
        (1..ahead).for_each(|_| _ = step());
        wait_for(step());
        steps += ahead;
    }
    let seconds = started.elapsed().as_secs_f64();
    let examples_per_second = (steps * batch as u64) as f64 / seconds.max(1e-9);
    Ok(Throughput { parameters, batch, steps, seconds_to_first_step, seconds, examples_per_second })
}

/// A loss that has been read is the end of all work before it; the step's own update may still be on its way.
fn wait_for<B: burn::tensor::backend::Backend>(loss: Tensor<B, 1>) {
    loss.into_data();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    #[test]
    fn as_many_steps_are_measured_as_asked_for() {
        let changes = "boxes = [2, 2]\nbatch_size = 4\nmodel = { filters = 2, wide_filters = 2 }\ndata = { train = 4 }";
        let probe = Probe {
            changes: Some(changes),
            batch: Some(3),
            steps: 13,
            time: Duration::MAX,
            device: Device::Cpu,
        };
        let found = registry::by_name("cnn").unwrap().measure(&probe).unwrap();
        assert_eq!((found.batch, found.steps), (3, 13));
        assert!(found.examples_per_second > 0.0 && found.seconds_to_first_step > 0.0);
        let none = Probe { time: Duration::ZERO, ..probe };
        assert_eq!(registry::by_name("cnn").unwrap().measure(&none).unwrap().steps, 0);
    }
}
