//! Examples: puzzles with their solutions, and their augmentation in training.

mod dataset;
mod variants;

pub use dataset::{DatasetConfig, FOLDS, Source, Split, SplitFiles};
pub use variants::{VariantExample, VariantExamples, VariantSource};

use crate::parallel;
use crate::stop::Stop;
use ninefold::generate::GenerateError;
use ninefold::grid::{Grid, Order, Symmetry};
use ninefold::logic::six_rules;
use ninefold::random::Random;
use ninefold::search::{self, Limits, Solutions};
use ninefold_formats::ReadError;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Puzzles of one size with their solutions: a number per cell in reading order, 0 for an empty
/// cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examples {
    order: Order,
    puzzles: Vec<u8>,
    solutions: Vec<u8>,
}

/// Random changes to training examples.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Augmentation {
    /// Fills in cells from the solution, up to a number of givens drawn uniformly from this
    /// range.
    pub givens: [usize; 2],
    /// Replaces the puzzle with a random symmetric image: digits, rows and columns are permuted.
    pub symmetries: bool,
    /// Replaces three of four examples with a random position on the solving path of the six rules
    /// of Cheewaprakobkit et al.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub on_solving_path: bool,
}

/// Why examples cannot be made or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DataError {
    /// The generator fails.
    #[error("example {index} cannot be generated: {error}")]
    Generate {
        /// The number of the example, counted from 0.
        index: u64,
        /// The error of the generator.
        error: GenerateError,
    },
    /// Variants cannot be generated, or are too large.
    #[error("variants: {0}")]
    Variants(String),
    /// The source `kaggle` has 9×9 puzzles only.
    #[error("the source kaggle has 9×9 puzzles, not {0}")]
    NotNine(Order),
    /// The source `multiverse` has 4×4 puzzles only.
    #[error("the source `multiverse` has only 4×4 puzzles, not {0}")]
    NotFour(Order),
    /// A line is not a puzzle.
    #[error(transparent)]
    Unreadable(#[from] ReadError),
    /// A list cannot be read.
    #[error("{path}: {error}")]
    List {
        /// The file.
        path: String,
        /// The reason.
        error: Box<DataError>,
    },
    /// The run has to stop before all examples are made.
    #[error("the run was stopped before all examples were made")]
    Stopped,
    /// The input cannot be read.
    #[error("the list cannot be read: {0}")]
    Stream(#[from] std::io::Error),
    /// A puzzle has another size.
    #[error("puzzle {number} is a {found} grid; the model expects {expected}")]
    OtherOrder {
        /// The number of the puzzle, counted from 1.
        number: usize,
        /// The size of the puzzle.
        found: Order,
        /// The size of the model.
        expected: Order,
    },
    /// A puzzle has no solution, or several.
    #[error("puzzle {number} has {count}; training and evaluation need exactly one")]
    NotOneSolution {
        /// The number of the puzzle, counted from 1.
        number: usize,
        /// `no solution` or `several solutions`.
        count: &'static str,
    },
}

impl Examples {
    /// An empty list.
    pub fn new(order: Order) -> Examples {
        Examples { order, puzzles: Vec::new(), solutions: Vec::new() }
    }

    /// The grid size of all examples.
    pub fn order(&self) -> Order {
        self.order
    }

    /// The number of examples.
    pub fn len(&self) -> usize {
        self.puzzles.len() / self.order.cell_count()
    }

    /// Whether the list is empty.
    pub fn is_empty(&self) -> bool {
        self.puzzles.is_empty()
    }

    /// The puzzle with this index, 0 for an empty cell.
    pub fn puzzle(&self, index: usize) -> &[u8] {
        &self.puzzles[index * self.order.cell_count()..][..self.order.cell_count()]
    }

    /// The solution of the puzzle with this index.
    pub fn solution(&self, index: usize) -> &[u8] {
        &self.solutions[index * self.order.cell_count()..][..self.order.cell_count()]
    }

    /// Adds an example.
    pub fn push(&mut self, puzzle: &Grid, solution: &Grid) {
        self.puzzles.extend(puzzle.numbers());
        self.solutions.extend(solution.numbers());
    }

    /// Adds all examples of another list.
    ///
    /// # Panics
    ///
    /// If the grid sizes differ.
    pub fn extend(&mut self, others: &Examples) {
        assert_eq!(self.order, others.order, "all examples of a list have the same size");
        self.puzzles.extend(&others.puzzles);
        self.solutions.extend(&others.solutions);
    }

    /// The examples with these indices.
    pub fn select(&self, indices: &[usize]) -> Examples {
        let puzzles = indices.iter().flat_map(|&index| self.puzzle(index)).copied().collect();
        let solutions = indices.iter().flat_map(|&index| self.solution(index)).copied().collect();
        Examples { puzzles, solutions, ..*self }
    }

    /// Replaces an example.
    pub fn replace(&mut self, index: usize, puzzle: &[u8], solution: &[u8]) {
        let cells = self.order.cell_count();
        self.puzzles[index * cells..][..cells].copy_from_slice(puzzle);
        self.solutions[index * cells..][..cells].copy_from_slice(solution);
    }

    /// Examples from concatenated grids; none if they are not grids of this size.
    pub fn from_numbers(order: Order, puzzles: Vec<u8>, solutions: Vec<u8>) -> Option<Examples> {
        let cells = order.cell_count();
        let are_grids = |numbers: &[u8]| {
            numbers.chunks(cells).all(|grid| Grid::from_numbers(order, grid).is_some())
        };
        let fit = puzzles.len() == solutions.len() && are_grids(&puzzles) && are_grids(&solutions);
        fit.then_some(Examples { order, puzzles, solutions })
    }

    /// The first `count` examples, or all if there are fewer.
    pub fn first(&self, count: usize) -> Examples {
        let end = self.len().min(count) * self.order.cell_count();
        Examples {
            puzzles: self.puzzles[..end].to_vec(),
            solutions: self.solutions[..end].to_vec(),
            ..*self
        }
    }

    /// The solutions with `blanks` random cells of each deleted. Such puzzles may have several
    /// solutions.
    pub fn with_blanks(&self, blanks: usize, seed: u64) -> Examples {
        let mut puzzles = self.solutions.clone();
        let mut cells: Vec<usize> = (0..self.order.cell_count()).collect();
        for (index, puzzle) in puzzles.chunks_mut(cells.len()).enumerate() {
            Random::for_part(seed, index as u64).shuffle(&mut cells);
            cells.iter().take(blanks).for_each(|&cell| puzzle[cell] = 0);
            // Restores the order, so that the next puzzle does not depend on this one.
            cells.sort_unstable();
        }
        Examples { puzzles, solutions: self.solutions.clone(), ..*self }
    }

    /// The examples with these indices, augmented. The result depends on the seed and on the
    /// position in the batch only.
    pub fn augmented(&self, batch: &[usize], augmentation: &Augmentation, seed: u64) -> Examples {
        let positions: Vec<(u64, usize)> = (0..).zip(batch.iter().copied()).collect();
        let augmented = parallel::map(&positions, |&(position, index)| {
            let mut random = Random::for_part(seed, position);
            let mut puzzle = self.puzzle(index).to_vec();
            let grid = |numbers: &[u8]| {
                Grid::from_numbers(self.order, numbers).expect("examples are grids")
            };
            match augmentation.on_solving_path && random.chance(0.75) {
                true => follow_solving_path(&mut puzzle, &grid(self.puzzle(index)), &mut random),
                false => {
                    reveal(&mut puzzle, self.solution(index), augmentation.givens, &mut random)
                }
            }
            let (puzzle, solution) = (grid(&puzzle), grid(self.solution(index)));
            match augmentation.symmetries {
                true => {
                    let symmetry = Symmetry::random(self.order, &mut random);
                    (symmetry.image(&puzzle), symmetry.image(&solution))
                }
                false => (puzzle, solution),
            }
        });
        let mut examples = Examples::new(self.order);
        augmented.iter().for_each(|(puzzle, solution)| examples.push(puzzle, solution));
        examples
    }

    /// Reads a file of puzzles. Errors name the file.
    pub fn read_file(path: &Path, order: Order) -> Result<Examples, DataError> {
        Examples::read_file_until(path, order, Stop::default())
    }

    /// Like [`read_file`](Examples::read_file), with an error when it has to stop.
    pub fn read_file_until(
        path: &Path,
        order: Order,
        stop: Stop<'_>,
    ) -> Result<Examples, DataError> {
        let file = File::open(path).map_err(DataError::Stream);
        let examples =
            file.and_then(|file| Examples::read_until(BufReader::new(file), order, stop));
        examples.map_err(|error| match error {
            DataError::Stopped => error,
            error => DataError::List { path: path.display().to_string(), error: Box::new(error) },
        })
    }

    /// Reads a list of puzzles in any format, and solves those that are listed without a solution.
    pub fn read(source: impl BufRead + Send, order: Order) -> Result<Examples, DataError> {
        Examples::read_until(source, order, Stop::default())
    }

    fn read_until(
        source: impl BufRead + Send,
        order: Order,
        stop: Stop<'_>,
    ) -> Result<Examples, DataError> {
        let mut examples = Examples::new(order);
        let (_, records) = ninefold_formats::read_any(source, Some(order))?;
        for (number, entry) in (1..).zip(records.entries()) {
            if stop.is_due() {
                return Err(DataError::Stopped);
            }
            let entry = entry?;
            let found = entry.puzzle.order();
            if found != order {
                return Err(DataError::OtherOrder { number, found, expected: order });
            }
            let solution = match entry.solution {
                Some(solution) => solution,
                None => solution_of(&entry.puzzle, stop).map_err(|count| match stop.is_due() {
                    true => DataError::Stopped,
                    false => DataError::NotOneSolution { number, count },
                })?,
            };
            examples.push(&entry.puzzle, &solution);
        }
        Ok(examples)
    }
}

/// Fills in a random number of the digits that the six rules find, in their order.
fn follow_solving_path(puzzle: &mut [u8], grid: &Grid, random: &mut Random) {
    let Ok(run) = six_rules::solve(grid) else { return };
    let count = random.below(run.digits.len() + 1);
    for place in
        run.digits.iter().take(count).flat_map(|digit| &digit.steps).flat_map(|step| &step.places)
    {
        puzzle[place.cell.index()] = place.digit.number();
    }
}

/// Fills in random cells from the solution until the number of givens is a random one in the range.
fn reveal(puzzle: &mut [u8], solution: &[u8], [fewest, most]: [usize; 2], random: &mut Random) {
    let mut empty: Vec<usize> = (0..puzzle.len()).filter(|&cell| puzzle[cell] == 0).collect();
    let givens = fewest + random.below(most.saturating_sub(fewest) + 1);
    let missing = givens.saturating_sub(puzzle.len() - empty.len());
    random.shuffle(&mut empty);
    empty.into_iter().take(missing).for_each(|cell| puzzle[cell] = solution[cell]);
}

fn solution_of(puzzle: &Grid, stop: Stop<'_>) -> Result<Grid, &'static str> {
    let limits = Limits::none().with_time(stop.time_left()).with_cancel(stop.flag());
    let proof = search::default_for(puzzle).prove(puzzle, &limits);
    match proof.expect("the default solver takes its order").solutions {
        Ok(Solutions::One(solution)) => Ok(solution),
        Ok(Solutions::Zero) => Err("no solution"),
        _ => Err("several solutions"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn deletes_the_requested_number_of_cells_depending_on_the_seed() {
        let examples = dataset(Source::Kocherzhenko).load(Order::FOUR, Split::Train, 5, 1).unwrap();
        for blanks in [0, 1, 7, 16] {
            let staged = examples.with_blanks(blanks, 9);
            for index in 0..staged.len() {
                assert_eq!(
                    staged.puzzle(index).iter().filter(|&&number| number == 0).count(),
                    blanks
                );
                assert_eq!(staged.solution(index), examples.solution(index));
            }
        }
        assert_ne!(examples.with_blanks(7, 1), examples.with_blanks(7, 2));
        assert_eq!(
            examples.first(2).with_blanks(7, 1).puzzle(1),
            examples.with_blanks(7, 1).puzzle(1)
        );
    }

    #[test]
    fn augmented_examples_differ_and_remain_valid() {
        let examples = dataset(Source::Minimal).load(Order::FOUR, Split::Train, 5, 1).unwrap();
        let augmentation =
            Augmentation { givens: [7, 9], symmetries: true, on_solving_path: false };
        let seen = examples.augmented(&[3, 3, 0], &augmentation, 1);
        assert_eq!(seen, examples.augmented(&[3, 3, 0], &augmentation, 1));
        assert_ne!(seen, examples.augmented(&[3, 3, 0], &augmentation, 2));
        assert_ne!(seen.puzzle(0), seen.puzzle(1));
        for index in 0..seen.len() {
            let (puzzle, solution) = (seen.puzzle(index), seen.solution(index));
            let givens = puzzle.iter().filter(|&&number| number > 0).count();
            assert!((7..=9).contains(&givens), "{givens}");
            assert!(
                puzzle.iter().zip(solution).all(|(&given, &right)| given == 0 || given == right)
            );
            assert!(Grid::from_numbers(Order::FOUR, solution).unwrap().is_solved());
        }
        let unchanged = Augmentation { givens: [0, 0], symmetries: false, on_solving_path: false };
        assert_eq!(examples.augmented(&[2], &unchanged, 1).puzzle(0), examples.puzzle(2));
        let on_solving_path = Augmentation { on_solving_path: true, ..unchanged };
        let positions = examples.augmented(&[2; 40], &on_solving_path, 1);
        let filled = |index| positions.puzzle(index).iter().filter(|&&number| number > 0).count();
        assert!((0..40).any(|index| filled(index) == 16) && (0..40).any(|index| filled(index) < 8));
        assert!((0..40).all(|index| positions.solution(index) == examples.solution(2)));
    }

    #[test]
    fn lists_are_read_and_solved_and_errors_name_the_puzzle() {
        let read = |text: &str| Examples::read(text.as_bytes(), Order::FOUR);
        let examples = read("1..4..1..3..4..3\n.43.3.....4..1..\n").unwrap();
        assert_eq!(examples.len(), 2);
        assert_eq!(examples.solution(1), [1, 4, 3, 2, 3, 2, 1, 4, 2, 3, 4, 1, 4, 1, 2, 3]);
        let check =
            |text: &str, expected: &str| assert_eq!(read(text).unwrap_err().to_string(), expected);
        check(
            "1..4..1..3......\n",
            "puzzle 1 has several solutions; training and evaluation need exactly one",
        );
        check(
            "123........4....\n",
            "puzzle 1 has no solution; training and evaluation need exactly one",
        );
        check(
            "1..4..1..3..4..3\n1..4..q..3..4..3\n",
            "line 2: row 2, column 3: expected a digit or '.', found \"q\"",
        );
    }
}
