//! Datasets: the examples of an experiment, generated or read from lists.
//!
//! A generated example depends on the seed and on its number only, so the number of threads makes
//! no difference. Training, validation and test set are consecutive parts of one sequence of
//! examples and do not overlap. The probability that two random complete grids are symmetric images
//! of each other is one in billions.

use super::{Augmentation, DataError, Examples};
use crate::stop::Stop;
use ninefold::generate::{self, GenerateOptions, GeneratedPuzzle, census};
use ninefold::grid::Order;
use ninefold::random::Random;
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::PathBuf;

/// The source of the examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// Kocherzhenko's generator: removes clues until `refusals` of them could not be removed.
    Kocherzhenko,
    /// Puzzles like the million on Kaggle, for 9×9 only.
    Kaggle,
    /// Minimal puzzles: without any of the clues there are several solutions.
    Minimal,
    /// Kocherzhenko's generator; clues that could not be removed may be drawn and counted again.
    KocherzhenkoRedrawn,
    /// All 85,632 minimal 4×4 puzzles in ten subsets: one is the test set, one of the others the
    /// validation set, and the remaining eight the training set (Schendowich, Ben Isaac and
    /// Azoulay). The numbers of examples are upper limits.
    Multiverse {
        /// The subset for validation, from 0 to 8.
        fold: usize,
    },
    /// Files with puzzles.
    Lists,
}

/// Files with puzzles for each split of the examples: training, validation and test set. No puzzle
/// should have a symmetric image in another split; `ninefold dataset split` makes such files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SplitFiles {
    /// The training set.
    pub train: Vec<PathBuf>,
    /// The validation set.
    pub validation: Vec<PathBuf>,
    /// The test set.
    pub test: Vec<PathBuf>,
}

/// Folds of the cross validation of Schendowich et al.
pub const FOLDS: usize = 9;

/// The source of the examples, and the size of each split: training, validation and test set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DatasetConfig {
    /// The source.
    pub source: Source,
    /// For Kocherzhenko's generator: the number of failed removals of clues after which it stops.
    pub refusals: usize,
    /// Training examples.
    pub train: u64,
    /// Validation examples.
    pub validation: u64,
    /// Test examples.
    pub test: u64,
    /// The files of the source `lists`. The numbers of examples are upper limits.
    #[serde(default, skip_serializing_if = "SplitFiles::is_empty")]
    pub lists: SplitFiles,
    /// Random changes to the training examples of every batch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub augmentation: Option<Augmentation>,
}

/// A split of a dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// For training.
    Train,
    /// For early stopping.
    Validation,
    /// For evaluation after training.
    Test,
}

impl SplitFiles {
    fn is_empty(&self) -> bool {
        *self == SplitFiles::default()
    }

    fn read(&self, order: Order, split: Split, stop: Stop<'_>) -> Result<Examples, DataError> {
        let paths = match split {
            Split::Train => &self.train,
            Split::Validation => &self.validation,
            Split::Test => &self.test,
        };
        let mut examples = Examples::new(order);
        for path in paths {
            examples.extend(&Examples::read_file_until(path, order, stop)?);
        }
        Ok(examples)
    }
}

/// The largest number of failed removals of clues. One puzzle is generated without interruption.
const MAX_REFUSALS: usize = 10_000;

impl DatasetConfig {
    /// The memory in bytes for all generated examples, puzzles and solutions. Lists have at most
    /// their own length.
    pub fn bytes(&self, order: Order) -> f64 {
        let examples = match self.source {
            Source::Multiverse { .. } | Source::Lists => 0,
            _ => self.train.saturating_add(self.validation),
        };
        2.0 * examples as f64 * order.cell_count() as f64
    }

    /// Checks the settings; the error is the reason why they cannot be used.
    pub fn check(&self) -> Result<(), String> {
        match self.refusals > MAX_REFUSALS {
            true => Err(format!(
                "data.refusals: expected at most {MAX_REFUSALS}, found {}",
                self.refusals
            )),
            false => Ok(()),
        }
    }

    /// This source, with zero examples in every split.
    pub fn new(source: Source) -> DatasetConfig {
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

    /// Generates or reads the examples of a split, on this many threads.
    pub fn load(
        &self,
        order: Order,
        split: Split,
        seed: u64,
        threads: usize,
    ) -> Result<Examples, DataError> {
        self.load_until(order, split, seed, threads, Stop::default())
    }

    /// Like [`load`](DatasetConfig::load), with an error when it has to stop.
    pub fn load_until(
        &self,
        order: Order,
        split: Split,
        seed: u64,
        threads: usize,
        stop: Stop<'_>,
    ) -> Result<Examples, DataError> {
        if self.source == Source::Kaggle && order != Order::NINE {
            return Err(DataError::NotNine(order));
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
                .read(order, split, stop)?
                .first((indices.end - indices.start) as usize));
        }
        let threads = (threads.max(1) as u64).min(indices.end - indices.start).max(1);
        let share = (indices.end - indices.start).div_ceil(threads);
        let ranges = (0..threads).map(|thread| {
            let start = (indices.start + thread * share).min(indices.end);
            start..(start + share).min(indices.end)
        });
        // Each thread generates a range of examples; in order they are the split.
        let parts: Vec<Result<Examples, DataError>> = std::thread::scope(|scope| {
            let workers: Vec<_> = ranges
                .map(|indices| scope.spawn(move || self.generate(order, seed, indices, stop)))
                .collect();
            workers
                .into_iter()
                .map(|worker| worker.join().expect("generators do not panic"))
                .collect()
        });
        let mut examples = Examples::new(order);
        for part in parts {
            let part = part?;
            examples.puzzles.extend(part.puzzles);
            examples.solutions.extend(part.solutions);
        }
        Ok(examples)
    }

