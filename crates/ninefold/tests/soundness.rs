//! No step of any technique is wrong: the checker accepts every proof, and no digit of the solution is ever removed.
//!
//! By default a small sample runs. `NINEFOLD_CASES=1000 cargo test --release --test soundness` takes a thousand puzzles
//! from each list of `../shared/data`, and `NINEFOLD_PUZZLES=FILE` adds a list of one's own.

use ninefold::grid::{Candidates, Digit, Grid, Order};
use ninefold::logic::{self, End, Options, Path, Step, Technique, check::check};

/// An easy puzzle, four random minimal ones of our own that need chains, and one that no technique here finishes.
const OWN: [&str; 6] = [
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    ".7......5..5..329..4..8...79.....1.8.1..2.9....38...5...7.9..4.6...4.....9...2...",
    ".9....7..5...2...1..45.3........6.....2...6...1.8.523..57.1...4....6.........9.7.",
    ".6.3..4..2....4.1.....723..6.5..9....874.6..2........4........3..1..5..752....6..",
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
    "39..26........76..1..9......83............7.897.3...41...5.9...6........51...48.7",
];

fn cases() -> usize {
    std::env::var("NINEFOLD_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(12)
}

/// Up to `cases()` puzzles, spread over the lines of a file; none, with a remark, if the file is not there.
fn puzzles(file: &str) -> Vec<Grid> {
    let Ok(text) = std::fs::read_to_string(file) else {
        println!("skipped: ../shared/data is absent ({file})");
        return Vec::new();
    };
    let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let step = (lines.len() / cases().max(1)).max(1);
    let puzzle = |line: &&str| line.split([' ', ',']).next().unwrap_or_default().parse().ok();
    lines.iter().step_by(step).take(cases()).filter_map(puzzle).collect()
}

fn shared(name: &str) -> Vec<Grid> {
    puzzles(&format!("{}/../../../shared/data/{name}", env!("CARGO_MANIFEST_DIR")))
}

/// Solves by trying the cell with the fewest candidates; knows nothing of techniques.
fn solution_of(candidates: &Candidates) -> Option<Grid> {
    let open = candidates.grid().empty_cells().min_by_key(|&cell| candidates.at(cell).count());
    let Some(cell) = open else { return Some(candidates.grid().clone()) };
    candidates.at(cell).into_iter().find_map(|digit: Digit| {
        let mut next = candidates.clone();
        next.place(cell, digit);
        if next.is_contradictory() { None } else { solution_of(&next) }
    })
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

fn check_path(puzzle: &Grid, options: &Options) -> Path {
    let start = Candidates::of(puzzle).unwrap();
    let solution = solution_of(&start).unwrap_or_else(|| panic!("{puzzle} has no solution"));
    let path = logic::solve(puzzle, &start, options);
    for (position, step) in path.positions() {
        assert_sound(step, puzzle, &position, &solution);
    }
    assert_eq!(path.end == End::Solved, path.last.grid().is_full());
    assert_eq!(path.check(), Ok(()));
    path
}

/// Every step that any technique finds along the way, not only the one that is taken.
fn check_all_steps(puzzle: &Grid) {
    let start = Candidates::of(puzzle).unwrap();
    let solution = solution_of(&start).unwrap();
    let path = logic::solve(puzzle, &start, &Options::default());
    for (position, _) in path.positions().filter(|(_, step)| step.places.is_empty()).step_by(4).take(4) {
        for technique in logic::all_techniques().into_iter().filter(|technique| is_quick(*technique)) {
            for step in logic::all_steps(technique, puzzle, &position) {
                assert_sound(&step, puzzle, &position, &solution);
            }
        }
    }
}

fn is_quick(technique: Technique) -> bool {
    !matches!(technique, Technique::Fish(fish) if fish.size > 4 || fish.shape == logic::Shape::Mutant && fish.size > 2)
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
fn lists_of_all_difficulties_are_explained_without_a_wrong_step() {
    let lists = ["kaggle_easy_10000.txt", "unbiased_minimal.txt", "magictour_top1465.txt", "forum_hardest_1106.txt"];
    let own = std::env::var("NINEFOLD_PUZZLES").map(|file| puzzles(&file)).unwrap_or_default();
    for puzzle in lists.into_iter().flat_map(shared).chain(own) {
        check_path(&puzzle, &Options::default());
    }
}

#[test]
fn small_and_large_grids_are_explained_without_a_wrong_step() {
    for puzzle in ["sudoku_4x4.txt", "sudoku_16x16_easy.txt"].into_iter().flat_map(shared) {
        check_path(&puzzle, &Options::default());
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
    let start = Candidates::of(&many).unwrap();
    let path = logic::solve(&many, &start, &options);
    let solution = solution_of(&start).unwrap();
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
    let path = logic::solve(&none, &Candidates::of(&none).unwrap(), &Options::default());
    assert_ne!(path.end, End::Solved);
}
