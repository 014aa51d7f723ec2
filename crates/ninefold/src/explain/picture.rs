//! Pictures of a step: what to colour, which arrows to draw, and the drawing itself as SVG.
//!
//! [`Picture`] is read off the proof; a page can draw it in its own way, [`svg`] draws it in ours.

use super::boards::Board;
use super::notation::Names;
use crate::grid::{Candidates, Cell, Digit, Grid, House, Order, text};
use crate::proof::{Because, Candidate, Chain, Count, Inference, Node, OneOf, Step, Truth};
use std::fmt::Write;

/// What a candidate means in a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Ink {
    /// Part of the pattern; in chains and colours, one of two sides.
    Green,
    /// The other side.
    Blue,
    /// It goes out.
    Removed,
    /// It is the answer.
    Placed,
}

/// A line from one group of cells to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// Where it starts.
    pub from: Node,
    /// Where it ends.
    pub to: Node,
    /// A strong link is drawn as a full line, a weak one dashed.
    pub strong: bool,
}

/// What to draw over a grid with candidates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// The houses that the proof looks at.
    pub houses: Vec<House>,
    /// The cells that it looks at as a whole.
    pub cells: Vec<Cell>,
    /// Coloured candidates; the strongest ink comes last.
    pub candidates: Vec<(Candidate, Ink)>,
    /// Links.
    pub arrows: Vec<Arrow>,
}

impl Picture {
    /// The picture of a step in a position.
    pub fn of(step: &Step, position: &Candidates) -> Picture {
        let mut picture = Picture::default();
        picture.add(&step.because, position);
        picture.houses.sort_unstable();
        picture.houses.dedup();
        picture.cells.sort_unstable();
        picture.cells.dedup();
        // What goes out or in covers what it was before.
        let ink = |ink: Ink| move |&candidate: &Candidate| (candidate, ink);
        picture.candidates.extend(step.removes.iter().map(ink(Ink::Removed)));
        picture.candidates.extend(step.places.iter().map(ink(Ink::Placed)));
        picture
    }

    fn add(&mut self, because: &Because, position: &Candidates) {
        match because {
            Because::LastDigit => {}
            Because::LastPlaceIn(house) => self.houses.push(*house),
            Because::Count(count) => self.add_count(count, position),
            Because::Chain(chain) => self.add_chain(chain),
            Because::Colours(clusters) => {
                for cluster in clusters {
                    self.candidates.extend(cluster.green.iter().map(|&candidate| (candidate, Ink::Green)));
                    self.candidates.extend(cluster.blue.iter().map(|&candidate| (candidate, Ink::Blue)));
                    let arrow = |&(from, to, _): &(Candidate, Candidate, OneOf)| Arrow {
                        from: Node::single(from),
                        to: Node::single(to),
                        strong: true,
                    };
                    self.arrows.extend(cluster.links.iter().map(arrow));
                }
            }
            Because::Cases(of, branches) => {
                self.add_room(*of);
                branches.iter().for_each(|branch| self.add_branch(branch));
            }
            Because::Contradiction(branch) => self.add_branch(branch),
            Because::NoRoomAfter(branch, count) => {
                self.add_count(count, position);
                self.add_branch(branch);
            }
            Because::Tree(tree) => self.add_tree(tree),
            Because::Templates(digit, _) => {
                let has = |cell: &Cell| position.at(*cell).contains(*digit);
                let places = position.order().cells().filter(has).map(|cell| Candidate::new(cell, *digit));
                self.candidates.extend(places.map(|candidate| (candidate, Ink::Blue)));
            }
            Because::Together(parts) => parts.iter().for_each(|part| self.add(part, position)),
        }
    }

    fn add_room(&mut self, of: OneOf) {
        match of {
            OneOf::Cell(cell) => self.cells.push(cell),
            OneOf::House(house, _) => self.houses.push(house),
        }
    }

    fn add_count(&mut self, count: &Count, position: &Candidates) {
        for truth in &count.truths {
            match truth {
                Truth::OneOf(of) => {
                    self.add_room(*of);
                    self.candidates.extend(members(*of, position).map(|candidate| (candidate, Ink::Green)));
                }
                Truth::Escape(impossible) => {
                    for &cell in &impossible.cells {
                        self.cells.push(cell);
                        for digit in position.at(cell) {
                            let ink = if impossible.digits.contains(digit) { Ink::Blue } else { Ink::Green };
                            self.candidates.push((Candidate::new(cell, digit), ink));
                        }
                    }
                }
                Truth::Guardians(deadly) => {
                    for &(cell, pair) in &deadly.cells {
                        self.cells.push(cell);
                        for digit in position.at(cell) {
                            let ink = if pair.contains(digit) { Ink::Blue } else { Ink::Green };
                            self.candidates.push((Candidate::new(cell, digit), ink));
                        }
                    }
                }
            }
        }
    }

