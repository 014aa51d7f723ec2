//! Death blossom: a stem cell and, for each of its digits, an almost locked set (a petal) that would lose this digit.
//!
//! Why it is sound: the stem takes one of its digits, its petal loses that digit and so holds all its others. If all
//! petals share a further digit, one of them holds it, and whatever sees all its places in all petals is false.

use super::als::{self, Als};
use super::board::Board;
use super::{Found, Technique};
use crate::grid::{Cell, CellSet, Digit};
use crate::proof::{Because, Candidate, Inference, Node, OneOf, Step, Why};
use std::ops::ControlFlow;

/// Stems with more digits than this are not looked at.
const MOST_PETALS: usize = 4;

/// All death blossoms.
pub fn find<const W: usize>(position: &Board<W>, found: &mut Found<'_>) -> ControlFlow<()> {
    let sets = als::all(position, usize::MAX);
    for stem in position.empty() {
        let digits: Vec<Digit> = position.at(stem).collect();
        if !(2..=MOST_PETALS).contains(&digits.len()) {
            continue;
        }
        let seen = position.peers(stem);
        let petals_of = |digit: &Digit| {
            let fits = |set: &&Als<W>| {
                set.digits.contains(*digit)
                    && !set.cells.contains(stem)
                    && set.places(position, *digit).is_inside(&seen)
            };
            sets.iter().filter(fits).collect::<Vec<_>>()
        };
        let petals: Vec<Vec<&Als<W>>> = digits.iter().map(petals_of).collect();
        let shared =
            (position.all_digits() - position.at(stem)).map(|z| (z, position.places(z))).collect();
        let mut blossom =
            Blossom { position, stem, digits: &digits, petals: &petals, chosen: Vec::new() };
        blossom.grow(shared, found)?;
    }
    ControlFlow::Continue(())
}

struct Blossom<'a, const W: usize> {
    position: &'a Board<'a, W>,
    stem: Cell,
    digits: &'a [Digit],
    petals: &'a [Vec<&'a Als<W>>],
    chosen: Vec<&'a Als<W>>,
}

impl<const W: usize> Blossom<'_, W> {
    /// Adds a petal for the next digit; `shared` are the digits that all petals so far share, with their places that
    /// see all of the digit in these petals.
    fn grow(&mut self, shared: Vec<(Digit, CellSet<W>)>, found: &mut Found<'_>) -> ControlFlow<()> {
        let all_petals = self.petals;
        let Some(petals) = all_petals.get(self.chosen.len()) else {
            return self.report(&shared, found);
        };
        for &petal in petals {
            self.position.go_on()?;
            let still = |&(z, reach): &(Digit, CellSet<W>)| {
                let reach = reach & self.position.common_peers(petal.places(self.position, z));
                (petal.digits.contains(z) && !reach.is_empty()).then_some((z, reach))
            };
            let shared: Vec<(Digit, CellSet<W>)> = shared.iter().filter_map(still).collect();
            if !shared.is_empty() {
                self.chosen.push(petal);
                let flow = self.grow(shared, found);
                self.chosen.pop();
                flow?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Reports each shared digit, and all of them together if there are several.
    fn report(&self, shared: &[(Digit, CellSet<W>)], found: &mut Found<'_>) -> ControlFlow<()> {
        let removes = |&(z, reach): &(Digit, CellSet<W>)| Board::candidates_of(reach, z);
        if shared.len() > 1 {
            let because = Because::Together(shared.iter().map(|(z, _)| self.proof(*z)).collect());
            found(Step::remove(
                Technique::DeathBlossom,
                shared.iter().flat_map(removes).collect(),
                because,
            ))?;
        }
        for part in shared {
            found(Step::remove(
                Technique::DeathBlossom,
                removes(part).collect(),
                self.proof(part.0),
            ))?;
        }
        ControlFlow::Continue(())
    }

    fn proof(&self, z: Digit) -> Because {
        let branch = |(digit, petal): (&Digit, &&Als<W>)| {
            let stem = Node::single(Candidate::new(self.stem, *digit));
            let lost = petal.node(self.position, *digit);
            let held = petal.node(self.position, z);
            vec![
                Inference { node: stem, holds: true, why: Why::Assumed },
                Inference { node: lost, holds: false, why: Why::Seen },
                Inference { node: held, holds: true, why: Why::LockedIn(petal.cells.to_vec()) },
            ]
        };
        Because::Cases(
            OneOf::Cell(self.stem),
            self.digits.iter().zip(&self.chosen).map(branch).collect(),
        )
    }
}
