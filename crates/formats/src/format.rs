//! The names of the formats, and format detection.

use crate::{links, marks, notation, sections, table};
use ninefold::grid::Order;
use std::fmt;
use std::str::FromStr;

/// The number of bytes that format detection examines.
const DETECTION_BYTES: usize = 64 * 1024;

/// A file format for puzzles; the crate documentation describes each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the crate documentation describes every format")]
pub enum Format {
    Line,
    Sdm,
    Drawn,
    Numbers,
    Csv,
    Tsv,
    Semicolon,
    Extreme,
    Json,
    Sdk,
    Ss,
    Hodoku,
    Marks,
    Sudokuwiki,
    Fpuzzles,
    Sudokupad,
    Jigsaw,
    Sumocue,
    Iss,
    Parquet,
}

/// The error for an unknown format name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown format {name:?}, expected one of {}", Format::ALL.map(Format::name).join(", "))]
pub struct UnknownFormatError {
    /// The unknown name.
    pub name: String,
}

impl Format {
    /// All formats.
    #[cfg(feature = "parquet")]
    pub const ALL: [Format; 20] = Format::LISTED;
    /// All formats.
    #[cfg(not(feature = "parquet"))]
    pub const ALL: [Format; 19] = {
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, _] = Format::LISTED;
        [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s]
    };

    const LISTED: [Format; 20] = [
        Format::Line,
        Format::Sdm,
        Format::Drawn,
        Format::Numbers,
        Format::Csv,
        Format::Tsv,
        Format::Semicolon,
        Format::Extreme,
        Format::Json,
        Format::Sdk,
        Format::Ss,
        Format::Hodoku,
        Format::Marks,
        Format::Sudokuwiki,
        Format::Fpuzzles,
        Format::Sudokupad,
        Format::Jigsaw,
        Format::Sumocue,
        Format::Iss,
        Format::Parquet,
    ];

    /// The name, as in the table of the crate documentation.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Line => "line",
            Format::Sdm => "sdm",
            Format::Drawn => "drawn",
            Format::Numbers => "numbers",
            Format::Csv => "csv",
            Format::Tsv => "tsv",
            Format::Semicolon => "semicolon",
            Format::Extreme => "extreme",
            Format::Json => "json",
            Format::Sdk => "sdk",
            Format::Ss => "ss",
            Format::Hodoku => "hodoku",
            Format::Marks => "marks",
            Format::Sudokuwiki => "sudokuwiki",
            Format::Fpuzzles => "fpuzzles",
            Format::Sudokupad => "sudokupad",
            Format::Jigsaw => "jigsaw",
            Format::Sumocue => "sumocue",
            Format::Iss => "iss",
            Format::Parquet => "parquet",
        }
    }

    /// The usual file name extension.
    pub const fn extension(self) -> &'static str {
        match self {
            Format::Csv | Format::Semicolon | Format::Extreme => "csv",
            Format::Tsv => "tsv",
            Format::Json => "json",
            Format::Sdm => "sdm",
            Format::Sdk => "sdk",
            Format::Ss => "ss",
            Format::Parquet => "parquet",
            _ => "txt",
        }
    }

    /// Whether puzzles in this format are best identified by line number rather than by their index
    /// in the file.
    pub const fn is_list_of_lines(self) -> bool {
        matches!(self, Format::Line | Format::Sdm | Format::Drawn | Format::Numbers)
    }

    /// Guesses the format of a file from its first bytes.
    ///
    /// ```
    /// use ninefold_formats::Format;
    ///
    /// assert_eq!(Format::detect(b"quizzes,solutions\n0043..."), Format::Csv);
    /// assert_eq!(Format::detect(b"1..4..1..3..4..3\n"), Format::Line);
    /// ```
    pub fn detect(beginning: &[u8]) -> Format {
        if beginning.starts_with(b"PAR1") {
            return Format::Parquet;
        }
        let text = String::from_utf8_lossy(&beginning[..beginning.len().min(DETECTION_BYTES)]);
        let text = text.trim_start_matches('\u{feff}');
        if sections::is_sdk(text) {
            return Format::Sdk;
        }
        let mut lines =
            text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        let Some(first) = lines.next() else { return Format::Line };
        if first.starts_with(['{', '[']) {
            return Format::Json;
        }
        if first.starts_with(':') && first.matches(':').count() >= 4 {
            return Format::Hodoku;
        }
        let known = links::detect_format(first).or_else(|| notation::detect_format(first));
        if let Some(format) = known.or_else(|| table::detect_format(first)) {
            return format;
        }
        let words: Vec<&str> =
            first.split([' ', '\t', ',', ';']).filter(|word| !word.is_empty()).collect();
        let is_number =
            |word: &&str| word.len() <= 2 && word.bytes().all(|byte| byte.is_ascii_digit());
        if words.len() >= 16
            && Order::from_cell_count(words.len()).is_some()
            && words.iter().all(is_number)
        {
            return Format::Numbers;
        }
        let first_word = words.first().map_or("", |word| word);
        if is_complete_puzzle(first_word) {
            return Format::Line;
        }
        if sections::is_ss(text) {
            return Format::Ss;
        }
        if marks::has_marks(text) { Format::Marks } else { Format::Drawn }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = UnknownFormatError;

    fn from_str(name: &str) -> Result<Format, UnknownFormatError> {
        let format = Format::ALL.into_iter().find(|format| format.name() == name);
        format.ok_or_else(|| UnknownFormatError { name: name.to_string() })
    }
}

impl TryFrom<&str> for Format {
    type Error = UnknownFormatError;

    fn try_from(name: &str) -> Result<Format, UnknownFormatError> {
        name.parse()
    }
}

/// Whether a word is probably a complete puzzle, not a row of a larger one.
fn is_complete_puzzle(word: &str) -> bool {
    let count = word.chars().count();
    let Some(order) = Order::from_cell_count(count) else { return false };
    let largest = word
        .chars()
        .filter_map(|symbol| symbol.to_digit(36))
        .filter(|&digit| digit != 33)
        .max()
        .unwrap_or(0);
    // A row of a 16×16 grid is as long as a complete 4×4 grid, but uses larger digits.
    !word.contains(['|', '+']) && (count > 64 || largest as usize <= order.side())
}
