//! Checks that all processes of a cluster have the same version.
//!
//! A query plan contains functions only by name, so every process must have the same functions. The
//! client sends its version as a session setting. The scheduler compares it with its own version at
//! the start of a session, and every function compares it when it runs on an executor.

use datafusion::common::config::{ConfigEntry, ConfigExtension, ConfigOptions, ExtensionOptions};
use datafusion::common::{Result, config_err};
use std::any::Any;

/// The session settings that the client sends.
#[derive(Clone, Debug, Default)]
pub struct SessionOptions {
    /// The version of the client; empty if the query runs in one process.
    pub version: String,
}

impl ConfigExtension for SessionOptions {
    const PREFIX: &'static str = "ninefold";
}

/// Implemented by hand, because the macro of the engine sends the setting without its prefix.
impl ExtensionOptions for SessionOptions {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn cloned(&self) -> Box<dyn ExtensionOptions> {
        Box::new(self.clone())
    }

    fn set(&mut self, key: &str, value: &str) -> Result<()> {
        if key != "version" {
            return config_err!("unknown setting ninefold.{key}");
        }
        self.version = value.to_string();
        Ok(())
    }

    fn entries(&self) -> Vec<ConfigEntry> {
        let description = "the version of the client";
        vec![ConfigEntry {
            key: "ninefold.version".to_string(),
            value: Some(self.version.clone()),
            description,
        }]
    }
}

/// The prefix of messages about different versions, which identifies them in errors of the engine.
pub const DIFFERENT: &str = "versions differ:";

/// The error message if the version of the client differs from this process.
pub fn difference(options: &ConfigOptions, ours: &str, process: &str) -> Option<String> {
    let theirs = &options.extensions.get::<SessionOptions>()?.version;
    let differ = !theirs.is_empty() && theirs != ours;
    differ.then(|| {
        format!("{DIFFERENT} the client is ninefold {theirs} and {process} is ninefold {ours}.")
    })
}
