//! Examples: this is where puzzles with their solutions come from.
//!
//! They are made by the generators of `ninefold`, or read from a list. Made ones depend on the seed and their number
//! alone: the same examples come out on one thread and on sixteen. Training, validation and test set are neighbouring
//! parts of one stream, so no puzzle is in two of them by construction; that two random complete grids are images of
//! each other has a chance of one in billions.

use ninefold::generate::{self, Made, Refusal, Wish, census};
use ninefold::grid::{Grid, Order};
use ninefold::puzzles::format::{self, BadEntry};
use ninefold::random::Random;
use ninefold::search::{self, Limits, Solutions};
use serde::{Deserialize, Serialize};
use std::io::BufRead;
use std::ops::Range;

/// Puzzles with their solutions, as numbers in reading order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examples {
    order: Order,
    puzzles: Vec<u8>,
    solutions: Vec<u8>,
}

/// How examples are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Recipe {
    /// The generator of paper 2: cells are emptied until `refusals` of them could not be.
    PaperTwo,
    /// In the likeness of the Kaggle million, for 9×9 only.
    Kaggle,
    /// Every clue is needed.
    Minimal,
    /// The generator of paper 2, which draws again, and refuses again, cells that it could not empty.
    PaperTwoRedrawn,
    /// All 85,632 puzzles of 4×4 that need every clue, in ten subsets: one is the test set, one of the others in turn
    /// validates, and the remaining eight are learned from (paper 3). The numbers of the plan are upper limits here.
    Multiverse {
        /// The subset that validates, from 0 to 8.
        fold: usize,
    },
}

/// Folds of the cross validation of paper 3.
pub const FOLDS: usize = 9;

/// Where examples come from and how many there are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// How they are made.
    pub recipe: Recipe,
    /// For the recipes of paper 2: cells that could not be emptied before it ends.
    pub refusals: usize,
    /// Examples to learn from.
    pub train: u64,
    /// Examples to decide by when to stop.
    pub validation: u64,
    /// Examples that are never learned from.
    pub test: u64,
}

/// A part of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// To learn from.
    Train,
    /// To decide by when to stop.
    Validation,
    /// Never learned from.
    Test,
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
    /// The recipe is for another size.
    #[error("the recipe kaggle makes 9×9 puzzles, not {0}")]
    WrongOrder(Order),
    /// The recipe is for the smallest size.
    #[error("the recipe multiverse lists 4×4 puzzles, not {0}")]
    NotFour(Order),
    /// A line is no puzzle.
    #[error(transparent)]
    BadEntry(#[from] BadEntry),
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
    pub fn push(&mut self, puzzle: &Grid, solution: &Grid) {
        self.puzzles.extend(puzzle.numbers());
        self.solutions.extend(solution.numbers());
    }

    /// The first `count` of them, or all if there are fewer.
    pub fn first(&self, count: usize) -> Examples {
        let end = self.len().min(count) * self.order.cell_count();
        Examples { puzzles: self.puzzles[..end].to_vec(), solutions: self.solutions[..end].to_vec(), ..*self }
    }

    /// The same solutions with `blanks` random cells of each deleted; they may then have other solutions, too.
    pub fn with_blanks(&self, blanks: usize, seed: u64) -> Examples {
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

    /// Reads a list in any format; puzzles without a solution are solved.
    pub fn read(source: impl BufRead, order: Order) -> Result<Examples, DataError> {
        let mut examples = Examples::none(order);
        let (_, entries) = format::read_any(source, Some(order))?;
        for (number, entry) in (1..).zip(entries) {
            let entry = entry?;
            let found = entry.puzzle.order();
            if found != order {
                return Err(DataError::OtherOrder { number, found, expected: order });
            }
            let solution = match entry.solution {
                Some(solution) => solution,
                None => solution_of(&entry.puzzle).map_err(|count| DataError::NotOneSolution { number, count })?,
            };
            examples.push(&entry.puzzle, &solution);
        }
        Ok(examples)
    }
}

fn solution_of(puzzle: &Grid) -> Result<Grid, &'static str> {
    let proof = search::default_for(puzzle.order()).prove(puzzle, &Limits::none());
    match proof.expect("the default solver takes its order").solutions {
        Ok(Solutions::One(solution)) => Ok(solution),
        Ok(Solutions::Zero) => Err("no solution"),
        _ => Err("several solutions"),
    }
}

