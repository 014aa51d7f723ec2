//! Files that hold one puzzle in several sections: SadMan's `.sdk` and Simple Sudoku's `.ss`.
//!
//! ```text
//! #A author                              *-----------*
//! [Puzzle]       the clues               |53.|.7.|...|   the clues
//! 53..7....                              …
//! [State]        the digits so far       *-----------*
//! 534.7....                              |534|.7.|...|   the digits so far
//! [PencilMarks]  the candidates          …
//! ,,,26,,2468,189,19,28                  *-----------*
//! …                                      | 5 3 4 26 …    the candidates
//! ```
//! In `[PencilMarks]` the cells of a row are separated by commas. A filled cell, or one without a list, has nothing between
//! them; `-` stands for an empty cell with no candidate left.

use crate::entry::{Entry, Reading, candidates_of, changed_clue, left_by};
use crate::error::{ReadError, Reason};
use crate::lines::Lines;
use crate::marks;
use crate::record::Written;
use ninefold::grid::marks::{Mark, read_cells};
use ninefold::grid::{Candidates, Digit, DigitSet, Grid, Order, text};
use std::io::BufRead;

/// More lines than three of the largest grids with all their bars have.
const MOST_LINES: usize = 600;

/// The lines of a whole file.
pub(crate) struct WholeFile<R> {
    pub(crate) lines: Lines<R>,
    pub(crate) is_ss: bool,
}

impl<R: BufRead> WholeFile<R> {
    /// The only record, then nothing.
    pub(crate) fn next(&mut self) -> Option<Result<(u64, Written), ReadError>> {
        let (mut text, mut first_line, mut count) = (String::new(), 0, 0);
        while let Some(line) = self.lines.next_text() {
            let (number, line) = match line {
                Ok(numbered) => numbered,
                Err(error) => return Some(Err(error)),
            };
            let is_content = !line.trim().is_empty() && !line.trim().starts_with(['#', '[']);
            if is_content {
                first_line = if first_line == 0 { number } else { first_line };
                count += 1;
            }
            if count > MOST_LINES {
                return Some(Err(
                    Reason::syntax("such a file holds one puzzle only").at_line(number)
                ));
            }
            text += &line;
            text.push('\n');
        }
        let written = if self.is_ss { Written::Ss } else { Written::Sdk };
        (count > 0).then(|| Ok((first_line, written(text))))
    }
}

/// Does a text name the sections of a `.sdk` file?
pub(crate) fn is_sdk(text: &str) -> bool {
    let is_section = |line: &str| {
        ["[puzzle]", "[state]"].iter().any(|name| line.trim().eq_ignore_ascii_case(name))
    };
    text.lines().any(is_section)
}

pub(crate) fn read_sdk(file: &str, reading: Reading) -> Result<Entry, Reason> {
    let (mut puzzle, mut state, mut pencil_marks, mut source) =
        (String::new(), String::new(), String::new(), None);
    let mut section = "[puzzle]".to_string();
    for line in file.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(note) = line.strip_prefix('#') {
            // #A is the author; the other letters stand for level, date and so on.
            source = note.strip_prefix('A').map(|name| name.trim().to_string()).or(source);
            continue;
        }
        if line.starts_with('[') {
            section = line.to_ascii_lowercase();
            continue;
        }
        let part = match section.as_str() {
            "[puzzle]" => &mut puzzle,
            "[state]" => &mut state,
            "[pencilmarks]" => &mut pencil_marks,
            // Colours of cells and the like.
            _ => continue,
        };
        *part += line;
        part.push('\n');
    }
    let puzzle = reading.grid(&puzzle)?;
    let order = puzzle.order();
    let mut entry = Entry::new(puzzle).with_source(source);
    if !state.is_empty() || !pencil_marks.is_empty() {
        let digits = match state.is_empty() {
            true => entry.puzzle.clone(),
            false => text::read_position(&state, Some(order)).map_err(Reason::Position)?,
        };
        let mut position = state_beside(&entry.puzzle, &digits)?;
        if !pencil_marks.is_empty() {
            read_pencil_marks(&pencil_marks, &mut position)?;
        }
        entry.position = Some(position);
    }
    Ok(entry)
}

