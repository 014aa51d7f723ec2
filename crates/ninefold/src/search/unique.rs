//! Is there exactly one solution? This is the question that generators and collections ask most.
//!
//! They all ask it through the functions here. 9×9 goes to [`triads`](super::triads). For every other size there is a
//! plain search: it fills cells with one candidate and digits with one place, then tries the digits of a cell with the
//! fewest candidates. The same search, trying digits in random order, fills grids.
//!
//! Nothing here depends on the processor: what a generator draws must be the same on every machine, so wherever several
//! solutions come back they come back in order.

use super::Limits;
use super::batch::Batch;
use super::nine::{self, Line};
use super::triads::Triads;
use crate::grid::{Cell, Digit, Grid, House, Order};
use crate::random::Random;
use std::ops::ControlFlow;

/// Positions after which a proof is given up. 9×9 puzzles need a few hundred at most and are never given up.
const NODES_PER_PROOF: u64 = 200_000;

/// Has the puzzle exactly one solution? A proof that would take too long counts as "no", so "yes" is always proven.
pub fn is_unique(puzzle: &Grid) -> bool {
    match nine::line(puzzle) {
        Some(line) => Triads.count_line(&line, 2).solutions == 1,
        None => solution_if_unique(puzzle).is_some(),
    }
}

/// The solution, if there is exactly one and that could be proven.
pub fn solution_if_unique(puzzle: &Grid) -> Option<Grid> {
    if let Some(line) = nine::line(puzzle) {
        let is_unique = Triads.count_line(&line, 2).solutions == 1;
        return is_unique.then(|| Triads.solve_line(&line)).flatten().map(|solution| nine::grid(&solution));
    }
    let mut search = Search { nodes_left: NODES_PER_PROOF, wanted: 2, found: Vec::new(), random: None };
    let board = Board::of(puzzle)?;
    search.walk(board).ok()?;
    match &search.found[..] {
        [only] => Some(only.clone()),
        _ => None,
    }
}

/// How many solutions there are, counted up to `limit`; fewer if it takes too long to find so many.
pub fn count_up_to(puzzle: &Grid, limit: usize) -> usize {
    match nine::line(puzzle) {
        Some(line) => Triads.count_line(&line, limit as u64).solutions as usize,
        None => solutions_of_any_size(puzzle, limit).len(),
    }
}

/// All solutions in ascending order, or `None` if there are more than `most` or it takes too long to tell.
pub fn all_solutions(puzzle: &Grid, most: usize) -> Option<Vec<Grid>> {
    let Some(line) = nine::line(puzzle) else {
        let mut found = solutions_of_any_size(puzzle, most + 1);
        found.sort_unstable_by(|a, b| a.numbers().cmp(b.numbers()));
        return (found.len() <= most).then_some(found);
    };
    // Counting is far quicker than writing down, and most often there are too many.
    if Triads.count_line(&line, most as u64 + 1).solutions > most as u64 {
        return None;
    }
    let mut found: Vec<Line> = Vec::new();
    Batch::BEST.solve_all(&[line], u64::MAX, &Limits::none(), &mut |_, solution| {
        found.push(*solution);
        ControlFlow::Continue(())
    });
    found.sort_unstable();
    Some(found.iter().map(nine::grid).collect())
}

fn solutions_of_any_size(puzzle: &Grid, limit: usize) -> Vec<Grid> {
    let mut search = Search { nodes_left: NODES_PER_PROOF, wanted: limit, found: Vec::new(), random: None };
    if let Some(board) = Board::of(puzzle) {
        _ = search.walk(board);
    }
    search.found
}

/// A solution met by trying digits in random order, or `None` if there is none or none within `most_nodes`.
pub fn random_solution(puzzle: &Grid, random: &mut Random, most_nodes: u64) -> Option<Grid> {
    let mut search = Search { nodes_left: most_nodes, wanted: 1, found: Vec::new(), random: Some(random) };
    // Running out of nodes and finding nothing are the same to the caller.
    search.walk(Board::of(puzzle)?).ok()?;
    search.found.pop()
}

struct Search<'a> {
    nodes_left: u64,
    wanted: usize,
    found: Vec<Grid>,
    random: Option<&'a mut Random>,
}

struct OutOfNodes;

impl Search<'_> {
    fn walk(&mut self, mut board: Board) -> Result<(), OutOfNodes> {
        self.nodes_left = self.nodes_left.checked_sub(1).ok_or(OutOfNodes)?;
        if board.propagate().is_err() {
            return Ok(());
        }
        let Some(cell) = board.fewest_candidates() else {
            self.found.push(board.to_grid());
            return Ok(());
        };
        let mut digits: Vec<u64> = bits(board.sets[cell]).collect();
        if let Some(random) = &mut self.random {
            random.shuffle(&mut digits);
        }
        for digit in digits {
            let mut branch = board.clone();
            branch.fixed.push(Cell::new(cell));
            branch.sets[cell] = digit;
            self.walk(branch)?;
            if self.found.len() == self.wanted {
                break;
            }
        }
        Ok(())
    }
}

/// A cell without candidates or a digit without a place.
pub(super) struct DeadEnd;

