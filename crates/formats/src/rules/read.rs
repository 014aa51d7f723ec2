//! Reads the keys of an f-puzzles board.

use super::{BoardRules, ReadRulesError};
use ninefold::grid::rules::{
    Constraint, Diagonal, Direction, Dot, Indexer, LineRule, Negative, Outside, Place, Rules,
};
use ninefold::grid::{Cell, Digit, DigitSet, Order};
use serde_json::{Map, Value};

type Result<T, E = ReadRulesError> = std::result::Result<T, E>;

/// Keys of a board that contain no rule.
const NO_RULES: [&str; 11] = [
    "author",
    "disabledlogic",
    "grid",
    "highlightConflicts",
    "noboxes",
    "regions",
    "ruleset",
    "size",
    "solution",
    "title",
    "truecandidatesoptions",
];

/// What a value is expected to be that setters sometimes replace by a letter.
const A_NUMBER: &str = "a number";
/// At most this many rules are reported one by one.
const MOST_UNKNOWN: usize = 100;

/// Reads the rules among the keys of a board with this side. The regions are those of the board's
/// key `regions`, or the usual boxes. Keys in `ignored` are not rules.
pub fn read_rules(
    side: usize,
    board: &Map<String, Value>,
    ignored: &[&str],
) -> Result<BoardRules, ReadRulesError> {
    let is_set = |key: &str| board.get(key).is_some_and(|value| *value != Value::Bool(false));
    let rules = if let Some(layout) = board.get("regions").and_then(Value::as_str) {
        // A side that does not fit is an error of the layout.
        Rules::jigsaw(side, regions(layout))?
    } else if let Some(order) = Order::from_side(side).filter(|_| !is_set("noboxes")) {
        Rules::classic(order)
    } else {
        Rules::without_regions(side)?
    };
    read_rules_into(rules, board, ignored)
}

/// Adds the rules among the keys of a board.
pub(crate) fn read_rules_into(
    mut rules: Rules,
    board: &Map<String, Value>,
    ignored: &[&str],
) -> Result<BoardRules, ReadRulesError> {
    let mut reader =
        Reader { side: rules.side(), key: "", constraints: Vec::new(), unknown: Vec::new() };
    for (key, value) in board {
        // An empty list or `false` means that the rule is not used.
        let is_unused = matches!(value, Value::Null | Value::Bool(false))
            || value.as_array().is_some_and(Vec::is_empty);
        let key = key.as_str();
        if is_unused || NO_RULES.contains(&key) || ignored.contains(&key) {
            continue;
        }
        reader.read(key, value)?;
    }
    rules.extend(reader.constraints)?;
    Ok(BoardRules { rules, unknown: reader.unknown })
}

/// The region of each cell in a text with one sign per cell, `-` for cells outside all regions.
pub(crate) fn regions(layout: &str) -> Vec<Option<u8>> {
    let mut names: Vec<char> = layout.chars().filter(|sign| *sign != '-').collect();
    names.sort_unstable();
    names.dedup();
    // More names than 256 are more regions than any grid has; they share the last number and are
    // rejected as a region that is too large.
    let number = |sign| names.binary_search(&sign).ok().map(|number| number.min(255) as u8);
    layout.chars().map(number).collect()
}

struct Reader<'a> {
    side: usize,
    key: &'a str,
    constraints: Vec<Constraint>,
    unknown: Vec<String>,
}

