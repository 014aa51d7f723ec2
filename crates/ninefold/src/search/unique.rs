//! Tests whether puzzles are unique (exactly one solution) and minimal (every clue is needed), for
//! generators and collections that test many thousand puzzles.
//!
//! The tests run a solver of [`all`](super::all) within limits. If a limit is reached, the result
//! is an [`UnfinishedError`], neither "yes" nor "no", and the caller decides what to do.
//!
//! Generators must return the same puzzles on every machine, so the results do not depend on the
//! CPU: [`limits_for`] limits nodes instead of time, and lists of solutions are sorted.

use super::batch::Batch;
use super::nine::{self, ANY, Line, PencilMarks};
use super::triads::Triads;
use super::{AnyRules, Limits, Solutions, Solver, UnfinishedError, cdcl::Cdcl, norvig::Norvig};
use crate::grid::{Cell, Grid, Order};
use std::ops::ControlFlow;

/// The default node limit of a proof.
pub const NODES_PER_PROOF: u64 = 200_000;

/// The node limit of a proof during clue removal. If it is reached, the generator keeps the clue.
///
/// Up to 16×16 hardly any proof reaches the limit. Larger grids have hundreds of clues to test, and
/// after the removal of one more clue a proof can take hours instead of milliseconds. The low limit
/// keeps such clues. At 25×25 a limit of 100 leaves 280 clues after 5 s, a limit of 500 leaves 278
/// after 16 s.
#[must_use]
pub fn nodes_per_cut(order: Order) -> u64 {
    if order.side() <= 16 { NODES_PER_PROOF } else { 100 }
}

/// The largest side at which a short setup matters more than a strong search.
const LARGEST_SIDE_OF_SHORT_PROOFS: usize = 12;

/// The solver for many short proofs. During clue removal, singles solve most puzzles or nearly
/// solve them.
///
/// For 12×12 grids, a proof takes 53 µs on average with norvig and 160 µs with cdcl, whose groups
/// take longer to set up; at 16×16 it is 650 µs and 240 µs.
#[must_use]
pub(crate) fn solver_for(order: Order) -> &'static dyn Solver {
    match order.side() {
        9 if order == Order::NINE => &Triads::BEST,
        ..=LARGEST_SIDE_OF_SHORT_PROOFS => &Norvig,
        _ => &Cdcl,
    }
}

/// The solver for many short proofs of puzzles like this one, with or without rules.
fn solver_of(puzzle: &Grid) -> &'static dyn Solver {
    if puzzle.rules().is_some() { &AnyRules } else { solver_for(puzzle.order()) }
}

/// Limits under which a proof has the same result on every machine: a node limit, but no time
/// limit.
///
/// There is no limit for 9×9, because its solvers finish every proof and count nodes differently on
/// different CPUs.
#[must_use]
pub fn limits_for(order: Order, nodes_per_proof: u64) -> Limits<'static> {
    if order == Order::NINE { Limits::none() } else { Limits::none().with_nodes(nodes_per_proof) }
}

/// Whether the puzzle has exactly one solution.
///
/// ```
/// use ninefold::search::{Limits, unique};
///
/// let puzzle = "1..4..1..3..4..3".parse()?;
/// assert_eq!(unique::is_unique(&puzzle, &Limits::none()), Ok(true));
/// # Ok::<(), ninefold::grid::ParseGridError>(())
/// ```
pub fn is_unique(puzzle: &Grid, limits: &Limits<'_>) -> Result<bool, UnfinishedError> {
    if let Some(line) = line_without_limits(puzzle, limits) {
        return Ok(Triads::BEST.count_line(&line, 2).solutions == 1);
    }
    Ok(matches!(solutions(puzzle, limits)?, Solutions::One(_)))
}

/// Proves whether the puzzle has no solution, one or several.
pub(crate) fn solutions(puzzle: &Grid, limits: &Limits<'_>) -> Result<Solutions, UnfinishedError> {
    solver_of(puzzle)
        .prove(puzzle, limits)
        .expect("the solver was chosen for this puzzle")
        .solutions
}

