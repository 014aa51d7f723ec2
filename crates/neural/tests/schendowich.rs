//! End-to-end tests of the networks of Schendowich, Ben Isaac and Azoulay, small and on the CPU:
//! training, reproducibility, interruption.
//!
//! Dropout of the tensor library uses one random stream per process, so these tests run one at a
//! time.

use ninefold::grid::Order;
use ninefold_neural::device::Device;
use ninefold_neural::inference::decoding::Decoding;
use ninefold_neural::inference::evaluate;
use ninefold_neural::models::{multiverse, recurrent_transformer};
use ninefold_neural::registry::{self, Weights};
use ninefold_neural::training::checkpoint::{self, Tensors};
use ninefold_neural::training::data::{Examples, Split};
use ninefold_neural::training::metrics::{Line, Metrics};
use ninefold_neural::training::run::{CHECKPOINT, WEIGHTS};
use ninefold_neural::training::{TrainOptions, TrainOutcome};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

const TINY_MULTIVERSE: &str = "
batch_size = 8
solved_per_epoch = 4
weights = \"f32\"
model = { verses = 2 }
data = { train = 8, validation = 4, test = 4 }
stages = [{ epochs = 300, learning_rate = 0.01 }]
";

const TINY_TRANSFORMER: &str = "
batch_size = 8
solved_per_epoch = 4
weights = \"f32\"
model = { embedding = 16, heads = 2, rounds = 2, dropout = 0.1 }
data = { train = 8, validation = 4, test = 4 }
stages = [{ epochs = 300, learning_rate = 0.01 }]
";

const BOTH: [(&str, &str); 2] =
    [("multiverse", TINY_MULTIVERSE), ("recurrent-transformer", TINY_TRANSFORMER)];

static TURN: Mutex<()> = Mutex::new(());

fn turn() -> MutexGuard<'static, ()> {
    TURN.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn options<'a>(changes: Option<&'a str>, directory: &'a Path) -> TrainOptions<'a> {
    let mut options = TrainOptions::new(directory);
    options.changes = changes;
    options
}

fn with_time<'a>(time: Duration, mut options: TrainOptions<'a>) -> TrainOptions<'a> {
    options.time = Some(time);
    options
}

fn resumed<'a>(mut options: TrainOptions<'a>) -> TrainOptions<'a> {
    options.resume = true;
    options
}

fn train(name: &str, options: &TrainOptions<'_>) -> TrainOutcome {
    registry::by_name(name).unwrap().train(options, Device::Cpu, &mut |_| {}).unwrap()
}

/// The tensors and metrics of a run, without timings.
fn result_of(directory: &Path) -> (Tensors, Vec<Line>) {
    let (_, tensors) = checkpoint::read(&directory.join(CHECKPOINT)).unwrap();
    let timeless = |line| Line { seconds: 0.0, examples_per_second: 0.0, ..line };
    (tensors, Metrics::read(directory).unwrap().into_iter().map(timeless).collect())
}

fn train_set() -> Examples {
    multiverse::recipe()
        .with(TINY_MULTIVERSE)
        .unwrap()
        .data
        .load(Order::FOUR, Split::Train, 1, 1)
        .unwrap()
}

#[test]
fn memorises_a_handful_of_puzzles() {
    let _turn = turn();
    for (name, changes) in BOTH {
        let directory = tempfile::tempdir().unwrap();
        // Dropout would prevent memorising.
        let changes = changes.replace("dropout = 0.1", "dropout = 0.0");
        assert_eq!(train(name, &options(Some(&changes), directory.path())), TrainOutcome::Finished);
        let weights = directory.path().join(WEIGHTS);
        let loaded =
            registry::by_name(name).unwrap().load(Weights::File(&weights), Device::Cpu).unwrap();
        let score = evaluate::score(loaded.predictor.as_ref(), &train_set(), Decoding::AtOnce);
        assert_eq!((score.solved, score.puzzles), (8, 8), "{name}: {score:?}");
        let lines = Metrics::read(directory.path()).unwrap();
        assert!(lines.iter().filter(|line| line.what == "epoch").all(|line| line.solved.is_some()));
    }
}

#[test]
fn equal_seeds_and_interrupted_runs_give_equal_results() {
    let _turn = turn();
    for (name, changes) in BOTH {
        let changes =
            changes.replace("epochs = 300", "epochs = 3").replace("train = 8", "train = 24");
        let uninterrupted = tempfile::tempdir().unwrap();
        assert_eq!(
            train(name, &options(Some(&changes), uninterrupted.path())),
            TrainOutcome::Finished
        );
        let again = tempfile::tempdir().unwrap();
        train(name, &options(Some(&changes), again.path()));
        assert_eq!(result_of(again.path()), result_of(uninterrupted.path()), "{name}");
        let other = tempfile::tempdir().unwrap();
        train(name, &options(Some(&format!("seed = 2\n{changes}")), other.path()));
        assert_ne!(result_of(other.path()).0, result_of(uninterrupted.path()).0, "{name}");

        let interrupted = tempfile::tempdir().unwrap();
        let no_time = Duration::ZERO;
        let mut outcome =
            train(name, &with_time(no_time, options(Some(&changes), interrupted.path())));
        let mut stops = 0;
        while outcome == TrainOutcome::TimeLimit {
            stops += 1;
            outcome = train(name, &with_time(no_time, resumed(options(None, interrupted.path()))));
        }
        assert!(stops >= 8, "{stops}");
        assert_eq!(result_of(interrupted.path()), result_of(uninterrupted.path()), "{name}");
    }
}

#[test]
fn every_experiment_of_the_paper_is_valid() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/multiverse");
    let files = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let files: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|found| found == "toml")).collect();
    assert!(files.len() >= 8);
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let is_baseline = path.file_name().unwrap().to_string_lossy().starts_with("baseline");
        let error = match is_baseline {
            true => recurrent_transformer::recipe().with(&text).err(),
            false => multiverse::recipe().with(&text).err(),
        };
        assert_eq!(error, None, "{}", path.display());
    }
}
