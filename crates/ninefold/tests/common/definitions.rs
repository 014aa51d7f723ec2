//! A slow solver for variants that reads the rules as their definitions say.
//!
//! It uses neither the primitives nor the compiled form of the library, only what a setter writes
//! ([`Constraint`]) and the regions, so that equal results show that both are right. Each constraint
//! becomes checks of a few cells. A check answers whether the known digits can still be completed,
//! and may say yes too often but not no. The solver tries digits one after the other. Before each
//! choice, it removes the digits that no assignment of a check contains, as far as a limited number
//! of steps shows that.

use ninefold::grid::rules::{
    Constraint, Diagonal, Direction, Dot, Indexer, LineRule, Negative, Outside, Place, Rules,
};
use ninefold::grid::{Cell, Digit};

/// Steps of the search for an assignment with a certain digit.
const STEPS_PER_DIGIT: usize = 500;

type Holds = Box<dyn Fn(&[u32]) -> bool>;

/// Cells and a condition on their digits in the same order; 0 is an unknown digit.
struct Check {
    cells: Vec<usize>,
    holds: Holds,
}

/// A puzzle for the slow solver.
pub struct Definitions {
    side: usize,
    /// Rows, columns and regions.
    houses: Vec<Vec<usize>>,
    checks: Vec<Check>,
    region: Vec<Option<usize>>,
}

impl Definitions {
    pub fn new(rules: &Rules) -> Definitions {
        let side = rules.side();
        let mut houses: Vec<Vec<usize>> = Vec::new();
        for line in 0..side {
            houses.push((0..side).map(|at| line * side + at).collect());
            houses.push((0..side).map(|at| at * side + line).collect());
        }
        let mut region = vec![None; side * side];
        for (number, cells) in rules.regions().iter().enumerate() {
            houses.push(cells.iter().map(|cell| cell.index()).collect());
            cells.iter().for_each(|cell| region[cell.index()] = Some(number));
        }
        let mut definitions = Definitions { side, houses, checks: Vec::new(), region };
        for constraint in rules.constraints() {
            definitions.add(constraint, rules);
        }
        definitions
    }

    /// Whether a full grid satisfies everything.
    pub fn holds(&self, grid: &[Digit]) -> bool {
        let number = |cell: &usize| u32::from(grid[*cell].number());
        self.houses.iter().all(|house| differ(&house.iter().map(number).collect::<Vec<_>>()))
            && self
                .checks
                .iter()
                .all(|check| (check.holds)(&check.cells.iter().map(number).collect::<Vec<_>>()))
    }

    /// Up to `most` solutions, or `None` if `nodes` choices do not suffice.
    pub fn solutions(
        &self,
        givens: &[Option<Digit>],
        most: usize,
        mut nodes: usize,
    ) -> Option<Vec<Vec<Digit>>> {
        let all = (1 << self.side) - 1;
        let mask = |given: &Option<Digit>| given.map_or(all, |digit| 1 << digit.index());
        let mut found = Vec::new();
        let is_complete =
            self.search(givens.iter().map(mask).collect(), most, &mut nodes, &mut found);
        (is_complete || found.len() == most).then_some(found)
    }

    /// Returns false if the search was not complete.
    fn search(
        &self,
        mut grid: Vec<u32>,
        most: usize,
        nodes: &mut usize,
        found: &mut Vec<Vec<Digit>>,
    ) -> bool {
        if !self.reduce(&mut grid) {
            return true;
        }
        let open = (0..grid.len()).filter(|&cell| grid[cell].count_ones() > 1);
        let Some(cell) = open.min_by_key(|&cell| grid[cell].count_ones()) else {
            let digits = grid.iter().map(|mask| Digit::from_index(mask.trailing_zeros() as usize));
            let solution: Vec<Digit> = digits.collect();
            if self.holds(&solution) {
                found.push(solution);
            }
            return true;
        };
        for digit in 0..self.side {
            if grid[cell] & 1 << digit == 0 {
                continue;
            }
            if *nodes == 0 || found.len() == most {
                return false;
            }
            *nodes -= 1;
            let mut next = grid.clone();
            next[cell] = 1 << digit;
            if !self.search(next, most, nodes, found) {
                return false;
            }
        }
        true
    }

