//! The graph of a batch: which candidates of which puzzles are nodes, and which nodes attend to
//! each other.
//!
//! A node is a candidate: a digit in a cell. It belongs to four groups: the candidates of its cell,
//! and those of its digit in its row, column and box. These four kinds of groups are called
//! families. The groups come from the houses of the grid, so nothing else depends on the grid size.
//!
//! The nodes of all puzzles of a batch are stored one after the other. With [`Nodes::Open`] only
//! candidates that contradict no clue are nodes: about 250 of the 729 candidates of a 17-clue
//! puzzle.

use super::Nodes;
use super::groups::NodeGroups;
use ninefold::grid::rules::{Combinations, Groups};
use ninefold::grid::{Cell, Digit, Grid, House, Order};
use std::sync::Arc;

/// Families of groups of the houses: cell, row, column, box.
pub const FAMILIES: usize = 4;

/// The weights that each family uses. Rows and columns share theirs, so that a transposed puzzle
/// has a transposed answer.
pub const SLOT_OF_FAMILY: [usize; FAMILIES] = [0, 1, 1, 2];

/// Slots of a network for classic puzzles: cell, line, box.
pub const HOUSE_SLOTS: usize = 3;

/// Slots of a network for all rules: cell, line, house, different digits, relation of two cells,
/// cage, and layered graph.
pub const SLOTS: usize = 7;

/// The role of a hidden candidate, in a network for all rules.
pub const HIDDEN: i32 = 1;

/// The relation of a candidate to the clues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Role {
    /// It contradicts no clue.
    Open = 0,
    /// It is a clue.
    Given = 1,
    /// Its cell has a clue with another digit.
    Filled = 2,
    /// Another cell of its houses has a clue with its digit.
    Excluded = 3,
}

/// The attention groups of all candidates, for one grid size.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The grid size.
    pub order: Order,
    /// The group members of each candidate, including itself: `[candidates, families, side]`.
    members: Vec<u32>,
}

impl Frame {
    /// The groups for this grid size.
    pub fn new(order: Order) -> Frame {
        let side = order.side();
        let candidate = |cell: usize, digit: usize| (cell * side + digit) as u32;
        let mut members = Vec::with_capacity(order.cell_count() * side * FAMILIES * side);
        for cell in order.cells() {
            let [row, column, square] = order.houses_of(cell);
            for digit in 0..side {
                members.extend((0..side).map(|other| candidate(cell.index(), other)));
                for house in [row, column, square] {
                    members.extend(
                        order.cells_in(house).iter().map(|other| candidate(other.index(), digit)),
                    );
                }
            }
        }
        Frame { order, members }
    }

    /// A frame for grids that bring their own groups.
    pub fn without_groups(order: Order) -> Frame {
        Frame { order, members: Vec::new() }
    }

    /// The number of candidates of a grid.
    pub fn candidates(&self) -> usize {
        self.order.cell_count() * self.order.side()
    }

    /// The group of a candidate in a family, including the candidate.
    #[inline]
    pub fn group(&self, candidate: usize, family: usize) -> &[u32] {
        let side = self.order.side();
        &self.members[(candidate * FAMILIES + family) * side..][..side]
    }

    /// The role of every candidate of a puzzle.
    pub fn roles(&self, puzzle: &[u8]) -> Vec<Role> {
        let side = self.order.side();
        let mut roles = vec![Role::Open; self.candidates()];
        let houses: Vec<House> = self.order.houses().collect();
        for house in houses {
            let cells = self.order.cells_in(house);
            for given in cells.iter().map(|cell| puzzle[cell.index()]).filter(|&given| given > 0) {
                for cell in cells {
                    roles[cell.index() * side + usize::from(given) - 1] = Role::Excluded;
                }
            }
        }
        for (cell, &given) in puzzle.iter().enumerate().filter(|(_, given)| **given > 0) {
            roles[cell * side..][..side].fill(Role::Filled);
            roles[cell * side + usize::from(given) - 1] = Role::Given;
        }
        roles
    }
}

/// The nodes of one puzzle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PuzzleNodes {
    /// The candidate of each node; −1 for a hidden candidate.
    pub candidates: Vec<i32>,
    /// The role of each node.
    pub roles: Vec<i32>,
    /// The groups of the nodes, if they follow from the rules of the puzzle and not from the frame.
    pub groups: Option<Arc<NodeGroups>>,
    /// The cages whose combinations are hidden candidates.
    combinations: Vec<Combinations>,
}

impl PuzzleNodes {
    /// The nodes of a puzzle with a number per cell, 0 for an empty one.
    pub fn new(frame: &Frame, nodes: Nodes, puzzle: &[u8]) -> PuzzleNodes {
        let roles = frame.roles(puzzle);
        let present =
            (0..).zip(roles).filter(|&(_, role)| nodes == Nodes::All || role == Role::Open);
        let (candidates, roles) = present.map(|(candidate, role)| (candidate, role as i32)).unzip();
        PuzzleNodes { candidates, roles, groups: None, combinations: Vec::new() }
    }

    /// The nodes of a puzzle with any rules, and the digits that are known: the clues, and cells with
    /// one candidate. `None` if the clues break a rule.
    pub fn with_rules(puzzle: &Grid) -> Option<(PuzzleNodes, Vec<u8>)> {
        let groups = Groups::new(puzzle)?;
        let side = puzzle.order().side();
        let candidates = groups.candidates().iter();
        let mut candidates: Vec<i32> =
            candidates.map(|(cell, digit)| (cell.index() * side + digit.index()) as i32).collect();
        let visible = candidates.len();
        candidates.resize(groups.node_count(), -1);
        let mut roles = vec![Role::Open as i32; visible];
        roles.resize(groups.node_count(), HIDDEN);
        let known = groups.known().iter().map(|digit| digit.map_or(0, Digit::number)).collect();
        let nodes = PuzzleNodes {
            candidates,
            roles,
            groups: Some(Arc::new(NodeGroups::of_rules(&groups))),
            combinations: groups.combinations().to_vec(),
        };
        Some((nodes, known))
    }

