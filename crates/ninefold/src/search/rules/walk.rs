//! A depth-first search that propagates the rules themselves.
//!
//! Compiling rules to groups and clauses takes longer than solving an everyday puzzle, so this
//! search comes first. It keeps a mask of digits for each cell and propagates
//!
//! ```text
//! a filled cell        its digit leaves all cells that must differ      bit sets of peers
//! house                the last place of a digit
//! pair                 digits without a partner leave                   a mask for each digit
//! cage                 the combinations that still fit
//! sum                  smallest and largest totals
//! line                 digits on no path through its automaton
//! ```
//!
//! until nothing changes, and then guesses in the cell with few digits and many failures. It learns
//! nothing, so the caller limits its nodes and gives hard puzzles to clause learning.

use super::super::Meter;
use super::model::{Layer, Model, Propagator};
use crate::grid::Digit;
use crate::limits::StopReason;
use std::ops::{ControlFlow, Range};

/// The digits of a cell: bit i is set if digit i + 1 is possible.
pub(super) type Mask = u32;

/// Failures count for this much more than those before them. The limit of the caller on nodes keeps
/// the product within the range of the type.
const FAILURE_GROWTH: f32 = 1.05;

/// A search through the solutions of a [`Model`].
pub(super) struct Walk<'a> {
    model: &'a Model,
    /// The cells whose only digit has not yet been removed from their peers.
    filled: Vec<u16>,
    /// The propagators that have to run, one bit each.
    queue: Vec<u64>,
    /// Scratch space of lines: whether each state can be reached, and whether it leads to the end.
    reachable: Vec<bool>,
    alive: Vec<bool>,
    /// Scratch space of locked candidates: the peers of all places.
    common: Vec<u64>,
    /// Whether digits are locked, which costs more than it saves on easy puzzles.
    is_strong: bool,
    /// How often guesses in each cell failed, recent failures weighted more.
    failures: Vec<f32>,
    failure: f32,
    /// A likelihood for each digit of each cell; without these the smallest digit is tried first.
    likelihoods: Option<&'a [f32]>,
}

/// A guess that has not been refuted.
struct Guess {
    cell: usize,
    digit: Mask,
}

/// The board has no solution.
pub(super) struct Dead;

