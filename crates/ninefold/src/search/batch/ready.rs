//! The next puzzles, laid ready.
//!
//! A lane that begins a puzzle has its cells written one by one, because they lie in 81 different vectors. On a list of easy puzzles
//! that took more than a fifth of all time. So vectors turn the lines of as many puzzles as there are lanes the other way round, and all lanes that
//! begin in the same round take theirs with one shuffle for each cell:
//!
//! ```text
//!   line A  5 3 . . 7 …               r1c1   5 8 .         lanes that go on    r1c1   a b c
//!   line B  8 . . . . …     turned    r1c2   3 . .         lanes that begin           ↓ ↓ ↓
//!   line C  . . 4 . 1 …               r1c3   . . 4         1 and 3             r1c1   5 b .
//! ```

use super::super::nine::{Bits, Line};
use super::Lanes;
use super::kernel::{Board, Vector};

/// Where fewer lanes than this begin in a round, their cells are written one by one.
const FEWEST_TOGETHER: u32 = 8;

/// As many puzzles as there are lanes, one behind the other in the list.
pub(super) struct Ready<const N: usize> {
    board: Board<N>,
    /// The first of them in the list.
    first: usize,
    /// How many lanes have begun one.
    taken: usize,
}

impl<const N: usize> Ready<N> {
    pub const fn none() -> Ready<N> {
        Ready { board: Board([[0; N]; 81]), first: 0, taken: N }
    }

    /// Takes a puzzle away.
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
    /// Lets those of these lanes that need a new puzzle begin together, if it is worth while; returns which began.
    #[inline(always)]
    pub(super) fn begin_together<V: Vector<N>>(&mut self, finished: u32, lines: &[Line]) -> u32 {
        if finished.count_ones() < FEWEST_TOGETHER {
            return 0;
        }
        let mut begin = 0;
        for lane in super::lanes_in(finished) {
            begin |= u32::from(self.waiting.count[lane] == 0) << lane;
        }
        if begin.count_ones() < FEWEST_TOGETHER {
            return 0;
        }
        if self.ready.taken == N {
            let Some(next) = lines[self.next_puzzle..].first_chunk::<N>() else { return 0 };
            V::turn(next, &mut self.ready.board);
            (self.ready.first, self.ready.taken) = (self.next_puzzle, 0);
            self.next_puzzle += N;
        }
        let mut places = [0; N];
        let mut begun = 0;
        for (lane, place) in super::lanes_in(begin).zip(self.ready.taken..N) {
            places[lane] = place as Bits;
            self.puzzle[lane] = self.ready.first + place;
            self.sum_before[lane] = 0;
            begun |= 1 << lane;
        }
        let places = V::load(&places);
        for (cells, ready) in self.board.0.iter_mut().zip(&self.ready.board.0) {
            V::load(cells).with_lanes(begun, V::load(ready), places).store(cells);
        }
        self.ready.taken += begun.count_ones() as usize;
        self.descending |= begun;
        self.busy |= begun;
        begun
    }
}
