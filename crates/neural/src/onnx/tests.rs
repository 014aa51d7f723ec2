//! Checks exported graphs with a small interpreter of the operators that we use.

use super::graph::{Attribute, GraphBuilder, INPUT, Node, OUTPUT};
use crate::device::{Cpu, Device};
use crate::inference::predictor::{NetworkPredictor, Predictor};
use crate::models::kaleidoscope::onnx::logits;
use crate::models::kaleidoscope::{SHIPPED_WEIGHTS, Solver};
use crate::models::staged::{self, Body};
use crate::models::{ModelConfig, cnn, multiverse, recurrent_transformer, rem, rrn};
use crate::registry::{self, FileFormat, Weights};
use crate::training::checkpoint::{self, CheckpointError, Tensors};
use ndarray::{ArrayD, Axis, IxDyn, Slice, concatenate};
use ninefold::generate::{GenerateOptions, generate_one};
use ninefold::grid::Order;
use ninefold::random::Random;
use std::collections::HashMap;

/// The tensors of a graph, by name.
type Values = HashMap<String, ArrayD<f32>>;

/// Evaluates a graph for some puzzles.
fn run(graph: &GraphBuilder<'_>, puzzles: &[&[u8]]) -> ArrayD<f32> {
    let mut values_by_name = Values::new();
    let numbers = puzzles.concat().into_iter().map(f32::from).collect();
    values_by_name.insert(INPUT.to_string(), array(&[puzzles.len(), puzzles[0].len()], numbers));
    for (name, tensor) in graph.weights().chain(graph.constants()) {
        values_by_name.insert(name.to_string(), array(&tensor.shape, tensor.values.clone()));
    }
    for (name, numbers) in graph.integer_constants() {
        values_by_name.insert(
            name.to_string(),
            array(&[numbers.len()], numbers.iter().map(|&n| n as f32).collect()),
        );
    }
    for node in graph.nodes() {
        let output = compute(node, &values_by_name);
        assert!(
            values_by_name.insert(node.output.clone(), output).is_none(),
            "{} is computed twice",
            node.output
        );
    }
    values_by_name.remove(OUTPUT).expect("the graph has an output")
}

fn array(shape: &[usize], values: Vec<f32>) -> ArrayD<f32> {
    ArrayD::from_shape_vec(IxDyn(shape), values).expect("the shape matches the number of values")
}

fn compute(node: &Node, values_by_name: &Values) -> ArrayD<f32> {
    let input = |at: usize| &values_by_name[&node.inputs[at]];
    let integers = |at: usize| input(at).iter().map(|&number| number as i64).collect::<Vec<_>>();
    let setting = |name: &str| {
        node.attributes.iter().find(|(found, _)| *found == name).map(|(_, value)| value.clone())
    };
    let axis = |rank: usize| match setting("axis") {
        Some(Attribute::Int(axis)) => Axis(axis.rem_euclid(rank as i64) as usize),
        other => panic!("{}: {other:?} is not an axis", node.operator),
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
            concatenate(axis(views[0].ndim()), &views).expect("compatible shapes")
        }
        "Slice" => {
            let (from, to) = (integers(1)[0] as isize, integers(2)[0] as isize);
            input(0).slice_axis(Axis(integers(3)[0] as usize), Slice::from(from..to)).to_owned()
        }
        "Unsqueeze" => input(0).clone().insert_axis(Axis(integers(1)[0] as usize)),
        "Squeeze" => input(0).clone().remove_axis(Axis(integers(1)[0] as usize)),
        "ReduceSum" => input(0).sum_axis(Axis(integers(1)[0] as usize)),
        "Reshape" => reshape(input(0), &integers(1)),
        "Expand" => {
            let shape: Vec<usize> =
                input(0).shape().iter().zip(integers(1)).map(|(&a, b)| a.max(b as usize)).collect();
            input(0).broadcast(IxDyn(&shape)).expect("expanded axes have length one").to_owned()
        }
        "Transpose" => match setting("perm") {
            Some(Attribute::Ints(order)) => {
                let order: Vec<usize> = order.into_iter().map(|axis| axis as usize).collect();
                input(0).clone().permuted_axes(IxDyn(&order)).as_standard_layout().to_owned()
            }
            other => panic!("{other:?} is not a permutation of axes"),
        },
        "Pad" => {
            let pads = integers(1);
            assert_eq!(
                pads,
                [0, 0, 0, 0, 1, 0],
                "the only padding in use is one row at the end of the second axis"
            );
            let [batch, _, planes] = input(0).shape() else { panic!("expected three axes") };
            let zeros = ArrayD::zeros(IxDyn(&[*batch, 1, *planes]));
            concatenate(Axis(1), &[input(0).view(), zeros.view()]).expect("compatible shapes")
        }
        "LogSoftmax" => log_softmax(input(0), axis(input(0).ndim())),
        "Softmax" => log_softmax(input(0), axis(input(0).ndim())).mapv(f32::exp),
        other => panic!("unexpected operator {other}"),
    }
}

