//! Training speed: examples per second of the steps that [`run`](crate::run) takes.

use serde::Serialize;
use std::time::{Duration, Instant};

/// Options of a measurement.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct ThroughputOptions<'a> {
    /// Changes to the recipe of the model, as TOML.
    pub changes: Option<&'a str>,
    /// Examples per step; `None` uses the batch size of the experiment.
    pub batch_size: Option<usize>,
    /// The maximum number of steps to measure. The first step is not measured.
    pub steps: u64,
    /// The maximum time of the measurement, which begins after the first step.
    pub time: Duration,
}

impl Default for ThroughputOptions<'_> {
    /// Measures the recipe for at most 1,000 steps and 20 seconds.
    fn default() -> Self {
        let time = Duration::from_secs(20);
        ThroughputOptions { changes: None, batch_size: None, steps: 1000, time }
    }
}

/// Measured training speed.
#[derive(Clone, Debug, Serialize)]
pub struct Throughput {
    /// Parameters of the network.
    pub parameters: usize,
    /// Examples per step.
    pub batch: usize,
    /// Steps measured, not counting the first.
    pub steps: u64,
    /// Seconds until the end of the first step, which includes the compilation of kernels.
    pub seconds_to_first_step: f64,
    /// Seconds of all steps after the first.
    pub seconds: f64,
    /// Examples per second after the first step.
    pub examples_per_second: f64,
}

/// Measures a network of this many parameters. `take_steps` takes the given number of steps, at
/// most `steps_at_once`, and returns the number of examples that they contained.
pub fn measure<E>(
    options: &ThroughputOptions<'_>,
    parameters: usize,
    batch: usize,
    steps_at_once: u64,
    mut take_steps: impl FnMut(u64) -> Result<u64, E>,
) -> Result<Throughput, E> {
    let started = Instant::now();
    take_steps(1)?;
    let seconds_to_first_step = started.elapsed().as_secs_f64();
    let started = Instant::now();
    let (mut steps, mut examples) = (0, 0);
    while steps < options.steps && started.elapsed() < options.time {
        let count = steps_at_once.min(options.steps - steps);
        examples += take_steps(count)?;
        steps += count;
    }
    let seconds = started.elapsed().as_secs_f64();
    let examples_per_second = examples as f64 / seconds.max(1e-9);
    Ok(Throughput { parameters, batch, steps, seconds_to_first_step, seconds, examples_per_second })
}
