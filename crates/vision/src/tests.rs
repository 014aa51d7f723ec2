//! Reads synthetic photos from end to end.

use crate::grey::GreyImage;
use crate::reading::{Outcome, Reader, Reading};
use crate::signs::Sign;
use crate::synth::photo::{LineStyle, Scene, take};
use ninefold::random::Random;

const PUZZLE: &str =
    "530070000600195000098000060800060003400803001700020006060000280000419005000080079";
const SOLUTION: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

fn digits(text: &str) -> Vec<u8> {
    text.bytes().map(|byte| byte - b'0').collect()
}

fn read(scene: &Scene, seed: u64) -> Reading {
    Reader::default().read(&take(scene, seed).image).expect("the scene has a grid")
}

fn wrong_cells(reading: &Reading, expected: &[u8]) -> usize {
    assert_eq!(reading.cells.len(), expected.len());
    reading.cells.iter().zip(expected).filter(|(cell, digit)| cell.digit != **digit).count()
}

#[test]
fn reads_printed_puzzles_in_all_styles() {
    let printed = Scene::printed(&digits(PUZZLE));
    let styles = [
        printed.clone(),
        Scene { roughness: 0.0, ..printed.clone() },
        Scene { lines: LineStyle::Thin, ..printed.clone() },
        Scene { lines: LineStyle::Dotted, ..printed.clone() },
        Scene { angle: 0.3, ..printed.clone() },
        Scene { bend: 0.25, ..printed.clone() },
        Scene { is_dark: true, ..printed.clone() },
    ];
    for (seed, scene) in (10..).zip(styles) {
        let reading = read(&scene, seed);
        assert_eq!(wrong_cells(&reading, &scene.digits), 0, "{seed}: {:?}", reading.outcome);
        assert_ne!(reading.outcome, Outcome::Unresolved, "{seed}: {}", reading.confidence);
        assert_eq!(reading.grid.is_dark, scene.is_dark, "{seed}");
    }
}

#[test]
fn turns_boards_upright() {
    for quarter in 0..4u8 {
        let angle = f32::from(quarter) * std::f32::consts::FRAC_PI_2;
        let scene = Scene { angle, ..Scene::printed(&digits(PUZZLE)) };
        let reading = read(&scene, 20 + u64::from(quarter));
        assert_eq!(wrong_cells(&reading, &scene.digits), 0, "{quarter}");
        assert_eq!(reading.quarter_turns, usize::from(quarter));
    }
}

#[test]
fn reads_handwriting_and_leaves_out_pencil_marks() {
    let mut scene = Scene::printed(&digits(PUZZLE));
    let solution = digits(SOLUTION);
    for (cell, &digit) in solution.iter().enumerate() {
        if scene.digits[cell] == 0 && cell % 3 == 0 {
            scene.digits[cell] = digit;
            scene.handwritten[cell] = true;
        } else if scene.digits[cell] == 0 && cell % 3 == 1 {
            scene.marked[cell] = true;
        }
    }
    let reading = read(&scene, 30);
    assert_eq!(wrong_cells(&reading, &scene.digits), 0, "{:?}", reading.outcome);
}

#[test]
fn reads_other_sizes() {
    let four = digits("1000004002000003");
    let six = digits("100006020050003000000400040010600002");
    for (seed, puzzle) in [(40, four), (41, six)] {
        let reading = read(&Scene::printed(&puzzle), seed);
        assert_eq!(reading.side * reading.side, puzzle.len());
        assert_eq!(wrong_cells(&reading, &puzzle), 0, "{:?}", reading.outcome);
    }
}

#[test]
fn reads_half_filled_16x16_boards() {
    // Rows of the canonical 16×16 solution; half of the cells are given.
    let solution = |row: usize, column: usize| (4 * (row % 4) + row / 4 + column) % 16 + 1;
    let mut random = Random::new(44);
    let digit = |cell: usize| {
        if random.below(2) == 0 { solution(cell / 16, cell % 16) as u8 } else { 0 }
    };
    let digits: Vec<u8> = (0..256).map(digit).collect();
    for (seed, roughness) in [(45, 0.0), (46, 0.3)] {
        let scene = Scene { size: (900, 900), roughness, ..Scene::printed(&digits) };
        let reading = read(&scene, seed);
        assert_eq!(reading.side, 16, "{seed}");
        // Ones and sevens are alike in this font; a person checks what is marked.
        assert!(wrong_cells(&reading, &digits) <= 8, "{}", wrong_cells(&reading, &digits));
    }
}

