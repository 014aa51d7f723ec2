//! Grids of pencil marks, of ours and of other programs.
//!
//! Ours tell everything: `5` is a clue, `+5` a digit that was placed, `{5}` a last candidate. Other programs write all
//! three as `5`. What such a digit is then follows from the rest of the grid:
//!
//! - A program strikes a placed digit from every cell that sees it. So a digit that no other cell lists is filled.
//! - A digit that a cell in sight still lists is the last candidate of an empty cell, if this can be seen from the filled
//!   cells alone: they leave it no other digit. Then it is neither a clue nor placed, and nothing is lost, because it follows.
//! - If even one of the digits still listed does not follow so, the text cannot tell: candidates may have been struck for other
//!   reasons, or a player forgets to strike. Then all digits stand in the position, but only those that nobody lists are
//!   clues, unless more than these are needed for a single solution.

use crate::entry::{Entry, Reading, left_by};
use crate::error::{ReadError, Reason};
use crate::lines::Lines;
use crate::record::Written;
use ninefold::grid::marks::{Mark, MarkedCells, read_cells};
use ninefold::grid::{Cell, Digit, Grid, Order};
use ninefold::search::{self, Limits, Solutions};
use std::io::BufRead;

/// More lines than the largest grid with all its bars has.
const MOST_LINES: usize = 400;

/// More nodes than a 9×9 puzzle needs; a larger grid that needs more keeps all its digits as clues.
const MOST_NODES: u64 = 100_000;

/// Lines that belong together, up to an empty line, a title or the end of the stream.
pub(crate) struct Blocks<R> {
    pub(crate) lines: Lines<R>,
}

impl<R: BufRead> Blocks<R> {
    pub(crate) fn next(&mut self) -> Option<Result<(u64, Written), ReadError>> {
        let (mut block, mut first_line, mut count) = (String::new(), 0, 0);
        loop {
            let line = match self.lines.next_text().transpose() {
                Ok(line) => line,
                Err(error) => return Some(Err(error)),
            };
            match line {
                Some((number, line)) if !is_gap(&line) => {
                    if block.is_empty() {
                        first_line = number;
                    }
                    count += 1;
                    if count <= MOST_LINES {
                        block += &line;
                        block.push('\n');
                    }
                }
                _ if count > MOST_LINES => {
                    return Some(Err(
                        Reason::syntax(format!("a grid of {count} lines")).at_line(first_line)
                    ));
                }
                _ if !block.is_empty() => return Some(Ok((first_line, Written::Marks(block)))),
                Some(_) => {}
                None => return None,
            }
        }
    }
}

/// An empty line or a title between two puzzles.
pub(crate) fn is_gap(line: &str) -> bool {
    let line = line.trim();
    line.is_empty()
        || line.starts_with('#')
        || line.get(..5).is_some_and(|title| title.eq_ignore_ascii_case("grid "))
}

/// Does the first block of a text hold several digits in some cells, or a sign that only pencil marks have?
pub(crate) fn has_marks(text: &str) -> bool {
    let block: Vec<&str> =
        text.lines().skip_while(|line| is_gap(line)).take_while(|line| !is_gap(line)).collect();
    read_cells(&block.join("\n"), None).is_ok_and(|cells| {
        let is_list = |mark: &Mark| match mark {
            // In a large grid two digits may be a number.
            Mark::Candidates(digits) => digits.count() > if cells.order.side() > 9 { 2 } else { 1 },
            _ => false,
        };
        cells.has_signs || cells.marks.iter().any(is_list)
    })
}

pub(crate) fn read(text: &str, reading: Reading) -> Result<Entry, Reason> {
    let cells = read_cells(text, reading.order)?;
    let (puzzle, filled) = if cells.has_signs { told(&cells) } else { concluded(&cells) };
    let position = cells.candidates(&filled);
    Ok(Entry::new(reading.checked(puzzle)?).with_position(position))
}

/// The digits alone, those that were placed as well if `with_placed`.
fn digits(cells: &MarkedCells, with_placed: bool) -> Grid {
    let mut grid = Grid::empty(cells.order);
    for (cell, mark) in cells.order.cells().zip(&cells.marks) {
        match mark {
            Mark::Digit(digit) => grid.set(cell, Some(*digit)),
            Mark::Placed(digit) if with_placed => grid.set(cell, Some(*digit)),
            _ => {}
        }
    }
    grid
}

/// Clues and filled cells of a text that has signs for them.
fn told(cells: &MarkedCells) -> (Grid, Grid) {
    (digits(cells, false), digits(cells, true))
}

/// Clues and filled cells of a text without signs; the head of this file says how.
fn concluded(cells: &MarkedCells) -> (Grid, Grid) {
    let all = digits(cells, true);
    let (settled, listed) = parted(cells, &all);
    if listed.is_empty() {
        return (all.clone(), all);
    }
    if listed.iter().all(|&(cell, digit)| left_by(&settled, cell).only() == Some(digit)) {
        return (settled.clone(), settled);
    }
    if has_one_solution(&settled) { (settled, all) } else { (all.clone(), all) }
}

/// The filled cells of a text whose clues are known: a digit alone that a cell in sight still lists is a last candidate.
pub(crate) fn filled_beside(puzzle: &Grid, cells: &MarkedCells) -> Grid {
    let all = digits(cells, true);
    let (mut filled, _) = parted(cells, &all);
    for (cell, digit) in puzzle.clues() {
        filled.set(cell, Some(digit));
    }
    filled
}

/// The digits that no cell in sight lists as a candidate, and the others.
fn parted(cells: &MarkedCells, all: &Grid) -> (Grid, Vec<(Cell, Digit)>) {
    let order = cells.order;
    let lists = |cell: Cell, digit: Digit| match cells.marks[cell.index()] {
        Mark::Candidates(digits) => digits.contains(digit),
        _ => false,
    };
    let is_listed = |&(cell, digit): &(Cell, Digit)| {
        order.peers_of(cell).iter().any(|&peer| lists(peer, digit))
    };
    let listed: Vec<(Cell, Digit)> = all.clues().filter(is_listed).collect();
    let mut settled = all.clone();
    listed.iter().for_each(|&(cell, _)| settled.set(cell, None));
    (settled, listed)
}

fn has_one_solution(puzzle: &Grid) -> bool {
    let solver = search::default_for(puzzle.order());
    let proof = solver.prove(puzzle, &Limits::nodes(MOST_NODES));
    proof.is_ok_and(|proof| matches!(proof.solutions, Ok(Solutions::One(_))))
}

/// A position as the words of its cells in one line, for tables.
pub(crate) fn line(puzzle: &Grid, position: &ninefold::grid::Candidates) -> String {
    ninefold::grid::marks::words(puzzle, position).join(" ")
}

/// Reads a position beside its puzzle: digits alone, or what [`line`] writes.
pub(crate) fn position_beside(
    puzzle: &Grid,
    written: &str,
) -> Result<Option<ninefold::grid::Candidates>, Reason> {
    let order: Option<Order> = Some(puzzle.order());
    if written.trim().is_empty() {
        return Ok(None);
    }
    if !written.trim().contains(char::is_whitespace) {
        let grid = ninefold::grid::text::read_position(written, order).map_err(Reason::Position)?;
        return crate::sections::state_beside(puzzle, &grid).map(Some);
    }
    let cells = read_cells(written, order)?;
    let filled = if cells.has_signs { digits(&cells, true) } else { filled_beside(puzzle, &cells) };
    crate::sections::keeps_clues(puzzle, &filled)?;
    Ok(Some(cells.candidates(&filled)))
}
