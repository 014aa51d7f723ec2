//! Links that carry a puzzle: to the solver of SudokuWiki, to f-puzzles and to SudokuPad.
//!
//! | link | puzzle |
//! |---|---|
//! | `sudokuwiki.org/sudoku.htm?bd=` | 81 digits |
//! | … or 162 signs | two for each cell, a number in base 32: candidates as bits 1 to 9, bit 0 for a clue |
//! | … or `S9B` and 162 signs | two for each cell, a number in base 36: 1–9 a clue, 10–18 a placed digit, else 18 + candidates |
//! | `f-puzzles.com/?load=` | a board of `boards.rs`, packed by LZ-string |
//! | `sudokupad.app/fpuzzles` | the same |
//! | `sudokupad.app/scl`, `/ctc` | a board of SudokuPad, packed by LZ-string |
//! | `sudokupad.app/scf`, `/classic` | one sign for a digit and up to five empty cells behind it |
//!
//! A short link, such as `sudokupad.app/abc123`, holds the name of a puzzle on a server and not the puzzle.

use crate::entry::{Entry, Reading, candidates_of};
use crate::error::Reason;
use crate::format::Format;
use crate::{boards, lz_string, marks, relaxed_json};
use ninefold::grid::marks::{Mark, MarkedCells};
use ninefold::grid::{Digit, DigitSet, Grid, Order, text};

const SUDOKUWIKI: &str = "https://www.sudokuwiki.org/sudoku.htm?bd=";
const FPUZZLES: &str = "https://www.f-puzzles.com/?load=";
const SUDOKUPAD: &str = "https://sudokupad.app/";

/// Every sign of `scf` and `classic` links, in the order of its number.
const CLASSIC_SIGNS: &str = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx";

/// Is this a link, or the part of one that holds a position of SudokuWiki?
pub(crate) fn is_link(line: &str) -> bool {
    line.starts_with("http://")
        || line.starts_with("https://")
        || (line.starts_with("S9B") && line.len() == 165)
}

/// The format of a link.
pub(crate) fn format_of(line: &str) -> Option<Format> {
    is_link(line).then(|| {
        let site = line.split(['?', '#']).next().unwrap_or(line);
        match () {
            () if site.contains("f-puzzles") => Format::Fpuzzles,
            () if line.contains("bd=") || line.starts_with("S9B") => Format::Sudokuwiki,
            () => Format::Sudokupad,
        }
    })
}

pub(crate) fn read(link: &str, reading: Reading) -> Result<Entry, Reason> {
    let link = link.trim();
    let parameter = |name: &str| {
        let query = link.split_once('?')?.1.split('#').next()?;
        query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('=')).map(decoded)
    };
    if link.starts_with("S9B") {
        return sudokuwiki(link, reading);
    }
    if let Some(board) = parameter("bd") {
        return sudokuwiki(&board, reading);
    }
    if let Some(word) = parameter("load") {
        return board(&word, reading);
    }
    let path = link
        .split_once("://")
        .map_or(link, |(_, rest)| rest)
        .split_once('/')
        .map_or("", |(_, path)| path);
    let path = path.split(['?', '#']).next().unwrap_or("");
    // Base 64 has slashes of its own; only the name of the room before the puzzle goes.
    let payload = parameter("puzzleid")
        .unwrap_or_else(|| decoded(path.strip_prefix("sudoku/").unwrap_or(path)));
    sudokupad(&payload, reading)
}

fn sudokupad(payload: &str, reading: Reading) -> Result<Entry, Reason> {
    for name in ["fpuzzles", "fpuz", "scl", "ctc"] {
        if let Some(word) = payload.strip_prefix(name) {
            return board(word, reading);
        }
    }
    for name in ["scf", "classic"] {
        if let Some(signs) = payload.strip_prefix(name) {
            let digits = classic(signs).ok_or_else(|| Reason::syntax("the link is damaged"))?;
            return Ok(Entry::new(reading.grid(&digits)?));
        }
    }
    Err(Reason::syntax(
        "the link names a puzzle on a server but does not hold it; open it and copy the puzzle itself",
    ))
}

/// A board that LZ-string packed.
fn board(word: &str, reading: Reading) -> Result<Entry, Reason> {
    // In an address a plus may have become a blank.
    let word = word.replace(' ', "+");
    let damaged = || Reason::syntax("the link is damaged or cut off");
    let text = lz_string::unpack(&word).ok_or_else(damaged)?;
    boards::read(&relaxed_json::read(&text).ok_or_else(damaged)?, reading)
}

/// The digits of an `scf` link: the number of a sign is its digit, plus ten for each empty cell behind it.
fn classic(signs: &str) -> Option<String> {
    let mut digits = String::new();
    for sign in signs.chars() {
        let number = CLASSIC_SIGNS.find(sign)?;
        digits += &(number % 10).to_string();
        digits += &"0".repeat(number / 10);
    }
    Some(digits)
}

fn classic_of(puzzle: &Grid) -> String {
    let mut signs = String::new();
    let mut number: Option<usize> = None;
    for digit in puzzle.numbers().map(usize::from) {
        number = match number {
            Some(number) if digit == 0 && number < 50 => Some(number + 10),
            other => {
                signs.extend(other.and_then(|number| CLASSIC_SIGNS.chars().nth(number)));
                Some(digit)
            }
        };
    }
    signs.extend(number.and_then(|number| CLASSIC_SIGNS.chars().nth(number)));
    signs
}

fn sudokuwiki(board: &str, reading: Reading) -> Result<Entry, Reason> {
    let is_nine = reading.order.is_none_or(|order| order == Order::NINE);
    match (board.strip_prefix("S9B"), board.len()) {
        (Some(pairs), 165) if is_nine => in_base_36(pairs, reading),
        (None, 162) if is_nine => in_base_32(board, reading),
        (Some(_), _) => Err(Reason::syntax("the link is damaged or cut off")),
        _ => Ok(Entry::new(reading.grid(board)?)),
    }
}