/// The candidates of a grid of any size.
#[derive(Clone)]
pub(super) struct Board {
    order: Order,
    /// The candidates of each cell; a filled cell has one.
    sets: Box<[u64]>,
    /// Cells with one candidate whose peers have not been told yet.
    fixed: Vec<Cell>,
}

impl Board {
    /// `None` when the clues already break the rules.
    pub(super) fn of(puzzle: &Grid) -> Option<Board> {
        if puzzle.conflict().is_some() {
            return None;
        }
        let order = puzzle.order();
        let all = order.digits().bits();
        let sets = order.cells().map(|cell| puzzle[cell].map_or(all, |digit| 1 << digit.index())).collect();
        Some(Board { order, sets, fixed: puzzle.clues().map(|(cell, _)| cell).collect() })
    }

    /// Fills cells with one candidate and digits with one place until there are none.
    pub(super) fn propagate(&mut self) -> Result<(), DeadEnd> {
        loop {
            while let Some(cell) = self.fixed.pop() {
                let digit = self.sets[cell.index()];
                for &peer in self.order.peers_of(cell) {
                    let set = &mut self.sets[peer.index()];
                    if *set & digit != 0 {
                        *set &= !digit;
                        match set.count_ones() {
                            0 => return Err(DeadEnd),
                            1 => self.fixed.push(peer),
                            _ => {}
                        }
                    }
                }
            }
            for house in self.order.houses() {
                self.hidden_singles(house)?;
            }
            if self.fixed.is_empty() {
                return Ok(());
            }
        }
    }

    fn hidden_singles(&mut self, house: House) -> Result<(), DeadEnd> {
        let cells = self.order.cells_in(house);
        let (mut once, mut twice, mut filled) = (0, 0, 0);
        for cell in cells {
            let set = self.sets[cell.index()];
            twice |= once & set;
            once |= set;
            if set.is_power_of_two() {
                filled |= set;
            }
        }
        if once != self.order.digits().bits() {
            return Err(DeadEnd);
        }
        let hidden = once & !twice & !filled;
        if hidden == 0 {
            return Ok(());
        }
        for &cell in cells {
            let set = &mut self.sets[cell.index()];
            let here = *set & hidden;
            if here != 0 {
                if !here.is_power_of_two() {
                    return Err(DeadEnd);
                }
                *set = here;
                self.fixed.push(cell);
            }
        }
        Ok(())
    }

    /// Has every cell one candidate?
    pub(super) fn is_full(&self) -> bool {
        self.fewest_candidates().is_none()
    }

    /// The first open cell with the fewest candidates.
    fn fewest_candidates(&self) -> Option<usize> {
        let mut best = None;
        let mut fewest = u32::MAX;
        for (cell, set) in self.sets.iter().enumerate() {
            let count = set.count_ones();
            if count > 1 && count < fewest {
                if count == 2 {
                    return Some(cell);
                }
                (best, fewest) = (Some(cell), count);
            }
        }
        best
    }

    fn to_grid(&self) -> Grid {
        let mut grid = Grid::empty(self.order);
        for cell in self.order.cells() {
            grid.set(cell, Some(Digit::from_index(self.sets[cell.index()].trailing_zeros() as usize)));
        }
        grid
    }
}

fn bits(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let lowest = set & set.wrapping_neg();
        set ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Limits, Solver, backtrack::Backtrack};
    use super::*;

    #[test]
    fn the_answers_are_those_of_plain_backtracking() {
        let mut random = Random::new(8);
        for _ in 0..300 {
            let solution = random_solution(&Grid::empty(Order::FOUR), &mut random, 1_000).unwrap();
            let mut puzzle = solution.clone();
            for cell in Order::FOUR.cells() {
                if random.chance(0.7) {
                    puzzle.set(cell, None);
                }
            }
            let (expected, _) = Backtrack.count(&puzzle, 300, &Limits::none()).unwrap();
            assert_eq!(count_up_to(&puzzle, 300), expected as usize, "{puzzle}");
            assert_eq!(is_unique(&puzzle), expected == 1, "{puzzle}");
            assert!(!is_unique(&puzzle) || solution_if_unique(&puzzle) == Some(solution));
        }
    }

    #[test]
    fn all_solutions_come_in_order_or_not_at_all() {
        let twofold =
            "534..8912672195348198342567859..1423426853791713924856961537284287419635345286179".parse().unwrap();
        let solutions = all_solutions(&twofold, 2).unwrap();
        assert_eq!(solutions.len(), 2);
        assert!(solutions[0].to_string() < solutions[1].to_string());
        assert!(solutions.iter().all(|solution| solution.solves(&twofold)));
        assert_eq!(all_solutions(&twofold, 1), None);
        let four = all_solutions(&Grid::empty(Order::FOUR), 288).unwrap();
        assert_eq!((four.len(), four[0].to_string().as_str()), (288, "1234341221434321"));
        assert_eq!(all_solutions(&Grid::empty(Order::FOUR), 287), None);
    }

    #[test]
    fn clues_that_break_the_rules_have_no_solution() {
        let clash = crate::grid::text::read_position("11..............", None).unwrap();
        assert!(!is_unique(&clash));
        assert_eq!(count_up_to(&clash, 5), 0);
    }
}
