//! Random lines whose rule is true in the solution: thermometers, arrows, whispers and more.
//!
//! A depth-first search along king moves extends a line as long as its digits can still become a
//! valid line of the wanted length. Lines do not cross themselves, do not overlap each other, and
//! are never implied by one house alone where the rule would say nothing.

use super::board::Board;
use crate::grid::Cell;
use crate::grid::rules::{Constraint, LineRule};
use crate::random::Random;

/// Steps of the search for one line.
const MOST_STEPS: usize = 400;

/// The lines that can be generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    Line(LineRule),
    Arrow,
}

impl Shape {
    /// The allowed lengths on a grid of this side, including the circle of an arrow.
    fn lengths(self, side: usize) -> (usize, usize) {
        let longest = match self {
            Shape::Arrow => 5,
            Shape::Line(LineRule::Thermometer | LineRule::SlowThermometer) => 7,
            Shape::Line(LineRule::Nabner) => side.div_ceil(2).min(5),
            Shape::Line(LineRule::Palindrome | LineRule::Zipper | LineRule::Modular(_)) => 5,
            Shape::Line(LineRule::Whispers(_) | LineRule::RegionSum) => 7,
            Shape::Line(LineRule::Between) => 9,
            Shape::Line(_) => 6,
        };
        let shortest = match self {
            Shape::Line(LineRule::RegionSum | LineRule::Nabner) => 2,
            _ => 3,
        };
        (shortest, longest.min(side).max(shortest))
    }

    /// Whether the digits of a path can be the beginning of a valid line of this length.
    fn can_begin(self, line: &Path<'_>, length: usize) -> bool {
        let digits = &line.digits[..];
        let Some((&last, before)) = digits.split_last() else { return true };
        let Some(&previous) = before.last() else { return true };
        let sum = |digits: &[u8]| digits.iter().map(|&digit| u32::from(digit)).sum::<u32>();
        let is_complete = digits.len() == length;
        match self {
            Shape::Arrow => {
                let (circle, rest) = (u32::from(digits[0]), sum(&digits[1..]));
                if is_complete { rest == circle } else { rest < circle }
            }
            Shape::Line(LineRule::Thermometer) => previous < last,
            Shape::Line(LineRule::SlowThermometer) => previous <= last,
            Shape::Line(LineRule::Whispers(distance)) => previous.abs_diff(last) >= distance,
            Shape::Line(LineRule::Palindrome) => {
                let place = digits.len() - 1;
                let mirror = length - 1 - place;
                mirror >= place || digits[mirror] == last
            }
            Shape::Line(LineRule::Renban) => {
                !before.contains(&last)
                    && before.iter().all(|other| usize::from(last.abs_diff(*other)) < length)
            }
            Shape::Line(LineRule::Nabner) => before.iter().all(|other| last.abs_diff(*other) > 1),
            Shape::Line(LineRule::Entropic) => {
                let class = |digit: u8| (usize::from(digit) - 1) / (line.board.side / 3);
                before.iter().rev().take(2).all(|&other| class(other) != class(last))
            }
            Shape::Line(LineRule::Modular(modulus)) => {
                let window = usize::from(modulus) - 1;
                before.iter().rev().take(window).all(|other| other % modulus != last % modulus)
            }
            Shape::Line(LineRule::Between) => {
                let (low, high) = (digits[0].min(last), digits[0].max(last));
                !is_complete || before[1..].iter().all(|digit| low < *digit && *digit < high)
            }
            Shape::Line(LineRule::Lockout(distance)) => {
                let (low, high) = (digits[0].min(last), digits[0].max(last));
                !is_complete
                    || high - low >= distance
                        && before[1..].iter().all(|digit| *digit < low || *digit > high)
            }
            Shape::Line(LineRule::RegionSum) => line.has_equal_sums(is_complete),
            Shape::Line(LineRule::Zipper) => {
                // In a line of odd length the digit in the middle is the sum.
                let place = digits.len() - 1;
                let mirror = length - 1 - place;
                let middle = digits.get(length / 2);
                length % 2 == 1
                    && (mirror >= place || middle.is_some_and(|sum| digits[mirror] + last == *sum))
            }
            Shape::Line(LineRule::DoubleArrow) => {
                !is_complete || sum(&before[1..]) == u32::from(digits[0]) + u32::from(last)
            }
        }
    }

