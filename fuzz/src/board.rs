//! Arbitrary boards with rules: every rule that the formats know, on arbitrary cells.

use arbitrary::Arbitrary;
use ninefold::Limits;
use ninefold::explain::Explanation;
use ninefold::grid::rules::Groups;
use ninefold::grid::{Digit, Grid, Position, Solutions};
use ninefold::logic::ExplainOptions;
use ninefold::search;
use ninefold_formats::rules::read_rules;
use ninefold_formats::{Entry, Format};
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::time::Duration;

/// Time for a search or an explanation.
const TIME: Duration = Duration::from_millis(30);

/// A board as f-puzzles writes it.
#[derive(Arbitrary, Debug)]
pub struct Board {
    side: u8,
    regions: Option<Vec<u8>>,
    rules: Vec<Rule>,
    givens: Vec<(u8, u8)>,
}

#[derive(Arbitrary, Debug)]
struct Rule {
    key: u8,
    cells: Vec<u8>,
    more_cells: Vec<u8>,
    value: Option<i16>,
    choice: u8,
}

/// The keys of f-puzzles whose values are lists of objects.
const LISTS: [&str; 38] = [
    "killercage",
    "sum",
    "extraregion",
    "countingcircles",
    "even",
    "odd",
    "maximum",
    "minimum",
    "givenPencilMarks",
    "thermometer",
    "slowthermometer",
    "whispers",
    "palindrome",
    "renban",
    "nabner",
    "entropicline",
    "modularline",
    "betweenline",
    "lockout",
    "regionsumline",
    "zipperline",
    "doublearrow",
    "difference",
    "ratio",
    "xv",
    "greaterthan",
    "clone",
    "arrow",
    "littlekillersum",
    "sandwichsum",
    "xsum",
    "skyscraper",
    "numberedroom",
    "quadruple",
    "rowindexer",
    "columnindexer",
    "boxindexer",
    "unheardof",
];

/// The keys that are switched on or off.
const SWITCHES: [&str; 8] = [
    "boxes_too",
    "diagonal+",
    "diagonal-",
    "windoku",
    "disjointgroups",
    "antiknight",
    "antiking",
    "nonconsecutive",
];

impl Board {
    /// Reads the rules, solves and explains the puzzle, and writes it in every format.
    pub fn check(&self) {
        let Some(puzzle) = self.puzzle() else { return };
        check_answers(&puzzle, &check_formats(&puzzle));
    }

    fn side(&self) -> usize {
        usize::from(4 + self.side % 13)
    }

    fn puzzle(&self) -> Option<Grid> {
        let side = self.side();
        let mut board = Map::new();
        if let Some(regions) = &self.regions {
            let sign = |cell: usize| match regions.get(cell) {
                Some(region) => char::from(b'1' + region % side as u8),
                None => '-',
            };
            let layout: String = (0..side * side).map(sign).collect();
            board.insert("regions".to_string(), json!(layout));
        }
        for rule in &self.rules {
            rule.add_to(&mut board, side);
        }
        let rules = read_rules(side, &board, &[]).ok()?.rules;
        let mut puzzle = Grid::empty_with(Arc::new(rules));
        for &(cell, digit) in &self.givens {
            let cell = puzzle.order().cells().nth(usize::from(cell) % (side * side))?;
            let digit = Digit::new(1 + digit % side as u8);
            puzzle.set(cell, digit);
        }
        Some(puzzle)
    }
}

impl Rule {
    fn add_to(&self, board: &mut Map<String, Value>, side: usize) {
        let key = usize::from(self.key) % (LISTS.len() + SWITCHES.len() + 1);
        if key == LISTS.len() + SWITCHES.len() {
            let kinds = ["difference", "ratio", "kropki", "xv"];
            board.insert("negative".into(), json!([kinds[usize::from(self.choice) % 4]]));
        } else if key >= LISTS.len() {
            board.insert(SWITCHES[key - LISTS.len()].to_string(), json!(true));
        } else {
            let list = board.entry(LISTS[key]).or_insert_with(|| json!([]));
            list.as_array_mut().expect("lists stay lists").push(self.item(side));
        }
    }

