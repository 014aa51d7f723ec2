//! Constraints as setters write them, compared with a direct definition of each on all 4×4 grids.
//!
//! The definitions here share no code with the primitives that constraints are lowered to, so equal
//! sets of solutions show that every constraint is lowered, checked and compiled correctly.

use ninefold::Limits;
use ninefold::grid::rules::{
    Constraint, Diagonal, Direction, Dot, Indexer, LineRule, Negative, Outside, Place, Rules,
};
use ninefold::grid::{Cell, Digit, DigitSet, Order};
use ninefold::random::Random;
use ninefold::search::rules::solve;
use std::collections::BTreeSet;

const SIDE: usize = 4;

/// The digits of a full grid.
struct Full<'a> {
    digits: &'a [u8],
    regions: &'a [u8],
}

impl Full<'_> {
    fn at(&self, cell: Cell) -> i64 {
        i64::from(self.digits[cell.index()])
    }

    fn numbers(&self, cells: &[Cell]) -> Vec<i64> {
        cells.iter().map(|&cell| self.at(cell)).collect()
    }

    fn all_pairs(
        &self,
        mut holds: impl FnMut((usize, usize), i64, (usize, usize), i64) -> bool,
    ) -> bool {
        (0..16).all(|a| {
            (0..16).all(|b| {
                let (one, two) = ((a / SIDE, a % SIDE), (b / SIDE, b % SIDE));
                holds(one, i64::from(self.digits[a]), two, i64::from(self.digits[b]))
            })
        })
    }
}

fn all_different(numbers: &[i64]) -> bool {
    numbers.iter().collect::<BTreeSet<_>>().len() == numbers.len()
}

fn place(cell: Cell) -> (usize, usize) {
    (cell.index() / SIDE, cell.index() % SIDE)
}

fn distances(one: (usize, usize), two: (usize, usize)) -> (usize, usize) {
    (one.0.abs_diff(two.0), one.1.abs_diff(two.1))
}

fn are_neighbours(one: (usize, usize), two: (usize, usize)) -> bool {
    let (rows, columns) = distances(one, two);
    rows + columns == 1
}

