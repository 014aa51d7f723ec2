//! Plan for refuting a candidate: a proof tree without reasons. It determines what is split;
//! `trace.rs` then derives the statements, each of which says that a cell, or one of several cells,
//! contains a digit.

use crate::grid::{Cell, Digit};
use crate::proof::{Candidate, Ending, Node, OneOf, Tree};
use std::rc::Rc;

/// What to do after an assumption was followed.
#[derive(Clone, Default)]
pub struct Plan {
    /// Try each possible candidate of this cell or house. Without a split there must already be a
    /// contradiction.
    pub split: Option<(OneOf, Vec<(Candidate, Plan)>)>,
    /// Statements that the trace may make. `None` allows all.
    pub allowed: Option<Rc<AllowedStatements>>,
}

impl Plan {
    /// Plan without a split: singles lead to a contradiction.
    pub fn contradiction() -> Plan {
        Plan::default()
    }

    /// Plan that tries each of these choices.
    pub fn split(of: OneOf, choices: Vec<(Candidate, Plan)>) -> Plan {
        Plan { split: Some((of, choices)), allowed: None }
    }

    /// Returns the plan of a tree that makes no new statements and omits one statement.
    pub fn without(tree: &Tree, left_out: &Statement, side: usize) -> Plan {
        Plan::inside(tree, left_out, side, &[])
    }

    fn inside(tree: &Tree, left_out: &Statement, side: usize, before: &[Candidate]) -> Plan {
        let assumptions = [before, &[tree.assumed]].concat();
        let here = left_out.assumptions == assumptions;
        let nodes = tree.inferences.iter().map(|inference| &inference.node);
        let allowed =
            AllowedStatements::new(nodes.filter(|node| !here || **node != left_out.node), side);
        let split = match &tree.end {
            Ending::Split(of, branches) => {
                let plan = |branch: &Tree| {
                    (branch.assumed, Plan::inside(branch, left_out, side, &assumptions))
                };
                Some((*of, branches.iter().map(plan).collect()))
            }
            Ending::Nothing(_) | Ending::NoRoom(_) | Ending::NoFilling(_) => None,
        };
        Plan { split, allowed: Some(Rc::new(allowed)) }
    }
}

/// Statement of a tree, with the assumptions above it.
#[derive(Clone, PartialEq)]
pub struct Statement {
    assumptions: Vec<Candidate>,
    node: Node,
}

impl Statement {
    /// Returns true if the statement leaves open which of its cells contains the digit.
    pub fn is_group(&self) -> bool {
        self.node.cells.len() > 1
    }

    /// Returns all statements of a tree except the assumptions, last first. Late statements depend
    /// on most others.
    pub fn all(tree: &Tree) -> Vec<Statement> {
        let mut all = Vec::new();
        Statement::collect(tree, &[], &mut all);
        all
    }

    fn collect(tree: &Tree, before: &[Candidate], all: &mut Vec<Statement>) {
        let assumptions = [before, &[tree.assumed]].concat();
        tree.branches()
            .iter()
            .rev()
            .for_each(|branch| Statement::collect(branch, &assumptions, all));
        let node = |node: &Node| Statement { assumptions: assumptions.clone(), node: node.clone() };
        all.extend(tree.inferences.iter().rev().map(|inference| node(&inference.node)));
    }
}

/// Statements that may be made.
pub struct AllowedStatements {
    side: usize,
    /// Candidates, by cell and digit.
    single: Vec<u64>,
    groups: Vec<Node>,
}

impl AllowedStatements {
    fn new<'a>(nodes: impl Iterator<Item = &'a Node>, side: usize) -> AllowedStatements {
        let mut allowed = AllowedStatements {
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

    /// Returns true if the trace may state that the cell contains the digit.
    pub fn single(&self, cell: Cell, digit: Digit) -> bool {
        let slot = cell.index() * self.side + digit.index();
        self.single[slot / 64] >> (slot % 64) & 1 == 1
    }

    /// Returns the groups that may be stated.
    pub fn groups(&self) -> &[Node] {
        &self.groups
    }
}
