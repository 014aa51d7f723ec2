//! Fish: one digit whose places in n base houses are all in n cover houses, except for its fins.
//!
//! Why they are sound: the n base houses need the digit n times. If all their places are in n cover
//! houses, these houses have the digit there and nowhere else. Base places that are outside the
//! cover houses, or in two base houses at once, are fins. Suppose a candidate that sees all fins
//! were true. Then all fins would be false, and the fish without fins would remove the candidate,
//! which is a contradiction.
//!
//! A basic fish uses rows against columns, a franken fish also uses boxes, and a mutant fish uses
//! any houses on both sides. A siamese fish combines two fish with fins that have the same base
//! houses.

use super::board::Board;
use super::fish_bases::{self, HouseKinds};
use super::{StepSink, Technique};
use crate::grid::{CellSet, Digit};
use crate::proof::{Candidate, Count, OneOf, Reason, Step, Truth};
use crate::proof::{Fins, Fish, Shape};
use std::ops::ControlFlow;

/// Finds all fish of one kind.
pub fn find<const W: usize>(
    position: &Board<W>,
    kind: Fish,
    emit: &mut StepSink<'_>,
) -> ControlFlow<()> {
    let size = kind.size().houses();
    if size >= position.order().side() {
        return ControlFlow::Continue(());
    }
    let sides = sides(position, kind.shape());
    let is_plain = kind == Fish::basic(kind.size());
    position.each_digit(Technique::Fish(kind), emit, |digit, emit| {
        if is_plain && !fish_bases::may_be_plain(position, digit, size) {
            return ControlFlow::Continue(());
        }
        for (bases, covers) in &sides {
            fish_bases::each(position, digit, kind, (bases, *covers), &mut |base| {
                let mut search =
                    Search { position, kind, digit, covers: *covers, base, catches: Vec::new() };
                search.fish_with_base(emit)
            })?;
        }
        ControlFlow::Continue(())
    })
}

/// Returns the houses that may be base and cover.
fn sides<const W: usize>(position: &Board<W>, shape: Shape) -> Vec<(Vec<usize>, HouseKinds)> {
    let side = position.order().side();
    let houses =
        |kinds: HouseKinds| (0..3 * side).filter(|house| kinds[house / side]).collect::<Vec<_>>();
    let (rows, columns) = match shape {
        Shape::Basic => ([true, false, false], [false, true, false]),
        Shape::Franken => ([true, false, true], [false, true, true]),
        Shape::Mutant => return vec![(houses([true; 3]), [true; 3])],
    };
    vec![(houses(rows), columns), (houses(columns), rows)]
}

struct Search<'a, const W: usize> {
    position: &'a Board<'a, W>,
    kind: Fish,
    digit: Digit,
    covers: HouseKinds,
    base: &'a [usize],
    /// For siamese fish: fish found with these base houses so far.
    catches: Vec<CompleteFish<W>>,
}

#[derive(Clone)]
struct CompleteFish<const W: usize> {
    covers: Vec<usize>,
    fins: Fins,
    shape: Shape,
    hit: CellSet<W>,
}

/// Cover houses chosen so far.
#[derive(Clone)]
struct Cover<const W: usize> {
    chosen: Vec<usize>,
    once: CellSet<W>,
    twice: CellSet<W>,
    fins: CellSet<W>,
    /// Places that see all fins.
    reach: CellSet<W>,
}

