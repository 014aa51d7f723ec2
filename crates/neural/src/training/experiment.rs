//! Experiments: this is where a run says what it does.
//!
//! Every model has a whole experiment as its default. A file holds only what differs from it:
//!
//! ```toml
//! batch = 512
//!
//! [data]
//! train = 100_000
//! ```

use crate::models::Design;
use crate::training::adam::Restraint;
use crate::training::data::{FOLDS, Plan, Recipe};
use crate::training::grades;
use crate::training::quantise::Precision;
use ninefold::grid::Order;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// All that a run depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment<D> {
    /// Rows and columns of a box.
    pub boxes: [usize; 2],
    /// What all chance in the run follows from.
    pub seed: u64,
    /// Examples for one step.
    pub batch: usize,
    /// Steps between checkpoints.
    pub steps_per_checkpoint: u64,
    /// End a stage when the validation loss has not improved for so many epochs; 0 never does.
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
    pub model: D,
    /// Where the examples come from.
    pub data: Plan,
    /// What is learned after what.
    pub stages: Vec<Stage>,
    /// What is done to gradients before a step.
    #[serde(default, skip_serializing_if = "Restraint::is_none")]
    pub restraint: Restraint,
    /// Begin with the weights of this file, as far as the names of its network occur in this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<PathBuf>,
}

/// A part of a run with its own pace.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// Times that all examples are seen, at most.
    pub epochs: usize,
    /// The learning rate.
    pub rate: f64,
    /// Learn from solutions with so many cells deleted instead of from the puzzles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blanks: Option<usize>,
    /// Learn from the puzzles of this grade, counted from 1; there are as many as the highest that a stage names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub grade: Option<usize>,
    /// Recurrences while learning, if other than the model says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recurrences: Option<usize>,
    /// A puzzle stays in its place of the batch, and the network thinks on about it, until it is solved or has been
    /// there for so many steps; without a number every step has puzzles of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stays: Option<usize>,
}

impl Stage {
    /// So many epochs at a rate, and nothing else.
    pub fn new(epochs: usize, rate: f64) -> Stage {
        Stage { epochs, rate, blanks: None, grade: None, recurrences: None, stays: None }
    }
}

/// Why an experiment cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadExperiment {
    /// The file is no TOML, or holds something that no experiment has.
    #[error("{0}")]
    Unreadable(String),
    /// The values contradict each other.
    #[error("{0}")]
    Senseless(String),
}

impl<D: Design> Experiment<D> {
    /// The same for another model.
    pub fn of<E>(&self, model: E) -> Experiment<E> {
        Experiment {
            boxes: self.boxes,
            seed: self.seed,
            batch: self.batch,
            steps_per_checkpoint: self.steps_per_checkpoint,
            patience: self.patience,
            staged_validation: self.staged_validation,
            solved_per_stage: self.solved_per_stage,
            solved_per_epoch: self.solved_per_epoch,
            weights: self.weights,
            model,
            data: self.data.clone(),
            stages: self.stages.clone(),
            restraint: self.restraint,
            start: self.start.clone(),
        }
    }

    /// This experiment with what the text says differently.
    pub fn with(&self, text: &str) -> Result<Experiment<D>, BadExperiment> {
        let unreadable =
            |error: &dyn std::fmt::Display| BadExperiment::Unreadable(error.to_string().trim().to_string());
        let changes: toml::Table = text.parse().map_err(|error: toml::de::Error| unreadable(&error))?;
        let mut table = toml::Table::try_from(self).map_err(|error| unreadable(&error))?;
        overlay(&mut table, changes);
        let experiment: Experiment<D> = table.try_into().map_err(|error: toml::de::Error| unreadable(&error))?;
        experiment.check()?;
        Ok(experiment)
    }

    /// The size of the puzzles.
    pub fn order(&self) -> Result<Order, BadExperiment> {
        let [rows, columns] = self.boxes;
        Order::boxes(rows, columns).map_err(|error| BadExperiment::Senseless(format!("boxes: {error}")))
    }

