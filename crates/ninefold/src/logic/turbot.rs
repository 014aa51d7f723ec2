//! The turbot family: two strong links of one digit joined by a weak one.
//!
//! Why they are sound: the strong links are `a = b` and `c = d`, and `b` and `c` are not both true. So `a` or `d` is
//! true, and whatever sees both is false. A skyscraper has both strong links in parallel lines, a 2-string kite in a
//! row and a column that meet in a box, a turbot fish has one in a box. In an empty rectangle one strong link joins the
//! two arms of a cross that the places in a box form.

use super::board::Board;
use super::{Found, Technique};
use crate::grid::{Cell, CellSet, Digit};
use crate::proof::{Because, Candidate, Chain, Node, OneOf, Step, Strong};
use std::ops::ControlFlow;

/// Skyscraper, 2-string kite or turbot fish.
pub fn find<const W: usize>(
    position: &Board<W>,
    technique: Technique,
    found: &mut Found<'_>,
) -> ControlFlow<()> {
    position.each_digit(technique, found, |digit, found| {
        let links = strong_links(position, digit);
        for (index, first) in links.iter().enumerate() {
            for second in links[index + 1..]
                .iter()
                .filter(|second| may_join(position, technique, first, second))
            {
                each_joint(position, digit, first, second, &mut |turbot| {
                    if turbot.technique(position) == technique {
                        found(turbot.step(technique))
                    } else {
                        PROCEED
                    }
                })?;
            }
        }
        PROCEED
    })
}

/// Two kites joined by the same two cells of a box.
pub fn dual_kite<const W: usize>(position: &Board<W>, found: &mut Found<'_>) -> ControlFlow<()> {
    let mut kites: Vec<Step> = Vec::new();
    find(position, Technique::TwoStringKite, &mut |step| {
        for other in &kites {
            if joint(other) == joint(&step) && other.removes != step.removes {
                found(together(Technique::DualTwoStringKite, [other.clone(), step.clone()]))?;
            }
        }
        kites.push(step);
        PROCEED
    })
}

/// The two inner cells of a kite; the two kites of a dual kite may be about different digits.
fn joint(step: &Step) -> Option<Vec<Cell>> {
    let Because::Chain(chain) = &step.because else { return None };
    let mut inner: Vec<Cell> =
        chain.nodes[1..3].iter().flat_map(|node| node.cells.clone()).collect();
    inner.sort_unstable();
    Some(inner)
}

const PROCEED: ControlFlow<()> = ControlFlow::Continue(());

/// Can two links of these sorts make the technique? A skyscraper has parallel lines, a kite a row and a column.
fn may_join<const W: usize>(
    position: &Board<W>,
    technique: Technique,
    first: &Link,
    second: &Link,
) -> bool {
    let side = position.order().side();
    let sorts = (first.house / side, second.house / side);
    match technique {
        Technique::Skyscraper => sorts.0 == sorts.1 && sorts.0 < 2,
        Technique::TwoStringKite => sorts == (0, 1),
        _ => true,
    }
}

/// Two steps as one.
fn together(technique: Technique, parts: [Step; 2]) -> Step {
    let removes = parts.iter().flat_map(|step| step.removes.clone()).collect();
    Step::remove(
        technique,
        removes,
        Because::Together(parts.into_iter().map(|step| step.because).collect()),
    )
}

/// A house in which the digit has exactly two places.
struct Link {
    house: usize,
    ends: [Cell; 2],
}

fn strong_links<const W: usize>(position: &Board<W>, digit: Digit) -> Vec<Link> {
    let link =
        |house: usize| Some(Link { house, ends: position.places_in(digit, house).only_two()? });
    (0..position.house_count()).filter_map(link).collect()
}

/// Two links whose inner ends see each other.
struct Turbot<const W: usize> {
    digit: Digit,
    /// Outer, inner, inner, outer.
    cells: [Cell; 4],
    strong: [OneOf; 2],
    houses: [usize; 2],
    hit: CellSet<W>,
}

