//! The experiment: all settings of a training run.

use crate::{Config, HEAD_WIDTH};
use ninefold::grid::Order;
use ninefold_checkpoint::quantise::Precision;
use ninefold_training::ExperimentError;
use ninefold_training::data::{DatasetConfig, Source, VariantSource};
use ninefold_training::experiment::{order_of, to_toml, with_changes};
use ninefold_training::memory::{self, NetworkSize};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// All settings of a run. The same settings always give the same weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// Rows and columns of a box, for the default grid size. The weights support all sizes.
    pub boxes: [usize; 2],
    /// The seed of all random numbers.
    pub seed: u64,
    /// 9×9 puzzles in a batch. Batches of other sizes have about as many candidates.
    pub batch_size: usize,
    /// Optimizer steps, one per segment.
    pub steps: u64,
    /// Iterations in a segment. Gradients do not cross segments.
    pub iterations: usize,
    /// Iterations from one loss to the next. The last loss of a segment is that of its last
    /// iteration.
    pub iterations_per_loss: usize,
    /// A puzzle is replaced after this many segments.
    pub max_carry_steps: usize,
    /// The probability that a solved puzzle is replaced after a segment.
    pub replace_solved: f64,
    /// The maximum learning rate.
    pub learning_rate: f64,
    /// Steps in which the learning rate increases linearly; then it follows a cosine.
    pub warm_up_steps: u64,
    /// The final learning rate, as a fraction of the maximum.
    pub final_learning_rate: f64,
    /// The weight decay of AdamW.
    pub weight_decay: f64,
    /// Clips the global gradient norm to this value.
    pub max_grad_norm: f64,
    /// The decay of the exponential moving average of the weights. The trained weights are this
    /// average.
    pub ema_decay: f64,
    /// The precision of the trained weights.
    pub weights: Precision,
    /// The settings of the network.
    pub model: Config,
    /// The test set for evaluations without a list.
    pub data: DatasetConfig,
    /// The training puzzles.
    pub sources: Vec<PuzzleSource>,
    /// Evaluations during training.
    pub evaluation: EvaluationConfig,
    /// A file with initial weights.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial_weights: Option<PathBuf>,
    /// Gives all members of a group equal attention weights: an ablation.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pooling: bool,
}

/// A source of training puzzles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PuzzleSource {
    /// Rows and columns of a box; `[1, n]` is an n×n grid without boxes, for jigsaws.
    pub boxes: [usize; 2],
    /// Files with puzzles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lists: Vec<PathBuf>,
    /// The number of minimal puzzles to generate before the run.
    #[serde(default)]
    pub generated: usize,
    /// Variants to generate before the run, for a network with rules.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variants: Option<VariantSource>,
    /// The share of this source at the start and at the end of the run.
    pub share: [f64; 2],
    /// The probability that a puzzle gets additional digits of its solution, in up to 35 % of the
    /// cells.
    #[serde(default)]
    pub reveal: f64,
}

impl PuzzleSource {
    /// The grid size.
    pub(super) fn order(&self) -> Result<Order, ExperimentError> {
        match self.boxes {
            [1, side] => Order::without_boxes(side)
                .map_err(|_| ExperimentError::Invalid(format!("sources: no grid has side {side}"))),
            boxes => order_of(boxes),
        }
    }
}

/// Evaluations during training: the accuracy on lists of puzzles.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvaluationConfig {
    /// Steps between two evaluations; 0 for one at the end only.
    pub steps_between: u64,
    /// Files with puzzles.
    pub lists: Vec<PathBuf>,
    /// Rows and columns of a box for each list. A network with rules needs none.
    pub boxes: Vec<[usize; 2]>,
    /// The maximum number of puzzles per list.
    pub puzzles: usize,
    /// The accuracy is measured after these numbers of iterations.
    pub iterations: Vec<usize>,
    /// The maximum number of starts until a puzzle is solved; 0 omits this measurement.
    #[serde(default)]
    pub starts: usize,
}

/// The recipe: generated minimal puzzles of 4×4, 6×6 and 9×9. Experiments in
/// `experiments/kaleidoscope` add lists of harder puzzles.
pub fn recipe() -> Experiment {
    let source = |boxes, generated, share| PuzzleSource {
        boxes,
        lists: Vec::new(),
        generated,
        variants: None,
        share: [share, share],
        reveal: 0.2,
    };
    Experiment {
        boxes: [3, 3],
        seed: 1,
        batch_size: 512,
        steps: 20_000,
        iterations: 4,
        iterations_per_loss: 2,
        max_carry_steps: 8,
        replace_solved: 0.55,
        learning_rate: 2e-3,
        warm_up_steps: 200,
        final_learning_rate: 0.05,
        weight_decay: 0.01,
        max_grad_norm: 1.0,
        ema_decay: 0.999,
        weights: Precision::F32,
        model: Config::default(),
        data: DatasetConfig { test: 1_000, ..DatasetConfig::new(Source::Minimal) },
        sources: vec![
            source([2, 2], 5_000, 0.05),
            source([2, 3], 5_000, 0.05),
            source([3, 3], 20_000, 0.9),
        ],
        evaluation: EvaluationConfig {
            steps_between: 0,
            lists: Vec::new(),
            boxes: Vec::new(),
            puzzles: 1_000,
            iterations: vec![16, 64],
            starts: 0,
        },
        initial_weights: None,
        pooling: false,
    }
}

/// The largest numbers of iterations and starts in an evaluation, which cannot be interrupted.
const MAX_ITERATIONS: usize = 100_000;

