//! The rules of a puzzle, derived from its solution: cages, lines, dots, marks and clues.

use super::board::Board;
use super::lines::{self, Shape};
use super::{VariantKind, VariantOptions, cages, outside};
use crate::grid::rules::{Constraint, Diagonal, Dot, Indexer, LineRule, Negative, Outside};
use crate::grid::{Cell, DigitSet};
use crate::random::Random;

/// Constraints that are true in the solution.
#[derive(Default)]
pub(super) struct Layout {
    /// Constraints that cannot be removed, because others refer to them.
    pub fixed: Vec<Constraint>,
    /// Constraints that can be removed.
    pub removable: Vec<Constraint>,
    /// More constraints of the same kinds, for puzzles that must have few givens.
    pub spare: Vec<Constraint>,
}

/// The constraints of a kind that apply to the complete grid and do not depend on the solution.
pub(super) fn global(kind: VariantKind) -> Vec<Constraint> {
    match kind {
        VariantKind::X => [Diagonal::Falling, Diagonal::Rising].map(Constraint::Diagonal).into(),
        VariantKind::Windoku => vec![Constraint::Windoku],
        VariantKind::DisjointGroups => vec![Constraint::DisjointGroups],
        VariantKind::AntiKnight => vec![Constraint::AntiKnight],
        VariantKind::AntiKing => vec![Constraint::AntiKing],
        VariantKind::Nonconsecutive => vec![Constraint::Nonconsecutive],
        _ => Vec::new(),
    }
}

impl Layout {
    /// Constraints of all requested kinds. Returns the first kind that does not fit the solution
    /// as an error.
    pub fn new(
        board: &Board<'_>,
        options: &VariantOptions<'_>,
        random: &mut Random,
    ) -> Result<Layout, VariantKind> {
        let mut layout = Layout::default();
        let mut is_free = vec![true; board.solution.len()];
        for &kind in &options.kinds {
            let before = layout.fixed.len() + layout.removable.len();
            layout.add(kind, board, options, &mut is_free, random);
            let is_global = matches!(kind, VariantKind::Jigsaw | VariantKind::NoBoxes)
                || !global(kind).is_empty();
            if !is_global && layout.fixed.len() + layout.removable.len() == before {
                return Err(kind);
            }
        }
        Ok(layout)
    }

    fn add(
        &mut self,
        kind: VariantKind,
        board: &Board<'_>,
        options: &VariantOptions<'_>,
        is_free: &mut [bool],
        random: &mut Random,
    ) {
        let side = board.side;
        if let Some(shape) = shape_of(kind, side) {
            let normal = (side * 2 / 3).max(2);
            let count = options.density.of(normal, 3 * side);
            self.removable.extend(lines::place(board, shape, count, is_free, random));
            if options.clues.is_some() {
                self.spare.extend(lines::place(board, shape, 3 * side, is_free, random));
            }
            return;
        }
        // All possible constraints, and how many of them are usual.
        let (mut all, normal) = match kind {
            VariantKind::Killer => {
                let cages = cages::cover(board, options.cage_sizes.clone(), random);
                let count = cages.len();
                (cages.into_iter().map(|cells| cages::cage(board, cells)).collect(), count)
            }
            VariantKind::ExtraRegions => (extra_regions(board, random), side.div_ceil(3)),
            VariantKind::EvenOdd => (board.cells().map(|c| parity(board, c)).collect(), side * 3),
            VariantKind::GreaterThan => {
                let signs = signs(board);
                let count = signs.len();
                (signs, count)
            }
            VariantKind::Sandwich => (outside::all(board, Outside::Sandwich), 2 * side),
            VariantKind::Skyscraper => (outside::all(board, Outside::Skyscraper), 2 * side),
            VariantKind::XSum => (outside::all(board, Outside::XSum), 2 * side),
            VariantKind::NumberedRoom => (outside::all(board, Outside::NumberedRoom), 2 * side),
            VariantKind::LittleKiller => (outside::little_killers(board), side),
            VariantKind::Quadruple => (quadruples(board, random), side + side / 3),
            VariantKind::Clone => (clones(board, random), side.div_ceil(4)),
            VariantKind::MinMax => (extremes(board), side),
            VariantKind::Indexer => (indexers(board), side),
            VariantKind::CountingCircles => return self.fixed.extend(circles(board, random)),
            VariantKind::Kropki => return self.fixed.extend(dots(board, Negative::Kropki, random)),
            VariantKind::Xv => return self.fixed.extend(dots(board, Negative::Xv, random)),
            VariantKind::Consecutive => {
                return self.fixed.extend(dots(board, Negative::Difference, random));
            }
            _ => return,
        };
        random.shuffle(&mut all);
        let spare = all.split_off(options.density.of(normal, all.len()).min(all.len()));
        self.removable.extend(all);
        self.spare.extend(spare);
    }
}

