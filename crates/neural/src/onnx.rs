//! ONNX export of trained networks, for onnxruntime and other programs, and import of such files.
//!
//! ```text
//! puzzle [batch, cells], 0 for an empty cell
//!   → nodes of the model
//!   → log_probabilities [batch, cells, digits]
//! ```
//! The file contains every weight under its name and our metadata, so an import restores
//! everything. Each model adds its own nodes
//! ([`ModelConfig::add_to_graph`](crate::models::ModelConfig::add_to_graph)); recurrent steps are
//! unrolled. `protobuf` implements the wire format and is independent of networks.

mod graph;
mod protobuf;

pub use graph::{Attribute, GraphBuilder, Value};

use crate::inference::decoding::Decoding;
use crate::training::checkpoint::{CheckpointError, HostTensor, Metadata, Tensors};
use graph::{INPUT, Node, OUTPUT};
use ninefold::grid::Order;
use protobuf::{Field, Message, fields};

/// Metadata key of our metadata; also the producer name.
const NINEFOLD: &str = "ninefold";
/// Metadata key of the decoding.
const FILLS: &str = "fills";
/// Version of the file format and of the operator set.
const FORMAT: u64 = 8;
const OPERATORS: u64 = 17;
/// Codes of number types and attribute types in the format.
const FLOAT: u64 = 1;
const INT64: u64 = 7;
const ATTRIBUTE_INT: u64 = 2;
const ATTRIBUTE_INTS: u64 = 7;

/// Encodes a graph and its weights as an ONNX file.
#[must_use]
pub fn write(
    graph: &GraphBuilder<'_>,
    order: Order,
    decoding: Decoding,
    metadata: &Metadata,
) -> Vec<u8> {
    let mut body = Message::default();
    graph.nodes().iter().for_each(|node| body.message(1, &encode_node(node)));
    body.text(2, &metadata.model);
    for (name, tensor) in graph.weights() {
        body.message(5, &encode_tensor(name, &tensor.shape, FLOAT, &bytes_of(&tensor.values)));
    }
    for (name, tensor) in graph.constants() {
        body.message(5, &encode_tensor(name, &tensor.shape, FLOAT, &bytes_of(&tensor.values)));
    }
    for (name, numbers) in graph.integer_constants() {
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        body.message(5, &encode_tensor(name, &[numbers.len()], INT64, &bytes));
    }
    body.message(11, &encode_shape(INPUT, INT64, &[order.cell_count()]));
    body.message(12, &encode_shape(OUTPUT, FLOAT, &[order.cell_count(), order.side()]));

    let mut operators = Message::default();
    operators.number(2, OPERATORS);
    let fills = match decoding {
        Decoding::AtOnce => "at once",
        Decoding::CellByCell => "cell by cell",
    };
    let json = serde_json::to_string(metadata).expect("metadata can be encoded as JSON");
    let mut file = Message::default();
    file.number(1, FORMAT);
    file.text(2, NINEFOLD);
    file.text(3, env!("CARGO_PKG_VERSION"));
    file.message(7, &body);
    file.message(8, &operators);
    for (key, value) in [(NINEFOLD, &json[..]), (FILLS, fills)] {
        let mut property = Message::default();
        property.text(1, key);
        property.text(2, value);
        file.message(14, &property);
    }
    file.into_bytes()
}

