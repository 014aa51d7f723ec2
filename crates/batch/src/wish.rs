//! A wish in one line of text, such as `clues 24-26, minimal, symmetry half-turn`: this is where `generate` in SQL reads
//! what is wanted.
//!
//! The words are those of the options of `ninefold generate`, separated by commas.

use ninefold::generate::range::{self, BadRange};
use ninefold::generate::{self, Between, Demand, PatternSymmetry, Refusal, SinglesOnly, Wish};
use ninefold::grid::Order;
use std::str::FromStr;

/// A wish that owns what it asks for.
pub struct OwnedWish {
    wish: Wish<'static>,
    demands: Vec<Box<dyn Demand + Send>>,
}

impl std::fmt::Debug for OwnedWish {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.demands.iter().map(|demand| demand.words())).finish()
    }
}

impl OwnedWish {
    /// The wish for the library.
    pub fn wish(&self) -> Wish<'_> {
        let mut demands: Vec<&dyn Demand> = self.wish.demands.clone();
        demands.extend(self.demands.iter().map(|demand| demand.as_ref() as &dyn Demand));
        Wish { demands, ..self.wish.clone() }
    }

    /// Must puzzles be rated, which takes far longer than making them?
    pub fn is_demanding(&self) -> bool {
        !self.demands.is_empty()
    }
}

/// Reads a wish; nothing at all asks for any 9×9 puzzle.
impl FromStr for OwnedWish {
    type Err = String;

    fn from_str(text: &str) -> Result<OwnedWish, String> {
        let parts =
            || text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(key_and_value);
        // The size comes first, whatever its place in the text: it decides what everything else means.
        let mut order = Order::NINE;
        for (key, value) in parts() {
            match key {
                "size" => {
                    order = value
                        .parse()
                        .ok()
                        .and_then(Order::of_side)
                        .ok_or("size is 4, 6, 9, 12, 16 or 25")?
                }
                "boxes" => order = value.parse().map_err(|error| format!("boxes: {error}"))?,
                _ => {}
            }
        }
        let is_kaggle = parts().any(|part| part == ("kaggle", ""));
        let mut read = OwnedWish {
            wish: if is_kaggle { Wish::kaggle() } else { Wish::any(order) },
            demands: Vec::new(),
        };
        for (key, value) in parts() {
            read.take(key, value)?;
        }
        // What contradicts itself is found out before any puzzle is made; one attempt is enough for that.
        match generate::make(&Wish { attempts: 1, ..read.wish() }, 0, 0) {
            Err(Refusal::BadWish(bad)) => Err(bad.to_string()),
            _ => Ok(read),
        }
    }
}

impl OwnedWish {
    fn take(&mut self, key: &str, value: &str) -> Result<(), String> {
        match (key, value) {
            ("size" | "boxes", _) | ("kaggle", "") => {}
            ("minimal", "") => self.wish.minimal = true,
            ("singles", "") => self.demands.push(Box::new(SinglesOnly)),
            ("clues", value) => {
                self.wish.clues = Some(range::numbers(value).map_err(|bad| in_words(key, &bad))?)
            }
            ("attempts", value) => {
                self.wish.attempts =
                    value.parse().map_err(|_| "attempts is a number, for example attempts 50")?;
            }
            ("symmetry", value) => {
                self.wish.symmetry = PatternSymmetry::by_name(value).ok_or_else(|| {
                    format!(
                        "the symmetries are {}",
                        PatternSymmetry::ALL.map(PatternSymmetry::name).join(", ")
                    )
                })?;
            }
            ("difficulty", value) => self.demand(key, Between::effort(value))?,
            ("level", value) => self.demand(key, Between::hodoku(value))?,
            ("er", value) => self.demand(key, Between::explainer(value))?,
            ("dupree", value) => self.demand(key, Between::dupree(value))?,
            ("consistency", value) => self.demand(key, Between::consistency(value))?,
            _ => {
                return Err(format!(
                    "'{key}' is not a wish; wishes are size, boxes, clues, minimal, symmetry, difficulty, er, level, dupree, \
                     consistency, singles, kaggle and attempts"
                ));
            }
        }
        Ok(())
    }

    fn demand(&mut self, key: &str, read: Result<Between, BadRange>) -> Result<(), String> {
        self.demands.push(Box::new(read.map_err(|bad| in_words(key, &bad))?));
        Ok(())
    }
}

fn in_words(key: &str, bad: &BadRange) -> String {
    format!("{key}: {bad}")
}

/// `clues 24-26` or `clues=24-26`.
fn key_and_value(part: &str) -> (&str, &str) {
    let (key, value) = part.split_once([' ', '=']).unwrap_or((part, ""));
    (key.trim(), value.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_is_read_in_the_words_of_the_command() {
        let wish: OwnedWish = "clues 26-28, symmetry half-turn, difficulty easy".parse().unwrap();
        let made = generate::make(&wish.wish(), 7, 0).unwrap();
        assert!((26..=28).contains(&made.puzzle.clue_count()));
        assert!(PatternSymmetry::by_name("half-turn").unwrap().holds_for(&made.puzzle));
        assert!(wish.is_demanding() && !"".parse::<OwnedWish>().unwrap().is_demanding());
        let small: OwnedWish = "minimal, size=4".parse().unwrap();
        assert_eq!(small.wish().order, Order::FOUR);
        assert!("kaggle".parse::<OwnedWish>().unwrap().wish().plucked);
        for demanding in
            ["er 1.2-2.6", "level easy-medium", "dupree hard", "consistency AC-SAC", "singles"]
        {
            assert!(demanding.parse::<OwnedWish>().unwrap().is_demanding(), "{demanding}");
        }
    }

    #[test]
    fn a_wish_that_means_nothing_says_what_would() {
        let words = |text: &str| text.parse::<OwnedWish>().unwrap_err();
        assert!(words("clues 26-20").contains("goes upwards"));
        assert!(words("hardness 3").contains("wishes are size"));
        assert!(words("difficulty easier").contains("easy, medium"));
        assert!(words("symmetry odd").contains("half-turn"));
        assert!(words("clues 10").contains("17"), "{}", words("clues 10"));
    }
}
