//! Kaleidoscope: Ninefold's network for all grid sizes. The network is implemented in the crate
//! `ninefold-kaleidoscope`, which uses no tensor library; see its documentation for the
//! architecture. This module selects the device, implements the traits of this crate for it, and
//! describes it as an ONNX graph.

pub mod onnx;

use crate::device::Device;
#[cfg(not(feature = "cuda"))]
use crate::device::GpuError;
use crate::inference::predictor::Predictor;
use crate::models::StepOutputs;
use crate::registry::{LoadedModel, ModelError};
use crate::training::checkpoint::{Metadata, Tensors};
use crate::training::metrics::Line;
use crate::training::throughput::{Throughput, ThroughputOptions};
use crate::training::{TrainOptions, TrainOutcome};
use ninefold::grid::{Grid, Order};
pub use ninefold_kaleidoscope::heads::{self, DoubtReport, Heads, HeadsConfig};
use ninefold_kaleidoscope::train as training;
#[cfg(feature = "cuda")]
pub use ninefold_kaleidoscope::train::gpu::{Deviation, compare_with_cpu};
pub use ninefold_kaleidoscope::train::{BatchSolver, Experiment, recipe};
pub use ninefold_kaleidoscope::{
    AUTHORS, Budget, Config, Nodes, PARAMETERS, Prediction, SHIPPED_VARIANT_WEIGHTS,
    SHIPPED_WEIGHTS, Solver,
};

pub(crate) fn train(
    options: &TrainOptions<'_>,
    device: Device,
    report: &mut dyn FnMut(&Line),
) -> Result<TrainOutcome, ModelError> {
    match device {
        Device::Cpu => Ok(training::train(options, report)?),
        #[cfg(feature = "cuda")]
        Device::Gpu => Ok(training::train_on_gpu(options, report)?),
        #[cfg(not(feature = "cuda"))]
        Device::Gpu => Err(GpuError::NotBuilt.into()),
    }
}

pub(crate) fn measure(
    options: &ThroughputOptions<'_>,
    device: Device,
) -> Result<Throughput, ModelError> {
    match device {
        Device::Cpu => Ok(training::measure(options)?),
        #[cfg(feature = "cuda")]
        Device::Gpu => Ok(training::measure_on_gpu(options)?),
        #[cfg(not(feature = "cuda"))]
        Device::Gpu => Err(GpuError::NotBuilt.into()),
    }
}

pub(crate) fn load(
    metadata: &Metadata,
    tensors: &Tensors,
    device: Device,
) -> Result<BatchSolver, ModelError> {
    match device {
        Device::Cpu => Ok(BatchSolver::new(metadata, tensors)?),
        #[cfg(feature = "cuda")]
        Device::Gpu => Ok(BatchSolver::on_gpu(metadata, tensors)?),
        #[cfg(not(feature = "cuda"))]
        Device::Gpu => Err(GpuError::NotBuilt.into()),
    }
}

/// The heads of a file, and the network below them as a predictor. Both use the CPU.
pub(crate) fn load_heads(
    metadata: Metadata,
    tensors: &Tensors,
) -> Result<(Heads, LoadedModel), ModelError> {
    let (heads, solver) = heads::load(&metadata, tensors)?;
    Ok((heads, LoadedModel { predictor: Box::new(solver), metadata }))
}

impl Predictor for BatchSolver {
    fn order(&self) -> Order {
        self.solver().frame().order
    }

    fn batch(&self) -> usize {
        if self.is_on_gpu() { 65_536 } else { 64 }
    }

    fn supports(&self, _order: Order) -> bool {
        true
    }

    fn for_order(&self, order: Order) -> Option<Box<dyn Predictor>> {
        Some(Box::new(self.for_size(order)))
    }

    fn guides_search(&self) -> bool {
        true
    }

    fn supports_rules(&self) -> bool {
        BatchSolver::supports_rules(self)
    }

    fn fill_grids(&self, puzzles: &[Grid]) -> Vec<Vec<u8>> {
        self.solve_grids(puzzles).into_iter().map(|prediction| prediction.digits).collect()
    }

    fn log_probabilities_of_grid(&self, puzzle: &Grid) -> Vec<f32> {
        let prediction = self.solve_grids(std::slice::from_ref(puzzle)).remove(0);
        prediction.log_probabilities
    }

    fn log_probabilities(&self, puzzles: &[&[u8]]) -> Vec<f32> {
        self.solve(puzzles)
            .into_iter()
            .flat_map(|prediction| prediction.log_probabilities)
            .collect()
    }

    /// The iterations of the first start, until the puzzle is solved or the budget is spent.
    fn log_probabilities_each_step(&self, puzzle: &[u8]) -> StepOutputs<'_, Vec<f32>> {
        let solver = self.solver();
        let budget = Budget { starts: 1, ..solver.budget() };
        let iterations = solver.with_budget(budget).solve(&[puzzle])[0].iterations;
        let mut run = solver.run(puzzle);
        run.begin(0);
        Box::new((0..iterations).map(move |_| {
            run.step();
            run.log_probabilities()
        }))
    }
}
