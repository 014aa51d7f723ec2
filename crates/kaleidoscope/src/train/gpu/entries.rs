//! Attention kernels for nodes with lists of groups, for puzzles with any rules: one unit (GPU
//! thread) per head and node, which iterates over the entries of the node.
//!
//! The method is that of `attention.rs`, for groups of any number and size. The groups of a puzzle
//! are one list of numbers, which `NodeGroups::packed` describes. Its numbers of nodes and entries
//! count from the first of the puzzle. Entries of a node are sorted by slot. Slots without groups
//! are skipped; see `products.rs`.
//!
//! Most puzzles of a batch stay for several steps. Their groups are copied within GPU memory, and
//! only those of new puzzles are uploaded.

use super::attention::{FAR, dot};
use super::products::has_slot;
use super::{GpuKernels, GpuRows, Numbers, PADDING, UNITS, numbers, units};
use crate::HEAD_WIDTH;
use crate::groups::NodeGroups;
use crate::layout::Layout;
use cubecl::bytes::Bytes;
use cubecl::client::ComputeClient;
use cubecl::cuda::CudaRuntime;
use cubecl::prelude::*;
use half::bf16;
use std::sync::Arc;

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

/// The slots that any node of the same [`PADDING`] rows has.
#[cube]
fn mask_of_node(masks: &Tensor<u32>, node: usize, #[comptime] has_masks: bool) -> u32 {
    let mut mask = 0xffu32;
    if comptime!(has_masks) {
        mask = masks[node / PADDING];
    }
    mask
}

