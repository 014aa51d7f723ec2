//! The most likely solution of an uncertain reading.
//!
//! A cell shows its digit of the solution or nothing. So a solution costs, summed over all cells,
//! how much less likely its digit or an empty cell is than the best reading of the cell. Branch and
//! bound finds the solution of least cost, with a growing budget: most boards cost nearly nothing.

/// The cells that must contain different digits, as lists of cells.
pub struct Houses {
    pub side: usize,
    houses: Vec<Vec<usize>>,
    peers: Vec<Vec<usize>>,
}

impl Houses {
    /// Rows, columns and the given regions: for each cell the number of its region.
    pub fn new(side: usize, regions: Option<&[u8]>) -> Houses {
        let mut houses: Vec<Vec<usize>> = Vec::new();
        houses.extend((0..side).map(|row| (0..side).map(|i| row * side + i).collect()));
        houses.extend((0..side).map(|column| (0..side).map(|i| i * side + column).collect()));
        if let Some(regions) = regions {
            let cells = |number: usize| {
                (0..side * side).filter(|&cell| usize::from(regions[cell]) == number).collect()
            };
            houses.extend((0..side).map(cells));
        }
        let mut peers = vec![Vec::new(); side * side];
        for house in &houses {
            for &cell in house {
                peers[cell].extend(house.iter().copied().filter(|&other| other != cell));
            }
        }
        for list in &mut peers {
            list.sort_unstable();
            list.dedup();
        }
        Houses { side, houses, peers }
    }

    /// Whether a peer of this cell has the same digit. Cells with 0 are empty.
    pub fn is_in_conflict(&self, digits: &[u8], cell: usize) -> bool {
        digits[cell] != 0 && self.peers[cell].iter().any(|&peer| digits[peer] == digits[cell])
    }

    /// Whether two peers have the same digit.
    pub fn has_conflict(&self, digits: &[u8]) -> bool {
        (0..digits.len()).any(|cell| self.is_in_conflict(digits, cell))
    }
}

/// A solution and its cost: the logarithm of how much less likely it is than the best reading of
/// each cell on its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Decoded {
    pub solution: Vec<u8>,
    pub cost: f32,
}

const BUDGETS: [f32; 9] = [0.5, 2.0, 5.0, 10.0, 18.0, 28.0, 40.0, 60.0, 90.0];
/// Nodes of the search for each budget.
const NODES: usize = 4000;

/// The solution of least cost, or `None` if there is none within the limits. `logs` contains for
/// each cell the logarithms of the probabilities of "no digit" and of each digit.
pub fn decode(houses: &Houses, logs: &[Vec<f32>]) -> Option<Decoded> {
    let side = houses.side;
    let mut costs = Vec::with_capacity(side * side * side);
    for cell in logs {
        let digits = cell[1..].iter().map(|log| log.max(cell[0]));
        let best = digits.clone().fold(f32::MIN, f32::max);
        costs.extend(digits.map(|log| best - log));
    }
    for budget in BUDGETS {
        let mut search = Search { houses, costs: &costs, best: None, bound: budget, nodes: 0 };
        let cell = |costs: &[f32]| {
            let allowed = (0..side).filter(|&digit| costs[digit] <= budget);
            allowed.fold(0u32, |set, digit| set | 1 << digit)
        };
        let candidates = costs.chunks_exact(side).map(cell).collect();
        search.visit(Board { candidates, fixed: vec![false; side * side], cost: 0.0 });
        if search.best.is_some() {
            return search.best;
        }
    }
    None
}

#[derive(Clone)]
struct Board {
    candidates: Vec<u32>,
    /// Cells whose digit has been removed from their peers.
    fixed: Vec<bool>,
    cost: f32,
}

struct Search<'a> {
    houses: &'a Houses,
    costs: &'a [f32],
    best: Option<Decoded>,
    /// Solutions must cost less.
    bound: f32,
    nodes: usize,
}

