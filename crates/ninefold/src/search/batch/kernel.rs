//! One round of propagation for many search nodes at once.
//!
//! A node is a 9×9 grid of candidate sets. Each vector contains the *same cell* of N nodes. So all
//! rules are set operations without shuffles, and one instruction processes N nodes:
//!
//! ```text
//!             lane 0   lane 1   lane 2   …          a lane is 16 bits: 0000000 987654321
//!   r1c1      node A   node B   node C   …
//!   r1c2      node A   node B   node C   …
//!   …                                               81 vectors
//! ```
//!
//! A triad is three cells of a row inside one box. A digit occurs once in each row and each box of
//! a band (a row of boxes), so its three triads are in three different boxes: there are six such
//! permutations. A round in outline, for one node:
//!
//! ```text
//! for each band, with its 3 × 3 triads as sets of digits:
//!     remove the digit of a cell with one candidate from the other cells of its triad
//!         and from the other two rows of its box
//!     for each digit: keep only the triads that some permutation uses
//!     a digit with one triad left in its row is *due* there
//!     if three digits are due in a triad: remove all others from it
//!     if a due digit has one cell left in its triad: it is a hidden single
//! for each stack (a column of boxes): the same with the triads of its columns
//! replace the candidates of each cell with a hidden single by that digit
//! ```
//!
//! A contradiction leaves a cell without candidates, in this round or a later one. The caller then
//! abandons the node.
//!
//! This finds naked singles, hidden singles in rows, columns and boxes, locked candidates of both
//! types and the triples that fill a triad. A placed digit needs no loop over its twenty peers:
//! after the other cells of its box have lost it, the permutations remove it from the rest of its
//! row and its column.
//!
//! Most operations have three operands (three cells, three triads, three permutation terms), and
//! AVX-512 has an instruction for every function of three bits. A round takes about 1,450
//! instructions for 32 nodes.
//!
//! Everything here must be inlined into the function with the target features. So there are plain
//! loops where closures over vectors would be easier to read: a closure that is not inlined makes
//! the solver half as fast (measured).

use super::super::nine::{ANY, BITS_OF_BYTE, Bits, Line};

/// N sets of nine digits, one for each lane. All operations work lane by lane.
///
/// Only the constructors need a proof of the CPU's features: a vector exists only where they are
/// available.
pub(super) trait Vector<const N: usize>: Copy {
    /// Proves that the CPU supports the instructions of this vector.
    type Features: Copy;

    fn splat(features: Self::Features, bits: Bits) -> Self;
    fn load(features: Self::Features, from: &[Bits; N]) -> Self;
    fn store(self, to: &mut [Bits; N]);
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn or3(a: Self, b: Self, c: Self) -> Self;
    fn and3(a: Self, b: Self, c: Self) -> Self;
    /// `a & !b & !c`.
    fn only_first(a: Self, b: Self, c: Self) -> Self;
    /// Digits in exactly one of the three sets.
    fn exactly_one(a: Self, b: Self, c: Self) -> Self;
    /// `a & (b | c)`.
    fn first_and_either(a: Self, b: Self, c: Self) -> Self;
    /// The sets with at most one digit; empty sets elsewhere.
    fn if_single(self) -> Self;
    /// `self` in lanes where it is not empty, `other` elsewhere.
    fn or_else(self, other: Self) -> Self;
    /// `due` in lanes where it has exactly three digits, `allowed` elsewhere. Returning `allowed`
    /// in all lanes is also correct, but finds less.
    fn three_due(due: Self, allowed: Self) -> Self;
    fn min(self, other: Self) -> Self;
    fn add(self, other: Self) -> Self;
    /// The lanes in which both sets are equal, as bits.
    fn equal(self, other: Self) -> u32;
    /// The lanes in which both sets share a digit, as bits.
    fn share(self, other: Self) -> u32;
    /// The lanes with exactly two digits, as bits.
    fn has_two(self) -> u32;
    /// The lanes with at least two digits, as bits.
    fn has_several(self) -> u32;

    /// Whether to prefetch puzzles. It is only faster if the CPU has special instructions for the
    /// two functions below. Their default implementations are plain loops.
    const PREFETCHES: bool = false;

    /// Writes the candidates of one line into each lane.
    #[inline(always)]
    fn transpose(_features: Self::Features, lines: &[Line; N], board: &mut Board<N>) {
        for (cell, row) in board.0.iter_mut().enumerate() {
            for (set, line) in row.iter_mut().zip(lines) {
                *set = BITS_OF_BYTE[usize::from(line[cell])];
            }
        }
    }