    /// Removes impossible digits until nothing changes. Returns false at a contradiction.
    fn reduce(&self, grid: &mut [u32]) -> bool {
        loop {
            let before: Vec<u32> = grid.to_vec();
            if !self.reduce_houses(grid) {
                return false;
            }
            if before != grid {
                continue;
            }
            for check in &self.checks {
                if !reduce_check(check, grid) {
                    return false;
                }
            }
            if before == grid {
                return true;
            }
        }
    }

    fn reduce_houses(&self, grid: &mut [u32]) -> bool {
        for house in &self.houses {
            for &cell in house {
                if grid[cell] == 0 {
                    return false;
                }
                if grid[cell].count_ones() == 1 {
                    for &other in house {
                        if other != cell {
                            grid[other] &= !grid[cell];
                        }
                    }
                }
            }
            if house.len() < self.side {
                continue;
            }
            for digit in 0..self.side {
                let mut places = house.iter().filter(|&&cell| grid[cell] & 1 << digit != 0);
                match (places.next(), places.next()) {
                    (None, _) => return false,
                    (Some(&only), None) => grid[only] = 1 << digit,
                    _ => {}
                }
            }
        }
        true
    }

    fn check(&mut self, cells: Vec<usize>, holds: impl Fn(&[u32]) -> bool + 'static) {
        self.checks.push(Check { cells, holds: Box::new(holds) });
    }

    /// The check that two digits have a relation.
    fn pair(&mut self, a: usize, b: usize, holds: impl Fn(u32, u32) -> bool + 'static) {
        self.check(vec![a, b], move |digits| {
            digits[0] == 0 || digits[1] == 0 || holds(digits[0], digits[1])
        });
    }

    fn different(&mut self, cells: Vec<usize>) {
        self.check(cells, differ);
    }

    /// All pairs of cells with these distances between rows and columns.
    fn pairs_at(&self, distances: &[(usize, usize)]) -> Vec<(usize, usize)> {
        let mut pairs = Vec::new();
        for a in 0..self.side * self.side {
            for b in 0..a {
                let rows = (a / self.side).abs_diff(b / self.side);
                let columns = (a % self.side).abs_diff(b % self.side);
                if distances.contains(&(rows, columns)) {
                    pairs.push((a, b));
                }
            }
        }
        pairs
    }