/// The shape of a kind that consists of lines.
fn shape_of(kind: VariantKind, side: usize) -> Option<Shape> {
    let half = side.div_ceil(2) as u8;
    let rule = match kind {
        VariantKind::Arrow => return Some(Shape::Arrow),
        VariantKind::Thermo => LineRule::Thermometer,
        VariantKind::SlowThermo => LineRule::SlowThermometer,
        VariantKind::DoubleArrow => LineRule::DoubleArrow,
        VariantKind::Whispers => LineRule::Whispers(half),
        VariantKind::Renban => LineRule::Renban,
        VariantKind::Nabner => LineRule::Nabner,
        VariantKind::Palindrome => LineRule::Palindrome,
        VariantKind::Between => LineRule::Between,
        VariantKind::Lockout => LineRule::Lockout(side as u8 / 2),
        VariantKind::RegionSum => LineRule::RegionSum,
        VariantKind::Entropic => LineRule::Entropic,
        VariantKind::Modular => LineRule::Modular(3),
        VariantKind::Zipper => LineRule::Zipper,
        _ => return None,
    };
    Some(Shape::Line(rule))
}

fn extra_regions(board: &Board<'_>, random: &mut Random) -> Vec<Constraint> {
    let mut is_free = vec![true; board.solution.len()];
    let mut regions = Vec::new();
    while regions.len() < board.side.div_ceil(3) {
        let region = cages::extra_region(board, |cell| is_free[cell], random);
        let Some(cells) = region else { break };
        cells.iter().for_each(|cell| is_free[cell.index()] = false);
        regions.push(Constraint::ExtraRegion(cells));
    }
    regions
}

fn parity(board: &Board<'_>, cell: Cell) -> Constraint {
    if board.number(cell).is_multiple_of(2) {
        Constraint::Even(cell)
    } else {
        Constraint::Odd(cell)
    }
}

/// Signs between all neighbours of the same region.
fn signs(board: &Board<'_>) -> Vec<Constraint> {
    let mut pairs = board.neighbour_pairs();
    pairs.retain(|[a, b]| board.regions[a.index()] == board.regions[b.index()]);
    let sign = |[a, b]: [Cell; 2]| {
        let is_descending = board.number(a) > board.number(b);
        Constraint::GreaterThan(if is_descending { vec![a, b] } else { vec![b, a] })
    };
    pairs.into_iter().map(sign).collect()
}

/// All dots of a kind and the rule that they are all.
fn dots(board: &Board<'_>, negative: Negative, random: &mut Random) -> Vec<Constraint> {
    let mut constraints = vec![Constraint::Negative(negative)];
    for cells in board.neighbour_pairs() {
        let [a, b] = cells.map(|cell| board.number(cell));
        let is_consecutive = a.abs_diff(b) == 1;
        let is_double = a == 2 * b || b == 2 * a;
        let kind = match negative {
            // A pair of 1 and 2 has a dot of either colour.
            Negative::Kropki if is_consecutive && is_double => {
                if random.chance(0.5) {
                    Dot::Difference(1)
                } else {
                    Dot::Ratio(2)
                }
            }
            Negative::Kropki | Negative::Difference if is_consecutive => Dot::Difference(1),
            Negative::Kropki | Negative::Ratio if is_double => Dot::Ratio(2),
            Negative::Xv if a + b == 5 || a + b == 10 => Dot::Total(a + b),
            _ => continue,
        };
        constraints.push(Constraint::Dot { kind, cells });
    }
    constraints
}

/// A circle at every inner corner with one to four of the digits around it.
fn quadruples(board: &Board<'_>, random: &mut Random) -> Vec<Constraint> {
    let mut circles = Vec::new();
    for row in 0..board.side - 1 {
        for column in 0..board.side - 1 {
            let cells: Vec<Cell> = [(0, 0), (0, 1), (1, 0), (1, 1)]
                .map(|(r, c)| board.cell(row + r, column + c))
                .into();
            let mut digits: Vec<_> = cells.iter().map(|c| board.solution[c.index()]).collect();
            random.shuffle(&mut digits);
            digits.truncate(1 + random.below(4));
            digits.sort_unstable();
            circles.push(Constraint::Quadruple { cells, digits });
        }
    }
    circles
}