    /// In the lanes of the mask `lanes`, the set of `other` in lane `places[lane]`; elsewhere the
    /// set of `self`.
    #[inline(always)]
    fn with_lanes(self, features: Self::Features, lanes: u32, other: Self, places: Self) -> Self {
        let (mut own, mut others, mut from) = ([0; N], [0; N], [0; N]);
        self.store(&mut own);
        other.store(&mut others);
        places.store(&mut from);
        for lane in super::lanes_in(lanes) {
            own[lane] = others[usize::from(from[lane])];
        }
        Self::load(features, &own)
    }
}

/// The same cell of N nodes side by side, for all 81 cells.
#[repr(align(64))]
pub(super) struct Board<const N: usize>(pub [[Bits; N]; 81]);

/// Statistics of a round that distinguish dead, solved and stuck nodes from those that still
/// change.
pub(super) struct Summary<V> {
    /// The smallest candidate set as a number; 0 if a cell has no candidate.
    pub least: V,
    /// The sum of all candidate sets as numbers. It decreases with every removed candidate and
    /// cannot overflow (81 · 511 < 65,536), so a node has reached its fixpoint if the sum stays the
    /// same.
    pub sum: V,
}

/// The sum of a node in which each row contains each digit once.
pub(super) const SOLVED_SUM: Bits = 9 * ANY;

/// Applies every rule once to every node.
#[inline(always)]
pub(super) fn round<const N: usize, V: Vector<N>>(
    features: V::Features,
    board: &mut Board<N>,
) -> Summary<V> {
    let mut single_in_row_triad = [V::splat(features, 0); 27];
    for band in 0..3 {
        propagate_band::<N, V>(features, board, band, &mut single_in_row_triad);
    }
    let mut summary = Summary { least: V::splat(features, ANY), sum: V::splat(features, 0) };
    for stack in 0..3 {
        propagate_stack::<N, V>(features, board, stack, &single_in_row_triad, &mut summary);
    }
    summary
}

#[inline(always)]
fn propagate_band<const N: usize, V: Vector<N>>(
    features: V::Features,
    board: &mut Board<N>,
    band: usize,
    single_in_triad: &mut [V; 27],
) {
    let none = V::splat(features, 0);
    let first_cell = |row: usize, triad: usize| band * 27 + row * 9 + triad * 3;
    let mut cells = [[[none; 3]; 3]; 3];
    let mut possible = [[none; 3]; 3];
    let mut fixed = [[none; 3]; 3];
    for row in 0..3 {
        for triad in 0..3 {
            let at = first_cell(row, triad);
            let [a, b, c] = [0, 1, 2].map(|i| V::load(features, &board.0[at + i]));
            let [fixed_a, fixed_b, fixed_c] = [a.if_single(), b.if_single(), c.if_single()];
            // `possible` is the union of the triad's candidates, `fixed` the digits that are single
            // in a cell.
            possible[row][triad] = V::or3(a, b, c);
            fixed[row][triad] = V::or3(fixed_a, fixed_b, fixed_c);
            cells[row][triad] = [
                V::only_first(a, fixed_b, fixed_c),
                V::only_first(b, fixed_a, fixed_c),
                V::only_first(c, fixed_a, fixed_b),
            ];
        }
    }
    // Two cells of one box with the same single digit remove it from each other, so such a node
    // becomes dead here.
    let mut left = possible;
    for row in 0..3 {
        for triad in 0..3 {
            let (next, last) = ((row + 1) % 3, (row + 2) % 3);
            left[row][triad] =
                V::only_first(possible[row][triad], fixed[next][triad], fixed[last][triad]);
        }
    }
    let allowed = allowed_by_permutations(features, &left);
    for row in 0..3 {
        for triad in 0..3 {
            let at = first_cell(row, triad);
            let due = V::only_first(
                allowed[row][triad],
                allowed[row][(triad + 1) % 3],
                allowed[row][(triad + 2) % 3],
            );
            // Three due digits fill the triad, so its cells keep only them.
            let keep = V::three_due(due, allowed[row][triad]);
            let [a, b, c] = cells[row][triad].map(|cell| cell.and(keep));
            single_in_triad[band * 9 + row * 3 + triad] = due.and(V::exactly_one(a, b, c));
            for (i, cell) in [a, b, c].into_iter().enumerate() {
                cell.store(&mut board.0[at + i]);
            }
        }
    }
}

