//! Trains the digit network: see `experiments/vision/README.md`.
//!
//! ```text
//! train_digits LABELS.csv OUTPUT [--fonts DIRECTORY]… [--hold-out PART/PARTS] [--steps N]
//!     [--seed N] [--threads N]
//! ```
//!
//! Photos with the role `dev` are never used. With `--hold-out 0/3`, groups of one of three parts
//! are left out and measured at the end.

use ninefold_vision::labels::{self, Label};
use ninefold_vision::network::{Activations, Network};
use ninefold_vision::synth::fonts;
use ninefold_vision::train::{Recipe, photos, probability, sample::Sample, train};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};

struct Options {
    labels: PathBuf,
    output: PathBuf,
    fonts: Vec<PathBuf>,
    hold_out: Option<(u64, u64)>,
    recipe: Recipe,
}

fn main() -> Result<(), Box<dyn Error>> {
    let options = parse(std::env::args().skip(1))?;
    let labels = labels::read(&options.labels)?;
    let (training, held_out) = split(&labels, options.hold_out);
    let samples = cut_all(&training, &labels);
    let families = fonts::load(&options.fonts)?;
    let faces: usize = families.iter().map(Vec::len).sum();
    println!("{} cells, {} families, {faces} faces", samples.len(), families.len());
    let weights = train(&options.recipe, &samples, &families, |progress, weights| {
        println!("step {} loss {:.4} {:.0} s", progress.step, progress.loss, progress.seconds);
        if progress.step % 1000 == 0 {
            let _ = std::fs::write(options.output.with_extension("part"), weights.to_bytes());
        }
    });
    std::fs::write(&options.output, weights.to_bytes())?;
    let network = Network::new(weights);
    let held_out = cut_all(&held_out, &labels);
    println!("wrong cells: training {}", wrong(&network, &samples));
    println!("wrong cells: held out {}", wrong(&network, &held_out));
    Ok(())
}

fn parse(arguments: impl Iterator<Item = String>) -> Result<Options, Box<dyn Error>> {
    let mut places = Vec::new();
    let mut options = Options {
        labels: PathBuf::new(),
        output: PathBuf::new(),
        fonts: Vec::new(),
        hold_out: None,
        recipe: Recipe::default(),
    };
    let mut arguments = arguments;
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--fonts" => options.fonts.push(value()?.into()),
            "--steps" => options.recipe.steps = value()?.parse()?,
            "--seed" => options.recipe.seed = value()?.parse()?,
            "--threads" => options.recipe.threads = value()?.parse()?,
            "--hold-out" => {
                let text = value()?;
                let (part, parts) = text.split_once('/').ok_or("--hold-out needs PART/PARTS")?;
                options.hold_out = Some((part.parse()?, parts.parse()?));
            }
            _ => places.push(argument),
        }
    }
    let [labels, output] = places.as_slice() else {
        return Err("usage: train_digits LABELS.csv OUTPUT [options]".into());
    };
    (options.labels, options.output) = (Path::new(labels).into(), Path::new(output).into());
    Ok(options)
}

/// Photos for training, and those of the part that is held out.
fn split(labels: &[Label], hold_out: Option<(u64, u64)>) -> (Vec<&Label>, Vec<&Label>) {
    let usable = labels.iter().filter(|label| label.role != "dev" && label.role != "nonpuzzle");
    usable.partition(|label| {
        hold_out.is_none_or(|(part, parts)| labels::part_of(&label.group, parts) != part)
    })
}

fn cut_all(chosen: &[&Label], all: &[Label]) -> Vec<Sample> {
    let clues: BTreeMap<&str, &[u8]> = all
        .iter()
        .filter(|label| label.content == "printed" && label.role != "dev")
        .map(|label| (label.group.as_str(), label.puzzle.as_slice()))
        .collect();
    let mut samples = Vec::new();
    for label in chosen {
        match photos::cells(label, clues.get(label.group.as_str()).copied()) {
            Some(cells) => samples.extend(cells),
            None => println!("{}: no grid where the label says", label.file),
        }
    }
    samples
}

fn wrong(network: &Network, samples: &[Sample]) -> String {
    let mut state = Activations::default();
    let wrong = samples
        .iter()
        .filter(|sample| {
            network.run(&sample.plain(), &mut state);
            probability(&state.log_probabilities, sample) < 0.5
        })
        .count();
    format!("{wrong} of {}", samples.len())
}
