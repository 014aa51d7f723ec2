//! Solves the variant puzzles of `../shared/data/variants`, each with a verified unique solution.

use ninefold::Limits;
use ninefold::explain::Explanation;
use ninefold::grid::{Digit, Grid, Position, Solutions};
use ninefold::logic::ExplainOptions;
use ninefold::search::rules::solve;
use ninefold_formats::Format;
use ninefold_formats::rules::read_rules;
use ninefold_test_support as support;
use serde_json::{Value, json};
use std::sync::Arc;

fn verified_puzzles_have_the_published_solution_only() {
    let text = support::shared::text("variants/verified.jsonl.gz");
    let mut count = 0;
    for line in text.lines() {
        let puzzle: Value = serde_json::from_str(line).expect("a JSON object");
        let id = puzzle["id"].as_str().expect("an id");
        let side = puzzle["size"].as_u64().expect("a size") as usize;
        let constraints = puzzle["constraints"].as_object().expect("constraints");
        let board =
            read_rules(side, constraints, &[]).unwrap_or_else(|error| panic!("{id}: {error}"));
        assert_eq!(board.unknown, [""; 0], "{id}");
        let digit = |sign: char| sign.to_digit(36).and_then(|n| Digit::new(n as u8));
        let givens: Vec<Option<Digit>> =
            puzzle["givens"].as_str().expect("givens").chars().map(digit).collect();
        let solution: Option<Vec<Digit>> =
            puzzle["solution"].as_str().expect("a solution").chars().map(digit).collect();
        let found = solve(&board.rules, &givens, 2, &Limits::none());
        assert_eq!(found.effort.stop, None, "{id}");
        assert_eq!(found.solutions, [solution.expect("a full grid")], "{id}");
        count += 1;
    }
    assert_eq!(count, 1_417);
}

fn boards_with_rules_in_words_are_reported() {
    let text = support::shared::text("variants/rules_in_words.jsonl.gz");
    let mut count = 0;
    for line in text.lines() {
        let puzzle: Value = serde_json::from_str(line).expect("a JSON object");
        let side = puzzle["size"].as_u64().expect("a size") as usize;
        let givens = puzzle["givens"].as_str().expect("givens");
        let cell = |sign: char| match sign.to_digit(36) {
            Some(digit) => json!({"value": digit, "given": true}),
            None => json!({}),
        };
        let cells: Vec<Value> = givens.chars().map(cell).collect();
        let mut board = puzzle["constraints"].clone();
        board["grid"] = json!(cells.chunks(side).collect::<Vec<_>>());
        board["ruleset"] = puzzle["ruleset"].clone();
        let board = board.to_string();
        let mut entries = ninefold_formats::read(Format::Json, board.as_bytes(), None).entries();
        let entry = entries.next().expect("a board").unwrap_or_else(|e| panic!("{line}: {e}"));
        assert!(!entry.unknown_rules.is_empty(), "{line}");
        count += 1;
    }
    assert_eq!(count, 135);
}

/// Every step is accepted, and every explanation reaches the solution. The puzzles of janko.at need
/// few trees; `examples/explained_variants.rs` measures the others.
fn puzzles_are_explained_to_the_end() {
    let text = support::shared::text("variants/verified.jsonl.gz");
    let mut count = 0;
    for line in text.lines().filter(|line| line.contains("\"id\":\"janko")) {
        let puzzle: Value = serde_json::from_str(line).expect("a JSON object");
        let id = puzzle["id"].as_str().expect("an id");
        let side = puzzle["size"].as_u64().expect("a size") as usize;
        let constraints = puzzle["constraints"].as_object().expect("constraints");
        let rules = Arc::new(read_rules(side, constraints, &[]).expect("known rules").rules);
        let mut grid = Grid::empty(rules.order()).with_rules(rules);
        let mut solution = grid.clone();
        let signs = |key: &str| puzzle[key].as_str().expect("digits").to_string();
        let digits = signs("givens").chars().zip(signs("solution").chars()).collect::<Vec<_>>();
        let digit = |sign: char| sign.to_digit(36).and_then(|n| Digit::new(n as u8));
        for (cell, (given, full)) in grid.order().cells().zip(digits) {
            grid.set(cell, digit(given));
            solution.set(cell, digit(full));
        }
        let position = Position::from_puzzle(&grid).expect("no conflict");
        let solutions = Some(Solutions::One(solution));
        let options = ExplainOptions::default();
        let explanation = Explanation::new(&position, solutions, &options, &Limits::none());
        assert!(explanation.is_complete(), "{id}: {:?}", explanation.outcome);
        count += 1;
    }
    assert!(count > 1_000, "only {count} puzzles");
}

fn main() {
    support::run(support::tests![
        [SharedData]
        verified_puzzles_have_the_published_solution_only,
        boards_with_rules_in_words_are_reported,
        puzzles_are_explained_to_the_end,
    ]);
}