    fn add(&mut self, constraint: &Constraint, rules: &Rules) {
        let side = self.side;
        let indices =
            |cells: &[Cell]| -> Vec<usize> { cells.iter().map(|cell| cell.index()).collect() };
        let orthogonal = [(0, 1), (1, 0)];
        match constraint {
            Constraint::Diagonal(Diagonal::Falling) => {
                self.different((0..side).map(|at| at * side + at).collect());
            }
            Constraint::Diagonal(Diagonal::Rising) => {
                self.different((0..side).map(|at| at * side + side - 1 - at).collect());
            }
            Constraint::Windoku => {
                for (top, left) in [(1, 1), (1, 5), (5, 1), (5, 5)] {
                    self.different((0..9).map(|i| (top + i / 3) * 9 + left + i % 3).collect());
                }
            }
            Constraint::DisjointGroups => {
                let (height, width) = (rules.order().box_rows(), rules.order().box_columns());
                for place in 0..side {
                    let (row, column) = (place / width, place % width);
                    let cells = (0..side * side)
                        .filter(|c| c / side % height == row && c % side % width == column);
                    self.different(cells.collect());
                }
            }
            Constraint::AntiKnight => {
                for (a, b) in self.pairs_at(&[(1, 2), (2, 1)]) {
                    self.pair(a, b, |a, b| a != b);
                }
            }
            Constraint::AntiKing => {
                for (a, b) in self.pairs_at(&[(1, 1)]) {
                    self.pair(a, b, |a, b| a != b);
                }
            }
            Constraint::Nonconsecutive => {
                for (a, b) in self.pairs_at(&orthogonal) {
                    self.pair(a, b, |a, b| a.abs_diff(b) != 1);
                }
            }
            Constraint::Negative(negative) => {
                let is_meant = |dot: Dot| match negative {
                    Negative::Xv => matches!(dot, Dot::Total(_)),
                    Negative::Difference => matches!(dot, Dot::Difference(_)),
                    _ => !matches!(dot, Dot::Total(_)),
                };
                let pair = |other: &Constraint| match other {
                    Constraint::Dot { kind, cells: [a, b] } if is_meant(*kind) => {
                        Some((a.index(), b.index()))
                    }
                    _ => None,
                };
                let dots: Vec<(usize, usize)> =
                    rules.constraints().iter().filter_map(pair).collect();
                for (a, b) in self.pairs_at(&orthogonal) {
                    if dots.contains(&(a, b)) || dots.contains(&(b, a)) {
                        continue;
                    }
                    match negative {
                        Negative::Xv => self.pair(a, b, |a, b| a + b != 5 && a + b != 10),
                        Negative::Difference => self.pair(a, b, |a, b| a.abs_diff(b) != 1),
                        _ => self.pair(a, b, |a, b| a.abs_diff(b) != 1 && a != 2 * b && b != 2 * a),
                    }
                }
            }
            Constraint::Even(cell) => self.check(vec![cell.index()], |d| d[0] % 2 == 0),
            Constraint::Odd(cell) => self.check(vec![cell.index()], |d| d[0] == 0 || d[0] % 2 == 1),
            Constraint::Maximum(cell) | Constraint::Minimum(cell) => {
                let is_maximum = matches!(constraint, Constraint::Maximum(_));
                for (a, b) in self.pairs_at(&orthogonal) {
                    if a == cell.index() || b == cell.index() {
                        let other = a + b - cell.index();
                        self.pair(cell.index(), other, move |own, other| {
                            if is_maximum { own > other } else { own < other }
                        });
                    }
                }
            }
            Constraint::Indexer { kind, cells } => {
                for cell in indices(cells) {
                    let (row, column) = (cell / side, cell % side);
                    let number = if *kind == Indexer::Row { row + 1 } else { column + 1 };
                    for at in 0..side {
                        let other = if *kind == Indexer::Row {
                            at * side + column
                        } else {
                            row * side + at
                        };
                        let (place, number) = (at as u32 + 1, number as u32);
                        if other != cell {
                            self.pair(cell, other, move |own, other| {
                                (own == place) == (other == number)
                            });
                        } else {
                            self.check(vec![cell], move |digits| {
                                digits[0] == 0 || digits[0] != place || place == number
                            });
                        }
                    }
                }
            }
            Constraint::ExtraRegion(cells) => self.different(indices(cells)),
            Constraint::Cage { cells, sum } => {
                self.different(indices(cells));
                if let Some(sum) = *sum {
                    self.check(indices(cells), move |digits| {
                        differ(digits) && can_have_sum(digits, sum, side)
                    });
                }
            }
            Constraint::Clone { cells, clones } => {
                for (a, b) in indices(cells).into_iter().zip(indices(clones)) {
                    self.pair(a, b, |a, b| a == b);
                }
            }
            Constraint::Quadruple { cells, digits } => {
                let required: Vec<u32> = digits.iter().map(|digit| digit.number().into()).collect();
                self.check(indices(cells), move |digits| {
                    let unknown = digits.iter().filter(|digit| **digit == 0).count();
                    let count = |list: &[u32], digit: u32| {
                        list.iter().filter(|other| **other == digit).count()
                    };
                    let mut different = required.clone();
                    different.dedup();
                    let missing = different
                        .iter()
                        .map(|&digit| count(&required, digit).saturating_sub(count(digits, digit)));
                    missing.sum::<usize>() <= unknown
                });
            }
            Constraint::CountingCircles(cells) => {
                self.check(indices(cells), |digits| {
                    let unknown = digits.iter().filter(|digit| **digit == 0).count();
                    digits.iter().filter(|digit| **digit > 0).all(|digit| {
                        let count = digits.iter().filter(|other| *other == digit).count();
                        count <= *digit as usize && count + unknown >= *digit as usize
                    })
                });
            }
            Constraint::Dot { kind, cells: [a, b] } => {
                let kind = *kind;
                self.pair(a.index(), b.index(), move |a, b| match kind {
                    Dot::Difference(n) => a.abs_diff(b) == u32::from(n),
                    Dot::Ratio(n) => a == u32::from(n) * b || b == u32::from(n) * a,
                    Dot::Total(n) => a + b == u32::from(n),
                    _ => panic!("unknown dot {kind:?}"),
                });
            }
            Constraint::GreaterThan(cells) => {
                for pair in indices(cells).windows(2) {
                    self.pair(pair[0], pair[1], |a, b| a > b);
                }
            }
            Constraint::Line { kind, cells } => self.line(*kind, indices(cells)),
            Constraint::Arrow { circle, lines } => {
                assert_eq!(circle.len(), 1, "pills are not generated");
                for line in lines {
                    assert_eq!(line[0], circle[0]);
                    self.check(indices(line), move |digits| {
                        let (circle, rest) = (digits[0], &digits[1..]);
                        if circle > 0 {
                            can_have_sum(rest, circle, side)
                        } else {
                            (1..=side as u32).any(|sum| can_have_sum(rest, sum, side))
                        }
                    });
                }
            }
            Constraint::Outside { kind, place, value } => self.outside(*kind, *place, *value),
            Constraint::LittleKiller { place, direction, sum } => {
                let (down, right) = match direction {
                    Direction::DownRight => (1, 1),
                    Direction::DownLeft => (1, -1),
                    Direction::UpRight => (-1, 1),
                    Direction::UpLeft => (-1, -1),
                };
                let mut cells = Vec::new();
                let (mut row, mut column) = (i32::from(place.row) - 1, i32::from(place.column) - 1);
                loop {
                    (row, column) = (row + down, column + right);
                    let range = 0..side as i32;
                    if !range.contains(&row) || !range.contains(&column) {
                        break;
                    }
                    cells.push(row as usize * side + column as usize);
                }
                assert!(!cells.is_empty(), "{constraint:?} is beside no diagonal");
                let sum = *sum;
                self.check(cells, move |digits| can_have_sum(digits, sum, side));
            }
            other => panic!("{other:?} is not generated"),
        }
    }

