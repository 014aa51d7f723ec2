//! Training speed of the networks that compute with tensors.
//!
//! The steps are those of training, including the encoding of examples. One batch is made and
//! trained on repeatedly, because the time of a step does not depend on the puzzles.

use crate::device::Engine;
use crate::models::ModelConfig;
use crate::training::adam::Adam;
use crate::training::data::{DatasetConfig, Split};
use crate::training::experiment::{Experiment, Stage};
use crate::training::train;
use burn::module::{AutodiffModule, Module};
use burn::tensor::backend::AutodiffBackend;
use ninefold::random::Random;
pub use ninefold_training::throughput::{Throughput, ThroughputOptions};
use ninefold_training::{TrainError, memory, throughput};

/// Steps between two waits for the device, which works on them while the next ones are prepared.
const STEPS_AT_ONCE: u64 = 10;

/// Measures the training speed of a network.
pub(crate) fn measure<C, B>(
    experiment: &Experiment<C>,
    options: &ThroughputOptions<'_>,
) -> Result<Throughput, TrainError>
where
    C: ModelConfig,
    B: AutodiffBackend<InnerBackend: Engine> + Engine,
    C::Network<B>: AutodiffModule<B>,
{
    let batch = options.batch_size.unwrap_or(experiment.batch_size).max(1);
    let order = experiment.order()?;
    memory::check(Experiment { batch_size: batch, ..experiment.clone() }.bytes(order))?;
    let device: B::Device = Default::default();
    let dataset = DatasetConfig { train: batch as u64, ..experiment.data.clone() };
    let train_set = dataset.load(order, Split::Train, experiment.seed, 1)?;
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
    throughput::measure(options, parameters, batch, STEPS_AT_ONCE, |steps| {
        (1..steps).for_each(|_| _ = step());
        // Reading the loss waits for all earlier work.
        step().into_data();
        Ok(steps * batch as u64)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::device::Device;
    use crate::registry;
    use std::time::Duration;

    #[test]
    fn measures_the_requested_number_of_steps() {
        let changes = "boxes = [2, 2]\nbatch_size = 4\nmodel = { filters = 2, wide_filters = 2 }\ndata = { train = 4 }";
        let mut options = ThroughputOptions::default();
        options.changes = Some(changes);
        (options.batch_size, options.steps, options.time) = (Some(3), 13, Duration::MAX);
        let measure = |options: &ThroughputOptions<'_>| {
            registry::by_name("cnn").unwrap().measure(options, Device::Cpu).unwrap()
        };
        let measured = measure(&options);
        assert_eq!((measured.batch, measured.steps), (3, 13));
        assert!(measured.examples_per_second > 0.0 && measured.seconds_to_first_step > 0.0);
        options.time = Duration::ZERO;
        assert_eq!(measure(&options).steps, 0);
    }
}
