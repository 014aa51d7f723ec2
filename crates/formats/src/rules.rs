//! Reads the rules of f-puzzles boards as [`Rules`].
//!
//! f-puzzles stores each kind of rule under its own key: `killercage`, `thermometer`, `xv` and so
//! on. This file maps the keys to rules. A key it does not know is reported in
//! [`BoardRules::unknown`], never dropped, because a puzzle without one of its rules is another
//! puzzle.
//!
//! Beyond f-puzzles' own keys it reads `regions` (one sign per cell), `noboxes`, `windoku`, `sum`
//! and `greaterthan`, and accepts `cells` instead of a position for outside clues.

#[cfg(test)]
mod tests;

use ninefold::grid::rules::{LineKind, Relation, Rule, Rules, RulesError};
use ninefold::grid::{Cell, Digit, DigitSet, Order};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The rules of a board, and the keys that could not be understood.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BoardRules {
    /// The rules that were understood.
    pub rules: Rules,
    /// Keys of rules that Ninefold does not know. If there are any, a solution ignores them.
    pub unknown: Vec<String>,
}

/// A rule that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReadRulesError {
    /// A value has the wrong type or is missing.
    #[error("{key}: expected {expected}, found {found}")]
    WrongValue {
        /// The key of the rule.
        key: String,
        /// What would be valid.
        expected: &'static str,
        /// The value.
        found: String,
    },
    /// A cell is outside the grid.
    #[error("{key}: {cell} is outside a {side}×{side} grid")]
    OutsideGrid {
        /// The key of the rule.
        key: String,
        /// The name of the cell.
        cell: String,
        /// The side of the grid.
        side: usize,
    },
    /// A rule is impossible.
    #[error("{key}: {error}")]
    Rule {
        /// The key of the rule.
        key: String,
        /// Why the rule is impossible.
        error: RulesError,
    },
}

/// Reads the rules among the keys of a board with this side. Keys in `ignored` are not rules.
pub fn read_rules(
    side: usize,
    board: &Map<String, Value>,
    ignored: &[&str],
) -> Result<BoardRules, ReadRulesError> {
    let mut reader = Reader::new(side, board)?;
    let mut unknown = Vec::new();
    for (key, value) in board {
        // An empty list or `false` means that the rule is not used.
        let is_unused = matches!(value, Value::Null | Value::Bool(false))
            || value.as_array().is_some_and(Vec::is_empty);
        if is_unused || ignored.contains(&key.as_str()) {
            continue;
        }
        if !reader.read(key, value)? {
            unknown.push(key.clone());
        }
    }
    reader.add_negative_rules(board.get("negative"), &mut unknown)?;
    Ok(BoardRules { rules: reader.rules, unknown })
}

type Result<T, E = ReadRulesError> = std::result::Result<T, E>;
type Pair = (Cell, Cell);

struct Reader<'a> {
    side: usize,
    key: &'a str,
    rules: Rules,
    /// The region of each cell, for region sum lines.
    regions: Vec<Option<u8>>,
    /// All pairs of orthogonal neighbours.
    neighbours: Vec<Pair>,
    /// Pairs with a white dot, a black dot, an X, a V.
    marked: [BTreeSet<Pair>; 4],
}

const WHITE: usize = 0;
const BLACK: usize = 1;
const X: usize = 2;
const V: usize = 3;

