//! Position in the representation that the finders use: candidates as digit sets per cell and as
//! cell sets per digit.
//!
//! It contains the same data as [`Candidates`], stored in both directions as bit sets. A query such
//! as "places for 5 in row 3" is a single bitwise AND.

use super::negative_cache::NegativeCache;
use super::rectangle::Rectangle;
use super::{als, exocet, forcing, links, nested};
use crate::grid::{Candidates, Cell, CellSet, Digit, DigitSet, Grid, House, Order};
use crate::limits::{Deadline, Pulse, StopReason};
use crate::proof::{Candidate, OneOf};
use std::any::Any;
use std::cell::{self, OnceCell, RefCell};
use std::ops::ControlFlow;
use std::sync::OnceLock;

/// Grid with candidates, for sizes of at most `64 · W` cells.
///
/// Invariant: `digits[cell]` contains a digit exactly if `places[digit]` contains the cell. A
/// filled cell has no candidates.
#[derive(Clone)]
pub struct Board<'a, const W: usize> {
    geometry: &'static Geometry<W>,
    grid: Grid,
    givens: CellSet<W>,
    empty: CellSet<W>,
    digits: Vec<DigitSet>,
    places: Vec<CellSet<W>>,
    cache: Cache<W>,
    negative_cache: NegativeCache,
    nested: NestedCache<W>,
    pulse: Pulse<'a>,
}

/// Data that nested forcing nets keep between steps. A clone starts empty.
#[derive(Default)]
struct NestedCache<const W: usize>(RefCell<Option<Box<dyn nested::NestedSearch<W>>>>);

impl<const W: usize> Clone for NestedCache<W> {
    fn clone(&self) -> NestedCache<W> {
        NestedCache::default()
    }
}

/// Data shared by several finders in one position. Every change to the board clears it.
#[derive(Default)]
pub(super) struct Cache<const W: usize> {
    /// True after the first access. Most steps are singles, which do not use the cache, so there is
    /// nothing to clear.
    is_used: cell::Cell<bool>,
    /// Almost locked sets and their links.
    pub als: OnceCell<als::Graph<W>>,
    /// Links between candidates and groups of candidates.
    pub grouped: OnceCell<links::Graph<W>>,
    /// Consequences of each candidate.
    pub consequences: OnceCell<forcing::Consequences<W>>,
    /// Possible deadly rectangles: unique rectangles, then avoidable rectangles.
    pub rectangles: [OnceCell<Vec<Rectangle>>; 2],
    pub exocets: OnceCell<Vec<exocet::Exocet>>,
}

impl<const W: usize> Cache<W> {
    #[inline]
    fn clear(&mut self) {
        if self.is_used.get() {
            *self = Cache::default();
        }
    }
}

/// A clone starts with an empty cache.
impl<const W: usize> Clone for Cache<W> {
    fn clone(&self) -> Cache<W> {
        Cache::default()
    }
}

