//! Forcing chains and nets from HoDoKu's tables, and HoDoKu's choice among them.
//!
//! An assumption that leads to a contradiction is false. A statement that follows both from an
//! assumption and from its opposite is true, and so is one that follows from every candidate of a
//! cell or from every place of a digit in a house. If any conclusion fills a cell, HoDoKu chooses
//! the first of these in reading order, otherwise the first removal.

use super::singles::Singles;
use super::tables::{Cells, Grid, Node, Table, Tables, candidate, cells_of, is_on, node, peers_of};

/// The conclusion that HoDoKu chooses, from chains or from nets.
pub(super) fn find(singles: &Singles, by_nets: bool) -> Option<Node> {
    let grid = Grid::new(singles, true);
    let tables =
        if by_nets { Tables::from_nets(&grid, singles) } else { Tables::from_links(&grid) };
    let mut search = Search { allowed: allowed(singles), grid, tables, by_nets, best: None };
    let roots: Vec<(usize, usize)> = search.grid.candidates().collect();
    for &(cell, digit) in &roots {
        search.refute(node(cell, digit, true));
        search.refute(node(cell, digit, false));
    }
    for &(cell, digit) in &roots {
        let own = node(cell, digit, true);
        search.agree(&[own, own ^ 1], 1 << cell);
    }
    search.agree_in_cells_and_houses();
    search.best
}

/// The places of each digit that filled cells allow, regardless of removed candidates.
fn allowed(singles: &Singles) -> [Cells; 9] {
    let mut allowed = [0; 9];
    for cell in (0..81).filter(|&cell| singles.value_of(cell).is_none()) {
        let values = cells_of(peers_of(cell)).filter_map(|peer| singles.value_of(peer));
        let used = values.fold(0_u16, |set, digit| set | 1 << digit);
        (0..9).filter(|digit| used >> digit & 1 == 0).for_each(|digit| allowed[digit] |= 1 << cell);
    }
    allowed
}

struct Search {
    grid: Grid,
    allowed: [Cells; 9],
    tables: Tables,
    by_nets: bool,
    best: Option<Node>,
}

impl Search {
    /// Keeps a conclusion if it is better than the best one so far. If nets are required, its
    /// derivation must be a net.
    fn conclude(&mut self, conclusion: Node, ways: &[(Node, Node)]) {
        let rank = |node: Node| (!is_on(node), node / 2);
        if self.best.is_some_and(|best| rank(best) <= rank(conclusion)) {
            return;
        }
        let is_net = || ways.iter().any(|&(assumed, to)| self.tables.way(assumed, to).branches > 0);
        if !self.by_nets || is_net() {
            self.best = Some(conclusion);
        }
    }

    /// Concludes the opposite of an assumption that leads to a contradiction.
    fn refute(&mut self, assumed: Node) {
        for contradiction in self.contradictions(assumed) {
            let ways: Vec<(Node, Node)> =
                contradiction.into_iter().map(|to| (assumed, to)).collect();
            self.conclude(assumed ^ 1, &ways);
        }
    }

    /// The statements of each contradiction.
    fn contradictions(&self, assumed: Node) -> Vec<Vec<Node>> {
        let table = self.tables.get(assumed).expect("the candidate exists");
        let (cell, digit) = candidate(assumed).expect("the assumption is a candidate");
        let mut found = Vec::new();
        let opposite = if is_on(assumed) { &table.off } else { &table.on };
        if opposite[digit] >> cell & 1 == 1 {
            found.push(vec![assumed ^ 1]);
        }
        for digit in 0..9 {
            if let Some(cell) = cells_of(table.on[digit] & table.off[digit]).next() {
                found.push(vec![node(cell, digit, false), node(cell, digit, true)]);
            }
        }
        for one in 0..9 {
            for other in one + 1..9 {
                if let Some(cell) = cells_of(table.on[one] & table.on[other]).next() {
                    found.push(vec![node(cell, one, true), node(cell, other, true)]);
                }
            }
        }
        self.crowded_houses(table, &mut found);
        self.empty_cells(table, &mut found);
        self.empty_houses(table, &mut found);
        found
    }

    fn crowded_houses(&self, table: &Table, found: &mut Vec<Vec<Node>>) {
        for digit in 0..9 {
            let crowds = self.grid.houses.iter().map(|house| house & table.on[digit]);
            let crowds = crowds.filter(|cells| cells.count_ones() > 1);
            found.extend(
                crowds.map(|cells| cells_of(cells).map(|cell| node(cell, digit, true)).collect()),
            );
        }
    }

    fn empty_cells(&self, table: &Table, found: &mut Vec<Vec<Node>>) {
        for cell in 0..81 {
            let digits = (0..9).filter(|&digit| self.grid.digits[cell] >> digit & 1 == 1);
            let is_off = |digit: usize| table.off[digit] >> cell & 1 == 1;
            let is_on = (0..9).any(|digit| table.on[digit] >> cell & 1 == 1);
            if self.grid.digits[cell] != 0 && !is_on && digits.clone().all(is_off) {
                found.push(digits.map(|digit| node(cell, digit, false)).collect());
            }
        }
    }

    fn empty_houses(&self, table: &Table, found: &mut Vec<Vec<Node>>) {
        for digit in 0..9 {
            let places = self.grid.houses.iter().map(|house| house & self.allowed[digit]);
            let empty = places.filter(|&cells| cells != 0 && cells & !table.off[digit] == 0);
            found.extend(
                empty.map(|cells| cells_of(cells).map(|cell| node(cell, digit, false)).collect()),
            );
        }
    }

    /// Concludes what follows from all these assumptions, one of which is true. Some cells are left
    /// out.
    fn agree(&mut self, assumed: &[Node], left_out: Cells) {
        for digit in 0..9 {
            for is_on in [true, false] {
                let sets = assumed.iter().map(|&one| {
                    let table = self.tables.get(one).expect("the candidate exists");
                    if is_on { table.on[digit] } else { table.off[digit] }
                });
                let shared = sets.fold(!left_out, |all, set| all & set);
                for cell in cells_of(shared & ((1 << 81) - 1)) {
                    let conclusion = node(cell, digit, is_on);
                    let ways: Vec<(Node, Node)> =
                        assumed.iter().map(|&one| (one, conclusion)).collect();
                    self.conclude(conclusion, &ways);
                }
            }
        }
    }

    fn agree_in_cells_and_houses(&mut self) {
        let mut cases: Vec<Vec<Node>> = Vec::new();
        for cell in (0..81).filter(|&cell| self.grid.digits[cell] != 0) {
            let digits = (0..9).filter(|&digit| self.grid.digits[cell] >> digit & 1 == 1);
            cases.push(digits.map(|digit| node(cell, digit, true)).collect());
        }
        for house in self.grid.houses {
            for digit in 0..9 {
                cases.push(
                    cells_of(house & self.grid.cells[digit])
                        .map(|cell| node(cell, digit, true))
                        .collect(),
                );
            }
        }
        cases.iter().filter(|case| !case.is_empty()).for_each(|case| self.agree(case, 0));
    }
}
