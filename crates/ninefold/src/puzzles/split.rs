//! Train/test splits that keep all symmetric images of a puzzle in one part.
//!
//! A model that was trained on a puzzle has indirectly seen all its symmetric images, so a split
//! must not separate them. The part that a puzzle belongs to depends only on the seed and on the
//! symmetry class of the puzzle. No list is needed, puzzles can be processed in any order on any
//! number of machines, and adding a puzzle never moves another one to a different part. The
//! drawback is that the parts have the requested shares only on average.

use super::Canonical;
use crate::random::Random;
use std::collections::HashSet;
use std::fmt;

/// Divides puzzles into parts by symmetry class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    seed: u64,
    parts: Vec<Part>,
}

/// One part of a split.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The name of the part, such as `train`.
    pub name: String,
    /// The share of the classes, relative to the other parts.
    pub share: u32,
}

/// Why the description of a split is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SplitError {
    /// A part does not have the form `name=share`.
    #[error("expected name=share as in train=80,test=20, found {found:?}")]
    InvalidPart {
        /// The invalid part.
        found: String,
    },
    /// All shares are 0.
    #[error("all parts of the split have share 0; at least one share must be positive")]
    NoShare,
    /// Two parts have the same name.
    #[error("two parts of the split have the name {name:?}")]
    DuplicateName {
        /// The name.
        name: String,
    },
}

impl Split {
    /// Parses a description such as `train=80,test=20`.
    ///
    /// ```
    /// use ninefold::puzzles::{canonical, split::{Manifest, Split, SplitBy}};
    ///
    /// let split = Split::parse("train=80,test=20", 7)?;
    /// assert_eq!(split.parts()[0].name, "train");
    /// let puzzle = "1..4..1..3..4..3".parse()?;
    /// let part = Manifest::new(split, SplitBy::Puzzle).add(&canonical(&puzzle));
    /// assert!(part < 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn parse(text: &str, seed: u64) -> Result<Split, SplitError> {
        let mut parts: Vec<Part> = Vec::new();
        for word in text.split(',') {
            let invalid_part = || SplitError::InvalidPart { found: word.to_string() };
            let (name, share) = word.split_once('=').ok_or_else(invalid_part)?;
            let share = share.trim().parse().map_err(|_| invalid_part())?;
            let name = name.trim().to_string();
            if name.is_empty()
                || !name.chars().all(|letter| letter.is_alphanumeric() || "-_".contains(letter))
            {
                return Err(invalid_part());
            }
            if parts.iter().any(|part| part.name == name) {
                return Err(SplitError::DuplicateName { name });
            }
            parts.push(Part { name, share });
        }
        if parts.iter().all(|part| part.share == 0) {
            return Err(SplitError::NoShare);
        }
        Ok(Split { seed, parts })
    }

    /// The parts in the order of the description.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The index of the part that a class belongs to.
    ///
    /// The canonical form of the puzzle keeps the images of a puzzle together. The canonical form
    /// of its solution also keeps all puzzles with the same solution grid together.
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
        unreachable!("the draw is below the sum of the shares")
    }
}

/// Which symmetry classes are kept in one part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SplitBy {
    /// Classes of puzzles.
    Puzzle,
    /// Classes of solution grids.
    Solution,
}

impl SplitBy {
    /// Both values.
    pub const ALL: [SplitBy; 2] = [SplitBy::Puzzle, SplitBy::Solution];

    /// The name in options and manifests: `puzzle` or `solution`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            SplitBy::Puzzle => "puzzle",
            SplitBy::Solution => "solution",
        }
    }
}

/// A record of the contents of each part, for reproducing and verifying a split.
#[derive(Clone, Debug)]
pub struct Manifest {
    split: Split,
    by: SplitBy,
    parts: Vec<Contents>,
}

#[derive(Clone, Debug, Default)]
struct Contents {
    puzzles: u64,
    classes: HashSet<u128>,
}

impl Manifest {
    /// Creates an empty record.
    #[must_use]
    pub fn new(split: Split, by: SplitBy) -> Manifest {
        let parts = vec![Contents::default(); split.parts.len()];
        Manifest { split, by, parts }
    }

    /// Counts a puzzle of this class and returns the index of its part.
    pub fn add(&mut self, class: &Canonical) -> usize {
        let part = self.split.part_of(class);
        self.parts[part].puzzles += 1;
        self.parts[part].classes.insert(class.fingerprint());
        part
    }

    /// The number of puzzles and the number of classes in a part.
    #[must_use]
    pub fn counts(&self, part: usize) -> (u64, usize) {
        (self.parts[part].puzzles, self.parts[part].classes.len())
    }
}

/// Formats the manifest as TOML. The fingerprint of a part is the sum over its classes, so it does
/// not depend on their order.
impl fmt::Display for Manifest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "# A split by symmetry class: all images of a {} are on one side.",
            self.by.name()
        )?;
        writeln!(f, "seed = {}", self.split.seed)?;
        writeln!(f, "by = \"{}\"", self.by.name())?;
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
    fn images_stay_in_one_part() {
        let split = Split::parse("train=3,test=1", 11).unwrap();
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
    fn a_manifest_does_not_depend_on_the_order_of_puzzles() {
        let split = Split::parse("train=1, test=1, none=0", 3).unwrap();
        let mut forwards = Manifest::new(split.clone(), SplitBy::Puzzle);
        let mut backwards = Manifest::new(split, SplitBy::Puzzle);
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
    fn rejects_invalid_descriptions() {
        let check = |text: &str, expected: &str| {
            assert_eq!(Split::parse(text, 1).unwrap_err().to_string(), expected);
        };
        check("train", "expected name=share as in train=80,test=20, found \"train\"");
        check("a/b=1", "expected name=share as in train=80,test=20, found \"a/b=1\"");
        check(
            "train=0,test=0",
            "all parts of the split have share 0; at least one share must be positive",
        );
        check("train=1,train=2", "two parts of the split have the name \"train\"");
    }
}
