//! Compares the GPU with the CPU: both must give the same answers to the same puzzles.

use ninefold::generate::{self, GenerateOptions};
use ninefold::search::batch::Batch;
use ninefold::search::nine::{Line, solves};
use ninefold_gpu::{Answer, Gpu};
use ninefold_test_support as support;
use std::sync::Mutex;

fn main() {
    support::run(support::tests![
        [Gpu]
        all_kinds_of_lists_agree_with_the_cpu,
        one_hard_puzzle_is_split_among_all_threads,
        an_empty_list_returns_no_answers,
        generating_with_the_gpu_gives_the_same_puzzles,
    ]);
}

const HARD: Line =
    *b"8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";

fn check(puzzles: &[Line]) -> Vec<Answer> {
    let answers = Gpu::open().unwrap().count_to_two(puzzles);
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

fn all_kinds_of_lists_agree_with_the_cpu() {
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
    // Repeated lists keep every thread busy; the different lengths also cover the end of a list.
    for times in [1, 7, 100] {
        check(&puzzles.repeat(times));
    }
}

fn one_hard_puzzle_is_split_among_all_threads() {
    let answer = check(&[HARD])[0];
    assert!(answer.solutions == 1 && answer.guesses > 20, "{answer:?}");
    assert_eq!(check(&[[b'.'; 81]])[0].solutions, 2);
}

fn an_empty_list_returns_no_answers() {
    assert!(check(&[]).is_empty());
}

fn generating_with_the_gpu_gives_the_same_puzzles() {
    let wish = GenerateOptions::default().with_minimal(true);
    let mut generated = Vec::new();
    generate::generate_many(&wish, 3, 0..3_000, 2, |_, puzzle| {
        generated.push(puzzle.unwrap());
        true
    });
    let gpu = Mutex::new(Gpu::open().unwrap());
    let are_unique = |puzzles: &[Line]| {
        let answers = gpu.lock().unwrap().count_to_two(puzzles);
        answers.iter().map(|answer| answer.solutions == 1).collect()
    };
    let mut generated_with_gpu = Vec::new();
    generate::generate_many_with(&wish, 3, 0..3_000, 2, 1_000, &are_unique, |_, puzzle| {
        generated_with_gpu.push(puzzle.unwrap());
        true
    });
    assert!(generated == generated_with_gpu);
}