    /// 1 for each node that belongs to the solution, 0 for the others.
    pub fn targets(&self, side: usize, solution: &[u8]) -> Vec<f32> {
        let is_right = |&candidate: &i32| {
            if candidate < 0 {
                return 0.0;
            }
            let (cell, digit) = (candidate as usize / side, candidate as usize % side);
            f32::from(u8::from(usize::from(solution[cell]) == digit + 1))
        };
        let mut targets: Vec<f32> = self.candidates.iter().map(is_right).collect();
        let digit_at = |cell: Cell| Digit::from_index(usize::from(solution[cell.index()]) - 1);
        for node in self.combinations.iter().filter_map(|cage| cage.true_node(digit_at)) {
            targets[node as usize] = 1.0;
        }
        targets
    }

    /// The number of candidates that are not hidden.
    pub fn visible(&self) -> usize {
        self.candidates.iter().filter(|candidate| **candidate >= 0).count()
    }
}

/// The nodes of a batch of puzzles. With rules they can have different sizes.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The candidate of each node.
    pub candidates: Vec<i32>,
    /// The role of each node.
    pub roles: Vec<i32>,
    /// The puzzle of each node.
    pub puzzles: Vec<i32>,
    /// The first node of each puzzle, and at the end the number of nodes.
    pub starts: Vec<usize>,
    /// The groups of the nodes of each puzzle, if the puzzles bring them.
    pub groups: Vec<Arc<NodeGroups>>,
}

impl Layout {
    /// Concatenates the nodes of all puzzles.
    pub fn new<'a>(puzzles: impl Iterator<Item = &'a PuzzleNodes>) -> Layout {
        let mut layout = Layout {
            candidates: Vec::new(),
            roles: Vec::new(),
            puzzles: Vec::new(),
            starts: vec![0],
            groups: Vec::new(),
        };
        for (puzzle, nodes) in (0..).zip(puzzles) {
            layout.groups.extend(nodes.groups.clone());
            layout.candidates.extend(&nodes.candidates);
            layout.roles.extend(&nodes.roles);
            layout.puzzles.resize(layout.len(), puzzle);
            layout.starts.push(layout.len());
        }
        layout
    }

    /// Whether the layout has no nodes, because every cell is filled.
    pub fn is_empty(&self) -> bool {
        self.candidates.is_empty()
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.candidates.len()
    }

    /// The groups of all nodes.
    pub fn node_groups(&self, frame: &Frame) -> NodeGroups {
        if self.groups.is_empty() {
            return NodeGroups::of_frame(frame, self);
        }
        let mut all = NodeGroups::default();
        for (groups, &first_node) in self.groups.iter().zip(&self.starts) {
            all.append(groups, first_node);
        }
        all
    }

    /// The number of puzzles.
    pub fn puzzle_count(&self) -> usize {
        self.starts.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: [u8; 16] = [1, 0, 0, 4, 0, 0, 1, 0, 0, 3, 0, 0, 4, 0, 0, 3];
    const SOLUTION: [u8; 16] = [1, 2, 3, 4, 3, 4, 1, 2, 2, 3, 4, 1, 4, 1, 2, 3];

    fn layout(nodes: Nodes, puzzles: &[&[u8]]) -> (Layout, NodeGroups) {
        let frame = Frame::new(Order::FOUR);
        let nodes: Vec<PuzzleNodes> =
            puzzles.iter().map(|puzzle| PuzzleNodes::new(&frame, nodes, puzzle)).collect();
        let layout = Layout::new(nodes.iter());
        let groups = layout.node_groups(&frame);
        (layout, groups)
    }

    #[test]
    fn nodes_are_the_candidates_that_contradict_no_clue() {
        let (found, groups) = layout(Nodes::Open, &[&PUZZLE, &SOLUTION]);
        // r1c2 and r1c3 can be 2 or 3, but column 2 has a 3.
        let first: Vec<i32> =
            found.candidates.iter().copied().take_while(|&candidate| candidate < 16).collect();
        assert_eq!(first, [4 + 1, 8 + 1, 8 + 2]);
        assert_eq!(
            (found.puzzle_count(), found.starts[2]),
            (2, found.starts[1]),
            "a full grid has no open candidate"
        );
        assert_eq!(groups.of(1).next().unwrap().1, [1, 2], "the cell r1c3");
        assert_eq!(groups.of(0).nth(1).unwrap().1, [0, 1], "the 2s of row 1");
        let (all, _) = layout(Nodes::All, &[&PUZZLE]);
        assert_eq!((all.len(), all.roles[0], all.roles[1], all.roles[4]), (64, 1, 2, 3));
    }

    #[test]
    fn one_candidate_of_each_empty_cell_is_a_target() {
        let (found, groups) = layout(Nodes::Open, &[&PUZZLE]);
        let targets =
            PuzzleNodes::new(&Frame::new(Order::FOUR), Nodes::Open, &PUZZLE).targets(4, &SOLUTION);
        assert_eq!(targets.iter().sum::<f32>(), 10.0);
        let right = |node: &u32| targets[*node as usize] > 0.0;
        let cells = (0..found.len()).map(|node| groups.of(node).next().unwrap().1);
        assert!(cells.clone().all(|cell| cell.iter().filter(|node| right(node)).count() == 1));
    }
}
