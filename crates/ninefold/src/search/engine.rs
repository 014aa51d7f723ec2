//! Engines: the vector instruction sets that the fast 9×9 solvers can use.
//!
//! All engines find the same number of solutions. Of a puzzle with several solutions, they may find
//! another one first. [`Engine::best`] is the default of [`batch`](super::batch) and
//! [`Engine::best_for_one`] that of [`triads`](super::triads). [`Engine::select`] replaces both for
//! the whole process, to compare engines or to test what other CPUs would run.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicU8, Ordering};

/// A vector instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Engine {
    /// 512-bit vectors; needs AVX-512 with BW, VBMI and BITALG.
    Avx512 = 1,
    /// 256-bit vectors; needs AVX2.
    Avx2,
    /// 128-bit vectors of 64-bit ARM CPUs.
    Neon,
    /// 128-bit vectors of WebAssembly; needs a build with the target feature `simd128`. Slower than
    /// [`Engine::Portable`], so it only runs when selected.
    Simd128,
    /// Plain Rust on any CPU.
    Portable,
}

/// The selected engine as its number; 0 until [`Engine::best`] or [`Engine::select`] is called.
static SELECTED: AtomicU8 = AtomicU8::new(0);

/// The same for [`Engine::best_for_one`].
static SELECTED_FOR_ONE: AtomicU8 = AtomicU8::new(0);

impl Engine {
    /// Every engine, from the widest vectors to none.
    pub const ALL: [Engine; 5] =
        [Engine::Avx512, Engine::Avx2, Engine::Neon, Engine::Simd128, Engine::Portable];

    /// The engines that this CPU supports, the widest vectors first.
    pub fn available() -> impl Iterator<Item = Engine> {
        Engine::ALL.into_iter().filter(|engine| engine.is_available())
    }

    /// The name that [`FromStr`] parses, such as `avx2`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Engine::Avx512 => "avx512",
            Engine::Avx2 => "avx2",
            Engine::Neon => "neon",
            Engine::Simd128 => "simd128",
            Engine::Portable => "portable",
        }
    }

    /// Whether this CPU and this build support the engine.
    #[must_use]
    pub fn is_available(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Engine::Avx512 => {
                // VBMI and BITALG arrived together with Ice Lake and Zen 4.
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx512vbmi")
                    && is_x86_feature_detected!("avx512bitalg")
                    && Engine::Avx2.is_available()
            }
            #[cfg(target_arch = "x86_64")]
            Engine::Avx2 => {
                is_x86_feature_detected!("avx2")
                    && is_x86_feature_detected!("popcnt")
                    && is_x86_feature_detected!("bmi1")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("lzcnt")
            }
            // All 64-bit ARM targets with the standard library enable NEON at compile time.
            Engine::Neon => cfg!(all(target_arch = "aarch64", target_feature = "neon")),
            Engine::Simd128 => cfg!(all(target_arch = "wasm32", target_feature = "simd128")),
            Engine::Portable => true,
            #[cfg(not(target_arch = "x86_64"))]
            Engine::Avx512 | Engine::Avx2 => false,
        }
    }

    /// The engine set with [`Engine::select`]; by default the fastest one that this CPU supports.
    #[inline]
    #[must_use]
    pub fn best() -> Engine {
        match SELECTED.load(Ordering::Relaxed) {
            0 => Engine::detect(),
            number => Engine::from_number(number),
        }
    }

    #[cold]
    fn detect() -> Engine {
        // In WebAssembly plain 64-bit integers beat 128-bit vectors on every list
        // (benchmarks/records/2026-11-16-wasm.md).
        let fastest = Engine::available().find(|&engine| engine != Engine::Simd128);
        let engine = requested_by_test().or(fastest).unwrap_or(Engine::Portable);
        SELECTED.store(engine as u8, Ordering::Relaxed);
        engine
    }

    /// The engine set with [`Engine::select`]; by default the fastest one for a single puzzle.
    #[inline]
    #[must_use]
    pub fn best_for_one() -> Engine {
        match SELECTED_FOR_ONE.load(Ordering::Relaxed) {
            0 => Engine::detect_for_one(),
            number => Engine::from_number(number),
        }
    }

    #[cold]
    fn detect_for_one() -> Engine {
        let engine = match Engine::best() {
            Engine::Avx512 if requested_by_test().is_none() => {
                if splits_wide_vectors() {
                    Engine::Avx2
                } else {
                    Engine::Avx512
                }
            }
            engine => engine,
        };
        SELECTED_FOR_ONE.store(engine as u8, Ordering::Relaxed);
        engine
    }

    #[inline]
    fn from_number(number: u8) -> Engine {
        Engine::ALL[usize::from(number) - 1]
    }

    /// Makes this engine the result of [`Engine::best`] and [`Engine::best_for_one`] in the whole
    /// process.
    ///
    /// ```
    /// use ninefold::search::Engine;
    ///
    /// Engine::select(Engine::Portable)?;
    /// assert_eq!(Engine::best(), Engine::Portable);
    /// # Ok::<(), ninefold::search::EngineError>(())
    /// ```
    pub fn select(engine: Engine) -> Result<(), EngineError> {
        if !engine.is_available() {
            return Err(EngineError::Unavailable(engine));
        }
        SELECTED.store(engine as u8, Ordering::Relaxed);
        SELECTED_FOR_ONE.store(engine as u8, Ordering::Relaxed);
        Ok(())
    }
}

