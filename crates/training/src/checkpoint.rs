//! Checkpoint files: [`ninefold_checkpoint`] defines the bytes, this module reads and writes files.

pub use ninefold_checkpoint::{CheckpointError, HostTensor, Metadata, Progress, Tensors};
use ninefold_checkpoint::{quantise::Precision, read_bytes, to_bytes};
use std::path::Path;

/// Writes a checkpoint atomically, in place of a file with this name.
pub fn save(
    path: &Path,
    metadata: &Metadata,
    tensors: &Tensors,
    precision: Precision,
) -> Result<(), CheckpointError> {
    let failed = |error| CheckpointError::File { path: path.display().to_string(), error };
    ninefold_files::write(path, to_bytes(metadata, tensors, precision)).map_err(failed)
}

/// Reads a checkpoint.
pub fn read(path: &Path) -> Result<(Metadata, Tensors), CheckpointError> {
    let name = path.display().to_string();
    let bytes =
        std::fs::read(path).map_err(|error| CheckpointError::File { path: name.clone(), error })?;
    read_bytes(&name, &bytes)
}
