//! How difficult: the scales of the library as columns of numbers and words.

use super::Rows;
use super::outcome;
use arrow::array::{ArrayRef, Float64Array, StringArray};
use ninefold::rate::scale::{Detail, Rating, Reach, Scale};
use ninefold::{Limits, Solutions};
use std::sync::Arc;

/// The names of the scales, as `ninefold rate --scale` has them.
pub const SCALES: &[&str] = &["effort", "se", "hodoku", "dupree", "consistency", "te", "w"];

/// The number on the scale.
pub fn rate(rows: &Rows<'_>) -> ArrayRef {
    Arc::new(ratings(rows).map(|rating| Some(rating?.ok()?.number)).collect::<Float64Array>())
}

/// The word on the scale.
pub fn level(rows: &Rows<'_>) -> ArrayRef {
    Arc::new(ratings(rows).map(|rating| word(&rating?.ok()?)).collect::<StringArray>())
}

/// Why there is no number.
pub fn why_unrated(rows: &Rows<'_>) -> ArrayRef {
    Arc::new(ratings(rows).map(|rating| rating?.err()).collect::<StringArray>())
}

/// The level of a rating, on scales that have levels.
fn word(rating: &Rating) -> Option<String> {
    match rating.details.get("level") {
        Some(Detail::Name(level)) => Some(level.clone()),
        _ => None,
    }
}

/// What each row asks for; nothing where scale or puzzle are NULL.
fn ratings<'a>(rows: &Rows<'a>) -> impl Iterator<Item = Option<Result<Rating, String>>> + use<'a> {
    rows.text(0).iter().zip(rows.text(1)).map(|(scale, puzzle)| Some(rating(scale?, puzzle?)))
}

fn rating(name: &str, puzzle: &str) -> Result<Rating, String> {
    let puzzle = outcome::grid(puzzle)?;
    let unknown = || format!("there is no scale {name}; the scales are {}", SCALES.join(", "));
    let scale = Scale::by_name(name).ok_or_else(unknown)?;
    // The strongest levels of consistency take very long where there are several solutions, and decide nothing.
    if scale == Scale::Consistency
        && let Some(Solutions::Many(..)) =
            ninefold::solutions_within(&puzzle, &Limits::nodes(outcome::NODES))
    {
        return Err("there is more than one solution".to_string());
    }
    // No clock: a row has the same answer on every machine.
    scale.rate(&puzzle, &Limits::none(), Reach::Full).map_err(|unrated| unrated.to_string())
}

#[cfg(test)]
mod tests {
    use super::super::ALL;
    use super::super::rows::testing::call;
    use super::*;
    use arrow::array::{Array, AsArray};
    use arrow::datatypes::Float64Type;

    const PUZZLE: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn asked(name: &str, scale: &str, puzzle: &str) -> ArrayRef {
        let function = ALL.iter().find(|function| function.name == name).unwrap();
        call(function, &[&[Some(scale)], &[Some(puzzle)]])
    }

    #[test]
    fn every_scale_rates_a_proper_puzzle() {
        let numbers: Vec<f64> = SCALES
            .iter()
            .map(|scale| asked("rate", scale, PUZZLE).as_primitive::<Float64Type>().value(0))
            .collect();
        assert_eq!(&numbers[1..], [1.2, 204.0, 51.0, 0.0, 0.0, 0.0], "{SCALES:?}");
        assert!(numbers[0] > 0.0);
        let word = |scale| {
            asked("level", scale, PUZZLE)
                .as_string::<i32>()
                .iter()
                .next()
                .flatten()
                .map(str::to_string)
        };
        assert_eq!(word("hodoku").as_deref(), Some("easy"));
        assert_eq!(word("consistency").as_deref(), Some("AC"));
        assert_eq!(word("se"), None, "this scale has no words");
    }

    #[test]
    fn every_scale_of_the_library_is_known() {
        assert_eq!(SCALES, Scale::ALL.map(Scale::name));
    }

    #[test]
    fn a_puzzle_without_a_rating_says_why() {
        let empty = ".".repeat(81);
        for scale in SCALES {
            assert!(asked("rate", scale, "rubbish").is_null(0), "{scale}");
            let reason = asked("why_unrated", scale, "1..4..1..3..4..3...");
            assert!(reason.as_string::<i32>().value(0).contains("do not form a grid"), "{scale}");
        }
        for scale in ["effort", "se", "hodoku", "consistency", "te"] {
            assert!(
                asked("rate", scale, &empty).is_null(0)
                    && asked("why_unrated", scale, &empty).is_valid(0),
                "{scale}"
            );
        }
        assert!(
            asked("why_unrated", "see", PUZZLE)
                .as_string::<i32>()
                .value(0)
                .contains("the scales are effort")
        );
        assert!(asked("why_unrated", "se", PUZZLE).is_null(0));
    }
}
