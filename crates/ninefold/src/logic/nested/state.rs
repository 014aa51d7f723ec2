//! Position under assumptions, with all singles followed.
//!
//! The state is small and has a fixed size, because each step creates tens of thousands of them. It
//! stores the digits of each cell, the cells of each digit, the number of places of each digit in
//! each house, and which cells have been followed. To follow a cell with a single is to remove the
//! other digits from the cell and its digit from the peers. A filled cell contains one digit and
//! has been followed. Changes are never undone; the search copies the state instead.

use super::super::board::{Board, Geometry};
use crate::grid::{Cell, CellSet, Digit, DigitSet};
use crate::proof::{Candidate, OneOf};

/// Digit set in as few bytes as the size allows.
pub trait Mask: Copy + Eq + Send + 'static {
    /// The empty set.
    const NONE: Self;
    /// Creates the set with these bits.
    fn from_bits(bits: u64) -> Self;
    /// Returns the bits of the set.
    fn bits(self) -> u64;
}

macro_rules! mask {
    ($($word:ty),*) => {$(
        impl Mask for $word {
            const NONE: $word = 0;
            #[inline]
            fn from_bits(bits: u64) -> $word {
                bits as $word
            }
            #[inline]
            fn bits(self) -> u64 {
                self.into()
            }
        }
    )*};
}
mask!(u16, u32, u64);

/// Candidates of a position. `D` stores the digits of a cell, `W` is the number of words of a cell
/// set, `S` the largest side and `C` the largest number of cells.
#[derive(Clone)]
pub struct State<D, const W: usize, const S: usize, const C: usize> {
    digits: [D; C],
    places: [CellSet<W>; S],
    /// Number of remaining places of each digit in each row, column and box.
    counts: [[[u8; S]; S]; 3],
    followed: CellSet<W>,
}

/// Receives the singles of a state while they are followed.
pub trait Observer {
    /// A single was found and must be queued.
    fn on_single(&mut self, cell: Cell, digit: Digit, constraint: Constraint);
    /// Returns the next single to follow.
    fn next_single(&mut self) -> Option<(Cell, Digit)>;
    /// The single being followed removed a candidate.
    fn ruled_out(&mut self, _cell: Cell, _digit: Digit) {}
}

/// Observer that only queues the singles.
#[derive(Default)]
pub struct Queue {
    singles: Vec<(Cell, Digit)>,
    next: usize,
}

impl Queue {
    pub fn clear(&mut self) {
        self.singles.clear();
        self.next = 0;
    }

    /// Restarts with one assumption.
    pub fn start(&mut self, assumed: Candidate) {
        self.start_all(&[assumed]);
    }

    /// Restarts with several assumptions.
    pub fn start_all(&mut self, assumptions: &[Candidate]) {
        self.clear();
        self.singles.extend(assumptions.iter().map(|candidate| (candidate.cell, candidate.digit)));
    }
}

impl Observer for Queue {
    #[inline]
    fn on_single(&mut self, cell: Cell, digit: Digit, _: Constraint) {
        self.singles.push((cell, digit));
    }

    #[inline]
    fn next_single(&mut self) -> Option<(Cell, Digit)> {
        self.next += 1;
        self.singles.get(self.next - 1).copied()
    }
}

/// A cell, or a digit in the house with this number. Like [`OneOf`], but cheap to create.
#[derive(Clone, Copy)]
pub enum Constraint {
    Cell(Cell),
    House(usize, Digit),
}

impl Constraint {
    pub fn one_of<const W: usize>(self, geometry: &Geometry<W>) -> OneOf {
        match self {
            Constraint::Cell(cell) => OneOf::Cell(cell),
            Constraint::House(house, digit) => OneOf::House(geometry.house(house), digit),
        }
    }
}

/// Cell or house that has no candidate left.
pub struct Contradiction(pub Constraint);

/// Cells of which one contains a digit, although it is unknown which, and the candidates that this
/// removes.
pub struct Locked<const W: usize> {
    pub digit: Digit,
    pub cells: CellSet<W>,
    pub by: LockedBy,
    pub targets: CellSet<W>,
}

