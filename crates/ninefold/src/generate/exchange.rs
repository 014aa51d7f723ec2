//! Exchanging clues of 9×9 puzzles: a few leave, and fewer or as many come in their place. This is the {-k,+j} search
//! by which most 17-clue puzzles were found.
//!
//! ```text
//! take k clues out, in many ways at once
//! up to k times, for each way:
//!     sample solutions of what is left, and count in how many of them each digit stands in each cell
//!     a digit that stands in a cell in one solution only makes a puzzle: with k = 2 it has a clue less ({-2,+1})
//!     no such digit: add another one, and go on with what is left
//! drop the clues that are not needed after all      ({-1,+0})
//! ```
//! If the sample holds all solutions, the counts are exact. Most often it does not: 18 clues less one leave thousands of
//! solutions, less two a hundred thousand. But a digit that two solutions of the sample share does not make a puzzle, which
//! settles nearly all of them; only the others are put to the solver.
//!
//! What makes it fast: samples and tests of all ways are put to the batch solver together. Which solutions a sample holds
//! depends on the processor, but what is chosen does not: sample and tests together show exactly which clues leave one
//! solution and which leave several, and a choice among them rests on nothing else.

use crate::random::Random;
use crate::search::Limits;
use crate::search::batch::Batch;
use crate::search::nine::Line;
use std::ops::ControlFlow;

/// Ways of taking clues out that are tried in one move: one for each lane of the widest vector.
const WAYS: usize = 32;
/// Solutions in a sample.
const SAMPLE: u64 = 400;
/// So many clues are left in at least: with fewer, one clue is never enough to come back.
const FEWEST_LEFT: usize = 16;

const EMPTY: u8 = b'.';

/// A digit in a cell.
type Clue = (usize, u8);

/// Minimal puzzles with one solution that come out of this one when 1 to `reach` clues are exchanged for no more others.
pub(super) fn neighbours(puzzle: &Line, reach: usize, random: &mut Random) -> Vec<Line> {
    let clues = clues_of(puzzle);
    let most = clues.len().saturating_sub(FEWEST_LEFT).min(reach).max(1);
    let leaving = 1 + random.below(most);
    let mut open = openings(puzzle, clues, leaving, random);
    let mut found = Vec::new();
    for _ in 0..leaving {
        open = close(open, puzzle, &mut found, random);
    }
    without_idle_clues(found, random)
}

/// The puzzle with some clues taken out, in several ways.
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

/// Adds one clue to each of these that makes it a puzzle, if there is one. Where there is none, the answer holds what is
/// left when another one is added. Clues of `before` do not come back.
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
        // In the order of cells and digits, whoever settled them.
        shared.sort_unstable();
        match random.pick(&closing) {
            Some(&clue) => found.push(with(open, clue)),
            None => still_open.extend(random.pick(&shared).map(|&clue| with(open, clue))),
        }
    }
    still_open
}

/// Some solutions of a grid, or all of them, summed up.
#[derive(Clone)]
struct Sample {
    solutions: u64,
    /// In how many of them each digit stands in each cell.
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
    /// Does it hold all solutions?
    fn is_complete(&self) -> bool {
        self.solutions < SAMPLE
    }

    /// The clues of which the sample does not show whether they leave one solution, several or none.
    fn doubtful(&self, open: &Line, before: &Line) -> Vec<Clue> {
        let fewest = u16::from(self.is_complete());
        self.clues(open, before)
            .filter(|&(_, count)| (fewest..=1).contains(&count))
            .map(|(clue, _)| clue)
            .collect()
    }

    /// Clues that leave several solutions, but not all; of a complete sample, those that leave the fewest.
    fn shared(&self, open: &Line, before: &Line) -> Vec<Clue> {
        let several =
            || self.clues(open, before).filter(|&(_, count)| count > 1 && !self.is_idle(count));
        let most = if self.is_complete() { several().map(|(_, count)| count).min() } else { None };
        several()
            .filter(|&(_, count)| most.is_none_or(|most| count <= most))
            .map(|(clue, _)| clue)
            .collect()
    }

    fn is_idle(&self, count: u16) -> bool {
        self.is_complete() && u64::from(count) == self.solutions
    }

    /// All clues that may come, with the number of solutions that have them.
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

/// Drops clues from each puzzle, in random order, as long as the solution stays the only one.
fn without_idle_clues(mut puzzles: Vec<Line>, random: &mut Random) -> Vec<Line> {
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
    fn neighbours_are_other_minimal_puzzles_with_one_solution() {
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
    fn clues_that_tell_two_solutions_apart_make_puzzles() {
        // The rectangle in rows 1 and 4, columns 4 and 5 can be filled in two ways.
        let twofold =
            *b"534..8912672195348198342567859..1423426853791713924856961537284287419635345286179";
        let sample = &samples_of(&[twofold])[0];
        assert_eq!((sample.solutions, sample.is_complete()), (2, true));
        assert_eq!(sample.doubtful(&twofold, &[EMPTY; 81]).len(), 8);
        assert_eq!(sample.shared(&twofold, &[EMPTY; 81]), []);
        let mut found = Vec::new();
        assert_eq!(
            close(vec![twofold], &[EMPTY; 81], &mut found, &mut Random::new(1)),
            [] as [Line; 0]
        );
        assert_eq!(is_unique(&nine::grid(&found[0])), Ok(true));
        // A clue that has just left does not come back.
        let before =
            *b"534678912672195348198342567859761423426853791713924856961537284287419635345286179";
        assert_eq!(sample.doubtful(&twofold, &before).len(), 4);
    }

    #[test]
    fn sample_and_tests_together_tell_what_every_clue_leaves() {
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
