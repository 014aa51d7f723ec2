//! HoDoKu's tables: the consequences of each candidate being on and of it being off.
//!
//! A *statement* says that a candidate, or a group of candidates, is on (true) or off (false).
//! There is one table for each assumed statement. It lists the consequences of the assumption, each
//! with the statement it follows from: first the direct consequences, then the direct consequences
//! of each listed statement, in order, until nothing is new. If a statement is found again with a
//! shorter derivation, the derivation is replaced, but the statement is not moved, and statements
//! derived from it are not updated. Which of several chains HoDoKu finds depends on this order, so
//! it is reproduced here.
//!
//! HoDoKu builds its tables in two ways. For *chains*, the direct consequences are those of single
//! links. For *nets*, they come from making the assumption and filling in singles for four rounds.
//! A single follows from several statements: a naked single, for example, from all other candidates
//! of its cell being off. HoDoKu stores at most five of them for each entry.

use super::singles::{Kind, Singles, cell_in, houses_of};

/// A set of cells.
pub(super) type Cells = u128;

/// A statement as a number: twice the number of a node, plus one if the node is on. A node is a
/// candidate or a group. Candidates are numbered first, cell by cell, then groups.
pub(super) type Node = usize;

/// The number of candidates of a 9×9 grid.
const CANDIDATES: usize = 729;

/// The maximum number of entries of a table, as in HoDoKu.
const MOST_ENTRIES: usize = 1_000;

/// The number of rounds of singles in a net.
const ROUNDS: usize = 4;

/// No entry.
const NOWHERE: u16 = u16::MAX;

/// The statement about a candidate.
pub(super) fn node(cell: usize, digit: usize, is_on: bool) -> Node {
    (cell * 9 + digit) * 2 + usize::from(is_on)
}

/// The candidate of a statement; `None` for a group.
pub(super) fn candidate(node: Node) -> Option<(usize, usize)> {
    (node / 2 < CANDIDATES).then_some((node / 18, node / 2 % 9))
}

/// Whether the node of the statement is on.
pub(super) fn is_on(node: Node) -> bool {
    node % 2 == 1
}

/// The cells of a set in reading order.
pub(super) fn cells_of(set: Cells) -> impl Iterator<Item = usize> {
    std::iter::successors((set != 0).then_some(set), |&rest| {
        Some(rest & (rest - 1)).filter(|&rest| rest != 0)
    })
    .map(|rest| rest.trailing_zeros() as usize)
}

/// The cells of a house.
pub(super) fn house_cells(house: usize) -> Cells {
    (0..9).fold(0, |set, place| set | 1 << cell_in(house, place))
}

/// The cells that see a cell.
pub(super) fn peers_of(cell: usize) -> Cells {
    houses_of(cell).into_iter().fold(0, |set, house| set | house_cells(house)) & !(1 << cell)
}

/// The candidates of a position as sets of cells.
pub(super) struct Grid {
    pub digits: [u16; 81],
    pub cells: [Cells; 9],
    pub peers: [Cells; 81],
    pub houses: [Cells; 27],
    pub groups: Vec<Group>,
}

/// A group: two or three candidates of a digit in the intersection of a box and a line.
pub(super) struct Group {
    pub digit: usize,
    pub cells: Cells,
    pub first: usize,
    /// The cells that see all of them.
    pub peers: Cells,
    line: usize,
    r#box: usize,
}

impl Grid {
    /// Reads a position, with or without groups.
    pub fn new(singles: &Singles, with_groups: bool) -> Grid {
        let digits: [u16; 81] = std::array::from_fn(|cell| singles.digits_at(cell));
        let holding = |digit: usize| (0..81).filter(move |&cell| digits[cell] >> digit & 1 == 1);
        let mut grid = Grid {
            digits,
            cells: std::array::from_fn(|digit| holding(digit).fold(0, |set, cell| set | 1 << cell)),
            peers: std::array::from_fn(peers_of),
            houses: std::array::from_fn(house_cells),
            groups: Vec::new(),
        };
        if with_groups {
            grid.find_groups();
        }
        grid
    }

