//! Ninefold in a browser: this is where the host of a WebAssembly module calls us.
//!
//! The host writes into one buffer and reads from another; every function says how long things are:
//!
//! ```text
//! input(length)            makes the input so long          answer()          where the answer stands
//! call(name, request)      asks what the input says         answer_length()   how long it is
//! solve_many(count, limit) solves the lines of the input in place
//! learn()                  takes the input as the weights of the network that `predict` asks
//! ```
//! `npm/index.js` does that. Two functions come from the host: `now`, its clock in milliseconds since 1970, and `report`,
//! which is told the words of a panic before the module stops.
//!
//! Safety. The module has no block of unsafe code. `#[unsafe(no_mangle)]` exports a function under its own name, and no
//! other function here or in a library is called `start`, `input`, `call`, `solve_many`, `learn`, `answer` or
//! `answer_length`. The two imports are declared `safe`: they take numbers, and what the host reads at the address given to `report` is text
//! that lives until it returns. Addresses leave the module as numbers; a host that writes past the length it asked for
//! breaks its own module and nothing else.

mod network;

use ninefold::search::triads::Triads;
use ninefold_api::ApiError;
use std::sync::{Mutex, MutexGuard};

static INPUT: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static ANSWER: Mutex<Vec<u8>> = Mutex::new(Vec::new());

fn locked<T>(shared: &'static Mutex<T>) -> MutexGuard<'static, T> {
    shared.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Everything went well, as HTTP numbers it.
const OK: u32 = 200;

#[cfg(target_family = "wasm")]
mod host {
    use std::time::Duration;

    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        pub safe fn now() -> f64;
        pub safe fn report(text: *const u8, length: usize);
    }

    /// The host's clock; one that makes no sense stands still.
    pub fn clock() -> Duration {
        Duration::try_from_secs_f64(now() / 1000.0).unwrap_or_default()
    }
}

/// Has to be called once, before anything else: takes the host's clock, and tells it about panics.
#[unsafe(no_mangle)]
pub extern "C" fn start() {
    #[cfg(target_family = "wasm")]
    {
        ninefold::clock::set(host::clock);
        std::panic::set_hook(Box::new(|panic| {
            let words = panic.to_string();
            host::report(words.as_ptr(), words.len());
        }));
    }
}

/// Makes the input `length` bytes long and says where it begins. It stays there until the next call of this function.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    let mut input = locked(&INPUT);
    input.clear();
    input.resize(length, 0);
    input.as_mut_ptr()
}

/// Asks the question whose name is the first `name` bytes of the input, with the next `request` bytes as its JSON. The
/// answer is JSON too; the status is 200, or says as the server does why it is not answered.
#[unsafe(no_mangle)]
pub extern "C" fn call(name: usize, request: usize) -> u32 {
    let input = locked(&INPUT);
    let text =
        |bytes: Option<&[u8]>| String::from_utf8_lossy(bytes.unwrap_or_default()).into_owned();
    let (name, request) =
        (text(input.get(..name)), text(input.get(name..).and_then(|rest| rest.get(..request))));
    drop(input);
    say(match &*name {
        "predict" => network::predict(&request).map(|answer| answer.to_string()),
        _ => ninefold_api::call(&name, &request),
    })
}

/// Takes the input as the weights of the network; the status says whether it could.
#[unsafe(no_mangle)]
pub extern "C" fn learn() -> u32 {
    say(network::learn(&std::mem::take(&mut *locked(&INPUT))).map(|answer| answer.to_string()))
}

/// Leaves an answer for the host, and gives its status.
fn say(answer: Result<String, ApiError>) -> u32 {
    let (status, answer) = match answer {
        Ok(answer) => (OK, answer),
        Err(error) => (u32::from(error.status), error.body().to_string()),
    };
    *locked(&ANSWER) = answer.into_bytes();
    status
}

/// Solves the first `count` lines of 81 characters of the input, each up to `limit` solutions. A solution takes the place
/// of its puzzle, points that of a puzzle without one; the answer is how many there are, as 32-bit numbers.
#[unsafe(no_mangle)]
pub extern "C" fn solve_many(count: usize, limit: u32) -> u32 {
    let mut input = locked(&INPUT);
    let (lines, _) = input.as_chunks_mut::<81>();
    let Some(lines) = lines.get_mut(..count) else { return 400 };
    // One after the other is faster here than side by side: the lanes of a vector are few (records/2026-11-16-wasm.md).
    let mut counts = Vec::with_capacity(4 * count);
    for line in lines {
        let (solution, tally) = Triads::BEST.solve_line(line, u64::from(limit));
        *line = solution.unwrap_or([b'.'; 81]);
        counts.extend((tally.solutions as u32).to_le_bytes());
    }
    *locked(&ANSWER) = counts;
    OK
}

/// Where the answer of the last call begins.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    locked(&ANSWER).as_ptr()
}

/// How many bytes it has.
#[unsafe(no_mangle)]
pub extern "C" fn answer_length() -> usize {
    locked(&ANSWER).len()
}
