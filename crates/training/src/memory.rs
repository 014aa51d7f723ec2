//! Rejects experiments that need more memory than the machine has, before anything is allocated.
//!
//! Without this check, a mistyped number in an experiment file ends the process without a message.
//! The estimates are lower bounds: an experiment that passes can still be too large.

use crate::ExperimentError;

/// The assumed memory where the system does not report it.
const UNKNOWN: f64 = 64.0 * GIB;

const GIB: f64 = (1_u64 << 30) as f64;

/// The numbers that a network keeps in memory, for a batch of one example in training.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NetworkSize {
    /// Trained parameters.
    pub parameters: f64,
    /// Results of the forward pass that the backward pass needs.
    pub activations: f64,
}

impl NetworkSize {
    /// A size of this many parameters and activations.
    pub fn new(parameters: f64, activations: f64) -> NetworkSize {
        NetworkSize { parameters, activations }
    }

    /// The memory in bytes of training with batches of this many examples: weights, gradients and
    /// the two means of Adam.
    pub fn training_bytes(self, batch_size: usize) -> f64 {
        4.0 * (4.0 * self.parameters + self.activations * batch_size as f64)
    }
}

impl std::ops::Add for NetworkSize {
    type Output = NetworkSize;

    fn add(self, other: NetworkSize) -> NetworkSize {
        NetworkSize {
            parameters: self.parameters + other.parameters,
            activations: self.activations + other.activations,
        }
    }
}

/// An error if this is more than the memory of the machine.
pub fn check(bytes: f64) -> Result<(), ExperimentError> {
    let memory = total().unwrap_or(UNKNOWN);
    if bytes <= memory {
        return Ok(());
    }
    let needed = match bytes / GIB {
        needed if needed < 1e6 => format!("{needed:.0}"),
        needed => format!("{needed:.1e}"),
    };
    let memory = memory / GIB;
    Err(ExperimentError::Invalid(format!(
        "the experiment needs at least {needed} GiB of memory, more than the {memory:.0} GiB of this machine"
    )))
}

/// The memory of the machine in bytes, where the system reports it.
fn total() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    Some(1024.0 * line.trim().strip_suffix(" kB")?.trim().parse::<f64>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rejects_more_memory_than_any_machine_has() {
        assert_eq!(check(NetworkSize::new(1e5, 1e4).training_bytes(32)), Ok(()));
        for bytes in [1e30, f64::INFINITY, f64::NAN] {
            let error = check(bytes).unwrap_err().to_string();
            assert!(error.contains("GiB of memory, more than"), "{error}");
        }
    }
}
