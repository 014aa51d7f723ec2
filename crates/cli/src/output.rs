//! Puzzles written in the format the user chose: this is where several verbs hand them over.

use crate::console::Console;
use crate::error::CliError;
use crate::input::format_names;
use crate::words;
use clap::Args;
use files::WholeFile;
use formats::{Entry, Format, WriteError, Writer, solution_numbers};
use std::io::{self, IsTerminal, Write};
use std::path::Path;

/// How to write puzzles.
#[derive(Args, Debug)]
pub struct Writing {
    /// The format of the output
    #[arg(long, value_name = "FORMAT", default_value = "line", value_parser = format_names())]
    pub to: Format,

    /// Write into this file instead of to stdout; it gets its name when it is whole
    #[arg(long, short = 'o', value_name = "FILE")]
    pub out: Option<String>,

    /// Write the solutions into this file as numbers, line by line (Kocherzhenko's second file)
    #[arg(long, value_name = "FILE")]
    pub write_solutions: Option<String>,
}

/// Puzzles on their way to standard output, or into the file that the user names.
pub struct Output {
    /// What it has written goes on at once.
    writer: Writer<Vec<u8>>,
    file: Option<NamedFile>,
    solutions: Option<NamedFile>,
}

/// A file that is being written, and its name.
pub struct NamedFile {
    path: String,
    file: WholeFile,
}

impl NamedFile {
    /// Begins the file.
    pub fn create(path: &str) -> Result<NamedFile, CliError> {
        let file = WholeFile::create(path).map_err(|error| cannot_write(path, &error))?;
        Ok(NamedFile { path: path.to_string(), file })
    }

    /// Writes on.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), CliError> {
        self.file.write_all(bytes).map_err(|error| cannot_write(&self.path, &error))
    }

    /// Gives the file its name.
    pub fn commit(self) -> Result<(), CliError> {
        self.file.commit().map_err(|error| cannot_write(&self.path, &error))
    }
}

impl Output {
    /// Opens the files and writes what stands before the first puzzle.
    pub fn start(options: &Writing, console: &mut Console) -> Result<Output, CliError> {
        if options.to == Format::Parquet && options.out.is_none() && io::stdout().is_terminal() {
            return Err(CliError::new("a Parquet file is not text for a terminal")
                .hint("add -o puzzles.parquet"));
        }
        let file = options.out.as_deref().map(NamedFile::create).transpose()?;
        let solutions = options.write_solutions.as_deref().map(NamedFile::create).transpose()?;
        let writer = Writer::new(options.to, Vec::new())
            .map_err(|error| explained(&error, "standard output"))?;
        let mut output = Output { writer, file, solutions };
        output.hand_on(console)?;
        Ok(output)
    }

    /// Writes one puzzle; trouble if the format cannot hold it.
    pub fn write(&mut self, entry: &Entry, console: &mut Console) -> Result<(), CliError> {
        self.writer.write(entry).map_err(|error| explained(&error, "standard output"))?;
        if let Some(solutions) = &mut self.solutions {
            let line = solution_numbers(entry).ok_or_else(|| {
                CliError::new("there is no solution to write")
                    .hint("convert --solve finds the missing ones")
            })?;
            solutions.write(line.as_bytes())?;
        }
        self.hand_on(console)?;
        console.count(1);
        Ok(())
    }

    /// Writes what stands after the last puzzle, and gives the files their names.
    pub fn end(mut self, console: &mut Console) -> Result<(), CliError> {
        let rest = self.writer.finish().map_err(|error| explained(&error, "standard output"))?;
        match self.file.take() {
            Some(mut file) => {
                file.write(&rest)?;
                file.commit()?;
            }
            None => console.write(&rest),
        }
        self.solutions.map_or(Ok(()), NamedFile::commit)
    }

    fn hand_on(&mut self, console: &mut Console) -> Result<(), CliError> {
        let written = self.writer.sink();
        match &mut self.file {
            Some(file) => file.write(written)?,
            None => console.write(written),
        }
        written.clear();
        Ok(())
    }
}

/// Puzzles on their way into a file of their own.
pub struct PuzzleFile {
    path: String,
    writer: Writer<WholeFile>,
}

impl PuzzleFile {
    /// Begins the file and writes what stands before the first puzzle.
    pub fn create(path: &str, format: Format) -> Result<PuzzleFile, CliError> {
        let file = WholeFile::create(path).map_err(|error| cannot_write(path, &error))?;
        let writer = Writer::new(format, file).map_err(|error| explained(&error, path))?;
        Ok(PuzzleFile { path: path.to_string(), writer })
    }

    /// Writes one puzzle; trouble if the format cannot hold it.
    pub fn write(&mut self, entry: &Entry) -> Result<(), CliError> {
        self.writer.write(entry).map_err(|error| explained(&error, &self.path))
    }

    /// Writes what stands after the last puzzle. The file is whole then, but has no name yet.
    pub fn finish(self) -> Result<FinishedFile, CliError> {
        let file = self.writer.finish().map_err(|error| explained(&error, &self.path))?;
        Ok(FinishedFile(NamedFile { path: self.path, file }))
    }
}

/// A whole file that waits for its name.
pub struct FinishedFile(NamedFile);

impl FinishedFile {
    /// Gives the file its name, and says what it is.
    pub fn commit(self) -> Result<String, CliError> {
        let path = self.0.path.clone();
        self.0.commit()?;
        Ok(path)
    }
}

fn explained(error: &WriteError, path: &str) -> CliError {
    let words = CliError::new(error.to_string());
    match error {
        WriteError::OnlyOne { format: Format::Sdk } => {
            words.hint("--to sdm writes a collection that the same programs read")
        }
        WriteError::OnlyOne { .. } => {
            words.hint("--to marks writes several puzzles with their candidates")
        }
        WriteError::DoesNotFit { .. } => {
            words.hint("--to line and --to json hold puzzles of every size")
        }
        WriteError::Stream(error) => cannot_write(path, error),
        _ => words,
    }
}

/// Writes a whole text file.
pub fn write_file(path: &Path, text: impl AsRef<[u8]>) -> Result<(), CliError> {
    files::write(path, text).map_err(|error| cannot_write(&path.display().to_string(), &error))
}

/// A file that cannot be written.
pub fn cannot_write(path: &str, error: &std::io::Error) -> CliError {
    CliError::new(format!("{path} cannot be written: {error}"))
}

/// Says how many entries were left out.
pub fn report_skipped(skipped: u64, quiet: bool) {
    if skipped > 0 && !quiet {
        eprintln!(
            "{}",
            words::counted(skipped, "bad entry was left out", "bad entries were left out")
        );
    }
}
