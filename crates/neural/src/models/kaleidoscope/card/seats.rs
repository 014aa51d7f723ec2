//! Seats: which nodes there are and who looks at whom, worked out on the card from a few numbers for each puzzle.

use super::super::layout::{FAMILIES, Frame, PuzzleNodes};
use super::super::noise;
use super::super::parameters::Span;
use super::{Card, CardRows, Numbers, UNITS, numbers, rows, units};
use cubecl::CubeElement;
use cubecl::cuda::CudaRuntime;
use cubecl::prelude::CubeDim;

/// Puzzles that think side by side, in a few numbers each: the card works out the rest.
#[derive(Clone, Debug)]
pub(in super::super) struct Seats {
    /// For each puzzle a bit for each candidate that is a node.
    pub masks: Vec<u32>,
    /// For each puzzle its first node; one more entry says where the last one ends.
    pub starts: Vec<i32>,
    /// For each puzzle the row of its first node in the states of before, or −1 for the first start, −2 for the second and so on.
    pub rows: Vec<i32>,
    /// The role of each node, if the network looks at roles.
    pub roles: Vec<i32>,
}

impl Seats {
    /// No seats yet.
    pub fn new() -> Seats {
        Seats { masks: Vec::new(), starts: vec![0], rows: Vec::new(), roles: Vec::new() }
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        *self.starts.last().expect("the nodes end somewhere") as usize
    }

    /// Seats another puzzle, whose states come from this row. Its roles are not noted.
    pub fn add(&mut self, frame: &Frame, nodes: &PuzzleNodes, row: i32) {
        let first = self.masks.len();
        self.masks.resize(first + words_of(frame), 0);
        let mask = &mut self.masks[first..];
        nodes
            .candidates
            .iter()
            .for_each(|&candidate| mask[candidate as usize / 32] |= 1 << (candidate % 32));
        self.rows.push(row);
        self.starts.push((self.nodes() + nodes.candidates.len()) as i32);
    }
}

/// Words of a mask with a bit for each candidate.
fn words_of(frame: &Frame) -> usize {
    frame.candidates().div_ceil(32)
}

impl Card {
    /// Works out who looks at whom.
    pub fn find_groups(&mut self, frame: &Frame) {
        let members = self.group_members(frame);
        let count = (self.puzzles * frame.candidates()).max(1);
        let index = self.empty(count);
        rows::fill_index::launch::<CudaRuntime>(
            self.client,
            units(count),
            CubeDim::new_1d(UNITS as u32),
            index.arg(),
            count as u32,
        );
        rows::index_nodes::launch::<CudaRuntime>(
            self.client,
            units(self.padded()),
            CubeDim::new_1d(UNITS as u32),
            self.candidates.arg(),
            self.owners.arg(),
            index.arg(),
            self.nodes as u32,
            frame.candidates() as u32,
        );
        let groups = self.padded() * FAMILIES;
        self.neighbours = self.empty(groups * self.side);
        self.counts = self.empty(groups);
        rows::find_neighbours::launch::<CudaRuntime>(
            self.client,
            units(groups),
            CubeDim::new_1d(UNITS as u32),
            self.candidates.arg(),
            self.owners.arg(),
            index.arg(),
            members.arg(),
            self.neighbours.arg(),
            self.counts.arg(),
            self.nodes as u32,
            groups as u32,
            frame.candidates() as u32,
            self.side,
        );
    }

    /// The likeliest digit of each cell of each puzzle, counted from 1; 0 where a cell has no nodes.
    pub fn likeliest_digits(&self, logits: &Numbers, cells: usize) -> Vec<u32> {
        let digits = self.zeros(self.puzzles * cells);
        rows::find_digits::launch::<CudaRuntime>(
            self.client,
            units(self.padded()),
            CubeDim::new_1d(UNITS as u32),
            logits.arg(),
            self.neighbours.arg(),
            self.counts.arg(),
            self.candidates.arg(),
            self.owners.arg(),
            digits.arg(),
            self.nodes as u32,
            cells as u32,
            self.side,
        );
        u32::from_bytes(&self.client.read_one_unchecked(digits.handle.clone())).to_vec()
    }

    /// Gives puzzles their seats: those that were there bring their states, others begin. `noise` has the sources of the nodes of a
    /// puzzle for the second start, the third and so on.
    pub fn seat(
        &mut self,
        frame: &Frame,
        seats: &Seats,
        old: Option<&CardRows>,
        noise: &Numbers,
        start: Span,
    ) -> CardRows {
        self.puzzles = seats.rows.len();
        self.side = frame.order.side();
        self.nodes = seats.nodes();
        let (padded, words) = (self.padded(), words_of(frame));
        self.starts = numbers(self.client, &seats.starts);
        let (masks, rows) = (numbers(self.client, &seats.masks), numbers(self.client, &seats.rows));
        let of_words = self.puzzles * words;
        (self.candidates, self.owners, self.sources) =
            (self.empty(padded), self.empty(padded), self.empty(padded));
        rows::spread_nodes::launch::<CudaRuntime>(
            self.client,
            units(of_words + padded - self.nodes),
            CubeDim::new_1d(UNITS as u32),
            masks.arg(),
            self.starts.arg(),
            rows.arg(),
            noise.arg(),
            self.candidates.arg(),
            self.owners.arg(),
            self.sources.arg(),
            of_words as u32,
            self.nodes as u32,
            padded as u32,
            noise::NONE,
            frame.candidates() as u32,
            words,
        );
        self.roles =
            if seats.roles.is_empty() { self.zeros(padded) } else { self.indices(&seats.roles, 0) };
        self.find_groups(frame);
        self.begin(old, start)
    }
}
