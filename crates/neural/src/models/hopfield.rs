//! Kumari Anamika Sharaf, Saurabh Marathe and William Nguyen, "Sudoku Solver" (2016): a Hopfield
//! network with an A* search as its coprocessor.
//!
//! A network with one neuron for each cell and digit determines which cells are certain and which
//! digits the others can take. If cells remain uncertain, a rule base selects the uncertain cell
//! that shares most possible values with the others, and an A* search supplies its digit: a hint.
//! The network runs again on the updated board, until no cell is uncertain.
//!
//! paper → code:
//!
//! - V(i,j,k), 9 × 9 × 9 neurons → [`Neuron`], one for each cell and digit: side³ of them in a grid
//!   of any size.
//! - equations 3 to 6 → `sums`, the four sums that contain each neuron.
//! - "energy update" → `Network::update_energies`; a run consists of two updates, see
//!   `network::run`.
//! - "confused about following cells" → [`Readout::uncertain`].
//! - commonality index → [`Choice::Commonality`], whose documentation lists the possible
//!   interpretations.
//! - "co-processor" → [`CoProcessor`]; it searches once and keeps the solution.
//! - "rule-based system" → [`solve`].
//! - cell 1,8 (rows and columns from 0) → `r2c9` (from 1).
//!
//! Where the paper leaves details open, we chose:
//!
//! - The A* search of the paper stops at the first solution. Ours continues until it finds a second
//!   one or rules it out, so that puzzles with no or several solutions are reported as such. The
//!   network alone needs no such proof, because every digit that it calls certain is the only
//!   possible one.
//! - A* can take very long (see `experiments/hopfield`). After [`Config::astar_nodes`] boards the
//!   fast solver of this size replaces it as the coprocessor, and the trace records this.
//! - The network of the paper is not a Hopfield network in the usual sense: it does not settle and
//!   no energy decreases. [`Kind::Dynamics`] replaces it with a real one; see [`dynamics`].

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
pub use coprocessor::{CoProcessor, SearchRun};
pub use network::Readout;
pub use rule_base::{solve, solve_with};
pub use solver::Hopfield;
pub use sums::Neuron;
pub use trace::{Convergence, NoSolutionReason, Outcome, Step, Trace};

/// Settings of the solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// Which network runs.
    pub kind: Kind,
    /// Which uncertain cell gets the hint.
    pub choice: Choice,
    /// When to request a hint.
    pub hint_policy: HintPolicy,
    /// Maximum number of boards that A* examines before the fast solver replaces it.
    pub astar_nodes: u64,
    /// Seed of random choices and of [`Kind::Dynamics`]; the same seed always gives the
    /// same trace.
    pub seed: u64,
}

impl Config {
    /// The settings of the paper. The number of boards is our choice, about an eighth of a second
    /// for 9×9; the paper has no limit.
    pub const fn paper() -> Config {
        Config {
            kind: Kind::TwoUpdates,
            choice: Choice::Commonality,
            hint_policy: HintPolicy::AfterEveryRun,
            astar_nodes: 100_000,
            seed: 0,
        }
    }
}

/// Which network runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The network of the paper: two updates of the energies, then the readout.
    TwoUpdates,
    /// A real Hopfield network: asynchronous updates until the energy no longer changes.
    Dynamics,
}

/// When to request a hint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HintPolicy {
    /// As in the paper: after every run that leaves a cell uncertain, even if another run would
    /// fill more cells.
    AfterEveryRun,
    /// Only after a run that fills no cell.
    WhenStuck,
}
