//! Grades: this is where solutions become puzzles in the order of their difficulty.
//!
//! Tran and Manley learn from few blanks to many and propose, for the future, to go by the "actual" difficulty instead. Here
//! each solution is emptied cell by cell, in a random order, as long as no second solution appears. From the way down
//! to a minimal puzzle as many positions are taken, evenly spaced, as there are grades. All positions of all solutions
//! are sorted by DuPree's score, the paper's measure of difficulty, and cut into grades of equal size:
//!
//! ```text
//! solution 1   full ─ ─ ─ ─ ─ ─ ─▶ minimal      one position per grade from each
//! solution 2   full ─ ─ ─ ─ ─ ─ ─▶ minimal
//!     all positions, sorted by score   │ grade 1 │ grade 2 │ … │ last grade │
//! ```
//! So every grade has as many puzzles as there are solutions; all of them have one solution, which random blanks do not
//! promise.

use crate::training::data::Examples;
use ninefold::generate;
use ninefold::grid::{Cell, Grid, Order};
use ninefold::random::Random;
use ninefold::rate::dupree;

/// Can puzzles of this size be graded?
pub fn takes(order: Order) -> bool {
    order == Order::NINE
}

/// The grades of these examples, the easiest first, made on this many threads. The puzzles of the
/// examples play no part.
pub fn of(examples: &Examples, grades: usize, seed: u64, threads: usize) -> Vec<Examples> {
    if grades == 0 {
        return Vec::new();
    }
    let order = examples.order();
    let share = examples.len().div_ceil(threads.max(1)).max(1);
    let indices: Vec<usize> = (0..examples.len()).collect();
    let mut positions: Vec<Position> = std::thread::scope(|scope| {
        let ways = |indices: &[usize]| -> Vec<Position> {
            indices.iter().flat_map(|&index| way_down(examples, index, grades, seed)).collect()
        };
        let makers: Vec<_> =
            indices.chunks(share).map(|indices| scope.spawn(move || ways(indices))).collect();
        makers.into_iter().flat_map(|maker| maker.join().expect("no maker panics")).collect()
    });
    // Among equals the number of the solution decides, so the number of threads does not.
    positions.sort_by_key(|position| (position.points, position.index));
    let graded = |positions: &[Position]| {
        let mut grade = Examples::none(order);
        for Position { index, puzzle, .. } in positions {
            let solution =
                Grid::from_numbers(order, examples.solution(*index)).expect("examples hold grids");
            grade.push(puzzle, &solution);
        }
        grade
    };
    positions.chunks(examples.len().max(1)).map(graded).collect()
}

/// A puzzle on the way from a solution to a minimal puzzle.
struct Position {
    points: u64,
    index: usize,
    puzzle: Grid,
}

fn way_down(examples: &Examples, index: usize, grades: usize, seed: u64) -> Vec<Position> {
    let order = examples.order();
    let mut puzzle =
        Grid::from_numbers(order, examples.solution(index)).expect("examples hold grids");
    let mut way = vec![puzzle.clone()];
    let mut cells: Vec<Cell> = order.cells().collect();
    Random::for_part(seed, index as u64).shuffle(&mut cells);
    for cell in cells {
        let fewer = puzzle.without(cell);
        if generate::is_unique(&fewer) == Ok(true) {
            way.push(fewer.clone());
            puzzle = fewer;
        }
    }
    let steps = grades.saturating_sub(1).max(1);
    let taken = (0..grades).map(|grade| way[grade * (way.len() - 1) / steps].clone());
    taken.map(|puzzle| Position { points: points_of(&puzzle), index, puzzle }).collect()
}

/// A puzzle that is too hard to be scored in reasonable time is the hardest.
fn points_of(puzzle: &Grid) -> u64 {
    dupree::score(puzzle).map_or(u64::MAX, |score| score.points)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::data::{DatasetConfig, Source, Split};

    #[test]
    fn every_grade_is_full_and_harder_than_the_one_before() {
        let dataset = DatasetConfig { train: 6, ..DatasetConfig::of(Source::Kaggle) };
        let examples = dataset.make(Order::NINE, Split::Train, 1, 1).unwrap();
        let grades = of(&examples, 4, 9, 1);
        assert_eq!(grades, of(&examples, 4, 9, 3), "the number of threads changes nothing");
        assert_eq!(grades.iter().map(Examples::len).collect::<Vec<_>>(), [6; 4]);
        let mut hardest_so_far = 0;
        for grade in &grades {
            let puzzles = (0..grade.len())
                .map(|index| Grid::from_numbers(Order::NINE, grade.puzzle(index)).unwrap());
            let unique =
                puzzles.inspect(|puzzle| assert_eq!(generate::is_unique(puzzle), Ok(true)));
            let points: Vec<u64> = unique.map(|puzzle| points_of(&puzzle)).collect();
            assert!(points.is_sorted() && points[0] >= hardest_so_far, "{points:?}");
            hardest_so_far = points[5];
        }
        assert_eq!(grades[0].puzzle(0), grades[0].solution(0), "the easiest puzzle is a solution");
    }
}
