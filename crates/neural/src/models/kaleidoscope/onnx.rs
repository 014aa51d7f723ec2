//! Kaleidoscope as an ONNX graph: a fixed number of iterations from the first start, for one grid
//! size.
//!
//! The engine computes only the candidates that contradict no clue. A graph has a fixed shape, so
//! here all candidates have a state, and those that contradict a clue are masked in the attention
//! and in the answer.

use super::Config;
use crate::onnx::{Attribute, GraphBuilder, Value};
use ninefold::grid::Order;
use ninefold_kaleidoscope::layout::{FAMILIES, Frame, SLOT_OF_FAMILY};
use ninefold_kaleidoscope::{HEAD_WIDTH, NORM_EPSILON};

/// Iterations of an exported network. Most puzzles need about eight.
pub const ITERATIONS: usize = 32;

/// The score of a candidate that contradicts a clue.
const EXCLUDED_SCORE: f32 = 1e30;
/// The logit of a candidate that contradicts a clue, negated.
const EXCLUDED_LOGIT: f32 = 1000.0;

/// Adds the network to a graph and returns the logits, `[batch, cells, digits]`. `None` if the
/// network has no fixed graph.
pub fn logits(
    config: &Config,
    order: Order,
    iterations: usize,
    graph: &mut GraphBuilder<'_>,
) -> Option<Value> {
    if config.rules || !config.has_sink() {
        return None;
    }
    let (cells, side) = (order.cell_count() as i64, order.side() as i64);
    let masks = Masks::new(order, graph);
    let families = families(order, &masks, graph);
    let blocks: Vec<Block> = (0..config.blocks).map(|index| Block::new(index, graph)).collect();
    // Every candidate starts with the same state.
    let none = graph.constant(&[1], vec![0.0]);
    let nothing = graph.binary("Mul", &masks.score, &none);
    let nothing = graph.unsqueeze(&nothing, 2);
    let start = graph.weight("start");
    let mut states = graph.binary("Add", &nothing, &start);
    let input = graph.weight("input");
    for _ in 0..iterations {
        states = graph.binary("Add", &states, &input);
        for block in &blocks {
            states = block.add(config, order, &families, &states, graph);
        }
    }
    let answer = graph.weight("answer");
    let answer = graph.reshape(&answer, &[config.width as i64, 1]);
    let logits = graph.binary("MatMul", &states, &answer);
    let logits = graph.reshape(&logits, &[-1, cells, side]);
    let logits = graph.binary("Mul", &logits, &masks.open);
    Some(graph.binary("Add", &logits, &masks.logit))
}

/// What the clues exclude.
struct Masks {
    /// 1 for a candidate that contradicts no clue, `[batch, cells, side]`.
    open: Value,
    /// Added to the scores of the attention: 0 or a very low number, `[batch, candidates]`.
    score: Value,
    /// Added to the logits, `[batch, cells, side]`; 0 for clues.
    logit: Value,
}

