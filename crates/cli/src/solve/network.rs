//! Solves with a network: the network proposes a solution, and search corrects and proves it.

use super::Args;
use super::answer::{Answer, NetworkReport, Outcome};
use crate::error::CliError;
use crate::{gpu, humanize, models, train};
use ninefold::grid::{Grid, Order};
use ninefold::hybrid::{self, Source};
use ninefold::search::{self, Effort, Limits, Proof, Solutions, Walk};
pub use ninefold_neural::device::Device;
use ninefold_neural::inference::decoding::{Decoding, NetworkProposer};
use ninefold_neural::inference::predictor::Predictor;
use ninefold_neural::models::hopfield::{self, Outcome as TraceOutcome};
pub use ninefold_neural::models::hopfield::{Hopfield as TracingSolver, Trace};
use ninefold_neural::registry::{self, ModelEntry, Weights};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A network that all workers share.
pub struct Network {
    name: &'static str,
    decoding: Decoding,
    predictor: Box<dyn Predictor>,
    by_network: AtomicU64,
    by_search: AtomicU64,
}

/// The solution that network and search found for a puzzle. It is not yet proven to be unique.
pub struct Proposal {
    answer: hybrid::Answer,
    /// The time of the network, divided by the number of puzzles.
    elapsed: Duration,
}

impl Network {
    /// Loads the network with the shipped weights or those in a file.
    pub fn load(
        entry: &'static ModelEntry,
        weights: Option<&Path>,
        device: Device,
    ) -> Result<Network, CliError> {
        gpu::check(device)?;
        let weights = weights.map_or(Weights::Shipped, Weights::File);
        let loaded = entry.load(weights, device).map_err(|error| train::model_error(&error))?;
        Ok(Network {
            name: entry.name,
            decoding: entry.decoding(),
            predictor: loaded.predictor,
            by_network: AtomicU64::new(0),
            by_search: AtomicU64::new(0),
        })
    }

    pub fn supports(&self, order: Order) -> bool {
        self.predictor.supports(order)
    }

    pub fn supports_rules(&self) -> bool {
        self.predictor.supports_rules()
    }

    pub fn unsupported_size(&self, order: Order) -> CliError {
        CliError::new(format!(
            "the weights of {} support {} grids, not {order}",
            self.name,
            self.predictor.order()
        ))
        .hint("leave --method out, or train the network for this size (`boxes` in its experiment)")
    }

    /// Runs the network on all puzzles and corrects wrong grids by search. The network must support
    /// the size of every puzzle.
    pub fn solve(&self, puzzles: &[Grid], limits: &Limits<'_>) -> Vec<Proposal> {
        let of_one_size = puzzles.chunk_by(|one, next| {
            one.order() == next.order() && one.rules().is_some() == next.rules().is_some()
        });
        of_one_size.flat_map(|puzzles| self.solve_for_one_size(puzzles, limits)).collect()
    }

    fn solve_for_one_size(&self, puzzles: &[Grid], limits: &Limits<'_>) -> Vec<Proposal> {
        let solver = search::default_for(&puzzles[0]);
        let proposer =
            NetworkProposer { predictor: self.predictor.as_ref(), decoding: self.decoding };
        let report =
            hybrid::solve(puzzles, &proposer, solver, limits).expect("the size of all was checked");
        self.by_network.fetch_add(report.solved_by(Source::Proposer) as u64, Ordering::Relaxed);
        self.by_search.fetch_add(report.solved_by(Source::Search) as u64, Ordering::Relaxed);
        let elapsed = report.proposing / puzzles.len() as u32;
        report.answers.into_iter().map(|answer| Proposal { answer, elapsed }).collect()
    }

