//! Writes files atomically: temporary file in the same directory, sync, rename, sync the directory.
//!
//! Readers see either the old file or the complete new one, even after a crash, a full disk or a
//! power failure. Symbolic links, permissions and devices such as `/dev/stdout` are handled, and
//! [`remove_unfinished`] cleans up before a process exits without running destructors.
//!
//! The crates `tempfile` and `atomic-write-file` are not used. They would save about 30 lines,
//! which create a unique file and rename it, and would add several dependencies. They do not keep
//! the list of unfinished files that [`remove_unfinished`] needs, and `atomic-write-file` replaces
//! a symbolic link instead of the file it points to.
//!
//! ```
//! # let directory = tempfile::tempdir()?;
//! # let path = directory.path().join("puzzles.txt");
//! use std::io::Write;
//!
//! let mut file = ninefold_files::AtomicFile::create(&path)?;
//! file.write_all(b"1..4..1..3..4..3\n")?;
//! assert!(!path.exists());
//! file.commit()?;
//! assert_eq!(std::fs::read(&path)?, b"1..4..1..3..4..3\n");
//! # Ok::<(), std::io::Error>(())
//! ```
#![forbid(unsafe_code)]
#![warn(missing_docs)]

/// Compiles the examples of the README as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

/// A file that appears under its name only after [`commit`](AtomicFile::commit). Dropping it before
/// that removes the temporary file.
#[derive(Debug)]
pub struct AtomicFile {
    out: BufWriter<File>,
    /// `None` if the target is not a regular file, such as a terminal or a pipe.
    names: Option<Names>,
}

#[derive(Debug)]
struct Names {
    path: PathBuf,
    temporary: TemporaryPath,
}

/// The path of an unfinished file, which is removed on drop.
#[derive(Debug)]
struct TemporaryPath(PathBuf);

/// The paths of all unfinished files of this process.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

impl TemporaryPath {
    fn new(path: PathBuf) -> TemporaryPath {
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).push(path.clone());
        TemporaryPath(path)
    }
}

impl Drop for TemporaryPath {
    fn drop(&mut self) {
        // After a commit the file no longer exists under this path. Other errors are harmless.
        let _ = fs::remove_file(&self.0);
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).retain(|path| *path != self.0);
    }
}

/// Removes all unfinished files, for a process that exits without dropping them.
pub fn remove_unfinished() {
    for path in UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        let _ = fs::remove_file(path);
    }
}

impl AtomicFile {
    /// Creates a temporary file that will replace `path`, which remains unchanged until the commit.
    ///
    /// Symbolic links are followed, also to files that do not exist yet. If `path` exists and is not a regular file, such as
    /// `/dev/stdout`, it is written directly.
    pub fn create(path: impl AsRef<Path>) -> io::Result<AtomicFile> {
        let path = match fs::canonicalize(&path) {
            Ok(path) => path,
            Err(error) if error.kind() == ErrorKind::NotFound => target_of(path.as_ref())?,
            Err(error) => return Err(error),
        };
        let existing = fs::metadata(&path).ok();
        if existing.as_ref().is_some_and(|existing| !existing.is_file()) {
            let out = OpenOptions::new().write(true).open(&path)?;
            return Ok(AtomicFile { out: BufWriter::new(out), names: None });
        }
        let (file, temporary) = create_temporary(&path)?;
        if let Some(existing) = existing {
            file.set_permissions(existing.permissions())?;
        }
        Ok(AtomicFile { out: BufWriter::new(file), names: Some(Names { path, temporary }) })
    }

    /// Syncs the file and renames it to its path, replacing an existing file.
    pub fn commit(mut self) -> io::Result<()> {
        self.sync()?;
        self.rename()
    }

    fn sync(&mut self) -> io::Result<()> {
        self.out.flush()?;
        if self.names.is_some() { self.out.get_ref().sync_all() } else { Ok(()) }
    }

    fn rename(&self) -> io::Result<()> {
        let Some(Names { path, temporary }) = &self.names else { return Ok(()) };
        fs::rename(&temporary.0, path)?;
        sync_directory_of(path)
    }
}

