//! Puzzles that take several lines: drawn grids, grids of candidates, and SadMan's `.sdk` files.

use super::lines::Lines;
use super::{BadEntry, Entry, Item, bad_cell, digit_of, grid_of};
use crate::grid::{Candidates, DigitSet, Grid, Order, ParseGridError, text};
use std::io::BufRead;

/// More lines than the largest grid with all its bars has.
const MOST_LINES: usize = 400;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Drawn,
    Marks,
    Sdk,
}

/// Lines that belong together, up to an empty line, a title or the end of the stream.
pub(super) struct Blocks<R> {
    lines: Lines<R>,
    kind: Kind,
    order: Option<Order>,
}

impl<R: BufRead> Blocks<R> {
    pub(super) fn new(lines: Lines<R>, kind: Kind, order: Option<Order>) -> Blocks<R> {
        Blocks { lines, kind, order }
    }

    pub(super) fn next(&mut self) -> Option<Item> {
        if self.kind == Kind::Sdk {
            return self.next_sdk();
        }
        let mut block = String::new();
        let mut first_line = 0;
        let mut count = 0;
        loop {
            let line = match self.lines.next() {
                Some(Ok(numbered)) => Some(numbered),
                Some(Err(bad)) => return Some(Err(bad)),
                None => None,
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
                _ if !block.is_empty() => {
                    let too_long = count > MOST_LINES;
                    return Some(match self.kind {
                        _ if too_long => Err(BadEntry::syntax(first_line, format!("a grid of {count} lines"))),
                        Kind::Marks => read_marks(first_line, &block, self.order),
                        _ => grid_of(&block, self.order).map(Entry::new).map_err(|e| BadEntry::new(first_line, e)),
                    });
                }
                Some(_) => {}
                None => return None,
            }
        }
    }

    /// A `.sdk` file: notes that begin with `#`, then `[Puzzle]` and its rows, then perhaps `[State]` and its rows.
    fn next_sdk(&mut self) -> Option<Item> {
        let (mut puzzle, mut state, mut source) = (String::new(), String::new(), None);
        let (mut first_line, mut is_state, mut count) = (0, false, 0);
        while let Some(line) = self.lines.next() {
            let (number, line) = match line {
                Ok(numbered) => numbered,
                Err(bad) => return Some(Err(bad)),
            };
            let line = line.trim();
            if let Some(note) = line.strip_prefix('#') {
                // #A is the author; the other letters stand for level, date and so on.
                source = note.strip_prefix('A').map(|name| name.trim().to_string()).or(source);
            } else if line.starts_with('[') {
                is_state = line.eq_ignore_ascii_case("[state]");
            } else if !line.is_empty() {
                first_line = if first_line == 0 { number } else { first_line };
                count += 1;
                if count > MOST_LINES {
                    return Some(Err(BadEntry::syntax(number, "a .sdk file holds one puzzle only")));
                }
                let part = if is_state { &mut state } else { &mut puzzle };
                *part += line;
                part.push('\n');
            }
        }
        if puzzle.is_empty() && state.is_empty() {
            return None;
        }
        Some(read_sdk(first_line, &puzzle, &state, source, self.order))
    }
}

fn read_sdk(line: u64, puzzle: &str, state: &str, source: Option<String>, order: Option<Order>) -> Item {
    let puzzle = grid_of(puzzle, order).map_err(|error| BadEntry::new(line, error))?;
    let mut entry = Entry { source, ..Entry::new(puzzle) };
    if !state.is_empty() {
        let state = grid_of(state, Some(entry.puzzle.order())).map_err(|error| BadEntry::new(line, error))?;
        let order = state.order();
        if let Some((cell, _)) = entry.puzzle.clues().find(|&(cell, digit)| state[cell] != Some(digit)) {
            return Err(bad_cell(line, order, cell, "the state has changed a clue"));
        }
        entry.position = Some(Candidates::of(&state).map_err(|c| BadEntry::new(line, ParseGridError::from(c)))?);
    }
    Ok(entry)
}

/// An empty line or a title between two puzzles.
fn is_gap(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#') || line.to_ascii_lowercase().starts_with("grid ")
}