    /// The answer for a puzzle. Unless `any`, it includes the proof that the solution is unique.
    pub fn answer(
        &self,
        puzzle: &Grid,
        proposal: Proposal,
        any: bool,
        limits: &Limits<'_>,
    ) -> Answer {
        let solver = search::default_for(puzzle);
        let hybrid::Answer { solution, search, .. } = proposal.answer;
        let finder = solution.as_ref().map(|(_, finder)| *finder);
        let solution = solution.map(|(grid, _)| grid);
        let searched = search.unwrap_or(Effort::none(None));
        let (outcome, effort) = match any {
            true => (Outcome::first(solution, &searched), searched),
            false => {
                let proof = solver.prove(puzzle, limits).expect("the size was checked");
                let effort = searched.then(proof.effort);
                (combine(solution, proof), effort)
            }
        };
        let report = NetworkReport {
            name: self.name,
            decoding: models::decoding_text(self.decoding),
            finder,
            elapsed: proposal.elapsed,
        };
        Answer {
            puzzle: puzzle.clone(),
            outcome,
            effort,
            method: solver.name(),
            trace: None,
            network: Some(report),
        }
    }

    /// The counts of puzzles solved by the network and by search, for `--stats`.
    pub fn to_text(&self) -> String {
        let count = |number: &AtomicU64| humanize::thousands(number.load(Ordering::Relaxed));
        format!(
            "found    {} by {}, {}; {} by search\n",
            count(&self.by_network),
            self.name,
            models::decoding_text(self.decoding),
            count(&self.by_search)
        )
    }
}

/// Combines the solution that was found first with the proof.
fn combine(solution: Option<Grid>, proof: Proof) -> Outcome {
    match (proof.solutions, solution) {
        (Ok(Solutions::Zero), _) => Outcome::None,
        (Ok(Solutions::One(only)), _) => Outcome::Only(only),
        (Ok(Solutions::Many(first, second)), Some(found)) if found == first => {
            Outcome::Several(first, second)
        }
        (Ok(Solutions::Many(first, _)), Some(found)) => Outcome::Several(found, first),
        (Ok(Solutions::Many(first, second)), None) => Outcome::Several(first, second),
        (Err(unfinished), found) => Outcome::Undecided(found.or(unfinished.found)),
    }
}

/// One line per network, for the end of `--methods`.
pub fn list() -> String {
    let line = |entry: &ModelEntry| {
        let weights = if entry.shipped_weights.is_some() { "" } else { " --weights FILE" };
        format!(
            "{:<18} {:<10} a network fills {}, search repairs{weights}\n",
            entry.name,
            "of weights",
            models::decoding_text(entry.decoding())
        )
    };
    registry::solvers().map(line).collect()
}

/// The solver that prints its steps, with `--trace`.
pub fn tracing_solver(args: &Args) -> Result<Option<TracingSolver>, CliError> {
    let tracing_solver = args.search.method.as_deref().and_then(TracingSolver::by_name);
    if args.trace && tracing_solver.is_none() {
        return Err(CliError::new(
            "only --method hopfield and --method hopfield-dynamics support --trace",
        )
        .hint("add --method hopfield"));
    }
    Ok(tracing_solver.filter(|_| args.trace))
}

pub fn solve_with_trace(
    tracing_solver: TracingSolver,
    puzzle: &Grid,
    limits: &Limits<'_>,
) -> Answer {
    let trace = hopfield::solve(puzzle, &tracing_solver.config(), limits);
    let outcome = match trace.outcome.clone() {
        TraceOutcome::Solved(only) => Outcome::Only(only),
        TraceOutcome::NoSolution(_) => Outcome::None,
        TraceOutcome::Several(first, second) => Outcome::Several(first, second),
        TraceOutcome::Unfinished { found, .. } => Outcome::Undecided(found),
    };
    let (puzzle, effort) = (trace.puzzle.clone(), trace.effort);
    Answer {
        puzzle,
        outcome,
        effort,
        method: tracing_solver.name(),
        trace: Some(trace),
        network: None,
    }
}

/// Loads the network that `--method` names.
pub fn from_args(args: &Args) -> Result<Option<Network>, CliError> {
    let name = args.search.method.as_deref().unwrap_or_default();
    let Some(entry) = args.search.network() else {
        let not_a_network =
            || CliError::new(format!("--weights needs a network, and {name} is not one"));
        return args
            .weights
            .as_ref()
            .map_or(Ok(None), |_| Err(not_a_network().hint("`ninefold models` lists them")));
    };
    if args.count_solutions.is_some() || args.all {
        return Err(CliError::new(format!("--method {name} finds only one solution"))
            .hint("leave --method out to count or print all solutions"));
    }
    Network::load(entry, args.weights.as_deref(), args.device).map(Some)
}
