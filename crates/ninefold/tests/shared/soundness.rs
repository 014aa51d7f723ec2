//! All techniques are sound on lists of all difficulties.
//!
//! By default a small sample of each list is tested. This command tests more and prints statistics
//! for each list:
//!
//! ```sh
//! NINEFOLD_CASES=1000 cargo test --release -p ninefold --test shared soundness::lists
//! ```
//! `NINEFOLD_LISTS=a.txt,b.txt.gz` selects other lists (a name in the shared directory, or an
//! absolute path), and `NINEFOLD_THREADS=N` sets the number of threads.

use crate::sound_path::check_path;
use ninefold::explain::ExplainOutcome;
use ninefold::grid::Grid;
use ninefold::logic::ExplainOptions;
use ninefold_test_support::shared;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Easy, typical, 17-clue, hard and hardest puzzles.
const LISTS: &str = "kaggle_easy_10000.txt,unbiased_minimal.txt,random_minimal_generated.txt.gz,sudoku_17_clue.txt.gz,\
                     magictour_top1465.txt,forum_hardest_1106.txt,forum_hardest_1905_er11plus.txt.gz";

pub fn lists_of_all_difficulties_are_explained_without_a_wrong_step() {
    let lists = std::env::var("NINEFOLD_LISTS").unwrap_or(LISTS.to_string());
    lists.split(',').for_each(check_list);
}

pub fn small_and_large_grids_are_explained_without_a_wrong_step() {
    for list in ["sudoku_4x4.txt", "sudoku_16x16_easy.txt"] {
        check_list(list);
    }
}

/// Checks the explanations of a list on several threads and prints statistics in one line.
fn check_list(list: &str) {
    let puzzles = puzzles(list);
    let (next, solved, steps) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let faults: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let started = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..number("NINEFOLD_THREADS", 2) {
            scope.spawn(|| {
                while let Some(puzzle) = puzzles.get(next.fetch_add(1, Ordering::Relaxed)) {
                    // Faults are collected, so that the first one does not hide the others.
                    match std::panic::catch_unwind(|| {
                        check_path(puzzle, &ExplainOptions::default())
                    }) {
                        Ok(path) => {
                            solved.fetch_add(
                                usize::from(path.outcome == ExplainOutcome::Solved),
                                Ordering::Relaxed,
                            );
                            steps.fetch_add(path.steps.len(), Ordering::Relaxed);
                        }
                        Err(_) => faults.lock().unwrap().push(puzzle.to_string()),
                    }
                }
            });
        }
    });
    let faults = faults.into_inner().unwrap();
    println!(
        "{list}: {} puzzles, {} solved by logic, {} steps checked, {} faults, {:.0} s",
        puzzles.len(),
        solved.into_inner(),
        steps.into_inner(),
        faults.len(),
        started.elapsed().as_secs_f64()
    );
    assert!(faults.is_empty(), "{list}: {faults:#?}");
}

/// Up to `NINEFOLD_CASES` puzzles, evenly spread over a list.
fn puzzles(list: &str) -> Vec<Grid> {
    let text = shared::text(list);
    let lines: Vec<&str> =
        text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let count = number("NINEFOLD_CASES", 12).min(lines.len());
    let puzzle =
        |index: usize| lines[index * lines.len() / count].split([' ', ',']).next()?.parse().ok();
    (0..count).filter_map(puzzle).collect()
}

fn number(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}
