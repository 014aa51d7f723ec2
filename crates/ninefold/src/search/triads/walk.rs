//! The depth-first search, shared by all engines.
//!
//! A node of the search tree is a board: the candidates of all cells. Nodes still to be searched
//! are on a stack. In outline:
//!
//! ```text
//! start with the puzzle as the current node
//! loop
//!     apply the rules to the current node until nothing changes
//!     if a cell has no candidate (contradiction):
//!         pop the next node from the stack; end if the stack is empty
//!     else if every cell has one candidate (solution):
//!         count it; end if the limit is reached
//!         pop the next node from the stack; end if the stack is empty
//!     else (guess):
//!         choose a cell with several candidates, and push a copy without one of its digits
//!         keep only that digit in the cell of the current node
//! ```
//!
//! Safety: the only `unsafe` block reads a slot of [`Waiting`] that [`Node::split`] has
//! initialized.

use super::super::batch::Tally;
use super::super::nine::{LUCKY_DESCENT, Line, VisitLine};
use super::super::{Meter, StopReason};
use std::mem::MaybeUninit;
use std::ops::ControlFlow;

/// A node of the search tree: the candidates of all cells, in the vectors of an engine.
///
/// # Safety
/// [`split`](Node::split) must initialize `waiting`.
#[allow(unsafe_code)]
pub(super) unsafe trait Node: Copy {
    /// By-products of [`Node::settle`] that [`Node::split`] needs.
    type Hint;

    /// Applies all rules until nothing changes.
    fn settle(&mut self) -> Settled<Self::Hint>;

    /// Guesses in a cell with several candidates: the node keeps one digit of it, and `waiting`
    /// becomes a node with the other digits. If at most `few_open` cells are open (have several
    /// candidates), the first cell with two candidates is chosen.
    fn split<'w>(
        &mut self,
        few_open: u32,
        hint: Self::Hint,
        waiting: &'w mut MaybeUninit<Self>,
    ) -> &'w mut Self;

    /// A copy of the node, vector by vector. For more than 128 bytes the compiler would call a
    /// function and spill all vectors first. (AVX2 is 8 % faster on hard puzzles.)
    fn copied(&self) -> Self;

    /// The solution of a solved node.
    fn write(&self) -> Line;
}

/// The state of a node after propagation.
pub(super) enum Settled<Hint> {
    /// A cell has no candidate.
    Dead,
    /// Every cell has one candidate. A full board that breaks a rule is never solved: the next
    /// round makes it dead.
    Solved,
    /// A guess is needed.
    Open(Hint),
}

/// A node with at most this many open cells is nearly solved, so comparing cells takes longer than
/// an extra guess. (With 24, lists of puzzles with one solution are 1 to 2 % slower.)
const FEW_OPEN: u32 = 16;

/// Like [`FEW_OPEN`], for a search without a dead end so far. Without a bound, the puzzle list
/// magictour is 2 to 4 % slower.
const FEW_OPEN_WHEN_LUCKY: u32 = 40;

/// Visits the solutions below a node, up to `limit` of them.
#[inline(always)]
pub(super) fn walk<N: Node>(
    start: N,
    limit: u64,
    tally: &mut Tally,
    meter: &mut Meter<'_>,
    mut visit: Option<&mut VisitLine<'_>>,
) -> ControlFlow<StopReason> {
    if limit == 0 {
        return ControlFlow::Break(StopReason::Enough);
    }
    let mut waiting = Waiting::new();
    let mut node = start;
    // No dead end or solution has been reached yet.
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

/// The stack of pending nodes.
///
/// Each belongs to a guess on the path to the current node, and each guess fixed another cell, so
/// there are at most 81. A `Vec` would work, but allocating it takes as long as several rounds.
struct Waiting<N> {
    slots: [MaybeUninit<N>; 81],
    count: usize,
}

impl<N: Copy> Waiting<N> {
    #[inline(always)]
    fn new() -> Waiting<N> {
        Waiting { slots: [const { MaybeUninit::uninit() }; 81], count: 0 }
    }

    /// The slot for the next node. The caller initializes it and then increments `count`.
    #[inline(always)]
    fn next_slot(&mut self) -> &mut MaybeUninit<N> {
        &mut self.slots[self.count]
    }

    #[inline(always)]
    #[allow(unsafe_code)]
    fn pop(&mut self) -> Option<&N> {
        self.count = self.count.checked_sub(1)?;
        // SAFETY: `walk` increments `count` only after `Node::split` has initialized the slot, and
        // every slot below `count` stays initialized.
        Some(unsafe { self.slots[self.count].assume_init_ref() })
    }
}