    /// The test set is a tenth of all puzzles in random order. 77,069 puzzles remain for the folds,
    /// as in the paper.
    fn fold_of_census(&self, split: Split, seed: u64, fold: usize) -> Examples {
        let mut all: Vec<GeneratedPuzzle> = census::minimal_puzzles(&census::all()).collect();
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
        let mut examples = Examples::new(Order::FOUR);
        let chosen = parts.into_iter().flatten().take(limit as usize);
        chosen.for_each(|GeneratedPuzzle { puzzle, solution }| examples.push(puzzle, solution));
        examples
    }

    fn generate(
        &self,
        order: Order,
        seed: u64,
        indices: Range<u64>,
        stop: Stop<'_>,
    ) -> Result<Examples, DataError> {
        let minimal = GenerateOptions::new(order).with_minimal(true);
        let mut examples = Examples::new(order);
        for index in indices {
            if stop.is_due() {
                return Err(DataError::Stopped);
            }
            let made = match self.source {
                Source::Kocherzhenko => {
                    Ok(generate::kocherzhenko(order, self.refusals, seed, index))
                }
                Source::KocherzhenkoRedrawn => {
                    Ok(generate::kocherzhenko_with_redraws(order, self.refusals, seed, index))
                }
                Source::Kaggle => {
                    generate::generate_one(&GenerateOptions::kaggle_clues(), seed, index)
                }
                Source::Minimal => generate::generate_one(&minimal, seed, index),
                Source::Multiverse { .. } => {
                    unreachable!("folds of the census are selected, not generated")
                }
                Source::Lists => unreachable!("lists are read, not generated"),
            };
            let GeneratedPuzzle { puzzle, solution } =
                made.map_err(|error| DataError::Generate { index, error })?;
            examples.push(&puzzle, &solution);
        }
        Ok(examples)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::time::Duration;

    fn dataset(source: Source) -> DatasetConfig {
        DatasetConfig {
            refusals: 3,
            train: 11,
            validation: 3,
            test: 2,
            ..DatasetConfig::new(source)
        }
    }

    #[test]
    fn examples_do_not_depend_on_threads_and_splits_do_not_overlap() {
        for source in [Source::Kocherzhenko, Source::KocherzhenkoRedrawn, Source::Minimal] {
            let dataset = dataset(source);
            let train = dataset.load(Order::FOUR, Split::Train, 5, 1).unwrap();
            assert_eq!(train, dataset.load(Order::FOUR, Split::Train, 5, 4).unwrap());
            assert_eq!(train.len(), 11);
            let more = DatasetConfig { train: 14, ..dataset.clone() }
                .load(Order::FOUR, Split::Train, 5, 3)
                .unwrap();
            let validation = dataset.load(Order::FOUR, Split::Validation, 5, 2).unwrap();
            assert_eq!(
                more.puzzle(11),
                validation.puzzle(0),
                "the validation set follows the training set"
            );
            assert_eq!(dataset.load(Order::FOUR, Split::Test, 5, 16).unwrap().len(), 2);
        }
    }

    #[test]
    fn making_examples_stops_at_once() {
        let flag = std::sync::atomic::AtomicBool::new(true);
        let endless = DatasetConfig { train: 1 << 40, ..dataset(Source::Minimal) };
        for stop in [Stop::new(Some(&flag), None), Stop::new(None, Some(Duration::ZERO))] {
            let made = endless.load_until(Order::NINE, Split::Train, 1, 2, stop);
            assert!(matches!(made, Err(DataError::Stopped)), "{made:?}");
        }
    }

    #[test]
    fn kaggle_puzzles_are_nine_by_nine() {
        let examples = dataset(Source::Kaggle).load(Order::NINE, Split::Test, 1, 2).unwrap();
        assert!(
            (29..=37).contains(&examples.puzzle(0).iter().filter(|&&number| number > 0).count())
        );
        let error = dataset(Source::Kaggle).load(Order::FOUR, Split::Test, 1, 1).unwrap_err();
        assert_eq!(error.to_string(), "the source kaggle has 9×9 puzzles, not 4×4");
    }

    #[test]
    fn every_puzzle_is_in_the_test_set_or_one_validation_fold() {
        let all = u64::MAX;
        let dataset = |fold| DatasetConfig {
            train: all,
            validation: all,
            test: all,
            ..DatasetConfig::new(Source::Multiverse { fold })
        };
        let make = |fold, part| dataset(fold).load(Order::FOUR, part, 1, 1).unwrap();
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
            DatasetConfig { train: 5, ..dataset(4) }.load(Order::FOUR, Split::Train, 1, 1).unwrap();
        assert_eq!(few, train.first(5));
        let error = dataset(0).load(Order::NINE, Split::Test, 1, 1).unwrap_err();
        assert_eq!(error.to_string(), "the source `multiverse` has only 4×4 puzzles, not 9×9");
    }

    #[test]
    fn each_split_reads_its_files_and_errors_name_the_file() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("four.txt");
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
            ..DatasetConfig::new(Source::Lists)
        };
        let make = |part| dataset.load(Order::FOUR, part, 1, 2).map(|examples| examples.len());
        assert_eq!(
            (
                make(Split::Train).unwrap(),
                make(Split::Validation).unwrap(),
                make(Split::Test).unwrap()
            ),
            (3, 0, 2)
        );
        let error = dataset.load(Order::NINE, Split::Train, 1, 1).unwrap_err().to_string();
        assert!(error.contains("four.txt: "), "{error}");
    }
}