    fn line(&mut self, kind: LineRule, cells: Vec<usize>) {
        let side = self.side;
        let last = cells.len() - 1;
        let steps: Vec<(usize, usize)> = cells.windows(2).map(|pair| (pair[0], pair[1])).collect();
        match kind {
            LineRule::Thermometer => {
                for i in 0..cells.len() {
                    for j in 0..i {
                        let distance = (i - j) as u32;
                        self.pair(cells[j], cells[i], move |a, b| a + distance <= b);
                    }
                }
            }
            LineRule::SlowThermometer => {
                steps.into_iter().for_each(|(a, b)| self.pair(a, b, |a, b| a <= b));
            }
            LineRule::Whispers(n) => {
                for (a, b) in steps {
                    self.pair(a, b, move |a, b| a.abs_diff(b) >= u32::from(n));
                }
            }
            LineRule::Palindrome => {
                for at in 0..cells.len() / 2 {
                    self.pair(cells[at], cells[last - at], |a, b| a == b);
                }
            }
            LineRule::Renban => self.check(cells, |digits| {
                let known: Vec<u32> = digits.iter().copied().filter(|digit| *digit > 0).collect();
                let (low, high) = (known.iter().min(), known.iter().max());
                differ(digits)
                    && low.zip(high).is_none_or(|(low, high)| high - low < digits.len() as u32)
            }),
            LineRule::Nabner => {
                for i in 0..cells.len() {
                    for j in 0..i {
                        self.pair(cells[j], cells[i], |a, b| a.abs_diff(b) > 1);
                    }
                }
            }
            LineRule::Entropic => {
                let class = move |digit: u32| (digit as usize - 1) / (side / 3);
                for three in cells.windows(3) {
                    for (a, b) in [(0, 1), (0, 2), (1, 2)] {
                        self.pair(three[a], three[b], move |a, b| class(a) != class(b));
                    }
                }
            }
            LineRule::Modular(n) => {
                let n = u32::from(n);
                for several in cells.windows(n as usize) {
                    for (i, &b) in several.iter().enumerate() {
                        for &a in &several[..i] {
                            self.pair(a, b, move |a, b| a % n != b % n);
                        }
                    }
                }
            }
            LineRule::Between | LineRule::Lockout(_) => self.check(cells, move |digits| {
                let (a, b) = (digits[0], digits[last]);
                if a == 0 || b == 0 {
                    return true;
                }
                let (low, high) = (a.min(b), a.max(b));
                let mut inner = digits[1..last].iter().filter(|digit| **digit > 0);
                match kind {
                    LineRule::Lockout(n) => {
                        high - low >= u32::from(n) && inner.all(|d| *d < low || *d > high)
                    }
                    _ => inner.all(|digit| low < *digit && *digit < high),
                }
            }),
            LineRule::RegionSum => {
                let regions: Vec<Option<usize>> = cells.iter().map(|c| self.region[*c]).collect();
                self.check(cells, move |digits| {
                    let mut sums = Vec::new();
                    let mut at = 0;
                    for segment in regions.chunk_by(|a, b| a == b) {
                        let part = &digits[at..at + segment.len()];
                        at += segment.len();
                        if !part.contains(&0) {
                            sums.push(part.iter().sum::<u32>());
                        }
                    }
                    sums.windows(2).all(|pair| pair[0] == pair[1])
                });
            }
            LineRule::Zipper => self.check(cells, move |digits| {
                let mut sums: Vec<u32> = (0..digits.len() / 2)
                    .filter(|&at| digits[at] > 0 && digits[last - at] > 0)
                    .map(|at| digits[at] + digits[last - at])
                    .collect();
                if digits.len() % 2 == 1 && digits[last / 2] > 0 {
                    sums.push(digits[last / 2]);
                }
                sums.windows(2).all(|pair| pair[0] == pair[1])
            }),
            LineRule::DoubleArrow => self.check(cells, move |digits| {
                let ends = digits[0] + digits[last];
                let inner = &digits[1..last];
                if digits[0] > 0 && digits[last] > 0 {
                    return can_have_sum(inner, ends, side);
                }
                (2..=2 * side as u32).any(|sum| can_have_sum(inner, sum, side))
            }),
            other => panic!("{other:?} is not generated"),
        }
    }

