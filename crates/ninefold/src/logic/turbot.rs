//! Turbot fish family: two strong links of one digit joined by a weak link.
//!
//! Why they are sound: with strong links `a = b` and `c = d`, `b` and `c` are not both true. So `a`
//! or `d` is true, and a candidate that sees both is false.
//!
//! - Skyscraper: both strong links are in parallel lines.
//! - 2-string kite: one strong link is in a row and one in a column, and they meet in a box.
//! - Turbot fish: at least one strong link is in a box.
//! - Empty rectangle: the places in a box form a cross, so the digit is in one of its two arms.
//!   This is one of the strong links.

use super::board::Board;
use super::{StepSink, Technique};
use crate::grid::{Cell, CellSet, Digit};
use crate::proof::{Candidate, Chain, Node, OneOf, Reason, Step, Strong};
use std::ops::ControlFlow;

/// Finds skyscrapers, 2-string kites or turbot fish.
pub fn find<const W: usize>(
    position: &Board<W>,
    technique: Technique,
    emit: &mut StepSink<'_>,
) -> ControlFlow<()> {
    position.each_digit(technique, emit, |digit, emit| {
        let links = strong_links(position, digit);
        for (index, first) in links.iter().enumerate() {
            for second in links[index + 1..]
                .iter()
                .filter(|second| may_join(position, technique, first, second))
            {
                each_joint(position, digit, first, second, &mut |turbot| {
                    if turbot.technique(position) == technique {
                        emit(turbot.step(technique))
                    } else {
                        PROCEED
                    }
                })?;
            }
        }
        PROCEED
    })
}

/// Finds two kites joined by the same two cells of a box.
pub fn dual_kite<const W: usize>(position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
    let mut kites: Vec<Step> = Vec::new();
    find(position, Technique::TwoStringKite, &mut |step| {
        for other in &kites {
            if joint(other) == joint(&step) && other.removes != step.removes {
                emit(together(Technique::DualTwoStringKite, [other.clone(), step.clone()]))?;
            }
        }
        kites.push(step);
        PROCEED
    })
}

/// Returns the two inner cells of a kite. The two kites of a dual kite may have different digits.
fn joint(step: &Step) -> Option<Vec<Cell>> {
    let Reason::Chain(chain) = &step.reason else { return None };
    let mut inner: Vec<Cell> =
        chain.nodes[1..3].iter().flat_map(|node| node.cells.clone()).collect();
    inner.sort_unstable();
    Some(inner)
}

const PROCEED: ControlFlow<()> = ControlFlow::Continue(());

/// Returns true if two links of these types can form the technique. A skyscraper needs parallel
/// lines, a kite needs a row and a column.
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

/// Combines two steps.
fn together(technique: Technique, parts: [Step; 2]) -> Step {
    let removes = parts.iter().flat_map(|step| step.removes.clone()).collect();
    Step::remove(
        technique,
        removes,
        Reason::Together(parts.into_iter().map(|step| step.reason).collect()),
    )
}

/// House in which the digit has exactly two places.
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
    /// The outer, inner, inner and outer cell.
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
                - CellSet::from_cell(b)
                - CellSet::from_cell(c);
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
            // The inner cells must share a crossing line. Inside one box it would be a turbot fish
            // of another form.
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
        Step::remove(technique, removes, Reason::Chain(chain))
    }
}

/// Finds boxes whose places are in one row and one column, with a strong link that meets one of
/// these lines outside the box.
pub fn empty_rectangle<const W: usize>(
    position: &Board<W>,
    emit: &mut StepSink<'_>,
) -> ControlFlow<()> {
    position.each_digit(Technique::EmptyRectangle, emit, |digit, emit| {
        each_rectangle(position, digit, &mut |_, step| emit(step))
    })
}

/// Finds two empty rectangles in one box with different eliminations.
pub fn dual_empty_rectangle<const W: usize>(
    position: &Board<W>,
    emit: &mut StepSink<'_>,
) -> ControlFlow<()> {
    for digit in position.all_digits() {
        let mut seen: Vec<(usize, Step)> = Vec::new();
        each_rectangle(position, digit, &mut |square, step| {
            for (house, other) in &seen {
                if *house == square && other.removes != step.removes {
                    emit(together(Technique::DualEmptyRectangle, [other.clone(), step.clone()]))?;
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

/// Returns the rows and columns that cross in a box.
fn crosses<'a, const W: usize>(
    position: &'a Board<'_, W>,
    square: usize,
) -> impl Iterator<Item = (usize, usize)> + 'a {
    position.cells(square).into_iter().map(|cell| {
        let [row, column, _] = position.houses_of(cell);
        (row, column)
    })
}

/// The near end of the link sees one arm of the cross. Candidates that see its far end and the
/// other arm are removed.
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
    let hit = hit - CellSet::from_cell(near);
    if hit.is_empty() || other_arm.is_empty() || seen_arm == crossing && seen_arm == places {
        return None;
    }
    let node = |cells: CellSet<W>| Node { digit, cells: cells.to_vec() };
    let chain = Chain {
        nodes: vec![
            node(CellSet::from_cell(far)),
            node(CellSet::from_cell(near)),
            node(seen_arm),
            node(other_arm),
        ],
        strong: [link.house, square]
            .map(|house| Strong::OneOf(OneOf::House(position.house(house), digit)))
            .to_vec(),
        closed: false,
    };
    let removes = Board::candidates_of(hit, digit).collect();
    Some(Step::remove(Technique::EmptyRectangle, removes, Reason::Chain(chain)))
}
