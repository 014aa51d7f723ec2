//! Training as a whole, on the processor and small: it learns, it repeats itself, it can be stopped anywhere, and it
//! refuses what it cannot use without touching a file.
//!
//! The tensor library draws for dropout from one stream for the whole process, so these tests take turns.

use neural::device::Device;
use neural::inference::decoding::Decoding;
use neural::inference::evaluate;
use neural::models::{cnn, rrn};
use neural::registry::{self, ModelEntry, TrainingJob, Weights};
use neural::training::checkpoint::{self, HostTensor, Tensors};
use neural::training::data::Examples;
use neural::training::metrics::{Line, Metrics};
use neural::training::train::{CHECKPOINT, CHECKPOINT_EVERY, Ending, WEIGHTS};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

/// Eight 4×4 puzzles, learned for long: batch normalisation needs some hundred steps until its memory can be trusted.
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

/// A small network of messages, with everything its experiments may ask for: examples that look different every time,
/// stages with recurrences of their own, carried puzzles, weight decay and clipped gradients.
const TINY_RRN: &str = "
boxes = [2, 2]
batch_size = 8
solved_per_stage = 4
weights = \"f32\"
model = { embedding = 4, hidden = 16, steps = 4, answer_steps = 6 }
data = { source = \"minimal\", train = 16, validation = 4, test = 4, augmentation = { givens = [4, 8], twins = true } }
stages = [{ epochs = 3, learning_rate = 0.01, recurrences = 2 }, { epochs = 2, learning_rate = 0.003 }, { epochs = 4, learning_rate = 0.003, recurrences = 2, max_carry_steps = 3 }]
optimizer = { weight_decay = 0.0001, max_grad_norm = 1.0 }
";

static TURN: Mutex<()> = Mutex::new(());

fn turn() -> MutexGuard<'static, ()> {
    TURN.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn job<'a>(changes: Option<&'a str>, folder: &'a Path) -> TrainingJob<'a> {
    TrainingJob { changes, threads: 2, ..TrainingJob::new(folder) }
}

fn model(name: &str) -> &'static ModelEntry {
    registry::by_name(name).unwrap()
}

fn train(name: &str, job: &TrainingJob<'_>) -> Result<Ending, String> {
    model(name).train(job, &mut |_| {}).map_err(|error| error.to_string())
}

/// Everything a run has learned and measured, without its clock.
fn result_of(folder: &Path) -> (Tensors, Vec<Line>) {
    let (_, tensors) = checkpoint::read(&folder.join(CHECKPOINT)).unwrap();
    let lines = Metrics::read(folder).unwrap();
    let timeless = |line| Line { seconds: 0.0, examples_per_second: 0.0, ..line };
    (tensors, lines.into_iter().map(timeless).collect())
}

#[test]
fn a_handful_of_puzzles_is_learned_by_heart() {
    let _turn = turn();
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(train("cnn", &job(Some(TINY_CNN), folder.path())), Ok(Ending::Finished));
    let loaded =
        model("cnn").load(Weights::File(&folder.path().join(WEIGHTS)), Device::Cpu).unwrap();
    let dataset = cnn::recipe().with(TINY_CNN).unwrap().data;
    let order = ninefold::grid::Order::FOUR;
    let train_set = dataset.make(order, neural::training::data::Split::Train, 1, 1).unwrap();
    // By heart means these puzzles: the positions between a puzzle and its solution were never seen.
    let score = evaluate::score(loaded.predictor.as_ref(), &train_set, Decoding::AtOnce);
    assert_eq!((score.solved, score.puzzles), (8, 8), "{score:?}");
    assert_eq!(loaded.own_test_set(1).unwrap().len(), 4);
    let svg = fs::read_to_string(folder.path().join("curves.svg")).unwrap();
    assert!(svg.contains("training loss") && svg.contains("share solved"));
}

#[test]
fn messages_learn_a_handful_of_puzzles_by_heart() {
    let _turn = turn();
    let folder = tempfile::tempdir().unwrap();
    // With 16 numbers in a state some seeds learn three of the four puzzles; with these settings 16 of 16 seeds learned all.
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
            "augmentation = { givens = [4, 8], twins = true }",
            "augmentation = { givens = [0, 0], twins = false }",
        );
    assert_eq!(train("rrn", &job(Some(&changes), folder.path())), Ok(Ending::Finished));
    let loaded =
        model("rrn").load(Weights::File(&folder.path().join(WEIGHTS)), Device::Cpu).unwrap();
    let dataset = rrn::recipe(rrn::Config::paper()).with(&changes).unwrap().data;
    let train_set = dataset
        .make(ninefold::grid::Order::FOUR, neural::training::data::Split::Train, 1, 1)
        .unwrap();
    let score = evaluate::score(loaded.predictor.as_ref(), &train_set, Decoding::AtOnce);
    assert_eq!((score.solved, score.puzzles), (4, 4), "{score:?}");
}

