//! The fast batch solver for 9×9: many search nodes side by side in the lanes of a vector register.
//!
//! In plain words: every lane holds one node of some puzzle's search tree. A round of propagation serves all lanes at
//! once (`kernel.rs` shows how). Then the lanes that came to an end are looked after one by one:
//!
//! ```text
//! repeat until no lane is busy:
//!     one round for all lanes
//!     a lane with an empty cell set is dead:     it takes the next node
//!     a lane that no longer changes and is full: a solution, it is counted, then the next node
//!     a lane that no longer changes otherwise:   guess: the lane goes on with one digit of a two-candidate cell,
//!                                                the other digit waits on the lane's own stack
//! the next node of a lane: from its own stack, else a new puzzle, else half of another lane's work
//! ```
//!
//! What makes it fast: no shuffles and no branches inside a round; lanes never wait for each other; each lane walks its
//! puzzle depth first with a stack of its own, so a puzzle with many solutions is left as soon as enough are counted; when
//! puzzles run out, idle lanes take the oldest waiting node of a busy one, so a single hard puzzle uses all lanes too. With
//! AVX-512 lanes that begin at the same time find their puzzles laid ready (`ready.rs`).
//!
//! Puzzles with many solutions have hardly any dead ends: all the work is guessing down to the first solution, then the last
//! guess is turned round. There it does not matter which cell is taken, and two or three guesses at once cost one round of
//! propagation instead of two or three. A lane shows that it is in such a puzzle by not having met an end.
//!
//! Three vectors run the same code: 32 lanes (AVX-512), 16 lanes (AVX2) and 8 lanes (any other [`Engine`]: compilers turn
//! the plain loops into the vectors of ARM and WebAssembly by themselves). They visit the same search trees and differ in
//! speed alone.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod kernel;
mod portable;
mod ready;

use super::nine::{
    self, ANY, BITS_OF_BYTE, Bits, LUCKY_DESCENT, Line, PEER_SETS, PEERS, PencilMarks, VisitLine,
};
use super::{Effort, Engine, Limits, Meter, Stop, Visit, Walk};
use crate::grid::{Grid, Order};
use kernel::{Board, SOLVED_SUM, Summary, Vector};
use ready::Ready;
use std::ops::ControlFlow;

/// The batch solver.
#[derive(Clone, Copy, Debug, Default)]
pub struct Batch {
    engine: Option<Engine>,
}

/// What was found for one puzzle of a batch.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Solutions counted, up to the limit.
    pub solutions: u64,
    /// Guesses that took.
    pub guesses: u64,
}

impl Tally {
    /// As many solutions and guesses.
    #[must_use]
    pub const fn new(solutions: u64, guesses: u64) -> Tally {
        Tally { solutions, guesses }
    }
}

impl Batch {
    /// The batch solver on the fastest engine of the processor it will run on.
    pub const BEST: Batch = Batch { engine: None };

    /// The batch solver on this engine; `None` if the processor cannot run it.
    #[must_use]
    pub fn on(engine: Engine) -> Option<Batch> {
        engine.is_available().then_some(Batch { engine: Some(engine) })
    }

    /// The engine it runs on.
    pub fn engine(&self) -> Engine {
        self.engine.unwrap_or_else(Engine::best)
    }

    /// Counts the solutions of every puzzle, each up to `limit`.
    ///
    /// ```
    /// use ninefold::search::batch::Batch;
    ///
    /// let puzzle = *b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    /// let empty = [b'.'; 81];
    /// let tallies = Batch::BEST.count_all(&[puzzle, empty], 2);
    /// assert_eq!((tallies[0].solutions, tallies[1].solutions), (1, 2));
    /// assert_eq!(tallies[0].guesses, 0);
    /// ```
    #[must_use]
    pub fn count_all(&self, puzzles: &[Line], limit: u64) -> Vec<Tally> {
        let mut meter = Meter::without_clock();
        let mut job =
            Job { puzzles: Puzzles::Lines(puzzles), limit, meter: &mut meter, visit: None };
        self.run(&mut job).0
    }

    /// Goes on counting, up to `limit`: each tally says how many solutions are known already. Those that the position
    /// allows must not be among them.
    ///
    /// # Panics
    /// If there are not as many tallies as positions.
    pub(crate) fn count_on(&self, positions: &[PencilMarks], limit: u64, tallies: &mut [Tally]) {
        assert_eq!(positions.len(), tallies.len(), "a tally for each position");
        let mut meter = Meter::without_clock();
        let mut job =
            Job { puzzles: Puzzles::Marks(positions), limit, meter: &mut meter, visit: None };
        let _ = self.run_on(&mut job, tallies);
    }

