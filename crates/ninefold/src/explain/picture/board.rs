//! Picture of a position: digits, candidates, colours of a step, links, labels and a caption.
//!
//! Shapes differ as well as colours: removed candidates are crossed out, placed digits have a ring,
//! fins are square, groups have an outline, and weak links are dashed.

use super::super::notation::Names;
use super::super::{Detail, Notation, Wording};
use super::arrow::{self, Area, Obstacles, Point};
use super::drawing::{Colour, Drawing, Paint, Shape, Text};
use super::svg::write;
use super::{Arrow, Ink, Picture, rules};
use crate::grid::{Candidates, Cell, Digit, Grid, House, Order, text};
use crate::proof::{Candidate, Node, Step};

/// Side of a cell in drawing units.
pub(super) const CELL_SIZE: f64 = 60.0;
/// Space for the labels of rows and columns.
pub(super) const LABEL_SIZE: f64 = 26.0;
const MARGIN: f64 = 10.0;
const LINE_HEIGHT: f64 = 20.0;

/// Link colours by branch.
const LINK_COLOURS: [Colour; 7] =
    ["#b45309", "#7c3aed", "#0f766e", "#be185d", "#1d4ed8", "#4d7c0f", "#9a3412"];

/// Draws a position and, optionally, a step. The result of the step is the caption.
pub fn svg(givens: &Grid, position: &Candidates, step: Option<&Step>) -> String {
    write(&step_drawing(givens, position, step, Wording::default()))
}

/// Draws a step with texts in a language: first the complete proof, then each branch of a proof by
/// cases.
pub fn svgs(
    givens: &Grid,
    position: &Candidates,
    step: &Step,
    wording: impl Into<Wording>,
) -> Vec<String> {
    drawings(givens, position, step, wording.into()).iter().map(write).collect()
}

/// Draws only the clues of a puzzle.
pub fn puzzle(puzzle: &Grid, notation: Notation) -> String {
    write(&clues_only(puzzle, notation))
}

/// Draws a step: first the complete proof, then each branch of a proof by cases.
pub(super) fn drawings(
    givens: &Grid,
    position: &Candidates,
    step: &Step,
    wording: Wording,
) -> Vec<Drawing> {
    let mut drawn = vec![step_drawing(givens, position, Some(step), wording)];
    let names = Names { order: position.order(), notation: wording.notation };
    for branch in Picture::branches(step) {
        let Candidate { cell, digit } = branch.assumes;
        let caption = format!("{} = {}", names.cell(cell), names.digit(digit));
        drawn.push(Board::new(givens, position, &names).draw(&branch.picture, &caption, &caption));
    }
    drawn
}

/// Draws only the clues of a puzzle.
pub(super) fn clues_only(puzzle: &Grid, notation: Notation) -> Drawing {
    let names = Names { order: puzzle.order(), notation };
    let unmarked = Candidates::empty(puzzle);
    let board = Board { shows_marks: false, ..Board::new(puzzle, &unmarked, &names) };
    board.draw(&Picture::default(), "Sudoku", "")
}

fn step_drawing(
    givens: &Grid,
    position: &Candidates,
    step: Option<&Step>,
    wording: Wording,
) -> Drawing {
    let names = Names { order: position.order(), notation: wording.notation };
    let board = Board::new(givens, position, &names);
    match step {
        None => board.draw(&Picture::default(), "Sudoku", ""),
        Some(step) => {
            let title =
                format!("{}: {}", step.technique.name_in(wording.language), names.conclusion(step));
            let caption = step.explain_in(position, Detail::Full, wording);
            let caption = caption.split_once(". ").map_or(caption.as_str(), |(first, _)| first);
            board.draw(
                &Picture::new(step, position),
                &title,
                caption.lines().next().unwrap_or_default(),
            )
        }
    }
}

/// Grid over which a picture is drawn.
pub(super) struct Board<'a> {
    givens: &'a Grid,
    position: &'a Candidates,
    names: &'a Names,
    /// Whether to draw the candidates of empty cells.
    shows_marks: bool,
}

