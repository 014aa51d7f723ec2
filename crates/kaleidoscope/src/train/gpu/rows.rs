//! Kernels for single rows: norms, gates, initial states, logits and losses.
//!
//! Sums over a row use a plane of 32 units (threads), where each unit adds every 32nd number. Sums
//! over all rows, for the gradient of a vector, use a few lanes per row, with eight numbers each.
//! Every cube (thread block) adds its share of the rows to separate sums, `[cubes, numbers]`.

use crate::train::kernels::HIDDEN_LOSS;
use cubecl::prelude::*;
use half::bf16;

#[cube(launch)]
pub fn normalize_rows(
    rows: &Tensor<bf16>,
    parameters: &Tensor<f32>,
    out: &mut Tensor<bf16>,
    nodes: u32,
    start: u32,
    inverse_width: f32,
    #[comptime] width: usize,
) {
    let lane = (UNIT_POS % 32) as usize;
    let row = CUBE_POS * 8 + (UNIT_POS / 32) as usize;
    if row < nodes as usize {
        let place = row * width + lane;
        let mut square = 0.0f32;
        #[unroll]
        for part in 0..comptime!(width.div_ceil(32)) {
            if lane + part * 32 < width {
                let value = f32::cast_from(rows[place + part * 32]);
                square += value * value;
            }
        }
        let inverse = 1.0f32 / f32::sqrt(plane_sum(square) * inverse_width + 1.0e-6f32);
        #[unroll]
        for part in 0..comptime!(width.div_ceil(32)) {
            if lane + part * 32 < width {
                let value = f32::cast_from(rows[place + part * 32]);
                let gain = parameters[start as usize + lane + part * 32];
                out[place + part * 32] = bf16::cast_from(value * inverse * gain);
            }
        }
    }
}

/// Units of a cube.
pub(super) const UNITS: usize = 256;

/// Lanes per row: one for each vector of eight numbers, rounded up to a power of two, so that sums
/// take few exchanges.
pub(super) fn lanes_of_row(width: usize) -> usize {
    (width / 8).next_power_of_two()
}

/// The sum over the lanes of a row.
#[cube]
fn sum_of_lanes(value: f32, #[comptime] lanes: usize) -> f32 {
    let mut sum = value;
    #[unroll]
    for bit in 0..comptime!(lanes.ilog2() as usize) {
        sum += plane_shuffle_xor(sum, comptime!(1u32 << bit as u32));
    }
    sum
}

/// The sum of the numbers of a vector.
#[cube]
fn sum_of_vector<N: Size>(vector: Vector<f32, N>) -> f32 {
    let mut sum = vector[0usize];
    #[unroll]
    for d in 1..8usize {
        sum += vector[d];
    }
    sum
}

/// Adds the results of the units of a cube, each for its vector of a row, to the sums of the cube.
#[cube]
fn add_to_sums<N: Size>(
    found: Vector<f32, N>,
    sums: &mut Tensor<f32>,
    place: usize,
    #[comptime] width: usize,
    #[comptime] lanes: usize,
) {
    let lane = UNIT_POS as usize % lanes;
    let row = UNIT_POS as usize / lanes;
    let mut shared = SharedMemory::<f32>::new(comptime!(UNITS / lanes * width));
    if lane < comptime!(width / 8) {
        #[unroll]
        for d in 0..8usize {
            shared[row * width + lane * 8 + d] = found[d];
        }
    }
    sync_cube();
    for part in 0..comptime!(width.div_ceil(UNITS)) {
        let channel = part * UNITS + UNIT_POS as usize;
        if channel < width {
            let mut sum = sums[place + channel];
            for other in 0..comptime!(UNITS / lanes) {
                sum += shared[other * width + channel];
            }
            sums[place + channel] = sum;
        }
    }
}