    /// Counts the solutions of every position, each up to `limit`, that use no other digits than those marked in each cell.
    #[must_use]
    pub fn count_all_marks(&self, positions: &[PencilMarks], limit: u64) -> Vec<Tally> {
        let mut meter = Meter::without_clock();
        self.run(&mut Job {
            puzzles: Puzzles::Marks(positions),
            limit,
            meter: &mut meter,
            visit: None,
        })
        .0
    }

    /// Hands the solutions of every puzzle, each puzzle's first `limit`, to `visit` together with the puzzle's place in
    /// the slice. Solutions of neighbouring puzzles come in any order. Each is checked against the rules and the clues.
    pub fn solve_all(
        &self,
        puzzles: &[Line],
        limit: u64,
        limits: &Limits<'_>,
        visit: &mut dyn FnMut(usize, &Line) -> ControlFlow<()>,
    ) -> (Vec<Tally>, Effort) {
        let mut meter = Meter::start(limits);
        let mut checked = |puzzle: usize, solution: &Line| {
            nine::check(solution, &puzzles[puzzle], self.name());
            match visit(puzzle, solution) {
                ControlFlow::Continue(()) => ControlFlow::Continue(()),
                ControlFlow::Break(()) => ControlFlow::Break(Stop::Enough),
            }
        };
        let puzzles = Puzzles::Lines(puzzles);
        let mut job = Job { puzzles, limit, meter: &mut meter, visit: Some(&mut checked) };
        let (tallies, end) = self.run(&mut job);
        (tallies, meter.finish(end))
    }

    /// Walks through the solutions of one puzzle, up to `limit` of them.
    pub(super) fn walk_line(
        &self,
        puzzle: &Line,
        limit: u64,
        meter: &mut Meter<'_>,
        visit: Option<&mut VisitLine<'_>>,
    ) -> (Tally, ControlFlow<Stop>) {
        let lines = &[*puzzle];
        let puzzles = Puzzles::Lines(lines);
        let (tallies, end) = match visit {
            Some(visit) => {
                let mut visit = |_: usize, solution: &Line| visit(solution);
                self.run(&mut Job { puzzles, limit, meter, visit: Some(&mut visit) })
            }
            None => self.run(&mut Job { puzzles, limit, meter, visit: None }),
        };
        (tallies[0], end)
    }

    fn run(&self, job: &mut Job<'_, '_>) -> (Vec<Tally>, ControlFlow<Stop>) {
        let mut tallies = vec![Tally::default(); job.puzzles.len()];
        let end = self.run_on(job, &mut tallies);
        (tallies, end)
    }

    fn run_on(&self, job: &mut Job<'_, '_>, tallies: &mut [Tally]) -> ControlFlow<Stop> {
        if job.limit == 0 {
            return ControlFlow::Break(Stop::Enough);
        }
        let end = match self.engine() {
            #[cfg(target_arch = "x86_64")]
            Engine::Avx512 => avx512::run(job, tallies),
            #[cfg(target_arch = "x86_64")]
            Engine::Avx2 => avx2::run(job, tallies),
            _ => None,
        };
        end.unwrap_or_else(|| portable::run(job, tallies))
    }
}

impl Walk for Batch {
    fn name(&self) -> &'static str {
        "batch"
    }

    fn idea(&self) -> &'static str {
        "many search nodes in the lanes of a vector register; made for long lists of 9×9 puzzles"
    }

    fn takes(&self, order: Order) -> bool {
        order == Order::NINE
    }

    fn walk(
        &self,
        puzzle: &Grid,
        meter: &mut Meter<'_>,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<Stop> {
        let line = nine::line(puzzle).expect("the caller has asked `takes`");
        self.walk_line(&line, u64::MAX, meter, Some(&mut |solution| visit(nine::grid(solution)))).1
    }

    fn walk_lines(
        &self,
        puzzle: &Line,
        meter: &mut Meter<'_>,
        visit: &mut VisitLine<'_>,
    ) -> Option<ControlFlow<Stop>> {
        Some(self.walk_line(puzzle, u64::MAX, meter, Some(visit)).1)
    }
}

