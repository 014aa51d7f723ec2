//! A position under suppositions, carried to the end of all singles.
//!
//! It is small and of fixed size, because tens of thousands of them are made for one step: the digits of each cell, the
//! cells of each digit, how many places each digit has in each house, and which cells have been followed. A filled cell is
//! one that holds its digit and was followed. Nothing is undone; a copy is made instead.

use super::super::board::{Board, Geometry};
use crate::grid::{Cell, CellSet, Digit, DigitSet};
use crate::proof::{Candidate, OneOf};

/// A set of digits in as few bytes as the size allows.
pub trait Mask: Copy + Eq + Send + 'static {
    /// No digit.
    const NONE: Self;
    /// The set with these bits.
    fn from_bits(bits: u64) -> Self;
    /// Its bits.
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

/// The position: `D` holds the digits of a cell, `W` words hold a set of cells, `S` is the largest side, `C` the largest
/// number of cells.
#[derive(Clone)]
pub struct State<D, const W: usize, const S: usize, const C: usize> {
    digits: [D; C],
    places: [CellSet<W>; S],
    /// How many places a digit has left in each row, column and box.
    counts: [[[u8; S]; S]; 3],
    followed: CellSet<W>,
}

/// What a state tells about its singles while they are followed.
pub trait Witness {
    /// A single is found and will be followed in its turn.
    fn found(&mut self, cell: Cell, digit: Digit, in_room: Room);
    /// The next single to follow.
    fn next(&mut self) -> Option<(Cell, Digit)>;
    /// The single being followed rules a candidate out.
    fn ruled_out(&mut self, _cell: Cell, _digit: Digit) {}
}

/// A queue and nothing else.
#[derive(Default)]
pub struct Quiet {
    queue: Vec<(Cell, Digit)>,
    next: usize,
}

impl Quiet {
    pub fn clear(&mut self) {
        self.queue.clear();
        self.next = 0;
    }

    /// Begins anew with one supposition.
    pub fn start(&mut self, supposed: Candidate) {
        self.start_all(&[supposed]);
    }

    /// Begins anew with several suppositions.
    pub fn start_all(&mut self, supposed: &[Candidate]) {
        self.clear();
        self.queue.extend(supposed.iter().map(|candidate| (candidate.cell, candidate.digit)));
    }
}

impl Witness for Quiet {
    #[inline]
    fn found(&mut self, cell: Cell, digit: Digit, _: Room) {
        self.queue.push((cell, digit));
    }

    #[inline]
    fn next(&mut self) -> Option<(Cell, Digit)> {
        self.next += 1;
        self.queue.get(self.next - 1).copied()
    }
}

/// A cell, or the places of a digit in the house with this number: a [`OneOf`] that costs nothing to name.
#[derive(Clone, Copy)]
pub enum Room {
    Cell(Cell),
    House(usize, Digit),
}

impl Room {
    pub fn one_of<const W: usize>(self, geometry: &Geometry<W>) -> OneOf {
        match self {
            Room::Cell(cell) => OneOf::Cell(cell),
            Room::House(house, digit) => OneOf::House(geometry.house(house), digit),
        }
    }
}

/// Where nothing is left.
pub struct Empty(pub Room);

/// Cells of which one holds a digit though none is certain, and what they rule out.
pub struct Locked<const W: usize> {
    pub digit: Digit,
    pub cells: CellSet<W>,
    pub by: LockedBy,
    pub targets: CellSet<W>,
}

/// Why one of the cells holds the digit.
pub enum LockedBy {
    /// They are its only places in the house with this number.
    House(usize),
    /// They are two cells with the same two digits.
    Pair,
}

