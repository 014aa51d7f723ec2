//! Devices: this is where we say what a network runs on.

use crate::ops::dense::AddBias;
use crate::ops::im2col::Im2col;
use crate::ops::lstm::Lstm;
use crate::ops::lstm_cell::LstmCell;
use crate::ops::message_passing::MessagePassing;
use burn::backend::{Autodiff, NdArray};
use burn::tensor::backend::Backend;
use std::fmt;

/// Numbers on the processor; the answer is the same on every run.
pub type Cpu = NdArray<f32>;

/// Numbers on the processor, with gradients.
pub(crate) type TrainingCpu = Autodiff<Cpu>;

/// Numbers on a graphics card.
#[cfg(feature = "cuda")]
pub type Gpu = burn::backend::Cuda<f32, i32>;

/// A tensor library with the operations that we have written ourselves: the sum of the traits in `ops`.
///
/// Networks are built for any engine. An operation of ours comes in a plain form, made of the library's own tensors,
/// and where that is too slow in a faster form for one device.
pub trait Engine: Backend + AddBias + Im2col + Lstm + LstmCell + MessagePassing {
    /// Does every new shape cost the time to compile for it? Then short batches are better padded.
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
    /// The processor.
    Cpu,
    /// The first graphics card.
    Gpu,
}

/// There is no graphics card to run on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoGpu {
    /// The program was built without.
    #[error(
        "this ninefold was built for the processor only; a build with --features cuda can use a graphics card"
    )]
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
            _ => Err(format!("{text:?} is not a device; choose cpu or gpu")),
        }
    }
}

#[cfg(not(feature = "cuda"))]
fn check_gpu() -> Result<(), NoGpu> {
    Err(NoGpu::NotBuilt)
}

/// One small sum on the card. The library below panics where the driver or its compiler is missing, so the call is
/// guarded, and what it says is passed on in one line.
#[cfg(feature = "cuda")]
fn check_gpu() -> Result<(), NoGpu> {
    use burn::tensor::Tensor;
    // Sandboxes show the device but not the driver's folder, or the other way round.
    if !["/dev/nvidiactl", "/proc/driver/nvidia"]
        .iter()
        .any(|path| std::path::Path::new(path).exists())
    {
        return Err(NoGpu::NotFound("the NVIDIA driver is not loaded".to_string()));
    }
    let quiet = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let asked = std::panic::catch_unwind(|| {
        Tensor::<Gpu, 1>::from_data([1.0f32, 2.0], &Default::default()).sum().into_scalar()
    });
    std::panic::set_hook(quiet);
    match asked {
        Ok(3.0) => {
            end_when_the_card_fails();
            Ok(())
        }
        Ok(other) => Err(NoGpu::NotFound(format!("it computes 1 + 2 = {other}"))),
        Err(cause) => Err(NoGpu::NotFound(first_line(cause.as_ref()))),
    }
}

/// What a panic says, without what it adds for programmers.
#[cfg(feature = "cuda")]
fn first_line(panic: &(dyn std::any::Any + Send)) -> String {
    let words = panic
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| panic.downcast_ref::<&str>().copied());
    words.and_then(|words| words.lines().next()).unwrap_or("the driver gave no reason").to_string()
}

/// From now on a failure of the card ends the program with a message. The library below works on a thread of its own; when
/// that one panics, because the memory of the card is full, say, the others go on with whatever numbers lie there.
#[cfg(feature = "cuda")]
fn end_when_the_card_fails() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            let is_of_the_card = std::thread::current().name().is_some_and(|name| name.starts_with("DSD-"));
            if !is_of_the_card {
                return before(panic);
            }
            eprintln!("error: the graphics card failed: {}", first_line(panic.payload()));
            eprintln!("hint: if its memory is full, a smaller batch needs less; other programs may be using it, too");
            std::process::exit(1);
        }));
    });
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