/// What a batch is asked to do.
struct Job<'a, 'm> {
    puzzles: Puzzles<'a>,
    /// Solutions to look for in each puzzle.
    limit: u64,
    meter: &'a mut Meter<'m>,
    /// Called with each solution, where grids are wanted and not only counts.
    visit: Option<&'a mut SeeSolution<'a>>,
}

/// Clues, or whatever each cell has left.
#[derive(Clone, Copy)]
enum Puzzles<'a> {
    Lines(&'a [Line]),
    Marks(&'a [PencilMarks]),
}

impl Puzzles<'_> {
    fn len(&self) -> usize {
        match self {
            Puzzles::Lines(lines) => lines.len(),
            Puzzles::Marks(marks) => marks.len(),
        }
    }
}

type SeeSolution<'a> = dyn FnMut(usize, &Line) -> ControlFlow<Stop> + 'a;

/// The 81 candidate sets of one node, and empty sets up to a whole number of vectors.
type Node = [Bits; 96];

/// A node with so few open cells is nearly done, and any two-candidate cell does. Guesses for a puzzle without and with this bound:
/// many solutions 7.05 and 7.09, random minimal 0.95 and 0.97, forum 11+ 74.5 and 75.5; and comparing costs as much as a
/// round to three. (A bound of 32: 7.10, 1.00 and 76.)
const FEW_OPEN: u32 = 24;

/// A lucky lane whose node has no more open cells than this makes several guesses at once. Without a bound the lists of hard
/// puzzles with one solution need 1 to 2 % more rounds, with it less than 1 %.
const MOST_OPEN_WHEN_LUCKY: u32 = 44;

/// How many guesses a lucky lane makes at once, at most. Lists with many solutions: 28.9 rounds a puzzle with one, 25.5 with two,
/// 24.8 with four.
const GUESSES_WHEN_LUCKY: usize = 4;

/// The waiting nodes of each lane's puzzle: `levels[depth][lane]`, the oldest first.
///
/// A node is written where it will lie: one that is made elsewhere and then moved is read again as vectors while its parts
/// are still on their way to memory, and that waits. Levels are kept for whoever comes next.
struct Waiting<const N: usize> {
    levels: Vec<[Node; N]>,
    /// How many nodes wait for each lane.
    count: [usize; N],
}

impl<const N: usize> Waiting<N> {
    const fn new() -> Waiting<N> {
        Waiting { levels: Vec::new(), count: [0; N] }
    }

    /// Room for one node more of this lane, which the caller writes; the sets behind the last cell are empty and stay so.
    #[inline(always)]
    fn push(&mut self, lane: usize) -> &mut Node {
        let depth = self.count[lane];
        if depth == self.levels.len() {
            self.levels.push([[0; 96]; N]);
        }
        self.count[lane] = depth + 1;
        &mut self.levels[depth][lane]
    }

    /// Takes the newest node of a lane away; it can be read until the next one is pushed.
    #[inline(always)]
    fn pop(&mut self, lane: usize) -> Option<&Node> {
        self.count[lane] = self.count[lane].checked_sub(1)?;
        Some(&self.levels[self.count[lane]][lane])
    }

    /// Takes the oldest node of a lane away.
    fn take_oldest(&mut self, lane: usize) -> Option<Node> {
        self.count[lane] = self.count[lane].checked_sub(1)?;
        let oldest = self.levels[0][lane];
        for depth in 0..self.count[lane] {
            self.levels[depth][lane] = self.levels[depth + 1][lane];
        }
        Some(oldest)
    }

    #[inline(always)]
    fn clear(&mut self, lane: usize) {
        self.count[lane] = 0;
    }
}

/// All lanes and what waits for them.
struct Lanes<const N: usize> {
    board: Board<N>,
    /// The puzzle each lane works at.
    puzzle: [usize; N],
    /// Each lane's sum after the last round; 0 for a lane that got a new node since.
    sum_before: [Bits; N],
    /// The nodes that wait for each lane.
    waiting: Waiting<N>,
    /// The lanes that hold a node, as bits.
    busy: u32,
    /// The lanes that are on their way down from the root of a puzzle: no guess of theirs has come to an end.
    descending: u32,
    /// The next puzzles, where they are laid ready.
    ready: Ready<N>,
    /// The first puzzle that no lane has begun and that is not laid ready.
    next_puzzle: usize,
}

