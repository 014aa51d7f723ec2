//! The operations of the network on the CPU, as loops over slices. The GPU kernels are compared
//! with them. Matrix products use `ndarray`, whose products are vectorized.

use super::kernels::{Deferred, FeedForwardTape, HIDDEN_LOSS, Kernels, PuzzleResult};
use crate::groups::NodeGroups;
use crate::layout::{Frame, HIDDEN, HOUSE_SLOTS, Layout};
use crate::noise;
use crate::parameters::Span;
use crate::{Config, HEAD_WIDTH, NORM_EPSILON};
use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewMut2};
use ninefold_training::fast_math::exp;

/// Rows of equal width, one after the other.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CpuRows {
    pub width: usize,
    pub numbers: Vec<f32>,
}

/// The CPU.
pub(super) struct CpuKernels {
    heads: usize,
    slots: usize,
    has_sink: bool,
    parameters: Vec<f32>,
    gradients: Vec<f32>,
    nodes: usize,
    starts: Vec<usize>,
    roles: Vec<i32>,
    groups: NodeGroups,
    targets: Vec<f32>,
    /// See [`Kernels::set_sources`].
    sources: Vec<i32>,
}

impl CpuKernels {
    pub fn new(config: &Config) -> CpuKernels {
        CpuKernels {
            heads: config.heads,
            slots: config.slots(),
            has_sink: config.has_sink(),
            parameters: Vec::new(),
            gradients: Vec::new(),
            nodes: 0,
            starts: vec![0],
            roles: Vec::new(),
            groups: NodeGroups::default(),
            targets: Vec::new(),
            sources: Vec::new(),
        }
    }

    fn width(&self) -> usize {
        self.heads * HEAD_WIDTH
    }
}

/// The query, key or value of a head of a node.
fn part(
    rows: &CpuRows,
    node: usize,
    (heads, slot): (usize, usize),
    kind: usize,
    head: usize,
) -> &[f32; HEAD_WIDTH] {
    let start = node * rows.width + ((slot * 3 + kind) * heads + head) * HEAD_WIDTH;
    rows.numbers[start..][..HEAD_WIDTH].try_into().expect("a head has this width")
}