impl Masks {
    fn new(order: Order, graph: &mut GraphBuilder<'_>) -> Masks {
        let (cells, side) = (order.cell_count(), order.side());
        let digits: Vec<f32> = (0..=side)
            .flat_map(|given| (1..=side).map(move |digit| f32::from(u8::from(given == digit))))
            .collect();
        let digits = graph.constant(&[side + 1, side], digits);
        let puzzle = graph.puzzle();
        let given = graph.gather(&digits, &puzzle, 0);
        // Two products: how often a house contains a digit, and the houses of a cell together.
        let houses: Vec<_> = order.houses().collect();
        let is_in =
            |house: usize, cell| f32::from(u8::from(order.cells_in(houses[house]).contains(&cell)));
        let each = (0..houses.len()).flat_map(|house| order.cells().map(move |cell| (house, cell)));
        let of_house = each.map(|(house, cell)| is_in(house, cell)).collect();
        let of_house = graph.constant(&[houses.len(), cells], of_house);
        let each = order.cells().flat_map(|cell| (0..houses.len()).map(move |house| (house, cell)));
        let of_cell = each.map(|(house, cell)| is_in(house, cell)).collect();
        let of_cell = graph.constant(&[cells, houses.len()], of_cell);
        let in_houses = graph.binary("MatMul", &of_house, &given);
        let seen = graph.binary("MatMul", &of_cell, &in_houses);
        let filled = graph.sum(&given, 2);
        let filled = graph.unsqueeze(&filled, 2);
        let excluded = graph.binary("Add", &seen, &filled);
        let one = graph.constant(&[1], vec![1.0]);
        let open = graph.binary("Sub", &one, &excluded);
        let open = graph.unary("Relu", &open);
        let mut minus = |mask: &Value, by: f32| {
            let below = graph.binary("Sub", mask, &one);
            let factor = graph.constant(&[1], vec![by]);
            graph.binary("Mul", &below, &factor)
        };
        let score = minus(&open, EXCLUDED_SCORE);
        let logit = minus(&open, EXCLUDED_LOGIT);
        let score = graph.reshape(&score, &[-1, (cells * side) as i64]);
        let raised = graph.constant(&[1], vec![EXCLUDED_LOGIT]);
        let raised = graph.binary("Mul", &given, &raised);
        let logit = graph.binary("Add", &logit, &raised);
        Masks { open, score, logit }
    }
}

/// The groups of one family: each candidate is in exactly one.
struct Family {
    slot: usize,
    /// The candidates of all groups, one group after the other.
    members: Value,
    /// The position of each candidate in `members`.
    places: Value,
    /// The mask of the members, `[batch, groups, 1, 1, side]`.
    mask: Value,
}

fn families(order: Order, masks: &Masks, graph: &mut GraphBuilder<'_>) -> Vec<Family> {
    let frame = Frame::new(order);
    let (cells, side) = (order.cell_count() as i64, order.side() as i64);
    (0..FAMILIES)
        .map(|family| {
            let mut places = vec![-1; frame.candidates()];
            let mut members = Vec::with_capacity(frame.candidates());
            for candidate in 0..frame.candidates() {
                if places[candidate] < 0 {
                    for &member in frame.group(candidate, family) {
                        places[member as usize] = members.len() as i64;
                        members.push(i64::from(member));
                    }
                }
            }
            let members = graph.integers(members);
            let places = graph.integers(places);
            let mask = graph.gather(&masks.score, &members, 1);
            let mask = graph.reshape(&mask, &[-1, cells, 1, 1, side]);
            Family { slot: SLOT_OF_FAMILY[family], members, places, mask }
        })
        .collect()
}

/// The weights of a block; matrices are transposed for products with rows of states.
struct Block {
    attention: Value,
    attended: Value,
    first_norm: Value,
    gate: Value,
    down: Value,
    second_norm: Value,
}

impl Block {
    fn new(index: usize, graph: &mut GraphBuilder<'_>) -> Block {
        let mut weight = |name: &str| graph.weight(&format!("blocks.{index}.{name}"));
        let [attention, attended, first_norm, gate, down, second_norm] =
            ["attention", "attended", "first_norm", "gate", "down", "second_norm"].map(&mut weight);
        let [attention, attended, gate, down] =
            [attention, attended, gate, down].map(|matrix| transpose(&matrix, &[1, 0], graph));
        Block { attention, attended, first_norm, gate, down, second_norm }
    }

