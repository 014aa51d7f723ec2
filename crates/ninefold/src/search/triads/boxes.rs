//! The board of `triads` for vectors of less than 512 bits: nine vectors with a lane for each box.
//!
//! Vector `3 · row + column` contains the cells in that row and column *of their box*, one for each
//! of the nine boxes:
//!
//! ```text
//!   vector 0:  r1c1 r1c4 r1c7   r4c1 r4c4 r4c7   r7c1 r7c4 r7c7     top left cell of each box
//!   vector 1:  r1c2 r1c5 r1c8   r4c2 r4c5 r4c8   r7c2 r7c5 r7c8     its right neighbour
//!   …
//!   vector 8:  r3c3 r3c6 r3c9   r6c3 r6c6 r6c9   r9c3 r9c6 r9c9     bottom right cell
//! ```
//!
//! Operations inside a box work on all nine boxes at once and need no shuffle: the OR of vectors 0,
//! 1 and 2 is the upper row triad of every box, the OR of vectors 0, 3 and 6 its left column triad.
//! Only the six permutations of a band need the next box and the one after it, those of a stack the
//! next band and the one after it. That is twelve short shuffles per round. (The layout of
//! `avx512.rs` has fewer and longer vectors but needs shuffles over their full length, which other
//! CPUs do not have.)
//!
//! Lanes beyond the ninth repeat others (see [`Boxes`]), so no masks are needed.
//!
//! Safety: the only unsafe item is the implementation of [`Node`], whose `split` initializes the
//! slot for the waiting node.

use super::super::batch::Tally;
use super::super::nine::{BITS_OF_BYTE, Bits, Line, VisitLine};
use super::super::{Meter, StopReason};
use super::walk::{Node, Settled};
use super::{Start, walk};
use std::mem::MaybeUninit;
use std::ops::ControlFlow;

/// A set of digits for each of the nine boxes. All operations work box by box.
///
/// Engines may contain some boxes several times if all copies are equal; `sixteen.rs` shows why.
/// Only the constructors need a proof of the CPU's features: a vector exists only where they are
/// available.
pub(super) trait Boxes: Copy {
    /// Proves that the CPU supports the instructions of this vector.
    type Features: Copy;
    /// Whether to search for triples that fill a triad. Without them a round finds less but is
    /// cheaper.
    const LOOKS_FOR_TRIPLES: bool;

    /// The vector of these sets, in the order of the boxes.
    fn from_sets(features: Self::Features, sets: [Bits; 9]) -> Self;
    /// The sets in the order of the boxes.
    fn sets(self) -> [Bits; 9];
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    /// `self & !other`.
    fn without(self, other: Self) -> Self;
    /// The set without its smallest digit.
    fn without_smallest(self) -> Self;
    /// The set where `other` is empty, the empty set elsewhere.
    fn where_empty(self, other: Self) -> Self;
    /// The sets of the next box of the band, and of the one after it.
    fn next_boxes(self) -> [Self; 2];
    /// The sets of the same box in the next band, and in the one after it.
    fn next_bands(self) -> [Self; 2];
    /// Whether all sets are empty.
    fn is_zero(self) -> bool;
    /// Whether one of the vectors contains an empty set.
    fn some_empty(board: &[Self; 9]) -> bool;
    /// Chooses the cell to guess: the most constraining one with two candidates, otherwise one with
    /// the fewest. Returns the index of its vector, and a mask with all digits in its box and none
    /// in the others. `rest` is the board without the smallest digit of each cell.
    fn choose(few_open: u32, board: &[Self; 9], rest: &[Self; 9]) -> (usize, Self);

    /// The board of a puzzle.
    #[inline(always)]
    fn read(features: Self::Features, puzzle: &Line) -> [Self; 9] {
        from_cells(features, |cell| BITS_OF_BYTE[usize::from(puzzle[cell])])
    }
}

/// Visits the solutions of a puzzle, up to `limit` of them.
#[inline(always)]
pub(super) fn walk<B: Boxes>(
    features: B::Features,
    start: Start<'_>,
    limit: u64,
    meter: &mut Meter<'_>,
    visit: Option<&mut VisitLine<'_>>,
) -> (Tally, ControlFlow<StopReason>) {
    let mut tally = Tally::default();
    let end = walk::walk(Board::<B>::new(features, start), limit, &mut tally, meter, visit);
    (tally, end)
}

