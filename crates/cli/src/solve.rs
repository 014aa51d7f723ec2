//! `ninefold solve`: finds solutions and proves that there is no other one.
//!
//! The default output is one line per puzzle in the order of the input: the solution, or the reason
//! why there is none.

use crate::console::{self, Console, Message, Part, Total};
use crate::error::CliError;
use crate::input::{InputArgs, InputResult, Puzzles, RulesArgs};
use crate::paint;
use crate::search_args::{SearchArgs, method_list};
use crate::source::Place;
use crate::stream::{self, Event};
use crate::verdict::{self, Verdict};
use ninefold::grid::Grid;
use ninefold::hybrid;
use ninefold::search::{Effort, Limits, Solutions};
use ninefold_formats::Entry;
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::time::Instant;

mod answer;
mod gpu;
// Builds without networks use a stub with the same items.
#[cfg_attr(not(feature = "networks"), path = "solve/no_network.rs")]
mod network;
pub mod plain;
mod statistics;

use answer::{Answer, Outcome};
use gpu::Gpu;
use network::{Network, Trace, TracingSolver};
use statistics::Statistics;

/// Solve puzzles and prove that each solution is unique
#[cfg_attr(
    feature = "networks",
    doc = "",
    doc = "With --method NAME of a network (`ninefold models` lists them), the network proposes a",
    doc = "solution, and search corrects it if it is wrong. The answer says which of the two found the",
    doc = "solution. The default time limit of a single puzzle is two minutes then."
)]
#[derive(clap::Args, Debug)]
#[command(after_help = verdict::HELP_SOLVE)]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    rules: RulesArgs,

    /// Stop at the first solution without proving that it is unique
    #[arg(long, conflicts_with_all = ["count_solutions", "all"])]
    first: bool,

    /// Count the solutions up to N; the output N+ means that there may be more
    #[arg(long, value_name = "N", conflicts_with = "all",
          value_parser = clap::value_parser!(u64).range(1..))]
    count_solutions: Option<u64>,

    /// Print all solutions, with an empty line between puzzles
    #[arg(long)]
    all: bool,

    /// With --all: print at most N solutions of each puzzle
    #[arg(long, value_name = "N", requires = "all",
          value_parser = clap::value_parser!(u64).range(1..))]
    max_solutions: Option<u64>,

    /// Draw the grids instead of printing one line each
    #[arg(long, conflicts_with_all = ["json", "count_solutions"])]
    draw: bool,

    /// Print the steps of the solver; only for --method hopfield and hopfield-dynamics
    #[cfg(feature = "networks")]
    #[arg(long, conflicts_with_all = ["first", "count_solutions", "all"])]
    trace: bool,

    /// Print the number of nodes and guesses, and the time, to stderr
    #[arg(long)]
    stats: bool,

    /// Weights of the network, a file written by `ninefold train` [default: the weights that are
    /// included in ninefold]
    #[cfg(feature = "networks")]
    #[arg(long, value_name = "FILE", requires = "method")]
    weights: Option<std::path::PathBuf>,

    /// Device for a network or, without --method, for lists of 9×9 puzzles: cpu or gpu
    #[cfg(feature = "networks")]
    #[arg(long, value_name = "DEVICE", default_value = "cpu")]
    device: network::Device,

    #[command(flatten)]
    search: SearchArgs,
}

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    if args.search.methods {
        console::print(format_args!("{}{}", method_list(), network::list()));
        return Ok(Verdict::Yes);
    }
    args.search.apply_engine()?;
    let tracing_solver = network::tracing_solver(args)?;
    let network = network::from_args(args)?;
    let gpu = gpu::from_args(args)?;
    let puzzles = Puzzles::from_input(&args.input)?;
    let is_single = puzzles.is_single_argument;
    let context = SolveContext {
        args,
        tracing_solver,
        network,
        gpu,
        is_single,
        draw: args.draw || args.is_drawn_by_default(is_single),
        colour: paint::stdout_has_colour(),
    };
    let total = Total::Bytes(puzzles.progress.clone());
    let mut console = Console::open(args.search.quiet, args.search.strict).with_total(total);
    let mut statistics = Statistics::default();
    let started = Instant::now();
    stream::run_in_chunks(
        puzzles,
        args.search.threads(),
        context.gpu.as_ref().map_or(stream::LARGEST_CHUNK, |_| gpu::LARGEST_CHUNK),
        |records, send| context.solve_chunk(records, send),
        |event| match event {
            Event::Part((part, effort)) => {
                statistics.add(&part, effort);
                console.print(part);
            }
            Event::Idle => console.flush(),
        },
    );
    console.finish();
    if console.puzzles == 0 && console.verdict == Verdict::Yes {
        return Err(CliError::empty_input());
    }
    if args.stats {
        eprint!("{}", statistics.to_text(started.elapsed()));
        eprint!("{}", context.network.as_ref().map_or(String::new(), Network::to_text));
    }
    Ok(console.verdict)
}

