//! Puzzles written in the format the user chose: this is where several verbs hand them over.

use crate::console::{Console, Part};
use crate::error::CliError;
use crate::input::format_names;
use crate::words;
use clap::Args;
use formats::{Entry, Format, WriteError, Writer, solution_numbers};
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};

/// How to write puzzles.
#[derive(Args, Debug)]
pub struct Writing {
    /// The format of the output
    #[arg(long, value_name = "FORMAT", default_value = "line", value_parser = format_names())]
    pub to: Format,

    /// Write the solutions into this file as numbers, line by line (Kocherzhenko's second file)
    #[arg(long, value_name = "FILE")]
    pub write_solutions: Option<String>,
}

/// Puzzles on their way to standard output.
pub struct Output {
    /// What it has written goes on to the console at once.
    writer: Writer<Vec<u8>>,
    solutions: Option<Solutions>,
}

struct Solutions {
    path: String,
    file: BufWriter<File>,
}

impl Output {
    /// Opens the files and writes what stands before the first puzzle.
    pub fn start(options: &Writing, console: &mut Console) -> Result<Output, CliError> {
        if options.to == Format::Parquet && io::stdout().is_terminal() {
            return Err(CliError::new("a Parquet file is not text for a terminal").hint("add > puzzles.parquet"));
        }
        let writer = Writer::new(options.to, Vec::new()).map_err(|error| explained(&error, "standard output"))?;
        let solutions = match &options.write_solutions {
            None => None,
            Some(path) => {
                let file = File::create(path).map_err(|error| cannot_write(path, &error))?;
                Some(Solutions { path: path.clone(), file: BufWriter::new(file) })
            }
        };
        let mut output = Output { writer, solutions };
        output.hand_on(console);
        Ok(output)
    }

    /// Writes one puzzle; trouble if the format cannot hold it.
    pub fn write(&mut self, entry: &Entry, console: &mut Console) -> Result<(), CliError> {
        self.writer.write(entry).map_err(|error| explained(&error, "standard output"))?;
        if let Some(solutions) = &mut self.solutions {
            let line = solution_numbers(entry).ok_or_else(|| {
                CliError::new("there is no solution to write").hint("convert --solve finds the missing ones")
            })?;
            let written = solutions.file.write_all(line.as_bytes());
            written.map_err(|error| cannot_write(&solutions.path, &error))?;
        }
        self.hand_on(console);
        console.print(Part { puzzles: 1, ..Part::default() });
        Ok(())
    }

    /// Writes what stands after the last puzzle.
    pub fn end(self, console: &mut Console) -> Result<(), CliError> {
        let rest = self.writer.finish().map_err(|error| explained(&error, "standard output"))?;
        console.write(&rest);
        match self.solutions {
            Some(mut solutions) => solutions.file.flush().map_err(|error| cannot_write(&solutions.path, &error)),
            None => Ok(()),
        }
    }

    fn hand_on(&mut self, console: &mut Console) {
        let written = self.writer.sink();
        console.write(written);
        written.clear();
    }
}

/// Puzzles on their way into a file of their own.
pub struct PuzzleFile {
    path: String,
    writer: Writer<BufWriter<File>>,
}

impl PuzzleFile {
    /// Makes the file and writes what stands before the first puzzle.
    pub fn create(path: &str, format: Format) -> Result<PuzzleFile, CliError> {
        let file = File::create(path).map_err(|error| cannot_write(path, &error))?;
        let writer = Writer::new(format, BufWriter::new(file)).map_err(|error| explained(&error, path))?;
        Ok(PuzzleFile { path: path.to_string(), writer })
    }

    /// Writes one puzzle; trouble if the format cannot hold it.
    pub fn write(&mut self, entry: &Entry) -> Result<(), CliError> {
        self.writer.write(entry).map_err(|error| explained(&error, &self.path))
    }

    /// Writes what stands after the last puzzle, and says where the file lies.
    pub fn end(self) -> Result<String, CliError> {
        self.writer.finish().map_err(|error| explained(&error, &self.path))?;
        Ok(self.path)
    }
}

fn explained(error: &WriteError, path: &str) -> CliError {
    let words = CliError::new(error.to_string());
    match error {
        WriteError::OnlyOne { format: Format::Sdk } => {
            words.hint("--to sdm writes a collection that the same programs read")
        }
        WriteError::OnlyOne { .. } => words.hint("--to marks writes several puzzles with their candidates"),
        WriteError::DoesNotFit { .. } => words.hint("--to line and --to json hold puzzles of every size"),
        WriteError::Stream(error) => cannot_write(path, error),
        _ => words,
    }
}

/// A file that cannot be written.
pub fn cannot_write(path: &str, error: &std::io::Error) -> CliError {
    CliError::new(format!("{path} cannot be written: {error}"))
}

/// Says how many entries were left out.
pub fn report_skipped(skipped: u64, quiet: bool) {
    if skipped > 0 && !quiet {
        eprintln!("{}", words::counted(skipped, "bad entry was left out", "bad entries were left out"));
    }
}
