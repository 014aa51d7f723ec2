//! Files with one puzzle in several sections: SadMan's `.sdk` and Simple Sudoku's `.ss`.
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
//! In `[PencilMarks]`, the cells of a row are separated by commas. Filled cells and cells without a
//! list are empty; `-` marks an empty cell without candidates.

use crate::entry::{Entry, ParseOptions, candidates_for, changed_clue, digits_left};
use crate::error::{ReadError, ReadErrorKind};
use crate::lines::Lines;
use crate::marks;
use crate::record::RecordText;
use ninefold::grid::marks::{Mark, parse_cells};
use ninefold::grid::{Candidates, Digit, DigitSet, Grid, Order, text};
use std::io::BufRead;

/// The maximum number of lines: three of the largest grids with all their bars.
const MAX_LINES: usize = 600;

/// Reads a complete file as one record.
pub(crate) struct SinglePuzzleFile<R> {
    pub(crate) lines: Lines<R>,
    pub(crate) is_ss: bool,
}

impl<R: BufRead> SinglePuzzleFile<R> {
    /// The only record, then `None`.
    pub(crate) fn next(&mut self) -> Option<Result<(u64, RecordText), ReadError>> {
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
            if count > MAX_LINES {
                return Some(Err(
                    ReadErrorKind::syntax("the file is too long for one puzzle").at_line(number)
                ));
            }
            text += &line;
            text.push('\n');
        }
        let kind = if self.is_ss { RecordText::Ss } else { RecordText::Sdk };
        (count > 0).then(|| Ok((first_line, kind(text))))
    }
}

/// Whether a text contains a section header of an `.sdk` file.
pub(crate) fn is_sdk(text: &str) -> bool {
    let is_section = |line: &str| {
        ["[puzzle]", "[state]"].iter().any(|name| line.trim().eq_ignore_ascii_case(name))
    };
    text.lines().any(is_section)
}

pub(crate) fn read_sdk(file: &str, options: ParseOptions) -> Result<Entry, ReadErrorKind> {
    let (mut puzzle, mut state, mut pencil_marks, mut source) =
        (String::new(), String::new(), String::new(), None);
    let mut section = "[puzzle]".to_string();
    for line in file.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(note) = line.strip_prefix('#') {
            // #A is the author; the other letters are level, date and so on.
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
            // Other sections, such as the colours of cells.
            _ => continue,
        };
        *part += line;
        part.push('\n');
    }
    let puzzle = options.grid(&puzzle)?;
    let order = puzzle.order();
    let mut entry = Entry::new(puzzle).with_source(source);
    if !state.is_empty() || !pencil_marks.is_empty() {
        let digits = match state.is_empty() {
            true => entry.puzzle.clone(),
            false => text::parse_position(&state, Some(order)).map_err(ReadErrorKind::Position)?,
        };
        let mut position = position_from_state(&entry.puzzle, &digits)?;
        if !pencil_marks.is_empty() {
            read_pencil_marks(&pencil_marks, &mut position)?;
        }
        entry.position = Some(position);
    }
    Ok(entry)
}

fn read_pencil_marks(rows: &str, position: &mut Candidates) -> Result<(), ReadErrorKind> {
    let order = position.order();
    let cells: Vec<&str> = rows.lines().flat_map(|row| row.split(',')).collect();
    if cells.len() != order.cell_count() {
        let found = cells.len();
        return Err(ReadErrorKind::syntax(format!(
            "[PencilMarks]: expected {} cells, found {found}",
            order.cell_count()
        )));
    }
    for (cell, word) in order.cells().zip(cells) {
        let word = word.trim();
        if word.is_empty() || position.grid()[cell].is_some() {
            continue;
        }
        let digits = if word == "-" { Some(DigitSet::EMPTY) } else { parse_digits(order, word) };
        let digits = digits.ok_or_else(|| {
            ReadErrorKind::cell(order, cell, format!("expected a list of digits, found {word:?}"))
        })?;
        position.set(cell, digits);
    }
    Ok(())
}