    fn find_groups(&mut self) {
        for line in 0..18 {
            for digit in 0..9 {
                for r#box in 18..27 {
                    let cells = self.houses[line] & self.houses[r#box] & self.cells[digit];
                    if cells.count_ones() >= 2 {
                        let peers =
                            cells_of(cells).fold(Cells::MAX, |set, cell| set & self.peers[cell]);
                        let first = cells.trailing_zeros() as usize;
                        self.groups.push(Group { digit, cells, first, peers, line, r#box });
                    }
                }
            }
        }
    }

    /// The digit of a statement.
    pub fn digit(&self, node: Node) -> usize {
        candidate(node).map_or_else(|| self.group(node).digit, |(_, digit)| digit)
    }

    /// The cell of a statement; the first one of a group.
    pub fn cell(&self, node: Node) -> usize {
        candidate(node).map_or_else(|| self.group(node).first, |(cell, _)| cell)
    }

    /// All cells of a statement.
    pub fn all_cells(&self, node: Node) -> Cells {
        candidate(node).map_or_else(|| self.group(node).cells, |(cell, _)| 1 << cell)
    }

    /// The cells that see all of them.
    pub fn peers(&self, node: Node) -> Cells {
        candidate(node).map_or_else(|| self.group(node).peers, |(cell, _)| self.peers[cell])
    }

    fn group(&self, node: Node) -> &Group {
        &self.groups[node / 2 - CANDIDATES]
    }

    fn holds(&self, cell: usize, digit: usize) -> bool {
        self.digits[cell] >> digit & 1 == 1
    }

    /// All candidates, cell by cell.
    pub fn candidates(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..81).flat_map(move |cell| {
            (0..9).filter(move |&digit| self.holds(cell, digit)).map(move |digit| (cell, digit))
        })
    }

    fn digits_at(&self, cell: usize) -> impl Iterator<Item = usize> + '_ {
        (0..9).filter(move |&digit| self.holds(cell, digit))
    }
}

/// A statement in a table.
#[derive(Clone, Copy)]
struct Entry {
    node: Node,
    /// The entries it follows from, the latest first. Unused elements are 0, the assumption itself.
    from: [u16; 5],
    distance: u16,
    /// The statement whose table it was copied from, if any.
    through: Option<u16>,
}

/// All consequences of one assumption.
pub(super) struct Table {
    entries: Vec<Entry>,
    /// The number of first entries: the assumption and its direct consequences.
    first: usize,
    /// The index of each statement.
    at: Vec<u16>,
    /// The candidates that are on and off: a set of cells for each digit.
    pub on: [Cells; 9],
    pub off: [Cells; 9],
}

impl Table {
    fn new(nodes: usize) -> Table {
        Table { entries: Vec::new(), first: 0, at: vec![NOWHERE; nodes], on: [0; 9], off: [0; 9] }
    }

    /// Adds a statement unless it is already in the table.
    fn add(&mut self, node: Node, from: [u16; 5]) {
        let is_known = candidate(node).is_some() && self.at[node] != NOWHERE;
        if self.entries.len() >= MOST_ENTRIES || is_known {
            return;
        }
        if let Some((cell, digit)) = candidate(node) {
            let set = if is_on(node) { &mut self.on } else { &mut self.off };
            set[digit] |= 1 << cell;
        }
        let distance = self.entries.get(usize::from(from[0])).map_or(0, |entry| entry.distance) + 1;
        self.at[node] = self.entries.len() as u16;
        self.entries.push(Entry { node, from: latest_first(from), distance, through: None });
    }

    fn add_first(&mut self, node: Node) {
        self.add(node, [0; 5]);
    }

    fn place_of(&self, node: Node) -> usize {
        match self.at[node] {
            NOWHERE => 0,
            place => usize::from(place),
        }
    }

    /// The statements after the assumption, with their distances from it.
    pub fn statements(&self) -> impl Iterator<Item = (Node, u16)> + '_ {
        self.entries.iter().skip(1).map(|entry| (entry.node, entry.distance))
    }
}

/// Moves the largest number to the front by swapping it with each smaller one before it.
fn latest_first(mut from: [u16; 5]) -> [u16; 5] {
    for place in 1..5 {
        if from[place] > from[0] {
            from.swap(0, place);
        }
    }
    from
}

/// All tables, indexed by the assumed statement.
pub(super) struct Tables {
    tables: Vec<Option<Box<Table>>>,
}

impl Tables {
    /// Tables of links.
    pub fn from_links(grid: &Grid) -> Tables {
        let mut tables = Tables::empty(grid);
        for (cell, digit) in grid.candidates() {
            let others: Vec<usize> = grid.digits_at(cell).filter(|&other| other != digit).collect();
            for &other in &others {
                tables.link(node(cell, digit, true), node(cell, other, false));
                if others.len() == 1 {
                    tables.link(node(cell, digit, false), node(cell, other, true));
                }
            }
            for house in houses_of(cell) {
                let places = grid.cells[digit] & grid.houses[house] & !(1 << cell);
                for place in cells_of(places) {
                    tables.link(node(cell, digit, true), node(place, digit, false));
                }
                if places.count_ones() == 1 {
                    tables.link(
                        node(cell, digit, false),
                        node(places.trailing_zeros() as usize, digit, true),
                    );
                }
            }
        }
        tables.complete(grid);
        tables
    }

