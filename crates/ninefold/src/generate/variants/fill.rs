//! Random full grids for regions and rules about pairs of cells: jigsaw, diagonals, anti-knight,
//! nonconsecutive and others that apply to the complete grid.
//!
//! A depth-first search always continues with a cell that has the fewest digits left and tries them
//! in random order, with hidden singles. It starts again after a number of steps, because a bad
//! start can take very long. Other rules, such as cages, are derived from the grid afterwards.

use crate::grid::rules::{Rule, Rules};
use crate::grid::{Cell, Digit, DigitSet};
use crate::limits::{Deadline, StopReason};
use crate::random::Random;

/// Steps after which a search starts again, per cell of the grid.
const STEPS_PER_CELL: usize = 4;

/// A random full grid, or `None` if `restarts` searches found none.
pub(super) fn random(
    rules: &Rules,
    restarts: usize,
    deadline: &Deadline<'_>,
    random: &mut Random,
) -> Result<Option<Vec<Digit>>, StopReason> {
    let network = Network::new(rules);
    for _ in 0..restarts {
        if let Some(stop) = deadline.reached() {
            return Err(stop);
        }
        let side = rules.side();
        let mut steps = STEPS_PER_CELL * side * side;
        let start = vec![DigitSet::up_to(side); side * side];
        if let Some(grid) = network.search(start, &mut steps, random) {
            let grid: Vec<Digit> = grid
                .into_iter()
                .map(|digits| digits.only().expect("every cell is filled"))
                .collect();
            return Ok(Some(grid));
        }
    }
    Ok(None)
}

/// Which digits of a cell go with which digits of another cell.
struct Network {
    side: usize,
    /// Groups of as many cells as there are digits, all different.
    houses: Vec<Vec<usize>>,
    /// For each cell the cells that contain other digits.
    peers: Vec<Vec<usize>>,
    /// For each cell, the related cells and for each digit the digits that go with it there.
    related: Vec<Vec<(usize, Vec<DigitSet>)>>,
}

impl Network {
    fn new(rules: &Rules) -> Network {
        let side = rules.side();
        let cells = side * side;
        let indices = |cells: &[Cell]| cells.iter().map(|cell| cell.index()).collect();
        let mut houses: Vec<Vec<usize>> =
            rules.houses().iter().map(|house| indices(house)).collect();
        let mut peers = vec![Vec::new(); cells];
        let mut related = vec![Vec::new(); cells];
        for rule in rules.rules() {
            match rule {
                Rule::Differ(cells) => houses.push(indices(cells)),
                Rule::Pairs { pairs, relation } => {
                    let partners = |holds: &dyn Fn(u8, u8) -> bool| -> Vec<DigitSet> {
                        let digits = DigitSet::up_to(side);
                        digits
                            .map(|a| digits.filter(|b| holds(a.number(), b.number())).collect())
                            .collect()
                    };
                    let forward = partners(&|a, b| relation.holds(a, b));
                    let backward = partners(&|a, b| relation.holds(b, a));
                    for (a, b) in pairs {
                        related[a.index()].push((b.index(), forward.clone()));
                        related[b.index()].push((a.index(), backward.clone()));
                    }
                }
                _ => {}
            }
        }
        for house in &houses {
            for &cell in house {
                peers[cell].extend(house.iter().filter(|&&other| other != cell));
            }
        }
        for peers in &mut peers {
            peers.sort_unstable();
            peers.dedup();
        }
        houses.retain(|house| house.len() == side);
        Network { side, houses, peers, related }
    }

    fn search(
        &self,
        mut grid: Vec<DigitSet>,
        steps: &mut usize,
        random: &mut Random,
    ) -> Option<Vec<DigitSet>> {
        if !self.apply_hidden_singles(&mut grid) {
            return None;
        }
        let fewest = grid.iter().map(|digits| digits.count()).filter(|&count| count > 1).min();
        let Some(fewest) = fewest else { return Some(grid) };
        let open: Vec<usize> =
            (0..grid.len()).filter(|&cell| grid[cell].count() == fewest).collect();
        let cell = open[random.below(open.len())];
        let mut digits: Vec<Digit> = grid[cell].collect();
        random.shuffle(&mut digits);
        for digit in digits {
            if *steps == 0 {
                return None;
            }
            *steps -= 1;
            let mut next = grid.clone();
            if self.place(&mut next, cell, DigitSet::from_digit(digit))
                && let Some(full) = self.search(next, steps, random)
            {
                return Some(full);
            }
        }
        None
    }

    /// Restricts a cell to these digits and propagates. Returns false at a contradiction.
    fn place(&self, grid: &mut [DigitSet], cell: usize, digits: DigitSet) -> bool {
        grid[cell] = digits;
        let mut changed = vec![cell];
        while let Some(cell) = changed.pop() {
            let own = grid[cell];
            if own.is_empty() {
                return false;
            }
            if let Some(digit) = own.only() {
                for &peer in &self.peers[cell] {
                    if grid[peer].contains(digit) {
                        grid[peer].remove(digit);
                        changed.push(peer);
                    }
                }
            }
            for (other, partners) in &self.related[cell] {
                let allowed =
                    own.fold(DigitSet::EMPTY, |allowed, digit| allowed | partners[digit.index()]);
                let left = grid[*other] & allowed;
                if left != grid[*other] {
                    grid[*other] = left;
                    changed.push(*other);
                }
            }
        }
        true
    }

    fn apply_hidden_singles(&self, grid: &mut [DigitSet]) -> bool {
        loop {
            let mut has_changed = false;
            for house in &self.houses {
                let (mut once, mut twice) = (DigitSet::EMPTY, DigitSet::EMPTY);
                for &cell in house {
                    twice = twice | (once & grid[cell]);
                    once = once | grid[cell];
                }
                if once != DigitSet::up_to(self.side) {
                    return false;
                }
                for &cell in house {
                    let single = grid[cell] & (once - twice);
                    if !single.is_empty() && grid[cell] != single {
                        if single.only().is_none() || !self.place(grid, cell, single) {
                            return false;
                        }
                        has_changed = true;
                    }
                }
            }
            if !has_changed {
                return true;
            }
        }
    }
}
