//! Short notation: `r3c7`, `r12c45`, `r3c7<>5`, and Eureka notation for chains, with a choice of
//! cell names.

use crate::grid::{Cell, Digit, DigitSet, House, Order, text};
use crate::proof::{Candidate, Chain, Node, OneOf, Step, Strong};

/// How cells are named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Notation {
    /// `r3c7`; several cells as `r12c45`.
    #[default]
    RowColumn,
    /// `G3`: column letter and row number, as in Sudoku Explainer and spreadsheets.
    Letters,
    /// `C7`: row letter and column number. The letter I is omitted, and the last row of a 9×9 grid
    /// is K by convention, so its last cell is `K9`.
    K9,
    /// `z3s7`: German, for Zeile (row) and Spalte (column).
    German,
    /// `f3c7`: Spanish, for fila (row) and columna (column).
    Spanish,
}

impl Notation {
    /// All values.
    pub const ALL: [Notation; 5] =
        [Notation::RowColumn, Notation::Letters, Notation::K9, Notation::German, Notation::Spanish];

    /// The name in options, for example `r1c1`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Notation::RowColumn => "r1c1",
            Notation::Letters => "a1",
            Notation::K9 => "k9",
            Notation::German => "z1s1",
            Notation::Spanish => "f1c1",
        }
    }
}

/// Names of cells, houses and digits for one grid size and notation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Names {
    pub order: Order,
    pub notation: Notation,
}

/// A, B … Z, AA, AB …
fn letters(number: usize) -> String {
    let last = char::from(b'A' + (number % 26) as u8);
    if number < 26 { last.to_string() } else { letters(number / 26 - 1) + &last.to_string() }
}

impl Names {
    /// Uses the default notation.
    pub fn with_default_notation(order: Order) -> Names {
        Names { order, notation: Notation::default() }
    }

    /// Returns a digit as it is written in the grid.
    pub fn digit(&self, digit: Digit) -> String {
        text::symbol(self.order, digit)
    }

    /// Returns several digits, such as `159`. Digits of two characters are separated by commas.
    pub fn digits(&self, set: DigitSet) -> String {
        let separator = if self.order.side() > 35 { "," } else { "" };
        set.map(|d| self.digit(d)).collect::<Vec<_>>().join(separator)
    }

    fn row(&self, row: usize) -> String {
        match self.notation {
            // Without I there are 25 letters. By convention, the ninth row of a 9×9 grid is K.
            Notation::K9 if self.order.side() == 9 && row == 8 => "K".to_string(),
            Notation::K9 => letters(if row < 8 { row } else { row + 1 }),
            _ => (row + 1).to_string(),
        }
    }

    fn column(&self, column: usize) -> String {
        match self.notation {
            Notation::Letters => letters(column),
            _ => (column + 1).to_string(),
        }
    }

    /// Returns the number or letter of a house.
    pub fn label(&self, house: House) -> String {
        match house {
            House::Row(number) => self.row(number.into()),
            House::Column(number) => self.column(number.into()),
            House::Box(number) | House::Region(number) => (number + 1).to_string(),
            House::Extra(number) => (number + 1).to_string(),
        }
    }

    /// Returns the full name of a house: `row 3`, `column 1`, `box 9`.
    pub fn house_in_words(&self, house: House) -> String {
        let kind = match house {
            House::Row(_) => "row",
            House::Column(_) => "column",
            House::Box(_) => "box",
            House::Region(_) => "region",
            House::Extra(_) => "extra house",
        };
        format!("{kind} {}", self.label(house))
    }

    /// Returns the short name of a house: `r3`, `c1`, `b9`.
    pub fn house(&self, house: House) -> String {
        self.kind(house).to_string() + &self.label(house)
    }