/// Commits a file and another one that describes it, such as puzzles and their solutions. The old
/// second file is removed before the first one is replaced, so a crash between the two leaves no
/// second file rather than one that belongs to another first file.
pub fn commit_pair(mut first: AtomicFile, mut second: AtomicFile) -> io::Result<()> {
    first.sync()?;
    second.sync()?;
    if let Some(Names { path, .. }) = &second.names {
        remove(path)?;
    }
    first.rename()?;
    second.rename()
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Writes a file atomically, replacing an existing file.
pub fn write(path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes.as_ref())?;
    file.commit()
}

/// Removes a file durably. A missing file is not an error.
pub fn remove(path: impl AsRef<Path>) -> io::Result<()> {
    match fs::remove_file(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        other => other.and_then(|()| sync_directory_of(path.as_ref())),
    }
}

/// The path that a chain of symbolic links ends with, even if nothing is there.
fn target_of(path: &Path) -> io::Result<PathBuf> {
    // The limit of Linux.
    const MAX_LINKS: usize = 40;
    let mut path = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            // A relative target is relative to the directory of the link.
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Removes what killed processes have left of this file. A running process holds a lock on its
/// unfinished file. Each file is examined once in a process.
fn remove_leftovers(path: &Path, name: &OsStr) -> io::Result<()> {
    static EXAMINED: Mutex<Option<HashSet<PathBuf>>> = Mutex::new(None);
    let mut examined = EXAMINED.lock().unwrap_or_else(PoisonError::into_inner);
    if !examined.get_or_insert_default().insert(path.to_path_buf()) {
        return Ok(());
    }
    let directory =
        path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let is_leftover = path.file_name().is_some_and(|found| is_temporary_name(found, name));
        if is_leftover && File::open(&path).is_ok_and(|file| file.try_lock().is_ok()) {
            // Another process may remove it at the same time.
            let _ = fs::remove_file(&path);
        }
    }
    Ok(())
}

/// Whether this is the name of an unfinished file that would replace the file `name`.
fn is_temporary_name(found: &OsStr, name: &OsStr) -> bool {
    let numbers = found
        .as_encoded_bytes()
        .strip_prefix(b".")
        .and_then(|found| found.strip_prefix(name.as_encoded_bytes()))
        .and_then(|found| found.strip_prefix(b"."))
        .and_then(|found| found.strip_suffix(b".new"));
    numbers.is_some_and(|numbers| {
        let mut parts = numbers.split(|byte| *byte == b'-');
        let is_number = |part: Option<&[u8]>| {
            part.is_some_and(|part| !part.is_empty() && part.iter().all(u8::is_ascii_digit))
        };
        is_number(parts.next()) && is_number(parts.next()) && parts.next().is_none()
    })
}