/// The numbers of a board with two signs for each cell.
fn numbers(pairs: &str, base: u32) -> Result<Vec<u64>, Reason> {
    let number = |(index, pair): (usize, &[u8])| {
        let number =
            str::from_utf8(pair).ok().and_then(|pair| u64::from_str_radix(pair, base).ok());
        number.ok_or_else(|| {
            let pair = String::from_utf8_lossy(pair);
            Reason::cell(
                Order::NINE,
                ninefold::grid::Cell::new(index),
                format!("{pair:?} is not a number in base {base}"),
            )
        })
    };
    pairs.as_bytes().chunks(2).enumerate().map(number).collect()
}

fn in_base_36(pairs: &str, reading: Reading) -> Result<Entry, Reason> {
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
                return Err(Reason::cell(
                    order,
                    cell,
                    format!("{number} is not a set of candidates"),
                ));
            }
        }
    }
    let puzzle = reading.checked(puzzle)?;
    let mut position = candidates_of(&filled);
    marks.into_iter().for_each(|(cell, digits)| position.set(cell, digits));
    Ok(Entry::new(puzzle).with_position(position))
}

fn in_base_32(pairs: &str, reading: Reading) -> Result<Entry, Reason> {
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
            let digit =
                digit.ok_or_else(|| Reason::cell(order, cell, "a clue of several digits"))?;
            puzzle.set(cell, Some(digit));
        }
        marks.push(mark);
    }
    // A placed digit and a last candidate look alike here.
    let cells = MarkedCells { order, marks, has_signs: false };
    let filled = marks::filled_beside(&puzzle, &cells);
    let position = cells.candidates(&filled);
    Ok(Entry::new(reading.checked(puzzle)?).with_position(position))
}

/// An entry as a link of this format; `None` if such a link cannot hold it.
pub(crate) fn link_of(entry: &Entry, format: Format) -> Option<String> {
    let order = entry.puzzle.order();
    match format {
        Format::Sudokuwiki => {
            let board = if order == Order::NINE { sudokuwiki_of(entry) } else { return None };
            Some(format!("{SUDOKUWIKI}{board}"))
        }
        Format::Fpuzzles => {
            Some(format!("{FPUZZLES}{}", lz_string::pack(&boards::fpuzzles_of(entry))))
        }
        _ if order == Order::NINE && *entry == Entry::new(entry.puzzle.clone()) => {
            Some(format!("{SUDOKUPAD}scf{}", classic_of(&entry.puzzle)))
        }
        _ => Some(format!(
            "{SUDOKUPAD}fpuzzles{}",
            encoded(&lz_string::pack(&boards::fpuzzles_of(entry)))
        )),
    }
}

fn sudokuwiki_of(entry: &Entry) -> String {
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
        let sign = |value: u64| char::from_digit(value as u32, 36).unwrap_or('0');
        let number = number(cell);
        [sign(number / 36), sign(number % 36)]
    };
    format!("S9B{}", position.order().cells().flat_map(pair).collect::<String>())
}

/// A part of an address without its percent signs.
fn decoded(part: &str) -> String {
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

/// Base 64 as a part of a path.
fn encoded(word: &str) -> String {
    word.replace('+', "%2B").replace('/', "%2F").replace('=', "%3D")
}

#[cfg(test)]
mod tests {
    use super::*;

    const NINE: Reading = Reading { order: None, may_break_rules: false };

    /// Row 2 of this position of SudokuWiki's own page on X-Wings: 4 and 2 given, 9, 5, 6 and 1 placed, 3 and 7 left.
    #[test]
    fn a_position_of_sudokuwiki_has_clues_placed_digits_and_candidates() {
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
        assert_eq!(link_of(&entry, Format::Sudokuwiki).unwrap(), format!("{SUDOKUWIKI}{board}"));
    }

    #[test]
    fn the_older_string_of_sudokuwiki_is_read() {
        let clue = |digit: u32| format!("0{}", char::from_digit(digit, 32).unwrap());
        // A clue 1, a clue 2, all candidates everywhere else.
        let made = clue(3) + &clue(5) + &"vu".repeat(79);
        let entry = read(&format!("{SUDOKUWIKI}{made}"), NINE).unwrap();
        assert_eq!(entry.puzzle.to_string(), format!("12{}", ".".repeat(79)));
        assert_eq!(entry.position.unwrap().at(Order::NINE.cell(8, 8)).count(), 9);
    }

    #[test]
    fn a_link_without_its_puzzle_or_with_other_rules_is_refused() {
        let refusal = |link: &str| read(link, NINE).unwrap_err().to_string();
        assert!(refusal("https://sudokupad.app/abc123").contains("does not hold it"));
        assert!(refusal("https://www.f-puzzles.com/?load=N4Igzgl").contains("damaged"));
        let killer = lz_string::pack(
            "{\"size\":4,\"grid\":[[{},{},{},{}],[{},{},{},{}],[{},{},{},{}],[{},{},{},{}]],\"killercage\":[{\"cells\":[]}]}",
        );
        assert!(refusal(&format!("{FPUZZLES}{killer}")).contains("killercage"));
    }

    #[test]
    fn a_classic_link_counts_empty_cells() {
        let blank = format!("{SUDOKUPAD}scf{}K", "o".repeat(13));
        assert_eq!(read(&blank, NINE).unwrap().puzzle, Grid::empty(Order::NINE));
        assert_eq!(link_of(&Entry::new(Grid::empty(Order::NINE)), Format::Sudokupad), Some(blank));
    }
}