fn read_pencil_marks(rows: &str, position: &mut Candidates) -> Result<(), Reason> {
    let order = position.order();
    let cells: Vec<&str> = rows.lines().flat_map(|row| row.split(',')).collect();
    if cells.len() != order.cell_count() {
        let found = cells.len();
        return Err(Reason::syntax(format!(
            "[PencilMarks] has {found} cells, but the grid has {}",
            order.cell_count()
        )));
    }
    for (cell, word) in order.cells().zip(cells) {
        let word = word.trim();
        if word.is_empty() || position.grid()[cell].is_some() {
            continue;
        }
        let digits = if word == "-" { Some(DigitSet::EMPTY) } else { digits_of(order, word) };
        let digits = digits.ok_or_else(|| {
            Reason::cell(order, cell, format!("{word:?} is not a list of digits"))
        })?;
        position.set(cell, digits);
    }
    Ok(())
}

/// Digits side by side, or with blanks between them where they are numbers.
fn digits_of(order: Order, word: &str) -> Option<DigitSet> {
    if word.contains(' ') || order.side() > 35 {
        return word.split(' ').map(|part| text::digit(order, part)).collect();
    }
    let mut buffer = [0; 4];
    word.chars().map(|sign| text::digit(order, sign.encode_utf8(&mut buffer))).collect()
}

pub(crate) fn write_sdk(entry: &Entry) -> String {
    let source = entry
        .source
        .as_deref()
        .map_or(String::new(), |source| format!("#A{}\n", source.replace('\n', " ")));
    let mut file = format!("{source}[Puzzle]\n{}", rows(&entry.puzzle));
    if let Some(position) = &entry.position {
        file += &format!("[State]\n{}", rows(position.grid()));
        if *position != candidates_of(position.grid()) {
            file += &format!("[PencilMarks]\n{}", pencil_mark_rows(position));
        }
    }
    file
}

fn rows(grid: &Grid) -> String {
    let order = grid.order();
    let separator = if order.side() > 61 { " " } else { "" };
    let row = |row: usize| {
        let symbol = |column| {
            grid[order.cell(row, column)]
                .map_or(".".to_string(), |digit| text::symbol(order, digit))
        };
        (0..order.side()).map(symbol).collect::<Vec<_>>().join(separator) + "\n"
    };
    (0..order.side()).map(row).collect()
}

fn pencil_mark_rows(position: &Candidates) -> String {
    let order = position.order();
    let separator = if order.side() > 35 { " " } else { "" };
    let word = |cell| match position.grid()[cell] {
        Some(_) => String::new(),
        None if position.at(cell).is_empty() => "-".to_string(),
        None => position
            .at(cell)
            .map(|digit| text::symbol(order, digit))
            .collect::<Vec<_>>()
            .join(separator),
    };
    let words: Vec<String> = order.cells().map(word).collect();
    words.chunks(order.side()).map(|row| row.join(",") + "\n").collect()
}

/// Is a text one puzzle of Simple Sudoku with its position: two or three grids in frames of stars, the second of which
/// keeps the digits of the first?
pub(crate) fn is_ss(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty());
    if !first.is_some_and(is_frame) {
        return false;
    }
    let grids = grids_of(text);
    let [clues, second, ..] = &grids[..] else { return false };
    let Ok(puzzle) = text::read_position(clues, None) else { return false };
    let keeps =
        |grid: &Grid| grid.order() == puzzle.order() && changed_clue(&puzzle, grid).is_none();
    grids.len() <= 3
        && match text::read_position(second, None) {
            Ok(digits) => keeps(&digits),
            Err(_) => read_cells(second, Some(puzzle.order())).is_ok(),
        }
}

/// `*-----------*`
fn is_frame(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('*')
        && line.contains("--")
        && line.chars().all(|sign| matches!(sign, '*' | '-' | '+'))
}

