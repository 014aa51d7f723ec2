//! A folder of parts and its manifest: what was asked, how far it is done.
//!
//! The manifest says what the parts were made from. A run that finds another manifest than its own does not touch the folder. A
//! lock keeps a second process out; the system takes it back from a process that was killed.

use crate::error::CliError;
use crate::output::cannot_write;
use files::WholeFile;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What the parts are made from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version that made them; another one might answer in other words.
    ninefold: String,
    task: String,
    /// The line of column names, or what stands in its place.
    columns: String,
    inputs: Vec<InputFile>,
    /// What was asked for, where nothing is read.
    wish: Option<String>,
    rows_per_part: u64,
    /// Is every row written?
    complete: Option<Complete>,
}

/// A file that is read, and enough of it to know it again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct InputFile {
    path: String,
    bytes: u64,
    /// Of its beginning and its end.
    checksum: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Complete {
    rows: u64,
    parts: u64,
    unanswered: u64,
}

const MANIFEST: &str = "batch.json";

impl Manifest {
    /// The answers to the puzzles of some files.
    pub fn of_files(
        task: &str,
        columns: String,
        inputs: &[String],
        rows_per_part: u64,
    ) -> Result<Manifest, CliError> {
        let inputs = inputs.iter().map(|path| InputFile::of(path)).collect::<Result<_, _>>()?;
        Ok(Manifest { inputs, ..Manifest::new(task, columns, rows_per_part) })
    }

    /// New puzzles.
    pub fn of_wish(columns: &str, wish: &str, rows_per_part: u64) -> Manifest {
        Manifest {
            wish: Some(wish.to_string()),
            ..Manifest::new("generate", columns.to_string(), rows_per_part)
        }
    }

    fn new(task: &str, columns: String, rows_per_part: u64) -> Manifest {
        let ninefold = env!("CARGO_PKG_VERSION").to_string();
        let task = task.to_string();
        Manifest {
            ninefold,
            task,
            columns,
            inputs: Vec::new(),
            wish: None,
            rows_per_part,
            complete: None,
        }
    }

    /// What is different, in words.
    fn difference(&self, other: &Manifest) -> Option<String> {
        let text =
            |manifest: &Manifest| serde_json::to_value(manifest).expect("a manifest is JSON");
        let (ours, theirs) = (text(self), text(other));
        let keys = ["ninefold", "task", "columns", "inputs", "wish", "rows_per_part"];
        keys.into_iter()
            .find(|&key| ours[key] != theirs[key])
            .map(|key| format!("{key} was {}, and is {} now", theirs[key], ours[key]))
    }

    fn ending(&self) -> &'static str {
        if self.columns.is_empty() { "jsonl" } else { "csv" }
    }

    /// Does this row say why there is no answer? In a table its last column does, and is empty otherwise.
    fn is_unanswered(&self, row: &[u8]) -> bool {
        match self.columns.as_str() {
            "" => row.starts_with(b"{\"error\""),
            columns => columns.ends_with(",why\n") && !row.ends_with(b",\n"),
        }
    }
}

impl InputFile {
    fn of(path: &str) -> Result<InputFile, CliError> {
        if path == "-" {
            return Err(CliError::new(
                "standard input cannot be read a second time, so a run could not go on",
            )
            .hint("write the puzzles into a file; `ninefold solve` reads standard input"));
        }
        if Path::new(path).is_dir() {
            return Err(CliError::new(format!("{path} is a folder"))
                .hint(format!("name the files in it: {path}/*")));
        }
        let read = || -> io::Result<InputFile> {
            const ENDS: u64 = 1 << 16;
            let mut file = File::open(path)?;
            let bytes = file.metadata()?.len();
            let mut looked_at = Vec::new();
            Read::by_ref(&mut file).take(ENDS).read_to_end(&mut looked_at)?;
            file.seek(SeekFrom::Start(bytes.saturating_sub(ENDS)))?;
            file.take(ENDS).read_to_end(&mut looked_at)?;
            Ok(InputFile {
                path: path.to_string(),
                bytes,
                checksum: format!("{:016x}", checksum(&looked_at)),
            })
        };
        read().map_err(|error| CliError::new(format!("{path} cannot be read: {error}")))
    }
}

/// FNV-1a: short, and the same on every machine.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// A folder that is being filled.
#[derive(Debug)]
pub struct Job {
    folder: PathBuf,
    manifest: Manifest,
    /// Parts that have their names.
    parts: u64,
    rows: u64,
    /// Rows that say why there is no answer.
    unanswered: u64,
    /// The part on its way.
    open: Option<WholeFile>,
    _lock: File,
}

