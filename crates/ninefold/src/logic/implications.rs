//! Computes the consequences of every node of a link graph at the same time.
//!
//! If a node is true, its weak neighbours are false. If a node is false, its strong neighbours are
//! true (`links.rs` explains nodes and links). For each node, this file computes the set of nodes
//! that become true by repeating these two rules. The sets are bit rows. A sweep passes known
//! results from each node to its neighbours, until nothing changes:
//!
//! ```text
//! repeat until nothing changes:
//!     for each node b: if_false[b] |= every strong neighbour c of b, and if_true[c]
//!     for each node a: if_true[a]  |= if_false[b] of every weak neighbour b of a
//! ```
//!
//! Only nodes with strong links get a row and a bit, because no other node can become true. A node
//! is visited only if one of its neighbours changed in the previous sweep. Separate walks from each
//! node would follow the same links many times.

use super::links::Graph;

/// Nodes that become true as a consequence of each node.
pub(super) struct Implications {
    /// For each node, its row and bit index, or [`NONE`].
    row_of: Vec<u32>,
    /// The node of each row.
    nodes: Vec<u32>,
    /// Number of words per row.
    words: usize,
    /// Nodes that become true if the node of a row is true, and if it is false.
    if_true: Vec<u64>,
    if_false: Vec<u64>,
}

const NONE: u32 = u32::MAX;

/// Larger graphs would need too much memory, so nothing is computed for them.
const MAX_ROWS: usize = 2_048;

impl Implications {
    /// Follows all links of a graph.
    pub fn new<const W: usize>(graph: &Graph<W>) -> Implications {
        let nodes: Vec<u32> = (0..graph.len()).filter(|&node| graph.is_linked(node)).collect();
        let mut row_of = vec![NONE; graph.len() as usize];
        for (row, &node) in nodes.iter().enumerate() {
            row_of[node as usize] = row as u32;
        }
        let words = nodes.len().div_ceil(64);
        let room = if nodes.len() > MAX_ROWS { 0 } else { nodes.len() * words };
        let (if_true, if_false) = (vec![0; room], vec![0; room]);
        let mut implications = Implications { row_of, nodes, words, if_true, if_false };
        if implications.is_known() {
            implications.sweep(graph);
        }
        implications
    }

    /// Returns true if the graph was small enough.
    pub fn is_known(&self) -> bool {
        self.nodes.len() <= MAX_ROWS
    }

    fn sweep<const W: usize>(&mut self, graph: &Graph<W>) {
        let words = self.words;
        let row = |node: u32| self.row_of[node as usize] as usize;
        let range = |row: usize| row * words..(row + 1) * words;
        let (mut new_if_true, mut new_if_false) =
            (vec![true; self.nodes.len()], vec![false; self.nodes.len()]);
        let mut first = true;
        loop {
            let mut some_new = false;
            for (index, &node) in self.nodes.iter().enumerate() {
                let target = &mut self.if_false[range(index)];
                let mut is_new = false;
                for partner in graph.partners(node).map(row).filter(|&partner| new_if_true[partner])
                {
                    if first {
                        target[partner / 64] |= 1 << (partner % 64);
                        is_new = true;
                    }
                    is_new |= add(target, &self.if_true[range(partner)]);
                }
                new_if_false[index] = is_new;
                some_new |= is_new;
            }
            first = false;
            if !some_new {
                return;
            }
            for (index, &node) in self.nodes.iter().enumerate() {
                let target = &mut self.if_true[range(index)];
                let seen = graph
                    .weak(node)
                    .iter()
                    .map(|&seen| row(seen))
                    .filter(|&seen| new_if_false[seen]);
                new_if_true[index] = seen
                    .fold(false, |is_new, seen| is_new | add(target, &self.if_false[range(seen)]));
            }
        }
    }

    /// Returns true if a node makes another node true that rules it out. These are its weak
    /// neighbours.
    pub fn may_refute<const W: usize>(&self, graph: &Graph<W>, node: u32) -> bool {
        if !self.is_known() {
            return true;
        }
        let weak = graph.weak(node);
        let row = |node: u32| self.row_of[node as usize] as usize;
        let has = |rows: &[u64], from: usize, to: usize| {
            rows[from * self.words + to / 64] >> (to % 64) & 1 == 1
        };
        match self.row_of[node as usize] {
            NONE => weak
                .iter()
                .any(|&off| weak.iter().any(|&on| has(&self.if_false, row(off), row(on)))),
            own => weak.iter().any(|&on| has(&self.if_true, own as usize, row(on))),
        }
    }

    /// Returns the nodes that become true if a node is true. Returns `None` if the graph is too
    /// large, or if the node may be refuted. In the second case the consequences contradict each
    /// other, and only a walk finds which part comes first.
    pub fn from<const W: usize>(
        &self,
        graph: &Graph<W>,
        node: u32,
    ) -> Option<impl Iterator<Item = u32> + '_> {
        if self.may_refute(graph, node) {
            return None;
        }
        let mut row = vec![0; self.words];
        for &off in graph.weak(node) {
            add(
                &mut row,
                &self.if_false[self.row_of[off as usize] as usize * self.words..][..self.words],
            );
        }
        let bits = row.into_iter().enumerate().flat_map(|(word, bits)| {
            let next = |bits: u64| (bits != 0).then_some(bits);
            std::iter::successors(next(bits), move |bits| next(bits & (bits - 1)))
                .map(move |bits| 64 * word + bits.trailing_zeros() as usize)
        });
        Some(bits.map(|row| self.nodes[row]))
    }
}

/// Adds the bits of one row to another and returns true if this changed anything.
fn add(target: &mut [u64], more: &[u64]) -> bool {
    let mut new = 0;
    for (target, more) in target.iter_mut().zip(more) {
        new |= more & !*target;
        *target |= more;
    }
    new != 0
}
