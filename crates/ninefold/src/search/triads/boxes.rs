//! The board of `triads` for vectors of less than 512 bits: nine of them, and a lane for each box.
//!
//! Vector `3 · row + column` holds the cells that stand in that row and column *of their box*, one for each of the nine
//! boxes:
//!
//! ```text
//!   vector 0:  r1c1 r1c4 r1c7   r4c1 r4c4 r4c7   r7c1 r7c4 r7c7     top left cell of each box
//!   vector 1:  r1c2 r1c5 r1c8   r4c2 r4c5 r4c8   r7c2 r7c5 r7c8     its right neighbour
//!   …
//!   vector 8:  r3c3 r3c6 r3c9   r6c3 r6c6 r6c9   r9c3 r9c6 r9c9     bottom right cell
//! ```
//!
//! Whatever happens inside a box happens in all nine at once and needs no shuffle: the OR of vectors 0, 1 and 2 is the
//! upper row triad of every box, the OR of vectors 0, 3 and 6 its left column triad. Only the six permutations of a band
//! ask for the next box and the one after it, those of a stack for the next band and the one after it: twelve shuffles a
//! round, all short ones. (The layout of `avx512.rs` has fewer and longer vectors, and needs shuffles over their full
//! length, which smaller processors do not have.)
//!
//! Lanes beyond the ninth repeat others, see [`Boxes`], so nothing has to be masked out.

use super::super::batch::Tally;
use super::super::nine::{BITS_OF_BYTE, Bits, Line, VisitLine};
use super::super::{Meter, Stop};
use super::walk::{Node, Settled};
use super::{Start, walk};
use std::mem::MaybeUninit;
use std::ops::ControlFlow;

/// A set of digits for each of the nine boxes. All operations work box by box.
///
/// Engines may hold some boxes several times, as long as all copies are equal; `sixteen.rs` shows what for.
pub(super) trait Boxes: Copy {
    /// Are triples that fill a triad worth looking for? Without them a round finds less and costs less.
    const LOOKS_FOR_TRIPLES: bool;

    /// The sets of boxes 1 to 9.
    fn from_sets(sets: [Bits; 9]) -> Self;
    /// The sets of boxes 1 to 9.
    fn sets(self) -> [Bits; 9];
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    /// In `self` and not in `other`.
    fn without(self, other: Self) -> Self;
    /// The set without its smallest digit.
    fn without_smallest(self) -> Self;
    /// The set where `other` is empty, the empty set elsewhere.
    fn where_empty(self, other: Self) -> Self;
    /// The sets of the next box of the band, and of the one after it.
    fn next_boxes(self) -> [Self; 2];
    /// The sets of the same box in the next band, and in the one after it.
    fn next_bands(self) -> [Self; 2];
    /// Has every box the empty set?
    fn is_nothing(self) -> bool;
    /// Has some box the empty set in one of the vectors?
    fn some_empty(board: &[Self; 9]) -> bool;
    /// The cell to guess in: the most telling one with two candidates, else one with the fewest. It is named by its
    /// vector and by its box, which has every digit where the others have none. `rest` is the board without the
    /// smallest digit of each cell.
    fn choose(few_open: u32, board: &[Self; 9], rest: &[Self; 9]) -> (usize, Self);

    /// The board of a puzzle.
    #[inline(always)]
    fn read(puzzle: &Line) -> [Self; 9] {
        from_cells(|cell| BITS_OF_BYTE[usize::from(puzzle[cell])])
    }
}

/// Walks through the solutions of a puzzle, up to `limit` of them.
#[inline(always)]
pub(super) fn walk<B: Boxes>(
    start: Start<'_>,
    limit: u64,
    meter: &mut Meter<'_>,
    visit: Option<&mut VisitLine<'_>>,
) -> (Tally, ControlFlow<Stop>) {
    let mut tally = Tally::default();
    let end = walk::walk(Board::<B>::of(start), limit, &mut tally, meter, visit);
    (tally, end)
}

/// The board in which each cell, numbered in reading order, has these candidates.
#[inline(always)]
fn from_cells<B: Boxes>(candidates_of: impl Fn(usize) -> Bits) -> [B; 9] {
    std::array::from_fn(|place| {
        B::from_sets(std::array::from_fn(|number| candidates_of(cell_at(place, number))))
    })
}

