//! ONNX export: the same computation as in `rrn.rs`, with unrolled steps.

use super::{Config, Variant};
use crate::onnx::{GraphBuilder, Value};
use crate::ops::lstm_cell;
use ninefold::grid::{Cell, Order};

/// The logits of the digits after the last step, `[batch, cells, digits]`. The names of the weights
/// start with `prefix`.
pub(crate) fn logits(
    config: &Config,
    order: Order,
    graph: &mut GraphBuilder<'_>,
    prefix: &str,
) -> Value {
    let name = |part: &str| format!("{prefix}{part}");
    let width = config.hidden;
    let inputs = encode_inputs(config, order, graph, prefix); // [batch, cells, hidden]
    let messages = Messages::new(width, order, graph, prefix);
    let lstm = Lstm::new(config, graph, prefix, &inputs);
    let (mut hidden, mut state) = (inputs.clone(), None);
    for _ in 0..config.answer_steps {
        let mut received = messages.add_to_graph(graph, &hidden);
        if config.variant == Variant::Palm {
            let both = graph.concat(&[&received, &inputs], 2);
            received = mlp(graph, &both, &name("post"));
        }
        let [new_hidden, cell] = lstm.step(graph, &received, state.as_ref());
        hidden = new_hidden.clone();
        state = Some([new_hidden, cell]);
    }
    let answers = graph.dense(&hidden, &name("answer"));
    graph.slice(&answers, 2, 1, order.side() + 1)
}

/// The inputs of every cell: the embeddings of digit, row and column pass through four layers. The
/// first layer is applied to each part separately, so that rows and columns are not repeated for
/// every puzzle.
fn encode_inputs(
    config: &Config,
    order: Order,
    graph: &mut GraphBuilder<'_>,
    prefix: &str,
) -> Value {
    let size = config.embedding;
    let puzzle = graph.puzzle();
    let digits = graph.weight(&format!("{prefix}digits"));
    let digits = graph.gather(&digits, &puzzle, 0); // [batch, cells, embedding]
    let place = |graph: &mut GraphBuilder<'_>, name: &str, place: &dyn Fn(Cell) -> usize| {
        let places = graph.integers(order.cells().map(|cell| place(cell) as i64).collect());
        let weight = graph.weight(&format!("{prefix}{name}"));
        graph.gather(&weight, &places, 0) // [cells, embedding]
    };
    let rows = place(graph, "rows", &|cell| order.row_of(cell));
    let columns = place(graph, "columns", &|cell| order.column_of(cell));
    let weight = graph.weight(&format!("{prefix}inputs.first.weight"));
    let mut sum = graph.weight(&format!("{prefix}inputs.first.bias"));
    for (number, part) in [rows, columns, digits].iter().enumerate() {
        // The weight starts with the digits. They are added last here, because only they have a
        // batch axis.
        let from = size * ((number + 1) % 3);
        let weight = graph.slice(&weight, 0, from, from + size);
        let product = graph.binary("MatMul", part, &weight);
        sum = graph.binary("Add", &product, &sum);
    }
    let first = graph.unary("Relu", &sum);
    rest_of_mlp(graph, &first, &format!("{prefix}inputs"))
}

/// Four layers with relu between them.
fn mlp(graph: &mut GraphBuilder<'_>, input: &Value, name: &str) -> Value {
    let first = graph.dense(input, &format!("{name}.first"));
    let first = graph.unary("Relu", &first);
    rest_of_mlp(graph, &first, name)
}

fn rest_of_mlp(graph: &mut GraphBuilder<'_>, first: &Value, name: &str) -> Value {
    let second = graph.dense(first, &format!("{name}.second"));
    let second = graph.unary("Relu", &second);
    let third = graph.dense(&second, &format!("{name}.third"));
    let third = graph.unary("Relu", &third);
    graph.dense(&third, &format!("{name}.fourth"))
}

/// Values that are shared by the messages of all steps: the halves of the first layer, the edges of
/// the grid, and the bias of the last layer.
struct Messages {
    name: String,
    source: Value,
    target: Value,
    sources: Value,
    last_bias: Value,
    shape: [i64; 4],
}

