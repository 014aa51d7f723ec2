//! How a candidate can be refuted, without the reasons: a tree as it is found.

use crate::grid::{Cell, Digit};
use crate::proof::{Candidate, Ending, Node, OneOf, Tree};
use std::rc::Rc;

/// What to do once a supposition has been followed.
#[derive(Clone, Default)]
pub struct Plan {
    /// Try each candidate of this that is still open; without it there must be a contradiction already.
    pub split: Option<(OneOf, Vec<(Candidate, Plan)>)>,
    /// What may be stated on the way; anything if there is no list.
    pub allowed: Option<Rc<Allowed>>,
}

impl Plan {
    /// Singles alone end in a contradiction.
    pub fn dead() -> Plan {
        Plan::default()
    }

    /// Try each of these.
    pub fn split(of: OneOf, choices: Vec<(Candidate, Plan)>) -> Plan {
        Plan { split: Some((of, choices)), allowed: None }
    }

    /// The plan that a tree follows, stating nothing new and one statement less.
    pub fn without(tree: &Tree, left_out: &Statement, side: usize) -> Plan {
        Plan::inside(tree, left_out, side, &[])
    }

    fn inside(tree: &Tree, left_out: &Statement, side: usize, before: &[Candidate]) -> Plan {
        let supposed = [before, &[tree.assumed]].concat();
        let here = left_out.supposed == supposed;
        let nodes = tree.inferences.iter().map(|inference| &inference.node);
        let allowed = Allowed::new(nodes.filter(|node| !here || **node != left_out.node), side);
        let split = match &tree.end {
            Ending::Split(of, branches) => {
                let plan = |branch: &Tree| {
                    (branch.assumed, Plan::inside(branch, left_out, side, &supposed))
                };
                Some((*of, branches.iter().map(plan).collect()))
            }
            Ending::Nothing(_) | Ending::NoRoom(_) => None,
        };
        Plan { split, allowed: Some(Rc::new(allowed)) }
    }
}

/// One statement of a tree: what is supposed above it, and what it says.
#[derive(Clone, PartialEq)]
pub struct Statement {
    supposed: Vec<Candidate>,
    node: Node,
}

impl Statement {
    /// Does it leave open which of its cells holds the digit?
    pub fn is_group(&self) -> bool {
        self.node.cells.len() > 1
    }

    /// All statements of a tree but the suppositions, the last first: what comes late rests on most.
    pub fn all(tree: &Tree) -> Vec<Statement> {
        let mut all = Vec::new();
        Statement::collect(tree, &[], &mut all);
        all
    }

    fn collect(tree: &Tree, before: &[Candidate], all: &mut Vec<Statement>) {
        let supposed = [before, &[tree.assumed]].concat();
        tree.branches().iter().rev().for_each(|branch| Statement::collect(branch, &supposed, all));
        let node = |node: &Node| Statement { supposed: supposed.clone(), node: node.clone() };
        all.extend(tree.inferences.iter().rev().map(|inference| node(&inference.node)));
    }
}

/// What may be stated.
pub struct Allowed {
    side: usize,
    /// Candidates, by cell and digit.
    single: Vec<u64>,
    groups: Vec<Node>,
}

impl Allowed {
    fn new<'a>(nodes: impl Iterator<Item = &'a Node>, side: usize) -> Allowed {
        let mut allowed = Allowed {
            side,
            single: vec![0; (side * side * side).div_ceil(64)],
            groups: Vec::new(),
        };
        for node in nodes {
            match node.cells[..] {
                [cell] => {
                    let slot = cell.index() * side + node.digit.index();
                    allowed.single[slot / 64] |= 1 << (slot % 64);
                }
                _ => allowed.groups.push(node.clone()),
            }
        }
        allowed
    }

    /// May it be stated that the cell holds the digit?
    pub fn single(&self, cell: Cell, digit: Digit) -> bool {
        let slot = cell.index() * self.side + digit.index();
        self.single[slot / 64] >> (slot % 64) & 1 == 1
    }

    /// The groups that may be stated.
    pub fn groups(&self) -> &[Node] {
        &self.groups
    }
}
