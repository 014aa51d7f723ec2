//! The experiment: all that a run of training depends on.

use super::Config;
use crate::training::data::{DatasetConfig, Source};
use crate::training::experiment::ExperimentError;
use crate::training::quantise::Precision;
use crate::training::renamed;
use ninefold::grid::Order;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::PathBuf;

/// All that a run depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// The size that the weights are first of all for; they take all others, too.
    pub boxes: [usize; 2],
    /// What all chance in the run follows from.
    pub seed: u64,
    /// 9×9 puzzles in a batch; of other sizes as many as have about as many candidates.
    pub batch_size: usize,
    /// Segments, each with one step of the optimizer.
    pub steps: u64,
    /// Iterations in a segment; the gradient does not go beyond.
    pub iterations: usize,
    /// The loss is asked after the last iteration of a segment and every so many before.
    pub iterations_per_loss: usize,
    /// A puzzle leaves after this many segments.
    pub max_carry_steps: usize,
    /// The probability that a puzzle leaves when it is solved.
    pub leave: f64,
    /// The highest learning rate.
    pub learning_rate: f64,
    /// Steps in which the learning rate rises; then it falls along a cosine.
    pub warm_up_steps: u64,
    /// The share of the learning rate that is left at the end.
    pub final_rate: f64,
    /// AdamW's weight decay.
    pub weight_decay: f64,
    /// Clips the global gradient norm to this value.
    pub max_grad_norm: f64,
    /// The weights that the run leaves behind are running means with this decay.
    pub mean_decay: f64,
    /// How the weights are stored that the run leaves behind.
    pub weights: Precision,
    /// The settings of the model.
    pub model: Config,
    /// The test set that the weights are measured on if no list is named.
    pub data: DatasetConfig,
    /// What is learned from.
    pub sources: Vec<PuzzleSource>,
    /// Measurements on the way.
    pub exams: Exams,
    /// Begin with the weights of this file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub initial_weights: Option<PathBuf>,
    /// All members of a house weigh the same, instead of being attended to: an ablation.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pooling: bool,
}

/// Puzzles to learn from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PuzzleSource {
    /// Rows and columns of a box.
    pub boxes: [usize; 2],
    /// Files with puzzles.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lists: Vec<PathBuf>,
    /// Puzzles that our generator makes before the run begins, every clue of them needed.
    #[serde(default)]
    pub generated: usize,
    /// The share of this source at the beginning and at the end of the run.
    pub share: [f64; 2],
    /// The probability that extra digits of the solution are filled in, up to 35 % of the cells.
    #[serde(default)]
    pub reveal: f64,
}

/// Puzzles that are tried now and then.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Exams {
    /// Steps between two exams; 0 for one at the end alone.
    pub steps: u64,
    /// Lists of 9×9 puzzles, or of others with their boxes named in [`Exams::boxes`].
    pub lists: Vec<PathBuf>,
    /// Rows and columns of a box, for each list.
    pub boxes: Vec<[usize; 2]>,
    /// The first so many puzzles of each list.
    pub puzzles: usize,
    /// The exam is marked after these numbers of iterations.
    pub iterations: Vec<usize>,
    /// Puzzles are tried again from other starts, up to this many, until their grid keeps the rules; 0 never does.
    #[serde(default)]
    pub starts: usize,
}

