//! Parses technique names and suggests the nearest one after a typing error.

use crate::error::CliError;
use ninefold::proof::{Technique, UnknownTechniqueError};

pub fn parse(name: &str) -> Result<Technique, CliError> {
    name.parse().map_err(|error: UnknownTechniqueError| {
        let hint = match error.nearest {
            Some(nearest) => format!(
                "did you mean {}? `ninefold explain --techniques` lists the names",
                nearest.slug()
            ),
            None => "`ninefold explain --techniques` lists the names".to_string(),
        };
        CliError::new(format!("unknown technique {name:?}")).hint(hint)
    })
}

pub fn parse_all(names: &[String]) -> Result<Vec<Technique>, CliError> {
    names.iter().map(|name| parse(name)).collect()
}
