//! Rasmus Berg Palm, Ulrich Paquet and Ole Winther, "Recurrent Relational Networks" (2018), as used
//! by Cheewaprakobkit, Shih, Lau, Lin and Lin ("Rule-based Explaining Module", 2023).
//!
//! Every cell is a node with a state. In every step each cell sends a message to the twenty cells
//! that share a house with it, sums the received messages and updates its state. It predicts its
//! digit after every step, and the loss includes all steps. All cells and steps share the same
//! weights, so a trained network can run for more steps than in training.
//!
//! paper → code: xᵢ → `inputs`, f → `message`, g → `post` and `lstm`, k → `answer`, hᵢᵗ → `hidden`,
//! t → `steps`.
//!
//! There are two public implementations of RRN, and both variants are available here: the one by
//! Palm (201,194 parameters) and the one of the graph library DGL (191,114). Cheewaprakobkit et al.
//! build on the latter, as their parameter count shows.

pub mod benchmark;
pub(crate) mod onnx;

use crate::device::Engine;
use crate::inference::decoding::Decoding;
use crate::models::encoding::Encoding;
use crate::models::{
    Continuation, ModelConfig, Network, RecurrentState, StepOutputs, cells_and_side,
};
use crate::onnx::{GraphBuilder, Value};
use crate::ops::dense::{AddBias, Dense};
use crate::ops::init::{glorot, uniform};
use crate::ops::lstm_cell::LstmCell;
use crate::ops::message_passing::{EdgeLayer, Graph};
use crate::training::adam::OptimizerConfig;
use crate::training::data::{Augmentation, DatasetConfig, Source, SplitFiles};
use crate::training::experiment::{Experiment, Stage};
use burn::module::{Module, Param};
use burn::tensor::activation::{log_softmax, relu};
use burn::tensor::backend::Backend;
use burn::tensor::{Int, Tensor, TensorData};
use ninefold::grid::Order;
use ninefold::random::Random;
use ninefold_training::memory::NetworkSize;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Authors of the variant [`Config::paper`].
pub(crate) const AUTHORS: &str = "Cheewaprakobkit and others 2023";

/// Authors of the variant [`Config::palm`].
pub(crate) const PALM_AUTHORS: &str = "Palm, Paquet and Winther 2018";

/// Parameter count of [`Config::paper`] for 9×9.
pub(crate) const PARAMETERS: usize = 191_114;

/// Parameter count of [`Config::palm`] for 9×9.
pub(crate) const PALM_PARAMETERS: usize = 201_194;

/// The implementation that the network follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Variant {
    /// By Palm: edges have a feature that is always zero, an MLP between the messages and the LSTM,
    /// biases in the LSTM.
    Palm,
    /// DGL: the LSTM receives the messages and the inputs, and has no biases.
    Dgl,
}

/// Settings of the model.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The implementation to follow.
    #[serde(rename = "reading")]
    pub variant: Variant,
    /// Width of the embeddings of digit, row and column.
    pub embedding: usize,
    /// Width of the state of a cell.
    pub hidden: usize,
    /// Steps in training.
    pub steps: usize,
    /// Steps in inference.
    pub answer_steps: usize,
    /// Store messages as 16-bit numbers on GPUs.
    pub half: bool,
}

impl Config {
    /// The network of Palm et al.
    pub fn palm() -> Config {
        Config { variant: Variant::Palm, ..Config::paper() }
    }

    /// The network of Cheewaprakobkit et al.: 32 steps in training, 64 in inference.
    pub fn paper() -> Config {
        Config {
            variant: Variant::Dgl,
            embedding: 16,
            hidden: 96,
            steps: 32,
            answer_steps: 64,
            half: false,
        }
    }

    /// Small enough to memorise a handful of puzzles within seconds.
    pub fn tiny() -> Config {
        Config { embedding: 4, hidden: 16, steps: 4, answer_steps: 6, ..Config::paper() }
    }
}

impl ModelConfig for Config {
    type Network<B: Engine> = Model<B>;

    fn encoding(&self) -> Encoding {
        Encoding::OneHotWithBlank
    }

    fn decoding(&self) -> Decoding {
        Decoding::AtOnce
    }

    fn has_recurrent_state(&self) -> bool {
        true
    }