/// The meaning of a constraint among others, in the words of its rule.
fn holds(constraint: &Constraint, all: &[Constraint], grid: &Full) -> bool {
    match constraint {
        Constraint::Diagonal(kind) => {
            let column = |row: usize| if *kind == Diagonal::Falling { row } else { SIDE - 1 - row };
            let numbers: Vec<i64> =
                (0..SIDE).map(|row| grid.at(Cell::new(row * SIDE + column(row)))).collect();
            all_different(&numbers)
        }
        Constraint::DisjointGroups => grid.all_pairs(|one, x, two, y| {
            one == two || x != y || one.0 % 2 != two.0 % 2 || one.1 % 2 != two.1 % 2
        }),
        Constraint::AntiKnight => grid
            .all_pairs(|one, x, two, y| x != y || !matches!(distances(one, two), (1, 2) | (2, 1))),
        Constraint::AntiKing => {
            grid.all_pairs(|one, x, two, y| x != y || distances(one, two) != (1, 1))
        }
        Constraint::Nonconsecutive => {
            grid.all_pairs(|one, x, two, y| !are_neighbours(one, two) || (x - y).abs() != 1)
        }
        Constraint::UsualBoxes => grid.all_pairs(|one, x, two, y| {
            one == two || x != y || one.0 / 2 != two.0 / 2 || one.1 / 2 != two.1 / 2
        }),
        Constraint::Negative(kind) => {
            let has_dot = |one, two, white: bool, black: bool, sums: bool| {
                all.iter().any(|other| {
                    let Constraint::Dot { kind, cells: [a, b] } = other else { return false };
                    let is_here =
                        [(place(*a), place(*b)), (place(*b), place(*a))].contains(&(one, two));
                    let is_meant = match kind {
                        Dot::Difference(_) => white,
                        Dot::Ratio(_) => black,
                        _ => sums,
                    };
                    is_here && is_meant
                })
            };
            let consecutive = |x: i64, y: i64| (x - y).abs() == 1;
            let double = |x: i64, y: i64| x == 2 * y || y == 2 * x;
            grid.all_pairs(|one, x, two, y| {
                if !are_neighbours(one, two) {
                    return true;
                }
                match kind {
                    Negative::Difference => {
                        has_dot(one, two, true, false, false) || !consecutive(x, y)
                    }
                    Negative::Ratio => has_dot(one, two, false, true, false) || !double(x, y),
                    Negative::Kropki => {
                        has_dot(one, two, true, true, false) || !(consecutive(x, y) || double(x, y))
                    }
                    _ => has_dot(one, two, false, false, true) || ![5, 10].contains(&(x + y)),
                }
            })
        }
        Constraint::Candidates { cell, digits } => {
            digits.map(|digit| i64::from(digit.number())).any(|number| number == grid.at(*cell))
        }
        Constraint::Even(cell) => grid.at(*cell) % 2 == 0,
        Constraint::Odd(cell) => grid.at(*cell) % 2 == 1,
        Constraint::Maximum(cell) => grid.all_pairs(|one, x, two, y| {
            let other = all.contains(&Constraint::Maximum(Cell::new(two.0 * SIDE + two.1)));
            one != place(*cell) || !are_neighbours(one, two) || other || x > y
        }),
        Constraint::Minimum(cell) => grid.all_pairs(|one, x, two, y| {
            let other = all.contains(&Constraint::Minimum(Cell::new(two.0 * SIDE + two.1)));
            one != place(*cell) || !are_neighbours(one, two) || other || x < y
        }),
        Constraint::Indexer { kind, cells } => cells.iter().all(|&cell| {
            let ((row, column), digit) = (place(cell), grid.at(cell) as usize - 1);
            let (other, number) = match kind {
                Indexer::Row => ((digit, column), row),
                Indexer::Column => ((row, digit), column),
                _ => {
                    let (top, left) = (row / 2 * 2, column / 2 * 2);
                    ((top + digit / 2, left + digit % 2), (row - top) * 2 + column - left)
                }
            };
            grid.at(Cell::new(other.0 * SIDE + other.1)) as usize == number + 1
        }),
        Constraint::ExtraRegion(cells) => all_different(&grid.numbers(cells)),
        Constraint::Cage { cells, sum } => {
            let numbers = grid.numbers(cells);
            let total: i64 = numbers.iter().sum();
            all_different(&numbers) && sum.is_none_or(|sum| i64::from(sum) == total)
        }
        Constraint::Clone { cells, clones } => grid.numbers(cells) == grid.numbers(clones),
        Constraint::Quadruple { cells, digits } => {
            let mut left = grid.numbers(cells);
            digits.iter().all(|digit| {
                let number = i64::from(digit.number());
                let found = left.iter().position(|other| *other == number);
                found.map(|at| left.swap_remove(at)).is_some()
            })
        }
        Constraint::CountingCircles(cells) => {
            let numbers = grid.numbers(cells);
            numbers
                .iter()
                .all(|n| numbers.iter().filter(|other| *other == n).count() == *n as usize)
        }
        Constraint::Dot { kind, cells } => {
            let (x, y) = (grid.at(cells[0]), grid.at(cells[1]));
            match *kind {
                Dot::Difference(n) => (x - y).abs() == i64::from(n),
                Dot::Ratio(n) => x.max(y) == i64::from(n) * x.min(y),
                Dot::Total(n) => x + y == i64::from(n),
                _ => unreachable!("the test makes no other dots"),
            }
        }
        Constraint::GreaterThan(cells) => {
            grid.numbers(cells).windows(2).all(|pair| pair[0] > pair[1])
        }
        Constraint::Line { kind, cells } => line_holds(*kind, cells, grid),
        Constraint::Arrow { circle, lines } => {
            let mut pill = circle.clone();
            pill.sort();
            let number = grid.numbers(&pill).iter().fold(0, |number, digit| 10 * number + digit);
            lines.iter().all(|line| grid.numbers(&line[1..]).iter().sum::<i64>() == number)
        }
        Constraint::Outside { kind, place, value } => {
            let (row, column) = (usize::from(place.row), usize::from(place.column));
            let mut line: Vec<i64> = (0..SIDE)
                .map(|at| {
                    let (r, c) =
                        if row == 0 || row == 5 { (at, column - 1) } else { (row - 1, at) };
                    grid.at(Cell::new(r * SIDE + c))
                })
                .collect();
            if row == 5 || column == 5 {
                line.reverse();
            }
            let found = match kind {
                Outside::Sandwich => {
                    let crust = |n: i64| line.iter().position(|digit| *digit == n).unwrap();
                    let (first, last) = (crust(1).min(crust(4)), crust(1).max(crust(4)));
                    line[first + 1..last].iter().sum()
                }
                Outside::XSum => line[..line[0] as usize].iter().sum(),
                Outside::Skyscraper => {
                    (0..SIDE).filter(|&at| line[..at].iter().all(|d| *d < line[at])).count() as i64
                }
                _ => line[line[0] as usize - 1],
            };
            found == i64::from(*value)
        }
        Constraint::LittleKiller { place, direction, sum } => {
            let (mut row, mut column) = (i64::from(place.row), i64::from(place.column));
            let mut total = 0;
            for _ in 0..SIDE {
                row += if matches!(direction, Direction::DownLeft | Direction::DownRight) {
                    1
                } else {
                    -1
                };
                column += if matches!(direction, Direction::DownRight | Direction::UpRight) {
                    1
                } else {
                    -1
                };
                if (1..=4).contains(&row) && (1..=4).contains(&column) {
                    total += grid.at(Cell::new((row as usize - 1) * SIDE + column as usize - 1));
                }
            }
            total == i64::from(*sum)
        }
        Constraint::Sum { terms, total } => {
            let sum: i64 = terms.iter().map(|&(k, cell)| i64::from(k) * grid.at(cell)).sum();
            sum == i64::from(*total)
        }
        other => unreachable!("the test makes no {other:?}"),
    }
}

