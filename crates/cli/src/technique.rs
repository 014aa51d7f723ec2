//! Techniques by name: this is where a person who mistyped one is told what was probably meant.

use crate::error::CliError;
use ninefold::proof::{Technique, UnknownTechnique};

/// The technique with this name.
pub fn named(name: &str) -> Result<Technique, CliError> {
    name.parse().map_err(|unknown: UnknownTechnique| {
        let hint = match unknown.nearest {
            Some(meant) => format!(
                "did you mean {}? ninefold explain --techniques lists the names",
                meant.slug()
            ),
            None => "ninefold explain --techniques lists the names".to_string(),
        };
        CliError::new(format!("there is no technique {name:?}")).hint(hint)
    })
}

/// All techniques with these names.
pub fn all_named(names: &[String]) -> Result<Vec<Technique>, CliError> {
    names.iter().map(|name| named(name)).collect()
}
