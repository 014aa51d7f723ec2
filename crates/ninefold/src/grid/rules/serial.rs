//! Serde implementations for [`Rules`]: a readable form for TOML and JSON.
//!
//! Cells are written `r1c1 r1c2`. There is one table for each kind of rule:
//!
//! ```toml
//! boxes = "3x3"                     # or: size = 7, and regions = "1112222 1113322 …"
//! diagonals = ["rising", "falling"]
//! anti_knight = true
//! even = "r1c1 r5c5"
//!
//! [[cage]]
//! cells = "r1c1 r1c2"
//! sum = 17
//!
//! [[arrow]]
//! circle = "r4c4"
//! lines = ["r4c4 r3c3 r2c2"]
//!
//! [[sandwich]]
//! at = "r0c3"
//! sum = 12
//! ```
//!
//! `docs/variants.md` lists all kinds. An unknown key is an error. Rules are written in the order of
//! this form, which may differ from the order in which they were added.

use super::constraint::{
    Constraint, Diagonal, Direction, Dot, Indexer, LineRule, Negative, Outside, Place,
};
use super::{LineKind, Relation, Rule, Rules};
use crate::grid::{Cell, Digit, DigitSet, Order};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// One entry of a table. Each kind uses some of the fields.
#[derive(Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Item {
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    direction: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cell: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cells: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clones: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    circle: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    digits: Option<Vec<Digit>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    coefficients: Option<Vec<i32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sum: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ratio: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    modulus: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    digit: Option<i32>,
}

/// A [`Rule`] without a name of its own.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Primitive {
    Differ { cells: String },
    Cage { cells: String, sum: u32 },
    Sum { cells: String, coefficients: Vec<i32>, sum: i32 },
    Candidates { cell: String, digits: DigitSet },
    Pairs { pairs: Vec<String>, relation: Relation },
    Line { cells: String, kind: LineKind },
    Contains { cells: String, digits: Vec<Digit> },
    CountingCircles { cells: String },
    Index { cell: String, digit: Digit, other: String, value: Digit },
}

macro_rules! form {
    ($($kind:ident)*) => {
        #[derive(Default, Serialize, Deserialize)]
        #[serde(default, deny_unknown_fields)]
        struct Form {
            #[serde(skip_serializing_if = "Option::is_none")]
            boxes: Option<String>,
            #[serde(skip_serializing_if = "Option::is_none")]
            size: Option<usize>,
            #[serde(skip_serializing_if = "Option::is_none")]
            regions: Option<String>,
            #[serde(skip_serializing_if = "Vec::is_empty")]
            diagonals: Vec<String>,
            #[serde(skip_serializing_if = "is_false")]
            windoku: bool,
            #[serde(skip_serializing_if = "is_false")]
            disjoint_groups: bool,
            #[serde(skip_serializing_if = "is_false")]
            anti_knight: bool,
            #[serde(skip_serializing_if = "is_false")]
            anti_king: bool,
            #[serde(skip_serializing_if = "is_false")]
            nonconsecutive: bool,
            #[serde(skip_serializing_if = "is_false")]
            usual_boxes: bool,
            #[serde(skip_serializing_if = "Vec::is_empty")]
            all_given: Vec<String>,
            #[serde(skip_serializing_if = "String::is_empty")]
            even: String,
            #[serde(skip_serializing_if = "String::is_empty")]
            odd: String,
            #[serde(skip_serializing_if = "String::is_empty")]
            maximum: String,
            #[serde(skip_serializing_if = "String::is_empty")]
            minimum: String,
            $(
                #[serde(skip_serializing_if = "Vec::is_empty")]
                $kind: Vec<Item>,
            )*
            #[serde(skip_serializing_if = "Vec::is_empty")]
            primitive: Vec<Primitive>,
        }

        impl Form {
            fn table(&mut self, kind: &str) -> Option<&mut Vec<Item>> {
                match kind {
                    $(stringify!($kind) => Some(&mut self.$kind),)*
                    _ => None,
                }
            }

            /// All tables with their names.
            fn tables(&self) -> Vec<(&'static str, &[Item])> {
                vec![$((stringify!($kind), &self.$kind[..]),)*]
            }
        }
    };
}

