//! Solves the variant puzzles of `../shared/data/variants`, each with a verified unique solution.

use ninefold::Limits;
use ninefold::grid::Digit;
use ninefold::search::rules::solve;
use ninefold_formats::rules::read_rules;
use ninefold_test_support as support;
use serde_json::Value;

/// Killers whose long arrows need minutes of search.
const SLOW: [&str; 2] = ["iss:Long sums 3", "iss:Triple digits"];

fn verified_puzzles_have_the_published_solution_only() {
    let text = support::shared::text("variants/verified.jsonl.gz");
    let mut count = 0;
    for line in text.lines() {
        let puzzle: Value = serde_json::from_str(line).expect("a JSON object");
        let id = puzzle["id"].as_str().expect("an id");
        if SLOW.contains(&id) {
            continue;
        }
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
    assert_eq!(count, 1_415);
}

fn main() {
    support::run(support::tests![[SharedData] verified_puzzles_have_the_published_solution_only]);
}
