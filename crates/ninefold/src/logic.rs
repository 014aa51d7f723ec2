//! Human solving techniques that find steps and give a reason for each.
//!
//! Each family of techniques has its own file. A finder is a function that takes a board and passes
//! every [`Step`] that it finds to a callback. Every step contains a proof, which
//! [`proof::check`](crate::proof::check()) verifies independently of the finder. The iterator
//! [`Steps`] applies one step after another, from a position to the solution.
//!
//! ```
//! use ninefold::grid::{Grid, Position};
//! use ninefold::logic;
//! use ninefold::proof::Technique;
//!
//! let puzzle: Grid =
//!     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
//!         .parse()?;
//! let position = Position::from_puzzle(&puzzle)?;
//! let step = logic::find(Technique::NakedSingle, &position).expect("there is a naked single");
//! assert_eq!(puzzle.order().name_of(step.places[0].cell), "r5c5");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod aligned;
mod als;
mod board;
mod bug;
mod chains;
mod colouring;
mod deadly;
mod death_blossom;
mod direct;
mod exocet;
mod fish;
mod fish_bases;
mod forcing;
mod implications;
mod impossible;
mod kraken;
mod links;
mod locked;
mod negative_cache;
mod nested;
mod order;
mod rectangle;
#[doc(hidden)]
pub mod reglib;
mod remote_pair;
mod sectors;
mod singles;
pub mod six_rules;
mod steps;
mod subsets;
mod sue_de_coq;
mod templates;
mod turbot;
mod unique_loop;
mod variants;
mod wings;

pub use order::{default_order, default_order_with};
pub use steps::{ExplainOptions, Preference, SinglesOrder, Steps, StepsOutcome};

use crate::grid::Position;
use crate::limits::{Deadline, Limits};
use crate::proof::{Step, Technique};
use board::Board;
use std::ops::ControlFlow;
use steps::DynBoard;
use variants::Variant;

/// Callback that a finder calls with each step. It decides whether the search continues.
type StepSink<'a> = dyn FnMut(Step) -> ControlFlow<()> + 'a;

/// Calls a function that is generic over the number of words in a [`CellSet`](crate::grid::CellSet)
/// with the smallest width for the grid size: 2 words up to 11×11, 10 up to 25×25, 64 for larger
/// grids.
macro_rules! with_width {
    ($order:expr, $function:ident($($argument:expr),*)) => {
        match $order.cell_count() {
            ..=128 => $function::<2>($($argument),*),
            129..=640 => $function::<10>($($argument),*),
            _ => $function::<64>($($argument),*),
        }
    };
}

