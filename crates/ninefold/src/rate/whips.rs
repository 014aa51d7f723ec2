//! The whip rating W: how long the chains must be, after Denis Berthier.
//!
//! A *whip* shows that a candidate, its target, is wrong: assume it, and again and again there is a cell, or a digit of a house, in
//! which the assumption and what has followed from it leave one choice; in the last one they leave none. Each of these places
//! must contain a candidate that the one before excludes, so that a person can follow the whip from place to place. Its length is the number
//! of places. A whip of length 1 is a locked candidate.
//!
//! W(n) is the set of all puzzles that singles and whips of length n or less solve, and the rating of a puzzle is the smallest such n; 0
//! are singles alone. All targets that have a whip of some length are removed together, so the rating does not depend on any order and
//! is the same for every turned, mirrored or relabelled puzzle. It takes grids of every size.
//!
//! Puzzles that need more than one assumption at a time ([`trial`](super::trial)) have no rating, whatever the length.

use crate::grid::{Candidates, Cell, Conflict, DigitSet, Grid, Order};
use crate::limits::{Deadline, Limits, Stop};
use crate::random::Random;
use std::collections::HashSet;

/// Unfinished whips that are kept at once; rarely a puzzle has more of them.
const MOST_UNFINISHED: usize = 1_000_000;

/// Why a puzzle has no whip rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoRating {
    /// There is nothing to be found.
    #[error("the puzzle has no solution, so it has no whip rating")]
    NoSolution,
    /// Whips of any length leave something open, as with every puzzle that has several solutions.
    #[error("whips of any length do not solve the puzzle")]
    Beyond,
    /// A limit was reached.
    #[error("stopped by {stop}")]
    Stopped {
        /// Which one.
        stop: Stop,
        /// The rating is at least this.
        at_least: usize,
    },
    /// There are so many whips of one length that they cannot be kept.
    #[error("there are too many whips")]
    TooMany {
        /// The rating is at least this.
        at_least: usize,
    },
}

/// The length of the longest whip that a puzzle needs.
///
/// ```
/// use ninefold::rate::whips;
///
/// let easy = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// assert_eq!(whips::rating(&easy), Ok(0));
/// # Ok::<(), ninefold::grid::ParseGridError>(())
/// ```
pub fn rating(puzzle: &Grid) -> Result<usize, NoRating> {
    rating_within(puzzle, &Limits::none())
}

/// The same within some limits; nodes do not count.
pub fn rating_within(puzzle: &Grid, limits: &Limits<'_>) -> Result<usize, NoRating> {
    let graph = Graph::of(puzzle.order());
    let mut present = graph.candidates(puzzle).map_err(|_| NoRating::NoSolution)?;
    let deadline = Deadline::of(limits);
    let mut rating = 0;
    graph.follow_singles(&mut present).map_err(|Contradiction| NoRating::NoSolution)?;
    while !graph.is_solved(&present) {
        let (length, targets) = shortest(&graph, &present, rating, &deadline)?;
        rating = rating.max(length);
        targets.iter().for_each(|&target| present.remove(target));
        graph.follow_singles(&mut present).map_err(|Contradiction| NoRating::NoSolution)?;
    }
    Ok(rating)
}

/// All targets of the shortest whips that there are, and the length of these.
fn shortest(
    graph: &Graph,
    present: &Set,
    rating: usize,
    deadline: &Deadline<'_>,
) -> Result<(usize, Vec<usize>), NoRating> {
    // Where singles alone do not lead from an assumption to a contradiction, no whip does.
    let refuted = present.iter().filter(|&target| graph.is_refuted(present, target));
    let mut searches: Vec<Search<'_>> =
        refuted.map(|target| Search::of(graph, present, target)).collect();
    for length in 1.. {
        let at_least = rating.max(length);
        let mut found = Vec::new();
        for search in &mut searches {
            if let Some(stop) = deadline.reached() {
                return Err(NoRating::Stopped { stop, at_least });
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
            0 => return Err(NoRating::Beyond),
            MOST_UNFINISHED.. => return Err(NoRating::TooMany { at_least: at_least + 1 }),
            _ => {}
        }
    }
    unreachable!("a whip is no longer than there are places")
}

/// The unfinished whips of one length against one target.
struct Search<'a> {
    graph: &'a Graph,
    target: usize,
    unfinished: Vec<Unfinished>,
    /// Which sets of consequences with which last one have been there; of two that agree one is enough.
    seen: HashSet<(u128, usize)>,
}