/// Reason why one of the cells contains the digit.
pub enum LockedBy {
    /// They are its only places in the house with this number.
    House(usize),
    /// They are two cells with the same two digits.
    Pair,
}

impl<D: Mask, const W: usize, const S: usize, const C: usize> State<D, W, S, C> {
    /// Creates the state of a position. Only filled cells are marked as followed.
    pub fn new(board: &Board<W>) -> Self {
        let mut state = State {
            digits: [D::NONE; C],
            places: [CellSet::EMPTY; S],
            counts: [[[0; S]; S]; 3],
            followed: CellSet::EMPTY,
        };
        for cell in board.order().cells() {
            let filled = board.grid()[cell];
            let digits = filled.map_or(board.at(cell), DigitSet::from_digit);
            state.digits[cell.index()] = D::from_bits(digits.bits());
            for digit in digits {
                state.places[digit.index()].insert(cell);
                for (kind, number) in board.geometry().numbers_of(cell).into_iter().enumerate() {
                    state.counts[kind][number][digit.index()] += 1;
                }
            }
            if filled.is_some() {
                state.followed.insert(cell);
            }
        }
        state
    }

    /// Returns the digits that a cell can still take.
    #[inline]
    pub fn at(&self, cell: Cell) -> DigitSet {
        DigitSet::from_bits(self.digits[cell.index()].bits())
    }

    #[inline]
    pub fn has(&self, cell: Cell, digit: Digit) -> bool {
        self.digits[cell.index()].bits() >> digit.index() & 1 == 1
    }

    /// Returns the cells that can take a digit.
    #[inline]
    pub fn places(&self, digit: Digit) -> CellSet<W> {
        self.places[digit.index()]
    }

    #[inline]
    pub fn is_followed(&self, cell: Cell) -> bool {
        self.followed.contains(cell)
    }

    /// Returns true if the cell or a house of the candidate has at most `most` choices.
    #[inline]
    pub fn is_in_choice_of(
        &self,
        most: usize,
        geometry: &Geometry<W>,
        candidate: Candidate,
    ) -> bool {
        let Candidate { cell, digit } = candidate;
        let mut numbers = geometry.numbers_of(cell).into_iter().enumerate();
        let in_house = |(kind, number): (usize, usize)| {
            usize::from(self.counts[kind][number][digit.index()]) <= most
        };
        self.at(cell).count() <= most || numbers.any(in_house)
    }

    /// Returns the number of cells that have been followed.
    pub fn followed_count(&self) -> usize {
        self.followed.count()
    }

    /// Removes a candidate without updating the counts. Afterwards the state can only be read.
    pub fn strike(&mut self, cell: Cell, digit: Digit) {
        self.digits[cell.index()] = D::from_bits(self.at(cell).without(digit).bits());
        self.places[digit.index()].remove(cell);
    }

    /// Finds and follows singles that exist without any assumption, because a position may contain
    /// singles.
    pub fn settle(
        &mut self,
        geometry: &Geometry<W>,
        observer: &mut impl Observer,
    ) -> Result<(), Contradiction> {
        for cell in geometry.order().cells().filter(|&cell| !self.followed.contains(cell)) {
            match self.at(cell) {
                DigitSet::EMPTY => return Err(Contradiction(Constraint::Cell(cell))),
                digits => digits
                    .only()
                    .into_iter()
                    .for_each(|digit| observer.on_single(cell, digit, Constraint::Cell(cell))),
            }
        }
        for house in 0..geometry.house_count() {
            for digit in geometry.order().digits() {
                self.look_in(geometry, house, digit, observer)?;
            }
        }
        self.follow(geometry, observer)
    }

