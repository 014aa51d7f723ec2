//! The batch solver for 9×9: many search nodes side by side in the lanes of a vector register.
//!
//! Every lane contains one node of the search tree of some puzzle. A round of propagation processes
//! all lanes at once (see `kernel.rs`). Then the lanes whose node is finished are handled one by
//! one. In outline:
//!
//! ```text
//! repeat until no lane is busy:
//!     one round for all lanes
//!     a lane with a cell without candidates:       dead; take the next node
//!     a lane that no longer changes and is full:   count a solution; take the next node
//!     a lane that no longer changes otherwise:     guess: continue with one digit of a two-candidate cell
//!                                                  and push the other digit onto the stack of the lane
//! the next node of a lane: from its own stack, else a new puzzle, else the oldest node of another lane
//! ```
//!
//! What makes it fast: a round has no shuffles and no branches, and lanes never wait for each
//! other. Each lane searches its puzzle depth first with its own stack, so it leaves a puzzle as
//! soon as enough solutions are counted. When there are no more puzzles, idle lanes take the oldest
//! pending node of a busy lane, so a single hard puzzle uses all lanes too. With AVX-512, puzzles
//! are prefetched for lanes that start at the same time (`prefetch.rs`).
//!
//! Puzzles with many solutions have hardly any dead ends, so the choice of the cell does not matter
//! there, and two or three guesses at once cost one round of propagation instead of two or three. A
//! lane assumes such a puzzle while it has not reached any dead end or solution; the code calls it
//! lucky.
//!
//! Three vector types share this code: 32 lanes (AVX-512), 16 lanes (AVX2) and 8 lanes (every other
//! [`Engine`]; compilers vectorize the plain loops for ARM and WebAssembly). They visit the same
//! search trees and differ only in speed.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod kernel;
mod portable;
mod prefetch;
#[cfg(test)]
mod tests;

use super::nine::{
    self, ANY, BITS_OF_BYTE, Bits, LUCKY_DESCENT, Line, PEER_SETS, PEERS, PencilMarks, VisitLine,
};
use super::{Effort, Engine, Limits, Meter, StopReason, Visit, Walk};
use crate::grid::{Grid, Order};
use kernel::{Board, SOLVED_SUM, Summary, Vector};
use prefetch::Prefetched;
use std::ops::ControlFlow;

/// The batch solver.
#[derive(Clone, Copy, Debug, Default)]
pub struct Batch {
    engine: Option<Engine>,
}

/// The number of solutions and guesses of one puzzle.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of solutions, up to the limit.
    pub solutions: u64,
    /// The number of guesses.
    pub guesses: u64,
}

impl Tally {
    /// A tally with these numbers.
    #[must_use]
    pub const fn new(solutions: u64, guesses: u64) -> Tally {
        Tally { solutions, guesses }
    }
}

impl Batch {
    /// The batch solver on the engine that [`Engine::best`] returns when it runs.
    pub const BEST: Batch = Batch { engine: None };

    /// The batch solver on this engine; `None` if the CPU does not support it.
    #[must_use]
    pub fn with_engine(engine: Engine) -> Option<Batch> {
        engine.is_available().then_some(Batch { engine: Some(engine) })
    }

    /// The engine that the solver uses.
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

    /// Continues to count, up to `limit`, from the numbers in `tallies`. The positions must exclude
    /// the solutions that are already counted.
    ///
    /// # Panics
    /// If `positions` and `tallies` have different lengths.
    pub(crate) fn count_more(&self, positions: &[PencilMarks], limit: u64, tallies: &mut [Tally]) {
        assert_eq!(positions.len(), tallies.len(), "expected one tally per position");
        let mut meter = Meter::without_clock();
        let mut job =
            Job { puzzles: Puzzles::Marks(positions), limit, meter: &mut meter, visit: None };
        let _ = self.run_on(&mut job, tallies);
    }

    /// Counts the solutions of every position with these candidates, each up to `limit`.
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

