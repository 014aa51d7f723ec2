//! Compares DuPree's scores with those of the original program.

use ninefold::rate::dupree;
use ninefold_test_support::shared;

pub fn scores_match_the_original_program() {
    let text = shared::text("oracle_dupree.csv");
    let mut wrong = Vec::new();
    let mut compared = 0;
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [puzzle, _, _, points, depth, solutions, label] = fields[..] else {
            panic!("a line of seven fields, not {line:?}");
        };
        let score = dupree::score(&puzzle.parse().unwrap()).unwrap();
        let ours =
            format!("{},{},{},{}", score.points, score.depth, score.solutions, score.difficulty());
        let theirs = format!("{points},{depth},{solutions},{label}");
        compared += 1;
        if ours != theirs {
            wrong.push(format!("{puzzle}: ours {ours}, theirs {theirs}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {compared} differ:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(12)].join("\n")
    );
    assert!(compared > 2_000);
}
