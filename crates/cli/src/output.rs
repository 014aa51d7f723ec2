//! Writes puzzles in the chosen format, to stdout or to a file.

use crate::console::Console;
use crate::error::CliError;
use crate::humanize;
use crate::input::format_parser;
use ninefold_files::AtomicFile;
use ninefold_formats::{Entry, Format, WriteError, Writer, solution_numbers};
use std::io::{self, IsTerminal, Write};
use std::path::Path;

#[derive(clap::Args, Debug)]
pub struct OutputArgs {
    /// Format of the output [default: line]
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    pub to: Option<Format>,

    /// Write to this file instead of stdout. The file appears when it is complete
    #[arg(long, short = 'o', value_name = "FILE")]
    pub out: Option<String>,

    /// Also write the solutions to this file, one per line, as numbers with spaces (Kocherzhenko's
    /// format)
    #[arg(long, value_name = "FILE")]
    pub write_solutions: Option<String>,
}

pub struct Output {
    /// Formats into memory. The bytes are passed on after every entry.
    writer: Writer<Vec<u8>>,
    file: Option<NamedFile>,
    solutions: Option<NamedFile>,
}

/// A file that is being written. It appears under its name when it is committed.
pub struct NamedFile {
    path: String,
    file: AtomicFile,
}

impl NamedFile {
    pub fn create(path: &str) -> Result<NamedFile, CliError> {
        let file = AtomicFile::create(path).map_err(|error| cannot_write(path, &error))?;
        Ok(NamedFile { path: path.to_string(), file })
    }

    pub fn write(&mut self, bytes: &[u8]) -> Result<(), CliError> {
        self.file.write_all(bytes).map_err(|error| cannot_write(&self.path, &error))
    }

    pub fn commit(self) -> Result<(), CliError> {
        self.file.commit().map_err(|error| cannot_write(&self.path, &error))
    }
}

impl Output {
    /// Opens the files and writes the header of the format.
    pub fn open(args: &OutputArgs, console: &mut Console) -> Result<Output, CliError> {
        Output::open_as(args, Format::Line, console)
    }

    /// Like [`open`](Output::open), with another default format.
    pub fn open_as(
        args: &OutputArgs,
        default: Format,
        console: &mut Console,
    ) -> Result<Output, CliError> {
        let format = args.to.unwrap_or(default);
        if format == Format::Parquet && args.out.is_none() && io::stdout().is_terminal() {
            return Err(CliError::new("cannot print a Parquet file to a terminal")
                .hint("add -o puzzles.parquet"));
        }
        let file = args.out.as_deref().map(NamedFile::create).transpose()?;
        let solutions = args.write_solutions.as_deref().map(NamedFile::create).transpose()?;
        let writer = Writer::new(format, Vec::new())
            .map_err(|error| write_error(&error, "standard output"))?;
        let mut output = Output { writer, file, solutions };
        output.forward(console)?;
        Ok(output)
    }

    /// Writes one entry. An entry that does not fit the format is an error.
    pub fn write(&mut self, entry: &Entry, console: &mut Console) -> Result<(), CliError> {
        self.writer.write(entry).map_err(|error| write_error(&error, "standard output"))?;
        if let Some(solutions) = &mut self.solutions {
            let line = solution_numbers(entry).ok_or_else(|| {
                CliError::new("the puzzle has no known solution to write")
                    .hint("`ninefold convert --solve` adds missing solutions")
            })?;
            solutions.write(line.as_bytes())?;
        }
        self.forward(console)?;
        console.count(1);
        Ok(())
    }

    /// Writes the footer of the format and commits the files.
    pub fn finish(mut self, console: &mut Console) -> Result<(), CliError> {
        let rest = self.writer.finish().map_err(|error| write_error(&error, "standard output"))?;
        if let Some(file) = &mut self.file {
            file.write(&rest)?;
        } else {
            console.write(&rest);
        }
        match (self.file.take(), self.solutions) {
            (Some(file), Some(solutions)) => {
                let path = file.path;
                ninefold_files::commit_pair(file.file, solutions.file)
                    .map_err(|error| cannot_write(&path, &error))
            }
            (file, solutions) => file.into_iter().chain(solutions).try_for_each(NamedFile::commit),
        }
    }

    fn forward(&mut self, console: &mut Console) -> Result<(), CliError> {
        let written = self.writer.sink();
        match &mut self.file {
            Some(file) => file.write(written)?,
            None => console.write(written),
        }
        written.clear();
        Ok(())
    }
}

/// Writes puzzles to one of several files of a command.
pub struct PuzzleFile {
    path: String,
    writer: Writer<AtomicFile>,
}

impl PuzzleFile {
    /// Creates the file and writes the header of the format.
    pub fn create(path: &str, format: Format) -> Result<PuzzleFile, CliError> {
        let file = AtomicFile::create(path).map_err(|error| cannot_write(path, &error))?;
        let writer = Writer::new(format, file).map_err(|error| write_error(&error, path))?;
        Ok(PuzzleFile { path: path.to_string(), writer })
    }

    /// Writes one entry. An entry that does not fit the format is an error.
    pub fn write(&mut self, entry: &Entry) -> Result<(), CliError> {
        self.writer.write(entry).map_err(|error| write_error(&error, &self.path))
    }

    /// Writes the footer of the format. The file is complete, but not yet committed.
    pub fn finish(self) -> Result<FinishedFile, CliError> {
        let file = self.writer.finish().map_err(|error| write_error(&error, &self.path))?;
        Ok(FinishedFile(NamedFile { path: self.path, file }))
    }
}

/// A complete file that still has to be committed.
pub struct FinishedFile(NamedFile);

impl FinishedFile {
    /// Commits the file and returns its path.
    pub fn commit(self) -> Result<String, CliError> {
        let path = self.0.path.clone();
        self.0.commit()?;
        Ok(path)
    }
}

fn write_error(error: &WriteError, path: &str) -> CliError {
    let shown = CliError::new(error.to_string());
    match error {
        WriteError::OnlyOne { format: Format::Sdk } => {
            shown.hint("use --to sdm for several puzzles")
        }
        WriteError::OnlyOne { .. } => {
            shown.hint("use --to marks for several puzzles with candidates")
        }
        WriteError::DoesNotFit { .. } => {
            shown.hint("--to line and --to json support puzzles of every size")
        }
        WriteError::Rule { .. } => shown.hint("--to json can contain every rule"),
        WriteError::Stream(error) => cannot_write(path, error),
        _ => shown,
    }
}

/// Writes a file atomically.
pub fn write_file(path: &Path, text: impl AsRef<[u8]>) -> Result<(), CliError> {
    ninefold_files::write(path, text)
        .map_err(|error| cannot_write(&path.display().to_string(), &error))
}

pub fn cannot_write(path: &str, error: &std::io::Error) -> CliError {
    CliError::cannot_write(path, error)
}

/// Prints the number of skipped entries to stderr.
pub fn report_skipped(skipped: u64, quiet: bool) {
    if skipped > 0 && !quiet {
        eprintln!(
            "{}",
            humanize::count(skipped, "invalid entry was skipped", "invalid entries were skipped")
        );
    }
}