#[test]
fn a_head_begins_with_the_weights_of_its_network_and_leaves_them_if_they_are_frozen() {
    let _turn = turn();
    let folder = tempfile::tempdir().unwrap();
    train("rrn", &job(Some(TINY_RRN), folder.path())).unwrap();
    let start = folder.path().join(WEIGHTS);
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
        assert_eq!(train(name, &job(Some(&changes), into.path())), Ok(Ending::Finished), "{name}");
        let (_, with_head) = checkpoint::read(&into.path().join(WEIGHTS)).unwrap();
        let is_as_before =
            below.iter().all(|(name, held)| with_head[&format!("rrn.{name}")] == *held);
        assert_eq!(is_as_before, is_frozen, "{name}, {model}");
    }
    let nothing = format!("{TINY_CNN}\ninitial_weights = {:?}\n", start.display().to_string());
    let error = train("cnn", &job(Some(&nothing), &folder.path().join("cnn"))).unwrap_err();
    assert!(error.contains("no weight of this network is in the file"), "{error}");
}

#[test]
fn equal_seeds_give_equal_runs_and_other_seeds_do_not() {
    let _turn = turn();
    for (name, changes) in [("dense-val", TINY_STAGES), ("conv", TINY_STAGES), ("rrn", TINY_RRN)] {
        let run = |changes: &str| {
            let folder = tempfile::tempdir().unwrap();
            train(name, &job(Some(changes), folder.path())).unwrap();
            result_of(folder.path())
        };
        let first = run(changes);
        assert_eq!(first, run(changes));
        assert_ne!(first.0, run(&format!("seed = 2\n{changes}")).0);
        assert!(first.1.iter().any(|line| line.what == "stage" && line.solved.is_some()));
    }
}

#[test]
fn a_run_that_is_stopped_after_every_step_ends_like_one_that_is_not() {
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
        let whole = tempfile::tempdir().unwrap();
        assert_eq!(train(name, &job(Some(&changes), whole.path())), Ok(Ending::Finished));
        let pieces = tempfile::tempdir().unwrap();
        let no_time = Some(Duration::ZERO);
        let mut ending =
            train(name, &TrainingJob { time: no_time, ..job(Some(&changes), pieces.path()) });
        let mut stops = 0;
        while ending == Ok(Ending::OutOfTime) {
            stops += 1;
            ending = train(
                name,
                &TrainingJob { time: no_time, resume: true, ..job(None, pieces.path()) },
            );
        }
        assert_eq!(ending, Ok(Ending::Finished));
        assert!(stops >= 8, "{stops}");
        assert_eq!(result_of(pieces.path()), result_of(whole.path()), "{name}");
    }
}

/// Trains until the third epoch is reported, and is killed then.
fn train_and_be_killed(folder: &Path, checkpoint_every: Duration) -> u64 {
    let kill = std::panic::catch_unwind(|| {
        let mut epochs = 0;
        let job = TrainingJob { checkpoint_every, ..job(Some(TINY_STAGES), folder) };
        model("dense").train(&job, &mut |line| {
            epochs += usize::from(line.what == "epoch");
            assert!(epochs < 3, "killed");
        })
    });
    assert!(kill.is_err());
    checkpoint::read(&folder.join(CHECKPOINT)).unwrap().0.progress.step
}

#[test]
fn work_after_the_last_checkpoint_is_lost_and_done_again() {
    let _turn = turn();
    let whole = tempfile::tempdir().unwrap();
    train("dense", &job(Some(TINY_STAGES), whole.path())).unwrap();
    // Within the first minute there is the checkpoint that a run begins with; three epochs of four steps were lost.
    for (checkpoint_every, steps) in [(CHECKPOINT_EVERY, 0), (Duration::ZERO, 12)] {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(train_and_be_killed(folder.path(), checkpoint_every), steps);
        let again = train("dense", &job(Some(TINY_STAGES), folder.path())).unwrap_err();
        assert!(again.ends_with("already holds a run"), "{again}");
        train("dense", &TrainingJob { resume: true, ..job(Some(TINY_STAGES), folder.path()) })
            .unwrap();
        assert_eq!(result_of(folder.path()), result_of(whole.path()));
    }
}

