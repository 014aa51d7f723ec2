//! The notation of Interactive Sudoku Solver: `.Name~argument~argument` for each rule.
//!
//! A cell is `R1C1`, with rows and columns in base 17. Two-letter names such as `~R1C1_5` without a
//! rule are givens; several digits are given pencil marks. Rules that Ninefold does not know are
//! reported, and so is a group such as `.Or … .End` with everything in it.

use super::grid_with_rules;
use crate::entry::{Entry, ParseOptions};
use crate::error::ReadErrorKind;
use crate::rules::regions;
use ninefold::grid::rules::{
    Constraint, Diagonal, Direction, Dot, Indexer, LineRule, Negative, Outside, Place, Rules,
};
use ninefold::grid::{Cell, Digit, DigitSet, Grid, Order, text};
use std::ops::RangeInclusive;

/// Rows and columns are written in this base.
const BASE: u32 = 17;
/// The sides of grids that can be written in this notation.
const SIDES: RangeInclusive<usize> = 4..=Order::MAX_SIDE;
/// Rules that contain other rules, up to `.End`.
const GROUPS: [&str; 3] = ["Or", "And", "Replicate"];

/// The rule names without arguments.
const FLAGS: [(&str, Constraint); 7] = [
    ("Windoku", Constraint::Windoku),
    ("DisjointSets", Constraint::DisjointGroups),
    ("AntiKnight", Constraint::AntiKnight),
    ("AntiKing", Constraint::AntiKing),
    ("AntiConsecutive", Constraint::Nonconsecutive),
    ("StrictKropki", Constraint::Negative(Negative::Kropki)),
    ("StrictXV", Constraint::Negative(Negative::Xv)),
];

/// The rule names whose arguments are the cells of a line.
const LINES: [(&str, LineRule); 8] = [
    ("Thermo", LineRule::Thermometer),
    ("Renban", LineRule::Renban),
    ("Entropic", LineRule::Entropic),
    ("RegionSumLine", LineRule::RegionSum),
    ("Between", LineRule::Between),
    ("Palindrome", LineRule::Palindrome),
    ("Zipper", LineRule::Zipper),
    ("DoubleArrow", LineRule::DoubleArrow),
];

const DOTS: [(&str, Dot); 4] = [
    ("WhiteDot", Dot::Difference(1)),
    ("BlackDot", Dot::Ratio(2)),
    ("X", Dot::Total(10)),
    ("V", Dot::Total(5)),
];

const OUTSIDE: [(&str, Outside); 4] = [
    ("Sandwich", Outside::Sandwich),
    ("XSum", Outside::XSum),
    ("Skyscraper", Outside::Skyscraper),
    ("NumberedRoom", Outside::NumberedRoom),
];

pub(super) fn read(line: &str, options: ParseOptions) -> Result<Entry, ReadErrorKind> {
    let compact: String = line.split_whitespace().collect();
    let items: Vec<(&str, Vec<&str>)> = compact
        .split('.')
        .skip(1)
        .map(|item| {
            let mut parts = item.split('~');
            (parts.next().unwrap_or(""), parts.collect())
        })
        .collect();
    let order = size(&items, options)?;
    let mut reader =
        Reader { order, puzzle: Grid::empty(order), read: Vec::new(), unknown: Vec::new() };
    let mut layout = None;
    let mut has_boxes = true;
    let mut depth = 0;
    for (name, arguments) in &items {
        if *name == "End" {
            depth = usize::saturating_sub(depth, 1);
        } else if GROUPS.contains(name) {
            if depth == 0 {
                reader.unknown.push(format!("{name} … End"));
            }
            depth += 1;
        } else if depth == 0 {
            match *name {
                "Shape" => {}
                "NoBoxes" => has_boxes = false,
                "Jigsaw" => layout = arguments.last().copied(),
                _ => reader.rule(name, arguments)?,
            }
        }
    }
    let mut rules = match layout {
        Some(layout) => Rules::jigsaw(order.side(), regions(layout))?,
        None if has_boxes && order.has_boxes() => Rules::classic(order),
        None => Rules::without_regions(order.side())?,
    };
    if layout.is_some() && has_boxes {
        reader.read.push(Constraint::UsualBoxes);
    }
    rules.extend(reader.read)?;
    let digits = text::line(&reader.puzzle);
    Ok(Entry::new(grid_with_rules(&digits, &rules, options)?).with_unknown_rules(reader.unknown))
}

