//! The formats by name, and which of them a file is written in.

use crate::{links, marks, sections, table};
use ninefold::grid::Order;
use std::fmt;
use std::str::FromStr;

/// As much of a file as is looked at to find out its format.
const LONGEST_BEGINNING: usize = 64 * 1024;

/// A way to write puzzles down; the table at the head of this crate explains each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the table at the head of this crate explains every name")]
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
    Parquet,
}

/// A name that no format has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no format {name:?}; the choice is {}", Format::ALL.map(Format::name).join(", "))]
pub struct UnknownFormat {
    /// The name.
    pub name: String,
}

impl Format {
    /// All formats.
    #[cfg(feature = "parquet")]
    pub const ALL: [Format; 17] = Format::LISTED;
    /// All formats.
    #[cfg(not(feature = "parquet"))]
    pub const ALL: [Format; 16] = {
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, _] = Format::LISTED;
        [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p]
    };

    const LISTED: [Format; 17] = [
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
        Format::Parquet,
    ];

    /// The name to ask for it by.
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
            Format::Parquet => "parquet",
        }
    }

    /// How the names of such files usually end.
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

    /// Does the line at which a puzzle starts say more than its number in the file?
    pub const fn is_list_of_lines(self) -> bool {
        matches!(self, Format::Line | Format::Sdm | Format::Drawn | Format::Numbers)
    }

    /// The format that a file with this beginning is most likely written in.
    ///
    /// ```
    /// use formats::Format;
    ///
    /// assert_eq!(Format::detect(b"quizzes,solutions\n0043..."), Format::Csv);
    /// assert_eq!(Format::detect(b"1..4..1..3..4..3\n"), Format::Line);
    /// ```
    pub fn detect(beginning: &[u8]) -> Format {
        if beginning.starts_with(b"PAR1") {
            return Format::Parquet;
        }
        let text = String::from_utf8_lossy(&beginning[..beginning.len().min(LONGEST_BEGINNING)]);
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
        if let Some(format) = links::format_of(first).or_else(|| table::format_of(first)) {
            return format;
        }
        let words: Vec<&str> =
            first.split([' ', '\t', ',', ';']).filter(|word| !word.is_empty()).collect();
        let is_number =
            |word: &&str| word.len() <= 2 && word.bytes().all(|byte| byte.is_ascii_digit());
        if words.len() >= 16
            && Order::of_cell_count(words.len()).is_some()
            && words.iter().all(is_number)
        {
            return Format::Numbers;
        }
        let first_word = words.first().map_or("", |word| word);
        if is_a_whole_puzzle(first_word) {
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
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Format, UnknownFormat> {
        let named = Format::ALL.into_iter().find(|format| format.name() == name);
        named.ok_or_else(|| UnknownFormat { name: name.to_string() })
    }
}

impl TryFrom<&str> for Format {
    type Error = UnknownFormat;

    fn try_from(name: &str) -> Result<Format, UnknownFormat> {
        name.parse()
    }
}

/// Could this word be a puzzle by itself, and not just a row of a larger one?
fn is_a_whole_puzzle(word: &str) -> bool {
    let count = word.chars().count();
    let Some(order) = Order::of_cell_count(count) else { return false };
    let largest = word
        .chars()
        .filter_map(|sign| sign.to_digit(36))
        .filter(|&digit| digit != 33)
        .max()
        .unwrap_or(0);
    // A row of a 16×16 grid is as long as a whole 4×4 one, but uses larger digits.
    !word.contains(['|', '+']) && (count > 64 || largest as usize <= order.side())
}
