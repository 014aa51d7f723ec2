//! Ranges in words: this is where `24-26`, `7.1-8.4` and `easy-medium` are read, for everybody who takes wishes as text.

use super::Between;
use crate::proof::HodokuLevel;
use crate::rate::consistency::Consistency;
use crate::rate::explainer::Tenths;
use crate::rate::{dupree, effort};
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// What is wrong with a range, and what it could be.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadRange {
    /// It begins above its end.
    #[error("a range goes upwards, for example {0}")]
    Downwards(&'static str),
    /// It is neither a number nor two of them.
    #[error("{0}")]
    NotNumbers(&'static str),
    /// It names a level that the scale does not have.
    #[error("'{name}' is not a level; the levels are {}", levels.join(", "))]
    NoLevel {
        /// What was written.
        name: String,
        /// What can be.
        levels: Vec<String>,
    },
    /// The first level is above the last.
    #[error("{last} comes before {first}")]
    LevelsDownwards {
        /// What was written first.
        first: String,
        /// What was written last.
        last: String,
    },
}

/// A number such as `24`, or a range such as `24-26`.
///
/// ```
/// use ninefold::generate::range;
///
/// assert_eq!(range::numbers::<usize>("24-26"), Ok(24..=26));
/// assert!(range::numbers::<usize>("26-24").is_err());
/// ```
pub fn numbers<T: FromStr + PartialOrd>(text: &str) -> Result<RangeInclusive<T>, BadRange> {
    let (first, last) = ends(text);
    match (first.parse::<T>(), last.parse::<T>()) {
        (Ok(first), Ok(last)) if first <= last => Ok(first..=last),
        (Ok(_), Ok(_)) => Err(BadRange::Downwards("24-26")),
        _ => Err(BadRange::NotNumbers("a number or a range is needed, for example 24 or 24-26")),
    }
}

/// A level such as `easy`, or a range such as `easy-medium`, whether its letters are small or large.
fn levels<T: Copy + PartialOrd + Display>(
    text: &str,
    all: &[T],
) -> Result<RangeInclusive<T>, BadRange> {
    let named = |name: &str| {
        let found = all.iter().copied().find(|level| level.to_string().eq_ignore_ascii_case(name));
        let levels = || all.iter().map(ToString::to_string).collect();
        found.ok_or_else(|| BadRange::NoLevel { name: name.to_string(), levels: levels() })
    };
    let (first, last) = ends(text);
    let (first, last) = (named(first)?, named(last)?);
    match first <= last {
        true => Ok(first..=last),
        false => {
            Err(BadRange::LevelsDownwards { first: first.to_string(), last: last.to_string() })
        }
    }
}

fn ends(text: &str) -> (&str, &str) {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    (first.trim(), last.trim())
}

impl Between {
    /// The level of our own scale: `easy`, `easy-medium`.
    pub fn effort(text: &str) -> Result<Between, BadRange> {
        levels(text, &effort::Level::ALL).map(Between::Effort)
    }

    /// HoDoKu's level: `hard`, `medium-unfair`.
    pub fn hodoku(text: &str) -> Result<Between, BadRange> {
        levels(text, &HodokuLevel::ALL).map(Between::Hodoku)
    }

    /// The weakest consistency that solves a puzzle: `SAC`, `GAC-SGAC`.
    pub fn consistency(text: &str) -> Result<Between, BadRange> {
        levels(text, &Consistency::ALL).map(Between::Consistency)
    }

    /// Sudoku Explainer's ER: `7.2`, `7.1-8.4`.
    pub fn explainer(text: &str) -> Result<Between, BadRange> {
        match numbers::<f64>(text) {
            Ok(range) => Ok(Between::explainer_numbers(*range.start(), *range.end())),
            Err(BadRange::Downwards(_)) => Err(BadRange::Downwards("7.1-8.4")),
            Err(_) => Err(BadRange::NotNumbers(
                "a rating such as 7.2 or a range such as 7.1-8.4 is needed",
            )),
        }
    }

    /// The same from numbers.
    #[must_use]
    pub fn explainer_numbers(lowest: f64, highest: f64) -> Between {
        let tenths = |rating: f64| Tenths((rating * 10.0).round() as u16);
        Between::Explainer(tenths(lowest)..=tenths(highest))
    }

    /// DuPree's score, or the scores of a level: `251-400`, `very-hard`.
    pub fn dupree(text: &str) -> Result<Between, BadRange> {
        if let Some(level) = dupree::Difficulty::ALL
            .into_iter()
            .find(|level| level.label().replace(' ', "-") == text)
        {
            return Ok(Between::Dupree(level.scores()));
        }
        let needed =
            |_| BadRange::NotNumbers("a range such as 251-400 or a level such as hard is needed");
        numbers(text).map(Between::Dupree).map_err(needed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_named_alone_or_as_a_range() {
        let expert = effort::Level::Expert;
        assert_eq!(Between::effort("expert"), Ok(Between::Effort(expert..=expert)));
        let to_unfair = HodokuLevel::Medium..=HodokuLevel::Unfair;
        assert_eq!(Between::hodoku("Medium - unfair"), Ok(Between::Hodoku(to_unfair)));
        let from_gac = Consistency::Gac..=Consistency::Bisac;
        assert_eq!(Between::consistency("gac-bisac"), Ok(Between::Consistency(from_gac)));
        assert_eq!(Between::explainer("7.1-8.4"), Ok(Between::Explainer(Tenths(71)..=Tenths(84))));
    }

    #[test]
    fn a_level_that_does_not_exist_is_told_with_those_that_do() {
        let words = |read: Result<Between, BadRange>| read.unwrap_err().to_string();
        let unfair = "'unfair' is not a level; the levels are easy, medium, hard, expert, extreme";
        assert_eq!(words(Between::effort("easy-unfair")), unfair);
        assert_eq!(words(Between::hodoku("hard-easy")), "easy comes before hard");
        assert_eq!(
            words(Between::explainer("8.4-7.1")),
            "a range goes upwards, for example 7.1-8.4"
        );
        assert!(words(Between::explainer("hard")).contains("7.1-8.4 is needed"));
    }

    #[test]
    fn the_levels_of_dupree_are_ranges_of_scores() {
        assert_eq!(Between::dupree("trivial"), Ok(Between::Dupree(0..=80)));
        assert_eq!(Between::dupree("hard"), Ok(Between::Dupree(251..=400)));
        assert_eq!(Between::dupree("diabolical"), Ok(Between::Dupree(901..=u64::MAX)));
        assert_eq!(Between::dupree("300-310"), Ok(Between::Dupree(300..=310)));
        assert!(Between::dupree("harder").is_err() && Between::dupree("310-300").is_err());
    }

    #[test]
    fn a_range_goes_upwards() {
        assert_eq!(numbers::<usize>("24"), Ok(24..=24));
        assert_eq!(numbers::<usize>("24-26"), Ok(24..=26));
        assert_eq!(numbers::<usize>("26-24"), Err(BadRange::Downwards("24-26")));
        assert!(matches!(numbers::<usize>("few"), Err(BadRange::NotNumbers(_))));
    }
}
