//! A small interpreter of the operators we draw, held to the networks themselves.

use super::drawing::{Attribute, Drawing, INPUT, Node, OUTPUT};
use crate::device::{Cpu, Device};
use crate::inference::predictor::{NetworkPredictor, Predictor};
use crate::models::staged::{self, Body};
use crate::models::{ModelConfig, cnn, multiverse, recurrent_transformer, rem, rrn};
use crate::registry::{self, FileFormat, Weights};
use crate::training::checkpoint::{self, CheckpointError, Tensors};
use ndarray::{ArrayD, Axis, IxDyn, Slice, concatenate};
use ninefold::grid::Order;
use ninefold::random::Random;
use std::collections::HashMap;

/// What is on the wires of a graph.
type Wires = HashMap<String, ArrayD<f32>>;

/// The output of a graph for some puzzles.
fn run(drawing: &Drawing<'_>, puzzles: &[&[u8]]) -> ArrayD<f32> {
    let mut wires = Wires::new();
    let numbers = puzzles.concat().into_iter().map(f32::from).collect();
    wires.insert(INPUT.to_string(), array(&[puzzles.len(), puzzles[0].len()], numbers));
    for (name, tensor) in drawing.weights().chain(drawing.constants()) {
        wires.insert(name.to_string(), array(&tensor.shape, tensor.values.clone()));
    }
    for (name, numbers) in drawing.whole_numbers() {
        wires.insert(
            name.to_string(),
            array(&[numbers.len()], numbers.iter().map(|&n| n as f32).collect()),
        );
    }
    for node in drawing.nodes() {
        let output = compute(node, &wires);
        assert!(
            wires.insert(node.output.clone(), output).is_none(),
            "{} is given twice",
            node.output
        );
    }
    wires.remove(OUTPUT).expect("the graph has an output")
}

fn array(shape: &[usize], values: Vec<f32>) -> ArrayD<f32> {
    ArrayD::from_shape_vec(IxDyn(shape), values).expect("as many numbers as the shape says")
}

fn compute(node: &Node, wires: &Wires) -> ArrayD<f32> {
    let input = |at: usize| &wires[&node.inputs[at]];
    let whole = |at: usize| input(at).iter().map(|&number| number as i64).collect::<Vec<_>>();
    let setting = |name: &str| {
        node.attributes.iter().find(|(found, _)| *found == name).map(|(_, value)| value.clone())
    };
    let axis = |rank: usize| match setting("axis") {
        Some(Attribute::Number(axis)) => Axis(axis.rem_euclid(rank as i64) as usize),
        other => panic!("{}: {other:?} is no axis", node.operator),
    };
    let map = |change: fn(f32) -> f32| input(0).mapv(change);
    match node.operator {
        "Add" => broadcast(input(0), input(1), |a, b| a + b),
        "Sub" => broadcast(input(0), input(1), |a, b| a - b),
        "Mul" => broadcast(input(0), input(1), |a, b| a * b),
        "Div" => broadcast(input(0), input(1), |a, b| a / b),
        "Relu" => map(|x| x.max(0.0)),
        "Tanh" => map(f32::tanh),
        "Sigmoid" => map(|x| 1.0 / (1.0 + (-x).exp())),
        "Sqrt" => map(f32::sqrt),
        "Cast" => input(0).clone(),
        "MatMul" => product(input(0), input(1)),
        "Gather" => gather(input(0), input(1), axis(input(0).ndim())),
        "Concat" => {
            let views: Vec<_> = (0..node.inputs.len()).map(|at| input(at).view()).collect();
            concatenate(axis(views[0].ndim()), &views).expect("parts that fit")
        }
        "Slice" => {
            let (from, to) = (whole(1)[0] as isize, whole(2)[0] as isize);
            input(0).slice_axis(Axis(whole(3)[0] as usize), Slice::from(from..to)).to_owned()
        }
        "Unsqueeze" => input(0).clone().insert_axis(Axis(whole(1)[0] as usize)),
        "Squeeze" => input(0).clone().remove_axis(Axis(whole(1)[0] as usize)),
        "ReduceSum" => input(0).sum_axis(Axis(whole(1)[0] as usize)),
        "Reshape" => reshaped(input(0), &whole(1)),
        "Expand" => {
            let shape: Vec<usize> =
                input(0).shape().iter().zip(whole(1)).map(|(&a, b)| a.max(b as usize)).collect();
            input(0).broadcast(IxDyn(&shape)).expect("lengths of one").to_owned()
        }
        "Transpose" => match setting("perm") {
            Some(Attribute::Numbers(order)) => {
                let order: Vec<usize> = order.into_iter().map(|axis| axis as usize).collect();
                input(0).clone().permuted_axes(IxDyn(&order)).as_standard_layout().to_owned()
            }
            other => panic!("{other:?} is no order of axes"),
        },
        "Pad" => {
            let pads = whole(1);
            assert_eq!(
                pads,
                [0, 0, 0, 0, 1, 0],
                "only one row at the end of the second axis is drawn"
            );
            let [batch, _, planes] = input(0).shape() else { panic!("three axes") };
            let zeros = ArrayD::zeros(IxDyn(&[*batch, 1, *planes]));
            concatenate(Axis(1), &[input(0).view(), zeros.view()]).expect("one row more")
        }
        "LogSoftmax" => {
            let axis = axis(input(0).ndim());
            let sums = input(0).mapv(f32::exp).sum_axis(axis).mapv(f32::ln).insert_axis(axis);
            broadcast(input(0), &sums, |a, b| a - b)
        }
        other => panic!("{other} is not drawn anywhere"),
    }
}

