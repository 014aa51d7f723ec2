//! What went wrong, and a way on, in the words of a person who asked for puzzles and not of the engine.

use crate::version::DIFFERENT;
use datafusion::error::DataFusionError;

/// An error with a hint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct BatchError {
    /// What happened.
    pub message: String,
    /// What can be done about it.
    pub hint: Option<String>,
}

impl BatchError {
    /// What happened.
    pub fn new(message: impl Into<String>) -> BatchError {
        BatchError { message: message.into(), hint: None }
    }

    /// Adds a way on.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> BatchError {
        BatchError { hint: Some(hint.into()), ..self }
    }
}

impl From<DataFusionError> for BatchError {
    fn from(error: DataFusionError) -> BatchError {
        let words = plain(&error);
        if let Some((_, difference)) = words.split_once(DIFFERENT) {
            let difference = difference
                .split_once("ninefold")
                .map_or(difference, |_| upto_second_version(difference));
            return BatchError::new(format!("{DIFFERENT}{difference}"))
                .hint("run the same build of ninefold for client, scheduler and executors");
        }
        let hint = if words.contains("No space left on device") {
            Some("make room, or write somewhere else with --out")
        } else if words.contains("Resources exhausted") {
            Some("allow more with --memory, or ask for fewer rows at once")
        } else if words.contains("Invalid function") {
            Some(
                "`ninefold sql --functions` lists ours; all functions of DataFusion are there as well",
            )
        } else {
            None
        };
        BatchError { message: words, hint: hint.map(str::to_string) }
    }
}

/// The first line of an error without the names of the layers that it came through.
fn plain(error: &DataFusionError) -> String {
    let words = error.strip_backtrace();
    let words = words.lines().next().unwrap_or_default().trim();
    let layers = [
        "Error during planning: ",
        "Execution error: ",
        "External error: ",
        "Arrow error: ",
        "Schema error: ",
        "SQL error: ",
        "Object Store error: ",
        "Shared: ",
    ];
    let mut rest = words;
    while let Some(inner) = layers.iter().find_map(|layer| rest.strip_prefix(layer)) {
        rest = inner;
    }
    rest.to_string()
}

/// `the client is ninefold 0.2.0 and the scheduler is ninefold 0.1.0.`, whatever follows it.
fn upto_second_version(words: &str) -> &str {
    match words.match_indices("ninefold ").nth(1) {
        Some((at, name)) => {
            let version = &words[at + name.len()..];
            let end = version.find(|sign: char| {
                !sign.is_alphanumeric() && sign != '.' && sign != '-' && sign != '+'
            });
            words[..at + name.len() + end.unwrap_or(version.len())].trim_end_matches('.')
        }
        None => words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_of_versions_is_found_in_the_words_of_the_engine() {
        let told = "job failed: Status { message: \"Failed: versions differ: the client is ninefold 0.2.0 and the scheduler is \
                    ninefold 0.1.0.\\nBacktrace\" }";
        let error = BatchError::from(DataFusionError::Execution(told.to_string()));
        let words =
            "versions differ: the client is ninefold 0.2.0 and the scheduler is ninefold 0.1.0";
        assert_eq!(error.message, words);
        assert!(error.hint.is_some());
    }

    #[test]
    fn the_layers_of_the_engine_are_not_told() {
        let inner = DataFusionError::Plan("there is no scale 'see'".to_string());
        assert_eq!(BatchError::from(inner).message, "there is no scale 'see'");
    }
}
