//! How difficult: the scales of the library as columns of numbers and words.

use super::Rows;
use super::outcome;
use arrow::array::{ArrayRef, Float64Array, StringArray};
use ninefold::grid::Grid;
use ninefold::rate::consistency::{self, Consistency};
use ninefold::rate::{dupree, effort, explainer, hodoku, trial, whips};
use ninefold::{Limits, Solutions};
use std::sync::Arc;

/// The names of the scales, as `ninefold rate --scale` has them.
pub const SCALES: &[&str] = &["effort", "se", "hodoku", "dupree", "consistency", "te", "w"];

struct Rating {
    number: f64,
    level: Option<String>,
}

impl Rating {
    fn new(number: impl Into<f64>) -> Rating {
        Rating { number: number.into(), level: None }
    }

    fn called(self, level: impl ToString) -> Rating {
        Rating { level: Some(level.to_string()), ..self }
    }
}

/// The number on the scale.
pub fn rate(rows: &Rows<'_>) -> ArrayRef {
    Arc::new(ratings(rows).map(|rating| Some(rating?.ok()?.number)).collect::<Float64Array>())
}

/// The word on the scale.
pub fn level(rows: &Rows<'_>) -> ArrayRef {
    Arc::new(ratings(rows).map(|rating| rating?.ok()?.level).collect::<StringArray>())
}

/// Why there is no number.
pub fn why_unrated(rows: &Rows<'_>) -> ArrayRef {
    Arc::new(ratings(rows).map(|rating| rating?.err()).collect::<StringArray>())
}

/// What each row asks for; nothing where scale or puzzle are NULL.
fn ratings<'a>(rows: &Rows<'a>) -> impl Iterator<Item = Option<Result<Rating, String>>> + use<'a> {
    rows.text(0).iter().zip(rows.text(1)).map(|(scale, puzzle)| Some(rating(scale?, puzzle?)))
}

fn rating(scale: &str, puzzle: &str) -> Result<Rating, String> {
    let puzzle = outcome::grid(puzzle)?;
    match scale {
        "effort" => effort_of(&puzzle),
        "se" => explainer::rate(&puzzle).map(|found| Rating::new(f64::from(found.er.0) / 10.0)).map_err(in_words),
        "hodoku" => hodoku::rate(&puzzle).map(|found| Rating::new(found.score).called(found.level)).map_err(in_words),
        "dupree" => dupree::score(&puzzle)
            .map(|score| Rating::new(score.points as f64).called(score.difficulty()))
            .map_err(in_words),
        "consistency" => weakest(&puzzle),
        "te" => trial::depth(&puzzle).map(Rating::new).map_err(in_words),
        "w" => whips::rating(&puzzle).map(|length| Rating::new(length as f64)).map_err(in_words),
        other => Err(format!("there is no scale {other}; the scales are {}", SCALES.join(", "))),
    }
}

fn in_words(error: impl ToString) -> String {
    error.to_string()
}

/// Assumptions three deep may take minutes on large grids, so those are left out there.
fn effort_of(puzzle: &Grid) -> Result<Rating, String> {
    let hardest = match puzzle.order().side() {
        ..=9 => effort::Kind::ThreeAssumptions,
        _ => effort::Kind::ForcingChains,
    };
    let effort = effort::rate_within(puzzle, &Limits::nodes(outcome::NODES), hardest).map_err(in_words)?;
    Ok(Rating::new(effort.points).called(effort.level()))
}

/// The level counts from 0 for AC, in the order in which the levels are tried.
fn weakest(puzzle: &Grid) -> Result<Rating, String> {
    // The strongest levels take very long where there are several solutions, and decide nothing.
    if let Some(Solutions::Many(..)) = ninefold::solutions_within(puzzle, &Limits::nodes(outcome::NODES)) {
        return Err("there is more than one solution".to_string());
    }
    match consistency::weakest(puzzle, Consistency::Ssgac) {
        consistency::Verdict::Solved(level) => {
            let number = Consistency::ALL.iter().position(|other| *other == level).expect("all levels are listed");
            Ok(Rating::new(number as f64).called(level))
        }
        consistency::Verdict::Refuted(_) => Err("there is no solution".to_string()),
        consistency::Verdict::Open => Err("no level up to SSGAC solves it without search".to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::ALL;
    use super::super::rows::testing::call;
    use super::*;
    use arrow::array::{Array, AsArray};
    use arrow::datatypes::Float64Type;

    const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn asked(name: &str, scale: &str, puzzle: &str) -> ArrayRef {
        let function = ALL.iter().find(|function| function.name == name).unwrap();
        call(function, &[&[Some(scale)], &[Some(puzzle)]])
    }

    #[test]
    fn every_scale_rates_a_proper_puzzle() {
        let numbers: Vec<f64> =
            SCALES.iter().map(|scale| asked("rate", scale, PUZZLE).as_primitive::<Float64Type>().value(0)).collect();
        assert_eq!(&numbers[1..], [1.2, 204.0, 51.0, 0.0, 0.0, 0.0], "{SCALES:?}");
        assert!(numbers[0] > 0.0);
        let word = |scale| asked("level", scale, PUZZLE).as_string::<i32>().iter().next().flatten().map(str::to_string);
        assert_eq!(word("hodoku").as_deref(), Some("easy"));
        assert_eq!(word("consistency").as_deref(), Some("AC"));
        assert_eq!(word("se"), None, "this scale has no words");
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
                asked("rate", scale, &empty).is_null(0) && asked("why_unrated", scale, &empty).is_valid(0),
                "{scale}"
            );
        }
        assert!(asked("why_unrated", "see", PUZZLE).as_string::<i32>().value(0).contains("the scales are effort"));
        assert!(asked("why_unrated", "se", PUZZLE).is_null(0));
    }
}
