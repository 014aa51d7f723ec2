//! Splits: which side of a train/test split a puzzle belongs to.
//!
//! A model that has seen a puzzle has seen all its symmetric images, so a split must keep a whole class on one side.
//! Here the side follows from the seed and the class alone: no list is kept, puzzles may come in any order and on any
//! number of machines, and a puzzle that is added later never moves another one. The price is that shares are met on
//! average and not to the puzzle.

use super::Canonical;
use crate::random::Random;
use std::collections::HashSet;
use std::fmt;

/// A way to divide puzzles into parts, class by class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    seed: u64,
    parts: Vec<Part>,
}

/// One side of a split.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name, such as `train`.
    pub name: String,
    /// Its share of the classes, relative to the other parts.
    pub share: u32,
}

/// Why a split cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SplitError {
    /// The text is not of the form `train=80,test=20`.
    #[error(
        "{found:?} is not a part of a split; write names and shares, for example train=80,test=20"
    )]
    NotAPart {
        /// What was read.
        found: String,
    },
    /// All shares are 0.
    #[error("all parts of the split are empty; give one of them a share above 0")]
    NoShare,
    /// Two parts have the same name.
    #[error("two parts of the split are called {name:?}")]
    SameName {
        /// The name.
        name: String,
    },
}

impl Split {
    /// The split described as `train=80,test=20`.
    ///
    /// ```
    /// use ninefold::puzzles::{canonical, split::{By, Manifest, Split}};
    ///
    /// let split = Split::read("train=80,test=20", 7)?;
    /// assert_eq!(split.parts()[0].name, "train");
    /// let puzzle = "1..4..1..3..4..3".parse()?;
    /// let part = Manifest::new(split, By::Puzzle).add(&canonical(&puzzle));
    /// assert!(part < 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(text: &str, seed: u64) -> Result<Split, SplitError> {
        let mut parts: Vec<Part> = Vec::new();
        for word in text.split(',') {
            let not_a_part = || SplitError::NotAPart { found: word.to_string() };
            let (name, share) = word.split_once('=').ok_or_else(not_a_part)?;
            let share = share.trim().parse().map_err(|_| not_a_part())?;
            let name = name.trim().to_string();
            if name.is_empty()
                || !name.chars().all(|letter| letter.is_alphanumeric() || "-_".contains(letter))
            {
                return Err(not_a_part());
            }
            if parts.iter().any(|part| part.name == name) {
                return Err(SplitError::SameName { name });
            }
            parts.push(Part { name, share });
        }
        if parts.iter().all(|part| part.share == 0) {
            return Err(SplitError::NoShare);
        }
        Ok(Split { seed, parts })
    }

    /// The parts in the order in which they were named.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The index of the part that a class belongs to.
    ///
    /// Pass the form of the puzzle to keep the images of a puzzle together, or the form of its solution to keep all
    /// puzzles with the same solution grid together.
    fn part_of(&self, class: &Canonical) -> usize {
        let all: u64 = self.parts.iter().map(|part| u64::from(part.share)).sum();
        let fingerprint = class.fingerprint();
        let mut draw = Random::for_part(self.seed, (fingerprint >> 64) as u64 ^ fingerprint as u64)
            .below(all as usize);
        for (index, part) in self.parts.iter().enumerate() {
            match draw.checked_sub(part.share as usize) {
                Some(left) => draw = left,
                None => return index,
            }
        }
        unreachable!("a draw lies below the sum of the shares")
    }
}

/// What a class is the class of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// The puzzle itself.
    Puzzle,
    /// Its solution grid.
    Solution,
}

impl By {
    /// The word for it in a manifest.
    fn word(self) -> &'static str {
        match self {
            By::Puzzle => "puzzle",
            By::Solution => "solution",
        }
    }
}

/// A record of what went into each part, so that a split can be repeated and checked.
#[derive(Clone, Debug)]
pub struct Manifest {
    split: Split,
    by: By,
    parts: Vec<Contents>,
}

#[derive(Clone, Debug, Default)]
struct Contents {
    puzzles: u64,
    classes: HashSet<u128>,
}

impl Manifest {
    /// An empty record of a split.
    #[must_use]
    pub fn new(split: Split, by: By) -> Manifest {
        let parts = vec![Contents::default(); split.parts.len()];
        Manifest { split, by, parts }
    }