fn line_holds(kind: LineRule, cells: &[Cell], grid: &Full) -> bool {
    let line = grid.numbers(cells);
    let last = line.len() - 1;
    let inner = &line[1..last];
    let (low, high) = (line[0].min(line[last]), line[0].max(line[last]));
    let range = line.iter().max().unwrap() - line.iter().min().unwrap();
    let neighbours_differ = |n: i64| line.windows(2).all(|pair| (pair[0] - pair[1]).abs() >= n);
    match kind {
        LineRule::Thermometer => line.windows(2).all(|pair| pair[0] < pair[1]),
        LineRule::SlowThermometer => line.windows(2).all(|pair| pair[0] <= pair[1]),
        LineRule::Whispers(n) => neighbours_differ(n.into()),
        LineRule::Palindrome => line.iter().eq(line.iter().rev()),
        LineRule::Renban => all_different(&line) && range == last as i64,
        LineRule::Nabner => {
            let mut sorted = line.clone();
            sorted.sort();
            sorted.windows(2).all(|pair| pair[1] - pair[0] >= 2)
        }
        // Low is 1 and 2, high is 3 and 4: no three cells differ, so two cells are no restriction.
        LineRule::Entropic => last < 2 && (line[0] > 2) != (line[1] > 2),
        LineRule::Modular(n) => {
            line.windows(usize::from(n)).all(|window| {
                let classes: Vec<i64> = window.iter().map(|digit| digit % i64::from(n)).collect();
                all_different(&classes)
            }) && (line.len() >= usize::from(n) || {
                let classes: Vec<i64> = line.iter().map(|digit| digit % i64::from(n)).collect();
                all_different(&classes)
            })
        }
        LineRule::Between => inner.iter().all(|digit| low < *digit && *digit < high),
        LineRule::Lockout(n) => {
            high - low >= i64::from(n) && inner.iter().all(|digit| *digit < low || *digit > high)
        }
        LineRule::RegionSum => {
            let region = |cell: &Cell| grid.regions[cell.index()];
            let segments = cells.chunk_by(|a, b| region(a) == region(b));
            let sums: BTreeSet<i64> =
                segments.map(|segment| grid.numbers(segment).iter().sum()).collect();
            sums.len() == 1
        }
        LineRule::Zipper => {
            let sum = |at: usize| line[at] + line[last - at];
            let middle = if last.is_multiple_of(2) { line[last / 2] } else { sum(0) };
            (0..line.len() / 2).all(|at| sum(at) == middle)
        }
        LineRule::DoubleArrow => inner.iter().sum::<i64>() == line[0] + line[last],
        other => unreachable!("the test makes no {other:?}"),
    }
}

