//! Fuzzes the reader with synthetic photos of random boards: no panic, and a board is accepted only
//! if it has one solution.
#![no_main]

use arbitrary::Arbitrary;
use ninefold_vision::synth::photo::{LineStyle, Scene, take};
use ninefold_vision::{Outcome, Reader};
use std::sync::LazyLock;

static READER: LazyLock<Reader> = LazyLock::new(Reader::default);

#[derive(Arbitrary, Debug)]
struct Input {
    seed: u64,
    side: u8,
    digits: Vec<u8>,
    style: u8,
    angle: i8,
    bend: i8,
    roughness: u8,
    is_dark: bool,
}

libfuzzer_sys::fuzz_target!(|input: Input| {
    let side = [4, 6, 9, 16][usize::from(input.side % 4)];
    let digit = |cell: usize| input.digits.get(cell).map_or(0, |digit| digit % (side as u8 + 1));
    let digits: Vec<u8> = (0..side * side).map(digit).collect();
    let mut scene = Scene::printed(&digits);
    let styles = [LineStyle::Usual, LineStyle::Thin, LineStyle::Dotted];
    scene.lines = styles[usize::from(input.style % 3)];
    scene.size = (300, 300);
    scene.angle = f32::from(input.angle) / 64.0;
    scene.bend = f32::from(input.bend) / 256.0;
    scene.roughness = f32::from(input.roughness) / 128.0;
    scene.is_dark = input.is_dark;
    if let Ok(reading) = READER.read(&take(&scene, input.seed).image)
        && reading.outcome == Outcome::Read
    {
        assert!(reading.solution.is_some(), "an accepted puzzle has exactly one solution");
    }
});
