//! DuPree's score, the difficulty measure in Tables II and III of Tran and Manley.
//!
//! The score counts the work of Bill DuPree's solver (version 1.11): one point for each cell solved
//! by singles, more points per cell after subsets or vectors (DuPree's name for pointing
//! candidates) were needed, and a cost for every trial that grows with the depth and the number of
//! open cells. A trial fills in a digit and solves the rest. All branches of a trial are explored,
//! even after a solution was found.
//!
//! The score depends on the order in which cells are visited, so symmetric images of a puzzle may
//! have different scores. This module keeps the original order exactly, and
//! `tests/shared/dupree.rs` compares it with the original program.
//!
//! ```text
//! solve:  simple ─▶ solved?  ─▶ subsets ─▶ vectors ─▶ trial: each digit of the first cell with fewest candidates
//!           ▲                     │ changed   │ changed            └─▶ solve, one level deeper
//!           └─────────────────────┴───────────┘
//! simple: markup, hidden singles, markup, hidden singles … until neither finds anything
//! markup: removes the digits of solved cells from their peers
//! ```
//!
//! A branch ends when its grid is solved or a cell has no candidates left.
//! Only 9×9 is supported, as in the original.

use crate::grid::{ClassicOnlyError, Grid, House, Order};
use crate::limits::{Deadline, Limits, Pulse, StopReason};
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::sync::OnceLock;

/// The default trial limit. The hardest known puzzles need fewer than 20,000 trials.
const MOST_TRIALS: u64 = 1_000_000;

/// The rating of a puzzle by DuPree's solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Score {
    /// The score; higher is harder.
    pub points: u64,
    /// The nesting depth of trials plus 1; 1 for a puzzle without trials.
    pub depth: u32,
    /// The number of solutions found.
    pub solutions: u64,
}

impl Score {
    /// The level of the score.
    #[must_use]
    pub fn difficulty(&self) -> Difficulty {
        Difficulty::from_score(self.points)
    }
}

/// The six levels of DuPree's scale, as in Table II of Tran and Manley.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Difficulty {
    /// Up to 80 points.
    Trivial,
    /// 81 to 150 points.
    Easy,
    /// 151 to 250 points.
    Medium,
    /// 251 to 400 points.
    Hard,
    /// 401 to 900 points.
    VeryHard,
    /// 901 points and more.
    Diabolical,
}

impl Difficulty {
    /// All levels, the easiest first.
    pub const ALL: [Difficulty; 6] = [
        Difficulty::Trivial,
        Difficulty::Easy,
        Difficulty::Medium,
        Difficulty::Hard,
        Difficulty::VeryHard,
        Difficulty::Diabolical,
    ];

    /// The range of scores of this level.
    #[must_use]
    pub fn scores(self) -> RangeInclusive<u64> {
        match self {
            Difficulty::Trivial => 0..=80,
            Difficulty::Easy => 81..=150,
            Difficulty::Medium => 151..=250,
            Difficulty::Hard => 251..=400,
            Difficulty::VeryHard => 401..=900,
            Difficulty::Diabolical => 901..=u64::MAX,
        }
    }

    /// The level of a score.
    ///
    #[must_use]
    pub fn from_score(points: u64) -> Difficulty {
        let holds = |level: &Difficulty| level.scores().contains(&points);
        Difficulty::ALL.into_iter().find(holds).expect("the levels leave no gap")
    }

    /// The name that DuPree's program prints, such as `very hard`.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Difficulty::Trivial => "trivial",
            Difficulty::Easy => "easy",
            Difficulty::Medium => "medium",
            Difficulty::Hard => "hard",
            Difficulty::VeryHard => "very hard",
            Difficulty::Diabolical => "diabolical",
        }
    }
}

/// The name of a DuPree difficulty that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown DuPree level {:?}; expected one of {}", .0, Difficulty::ALL.map(Difficulty::label).join(", "))]
pub struct UnknownDifficultyError(pub String);

/// Parses a label such as `very hard`; `very-hard` is accepted, too.
impl FromStr for Difficulty {
    type Err = UnknownDifficultyError;

    fn from_str(label: &str) -> Result<Difficulty, UnknownDifficultyError> {
        let spaced = label.replace('-', " ");
        let found = Difficulty::ALL.into_iter().find(|difficulty| difficulty.label() == spaced);
        found.ok_or_else(|| UnknownDifficultyError(label.to_string()))
    }
}

impl fmt::Display for Difficulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.label())
    }
}

