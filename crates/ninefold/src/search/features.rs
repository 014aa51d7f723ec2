//! Zero-sized types that prove that the CPU supports the instructions of a vector engine.
//!
//! A proof is created only after the CPU was checked, and every vector of an engine contains one.
//! Therefore the methods of a vector may be safe functions although they execute these
//! instructions: on other CPUs there is no vector to call them on.

use super::Engine;

/// Proves that [`Engine::Avx2`] is available.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx2(());

/// Proves that [`Engine::Avx512`] is available.
#[derive(Clone, Copy, Debug)]
pub(super) struct Avx512(());

impl Avx2 {
    /// The proof, if the CPU supports AVX2 and the bit instructions listed in
    /// [`Engine::is_available`].
    pub fn detect() -> Option<Avx2> {
        Engine::Avx2.is_available().then_some(Avx2(()))
    }
}

impl Avx512 {
    /// The proof, if the CPU supports the parts of AVX-512 listed in [`Engine::is_available`].
    pub fn detect() -> Option<Avx512> {
        Engine::Avx512.is_available().then_some(Avx512(()))
    }
}