    fn outside(&mut self, kind: Outside, place: Place, value: u32) {
        let side = self.side;
        let (row, column) = (usize::from(place.row), usize::from(place.column));
        let mut cells: Vec<usize> = (0..side)
            .map(|at| {
                if (1..=side).contains(&row) {
                    (row - 1) * side + at
                } else {
                    at * side + column - 1
                }
            })
            .collect();
        if row > side || column > side {
            cells.reverse();
        }
        match kind {
            Outside::Sandwich => self.check(cells, move |digits| {
                let side = digits.len() as u32;
                let is_crust = |digit: &u32| *digit == 1 || *digit == side;
                if !differ(digits) {
                    return false;
                }
                let crusts: Vec<usize> =
                    (0..digits.len()).filter(|&at| is_crust(&digits[at])).collect();
                match crusts[..] {
                    [first, last] => {
                        let inner = &digits[first + 1..last];
                        can_have_sum(inner, value, side as usize)
                    }
                    _ => true,
                }
            }),
            Outside::Skyscraper => self.check(cells, move |digits| {
                let known = digits.iter().position(|digit| *digit == 0).unwrap_or(digits.len());
                let (mut top, mut visible) = (0, 0);
                for &digit in &digits[..known] {
                    if digit > top {
                        (top, visible) = (digit, visible + 1);
                    }
                }
                // Every further visible digit is larger than the ones before.
                let further = (digits.len() - known).min(digits.len() - top as usize) as u32;
                let is_range = visible <= value && value <= visible + further;
                differ(digits) && is_range
            }),
            Outside::XSum => self.check(cells, move |digits| {
                let length = digits[0] as usize;
                let side = digits.len();
                differ(digits) && (length == 0 || can_have_sum(&digits[..length], value, side))
            }),
            Outside::NumberedRoom => self.check(cells, move |digits| {
                let room = digits[0] as usize;
                differ(digits) && (room == 0 || digits[room - 1] == 0 || digits[room - 1] == value)
            }),
            other => panic!("{other:?} is not generated"),
        }
    }
}

