//! The attention groups of nodes: which nodes attend to which others, and with which weights.
//!
//! An entry is one group of one node: a slot, which selects the weights, and a list of members. The
//! nodes of a group share its list. In a relation every node has a list with its partners. Relations
//! between nodes are symmetric: if a node is a member of an entry, then the node of that entry is a
//! member of an entry of it. `partners` contains this other entry for each member, so that a
//! gradient can be computed without writing to the same number twice.

use super::layout::{Frame, Layout, SLOT_OF_FAMILY};
use ninefold::grid::rules::{GroupKind, Groups};
use std::sync::OnceLock;

/// A group of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The first member in the list of all members.
    pub first: u32,
    /// The number of members.
    pub count: u32,
    /// The slot.
    pub slot: u32,
}

/// The groups of the nodes of one puzzle or of a batch.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeGroups {
    /// The number of entries before each node except the first.
    ends: Vec<u32>,
    entries: Vec<Entry>,
    members: Vec<u32>,
    partners: Vec<u32>,
    /// For each node the first node and the number of nodes of which exactly one is true: its cell,
    /// or the combinations of its cage. Other hidden nodes have none.
    choices: Vec<[u32; 2]>,
    /// See [`packed`](NodeGroups::packed).
    packed: OnceLock<Vec<u32>>,
    /// See [`slots`](NodeGroups::slots).
    slots: OnceLock<Vec<u8>>,
}

/// The slot of a kind of group.
fn slot_of(kind: GroupKind) -> usize {
    match kind {
        GroupKind::Cell => 0,
        GroupKind::Line => 1,
        GroupKind::House => 2,
        GroupKind::AtMostOne => 3,
        _ => CAGE,
    }
}

const DIFFERENT: usize = 3;
const RELATION: usize = 4;
const CAGE: usize = 5;
const PATH: usize = 6;

impl NodeGroups {
    /// The groups of the nodes of a layout, from the houses of the grid.
    pub fn of_frame(frame: &Frame, layout: &Layout) -> NodeGroups {
        let mut all = NodeGroups::default();
        let mut node_of = vec![u32::MAX; frame.candidates()];
        for puzzle in 0..layout.puzzle_count() {
            let nodes = layout.starts[puzzle]..layout.starts[puzzle + 1];
            node_of.fill(u32::MAX);
            let candidates = &layout.candidates[nodes];
            for (node, &candidate) in (0..).zip(candidates) {
                node_of[candidate as usize] = node;
            }
            let mut lists = Lists::new(candidates.len());
            for (family, slot) in SLOT_OF_FAMILY.into_iter().enumerate() {
                let mut is_done = vec![false; candidates.len()];
                for node in 0..candidates.len() {
                    if !is_done[node] {
                        let group = frame.group(candidates[node] as usize, family).iter();
                        let present = group.map(|&other| node_of[other as usize]);
                        let members: Vec<u32> =
                            present.filter(|&other| other != u32::MAX).collect();
                        members.iter().for_each(|&member| is_done[member as usize] = true);
                        lists.add_group(slot, &members, family == 0);
                    }
                }
            }
            all.append(&lists.finish(), all.ends.len());
        }
        all
    }

    /// The groups of the candidates of a puzzle with any rules.
    pub fn of_rules(groups: &Groups) -> NodeGroups {
        let mut lists = Lists::new(groups.node_count());
        let mut sorted: Vec<(GroupKind, &[u32])> = groups.groups().collect();
        sorted.sort_by_key(|(kind, _)| slot_of(*kind));
        let (simple, cages): (Vec<_>, Vec<_>) =
            sorted.into_iter().partition(|(kind, _)| slot_of(*kind) <= DIFFERENT);
        for (kind, members) in simple {
            lists.add_group(slot_of(kind), members, kind == GroupKind::Cell);
        }
        lists.add_relation(DIFFERENT, groups.conflicts().iter().copied());
        for relation in groups.relations().chunk_by(|a, b| a.0 == b.0) {
            lists.add_relation(RELATION, relation.iter().map(|&(_, a, b)| (a, b)));
        }
        for (kind, members) in cages {
            lists.add_group(CAGE, members, kind == GroupKind::Combinations);
        }
        lists.add_relation(PATH, groups.paths().iter().copied());
        lists.finish()
    }

    /// Adds the groups of another puzzle, whose first node has this number.
    pub fn append(&mut self, other: &NodeGroups, first_node: usize) {
        let nodes = first_node as u32;
        let (entries, members) = (self.entries.len() as u32, self.members.len() as u32);
        self.ends.extend(other.ends.iter().map(|end| end + entries));
        self.entries.extend(
            other.entries.iter().map(|entry| Entry { first: entry.first + members, ..*entry }),
        );
        self.members.extend(other.members.iter().map(|member| member + nodes));
        self.partners.extend(other.partners.iter().map(|entry| entry + entries));
        self.choices.extend(other.choices.iter().map(|[first, count]| [first + nodes, *count]));
    }

