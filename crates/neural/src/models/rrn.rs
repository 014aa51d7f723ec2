//! Rasmus Berg Palm, Ulrich Paquet and Ole Winther, "Recurrent Relational Networks" (2018), as paper 1 uses it
//! (Cheewaprakobkit, Shih, Lau, Lin and Lin, "Rule-based Explaining Module", 2023).
//!
//! Every cell is a node with a state. In every step each cell sends a message to the twenty cells that share a house with
//! it, adds up what it receives, and renews its state; after every step it names its digit, and all steps are held to
//! the solution. The same weights serve all cells and all steps, so a trained network may think longer than it learned
//! to.
//!
//! paper → code: xᵢ → `inputs`, f → `message`, g → `post` and `lstm`, k → `answer`, hᵢᵗ → `hidden`, t → `steps`.
//!
//! There are two readings of "RRN" with public code, and both are here: Palm's own (201,194 parameters) and that of the
//! graph library DGL (191,114), on which paper 1 builds, as its number of parameters tells.

pub mod trial;

use crate::device::Engine;
use crate::inference::evaluate::Way;
use crate::models::encoding::Encoding;
use crate::models::{Answers, Design, Network, Thinking, Thoughts};
use crate::ops::layers::{Dense, evenly, glorot};
use crate::ops::message_passing::{EdgeLayer, Graph, Messenger};
use burn::module::{Module, Param};
use burn::tensor::activation::{log_softmax, relu};
use burn::tensor::backend::Backend;
use burn::tensor::{Int, Tensor, TensorData};
use ninefold::grid::Order;
use ninefold::random::Random;
use serde::{Deserialize, Serialize};

/// Whose reading of the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reading {
    /// Palm's: a zero as the feature of every edge, a network between the messages and the LSTM, biases in the LSTM.
    Palm,
    /// That of the graph library DGL: the LSTM takes the messages and the inputs, and has no biases.
    Dgl,
}

/// The settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rrn {
    /// Whose reading.
    pub reading: Reading,
    /// Numbers that stand for a digit, a row and a column.
    pub embedding: usize,
    /// Numbers in the state of a cell.
    pub hidden: usize,
    /// Steps while learning.
    pub steps: usize,
    /// Steps while answering.
    pub answer_steps: usize,
    /// On a graphics card, keep the messages as 16-bit numbers.
    pub half: bool,
}

impl Rrn {
    /// Palm's network: 201,194 parameters.
    pub fn palm() -> Rrn {
        Rrn { reading: Reading::Palm, ..Rrn::paper() }
    }

    /// The network of paper 1: 191,114 parameters, 32 steps while learning, 64 while answering.
    pub fn paper() -> Rrn {
        Rrn { reading: Reading::Dgl, embedding: 16, hidden: 96, steps: 32, answer_steps: 64, half: false }
    }

    /// Small enough to learn a handful of puzzles within seconds.
    pub fn tiny() -> Rrn {
        Rrn { embedding: 4, hidden: 16, steps: 4, answer_steps: 6, ..Rrn::paper() }
    }
}

impl Design for Rrn {
    type Network<B: Engine> = RrnNetwork<B>;

    fn encoding(&self) -> Encoding {
        Encoding::OneHotWithBlank
    }

    fn way(&self) -> Way {
        Way::AtOnce
    }

    fn thinks_on(&self) -> bool {
        true
    }

    fn refuses(&self, _order: Order) -> Option<String> {
        if self.embedding == 0 || self.hidden == 0 {
            Some("a state without numbers has nothing to say".to_string())
        } else if self.steps == 0 || self.answer_steps == 0 {
            Some("without a step there is no answer".to_string())
        } else {
            None
        }
    }