impl Experiment {
    /// Rejects numbers that would need too much memory, or years.
    fn check_sizes(&self, order: Order) -> Result<(), ExperimentError> {
        let EvaluationConfig { iterations, starts, .. } = &self.evaluation;
        if iterations.iter().chain([starts]).any(|&number| number > MAX_ITERATIONS) {
            let reason = format!("evaluation: iterations and starts are at most {MAX_ITERATIONS}");
            return Err(ExperimentError::Invalid(reason));
        }
        let generated: usize = self.sources.iter().map(|source| source.generated).sum();
        let Config { width, heads, blocks, expansion, .. } = self.model;
        let [width, heads, blocks, expansion] =
            [width, heads, blocks, expansion].map(|number| number as f64);
        let parameters =
            blocks * width * (4.0 * HEAD_WIDTH as f64 * heads + 3.0 * expansion * width);
        // A 9×9 puzzle has more than 150 open candidates, which are the nodes of the graph.
        let activations = self.iterations as f64 * blocks * 150.0 * width;
        let examples = 2.0 * order.cell_count() as f64 * generated as f64;
        let network = NetworkSize::new(parameters, activations);
        memory::check(network.training_bytes(self.batch_size) + examples)
    }

    /// This experiment with the changes of a TOML text.
    pub fn with(&self, changes: &str) -> Result<Experiment, ExperimentError> {
        let experiment: Experiment = with_changes(self, changes)?;
        experiment.check()?;
        Ok(experiment)
    }

    /// The complete experiment as TOML.
    pub fn to_toml(&self) -> String {
        to_toml(self)
    }

    /// Checks that the experiment can be run.
    pub fn check(&self) -> Result<(), ExperimentError> {
        let invalid = |reason: &str| Err(ExperimentError::Invalid(reason.to_string()));
        self.model.check().map_err(ExperimentError::Invalid)?;
        for source in &self.sources {
            let order = source.order()?;
            if let Some(variants) = &source.variants {
                if !self.model.rules {
                    return invalid("sources: variants need a model with rules = true");
                }
                variants.options(order).map_err(ExperimentError::Invalid)?;
            }
        }
        for &boxes in &self.evaluation.boxes {
            order_of(boxes)?;
        }
        let order = order_of(self.boxes)?;
        self.check_sizes(order)?;
        if self.batch_size == 0
            || self.iterations == 0
            || self.iterations_per_loss == 0
            || self.max_carry_steps == 0
        {
            return invalid(
                "batch_size, iterations, iterations_per_loss and max_carry_steps must be at least 1",
            );
        }
        let is_empty = |source: &PuzzleSource| {
            source.lists.is_empty() && source.generated == 0 && source.variants.is_none()
        };
        if self.sources.iter().any(is_empty) {
            return invalid("sources: a source needs lists or a number of puzzles to generate");
        }
        let shares = |at: usize| self.sources.iter().map(|source| source.share[at]).sum::<f64>();
        if shares(0) <= 0.0
            || shares(1) <= 0.0
            || self.sources.iter().any(|source| source.share.iter().any(|&s| s < 0.0))
        {
            return invalid("sources: shares must not be negative, and not all 0");
        }
        if !self.model.rules && self.evaluation.lists.len() != self.evaluation.boxes.len() {
            return invalid("evaluation: boxes are needed for each list");
        }
        if self.evaluation.iterations.is_empty() || self.evaluation.iterations.contains(&0) {
            return invalid("evaluation: iterations must be at least 1");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_apply_on_top_of_the_recipe() {
        let changed = recipe()
            .with("batch_size = 8\n[model]\nwidth = 32\n[evaluation]\nsteps_between = 7\n")
            .unwrap();
        assert_eq!(
            (changed.batch_size, changed.model.width, changed.evaluation.steps_between),
            (8, 32, 7)
        );
        assert_eq!(changed.model.heads, 4);
        assert_eq!(recipe().with(&recipe().to_toml()).unwrap(), recipe());
        assert_eq!(
            recipe().with("minutes_per_checkpoint = 4.0").unwrap(),
            recipe(),
            "a retired setting"
        );
    }

    #[test]
    fn old_names_of_settings_are_accepted() {
        let old = "leave = 0.5\nfinal_rate = 0.1\nmean_decay = 0.9\n[exams]\nsteps = 7\n";
        let experiment = recipe().with(old).unwrap();
        assert_eq!((experiment.replace_solved, experiment.final_learning_rate), (0.5, 0.1));
        assert_eq!((experiment.ema_decay, experiment.evaluation.steps_between), (0.9, 7));
    }

    #[test]
    fn invalid_experiments_are_rejected_with_a_reason() {
        for (changes, word) in [
            ("wings = 2", "wings"),
            ("[model]\nwidth = 33", "multiple of 16"),
            ("sources = []", "shares"),
            ("sources = [{ boxes = [3, 3], share = [1.0, 1.0] }]", "generate"),
            ("batch_size = 0", "at least 1"),
            ("[model]\nblocks = 9223372036854775807", "expected a number up to"),
            ("[model]\nblocks = 9000", "at most 64"),
            ("batch_size = 4000000000", "GiB of memory"),
            ("iterations = 4000000000", "GiB of memory"),
            ("[evaluation]\niterations = [4000000000]", "at most 100000"),
            (
                "sources = [{ boxes = [3, 3], generated = 1000000000000, share = [1.0, 1.0] }]",
                "GiB of memory",
            ),
            ("[evaluation]\nlists = [\"a\"]", "boxes"),
        ] {
            let error = recipe().with(changes).unwrap_err().to_string();
            assert!(error.contains(word), "{error}");
        }
    }
}
