//! Examples: puzzles with their solutions, and how they look in training.

mod dataset;

pub(super) use dataset::FOLDS;
pub use dataset::{DatasetConfig, Source, Split, SplitFiles};

use crate::parallel;
use formats::ReadError;
use ninefold::generate::Refusal;
use ninefold::grid::{Grid, Order, Symmetry};
use ninefold::logic::six_rules;
use ninefold::random::Random;
use ninefold::search::{self, Limits, Solutions};
use serde::{Deserialize, Serialize};
use std::io::BufRead;

/// Puzzles with their solutions, as numbers in reading order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examples {
    order: Order,
    puzzles: Vec<u8>,
    solutions: Vec<u8>,
}

/// How a training example looks different every time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Augmentation {
    /// Cells are revealed until there are this many givens, any number from the first to the second being equally likely.
    pub givens: [usize; 2],
    /// Digits are renamed and lines rearranged at random.
    pub twins: bool,
    /// Three of four examples are instead a position on the path that the six rules of Cheewaprakobkit et al. take.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub on_solving_path: bool,
}

/// Why there are no examples.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// The generator gives up.
    #[error("example {index} cannot be made: {refusal}")]
    NotMade {
        /// Its number.
        index: u64,
        /// Why.
        refusal: Refusal,
    },
    /// The source is for another size.
    #[error("the source kaggle makes 9×9 puzzles, not {0}")]
    WrongOrder(Order),
    /// The source is for the smallest size.
    #[error("the source multiverse lists 4×4 puzzles, not {0}")]
    NotFour(Order),
    /// A line is not a puzzle.
    #[error(transparent)]
    Unreadable(#[from] ReadError),
    /// A list cannot be used.
    #[error("{path}: {error}")]
    List {
        /// Its file.
        path: String,
        /// What is the matter with it.
        error: Box<DataError>,
    },
    /// The stream cannot be read.
    #[error("the list cannot be read: {0}")]
    Stream(#[from] std::io::Error),
    /// A puzzle of another size.
    #[error("puzzle {number} is a {found} grid; the model takes {expected}")]
    OtherOrder {
        /// Which puzzle, counted from 1.
        number: usize,
        /// Its size.
        found: Order,
        /// The model's size.
        expected: Order,
    },
    /// A puzzle without a solution, or with several.
    #[error("puzzle {number} has {count}, so there is no answer to learn or to compare with")]
    NotOneSolution {
        /// Which puzzle, counted from 1.
        number: usize,
        /// `no solution` or `several solutions`.
        count: &'static str,
    },
}

impl Examples {
    /// No examples yet.
    pub fn none(order: Order) -> Examples {
        Examples { order, puzzles: Vec::new(), solutions: Vec::new() }
    }

    /// The size of all of them.
    pub fn order(&self) -> Order {
        self.order
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.puzzles.len() / self.order.cell_count()
    }

    /// Are there none?
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

    /// Adds one.
    pub(crate) fn push(&mut self, puzzle: &Grid, solution: &Grid) {
        self.puzzles.extend(puzzle.numbers());
        self.solutions.extend(solution.numbers());
    }

    /// Adds all of another list of the same size.
    pub(crate) fn extend(&mut self, others: &Examples) {
        assert_eq!(self.order, others.order, "all examples of a list have one size");
        self.puzzles.extend(&others.puzzles);
        self.solutions.extend(&others.solutions);
    }

    /// Those with these indices.
    pub(super) fn of(&self, indices: &[usize]) -> Examples {
        let puzzles = indices.iter().flat_map(|&index| self.puzzle(index)).copied().collect();
        let solutions = indices.iter().flat_map(|&index| self.solution(index)).copied().collect();
        Examples { puzzles, solutions, ..*self }
    }

    /// Puts another one in the place of one of them.
    pub(crate) fn replace(&mut self, index: usize, puzzle: &[u8], solution: &[u8]) {
        let cells = self.order.cell_count();
        self.puzzles[index * cells..][..cells].copy_from_slice(puzzle);
        self.solutions[index * cells..][..cells].copy_from_slice(solution);
    }

    /// Examples from the digits of their cells, one grid after the other; nothing if they are not grids of this size.
    pub(super) fn of_numbers(
        order: Order,
        puzzles: Vec<u8>,
        solutions: Vec<u8>,
    ) -> Option<Examples> {
        let cells = order.cell_count();
        let are_grids = |numbers: &[u8]| {
            numbers.chunks(cells).all(|grid| Grid::from_numbers(order, grid).is_some())
        };
        let fit = puzzles.len() == solutions.len() && are_grids(&puzzles) && are_grids(&solutions);
        fit.then_some(Examples { order, puzzles, solutions })
    }

    /// The first `count` of them, or all if there are fewer.
    pub fn first(&self, count: usize) -> Examples {
        let end = self.len().min(count) * self.order.cell_count();
        Examples {
            puzzles: self.puzzles[..end].to_vec(),
            solutions: self.solutions[..end].to_vec(),
            ..*self
        }
    }

    /// The same solutions with `blanks` random cells of each deleted; they may then have other solutions, too.
    pub(super) fn with_blanks(&self, blanks: usize, seed: u64) -> Examples {
        let mut puzzles = self.solutions.clone();
        let mut cells: Vec<usize> = (0..self.order.cell_count()).collect();
        for (index, puzzle) in puzzles.chunks_mut(cells.len()).enumerate() {
            Random::for_part(seed, index as u64).shuffle(&mut cells);
            cells.iter().take(blanks).for_each(|&cell| puzzle[cell] = 0);
            // The next puzzle must not depend on this one.
            cells.sort_unstable();
        }
        Examples { puzzles, solutions: self.solutions.clone(), ..*self }
    }

    /// Some of them, augmented; what they look like follows from the seed and their place in the batch.
    pub fn augmented(&self, batch: &[usize], augmentation: &Augmentation, seed: u64) -> Examples {
        let places: Vec<(u64, usize)> = (0..).zip(batch.iter().copied()).collect();
        let seen = parallel::map(&places, |&(place, index)| {
            let mut random = Random::for_part(seed, place);
            let mut puzzle = self.puzzle(index).to_vec();
            let grid = |numbers: &[u8]| {
                Grid::from_numbers(self.order, numbers).expect("examples hold grids")
            };
            match augmentation.on_solving_path && random.chance(0.75) {
                true => walk(&mut puzzle, &grid(self.puzzle(index)), &mut random),
                false => {
                    reveal(&mut puzzle, self.solution(index), augmentation.givens, &mut random)
                }
            }
            let (puzzle, solution) = (grid(&puzzle), grid(self.solution(index)));
            match augmentation.twins {
                true => {
                    let twin = Symmetry::random(self.order, &mut random);
                    (twin.image(&puzzle), twin.image(&solution))
                }
                false => (puzzle, solution),
            }
        });
        let mut examples = Examples::none(self.order);
        seen.iter().for_each(|(puzzle, solution)| examples.push(puzzle, solution));
        examples
    }

    /// Reads a list in any format; puzzles without a solution are solved.
    pub fn read(source: impl BufRead + Send, order: Order) -> Result<Examples, DataError> {
        let mut examples = Examples::none(order);
        let (_, records) = formats::read_any(source, Some(order))?;
        for (number, entry) in (1..).zip(records.entries()) {
            let entry = entry?;
            let found = entry.puzzle.order();
            if found != order {
                return Err(DataError::OtherOrder { number, found, expected: order });
            }
            let solution = match entry.solution {
                Some(solution) => solution,
                None => solution_of(&entry.puzzle)
                    .map_err(|count| DataError::NotOneSolution { number, count })?,
            };
            examples.push(&entry.puzzle, &solution);
        }
        Ok(examples)
    }
}

/// Fills in the first digits that the six rules find, any number of them.
fn walk(puzzle: &mut [u8], grid: &Grid, random: &mut Random) {
    let Ok(run) = six_rules::solve(grid) else { return };
    let count = random.below(run.digits.len() + 1);
    for place in
        run.digits.iter().take(count).flat_map(|digit| &digit.steps).flat_map(|step| &step.places)
    {
        puzzle[place.cell.index()] = place.digit.number();
    }
}

/// Fills in random cells from the solution until there is a random number of givens between the two.
fn reveal(puzzle: &mut [u8], solution: &[u8], [fewest, most]: [usize; 2], random: &mut Random) {
    let mut empty: Vec<usize> = (0..puzzle.len()).filter(|&cell| puzzle[cell] == 0).collect();
    let givens = fewest + random.below(most.saturating_sub(fewest) + 1);
    let missing = givens.saturating_sub(puzzle.len() - empty.len());
    random.shuffle(&mut empty);
    empty.into_iter().take(missing).for_each(|cell| puzzle[cell] = solution[cell]);
}

fn solution_of(puzzle: &Grid) -> Result<Grid, &'static str> {
    let proof = search::default_for(puzzle.order()).prove(puzzle, &Limits::none());
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
            ..DatasetConfig::of(source)
        }
    }

    #[test]
    fn blanks_are_counted_and_differ_from_seed_to_seed() {
        let examples = dataset(Source::Kocherzhenko).make(Order::FOUR, Split::Train, 5, 1).unwrap();
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
    fn an_example_looks_different_every_time_and_stays_one() {
        let examples = dataset(Source::Minimal).make(Order::FOUR, Split::Train, 5, 1).unwrap();
        let augmentation = Augmentation { givens: [7, 9], twins: true, on_solving_path: false };
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
        let as_it_is = Augmentation { givens: [0, 0], twins: false, on_solving_path: false };
        assert_eq!(examples.augmented(&[2], &as_it_is, 1).puzzle(0), examples.puzzle(2));
        let on_solving_path = Augmentation { on_solving_path: true, ..as_it_is };
        let walked = examples.augmented(&[2; 40], &on_solving_path, 1);
        let filled = |index| walked.puzzle(index).iter().filter(|&&number| number > 0).count();
        assert!((0..40).any(|index| filled(index) == 16) && (0..40).any(|index| filled(index) < 8));
        assert!((0..40).all(|index| walked.solution(index) == examples.solution(2)));
    }

    #[test]
    fn a_list_is_read_and_solved_and_a_bad_one_is_refused_with_its_place() {
        let read = |text: &str| Examples::read(text.as_bytes(), Order::FOUR);
        let examples = read("1..4..1..3..4..3\n.43.3.....4..1..\n").unwrap();
        assert_eq!(examples.len(), 2);
        assert_eq!(examples.solution(1), [1, 4, 3, 2, 3, 2, 1, 4, 2, 3, 4, 1, 4, 1, 2, 3]);
        let check =
            |text: &str, expected: &str| assert_eq!(read(text).unwrap_err().to_string(), expected);
        check(
            "1..4..1..3......\n",
            "puzzle 1 has several solutions, so there is no answer to learn or to compare with",
        );
        check(
            "123........4....\n",
            "puzzle 1 has no solution, so there is no answer to learn or to compare with",
        );
        check(
            "1..4..1..3..4..3\n1..4..q..3..4..3\n",
            "line 2: row 2, column 3: \"q\" is neither a digit nor an empty cell",
        );
    }
}