    /// Follows all singles found so far and those that result from them.
    pub fn follow(
        &mut self,
        geometry: &Geometry<W>,
        observer: &mut impl Observer,
    ) -> Result<(), Contradiction> {
        while let Some((cell, digit)) = observer.next_single() {
            if self.followed.contains(cell) {
                continue;
            }
            self.followed.insert(cell);
            for other in self.at(cell).without(digit) {
                self.rule_out(geometry, cell, other, observer)?;
            }
            for peer in self.places[digit.index()] & geometry.peers(cell) {
                self.rule_out(geometry, peer, digit, observer)?;
            }
        }
        Ok(())
    }

    /// Removes a candidate and reports the singles that result.
    #[inline]
    pub fn rule_out(
        &mut self,
        geometry: &Geometry<W>,
        cell: Cell,
        digit: Digit,
        observer: &mut impl Observer,
    ) -> Result<(), Contradiction> {
        let left = self.at(cell).without(digit);
        self.digits[cell.index()] = D::from_bits(left.bits());
        self.places[digit.index()].remove(cell);
        observer.ruled_out(cell, digit);
        if left.is_empty() {
            return Err(Contradiction(Constraint::Cell(cell)));
        }
        if let Some(last) = left.only()
            && !self.followed.contains(cell)
        {
            observer.on_single(cell, last, Constraint::Cell(cell));
        }
        for (kind, number) in geometry.numbers_of(cell).into_iter().enumerate() {
            let count = &mut self.counts[kind][number][digit.index()];
            *count -= 1;
            if *count < 2 {
                self.look_in(geometry, kind * geometry.order().side() + number, digit, observer)?;
            }
        }
        Ok(())
    }

    /// Checks whether a digit has one place left in a house, or none.
    fn look_in(
        &self,
        geometry: &Geometry<W>,
        house: usize,
        digit: Digit,
        observer: &mut impl Observer,
    ) -> Result<(), Contradiction> {
        let left = self.places[digit.index()] & geometry.cells(house);
        if left.is_single() {
            let cell = left.first().expect("the set has one cell");
            if !self.followed.contains(cell) {
                observer.on_single(cell, digit, Constraint::House(house, digit));
            }
        } else if left.is_empty() {
            return Err(Contradiction(Constraint::House(house, digit)));
        }
        Ok(())
    }

    /// Returns a locked candidate or naked pair that removes something and that `wanted` accepts.
    pub fn locked(
        &self,
        geometry: &Geometry<W>,
        wanted: impl Fn(Digit, CellSet<W>) -> bool,
    ) -> Option<Locked<W>> {
        for digit in geometry.order().digits() {
            let places = self.places[digit.index()];
            for house in 0..geometry.house_count() {
                let cells = places & geometry.cells(house);
                let Some(first) = cells.first().filter(|_| !cells.is_single()) else { continue };
                let others =
                    geometry.house_numbers_of(first).into_iter().filter(|&other| other != house);
                for other in others.filter(|&other| cells.is_subset(&geometry.cells(other))) {
                    let targets = (places & geometry.cells(other)) - cells;
                    if !targets.is_empty() && wanted(digit, cells) {
                        return Some(Locked { digit, cells, by: LockedBy::House(house), targets });
                    }
                }
            }
        }
        self.pairs(geometry, wanted)
    }

    fn pairs(
        &self,
        geometry: &Geometry<W>,
        wanted: impl Fn(Digit, CellSet<W>) -> bool,
    ) -> Option<Locked<W>> {
        let pairs: Vec<Cell> =
            geometry.order().cells().filter(|&cell| self.at(cell).count() == 2).collect();
        for (index, &first) in pairs.iter().enumerate() {
            let equal = |second: &&Cell| {
                self.at(**second) == self.at(first) && geometry.peers(first).contains(**second)
            };
            for &second in pairs[index + 1..].iter().filter(equal) {
                let (cells, seen) = (
                    [first, second].into_iter().collect(),
                    geometry.peers(first) & geometry.peers(second),
                );
                for digit in self.at(first) {
                    let targets = self.places(digit) & seen;
                    if !targets.is_empty() && wanted(digit, cells) {
                        return Some(Locked { digit, cells, by: LockedBy::Pair, targets });
                    }
                }
            }
        }
        None
    }
}