fn broadcast(left: &ArrayD<f32>, right: &ArrayD<f32>, combine: fn(f32, f32) -> f32) -> ArrayD<f32> {
    let rank = left.ndim().max(right.ndim());
    let length = |of: &ArrayD<f32>, axis: usize| {
        (axis + of.ndim()).checked_sub(rank).map_or(1, |at| of.shape()[at])
    };
    let shape: Vec<usize> =
        (0..rank).map(|axis| length(left, axis).max(length(right, axis))).collect();
    let wide = |of: &ArrayD<f32>| of.broadcast(IxDyn(&shape)).expect("shapes that fit").to_owned();
    let mut result = wide(left);
    result.zip_mut_with(&wide(right), |a, &b| *a = combine(*a, b));
    result
}

/// The product on the last two axes; the others are batches, of which each has one or as many as the other.
fn product(left: &ArrayD<f32>, right: &ArrayD<f32>) -> ArrayD<f32> {
    let (rows, inner) = (left.shape()[left.ndim() - 2], left.shape()[left.ndim() - 1]);
    let columns = right.shape()[right.ndim() - 1];
    let batches = |of: &ArrayD<f32>| of.shape()[..of.ndim() - 2].to_vec();
    let rank = left.ndim().max(right.ndim()) - 2;
    let padded = |of: &ArrayD<f32>| [vec![1; rank - batches(of).len()], batches(of)].concat();
    let shape: Vec<usize> =
        padded(left).into_iter().zip(padded(right)).map(|(a, b)| a.max(b)).collect();
    let count: usize = shape.iter().product();
    let flat = |of: &ArrayD<f32>, last: [usize; 2]| {
        let wide = [shape.clone(), last.to_vec()].concat();
        let wide = of.broadcast(IxDyn(&wide)).expect("shapes that fit").to_owned();
        wide.to_shape((count, last[0], last[1])).expect("the same numbers").to_owned()
    };
    let (left, right) = (flat(left, [rows, inner]), flat(right, [inner, columns]));
    let products: Vec<f32> = left
        .outer_iter()
        .zip(right.outer_iter())
        .flat_map(|(a, b)| a.dot(&b).into_iter().collect::<Vec<_>>())
        .collect();
    array(&[shape, vec![rows, columns]].concat(), products)
}

fn gather(from: &ArrayD<f32>, rows: &ArrayD<f32>, axis: Axis) -> ArrayD<f32> {
    let places: Vec<usize> = rows.iter().map(|&row| row as usize).collect();
    let shape = from.shape();
    let shape = [&shape[..axis.index()], rows.shape(), &shape[axis.index() + 1..]].concat();
    from.select(axis, &places)
        .to_shape(IxDyn(&shape))
        .expect("the rows that were asked for")
        .to_owned()
}

fn reshaped(input: &ArrayD<f32>, shape: &[i64]) -> ArrayD<f32> {
    let known: usize =
        shape.iter().filter(|&&length| length >= 0).map(|&length| length as usize).product();
    let shape: Vec<usize> = shape
        .iter()
        .map(|&length| usize::try_from(length).unwrap_or(input.len() / known))
        .collect();
    input.to_shape(IxDyn(&shape)).expect("the same numbers").to_owned()
}

