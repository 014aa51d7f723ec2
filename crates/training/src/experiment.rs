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
    check_numbers("", &settings)?;
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
    check_numbers("", &metadata.experiment)
        .map_err(|error| CheckpointError::Unfit(format!("the experiment in the file: {error}")))?;
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

/// The largest number in an experiment. Sums and products of a few such numbers do not overflow.
const MAX_NUMBER: f64 = 1e13;

/// Rejects numbers that are too large to compute with. Seeds may have any value.
fn check_numbers(name: &str, value: &Value) -> Result<(), ExperimentError> {
    let join = |part: &str| match name {
        "" => part.to_string(),
        _ => format!("{name}.{part}"),
    };
    match value {
        Value::Object(settings) => settings
            .iter()
            .filter(|(key, _)| *key != "seed")
            .try_for_each(|(key, value)| check_numbers(&join(key), value)),
        Value::Array(values) => values.iter().try_for_each(|value| check_numbers(name, value)),
        Value::Number(number) if number.as_f64().is_none_or(|n| n.abs() > MAX_NUMBER) => {
            Err(ExperimentError::Invalid(format!(
                "{name}: expected a number up to {MAX_NUMBER:e}, found {number}"
            )))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn rejects_numbers_that_overflow_when_they_are_added_or_multiplied() {
        let check = |value: Value| check_numbers("", &value).map_err(|error| error.to_string());
        assert_eq!(
            check(json!({ "seed": u64::MAX, "rate": 1e-3, "data": [{ "train": 1e13 }] })),
            Ok(())
        );
        let error = check(json!({ "data": { "train": i64::MAX } })).unwrap_err();
        assert_eq!(error, "data.train: expected a number up to 1e13, found 9223372036854775807");
        assert!(
            check(json!({ "stages": [{ "epochs": 1e300 }] }))
                .unwrap_err()
                .contains("stages.epochs")
        );
    }
}