/// Whether no known digit appears twice.
fn differ(digits: &[u32]) -> bool {
    let mut seen = 0u64;
    digits.iter().all(|&digit| {
        let bit = 1 << digit;
        let is_new = digit == 0 || seen & bit == 0;
        seen |= bit;
        is_new
    })
}

/// Whether digits can complete the known ones to this sum. Digits may repeat.
fn can_have_sum(digits: &[u32], sum: u32, side: usize) -> bool {
    let unknown = digits.iter().filter(|digit| **digit == 0).count() as u32;
    let known: u32 = digits.iter().sum();
    known + unknown <= sum && sum <= known + unknown * side as u32
}

/// Removes digits that are in no assignment of a check. Returns false if there is no assignment.
fn reduce_check(check: &Check, grid: &mut [u32]) -> bool {
    let masks: Vec<u32> = check.cells.iter().map(|&cell| grid[cell]).collect();
    let known = |mask: &u32| if mask.count_ones() == 1 { mask.trailing_zeros() + 1 } else { 0 };
    let digits: Vec<u32> = masks.iter().map(known).collect();
    if !(check.holds)(&digits) {
        return false;
    }
    let mut supported: Vec<u32> = vec![0; masks.len()];
    for at in 0..masks.len() {
        for digit in 1..=u32::BITS - masks[at].leading_zeros() {
            let bit = 1 << (digit - 1);
            if masks[at] & bit == 0 || supported[at] & bit != 0 {
                continue;
            }
            let mut search = Assignment {
                holds: &check.holds,
                masks: &masks,
                digits: digits.clone(),
                steps: STEPS_PER_DIGIT,
            };
            search.digits[at] = digit;
            if (check.holds)(&search.digits) && search.complete(0) {
                for (supported, digit) in supported.iter_mut().zip(&search.digits) {
                    *supported |= 1 << (digit - 1);
                }
            } else if search.steps == 0 {
                supported[at] |= bit;
            }
        }
    }
    for (&cell, supported) in check.cells.iter().zip(&supported) {
        grid[cell] &= supported;
    }
    check.cells.iter().all(|&cell| grid[cell] != 0)
}

/// A search for digits of all cells of a check.
struct Assignment<'a> {
    holds: &'a Holds,
    masks: &'a [u32],
    digits: Vec<u32>,
    /// The remaining steps; with 0, nothing was proven.
    steps: usize,
}

impl Assignment<'_> {
    fn complete(&mut self, from: usize) -> bool {
        let Some(at) = (from..self.digits.len()).find(|&at| self.digits[at] == 0) else {
            return true;
        };
        let mut left = self.masks[at];
        while left != 0 && self.steps > 0 {
            self.steps -= 1;
            self.digits[at] = left.trailing_zeros() + 1;
            left &= left - 1;
            if (self.holds)(&self.digits) && self.complete(at + 1) {
                return true;
            }
        }
        self.digits[at] = 0;
        false
    }
}