/// Random minimal puzzles of 4×4, 6×6 and 9×9 from our own generator. Lists of harder ones are named in a file:
/// `experiments/kaleidoscope`.
pub fn recipe() -> Experiment {
    let source = |boxes, generated, share| PuzzleSource {
        boxes,
        lists: Vec::new(),
        generated,
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
        leave: 0.55,
        learning_rate: 2e-3,
        warm_up_steps: 200,
        final_rate: 0.05,
        weight_decay: 0.01,
        max_grad_norm: 1.0,
        mean_decay: 0.999,
        weights: Precision::F32,
        model: Config::default(),
        data: DatasetConfig { test: 1_000, ..DatasetConfig::of(Source::Minimal) },
        sources: vec![
            source([2, 2], 5_000, 0.05),
            source([2, 3], 5_000, 0.05),
            source([3, 3], 20_000, 0.9),
        ],
        exams: Exams {
            steps: 0,
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

impl Experiment {
    /// The experiment with what a file changes.
    pub fn with(&self, changes: &str) -> Result<Experiment, ExperimentError> {
        let experiment: Experiment = changed(self, changes)?;
        experiment.check()?;
        Ok(experiment)
    }

    /// The whole experiment as a file.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("an experiment can be written as TOML")
    }

    /// Can it be run?
    pub fn check(&self) -> Result<(), ExperimentError> {
        let invalid = |words: &str| Err(ExperimentError::Invalid(words.to_string()));
        self.model.check().map_err(ExperimentError::Invalid)?;
        for boxes in
            self.sources.iter().map(|source| source.boxes).chain(self.exams.boxes.iter().copied())
        {
            order_of(boxes)?;
        }
        order_of(self.boxes)?;
        if self.batch_size == 0
            || self.iterations == 0
            || self.iterations_per_loss == 0
            || self.max_carry_steps == 0
        {
            return invalid(
                "batch_size, iterations, iterations_per_loss and max_carry_steps are at least 1",
            );
        }
        if self.sources.iter().any(|source| source.lists.is_empty() && source.generated == 0) {
            return invalid("a source has lists or a number of puzzles to generate");
        }
        let shares = |at: usize| self.sources.iter().map(|source| source.share[at]).sum::<f64>();
        if shares(0) <= 0.0
            || shares(1) <= 0.0
            || self.sources.iter().any(|source| source.share.iter().any(|&s| s < 0.0))
        {
            return invalid("shares are not negative, and not all of them 0");
        }
        if self.exams.lists.len() != self.exams.boxes.len() {
            return invalid("exams need boxes for each of their lists");
        }
        if self.exams.iterations.is_empty() || self.exams.iterations.contains(&0) {
            return invalid("exams are marked after at least one iteration");
        }
        Ok(())
    }
}

/// Settings with what a file changes.
pub(super) fn changed<T: Serialize + DeserializeOwned>(
    settings: &T,
    changes: &str,
) -> Result<T, ExperimentError> {
    let unreadable = |error: String| ExperimentError::Unreadable(error);
    let changes: toml::Value =
        toml::from_str(changes).map_err(|error| unreadable(error.to_string()))?;
    let mut changes =
        serde_json::to_value(changes).map_err(|error| unreadable(error.to_string()))?;
    renamed::to_current_names(&mut changes);
    let mut all = serde_json::to_value(settings).expect("an experiment can be written as JSON");
    merge(&mut all, changes);
    serde_json::from_value(all).map_err(|error| unreadable(error.to_string()))
}

/// The size with these boxes.
pub(super) fn order_of(boxes: [usize; 2]) -> Result<Order, ExperimentError> {
    Order::boxes(boxes[0], boxes[1]).map_err(|error| ExperimentError::Invalid(error.to_string()))
}

/// Puts the changes into their places; lists are replaced as a whole.
fn merge(all: &mut Value, changes: Value) {
    match (all, changes) {
        (Value::Object(all), Value::Object(changes)) => {
            for (name, change) in changes {
                merge(all.entry(name).or_insert(Value::Null), change);
            }
        }
        (place, change) => *place = change,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_holds_only_what_differs() {
        let changed =
            recipe().with("batch_size = 8\n[model]\nwidth = 32\n[exams]\nsteps = 7\n").unwrap();
        assert_eq!((changed.batch_size, changed.model.width, changed.exams.steps), (8, 32, 7));
        assert_eq!(changed.model.heads, 4);
        assert_eq!(recipe().with(&recipe().to_toml()).unwrap(), recipe());
        assert_eq!(
            recipe().with("minutes_per_checkpoint = 4.0").unwrap(),
            recipe(),
            "a setting that is gone"
        );
    }

    #[test]
    fn settings_that_contradict_each_other_are_refused() {
        for (changes, word) in [
            ("wings = 2", "wings"),
            ("[model]\nwidth = 33", "multiple of 16"),
            ("sources = []", "shares"),
            ("sources = [{ boxes = [3, 3], share = [1.0, 1.0] }]", "generate"),
            ("batch_size = 0", "at least 1"),
            ("[exams]\nlists = [\"a\"]", "boxes"),
        ] {
            let error = recipe().with(changes).unwrap_err().to_string();
            assert!(error.contains(word), "{error}");
        }
    }
}