/// The size, and the boxes that it has in this notation: at least as wide as high.
fn size(items: &[(&str, Vec<&str>)], options: ParseOptions) -> Result<Order, ReadErrorKind> {
    let shape = items.iter().find(|item| item.0 == "Shape").and_then(|item| item.1.first());
    let side = match shape {
        None => 9,
        Some(shape) => {
            let (rows, columns) = shape.split_once('x').unwrap_or((shape, ""));
            let side = rows.parse::<usize>().ok().filter(|_| rows == columns);
            side.filter(|side| SIDES.contains(side)).ok_or_else(|| {
                ReadErrorKind::syntax(format!("expected a square grid, found {shape:?}"))
            })?
        }
    };
    let order = default_order(side)
        .ok_or_else(|| ReadErrorKind::syntax(format!("a grid of {side} rows is not supported")))?;
    match options.order {
        Some(wanted) if wanted.side() != side => {
            Err(ninefold::grid::ParseGridError::WrongLengthFor {
                found: side * side,
                order: wanted,
            }
            .into())
        }
        _ => Ok(order),
    }
}

fn default_order(side: usize) -> Option<Order> {
    let rows = (2..=side.isqrt()).rev().find(|rows| side.is_multiple_of(*rows));
    match rows {
        Some(rows) => Order::new(rows, side / rows).ok(),
        None => Order::without_boxes(side).ok(),
    }
}

struct Reader {
    order: Order,
    puzzle: Grid,
    read: Vec<Constraint>,
    unknown: Vec<String>,
}

impl Reader {
    fn rule(&mut self, name: &str, arguments: &[&str]) -> Result<(), ReadErrorKind> {
        if name.is_empty() || name == "Given" {
            return arguments.iter().try_for_each(|argument| self.given(argument));
        }
        let flag = FLAGS.iter().find(|flag| flag.0 == name && arguments.is_empty());
        if let Some((_, constraint)) = flag {
            self.read.push(constraint.clone());
            return Ok(());
        }
        if let Some((_, kind)) = LINES.iter().find(|line| line.0 == name) {
            let cells = self.cells(name, arguments)?;
            self.read.push(Constraint::Line { kind: *kind, cells });
            return Ok(());
        }
        if let Some((_, kind)) = DOTS.iter().find(|dot| dot.0 == name) {
            let pairs = self.neighbours(name, arguments)?;
            self.read.extend(pairs.into_iter().map(|cells| Constraint::Dot { kind: *kind, cells }));
            return Ok(());
        }
        if let Some((_, kind)) = OUTSIDE.iter().find(|outside| outside.0 == name) {
            return self.outside(name, *kind, arguments);
        }
        self.rule_with_number(name, arguments)
    }