/// Why a puzzle has no score.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ScoreError {
    /// The scale supports only 9×9.
    #[error("DuPree's scale supports only 9×9 puzzles, found {order}")]
    WrongSize {
        /// The size of the puzzle.
        order: Order,
    },
    /// The puzzle has no solution.
    #[error("the puzzle has no solution, so it has no score")]
    NoSolution,
    /// The trial limit was reached.
    #[error("the puzzle still had open branches after {trials} trials")]
    TooManyTrials {
        /// The trial limit.
        trials: u64,
        /// The score until then, a lower bound.
        at_least: u64,
    },
    /// The time limit was reached, or the work was cancelled.
    #[error("stopped by {stop}")]
    Stopped {
        /// The limit that was reached.
        stop: StopReason,
        /// The score until then, a lower bound.
        at_least: u64,
    },
    /// The puzzle has rules of its own.
    #[error(transparent)]
    Rules(#[from] ClassicOnlyError),
}

/// Returns DuPree's score of a puzzle.
///
/// ```
/// use ninefold::rate::dupree;
///
/// let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let score = dupree::score(&puzzle)?;
/// assert_eq!((score.points, score.difficulty().label()), (51, "trivial"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn score(puzzle: &Grid) -> Result<Score, ScoreError> {
    score_within(puzzle, &Limits::none())
}

/// Like [`score`], with limits. The node limit counts trials; its default is a million.
pub fn score_within(puzzle: &Grid, limits: &Limits<'_>) -> Result<Score, ScoreError> {
    puzzle.require_classic("DuPree scores are")?;
    if puzzle.order() != Order::NINE {
        return Err(ScoreError::WrongSize { order: puzzle.order() });
    }
    let trials = limits.nodes.unwrap_or(MOST_TRIALS);
    let pulse = Pulse::new(Deadline::new(limits));
    let mut tally = Tally { points: 0, deepest: 1, solutions: 0, trials_left: trials, pulse };
    if let Err(ended) = solve(&mut State::new(puzzle), 1, &mut tally) {
        let at_least = tally.points;
        return Err(match ended {
            TrialsEnded::LimitReached => ScoreError::TooManyTrials { trials, at_least },
            TrialsEnded::Stopped(stop) => ScoreError::Stopped { stop, at_least },
        });
    }
    if tally.solutions == 0 {
        return Err(ScoreError::NoSolution);
    }
    Ok(Score { points: tally.points, depth: tally.deepest, solutions: tally.solutions })
}

/// Totals over all branches.
struct Tally<'a> {
    points: u64,
    deepest: u32,
    solutions: u64,
    trials_left: u64,
    pulse: Pulse<'a>,
}

/// The state of one branch.
#[derive(Clone)]
struct State {
    /// The candidates of each cell, with bit 0 for the digit 1. A solved cell has one bit.
    sets: [u16; 81],
    is_solved: [bool; 81],
    /// Solved cells in the order in which they were solved, clues first.
    queue: [u8; 81],
    queued: usize,
    /// The number of queued cells that markup has processed.
    read: usize,
    /// Points for each candidate that markup removes.
    per_removal: u64,
    /// Points for each solved cell.
    reward: u64,
}

/// The effect of a pass. The larger of two values wins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Pass {
    Nothing,
    Changed,
    Stuck,
}

/// Why the trials ended before all branches were explored.
enum TrialsEnded {
    LimitReached,
    Stopped(StopReason),
}

fn solve(state: &mut State, depth: u32, tally: &mut Tally<'_>) -> Result<(), TrialsEnded> {
    tally.deepest = tally.deepest.max(depth);
    loop {
        if state.simple(tally) == Pass::Stuck {
            return Ok(());
        }
        if state.queued == 81 {
            tally.solutions += 1;
            return Ok(());
        }
        state.reward += 2;
        match state.subsets(tally) {
            Pass::Changed => continue,
            Pass::Stuck => return Ok(()),
            Pass::Nothing => {}
        }
        match state.vectors(tally) {
            Pass::Changed => continue,
            Pass::Stuck => return Ok(()),
            Pass::Nothing => {}
        }
        state.reward += 5;
        return trial(state, depth, tally);
    }
}

