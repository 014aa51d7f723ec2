//! Lines through cells.
//!
//! | name | meaning | f-puzzles |
//! |---|---|---|
//! | thermometer | digits increase from the bulb | `thermometer` |
//! | slow thermometer | digits never decrease from the bulb | `slowthermometer` |
//! | whispers line | neighbours differ by at least 5 (half of the side, or the number) | `whispers` |
//! | palindrome | reads the same from both ends | `palindrome` |
//! | renban line | consecutive digits in any order | `renban` |
//! | nabner line | no two digits are equal or consecutive | `nabner` |
//! | entropic line | any three cells in a row have a low, a middle and a high digit | `entropicline` |
//! | modular line | any n cells in a row have different remainders modulo n | `modularline` |
//! | between line | digits are strictly between those at the ends | `betweenline` |
//! | lockout line | ends differ by at least 4 (or the number), the others are outside of them | `lockout` |
//! | region sum line | equal sums in every region that the line crosses | `regionsumline` |
//! | zipper line | equal sums at equal distance from the middle | `zipperline` |
//! | double arrow | the digits between the ends have the sum of the ends | `doublearrow` |
//!
//! Relations of two digits become [`Rule::Pairs`], sums [`Rule::Sum`], and between, lockout and
//! region sum lines [`Rule::Line`]. A line may cross itself where its rule has a meaning for that; a
//! closed thermometer has no solution. A line of one cell says nothing.

use super::LineRule;
use crate::grid::Cell;
use crate::grid::rules::context::{Context, Pair, all_pairs, in_range};
use crate::grid::rules::{ConstraintError, LineKind, Relation, Rule};

impl LineRule {
    pub(super) fn name(self) -> &'static str {
        match self {
            LineRule::Thermometer => "thermometer",
            LineRule::SlowThermometer => "slow thermometer",
            LineRule::Whispers(_) => "whispers line",
            LineRule::Palindrome => "palindrome",
            LineRule::Renban => "renban line",
            LineRule::Nabner => "nabner line",
            LineRule::Entropic => "entropic line",
            LineRule::Modular(_) => "modular line",
            LineRule::Between => "between line",
            LineRule::Lockout(_) => "lockout line",
            LineRule::RegionSum => "region sum line",
            LineRule::Zipper => "zipper line",
            LineRule::DoubleArrow => "double arrow",
        }
    }

    pub(super) fn number(self) -> Option<u8> {
        match self {
            LineRule::Whispers(n) | LineRule::Modular(n) | LineRule::Lockout(n) => Some(n),
            _ => None,
        }
    }

    pub(super) fn lower(
        self,
        cells: &[Cell],
        context: &Context,
    ) -> Result<Vec<Rule>, ConstraintError> {
        context.inside(cells)?;
        let side = context.side() as u32;
        let steps = || -> Vec<Pair> { cells.windows(2).map(|pair| (pair[0], pair[1])).collect() };
        Ok(match self {
            LineRule::Thermometer => {
                context.not_too_many(cells.len())?;
                context.pairs(steps(), Relation::Less)
            }
            LineRule::SlowThermometer => context.pairs(steps(), Relation::LessOrEqual),
            LineRule::Whispers(distance) => {
                in_range(distance.into(), 0, side - 1)?;
                context.pairs(steps(), Relation::AtLeastApart(distance))
            }
            LineRule::Palindrome => {
                let ends = cells.iter().zip(cells.iter().rev()).take(cells.len() / 2);
                context.pairs(ends.map(|(&a, &b)| (a, b)).collect(), Relation::Equal)
            }
            LineRule::Renban => {
                context.different(cells)?;
                let mut rules = vec![Rule::Differ(cells.to_vec())];
                let within = Relation::Within(cells.len() as u8);
                rules.extend(context.pairs(all_pairs(cells), within));
                rules
            }
            LineRule::Nabner => {
                context.different(cells)?;
                context.pairs(all_pairs(cells), Relation::AtLeastApart(2))
            }
            LineRule::Entropic => {
                // Low, middle and high are thirds of the digits.
                let third = side.div_ceil(3) as u8;
                let (other, same) = (Relation::OtherClass(third), Relation::SameClass(third));
                repeating(cells, 3, other, same, context)
            }
            LineRule::Modular(n) => {
                in_range(n.into(), 1, side)?;
                let (other, same) = (Relation::OtherRemainder(n), Relation::SameRemainder(n));
                repeating(cells, n.into(), other, same, context)
            }
            LineRule::Between => with_ends_first(cells, LineKind::Between, context)?,
            LineRule::Lockout(distance) => {
                in_range(distance.into(), 0, side - 1)?;
                with_ends_first(cells, LineKind::Lockout(distance), context)?
            }
            LineRule::RegionSum => {
                context.distinct(cells)?;
                let regions: Vec<_> =
                    cells.iter().map(|cell| context.regions[cell.index()]).collect();
                let lengths: Vec<usize> = regions.chunk_by(|a, b| a == b).map(<[_]>::len).collect();
                if lengths.len() < 2 {
                    return Ok(Vec::new());
                }
                vec![Rule::Line { cells: cells.to_vec(), kind: LineKind::EqualSums(lengths) }]
            }
            LineRule::Zipper => zipper(cells),
            LineRule::DoubleArrow => {
                let last = cells.len() - 1;
                if last < 2 {
                    return Err(ConstraintError::ShortLine);
                }
                let sign = |at| if at == 0 || at == last { -1 } else { 1 };
                let terms = cells.iter().enumerate().map(|(at, &cell)| (sign(at), cell)).collect();
                vec![Rule::Sum { terms, total: 0 }]
            }
        })
    }
}