    fn kind(&self, house: House) -> &'static str {
        match (house, self.notation) {
            (House::Row(_), Notation::German) => "z",
            (House::Column(_), Notation::German) => "s",
            (House::Row(_), Notation::Spanish) => "f",
            (House::Row(_), _) => "r",
            (House::Column(_), _) => "c",
            (House::Box(_) | House::Region(_), _) => "b",
            (House::Extra(_), _) => "e",
        }
    }

    /// Returns several houses, combining those of one kind: `r25b3`.
    pub fn houses(&self, houses: &[House]) -> String {
        let mut sorted = houses.to_vec();
        sorted.sort_unstable();
        let mut text = String::new();
        for (index, &one) in sorted.iter().enumerate() {
            let joined = index > 0 && self.kind(sorted[index - 1]) == self.kind(one);
            text += &if joined {
                self.separator().to_string() + &self.label(one)
            } else {
                self.house(one)
            };
        }
        text
    }

    /// Numbers above 9 are separated by points: `r1.12c5`.
    fn separator(&self) -> &'static str {
        if self.order.side() > 9 { "." } else { "" }
    }

    /// Returns the name of a cell: `r3c7`.
    pub fn cell(&self, cell: Cell) -> String {
        self.block(&[self.order.row_of(cell)], &[self.order.column_of(cell)])
    }

    /// Returns several cells, combining those of one row or column: `r12c5,r7c38`. Rows with the
    /// same columns form one block.
    pub fn cells(&self, cells: &[Cell]) -> String {
        let mut blocks: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
        for row in 0..self.order.side() {
            let in_row = |cell: &&Cell| self.order.row_of(**cell) == row;
            let mut columns: Vec<usize> =
                cells.iter().filter(in_row).map(|&cell| self.order.column_of(cell)).collect();
            columns.sort_unstable();
            columns.dedup();
            if columns.is_empty() {
                continue;
            }
            match blocks.iter_mut().find(|(_, other)| *other == columns) {
                Some((rows, _)) => rows.push(row),
                None => blocks.push((vec![row], columns)),
            }
        }
        blocks.iter().map(|(rows, columns)| self.block(rows, columns)).collect::<Vec<_>>().join(",")
    }

    /// Returns all cells in these rows and columns.
    fn block(&self, rows: &[usize], columns: &[usize]) -> String {
        let rows = rows.iter().map(|&row| self.row(row)).collect::<Vec<_>>().join(self.separator());
        let columns = columns
            .iter()
            .map(|&column| self.column(column))
            .collect::<Vec<_>>()
            .join(self.separator());
        match self.notation {
            Notation::RowColumn => format!("r{rows}c{columns}"),
            Notation::German => format!("z{rows}s{columns}"),
            Notation::Spanish => format!("f{rows}c{columns}"),
            Notation::K9 => format!("{rows}{columns}"),
            Notation::Letters => format!("{columns}{rows}"),
        }
    }

    /// Returns removed candidates, digit by digit: `r3c7<>5, r12c4<>8`.
    pub fn removals(&self, removes: &[Candidate]) -> String {
        let all: DigitSet = removes.iter().map(|candidate| candidate.digit).collect();
        let one = |d: Digit| {
            let of_digit: Vec<Cell> =
                removes.iter().filter(|c| c.digit == d).map(|c| c.cell).collect();
            format!("{}<>{}", self.cells(&of_digit), self.digit(d))
        };
        all.map(one).collect::<Vec<_>>().join(", ")
    }

    /// Returns the result of a step: `r3c4=6` or `r3c7<>5, r12c4<>8`.
    pub fn conclusion(&self, step: &Step) -> String {
        let places =
            step.places.iter().map(|p| format!("{}={}", self.cell(p.cell), self.digit(p.digit)));
        let removes = (!step.removes.is_empty()).then(|| self.removals(&step.removes));
        places.chain(removes).collect::<Vec<_>>().join(", ")
    }

    /// Returns a node in Eureka notation: `(6)r1c78`.
    pub fn node(&self, node: &Node) -> String {
        format!("({}){}", self.digit(node.digit), self.cells(&node.cells))
    }

    /// Returns a chain in Eureka notation: `(6)r1c7=r6c7-(6=3)r4c9`, with `=` for strong and `-`
    /// for weak links.
    ///
    /// The digit is written whenever it changes. Two digits of one cell share a bracket.
    pub fn eureka(&self, chain: &Chain) -> String {
        let mut text = String::new();
        let mut last: Option<Digit> = None;
        for (pair, reason) in chain.nodes.chunks(2).zip(&chain.strong) {
            if !text.is_empty() {
                text.push('-');
            }
            let (a, b) = (&pair[0], &pair[1]);
            let both = || format!("({}={})", self.digit(a.digit), self.digit(b.digit));
            text += &match reason {
                Strong::OneOf(OneOf::Cell(cell)) => both() + &self.cell(*cell),
                Strong::OneOf(OneOf::House(..)) => {
                    let bracket = if last == Some(a.digit) {
                        String::new()
                    } else {
                        format!("({})", self.digit(a.digit))
                    };
                    format!("{bracket}{}={}", self.cells(&a.cells), self.cells(&b.cells))
                }
                Strong::AlmostLockedSet(set) => both() + &self.cells(set),
            };
            last = Some(b.digit);
        }
        if chain.closed {
            text.push_str("- loop");
        }
        text
    }
}