    fn entries_of(&self, node: usize) -> &[Entry] {
        let first = node.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        &self.entries[first..self.ends[node] as usize]
    }

    /// The slots and the members of the groups of a node, in the order of slots.
    #[inline]
    pub fn of(&self, node: usize) -> impl Iterator<Item = (usize, &[u32])> {
        self.entries_of(node).iter().map(|entry| {
            let members = entry.first as usize..(entry.first + entry.count) as usize;
            (entry.slot as usize, &self.members[members])
        })
    }

    /// The nodes of which exactly one is true, and that include this node.
    #[inline]
    pub fn choice(&self, node: usize) -> std::ops::Range<usize> {
        let [first, count] = self.choices[node];
        first as usize..(first + count) as usize
    }

    /// The number of entries.
    pub fn entry_count(&self) -> usize {
        self.entries.len()
    }

    /// The groups of one puzzle as one list, for GPUs:
    ///
    /// ```text
    /// the places of the entries, of the members and of the choices in this list
    /// for each node      the number of entries up to it
    /// for each entry     the first member; the number of members and 2²⁴ times the slot
    /// for each member    the node, and 2¹⁶ times the partner; the nodes and the entries of a puzzle
    ///                    have numbers below 2¹⁶
    /// for each node      the first node and the number of nodes of its choice
    /// ```
    pub fn packed(&self) -> &[u32] {
        self.packed.get_or_init(|| {
            let entries = PACKED_HEADER + self.ends.len();
            let members = entries + 2 * self.entries.len();
            let choices = members + self.members.len();
            let mut packed = Vec::with_capacity(choices + 2 * self.ends.len());
            packed.extend([entries, members, choices].map(|place| place as u32));
            packed.extend(&self.ends);
            packed.extend(
                self.entries.iter().flat_map(|entry| [entry.first, entry.count | entry.slot << 24]),
            );
            let members = self.members.iter().zip(&self.partners);
            packed.extend(members.map(|(node, entry)| node | entry << 16));
            packed.extend(self.choices.as_flattened());
            packed
        })
    }

    /// For each node a bit for each slot in which it has a group.
    pub fn slots(&self) -> &[u8] {
        self.slots.get_or_init(|| {
            let of_node =
                |node| self.entries_of(node).iter().fold(0, |slots, entry| slots | 1 << entry.slot);
            (0..self.ends.len()).map(of_node).collect()
        })
    }

    /// Whether the numbers of nodes and entries fit into [`packed`](NodeGroups::packed).
    pub fn can_be_packed(&self) -> bool {
        self.ends.len() < 1 << 16 && self.entries.len() < 1 << 16
    }
}

/// Places at the beginning of packed groups.
pub const PACKED_HEADER: usize = 3;

/// Entries in the order in which they are added, which must be the order of slots.
struct Lists {
    nodes: Vec<u32>,
    entries: Vec<Entry>,
    members: Vec<u32>,
    partners: Vec<u32>,
    choices: Vec<[u32; 2]>,
}

impl Lists {
    fn new(node_count: usize) -> Lists {
        Lists {
            nodes: Vec::new(),
            entries: Vec::new(),
            members: Vec::new(),
            partners: Vec::new(),
            choices: vec![[0, 0]; node_count],
        }
    }

    /// A group in which every node attends to all nodes.
    fn add_group(&mut self, slot: usize, members: &[u32], is_choice: bool) {
        let (first, entry) = (self.members.len() as u32, self.entries.len() as u32);
        let count = members.len() as u32;
        self.partners.extend(entry..entry + count);
        self.members.extend(members);
        for &node in members {
            self.nodes.push(node);
            self.entries.push(Entry { first, count, slot: slot as u32 });
            if is_choice {
                // Candidates of a cell and combinations of a cage have consecutive numbers.
                debug_assert_eq!(members[members.len() - 1] - members[0] + 1, count);
                self.choices[node as usize] = [members[0], count];
            }
        }
    }

    /// Pairs of nodes that attend to each other.
    fn add_relation(&mut self, slot: usize, pairs: impl Iterator<Item = (u32, u32)>) {
        let mut pairs: Vec<(u32, u32)> = pairs.flat_map(|(a, b)| [(a, b), (b, a)]).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let lists: Vec<&[(u32, u32)]> = pairs.chunk_by(|one, other| one.0 == other.0).collect();
        let entries = self.entries.len() as u32;
        let entry_of = |node: u32| {
            let list = lists.binary_search_by_key(&node, |list| list[0].0);
            entries + list.expect("pairs are symmetric") as u32
        };
        for list in &lists {
            let (first, count) = (self.members.len() as u32, list.len() as u32);
            self.nodes.push(list[0].0);
            self.entries.push(Entry { first, count, slot: slot as u32 });
            self.members.extend(list.iter().map(|pair| pair.1));
            self.partners.extend(list.iter().map(|pair| entry_of(pair.1)));
        }
    }

