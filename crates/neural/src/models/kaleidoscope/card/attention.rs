//! Attention as kernels: one unit for each head of each node, which walks along the groups of its node.
//!
//! ```text
//! forward:   share = softmax(query · keys of the group and of the sink),  out = Σ share · value
//! backward:  as a query:         slope = out' · value,  score' = share · (slope − Σ share · slope),  query' = Σ score' · key
//!            as a key and value: the same shares, of the queries that looked here
//! ```
//! Nobody writes where another unit writes, so there are no atomics and equal inputs give equal results. The forward pass keeps
//! nothing: a unit that looks back works out its softmax again, and leaves its logarithmic sum and its mean slope for those that
//! it looked at. One walk is enough for both, as query' = Σ share · slope · key − (Σ share · slope) · Σ share · key. The softmax is
//! summed up on the way, which rescales what it has only where a score is so much higher that its share would overflow. The eight numbers of a head are one vector, read and written in one piece: rows are counted in vectors here.

use burn::tensor::bf16;
use cubecl::prelude::*;

/// A score that is higher by this much makes the walk rescale what it has; before that nothing overflows.
const FAR: f32 = 60.0;

/// The sum of the products of two heads.
#[cube]
fn dot<N: Size>(one: Vector<f32, N>, other: Vector<f32, N>) -> f32 {
    let products = one * other;
    let mut sum = products[0usize];
    #[unroll]
    for d in 1..8usize {
        sum += products[d];
    }
    sum
}

/// What a head of a node takes from one of its groups.
#[cube]
#[allow(clippy::too_many_arguments)]
fn look<N: Size>(
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
    let cell =
        look::<N>(rows, neighbours, counts, node, head, 0usize, 0usize, heads, side, has_sink);
    out[place] = Vector::<bf16, N>::cast_from(cell);
    let row =
        look::<N>(rows, neighbours, counts, node, head, 1usize, 1usize, heads, side, has_sink);
    let column =
        look::<N>(rows, neighbours, counts, node, head, 2usize, 1usize, heads, side, has_sink);
    out[place + heads] = Vector::<bf16, N>::cast_from(row + column);
    let square =
        look::<N>(rows, neighbours, counts, node, head, 3usize, 2usize, heads, side, has_sink);
    out[place + comptime!(2 * heads)] = Vector::<bf16, N>::cast_from(square);
}

/// The gradient of the query of one group; what those need that were looked at is left in `left`.
#[cube]
#[allow(clippy::too_many_arguments)]
fn look_back<N: Size>(
    rows: &Tensor<Vector<bf16, N>>,
    gradient: &Tensor<Vector<bf16, N>>,
    neighbours: &Tensor<i32>,
    counts: &Tensor<i32>,
    left: &mut Tensor<f32>,
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
    left[(group * heads + head) * 2] = highest + f32::ln(max(total, 1.0e-30f32));
    left[(group * heads + head) * 2 + 1] = mean;
    (steep - keys * Vector::<f32, N>::new(mean)) * Vector::<f32, N>::new(inverse * 0.353_553_4f32)
}

#[cube(launch)]
pub fn attend_backward_queries<N: Size>(
    rows: &Tensor<Vector<bf16, N>>,
    gradient: &Tensor<Vector<bf16, N>>,
    neighbours: &Tensor<i32>,
    counts: &Tensor<i32>,
    found: &mut Tensor<Vector<bf16, N>>,
    left: &mut Tensor<f32>,
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
    let cell = look_back::<N>(
        rows, gradient, neighbours, counts, left, node, head, 0usize, 0usize, heads, side, has_sink,
    );
    found[place] = Vector::<bf16, N>::cast_from(cell);
    let row = look_back::<N>(
        rows, gradient, neighbours, counts, left, node, head, 1usize, 1usize, heads, side, has_sink,
    );
    let column = look_back::<N>(
        rows, gradient, neighbours, counts, left, node, head, 2usize, 1usize, heads, side, has_sink,
    );
    found[place + comptime!(3 * heads)] = Vector::<bf16, N>::cast_from(row + column);
    let square = look_back::<N>(
        rows, gradient, neighbours, counts, left, node, head, 3usize, 2usize, heads, side, has_sink,
    );
    found[place + comptime!(6 * heads)] = Vector::<bf16, N>::cast_from(square);
}

/// The gradients of key and value of a node from all queries of the families of a slot, which are one or two.
#[cube]
#[allow(clippy::too_many_arguments)]
fn looked_at<N: Size>(
    rows: &Tensor<Vector<bf16, N>>,
    gradient: &Tensor<Vector<bf16, N>>,
    neighbours: &Tensor<i32>,
    counts: &Tensor<i32>,
    left: &Tensor<f32>,
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
            let stats = ((other * 4 + family + step) * heads + head) * 2;
            let share = f32::exp(dot::<N>(key, query) * 0.353_553_4f32 - left[stats]);
            let back = share * (dot::<N>(value, slopes) - left[stats + 1]) * 0.353_553_4f32;
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
    left: &Tensor<f32>,
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
    looked_at::<N>(
        rows, gradient, neighbours, counts, left, found, node, head, 0usize, 1usize, 0usize, heads,
        side,
    );
    looked_at::<N>(
        rows, gradient, neighbours, counts, left, found, node, head, 1usize, 2usize, 1usize, heads,
        side,
    );
    looked_at::<N>(
        rows, gradient, neighbours, counts, left, found, node, head, 3usize, 1usize, 2usize, heads,
        side,
    );
}
