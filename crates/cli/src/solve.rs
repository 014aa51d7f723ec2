//! `ninefold solve`: solutions, and the proof that there is no second one.
//!
//! The plain answer is one line for each puzzle, in order: the solution, or the words that say why there is none.

use crate::console;
use crate::console::{Console, Part, Remark, Total};
use crate::error::CliError;
use crate::input::{Input, Puzzles, Question};
use crate::paint;
use crate::search_args::{SearchArgs, list_of_methods};
use crate::source::Place;
use crate::stream::{self, Told};
use crate::verdict::{self, Verdict};
use clap::Args;
use ninefold::grid::Grid;
use ninefold::hybrid;
use ninefold::search::{Effort, Limits, Solutions};
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::time::Instant;

mod answer;
mod card;
// Without networks there are none to ask: the same names, of which no value exists.
#[cfg_attr(not(feature = "networks"), path = "solve/no_network.rs")]
mod network;
pub mod plain;
mod statistics;

use answer::{Answer, Found};
use card::Card;
use network::{Network, Proposed, Storyteller, Trace};
use statistics::Statistics;

/// Solve puzzles and prove that there is no second solution
#[cfg_attr(
    feature = "networks",
    doc = "",
    doc = "With --method NAME of a network (`ninefold models` lists them) the network proposes, the rules check, and search",
    doc = "solves what the network got wrong; the answer says who found it. A typed puzzle then has two minutes."
)]
#[derive(Args, Debug)]
#[command(after_help = verdict::HELP_SOLVE)]
pub struct Options {
    #[command(flatten)]
    input: Input,

    /// Stop at the first solution and prove nothing
    #[arg(long, conflicts_with_all = ["count", "all"])]
    first: bool,

    /// Count the solutions up to N; N+ means that there may be more
    #[arg(long, value_name = "N", conflicts_with = "all", value_parser = clap::value_parser!(u64).range(1..))]
    count: Option<u64>,

    /// Print all solutions, with an empty line between those of different puzzles
    #[arg(long)]
    all: bool,

    /// With --all: print no more than N solutions of each puzzle
    #[arg(long, value_name = "N", requires = "all", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,

    /// Draw the grids instead of writing one line each
    #[arg(long, conflicts_with = "json")]
    draw: bool,

    /// Show the answer step by step; with --method hopfield or hopfield-dynamics
    #[cfg(feature = "networks")]
    #[arg(long, conflicts_with_all = ["first", "count", "all"])]
    trace: bool,

    /// Sum up nodes, guesses and time on stderr
    #[arg(long)]
    stats: bool,

    /// The weights of a network: a file of `ninefold train` [default: those that come with ninefold]
    #[cfg(feature = "networks")]
    #[arg(long, value_name = "FILE", requires = "method")]
    weights: Option<std::path::PathBuf>,

    /// Where a network computes, or long lists of 9×9 puzzles are searched: cpu or gpu
    #[cfg(feature = "networks")]
    #[arg(long, value_name = "WHERE", default_value = "cpu")]
    device: network::Device,

    #[command(flatten)]
    search: SearchArgs,
}

/// Solves everything and prints it.
pub fn run(options: &Options) -> Result<Verdict, CliError> {
    if options.search.methods {
        console::print(format_args!("{}{}", list_of_methods(), network::list()));
        return Ok(Verdict::Yes);
    }
    options.search.engine.apply()?;
    let (storyteller, network) = (network::storyteller(options)?, network::asked_for(options)?);
    let card = card::asked_for(options)?;
    let puzzles = Puzzles::of_input(&options.input)?;
    let desk = Desk {
        options,
        storyteller,
        network,
        card,
        alone: puzzles.typed,
        draw: options.draw
            || (puzzles.typed && !options.search.json && std::io::stdout().is_terminal()),
        colour: paint::stdout_has_colour(),
    };
    let total = Total::Bytes(puzzles.reading.clone());
    let mut console = Console::open(options.search.quiet, options.search.strict).counting_to(total);
    let mut statistics = Statistics::default();
    let started = Instant::now();
    stream::run_in_chunks(
        puzzles,
        options.search.threads(),
        desk.card.as_ref().map_or(stream::LARGEST_CHUNK, |_| card::LARGEST_CHUNK),
        |questions, send| desk.answer_all(questions, send),
        |told| match told {
            Told::Part((part, effort)) => {
                statistics.add(&part, effort);
                console.print(part);
            }
            Told::Idle => console.flush(),
        },
    );
    console.finish();
    if console.puzzles == 0 && console.verdict == Verdict::Yes {
        return Err(
            CliError::new("there is no puzzle in the input").hint("write one puzzle per line")
        );
    }
    if options.stats {
        eprint!("{}", statistics.in_words(started.elapsed()));
        eprint!("{}", desk.network.as_ref().map_or(String::new(), Network::in_words));
    }
    Ok(console.verdict)
}

