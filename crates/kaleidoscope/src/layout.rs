//! The layout of a batch: which candidates of which puzzles are nodes, and who looks at whom.
//!
//! A node is a candidate: a digit in a cell. It belongs to four groups, one in each family: the candidates of its cell, and
//! those of its digit in its row, its column and its box. Which candidates form a group comes from the houses of the grid,
//! as data; nothing in the network knows a size.
//!
//! Nodes of all puzzles lie one after the other. Only candidates that no clue excludes need to be there
//! ([`Nodes::Open`]): of the 729 candidates of a 17-clue puzzle about 250.

use super::Nodes;
use ninefold::grid::{House, Order};

/// Families of groups: cell, row, column, box.
pub const FAMILIES: usize = 4;

/// The weights of each family; rows and columns share theirs, so that a transposed puzzle has a transposed answer.
pub const SLOT_OF_FAMILY: [usize; FAMILIES] = [0, 1, 1, 2];

/// What a candidate is at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Role {
    /// No clue says anything about it.
    Open = 0,
    /// It is a clue.
    Given = 1,
    /// Its cell has a clue, another one.
    Filled = 2,
    /// A clue elsewhere in one of its houses excludes it.
    Excluded = 3,
}

/// The groups of all candidates of a size.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The size.
    pub order: Order,
    /// For each candidate and family the candidates of its group, itself included: `[candidates, families, side]`.
    members: Vec<u32>,
}

impl Frame {
    /// The groups of this size.
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

    /// Candidates of a grid.
    pub fn candidates(&self) -> usize {
        self.order.cell_count() * self.order.side()
    }

    /// The group of a candidate in a family.
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
    /// The candidate of each node.
    pub candidates: Vec<i32>,
    /// The role of each node.
    pub roles: Vec<i32>,
}

impl PuzzleNodes {
    /// Those of a puzzle with a number for each cell, 0 for an open one.
    pub fn new(frame: &Frame, nodes: Nodes, puzzle: &[u8]) -> PuzzleNodes {
        let roles = frame.roles(puzzle);
        let present =
            (0..).zip(roles).filter(|&(_, role)| nodes == Nodes::All || role == Role::Open);
        let (candidates, roles) = present.map(|(candidate, role)| (candidate, role as i32)).unzip();
        PuzzleNodes { candidates, roles }
    }

    /// 1 for each node that belongs to the solution, 0 for the others.
    pub fn targets(&self, side: usize, solution: &[u8]) -> Vec<f32> {
        let is_right = |&candidate: &i32| {
            let (cell, digit) = (candidate as usize / side, candidate as usize % side);
            f32::from(u8::from(usize::from(solution[cell]) == digit + 1))
        };
        self.candidates.iter().map(is_right).collect()
    }
}

/// The nodes of a batch of puzzles of one size.
#[derive(Clone, Debug)]
pub struct Layout {
    /// For each node its candidate.
    pub candidates: Vec<i32>,
    /// For each node its role.
    pub roles: Vec<i32>,
    /// For each node its puzzle.
    pub puzzles: Vec<i32>,
    /// For each puzzle its first node; one more entry says where the last one ends.
    pub starts: Vec<usize>,
}

impl Layout {
    /// Puts the nodes of all puzzles one after the other.
    pub fn new<'a>(puzzles: impl Iterator<Item = &'a PuzzleNodes>) -> Layout {
        let mut layout = Layout {
            candidates: Vec::new(),
            roles: Vec::new(),
            puzzles: Vec::new(),
            starts: vec![0],
        };
        for (puzzle, nodes) in (0..).zip(puzzles) {
            layout.candidates.extend(&nodes.candidates);
            layout.roles.extend(&nodes.roles);
            layout.puzzles.resize(layout.len(), puzzle);
            layout.starts.push(layout.len());
        }
        layout
    }

    /// Is there no node, as every cell is filled?
    pub fn is_empty(&self) -> bool {
        self.candidates.is_empty()
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.candidates.len()
    }

    /// Puzzles in the batch.
    pub fn puzzle_count(&self) -> usize {
        self.starts.len() - 1
    }
}