fn distinct_cells(random: &mut Random, least: usize, most: usize) -> Vec<Cell> {
    let count = least + random.below(most - least + 1);
    let mut cells: Vec<Cell> = (0..SIDE * SIDE).map(Cell::new).collect();
    random.shuffle(&mut cells);
    cells.truncate(count);
    cells
}

fn random_constraint(random: &mut Random) -> Constraint {
    let cell = Cell::new(random.below(16));
    let small = 1 + random.below(3) as u8;
    match random.below(24) {
        0 => Constraint::Diagonal([Diagonal::Rising, Diagonal::Falling][random.below(2)]),
        1 => [
            Constraint::DisjointGroups,
            Constraint::AntiKnight,
            Constraint::AntiKing,
            Constraint::Nonconsecutive,
            Constraint::UsualBoxes,
        ][random.below(5)]
        .clone(),
        2 => Constraint::Negative(
            [Negative::Difference, Negative::Ratio, Negative::Kropki, Negative::Xv]
                [random.below(4)],
        ),
        3 => {
            let digits = DigitSet::from_bits(1 + random.below(15) as u64);
            Constraint::Candidates { cell, digits }
        }
        4 => [Constraint::Even(cell), Constraint::Odd(cell)][random.below(2)].clone(),
        5 => Constraint::Maximum(cell),
        6 => Constraint::Minimum(cell),
        7 => {
            let kind = [Indexer::Row, Indexer::Column, Indexer::Box][random.below(3)];
            Constraint::Indexer { kind, cells: distinct_cells(random, 1, 2) }
        }
        8 => Constraint::ExtraRegion(distinct_cells(random, 2, 4)),
        9 => {
            let cells = distinct_cells(random, 1, 3);
            let least = cells.len() * (cells.len() + 1) / 2;
            let sum = least + random.below(cells.len() * (SIDE - cells.len()) + 1);
            Constraint::Cage { cells, sum: Some(sum as u32).filter(|_| random.below(4) > 0) }
        }
        10 => {
            let mut cells = distinct_cells(random, 2, 2);
            let clones = cells.split_off(1);
            Constraint::Clone { cells, clones }
        }
        11 => {
            let digits =
                (0..1 + random.below(2)).map(|_| Digit::from_index(random.below(4))).collect();
            Constraint::Quadruple { cells: distinct_cells(random, 4, 4), digits }
        }
        12 => Constraint::CountingCircles(distinct_cells(random, 1, 5)),
        13 | 14 => {
            // A dot between neighbours, so that negative rules meet it.
            let (row, column) = (random.below(4), random.below(3));
            let (a, b) = (row * SIDE + column, row * SIDE + column + 1);
            let (a, b) = if random.below(2) == 0 { (a, b) } else { (b, a) };
            let kind = match random.below(3) {
                0 => Dot::Difference(small),
                1 => Dot::Ratio(small),
                _ => Dot::Total(5),
            };
            Constraint::Dot { kind, cells: [Cell::new(a), Cell::new(b)] }
        }
        15 => Constraint::GreaterThan(distinct_cells(random, 2, 3)),
        16..=19 => {
            let kinds = [
                LineRule::Thermometer,
                LineRule::SlowThermometer,
                LineRule::Whispers(small),
                LineRule::Palindrome,
                LineRule::Renban,
                LineRule::Nabner,
                LineRule::Entropic,
                LineRule::Modular(small),
                LineRule::Between,
                LineRule::Lockout(small),
                LineRule::RegionSum,
                LineRule::Zipper,
                LineRule::DoubleArrow,
            ];
            let kind = kinds[random.below(kinds.len())];
            let least = if kind == LineRule::DoubleArrow { 3 } else { 2 };
            Constraint::Line { kind, cells: distinct_cells(random, least, 4) }
        }
        20 => {
            let cells = distinct_cells(random, 3, 5);
            let circle = if random.below(3) == 0 {
                vec![Cell::new(15), Cell::new(14)]
            } else {
                vec![cells[0]]
            };
            let mut line = vec![circle[0]];
            line.extend(cells[1..].iter().filter(|cell| !circle.contains(cell)));
            if line.len() == 1 {
                line.push(Cell::new(0));
            }
            Constraint::Arrow { circle, lines: vec![line] }
        }
        21 | 22 => {
            let at = 1 + random.below(4) as u8;
            let (row, column) = [(0, at), (5, at), (at, 0), (at, 5)][random.below(4)];
            let place = Place { row, column };
            match random.below(5) {
                0 => {
                    let value = [0, 2, 3, 5][random.below(4)];
                    Constraint::Outside { kind: Outside::Sandwich, place, value }
                }
                1 => {
                    let value = 1 + random.below(10) as u32;
                    Constraint::Outside { kind: Outside::XSum, place, value }
                }
                2 => Constraint::Outside { kind: Outside::Skyscraper, place, value: small.into() },
                3 => {
                    Constraint::Outside { kind: Outside::NumberedRoom, place, value: small.into() }
                }
                _ => {
                    let place = Place { row: 0, column: random.below(4) as u8 };
                    let direction = Direction::DownRight;
                    let length = 4 - u32::from(place.column);
                    let sum = length + random.below(3 * length as usize + 1) as u32;
                    Constraint::LittleKiller { place, direction, sum }
                }
            }
        }
        _ => {
            let cells = distinct_cells(random, 2, 4);
            let terms: Vec<(i32, Cell)> =
                cells.into_iter().map(|cell| ([1, 1, 2, -1][random.below(4)], cell)).collect();
            let least: i32 = terms.iter().map(|(k, _)| (*k).min(4 * k)).sum();
            let most: i32 = terms.iter().map(|(k, _)| (*k).max(4 * k)).sum();
            let total = least + random.below((most - least) as usize + 1) as i32;
            Constraint::Sum { terms, total }
        }
    }
}

