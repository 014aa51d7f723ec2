//! Pictures of a tree: one that shows all of it, and one for each way through it.

use super::{Arrow, Branch, Ink, Picture};
use crate::proof::{Candidate, Ending, Node, OneOf, Step, Tree, Truth};

/// One picture for each way through the tree, from what is supposed to where it fails.
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
    /// Adds a whole tree: what the root supposes and implies in one ink, its branches in the other.
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
            Ending::NoRoom(count) => {
                for truth in &count.truths {
                    match truth {
                        Truth::OneOf(of) => self.add_place(*of),
                        Truth::Guardians(deadly) => {
                            self.cells.extend(deadly.cells.iter().map(|(cell, _)| *cell))
                        }
                        Truth::Escape(impossible) => self.cells.extend(&impossible.cells),
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