/// The board in which each cell, numbered in reading order, has these candidates.
#[inline(always)]
fn from_cells<B: Boxes>(features: B::Features, candidates_of: impl Fn(usize) -> Bits) -> [B; 9] {
    std::array::from_fn(|place| {
        B::from_sets(features, std::array::from_fn(|number| candidates_of(cell_at(place, number))))
    })
}

/// The cell at this place of this box. All are counted from 0 in reading order.
const fn cell_at(place: usize, number: usize) -> usize {
    (number / 3 * 3 + place / 3) * 9 + number % 3 * 3 + place % 3
}

/// The place inside its box and the box of a cell.
pub(super) const fn place_and_box(cell: usize) -> (usize, usize) {
    let (row, column) = (cell / 9, cell % 9);
    (row % 3 * 3 + column % 3, row / 3 * 3 + column / 3)
}

/// The vector and the box of the first cell with the fewest candidates of those with more than one.
#[cold]
pub(super) fn with_fewest<B: Boxes>(board: &[B; 9]) -> (usize, usize) {
    let sets = board.map(B::sets);
    let cells = (0..81).map(|cell| (cell / 9, cell % 9));
    let count = |(vector, number): (usize, usize)| sets[vector][number].count_ones();
    let open = cells.filter(|&cell| count(cell) > 1);
    open.min_by_key(|&cell| count(cell)).expect("a node that is not solved has an open cell")
}

/// The candidates of all cells.
#[derive(Clone, Copy)]
struct Board<B>([B; 9]);

impl<B: Boxes> Board<B> {
    /// The board at the start of a search.
    #[inline(always)]
    fn new(features: B::Features, start: Start<'_>) -> Board<B> {
        match start {
            Start::Line(puzzle) => Board(B::read(features, puzzle)),
            Start::PencilMarks(marks) => Board(from_cells(features, |cell| marks[cell])),
        }
    }
}

// SAFETY: `split` fills `waiting` with `MaybeUninit::write`.
#[allow(unsafe_code)]
unsafe impl<B: Boxes> Node for Board<B> {
    /// The board without the smallest digit of each cell.
    type Hint = [B; 9];

    #[inline(always)]
    fn settle(&mut self) -> Settled<[B; 9]> {
        loop {
            let before = self.0;
            self.0 = round(before);
            if B::some_empty(&self.0) {
                return Settled::Dead;
            }
            let mut changed = before[0].xor(self.0[0]);
            for (was, is) in before.iter().zip(&self.0).skip(1) {
                changed = changed.or(was.xor(*is));
            }
            if changed.is_zero() {
                break;
            }
        }
        let mut rest = self.0;
        let mut any = self.0[0].xor(self.0[0]);
        for rest in &mut rest {
            *rest = rest.without_smallest();
            any = any.or(*rest);
        }
        if any.is_zero() { Settled::Solved } else { Settled::Open(rest) }
    }

    #[inline(always)]
    fn split<'w>(
        &mut self,
        few_open: u32,
        rest: [B; 9],
        waiting: &'w mut MaybeUninit<Self>,
    ) -> &'w mut Self {
        let (place, here) = B::choose(few_open, &self.0, &rest);
        let (all, others) = (self.0[place], rest[place].and(here));
        // `here` masks the chosen cell, `others` are its digits except the smallest.
        let smallest = all.and(here).xor(others);
        let waiting = waiting.write(self.copied());
        waiting.0[place] = all.xor(smallest);
        self.0[place] = all.xor(others);
        waiting
    }

    #[inline(always)]
    fn copied(&self) -> Self {
        let [a, b, c, d, e, f, g, h, i] = &self.0;
        Board([*a, *b, *c, *d, *e, *f, *g, *h, *i])
    }

    fn write(&self) -> Line {
        let sets = self.0.map(B::sets);
        std::array::from_fn(|cell| {
            let (place, number) = place_and_box(cell);
            b'1' + sets[place][number].trailing_zeros() as u8
        })
    }
}