#[cube(launch)]
#[allow(clippy::too_many_arguments)]
pub fn normalize_rows_backward<N: Size>(
    rows: &Tensor<Vector<bf16, N>>,
    gradient: &Tensor<Vector<bf16, N>>,
    parameters: &Tensor<Vector<f32, N>>,
    out: &mut Tensor<Vector<bf16, N>>,
    sums: &mut Tensor<f32>,
    nodes: u32,
    start: u32,
    sum_start: u32,
    sum_width: u32,
    cubes: u32,
    inverse_width: f32,
    #[comptime] width: usize,
    #[comptime] lanes: usize,
) {
    let across = comptime!(width / 8);
    let lane = UNIT_POS as usize % lanes;
    let column = min(lane, comptime!(width / 8 - 1));
    let first = CUBE_POS * comptime!(UNITS / lanes) + UNIT_POS as usize / lanes;
    let stride = cubes as usize * comptime!(UNITS / lanes);
    let gain = parameters[start as usize / 8 + column];
    let mut found = Vector::<f32, N>::new(0.0f32);
    let rounds = (nodes as usize + stride - 1) / stride;
    for round in 0..rounds {
        // All lanes take part in the sums; those beyond the last row read the last one.
        let row = first + round * stride;
        let place = min(row, nodes as usize - 1) * across + column;
        let value = Vector::<f32, N>::cast_from(rows[place]);
        let slope = Vector::<f32, N>::cast_from(gradient[place]);
        let mut square = sum_of_vector::<N>(value * value);
        let mut along = sum_of_vector::<N>(value * slope * gain);
        if lane >= across {
            square = 0.0f32;
            along = 0.0f32;
        }
        let inverse = 1.0f32 / f32::sqrt(sum_of_lanes(square, lanes) * inverse_width + 1.0e-6f32);
        let back = sum_of_lanes(along, lanes) * inverse * inverse * inverse * inverse_width;
        if row < nodes as usize {
            if lane < across {
                let scaled = slope * Vector::<f32, N>::new(inverse);
                out[place] = Vector::<bf16, N>::cast_from(
                    scaled * gain - value * Vector::<f32, N>::new(back),
                );
                found += value * scaled;
            }
        }
    }
    add_to_sums::<N>(found, sums, CUBE_POS * sum_width as usize + sum_start as usize, width, lanes);
}

/// The sum of the rows whose mark is `wanted`, or of those with a negative mark.
#[cube(launch)]
#[allow(clippy::too_many_arguments)]
pub fn sum_of_rows<N: Size>(
    gradient: &Tensor<Vector<bf16, N>>,
    marks: &Tensor<i32>,
    sums: &mut Tensor<f32>,
    nodes: u32,
    wanted: i32,
    sum_start: u32,
    sum_width: u32,
    cubes: u32,
    #[comptime] below_zero: bool,
    #[comptime] width: usize,
    #[comptime] lanes: usize,
) {
    let across = comptime!(width / 8);
    let lane = UNIT_POS as usize % lanes;
    let first = CUBE_POS * comptime!(UNITS / lanes) + UNIT_POS as usize / lanes;
    let stride = cubes as usize * comptime!(UNITS / lanes);
    let mut found = Vector::<f32, N>::new(0.0f32);
    let rounds = (nodes as usize + stride - 1) / stride;
    for round in 0..rounds {
        let row = first + round * stride;
        if row < nodes as usize {
            let mark = marks[row];
            let mut counts = mark == wanted;
            if comptime!(below_zero) {
                counts = mark < 0;
            }
            if counts {
                if lane < across {
                    found += Vector::<f32, N>::cast_from(gradient[row * across + lane]);
                }
            }
        }
    }
    add_to_sums::<N>(found, sums, CUBE_POS * sum_width as usize + sum_start as usize, width, lanes);
}

/// The sum of each number over all cubes, with a plane per number.
#[cube(launch)]
pub fn sum_of_cubes(sums: &Tensor<f32>, out: &mut Tensor<f32>, numbers: u32, cubes: u32) {
    let lane = (UNIT_POS % 32) as usize;
    let number = CUBE_POS * 8 + (UNIT_POS / 32) as usize;
    if number < numbers as usize {
        let mut sum = 0.0f32;
        let rounds = cubes as usize / 32;
        for round in 0..rounds {
            sum += sums[(round * 32 + lane) * numbers as usize + number];
        }
        let all = plane_sum(sum);
        if lane == 0 {
            out[number] = all;
        }
    }
}

/// The initial states of new nodes and the old states of others, with a unit per eight numbers.
#[cube(launch)]
pub fn begin_rows<N: Size>(
    old: &Tensor<Vector<bf16, N>>,
    sources: &Tensor<i32>,
    noise: &Tensor<f32>,
    parameters: &Tensor<Vector<f32, N>>,
    out: &mut Tensor<Vector<bf16, N>>,
    units: u32,
    start: u32,
    #[comptime] width: usize,
) {
    let unit = ABSOLUTE_POS;
    if unit >= units as usize {
        terminate!();
    }
    let across = comptime!(width / 8);
    let part = unit % across;
    let source = sources[unit / across];
    if source >= 0 {
        out[unit] = old[source as usize * across + part];
    } else {
        let mut value = parameters[start as usize / 8 + part];
        // `noise::NONE` is far outside the table.
        if source > -1_000_000_000 {
            let place = (-1 - source) as usize + part * 8;
            #[unroll]
            for d in 0..8usize {
                value[d] += noise[place + d];
            }
        }
        out[unit] = Vector::<bf16, N>::cast_from(value);
    }
}

