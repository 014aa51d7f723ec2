//! Climbing: puzzles with fewer clues or a higher rating, found from other puzzles.
//!
//! One move takes a few clues out of a puzzle, looks at the solutions that appear, chooses one of them, adds the clues
//! that rule the others out with the fewest additions, and drops every clue that is not needed any more. Good puzzles
//! have good neighbours, so a pool of the best ones is kept and moves start from there. This is the {-k,+k} search
//! by which most 17-clue and hardest puzzles were found. Towards fewer clues in 9×9 the moves are those of
//! `exchange.rs`, which looks at all solutions at once.
//!
//! Moves are made in rounds. All moves of a round start from the pool as it was before the round, each with a random
//! stream of its own, and what they find is taken into the pool in the order of the moves; so a climb is the same on
//! any number of threads.
//!
//! A [`Climb`] is a value: it can be written down as text after any round and read back, and then goes on as if it had
//! never stopped.

use super::{exchange, is_unique, limits, side_by_side};
use crate::grid::{Cell, Grid, ParseGridError};
use crate::puzzles::canonical;
use crate::random::Random;
use crate::rate::consistency::{self, Consistency};
use crate::rate::dupree;
use crate::search::{Limits, nine, unique};
use std::collections::HashSet;
use std::fmt;
use std::ops::Range;

/// Solutions that are looked at after clues were taken out; with more, the move is given up.
const MOST_SOLUTIONS: usize = 300;

/// Moves of one round.
const ROUND: u64 = 32;

/// Moves start from so many of the best puzzles, whatever else is kept.
const FRONT: usize = 300;

/// What to climb towards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Fewer clues.
    FewerClues,
    /// A higher score of DuPree's.
    Dupree,
    /// A stronger consistency level; among equal levels, a higher score of DuPree's.
    Consistency,
}

impl Goal {
    /// All goals.
    pub const ALL: [Goal; 3] = [Goal::FewerClues, Goal::Dupree, Goal::Consistency];

    /// The name to ask for it by.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Goal::FewerClues => "fewer-clues",
            Goal::Dupree => "dupree",
            Goal::Consistency => "consistency",
        }
    }

    /// The goal with this name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Goal> {
        Goal::ALL.into_iter().find(|goal| goal.name() == name)
    }

    /// How good a puzzle with one solution is; higher is better.
    #[must_use]
    pub fn height(self, puzzle: &Grid) -> u64 {
        let dupree = || dupree::score(puzzle).map_or(0, |score| score.points);
        match self {
            Goal::FewerClues => (puzzle.order().cell_count() - puzzle.clue_count()) as u64,
            Goal::Dupree => dupree(),
            Goal::Consistency => {
                let level = match consistency::weakest(puzzle, Consistency::Ssgac) {
                    consistency::Verdict::Solved(level) => level as u64,
                    _ => Consistency::ALL.len() as u64,
                };
                level << 40 | dupree().min((1 << 40) - 1)
            }
        }
    }
}

/// A search under way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Climb {
    goal: Goal,
    seed: u64,
    /// The most clues that one move takes out.
    reach: usize,
    /// Puzzles kept.
    room: usize,
    moves: u64,
    /// The best puzzles, the highest first, no two of them images of each other.
    pool: Vec<(u64, Grid)>,
    /// The classes of the puzzles in the pool.
    classes: HashSet<u128>,
}

/// A puzzle that may come into the pool.
struct Candidate {
    height: u64,
    class: u128,
    puzzle: Grid,
}

/// Why a climb cannot start or go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ClimbError {
    /// There is no puzzle with one solution to start from.
    #[error("none of the puzzles to start from has exactly one solution{}", unfinished_in_words(*.unfinished))]
    NoStart {
        /// Puzzles for which the proof of that was not finished.
        unfinished: u64,
    },
    /// The text was not written by a climb.
    #[error("line {line}: {found:?} is not what a saved climb holds here")]
    NotAClimb {
        /// The line, counted from 1.
        line: usize,
        /// What stands there.
        found: String,
    },
    /// A puzzle in the text cannot be read.
    #[error("line {line}: {error}")]
    NotAPuzzle {
        /// The line, counted from 1.
        line: usize,
        /// Why not.
        error: ParseGridError,
    },
}

