//! The option `--engine`, and the environment variable that stands for it.

use crate::error::CliError;
use clap::Args;
use ninefold::search::Engine;
use ninefold::search::engine::NoEngine;

/// Which vectors the fast 9×9 solvers compute with.
#[derive(Args, Debug)]
pub struct EngineArg {
    /// Vectors of the fast 9×9 solvers: avx512, avx2, neon, simd128 or portable [default: the best of this processor]
    ///
    /// The environment variable NINEFOLD_ENGINE sets it for all commands. Answers are the same with each of them.
    #[arg(long, value_name = "NAME")]
    engine: Option<Engine>,
}

impl EngineArg {
    /// From now on the solvers use what was asked for.
    pub fn apply(&self) -> Result<(), CliError> {
        self.engine.map_or(Ok(()), Engine::force).map_err(|error| refused("--engine", &error))
    }
}

/// Trouble if the environment asks for an engine that cannot be had.
pub fn check_environment() -> Result<(), CliError> {
    match Engine::from_environment() {
        Ok(_) => Ok(()),
        Err(error) => Err(refused(ninefold::search::engine::VARIABLE, &error)),
    }
}

fn refused(who: &str, error: &NoEngine) -> CliError {
    let here: Vec<&str> = Engine::available().map(Engine::name).collect();
    CliError::new(format!("{who}: {error}")).hint(format!("here there are {}", here.join(" and ")))
}
