//! Canonical form: one representative of all symmetric images of a puzzle.
//!
//! Among all images of a grid, the canonical form is chosen by a rule that depends only on
//! properties that symmetries preserve. Two grids are therefore images of each other exactly if
//! their canonical forms are equal.
//!
//! The rule is a small version of nauty (McKay 1981):
//! 1. Rows, columns and digits are coloured. Lines or digits with different properties (number of
//!    clues, colours of their neighbours) get different colours. This refinement is repeated until
//!    no colour splits.
//! 2. While two rows or two columns have the same colour, one item of a shared colour is
//!    individualised: it gets its own colour, and the colours are refined again. Trying each item
//!    gives a search tree.
//! 3. At a leaf, every row and column has its own colour. Writing the grid in the order of the
//!    colours, with digits numbered by first occurrence, gives a candidate form. The leaf with the
//!    smallest sequence of colours on its path, then with the smallest grid, is the canonical form.
//!
//! Two kinds of pruning make the search fast. A path is abandoned as soon as its colours compare
//! larger than those of the best path. If two leaves give the same grid, this shows a symmetry of
//! the grid itself. Only one of the branches that this symmetry maps onto each other is searched.
//!
//! In complete grids, all lines have the same number of clues, so the initial colours use another
//! property: two rows, two columns or two digits define a permutation, and its cycle lengths are
//! the same for all images.

use crate::grid::{Digit, Grid, Order, Symmetry};

/// The canonical form of a grid, and a symmetry that maps the grid to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canonical {
    /// The canonical form, which is the same for all images of the grid.
    pub form: Grid,
    /// A symmetry that maps the grid to its canonical form.
    pub symmetry: Symmetry,
}

/// Returns the canonical form of a puzzle or a complete grid of any size.
///
/// ```
/// use ninefold::grid::{Grid, Symmetry};
/// use ninefold::puzzles::canonical;
/// use ninefold::random::Random;
///
/// let puzzle: Grid = "1..4..1..3..4..3".parse()?;
/// let image = Symmetry::random(puzzle.order(), &mut Random::new(7)).image(&puzzle);
/// assert_eq!(canonical(&puzzle).form, canonical(&image).form);
/// # Ok::<(), ninefold::grid::ParseGridError>(())
/// ```
///
/// # Panics
/// If the grid has rules of its own, because canonical forms are defined for classic Sudoku.
#[must_use]
pub fn canonical(grid: &Grid) -> Canonical {
    grid.require_classic("canonical forms are").expect("a classic grid");
    let upright = View::new(grid, false);
    let mut search = Search::default();
    let root = upright.root();
    if Symmetry::may_mirror(grid.order()) {
        let mirrored = View::new(grid, true);
        let other_root = mirrored.root();
        if other_root.1 < root.1 {
            search.run(&mirrored, other_root);
        } else {
            search.run(&upright, root);
            if other_root.1 == root.1 {
                search.run(&mirrored, other_root);
            }
        }
    } else {
        search.run(&upright, root);
    }
    let leaf = search.best.expect("the search reaches a leaf");
    leaf.into_canonical(grid.order())
}

impl Canonical {
    /// A hash of the canonical form. It is equal for all images; collisions are practically
    /// impossible.
    #[must_use]
    pub fn fingerprint(&self) -> u128 {
        let order = (self.form.order().box_rows() * MOST + self.form.order().box_columns()) as u64;
        let hash = |start: u64| {
            self.form.numbers().fold(mix(start ^ order), |hash, n| mix(hash ^ u64::from(n)))
        };
        u128::from(hash(1)) << 64 | u128::from(hash(2))
    }
}

const MOST: usize = Order::MAX_SIDE;

/// The colours of all rows, columns and digits.
#[derive(Clone, Copy)]
struct Colours {
    rows: [u8; MOST],
    columns: [u8; MOST],
    digits: [u8; MOST],
}

/// A row, a column or a digit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Item {
    Row(u8),
    Column(u8),
    Digit(u8),
}