impl Job {
    /// Opens the folder of a run, new or interrupted.
    pub fn open(folder: &str, manifest: Manifest, restart: bool) -> Result<Job, CliError> {
        let unusable = |error: io::Error| cannot_write(folder, &error);
        let folder_path = PathBuf::from(folder);
        fs::create_dir_all(&folder_path).map_err(unusable)?;
        let lock = File::create(folder_path.join(".lock")).map_err(unusable)?;
        if lock.try_lock().is_err() {
            return Err(CliError::new(format!("another process works on {folder}"))
                .hint("wait for it, or name another folder"));
        }
        let mut job = Job {
            folder: folder_path,
            manifest,
            parts: 0,
            rows: 0,
            unanswered: 0,
            open: None,
            _lock: lock,
        };
        job.clear_away(restart).map_err(unusable)?;
        job.compare(folder)?;
        match job.manifest.complete {
            Some(Complete { rows, parts, unanswered }) => {
                (job.rows, job.parts, job.unanswered) = (rows, parts, unanswered);
            }
            None => job.count_whole_parts().map_err(unusable)?,
        }
        Ok(job)
    }

    /// Counts what is done. The last part of a run may be shorter than the others; a process that was killed just behind it
    /// did not say any more that nothing follows, so this part is made again.
    fn count_whole_parts(&mut self) -> io::Result<()> {
        while let path = self.part(self.parts)
            && path.is_file()
        {
            let (rows, unanswered) = self.count_rows(&path)?;
            if rows < self.manifest.rows_per_part {
                return files::remove(&path);
            }
            self.parts += 1;
            self.rows += rows;
            self.unanswered += unanswered;
        }
        Ok(())
    }

    /// How many rows a part has, and how many of them are without an answer.
    fn count_rows(&self, path: &Path) -> io::Result<(u64, u64)> {
        let mut reader = BufReader::new(File::open(path)?);
        let (mut rows, mut unanswered, mut line) = (0, 0, Vec::new());
        let mut lines_before = self.manifest.columns.lines().count();
        while {
            line.clear();
            reader.read_until(b'\n', &mut line)?
        } > 0
        {
            if lines_before > 0 {
                lines_before -= 1;
                continue;
            }
            rows += 1;
            unanswered += u64::from(self.manifest.is_unanswered(&line));
        }
        Ok((rows, unanswered))
    }