    /// Rules whose arguments are not only cells.
    fn rule_with_number(&mut self, name: &str, arguments: &[&str]) -> Result<(), ReadErrorKind> {
        let first = arguments.first().copied().unwrap_or("");
        let rest = arguments.get(1..).unwrap_or(&[]);
        let constraint = match name {
            "GreaterThan" => {
                let pairs = self.neighbours(name, arguments)?;
                self.read
                    .extend(pairs.into_iter().map(|pair| Constraint::GreaterThan(pair.to_vec())));
                return Ok(());
            }
            "AllDifferent" => Constraint::ExtraRegion(self.cells(name, arguments)?),
            "CountingCircles" => Constraint::CountingCircles(self.cells(name, arguments)?),
            "Diagonal" if first == "1" => Constraint::Diagonal(Diagonal::Rising),
            "Diagonal" if first == "-1" => Constraint::Diagonal(Diagonal::Falling),
            "Indexing" if matches!(first, "C" | "R") => Constraint::Indexer {
                kind: if first == "C" { Indexer::Column } else { Indexer::Row },
                cells: self.cells(name, rest)?,
            },
            "Cage" => {
                let sum = number(name, first)?;
                let cells = self.cells(name, rest)?;
                Constraint::Cage { cells, sum: Some(sum).filter(|sum| *sum > 0) }
            }
            "Sum" => self.sum(name, first, rest)?,
            "Whisper" | "Modular" | "Lockout" => {
                let has_number = !first.starts_with('R');
                let default = match name {
                    "Whisper" => 5,
                    "Modular" => 3,
                    _ => 4,
                };
                let (value, cells) =
                    if has_number { (number(name, first)?, rest) } else { (default, arguments) };
                let value = u8::try_from(value).map_err(|_| wrong(name, first))?;
                let kind = match name {
                    "Whisper" => LineRule::Whispers(value),
                    "Modular" => LineRule::Modular(value),
                    _ => LineRule::Lockout(value),
                };
                Constraint::Line { kind, cells: self.cells(name, cells)? }
            }
            "Arrow" | "PillArrow" => {
                let pill = if name == "Arrow" { 1 } else { number(name, first)? as usize };
                let cells = self.cells(name, if name == "Arrow" { arguments } else { rest })?;
                if pill == 0 || pill >= cells.len() {
                    return Err(wrong(name, first));
                }
                Constraint::Arrow {
                    circle: cells[..pill].to_vec(),
                    lines: vec![cells[pill - 1..].to_vec()],
                }
            }
            "Quad" => {
                let corner = self.cell(name, first)?;
                let digits = rest.iter().map(|digit| self.digit(name, digit));
                let digits: Vec<Digit> = digits.collect::<Result<_, _>>()?;
                let (row, column) = (self.order.row_of(corner), self.order.column_of(corner));
                if row + 1 >= self.order.side() || column + 1 >= self.order.side() {
                    return Err(wrong(name, first));
                }
                let at = |down, right| self.order.cell(row + down, column + right);
                Constraint::Quadruple {
                    cells: vec![at(0, 0), at(0, 1), at(1, 0), at(1, 1)],
                    digits,
                }
            }
            "LittleKiller" => {
                let sum = number(name, first)?;
                let cell = self.cell(name, rest.first().copied().unwrap_or(""))?;
                let (place, direction) =
                    diagonal_from(self.order, cell).ok_or_else(|| wrong(name, rest[0]))?;
                Constraint::LittleKiller { place, direction, sum }
            }
            _ => {
                let words: Vec<&str> =
                    [name].into_iter().chain(arguments.iter().copied()).collect();
                self.unknown.push(words.join("~"));
                return Ok(());
            }
        };
        self.read.push(constraint);
        Ok(())
    }

    fn given(&mut self, argument: &str) -> Result<(), ReadErrorKind> {
        let mut parts = argument.split('_');
        let cell = self.cell("a given", parts.next().unwrap_or(""))?;
        let digits = parts.map(|digit| self.digit("a given", digit));
        let digits: DigitSet = digits.collect::<Result<Vec<Digit>, _>>()?.into_iter().collect();
        match digits.only() {
            Some(digit) => self.puzzle.set(cell, Some(digit)),
            None => self.read.push(Constraint::Candidates { cell, digits }),
        }
        Ok(())
    }

    fn sum(&self, name: &str, first: &str, cells: &[&str]) -> Result<Constraint, ReadErrorKind> {
        let cells = self.cells(name, cells)?;
        let (total, coefficients) = first.split_once("_=_").unwrap_or((first, ""));
        let parse = |text: &str| text.parse::<i32>().map_err(|_| wrong(name, first));
        let total = parse(total)?;
        let coefficients: Vec<i32> = match coefficients {
            "" => vec![1; cells.len()],
            list => list.split('_').map(parse).collect::<Result<_, _>>()?,
        };
        if coefficients.len() != cells.len() {
            return Err(wrong(name, first));
        }
        Ok(Constraint::Sum { terms: coefficients.into_iter().zip(cells).collect(), total })
    }