/// The grid, or the grid mirrored along its diagonal.
struct View {
    order: Order,
    mirrored: bool,
    /// Row, column and digit index of each filled cell.
    clues: Vec<(u8, u8, u8)>,
    /// Digit indices in reading order, [`EMPTY`] for an empty cell.
    cells: Vec<u8>,
    /// Whether each digit occurs at least once.
    is_placed: [bool; MOST],
}

const EMPTY: u8 = u8::MAX;

impl View {
    fn new(grid: &Grid, mirrored: bool) -> View {
        let order = grid.order();
        let side = order.side();
        let mut view = View {
            order,
            mirrored,
            clues: Vec::new(),
            cells: vec![EMPTY; side * side],
            is_placed: [false; MOST],
        };
        for (cell, digit) in grid.clues() {
            let (row, column) = (order.row_of(cell), order.column_of(cell));
            let (row, column) = if mirrored { (column, row) } else { (row, column) };
            view.clues.push((row as u8, column as u8, digit.index() as u8));
            view.cells[row * side + column] = digit.index() as u8;
            view.is_placed[digit.index()] = true;
        }
        view
    }

    /// The initial colours and their trace.
    fn root(&self) -> (Colours, u64) {
        let mut colours = Colours { rows: [0; MOST], columns: [0; MOST], digits: [0; MOST] };
        let mut trace = 0;
        if self.clues.len() == self.cells.len() {
            let (rows, columns, digits) = self.cycles();
            trace = split(&mut colours.rows, &rows)
                ^ split(&mut colours.columns, &columns).rotate_left(1);
            trace ^= split(&mut colours.digits, &digits).rotate_left(2);
        }
        let refined = self.refine(&mut colours);
        (colours, mix(trace).wrapping_add(refined))
    }

    /// Refines colours until no colour splits. Returns a trace that is the same for all images.
    fn refine(&self, colours: &mut Colours) -> u64 {
        let side = self.order.side();
        let mut trace = 0u64;
        let mut classes = 0;
        loop {
            let mut rows = [0u64; MOST];
            let mut columns = [0u64; MOST];
            let mut digits = [0u64; MOST];
            for &(row, column, digit) in &self.clues {
                let (row, column, digit) =
                    (usize::from(row), usize::from(column), usize::from(digit));
                let of_row = KEYS[usize::from(colours.rows[row])];
                let of_column = KEYS[MOST + usize::from(colours.columns[column])];
                let of_digit = KEYS[2 * MOST + usize::from(colours.digits[digit])];
                rows[row] = rows[row].wrapping_add(blend(of_column, of_digit));
                columns[column] = columns[column].wrapping_add(blend(of_digit, of_row));
                digits[digit] = digits[digit].wrapping_add(blend(of_row, of_column));
            }
            let rows = with_groups(&rows[..side], &colours.rows, self.order.box_rows());
            let columns = with_groups(&columns[..side], &colours.columns, self.order.box_columns());
            let seen = [
                split(&mut colours.rows, &rows[..side]),
                split(&mut colours.columns, &columns[..side]),
                split(&mut colours.digits, &digits[..side]),
            ];
            trace = seen.into_iter().fold(trace, |trace, part| mix(trace ^ part));
            let now = class_count(&colours.rows[..side])
                + class_count(&colours.columns[..side])
                + class_count(&colours.digits[..side]);
            if now == classes {
                return trace;
            }
            classes = now;
        }
    }

    /// For complete grids: keys from the cycles between two rows, two columns or two digits.
    fn cycles(&self) -> (Vec<u64>, Vec<u64>, Vec<u64>) {
        let side = self.order.side();
        // Each table contains the values of each line by position. Positions are shared by all
        // lines.
        let at = |row: usize, column: usize| usize::from(self.cells[row * side + column]);
        let mut by_row = vec![0; side * side];
        let mut by_column = vec![0; side * side];
        let mut by_digit = vec![0; side * side];
        for row in 0..side {
            for column in 0..side {
                let digit = at(row, column);
                by_row[row * side + column] = digit;
                by_column[column * side + row] = digit;
                by_digit[digit * side + row] = column;
            }
        }
        (
            cycle_keys(&by_row, side, self.order.box_rows()),
            cycle_keys(&by_column, side, self.order.box_columns()),
            cycle_keys(&by_digit, side, side),
        )
    }