impl Climb {
    /// A climb from these puzzles, keeping the best `room` of what it meets; each move takes out 1 to `reach` clues.
    pub fn start(
        goal: Goal,
        seed: u64,
        reach: usize,
        room: usize,
        puzzles: impl IntoIterator<Item = Grid>,
    ) -> Result<Climb, ClimbError> {
        let mut climb = Climb::start_empty(goal, seed, reach, room, 0);
        let mut unfinished = 0;
        for puzzle in puzzles {
            match is_unique(&puzzle) {
                Ok(true) => climb.offer(puzzle),
                Ok(false) => {}
                Err(_) => unfinished += 1,
            }
        }
        if climb.pool.is_empty() { Err(ClimbError::NoStart { unfinished }) } else { Ok(climb) }
    }

    /// Makes the 32 moves of one round on some threads; returns what was new and good enough to be kept, with its
    /// height.
    pub fn round(&mut self, threads: usize) -> Vec<(u64, Grid)> {
        let mut found = Vec::new();
        let moves = self.moves..self.moves + ROUND;
        let work = |these: Range<u64>| these.map(|number| self.one_move(number)).collect();
        side_by_side::in_order(moves, 1, threads, work, |_, candidates| {
            found.extend(candidates);
            true
        });
        self.moves += ROUND;
        found.into_iter().filter_map(|candidate| self.keep(candidate)).collect()
    }

    /// What one move finds, if it is good enough for the pool as it is now.
    fn one_move(&self, number: u64) -> Vec<Candidate> {
        let mut random = Random::for_part(self.seed, number);
        let front = self.pool.len().min(FRONT);
        // The smaller of two draws: better puzzles, which stand first, are taken more often.
        let start = &self.pool[random.below(front).min(random.below(front))].1;
        let found = match nine::line(start).filter(|_| self.goal == Goal::FewerClues) {
            Some(line) => exchange::neighbours(&line, self.reach, &mut random)
                .iter()
                .map(nine::grid)
                .collect(),
            None => Vec::from_iter(neighbour(start, self.reach, &mut random)),
        };
        found.into_iter().filter_map(|puzzle| self.weigh(puzzle)).collect()
    }

    /// Moves made so far.
    #[must_use]
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// What it climbs towards.
    #[must_use]
    pub fn goal(&self) -> Goal {
        self.goal
    }

    /// The best puzzles so far with their heights, the highest first.
    #[must_use]
    pub fn pool(&self) -> &[(u64, Grid)] {
        &self.pool
    }

    /// Takes a puzzle into the pool if it is new and good enough.
    fn offer(&mut self, puzzle: Grid) {
        if let Some(candidate) = self.weigh(puzzle) {
            self.keep(candidate);
        }
    }

    /// Height and class of a puzzle, unless the pool holds only better ones.
    fn weigh(&self, puzzle: Grid) -> Option<Candidate> {
        let height = self.goal.height(&puzzle);
        self.has_room_for(height).then(|| Candidate {
            height,
            class: canonical(&puzzle).fingerprint(),
            puzzle,
        })
    }

    fn has_room_for(&self, height: u64) -> bool {
        self.pool.len() < self.room || self.pool.last().is_some_and(|&(lowest, _)| height >= lowest)
    }

    fn keep(&mut self, candidate: Candidate) -> Option<(u64, Grid)> {
        let Candidate { height, class, puzzle } = candidate;
        if !self.has_room_for(height) || !self.classes.insert(class) {
            return None;
        }
        // In front of its equals: the newest are tried first, so the search moves on over level ground.
        let place = self.pool.partition_point(|&(other, _)| other > height);
        self.pool.insert(place, (height, puzzle.clone()));
        if self.pool.len() > self.room
            && let Some((_, dropped)) = self.pool.pop()
        {
            self.classes.remove(&canonical(&dropped).fingerprint());
        }
        Some((height, puzzle))
    }

