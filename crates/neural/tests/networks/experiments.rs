//! Checks that the files in `experiments/` are still usable: all experiments, and a checkpoint of
//! an older version.

use ninefold_neural::device::Device;
use ninefold_neural::models::rem::{self, board};
use ninefold_neural::models::staged::{self, Body};
use ninefold_neural::models::{
    ModelConfig, cnn, kaleidoscope, multiverse, recurrent_transformer, rrn,
};
use ninefold_neural::registry::{self, Weights};
use ninefold_neural::training::checkpoint;
use ninefold_neural::training::experiment::{Experiment, ExperimentError};
use ninefold_neural::training::run::CHECKPOINT;
use ninefold_neural::training::{TrainOptions, TrainOutcome};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments")
}

fn read<C: ModelConfig>(recipe: Experiment<C>, text: &str) -> Result<(), ExperimentError> {
    recipe.with(text).map(|_| ())
}

#[test]
fn every_experiment_is_valid() {
    let mut count = 0;
    for model in ["cnn", "kaleidoscope", "multiverse", "rem", "rrn", "staged"] {
        for entry in fs::read_dir(directory().join(model)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "toml") {
                continue;
            }
            let (text, name) =
                (fs::read_to_string(&path).unwrap(), path.file_stem().unwrap().to_str().unwrap());
            let found = match (model, name) {
                ("cnn", _) => read(cnn::recipe(), &text),
                ("kaleidoscope", "rules") => kaleidoscope::heads::recipe().with(&text).map(|_| ()),
                ("kaleidoscope", _) => kaleidoscope::recipe().with(&text).map(|_| ()),
                ("multiverse", name) if name.starts_with("baseline") => {
                    read(recurrent_transformer::recipe(), &text)
                }
                ("multiverse", _) => read(multiverse::recipe(), &text),
                ("rem", "rem") => read(rem::recipe(), &text),
                ("rem", "relations") => read(board::relations_recipe(), &text),
                ("rem", _) => read(board::recipe(), &text),
                ("rrn", _) => read(rrn::recipe(rrn::Config::paper()), &text),
                _ => read(staged::recipe(Body::Dense, true), &text),
            };
            assert_eq!(found, Ok(()), "{}", path.display());
            count += 1;
        }
    }
    assert!(count >= 20, "{count}");
}

#[test]
fn checkpoints_with_old_setting_names_can_be_resumed() {
    let path = directory().join("rem/checkpoint/checkpoint.safetensors");
    let (metadata, tensors) = checkpoint::read(&path).unwrap();
    let bytes = fs::read(&path).unwrap();
    let header = String::from_utf8_lossy(&bytes[..20_000.min(bytes.len())]).into_owned();
    assert!(
        header.contains("\\\"restraint\\\"") && header.contains("\\\"rate\\\""),
        "the file has old setting names"
    );
    let experiment: Experiment<rem::Config> =
        serde_json::from_value(metadata.experiment.clone()).unwrap();
    assert_eq!(metadata.expect_experiment(&experiment).map_err(|error| error.to_string()), Ok(()));
    assert!(
        metadata.progress.step > 0 && tensors.keys().any(|name| name.starts_with("adam.mean."))
    );
}

/// Such numbers used to end the process while the network was built or the examples were made.
#[test]
fn hostile_numbers_are_rejected_before_anything_is_allocated() {
    let huge = "expected a number up to 1e13";
    let memory = "GiB of memory";
    for (model, changes, expected) in [
        ("rrn-palm", "[model]\nhidden = 4000000000", memory),
        ("rrn", "[model]\nsteps = 4000000000", memory),
        ("rrn", "stages = [{ epochs = 1, learning_rate = 0.1, recurrences = 4000000000 }]", memory),
        ("dense-val", "[model]\nhidden = 4000000000", memory),
        ("dense-val", "boxes = [8, 8]", memory),
        ("cnn", "boxes = [8, 8]", memory),
        ("cnn", "[model]\nwide_filters = 4000000000", memory),
        ("cnn", "batch_size = 400000000\n[data]\ntrain = 400000000", memory),
        ("cnn", "[data]\ntrain = 9223372036854775807", huge),
        ("cnn", "[data]\ntrain = 9000000000000", memory),
        ("cnn", "[data]\nrefusals = 1000000000", "at most 10000"),
        ("multiverse", "[model]\nlstms = 4000000000", memory),
        ("multiverse", "[model]\nverses = 4000000000", memory),
        ("recurrent-transformer", "[model]\nembedding = 4000000000", memory),
        ("recurrent-transformer", "[model]\nrounds = 4000000000", memory),
        ("rem", "[model]\nbetween = 4000000000", memory),
        ("rem-board", "[model]\nbetween = 4000000000", memory),
        ("rem-relations", "[model.relations]\nwidth = 4000000000", memory),
        ("rem-relations", "[model.relations]\nrounds = 4000000000", memory),
        ("kaleidoscope", "[model]\nblocks = 9223372036854775807", huge),
        ("kaleidoscope", "batch_size = 4000000000", memory),
        ("kaleidoscope-rules", "batch_size = 4000000000", memory),
        ("kaleidoscope-rules", "[model]\nrule_units = 4000000000", "hidden units"),
        ("cnn", "stages = [{ epochs = 1, learning_rate = 0.1, grade = 4000000000 }]", "grades"),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let mut options = TrainOptions::new(directory.path());
        options.changes = Some(changes);
        let model = registry::by_name(model).unwrap_or_else(|| panic!("{model}"));
        let error = model.train(&options, Device::Cpu, &mut |_| {}).unwrap_err().to_string();
        assert!(error.contains(expected), "{changes}: {error}");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0, "{changes}");
    }
}

#[test]
fn the_recipes_fit_into_memory_and_their_sizes_are_lower_bounds() {
    for model in registry::all() {
        let directory = tempfile::tempdir().unwrap();
        let stop = AtomicBool::new(true);
        let mut options = TrainOptions::new(directory.path());
        options.stop = Some(&stop);
        // The rules of Kaleidoscope need lists, which are not there.
        match model.train(&options, Device::Cpu, &mut |_| {}) {
            Ok(outcome) => assert_eq!(outcome, TrainOutcome::Stopped, "{}", model.name),
            Err(error) => {
                let error = error.to_string();
                assert!(!error.contains("GiB"), "{}: {error}", model.name);
            }
        }
        if model.shipped_weights.is_some() && model.name != "kaleidoscope-rules" {
            assert!(model.load(Weights::Shipped, Device::Cpu).is_ok(), "{}", model.name);
        }
    }
}

/// A run that is stopped while its examples are made has a checkpoint and can be resumed.
#[test]
fn a_run_stops_from_the_first_second() {
    let directory = tempfile::tempdir().unwrap();
    let changes = "[data]\nsource = \"minimal\"\ntrain = 20000000\n";
    let mut options = TrainOptions::new(directory.path());
    (options.changes, options.time, options.threads) = (Some(changes), Some(Duration::ZERO), 2);
    let model = registry::by_name("dense-val").unwrap();
    let train = |options: &TrainOptions<'_>| model.train(options, Device::Cpu, &mut |_| {});
    assert_eq!(train(&options).unwrap(), TrainOutcome::TimeLimit);
    assert!(directory.path().join(CHECKPOINT).is_file());
    let stop = AtomicBool::new(true);
    (options.resume, options.time, options.stop) = (true, None, Some(&stop));
    assert_eq!(train(&options).unwrap(), TrainOutcome::Stopped);
}