/// The rows of each grid, without its frame.
fn grids_of(file: &str) -> Vec<String> {
    let mut grids = vec![String::new()];
    for line in file.lines().filter(|line| !line.trim().starts_with('#')) {
        let is_end = is_frame(line) || line.trim().is_empty();
        match grids.last_mut() {
            Some(grid) if !is_end => *grid += &format!("{line}\n"),
            Some(grid) if !grid.is_empty() => grids.push(String::new()),
            _ => {}
        }
    }
    grids.retain(|grid| !grid.is_empty());
    grids
}

pub(crate) fn read_ss(file: &str, reading: Reading) -> Result<Entry, Reason> {
    let grids = grids_of(file);
    let mut grids = grids.iter();
    let puzzle = reading.grid(grids.next().map_or("", String::as_str))?;
    let order = Some(puzzle.order());
    let (mut state, mut cells) = (None, None);
    for grid in grids {
        match text::read_position(grid, order) {
            Ok(digits) if state.is_none() && cells.is_none() => state = Some(digits),
            _ if cells.is_none() => cells = Some(read_cells(grid, order)?),
            _ => {
                return Err(Reason::syntax(
                    "such a file holds the clues, the digits and the candidates of one puzzle",
                ));
            }
        }
    }
    let Some(cells) = cells else {
        let position = state.map(|state| state_beside(&puzzle, &state)).transpose()?;
        return Ok(Entry::new(puzzle).with_position(position));
    };
    let filled = match state {
        Some(state) => state,
        None => marks::filled_beside(&puzzle, &cells),
    };
    keeps_clues(&puzzle, &filled)?;
    let mut position = cells.candidates(&filled);
    for (cell, mark) in puzzle.order().cells().zip(&cells.marks) {
        if *mark == Mark::Unmarked && filled[cell].is_none() {
            position.set(cell, left_by(&filled, cell));
        }
    }
    Ok(Entry::new(puzzle).with_position(position))
}

pub(crate) fn write_ss(entry: &Entry) -> String {
    let order = entry.puzzle.order();
    let symbol = |digit: Digit| text::symbol(order, digit);
    let digits = |grid: &Grid| {
        order.cells().map(|cell| grid[cell].map_or(".".to_string(), symbol)).collect::<Vec<_>>()
    };
    let mut file = framed(order, &digits(&entry.puzzle), "");
    if let Some(position) = &entry.position {
        let word = |cell| match position.grid()[cell] {
            Some(digit) => symbol(digit),
            None if position.at(cell).is_empty() => "{}".to_string(),
            None => position.at(cell).map(symbol).collect(),
        };
        file += &format!("\n{}", framed(order, &digits(position.grid()), ""));
        file += &format!("\n{}", framed(order, &order.cells().map(word).collect::<Vec<_>>(), " "));
    }
    file
}

/// Cells in a frame of stars, aligned where something stands between them.
fn framed(order: Order, cells: &[String], separator: &str) -> String {
    let width = cells.iter().map(String::len).max().unwrap_or(1);
    let part = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| format!("{cell:<width$}")).collect();
        cells.join(separator)
    };
    let dashes = vec![
        "-".repeat((width + separator.len()) * order.box_columns() - separator.len());
        order.box_rows()
    ];
    let frame = format!("*{}*\n", dashes.join("-"));
    let mut file = frame.clone();
    for (row, cells) in cells.chunks(order.side()).enumerate() {
        if row > 0 && row.is_multiple_of(order.box_rows()) {
            file += &format!("|{}|\n", dashes.join("+"));
        }
        let parts: Vec<String> = cells.chunks(order.box_columns()).map(part).collect();
        file += &format!("|{}|\n", parts.join("|"));
    }
    file + &frame
}

/// An error if a position has lost or changed a clue.
pub(crate) fn keeps_clues(puzzle: &Grid, position: &Grid) -> Result<(), Reason> {
    match changed_clue(puzzle, position) {
        Some((cell, _)) => {
            Err(Reason::cell(puzzle.order(), cell, "the position has changed a clue"))
        }
        None => Ok(()),
    }
}

/// The digits so far, with all candidates that they leave.
pub(crate) fn state_beside(puzzle: &Grid, state: &Grid) -> Result<Candidates, Reason> {
    keeps_clues(puzzle, state)?;
    Ok(candidates_of(state))
}
