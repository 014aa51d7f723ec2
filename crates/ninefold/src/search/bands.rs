//! Band bitboards for 9×9: one word per digit and band, in plain Rust for every CPU.
//!
//! A band is three rows that form a row of boxes. A word contains the possible places of a digit in
//! a band. This is a new implementation of the idea behind the solvers of zhouyundong_2012 and
//! champagne (jczsolve, sk_bforce2):
//!
//! ```text
//!   word (digit, band), 27 bits:   bits 0–8 first row of the band, 9–17 second, 18–26 third
//! ```
//!
//! A triad is three cells of a row in one box. A digit occurs once in each row and each box of a
//! band, so its three triads are in three different boxes: there are six such permutations. A table
//! of 512 entries maps every set of possible triads to those that some permutation uses. The same
//! table serves the stacks (columns of boxes), with columns instead of rows. In outline:
//!
//! ```text
//! start with the puzzle as the current node
//! loop
//!     repeat until nothing changes:
//!         for each digit that has lost a candidate since it was last processed:
//!             for each band and each stack: keep only triads that some permutation uses
//!             for each row with one place left: remove the other digits from that cell
//!         for each cell with one digit left: remove the digit from its peers
//!     if a digit has no permutation left, or a cell has no digit left: contradiction
//!     else if every cell has one digit: count a solution
//!     else guess in a cell with two candidates, or with the fewest if there is none:
//!         push a copy without one of its digits, and continue with that digit
//!     after a contradiction or a solution: continue with the last pushed copy, or end
//! ```
//!
//! What makes it fast:
//!
//! - The complete state is 27 words. It is copied at each guess, so nothing has to be undone.
//! - Nothing is allocated before the first guess.
//! - Only digits that changed are checked again.

use super::batch::Tally;
use super::nine::{self, ANY, Bits, Line, PEER_SETS, PEERS, VisitLine};
use super::{Meter, StopReason, Visit, Walk};
use crate::grid::{Grid, Order};
use std::ops::ControlFlow;

/// The band bitboard solver.
pub struct Bands;

impl Walk for Bands {
    fn name(&self) -> &'static str {
        "bands"
    }

    fn idea(&self) -> &'static str {
        "one word for each digit in each band and a table of permutations; 9×9 on any CPU"
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
        walk(&line, u64::MAX, meter, Some(&mut |solution| visit(nine::grid(solution)))).1
    }

    fn walk_lines(
        &self,
        puzzle: &Line,
        meter: &mut Meter<'_>,
        visit: &mut VisitLine<'_>,
    ) -> Option<ControlFlow<StopReason>> {
        Some(walk(puzzle, u64::MAX, meter, Some(visit)).1)
    }
}

/// Visits the solutions of a puzzle, up to `limit` of them.
pub(super) fn walk(
    puzzle: &Line,
    limit: u64,
    meter: &mut Meter<'_>,
    mut visit: Option<&mut VisitLine<'_>>,
) -> (Tally, ControlFlow<StopReason>) {
    let mut tally = Tally::default();
    if limit == 0 {
        return (tally, ControlFlow::Break(StopReason::Enough));
    }
    let end = search(puzzle, limit, &mut tally, meter, &mut visit);
    (tally, end)
}

fn search(
    puzzle: &Line,
    limit: u64,
    tally: &mut Tally,
    meter: &mut Meter<'_>,
    visit: &mut Option<&mut VisitLine<'_>>,
) -> ControlFlow<StopReason> {
    let mut waiting: Vec<Node> = Vec::new();
    let mut current = Some(Node::read(puzzle));
    loop {
        meter.node()?;
        if let Some(mut node) = current.and_then(Node::propagated) {
            match node.open_cells() {
                Open::None => {
                    tally.solutions += 1;
                    if let Some(visit) = visit {
                        visit(&node.write())?;
                    }
                    if tally.solutions == limit {
                        return ControlFlow::Continue(());
                    }
                }
                Open::Some { with_two } => {
                    meter.guess();
                    tally.guesses += 1;
                    let rest = node.split(with_two);
                    waiting.push(rest);
                    current = Some(node);
                    continue;
                }
            }
        }
        match waiting.pop() {
            Some(next) => current = Some(next),
            None => return ControlFlow::Continue(()),
        }
    }
}