    fn build<B: Engine>(&self, order: Order, random: &mut Random, device: &B::Device) -> RrnNetwork<B> {
        let width = self.hidden;
        let (is_palm, edge_features) = match self.reading {
            Reading::Palm => (true, 1),
            Reading::Dgl => (false, 0),
        };
        // Embeddings start with variance 1, everything else like a layer of Keras; so does Palm's code.
        let mut embed = |count: usize| evenly([count, self.embedding], 3f64.sqrt(), random, device);
        let (digits, rows, columns) = (embed(order.side() + 1), embed(order.side()), embed(order.side()));
        RrnNetwork {
            digits,
            rows,
            columns,
            inputs: Layers::new(3 * self.embedding, width, random, device),
            message: Layers::new(2 * width + edge_features, width, random, device),
            post: is_palm.then(|| Layers::new(2 * width, width, random, device)),
            lstm: Lstm::new(if is_palm { width } else { 2 * width }, width, is_palm, random, device),
            answer: Dense::new(width, order.side() + 1, random, device),
            box_rows: order.box_rows(),
            box_columns: order.box_columns(),
            steps: self.steps,
            answer_steps: self.answer_steps,
            half: self.half,
        }
    }
}

/// The layers, in the order in which a puzzle meets them.
#[derive(Module, Debug)]
pub struct RrnNetwork<B: Backend> {
    /// What "empty" and each digit look like, `[digits + 1, embedding]`.
    digits: Param<Tensor<B, 2>>,
    /// What each row looks like.
    rows: Param<Tensor<B, 2>>,
    /// What each column looks like.
    columns: Param<Tensor<B, 2>>,
    inputs: Layers<B>,
    message: Layers<B>,
    post: Option<Layers<B>>,
    lstm: Lstm<B>,
    /// One number for "empty" and one for each digit.
    answer: Dense<B>,
    box_rows: usize,
    box_columns: usize,
    steps: usize,
    answer_steps: usize,
    half: bool,
}

/// Four layers with relu between them.
#[derive(Module, Debug)]
struct Layers<B: Backend> {
    first: Dense<B>,
    second: Dense<B>,
    third: Dense<B>,
    fourth: Dense<B>,
}

/// A long short-term memory without its activations: its weights for the inputs and for the last hidden state.
#[derive(Module, Debug)]
struct Lstm<B: Backend> {
    /// `[inputs, 4 · width]`
    inputs: Param<Tensor<B, 2>>,
    /// `[width, 4 · width]`
    hidden: Param<Tensor<B, 2>>,
    /// `[4 · width]`
    bias: Option<Param<Tensor<B, 1>>>,
}

impl<B: Engine> RrnNetwork<B> {
    /// The hidden state of every cell after each step, `[batch, cells, hidden]`; a step is taken when it is asked for.
    pub fn think(&self, board: Tensor<B, 3>, steps: usize) -> impl ExactSizeIterator<Item = Tensor<B, 3>> {
        self.think_from(board, None, steps).map(|(hidden, _)| hidden)
    }

    /// Hidden states and memories after each step from earlier thoughts, which are both beside each other,
    /// `[batch, cells, 2 · hidden]`.
    fn think_from(
        &self,
        board: Tensor<B, 3>,
        thoughts: Option<&Thoughts<B>>,
        steps: usize,
    ) -> impl ExactSizeIterator<Item = (Tensor<B, 3>, Tensor<B, 3>)> {
        let device = board.device();
        let graph = Graph::of(self.order(), self.half, &device);
        let inputs = self.inputs.forward(self.look(board)); // [batch, cells, hidden]
        let (pair_weight, pair_bias) = self.pair_layer();
        let middle = [edge_layer(&self.message.second), edge_layer(&self.message.third)];
        // The last layer of a message is applied to the sum of all, so its bias counts once for each.
        let last = &self.message.fourth;
        let last_bias = last.bias.val() * graph.degree as f64; // [hidden]
        let Start { mut hidden, mut recurrent, mut memory } = Start::new(&inputs, thoughts);
        let for_inputs = self.lstm.part_of_inputs(&inputs, self.post.is_none());
        (0..steps).map(move |_| {
            let pairs = B::shifted(hidden.clone().matmul(pair_weight.clone()), pair_bias.clone()); // […, 2 · hidden]
            let sums = B::messages(pairs, middle.clone(), &graph); // [batch, cells, hidden]
            let messages = B::shifted(sums.matmul(last.weight.val().unsqueeze()), last_bias.clone()); // […, hidden]
            let news = match &self.post {
                None => messages,
                Some(post) => post.forward(Tensor::cat(vec![messages, inputs.clone()], 2)),
            };
            let gates = self.lstm.gates(news, recurrent.clone(), for_inputs.clone()); // [batch, cells, 4 · hidden]
            memory = B::memory(gates.clone(), memory.clone());
            hidden = B::hidden(gates, memory.clone());
            recurrent = hidden.clone();
            (hidden.clone(), memory.clone())
        })
    }