/// A network with random weights, its weights by name, and the graph it draws: do they say the same?
fn check<C: ModelConfig + 'static>(config: C, order: Order) {
    let device = Default::default();
    let network = config.build::<Cpu>(order, &mut Random::new(5), &device);
    let tensors: Tensors = checkpoint::weights_of(&network);
    let mut drawing = Drawing::new(&tensors);
    let logits = config.draw(order, &mut drawing).expect("this network can be drawn");
    drawing.finish(&logits);
    assert_eq!(drawing.missing_weight(), None, "{config:?}");
    let mut random = Random::new(7);
    let mut puzzle = || {
        (0..order.cell_count()).map(|_| random.below(order.side() + 1) as u8).collect::<Vec<u8>>()
    };
    let puzzles = [puzzle(), puzzle(), puzzle()];
    let puzzles: Vec<&[u8]> = puzzles.iter().map(|puzzle| &puzzle[..]).collect();
    let drawn = run(&drawing, &puzzles);
    assert_eq!(drawn.shape(), [3, order.cell_count(), order.side()]);
    let predictor = NetworkPredictor { config: config.clone(), order, network, device, batch: 100 };
    for (drawn, own) in drawn.iter().zip(predictor.log_probabilities(&puzzles)) {
        assert!((drawn - own).abs() < 1e-4, "{config:?}: {drawn} {own}");
    }
}

#[test]
fn a_drawn_network_answers_as_the_network_does() {
    for order in [Order::FOUR, Order::boxes(2, 3).unwrap()] {
        check(cnn::Config::tiny(), order);
        check(staged::Config::tiny(Body::Dense), order);
        check(staged::Config::tiny(Body::Convolutional), order);
        check(rrn::Config::tiny(), order);
        check(rrn::Config { steps: 3, answer_steps: 3, hidden: 8, ..rrn::Config::palm() }, order);
        check(rem::Config::tiny(), order);
        for (convolution, dense, lstms) in
            [(true, true, 2), (false, true, 1), (true, false, 0), (false, false, 1)]
        {
            check(multiverse::Config { convolution, dense, lstms, verses: 2 }, order);
        }
    }
}

#[test]
fn a_file_has_every_weight_and_comes_back_as_it_went() {
    let model = registry::by_name("multiverse").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let onnx = folder.path().join("network.onnx");
    std::fs::write(&onnx, model.export(Weights::Shipped, FileFormat::Onnx).unwrap()).unwrap();
    // The same bytes, whether they come from the shipped weights or from the file for others.
    let shipped = model.export(Weights::Shipped, FileFormat::Safetensors).unwrap();
    assert_eq!(model.export(Weights::File(&onnx), FileFormat::Safetensors).unwrap(), shipped);
    let loaded = model.load(Weights::File(&onnx), Device::Cpu).unwrap();
    let puzzle = [1, 0, 0, 4, 0, 0, 1, 0, 0, 3, 0, 0, 4, 0, 0, 3];
    let own =
        model.load(Weights::Shipped, Device::Cpu).unwrap().predictor.log_probabilities(&[&puzzle]);
    assert_eq!(loaded.predictor.log_probabilities(&[&puzzle]), own);
}

#[test]
fn damaged_foreign_and_undrawn_networks_are_refused() {
    let model = registry::by_name("multiverse").unwrap();
    let bytes = model.export(Weights::Shipped, FileFormat::Onnx).unwrap();
    assert!(matches!(
        super::read("cut", &bytes[..bytes.len() / 2]),
        Err(CheckpointError::DamagedOnnx { .. })
    ));
    assert!(matches!(
        super::read("rubbish", b"\x07rubbish"),
        Err(CheckpointError::DamagedOnnx { .. })
    ));
    assert!(matches!(super::read("empty", b""), Err(CheckpointError::Foreign { .. })));
    let other =
        registry::by_name("kaleidoscope").unwrap().export(Weights::Shipped, FileFormat::Onnx);
    assert!(other.unwrap_err().to_string().starts_with("kaleidoscope cannot be written as ONNX"));
    let mut drawing = Drawing::new(const { &Tensors::new() });
    assert!(recurrent_transformer::Config::tiny().draw(Order::FOUR, &mut drawing).is_none());
}
