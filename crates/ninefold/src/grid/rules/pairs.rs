//! Relations between the digits of two cells: thermometers, dots, whispers, palindromes and more.
//!
//! Each digit of one cell becomes a clause: it is false, or the other cell contains one of the
//! digits that go with it. Unit propagation on these clauses makes both cells arc-consistent.

use super::compile::{Compiler, Term};
use crate::grid::{Cell, DigitSet, Order};

/// A relation between two digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Relation {
    /// a < b: thermometers, greater-than signs.
    Less,
    /// a ≤ b: slow thermometers.
    LessOrEqual,
    /// a = b: palindromes, clones.
    Equal,
    /// a ≠ b: anti-knight, anti-king.
    Different,
    /// |a − b| = n: white Kropki dots.
    Difference(u8),
    /// |a − b| ≠ n: nonconsecutive, negative dots.
    NotDifference(u8),
    /// |a − b| ≥ n: whispers, nabner lines.
    AtLeastApart(u8),
    /// 0 < |a − b| < n: each pair of a renban line with n cells.
    Within(u8),
    /// One digit is n times the other: black Kropki dots.
    Ratio(u8),
    /// No digit is n times the other.
    NotRatio(u8),
    /// a + b = n: X and V.
    Total(u8),
    /// a + b ≠ n: negative X and V.
    NotTotal(u8),
    /// Different classes of n consecutive digits: neighbours on an entropic line.
    OtherClass(u8),
    /// The same class of n consecutive digits.
    SameClass(u8),
    /// Different remainders modulo n: neighbours on a modular or parity line.
    OtherRemainder(u8),
    /// The same remainder modulo n.
    SameRemainder(u8),
}

impl Relation {
    /// Whether the relation holds for two digits.
    #[must_use]
    pub fn holds(self, a: u8, b: u8) -> bool {
        let distance = a.abs_diff(b);
        let (wide_a, wide_b) = (u16::from(a), u16::from(b));
        match self {
            Relation::Less => a < b,
            Relation::LessOrEqual => a <= b,
            Relation::Equal => a == b,
            Relation::Different => a != b,
            Relation::Difference(n) => distance == n,
            Relation::NotDifference(n) => distance != n,
            Relation::AtLeastApart(n) => distance >= n,
            Relation::Within(n) => distance > 0 && distance < n,
            Relation::Ratio(n) => {
                wide_a == u16::from(n) * wide_b || wide_b == u16::from(n) * wide_a
            }
            Relation::NotRatio(n) => !Relation::Ratio(n).holds(a, b),
            Relation::Total(n) => a + b == n,
            Relation::NotTotal(n) => a + b != n,
            Relation::OtherClass(n) => (a - 1) / n.max(1) != (b - 1) / n.max(1),
            Relation::SameClass(n) => !Relation::OtherClass(n).holds(a, b),
            Relation::OtherRemainder(n) => a % n.max(1) != b % n.max(1),
            Relation::SameRemainder(n) => !Relation::OtherRemainder(n).holds(a, b),
        }
    }
}

impl Relation {
    /// Whether the relation never holds for two equal digits.
    pub(super) fn excludes_equal_digits(self) -> bool {
        (1..=Order::MAX_SIDE as u8).all(|digit| !self.holds(digit, digit))
    }
}

impl Compiler {
    pub(super) fn pair(&mut self, a: Cell, b: Cell, relation: Relation) {
        if relation == Relation::Different {
            for digit in self.candidates[a.index()] & self.candidates[b.index()] {
                self.clause([!self.term(a, digit), !self.term(b, digit)]);
            }
            return;
        }
        self.supports(a, b, |x, y| relation.holds(x, y));
        self.supports(b, a, |y, x| relation.holds(x, y));
    }

    /// For each digit of `a`: it is false, or `b` contains a digit that goes with it.
    fn supports(&mut self, a: Cell, b: Cell, holds: impl Fn(u8, u8) -> bool) {
        let others = self.candidates[b.index()];
        for digit in self.candidates[a.index()] {
            let fits = |other: &crate::grid::Digit| holds(digit.number(), other.number());
            let excluded: DigitSet = others.filter(|other| !fits(other)).collect();
            let own = !self.term(a, digit);
            if excluded.is_empty() {
                continue;
            }
            // One excluded digit needs a binary clause only.
            if let Some(only) = excluded.only() {
                let other = !self.term(b, only);
                self.clause([own, other]);
                continue;
            }
            let mut terms: Vec<Term> =
                others.filter(fits).map(|other| self.term(b, other)).collect();
            terms.push(own);
            self.clause(terms);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relations_hold_for_the_digits_they_describe() {
        assert!(Relation::Ratio(2).holds(4, 2) && Relation::Ratio(2).holds(2, 4));
        assert!(!Relation::Ratio(2).holds(3, 2));
        assert!(Relation::OtherClass(3).holds(3, 4) && !Relation::OtherClass(3).holds(4, 6));
        assert!(Relation::Within(3).holds(7, 5) && !Relation::Within(3).holds(5, 5));
        assert!(Relation::SameRemainder(3).holds(2, 8));
    }
}
