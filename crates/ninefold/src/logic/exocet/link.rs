//! Exocet links: a base digit that neither target can contain is removed from the base.
//!
//! Why it is sound: suppose a digit is in a base cell. Then one of the targets contains it. If
//! singles lead to a contradiction for each of the two targets, the digit cannot be in the base
//! cell. `exocet.rs` explains base and targets.

use super::trees::{TreeBuilder, digit_at, lacks_room, shortened};
use crate::logic::board::Board;
use crate::logic::{StepSink, Technique};
use crate::proof::{Candidate, Reason, Step, Tree};
use std::ops::ControlFlow;

/// Finds all base candidates that fail in both targets, with the shortest tree of each.
pub fn find<const W: usize>(position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
    if position.exocets().is_empty() {
        return ControlFlow::Continue(());
    }
    let net = position.with_nested(|search| search.refuter(position));
    let mut best: Vec<Tree> = Vec::new();
    for exocet in position.exocets() {
        position.check_limits()?;
        let fails = |assumptions: &[Candidate]| {
            let [one, other] = exocet.targets.map(|target| digit_at(target, assumptions));
            let digit = assumptions[0].digit;
            if one == Some(digit) || other == Some(digit) { net(assumptions) } else { None }
        };
        let trees = TreeBuilder::new(position, exocet).with_failure(fails);
        let [one, other] = exocet.targets;
        let targets = if position.at(one).count() <= position.at(other).count() {
            [one, other]
        } else {
            [other, one]
        };
        for cell in exocet.base {
            // The explanation names the third cross-line, so it must be part of the proof.
            for digit in position.at(cell).filter(|&digit| exocet.count(digit).truths.len() == 3) {
                let tree = trees.refute(Candidate::new(cell, digit), &targets).filter(lacks_room);
                best.extend(tree);
            }
        }
    }
    best.sort_by_key(Tree::statements);
    let mut reported: Vec<Candidate> = Vec::new();
    for tree in best {
        if !reported.contains(&tree.assumed) {
            reported.push(tree.assumed);
            let tree = shortened(position, Technique::ExocetLink, tree);
            emit(Step::remove(Technique::ExocetLink, vec![tree.assumed], Reason::Tree(tree)))?;
        }
    }
    ControlFlow::Continue(())
}
