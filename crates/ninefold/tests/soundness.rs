//! No step of any technique is wrong: the checker accepts every proof, and no digit of the solution is ever removed.
//!
//! By default a small sample of each list in `../shared/data` runs. More of them, and a line of numbers for each list:
//!
//! ```sh
//! NINEFOLD_CASES=1000 cargo test --release -p ninefold --test soundness lists -- --nocapture
//! ```
//! `NINEFOLD_LISTS=a.txt,b.txt.gz` takes other lists (a path, or a name in that folder), `NINEFOLD_THREADS=N` as many
//! threads. True solutions come from a search, which knows nothing of techniques.

use flate2::read::MultiGzDecoder;
use ninefold::explain::{End, Explanation};
use ninefold::grid::{Candidates, Digit, Grid, Order, Position, Solutions};
use ninefold::logic::{self, Options};
use ninefold::proof::{FishSize, Shape, Step, Technique, all_techniques, check};
use ninefold::search::{self, Limits};
use std::io::Read;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// An easy puzzle, four random minimal ones of our own that need chains, and one that no technique here finishes.
const OWN: [&str; 6] = [
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    ".7......5..5..329..4..8...79.....1.8.1..2.9....38...5...7.9..4.6...4.....9...2...",
    ".9....7..5...2...1..45.3........6.....2...6...1.8.523..57.1...4....6.........9.7.",
    ".6.3..4..2....4.1.....723..6.5..9....874.6..2........4........3..1..5..752....6..",
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
    "39..26........76..1..9......83............7.897.3...41...5.9...6........51...48.7",
];

/// Easy, typical, with 17 clues, hard, the hardest.
const LISTS: &str = "kaggle_easy_10000.txt,unbiased_minimal.txt,random_minimal_generated.txt.gz,sudoku_17_clue.txt.gz,\
                     magictour_top1465.txt,forum_hardest_1106.txt,forum_hardest_1905_er11plus.txt.gz";

