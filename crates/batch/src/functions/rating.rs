//! Difficulty ratings as numbers and level names.

use super::Rows;
use super::outcome;
use arrow::array::{ArrayRef, Float64Array, StringArray};
use ninefold::rate::scale::{Detail, Rating, Reach, Scale};
use ninefold::{Limits, Solutions};
use std::sync::Arc;

/// The names of the scales, as in `ninefold rate --scale`.
pub const SCALES: &[&str] = &["effort", "se", "hodoku", "dupree", "consistency", "te", "w"];

/// The number on the scale.
pub fn rate(rows: &Rows<'_>) -> ArrayRef {
    Arc::new(ratings(rows).map(|rating| Some(rating?.ok()?.number)).collect::<Float64Array>())
}

/// The name of the level on the scale.
pub fn level(rows: &Rows<'_>) -> ArrayRef {
    Arc::new(ratings(rows).map(|rating| level_name(&rating?.ok()?)).collect::<StringArray>())
}

/// The reason why a puzzle has no rating.
pub fn why_unrated(rows: &Rows<'_>) -> ArrayRef {
    Arc::new(ratings(rows).map(|rating| rating?.err()).collect::<StringArray>())
}

/// The level of a rating, on scales that have levels.
fn level_name(rating: &Rating) -> Option<String> {
    match rating.details.get("level") {
        Some(Detail::Name(level)) => Some(level.clone()),
        _ => None,
    }
}

/// The rating of each row; `None` where scale or puzzle are NULL.
fn ratings<'a>(rows: &Rows<'a>) -> impl Iterator<Item = Option<Result<Rating, String>>> + use<'a> {
    rows.text(0).iter().zip(rows.text(1)).map(|(scale, puzzle)| Some(rating(scale?, puzzle?)))
}

fn rating(name: &str, puzzle: &str) -> Result<Rating, String> {
    let puzzle = outcome::classic_grid(puzzle, "ratings are")?;
    let unknown = || format!("unknown scale {name}, expected one of {}", SCALES.join(", "));
    let scale = name.parse::<Scale>().map_err(|_| unknown())?;
    // High levels of consistency are very slow and meaningless for puzzles with several solutions.
    if scale == Scale::Consistency
        && let Some(Solutions::Many(..)) =
            ninefold::solutions_within(&puzzle, &Limits::none().with_nodes(outcome::NODES))
    {
        return Err("there is more than one solution".to_string());
    }
    // No time limit, so that a row has the same result on every machine.
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

    fn call_with(name: &str, scale: &str, puzzle: &str) -> ArrayRef {
        let function = ALL.iter().find(|function| function.name == name).unwrap();
        call(function, &[&[Some(scale)], &[Some(puzzle)]])
    }

    #[test]
    fn every_scale_rates_a_proper_puzzle() {
        let numbers: Vec<f64> = SCALES
            .iter()
            .map(|scale| call_with("rate", scale, PUZZLE).as_primitive::<Float64Type>().value(0))
            .collect();
        assert_eq!(&numbers[1..], [1.2, 204.0, 51.0, 0.0, 0.0, 0.0], "{SCALES:?}");
        assert!(numbers[0] > 0.0);
        let word = |scale| {
            call_with("level", scale, PUZZLE)
                .as_string::<i32>()
                .iter()
                .next()
                .flatten()
                .map(str::to_string)
        };
        assert_eq!(word("hodoku").as_deref(), Some("easy"));
        assert_eq!(word("consistency").as_deref(), Some("AC"));
        assert_eq!(word("se"), None, "this scale has no levels");
    }

    #[test]
    fn scales_match_the_library() {
        assert_eq!(SCALES, Scale::ALL.map(Scale::name));
    }

    #[test]
    fn puzzles_without_a_rating_have_a_reason() {
        let empty = ".".repeat(81);
        for scale in SCALES {
            assert!(call_with("rate", scale, "rubbish").is_null(0), "{scale}");
            let reason = call_with("why_unrated", scale, "1..4..1..3..4..3...");
            assert!(reason.as_string::<i32>().value(0).contains("cells, found"), "{scale}");
        }
        for scale in ["effort", "se", "hodoku", "consistency", "te"] {
            assert!(
                call_with("rate", scale, &empty).is_null(0)
                    && call_with("why_unrated", scale, &empty).is_valid(0),
                "{scale}"
            );
        }
        assert!(
            call_with("why_unrated", "see", PUZZLE)
                .as_string::<i32>()
                .value(0)
                .contains("expected one of effort")
        );
        assert!(call_with("why_unrated", "se", PUZZLE).is_null(0));
    }
}