/// Does the first block of a text hold several digits in some cells?
pub(super) fn has_marks(text: &str) -> bool {
    let block: String =
        text.lines().skip_while(|line| is_gap(line)).take_while(|line| !is_gap(line)).collect::<Vec<_>>().join("\n");
    let words = words_of(&block);
    let is_marks = |word: &&str| word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_digit() && byte != b'0');
    Order::of_cell_count(words.len()).is_some_and(|order| order.side() <= 9) && words.iter().any(is_marks)
}

/// The words of a drawn block without bars and rules.
fn words_of(block: &str) -> Vec<&str> {
    let is_drawing = |sign: char| sign.is_whitespace() || matches!(sign, '|' | ':' | '│' | '┃' | '║' | ',');
    block
        .lines()
        .filter(|line| !line.contains("---") && !line.contains("===") && !line.contains('─'))
        .flat_map(|line| line.split(is_drawing))
        .filter(|word| !word.is_empty())
        .collect()
}

/// A cell with one digit is filled, a cell with several has these candidates, `.` has all that the rules allow.
///
/// Nobody's notation tells a filled cell from one with a last candidate; taking it as filled changes nothing but that.
fn read_marks(line: u64, block: &str, order: Option<Order>) -> Item {
    let words = words_of(block);
    let order = match order {
        Some(order) if order.cell_count() != words.len() => {
            return Err(BadEntry::new(line, ParseGridError::WrongLengthFor { found: words.len(), order }));
        }
        Some(order) => order,
        None => Order::of_cell_count(words.len())
            .ok_or_else(|| BadEntry::new(line, ParseGridError::WrongLength { found: words.len() }))?,
    };
    let mut grid = Grid::empty(order);
    let mut marks = vec![DigitSet::EMPTY; order.cell_count()];
    for (cell, word) in order.cells().zip(&words) {
        let word = word.trim_start_matches(['+', '*']);
        if matches!(word, "." | "0" | "_" | "-") {
            continue;
        }
        for sign in word.chars() {
            let digit = digit_of(sign, order)
                .ok_or_else(|| bad_cell(line, order, cell, format!("{sign:?} is no digit of a {order} grid")))?;
            marks[cell.index()].insert(digit);
        }
        if let Some(digit) = marks[cell.index()].only() {
            grid.set(cell, Some(digit));
        }
    }
    let mut candidates = Candidates::of(&grid).map_err(|c| BadEntry::new(line, ParseGridError::from(c)))?;
    for cell in order.cells().filter(|cell| marks[cell.index()].count() > 1) {
        candidates.set(cell, marks[cell.index()]);
    }
    Ok(Entry { position: Some(candidates), ..Entry::new(grid) })
}

/// A drawn grid with all candidates, its columns aligned.
pub(super) fn drawn_marks(candidates: &Candidates) -> String {
    let order = candidates.order();
    let word = |row: usize, column: usize| {
        let cell = order.cell(row, column);
        match candidates.grid()[cell] {
            Some(digit) => text::symbol(order, digit),
            None if candidates.at(cell).is_empty() => ".".to_string(),
            None => candidates.at(cell).map(|digit| text::symbol(order, digit)).collect(),
        }
    };
    let side = order.side();
    let widths: Vec<usize> =
        (0..side).map(|column| (0..side).map(|row| word(row, column).len()).max().unwrap_or(1)).collect();
    let stacks: Vec<usize> = widths
        .chunks(order.box_columns())
        .map(|stack| stack.iter().map(|width| width + 1).sum::<usize>() + 1)
        .collect();
    let rule = format!("+{}", stacks.iter().map(|&width| "-".repeat(width) + "+").collect::<String>());
    let mut lines = vec![rule.clone()];
    for row in 0..side {
        let mut line = String::new();
        for (column, &width) in widths.iter().enumerate() {
            if column % order.box_columns() == 0 {
                line += "| ";
            }
            line += &format!("{:<width$} ", word(row, column));
        }
        lines.push(line + "|");
        if (row + 1) % order.box_rows() == 0 {
            lines.push(rule.clone());
        }
    }
    lines.join("\n")
}