fn number(name: &str, default: usize) -> usize {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Up to `NINEFOLD_CASES` puzzles, spread over the lines of a list; none, with a remark, if it is not there.
fn puzzles(list: &str) -> Vec<Grid> {
    let shared = format!("{}/../../../shared/data/{list}", env!("CARGO_MANIFEST_DIR"));
    let Ok(bytes) = std::fs::read(list).or_else(|_| std::fs::read(shared)) else {
        println!("skipped: ../shared/data is absent ({list})");
        return Vec::new();
    };
    let mut text = String::new();
    if list.ends_with(".gz") {
        MultiGzDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
    } else {
        text = String::from_utf8(bytes).unwrap();
    }
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let wanted = number("NINEFOLD_CASES", 12).min(lines.len());
    let puzzle = |index: usize| lines[index * lines.len() / wanted].split([' ', ',']).next()?.parse().ok();
    (0..wanted).filter_map(puzzle).collect()
}

fn solution_of(puzzle: &Grid) -> Option<Grid> {
    search::default_for(puzzle.order()).first(puzzle, &Limits::none()).expect("it takes every size").0
}

fn assert_sound(step: &Step, givens: &Grid, position: &Candidates, solution: &Grid) {
    let name = format!("{} {}", step.technique, step.conclusion(givens.order()));
    assert_eq!(check(step, givens, position), Ok(()), "{name} in {}: {step:?}", position.grid());
    for place in &step.places {
        assert_eq!(solution[place.cell], Some(place.digit), "{name} in {givens}");
    }
    for candidate in &step.removes {
        assert_ne!(solution[candidate.cell], Some(candidate.digit), "{name} in {givens}");
    }
}

fn explain(puzzle: &Grid, solutions: Option<Solutions>, options: &Options) -> Explanation {
    Explanation::of(&Position::start(puzzle).unwrap(), solutions, options, &Limits::none())
}

fn check_path(puzzle: &Grid, options: &Options) -> Explanation {
    let solution = solution_of(puzzle).unwrap_or_else(|| panic!("{puzzle} has no solution"));
    let path = explain(puzzle, Some(Solutions::One(solution.clone())), options);
    assert!(!matches!(path.end, End::NotProven { .. }), "{puzzle}: {:?}", path.end);
    for (position, step) in path.positions() {
        assert_sound(step, puzzle, &position, &solution);
    }
    assert_eq!(path.end == End::Solved, path.last.grid().is_full());
    assert!(path.end != End::Solved || *path.last.grid() == solution, "{puzzle} ends in a wrong grid");
    assert_ne!(path.end, End::Contradiction, "{puzzle} has a solution");
    path
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
                            solved.fetch_add(usize::from(path.end == End::Solved), Ordering::Relaxed);
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

/// Every step that any technique finds along the way, not only the one that is taken.
fn check_all_steps(puzzle: &Grid) {
    let solution = solution_of(puzzle).unwrap();
    let path = explain(puzzle, Some(Solutions::One(solution.clone())), &Options::default());
    for (position, _) in path.positions().filter(|(_, step)| step.places.is_empty()).step_by(4).take(4) {
        for technique in all_techniques().into_iter().filter(|technique| is_quick(*technique)) {
            let here = Position::new(puzzle.clone(), position.clone()).unwrap();
            for step in logic::all_steps(technique, &here) {
                assert_sound(&step, puzzle, &position, &solution);
            }
        }
    }
}

fn is_quick(technique: Technique) -> bool {
    let Technique::Fish(fish) = technique else { return true };
    let largest = if fish.shape() == Shape::Mutant { FishSize::XWing } else { FishSize::Jellyfish };
    fish.size() <= largest
}

#[test]
fn our_own_puzzles_are_explained_without_a_wrong_step() {
    for puzzle in OWN {
        check_path(&puzzle.parse().unwrap(), &Options::default());
    }
}

#[test]
fn every_step_of_every_technique_is_sound() {
    for puzzle in OWN.iter().take(4) {
        check_all_steps(&puzzle.parse().unwrap());
    }
}

#[test]
fn every_technique_is_sound_on_small_grids_too() {
    for puzzle in ["1..4..1..3..4..3", "..64.2.4..........13...5.521......2."] {
        let puzzle: Grid = puzzle.parse().unwrap();
        let (start, solution) = (Position::start(&puzzle).unwrap(), solution_of(&puzzle).unwrap());
        for technique in all_techniques() {
            for step in logic::all_steps(technique, &start) {
                assert_sound(&step, &puzzle, start.candidates(), &solution);
            }
        }
    }
}

#[test]
fn lists_of_all_difficulties_are_explained_without_a_wrong_step() {
    let lists = std::env::var("NINEFOLD_LISTS").unwrap_or(LISTS.to_string());
    lists.split(',').for_each(check_list);
}

#[test]
fn small_and_large_grids_are_explained_without_a_wrong_step() {
    for list in ["sudoku_4x4.txt", "sudoku_16x16_easy.txt"] {
        check_list(list);
    }
    let six: Grid = "..64.2.4..........13...5.521......2.".parse().unwrap();
    assert_eq!(Some(six.order()), Order::boxes(2, 3).ok());
    check_path(&six, &Options::default());
}

#[test]
fn without_uniqueness_no_step_rests_on_it_and_puzzles_with_two_solutions_are_safe() {
    let options = Options { uniqueness: false, ..Options::default() };
    // Two clues fewer than the first puzzle above, and several solutions; no step may remove a digit of any of them.
    let many: Grid =
        ".3..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8...9".parse().unwrap();
    let solution = solution_of(&many).unwrap();
    let path = explain(&many, Some(Solutions::One(solution.clone())), &options);
    for (position, step) in path.positions() {
        assert!(!step.technique.needs_uniqueness());
        assert_sound(step, &many, &position, &solution);
    }
}

#[test]
fn a_puzzle_without_a_solution_is_never_called_solved() {
    let mut none: Grid = OWN[0].parse().unwrap();
    none.set(none.order().cell(0, 2), Digit::new(1));
    none.set(none.order().cell(1, 1), Digit::new(2));
    let path = explain(&none, Some(Solutions::Zero), &Options::default());
    assert_ne!(path.end, End::Solved);
}
