//! The graph that a model draws of itself: nodes, the weights they use, and constants.

use crate::training::checkpoint::{HostTensor, Tensors};
use std::collections::{BTreeMap, BTreeSet};

/// What goes in: the numbers of the puzzle, `[batch, cells]`.
pub const INPUT: &str = "puzzle";
/// What comes out: `[batch, cells, digits]`.
pub const OUTPUT: &str = "log_probabilities";

/// What tells constants from weights.
const CONSTANT: &str = "constant.";

/// Is this the name of a constant?
pub fn is_constant(name: &str) -> bool {
    name.starts_with(CONSTANT)
}

/// The name of a tensor that a node gives or takes.
pub type Value = String;

/// A graph that grows.
pub struct Drawing<'a> {
    tensors: &'a Tensors,
    used: BTreeSet<String>,
    constants: BTreeMap<String, HostTensor>,
    whole_numbers: BTreeMap<String, Vec<i64>>,
    nodes: Vec<Node>,
}

/// An operation on tensors.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its name in ONNX.
    pub operator: &'static str,
    /// What it takes.
    pub inputs: Vec<Value>,
    /// What it gives.
    pub output: Value,
    /// Its settings.
    pub attributes: Vec<(&'static str, Attribute)>,
}

/// A setting of a node.
#[derive(Clone, Debug, PartialEq)]
pub enum Attribute {
    /// One whole number.
    Number(i64),
    /// Several.
    Numbers(Vec<i64>),
}

impl<'a> Drawing<'a> {
    /// An empty graph for a network with these weights.
    #[must_use]
    pub fn new(tensors: &'a Tensors) -> Drawing<'a> {
        let (used, constants, whole_numbers) = Default::default();
        Drawing { tensors, used, constants, whole_numbers, nodes: Vec::new() }
    }

    /// The nodes in the order in which they are computed.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// All weights of the network, whether a node uses them or not: a file that is read back has them all.
    pub fn weights(&self) -> impl Iterator<Item = (&str, &HostTensor)> {
        self.tensors.iter().map(|(name, tensor)| (name.as_str(), tensor))
    }

    /// The constants.
    pub fn constants(&self) -> impl Iterator<Item = (&str, &HostTensor)> {
        self.constants.iter().map(|(name, tensor)| (name.as_str(), tensor))
    }

    /// The constants that are whole numbers.
    pub fn whole_numbers(&self) -> impl Iterator<Item = (&str, &[i64])> {
        self.whole_numbers.iter().map(|(name, numbers)| (name.as_str(), &numbers[..]))
    }

    /// The first weight that was asked for and is not there.
    #[must_use]
    pub fn missing_weight(&self) -> Option<&str> {
        self.used.iter().map(String::as_str).find(|&name| !self.tensors.contains_key(name))
    }

    /// The puzzle, `[batch, cells]`.
    #[must_use]
    pub fn puzzle(&self) -> Value {
        INPUT.to_string()
    }

    /// A weight by its name.
    pub fn weight(&mut self, name: &str) -> Value {
        self.used.insert(name.to_string());
        name.to_string()
    }

    /// A constant.
    pub fn constant(&mut self, shape: &[usize], values: Vec<f32>) -> Value {
        let name = format!("{CONSTANT}{}", self.constants.len());
        self.constants.insert(name.clone(), HostTensor { shape: shape.to_vec(), values });
        name
    }

    /// A row of whole numbers; equal rows are one constant.
    pub fn numbers(&mut self, numbers: Vec<i64>) -> Value {
        if let Some((name, _)) = self.whole_numbers.iter().find(|(_, old)| **old == numbers) {
            return name.clone();
        }
        let name = format!("{CONSTANT}whole.{}", self.whole_numbers.len());
        self.whole_numbers.insert(name.clone(), numbers);
        name
    }

    /// Adds a node.
    pub fn node(
        &mut self,
        operator: &'static str,
        inputs: &[&Value],
        attributes: &[(&'static str, Attribute)],
    ) -> Value {
        let output = format!("{}.{}", operator.to_lowercase(), self.nodes.len());
        let inputs = inputs.iter().map(|&input| input.clone()).collect();
        self.nodes.push(Node {
            operator,
            inputs,
            output: output.clone(),
            attributes: attributes.to_vec(),
        });
        output
    }

    /// The logarithms of the probabilities: what comes out, from the logits of the digits.
    pub fn finish(&mut self, logits: &Value) {
        self.node("LogSoftmax", &[logits], &[("axis", Attribute::Number(-1))]);
        self.nodes.last_mut().expect("a node was added").output = OUTPUT.to_string();
    }

    /// A node with two inputs and no settings: `Add`, `Mul`, `MatMul` and the like.
    pub fn two(&mut self, operator: &'static str, left: &Value, right: &Value) -> Value {
        self.node(operator, &[left, right], &[])
    }

    /// A node with one input and no settings: `Relu`, `Sigmoid`, `Tanh`.
    pub fn one(&mut self, operator: &'static str, input: &Value) -> Value {
        self.node(operator, &[input], &[])
    }

    /// Whole numbers as fractions.
    pub fn as_float(&mut self, input: &Value) -> Value {
        self.node("Cast", &[input], &[("to", Attribute::Number(super::FLOAT as i64))])
    }

    /// Another shape; −1 is what is left, 0 the old length.
    pub fn reshape(&mut self, input: &Value, shape: &[i64]) -> Value {
        let shape = self.numbers(shape.to_vec());
        self.node("Reshape", &[input, &shape], &[])
    }

    /// The rows with these numbers along an axis.
    pub fn gather(&mut self, input: &Value, rows: &Value, axis: i64) -> Value {
        self.node("Gather", &[input, rows], &[("axis", Attribute::Number(axis))])
    }

    /// A part of an axis.
    pub fn slice(&mut self, input: &Value, axis: i64, from: usize, to: usize) -> Value {
        let [from, to, axis] =
            [from as i64, to as i64, axis].map(|number| self.numbers(vec![number]));
        self.node("Slice", &[input, &from, &to, &axis], &[])
    }

    /// Several beside each other along an axis.
    pub fn concat(&mut self, inputs: &[&Value], axis: i64) -> Value {
        self.node("Concat", inputs, &[("axis", Attribute::Number(axis))])
    }

    /// A new axis of length one.
    pub fn unsqueeze(&mut self, input: &Value, axis: i64) -> Value {
        let axis = self.numbers(vec![axis]);
        self.node("Unsqueeze", &[input, &axis], &[])
    }

    /// The sum over an axis, which goes.
    pub fn sum(&mut self, input: &Value, axis: i64) -> Value {
        let axis = self.numbers(vec![axis]);
        self.node("ReduceSum", &[input, &axis], &[("keepdims", Attribute::Number(0))])
    }

    /// A fully connected layer on the last axis: the weights `name.weight` and `name.bias`.
    pub fn dense(&mut self, input: &Value, name: &str) -> Value {
        let (weight, bias) =
            (self.weight(&format!("{name}.weight")), self.weight(&format!("{name}.bias")));
        let product = self.two("MatMul", input, &weight);
        self.two("Add", &product, &bias)
    }
}
