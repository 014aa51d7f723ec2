//! The devices that networks run on, and the tensor backend of each.

use crate::ops::dense::AddBias;
use crate::ops::im2col::Im2col;
use crate::ops::lstm::Lstm;
use crate::ops::lstm_cell::LstmCell;
use crate::ops::message_passing::MessagePassing;
use burn::backend::{Autodiff, NdArray};
use burn::tensor::backend::Backend;
use std::fmt;

/// The CPU backend. It is deterministic: the same inputs always give the same results.
pub type Cpu = NdArray<f32>;

/// The CPU backend with gradients.
pub(crate) type TrainingCpu = Autodiff<Cpu>;

/// The GPU backend.
#[cfg(feature = "cuda")]
pub type Gpu = burn::backend::Cuda<f32, i32>;

/// A tensor backend that supports the custom operations of Ninefold's networks (`ops/`).
///
/// Networks are generic over the engine. Each custom operation has a plain implementation with
/// ordinary tensors, and faster ones for devices where that is too slow.
pub trait Engine: Backend + AddBias + Im2col + Lstm + LstmCell + MessagePassing {
    /// Whether every new tensor shape triggers a compilation. Short batches are then padded.
    const COMPILES_FOR_SHAPES: bool = false;
}

impl Engine for Cpu {}

#[cfg(feature = "cuda")]
impl Engine for Gpu {
    const COMPILES_FOR_SHAPES: bool = true;
}

impl<B: Engine> Engine for Autodiff<B> {
    const COMPILES_FOR_SHAPES: bool = B::COMPILES_FOR_SHAPES;
}

/// Where a network runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Device {
    /// The CPU.
    Cpu,
    /// The first GPU.
    Gpu,
}

/// Why no GPU can be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// The crate was built without the feature `cuda`.
    #[error("GPU support is not compiled in; build with --features cuda")]
    NotBuilt,
    /// The GPU is missing, or its driver does not work.
    #[error("no usable GPU: {0}")]
    Unavailable(String),
}

/// The text is not the name of a device.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown device {0:?}, expected cpu or gpu")]
pub struct ParseDeviceError(String);

impl Device {
    /// Checks that networks can run on this device.
    ///
    /// The first check of a GPU runs a small sum on it; later checks return the same result. The
    /// CUDA runtime panics if the driver does not work. The panic is caught and returned as an
    /// error, but the panic hook of the process still runs.
    pub fn check(self) -> Result<(), GpuError> {
        match self {
            Device::Cpu => Ok(()),
            Device::Gpu => check_gpu(),
        }
    }
}

impl fmt::Display for Device {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Device::Cpu => "cpu",
            Device::Gpu => "gpu",
        })
    }
}

impl std::str::FromStr for Device {
    type Err = ParseDeviceError;

    fn from_str(text: &str) -> Result<Device, ParseDeviceError> {
        match text {
            "cpu" => Ok(Device::Cpu),
            "gpu" => Ok(Device::Gpu),
            _ => Err(ParseDeviceError(text.to_string())),
        }
    }
}

#[cfg(not(feature = "cuda"))]
fn check_gpu() -> Result<(), GpuError> {
    Err(GpuError::NotBuilt)
}

#[cfg(feature = "cuda")]
fn check_gpu() -> Result<(), GpuError> {
    static RESULT: std::sync::OnceLock<Result<(), GpuError>> = std::sync::OnceLock::new();
    RESULT.get_or_init(run_sum_on_gpu).clone()
}

/// Adds two numbers on the GPU. The runtime panics if the driver or its compiler is missing.
#[cfg(feature = "cuda")]
fn run_sum_on_gpu() -> Result<(), GpuError> {
    use burn::tensor::Tensor;
    // A sandbox may provide only one of these paths.
    if !["/dev/nvidiactl", "/proc/driver/nvidia"]
        .iter()
        .any(|path| std::path::Path::new(path).exists())
    {
        return Err(GpuError::Unavailable("the NVIDIA driver is not loaded".to_string()));
    }
    let sum = std::panic::catch_unwind(|| {
        Tensor::<Gpu, 1>::from_data([1.0f32, 2.0], &Default::default()).sum().into_scalar()
    });
    match sum {
        Ok(3.0) => Ok(()),
        Ok(other) => Err(GpuError::Unavailable(format!("it computes 1 + 2 = {other}"))),
        Err(panic) => Err(GpuError::Unavailable(first_line(panic.as_ref()))),
    }
}

/// The first line of a panic message; the other lines are details for developers.
#[cfg(feature = "cuda")]
fn first_line(panic: &(dyn std::any::Any + Send)) -> String {
    let message = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied());
    let line = message.and_then(|message| message.lines().next());
    line.unwrap_or("the driver gave no reason").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cpu_is_always_available() {
        assert_eq!(Device::Cpu.check(), Ok(()));
        assert_eq!("gpu".parse(), Ok(Device::Gpu));
        assert!("tpu".parse::<Device>().is_err());
    }

    #[cfg(not(feature = "cuda"))]
    #[test]
    fn builds_without_cuda_reject_the_gpu() {
        assert_eq!(Device::Gpu.check(), Err(GpuError::NotBuilt));
    }
}