impl<'a> Reader<'a> {
    fn read(&mut self, key: &'a str, value: &Value) -> Result<()> {
        self.key = key;
        match key {
            // A size without usual boxes has none to add.
            "boxes_too" if Order::from_side(self.side).is_none() => {}
            "boxes_too" => self.add(Constraint::UsualBoxes),
            "diagonal+" => self.add(Constraint::Diagonal(Diagonal::Rising)),
            "diagonal-" => self.add(Constraint::Diagonal(Diagonal::Falling)),
            "windoku" => self.add(Constraint::Windoku),
            "disjointgroups" => self.add(Constraint::DisjointGroups),
            "antiknight" => self.add(Constraint::AntiKnight),
            "antiking" => self.add(Constraint::AntiKing),
            "nonconsecutive" => self.add(Constraint::Nonconsecutive),
            "negative" => self.negative(value)?,
            "killercage" => self.each(value, |reader, item| {
                let cells = reader.cells(&item["cells"])?;
                let sum = match &item["value"] {
                    Value::Null => None,
                    Value::String(text) if text.trim().is_empty() => None,
                    sum => Some(reader.number(sum)?),
                };
                Ok(Some(Constraint::Cage { cells, sum }))
            })?,
            "sum" => self.each(value, Reader::sum)?,
            "extraregion" => self.each(value, |reader, item| {
                Ok(Some(Constraint::ExtraRegion(reader.cells(&item["cells"])?)))
            })?,
            "countingcircles" => self.each(value, |reader, item| {
                Ok(Some(Constraint::CountingCircles(reader.cells(&item["cells"])?)))
            })?,
            "even" => self.single_cells(value, Constraint::Even)?,
            "odd" => self.single_cells(value, Constraint::Odd)?,
            "maximum" => self.single_cells(value, Constraint::Maximum)?,
            "minimum" => self.single_cells(value, Constraint::Minimum)?,
            "givenPencilMarks" => self.each(value, |reader, item| {
                let digits: DigitSet = reader.digits(&item["values"])?.into_iter().collect();
                let cell = reader.cell(&item["cell"])?;
                Ok(Some(Constraint::Candidates { cell, digits }))
            })?,
            "thermometer" => self.lines(value, |_| LineRule::Thermometer)?,
            "slowthermometer" => self.lines(value, |_| LineRule::SlowThermometer)?,
            "whispers" => {
                let usual = self.side.div_ceil(2) as u8;
                self.lines(value, |number| LineRule::Whispers(number.unwrap_or(usual)))?;
            }
            "palindrome" => self.lines(value, |_| LineRule::Palindrome)?,
            "renban" => self.lines(value, |_| LineRule::Renban)?,
            "nabner" => self.lines(value, |_| LineRule::Nabner)?,
            "entropicline" => self.lines(value, |_| LineRule::Entropic)?,
            "modularline" => self.lines(value, |n| LineRule::Modular(n.unwrap_or(3)))?,
            "betweenline" => self.lines(value, |_| LineRule::Between)?,
            "lockout" => self.lines(value, |number| LineRule::Lockout(number.unwrap_or(4)))?,
            "regionsumline" => self.lines(value, |_| LineRule::RegionSum)?,
            "zipperline" => self.lines(value, |_| LineRule::Zipper)?,
            "doublearrow" => self.lines(value, |_| LineRule::DoubleArrow)?,
            "difference" | "ratio" | "xv" => self.each(value, Reader::dot)?,
            "greaterthan" => self.each(value, |reader, item| {
                Ok(Some(Constraint::GreaterThan(reader.cells(&item["cells"])?)))
            })?,
            "clone" => self.each(value, |reader, item| {
                let cells = reader.cells(&item["cells"])?;
                let clones = reader.cells(&item["cloneCells"])?;
                Ok(Some(Constraint::Clone { cells, clones }))
            })?,
            "arrow" => self.each(value, Reader::arrow)?,
            "littlekillersum" => self.each(value, Reader::little_killer)?,
            "sandwichsum" | "xsum" | "skyscraper" | "numberedroom" => {
                self.each(value, Reader::outside)?;
            }
            "quadruple" => self.each(value, |reader, item| {
                let cells = reader.cells(&item["cells"])?;
                let digits = reader.digits(&item["values"])?;
                // A circle without digits is a drawing.
                Ok((!digits.is_empty()).then_some(Constraint::Quadruple { cells, digits }))
            })?,
            "rowindexer" => self.indexers(value, Indexer::Row)?,
            "columnindexer" => self.indexers(value, Indexer::Column)?,
            "boxindexer" => self.indexers(value, Indexer::Box)?,
            _ => self.unknown_key(value),
        }
        Ok(())
    }

