//! What is kept in `experiments/` can still be used: every file of settings, and the checkpoint that a run can be resumed from.

use neural::models::rem::{self, board};
use neural::models::staged::{self, Body};
use neural::models::{ModelConfig, cnn, kaleidoscope, multiverse, recurrent_transformer, rrn};
use neural::training::checkpoint;
use neural::training::experiment::{Experiment, ExperimentError};
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments")
}

fn read<C: ModelConfig>(recipe: Experiment<C>, text: &str) -> Result<(), ExperimentError> {
    recipe.with(text).map(|_| ())
}

#[test]
fn every_experiment_can_be_run() {
    let mut count = 0;
    for model in ["cnn", "kaleidoscope", "multiverse", "rem", "rrn", "staged"] {
        for entry in fs::read_dir(folder().join(model)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "toml") {
                continue;
            }
            let (text, name) =
                (fs::read_to_string(&path).unwrap(), path.file_stem().unwrap().to_str().unwrap());
            let found = match (model, name) {
                ("cnn", _) => read(cnn::recipe(), &text),
                ("kaleidoscope", "rules") => kaleidoscope::rules_recipe().with(&text).map(|_| ()),
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
fn a_checkpoint_with_older_names_of_its_settings_can_be_resumed() {
    let path = folder().join("rem/checkpoint/checkpoint.safetensors");
    let (metadata, tensors) = checkpoint::read(&path).unwrap();
    let bytes = fs::read(&path).unwrap();
    let header = String::from_utf8_lossy(&bytes[..20_000.min(bytes.len())]).into_owned();
    assert!(
        header.contains("\\\"restraint\\\"") && header.contains("\\\"rate\\\""),
        "it was written with older names"
    );
    let experiment: Experiment<rem::Config> =
        serde_json::from_value(metadata.experiment.clone()).unwrap();
    assert_eq!(metadata.expect_experiment(&experiment).map_err(|error| error.to_string()), Ok(()));
    assert!(
        metadata.progress.step > 0 && tensors.keys().any(|name| name.starts_with("adam.mean."))
    );
}
