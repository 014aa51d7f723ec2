//! Experiments: all settings of a training run.
//!
//! Every model has a complete experiment, its recipe. An experiment file contains only the settings
//! that differ from the recipe:
//!
//! ```toml
//! batch_size = 512
//!
//! [data]
//! train = 100_000
//! ```

use crate::models::ModelConfig;
pub use crate::training::adam::OptimizerConfig;

use crate::training::data::{DatasetConfig, FOLDS, Source};
use crate::training::grades;
use crate::training::quantise::Precision;
use ninefold::grid::Order;
use ninefold_training::experiment;
pub use ninefold_training::experiment::ExperimentError;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// All settings of a run. The same settings always give the same weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment<C> {
    /// Rows and columns of a box.
    pub boxes: [usize; 2],
    /// The seed of all random numbers.
    pub seed: u64,
    /// Examples in one training step.
    pub batch_size: usize,
    /// Ends a stage when the validation loss has not improved for this many epochs; 0 disables
    /// this.
    pub patience: usize,
    /// Deletes as many cells of the validation puzzles as of the training puzzles.
    pub staged_validation: bool,
    /// Validation puzzles to solve at the end of each stage.
    pub solved_per_stage: usize,
    /// Validation puzzles to solve after each epoch.
    #[serde(default)]
    pub solved_per_epoch: usize,
    /// The precision of the trained weights. Checkpoints are always exact.
    pub weights: Precision,
    /// The settings of the model.
    pub model: C,
    /// The examples.
    pub data: DatasetConfig,
    /// The curriculum: stages in their order.
    pub stages: Vec<Stage>,
    /// Weight decay and gradient clipping.
    #[serde(default, skip_serializing_if = "OptimizerConfig::is_default")]
    pub optimizer: OptimizerConfig,
    /// A file with initial weights. Weights are matched by name; the others are random.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial_weights: Option<PathBuf>,
}

/// The largest number of difficulty grades.
const MAX_GRADES: usize = 100;

/// A part of a run with its own learning rate and examples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// The maximum number of epochs.
    pub epochs: usize,
    /// The learning rate.
    pub learning_rate: f64,
    /// Trains on solutions with this many cells deleted instead of the puzzles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blanks: Option<usize>,
    /// Trains on the puzzles of this difficulty grade, counted from 1. The number of grades is the
    /// highest one of any stage.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grade: Option<usize>,
    /// Recurrent steps in training, if different from the model's setting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recurrences: Option<usize>,
    /// A puzzle stays in the batch, with the state of the network, until it is solved or has been
    /// carried for this many steps. Without a number every step has new puzzles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_carry_steps: Option<usize>,
}

impl Stage {
    /// A stage with the default settings.
    pub fn new(epochs: usize, learning_rate: f64) -> Stage {
        Stage {
            epochs,
            learning_rate,
            blanks: None,
            grade: None,
            recurrences: None,
            max_carry_steps: None,
        }
    }
}

impl<C: ModelConfig> Experiment<C> {
    /// Default settings for 9×9 puzzles, without stages.
    pub(crate) fn new(model: C, data: DatasetConfig) -> Experiment<C> {
        Experiment {
            boxes: [3, 3],
            seed: 1,
            batch_size: 32,
            patience: 0,
            staged_validation: false,
            solved_per_stage: 1_000,
            solved_per_epoch: 0,
            weights: Precision::F16,
            model,
            data,
            stages: Vec::new(),
            optimizer: OptimizerConfig::default(),
            initial_weights: None,
        }
    }

    /// The same settings for another model.
    pub(crate) fn with_model<E>(&self, model: E) -> Experiment<E> {
        Experiment {
            boxes: self.boxes,
            seed: self.seed,
            batch_size: self.batch_size,
            patience: self.patience,
            staged_validation: self.staged_validation,
            solved_per_stage: self.solved_per_stage,
            solved_per_epoch: self.solved_per_epoch,
            weights: self.weights,
            model,
            data: self.data.clone(),
            stages: self.stages.clone(),
            optimizer: self.optimizer,
            initial_weights: self.initial_weights.clone(),
        }
    }

