//! Rules drawn on a board as players know them: cages, thermometers, arrows, dots, clues.
//!
//! Lines and shapes in cells lie under the digits; dots, sums and clues lie above the grid lines.

use super::arrow::{Area, Point};
use super::board::{CELL_SIZE, LABEL_SIZE, corner};
use super::drawing::{Colour, Paint, Shape, Text};
use crate::grid::rules::{Constraint, Diagonal, Direction, Dot, LineRule, Place, Rules};
use crate::grid::{Cell, Order};

/// The distance between a cage and the lines of the grid.
const INSET: f64 = 5.0;

/// Shapes under the grid lines and the digits.
pub(super) fn under(rules: &Rules) -> Vec<Shape> {
    let order = rules.order();
    rules.constraints().iter().flat_map(|constraint| line_of(constraint, order)).collect()
}

/// Shapes above the grid lines: borders of regions, cages, dots and clues.
pub(super) fn over(rules: &Rules) -> Vec<Shape> {
    let order = rules.order();
    let mut shapes = Vec::new();
    if !order.has_boxes() {
        for region in rules.regions() {
            let paint = Paint::stroke("#333", 3.0);
            shapes.extend(border(&region, order, 0.0, paint));
        }
    }
    shapes.extend(rules.constraints().iter().flat_map(|constraint| mark_of(constraint, order)));
    shapes
}

/// Whether a clue to the right of the grid or below it needs room.
pub(super) fn has_far_clue(rules: &Rules) -> bool {
    let side = rules.side() as u8;
    places(rules).any(|place| place.row > side || place.column > side)
}

/// Whether a clue takes the place of the label of a row or a column.
pub(super) fn has_clue_at(rules: &Rules, row: u8, column: u8) -> bool {
    places(rules).any(|place| place.row == row && place.column == column)
}

fn places(rules: &Rules) -> impl Iterator<Item = Place> + '_ {
    rules.constraints().iter().filter_map(|constraint| match constraint {
        Constraint::Outside { place, .. } | Constraint::LittleKiller { place, .. } => Some(*place),
        _ => None,
    })
}

fn middle(order: Order, cell: Cell) -> Point {
    let (x, y) = corner(order, cell);
    (x + CELL_SIZE / 2.0, y + CELL_SIZE / 2.0)
}

fn path(order: Order, cells: &[Cell], colour: Colour, width: f64) -> Shape {
    let points = cells.iter().map(|&cell| middle(order, cell)).collect();
    Shape::Line { points, closed: false, paint: Paint::stroke(colour, width) }
}

fn disc(order: Order, cell: Cell, radius: f64, paint: Paint) -> Shape {
    Shape::Circle { centre: middle(order, cell), radius, paint }
}

fn square(order: Order, cell: Cell, half: f64, paint: Paint) -> Shape {
    let (x, y) = middle(order, cell);
    let area = Area { left: x - half, top: y - half, right: x + half, bottom: y + half };
    Shape::Rect { area, round: 0.0, paint, class: "" }
}

/// Lines, arrows, and shapes inside cells.
fn line_of(constraint: &Constraint, order: Order) -> Vec<Shape> {
    let grey = Paint::fill("#e3e3e3");
    match constraint {
        Constraint::Even(cell) => vec![square(order, *cell, 22.0, grey)],
        Constraint::Odd(cell) => vec![disc(order, *cell, 22.0, grey)],
        Constraint::Maximum(cell) | Constraint::Minimum(cell) => {
            vec![square(order, *cell, 27.0, Paint::fill("#e8e8f4"))]
        }
        Constraint::Diagonal(kind) => {
            let side = order.side();
            let far = LABEL_SIZE + side as f64 * CELL_SIZE;
            let points = match kind {
                Diagonal::Falling => vec![(LABEL_SIZE, LABEL_SIZE), (far, far)],
                Diagonal::Rising => vec![(LABEL_SIZE, far), (far, LABEL_SIZE)],
            };
            vec![Shape::Line { points, closed: false, paint: Paint::stroke("#7fb2e5", 2.0) }]
        }
        Constraint::ExtraRegion(cells) => {
            let fill = |&cell: &Cell| square(order, cell, CELL_SIZE / 2.0, Paint::fill("#e9eee4"));
            cells.iter().map(fill).collect()
        }
        Constraint::Clone { cells, clones } => {
            let fill = |&cell: &Cell| square(order, cell, CELL_SIZE / 2.0, Paint::fill("#eeeeee"));
            cells.iter().chain(clones).map(fill).collect()
        }
        Constraint::Indexer { cells, .. } => {
            let fill = |&cell: &Cell| square(order, cell, CELL_SIZE / 2.0, Paint::fill("#f6e6e6"));
            cells.iter().map(fill).collect()
        }
        Constraint::CountingCircles(cells) => {
            let ring = |&cell: &Cell| disc(order, cell, 25.0, Paint::stroke("#9a9a9a", 1.5));
            cells.iter().map(ring).collect()
        }
        Constraint::Line { kind, cells } => special_line(*kind, cells, order),
        Constraint::Arrow { circle, lines } => {
            let mut shapes: Vec<Shape> = lines.iter().flat_map(|line| arrow(order, line)).collect();
            shapes.push(path(order, circle, "#9a9a9a", 46.0));
            shapes.push(path(order, circle, "#fff", 43.0));
            for &cell in circle {
                shapes.push(disc(order, cell, 23.0, Paint::fill("#9a9a9a")));
                shapes.push(disc(order, cell, 21.5, Paint::fill("#fff")));
            }
            shapes
        }
        _ => Vec::new(),
    }
}

