//! Links that contain a puzzle: SudokuWiki, f-puzzles and SudokuPad.
//!
//! | link | puzzle |
//! |---|---|
//! | `sudokuwiki.org/sudoku.htm?bd=` | 81 digits |
//! | the same with 162 characters | two per cell, a number in base 32: candidates as bits 1 to 9, bit 0 for a clue |
//! | the same with `S9B` and 162 characters | two per cell, a number in base 36: 1–9 a clue, 10–18 a placed digit, else 18 + candidates |
//! | `f-puzzles.com/?load=` | a board of `boards.rs`, compressed with LZ-string |
//! | `sudokupad.app/fpuzzles` | the same |
//! | `sudokupad.app/scl`, `/ctc` | a SudokuPad board, compressed with LZ-string |
//! | `sudokupad.app/scf`, `/classic` | one character for a digit and up to five empty cells after it |
//!
//! A short link such as `sudokupad.app/abc123` contains only the name of a puzzle on a server and
//! is rejected.

use crate::entry::{Entry, ParseOptions, candidates_for};
use crate::error::ReadErrorKind;
use crate::format::Format;
use crate::rules::write_rules;
use crate::{boards, lz_string, marks, notation, relaxed_json};
use ninefold::grid::marks::{Mark, MarkedCells};
use ninefold::grid::{Digit, DigitSet, Grid, Order, text};

const SUDOKUWIKI: &str = "https://www.sudokuwiki.org/sudoku.htm?bd=";
const FPUZZLES: &str = "https://www.f-puzzles.com/?load=";
const SUDOKUPAD: &str = "https://sudokupad.app/";

/// The characters of `scf` and `classic` links; the index of each is its value.
const CLASSIC_SYMBOLS: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx";

/// Whether this is a link, or the part of a SudokuWiki link that contains the position.
pub(crate) fn is_link(line: &str) -> bool {
    line.starts_with("http://")
        || line.starts_with("https://")
        || (line.starts_with("S9B") && line.len() == 165)
}

/// The format of a link; `None` if the line is not a link.
pub(crate) fn detect_format(line: &str) -> Option<Format> {
    is_link(line).then(|| {
        let site = line.split(['?', '#']).next().unwrap_or(line);
        match () {
            () if site.contains("f-puzzles") => Format::Fpuzzles,
            () if line.contains("bd=") || line.starts_with("S9B") => Format::Sudokuwiki,
            () => Format::Sudokupad,
        }
    })
}

pub(crate) fn read(link: &str, options: ParseOptions) -> Result<Entry, ReadErrorKind> {
    let link = link.trim();
    let parameter = |name: &str| {
        let query = link.split_once('?')?.1.split('#').next()?;
        query
            .split('&')
            .find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
            .map(percent_decode)
    };
    if link.starts_with("S9B") {
        return sudokuwiki(link, options);
    }
    if let Some(board) = parameter("bd") {
        return sudokuwiki(&board, options);
    }
    if let Some(word) = parameter("load") {
        return board(&word, options);
    }
    let path = link
        .split_once("://")
        .map_or(link, |(_, rest)| rest)
        .split_once('/')
        .map_or("", |(_, path)| path);
    let path = path.split(['?', '#']).next().unwrap_or("");
    // Base 64 may contain slashes, so remove only the known first segment of the path.
    let payload = parameter("puzzleid")
        .unwrap_or_else(|| percent_decode(path.strip_prefix("sudoku/").unwrap_or(path)));
    sudokupad(&payload, options)
}

fn sudokupad(payload: &str, options: ParseOptions) -> Result<Entry, ReadErrorKind> {
    for name in ["fpuzzles", "fpuz", "scl", "ctc"] {
        if let Some(word) = payload.strip_prefix(name) {
            return board(word, options);
        }
    }
    for name in ["scf", "classic"] {
        if let Some(encoded) = payload.strip_prefix(name) {
            let digits =
                classic(encoded).ok_or_else(|| ReadErrorKind::syntax("the link is damaged"))?;
            return Ok(Entry::new(options.grid(&digits)?));
        }
    }
    Err(ReadErrorKind::syntax(
        "short links do not contain the puzzle; open the link and copy the puzzle itself",
    ))
}

/// Parses a board compressed with LZ-string.
fn board(word: &str, options: ParseOptions) -> Result<Entry, ReadErrorKind> {
    // URL decoding may have turned a plus into a space.
    let word = word.replace(' ', "+");
    let damaged = || ReadErrorKind::syntax("the link is damaged or incomplete");
    let text = lz_string::decompress(&word).ok_or_else(damaged)?;
    boards::read(&relaxed_json::read(&text).ok_or_else(damaged)?, options)
}

/// The digits of an `scf` or `classic` link. The value of a character is a digit plus ten times the
/// number of empty cells after it.
fn classic(payload: &str) -> Option<String> {
    let mut digits = String::new();
    for symbol in payload.chars() {
        let number = CLASSIC_SYMBOLS.find(symbol)?;
        digits += &(number % 10).to_string();
        digits += &"0".repeat(number / 10);
    }
    Some(digits)
}