fn log_softmax(input: &ArrayD<f32>, axis: Axis) -> ArrayD<f32> {
    let highest = input.fold_axis(axis, f32::NEG_INFINITY, |&a, &b| a.max(b)).insert_axis(axis);
    let input = broadcast(input, &highest, |a, b| a - b);
    let sums = input.mapv(f32::exp).sum_axis(axis).mapv(f32::ln).insert_axis(axis);
    broadcast(&input, &sums, |a, b| a - b)
}

fn broadcast(left: &ArrayD<f32>, right: &ArrayD<f32>, combine: fn(f32, f32) -> f32) -> ArrayD<f32> {
    let rank = left.ndim().max(right.ndim());
    let length = |of: &ArrayD<f32>, axis: usize| {
        (axis + of.ndim()).checked_sub(rank).map_or(1, |at| of.shape()[at])
    };
    let shape: Vec<usize> =
        (0..rank).map(|axis| length(left, axis).max(length(right, axis))).collect();
    let wide =
        |of: &ArrayD<f32>| of.broadcast(IxDyn(&shape)).expect("compatible shapes").to_owned();
    let mut result = wide(left);
    result.zip_mut_with(&wide(right), |a, &b| *a = combine(*a, b));
    result
}

/// The matrix product on the last two axes; the other axes are broadcast.
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
        let wide = of.broadcast(IxDyn(&wide)).expect("compatible shapes").to_owned();
        wide.to_shape((count, last[0], last[1])).expect("equal number of values").to_owned()
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
        .expect("the shape matches the selected rows")
        .to_owned()
}

fn reshape(input: &ArrayD<f32>, shape: &[i64]) -> ArrayD<f32> {
    let known: usize =
        shape.iter().filter(|&&length| length >= 0).map(|&length| length as usize).product();
    let shape: Vec<usize> = shape
        .iter()
        .map(|&length| usize::try_from(length).unwrap_or(input.len() / known))
        .collect();
    input.to_shape(IxDyn(&shape)).expect("equal number of values").to_owned()
}

/// Builds a network with random weights and checks that its graph computes the same output.
fn check<C: ModelConfig + 'static>(config: C, order: Order) {
    let device = Default::default();
    let network = config.build::<Cpu>(order, &mut Random::new(5), &device);
    let tensors: Tensors = checkpoint::weights_of(&network);
    let mut graph = GraphBuilder::new(&tensors);
    let logits = config.add_to_graph(order, &mut graph).expect("this network has a fixed graph");
    graph.finish(&logits);
    assert_eq!(graph.missing_weight(), None, "{config:?}");
    let mut random = Random::new(7);
    let mut puzzle = || {
        (0..order.cell_count()).map(|_| random.below(order.side() + 1) as u8).collect::<Vec<u8>>()
    };
    let puzzles = [puzzle(), puzzle(), puzzle()];
    let puzzles: Vec<&[u8]> = puzzles.iter().map(|puzzle| &puzzle[..]).collect();
    let exported = run(&graph, &puzzles);
    assert_eq!(exported.shape(), [3, order.cell_count(), order.side()]);
    let predictor = NetworkPredictor { config: config.clone(), order, network, device, batch: 100 };
    for (exported, own) in exported.iter().zip(predictor.log_probabilities(&puzzles)) {
        assert!((exported - own).abs() < 1e-4, "{config:?}: {exported} {own}");
    }
}

