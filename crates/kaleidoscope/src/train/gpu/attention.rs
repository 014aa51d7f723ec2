//! Attention kernels: one unit (GPU thread) per head and node, which iterates over the groups of
//! the node. Below, x' is the gradient of x, and a share is an attention weight.
//!
//! ```text
//! forward:   share = softmax(query · keys of the group and of the sink),  out = Σ share · value
//! backward:  as a query:         slope  = out' · value
//!                                score' = share · (slope − Σ share · slope)
//!                                query' = Σ score' · key
//!            as a key and value: the same shares, of all queries of the group
//! ```
//! No two units write to the same address, so there are no atomics, and the same inputs always give
//! the same results. The forward pass stores nothing for the gradient. The backward pass of a query
//! recomputes the softmax, and stores its logarithmic sum and its mean slope for the backward pass
//! of the keys. One pass suffices for both, because query' = Σ share · slope · key − (Σ share ·
//! slope) · Σ share · key. The softmax is summed on the fly, and rescaled only if a score is so
//! much higher that its share would overflow. The eight numbers of a head are one vector, so rows
//! are counted in vectors here.

use cubecl::prelude::*;
use half::bf16;

/// A score that exceeds the maximum by this much rescales the sums. Below that nothing overflows.
pub(super) const FAR: f32 = 60.0;

/// The dot product of two heads.
#[cube]
pub(super) fn dot<N: Size>(one: Vector<f32, N>, other: Vector<f32, N>) -> f32 {
    let products = one * other;
    let mut sum = products[0usize];
    #[unroll]
    for d in 1..8usize {
        sum += products[d];
    }
    sum
}

