//! A network as a method: it proposes, the rules check, search repairs what is wrong and proves what is right.

use super::Options;
use super::answer::{Answer, Credit, Found};
use crate::error::CliError;
use crate::{models, train, words};
pub use neural::device::Device;
use neural::inference::decoding::{Decoding, NetworkProposer};
use neural::inference::predictor::Predictor;
use neural::models::hopfield::{self, Outcome};
pub use neural::models::hopfield::{Hopfield as Storyteller, Trace};
use neural::registry::{self, ModelEntry, Weights};
use ninefold::grid::{Grid, Order};
use ninefold::hybrid::{self, Finder};
use ninefold::search::{self, Effort, Limits, Proof, Solutions, Walk};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A network that all workers share.
pub struct Network {
    name: &'static str,
    way: Decoding,
    predictor: Box<dyn Predictor>,
    by_network: AtomicU64,
    by_search: AtomicU64,
}

/// What network and search have found together, before any proof.
pub struct Proposed {
    answer: hybrid::Answer,
    /// The share of this puzzle in the network's time.
    thinking: Duration,
}

impl Network {
    /// Reads the weights, those that come with the program if no file is named.
    pub fn load(
        entry: &'static ModelEntry,
        weights: Option<&Path>,
        device: Device,
    ) -> Result<Network, CliError> {
        let weights = weights.map_or(Weights::Shipped, Weights::File);
        let loaded = entry.load(weights, device).map_err(|error| train::explained(&error))?;
        Ok(Network {
            name: entry.name,
            way: entry.decoding(),
            predictor: loaded.predictor,
            by_network: AtomicU64::new(0),
            by_search: AtomicU64::new(0),
        })
    }

    /// Are these weights for puzzles of this size?
    pub fn takes(&self, order: Order) -> bool {
        self.predictor.takes(order)
    }

    /// Why a puzzle of this size is not for it.
    pub fn refusal(&self, order: Order) -> CliError {
        CliError::new(format!(
            "these weights of {} take {} grids, not {order}",
            self.name,
            self.predictor.order()
        ))
        .hint("leave --method out, or train the network for this size (`boxes` in its experiment)")
    }

    /// Asks the network about all puzzles together and lets search repair each wrong grid. It takes the sizes of all.
    pub fn solve(&self, puzzles: &[Grid], limits: &Limits<'_>) -> Vec<Proposed> {
        let of_one_size = puzzles.chunk_by(|one, next| one.order() == next.order());
        of_one_size.flat_map(|puzzles| self.solve_for_one_size(puzzles, limits)).collect()
    }

    fn solve_for_one_size(&self, puzzles: &[Grid], limits: &Limits<'_>) -> Vec<Proposed> {
        let solver = search::default_for(puzzles[0].order());
        let proposer = NetworkProposer { predictor: self.predictor.as_ref(), decoding: self.way };
        let report =
            hybrid::solve(puzzles, &proposer, solver, limits).expect("the size of all was checked");
        self.by_network.fetch_add(report.found_by(Finder::Proposer) as u64, Ordering::Relaxed);
        self.by_search.fetch_add(report.found_by(Finder::Search) as u64, Ordering::Relaxed);
        let thinking = report.proposing / puzzles.len() as u32;
        report.answers.into_iter().map(|answer| Proposed { answer, thinking }).collect()
    }

    /// The answer to a puzzle: what was found and, unless any solution will do, the proof that there is no other.
    pub fn answer(
        &self,
        puzzle: &Grid,
        proposed: Proposed,
        any: bool,
        limits: &Limits<'_>,
    ) -> Answer {
        let solver = search::default_for(puzzle.order());
        let hybrid::Answer { solution, search } = proposed.answer;
        let finder = solution.as_ref().map(|(_, finder)| *finder);
        let solution = solution.map(|(grid, _)| grid);
        let searched = search.unwrap_or(Effort::none(None));
        let (found, effort) = match any {
            true => (Found::first(solution, &searched), searched),
            false => {
                let proof = solver.prove(puzzle, limits).expect("the size was checked");
                let effort = sum(searched, proof.effort);
                (proved(solution, proof), effort)
            }
        };
        let credit = Credit {
            network: self.name,
            way: models::way(self.way),
            finder,
            thinking: proposed.thinking,
        };
        Answer {
            puzzle: puzzle.clone(),
            found,
            effort,
            method: solver.name(),
            trace: None,
            credit: Some(credit),
        }
    }