#[derive(Clone, Copy)]
struct Node {
    words: [[u32; 3]; 9],
    /// Digits that have lost a candidate since they were last processed, as bits.
    changed: u32,
    /// Cells whose digit has already been removed from their peers, by band.
    placed: [u32; 3],
}

enum Open {
    None,
    Some { with_two: [u32; 3] },
}

const ROW: u32 = 0x1FF;
const BAND: u32 = (1 << 27) - 1;

impl Node {
    /// The board of a puzzle. Clues that conflict leave their cells without candidates.
    fn read(puzzle: &Line) -> Node {
        let mut clues = [0; 3];
        let mut own = [[0; 3]; 9];
        let mut seen = [[0; 3]; 9];
        for (cell, &byte) in puzzle.iter().enumerate() {
            let digit = usize::from(byte.wrapping_sub(b'1'));
            if digit < 9 {
                let (band, bit) = (cell / 27, 1 << (cell % 27));
                clues[band] |= bit;
                own[digit][band] |= bit;
                for (seen, &by_this) in seen[digit].iter_mut().zip(&PEERS_BY_BAND[cell]) {
                    *seen |= by_this;
                }
            }
        }
        let mut node = Node { words: own, changed: u32::from(ANY), placed: clues };
        for digit in 0..9 {
            for band in 0..3 {
                node.words[digit][band] =
                    (own[digit][band] | BAND & !clues[band]) & !seen[digit][band];
            }
        }
        node
    }

    /// Places a digit in a cell, removes the other digits from the cell and the digit from its
    /// peers. Returns false if the digit is not a candidate of the cell.
    #[inline]
    fn place(&mut self, cell: usize, digit: usize) -> bool {
        let (band, bit) = (cell / 27, 1 << (cell % 27));
        if self.words[digit][band] & bit == 0 {
            return false;
        }
        for (other, words) in self.words.iter_mut().enumerate() {
            if other != digit && words[band] & bit != 0 {
                words[band] &= !bit;
                self.changed |= 1 << other;
            }
        }
        let seen = &PEERS_BY_BAND[cell];
        let words = &mut self.words[digit];
        for (word, seen) in words.iter_mut().zip(seen) {
            *word &= !seen;
        }
        self.changed |= 1 << digit;
        self.placed[band] |= bit;
        true
    }

    /// Applies all rules until nothing changes; `None` on a contradiction.
    fn propagated(mut self) -> Option<Node> {
        loop {
            while self.changed != 0 {
                let digit = self.changed.trailing_zeros() as usize;
                self.changed &= self.changed - 1;
                if !self.follow_permutations(digit) {
                    return None;
                }
            }
            if !self.place_naked_singles()? {
                return Some(self);
            }
        }
    }