    /// The items of one shared colour: of the kind of items with the fewest colours (rows before
    /// columns before digits), the smallest class. `None` if each row and each column has its own
    /// colour.
    ///
    /// Rejected alternative: the smallest class of any kind. In a regular complete grid it
    /// individualises all rows before the first column, and nothing splits until then: a 16×16 grid
    /// took minutes.
    fn target(&self, colours: &Colours) -> Option<Vec<Item>> {
        let side = self.order.side();
        let (rows, row_colours) = smallest_class(&colours.rows[..side], |_| true);
        let (columns, column_colours) = smallest_class(&colours.columns[..side], |_| true);
        if rows.is_empty() && columns.is_empty() {
            return None;
        }
        let (digits, digit_colours) =
            smallest_class(&colours.digits[..side], |digit| self.is_placed[digit]);
        let kinds = [
            (row_colours, rows.into_iter().map(Item::Row).collect::<Vec<_>>()),
            (column_colours, columns.into_iter().map(Item::Column).collect()),
            (digit_colours, digits.into_iter().map(Item::Digit).collect()),
        ];
        kinds
            .into_iter()
            .filter(|(_, class)| !class.is_empty())
            .min_by_key(|&(count, _)| count)
            .map(|(_, class)| class)
    }

    /// Writes the grid in the order of the colours.
    fn leaf(&self, colours: &Colours, path: &[Item]) -> Leaf {
        let side = self.order.side();
        let rows = lines_in_order(&colours.rows[..side], self.order.box_rows());
        let columns = lines_in_order(&colours.columns[..side], self.order.box_columns());
        let mut names = [EMPTY; MOST];
        let mut next = 0;
        let mut form = Vec::with_capacity(side * side);
        for &row in &rows {
            for &column in &columns {
                let digit = self.cells[usize::from(row) * side + usize::from(column)];
                if digit == EMPTY {
                    form.push(0);
                    continue;
                }
                let name = &mut names[usize::from(digit)];
                if *name == EMPTY {
                    *name = next;
                    next += 1;
                }
                form.push(*name + 1);
            }
        }
        for name in names[..side].iter_mut().filter(|name| **name == EMPTY) {
            *name = next;
            next += 1;
        }
        Leaf {
            mirrored: self.mirrored,
            form,
            rows,
            columns,
            digits: names[..side].to_vec(),
            path: path.to_vec(),
        }
    }
}

/// A leaf of the search tree: a complete arrangement of the grid.
struct Leaf {
    mirrored: bool,
    form: Vec<u8>,
    rows: Vec<u8>,
    columns: Vec<u8>,
    digits: Vec<u8>,
    /// The individualised items on the path.
    path: Vec<Item>,
}

impl Leaf {
    fn into_canonical(self, order: Order) -> Canonical {
        let form = Grid::from_numbers(order, &self.form).expect("a canonical form is a valid grid");
        let places = |lines: Vec<u8>| lines.into_iter().map(usize::from).collect();
        let names =
            self.digits.into_iter().map(|name| Digit::from_index(usize::from(name))).collect();
        let symmetry =
            Symmetry::new(order, self.mirrored, places(self.rows), places(self.columns), names)
                .expect("colours keep bands and stacks together");
        Canonical { form, symmetry }
    }

    /// The automorphism of the grid shown by two leaves with equal forms: each item is mapped to
    /// the one at the same position.
    fn automorphism_to(&self, other: &Leaf) -> Automorphism {
        let pair = |from: &[u8], to: &[u8]| {
            let mut image = [0; MOST];
            for (&from, &to) in from.iter().zip(to) {
                image[usize::from(from)] = to;
            }
            image
        };
        let holders = |names: &[u8]| {
            let mut holder = vec![0; names.len()];
            for (digit, &name) in names.iter().enumerate() {
                holder[usize::from(name)] = digit as u8;
            }
            holder
        };
        Automorphism {
            rows: pair(&self.rows, &other.rows),
            columns: pair(&self.columns, &other.columns),
            digits: pair(&holders(&self.digits), &holders(&other.digits)),
        }
    }
}

