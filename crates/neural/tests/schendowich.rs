//! The networks of Schendowich, Ben Isaac and Azoulay as a whole, small and on the processor: they learn, repeat themselves, and can be stopped anywhere.
//!
//! The tensor library draws for dropout from one stream for the whole process, so these tests take turns.

use neural::device::Device;
use neural::inference::decoding::Decoding;
use neural::inference::evaluate;
use neural::models::{multiverse, recurrent_transformer};
use neural::registry::{self, TrainingJob, Weights};
use neural::training::checkpoint::{self, Tensors};
use neural::training::data::{Examples, Split};
use neural::training::metrics::{Line, Metrics};
use neural::training::train::{CHECKPOINT, Ending, WEIGHTS};
use ninefold::grid::Order;
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

fn job<'a>(changes: Option<&'a str>, folder: &'a Path) -> TrainingJob<'a> {
    TrainingJob { changes, ..TrainingJob::new(folder) }
}

fn train(name: &str, job: &TrainingJob<'_>) -> Ending {
    registry::by_name(name).unwrap().train(job, &mut |_| {}).unwrap()
}

/// Everything a run has learned and measured, without its clock.
fn result_of(folder: &Path) -> (Tensors, Vec<Line>) {
    let (_, tensors) = checkpoint::read(&folder.join(CHECKPOINT)).unwrap();
    let timeless = |line| Line { seconds: 0.0, examples_per_second: 0.0, ..line };
    (tensors, Metrics::read(folder).unwrap().into_iter().map(timeless).collect())
}

fn train_set() -> Examples {
    multiverse::recipe()
        .with(TINY_MULTIVERSE)
        .unwrap()
        .data
        .make(Order::FOUR, Split::Train, 1, 1)
        .unwrap()
}

#[test]
fn a_handful_of_puzzles_is_learned_by_heart() {
    let _turn = turn();
    for (name, changes) in BOTH {
        let folder = tempfile::tempdir().unwrap();
        // Dropout is there to keep a network from learning by heart.
        let changes = changes.replace("dropout = 0.1", "dropout = 0.0");
        assert_eq!(train(name, &job(Some(&changes), folder.path())), Ending::Finished);
        let weights = folder.path().join(WEIGHTS);
        let loaded =
            registry::by_name(name).unwrap().load(Weights::File(&weights), Device::Cpu).unwrap();
        let score = evaluate::score(loaded.predictor.as_ref(), &train_set(), Decoding::AtOnce);
        assert_eq!((score.solved, score.puzzles), (8, 8), "{name}: {score:?}");
        let lines = Metrics::read(folder.path()).unwrap();
        assert!(lines.iter().filter(|line| line.what == "epoch").all(|line| line.solved.is_some()));
    }
}

#[test]
fn equal_seeds_give_equal_runs_and_a_stopped_run_ends_like_a_whole_one() {
    let _turn = turn();
    for (name, changes) in BOTH {
        let changes =
            changes.replace("epochs = 300", "epochs = 3").replace("train = 8", "train = 24");
        let whole = tempfile::tempdir().unwrap();
        assert_eq!(train(name, &job(Some(&changes), whole.path())), Ending::Finished);
        let again = tempfile::tempdir().unwrap();
        train(name, &job(Some(&changes), again.path()));
        assert_eq!(result_of(again.path()), result_of(whole.path()), "{name}");
        let other = tempfile::tempdir().unwrap();
        train(name, &job(Some(&format!("seed = 2\n{changes}")), other.path()));
        assert_ne!(result_of(other.path()).0, result_of(whole.path()).0, "{name}");

        let pieces = tempfile::tempdir().unwrap();
        let no_time = Some(Duration::ZERO);
        let mut ending =
            train(name, &TrainingJob { time: no_time, ..job(Some(&changes), pieces.path()) });
        let mut stops = 0;
        while ending == Ending::OutOfTime {
            stops += 1;
            ending = train(
                name,
                &TrainingJob { time: no_time, resume: true, ..job(None, pieces.path()) },
            );
        }
        assert!(stops >= 8, "{stops}");
        assert_eq!(result_of(pieces.path()), result_of(whole.path()), "{name}");
    }
}

#[test]
fn every_experiment_of_the_paper_can_be_run() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/multiverse");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files: Vec<PathBuf> =
        files.filter(|path| path.extension().is_some_and(|found| found == "toml")).collect();
    assert!(files.len() >= 8);
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let is_baseline = path.file_name().unwrap().to_string_lossy().starts_with("baseline");
        let refusal = match is_baseline {
            true => recurrent_transformer::recipe().with(&text).err(),
            false => multiverse::recipe().with(&text).err(),
        };
        assert_eq!(refusal, None, "{}", path.display());
    }
}
