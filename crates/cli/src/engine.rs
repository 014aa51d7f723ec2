//! The option `--engine` and the environment variable `NINEFOLD_ENGINE`.

use crate::error::CliError;
use ninefold::search::{Engine, EngineError};

/// The environment variable that selects the engine for every command.
const VARIABLE: &str = "NINEFOLD_ENGINE";

/// Selects the vector instructions of the fast 9×9 solvers.
#[derive(clap::Args, Debug)]
pub struct EngineArgs {
    /// SIMD engine of the fast 9×9 solvers: avx512, avx2, neon, simd128 or portable [default: the
    /// fastest one that this CPU supports]
    ///
    /// The environment variable NINEFOLD_ENGINE selects the engine for all commands. All engines
    /// find the same number of solutions. Of a puzzle with several solutions, they may find another
    /// one first.
    #[arg(long, value_name = "NAME")]
    engine: Option<Engine>,
}

impl EngineArgs {
    pub fn is_given(&self) -> bool {
        self.engine.is_some()
    }

    /// Selects the engine for this process.
    pub fn apply(&self) -> Result<(), CliError> {
        self.engine.map_or(Ok(()), Engine::select).map_err(|error| unavailable("--engine", &error))
    }
}

/// Selects the engine that `NINEFOLD_ENGINE` names, if it is set. `--engine` overrides it later.
pub fn apply_environment() -> Result<(), CliError> {
    let Some(name) = std::env::var_os(VARIABLE).filter(|name| !name.is_empty()) else {
        return Ok(());
    };
    let selected = name.to_string_lossy().parse().and_then(Engine::select);
    selected.map_err(|error| unavailable(VARIABLE, &error))
}

fn unavailable(source: &str, error: &EngineError) -> CliError {
    let available: Vec<&str> = Engine::available().map(Engine::name).collect();
    CliError::new(format!("{source}: {error}"))
        .hint(format!("available here: {}", available.join(", ")))
}
