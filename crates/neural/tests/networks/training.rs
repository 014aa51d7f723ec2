//! End-to-end tests of training, small and on the CPU: memorising, reproducibility, interruption,
//! and rejection of invalid files.
//!
//! Dropout of the tensor library uses one random stream per process, so these tests run one at a
//! time.

use ninefold_neural::device::Device;
use ninefold_neural::inference::decoding::Decoding;
use ninefold_neural::inference::evaluate;
use ninefold_neural::models::{cnn, rrn};
use ninefold_neural::registry::{self, ModelEntry, Weights};
use ninefold_neural::training::checkpoint::{self, HostTensor, Tensors};
use ninefold_neural::training::data::Examples;
use ninefold_neural::training::metrics::{Line, Metrics};
use ninefold_neural::training::run::{CHECKPOINT, CHECKPOINT_EVERY, WEIGHTS};
use ninefold_neural::training::{TrainOptions, TrainOutcome};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

/// Eight 4×4 puzzles. Batch normalisation needs some hundred steps until its running averages are
/// accurate.
const TINY_CNN: &str = "
boxes = [2, 2]
batch_size = 8
solved_per_stage = 4
weights = \"f32\"
model = { filters = 8, wide_filters = 8 }
data = { train = 8, validation = 4, test = 4 }
stages = [{ epochs = 600, learning_rate = 0.01 }, { epochs = 100, learning_rate = 0.001 }]
";

