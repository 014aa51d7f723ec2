//! The ONNX graph of a model: nodes, the weights they use, and constants.

use crate::training::checkpoint::{HostTensor, Tensors};
use std::collections::{BTreeMap, BTreeSet};

/// Name of the input: the digits of the puzzle, `[batch, cells]`.
pub const INPUT: &str = "puzzle";
/// Name of the output, `[batch, cells, digits]`.
pub const OUTPUT: &str = "log_probabilities";

/// Name prefix that distinguishes constants from weights.
const CONSTANT: &str = "constant.";

/// Whether this is the name of a constant.
pub fn is_constant(name: &str) -> bool {
    name.starts_with(CONSTANT)
}

/// Name of a tensor that is the input or output of a node.
pub type Value = String;

/// Builds a graph node by node.
pub struct GraphBuilder<'a> {
    tensors: &'a Tensors,
    used: BTreeSet<String>,
    constants: BTreeMap<String, HostTensor>,
    integer_constants: BTreeMap<String, Vec<i64>>,
    nodes: Vec<Node>,
}

/// An operation on tensors.
#[derive(Clone, Debug)]
pub struct Node {
    /// Name of the ONNX operator.
    pub operator: &'static str,
    /// Names of the input tensors.
    pub inputs: Vec<Value>,
    /// Name of the output tensor.
    pub output: Value,
    /// Attributes of the operator.
    pub attributes: Vec<(&'static str, Attribute)>,
}

/// Attribute of a node.
#[derive(Clone, Debug, PartialEq)]
pub enum Attribute {
    /// One integer.
    Int(i64),
    /// Several integers.
    Ints(Vec<i64>),
}

impl<'a> GraphBuilder<'a> {
    /// Creates an empty graph for a network with these weights.
    #[must_use]
    pub fn new(tensors: &'a Tensors) -> GraphBuilder<'a> {
        let (used, constants, integer_constants) = Default::default();
        GraphBuilder { tensors, used, constants, integer_constants, nodes: Vec::new() }
    }

    /// The nodes in execution order.
    #[must_use]
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// All weights of the network, used or not, so that an import restores all of them.
    pub fn weights(&self) -> impl Iterator<Item = (&str, &HostTensor)> {
        self.tensors.iter().map(|(name, tensor)| (name.as_str(), tensor))
    }

    /// The float constants.
    pub fn constants(&self) -> impl Iterator<Item = (&str, &HostTensor)> {
        self.constants.iter().map(|(name, tensor)| (name.as_str(), tensor))
    }

    /// The integer constants.
    pub fn integer_constants(&self) -> impl Iterator<Item = (&str, &[i64])> {
        self.integer_constants.iter().map(|(name, numbers)| (name.as_str(), &numbers[..]))
    }

    /// The first used weight that the network does not have.
    #[must_use]
    pub fn missing_weight(&self) -> Option<&str> {
        self.used.iter().map(String::as_str).find(|&name| !self.tensors.contains_key(name))
    }

    /// The input, `[batch, cells]`.
    #[must_use]
    pub fn puzzle(&self) -> Value {
        INPUT.to_string()
    }

    /// Uses a weight.
    pub fn weight(&mut self, name: &str) -> Value {
        self.used.insert(name.to_string());
        name.to_string()
    }

    /// Adds a float constant; equal constants are stored once.
    pub fn constant(&mut self, shape: &[usize], values: Vec<f32>) -> Value {
        let is_equal = |old: &HostTensor| old.shape == shape && old.values == values;
        if let Some((name, _)) = self.constants.iter().find(|(_, old)| is_equal(old)) {
            return name.clone();
        }
        let name = format!("{CONSTANT}{}", self.constants.len());
        self.constants.insert(name.clone(), HostTensor { shape: shape.to_vec(), values });
        name
    }

    /// Adds a vector of integers; equal vectors share one constant.
    pub fn integers(&mut self, numbers: Vec<i64>) -> Value {
        if let Some((name, _)) = self.integer_constants.iter().find(|(_, old)| **old == numbers) {
            return name.clone();
        }
        let name = format!("{CONSTANT}whole.{}", self.integer_constants.len());
        self.integer_constants.insert(name.clone(), numbers);
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

    /// Adds the output: the log probabilities, from the logits of the digits.
    pub fn finish(&mut self, logits: &Value) {
        self.node("LogSoftmax", &[logits], &[("axis", Attribute::Int(-1))]);
        self.nodes.last_mut().expect("a node was just added").output = OUTPUT.to_string();
    }

    /// Adds a node with two inputs and no attributes, such as `Add`, `Mul` or `MatMul`.
    pub fn binary(&mut self, operator: &'static str, left: &Value, right: &Value) -> Value {
        self.node(operator, &[left, right], &[])
    }

    /// Adds a node with one input and no attributes, such as `Relu`, `Sigmoid` or `Tanh`.
    pub fn unary(&mut self, operator: &'static str, input: &Value) -> Value {
        self.node(operator, &[input], &[])
    }

    /// Converts integers to floats.
    pub fn as_float(&mut self, input: &Value) -> Value {
        self.node("Cast", &[input], &[("to", Attribute::Int(super::FLOAT as i64))])
    }

    /// Reshapes; −1 infers a length, 0 keeps it.
    pub fn reshape(&mut self, input: &Value, shape: &[i64]) -> Value {
        let shape = self.integers(shape.to_vec());
        self.node("Reshape", &[input, &shape], &[])
    }

    /// Selects rows along an axis.
    pub fn gather(&mut self, input: &Value, rows: &Value, axis: i64) -> Value {
        self.node("Gather", &[input, rows], &[("axis", Attribute::Int(axis))])
    }

    /// Selects the range `from..to` of an axis.
    pub fn slice(&mut self, input: &Value, axis: i64, from: usize, to: usize) -> Value {
        let [from, to, axis] =
            [from as i64, to as i64, axis].map(|number| self.integers(vec![number]));
        self.node("Slice", &[input, &from, &to, &axis], &[])
    }

    /// Concatenates along an axis.
    pub fn concat(&mut self, inputs: &[&Value], axis: i64) -> Value {
        self.node("Concat", inputs, &[("axis", Attribute::Int(axis))])
    }

    /// Inserts an axis of length one.
    pub fn unsqueeze(&mut self, input: &Value, axis: i64) -> Value {
        let axis = self.integers(vec![axis]);
        self.node("Unsqueeze", &[input, &axis], &[])
    }

    /// Sums over an axis and removes it.
    pub fn sum(&mut self, input: &Value, axis: i64) -> Value {
        let axis = self.integers(vec![axis]);
        self.node("ReduceSum", &[input, &axis], &[("keepdims", Attribute::Int(0))])
    }

    /// Adds a fully connected layer on the last axis, with the weights `name.weight` and
    /// `name.bias`.
    pub fn dense(&mut self, input: &Value, name: &str) -> Value {
        let (weight, bias) =
            (self.weight(&format!("{name}.weight")), self.weight(&format!("{name}.bias")));
        let product = self.binary("MatMul", input, &weight);
        self.binary("Add", &product, &bias)
    }
}
