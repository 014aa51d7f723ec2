//! The output directory of a batch: part files and a manifest.
//!
//! The manifest describes the inputs and options of the run. A run with another manifest does not
//! change the directory. The manifest also contains the number of parts that the run has begun, so
//! that a run never takes or deletes part files that it did not write. A lock file excludes other processes; the operating system releases the
//! lock of a process that was killed.

use crate::error::CliError;
use crate::output::cannot_write;
use ninefold_files::AtomicFile;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The description of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of Ninefold. Another version may produce other results.
    ninefold: String,
    task: String,
    /// The header line of each part; empty for JSON lines.
    columns: String,
    inputs: Vec<InputFile>,
    /// The options of `batch generate`, which reads no files.
    #[serde(alias = "wish")]
    options: Option<String>,
    rows_per_part: u64,
    /// The number of parts that exist, including one that may not be complete yet. Older versions
    /// did not write it.
    #[serde(default)]
    parts: Option<u64>,
    /// The totals, after all rows have been written.
    complete: Option<Complete>,
}

/// An input file, with data to detect changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct InputFile {
    path: String,
    bytes: u64,
    /// The checksum of the beginning and the end.
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
    /// The manifest of a run that reads files.
    pub fn for_files(
        task: &str,
        columns: String,
        inputs: &[String],
        rows_per_part: u64,
    ) -> Result<Manifest, CliError> {
        let inputs = inputs.iter().map(|path| InputFile::of(path)).collect::<Result<_, _>>()?;
        Ok(Manifest { inputs, ..Manifest::new(task, columns, rows_per_part) })
    }

    /// The manifest of a run that generates puzzles.
    pub fn for_generation(columns: &str, options: &str, rows_per_part: u64) -> Manifest {
        Manifest {
            options: Some(options.to_string()),
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
            options: None,
            rows_per_part,
            parts: Some(0),
            complete: None,
        }
    }

    /// The first difference between two manifests.
    fn difference(&self, other: &Manifest) -> Option<String> {
        let text =
            |manifest: &Manifest| serde_json::to_value(manifest).expect("a manifest is JSON");
        let (ours, theirs) = (text(self), text(other));
        let keys = ["ninefold", "task", "columns", "inputs", "options", "rows_per_part"];
        keys.into_iter()
            .find(|&key| ours[key] != theirs[key])
            .map(|key| format!("{key} was {} and is now {}", theirs[key], ours[key]))
    }

    fn part_name(&self, number: u64) -> String {
        format!("part-{number:06}.{}", self.extension())
    }

    fn extension(&self) -> &'static str {
        if self.columns.is_empty() { "jsonl" } else { "csv" }
    }

    /// True if the row has no result. The last column of a table then contains the reason.
    fn is_missing(&self, row: &[u8]) -> bool {
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
                "standard input is not supported, because a resumed run reads its input again",
            )
            .hint("write the puzzles to a file, or use `ninefold solve -`"));
        }
        if Path::new(path).is_dir() {
            return Err(CliError::new(format!("{path} is a directory"))
                .hint(format!("pass the files in it: {path}/*")));
        }
        if fs::metadata(path).is_ok_and(|file| !file.is_file()) {
            return Err(CliError::new(format!(
                "{path} is not a file, and a resumed run reads its input again"
            ))
            .hint("write the puzzles to a file, or use `ninefold solve`"));
        }
        let read = || -> io::Result<InputFile> {
            const ENDS: u64 = 1 << 16;
            let mut file = File::open(path)?;
            let bytes = file.metadata()?.len();
            let mut ends = Vec::new();
            Read::by_ref(&mut file).take(ENDS).read_to_end(&mut ends)?;
            file.seek(SeekFrom::Start(bytes.saturating_sub(ENDS)))?;
            file.take(ENDS).read_to_end(&mut ends)?;
            Ok(InputFile {
                path: path.to_string(),
                bytes,
                checksum: format!("{:016x}", checksum(&ends)),
            })
        };
        read().map_err(|error| CliError::cannot_read(path, error))
    }
}

