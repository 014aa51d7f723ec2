//! The network as a graph of operators, for other programs: the same sums as in `rrn.rs`, step after step.

use super::{Config, Reading};
use crate::onnx::{Drawing, Value};
use crate::ops::lstm_cell;
use ninefold::grid::{Cell, Order};

/// The logits of the digits after the last step, `[batch, cells, digits]`, from weights whose names begin so.
pub(crate) fn logits(
    config: &Config,
    order: Order,
    drawing: &mut Drawing<'_>,
    prefix: &str,
) -> Value {
    let name = |part: &str| format!("{prefix}{part}");
    let width = config.hidden;
    let inputs = look(config, order, drawing, prefix); // [batch, cells, hidden]
    let messages = Messages::new(width, order, drawing, prefix);
    let lstm = Lstm::new(config, drawing, prefix, &inputs);
    let (mut hidden, mut state) = (inputs.clone(), None);
    for _ in 0..config.answer_steps {
        let mut news = messages.draw(drawing, &hidden);
        if config.reading == Reading::Palm {
            let both = drawing.concat(&[&news, &inputs], 2);
            news = mlp(drawing, &both, &name("post"));
        }
        let [new_hidden, cell] = lstm.step(drawing, &news, state.as_ref());
        hidden = new_hidden.clone();
        state = Some([new_hidden, cell]);
    }
    let answers = drawing.dense(&hidden, &name("answer"));
    drawing.slice(&answers, 2, 1, order.side() + 1)
}

/// The inputs of every cell: digit, row and column through four layers. The first of them is applied to the parts, so that
/// rows and columns need not be repeated for every puzzle.
fn look(config: &Config, order: Order, drawing: &mut Drawing<'_>, prefix: &str) -> Value {
    let size = config.embedding;
    let puzzle = drawing.puzzle();
    let digits = drawing.weight(&format!("{prefix}digits"));
    let digits = drawing.gather(&digits, &puzzle, 0); // [batch, cells, embedding]
    let place = |drawing: &mut Drawing<'_>, name: &str, place: &dyn Fn(Cell) -> usize| {
        let places = drawing.numbers(order.cells().map(|cell| place(cell) as i64).collect());
        let weight = drawing.weight(&format!("{prefix}{name}"));
        drawing.gather(&weight, &places, 0) // [cells, embedding]
    };
    let rows = place(drawing, "rows", &|cell| order.row_of(cell));
    let columns = place(drawing, "columns", &|cell| order.column_of(cell));
    let weight = drawing.weight(&format!("{prefix}inputs.first.weight"));
    let mut sum = drawing.weight(&format!("{prefix}inputs.first.bias"));
    for (number, part) in [rows, columns, digits].iter().enumerate() {
        // The digits stand first in the weight, and come last here: they alone have a batch.
        let from = size * ((number + 1) % 3);
        let weight = drawing.slice(&weight, 0, from, from + size);
        let product = drawing.two("MatMul", part, &weight);
        sum = drawing.two("Add", &product, &sum);
    }
    let first = drawing.one("Relu", &sum);
    rest_of_mlp(drawing, &first, &format!("{prefix}inputs"))
}

/// Four layers with relu between them.
fn mlp(drawing: &mut Drawing<'_>, input: &Value, name: &str) -> Value {
    let first = drawing.dense(input, &format!("{name}.first"));
    let first = drawing.one("Relu", &first);
    rest_of_mlp(drawing, &first, name)
}

fn rest_of_mlp(drawing: &mut Drawing<'_>, first: &Value, name: &str) -> Value {
    let second = drawing.dense(first, &format!("{name}.second"));
    let second = drawing.one("Relu", &second);
    let third = drawing.dense(&second, &format!("{name}.third"));
    let third = drawing.one("Relu", &third);
    drawing.dense(&third, &format!("{name}.fourth"))
}

/// What all messages share: the halves of the first layer, the graph of the grid, the bias of the last layer.
struct Messages {
    name: String,
    source: Value,
    target: Value,
    sources: Value,
    last_bias: Value,
    shape: [i64; 4],
}