fn special_line(kind: LineRule, cells: &[Cell], order: Order) -> Vec<Shape> {
    let (Some(&first), Some(&last)) = (cells.first(), cells.last()) else { return Vec::new() };
    let plain = |colour| vec![path(order, cells, colour, 10.0)];
    let with_ends = |colour| {
        let end = |cell| {
            let paint = Paint { fill: Some("#fff"), ..Paint::stroke(colour, 2.0) };
            disc(order, cell, 22.0, paint)
        };
        vec![path(order, cells, colour, 5.0), end(first), end(last)]
    };
    match kind {
        LineRule::Thermometer | LineRule::SlowThermometer => {
            let colour = if kind == LineRule::Thermometer { "#cfcfcf" } else { "#c9d6e2" };
            vec![path(order, cells, colour, 16.0), disc(order, first, 21.0, Paint::fill(colour))]
        }
        LineRule::Whispers(_) => plain("#a9dfa4"),
        LineRule::Palindrome => plain("#cccccc"),
        LineRule::Renban => plain("#ddb6e6"),
        LineRule::Nabner => plain("#e8d79a"),
        LineRule::Entropic => plain("#f2c39a"),
        LineRule::Modular(_) => plain("#9fd9d5"),
        LineRule::RegionSum => plain("#a9cdf3"),
        LineRule::Zipper => plain("#c6b8ea"),
        LineRule::Between | LineRule::DoubleArrow => with_ends("#b0b0b0"),
        LineRule::Lockout(_) => with_ends("#a9c6e3"),
    }
}

/// The shaft of an arrow with its head in the last cell.
fn arrow(order: Order, line: &[Cell]) -> Vec<Shape> {
    let [.., before, last] = line else { return Vec::new() };
    let ((x, y), (from_x, from_y)) = (middle(order, *last), middle(order, *before));
    let length = (x - from_x).hypot(y - from_y).max(1.0);
    let (dx, dy) = ((x - from_x) / length, (y - from_y) / length);
    let wing = |side: f64| (x - 10.0 * dx - side * 8.0 * dy, y - 10.0 * dy + side * 8.0 * dx);
    let head = vec![wing(1.0), (x, y), wing(-1.0)];
    let paint = Paint::stroke("#9a9a9a", 3.0);
    vec![path(order, line, "#9a9a9a", 3.0), Shape::Line { points: head, closed: false, paint }]
}

/// Cages, dots, signs and clues.
fn mark_of(constraint: &Constraint, order: Order) -> Vec<Shape> {
    match constraint {
        Constraint::Cage { cells, sum } => {
            let paint = Paint { dashed: true, ..Paint::stroke("#555", 1.2) };
            let mut shapes = border(cells, order, INSET, paint);
            if let (Some(sum), Some(&cell)) = (sum, cells.iter().min()) {
                let (x, y) = corner(order, cell);
                let text = sum.to_string();
                let right = x + 4.0 + 7.0 * text.len() as f64;
                let area = Area { left: x + 2.0, top: y + 2.0, right, bottom: y + 15.0 };
                shapes.push(Shape::Rect {
                    area,
                    round: 0.0,
                    paint: Paint::fill("#fff"),
                    class: "",
                });
                shapes.push(label((x + 3.0, y + 13.0), 12.0, true, text));
            }
            shapes
        }
        Constraint::Dot { kind, cells: [a, b] } => dot(*kind, *a, *b, order),
        Constraint::GreaterThan(cells) => {
            cells.windows(2).flat_map(|pair| greater(order, pair[0], pair[1])).collect()
        }
        Constraint::Quadruple { cells, digits } => {
            let centres: Vec<Point> = cells.iter().map(|&cell| middle(order, cell)).collect();
            let count = centres.len().max(1) as f64;
            let x = centres.iter().map(|point| point.0).sum::<f64>() / count;
            let y = centres.iter().map(|point| point.1).sum::<f64>() / count;
            let paint = Paint { fill: Some("#fff"), ..Paint::stroke("#333", 1.2) };
            let text: String = digits.iter().map(|digit| digit.to_string()).collect();
            vec![
                Shape::Circle { centre: (x, y), radius: 13.0, paint },
                label((x, y + 4.0), 11.0, false, text),
            ]
        }
        Constraint::Outside { place, value, .. } => {
            let (x, y) = outside(*place, order);
            vec![label((x, y + 5.0), 15.0, false, value.to_string())]
        }
        Constraint::LittleKiller { place, direction, sum } => {
            let (x, y) = outside(*place, order);
            let (dx, dy) = match direction {
                Direction::DownRight => (1.0, 1.0),
                Direction::DownLeft => (-1.0, 1.0),
                Direction::UpRight => (1.0, -1.0),
                Direction::UpLeft => (-1.0, -1.0),
            };
            let points = vec![(x + 6.0 * dx, y + 6.0 * dy), (x + 13.0 * dx, y + 13.0 * dy)];
            let paint = Paint::stroke("#333", 1.5);
            vec![
                label((x, y + 4.0), 13.0, false, sum.to_string()),
                Shape::Line { points, closed: false, paint },
            ]
        }
        _ => Vec::new(),
    }
}