fn each_joint<const W: usize>(
    position: &Board<W>,
    digit: Digit,
    first: &Link,
    second: &Link,
    visit: &mut dyn FnMut(Turbot<W>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    if first.ends.iter().any(|end| second.ends.contains(end)) {
        return PROCEED;
    }
    for (a, b) in [(first.ends[0], first.ends[1]), (first.ends[1], first.ends[0])] {
        for (c, d) in [(second.ends[0], second.ends[1]), (second.ends[1], second.ends[0])] {
            if !position.peers(b).contains(c) {
                continue;
            }
            let hit = (position.peers(a) & position.peers(d) & position.places(digit))
                - CellSet::of(b)
                - CellSet::of(c);
            if hit.is_empty() {
                continue;
            }
            let strong =
                [first, second].map(|link| OneOf::House(position.house(link.house), digit));
            visit(Turbot {
                digit,
                cells: [a, b, c, d],
                strong,
                houses: [first.house, second.house],
                hit,
            })?;
        }
    }
    PROCEED
}

impl<const W: usize> Turbot<W> {
    fn technique(&self, position: &Board<W>) -> Technique {
        let side = position.order().side();
        let [first, second] = self.houses.map(|house| house / side);
        let [_, b, c, _] = self.cells.map(|cell| position.houses_of(cell));
        match (first, second) {
            // Joined in a line across; inside one box it would be a turbot fish of another shape.
            (0, 0) if b[1] == c[1] => Technique::Skyscraper,
            (1, 1) if b[0] == c[0] => Technique::Skyscraper,
            (0, 1) if b[2] == c[2] => Technique::TwoStringKite,
            _ => Technique::TurbotFish,
        }
    }

    fn step(&self, technique: Technique) -> Step {
        let node = |cell: &Cell| Node::single(Candidate::new(*cell, self.digit));
        let chain = Chain {
            nodes: self.cells.iter().map(node).collect(),
            strong: self.strong.map(Strong::OneOf).to_vec(),
            closed: false,
        };
        let removes = Board::candidates_of(self.hit, self.digit).collect();
        Step::remove(technique, removes, Because::Chain(chain))
    }
}

/// A box whose places lie in one row and one column, and a strong link that ends in one of them outside the box.
pub fn empty_rectangle<const W: usize>(
    position: &Board<W>,
    found: &mut Found<'_>,
) -> ControlFlow<()> {
    position.each_digit(Technique::EmptyRectangle, found, |digit, found| {
        each_rectangle(position, digit, &mut |_, step| found(step))
    })
}

/// Two empty rectangles in one box with different eliminations.
pub fn dual_empty_rectangle<const W: usize>(
    position: &Board<W>,
    found: &mut Found<'_>,
) -> ControlFlow<()> {
    for digit in position.all_digits() {
        let mut seen: Vec<(usize, Step)> = Vec::new();
        each_rectangle(position, digit, &mut |square, step| {
            for (house, other) in &seen {
                if *house == square && other.removes != step.removes {
                    found(together(Technique::DualEmptyRectangle, [other.clone(), step.clone()]))?;
                }
            }
            seen.push((square, step));
            PROCEED
        })?;
    }
    PROCEED
}

fn each_rectangle<const W: usize>(
    position: &Board<W>,
    digit: Digit,
    visit: &mut dyn FnMut(usize, Step) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let side = position.order().side();
    let links = strong_links(position, digit);
    for square in position.boxes() {
        let places = position.places_in(digit, square);
        if places.count() < 2 {
            continue;
        }
        for (row, column) in crosses(position, square) {
            let (in_row, in_column) =
                (places & position.cells(row), places & position.cells(column));
            let is_cross = (places - in_row - in_column).is_empty();
            if !is_cross
                || in_row.is_empty()
                || in_column.is_empty()
                || places == in_row
                || places == in_column
            {
                continue;
            }
            for link in links.iter().filter(|link| link.house < 2 * side) {
                for (near, far) in [(link.ends[0], link.ends[1]), (link.ends[1], link.ends[0])] {
                    for (arm, other) in [(row, column), (column, row)] {
                        if let Some(step) =
                            rectangle(position, digit, square, (arm, other), link, (near, far))
                        {
                            visit(square, step)?;
                        }
                    }
                }
            }
        }
    }
    PROCEED
}

/// The rows and columns that cross in a box.
fn crosses<'a, const W: usize>(
    position: &'a Board<'_, W>,
    square: usize,
) -> impl Iterator<Item = (usize, usize)> + 'a {
    position.cells(square).into_iter().map(|cell| {
        let [row, column, _] = position.houses_of(cell);
        (row, column)
    })
}

/// The link's near end sees one arm of the cross; what sees its far end and the other arm goes.
fn rectangle<const W: usize>(
    position: &Board<W>,
    digit: Digit,
    square: usize,
    (arm, other): (usize, usize),
    link: &Link,
    (near, far): (Cell, Cell),
) -> Option<Step> {
    let places = position.places_in(digit, square);
    let seen_arm = places & position.cells(arm);
    let other_arm = places - seen_arm;
    let outside = |cell: Cell| !position.cells(square).contains(cell);
    if !position.cells(arm).contains(near) || !outside(near) || !outside(far) {
        return None;
    }
    let crossing = position.cells(arm) & position.cells(other);
    let line = position.cells(other) - position.cells(square);
    let hit =
        position.places(digit) & line & position.peers(far) & position.common_peers(other_arm);
    let hit = hit - CellSet::of(near);
    if hit.is_empty() || other_arm.is_empty() || seen_arm == crossing && seen_arm == places {
        return None;
    }
    let node = |cells: CellSet<W>| Node { digit, cells: cells.to_vec() };
    let chain = Chain {
        nodes: vec![
            node(CellSet::of(far)),
            node(CellSet::of(near)),
            node(seen_arm),
            node(other_arm),
        ],
        strong: [link.house, square]
            .map(|house| Strong::OneOf(OneOf::House(position.house(house), digit)))
            .to_vec(),
        closed: false,
    };
    let removes = Board::candidates_of(hit, digit).collect();
    Some(Step::remove(Technique::EmptyRectangle, removes, Because::Chain(chain)))
}
