//! Ratings that other programs gave to puzzles of ours, and ratings that no symmetry may change.

#[path = "common/amount.rs"]
mod amount;
#[path = "common/twins.rs"]
mod twins;

use ninefold::generate::{self, Wish};
use ninefold::grid::{Grid, Order};
use ninefold::random::Random;
use ninefold::rate::{consistency, effort, explainer, hodoku, trial};
use std::fs;
use std::path::Path;
use twins::Twin;

/// `testdata/rate/explainer.csv`: puzzles made with seed 17, rated by sukaku-forge 0.6 with `--allow-uniqueness`.
#[test]
fn sudoku_explainers_ratings_are_those_of_another_program() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/rate/explainer.csv");
    let table = fs::read_to_string(path).expect("the table is there");
    let mut compared = 0;
    for line in table.lines().skip(1) {
        let (puzzle, expected) = line.split_once(',').expect("a puzzle and its ratings");
        let rating = explainer::rate(&puzzle.parse().expect("a puzzle")).expect("it has a rating");
        assert_eq!(rating.to_string(), expected.replace(',', "/"), "{puzzle}");
        compared += 1;
    }
    assert!(compared > 70);
}

/// `testdata/rate/hodoku.csv`: the same puzzles, rated by HoDoKu 2.2.0 with its default settings.
#[test]
fn hodokus_scores_and_levels_are_those_of_hodoku() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/rate/hodoku.csv");
    let table = fs::read_to_string(path).expect("the table is there");
    let mut compared = 0;
    for line in table.lines().skip(1) {
        let (puzzle, expected) = line.split_once(',').expect("a puzzle, its score and its level");
        let rating = hodoku::rate(&puzzle.parse().expect("a puzzle")).expect("it has a rating");
        assert_eq!(format!("{},{}", rating.score, rating.level), expected, "{puzzle}");
        compared += 1;
    }
    assert!(compared > 70);
}

#[test]
fn a_rating_with_a_bound_is_the_whole_rating_or_none() {
    let puzzle: Grid =
        ".7......5..5..329..4..8...79.....1.8.1..2.9....38...5...7.9..4.6...4.....9...2..."
            .parse()
            .unwrap();
    let whole = explainer::rate(&puzzle).unwrap();
    assert_eq!(explainer::rate_up_to(&puzzle, whole.er), Ok(whole));
    let easier = explainer::Tenths(whole.er.0 - 1);
    assert!(matches!(
        explainer::rate_up_to(&puzzle, easier),
        Err(explainer::NoRating::Beyond { .. })
    ));
}

#[test]
fn what_has_no_rating_says_why() {
    let check = |puzzle: &str, words: &str| {
        let error = explainer::rate(&puzzle.parse().unwrap()).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
        let error = hodoku::rate(&puzzle.parse().unwrap()).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
        let is_four = puzzle.len() == 16;
        assert_eq!(
            (
                effort::rate(&puzzle.parse().unwrap()).is_ok(),
                trial::depth(&puzzle.parse().unwrap()).is_ok()
            ),
            (is_four, is_four)
        );
    };
    check("1..4..1..3..4..3", "takes 9×9 puzzles, not 4×4");
    check(&".".repeat(81), "more than one solution");
    check(
        "12345678.........9...............................................................",
        "no solution",
    );
}

/// Nothing in these three depends on the order of rows, columns or digits. ER and HoDoKu's level rarely change, but they may:
/// both programs take the first of several steps.
#[test]
fn a_turned_or_relabelled_puzzle_has_the_same_rating() {
    let mut random = Random::new(3);
    let rate = |puzzle: &Grid| {
        let effort = effort::rate(puzzle).unwrap();
        let level = consistency::weakest(puzzle, consistency::Consistency::Ssgac);
        ((effort.points * 1e6).round(), effort.hardest, level, trial::depth(puzzle))
    };
    generate::make_many(&Wish::any(Order::NINE), 4, 0..amount::cases(12) as u64, 1, |_, made| {
        let puzzle = made.unwrap().puzzle;
        let expected = rate(&puzzle);
        for _ in 0..3 {
            let image = Twin::random(Order::NINE, &mut random).of(&puzzle);
            assert_eq!(rate(&image), expected, "{puzzle} and {image}");
        }
        true
    });
}

#[test]
fn effort_is_the_same_for_twins_of_other_sizes() {
    let mut random = Random::new(5);
    for order in [Order::FOUR, Order::boxes(2, 3).unwrap(), Order::boxes(3, 4).unwrap()] {
        let puzzle = generate::make(&Wish::any(order), 2, 0).unwrap().puzzle;
        let limits = ninefold::Limits::none();
        let rate = |puzzle: &Grid| {
            let effort = effort::rate_within(puzzle, &limits, effort::Kind::Chains);
            effort
                .map(|effort| ((effort.points * 1e6).round(), effort.hardest))
                .map_err(|error| error.to_string())
        };
        let twin = Twin::random(order, &mut random);
        assert_eq!(rate(&twin.of(&puzzle)), rate(&puzzle), "{puzzle}");
        assert_eq!(twin.of(&puzzle).order(), twin.order());
    }
}