/// A whip on its way.
#[derive(Clone)]
struct Unfinished {
    /// What is assumed and what has followed, in this order.
    path: Vec<usize>,
    /// What all of these leave.
    left: Set,
    /// Stands for the set of them.
    name: u128,
}

impl<'a> Search<'a> {
    fn of(graph: &'a Graph, present: &Set, target: usize) -> Search<'a> {
        let mut left = present.clone();
        left.remove_all(&graph.excluded_by[target]);
        let start = Unfinished { path: vec![target], left, name: 0 };
        Search { graph, target, unfinished: vec![start], seen: HashSet::new() }
    }

    /// Makes all unfinished whips longer by one place in every way; has one come to its end?
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

impl Unfinished {
    fn with(&self, graph: &Graph, next: usize, name: u128) -> Unfinished {
        let mut longer = Unfinished { name, ..self.clone() };
        longer.path.push(next);
        longer.left.remove_all(&graph.excluded_by[next]);
        longer
    }
}

struct Contradiction;

/// Which candidates exclude each other, and where one of several must be right. A candidate is a number.
struct Graph {
    order: Order,
    /// Cells, and digits in houses: the candidates of each.
    places: Vec<Vec<usize>>,
    /// For each candidate.
    places_of: Vec<Vec<usize>>,
    excluded_by: Vec<Set>,
    /// Random numbers whose sums stand for sets of candidates.
    names: Vec<u128>,
}

impl Graph {
    fn of(order: Order) -> Graph {
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

    /// The clues, and what they leave.
    fn candidates(&self, puzzle: &Grid) -> Result<Set, Conflict> {
        let mut set = Set::new(self.places_of.len());
        let candidates = Candidates::of(puzzle)?;
        for cell in self.order.cells() {
            let digits = puzzle[cell].map_or(candidates.at(cell), DigitSet::of);
            digits
                .into_iter()
                .for_each(|digit| set.insert(cell.index() * self.order.side() + digit.index()));
        }
        Ok(set)
    }

    /// Where there is one choice left it is right, until nothing follows.
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

    /// Does assuming this candidate lead to a contradiction by singles?
    fn is_refuted(&self, present: &Set, assumed: usize) -> bool {
        let mut left = present.clone();
        left.remove_all(&self.excluded_by[assumed]) && self.follow_singles(&mut left).is_err()
    }

    fn is_solved(&self, present: &Set) -> bool {
        present.iter().count() == self.order.cell_count()
    }
}

/// A set of candidates.
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

    /// Has anything been there to be removed?
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

    /// Of our own making; rated 7.1 by Sudoku Explainer.
    const HARD: &str =
        ".56....1..2...183..9...35...8.4............7...1.69.4.....87..1..2.........3.5..6";

    fn check(puzzle: &str, expected: Result<usize, NoRating>) {
        assert_eq!(rating(&puzzle.parse().unwrap()), expected, "{puzzle}");
    }

    #[test]
    fn several_solutions_and_hard_puzzles_are_beyond_whips() {
        check(&".".repeat(16), Err(NoRating::Beyond));
        check(
            "98.7.....6.....87...7.....5.4..3.5....65...9......2..1..86...5.....1.3.......4..2",
            Err(NoRating::Beyond),
        );
        // Row 1 wants a 4 in its last cell, and column 4 already has one.
        check("123....4........", Err(NoRating::NoSolution));
    }

    #[test]
    fn locked_candidates_are_whips_of_length_one_and_a_hard_puzzle_needs_longer_ones() {
        check(
            "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
            Ok(1),
        );
        check(HARD, Ok(3));
    }

    #[test]
    fn the_rating_does_not_depend_on_how_a_puzzle_is_turned() {
        let puzzle: Grid = HARD.parse().unwrap();
        let mut random = Random::new(5);
        for _ in 0..6 {
            let image = Symmetry::random(puzzle.order(), &mut random).image(&puzzle);
            assert_eq!(rating(&image), rating(&puzzle));
        }
    }

    #[test]
    fn a_limit_says_how_long_the_whips_are_at_least() {
        let stopped = rating_within(&HARD.parse().unwrap(), &Limits::time(Duration::ZERO));
        assert_eq!(stopped, Err(NoRating::Stopped { stop: Stop::Time, at_least: 1 }));
    }
}
