//! Is there exactly one solution? This is where generators and collections ask it, many thousand times over.
//!
//! Every question goes to a solver of [`all`](super::all), with limits, and a question that reached its limit is
//! [`Unfinished`]: neither "yes" nor "no". Callers say what they make of that.
//!
//! Nothing here depends on the processor, because what a generator draws must be the same on every machine. So
//! [`limits_for`] counts nodes and reads no clock, and wherever several solutions come back they come back in order.

use super::batch::Batch;
use super::nine::{self, ANY, Line, PencilMarks};
use super::triads::Triads;
use super::{Limits, Solutions, Solver, Unfinished, cdcl::Cdcl, norvig::Norvig};
use crate::grid::{Cell, Grid, Order};
use std::ops::ControlFlow;

/// Nodes after which a proof is given up where nothing else is said.
pub const NODES_PER_PROOF: u64 = 200_000;

/// Nodes after which a generator of puzzles of this order gives a proof up and keeps the clue in question.
///
/// Up to 16×16 hardly any proof needs so many. Above, there are hundreds of clues to ask about, and a clue less can turn
/// milliseconds into hours: so a puzzle keeps the clues that would make it so hard. At 25×25 a limit of 100 leaves 280 clues
/// after 5 s, one of 500 leaves 278 after 16 s.
#[must_use]
pub fn nodes_per_cut(order: Order) -> u64 {
    if order.side() <= 16 { NODES_PER_PROOF } else { 100 }
}

/// The largest side for which a quick start matters more than a clever search.
const LARGEST_SIDE_OF_SHORT_PROOFS: usize = 12;

/// The solver for many short proofs: most puzzles on the way from a complete grid fall to singles or nearly so.
///
/// Cutting clues out of 12×12 grids, a proof takes 53 µs on average with norvig and 160 µs with cdcl, whose groups take
/// longer to set up; at 16×16 it is 650 µs and 240 µs.
#[must_use]
pub(crate) fn solver_for(order: Order) -> &'static dyn Solver {
    match order.side() {
        9 if order == Order::NINE => &Triads::BEST,
        ..=LARGEST_SIDE_OF_SHORT_PROOFS => &Norvig,
        _ => &Cdcl,
    }
}

/// Limits under which a proof ends the same way on every machine: so many nodes, and no clock.
///
/// 9×9 has none: its solvers count other nodes on other processors, and they finish every proof.
#[must_use]
pub fn limits_for(order: Order, nodes_per_proof: u64) -> Limits<'static> {
    if order == Order::NINE { Limits::none() } else { Limits::nodes(nodes_per_proof) }
}

/// Has the puzzle exactly one solution?
///
/// ```
/// use ninefold::search::{Limits, unique};
///
/// let puzzle = "1..4..1..3..4..3".parse()?;
/// assert_eq!(unique::is_unique(&puzzle, &Limits::none()), Ok(true));
/// # Ok::<(), ninefold::grid::ParseGridError>(())
/// ```
pub fn is_unique(puzzle: &Grid, limits: &Limits<'_>) -> Result<bool, Unfinished> {
    if let Some(line) = line_without_limits(puzzle, limits) {
        return Ok(Triads::BEST.count_line(&line, 2).solutions == 1);
    }
    Ok(matches!(solutions(puzzle, limits)?, Solutions::One(_)))
}

/// None, one, or two of several solutions.
pub(crate) fn solutions(puzzle: &Grid, limits: &Limits<'_>) -> Result<Solutions, Unfinished> {
    solver_for(puzzle.order())
        .prove(puzzle, limits)
        .expect("the solver was chosen for this size")
        .solutions
}

