//! Kumari Anamika Sharaf, Saurabh Marathe and William Nguyen, "Sudoku Solver" (2016): a Hopfield network with an A* search
//! as its co-processor.
//!
//! The idea in three sentences: a network with one neuron for each cell and digit reads off which cells are certain
//! and what the others could be. Where it stays confused, a rule base picks the uncertain cell that shares most
//! possible values with the others and asks an A* search for its digit. The network runs again on the fuller board,
//! until no cell is uncertain.
//!
//! paper → code:
//!
//! - V(i,j,k), 9 × 9 × 9 neurons → [`Neuron`], one for each cell and digit: side³ of them in a grid of any size.
//! - equations 3 to 6 → `sums`, the four sums that each neuron is part of.
//! - "energy update" → `Network::update_energies`; two of them make a run, `network::run`.
//! - "confused about following cells" → [`Reading::uncertain`].
//! - commonality index → [`Choice::Commonality`], which also says how the paper's words were read.
//! - "co-processor" → [`CoProcessor`]; it is asked once and its solution is kept.
//! - "rule-based system" → [`solve`].
//! - cell 1,8 (rows and columns from 0) → `r2c9` (from 1).
//!
//! What the paper leaves open, and what we chose:
//!
//! - The paper's A* stops at the first solution. Ours goes on until a second one is found or ruled out: puzzles with
//!   no solution or with several are reported and not "solved". The network alone needs no such proof, since every
//!   digit it calls certain is the only one its cell can take.
//! - A* can take very long (see `experiments/hopfield`). After [`Config::astar_nodes`] boards the fast solver of
//!   this size takes over as the co-processor, and the trace says so.
//! - The network of the paper is not a Hopfield network in the usual sense: nothing settles and no energy falls.
//!   [`Kind::Dynamics`] puts a real one in its place; see [`dynamics`].

mod choice;
mod coprocessor;
pub mod dynamics;
mod json;
mod network;
mod rule_base;
mod solver;
mod sums;
mod trace;

pub use choice::Choice;
pub use coprocessor::{Asked, CoProcessor};
pub use network::Reading;
pub use rule_base::{solve, solve_with};
pub use solver::Hopfield;
pub use sums::Neuron;
pub use trace::{Outcome, Settled, Step, Trace, Why};

/// How to solve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Which network runs.
    pub kind: Kind,
    /// Which uncertain cell gets the hint.
    pub choice: Choice,
    /// When a hint is asked for.
    pub asking: Asking,
    /// How many boards A* may look at before the fast solver takes over.
    pub astar_nodes: u64,
    /// Equal seeds give equal traces; only random choices and [`Kind::Dynamics`] draw from it.
    pub seed: u64,
}

impl Config {
    /// As the paper does it. The number of boards is ours, about an eighth of a second for 9×9; the paper lets A* run.
    pub const fn paper() -> Config {
        Config {
            kind: Kind::TwoUpdates,
            choice: Choice::Commonality,
            asking: Asking::AfterEveryRun,
            astar_nodes: 100_000,
            seed: 0,
        }
    }
}

/// Which network runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The paper's: two updates of the energies, then the reading-off.
    TwoUpdates,
    /// A real Hopfield network: asynchronous updates until the energy stays where it is.
    Dynamics,
}

/// When a hint is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asking {
    /// As in the paper: after every run that leaves a cell uncertain, even if another run would fill more cells.
    AfterEveryRun,
    /// Only when a run has filled no cell.
    WhenStuck,
}