    /// Reads a climb that was written down with its `Display`.
    pub fn read(text: &str) -> Result<Climb, ClimbError> {
        let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
        let mut field = |name: &str| {
            let (line, found) = lines.next().unwrap_or((0, ""));
            let value = found.strip_prefix(name).map(str::trim);
            value
                .map(|value| (line, value))
                .ok_or(ClimbError::NotAClimb { line, found: found.to_string() })
        };
        field("ninefold climb 1")?;
        let (line, name) = field("goal")?;
        let goal =
            Goal::by_name(name).ok_or(ClimbError::NotAClimb { line, found: name.to_string() })?;
        let mut number = |name: &str| {
            let (line, value) = field(name)?;
            value
                .parse::<u64>()
                .map_err(|_| ClimbError::NotAClimb { line, found: value.to_string() })
        };
        let (seed, reach, room, moves) =
            (number("seed")?, number("reach")?, number("room")?, number("moves")?);
        let mut climb = Climb::start_empty(goal, seed, reach as usize, room as usize, moves);
        let mut unfinished = 0;
        for (line, text) in lines.filter(|(_, text)| !text.is_empty()) {
            let not_a_climb = || ClimbError::NotAClimb { line, found: text.to_string() };
            let (shape, rest) = text.split_once(' ').ok_or_else(not_a_climb)?;
            let order = shape.parse().map_err(|_| not_a_climb())?;
            let puzzle = crate::grid::text::read(rest, Some(order))
                .map_err(|error| ClimbError::NotAPuzzle { line, error })?;
            match is_unique(&puzzle) {
                Ok(true) => {
                    climb.classes.insert(canonical(&puzzle).fingerprint());
                    climb.pool.push((goal.height(&puzzle), puzzle));
                }
                Ok(false) => {}
                Err(_) => unfinished += 1,
            }
        }
        if climb.pool.is_empty() {
            return Err(ClimbError::NoStart { unfinished });
        }
        // A stable sort, so a pool that was written in order is read in the same order.
        climb.pool.sort_by_key(|&(height, _)| std::cmp::Reverse(height));
        Ok(climb)
    }

    fn start_empty(goal: Goal, seed: u64, reach: usize, room: usize, moves: u64) -> Climb {
        Climb {
            goal,
            seed,
            reach: reach.max(1),
            room: room.max(1),
            moves,
            pool: Vec::new(),
            classes: HashSet::new(),
        }
    }
}

/// The state as text, for [`Climb::read`].
impl fmt::Display for Climb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "ninefold climb 1")?;
        writeln!(f, "goal {}\nseed {}\nreach {}", self.goal.name(), self.seed, self.reach)?;
        writeln!(f, "room {}\nmoves {}", self.room, self.moves)?;
        for (_, puzzle) in &self.pool {
            writeln!(f, "{}x{} {puzzle}", puzzle.order().box_rows(), puzzle.order().box_columns())?;
        }
        Ok(())
    }
}

fn unfinished_in_words(unfinished: u64) -> String {
    if unfinished == 0 {
        String::new()
    } else {
        format!(", and {unfinished} proofs were not finished")
    }
}

/// A puzzle with one solution that differs from this one by a few clues, none of which is known to be idle, or `None` if
/// the move failed: there are too many solutions, or a proof was not finished.
fn neighbour(puzzle: &Grid, reach: usize, random: &mut Random) -> Option<Grid> {
    let mut clues: Vec<Cell> = puzzle.clues().map(|(cell, _)| cell).collect();
    random.shuffle(&mut clues);
    clues.truncate(1 + random.below(reach));
    let mut open = puzzle.clone();
    clues.iter().for_each(|&cell| open.set(cell, None));
    let limits = limits(puzzle.order());
    let solutions = unique::all_solutions(&open, MOST_SOLUTIONS, &limits).ok()??;
    let target = random.pick(&solutions)?.clone();
    let grown = pin_down(open, &target, solutions, random);
    let (minimal, _) = without_idle_clues(grown, &limits, random);
    (unique::is_unique(&minimal, &limits) == Ok(true)).then_some(minimal)
}

/// A puzzle with the same solution that may have fewer clues: two leave, one may come back. It is minimal as far as proofs
/// were finished; how many were not?
pub(super) fn with_fewer_clues(
    puzzle: &Grid,
    solution: &Grid,
    limits: &Limits<'_>,
    random: &mut Random,
) -> (Grid, u64) {
    let mut clues: Vec<Cell> = puzzle.clues().map(|(cell, _)| cell).collect();
    random.shuffle(&mut clues);
    let mut open = puzzle.clone();
    clues.iter().take(2).for_each(|&cell| open.set(cell, None));
    let solutions = match unique::all_solutions(&open, MOST_SOLUTIONS, limits) {
        Ok(Some(solutions)) => solutions,
        Ok(None) => return (puzzle.clone(), 0),
        Err(_) => return (puzzle.clone(), 1),
    };
    let grown = pin_down(open, solution, solutions, random);
    let (minimal, unfinished) = without_idle_clues(grown, limits, random);
    match unique::is_unique(&minimal, limits) {
        Ok(true) => (minimal, unfinished),
        Ok(false) => (puzzle.clone(), unfinished),
        Err(_) => (puzzle.clone(), unfinished + 1),
    }
}