form! {
    pencil_marks row_indexer column_indexer box_indexer extra_region cage clone quadruple
    counting_circles white_dot black_dot sum_dot greater_than thermometer slow_thermometer whispers
    palindrome renban nabner entropic modular between lockout region_sum zipper double_arrow arrow
    sandwich x_sum skyscraper numbered_room little_killer sum
}

fn is_false(flag: &bool) -> bool {
    !flag
}

const DIAGONALS: [(&str, Diagonal); 2] =
    [("rising", Diagonal::Rising), ("falling", Diagonal::Falling)];

const ALL_GIVEN: [(&str, Negative); 4] = [
    ("white dots", Negative::Difference),
    ("black dots", Negative::Ratio),
    ("dots", Negative::Kropki),
    ("xv", Negative::Xv),
];

const INDEXERS: [(&str, Indexer); 3] = [
    ("row_indexer", Indexer::Row),
    ("column_indexer", Indexer::Column),
    ("box_indexer", Indexer::Box),
];

const DIRECTIONS: [(&str, Direction); 4] = [
    ("down right", Direction::DownRight),
    ("down left", Direction::DownLeft),
    ("up right", Direction::UpRight),
    ("up left", Direction::UpLeft),
];

const LINES: [(&str, LineRule); 10] = [
    ("thermometer", LineRule::Thermometer),
    ("slow_thermometer", LineRule::SlowThermometer),
    ("palindrome", LineRule::Palindrome),
    ("renban", LineRule::Renban),
    ("nabner", LineRule::Nabner),
    ("entropic", LineRule::Entropic),
    ("between", LineRule::Between),
    ("region_sum", LineRule::RegionSum),
    ("zipper", LineRule::Zipper),
    ("double_arrow", LineRule::DoubleArrow),
];

fn find<T: Copy>(table: &[(&str, T)], name: &str) -> Result<T, String> {
    let names = || table.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let found = table.iter().find(|(other, _)| *other == name);
    found
        .map(|(_, value)| *value)
        .ok_or_else(|| format!("expected one of {}, found {name:?}", names()))
}

