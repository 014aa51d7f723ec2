//! Parser for ranges such as `24-26`, `7.1-8.4` and `easy-medium`.
//!
//! The command line, the web page, Python and SQL share this syntax.

use super::RatingRange;
use crate::proof::HodokuLevel;
use crate::rate::consistency::Consistency;
use crate::rate::explainer::Tenths;
use crate::rate::{dupree, effort};
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Why a range cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseRangeError {
    /// The start of a range of numbers is above its end.
    #[error("the start of the range is above its end; expected a range such as {example}")]
    Reversed {
        /// A valid range.
        example: &'static str,
    },
    /// The text is neither a number nor a range of numbers.
    #[error("expected {expected}")]
    NotNumbers {
        /// A description of what can be written, with examples.
        expected: &'static str,
    },
    /// The scale has no level with this name.
    #[error("unknown level {name:?}, expected one of {}", levels.join(", "))]
    UnknownLevel {
        /// The name that was found.
        name: String,
        /// The names of all levels.
        levels: Vec<String>,
    },
    /// The first level of a range is above the last.
    #[error("{first} is above {last}; write the lower level first")]
    ReversedLevels {
        /// The first level.
        first: String,
        /// The last level.
        last: String,
    },
}

/// Parses a number such as `24`, or a range such as `24-26`.
///
/// ```
/// use ninefold::generate::range;
///
/// assert_eq!(range::parse::<usize>("24-26"), Ok(24..=26));
/// assert!(range::parse::<usize>("26-24").is_err());
/// ```
pub fn parse<T: FromStr + PartialOrd>(text: &str) -> Result<RangeInclusive<T>, ParseRangeError> {
    let (first, last) = ends(text);
    match (first.parse::<T>(), last.parse::<T>()) {
        (Ok(first), Ok(last)) if first <= last => Ok(first..=last),
        (Ok(_), Ok(_)) => Err(ParseRangeError::Reversed { example: "24-26" }),
        _ => Err(ParseRangeError::NotNumbers {
            expected: "a number such as 24 or a range such as 24-26",
        }),
    }
}

/// Parses a level such as `easy`, or a range such as `easy-medium`, ignoring case.
fn parse_levels<T: Copy + PartialOrd + Display>(
    text: &str,
    all: &[T],
) -> Result<RangeInclusive<T>, ParseRangeError> {
    let parse_level = |name: &str| {
        let found = all.iter().copied().find(|level| level.to_string().eq_ignore_ascii_case(name));
        let levels = || all.iter().map(ToString::to_string).collect();
        found.ok_or_else(|| ParseRangeError::UnknownLevel {
            name: name.to_string(),
            levels: levels(),
        })
    };
    let (first, last) = ends(text);
    let (first, last) = (parse_level(first)?, parse_level(last)?);
    match first <= last {
        true => Ok(first..=last),
        false => Err(ParseRangeError::ReversedLevels {
            first: first.to_string(),
            last: last.to_string(),
        }),
    }
}

fn ends(text: &str) -> (&str, &str) {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    (first.trim(), last.trim())
}

impl RatingRange {
    /// Parses levels of the [`effort`] scale: `easy`, `easy-medium`.
    pub fn parse_effort(text: &str) -> Result<RatingRange, ParseRangeError> {
        parse_levels(text, &effort::Level::ALL).map(RatingRange::Effort)
    }

    /// Parses HoDoKu's levels: `hard`, `medium-unfair`.
    pub fn parse_hodoku(text: &str) -> Result<RatingRange, ParseRangeError> {
        parse_levels(text, &HodokuLevel::ALL).map(RatingRange::Hodoku)
    }

    /// Parses the weakest consistency that solves a puzzle: `SAC`, `GAC-SGAC`.
    pub fn parse_consistency(text: &str) -> Result<RatingRange, ParseRangeError> {
        parse_levels(text, &Consistency::ALL).map(RatingRange::Consistency)
    }

