//! The whip rating W: the length of the chains needed, after Denis Berthier.
//!
//! A *whip* proves that a candidate, its target, is wrong. It assumes the target and visits a
//! sequence of places. A place is a cell, or a digit in a house. In each place, the assumption and
//! its consequences leave one candidate, which is the next consequence. In the last place they
//! leave none, which is the contradiction. Each place must contain a candidate that the previous
//! consequence excludes, so a person can follow the whip from place to place. The length is the
//! number of places. A whip of length 1 is a locked candidate.
//!
//! W(n) is the set of puzzles that singles and whips up to length n solve. The rating of a puzzle
//! is the smallest such n, and 0 if singles alone solve it. All targets of whips of the same length
//! are removed together, so the rating does not depend on any order and is the same for all
//! symmetric images of a puzzle. All grid sizes are supported.
//!
//! Puzzles that need nested assumptions ([`trial`](super::trial)) have no whip rating.

use crate::grid::{Candidates, Cell, ClassicOnlyError, Conflict, DigitSet, Grid, Order};
use crate::limits::{Deadline, Limits, StopReason};
use crate::random::Random;
use std::collections::HashSet;

/// The maximum number of partial whips. Few puzzles have more.
const MOST_PARTIAL_WHIPS: usize = 1_000_000;

/// Why a puzzle has no whip rating.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RatingError {
    /// The puzzle has no solution.
    #[error("the puzzle has no solution, so it has no whip rating")]
    NoSolution,
    /// Whips of any length do not solve the puzzle. This includes all puzzles with several
    /// solutions.
    #[error("whips of any length do not solve the puzzle")]
    Beyond,
    /// A limit was reached.
    #[error("stopped by {stop}")]
    Stopped {
        /// The limit that was reached.
        stop: StopReason,
        /// A lower bound for the rating.
        at_least: usize,
    },
    /// There are too many partial whips of one length.
    #[error("there are too many whips")]
    TooMany {
        /// A lower bound for the rating.
        at_least: usize,
    },
    /// The puzzle has rules of its own.
    #[error(transparent)]
    Rules(#[from] ClassicOnlyError),
}

/// Returns the whip rating of a puzzle.
///
/// ```
/// use ninefold::rate::whips;
///
/// let easy = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// assert_eq!(whips::rating(&easy), Ok(0));
/// # Ok::<(), ninefold::grid::ParseGridError>(())
/// ```
pub fn rating(puzzle: &Grid) -> Result<usize, RatingError> {
    rating_within(puzzle, &Limits::none())
}

/// Like [`rating`], with limits. The node limit is ignored.
pub fn rating_within(puzzle: &Grid, limits: &Limits<'_>) -> Result<usize, RatingError> {
    puzzle.require_classic("whip ratings are")?;
    let graph = Graph::new(puzzle.order());
    let mut present = graph.candidates(puzzle).map_err(|_| RatingError::NoSolution)?;
    let deadline = Deadline::new(limits);
    let mut rating = 0;
    graph.follow_singles(&mut present).map_err(|Contradiction| RatingError::NoSolution)?;
    while !graph.is_solved(&present) {
        let (length, targets) = shortest(&graph, &present, rating, &deadline)?;
        rating = rating.max(length);
        targets.iter().for_each(|&target| present.remove(target));
        graph.follow_singles(&mut present).map_err(|Contradiction| RatingError::NoSolution)?;
    }
    Ok(rating)
}

/// The targets of all shortest whips, and the length of these whips.
fn shortest(
    graph: &Graph,
    present: &Set,
    rating: usize,
    deadline: &Deadline<'_>,
) -> Result<(usize, Vec<usize>), RatingError> {
    // If following singles does not refute an assumption, no whip does.
    let refuted = present.iter().filter(|&target| graph.is_refuted(present, target));
    let mut searches: Vec<Search<'_>> =
        refuted.map(|target| Search::new(graph, present, target)).collect();
    for length in 1.. {
        let at_least = rating.max(length);
        let mut found = Vec::new();
        for search in &mut searches {
            if let Some(stop) = deadline.reached() {
                return Err(RatingError::Stopped { stop, at_least });
            }
            if search.grow(present) {
                found.push(search.target);
            }
        }
        if !found.is_empty() {
            return Ok((length, found));
        }
        searches.retain(|search| !search.unfinished.is_empty());
        match searches.iter().map(|search| search.unfinished.len()).sum::<usize>() {
            0 => return Err(RatingError::Beyond),
            MOST_PARTIAL_WHIPS.. => return Err(RatingError::TooMany { at_least: at_least + 1 }),
            _ => {}
        }
    }
    unreachable!("a whip is no longer than there are places")
}

