//! What every process knows: this is where sessions are made, for one machine and for all roles of a cluster.

use crate::error::BatchError;
use crate::functions::{self, Function};
use crate::generate::{self, Generate};
use crate::udf;
use datafusion::execution::FunctionRegistry;
use datafusion::execution::SessionState;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::logical_expr::ScalarUDF;
use datafusion::prelude::{SessionConfig, SessionContext};
use std::sync::Arc;

/// The functions of a process and its version.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// What can be asked in SQL.
    pub functions: &'static [Function],
    /// What other processes must have too.
    pub version: &'static str,
}

/// All functions, and the version of this build.
impl Default for Node {
    fn default() -> Node {
        Node { functions: functions::ALL, version: env!("CARGO_PKG_VERSION") }
    }
}

/// How much of this machine a session may use.
#[derive(Clone, Copy, Debug)]
pub struct Resources {
    /// How many parts of a query run at once.
    pub threads: usize,
    /// Bytes for what a query must keep, such as rows that are sorted; beyond them it uses the disk.
    pub memory: usize,
}

/// Reads `512MiB`, `2GiB`, or a number of bytes.
pub fn memory_size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|sign: char| sign.is_ascii_alphabetic());
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
    bytes.ok_or_else(|| "a size is a number and a unit, for example 512MiB or 2GiB".to_string())
}

/// Rows that a function answers at once. Enough to fill the lanes of the batch solver many times over, and few enough that a
/// short list of hard puzzles is shared by all cores.
const ROWS_AT_ONCE: usize = 1024;

/// Files larger than this are read in several parts at once. The engine's own choice is 10 MiB, a hundred thousand puzzles,
/// which may take an hour to rate.
const SMALLEST_PART: usize = 1 << 16;

impl Node {
    /// A session in this process.
    pub fn local(&self, resources: Resources) -> Result<SessionContext, BatchError> {
        let runtime =
            RuntimeEnvBuilder::new().with_memory_limit(resources.memory, 1.0).build_arc()?;
        let config = tuned(SessionConfig::new()).with_target_partitions(resources.threads.max(1));
        let context = SessionContext::new_with_config_rt(config, runtime);
        self.register(&context);
        Ok(context)
    }

    /// Makes the functions known to a session.
    pub(crate) fn register(&self, context: &SessionContext) {
        self.udfs().for_each(|udf| context.register_udf(udf));
        context.register_udtf("generate", Arc::new(Generate));
    }

    /// Makes the functions known to the state of a session.
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
        self.functions.iter().map(|function| udf::of(function, self.version))
    }

    /// What can be asked, for a person.
    #[must_use]
    pub fn help(&self) -> String {
        functions::help(self.functions) + generate::HELP
    }
}

/// The engine's settings as our functions want them.
pub(crate) fn tuned(config: SessionConfig) -> SessionConfig {
    config
        .with_batch_size(ROWS_AT_ONCE)
        .with_information_schema(true)
        .with_repartition_file_min_size(SMALLEST_PART)
        .set_bool("datafusion.catalog.has_header", true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_memory_have_units() {
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
