//! Pictures of a proof tree: one of the complete tree and one for each path through it.

use super::{Arrow, Branch, Ink, Picture};
use crate::proof::{Candidate, Ending, Node, OneOf, Step, Tree, Truth};

/// Adds one picture for each path through the tree, from the assumption to the contradiction.
pub(super) fn ways(tree: &Tree, step: &Step, all: &mut Vec<Branch>) {
    walk(tree, (None, &Picture::default()), step, all);
}

fn walk(
    tree: &Tree,
    (from, before): (Option<Candidate>, &Picture),
    step: &Step,
    all: &mut Vec<Branch>,
) {
    let mut picture = before.clone();
    picture.suppose(tree, from, Ink::Green);
    match &tree.end {
        Ending::Split(_, branches) => {
            branches
                .iter()
                .for_each(|branch| walk(branch, (Some(tree.assumed), &picture), step, all));
        }
        end => {
            picture.end(end);
            picture.finish(step);
            all.push(Branch { assumes: tree.assumed, picture });
        }
    }
}

impl Picture {
    /// Adds a complete tree. The root assumption and its consequences have one colour, the branches
    /// the other.
    pub(super) fn add_tree(&mut self, tree: &Tree) {
        self.add_subtree(tree, None, Ink::Green);
    }

    fn add_subtree(&mut self, tree: &Tree, from: Option<Candidate>, ink: Ink) {
        self.suppose(tree, from, ink);
        match &tree.end {
            Ending::Split(of, branches) => {
                self.add_place(*of);
                branches
                    .iter()
                    .for_each(|branch| self.add_subtree(branch, Some(tree.assumed), Ink::Blue));
            }
            end => self.end(end),
        }
    }

    fn suppose(&mut self, tree: &Tree, from: Option<Candidate>, ink: Ink) {
        self.candidates.push((tree.assumed, ink));
        let stated = tree.inferences.iter().flat_map(|inference| inference.node.candidates());
        self.candidates.extend(stated.map(|candidate| (candidate, ink)));
        if let Some(from) = from {
            let (from, to) = (Node::single(from), Node::single(tree.assumed));
            self.arrows.push(Arrow { from, to, strong: false, branch: 0 });
        }
    }

    fn end(&mut self, end: &Ending) {
        match end {
            Ending::Nothing(of) => self.add_place(*of),
            Ending::NoFilling(combined) => self.add_rules(combined),
            Ending::NoRoom(count) => {
                for truth in &count.truths {
                    match truth {
                        Truth::OneOf(of) => self.add_place(*of),
                        Truth::Guardians(deadly) => {
                            self.cells.extend(deadly.cells.iter().map(|(cell, _)| *cell))
                        }
                        Truth::Escape(impossible) => self.cells.extend(&impossible.cells),
                        Truth::Needs(combined, _) => self.add_rules(combined),
                    }
                }
            }
            Ending::Split(..) => {}
        }
    }

    fn add_place(&mut self, of: OneOf) {
        match of {
            OneOf::Cell(cell) => self.cells.push(cell),
            OneOf::House(house, _) => self.houses.push(house),
        }
    }
}
