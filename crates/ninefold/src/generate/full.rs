//! Complete grids: the solutions that puzzles are cut out of.
//!
//! How random they are. In 9×9 the first band and the first stack are drawn, each pair of them equally likely, and a
//! search fills the other 36 cells with the first solution it finds. In other sizes up to 16×16 the boxes on the diagonal,
//! which do not see each other, get random digits, and the search tries digits in random order. Then a random symmetry is
//! applied. So all images of a grid are equally likely, but some classes come up more often than others: those whose
//! band and stack have few completions. One trace of it: 40,000 grids had 10.85 rectangles in which two digits can
//! change places, on average, and 11.6 after 20 or 60 mixing steps. [`mixed`] removes that bias as far as one likes: each of its steps takes three
//! digits out of the grid and puts them back in one of all possible ways, each equally likely. Such a step does not
//! prefer any grid, so after many of them all grids that can be reached are equally likely.
//!
//! Above 16×16 a random fill may never end. There the start is a regular grid, each row the one above shifted, and
//! steps of a cheaper kind mix it: the cells of two digits form rings, and each ring exchanges its digits or not with
//! equal chance.

use super::fill;
use crate::grid::{Cell, Digit, Grid, Order, Symmetry};
use crate::random::Random;
use crate::search::bands::Bands;
use crate::search::batch::Batch;
use crate::search::nine::{self, Line};
use crate::search::{Limits, Solver, unique};
use std::ops::ControlFlow;

/// The largest side that is filled by search.
const LARGEST_SEARCHED_SIDE: usize = 16;

/// A random complete grid, made as the header says.
///
/// ```
/// use ninefold::generate::full;
/// use ninefold::grid::Order;
/// use ninefold::random::Random;
///
/// let grid = full::random(Order::NINE, &mut Random::new(1));
/// assert!(grid.is_solved());
/// assert_eq!(full::random(Order::NINE, &mut Random::new(1)), grid);
/// ```
pub fn random(order: Order, random: &mut Random) -> Grid {
    let grid = match order.side() <= LARGEST_SEARCHED_SIDE {
        true => filled(order, random),
        false => {
            let mut grid = regular(order);
            for _ in 0..4 * order.side() * order.side() {
                exchange_two_digits(&mut grid, random);
            }
            grid
        }
    };
    Symmetry::random(order, random).image(&grid)
}

/// A random complete grid after `steps` mixing steps; see the header.
pub fn mixed(order: Order, steps: usize, random: &mut Random) -> Grid {
    let mut grid = self::random(order, random);
    for _ in 0..steps {
        if order.side() <= LARGEST_SEARCHED_SIDE {
            refill_three_digits(&mut grid, random);
        } else {
            exchange_two_digits(&mut grid, random);
        }
    }
    Symmetry::random(order, random).image(&grid)
}

/// A complete grid of any order without any chance in it: each row is the one above, shifted.
#[must_use]
pub fn regular(order: Order) -> Grid {
    let mut grid = Grid::empty(order);
    for cell in order.cells() {
        let row = order.row_of(cell);
        let shift = row % order.box_rows() * order.box_columns() + row / order.box_rows();
        grid.set(cell, Some(Digit::from_index((order.column_of(cell) + shift) % order.side())));
    }
    grid
}

fn filled(order: Order, random: &mut Random) -> Grid {
    let mut nodes = 20 * order.cell_count() as u64;
    loop {
        let completed = match order == Order::NINE {
            // Of the fast solvers this one gives the same answer on every processor.
            true => Bands.first(&band_and_stack(random), &Limits::none()).expect("it takes 9×9").0,
            false => fill::at_random(&boxes_on_the_diagonal(order, random), random, nodes),
        };
        if let Some(grid) = completed {
            return grid;
        }
        nodes += nodes / 2; // The rare start that cannot be completed, or not quickly, is thrown away.
    }
}

fn boxes_on_the_diagonal(order: Order, random: &mut Random) -> Grid {
    let mut start = Grid::empty(order);
    let bands = order.side() / order.box_rows();
    let stacks = order.side() / order.box_columns();
    for diagonal in 0..bands.min(stacks) {
        let mut digits: Vec<Digit> = order.digits().collect();
        random.shuffle(&mut digits);
        for (place, digit) in digits.into_iter().enumerate() {
            let row = diagonal * order.box_rows() + place / order.box_columns();
            let column = diagonal * order.box_columns() + place % order.box_columns();
            start.set(order.cell(row, column), Some(digit));
        }
    }
    start
}