/// Whether a puzzle with one solution needs every clue. One clue that is proved redundant makes the
/// result `false`, even if proofs for other clues are unfinished. The limits apply to each clue
/// separately.
pub(crate) fn is_minimal(puzzle: &Grid, limits: &Limits<'_>) -> Result<bool, UnfinishedError> {
    let mut unfinished = None;
    for (cell, _) in puzzle.clues() {
        match is_unique(&puzzle.without(cell), limits) {
            Ok(true) => return Ok(false),
            Ok(false) => {}
            Err(stopped) => unfinished = Some(stopped),
        }
    }
    unfinished.map_or(Ok(true), Err)
}

/// The redundant clues of each of these 9×9 puzzles with one solution: removing any one of them
/// leaves the solution unique. Solves all puzzles in one batch.
#[must_use]
pub fn redundant_clues(puzzles: &[Line]) -> Vec<Vec<Cell>> {
    let mut positions = Vec::new();
    let mut sources = Vec::new();
    for (number, puzzle) in puzzles.iter().enumerate() {
        for cell in clues_of(puzzle) {
            positions.push(without_clue_digit(puzzle, cell));
            sources.push((number, cell));
        }
    }
    let mut redundant = vec![Vec::new(); puzzles.len()];
    for (&(number, cell), tally) in sources.iter().zip(Batch::BEST.count_all_marks(&positions, 1)) {
        if tally.solutions == 0 {
            redundant[number].push(Cell::new(cell));
        }
    }
    redundant
}

/// For each of these 9×9 puzzles with one solution, whether it needs every clue. Each batch tests
/// one clue of every puzzle that is still undecided.
pub(crate) fn are_minimal(puzzles: &[Line]) -> Vec<bool> {
    let mut needs = vec![true; puzzles.len()];
    let mut clues: Vec<(usize, Vec<usize>)> =
        puzzles.iter().map(|puzzle| clues_of(puzzle).collect()).enumerate().collect();
    let mut positions = Vec::new();
    while !clues.is_empty() {
        positions.clear();
        clues.retain_mut(|(number, clues)| match clues.pop() {
            Some(cell) if needs[*number] => {
                positions.push(without_clue_digit(&puzzles[*number], cell));
                true
            }
            _ => false,
        });
        for ((number, _), tally) in clues.iter().zip(Batch::BEST.count_all_marks(&positions, 1)) {
            needs[*number] &= tally.solutions > 0;
        }
    }
    needs
}

fn clues_of(puzzle: &Line) -> impl Iterator<Item = usize> + '_ {
    puzzle.iter().enumerate().filter(|(_, sign)| (b'1'..=b'9').contains(sign)).map(|(cell, _)| cell)
}

/// The puzzle with the digit of a clue excluded from its cell. Any solution of the result differs
/// from the solution of the puzzle, so the clue is needed exactly if the result has a solution.
fn without_clue_digit(puzzle: &Line, cell: usize) -> PencilMarks {
    let mut marks = nine::marks_of(puzzle);
    marks[cell] ^= ANY;
    marks
}