    fn add(&mut self, constraint: Constraint) {
        self.constraints.push(constraint);
    }

    /// Reports a key that is not understood.
    fn unknown_key(&mut self, value: &Value) {
        let mut names: Vec<&str> = Vec::new();
        for item in value.as_array().into_iter().flatten() {
            // f-puzzles draws rules that it does not know as lines, circles and texts.
            let name = item.get("fromConstraint").and_then(Value::as_str);
            names.extend(name.filter(|name| !names.contains(name)).filter(|_| names.len() < 20));
        }
        if names.is_empty() {
            self.unknown.push(self.key.to_string());
        } else {
            let key = self.key;
            self.unknown.extend(names.iter().map(|name| format!("{name} (drawn as {key})")));
        }
    }

    /// Reads each item of a list. `None` is an item without a meaning.
    fn each(
        &mut self,
        value: &Value,
        read: impl Fn(&Reader<'a>, &Value) -> Result<Option<Constraint>>,
    ) -> Result<()> {
        for item in self.list(value)? {
            match read(self, item) {
                Ok(constraint) => self.constraints.extend(constraint),
                // A cage with a letter is a rule that its setter explains in words.
                Err(ReadRulesError::WrongValue { expected: A_NUMBER, found, .. })
                    if self.unknown.len() < MOST_UNKNOWN =>
                {
                    self.unknown.push(format!("{} with {found}", self.key));
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    fn single_cells(&mut self, value: &Value, constraint: fn(Cell) -> Constraint) -> Result<()> {
        self.each(value, |reader, item| Ok(Some(constraint(reader.cell(&item["cell"])?))))
    }

    fn indexers(&mut self, value: &Value, kind: Indexer) -> Result<()> {
        self.each(value, |reader, item| {
            Ok(Some(Constraint::Indexer { kind, cells: reader.cells(&item["cells"])? }))
        })
    }

    fn lines(&mut self, value: &Value, kind: impl Fn(Option<u8>) -> LineRule) -> Result<()> {
        for item in self.list(value)? {
            let kind = kind(self.optional_number(&item["value"])?);
            for line in self.list(&item["lines"])? {
                let cells = self.cells(line)?;
                self.constraints.push(Constraint::Line { kind, cells });
            }
        }
        Ok(())
    }

    fn negative(&mut self, value: &Value) -> Result<()> {
        for kind in self.list(value)? {
            let kind = match kind.as_str() {
                Some("difference") => Negative::Difference,
                Some("ratio") => Negative::Ratio,
                Some("kropki") => Negative::Kropki,
                Some("xv") => Negative::Xv,
                _ => {
                    let name = shorten(kind);
                    self.unknown.push(format!("negative {name}"));
                    continue;
                }
            };
            self.constraints.push(Constraint::Negative(kind));
        }
        Ok(())
    }

    fn sum(&self, item: &Value) -> Result<Option<Constraint>> {
        let cells = self.cells(&item["cells"])?;
        let coefficients = match &item["coefficients"] {
            Value::Null => vec![1; cells.len()],
            list => self.list(list)?.iter().map(|n| self.integer(n)).collect::<Result<_>>()?,
        };
        if coefficients.len() != cells.len() {
            return Err(self.wrong("a coefficient for each cell", &item["coefficients"]));
        }
        let total = self.integer(&item["value"])?;
        Ok(Some(Constraint::Sum { terms: coefficients.into_iter().zip(cells).collect(), total }))
    }

    fn dot(&self, item: &Value) -> Result<Option<Constraint>> {
        let cells = self.cells(&item["cells"])?;
        let &[a, b] = &cells[..] else {
            return Err(self.wrong("two cells", &item["cells"]));
        };
        let value = &item["value"];
        let kind = match self.key {
            "difference" => Dot::Difference(self.optional_number(value)?.unwrap_or(1)),
            "ratio" => Dot::Ratio(self.optional_number(value)?.unwrap_or(2)),
            _ => match value.as_str().map(str::trim) {
                Some("X" | "x") => Dot::Total(10),
                Some("V" | "v") => Dot::Total(5),
                // f-puzzles draws a sign without a letter until the setter types one.
                Some("") => return Ok(None),
                _ => Dot::Total(
                    number(value)
                        .and_then(|n| u8::try_from(n).ok())
                        .ok_or_else(|| self.wrong("X, V or a sum", value))?,
                ),
            },
        };
        Ok(Some(Constraint::Dot { kind, cells: [a, b] }))
    }

    fn arrow(&self, item: &Value) -> Result<Option<Constraint>> {
        let circle = self.cells(&item["cells"])?;
        let lines = self.list(&item["lines"])?;
        let lines = lines.iter().map(|line| self.cells(line)).collect::<Result<_>>()?;
        Ok(Some(Constraint::Arrow { circle, lines }))
    }

    fn little_killer(&self, item: &Value) -> Result<Option<Constraint>> {
        // A clue without a number is only a drawing.
        let Some(sum) = self.optional(&item["value"])? else { return Ok(None) };
        let Some(order) = self.order() else { return Ok(None) };
        let directions = [
            ("DR", Direction::DownRight),
            ("DL", Direction::DownLeft),
            ("UR", Direction::UpRight),
            ("UL", Direction::UpLeft),
        ];
        let name = item["direction"].as_str();
        let direction = directions.iter().find(|(key, _)| name == Some(key)).map(|found| found.1);
        match &item["cells"] {
            Value::Array(list) if !list.is_empty() => {
                let cells = self.cells(&item["cells"])?;
                let known = directions.iter().find_map(|&(_, direction)| {
                    let place = before(cells[0], direction, order)?;
                    let is_same = place.diagonal(direction, order) == cells;
                    is_same.then_some(Constraint::LittleKiller { place, direction, sum })
                });
                let sum_of = |cells: Vec<Cell>| Constraint::Sum {
                    terms: cells.into_iter().map(|cell| (1, cell)).collect(),
                    total: sum as i32,
                };
                Ok(Some(known.unwrap_or_else(|| sum_of(cells))))
            }
            _ => {
                let place = self.place(&item["cell"])?;
                let direction =
                    direction.ok_or_else(|| self.wrong("DR, DL, UR or UL", &item["direction"]))?;
                Ok(Some(Constraint::LittleKiller { place, direction, sum }))
            }
        }
    }

    fn outside(&self, item: &Value) -> Result<Option<Constraint>> {
        let Some(value) = self.optional(&item["value"])? else { return Ok(None) };
        let kind = match self.key {
            "sandwichsum" => Outside::Sandwich,
            "xsum" => Outside::XSum,
            "skyscraper" => Outside::Skyscraper,
            _ => Outside::NumberedRoom,
        };
        let place = match &item["cells"] {
            Value::Array(_) => {
                let cells = self.cells(&item["cells"])?;
                let place = self.order().and_then(|order| beside(&cells, order));
                place.ok_or_else(|| self.wrong("a complete row or column", &item["cells"]))?
            }
            _ => self.place(&item["cell"])?,
        };
        Ok(Some(Constraint::Outside { kind, place, value }))
    }

    fn order(&self) -> Option<Order> {
        Order::without_boxes(self.side).ok()
    }

    fn list<'v>(&self, value: &'v Value) -> Result<&'v [Value]> {
        value.as_array().map(Vec::as_slice).ok_or_else(|| self.wrong("a list", value))
    }

    fn cells(&self, value: &Value) -> Result<Vec<Cell>> {
        self.list(value)?.iter().map(|cell| self.cell(cell)).collect()
    }

    fn cell(&self, value: &Value) -> Result<Cell> {
        let place = self.place(value)?;
        let inside = 1..=self.side;
        let (row, column) = (usize::from(place.row), usize::from(place.column));
        if !inside.contains(&row) || !inside.contains(&column) {
            let cell = value.as_str().unwrap_or_default().to_string();
            return Err(ReadRulesError::OutsideGrid {
                key: self.key.to_string(),
                cell,
                side: self.side,
            });
        }
        Ok(Cell::new((row - 1) * self.side + column - 1))
    }

    /// The row and column of a name such as `R3C7`; `R0C7` is above the grid.
    fn place(&self, value: &Value) -> Result<Place> {
        let parse = || {
            let (row, column) = value.as_str()?.strip_prefix(['R', 'r'])?.split_once(['C', 'c'])?;
            let (row, column): (u8, u8) = (row.parse().ok()?, column.parse().ok()?);
            let most = self.side + 1;
            let is_near = usize::from(row) <= most && usize::from(column) <= most;
            is_near.then_some(Place { row, column })
        };
        parse().ok_or_else(|| self.wrong("a cell such as R3C7", value))
    }

    fn digits(&self, value: &Value) -> Result<Vec<Digit>> {
        let digit = |value: &Value| {
            let digit = number(value).and_then(|n| u8::try_from(n).ok()).and_then(Digit::new);
            digit
                .filter(|digit| digit.index() < self.side)
                .ok_or_else(|| self.wrong("a digit of the grid", value))
        };
        self.list(value)?.iter().map(digit).collect()
    }

    fn number(&self, value: &Value) -> Result<u32> {
        number(value).ok_or_else(|| self.wrong(A_NUMBER, value))
    }

    fn integer(&self, value: &Value) -> Result<i32> {
        let integer = match value {
            Value::String(text) => text.trim().parse().ok(),
            value => value.as_i64(),
        };
        let small = integer.and_then(|integer: i64| i32::try_from(integer).ok());
        small.ok_or_else(|| self.wrong("an integer", value))
    }

    /// A number, or `None` if there is none or an empty text.
    fn optional(&self, value: &Value) -> Result<Option<u32>> {
        match value {
            Value::Null => Ok(None),
            Value::String(text) if text.trim().is_empty() => Ok(None),
            value => self.number(value).map(Some),
        }
    }

    fn optional_number(&self, value: &Value) -> Result<Option<u8>> {
        let Some(number) = self.optional(value)? else { return Ok(None) };
        u8::try_from(number).map(Some).map_err(|_| self.wrong("a number up to 255", value))
    }

    fn wrong(&self, expected: &'static str, found: &Value) -> ReadRulesError {
        ReadRulesError::WrongValue { key: self.key.to_string(), expected, found: shorten(found) }
    }
}

/// The place before a cell in a direction, if it is outside the grid.
fn before(cell: Cell, direction: Direction, order: Order) -> Option<Place> {
    let (row, column) = (order.row_of(cell) as u8 + 1, order.column_of(cell) as u8 + 1);
    let (row, column) = match direction {
        Direction::DownRight => (row - 1, column - 1),
        Direction::DownLeft => (row - 1, column + 1),
        Direction::UpRight => (row + 1, column - 1),
        Direction::UpLeft => (row + 1, column + 1),
    };
    Some(Place { row, column })
}

/// The place from which one sees these cells, if they are a complete row or column.
fn beside(cells: &[Cell], order: Order) -> Option<Place> {
    let first = *cells.first()?;
    let (row, column) = (order.row_of(first) as u8 + 1, order.column_of(first) as u8 + 1);
    let beyond = order.side() as u8 + 1;
    let places = [(0, column), (beyond, column), (row, 0), (row, beyond)];
    let mut places = places.into_iter().map(|(row, column)| Place { row, column });
    places.find(|place| place.line(order).as_deref() == Some(cells))
}

/// A number, which f-puzzles often writes as a string.
fn number(value: &Value) -> Option<u32> {
    let number = match value {
        Value::Number(number) => number.as_u64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    number.filter(|number| *number <= 1_000_000).map(|number| number as u32)
}

/// The beginning of a value as JSON.
pub(crate) fn shorten(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