    /// Passes the first `limit` solutions of every puzzle to `visit`, with the index of the puzzle.
    /// Solutions of different puzzles come in any order. Each solution has been checked against the
    /// rules and the clues.
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
                ControlFlow::Break(()) => ControlFlow::Break(StopReason::Enough),
            }
        };
        let puzzles = Puzzles::Lines(puzzles);
        let mut job = Job { puzzles, limit, meter: &mut meter, visit: Some(&mut checked) };
        let (tallies, end) = self.run(&mut job);
        (tallies, meter.finish(end))
    }

    /// Visits the solutions of one puzzle, up to `limit` of them.
    pub(super) fn walk_line(
        &self,
        puzzle: &Line,
        limit: u64,
        meter: &mut Meter<'_>,
        visit: Option<&mut VisitLine<'_>>,
    ) -> (Tally, ControlFlow<StopReason>) {
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

    fn run(&self, job: &mut Job<'_, '_>) -> (Vec<Tally>, ControlFlow<StopReason>) {
        let mut tallies = vec![Tally::default(); job.puzzles.len()];
        let end = self.run_on(job, &mut tallies);
        (tallies, end)
    }

    fn run_on(&self, job: &mut Job<'_, '_>, tallies: &mut [Tally]) -> ControlFlow<StopReason> {
        if job.limit == 0 {
            return ControlFlow::Break(StopReason::Enough);
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
        "many search nodes in the lanes of a vector register; for long lists of 9×9 puzzles"
    }

    fn supports(&self, order: Order) -> bool {
        order == Order::NINE
    }

    fn walk(
        &self,
        puzzle: &Grid,
        meter: &mut Meter<'_>,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<StopReason> {
        let line = nine::line(puzzle).expect("the caller checked `supports`");
        self.walk_line(&line, u64::MAX, meter, Some(&mut |solution| visit(nine::grid(solution)))).1
    }

    fn walk_lines(
        &self,
        puzzle: &Line,
        meter: &mut Meter<'_>,
        visit: &mut VisitLine<'_>,
    ) -> Option<ControlFlow<StopReason>> {
        Some(self.walk_line(puzzle, u64::MAX, meter, Some(visit)).1)
    }
}

/// The input of a batch.
struct Job<'a, 'm> {
    puzzles: Puzzles<'a>,
    /// The maximum number of solutions per puzzle.
    limit: u64,
    meter: &'a mut Meter<'m>,
    /// Called with each solution, if the caller needs more than counts.
    visit: Option<&'a mut VisitSolution<'a>>,
}

/// Puzzles as clues or as candidates.
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

type VisitSolution<'a> = dyn FnMut(usize, &Line) -> ControlFlow<StopReason> + 'a;

/// The 81 candidate sets of one node, padded with empty sets to a multiple of the vector length.
type Node = [Bits; 96];

/// A node with at most this many open cells is nearly solved, so the first two-candidate cell is
/// chosen. Guesses per puzzle without and with this bound: many solutions 7.05 and 7.09, random
/// minimal 0.95 and 0.97, forum 11+ 74.5 and 75.5; and comparing cells costs as much as one to
/// three rounds. (With a bound of 32: 7.10, 1.00 and 76.)
const FEW_OPEN: u32 = 24;

/// A lucky lane with at most this many open cells makes several guesses at once. Without a bound,
/// the lists of hard puzzles with one solution need 1 to 2 % more rounds; with it, less than 1 %.
const MOST_OPEN_WHEN_LUCKY: u32 = 44;

/// The maximum number of simultaneous guesses of a lucky lane. Lists with many solutions need 28.9
/// rounds per puzzle with one, 25.5 with two, 24.8 with four.
const GUESSES_WHEN_LUCKY: usize = 4;

/// The stack of pending nodes of each lane: `levels[depth][lane]`, the oldest first.
///
/// Nodes are written in place. Building a node elsewhere and moving it would read it as vectors
/// right after its parts were written, which stalls (failed store forwarding). Levels are never
/// freed, so that they can be reused.
struct Waiting<const N: usize> {
    levels: Vec<[Node; N]>,
    /// The number of pending nodes of each lane.
    count: [usize; N],
}

impl<const N: usize> Waiting<N> {
    const fn new() -> Waiting<N> {
        Waiting { levels: Vec::new(), count: [0; N] }
    }

    /// Pushes a node of this lane, which the caller writes. The padding after the last cell stays
    /// empty.
    #[inline(always)]
    fn push(&mut self, lane: usize) -> &mut Node {
        let depth = self.count[lane];
        if depth == self.levels.len() {
            self.levels.push([[0; 96]; N]);
        }
        self.count[lane] = depth + 1;
        &mut self.levels[depth][lane]
    }

    /// Pops the newest node of a lane. It can be read until the next one is pushed.
    #[inline(always)]
    fn pop(&mut self, lane: usize) -> Option<&Node> {
        self.count[lane] = self.count[lane].checked_sub(1)?;
        Some(&self.levels[self.count[lane]][lane])
    }

    /// Removes the oldest node of a lane.
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

/// All lanes with their pending nodes.
struct Lanes<const N: usize> {
    board: Board<N>,
    /// The puzzle of each lane.
    puzzle: [usize; N],
    /// The sum of each lane after the last round; 0 for a lane with a new node.
    sum_before: [Bits; N],
    waiting: Waiting<N>,
    /// The lanes that contain a node, as bits.
    busy: u32,
    /// The lanes that have not reached a dead end or a solution since the root of their puzzle, as
    /// bits.
    descending: u32,
    prefetched: Prefetched<N>,
    /// The first puzzle that is neither started nor prefetched.
    next_puzzle: usize,
}

#[inline(always)]
fn drive<const N: usize, V: Vector<N>>(
    features: V::Features,
    job: &mut Job<'_, '_>,
    tallies: &mut [Tally],
) -> ControlFlow<StopReason> {
    let mut lanes = Lanes::<N> {
        board: Board([[0; N]; 81]),
        puzzle: [0; N],
        sum_before: [0; N],
        waiting: Waiting::new(),
        busy: 0,
        descending: 0,
        prefetched: Prefetched::empty(),
        next_puzzle: 0,
    };
    let every_lane = u32::MAX >> (32 - N);
    let mut finished = every_lane;
    loop {
        let mut begun = 0;
        if V::PREFETCHES
            && let Puzzles::Lines(lines) = job.puzzles
        {
            let together = lanes.start_together::<V>(features, finished, lines);
            begun += u64::from(together.count_ones());
            finished &= !together;
        }
        for lane in lanes_in(finished) {
            begun += u64::from(lanes.take_next_node(lane, job, tallies));
        }
        if lanes.busy == 0 {
            return ControlFlow::Continue(());
        }
        let Summary { least, sum } = kernel::round::<N, V>(features, &mut lanes.board);
        let dead = least.equal(V::splat(features, 0)) & lanes.busy;
        let settled = sum.equal(V::load(features, &lanes.sum_before)) & lanes.busy & !dead;
        // The sum detects a full board one round before it stops changing. Other boards with the
        // same sum just continue.
        let full = sum.equal(V::splat(features, SOLVED_SUM)) & lanes.busy & !dead;
        let mut solved = 0;
        sum.store(&mut lanes.sum_before);
        if full != 0 {
            solved = full & kernel::solved_lanes::<N, V>(features, &lanes.board);
            for lane in lanes_in(solved) {
                lanes.count_solution(lane, job, tallies)?;
            }
        }
        // All stuck nodes are copied before the first one is read as vectors. A vector load right
        // after the writes of its parts would stall.
        for lane in lanes_in(settled & !full) {
            lanes.copy_to_waiting(lane);
        }
        for lane in lanes_in(settled & !full) {
            let guesses = lanes.split::<V>(features, lane);
            tallies[lanes.puzzle[lane]].guesses += guesses;
            begun += 1;
            job.meter.guesses_done(guesses);
        }
        job.meter.nodes_done(begun)?;
        finished = dead | solved | (full & settled) | (every_lane & !lanes.busy);
    }
}

impl<const N: usize> Lanes<N> {
    /// Takes the next puzzle that has not been started.
    #[inline(always)]
    fn next_puzzle(&mut self, job: &Job<'_, '_>) -> Option<usize> {
        self.prefetched.take().or_else(|| {
            let next = (self.next_puzzle < job.puzzles.len()).then_some(self.next_puzzle)?;
            self.next_puzzle += 1;
            Some(next)
        })
    }

    /// Gives a finished lane its next node. Returns false if there is none.
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
            // The oldest pending node is closest to the root, so it probably contains most work.
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
    ) -> ControlFlow<StopReason> {
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

    /// Splits the node of a lane, which has already been copied to its stack. The lane keeps the
    /// smallest digit of the chosen cell, the copy the other digits of that cell. Returns the
    /// number of guesses, because a lucky lane makes several at once.
    #[inline(always)]
    fn split<V: Vector<N>>(&mut self, features: V::Features, lane: usize) -> u64 {
        self.sum_before[lane] = 0;
        let Some(depth) = self.waiting.count[lane].checked_sub(1) else { return 0 };
        let copy = &mut self.waiting.levels[depth][lane];
        let survey = Survey::new::<N, V>(features, copy);
        let is_descending = self.descending >> lane & 1 == 1;
        if is_descending
            && depth >= LUCKY_DESCENT
            && survey.open.count_ones() <= MOST_OPEN_WHEN_LUCKY
            && survey.with_two != 0
        {
            return self.split_several(lane, depth, survey.with_two);
        }
        let cell = choose::<N, V>(features, copy, &survey);
        let digit = copy[cell] & copy[cell].wrapping_neg();
        copy[cell] ^= digit;
        self.board.0[cell][lane] = digit;
        1
    }

    /// Makes several guesses at once, in two-candidate cells that do not see each other and share
    /// no digit:
    ///
    /// ```text
    /// the lane                   a  b  c
    /// newest pending node        a  b  not c
    /// next                       a  not b
    /// oldest (the copy)          not a
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

/// The open cells of a node.
struct Survey {
    /// The cells with two candidates.
    with_two: u128,
    /// The cells with at least two candidates.
    open: u128,
}

impl Survey {
    #[inline(always)]
    fn new<const N: usize, V: Vector<N>>(features: V::Features, node: &Node) -> Survey {
        let (mut with_two, mut open) = (0, 0);
        for (part, candidates) in node.as_chunks::<N>().0.iter().enumerate() {
            let candidates = V::load(features, candidates);
            with_two |= u128::from(candidates.has_two()) << (part * N);
            open |= u128::from(candidates.has_several()) << (part * N);
        }
        Survey { with_two, open }
    }
}

/// Chooses the cell to guess: the most constraining one with two candidates, otherwise the first
/// with the fewest.
#[inline(always)]
fn choose<const N: usize, V: Vector<N>>(
    features: V::Features,
    node: &Node,
    survey: &Survey,
) -> usize {
    let with_two = nine::words(survey.with_two);
    let cell = if nine::are_many(&with_two) || survey.open.count_ones() <= FEW_OPEN {
        nine::first_cell(&with_two)
    } else {
        let mut with_digit = [0; 16];
        for (part, candidates) in node.as_chunks::<N>().0.iter().enumerate() {
            let candidates = V::load(features, candidates);
            for (digit, cells) in with_digit.iter_mut().take(9).enumerate() {
                *cells |=
                    u128::from(candidates.share(V::splat(features, 1 << digit))) << (part * N);
            }
        }
        nine::most_constraining(&with_two, &with_digit.map(nine::words), &PEER_SETS, |cell| {
            node[cell]
        })
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