/// A few stages with dropout and early stopping.
const TINY_STAGES: &str = "
boxes = [2, 2]
batch_size = 4
model = { hidden = 8, dropout = 0.2 }
data = { source = \"minimal\", train = 16, validation = 8, test = 4 }
stages = [{ epochs = 2, learning_rate = 0.01, blanks = 2 }, { epochs = 9, learning_rate = 0.01, blanks = 5 }]
";

/// A small network with all options of experiments: augmentation, stages with different
/// recurrences, carried puzzles, weight decay and clipped gradients.
const TINY_RRN: &str = "
boxes = [2, 2]
batch_size = 8
solved_per_stage = 4
weights = \"f32\"
model = { embedding = 4, hidden = 16, steps = 4, answer_steps = 6 }
data = { source = \"minimal\", train = 16, validation = 4, test = 4, augmentation = { givens = [4, 8], symmetries = true } }
stages = [{ epochs = 3, learning_rate = 0.01, recurrences = 2 }, { epochs = 2, learning_rate = 0.003 }, { epochs = 4, learning_rate = 0.003, recurrences = 2, max_carry_steps = 3 }]
optimizer = { weight_decay = 0.0001, max_grad_norm = 1.0 }
";

static TURN: Mutex<()> = Mutex::new(());

fn turn() -> MutexGuard<'static, ()> {
    TURN.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn options<'a>(changes: Option<&'a str>, directory: &'a Path) -> TrainOptions<'a> {
    let mut options = TrainOptions::new(directory);
    (options.changes, options.threads) = (changes, 2);
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

fn model(name: &str) -> &'static ModelEntry {
    registry::by_name(name).unwrap()
}

fn train(name: &str, options: &TrainOptions<'_>) -> Result<TrainOutcome, String> {
    model(name).train(options, Device::Cpu, &mut |_| {}).map_err(|error| error.to_string())
}

/// The tensors and metrics of a run, without timings.
fn result_of(directory: &Path) -> (Tensors, Vec<Line>) {
    let (_, tensors) = checkpoint::read(&directory.join(CHECKPOINT)).unwrap();
    let lines = Metrics::read(directory).unwrap();
    let timeless = |line| Line { seconds: 0.0, examples_per_second: 0.0, ..line };
    (tensors, lines.into_iter().map(timeless).collect())
}

#[test]
fn memorises_a_handful_of_puzzles() {
    let _turn = turn();
    let directory = tempfile::tempdir().unwrap();
    assert_eq!(
        train("cnn", &options(Some(TINY_CNN), directory.path())),
        Ok(TrainOutcome::Finished)
    );
    let loaded =
        model("cnn").load(Weights::File(&directory.path().join(WEIGHTS)), Device::Cpu).unwrap();
    let dataset = cnn::recipe().with(TINY_CNN).unwrap().data;
    let order = ninefold::grid::Order::FOUR;
    let train_set =
        dataset.load(order, ninefold_neural::training::data::Split::Train, 1, 1).unwrap();
    // Only these puzzles are memorised: positions between a puzzle and its solution were not in the
    // training set.
    let score = evaluate::score(loaded.predictor.as_ref(), &train_set, Decoding::AtOnce);
    assert_eq!((score.solved, score.puzzles), (8, 8), "{score:?}");
    assert_eq!(loaded.own_test_set(1).unwrap().len(), 4);
    let svg = fs::read_to_string(directory.path().join("curves.svg")).unwrap();
    assert!(svg.contains("training loss") && svg.contains("share solved"));
}

#[test]
fn rrn_memorises_a_handful_of_puzzles() {
    let _turn = turn();
    let directory = tempfile::tempdir().unwrap();
    // With a hidden width of 16 some seeds learn only three of the four puzzles; with these
    // settings 16 of 16 seeds learn all.
    let stages = "stages = [{ epochs = 150, learning_rate = 0.005, recurrences = 2 }, { epochs = 300, learning_rate = 0.002 }, \
                  { epochs = 4, learning_rate = 0.0003, recurrences = 2, max_carry_steps = 3 }]";
    let changes = TINY_RRN
        .lines()
        .map(|line| if line.starts_with("stages") { stages } else { line })
        .collect::<Vec<_>>()
        .join("\n")
        .replace("batch_size = 8", "batch_size = 4")
        .replace("hidden = 16", "hidden = 32")
        .replace("train = 16", "train = 4")
        .replace(
            "augmentation = { givens = [4, 8], symmetries = true }",
            "augmentation = { givens = [0, 0], symmetries = false }",
        );
    assert_eq!(
        train("rrn", &options(Some(&changes), directory.path())),
        Ok(TrainOutcome::Finished)
    );
    let loaded =
        model("rrn").load(Weights::File(&directory.path().join(WEIGHTS)), Device::Cpu).unwrap();
    let dataset = rrn::recipe(rrn::Config::paper()).with(&changes).unwrap().data;
    let train_set = dataset
        .load(ninefold::grid::Order::FOUR, ninefold_neural::training::data::Split::Train, 1, 1)
        .unwrap();
    let score = evaluate::score(loaded.predictor.as_ref(), &train_set, Decoding::AtOnce);
    assert_eq!((score.solved, score.puzzles), (4, 4), "{score:?}");
}

#[test]
fn heads_start_from_initial_weights_and_keep_frozen_ones() {
    let _turn = turn();
    let directory = tempfile::tempdir().unwrap();
    train("rrn", &options(Some(TINY_RRN), directory.path())).unwrap();
    let start = directory.path().join(WEIGHTS);
    let (_, below) = checkpoint::read(&start).unwrap();
    let rrn = "rrn = { embedding = 4, hidden = 16, steps = 4, answer_steps = 6 }";
    let heads = [
        ("rem", "between = 4, frozen = true", true),
        ("rem", "between = 4", false),
        ("rem-board", "between = 8, sees = \"frozen-states\"", true),
        ("rem-board", "between = 8, sees = \"states\"", false),
    ];
    for (name, model, is_frozen) in heads {
        let into = tempfile::tempdir().unwrap();
        let without_carry = TINY_RRN.replace(", max_carry_steps = 3", "");
        let changes = without_carry.replace(
            "model = { embedding = 4, hidden = 16, steps = 4, answer_steps = 6 }",
            &format!("model = {{ {model}, {rrn} }}"),
        ) + &format!("initial_weights = {:?}\n", start.display().to_string());
        assert_eq!(
            train(name, &options(Some(&changes), into.path())),
            Ok(TrainOutcome::Finished),
            "{name}"
        );
        let (_, with_head) = checkpoint::read(&into.path().join(WEIGHTS)).unwrap();
        let is_as_before =
            below.iter().all(|(name, held)| with_head[&format!("rrn.{name}")] == *held);
        assert_eq!(is_as_before, is_frozen, "{name}, {model}");
    }
    let nothing = format!("{TINY_CNN}\ninitial_weights = {:?}\n", start.display().to_string());
    let error = train("cnn", &options(Some(&nothing), &directory.path().join("cnn"))).unwrap_err();
    assert!(error.contains("contains no weight of this network"), "{error}");
}

#[test]
fn runs_depend_only_on_the_seed() {
    let _turn = turn();
    for (name, changes) in [("dense-val", TINY_STAGES), ("conv", TINY_STAGES), ("rrn", TINY_RRN)] {
        let run = |changes: &str| {
            let directory = tempfile::tempdir().unwrap();
            train(name, &options(Some(changes), directory.path())).unwrap();
            result_of(directory.path())
        };
        let first = run(changes);
        assert_eq!(first, run(changes));
        assert_ne!(first.0, run(&format!("seed = 2\n{changes}")).0);
        assert!(first.1.iter().any(|line| line.what == "stage" && line.solved.is_some()));
    }
}

#[test]
fn interrupted_runs_end_like_uninterrupted_ones() {
    let _turn = turn();
    let runs =
        [("dense-val", TINY_STAGES), ("conv", TINY_STAGES), ("cnn", TINY_CNN), ("rrn", TINY_RRN)];
    for (name, changes) in runs {
        // Sixteen steps are enough to cross epochs and stages.
        let changes = match name {
            "cnn" => {
                changes.replace("epochs = 600", "epochs = 5").replace("epochs = 100", "epochs = 3")
            }
            _ => changes.replace("epochs = 9", "epochs = 2"),
        };
        let uninterrupted = tempfile::tempdir().unwrap();
        assert_eq!(
            train(name, &options(Some(&changes), uninterrupted.path())),
            Ok(TrainOutcome::Finished)
        );
        let interrupted = tempfile::tempdir().unwrap();
        let no_time = Duration::ZERO;
        let mut outcome =
            train(name, &with_time(no_time, options(Some(&changes), interrupted.path())));
        let mut stops = 0;
        while outcome == Ok(TrainOutcome::TimeLimit) {
            stops += 1;
            outcome = train(name, &with_time(no_time, resumed(options(None, interrupted.path()))));
        }
        assert_eq!(outcome, Ok(TrainOutcome::Finished));
        assert!(stops >= 8, "{stops}");
        assert_eq!(result_of(interrupted.path()), result_of(uninterrupted.path()), "{name}");
    }
}

/// Trains until the third epoch is reported, then panics.
fn train_and_panic(directory: &Path, checkpoint_every: Duration) -> u64 {
    let kill = std::panic::catch_unwind(|| {
        let mut epochs = 0;
        let mut options = options(Some(TINY_STAGES), directory);
        options.checkpoint_every = checkpoint_every;
        model("dense").train(&options, Device::Cpu, &mut |line| {
            epochs += usize::from(line.what == "epoch");
            assert!(epochs < 3, "killed");
        })
    });
    assert!(kill.is_err());
    checkpoint::read(&directory.join(CHECKPOINT)).unwrap().0.progress.step
}

#[test]
fn resumes_from_the_last_checkpoint_after_a_crash() {
    let _turn = turn();
    let uninterrupted = tempfile::tempdir().unwrap();
    train("dense", &options(Some(TINY_STAGES), uninterrupted.path())).unwrap();
    // During the first minute the only checkpoint is the initial one, so three epochs of four steps
    // are lost.
    for (checkpoint_every, steps) in [(CHECKPOINT_EVERY, 0), (Duration::ZERO, 12)] {
        let directory = tempfile::tempdir().unwrap();
        assert_eq!(train_and_panic(directory.path(), checkpoint_every), steps);
        let again = train("dense", &options(Some(TINY_STAGES), directory.path())).unwrap_err();
        assert!(again.ends_with("already contains a run"), "{again}");
        train("dense", &resumed(options(Some(TINY_STAGES), directory.path()))).unwrap();
        assert_eq!(result_of(directory.path()), result_of(uninterrupted.path()));
    }
}

#[test]
fn stopped_runs_finish_their_step_and_can_be_resumed() {
    let _turn = turn();
    let uninterrupted = tempfile::tempdir().unwrap();
    train("dense", &options(Some(TINY_STAGES), uninterrupted.path())).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let stop = AtomicBool::new(false);
    let mut stopped = options(Some(TINY_STAGES), directory.path());
    stopped.stop = Some(&stop);
    let outcome = model("dense")
        .train(&stopped, Device::Cpu, &mut |_| stop.store(true, Ordering::Relaxed))
        .unwrap();
    assert_eq!(outcome, TrainOutcome::Stopped);
    let step = checkpoint::read(&directory.path().join(CHECKPOINT)).unwrap().0.progress.step;
    assert_eq!(step, 5, "the first report comes after the four steps of an epoch");
    train("dense", &resumed(options(None, directory.path()))).unwrap();
    assert_eq!(result_of(directory.path()), result_of(uninterrupted.path()));
}

#[test]
fn quantised_weights_predict_nearly_the_same() {
    let _turn = turn();
    let examples =
        Examples::read("1..4..1..3..4..3\n".as_bytes(), ninefold::grid::Order::FOUR).unwrap();
    let mut answers = BTreeMap::new();
    for precision in ["f32", "f16", "i8"] {
        let directory = tempfile::tempdir().unwrap();
        let changes = TINY_CNN.replace("\"f32\"", &format!("\"{precision}\""));
        train("cnn", &options(Some(&changes), directory.path())).unwrap();
        let path = directory.path().join(WEIGHTS);
        let loaded = model("cnn").load(Weights::File(&path), Device::Cpu).unwrap();
        let size = fs::metadata(&path).unwrap().len();
        answers
            .insert(precision, (size, loaded.predictor.log_probabilities(&[examples.puzzle(0)])));
    }
    let (exact_size, exact) = &answers["f32"];
    for (precision, tolerance) in [("f16", 0.01), ("i8", 0.2)] {
        let (size, found) = &answers[precision];
        assert!(size < exact_size);
        for (found, exact) in found.iter().zip(exact) {
            assert!((found.exp() - exact.exp()).abs() < tolerance, "{precision}: {found} {exact}");
        }
    }
}

#[test]
fn invalid_checkpoints_are_rejected_without_changing_files() {
    let _turn = turn();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(CHECKPOINT);
    let stop = with_time(Duration::ZERO, options(Some(TINY_STAGES), directory.path()));
    assert_eq!(train("dense", &stop), Ok(TrainOutcome::TimeLimit));
    let good = fs::read(&path).unwrap();
    let check = |bytes: &[u8], name: &str, changes: Option<&str>, expected: &str| {
        fs::write(&path, bytes).unwrap();
        let before = all_files(directory.path());
        let error = train(name, &resumed(options(changes, directory.path()))).unwrap_err();
        assert!(error.contains(expected), "{error}");
        assert!(!error.contains('\n'), "{error}");
        assert_eq!(all_files(directory.path()), before);
    };
    check(&good[..good.len() - 5], "dense", None, "is damaged or not a safetensors file");
    check(&good[..4], "dense", None, "is damaged or not a safetensors file");
    check(b"", "dense", None, "is damaged or not a safetensors file");
    check(
        &[&[255; 8][..], &good[8..]].concat(),
        "dense",
        None,
        "is damaged or not a safetensors file",
    );
    check(&foreign(), "dense", None, "was not written by ninefold");
    check(&good, "conv", None, "these are weights of the model dense, not of conv");
    let other = TINY_STAGES.replace("batch_size = 4", "batch_size = 8");
    check(
        &good,
        "dense",
        Some(&other),
        "comes from another experiment: batch_size is 4 in the checkpoint and 8 in the experiment",
    );
    check(&not_a_number(&path, &good), "dense", None, "contains a number that is not finite");
    check(&without(&path, &good, "heads.bias"), "dense", None, "heads.bias is missing");
    check(
        &without(&path, &good, "adam.square.heads.bias"),
        "dense",
        None,
        "adam.square.heads.bias is missing",
    );

    fs::write(&path, &good).unwrap();
    let before = all_files(directory.path());
    let error = train("dense", &options(Some(TINY_STAGES), directory.path())).unwrap_err();
    assert!(error.ends_with("already contains a run"), "{error}");
    assert_eq!(all_files(directory.path()), before);
    let empty = directory.path().join("nothing");
    let error = train("dense", &resumed(options(None, &empty))).unwrap_err();
    assert!(error.ends_with("contains no run to resume"), "{error}");
    assert!(!empty.exists());
}

#[cfg(not(feature = "cuda"))]
#[test]
fn training_without_a_gpu_creates_no_files() {
    let directory = tempfile::tempdir().unwrap();
    let inside = directory.path().join("run");
    let error = model("cnn").train(&options(None, &inside), Device::Gpu, &mut |_| {}).unwrap_err();
    assert!(error.to_string().starts_with("GPU support is not compiled in"), "{error}");
    assert!(!inside.exists());
}

fn all_files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    files.map(|path| (path.display().to_string(), fs::read(&path).unwrap())).collect()
}

/// A safetensors file of another program.
fn foreign() -> Vec<u8> {
    let bytes = 1f32.to_le_bytes();
    let view =
        safetensors::tensor::TensorView::new(safetensors::Dtype::F32, vec![1], &bytes).unwrap();
    safetensors::serialize([("a", view)], None).unwrap()
}

fn changed(path: &Path, good: &[u8], change: impl FnOnce(&mut Tensors)) -> Vec<u8> {
    fs::write(path, good).unwrap();
    let (metadata, mut tensors) = checkpoint::read(path).unwrap();
    change(&mut tensors);
    checkpoint::save(
        path,
        &metadata,
        &tensors,
        ninefold_neural::training::quantise::Precision::F32,
    )
    .unwrap();
    fs::read(path).unwrap()
}

fn without(path: &Path, good: &[u8], name: &str) -> Vec<u8> {
    changed(path, good, |tensors| {
        assert!(tensors.remove(name).is_some(), "{name}: {:?}", tensors.keys())
    })
}

fn not_a_number(path: &Path, good: &[u8]) -> Vec<u8> {
    changed(path, good, |tensors| {
        let HostTensor { values, .. } = tensors.get_mut("heads.bias").unwrap();
        values[0] = f32::NAN;
    })
}