#[test]
fn exported_graphs_compute_the_same_as_the_networks() {
    for order in [Order::FOUR, Order::new(2, 3).unwrap()] {
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
fn the_graph_of_kaleidoscope_computes_the_same_as_its_engine() {
    const ITERATIONS: usize = 3;
    let solver = Solver::shipped();
    let (_, tensors) = checkpoint::read_bytes("weights", SHIPPED_WEIGHTS).unwrap();
    for order in [Order::FOUR, Order::new(2, 3).unwrap(), Order::NINE] {
        let solver = solver.for_size(order);
        let mut graph = GraphBuilder::new(&tensors);
        let logits = logits(solver.config(), order, ITERATIONS, &mut graph).unwrap();
        graph.finish(&logits);
        assert_eq!(graph.missing_weight(), None);
        let clues = order.cell_count() / 2;
        let options = GenerateOptions::new(order).with_clues(clues..=clues);
        let mut puzzles: Vec<Vec<u8>> = (0..3)
            .map(|index| generate_one(&options, 7, index).unwrap().puzzle.numbers().collect())
            .collect();
        // Two equal clues leave the cells between them without candidates or with few.
        puzzles.push([vec![1, 1], vec![0; order.cell_count() - 2]].concat());
        let puzzles: Vec<&[u8]> = puzzles.iter().map(|puzzle| &puzzle[..]).collect();
        let exported = run(&graph, &puzzles);
        let own = puzzles.iter().flat_map(|puzzle| {
            let mut run = solver.run(puzzle);
            run.begin(0);
            (0..ITERATIONS).for_each(|_| run.step());
            run.log_probabilities()
        });
        assert_eq!(exported.len(), own.clone().count());
        for (exported, own) in exported.iter().zip(own) {
            assert!((exported.exp() - own.exp()).abs() < 1e-4, "{order}: {exported} {own}");
        }
    }
}

#[test]
fn an_exported_file_restores_all_weights() {
    let model = registry::by_name("multiverse").unwrap();
    let directory = tempfile::tempdir().unwrap();
    let onnx = directory.path().join("network.onnx");
    std::fs::write(&onnx, model.export(Weights::Shipped, FileFormat::Onnx, None).unwrap()).unwrap();
    // The same bytes from the shipped weights and from the ONNX file.
    let shipped = model.export(Weights::Shipped, FileFormat::Safetensors, None).unwrap();
    assert_eq!(model.export(Weights::File(&onnx), FileFormat::Safetensors, None).unwrap(), shipped);
    let loaded = model.load(Weights::File(&onnx), Device::Cpu).unwrap();
    let puzzle = [1, 0, 0, 4, 0, 0, 1, 0, 0, 3, 0, 0, 4, 0, 0, 3];
    let own =
        model.load(Weights::Shipped, Device::Cpu).unwrap().predictor.log_probabilities(&[&puzzle]);
    assert_eq!(loaded.predictor.log_probabilities(&[&puzzle]), own);
}

#[test]
fn damaged_and_foreign_files_are_rejected() {
    let model = registry::by_name("multiverse").unwrap();
    let bytes = model.export(Weights::Shipped, FileFormat::Onnx, None).unwrap();
    assert!(matches!(
        super::read("cut", &bytes[..bytes.len() / 2]),
        Err(CheckpointError::DamagedOnnx { .. })
    ));
    assert!(matches!(
        super::read("rubbish", b"\x07rubbish"),
        Err(CheckpointError::DamagedOnnx { .. })
    ));
    assert!(matches!(super::read("empty", b""), Err(CheckpointError::Foreign { .. })));
    let heads = registry::by_name("kaleidoscope-rules").unwrap();
    let error = heads.export(Weights::Shipped, FileFormat::Onnx, None).unwrap_err().to_string();
    assert!(error.starts_with("kaleidoscope-rules cannot be exported to ONNX"), "{error}");
    let nine = model.export(Weights::Shipped, FileFormat::Onnx, Some(Order::NINE));
    assert_eq!(nine.unwrap_err().to_string(), "the weights of multiverse are for 4×4 grids");
    let mut graph = GraphBuilder::new(const { &Tensors::new() });
    assert!(recurrent_transformer::Config::tiny().add_to_graph(Order::FOUR, &mut graph).is_none());
}