    fn add_chain(&mut self, chain: &Chain) {
        for (index, node) in chain.nodes.iter().enumerate() {
            let ink = if index % 2 == 0 { Ink::Blue } else { Ink::Green };
            self.candidates.extend(node.candidates().map(|candidate| (candidate, ink)));
        }
        for (index, pair) in chain.nodes.windows(2).enumerate() {
            self.arrows.push(Arrow { from: pair[0].clone(), to: pair[1].clone(), strong: index % 2 == 0 });
        }
        if let (true, Some(first), Some(last)) = (chain.closed, chain.nodes.first(), chain.nodes.last()) {
            self.arrows.push(Arrow { from: last.clone(), to: first.clone(), strong: false });
        }
    }

    /// Each inference is joined to the latest one of the other sort before it.
    fn add_branch(&mut self, branch: &[Inference]) {
        for (index, inference) in branch.iter().enumerate() {
            let ink = if inference.holds { Ink::Green } else { Ink::Blue };
            self.candidates.extend(inference.node.candidates().map(|candidate| (candidate, ink)));
            let before = branch[..index].iter().rev().find(|other| other.holds != inference.holds);
            if let Some(other) = before {
                let (from, to) = (other.node.clone(), inference.node.clone());
                self.arrows.push(Arrow { from, to, strong: inference.holds });
            }
        }
    }

    fn ink_of(&self, candidate: Candidate) -> Option<Ink> {
        self.candidates.iter().rev().find(|(other, _)| *other == candidate).map(|(_, ink)| *ink)
    }
}

fn members(of: OneOf, position: &Candidates) -> Box<dyn Iterator<Item = Candidate> + '_> {
    match of {
        OneOf::Cell(cell) => Box::new(position.at(cell).map(move |digit| Candidate::new(cell, digit))),
        OneOf::House(house, digit) => {
            Box::new(position.places_for(digit, house).iter().map(move |cell| Candidate::new(cell, digit)))
        }
    }
}

/// The side of a cell in the drawing.
const CELL: usize = 60;
const MARGIN: usize = 12;

/// Draws a position, with a step in it if there is one. Everything is told apart by form as well as by colour: removed
/// candidates are crossed out, the answer has a ring, weak links are dashed.
pub fn svg(givens: &Grid, position: &Candidates, step: Option<&Step>) -> String {
    let picture = step.map(|step| Picture::of(step, position)).unwrap_or_default();
    let order = position.order();
    let title = step.map_or("Sudoku".to_string(), |step| format!("{}: {}", step.technique, step.conclusion(order)));
    drawn(givens, position, &picture, &title)
}

/// Draws one way through a tree: what it supposes, what follows, and the cell or the house where it fails.
pub fn svg_of_board(givens: &Grid, position: &Candidates, step: &Step, board: &Board) -> String {
    let names = Names::usual(position.order());
    let supposed: Vec<String> = board.supposed.iter().map(|&one| names.node(&Node::single(one))).collect();
    let title = format!("{}: {}", step.technique, supposed.join(", "));
    drawn(givens, position, &board.picture, &title)
}

fn drawn(givens: &Grid, position: &Candidates, picture: &Picture, title: &str) -> String {
    let order = position.order();
    let size = order.side() * CELL + 2 * MARGIN;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size} {size}\" font-family=\"sans-serif\" \
         text-anchor=\"middle\">\n<title>{}</title>\n<rect width=\"{size}\" height=\"{size}\" fill=\"#fff\"/>\n",
        escape(title)
    );
    draw_rooms(&mut out, order, picture);
    draw_lines(&mut out, order);
    for cell in order.cells() {
        match position.grid()[cell] {
            Some(digit) => draw_digit(&mut out, order, cell, digit, givens[cell].is_some()),
            None => position.at(cell).for_each(|digit| {
                let candidate = Candidate::new(cell, digit);
                draw_candidate(&mut out, order, candidate, picture.ink_of(candidate));
            }),
        }
    }
    for arrow in &picture.arrows {
        draw_arrow(&mut out, order, arrow);
    }
    out.push_str("</svg>\n");
    out
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

fn corner(order: Order, cell: Cell) -> (usize, usize) {
    (MARGIN + order.column_of(cell) * CELL, MARGIN + order.row_of(cell) * CELL)
}

/// The centre of a candidate inside its cell; candidates stand as the digits of a telephone do.
fn centre(order: Order, candidate: Candidate) -> (f64, f64) {
    let (x, y) = corner(order, candidate.cell);
    let (columns, rows) = (order.box_columns(), order.box_rows());
    let (column, row) = (candidate.digit.index() % columns, candidate.digit.index() / columns);
    let place =
        |start: usize, index: usize, count: usize| start as f64 + CELL as f64 * (index as f64 + 0.5) / count as f64;
    (place(x, column, columns), place(y, row, rows))
}

fn draw_rooms(out: &mut String, order: Order, picture: &Picture) {
    for &house in &picture.houses {
        for &cell in order.cells_in(house) {
            let (x, y) = corner(order, cell);
            let _ = writeln!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"#eef3fb\"/>");
        }
    }
    for &cell in &picture.cells {
        let (x, y) = corner(order, cell);
        let _ = writeln!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"#fdf3d0\"/>");
    }
}