/// Counts the solutions up to `limit`.
pub(crate) fn count_up_to(
    puzzle: &Grid,
    limit: u64,
    limits: &Limits<'_>,
) -> Result<u64, UnfinishedError> {
    if let Some(line) = line_without_limits(puzzle, limits) {
        return Ok(Triads::BEST.count_line(&line, limit).solutions);
    }
    let (mut count, mut found) = (0, None);
    let effort = solver_of(puzzle).search(puzzle, limits, &mut |solution| {
        count += 1;
        found.get_or_insert(solution);
        if count < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    match effort.expect("the solver was chosen for this puzzle").stop {
        Some(stop) if count < limit => Err(UnfinishedError { found, stop }),
        _ => Ok(count),
    }
}

/// All solutions in ascending order, or `None` if there are more than `max`.
pub(crate) fn all_solutions(
    puzzle: &Grid,
    max: usize,
    limits: &Limits<'_>,
) -> Result<Option<Vec<Grid>>, UnfinishedError> {
    if let Some(line) = line_without_limits(puzzle, limits) {
        return Ok(all_of_line(&line, max));
    }
    let mut found: Vec<Grid> = Vec::new();
    let effort = solver_of(puzzle).search(puzzle, limits, &mut |solution| {
        found.push(solution);
        if found.len() <= max { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    let stop = effort.expect("the solver was chosen for this puzzle").stop;
    if found.len() > max {
        return Ok(None);
    }
    if let Some(stop) = stop {
        return Err(UnfinishedError { found: found.pop(), stop });
    }
    found.sort_unstable_by(|a, b| a.numbers().cmp(b.numbers()));
    Ok(Some(found))
}

fn all_of_line(line: &Line, max: usize) -> Option<Vec<Grid>> {
    // Counting is much faster than listing, and usually there are too many.
    if Triads::BEST.count_line(line, max as u64 + 1).solutions > max as u64 {
        return None;
    }
    let mut found: Vec<Line> = Vec::new();
    Batch::BEST.solve_all(&[*line], u64::MAX, &Limits::none(), &mut |_, solution| {
        found.push(*solution);
        ControlFlow::Continue(())
    });
    found.sort_unstable();
    Some(found.iter().map(nine::grid).collect())
}

/// The line of a 9×9 puzzle that is searched without limits. The solvers have faster functions for
/// lines, which read no clock and build no grids.
fn line_without_limits(puzzle: &Grid, limits: &Limits<'_>) -> Option<Line> {
    if limits.is_none() { nine::line(puzzle) } else { None }
}

#[cfg(test)]
mod tests {
    use super::super::backtrack::Backtrack;
    use super::super::{StopReason, Walk, all, default_for_order};
    use super::*;
    use crate::random::Random;

    #[test]
    fn batch_finds_the_same_redundant_clues_as_single_proofs() {
        let mut random = Random::new(3);
        let mut puzzles: Vec<Grid> = Vec::new();
        while puzzles.len() < 60 {
            // Random clues are removed while the puzzle stays unique, so that only some puzzles are
            // minimal.
            let mut puzzle = crate::search::default_for_order(Order::NINE)
                .first(&Grid::empty(Order::NINE), &Limits::none())
                .unwrap()
                .0
                .unwrap();
            let mut cells: Vec<Cell> = Order::NINE.cells().collect();
            random.shuffle(&mut cells);
            cells.truncate(40 + random.below(41));
            for cell in cells {
                let fewer = puzzle.without(cell);
                if is_unique(&fewer, &Limits::none()) == Ok(true) {
                    puzzle = fewer;
                }
            }
            puzzles.push(puzzle);
        }
        let lines: Vec<Line> = puzzles.iter().map(|puzzle| nine::line(puzzle).unwrap()).collect();
        let (redundant, minimal) = (redundant_clues(&lines), are_minimal(&lines));
        for ((puzzle, redundant), minimal) in puzzles.iter().zip(&redundant).zip(&minimal) {
            let is_redundant =
                |cell: &Cell| is_unique(&puzzle.without(*cell), &Limits::none()) == Ok(true);
            let singly: Vec<Cell> =
                puzzle.clues().map(|(cell, _)| cell).filter(is_redundant).collect();
            assert_eq!(*redundant, singly, "{puzzle}");
            assert_eq!(*minimal, singly.is_empty(), "{puzzle}");
        }
        assert!(minimal.contains(&true) && minimal.contains(&false));
    }

    /// A 16×16 grid with a clue in every third cell, too open for a proof in a few nodes.
    fn open_grid() -> Grid {
        let order = Order::SIXTEEN;
        let shifted = |cell: usize| ((cell / 16 % 4 * 4 + cell / 64 + cell % 16) % 16 + 1) as u8;
        let numbers: Vec<u8> =
            (0..256).map(|cell| if cell % 3 == 0 { shifted(cell) } else { 0 }).collect();
        Grid::from_numbers(order, &numbers).unwrap()
    }

    #[test]
    fn agrees_with_backtracking() {
        let mut random = Random::new(8);
        let solution: Grid = "1234341221434321".parse().unwrap();
        let none = Limits::none();
        for _ in 0..300 {
            let mut puzzle =
                crate::grid::Symmetry::random(Order::FOUR, &mut random).image(&solution);
            for cell in Order::FOUR.cells() {
                if random.chance(0.7) {
                    puzzle.set(cell, None);
                }
            }
            let (expected, _) = Backtrack.count(&puzzle, 300, &none).unwrap();
            assert_eq!(count_up_to(&puzzle, 300, &none), Ok(expected), "{puzzle}");
            assert_eq!(is_unique(&puzzle, &none), Ok(expected == 1), "{puzzle}");
            let listed = all_solutions(&puzzle, 300, &none).unwrap().unwrap();
            assert_eq!(listed.len() as u64, expected);
            assert!(listed.iter().all(|solution| solution.solves(&puzzle)));
        }
    }

    #[test]
    fn all_solutions_are_sorted_or_none() {
        let none = Limits::none();
        let two_solutions =
            "534..8912672195348198342567859..1423426853791713924856961537284287419635345286179"
                .parse()
                .unwrap();
        let solutions = all_solutions(&two_solutions, 2, &none).unwrap().unwrap();
        assert_eq!(solutions.len(), 2);
        assert!(solutions[0].to_string() < solutions[1].to_string());
        assert_eq!(
            all_solutions(&two_solutions, 2, &Limits::none().with_nodes(1_000)).unwrap().unwrap(),
            solutions
        );
        assert_eq!(all_solutions(&two_solutions, 1, &none), Ok(None));
        let four = all_solutions(&Grid::empty(Order::FOUR), 288, &none).unwrap().unwrap();
        assert_eq!((four.len(), four[0].to_string().as_str()), (288, "1234341221434321"));
        assert_eq!(all_solutions(&Grid::empty(Order::FOUR), 287, &none), Ok(None));
    }

    #[test]
    fn conflicting_clues_have_no_solution() {
        let clash = crate::grid::text::parse_position("11..............", None).unwrap();
        assert_eq!(is_unique(&clash, &Limits::none()), Ok(false));
        assert_eq!(count_up_to(&clash, 5, &Limits::none()), Ok(0));
    }

    #[test]
    fn reaching_a_limit_is_an_error() {
        let (puzzle, limits) = (open_grid(), Limits::none().with_nodes(3));
        let stop = |unfinished: UnfinishedError| unfinished.stop;
        assert_eq!(is_unique(&puzzle, &limits).map_err(stop), Err(StopReason::Nodes));
        assert_eq!(count_up_to(&puzzle, 10, &limits).map_err(stop), Err(StopReason::Nodes));
        assert_eq!(all_solutions(&puzzle, 10, &limits).map_err(stop), Err(StopReason::Nodes));
    }

    #[test]
    fn redundant_clue_decides_minimality_but_unfinished_proof_does_not() {
        let full: Grid = "1234341221434321".parse().unwrap();
        assert_eq!(
            is_minimal(&full, &Limits::none().with_nodes(1)),
            Ok(false),
            "the first clue is redundant without a guess"
        );
        assert_eq!(
            is_minimal(&open_grid(), &Limits::none().with_nodes(3)).map_err(|u| u.stop),
            Err(StopReason::Nodes)
        );
    }

    #[test]
    fn solver_for_returns_listed_solvers_and_the_default_for_large_grids() {
        for (rows, columns) in [(2, 2), (2, 3), (3, 3), (3, 4), (4, 4), (5, 5), (6, 6)] {
            let order = Order::new(rows, columns).unwrap();
            let solver = solver_for(order);
            assert!(
                solver.supports(order) && all().iter().any(|other| other.name() == solver.name()),
                "{order}"
            );
            assert!(
                order.side() < 16 || solver.name() == default_for_order(order).name(),
                "{order}"
            );
        }
        assert_eq!(Triads::BEST.name(), solver_for(Order::NINE).name());
    }
}