impl Search<'_> {
    fn visit(&mut self, mut board: Board) {
        self.nodes += 1;
        if self.nodes > NODES || !self.propagate(&mut board) {
            return;
        }
        let Some(cell) = self.branch_cell(&board) else { return self.accept(&board) };
        let side = self.houses.side;
        let mut digits: Vec<usize> =
            (0..side).filter(|digit| board.candidates[cell] >> digit & 1 == 1).collect();
        let cost = |digit: &usize| self.costs[cell * side + digit];
        digits.sort_by(|a, b| cost(a).total_cmp(&cost(b)));
        for digit in digits {
            let mut next = board.clone();
            next.candidates[cell] = 1 << digit;
            self.visit(next);
        }
    }

    fn accept(&mut self, board: &Board) {
        let solution = board.candidates.iter().map(|set| set.trailing_zeros() as u8 + 1).collect();
        self.bound = board.cost;
        self.best = Some(Decoded { solution, cost: board.cost });
    }

    /// Fixes naked and hidden singles. Returns false if the board is contradictory or too costly.
    fn propagate(&self, board: &mut Board) -> bool {
        loop {
            let mut changed = false;
            for cell in 0..board.candidates.len() {
                let set = board.candidates[cell];
                if set == 0 {
                    return false;
                }
                if set.is_power_of_two() && !board.fixed[cell] {
                    board.fixed[cell] = true;
                    board.cost += self.cost_of(cell, set);
                    for &peer in &self.houses.peers[cell] {
                        board.candidates[peer] &= !set;
                    }
                    changed = true;
                }
            }
            changed |= match self.hidden_singles(board) {
                Some(found) => found,
                None => return false,
            };
            if self.least_cost(board) >= self.bound {
                return false;
            }
            if !changed {
                return true;
            }
        }
    }

    /// `None` if a digit has no place left in a house of full size.
    fn hidden_singles(&self, board: &mut Board) -> Option<bool> {
        let all = (1u32 << self.houses.side) - 1;
        let mut changed = false;
        for house in self.houses.houses.iter().filter(|house| house.len() == self.houses.side) {
            let (mut once, mut twice) = (0, 0);
            for &cell in house {
                twice |= once & board.candidates[cell];
                once |= board.candidates[cell];
            }
            if once != all {
                return None;
            }
            let single = once & !twice;
            for &cell in house {
                let only = board.candidates[cell] & single;
                if only != 0 && board.candidates[cell] != only {
                    if !only.is_power_of_two() {
                        return None;
                    }
                    board.candidates[cell] = only;
                    changed = true;
                }
            }
        }
        Some(changed)
    }

    fn cost_of(&self, cell: usize, set: u32) -> f32 {
        self.costs[cell * self.houses.side + set.trailing_zeros() as usize]
    }

    /// A lower bound: the cheapest candidate of every open cell.
    fn least_cost(&self, board: &Board) -> f32 {
        let side = self.houses.side;
        let mut sum = board.cost;
        for (cell, &set) in board.candidates.iter().enumerate() {
            if !board.fixed[cell] {
                let costs = &self.costs[cell * side..][..side];
                let allowed = (0..side).filter(|digit| set >> digit & 1 == 1);
                sum += allowed.map(|digit| costs[digit]).fold(f32::MAX, f32::min);
            }
        }
        sum
    }

    /// The open cell with the fewest candidates.
    fn branch_cell(&self, board: &Board) -> Option<usize> {
        let open = (0..board.candidates.len()).filter(|&cell| !board.fixed[cell]);
        open.min_by_key(|&cell| board.candidates[cell].count_ones())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOXES: [u8; 16] = [0, 0, 1, 1, 0, 0, 1, 1, 2, 2, 3, 3, 2, 2, 3, 3];

    /// A reading that is certain except for the given cells.
    fn logs(digits: &str, doubtful: &[(usize, u8, f32)]) -> Vec<Vec<f32>> {
        let mut logs: Vec<Vec<f32>> = digits
            .bytes()
            .map(|digit| {
                let mut cell = vec![-12.0; 5];
                cell[usize::from(digit - b'0')] = 0.0;
                cell
            })
            .collect();
        for &(cell, digit, log) in doubtful {
            logs[cell][usize::from(digit)] = log;
        }
        logs
    }

    #[test]
    fn a_right_reading_costs_nothing() {
        let houses = Houses::new(4, Some(&BOXES));
        let decoded = decode(&houses, &logs("1030340221004021", &[])).unwrap();
        assert_eq!(decoded.solution, [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]);
        assert_eq!(decoded.cost, 0.0);
    }

    #[test]
    fn a_misread_digit_is_corrected() {
        let houses = Houses::new(4, Some(&BOXES));
        // The second digit of the first row was read as 3, with 2 as the second guess.
        let misread = logs("1334341221434321", &[(1, 2, -3.0)]);
        let decoded = decode(&houses, &misread).unwrap();
        assert_eq!(decoded.solution[..4], [1, 2, 3, 4]);
        assert!((decoded.cost - 3.0).abs() < 1e-3, "{}", decoded.cost);
    }

    #[test]
    fn finds_conflicts_in_regions() {
        let houses = Houses::new(4, Some(&BOXES));
        let mut digits = [0u8; 16];
        (digits[0], digits[5]) = (3, 3);
        assert!(houses.has_conflict(&digits));
        assert!(!Houses::new(4, None).has_conflict(&digits));
    }
}
