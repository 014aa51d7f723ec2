//! Experiment files and weights of the published networks.

use ninefold_neural::device::Device;
use ninefold_neural::models::{cnn, kaleidoscope, multiverse, recurrent_transformer, rem, rrn};
use ninefold_neural::registry::{self, Weights};
use std::path::PathBuf;
use std::sync::LazyLock;

/// Reads an experiment file for every network. Settings that a network does not have are errors.
pub fn experiment(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let _ = cnn::recipe().with(&text);
    let _ = multiverse::recipe().with(&text);
    let _ = recurrent_transformer::recipe().with(&text);
    let _ = rrn::recipe(rrn::Config::paper()).with(&text);
    let _ = rem::recipe().with(&text);
    let _ = rem::board::relations_recipe().with(&text);
    let _ = kaleidoscope::recipe().with(&text);
    let _ = kaleidoscope::heads::recipe().with(&text);
}

/// The file that contains the input, because networks are loaded from files.
static FILE: LazyLock<PathBuf> = LazyLock::new(|| {
    std::env::temp_dir().join(format!("ninefold-fuzz-{}.weights", std::process::id()))
});

/// Loads safetensors or ONNX as a small network, and predicts with it.
pub fn weights(input: &[u8]) {
    std::fs::write(&*FILE, input).expect("the temporary directory is writable");
    let model = registry::by_name("dense").expect("the name is registered");
    if let Ok(loaded) = model.load(Weights::File(&FILE), Device::Cpu) {
        let empty = vec![0; loaded.predictor.order().cell_count()];
        assert!(!loaded.predictor.log_probabilities(&[&empty]).is_empty());
    }
}