impl<D: Mask, const W: usize, const S: usize, const C: usize> State<D, W, S, C> {
    /// A position as it stands, no single followed but those that are filled in.
    pub fn new(board: &Board<W>) -> Self {
        let mut state = State {
            digits: [D::NONE; C],
            places: [CellSet::EMPTY; S],
            counts: [[[0; S]; S]; 3],
            followed: CellSet::EMPTY,
        };
        for cell in board.order().cells() {
            let filled = board.grid()[cell];
            let digits = filled.map_or(board.at(cell), DigitSet::of);
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

    /// The digits that a cell can still take.
    #[inline]
    pub fn at(&self, cell: Cell) -> DigitSet {
        DigitSet::from_bits(self.digits[cell.index()].bits())
    }

    #[inline]
    pub fn has(&self, cell: Cell, digit: Digit) -> bool {
        self.digits[cell.index()].bits() >> digit.index() & 1 == 1
    }

    /// The cells that can take a digit.
    #[inline]
    pub fn places(&self, digit: Digit) -> CellSet<W> {
        self.places[digit.index()]
    }

    /// Has this cell been followed?
    #[inline]
    pub fn is_followed(&self, cell: Cell) -> bool {
        self.followed.contains(cell)
    }

    /// Does a candidate belong to a cell or a house with at most so many choices?
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

    /// How many cells have been followed.
    pub fn followed_count(&self) -> usize {
        self.followed.count()
    }

    /// Takes a candidate out and looks at nothing; the state is good for reading only after that.
    pub fn strike(&mut self, cell: Cell, digit: Digit) {
        self.digits[cell.index()] = D::from_bits(self.at(cell).without(digit).bits());
        self.places[digit.index()].remove(cell);
    }

    /// Finds the singles that no supposition has led to, and follows them: a position need not be free of singles.
    pub fn settle(
        &mut self,
        geometry: &Geometry<W>,
        witness: &mut impl Witness,
    ) -> Result<(), Empty> {
        for cell in geometry.order().cells().filter(|&cell| !self.followed.contains(cell)) {
            match self.at(cell) {
                DigitSet::EMPTY => return Err(Empty(Room::Cell(cell))),
                digits => digits
                    .only()
                    .into_iter()
                    .for_each(|digit| witness.found(cell, digit, Room::Cell(cell))),
            }
        }
        for house in 0..geometry.house_count() {
            for digit in geometry.order().digits() {
                self.look_in(geometry, house, digit, witness)?;
            }
        }
        self.follow(geometry, witness)
    }

    /// Follows all singles that have been found, and those that follow from them.
    pub fn follow(
        &mut self,
        geometry: &Geometry<W>,
        witness: &mut impl Witness,
    ) -> Result<(), Empty> {
        while let Some((cell, digit)) = witness.next() {
            if self.followed.contains(cell) {
                continue;
            }
            self.followed.insert(cell);
            for other in self.at(cell).without(digit) {
                self.rule_out(geometry, cell, other, witness)?;
            }
            for peer in self.places[digit.index()] & geometry.peers(cell) {
                self.rule_out(geometry, peer, digit, witness)?;
            }
        }
        Ok(())
    }

    /// Takes a candidate out and looks for what that leaves alone.
    #[inline]
    pub fn rule_out(
        &mut self,
        geometry: &Geometry<W>,
        cell: Cell,
        digit: Digit,
        witness: &mut impl Witness,
    ) -> Result<(), Empty> {
        let left = self.at(cell).without(digit);
        self.digits[cell.index()] = D::from_bits(left.bits());
        self.places[digit.index()].remove(cell);
        witness.ruled_out(cell, digit);
        if left.is_empty() {
            return Err(Empty(Room::Cell(cell)));
        }
        if let Some(last) = left.only()
            && !self.followed.contains(cell)
        {
            witness.found(cell, last, Room::Cell(cell));
        }
        for (kind, number) in geometry.numbers_of(cell).into_iter().enumerate() {
            let count = &mut self.counts[kind][number][digit.index()];
            *count -= 1;
            if *count < 2 {
                self.look_in(geometry, kind * geometry.order().side() + number, digit, witness)?;
            }
        }
        Ok(())
    }

    /// Is one place of a digit left in a house, or none?
    fn look_in(
        &self,
        geometry: &Geometry<W>,
        house: usize,
        digit: Digit,
        witness: &mut impl Witness,
    ) -> Result<(), Empty> {
        let left = self.places[digit.index()] & geometry.cells(house);
        if left.is_single() {
            let cell = left.first().expect("it holds one cell");
            if !self.followed.contains(cell) {
                witness.found(cell, digit, Room::House(house, digit));
            }
        } else if left.is_empty() {
            return Err(Empty(Room::House(house, digit)));
        }
        Ok(())
    }

    /// Locked candidates and naked pairs that rule something out, as far as somebody wants them.
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
                for other in others.filter(|&other| cells.is_inside(&geometry.cells(other))) {
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
