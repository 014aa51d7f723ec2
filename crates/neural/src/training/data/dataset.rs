//! Datasets: this is where an experiment says which examples it wants, and where they are made or read.
//!
//! They are made by the generators of `ninefold`, or read from a list. Made ones depend on the seed and their number
//! alone: the same examples come out on one thread and on sixteen. Training, validation and test set are neighbouring
//! parts of one stream, so no puzzle is in two of them by construction; that two random complete grids are images of
//! each other has a chance of one in billions.

use super::{Augmentation, DataError, Examples};
use ninefold::generate::{self, Made, Wish, census};
use ninefold::grid::Order;
use ninefold::random::Random;
use serde::{Deserialize, Serialize};
use std::io::BufReader;
use std::ops::Range;
use std::path::PathBuf;

/// How examples are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// Kocherzhenko's generator: cells are emptied until `refusals` of them could not be.
    Kocherzhenko,
    /// Like the million puzzles on Kaggle, for 9×9 only.
    Kaggle,
    /// Every clue is needed.
    Minimal,
    /// Kocherzhenko's generator, which draws again, and refuses again, cells that it could not empty.
    KocherzhenkoRedrawn,
    /// All 85,632 puzzles of 4×4 that need every clue, in ten subsets: one is the test set, one of the others in turn
    /// validates, and the remaining eight are learned from (Schendowich, Ben Isaac and Azoulay). The numbers of
    /// examples are upper limits here.
    Multiverse {
        /// The subset that validates, from 0 to 8.
        fold: usize,
    },
    /// Read from lists.
    Lists,
}

/// Files with puzzles for each split; no puzzle should have a twin in another split, as `ninefold dataset split` sees to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SplitFiles {
    /// To learn from.
    pub train: Vec<PathBuf>,
    /// Decides when to stop.
    pub validation: Vec<PathBuf>,
    /// Never learned from.
    pub test: Vec<PathBuf>,
}

/// Folds of the cross validation of Schendowich et al.
pub(in crate::training) const FOLDS: usize = 9;

/// Where examples come from and how many there are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DatasetConfig {
    /// How they are made.
    pub source: Source,
    /// For Kocherzhenko's generator: cells that could not be emptied before it ends.
    pub refusals: usize,
    /// Examples to learn from.
    pub train: u64,
    /// Examples that decide when to stop.
    pub validation: u64,
    /// Examples that are never learned from.
    pub test: u64,
    /// For the source that reads them: the lists. Of each split as many examples are taken as there are, at most the
    /// number above.
    #[serde(default, skip_serializing_if = "SplitFiles::is_empty")]
    pub lists: SplitFiles,
    /// Training examples look different every time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub augmentation: Option<Augmentation>,
}

/// A split of a dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// To learn from.
    Train,
    /// Decides when to stop.
    Validation,
    /// Never learned from.
    Test,
}

impl SplitFiles {
    /// Are there none?
    fn is_empty(&self) -> bool {
        *self == SplitFiles::default()
    }

    fn read(&self, order: Order, split: Split) -> Result<Examples, DataError> {
        let paths = match split {
            Split::Train => &self.train,
            Split::Validation => &self.validation,
            Split::Test => &self.test,
        };
        let mut examples = Examples::none(order);
        for path in paths {
            let file = std::fs::File::open(path).map_err(DataError::Stream);
            let read = file.and_then(|file| Examples::read(BufReader::new(file), order));
            let read = read.map_err(|error| DataError::List {
                path: path.display().to_string(),
                error: Box::new(error),
            })?;
            examples.puzzles.extend(read.puzzles);
            examples.solutions.extend(read.solutions);
        }
        Ok(examples)
    }
}

impl DatasetConfig {
    /// No examples from this source yet.
    pub(crate) fn of(source: Source) -> DatasetConfig {
        let lists = SplitFiles::default();
        DatasetConfig {
            source,
            refusals: 0,
            train: 0,
            validation: 0,
            test: 0,
            lists,
            augmentation: None,
        }
    }

