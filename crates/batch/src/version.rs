//! Versions: this is where processes of a cluster find out that they are not of the same build.
//!
//! A plan names functions and does not carry them, so every process must have the same ones. The client sends its version
//! along as a setting of the session; the scheduler compares it when the session begins, and every function compares it where
//! it runs.

use datafusion::common::config::{ConfigExtension, ConfigOptions};
use datafusion::common::extensions_options;

extensions_options! {
    /// What a session says about the process that began it.
    pub struct SessionOptions {
        /// The version of the client; empty where everything happens in one process.
        pub version: String, default = String::new()
    }
}

impl ConfigExtension for SessionOptions {
    const PREFIX: &'static str = "ninefold";
}

/// Every message about versions begins with these words, so that it can be found among those of the engine.
pub const DIFFERENT: &str = "versions differ:";

/// What to say if the client's version is not that of this process.
pub fn difference(options: &ConfigOptions, ours: &str, process: &str) -> Option<String> {
    let theirs = &options.extensions.get::<SessionOptions>()?.version;
    let differ = !theirs.is_empty() && theirs != ours;
    differ.then(|| format!("{DIFFERENT} the client is ninefold {theirs} and {process} is ninefold {ours}."))
}