struct Automorphism {
    rows: [u8; MOST],
    columns: [u8; MOST],
    digits: [u8; MOST],
}

impl Automorphism {
    fn image(&self, item: Item) -> Item {
        match item {
            Item::Row(row) => Item::Row(self.rows[usize::from(row)]),
            Item::Column(column) => Item::Column(self.columns[usize::from(column)]),
            Item::Digit(digit) => Item::Digit(self.digits[usize::from(digit)]),
        }
    }
}

/// The search through the tree of colourings.
#[derive(Default)]
struct Search {
    best: Option<Leaf>,
    /// The traces on the path to the best leaf.
    best_traces: Vec<u64>,
    path: Vec<Item>,
    /// Automorphisms of the current view.
    automorphisms: Vec<Automorphism>,
}

/// The depth of the node to return to, if the remaining subtree is known.
type Back = Option<usize>;

impl Search {
    fn run(&mut self, view: &View, (colours, trace): (Colours, u64)) {
        self.path.clear();
        self.automorphisms.clear();
        self.node(view, colours, trace);
    }

    fn node(&mut self, view: &View, colours: Colours, trace: u64) -> Back {
        let depth = self.path.len();
        match self.best_traces.get(depth) {
            Some(&best) if trace > best => return None,
            Some(&best) if trace == best => {}
            _ => {
                self.best_traces.truncate(depth);
                self.best_traces.push(trace);
                self.best = None;
            }
        }
        let Some(members) = view.target(&colours) else {
            return self.leaf(view, &colours);
        };
        let mut tried: Vec<Item> = Vec::with_capacity(members.len());
        for item in members {
            if self.is_image_of_one(item, &tried) {
                continue;
            }
            tried.push(item);
            let mut child = colours;
            set_apart(&mut child, item);
            let trace = view.refine(&mut child);
            self.path.push(item);
            let back = self.node(view, child, trace);
            self.path.pop();
            if back.is_some_and(|ancestor| ancestor < depth) {
                return back;
            }
        }
        None
    }

    fn leaf(&mut self, view: &View, colours: &Colours) -> Back {
        let leaf = view.leaf(colours, &self.path);
        let Some(best) = &self.best else {
            self.best = Some(leaf);
            return None;
        };
        if leaf.form < best.form {
            self.best = Some(leaf);
            return None;
        }
        if leaf.form > best.form {
            return None;
        }
        if leaf.mirrored != best.mirrored {
            return Some(0); // The mirrored grid is an image of the upright one: all of its forms are known.
        }
        let common =
            leaf.path.iter().zip(&best.path).take_while(|(ours, theirs)| ours == theirs).count();
        self.automorphisms.push(best.automorphism_to(&leaf));
        Some(common)
    }

    /// Whether a known automorphism that fixes the path maps one of the tried items to this one.
    fn is_image_of_one(&self, item: Item, tried: &[Item]) -> bool {
        let fixing: Vec<&Automorphism> = self
            .automorphisms
            .iter()
            .filter(|automorphism| {
                self.path.iter().all(|&fixed| automorphism.image(fixed) == fixed)
            })
            .collect();
        if fixing.is_empty() || tried.is_empty() {
            return false;
        }
        let mut orbit = vec![item];
        let mut next = 0;
        while let Some(&member) = orbit.get(next) {
            next += 1;
            for automorphism in &fixing {
                let image = automorphism.image(member);
                if !orbit.contains(&image) {
                    orbit.push(image);
                }
            }
        }
        tried.iter().any(|other| orbit.contains(other))
    }
}

/// Individualises an item: gives it a colour before the others of its class.
fn set_apart(colours: &mut Colours, item: Item) {
    let (all, chosen) = match item {
        Item::Row(row) => (&mut colours.rows, row),
        Item::Column(column) => (&mut colours.columns, column),
        Item::Digit(digit) => (&mut colours.digits, digit),
    };
    // A colour is the number of items with smaller colours, so the others of the class increase by
    // one.
    let colour = all[usize::from(chosen)];
    for (index, other) in all.iter_mut().enumerate() {
        if *other == colour && index != usize::from(chosen) {
            *other += 1;
        }
    }
}