/// Rows plus the input of their roles, with a unit per eight numbers.
#[cube(launch)]
pub fn add_input_to_rows<N: Size>(
    rows: &Tensor<Vector<bf16, N>>,
    roles: &Tensor<i32>,
    parameters: &Tensor<Vector<f32, N>>,
    out: &mut Tensor<Vector<bf16, N>>,
    units: u32,
    start: u32,
    #[comptime] width: usize,
) {
    let unit = ABSOLUTE_POS;
    if unit >= units as usize {
        terminate!();
    }
    let across = comptime!(width / 8);
    let role = roles[unit / across] as usize;
    let input = parameters[start as usize / 8 + role * across + unit % across];
    out[unit] = Vector::<bf16, N>::cast_from(Vector::<f32, N>::cast_from(rows[unit]) + input);
}

#[cube(launch)]
pub fn gate_rows(
    rows: &Tensor<bf16>,
    out: &mut Tensor<bf16>,
    units: u32,
    #[comptime] width: usize,
) {
    let unit = ABSOLUTE_POS;
    if unit >= units as usize {
        terminate!();
    }
    let place = unit / width * comptime!(2 * width) + unit % width;
    let gate = f32::cast_from(rows[place]);
    let value = f32::cast_from(rows[place + width]);
    out[unit] = bf16::cast_from(gate / (1.0f32 + f32::exp(-gate)) * value);
}

#[cube(launch)]
pub fn answer_rows(
    rows: &Tensor<bf16>,
    parameters: &Tensor<f32>,
    out: &mut Tensor<f32>,
    nodes: u32,
    start: u32,
    #[comptime] width: usize,
) {
    let lane = (UNIT_POS % 32) as usize;
    let row = CUBE_POS * 8 + (UNIT_POS / 32) as usize;
    if row < nodes as usize {
        let mut sum = 0.0f32;
        #[unroll]
        for part in 0..comptime!(width.div_ceil(32)) {
            if lane + part * 32 < width {
                let value = f32::cast_from(rows[row * width + lane + part * 32]);
                sum += value * parameters[start as usize + lane + part * 32];
            }
        }
        let logit = plane_sum(sum);
        if lane == 0 {
            out[row] = logit;
        }
    }
}

#[cube(launch)]
#[allow(clippy::too_many_arguments)]
pub fn answer_rows_backward<N: Size>(
    rows: &Tensor<Vector<bf16, N>>,
    gradient: &Tensor<f32>,
    more: &Tensor<Vector<bf16, N>>,
    parameters: &Tensor<Vector<f32, N>>,
    out: &mut Tensor<Vector<bf16, N>>,
    sums: &mut Tensor<f32>,
    nodes: u32,
    start: u32,
    sum_start: u32,
    sum_width: u32,
    cubes: u32,
    #[comptime] has_more: bool,
    #[comptime] width: usize,
    #[comptime] lanes: usize,
) {
    let across = comptime!(width / 8);
    let lane = UNIT_POS as usize % lanes;
    let first = CUBE_POS * comptime!(UNITS / lanes) + UNIT_POS as usize / lanes;
    let stride = cubes as usize * comptime!(UNITS / lanes);
    let weight = parameters[start as usize / 8 + min(lane, comptime!(width / 8 - 1))];
    let mut found = Vector::<f32, N>::new(0.0f32);
    let rounds = (nodes as usize + stride - 1) / stride;
    for round in 0..rounds {
        let row = first + round * stride;
        if row < nodes as usize {
            if lane < across {
                let place = row * across + lane;
                let slope = Vector::<f32, N>::new(gradient[row]);
                let mut back = slope * weight;
                if comptime!(has_more) {
                    back += Vector::<f32, N>::cast_from(more[place]);
                }
                out[place] = Vector::<bf16, N>::cast_from(back);
                found += slope * Vector::<f32, N>::cast_from(rows[place]);
            }
        }
    }
    add_to_sums::<N>(found, sums, CUBE_POS * sum_width as usize + sum_start as usize, width, lanes);
}

/// The parameters as bf16, in another order.
#[cube(launch)]
pub fn shorten_numbers(
    numbers: &Tensor<f32>,
    order: &Tensor<u32>,
    out: &mut Tensor<bf16>,
    units: u32,
) {
    let unit = ABSOLUTE_POS;
    if unit >= units as usize {
        terminate!();
    }
    out[unit] = bf16::cast_from(numbers[order[unit] as usize]);
}