impl<'a> Reader<'a> {
    fn new(side: usize, board: &'a Map<String, Value>) -> Result<Reader<'a>> {
        let is_set = |key: &str| board.get(key).is_some_and(|value| *value != Value::Bool(false));
        let wrap = |error| ReadRulesError::Rule { key: "regions".to_string(), error };
        let mut rules = Rules::without_regions(side).map_err(wrap)?;
        let mut regions = vec![None; side * side];
        let boxes = Order::from_side(side);
        if let Some(layout) = board.get("regions").and_then(Value::as_str) {
            let mut names: Vec<char> = layout.chars().filter(|sign| *sign != '-').collect();
            names.sort_unstable();
            names.dedup();
            regions = layout
                .chars()
                .map(|sign| names.binary_search(&sign).ok().map(|number| number as u8))
                .collect();
            rules = Rules::jigsaw(side, regions.clone()).map_err(wrap)?;
        } else if let Some(order) = boxes.filter(|_| !is_set("noboxes")) {
            regions = order.cells().map(|cell| Some(order.box_of(cell) as u8)).collect();
            rules = Rules::classic(order);
        }
        let at = |row: usize, column: usize| Cell::new(row * side + column);
        let mut neighbours = Vec::new();
        for row in 0..side {
            for column in 0..side {
                if column + 1 < side {
                    neighbours.push((at(row, column), at(row, column + 1)));
                }
                if row + 1 < side {
                    neighbours.push((at(row, column), at(row + 1, column)));
                }
            }
        }
        Ok(Reader { side, key: "", rules, regions, neighbours, marked: Default::default() })
    }

    /// Reads one key; false if it is unknown.
    fn read(&mut self, key: &'a str, value: &Value) -> Result<bool> {
        self.key = key;
        match key {
            "noboxes" | "negative" | "regions" => {}
            "boxes_too" => {
                if let Some(order) = Order::from_side(self.side) {
                    for region in Rules::classic(order).regions() {
                        self.add(Rule::Differ(region))?;
                    }
                }
            }
            "killercage" | "cage" => self.cages(value)?,
            "sum" => self.sums(value)?,
            "diagonal+" => {
                let side = self.side;
                let cells = (0..side).map(|at| Cell::new((side - 1 - at) * side + at)).collect();
                self.add(Rule::Differ(cells))?;
            }
            "diagonal-" => {
                let side = self.side;
                self.add(Rule::Differ((0..side).map(|at| Cell::new(at * side + at)).collect()))?;
            }
            "windoku" if self.side == 9 => {
                for (row, column) in [(1, 1), (1, 5), (5, 1), (5, 5)] {
                    let at = |i: usize| Cell::new((row + i / 3) * 9 + column + i % 3);
                    self.add(Rule::Differ((0..9).map(at).collect()))?;
                }
            }
            "disjointgroups" => self.disjoint_groups()?,
            "extraregion" => {
                for item in self.list(value)? {
                    let cells = self.cells(&item["cells"])?;
                    self.add(Rule::Differ(cells))?;
                }
            }
            "even" | "odd" => {
                let remainder = u8::from(key == "odd");
                let digits = DigitSet::up_to(self.side).filter(|d| d.number() % 2 == remainder);
                let digits: DigitSet = digits.collect();
                for item in self.list(value)? {
                    let cell = self.cell(&item["cell"])?;
                    self.add(Rule::Candidates { cell, digits })?;
                }
            }
            "givenPencilMarks" => {
                for item in self.list(value)? {
                    let digits = self.digits(&item["values"])?.into_iter().collect();
                    let cell = self.cell(&item["cell"])?;
                    self.add(Rule::Candidates { cell, digits })?;
                }
            }
            "antiknight" => self.moves(&[(1, 2), (2, 1), (1, -2), (2, -1)])?,
            "antiking" => self.moves(&[(1, 1), (1, -1)])?,
            "nonconsecutive" => {
                let pairs = self.neighbours.clone();
                self.add(Rule::Pairs { pairs, relation: Relation::NotDifference(1) })?;
            }
            "thermometer" => self.neighbours_on_lines(value, |_| Relation::Less)?,
            "slowthermometer" => self.neighbours_on_lines(value, |_| Relation::LessOrEqual)?,
            "whispers" => {
                let usual = self.side.div_ceil(2) as u8;
                self.neighbours_on_lines(value, |item| {
                    Relation::AtLeastApart(number(&item["value"]).map_or(usual, |n| n as u8))
                })?;
            }
            "palindrome" => {
                for line in self.lines(value)? {
                    let ends = line.iter().zip(line.iter().rev()).take(line.len() / 2);
                    let pairs = ends.map(|(&a, &b)| (a, b)).collect();
                    self.add(Rule::Pairs { pairs, relation: Relation::Equal })?;
                }
            }
            "renban" => {
                for line in self.lines(value)? {
                    let relation = Relation::Within(line.len() as u8);
                    let pairs = all_pairs(&line);
                    self.add(Rule::Differ(line))?;
                    self.add(Rule::Pairs { pairs, relation })?;
                }
            }
            "nabner" => {
                for line in self.lines(value)? {
                    let relation = Relation::AtLeastApart(2);
                    self.add(Rule::Pairs { pairs: all_pairs(&line), relation })?;
                }
            }
            "entropicline" | "modularline" => self.repeating_lines(value)?,
            "difference" | "ratio" | "xv" => self.dots(value)?,
            "greaterthan" => {
                for item in self.list(value)? {
                    let cells = self.cells(&item["cells"])?;
                    let pairs = cells.windows(2).map(|pair| (pair[1], pair[0])).collect();
                    self.add(Rule::Pairs { pairs, relation: Relation::Less })?;
                }
            }
            "maximum" | "minimum" => self.extremes(value)?,
            "clone" => {
                for item in self.list(value)? {
                    let cells = self.cells(&item["cells"])?;
                    let clones = self.cells(&item["cloneCells"])?;
                    let pairs = cells.into_iter().zip(clones).collect();
                    self.add(Rule::Pairs { pairs, relation: Relation::Equal })?;
                }
            }
            "arrow" => self.arrows(value)?,
            "doublearrow" => {
                for line in self.lines(value)? {
                    let last = line.len().saturating_sub(1);
                    let sign = |at| if at == 0 || at == last { -1 } else { 1 };
                    let terms = line.iter().enumerate().map(|(at, &c)| (sign(at), c)).collect();
                    self.add(Rule::Sum { terms, total: 0 })?;
                }
            }
            "zipperline" => self.zippers(value)?,
            "littlekillersum" => self.little_killers(value)?,
            "sandwichsum" | "xsum" | "skyscraper" | "numberedroom" => self.outside_clues(value)?,
            "betweenline" => {
                for line in self.lines(value)? {
                    let cells = ends_first(line);
                    self.add(Rule::Line { cells, kind: LineKind::Between })?;
                }
            }
            "lockout" => {
                for item in self.list(value)? {
                    let distance = number(&item["value"]).map_or(4, |n| n as u8);
                    for line in self.list(&item["lines"])? {
                        let cells = ends_first(self.cells(&line)?);
                        self.add(Rule::Line { cells, kind: LineKind::Lockout(distance) })?;
                    }
                }
            }
            "regionsumline" => {
                for line in self.lines(value)? {
                    let regions: Vec<_> = line.iter().map(|c| self.regions[c.index()]).collect();
                    let lengths = regions.chunk_by(|a, b| a == b).map(<[_]>::len).collect();
                    self.add(Rule::Line { cells: line, kind: LineKind::EqualSums(lengths) })?;
                }
            }
            "quadruple" => {
                for item in self.list(value)? {
                    let cells = self.cells(&item["cells"])?;
                    let digits = self.digits(&item["values"])?;
                    self.add(Rule::Contains { cells, digits })?;
                }
            }
            "rowindexer" | "columnindexer" | "boxindexer" => self.indexers(value)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn cages(&mut self, value: &Value) -> Result<()> {
        for item in self.list(value)? {
            let cells = self.cells(&item["cells"])?;
            let rule = match &item["value"] {
                Value::Null => Rule::Differ(cells),
                Value::String(text) if text.is_empty() => Rule::Differ(cells),
                sum => Rule::Cage { cells, sum: self.number(sum)? as u32 },
            };
            self.add(rule)?;
        }
        Ok(())
    }

    fn sums(&mut self, value: &Value) -> Result<()> {
        for item in self.list(value)? {
            let cells = self.cells(&item["cells"])?;
            let coefficients = match &item["coefficients"] {
                Value::Null => vec![1; cells.len()],
                list => {
                    let numbers = self.list(list)?;
                    numbers
                        .iter()
                        .map(|n| self.number(n).map(|n| n as i32))
                        .collect::<Result<_>>()?
                }
            };
            let total = self.number(&item["value"])? as i32;
            self.add(Rule::Sum { terms: coefficients.into_iter().zip(cells).collect(), total })?;
        }
        Ok(())
    }

    fn disjoint_groups(&mut self) -> Result<()> {
        let Some(order) = Order::from_side(self.side) else { return Ok(()) };
        for row in 0..order.box_rows() {
            for column in 0..order.box_columns() {
                let fits = |cell: &Cell| {
                    order.row_of(*cell) % order.box_rows() == row
                        && order.column_of(*cell) % order.box_columns() == column
                };
                self.add(Rule::Differ(order.cells().filter(fits).collect()))?;
            }
        }
        Ok(())
    }

    /// Cells that these moves connect contain different digits.
    fn moves(&mut self, moves: &[(isize, isize)]) -> Result<()> {
        let side = self.side as isize;
        let mut pairs = Vec::new();
        for row in 0..side {
            for column in 0..side {
                for (down, right) in moves {
                    let (other_row, other_column) = (row + down, column + right);
                    if other_row < side && (0..side).contains(&other_column) {
                        let cell = Cell::new((row * side + column) as usize);
                        pairs.push((cell, Cell::new((other_row * side + other_column) as usize)));
                    }
                }
            }
        }
        self.add(Rule::Pairs { pairs, relation: Relation::Different })
    }

    fn neighbours_on_lines(
        &mut self,
        value: &Value,
        relation: impl Fn(&Value) -> Relation,
    ) -> Result<()> {
        for item in self.list(value)? {
            for line in self.list(&item["lines"])? {
                let line = self.cells(&line)?;
                let pairs = line.windows(2).map(|pair| (pair[0], pair[1])).collect();
                self.add(Rule::Pairs { pairs, relation: relation(&item) })?;
            }
        }
        Ok(())
    }

    /// Entropic and modular lines: any n cells in a row have different classes, so classes repeat.
    fn repeating_lines(&mut self, value: &Value) -> Result<()> {
        let is_entropic = self.key == "entropicline";
        for item in self.list(value)? {
            let given = if is_entropic { None } else { number(&item["value"]) };
            let period = given.map_or(3, |n| n.max(1) as usize);
            let n = period as u8;
            let (other, same) = if is_entropic {
                (Relation::OtherClass(n), Relation::SameClass(n))
            } else {
                (Relation::OtherRemainder(n), Relation::SameRemainder(n))
            };
            for line in self.list(&item["lines"])? {
                let line = self.cells(&line)?;
                for distance in 1..=period {
                    let pairs = line.iter().zip(line.iter().skip(distance));
                    let pairs: Vec<Pair> = pairs.map(|(&a, &b)| (a, b)).collect();
                    let relation = if distance == period { same } else { other };
                    if !pairs.is_empty() {
                        self.add(Rule::Pairs { pairs, relation })?;
                    }
                }
            }
        }
        Ok(())
    }

    fn dots(&mut self, value: &Value) -> Result<()> {
        for item in self.list(value)? {
            let cells = self.cells(&item["cells"])?;
            let &[a, b] = &cells[..] else {
                return Err(self.wrong("two cells", &item["cells"]));
            };
            let given = number(&item["value"]);
            let (mark, relation) = match self.key {
                "difference" => (WHITE, Relation::Difference(given.unwrap_or(1) as u8)),
                "ratio" => (BLACK, Relation::Ratio(given.unwrap_or(2) as u8)),
                _ => match item["value"].as_str() {
                    Some("X" | "x") => (X, Relation::Total(10)),
                    Some("V" | "v") => (V, Relation::Total(5)),
                    _ => return Err(self.wrong("X or V", &item["value"])),
                },
            };
            self.marked[mark].insert((a.min(b), a.max(b)));
            self.add(Rule::Pairs { pairs: vec![(a, b)], relation })?;
        }
        Ok(())
    }

    fn extremes(&mut self, value: &Value) -> Result<()> {
        let items = self.list(value)?;
        let cells: Vec<Cell> =
            items.iter().map(|item| self.cell(&item["cell"])).collect::<Result<_>>()?;
        for &cell in &cells {
            let other = |&(a, b): &Pair| {
                if a == cell { Some(b) } else { (b == cell).then_some(a) }
            };
            let neighbours = self.neighbours.iter().filter_map(other);
            let pairs: Vec<Pair> = neighbours
                .filter(|other| !cells.contains(other))
                .map(|other| if self.key == "maximum" { (other, cell) } else { (cell, other) })
                .collect();
            if !pairs.is_empty() {
                self.add(Rule::Pairs { pairs, relation: Relation::Less })?;
            }
        }
        Ok(())
    }

    /// The digits of the circle or pill form a number, which is the sum along each line.
    fn arrows(&mut self, value: &Value) -> Result<()> {
        let base = if self.side > 9 { 100 } else { 10 };
        for item in self.list(value)? {
            let mut pill = self.cells(&item["cells"])?;
            pill.sort_unstable();
            if pill.len() > 4 {
                return Err(self.wrong("a circle of one to four cells", &item["cells"]));
            }
            for line in self.list(&item["lines"])? {
                let line = self.cells(&line)?;
                let shaft = line.iter().skip(1).filter(|cell| !pill.contains(cell));
                let mut terms: Vec<(i32, Cell)> = shaft.map(|&cell| (1, cell)).collect();
                let mut weight = -1;
                for &cell in pill.iter().rev() {
                    terms.push((weight, cell));
                    weight *= base;
                }
                self.add(Rule::Sum { terms, total: 0 })?;
            }
        }
        Ok(())
    }

    /// Cells at equal distance from the middle have equal sums, which is the digit in the middle if
    /// there is one.
    fn zippers(&mut self, value: &Value) -> Result<()> {
        for line in self.lines(value)? {
            let half = line.len() / 2;
            let pair = |at: usize| [(1, line[at]), (1, line[line.len() - 1 - at])];
            for at in 0..half {
                let mut terms = pair(at).to_vec();
                if line.len() % 2 == 1 {
                    terms.push((-1, line[half]));
                } else if at > 0 {
                    terms.extend(pair(0).map(|(k, cell)| (-k, cell)));
                } else {
                    continue;
                }
                self.add(Rule::Sum { terms, total: 0 })?;
            }
        }
        Ok(())
    }

    fn little_killers(&mut self, value: &Value) -> Result<()> {
        for item in self.list(value)? {
            // A clue without a number is only a drawing.
            let Some(total) = number(&item["value"]) else { continue };
            let cells = match &item["cells"] {
                Value::Array(list) if !list.is_empty() => self.cells(&item["cells"])?,
                _ => self.diagonal(&item)?,
            };
            let terms = cells.into_iter().map(|cell| (1, cell)).collect();
            self.add(Rule::Sum { terms, total: total as i32 })?;
        }
        Ok(())
    }

    /// The cells that a clue outside the grid sees along its diagonal.
    fn diagonal(&self, item: &Value) -> Result<Vec<Cell>> {
        let side = self.side as i64;
        let (mut row, mut column) = self.place(&item["cell"])?;
        let (down, right) = match item["direction"].as_str() {
            Some("DR") => (1, 1),
            Some("DL") => (1, -1),
            Some("UR") => (-1, 1),
            Some("UL") => (-1, -1),
            _ => return Err(self.wrong("DR, DL, UR or UL", &item["direction"])),
        };
        let mut cells = Vec::new();
        loop {
            (row, column) = (row + down, column + right);
            if !(1..=side).contains(&row) || !(1..=side).contains(&column) {
                return Ok(cells);
            }
            cells.push(Cell::new(((row - 1) * side + column - 1) as usize));
        }
    }

    fn outside_clues(&mut self, value: &Value) -> Result<()> {
        for item in self.list(value)? {
            let Some(clue) = number(&item["value"]) else { continue };
            let cells = match &item["cells"] {
                Value::Array(_) => self.cells(&item["cells"])?,
                _ => self.line_seen_from(&item["cell"])?,
            };
            let kind = match self.key {
                "sandwichsum" => LineKind::Sandwich(clue as u32),
                "xsum" => LineKind::XSum(clue as u32),
                "skyscraper" => LineKind::Skyscraper(clue as u32),
                _ => LineKind::NumberedRoom(clue as u8),
            };
            self.add(Rule::Line { cells, kind })?;
        }
        Ok(())
    }

    /// The row or column of a clue outside the grid, in the direction of view.
    fn line_seen_from(&self, value: &Value) -> Result<Vec<Cell>> {
        let side = self.side;
        let (row, column) = self.place(value)?;
        let (row, column) = (row as usize, column as usize);
        let at = |row: usize, column: usize| Cell::new((row - 1) * side + column - 1);
        let inside = 1..=side;
        if inside.contains(&column) && row == 0 {
            Ok((1..=side).map(|row| at(row, column)).collect())
        } else if inside.contains(&column) && row == side + 1 {
            Ok((1..=side).rev().map(|row| at(row, column)).collect())
        } else if inside.contains(&row) && column == 0 {
            Ok((1..=side).map(|column| at(row, column)).collect())
        } else if inside.contains(&row) && column == side + 1 {
            Ok((1..=side).rev().map(|column| at(row, column)).collect())
        } else {
            Err(self.wrong("a place beside the grid", value))
        }
    }

    /// A digit d in an indexed cell says where in its row (column, box) the number of its column
    /// (row, place in the box) is.
    fn indexers(&mut self, value: &Value) -> Result<()> {
        let side = self.side;
        for item in self.list(value)? {
            for cell in self.cells(&item["cells"])? {
                let (row, column) = (cell.index() / side, cell.index() % side);
                for index in 0..side {
                    let (other, number) = match self.key {
                        "columnindexer" => (row * side + index, column),
                        "rowindexer" => (index * side + column, row),
                        _ => {
                            let Some(order) = Order::from_side(side) else { return Ok(()) };
                            let (height, width) = (order.box_rows(), order.box_columns());
                            let (top, left) = (row / height * height, column / width * width);
                            let number = (row - top) * width + column - left;
                            ((top + index / width) * side + left + index % width, number)
                        }
                    };
                    if other == cell.index() {
                        continue;
                    }
                    self.add(Rule::Index {
                        cell,
                        digit: Digit::from_index(index),
                        other: Cell::new(other),
                        value: Digit::from_index(number),
                    })?;
                }
            }
        }
        Ok(())
    }

    /// Pairs of neighbours without a mark do not have its relation.
    fn add_negative_rules(
        &mut self,
        value: Option<&Value>,
        unknown: &mut Vec<String>,
    ) -> Result<()> {
        self.key = "negative";
        let Some(value) = value else { return Ok(()) };
        for kind in self.list(value)? {
            let (marks, relations): (&[usize], &[Relation]) = match kind.as_str() {
                Some("difference") => (&[WHITE], &[Relation::NotDifference(1)]),
                Some("ratio") => (&[BLACK], &[Relation::NotRatio(2)]),
                Some("kropki") => {
                    (&[WHITE, BLACK], &[Relation::NotDifference(1), Relation::NotRatio(2)])
                }
                Some("xv") => (&[X, V], &[Relation::NotTotal(10), Relation::NotTotal(5)]),
                _ => {
                    unknown.push(format!("negative {kind}"));
                    continue;
                }
            };
            let is_marked =
                |pair: &Pair| marks.iter().any(|mark| self.marked[*mark].contains(pair));
            let pairs: Vec<Pair> =
                self.neighbours.iter().copied().filter(|pair| !is_marked(pair)).collect();
            for &relation in relations {
                if !pairs.is_empty() {
                    self.add(Rule::Pairs { pairs: pairs.clone(), relation })?;
                }
            }
        }
        Ok(())
    }

    fn add(&mut self, rule: Rule) -> Result<()> {
        let wrap = |error| ReadRulesError::Rule { key: self.key.to_string(), error };
        self.rules.push(rule).map_err(wrap)
    }

    fn list(&self, value: &Value) -> Result<Vec<Value>> {
        value.as_array().cloned().ok_or_else(|| self.wrong("a list", value))
    }

    fn lines(&self, value: &Value) -> Result<Vec<Vec<Cell>>> {
        let mut lines = Vec::new();
        for item in self.list(value)? {
            for line in self.list(&item["lines"])? {
                lines.push(self.cells(&line)?);
            }
        }
        Ok(lines)
    }

    fn cells(&self, value: &Value) -> Result<Vec<Cell>> {
        self.list(value)?.iter().map(|cell| self.cell(cell)).collect()
    }

    fn cell(&self, value: &Value) -> Result<Cell> {
        let (row, column) = self.place(value)?;
        let inside = 1..=self.side as i64;
        if !inside.contains(&row) || !inside.contains(&column) {
            let cell = value.as_str().unwrap_or_default().to_string();
            return Err(ReadRulesError::OutsideGrid {
                key: self.key.to_string(),
                cell,
                side: self.side,
            });
        }
        Ok(Cell::new((row as usize - 1) * self.side + column as usize - 1))
    }

    /// The row and column of a name such as `R3C7`; `R0C7` is above the grid.
    fn place(&self, value: &Value) -> Result<(i64, i64)> {
        let parse = || {
            let (row, column) = value.as_str()?.strip_prefix(['R', 'r'])?.split_once(['C', 'c'])?;
            let (row, column): (i64, i64) = (row.parse().ok()?, column.parse().ok()?);
            let outside = 0..=self.side as i64 + 1;
            (outside.contains(&row) && outside.contains(&column)).then_some((row, column))
        };
        parse().ok_or_else(|| self.wrong("a cell such as R3C7", value))
    }

    fn digits(&self, value: &Value) -> Result<Vec<Digit>> {
        let digit = |value: &Value| {
            let number = self.number(value)?;
            let digit = u8::try_from(number).ok().and_then(Digit::new);
            digit
                .filter(|digit| digit.index() < self.side)
                .ok_or_else(|| self.wrong("a digit of the grid", value))
        };
        self.list(value)?.iter().map(digit).collect()
    }

    fn number(&self, value: &Value) -> Result<i64> {
        number(value).ok_or_else(|| self.wrong("a number", value))
    }

    fn wrong(&self, expected: &'static str, found: &Value) -> ReadRulesError {
        let mut found = found.to_string();
        if found.chars().count() > 40 {
            found = found.chars().take(40).chain(['…']).collect();
        }
        ReadRulesError::WrongValue { key: self.key.to_string(), expected, found }
    }
}

/// A number, which f-puzzles often writes as a string.
fn number(value: &Value) -> Option<i64> {
    let number = match value {
        Value::Number(number) => number.as_i64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    number.filter(|number| (0..=1_000_000).contains(number))
}

fn all_pairs(cells: &[Cell]) -> Vec<Pair> {
    let pairs = cells.iter().enumerate();
    pairs.flat_map(|(at, &b)| cells[..at].iter().map(move |&a| (a, b))).collect()
}

/// Moves the last cell to the second place.
fn ends_first(mut line: Vec<Cell>) -> Vec<Cell> {
    if line.len() > 2 {
        line[1..].rotate_right(1);
    }
    line
}