/// Splits colours by keys. A colour is the number of items with smaller colours, so colours that do
/// not split keep their number. Returns a hash of all keys in the order of the colours.
fn split(colours: &mut [u8; MOST], keys: &[u64]) -> u64 {
    let mut sorted = [(0u8, 0u64, 0u8); MOST];
    let sorted = &mut sorted[..keys.len()];
    for (index, &key) in keys.iter().enumerate() {
        sorted[index] = (colours[index], key, index as u8);
    }
    sorted.sort_unstable();
    let mut trace = 0;
    let mut first = 0;
    for place in 0..sorted.len() {
        let (colour, key, index) = sorted[place];
        if (colour, key) != (sorted[first].0, sorted[first].1) {
            first = place;
        }
        colours[usize::from(index)] = first as u8;
        trace = blend(trace, key).wrapping_add(first as u64);
    }
    trace
}

/// Adds a hash of the complete band or stack to the key of each line.
fn with_groups(keys: &[u64], colours: &[u8; MOST], group: usize) -> [u64; MOST] {
    let mut all = [0; MOST];
    for (number, lines) in keys.chunks(group).enumerate() {
        let first = number * group;
        let whole = lines.iter().enumerate().fold(0u64, |sum, (place, &key)| {
            sum.wrapping_add(blend(key, KEYS[usize::from(colours[first + place])]))
        });
        for (place, &key) in lines.iter().enumerate() {
            all[first + place] = blend(key, whole);
        }
    }
    all
}

/// A key for each line: a hash of the cycle lengths between it and every other line. Lines of the
/// same band or stack are hashed separately.
fn cycle_keys(lines: &[usize], side: usize, group: usize) -> Vec<u64> {
    let mut keys = vec![0u64; side];
    let mut follower = vec![0; side];
    for first in 0..side {
        for second in first + 1..side {
            for place in 0..side {
                follower[lines[first * side + place]] = lines[second * side + place];
            }
            let mut met = 0u64;
            let mut key = 0u64;
            for start in 0..side {
                let (mut length, mut at) = (0, start);
                while met >> at & 1 == 0 {
                    met |= 1 << at;
                    at = follower[at];
                    length += 1;
                }
                key = key.wrapping_add(KEYS[length] * (length > 0) as u64);
            }
            let key = mix(key ^ (first / group == second / group) as u64);
            keys[first] = keys[first].wrapping_add(key);
            keys[second] = keys[second].wrapping_add(key);
        }
    }
    keys
}

fn class_count(colours: &[u8]) -> u32 {
    colours.iter().fold(0u64, |seen, &colour| seen | 1 << colour).count_ones()
}

/// The items of the smallest shared colour among eligible items (empty if there is none), and the
/// number of colours of eligible items.
fn smallest_class(colours: &[u8], is_eligible: impl Fn(usize) -> bool) -> (Vec<u8>, usize) {
    let mut counts = [0u8; MOST];
    for (_, &colour) in colours.iter().enumerate().filter(|&(index, _)| is_eligible(index)) {
        counts[usize::from(colour)] += 1;
    }
    let colour_count = counts.iter().filter(|&&count| count > 0).count();
    let shared = (0..colours.len()).filter(|&colour| counts[colour] > 1);
    let Some(smallest) = shared.min_by_key(|&colour| counts[colour]) else {
        return (Vec::new(), colour_count);
    };
    let members = (0..colours.len())
        .filter(|&index| usize::from(colours[index]) == smallest && is_eligible(index))
        .map(|index| index as u8)
        .collect();
    (members, colour_count)
}