fn label(at: Point, size: f64, starts_at_point: bool, text: String) -> Shape {
    Shape::Text(Text { at, size, colour: "#222", bold: true, starts_at_point, class: "rule", text })
}

/// The point of a clue beside the grid.
fn outside(place: Place, order: Order) -> Point {
    let far = LABEL_SIZE + order.side() as f64 * CELL_SIZE;
    let at = |index: u8| match usize::from(index) {
        0 => LABEL_SIZE / 2.0,
        index if index > order.side() => far + LABEL_SIZE / 2.0,
        index => LABEL_SIZE + (index as f64 - 0.5) * CELL_SIZE,
    };
    (at(place.column), at(place.row))
}

fn dot(kind: Dot, a: Cell, b: Cell, order: Order) -> Vec<Shape> {
    let ((ax, ay), (bx, by)) = (middle(order, a), middle(order, b));
    let centre = ((ax + bx) / 2.0, (ay + by) / 2.0);
    let below = (centre.0, centre.1 + 4.0);
    let circle = |fill: Colour| {
        let paint = Paint { fill: Some(fill), ..Paint::stroke("#222", 1.2) };
        Shape::Circle { centre, radius: 8.0, paint }
    };
    match kind {
        Dot::Difference(1) => vec![circle("#fff")],
        Dot::Difference(n) => vec![circle("#fff"), label(below, 11.0, false, n.to_string())],
        Dot::Ratio(_) => vec![circle("#222")],
        Dot::Total(total) => {
            let text = match total {
                10 => "X".to_string(),
                5 => "V".to_string(),
                total => total.to_string(),
            };
            let ground = Shape::Circle { centre, radius: 8.0, paint: Paint::fill("#fff") };
            vec![ground, label((centre.0, centre.1 + 5.0), 15.0, false, text)]
        }
    }
}

/// A sign between two cells that points at the smaller one.
fn greater(order: Order, large: Cell, small: Cell) -> Vec<Shape> {
    let ((ax, ay), (bx, by)) = (middle(order, large), middle(order, small));
    let (x, y) = ((ax + bx) / 2.0, (ay + by) / 2.0);
    let length = (bx - ax).hypot(by - ay).max(1.0);
    let (dx, dy) = ((bx - ax) / length, (by - ay) / length);
    let end = |side: f64| (x - 4.0 * dx - side * 7.0 * dy, y - 4.0 * dy + side * 7.0 * dx);
    let points = vec![end(1.0), (x + 4.0 * dx, y + 4.0 * dy), end(-1.0)];
    vec![Shape::Line { points, closed: false, paint: Paint::stroke("#333", 1.8) }]
}

/// The outline of some cells, at a distance from their edges. One line for each edge of a cell.
fn border(cells: &[Cell], order: Order, inset: f64, paint: Paint) -> Vec<Shape> {
    let side = order.side() as i64;
    let has = |row: i64, column: i64| {
        (0..side).contains(&row)
            && (0..side).contains(&column)
            && cells.contains(&order.cell(row as usize, column as usize))
    };
    let mut shapes = Vec::new();
    for &cell in cells {
        let (row, column) = (order.row_of(cell) as i64, order.column_of(cell) as i64);
        let (x, y) = middle(order, cell);
        let half = CELL_SIZE / 2.0;
        // Each direction with the one to its right.
        for (down, right) in [(-1, 0), (0, 1), (1, 0), (0, -1)] {
            if has(row + down, column + right) {
                continue;
            }
            let (along_down, along_right) = (right, -down);
            let end = |sign: i64| {
                let (d, r) = (sign * along_down, sign * along_right);
                let reach =
                    match (has(row + d, column + r), has(row + d + down, column + r + right)) {
                        (false, _) => half - inset,
                        (true, true) => half + inset,
                        (true, false) => half,
                    };
                let out = half - inset;
                (
                    x + right as f64 * out + r as f64 * reach,
                    y + down as f64 * out + d as f64 * reach,
                )
            };
            let points = vec![end(-1), end(1)];
            shapes.push(Shape::Line { points, closed: false, paint });
        }
    }
    shapes
}