    /// The states after the block, `[batch, candidates, width]`.
    fn add(
        &self,
        config: &Config,
        order: Order,
        families: &[Family],
        states: &Value,
        graph: &mut GraphBuilder<'_>,
    ) -> Value {
        let numbers = graph.binary("MatMul", states, &self.attention);
        let size = 3 * config.heads * HEAD_WIDTH;
        let slots: Vec<Value> = (0..config.slots())
            .map(|slot| graph.slice(&numbers, 2, slot * size, (slot + 1) * size))
            .collect();
        let mut attended: Vec<Option<Value>> = vec![None; config.slots()];
        for family in families {
            let taken = attend(config, order, family, &slots[family.slot], graph);
            let sum = &mut attended[family.slot];
            *sum = Some(match sum.take() {
                Some(other) => graph.binary("Add", &other, &taken),
                None => taken,
            });
        }
        let attended: Vec<Value> = attended.into_iter().flatten().collect();
        let attended = graph.concat(&attended.iter().collect::<Vec<_>>(), 2);
        let added = graph.binary("MatMul", &attended, &self.attended);
        let states = graph.binary("Add", states, &added);
        let states = norm(config, &states, &self.first_norm, graph);
        let gated = graph.binary("MatMul", &states, &self.gate);
        let half = config.expansion * config.width;
        let gate = graph.slice(&gated, 2, 0, half);
        let value = graph.slice(&gated, 2, half, 2 * half);
        let share = graph.unary("Sigmoid", &gate);
        let gate = graph.binary("Mul", &gate, &share);
        let gated = graph.binary("Mul", &gate, &value);
        let added = graph.binary("MatMul", &gated, &self.down);
        let states = graph.binary("Add", &states, &added);
        norm(config, &states, &self.second_norm, graph)
    }
}

/// Attention of every candidate within its group of a family, `[batch, candidates, heads · 8]`.
fn attend(
    config: &Config,
    order: Order,
    family: &Family,
    numbers: &Value,
    graph: &mut GraphBuilder<'_>,
) -> Value {
    let (cells, side, heads) = (order.cell_count() as i64, order.side(), config.heads);
    let head = HEAD_WIDTH as i64;
    let members = graph.gather(numbers, &family.members, 1);
    let members = graph.reshape(&members, &[-1, cells, side as i64, 3 * heads as i64, head]);
    let members = transpose(&members, &[0, 1, 3, 2, 4], graph);
    let mut part = |kind: usize| graph.slice(&members, 2, kind * heads, (kind + 1) * heads);
    let (query, key, value) = (part(0), part(1), part(2));
    let key = transpose(&key, &[0, 1, 2, 4, 3], graph);
    let scores = graph.binary("MatMul", &query, &key);
    let scale = graph.constant(&[1], vec![(HEAD_WIDTH as f32).sqrt().recip()]);
    let scores = graph.binary("Mul", &scores, &scale);
    // The sink is one more member, with score and value 0.
    let none = graph.constant(&[1], vec![0.0]);
    let sink = graph.slice(&scores, 4, 0, 1);
    let sink = graph.binary("Mul", &sink, &none);
    let scores = graph.binary("Add", &scores, &family.mask);
    let scores = graph.concat(&[&scores, &sink], 4);
    let shares = graph.node("Softmax", &[&scores], &[("axis", Attribute::Int(-1))]);
    let shares = graph.slice(&shares, 4, 0, side);
    let taken = graph.binary("MatMul", &shares, &value);
    let taken = transpose(&taken, &[0, 1, 3, 2, 4], graph);
    let taken = graph.reshape(&taken, &[-1, cells * side as i64, heads as i64 * head]);
    graph.gather(&taken, &family.places, 1)
}

/// Divides each state by the root of its mean square and multiplies it with the gain.
fn norm(config: &Config, states: &Value, gain: &Value, graph: &mut GraphBuilder<'_>) -> Value {
    let squares = graph.binary("Mul", states, states);
    let sum = graph.sum(&squares, 2);
    let sum = graph.unsqueeze(&sum, 2);
    let share = graph.constant(&[1], vec![1.0 / config.width as f32]);
    let mean = graph.binary("Mul", &sum, &share);
    let epsilon = graph.constant(&[1], vec![NORM_EPSILON]);
    let mean = graph.binary("Add", &mean, &epsilon);
    let root = graph.unary("Sqrt", &mean);
    let states = graph.binary("Div", states, &root);
    graph.binary("Mul", &states, gain)
}

fn transpose(value: &Value, axes: &[i64], graph: &mut GraphBuilder<'_>) -> Value {
    graph.node("Transpose", &[value], &[("perm", Attribute::Ints(axes.to_vec()))])
}
