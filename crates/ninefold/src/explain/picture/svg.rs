//! The drawing of a position as SVG: digits and candidates, what a step colours, its links, numbers and a caption.
//!
//! Everything is told apart by form as well as by colour: removed candidates are crossed out, the answer has a ring, fins
//! are square, groups have an outline, weak links are dashed.

use super::super::notation::Names;
use super::super::{Detail, Notation, Wording};
use super::arrow::{self, Blob, Point};
use super::{Ink, Picture};
use crate::grid::{Candidates, Cell, Digit, Grid, House, Order, text};
use crate::proof::{Candidate, Node, Step};
use std::fmt::Write;

/// The side of a cell in the drawing.
const CELL: usize = 60;
/// The room for the numbers of rows and columns.
const LABELS: usize = 26;
const MARGIN: usize = 10;
const LINE_HEIGHT: usize = 20;

/// The colours of links, by branch.
const LINKS: [&str; 7] = ["#b45309", "#7c3aed", "#0f766e", "#be185d", "#1d4ed8", "#4d7c0f", "#9a3412"];

/// Draws a position, with a step in it if there is one; its result is the caption.
pub fn svg(givens: &Grid, position: &Candidates, step: Option<&Step>) -> String {
    svg_in(givens, position, step, Wording::default())
}

/// Draws a step in the words and names of a language: the whole proof, then each branch of a proof by cases.
pub fn svgs(givens: &Grid, position: &Candidates, step: &Step, wording: impl Into<Wording>) -> Vec<String> {
    let wording = wording.into();
    let mut drawn = vec![svg_in(givens, position, Some(step), wording)];
    let names = Names { order: position.order(), notation: wording.notation };
    for branch in Picture::branches(step) {
        let Candidate { cell, digit } = branch.assumes;
        let caption = format!("{} = {}", names.cell(cell), names.digit(digit));
        drawn.push(Board::new(givens, position, &names).draw(&branch.picture, &caption, &caption));
    }
    drawn
}

/// Draws the clues of a puzzle alone.
pub fn puzzle(puzzle: &Grid, notation: Notation) -> String {
    let names = Names { order: puzzle.order(), notation };
    let bare = Candidates::unmarked(puzzle);
    let board = Board { marks: false, ..Board::new(puzzle, &bare, &names) };
    board.draw(&Picture::default(), "Sudoku", "")
}

fn svg_in(givens: &Grid, position: &Candidates, step: Option<&Step>, wording: Wording) -> String {
    let names = Names { order: position.order(), notation: wording.notation };
    let board = Board::new(givens, position, &names);
    match step {
        None => board.draw(&Picture::default(), "Sudoku", ""),
        Some(step) => {
            let title = format!("{}: {}", step.technique.name_in(wording.language), names.conclusion(step));
            let caption = step.explain_in(position, Detail::Full, wording);
            let caption = caption.split_once(". ").map_or(caption.as_str(), |(first, _)| first);
            board.draw(&Picture::of(step, position), &title, caption.lines().next().unwrap_or_default())
        }
    }
}

/// What is drawn under a picture.
pub(super) struct Board<'a> {
    givens: &'a Grid,
    position: &'a Candidates,
    names: &'a Names,
    /// Are the candidates of empty cells shown?
    marks: bool,
}