impl<const W: usize> Search<'_, W> {
    fn size(&self) -> usize {
        self.kind.size().houses()
    }

    /// Returns the places that see all these fins.
    fn reach(&self, fins: CellSet<W>) -> CellSet<W> {
        let places = self.position.places(self.digit);
        if fins.is_empty() { places } else { places & self.position.common_peers(fins) }
    }

    fn fish_with_base(&mut self, emit: &mut StepSink<'_>) -> ControlFlow<()> {
        let (mut cells, mut endo) = (CellSet::EMPTY, CellSet::EMPTY);
        for &house in self.base {
            let places = self.position.places_in(self.digit, house);
            endo |= cells & places;
            cells |= places;
        }
        let reach = self.reach(endo);
        if !endo.is_empty() && (self.kind.fins() == Fins::None || reach.is_empty()) {
            return ControlFlow::Continue(());
        }
        let (once, twice) = (CellSet::EMPTY, CellSet::EMPTY);
        let cover = Cover { chosen: Vec::new(), once, twice, fins: endo, reach };
        self.choose_cover(cells, cells - endo, cover, emit)
    }

    /// Takes the first base place that is neither covered nor a fin. It tries every house that can
    /// cover the place, and then makes it a fin. Houses around a fin can no longer become covers.
    fn choose_cover(
        &mut self,
        cells: CellSet<W>,
        open: CellSet<W>,
        cover: Cover<W>,
        emit: &mut StepSink<'_>,
    ) -> ControlFlow<()> {
        let Some(cell) = open.first() else {
            return if cover.chosen.len() == self.size() {
                self.report(cells, &cover, emit)
            } else {
                ControlFlow::Continue(())
            };
        };
        if cover.chosen.len() < self.size() {
            for house in self.position.houses_of(cell) {
                let around = self.position.cells(house);
                let kind = house / self.position.order().side();
                let refused = self.base.contains(&house) || !self.covers[kind];
                if refused || (cover.fins & cells & around).iter().any(|fin| !self.is_endo(fin)) {
                    continue;
                }
                let mut more = cover.clone();
                more.chosen.push(house);
                more.twice |= more.once & around;
                more.once |= around;
                self.choose_cover(cells, open - around, more, emit)?;
            }
        }
        if self.kind.fins() == Fins::None {
            return ControlFlow::Continue(());
        }
        let mut finned = cover;
        finned.fins.insert(cell);
        finned.reach &= self.position.peers(cell);
        if finned.reach.is_empty() {
            return ControlFlow::Continue(());
        }
        let mut open = open;
        open.remove(cell);
        self.choose_cover(cells, open, finned, emit)
    }

    /// Returns true if the cell is in two base houses.
    fn is_endo(&self, cell: crate::grid::Cell) -> bool {
        self.base.iter().filter(|&&house| self.position.cells(house).contains(cell)).count() > 1
    }

    fn report(
        &mut self,
        cells: CellSet<W>,
        cover: &Cover<W>,
        emit: &mut StepSink<'_>,
    ) -> ControlFlow<()> {
        let hit = (cover.reach & ((cover.once - cells) | (cover.twice & cells))) - cover.fins;
        if hit.is_empty() {
            return ControlFlow::Continue(());
        }
        let (fins, shape) = (self.fins_of(cover.fins), self.shape_of(&cover.chosen));
        if self.kind.is_siamese() {
            return self
                .pair_up(CompleteFish { covers: cover.chosen.clone(), fins, shape, hit }, emit);
        }
        if fins != self.kind.fins() || shape != self.kind.shape() {
            return ControlFlow::Continue(());
        }
        let reason = Reason::Count(self.proof(&cover.chosen));
        emit(Step::remove(Technique::Fish(self.kind), self.removes(hit), reason))
    }

    /// Combines a fish with earlier fish of the same base houses.
    fn pair_up(&mut self, catch: CompleteFish<W>, emit: &mut StepSink<'_>) -> ControlFlow<()> {
        for other in &self.catches {
            let new = !catch.hit.is_subset(&other.hit) && !other.hit.is_subset(&catch.hit);
            // The pair gets the name of its more complex fish.
            let named = catch.fins == self.kind.fins() || other.fins == self.kind.fins();
            let shaped = catch.shape.max(other.shape) == self.kind.shape();
            if new && named && shaped {
                let parts = [other, &catch].map(|catch| Reason::Count(self.proof(&catch.covers)));
                let removes = self.removes(catch.hit | other.hit);
                emit(Step::remove(
                    Technique::Fish(self.kind),
                    removes,
                    Reason::Together(parts.to_vec()),
                ))?;
            }
        }
        self.catches.push(catch);
        ControlFlow::Continue(())
    }

    fn removes(&self, hit: CellSet<W>) -> Vec<Candidate> {
        Board::candidates_of(hit, self.digit).collect()
    }

    fn proof(&self, covers: &[usize]) -> Count {
        let one_of = |house: &usize| OneOf::House(self.position.house(*house), self.digit);
        Count {
            truths: self.base.iter().map(one_of).map(Truth::OneOf).collect(),
            covers: covers.iter().map(one_of).collect(),
        }
    }

    fn shape_of(&self, covers: &[usize]) -> Shape {
        let side = self.position.order().side();
        let only = |houses: &[usize], kinds: [usize; 2]| {
            houses.iter().all(|house| kinds.contains(&(house / side)))
        };
        let both_ways = |a: [usize; 2], b: [usize; 2]| {
            (only(self.base, a) && only(covers, b)) || (only(self.base, b) && only(covers, a))
        };
        if both_ways([0, 0], [1, 1]) {
            Shape::Basic
        } else if both_ways([0, 2], [1, 2]) {
            Shape::Franken
        } else {
            Shape::Mutant
        }
    }

    fn fins_of(&self, fins: CellSet<W>) -> Fins {
        if fins.is_empty() {
            return Fins::None;
        }
        let left = |house: &usize| (self.position.places_in(self.digit, *house) - fins).count();
        let sashimi =
            self.kind.shape() == Shape::Basic && self.base.iter().any(|house| left(house) < 2);
        if sashimi { Fins::Sashimi } else { Fins::Finned }
    }
}