/// The cell in reading order at this place of this box, both counted from 0 in reading order.
const fn cell_at(place: usize, number: usize) -> usize {
    (number / 3 * 3 + place / 3) * 9 + number % 3 * 3 + place % 3
}

/// For each cell in reading order its place and its box.
pub(super) const fn place_and_box(cell: usize) -> (usize, usize) {
    let (row, column) = (cell / 9, cell % 9);
    (row % 3 * 3 + column % 3, row / 3 * 3 + column / 3)
}

/// The first cell with the fewest candidates of those with more than one: its vector and its box.
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
    fn of(start: Start<'_>) -> Board<B> {
        match start {
            Start::Line(puzzle) => Board(B::read(puzzle)),
            Start::PencilMarks(marks) => Board(from_cells(|cell| marks[cell])),
        }
    }
}

impl<B: Boxes> Node for Board<B> {
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
            if changed.is_nothing() {
                break;
            }
        }
        let mut rest = self.0;
        let mut any = self.0[0].xor(self.0[0]);
        for rest in &mut rest {
            *rest = rest.without_smallest();
            any = any.or(*rest);
        }
        if any.is_nothing() { Settled::Solved } else { Settled::Open(rest) }
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
    // Rows. A fixed digit leaves the other rows of its box and its mates in the triad.
    let mut fixed = cells;
    for place in 0..9 {
        fixed[place] = cells[place].where_empty(cells[place].without_smallest());
    }
    let triad = |vectors: &[B; 9], row: usize| {
        or3(vectors[3 * row], vectors[3 * row + 1], vectors[3 * row + 2])
    };
    let possible = [triad(&cells, 0), triad(&cells, 1), triad(&cells, 2)];
    let settled = [triad(&fixed, 0), triad(&fixed, 1), triad(&fixed, 2)];
    let possible = [
        possible[0].without(settled[1].or(settled[2])),
        possible[1].without(settled[2].or(settled[0])),
        possible[2].without(settled[0].or(settled[1])),
    ];
    let [due, keep] = due_and_keep(possible, possible.map(B::next_boxes));
    let mut single_in_row_triad = due;
    for row in 0..3 {
        let [a, b, c] = [3 * row, 3 * row + 1, 3 * row + 2];
        let (fixed_a, fixed_b, fixed_c) = (fixed[a], fixed[b], fixed[c]);
        cells[a] = cells[a].and(keep[row]).without(fixed_b.or(fixed_c));
        cells[b] = cells[b].and(keep[row]).without(fixed_a.or(fixed_c));
        cells[c] = cells[c].and(keep[row]).without(fixed_a.or(fixed_b));
        single_in_row_triad[row] = due[row].and(exactly_one(cells[a], cells[b], cells[c]));
    }
    // Columns.
    let triad = |column: usize| or3(cells[column], cells[column + 3], cells[column + 6]);
    let possible = [triad(0), triad(1), triad(2)];
    let [due, keep] = due_and_keep(possible, possible.map(B::next_bands));
    for column in 0..3 {
        let [a, b, c] = [column, column + 3, column + 6];
        let single_in_column_triad = due[column].and(exactly_one(cells[a], cells[b], cells[c]));
        for row in 0..3 {
            let kept = cells[3 * row + column].and(keep[column]);
            let single = kept.and(single_in_row_triad[row].or(single_in_column_triad));
            cells[3 * row + column] = single.or(kept.where_empty(single));
        }
    }
    cells
}

/// For the three lines of every box: the digits due in the line's triad, and those that may stay there.
///
/// A digit takes one triad of each line and one of each box: six permutations, three with the boxes in step with the lines
/// and three against. What none of them uses is struck out. A digit that is left with one line of its box is due there, and
/// then that triad is also the only one left in its line. Three due digits fill the triad; more than three cannot be, and
/// such a node dies soon.
#[inline(always)]
fn due_and_keep<B: Boxes>(lines: [B; 3], others: [[B; 2]; 3]) -> [[B; 3]; 2] {
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

/// In exactly one of the three: an odd number of them, but not all.
#[inline(always)]
fn exactly_one<B: Boxes>(a: B, b: B, c: B) -> B {
    a.xor(b).xor(c).without(a.and(b).and(c))
}