/// The first band and the first stack of a 9×9 grid, every pair that keeps the rules equally likely.
fn band_and_stack(random: &mut Random) -> Grid {
    let mut digits: [u8; 9] = std::array::from_fn(|index| index as u8);
    random.shuffle(&mut digits);
    let mut start = Grid::empty(Order::NINE);
    let first: [[u8; 3]; 3] =
        std::array::from_fn(|row| std::array::from_fn(|column| digits[row * 3 + column]));
    let turned: [[u8; 3]; 3] =
        std::array::from_fn(|column| std::array::from_fn(|row| first[row][column]));
    let mut write = |row: usize, column: usize, digit: u8| {
        start.set(Order::NINE.cell(row, column), Some(Digit::from_index(usize::from(digit))));
    };
    for (row, digits) in first.iter().enumerate() {
        digits.iter().enumerate().for_each(|(column, &digit)| write(row, column, digit));
    }
    for (row, digits) in boxes_beside(&first, random).iter().enumerate() {
        digits.iter().enumerate().for_each(|(place, &digit)| write(row, place + 3, digit));
    }
    for (column, digits) in boxes_beside(&turned, random).iter().enumerate() {
        digits.iter().enumerate().for_each(|(place, &digit)| write(place + 3, column, digit));
    }
    start
}

/// The second and third box of a band, line by line, for a first box given line by line; each way equally likely.
///
/// A digit stands in another line in each box. If `kept` digits of the first line go to the second line in the second
/// box, then so many of the second line go to the third, and so many of the third to the first: with C(3, kept)³ ways
/// of choosing them, 1 + 27 + 27 + 1 in all. The third box takes what is left.
fn boxes_beside(first: &[[u8; 3]; 3], random: &mut Random) -> [[u8; 6]; 3] {
    let kept = match random.below(56) {
        0 => 0,
        1..=27 => 1,
        28..=54 => 2,
        _ => 3,
    };
    let mut beside = [[0; 6]; 3];
    let mut filled = [0; 3];
    let mut left = [3; 3];
    for (line, digits) in first.iter().enumerate() {
        let mut digits = *digits;
        random.shuffle(&mut digits);
        for (index, digit) in digits.into_iter().enumerate() {
            let (near, far) = ((line + 1) % 3, (line + 2) % 3);
            let (second, third) = if index < kept { (near, far) } else { (far, near) };
            beside[second][filled[second]] = digit;
            filled[second] += 1;
            beside[third][left[third]] = digit;
            left[third] += 1;
        }
    }
    for line in &mut beside {
        random.shuffle(&mut line[..3]);
        random.shuffle(&mut line[3..]);
    }
    beside
}

/// A random complete 9×9 grid, and the number of grids with its first band and its first stack: counted so many times, every
/// grid is equally likely.
pub(super) fn evenly_drawn(random: &mut Random) -> (Line, usize) {
    loop {
        let start = nine::line(&band_and_stack(random)).expect("a 9×9 grid");
        let mut grids = Vec::new();
        Batch::BEST.solve_all(&[start], u64::MAX, &Limits::none(), &mut |_, solution| {
            grids.push(*solution);
            ControlFlow::Continue(())
        });
        // Solvers of other processors find them in another order.
        grids.sort_unstable();
        if let Some(grid) = random.pick(&grids) {
            return (*grid, grids.len());
        }
    }
}

/// Takes three random digits out and chooses among all ways of putting digits back, each equally likely.
fn refill_three_digits(grid: &mut Grid, random: &mut Random) {
    const MOST_WAYS: usize = 5_000;
    let mut digits: Vec<Digit> = grid.order().digits().collect();
    random.shuffle(&mut digits);
    digits.truncate(3);
    let mut open = grid.clone();
    for cell in grid.order().cells() {
        if grid[cell].is_some_and(|digit| digits.contains(&digit)) {
            open.set(cell, None);
        }
    }
    // With too many ways the step is left out, and so it is when listing them reaches its limit. Both depend on the open
    // grid alone, which is the same from each of its ways, so leaving the step out favours none of them.
    let limits = unique::limits_for(grid.order(), unique::NODES_PER_PROOF);
    if let Ok(Some(ways)) = unique::all_solutions(&open, MOST_WAYS, &limits)
        && let Some(way) = random.pick(&ways)
    {
        *grid = way.clone();
    }
}

