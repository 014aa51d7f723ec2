//! Logic that explains: this is where we deduce, step by step, and say why.
//!
//! One file per family of techniques; each finder is a function from a board to [`Step`]s. A step carries its
//! proof, and [`proof::check`](crate::proof::check()) replays it without knowing the finders. [`Steps`] walks from a
//! position to the solution.
//!
//! ```
//! use ninefold::grid::{Grid, Position};
//! use ninefold::logic;
//! use ninefold::proof::Technique;
//!
//! let puzzle: Grid =
//!     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
//! let step = logic::find(Technique::NakedSingle, &Position::start(&puzzle)?).expect("there is one");
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
mod follow;
mod forcing;
mod impossible;
mod kraken;
mod links;
mod locked;
mod memory;
mod nested;
mod order;
mod rectangle;
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
mod wings;

pub use order::{default_order, default_order_with};
pub use steps::{End, Options, Preference, SinglesOrder, Steps};

use crate::grid::Position;
use crate::proof::{Step, Technique};
use board::Board;
use std::ops::ControlFlow;

/// What a finder calls with each step; it answers whether to go on.
type Found<'a> = dyn FnMut(Step) -> ControlFlow<()> + 'a;

/// Calls a function that is generic over the words of a [`CellSet`](crate::grid::CellSet) with the smallest width that
/// fits the size: 2 words up to 11×11, 10 up to 25×25, 64 for all others.
macro_rules! with_width {
    ($order:expr, $function:ident($($argument:expr),*)) => {
        match $order.cell_count() {
            ..=128 => $function::<2>($($argument),*),
            129..=640 => $function::<10>($($argument),*),
            _ => $function::<64>($($argument),*),
        }
    };
}

/// Hands every step of a technique to `found`, until `found` breaks off.
fn each_step<const W: usize>(
    technique: Technique,
    position: &Board<W>,
    found: &mut Found<'_>,
) -> ControlFlow<()> {
    match technique {
        Technique::FullHouse => singles::full_house(position, found),
        Technique::NakedSingle => singles::naked(position, found),
        Technique::HiddenSingle => singles::hidden(position, found),
        Technique::DirectPointing => direct::pointing(position, found),
        Technique::DirectClaiming => direct::claiming(position, found),
        Technique::DirectHiddenPair => direct::hidden(position, technique, 2, found),
        Technique::DirectHiddenTriple => direct::hidden(position, technique, 3, found),
        Technique::Pointing => locked::pointing(position, found),
        Technique::Claiming => locked::claiming(position, found),
        Technique::LockedPair => subsets::locked(position, technique, 2, found),
        Technique::LockedTriple => subsets::locked(position, technique, 3, found),
        Technique::NakedSubset(size) => subsets::naked(position, size, found),
        Technique::HiddenSubset(size) => subsets::hidden(position, size, found),
        Technique::Fish(kind) => fish::find(position, kind, found),
        Technique::Skyscraper | Technique::TwoStringKite | Technique::TurbotFish => {
            turbot::find(position, technique, found)
        }
        Technique::DualTwoStringKite => turbot::dual_kite(position, found),
        Technique::EmptyRectangle => turbot::empty_rectangle(position, found),
        Technique::DualEmptyRectangle => turbot::dual_empty_rectangle(position, found),
        Technique::WWing => wings::w_wing(position, found),
        Technique::XyWing => wings::xy_wing(position, found),
        Technique::XyzWing => wings::xyz_wing(position, found),
        Technique::LargeWing(size) => wings::large(position, size, found),
        Technique::UniqueRectangle(_)
        | Technique::HiddenRectangle
        | Technique::AvoidableRectangle(_) => rectangle::find(position, technique, found),
        Technique::UniqueLoop(kind) => unique_loop::find(position, kind, found),
        Technique::Bug(kind) => bug::find(position, kind, found),
        Technique::SimpleColoursTrap => colouring::trap(position, found),
        Technique::SimpleColoursWrap => colouring::wrap(position, found),
        Technique::MultiColours(kind) => colouring::multi(position, kind, found),
        Technique::Medusa => colouring::medusa(position, found),
        Technique::SueDeCoq => sue_de_coq::find(position, found),
        Technique::TemplateSet => templates::set(position, found),
        Technique::TemplateDelete => templates::delete(position, found),
        Technique::AlsXz => als::xz(position, found),
        Technique::AlsXyWing => als::xy_wing(position, found),
        Technique::AlsXyChain => als::xy_chain(position, found),
        Technique::DeathBlossom => death_blossom::find(position, found),
        Technique::RemotePair => remote_pair::find(position, found),
        Technique::XChain => chains::x_chain(position, found),
        Technique::XyChain => chains::xy_chain(position, found),
        Technique::ContinuousNiceLoop { grouped } => chains::continuous(position, grouped, found),
        Technique::DiscontinuousNiceLoop { grouped } => {
            chains::discontinuous(position, grouped, found)
        }
        Technique::Aic { grouped } => chains::aic(position, grouped, found),
        Technique::AlignedPairExclusion => aligned::pairs(position, found),
        Technique::AlignedTripleExclusion => aligned::triples(position, found),
        Technique::KrakenFish(kind) => kraken::find(position, kind, found),
        Technique::CellForcingChain => forcing::cells(position, found),
        Technique::HouseForcingChain => forcing::houses(position, found),
        Technique::ForcingNet => forcing::nets(position, found),
        Technique::MultiSectorLockedSets => sectors::locked_sets(position, found),
        Technique::SkLoop => sectors::sk_loops(position, found),
        Technique::JuniorExocet => exocet::junior(position, found),
        Technique::DoubleExocet => exocet::double(position, found),
        Technique::ExocetMirror => exocet::mirror(position, found),
        Technique::ExocetLink => exocet::link(position, found),
        Technique::Tridagon => impossible::tridagons(position, found),
        Technique::BivalueOddagon => impossible::oddagons(position, found),
        Technique::NestedForcingNet => nested::find(position, found),
    }
}

/// The first step of a technique in a position.
#[must_use]
pub fn find(technique: Technique, position: &Position) -> Option<Step> {
    fn first<const W: usize>(technique: Technique, position: &Position) -> Option<Step> {
        first_step(technique, &Board::<W>::new(position.puzzle(), position.candidates()))
    }
    with_width!(position.order(), first(technique, position))
}

/// All steps of a technique in a position.
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