fn format_classic(puzzle: &Grid) -> String {
    let mut encoded = String::new();
    let mut number: Option<usize> = None;
    for digit in puzzle.numbers().map(usize::from) {
        number = match number {
            Some(number) if digit == 0 && number < 50 => Some(number + 10),
            other => {
                encoded.extend(other.and_then(|number| CLASSIC_SYMBOLS.chars().nth(number)));
                Some(digit)
            }
        };
    }
    encoded.extend(number.and_then(|number| CLASSIC_SYMBOLS.chars().nth(number)));
    encoded
}

fn sudokuwiki(board: &str, options: ParseOptions) -> Result<Entry, ReadErrorKind> {
    let is_nine = options.order.is_none_or(|order| order == Order::NINE);
    match (board.strip_prefix("S9B"), board.len()) {
        (Some(pairs), 165) if is_nine => in_base_36(pairs, options),
        (None, 162) if is_nine => in_base_32(board, options),
        (Some(_), _) => Err(ReadErrorKind::syntax("the link is damaged or incomplete")),
        _ => Ok(Entry::new(options.grid(board)?)),
    }
}

/// The numbers of a board with two characters per cell.
fn numbers(pairs: &str, base: u32) -> Result<Vec<u64>, ReadErrorKind> {
    let number = |(index, pair): (usize, &[u8])| {
        let number =
            str::from_utf8(pair).ok().and_then(|pair| u64::from_str_radix(pair, base).ok());
        number.ok_or_else(|| {
            let pair = String::from_utf8_lossy(pair);
            ReadErrorKind::cell(
                Order::NINE,
                ninefold::grid::Cell::new(index),
                format!("expected a number in base {base}, found {pair:?}"),
            )
        })
    };
    pairs.as_bytes().chunks(2).enumerate().map(number).collect()
}

fn in_base_36(pairs: &str, options: ParseOptions) -> Result<Entry, ReadErrorKind> {
    let order = Order::NINE;
    let (mut puzzle, mut filled) = (Grid::empty(order), Grid::empty(order));
    let mut marks = Vec::new();
    for (cell, number) in order.cells().zip(numbers(pairs, 36)?) {
        match number {
            1..=18 => {
                let digit = Some(Digit::from_index((number as usize - 1) % 9));
                filled.set(cell, digit);
                puzzle.set(cell, digit.filter(|_| number < 10));
            }
            19..=529 => marks.push((cell, DigitSet::from_bits(number - 18))),
            0 => {}
            _ => {
                return Err(ReadErrorKind::cell(
                    order,
                    cell,
                    format!("expected a set of candidates, found {number}"),
                ));
            }
        }
    }
    let puzzle = options.checked(puzzle)?;
    let mut position = candidates_for(&filled);
    marks.into_iter().for_each(|(cell, digits)| position.set(cell, digits));
    Ok(Entry::new(puzzle).with_position(position))
}

fn in_base_32(pairs: &str, options: ParseOptions) -> Result<Entry, ReadErrorKind> {
    let order = Order::NINE;
    let mut puzzle = Grid::empty(order);
    let mut marks = Vec::new();
    for (cell, number) in order.cells().zip(numbers(pairs, 32)?) {
        let digits = DigitSet::from_bits(number >> 1 & 0x1ff);
        let mark = match digits.only() {
            Some(digit) => Mark::Digit(digit),
            None if digits.is_empty() => Mark::Unmarked,
            None => Mark::Candidates(digits),
        };
        if number & 1 == 1 {
            let digit = digits.only();
            let digit = digit.ok_or_else(|| {
                ReadErrorKind::cell(order, cell, "expected a clue with one digit")
            })?;
            puzzle.set(cell, Some(digit));
        }
        marks.push(mark);
    }
    // This encoding does not distinguish a placed digit from a single candidate.
    let cells = MarkedCells::new(order, marks);
    let filled = marks::infer_filled(&puzzle, &cells);
    let position = cells.candidates(&filled);
    Ok(Entry::new(options.checked(puzzle)?).with_position(position))
}

/// A rule of the puzzle, in words, that the format cannot contain.
pub(crate) fn rule_without_form(puzzle: &Grid, format: Format) -> Option<String> {
    if matches!(format, Format::Jigsaw | Format::Sumocue | Format::Iss) {
        return notation::write(puzzle, format).err();
    }
    let rules = puzzle.rules()?;
    match format {
        Format::Json => None,
        Format::Fpuzzles | Format::Sudokupad => write_rules(rules).1.into_iter().next(),
        _ => Some(match rules.constraints().first() {
            Some(constraint) => constraint.describe(rules.order()),
            None if rules.regions().is_empty() => "no boxes".to_string(),
            None => "irregular regions".to_string(),
        }),
    }
}

