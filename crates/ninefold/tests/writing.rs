//! The parser accepts every common layout of a grid.

use ninefold::grid::{Digit, Grid, Order, text};
use ninefold::random::Random;

#[test]
fn parses_every_layout() {
    let mut random = Random::new(11);
    for (rows, columns) in
        [(2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (2, 5), (3, 4), (4, 4), (5, 5), (6, 6), (8, 8)]
    {
        let order = Order::new(rows, columns).expect("a shape");
        for filled in [0.0, 0.02, 0.1, 0.3, 0.6, 1.0] {
            let grid = random_position(order, filled, &mut random);
            for empty in [".", "0", "_", "*", "-"] {
                for layout in LAYOUTS {
                    check(&grid, empty, layout);
                }
            }
        }
    }
}

/// The separators of cells, boxes, rows and bands.
struct Layout {
    between_cells: &'static str,
    bar: &'static str,
    between_rows: &'static str,
    /// The dash and the crossing of a rule between bands.
    rule: Option<(&'static str, &'static str)>,
    framed: bool,
}

const LAYOUTS: &[Layout] = &[
    Layout { between_cells: "", bar: "", between_rows: "", rule: None, framed: false },
    Layout { between_cells: "", bar: "", between_rows: " ", rule: None, framed: false },
    Layout { between_cells: "", bar: "", between_rows: "\n", rule: None, framed: false },
    Layout { between_cells: "", bar: "", between_rows: "\r\n", rule: None, framed: false },
    Layout { between_cells: " ", bar: "", between_rows: "\n", rule: None, framed: false },
    Layout { between_cells: ",", bar: "", between_rows: "\n", rule: None, framed: false },
    Layout { between_cells: ",", bar: "", between_rows: ",", rule: None, framed: false },
    Layout {
        between_cells: "",
        bar: "|",
        between_rows: "\n",
        rule: Some(("-", "+")),
        framed: false,
    },
    Layout {
        between_cells: " ",
        bar: "| ",
        between_rows: "\n",
        rule: Some(("-", "+")),
        framed: false,
    },
    Layout {
        between_cells: "",
        bar: "|",
        between_rows: "\n",
        rule: Some(("=", "+")),
        framed: true,
    },
    Layout {
        between_cells: " ",
        bar: "│ ",
        between_rows: "\n",
        rule: Some(("─", "┼")),
        framed: true,
    },
    Layout {
        between_cells: "",
        bar: "║",
        between_rows: "\n",
        rule: Some(("═", "╬")),
        framed: true,
    },
];

fn check(grid: &Grid, empty: &str, layout: &Layout) {
    let order = grid.order();
    // Numbers of two digits need separators.
    if order.side() > 61 && layout.between_cells.is_empty() {
        return;
    }
    let written = write(grid, empty, layout);
    // Bars determine the shape of the boxes; without bars it is passed to the parser.
    let shape = if layout.bar.is_empty() { Some(order) } else { None };
    match text::parse_position(&written, shape) {
        Ok(read) => assert_eq!(&read, grid, "from\n{written}"),
        Err(error) => panic!("{order}: {error}, from\n{written}"),
    }
}

fn write(grid: &Grid, empty: &str, layout: &Layout) -> String {
    let order = grid.order();
    let (dash, crossing) = layout.rule.unwrap_or_default();
    let boxes_in_a_row = order.side() / order.box_columns();
    let rule = vec![dash.repeat(order.box_columns()); boxes_in_a_row].join(crossing);
    let mut lines = Vec::new();
    if layout.framed {
        lines.push(format!("{crossing}{rule}{crossing}"));
    }
    for row in 0..order.side() {
        if row > 0 && row % order.box_rows() == 0 && layout.rule.is_some() {
            lines.push(rule.clone());
        }
        let mut line = String::new();
        for column in 0..order.side() {
            if column > 0 {
                line += layout.between_cells;
                line += if column % order.box_columns() == 0 { layout.bar } else { "" };
            }
            line += &grid[order.cell(row, column)]
                .map_or(empty.to_string(), |digit| text::symbol(order, digit));
        }
        lines.push(if layout.framed {
            format!("{bar}{line} {bar}", bar = layout.bar)
        } else {
            line
        });
    }
    if layout.framed {
        lines.push(format!("{crossing}{rule}{crossing}"));
    }
    lines.join(layout.between_rows)
}

/// Random digits in a fraction of the cells; they may break the rules.
fn random_position(order: Order, filled: f64, random: &mut Random) -> Grid {
    let mut grid = Grid::empty(order);
    for cell in order.cells() {
        if random.chance(filled) {
            grid.set(cell, Some(Digit::from_index(random.below(order.side()))));
        }
    }
    grid
}