    /// Counts one puzzle of this class and says which part it belongs to.
    pub fn add(&mut self, class: &Canonical) -> usize {
        let part = self.split.part_of(class);
        self.parts[part].puzzles += 1;
        self.parts[part].classes.insert(class.fingerprint());
        part
    }

    /// How many puzzles and how many classes a part holds.
    #[must_use]
    pub fn counts(&self, part: usize) -> (u64, usize) {
        (self.parts[part].puzzles, self.parts[part].classes.len())
    }
}

/// The manifest as TOML. The fingerprint of a part is the sum over its classes, so it does not depend on their order.
impl fmt::Display for Manifest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "# A split by symmetry class: all images of a {} are on one side.",
            self.by.word()
        )?;
        writeln!(f, "seed = {}", self.split.seed)?;
        writeln!(f, "by = \"{}\"", self.by.word())?;
        for (part, contents) in self.split.parts.iter().zip(&self.parts) {
            let sum = contents.classes.iter().fold(0u128, |sum, &class| sum.wrapping_add(class));
            writeln!(f, "\n[[part]]\nname = \"{}\"\nshare = {}", part.name, part.share)?;
            writeln!(f, "puzzles = {}\nclasses = {}", contents.puzzles, contents.classes.len())?;
            writeln!(f, "fingerprint = \"{sum:032x}\"")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::{Digit, Grid, Order, Symmetry};
    use crate::puzzles::canonical;

    /// Different classes: two clues in row 1 and a growing pattern of clues in row 9.
    fn puzzles() -> Vec<Grid> {
        (0u16..512)
            .map(|pattern| {
                let mut grid = Grid::empty(Order::NINE);
                for column in (0..9).filter(|column| pattern >> column & 1 == 1) {
                    grid.set(Order::NINE.cell(8, column), Digit::new(column as u8 + 1));
                    grid.set(
                        Order::NINE.cell(column % 3, column),
                        Digit::new(column as u8 / 3 + 1),
                    );
                }
                grid
            })
            .collect()
    }

    #[test]
    fn images_stay_on_one_side() {
        let split = Split::read("train=3,test=1", 11).unwrap();
        let mut random = Random::new(2);
        let mut sides = [0; 2];
        for puzzle in puzzles() {
            let part = split.part_of(&canonical(&puzzle));
            sides[part] += 1;
            let image = Symmetry::random(Order::NINE, &mut random).image(&puzzle);
            assert_eq!(split.part_of(&canonical(&image)), part, "{puzzle}");
        }
        assert!(sides[0] > sides[1] && sides[1] > 0, "{sides:?}");
    }

    #[test]
    fn a_manifest_counts_puzzles_and_classes_whatever_their_order() {
        let split = Split::read("train=1, test=1, none=0", 3).unwrap();
        let mut forwards = Manifest::new(split.clone(), By::Puzzle);
        let mut backwards = Manifest::new(split, By::Puzzle);
        let puzzles = puzzles();
        puzzles.iter().for_each(|puzzle| _ = forwards.add(&canonical(puzzle)));
        puzzles.iter().rev().for_each(|puzzle| _ = backwards.add(&canonical(puzzle)));
        assert_eq!(forwards.to_string(), backwards.to_string());
        assert_eq!(forwards.counts(0).0 + forwards.counts(1).0, 512);
        assert_eq!(forwards.counts(2), (0, 0));
        assert!(
            forwards.counts(0).1 < forwards.counts(0).0 as usize,
            "some of these puzzles are images of others"
        );
        assert!(
            forwards.to_string().contains("name = \"none\"\nshare = 0\npuzzles = 0\nclasses = 0\n")
        );
    }

    #[test]
    fn a_split_that_makes_no_sense_is_refused_with_a_reason() {
        let check = |text: &str, expected: &str| {
            assert_eq!(Split::read(text, 1).unwrap_err().to_string(), expected);
        };
        check(
            "train",
            "\"train\" is not a part of a split; write names and shares, for example train=80,test=20",
        );
        check(
            "a/b=1",
            "\"a/b=1\" is not a part of a split; write names and shares, for example train=80,test=20",
        );
        check(
            "train=0,test=0",
            "all parts of the split are empty; give one of them a share above 0",
        );
        check("train=1,train=2", "two parts of the split are called \"train\"");
    }
}