/// Formats an entry as a link; `None` if the format does not support it.
pub(crate) fn format_link(entry: &Entry, format: Format) -> Option<String> {
    let order = entry.puzzle.order();
    match format {
        Format::Sudokuwiki => {
            let board = if order == Order::NINE { format_sudokuwiki(entry) } else { return None };
            Some(format!("{SUDOKUWIKI}{board}"))
        }
        Format::Fpuzzles => {
            Some(format!("{FPUZZLES}{}", lz_string::compress(&boards::fpuzzles_json(entry).ok()?)))
        }
        // The short form contains digits only.
        _ if order == Order::NINE
            && entry.puzzle.rules().is_none()
            && *entry == Entry::new(entry.puzzle.clone()) =>
        {
            Some(format!("{SUDOKUPAD}scf{}", format_classic(&entry.puzzle)))
        }
        _ => Some(format!(
            "{SUDOKUPAD}fpuzzles{}",
            percent_encode(&lz_string::compress(&boards::fpuzzles_json(entry).ok()?))
        )),
    }
}

fn format_sudokuwiki(entry: &Entry) -> String {
    let Some(position) = &entry.position else {
        return text::line(&entry.puzzle).replace('.', "0");
    };
    let number = |cell| match (entry.puzzle[cell], position.grid()[cell]) {
        (Some(clue), _) => u64::from(clue.number()),
        (None, Some(placed)) => u64::from(placed.number()) + 9,
        (None, None) if position.at(cell).is_empty() => 0,
        (None, None) => position.at(cell).bits() + 18,
    };
    let pair = |cell| {
        let symbol = |value: u64| char::from_digit(value as u32, 36).unwrap_or('0');
        let number = number(cell);
        [symbol(number / 36), symbol(number % 36)]
    };
    format!("S9B{}", position.order().cells().flat_map(pair).collect::<String>())
}

/// Decodes percent-encoding.
fn percent_decode(part: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = part.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        let code =
            tail.get(..2).and_then(|code| str::from_utf8(code).ok()).filter(|_| byte == b'%');
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(decoded) => {
                bytes.push(decoded);
                rest = &tail[2..];
            }
            None => {
                bytes.push(byte);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Percent-encodes base 64 for use in a path.
fn percent_encode(word: &str) -> String {
    word.replace('+', "%2B").replace('/', "%2F").replace('=', "%3D")
}

#[cfg(test)]
mod tests {
    use super::*;

    const NINE: ParseOptions = ParseOptions { order: None, allow_conflicts: false };

    /// From SudokuWiki's page on X-Wings. Row 2: 4 and 2 given; 9, 5, 6 and 1 placed; 3 and 7 left.
    #[test]
    fn reads_clues_placed_digits_and_candidates_from_sudokuwiki() {
        let board = "S9B015y2e685w68050609040i022e0e0f0a2e085y050f0a5u090b042e2u2e0i06042c0810012q0f0dd0015w9i102e020a08\
                     9e03050f9e0d5y042e05d0609i010f095y0e5y0f0a045y0206020166cy669id205";
        let entry =
            read(&format!("https://www.sudokuwiki.org/sudoku.htm?bd={board}"), NINE).unwrap();
        assert_eq!(
            text::line(&entry.puzzle).replace('.', "0"),
            "100000569402000008050009040000640801000010000208035000040500010900000402621000005"
        );
        let position = entry.position.as_ref().unwrap();
        assert_eq!(&position.grid().to_string()[9..18], "492.561.8");
        let marks: Vec<u8> = position.at(Order::NINE.cell(1, 3)).map(Digit::number).collect();
        assert_eq!(marks, [3, 7]);
        assert_eq!(
            format_link(&entry, Format::Sudokuwiki).unwrap(),
            format!("{SUDOKUWIKI}{board}")
        );
    }

    #[test]
    fn reads_the_older_sudokuwiki_encoding() {
        let clue = |digit: u32| format!("0{}", char::from_digit(digit, 32).unwrap());
        // A clue 1, a clue 2, all candidates everywhere else.
        let board = clue(3) + &clue(5) + &"vu".repeat(79);
        let entry = read(&format!("{SUDOKUWIKI}{board}"), NINE).unwrap();
        assert_eq!(entry.puzzle.to_string(), format!("12{}", ".".repeat(79)));
        assert_eq!(entry.position.unwrap().at(Order::NINE.cell(8, 8)).count(), 9);
    }

    #[test]
    fn rejects_links_without_a_puzzle() {
        let error = |link: &str| read(link, NINE).unwrap_err().to_string();
        assert!(
            error("https://sudokupad.app/abc123").contains("short links do not contain the puzzle")
        );
        assert!(error("https://www.f-puzzles.com/?load=N4Igzgl").contains("damaged"));
    }

    #[test]
    fn classic_links_count_empty_cells() {
        let blank = format!("{SUDOKUPAD}scf{}K", "o".repeat(13));
        assert_eq!(read(&blank, NINE).unwrap().puzzle, Grid::empty(Order::NINE));
        assert_eq!(
            format_link(&Entry::new(Grid::empty(Order::NINE)), Format::Sudokupad),
            Some(blank)
        );
    }
}