    /// This experiment with the changes of a TOML text.
    pub fn with(&self, changes: &str) -> Result<Experiment<C>, ExperimentError> {
        let experiment = experiment::with_changes(self, changes)?;
        experiment.check()?;
        Ok(experiment)
    }

    /// The size of the puzzles.
    pub fn order(&self) -> Result<Order, ExperimentError> {
        experiment::order_of(self.boxes)
    }

    /// The complete experiment as TOML.
    pub(crate) fn to_toml(&self) -> String {
        experiment::to_toml(self)
    }

    /// A lower bound of the memory in bytes that training needs.
    pub(crate) fn bytes(&self, order: Order) -> f64 {
        let recurrences = self.stages.iter().filter_map(|stage| stage.recurrences).max();
        let size = self.model.size(order, recurrences);
        size.training_bytes(self.batch_size) + self.data.bytes(order)
    }

    /// The number of difficulty grades; 0 if no stage uses them.
    pub(super) fn grades(&self) -> usize {
        self.stages.iter().filter_map(|stage| stage.grade).max().unwrap_or(0)
    }

    /// Checks that the experiment can be run.
    pub(crate) fn check(&self) -> Result<(), ExperimentError> {
        let order = self.order()?;
        let problem = self.problem(order).or_else(|| self.problem_of_stages(order));
        let problem = problem
            .or_else(|| self.data.check().err())
            .or_else(|| self.model.validate(order).err().map(|reason| format!("model: {reason}")));
        problem.map_or(Ok(()), |problem| Err(ExperimentError::Invalid(problem)))
    }

    fn problem(&self, order: Order) -> Option<String> {
        let measures = self.solved_per_stage > 0 || self.solved_per_epoch > 0;
        let needs_validation = self.patience > 0 || measures || self.staged_validation;
        if self.batch_size == 0 {
            Some("batch_size: a step needs at least one example".to_string())
        } else if self.data.train < self.batch_size as u64 {
            Some(format!(
                "data.train: {} examples do not fill a batch of {}",
                self.data.train, self.batch_size
            ))
        } else if self.stages.is_empty() {
            Some("stages: at least one stage is needed".to_string())
        } else if self.grades() > 0 && !grades::supports(order) {
            Some(format!("stages: only 9×9 puzzles can be graded, not {order}"))
        } else if needs_validation && self.data.validation == 0 {
            Some("data.validation: early stopping and accuracy need a validation set".to_string())
        } else if matches!(self.data.source, Source::Multiverse { fold } if fold >= FOLDS) {
            Some(format!("data.source: there are {FOLDS} folds, counted from 0"))
        } else if self.optimizer.weight_decay < 0.0 || self.optimizer.max_grad_norm < 0.0 {
            Some("optimizer: weight_decay and max_grad_norm are 0 or more".to_string())
        } else {
            None
        }
    }

