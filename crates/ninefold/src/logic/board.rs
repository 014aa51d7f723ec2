//! A position as the finders see it: candidates as sets of digits per cell and as sets of cells per digit.
//!
//! It says the same as [`Candidates`], twice and in bits, so that "which places of 5 does row 3 have?" is one `&`.

use super::memory::Memory;
use super::rectangle::Rectangle;
use super::{als, exocet, forcing, links, nested};
use crate::grid::{Candidates, Cell, CellSet, Digit, DigitSet, Grid, House, Order};
use crate::limits::{Deadline, Pulse, Stop};
use crate::proof::{Candidate, OneOf};
use std::any::Any;
use std::cell::{self, OnceCell, RefCell};
use std::ops::ControlFlow;
use std::sync::OnceLock;

/// A grid with its candidates, for sizes of at most `64 · W` cells.
///
/// Invariant: `digits[cell]` holds a digit exactly if `places[digit]` holds the cell; a filled cell has no candidates.
#[derive(Clone)]
pub struct Board<'a, const W: usize> {
    geometry: &'static Geometry<W>,
    grid: Grid,
    givens: CellSet<W>,
    empty: CellSet<W>,
    digits: Vec<DigitSet>,
    places: Vec<CellSet<W>>,
    cache: Cache<W>,
    memory: Memory,
    nested: NestedMemory<W>,
    pulse: Pulse<'a>,
}

/// What nested nets remember from step to step; a copy begins anew.
#[derive(Default)]
struct NestedMemory<const W: usize>(RefCell<Option<Box<dyn nested::Memory<W>>>>);

impl<const W: usize> Clone for NestedMemory<W> {
    fn clone(&self) -> NestedMemory<W> {
        NestedMemory::default()
    }
}

/// What several finders look up in one position; forgotten with every change.
#[derive(Default)]
pub(super) struct Cache<const W: usize> {
    /// Has anybody asked? Most steps are singles, and then there is nothing to forget.
    asked: cell::Cell<bool>,
    /// The almost locked sets and how they are linked.
    pub als: OnceCell<als::Graph<W>>,
    /// The links between candidates and groups of them.
    pub grouped: OnceCell<links::Graph<W>>,
    /// What follows from each candidate.
    pub worlds: OnceCell<forcing::Worlds<W>>,
    /// The rectangles that may be deadly: unique ones, avoidable ones.
    pub rectangles: [OnceCell<Vec<Rectangle>>; 2],
    /// The exocets.
    pub exocets: OnceCell<Vec<exocet::Exocet>>,
}

impl<const W: usize> Cache<W> {
    #[inline]
    fn forget(&mut self) {
        if self.asked.get() {
            *self = Cache::default();
        }
    }
}

/// A copy looks everything up anew.
impl<const W: usize> Clone for Cache<W> {
    fn clone(&self) -> Cache<W> {
        Cache::default()
    }
}

