//! Checks that the files in `experiments/` are still usable: all experiments, and a checkpoint of
//! an older version.

use ninefold_neural::models::rem::{self, board};
use ninefold_neural::models::staged::{self, Body};
use ninefold_neural::models::{
    ModelConfig, cnn, kaleidoscope, multiverse, recurrent_transformer, rrn,
};
use ninefold_neural::training::checkpoint;
use ninefold_neural::training::experiment::{Experiment, ExperimentError};
use std::fs;
use std::path::{Path, PathBuf};

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
