//! Rules about groups of cells.
//!
//! | name | meaning | f-puzzles |
//! |---|---|---|
//! | extra region | the digits differ | `extraregion` |
//! | killer cage | the digits differ and have this sum | `killercage`, `cage` |
//! | clone | two groups contain the same digits, cell by cell | `clone` |
//! | quadruple | each digit of the circle is in its cells | `quadruple` |
//! | counting circles | a digit d in a circle is in exactly d circles | – (`countingcircles`) |
//!
//! Each is one primitive: [`Rule::Differ`], [`Rule::Cage`], [`Rule::Pairs`], [`Rule::Contains`] and
//! [`Rule::CountingCircles`].

use crate::grid::rules::context::Context;
use crate::grid::rules::{ConstraintError, Relation, Rule};
use crate::grid::{Cell, Digit};

type Lowered = Result<Vec<Rule>, ConstraintError>;

pub(super) fn extra_region(cells: &[Cell], context: &Context) -> Lowered {
    context.inside(cells)?;
    context.different(cells)?;
    Ok(vec![Rule::Differ(cells.to_vec())])
}

pub(super) fn cage(cells: &[Cell], sum: Option<u32>, context: &Context) -> Lowered {
    let Some(sum) = sum else { return extra_region(cells, context) };
    context.inside(cells)?;
    context.cage(cells, sum)?;
    Ok(vec![Rule::Cage { cells: cells.to_vec(), sum }])
}

pub(super) fn clone(cells: &[Cell], clones: &[Cell], context: &Context) -> Lowered {
    context.inside(cells)?;
    context.inside(clones)?;
    if cells.len() != clones.len() {
        let (first, second) = (cells.len(), clones.len());
        return Err(ConstraintError::DifferentSizes { first, second });
    }
    let pairs = cells.iter().copied().zip(clones.iter().copied()).collect();
    Ok(context.pairs(pairs, Relation::Equal))
}

pub(super) fn quadruple(cells: &[Cell], digits: &[Digit], context: &Context) -> Lowered {
    context.inside(cells)?;
    context.distinct(cells)?;
    context.digits_of_grid(digits.iter().copied().collect())?;
    if digits.len() > cells.len() {
        let (cells, digits) = (cells.len(), digits.len());
        return Err(ConstraintError::TooManyDigits { cells, digits });
    }
    Ok(vec![Rule::Contains { cells: cells.to_vec(), digits: digits.to_vec() }])
}

pub(super) fn counting_circles(cells: &[Cell], context: &Context) -> Lowered {
    context.inside(cells)?;
    context.distinct(cells)?;
    Ok(vec![Rule::CountingCircles(cells.to_vec())])
}

#[cfg(test)]
mod tests {
    use super::super::Constraint;
    use super::super::test_grid::{cells, error, holds};
    use crate::grid::{Digit, Order};

    fn cage(names: &str, sum: impl Into<Option<u32>>) -> Constraint {
        Constraint::Cage { cells: cells(names), sum: sum.into() }
    }

    fn quadruple(names: &str, digits: &[u8]) -> Constraint {
        let digits = digits.iter().filter_map(|&number| Digit::new(number)).collect();
        Constraint::Quadruple { cells: cells(names), digits }
    }

    fn clone(cells_of: &str, clones: &str) -> Constraint {
        Constraint::Clone { cells: cells(cells_of), clones: cells(clones) }
    }

    #[test]
    fn worked_examples() {
        // 5 + 3 = 8 in r1c1, r1c2; r1c1 and r3c7 both contain 5.
        assert!(holds(cage("r1c1 r1c2", 8)) && !holds(cage("r1c1 r1c2", 9)));
        assert!(holds(cage("r1c1 r2c2", None)) && !holds(cage("r1c1 r3c7", None)));
        assert!(holds(Constraint::ExtraRegion(cells("r1c1 r1c2"))));
        assert!(!holds(Constraint::ExtraRegion(cells("r1c1 r3c7"))));
        assert!(holds(clone("r1c1", "r3c7")) && !holds(clone("r1c1", "r1c2")));
        // Around the corner of r1c1: 5, 3, 6, 7.
        assert!(holds(quadruple("r1c1 r1c2 r2c1 r2c2", &[3, 7])));
        assert!(!holds(quadruple("r1c1 r1c2 r2c1 r2c2", &[1])));
        assert!(!holds(quadruple("r1c1 r1c2 r2c1 r2c2", &[3, 3])));
        // r1c8 contains 1, r2c3 and r1c9 contain 2.
        assert!(holds(Constraint::CountingCircles(cells("r1c8 r2c3 r1c9"))));
        assert!(!holds(Constraint::CountingCircles(cells("r1c8 r2c3"))));
    }

    #[test]
    fn names_groups_that_cannot_be_used() {
        let nine = |constraint| error(Order::NINE, constraint);
        assert_eq!(
            nine(cage("r1c1 r1c2", 18)),
            "killer cage of 18 at r1c1, r1c2: 2 different digits from 1 to 9 cannot have the sum 18"
        );
        assert_eq!(
            nine(clone("r1c1 r1c2", "r2c2 r3c3 r4c4")),
            "clone at r1c1, r1c2, r2c2, r3c3, r4c4: expected two groups of the same size, found 2 and 3 cells"
        );
        assert_eq!(nine(Constraint::ExtraRegion(Vec::new())), "extra region: a rule has no cells");
        assert_eq!(
            nine(quadruple("r1c1 r1c2", &[1, 2, 3])),
            "quadruple of 1, 2, 3 at r1c1, r1c2: 2 cells cannot contain 3 digits"
        );
        assert_eq!(
            nine(cage("r1c1 r1c1", None)),
            "killer cage at r1c1, r1c1: r1c1 appears twice in one rule"
        );
    }
}
