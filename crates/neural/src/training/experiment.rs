//! Experiments: this is where a run says what it does.
//!
//! Every model has a whole experiment as its default. A file holds only what differs from it:
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
use crate::training::renamed;
use ninefold::grid::Order;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::PathBuf;

/// All that a run depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment<C> {
    /// Rows and columns of a box.
    pub boxes: [usize; 2],
    /// What all chance in the run follows from.
    pub seed: u64,
    /// Examples in one training step.
    pub batch_size: usize,
    /// End a stage when the validation loss has not improved for this many epochs; 0 never does.
    pub patience: usize,
    /// Delete as many cells of the validation puzzles as of the training puzzles.
    pub staged_validation: bool,
    /// Validation puzzles that are filled at the end of each stage, to plot how many come out right.
    pub solved_per_stage: usize,
    /// Validation puzzles that are filled after each epoch.
    #[serde(default)]
    pub solved_per_epoch: usize,
    /// How the weights are stored that the run leaves behind; its checkpoint is always exact.
    pub weights: Precision,
    /// The settings of the model.
    pub model: C,
    /// Where the examples come from.
    pub data: DatasetConfig,
    /// The curriculum.
    pub stages: Vec<Stage>,
    /// Weight decay and gradient clipping.
    #[serde(default, skip_serializing_if = "OptimizerConfig::is_default")]
    pub optimizer: OptimizerConfig,
    /// Begin with the weights of this file, as far as the names of its network occur in this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial_weights: Option<PathBuf>,
}

/// A part of a run with its own learning rate and examples.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// Epochs, at most.
    pub epochs: usize,
    /// The learning rate.
    pub learning_rate: f64,
    /// Learn from solutions with this many cells deleted instead of from the puzzles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blanks: Option<usize>,
    /// Learn from the puzzles of this grade, counted from 1; there are as many as the highest that a stage names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grade: Option<usize>,
    /// Recurrences in training, if other than the model says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recurrences: Option<usize>,
    /// A puzzle keeps its place in the batch, and the network continues on it, until it is solved or has been carried for
    /// this many steps; without a number every step has puzzles of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_carry_steps: Option<usize>,
}

impl Stage {
    /// This many epochs at a learning rate, and nothing else.
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

/// Why an experiment cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ExperimentError {
    /// The file is not TOML, or holds a setting that does not exist.
    #[error("{0}")]
    Unreadable(String),
    /// The values contradict each other.
    #[error("{0}")]
    Invalid(String),
}

impl<C: ModelConfig> Experiment<C> {
    /// 9×9 puzzles from this data, without stages; recipes say what they change.
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

    /// The same for another model.
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

    /// This experiment with what the text says differently.
    pub fn with(&self, text: &str) -> Result<Experiment<C>, ExperimentError> {
        let unreadable = |error: &dyn std::fmt::Display| {
            ExperimentError::Unreadable(error.to_string().trim().to_string())
        };
        let mut changes: Value =
            toml::from_str(text).map_err(|error: toml::de::Error| unreadable(&error))?;
        renamed::to_current_names(&mut changes);
        let mut settings = serde_json::to_value(self).map_err(|error| unreadable(&error))?;
        overlay(&mut settings, changes);
        // Errors of TOML name the setting that they are about.
        let settings = toml::Table::try_from(settings).map_err(|error| unreadable(&error))?;
        let experiment: Experiment<C> =
            settings.try_into().map_err(|error: toml::de::Error| unreadable(&error))?;
        experiment.check()?;
        Ok(experiment)
    }

    /// The size of the puzzles.
    pub fn order(&self) -> Result<Order, ExperimentError> {
        let [rows, columns] = self.boxes;
        Order::boxes(rows, columns)
            .map_err(|error| ExperimentError::Invalid(format!("boxes: {error}")))
    }

    /// The experiment as a file.
    pub(crate) fn to_toml(&self) -> String {
        toml::to_string(self).expect("numbers, words and lists can be written as TOML")
    }

    /// How many grades of difficulty there are; 0 if no stage asks for one.
    pub(super) fn grades(&self) -> usize {
        self.stages.iter().filter_map(|stage| stage.grade).max().unwrap_or(0)
    }

    /// Refuses an experiment that cannot be run.
    pub(crate) fn check(&self) -> Result<(), ExperimentError> {
        let order = self.order()?;
        let found = self.problem(order).or_else(|| self.problem_of_stages(order));
        let found = found
            .or_else(|| self.model.validate(order).err().map(|words| format!("model: {words}")));
        found.map_or(Ok(()), |words| Err(ExperimentError::Invalid(words)))
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
            Some("stages: there is nothing to do".to_string())
        } else if self.grades() > 0 && !grades::takes(order) {
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
            } else if stage.grade.is_some() && stage.blanks.is_some() {
                Some("a stage has a number of blanks or a grade, not both".to_string())
            } else if stage.recurrences == Some(0) {
                Some("at least one recurrence is needed".to_string())
            } else if stage.max_carry_steps == Some(0) {
                Some("a puzzle is carried for at least one step".to_string())
            } else if stage.max_carry_steps.is_some() && !self.model.has_recurrent_state() {
                Some("this model has no recurrent state, so puzzles cannot be carried".to_string())
            } else {
                None
            }
        };
        self.stages.iter().find_map(problem).map(|words| format!("stages: {words}"))
    }
}

/// Puts the changes on top; tables are merged, everything else is replaced.
fn overlay(settings: &mut Value, changes: Value) {
    match (settings, changes) {
        (Value::Object(settings), Value::Object(changes)) => {
            for (key, change) in changes {
                overlay(settings.entry(key).or_insert(Value::Null), change);
            }
        }
        (settings, change) => *settings = change,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::cnn;

    #[test]
    fn a_file_holds_only_what_differs() {
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
            "a written experiment reads back"
        );
    }

    #[test]
    fn an_invalid_experiment_is_refused_in_one_message() {
        let check = |text: &str, expected: &str| {
            let error = cnn::recipe().with(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        };
        check("batch_size = 0", "batch_size: a step needs at least one example");
        check("bach = 1", "unknown field `bach`");
        check("[data]\ntrain = 3", "data.train: 3 examples do not fill a batch of 32");
        check("stages = []", "stages: there is nothing to do");
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
            "a puzzle is carried for at least one step",
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
    fn a_file_with_older_names_says_the_same() {
        let old = "batch = 64\nrestraint = { longest = 1.0 }\nstages = [{ epochs = 1, rate = 0.1 }]\n\
                   [data]\nrecipe = \"paper-two\"\nfresh = { givens = [1, 2], twins = false, on_the_way = true }\n";
        let new = "batch_size = 64\noptimizer = { max_grad_norm = 1.0 }\nstages = [{ epochs = 1, learning_rate = 0.1 }]\n\
                   [data]\nsource = \"kocherzhenko\"\n\
                   augmentation = { givens = [1, 2], twins = false, on_solving_path = true }\n";
        let changed = cnn::recipe().with(old).unwrap();
        assert_eq!(changed, cnn::recipe().with(new).unwrap());
        assert_eq!((changed.batch_size, changed.optimizer.max_grad_norm), (64, 1.0));
        let error = cnn::recipe().with("batch = 64\nbatch_size = 32").unwrap_err().to_string();
        assert!(error.contains("unknown field `batch`"), "{error}");
    }
}
