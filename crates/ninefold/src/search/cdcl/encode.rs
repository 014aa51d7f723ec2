//! Encodes candidates as groups of literals of which exactly one is true.
//!
//! A variable means "this cell contains this digit". A crossing is the set of cells that a box
//! shares with a line (a row or a column). For each digit and crossing, another variable means "the
//! digit is in this crossing". Crossings keep the groups small:
//!
//! ```text
//! cell       exactly one of its candidates is true
//! crossing   exactly one is true: cell 1 contains the digit, cell 2 does, …, no cell of it does
//! line       exactly one of its crossings contains the digit  (for each row and each column)
//! box        exactly one of its crossings contains the digit  (once by rows, once by columns)
//! ```
//!
//! With crossings, propagation finds locked candidates, and learned clauses can refer to crossings
//! instead of cells. Tried: houses as groups of cells, without crossings. A node costs half as
//! much, but 36×36 takes 2 to 5 times as many nodes:
//! `benchmarks/records/2026-11-15-large-orders.md`.

use super::engine::Engine;
use crate::grid::rules::literal::{Lists, Literal};
use crate::grid::{Candidates, Cell, Digit, Grid, House, Order};

/// A puzzle encoded for the engine.
pub struct Encoding {
    /// The digits that are already certain.
    certain: Grid,
    /// The meaning of the first variables; the others are crossings.
    meaning: Vec<(Cell, Digit)>,
    /// The number of variables, including crossings.
    pub variables: usize,
    /// The engine with the groups, after propagation.
    pub engine: Engine,
}

impl Encoding {
    /// Encodes a puzzle; `None` if propagation shows that it has no solution.
    pub fn new(candidates: &Candidates) -> Option<Encoding> {
        let first = Encoding::encode(candidates)?;
        if first.engine.trail().is_empty() {
            return Some(first);
        }
        // The second encoding has no variables with known values, so the search is smaller.
        let mut rest = candidates.clone();
        for (variable, &(cell, digit)) in first.meaning.iter().enumerate() {
            let literal = Literal::new(variable, true);
            if first.engine.is_true(literal) {
                rest.place(cell, digit);
            } else if !first.engine.is_open(literal) {
                rest.remove(cell, digit);
            }
        }
        Encoding::encode(&rest)
    }

    /// The grid of the true variables.
    pub fn grid(&self) -> Grid {
        let mut grid = self.certain.clone();
        for literal in self.engine.trail().iter().filter(|literal| literal.is_positive()) {
            if let Some(&(cell, digit)) = self.meaning.get(literal.variable()) {
                grid.set(cell, Some(digit));
            }
        }
        grid
    }

    /// The cell and digit of a literal; `None` for crossings and negations.
    pub fn digit_of(&self, literal: Literal) -> Option<(Cell, Digit)> {
        self.meaning.get(literal.variable()).copied().filter(|_| literal.is_positive())
    }

    fn encode(candidates: &Candidates) -> Option<Encoding> {
        let mut builder = Builder::new(candidates);
        for digit in candidates.order().digits() {
            builder.add_crossings(digit, House::Row, Order::row_of);
            builder.add_crossings(digit, House::Column, Order::column_of);
        }
        let Builder { meaning, variables, groups, .. } = builder;
        let engine = Engine::new(variables, groups)?;
        Some(Encoding { certain: candidates.grid().clone(), meaning, variables, engine })
    }
}

struct Builder<'a> {
    candidates: &'a Candidates,
    meaning: Vec<(Cell, Digit)>,
    /// For each cell and digit the literal, if it is a candidate.
    literal: Vec<Option<Literal>>,
    variables: usize,
    groups: Lists<Literal>,
}

impl<'a> Builder<'a> {
    fn new(candidates: &'a Candidates) -> Builder<'a> {
        let order = candidates.order();
        let mut meaning = Vec::new();
        let mut literal = vec![None; order.cell_count() * order.side()];
        let mut groups = Lists::new();
        for cell in candidates.grid().empty_cells() {
            groups.push(candidates.at(cell).map(|digit| {
                let variable = Literal::new(meaning.len(), true);
                meaning.push((cell, digit));
                literal[cell.index() * order.side() + digit.index()] = Some(variable);
                variable
            }));
        }
        Builder { candidates, variables: meaning.len(), meaning, literal, groups }
    }

    /// Adds the groups of one digit for all rows or all columns.
    fn add_crossings(
        &mut self,
        digit: Digit,
        line: fn(u8) -> House,
        line_of: fn(Order, Cell) -> usize,
    ) {
        let order = self.candidates.order();
        let side = order.side();
        let mut in_line = vec![Vec::new(); side];
        for number in 0..side as u8 {
            let mut cells = vec![Vec::new(); side];
            let mut lines: Vec<usize> = Vec::new();
            for &cell in order.cells_in(House::Box(number)) {
                if let Some(literal) = self.literal[cell.index() * side + digit.index()] {
                    let line = line_of(order, cell);
                    if cells[line].is_empty() {
                        lines.push(line);
                    }
                    cells[line].push(literal);
                }
            }
            let crossings: Vec<Literal> =
                lines.iter().map(|&line| self.crossing(&cells[line])).collect();
            for (&line, &crossing) in lines.iter().zip(&crossings) {
                in_line[line].push(crossing);
            }
            self.add_house(digit, House::Box(number), crossings);
        }
        for (number, crossings) in in_line.into_iter().enumerate() {
            self.add_house(digit, line(number as u8), crossings);
        }
    }

    /// The literal for "one of these cells contains the digit". A single cell needs no extra
    /// variable.
    fn crossing(&mut self, cells: &[Literal]) -> Literal {
        if let &[only] = cells {
            return only;
        }
        let crossing = Literal::new(self.variables, true);
        self.variables += 1;
        self.groups.push(cells.iter().copied().chain([!crossing]));
        crossing
    }

    fn add_house(&mut self, digit: Digit, house: House, crossings: Vec<Literal>) {
        let cells = self.candidates.order().cells_in(house);
        if cells.iter().all(|&cell| self.candidates.grid()[cell] != Some(digit)) {
            self.groups.push(crossings);
        }
    }
}
