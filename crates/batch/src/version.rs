//! Versions: this is where processes of a cluster find out that they are not of the same build.
//!
//! A plan names functions and does not carry them, so every process must have the same ones. The client sends its version
//! along as a setting of the session; the scheduler compares it when the session begins, and every function compares it where
//! it runs.

use datafusion::common::config::{ConfigEntry, ConfigExtension, ConfigOptions, ExtensionOptions};
use datafusion::common::{Result, config_err};
use std::any::Any;

/// What a session says about the process that began it.
#[derive(Clone, Debug, Default)]
pub struct SessionOptions {
    /// The version of the client; empty where everything happens in one process.
    pub version: String,
}

impl ConfigExtension for SessionOptions {
    const PREFIX: &'static str = "ninefold";
}

/// Written out, because the engine's macro would send the setting without its prefix, and no process would find it again.
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
            return config_err!("there is no setting ninefold.{key}");
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

/// Every message about versions begins with these words, so that it can be found among those of the engine.
pub const DIFFERENT: &str = "versions differ:";

/// What to say if the client's version is not that of this process.
pub fn difference(options: &ConfigOptions, ours: &str, process: &str) -> Option<String> {
    let theirs = &options.extensions.get::<SessionOptions>()?.version;
    let differ = !theirs.is_empty() && theirs != ours;
    differ.then(|| {
        format!("{DIFFERENT} the client is ninefold {theirs} and {process} is ninefold {ours}.")
    })
}