    /// Tables of nets: consequences of four rounds of singles.
    pub fn from_nets(grid: &Grid, singles: &Singles) -> Tables {
        let mut tables = Tables::empty(grid);
        for (cell, digit) in grid.candidates() {
            for is_on in [true, false] {
                let table = tables.tables[node(cell, digit, is_on)]
                    .take()
                    .expect("every candidate has tables");
                let mut net = Net { grid, singles: singles.clone(), table };
                net.follow(cell, digit, is_on);
                tables.tables[node(cell, digit, is_on)] = Some(net.table);
            }
        }
        tables.complete(grid);
        tables
    }

    fn empty(grid: &Grid) -> Tables {
        let nodes = 2 * (CANDIDATES + grid.groups.len());
        let mut tables: Vec<Option<Box<Table>>> = (0..nodes).map(|_| None).collect();
        let groups = (CANDIDATES..CANDIDATES + grid.groups.len())
            .flat_map(|place| [2 * place, 2 * place + 1]);
        let candidates = grid
            .candidates()
            .flat_map(|(cell, digit)| [node(cell, digit, false), node(cell, digit, true)]);
        for root in candidates.chain(groups) {
            tables[root] = Some(Box::new(Table::new(nodes)));
        }
        Tables { tables }
    }

    /// The table of an assumption, if the candidate exists.
    pub fn get(&self, assumed: Node) -> Option<&Table> {
        self.tables[assumed].as_deref()
    }

    fn at(&mut self, assumed: Node) -> &mut Table {
        let table = self.tables[assumed]
            .as_deref_mut()
            .expect("every candidate and every group has tables");
        if table.entries.is_empty() {
            table.add_first(assumed);
        }
        table
    }

    fn link(&mut self, assumed: Node, follows: Node) {
        self.at(assumed).add_first(follows);
    }

    /// Adds groups, then expands all tables.
    fn complete(&mut self, grid: &Grid) {
        for number in 0..grid.groups.len() {
            self.link_group(grid, number);
        }
        for assumed in 0..self.tables.len() {
            if self.tables[assumed].is_some() {
                let table = self.at(assumed);
                table.first = table.entries.len();
            }
        }
        let roots: Vec<(usize, usize)> = grid.candidates().collect();
        for is_on in [true, false] {
            for &(cell, digit) in &roots {
                self.expand(node(cell, digit, is_on));
            }
        }
    }