impl Step {
    /// Returns the result of the step: `r3c4=6` or `r3c7<>5, r12c4<>8`.
    pub fn conclusion(&self, order: Order) -> String {
        Names::with_default_notation(order).conclusion(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_houses_are_combined() {
        let order = Order::NINE;
        let at = |places: &[(usize, usize)]| {
            places.iter().map(|&(r, c)| order.cell(r - 1, c - 1)).collect::<Vec<_>>()
        };
        let (nine, sixteen) =
            (Names::with_default_notation(order), Names::with_default_notation(Order::SIXTEEN));
        assert_eq!(nine.cells(&at(&[(1, 4), (1, 5), (2, 4), (2, 5), (7, 3)])), "r12c45,r7c3");
        assert_eq!(
            sixteen.cells(&[Order::SIXTEEN.cell(0, 1), Order::SIXTEEN.cell(0, 11)]),
            "r1c2.12"
        );
        assert_eq!(nine.houses(&[House::Row(4), House::Box(2), House::Row(1)]), "r25b3");
        assert_eq!(sixteen.houses(&[House::Row(11), House::Row(1)]), "r2.12");
    }

    #[test]
    fn formats_names_in_every_notation() {
        let check = |notation: Notation, expected: [&str; 5]| {
            let names = Names { order: Order::NINE, notation };
            let cell = |row: usize, column: usize| Order::NINE.cell(row - 1, column - 1);
            let names = [
                names.cell(cell(3, 7)),
                names.cell(cell(9, 9)),
                names.cells(&[cell(1, 4), cell(2, 4), cell(2, 5), cell(1, 5)]),
                names.houses(&[House::Row(2), House::Column(6), House::Box(8)]),
                names.house_in_words(House::Column(6)),
            ];
            assert_eq!(names, expected, "{notation:?}");
        };
        check(Notation::RowColumn, ["r3c7", "r9c9", "r12c45", "r3c7b9", "column 7"]);
        check(Notation::Letters, ["G3", "I9", "DE12", "r3cGb9", "column G"]);
        check(Notation::K9, ["C7", "K9", "AB45", "rCc7b9", "column 7"]);
        check(Notation::German, ["z3s7", "z9s9", "z12s45", "z3s7b9", "column 7"]);
        check(Notation::Spanish, ["f3c7", "f9c9", "f12c45", "f3c7b9", "column 7"]);
        let large = Names { order: Order::square(8).unwrap(), notation: Notation::Letters };
        assert_eq!(large.cell(Order::square(8).unwrap().cell(0, 63)), "BL1");
    }

    #[test]
    fn chains_repeat_the_digit_only_when_it_changes() {
        let order = Order::NINE;
        let (six, three) = (Digit::from_index(5), Digit::from_index(2));
        let node = |row: usize, column: usize, digit| Node {
            digit,
            cells: vec![order.cell(row - 1, column - 1)],
        };
        let chain = Chain {
            nodes: vec![node(1, 7, six), node(6, 7, six), node(4, 9, six), node(4, 9, three)],
            strong: vec![
                Strong::OneOf(OneOf::House(House::Column(6), six)),
                Strong::OneOf(OneOf::Cell(order.cell(3, 8))),
            ],
            closed: false,
        };
        assert_eq!(Names::with_default_notation(order).eureka(&chain), "(6)r1c7=r6c7-(6=3)r4c9");
    }
}
