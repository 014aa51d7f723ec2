//! Prefetches the next puzzles in the layout of the board: one vector per cell, with one lane for
//! each puzzle.
//!
//! Starting a puzzle in a single lane writes its cells one by one, because they belong to 81
//! different vectors. On a list of easy puzzles this took more than a fifth of the time. So as many
//! puzzles as there are lanes are transposed together with vector instructions. Then all lanes that
//! start a puzzle in the same round receive their cells with one shuffle per vector:
//!
//! ```text
//!   line A  5 3 . . 7 …               r1c1   5 8 .         current board       r1c1   a b c
//!   line B  8 . . . . …  transposed   r1c2   3 . .         lanes that start           ↓ ↓ ↓
//!   line C  . . 4 . 1 …               r1c3   . . 4         1 and 3             r1c1   5 b .
//! ```

use super::super::nine::{Bits, Line};
use super::Lanes;
use super::kernel::{Board, Vector};

/// If fewer lanes than this start in a round, their cells are written one by one.
const FEWEST_TOGETHER: u32 = 8;

/// Consecutive puzzles of the list, one for each lane.
pub(super) struct Prefetched<const N: usize> {
    board: Board<N>,
    /// The index of the first one in the list.
    first: usize,
    /// How many have been taken.
    taken: usize,
}

impl<const N: usize> Prefetched<N> {
    pub const fn empty() -> Prefetched<N> {
        Prefetched { board: Board([[0; N]; 81]), first: 0, taken: N }
    }

    /// Takes one puzzle and returns its index in the list.
    #[inline(always)]
    pub fn take(&mut self) -> Option<usize> {
        if self.taken == N {
            return None;
        }
        self.taken += 1;
        Some(self.first + self.taken - 1)
    }
}

impl<const N: usize> Lanes<N> {
    /// Starts new puzzles in all finished lanes without pending nodes, if there are enough of them.
    /// Returns these lanes.
    #[inline(always)]
    pub(super) fn start_together<V: Vector<N>>(
        &mut self,
        features: V::Features,
        finished: u32,
        lines: &[Line],
    ) -> u32 {
        if finished.count_ones() < FEWEST_TOGETHER {
            return 0;
        }
        let mut needing = 0;
        for lane in super::lanes_in(finished) {
            needing |= u32::from(self.waiting.count[lane] == 0) << lane;
        }
        if needing.count_ones() < FEWEST_TOGETHER {
            return 0;
        }
        if self.prefetched.taken == N {
            let Some(next) = lines[self.next_puzzle..].first_chunk::<N>() else { return 0 };
            V::transpose(features, next, &mut self.prefetched.board);
            (self.prefetched.first, self.prefetched.taken) = (self.next_puzzle, 0);
            self.next_puzzle += N;
        }
        let mut places = [0; N];
        let mut started = 0;
        for (lane, place) in super::lanes_in(needing).zip(self.prefetched.taken..N) {
            places[lane] = place as Bits;
            self.puzzle[lane] = self.prefetched.first + place;
            self.sum_before[lane] = 0;
            started |= 1 << lane;
        }
        let places = V::load(features, &places);
        for (cells, next) in self.board.0.iter_mut().zip(&self.prefetched.board.0) {
            V::load(features, cells)
                .with_lanes(features, started, V::load(features, next), places)
                .store(cells);
        }
        self.prefetched.taken += started.count_ones() as usize;
        self.descending |= started;
        self.busy |= started;
        started
    }
}