    fn validate(&self, _order: Order) -> Result<(), String> {
        if self.embedding == 0 || self.hidden == 0 {
            Err("embedding and hidden width must be positive".to_string())
        } else if self.steps == 0 || self.answer_steps == 0 {
            Err("at least one step is needed".to_string())
        } else {
            Ok(())
        }
    }

    fn size(&self, order: Order, recurrences: Option<usize>) -> NetworkSize {
        let (cells, side) = cells_and_side(order);
        let (hidden, embedding) = (self.hidden as f64, self.embedding as f64);
        let steps = recurrences.unwrap_or(self.steps) as f64;
        let peers = order.peers_of(order.cell(0, 0)).len() as f64;
        let parameters = 12.0 * hidden * hidden + (3.0 * side + hidden) * embedding;
        NetworkSize::new(parameters, cells * hidden * (8.0 * steps + peers))
    }

    fn add_to_graph(&self, order: Order, graph: &mut GraphBuilder<'_>) -> Option<Value> {
        Some(onnx::logits(self, order, graph, ""))
    }

    fn build<B: Engine>(&self, order: Order, random: &mut Random, device: &B::Device) -> Model<B> {
        let width = self.hidden;
        let (is_palm, edge_features) = match self.variant {
            Variant::Palm => (true, 1),
            Variant::Dgl => (false, 0),
        };
        // Embeddings are initialised with variance 1, everything else like a Keras layer, as in
        // Palm's code.
        let mut embed =
            |count: usize| uniform([count, self.embedding], 3f64.sqrt(), random, device);
        let (digits, rows, columns) =
            (embed(order.side() + 1), embed(order.side()), embed(order.side()));
        Model {
            digits,
            rows,
            columns,
            inputs: Mlp::new(3 * self.embedding, width, random, device),
            message: Mlp::new(2 * width + edge_features, width, random, device),
            post: is_palm.then(|| Mlp::new(2 * width, width, random, device)),
            lstm: LstmWeights::new(
                if is_palm { width } else { 2 * width },
                width,
                is_palm,
                random,
                device,
            ),
            answer: Dense::new(width, order.side() + 1, random, device),
            box_rows: order.box_rows(),
            box_columns: order.box_columns(),
            steps: self.steps,
            answer_steps: self.answer_steps,
            half: self.half,
        }
    }
}

/// Palm's recipe: 17-clue puzzles with up to 34 givens, batches of 256, Adam at 0.0002, L2 of
/// 0.0001. Cheewaprakobkit et al. state only batches of 128, a rate of 0.00002 and five days.
///
/// The lists are created from the 17-clue puzzles by `ninefold dataset split --by solution`.
pub fn recipe(config: Config) -> Experiment<Config> {
    let list = |part: &str| vec![Path::new("data/17_clue").join(format!("{part}.txt"))];
    let lists =
        SplitFiles { train: list("train"), validation: list("validation"), test: list("test") };
    let augmentation =
        Some(Augmentation { givens: [17, 34], symmetries: true, on_solving_path: false });
    let data = DatasetConfig {
        train: 1_000_000,
        validation: 1_000,
        test: 10_000,
        ..DatasetConfig::new(Source::Lists)
    };
    Experiment {
        batch_size: 256,
        stages: vec![Stage::new(300, 2e-4)],
        optimizer: OptimizerConfig { weight_decay: 1e-4, max_grad_norm: 0.0 },
        ..Experiment::new(config, DatasetConfig { lists, augmentation, ..data })
    }
}

/// The layers, in forward order.
#[derive(Module, Debug)]
pub struct Model<B: Backend> {
    /// Embedding of "empty" and of each digit, `[digits + 1, embedding]`.
    digits: Param<Tensor<B, 2>>,
    /// Embedding of each row.
    rows: Param<Tensor<B, 2>>,
    /// Embedding of each column.
    columns: Param<Tensor<B, 2>>,
    inputs: Mlp<B>,
    message: Mlp<B>,
    post: Option<Mlp<B>>,
    lstm: LstmWeights<B>,
    /// Output layer: logits of "empty" and of each digit.
    answer: Dense<B>,
    box_rows: usize,
    box_columns: usize,
    steps: usize,
    answer_steps: usize,
    half: bool,
}

/// Four layers with relu between them.
#[derive(Module, Debug)]
struct Mlp<B: Backend> {
    first: Dense<B>,
    second: Dense<B>,
    third: Dense<B>,
    fourth: Dense<B>,
}