impl Messages {
    fn new(width: usize, order: Order, drawing: &mut Drawing<'_>, prefix: &str) -> Messages {
        let name = format!("{prefix}message");
        let weight = drawing.weight(&format!("{name}.first.weight"));
        let (source, target) =
            (drawing.slice(&weight, 0, 0, width), drawing.slice(&weight, 0, width, 2 * width));
        let sources: Vec<i64> = order
            .cells()
            .flat_map(|cell| order.peers_of(cell))
            .map(|peer| peer.index() as i64)
            .collect();
        let (cells, edges) = (order.cell_count(), sources.len());
        let degree = edges / cells;
        // The last layer is applied to the sum of all messages, so its bias counts once for each.
        let (bias, each) = (
            drawing.weight(&format!("{name}.fourth.bias")),
            drawing.constant(&[1], vec![degree as f32]),
        );
        let last_bias = drawing.two("Mul", &bias, &each);
        let shape = [-1, cells as i64, degree as i64, width as i64];
        Messages { source, target, sources: drawing.numbers(sources), last_bias, shape, name }
    }

    /// The sum of the messages to each cell, `[batch, cells, hidden]`.
    fn draw(&self, drawing: &mut Drawing<'_>, hidden: &Value) -> Value {
        let bias = drawing.weight(&format!("{}.first.bias", self.name));
        let target = drawing.two("MatMul", hidden, &self.target);
        let target = drawing.two("Add", &target, &bias);
        let target = drawing.unsqueeze(&target, 2); // [batch, cells, 1, hidden]
        let source = drawing.two("MatMul", hidden, &self.source);
        let source = drawing.gather(&source, &self.sources, 1); // [batch, edges, hidden]
        let source = drawing.reshape(&source, &self.shape); // [batch, cells, degree, hidden]
        let mut edges = drawing.two("Add", &source, &target);
        edges = drawing.one("Relu", &edges);
        for layer in ["second", "third"] {
            edges = drawing.dense(&edges, &format!("{}.{layer}", self.name));
            edges = drawing.one("Relu", &edges);
        }
        let sums = drawing.sum(&edges, 2); // [batch, cells, hidden]
        let weight = drawing.weight(&format!("{}.fourth.weight", self.name));
        let product = drawing.two("MatMul", &sums, &weight);
        drawing.two("Add", &product, &self.last_bias)
    }
}

/// What all steps of the LSTM share.
struct Lstm {
    width: usize,
    /// For what is new, `[hidden, 4 · hidden]`.
    news: Value,
    /// For the last hidden state.
    hidden: Value,
    /// What the inputs, or the bias, add to the gates in every step.
    constant: Value,
}

impl Lstm {
    fn new(config: &Config, drawing: &mut Drawing<'_>, prefix: &str, inputs: &Value) -> Lstm {
        let width = config.hidden;
        let weight = drawing.weight(&format!("{prefix}lstm.inputs"));
        let hidden = drawing.weight(&format!("{prefix}lstm.hidden"));
        let (news, constant) = match config.reading {
            Reading::Palm => (weight, drawing.weight(&format!("{prefix}lstm.bias"))),
            Reading::Dgl => {
                let (beside, news) = (
                    drawing.slice(&weight, 0, 0, width),
                    drawing.slice(&weight, 0, width, 2 * width),
                );
                (news, drawing.two("MatMul", inputs, &beside))
            }
        };
        Lstm { width, news, hidden, constant }
    }

    /// The new hidden and cell state from what is new and, after the first step, the old states.
    fn step(
        &self,
        drawing: &mut Drawing<'_>,
        news: &Value,
        state: Option<&[Value; 2]>,
    ) -> [Value; 2] {
        let mut gates = drawing.two("MatMul", news, &self.news);
        gates = drawing.two("Add", &gates, &self.constant);
        if let Some([hidden, _]) = state {
            let product = drawing.two("MatMul", hidden, &self.hidden);
            gates = drawing.two("Add", &gates, &product);
        }
        lstm_cell::draw(drawing, &gates, [0, 1, 2, 3], self.width, state.map(|[_, cell]| cell))
    }
}