    fn constraint(self, cells: Vec<Cell>) -> Constraint {
        match self {
            Shape::Arrow => Constraint::Arrow { circle: vec![cells[0]], lines: vec![cells] },
            Shape::Line(kind) => Constraint::Line { kind, cells },
        }
    }
}

/// Lines on free cells, at most `count`. The cells of the lines are free no longer.
pub(super) fn place(
    board: &Board<'_>,
    shape: Shape,
    count: usize,
    is_free: &mut [bool],
    random: &mut Random,
) -> Vec<Constraint> {
    let mut lines = Vec::new();
    let (shortest, longest) = shape.lengths(board.side);
    // Most starts fail for rare shapes such as palindromes.
    for _ in 0..40 * count {
        if lines.len() == count {
            break;
        }
        let length = shortest + random.below(longest - shortest + 1);
        let start = random.below(is_free.len());
        if !is_free[start] {
            continue;
        }
        let Some(cells) = find(board, shape, start, length, is_free, random) else { continue };
        for cell in &cells {
            is_free[cell.index()] = false;
        }
        lines.push(shape.constraint(cells));
    }
    lines
}

fn find(
    board: &Board<'_>,
    shape: Shape,
    start: usize,
    length: usize,
    is_free: &[bool],
    random: &mut Random,
) -> Option<Vec<Cell>> {
    let mut path = Path { board, cells: Vec::new(), digits: Vec::new() };
    path.push(Cell::new(start));
    let mut steps = 0;
    let found = path.extend(shape, length, is_free, &mut steps, random);
    found.then_some(path.cells)
}

struct Path<'a> {
    board: &'a Board<'a>,
    cells: Vec<Cell>,
    digits: Vec<u8>,
}

impl Path<'_> {
    fn push(&mut self, cell: Cell) {
        self.cells.push(cell);
        self.digits.push(self.board.number(cell));
    }

    fn extend(
        &mut self,
        shape: Shape,
        length: usize,
        is_free: &[bool],
        steps: &mut usize,
        random: &mut Random,
    ) -> bool {
        *steps += 1;
        if !shape.can_begin(self, length) {
            return false;
        }
        if self.cells.len() == length {
            return true;
        }
        let mut next = self.next_cells(is_free);
        random.shuffle(&mut next);
        for cell in next {
            if *steps > MOST_STEPS {
                return false;
            }
            self.push(cell);
            if self.extend(shape, length, is_free, steps, random) {
                return true;
            }
            self.cells.pop();
            self.digits.pop();
        }
        false
    }

    /// Free cells a king's move away from the end that do not make the line cross itself.
    fn next_cells(&self, is_free: &[bool]) -> Vec<Cell> {
        let board = self.board;
        let (row, column) = board.place(*self.cells.last().expect("a path has a start"));
        let mut next = Vec::new();
        for to_row in row.saturating_sub(1)..=(row + 1).min(board.side - 1) {
            for to_column in column.saturating_sub(1)..=(column + 1).min(board.side - 1) {
                let cell = board.cell(to_row, to_column);
                let crossed = [board.cell(row, to_column), board.cell(to_row, column)];
                let crosses = to_row != row
                    && to_column != column
                    && self
                        .cells
                        .windows(2)
                        .any(|step| crossed == [step[0], step[1]] || crossed == [step[1], step[0]]);
                if is_free[cell.index()] && !self.cells.contains(&cell) && !crosses {
                    next.push(cell);
                }
            }
        }
        next
    }

    /// Whether the segments of the line have the same sum in every region, as far as it is drawn.
    /// Each region appears once, and a complete line has at least two.
    fn has_equal_sums(&self, is_complete: bool) -> bool {
        let mut segments: Vec<(usize, u32)> = Vec::new();
        for (cell, &digit) in self.cells.iter().zip(&self.digits) {
            let region = self.board.regions[cell.index()];
            let is_known = segments.iter().any(|(other, _)| *other == region);
            match segments.last_mut() {
                Some((last, sum)) if *last == region => *sum += u32::from(digit),
                _ if is_known => return false,
                _ => segments.push((region, u32::from(digit))),
            }
        }
        let Some(((_, last), rest)) = segments.split_last() else { return true };
        let Some((_, first)) = rest.first() else { return !is_complete };
        rest.iter().all(|(_, sum)| sum == first)
            && if is_complete { last == first } else { last <= first }
    }
}