impl<'a> Board<'a> {
    pub fn new(givens: &'a Grid, position: &'a Candidates, names: &'a Names) -> Board<'a> {
        Board { givens, position, names, shows_marks: true }
    }

    pub fn draw(&self, picture: &Picture, title: &str, caption: &str) -> Drawing {
        let order = self.position.order();
        let rules = self.givens.rules().map(|rules| &**rules);
        let far = if rules.is_some_and(rules::has_far_clue) { LABEL_SIZE } else { MARGIN };
        let width = order.side() as f64 * CELL_SIZE + LABEL_SIZE + far;
        let lines = wrapped(caption, width as usize / 8);
        let height =
            width + if lines.is_empty() { 0.0 } else { lines.len() as f64 * LINE_HEIGHT + MARGIN };
        let mut shapes = highlights(self.position.grid(), picture);
        shapes.extend(rules.map(rules::under).unwrap_or_default());
        shapes.extend(self.labels());
        shapes.extend(ruled(order));
        shapes.extend(rules.map(rules::over).unwrap_or_default());
        shapes.extend(groups(order, picture));
        for cell in order.cells() {
            match self.position.grid()[cell] {
                Some(digit) => {
                    shapes.push(digit_in(order, cell, digit, self.givens[cell].is_some()))
                }
                None if self.shows_marks => self.position.at(cell).for_each(|digit| {
                    let candidate = Candidate::new(cell, digit);
                    shapes.extend(mark(order, candidate, picture.ink_of(candidate)));
                }),
                None => {}
            }
        }
        shapes.extend(picture.arrows.iter().filter_map(|arrow| self.link(arrow)));
        for (index, line) in lines.into_iter().enumerate() {
            let at = (LABEL_SIZE, width + (index + 1) as f64 * LINE_HEIGHT - 4.0);
            let class = "caption";
            shapes.push(Shape::Text(Text {
                at,
                size: 16.0,
                colour: "#111",
                bold: false,
                starts_at_point: true,
                class,
                text: line,
            }));
        }
        Drawing { title: title.to_string(), width, height, shapes }
    }

    fn labels(&self) -> impl Iterator<Item = Shape> {
        let label = |at: Point, house: House| {
            let text = self.names.label(house);
            Shape::Text(Text {
                at,
                size: 14.0,
                colour: "#555",
                bold: false,
                starts_at_point: false,
                class: "label",
                text,
            })
        };
        (0..self.position.order().side()).flat_map(move |index| {
            let middle = LABEL_SIZE + index as f64 * CELL_SIZE + CELL_SIZE / 2.0;
            // A clue beside the grid takes the place of the label.
            let rules = self.givens.rules();
            let is_free =
                |row, column| !rules.is_some_and(|rules| rules::has_clue_at(rules, row, column));
            let number = index as u8;
            let column = is_free(0, number + 1)
                .then(|| label((middle, LABEL_SIZE - 8.0), House::Column(number)));
            let row = is_free(number + 1, 0)
                .then(|| label((LABEL_SIZE / 2.0, middle + 5.0), House::Row(number)));
            column.into_iter().chain(row)
        })
    }

    fn link(&self, link: &Arrow) -> Option<Shape> {
        let order = self.position.order();
        let ends = [&link.from, &link.to];
        let [from, to] = ends.map(|node| area_of(order, node));
        let own = |candidate: &Candidate| {
            ends.iter().any(|node| node.candidates().any(|c| c == *candidate))
        };
        let mut digits: Vec<(Point, f64)> = Vec::new();
        for cell in order.cells() {
            if self.position.grid()[cell].is_some() {
                let (x, y) = corner(order, cell);
                digits.push(((x + CELL_SIZE / 2.0, y + CELL_SIZE / 2.0), 16.0));
                continue;
            }
            let marks = self.position.at(cell).map(|digit| Candidate::new(cell, digit));
            digits.extend(
                marks
                    .filter(|mark| !own(mark))
                    .map(|mark| (centre(order, mark), 0.8 * radius(order))),
            );
        }
        let far = LABEL_SIZE + order.side() as f64 * CELL_SIZE;
        let board = Area { left: LABEL_SIZE, top: LABEL_SIZE, right: far, bottom: far };
        let names = ends.map(|node| self.names.node(node));
        let title = format!("{} {} {}", names[0], if link.strong { "=" } else { "-" }, names[1]);
        let parts = arrow::draw(
            (&from, &to),
            &Obstacles { board, digits },
            LINK_COLOURS[link.branch % LINK_COLOURS.len()],
            link.strong,
        )?;
        Some(Shape::Link { title, parts: parts.into() })
    }
}

/// Splits text into lines of at most `most` characters.
fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= most => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

pub(super) fn corner(order: Order, cell: Cell) -> Point {
    (
        LABEL_SIZE + order.column_of(cell) as f64 * CELL_SIZE,
        LABEL_SIZE + order.row_of(cell) as f64 * CELL_SIZE,
    )
}

/// The columns and rows of the candidates in a cell.
fn keys(order: Order) -> (usize, usize) {
    if order.has_boxes() {
        return (order.box_columns(), order.box_rows());
    }
    let columns = (1..).find(|columns| columns * columns >= order.side()).unwrap_or(1);
    (columns, order.side().div_ceil(columns))
}

fn radius(order: Order) -> f64 {
    let (columns, rows) = keys(order);
    CELL_SIZE / (2.3 * columns.max(rows) as f64)
}

/// Returns the centre of a candidate in its cell. Candidates are arranged like the keys of a
/// telephone.
fn centre(order: Order, candidate: Candidate) -> Point {
    let (x, y) = corner(order, candidate.cell);
    let (columns, rows) = keys(order);
    let (column, row) = (candidate.digit.index() % columns, candidate.digit.index() / columns);
    let place = |start: f64, index: usize, count: usize| {
        start + CELL_SIZE * (index as f64 + 0.5) / count as f64
    };
    (place(x, column, columns), place(y, row, rows))
}

fn area_of(order: Order, node: &Node) -> Area {
    let centres: Vec<Point> = node.candidates().map(|candidate| centre(order, candidate)).collect();
    Area::around(&centres, radius(order) + if centres.len() > 1 { 2.0 } else { 0.0 })
}

/// Highlights the houses and cells that a proof uses.
fn highlights(grid: &Grid, picture: &Picture) -> Vec<Shape> {
    let order = grid.order();
    let fill = |cell: Cell, colour: Colour| {
        let (left, top) = corner(order, cell);
        let area = Area { left, top, right: left + CELL_SIZE, bottom: top + CELL_SIZE };
        Shape::Rect { area, round: 0.0, paint: Paint::fill(colour), class: "" }
    };
    let in_houses = picture
        .houses
        .iter()
        .flat_map(|&house| grid.cells_in(house))
        .map(|&cell| fill(cell, "#eef3fb"));
    // The cells of rules, if they do not fill half of the grid.
    let rule_cells = picture.rules.iter().filter_map(|&index| grid.rules()?.rules().get(index));
    let in_rules = rule_cells
        .map(|rule| rule.cells())
        .filter(|cells| cells.len() <= order.cell_count() / 2)
        .flatten()
        .map(|cell| fill(cell, "#fdf3d0"));
    in_houses
        .chain(in_rules)
        .chain(picture.cells.iter().map(|&cell| fill(cell, "#fdf3d0")))
        .collect()
}

fn ruled(order: Order) -> impl Iterator<Item = Shape> {
    let end = LABEL_SIZE + order.side() as f64 * CELL_SIZE;
    let line = |from: Point, to: Point, width: f64| Shape::Line {
        points: vec![from, to],
        closed: false,
        paint: Paint::stroke("#333", width),
    };
    (0..=order.side()).flat_map(move |index| {
        let at = LABEL_SIZE + index as f64 * CELL_SIZE;
        let is_border = |every: usize| match order.has_boxes() {
            true => index.is_multiple_of(every),
            false => index.is_multiple_of(order.side()),
        };
        let wide = |every: usize| if is_border(every) { 3.0 } else { 1.0 };
        [
            line((at, LABEL_SIZE), (at, end), wide(order.box_columns())),
            line((LABEL_SIZE, at), (end, at), wide(order.box_rows())),
        ]
    })
}

/// Draws an outline around each group that acts as one node.
fn groups(order: Order, picture: &Picture) -> Vec<Shape> {
    let mut drawn: Vec<&Node> = Vec::new();
    for node in picture.arrows.iter().flat_map(|arrow| [&arrow.from, &arrow.to]) {
        if node.cells.len() > 1 && !drawn.contains(&node) {
            drawn.push(node);
        }
    }
    let outline = |node: &Node| Shape::Rect {
        area: area_of(order, node),
        round: radius(order),
        paint: Paint::stroke("#64748b", 1.5),
        class: "group",
    };
    drawn.into_iter().map(outline).collect()
}

fn digit_in(order: Order, cell: Cell, digit: Digit, given: bool) -> Shape {
    let (x, y) = corner(order, cell);
    Shape::Text(Text {
        at: (x + CELL_SIZE / 2.0, y + CELL_SIZE * 0.7),
        size: 36.0,
        colour: if given { "#111" } else { "#1d4ed8" },
        bold: given,
        starts_at_point: false,
        class: if given { "clue" } else { "" },
        text: text::symbol(order, digit),
    })
}

fn mark(order: Order, candidate: Candidate, ink: Option<Ink>) -> Vec<Shape> {
    let (x, y) = centre(order, candidate);
    let radius = radius(order);
    let circle = |paint: Paint| Shape::Circle { centre: (x, y), radius, paint };
    let mut shapes = Vec::new();
    match ink {
        None => {}
        Some(Ink::Green) => shapes.push(circle(Paint::fill("#86d993"))),
        Some(Ink::Blue) => shapes.push(circle(Paint::fill("#9cc4f5"))),
        Some(Ink::Fin) => shapes.push(Shape::Rect {
            area: Area::around(&[(x, y)], 0.9 * radius),
            round: 2.0,
            paint: Paint::fill("#f5c542"),
            class: "",
        }),
        Some(Ink::Removed) => shapes.push(circle(Paint::fill("#f6a5a0"))),
        Some(Ink::Placed) => {
            shapes.push(circle(Paint { stroke: Some(("#14532d", 2.0)), ..Paint::fill("#86d993") }));
        }
    }
    let size = 2.0 * radius * 0.8;
    shapes.push(Shape::Text(Text {
        at: (x, y + size * 0.35),
        size,
        colour: "#333",
        bold: false,
        starts_at_point: false,
        class: "mark",
        text: text::symbol(order, candidate.digit),
    }));
    if ink == Some(Ink::Removed) {
        let reach = radius * 0.7;
        let points = vec![(x - reach, y + reach), (x + reach, y - reach)];
        shapes.push(Shape::Line { points, closed: false, paint: Paint::stroke("#b91c1c", 2.0) });
    }
    shapes
}
