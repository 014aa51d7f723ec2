//! Rules without some of their constraints, and the constraints that a grid breaks.

use super::Rules;
use crate::grid::Digit;
use std::sync::OnceLock;

impl Rules {
    /// The rules with only those constraints whose index satisfies `keep`.
    ///
    /// The other constraints keep their meaning: a dot that is left out does not become a pair that
    /// a negative rule excludes. This differs from adding fewer constraints to new rules, so the
    /// result is only for solving and checking; it still lists all constraints.
    pub(crate) fn restricted_to(&self, keep: impl Fn(usize) -> bool) -> Rules {
        let kept = self.rules.iter().zip(&self.origins).filter(|(_, origin)| keep(**origin));
        let (rules, origins) = kept.map(|(rule, origin)| (rule.clone(), *origin)).unzip();
        Rules {
            order: self.order,
            regions: self.regions.clone(),
            constraints: self.constraints.clone(),
            rules,
            origins,
            links: OnceLock::new(),
        }
    }

    /// The indices of the constraints that a full grid does not satisfy, in ascending order. Rows,
    /// columns and regions are not checked.
    ///
    /// # Panics
    /// If the number of digits is not the number of cells.
    #[must_use]
    pub fn broken_by(&self, grid: &[Digit]) -> Vec<usize> {
        let side = self.side();
        assert_eq!(grid.len(), side * side, "expected a digit for every cell");
        let broken = self.rules.iter().zip(&self.origins);
        let broken = broken.filter(|(rule, _)| !rule.holds_for(grid, side));
        let mut indices: Vec<usize> = broken.map(|(_, origin)| *origin).collect();
        indices.sort_unstable();
        indices.dedup();
        indices
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Constraint, Dot, Negative};
    use super::*;
    use crate::grid::Order;

    #[test]
    fn a_removed_dot_says_nothing_instead_of_the_opposite() {
        let order = Order::FOUR;
        let digits: Vec<Digit> =
            "1234341243212143".bytes().map(|sign| Digit::new(sign - b'0').unwrap()).collect();
        let mut dots = vec![Constraint::Negative(Negative::Difference)];
        for row in 0..4 {
            for column in 0..4 {
                for (down, right) in [(1, 0), (0, 1)] {
                    if row + down < 4 && column + right < 4 {
                        let cells =
                            [order.cell(row, column), order.cell(row + down, column + right)];
                        let [a, b] = cells.map(|cell| digits[cell.index()].number());
                        if a.abs_diff(b) == 1 {
                            dots.push(Constraint::Dot { kind: Dot::Difference(1), cells });
                        }
                    }
                }
            }
        }
        let mut rules = Rules::classic(order);
        rules.extend(dots.clone()).unwrap();
        assert!(rules.hold_for(&digits));
        assert!(rules.broken_by(&digits).is_empty());
        assert!(rules.restricted_to(|index| index != 1).hold_for(&digits));
        let mut fewer = Rules::classic(order);
        dots.remove(1);
        fewer.extend(dots).unwrap();
        assert!(!fewer.hold_for(&digits));
        assert_eq!(fewer.broken_by(&digits), [0]);
    }
}