/// The weights of an LSTM cell, for the inputs and for the previous hidden state.
#[derive(Module, Debug)]
struct LstmWeights<B: Backend> {
    /// `[inputs, 4 · width]`
    inputs: Param<Tensor<B, 2>>,
    /// `[width, 4 · width]`
    hidden: Param<Tensor<B, 2>>,
    /// `[4 · width]`
    bias: Option<Param<Tensor<B, 1>>>,
}

impl<B: Engine> Model<B> {
    /// The hidden state of every cell after each step, `[batch, cells, hidden]`. Steps are computed
    /// lazily.
    pub(crate) fn hidden_states(
        &self,
        board: Tensor<B, 3>,
        steps: usize,
    ) -> impl ExactSizeIterator<Item = Tensor<B, 3>> {
        self.states_from(board, None, steps).map(|(hidden, _)| hidden)
    }

    /// Hidden and cell states after each step. An initial state is both concatenated, `[batch,
    /// cells, 2 · hidden]`.
    fn states_from(
        &self,
        board: Tensor<B, 3>,
        state: Option<&RecurrentState<B>>,
        steps: usize,
    ) -> impl ExactSizeIterator<Item = (Tensor<B, 3>, Tensor<B, 3>)> {
        let device = board.device();
        let graph = Graph::for_grid(self.order(), self.half, &device);
        let inputs = self.inputs.forward(self.embed_cells(board)); // [batch, cells, hidden]
        let (pair_weight, pair_bias) = self.pair_layer();
        let middle = [edge_layer(&self.message.second), edge_layer(&self.message.third)];
        // The last layer of a message is applied to the sum of all messages, so its bias counts
        // once per message.
        let last = &self.message.fourth;
        let last_bias = last.bias.val() * graph.degree as f64; // [hidden]
        let Start { mut hidden, mut recurrent, mut cell } = Start::new(&inputs, state);
        let for_inputs = self.lstm.constant_gates(&inputs, self.post.is_none());
        (0..steps).map(move |_| {
            let pairs = B::add_bias(hidden.clone().matmul(pair_weight.clone()), pair_bias.clone()); // […, 2 · hidden]
            let sums = B::messages(pairs, middle.clone(), &graph); // [batch, cells, hidden]
            let messages =
                B::add_bias(sums.matmul(last.weight.val().unsqueeze()), last_bias.clone()); // […, hidden]
            let new_inputs = match &self.post {
                None => messages,
                Some(post) => post.forward(Tensor::cat(vec![messages, inputs.clone()], 2)),
            };
            let gates = self.lstm.gates(new_inputs, recurrent.clone(), for_inputs.clone()); // [batch, cells, 4 · hidden]
            cell = B::cell_state(gates.clone(), cell.clone());
            hidden = B::hidden_state(gates, cell.clone());
            recurrent = hidden.clone();
            (hidden.clone(), cell.clone())
        })
    }

    /// The logits of "empty" and of each digit, `[batch, cells, digits + 1]`.
    fn logits(&self, hidden: Tensor<B, 3>) -> Tensor<B, 3> {
        self.answer.on_nodes(hidden)
    }

    /// The logits of the digits, `[batch, cells, digits]`.
    pub(crate) fn digits_of(&self, hidden: Tensor<B, 3>) -> Tensor<B, 3> {
        without_empty(self.logits(hidden))
    }

    /// The cross entropy per cell after each step, `[steps]`.
    fn losses(&self, board: Tensor<B, 3>, solutions: Tensor<B, 3>, steps: usize) -> Tensor<B, 1> {
        self.losses_of(self.hidden_states(board, steps).collect(), solutions)
    }

    /// Like [`losses`](Model::losses), for states that are already computed.
    pub(crate) fn losses_of(
        &self,
        states: Vec<Tensor<B, 3>>,
        solutions: Tensor<B, 3>,
    ) -> Tensor<B, 1> {
        let [batch, cells, digits] = solutions.dims();
        let steps = states.len();
        let weight = self.answer.weight.val().unsqueeze();
        let logits = states.into_iter().map(|hidden| hidden.matmul(weight.clone())).collect();
        // Treat all steps as one batch: few large operations instead of many small ones.
        let logits: Tensor<B, 3> = Tensor::cat(logits, 0) + self.answer.bias.val().unsqueeze(); // [steps · batch, …]
        let log_probabilities =
            without_empty(log_softmax(logits, 2)).reshape([steps, batch, cells, digits]);
        let right = log_probabilities * solutions.unsqueeze::<4>();
        right.sum_dim(3).sum_dim(2).sum_dim(1).reshape([steps]) * (-1.0 / (batch * cells) as f64)
    }