/// Whether the CPU is an AMD Zen 4, which executes 512-bit instructions as two halves: alone, a
/// puzzle is solved 6 to 24 % faster with AVX2 there. Batches are faster with AVX-512 everywhere,
/// and single puzzles on Intel CPUs and on Zen 5
/// (benchmarks/records/2026-11-18-engines-amd.md).
#[cfg(target_arch = "x86_64")]
fn splits_wide_vectors() -> bool {
    is_zen_4(
        is_x86_feature_detected!("sse4a"),
        is_x86_feature_detected!("avxvnni") || is_x86_feature_detected!("avx512vp2intersect"),
    )
}

#[cfg(not(target_arch = "x86_64"))]
fn splits_wide_vectors() -> bool {
    false
}

/// Among CPUs with AVX-512, only those of AMD have SSE4a, and Zen 5 added the two later extensions.
#[cfg(target_arch = "x86_64")]
const fn is_zen_4(has_sse4a: bool, has_later_extensions: bool) -> bool {
    has_sse4a && !has_later_extensions
}

/// `scripts/arm` runs the unit tests once per engine and names it in `NINEFOLD_ENGINE`. The library
/// itself reads no environment variable.
#[cfg(test)]
fn requested_by_test() -> Option<Engine> {
    let name = std::env::var("NINEFOLD_ENGINE").ok().filter(|name| !name.is_empty())?;
    let engine: Engine = name.parse().expect("NINEFOLD_ENGINE names an engine");
    assert!(engine.is_available(), "NINEFOLD_ENGINE: {}", EngineError::Unavailable(engine));
    Some(engine)
}

#[cfg(not(test))]
fn requested_by_test() -> Option<Engine> {
    None
}

impl fmt::Display for Engine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl FromStr for Engine {
    type Err = EngineError;

    fn from_str(name: &str) -> Result<Engine, EngineError> {
        let found = Engine::ALL.into_iter().find(|engine| engine.name() == name);
        found.ok_or_else(|| EngineError::Unknown(name.to_string()))
    }
}

/// An engine is unknown, or cannot run here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// No engine has this name.
    #[error("unknown engine {0:?}, expected avx512, avx2, neon, simd128 or portable")]
    Unknown(String),
    /// The CPU or the build does not support the engine.
    #[error("this CPU does not support the engine {0}")]
    Unavailable(Engine),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_the_name_of_every_engine() {
        for engine in Engine::ALL {
            assert_eq!(engine.name().parse(), Ok(engine));
            assert_eq!(Engine::from_number(engine as u8), engine);
        }
        assert_eq!("sse2".parse::<Engine>(), Err(EngineError::Unknown("sse2".to_string())));
    }

    #[test]
    fn portable_engine_is_always_available() {
        assert_eq!(Engine::available().last(), Some(Engine::Portable));
        assert!(Engine::best().is_available());
    }

    #[test]
    fn rejects_an_engine_of_another_cpu() {
        let foreign = if cfg!(target_arch = "aarch64") { Engine::Avx2 } else { Engine::Neon };
        assert_eq!(Engine::select(foreign), Err(EngineError::Unavailable(foreign)));
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn single_puzzles_use_avx2_on_zen_4_only() {
        let (intel, zen_4, zen_5) = ((false, true), (true, false), (true, true));
        let prefers_avx2 = |(sse4a, later)| is_zen_4(sse4a, later);
        assert_eq!([intel, zen_4, zen_5].map(prefers_avx2), [false, true, false]);
        // Early Intel CPUs with AVX-512 have neither.
        assert!(!is_zen_4(false, false));
        assert!(Engine::best_for_one().is_available());
    }
}
