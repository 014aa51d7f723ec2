//! What follows from every node of a link graph, all at once.
//!
//! In words: if a node is true, its weak neighbours are false; if a node is false, its strong neighbours are true, and
//! so on. For each node we want the set of nodes that become true in this way. The sets are rows of bits, and one
//! sweep hands what is known about a node to its neighbours, until nothing is new:
//!
//! ```text
//! repeat until nothing changes:
//!     for each node b: if_false[b] |= every strong neighbour c of b, and if_true[c]
//!     for each node a: if_true[a]  |= if_false[b] of every weak neighbour b of a
//! ```
//!
//! Only nodes with strong links get a row and a bit: no other node ever becomes true. A node is visited only if one of
//! its neighbours changed in the sweep before. A walk from each node would follow the same links again and again.

use super::links::Graph;

/// For each node what becomes true if it is.
pub(super) struct Following {
    /// For each node its row and bit, or [`NONE`].
    row_of: Vec<u32>,
    /// The node of each row.
    nodes: Vec<u32>,
    /// Words in a row.
    words: usize,
    /// What becomes true if the node of a row is true, and if it is false.
    if_true: Vec<u64>,
    if_false: Vec<u64>,
}

const NONE: u32 = u32::MAX;

/// The rows of a larger graph would take too much room, so nothing is known about it.
const MOST_ROWS: usize = 2_048;

impl Following {
    /// Follows all links of a graph.
    pub fn of<const W: usize>(graph: &Graph<W>) -> Following {
        let nodes: Vec<u32> = (0..graph.len()).filter(|&node| graph.is_linked(node)).collect();
        let mut row_of = vec![NONE; graph.len() as usize];
        for (row, &node) in nodes.iter().enumerate() {
            row_of[node as usize] = row as u32;
        }
        let words = nodes.len().div_ceil(64);
        let room = if nodes.len() > MOST_ROWS { 0 } else { nodes.len() * words };
        let (if_true, if_false) = (vec![0; room], vec![0; room]);
        let mut following = Following { row_of, nodes, words, if_true, if_false };
        if following.is_known() {
            following.sweep(graph);
        }
        following
    }

    /// Was the graph small enough?
    pub fn is_known(&self) -> bool {
        self.nodes.len() <= MOST_ROWS
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

    /// May the node be refuted: does it make a node true that rules it out? Those are its weak neighbours.
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

    /// The nodes that become true if a node is true; `None` if the graph is too large to know, or if the node may be
    /// refuted: then what follows contradicts itself, and only a walk says which part of it comes first.
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

/// Adds the bits of one row to another; was anything new?
fn add(target: &mut [u64], more: &[u64]) -> bool {
    let mut new = 0;
    for (target, more) in target.iter_mut().zip(more) {
        new |= more & !*target;
        *target |= more;
    }
    new != 0
}
