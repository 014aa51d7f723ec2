//! No step of any technique is wrong, on lists of all difficulties.
//!
//! By default a small sample of each list runs. More of them, and a line of numbers for each list:
//!
//! ```sh
//! NINEFOLD_CASES=1000 cargo test --release -p ninefold --test shared soundness::lists
//! ```
//! `NINEFOLD_LISTS=a.txt,b.txt.gz` takes other lists (a name in that folder, or a path from the root of the file system),
//! `NINEFOLD_THREADS=N` as many threads.

use crate::sound_path::check_path;
use ninefold::explain::End;
use ninefold::grid::Grid;
use ninefold::logic::Options;
use ninefold_test_support::shared;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Easy, typical, with 17 clues, hard, the hardest.
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

/// Checks the paths of a list on several threads and says in one line what came out.
fn check_list(list: &str) {
    let puzzles = puzzles(list);
    let (next, solved, steps) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
    let faults: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let started = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..number("NINEFOLD_THREADS", 2) {
            scope.spawn(|| {
                while let Some(puzzle) = puzzles.get(next.fetch_add(1, Ordering::Relaxed)) {
                    // A fault is kept, so that one of them does not hide the others.
                    match std::panic::catch_unwind(|| check_path(puzzle, &Options::default())) {
                        Ok(path) => {
                            solved
                                .fetch_add(usize::from(path.end == End::Solved), Ordering::Relaxed);
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

/// Up to `NINEFOLD_CASES` puzzles, spread over the lines of a list.
fn puzzles(list: &str) -> Vec<Grid> {
    let text = shared::text(list);
    let lines: Vec<&str> =
        text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let wanted = number("NINEFOLD_CASES", 12).min(lines.len());
    let puzzle =
        |index: usize| lines[index * lines.len() / wanted].split([' ', ',']).next()?.parse().ok();
    (0..wanted).filter_map(puzzle).collect()
}

fn number(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}
