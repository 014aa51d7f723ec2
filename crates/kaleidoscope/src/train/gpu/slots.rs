//! Slots: the nodes and attention groups of a batch, built on the GPU from a few numbers per
//! puzzle.

use super::{GpuKernels, GpuRows, Numbers, UNITS, numbers, rows, units};
use crate::layout::{FAMILIES, Frame, PuzzleNodes};
use crate::noise;
use crate::parameters::Span;
use cubecl::CubeElement;
use cubecl::cuda::CudaRuntime;
use cubecl::prelude::CubeDim;

/// The puzzles of a batch, in the compact form that is copied to the GPU.
#[derive(Clone, Debug)]
pub(in super::super) struct SlotLayout {
    /// For each puzzle a bit mask of the candidates that are nodes.
    pub masks: Vec<u32>,
    /// The first node of each puzzle, and at the end the number of nodes.
    pub starts: Vec<i32>,
    /// For each puzzle the row of its first node in the old states, or −1 for the first start, −2
    /// for the second and so on.
    pub rows: Vec<i32>,
    /// The role of each node, for networks with [`Nodes::All`](crate::Nodes::All).
    pub roles: Vec<i32>,
}

impl SlotLayout {
    pub fn new() -> SlotLayout {
        SlotLayout { masks: Vec::new(), starts: vec![0], rows: Vec::new(), roles: Vec::new() }
    }

    /// The number of nodes.
    pub fn nodes(&self) -> usize {
        *self.starts.last().expect("starts is never empty") as usize
    }

    /// Adds a puzzle, whose states come from this row. The caller adds its roles.
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

/// The words of a bit mask of all candidates.
fn words_of(frame: &Frame) -> usize {
    frame.candidates().div_ceil(32)
}

impl GpuKernels {
    /// Builds the attention groups of the nodes.
    pub fn build_groups(&mut self, frame: &Frame) {
        self.entries = None;
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

    /// The likeliest digit of each cell of each puzzle, counted from 1; 0 for cells without nodes.
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

    /// Replaces the puzzles of the batch. Puzzles with a row keep their states, others start.
    /// `noise` contains the sources of all candidates for the second start, the third and so on.
    pub fn assign_slots(
        &mut self,
        frame: &Frame,
        slots: &SlotLayout,
        old: Option<&GpuRows>,
        noise: &Numbers,
        start: Span,
    ) -> GpuRows {
        self.puzzles = slots.rows.len();
        self.side = frame.order.side();
        self.nodes = slots.nodes();
        let (padded, words) = (self.padded(), words_of(frame));
        self.starts = numbers(self.client, &slots.starts);
        let (masks, rows) = (numbers(self.client, &slots.masks), numbers(self.client, &slots.rows));
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
            if slots.roles.is_empty() { self.zeros(padded) } else { self.indices(&slots.roles, 0) };
        self.build_groups(frame);
        self.begin(old, start)
    }
}