impl<'a, const W: usize> Board<'a, W> {
    /// The position with these candidates; the digits of `givens` are the puzzle, the other ones were filled in later.
    ///
    /// # Panics
    /// If the grid has more than `64 · W` cells, or the two are of different sizes.
    pub fn new(givens: &Grid, candidates: &Candidates) -> Board<'a, W> {
        let order = candidates.order();
        assert!(order.cell_count() <= 64 * W, "{order} does not fit into {W} words");
        assert!(
            order == givens.order(),
            "a puzzle of {} and a position of {order}",
            givens.order()
        );
        let mut board = Board {
            geometry: Geometry::of(order),
            grid: candidates.grid().clone(),
            givens: givens.clues().map(|(cell, _)| cell).collect(),
            empty: candidates.grid().empty_cells().collect(),
            digits: order.cells().map(|cell| candidates.at(cell)).collect(),
            places: vec![CellSet::EMPTY; order.side()],
            cache: Cache::default(),
            memory: Memory::new(order.side()),
            nested: NestedMemory::default(),
            pulse: Pulse::default(),
        };
        for cell in order.cells() {
            for digit in board.digits[cell.index()] {
                board.places[digit.index()].insert(cell);
            }
        }
        board
    }

    /// The same, with an end to all work on it.
    pub fn until(self, deadline: Deadline<'a>) -> Board<'a, W> {
        Board { pulse: Pulse::of(deadline), ..self }
    }

    /// May a finder go on? Loops whose rounds take a microsecond or more ask this in every round, so that a finder ends
    /// soon after its time is up or nobody waits for it any more.
    #[inline]
    pub(super) fn go_on(&self) -> ControlFlow<()> {
        if self.stopped().is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Why the work on this board is to end, once it is.
    #[inline]
    pub(super) fn stopped(&self) -> Option<Stop> {
        self.pulse.stopped()
    }

    /// The same as plain candidates.
    pub fn candidates(&self) -> Candidates {
        let mut candidates = Candidates::unmarked(&self.grid);
        for cell in self.empty {
            candidates.set(cell, self.at(cell));
        }
        candidates
    }

    pub(super) fn cache(&self) -> &Cache<W> {
        self.cache.asked.set(true);
        &self.cache
    }

    /// The exocets, whether or not they remove anything.
    pub(super) fn exocets(&self) -> &[exocet::Exocet] {
        self.cache().exocets.get_or_init(|| exocet::all(self))
    }

    pub(super) fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Lets nested nets use what they remember.
    pub(super) fn with_nested<T>(&self, ask: impl FnOnce(&mut dyn nested::Memory<W>) -> T) -> T {
        let mut memory = self.nested.0.borrow_mut();
        ask(memory.get_or_insert_with(|| nested::memory(self)).as_mut())
    }

    /// The houses and peers of this size.
    pub(super) fn geometry(&self) -> &'static Geometry<W> {
        self.geometry
    }

    /// The size of the grid.
    pub fn order(&self) -> Order {
        self.geometry.order
    }

    /// The digits filled in so far.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The cells whose digits belong to the puzzle.
    pub fn givens(&self) -> CellSet<W> {
        self.givens
    }

    /// The cells without a digit.
    pub fn empty(&self) -> CellSet<W> {
        self.empty
    }

    /// The digits of the grid.
    pub fn all_digits(&self) -> DigitSet {
        self.geometry.order.digits()
    }

    /// The digits an empty cell can take.
    #[inline]
    pub fn at(&self, cell: Cell) -> DigitSet {
        self.digits[cell.index()]
    }

    /// Is this candidate still there?
    #[inline]
    pub fn has(&self, candidate: Candidate) -> bool {
        self.at(candidate.cell).contains(candidate.digit)
    }

    /// The cells that can take a digit.
    #[inline]
    pub fn places(&self, digit: Digit) -> CellSet<W> {
        self.places[digit.index()]
    }

    /// The places of a digit in the house with this number.
    #[inline]
    pub fn places_in(&self, digit: Digit, house: usize) -> CellSet<W> {
        self.places[digit.index()] & self.geometry.houses[house]
    }

    /// The cells with exactly `count` candidates.
    pub fn cells_with(&self, count: usize) -> CellSet<W> {
        self.empty.iter().filter(|&cell| self.at(cell).count() == count).collect()
    }

    /// The digits that some of these cells can take.
    pub fn digits_in(&self, cells: CellSet<W>) -> DigitSet {
        cells.iter().fold(DigitSet::EMPTY, |digits, cell| digits | self.at(cell))
    }

    /// How many houses there are: rows first, then columns, then boxes.
    #[inline]
    pub fn house_count(&self) -> usize {
        3 * self.order().side()
    }

    /// The name of the house with this number.
    #[inline]
    pub fn house(&self, house: usize) -> House {
        self.geometry.house(house)
    }

    /// The numbers of the rows and columns.
    pub fn lines(&self) -> std::ops::Range<usize> {
        0..2 * self.order().side()
    }

    /// The numbers of the boxes.
    pub fn boxes(&self) -> std::ops::Range<usize> {
        2 * self.order().side()..3 * self.order().side()
    }

    /// The cells of the house with this number.
    #[inline]
    pub fn cells(&self, house: usize) -> CellSet<W> {
        self.geometry.houses[house]
    }

    /// The numbers of the row, the column and the box of a cell.
    #[inline]
    pub fn houses_of(&self, cell: Cell) -> [usize; 3] {
        self.geometry.houses_of[cell.index()]
    }

    /// The houses that hold all of these cells.
    pub fn houses_around(&self, cells: CellSet<W>) -> impl Iterator<Item = usize> + '_ {
        let first = cells.first();
        first
            .into_iter()
            .flat_map(|cell| self.houses_of(cell))
            .filter(move |&house| cells.is_inside(&self.cells(house)))
    }

    /// The cells that see this one.
    #[inline]
    pub fn peers(&self, cell: Cell) -> CellSet<W> {
        self.geometry.peers[cell.index()]
    }

    /// The cells that see all of these cells.
    #[inline]
    pub fn common_peers(&self, cells: CellSet<W>) -> CellSet<W> {
        let mut iter = cells.iter();
        let Some(first) = iter.next() else { return CellSet::EMPTY };
        iter.fold(self.peers(first), |common, cell| common & self.peers(cell))
    }

    /// These cells with this digit, as candidates.
    pub fn candidates_of(cells: CellSet<W>, digit: Digit) -> impl Iterator<Item = Candidate> {
        cells.iter().map(move |cell| Candidate::new(cell, digit))
    }

    /// Writes a digit into an empty cell and takes it out of all cells that see it.
    pub fn place(&mut self, cell: Cell, digit: Digit) {
        self.cache.forget();
        for other in self.digits[cell.index()] {
            self.places[other.index()].remove(cell);
            self.memory.forget_digit(other);
        }
        self.memory.forget_houses(self.houses_of(cell));
        self.digits[cell.index()] = DigitSet::EMPTY;
        self.empty.remove(cell);
        self.grid.set(cell, Some(digit));
        let hit = self.places[digit.index()] & self.geometry.peers[cell.index()];
        self.places[digit.index()] -= hit;
        for peer in hit {
            self.digits[peer.index()].remove(digit);
            self.memory.forget_houses(self.houses_of(peer));
        }
    }

    /// Takes a candidate out.
    pub fn remove(&mut self, candidate: Candidate) {
        self.cache.forget();
        self.digits[candidate.cell.index()].remove(candidate.digit);
        self.places[candidate.digit.index()].remove(candidate.cell);
        self.memory.forget_digit(candidate.digit);
        self.memory.forget_houses(self.houses_of(candidate.cell));
    }

    /// Is a cell without candidates, or a digit without a place in a house that lacks it?
    pub fn is_contradictory(&self) -> bool {
        self.empty.iter().any(|cell| self.at(cell).is_empty())
            || (0..self.house_count()).any(|house| {
                let cells = self.cells(house);
                let open = cells & self.empty;
                self.digits_in(open).count() < open.count()
            })
    }
}