#[test]
fn finds_the_regions_of_a_jigsaw() {
    // The classic boxes with two cells exchanged between neighbours.
    let mut regions = crate::regions::boxes(9).unwrap();
    regions[2] = 1;
    regions[12] = 0;
    let mut digits = vec![0; 81];
    (digits[0], digits[40], digits[80]) = (1, 5, 9);
    let scene = Scene { regions: Some(regions.clone()), ..Scene::printed(&digits) };
    let scene = Scene { roughness: 0.3, ..scene };
    assert_eq!(read(&scene, 50).jigsaw, Some(regions));
    let classic = Scene { regions: None, ..scene };
    assert_eq!(read(&classic, 51).jigsaw, None);
}

#[test]
fn recognises_killers_and_x_sudokus_but_nothing_else() {
    // Cages of three cells in a row.
    let cages: Vec<u8> = (0..81).map(|cell| (cell / 3) as u8).collect();
    let killer = Scene { cages: Some(cages), ..Scene::printed(&[0; 81]) };
    let classic = Scene::printed(&digits(PUZZLE));
    let diagonals = Scene { has_diagonals: true, ..classic.clone() };
    let mut marked = classic.clone();
    marked.marked = classic.digits.iter().map(|&digit| digit == 0).collect();
    for seed in 55..58 {
        for (scene, expected) in [
            (&killer, vec![Sign::Cages]),
            (&diagonals, vec![Sign::Diagonals]),
            (&classic, vec![]),
            (&marked, vec![]),
        ] {
            for roughness in [0.0, 0.5] {
                let scene = Scene { roughness, ..scene.clone() };
                assert_eq!(read(&scene, seed).signs, expected, "{seed} {roughness}");
            }
        }
    }
}

#[test]
fn a_digit_that_breaks_the_rules_is_not_accepted() {
    let mut puzzle = digits(PUZZLE);
    puzzle[2] = 7;
    let reading = read(&Scene::printed(&puzzle), 60);
    assert_ne!(reading.outcome, Outcome::Read);
}

#[test]
fn images_without_a_grid_are_never_read() {
    let reader = Reader::default();
    let mut random = Random::new(70);
    let noise: Vec<u8> = (0..300 * 300).map(|_| random.below(256) as u8).collect();
    let stripes: Vec<u8> =
        (0..300 * 300).map(|i| if i / 300 % 20 < 3 { 20 } else { 220 }).collect();
    for pixels in [noise, stripes] {
        let image = GreyImage::new(300, 300, pixels).unwrap();
        if let Ok(reading) = reader.read(&image) {
            assert_eq!(reading.outcome, Outcome::Unresolved);
        }
    }
}

#[test]
fn half_a_grid_is_never_accepted() {
    let photo = take(&Scene::printed(&digits(PUZZLE)), 80).image;
    let height = photo.height() / 2;
    let pixels = photo.pixels()[..photo.width() * height].to_vec();
    let half = GreyImage::new(photo.width(), height, pixels).unwrap();
    if let Ok(reading) = Reader::default().read(&half) {
        assert_eq!(reading.outcome, Outcome::Unresolved);
    }
}

#[test]
fn reads_the_larger_of_two_grids_and_says_so() {
    let scene = |size| Scene { size, roughness: 0.0, ..Scene::printed(&digits(PUZZLE)) };
    let large = take(&scene((500, 500)), 90).image;
    let small = take(&scene((300, 300)), 91).image;
    let mut pixels = Vec::new();
    for y in 0..500 {
        pixels.extend_from_slice(&large.pixels()[y * 500..][..500]);
        match y {
            100..400 => pixels.extend_from_slice(&small.pixels()[(y - 100) * 300..][..300]),
            _ => pixels.extend_from_slice(&[235; 300]),
        }
    }
    let image = GreyImage::new(800, 500, pixels).unwrap();
    let reading = Reader::default().read(&image).unwrap();
    assert!(reading.grid.has_rival);
    assert!(reading.grid.quad.centre().x < 400.0);
}