/// Passes every step of a technique to `emit`, until `emit` stops the search.
fn each_step<const W: usize>(
    technique: Technique,
    position: &Board<W>,
    emit: &mut StepSink<'_>,
) -> ControlFlow<()> {
    match technique {
        Technique::FullHouse => singles::full_house(position, emit),
        Technique::NakedSingle => singles::naked(position, emit),
        Technique::HiddenSingle => singles::hidden(position, emit),
        Technique::DirectPointing => direct::pointing(position, emit),
        Technique::DirectClaiming => direct::claiming(position, emit),
        Technique::DirectHiddenPair => direct::hidden(position, technique, 2, emit),
        Technique::DirectHiddenTriple => direct::hidden(position, technique, 3, emit),
        Technique::Pointing => locked::pointing(position, emit),
        Technique::Claiming => locked::claiming(position, emit),
        Technique::LockedPair => subsets::locked(position, technique, 2, emit),
        Technique::LockedTriple => subsets::locked(position, technique, 3, emit),
        Technique::NakedSubset(size) => subsets::naked(position, size, emit),
        Technique::HiddenSubset(size) => subsets::hidden(position, size, emit),
        Technique::Fish(kind) => fish::find(position, kind, emit),
        Technique::Skyscraper | Technique::TwoStringKite | Technique::TurbotFish => {
            turbot::find(position, technique, emit)
        }
        Technique::DualTwoStringKite => turbot::dual_kite(position, emit),
        Technique::EmptyRectangle => turbot::empty_rectangle(position, emit),
        Technique::DualEmptyRectangle => turbot::dual_empty_rectangle(position, emit),
        Technique::WWing => wings::w_wing(position, emit),
        Technique::XyWing => wings::xy_wing(position, emit),
        Technique::XyzWing => wings::xyz_wing(position, emit),
        Technique::LargeWing(size) => wings::large(position, size, emit),
        Technique::UniqueRectangle(_)
        | Technique::HiddenRectangle
        | Technique::AvoidableRectangle(_) => rectangle::find(position, technique, emit),
        Technique::UniqueLoop(kind) => unique_loop::find(position, kind, emit),
        Technique::Bug(kind) => bug::find(position, kind, emit),
        Technique::SimpleColoursTrap => colouring::trap(position, emit),
        Technique::SimpleColoursWrap => colouring::wrap(position, emit),
        Technique::MultiColours(kind) => colouring::multi(position, kind, emit),
        Technique::Medusa => colouring::medusa(position, emit),
        Technique::SueDeCoq => sue_de_coq::find(position, emit),
        Technique::TemplateSet => templates::set(position, emit),
        Technique::TemplateDelete => templates::delete(position, emit),
        Technique::AlsXz => als::xz(position, emit),
        Technique::AlsXyWing => als::xy_wing(position, emit),
        Technique::AlsXyChain => als::xy_chain(position, emit),
        Technique::DeathBlossom => death_blossom::find(position, emit),
        Technique::RemotePair => remote_pair::find(position, emit),
        Technique::XChain => chains::x_chain(position, emit),
        Technique::XyChain => chains::xy_chain(position, emit),
        Technique::ContinuousNiceLoop { grouped } => chains::continuous(position, grouped, emit),
        Technique::DiscontinuousNiceLoop { grouped } => {
            chains::discontinuous(position, grouped, emit)
        }
        Technique::Aic { grouped } => chains::aic(position, grouped, emit),
        Technique::AlignedPairExclusion => aligned::pairs(position, emit),
        Technique::AlignedTripleExclusion => aligned::triples(position, emit),
        Technique::KrakenFish(kind) => kraken::find(position, kind, emit),
        Technique::CellForcingChain => forcing::cells(position, emit),
        Technique::HouseForcingChain => forcing::houses(position, emit),
        Technique::ForcingNet => forcing::nets(position, emit),
        Technique::MultiSectorLockedSets => sectors::locked_sets(position, emit),
        Technique::SkLoop => sectors::sk_loops(position, emit),
        Technique::JuniorExocet => exocet::junior(position, emit),
        Technique::DoubleExocet => exocet::double(position, emit),
        Technique::ExocetMirror => exocet::mirror(position, emit),
        Technique::ExocetLink => exocet::link(position, emit),
        Technique::Tridagon => impossible::tridagons(position, emit),
        Technique::BivalueOddagon => impossible::oddagons(position, emit),
        Technique::NestedForcingNet => nested::find(position, emit),
        // These need rules, which a board does not have; see `variants`.
        Technique::Rule(_)
        | Technique::InniesAndOuties
        | Technique::CageOverlap
        | Technique::CommonPeer
        | Technique::LawOfLeftovers => ControlFlow::Continue(()),
    }
}

/// Returns the first step of a technique in a position.
#[must_use]
pub fn find(technique: Technique, position: &Position) -> Option<Step> {
    fn first<const W: usize>(technique: Technique, position: &Position) -> Option<Step> {
        first_step(technique, &Board::<W>::new(position.puzzle(), position.candidates()))
    }
    if position.puzzle().rules().is_some() {
        return Variant::new(position.candidates(), Deadline::new(&Limits::none()))
            .first_of(technique);
    }
    with_width!(position.order(), first(technique, position))
}

/// Returns all steps of a technique in a position.
#[must_use]
pub fn all_steps(technique: Technique, position: &Position) -> Vec<Step> {
    fn all<const W: usize>(technique: Technique, position: &Position) -> Vec<Step> {
        let mut steps = Vec::new();
        let board = Board::<W>::new(position.puzzle(), position.candidates());
        let _ = each_step(technique, &board, &mut |step| {
            steps.push(step);
            ControlFlow::Continue(())
        });
        steps
    }
    if position.puzzle().rules().is_some() {
        return Variant::new(position.candidates(), Deadline::new(&Limits::none()))
            .all_of(technique);
    }
    with_width!(position.order(), all(technique, position))
}

fn first_step<const W: usize>(technique: Technique, position: &Board<W>) -> Option<Step> {
    let mut first = None;
    let _ = each_step(technique, position, &mut |step| {
        first = Some(step);
        ControlFlow::Break(())
    });
    first
}