    /// Who found how many, for `--stats`.
    pub fn in_words(&self) -> String {
        let count = |number: &AtomicU64| words::thousands(number.load(Ordering::Relaxed));
        format!(
            "found    {} by {}, {}; {} by search\n",
            count(&self.by_network),
            self.name,
            models::way(self.way),
            count(&self.by_search)
        )
    }
}

/// The first solution stays the one that was found; the proof only adds whether it is alone.
fn proved(solution: Option<Grid>, proof: Proof) -> Found {
    match (proof.solutions, solution) {
        (Ok(Solutions::Zero), _) => Found::None,
        (Ok(Solutions::One(only)), _) => Found::Only(only),
        (Ok(Solutions::Many(first, second)), Some(ours)) if ours == first => {
            Found::Several(first, second)
        }
        (Ok(Solutions::Many(first, _)), Some(ours)) => Found::Several(ours, first),
        (Ok(Solutions::Many(first, second)), None) => Found::Several(first, second),
        (Err(unfinished), ours) => Found::Undecided(ours.or(unfinished.found)),
    }
}

/// Both searches together; the proof says how it ended.
fn sum(search: Effort, proof: Effort) -> Effort {
    Effort {
        nodes: search.nodes + proof.nodes,
        guesses: search.guesses + proof.guesses,
        elapsed: search.elapsed + proof.elapsed,
        stop: proof.stop,
    }
}

/// One line for each network, to follow the list of searches.
pub fn list() -> String {
    let line = |entry: &ModelEntry| {
        let weights = if entry.shipped_weights.is_some() { "" } else { " --weights FILE" };
        format!(
            "{:<18} {:<10} a network fills {}, search repairs{weights}\n",
            entry.name,
            "of weights",
            models::way(entry.decoding())
        )
    };
    registry::solvers().map(line).collect()
}

/// Who tells its steps, if that was asked for.
pub fn storyteller(options: &Options) -> Result<Option<Storyteller>, CliError> {
    let storyteller = options.search.method.as_deref().and_then(Storyteller::by_name);
    if options.trace && storyteller.is_none() {
        return Err(
            CliError::new("this method does not tell its steps").hint("add --method hopfield")
        );
    }
    Ok(storyteller.filter(|_| options.trace))
}

/// The answer with the steps that led to it.
pub fn told_by(storyteller: Storyteller, puzzle: &Grid, limits: &Limits<'_>) -> Answer {
    let trace = hopfield::solve(puzzle, &storyteller.config(), limits);
    let found = match trace.outcome.clone() {
        Outcome::Solved(only) => Found::Only(only),
        Outcome::NoSolution(_) => Found::None,
        Outcome::Several(first, second) => Found::Several(first, second),
        Outcome::Unfinished { found, .. } => Found::Undecided(found),
    };
    let (puzzle, effort) = (trace.puzzle.clone(), trace.effort);
    Answer { puzzle, found, effort, method: storyteller.name(), trace: Some(trace), credit: None }
}

/// The network that was asked for, ready to answer.
pub fn asked_for(options: &Options) -> Result<Option<Network>, CliError> {
    let name = options.search.method.as_deref().unwrap_or_default();
    let Some(entry) = options.search.network() else {
        let words = || CliError::new(format!("--weights is for networks, and {name} is none"));
        return options
            .weights
            .as_ref()
            .map_or(Ok(None), |_| Err(words().hint("`ninefold models` lists them")));
    };
    if options.count.is_some() || options.all {
        return Err(CliError::new(format!("{name} proposes one solution and cannot count them"))
            .hint("leave --method out to count or to see all solutions"));
    }
    Network::load(entry, options.weights.as_deref(), options.device).map(Some)
}