/// Is every clue of a puzzle with one solution needed? A clue that is shown to be idle decides it, whatever else was not
/// finished. The limits hold for each clue.
pub(crate) fn needs_every_clue(puzzle: &Grid, limits: &Limits<'_>) -> Result<bool, Unfinished> {
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

/// The clues that can each be left out, for 9×9 puzzles with one solution: all questions about all of them go to the
/// batch solver together.
#[must_use]
pub fn idle_clues(puzzles: &[Line]) -> Vec<Vec<Cell>> {
    let mut questions = Vec::new();
    let mut asked = Vec::new();
    for (number, puzzle) in puzzles.iter().enumerate() {
        for cell in clues_of(puzzle) {
            questions.push(struck(puzzle, cell));
            asked.push((number, cell));
        }
    }
    let mut idle = vec![Vec::new(); puzzles.len()];
    for (&(number, cell), tally) in asked.iter().zip(Batch::BEST.count_all_marks(&questions, 1)) {
        if tally.solutions == 0 {
            idle[number].push(Cell::new(cell));
        }
    }
    idle
}

/// For each of these 9×9 puzzles with one solution, whether it needs every clue. One clue of each puzzle is asked about
/// at a time, all puzzles together, and a puzzle with a clue to spare drops out.
pub(crate) fn need_every_clue(puzzles: &[Line]) -> Vec<bool> {
    let mut needs = vec![true; puzzles.len()];
    let mut clues: Vec<(usize, Vec<usize>)> =
        puzzles.iter().map(|puzzle| clues_of(puzzle).collect()).enumerate().collect();
    let mut questions = Vec::new();
    while !clues.is_empty() {
        questions.clear();
        clues.retain_mut(|(number, clues)| match clues.pop() {
            Some(cell) if needs[*number] => {
                questions.push(struck(&puzzles[*number], cell));
                true
            }
            _ => false,
        });
        for ((number, _), tally) in clues.iter().zip(Batch::BEST.count_all_marks(&questions, 1)) {
            needs[*number] &= tally.solutions > 0;
        }
    }
    needs
}

fn clues_of(puzzle: &Line) -> impl Iterator<Item = usize> + '_ {
    puzzle.iter().enumerate().filter(|(_, sign)| (b'1'..=b'9').contains(sign)).map(|(cell, _)| cell)
}

/// The puzzle without a clue, whose digit is struck out in its cell: any solution is another one than the puzzle's own, so
/// the clue is needed exactly if there is one.
fn struck(puzzle: &Line, cell: usize) -> PencilMarks {
    let mut marks = nine::marks_of(puzzle);
    marks[cell] ^= ANY;
    marks
}