    /// Sorts the entries by their nodes.
    fn finish(self) -> NodeGroups {
        let node_count = self.choices.len();
        let mut ends = vec![0; node_count];
        self.nodes.iter().for_each(|&node| ends[node as usize] += 1);
        let mut sum = 0;
        for end in &mut ends {
            sum += *end;
            *end = sum;
        }
        let mut next: Vec<u32> = [0].into_iter().chain(ends.iter().copied()).collect();
        let place_of: Vec<u32> = self
            .nodes
            .iter()
            .map(|&node| {
                let place = &mut next[node as usize];
                *place += 1;
                *place - 1
            })
            .collect();
        let mut entries = vec![Entry { first: 0, count: 0, slot: 0 }; self.entries.len()];
        for (entry, &place) in self.entries.iter().zip(&place_of) {
            entries[place as usize] = *entry;
        }
        let partners = self.partners.iter().map(|&entry| place_of[entry as usize]).collect();
        NodeGroups {
            ends,
            entries,
            members: self.members,
            partners,
            choices: self.choices,
            packed: OnceLock::new(),
            slots: OnceLock::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::PuzzleNodes;
    use ninefold::grid::rules::{Constraint, Rules};
    use ninefold::grid::{Grid, Order};
    use std::sync::Arc;

    fn with(constraint: Constraint) -> PuzzleNodes {
        let rules = Rules::classic(Order::FOUR).with(constraint).unwrap();
        let puzzle: Grid = "1...............".parse().unwrap();
        PuzzleNodes::with_rules(&puzzle.with_rules(Arc::new(rules))).unwrap().0
    }

    /// Every member has an entry that contains the node.
    fn check_partners(groups: &NodeGroups) {
        let (members, partners) = (&groups.members, &groups.partners);
        let mut node_of_entry = Vec::new();
        for node in 0..groups.ends.len() {
            node_of_entry.extend(groups.entries_of(node).iter().map(|_| node as u32));
        }
        for (at, entry) in groups.entries.iter().enumerate() {
            let range = entry.first as usize..(entry.first + entry.count) as usize;
            for (&member, &partner) in members[range.clone()].iter().zip(&partners[range]) {
                assert_eq!(node_of_entry[partner as usize], member);
                let other = groups.entries[partner as usize];
                let back = &members[other.first as usize..][..other.count as usize];
                assert!(back.contains(&node_of_entry[at]) && other.slot == entry.slot);
            }
        }
    }

    #[test]
    fn relations_of_nodes_are_symmetric() {
        let cells = vec![Order::FOUR.cell(2, 1), Order::FOUR.cell(2, 2)];
        let line = ninefold::grid::rules::LineRule::Thermometer;
        for constraint in [
            Constraint::AntiKnight,
            Constraint::Cage { cells: cells.clone(), sum: Some(5) },
            Constraint::Line { kind: line, cells },
        ] {
            let nodes = with(constraint);
            let groups = nodes.groups.clone().unwrap();
            check_partners(&groups);
            let packed = groups.packed();
            let ends = &packed[PACKED_HEADER..][..groups.ends.len()];
            assert_eq!((ends, packed[0] as usize), (&groups.ends[..], 3 + groups.ends.len()));
            let slots: Vec<usize> = groups.of(0).map(|(slot, _)| slot).collect();
            assert!(slots.is_sorted(), "{slots:?}");
            let bits = slots.iter().fold(0, |bits, slot| bits | 1 << slot);
            assert_eq!(groups.slots()[0], bits);
            let layout = Layout::new([&nodes, &nodes].into_iter());
            check_partners(&layout.node_groups(&Frame::new(Order::FOUR)));
        }
    }

    #[test]
    fn classic_rules_have_the_groups_of_the_frame() {
        let puzzle: Grid = "1..4..1..3..4..3".parse().unwrap();
        let (with_rules, known) = PuzzleNodes::with_rules(&puzzle).unwrap();
        let frame = Frame::new(Order::FOUR);
        let nodes = PuzzleNodes::new(&frame, crate::Nodes::Open, &known);
        let groups = Layout::new(std::iter::once(&nodes)).node_groups(&frame);
        check_partners(&groups);
        assert_eq!(with_rules.candidates, nodes.candidates);
        let of_rules = with_rules.groups.unwrap();
        for node in 0..nodes.candidates.len() {
            let sorted = |groups: &NodeGroups| {
                let mut list: Vec<(usize, Vec<u32>)> =
                    groups.of(node).map(|(slot, members)| (slot, members.to_vec())).collect();
                list.sort();
                list
            };
            assert_eq!(sorted(&of_rules), sorted(&groups));
            assert_eq!(of_rules.choice(node), groups.choice(node));
        }
    }
}