#[inline(always)]
fn propagate_stack<const N: usize, V: Vector<N>>(
    features: V::Features,
    board: &mut Board<N>,
    stack: usize,
    single_in_row_triad: &[V; 27],
    summary: &mut Summary<V>,
) {
    let cell = |column: usize, band: usize, row: usize| band * 27 + row * 9 + stack * 3 + column;
    let mut possible = [[V::splat(features, 0); 3]; 3];
    let mut single = possible;
    for column in 0..3 {
        for band in 0..3 {
            let [a, b, c] = [0, 1, 2].map(|row| cell(column, band, row));
            let (a, b, c) = (
                V::load(features, &board.0[a]),
                V::load(features, &board.0[b]),
                V::load(features, &board.0[c]),
            );
            possible[column][band] = V::or3(a, b, c);
            single[column][band] = V::exactly_one(a, b, c);
        }
    }
    let allowed = allowed_by_permutations(features, &possible);
    for column in 0..3 {
        for band in 0..3 {
            let due = V::only_first(
                allowed[column][band],
                allowed[column][(band + 1) % 3],
                allowed[column][(band + 2) % 3],
            );
            let keep = V::three_due(due, allowed[column][band]);
            let single_in_column_triad = due.and(single[column][band]);
            for row in 0..3 {
                let at = cell(column, band, row);
                let kept = V::load(features, &board.0[at]).and(keep);
                // A cell with a hidden single of its row or column triad keeps only that digit.
                let single_in_row_triad = single_in_row_triad[band * 9 + row * 3 + stack];
                let single = V::first_and_either(kept, single_in_row_triad, single_in_column_triad);
                let kept = single.or_else(kept);
                summary.least = summary.least.min(kept);
                summary.sum = summary.sum.add(kept);
                kept.store(&mut board.0[at]);
            }
        }
    }
}

/// A digit takes one triad of each line and one of each box, in one of six permutations. Removes
/// the triads that no permutation uses.
#[inline(always)]
fn allowed_by_permutations<const N: usize, V: Vector<N>>(
    features: V::Features,
    possible: &[[V; 3]; 3],
) -> [[V; 3]; 3] {
    let [top, middle, bottom] = possible;
    let mut even = [V::splat(features, 0); 3];
    let mut odd = even;
    for first in 0..3 {
        let (second, third) = ((first + 1) % 3, (first + 2) % 3);
        even[first] = V::and3(top[first], middle[second], bottom[third]);
        odd[first] = V::and3(top[first], middle[third], bottom[second]);
    }
    let mut allowed = *possible;
    // The triad `t` of line `l` is in one even and one odd permutation, which are identified by
    // their triad in line 0.
    for line in 0..3 {
        for triad in 0..3 {
            allowed[line][triad] = even[(triad + 3 - line) % 3].or(odd[(triad + line) % 3]);
        }
    }
    allowed
}

/// The lanes whose node is solved: every house contains every digit. A full board with a repeated
/// digit in a house lacks another digit there.
#[inline(always)]
pub(super) fn solved_lanes<const N: usize, V: Vector<N>>(
    features: V::Features,
    board: &Board<N>,
) -> u32 {
    let none = V::splat(features, 0);
    let mut in_all_houses = V::splat(features, ANY);
    let mut columns = [none; 9];
    for band in 0..3 {
        let mut rows = [none; 3];
        for stack in 0..3 {
            let mut cells = [[none; 3]; 3];
            for (row, cells) in cells.iter_mut().enumerate() {
                for (column, cell) in cells.iter_mut().enumerate() {
                    *cell = V::load(features, &board.0[(band * 3 + row) * 9 + stack * 3 + column]);
                }
            }
            let [top, middle, bottom] = cells;
            let triads = [
                V::or3(top[0], top[1], top[2]),
                V::or3(middle[0], middle[1], middle[2]),
                V::or3(bottom[0], bottom[1], bottom[2]),
            ];
            in_all_houses = in_all_houses.and(V::or3(triads[0], triads[1], triads[2]));
            for line in 0..3 {
                rows[line] = rows[line].or(triads[line]);
                let triad = V::or3(top[line], middle[line], bottom[line]);
                columns[stack * 3 + line] = columns[stack * 3 + line].or(triad);
            }
        }
        in_all_houses = in_all_houses.and(V::and3(rows[0], rows[1], rows[2]));
    }
    for column in columns {
        in_all_houses = in_all_houses.and(column);
    }
    in_all_houses.equal(V::splat(features, ANY))
}