    /// One number for "empty" and one for each digit, `[batch, cells, digits + 1]`.
    pub fn logits(&self, hidden: Tensor<B, 3>) -> Tensor<B, 3> {
        on_nodes(&self.answer, hidden)
    }

    /// The logits of the digits alone, `[batch, cells, digits]`.
    pub fn digits_of(&self, hidden: Tensor<B, 3>) -> Tensor<B, 3> {
        without_empty(self.logits(hidden))
    }

    /// The cross entropy of a cell after each of so many steps, `[steps]`.
    pub fn losses(&self, board: Tensor<B, 3>, solutions: Tensor<B, 3>, steps: usize) -> Tensor<B, 1> {
        self.losses_of(self.think(board, steps).collect(), solutions)
    }

    /// The same for states that are known already.
    pub fn losses_of(&self, states: Vec<Tensor<B, 3>>, solutions: Tensor<B, 3>) -> Tensor<B, 1> {
        let [batch, cells, digits] = solutions.dims();
        let steps = states.len();
        let weight = self.answer.weight.val().unsqueeze();
        let logits = states.into_iter().map(|hidden| hidden.matmul(weight.clone())).collect();
        // All steps as one batch: many small operations become a few.
        let logits: Tensor<B, 3> = Tensor::cat(logits, 0) + self.answer.bias.val().unsqueeze(); // [steps · batch, …]
        let told = without_empty(log_softmax(logits, 2)).reshape([steps, batch, cells, digits]);
        let right = told * solutions.unsqueeze::<4>();
        right.sum_dim(3).sum_dim(2).sum_dim(1).reshape([steps]) * (-1.0 / (batch * cells) as f64)
    }

    /// The weights of its first layer.
    #[cfg(test)]
    pub fn first_weight(&self) -> Tensor<B, 2> {
        self.inputs.first.weight.val()
    }

    /// The numbers in the state of a cell.
    pub fn width(&self) -> usize {
        self.answer.weight.dims()[0]
    }

    fn order(&self) -> Order {
        Order::boxes(self.box_rows, self.box_columns).expect("the network was built for this order")
    }

    /// Digit, row and column of every cell, `[batch, cells, 3 · embedding]`.
    fn look(&self, board: Tensor<B, 3>) -> Tensor<B, 3> {
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

    /// The first layer of a message as a layer for nodes: what a node has to say as the target of a message (with the
    /// bias) beside what it has to say as the source. The feature of an edge is always zero, so its weights are left out.
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

impl<B: Engine> Network<B> for RrnNetwork<B> {
    fn forward(&self, board: Tensor<B, 3>) -> Tensor<B, 3> {
        let last = self.think(board, self.answer_steps).last().expect("there is at least one step");
        self.digits_of(last)
    }

    fn answers_on_the_way(&self, board: Tensor<B, 3>) -> Answers<'_, Tensor<B, 3>> {
        Box::new(self.think(board, self.answer_steps).map(|state| self.digits_of(state)))
    }

    fn loss(&self, board: Tensor<B, 3>, solutions: Tensor<B, 3>) -> Tensor<B, 1> {
        self.loss_after(board, solutions, None)
    }

    fn loss_after(&self, board: Tensor<B, 3>, solutions: Tensor<B, 3>, steps: Option<usize>) -> Tensor<B, 1> {
        self.losses(board, solutions, steps.unwrap_or(self.steps)).mean()
    }

    fn think_on(
        &self,
        board: Tensor<B, 3>,
        solutions: Tensor<B, 3>,
        thoughts: &Thoughts<B>,
        steps: Option<usize>,
    ) -> Option<Thinking<B>> {
        let thinking = self.think_from(board, Some(thoughts), steps.unwrap_or(self.steps));
        let (states, mut memories): (Vec<_>, Vec<_>) = thinking.unzip();
        let last = states.last().expect("there is at least one step").clone();
        let memory = memories.pop().expect("every step has a memory");
        Some(Thinking {
            answer: self.digits_of(last.clone()),
            loss: self.losses_of(states, solutions).mean(),
            states: Tensor::cat(vec![last, memory], 2),
        })
    }
}

/// What the first step begins with, each `[batch, cells, hidden]`.
struct Start<B: Backend> {
    /// What is sent in messages: at the very beginning, the inputs.
    hidden: Tensor<B, 3>,
    /// What goes back into the LSTM: at the very beginning, nothing.
    recurrent: Tensor<B, 3>,
    memory: Tensor<B, 3>,
}

impl<B: Backend> Start<B> {
    fn new(inputs: &Tensor<B, 3>, thoughts: Option<&Thoughts<B>>) -> Start<B> {
        let nothing = || inputs.zeros_like();
        let Some((states, unseen)) = thoughts.and_then(|thoughts| Some((thoughts.states.clone()?, &thoughts.unseen)))
        else {
            return Start { hidden: inputs.clone(), recurrent: nothing(), memory: nothing() };
        };
        let [batch, cells, width] = inputs.dims();
        let states = states * (-unseen.clone() + 1.0);
        let recurrent = states.clone().slice([0..batch, 0..cells, 0..width]);
        let memory = states.slice([0..batch, 0..cells, width..2 * width]);
        Start { hidden: inputs.clone() * unseen.clone() + recurrent.clone(), recurrent, memory }
    }
}

impl<B: Backend> Layers<B> {
    fn new(inputs: usize, width: usize, random: &mut Random, device: &B::Device) -> Layers<B> {
        let mut layer = |inputs| Dense::new(inputs, width, random, device);
        Layers { first: layer(inputs), second: layer(width), third: layer(width), fourth: layer(width) }
    }