impl Args {
    /// A single puzzle is drawn if a person reads the output.
    fn is_drawn_by_default(&self, is_single: bool) -> bool {
        let is_grid = !self.search.json && self.count_solutions.is_none();
        is_single && is_grid && std::io::stdout().is_terminal()
    }

    /// True if the output is one line per puzzle with its unique solution, found by the default
    /// solver without limits. The fast path for lists handles only this case.
    fn is_plain(&self) -> bool {
        self.first_special_option().is_none()
    }

    /// An option that the fast path for lists cannot handle.
    fn first_special_option(&self) -> Option<&'static str> {
        let options = [
            ("--first", self.first),
            ("--count-solutions", self.count_solutions.is_some()),
            ("--all", self.all),
            ("--draw", self.draw),
            ("--boxes", self.input.sources.boxes.is_some()),
            ("--json", self.search.json),
        ];
        let given = options.into_iter().find(|&(_, is_given)| is_given);
        given.map(|(option, _)| option).or_else(|| self.search.first_option())
    }
}

/// A part of the output. The last part of each puzzle contains the effort of the search.
type PartWithEffort = (Part, Option<Effort>);

/// The data that all workers share.
struct SolveContext<'a> {
    args: &'a Args,
    /// The solver that prints its steps, with `--trace`.
    tracing_solver: Option<TracingSolver>,
    /// The network, if the method is one.
    network: Option<Network>,
    /// The GPU for lists, with `--device gpu` and no network.
    gpu: Option<Gpu>,
    /// True if the only puzzle is an argument.
    is_single: bool,
    draw: bool,
    colour: bool,
}

