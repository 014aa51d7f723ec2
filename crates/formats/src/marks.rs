//! Grids of pencil marks, in Ninefold's notation and in that of other programs.
//!
//! Ninefold's notation is unambiguous: `5` is a clue, `+5` a placed digit, `{5}` a single
//! candidate. Other programs write all three as `5`, so their roles are inferred. Programs usually
//! remove a digit from the candidates of all peers when they place it. Therefore a digit is called
//! *settled* if it is not a candidate of any peer, and *listed* if it still is. There are four
//! cases; the first that applies decides for all digits of the text:
//!
//! 1. No digit is listed: all digits are clues.
//! 2. The settled digits leave each cell with a listed digit no other digit: the settled digits are
//!    clues, and each listed digit is the single candidate of an empty cell. Nothing is lost by
//!    leaving these cells empty.
//! 3. The settled digits alone have exactly one solution: the settled digits are clues, and the
//!    listed digits are placed. This case is ambiguous. A player may have forgotten to remove a
//!    placed digit from its peers, or may have removed all but one candidate of an empty cell.
//! 4. The settled digits have no solution or several, or the search for solutions reaches its node
//!    limit: all digits are clues.

use crate::entry::{Entry, ParseOptions, digits_left};
use crate::error::{ReadError, ReadErrorKind};
use crate::lines::Lines;
use crate::record::RecordText;
use ninefold::grid::marks::{Mark, MarkedCells, parse_cells};
use ninefold::grid::{Cell, Digit, Grid, Order};
use ninefold::search::{self, Limits, Solutions};
use std::io::BufRead;

/// The maximum number of lines of a grid, including its bars.
const MAX_LINES: usize = 400;

/// The node limit of the uniqueness check: more than any 9×9 puzzle needs. If a larger grid exceeds
/// it, all its digits become clues.
const MAX_NODES: u64 = 100_000;

/// Reads blocks of lines that end at an empty line, a title or the end of the stream.
pub(crate) struct Blocks<R> {
    pub(crate) lines: Lines<R>,
}

impl<R: BufRead> Blocks<R> {
    pub(crate) fn next(&mut self) -> Option<Result<(u64, RecordText), ReadError>> {
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
                    if count <= MAX_LINES {
                        block += &line;
                        block.push('\n');
                    }
                }
                _ if count > MAX_LINES => {
                    return Some(Err(ReadErrorKind::syntax(format!(
                        "a grid has at most {MAX_LINES} lines, found {count}"
                    ))
                    .at_line(first_line)));
                }
                _ if !block.is_empty() => return Some(Ok((first_line, RecordText::Marks(block)))),
                Some(_) => {}
                None => return None,
            }
        }
    }
}

/// Whether a line separates puzzles: it is empty, a comment or a title.
pub(crate) fn is_gap(line: &str) -> bool {
    let line = line.trim();
    line.is_empty()
        || line.starts_with('#')
        || line.get(..5).is_some_and(|title| title.eq_ignore_ascii_case("grid "))
}

/// Whether the first block of a text has cells with several digits, or symbols that occur only in
/// pencil marks.
pub(crate) fn has_marks(text: &str) -> bool {
    let block: Vec<&str> =
        text.lines().skip_while(|line| is_gap(line)).take_while(|line| !is_gap(line)).collect();
    parse_cells(&block.join("\n"), None).is_ok_and(|cells| {
        let is_list = |mark: &Mark| match mark {
            // In a large grid, two digits may be one number.
            Mark::Candidates(digits) => digits.count() > if cells.order.side() > 9 { 2 } else { 1 },
            _ => false,
        };
        cells.has_signs || cells.marks.iter().any(is_list)
    })
}

pub(crate) fn read(text: &str, options: ParseOptions) -> Result<Entry, ReadErrorKind> {
    let cells = parse_cells(text, options.order)?;
    let (puzzle, filled) =
        if cells.has_signs { explicit_digits(&cells) } else { inferred_digits(&cells) };
    let position = cells.candidates(&filled);
    Ok(Entry::new(options.checked(puzzle)?).with_position(position))
}

/// The clues, and the placed digits if `with_placed`.
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

/// The clues and the filled cells of a text in Ninefold's notation.
fn explicit_digits(cells: &MarkedCells) -> (Grid, Grid) {
    (digits(cells, false), digits(cells, true))
}

/// The clues and the filled cells of a text in another notation, inferred as described in the
/// module documentation.
fn inferred_digits(cells: &MarkedCells) -> (Grid, Grid) {
    let all = digits(cells, true);
    let (settled, listed) = split_listed(cells, &all);
    if listed.is_empty() {
        return (all.clone(), all);
    }
    if listed.iter().all(|&(cell, digit)| digits_left(&settled, cell).only() == Some(digit)) {
        return (settled.clone(), settled);
    }
    if has_one_solution(&settled) { (settled, all) } else { (all.clone(), all) }
}

/// The filled cells of a text whose clues are known. A digit that is still a candidate of a peer is
/// a single candidate, not a filled cell.
pub(crate) fn infer_filled(puzzle: &Grid, cells: &MarkedCells) -> Grid {
    let all = digits(cells, true);
    let (mut filled, _) = split_listed(cells, &all);
    for (cell, digit) in puzzle.clues() {
        filled.set(cell, Some(digit));
    }
    filled
}

/// Splits the digits into those that are not a candidate of any peer, and the others.
fn split_listed(cells: &MarkedCells, all: &Grid) -> (Grid, Vec<(Cell, Digit)>) {
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
    let solver = search::default_for(puzzle);
    let proof = solver.prove(puzzle, &Limits::none().with_nodes(MAX_NODES));
    proof.is_ok_and(|proof| matches!(proof.solutions, Ok(Solutions::One(_))))
}

/// Formats a position as one line with a word per cell, for tables.
pub(crate) fn line(puzzle: &Grid, position: &ninefold::grid::Candidates) -> String {
    ninefold::grid::marks::words(puzzle, position).join(" ")
}

/// Parses a position of a known puzzle: digits only, or the output of [`line`].
pub(crate) fn parse_position(
    puzzle: &Grid,
    text: &str,
) -> Result<Option<ninefold::grid::Candidates>, ReadErrorKind> {
    let order: Option<Order> = Some(puzzle.order());
    if text.trim().is_empty() {
        return Ok(None);
    }
    if !text.trim().contains(char::is_whitespace) {
        let grid =
            ninefold::grid::text::parse_position(text, order).map_err(ReadErrorKind::Position)?;
        return crate::sections::position_from_state(puzzle, &grid).map(Some);
    }
    let cells = parse_cells(text, order)?;
    let filled = if cells.has_signs { digits(&cells, true) } else { infer_filled(puzzle, &cells) };
    crate::sections::check_clues(puzzle, &filled)?;
    Ok(Some(cells.candidates(&filled)))
}
