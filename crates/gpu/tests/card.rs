//! The card beside the processor: the same puzzles, the same answers.

use gpu::{Answer, Card};
use ninefold::generate::{self, Wish};
use ninefold::search::batch::Batch;
use ninefold::search::nine::{Line, solves};
use ninefold_test_support as support;
use std::sync::Mutex;

fn main() {
    support::run(support::tests![
        [Card]
        lists_of_all_kinds_get_the_processors_answers,
        one_hard_puzzle_is_shared_among_all_threads,
        an_empty_list_has_no_answers,
        a_generator_that_asks_the_card_makes_the_same_puzzles,
    ]);
}

const HARD: Line =
    *b"8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";

fn check(puzzles: &[Line]) -> Vec<Answer> {
    let answers = Card::open().unwrap().count_to_two(puzzles);
    assert_eq!(answers.len(), puzzles.len());
    let expected = Batch::BEST.count_all(puzzles, 2);
    for ((puzzle, answer), tally) in puzzles.iter().zip(&answers).zip(expected) {
        assert_eq!(
            u64::from(answer.solutions),
            tally.solutions,
            "{}",
            String::from_utf8_lossy(puzzle)
        );
        assert_eq!(answer.first.is_some(), tally.solutions > 0);
        assert!(answer.first.is_none_or(|first| solves(&first, puzzle)));
    }
    answers
}

fn lists_of_all_kinds_get_the_processors_answers() {
    let lists = [
        include_str!("../../../benchmarks/lists/easy.txt"),
        include_str!("../../../benchmarks/lists/minimal.txt"),
        include_str!("../../../benchmarks/lists/none.txt"),
        include_str!("../../../benchmarks/lists/several.txt"),
    ];
    let lines = lists.iter().flat_map(|list| list.lines());
    let puzzles: Vec<Line> =
        lines.filter_map(|line| line.as_bytes().first_chunk().copied()).collect();
    assert!(puzzles.len() >= 1_000, "{} puzzles", puzzles.len());
    // The same list again and again, so that every thread has something to do and the ends of lists are met as well.
    for times in [1, 7, 100] {
        check(&puzzles.repeat(times));
    }
}

fn one_hard_puzzle_is_shared_among_all_threads() {
    let answer = check(&[HARD])[0];
    assert!(answer.solutions == 1 && answer.guesses > 20, "{answer:?}");
    assert_eq!(check(&[[b'.'; 81]])[0].solutions, 2);
}

fn an_empty_list_has_no_answers() {
    assert!(check(&[]).is_empty());
}

fn a_generator_that_asks_the_card_makes_the_same_puzzles() {
    let wish = Wish { minimal: true, ..Wish::default() };
    let mut made = Vec::new();
    generate::make_many(&wish, 3, 0..3_000, 2, |_, puzzle| {
        made.push(puzzle.unwrap());
        true
    });
    let card = Mutex::new(Card::open().unwrap());
    let are_unique = |puzzles: &[Line]| {
        let answers = card.lock().unwrap().count_to_two(puzzles);
        answers.iter().map(|answer| answer.solutions == 1).collect()
    };
    let mut proven_on_the_card = Vec::new();
    generate::make_many_asking(&wish, 3, 0..3_000, 2, 1_000, &are_unique, |_, puzzle| {
        proven_on_the_card.push(puzzle.unwrap());
        true
    });
    assert!(made == proven_on_the_card);
}