/// Creates a new file in the directory of `path`. Its name begins with a dot and ends with `.new`.
fn create_temporary(path: &Path) -> io::Result<(File, TemporaryPath)> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let Some(name) = path.file_name() else {
        return Err(io::Error::new(ErrorKind::IsADirectory, "expected the path of a file"));
    };
    remove_leftovers(path, name)?;
    loop {
        let mut temporary = OsString::from(".");
        temporary.push(name);
        temporary.push(format!(
            ".{}-{}.new",
            std::process::id(),
            COUNT.fetch_add(1, Ordering::Relaxed)
        ));
        let temporary = path.with_file_name(temporary);
        match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            Ok(file) => {
                // Until it is locked, another process can mistake it for a leftover and remove it.
                // Where files cannot be locked, leftovers cannot be recognised.
                let was_mistaken = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
                if !was_mistaken && temporary.exists() {
                    return Ok((file, TemporaryPath::new(temporary)));
                }
            }
            // Left by a killed process with the same process ID.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// Syncs the directory of a file, which makes a rename durable.
fn sync_directory_of(path: &Path) -> io::Result<()> {
    // Other systems do not allow opening directories.
    if cfg!(unix) {
        let directory =
            path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(directory)?.sync_all()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names_in(directory: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(directory)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn the_old_file_remains_until_the_commit() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("list.txt");
        write(&path, "old").unwrap();
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"half of").unwrap();
        file.flush().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        file.write_all(b" the new").unwrap();
        file.commit().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "half of the new");
        assert_eq!(names_in(directory.path()), ["list.txt"]);
    }

    #[test]
    fn dropping_an_unfinished_file_removes_it() {
        let directory = tempfile::tempdir().unwrap();
        let mut file = AtomicFile::create(directory.path().join("list.txt")).unwrap();
        file.write_all(b"half of").unwrap();
        drop(file);
        assert!(names_in(directory.path()).is_empty());
    }

    #[test]
    fn removes_files_left_by_a_killed_process() {
        let directory = tempfile::tempdir().unwrap();
        let create = |name: &str| fs::write(directory.path().join(name), "").unwrap();
        for number in 0..50 {
            create(&format!(".list.txt.{}-{number}.new", std::process::id()));
        }
        let foreign = [".list.txt.1-2-3.new", ".list.txt.x-1.new", ".other.txt.1-2.new"];
        foreign.iter().for_each(|name| create(name));
        create(".list.txt.1-2.new");
        // As another process does while it writes.
        let busy = File::open(directory.path().join(".list.txt.1-2.new")).unwrap();
        busy.try_lock().unwrap();
        write(directory.path().join("list.txt"), "complete").unwrap();
        let mut expected = vec![".list.txt.1-2.new", "list.txt"];
        expected.extend(foreign);
        expected.sort_unstable();
        assert_eq!(names_in(directory.path()), expected);
        assert_eq!(fs::read_to_string(directory.path().join("list.txt")).unwrap(), "complete");
    }

    #[test]
    fn an_unfinished_file_is_no_leftover() {
        let directory = tempfile::tempdir().unwrap();
        let file = AtomicFile::create(directory.path().join("list.txt")).unwrap();
        let path = file.names.as_ref().unwrap().temporary.0.clone();
        assert!(File::open(path).unwrap().try_lock().is_err());
        file.commit().unwrap();
        assert_eq!(names_in(directory.path()), ["list.txt"]);
    }

    /// Every state between the steps of a commit is seen by a reader after a crash.
    #[test]
    fn a_pair_never_belongs_to_two_commits() {
        let directory = tempfile::tempdir().unwrap();
        let paths = ["puzzles.txt", "solutions.txt"].map(|name| directory.path().join(name));
        let create = |content: &str| {
            paths.clone().map(|path| {
                let mut file = AtomicFile::create(path).unwrap();
                file.write_all(content.as_bytes()).unwrap();
                file
            })
        };
        let [first, second] = create("old");
        commit_pair(first, second).unwrap();
        let [first, second] = create("new");
        // The commit of the second file fails, as if the process had been killed before it.
        fs::remove_file(&second.names.as_ref().unwrap().temporary.0).unwrap();
        assert!(commit_pair(first, second).is_err());
        assert_eq!(fs::read_to_string(&paths[0]).unwrap(), "new");
        assert!(!paths[1].exists(), "the solutions of the old puzzles");
        let [first, second] = create("newest");
        commit_pair(first, second).unwrap();
        assert_eq!(paths.map(|path| fs::read_to_string(path).unwrap()), ["newest", "newest"]);
    }

    #[test]
    fn rejects_directories_and_missing_directories() {
        let directory = tempfile::tempdir().unwrap();
        assert!(AtomicFile::create(directory.path()).is_err());
        assert!(AtomicFile::create(directory.path().join("not/there")).is_err());
        assert!(AtomicFile::create("").is_err());
    }

    #[test]
    fn removing_a_missing_file_succeeds() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("list.txt");
        write(&path, "").unwrap();
        remove(&path).unwrap();
        remove(&path).unwrap();
        assert!(names_in(directory.path()).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn follows_links_keeps_permissions_and_writes_devices() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let directory = tempfile::tempdir().unwrap();
        let (path, link) = (directory.path().join("list.txt"), directory.path().join("link.txt"));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        symlink("list.txt", &link).unwrap();
        write(&link, "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        write("/dev/null", "gone").unwrap();
        let (dangling, second) =
            (directory.path().join("dangling"), directory.path().join("second"));
        symlink("not_yet.txt", &dangling).unwrap();
        symlink(&dangling, &second).unwrap();
        write(&second, "there").unwrap();
        assert_eq!(fs::read_to_string(directory.path().join("not_yet.txt")).unwrap(), "there");
        assert!(fs::symlink_metadata(&dangling).unwrap().is_symlink());
        symlink("loop", directory.path().join("loop")).unwrap();
        assert!(write(directory.path().join("loop"), "").is_err());
    }
}