#[test]
fn finds_exactly_the_grids_that_satisfy_random_constraints() {
    let mut random = Random::new(7);
    let latin = solve(&Rules::without_regions(SIDE).unwrap(), &[None; 16], 1000, &Limits::none());
    let numbers = |grid: &Vec<Digit>| grid.iter().map(|digit| digit.number()).collect::<Vec<u8>>();
    let latin: Vec<Vec<u8>> = latin.solutions.iter().map(numbers).collect();
    assert_eq!(latin.len(), 576);
    let boxes: Vec<u8> = Order::FOUR.cells().map(|cell| Order::FOUR.box_of(cell) as u8).collect();
    let pieces = [0, 0, 0, 1, 0, 2, 1, 1, 2, 2, 1, 3, 2, 3, 3, 3].to_vec();
    let (mut none, mut some) = (0, 0);
    for case in 0..2000 {
        let regions = [&boxes, &pieces][random.below(2)];
        let mut rules =
            Rules::jigsaw(SIDE, regions.iter().map(|&region| Some(region)).collect()).unwrap();
        let constraints: Vec<Constraint> =
            (0..1 + random.below(3)).map(|_| random_constraint(&mut random)).collect();
        let is_box_indexer = |constraint: &Constraint| {
            matches!(constraint, Constraint::Indexer { kind: Indexer::Box, .. })
        };
        if regions == &pieces && constraints.iter().any(is_box_indexer) {
            continue; // It needs boxes.
        }
        for constraint in &constraints {
            rules.push(constraint.clone()).unwrap_or_else(|error| panic!("case {case}: {error}"));
        }
        let follows_regions = |grid: &&Vec<u8>| {
            (0..16).all(|a| (0..a).all(|b| regions[a] != regions[b] || grid[a] != grid[b]))
        };
        let mut expected: Vec<Vec<u8>> = latin
            .iter()
            .filter(follows_regions)
            .filter(|digits| {
                let full = Full { digits, regions };
                constraints.iter().all(|constraint| holds(constraint, &constraints, &full))
            })
            .cloned()
            .collect();
        let found = solve(&rules, &[None; 16], 1000, &Limits::none());
        let mut found: Vec<Vec<u8>> = found.solutions.iter().map(numbers).collect();
        expected.sort();
        found.sort();
        assert_eq!(found, expected, "case {case}: {constraints:?}");
        if expected.is_empty() { none += 1 } else { some += 1 }
    }
    assert!(none > 200 && some > 500, "{none} impossible and {some} possible cases");
}
