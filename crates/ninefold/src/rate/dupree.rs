//! DuPree's score, the difficulty in Tables II and III of Tran and Manley.
//!
//! The score counts what Bill DuPree's solver (version 1.11) does: one point for each cell that falls to singles,
//! more for each one after subsets or vectors were needed, and a price for every trial that grows with the depth and
//! with the number of open cells. All branches of a trial are tried, also after a solution was found.
//!
//! The score depends on the order in which cells are visited, so a turned or relabelled puzzle may score differently.
//! The steps below keep that order exactly, and `tests/rate_dupree.rs` compares them with the original program.
//!
//! ```text
//! solve:  simple ─▶ solved?  ─▶ subsets ─▶ vectors ─▶ trial: each digit of the first cell with fewest candidates
//!           ▲                     │ changed   │ changed            └─▶ solve, one level deeper
//!           └─────────────────────┴───────────┘
//! simple: markup, hidden singles, markup, hidden singles … until neither finds anything
//! ```
//!
//! It takes 9×9 grids, as the original does.

use crate::grid::{Grid, House, Order};
use crate::limits::{Deadline, Limits, Pulse, Stop};
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::OnceLock;

/// Trials after which a puzzle counts as one without a score. The hardest puzzles known stay below 20,000.
const MOST_TRIALS: u64 = 1_000_000;

/// What DuPree's solver says about a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Score {
    /// The score itself; the higher, the harder.
    pub points: u64,
    /// How deep trials were nested, counted from 1 for a puzzle that needs none.
    pub depth: u32,
    /// How many solutions the trials came across.
    pub solutions: u64,
}

impl Score {
    /// The difficulty that the score stands for.
    #[must_use]
    pub fn difficulty(&self) -> Difficulty {
        Difficulty::of(self.points)
    }
}

/// The six steps of DuPree's scale, as in Table II of Tran and Manley.
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
    /// All of them, the easiest first.
    pub const ALL: [Difficulty; 6] = [
        Difficulty::Trivial,
        Difficulty::Easy,
        Difficulty::Medium,
        Difficulty::Hard,
        Difficulty::VeryHard,
        Difficulty::Diabolical,
    ];

    /// The scores of this difficulty.
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

    /// The difficulty of a score.
    ///
    /// # Panics
    /// Never: every score has one.
    #[must_use]
    pub fn of(points: u64) -> Difficulty {
        let holds = |level: &Difficulty| level.scores().contains(&points);
        Difficulty::ALL.into_iter().find(holds).expect("the levels leave no gap")
    }

    /// The label DuPree's program prints.
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

impl fmt::Display for Difficulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.label())
    }
}

/// Why a puzzle has no score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoScore {
    /// The scale is made for 9×9.
    #[error("DuPree's scale takes 9×9 puzzles, not {order}")]
    WrongSize {
        /// The size of the puzzle.
        order: Order,
    },
    /// No grid solves the puzzle.
    #[error("the puzzle has no solution, so it has no score")]
    NoSolution,
    /// There are so many branches that trying all of them takes too long.
    #[error("the puzzle still had open branches after {trials} trials")]
    TooManyTrials {
        /// How many trials were made.
        trials: u64,
        /// The score so far.
        at_least: u64,
    },
    /// The time was up, or somebody asked to stop.
    #[error("stopped by {stop}")]
    Stopped {
        /// Which limit it was.
        stop: Stop,
        /// The score so far.
        at_least: u64,
    },
}

/// DuPree's score of a puzzle.
///
/// ```
/// use ninefold::rate::dupree;
///
/// let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let score = dupree::score(&puzzle)?;
/// assert_eq!((score.points, score.difficulty().label()), (51, "trivial"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn score(puzzle: &Grid) -> Result<Score, NoScore> {
    score_within(puzzle, &Limits::none())
}

/// The same within some limits; a node is a trial, and without a limit there are a million.
pub fn score_within(puzzle: &Grid, limits: &Limits<'_>) -> Result<Score, NoScore> {
    if puzzle.order() != Order::NINE {
        return Err(NoScore::WrongSize { order: puzzle.order() });
    }
    let trials = limits.nodes.unwrap_or(MOST_TRIALS);
    let pulse = Pulse::of(Deadline::of(limits));
    let mut tally = Tally { points: 0, deepest: 1, solutions: 0, trials_left: trials, pulse };
    if let Err(end) = solve(&mut State::of(puzzle), 1, &mut tally) {
        let at_least = tally.points;
        return Err(match end {
            End::TrialsUsedUp => NoScore::TooManyTrials { trials, at_least },
            End::Stopped(stop) => NoScore::Stopped { stop, at_least },
        });
    }
    if tally.solutions == 0 {
        return Err(NoScore::NoSolution);
    }
    Ok(Score { points: tally.points, depth: tally.deepest, solutions: tally.solutions })
}

/// What is kept over all branches.
struct Tally<'a> {
    points: u64,
    deepest: u32,
    solutions: u64,
    trials_left: u64,
    pulse: Pulse<'a>,
}

/// What belongs to one branch and is restored after it.
#[derive(Clone)]
struct State {
    /// The candidates of each cell, bit 0 for the digit 1; one bit for a solved cell.
    sets: [u16; 81],
    is_solved: [bool; 81],
    /// Solved cells in the order in which they were solved, the givens first.
    queue: [u8; 81],
    queued: usize,
    /// How many of the queued cells the markup has read.
    read: usize,
    /// Points for each candidate that the markup removes.
    per_removal: u64,
    /// Points for each solved cell.
    reward: u64,
}