    fn link_group(&mut self, grid: &Grid, number: usize) {
        let group = &grid.groups[number];
        let name = |number: usize, is_on: bool| 2 * (CANDIDATES + number) + usize::from(is_on);
        let (on, off) = (name(number, true), name(number, false));
        let seen = grid.cells[group.digit] & group.peers;
        for cell in cells_of(seen) {
            self.link(on, node(cell, group.digit, false));
            self.link(node(cell, group.digit, true), off);
        }
        for house in [group.r#box, group.line] {
            let others = seen & grid.houses[house];
            if others.count_ones() == 1 {
                let other = others.trailing_zeros() as usize;
                self.link(off, node(other, group.digit, true));
                self.link(node(other, group.digit, false), on);
            }
        }
        let is_apart = |other: &Group| other.digit == group.digit && other.cells & group.cells == 0;
        let apart: Vec<usize> =
            (0..grid.groups.len()).filter(|&other| is_apart(&grid.groups[other])).collect();
        for &other in &apart {
            let there = &grid.groups[other];
            for _ in
                0..usize::from(there.line == group.line) + usize::from(there.r#box == group.r#box)
            {
                self.link(on, name(other, false));
            }
        }
        for (is_line, house) in [(true, group.line), (false, group.r#box)] {
            let shares =
                |other: &Group| if is_line { other.line == house } else { other.r#box == house };
            let sharing: Vec<usize> =
                apart.iter().copied().filter(|&other| shares(&grid.groups[other])).collect();
            if let [other] = sharing[..] {
                let rest = grid.houses[house]
                    & grid.cells[group.digit]
                    & !group.cells
                    & !grid.groups[other].cells;
                if rest == 0 {
                    self.link(off, name(other, true));
                }
            }
        }
    }

    fn expand(&mut self, assumed: Node) {
        let mut table = self.tables[assumed].take().expect("every candidate has tables");
        let mut place = 1;
        while place < table.entries.len() && table.entries.len() < MOST_ENTRIES {
            let Entry { node: through, distance: base, .. } = table.entries[place];
            // The table that is being expanded has nothing to add to itself.
            if let Some(source) = self.tables[through].as_deref() {
                for entry in &source.entries[1..source.first] {
                    table.take_over(entry, through, base);
                }
            }
            place += 1;
        }
        self.tables[assumed] = Some(table);
    }

    /// The derivation of a consequence from the assumption, last statement first.
    pub fn way(&self, assumed: Node, to: Node) -> Derivation {
        let table = self.get(assumed).expect("the candidate exists");
        let mut way = Derivation { nodes: vec![to], branches: 0 };
        let mut place = table.place_of(to);
        while place != 0 && way.nodes.len() < MOST_ENTRIES {
            let (mut source, mut there) = (table, place);
            if let Some(through) = table.entries[place].through {
                source = self
                    .get(usize::from(through))
                    .expect("statements are copied from existing tables");
                there = source.place_of(table.entries[place].node);
            }
            loop {
                let from = source.entries[there].from;
                way.branches += from[1..].iter().filter(|&&other| other != 0).count();
                there = usize::from(from[0]);
                way.nodes.push(source.entries[there].node);
                if there == 0 || std::ptr::eq(source, table) || way.nodes.len() >= MOST_ENTRIES {
                    break;
                }
            }
            place = table.place_of(source.entries[there].node);
        }
        way
    }
}

/// The derivation of a statement from an assumption.
pub(super) struct Derivation {
    /// The statements from the conclusion back to the assumption.
    pub nodes: Vec<Node>,
    /// The number of premises besides the first one of each statement. A derivation with none is a
    /// chain, any other a net.
    pub branches: usize,
}

impl Table {
    /// Copies a first entry of another table, reached through a statement of this table.
    fn take_over(&mut self, entry: &Entry, through: Node, base: u16) {
        let distance = base + entry.distance;
        match self.at[entry.node] {
            NOWHERE => {
                if self.entries.len() >= MOST_ENTRIES {
                    return;
                }
                self.add(entry.node, [0; 5]);
                let last = self.entries.last_mut().expect("an entry was just added");
                (last.distance, last.through) = (distance, Some(through as u16));
            }
            known => {
                let known = &mut self.entries[usize::from(known)];
                if known.through.is_some() && known.distance > distance {
                    (known.distance, known.through) = (distance, Some(through as u16));
                }
            }
        }
    }
}

/// A net under construction.
struct Net<'a> {
    grid: &'a Grid,
    singles: Singles,
    table: Box<Table>,
}

impl Net<'_> {
    fn follow(&mut self, cell: usize, digit: usize, is_on: bool) {
        if is_on {
            self.fill(cell, digit, None);
        } else {
            self.singles.remove(cell, digit);
            self.table.add_first(node(cell, digit, false));
            let left = self.singles.digits_at(cell);
            if left.is_power_of_two() {
                self.fill(cell, left.trailing_zeros() as usize, None);
            }
        }
        for _ in 0..ROUNDS {
            for (kind, cell, digit) in self.singles.all() {
                self.fill(cell, digit, Some(kind));
            }
        }
    }

    /// Fills a cell because of a single or as the assumption.
    fn fill(&mut self, cell: usize, digit: usize, reason: Option<Kind>) {
        let seen = self.grid.cells[digit] & self.grid.peers[cell];
        let left = self.singles.digits_at(cell);
        let from = match reason {
            None => [0; 5],
            Some(Kind::Hidden) => {
                let house = self.singles.smallest_house(cell, digit);
                let places = self.grid.cells[digit] & self.grid.houses[house] & !(1 << cell);
                self.places(cells_of(places).map(|place| node(place, digit, false)))
            }
            Some(_) => {
                let others = self.grid.digits_at(cell).filter(|&other| other != digit);
                self.places(others.map(|other| node(cell, other, false)))
            }
        };
        if self.singles.value_of(cell) != Some(digit) {
            self.singles.fill(cell, digit);
        }
        let here = [self.table.entries.len() as u16, 0, 0, 0, 0];
        self.table.add(node(cell, digit, true), from);
        for peer in cells_of(seen) {
            self.table.add(node(peer, digit, false), here);
        }
        for other in (0..9).filter(|&other| other != digit && left >> other & 1 == 1) {
            self.table.add(node(cell, other, false), here);
        }
    }

    /// The indices of the first five of these statements.
    fn places(&self, nodes: impl Iterator<Item = Node>) -> [u16; 5] {
        let mut from = [0; 5];
        for (place, node) in from.iter_mut().zip(nodes) {
            *place = self.table.place_of(node) as u16;
        }
        from
    }
}
