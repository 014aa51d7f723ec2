//! Devices: this is where we say what a network runs on.

use burn::backend::{Autodiff, NdArray};
use burn::tensor::backend::Backend;
use std::fmt;

/// Numbers on the processor; the answer is the same on every run.
pub type Cpu = NdArray<f32>;

/// Numbers on the processor, with gradients.
pub type TrainingCpu = Autodiff<Cpu>;

/// Numbers on a graphics card.
#[cfg(feature = "cuda")]
pub type Gpu = burn::backend::Cuda<f32, i32>;

/// A tensor library with the operations that we have written ourselves.
///
/// Networks are built for any engine. An operation of ours comes in a plain form, made of the library's own tensors,
/// and where that is too slow in a faster form for one device.
pub trait Engine: Backend {
    /// Does it compile for every shape of a batch? Then a short batch is better filled up than seen as it is.
    const LIKES_ONE_SHAPE: bool = true;
}

impl Engine for Cpu {
    const LIKES_ONE_SHAPE: bool = false;
}
#[cfg(feature = "cuda")]
impl Engine for Gpu {}
impl<B: Engine> Engine for Autodiff<B> {}

/// Where a network runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Device {
    /// The processor.
    Cpu,
    /// The first graphics card.
    Gpu,
}

/// There is no graphics card to run on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoGpu {
    /// The program was built without.
    #[error("this ninefold was built for the processor only; a build with --features cuda can use a graphics card")]
    NotBuilt,
    /// The driver finds none.
    #[error("no graphics card can be used: {0}")]
    NotFound(String),
}

impl Device {
    /// Can we run here?
    pub fn check(self) -> Result<(), NoGpu> {
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
    type Err = String;

    fn from_str(text: &str) -> Result<Device, String> {
        match text {
            "cpu" => Ok(Device::Cpu),
            "gpu" => Ok(Device::Gpu),
            _ => Err(format!("{text:?} is no device; the choice is cpu, gpu")),
        }
    }
}

#[cfg(not(feature = "cuda"))]
fn check_gpu() -> Result<(), NoGpu> {
    Err(NoGpu::NotBuilt)
}

/// One small sum on the card. The library below panics where the driver or its compiler is missing, so it is asked
/// behind a wall, and what it has to say is passed on in one line.
#[cfg(feature = "cuda")]
fn check_gpu() -> Result<(), NoGpu> {
    use burn::tensor::Tensor;
    // Sandboxes show the device but not the driver's folder, or the other way round.
    if !["/dev/nvidiactl", "/proc/driver/nvidia"].iter().any(|path| std::path::Path::new(path).exists()) {
        return Err(NoGpu::NotFound("the NVIDIA driver is not loaded".to_string()));
    }
    let quiet = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let asked = std::panic::catch_unwind(|| {
        Tensor::<Gpu, 1>::from_data([1.0f32, 2.0], &Default::default()).sum().into_scalar()
    });
    std::panic::set_hook(quiet);
    match asked {
        Ok(3.0) => Ok(()),
        Ok(other) => Err(NoGpu::NotFound(format!("it says that 1 + 2 is {other}"))),
        Err(cause) => {
            let words = cause.downcast_ref::<String>().cloned();
            let words = words.or_else(|| cause.downcast_ref::<&str>().map(|words| words.to_string()));
            let words = words.unwrap_or_else(|| "the driver gave no reason".to_string());
            Err(NoGpu::NotFound(words.lines().next().unwrap_or_default().to_string()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_is_always_there() {
        assert_eq!(Device::Cpu.check(), Ok(()));
        assert_eq!("gpu".parse(), Ok(Device::Gpu));
        assert!("tpu".parse::<Device>().is_err());
    }

    #[cfg(not(feature = "cuda"))]
    #[test]
    fn a_build_without_cuda_says_so() {
        assert_eq!(Device::Gpu.check(), Err(NoGpu::NotBuilt));
    }
}
