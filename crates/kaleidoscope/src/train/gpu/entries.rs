//! Attention kernels for nodes with lists of groups, for puzzles with any rules: one unit (GPU
//! thread) per head and node, which iterates over the entries of the node.
//!
//! The method is that of `attention.rs`, for groups of any number and size. An entry has two numbers
//! in GPU memory: its first member, and its number of members plus 2²⁴ times its slot. Entries of a
//! node are sorted by slot.

use super::attention::{FAR, dot};
use cubecl::prelude::*;
use half::bf16;

/// The slot of an entry, or `slots` after the last entry of the node.
#[cube]
fn slot_of(entries: &Tensor<i32>, entry: usize, end: usize, #[comptime] slots: usize) -> usize {
    let mut slot = slots.runtime();
    if entry < end {
        slot = (entries[entry * 2 + 1] >> 24) as usize;
    }
    slot
}

/// The entries of a node: the first one, and the one after the last.
#[cube]
fn entries_of(ends: &Tensor<i32>, node: usize, nodes: u32) -> (usize, usize) {
    let mut first = 0usize;
    let mut end = 0usize;
    if node < nodes as usize {
        end = ends[node] as usize;
        if node > 0 {
            first = ends[node - 1] as usize;
        }
    }
    (first, end)
}

#[cube(launch)]
#[allow(clippy::too_many_arguments)]
pub fn attend_to_entries<N: Size>(
    rows: &Tensor<Vector<bf16, N>>,
    ends: &Tensor<i32>,
    entries: &Tensor<i32>,
    members: &Tensor<i32>,
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
    let (first_entry, end) = entries_of(ends, node, nodes);
    let mut entry = first_entry;
    let mut current = slot_of(entries, entry, end, slots);
    for slot in 0..slots {
        let mut sum = Vector::<f32, N>::new(0.0f32);
        if current == slot {
            let own = slot * comptime!(3 * heads) + head;
            let query = Vector::<f32, N>::cast_from(rows[node * width + own])
                * Vector::<f32, N>::new(0.353_553_4f32);
            while current == slot {
                let first = entries[entry * 2] as usize;
                let count = (entries[entry * 2 + 1] & 0xff_ffff) as usize;
                let mut taken = Vector::<f32, N>::new(0.0f32);
                let mut highest = f32::new(comptime!(if has_sink { 0.0 } else { -1.0e30 }));
                let mut total = f32::new(comptime!(if has_sink { 1.0 } else { 0.0 }));
                for j in 0..count {
                    let key = members[first + j] as usize * width + own + heads;
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
                current = slot_of(entries, entry, end, slots);
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
    ends: &Tensor<i32>,
    entries: &Tensor<i32>,
    members: &Tensor<i32>,
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
    let (first_entry, end) = entries_of(ends, node, nodes);
    let mut entry = first_entry;
    let mut current = slot_of(entries, entry, end, slots);
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
                let first = entries[entry * 2] as usize;
                let count = (entries[entry * 2 + 1] & 0xff_ffff) as usize;
                let mut highest = f32::new(comptime!(if has_sink { 0.0 } else { -1.0e30 }));
                let mut total = f32::new(comptime!(if has_sink { 1.0 } else { 0.0 }));
                let mut mean = 0.0f32;
                let mut keys = Vector::<f32, N>::new(0.0f32);
                let mut steep = Vector::<f32, N>::new(0.0f32);
                for j in 0..count {
                    let place = members[first + j] as usize * width + own + heads;
                    let key = Vector::<f32, N>::cast_from(rows[place]);
                    let value = Vector::<f32, N>::cast_from(rows[place + heads]);
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
                stats[(entry * heads + head) * 2] = highest + f32::ln(max(total, 1.0e-30f32));
                stats[(entry * heads + head) * 2 + 1] = mean;
                sum += (steep - keys * Vector::<f32, N>::new(mean))
                    * Vector::<f32, N>::new(inverse * 0.353_553_4f32);
                entry += 1;
                current = slot_of(entries, entry, end, slots);
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
    ends: &Tensor<i32>,
    entries: &Tensor<i32>,
    members: &Tensor<i32>,
    partners: &Tensor<i32>,
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
    let (first_entry, end) = entries_of(ends, node, nodes);
    let mut entry = first_entry;
    let mut current = slot_of(entries, entry, end, slots);
    for slot in 0..slots {
        let own = slot * comptime!(3 * heads) + head;
        let place = node * width + own + heads;
        let mut keys = Vector::<f32, N>::new(0.0f32);
        let mut values = Vector::<f32, N>::new(0.0f32);
        if current == slot {
            let key = Vector::<f32, N>::cast_from(rows[place]);
            let value = Vector::<f32, N>::cast_from(rows[place + heads]);
            while current == slot {
                let first = entries[entry * 2] as usize;
                let count = (entries[entry * 2 + 1] & 0xff_ffff) as usize;
                for j in 0..count {
                    let other = members[first + j] as usize;
                    let of_other = (partners[first + j] as usize * heads + head) * 2;
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
                current = slot_of(entries, entry, end, slots);
            }
        }
        found[place] = Vector::<bf16, N>::cast_from(keys);
        found[place + heads] = Vector::<bf16, N>::cast_from(values);
    }
}