impl<'a, const W: usize> Board<'a, W> {
    /// Creates a board. The digits of `givens` are the clues of the puzzle; other digits were
    /// filled in later.
    ///
    /// # Panics
    /// If the grid has more than `64 · W` cells, or if the sizes of the two arguments differ.
    pub fn new(givens: &Grid, candidates: &Candidates) -> Board<'a, W> {
        let order = candidates.order();
        assert!(order.cell_count() <= 64 * W, "{order} does not fit into {W} words");
        assert!(
            order == givens.order(),
            "puzzle has size {}, position has size {order}",
            givens.order()
        );
        let mut board = Board {
            geometry: Geometry::for_order(order),
            grid: candidates.grid().clone(),
            givens: givens.clues().map(|(cell, _)| cell).collect(),
            empty: candidates.grid().empty_cells().collect(),
            digits: order.cells().map(|cell| candidates.at(cell)).collect(),
            places: vec![CellSet::EMPTY; order.side()],
            cache: Cache::default(),
            negative_cache: NegativeCache::new(order.side()),
            nested: NestedCache::default(),
            pulse: Pulse::default(),
        };
        for cell in order.cells() {
            for digit in board.digits[cell.index()] {
                board.places[digit.index()].insert(cell);
            }
        }
        board
    }

    /// Sets a deadline for all finders that run on this board.
    pub fn with_deadline(self, deadline: Deadline<'a>) -> Board<'a, W> {
        Board { pulse: Pulse::new(deadline), ..self }
    }

    /// Returns `Break` if a finder should stop. Loops that take a microsecond or more per iteration
    /// call this in every iteration, so that a finder stops soon after a timeout or cancellation.
    #[inline]
    pub(super) fn check_limits(&self) -> ControlFlow<()> {
        if self.stop_reason().is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Returns the limit that was reached, if any.
    #[inline]
    pub(super) fn stop_reason(&self) -> Option<StopReason> {
        self.pulse.stopped()
    }

    pub fn candidates(&self) -> Candidates {
        let mut candidates = Candidates::empty(&self.grid);
        for cell in self.empty {
            candidates.set(cell, self.at(cell));
        }
        candidates
    }

    pub(super) fn cache(&self) -> &Cache<W> {
        self.cache.is_used.set(true);
        &self.cache
    }

    /// Returns all exocets, including those that remove nothing.
    pub(super) fn exocets(&self) -> &[exocet::Exocet] {
        self.cache().exocets.get_or_init(|| exocet::all(self))
    }

    pub(super) fn negative_cache(&self) -> &NegativeCache {
        &self.negative_cache
    }

    /// Runs `ask` with the cached data of the nested forcing nets.
    pub(super) fn with_nested<T>(
        &self,
        ask: impl FnOnce(&mut dyn nested::NestedSearch<W>) -> T,
    ) -> T {
        let mut search = self.nested.0.borrow_mut();
        ask(search.get_or_insert_with(|| nested::new_search(self)).as_mut())
    }

    pub(super) fn geometry(&self) -> &'static Geometry<W> {
        self.geometry
    }

    pub fn order(&self) -> Order {
        self.geometry.order
    }

    /// Returns the grid with all digits filled in so far.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// Returns the cells whose digits are clues of the puzzle.
    pub fn givens(&self) -> CellSet<W> {
        self.givens
    }

    /// Returns the cells without a digit.
    pub fn empty(&self) -> CellSet<W> {
        self.empty
    }

    pub fn all_digits(&self) -> DigitSet {
        self.geometry.order.digits()
    }

    /// Returns the candidates of a cell. A filled cell has none.
    #[inline]
    pub fn at(&self, cell: Cell) -> DigitSet {
        self.digits[cell.index()]
    }

    #[inline]
    pub fn has(&self, candidate: Candidate) -> bool {
        self.at(candidate.cell).contains(candidate.digit)
    }

    /// Returns the cells that can take a digit.
    #[inline]
    pub fn places(&self, digit: Digit) -> CellSet<W> {
        self.places[digit.index()]
    }

    /// Returns the places of a digit in the house with this number.
    #[inline]
    pub fn places_in(&self, digit: Digit, house: usize) -> CellSet<W> {
        self.places[digit.index()] & self.geometry.houses[house]
    }

    /// Returns the cells with exactly `count` candidates.
    pub fn cells_with(&self, count: usize) -> CellSet<W> {
        self.empty.iter().filter(|&cell| self.at(cell).count() == count).collect()
    }

    /// Returns the union of the candidates of these cells.
    pub fn digits_in(&self, cells: CellSet<W>) -> DigitSet {
        cells.iter().fold(DigitSet::EMPTY, |digits, cell| digits | self.at(cell))
    }

    /// Returns the number of houses. Rows come first, then columns, then boxes.
    #[inline]
    pub fn house_count(&self) -> usize {
        3 * self.order().side()
    }

    /// Converts a house number to a [`House`].
    #[inline]
    pub fn house(&self, house: usize) -> House {
        self.geometry.house(house)
    }

    /// Returns the numbers of the rows and columns.
    pub fn lines(&self) -> std::ops::Range<usize> {
        0..2 * self.order().side()
    }

    /// Returns the numbers of the boxes.
    pub fn boxes(&self) -> std::ops::Range<usize> {
        2 * self.order().side()..3 * self.order().side()
    }

    /// Returns the cells of the house with this number.
    #[inline]
    pub fn cells(&self, house: usize) -> CellSet<W> {
        self.geometry.houses[house]
    }

    /// Returns the numbers of the row, the column and the box of a cell.
    #[inline]
    pub fn houses_of(&self, cell: Cell) -> [usize; 3] {
        self.geometry.houses_of[cell.index()]
    }

    /// Returns the houses that contain all of these cells.
    pub fn houses_around(&self, cells: CellSet<W>) -> impl Iterator<Item = usize> + '_ {
        let first = cells.first();
        first
            .into_iter()
            .flat_map(|cell| self.houses_of(cell))
            .filter(move |&house| cells.is_subset(&self.cells(house)))
    }

    /// Returns the cells that share a house with this one.
    #[inline]
    pub fn peers(&self, cell: Cell) -> CellSet<W> {
        self.geometry.peers[cell.index()]
    }

    /// Returns the cells that see all of these cells.
    #[inline]
    pub fn common_peers(&self, cells: CellSet<W>) -> CellSet<W> {
        let mut iter = cells.iter();
        let Some(first) = iter.next() else { return CellSet::EMPTY };
        iter.fold(self.peers(first), |common, cell| common & self.peers(cell))
    }

    /// Combines each of these cells with a digit.
    pub fn candidates_of(cells: CellSet<W>, digit: Digit) -> impl Iterator<Item = Candidate> {
        cells.iter().map(move |cell| Candidate::new(cell, digit))
    }

    /// Places a digit in an empty cell and removes it from all cells that see it.
    pub fn place(&mut self, cell: Cell, digit: Digit) {
        self.cache.clear();
        for other in self.digits[cell.index()] {
            self.places[other.index()].remove(cell);
            self.negative_cache.invalidate_digit(other);
        }
        self.negative_cache.invalidate_houses(self.houses_of(cell));
        self.digits[cell.index()] = DigitSet::EMPTY;
        self.empty.remove(cell);
        self.grid.set(cell, Some(digit));
        let hit = self.places[digit.index()] & self.geometry.peers[cell.index()];
        self.places[digit.index()] -= hit;
        for peer in hit {
            self.digits[peer.index()].remove(digit);
            self.negative_cache.invalidate_houses(self.houses_of(peer));
        }
    }

    pub fn remove(&mut self, candidate: Candidate) {
        self.cache.clear();
        self.digits[candidate.cell.index()].remove(candidate.digit);
        self.places[candidate.digit.index()].remove(candidate.cell);
        self.negative_cache.invalidate_digit(candidate.digit);
        self.negative_cache.invalidate_houses(self.houses_of(candidate.cell));
    }

    /// Returns true if a cell has no candidates, or if a digit has no place in a house that needs
    /// it.
    pub fn is_contradictory(&self) -> bool {
        self.empty.iter().any(|cell| self.at(cell).is_empty())
            || (0..self.house_count()).any(|house| {
                let cells = self.cells(house);
                let open = cells & self.empty;
                self.digits_in(open).count() < open.count()
            })
    }
}