impl SolveContext<'_> {
    fn solve_chunk(&self, records: Vec<InputResult>, send: &mut dyn FnMut(PartWithEffort)) {
        if let Some(network) = &self.network {
            return self.solve_with_network(network, records, send);
        }
        let fast = match self.args.is_plain() && !self.is_single && !self.draw {
            true => plain::solve(&records, self.gpu.as_ref()),
            false => Vec::new(),
        };
        let fast = fast.into_iter().chain(std::iter::repeat_with(|| None));
        for (record, solution) in records.into_iter().zip(fast) {
            if let Some(plain::PlainSolution { solution, effort, .. }) = solution {
                let data = [plain::text(&solution), "\n"].concat();
                send((Part { data, puzzles: 1, ..Part::default() }, Some(effort)));
                continue;
            }
            match self.parse(record) {
                Ok((entry, place)) => {
                    let answer = self.solve(&entry.puzzle, &place, send);
                    let judgement = self.args.rules.judge(&entry, &place);
                    self.send_answer(answer, &place, judgement, send);
                }
                Err(part) => send((part, None)),
            }
        }
    }

    /// The network proposes solutions for all puzzles of a supported size together.
    fn solve_with_network(
        &self,
        network: &Network,
        records: Vec<InputResult>,
        send: &mut dyn FnMut(PartWithEffort),
    ) {
        let parsed: Vec<_> = records.into_iter().map(|record| self.parse(record)).collect();
        let puzzles = parsed.iter().flatten().map(|(entry, _)| &entry.puzzle);
        let supported: Vec<Grid> =
            puzzles.filter(|puzzle| network.supports(puzzle.order())).cloned().collect();
        let mut proposals = network.solve(&supported, &self.limits()).into_iter();
        for result in parsed {
            match result {
                Ok((entry, place)) => {
                    let judgement = self.args.rules.judge(&entry, &place);
                    let puzzle = entry.puzzle;
                    let order = puzzle.order();
                    let proposal = network.supports(order).then(|| proposals.next()).flatten();
                    let answer = match proposal {
                        Some(proposal) => {
                            let any = self.args.first;
                            Ok(network.answer(&puzzle, proposal, any, &self.limits()))
                        }
                        None => Err(network.unsupported_size(order)),
                    };
                    self.send_answer(answer, &place, judgement, send);
                }
                Err(part) => send((part, None)),
            }
        }
    }

    /// The limits of each search. A single puzzle for a network has two minutes, as in paper 2.
    fn limits(&self) -> Limits<'static> {
        let limits = self.args.search.limits();
        let default =
            (self.network.is_some() && self.is_single).then_some(hybrid::INTERACTIVE_LIMIT);
        limits.with_time(limits.time.or(default))
    }

    /// The puzzle of a record, or the output for a record that is not a puzzle.
    fn parse(&self, record: InputResult) -> Result<(Entry, Place), Part> {
        let knows_rules = self.network.as_ref().is_none_or(Network::supports_rules)
            && self.tracing_solver.is_none();
        let parsed = record.and_then(|record| {
            let entry = if knows_rules { record.entry_with_rules()? } else { record.entry()? };
            Ok((entry, record.place()))
        });
        parsed.map_err(|error| match error.ends_source {
            true => Part::error(error.into(), 0),
            false => self.error(error.error, &error.place),
        })
    }

    fn send_answer(
        &self,
        answer: Result<Answer, CliError>,
        place: &Place,
        judgement: Option<(Message, Verdict)>,
        send: &mut dyn FnMut(PartWithEffort),
    ) {
        match answer {
            Ok(answer) => {
                let mut part = self.part(&answer, place);
                if let Some((message, verdict)) = judgement {
                    part.messages.push(message);
                    part.verdict = part.verdict.max(verdict);
                }
                send((part, Some(answer.effort)));
            }
            Err(error) => send((self.error(error, place), None)),
        }
    }

    fn solve(
        &self,
        puzzle: &Grid,
        place: &Place,
        send: &mut dyn FnMut(PartWithEffort),
    ) -> Result<Answer, CliError> {
        let solver = self.args.search.solver(puzzle)?;
        let limits = self.limits();
        if let Some(tracing_solver) = self.tracing_solver {
            return Ok(network::solve_with_trace(tracing_solver, puzzle, &limits));
        }
        let wrong_size = |error| CliError::new(format!("{error}"));
        let (outcome, effort) = if self.args.first {
            let (first, effort) = solver.first(puzzle, &limits).map_err(wrong_size)?;
            (Outcome::first(first, &effort), effort)
        } else if let Some(limit) = self.args.count_solutions {
            let (count, effort) = solver.count(puzzle, limit, &limits).map_err(wrong_size)?;
            (Outcome::Count(count), effort)
        } else if self.args.all {
            let mut count = 0;
            let max = self.args.max_solutions.unwrap_or(u64::MAX);
            let effort = solver
                .search(puzzle, &limits, &mut |solution| {
                    count += 1;
                    send((self.one_of_all(puzzle, &solution, count, place), None));
                    if count == max { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                })
                .map_err(wrong_size)?;
            (Outcome::All(count), effort)
        } else {
            let proof = solver.prove(puzzle, &limits).map_err(wrong_size)?;
            let outcome = match proof.solutions {
                Ok(Solutions::Zero) => Outcome::None,
                Ok(Solutions::One(only)) => Outcome::Only(only),
                Ok(Solutions::Many(first, second)) => Outcome::Several(first, second),
                Err(unfinished) => Outcome::Undecided(unfinished.found),
            };
            (outcome, proof.effort)
        };
        Ok(Answer {
            puzzle: puzzle.clone(),
            outcome,
            effort,
            method: solver.name(),
            trace: None,
            network: None,
        })
    }

    /// One of several solutions. It is sent immediately, because all of them may not fit in memory.
    fn one_of_all(&self, puzzle: &Grid, solution: &Grid, number: u64, place: &Place) -> Part {
        let data = match self.args.search.json {
            true => answer::numbered_json(puzzle, solution, number, place),
            false => self.grid_text(solution, puzzle),
        };
        Part { data, ..Part::default() }
    }

    fn part(&self, answer: &Answer, place: &Place) -> Part {
        let data = if self.args.search.json {
            answer.json(place)
        } else {
            let trace = answer.trace.as_ref().map_or(String::new(), Trace::to_string);
            trace
                + &match &answer.outcome {
                    Outcome::Only(grid)
                    | Outcome::Any(grid)
                    | Outcome::Several(grid, _)
                    | Outcome::Undecided(Some(grid)) => self.grid_text(grid, &answer.puzzle),
                    Outcome::Count(count) => {
                        format!("{count}{}\n", if answer.effort.stop.is_some() { "+" } else { "" })
                    }
                    Outcome::All(0) | Outcome::None if answer.is_certain() => {
                        self.placeholder("no solution")
                    }
                    Outcome::All(0) | Outcome::None | Outcome::Undecided(None) => {
                        self.placeholder("undecided")
                    }
                    Outcome::All(_) if self.draw => String::new(),
                    Outcome::All(_) => "\n".to_string(),
                }
        };
        let messages = answer.message(place, self.is_single).into_iter().collect();
        Part { data, messages, verdict: answer.verdict(), puzzles: 1 }
    }

    /// The text for a puzzle without a solution. Every puzzle has one line of output.
    fn placeholder(&self, text: &str) -> String {
        let has_empty_line = self.args.all || (self.draw && !self.is_single);
        format!("{text}\n{}", if has_empty_line { "\n" } else { "" })
    }

    fn error(&self, error: CliError, place: &Place) -> Part {
        let data = match self.args.search.json {
            true => answer::error_json(&error, place),
            false if self.is_single => String::new(),
            false => self.placeholder("unreadable"),
        };
        Part { data, ..Part::error(error.at(place), 1) }
    }

    fn grid_text(&self, grid: &Grid, puzzle: &Grid) -> String {
        match self.draw {
            true if self.is_single && !self.args.all => {
                format!("{}\n", paint::draw(grid, puzzle, self.colour))
            }
            true => format!("{}\n\n", paint::draw(grid, puzzle, self.colour)),
            false => format!("{grid}\n"),
        }
    }
}