impl Plan {
    /// The examples of a part, made on so many threads.
    pub fn make(&self, order: Order, part: Part, seed: u64, threads: usize) -> Result<Examples, DataError> {
        if self.recipe == Recipe::Kaggle && order != Order::NINE {
            return Err(DataError::WrongOrder(order));
        }
        if let Recipe::Multiverse { fold } = self.recipe {
            return if order == Order::FOUR {
                Ok(self.fold_of_census(part, seed, fold))
            } else {
                Err(DataError::NotFour(order))
            };
        }
        let indices = match part {
            Part::Train => 0..self.train,
            Part::Validation => self.train..self.train + self.validation,
            Part::Test => self.train + self.validation..self.train + self.validation + self.test,
        };
        let threads = (threads.max(1) as u64).min(indices.end - indices.start).max(1);
        let share = (indices.end - indices.start).div_ceil(threads);
        let makers = (0..threads).map(|thread| {
            let start = (indices.start + thread * share).min(indices.end);
            start..(start + share).min(indices.end)
        });
        // Each thread makes one run of neighbours; put together in order they are the whole part.
        let parts: Vec<Result<Examples, DataError>> = std::thread::scope(|scope| {
            let makers: Vec<_> =
                makers.map(|indices| scope.spawn(move || self.make_some(order, seed, indices))).collect();
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
    fn fold_of_census(&self, part: Part, seed: u64, fold: usize) -> Examples {
        let mut all: Vec<Made> = census::minimal_puzzles(&census::all()).collect();
        Random::new(seed).shuffle(&mut all);
        let (test, others) = all.split_at(all.len() / (FOLDS + 1));
        let border = |fold: usize| fold * others.len() / FOLDS;
        let (before, rest) = others.split_at(border(fold));
        let (inside, after) = rest.split_at(border(fold + 1) - border(fold));
        let (parts, limit) = match part {
            Part::Train => ([before, after], self.train),
            Part::Validation => ([inside, &[]], self.validation),
            Part::Test => ([test, &[]], self.test),
        };
        let mut examples = Examples::none(Order::FOUR);
        let chosen = parts.into_iter().flatten().take(limit as usize);
        chosen.for_each(|Made { puzzle, solution }| examples.push(puzzle, solution));
        examples
    }

    fn make_some(&self, order: Order, seed: u64, indices: Range<u64>) -> Result<Examples, DataError> {
        let minimal = Wish { minimal: true, ..Wish::any(order) };
        let mut examples = Examples::none(order);
        for index in indices {
            let made = match self.recipe {
                Recipe::PaperTwo => Ok(generate::paper_two(order, self.refusals, seed, index)),
                Recipe::PaperTwoRedrawn => Ok(generate::paper_two_redrawn(order, self.refusals, seed, index)),
                Recipe::Kaggle => generate::make(&Wish::kaggle(), seed, index),
                Recipe::Minimal => generate::make(&minimal, seed, index),
                Recipe::Multiverse { .. } => unreachable!("a fold of the census is not made puzzle by puzzle"),
            };
            let Made { puzzle, solution } = made.map_err(|refusal| DataError::NotMade { index, refusal })?;
            examples.push(&puzzle, &solution);
        }
        Ok(examples)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn plan(recipe: Recipe) -> Plan {
        Plan { recipe, refusals: 3, train: 11, validation: 3, test: 2 }
    }

    #[test]
    fn the_number_of_threads_changes_nothing_and_parts_do_not_overlap() {
        for recipe in [Recipe::PaperTwo, Recipe::PaperTwoRedrawn, Recipe::Minimal] {
            let plan = plan(recipe);
            let train = plan.make(Order::FOUR, Part::Train, 5, 1).unwrap();
            assert_eq!(train, plan.make(Order::FOUR, Part::Train, 5, 4).unwrap());
            assert_eq!(train.len(), 11);
            let more = Plan { train: 14, ..plan.clone() }.make(Order::FOUR, Part::Train, 5, 3).unwrap();
            let validation = plan.make(Order::FOUR, Part::Validation, 5, 2).unwrap();
            assert_eq!(more.puzzle(11), validation.puzzle(0), "validation goes on where training ends");
            assert_eq!(plan.make(Order::FOUR, Part::Test, 5, 16).unwrap().len(), 2);
        }
    }

    #[test]
    fn kaggle_puzzles_are_nine_by_nine() {
        let examples = plan(Recipe::Kaggle).make(Order::NINE, Part::Test, 1, 2).unwrap();
        assert!((29..=37).contains(&examples.puzzle(0).iter().filter(|&&number| number > 0).count()));
        let error = plan(Recipe::Kaggle).make(Order::FOUR, Part::Test, 1, 1).unwrap_err();
        assert_eq!(error.to_string(), "the recipe kaggle makes 9×9 puzzles, not 4×4");
    }

    #[test]
    fn nine_folds_validate_every_puzzle_but_the_test_set_once() {
        let plan = |fold| Plan {
            recipe: Recipe::Multiverse { fold },
            refusals: 0,
            train: u64::MAX,
            validation: u64::MAX,
            test: u64::MAX,
        };
        let make = |fold, part| plan(fold).make(Order::FOUR, part, 1, 1).unwrap();
        let puzzles = |examples: &Examples| -> HashSet<Vec<u8>> {
            (0..examples.len()).map(|index| examples.puzzle(index).to_vec()).collect()
        };
        let mut seen = puzzles(&make(0, Part::Test));
        assert_eq!(seen.len(), 8_563);
        for fold in 0..FOLDS {
            let validation = make(fold, Part::Validation);
            assert!((8_563..=8_564).contains(&validation.len()));
            seen.extend(puzzles(&validation));
        }
        assert_eq!(seen.len(), 85_632);
        let (train, validation, test) = (make(4, Part::Train), make(4, Part::Validation), make(4, Part::Test));
        assert_eq!(train.len() + validation.len(), 77_069);
        assert!(puzzles(&train).is_disjoint(&puzzles(&validation)) && puzzles(&train).is_disjoint(&puzzles(&test)));
        let few = Plan { train: 5, ..plan(4) }.make(Order::FOUR, Part::Train, 1, 1).unwrap();
        assert_eq!(few, train.first(5));
        let error = plan(0).make(Order::NINE, Part::Test, 1, 1).unwrap_err();
        assert_eq!(error.to_string(), "the recipe multiverse lists 4×4 puzzles, not 9×9");
    }

    #[test]
    fn blanks_are_counted_and_differ_from_seed_to_seed() {
        let examples = plan(Recipe::PaperTwo).make(Order::FOUR, Part::Train, 5, 1).unwrap();
        for blanks in [0, 1, 7, 16] {
            let staged = examples.with_blanks(blanks, 9);
            for index in 0..staged.len() {
                assert_eq!(staged.puzzle(index).iter().filter(|&&number| number == 0).count(), blanks);
                assert_eq!(staged.solution(index), examples.solution(index));
            }
        }
        assert_ne!(examples.with_blanks(7, 1), examples.with_blanks(7, 2));
        assert_eq!(examples.first(2).with_blanks(7, 1).puzzle(1), examples.with_blanks(7, 1).puzzle(1));
    }

    #[test]
    fn a_list_is_read_and_solved_and_a_bad_one_is_refused_with_its_place() {
        let read = |text: &str| Examples::read(text.as_bytes(), Order::FOUR);
        let examples = read("1..4..1..3..4..3\n.43.3.....4..1..\n").unwrap();
        assert_eq!(examples.len(), 2);
        assert_eq!(examples.solution(1), [1, 4, 3, 2, 3, 2, 1, 4, 2, 3, 4, 1, 4, 1, 2, 3]);
        let check = |text: &str, expected: &str| assert_eq!(read(text).unwrap_err().to_string(), expected);
        check(
            "1..4..1..3......\n",
            "puzzle 1 has several solutions, so there is no answer to learn or to compare with",
        );
        check("123........4....\n", "puzzle 1 has no solution, so there is no answer to learn or to compare with");
        check(
            "1..4..1..3..4..3\n1..4..q..3..4..3\n",
            "line 2: row 2, column 3: \"q\" is neither a digit nor an empty cell",
        );
    }
}
