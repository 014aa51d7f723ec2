//! Mutated weights, ONNX files and experiment files are rejected or read, without a panic, an abort
//! or much memory.
//!
//! `NINEFOLD_FUZZ=20000` sets the number of mutated files of each kind; the default is 1,000.

use ninefold::random::Random;
use ninefold_neural::device::Device;
use ninefold_neural::models::{cnn, kaleidoscope, multiverse, recurrent_transformer, rem, rrn};
use ninefold_neural::registry::{self, FileFormat, ModelEntry, Weights};
use ninefold_neural::training::TrainOptions;
use ninefold_neural::training::run::WEIGHTS;
use std::fs;
use std::path::Path;

fn cases() -> u64 {
    std::env::var("NINEFOLD_FUZZ").ok().and_then(|count| count.parse().ok()).unwrap_or(1_000)
}

/// Numbers that overflow, are out of range, or request much memory.
const NUMBERS: [&str; 12] = [
    "0",
    "-1",
    "1",
    "3",
    "65536",
    "4000000000",
    "9007199254740993",
    "9223372036854775807",
    "18446744073709551616",
    "1e300",
    "nan",
    "-0.0",
];

/// Replaces a number, or changes some bytes: replaces, deletes, repeats or truncates.
fn mutate(seed: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..1 + random.below(3) {
        if bytes.is_empty() {
            break;
        }
        // The headers, which contain the settings, are mutated as often as the rest.
        let end = if random.below(2) == 0 { bytes.len().min(4_096) } else { bytes.len() };
        let at = random.below(end);
        match random.below(6) {
            0 => bytes[at] = random.below(256) as u8,
            1 => bytes[at] ^= 1 << random.below(8),
            2 => bytes.truncate(at),
            3 => {
                let part = bytes[at..(at + random.below(64)).min(bytes.len())].to_vec();
                bytes.splice(at..at, part);
            }
            4 => _ = bytes.drain(at..(at + random.below(16)).min(bytes.len())),
            _ => {
                let is_digit = |index: &usize| bytes[*index].is_ascii_digit();
                let Some(start) = (at..end).find(is_digit) else { continue };
                let stop = (start..bytes.len()).find(|index| !is_digit(index));
                let number = NUMBERS[random.below(NUMBERS.len())];
                bytes.splice(start..stop.unwrap_or(bytes.len()), number.bytes());
            }
        }
    }
    bytes
}

/// A small network, its weights and the same as ONNX.
fn small_network(directory: &Path) -> (&'static ModelEntry, Vec<u8>, Vec<u8>) {
    let changes = "
        boxes = [2, 2]
        batch_size = 4
        model = { hidden = 4 }
        data = { source = \"minimal\", train = 8, validation = 4, test = 4 }
        stages = [{ epochs = 1, learning_rate = 0.01, blanks = 4 }]
    ";
    let model = registry::by_name("dense").unwrap();
    let run = directory.join("run");
    let mut options = TrainOptions::new(&run);
    options.changes = Some(changes);
    model.train(&options, Device::Cpu, &mut |_| {}).unwrap();
    let weights = run.join(WEIGHTS);
    let onnx = model.export(Weights::File(&weights), FileFormat::Onnx, None).unwrap();
    (model, fs::read(weights).unwrap(), onnx)
}

#[test]
fn mutated_weights_and_onnx_files_are_rejected_or_read() {
    let directory = tempfile::tempdir().unwrap();
    let (model, weights, onnx) = small_network(directory.path());
    for (kind, seed) in [("weights", weights), ("onnx", onnx)] {
        let path = directory.path().join(format!("mutated.{kind}"));
        fs::write(&path, &seed).unwrap();
        assert!(model.load(Weights::File(&path), Device::Cpu).is_ok(), "{kind}");
        let mut read = 0;
        for number in 0..cases() {
            fs::write(&path, mutate(&seed, &mut Random::for_part(42, number))).unwrap();
            match model.load(Weights::File(&path), Device::Cpu) {
                Ok(loaded) => {
                    read += 1;
                    let order = loaded.predictor.order();
                    let empty = vec![0; order.cell_count()];
                    assert!(!loaded.predictor.log_probabilities(&[&empty]).is_empty());
                }
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
        println!("{} mutated {kind} files, {read} of them readable, {}", cases(), memory());
    }
}

#[test]
fn mutated_experiments_are_rejected_or_read() {
    let recipes: Vec<String> = registry::all().iter().map(|model| model.recipe()).collect();
    let mut read = 0;
    for number in 0..cases() {
        let mut random = Random::for_part(43, number);
        let seed = &recipes[random.below(recipes.len())];
        let text = String::from_utf8_lossy(&mutate(seed.as_bytes(), &mut random)).into_owned();
        // Each model reads every file: unknown settings are errors, not panics.
        read += usize::from(cnn::recipe().with(&text).is_ok())
            + usize::from(multiverse::recipe().with(&text).is_ok())
            + usize::from(recurrent_transformer::recipe().with(&text).is_ok())
            + usize::from(rrn::recipe(rrn::Config::paper()).with(&text).is_ok())
            + usize::from(rem::recipe().with(&text).is_ok())
            + usize::from(rem::board::relations_recipe().with(&text).is_ok())
            + usize::from(kaleidoscope::recipe().with(&text).is_ok())
            + usize::from(kaleidoscope::heads::recipe().with(&text).is_ok());
    }
    println!("{} mutated experiments, readable by {read} models, {}", cases(), memory());
    assert!(read > 0, "some mutations keep the file valid");
}

/// The peak memory of the process, where the system reports it.
fn memory() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.map_or(String::new(), |peak| format!("peak memory {}", peak.trim()))
}