#[cube(launch)]
pub fn clear_numbers(numbers: &mut Tensor<f32>, units: u32) {
    let unit = ABSOLUTE_POS;
    if unit >= units as usize {
        terminate!();
    }
    numbers[unit] = 0.0f32;
}

/// Initializes the index: no candidate has a node.
#[cube(launch)]
pub fn fill_index(index: &mut Tensor<i32>, units: u32) {
    let unit = ABSOLUTE_POS;
    if unit >= units as usize {
        terminate!();
    }
    index[unit] = -1;
}

/// Writes the node of each candidate to the index.
#[cube(launch)]
pub fn index_nodes(
    candidates: &Tensor<i32>,
    puzzles: &Tensor<i32>,
    index: &mut Tensor<i32>,
    nodes: u32,
    per_puzzle: u32,
) {
    let node = ABSOLUTE_POS;
    if node >= nodes as usize {
        terminate!();
    }
    let place = puzzles[node] as usize * per_puzzle as usize + candidates[node] as usize;
    index[place] = node as i32;
}

/// The groups of every node, with a unit per family. Padding nodes have none.
#[cube(launch)]
pub fn find_neighbours(
    candidates: &Tensor<i32>,
    puzzles: &Tensor<i32>,
    index: &Tensor<i32>,
    members: &Tensor<i32>,
    neighbours: &mut Tensor<i32>,
    counts: &mut Tensor<i32>,
    nodes: u32,
    units: u32,
    per_puzzle: u32,
    #[comptime] side: usize,
) {
    let unit = ABSOLUTE_POS;
    if unit >= units as usize {
        terminate!();
    }
    let node = unit / 4;
    let mut count = 0usize;
    if node < nodes as usize {
        let group = (candidates[node] as usize * 4 + unit % 4) * side;
        let start = puzzles[node] as usize * per_puzzle as usize;
        for j in 0..side {
            let other = index[start + members[group + j] as usize];
            if other >= 0 {
                neighbours[unit * side + count] = other;
                count += 1;
            }
        }
    }
    counts[unit] = count as i32;
}

/// The gradient of the loss; or, for each node of the solution, its loss, and whether another node
/// of the cell has an equal or higher logit. The nodes of a cell have consecutive numbers.
///
/// For puzzles with rules, `neighbours` and `counts` are the packed groups and their places, and the
/// loss of hidden candidates has a smaller share.
#[cube(launch)]
#[allow(clippy::too_many_arguments)]
pub fn node_losses(
    logits: &Tensor<f32>,
    targets: &Tensor<f32>,
    neighbours: &Tensor<i32>,
    counts: &Tensor<i32>,
    owners: &Tensor<i32>,
    roles: &Tensor<i32>,
    out: &mut Tensor<f32>,
    nodes: u32,
    padded: u32,
    scale: f32,
    #[comptime] side: usize,
    #[comptime] is_gradient: bool,
    #[comptime] has_rules: bool,
) {
    let node = ABSOLUTE_POS;
    if node >= padded as usize {
        terminate!();
    }
    let mut first = 0.0f32;
    let mut second = 0.0f32;
    if node < nodes as usize {
        let own = logits[node];
        let start = if comptime!(has_rules) {
            let place = owners[node] as usize * 3;
            let first_node = counts[place + 2] as usize;
            let packed = counts[place] as usize;
            let choices = packed + neighbours[packed + 2] as usize;
            first_node + neighbours[choices + (node - first_node) * 2] as usize
        } else {
            neighbours[node * comptime!(4 * side)] as usize
        };
        let count = if comptime!(has_rules) {
            let place = owners[node] as usize * 3;
            let packed = counts[place] as usize;
            let choices = packed + neighbours[packed + 2] as usize;
            neighbours[choices + (node - counts[place + 2] as usize) * 2 + 1] as usize
        } else {
            counts[node * 4] as usize
        };
        let mut share = 1.0f32;
        if comptime!(has_rules) {
            if roles[node] == 1 {
                share = f32::new(HIDDEN_LOSS);
            }
            if count == 0 {
                share = 0.0f32;
            }
        }
        let mut highest = own;
        let mut beaten = 0.0f32;
        for j in 0..count {
            let other = start + j;
            let logit = logits[other];
            highest = max(highest, logit);
            if other != node {
                if logit >= own {
                    beaten = 1.0f32;
                }
            }
        }
        let mut total = 0.0f32;
        for j in 0..count {
            total += f32::exp(logits[start + j] - highest);
        }
        total = max(total, 1.0e-30f32);
        let target = targets[node];
        if comptime!(is_gradient) {
            first = scale * share * (f32::exp(own - highest) / total - target);
        } else {
            first = share * target * (highest - own + f32::ln(total));
            if share == 1.0f32 {
                second = target * beaten;
            }
        }
    }
    if comptime!(is_gradient) {
        out[node] = first;
    } else {
        out[node * 2] = first;
        out[node * 2 + 1] = second;
    }
}

