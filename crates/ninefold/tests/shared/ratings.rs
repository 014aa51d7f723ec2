//! Compares Sudoku Explainer's, HoDoKu's and Berthier's ratings with those of the original
//! programs.

use ninefold::grid::Grid;
use ninefold::rate::{explainer, hodoku, whips};
use ninefold_test_support::shared;

/// The rows of a table as puzzles with the fields of these columns.
fn rows<const N: usize>(text: &str, columns: [&str; N]) -> Vec<(Grid, [String; N])> {
    let mut lines = text.lines();
    let names: Vec<&str> = lines.next().expect("a line of names").split(',').collect();
    let places = columns.map(|column| {
        names.iter().position(|name| *name == column).expect("a column of that name")
    });
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        (fields[0].parse().expect("a puzzle"), places.map(|place| fields[place].to_string()))
    };
    lines.map(row).collect()
}

/// Checks that no rating differs.
fn check(puzzles: impl Iterator<Item = (Grid, [String; 3])>, at_least: usize) {
    let (mut compared, mut wrong) = (0, Vec::new());
    for (puzzle, expected) in puzzles {
        let ours = explainer::rate(&puzzle)
            .map_or_else(|error| error.to_string(), |rating| rating.to_string());
        compared += 1;
        if ours != expected.join("/") {
            wrong.push(format!("{puzzle}: ours {ours}, theirs {}", expected.join("/")));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {compared} differ:\n{}",
        wrong.len(),
        wrong[..wrong.len().min(12)].join("\n")
    );
    assert!(compared >= at_least, "{compared}");
}

fn er(fields: &[String; 3]) -> f64 {
    fields[0].parse().expect("a rating")
}

pub fn explainer_ratings_up_to_9_3_match_two_programs() {
    for (table, at_least) in [("oracle_se_ratings.csv", 400), ("oracle_se_ratings_fast.csv", 1_500)]
    {
        let all = rows(&shared::text(table), ["er", "ep", "ed"]);
        check(all.into_iter().filter(|(_, fields)| er(fields) <= 9.3), at_least);
    }
}

/// Checks every twelfth of the hardest puzzles, whose ratings were published. All of them would
/// take some minutes.
pub fn explainer_ratings_of_the_hardest_puzzles_match_published_ones() {
    let all = rows(&shared::text("oracle_se_ratings.csv"), ["er", "ep", "ed"]);
    check(all.into_iter().filter(|(_, fields)| er(fields) > 9.3).step_by(12), 10);
}

/// The score depends on which of several steps is found first, so it does not always agree. The
/// measured shares are lower bounds.
pub fn hodoku_levels_and_scores_match_as_often_as_measured() {
    let all = rows(&shared::text("oracle_hodoku_scores.csv"), ["level", "score"]);
    let (mut levels, mut scores) = (0, 0);
    for (puzzle, [level, score]) in &all {
        let rating = hodoku::rate(puzzle).expect("it has a rating");
        levels += usize::from(rating.level.name().eq_ignore_ascii_case(level));
        scores += usize::from(rating.score.to_string() == *score);
    }
    let share = |count: usize| 100.0 * count as f64 / all.len() as f64;
    println!("the same level: {:.1} %, the same score: {:.1} %", share(levels), share(scores));
    assert!(share(levels) >= 99.9 && share(scores) >= 97.8);
}

pub fn whip_ratings_match_berthiers_program() {
    let all = rows(&shared::text("oracle_wrating.csv"), ["w_rating"]);
    let ours = |puzzle| {
        whips::rating(puzzle)
            .map_or_else(|error| error.to_string(), |length| format!("W[{length}]"))
    };
    let wrong: Vec<String> = all
        .iter()
        .map(|(puzzle, [theirs])| (puzzle, ours(puzzle), theirs))
        .filter(|(_, ours, theirs)| ours != *theirs)
        .map(|(puzzle, ours, theirs)| format!("{puzzle}: ours {ours}, theirs {theirs}"))
        .collect();
    assert!(
        wrong.is_empty() && all.len() > 100,
        "{} of {} differ:\n{}",
        wrong.len(),
        all.len(),
        wrong.join("\n")
    );
}
