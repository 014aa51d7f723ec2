//! Local search for puzzles with fewer clues or a higher rating.
//!
//! A move removes a few clues of a puzzle, lists all solutions, chooses one of them, adds clues
//! until it is the only solution, and removes redundant clues. Puzzles similar to a good one are
//! often good, so the search keeps a pool of the best puzzles and starts each move from one of
//! them. This method, known as {-k,+k} search (remove k clues, add k), found most of the known
//! 17-clue puzzles and of the hardest puzzles. To find 9×9 puzzles with fewer clues, the moves of
//! `exchange.rs` are used, which consider all solutions at once instead of choosing one.
//!
//! Moves are done in rounds. All moves of a round start from the pool before the round, and each
//! has its own random stream. The results are added to the pool in the order of the moves. The
//! results of a search therefore do not depend on the number of threads.
//!
//! A [`Climb`] can be saved as text after every round (`Display`), parsed again (`FromStr`) and
//! continued with identical results.

use super::{exchange, is_unique, limits, parallel};
use crate::grid::{Cell, Grid, ParseGridError};
use crate::puzzles::canonical;
use crate::random::Random;
use crate::rate::consistency::{self, Consistency};
use crate::rate::dupree;
use crate::search::{Limits, nine, unique};
use std::collections::HashSet;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// A move fails if the puzzle without the removed clues has more solutions.
const MOST_SOLUTIONS: usize = 300;

/// The number of moves in a round.
const ROUND: u64 = 32;

/// The number of best puzzles from which moves start, even if the pool is larger.
const FRONT: usize = 300;

/// The quantity that a climb maximises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Fewer clues.
    FewerClues,
    /// A higher DuPree score.
    Dupree,
    /// A stronger consistency level, then a higher DuPree score.
    Consistency,
}

/// The name of a goal that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown goal {:?}, expected one of {}", .0, Goal::ALL.map(Goal::name).join(", "))]
pub struct UnknownGoalError(pub String);

impl Goal {
    /// All goals, in the order in which they are listed.
    pub const ALL: [Goal; 3] = [Goal::FewerClues, Goal::Dupree, Goal::Consistency];

    /// The name on the command line, such as `fewer-clues`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Goal::FewerClues => "fewer-clues",
            Goal::Dupree => "dupree",
            Goal::Consistency => "consistency",
        }
    }

    /// The value of a puzzle with one solution; higher is better.
    #[must_use]
    pub fn value(self, puzzle: &Grid) -> u64 {
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

impl FromStr for Goal {
    type Err = UnknownGoalError;

    fn from_str(name: &str) -> Result<Goal, UnknownGoalError> {
        let found = Goal::ALL.into_iter().find(|goal| goal.name() == name);
        found.ok_or_else(|| UnknownGoalError(name.to_string()))
    }
}

impl fmt::Display for Goal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Options of the local search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClimbOptions {
    /// The quantity to maximise.
    pub goal: Goal,
    /// The seed of the random moves; 0 by default.
    pub seed: u64,
    /// The most clues that one move removes; 4 by default.
    pub reach: usize,
    /// The number of best puzzles to keep; 200 by default.
    pub pool_size: usize,
}

impl ClimbOptions {
    /// The default options for a goal.
    #[must_use]
    pub const fn new(goal: Goal) -> ClimbOptions {
        ClimbOptions { goal, seed: 0, reach: 4, pool_size: 200 }
    }

    /// Sets the seed of the random moves.
    #[must_use]
    pub const fn with_seed(mut self, seed: u64) -> ClimbOptions {
        self.seed = seed;
        self
    }

    /// Sets the most clues that one move removes.
    #[must_use]
    pub const fn with_reach(mut self, reach: usize) -> ClimbOptions {
        self.reach = reach;
        self
    }

    /// Sets the number of best puzzles to keep.
    #[must_use]
    pub const fn with_pool_size(mut self, pool_size: usize) -> ClimbOptions {
        self.pool_size = pool_size;
        self
    }
}

/// The state of a local search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Climb {
    goal: Goal,
    seed: u64,
    /// The most clues that one move removes.
    reach: usize,
    /// The maximum number of puzzles in the pool. Called `room` in saved climbs.
    pool_size: usize,
    moves: u64,
    /// The best puzzles, the best one first. No two are images of each other.
    pool: Vec<(u64, Grid)>,
    /// The fingerprints of the puzzles in the pool.
    classes: HashSet<u128>,
}

