//! Colouring: pairs of candidates of which exactly one is true are linked into a cluster. The two
//! candidates of each pair get opposite colours, so all candidates of one colour are true, and all
//! of the other colour are false.
//!
//! Simple colours use one cluster of one digit. A candidate that sees both colours is false (trap).
//! A colour is false if two of its candidates see each other (wrap).
//!
//! Multi-colours use two clusters of one digit:
//! - Type 1: a colour of one cluster sees a colour of the other, so not both of them are true. Then
//!   at least one of the two opposite colours is true, and a candidate that sees both of these is
//!   false.
//! - Type 2: a colour of one cluster sees both colours of the other, so it is false.
//!
//! 3D Medusa colours several digits in one cluster and also joins the two candidates of bivalue
//! cells.

use super::board::Board;
use super::{StepSink, Technique};
use crate::grid::{CellSet, Digit};
use crate::proof::{Candidate, Cluster, OneOf, OneOrTwo, Reason, Step};
use std::ops::ControlFlow;

/// Cluster of one digit.
struct Colours<const W: usize> {
    digit: Digit,
    /// Cells of each colour.
    cells: [CellSet<W>; 2],
    /// Cells that see a cell of each colour.
    seen: [CellSet<W>; 2],
    cluster: Cluster,
}

/// Finds candidates that see both colours of a cluster.
pub fn trap<const W: usize>(position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
    position.each_digit(Technique::SimpleColoursTrap, emit, |digit, emit| {
        for colours in clusters(position, digit) {
            let hit = position.places(digit) & colours.seen[0] & colours.seen[1];
            report(Technique::SimpleColoursTrap, hit, digit, vec![colours.cluster], emit)?;
        }
        ControlFlow::Continue(())
    })
}

/// Finds colours with two candidates that see each other.
pub fn wrap<const W: usize>(position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
    position.each_digit(Technique::SimpleColoursWrap, emit, |digit, emit| {
        for colours in clusters(position, digit) {
            for cells in colours
                .cells
                .iter()
                .zip(colours.seen)
                .filter(|(cells, seen)| cells.intersects(seen))
            {
                let clusters = vec![colours.cluster.clone()];
                report(Technique::SimpleColoursWrap, *cells.0, digit, clusters, emit)?;
            }
        }
        ControlFlow::Continue(())
    })
}

/// Finds two clusters that see each other.
pub fn multi<const W: usize>(
    position: &Board<W>,
    kind: OneOrTwo,
    emit: &mut StepSink<'_>,
) -> ControlFlow<()> {
    position.each_digit(Technique::MultiColours(kind), emit, |digit, emit| {
        let all = clusters(position, digit);
        for (index, first) in all.iter().enumerate() {
            let first_partner = if kind == OneOrTwo::One { index + 1 } else { 0 };
            for second in all.iter().skip(first_partner) {
                if std::ptr::eq(first, second) {
                    continue;
                }
                let hit = match kind {
                    OneOrTwo::One => opposite_ends(position, first, second),
                    OneOrTwo::Two => sees_both(first, second),
                };
                if !hit.is_empty() {
                    let clusters = vec![first.cluster.clone(), second.cluster.clone()];
                    report(Technique::MultiColours(kind), hit, digit, clusters, emit)?;
                }
            }
        }
        ControlFlow::Continue(())
    })
}

/// Type 1: if two colours see each other, removes the candidates that see both opposite colours.
fn opposite_ends<const W: usize>(
    position: &Board<W>,
    a: &Colours<W>,
    b: &Colours<W>,
) -> CellSet<W> {
    let mut hit = CellSet::EMPTY;
    for (x, y) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        if a.cells[x].intersects(&b.seen[y]) {
            hit |= position.places(a.digit) & a.seen[1 - x] & b.seen[1 - y];
        }
    }
    hit
}

/// Type 2: returns a colour of `a` that sees both colours of `b`.
fn sees_both<const W: usize>(a: &Colours<W>, b: &Colours<W>) -> CellSet<W> {
    let is_false =
        |colour: &CellSet<W>| colour.intersects(&b.seen[0]) && colour.intersects(&b.seen[1]);
    a.cells.iter().find(|colour| is_false(colour)).copied().unwrap_or(CellSet::EMPTY)
}

fn report<const W: usize>(
    technique: Technique,
    hit: CellSet<W>,
    digit: Digit,
    clusters: Vec<Cluster>,
    emit: &mut StepSink<'_>,
) -> ControlFlow<()> {
    if hit.is_empty() {
        return ControlFlow::Continue(());
    }
    let removes = Board::candidates_of(hit, digit).collect();
    emit(Step::remove(technique, removes, Reason::Colours(clusters)))
}

/// Returns the clusters of a digit. Their candidates are joined by houses in which the digit has
/// two places.
fn clusters<const W: usize>(position: &Board<W>, digit: Digit) -> Vec<Colours<W>> {
    let mut left = position.places(digit);
    let mut all = Vec::new();
    while let Some(start) = left.first() {
        let cluster = grow(position, Candidate::new(start, digit), false);
        left.remove(start);
        if cluster.links.is_empty() {
            continue;
        }
        let set = |side: &[Candidate]| {
            side.iter().map(|candidate| candidate.cell).collect::<CellSet<W>>()
        };
        let cells = [set(&cluster.green), set(&cluster.blue)];
        let seen = cells.map(|cells| {
            cells.iter().fold(CellSet::EMPTY, |seen, cell| seen | position.peers(cell))
        });
        left -= cells[0] | cells[1];
        all.push(Colours { digit, cells, seen, cluster });
    }
    all
}