#[test]
fn a_run_that_is_asked_to_stop_does_so_after_its_step_and_goes_on_later() {
    let _turn = turn();
    let whole = tempfile::tempdir().unwrap();
    train("dense", &job(Some(TINY_STAGES), whole.path())).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let stop = AtomicBool::new(false);
    let stopped = TrainingJob { stop: Some(&stop), ..job(Some(TINY_STAGES), folder.path()) };
    let ending =
        model("dense").train(&stopped, &mut |_| stop.store(true, Ordering::Relaxed)).unwrap();
    assert_eq!(ending, Ending::Stopped);
    let step = checkpoint::read(&folder.path().join(CHECKPOINT)).unwrap().0.progress.step;
    assert_eq!(step, 5, "the first report comes after the four steps of an epoch");
    train("dense", &TrainingJob { resume: true, ..job(None, folder.path()) }).unwrap();
    assert_eq!(result_of(folder.path()), result_of(whole.path()));
}

#[test]
fn weights_in_less_precision_answer_nearly_alike() {
    let _turn = turn();
    let examples =
        Examples::read("1..4..1..3..4..3\n".as_bytes(), ninefold::grid::Order::FOUR).unwrap();
    let mut answers = BTreeMap::new();
    for precision in ["f32", "f16", "i8"] {
        let folder = tempfile::tempdir().unwrap();
        let changes = TINY_CNN.replace("\"f32\"", &format!("\"{precision}\""));
        train("cnn", &job(Some(&changes), folder.path())).unwrap();
        let path = folder.path().join(WEIGHTS);
        let loaded = model("cnn").load(Weights::File(&path), Device::Cpu).unwrap();
        let size = fs::metadata(&path).unwrap().len();
        answers
            .insert(precision, (size, loaded.predictor.log_probabilities(&[examples.puzzle(0)])));
    }
    let (exact_size, exact) = &answers["f32"];
    for (precision, nearness) in [("f16", 0.01), ("i8", 0.2)] {
        let (size, found) = &answers[precision];
        assert!(size < exact_size);
        for (found, exact) in found.iter().zip(exact) {
            assert!((found.exp() - exact.exp()).abs() < nearness, "{precision}: {found} {exact}");
        }
    }
}

#[test]
fn what_cannot_be_used_is_refused_in_one_message_and_no_file_changes() {
    let _turn = turn();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(CHECKPOINT);
    let stop = TrainingJob { time: Some(Duration::ZERO), ..job(Some(TINY_STAGES), folder.path()) };
    assert_eq!(train("dense", &stop), Ok(Ending::OutOfTime));
    let good = fs::read(&path).unwrap();
    let check = |bytes: &[u8], name: &str, changes: Option<&str>, expected: &str| {
        fs::write(&path, bytes).unwrap();
        let before = all_files(folder.path());
        let error =
            train(name, &TrainingJob { resume: true, ..job(changes, folder.path()) }).unwrap_err();
        assert!(error.contains(expected), "{error}");
        assert!(!error.contains('\n'), "{error}");
        assert_eq!(all_files(folder.path()), before);
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
        "comes from another experiment: batch_size is 4 there and 8 here",
    );
    check(&not_a_number(&path, &good), "dense", None, "holds something that is not a number");
    check(&without(&path, &good, "heads.bias"), "dense", None, "heads.bias is missing");
    check(
        &without(&path, &good, "adam.square.heads.bias"),
        "dense",
        None,
        "adam.square.heads.bias is missing",
    );

    fs::write(&path, &good).unwrap();
    let before = all_files(folder.path());
    let error = train("dense", &job(Some(TINY_STAGES), folder.path())).unwrap_err();
    assert!(error.ends_with("already holds a run"), "{error}");
    assert_eq!(all_files(folder.path()), before);
    let empty = folder.path().join("nothing");
    let error = train("dense", &TrainingJob { resume: true, ..job(None, &empty) }).unwrap_err();
    assert!(error.ends_with("holds no run to resume"), "{error}");
    assert!(!empty.exists());
}

#[cfg(not(feature = "cuda"))]
#[test]
fn without_a_graphics_card_nothing_is_begun() {
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("run");
    let error =
        train("cnn", &TrainingJob { device: Device::Gpu, ..job(None, &inside) }).unwrap_err();
    assert!(error.starts_with("this ninefold was built for the processor only"), "{error}");
    assert!(!inside.exists());
}

fn all_files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
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
    checkpoint::save(path, &metadata, &tensors, neural::training::quantise::Precision::F32)
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