#[inline(always)]
fn drive<const N: usize, V: Vector<N>>(
    job: &mut Job<'_, '_>,
    tallies: &mut [Tally],
) -> ControlFlow<Stop> {
    let mut lanes = Lanes::<N> {
        board: Board([[0; N]; 81]),
        puzzle: [0; N],
        sum_before: [0; N],
        waiting: Waiting::new(),
        busy: 0,
        descending: 0,
        ready: Ready::none(),
        next_puzzle: 0,
    };
    let every_lane = u32::MAX >> (32 - N);
    let mut finished = every_lane;
    loop {
        let mut begun = 0;
        if V::LAYS_READY
            && let Puzzles::Lines(lines) = job.puzzles
        {
            let together = lanes.begin_together::<V>(finished, lines);
            begun += u64::from(together.count_ones());
            finished &= !together;
        }
        for lane in lanes_in(finished) {
            begun += u64::from(lanes.take_next_node(lane, job, tallies));
        }
        if lanes.busy == 0 {
            return ControlFlow::Continue(());
        }
        let Summary { least, sum } = kernel::round::<N, V>(&mut lanes.board);
        let dead = least.equal(V::splat(0)) & lanes.busy;
        let settled = sum.equal(V::load(&lanes.sum_before)) & lanes.busy & !dead;
        // A full board is seen at once, one round before it settles. What else may have its sum before it settles goes on.
        let full = sum.equal(V::splat(SOLVED_SUM)) & lanes.busy & !dead;
        let mut solved = 0;
        sum.store(&mut lanes.sum_before);
        if full != 0 {
            solved = full & kernel::solved_lanes::<N, V>(&lanes.board);
            for lane in lanes_in(solved) {
                lanes.count_solution(lane, job, tallies)?;
            }
        }
        // All stuck nodes are copied before the first is read as vectors: a vector load that meets its parts still on
        // their way to memory waits for them.
        for lane in lanes_in(settled & !full) {
            lanes.copy_to_waiting(lane);
        }
        for lane in lanes_in(settled & !full) {
            let guesses = lanes.split::<V>(lane);
            tallies[lanes.puzzle[lane]].guesses += guesses;
            begun += 1;
            job.meter.guesses_done(guesses);
        }
        job.meter.nodes_done(begun)?;
        finished = dead | solved | (full & settled) | (every_lane & !lanes.busy);
    }
}

impl<const N: usize> Lanes<N> {
    /// The next puzzle that nobody has begun; from now on somebody has.
    #[inline(always)]
    fn next_puzzle(&mut self, job: &Job<'_, '_>) -> Option<usize> {
        self.ready.take().or_else(|| {
            let next = (self.next_puzzle < job.puzzles.len()).then_some(self.next_puzzle)?;
            self.next_puzzle += 1;
            Some(next)
        })
    }

    /// Gives a lane that has finished its node another one; is there one?
    #[inline(always)]
    fn take_next_node(&mut self, lane: usize, job: &Job<'_, '_>, tallies: &[Tally]) -> bool {
        self.sum_before[lane] = 0;
        self.descending &= !(1 << lane);
        if let Some(node) = self.waiting.pop(lane) {
            put(&mut self.board, lane, |cell| node[cell]);
        } else if let Some(next) = self.next_puzzle(job) {
            match job.puzzles {
                Puzzles::Lines(lines) => {
                    put(&mut self.board, lane, |cell| BITS_OF_BYTE[usize::from(lines[next][cell])])
                }
                Puzzles::Marks(positions) => {
                    put(&mut self.board, lane, |cell| positions[next][cell] & ANY)
                }
            }
            self.puzzle[lane] = next;
            self.descending |= 1 << lane;
        } else {
            // The oldest waiting node stands nearest to the root and so promises most work.
            let other = (0..N).find(|&other| self.waiting.count[other] > 0);
            let Some((other, node)) =
                other.and_then(|other| Some((other, self.waiting.take_oldest(other)?)))
            else {
                self.busy &= !(1 << lane);
                return false;
            };
            self.puzzle[lane] = self.puzzle[other];
            if tallies[self.puzzle[lane]].solutions >= job.limit {
                self.waiting.clear(other);
                self.busy &= !(1 << lane);
                return false;
            }
            put(&mut self.board, lane, |cell| node[cell]);
        }
        self.busy |= 1 << lane;
        true
    }

