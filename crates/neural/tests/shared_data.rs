//! Tests with the public puzzle lists of `../shared/data`, next to the workspace, and with the
//! prototype of Kaleidoscope in `../shared/research/flagship`.
//!
//! The files are not part of this repository. Without them the tests are ignored, or fail under
//! `NINEFOLD_REQUIRE=shared`.

use ninefold::grid::Grid;
use ninefold::search::Limits;
use ninefold_neural::device::Device;
use ninefold_neural::models::hopfield::{Config, Hopfield, Outcome, solve};
use ninefold_neural::models::kaleidoscope::{self, Budget, Nodes};
use ninefold_neural::registry::{self, Weights};
use ninefold_neural::training::checkpoint::{self, HostTensor, Metadata, Progress, Tensors};
use ninefold_neural::training::quantise::Precision;
use ninefold_test_support::{self as support, Resource, shared};
use safetensors::SafeTensors;
use std::path::PathBuf;

const LINES_PER_LIST: usize = 20;

fn main() {
    support::run(support::tests![
        [SharedData]
        puzzles_with_one_solution_are_solved,
        puzzles_without_a_solution_are_never_solved,
        puzzles_with_several_solutions_are_reported,
        kaleidoscope_matches_its_prototype,
        kaleidoscope_solves_17_clue_puzzles,
    ]);
}

fn puzzles_with_one_solution_are_solved() {
    for list in [
        "kaggle_easy_10000.txt",
        "sudoku_17_clue.txt.gz",
        "forum_hardest_1106.txt",
        "sudoku_4x4.txt",
        "sudoku_16x16_easy.txt",
        "sudoku_16x16_few_clues.txt",
    ] {
        check(
            list,
            |puzzle, outcome| matches!(outcome, Outcome::Solved(grid) if grid.solves(puzzle)),
        );
    }
}

fn puzzles_without_a_solution_are_never_solved() {
    check("no_solution_generated.txt", |_, outcome| matches!(outcome, Outcome::NoSolution(_)));
}

fn puzzles_with_several_solutions_are_reported() {
    check("multi_solution_serg.txt", |_, outcome| matches!(outcome, Outcome::Several(..)));
}

fn check(list: &str, expected: impl Fn(&Grid, &Outcome) -> bool) {
    let lines = shared::lines(list);
    for line in lines.iter().step_by((lines.len() / LINES_PER_LIST).max(1)) {
        let puzzle: Grid = line.parse().expect(line);
        for system in Hopfield::ALL {
            let config = Config { astar_nodes: 2_000, ..system.config() };
            let outcome = solve(&puzzle, &config, &Limits::none()).outcome;
            assert!(expected(&puzzle, &outcome), "{list}, {system:?}: {line}: {outcome:?}");
        }
    }
}

fn prototype(name: &str) -> Vec<u8> {
    let data: PathBuf = Resource::SharedData.path().expect("the test needs the shared data");
    std::fs::read(data.join("../research/flagship").join(name))
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    bytes.chunks_exact(4).map(|four| f32::from_le_bytes(four.try_into().unwrap())).collect()
}

/// The prototype has all candidates as nodes and no sink; its weights have other names.
fn kaleidoscope_matches_its_prototype() {
    let bytes = prototype("prototype.safetensors");
    let file = SafeTensors::deserialize(&bytes).unwrap();
    let mut tensors = Tensors::new();
    for (theirs, view) in file.tensors().into_iter().filter(|(name, _)| name != "o.bias") {
        let ours = theirs
            .replace("bl.", "blocks.")
            .replace("qkv.weight", "attention")
            .replace("p.weight", "attended");
        let ours = ours
            .replace("g.weight", "gate")
            .replace("d.weight", "down")
            .replace("n1.g", "first_norm");
        let ours = match &ours.replace("n2.g", "second_norm")[..] {
            "init" => "start".to_string(),
            "inattended" => "input".to_string(),
            "o.weight" => "answer".to_string(),
            block => block.to_string(),
        };
        tensors
            .insert(ours, HostTensor { shape: view.shape().to_vec(), values: floats(view.data()) });
    }
    let mut experiment = kaleidoscope::recipe();
    experiment.model.nodes = Nodes::All;
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("prototype.safetensors");
    let metadata = Metadata::new("kaleidoscope", &experiment, "", &Progress::default());
    checkpoint::save(&path, &metadata, &tensors, Precision::F32).unwrap();
    let (solver, _) = registry::load_kaleidoscope(Weights::File(&path), Device::Cpu).unwrap();
    let bytes = prototype("parity.safetensors");
    let file = SafeTensors::deserialize(&bytes).unwrap();
    let puzzles: Vec<&[u8]> = file.tensor("puzzles").unwrap().data().chunks(81).collect();
    for iterations in [1, 4] {
        let expected = floats(file.tensor(&format!("logits_{iterations}")).unwrap().data());
        let predictions = solver.with_budget(Budget { iterations, starts: 1 }).solve(&puzzles);
        // Skip puzzles that were solved in an earlier iteration.
        let compared = predictions.iter().zip(&puzzles).zip(expected.chunks(729));
        let mut count = 0;
        for ((prediction, puzzle), expected) in
            compared.filter(|((prediction, _), _)| prediction.iterations == iterations)
        {
            count += 1;
            for cell in (0..81).filter(|&cell| puzzle[cell] == 0) {
                let logits = &expected[cell * 9..][..9];
                let highest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                let sum: f32 = logits.iter().map(|logit| (logit - highest).exp()).sum();
                for (found, logit) in
                    prediction.log_probabilities[cell * 9..][..9].iter().zip(logits)
                {
                    let expected = (logit - highest - sum.ln()).max(-30.0);
                    assert!(
                        (found - expected).abs() < 1e-3,
                        "iteration {iterations}: {found} {expected}"
                    );
                }
            }
        }
        assert!(count > 0, "no puzzle takes {iterations} iterations");
    }
    // After 16 iterations the prototype has solved all puzzles; ours stops as soon as it has.
    let expected = floats(file.tensor("logits_16").unwrap().data());
    let predictions = solver.with_budget(Budget { iterations: 16, starts: 1 }).solve(&puzzles);
    for (prediction, logits) in predictions.iter().zip(expected.chunks(729)) {
        let most_likely =
            |cell: &[f32]| (1..).zip(cell).max_by(|one, other| one.1.total_cmp(other.1)).unwrap().0;
        assert!(
            prediction.solved
                && prediction.digits == logits.chunks(9).map(most_likely).collect::<Vec<u8>>()
        );
    }
}

fn kaleidoscope_solves_17_clue_puzzles() {
    let lines = shared::lines("sudoku_17_clue.txt.gz");
    let puzzles: Vec<Vec<u8>> = lines
        .iter()
        .step_by(lines.len() / LINES_PER_LIST)
        .map(|line| line.parse::<Grid>().expect(line).numbers().collect())
        .collect();
    let puzzles: Vec<&[u8]> = puzzles.iter().map(|puzzle| &puzzle[..]).collect();
    let (solver, _) = registry::load_kaleidoscope(Weights::Shipped, Device::Cpu).unwrap();
    let predictions = solver.with_budget(Budget { iterations: 64, starts: 1 }).solve(&puzzles);
    assert!(predictions.iter().all(|prediction| prediction.solved));
}
