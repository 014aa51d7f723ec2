//! Exocets as links: a digit of the base is a digit of a target, so what both targets refuse goes from the base.
//!
//! Why it is sound: suppose a digit in a base cell. One target holds it then. If it cannot be the first, because the two
//! together end in a contradiction, and if it cannot be the second either, the digit is not in that cell of the base. What
//! follows from base and target is followed by singles.

use super::trees::{Trees, digit_at, lacks_room, shortened};
use crate::logic::board::Board;
use crate::logic::{Found, Technique};
use crate::proof::{Because, Candidate, Step, Tree};
use std::ops::ControlFlow;

/// All candidates of bases that fail in both targets; the shortest tree of each.
pub fn find<const W: usize>(position: &Board<W>, found: &mut Found<'_>) -> ControlFlow<()> {
    if position.exocets().is_empty() {
        return ControlFlow::Continue(());
    }
    let net = position.with_nested(|memory| memory.net(position));
    let mut best: Vec<Tree> = Vec::new();
    for exocet in position.exocets() {
        position.go_on()?;
        let fails = |supposed: &[Candidate]| {
            let [one, other] = exocet.targets.map(|target| digit_at(target, supposed));
            let digit = supposed[0].digit;
            if one == Some(digit) || other == Some(digit) { net(supposed) } else { None }
        };
        let trees = Trees::new(position, exocet).failing(fails);
        let [one, other] = exocet.targets;
        let targets = if position.at(one).count() <= position.at(other).count() {
            [one, other]
        } else {
            [other, one]
        };
        for cell in exocet.base {
            // The words name the third cross-line, so it must be part of the proof.
            for digit in position.at(cell).filter(|&digit| exocet.count(digit).truths.len() == 3) {
                let tree = trees.refuted(Candidate::new(cell, digit), &targets).filter(lacks_room);
                best.extend(tree);
            }
        }
    }
    best.sort_by_key(Tree::statements);
    let mut told: Vec<Candidate> = Vec::new();
    for tree in best {
        if !told.contains(&tree.assumed) {
            told.push(tree.assumed);
            let tree = shortened(position, Technique::ExocetLink, tree);
            found(Step::remove(Technique::ExocetLink, vec![tree.assumed], Because::Tree(tree)))?;
        }
    }
    ControlFlow::Continue(())
}
