//! Examples: this is where puzzles with their solutions come from.
//!
//! They are made by the generators of `ninefold`, or read from a list. Made ones depend on the seed and their number
//! alone: the same examples come out on one thread and on sixteen. Training, validation and test set are neighbouring
//! parts of one stream, so no puzzle is in two of them by construction; that two random complete grids are images of
//! each other has a chance of one in billions.

use formats::ReadError;
use ninefold::generate::{self, Made, Refusal, Wish, census};
use ninefold::grid::{Grid, Order, Symmetry};
use ninefold::logic::six_rules;
use ninefold::random::Random;
use ninefold::search::{self, Limits, Solutions};
use serde::{Deserialize, Serialize};
use std::io::{BufRead, BufReader};
use std::ops::Range;
use std::path::PathBuf;

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
    /// Read from the lists of the plan.
    Lists,
}

/// Files with puzzles for each part; no puzzle should have a twin in another part, as `ninefold dataset split` sees to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Lists {
    /// To learn from.
    pub train: Vec<PathBuf>,
    /// To decide by when to stop.
    pub validation: Vec<PathBuf>,
    /// Never learned from.
    pub test: Vec<PathBuf>,
}

/// How an example looks different every time it is learned from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fresh {
    /// Cells are revealed until there are so many givens, any number from the first to the second being equally likely.
    pub givens: [usize; 2],
    /// Digits are renamed and lines rearranged at random.
    pub twins: bool,
    /// Three of four examples are a position on the way that the six rules of paper 1 take, instead.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub on_the_way: bool,
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
    /// For the recipe that reads them: the lists. Of each part so many examples are taken as there are, at most the
    /// number above.
    #[serde(default, skip_serializing_if = "Lists::is_empty")]
    pub lists: Lists,
    /// Examples to learn from are changed every time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fresh: Option<Fresh>,
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
    /// A line is not a puzzle.
    #[error(transparent)]
    Unreadable(#[from] ReadError),
    /// A list of the plan is no good.
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
    pub fn push(&mut self, puzzle: &Grid, solution: &Grid) {
        self.puzzles.extend(puzzle.numbers());
        self.solutions.extend(solution.numbers());
    }

    /// Those with these indices.
    pub fn of(&self, indices: &[usize]) -> Examples {
        let puzzles = indices.iter().flat_map(|&index| self.puzzle(index)).copied().collect();
        let solutions = indices.iter().flat_map(|&index| self.solution(index)).copied().collect();
        Examples { puzzles, solutions, ..*self }
    }

    /// Puts another one in the place of one of them.
    pub fn replace(&mut self, index: usize, puzzle: &[u8], solution: &[u8]) {
        let cells = self.order.cell_count();
        self.puzzles[index * cells..][..cells].copy_from_slice(puzzle);
        self.solutions[index * cells..][..cells].copy_from_slice(solution);
    }

    /// Examples from the digits of their cells, one grid after the other; nothing if they are no grids of this size.
    pub fn of_numbers(order: Order, puzzles: Vec<u8>, solutions: Vec<u8>) -> Option<Examples> {
        let cells = order.cell_count();
        let are_grids = |numbers: &[u8]| numbers.chunks(cells).all(|grid| Grid::from_numbers(order, grid).is_some());
        let fit = puzzles.len() == solutions.len() && are_grids(&puzzles) && are_grids(&solutions);
        fit.then_some(Examples { order, puzzles, solutions })
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

    /// Some of them as they are seen this time; what they look like follows from the seed and their place in the batch.
    pub fn seen_anew(&self, batch: &[usize], fresh: &Fresh, seed: u64) -> Examples {
        let places: Vec<(u64, usize)> = (0..).zip(batch.iter().copied()).collect();
        let seen = in_threads(&places, |&(place, index)| {
            let mut random = Random::for_part(seed, place);
            let mut puzzle = self.puzzle(index).to_vec();
            let grid = |numbers: &[u8]| Grid::from_numbers(self.order, numbers).expect("examples hold grids");
            match fresh.on_the_way && random.chance(0.75) {
                true => walk(&mut puzzle, &grid(self.puzzle(index)), &mut random),
                false => reveal(&mut puzzle, self.solution(index), fresh.givens, &mut random),
            }
            let (puzzle, solution) = (grid(&puzzle), grid(self.solution(index)));
            match fresh.twins {
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
                None => solution_of(&entry.puzzle).map_err(|count| DataError::NotOneSolution { number, count })?,
            };
            examples.push(&entry.puzzle, &solution);
        }
        Ok(examples)
    }
}

/// Calls a function for each item, on all cores; the answers come in order.
pub fn in_threads<T: Sync, U: Send>(items: &[T], function: impl Fn(&T) -> U + Sync) -> Vec<U> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let share = items.len().div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        let function = &function;
        let working: Vec<_> = items
            .chunks(share)
            .map(|items| scope.spawn(move || items.iter().map(function).collect::<Vec<U>>()))
            .collect();
        working.into_iter().flat_map(|part| part.join().expect("the function does not panic")).collect()
    })
}

