//! A set of cells as a bit mask, for grids of every size.
//!
//! `W` is the number of 64-bit words: 2 for the 81 cells of a 9×9 grid, 10 for 25×25, 64 for 64×64.
//! Generic code is instantiated with the smallest `W` that fits, so 9×9 grids use only two words.

use super::Cell;
use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Sub, SubAssign};

/// Some cells of a grid with at most `64 · W` cells. The cell with index `i` is bit `i % 64` of
/// word `i / 64`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct CellSet<const W: usize>([u64; W]);

impl<const W: usize> CellSet<W> {
    pub const EMPTY: CellSet<W> = CellSet([0; W]);

    #[inline]
    pub fn from_cell(cell: Cell) -> CellSet<W> {
        let mut set = CellSet::EMPTY;
        set.insert(cell);
        set
    }

    #[inline]
    pub fn insert(&mut self, cell: Cell) {
        self.0[cell.index() / 64] |= 1 << (cell.index() % 64);
    }

    #[inline]
    pub fn remove(&mut self, cell: Cell) {
        self.0[cell.index() / 64] &= !(1 << (cell.index() % 64));
    }

    #[inline]
    pub fn contains(&self, cell: Cell) -> bool {
        self.0[cell.index() / 64] >> (cell.index() % 64) & 1 == 1
    }

    #[inline]
    pub fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// Whether the two sets share a cell.
    #[inline]
    pub fn intersects(&self, other: &CellSet<W>) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// Whether the other set contains all cells of this one.
    #[inline]
    pub fn is_subset(&self, other: &CellSet<W>) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    /// The first cell in reading order.
    #[inline]
    pub fn first(&self) -> Option<Cell> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(Cell::new(64 * word + self.0[word].trailing_zeros() as usize))
    }

    /// The cell, if it is the only one.
    #[inline]
    pub fn only(&self) -> Option<Cell> {
        let first = self.first()?;
        let mut rest = *self;
        rest.remove(first);
        rest.is_empty().then_some(first)
    }

    /// Whether the set has exactly one cell. Faster than [`only`](Self::only).
    #[inline]
    pub fn is_single(&self) -> bool {
        let (mut words, mut more) = (0, 0);
        for &word in &self.0 {
            words += u32::from(word != 0);
            more |= word & word.wrapping_sub(1);
        }
        words == 1 && more == 0
    }

    /// The two cells, if there are exactly two.
    #[inline]
    pub fn only_two(&self) -> Option<[Cell; 2]> {
        let first = self.first()?;
        let mut rest = *self;
        rest.remove(first);
        Some([first, rest.only()?])
    }

    /// The cells in reading order.
    #[inline]
    pub fn iter(&self) -> Cells<W> {
        Cells(*self)
    }

    pub fn to_vec(self) -> Vec<Cell> {
        self.iter().collect()
    }

    #[inline]
    fn zip(self, other: CellSet<W>, combine: impl Fn(u64, u64) -> u64) -> CellSet<W> {
        let mut words = self.0;
        for (word, other) in words.iter_mut().zip(other.0) {
            *word = combine(*word, other);
        }
        CellSet(words)
    }
}

/// The cells of a set in reading order.
#[derive(Clone)]
pub(crate) struct Cells<const W: usize>(CellSet<W>);

impl<const W: usize> Iterator for Cells<W> {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        let cell = self.0.first()?;
        self.0.remove(cell);
        Some(cell)
    }
}

impl<const W: usize> IntoIterator for CellSet<W> {
    type Item = Cell;
    type IntoIter = Cells<W>;

    fn into_iter(self) -> Cells<W> {
        Cells(self)
    }
}

impl<const W: usize> FromIterator<Cell> for CellSet<W> {
    fn from_iter<I: IntoIterator<Item = Cell>>(cells: I) -> CellSet<W> {
        let mut set = CellSet::EMPTY;
        for cell in cells {
            set.insert(cell);
        }
        set
    }
}

impl<const W: usize> BitAnd for CellSet<W> {
    type Output = CellSet<W>;
    #[inline]
    fn bitand(self, other: CellSet<W>) -> CellSet<W> {
        self.zip(other, |a, b| a & b)
    }
}

impl<const W: usize> BitOr for CellSet<W> {
    type Output = CellSet<W>;
    #[inline]
    fn bitor(self, other: CellSet<W>) -> CellSet<W> {
        self.zip(other, |a, b| a | b)
    }
}

impl<const W: usize> Sub for CellSet<W> {
    type Output = CellSet<W>;
    #[inline]
    fn sub(self, other: CellSet<W>) -> CellSet<W> {
        self.zip(other, |a, b| a & !b)
    }
}

impl<const W: usize> BitAndAssign for CellSet<W> {
    #[inline]
    fn bitand_assign(&mut self, other: CellSet<W>) {
        *self = *self & other;
    }
}

impl<const W: usize> BitOrAssign for CellSet<W> {
    #[inline]
    fn bitor_assign(&mut self, other: CellSet<W>) {
        *self = *self | other;
    }
}

impl<const W: usize> SubAssign for CellSet<W> {
    #[inline]
    fn sub_assign(&mut self, other: CellSet<W>) {
        *self = *self - other;
    }
}

impl<const W: usize> fmt::Debug for CellSet<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(indices: &[usize]) -> CellSet<2> {
        indices.iter().map(|&index| Cell::new(index)).collect()
    }

    #[test]
    fn iterates_in_reading_order() {
        let cells = set(&[80, 0, 63, 64]);
        assert_eq!(cells.iter().map(Cell::index).collect::<Vec<_>>(), [0, 63, 64, 80]);
        assert_eq!(cells.count(), 4);
        assert_eq!(cells.only(), None);
        assert_eq!(set(&[64]).only(), Some(Cell::new(64)));
        assert!(
            set(&[64]).is_single()
                && !cells.is_single()
                && !set(&[]).is_single()
                && !set(&[3, 4]).is_single()
        );
        assert_eq!(set(&[3, 64]).only_two(), Some([Cell::new(3), Cell::new(64)]));
        assert_eq!(cells.only_two().or(set(&[5]).only_two()), None);
    }

    #[test]
    fn set_operations() {
        let (a, b) = (set(&[1, 70]), set(&[1, 2, 70]));
        assert!(a.is_subset(&b) && !b.is_subset(&a) && a.intersects(&b));
        assert_eq!(b - a, set(&[2]));
        assert_eq!(a & b, a);
        assert_eq!(a | b, b);
        assert!(!(b - a).intersects(&a));
        assert!(set(&[]).is_empty());
    }
}