/// Two digits stand in rings of cells that see each other; each ring exchanges its digits with chance one half.
fn exchange_two_digits(grid: &mut Grid, random: &mut Random) {
    let order = grid.order();
    let first = random.below(order.side());
    let second = (first + 1 + random.below(order.side() - 1)) % order.side();
    let (first, second) = (Digit::from_index(first), Digit::from_index(second));
    let cells: Vec<Cell> = order
        .cells()
        .filter(|&cell| grid[cell] == Some(first) || grid[cell] == Some(second))
        .collect();
    let mut met = vec![false; cells.len()];
    for start in 0..cells.len() {
        if met[start] {
            continue;
        }
        met[start] = true;
        let mut ring = vec![start];
        let mut next = 0;
        while let Some(&member) = ring.get(next) {
            next += 1;
            for other in 0..cells.len() {
                if !met[other] && order.see_each_other(cells[member], cells[other]) {
                    met[other] = true;
                    ring.push(other);
                }
            }
        }
        if random.below(2) == 1 {
            for member in ring {
                let other = if grid[cells[member]] == Some(first) { second } else { first };
                grid.set(cells[member], Some(other));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzles::canonical;
    use std::collections::HashMap;

    #[test]
    fn every_order_up_to_64_gets_a_grid_that_keeps_the_rules() {
        let mut random = Random::new(1);
        for (rows, columns) in
            [(2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (2, 5), (3, 4), (4, 4), (3, 6), (5, 5)]
        {
            let order = Order::boxes(rows, columns).unwrap();
            let grid = self::random(order, &mut random);
            assert!(grid.is_solved(), "{order}");
            assert!(mixed(order, 3, &mut random).is_solved(), "{order}");
        }
        assert!(regular(Order::boxes(8, 8).unwrap()).is_solved());
        assert!(regular(Order::boxes(32, 2).unwrap()).is_solved());
    }

    #[test]
    fn a_band_and_a_stack_keep_the_rules_and_come_in_all_kinds() {
        let mut random = Random::new(5);
        let mut kinds = [0usize; 4];
        for _ in 0..2_000 {
            let start = band_and_stack(&mut random);
            assert_eq!((start.clue_count(), start.conflict()), (45, None));
            // How many digits of row 1 in box 1 stand in row 2 of box 2.
            let row = |row: usize, from: usize| {
                (from..from + 3).map(move |column| Order::NINE.cell(row, column))
            };
            let second: Vec<_> = row(1, 3).map(|cell| start[cell]).collect();
            kinds[row(0, 0).filter(|&cell| second.contains(&start[cell])).count()] += 1;
        }
        // 1, 27, 27 and 1 of 56, so about 36, 964, 964 and 36 of two thousand.
        assert!(
            kinds[1].abs_diff(kinds[2]) < 200
                && (15..70).contains(&kinds[0])
                && (15..70).contains(&kinds[3]),
            "{kinds:?}"
        );
    }

    #[test]
    fn mixing_meets_the_4x4_grids_equally_often() {
        let mut random = Random::new(2);
        let mut seen: HashMap<Grid, usize> = HashMap::new();
        for _ in 0..14_400 {
            *seen.entry(mixed(Order::FOUR, 4, &mut random)).or_default() += 1;
        }
        assert_eq!(seen.len(), 288);
        // 50 times each on average; the standard deviation is 7, so about five of them to either side are plenty.
        assert!(seen.values().all(|count| (15..95).contains(count)), "{:?}", seen.values());
    }

    #[test]
    fn the_6x6_grids_fall_into_49_classes() {
        let order = Order::boxes(2, 3).unwrap();
        let mut random = Random::new(3);
        let mut seen: HashMap<Grid, usize> = HashMap::new();
        for _ in 0..6_000 {
            *seen.entry(canonical(&self::random(order, &mut random)).form).or_default() += 1;
        }
        // Jarvis counted 49 classes of 6×6 grids; six thousand draws meet even the rarest ones.
        assert_eq!(seen.len(), 49, "{:?}", seen.values());
    }
}