fn name_of<T: PartialEq>(table: &[(&'static str, T)], value: &T) -> &'static str {
    table.iter().find(|(_, other)| other == value).map_or("", |(name, _)| name)
}

impl Serialize for Rules {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let order = self.order();
        let mut form = Form::default();
        if order.has_boxes() {
            form.boxes = Some(format!("{}x{}", order.box_rows(), order.box_columns()));
        } else {
            form.size = Some(order.side());
            if self.regions.iter().any(Option::is_some) {
                form.regions = Some(region_text(&self.regions, order.side()));
            }
        }
        for constraint in &self.constraints {
            form.add(constraint, order);
        }
        form.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Rules {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Rules, D::Error> {
        Form::deserialize(deserializer)?.into_rules().map_err(D::Error::custom)
    }
}

fn region_text(regions: &[Option<u8>], side: usize) -> String {
    let rows = regions.chunks(side).map(|row| row.iter().map(|&region| sign(region)).collect());
    rows.collect::<Vec<String>>().join(" ")
}

/// The sign of a region: 1 to 9, A to Z, a to z, then letters of other alphabets; `-` for none.
fn sign(region: Option<u8>) -> char {
    let Some(region) = region else { return '-' };
    match region {
        0..9 => char::from(b'1' + region),
        9..35 => char::from(b'A' + region - 9),
        35..61 => char::from(b'a' + region - 35),
        _ => char::from_u32(0x100 + u32::from(region)).unwrap_or('-'),
    }
}

fn parse_regions(text: &str) -> Result<Vec<Option<u8>>, String> {
    let signs: Vec<char> = text.chars().filter(|sign| !sign.is_whitespace()).collect();
    let mut names: Vec<char> = signs.iter().copied().filter(|sign| *sign != '-').collect();
    names.sort_unstable();
    names.dedup();
    if names.len() > 256 {
        return Err(format!("regions: expected up to 256 regions, found {}", names.len()));
    }
    Ok(signs.iter().map(|sign| names.binary_search(sign).ok().map(|at| at as u8)).collect())
}

/// Writes cells and items of one grid.
#[derive(Clone, Copy)]
struct Names(Order);

impl Names {
    fn cells(self, cells: &[Cell]) -> Option<String> {
        Some(self.text(cells))
    }

    fn text(self, cells: &[Cell]) -> String {
        cells.iter().map(|&cell| self.0.name_of(cell)).collect::<Vec<_>>().join(" ")
    }

    fn parse(self, text: &str) -> Result<Vec<Cell>, String> {
        text.split_whitespace().map(|name| self.cell(name)).collect()
    }

    fn cell(self, name: &str) -> Result<Cell, String> {
        let place = self.place(name)?;
        let (row, column) = (usize::from(place.row), usize::from(place.column));
        let inside = 1..=self.0.side();
        if inside.contains(&row) && inside.contains(&column) {
            Ok(self.0.cell(row - 1, column - 1))
        } else {
            Err(format!("{name} is outside a {0}×{0} grid", self.0.side()))
        }
    }

    fn place(self, name: &str) -> Result<Place, String> {
        let parse = || {
            let (row, column) = name.strip_prefix('r')?.split_once('c')?;
            let most = self.0.side() + 1;
            let number =
                |text: &str| text.parse::<u8>().ok().filter(|number| usize::from(*number) <= most);
            Some(Place { row: number(row)?, column: number(column)? })
        };
        parse().ok_or_else(|| format!("expected a cell such as r3c7, found {name:?}"))
    }
}

impl Form {
    fn add(&mut self, constraint: &Constraint, order: Order) {
        let names = Names(order);
        let push = |cells: &mut String, cell: Cell| {
            if !cells.is_empty() {
                cells.push(' ');
            }
            cells.push_str(&order.name_of(cell));
        };
        match constraint {
            Constraint::Diagonal(kind) => {
                self.diagonals.push(name_of(&DIAGONALS, kind).to_string());
            }
            Constraint::Windoku => self.windoku = true,
            Constraint::DisjointGroups => self.disjoint_groups = true,
            Constraint::AntiKnight => self.anti_knight = true,
            Constraint::AntiKing => self.anti_king = true,
            Constraint::Nonconsecutive => self.nonconsecutive = true,
            Constraint::UsualBoxes => self.usual_boxes = true,
            Constraint::Negative(kind) => {
                self.all_given.push(name_of(&ALL_GIVEN, kind).to_string());
            }
            Constraint::Even(cell) => push(&mut self.even, *cell),
            Constraint::Odd(cell) => push(&mut self.odd, *cell),
            Constraint::Maximum(cell) => push(&mut self.maximum, *cell),
            Constraint::Minimum(cell) => push(&mut self.minimum, *cell),
            Constraint::Rule(rule) => self.primitive.push(primitive(rule, names)),
            other => {
                let (kind, item) = item(other, names);
                if let Some(table) = self.table(kind) {
                    table.push(item);
                }
            }
        }
    }

    fn into_rules(self) -> Result<Rules, String> {
        let text = |error: &dyn std::fmt::Display| error.to_string();
        let mut rules = match (&self.boxes, self.size, &self.regions) {
            (Some(boxes), None, None) => Rules::classic(
                boxes.parse().map_err(|error: crate::grid::OrderError| text(&error))?,
            ),
            (None, Some(size), None) => Rules::without_regions(size).map_err(|e| text(&e))?,
            (None, size, Some(regions)) => {
                let regions = parse_regions(regions)?;
                let side = size.unwrap_or(regions.len().isqrt());
                Rules::jigsaw(side, regions).map_err(|e| text(&e))?
            }
            _ => return Err("expected either boxes, or size, or regions".to_string()),
        };
        let names = Names(rules.order());
        let mut all = Vec::new();
        for name in &self.diagonals {
            all.push(Constraint::Diagonal(find(&DIAGONALS, name)?));
        }
        let flags = [
            (self.windoku, Constraint::Windoku),
            (self.disjoint_groups, Constraint::DisjointGroups),
            (self.anti_knight, Constraint::AntiKnight),
            (self.anti_king, Constraint::AntiKing),
            (self.nonconsecutive, Constraint::Nonconsecutive),
            (self.usual_boxes, Constraint::UsualBoxes),
        ];
        all.extend(flags.into_iter().filter(|flag| flag.0).map(|flag| flag.1));
        for name in &self.all_given {
            all.push(Constraint::Negative(find(&ALL_GIVEN, name)?));
        }
        type OfCell = fn(Cell) -> Constraint;
        let cells: [(&str, &str, OfCell); 4] = [
            ("even", &self.even, Constraint::Even),
            ("odd", &self.odd, Constraint::Odd),
            ("maximum", &self.maximum, Constraint::Maximum),
            ("minimum", &self.minimum, Constraint::Minimum),
        ];
        for (key, text, constraint) in cells {
            let cells = names.parse(text).map_err(|error| format!("{key}: {error}"))?;
            all.extend(cells.into_iter().map(constraint));
        }
        for (kind, items) in self.tables() {
            for item in items {
                let constraint = constraint(kind, item, names);
                all.push(constraint.map_err(|error| format!("{kind}: {error}"))?);
            }
        }
        for rule in self.primitive {
            let rule = rule.into_rule(names).map_err(|error| format!("primitive: {error}"))?;
            all.push(Constraint::Rule(rule));
        }
        rules.extend(all).map_err(|e| text(&e))?;
        Ok(rules)
    }
}

/// The table and the entry of a constraint.
fn item(constraint: &Constraint, names: Names) -> (&'static str, Item) {
    let mut item = Item::default();
    let kind = match constraint {
        Constraint::Candidates { cell, digits } => {
            item.cell = Some(names.0.name_of(*cell));
            item.digits = Some(digits.collect());
            "pencil_marks"
        }
        Constraint::Indexer { kind, cells } => {
            item.cells = names.cells(cells);
            name_of(&INDEXERS, kind)
        }
        Constraint::ExtraRegion(cells) => {
            item.cells = names.cells(cells);
            "extra_region"
        }
        Constraint::Cage { cells, sum } => {
            item.cells = names.cells(cells);
            item.sum = sum.map(|sum| sum as i32);
            "cage"
        }
        Constraint::Clone { cells, clones } => {
            item.cells = names.cells(cells);
            item.clones = names.cells(clones);
            "clone"
        }
        Constraint::Quadruple { cells, digits } => {
            item.cells = names.cells(cells);
            item.digits = Some(digits.clone());
            "quadruple"
        }
        Constraint::CountingCircles(cells) => {
            item.cells = names.cells(cells);
            "counting_circles"
        }
        Constraint::Dot { kind, cells } => {
            item.cells = names.cells(cells);
            match *kind {
                Dot::Difference(number) => {
                    item.difference = Some(number.into());
                    "white_dot"
                }
                Dot::Ratio(number) => {
                    item.ratio = Some(number.into());
                    "black_dot"
                }
                Dot::Total(number) => {
                    item.sum = Some(number.into());
                    "sum_dot"
                }
            }
        }
        Constraint::GreaterThan(cells) => {
            item.cells = names.cells(cells);
            "greater_than"
        }
        Constraint::Line { kind, cells } => {
            item.cells = names.cells(cells);
            match *kind {
                LineRule::Whispers(number) => {
                    item.difference = Some(number.into());
                    "whispers"
                }
                LineRule::Lockout(number) => {
                    item.difference = Some(number.into());
                    "lockout"
                }
                LineRule::Modular(number) => {
                    item.modulus = Some(number.into());
                    "modular"
                }
                kind => name_of(&LINES, &kind),
            }
        }
        Constraint::Arrow { circle, lines } => {
            item.circle = names.cells(circle);
            item.lines = Some(lines.iter().map(|line| names.text(line)).collect());
            "arrow"
        }
        Constraint::Outside { kind, place, value } => {
            item.at = Some(place.to_string());
            let value = Some(*value as i32);
            match kind {
                Outside::Sandwich => {
                    item.sum = value;
                    "sandwich"
                }
                Outside::XSum => {
                    item.sum = value;
                    "x_sum"
                }
                Outside::Skyscraper => {
                    item.count = value;
                    "skyscraper"
                }
                Outside::NumberedRoom => {
                    item.digit = value;
                    "numbered_room"
                }
            }
        }
        Constraint::LittleKiller { place, direction, sum } => {
            item.at = Some(place.to_string());
            item.direction = Some(name_of(&DIRECTIONS, direction).to_string());
            item.sum = Some(*sum as i32);
            "little_killer"
        }
        Constraint::Sum { terms, total } => {
            let cells: Vec<Cell> = terms.iter().map(|term| term.1).collect();
            item.cells = names.cells(&cells);
            if terms.iter().any(|term| term.0 != 1) {
                item.coefficients = Some(terms.iter().map(|term| term.0).collect());
            }
            item.sum = Some(*total);
            "sum"
        }
        // `Form::add` writes these without a table.
        _ => "",
    };
    (kind, item)
}

/// The constraint of an entry. A field that the kind does not use is an error.
fn constraint(kind: &str, from: &Item, names: Names) -> Result<Constraint, String> {
    fn need<T: Clone>(field: &Option<T>, name: &str) -> Result<T, String> {
        field.clone().ok_or_else(|| format!("expected {name}"))
    }
    let cells = || names.parse(&need(&from.cells, "cells")?);
    let place = || names.place(&need(&from.at, "at")?);
    let digits = || need(&from.digits, "digits");
    let number = |field: Option<i32>, name: &str| {
        let number = need(&field, name)?;
        u32::try_from(number).map_err(|_| format!("{name}: expected at least 0, found {number}"))
    };
    let small = |field: Option<i32>, name: &str| {
        let number = number(field, name)?;
        u8::try_from(number).map_err(|_| format!("{name}: expected up to 255, found {number}"))
    };
    let line = |kind| Ok::<_, String>(Constraint::Line { kind, cells: cells()? });
    let dot = |kind| match cells()?[..] {
        [a, b] => Ok(Constraint::Dot { kind, cells: [a, b] }),
        ref other => Err(format!("expected two cells, found {}", other.len())),
    };
    let outside =
        |kind, value| Ok::<_, String>(Constraint::Outside { kind, place: place()?, value });
    let half = Some(names.0.side().div_ceil(2) as i32);
    let constraint = match kind {
        "pencil_marks" => {
            let cell = names.cell(&need(&from.cell, "cell")?)?;
            Constraint::Candidates { cell, digits: digits()?.into_iter().collect() }
        }
        "row_indexer" | "column_indexer" | "box_indexer" => {
            Constraint::Indexer { kind: find(&INDEXERS, kind)?, cells: cells()? }
        }
        "extra_region" => Constraint::ExtraRegion(cells()?),
        "cage" => {
            let sum = from.sum.map(|_| number(from.sum, "sum")).transpose()?;
            Constraint::Cage { cells: cells()?, sum }
        }
        "clone" => {
            let clones = names.parse(&need(&from.clones, "clones")?)?;
            Constraint::Clone { cells: cells()?, clones }
        }
        "quadruple" => Constraint::Quadruple { cells: cells()?, digits: digits()? },
        "counting_circles" => Constraint::CountingCircles(cells()?),
        "white_dot" => dot(Dot::Difference(small(from.difference.or(Some(1)), "difference")?))?,
        "black_dot" => dot(Dot::Ratio(small(from.ratio.or(Some(2)), "ratio")?))?,
        "sum_dot" => dot(Dot::Total(small(from.sum, "sum")?))?,
        "greater_than" => Constraint::GreaterThan(cells()?),
        "whispers" => line(LineRule::Whispers(small(from.difference.or(half), "difference")?))?,
        "lockout" => line(LineRule::Lockout(small(from.difference.or(Some(4)), "difference")?))?,
        "modular" => line(LineRule::Modular(small(from.modulus, "modulus")?))?,
        "arrow" => {
            let circle = names.parse(&need(&from.circle, "circle")?)?;
            let lines = need(&from.lines, "lines")?;
            let lines = lines.iter().map(|line| names.parse(line)).collect::<Result<_, _>>()?;
            Constraint::Arrow { circle, lines }
        }
        "sandwich" => outside(Outside::Sandwich, number(from.sum, "sum")?)?,
        "x_sum" => outside(Outside::XSum, number(from.sum, "sum")?)?,
        "skyscraper" => outside(Outside::Skyscraper, number(from.count, "count")?)?,
        "numbered_room" => outside(Outside::NumberedRoom, number(from.digit, "digit")?)?,
        "little_killer" => {
            let direction = find(&DIRECTIONS, &need(&from.direction, "direction")?)?;
            let sum = number(from.sum, "sum")?;
            Constraint::LittleKiller { place: place()?, direction, sum }
        }
        "sum" => {
            let (cells, total) = (cells()?, need(&from.sum, "sum")?);
            Constraint::Sum { terms: terms(cells, from.coefficients.clone())?, total }
        }
        kind => line(find(&LINES, kind)?)?,
    };
    let used = item(&constraint, names).1;
    let unused = [
        ("at", from.at.is_some() && used.at.is_none()),
        ("direction", from.direction.is_some() && used.direction.is_none()),
        ("cell", from.cell.is_some() && used.cell.is_none()),
        ("cells", from.cells.is_some() && used.cells.is_none()),
        ("clones", from.clones.is_some() && used.clones.is_none()),
        ("circle", from.circle.is_some() && used.circle.is_none()),
        ("lines", from.lines.is_some() && used.lines.is_none()),
        ("digits", from.digits.is_some() && used.digits.is_none()),
        ("coefficients", from.coefficients.is_some() && kind != "sum"),
        ("sum", from.sum.is_some() && used.sum.is_none()),
        ("difference", from.difference.is_some() && used.difference.is_none()),
        ("ratio", from.ratio.is_some() && used.ratio.is_none()),
        ("modulus", from.modulus.is_some() && used.modulus.is_none()),
        ("count", from.count.is_some() && used.count.is_none()),
        ("digit", from.digit.is_some() && used.digit.is_none()),
    ];
    match unused.into_iter().find(|(_, is_unused)| *is_unused) {
        Some((field, _)) => Err(format!("unexpected field {field}")),
        None => Ok(constraint),
    }
}

fn terms(cells: Vec<Cell>, coefficients: Option<Vec<i32>>) -> Result<Vec<(i32, Cell)>, String> {
    let coefficients = coefficients.unwrap_or_else(|| vec![1; cells.len()]);
    if coefficients.len() != cells.len() {
        let (expected, found) = (cells.len(), coefficients.len());
        return Err(format!("expected {expected} coefficients, found {found}"));
    }
    Ok(coefficients.into_iter().zip(cells).collect())
}

fn primitive(rule: &Rule, names: Names) -> Primitive {
    let text = |cells: &[Cell]| names.text(cells);
    let name = |cell: &Cell| names.0.name_of(*cell);
    match rule {
        Rule::Differ(cells) => Primitive::Differ { cells: text(cells) },
        Rule::Cage { cells, sum } => Primitive::Cage { cells: text(cells), sum: *sum },
        Rule::Sum { terms, total } => Primitive::Sum {
            cells: text(&terms.iter().map(|term| term.1).collect::<Vec<_>>()),
            coefficients: terms.iter().map(|term| term.0).collect(),
            sum: *total,
        },
        Rule::Candidates { cell, digits } => {
            Primitive::Candidates { cell: name(cell), digits: *digits }
        }
        Rule::Pairs { pairs, relation } => Primitive::Pairs {
            pairs: pairs.iter().map(|&(a, b)| text(&[a, b])).collect(),
            relation: *relation,
        },
        Rule::Line { cells, kind } => Primitive::Line { cells: text(cells), kind: kind.clone() },
        Rule::Contains { cells, digits } => {
            Primitive::Contains { cells: text(cells), digits: digits.clone() }
        }
        Rule::CountingCircles(cells) => Primitive::CountingCircles { cells: text(cells) },
        Rule::Index { cell, digit, other, value } => {
            Primitive::Index { cell: name(cell), digit: *digit, other: name(other), value: *value }
        }
    }
}

impl Primitive {
    fn into_rule(self, names: Names) -> Result<Rule, String> {
        Ok(match self {
            Primitive::Differ { cells } => Rule::Differ(names.parse(&cells)?),
            Primitive::Cage { cells, sum } => Rule::Cage { cells: names.parse(&cells)?, sum },
            Primitive::Sum { cells, coefficients, sum } => {
                let terms = terms(names.parse(&cells)?, Some(coefficients))?;
                Rule::Sum { terms, total: sum }
            }
            Primitive::Candidates { cell, digits } => {
                Rule::Candidates { cell: names.cell(&cell)?, digits }
            }
            Primitive::Pairs { pairs, relation } => {
                let pair = |text: &String| match names.parse(text)?[..] {
                    [a, b] => Ok((a, b)),
                    _ => Err(format!("expected two cells, found {text:?}")),
                };
                Rule::Pairs { pairs: pairs.iter().map(pair).collect::<Result<_, _>>()?, relation }
            }
            Primitive::Line { cells, kind } => Rule::Line { cells: names.parse(&cells)?, kind },
            Primitive::Contains { cells, digits } => {
                Rule::Contains { cells: names.parse(&cells)?, digits }
            }
            Primitive::CountingCircles { cells } => Rule::CountingCircles(names.parse(&cells)?),
            Primitive::Index { cell, digit, other, value } => {
                Rule::Index { cell: names.cell(&cell)?, digit, other: names.cell(&other)?, value }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"boxes = "3x3"
diagonals = ["rising"]
anti_knight = true
all_given = ["xv"]
even = "r1c1 r5c5"

[[cage]]
cells = "r1c1 r1c2"
sum = 17

[[sum_dot]]
cells = "r3c1 r3c2"
sum = 10

[[whispers]]
cells = "r1c4 r1c5 r1c6"
difference = 5

[[arrow]]
circle = "r4c4"
lines = ["r4c4 r3c3 r2c2"]

[[sandwich]]
at = "r0c3"
sum = 12
"#;

    #[test]
    fn toml_is_read_and_written_back() {
        let rules: Rules = toml::from_str(TEXT).unwrap();
        assert_eq!(rules.constraints().len(), 10);
        assert_eq!(toml::to_string(&rules).unwrap(), TEXT);
        let json = serde_json::to_string(&rules).unwrap();
        assert_eq!(serde_json::from_str::<Rules>(&json).unwrap(), rules);
    }

    #[test]
    fn primitives_are_read_and_written_back() {
        let cell = |index| Cell::new(index);
        let digit = Digit::from_index(2);
        let cells = vec![cell(0), cell(1), cell(2)];
        let all = [
            Rule::Differ(cells.clone()),
            Rule::Cage { cells: cells.clone(), sum: 6 },
            Rule::Sum { terms: vec![(1, cell(3)), (-2, cell(4))], total: -1 },
            Rule::Candidates { cell: cell(5), digits: DigitSet::from_bits(5) },
            Rule::Pairs { pairs: vec![(cell(0), cell(9))], relation: Relation::Difference(2) },
            Rule::Pairs { pairs: vec![(cell(0), cell(9))], relation: Relation::Less },
            Rule::Line { cells: cells.clone(), kind: LineKind::EqualSums(vec![1, 2]) },
            Rule::Line { cells: cells.clone(), kind: LineKind::Between },
            Rule::Contains { cells: cells.clone(), digits: vec![digit, digit] },
            Rule::CountingCircles(cells),
            Rule::Index { cell: cell(1), digit, other: cell(7), value: digit },
        ];
        let mut rules = Rules::without_regions(7).unwrap();
        rules.extend(all.map(Constraint::Rule)).unwrap();
        let text = toml::to_string(&rules).unwrap();
        assert_eq!(toml::from_str::<Rules>(&text).unwrap(), rules, "{text}");
    }

    #[test]
    fn regions_are_drawn_row_by_row() {
        let regions = "1122 1122 3344 33-4";
        let rules: Rules = toml::from_str(&format!("regions = {regions:?}")).unwrap();
        assert_eq!(rules.region_of(Cell::new(14)), None);
        let text = toml::to_string(&rules).unwrap();
        assert_eq!(text, format!("size = 4\nregions = {regions:?}\n"));
    }

    #[test]
    fn errors_name_the_kind_and_the_field() {
        let error = |text: &str| {
            let text = format!("boxes = \"3x3\"\n{text}");
            toml::from_str::<Rules>(&text).unwrap_err().message().to_string()
        };
        assert_eq!(error("[[cage]]\nsum = 5"), "cage: expected cells");
        assert_eq!(error("[[cage]]\ncells = \"r1c1\"\nratio = 2"), "cage: unexpected field ratio");
        assert_eq!(
            error("[[thermometer]]\ncells = \"r1c1 r1c10\""),
            "thermometer: r1c10 is outside a 9×9 grid"
        );
        assert_eq!(
            error("[[cage]]\ncells = \"r1c1 a7\""),
            "cage: expected a cell such as r3c7, found \"a7\""
        );
        assert_eq!(
            error("[[cage]]\ncells = \"r1c1 r1c2\"\nsum = 20"),
            "killer cage of 20 at r1c1, r1c2: 2 different digits from 1 to 9 cannot have the sum 20"
        );
        assert!(error("moon = true").starts_with("unknown field `moon`"));
        assert!(error("all_given = [\"suns\"]").starts_with("expected one of white dots, "));
    }
}
