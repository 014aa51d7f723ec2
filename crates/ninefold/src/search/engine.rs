//! Which vectors the fast 9×9 solvers compute with: those of the processor, or whatever was asked for.
//!
//! All engines answer alike and differ in speed alone. [`Engine::best`] is the one that [`triads`](super::triads) and
//! [`batch`](super::batch) use by themselves. The environment variable `NINEFOLD_ENGINE` or [`Engine::force`] sets
//! another one, for a comparison or for a test of what other processors would run.

use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicU8, Ordering};

/// A kind of vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Engine {
    /// 512 bits; needs AVX-512 with BW, VBMI and BITALG.
    Avx512 = 1,
    /// 256 bits; needs AVX2.
    Avx2,
    /// 128 bits of a 64-bit ARM processor.
    Neon,
    /// 128 bits of WebAssembly; needs a build with the feature simd128. Slower than [`Engine::Portable`], so it runs when asked for.
    Simd128,
    /// Plain Rust on any processor.
    Portable,
}

/// The environment variable that sets the engine.
pub const VARIABLE: &str = "NINEFOLD_ENGINE";

/// The engine in use; 0 as long as nobody has asked.
static IN_USE: AtomicU8 = AtomicU8::new(0);

impl Engine {
    /// Every engine, from the widest vectors to none.
    pub const ALL: [Engine; 5] =
        [Engine::Avx512, Engine::Avx2, Engine::Neon, Engine::Simd128, Engine::Portable];

    /// The engines that this processor can run, the widest vectors first.
    pub fn available() -> impl Iterator<Item = Engine> {
        Engine::ALL.into_iter().filter(|engine| engine.is_available())
    }

    /// The name to call it by, as in `--engine`.
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

    /// Can this processor run it?
    #[must_use]
    pub fn is_available(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Engine::Avx512 => {
                // As late as Zen 4 and Ice Lake, so whoever has one of these has them all.
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
            // Part of every 64-bit ARM processor that Rust knows.
            Engine::Neon => cfg!(target_arch = "aarch64"),
            Engine::Simd128 => cfg!(all(target_arch = "wasm32", target_feature = "simd128")),
            Engine::Portable => true,
            #[cfg(not(target_arch = "x86_64"))]
            Engine::Avx512 | Engine::Avx2 => false,
        }
    }

    /// The engine that was forced, else the fastest of this processor.
    ///
    /// # Panics
    /// If `NINEFOLD_ENGINE` names an engine that there is not, or one that this processor cannot run. A program asks
    /// [`Engine::from_environment`] first, where it can say so in its own words.
    #[inline]
    #[must_use]
    pub fn best() -> Engine {
        match IN_USE.load(Ordering::Relaxed) {
            0 => Engine::found_out(),
            number => Engine::numbered(number),
        }
    }

    #[cold]
    fn found_out() -> Engine {
        let asked =
            Engine::from_environment().unwrap_or_else(|error| panic!("{VARIABLE}: {error}"));
        // In WebAssembly plain 64-bit numbers beat vectors of 128 bits on every list (benchmarks/records/2026-11-16-wasm.md).
        let fastest = || Engine::available().find(|&engine| engine != Engine::Simd128);
        let engine = asked.or_else(fastest).unwrap_or(Engine::Portable);
        IN_USE.store(engine as u8, Ordering::Relaxed);
        engine
    }

    #[inline]
    fn numbered(number: u8) -> Engine {
        Engine::ALL[usize::from(number) - 1]
    }

    /// From now on [`Engine::best`] is this one.
    pub fn force(engine: Engine) -> Result<(), NoEngine> {
        if !engine.is_available() {
            return Err(NoEngine::NotHere(engine));
        }
        IN_USE.store(engine as u8, Ordering::Relaxed);
        Ok(())
    }

    /// The engine that the environment asks for, if it does.
    pub fn from_environment() -> Result<Option<Engine>, NoEngine> {
        let Some(name) = std::env::var_os(VARIABLE).filter(|name| !name.is_empty()) else {
            return Ok(None);
        };
        let engine: Engine = name.to_string_lossy().parse()?;
        if engine.is_available() { Ok(Some(engine)) } else { Err(NoEngine::NotHere(engine)) }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl FromStr for Engine {
    type Err = NoEngine;

    fn from_str(name: &str) -> Result<Engine, NoEngine> {
        let found = Engine::ALL.into_iter().find(|engine| engine.name() == name);
        found.ok_or_else(|| NoEngine::Unknown(name.to_string()))
    }
}

/// An engine that cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoEngine {
    /// There is none of this name.
    #[error("{0:?} is not an engine; avx512, avx2, neon, simd128 and portable are")]
    Unknown(String),
    /// The processor, or the build, lacks what it needs.
    #[error("the engine {0} does not run on this processor")]
    NotHere(Engine),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_back_to_their_engines() {
        for engine in Engine::ALL {
            assert_eq!(engine.name().parse(), Ok(engine));
            assert_eq!(Engine::numbered(engine as u8), engine);
        }
        assert_eq!("sse2".parse::<Engine>(), Err(NoEngine::Unknown("sse2".to_string())));
    }

    #[test]
    fn every_processor_has_the_portable_engine() {
        assert_eq!(Engine::available().last(), Some(Engine::Portable));
        assert!(Engine::best().is_available());
    }

    #[test]
    fn an_engine_of_another_processor_is_refused() {
        let foreign = if cfg!(target_arch = "aarch64") { Engine::Avx2 } else { Engine::Neon };
        assert_eq!(Engine::force(foreign), Err(NoEngine::NotHere(foreign)));
    }
}