    /// The experiment as a file.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("numbers, words and lists can be written as TOML")
    }

    /// How many grades of difficulty there are; 0 if no stage asks for one.
    pub fn grades(&self) -> usize {
        self.stages.iter().filter_map(|stage| stage.grade).max().unwrap_or(0)
    }

    /// Refuses an experiment that cannot be run.
    pub fn check(&self) -> Result<(), BadExperiment> {
        let order = self.order()?;
        let most_blanks = self.stages.iter().filter_map(|stage| stage.blanks).max().unwrap_or(0);
        let measures = self.solved_per_stage > 0 || self.solved_per_epoch > 0;
        let needs_validation = self.patience > 0 || measures || self.staged_validation;
        let senseless = if self.batch == 0 {
            Some("batch: a step needs at least one example".to_string())
        } else if self.data.train < self.batch as u64 {
            Some(format!("data.train: {} examples do not fill a batch of {}", self.data.train, self.batch))
        } else if self.stages.is_empty() {
            Some("stages: there is nothing to do".to_string())
        } else if self.stages.iter().any(|stage| !(stage.rate > 0.0 && stage.rate.is_finite())) {
            Some("stages: a learning rate is above 0".to_string())
        } else if most_blanks > order.cell_count() {
            Some(format!("stages: {most_blanks} cells cannot be deleted from a {order} grid"))
        } else if self.stages.iter().any(|stage| stage.grade == Some(0)) {
            Some("stages: grades count from 1".to_string())
        } else if self.stages.iter().any(|stage| stage.grade.is_some() && stage.blanks.is_some()) {
            Some("stages: a stage has a number of blanks or a grade, not both".to_string())
        } else if self.grades() > 0 && !grades::takes(order) {
            Some(format!("stages: only 9×9 puzzles can be graded, not {order}"))
        } else if needs_validation && self.data.validation == 0 {
            Some("data.validation: early stopping and accuracy need a validation set".to_string())
        } else if matches!(self.data.recipe, Recipe::Multiverse { fold } if fold >= FOLDS) {
            Some(format!("data.recipe: there are {FOLDS} folds, counted from 0"))
        } else if self.stages.iter().any(|stage| stage.recurrences == Some(0)) {
            Some("stages: without a recurrence there is no answer".to_string())
        } else if self.stages.iter().any(|stage| stage.stays == Some(0)) {
            Some("stages: a puzzle stays for at least one step".to_string())
        } else if self.stages.iter().any(|stage| stage.stays.is_some()) && !self.model.thinks_on() {
            Some("stages: this model cannot think on about a puzzle, so none can stay".to_string())
        } else if self.restraint.decay < 0.0 || self.restraint.longest < 0.0 {
            Some("restraint: decay and longest are 0 or more".to_string())
        } else if self.steps_per_checkpoint == 0 {
            Some("steps_per_checkpoint: at least one step lies between two checkpoints".to_string())
        } else {
            self.model.refuses(order).map(|words| format!("model: {words}"))
        };
        senseless.map_or(Ok(()), |words| Err(BadExperiment::Senseless(words)))
    }
}

/// Puts the changes on top; tables are merged, everything else is replaced.
fn overlay(table: &mut toml::Table, changes: toml::Table) {
    for (key, change) in changes {
        match (table.get_mut(&key), change) {
            (Some(toml::Value::Table(inner)), toml::Value::Table(change)) => overlay(inner, change),
            (_, change) => _ = table.insert(key, change),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry;

    #[test]
    fn a_file_holds_only_what_differs() {
        let paper = registry::cnn_paper();
        assert_eq!(paper.with("").unwrap(), paper);
        let changed = paper.with("seed = 9\n[data]\ntrain = 64\n").unwrap();
        let expected = Experiment { seed: 9, data: Plan { train: 64, ..paper.data.clone() }, ..paper.clone() };
        assert_eq!(changed, expected);
        assert_eq!(paper.with(&changed.to_toml()).unwrap(), changed, "a written experiment reads back");
    }

    #[test]
    fn an_experiment_without_sense_is_refused_in_one_message() {
        let check = |text: &str, expected: &str| {
            let error = registry::cnn_paper().with(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        };
        check("batch = 0", "batch: a step needs at least one example");
        check("bach = 1", "unknown field `bach`");
        check("[data]\ntrain = 3", "data.train: 3 examples do not fill a batch of 32");
        check("stages = []", "stages: there is nothing to do");
        check("patience = 2\n[data]\nvalidation = 0", "data.validation: early stopping");
        check("boxes = [1, 90]", "boxes: ");
        check("[model]\nfilters = 0", "model: a layer without filters");
        check("stages = [{ epochs = 1, rate = 0.1, blanks = 82 }]", "82 cells cannot be deleted from a 9×9 grid");
        check("stages = [{ epochs = 1, rate = 0.1, grade = 0 }]", "grades count from 1");
        check("stages = [{ epochs = 1, rate = 0.1, grade = 1, blanks = 3 }]", "not both");
        check("boxes = [2, 2]\nstages = [{ epochs = 1, rate = 0.1, grade = 1 }]", "only 9×9 puzzles can be graded");
        check("stages = [{ epochs = 1, rate = 0.0 }]", "a learning rate is above 0");
        check("steps_per_checkpoint = 0", "at least one step");
        check("stages = [{ epochs = 1, rate = 0.1, stays = 0 }]", "a puzzle stays for at least one step");
        check("stages = [{ epochs = 1, rate = 0.1, stays = 2 }]", "this model cannot think on");
        check("[data.recipe.multiverse]\nfold = 9", "data.recipe: there are 9 folds, counted from 0");
        check("seed = ", "TOML parse error");
    }
}