/// Who looks at whom: for each node and family the nodes of its group, one after the other.
#[derive(Clone, Debug)]
pub struct Neighbours {
    members: Vec<u32>,
    /// For each node and family where its group begins; one more entry says where the last one ends.
    starts: Vec<u32>,
}

impl Neighbours {
    /// Who looks at whom in this layout.
    pub fn new(frame: &Frame, layout: &Layout) -> Neighbours {
        let mut found = Neighbours { members: Vec::new(), starts: vec![0] };
        let mut node_of = vec![u32::MAX; frame.candidates()];
        for puzzle in 0..layout.puzzle_count() {
            let nodes = layout.starts[puzzle]..layout.starts[puzzle + 1];
            node_of.fill(u32::MAX);
            nodes.clone().for_each(|node| node_of[layout.candidates[node] as usize] = node as u32);
            for node in nodes {
                for family in 0..FAMILIES {
                    let group = frame.group(layout.candidates[node] as usize, family);
                    let present = group.iter().map(|&other| node_of[other as usize]);
                    found.members.extend(present.filter(|&other| other != u32::MAX));
                    found.starts.push(found.members.len() as u32);
                }
            }
        }
        found
    }

    /// The nodes in the group of a node, itself included.
    #[inline]
    pub fn group(&self, node: usize, family: usize) -> &[u32] {
        let group = node * FAMILIES + family;
        &self.members[self.starts[group] as usize..self.starts[group + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: [u8; 16] = [1, 0, 0, 4, 0, 0, 1, 0, 0, 3, 0, 0, 4, 0, 0, 3];
    const SOLUTION: [u8; 16] = [1, 2, 3, 4, 3, 4, 1, 2, 2, 3, 4, 1, 4, 1, 2, 3];

    fn layout(nodes: Nodes, puzzles: &[&[u8]]) -> (Layout, Neighbours) {
        let frame = Frame::new(Order::FOUR);
        let nodes: Vec<PuzzleNodes> =
            puzzles.iter().map(|puzzle| PuzzleNodes::new(&frame, nodes, puzzle)).collect();
        let layout = Layout::new(nodes.iter());
        let neighbours = Neighbours::new(&frame, &layout);
        (layout, neighbours)
    }

    #[test]
    fn open_candidates_are_those_that_no_clue_excludes() {
        let (found, neighbours) = layout(Nodes::Open, &[&PUZZLE, &SOLUTION]);
        // r1c2 and r1c3 can be 2 or 3, but column 2 has a 3.
        let first: Vec<i32> =
            found.candidates.iter().copied().take_while(|&candidate| candidate < 16).collect();
        assert_eq!(first, [4 + 1, 8 + 1, 8 + 2]);
        assert_eq!(
            (found.puzzle_count(), found.starts[2]),
            (2, found.starts[1]),
            "a full grid has no open candidate"
        );
        assert_eq!(neighbours.group(1, 0), [1, 2], "the cell r1c3");
        assert_eq!(neighbours.group(0, 1), [0, 1], "the 2s of row 1");
        let (all, _) = layout(Nodes::All, &[&PUZZLE]);
        assert_eq!((all.len(), all.roles[0], all.roles[1], all.roles[4]), (64, 1, 2, 3));
    }

    #[test]
    fn one_candidate_of_each_open_cell_is_right() {
        let (found, neighbours) = layout(Nodes::Open, &[&PUZZLE]);
        let targets =
            PuzzleNodes::new(&Frame::new(Order::FOUR), Nodes::Open, &PUZZLE).targets(4, &SOLUTION);
        assert_eq!(targets.iter().sum::<f32>(), 10.0);
        let right = |node: &u32| targets[*node as usize] > 0.0;
        let cells = (0..found.len()).map(|node| neighbours.group(node, 0));
        assert!(cells.clone().all(|cell| cell.iter().filter(|node| right(node)).count() == 1));
    }
}