impl<'a> Board<'a> {
    pub fn new(givens: &'a Grid, position: &'a Candidates, names: &'a Names) -> Board<'a> {
        Board { givens, position, names, marks: true }
    }

    pub fn draw(&self, picture: &Picture, title: &str, caption: &str) -> String {
        let order = self.position.order();
        let width = order.side() * CELL + LABELS + MARGIN;
        let lines = wrapped(caption, width / 8);
        let height = width + if lines.is_empty() { 0 } else { lines.len() * LINE_HEIGHT + MARGIN };
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
             text-anchor=\"middle\">\n<title>{}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n",
            escape(title)
        );
        draw_rooms(&mut out, order, picture);
        self.draw_labels(&mut out);
        draw_lines(&mut out, order);
        draw_groups(&mut out, order, picture);
        for cell in order.cells() {
            match self.position.grid()[cell] {
                Some(digit) => draw_digit(&mut out, order, cell, digit, self.givens[cell].is_some()),
                None if self.marks => self.position.at(cell).for_each(|digit| {
                    let candidate = Candidate::new(cell, digit);
                    draw_candidate(&mut out, order, candidate, picture.ink_of(candidate));
                }),
                None => {}
            }
        }
        self.draw_links(&mut out, picture);
        for (index, line) in lines.iter().enumerate() {
            let y = width + (index + 1) * LINE_HEIGHT - 4;
            let _ = writeln!(
                out,
                "<text class=\"caption\" x=\"{LABELS}\" y=\"{y}\" font-size=\"16\" text-anchor=\"start\" \
                 fill=\"#111\">{}</text>",
                escape(line)
            );
        }
        out + "</svg>\n"
    }

    fn draw_labels(&self, out: &mut String) {
        let order = self.position.order();
        for index in 0..order.side() {
            let middle = LABELS + index * CELL + CELL / 2;
            let mut label = |x: usize, y: usize, house: House| {
                let _ = writeln!(
                    out,
                    "<text class=\"label\" x=\"{x}\" y=\"{y}\" font-size=\"14\" fill=\"#555\">{}</text>",
                    self.names.label(house)
                );
            };
            label(middle, LABELS - 8, House::Column(index as u8));
            label(LABELS / 2, middle + 5, House::Row(index as u8));
        }
    }

    fn draw_links(&self, out: &mut String, picture: &Picture) {
        let order = self.position.order();
        for arrow in &picture.arrows {
            let ends = [&arrow.from, &arrow.to];
            let [from, to] = ends.map(|node| blob(order, node));
            let own = |candidate: &Candidate| ends.iter().any(|node| node.candidates().any(|c| c == *candidate));
            let mut obstacles: Vec<(Point, f64)> = Vec::new();
            for cell in order.cells() {
                if self.position.grid()[cell].is_some() {
                    let (x, y) = corner(order, cell);
                    let half = CELL as f64 / 2.0;
                    obstacles.push(((x as f64 + half, y as f64 + half), 16.0));
                    continue;
                }
                let marks = self.position.at(cell).map(|digit| Candidate::new(cell, digit));
                obstacles
                    .extend(marks.filter(|mark| !own(mark)).map(|mark| (centre(order, mark), 0.8 * radius(order))));
            }
            let names = ends.map(|node| self.names.node(node));
            let title = format!("{} {} {}", names[0], if arrow.strong { "=" } else { "-" }, names[1]);
            let colour = LINKS[arrow.branch % LINKS.len()];
            arrow::draw(out, (&from, &to), &obstacles, (colour, arrow.strong), &escape(&title));
        }
    }
}

/// Words in lines of at most so many characters.
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

pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn corner(order: Order, cell: Cell) -> (usize, usize) {
    (LABELS + order.column_of(cell) * CELL, LABELS + order.row_of(cell) * CELL)
}

fn radius(order: Order) -> f64 {
    CELL as f64 / (2.3 * order.box_columns().max(order.box_rows()) as f64)
}

/// The centre of a candidate inside its cell; candidates stand as the digits of a telephone do.
fn centre(order: Order, candidate: Candidate) -> Point {
    let (x, y) = corner(order, candidate.cell);
    let (columns, rows) = (order.box_columns(), order.box_rows());
    let (column, row) = (candidate.digit.index() % columns, candidate.digit.index() / columns);
    let place =
        |start: usize, index: usize, count: usize| start as f64 + CELL as f64 * (index as f64 + 0.5) / count as f64;
    (place(x, column, columns), place(y, row, rows))
}

fn blob(order: Order, node: &Node) -> Blob {
    let centres: Vec<Point> = node.candidates().map(|candidate| centre(order, candidate)).collect();
    Blob::around(&centres, radius(order) + if centres.len() > 1 { 2.0 } else { 0.0 })
}

