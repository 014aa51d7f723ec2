//! Exchanges clues of 9×9 puzzles: removes a few clues and adds the same number or fewer. This
//! method, known as {-k,+j} search (remove k clues, add j), found most of the known 17-clue
//! puzzles.
//!
//! ```text
//! choose many sets of k clues; for each set, remove its clues and repeat up to k times:
//!     sample solutions and count how many of them have each digit in each cell
//!     if some digits occur in their cell in exactly one solution:
//!         add one of them as a clue; the puzzle is complete
//!     otherwise: add a digit that occurs in several solutions and continue
//! if no added clue completes the puzzle, drop it
//! remove redundant clues of the complete puzzles
//! ```
//! If the first added clue already completes a puzzle with k = 2, it has one clue less than before.
//!
//! The counts are exact if the sample contains all solutions. Usually it does not: an 18-clue
//! puzzle without one of its clues has thousands of solutions, without two of them a hundred
//! thousand. But a digit that two sampled solutions share does not complete a puzzle. This decides
//! nearly all digits, and only the others need a search.
//!
//! The batch solver samples and searches all puzzles together. Which solutions a sample contains
//! depends on the CPU, but the result does not: sample and searches together show exactly which
//! digits leave one solution and which leave several, and the random choice uses nothing else.

use crate::random::Random;
use crate::search::Limits;
use crate::search::batch::Batch;
use crate::search::nine::Line;
use std::ops::ControlFlow;

/// The number of ways to remove clues in one move: one for each lane of the widest vector.
const WAYS: usize = 32;
/// The number of solutions in a sample.
const SAMPLE: u64 = 400;
/// The minimum number of clues left after removal: no puzzle has fewer than 17 clues, so with fewer
/// than 16 adding one is never enough.
const FEWEST_LEFT: usize = 16;

const EMPTY: u8 = b'.';

/// A digit in a cell.
type Clue = (usize, u8);

/// Minimal puzzles with one solution in which 1 to `reach` clues are replaced by the same number of
/// clues or fewer.
pub(super) fn neighbours(puzzle: &Line, reach: usize, random: &mut Random) -> Vec<Line> {
    let clues = clues_of(puzzle);
    let most = clues.len().saturating_sub(FEWEST_LEFT).min(reach).max(1);
    let leaving = 1 + random.below(most);
    let mut open = openings(puzzle, clues, leaving, random);
    let mut found = Vec::new();
    for _ in 0..leaving {
        open = close(open, puzzle, &mut found, random);
    }
    without_redundant_clues(found, random)
}

/// The puzzle without `leaving` clues, in several ways.
fn openings(
    puzzle: &Line,
    mut clues: Vec<usize>,
    leaving: usize,
    random: &mut Random,
) -> Vec<Line> {
    random.shuffle(&mut clues);
    let without = |cells: &[usize]| {
        let mut open = *puzzle;
        cells.iter().for_each(|&cell| open[cell] = EMPTY);
        open
    };
    if leaving == 1 {
        return clues.chunks(1).take(WAYS).map(without).collect();
    }
    let draw = |_| {
        random.shuffle(&mut clues);
        without(&clues[..leaving])
    };
    (0..WAYS).map(draw).collect()
}

/// Adds one clue to each grid. If a clue can make the solution unique, adds the resulting puzzle to
/// `found`. Returns the other grids, each with one more clue. Clues of `before` are not added.
fn close(open: Vec<Line>, before: &Line, found: &mut Vec<Line>, random: &mut Random) -> Vec<Line> {
    let samples = samples_of(&open);
    let doubtful: Vec<Vec<Clue>> =
        open.iter().zip(&samples).map(|(open, sample)| sample.doubtful(open, before)).collect();
    let tests: Vec<Line> = open
        .iter()
        .zip(&doubtful)
        .flat_map(|(open, clues)| clues.iter().map(|&clue| with(open, clue)))
        .collect();
    let mut tallies = Batch::BEST.count_all(&tests, 2).into_iter();
    let mut still_open = Vec::new();
    for ((open, sample), doubtful) in open.iter().zip(&samples).zip(doubtful) {
        let (mut closing, mut shared) = (Vec::new(), sample.shared(open, before));
        for (clue, tally) in doubtful.into_iter().zip(tallies.by_ref()) {
            match tally.solutions {
                0 => {}
                1 => closing.push(clue),
                _ => shared.push(clue),
            }
        }
        // Sort, because the order depends on the sample.
        shared.sort_unstable();
        match random.pick(&closing) {
            Some(&clue) => found.push(with(open, clue)),
            None => still_open.extend(random.pick(&shared).map(|&clue| with(open, clue))),
        }
    }
    still_open
}

/// Digit counts over some or all solutions of a grid.
#[derive(Clone)]
struct Sample {
    solutions: u64,
    /// For each cell and digit, the number of solutions with that digit in the cell.
    counts: [[u16; 9]; 81],
}

fn samples_of(open: &[Line]) -> Vec<Sample> {
    let mut samples = vec![Sample { solutions: 0, counts: [[0; 9]; 81] }; open.len()];
    Batch::BEST.solve_all(open, SAMPLE, &Limits::none(), &mut |way, solution| {
        samples[way].solutions += 1;
        for (counts, &digit) in samples[way].counts.iter_mut().zip(solution) {
            counts[usize::from(digit - b'1')] += 1;
        }
        ControlFlow::Continue(())
    });
    samples
}

impl Sample {
    /// Whether the sample contains all solutions.
    fn is_complete(&self) -> bool {
        self.solutions < SAMPLE
    }