/// A puzzle that may be added to the pool.
struct Candidate {
    value: u64,
    class: u128,
    puzzle: Grid,
}

/// Why a climb cannot start or a saved climb cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ClimbError {
    /// None of the puzzles to start from has exactly one solution.
    #[error("no puzzle to start from has exactly one solution{}", unfinished_proofs(*.unfinished))]
    NoStart {
        /// The number of puzzles for which the proof was not finished.
        unfinished: u64,
    },
    /// The text is not a saved climb.
    #[error("line {line}: unexpected {found:?} in a saved climb")]
    Unexpected {
        /// The line, counted from 1; 0 if the text is too short.
        line: usize,
        /// The unexpected text.
        found: String,
    },
    /// A puzzle in a saved climb cannot be parsed.
    #[error("line {line}: {error}")]
    InvalidPuzzle {
        /// The line, counted from 1.
        line: usize,
        /// The parse error.
        error: ParseGridError,
    },
}

impl Climb {
    /// Starts a climb from these puzzles.
    pub fn new(
        options: &ClimbOptions,
        puzzles: impl IntoIterator<Item = Grid>,
    ) -> Result<Climb, ClimbError> {
        let mut climb = Climb::empty(options, 0);
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

    /// Does the 32 moves of a round on several threads. Returns the puzzles that were added to the
    /// pool, with their values.
    pub fn round(&mut self, threads: usize) -> Vec<(u64, Grid)> {
        let mut found = Vec::new();
        let moves = self.moves..self.moves + ROUND;
        let work = |numbers: Range<u64>| numbers.map(|number| self.one_move(number)).collect();
        parallel::in_order(moves, 1, threads, work, |_, candidates| {
            found.extend(candidates);
            true
        });
        self.moves += ROUND;
        found.into_iter().filter_map(|candidate| self.keep(candidate)).collect()
    }

    /// The puzzles that one move finds and that are good enough for the pool.
    fn one_move(&self, number: u64) -> Vec<Candidate> {
        let mut random = Random::for_part(self.seed, number);
        let front = self.pool.len().min(FRONT);
        // The smaller of two draws prefers better puzzles, which come first.
        let start = &self.pool[random.below(front).min(random.below(front))].1;
        let found = match nine::line(start).filter(|_| self.goal == Goal::FewerClues) {
            Some(line) => exchange::neighbours(&line, self.reach, &mut random)
                .iter()
                .map(nine::grid)
                .collect(),
            None => Vec::from_iter(neighbour(start, self.reach, &mut random)),
        };
        found.into_iter().filter_map(|puzzle| self.evaluate(puzzle)).collect()
    }

    /// The number of moves so far.
    #[must_use]
    pub fn moves(&self) -> u64 {
        self.moves
    }

    /// The quantity that the climb maximises.
    #[must_use]
    pub fn goal(&self) -> Goal {
        self.goal
    }

    /// The best puzzles so far with their values, the best one first.
    #[must_use]
    pub fn pool(&self) -> &[(u64, Grid)] {
        &self.pool
    }

    /// Adds a puzzle to the pool if it is new and good enough.
    fn offer(&mut self, puzzle: Grid) {
        if let Some(candidate) = self.evaluate(puzzle) {
            self.keep(candidate);
        }
    }

    /// The value and class of a puzzle, or `None` if it is not good enough for the pool.
    fn evaluate(&self, puzzle: Grid) -> Option<Candidate> {
        let value = self.goal.value(&puzzle);
        self.has_room_for(value).then(|| Candidate {
            value,
            class: canonical(&puzzle).fingerprint(),
            puzzle,
        })
    }

    fn has_room_for(&self, value: u64) -> bool {
        self.pool.len() < self.pool_size
            || self.pool.last().is_some_and(|&(lowest, _)| value >= lowest)
    }

    fn keep(&mut self, candidate: Candidate) -> Option<(u64, Grid)> {
        let Candidate { value, class, puzzle } = candidate;
        if !self.has_room_for(value) || !self.classes.insert(class) {
            return None;
        }
        // Insert before puzzles of equal value: starting from the newest ones lets the search cross
        // plateaus.
        let place = self.pool.partition_point(|&(other, _)| other > value);
        self.pool.insert(place, (value, puzzle.clone()));
        if self.pool.len() > self.pool_size
            && let Some((_, dropped)) = self.pool.pop()
        {
            self.classes.remove(&canonical(&dropped).fingerprint());
        }
        Some((value, puzzle))
    }

    fn empty(options: &ClimbOptions, moves: u64) -> Climb {
        Climb {
            goal: options.goal,
            seed: options.seed,
            reach: options.reach.max(1),
            pool_size: options.pool_size.max(1),
            moves,
            pool: Vec::new(),
            classes: HashSet::new(),
        }
    }
}

/// Parses a saved climb.
impl FromStr for Climb {
    type Err = ClimbError;