impl<'a> Walk<'a> {
    pub(super) fn new(model: &'a Model, is_strong: bool) -> Walk<'a> {
        Walk {
            model,
            filled: Vec::new(),
            queue: vec![0; model.words],
            reachable: Vec::new(),
            alive: Vec::new(),
            common: Vec::new(),
            is_strong,
            failures: model.priorities(),
            failure: 1.0,
            likelihoods: None,
        }
    }

    /// Tries the most likely digits first, in the cells where they are most certain. Likelihoods
    /// are between 0 and 1.
    pub(super) fn guided_by(self, likelihoods: &'a [f32]) -> Walk<'a> {
        Walk { likelihoods: Some(likelihoods), ..self }
    }

    /// Passes each solution to `visit`.
    pub(super) fn run(
        &mut self,
        meter: &mut Meter<'_>,
        visit: &mut dyn FnMut(Vec<Digit>) -> ControlFlow<StopReason>,
    ) -> ControlFlow<StopReason> {
        let cells = self.model.start.len();
        let mut boards = self.model.start.clone();
        let mut guesses: Vec<Guess> = Vec::new();
        meter.node()?;
        self.queue.fill(u64::MAX);
        if boards.contains(&0) {
            return ControlFlow::Continue(());
        }
        self.filled.extend((0..cells as u16).filter(|&cell| is_single(boards[usize::from(cell)])));
        let mut result = self.propagate(&mut boards);
        loop {
            let depth = guesses.len();
            let board = &mut boards[depth * cells..(depth + 1) * cells];
            let next = match result {
                Err(Dead) => {
                    if let Some(guess) = guesses.last() {
                        self.failures[guess.cell] += self.failure;
                        self.failure *= FAILURE_GROWTH;
                    }
                    None
                }
                Ok(()) => {
                    let cell = self.best_cell(board);
                    if cell.is_none() {
                        visit(solution(board))?;
                    }
                    cell
                }
            };
            if let Some(cell) = next {
                meter.guess();
                meter.node()?;
                let digit = self.best_digit(cell, board[cell]);
                guesses.push(Guess { cell, digit });
                boards.truncate((depth + 1) * cells);
                boards.extend_from_within(depth * cells..);
                let board = &mut boards[(depth + 1) * cells..];
                result = self.keep(board, cell, digit).and_then(|()| self.propagate(board));
                continue;
            }
            let Some(guess) = guesses.pop() else { return ControlFlow::Continue(()) };
            let board = &mut boards[(depth - 1) * cells..depth * cells];
            meter.node()?;
            result =
                self.keep(board, guess.cell, !guess.digit).and_then(|()| self.propagate(board));
        }
    }

    /// The open cell with the fewest digits in relation to its failures.
    fn best_cell(&self, board: &[Mask]) -> Option<usize> {
        let mut best = None;
        let mut best_score = 0.0;
        for (cell, mask) in board.iter().enumerate() {
            let count = mask.count_ones();
            if count > 1 {
                let certainty = self.likelihoods.map_or(1.0, |likelihoods| {
                    let of_cell = &likelihoods[cell * self.model.side..];
                    digits(*mask).map(|digit| of_cell[digit as usize]).fold(0.01, f32::max)
                });
                let score = self.failures[cell] * certainty / count as f32;
                if score > best_score {
                    (best, best_score) = (Some(cell), score);
                }
            }
        }
        best
    }

    /// The digit to try first.
    fn best_digit(&self, cell: usize, mask: Mask) -> Mask {
        let smallest = mask & mask.wrapping_neg();
        let Some(likelihoods) = self.likelihoods else { return smallest };
        let of_cell = &likelihoods[cell * self.model.side..];
        let likelihood = |digit: &u32| of_cell[*digit as usize];
        let best = digits(mask).max_by(|a, b| likelihood(a).total_cmp(&likelihood(b)));
        best.map_or(smallest, |digit| 1 << digit)
    }

    /// Removes all other digits from a cell.
    #[inline]
    fn keep(&mut self, board: &mut [Mask], cell: usize, digits: Mask) -> Result<(), Dead> {
        let old = board[cell];
        let new = old & digits;
        if new == old {
            return Ok(());
        }
        board[cell] = new;
        if new & (new.wrapping_sub(1)) == 0 {
            if new == 0 {
                return Err(Dead);
            }
            self.filled.push(cell as u16);
        }
        for (queue, watcher) in self.queue.iter_mut().zip(self.model.watchers_of(cell)) {
            *queue |= watcher;
        }
        Ok(())
    }

    /// Runs propagators until nothing changes.
    fn propagate(&mut self, board: &mut [Mask]) -> Result<(), Dead> {
        let result = self.run_queue(board);
        if result.is_err() {
            self.filled.clear();
            self.queue.fill(0);
        }
        result
    }

    fn run_queue(&mut self, board: &mut [Mask]) -> Result<(), Dead> {
        loop {
            while let Some(cell) = self.filled.pop() {
                let digit = board[usize::from(cell)];
                for (word, &peers) in self.model.peers_of(usize::from(cell)).iter().enumerate() {
                    let mut peers = peers;
                    while peers != 0 {
                        let peer = word * 64 + peers.trailing_zeros() as usize;
                        peers &= peers - 1;
                        self.keep(board, peer, !digit)?;
                    }
                }
            }
            let Some(word) = self.queue.iter().position(|word| *word != 0) else { return Ok(()) };
            let bit = self.queue[word].trailing_zeros();
            self.queue[word] &= self.queue[word] - 1;
            let index = word * 64 + bit as usize;
            let model = self.model;
            // The queue begins with all bits set, also those beyond the last propagator.
            if let Some(propagator) = model.propagators.get(index) {
                self.run_propagator(board, propagator)?;
            }
        }
    }

    fn run_propagator(&mut self, board: &mut [Mask], propagator: &Propagator) -> Result<(), Dead> {
        match propagator {
            Propagator::House { cells } => self.house(board, self.model.cells_in(cells)),
            Propagator::Pair { a, b, table } => {
                let (forward, backward) = &self.model.tables[*table];
                self.keep(board, *b, partners(board[*a], forward))?;
                self.keep(board, *a, partners(board[*b], backward))
            }
            Propagator::Index { cell, digit, other, value } => {
                self.index(board, (*cell, *digit), (*other, *value))
            }
            Propagator::Contains { cells, digit, least } => {
                self.contains(board, self.model.cells_in(cells), *digit, *least)
            }
            Propagator::Cage { cells, combinations } => {
                let combinations = &self.model.combinations[combinations.clone()];
                self.cage(board, self.model.cells_in(cells), combinations)
            }
            Propagator::Sum { parts, total } => {
                self.sum(board, &self.model.parts[parts.clone()], *total)
            }
            Propagator::Line { cells, layers, states } => self.line(
                board,
                self.model.cells_in(cells),
                &self.model.layers[layers.clone()],
                *states,
            ),
        }
    }

    /// A digit with one place left in a house goes there.
    fn house(&mut self, board: &mut [Mask], cells: &[u16]) -> Result<(), Dead> {
        // The digits with at least one, two, … places.
        let (mut once, mut twice, mut thrice, mut often) = (0, 0, 0, 0);
        for &cell in cells {
            let mask = board[usize::from(cell)];
            often |= thrice & mask;
            thrice |= twice & mask;
            twice |= once & mask;
            once |= mask;
        }
        if once != self.model.all_digits {
            return Err(Dead);
        }
        if self.is_strong {
            // A digit with more places is rarely locked.
            self.lock(board, cells, twice & !often)?;
        }
        let single = once & !twice;
        if single == 0 {
            return Ok(());
        }
        for &cell in cells {
            let digit = board[usize::from(cell)] & single;
            if digit != 0 && digit != board[usize::from(cell)] {
                if !is_single(digit) {
                    return Err(Dead);
                }
                self.keep(board, usize::from(cell), digit)?;
            }
        }
        Ok(())
    }

    /// The first cell contains its digit exactly if the second contains its own.
    fn index(
        &mut self,
        board: &mut [Mask],
        (cell, digit): (usize, Mask),
        (other, value): (usize, Mask),
    ) -> Result<(), Dead> {
        for ((a, a_digit), (b, b_digit)) in
            [((cell, digit), (other, value)), ((other, value), (cell, digit))]
        {
            if board[a] & a_digit == 0 {
                self.keep(board, b, !b_digit)?;
            } else if board[a] == a_digit {
                self.keep(board, b, b_digit)?;
            }
        }
        Ok(())
    }

    /// At least `least` of the cells contain the digit.
    fn contains(
        &mut self,
        board: &mut [Mask],
        cells: &[u16],
        digit: Mask,
        least: usize,
    ) -> Result<(), Dead> {
        let places = cells.iter().filter(|&&cell| board[usize::from(cell)] & digit != 0).count();
        if places < least {
            return Err(Dead);
        }
        if places == least {
            for &cell in cells {
                if board[usize::from(cell)] & digit != 0 {
                    self.keep(board, usize::from(cell), digit)?;
                }
            }
        }
        Ok(())
    }

    /// The cells contain different digits that are one of the combinations.
    fn cage(
        &mut self,
        board: &mut [Mask],
        cells: &[u16],
        combinations: &[Mask],
    ) -> Result<(), Dead> {
        let (mut once, mut twice, mut known) = (0, 0, 0);
        for &cell in cells {
            let mask = board[usize::from(cell)];
            twice |= once & mask;
            once |= mask;
            if is_single(mask) {
                known |= mask;
            }
        }
        let (mut possible, mut required) = (0, Mask::MAX);
        for &combination in combinations {
            let fits = combination & once == combination
                && known & combination == known
                && cells.iter().all(|&cell| board[usize::from(cell)] & combination != 0);
            if fits {
                possible |= combination;
                required &= combination;
            }
        }
        if possible == 0 {
            return Err(Dead);
        }
        let single = required & once & !twice;
        for &cell in cells {
            let cell = usize::from(cell);
            let mut allowed = possible;
            let forced = board[cell] & single;
            if forced != 0 {
                allowed = forced;
            }
            self.keep(board, cell, allowed)?;
        }
        if let &[a, b, c] = cells {
            self.three_cells(board, [a, b, c].map(usize::from), combinations)?;
        }
        if self.is_strong {
            self.lock(board, cells, required & !known)?;
        }
        Ok(())
    }

    /// Keeps the digits of three cells that some combination allows in that very cell.
    fn three_cells(
        &mut self,
        board: &mut [Mask],
        cells: [usize; 3],
        combinations: &[Mask],
    ) -> Result<(), Dead> {
        let [a, b, c] = cells.map(|cell| board[cell]);
        let (mut allowed_a, mut allowed_b, mut allowed_c) = (0, 0, 0);
        for &combination in combinations {
            for x in bits(a & combination) {
                for y in bits(b & combination & !x) {
                    let z = combination & !x & !y;
                    if c & z != 0 {
                        allowed_a |= x;
                        allowed_b |= y;
                        allowed_c |= z;
                    }
                }
            }
        }
        self.keep(board, cells[0], allowed_a)?;
        self.keep(board, cells[1], allowed_b)?;
        self.keep(board, cells[2], allowed_c)
    }

    /// Each of these digits is in one of the cells, so it leaves the cells that differ from all of
    /// its places there: locked candidates.
    fn lock(&mut self, board: &mut [Mask], cells: &[u16], required: Mask) -> Result<(), Dead> {
        for digit in bits(required) {
            let mut common = std::mem::take(&mut self.common);
            common.clear();
            common.resize(self.model.peers_of(0).len(), u64::MAX);
            let mut has_place = false;
            for &place in cells {
                if board[usize::from(place)] & digit != 0 {
                    has_place = true;
                    let peers = self.model.peers_of(usize::from(place));
                    common.iter_mut().zip(peers).for_each(|(all, peers)| *all &= peers);
                }
            }
            let mut result = if has_place { Ok(()) } else { Err(Dead) };
            'words: for (word, &peers) in common.iter().enumerate().filter(|_| has_place) {
                let mut peers = peers;
                while peers != 0 {
                    let peer = word * 64 + peers.trailing_zeros() as usize;
                    peers &= peers - 1;
                    result = self.keep(board, peer, !digit);
                    if result.is_err() {
                        break 'words;
                    }
                }
            }
            self.common = common;
            result?;
        }
        Ok(())
    }

    /// The weighted sum of the cells has this total.
    ///
    /// Only bounds are considered. Cells with equal coefficients whose digits differ form a part,
    /// and the bounds of a part respect that its digits differ.
    fn sum(
        &mut self,
        board: &mut [Mask],
        parts: &[(i32, Range<usize>)],
        total: i32,
    ) -> Result<(), Dead> {
        let side = self.model.side;
        let (mut least, mut most) = (0, 0);
        for (coefficient, cells) in parts {
            let (low, high) = part_bounds(side, board, self.model.cells_in(cells), None);
            let (low, high) = scaled(*coefficient, low, high);
            least += low;
            most += high;
        }
        if total < least || most < total {
            return Err(Dead);
        }
        if least == most {
            return Ok(());
        }
        if self.few_cells(board, parts, total)? {
            return Ok(());
        }
        for (coefficient, cells) in parts {
            let cells = self.model.cells_in(cells);
            let (low, high) = part_bounds(side, board, cells, None);
            let (low, high) = scaled(*coefficient, low, high);
            // What the other parts leave for this one.
            let (left, right) = (total - (most - high), total - (least - low));
            if left <= low && high <= right && cells.len() == 1 {
                continue;
            }
            for (at, &cell) in cells.iter().enumerate() {
                let cell = usize::from(cell);
                let mask = board[cell];
                if is_single(mask) {
                    continue;
                }
                let (low, high) = part_bounds(side, board, cells, Some(at));
                let (low, high) = scaled(*coefficient, low, high);
                let mut allowed = 0;
                for digit in digits(mask) {
                    let value = coefficient * (digit as i32 + 1);
                    if value + low <= right && value + high >= left {
                        allowed |= 1 << digit;
                    }
                }
                self.keep(board, cell, allowed)?;
            }
        }
        Ok(())
    }

    /// Keeps exactly the digits that occur in some filling of a sum with two or three open cells.
    /// Returns whether it has so few.
    fn few_cells(
        &mut self,
        board: &mut [Mask],
        parts: &[(i32, Range<usize>)],
        total: i32,
    ) -> Result<bool, Dead> {
        // Coefficient, cell and part of the open cells.
        let mut open = [(0, 0, 0); 3];
        let mut count = 0;
        let mut left = total;
        for (part, (coefficient, cells)) in parts.iter().enumerate() {
            for &cell in self.model.cells_in(cells) {
                let mask = board[usize::from(cell)];
                if is_single(mask) {
                    left -= coefficient * (mask.trailing_zeros() as i32 + 1);
                } else if count == 3 {
                    return Ok(false);
                } else {
                    open[count] = (*coefficient, usize::from(cell), part);
                    count += 1;
                }
            }
        }
        if count < 2 {
            return Ok(false);
        }
        // With two open cells, the first one stands for a third that adds nothing.
        let [first, second, third] = if count == 3 { open } else { [(0, 0, 0), open[0], open[1]] };
        let firsts = if count == 3 { board[first.1] } else { 1 };
        let (mut allowed_first, mut allowed_second, mut allowed_third) = (0, 0, 0);
        let differ = |a: (i32, usize, usize), b: (i32, usize, usize)| a.0 != 0 && a.2 == b.2;
        for x in digits(firsts) {
            for y in digits(board[second.1]) {
                if x == y && differ(first, second) {
                    continue;
                }
                let rest = left - first.0 * (x as i32 + 1) - second.0 * (y as i32 + 1);
                let z = rest / third.0;
                if z < 1 || z > Mask::BITS as i32 || z * third.0 != rest {
                    continue;
                }
                let bit = 1 << (z - 1);
                let is_same = |digit: u32| bit == 1 << digit;
                if board[third.1] & bit == 0
                    || (is_same(x) && differ(first, third))
                    || (is_same(y) && differ(second, third))
                {
                    continue;
                }
                allowed_first |= 1 << x;
                allowed_second |= 1 << y;
                allowed_third |= bit;
            }
        }
        if count == 3 {
            self.keep(board, first.1, allowed_first)?;
        }
        self.keep(board, second.1, allowed_second)?;
        self.keep(board, third.1, allowed_third)?;
        Ok(true)
    }

    /// The digits of the cells lead through the automaton.
    fn line(
        &mut self,
        board: &mut [Mask],
        cells: &[u16],
        layers: &[Layer],
        states: usize,
    ) -> Result<(), Dead> {
        let mut reachable = std::mem::take(&mut self.reachable);
        let mut alive = std::mem::take(&mut self.alive);
        reachable.clear();
        reachable.resize(states, false);
        reachable[0] = true;
        for (layer, &cell) in layers.iter().zip(cells) {
            let mask = board[usize::from(cell)];
            for edge in &self.model.edges[layer.edges.clone()] {
                if mask >> edge.digit & 1 == 1 && reachable[usize::from(edge.from)] {
                    reachable[usize::from(edge.to)] = true;
                }
            }
        }
        alive.clear();
        alive.resize(states, true);
        let mut result = Ok(());
        for (layer, &cell) in layers.iter().zip(cells).rev() {
            let mask = board[usize::from(cell)];
            let mut allowed = 0;
            alive[layer.from.clone()].fill(false);
            for edge in &self.model.edges[layer.edges.clone()] {
                let is_possible = mask >> edge.digit & 1 == 1
                    && reachable[usize::from(edge.from)]
                    && alive[usize::from(edge.to)];
                if is_possible {
                    allowed |= 1 << edge.digit;
                    alive[usize::from(edge.from)] = true;
                }
            }
            result = self.keep(board, usize::from(cell), allowed);
            if result.is_err() {
                break;
            }
        }
        (self.reachable, self.alive) = (reachable, alive);
        result
    }
}

pub(super) fn is_single(mask: Mask) -> bool {
    mask.is_power_of_two()
}

/// The digits in a mask, counted from 0.
fn digits(mut mask: Mask) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let digit = mask.trailing_zeros();
            mask &= mask - 1;
            digit
        })
    })
}

