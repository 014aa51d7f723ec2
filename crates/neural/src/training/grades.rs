//! Difficulty grades: training puzzles sorted by difficulty.
//!
//! Tran and Manley train with few blanks first and many later, and propose to use the "actual"
//! difficulty in future work. Here a path of puzzles is made from each solution: its cells are
//! emptied in random order as long as the solution remains unique. Every path contributes as many
//! evenly spaced puzzles as there are grades. The puzzles of all solutions are then sorted by
//! DuPree's score, the paper's measure of difficulty, and split into grades of equal size:
//!
//! ```text
//! solution 1   full ─ ─ ─ ─ ─ ─ ─▶ minimal      one puzzle per grade from each
//! solution 2   full ─ ─ ─ ─ ─ ─ ─▶ minimal
//!     all puzzles, sorted by score     │ grade 1 │ grade 2 │ … │ last grade │
//! ```
//! So every grade has as many puzzles as there are solutions. All puzzles have a unique solution,
//! unlike puzzles with random blanks.

use crate::training::data::Examples;
use ninefold::generate;
use ninefold::grid::{Cell, Grid, Order};
use ninefold::random::Random;
use ninefold::rate::dupree;

/// Whether puzzles of this size can be graded.
pub fn supports(order: Order) -> bool {
    order == Order::NINE
}

/// Grades made from the solutions of these examples, the easiest first, on this many threads.
pub fn by_difficulty(
    examples: &Examples,
    grades: usize,
    seed: u64,
    threads: usize,
) -> Vec<Examples> {
    if grades == 0 {
        return Vec::new();
    }
    let order = examples.order();
    let share = examples.len().div_ceil(threads.max(1)).max(1);
    let indices: Vec<usize> = (0..examples.len()).collect();
    let mut puzzles: Vec<GradedPuzzle> = std::thread::scope(|scope| {
        let puzzles_of = |indices: &[usize]| -> Vec<GradedPuzzle> {
            indices.iter().flat_map(|&index| puzzles_from(examples, index, grades, seed)).collect()
        };
        let workers: Vec<_> =
            indices.chunks(share).map(|indices| scope.spawn(move || puzzles_of(indices))).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().expect("grading does not panic"))
            .collect()
    });
    // The index breaks ties, so that the number of threads makes no difference.
    puzzles.sort_by_key(|puzzle| (puzzle.points, puzzle.index));
    let to_examples = |puzzles: &[GradedPuzzle]| {
        let mut grade = Examples::new(order);
        for GradedPuzzle { index, puzzle, .. } in puzzles {
            let solution =
                Grid::from_numbers(order, examples.solution(*index)).expect("examples are grids");
            grade.push(puzzle, &solution);
        }
        grade
    };
    puzzles.chunks(examples.len().max(1)).map(to_examples).collect()
}

/// A puzzle between a solution and a minimal puzzle.
struct GradedPuzzle {
    points: u64,
    index: usize,
    puzzle: Grid,
}

fn puzzles_from(examples: &Examples, index: usize, grades: usize, seed: u64) -> Vec<GradedPuzzle> {
    let order = examples.order();
    let mut puzzle =
        Grid::from_numbers(order, examples.solution(index)).expect("examples are grids");
    let mut puzzles = vec![puzzle.clone()];
    let mut cells: Vec<Cell> = order.cells().collect();
    Random::for_part(seed, index as u64).shuffle(&mut cells);
    for cell in cells {
        let fewer = puzzle.without(cell);
        if generate::is_unique(&fewer) == Ok(true) {
            puzzles.push(fewer.clone());
            puzzle = fewer;
        }
    }
    let steps = grades.saturating_sub(1).max(1);
    let taken = (0..grades).map(|grade| puzzles[grade * (puzzles.len() - 1) / steps].clone());
    taken.map(|puzzle| GradedPuzzle { points: points_of(&puzzle), index, puzzle }).collect()
}

/// Puzzles that are too hard to be scored in reasonable time count as the hardest.
fn points_of(puzzle: &Grid) -> u64 {
    dupree::score(puzzle).map_or(u64::MAX, |score| score.points)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::data::{DatasetConfig, Source, Split};

    #[test]
    fn each_grade_is_harder_than_the_one_before() {
        let dataset = DatasetConfig { train: 6, ..DatasetConfig::new(Source::Kaggle) };
        let examples = dataset.load(Order::NINE, Split::Train, 1, 1).unwrap();
        let grades = by_difficulty(&examples, 4, 9, 1);
        assert_eq!(grades, by_difficulty(&examples, 4, 9, 3), "threads make no difference");
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