impl Messages {
    fn new(width: usize, order: Order, graph: &mut GraphBuilder<'_>, prefix: &str) -> Messages {
        let name = format!("{prefix}message");
        let weight = graph.weight(&format!("{name}.first.weight"));
        let (source, target) =
            (graph.slice(&weight, 0, 0, width), graph.slice(&weight, 0, width, 2 * width));
        let sources: Vec<i64> = order
            .cells()
            .flat_map(|cell| order.peers_of(cell))
            .map(|peer| peer.index() as i64)
            .collect();
        let (cells, edges) = (order.cell_count(), sources.len());
        let degree = edges / cells;
        // The last layer is applied to the sum of all messages, so its bias counts once per
        // message.
        let (bias, each) = (
            graph.weight(&format!("{name}.fourth.bias")),
            graph.constant(&[1], vec![degree as f32]),
        );
        let last_bias = graph.binary("Mul", &bias, &each);
        let shape = [-1, cells as i64, degree as i64, width as i64];
        Messages { source, target, sources: graph.integers(sources), last_bias, shape, name }
    }

    /// The sum of the messages to each cell, `[batch, cells, hidden]`.
    fn add_to_graph(&self, graph: &mut GraphBuilder<'_>, hidden: &Value) -> Value {
        let bias = graph.weight(&format!("{}.first.bias", self.name));
        let target = graph.binary("MatMul", hidden, &self.target);
        let target = graph.binary("Add", &target, &bias);
        let target = graph.unsqueeze(&target, 2); // [batch, cells, 1, hidden]
        let source = graph.binary("MatMul", hidden, &self.source);
        let source = graph.gather(&source, &self.sources, 1); // [batch, edges, hidden]
        let source = graph.reshape(&source, &self.shape); // [batch, cells, degree, hidden]
        let mut edges = graph.binary("Add", &source, &target);
        edges = graph.unary("Relu", &edges);
        for layer in ["second", "third"] {
            edges = graph.dense(&edges, &format!("{}.{layer}", self.name));
            edges = graph.unary("Relu", &edges);
        }
        let sums = graph.sum(&edges, 2); // [batch, cells, hidden]
        let weight = graph.weight(&format!("{}.fourth.weight", self.name));
        let product = graph.binary("MatMul", &sums, &weight);
        graph.binary("Add", &product, &self.last_bias)
    }
}

/// Values that are shared by all steps of the LSTM.
struct Lstm {
    width: usize,
    /// For the messages, `[hidden, 4 · hidden]`.
    messages: Value,
    /// For the previous hidden state.
    hidden: Value,
    /// Contribution of the inputs, or of the bias, to the gates of every step.
    constant: Value,
}

impl Lstm {
    fn new(config: &Config, graph: &mut GraphBuilder<'_>, prefix: &str, inputs: &Value) -> Lstm {
        let width = config.hidden;
        let weight = graph.weight(&format!("{prefix}lstm.inputs"));
        let hidden = graph.weight(&format!("{prefix}lstm.hidden"));
        let (messages, constant) = match config.variant {
            Variant::Palm => (weight, graph.weight(&format!("{prefix}lstm.bias"))),
            Variant::Dgl => {
                let (inputs_weight, messages) =
                    (graph.slice(&weight, 0, 0, width), graph.slice(&weight, 0, width, 2 * width));
                (messages, graph.binary("MatMul", inputs, &inputs_weight))
            }
        };
        Lstm { width, messages, hidden, constant }
    }

    /// The new hidden and cell state, from the messages and, after the first step, the old states.
    fn step(
        &self,
        graph: &mut GraphBuilder<'_>,
        messages: &Value,
        state: Option<&[Value; 2]>,
    ) -> [Value; 2] {
        let mut gates = graph.binary("MatMul", messages, &self.messages);
        gates = graph.binary("Add", &gates, &self.constant);
        if let Some([hidden, _]) = state {
            let product = graph.binary("MatMul", hidden, &self.hidden);
            gates = graph.binary("Add", &gates, &product);
        }
        lstm_cell::add_to_graph(
            graph,
            &gates,
            [0, 1, 2, 3],
            self.width,
            state.map(|[_, cell]| cell),
        )
    }
}