/// Any `period` cells in a row have different classes, so the classes repeat.
fn repeating(
    cells: &[Cell],
    period: usize,
    other: Relation,
    same: Relation,
    context: &Context,
) -> Vec<Rule> {
    let mut rules = Vec::new();
    for distance in 1..=period {
        let pairs = cells.iter().zip(cells.iter().skip(distance)).map(|(&a, &b)| (a, b)).collect();
        rules.extend(context.pairs(pairs, if distance == period { same } else { other }));
    }
    rules
}

/// A rule about the ends and the cells between them. [`LineKind`] expects the ends first.
fn with_ends_first(
    cells: &[Cell],
    kind: LineKind,
    context: &Context,
) -> Result<Vec<Rule>, ConstraintError> {
    context.distinct(cells)?;
    let mut cells = cells.to_vec();
    if cells.len() < 2 {
        return Ok(Vec::new());
    }
    cells[1..].rotate_right(1);
    Ok(vec![Rule::Line { cells, kind }])
}

/// Cells at equal distance from the middle have equal sums, which is the digit in the middle if
/// there is one.
fn zipper(cells: &[Cell]) -> Vec<Rule> {
    let half = cells.len() / 2;
    let pair = |at: usize| [(1, cells[at]), (1, cells[cells.len() - 1 - at])];
    let mut rules = Vec::new();
    for at in 0..half {
        let mut terms = pair(at).to_vec();
        if cells.len() % 2 == 1 {
            terms.push((-1, cells[half]));
        } else if at > 0 {
            terms.extend(pair(0).map(|(coefficient, cell)| (-coefficient, cell)));
        } else {
            continue;
        }
        rules.push(Rule::Sum { terms, total: 0 });
    }
    rules
}

#[cfg(test)]
mod tests {
    use super::super::test_grid::{cells, error, holds, line};
    use super::super::{Constraint, LineRule};
    use crate::Limits;
    use crate::grid::rules::Rules;
    use crate::grid::{Cell, Order};
    use crate::search::rules::solve;