/// The partial whips of one length against one target.
struct Search<'a> {
    graph: &'a Graph,
    target: usize,
    unfinished: Vec<PartialWhip>,
    /// The sets of consequences seen so far, each with its last candidate. Equal whips are kept
    /// once.
    seen: HashSet<(u128, usize)>,
}

/// A partial whip.
#[derive(Clone)]
struct PartialWhip {
    /// The assumption and its consequences in order.
    path: Vec<usize>,
    /// The candidates that remain.
    left: Set,
    /// A hash of the set of consequences.
    name: u128,
}

impl<'a> Search<'a> {
    fn new(graph: &'a Graph, present: &Set, target: usize) -> Search<'a> {
        let mut left = present.clone();
        left.remove_all(&graph.excluded_by[target]);
        let start = PartialWhip { path: vec![target], left, name: 0 };
        Search { graph, target, unfinished: vec![start], seen: HashSet::new() }
    }

    /// Extends all partial whips by one place in every way. Returns true if one is complete.
    fn grow(&mut self, present: &Set) -> bool {
        let graph = self.graph;
        let mut longer = Vec::new();
        let mut looked_at = vec![usize::MAX; graph.places.len()];
        for (number, whip) in self.unfinished.iter().enumerate() {
            let last = *whip.path.last().expect("a whip begins with its target");
            for excluded in present.iter_common(&graph.excluded_by[last]) {
                for &place in &graph.places_of[excluded] {
                    if std::mem::replace(&mut looked_at[place], number) == number {
                        continue;
                    }
                    let mut choices = graph.places[place]
                        .iter()
                        .copied()
                        .filter(|&choice| whip.left.contains(choice));
                    match (choices.next(), choices.next()) {
                        (None, _) => return true,
                        (Some(only), None) if !whip.path.contains(&only) => {
                            let name = whip.name.wrapping_add(graph.names[only]);
                            if self.seen.insert((name, only)) {
                                longer.push(whip.with(graph, only, name));
                            }
                        }
                        _ => {}
                    }
                }
            }
        }
        self.unfinished = longer;
        false
    }
}

impl PartialWhip {
    fn with(&self, graph: &Graph, next: usize, name: u128) -> PartialWhip {
        let mut longer = PartialWhip { name, ..self.clone() };
        longer.path.push(next);
        longer.left.remove_all(&graph.excluded_by[next]);
        longer
    }
}

struct Contradiction;

/// The conflicts between candidates, and the places of which one candidate must be true. A
/// candidate is a number.
struct Graph {
    order: Order,
    /// The candidates of each place: a cell, or a digit in a house.
    places: Vec<Vec<usize>>,
    /// The candidates that each candidate excludes.
    places_of: Vec<Vec<usize>>,
    excluded_by: Vec<Set>,
    /// Random numbers; their sums are hashes of sets of candidates.
    names: Vec<u128>,
}

impl Graph {
    fn new(order: Order) -> Graph {
        let side = order.side();
        let number = |cell: Cell, digit: usize| cell.index() * side + digit;
        let mut places: Vec<Vec<usize>> = order
            .cells()
            .map(|cell| (0..side).map(|digit| number(cell, digit)).collect())
            .collect();
        for house in order.houses() {
            let cells = order.cells_in(house);
            places.extend(
                (0..side).map(|digit| cells.iter().map(|&cell| number(cell, digit)).collect()),
            );
        }
        let count = order.cell_count() * side;
        let mut places_of = vec![Vec::new(); count];
        let mut excluded_by = vec![Set::new(count); count];
        for (place, candidates) in places.iter().enumerate() {
            for &one in candidates {
                places_of[one].push(place);
                candidates
                    .iter()
                    .filter(|&&other| other != one)
                    .for_each(|&other| excluded_by[one].insert(other));
            }
        }
        let mut random = Random::new(1);
        let mut half = || u128::from(random.bits());
        let names = (0..count).map(|_| half() << 64 | half()).collect();
        Graph { order, places, places_of, excluded_by, names }
    }