/// The digit of each cell with the highest logit, counted from 1; the lowest of equal ones. Cells
/// without nodes are unchanged.
#[cube(launch)]
#[allow(clippy::too_many_arguments)]
pub fn find_digits(
    logits: &Tensor<f32>,
    neighbours: &Tensor<i32>,
    counts: &Tensor<i32>,
    candidates: &Tensor<i32>,
    puzzles: &Tensor<i32>,
    digits: &mut Tensor<u32>,
    nodes: u32,
    cells: u32,
    #[comptime] side: usize,
) {
    let node = ABSOLUTE_POS;
    if node >= nodes as usize {
        terminate!();
    }
    let own = logits[node];
    let mut wins = f32::new(1.0f32);
    let count = counts[node * 4] as usize;
    for j in 0..count {
        let other = neighbours[node * 4 * side + j] as usize;
        if logits[other] > own {
            wins = 0.0f32;
        }
        if logits[other] == own && other < node {
            wins = 0.0f32;
        }
    }
    if wins > 0.0f32 {
        let candidate = candidates[node] as usize;
        let cell = puzzles[node] as usize * cells as usize + candidate / side;
        digits[cell] = (candidate % side + 1) as u32;
    }
}

/// Expands the bit masks to the candidate, puzzle and source of every node, with a unit per word of
/// a mask. Further units write the padding nodes.
#[cube(launch)]
#[allow(clippy::too_many_arguments)]
pub fn spread_nodes(
    masks: &Tensor<u32>,
    starts: &Tensor<i32>,
    rows: &Tensor<i32>,
    noise: &Tensor<i32>,
    candidates: &mut Tensor<i32>,
    puzzles: &mut Tensor<i32>,
    sources: &mut Tensor<i32>,
    units: u32,
    nodes: u32,
    padded: u32,
    none: i32,
    per_puzzle: u32,
    #[comptime] words: usize,
) {
    let unit = ABSOLUTE_POS;
    if unit < units as usize {
        let puzzle = unit / words;
        let own = unit % words;
        let first = starts[puzzle] as usize;
        let row = rows[puzzle];
        let mut place = 0usize;
        for word in 0..own {
            place += u32::count_ones(masks[puzzle * words + word]) as usize;
        }
        let mask = masks[unit];
        for bit in 0..32u32 {
            if (mask >> bit) & 1u32 == 1u32 {
                let node = first + place;
                candidates[node] = (own * 32 + bit as usize) as i32;
                puzzles[node] = puzzle as i32;
                let mut source = none;
                if row >= 0 {
                    source = row + place as i32;
                }
                if row < -1 {
                    source = noise[(-2 - row) as usize * per_puzzle as usize + place];
                }
                sources[node] = source;
                place += 1;
            }
        }
    } else {
        let node = unit - units as usize + nodes as usize;
        if node < padded as usize {
            candidates[node] = 0;
            puzzles[node] = 0;
            sources[node] = none;
        }
    }
}

/// Sums over the nodes of each puzzle, of two numbers per node, with a plane per puzzle.
#[cube(launch)]
pub fn sum_of_puzzles(
    puzzle_results: &Tensor<f32>,
    starts: &Tensor<i32>,
    out: &mut Tensor<f32>,
    puzzles: u32,
) {
    let lane = UNIT_POS % 32;
    let puzzle = CUBE_POS * 8 + (UNIT_POS / 32) as usize;
    if puzzle < puzzles as usize {
        let first = starts[puzzle] as usize;
        let last = starts[puzzle + 1] as usize;
        let mut loss = 0.0f32;
        let mut wrong = 0.0f32;
        let rounds = (last - first + 31) / 32;
        for round in 0..rounds {
            let node = first + round * 32 + lane as usize;
            if node < last {
                loss += puzzle_results[node * 2];
                wrong += puzzle_results[node * 2 + 1];
            }
        }
        let loss = plane_sum(loss);
        let wrong = plane_sum(wrong);
        if lane == 0 {
            out[puzzle * 2] = loss;
            out[puzzle * 2 + 1] = wrong;
        }
    }
}