/// Colours all candidates that are connected to the start. `across_digits` also uses bivalue cells.
fn grow<const W: usize>(position: &Board<W>, start: Candidate, across_digits: bool) -> Cluster {
    let mut cluster = Cluster { green: vec![start], ..Cluster::default() };
    let mut queue = vec![(start, true)];
    while let Some((candidate, green)) = queue.pop() {
        for (partner, of) in partners(position, candidate, across_digits) {
            if cluster.green.contains(&partner) || cluster.blue.contains(&partner) {
                continue;
            }
            if green { &mut cluster.blue } else { &mut cluster.green }.push(partner);
            cluster.links.push((candidate, partner, of));
            queue.push((partner, !green));
        }
    }
    cluster
}

/// Returns the candidates for which this one is the only alternative.
fn partners<const W: usize>(
    position: &Board<W>,
    of: Candidate,
    across_digits: bool,
) -> Vec<(Candidate, OneOf)> {
    let Candidate { cell, digit } = of;
    let mut partners = Vec::new();
    for house in position.houses_of(cell) {
        if let Some(ends) = position.places_in(digit, house).only_two() {
            let other = if ends[0] == cell { ends[1] } else { ends[0] };
            partners
                .push((Candidate::new(other, digit), OneOf::House(position.house(house), digit)));
        }
    }
    if across_digits && position.at(cell).count() == 2 {
        let other = position.at(cell).without(digit).first().expect("the cell has two digits");
        partners.push((Candidate::new(cell, other), OneOf::Cell(cell)));
    }
    partners
}

/// Finds eliminations by colouring several digits. A colour is false if it contains a digit twice
/// in a house or two digits of a cell, or if it leaves a cell without a digit or a digit without a
/// place. Other candidates are false if they see both colours.
pub fn medusa<const W: usize>(position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
    let mut done: Vec<Candidate> = Vec::new();
    for cell in position.empty() {
        for digit in position.at(cell) {
            let start = Candidate::new(cell, digit);
            if done.contains(&start) {
                continue;
            }
            let cluster = grow(position, start, true);
            done.extend(cluster.green.iter().chain(&cluster.blue));
            if cluster.links.len() > 1 {
                report_medusa(position, cluster, emit)?;
            }
        }
    }
    ControlFlow::Continue(())
}

fn report_medusa<const W: usize>(
    position: &Board<W>,
    cluster: Cluster,
    emit: &mut StepSink<'_>,
) -> ControlFlow<()> {
    let consequences =
        [&cluster.green, &cluster.blue].map(|colour| ColourEffects::new(position, colour));
    let removes: Vec<Candidate> =
        match consequences.each_ref().map(|world| world.is_broken(position)) {
            [true, _] => cluster.green.clone(),
            [_, true] => cluster.blue.clone(),
            _ => {
                let is_removed = |candidate: &Candidate| {
                    consequences.iter().all(|world| world.rules_out(*candidate))
                };
                let all = position
                    .empty()
                    .into_iter()
                    .flat_map(|cell| position.at(cell).map(move |d| Candidate::new(cell, d)));
                all.filter(is_removed).collect()
            }
        };
    if removes.is_empty() {
        return ControlFlow::Continue(());
    }
    emit(Step::remove(Technique::Medusa, removes, Reason::Colours(vec![cluster])))
}

/// Remaining candidates if a colour is true.
struct ColourEffects<const W: usize> {
    on: Vec<Candidate>,
    /// For each digit, the places that the colour rules out.
    out: Vec<CellSet<W>>,
}

impl<const W: usize> ColourEffects<W> {
    fn new(position: &Board<W>, colour: &[Candidate]) -> ColourEffects<W> {
        let mut out = vec![CellSet::EMPTY; position.order().side()];
        for &Candidate { cell, digit } in colour {
            out[digit.index()] |= position.peers(cell);
            for other in position.at(cell).without(digit) {
                out[other.index()].insert(cell);
            }
        }
        ColourEffects { on: colour.to_vec(), out }
    }

    fn rules_out(&self, candidate: Candidate) -> bool {
        self.out[candidate.digit.index()].contains(candidate.cell)
    }

    fn is_broken(&self, position: &Board<W>) -> bool {
        self.on.iter().any(|&candidate| self.rules_out(candidate))
            || position.empty().iter().any(|cell| {
                position
                    .at(cell)
                    .into_iter()
                    .all(|digit| self.rules_out(Candidate::new(cell, digit)))
            })
            || position.all_digits().into_iter().any(|digit| {
                (0..position.house_count()).any(|house| {
                    let places = position.places_in(digit, house);
                    !places.is_empty() && places.is_subset(&self.out[digit.index()])
                })
            })
    }
}