    /// The weights of the first layer, for tests.
    #[cfg(test)]
    pub(crate) fn first_weight(&self) -> Tensor<B, 2> {
        self.inputs.first.weight.val()
    }

    /// Width of the state of a cell.
    fn width(&self) -> usize {
        self.answer.weight.dims()[0]
    }

    fn order(&self) -> Order {
        Order::new(self.box_rows, self.box_columns).expect("the network was built for this order")
    }

    /// Embeddings of digit, row and column of every cell, `[batch, cells, 3 · embedding]`.
    fn embed_cells(&self, board: Tensor<B, 3>) -> Tensor<B, 3> {
        let [batch, cells, _] = board.dims();
        let device = board.device();
        let digits = board.matmul(self.digits.val().unsqueeze()); // [batch, cells, embedding]
        let order = self.order();
        let places = |place: &dyn Fn(ninefold::grid::Cell) -> usize| -> Tensor<B, 1, Int> {
            let places: Vec<i32> = order.cells().map(|cell| place(cell) as i32).collect();
            Tensor::from_data(TensorData::new(places, [cells]), &device)
        };
        let rows = self.rows.val().select(0, places(&|cell| order.row_of(cell)));
        let columns = self.columns.val().select(0, places(&|cell| order.column_of(cell)));
        let position: Tensor<B, 3> = Tensor::cat(vec![rows, columns], 1).unsqueeze(); // [1, cells, 2 · embedding]
        Tensor::cat(vec![digits, position.repeat_dim(0, batch)], 2)
    }

    /// The first layer of a message as a layer for nodes: the contribution of a node as the target
    /// (with the bias) beside its contribution as the source. The feature of an edge is always
    /// zero, so its weights are omitted.
    fn pair_layer(&self) -> (Tensor<B, 3>, Tensor<B, 1>) {
        let layer = &self.message.first;
        let width = self.width();
        let weight = layer.weight.val(); // [2 · hidden (+ 1), hidden], the source above the target
        let source = weight.clone().slice([0..width, 0..width]);
        let target = weight.slice([width..2 * width, 0..width]);
        let bias = layer.bias.val();
        let bias = Tensor::cat(vec![bias.clone(), bias.zeros_like()], 0);
        (Tensor::cat(vec![target, source], 1).unsqueeze(), bias)
    }
}

impl<B: Engine> Network<B> for Model<B> {
    fn forward(&self, board: Tensor<B, 3>) -> Tensor<B, 3> {
        let last = self
            .hidden_states(board, self.answer_steps)
            .last()
            .expect("steps was checked to be positive");
        self.digits_of(last)
    }

    fn forward_each_step(&self, board: Tensor<B, 3>) -> StepOutputs<'_, Tensor<B, 3>> {
        Box::new(self.hidden_states(board, self.answer_steps).map(|state| self.digits_of(state)))
    }

    fn loss(&self, board: Tensor<B, 3>, solutions: Tensor<B, 3>) -> Tensor<B, 1> {
        self.loss_after(board, solutions, None)
    }

    fn loss_after(
        &self,
        board: Tensor<B, 3>,
        solutions: Tensor<B, 3>,
        steps: Option<usize>,
    ) -> Tensor<B, 1> {
        self.losses(board, solutions, steps.unwrap_or(self.steps)).mean()
    }

    fn forward_from(
        &self,
        board: Tensor<B, 3>,
        solutions: Tensor<B, 3>,
        state: &RecurrentState<B>,
        steps: Option<usize>,
    ) -> Option<Continuation<B>> {
        let steps = self.states_from(board, Some(state), steps.unwrap_or(self.steps));
        let (states, mut cells): (Vec<_>, Vec<_>) = steps.unzip();
        let last = states.last().expect("steps was checked to be positive").clone();
        let cell = cells.pop().expect("steps was checked to be positive");
        Some(Continuation {
            logits: self.digits_of(last.clone()),
            loss: self.losses_of(states, solutions).mean(),
            states: Tensor::cat(vec![last, cell], 2),
        })
    }
}

