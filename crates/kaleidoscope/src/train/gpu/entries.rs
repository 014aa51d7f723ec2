//! Attention kernels for nodes with lists of groups, for puzzles with any rules: one unit (GPU
//! thread) per head and node, which iterates over the entries of the node.
//!
//! The method is that of `attention.rs`, for groups of any number and size. The groups of a puzzle
//! are one list of numbers, which `NodeGroups::packed` describes. Its numbers of nodes and entries
//! count from the first of the puzzle. Entries of a node are sorted by slot.

use super::attention::{FAR, dot};
use super::{GpuKernels, GpuRows, Numbers, UNITS, numbers, units};
use crate::HEAD_WIDTH;
use crate::layout::Layout;
use cubecl::bytes::Bytes;
use cubecl::client::ComputeClient;
use cubecl::cuda::CudaRuntime;
use cubecl::prelude::*;
use half::bf16;

/// Where the groups of a puzzle are.
#[derive(CubeType, Clone, Copy)]
struct Place {
    entries: usize,
    members: usize,
    /// The numbers of the first entry and of the first node of the puzzle in the batch.
    first_entry: usize,
    first_node: usize,
    /// The entries of the node: the first one, and the one after the last.
    begin: usize,
    end: usize,
}

#[cube]
fn place_of(
    packed: &Tensor<i32>,
    places: &Tensor<i32>,
    owners: &Tensor<i32>,
    node: usize,
    nodes: u32,
) -> Place {
    let place = owners[node] as usize * 3;
    let base = places[place] as usize;
    let first_node = places[place + 2] as usize;
    let mut begin = 0usize;
    let mut end = 0usize;
    // Other rows are padding.
    if node < nodes as usize {
        let own = base + 3 + node - first_node;
        end = packed[own] as usize;
        if node > first_node {
            begin = packed[own - 1] as usize;
        }
    }
    Place {
        entries: base + packed[base] as usize,
        members: base + packed[base + 1] as usize,
        first_entry: places[place + 1] as usize,
        first_node,
        begin,
        end,
    }
}

/// The slot of an entry, or `slots` after the last entry of the node.
#[cube]
fn slot_of(
    packed: &Tensor<i32>,
    entries: usize,
    entry: usize,
    end: usize,
    #[comptime] slots: usize,
) -> usize {
    let mut slot = slots.runtime();
    if entry < end {
        slot = (packed[entries + entry * 2 + 1] >> 24) as usize;
    }
    slot
}

#[cube(launch)]
#[allow(clippy::too_many_arguments)]
pub fn attend_to_entries<N: Size>(
    rows: &Tensor<Vector<bf16, N>>,
    packed: &Tensor<i32>,
    places: &Tensor<i32>,
    owners: &Tensor<i32>,
    out: &mut Tensor<Vector<bf16, N>>,
    nodes: u32,
    units: u32,
    #[comptime] heads: usize,
    #[comptime] slots: usize,
    #[comptime] has_sink: bool,
) {
    let unit = ABSOLUTE_POS;
    if unit >= units as usize {
        terminate!();
    }
    let head = unit % heads;
    let node = unit / heads;
    let width = comptime!(3 * slots * heads);
    let place = place_of(packed, places, owners, node, nodes);
    let mut entry = place.begin;
    let mut current = slot_of(packed, place.entries, entry, place.end, slots);
    for slot in 0..slots {
        let mut sum = Vector::<f32, N>::new(0.0f32);
        if current == slot {
            let own = slot * comptime!(3 * heads) + head;
            let query = Vector::<f32, N>::cast_from(rows[node * width + own])
                * Vector::<f32, N>::new(0.353_553_4f32);
            while current == slot {
                let first = place.members + packed[place.entries + entry * 2] as usize;
                let count = (packed[place.entries + entry * 2 + 1] & 0xff_ffff) as usize;
                let mut taken = Vector::<f32, N>::new(0.0f32);
                let mut highest = f32::new(comptime!(if has_sink { 0.0 } else { -1.0e30 }));
                let mut total = f32::new(comptime!(if has_sink { 1.0 } else { 0.0 }));
                for j in 0..count {
                    let other = place.first_node + (packed[first + j] & 0xffff) as usize;
                    let key = other * width + own + heads;
                    let score = dot::<N>(query, Vector::<f32, N>::cast_from(rows[key]));
                    let value = Vector::<f32, N>::cast_from(rows[key + heads]);
                    if score > highest + FAR {
                        let keep = f32::exp(highest - score);
                        total *= keep;
                        taken = taken * Vector::<f32, N>::new(keep);
                        highest = score;
                    }
                    let share = f32::exp(score - highest);
                    total += share;
                    taken += value * Vector::<f32, N>::new(share);
                }
                let mut inverse = 0.0f32;
                if total > 0.0f32 {
                    inverse = 1.0f32 / total;
                }
                sum += taken * Vector::<f32, N>::new(inverse);
                entry += 1;
                current = slot_of(packed, place.entries, entry, place.end, slots);
            }
        }
        out[node * comptime!(slots * heads) + slot * heads + head] =
            Vector::<bf16, N>::cast_from(sum);
    }
}

