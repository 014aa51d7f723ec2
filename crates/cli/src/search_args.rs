//! Search options of `solve` and `check`.

use crate::engine::EngineArgs;
use crate::error::CliError;
use crate::stream;
use clap::builder::PossibleValuesParser;
use ninefold::grid::{Grid, Order};
use ninefold::search::{self, Limits, Solver, UnsupportedError};
#[cfg(feature = "networks")]
use ninefold_neural::{models::hopfield::Hopfield, registry};
use std::time::Duration;

#[derive(clap::Args, Debug)]
pub struct SearchArgs {
    /// Search method; --methods lists the names [default: the fastest for the grid size]
    #[arg(long, value_name = "NAME", hide_possible_values = true,
          value_parser = PossibleValuesParser::new(names()))]
    pub method: Option<String>,

    /// List the methods and exit
    #[arg(long)]
    pub methods: bool,

    #[command(flatten)]
    pub engine: EngineArgs,

    /// Stop a search after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time_limit: Option<Duration>,

    /// Stop a search after this many nodes
    #[arg(long, value_name = "N")]
    node_limit: Option<u64>,

    /// Number of worker threads [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Print one JSON object per line
    #[arg(long)]
    pub json: bool,

    /// Stop at the first error instead of continuing with the next puzzle
    #[arg(long)]
    pub strict: bool,

    /// Print only errors to stderr
    #[arg(long, short)]
    pub quiet: bool,
}

impl SearchArgs {
    /// The network, if `--method` names one.
    #[cfg(feature = "networks")]
    pub fn network(&self) -> Option<&'static registry::ModelEntry> {
        self.method.as_deref().and_then(registry::by_name)
    }

    /// The solver for a puzzle. It is an error if the chosen one does not support its size or its
    /// rules.
    pub fn solver(&self, puzzle: &Grid) -> Result<&'static dyn Solver, CliError> {
        let Some(name) = &self.method else { return Ok(search::default_for(puzzle)) };
        let chosen = methods().find(|solver| solver.name() == name);
        match chosen.map(|solver| (solver, solver.check_support(puzzle))) {
            Some((solver, Ok(()))) => Ok(solver),
            chosen => {
                let able: Vec<&str> = methods()
                    .filter(|solver| solver.check_support(puzzle).is_ok())
                    .map(|solver| solver.name())
                    .collect();
                let what = match chosen {
                    Some((_, Err(UnsupportedError::Rules { .. }))) => {
                        format!("--method {name} only knows the classic rules")
                    }
                    _ => format!("--method {name} does not support {} grids", puzzle.order()),
                };
                let hint = format!("methods for this puzzle: {}", able.join(", "));
                Err(CliError::new(what).hint(hint))
            }
        }
    }

    pub fn limits(&self) -> Limits<'static> {
        Limits::none().with_time(self.time_limit).with_nodes(self.node_limit)
    }

    /// True if the default solver searches without limits.
    pub fn is_default(&self) -> bool {
        self.first_option().is_none()
    }

    /// An option that changes the solver or its limits.
    pub fn first_option(&self) -> Option<&'static str> {
        let options = [
            ("--method", self.method.is_some()),
            ("--time-limit", self.time_limit.is_some()),
            ("--node-limit", self.node_limit.is_some()),
        ];
        options.into_iter().find(|&(_, is_given)| is_given).map(|(option, _)| option)
    }

    /// Selects the engine. It is an error if the chosen method does not use engines.
    pub fn apply_engine(&self) -> Result<(), CliError> {
        const HINT: &str = "the methods triads and batch use engines";
        let method = self.method.as_deref().and_then(search::by_name).map(|solver| solver.name());
        match method.filter(|name| !["triads", "batch"].contains(name)) {
            Some(name) if self.engine.is_given() => {
                let mode = format!("--method {name}");
                Err(CliError::unsupported_option("--engine", &mode).hint(HINT))
            }
            _ => self.engine.apply(),
        }
    }

    pub fn threads(&self) -> usize {
        self.threads.map_or_else(stream::all_cores, usize::from)
    }
}

/// The search solvers, then the Hopfield networks, which also implement `Solver`.
fn methods() -> impl Iterator<Item = &'static dyn Solver> {
    let searches = search::all().iter().copied();
    #[cfg(feature = "networks")]
    let searches = searches.chain(Hopfield::ALL.iter().map(|system| system as &dyn Solver));
    searches
}

/// The valid names for `--method`, including networks.
fn names() -> impl Iterator<Item = &'static str> {
    let names = methods().map(|solver| solver.name());
    #[cfg(feature = "networks")]
    let names = names.chain(registry::solvers().map(|entry| entry.name));
    names
}

/// One line per method: its name, the supported sizes and a description.
pub fn method_list() -> String {
    let mut text = String::new();
    for solver in methods() {
        let every_size = [Order::FOUR, Order::NINE, Order::SIXTEEN]
            .into_iter()
            .all(|order| solver.supports(order));
        let sizes = match every_size {
            true => "all sizes",
            false if solver.supports(Order::NINE) => "9×9",
            false => "some sizes",
        };
        text += &format!("{:<18} {sizes:<10} {}\n", solver.name(), solver.idea());
    }
    text
}

pub fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 =
        text.parse().map_err(|_| "expected a number of seconds, for example 2.5".to_string())?;
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| "the number of seconds cannot be negative".to_string())
}