/// The attention output of a head of a node in one of its groups.
#[cube]
#[allow(clippy::too_many_arguments)]
fn attend_group<N: Size>(
    rows: &Tensor<Vector<bf16, N>>,
    neighbours: &Tensor<i32>,
    counts: &Tensor<i32>,
    node: usize,
    head: usize,
    #[comptime] family: usize,
    #[comptime] slot: usize,
    #[comptime] heads: usize,
    #[comptime] side: usize,
    #[comptime] has_sink: bool,
) -> Vector<f32, N> {
    let width = comptime!(9 * heads);
    let place = node * width + comptime!(slot * 3 * heads) + head;
    // 1 / √8, of the width of a head.
    let query = Vector::<f32, N>::cast_from(rows[place]) * Vector::<f32, N>::new(0.353_553_4f32);
    let mut taken = Vector::<f32, N>::new(0.0f32);
    let mut highest = f32::new(comptime!(if has_sink { 0.0 } else { -1.0e30 }));
    let mut total = f32::new(comptime!(if has_sink { 1.0 } else { 0.0 }));
    let group = node * 4 + family;
    let count = counts[group] as usize;
    for j in 0..count {
        let other = neighbours[group * side + j] as usize;
        let key = other * width + comptime!((slot * 3 + 1) * heads) + head;
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
    taken * Vector::<f32, N>::new(inverse)
}

#[cube(launch)]
pub fn attend_to_groups<N: Size>(
    rows: &Tensor<Vector<bf16, N>>,
    neighbours: &Tensor<i32>,
    counts: &Tensor<i32>,
    out: &mut Tensor<Vector<bf16, N>>,
    units: u32,
    #[comptime] heads: usize,
    #[comptime] side: usize,
    #[comptime] has_sink: bool,
) {
    let unit = ABSOLUTE_POS;
    if unit >= units as usize {
        terminate!();
    }
    let head = unit % heads;
    let node = unit / heads;
    let place = node * comptime!(3 * heads) + head;
    let cell = attend_group::<N>(
        rows, neighbours, counts, node, head, 0usize, 0usize, heads, side, has_sink,
    );
    out[place] = Vector::<bf16, N>::cast_from(cell);
    let row = attend_group::<N>(
        rows, neighbours, counts, node, head, 1usize, 1usize, heads, side, has_sink,
    );
    let column = attend_group::<N>(
        rows, neighbours, counts, node, head, 2usize, 1usize, heads, side, has_sink,
    );
    out[place + heads] = Vector::<bf16, N>::cast_from(row + column);
    let square = attend_group::<N>(
        rows, neighbours, counts, node, head, 3usize, 2usize, heads, side, has_sink,
    );
    out[place + comptime!(2 * heads)] = Vector::<bf16, N>::cast_from(square);
}

/// The gradient of the query in one group. Stores what the gradients of the keys need in `stats`.
#[cube]
#[allow(clippy::too_many_arguments)]
fn attend_group_backward<N: Size>(
    rows: &Tensor<Vector<bf16, N>>,
    gradient: &Tensor<Vector<bf16, N>>,
    neighbours: &Tensor<i32>,
    counts: &Tensor<i32>,
    stats: &mut Tensor<f32>,
    node: usize,
    head: usize,
    #[comptime] family: usize,
    #[comptime] slot: usize,
    #[comptime] heads: usize,
    #[comptime] side: usize,
    #[comptime] has_sink: bool,
) -> Vector<f32, N> {
    let width = comptime!(9 * heads);
    let query =
        Vector::<f32, N>::cast_from(rows[node * width + comptime!(slot * 3 * heads) + head])
            * Vector::<f32, N>::new(0.353_553_4f32);
    let slopes = Vector::<f32, N>::cast_from(
        gradient[node * comptime!(3 * heads) + comptime!(slot * heads) + head],
    );
    let mut highest = f32::new(comptime!(if has_sink { 0.0 } else { -1.0e30 }));
    let mut total = f32::new(comptime!(if has_sink { 1.0 } else { 0.0 }));
    let mut mean = 0.0f32;
    let mut keys = Vector::<f32, N>::new(0.0f32);
    let mut steep = Vector::<f32, N>::new(0.0f32);
    let group = node * 4 + family;
    let count = counts[group] as usize;
    for j in 0..count {
        let other = neighbours[group * side + j] as usize;
        let place = other * width + comptime!((slot * 3 + 1) * heads) + head;
        let key = Vector::<f32, N>::cast_from(rows[place]);
        let slope = dot::<N>(slopes, Vector::<f32, N>::cast_from(rows[place + heads]));
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
    stats[(group * heads + head) * 2] = highest + f32::ln(max(total, 1.0e-30f32));
    stats[(group * heads + head) * 2 + 1] = mean;
    (steep - keys * Vector::<f32, N>::new(mean)) * Vector::<f32, N>::new(inverse * 0.353_553_4f32)
}

#[cube(launch)]
pub fn attend_backward_queries<N: Size>(
    rows: &Tensor<Vector<bf16, N>>,
    gradient: &Tensor<Vector<bf16, N>>,
    neighbours: &Tensor<i32>,
    counts: &Tensor<i32>,
    found: &mut Tensor<Vector<bf16, N>>,
    stats: &mut Tensor<f32>,
    units: u32,
    #[comptime] heads: usize,
    #[comptime] side: usize,
    #[comptime] has_sink: bool,
) {
    let unit = ABSOLUTE_POS;
    if unit >= units as usize {
        terminate!();
    }
    let head = unit % heads;
    let node = unit / heads;
    let place = node * comptime!(9 * heads) + head;
    let cell = attend_group_backward::<N>(
        rows, gradient, neighbours, counts, stats, node, head, 0usize, 0usize, heads, side,
        has_sink,
    );
    found[place] = Vector::<bf16, N>::cast_from(cell);
    let row = attend_group_backward::<N>(
        rows, gradient, neighbours, counts, stats, node, head, 1usize, 1usize, heads, side,
        has_sink,
    );
    let column = attend_group_backward::<N>(
        rows, gradient, neighbours, counts, stats, node, head, 2usize, 1usize, heads, side,
        has_sink,
    );
    found[place + comptime!(3 * heads)] = Vector::<bf16, N>::cast_from(row + column);
    let square = attend_group_backward::<N>(
        rows, gradient, neighbours, counts, stats, node, head, 3usize, 2usize, heads, side,
        has_sink,
    );
    found[place + comptime!(6 * heads)] = Vector::<bf16, N>::cast_from(square);
}

/// The gradients of key and value of a node from all queries of the one or two families of a slot.
#[cube]
#[allow(clippy::too_many_arguments)]
fn keys_and_values_backward<N: Size>(
    rows: &Tensor<Vector<bf16, N>>,
    gradient: &Tensor<Vector<bf16, N>>,
    neighbours: &Tensor<i32>,
    counts: &Tensor<i32>,
    stats: &Tensor<f32>,
    found: &mut Tensor<Vector<bf16, N>>,
    node: usize,
    head: usize,
    #[comptime] family: usize,
    #[comptime] families: usize,
    #[comptime] slot: usize,
    #[comptime] heads: usize,
    #[comptime] side: usize,
) {
    let width = comptime!(9 * heads);
    let place = node * width + comptime!((slot * 3 + 1) * heads) + head;
    let key = Vector::<f32, N>::cast_from(rows[place]);
    let value = Vector::<f32, N>::cast_from(rows[place + heads]);
    let mut keys = Vector::<f32, N>::new(0.0f32);
    let mut values = Vector::<f32, N>::new(0.0f32);
    #[unroll]
    for step in 0..families {
        let group = node * 4 + family + step;
        let count = counts[group] as usize;
        for j in 0..count {
            let other = neighbours[group * side + j] as usize;
            let query = Vector::<f32, N>::cast_from(
                rows[other * width + comptime!(slot * 3 * heads) + head],
            );
            let out = other * comptime!(3 * heads) + comptime!(slot * heads) + head;
            let slopes = Vector::<f32, N>::cast_from(gradient[out]);
            let place = ((other * 4 + family + step) * heads + head) * 2;
            let share = f32::exp(dot::<N>(key, query) * 0.353_553_4f32 - stats[place]);
            let back = share * (dot::<N>(value, slopes) - stats[place + 1]) * 0.353_553_4f32;
            keys = keys + query * Vector::<f32, N>::new(back);
            values = values + slopes * Vector::<f32, N>::new(share);
        }
    }
    found[place] = Vector::<bf16, N>::cast_from(keys);
    found[place + heads] = Vector::<bf16, N>::cast_from(values);
}

#[cube(launch)]
pub fn attend_backward_keys<N: Size>(
    rows: &Tensor<Vector<bf16, N>>,
    gradient: &Tensor<Vector<bf16, N>>,
    neighbours: &Tensor<i32>,
    counts: &Tensor<i32>,
    stats: &Tensor<f32>,
    found: &mut Tensor<Vector<bf16, N>>,
    units: u32,
    #[comptime] heads: usize,
    #[comptime] side: usize,
) {
    let unit = ABSOLUTE_POS;
    if unit >= units as usize {
        terminate!();
    }
    let head = unit % heads;
    let node = unit / heads;
    keys_and_values_backward::<N>(
        rows, gradient, neighbours, counts, stats, found, node, head, 0usize, 1usize, 0usize,
        heads, side,
    );
    keys_and_values_backward::<N>(
        rows, gradient, neighbours, counts, stats, found, node, head, 1usize, 2usize, 1usize,
        heads, side,
    );
    keys_and_values_backward::<N>(
        rows, gradient, neighbours, counts, stats, found, node, head, 3usize, 1usize, 2usize,
        heads, side,
    );
}