    fn forward(&self, input: Tensor<B, 3>) -> Tensor<B, 3>
    where
        B: Messenger,
    {
        let input = relu(on_nodes(&self.first, input));
        let input = relu(on_nodes(&self.second, input));
        on_nodes(&self.fourth, relu(on_nodes(&self.third, input)))
    }
}

impl<B: Backend> Lstm<B> {
    fn new(inputs: usize, width: usize, has_bias: bool, random: &mut Random, device: &B::Device) -> Lstm<B> {
        let fans = inputs + 5 * width;
        // A bias of 1 for the forget gates: at first the LSTM forgets little (so does TensorFlow's, which Palm used).
        let bias = || {
            let bias: Vec<f32> = (0..4 * width).map(|gate| f32::from(u8::from(gate / width == 1))).collect();
            Param::from_data(TensorData::new(bias, [4 * width]), device)
        };
        Lstm {
            inputs: glorot([inputs, 4 * width], fans, random, device),
            hidden: glorot([width, 4 * width], fans, random, device),
            bias: has_bias.then(bias),
        }
    }

    /// The part of the gates that is the same in every step, `[batch, cells, 4 · width]`: that of the inputs, if they go
    /// in beside the messages, and the bias.
    fn part_of_inputs(&self, inputs: &Tensor<B, 3>, is_beside: bool) -> Tensor<B, 3> {
        let [batch, cells, width] = inputs.dims();
        let weight = self.inputs.val().slice([0..width, 0..4 * width]);
        let part = match is_beside {
            true => inputs.clone().matmul(weight.unsqueeze()),
            false => Tensor::zeros([batch, cells, 4 * width], &inputs.device()),
        };
        match &self.bias {
            Some(bias) => part + bias.val().unsqueeze(),
            None => part,
        }
    }

    /// The gates before their activations, `[batch, cells, 4 · width]`. What is new comes after the inputs.
    fn gates(&self, news: Tensor<B, 3>, hidden: Tensor<B, 3>, constant: Tensor<B, 3>) -> Tensor<B, 3>
    where
        B: Messenger,
    {
        let [inputs, gates] = self.inputs.dims();
        let width = news.dims()[2];
        let weight = self.inputs.val().slice([inputs - width..inputs, 0..gates]);
        B::gates(constant, [(news, weight), (hidden, self.hidden.val())])
    }
}

/// A layer for every node. Unlike one long list of rows, a product for each puzzle has a gradient that is many short
/// sums and not one long one.
pub(crate) fn on_nodes<B: Messenger>(layer: &Dense<B>, nodes: Tensor<B, 3>) -> Tensor<B, 3> {
    B::shifted(nodes.matmul(layer.weight.val().unsqueeze()), layer.bias.val())
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