/// Tries every digit of the first cell with the fewest candidates in a copy of the grid.
fn trial(state: &State, depth: u32, tally: &mut Tally<'_>) -> Result<(), TrialsEnded> {
    let open = (81 - state.queued) as u64;
    let Some(cell) = (0..81)
        .filter(|&cell| !state.is_solved[cell] && state.sets[cell] != ALL_DIGITS)
        .min_by_key(|&cell| size_of(state.sets[cell]))
    else {
        // All open cells have nine candidates. The original finds no cell to try, either.
        return Ok(());
    };
    tally.points += open;
    for digit in bits(state.sets[cell]) {
        tally.trials_left = tally.trials_left.checked_sub(1).ok_or(TrialsEnded::LimitReached)?;
        if let Some(stop) = tally.pulse.stopped() {
            return Err(TrialsEnded::Stopped(stop));
        }
        // 50 · depth · open / 81, rounded to the nearest integer.
        tally.points += (100 * u64::from(depth) * open + 81) / 162;
        let mut branch = state.clone();
        branch.sets[cell] = digit;
        branch.queue_up(cell);
        solve(&mut branch, depth + 1, tally)?;
    }
    Ok(())
}

const ALL_DIGITS: u16 = 0x1FF;

impl State {
    fn new(puzzle: &Grid) -> State {
        let mut state = State {
            sets: [ALL_DIGITS; 81],
            is_solved: [false; 81],
            queue: [0; 81],
            queued: 0,
            read: 0,
            per_removal: 0,
            reward: 1,
        };
        for (cell, digit) in puzzle.clues() {
            state.sets[cell.index()] = 1 << digit.index();
            state.queue_up(cell.index());
        }
        state
    }

    fn queue_up(&mut self, cell: usize) {
        self.is_solved[cell] = true;
        self.queue[self.queued] = cell as u8;
        self.queued += 1;
    }

    fn solve_cell(&mut self, cell: usize, tally: &mut Tally<'_>) {
        self.queue_up(cell);
        tally.points += self.reward;
    }

    /// Solves a cell if it has one candidate left.
    fn solve_if_single(&mut self, cell: usize, tally: &mut Tally<'_>) {
        if self.sets[cell].is_power_of_two() && !self.is_solved[cell] {
            self.solve_cell(cell, tally);
        }
    }

    /// Alternates markup and hidden singles. Hidden singles only follow a markup that removed
    /// something.
    fn simple(&mut self, tally: &mut Tally<'_>) -> Pass {
        let mut answer = Pass::Nothing;
        loop {
            answer = answer.max(self.markup(tally));
            if answer != Pass::Changed {
                return answer;
            }
            self.per_removal = 1;
            if self.hidden_singles(tally) == Pass::Nothing {
                return answer;
            }
        }
    }

    /// Removes the digit of every queued cell from its peers. New singles are added to the queue.
    fn markup(&mut self, tally: &mut Tally<'_>) -> Pass {
        let peers = peers_in_markup_order();
        let mut answer = Pass::Nothing;
        while self.read < self.queued {
            let cell = usize::from(self.queue[self.read]);
            self.read += 1;
            let digit = self.sets[cell];
            for &peer in &peers[cell] {
                let peer = usize::from(peer);
                if self.sets[peer] & digit == 0 {
                    continue;
                }
                self.sets[peer] &= !digit;
                tally.points += self.per_removal;
                answer = Pass::Changed;
                if self.sets[peer] == 0 {
                    return Pass::Stuck;
                }
                self.solve_if_single(peer, tally);
            }
        }
        answer
    }

    /// Solves each digit that had one place in a unit when the unit was entered.
    fn hidden_singles(&mut self, tally: &mut Tally<'_>) -> Pass {
        let mut answer = Pass::Nothing;
        for unit in units() {
            let (mut once, mut twice, mut solved) = (0, 0, 0);
            for &cell in unit {
                let set = self.sets[usize::from(cell)];
                twice |= once & set;
                once |= set;
                if self.is_solved[usize::from(cell)] {
                    solved |= set;
                }
            }
            // Exclude digits of solved cells, which have one place, too.
            for digit in bits(once & !twice & !solved) {
                let holder = unit
                    .iter()
                    .map(|&cell| usize::from(cell))
                    .find(|&cell| self.sets[cell] & digit != 0);
                // The cell may have been solved with another digit a moment ago.
                if let Some(cell) = holder {
                    self.sets[cell] = digit;
                    self.solve_cell(cell, tally);
                    answer = Pass::Changed;
                }
            }
        }
        answer
    }

    /// Two cells with the same two candidates, or three with the same three, exclude these digits
    /// from the other cells of the unit.
    fn subsets(&mut self, tally: &mut Tally<'_>) -> Pass {
        let mut answer = Pass::Nothing;
        for unit in units() {
            for size in [2, 3] {
                let pass = self.subsets_in(unit, size, tally);
                answer = answer.max(pass);
                if pass == Pass::Stuck {
                    break;
                }
            }
        }
        answer
    }

