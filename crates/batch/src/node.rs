//! Creates query sessions and registers Ninefold's SQL functions in them, for queries in one
//! process and for all processes of a cluster.

use crate::error::BatchError;
use crate::functions::{self, Function};
use crate::generate::{self, Generate};
use crate::remote;
use crate::udf;
#[cfg(feature = "cluster")]
use datafusion::execution::{FunctionRegistry, SessionState};
use datafusion::logical_expr::ScalarUDF;
use datafusion::prelude::{SessionConfig, SessionContext};
use std::sync::Arc;

/// A process that takes part in queries: its SQL functions and its version.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// The SQL functions.
    pub functions: &'static [Function],
    /// The version, which must be the same in all processes.
    pub version: &'static str,
}

/// All functions, and the version of this build.
impl Default for Node {
    fn default() -> Node {
        Node { functions: functions::ALL, version: env!("CARGO_PKG_VERSION") }
    }
}

/// The resources that a session may use.
#[derive(Clone, Copy, Debug)]
pub struct Resources {
    /// The number of parts of a query that run in parallel.
    pub threads: usize,
    /// The memory limit in bytes, for example for sorting; beyond it, queries use the disk.
    pub memory: usize,
}

/// Parses a size such as `512MiB`, `2GiB`, or a number of bytes.
pub fn memory_size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|symbol: char| symbol.is_ascii_alphabetic());
    let factor = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kb" | "kib" => 1 << 10,
        "m" | "mb" | "mib" => 1 << 20,
        "g" | "gb" | "gib" => 1 << 30,
        _ => 0,
    };
    let bytes = digits
        .parse::<u64>()
        .ok()
        .and_then(|number| number.checked_mul(factor))
        .filter(|bytes| *bytes > 0);
    bytes.ok_or_else(|| format!("expected a size such as 512MiB or 2GiB, found {text:?}"))
}

/// The number of rows in a batch: enough to fill the lanes of the batch solver many times, and
/// small enough that a short list of hard puzzles is distributed to all cores.
const BATCH_ROWS: usize = 1024;

/// The minimum size in bytes of the parts of a file that are processed in parallel. The default of
/// the engine is 10 MiB. One core may take an hour to rate a part of that size, a hundred thousand
/// puzzles.
const MIN_PART_SIZE: usize = 1 << 16;

impl Node {
    /// A session in this process.
    pub fn local(&self, resources: Resources) -> Result<SessionContext, BatchError> {
        let runtime = remote::runtime().with_memory_limit(resources.memory, 1.0).build_arc()?;
        let config =
            configure(SessionConfig::new()).with_target_partitions(resources.threads.max(1));
        let context = SessionContext::new_with_config_rt(config, runtime);
        self.register(&context);
        Ok(context)
    }

    /// Registers the functions in a session.
    pub(crate) fn register(&self, context: &SessionContext) {
        self.udfs().for_each(|udf| context.register_udf(udf));
        context.register_udtf("generate", Arc::new(Generate));
    }

    /// Registers the functions in the state of a session.
    #[cfg(feature = "cluster")]
    pub(crate) fn register_in(
        &self,
        mut state: SessionState,
    ) -> Result<SessionState, datafusion::error::DataFusionError> {
        for udf in self.udfs() {
            state.register_udf(Arc::new(udf))?;
        }
        Ok(state)
    }

    fn udfs(&self) -> impl Iterator<Item = ScalarUDF> + '_ {
        self.functions.iter().map(|function| udf::new(function, self.version))
    }

    /// The help text for all functions.
    #[must_use]
    pub fn help(&self) -> String {
        functions::help(self.functions) + generate::HELP
    }
}

/// Applies our settings to a configuration of the engine.
pub(crate) fn configure(config: SessionConfig) -> SessionConfig {
    config
        .with_batch_size(BATCH_ROWS)
        .with_information_schema(true)
        .with_repartition_file_min_size(MIN_PART_SIZE)
        .set_bool("datafusion.catalog.has_header", true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_memory_sizes() {
        let size = memory_size;
        assert_eq!((size("512MiB"), size("2g"), size("7")), (Ok(512 << 20), Ok(2 << 30), Ok(7)));
        assert!(
            size("much").is_err()
                && size("0").is_err()
                && size("2TB").is_err()
                && size("").is_err()
        );
    }
}
