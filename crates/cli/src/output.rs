//! Puzzles written in the format the user chose: this is where several verbs hand them over.

use crate::collection::format_names;
use crate::talk::{Part, Talk};
use crate::trouble::Trouble;
use crate::words;
use clap::Args;
use ninefold::puzzles::format::{Entry, Format, Writer, solution_numbers};
use std::fs::File;
use std::io::{BufWriter, Write};

/// How to write puzzles.
#[derive(Args, Debug)]
pub struct Writing {
    /// The format of the output
    #[arg(long, value_name = "FORMAT", default_value = "line", value_parser = format_names())]
    pub to: Format,

    /// Write the solutions into this file as numbers, line by line (paper 2's second file)
    #[arg(long, value_name = "FILE")]
    pub write_solutions: Option<String>,
}

/// Puzzles on their way out.
pub struct Output {
    writer: Writer,
    format: Format,
    solutions: Option<Solutions>,
}

struct Solutions {
    path: String,
    file: BufWriter<File>,
}

impl Output {
    /// Opens the files and writes what stands before the first puzzle.
    pub fn start(options: &Writing, talk: &mut Talk) -> Result<Output, Trouble> {
        let writer = Writer::new(options.to);
        let solutions = match &options.write_solutions {
            None => None,
            Some(path) => {
                let file = File::create(path).map_err(|error| cannot_write(path, &error))?;
                Some(Solutions { path: path.clone(), file: BufWriter::new(file) })
            }
        };
        talk.print(Part { data: writer.start(), ..Part::default() });
        Ok(Output { writer, format: options.to, solutions })
    }

    /// Writes one puzzle; trouble if the format cannot hold it.
    pub fn write(&mut self, entry: &Entry, talk: &mut Talk) -> Result<(), Trouble> {
        let data = self.writer.entry(entry).ok_or_else(|| self.does_not_fit(entry))?;
        if let Some(solutions) = &mut self.solutions {
            let line = solution_numbers(entry).ok_or_else(|| {
                Trouble::new("there is no solution to write").hint("convert --solve finds the missing ones")
            })?;
            let written = solutions.file.write_all(line.as_bytes());
            written.map_err(|error| cannot_write(&solutions.path, &error))?;
        }
        talk.print(Part { data, puzzles: 1, ..Part::default() });
        Ok(())
    }

    /// Writes what stands after the last puzzle.
    pub fn end(&mut self, talk: &mut Talk) -> Result<(), Trouble> {
        talk.print(Part { data: self.writer.end(), ..Part::default() });
        match &mut self.solutions {
            Some(solutions) => solutions.file.flush().map_err(|error| cannot_write(&solutions.path, &error)),
            None => Ok(()),
        }
    }

    fn does_not_fit(&self, entry: &Entry) -> Trouble {
        let order = entry.puzzle.order();
        match self.format {
            Format::Sdk => Trouble::new("a .sdk file holds one puzzle, and there are more")
                .hint("--to sdm writes a collection that the same programs read"),
            format => Trouble::new(format!("the format {} cannot hold this {order} puzzle", format.name()))
                .hint("--to line and --to json hold puzzles of every size"),
        }
    }
}

/// A file that cannot be written.
pub fn cannot_write(path: &str, error: &std::io::Error) -> Trouble {
    Trouble::new(format!("{path} cannot be written: {error}"))
}

/// Trouble with an entry, and the way to go on without it.
pub fn with_a_way_on(trouble: Trouble) -> Trouble {
    let way = "--skip-bad leaves such entries out and counts them";
    let hint = match &trouble.hint {
        Some(hint) => format!("{hint}; {way}"),
        None => way.to_string(),
    };
    trouble.hint(hint)
}

/// Says how many entries were left out.
pub fn report_skipped(skipped: u64, quiet: bool) {
    if skipped > 0 && !quiet {
        eprintln!("{}", words::counted(skipped, "bad entry was left out", "bad entries were left out"));
    }
}