/// Fills in the first digits that the six rules find, any number of them.
fn walk(puzzle: &mut [u8], grid: &Grid, random: &mut Random) {
    let Ok(run) = six_rules::solve(grid) else { return };
    let count = random.below(run.digits.len() + 1);
    for place in run.digits.iter().take(count).flat_map(|digit| &digit.steps).flat_map(|step| &step.places) {
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

impl Lists {
    /// Are there none?
    pub fn is_empty(&self) -> bool {
        *self == Lists::default()
    }

    fn read(&self, order: Order, part: Part) -> Result<Examples, DataError> {
        let paths = match part {
            Part::Train => &self.train,
            Part::Validation => &self.validation,
            Part::Test => &self.test,
        };
        let mut examples = Examples::none(order);
        for path in paths {
            let file = std::fs::File::open(path).map_err(DataError::Stream);
            let read = file.and_then(|file| Examples::read(BufReader::new(file), order));
            let read =
                read.map_err(|error| DataError::List { path: path.display().to_string(), error: Box::new(error) })?;
            examples.puzzles.extend(read.puzzles);
            examples.solutions.extend(read.solutions);
        }
        Ok(examples)
    }
}

impl Plan {
    /// A plan with this recipe and without examples.
    pub fn of(recipe: Recipe) -> Plan {
        Plan { recipe, refusals: 0, train: 0, validation: 0, test: 0, lists: Lists::default(), fresh: None }
    }

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
        if self.recipe == Recipe::Lists {
            return Ok(self.lists.read(order, part)?.first((indices.end - indices.start) as usize));
        }
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
                Recipe::Lists => unreachable!("lists are read, not made"),
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
        Plan { refusals: 3, train: 11, validation: 3, test: 2, ..Plan::of(recipe) }
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
        let all = u64::MAX;
        let plan = |fold| Plan { train: all, validation: all, test: all, ..Plan::of(Recipe::Multiverse { fold }) };
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
    fn an_example_looks_different_every_time_and_stays_one() {
        let examples = plan(Recipe::Minimal).make(Order::FOUR, Part::Train, 5, 1).unwrap();
        let fresh = Fresh { givens: [7, 9], twins: true, on_the_way: false };
        let seen = examples.seen_anew(&[3, 3, 0], &fresh, 1);
        assert_eq!(seen, examples.seen_anew(&[3, 3, 0], &fresh, 1));
        assert_ne!(seen, examples.seen_anew(&[3, 3, 0], &fresh, 2));
        assert_ne!(seen.puzzle(0), seen.puzzle(1));
        for index in 0..seen.len() {
            let (puzzle, solution) = (seen.puzzle(index), seen.solution(index));
            let givens = puzzle.iter().filter(|&&number| number > 0).count();
            assert!((7..=9).contains(&givens), "{givens}");
            assert!(puzzle.iter().zip(solution).all(|(&given, &right)| given == 0 || given == right));
            assert!(Grid::from_numbers(Order::FOUR, solution).unwrap().is_solved());
        }
        let as_it_is = Fresh { givens: [0, 0], twins: false, on_the_way: false };
        assert_eq!(examples.seen_anew(&[2], &as_it_is, 1).puzzle(0), examples.puzzle(2));
        let on_the_way = Fresh { on_the_way: true, ..as_it_is };
        let walked = examples.seen_anew(&[2; 40], &on_the_way, 1);
        let filled = |index| walked.puzzle(index).iter().filter(|&&number| number > 0).count();
        assert!((0..40).any(|index| filled(index) == 16) && (0..40).any(|index| filled(index) < 8));
        assert!((0..40).all(|index| walked.solution(index) == examples.solution(2)));
    }

    #[test]
    fn lists_are_files_of_each_part_and_a_bad_one_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("four.txt");
        std::fs::write(&path, "1..4..1..3..4..3\n.43.3.....4..1..\n").unwrap();
        let lists = Lists { train: vec![path.clone(), path.clone()], test: vec![path], ..Lists::default() };
        let plan = Plan { train: 3, validation: 9, test: 9, lists, ..Plan::of(Recipe::Lists) };
        let make = |part| plan.make(Order::FOUR, part, 1, 2).map(|examples| examples.len());
        assert_eq!((make(Part::Train).unwrap(), make(Part::Validation).unwrap(), make(Part::Test).unwrap()), (3, 0, 2));
        let error = plan.make(Order::NINE, Part::Train, 1, 1).unwrap_err().to_string();
        assert!(error.contains("four.txt: "), "{error}");
    }

    #[test]
    fn threads_keep_the_order() {
        let numbers: Vec<usize> = (0..1000).collect();
        assert_eq!(in_threads(&numbers, |number| number * 2), (0..1000).map(|n| n * 2).collect::<Vec<_>>());
        assert!(in_threads(&[] as &[u8], |_| 0).is_empty());
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
