//! A digit, and a set of digits as a bit mask.

use std::fmt;
use std::num::NonZeroU8;
use std::ops::{BitAnd, BitOr, Sub};
use std::str::FromStr;

/// A digit from 1 to the side of the grid: up to 9 in a 9×9 grid, up to 16 in a 16×16 grid.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digit(NonZeroU8);

impl Digit {
    /// The digit with this number; `None` for 0 and above 64, the largest side a grid can have.
    pub const fn new(number: u8) -> Option<Digit> {
        match NonZeroU8::new(number) {
            Some(number) if number.get() <= 64 => Some(Digit(number)),
            _ => None,
        }
    }

    /// The digit with this index, counted from 0: index 0 is the digit 1.
    ///
    /// # Panics
    /// If the index is 64 or more.
    pub const fn from_index(index: usize) -> Digit {
        assert!(index < 64, "a digit index must be below 64");
        match Digit::new(index as u8 + 1) {
            Some(digit) => digit,
            None => unreachable!(),
        }
    }

    /// The digit as a number, from 1.
    pub const fn number(self) -> u8 {
        self.0.get()
    }

    /// The index of the digit, counted from 0.
    pub const fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// A number or a text that is not a digit of any grid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected a digit from 1 to 64, found {found:?}")]
#[non_exhaustive]
pub struct DigitError {
    /// The number or text.
    pub found: String,
}

impl TryFrom<u8> for Digit {
    type Error = DigitError;

    fn try_from(number: u8) -> Result<Digit, DigitError> {
        Digit::new(number).ok_or_else(|| DigitError { found: number.to_string() })
    }
}

/// Parses a decimal number. Grids write digits above 9 as letters; see [`text`](super::text).
impl FromStr for Digit {
    type Err = DigitError;

    fn from_str(text: &str) -> Result<Digit, DigitError> {
        let digit = text.parse().ok().and_then(Digit::new);
        digit.ok_or_else(|| DigitError { found: text.to_string() })
    }
}

impl fmt::Display for Digit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Digit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A set of digits. Bit 0 is the digit 1, bit 63 the digit 64.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct DigitSet(u64);

impl DigitSet {
    /// The empty set.
    pub const EMPTY: DigitSet = DigitSet(0);

    /// The digits from 1 to `side`.
    pub const fn up_to(side: usize) -> DigitSet {
        if side >= 64 { DigitSet(u64::MAX) } else { DigitSet((1 << side) - 1) }
    }

    /// The set with these bits; bit 0 is the digit 1.
    pub const fn from_bits(bits: u64) -> DigitSet {
        DigitSet(bits)
    }

    /// The bits of the set; bit 0 is the digit 1.
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The set that contains only this digit.
    pub const fn from_digit(digit: Digit) -> DigitSet {
        DigitSet(1 << digit.index())
    }

    /// The number of digits in the set.
    pub const fn count(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set contains this digit.
    pub const fn contains(self, digit: Digit) -> bool {
        self.0 >> digit.index() & 1 == 1
    }

    /// The digit, if it is the only one.
    pub fn only(self) -> Option<Digit> {
        if self.0.is_power_of_two() { self.first() } else { None }
    }

    /// The smallest digit.
    pub fn first(self) -> Option<Digit> {
        (self.0 != 0).then(|| Digit::from_index(self.0.trailing_zeros() as usize))
    }

    /// A copy of the set with this digit added.
    pub const fn with(self, digit: Digit) -> DigitSet {
        DigitSet(self.0 | 1 << digit.index())
    }

    /// A copy of the set with this digit removed.
    pub const fn without(self, digit: Digit) -> DigitSet {
        DigitSet(self.0 & !(1 << digit.index()))
    }

    /// Adds a digit.
    pub fn insert(&mut self, digit: Digit) {
        *self = self.with(digit);
    }

    /// Removes a digit. Returns whether it was present.
    pub fn remove(&mut self, digit: Digit) -> bool {
        let was_there = self.contains(digit);
        *self = self.without(digit);
        was_there
    }
}

impl BitAnd for DigitSet {
    type Output = DigitSet;
    fn bitand(self, other: DigitSet) -> DigitSet {
        DigitSet(self.0 & other.0)
    }
}

impl BitOr for DigitSet {
    type Output = DigitSet;
    fn bitor(self, other: DigitSet) -> DigitSet {
        DigitSet(self.0 | other.0)
    }
}

impl Sub for DigitSet {
    type Output = DigitSet;
    fn sub(self, other: DigitSet) -> DigitSet {
        DigitSet(self.0 & !other.0)
    }
}

/// The digits in ascending order.
impl Iterator for DigitSet {
    type Item = Digit;

    fn next(&mut self) -> Option<Digit> {
        let digit = self.first()?;
        self.0 &= self.0 - 1;
        Some(digit)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (DigitSet::count(*self), Some(DigitSet::count(*self)))
    }
}

impl FromIterator<Digit> for DigitSet {
    fn from_iter<I: IntoIterator<Item = Digit>>(digits: I) -> DigitSet {
        digits.into_iter().fold(DigitSet::EMPTY, DigitSet::with)
    }
}

impl fmt::Debug for DigitSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_what_it_displays() {
        for digit in DigitSet::up_to(64) {
            assert_eq!(digit.to_string().parse(), Ok(digit));
            assert_eq!(Digit::try_from(digit.number()), Ok(digit));
        }
        let message = |text: &str| text.parse::<Digit>().unwrap_err().to_string();
        assert_eq!(message("x"), "expected a digit from 1 to 64, found \"x\"");
        assert_eq!(Digit::try_from(65).unwrap_err().found, "65");
        assert!(
            [" 5", "5 ", "", "256", "-1", "0"].iter().all(|text| text.parse::<Digit>().is_err())
        );
    }

    #[test]
    fn rejects_zero_and_sixty_five() {
        assert_eq!(Digit::new(0), None);
        assert_eq!(Digit::new(65), None);
        assert_eq!(Digit::new(64).map(Digit::index), Some(63));
    }

    #[test]
    fn set_iterates_in_ascending_order() {
        let set: DigitSet = [7, 2, 64].into_iter().filter_map(Digit::new).collect();
        assert_eq!(set.map(Digit::number).collect::<Vec<_>>(), [2, 7, 64]);
        assert_eq!(set.only(), None);
        assert_eq!(DigitSet::from_digit(Digit::from_index(4)).only(), Digit::new(5));
        assert_eq!(DigitSet::up_to(64).count(), 64);
        assert_eq!(DigitSet::EMPTY.only(), None);
    }
}
