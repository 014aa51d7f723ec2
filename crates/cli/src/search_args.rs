//! Search arguments: the options that `solve` and `check` share.

use crate::engine::EngineArg;
use crate::error::CliError;
use crate::stream;
use clap::Args;
use clap::builder::PossibleValuesParser;
#[cfg(feature = "networks")]
use neural::{models::hopfield::Hopfield, registry};
use ninefold::grid::Order;
use ninefold::search::{self, Limits, Solver};
use std::time::Duration;

/// Method, limits, threads and the form of the answer.
#[derive(Args, Debug)]
pub struct SearchArgs {
    /// How to search; --methods lists the names [default: the best for the size]
    #[arg(long, value_name = "NAME", hide_possible_values = true,
          value_parser = PossibleValuesParser::new(names()))]
    pub method: Option<String>,

    /// List the methods and exit
    #[arg(long)]
    pub methods: bool,

    #[command(flatten)]
    pub engine: EngineArg,

    /// Give up a search after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    time_limit: Option<Duration>,

    /// Give up a search after this many nodes
    #[arg(long, value_name = "N")]
    node_limit: Option<u64>,

    /// Work on this many puzzles at once [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Answer with one JSON object per line
    #[arg(long)]
    pub json: bool,

    /// Stop at the first error instead of going on with the next puzzle
    #[arg(long)]
    pub strict: bool,

    /// Print nothing to stderr but errors
    #[arg(long, short)]
    pub quiet: bool,
}

impl SearchArgs {
    /// The network that was asked for, if the method is one.
    #[cfg(feature = "networks")]
    pub fn network(&self) -> Option<&'static registry::ModelEntry> {
        self.method.as_deref().and_then(registry::by_name)
    }

    /// The solver for a puzzle of this size; trouble if the chosen one does not take it.
    pub fn solver(&self, order: Order) -> Result<&'static dyn Solver, CliError> {
        let Some(name) = &self.method else { return Ok(search::default_for(order)) };
        match methods().find(|solver| solver.name() == name) {
            Some(solver) if solver.takes(order) => Ok(solver),
            _ => {
                let able: Vec<&str> = methods()
                    .filter(|solver| solver.takes(order))
                    .map(|solver| solver.name())
                    .collect();
                Err(CliError::new(format!("the method {name} does not take {order} grids"))
                    .hint(format!("these do: {}", able.join(", "))))
            }
        }
    }

    /// The bounds on each search.
    pub fn limits(&self) -> Limits<'static> {
        Limits { time: self.time_limit, nodes: self.node_limit, cancel: None }
    }

    /// Is the method left to us, and no search given up?
    pub fn is_unbounded(&self) -> bool {
        self.method.is_none() && self.time_limit.is_none() && self.node_limit.is_none()
    }

    /// How many threads to use.
    pub fn threads(&self) -> usize {
        self.threads.map_or_else(stream::all_cores, usize::from)
    }
}

/// All methods: the searches, then the neural systems, which search for what they do not know.
fn methods() -> impl Iterator<Item = &'static dyn Solver> {
    let searches = search::all().iter().copied();
    #[cfg(feature = "networks")]
    let searches = searches.chain(Hopfield::ALL.iter().map(|system| system as &dyn Solver));
    searches
}

/// What may be asked for: the methods, and the networks, which `solve` knows how to ask.
fn names() -> impl Iterator<Item = &'static str> {
    let names = methods().map(|solver| solver.name());
    #[cfg(feature = "networks")]
    let names = names.chain(registry::solvers().map(|entry| entry.name));
    names
}

/// One line for each method: its name, the sizes it takes and its idea.
pub fn list_of_methods() -> String {
    let mut text = String::new();
    for solver in methods() {
        let every_size =
            [Order::FOUR, Order::NINE, Order::SIXTEEN].into_iter().all(|order| solver.takes(order));
        let sizes = match every_size {
            true => "all sizes",
            false if solver.takes(Order::NINE) => "9×9",
            false => "some sizes",
        };
        text += &format!("{:<18} {sizes:<10} {}\n", solver.name(), solver.idea());
    }
    text
}

/// A number of seconds.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 =
        text.parse().map_err(|_| "a number of seconds is needed, for example 2.5".to_string())?;
    Duration::try_from_secs_f64(seconds).map_err(|_| "a number of seconds is 0 or more".to_string())
}