/// The gradients of the queries. Stores what the gradients of the keys need in `stats`, for each
/// entry and head.
#[cube(launch)]
#[allow(clippy::too_many_arguments)]
pub fn entries_backward_queries<N: Size>(
    rows: &Tensor<Vector<bf16, N>>,
    gradient: &Tensor<Vector<bf16, N>>,
    packed: &Tensor<i32>,
    places: &Tensor<i32>,
    owners: &Tensor<i32>,
    found: &mut Tensor<Vector<bf16, N>>,
    stats: &mut Tensor<f32>,
    nodes: u32,
    units: u32,
    #[comptime] heads: usize,
    #[comptime] slots: usize,
    #[comptime] has_sink: bool,
) {
    let unit = ABSOLUTE_POS;
    if unit >= units as usize {
        terminate!();
    }
    let head = unit % heads;
    let node = unit / heads;
    let width = comptime!(3 * slots * heads);
    let place = place_of(packed, places, owners, node, nodes);
    let mut entry = place.begin;
    let mut current = slot_of(packed, place.entries, entry, place.end, slots);
    for slot in 0..slots {
        let own = slot * comptime!(3 * heads) + head;
        let mut sum = Vector::<f32, N>::new(0.0f32);
        if current == slot {
            let query = Vector::<f32, N>::cast_from(rows[node * width + own])
                * Vector::<f32, N>::new(0.353_553_4f32);
            let slopes = Vector::<f32, N>::cast_from(
                gradient[node * comptime!(slots * heads) + slot * heads + head],
            );
            while current == slot {
                let first = place.members + packed[place.entries + entry * 2] as usize;
                let count = (packed[place.entries + entry * 2 + 1] & 0xff_ffff) as usize;
                let mut highest = f32::new(comptime!(if has_sink { 0.0 } else { -1.0e30 }));
                let mut total = f32::new(comptime!(if has_sink { 1.0 } else { 0.0 }));
                let mut mean = 0.0f32;
                let mut keys = Vector::<f32, N>::new(0.0f32);
                let mut steep = Vector::<f32, N>::new(0.0f32);
                for j in 0..count {
                    let other = place.first_node + (packed[first + j] & 0xffff) as usize;
                    let other = other * width + own + heads;
                    let key = Vector::<f32, N>::cast_from(rows[other]);
                    let value = Vector::<f32, N>::cast_from(rows[other + heads]);
                    let slope = dot::<N>(slopes, value);
                    let score = dot::<N>(query, key);
                    if score > highest + FAR {
                        let keep = f32::exp(highest - score);
                        total *= keep;
                        mean *= keep;
                        keys = keys * Vector::<f32, N>::new(keep);
                        steep = steep * Vector::<f32, N>::new(keep);
                        highest = score;
                    }
                    let share = f32::exp(score - highest);
                    total += share;
                    mean += share * slope;
                    keys += key * Vector::<f32, N>::new(share);
                    steep += key * Vector::<f32, N>::new(share * slope);
                }
                let mut inverse = 0.0f32;
                if total > 0.0f32 {
                    inverse = 1.0f32 / total;
                }
                mean *= inverse;
                let own_stats = ((place.first_entry + entry) * heads + head) * 2;
                stats[own_stats] = highest + f32::ln(max(total, 1.0e-30f32));
                stats[own_stats + 1] = mean;
                sum += (steep - keys * Vector::<f32, N>::new(mean))
                    * Vector::<f32, N>::new(inverse * 0.353_553_4f32);
                entry += 1;
                current = slot_of(packed, place.entries, entry, place.end, slots);
            }
        }
        found[node * width + own] = Vector::<bf16, N>::cast_from(sum);
    }
}