/// Reads the weights and the metadata of a file encoded by [`write()`]. The weights may have been
/// changed by other programs.
pub fn read(path: &str, bytes: &[u8]) -> Result<(Metadata, Tensors), CheckpointError> {
    let damaged = || CheckpointError::DamagedOnnx { path: path.to_string() };
    let file = fields(bytes).ok_or_else(damaged)?;
    let property = |field: &Field<'_>| {
        let property = fields(field.bytes(14)?)?;
        let text = |number| {
            property.iter().find_map(|field| std::str::from_utf8(field.bytes(number)?).ok())
        };
        (text(1)? == NINEFOLD).then(|| serde_json::from_str::<Metadata>(text(2)?).ok()).flatten()
    };
    let metadata = file
        .iter()
        .find_map(property)
        .ok_or_else(|| CheckpointError::Foreign { path: path.to_string() })?;
    let mut tensors = Tensors::new();
    for field in file.iter().filter_map(|field| field.bytes(7)) {
        for field in fields(field).ok_or_else(damaged)? {
            let Some(tensor) = field.bytes(5) else { continue };
            let (name, tensor) = read_tensor(tensor).ok_or_else(damaged)?;
            if let Some(tensor) = tensor.filter(|_| !graph::is_constant(&name)) {
                tensors.insert(name, tensor);
            }
        }
    }
    Ok((metadata, tensors))
}

fn encode_node(node: &Node) -> Message {
    let mut message = Message::default();
    node.inputs.iter().for_each(|input| message.text(1, input));
    message.text(2, &node.output);
    message.text(4, node.operator);
    for (name, attribute) in &node.attributes {
        let mut encoded = Message::default();
        encoded.text(1, name);
        match attribute {
            Attribute::Int(number) => {
                encoded.number(3, *number as u64);
                encoded.number(20, ATTRIBUTE_INT);
            }
            Attribute::Ints(numbers) => {
                numbers.iter().for_each(|number| encoded.number(8, *number as u64));
                encoded.number(20, ATTRIBUTE_INTS);
            }
        }
        message.message(5, &encoded);
    }
    message
}

fn encode_tensor(name: &str, shape: &[usize], kind: u64, bytes: &[u8]) -> Message {
    let mut message = Message::default();
    shape.iter().for_each(|&length| message.number(1, length as u64));
    message.number(2, kind);
    message.text(8, name);
    message.bytes(9, bytes);
    message
}

/// Name, type and shape of an input or output; the first axis is a batch of any length.
fn encode_shape(name: &str, kind: u64, axes: &[usize]) -> Message {
    let mut shape = Message::default();
    let mut batch = Message::default();
    batch.text(2, "batch");
    shape.message(1, &batch);
    for &length in axes {
        let mut axis = Message::default();
        axis.number(1, length as u64);
        shape.message(1, &axis);
    }
    let mut tensor = Message::default();
    tensor.number(1, kind);
    tensor.message(2, &shape);
    let mut value = Message::default();
    value.message(1, &tensor);
    let mut message = Message::default();
    message.text(1, name);
    message.message(2, &value);
    message
}

fn bytes_of(numbers: &[f32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

/// A tensor and its name. The tensor is `None` if it contains integers; the result is `None` if it
/// is damaged.
fn read_tensor(bytes: &[u8]) -> Option<(String, Option<HostTensor>)> {
    let (mut shape, mut kind, mut name, mut raw) = (Vec::new(), 0, String::new(), Vec::new());
    for field in fields(bytes)? {
        match field {
            // Other programs write the lengths of the axes as one packed field.
            Field::Bytes(1, packed) => shape.extend(protobuf::packed(packed)?),
            Field::Number(1, length) => shape.push(length),
            Field::Number(2, number) => kind = number,
            Field::Bytes(8, text) => name = String::from_utf8(text.to_vec()).ok()?,
            Field::Bytes(4 | 9, numbers) => raw.extend_from_slice(numbers),
            _ => {}
        }
    }
    if kind != FLOAT {
        return Some((name, None));
    }
    let shape: Vec<usize> =
        shape.into_iter().map(usize::try_from).collect::<Result<_, _>>().ok()?;
    let count = shape.iter().try_fold(1usize, |count, &length| count.checked_mul(length))?;
    let (numbers, rest) = raw.as_chunks::<4>();
    let values: Vec<f32> = numbers.iter().map(|number| f32::from_le_bytes(*number)).collect();
    (rest.is_empty() && values.len() == count).then_some((name, Some(HostTensor { shape, values })))
}

#[cfg(test)]
mod tests;