    /// Row 1 is 5 3 4 6 7 8 9 1 2, and r3c7 contains 5.
    #[test]
    fn worked_examples() {
        use LineRule::*;
        let cases = [
            (Thermometer, "r1c2 r1c3 r1c4 r1c5", true),
            (Thermometer, "r1c5 r1c4", false),
            (SlowThermometer, "r1c1 r3c7 r1c4", true),
            (SlowThermometer, "r1c4 r1c1", false),
            (Whispers(5), "r1c8 r1c7", true),
            (Whispers(5), "r1c2 r1c3", false),
            (Palindrome, "r1c1 r1c2 r3c7", true),
            (Palindrome, "r1c1 r1c2 r1c3", false),
            (Renban, "r1c1 r1c3 r1c2", true),
            (Renban, "r1c1 r1c2", false),
            (Nabner, "r1c1 r1c2", true),
            (Nabner, "r1c2 r1c3", false),
            (Entropic, "r1c1 r1c2 r1c5", true),
            (Entropic, "r1c1 r1c4", false),
            (Modular(3), "r1c1 r1c2 r1c5", true),
            (Modular(3), "r1c1 r1c6", false),
            (Modular(2), "r1c1 r1c3 r1c2", true),
            (Between, "r1c2 r1c1 r1c7", true),
            (Between, "r1c1 r1c7 r1c4", false),
            (Lockout(4), "r1c7 r1c2 r1c1", true),
            (Lockout(4), "r1c7 r1c4 r1c1", false),
            (RegionSum, "r1c2 r1c3 r1c5", true),
            (RegionSum, "r1c1 r1c5", false),
            (RegionSum, "r1c1 r1c2", true),
            (Zipper, "r1c2 r1c5 r1c3", true),
            (Zipper, "r1c2 r1c4 r1c3", false),
            (Zipper, "r1c1 r1c3 r1c1 r1c2", false),
            (DoubleArrow, "r1c2 r1c5 r1c3", true),
            (DoubleArrow, "r1c2 r1c4 r1c3", false),
            (Thermometer, "r1c1", true),
        ];
        for (kind, names, expected) in cases {
            assert_eq!(holds(line(kind, names)), expected, "{kind:?} {names}");
        }
    }

    #[test]
    fn entropic_lines_divide_the_digits_into_thirds() {
        let six = Order::new(2, 3).unwrap();
        let entropic = |cells: [usize; 3]| {
            let cells = cells.map(Cell::new).to_vec();
            let line = Constraint::Line { kind: LineRule::Entropic, cells };
            super::super::test_grid::holds_in(six, "123456456123231564564231312645645312", line)
        };
        assert!(entropic([0, 2, 4]), "1, 3, 5 are low, middle and high");
        assert!(!entropic([0, 1, 4]), "1 and 2 are both low");
    }

    #[test]
    fn a_closed_thermometer_has_no_solution() {
        let names = "r1c1 r1c2 r2c2 r2c1 r1c1";
        let rules = Rules::classic(Order::NINE).with(line(LineRule::Thermometer, names)).unwrap();
        let found = solve(&rules, &[None; 81], 1, &Limits::none());
        assert!(found.solutions.is_empty() && found.effort.stop.is_none());
        assert!(!holds(line(LineRule::Thermometer, "r1c1 r1c1")));
        assert!(holds(line(LineRule::SlowThermometer, "r1c1 r1c1")));
    }

    #[test]
    fn names_lines_that_cannot_be_used() {
        let nine = |constraint| error(Order::NINE, constraint);
        let row = "r1c1 r1c2 r1c3 r1c4 r1c5 r1c6 r1c7 r1c8 r1c9 r2c9";
        assert_eq!(
            nine(line(LineRule::Thermometer, row)),
            "thermometer at r1c1, r1c2, r1c3, r1c4, r1c5, r1c6, r1c7, r1c8, … (10): 10 cells cannot \
             have different digits from 1 to 9"
        );
        assert_eq!(
            nine(line(LineRule::Whispers(9), "r1c1 r1c2")),
            "whispers line of 9 at r1c1, r1c2: expected a number from 0 to 8, found 9"
        );
        assert_eq!(
            nine(line(LineRule::DoubleArrow, "r1c1 r1c2")),
            "double arrow at r1c1, r1c2: a line has no cell outside the circle"
        );
        let outside = Constraint::Line { kind: LineRule::Renban, cells: vec![Cell::new(81)] };
        assert_eq!(nine(outside), "renban line at r10c1: cell 81 is outside a grid of 81 cells");
        assert_eq!(cells("r1c1").len(), 1);
    }
}