/// The lines in the order of their colours. Bands or stacks are kept together and ordered by their
/// first line.
fn lines_in_order(colours: &[u8], group: usize) -> Vec<u8> {
    let first_of = |number: usize| colours[number * group..(number + 1) * group].iter().min();
    let mut groups: Vec<usize> = (0..colours.len() / group).collect();
    groups.sort_unstable_by_key(|&number| first_of(number));
    let mut all = Vec::with_capacity(colours.len());
    for number in groups {
        let start = all.len();
        all.extend((number * group..(number + 1) * group).map(|line| line as u8));
        all[start..].sort_unstable_by_key(|&line| colours[usize::from(line)]);
    }
    all
}

/// Fixed random numbers for the colours of each kind.
static KEYS: [u64; 3 * MOST] = {
    let mut keys = [0; 3 * MOST];
    let mut index = 0;
    while index < keys.len() {
        keys[index] = mix((index as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        index += 1;
    }
    keys
};

const fn mix(bits: u64) -> u64 {
    let bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

/// A hash of an ordered pair.
#[inline]
fn blend(first: u64, second: u64) -> u64 {
    let bits = first.wrapping_add(second.rotate_left(23)).wrapping_mul(0x9FB2_1C65_1E98_DF25);
    bits ^ (bits >> 29)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::search::{Limits, Solver, backtrack::Backtrack};
    use std::collections::{HashMap, HashSet};
    use std::ops::ControlFlow;

    /// Checks that images have the same form and that the returned symmetry maps to it.
    fn check(grid: &Grid, images: usize, random: &mut Random) {
        let own = canonical(grid);
        assert_eq!(own.symmetry.image(grid), own.form);
        for _ in 0..images {
            let image = Symmetry::random(grid.order(), random).image(grid);
            let found = canonical(&image);
            assert_eq!(found.form, own.form, "{grid} and {image}");
            assert_eq!(found.symmetry.image(&image), found.form);
        }
    }

    #[test]
    fn the_288_grids_of_4x4_have_two_forms() {
        let mut classes: HashMap<Grid, usize> = HashMap::new();
        Backtrack
            .search(&Grid::empty(Order::FOUR), &Limits::none(), &mut |grid| {
                *classes.entry(canonical(&grid).form).or_default() += 1;
                ControlFlow::Continue(())
            })
            .unwrap();
        let mut sizes: Vec<usize> = classes.into_values().collect();
        sizes.sort_unstable();
        assert_eq!(sizes, [96, 192]);
    }

    #[test]
    fn images_have_the_same_form() {
        let mut random = Random::new(5);
        for text in [
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
            "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
            "534678912672195348198342567859761423426853791713924856961537284287419635345286179",
            "1..4..1..3..4..3",
        ] {
            check(&text.parse().unwrap(), 50, &mut random);
        }
    }

    #[test]
    fn handles_highly_symmetric_grids() {
        let mut random = Random::new(6);
        for (rows, columns) in [(2, 2), (2, 3), (3, 3), (3, 4), (4, 4), (5, 5)] {
            let order = Order::new(rows, columns).unwrap();
            check(&Grid::empty(order), 1, &mut random);
            let mut one = Grid::empty(order);
            one.set(order.cell(1, 2), Digit::new(2));
            check(&one, 3, &mut random);
            // Each row is the row above, shifted: the most symmetric complete grid.
            let numbers: Vec<u8> = order
                .cells()
                .map(|cell| {
                    let row = order.row_of(cell);
                    let shift = row % rows * columns + row / rows;
                    ((order.column_of(cell) + shift) % order.side()) as u8 + 1
                })
                .collect();
            let regular = Grid::from_numbers(order, &numbers).unwrap();
            assert!(regular.is_solved(), "{order}");
            check(&regular, 2, &mut random);
        }
    }

    #[test]
    fn different_puzzles_have_different_forms() {
        let puzzle: Grid =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
                .parse()
                .unwrap();
        let fewer: Vec<Grid> = puzzle.clues().map(|(cell, _)| puzzle.without(cell)).collect();
        let forms: HashSet<Grid> = fewer.iter().map(|grid| canonical(grid).form).collect();
        // This puzzle has no automorphisms, so removing different clues gives different classes.
        assert_eq!(forms.len(), fewer.len());
    }
}