fn draw_lines(out: &mut String, order: Order) {
    let end = MARGIN + order.side() * CELL;
    for index in 0..=order.side() {
        let at = MARGIN + index * CELL;
        let wide = |every: usize| if index.is_multiple_of(every) { 3 } else { 1 };
        let (columns, rows) = (wide(order.box_columns()), wide(order.box_rows()));
        let _ = writeln!(out, "<path d=\"M{at} {MARGIN}V{end}\" stroke=\"#333\" stroke-width=\"{columns}\"/>");
        let _ = writeln!(out, "<path d=\"M{MARGIN} {at}H{end}\" stroke=\"#333\" stroke-width=\"{rows}\"/>");
    }
}

fn draw_digit(out: &mut String, order: Order, cell: Cell, digit: Digit, given: bool) {
    let (x, y) = corner(order, cell);
    let (x, y) = (x + CELL / 2, y + CELL * 7 / 10);
    let look = if given { "fill=\"#111\" font-weight=\"bold\"" } else { "fill=\"#1d4ed8\"" };
    let _ = writeln!(out, "<text x=\"{x}\" y=\"{y}\" font-size=\"36\" {look}>{}</text>", text::symbol(order, digit));
}

fn draw_candidate(out: &mut String, order: Order, candidate: Candidate, ink: Option<Ink>) {
    let (x, y) = centre(order, candidate);
    let radius = CELL as f64 / (2.3 * order.box_columns().max(order.box_rows()) as f64);
    let shape = match ink {
        None => String::new(),
        Some(Ink::Green) => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"#86d993\"/>"),
        Some(Ink::Blue) => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"#9cc4f5\"/>"),
        Some(Ink::Removed) => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"#f6a5a0\"/>"),
        Some(Ink::Placed) => format!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\" fill=\"#86d993\" stroke=\"#14532d\" stroke-width=\"2\"/>"
        ),
    };
    let size = 2.0 * radius * 0.8;
    let baseline = y + size * 0.35;
    let symbol = text::symbol(order, candidate.digit);
    let _ = write!(
        out,
        "{shape}<text x=\"{x:.1}\" y=\"{baseline:.1}\" font-size=\"{size:.1}\" fill=\"#333\">{symbol}</text>"
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

fn draw_arrow(out: &mut String, order: Order, arrow: &Arrow) {
    let middle = |node: &Node| {
        let points: Vec<(f64, f64)> = node.candidates().map(|candidate| centre(order, candidate)).collect();
        let count = points.len().max(1) as f64;
        (points.iter().map(|p| p.0).sum::<f64>() / count, points.iter().map(|p| p.1).sum::<f64>() / count)
    };
    let ((x1, y1), (x2, y2)) = (middle(&arrow.from), middle(&arrow.to));
    let dashes = if arrow.strong { "" } else { " stroke-dasharray=\"5 4\"" };
    let names = [&arrow.from, &arrow.to].map(|node| Names::usual(order).node(node));
    let _ = writeln!(
        out,
        "<path d=\"M{x1:.1} {y1:.1}L{x2:.1} {y2:.1}\" stroke=\"#b45309\" stroke-width=\"2\" fill=\"none\"{dashes}>\
         <title>{} {} {}</title></path>",
        names[0],
        if arrow.strong { "=" } else { "-" },
        names[1]
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Position;
    use crate::logic::find;
    use crate::proof::{SubsetSize, Technique};

    #[test]
    fn a_naked_pair_shows_its_cells_and_what_goes() {
        let puzzle: Grid =
            "7..849.3.928135..64..267.896427839513974516288156923..2.4516.931....8.6.5....4.1.".parse().unwrap();
        let position = Candidates::of(&puzzle).unwrap();
        let step = find(Technique::NakedSubset(SubsetSize::Pair), &Position::start(&puzzle).unwrap()).unwrap();
        let picture = Picture::of(&step, &position);
        assert_eq!(picture.cells.len(), 2);
        assert!(step.removes.iter().all(|&candidate| picture.ink_of(candidate) == Some(Ink::Removed)));
        let drawn = svg(&puzzle, &position, Some(&step));
        assert!(drawn.starts_with("<svg ") && drawn.ends_with("</svg>\n"));
        assert_eq!(drawn.matches("stroke=\"#b91c1c\"").count(), step.removes.len());
        assert!(drawn.contains("<title>Naked Pair: "));
    }

    #[test]
    fn a_chain_has_an_arrow_for_each_link() {
        let puzzle: Grid =
            ".7......5..5..329..4..8...79.....1.8.1..2.9....38...5...7.9..4.6...4.....9...2...".parse().unwrap();
        let path = crate::explain(&puzzle).unwrap();
        let is_kite = |(_, step): &(Candidates, &Step)| step.technique == Technique::TwoStringKite;
        let (position, step) = path.positions().find(is_kite).expect("the path has a kite");
        let picture = Picture::of(step, &position);
        assert_eq!(picture.arrows.iter().map(|arrow| arrow.strong).collect::<Vec<_>>(), [true, false, true]);
    }
}