    fn subsets_in(&mut self, unit: &[u8; 9], size: usize, tally: &mut Tally<'_>) -> Pass {
        let on_entry: [u16; 9] = std::array::from_fn(|place| self.sets[usize::from(unit[place])]);
        if on_entry.iter().filter(|&&set| size_of(set) == size).count() < size {
            return Pass::Nothing;
        }
        let holders = |set: u16| on_entry.iter().filter(|&&other| other == set).count();
        let mut used = [0u16; 9];
        let mut answer = Pass::Nothing;
        for place in 0..9 {
            let set = self.sets[usize::from(unit[place])];
            if size_of(set) != size || used.contains(&set) {
                continue;
            }
            used[place] = set;
            match holders(set) {
                count if count > size => {
                    tally.points += 10;
                    return Pass::Stuck;
                }
                count if count == size => {
                    for &cell in unit {
                        let cell = usize::from(cell);
                        if !self.is_solved[cell]
                            && self.sets[cell] != set
                            && self.sets[cell] & set != 0
                        {
                            self.sets[cell] &= !set;
                            tally.points += size as u64;
                            answer = Pass::Changed;
                            self.solve_if_single(cell, tally);
                        }
                    }
                }
                _ => {}
            }
        }
        answer
    }

    /// If the places of a digit in a box are in one row or column, the digit is removed from the
    /// rest of that line.
    fn vectors(&mut self, tally: &mut Tally<'_>) -> Pass {
        let mut answer = Pass::Nothing;
        for number in 0..9 {
            let (top, left) = (number / 3 * 3, number % 3 * 3);
            // Candidates are only removed outside of the box, so these sets stay valid for all
            // digits.
            let row = |row: usize| {
                (0..3).fold(0, |set, column| set | self.sets[(top + row) * 9 + left + column])
            };
            let column = |column: usize| {
                (0..3).fold(0, |set, row| set | self.sets[(top + row) * 9 + left + column])
            };
            let (rows, columns) = ([row(0), row(1), row(2)], [column(0), column(1), column(2)]);
            for digit in bits(in_one(rows) | in_one(columns)) {
                let pass = self.vector((top, left), digit, (rows, columns), tally);
                answer = answer.max(pass);
                if pass == Pass::Stuck {
                    return answer;
                }
            }
        }
        answer
    }

    /// Applies the rule to a digit whose places are in one row or column of the box.
    fn vector(
        &mut self,
        (top, left): (usize, usize),
        digit: u16,
        (rows, columns): ([u16; 3], [u16; 3]),
        tally: &mut Tally<'_>,
    ) -> Pass {
        let only = |lines: [u16; 3]| {
            lines.iter().position(|line| line & digit != 0).expect("the digit is in one line")
        };
        if in_one(rows) & digit != 0 {
            let row = top + only(rows);
            let outside = (0..9).filter(|&column| column < left || column >= left + 3);
            self.clear_line(outside.map(|column| row * 9 + column), digit, tally)
        } else {
            let column = left + only(columns);
            let outside = (0..9).filter(|&row| row < top || row >= top + 3);
            self.clear_line(outside.map(|row| row * 9 + column), digit, tally)
        }
    }

    fn clear_line(
        &mut self,
        cells: impl Iterator<Item = usize>,
        digit: u16,
        tally: &mut Tally<'_>,
    ) -> Pass {
        let mut answer = Pass::Nothing;
        for cell in cells {
            if self.is_solved[cell] {
                continue;
            }
            if self.sets[cell] & !digit == 0 {
                tally.points += 10;
                return Pass::Stuck;
            }
            if self.sets[cell] & digit != 0 {
                self.sets[cell] &= !digit;
                tally.points += self.per_removal;
                answer = Pass::Changed;
                self.solve_if_single(cell, tally);
            }
        }
        if answer == Pass::Changed {
            tally.points += 10;
        }
        answer
    }
}

/// The number of digits in a set. A table, because some CPUs have no instruction to count bits.
fn size_of(set: u16) -> usize {
    const SIZES: [u8; 512] = {
        let mut sizes = [0; 512];
        let mut set = 0;
        while set < 512 {
            sizes[set] = set.count_ones() as u8;
            set += 1;
        }
        sizes
    };
    usize::from(SIZES[usize::from(set & ALL_DIGITS)])
}

/// The digits that are in exactly one of three sets.
fn in_one([first, second, third]: [u16; 3]) -> u16 {
    (first ^ second ^ third) & !(first & second & third)
}

