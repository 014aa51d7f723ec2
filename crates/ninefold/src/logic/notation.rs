//! Short names: `r3c7`, `r12c45`, `r3c7<>5`, and Eureka for chains.

use super::step::{Candidate, Chain, Node, OneOf, Step, Strong};
use crate::grid::{Cell, Digit, DigitSet, House, Order, text};

/// A digit as the grid writes it.
pub fn digit(order: Order, digit: Digit) -> String {
    text::symbol(order, digit)
}

/// Digits one after the other: `159`; with commas where a digit has two characters.
pub fn digits(order: Order, set: DigitSet) -> String {
    let separator = if order.side() > 35 { "," } else { "" };
    set.map(|d| digit(order, d)).collect::<Vec<_>>().join(separator)
}

/// Digits as a person lists them: `1, 5 and 9`.
pub fn digits_in_words(order: Order, set: DigitSet) -> String {
    in_words(&set.map(|d| digit(order, d)).collect::<Vec<_>>(), "and")
}

/// Things as a person lists them: `a, b and c`.
pub fn in_words(items: &[String], last: &str) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., end] => format!("{} {last} {end}", first.join(", ")),
    }
}

/// The short name of a house: `r3`, `c1`, `b9`.
pub fn house(house: House) -> String {
    match house {
        House::Row(number) => format!("r{}", number + 1),
        House::Column(number) => format!("c{}", number + 1),
        House::Box(number) => format!("b{}", number + 1),
    }
}

/// Houses, those of one sort joined: `r25b3`.
pub fn houses(order: Order, houses: &[House]) -> String {
    let separator = if order.side() > 9 { "." } else { "" };
    let mut sorted = houses.to_vec();
    sorted.sort_unstable();
    let mut text = String::new();
    for (index, &one) in sorted.iter().enumerate() {
        let short = house(one);
        let joined = index > 0 && house(sorted[index - 1])[..1] == short[..1];
        text += &if joined { format!("{separator}{}", &short[1..]) } else { short };
    }
    text
}

/// Cells, those of one row or column joined: `r12c5,r7c38`.
///
/// Rows with the same columns are written as one block. Numbers above 9 are set apart by points, `r1.12c5`.
pub fn cells(order: Order, cells: &[Cell]) -> String {
    let mut blocks: Vec<(Vec<usize>, Vec<usize>)> = Vec::new();
    for row in 0..order.side() {
        let in_row = |cell: &&Cell| order.row_of(**cell) == row;
        let mut columns: Vec<usize> = cells.iter().filter(in_row).map(|&cell| order.column_of(cell)).collect();
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
    let separator = if order.side() > 9 { "." } else { "" };
    let join =
        |numbers: &[usize]| numbers.iter().map(|number| (number + 1).to_string()).collect::<Vec<_>>().join(separator);
    blocks.iter().map(|(rows, columns)| format!("r{}c{}", join(rows), join(columns))).collect::<Vec<_>>().join(",")
}

/// Candidates that go out, digit by digit: `r3c7<>5, r12c4<>8`.
pub fn removals(order: Order, removes: &[Candidate]) -> String {
    let all: DigitSet = removes.iter().map(|candidate| candidate.digit).collect();
    let one = |d: Digit| {
        let of_digit: Vec<Cell> = removes.iter().filter(|c| c.digit == d).map(|c| c.cell).collect();
        format!("{}<>{}", cells(order, &of_digit), digit(order, d))
    };
    all.map(one).collect::<Vec<_>>().join(", ")
}

impl Step {
    /// What follows, in short: `r3c4=6` or `r3c7<>5, r12c4<>8`.
    pub fn conclusion(&self, order: Order) -> String {
        let places = self.places.iter().map(|p| format!("{}={}", order.name_of(p.cell), digit(order, p.digit)));
        let removes = (!self.removes.is_empty()).then(|| removals(order, &self.removes));
        places.chain(removes).collect::<Vec<_>>().join(", ")
    }
}

/// A node in Eureka notation: `(6)r1c78`.
pub fn node(order: Order, node: &Node) -> String {
    format!("({}){}", digit(order, node.digit), cells(order, &node.cells))
}

/// A chain in Eureka notation: `(6)r1c7=r6c7-(6=3)r4c9`, `=` for strong links, `-` for weak ones.
///
/// The digit is written when it changes; two digits of one cell share a bracket.
pub fn eureka(order: Order, chain: &Chain) -> String {
    let mut text = String::new();
    let mut last: Option<Digit> = None;
    for (pair, reason) in chain.nodes.chunks(2).zip(&chain.strong) {
        if !text.is_empty() {
            text.push('-');
        }
        let (a, b) = (&pair[0], &pair[1]);
        match reason {
            Strong::OneOf(OneOf::Cell(cell)) => {
                let name = order.name_of(*cell);
                text.push_str(&format!("({}={}){name}", digit(order, a.digit), digit(order, b.digit)));
            }
            Strong::OneOf(OneOf::House(..)) => {
                let bracket =
                    if last == Some(a.digit) { String::new() } else { format!("({})", digit(order, a.digit)) };
                text.push_str(&format!("{bracket}{}={}", cells(order, &a.cells), cells(order, &b.cells)));
            }
            Strong::AlmostLockedSet(set) => {
                let (a, b) = (digit(order, a.digit), digit(order, b.digit));
                text.push_str(&format!("({a}={b}){}", cells(order, set)));
            }
        }
        last = Some(b.digit);
    }
    if chain.closed {
        text.push_str("- loop");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_and_houses_are_joined_as_people_join_them() {
        let order = Order::NINE;
        let at = |places: &[(usize, usize)]| places.iter().map(|&(r, c)| order.cell(r - 1, c - 1)).collect::<Vec<_>>();
        assert_eq!(cells(order, &at(&[(1, 4), (1, 5), (2, 4), (2, 5), (7, 3)])), "r12c45,r7c3");
        assert_eq!(cells(Order::SIXTEEN, &[Order::SIXTEEN.cell(0, 1), Order::SIXTEEN.cell(0, 11)]), "r1c2.12");
        assert_eq!(houses(order, &[House::Row(4), House::Box(2), House::Row(1)]), "r25b3");
        assert_eq!(houses(Order::SIXTEEN, &[House::Row(11), House::Row(1)]), "r2.12");
    }

    #[test]
    fn a_chain_names_a_digit_when_it_changes() {
        let order = Order::NINE;
        let (six, three) = (Digit::from_index(5), Digit::from_index(2));
        let node = |row: usize, column: usize, digit| Node { digit, cells: vec![order.cell(row - 1, column - 1)] };
        let chain = Chain {
            nodes: vec![node(1, 7, six), node(6, 7, six), node(4, 9, six), node(4, 9, three)],
            strong: vec![
                Strong::OneOf(OneOf::House(House::Column(6), six)),
                Strong::OneOf(OneOf::Cell(order.cell(3, 8))),
            ],
            closed: false,
        };
        assert_eq!(eureka(order, &chain), "(6)r1c7=r6c7-(6=3)r4c9");
    }
}
