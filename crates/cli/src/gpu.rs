//! GPU start-up for all commands with `--device gpu`.
//!
//! The CUDA runtime panics where other libraries return errors: at start-up if the driver does not
//! work, and later on a thread of its own, for example if GPU memory is full. The libraries catch
//! the first kind and leave the panic hook alone. Here the command line installs hooks, so that
//! users see one error message in both cases.

use crate::error::CliError;
use std::fmt::Display;
use std::sync::Mutex;

const HINT: &str = "use --device cpu";

/// Opens the first GPU for lists of 9×9 puzzles.
pub fn open() -> Result<Mutex<ninefold_gpu::Gpu>, CliError> {
    start(ninefold_gpu::Gpu::open).map(Mutex::new)
}

/// Checks that networks can run on this device.
#[cfg(feature = "networks")]
pub fn check(device: ninefold_neural::device::Device) -> Result<(), CliError> {
    use ninefold_neural::device::Device;
    match device {
        Device::Cpu => Ok(()),
        Device::Gpu => start(|| device.check()),
    }
}

fn start<T, E: Display>(open: impl FnOnce() -> Result<T, E>) -> Result<T, CliError> {
    let opened = hooks::without_panic_message(open);
    let opened = opened.map_err(|error| CliError::new(error.to_string()).hint(HINT))?;
    hooks::exit_if_gpu_fails();
    Ok(opened)
}

#[cfg(feature = "cuda")]
mod hooks {
    use crate::verdict::Verdict;
    use std::panic;
    use std::sync::Once;

    /// Runs `open` with an empty panic hook. The libraries return the panic message as an error.
    pub fn without_panic_message<T>(open: impl FnOnce() -> T) -> T {
        let hook = panic::take_hook();
        panic::set_hook(Box::new(|_| {}));
        let result = open();
        panic::set_hook(hook);
        result
    }

    /// Ends the program with an error message if a thread of the CUDA runtime panics.
    ///
    /// All other threads would continue with undefined numbers.
    pub fn exit_if_gpu_fails() {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            let default = panic::take_hook();
            panic::set_hook(Box::new(move |panic| {
                // CubeCL gives these names to the threads that talk to a device.
                let is_device_thread =
                    std::thread::current().name().is_some_and(|name| name.starts_with("DSD-"));
                if !is_device_thread {
                    return default(panic);
                }
                let payload = panic.payload();
                let message = payload
                    .downcast_ref::<String>()
                    .map(String::as_str)
                    .or_else(|| payload.downcast_ref::<&str>().copied());
                let reason = message.and_then(|message| message.lines().next());
                eprintln!("error: the GPU failed: {}", reason.unwrap_or("no reason given"));
                eprintln!(
                    "hint: if GPU memory is full, use smaller batches or stop other programs that \
                     use the GPU"
                );
                std::process::exit(Verdict::Error as i32);
            }));
        });
    }
}

/// Builds without CUDA never open a GPU, so they need no hooks.
#[cfg(not(feature = "cuda"))]
mod hooks {
    pub fn without_panic_message<T>(open: impl FnOnce() -> T) -> T {
        open()
    }

    pub fn exit_if_gpu_fails() {}
}