    fn outside(
        &mut self,
        name: &str,
        kind: Outside,
        arguments: &[&str],
    ) -> Result<(), ReadErrorKind> {
        // A sandwich has one value, and the value comes first.
        let (line, values) = match (kind, arguments) {
            (Outside::Sandwich, [value, line]) => (*line, vec![*value]),
            (_, [line, values @ ..]) => (*line, values.to_vec()),
            _ => return Err(wrong(name, "")),
        };
        let after = self.order.side() as u8 + 1;
        let at = line.get(1..).and_then(|text| u8::from_str_radix(text, BASE).ok());
        let at = at.filter(|at| (1..after).contains(at)).ok_or_else(|| wrong(name, line))?;
        for (index, value) in values.iter().enumerate().filter(|(_, value)| !value.is_empty()) {
            let beside = if index == 0 { 0 } else { after };
            let place = match line.as_bytes()[0] {
                b'C' => Place { row: beside, column: at },
                b'R' => Place { row: at, column: beside },
                _ => return Err(wrong(name, line)),
            };
            self.read.push(Constraint::Outside { kind, place, value: number(name, value)? });
        }
        Ok(())
    }

    fn cells(&self, name: &str, arguments: &[&str]) -> Result<Vec<Cell>, ReadErrorKind> {
        arguments.iter().map(|argument| self.cell(name, argument)).collect()
    }

    fn cell(&self, name: &str, text: &str) -> Result<Cell, ReadErrorKind> {
        let parse = || {
            let (row, column) = text.strip_prefix('R')?.split_once('C')?;
            let number = |text: &str| usize::from_str_radix(text, BASE).ok()?.checked_sub(1);
            let (row, column) = (number(row)?, number(column)?);
            let side = self.order.side();
            (row < side && column < side).then(|| self.order.cell(row, column))
        };
        parse().ok_or_else(|| wrong(name, text))
    }

    fn digit(&self, name: &str, text: &str) -> Result<Digit, ReadErrorKind> {
        let number = text.parse::<u8>().ok().filter(|n| usize::from(*n) <= self.order.side());
        number.and_then(Digit::new).ok_or_else(|| wrong(name, text))
    }

    /// The pairs of orthogonal neighbours among cells, in their order.
    fn neighbours(&self, name: &str, arguments: &[&str]) -> Result<Vec<[Cell; 2]>, ReadErrorKind> {
        let cells = self.cells(name, arguments)?;
        let order = self.order;
        let are_close = |a: Cell, b: Cell| {
            order.row_of(a).abs_diff(order.row_of(b))
                + order.column_of(a).abs_diff(order.column_of(b))
                == 1
        };
        let mut pairs = Vec::new();
        for (at, &a) in cells.iter().enumerate() {
            pairs.extend(cells[at + 1..].iter().filter(|&&b| are_close(a, b)).map(|&b| [a, b]));
        }
        Ok(pairs)
    }
}

fn number(name: &str, text: &str) -> Result<u32, ReadErrorKind> {
    text.parse().map_err(|_| wrong(name, text))
}

fn wrong(name: &str, text: &str) -> ReadErrorKind {
    ReadErrorKind::syntax(format!("{name}: unexpected argument {text:?}"))
}

/// The clue whose diagonal this notation names by a cell: falling diagonals by their left end or,
/// above the middle, by their right end; rising ones by their top end or, below, by their bottom
/// end.
fn diagonal_from(order: Order, cell: Cell) -> Option<(Place, Direction)> {
    let last = order.side() - 1;
    let (row, column) = (order.row_of(cell), order.column_of(cell));
    let direction = match (row, column) {
        (0, 1..) => Direction::DownLeft,
        (_, 0) if row < last => Direction::DownRight,
        (_, column) if column == last && row < last => Direction::UpLeft,
        (row, _) if row == last && (1..last).contains(&column) => Direction::UpRight,
        _ => return None,
    };
    let (row, column) = (row as u8 + 1, column as u8 + 1);
    let place = match direction {
        Direction::DownLeft => Place { row: row - 1, column: column + 1 },
        Direction::DownRight => Place { row: row - 1, column: column - 1 },
        Direction::UpLeft => Place { row: row + 1, column: column + 1 },
        Direction::UpRight => Place { row: row + 1, column: column - 1 },
    };
    Some((place, direction))
}