fn dot(a: &[f32; HEAD_WIDTH], b: &[f32; HEAD_WIDTH]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add_times(into: &mut [f32], what: &[f32; HEAD_WIDTH], times: f32) {
    into.iter_mut().zip(what).for_each(|(into, what)| *into += times * what);
}

const QUERY: usize = 0;
const KEY: usize = 1;
const VALUE: usize = 2;

impl CpuKernels {
    /// The attention weights of a head of a node in one of its groups, in the order of the group.
    fn shares(
        &self,
        rows: &CpuRows,
        node: usize,
        (slot, group): (usize, &[u32]),
        head: usize,
        shares: &mut Vec<f32>,
    ) {
        let place = (self.heads, slot);
        let query = part(rows, node, place, QUERY, head);
        let scale = (HEAD_WIDTH as f32).sqrt().recip();
        shares.clear();
        shares.extend(
            group
                .iter()
                .map(|&other| dot(query, part(rows, other as usize, place, KEY, head)) * scale),
        );
        // The sink is one more member, with score and value 0.
        let floor = if self.has_sink { 0.0 } else { f32::NEG_INFINITY };
        let highest = shares.iter().copied().fold(floor, f32::max);
        let mut sum = if self.has_sink { exp(-highest) } else { 0.0 };
        for share in shares.iter_mut() {
            *share = exp(*share - highest);
            sum += *share;
        }
        let inverse = sum.recip();
        shares.iter_mut().for_each(|share| *share *= inverse);
    }
}

/// Buffers for the attention of a group: the scores per member and head, and values per head.
#[derive(Default)]
struct AttentionScratch {
    scores: Vec<f32>,
    highest: Vec<f32>,
    inverse: Vec<f32>,
}

impl CpuKernels {
    /// Adds the attention output of a node in one of its groups, for all heads at once. Long loops
    /// over contiguous numbers are vectorized; apart from products this is the slowest operation.
    fn attend_group(
        &self,
        rows: &CpuRows,
        node: usize,
        (slot, group): (usize, &[u32]),
        into: &mut [f32],
        scratch: &mut AttentionScratch,
    ) {
        let (heads, width) = (self.heads, self.width());
        let part = |node: usize, kind: usize| {
            &rows.numbers[node * rows.width + (slot * 3 + kind) * width..][..width]
        };
        let query = part(node, QUERY);
        let scale = (HEAD_WIDTH as f32).sqrt().recip();
        let AttentionScratch { scores, highest, inverse } = scratch;
        scores.clear();
        for &other in group {
            let pairs = query
                .chunks_exact(HEAD_WIDTH)
                .zip(part(other as usize, KEY).chunks_exact(HEAD_WIDTH));
            scores.extend(pairs.map(|(query, key)| {
                let mut sum = [0.0; 4];
                for lane in 0..4 {
                    sum[lane] = query[lane] * key[lane] + query[lane + 4] * key[lane + 4];
                }
                scale * ((sum[0] + sum[1]) + (sum[2] + sum[3]))
            }));
        }
        highest.clear();
        highest.resize(heads, if self.has_sink { 0.0 } else { f32::NEG_INFINITY });
        for scores in scores.chunks_exact(heads) {
            highest
                .iter_mut()
                .zip(scores)
                .for_each(|(highest, score)| *highest = highest.max(*score));
        }
        for scores in scores.chunks_exact_mut(heads) {
            scores.iter_mut().zip(&*highest).for_each(|(score, highest)| *score -= highest);
        }
        scores.iter_mut().for_each(|score| *score = exp(*score));
        inverse.clear();
        inverse
            .extend(highest.iter().map(|&highest| if self.has_sink { exp(-highest) } else { 0.0 }));
        for scores in scores.chunks_exact(heads) {
            inverse.iter_mut().zip(scores).for_each(|(sum, share)| *sum += share);
        }
        inverse.iter_mut().for_each(|sum| *sum = sum.recip());
        for (&other, shares) in group.iter().zip(scores.chunks_exact(heads)) {
            let values = part(other as usize, VALUE).chunks_exact(HEAD_WIDTH);
            for (((into, value), share), inverse) in
                into.chunks_exact_mut(HEAD_WIDTH).zip(values).zip(shares).zip(&*inverse)
            {
                let share = share * inverse;
                into.iter_mut().zip(value).for_each(|(into, value)| *into += share * value);
            }
        }
    }
}

impl Kernels for CpuKernels {
    type Rows = CpuRows;
    type Column = Vec<f32>;

    fn set_parameters(&mut self, parameters: &[f32]) {
        self.parameters = parameters.to_vec();
        self.gradients = vec![0.0; parameters.len()];
    }

    fn set_layout(&mut self, frame: &Frame, layout: &Layout) {
        self.nodes = layout.len();
        self.starts = layout.starts.clone();
        self.roles = layout.roles.clone();
        self.groups = layout.node_groups(frame);
    }

    fn set_targets(&mut self, targets: &[f32]) {
        self.targets = targets.to_vec();
    }

    fn set_sources(&mut self, sources: &[i32]) {
        self.sources = sources.to_vec();
    }

    fn states(&mut self, old: Option<&CpuRows>, start: Span) -> CpuRows {
        let width = start.columns;
        let mut numbers = Vec::with_capacity(self.sources.len() * width);
        for &source in &self.sources {
            match usize::try_from(source) {
                Ok(row) => {
                    let old = old.expect("old nodes have old states");
                    numbers.extend_from_slice(&old.numbers[row * width..][..width]);
                }
                Err(_) => {
                    let start = start.of(&self.parameters).iter();
                    numbers.extend(
                        start.zip(noise::row(source, width)).map(|(start, noise)| start + noise),
                    );
                }
            }
        }
        CpuRows { width, numbers }
    }

    fn states_backward(&mut self, gradient: &CpuRows, start: Span) {
        let into = start.of_mut(&mut self.gradients);
        for node in (0..self.sources.len()).filter(|&node| self.sources[node] < 0) {
            let row = &gradient.numbers[node * gradient.width..][..gradient.width];
            into.iter_mut().zip(row).for_each(|(into, row)| *into += row);
        }
    }

    fn copy(&self, rows: &CpuRows) -> CpuRows {
        rows.clone()
    }

    fn add_input(&self, rows: &CpuRows, input: Span) -> CpuRows {
        let weights = input.of(&self.parameters);
        let mut numbers = rows.numbers.clone();
        for (row, &role) in numbers.chunks_mut(rows.width).zip(&self.roles) {
            let input = &weights[role as usize * rows.width..][..rows.width];
            row.iter_mut().zip(input).for_each(|(number, input)| *number += input);
        }
        CpuRows { width: rows.width, numbers }
    }

    fn add_input_backward(&mut self, gradient: &CpuRows, input: Span) {
        let into = input.of_mut(&mut self.gradients);
        for (row, &role) in gradient.numbers.chunks(gradient.width).zip(&self.roles) {
            let into = &mut into[role as usize * gradient.width..][..gradient.width];
            into.iter_mut().zip(row).for_each(|(into, row)| *into += row);
        }
    }

    fn linear(&self, rows: &CpuRows, weight: Span, more: Option<&CpuRows>) -> CpuRows {
        let mut numbers =
            more.map_or_else(|| vec![0.0; self.nodes * weight.rows], |more| more.numbers.clone());
        let share = if more.is_some() { 1.0 } else { 0.0 };
        let left = matrix(&rows.numbers, weight.columns);
        let right = matrix(weight.of(&self.parameters), weight.columns);
        general_mat_mul(1.0, &left, &right.t(), share, &mut matrix_mut(&mut numbers, weight.rows));
        CpuRows { width: weight.rows, numbers }
    }

    fn linear_backward(
        &mut self,
        rows: &CpuRows,
        gradient: &CpuRows,
        weight: Span,
        more: Option<&CpuRows>,
    ) -> CpuRows {
        let (rows, gradient) =
            (matrix(&rows.numbers, weight.columns), matrix(&gradient.numbers, weight.rows));
        let mut for_weight = matrix_mut(weight.of_mut(&mut self.gradients), weight.columns);
        general_mat_mul(1.0, &gradient.t(), &rows, 1.0, &mut for_weight);
        let mut numbers = more
            .map_or_else(|| vec![0.0; self.nodes * weight.columns], |more| more.numbers.clone());
        let share = if more.is_some() { 1.0 } else { 0.0 };
        let weights = matrix(weight.of(&self.parameters), weight.columns);
        general_mat_mul(
            1.0,
            &gradient,
            &weights,
            share,
            &mut matrix_mut(&mut numbers, weight.columns),
        );
        CpuRows { width: weight.columns, numbers }
    }

    fn norm(&self, rows: &CpuRows, gain: Span) -> CpuRows {
        let gain = gain.of(&self.parameters);
        let mut numbers = rows.numbers.clone();
        for row in numbers.chunks_mut(rows.width) {
            let inverse = inverse_root_mean_square(row);
            row.iter_mut().zip(gain).for_each(|(number, gain)| *number *= inverse * gain);
        }
        CpuRows { width: rows.width, numbers }
    }

    fn norm_backward(&mut self, rows: &CpuRows, gradient: &CpuRows, gain: Span) -> CpuRows {
        let width = rows.width;
        let mut numbers = Vec::with_capacity(rows.numbers.len());
        for (row, slope) in rows.numbers.chunks(width).zip(gradient.numbers.chunks(width)) {
            let inverse = inverse_root_mean_square(row);
            let gains = gain.of(&self.parameters);
            let along: f32 = row
                .iter()
                .zip(slope)
                .zip(gains)
                .map(|((row, slope), gain)| row * slope * gain)
                .sum();
            let back = along * inverse * inverse * inverse / width as f32;
            numbers.extend(
                row.iter()
                    .zip(slope)
                    .zip(gains)
                    .map(|((row, slope), gain)| slope * gain * inverse - row * back),
            );
            let into = gain.of_mut(&mut self.gradients);
            into.iter_mut()
                .zip(row.iter().zip(slope))
                .for_each(|(into, (row, slope))| *into += row * inverse * slope);
        }
        CpuRows { width, numbers }
    }

    fn gate(&self, rows: &CpuRows) -> CpuRows {
        let width = rows.width / 2;
        let mut numbers = vec![0.0; self.nodes * width];
        for (row, into) in rows.numbers.chunks(rows.width).zip(numbers.chunks_mut(width)) {
            let (gates, values) = row.split_at(width);
            for ((into, &gate), &value) in into.iter_mut().zip(gates).zip(values) {
                *into = gate / (1.0 + exp(-gate)) * value;
            }
        }
        CpuRows { width, numbers }
    }

    fn gated_backward(
        &mut self,
        tape: &FeedForwardTape<CpuRows>,
        gradient: &CpuRows,
        weight: Span,
    ) -> CpuRows {
        let (rows, slopes) =
            (&tape.gates, self.linear_backward(&tape.gated, gradient, weight, None));
        let width = slopes.width;
        let mut numbers = vec![0.0; rows.numbers.len()];
        let all = rows.numbers.chunks(rows.width).zip(slopes.numbers.chunks(width));
        for ((row, slope), into) in all.zip(numbers.chunks_mut(rows.width)) {
            for channel in 0..width {
                let (gate, value, slope) = (row[channel], row[width + channel], slope[channel]);
                let open = 1.0 / (1.0 + exp(-gate));
                into[channel] = slope * value * open * (1.0 + gate * (1.0 - open));
                into[width + channel] = slope * gate * open;
            }
        }
        CpuRows { width: rows.width, numbers }
    }

    fn attend(&self, rows: &CpuRows) -> CpuRows {
        let (width, all_slots) = (self.width(), self.slots * self.width());
        let mut numbers = vec![0.0; self.nodes * all_slots];
        let mut scratch = AttentionScratch::default();
        for (node, into) in numbers.chunks_mut(all_slots).enumerate() {
            for (slot, group) in self.groups.of(node) {
                let into = &mut into[slot * width..][..width];
                self.attend_group(rows, node, (slot, group), into, &mut scratch);
            }
        }
        CpuRows { width: all_slots, numbers }
    }

    fn attend_backward(&self, rows: &CpuRows, gradient: &CpuRows) -> CpuRows {
        let (heads, scale) = (self.heads, (HEAD_WIDTH as f32).sqrt().recip());
        let mut found = CpuRows { width: rows.width, numbers: vec![0.0; rows.numbers.len()] };
        let place = |node: usize, slot: usize, kind: usize, head: usize| {
            node * rows.width + ((slot * 3 + kind) * heads + head) * HEAD_WIDTH
        };
        let (mut shares, mut slopes) = (Vec::new(), Vec::new());
        for node in 0..self.nodes {
            for (slot, group) in self.groups.of(node) {
                let own = (heads, slot);
                for head in 0..heads {
                    self.shares(rows, node, (slot, group), head, &mut shares);
                    let start = node * gradient.width + (slot * heads + head) * HEAD_WIDTH;
                    let out: &[f32; HEAD_WIDTH] = gradient.numbers[start..][..HEAD_WIDTH]
                        .try_into()
                        .expect("a head has this width");
                    slopes.clear();
                    slopes.extend(
                        group
                            .iter()
                            .map(|&other| dot(out, part(rows, other as usize, own, VALUE, head))),
                    );
                    let mean: f32 =
                        shares.iter().zip(&slopes).map(|(share, slope)| share * slope).sum();
                    for ((&other, &share), &slope) in group.iter().zip(&shares).zip(&slopes) {
                        let other = other as usize;
                        let score = share * (slope - mean) * scale;
                        let (query, key) =
                            (part(rows, node, own, QUERY, head), part(rows, other, own, KEY, head));
                        add_times(
                            &mut found.numbers[place(node, slot, QUERY, head)..][..HEAD_WIDTH],
                            key,
                            score,
                        );
                        add_times(
                            &mut found.numbers[place(other, slot, KEY, head)..][..HEAD_WIDTH],
                            query,
                            score,
                        );
                        add_times(
                            &mut found.numbers[place(other, slot, VALUE, head)..][..HEAD_WIDTH],
                            out,
                            share,
                        );
                    }
                }
            }
        }
        found
    }

    fn answer(&self, rows: &CpuRows, weight: Span) -> Vec<f32> {
        let weight = weight.of(&self.parameters);
        rows.numbers
            .chunks(rows.width)
            .map(|row| row.iter().zip(weight).map(|(a, b)| a * b).sum())
            .collect()
    }

    fn answer_backward(
        &mut self,
        rows: &CpuRows,
        gradient: &Vec<f32>,
        weight: Span,
        more: Option<&CpuRows>,
    ) -> CpuRows {
        let width = rows.width;
        let mut numbers =
            more.map_or_else(|| vec![0.0; rows.numbers.len()], |more| more.numbers.clone());
        for ((row, &slope), into) in
            rows.numbers.chunks(width).zip(gradient).zip(numbers.chunks_mut(width))
        {
            let weights = weight.of(&self.parameters);
            into.iter_mut().zip(weights).for_each(|(into, weight)| *into += slope * weight);
            let for_weight = weight.of_mut(&mut self.gradients);
            for_weight.iter_mut().zip(row).for_each(|(into, row)| *into += slope * row);
        }
        CpuRows { width, numbers }
    }

    fn loss_gradient(&self, logits: &Vec<f32>, scale: f32) -> Vec<f32> {
        let slope = |node: usize| match self.groups.choice(node).is_empty() {
            true => 0.0,
            false => {
                let probability = self.log_probability(logits, node).exp();
                scale * self.share_of_loss(node) * (probability - self.targets[node])
            }
        };
        (0..self.nodes).map(slope).collect()
    }

    fn puzzle_results(&self, logits: &Vec<f32>) -> Deferred<Vec<PuzzleResult>> {
        let result = |ends: &[usize]| {
            let mut result = PuzzleResult::default();
            for node in (ends[0]..ends[1]).filter(|&node| self.targets[node] > 0.0) {
                let share = self.share_of_loss(node);
                result.loss -= share * self.log_probability(logits, node);
                let is_at_least = |other: usize| other != node && logits[other] >= logits[node];
                let is_wrong = share == 1.0 && self.groups.choice(node).any(is_at_least);
                result.wrong += f32::from(u8::from(is_wrong));
            }
            result
        };
        let puzzle_results = self.starts.windows(2).map(result).collect();
        Box::new(|| puzzle_results)
    }

    fn read_rows(&self, rows: &CpuRows) -> Vec<f32> {
        rows.numbers.clone()
    }

    fn write_rows(&self, numbers: &[f32], width: usize) -> CpuRows {
        CpuRows { width, numbers: numbers.to_vec() }
    }

    fn take_gradients(&mut self) -> Vec<f32> {
        let zeros = vec![0.0; self.gradients.len()];
        std::mem::replace(&mut self.gradients, zeros)
    }
}

impl CpuKernels {
    /// The log probability of a node among the nodes of its cell.
    fn log_probability(&self, logits: &[f32], node: usize) -> f32 {
        let cell = &logits[self.groups.choice(node)];
        let highest = cell.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f32 = cell.iter().map(|&logit| (logit - highest).exp()).sum();
        logits[node] - highest - sum.ln()
    }

    /// The factor of the loss of a node.
    fn share_of_loss(&self, node: usize) -> f32 {
        if self.slots > HOUSE_SLOTS && self.roles[node] == HIDDEN { HIDDEN_LOSS } else { 1.0 }
    }
}

fn inverse_root_mean_square(row: &[f32]) -> f32 {
    let square: f32 = row.iter().map(|number| number * number).sum();
    (square / row.len() as f32 + NORM_EPSILON).sqrt().recip()
}

fn matrix(numbers: &[f32], columns: usize) -> ArrayView2<'_, f32> {
    ArrayView2::from_shape((numbers.len() / columns, columns), numbers).expect("all rows are full")
}

fn matrix_mut(numbers: &mut [f32], columns: usize) -> ArrayViewMut2<'_, f32> {
    ArrayViewMut2::from_shape((numbers.len() / columns, columns), numbers)
        .expect("all rows are full")
}