    /// Removes what a killed process has left half-written, and with `restart` everything that is ours.
    fn clear_away(&self, restart: bool) -> io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let is_half = name.ends_with(".new")
                && [".part-", ".batch.json"].iter().any(|mark| name.starts_with(mark));
            let is_ours = name.starts_with("part-") || name == MANIFEST;
            if is_half || (restart && is_ours) {
                fs::remove_file(path)?;
            }
        }
        Ok(())
    }

    /// Is this the run that the folder belongs to?
    fn compare(&mut self, folder: &str) -> Result<(), CliError> {
        let path = self.folder.join(MANIFEST);
        let other = match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if self.part(0).is_file() {
                    return Err(CliError::new(format!(
                        "{folder} has parts, and no {MANIFEST} that says of what"
                    ))
                    .hint("name another folder, or begin again with --restart"));
                }
                return self.write_manifest();
            }
            Err(error) => {
                return Err(CliError::new(format!("{} cannot be read: {error}", path.display())));
            }
            Ok(bytes) => serde_json::from_slice::<Manifest>(&bytes).map_err(|error| {
                CliError::new(format!("{} cannot be read: {error}", path.display()))
            })?,
        };
        if let Some(difference) = self.manifest.difference(&other) {
            return Err(CliError::new(format!("{folder} belongs to another run: {difference}"))
                .hint("name another folder, or begin again with --restart"));
        }
        self.manifest.complete = other.complete;
        Ok(())
    }

    fn write_manifest(&self) -> Result<(), CliError> {
        let path = self.folder.join(MANIFEST);
        let json = serde_json::to_string_pretty(&self.manifest).expect("a manifest is JSON") + "\n";
        files::write(&path, json).map_err(|error| cannot_write(&path.display().to_string(), &error))
    }

    /// Rows in parts that have their names.
    pub fn rows_done(&self) -> u64 {
        self.rows
    }

    /// Is every row written?
    pub fn is_complete(&self) -> bool {
        self.manifest.complete.is_some()
    }

    /// Rows that say why there is no answer.
    pub fn unanswered(&self) -> u64 {
        self.unanswered
    }

    fn part(&self, number: u64) -> PathBuf {
        self.folder.join(format!("part-{number:06}.{}", self.manifest.ending()))
    }

    /// Writes one row; its text ends with a line end.
    pub fn write(&mut self, row: &str) -> Result<(), CliError> {
        let path = self.part(self.parts);
        let written = self.write_into(&path, row.as_bytes());
        written.map_err(|error| cannot_write(&path.display().to_string(), &error))
    }

    fn write_into(&mut self, path: &Path, row: &[u8]) -> io::Result<()> {
        if self.open.is_none() {
            let mut file = WholeFile::create(path)?;
            file.write_all(self.manifest.columns.as_bytes())?;
            self.open = Some(file);
        }
        self.open.as_mut().expect("it was opened just now").write_all(row)?;
        self.rows += 1;
        self.unanswered += u64::from(self.manifest.is_unanswered(row));
        if self.rows.is_multiple_of(self.manifest.rows_per_part) { self.commit() } else { Ok(()) }
    }

    fn commit(&mut self) -> io::Result<()> {
        if let Some(file) = self.open.take() {
            file.commit()?;
            self.parts += 1;
        }
        Ok(())
    }

    /// Gives the last part its name and says that nothing is missing. Returns how many rows and parts there are.
    pub fn finish(mut self) -> Result<(u64, u64), CliError> {
        let path = self.part(self.parts);
        self.commit().map_err(|error| cannot_write(&path.display().to_string(), &error))?;
        let (rows, parts, unanswered) = (self.rows, self.parts, self.unanswered);
        if rows > 0 {
            self.manifest.complete = Some(Complete { rows, parts, unanswered });
            self.write_manifest()?;
        }
        Ok((rows, parts))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(folder: &Path, rows_per_part: u64) -> Result<Job, CliError> {
        Job::open(
            &folder.to_string_lossy(),
            Manifest::of_wish("n\n", "numbers", rows_per_part),
            false,
        )
    }

    fn write_all(job: &mut Job, rows: std::ops::Range<u64>) {
        rows.for_each(|row| job.write(&format!("{row}\n")).unwrap());
    }

    #[test]
    fn a_run_that_was_stopped_goes_on_behind_its_last_whole_part() {
        let folder = tempfile::tempdir().unwrap();
        let mut first = job(folder.path(), 10).unwrap();
        write_all(&mut first, 0..27);
        // As if the process had been killed: the part on its way is neither committed nor removed.
        std::mem::forget(first.open.take());
        drop(first);
        let mut second = job(folder.path(), 10).unwrap();
        assert_eq!(second.rows_done(), 20);
        write_all(&mut second, 20..35);
        assert_eq!(second.finish().unwrap(), (35, 4));
        let parts = (0..4)
            .map(|n| fs::read_to_string(folder.path().join(format!("part-{n:06}.csv"))).unwrap());
        let rows: Vec<String> = parts
            .flat_map(|part| part.lines().skip(1).map(str::to_string).collect::<Vec<_>>())
            .collect();
        assert_eq!(rows, (0..35).map(|row| row.to_string()).collect::<Vec<_>>());
        assert!(job(folder.path(), 10).unwrap().is_complete());
        let left = fs::read_dir(folder.path()).unwrap().filter(|entry| {
            entry.as_ref().is_ok_and(|entry| entry.file_name().to_string_lossy().ends_with(".new"))
        });
        assert_eq!(left.count(), 0);
    }

    #[test]
    fn a_last_part_behind_which_the_process_was_killed_is_made_again() {
        let folder = tempfile::tempdir().unwrap();
        let mut first = job(folder.path(), 10).unwrap();
        write_all(&mut first, 0..17);
        first.commit().unwrap();
        drop(first);
        let mut second = job(folder.path(), 10).unwrap();
        assert_eq!(second.rows_done(), 10);
        write_all(&mut second, 10..17);
        assert_eq!(second.finish().unwrap(), (17, 2));
    }

    #[test]
    fn rows_without_an_answer_are_counted_in_the_parts_that_are_there() {
        let folder = tempfile::tempdir().unwrap();
        let open = || {
            let manifest = Manifest::of_wish("puzzle,why\n", "answers", 3);
            Job::open(&folder.path().to_string_lossy(), manifest, false).unwrap()
        };
        let mut first = open();
        ["1,\n", "2,\"no, none\"\n", "3,\n"].iter().for_each(|row| first.write(row).unwrap());
        drop(first);
        let mut second = open();
        assert_eq!((second.rows_done(), second.unanswered()), (3, 1));
        second.write("4,none\n").unwrap();
        second.finish().unwrap();
        assert_eq!(open().unanswered(), 2);
    }

    #[test]
    fn a_folder_of_another_run_is_not_touched() {
        let folder = tempfile::tempdir().unwrap();
        let mut first = job(folder.path(), 10).unwrap();
        write_all(&mut first, 0..10);
        assert!(job(folder.path(), 10).unwrap_err().message.contains("another process"));
        drop(first);
        let other = job(folder.path(), 20).unwrap_err();
        assert!(other.message.contains("rows_per_part was 10, and is 20 now"), "{other}");
        let again = Job::open(
            &folder.path().to_string_lossy(),
            Manifest::of_wish("n\n", "numbers", 20),
            true,
        )
        .unwrap();
        assert_eq!(again.rows_done(), 0);
        drop(again);
        assert!(!folder.path().join("part-000000.csv").exists());
    }

    #[test]
    fn an_input_that_has_changed_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list.txt");
        let name = path.to_string_lossy().into_owned();
        fs::write(&path, "1..4..1..3..4..3\n").unwrap();
        let before =
            Manifest::of_files("solve", "puzzle\n".to_string(), std::slice::from_ref(&name), 5)
                .unwrap();
        fs::write(&path, "1..4..1..3..4..2\n").unwrap();
        let after = Manifest::of_files("solve", "puzzle\n".to_string(), &[name], 5).unwrap();
        assert!(after.difference(&before).unwrap().starts_with("inputs was"));
        assert!(Manifest::of_files("solve", String::new(), &["-".to_string()], 5).is_err());
    }
}