    #[inline(always)]
    fn count_solution(
        &mut self,
        lane: usize,
        job: &mut Job<'_, '_>,
        tallies: &mut [Tally],
    ) -> ControlFlow<Stop> {
        let puzzle = self.puzzle[lane];
        if tallies[puzzle].solutions >= job.limit {
            self.waiting.clear(lane);
            return ControlFlow::Continue(());
        }
        tallies[puzzle].solutions += 1;
        if tallies[puzzle].solutions >= job.limit {
            self.waiting.clear(lane);
        }
        if let Some(visit) = &mut job.visit {
            visit(
                puzzle,
                &std::array::from_fn(|cell| b'1' + self.board.0[cell][lane].trailing_zeros() as u8),
            )?;
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn copy_to_waiting(&mut self, lane: usize) {
        for (candidates, row) in self.waiting.push(lane).iter_mut().zip(&self.board.0) {
            *candidates = row[lane];
        }
    }

    /// Splits the node of a lane, whose copy waits already, in two: the lane goes on with the smallest digit of the
    /// chosen cell, the copy keeps the cell's other digits. Returns the number of guesses: a lucky lane makes several at once.
    #[inline(always)]
    fn split<V: Vector<N>>(&mut self, lane: usize) -> u64 {
        self.sum_before[lane] = 0;
        let Some(depth) = self.waiting.count[lane].checked_sub(1) else { return 0 };
        let copy = &mut self.waiting.levels[depth][lane];
        let survey = Survey::of::<N, V>(copy);
        let is_descending = self.descending >> lane & 1 == 1;
        if is_descending
            && depth >= LUCKY_DESCENT
            && survey.open.count_ones() <= MOST_OPEN_WHEN_LUCKY
            && survey.with_two != 0
        {
            return self.split_several(lane, depth, survey.with_two);
        }
        let cell = choose::<N, V>(copy, &survey);
        let digit = copy[cell] & copy[cell].wrapping_neg();
        copy[cell] ^= digit;
        self.board.0[cell][lane] = digit;
        1
    }

    /// Several guesses at once, in two-candidate cells that do not see each other and share no digit:
    ///
    /// ```text
    /// the lane goes on with      a  b  c
    /// waits, the newest:         a  b  not c
    /// waits:                     a  not b
    /// waits, the copy:           not a
    /// ```
    #[inline(always)]
    fn split_several(&mut self, lane: usize, depth: usize, with_two: u128) -> u64 {
        let node = self.waiting.levels[depth][lane];
        let mut cells = [0; GUESSES_WHEN_LUCKY];
        let mut guesses = 0;
        let mut left = with_two;
        let mut used = 0;
        while left != 0 && guesses < GUESSES_WHEN_LUCKY {
            let cell = left.trailing_zeros() as usize;
            left &= left - 1;
            if node[cell] & used == 0 {
                used |= node[cell];
                left &= !PEERS[cell];
                cells[guesses] = cell;
                guesses += 1;
            }
        }
        for _ in 1..guesses {
            *self.waiting.push(lane) = node;
        }
        for (guess, &cell) in cells.iter().take(guesses).enumerate() {
            let digit = node[cell] & node[cell].wrapping_neg();
            self.waiting.levels[depth + guess][lane][cell] ^= digit;
            for later in guess + 1..guesses {
                self.waiting.levels[depth + later][lane][cell] = digit;
            }
            self.board.0[cell][lane] = digit;
        }
        guesses as u64
    }
}

#[inline(always)]
fn put<const N: usize>(board: &mut Board<N>, lane: usize, candidates_of: impl Fn(usize) -> Bits) {
    for (cell, row) in board.0.iter_mut().enumerate() {
        row[lane] = candidates_of(cell);
    }
}

/// What a first look at a node finds.
struct Survey {
    /// The cells with two candidates.
    with_two: u128,
    /// The cells with two candidates or more.
    open: u128,
}

impl Survey {
    #[inline(always)]
    fn of<const N: usize, V: Vector<N>>(node: &Node) -> Survey {
        let (mut with_two, mut open) = (0, 0);
        for (part, candidates) in node.as_chunks::<N>().0.iter().enumerate() {
            let candidates = V::load(candidates);
            with_two |= u128::from(candidates.has_two()) << (part * N);
            open |= u128::from(candidates.has_several()) << (part * N);
        }
        Survey { with_two, open }
    }
}

/// The cell to guess in: the most telling one with two candidates, else the first with the fewest.
#[inline(always)]
fn choose<const N: usize, V: Vector<N>>(node: &Node, survey: &Survey) -> usize {
    let with_two = nine::words(survey.with_two);
    let cell = if nine::are_many(&with_two) || survey.open.count_ones() <= FEW_OPEN {
        nine::first_cell(&with_two)
    } else {
        let mut with_digit = [0; 16];
        for (part, candidates) in node.as_chunks::<N>().0.iter().enumerate() {
            let candidates = V::load(candidates);
            for (digit, cells) in with_digit.iter_mut().take(9).enumerate() {
                *cells |= u128::from(candidates.share(V::splat(1 << digit))) << (part * N);
            }
        }
        nine::most_telling(&with_two, &with_digit.map(nine::words), &PEER_SETS, |cell| node[cell])
    };
    cell.unwrap_or_else(|| {
        let open = (0..81).filter(|&cell| node[cell].count_ones() > 1);
        open.min_by_key(|&cell| node[cell].count_ones())
            .expect("a node that is not full has an open cell")
    })
}

#[inline(always)]
fn lanes_in(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if bits == 0 {
            return None;
        }
        let lane = bits.trailing_zeros() as usize;
        bits &= bits - 1;
        Some(lane)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::search::{Solver, backtrack::Backtrack};

    const EASY: Line =
        *b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const HARD: Line =
        *b"8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";

    fn all_by_bands(puzzle: &Line) -> Vec<Line> {
        let mut found = Vec::new();
        let visit = &mut |solution: Grid| {
            found.extend(nine::line(&solution));
            ControlFlow::Continue(())
        };
        crate::search::bands::Bands.search(&nine::grid(puzzle), &Limits::none(), visit).unwrap();
        found
    }

    fn engines() -> impl Iterator<Item = Batch> {
        Engine::available().filter_map(Batch::on)
    }

    #[test]
    fn a_batch_answers_for_each_puzzle_in_its_place() {
        let mut impossible = EASY;
        impossible[2] = b'5';
        let mut few = EASY;
        few[..40].fill(b'.');
        let puzzles: Vec<Line> =
            [EASY, HARD, impossible, few, [b'.'; 81]].into_iter().cycle().take(333).collect();
        for batch in engines() {
            let tallies = batch.count_all(&puzzles, 2);
            for (tally, expected) in tallies.iter().zip([1, 1, 0, 2, 2].into_iter().cycle()) {
                assert_eq!(tally.solutions, expected, "{:?}", batch.engine());
            }
            assert_eq!(tallies[0].guesses, 0);
            assert!(tallies[1].guesses > 0);
        }
    }

    #[test]
    fn engines_walk_the_same_trees() {
        let puzzles: Vec<Line> = [EASY, HARD].into_iter().cycle().take(100).collect();
        let tallies: Vec<_> = engines().map(|batch| batch.count_all(&puzzles, 2)).collect();
        for other in &tallies[1..] {
            assert_eq!(other[..32], tallies[0][..32]);
        }
    }

    #[test]
    fn every_solution_of_a_puzzle_is_handed_over_once() {
        let mut puzzle =
            *b"534678912672195348198342567859761423426853791713924856961537284287419635345286179";
        puzzle[..30].fill(b'.');
        let grid = nine::grid(&puzzle);
        let (expected, _) = Backtrack.count(&grid, u64::MAX, &Limits::none()).unwrap();
        assert!(expected > 1);
        for batch in engines() {
            let mut seen = std::collections::HashSet::new();
            let (tallies, effort) =
                batch.solve_all(&[puzzle], u64::MAX, &Limits::none(), &mut |_, solution| {
                    assert!(seen.insert(*solution), "the same solution twice");
                    ControlFlow::Continue(())
                });
            assert_eq!((seen.len() as u64, tallies[0].solutions), (expected, expected));
            assert_eq!(effort.stop, None);
        }
    }

    #[test]
    fn several_guesses_at_once_lose_no_solution_and_find_none_twice() {
        // Four boxes are nearly empty, so that a lane guesses again and again before anything ends.
        let puzzle =
            *b"8.........95.......76.........426798...571243...893165......916....3.487....1.532";
        let mut expected = 0;
        for line in all_by_bands(&puzzle) {
            assert!(nine::solves(&line, &puzzle));
            expected += 1;
        }
        assert!(expected > 500, "{expected}");
        for batch in engines() {
            let mut seen = std::collections::HashSet::new();
            let (tallies, _) =
                batch.solve_all(&[puzzle], u64::MAX, &Limits::none(), &mut |_, solution| {
                    assert!(seen.insert(*solution), "the same solution twice");
                    ControlFlow::Continue(())
                });
            assert_eq!(
                (seen.len(), tallies[0].solutions),
                (expected, expected as u64),
                "{:?}",
                batch.engine()
            );
        }
    }

    #[test]
    fn counting_goes_on_from_what_is_known() {
        let solution =
            *b"534678912672195348198342567859761423426853791713924856961537284287419635345286179";
        let mut open = nine::marks_of(&EASY);
        let mut struck = open;
        // Without the 5 of r1c1 there is a second solution or there is not; the digit is struck out, so that it is second.
        open[0] = ANY;
        struck[0] = ANY ^ BITS_OF_BYTE[usize::from(solution[0])];
        for batch in engines() {
            let whole = batch.count_all_marks(&[open], 2)[0].solutions;
            let mut tallies = [Tally::new(1, 0), Tally::new(0, 0), Tally::new(1, 0)];
            batch.count_on(&[struck, open, nine::marks_of(&EASY)], 2, &mut tallies);
            assert_eq!(
                tallies.map(|tally| tally.solutions),
                [whole, whole, 2],
                "{:?}",
                batch.engine()
            );
        }
    }

    #[test]
    fn a_limit_on_solutions_is_kept_when_lanes_share_a_puzzle() {
        for batch in engines() {
            let mut seen = 0;
            batch.solve_all(&[[b'.'; 81]], 5, &Limits::none(), &mut |_, _| {
                seen += 1;
                ControlFlow::Continue(())
            });
            assert_eq!(seen, 5);
        }
    }

    #[test]
    fn random_puzzles_get_the_oracles_answer_on_every_engine() {
        let mut random = Random::new(5);
        let solution =
            *b"534678912672195348198342567859761423426853791713924856961537284287419635345286179";
        let mut puzzles = Vec::new();
        for _ in 0..200 {
            let mut puzzle = solution;
            for _ in 0..random.below(60) {
                puzzle[random.below(81)] = b'.';
            }
            if random.chance(0.3) {
                puzzle[random.below(81)] = b'1' + random.below(9) as u8;
            }
            puzzles.push(puzzle);
        }
        let expected: Vec<u64> = puzzles
            .iter()
            .map(|puzzle| Backtrack.count(&nine::grid(puzzle), 3, &Limits::none()).unwrap().0)
            .collect();
        for batch in engines() {
            let counted: Vec<u64> =
                batch.count_all(&puzzles, 3).iter().map(|tally| tally.solutions).collect();
            assert_eq!(counted, expected, "{:?}", batch.engine());
        }
    }

    #[test]
    fn puzzles_that_are_laid_ready_are_those_of_the_list() {
        // Each solution is another one, so that a cell in a wrong lane shows; and whatever is no digit is an empty cell.
        let mut random = Random::new(8);
        let blanks = [b'.', b'0', b':', b'/', b' ', b'x', 0, 255];
        let puzzles: Vec<Line> = (0..200)
            .map(|_| {
                let mut puzzle =
                    nine::line(&crate::generate::full::random(Order::NINE, &mut random)).unwrap();
                (0..30).for_each(|_| puzzle[random.below(81)] = blanks[random.below(8)]);
                puzzle
            })
            .collect();
        for batch in engines() {
            let mut found = vec![Vec::new(); puzzles.len()];
            let (tallies, _) =
                batch.solve_all(&puzzles, 3, &Limits::none(), &mut |puzzle, solution| {
                    found[puzzle].push(*solution);
                    ControlFlow::Continue(())
                });
            for ((puzzle, tally), mut found) in puzzles.iter().zip(&tallies).zip(found) {
                let alone = batch.count_all(&[*puzzle], 3)[0];
                assert_eq!(
                    (tally.solutions, found.len() as u64),
                    (alone.solutions, alone.solutions)
                );
                assert!(found.iter().all(|solution| nine::solves(solution, puzzle)));
                found.dedup();
                assert_eq!(found.len() as u64, tally.solutions, "{:?}", batch.engine());
            }
        }
    }

    #[test]
    fn an_empty_batch_and_a_limit_of_zero_are_done_at_once() {
        assert_eq!(Batch::BEST.count_all(&[], 2), []);
        assert_eq!(Batch::BEST.count_all(&[EASY], 0), [Tally::default()]);
    }
}