    /// Keeps the places of a digit that some permutation of its bands and of its stacks uses. Where
    /// it has one place left in a row, removes the other digits from that cell. Returns false if no
    /// permutation is left.
    #[inline]
    fn follow_permutations(&mut self, digit: usize) -> bool {
        let mut words = self.words[digit];
        for word in &mut words {
            let triads = TRIADS_IN_ROW[(*word & ROW) as usize]
                | TRIADS_IN_ROW[(*word >> 9 & ROW) as usize] << 3
                | TRIADS_IN_ROW[(*word >> 18) as usize] << 6;
            // Locked candidates: keep only triads that some permutation of the band uses.
            *word &= CELLS_OF_TRIADS[usize::from(triads)];
        }
        // Stacks: project each band onto its nine columns, and use the same table with columns as
        // lines.
        let columns = words.map(|word| (word | word >> 9 | word >> 18) & ROW);
        let mut kept = [0; 3];
        for stack in 0..3 {
            let [a, b, c] = columns.map(|columns| columns >> (3 * stack) & 7);
            let possible = ALLOWED[(a | b << 3 | c << 6) as usize];
            for (band, kept) in kept.iter_mut().enumerate() {
                *kept |= u32::from(possible >> (3 * band) & 7) << (3 * stack);
            }
        }
        if kept != columns {
            // The bands may exclude more now. They are processed again after the other digits.
            self.changed |= 1 << digit;
            for (word, kept) in words.iter_mut().zip(kept) {
                *word &= kept | kept << 9 | kept << 18;
            }
        }
        if words.contains(&0) {
            return false;
        }
        self.words[digit] = words;
        for (band, word) in words.into_iter().enumerate() {
            let mut hidden_singles = 0;
            for row in [word & ROW, word & ROW << 9, word & ROW << 18] {
                // At most one bit: the row has one place left for the digit.
                if row & row.wrapping_sub(1) == 0 {
                    hidden_singles |= row;
                }
            }
            hidden_singles &= !self.placed[band];
            if hidden_singles == 0 {
                continue;
            }
            for (other, words) in self.words.iter_mut().enumerate() {
                if other != digit && words[band] & hidden_singles != 0 {
                    words[band] &= !hidden_singles;
                    self.changed |= 1 << other;
                }
            }
        }
        true
    }

    /// Places the digit of every cell with one candidate. Returns whether anything changed; `None`
    /// on a contradiction.
    #[inline]
    fn place_naked_singles(&mut self) -> Option<bool> {
        let mut any = false;
        for band in 0..3 {
            let [one, two, _] = self.cells_by_count(band);
            if one != BAND {
                return None;
            }
            let singles = one & !two & !self.placed[band];
            if singles == 0 {
                continue;
            }
            any = true;
            self.placed[band] |= singles;
            for digit in 0..9 {
                let own = self.words[digit][band] & singles;
                let mut left = own;
                while left != 0 {
                    let cell = band * 27 + left.trailing_zeros() as usize;
                    left &= left - 1;
                    for (word, seen) in self.words[digit].iter_mut().zip(&PEERS_BY_BAND[cell]) {
                        *word &= !seen;
                    }
                }
                if own != 0 {
                    self.changed |= 1 << digit;
                    // Two peers with only this digit have removed it from each other.
                    if self.words[digit][band] & own != own {
                        return None;
                    }
                }
            }
        }
        Some(any)
    }

    /// The cells of a band with at least one, at least two and at least three candidates.
    #[inline]
    fn cells_by_count(&self, band: usize) -> [u32; 3] {
        let (mut one, mut two, mut three) = (0, 0, 0);
        for words in &self.words {
            three |= two & words[band];
            two |= one & words[band];
            one |= words[band];
        }
        [one, two, three]
    }

    fn open_cells(&self) -> Open {
        let counted = [0, 1, 2].map(|band| self.cells_by_count(band));
        if counted.iter().all(|[_, two, _]| *two == 0) {
            return Open::None;
        }
        Open::Some { with_two: counted.map(|[_, two, three]| two & !three) }
    }

    fn candidates_of(&self, cell: usize) -> Bits {
        (0..9).fold(0, |bits, digit| {
            bits | ((self.words[digit][cell / 27] >> (cell % 27) & 1) as Bits) << digit
        })
    }

    /// Splits a node: it keeps one digit of the chosen cell, and the returned node has the other
    /// digits of that cell.
    fn split(&mut self, with_two: [u32; 3]) -> Node {
        let with_two = nine::words(joined(with_two));
        // The first solution found here determines the grids of the generator, so this choice must
        // not change.
        let cell = if nine::are_many(&with_two) {
            nine::first_cell(&with_two)
        } else {
            let mut with_digit = [[0; 2]; 16];
            for (joint, words) in with_digit.iter_mut().zip(&self.words) {
                *joint = nine::words(joined(*words));
            }
            nine::most_constraining(&with_two, &with_digit, &PEER_SETS, |cell| {
                self.candidates_of(cell)
            })
        };
        let cell = cell.unwrap_or_else(|| {
            let open = (0..81).filter(|&cell| self.candidates_of(cell).count_ones() > 1);
            open.min_by_key(|&cell| self.candidates_of(cell).count_ones())
                .expect("a node that is not full")
        });
        let digit = self.candidates_of(cell).trailing_zeros() as usize;
        let mut rest = *self;
        rest.words[digit][cell / 27] &= !(1 << (cell % 27));
        rest.changed |= 1 << digit;
        let placed = self.place(cell, digit);
        debug_assert!(placed, "the cell had this candidate");
        rest
    }