/// FNV-1a, which gives the same result on every machine.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// An output directory that is open for writing.
#[derive(Debug)]
pub struct Job {
    directory: PathBuf,
    manifest: Manifest,
    /// The number of committed parts.
    parts: u64,
    rows: u64,
    /// The number of rows without a result.
    missing: u64,
    /// The part that is being written.
    open: Option<AtomicFile>,
    _lock: File,
}

impl Job {
    /// Opens the directory of a new or interrupted run.
    pub fn open(directory: &str, manifest: Manifest, restart: bool) -> Result<Job, CliError> {
        let unusable = |error: io::Error| cannot_write(directory, &error);
        let path = PathBuf::from(directory);
        fs::create_dir_all(&path).map_err(unusable)?;
        let lock = File::create(path.join(".lock")).map_err(unusable)?;
        if lock.try_lock().is_err() {
            return Err(CliError::new(format!("another process is using {directory}"))
                .hint("wait for it, or use another directory"));
        }
        let mut job = Job {
            directory: path,
            manifest,
            parts: 0,
            rows: 0,
            missing: 0,
            open: None,
            _lock: lock,
        };
        let other = job.read_manifest()?;
        job.reject_foreign_parts(directory, other.as_ref())?;
        job.remove_leftovers(other.as_ref().filter(|_| restart)).map_err(unusable)?;
        match other.filter(|_| !restart) {
            Some(other) => job.check_manifest(directory, other)?,
            None => job.write_manifest()?,
        }
        match job.manifest.complete {
            Some(Complete { rows, parts, unanswered }) => {
                (job.rows, job.parts, job.missing) = (rows, parts, unanswered);
            }
            None => job.count_complete_parts().map_err(unusable)?,
        }
        Ok(job)
    }

    /// Counts the rows of the existing parts. The last part of a run may be shorter than the
    /// others. If the run was killed before it marked the manifest as complete, that part is
    /// written again.
    fn count_complete_parts(&mut self) -> io::Result<()> {
        while self.manifest.parts.is_none_or(|parts| self.parts < parts)
            && let path = self.part(self.parts)
            && path.is_file()
        {
            let (rows, missing) = self.count_rows(&path)?;
            if rows < self.manifest.rows_per_part {
                return ninefold_files::remove(&path);
            }
            self.parts += 1;
            self.rows += rows;
            self.missing += missing;
        }
        Ok(())
    }

    /// The number of rows in a part, and how many of them have no result.
    fn count_rows(&self, path: &Path) -> io::Result<(u64, u64)> {
        let mut reader = BufReader::new(File::open(path)?);
        let (mut rows, mut missing, mut line) = (0, 0, Vec::new());
        let mut header_lines = self.manifest.columns.lines().count();
        while {
            line.clear();
            reader.read_until(b'\n', &mut line)?
        } > 0
        {
            if header_lines > 0 {
                header_lines -= 1;
                continue;
            }
            rows += 1;
            missing += u64::from(self.manifest.is_missing(&line));
        }
        Ok((rows, missing))
    }