    /// Clues for which the sample does not show whether they leave no, one or several solutions.
    fn doubtful(&self, open: &Line, before: &Line) -> Vec<Clue> {
        let fewest = u16::from(self.is_complete());
        self.clues(open, before)
            .filter(|&(_, count)| (fewest..=1).contains(&count))
            .map(|(clue, _)| clue)
            .collect()
    }

    /// Clues that leave several solutions, but not all. For a complete sample, only those that
    /// leave the fewest.
    fn shared(&self, open: &Line, before: &Line) -> Vec<Clue> {
        let several = || {
            self.clues(open, before).filter(|&(_, count)| count > 1 && !self.is_redundant(count))
        };
        let most = if self.is_complete() { several().map(|(_, count)| count).min() } else { None };
        several()
            .filter(|&(_, count)| most.is_none_or(|most| count <= most))
            .map(|(clue, _)| clue)
            .collect()
    }

    fn is_redundant(&self, count: u16) -> bool {
        self.is_complete() && u64::from(count) == self.solutions
    }

    /// All clues that can be added, with the number of sampled solutions that contain them.
    fn clues(&self, open: &Line, before: &Line) -> impl Iterator<Item = (Clue, u16)> {
        let empty = (0..81).filter(|&cell| open[cell] == EMPTY);
        let all = empty.flat_map(|cell| {
            (b'1'..).zip(self.counts[cell]).map(move |(digit, n)| ((cell, digit), n))
        });
        all.filter(|&((cell, digit), _)| before[cell] != digit)
    }
}

fn with(open: &Line, (cell, digit): Clue) -> Line {
    let mut closed = *open;
    closed[cell] = digit;
    closed
}

/// Removes redundant clues from each puzzle in random order.
fn without_redundant_clues(mut puzzles: Vec<Line>, random: &mut Random) -> Vec<Line> {
    let mut minimal = Vec::new();
    while !puzzles.is_empty() {
        let fewer: Vec<(usize, Line)> = (0..puzzles.len())
            .flat_map(|number| {
                clues_of(&puzzles[number]).into_iter().map(move |cell| (number, cell))
            })
            .map(|(number, cell)| {
                let mut fewer = puzzles[number];
                fewer[cell] = EMPTY;
                (number, fewer)
            })
            .collect();
        let lines: Vec<Line> = fewer.iter().map(|&(_, line)| line).collect();
        let tallies = Batch::BEST.count_all(&lines, 2);
        let mut still_unique: Vec<Vec<Line>> = vec![Vec::new(); puzzles.len()];
        for ((number, line), tally) in fewer.into_iter().zip(tallies) {
            if tally.solutions == 1 {
                still_unique[number].push(line);
            }
        }
        let mut again = Vec::new();
        for (puzzle, fewer) in puzzles.into_iter().zip(still_unique) {
            match random.pick(&fewer) {
                Some(&fewer) => again.push(fewer),
                None => minimal.push(puzzle),
            }
        }
        puzzles = again;
    }
    minimal
}

fn clues_of(puzzle: &Line) -> Vec<usize> {
    (0..81).filter(|&cell| puzzle[cell] != EMPTY).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{is_minimal, is_unique};
    use crate::search::nine;

    const EASY: Line =
        *b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    #[test]
    fn neighbours_are_different_minimal_puzzles() {
        let mut random = Random::new(2);
        let mut seen = 0;
        for reach in 1..=4 {
            for neighbour in neighbours(&EASY, reach, &mut random) {
                let grid = nine::grid(&neighbour);
                assert_eq!((is_unique(&grid), is_minimal(&grid)), (Ok(true), Ok(true)), "{grid}");
                assert_ne!(neighbour, EASY);
                seen += 1;
            }
        }
        assert!(seen > 40, "{seen}");
    }

    #[test]
    fn a_clue_that_distinguishes_two_solutions_completes_a_puzzle() {
        // The rectangle in rows 1 and 4, columns 4 and 5 can be filled in two ways.
        let ambiguous =
            *b"534..8912672195348198342567859..1423426853791713924856961537284287419635345286179";
        let sample = &samples_of(&[ambiguous])[0];
        assert_eq!((sample.solutions, sample.is_complete()), (2, true));
        assert_eq!(sample.doubtful(&ambiguous, &[EMPTY; 81]).len(), 8);
        assert_eq!(sample.shared(&ambiguous, &[EMPTY; 81]), []);
        let mut found = Vec::new();
        assert_eq!(
            close(vec![ambiguous], &[EMPTY; 81], &mut found, &mut Random::new(1)),
            [] as [Line; 0]
        );
        assert_eq!(is_unique(&nine::grid(&found[0])), Ok(true));
        // A removed clue is not added again.
        let before =
            *b"534678912672195348198342567859761423426853791713924856961537284287419635345286179";
        assert_eq!(sample.doubtful(&ambiguous, &before).len(), 4);
    }

    #[test]
    fn shared_clues_leave_several_solutions() {
        let mut open = EASY;
        open[..20].fill(EMPTY);
        let sample = &samples_of(&[open])[0];
        assert!(!sample.is_complete());
        let (doubtful, shared) = (sample.doubtful(&open, &EASY), sample.shared(&open, &EASY));
        assert!(
            doubtful
                .iter()
                .any(|&(cell, digit)| sample.counts[cell][usize::from(digit - b'1')] == 0)
        );
        for clue in shared {
            assert!(!doubtful.contains(&clue));
            assert_eq!(Batch::BEST.count_all(&[with(&open, clue)], 2)[0].solutions, 2);
        }
    }
}
