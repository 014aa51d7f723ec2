//! The temporary directory of an executor for intermediate results.
//!
//! An executor that is killed cannot remove its directory. Every directory therefore contains a
//! lock file; the operating system releases the lock of a killed process, and the next executor
//! removes all directories whose lock is free.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use tempfile::TempDir;

const PREFIX: &str = "ninefold-executor-";
const LOCK: &str = ".lock";

/// A locked temporary directory, which is removed on drop.
#[derive(Debug)]
pub struct WorkDirectory {
    directory: TempDir,
    _lock: File,
}

impl WorkDirectory {
    /// Creates a directory in `parent` and removes those of killed executors.
    pub fn create(parent: &Path) -> io::Result<WorkDirectory> {
        remove_abandoned(parent);
        let directory = tempfile::Builder::new().prefix(PREFIX).tempdir_in(parent)?;
        let lock = File::create(directory.path().join(LOCK))?;
        lock.lock()?;
        Ok(WorkDirectory { directory, _lock: lock })
    }

    pub fn path(&self) -> &Path {
        self.directory.path()
    }
}

/// Removes directories whose lock is free. One without a lock file may belong to an executor that
/// is just starting. Errors are ignored: the directory may belong to another user.
fn remove_abandoned(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let is_ours = entry.file_name().to_string_lossy().starts_with(PREFIX);
        let lock = is_ours.then(|| File::open(entry.path().join(LOCK)).ok()).flatten();
        if lock.is_some_and(|lock| lock.try_lock().is_ok()) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_directories_of_killed_executors_are_removed() {
        let parent = tempfile::tempdir().unwrap();
        let killed = parent.path().join(format!("{PREFIX}killed"));
        let other = parent.path().join("other");
        for directory in [&killed, &other] {
            fs::create_dir(directory).unwrap();
            fs::write(directory.join(LOCK), "").unwrap();
            fs::write(directory.join("rows"), "rows").unwrap();
        }
        let running = WorkDirectory::create(parent.path()).unwrap();
        assert!(!killed.exists() && other.exists() && running.path().exists());
        let second = WorkDirectory::create(parent.path()).unwrap();
        assert!(running.path().exists() && second.path().exists());
        let path = running.path().to_path_buf();
        drop(running);
        assert!(!path.exists());
    }
}