    fn write(&self) -> Line {
        std::array::from_fn(|cell| b'1' + self.candidates_of(cell).trailing_zeros() as u8)
    }
}

/// The cells of three bands, as bits in reading order.
fn joined([a, b, c]: [u32; 3]) -> u128 {
    u128::from(a) | u128::from(b) << 27 | u128::from(c) << 54
}

/// The peers of each cell, by band.
static PEERS_BY_BAND: [[u32; 3]; 81] = {
    let mut table = [[0; 3]; 81];
    let mut cell = 0;
    while cell < 81 {
        let mut band = 0;
        while band < 3 {
            table[cell][band] = (PEERS[cell] >> (27 * band)) as u32 & BAND;
            band += 1;
        }
        cell += 1;
    }
    table
};

/// For each set of cells of a row, the triads that contain at least one of them.
static TRIADS_IN_ROW: [u16; 512] = {
    let mut table = [0; 512];
    let mut row = 0;
    while row < 512 {
        table[row] = (row & 7 != 0) as u16
            | ((row >> 3 & 7 != 0) as u16) << 1
            | ((row >> 6 & 7 != 0) as u16) << 2;
        row += 1;
    }
    table
};

/// For each set of possible triads (three bits per line), those that some permutation uses.
static ALLOWED: [u16; 512] = {
    const PERMUTATIONS: [u16; 6] = [0o421, 0o241, 0o412, 0o142, 0o214, 0o124];
    let mut table = [0; 512];
    let mut possible = 0;
    while possible < 512 {
        let mut i = 0;
        while i < 6 {
            if possible as u16 & PERMUTATIONS[i] == PERMUTATIONS[i] {
                table[possible] |= PERMUTATIONS[i];
            }
            i += 1;
        }
        possible += 1;
    }
    table
};

/// For each set of possible triads of a band, the cells of those that some permutation uses.
static CELLS_OF_TRIADS: [u32; 512] = {
    let mut table = [0; 512];
    let mut possible = 0;
    while possible < 512 {
        let mut triad = 0;
        while triad < 9 {
            if ALLOWED[possible] >> triad & 1 == 1 {
                table[possible] |= 7 << (3 * triad);
            }
            triad += 1;
        }
        possible += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::search::Engine;
    use crate::search::batch::Batch;

    #[test]
    fn agrees_with_the_batch_solver_on_random_puzzles() {
        let solution =
            *b"534678912672195348198342567859761423426853791713924856961537284287419635345286179";
        let portable =
            Batch::with_engine(Engine::Portable).expect("the portable engine is always available");
        let mut random = Random::new(12);
        for _ in 0..2_000 {
            let mut puzzle = solution;
            for _ in 0..random.below(120) {
                puzzle[random.below(81)] = b'.';
            }
            if random.chance(0.3) {
                puzzle[random.below(81)] = b'1' + random.below(9) as u8;
            }
            let expected = portable.count_all(&[puzzle], 5)[0].solutions;
            let (tally, _) = walk(&puzzle, 5, &mut Meter::without_clock(), None);
            assert_eq!(tally.solutions, expected, "{}", nine::grid(&puzzle));
        }
    }

    #[test]
    fn open_band_allows_all_six_permutations() {
        assert_eq!(ALLOWED[511], 511);
        assert_eq!(ALLOWED[0o421], 0o421);
        assert_eq!(ALLOWED[0o427], 0o421, "the middle and the last line determine the first");
        assert_eq!(ALLOWED[0o077], 0, "a line without a triad");
    }
}