/// Formats a puzzle; an error is a rule that the notation cannot contain, in words.
pub(super) fn write(puzzle: &Grid) -> Result<String, String> {
    let order = puzzle.order();
    let classic = Rules::classic(order);
    let rules = puzzle.rules().map_or(&classic, |rules| &**rules);
    if !SIDES.contains(&order.side()) {
        return Err(format!("a grid of {} rows", order.side()));
    }
    let writer = Writer { order };
    let mut text = String::new();
    if order.side() != 9 {
        text += &format!(".Shape~{0}x{0}", order.side());
    }
    let usual = default_order(order.side());
    let has_usual_boxes =
        usual.is_some_and(|usual| Rules::classic(usual).regions() == rules.regions());
    if !has_usual_boxes && !rules.regions().is_empty() {
        let sign = |cell| match rules.region_of(cell) {
            Some(region) => char::from_digit(region as u32, 36).ok_or("many regions"),
            None => Err("cells without a region"),
        };
        let layout: String = order.cells().map(sign).collect::<Result<_, _>>()?;
        text += &format!(".Jigsaw~{layout}");
    }
    if !has_usual_boxes && !rules.constraints().contains(&Constraint::UsualBoxes) {
        text += ".NoBoxes";
    }
    let givens: String =
        puzzle.clues().map(|(cell, digit)| format!("~{}_{digit}", writer.cell(cell))).collect();
    if !givens.is_empty() {
        text += &format!(".{givens}");
    }
    for constraint in rules.constraints() {
        text += &writer.rule(constraint).ok_or_else(|| constraint.describe(order))?;
    }
    // A line without any argument would not be recognised.
    if !text.contains('~') {
        text.insert_str(0, ".Shape~9x9");
    }
    Ok(text)
}

struct Writer {
    order: Order,
}

impl Writer {
    fn cell(&self, cell: Cell) -> String {
        let number = |index: usize| {
            let mut text = String::new();
            let mut left = index as u32 + 1;
            while left > 0 {
                text.insert(0, char::from_digit(left % BASE, BASE).unwrap_or('0'));
                left /= BASE;
            }
            text
        };
        format!("R{}C{}", number(self.order.row_of(cell)), number(self.order.column_of(cell)))
    }

    fn cells(&self, cells: &[Cell]) -> String {
        cells.iter().map(|&cell| format!("~{}", self.cell(cell))).collect()
    }