    fn from_str(text: &str) -> Result<Climb, ClimbError> {
        let mut lines = text.lines().enumerate().map(|(index, line)| (index + 1, line.trim()));
        let mut field = |name: &str| {
            let (line, found) = lines.next().unwrap_or((0, ""));
            let value = found.strip_prefix(name).map(str::trim);
            value
                .map(|value| (line, value))
                .ok_or(ClimbError::Unexpected { line, found: found.to_string() })
        };
        field("ninefold climb 1")?;
        let (line, name) = field("goal")?;
        let goal: Goal =
            name.parse().map_err(|_| ClimbError::Unexpected { line, found: name.to_string() })?;
        let mut number = |name: &str| {
            let (line, value) = field(name)?;
            value
                .parse::<u64>()
                .map_err(|_| ClimbError::Unexpected { line, found: value.to_string() })
        };
        let (seed, reach, pool_size, moves) =
            (number("seed")?, number("reach")?, number("room")?, number("moves")?);
        let options = ClimbOptions::new(goal)
            .with_seed(seed)
            .with_reach(reach as usize)
            .with_pool_size(pool_size as usize);
        let mut climb = Climb::empty(&options, moves);
        let mut unfinished = 0;
        for (line, text) in lines.filter(|(_, text)| !text.is_empty()) {
            let unexpected = || ClimbError::Unexpected { line, found: text.to_string() };
            let (shape, rest) = text.split_once(' ').ok_or_else(unexpected)?;
            let order = shape.parse().map_err(|_| unexpected())?;
            let puzzle = crate::grid::text::parse(rest, Some(order))
                .map_err(|error| ClimbError::InvalidPuzzle { line, error })?;
            match is_unique(&puzzle) {
                Ok(true) => {
                    climb.classes.insert(canonical(&puzzle).fingerprint());
                    climb.pool.push((goal.value(&puzzle), puzzle));
                }
                Ok(false) => {}
                Err(_) => unfinished += 1,
            }
        }
        if climb.pool.is_empty() {
            return Err(ClimbError::NoStart { unfinished });
        }
        // The sort is stable, so a saved pool keeps its order.
        climb.pool.sort_by_key(|&(value, _)| std::cmp::Reverse(value));
        Ok(climb)
    }
}

/// Saves the climb as text, which `FromStr` parses.
impl fmt::Display for Climb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "ninefold climb 1")?;
        writeln!(f, "goal {}\nseed {}\nreach {}", self.goal.name(), self.seed, self.reach)?;
        writeln!(f, "room {}\nmoves {}", self.pool_size, self.moves)?;
        for (_, puzzle) in &self.pool {
            writeln!(f, "{}x{} {puzzle}", puzzle.order().box_rows(), puzzle.order().box_columns())?;
        }
        Ok(())
    }
}

fn unfinished_proofs(unfinished: u64) -> String {
    if unfinished == 0 { String::new() } else { format!("; {unfinished} proofs were not finished") }
}

/// A puzzle with one solution that differs from this one by a few clues and has no clue known to be
/// redundant. Returns `None` if there are too many solutions or a proof was not finished.
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
    let (minimal, _) = without_redundant_clues(grown, &limits, random);
    (unique::is_unique(&minimal, &limits) == Ok(true)).then_some(minimal)
}