/// A part of an answer, with the effort it took once that is known.
type Priced = (Part, Option<Effort>);

/// What every worker knows.
struct Desk<'a> {
    options: &'a Options,
    /// Who tells its steps, if that was asked for.
    storyteller: Option<Storyteller>,
    /// The network that is asked first, if the method is one.
    network: Option<Network>,
    /// The graphics card, if plain lists are to be solved there.
    card: Option<Card>,
    /// The puzzle is the only one, typed as an argument.
    alone: bool,
    draw: bool,
    colour: bool,
}

impl Desk<'_> {
    fn answer_all(&self, questions: Vec<Question>, send: &mut dyn FnMut(Priced)) {
        if let Some(network) = &self.network {
            return self.ask(network, questions, send);
        }
        let quickly = if self.wants_plain_answers() {
            plain::solve(&questions, self.card.as_ref())
        } else {
            Vec::new()
        };
        let quickly = quickly.into_iter().chain(std::iter::repeat_with(|| None));
        for (question, solved) in questions.into_iter().zip(quickly) {
            match solved {
                Some(plain::Solved { data, effort }) => {
                    send((Part { data, puzzles: 1, ..Part::default() }, Some(effort)));
                }
                None => self.answer(question, None, send),
            }
        }
    }

    /// The network looks at all puzzles of its size together; the others end in trouble one by one.
    fn ask(&self, network: &Network, questions: Vec<Question>, send: &mut dyn FnMut(Priced)) {
        let puzzle = |question: &Question| {
            let entry = question.as_ref().ok()?.entry().ok()?;
            Some(entry.puzzle).filter(|puzzle| network.takes(puzzle.order()))
        };
        let puzzles: Vec<Option<Grid>> = questions.iter().map(puzzle).collect();
        let readable: Vec<Grid> = puzzles.iter().flatten().cloned().collect();
        let mut proposals = network.solve(&readable, &self.limits()).into_iter();
        for (question, puzzle) in questions.into_iter().zip(puzzles) {
            let proposed = puzzle.and_then(|_| proposals.next());
            self.answer(question, proposed, send);
        }
    }

    /// The bounds on each search; whoever types a puzzle for a network waits two minutes, as in paper 2.
    fn limits(&self) -> Limits<'static> {
        let limits = self.options.search.limits();
        let patience = (self.network.is_some() && self.alone).then_some(hybrid::INTERACTIVE_LIMIT);
        Limits { time: limits.time.or(patience), ..limits }
    }

    /// Are all options as they are by themselves, so that the answer is a line and the proof that it is the only one?
    fn wants_plain_answers(&self) -> bool {
        let options = self.options;
        let another_task = options.first || options.count.is_some() || options.all;
        let another_form = options.search.json || self.draw || self.alone;
        !another_task
            && !another_form
            && options.search.is_unbounded()
            && options.input.sources.boxes.is_none()
    }

    fn answer(&self, question: Question, proposed: Option<Proposed>, send: &mut dyn FnMut(Priced)) {
        let found = match question {
            Ok(found) => found,
            Err(unreadable) if unreadable.ends_source => {
                let remark = Remark { topic: "such an error", words: Err(unreadable.into()) };
                return send((
                    Part { remarks: vec![remark], verdict: Verdict::Trouble, ..Part::default() },
                    None,
                ));
            }
            Err(unreadable) => return send((self.bad(unreadable.error, &unreadable.place), None)),
        };
        let puzzle = match found.entry() {
            Ok(entry) => entry.puzzle,
            Err(unreadable) => return send((self.bad(unreadable.error, &unreadable.place), None)),
        };
        let place = found.place();
        let outcome = match (&self.network, proposed) {
            (None, _) => self.solve(&puzzle, &place, send),
            (Some(network), Some(proposed)) => {
                Ok(network.answer(&puzzle, proposed, self.options.first, &self.limits()))
            }
            (Some(network), None) => Err(network.refusal(puzzle.order())),
        };
        match outcome {
            Ok(answer) => send((self.part(&answer, &place), Some(answer.effort))),
            Err(error) => send((self.bad(error, &place), None)),
        }
    }

    fn solve(
        &self,
        puzzle: &Grid,
        place: &Place,
        send: &mut dyn FnMut(Priced),
    ) -> Result<Answer, CliError> {
        let solver = self.options.search.solver(puzzle.order())?;
        let limits = self.limits();
        if let Some(storyteller) = self.storyteller {
            return Ok(network::told_by(storyteller, puzzle, &limits));
        }
        let wrong_size = |error| CliError::new(format!("{error}"));
        let (found, effort) = if self.options.first {
            let (first, effort) = solver.first(puzzle, &limits).map_err(wrong_size)?;
            (Found::first(first, &effort), effort)
        } else if let Some(limit) = self.options.count {
            let (count, effort) = solver.count(puzzle, limit, &limits).map_err(wrong_size)?;
            (Found::Count(count), effort)
        } else if self.options.all {
            let mut count = 0;
            let limit = self.options.limit.unwrap_or(u64::MAX);
            let effort = solver
                .search(puzzle, &limits, &mut |solution| {
                    count += 1;
                    send((self.one_of_all(puzzle, &solution, count, place), None));
                    if count == limit { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                })
                .map_err(wrong_size)?;
            (Found::All(count), effort)
        } else {
            let proof = solver.prove(puzzle, &limits).map_err(wrong_size)?;
            let found = match proof.solutions {
                Ok(Solutions::Zero) => Found::None,
                Ok(Solutions::One(only)) => Found::Only(only),
                Ok(Solutions::Many(first, second)) => Found::Several(first, second),
                Err(unfinished) => Found::Undecided(unfinished.found),
            };
            (found, proof.effort)
        };
        Ok(Answer {
            puzzle: puzzle.clone(),
            found,
            effort,
            method: solver.name(),
            trace: None,
            credit: None,
        })
    }

    /// One of several solutions, sent as soon as it is found: there may be more than memory holds.
    fn one_of_all(&self, puzzle: &Grid, solution: &Grid, number: u64, place: &Place) -> Part {
        let data = match self.options.search.json {
            true => answer::numbered_json(puzzle, solution, number, place),
            false => self.written(solution, puzzle),
        };
        Part { data, ..Part::default() }
    }

    fn part(&self, answer: &Answer, place: &Place) -> Part {
        let data = if self.options.search.json {
            answer.json(place)
        } else {
            let story = answer.trace.as_ref().map_or(String::new(), Trace::to_string);
            story
                + &match &answer.found {
                    Found::Only(grid)
                    | Found::Any(grid)
                    | Found::Several(grid, _)
                    | Found::Undecided(Some(grid)) => self.written(grid, &answer.puzzle),
                    Found::Count(count) => {
                        format!("{count}{}\n", if answer.effort.stop.is_some() { "+" } else { "" })
                    }
                    Found::All(0) | Found::None if answer.is_certain() => {
                        self.instead("no solution")
                    }
                    Found::All(0) | Found::None | Found::Undecided(None) => {
                        self.instead("undecided")
                    }
                    Found::All(_) if self.draw => String::new(),
                    Found::All(_) => "\n".to_string(),
                }
        };
        let remarks = answer.remark(place, self.alone).into_iter().collect();
        Part { data, remarks, verdict: answer.verdict(), puzzles: 1 }
    }

    /// Words in the place of a solution, so that there is still one answer for each puzzle.
    fn instead(&self, words: &str) -> String {
        let apart = self.options.all || (self.draw && !self.alone);
        format!("{words}\n{}", if apart { "\n" } else { "" })
    }

    fn bad(&self, error: CliError, place: &Place) -> Part {
        let data = match self.options.search.json {
            true => answer::error_json(&error, place),
            false if self.alone => String::new(),
            false => self.instead("unreadable"),
        };
        let remark = Remark { topic: "such an error", words: Err(error.at(place)) };
        Part { data, remarks: vec![remark], verdict: Verdict::Trouble, puzzles: 1 }
    }

    fn written(&self, grid: &Grid, puzzle: &Grid) -> String {
        match self.draw {
            true if self.alone && !self.options.all => {
                format!("{}\n", paint::drawn(grid, puzzle, self.colour))
            }
            true => format!("{}\n\n", paint::drawn(grid, puzzle, self.colour)),
            false => format!("{grid}\n"),
        }
    }
}