    /// Parses Sudoku Explainer's ER: `7.2`, `7.1-8.4`.
    pub fn parse_explainer(text: &str) -> Result<RatingRange, ParseRangeError> {
        match parse::<f64>(text) {
            Ok(range) => Ok(RatingRange::explainer(*range.start(), *range.end())),
            Err(ParseRangeError::Reversed { .. }) => {
                Err(ParseRangeError::Reversed { example: "7.1-8.4" })
            }
            Err(_) => Err(ParseRangeError::NotNumbers {
                expected: "a rating such as 7.2 or a range such as 7.1-8.4",
            }),
        }
    }

    /// A range of Sudoku Explainer's ER, rounded to tenths.
    #[must_use]
    pub fn explainer(lowest: f64, highest: f64) -> RatingRange {
        let tenths = |rating: f64| Tenths((rating * 10.0).round() as u16);
        RatingRange::Explainer(tenths(lowest)..=tenths(highest))
    }

    /// Parses DuPree's scores, given as a range or as one of his levels: `251-400`, `very-hard`.
    pub fn parse_dupree(text: &str) -> Result<RatingRange, ParseRangeError> {
        if let Ok(level) = text.parse::<dupree::Difficulty>() {
            return Ok(RatingRange::Dupree(level.scores()));
        }
        let error = |_| ParseRangeError::NotNumbers {
            expected: "a range of scores such as 251-400 or a level such as hard",
        };
        parse(text).map(RatingRange::Dupree).map_err(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_single_levels_and_ranges() {
        let expert = effort::Level::Expert;
        assert_eq!(RatingRange::parse_effort("expert"), Ok(RatingRange::Effort(expert..=expert)));
        let to_unfair = HodokuLevel::Medium..=HodokuLevel::Unfair;
        assert_eq!(
            RatingRange::parse_hodoku("Medium - unfair"),
            Ok(RatingRange::Hodoku(to_unfair))
        );
        let from_gac = Consistency::Gac..=Consistency::Bisac;
        assert_eq!(
            RatingRange::parse_consistency("gac-bisac"),
            Ok(RatingRange::Consistency(from_gac))
        );
        assert_eq!(
            RatingRange::parse_explainer("7.1-8.4"),
            Ok(RatingRange::Explainer(Tenths(71)..=Tenths(84)))
        );
    }

    #[test]
    fn errors_list_the_valid_levels() {
        let message =
            |result: Result<RatingRange, ParseRangeError>| result.unwrap_err().to_string();
        assert_eq!(
            message(RatingRange::parse_effort("easy-unfair")),
            "unknown level \"unfair\", expected one of easy, medium, hard, expert, extreme"
        );
        assert_eq!(
            message(RatingRange::parse_hodoku("hard-easy")),
            "hard is above easy; write the lower level first"
        );
        assert_eq!(
            message(RatingRange::parse_explainer("8.4-7.1")),
            "the start of the range is above its end; expected a range such as 7.1-8.4"
        );
        assert!(message(RatingRange::parse_explainer("hard")).contains("such as 7.1-8.4"));
    }

    #[test]
    fn dupree_levels_are_score_ranges() {
        let dupree = RatingRange::parse_dupree;
        assert_eq!(dupree("trivial"), Ok(RatingRange::Dupree(0..=80)));
        assert_eq!(dupree("hard"), Ok(RatingRange::Dupree(251..=400)));
        assert_eq!(dupree("diabolical"), Ok(RatingRange::Dupree(901..=u64::MAX)));
        assert_eq!(dupree("300-310"), Ok(RatingRange::Dupree(300..=310)));
        assert!(dupree("harder").is_err() && dupree("310-300").is_err());
    }

    #[test]
    fn rejects_reversed_number_ranges() {
        assert_eq!(parse::<usize>("24"), Ok(24..=24));
        assert_eq!(parse::<usize>("24-26"), Ok(24..=26));
        assert_eq!(parse::<usize>("26-24"), Err(ParseRangeError::Reversed { example: "24-26" }));
        assert!(matches!(parse::<usize>("few"), Err(ParseRangeError::NotNumbers { .. })));
    }
}
