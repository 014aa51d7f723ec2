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
//! puzzles run out, idle lanes take the oldest waiting node of a busy one, so a single hard puzzle uses all lanes too.
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

use super::nine::{self, ANY, BITS_OF_BYTE, Bits, Line, PEER_SETS, PencilMarks, VisitLine};
use super::{Effort, Engine, Limits, Meter, Stop, Visit, Walk};
use crate::grid::{Grid, Order};
use kernel::{Board, SOLVED_SUM, Summary, Vector};
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
        let mut job = Job { puzzles: Puzzles::Lines(puzzles), limit, meter: &mut meter, visit: None };
        self.run(&mut job).0
    }

    /// Counts the solutions of every position, each up to `limit`, that use no other digits than those marked in each cell.
    #[must_use]
    pub fn count_all_marks(&self, positions: &[PencilMarks], limit: u64) -> Vec<Tally> {
        let mut meter = Meter::without_clock();
        self.run(&mut Job { puzzles: Puzzles::Marks(positions), limit, meter: &mut meter, visit: None }).0
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
        if job.limit == 0 {
            return (tallies, ControlFlow::Break(Stop::Enough));
        }
        let end = match self.engine() {
            #[cfg(target_arch = "x86_64")]
            Engine::Avx512 => avx512::run(job, &mut tallies),
            #[cfg(target_arch = "x86_64")]
            Engine::Avx2 => avx2::run(job, &mut tallies),
            _ => None,
        };
        let end = end.unwrap_or_else(|| portable::run(job, &mut tallies));
        (tallies, end)
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

    fn walk(&self, puzzle: &Grid, meter: &mut Meter<'_>, visit: &mut Visit<'_>) -> ControlFlow<Stop> {
        let line = nine::line(puzzle).expect("the caller has asked `takes`");
        self.walk_line(&line, u64::MAX, meter, Some(&mut |solution| visit(nine::grid(solution)))).1
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

/// All lanes and what waits for them.
struct Lanes<const N: usize> {
    board: Board<N>,
    /// The puzzle each lane works at.
    puzzle: [usize; N],
    /// Each lane's sum after the last round; 0 for a lane that got a new node since.
    sum_before: [Bits; N],
    /// The waiting nodes of each lane's puzzle, the oldest first.
    waiting: [Vec<Node>; N],
    /// The lanes that hold a node, as bits.
    busy: u32,
    /// The first puzzle that no lane has begun.
    next_puzzle: usize,
}

#[inline(always)]
fn drive<const N: usize, V: Vector<N>>(job: &mut Job<'_, '_>, tallies: &mut [Tally]) -> ControlFlow<Stop> {
    let mut lanes = Lanes::<N> {
        board: Board([[0; N]; 81]),
        puzzle: [0; N],
        sum_before: [0; N],
        waiting: std::array::from_fn(|_| Vec::new()),
        busy: 0,
        next_puzzle: 0,
    };
    let every_lane = u32::MAX >> (32 - N);
    let mut finished = every_lane;
    loop {
        let mut begun = 0;
        for lane in lanes_in(finished) {
            begun += u64::from(lanes.take_next_node(lane, job, tallies));
        }
        if lanes.busy == 0 {
            return ControlFlow::Continue(());
        }
        let Summary { least, sum } = kernel::round::<N, V>(&mut lanes.board);
        let dead = least.equal(V::splat(0)) & lanes.busy;
        let settled = sum.equal(V::load(&lanes.sum_before)) & lanes.busy & !dead;
        let full = sum.equal(V::splat(SOLVED_SUM)) & settled;
        sum.store(&mut lanes.sum_before);
        if full != 0 {
            for lane in lanes_in(full & kernel::solved_lanes::<N, V>(&lanes.board)) {
                lanes.count_solution(lane, job, tallies)?;
            }
        }
        // All stuck nodes are copied before the first is read as vectors: a vector load that meets its parts still on
        // their way to memory waits for them.
        for lane in lanes_in(settled & !full) {
            lanes.copy_to_waiting(lane);
        }
        for lane in lanes_in(settled & !full) {
            lanes.split::<V>(lane);
            tallies[lanes.puzzle[lane]].guesses += 1;
            begun += 1;
            job.meter.guess();
        }
        job.meter.nodes_done(begun)?;
        finished = dead | full | (every_lane & !lanes.busy);
    }
}

impl<const N: usize> Lanes<N> {
    /// Gives a lane that has finished its node another one; is there one?
    #[inline(always)]
    fn take_next_node(&mut self, lane: usize, job: &Job<'_, '_>, tallies: &[Tally]) -> bool {
        self.sum_before[lane] = 0;
        if let Some(node) = self.waiting[lane].pop() {
            self.put(lane, |cell| node[cell]);
        } else if self.next_puzzle < job.puzzles.len() {
            match job.puzzles {
                Puzzles::Lines(lines) => {
                    let line = &lines[self.next_puzzle];
                    self.put(lane, |cell| BITS_OF_BYTE[usize::from(line[cell])]);
                }
                Puzzles::Marks(positions) => {
                    let marks = &positions[self.next_puzzle];
                    self.put(lane, |cell| marks[cell] & ANY);
                }
            }
            self.puzzle[lane] = self.next_puzzle;
            self.next_puzzle += 1;
        } else if let Some(other) = (0..N).find(|&other| !self.waiting[other].is_empty()) {
            // The oldest waiting node stands nearest to the root and so promises most work.
            let node = self.waiting[other].remove(0);
            self.puzzle[lane] = self.puzzle[other];
            if tallies[self.puzzle[lane]].solutions >= job.limit {
                self.waiting[other].clear();
                self.busy &= !(1 << lane);
                return false;
            }
            self.put(lane, |cell| node[cell]);
        } else {
            self.busy &= !(1 << lane);
            return false;
        }
        self.busy |= 1 << lane;
        true
    }

    #[inline(always)]
    fn put(&mut self, lane: usize, candidates_of: impl Fn(usize) -> Bits) {
        for (cell, row) in self.board.0.iter_mut().enumerate() {
            row[lane] = candidates_of(cell);
        }
    }

    #[inline(always)]
    fn count_solution(&mut self, lane: usize, job: &mut Job<'_, '_>, tallies: &mut [Tally]) -> ControlFlow<Stop> {
        let puzzle = self.puzzle[lane];
        if tallies[puzzle].solutions >= job.limit {
            self.waiting[lane].clear();
            return ControlFlow::Continue(());
        }
        tallies[puzzle].solutions += 1;
        if tallies[puzzle].solutions >= job.limit {
            self.waiting[lane].clear();
        }
        if let Some(visit) = &mut job.visit {
            visit(puzzle, &std::array::from_fn(|cell| b'1' + self.board.0[cell][lane].trailing_zeros() as u8))?;
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn copy_to_waiting(&mut self, lane: usize) {
        let mut node: Node = [0; 96];
        for (candidates, row) in node.iter_mut().zip(&self.board.0) {
            *candidates = row[lane];
        }
        self.waiting[lane].push(node);
    }

    /// Splits the node of a lane, whose copy waits already, in two: the lane goes on with the smallest digit of the
    /// chosen cell, the copy keeps the cell's other digits.
    #[inline(always)]
    fn split<V: Vector<N>>(&mut self, lane: usize) {
        let Some(copy) = self.waiting[lane].last_mut() else { return };
        let cell = choose::<N, V>(copy);
        let digit = copy[cell] & copy[cell].wrapping_neg();
        copy[cell] ^= digit;
        self.board.0[cell][lane] = digit;
        self.sum_before[lane] = 0;
    }
}

/// The cell to guess in: the most telling one with two candidates, else the first with the fewest.
#[inline(always)]
fn choose<const N: usize, V: Vector<N>>(node: &Node) -> usize {
    let mut with_two = 0;
    for (part, candidates) in node.as_chunks::<N>().0.iter().enumerate() {
        with_two |= u128::from(V::load(candidates).has_two()) << (part * N);
    }
    let with_two = nine::words(with_two);
    let with_digit = || {
        let mut with_digit = [0; 16];
        for (part, candidates) in node.as_chunks::<N>().0.iter().enumerate() {
            let candidates = V::load(candidates);
            for (digit, cells) in with_digit.iter_mut().take(9).enumerate() {
                *cells |= u128::from(candidates.share(V::splat(1 << digit))) << (part * N);
            }
        }
        with_digit.map(nine::words)
    };
    nine::most_telling(&with_two, with_digit, &PEER_SETS, |cell| node[cell]).unwrap_or_else(|| {
        let open = (0..81).filter(|&cell| node[cell].count_ones() > 1);
        open.min_by_key(|&cell| node[cell].count_ones()).expect("a node that is not full has an open cell")
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

    const EASY: Line = *b"53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    const HARD: Line = *b"8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";

    fn engines() -> impl Iterator<Item = Batch> {
        Engine::available().filter_map(Batch::on)
    }

    #[test]
    fn a_batch_answers_for_each_puzzle_in_its_place() {
        let mut impossible = EASY;
        impossible[2] = b'5';
        let mut few = EASY;
        few[..40].fill(b'.');
        let puzzles: Vec<Line> = [EASY, HARD, impossible, few, [b'.'; 81]].into_iter().cycle().take(333).collect();
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
        let mut puzzle = *b"534678912672195348198342567859761423426853791713924856961537284287419635345286179";
        puzzle[..30].fill(b'.');
        let grid = nine::grid(&puzzle);
        let (expected, _) = Backtrack.count(&grid, u64::MAX, &Limits::none()).unwrap();
        assert!(expected > 1);
        for batch in engines() {
            let mut seen = std::collections::HashSet::new();
            let (tallies, effort) = batch.solve_all(&[puzzle], u64::MAX, &Limits::none(), &mut |_, solution| {
                assert!(seen.insert(*solution), "the same solution twice");
                ControlFlow::Continue(())
            });
            assert_eq!((seen.len() as u64, tallies[0].solutions), (expected, expected));
            assert_eq!(effort.stop, None);
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
        let solution = *b"534678912672195348198342567859761423426853791713924856961537284287419635345286179";
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
        let expected: Vec<u64> =
            puzzles.iter().map(|puzzle| Backtrack.count(&nine::grid(puzzle), 3, &Limits::none()).unwrap().0).collect();
        for batch in engines() {
            let counted: Vec<u64> = batch.count_all(&puzzles, 3).iter().map(|tally| tally.solutions).collect();
            assert_eq!(counted, expected, "{:?}", batch.engine());
        }
    }

    #[test]
    fn an_empty_batch_and_a_limit_of_zero_are_done_at_once() {
        assert_eq!(Batch::BEST.count_all(&[], 2), []);
        assert_eq!(Batch::BEST.count_all(&[EASY], 0), [Tally::default()]);
    }
}
