//! A wish in one line of text, such as `clues 24-26, minimal, symmetry half-turn`: this is where `generate` in SQL reads
//! what is wanted.
//!
//! The words are those of the options of `ninefold generate`, separated by commas.

use ninefold::generate::{self, Between, Demand, PatternSymmetry, Refusal, SinglesOnly, Wish};
use ninefold::grid::Order;
use ninefold::proof::HodokuLevel;
use ninefold::rate::effort;
use ninefold::rate::explainer::Tenths;
use std::fmt::Display;
use std::ops::RangeInclusive;
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
        Wish {
            order: self.wish.order,
            clues: self.wish.clues.clone(),
            clue_weights: self.wish.clue_weights,
            minimal: self.wish.minimal,
            symmetry: self.wish.symmetry,
            demands,
            attempts: self.wish.attempts,
            plucked: self.wish.plucked,
            ..Wish::any(self.wish.order)
        }
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
        let parts = || text.split(',').map(str::trim).filter(|part| !part.is_empty()).map(key_and_value);
        // The size comes first, whatever its place in the text: it decides what everything else means.
        let mut order = Order::NINE;
        for (key, value) in parts() {
            match key {
                "size" => order = value.parse().ok().and_then(Order::of_side).ok_or("size is 4, 6, 9, 12, 16 or 25")?,
                "boxes" => order = value.parse().map_err(|error| format!("boxes: {error}"))?,
                _ => {}
            }
        }
        let is_kaggle = parts().any(|part| part == ("kaggle", ""));
        let mut read =
            OwnedWish { wish: if is_kaggle { Wish::kaggle() } else { Wish::any(order) }, demands: Vec::new() };
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
            ("clues", value) => self.wish.clues = Some(range(value, |number| number.parse().ok(), "clues 24-26")?),
            ("attempts", value) => {
                self.wish.attempts = value.parse().map_err(|_| "attempts is a number, for example attempts 50")?;
            }
            ("symmetry", value) => {
                self.wish.symmetry = PatternSymmetry::by_name(value).ok_or_else(|| {
                    format!("the symmetries are {}", PatternSymmetry::ALL.map(PatternSymmetry::name).join(", "))
                })?;
            }
            ("difficulty", value) => self.demands.push(Box::new(Between::Effort(named(value, &effort::Level::ALL)?))),
            ("level", value) => self.demands.push(Box::new(Between::Hodoku(named(value, &HodokuLevel::ALL)?))),
            ("er", value) => {
                let tenths = |number: &str| Some(Tenths((number.parse::<f64>().ok()? * 10.0).round() as u16));
                self.demands.push(Box::new(Between::Explainer(range(value, tenths, "er 7.1-8.4")?)));
            }
            ("dupree", value) => {
                let points = range(value, |number| number.parse().ok(), "dupree 251-400")?;
                self.demands.push(Box::new(Between::Dupree(points)));
            }
            _ => {
                return Err(format!(
                    "'{key}' is not a wish; wishes are size, boxes, clues, minimal, symmetry, difficulty, er, level, dupree, \
                     singles, kaggle and attempts"
                ));
            }
        }
        Ok(())
    }
}

/// `clues 24-26` or `clues=24-26`.
fn key_and_value(part: &str) -> (&str, &str) {
    let (key, value) = part.split_once([' ', '=']).unwrap_or((part, ""));
    (key.trim(), value.trim())
}

fn range<T: PartialOrd + Clone>(
    text: &str,
    read: impl Fn(&str) -> Option<T>,
    example: &str,
) -> Result<RangeInclusive<T>, String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (read(first.trim()), read(last.trim())) {
        (Some(first), Some(last)) if first <= last => Ok(first..=last),
        _ => Err(format!("'{text}' is not a range that goes upwards, as in {example}")),
    }
}

fn named<T: Copy + PartialOrd + Display>(text: &str, all: &[T]) -> Result<RangeInclusive<T>, String> {
    let level = |name: &str| all.iter().copied().find(|level| level.to_string() == name);
    let names = || all.iter().map(ToString::to_string).collect::<Vec<_>>();
    range(text, level, "easy-medium")
        .map_err(|_| format!("'{text}' is not one of {} or a range of them", names().join(", ")))
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
