//! The walk through a search tree, the same for every engine.
//!
//! The plain version:
//!
//! ```text
//! start with the puzzle
//! loop
//!     apply the rules until nothing changes
//!     full? one solution more.  open? split it in two: go on with one part, the other waits
//!     go on with the newest that waits
//! ```
//!
//! Safety. The one `unsafe` block reads a slot of [`Waiting`] that was written before; it says why.

use super::super::batch::Tally;
use super::super::nine::{LUCKY_DESCENT, Line, VisitLine};
use super::super::{Meter, Stop};
use std::mem::MaybeUninit;
use std::ops::ControlFlow;

/// The candidates of all cells in the vectors of some engine.
pub(super) trait Node: Copy {
    /// What [`Node::settle`] has found out on its way that helps [`Node::split`].
    type Hint;

    /// Applies all rules until nothing changes.
    fn settle(&mut self) -> Settled<Self::Hint>;

    /// Splits a node in two: it goes on with one digit of the chosen cell, `waiting` is filled with the cell's other digits.
    /// With `few_open` open cells or fewer, any cell with two candidates does.
    fn split<'w>(
        &mut self,
        few_open: u32,
        hint: Self::Hint,
        waiting: &'w mut MaybeUninit<Self>,
    ) -> &'w mut Self;

    /// A copy of the node, vector by vector: for more than 128 bytes the compiler calls a function, and before it can do
    /// that, it puts all vectors aside. (AVX2 gains 8 % on hard puzzles.)
    fn copied(&self) -> Self;

    /// The digits of a solved node.
    fn write(&self) -> Line;
}

/// How it stands with a node after propagation.
pub(super) enum Settled<Hint> {
    /// Some cell has no candidate.
    Dead,
    /// Every cell has one candidate. A full board that breaks a rule does not get here: it is dead one round later.
    Solved,
    /// A guess is needed.
    Open(Hint),
}

/// A node with so few open cells is nearly done: comparing cells takes longer than a guess more. (With 24, lists of puzzles with
/// one solution lose 1 to 2 %.)
const FEW_OPEN: u32 = 16;

/// The same for a search that is lucky. Without a bound, magictour loses 2 to 4 %.
const FEW_OPEN_WHEN_LUCKY: u32 = 40;

/// Walks through the solutions below a node, up to `limit` of them.
#[inline(always)]
pub(super) fn walk<N: Node>(
    start: N,
    limit: u64,
    tally: &mut Tally,
    meter: &mut Meter<'_>,
    mut visit: Option<&mut VisitLine<'_>>,
) -> ControlFlow<Stop> {
    if limit == 0 {
        return ControlFlow::Break(Stop::Enough);
    }
    let mut waiting = Waiting::new();
    let mut node = start;
    // No guess has come to an end yet.
    let mut is_descending = true;
    loop {
        meter.node()?;
        match node.settle() {
            Settled::Dead => {}
            Settled::Solved => {
                tally.solutions += 1;
                if let Some(visit) = &mut visit {
                    visit(&node.write())?;
                }
                if tally.solutions == limit {
                    return ControlFlow::Continue(());
                }
            }
            Settled::Open(hint) => {
                meter.guess();
                tally.guesses += 1;
                let is_lucky = is_descending && waiting.count >= LUCKY_DESCENT;
                let few_open = if is_lucky { FEW_OPEN_WHEN_LUCKY } else { FEW_OPEN };
                node.split(few_open, hint, waiting.next_slot());
                waiting.count += 1;
                continue;
            }
        }
        is_descending = false;
        match waiting.pop() {
            Some(next) => node = next.copied(),
            None => return ControlFlow::Continue(()),
        }
    }
}

/// The nodes that wait for their turn, the newest on top.
///
/// Each belongs to a guess on the way to the current node, and each of those guesses fixed another cell, so there are
/// never more than 81. A vector would do, but asking for its memory takes as long as several rounds.
struct Waiting<N> {
    slots: [MaybeUninit<N>; 81],
    count: usize,
}

impl<N: Copy> Waiting<N> {
    #[inline(always)]
    fn new() -> Waiting<N> {
        Waiting { slots: [const { MaybeUninit::uninit() }; 81], count: 0 }
    }

    /// Where the next node is to wait; it counts once it is filled.
    #[inline(always)]
    fn next_slot(&mut self) -> &mut MaybeUninit<N> {
        &mut self.slots[self.count]
    }

    #[inline(always)]
    #[allow(unsafe_code)]
    fn pop(&mut self) -> Option<&N> {
        self.count = self.count.checked_sub(1)?;
        // SAFETY: a slot counts after `Node::split` has filled it, and with its answer has shown that it did.
        Some(unsafe { self.slots[self.count].assume_init_ref() })
    }
}