/// Houses and peers of a grid size as cell sets.
pub(super) struct Geometry<const W: usize> {
    order: Order,
    houses: Vec<CellSet<W>>,
    peers: Vec<CellSet<W>>,
    houses_of: Vec<[usize; 3]>,
    numbers_of: Vec<[u8; 3]>,
}

impl<const W: usize> Geometry<W> {
    /// Returns the geometry of a size, which is built once and cached. A size is always used with
    /// the same `W`; otherwise the geometry is built again.
    fn for_order(order: Order) -> &'static Geometry<W> {
        const SLOTS: usize = 33;
        static BUILT: [OnceLock<Box<dyn Any + Send + Sync>>; SLOTS * SLOTS] =
            [const { OnceLock::new() }; SLOTS * SLOTS];
        let slot = &BUILT[order.box_rows() * SLOTS + order.box_columns()];
        let built = slot.get_or_init(|| Box::new(Geometry::<W>::build(order)));
        built.downcast_ref().unwrap_or_else(|| Box::leak(Box::new(Geometry::build(order))))
    }

    pub fn order(&self) -> Order {
        self.order
    }

    /// Returns the number of houses. Rows come first, then columns, then boxes.
    #[inline]
    pub fn house_count(&self) -> usize {
        self.houses.len()
    }

    /// Converts a house number to a [`House`].
    #[inline]
    pub fn house(&self, house: usize) -> House {
        let (kind, number) = (house / self.order.side(), (house % self.order.side()) as u8);
        match kind {
            0 => House::Row(number),
            1 => House::Column(number),
            _ => House::Box(number),
        }
    }

    /// Returns the cells of the house with this number.
    #[inline]
    pub fn cells(&self, house: usize) -> CellSet<W> {
        self.houses[house]
    }

    /// Returns the cells that share a house with this one.
    #[inline]
    pub fn peers(&self, cell: Cell) -> CellSet<W> {
        self.peers[cell.index()]
    }

    /// Returns the numbers of the row, the column and the box of a cell.
    #[inline]
    pub fn house_numbers_of(&self, cell: Cell) -> [usize; 3] {
        self.houses_of[cell.index()]
    }

    /// Returns the row, the column and the box of a cell, each counted from 0.
    #[inline]
    pub fn numbers_of(&self, cell: Cell) -> [usize; 3] {
        self.numbers_of[cell.index()].map(usize::from)
    }

    /// Returns the cells and digits of which exactly one combination is true.
    pub fn cells_and_digits(&self, of: OneOf) -> (CellSet<W>, DigitSet) {
        match of {
            OneOf::Cell(cell) => (CellSet::from_cell(cell), self.order.digits()),
            OneOf::House(house, digit) => {
                let side = self.order.side();
                let number = match house {
                    House::Row(number) => usize::from(number),
                    House::Column(number) => side + usize::from(number),
                    House::Box(number) => 2 * side + usize::from(number),
                    House::Region(_) | House::Extra(_) => unreachable!("houses of classic grids"),
                };
                (self.houses[number], DigitSet::from_digit(digit))
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