/// The gradients of keys and values, from the queries of all nodes that attend to this one.
#[cube(launch)]
#[allow(clippy::too_many_arguments)]
pub fn entries_backward_keys<N: Size>(
    rows: &Tensor<Vector<bf16, N>>,
    gradient: &Tensor<Vector<bf16, N>>,
    packed: &Tensor<i32>,
    places: &Tensor<i32>,
    owners: &Tensor<i32>,
    stats: &Tensor<f32>,
    found: &mut Tensor<Vector<bf16, N>>,
    nodes: u32,
    units: u32,
    #[comptime] heads: usize,
    #[comptime] slots: usize,
) {
    let unit = ABSOLUTE_POS;
    if unit >= units as usize {
        terminate!();
    }
    let head = unit % heads;
    let node = unit / heads;
    let width = comptime!(3 * slots * heads);
    let place = place_of(packed, places, owners, node, nodes);
    let mut entry = place.begin;
    let mut current = slot_of(packed, place.entries, entry, place.end, slots);
    for slot in 0..slots {
        let own = slot * comptime!(3 * heads) + head;
        let own_row = node * width + own + heads;
        let mut keys = Vector::<f32, N>::new(0.0f32);
        let mut values = Vector::<f32, N>::new(0.0f32);
        if current == slot {
            let key = Vector::<f32, N>::cast_from(rows[own_row]);
            let value = Vector::<f32, N>::cast_from(rows[own_row + heads]);
            while current == slot {
                let first = place.members + packed[place.entries + entry * 2] as usize;
                let count = (packed[place.entries + entry * 2 + 1] & 0xff_ffff) as usize;
                for j in 0..count {
                    let member = packed[first + j];
                    let other = place.first_node + (member & 0xffff) as usize;
                    let partner = place.first_entry + ((member >> 16) & 0xffff) as usize;
                    let of_other = (partner * heads + head) * 2;
                    let query = Vector::<f32, N>::cast_from(rows[other * width + own]);
                    let slopes = Vector::<f32, N>::cast_from(
                        gradient[other * comptime!(slots * heads) + slot * heads + head],
                    );
                    let score = dot::<N>(key, query) * 0.353_553_4f32;
                    let share = f32::exp(score - stats[of_other]);
                    let slope = dot::<N>(value, slopes) - stats[of_other + 1];
                    keys += query * Vector::<f32, N>::new(share * slope * 0.353_553_4f32);
                    values += slopes * Vector::<f32, N>::new(share);
                }
                entry += 1;
                current = slot_of(packed, place.entries, entry, place.end, slots);
            }
        }
        found[own_row] = Vector::<bf16, N>::cast_from(keys);
        found[own_row + heads] = Vector::<bf16, N>::cast_from(values);
    }
}

/// The groups of nodes in GPU memory; see [`packed`](crate::groups::NodeGroups::packed).
#[derive(Clone)]
pub(super) struct Entries {
    /// The number of entries.
    count: usize,
    /// The packed groups of all puzzles.
    pub packed: Numbers,
    /// For each puzzle its place in the packed groups, its first entry and its first node.
    pub places: Numbers,
}

impl Entries {
    /// # Panics
    /// If a puzzle has more nodes or entries than `NodeGroups::can_be_packed` allows.
    pub fn new(client: &'static ComputeClient<CudaRuntime>, layout: &Layout) -> Entries {
        let (mut places, mut count, mut length) = (Vec::new(), 0, 0);
        for (groups, &first_node) in layout.groups.iter().zip(&layout.starts) {
            assert!(groups.can_be_packed(), "a puzzle has too many groups for the GPU");
            places.extend([length as u32, count as u32, first_node as u32]);
            count += groups.entry_count();
            length += groups.packed().len();
        }
        let mut packed: Vec<u32> = Vec::with_capacity(length);
        layout.groups.iter().for_each(|groups| packed.extend_from_slice(groups.packed()));
        let places = numbers(client, &places);
        let packed = Numbers { length, handle: client.create(Bytes::from_elems(packed)) };
        Entries { count, packed, places }
    }
}

impl GpuKernels {
    /// Attention of every node within its entries.
    pub(super) fn attend_to_entries(&self, groups: &Entries, rows: &GpuRows, out: &GpuRows) {
        attend_to_entries::launch::<CudaRuntime>(
            self.client,
            units(self.padded() * self.heads),
            CubeDim::new_1d(UNITS as u32),
            HEAD_WIDTH,
            rows.numbers.arg(),
            groups.packed.arg(),
            groups.places.arg(),
            self.owners.arg(),
            out.numbers.arg(),
            self.nodes as u32,
            (self.padded() * self.heads) as u32,
            self.heads,
            self.spans.slots,
            self.has_sink,
        );
    }

    /// The gradient of [`attend_to_entries`](GpuKernels::attend_to_entries).
    pub(super) fn attend_to_entries_backward(
        &self,
        groups: &Entries,
        rows: &GpuRows,
        gradient: &GpuRows,
        out: &GpuRows,
    ) {
        let stats = self.empty((groups.count * self.heads * 2).max(1));
        entries_backward_queries::launch::<CudaRuntime>(
            self.client,
            units(self.padded() * self.heads),
            CubeDim::new_1d(UNITS as u32),
            HEAD_WIDTH,
            rows.numbers.arg(),
            gradient.numbers.arg(),
            groups.packed.arg(),
            groups.places.arg(),
            self.owners.arg(),
            out.numbers.arg(),
            stats.arg(),
            self.nodes as u32,
            (self.padded() * self.heads) as u32,
            self.heads,
            self.spans.slots,
            self.has_sink,
        );
        entries_backward_keys::launch::<CudaRuntime>(
            self.client,
            units(self.padded() * self.heads),
            CubeDim::new_1d(UNITS as u32),
            HEAD_WIDTH,
            rows.numbers.arg(),
            gradient.numbers.arg(),
            groups.packed.arg(),
            groups.places.arg(),
            self.owners.arg(),
            stats.arg(),
            out.numbers.arg(),
            self.nodes as u32,
            (self.padded() * self.heads) as u32,
            self.heads,
            self.spans.slots,
        );
    }
}