    /// The examples of a split, made on this many threads.
    pub fn make(
        &self,
        order: Order,
        split: Split,
        seed: u64,
        threads: usize,
    ) -> Result<Examples, DataError> {
        if self.source == Source::Kaggle && order != Order::NINE {
            return Err(DataError::WrongOrder(order));
        }
        if let Source::Multiverse { fold } = self.source {
            return if order == Order::FOUR {
                Ok(self.fold_of_census(split, seed, fold))
            } else {
                Err(DataError::NotFour(order))
            };
        }
        let indices = match split {
            Split::Train => 0..self.train,
            Split::Validation => self.train..self.train + self.validation,
            Split::Test => self.train + self.validation..self.train + self.validation + self.test,
        };
        if self.source == Source::Lists {
            return Ok(self
                .lists
                .read(order, split)?
                .first((indices.end - indices.start) as usize));
        }
        let threads = (threads.max(1) as u64).min(indices.end - indices.start).max(1);
        let share = (indices.end - indices.start).div_ceil(threads);
        let makers = (0..threads).map(|thread| {
            let start = (indices.start + thread * share).min(indices.end);
            start..(start + share).min(indices.end)
        });
        // Each thread makes one run of neighbours; put together in order they are the whole part.
        let parts: Vec<Result<Examples, DataError>> = std::thread::scope(|scope| {
            let makers: Vec<_> = makers
                .map(|indices| scope.spawn(move || self.make_some(order, seed, indices)))
                .collect();
            makers.into_iter().map(|maker| maker.join().expect("no maker panics")).collect()
        });
        let mut examples = Examples::none(order);
        for part in parts {
            let part = part?;
            examples.puzzles.extend(part.puzzles);
            examples.solutions.extend(part.solutions);
        }
        Ok(examples)
    }

    /// The test set is a tenth of all puzzles in a random order, and 77,069 remain for the folds: the paper's number.
    fn fold_of_census(&self, split: Split, seed: u64, fold: usize) -> Examples {
        let mut all: Vec<Made> = census::minimal_puzzles(&census::all()).collect();
        Random::new(seed).shuffle(&mut all);
        let (test, others) = all.split_at(all.len() / (FOLDS + 1));
        let border = |fold: usize| fold * others.len() / FOLDS;
        let (before, rest) = others.split_at(border(fold));
        let (inside, after) = rest.split_at(border(fold + 1) - border(fold));
        let (parts, limit) = match split {
            Split::Train => ([before, after], self.train),
            Split::Validation => ([inside, &[]], self.validation),
            Split::Test => ([test, &[]], self.test),
        };
        let mut examples = Examples::none(Order::FOUR);
        let chosen = parts.into_iter().flatten().take(limit as usize);
        chosen.for_each(|Made { puzzle, solution }| examples.push(puzzle, solution));
        examples
    }