    /// Removes temporary files of a killed process and, to restart, the parts and the manifest of
    /// the earlier run.
    fn remove_leftovers(&self, restarted: Option<&Manifest>) -> io::Result<()> {
        for entry in fs::read_dir(&self.directory)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let is_temporary = name.ends_with(".new")
                && [".part-", ".batch.json"].iter().any(|mark| name.starts_with(mark));
            let is_output = restarted
                .is_some_and(|manifest| name == MANIFEST || self.is_part_of(&name, manifest));
            if is_temporary || is_output {
                fs::remove_file(path)?;
            }
        }
        Ok(())
    }

    /// Whether a file with this name is a part of the run with this manifest.
    fn is_part_of(&self, name: &str, manifest: &Manifest) -> bool {
        let ending = format!(".{}", manifest.extension());
        let number = name.strip_prefix("part-").and_then(|name| name.strip_suffix(&ending));
        let number = number.and_then(|number| number.parse().ok());
        number.is_some_and(|number: u64| {
            let is_written = manifest.parts.is_none_or(|parts| number < parts);
            is_written && name == manifest.part_name(number)
        })
    }

    /// Rejects a directory with parts that no run in it has written: a reader of all parts would
    /// mix them with the results, and this run could replace them.
    fn reject_foreign_parts(
        &self,
        directory: &str,
        manifest: Option<&Manifest>,
    ) -> Result<(), CliError> {
        let failed = |error: io::Error| CliError::cannot_read(directory, error);
        for entry in fs::read_dir(&self.directory).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name().to_string_lossy().into_owned();
            let is_part = name.starts_with("part-")
                && [".csv", ".jsonl"].iter().any(|ending| name.ends_with(ending));
            if is_part && !manifest.is_some_and(|manifest| self.is_part_of(&name, manifest)) {
                return Err(CliError::new(format!(
                    "{directory} contains {name}, which no run in this directory has written"
                ))
                .hint("move it, or use another directory"));
            }
        }
        Ok(())
    }

    fn read_manifest(&self) -> Result<Option<Manifest>, CliError> {
        let path = self.directory.join(MANIFEST);
        let failed = |error: &dyn std::fmt::Display| CliError::cannot_read(path.display(), error);
        match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed(&error)),
            Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|error| failed(&error)),
        }
    }

    /// Checks that the directory belongs to this run.
    fn check_manifest(&mut self, directory: &str, other: Manifest) -> Result<(), CliError> {
        if let Some(difference) = self.manifest.difference(&other) {
            return Err(CliError::new(format!("{directory} belongs to another run: {difference}"))
                .hint("use another directory, or start again with --restart"));
        }
        (self.manifest.parts, self.manifest.complete) = (other.parts, other.complete);
        Ok(())
    }

    fn write_manifest(&self) -> Result<(), CliError> {
        let path = self.directory.join(MANIFEST);
        self.save_manifest().map_err(|error| cannot_write(&path.display().to_string(), &error))
    }

    fn save_manifest(&self) -> io::Result<()> {
        let json = serde_json::to_string_pretty(&self.manifest).expect("a manifest is JSON") + "\n";
        ninefold_files::write(self.directory.join(MANIFEST), json)
    }

    /// The number of rows in committed parts.
    pub fn rows_done(&self) -> u64 {
        self.rows
    }

    /// True if all rows have been written.
    pub fn is_complete(&self) -> bool {
        self.manifest.complete.is_some()
    }

    /// The number of rows without a result.
    pub fn missing_results(&self) -> u64 {
        self.missing
    }

    fn part(&self, number: u64) -> PathBuf {
        self.directory.join(self.manifest.part_name(number))
    }

    /// Writes rows, each of which ends with a line feed. Returns the number of rows.
    pub fn write(&mut self, lines: &str) -> Result<u64, CliError> {
        let before = self.rows;
        let written = self.write_lines(lines.as_bytes());
        written
            .map_err(|error| cannot_write(&self.part(self.parts).display().to_string(), &error))?;
        Ok(self.rows - before)
    }

    fn write_lines(&mut self, mut lines: &[u8]) -> io::Result<()> {
        while !lines.is_empty() {
            let mut file = match self.open.take() {
                Some(file) => file,
                None => {
                    let mut file = AtomicFile::create(self.part(self.parts))?;
                    file.write_all(self.manifest.columns.as_bytes())?;
                    file
                }
            };
            let room = self.manifest.rows_per_part - self.rows % self.manifest.rows_per_part;
            let mut end = 0;
            for row in lines.split_inclusive(|&byte| byte == b'\n').take(room as usize) {
                end += row.len();
                self.rows += 1;
                self.missing += u64::from(self.manifest.is_missing(row));
            }
            file.write_all(&lines[..end])?;
            self.open = Some(file);
            lines = &lines[end..];
            if self.rows.is_multiple_of(self.manifest.rows_per_part) {
                self.commit()?;
            }
        }
        Ok(())
    }

    fn commit(&mut self) -> io::Result<()> {
        if let Some(file) = self.open.take() {
            // First, so that every part is known to be ours.
            self.manifest.parts = Some(self.parts + 1);
            self.save_manifest()?;
            file.commit()?;
            self.parts += 1;
        }
        Ok(())
    }

    /// Commits the last part and marks the manifest as complete. Returns the number of rows and
    /// parts.
    pub fn finish(mut self) -> Result<(u64, u64), CliError> {
        let path = self.part(self.parts);
        self.commit().map_err(|error| cannot_write(&path.display().to_string(), &error))?;
        let (rows, parts, unanswered) = (self.rows, self.parts, self.missing);
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

    fn job(directory: &Path, rows_per_part: u64) -> Result<Job, CliError> {
        Job::open(
            &directory.to_string_lossy(),
            Manifest::for_generation("n\n", "numbers", rows_per_part),
            false,
        )
    }

    fn write_all(job: &mut Job, rows: std::ops::Range<u64>) {
        rows.for_each(|row| assert_eq!(job.write(&format!("{row}\n")).unwrap(), 1));
    }

    #[test]
    fn resumes_after_the_last_complete_part() {
        let directory = tempfile::tempdir().unwrap();
        let mut first = job(directory.path(), 10).unwrap();
        write_all(&mut first, 0..27);
        // As if the process had been killed: the part on its way is neither committed nor removed.
        std::mem::forget(first.open.take());
        drop(first);
        let mut second = job(directory.path(), 10).unwrap();
        assert_eq!(second.rows_done(), 20);
        write_all(&mut second, 20..35);
        assert_eq!(second.finish().unwrap(), (35, 4));
        let parts = (0..4).map(|n| {
            fs::read_to_string(directory.path().join(format!("part-{n:06}.csv"))).unwrap()
        });
        let rows: Vec<String> = parts
            .flat_map(|part| part.lines().skip(1).map(str::to_string).collect::<Vec<_>>())
            .collect();
        assert_eq!(rows, (0..35).map(|row| row.to_string()).collect::<Vec<_>>());
        assert!(job(directory.path(), 10).unwrap().is_complete());
        let left = fs::read_dir(directory.path()).unwrap().filter(|entry| {
            entry.as_ref().is_ok_and(|entry| entry.file_name().to_string_lossy().ends_with(".new"))
        });
        assert_eq!(left.count(), 0);
    }

    #[test]
    fn several_rows_at_once_are_divided_into_parts() {
        let directory = tempfile::tempdir().unwrap();
        let mut job = job(directory.path(), 4).unwrap();
        assert_eq!(job.write("0\n1\n2\n").unwrap(), 3);
        assert_eq!(job.write("").unwrap(), 0);
        assert_eq!(job.write("3\n4\n5\n6\n7\n8\n").unwrap(), 6);
        assert_eq!(job.finish().unwrap(), (9, 3));
        for (part, rows) in ["n\n0\n1\n2\n3\n", "n\n4\n5\n6\n7\n", "n\n8\n"].iter().enumerate() {
            let path = directory.path().join(format!("part-{part:06}.csv"));
            assert_eq!(fs::read_to_string(path).unwrap(), *rows);
        }
    }

    #[test]
    fn rewrites_a_short_last_part_of_a_killed_run() {
        let directory = tempfile::tempdir().unwrap();
        let mut first = job(directory.path(), 10).unwrap();
        write_all(&mut first, 0..17);
        first.commit().unwrap();
        drop(first);
        let mut second = job(directory.path(), 10).unwrap();
        assert_eq!(second.rows_done(), 10);
        write_all(&mut second, 10..17);
        assert_eq!(second.finish().unwrap(), (17, 2));
    }

    #[test]
    fn counts_missing_results_in_existing_parts() {
        let directory = tempfile::tempdir().unwrap();
        let open = || {
            let manifest = Manifest::for_generation("puzzle,why\n", "answers", 3);
            Job::open(&directory.path().to_string_lossy(), manifest, false).unwrap()
        };
        let mut first = open();
        first.write("1,\n2,\"no, none\"\n3,\n").unwrap();
        drop(first);
        let mut second = open();
        assert_eq!((second.rows_done(), second.missing_results()), (3, 1));
        second.write("4,none\n").unwrap();
        second.finish().unwrap();
        assert_eq!(open().missing_results(), 2);
    }

    #[test]
    fn rejects_the_directory_of_another_run() {
        let directory = tempfile::tempdir().unwrap();
        let mut first = job(directory.path(), 10).unwrap();
        write_all(&mut first, 0..10);
        assert!(job(directory.path(), 10).unwrap_err().message.contains("another process"));
        drop(first);
        let other = job(directory.path(), 20).unwrap_err();
        assert!(other.message.contains("rows_per_part was 10 and is now 20"), "{other}");
        let again = Job::open(
            &directory.path().to_string_lossy(),
            Manifest::for_generation("n\n", "numbers", 20),
            true,
        )
        .unwrap();
        assert_eq!(again.rows_done(), 0);
        drop(again);
        assert!(!directory.path().join("part-000000.csv").exists());
    }

    #[test]
    fn foreign_parts_are_neither_taken_nor_deleted() {
        for has_run in [false, true] {
            for name in ["part-000000.csv", "part-000005.csv", "part-of-mine.csv", "part-1.jsonl"] {
                let directory = tempfile::tempdir().unwrap();
                if has_run {
                    let mut first = job(directory.path(), 10).unwrap();
                    write_all(&mut first, 0..27);
                    drop(first);
                    if name == "part-000000.csv" {
                        continue;
                    }
                }
                let path = directory.path().join(name);
                fs::write(&path, "mine\n").unwrap();
                for restart in [false, true] {
                    let manifest = Manifest::for_generation("n\n", "numbers", 10);
                    let opened = Job::open(&directory.path().to_string_lossy(), manifest, restart);
                    let error = opened.unwrap_err();
                    assert!(error.message.contains(name), "{error}");
                    assert_eq!(fs::read_to_string(&path).unwrap(), "mine\n");
                }
                assert_eq!(directory.path().join("part-000001.csv").exists(), has_run);
            }
        }
    }

    #[test]
    fn continues_runs_of_versions_that_did_not_count_parts() {
        let directory = tempfile::tempdir().unwrap();
        let mut first = job(directory.path(), 10).unwrap();
        write_all(&mut first, 0..27);
        drop(first);
        let path = directory.path().join(MANIFEST);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replace("\"parts\": 2,", "")).unwrap();
        assert_ne!(fs::read_to_string(&path).unwrap(), text);
        assert_eq!(job(directory.path(), 10).unwrap().rows_done(), 20);
    }

    #[test]
    fn detects_changed_inputs() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("list.txt");
        let name = path.to_string_lossy().into_owned();
        fs::write(&path, "1..4..1..3..4..3\n").unwrap();
        let before =
            Manifest::for_files("solve", "puzzle\n".to_string(), std::slice::from_ref(&name), 5)
                .unwrap();
        fs::write(&path, "1..4..1..3..4..2\n").unwrap();
        let after = Manifest::for_files("solve", "puzzle\n".to_string(), &[name], 5).unwrap();
        assert!(after.difference(&before).unwrap().starts_with("inputs was"));
        assert!(Manifest::for_files("solve", String::new(), &["-".to_string()], 5).is_err());
    }
}
