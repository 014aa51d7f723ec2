//! Proofs that the CPU supports the instructions of a vector engine.
//!
//! A vector of an engine contains such a proof, and a proof is only created after the CPU was
//! checked. So the safe methods of a vector can execute its instructions: without the instructions
//! there is no vector to call them on. The proofs have no size and cost nothing.

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