/// The bits of a mask, each as a mask.
fn bits(mask: Mask) -> impl Iterator<Item = Mask> {
    digits(mask).map(|digit| 1 << digit)
}

/// All digits that go with one of these.
fn partners(mask: Mask, table: &[Mask]) -> Mask {
    digits(mask).fold(0, |all, digit| all | table[digit as usize])
}

fn scaled(coefficient: i32, low: i32, high: i32) -> (i32, i32) {
    if coefficient > 0 {
        (coefficient * low, coefficient * high)
    } else {
        (coefficient * high, coefficient * low)
    }
}

/// Bounds of the sum of different digits in these cells, without the cell at the index `omitted`.
///
/// In the order of their smallest digits, each cell takes its smallest digit or the one after the
/// previous cell's, whichever is larger; the same in reverse for the largest sum.
fn part_bounds(side: usize, board: &[Mask], cells: &[u16], omitted: Option<usize>) -> (i32, i32) {
    if let ([cell], None) = (cells, omitted) {
        let mask = board[usize::from(*cell)];
        return (mask.trailing_zeros() as i32 + 1, (Mask::BITS - mask.leading_zeros()) as i32);
    }
    let mut from_below = [0u8; Mask::BITS as usize];
    let mut from_above = [0u8; Mask::BITS as usize];
    for (at, &cell) in cells.iter().enumerate() {
        if Some(at) != omitted {
            let mask = board[usize::from(cell)];
            from_below[mask.trailing_zeros() as usize] += 1;
            from_above[mask.leading_zeros() as usize + side - Mask::BITS as usize] += 1;
        }
    }
    let low = spread(&from_below[..side]);
    let count = (cells.len() - usize::from(omitted.is_some())) as i32;
    let high = count * (side as i32 + 1) - spread(&from_above[..side]);
    (low, high)
}

/// The smallest sum of different numbers, each at least its bound. `counts` has the number of
/// bounds for each number, which is its index plus 1.
fn spread(counts: &[u8]) -> i32 {
    let (mut sum, mut next) = (0, 1);
    for (index, &count) in counts.iter().enumerate() {
        if count > 0 {
            let count = i32::from(count);
            next = next.max(index as i32 + 1);
            sum += count * next + count * (count - 1) / 2;
            next += count;
        }
    }
    sum
}

fn solution(board: &[Mask]) -> Vec<Digit> {
    board.iter().map(|mask| Digit::from_index(mask.trailing_zeros() as usize)).collect()
}