fn draw_rooms(out: &mut String, order: Order, picture: &Picture) {
    let mut fill = |cell: Cell, colour: &str| {
        let (x, y) = corner(order, cell);
        let _ = writeln!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{colour}\"/>");
    };
    for &house in &picture.houses {
        order.cells_in(house).iter().for_each(|&cell| fill(cell, "#eef3fb"));
    }
    picture.cells.iter().for_each(|&cell| fill(cell, "#fdf3d0"));
}

fn draw_lines(out: &mut String, order: Order) {
    let end = LABELS + order.side() * CELL;
    for index in 0..=order.side() {
        let at = LABELS + index * CELL;
        let wide = |every: usize| if index.is_multiple_of(every) { 3 } else { 1 };
        let (columns, rows) = (wide(order.box_columns()), wide(order.box_rows()));
        let _ = writeln!(out, "<path d=\"M{at} {LABELS}V{end}\" stroke=\"#333\" stroke-width=\"{columns}\"/>");
        let _ = writeln!(out, "<path d=\"M{LABELS} {at}H{end}\" stroke=\"#333\" stroke-width=\"{rows}\"/>");
    }
}

/// An outline around each group that acts as one link.
fn draw_groups(out: &mut String, order: Order, picture: &Picture) {
    let mut drawn: Vec<&Node> = Vec::new();
    for arrow in &picture.arrows {
        for node in [&arrow.from, &arrow.to] {
            if node.cells.len() < 2 || drawn.contains(&node) {
                continue;
            }
            drawn.push(node);
            let Blob { left, top, right, bottom } = blob(order, node);
            let _ = writeln!(
                out,
                "<rect class=\"group\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"{:.1}\" \
                 fill=\"none\" stroke=\"#64748b\" stroke-width=\"1.5\"/>",
                right - left,
                bottom - top,
                radius(order)
            );
        }
    }
}

fn draw_digit(out: &mut String, order: Order, cell: Cell, digit: Digit, given: bool) {
    let (x, y) = corner(order, cell);
    let (x, y) = (x + CELL / 2, y + CELL * 7 / 10);
    let look = if given { "class=\"clue\" fill=\"#111\" font-weight=\"bold\"" } else { "fill=\"#1d4ed8\"" };
    let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\" font-size=\"36\" {look}>{}</text>", text::symbol(order, digit));
}

fn draw_candidate(out: &mut String, order: Order, candidate: Candidate, ink: Option<Ink>) {
    let (x, y) = centre(order, candidate);
    let radius = radius(order);
    let circle = |fill: &str, more: &str| {
        format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"{fill}\"{more}/>")
    };
    let shape = match ink {
        None => String::new(),
        Some(Ink::Green) => circle("#86d993", ""),
        Some(Ink::Blue) => circle("#9cc4f5", ""),
        Some(Ink::Fin) => format!(
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{side:.1}\" height=\"{side:.1}\" rx=\"2\" fill=\"#f5c542\"/>",
            x - 0.9 * radius,
            y - 0.9 * radius,
            side = 1.8 * radius
        ),
        Some(Ink::Removed) => circle("#f6a5a0", ""),
        Some(Ink::Placed) => circle("#86d993", " stroke=\"#14532d\" stroke-width=\"2\""),
    };
    let size = 2.0 * radius * 0.8;
    let baseline = y + size * 0.35;
    let symbol = text::symbol(order, candidate.digit);
    let _ = write!(
        out,
        "{shape}<text class=\"mark\" x=\"{x:.1}\" y=\"{baseline:.1}\" font-size=\"{size:.1}\" fill=\"#333\">{symbol}</text>"
    );
    if ink == Some(Ink::Removed) {
        let (left, right, top, bottom) = (x - radius * 0.7, x + radius * 0.7, y - radius * 0.7, y + radius * 0.7);
        let _ = write!(
            out,
            "<path d=\"M{left:.1} {bottom:.1}L{right:.1} {top:.1}\" stroke=\"#b91c1c\" stroke-width=\"2\"/>"
        );
    }
    out.push('\n');
}