/// Connected groups of two or more cells that are repeated elsewhere; no cell is in two groups.
fn clones(board: &Board<'_>, random: &mut Random) -> Vec<Constraint> {
    let side = board.side as isize;
    let mut offsets: Vec<(isize, isize)> = Vec::new();
    for rows in 0..side {
        let columns = if rows == 0 { 1..side } else { 1 - side..side };
        offsets.extend(columns.map(|columns| (rows, columns)));
    }
    random.shuffle(&mut offsets);
    let mut is_free = vec![true; board.solution.len()];
    let mut found = Vec::new();
    for (rows, columns) in offsets {
        let moved = |cell: Cell| {
            let (row, column) = board.place(cell);
            let (row, column) = (row as isize + rows, column as isize + columns);
            let is_inside = (0..side).contains(&row) && (0..side).contains(&column);
            is_inside.then(|| board.cell(row as usize, column as usize))
        };
        let mut cells: Vec<Cell> = board.cells().collect();
        random.shuffle(&mut cells);
        for start in cells {
            let (mut group, mut copies): (Vec<Cell>, Vec<Cell>) = (Vec::new(), Vec::new());
            let mut waiting = vec![start];
            while let Some(cell) = waiting.pop() {
                let Some(copy) = moved(cell) else { continue };
                let is_new = is_free[cell.index()] && is_free[copy.index()];
                if is_new && board.number(cell) == board.number(copy) {
                    is_free[cell.index()] = false;
                    is_free[copy.index()] = false;
                    group.push(cell);
                    copies.push(copy);
                    waiting.extend(
                        super::regions::neighbours(board.side, cell.index()).map(Cell::new),
                    );
                }
            }
            if group.len() >= 2 {
                found.push(Constraint::Clone { cells: group, clones: copies });
            } else {
                group.iter().chain(&copies).for_each(|cell| is_free[cell.index()] = true);
            }
        }
    }
    found
}

/// All cells that are greater or smaller than every orthogonal neighbour.
fn extremes(board: &Board<'_>) -> Vec<Constraint> {
    let extreme = |cell: Cell| {
        let neighbours = || super::regions::neighbours(board.side, cell.index()).map(Cell::new);
        if neighbours().all(|other| board.number(other) < board.number(cell)) {
            Some(Constraint::Maximum(cell))
        } else if neighbours().all(|other| board.number(other) > board.number(cell)) {
            Some(Constraint::Minimum(cell))
        } else {
            None
        }
    };
    board.cells().filter_map(extreme).collect()
}

/// All cells whose digit is the place of their row's number in their column, or of their column's
/// number in their row.
fn indexers(board: &Board<'_>) -> Vec<Constraint> {
    let mut found = Vec::new();
    for cell in board.cells() {
        let (row, column) = board.place(cell);
        let at = usize::from(board.number(cell)) - 1;
        if usize::from(board.number(board.cell(row, at))) == column + 1 {
            found.push(Constraint::Indexer { kind: Indexer::Column, cells: vec![cell] });
        }
        if usize::from(board.number(board.cell(at, column))) == row + 1 {
            found.push(Constraint::Indexer { kind: Indexer::Row, cells: vec![cell] });
        }
    }
    found
}

/// Circles of which each digit d fills d, in about a quarter of the cells.
fn circles(board: &Board<'_>, random: &mut Random) -> Option<Constraint> {
    let wanted = board.solution.len() / 4;
    let mut numbers: Vec<usize> = (1..=board.side).collect();
    random.shuffle(&mut numbers);
    let mut cells: Vec<Cell> = Vec::new();
    for number in numbers {
        if cells.len() + number > wanted {
            continue;
        }
        let mut places: Vec<Cell> =
            board.cells().filter(|&cell| usize::from(board.number(cell)) == number).collect();
        random.shuffle(&mut places);
        cells.extend(places.into_iter().take(number));
    }
    cells.sort_unstable();
    let digits: DigitSet = board.digits_of(&cells);
    (digits.count() >= 2).then_some(Constraint::CountingCircles(cells))
}