    fn item(&self, side: usize) -> Value {
        let inside = |number: &u8| {
            let cell = usize::from(*number) % (side * side);
            format!("R{}C{}", cell / side + 1, cell % side + 1)
        };
        let cells: Vec<String> = self.cells.iter().map(inside).collect();
        let more: Vec<String> = self.more_cells.iter().map(inside).collect();
        // Clues outside of the grid are in row or column 0, or one after the last.
        let place = |number: u8| {
            let number = usize::from(number) % (4 * side);
            let (line, end) = (number % side + 1, (side + 1) * (number / side % 2));
            if number < 2 * side { format!("R{line}C{end}") } else { format!("R{end}C{line}") }
        };
        let directions = ["DR", "DL", "UR", "UL"];
        let digits: Vec<usize> = more_digits(&self.more_cells, side);
        let coefficients: Vec<i32> = self.cells.iter().map(|cell| i32::from(*cell) - 100).collect();
        let is_outside = self.choice.is_multiple_of(2);
        let cell = if is_outside { place(self.choice) } else { inside(&self.choice) };
        json!({
            "cells": cells,
            "cell": cell,
            "lines": [cells, more],
            "cloneCells": more,
            "values": digits,
            "value": self.value.map(|value| value.to_string()),
            "coefficients": if self.choice > 127 { json!(coefficients) } else { Value::Null },
            "direction": directions[usize::from(self.choice / 2) % 4],
        })
    }
}

fn more_digits(cells: &[u8], side: usize) -> Vec<usize> {
    cells.iter().map(|cell| usize::from(*cell) % side + 1).collect()
}

/// Writes and reads a puzzle in all formats for rules, and returns the results. JSON keeps the rules
/// as they are. Other formats may express them in another way, but only once.
pub fn check_formats(puzzle: &Grid) -> Vec<(Format, Grid)> {
    let formats = [
        Format::Json,
        Format::Fpuzzles,
        Format::Sudokupad,
        Format::Jigsaw,
        Format::Sumocue,
        Format::Iss,
    ];
    let again = |puzzle: &Grid, format| {
        crate::written_and_read(&Entry::new(puzzle.clone()), format).map(|entry| entry.puzzle)
    };
    let mut translated = Vec::new();
    for format in formats {
        let Some(other) = again(puzzle, format) else {
            assert_ne!(format, Format::Json, "JSON can contain every puzzle");
            continue;
        };
        let expected = if format == Format::Json { puzzle } else { &other };
        let twice = again(&other, format).expect("what was read from a format can be written");
        assert!(
            twice == *expected,
            "{format} changes {}\nto {}",
            crate::json_of(expected),
            crate::json_of(&twice)
        );
        translated.push((format, other));
    }
    translated
}

/// Solutions follow all rules, also those of the same puzzle from other formats, and the steps of
/// an explanation do not contradict them.
fn check_answers(puzzle: &Grid, translated: &[(Format, Grid)]) {
    let limits = Limits::none().with_time(TIME);
    let _ = Groups::new(puzzle);
    let proof = search::prove(puzzle, &limits);
    let Ok(solutions) = proof.solutions else { return };
    let shown = match &solutions {
        Solutions::Zero => vec![],
        Solutions::One(only) => vec![only],
        Solutions::Many(first, second) => {
            assert_ne!(first, second);
            vec![first, second]
        }
    };
    for solution in &shown {
        assert!(solution.solves(puzzle), "{solution} of {}", crate::json_of(puzzle));
        for (format, other) in translated {
            let numbers: Vec<u8> = solution.numbers().collect();
            let mut same = Grid::from_numbers(other.order(), &numbers).expect("equal sides");
            if let Some(rules) = other.rules() {
                same = same.with_rules(rules.clone());
            }
            assert!(same.solves(other), "{format}: {solution} of {}", crate::json_of(puzzle));
        }
    }
    if shown.is_empty() {
        for (format, other) in translated {
            if let Ok(solutions) = search::prove(other, &limits).solutions {
                assert_eq!(solutions, Solutions::Zero, "{format}: {}", crate::json_of(puzzle));
            }
        }
    }
    if let Ok(position) = Position::from_puzzle(puzzle) {
        // Each step is checked inside.
        let options = ExplainOptions::default();
        let _ = Explanation::new(&position, Some(solutions), &options, &limits);
    }
}
