//! Parses the options of `generate` in SQL, such as `clues 24-26, minimal, symmetry half-turn`.
//!
//! The names are those of the options of `ninefold generate`, separated by commas.

use ninefold::generate::range::{self, ParseRangeError};
use ninefold::generate::{
    self, GenerateError, GenerateOptions, PatternSymmetry, RatingRange, Requirement, SinglesOnly,
};
use ninefold::grid::Order;
use std::str::FromStr;

/// The options of `generate`. Owns the requirements that [`GenerateOptions`] borrows.
pub struct GenerateArgs {
    options: GenerateOptions<'static>,
    requirements: Vec<Box<dyn Requirement + Send>>,
}

impl std::fmt::Debug for GenerateArgs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list()
            .entries(self.requirements.iter().map(|requirement| requirement.description()))
            .finish()
    }
}

impl GenerateArgs {
    /// The options for the library.
    pub fn options(&self) -> GenerateOptions<'_> {
        let mut requirements: Vec<&dyn Requirement> = self.options.requirements.clone();
        requirements.extend(
            self.requirements.iter().map(|requirement| requirement.as_ref() as &dyn Requirement),
        );
        let mut options = self.options.clone();
        options.requirements = requirements;
        options
    }

    /// Whether puzzles must be rated, which takes much longer than generating them.
    pub fn needs_rating(&self) -> bool {
        !self.requirements.is_empty()
    }
}

/// Parses options; the empty text allows any 9×9 puzzle.
impl FromStr for GenerateArgs {
    type Err = String;

    fn from_str(text: &str) -> Result<GenerateArgs, String> {
        let parts =
            || text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(key_and_value);
        // Parse the size first, wherever it is in the text, because other options depend on it.
        let mut order = Order::NINE;
        for (key, value) in parts() {
            match key {
                "size" => {
                    order = value
                        .parse()
                        .ok()
                        .and_then(Order::from_side)
                        .ok_or("size: expected 4, 6, 9, 12, 16 or 25")?
                }
                "boxes" => order = value.parse().map_err(|error| format!("boxes: {error}"))?,
                _ => {}
            }
        }
        let is_kaggle = parts().any(|part| part == ("kaggle", ""));
        let mut args = GenerateArgs {
            options: if is_kaggle {
                GenerateOptions::kaggle()
            } else {
                GenerateOptions::new(order)
            },
            requirements: Vec::new(),
        };
        for (key, value) in parts() {
            args.set(key, value)?;
        }
        // One attempt is enough to detect contradictory options before the query starts.
        match generate::generate_one(&args.options().with_attempts(1), 0, 0) {
            Err(GenerateError::InvalidOptions(error)) => Err(error.to_string()),
            _ => Ok(args),
        }
    }
}

impl GenerateArgs {
    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        match (key, value) {
            ("size" | "boxes", _) | ("kaggle", "") => {}
            ("minimal", "") => self.options.minimal = true,
            ("singles", "") => self.requirements.push(Box::new(SinglesOnly)),
            ("clues", value) => {
                self.options.clues =
                    Some(range::parse(value).map_err(|error| with_key(key, &error))?)
            }
            ("attempts", value) => {
                self.options.attempts = value
                    .parse()
                    .map_err(|_| "attempts: expected a number, for example attempts 50")?;
            }
            ("symmetry", value) => {
                self.options.symmetry = value.parse().map_err(|_| {
                    format!(
                        "symmetry: expected one of {}",
                        PatternSymmetry::ALL.map(PatternSymmetry::name).join(", ")
                    )
                })?;
            }
            ("difficulty", value) => self.requirement(key, RatingRange::parse_effort(value))?,
            ("hodoku", value) => self.requirement(key, RatingRange::parse_hodoku(value))?,
            ("er", value) => self.requirement(key, RatingRange::parse_explainer(value))?,
            ("dupree", value) => self.requirement(key, RatingRange::parse_dupree(value))?,
            ("consistency", value) => {
                self.requirement(key, RatingRange::parse_consistency(value))?
            }
            _ => {
                return Err(format!(
                    "unknown option '{key}', expected size, boxes, clues, minimal, symmetry, difficulty, er, hodoku, dupree, \
                     consistency, singles, kaggle or attempts"
                ));
            }
        }
        Ok(())
    }

    fn requirement(
        &mut self,
        key: &str,
        range: Result<RatingRange, ParseRangeError>,
    ) -> Result<(), String> {
        self.requirements.push(Box::new(range.map_err(|error| with_key(key, &error))?));
        Ok(())
    }
}

fn with_key(key: &str, error: &ParseRangeError) -> String {
    format!("{key}: {error}")
}

/// Splits `clues 24-26` or `clues=24-26`.
fn key_and_value(part: &str) -> (&str, &str) {
    let (key, value) = part.split_once([' ', '=']).unwrap_or((part, ""));
    (key.trim(), value.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_the_options_of_the_command_line() {
        let args: GenerateArgs =
            "clues 26-28, symmetry half-turn, difficulty easy".parse().unwrap();
        let generated = generate::generate_one(&args.options(), 7, 0).unwrap();
        assert!((26..=28).contains(&generated.puzzle.clue_count()));
        assert!(PatternSymmetry::HalfTurn.holds_for(&generated.puzzle));
        assert!(args.needs_rating() && !"".parse::<GenerateArgs>().unwrap().needs_rating());
        let small: GenerateArgs = "minimal, size=4".parse().unwrap();
        assert_eq!(small.options().order, Order::FOUR);
        assert!("kaggle".parse::<GenerateArgs>().unwrap().options().kaggle_style);
        for rated in
            ["er 1.2-2.6", "hodoku easy-medium", "dupree hard", "consistency AC-SAC", "singles"]
        {
            assert!(rated.parse::<GenerateArgs>().unwrap().needs_rating(), "{rated}");
        }
    }

    #[test]
    fn errors_list_the_valid_options() {
        let error = |text: &str| text.parse::<GenerateArgs>().unwrap_err();
        assert!(error("clues 26-20").contains("above its end"));
        assert!(error("hardness 3").contains("expected size"));
        assert!(error("difficulty easier").contains("easy, medium"));
        assert!(error("symmetry odd").contains("half-turn"));
        assert!(error("clues 10").contains("17"), "{}", error("clues 10"));
    }
}