    fn problem_of_stages(&self, order: Order) -> Option<String> {
        let problem = |stage: &Stage| {
            if !(stage.learning_rate > 0.0 && stage.learning_rate.is_finite()) {
                Some("a learning rate is above 0".to_string())
            } else if let Some(blanks) = stage.blanks.filter(|&blanks| blanks > order.cell_count())
            {
                Some(format!("{blanks} cells cannot be deleted from a {order} grid"))
            } else if stage.grade == Some(0) {
                Some("grades count from 1".to_string())
            } else if stage.grade.is_some_and(|grade| grade > MAX_GRADES) {
                Some(format!("there are at most {MAX_GRADES} grades"))
            } else if stage.grade.is_some() && stage.blanks.is_some() {
                Some("a stage has blanks or a grade, not both".to_string())
            } else if stage.recurrences == Some(0) {
                Some("recurrences must be at least 1".to_string())
            } else if stage.max_carry_steps == Some(0) {
                Some("max_carry_steps must be at least 1".to_string())
            } else if stage.max_carry_steps.is_some() && !self.model.has_recurrent_state() {
                Some("this model has no recurrent state, so puzzles cannot be carried".to_string())
            } else {
                None
            }
        };
        self.stages.iter().find_map(problem).map(|problem| format!("stages: {problem}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::cnn;

    #[test]
    fn changes_apply_on_top_of_the_recipe() {
        let paper = cnn::recipe();
        assert_eq!(paper.with("").unwrap(), paper);
        let changed = paper.with("seed = 9\n[data]\ntrain = 64\n").unwrap();
        let expected = Experiment {
            seed: 9,
            data: DatasetConfig { train: 64, ..paper.data.clone() },
            ..paper.clone()
        };
        assert_eq!(changed, expected);
        assert_eq!(
            paper.with(&changed.to_toml()).unwrap(),
            changed,
            "a complete experiment can be read again"
        );
    }

    #[test]
    fn invalid_experiments_are_rejected_with_a_reason() {
        let check = |text: &str, expected: &str| {
            let error = cnn::recipe().with(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        };
        check("batch_size = 0", "batch_size: a step needs at least one example");
        check("bach = 1", "unknown field `bach`");
        check("[data]\ntrain = 3", "data.train: 3 examples do not fill a batch of 32");
        check("stages = []", "stages: at least one stage is needed");
        check("patience = 2\n[data]\nvalidation = 0", "data.validation: early stopping");
        check("boxes = [1, 90]", "boxes: ");
        check("[model]\nfilters = 0", "model: every layer needs at least one filter");
        check(
            "stages = [{ epochs = 1, learning_rate = 0.1, blanks = 82 }]",
            "82 cells cannot be deleted from a 9×9 grid",
        );
        check("stages = [{ epochs = 1, learning_rate = 0.1, grade = 0 }]", "grades count from 1");
        check("stages = [{ epochs = 1, learning_rate = 0.1, grade = 1, blanks = 3 }]", "not both");
        check(
            "boxes = [2, 2]\nstages = [{ epochs = 1, learning_rate = 0.1, grade = 1 }]",
            "only 9×9 puzzles can be graded",
        );
        check("stages = [{ epochs = 1, learning_rate = 0.0 }]", "a learning rate is above 0");
        check(
            "stages = [{ epochs = 1, learning_rate = 0.1, max_carry_steps = 0 }]",
            "max_carry_steps must be at least 1",
        );
        check(
            "stages = [{ epochs = 1, learning_rate = 0.1, max_carry_steps = 2 }]",
            "this model has no recurrent state",
        );
        check(
            "[data.source.multiverse]\nfold = 9",
            "data.source: there are 9 folds, counted from 0",
        );
        check("seed = ", "TOML parse error");
    }

    #[test]
    fn old_names_of_settings_are_accepted() {
        let old = "batch = 64\nrestraint = { longest = 1.0 }\nstages = [{ epochs = 1, rate = 0.1 }]\n\
                   [data]\nrecipe = \"paper-two\"\nfresh = { givens = [1, 2], twins = false, on_the_way = true }\n";
        let new = "batch_size = 64\noptimizer = { max_grad_norm = 1.0 }\nstages = [{ epochs = 1, learning_rate = 0.1 }]\n\
                   [data]\nsource = \"kocherzhenko\"\n\
                   augmentation = { givens = [1, 2], symmetries = false, on_solving_path = true }\n";
        let changed = cnn::recipe().with(old).unwrap();
        assert_eq!(changed, cnn::recipe().with(new).unwrap());
        assert_eq!((changed.batch_size, changed.optimizer.max_grad_norm), (64, 1.0));
        let error = cnn::recipe().with("batch = 64\nbatch_size = 32").unwrap_err().to_string();
        assert!(error.contains("unknown field `batch`"), "{error}");
    }
}