/// The houses and peers of a size as sets of cells.
pub(super) struct Geometry<const W: usize> {
    order: Order,
    houses: Vec<CellSet<W>>,
    peers: Vec<CellSet<W>>,
    houses_of: Vec<[usize; 3]>,
    numbers_of: Vec<[u8; 3]>,
}

impl<const W: usize> Geometry<W> {
    /// The geometry of a size is built once and kept; a size is always met with the same `W`, or else built anew.
    fn of(order: Order) -> &'static Geometry<W> {
        const SLOTS: usize = 33;
        static BUILT: [OnceLock<Box<dyn Any + Send + Sync>>; SLOTS * SLOTS] =
            [const { OnceLock::new() }; SLOTS * SLOTS];
        let slot = &BUILT[order.box_rows() * SLOTS + order.box_columns()];
        let built = slot.get_or_init(|| Box::new(Geometry::<W>::build(order)));
        built.downcast_ref().unwrap_or_else(|| Box::leak(Box::new(Geometry::build(order))))
    }

    /// The size.
    pub fn order(&self) -> Order {
        self.order
    }

    /// How many houses there are: rows first, then columns, then boxes.
    #[inline]
    pub fn house_count(&self) -> usize {
        self.houses.len()
    }

    /// The name of the house with this number.
    #[inline]
    pub fn house(&self, house: usize) -> House {
        let (kind, number) = (house / self.order.side(), (house % self.order.side()) as u8);
        match kind {
            0 => House::Row(number),
            1 => House::Column(number),
            _ => House::Box(number),
        }
    }

    /// The cells of the house with this number.
    #[inline]
    pub fn cells(&self, house: usize) -> CellSet<W> {
        self.houses[house]
    }

    /// The cells that see this one.
    #[inline]
    pub fn peers(&self, cell: Cell) -> CellSet<W> {
        self.peers[cell.index()]
    }

    /// The numbers of the row, the column and the box of a cell.
    #[inline]
    pub fn house_numbers_of(&self, cell: Cell) -> [usize; 3] {
        self.houses_of[cell.index()]
    }

    /// The row, the column and the box of a cell, each counted from 0.
    #[inline]
    pub fn numbers_of(&self, cell: Cell) -> [usize; 3] {
        self.numbers_of[cell.index()].map(usize::from)
    }

    /// The cells and the digits of which one and one belong together.
    pub fn crossing(&self, of: OneOf) -> (CellSet<W>, DigitSet) {
        match of {
            OneOf::Cell(cell) => (CellSet::of(cell), self.order.digits()),
            OneOf::House(house, digit) => {
                let side = self.order.side();
                let number = match house {
                    House::Row(number) => usize::from(number),
                    House::Column(number) => side + usize::from(number),
                    House::Box(number) => 2 * side + usize::from(number),
                };
                (self.houses[number], DigitSet::of(digit))
            }
        }
    }

    fn build(order: Order) -> Geometry<W> {
        let side = order.side();
        Geometry {
            order,
            houses: order
                .houses()
                .map(|house| order.cells_in(house).iter().copied().collect())
                .collect(),
            peers: order
                .cells()
                .map(|cell| order.peers_of(cell).iter().copied().collect())
                .collect(),
            houses_of: order
                .cells()
                .map(|cell| {
                    [
                        order.row_of(cell),
                        side + order.column_of(cell),
                        2 * side + order.box_of(cell),
                    ]
                })
                .collect(),
            numbers_of: order
                .cells()
                .map(|cell| {
                    [order.row_of(cell), order.column_of(cell), order.box_of(cell)]
                        .map(|number| number as u8)
                })
                .collect(),
        }
    }
}
