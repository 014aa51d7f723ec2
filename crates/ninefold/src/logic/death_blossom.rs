//! Death blossom: a stem cell with one almost locked set (a petal) for each of its digits.
//!
//! Why it is sound: the stem takes one of its digits. The petal of this digit loses it and
//! therefore contains all its other digits. If all petals share a further digit, one of them
//! contains it, and any candidate that sees all its places in all petals is false.

use super::als::{self, Als};
use super::board::Board;
use super::{StepSink, Technique};
use crate::grid::{Cell, CellSet, Digit};
use crate::proof::{Candidate, Inference, InferenceReason, Node, OneOf, Reason, Step};
use std::ops::ControlFlow;

/// Maximum number of digits of a stem.
const MAX_PETALS: usize = 4;

/// Finds all death blossoms.
pub fn find<const W: usize>(position: &Board<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
    let sets = als::all(position, usize::MAX);
    for stem in position.empty() {
        let digits: Vec<Digit> = position.at(stem).collect();
        if !(2..=MAX_PETALS).contains(&digits.len()) {
            continue;
        }
        let seen = position.peers(stem);
        let petals_of = |digit: &Digit| {
            let fits = |set: &&Als<W>| {
                set.digits.contains(*digit)
                    && !set.cells.contains(stem)
                    && set.places(position, *digit).is_subset(&seen)
            };
            sets.iter().filter(fits).collect::<Vec<_>>()
        };
        let petals: Vec<Vec<&Als<W>>> = digits.iter().map(petals_of).collect();
        let shared =
            (position.all_digits() - position.at(stem)).map(|z| (z, position.places(z))).collect();
        let mut blossom =
            Blossom { position, stem, digits: &digits, petals: &petals, chosen: Vec::new() };
        blossom.grow(shared, emit)?;
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
    /// Adds a petal for the next digit. `shared` contains the digits that all petals so far share,
    /// each with the places outside that see all its places in these petals.
    fn grow(
        &mut self,
        shared: Vec<(Digit, CellSet<W>)>,
        emit: &mut StepSink<'_>,
    ) -> ControlFlow<()> {
        let all_petals = self.petals;
        let Some(petals) = all_petals.get(self.chosen.len()) else {
            return self.report(&shared, emit);
        };
        for &petal in petals {
            self.position.check_limits()?;
            let still = |&(z, reach): &(Digit, CellSet<W>)| {
                let reach = reach & self.position.common_peers(petal.places(self.position, z));
                (petal.digits.contains(z) && !reach.is_empty()).then_some((z, reach))
            };
            let shared: Vec<(Digit, CellSet<W>)> = shared.iter().filter_map(still).collect();
            if !shared.is_empty() {
                self.chosen.push(petal);
                let flow = self.grow(shared, emit);
                self.chosen.pop();
                flow?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Reports each shared digit, and all of them together if there are several.
    fn report(&self, shared: &[(Digit, CellSet<W>)], emit: &mut StepSink<'_>) -> ControlFlow<()> {
        let removes = |&(z, reach): &(Digit, CellSet<W>)| Board::candidates_of(reach, z);
        if shared.len() > 1 {
            let reason = Reason::Together(shared.iter().map(|(z, _)| self.proof(*z)).collect());
            emit(Step::remove(
                Technique::DeathBlossom,
                shared.iter().flat_map(removes).collect(),
                reason,
            ))?;
        }
        for part in shared {
            emit(Step::remove(
                Technique::DeathBlossom,
                removes(part).collect(),
                self.proof(part.0),
            ))?;
        }
        ControlFlow::Continue(())
    }

    fn proof(&self, z: Digit) -> Reason {
        let branch = |(digit, petal): (&Digit, &&Als<W>)| {
            let stem = Node::single(Candidate::new(self.stem, *digit));
            let lost = petal.node(self.position, *digit);
            let held = petal.node(self.position, z);
            vec![
                Inference { node: stem, holds: true, reason: InferenceReason::Assumed },
                Inference { node: lost, holds: false, reason: InferenceReason::Seen },
                Inference {
                    node: held,
                    holds: true,
                    reason: InferenceReason::LockedIn(petal.cells.to_vec()),
                },
            ]
        };
        Reason::Cases(
            OneOf::Cell(self.stem),
            self.digits.iter().zip(&self.chosen).map(branch).collect(),
        )
    }
}