/// Parses digits without separators, or numbers separated by spaces.
fn parse_digits(order: Order, word: &str) -> Option<DigitSet> {
    if word.contains(' ') || order.side() > 35 {
        return word.split(' ').map(|part| text::digit(order, part)).collect();
    }
    let mut buffer = [0; 4];
    word.chars().map(|symbol| text::digit(order, symbol.encode_utf8(&mut buffer))).collect()
}

pub(crate) fn write_sdk(entry: &Entry) -> String {
    let source = entry
        .source
        .as_deref()
        .map_or(String::new(), |source| format!("#A{}\n", source.replace('\n', " ")));
    let mut file = format!("{source}[Puzzle]\n{}", rows(&entry.puzzle));
    if let Some(position) = &entry.position {
        file += &format!("[State]\n{}", rows(position.grid()));
        if *position != candidates_for(position.grid()) {
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

/// Whether a text is a Simple Sudoku file with a position: two or three grids framed with
/// asterisks, where the second contains the digits of the first.
pub(crate) fn is_ss(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty());
    if !first.is_some_and(is_frame) {
        return false;
    }
    let grids = grids_of(text);
    let [clues, second, ..] = &grids[..] else { return false };
    let Ok(puzzle) = text::parse_position(clues, None) else { return false };
    let keeps =
        |grid: &Grid| grid.order() == puzzle.order() && changed_clue(&puzzle, grid).is_none();
    grids.len() <= 3
        && match text::parse_position(second, None) {
            Ok(digits) => keeps(&digits),
            Err(_) => parse_cells(second, Some(puzzle.order())).is_ok(),
        }
}

/// Whether a line is a frame such as `*-----------*`.
fn is_frame(line: &str) -> bool {
    let line = line.trim();
    line.starts_with('*')
        && line.contains("--")
        && line.chars().all(|symbol| matches!(symbol, '*' | '-' | '+'))
}

/// The rows of each grid, without the frames.
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

pub(crate) fn read_ss(file: &str, options: ParseOptions) -> Result<Entry, ReadErrorKind> {
    let grids = grids_of(file);
    let mut grids = grids.iter();
    let puzzle = options.grid(grids.next().map_or("", String::as_str))?;
    let order = Some(puzzle.order());
    let (mut state, mut cells) = (None, None);
    for grid in grids {
        match text::parse_position(grid, order) {
            Ok(digits) if state.is_none() && cells.is_none() => state = Some(digits),
            _ if cells.is_none() => cells = Some(parse_cells(grid, order)?),
            _ => {
                return Err(ReadErrorKind::syntax(
                    "expected one puzzle with its clues, digits and candidates, found more grids",
                ));
            }
        }
    }
    let Some(cells) = cells else {
        let position = state.map(|state| position_from_state(&puzzle, &state)).transpose()?;
        return Ok(Entry::new(puzzle).with_position(position));
    };
    let filled = match state {
        Some(state) => state,
        None => marks::infer_filled(&puzzle, &cells),
    };
    check_clues(&puzzle, &filled)?;
    let mut position = cells.candidates(&filled);
    for (cell, mark) in puzzle.order().cells().zip(&cells.marks) {
        if *mark == Mark::Unmarked && filled[cell].is_none() {
            position.set(cell, digits_left(&filled, cell));
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

/// Formats cells in a frame of asterisks, aligned if there is a separator.
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

/// Returns an error if a position does not contain all clues.
pub(crate) fn check_clues(puzzle: &Grid, position: &Grid) -> Result<(), ReadErrorKind> {
    match changed_clue(puzzle, position) {
        Some((cell, _)) => {
            Err(ReadErrorKind::cell(puzzle.order(), cell, "the position changes a clue"))
        }
        None => Ok(()),
    }
}

/// A position with these digits and all candidates they leave.
pub(crate) fn position_from_state(
    puzzle: &Grid,
    state: &Grid,
) -> Result<Candidates, ReadErrorKind> {
    check_clues(puzzle, state)?;
    Ok(candidates_for(state))
}
