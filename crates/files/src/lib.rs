//! Whole files: this is where we write files so that a name never stands for a part of one.
//!
//! A file is written beside its name, synced to the disk and then renamed; at last the folder is synced. Whoever looks at
//! the name sees the old file or the new one, also after a crash, a full disk or a power failure.
//!
//! ```
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("puzzles.txt");
//! use std::io::Write;
//!
//! let mut file = files::WholeFile::create(&path)?;
//! file.write_all(b"1..4..1..3..4..3\n")?;
//! assert!(!path.exists());
//! file.commit()?;
//! assert_eq!(std::fs::read(&path)?, b"1..4..1..3..4..3\n");
//! # Ok::<(), std::io::Error>(())
//! ```
#![forbid(unsafe_code)]

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

/// A file on its way. It gets its name with [`commit`](WholeFile::commit); dropped before that, it leaves nothing behind.
#[derive(Debug)]
pub struct WholeFile {
    out: BufWriter<File>,
    /// The name it will have, and the one it has now; none for what is not a file, such as a terminal or a pipe.
    names: Option<Names>,
}

#[derive(Debug)]
struct Names {
    path: PathBuf,
    beside: Beside,
}

/// The name of an unfinished file, which is removed when this is dropped.
#[derive(Debug)]
struct Beside(PathBuf);

/// The names of all unfinished files of this process.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

impl Beside {
    fn new(path: PathBuf) -> Beside {
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).push(path.clone());
        Beside(path)
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        // After a commit there is no such file any more, and otherwise nobody misses it.
        let _ = fs::remove_file(&self.0);
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).retain(|path| *path != self.0);
    }
}

/// Removes what would be left of unfinished files, for a process that ends without dropping them.
pub fn remove_unfinished() {
    for path in UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        let _ = fs::remove_file(path);
    }
}

impl WholeFile {
    /// Begins a file that will have this name. What is there under the name stays until then.
    ///
    /// A symbolic link is followed. What exists and is not a file, such as `/dev/stdout`, is written as it is.
    pub fn create(path: impl AsRef<Path>) -> io::Result<WholeFile> {
        let path = match fs::canonicalize(&path) {
            Ok(path) => path,
            Err(error) if error.kind() == ErrorKind::NotFound => path.as_ref().to_path_buf(),
            Err(error) => return Err(error),
        };
        let there = fs::metadata(&path).ok();
        if there.as_ref().is_some_and(|there| !there.is_file()) {
            let out = OpenOptions::new().write(true).open(&path)?;
            return Ok(WholeFile { out: BufWriter::new(out), names: None });
        }
        let (file, beside) = create_beside(&path)?;
        if let Some(there) = there {
            file.set_permissions(there.permissions())?;
        }
        Ok(WholeFile { out: BufWriter::new(file), names: Some(Names { path, beside }) })
    }

    /// Gives the file its name, in place of whatever had it.
    pub fn commit(mut self) -> io::Result<()> {
        self.out.flush()?;
        let Some(Names { path, beside }) = &self.names else { return Ok(()) };
        self.out.get_ref().sync_all()?;
        fs::rename(&beside.0, path)?;
        sync_folder_of(path)
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Writes a whole file, in place of whatever had its name.
pub fn write(path: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = WholeFile::create(path)?;
    file.write_all(bytes.as_ref())?;
    file.commit()
}

/// Removes a file, for good; it may be absent.
pub fn remove(path: impl AsRef<Path>) -> io::Result<()> {
    match fs::remove_file(&path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        other => other.and_then(|()| sync_folder_of(path.as_ref())),
    }
}

/// A new file in the folder of this path. Its name begins with a dot and ends with `.new`.
fn create_beside(path: &Path) -> io::Result<(File, Beside)> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let Some(name) = path.file_name() else {
        return Err(io::Error::new(ErrorKind::IsADirectory, "a file needs a name"));
    };
    loop {
        let mut beside = OsString::from(".");
        beside.push(name);
        beside.push(format!(
            ".{}-{}.new",
            std::process::id(),
            COUNT.fetch_add(1, Ordering::Relaxed)
        ));
        let beside = path.with_file_name(beside);
        match OpenOptions::new().write(true).create_new(true).open(&beside) {
            Ok(file) => return Ok((file, Beside::new(beside))),
            // A process that was killed has left it there, and we have its number now.
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// A name is safe when its folder is.
fn sync_folder_of(path: &Path) -> io::Result<()> {
    // Elsewhere a folder cannot be opened, and the system keeps names by itself.
    if cfg!(unix) {
        let folder =
            path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names_in(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn the_old_file_stays_until_the_new_one_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list.txt");
        write(&path, "old").unwrap();
        let mut file = WholeFile::create(&path).unwrap();
        file.write_all(b"half of").unwrap();
        file.flush().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        file.write_all(b" the new").unwrap();
        file.commit().unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "half of the new");
        assert_eq!(names_in(folder.path()), ["list.txt"]);
    }

    #[test]
    fn a_file_that_is_given_up_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let mut file = WholeFile::create(folder.path().join("list.txt")).unwrap();
        file.write_all(b"half of").unwrap();
        drop(file);
        assert!(names_in(folder.path()).is_empty());
    }

    #[test]
    fn what_a_killed_process_left_is_no_hindrance() {
        let folder = tempfile::tempdir().unwrap();
        for number in 0..50 {
            fs::write(
                folder.path().join(format!(".list.txt.{}-{number}.new", std::process::id())),
                "",
            )
            .unwrap();
        }
        write(folder.path().join("list.txt"), "whole").unwrap();
        assert_eq!(fs::read_to_string(folder.path().join("list.txt")).unwrap(), "whole");
    }

    #[test]
    fn a_folder_and_a_missing_folder_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        assert!(WholeFile::create(folder.path()).is_err());
        assert!(WholeFile::create(folder.path().join("not/there")).is_err());
        assert!(WholeFile::create("").is_err());
    }

    #[test]
    fn removing_what_is_not_there_is_fine() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list.txt");
        write(&path, "").unwrap();
        remove(&path).unwrap();
        remove(&path).unwrap();
        assert!(names_in(folder.path()).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_permissions_kept_and_devices_written() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("list.txt"), folder.path().join("link.txt"));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        symlink("list.txt", &link).unwrap();
        write(&link, "new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        write("/dev/null", "gone").unwrap();
    }
}
