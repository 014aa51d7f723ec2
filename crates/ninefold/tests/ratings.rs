//! Compares ratings with those of other programs and with those of symmetric images.

#[path = "common/amount.rs"]
mod amount;
#[path = "common/twins.rs"]
mod twins;

use ninefold::generate::{self, GenerateOptions};
use ninefold::grid::{Grid, Order};
use ninefold::random::Random;
use ninefold::rate::{consistency, effort, explainer, hodoku, trial};
use std::fs;
use std::path::Path;
use twins::Twin;

/// `testdata/rate/explainer.csv` contains puzzles generated with seed 17 and rated by sukaku-forge
/// 0.6 with `--allow-uniqueness`.
#[test]
fn explainer_ratings_match_sukaku_forge() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/rate/explainer.csv");
    let table = fs::read_to_string(path).expect("the table can be read");
    let mut compared = 0;
    for line in table.lines().skip(1) {
        let (puzzle, expected) = line.split_once(',').expect("a puzzle and its ratings");
        let rating = explainer::rate(&puzzle.parse().expect("a puzzle")).expect("it has a rating");
        assert_eq!(rating.to_string(), expected.replace(',', "/"), "{puzzle}");
        compared += 1;
    }
    assert!(compared > 70);
}

/// `testdata/rate/hodoku.csv` contains the same puzzles, rated by HoDoKu 2.2.0 with default
/// settings.
#[test]
fn hodoku_ratings_match_hodoku() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/rate/hodoku.csv");
    let table = fs::read_to_string(path).expect("the table can be read");
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
fn rate_up_to_returns_the_complete_rating_or_an_error() {
    let puzzle: Grid =
        ".7......5..5..329..4..8...79.....1.8.1..2.9....38...5...7.9..4.6...4.....9...2..."
            .parse()
            .unwrap();
    let rating = explainer::rate(&puzzle).unwrap();
    assert_eq!(explainer::rate_up_to(&puzzle, rating.er), Ok(rating));
    let easier = explainer::Tenths(rating.er.0 - 1);
    assert!(matches!(
        explainer::rate_up_to(&puzzle, easier),
        Err(explainer::RatingError::Beyond { .. })
    ));
}

#[test]
fn errors_explain_why_there_is_no_rating() {
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
    check("1..4..1..3..4..3", "supports only 9×9 puzzles, found 4×4");
    check(&".".repeat(81), "more than one solution");
    check(
        "12345678.........9...............................................................",
        "no solution",
    );
}

/// These scales do not depend on the order of rows, columns or digits. Sudoku Explainer's and
/// HoDoKu's ratings of images sometimes differ, because both programs take the first of several
/// steps.
#[test]
fn symmetric_images_have_the_same_rating() {
    let mut random = Random::new(3);
    let rate = |puzzle: &Grid| {
        let effort = effort::rate(puzzle).unwrap();
        let level = consistency::weakest(puzzle, consistency::Consistency::Ssgac);
        ((effort.points * 1e6).round(), effort.hardest, level, trial::depth(puzzle))
    };
    generate::generate_many(
        &GenerateOptions::new(Order::NINE),
        4,
        0..amount::cases(12) as u64,
        1,
        |_, generated| {
            let puzzle = generated.unwrap().puzzle;
            let expected = rate(&puzzle);
            for _ in 0..3 {
                let image = Twin::random(Order::NINE, &mut random).image(&puzzle);
                assert_eq!(rate(&image), expected, "{puzzle} and {image}");
            }
            true
        },
    );
}

#[test]
fn symmetric_images_of_other_sizes_have_the_same_effort() {
    let mut random = Random::new(5);
    for order in [Order::FOUR, Order::new(2, 3).unwrap(), Order::new(3, 4).unwrap()] {
        let puzzle = generate::generate_one(&GenerateOptions::new(order), 2, 0).unwrap().puzzle;
        let limits = ninefold::Limits::none();
        let rate = |puzzle: &Grid| {
            let effort = effort::rate_within(puzzle, &limits, effort::Kind::Chains);
            effort
                .map(|effort| ((effort.points * 1e6).round(), effort.hardest))
                .map_err(|error| error.to_string())
        };
        let twin = Twin::random(order, &mut random);
        assert_eq!(rate(&twin.image(&puzzle)), rate(&puzzle), "{puzzle}");
        assert_eq!(twin.image(&puzzle).order(), twin.order());
    }
}