    /// `None` if the notation has no such rule.
    fn rule(&self, constraint: &Constraint) -> Option<String> {
        if let Some((name, _)) = FLAGS.iter().find(|flag| flag.1 == *constraint) {
            return Some(format!(".{name}"));
        }
        let digits = |digits: DigitSet| digits.map(|digit| format!("_{digit}")).collect::<String>();
        let in_parity = |parity: u8| {
            self.order.digits().filter(|digit| digit.number() % 2 == parity).collect::<DigitSet>()
        };
        Some(match constraint {
            Constraint::UsualBoxes => String::new(),
            Constraint::Diagonal(Diagonal::Rising) => ".Diagonal~1".to_string(),
            Constraint::Diagonal(Diagonal::Falling) => ".Diagonal~-1".to_string(),
            Constraint::Candidates { cell, digits: list } => {
                format!(".~{}{}", self.cell(*cell), digits(*list))
            }
            Constraint::Even(cell) => format!(".~{}{}", self.cell(*cell), digits(in_parity(0))),
            Constraint::Odd(cell) => format!(".~{}{}", self.cell(*cell), digits(in_parity(1))),
            Constraint::ExtraRegion(cells) => format!(".AllDifferent{}", self.cells(cells)),
            Constraint::Cage { cells, sum } => {
                format!(".Cage~{}{}", sum.unwrap_or(0), self.cells(cells))
            }
            Constraint::CountingCircles(cells) => format!(".CountingCircles{}", self.cells(cells)),
            Constraint::Indexer { kind, cells } => match kind {
                Indexer::Column => format!(".Indexing~C{}", self.cells(cells)),
                Indexer::Row => format!(".Indexing~R{}", self.cells(cells)),
                _ => return None,
            },
            Constraint::Dot { kind, cells } => {
                let (name, _) = DOTS.iter().find(|dot| dot.1 == *kind)?;
                format!(".{name}{}", self.cells(cells))
            }
            Constraint::GreaterThan(cells) => {
                let signs =
                    cells.windows(2).map(|pair| format!(".GreaterThan{}", self.cells(pair)));
                signs.collect()
            }
            // Equal digits in two cells are a palindrome of two cells.
            Constraint::Clone { cells, clones } => {
                let pairs = cells.iter().zip(clones);
                pairs.map(|(a, b)| format!(".Palindrome{}", self.cells(&[*a, *b]))).collect()
            }
            Constraint::Line { kind, cells } => {
                let cells = self.cells(cells);
                match kind {
                    LineRule::Whispers(distance) => format!(".Whisper~{distance}{cells}"),
                    LineRule::Modular(number) => format!(".Modular~{number}{cells}"),
                    LineRule::Lockout(distance) => format!(".Lockout~{distance}{cells}"),
                    _ => format!(".{}{cells}", LINES.iter().find(|line| line.1 == *kind)?.0),
                }
            }
            Constraint::Arrow { circle, lines } => lines
                .iter()
                .map(|line| {
                    let cells = self.cells(line.get(1..).unwrap_or(&[]));
                    match circle.len() {
                        1 => format!(".Arrow{}{cells}", self.cells(circle)),
                        pill => format!(".PillArrow~{pill}{}{cells}", self.cells(circle)),
                    }
                })
                .collect(),
            Constraint::Quadruple { cells, digits } => {
                let first = *cells.iter().min()?;
                let (row, column) = (self.order.row_of(first), self.order.column_of(first));
                let is_square = cells.len() == 4
                    && cells.iter().all(|&cell| {
                        self.order.row_of(cell).abs_diff(row) <= 1
                            && self.order.column_of(cell).abs_diff(column) <= 1
                            && self.order.column_of(cell) >= column
                    });
                if !is_square {
                    return None;
                }
                let digits: String = digits.iter().map(|digit| format!("~{digit}")).collect();
                format!(".Quad~{}{digits}", self.cell(first))
            }
            Constraint::Sum { terms, total } => {
                let cells: Vec<Cell> = terms.iter().map(|term| term.1).collect();
                let coefficients: String =
                    terms.iter().map(|term| format!("_{}", term.0)).collect();
                let is_plain = terms.iter().all(|term| term.0 == 1);
                let number =
                    if is_plain { total.to_string() } else { format!("{total}_={coefficients}") };
                format!(".Sum~{number}{}", self.cells(&cells))
            }
            Constraint::LittleKiller { place, direction, sum } => {
                let cells = place.diagonal(*direction, self.order);
                let is_end = |cell: &&Cell| {
                    let named = diagonal_from(self.order, **cell).map(|(place, direction)| {
                        let mut named = place.diagonal(direction, self.order);
                        named.sort_unstable();
                        named
                    });
                    let mut sorted = cells.clone();
                    sorted.sort_unstable();
                    named == Some(sorted)
                };
                let name = cells.iter().find(is_end)?;
                format!(".LittleKiller~{sum}~{}", self.cell(*name))
            }
            Constraint::Outside { kind, place, value } => {
                let (name, _) = OUTSIDE.iter().find(|outside| outside.1 == *kind)?;
                let side = self.order.side() as u8;
                let (letter, at, beside) = match place.row {
                    0 => ('C', place.column, 0),
                    row if row > side => ('C', place.column, row),
                    row => ('R', row, place.column),
                };
                let at = self.cell(self.order.cell(0, usize::from(at) - 1));
                let at = at.strip_prefix("R1C").unwrap_or(&at).to_string();
                match (kind, beside) {
                    (Outside::Sandwich, _) => format!(".{name}~{value}~{letter}{at}"),
                    (_, 0) => format!(".{name}~{letter}{at}~{value}~"),
                    _ => format!(".{name}~{letter}{at}~~{value}"),
                }
            }
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::OPTIONS;
    use super::*;
    use crate::boards::with_rules;
    use crate::format::Format;
    use crate::notation;

    /// Reads a line and writes it again.
    fn again(line: &str) -> String {
        assert_eq!(notation::detect_format(line), Some(Format::Iss), "{line}");
        let entry = notation::read(line, OPTIONS).unwrap_or_else(|error| panic!("{line}: {error}"));
        assert!(entry.unknown_rules.is_empty(), "{:?}", entry.unknown_rules);
        notation::write(&entry.puzzle, Format::Iss).unwrap()
    }

    #[test]
    fn lines_are_written_as_they_were_read() {
        for line in [
            ".~R1C2_4~R9C8_9.Thermo~R9C4~R8C3~R7C2",
            ".Cage~21~R1C1~R1C2~R2C2.Cage~0~R5C5~R5C6.AntiKnight.StrictXV",
            ".Arrow~R1C5~R2C4~R3C3.PillArrow~2~R5C3~R5C4~R4C4",
            ".Diagonal~1.Diagonal~-1.Quad~R1C1~1~4~6~7.X~R2C1~R2C2",
            ".Skyscraper~C2~3~.Skyscraper~R4~~2.Sandwich~8~C1.XSum~R1~~20",
            ".LittleKiller~22~R1C1.LittleKiller~9~R1C4.LittleKiller~30~R5C9.LittleKiller~12~R9C6",
            ".Sum~3_=_1_-1_2~R1C5~R1C6~R7C7.Sum~9~R2C5~R2C6",
            ".~R1C1_1_2_3.Whisper~5~R1C2~R1C3.GreaterThan~R5C5~R5C6.Indexing~C~R1C1",
            ".Shape~16x16.~RgCg_16",
            ".Shape~5x5.Jigsaw~0001100111222223334433444.NoBoxes",
        ] {
            assert_eq!(again(line), line);
        }
    }

    #[test]
    fn neighbours_in_a_list_are_pairs() {
        let line = again(".GreaterThan~R1C8~R2C8~R1C7~R1C9");
        assert_eq!(line, ".GreaterThan~R1C8~R2C8.GreaterThan~R1C8~R1C7.GreaterThan~R1C8~R1C9");
    }

    #[test]
    fn unknown_rules_and_groups_are_reported() {
        let line = ".Or.Cage~3~R1C1~R1C2.End.Lunchbox~10~R1C1~R1C2.Windoku";
        let entry = notation::read(line, OPTIONS).unwrap();
        assert_eq!(entry.unknown_rules, ["Or … End", "Lunchbox~10~R1C1~R1C2"]);
        assert_eq!(entry.puzzle.rules().unwrap().constraints(), [Constraint::Windoku]);
    }

    #[test]
    fn wrong_arguments_are_errors() {
        let error = |line: &str| notation::read(line, OPTIONS).unwrap_err().to_string();
        assert_eq!(error(".Cage~x~R1C1"), "Cage: unexpected argument \"x\"");
        assert_eq!(error(".Thermo~R1C1~R0C2"), "Thermo: unexpected argument \"R0C2\"");
        assert_eq!(error(".Shape~6x7.~R1C1_1"), "expected a square grid, found \"6x7\"");
        assert_eq!(error(".Quad~R9C9~1"), "Quad: unexpected argument \"R9C9\"");
        assert_eq!(error(".PillArrow~9~R1C1~R1C2"), "PillArrow: unexpected argument \"9\"");
        assert!(error(".Jigsaw~123.NoBoxes").contains("81"));
    }

    #[test]
    fn rules_without_a_name_here_cannot_be_written() {
        let rules = Rules::classic(Order::NINE).with(Constraint::Maximum(Cell::new(0))).unwrap();
        let puzzle = with_rules(Grid::empty(Order::NINE), &rules);
        assert_eq!(notation::write(&puzzle, Format::Iss), Err("maximum at r1c1".to_string()));
        let tiny = Grid::empty(Order::without_boxes(2).unwrap());
        assert_eq!(notation::write(&tiny, Format::Iss), Err("a grid of 2 rows".to_string()));
    }
}
