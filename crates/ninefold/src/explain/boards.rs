//! Pictures of a tree: one that shows all of it, and one board for each way through it.

use super::picture::{Arrow, Ink, Picture};
use crate::proof::{Because, Candidate, Ending, Node, OneOf, Step, Tree, Truth};

/// One way through a tree, from what is supposed to where it fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// What is supposed, one after the other.
    pub supposed: Vec<Candidate>,
    /// What to draw.
    pub picture: Picture,
}

/// One board for each way through the tree of a step; none if its proof is not a tree.
pub fn boards(step: &Step) -> Vec<Board> {
    let Because::Tree(tree) = &step.because else { return Vec::new() };
    let mut all = Vec::new();
    walk(tree, &Board { supposed: Vec::new(), picture: Picture::default() }, &mut all);
    all
}

fn walk(tree: &Tree, before: &Board, all: &mut Vec<Board>) {
    let mut board = before.clone();
    let from = board.supposed.last().copied();
    board.supposed.push(tree.assumed);
    board.picture.suppose(tree, from, Ink::Green);
    match &tree.end {
        Ending::Split(_, branches) => branches.iter().for_each(|branch| walk(branch, &board, all)),
        end => {
            board.picture.end(end);
            all.push(board);
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
                branches.iter().for_each(|branch| self.add_subtree(branch, Some(tree.assumed), Ink::Blue));
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
            self.arrows.push(Arrow { from, to, strong: false });
        }
    }

    fn end(&mut self, end: &Ending) {
        match end {
            Ending::Nothing(of) => self.add_place(*of),
            Ending::NoRoom(count) => {
                for truth in &count.truths {
                    match truth {
                        Truth::OneOf(of) => self.add_place(*of),
                        Truth::Guardians(deadly) => self.cells.extend(deadly.cells.iter().map(|(cell, _)| *cell)),
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