    fn make_some(
        &self,
        order: Order,
        seed: u64,
        indices: Range<u64>,
    ) -> Result<Examples, DataError> {
        let minimal = Wish { minimal: true, ..Wish::any(order) };
        let mut examples = Examples::none(order);
        for index in indices {
            let made = match self.source {
                Source::Kocherzhenko => {
                    Ok(generate::kocherzhenko(order, self.refusals, seed, index))
                }
                Source::KocherzhenkoRedrawn => {
                    Ok(generate::kocherzhenko_redrawn(order, self.refusals, seed, index))
                }
                Source::Kaggle => generate::make(&Wish::kaggle_clues(), seed, index),
                Source::Minimal => generate::make(&minimal, seed, index),
                Source::Multiverse { .. } => {
                    unreachable!("a fold of the census is not made puzzle by puzzle")
                }
                Source::Lists => unreachable!("lists are read, not made"),
            };
            let Made { puzzle, solution } =
                made.map_err(|refusal| DataError::NotMade { index, refusal })?;
            examples.push(&puzzle, &solution);
        }
        Ok(examples)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn dataset(source: Source) -> DatasetConfig {
        DatasetConfig {
            refusals: 3,
            train: 11,
            validation: 3,
            test: 2,
            ..DatasetConfig::of(source)
        }
    }

    #[test]
    fn the_number_of_threads_changes_nothing_and_parts_do_not_overlap() {
        for source in [Source::Kocherzhenko, Source::KocherzhenkoRedrawn, Source::Minimal] {
            let dataset = dataset(source);
            let train = dataset.make(Order::FOUR, Split::Train, 5, 1).unwrap();
            assert_eq!(train, dataset.make(Order::FOUR, Split::Train, 5, 4).unwrap());
            assert_eq!(train.len(), 11);
            let more = DatasetConfig { train: 14, ..dataset.clone() }
                .make(Order::FOUR, Split::Train, 5, 3)
                .unwrap();
            let validation = dataset.make(Order::FOUR, Split::Validation, 5, 2).unwrap();
            assert_eq!(
                more.puzzle(11),
                validation.puzzle(0),
                "validation goes on where training ends"
            );
            assert_eq!(dataset.make(Order::FOUR, Split::Test, 5, 16).unwrap().len(), 2);
        }
    }

    #[test]
    fn kaggle_puzzles_are_nine_by_nine() {
        let examples = dataset(Source::Kaggle).make(Order::NINE, Split::Test, 1, 2).unwrap();
        assert!(
            (29..=37).contains(&examples.puzzle(0).iter().filter(|&&number| number > 0).count())
        );
        let error = dataset(Source::Kaggle).make(Order::FOUR, Split::Test, 1, 1).unwrap_err();
        assert_eq!(error.to_string(), "the source kaggle makes 9×9 puzzles, not 4×4");
    }

    #[test]
    fn nine_folds_validate_every_puzzle_but_the_test_set_once() {
        let all = u64::MAX;
        let dataset = |fold| DatasetConfig {
            train: all,
            validation: all,
            test: all,
            ..DatasetConfig::of(Source::Multiverse { fold })
        };
        let make = |fold, part| dataset(fold).make(Order::FOUR, part, 1, 1).unwrap();
        let puzzles = |examples: &Examples| -> HashSet<Vec<u8>> {
            (0..examples.len()).map(|index| examples.puzzle(index).to_vec()).collect()
        };
        let mut seen = puzzles(&make(0, Split::Test));
        assert_eq!(seen.len(), 8_563);
        for fold in 0..FOLDS {
            let validation = make(fold, Split::Validation);
            assert!((8_563..=8_564).contains(&validation.len()));
            seen.extend(puzzles(&validation));
        }
        assert_eq!(seen.len(), 85_632);
        let (train, validation, test) =
            (make(4, Split::Train), make(4, Split::Validation), make(4, Split::Test));
        assert_eq!(train.len() + validation.len(), 77_069);
        assert!(
            puzzles(&train).is_disjoint(&puzzles(&validation))
                && puzzles(&train).is_disjoint(&puzzles(&test))
        );
        let few =
            DatasetConfig { train: 5, ..dataset(4) }.make(Order::FOUR, Split::Train, 1, 1).unwrap();
        assert_eq!(few, train.first(5));
        let error = dataset(0).make(Order::NINE, Split::Test, 1, 1).unwrap_err();
        assert_eq!(error.to_string(), "the source multiverse lists 4×4 puzzles, not 9×9");
    }

    #[test]
    fn lists_are_files_of_each_part_and_a_bad_one_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("four.txt");
        std::fs::write(&path, "1..4..1..3..4..3\n.43.3.....4..1..\n").unwrap();
        let lists = SplitFiles {
            train: vec![path.clone(), path.clone()],
            test: vec![path],
            ..SplitFiles::default()
        };
        let dataset = DatasetConfig {
            train: 3,
            validation: 9,
            test: 9,
            lists,
            ..DatasetConfig::of(Source::Lists)
        };
        let make = |part| dataset.make(Order::FOUR, part, 1, 2).map(|examples| examples.len());
        assert_eq!(
            (
                make(Split::Train).unwrap(),
                make(Split::Validation).unwrap(),
                make(Split::Test).unwrap()
            ),
            (3, 0, 2)
        );
        let error = dataset.make(Order::NINE, Split::Train, 1, 1).unwrap_err().to_string();
        assert!(error.contains("four.txt: "), "{error}");
    }
}
