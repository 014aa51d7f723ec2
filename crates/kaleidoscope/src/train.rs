//! Training, and solving with the hardware that training uses.
//!
//! **Method.** Training runs in segments: four iterations of the network, then one optimizer step.
//! A puzzle stays in its batch over several segments: the next segment continues from its states,
//! but the gradient does not cross segments. A solved puzzle is replaced only with some
//! probability, so that the network also learns to keep a solution. The first puzzles are easy,
//! later ones are hard. Some hard puzzles have part of their solution filled in, as a transition.
//!
//! | module | contents |
//! |---|---|
//! | `kernels` | the trait of the operations of the network, with their gradients |
//! | `cpu`, `gpu` | the operations on the CPU and on the GPU |
//! | `segment` | the network and its gradient, made of these operations |
//! | `experiment`, `puzzles`, `optimizer` | the settings, the puzzles and AdamW |
//! | `learner`, `evaluation` | a run: training steps, and the accuracy on lists |
//! | `batch_solver` | inference on all cores or on the GPU |

pub(crate) mod batch_solver;
mod cpu;
mod evaluation;
mod experiment;
#[cfg(feature = "cuda")]
pub mod gpu;
mod kernels;
mod learner;
pub(crate) mod optimizer;
#[cfg(test)]
mod parity;
mod puzzles;
mod segment;
#[cfg(test)]
mod tests;

pub use batch_solver::BatchSolver;
pub use experiment::{EvaluationConfig, Experiment, PuzzleSource, recipe};

use crate::Config;
use cpu::CpuKernels;
#[cfg(feature = "cuda")]
use gpu::GpuKernels;
use kernels::Kernels;
use learner::KaleidoscopeLearner;
use ninefold_training::metrics::Line;
use ninefold_training::stop::Stop;
use ninefold_training::throughput::{self, Throughput, ThroughputOptions};
use ninefold_training::{ExperimentError, TrainError, TrainOptions, TrainOutcome, run};

/// The name of the network in the metadata of its files.
pub const MODEL: &str = "kaleidoscope";

/// Trains on the CPU.
pub fn train(
    options: &TrainOptions<'_>,
    report: &mut dyn FnMut(&Line),
) -> Result<TrainOutcome, TrainError> {
    train_with(options, report, |config| Ok(CpuKernels::new(config)))
}

/// Trains on the first NVIDIA GPU.
#[cfg(feature = "cuda")]
pub fn train_on_gpu(
    options: &TrainOptions<'_>,
    report: &mut dyn FnMut(&Line),
) -> Result<TrainOutcome, TrainError> {
    train_with(options, report, GpuKernels::try_new)
}

/// Measures the speed of training on the CPU.
pub fn measure(options: &ThroughputOptions<'_>) -> Result<Throughput, TrainError> {
    measure_with(options, |config| Ok(CpuKernels::new(config)))
}

/// Measures the speed of training on the first NVIDIA GPU.
#[cfg(feature = "cuda")]
pub fn measure_on_gpu(options: &ThroughputOptions<'_>) -> Result<Throughput, TrainError> {
    measure_with(options, GpuKernels::try_new)
}

fn train_with<K: Kernels>(
    options: &TrainOptions<'_>,
    report: &mut dyn FnMut(&Line),
    kernels: impl FnOnce(&Config) -> Result<K, ExperimentError>,
) -> Result<TrainOutcome, TrainError> {
    let saved = run::saved(MODEL, options)?;
    let experiment =
        ninefold_training::experiment::for_run(recipe(), options.changes, saved.as_ref())?;
    experiment.check()?;
    let kernels = kernels(&experiment.model)?;
    let mut learner = KaleidoscopeLearner::new(experiment, kernels, saved)?;
    run::run(MODEL, options, &mut learner, report)
}

fn measure_with<K: Kernels>(
    options: &ThroughputOptions<'_>,
    kernels: impl FnOnce(&Config) -> Result<K, ExperimentError>,
) -> Result<Throughput, TrainError> {
    let mut experiment = recipe().with(options.changes.unwrap_or_default())?;
    experiment.batch_size = options.batch_size.unwrap_or(experiment.batch_size).max(1);
    let batch = experiment.batch_size;
    let kernels = kernels(&experiment.model)?;
    let mut learner = KaleidoscopeLearner::new(experiment, kernels, None)?;
    run::Learner::load_data(&mut learner, 1, Stop::default())?;
    throughput::measure(options, learner.parameter_count(), batch, 1, |_| learner.take_step())
}