/// Applies every rule once to the whole board; `batch/kernel.rs` states the rules in plain words.
#[inline(always)]
fn round<B: Boxes>(cells: [B; 9]) -> [B; 9] {
    let mut cells = cells;
    // Rows. A single digit is removed from the other rows of its box and the other cells of its
    // triad.
    let mut fixed = cells;
    for place in 0..9 {
        fixed[place] = cells[place].where_empty(cells[place].without_smallest());
    }
    let triad = |vectors: &[B; 9], row: usize| {
        or3(vectors[3 * row], vectors[3 * row + 1], vectors[3 * row + 2])
    };
    let possible = [triad(&cells, 0), triad(&cells, 1), triad(&cells, 2)];
    let taken = [triad(&fixed, 0), triad(&fixed, 1), triad(&fixed, 2)];
    // A digit that is single in one row of the box is excluded from the other two.
    let possible = [
        possible[0].without(taken[1].or(taken[2])),
        possible[1].without(taken[2].or(taken[0])),
        possible[2].without(taken[0].or(taken[1])),
    ];
    let [due, keep] = due_and_kept(possible, possible.map(B::next_boxes));
    let mut single_in_row_triad = due;
    for row in 0..3 {
        let [a, b, c] = [3 * row, 3 * row + 1, 3 * row + 2];
        let (fixed_a, fixed_b, fixed_c) = (fixed[a], fixed[b], fixed[c]);
        cells[a] = cells[a].and(keep[row]).without(fixed_b.or(fixed_c));
        cells[b] = cells[b].and(keep[row]).without(fixed_a.or(fixed_c));
        cells[c] = cells[c].and(keep[row]).without(fixed_a.or(fixed_b));
        // A due digit with one place in the triad is a hidden single; it is applied with the
        // columns below.
        single_in_row_triad[row] = due[row].and(exactly_one(cells[a], cells[b], cells[c]));
    }
    // Columns.
    let triad = |column: usize| or3(cells[column], cells[column + 3], cells[column + 6]);
    let possible = [triad(0), triad(1), triad(2)];
    let [due, keep] = due_and_kept(possible, possible.map(B::next_bands));
    for column in 0..3 {
        let [a, b, c] = [column, column + 3, column + 6];
        let single_in_column_triad = due[column].and(exactly_one(cells[a], cells[b], cells[c]));
        for row in 0..3 {
            let kept = cells[3 * row + column].and(keep[column]);
            // A cell with a hidden single keeps only that digit, every other cell keeps its
            // candidates.
            let single = kept.and(single_in_row_triad[row].or(single_in_column_triad));
            cells[3 * row + column] = single.or(kept.where_empty(single));
        }
    }
    cells
}

/// For the three lines of every box: the digits due in the triad of the line, and those that may
/// stay there.
///
/// A digit takes one triad of each line and one of each box, which leaves six permutations: three
/// in which the box index increases with the line index, and three in which it decreases. Triads
/// that no permutation uses are removed. A digit with one line left in its box is due there, and
/// that triad is also the only one left in its line. Three due digits fill the triad. More than
/// three are a contradiction, which a later round detects.
#[inline(always)]
fn due_and_kept<B: Boxes>(lines: [B; 3], others: [[B; 2]; 3]) -> [[B; 3]; 2] {
    let mut allowed = lines;
    for line in 0..3 {
        let ([next, after], [last, before]) = (others[(line + 1) % 3], others[(line + 2) % 3]);
        allowed[line] = lines[line].and(next.and(before).or(after.and(last)));
    }
    let (mut due, mut keep) = (allowed, allowed);
    for line in 0..3 {
        due[line] = allowed[line].without(allowed[(line + 1) % 3].or(allowed[(line + 2) % 3]));
        if B::LOOKS_FOR_TRIPLES {
            let third = due[line].without_smallest().without_smallest();
            keep[line] = due[line].or(allowed[line].where_empty(third));
        }
    }
    [due, keep]
}

#[inline(always)]
fn or3<B: Boxes>(a: B, b: B, c: B) -> B {
    a.or(b).or(c)
}

/// Digits in exactly one of the three sets: in an odd number of them, but not in all.
#[inline(always)]
fn exactly_one<B: Boxes>(a: B, b: B, c: B) -> B {
    a.xor(b).xor(c).without(a.and(b).and(c))
}