/// Adds clues of `target`, each time the one that rules out the most other solutions, until none is left.
fn pin_down(mut puzzle: Grid, target: &Grid, mut others: Vec<Grid>, random: &mut Random) -> Grid {
    others.retain(|other| other != target);
    while !others.is_empty() {
        let survivors =
            |cell: Cell| others.iter().filter(|other| other[cell] == target[cell]).count();
        let counted: Vec<(usize, Cell)> =
            puzzle.empty_cells().map(|cell| (survivors(cell), cell)).collect();
        let fewest = counted.iter().map(|&(left, _)| left).min();
        let best: Vec<Cell> = counted
            .iter()
            .filter(|&&(left, _)| Some(left) == fewest)
            .map(|&(_, cell)| cell)
            .collect();
        let Some(&cell) = random.pick(&best) else { break };
        puzzle.set(cell, target[cell]);
        others.retain(|other| other[cell] == target[cell]);
    }
    puzzle
}

/// Drops clues in random order as long as the solution stays the only one. A clue stays when the proof was not finished;
/// how often was that?
fn without_idle_clues(mut puzzle: Grid, limits: &Limits<'_>, random: &mut Random) -> (Grid, u64) {
    let mut clues: Vec<Cell> = puzzle.clues().map(|(cell, _)| cell).collect();
    random.shuffle(&mut clues);
    let mut unfinished = 0;
    for cell in clues {
        let fewer = puzzle.without(cell);
        match unique::is_unique(&fewer, limits) {
            Ok(true) => puzzle = fewer,
            Ok(false) => {}
            Err(_) => unfinished += 1,
        }
    }
    (puzzle, unfinished)
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    fn climb(goal: Goal) -> Climb {
        Climb::start(goal, 5, 3, 20, [START.parse().unwrap()]).unwrap()
    }

    #[test]
    fn climbing_finds_better_puzzles_and_each_has_one_solution() {
        for goal in [Goal::FewerClues, Goal::Dupree] {
            let mut climb = climb(goal);
            let start = climb.pool()[0].0;
            for _ in 0..5 {
                climb.round(2);
            }
            assert!(climb.pool()[0].0 > start, "{}", goal.name());
            assert!(climb.pool().is_sorted_by(|a, b| a.0 >= b.0));
            for (height, puzzle) in climb.pool() {
                assert_eq!(is_unique(puzzle), Ok(true), "{puzzle}");
                assert_eq!(goal.height(puzzle), *height);
            }
        }
    }

    #[test]
    fn a_climb_goes_on_from_its_text_as_if_it_had_never_stopped() {
        let mut whole = climb(Goal::FewerClues);
        let mut first_half = climb(Goal::FewerClues);
        for _ in 0..2 {
            whole.round(1);
            first_half.round(1);
        }
        let mut second_half = Climb::read(&first_half.to_string()).unwrap();
        assert_eq!(second_half, first_half);
        for threads in [1, 3] {
            assert_eq!(whole.round(1), second_half.round(threads));
        }
        assert_eq!(whole.to_string(), second_half.to_string());
    }

    #[test]
    fn a_climb_is_the_same_on_any_number_of_threads() {
        for goal in [Goal::FewerClues, Goal::Dupree] {
            let (mut alone, mut together) = (climb(goal), climb(goal));
            for _ in 0..3 {
                assert_eq!(alone.round(1), together.round(3), "{}", goal.name());
            }
            assert_eq!(alone, together);
        }
    }

    #[test]
    fn twenty_clues_are_soon_reached() {
        let mut climb = climb(Goal::FewerClues);
        let is_there = |climb: &Climb| climb.pool()[0].1.clue_count() <= 20;
        for _ in 0..20 {
            if !is_there(&climb) {
                climb.round(2);
            }
        }
        assert!(is_there(&climb), "{}", climb.pool()[0].1);
    }

    #[test]
    fn a_text_that_is_no_climb_is_refused_with_its_line() {
        let check = |text: &str, expected: &str| {
            assert_eq!(Climb::read(text).unwrap_err().to_string(), expected)
        };
        check("", "line 0: \"\" is not what a saved climb holds here");
        let saved = climb(Goal::Dupree).to_string();
        check(
            &saved.replace("seed 5", "seed five"),
            "line 3: \"five\" is not what a saved climb holds here",
        );
        check(
            &saved.replace("3x3 5", "3x3 q"),
            "line 7: row 1, column 1: \"q\" is neither a digit nor an empty cell",
        );
        let lines: Vec<&str> = saved.lines().take(6).collect();
        check(&lines.join("\n"), "none of the puzzles to start from has exactly one solution");
        assert_eq!(
            Climb::start(Goal::Dupree, 1, 1, 1, []).unwrap_err(),
            ClimbError::NoStart { unfinished: 0 }
        );
    }
}