/// The bits of a set, lowest first.
fn bits(mut set: u16) -> impl Iterator<Item = u16> {
    std::iter::from_fn(move || {
        let lowest = set & set.wrapping_neg();
        set ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

/// Rows, then columns, then boxes, with their cells in reading order.
fn units() -> &'static [[u8; 9]; 27] {
    static UNITS: OnceLock<[[u8; 9]; 27]> = OnceLock::new();
    UNITS.get_or_init(|| {
        let mut units = [[0; 9]; 27];
        for (unit, house) in units.iter_mut().zip(Order::NINE.houses()) {
            *unit = cells_of(house);
        }
        units
    })
}

fn cells_of(house: House) -> [u8; 9] {
    let cells = Order::NINE.cells_in(house);
    std::array::from_fn(|place| cells[place].index() as u8)
}

/// The 20 peers of a cell in the order in which markup visits them: the first cell of the row, of
/// the column and of the box, then the second ones, and so on. Repeated cells are left out, because
/// the second visit removes nothing.
fn peers_in_markup_order() -> &'static [[u8; 20]; 81] {
    static PEERS: OnceLock<[[u8; 20]; 81]> = OnceLock::new();
    PEERS.get_or_init(|| {
        let mut peers = [[0; 20]; 81];
        for cell in Order::NINE.cells() {
            let houses = Order::NINE.houses_of(cell).map(cells_of);
            let mut met = Vec::with_capacity(20);
            for place in 0..9 {
                for house in &houses {
                    let peer = house[place];
                    if usize::from(peer) != cell.index() && !met.contains(&peer) {
                        met.push(peer);
                    }
                }
            }
            peers[cell.index()].copy_from_slice(&met);
        }
        peers
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicBool;
    use std::time::Duration;

    fn check(puzzle: &str, expected: &str) {
        let answer =
            match score_within(&puzzle.parse().unwrap(), &Limits::none().with_nodes(20_000)) {
                Ok(score) => format!(
                    "{} {} {} {}",
                    score.points,
                    score.depth,
                    score.solutions,
                    score.difficulty()
                ),
                Err(reason) => reason.to_string(),
            };
        assert_eq!(answer, expected, "{puzzle}");
    }

    #[test]
    fn singles_score_one_point_per_open_cell() {
        check(
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
            "51 1 1 trivial",
        );
        let full =
            "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
        check(full, "0 1 1 trivial");
        check(&full.replacen("534", "...", 1), "3 1 1 trivial");
    }

    #[test]
    fn explores_all_branches() {
        // The four open cells are a rectangle of 6 and 7, so there are two solutions. Four cells
        // are open (4 points), each of two trials costs ⌊50 · 1 · 4 / 81 + ½⌋ = 2 points, and in
        // each of them three cells lose a candidate (1 point) and are solved (1 + 2 + 5 = 8
        // points): 4 + 2 · (2 + 3 · 9) = 62.
        check(
            "534..8912672195348198342567859..1423426853791713924856961537284287419635345286179",
            "62 2 2 trivial",
        );
    }

    #[test]
    fn rejects_puzzles_without_or_with_too_many_solutions() {
        check(
            &format!("12345678.........9{}", ".".repeat(63)),
            "the puzzle has no solution, so it has no score",
        );
        check(
            &format!("1{}", ".".repeat(80)),
            "the puzzle still had open branches after 20000 trials",
        );
        check("1..4..1..3..4..3", "DuPree's scale supports only 9×9 puzzles, found 4×4");
    }

    #[test]
    fn a_limit_returns_a_lower_bound() {
        let puzzle = format!("1{}", ".".repeat(80)).parse().unwrap();
        let stopped = score_within(&puzzle, &Limits::none().with_time(Duration::ZERO)).unwrap_err();
        assert!(
            matches!(stopped, ScoreError::Stopped { stop: StopReason::Time, at_least: 1.. }),
            "{stopped:?}"
        );
        let cancelled =
            score_within(&puzzle, &Limits::none().with_cancel(&AtomicBool::new(true))).unwrap_err();
        assert!(
            matches!(cancelled, ScoreError::Stopped { stop: StopReason::Cancelled, .. }),
            "{cancelled:?}"
        );
    }

    #[test]
    fn levels_match_table_2() {
        let labels: Vec<&str> = [80, 81, 150, 151, 250, 251, 400, 401, 900, 901]
            .map(|p| Difficulty::from_score(p).label())
            .into();
        assert_eq!(
            labels,
            [
                "trivial",
                "easy",
                "easy",
                "medium",
                "medium",
                "hard",
                "hard",
                "very hard",
                "very hard",
                "diabolical"
            ]
        );
        assert!(Difficulty::ALL.is_sorted());
    }
}