/// What a pass did to the grid; of two answers the greater one counts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Pass {
    Nothing,
    Changed,
    Stuck,
}

/// Why the trials end before all branches were tried.
enum End {
    TrialsUsedUp,
    Stopped(Stop),
}

fn solve(state: &mut State, depth: u32, tally: &mut Tally<'_>) -> Result<(), End> {
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

/// Tries every digit of the first cell with the fewest candidates, each one in a copy of the grid.
fn trial(state: &State, depth: u32, tally: &mut Tally<'_>) -> Result<(), End> {
    let open = (81 - state.queued) as u64;
    let Some(cell) = (0..81)
        .filter(|&cell| !state.is_solved[cell] && state.sets[cell] != ALL_DIGITS)
        .min_by_key(|&cell| size_of(state.sets[cell]))
    else {
        return Ok(()); // Every open cell could hold every digit: the original finds no cell to try either.
    };
    tally.points += open;
    for digit in bits(state.sets[cell]) {
        tally.trials_left = tally.trials_left.checked_sub(1).ok_or(End::TrialsUsedUp)?;
        if let Some(stop) = tally.pulse.stopped() {
            return Err(End::Stopped(stop));
        }
        // 50 · depth · open / 81, rounded to the nearest whole number.
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
    fn of(puzzle: &Grid) -> State {
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

    /// A cell has lost candidates; if one is left, it is solved.
    fn solve_if_single(&mut self, cell: usize, tally: &mut Tally<'_>) {
        if self.sets[cell].is_power_of_two() && !self.is_solved[cell] {
            self.solve_cell(cell, tally);
        }
    }

    /// Markup and hidden singles in turn. Hidden singles wait for a markup that removed something.
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

    /// Takes the digit of every queued cell out of the cells that see it; new singles join the queue.
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

    /// Solves each digit that has one place in a unit, as the unit stood when it was entered.
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
            // A digit of a solved cell is found in that cell alone, or not once.
            for digit in bits(once & !twice & !solved) {
                let holder = unit
                    .iter()
                    .map(|&cell| usize::from(cell))
                    .find(|&cell| self.sets[cell] & digit != 0);
                // A cell that has just been solved with another digit has lost this one.
                if let Some(cell) = holder {
                    self.sets[cell] = digit;
                    self.solve_cell(cell, tally);
                    answer = Pass::Changed;
                }
            }
        }
        answer
    }

    /// Two cells with the same two candidates, three with the same three: no other cell of the unit needs them.
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

    /// A digit whose places in a box lie in one row or column leaves the rest of that line.
    fn vectors(&mut self, tally: &mut Tally<'_>) -> Pass {
        let mut answer = Pass::Nothing;
        for number in 0..9 {
            let (top, left) = (number / 3 * 3, number % 3 * 3);
            // What is cleared lies outside the box, so these hold for all of its digits.
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

    /// The digit has its places in one row or in one column of the box.
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

/// How many digits a set has. A table, because not every processor that runs this counts bits in one instruction.
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

/// What is in one of three sets and in no other.
fn in_one([first, second, third]: [u16; 3]) -> u16 {
    (first ^ second ^ third) & !(first & second & third)
}

/// The single bits of a set, lowest first.
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

/// The 20 cells that see a cell, in the order in which the markup comes to them: the first cell of the row, of the
/// column and of the box, then the second ones, and so on. A cell met twice has nothing to lose the second time.
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
        let answer = match score_within(&puzzle.parse().unwrap(), &Limits::nodes(20_000)) {
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
    fn a_puzzle_for_singles_scores_one_point_for_each_open_cell() {
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
    fn all_branches_are_tried_and_every_solution_is_counted() {
        // The four open cells hold 6 and 7 in a rectangle, so both ways of filling them are solutions. Four cells are
        // open (4 points), each of two trials costs ⌊50 · 1 · 4 / 81 + ½⌋ = 2 points, and in each of them three cells
        // lose a candidate (1 point) and are solved (1 + 2 + 5 = 8 points): 4 + 2 · (2 + 3 · 9) = 62.
        check(
            "534..8912672195348198342567859..1423426853791713924856961537284287419635345286179",
            "62 2 2 trivial",
        );
    }

    #[test]
    fn a_puzzle_without_a_solution_or_with_far_too_many_has_no_score() {
        check(
            &format!("12345678.........9{}", ".".repeat(63)),
            "the puzzle has no solution, so it has no score",
        );
        check(
            &format!("1{}", ".".repeat(80)),
            "the puzzle still had open branches after 20000 trials",
        );
        check("1..4..1..3..4..3", "DuPree's scale takes 9×9 puzzles, not 4×4");
    }

    #[test]
    fn a_limit_ends_the_trials_and_leaves_the_score_so_far() {
        let puzzle = format!("1{}", ".".repeat(80)).parse().unwrap();
        let stopped = score_within(&puzzle, &Limits::time(Duration::ZERO)).unwrap_err();
        assert!(
            matches!(stopped, NoScore::Stopped { stop: Stop::Time, at_least: 1.. }),
            "{stopped:?}"
        );
        let cancelled =
            score_within(&puzzle, &Limits::cancelled_by(&AtomicBool::new(true))).unwrap_err();
        assert!(
            matches!(cancelled, NoScore::Stopped { stop: Stop::Cancelled, .. }),
            "{cancelled:?}"
        );
    }

    #[test]
    fn levels_begin_where_table_two_says() {
        let labels: Vec<&str> = [80, 81, 150, 151, 250, 251, 400, 401, 900, 901]
            .map(|p| Difficulty::of(p).label())
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