/// How many solutions there are, counted up to `limit`.
pub(crate) fn count_up_to(
    puzzle: &Grid,
    limit: u64,
    limits: &Limits<'_>,
) -> Result<u64, Unfinished> {
    if let Some(line) = line_without_limits(puzzle, limits) {
        return Ok(Triads::BEST.count_line(&line, limit).solutions);
    }
    let (mut count, mut found) = (0, None);
    let effort = solver_for(puzzle.order()).search(puzzle, limits, &mut |solution| {
        count += 1;
        found.get_or_insert(solution);
        if count < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    match effort.expect("the solver was chosen for this size").stop {
        Some(stop) if count < limit => Err(Unfinished { found, stop }),
        _ => Ok(count),
    }
}

/// All solutions in ascending order, or `None` if there are more than `most`.
pub(crate) fn all_solutions(
    puzzle: &Grid,
    most: usize,
    limits: &Limits<'_>,
) -> Result<Option<Vec<Grid>>, Unfinished> {
    if let Some(line) = line_without_limits(puzzle, limits) {
        return Ok(all_of_line(&line, most));
    }
    let mut found: Vec<Grid> = Vec::new();
    let effort = solver_for(puzzle.order()).search(puzzle, limits, &mut |solution| {
        found.push(solution);
        if found.len() <= most { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    let stop = effort.expect("the solver was chosen for this size").stop;
    if found.len() > most {
        return Ok(None);
    }
    if let Some(stop) = stop {
        return Err(Unfinished { found: found.pop(), stop });
    }
    found.sort_unstable_by(|a, b| a.numbers().cmp(b.numbers()));
    Ok(Some(found))
}

fn all_of_line(line: &Line, most: usize) -> Option<Vec<Grid>> {
    // Counting is far quicker than writing down, and most often there are too many.
    if Triads::BEST.count_line(line, most as u64 + 1).solutions > most as u64 {
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

/// A 9×9 puzzle that may be searched to the end goes through the solvers' entry points for lines, which read no clock
/// and build no grid.
fn line_without_limits(puzzle: &Grid, limits: &Limits<'_>) -> Option<Line> {
    if limits.are_none() { nine::line(puzzle) } else { None }
}

#[cfg(test)]
mod tests {
    use super::super::backtrack::Backtrack;
    use super::super::{Stop, Walk, all, default_for};
    use super::*;
    use crate::random::Random;

    #[test]
    fn a_batch_finds_the_clues_that_single_proofs_find() {
        let mut random = Random::new(3);
        let mut puzzles: Vec<Grid> = Vec::new();
        while puzzles.len() < 60 {
            // Cells are emptied at random while the puzzle stays unique, and a few too early to stop.
            let mut puzzle = crate::search::default_for(Order::NINE)
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
        let (idle, needs) = (idle_clues(&lines), need_every_clue(&lines));
        for ((puzzle, idle), needs) in puzzles.iter().zip(&idle).zip(&needs) {
            let is_idle =
                |cell: &Cell| is_unique(&puzzle.without(*cell), &Limits::none()) == Ok(true);
            let singly: Vec<Cell> = puzzle.clues().map(|(cell, _)| cell).filter(is_idle).collect();
            assert_eq!(*idle, singly, "{puzzle}");
            assert_eq!(*needs, singly.is_empty(), "{puzzle}");
        }
        assert!(needs.contains(&true) && needs.contains(&false));
    }

    /// 16×16 with a clue in every third cell of the pattern: far too open for a proof in a few nodes.
    fn open_grid() -> Grid {
        let order = Order::SIXTEEN;
        let shifted = |cell: usize| ((cell / 16 % 4 * 4 + cell / 64 + cell % 16) % 16 + 1) as u8;
        let numbers: Vec<u8> =
            (0..256).map(|cell| if cell % 3 == 0 { shifted(cell) } else { 0 }).collect();
        Grid::from_numbers(order, &numbers).unwrap()
    }

    #[test]
    fn the_answers_are_those_of_plain_backtracking() {
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
    fn all_solutions_come_in_order_or_not_at_all() {
        let none = Limits::none();
        let twofold =
            "534..8912672195348198342567859..1423426853791713924856961537284287419635345286179"
                .parse()
                .unwrap();
        let solutions = all_solutions(&twofold, 2, &none).unwrap().unwrap();
        assert_eq!(solutions.len(), 2);
        assert!(solutions[0].to_string() < solutions[1].to_string());
        assert_eq!(all_solutions(&twofold, 2, &Limits::nodes(1_000)).unwrap().unwrap(), solutions);
        assert_eq!(all_solutions(&twofold, 1, &none), Ok(None));
        let four = all_solutions(&Grid::empty(Order::FOUR), 288, &none).unwrap().unwrap();
        assert_eq!((four.len(), four[0].to_string().as_str()), (288, "1234341221434321"));
        assert_eq!(all_solutions(&Grid::empty(Order::FOUR), 287, &none), Ok(None));
    }

    #[test]
    fn clues_that_break_the_rules_have_no_solution() {
        let clash = crate::grid::text::read_position("11..............", None).unwrap();
        assert_eq!(is_unique(&clash, &Limits::none()), Ok(false));
        assert_eq!(count_up_to(&clash, 5, &Limits::none()), Ok(0));
    }

    #[test]
    fn a_question_that_reaches_its_limit_is_neither_yes_nor_no() {
        let (puzzle, limits) = (open_grid(), Limits::nodes(3));
        let stop = |unfinished: Unfinished| unfinished.stop;
        assert_eq!(is_unique(&puzzle, &limits).map_err(stop), Err(Stop::Nodes));
        assert_eq!(count_up_to(&puzzle, 10, &limits).map_err(stop), Err(Stop::Nodes));
        assert_eq!(all_solutions(&puzzle, 10, &limits).map_err(stop), Err(Stop::Nodes));
    }

    #[test]
    fn an_idle_clue_decides_minimality_and_an_unfinished_proof_leaves_it_open() {
        let full: Grid = "1234341221434321".parse().unwrap();
        assert_eq!(
            needs_every_clue(&full, &Limits::nodes(1)),
            Ok(false),
            "the first clue is idle without a guess"
        );
        assert_eq!(
            needs_every_clue(&open_grid(), &Limits::nodes(3)).map_err(|u| u.stop),
            Err(Stop::Nodes)
        );
    }

    #[test]
    fn only_solvers_of_the_list_are_asked_and_large_grids_get_the_default() {
        for (rows, columns) in [(2, 2), (2, 3), (3, 3), (3, 4), (4, 4), (5, 5), (6, 6)] {
            let order = Order::boxes(rows, columns).unwrap();
            let solver = solver_for(order);
            assert!(
                solver.takes(order) && all().iter().any(|other| other.name() == solver.name()),
                "{order}"
            );
            assert!(order.side() < 16 || solver.name() == default_for(order).name(), "{order}");
        }
        assert_eq!(Triads::BEST.name(), solver_for(Order::NINE).name());
    }
}