    /// The candidates after placing the clues.
    fn candidates(&self, puzzle: &Grid) -> Result<Set, Conflict> {
        let mut set = Set::new(self.places_of.len());
        let candidates = Candidates::new(puzzle)?;
        for cell in self.order.cells() {
            let digits = puzzle[cell].map_or(candidates.at(cell), DigitSet::from_digit);
            digits
                .into_iter()
                .for_each(|digit| set.insert(cell.index() * self.order.side() + digit.index()));
        }
        Ok(set)
    }

    /// Places all singles until nothing changes.
    fn follow_singles(&self, present: &mut Set) -> Result<(), Contradiction> {
        let mut changed = true;
        while changed {
            changed = false;
            for place in &self.places {
                let mut choices = place.iter().copied().filter(|&choice| present.contains(choice));
                match (choices.next(), choices.next()) {
                    (None, _) => return Err(Contradiction),
                    (Some(only), None) => changed |= present.remove_all(&self.excluded_by[only]),
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Whether assuming this candidate and following singles leads to a contradiction.
    fn is_refuted(&self, present: &Set, assumed: usize) -> bool {
        let mut left = present.clone();
        left.remove_all(&self.excluded_by[assumed]) && self.follow_singles(&mut left).is_err()
    }

    fn is_solved(&self, present: &Set) -> bool {
        present.iter().count() == self.order.cell_count()
    }
}

#[derive(Clone)]
struct Set(Vec<u64>);

impl Set {
    fn new(size: usize) -> Set {
        Set(vec![0; size.div_ceil(64)])
    }

    fn insert(&mut self, one: usize) {
        self.0[one / 64] |= 1 << (one % 64);
    }

    fn remove(&mut self, one: usize) {
        self.0[one / 64] &= !(1 << (one % 64));
    }

    /// Returns whether any candidate was removed.
    fn remove_all(&mut self, others: &Set) -> bool {
        let mut removed = 0;
        for (mine, theirs) in self.0.iter_mut().zip(&others.0) {
            removed |= *mine & theirs;
            *mine &= !theirs;
        }
        removed != 0
    }

    fn contains(&self, one: usize) -> bool {
        self.0[one / 64] >> (one % 64) & 1 == 1
    }

    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        bits(self.0.iter().copied())
    }

    fn iter_common<'a>(&'a self, other: &'a Set) -> impl Iterator<Item = usize> + 'a {
        bits(self.0.iter().zip(&other.0).map(|(mine, theirs)| mine & theirs))
    }
}

fn bits(words: impl Iterator<Item = u64>) -> impl Iterator<Item = usize> {
    words.enumerate().flat_map(|(index, word)| {
        let rest = std::iter::successors(Some(word), |word| Some(word & word.wrapping_sub(1)));
        rest.take_while(|&word| word != 0)
            .map(move |word| index * 64 + word.trailing_zeros() as usize)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Symmetry;
    use std::time::Duration;

    /// Generated by Ninefold; rated 7.1 by Sudoku Explainer.
    const HARD: &str =
        ".56....1..2...183..9...35...8.4............7...1.69.4.....87..1..2.........3.5..6";

    fn check(puzzle: &str, expected: Result<usize, RatingError>) {
        assert_eq!(rating(&puzzle.parse().unwrap()), expected, "{puzzle}");
    }

    #[test]
    fn rejects_several_solutions_and_hard_puzzles() {
        check(&".".repeat(16), Err(RatingError::Beyond));
        check(
            "98.7.....6.....87...7.....5.4..3.5....65...9......2..1..86...5.....1.3.......4..2",
            Err(RatingError::Beyond),
        );
        // Row 1 needs a 4 in its last cell, but column 4 already contains one.
        check("123....4........", Err(RatingError::NoSolution));
    }

    #[test]
    fn rates_locked_candidates_as_one() {
        check(
            "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
            Ok(1),
        );
        check(HARD, Ok(3));
    }

    #[test]
    fn symmetric_images_have_the_same_rating() {
        let puzzle: Grid = HARD.parse().unwrap();
        let mut random = Random::new(5);
        for _ in 0..6 {
            let image = Symmetry::random(puzzle.order(), &mut random).image(&puzzle);
            assert_eq!(rating(&image), rating(&puzzle));
        }
    }

    #[test]
    fn a_time_limit_returns_a_lower_bound() {
        let stopped =
            rating_within(&HARD.parse().unwrap(), &Limits::none().with_time(Duration::ZERO));
        assert_eq!(stopped, Err(RatingError::Stopped { stop: StopReason::Time, at_least: 1 }));
    }
}