/// The initial state, each tensor `[batch, cells, hidden]`.
struct Start<B: Backend> {
    /// The state that is sent in messages; initially the inputs.
    hidden: Tensor<B, 3>,
    /// The recurrent input of the LSTM; initially zero.
    recurrent: Tensor<B, 3>,
    cell: Tensor<B, 3>,
}

impl<B: Backend> Start<B> {
    fn new(inputs: &Tensor<B, 3>, state: Option<&RecurrentState<B>>) -> Start<B> {
        let zeros = || inputs.zeros_like();
        let Some((states, is_new)) =
            state.and_then(|state| Some((state.states.clone()?, &state.is_new)))
        else {
            return Start { hidden: inputs.clone(), recurrent: zeros(), cell: zeros() };
        };
        let [batch, cells, width] = inputs.dims();
        let states = states * (-is_new.clone() + 1.0);
        let recurrent = states.clone().slice([0..batch, 0..cells, 0..width]);
        let cell = states.slice([0..batch, 0..cells, width..2 * width]);
        Start { hidden: inputs.clone() * is_new.clone() + recurrent.clone(), recurrent, cell }
    }
}

impl<B: Backend> Mlp<B> {
    fn new(inputs: usize, width: usize, random: &mut Random, device: &B::Device) -> Mlp<B> {
        let mut layer = |inputs| Dense::new(inputs, width, random, device);
        Mlp {
            first: layer(inputs),
            second: layer(width),
            third: layer(width),
            fourth: layer(width),
        }
    }

    fn forward(&self, input: Tensor<B, 3>) -> Tensor<B, 3>
    where
        B: AddBias,
    {
        let input = relu(self.first.on_nodes(input));
        let input = relu(self.second.on_nodes(input));
        self.fourth.on_nodes(relu(self.third.on_nodes(input)))
    }
}

impl<B: Backend> LstmWeights<B> {
    fn new(
        inputs: usize,
        width: usize,
        has_bias: bool,
        random: &mut Random,
        device: &B::Device,
    ) -> LstmWeights<B> {
        let fans = inputs + 5 * width;
        // A bias of 1 for the forget gates, so that the LSTM initially keeps its state, as in
        // TensorFlow, which Palm used.
        let bias = || {
            let bias: Vec<f32> =
                (0..4 * width).map(|gate| f32::from(u8::from(gate / width == 1))).collect();
            Param::from_data(TensorData::new(bias, [4 * width]), device)
        };
        LstmWeights {
            inputs: glorot([inputs, 4 * width], fans, random, device),
            hidden: glorot([width, 4 * width], fans, random, device),
            bias: has_bias.then(bias),
        }
    }

    /// The part of the gates that is the same in every step, `[batch, cells, 4 · width]`: the bias
    /// and, if the inputs are concatenated with the messages, their contribution.
    fn constant_gates(&self, inputs: &Tensor<B, 3>, is_concatenated: bool) -> Tensor<B, 3> {
        let [batch, cells, width] = inputs.dims();
        let weight = self.inputs.val().slice([0..width, 0..4 * width]);
        let part = match is_concatenated {
            true => inputs.clone().matmul(weight.unsqueeze()),
            false => Tensor::zeros([batch, cells, 4 * width], &inputs.device()),
        };
        match &self.bias {
            Some(bias) => part + bias.val().unsqueeze(),
            None => part,
        }
    }

    /// The gates before their activations, `[batch, cells, 4 · width]`. In the weights, the rows of
    /// the messages follow those of the inputs.
    fn gates(
        &self,
        new_inputs: Tensor<B, 3>,
        hidden: Tensor<B, 3>,
        constant: Tensor<B, 3>,
    ) -> Tensor<B, 3>
    where
        B: LstmCell,
    {
        let [inputs, gates] = self.inputs.dims();
        let width = new_inputs.dims()[2];
        let weight = self.inputs.val().slice([inputs - width..inputs, 0..gates]);
        B::gates(constant, [(new_inputs, weight), (hidden, self.hidden.val())])
    }
}

fn edge_layer<B: Backend>(layer: &Dense<B>) -> EdgeLayer<B> {
    (layer.weight.val(), layer.bias.val())
}

fn without_empty<B: Backend>(logits: Tensor<B, 3>) -> Tensor<B, 3> {
    let [batch, cells, all] = logits.dims();
    logits.slice([0..batch, 0..cells, 1..all])
}

#[cfg(test)]
mod tests;
