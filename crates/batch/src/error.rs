//! Errors for users: the message without the nested prefixes that the layers of the query engine
//! add, and a hint what to do.

use crate::version::DIFFERENT;
use datafusion::common::SchemaError;
use datafusion::error::DataFusionError;

/// An error with a hint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct BatchError {
    /// The problem.
    pub message: String,
    /// A way to solve the problem.
    pub hint: Option<String>,
}

impl BatchError {
    /// An error without a hint.
    pub fn new(message: impl Into<String>) -> BatchError {
        BatchError { message: message.into(), hint: None }
    }

    /// Adds a hint.
    #[must_use]
    pub fn hint(self, hint: impl Into<String>) -> BatchError {
        BatchError { hint: Some(hint.into()), ..self }
    }
}

impl From<DataFusionError> for BatchError {
    fn from(error: DataFusionError) -> BatchError {
        if let Some(unknown) = unknown_column(&error) {
            return unknown;
        }
        let message = first_line(&error);
        if let Some((_, difference)) = message.split_once(DIFFERENT) {
            let difference = difference
                .split_once("ninefold")
                .map_or(difference, |_| up_to_second_version(difference));
            return BatchError::new(format!("{DIFFERENT}{difference}"))
                .hint("run the same build of ninefold for client, scheduler and executors");
        }
        let hint = if message.contains("No space left on device") {
            Some("free disk space, or write to another place with --out")
        } else if message.contains("Resources exhausted") {
            Some("increase --memory, or query fewer rows at a time")
        } else if message.contains("Invalid function") {
            Some(
                "`ninefold sql --functions` lists our functions; all DataFusion functions are available, too",
            )
        } else {
            None
        };
        BatchError { message, hint: hint.map(str::to_string) }
    }
}

/// The error for a column that no table of the query has.
fn unknown_column(error: &DataFusionError) -> Option<BatchError> {
    let DataFusionError::SchemaError(schema, _) = error.find_root() else { return None };
    let SchemaError::FieldNotFound { field, valid_fields } = &**schema else { return None };
    let mut names: Vec<&str> = valid_fields.iter().map(|column| column.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    let hint = match names.is_empty() {
        true => "the query has no table".to_string(),
        false => format!("the columns are {}", names.join(", ")),
    };
    Some(BatchError::new(format!("unknown column {}", field.name)).hint(hint))
}

/// The first line of an error, without the prefixes that the layers of the engine add.
fn first_line(error: &DataFusionError) -> String {
    let text = error.strip_backtrace();
    let line = text.lines().next().unwrap_or_default().trim();
    // Our message about arguments is inside of one about functions in general.
    let line = line.split_once("coercion failed with: ").map_or(line, |(_, inner)| {
        inner.split_once(". No function matches").map_or(inner, |(ours, _)| ours)
    });
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
    let mut rest = line;
    while let Some(inner) = layers.iter().find_map(|layer| rest.strip_prefix(layer)) {
        rest = inner;
    }
    rest.to_string()
}

/// Cuts a message such as `the client is ninefold 0.2.0 and the scheduler is ninefold 0.1.0.` after
/// the second version.
fn up_to_second_version(text: &str) -> &str {
    match text.match_indices("ninefold ").nth(1) {
        Some((at, name)) => {
            let version = &text[at + name.len()..];
            let end = version.find(|symbol: char| {
                !symbol.is_alphanumeric() && !matches!(symbol, '.' | '-' | '+')
            });
            text[..at + name.len() + end.unwrap_or(version.len())].trim_end_matches('.')
        }
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_version_differences_in_messages_of_the_engine() {
        let text = "job failed: Status { message: \"Failed: versions differ: the client is ninefold 0.2.0 and the scheduler is \
                    ninefold 0.1.0.\\nBacktrace\" }";
        let error = BatchError::from(DataFusionError::Execution(text.to_string()));
        let expected =
            "versions differ: the client is ninefold 0.2.0 and the scheduler is ninefold 0.1.0";
        assert_eq!(error.message, expected);
        assert!(error.hint.is_some());
    }

    #[test]
    fn removes_the_prefixes_of_the_engine() {
        let inner = DataFusionError::Plan("unknown scale 'see'".to_string());
        assert_eq!(BatchError::from(inner).message, "unknown scale 'see'");
    }
}
