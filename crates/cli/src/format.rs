//! Formats of files: the texts that the library reads, and Parquet, which is no text.

use clap::builder::{PossibleValuesParser, TypedValueParser};
use ninefold::puzzles::format::Format;
use ninefold_parquet::MAGIC;

/// How puzzles are written in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    /// As text, in one of the library's formats.
    Text(Format),
    /// As a table in a Parquet file.
    Parquet,
}

impl FileFormat {
    /// All formats.
    fn all() -> impl Iterator<Item = FileFormat> {
        Format::ALL.into_iter().map(FileFormat::Text).chain([FileFormat::Parquet])
    }

    /// The name to ask for it by.
    pub fn name(self) -> &'static str {
        match self {
            FileFormat::Text(format) => format.name(),
            FileFormat::Parquet => "parquet",
        }
    }

    /// The format of a file with this beginning.
    pub fn of(beginning: &[u8]) -> FileFormat {
        if beginning.starts_with(MAGIC) { FileFormat::Parquet } else { FileFormat::Text(Format::of(beginning)) }
    }

    /// How the names of such files usually end.
    pub fn ending(self) -> &'static str {
        match self {
            FileFormat::Text(Format::Csv | Format::Extreme) => "csv",
            FileFormat::Text(Format::Json) => "json",
            FileFormat::Text(Format::Sdm) => "sdm",
            FileFormat::Text(Format::Sdk) => "sdk",
            FileFormat::Text(_) => "txt",
            FileFormat::Parquet => "parquet",
        }
    }
}

/// Reads the name of a format.
pub fn names() -> impl TypedValueParser<Value = FileFormat> {
    PossibleValuesParser::new(FileFormat::all().map(FileFormat::name)).map(|name| {
        let named = FileFormat::all().find(|format| format.name() == name);
        named.expect("the parser lets only these names through")
    })
}