#[cube(launch)]
#[allow(clippy::too_many_arguments)]
pub fn attend_to_entries<N: Size>(
    rows: &Tensor<Vector<bf16, N>>,
    packed: &Tensor<i32>,
    places: &Tensor<i32>,
    owners: &Tensor<i32>,
    masks: &Tensor<u32>,
    out: &mut Tensor<Vector<bf16, N>>,
    nodes: u32,
    units: u32,
    #[comptime] heads: usize,
    #[comptime] slots: usize,
    #[comptime] has_masks: bool,
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
    let mask = mask_of_node(masks, node, has_masks);
    for slot in 0..slots {
        if has_slot(mask, slot) {
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
    masks: &Tensor<u32>,
    found: &mut Tensor<Vector<bf16, N>>,
    stats: &mut Tensor<f32>,
    nodes: u32,
    units: u32,
    #[comptime] heads: usize,
    #[comptime] slots: usize,
    #[comptime] has_masks: bool,
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
    let mask = mask_of_node(masks, node, has_masks);
    for slot in 0..slots {
        if has_slot(mask, slot) {
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
    masks: &Tensor<u32>,
    stats: &Tensor<f32>,
    found: &mut Tensor<Vector<bf16, N>>,
    nodes: u32,
    units: u32,
    #[comptime] heads: usize,
    #[comptime] slots: usize,
    #[comptime] has_masks: bool,
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
    let mask = mask_of_node(masks, node, has_masks);
    for slot in 0..slots {
        if has_slot(mask, slot) {
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
}

/// The lists of the puzzles of a batch, one after the other. `moves` contains for each puzzle the
/// place of its list in `out`, the place in `new` or `old`, the length, and whether it is new.
#[cube(launch)]
pub fn collect_lists(
    old: &Tensor<u32>,
    new: &Tensor<u32>,
    moves: &Tensor<u32>,
    out: &mut Tensor<u32>,
) {
    let own = CUBE_POS * 4;
    let to = moves[own] as usize;
    let from = moves[own + 1] as usize;
    let length = moves[own + 2] as usize;
    let is_new = moves[own + 3] == 1;
    let rounds = (length + comptime!(UNITS - 1)) / UNITS;
    for round in 0..rounds {
        let index = round * UNITS + UNIT_POS as usize;
        if index < length {
            if is_new {
                out[to + index] = new[from + index];
            } else {
                out[to + index] = old[from + index];
            }
        }
    }
}

/// The groups of nodes in GPU memory; see [`packed`](NodeGroups::packed).
#[derive(Clone)]
pub(super) struct Entries {
    /// The number of entries.
    count: usize,
    /// The packed groups of all puzzles.
    pub packed: Numbers,
    /// For each puzzle its place in the packed groups, its first entry and its first node.
    pub places: Numbers,
    /// For each [`PADDING`] rows the slots that any of their nodes has, if they can be skipped.
    pub masks: Option<Numbers>,
    /// The puzzles, and the places of their lists.
    puzzles: Vec<(Arc<NodeGroups>, usize)>,
}

impl Entries {
    /// Keeps the lists of puzzles that `old` has in the same position. `rows` is the number of
    /// nodes with padding.
    ///
    /// # Panics
    /// If a puzzle has more nodes or entries than `NodeGroups::can_be_packed` allows.
    pub fn new(
        client: &'static ComputeClient<CudaRuntime>,
        layout: &Layout,
        heads: usize,
        rows: usize,
        old: Option<&Entries>,
    ) -> Entries {
        let (mut count, mut length) = (0, 0);
        let (mut places, mut moves, mut new) = (Vec::new(), Vec::new(), Vec::new());
        let mut puzzles = Vec::with_capacity(layout.groups.len());
        let mut masks = vec![0u32; rows / PADDING];
        for (index, (groups, &first_node)) in layout.groups.iter().zip(&layout.starts).enumerate() {
            assert!(groups.can_be_packed(), "a puzzle has too many groups for the GPU");
            let packed = groups.packed();
            places.extend([length as u32, count as u32, first_node as u32]);
            let kept = old.and_then(|old| old.puzzles.get(index));
            let kept = kept.filter(|(old, _)| Arc::ptr_eq(old, groups)).map(|&(_, place)| place);
            let from = kept.unwrap_or(new.len());
            moves.extend([length, from, packed.len(), usize::from(kept.is_none())].map(as_u32));
            if kept.is_none() {
                new.extend_from_slice(packed);
            }
            for (node, &slots) in (first_node..).zip(groups.slots()) {
                masks[node / PADDING] |= u32::from(slots);
            }
            puzzles.push((groups.clone(), length));
            count += groups.entry_count();
            length += packed.len();
        }
        if new.is_empty() {
            new.push(0);
        }
        let packed = Numbers { length, handle: client.empty(4 * length.max(1)) };
        let new = Numbers { length: new.len(), handle: client.create(Bytes::from_elems(new)) };
        collect_lists::launch::<CudaRuntime>(
            client,
            CubeCount::Static(puzzles.len().max(1) as u32, 1, 1),
            CubeDim::new_1d(UNITS as u32),
            old.map_or(&new, |old| &old.packed).arg(),
            new.arg(),
            numbers(client, &moves).arg(),
            packed.arg(),
        );
        let places = numbers(client, &places);
        // The columns of a slot are complete tiles.
        let can_skip = (heads * HEAD_WIDTH).is_multiple_of(16);
        let masks = can_skip.then(|| numbers(client, &masks));
        Entries { count, packed, places, masks, puzzles }
    }
}

fn as_u32(number: usize) -> u32 {
    u32::try_from(number).expect("the lists of a batch have fewer than 2³² numbers")
}

impl GpuKernels {
    /// The slots of each [`PADDING`] rows, if others are skipped.
    pub(super) fn masks_of_chunks(&self) -> Option<Vec<u32>> {
        let masks = self.entries.as_ref()?.masks.as_ref()?;
        let bytes = self.client.read_one_unchecked(masks.handle.clone());
        Some(u32::from_bytes(&bytes).to_vec())
    }

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
            self.masks().arg(),
            out.numbers.arg(),
            self.nodes as u32,
            (self.padded() * self.heads) as u32,
            self.heads,
            self.spans.slots,
            groups.masks.is_some(),
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
            self.masks().arg(),
            out.numbers.arg(),
            stats.arg(),
            self.nodes as u32,
            (self.padded() * self.heads) as u32,
            self.heads,
            self.spans.slots,
            groups.masks.is_some(),
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
            self.masks().arg(),
            stats.arg(),
            out.numbers.arg(),
            self.nodes as u32,
            (self.padded() * self.heads) as u32,
            self.heads,
            self.spans.slots,
            groups.masks.is_some(),
        );
    }
}
