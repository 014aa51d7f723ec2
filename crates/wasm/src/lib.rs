//! Ninefold as a WebAssembly module: the functions that the host calls.
//!
//! The host writes into an input buffer and reads from an answer buffer:
//!
//! ```text
//! start()                  must be called once, before all others
//! input(length)            resizes the input buffer and returns its address
//! call(name, request)      answers the request in the input buffer, see `ninefold_api::call`
//! solve_many(count, limit) solves the puzzles in the input buffer, in place
//! load_weights()           loads the weights in the input buffer for the request `predict`
//! load_digits()            loads the weights in the input buffer for `read_image`
//! read_image(width, height) reads the puzzle in the image in the input buffer, as RGBA
//! answer()                 returns the address of the answer buffer
//! answer_length()          returns the length of the answer in bytes
//! ```
//! `npm/index.js` calls these functions. The host provides two functions: `now`, its clock in
//! milliseconds since 1970, and `report`, which receives the message of a panic before the module
//! stops.
//!
//! Safety: there are no unsafe blocks. `#[unsafe(no_mangle)]` exports a function under its own
//! name, and no other function here or in a library is called `start`, `input`, `call`,
//! `solve_many`, `load_weights`, `load_digits`, `read_image`, `answer` or `answer_length`. The two
//! imports are declared `safe`: their arguments are numbers, and the text that the host reads in
//! `report` lives until it returns. A host that writes beyond the input buffer corrupts only the memory of this module.

mod many;
mod network;
// The small engine uses a stub with the same items.
#[cfg_attr(not(feature = "full"), path = "no_photo.rs")]
mod photo;

use ninefold::search::triads::Triads;
use ninefold_api::ApiError;
use std::sync::{Mutex, MutexGuard};

static INPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static ANSWER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

fn locked<T>(shared: &'static Mutex<T>) -> MutexGuard<'static, T> {
    shared.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// The HTTP status code of success.
const OK: u32 = 200;

#[cfg(target_family = "wasm")]
mod host {
    use std::time::Duration;

    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        pub safe fn now() -> f64;
        pub safe fn report(text: *const u8, length: usize);
    }

    /// The host's clock; zero if its value is not a valid time.
    pub fn clock() -> Duration {
        Duration::try_from_secs_f64(now() / 1000.0).unwrap_or_default()
    }
}

/// Must be called once before anything else: sets the clock and the panic hook.
#[unsafe(no_mangle)]
pub extern "C" fn start() {
    #[cfg(target_family = "wasm")]
    {
        ninefold::clock::set(host::clock);
        std::panic::set_hook(Box::new(|panic| {
            let message = panic.to_string();
            host::report(message.as_ptr(), message.len());
        }));
    }
}

/// Resizes the input buffer to `length` bytes and returns its address, which is valid until the
/// next call of this function.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    let mut input = locked(&INPUT);
    input.clear();
    input.resize(length, 0);
    input.as_mut_ptr()
}

/// Answers a request. The input contains its name, `name` bytes long, and then its JSON, `request`
/// bytes long. The answer is JSON, too. Returns 200, or the status code of the error.
#[unsafe(no_mangle)]
pub extern "C" fn call(name: usize, request: usize) -> u32 {
    let input = locked(&INPUT);
    let text =
        |bytes: Option<&[u8]>| String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned();
    let (name, request) =
        (text(input.get(..name)), text(input.get(name..).and_then(|rest| rest.get(..request))));
    drop(input);
    respond(match &*name {
        "predict" => network::predict(&request).map(|answer| answer.to_string()),
        "solve-many" => many::solve(&request).map(|answer| answer.to_string()),
        #[cfg(feature = "full")]
        "generate-many" => many::generate(&request).map(|answer| answer.to_string()),
        #[cfg(not(feature = "full"))]
        "generate-many" => ninefold_api::call("generate", &request),
        _ => ninefold_api::call(&name, &request),
    })
}

/// Loads the weights of the network from the input. Returns 200, or the status code of the error.
#[unsafe(no_mangle)]
pub extern "C" fn load_weights() -> u32 {
    respond(
        network::load_weights(&std::mem::take(&mut *locked(&INPUT)))
            .map(|answer| answer.to_string()),
    )
}

/// Loads the weights of the digit network from the input. Returns 200, or the status code of the
/// error.
#[unsafe(no_mangle)]
pub extern "C" fn load_digits() -> u32 {
    let answer = photo::load_digits(&std::mem::take(&mut *locked(&INPUT)));
    respond(answer.map(|answer| answer.to_string()))
}

/// Reads the puzzle in an image: the input contains four bytes per pixel. Returns 200, or the status
/// code of the error.
#[unsafe(no_mangle)]
pub extern "C" fn read_image(width: usize, height: usize) -> u32 {
    let answer = photo::read(width, height, &std::mem::take(&mut *locked(&INPUT)));
    respond(answer.map(|answer| answer.to_string()))
}

/// Stores an answer for the host and returns its status code.
fn respond(answer: Result<String, ApiError>) -> u32 {
    let (status, answer) = match answer {
        Ok(answer) => (OK, answer),
        Err(error) => (u32::from(error.status), error.body().to_string()),
    };
    *locked(&ANSWER) = answer.into_bytes();
    status
}

/// Solves the first `count` lines of 81 characters of the input, each up to `limit` solutions. Each
/// line is replaced by a solution, or by dots if there is none. The answer contains the numbers of
/// solutions as 32-bit integers.
#[unsafe(no_mangle)]
pub extern "C" fn solve_many(count: usize, limit: u32) -> u32 {
    let mut input = locked(&INPUT);
    let (lines, _) = input.as_chunks_mut::<81>();
    let Some(lines) = lines.get_mut(..count) else { return 400 };
    // Solving several puzzles in the lanes of one vector is slower here: 128-bit vectors have few
    // lanes (records/2026-11-16-wasm.md).
    let mut counts = Vec::with_capacity(4 * count);
    for line in lines {
        let (solution, tally) = Triads::BEST.solve_line(line, u64::from(limit));
        *line = solution.unwrap_or([b'.'; 81]);
        counts.extend((tally.solutions as u32).to_le_bytes());
    }
    *locked(&ANSWER) = counts;
    OK
}

/// The address of the answer to the last call.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    locked(&ANSWER).as_ptr()
}

/// The length of the answer in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn answer_length() -> usize {
    locked(&ANSWER).len()
}
