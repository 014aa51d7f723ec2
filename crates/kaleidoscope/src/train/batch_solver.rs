//! Solving many puzzles at once: on all cores or on the GPU.

use crate::{Budget, CheckpointError, Prediction, Solver};
#[cfg(feature = "cuda")]
use crate::{parameters::Spans, train::segment::Network};
use ninefold::grid::{Grid, Order};
use ninefold_checkpoint::{Metadata, Tensors};
use ninefold_training::data::Examples;
use ninefold_training::parallel;
#[cfg(feature = "cuda")]
use ninefold_training::{ExperimentError, TrainError};
#[cfg(feature = "cuda")]
use std::sync::Arc;

/// The network for batches of puzzles of one size.
#[derive(Clone, Debug)]
pub struct BatchSolver {
    solver: Solver,
    /// The network for puzzles with other rules.
    variants: Option<Solver>,
    /// The parameters, if the GPU solves.
    #[cfg(feature = "cuda")]
    gpu_parameters: Option<Arc<[f32]>>,
}

impl BatchSolver {
    /// The network of a file, for the size in its metadata, on all cores.
    pub fn new(metadata: &Metadata, tensors: &Tensors) -> Result<BatchSolver, CheckpointError> {
        // The complete experiment must be valid, not only the settings of the network.
        ninefold_training::experiment::from_metadata::<super::Experiment>(metadata)?;
        Ok(BatchSolver::from(Solver::new(metadata, tensors)?))
    }

    /// The same with another network for puzzles with rules, which is for the CPU only.
    #[must_use]
    pub fn with_variants(self, variants: Solver) -> BatchSolver {
        BatchSolver { variants: Some(variants), ..self }
    }

    /// Whether it solves puzzles with rules other than the classic ones. The GPU does not.
    pub fn supports_rules(&self) -> bool {
        self.variants.is_some() && !self.is_on_gpu()
    }

    /// Solves puzzles with any rules, each on one core.
    ///
    /// # Panics
    ///
    /// If it does not [support rules](BatchSolver::supports_rules).
    pub fn solve_grids(&self, puzzles: &[Grid]) -> Vec<Prediction> {
        let variants = self.variants.as_ref().expect("the network supports rules");
        let solver = variants.with_budget(self.solver.budget());
        let solve = |puzzle: &Grid| solver.solve_grids(std::slice::from_ref(puzzle)).remove(0);
        parallel::map(puzzles, solve)
    }

    /// The network of a file, for the size in its metadata, on the first NVIDIA GPU.
    #[cfg(feature = "cuda")]
    pub fn on_gpu(metadata: &Metadata, tensors: &Tensors) -> Result<BatchSolver, TrainError> {
        let BatchSolver { solver, variants, .. } = BatchSolver::new(metadata, tensors)?;
        super::gpu::GpuKernels::check(solver.config())?;
        if solver.config().rules {
            let reason =
                "a network for all rules is trained on the GPU, but solves on the CPU only";
            return Err(ExperimentError::Invalid(reason.to_string()).into());
        }
        let parameters = Spans::new(solver.config()).read("", tensors)?;
        Ok(BatchSolver { solver, variants, gpu_parameters: Some(parameters.into()) })
    }

    /// The network for single puzzles.
    pub fn solver(&self) -> &Solver {
        &self.solver
    }

    /// Whether the GPU solves.
    pub fn is_on_gpu(&self) -> bool {
        #[cfg(feature = "cuda")]
        return self.gpu_parameters.is_some();
        #[cfg(not(feature = "cuda"))]
        false
    }

    fn with_solver(&self, solver: Solver) -> BatchSolver {
        let mut changed = self.clone();
        changed.solver = solver;
        changed
    }

    /// The same network for puzzles of this size.
    #[must_use]
    pub fn for_size(&self, order: Order) -> BatchSolver {
        self.with_solver(self.solver.for_size(order))
    }

    /// The same network with another budget.
    #[must_use]
    pub fn with_budget(&self, budget: Budget) -> BatchSolver {
        self.with_solver(self.solver.with_budget(budget))
    }

    /// Solves puzzles with a number per cell, 0 for an empty one.
    ///
    /// # Panics
    ///
    /// If a puzzle has another size.
    pub fn solve(&self, puzzles: &[&[u8]]) -> Vec<Prediction> {
        #[cfg(feature = "cuda")]
        if let Some(predictions) = self.solve_on_gpu(puzzles, true) {
            return predictions;
        }
        self.solve_on_cpu(puzzles)
    }

    /// Like [`solve`](BatchSolver::solve), but the probabilities of solved puzzles may be empty,
    /// which saves copies from the GPU.
    ///
    /// # Panics
    ///
    /// If a puzzle has another size.
    pub fn solve_without_probabilities(&self, puzzles: &[&[u8]]) -> Vec<Prediction> {
        #[cfg(feature = "cuda")]
        if let Some(predictions) = self.solve_on_gpu(puzzles, false) {
            return predictions;
        }
        self.solve_on_cpu(puzzles)
    }

    #[cfg(feature = "cuda")]
    fn solve_on_gpu(
        &self,
        puzzles: &[&[u8]],
        probabilities_of_solved: bool,
    ) -> Option<Vec<Prediction>> {
        let solver = super::gpu::solver::GpuSolver {
            config: self.solver.config(),
            parameters: self.gpu_parameters.as_ref()?,
            frame: self.solver.frame(),
            budget: self.solver.budget(),
            probabilities_of_solved,
        };
        Some(solver.solve(puzzles))
    }

    fn solve_on_cpu(&self, puzzles: &[&[u8]]) -> Vec<Prediction> {
        // Small shares, because a thread works on a share until all of its puzzles are done.
        let shares: Vec<&[&[u8]]> =
            puzzles.chunks(puzzles.len().div_ceil(16).clamp(1, 32)).collect();
        parallel::map(&shares, |share| self.solver.solve(share)).into_iter().flatten().collect()
    }

    /// Which examples have the digits of their solution after exactly this many iterations of the
    /// first start, for each of these numbers in increasing order.
    ///
    /// # Panics
    ///
    /// If the examples have another size.
    pub fn correct_after(&self, examples: &Examples, iterations: &[usize]) -> Vec<Vec<bool>> {
        #[cfg(feature = "cuda")]
        if let Some(parameters) = &self.gpu_parameters {
            use super::{evaluation, gpu::GpuKernels, kernels::Kernels};
            let config = self.solver.config();
            let mut network = Network::new(config, GpuKernels::for_inference(config));
            network.kernels.set_parameters(parameters);
            let problems = evaluation::Problems::classic(examples, config);
            return evaluation::first_start(&mut network, &problems, iterations).correct;
        }
        let all: Vec<usize> = (0..examples.len()).collect();
        let correct = parallel::map(&all, |&index| {
            let mut run = self.solver.run(examples.puzzle(index));
            run.begin(0);
            let mut done = 0;
            let mut is_correct_after = |&count: &usize| {
                (done..count).for_each(|_| run.step());
                done = done.max(count);
                run.digits() == examples.solution(index)
            };
            iterations.iter().map(&mut is_correct_after).collect::<Vec<bool>>()
        });
        (0..iterations.len())
            .map(|place| correct.iter().map(|correct| correct[place]).collect())
            .collect()
    }
}

/// On all cores.
impl From<Solver> for BatchSolver {
    fn from(solver: Solver) -> BatchSolver {
        BatchSolver {
            variants: solver.config().rules.then(|| solver.clone()),
            solver,
            #[cfg(feature = "cuda")]
            gpu_parameters: None,
        }
    }
}
