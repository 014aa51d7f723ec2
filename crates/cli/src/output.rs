//! Puzzles written in the format the user chose: this is where several verbs hand them over.

use crate::console::{Console, Part};
use crate::error::CliError;
use crate::format::{self, FileFormat};
use crate::words;
use clap::Args;
use ninefold::puzzles::format::{Entry, Format, Writer, solution_numbers};
use ninefold_parquet::TableError;
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};

/// How to write puzzles.
#[derive(Args, Debug)]
pub struct Writing {
    /// The format of the output
    #[arg(long, value_name = "FORMAT", default_value = "line", value_parser = format::names())]
    pub to: FileFormat,

    /// Write the solutions into this file as numbers, line by line (paper 2's second file)
    #[arg(long, value_name = "FILE")]
    pub write_solutions: Option<String>,
}

/// Puzzles on their way to standard output.
pub struct Output {
    form: Form<io::Stdout>,
    solutions: Option<Solutions>,
}

/// Who turns puzzles into a file.
enum Form<W: Write + Send> {
    Text(Writer, Format),
    Table(Box<ninefold_parquet::Writer<W>>),
}

struct Solutions {
    path: String,
    file: BufWriter<File>,
}

impl Output {
    /// Opens the files and writes what stands before the first puzzle.
    pub fn start(options: &Writing, console: &mut Console) -> Result<Output, CliError> {
        let form = match options.to {
            FileFormat::Text(format) => {
                let writer = Writer::new(format);
                console.print(Part { data: writer.start(), ..Part::default() });
                Form::Text(writer, format)
            }
            FileFormat::Parquet if io::stdout().is_terminal() => {
                return Err(CliError::new("a Parquet file says nothing on a screen").hint("add > puzzles.parquet"));
            }
            FileFormat::Parquet => match ninefold_parquet::Writer::new(io::stdout()) {
                Ok(writer) => Form::Table(Box::new(writer)),
                Err(error) => console.cannot_write(error.into()),
            },
        };
        let solutions = match &options.write_solutions {
            None => None,
            Some(path) => {
                let file = File::create(path).map_err(|error| cannot_write(path, &error))?;
                Some(Solutions { path: path.clone(), file: BufWriter::new(file) })
            }
        };
        Ok(Output { form, solutions })
    }

    /// Writes one puzzle; trouble if the format cannot hold it.
    pub fn write(&mut self, entry: &Entry, console: &mut Console) -> Result<(), CliError> {
        let data = match &mut self.form {
            Form::Text(writer, format) => writer.entry(entry).ok_or_else(|| does_not_fit(*format, entry))?,
            Form::Table(table) => {
                table.write(entry).unwrap_or_else(|error| console.cannot_write(error.into()));
                String::new()
            }
        };
        if let Some(solutions) = &mut self.solutions {
            let line = solution_numbers(entry).ok_or_else(|| {
                CliError::new("there is no solution to write").hint("convert --solve finds the missing ones")
            })?;
            let written = solutions.file.write_all(line.as_bytes());
            written.map_err(|error| cannot_write(&solutions.path, &error))?;
        }
        console.print(Part { data, puzzles: 1, ..Part::default() });
        Ok(())
    }

    /// Writes what stands after the last puzzle.
    pub fn end(&mut self, console: &mut Console) -> Result<(), CliError> {
        match &mut self.form {
            Form::Text(writer, _) => console.print(Part { data: writer.end(), ..Part::default() }),
            Form::Table(table) => table.finish().unwrap_or_else(|error| console.cannot_write(error.into())),
        }
        match &mut self.solutions {
            Some(solutions) => solutions.file.flush().map_err(|error| cannot_write(&solutions.path, &error)),
            None => Ok(()),
        }
    }
}

/// Puzzles on their way into a file of their own.
pub struct PuzzleFile {
    path: String,
    form: Form<File>,
    /// Where text goes.
    file: BufWriter<File>,
}

impl PuzzleFile {
    /// Makes the file and writes what stands before the first puzzle.
    pub fn create(path: &str, format: FileFormat) -> Result<PuzzleFile, CliError> {
        let cannot = |error: io::Error| cannot_write(path, &error);
        let file = File::create(path).map_err(cannot)?;
        let form = match format {
            FileFormat::Text(format) => Form::Text(Writer::new(format), format),
            FileFormat::Parquet => {
                let table = file.try_clone().map_err(TableError::from).and_then(ninefold_parquet::Writer::new);
                Form::Table(Box::new(table.map_err(|error| cannot(error.into()))?))
            }
        };
        let mut made = PuzzleFile { path: path.to_string(), form, file: BufWriter::new(file) };
        if let Form::Text(writer, _) = &made.form {
            let start = writer.start();
            made.append(&start)?;
        }
        Ok(made)
    }

    /// Writes one puzzle; trouble if the format cannot hold it.
    pub fn write(&mut self, entry: &Entry) -> Result<(), CliError> {
        let text = match &mut self.form {
            Form::Text(writer, format) => writer.entry(entry).ok_or_else(|| does_not_fit(*format, entry))?,
            Form::Table(table) => {
                return table.write(entry).map_err(|error| cannot_write(&self.path, &error.into()));
            }
        };
        self.append(&text)
    }

    /// Writes what stands after the last puzzle.
    pub fn end(&mut self) -> Result<(), CliError> {
        let text = match &mut self.form {
            Form::Text(writer, _) => writer.end(),
            Form::Table(table) => return table.finish().map_err(|error| cannot_write(&self.path, &error.into())),
        };
        self.append(&text)?;
        self.file.flush().map_err(|error| cannot_write(&self.path, &error))
    }

    /// Where it lies.
    pub fn path(&self) -> &str {
        &self.path
    }

    fn append(&mut self, text: &str) -> Result<(), CliError> {
        self.file.write_all(text.as_bytes()).map_err(|error| cannot_write(&self.path, &error))
    }
}

fn does_not_fit(format: Format, entry: &Entry) -> CliError {
    let order = entry.puzzle.order();
    match format {
        Format::Sdk => CliError::new("a .sdk file holds one puzzle, and there are more")
            .hint("--to sdm writes a collection that the same programs read"),
        format => CliError::new(format!("the format {} cannot hold this {order} puzzle", format.name()))
            .hint("--to line and --to json hold puzzles of every size"),
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