/// A puzzle with the same solution that may have fewer clues: removes two clues, then adds as few
/// as possible. Returns the puzzle and the number of unfinished proofs. It is minimal if that is 0.
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
    let (minimal, unfinished) = without_redundant_clues(grown, limits, random);
    match unique::is_unique(&minimal, limits) {
        Ok(true) => (minimal, unfinished),
        Ok(false) => (puzzle.clone(), unfinished),
        Err(_) => (puzzle.clone(), unfinished + 1),
    }
}

/// Adds clues of `target`, always one that excludes the most other solutions, until none is left.
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

/// Removes redundant clues in random order. A clue stays if its proof is not finished. Returns the
/// number of unfinished proofs, too.
fn without_redundant_clues(
    mut puzzle: Grid,
    limits: &Limits<'_>,
    random: &mut Random,
) -> (Grid, u64) {
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
        let options = ClimbOptions::new(goal).with_seed(5).with_reach(3).with_pool_size(20);
        Climb::new(&options, [START.parse().unwrap()]).unwrap()
    }

    #[test]
    fn finds_better_puzzles_with_one_solution() {
        for goal in [Goal::FewerClues, Goal::Dupree] {
            let mut climb = climb(goal);
            let start = climb.pool()[0].0;
            for _ in 0..5 {
                climb.round(2);
            }
            assert!(climb.pool()[0].0 > start, "{}", goal.name());
            assert!(climb.pool().is_sorted_by(|a, b| a.0 >= b.0));
            for (value, puzzle) in climb.pool() {
                assert_eq!(is_unique(puzzle), Ok(true), "{puzzle}");
                assert_eq!(goal.value(puzzle), *value);
            }
        }
    }

    #[test]
    fn a_saved_climb_continues_identically() {
        let mut uninterrupted = climb(Goal::FewerClues);
        let mut first_half = climb(Goal::FewerClues);
        for _ in 0..2 {
            uninterrupted.round(1);
            first_half.round(1);
        }
        let mut second_half = first_half.to_string().parse::<Climb>().unwrap();
        assert_eq!(second_half, first_half);
        for threads in [1, 3] {
            assert_eq!(uninterrupted.round(1), second_half.round(threads));
        }
        assert_eq!(uninterrupted.to_string(), second_half.to_string());
    }

    #[test]
    fn results_do_not_depend_on_the_number_of_threads() {
        for goal in [Goal::FewerClues, Goal::Dupree] {
            let (mut alone, mut together) = (climb(goal), climb(goal));
            for _ in 0..3 {
                assert_eq!(alone.round(1), together.round(3), "{}", goal.name());
            }
            assert_eq!(alone, together);
        }
    }

    #[test]
    fn reaches_twenty_clues_quickly() {
        let mut climb = climb(Goal::FewerClues);
        let is_reached = |climb: &Climb| climb.pool()[0].1.clue_count() <= 20;
        for _ in 0..20 {
            if !is_reached(&climb) {
                climb.round(2);
            }
        }
        assert!(is_reached(&climb), "{}", climb.pool()[0].1);
    }

    #[test]
    fn errors_name_the_line() {
        let check = |text: &str, expected: &str| {
            assert_eq!(text.parse::<Climb>().unwrap_err().to_string(), expected)
        };
        check("", "line 0: unexpected \"\" in a saved climb");
        let saved = climb(Goal::Dupree).to_string();
        check(
            &saved.replace("seed 5", "seed five"),
            "line 3: unexpected \"five\" in a saved climb",
        );
        check(
            &saved.replace("3x3 5", "3x3 q"),
            "line 7: row 1, column 1: expected a digit or '.', found \"q\"",
        );
        let lines: Vec<&str> = saved.lines().take(6).collect();
        check(&lines.join("\n"), "no puzzle to start from has exactly one solution");
        assert_eq!(
            Climb::new(&ClimbOptions::new(Goal::Dupree), []).unwrap_err(),
            ClimbError::NoStart { unfinished: 0 }
        );
    }
}
