//! Experiment files. Every model has a complete experiment, its recipe. A file contains only the
//! settings that differ from the recipe.
//!
//! ```toml
//! batch_size = 512
//!
//! [data]
//! train = 100_000
//! ```

use crate::run::{Saved, TrainError};
use ninefold::grid::Order;
use ninefold_checkpoint::{CheckpointError, Metadata, renamed};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::fmt::Display;

/// Why an experiment cannot be run.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExperimentError {
    /// The file is not TOML, or contains an unknown setting.
    #[error("{0}")]
    Unreadable(String),
    /// The values are out of range or contradict each other.
    #[error("{0}")]
    Invalid(String),
}

/// The experiment with the changes of a TOML text. Tables are merged; every other value replaces
/// the old one. Old names of settings are accepted.
pub fn with_changes<T: Serialize + DeserializeOwned>(
    experiment: &T,
    changes: &str,
) -> Result<T, ExperimentError> {
    let unreadable =
        |error: &dyn Display| ExperimentError::Unreadable(error.to_string().trim().to_string());
    let mut changes: Value =
        toml::from_str(changes).map_err(|error: toml::de::Error| unreadable(&error))?;
    renamed::to_current_names(&mut changes);
    let mut settings = serde_json::to_value(experiment).map_err(|error| unreadable(&error))?;
    merge(&mut settings, changes);
    // TOML, not JSON, because TOML errors name the setting.
    let settings = toml::Table::try_from(settings).map_err(|error| unreadable(&error))?;
    settings.try_into().map_err(|error: toml::de::Error| unreadable(&error))
}

/// The complete experiment as TOML.
pub fn to_toml(experiment: &impl Serialize) -> String {
    toml::to_string(experiment).expect("an experiment is a TOML table")
}

/// The experiment in the metadata of a checkpoint.
pub fn from_metadata<T: DeserializeOwned>(metadata: &Metadata) -> Result<T, CheckpointError> {
    serde_json::from_value(metadata.experiment.clone())
        .map_err(|error| CheckpointError::Unfit(format!("the experiment in the file: {error}")))
}

/// The experiment of a run: the recipe with the changes. A resumed run without changes continues
/// with the experiment of its checkpoint.
pub fn for_run<T: Serialize + DeserializeOwned>(
    recipe: T,
    changes: Option<&str>,
    saved: Option<&Saved>,
) -> Result<T, TrainError> {
    match (changes, saved) {
        (Some(changes), _) => Ok(with_changes(&recipe, changes)?),
        (None, Some(saved)) => Ok(from_metadata(&saved.metadata)?),
        (None, None) => Ok(recipe),
    }
}

/// The grid size with boxes of this many rows and columns.
pub fn order_of([rows, columns]: [usize; 2]) -> Result<Order, ExperimentError> {
    Order::new(rows, columns).map_err(|error| ExperimentError::Invalid(format!("boxes: {error}")))
}

fn merge(settings: &mut Value, changes: Value) {
    match (settings, changes) {
        (Value::Object(settings), Value::Object(changes)) => {
            for (key, change) in changes {
                merge(settings.entry(key).or_insert(Value::Null), change);
            }
        }
        (setting, change) => *setting = change,
    }
}
