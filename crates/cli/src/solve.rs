//! `ninefold solve`: solutions, and the proof that there is no second one.
//!
//! The plain answer is one line for each puzzle, in order: the solution, or the words that say why there is none.

use crate::input::{Input, Puzzles};
use crate::manner::{Manner, list_of_methods};
use crate::paint;
use crate::source::Place;
use crate::stream::{self, Question, Told};
use crate::talk::{Part, Remark, Talk};
use crate::trouble::Trouble;
use crate::verdict::{self, Verdict};
use clap::Args;
use neural::hopfield::{self, Hopfield, Trace};
use ninefold::grid::Grid;
use ninefold::search::{Effort, Solutions, Solver};
use std::io::IsTerminal;
use std::ops::ControlFlow;
use std::time::Instant;

mod answer;
mod plain;
mod statistics;

use answer::{Answer, Found};
use statistics::Statistics;

/// Solve puzzles and prove that there is no second solution
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

    /// Tell the answer step by step; with --method hopfield or hopfield-dynamics
    #[arg(long, conflicts_with_all = ["first", "count", "all"])]
    trace: bool,

    /// Sum up nodes, guesses and time on stderr
    #[arg(long)]
    stats: bool,

    #[command(flatten)]
    manner: Manner,
}

/// Solves everything and prints it.
pub fn run(options: &Options) -> Result<Verdict, Trouble> {
    if options.manner.methods {
        print!("{}", list_of_methods());
        return Ok(Verdict::Yes);
    }
    let storyteller = options.manner.method.as_deref().and_then(Hopfield::by_name);
    if options.trace && storyteller.is_none() {
        return Err(Trouble::new("this method does not tell its steps").hint("add --method hopfield"));
    }
    let puzzles = Puzzles::of_input(&options.input)?;
    let desk = Desk {
        options,
        storyteller: storyteller.filter(|_| options.trace),
        alone: puzzles.typed,
        draw: options.draw || (puzzles.typed && !options.manner.json && std::io::stdout().is_terminal()),
        colour: paint::stdout_has_colour(),
    };
    let mut talk = Talk::open(options.manner.quiet, options.manner.strict);
    let mut statistics = Statistics::default();
    let started = Instant::now();
    stream::run(
        puzzles,
        options.manner.threads(),
        |questions, send| desk.answer_all(questions, send),
        |told| match told {
            Told::Part((part, effort)) => {
                statistics.add(&part, effort);
                talk.print(part);
            }
            Told::Idle => talk.flush(),
        },
    );
    talk.finish();
    if talk.puzzles == 0 && talk.verdict == Verdict::Yes {
        return Err(Trouble::new("there is no puzzle in the input").hint("write one puzzle per line"));
    }
    if options.stats {
        eprint!("{}", statistics.in_words(started.elapsed()));
    }
    Ok(talk.verdict)
}

/// A part of an answer, with the effort it took once that is known.
type Priced = (Part, Option<Effort>);

/// What every worker knows.
struct Desk<'a> {
    options: &'a Options,
    /// Who tells its steps, if that was asked for.
    storyteller: Option<Hopfield>,
    /// The puzzle is the only one, typed as an argument.
    alone: bool,
    draw: bool,
    colour: bool,
}

impl Desk<'_> {
    fn answer_all(&self, questions: Vec<Question>, send: &mut dyn FnMut(Priced)) {
        let quickly = if self.wants_plain_answers() { plain::solve(&questions) } else { Vec::new() };
        let quickly = quickly.into_iter().chain(std::iter::repeat_with(|| None));
        for (question, solved) in questions.into_iter().zip(quickly) {
            match solved {
                Some(plain::Solved { data, effort }) => {
                    send((Part { data, puzzles: 1, ..Part::default() }, Some(effort)));
                }
                None => self.answer(question, send),
            }
        }
    }

    /// Are all options as they are by themselves, so that the answer is a line and the proof that it is the only one?
    fn wants_plain_answers(&self) -> bool {
        let options = self.options;
        let another_task = options.first || options.count.is_some() || options.all;
        let another_form = options.manner.json || self.draw || self.alone;
        !another_task && !another_form && options.manner.is_unbounded() && options.input.sources.boxes.is_none()
    }

    fn answer(&self, question: Question, send: &mut dyn FnMut(Priced)) {
        let entry = match question {
            Ok(entry) => entry,
            Err(trouble) => {
                let remark = Remark { topic: "such an error", words: Err(trouble) };
                return send((Part { remarks: vec![remark], verdict: Verdict::Trouble, ..Part::default() }, None));
            }
        };
        let outcome =
            entry.puzzle(self.options.input.sources.boxes).and_then(|puzzle| self.solve(&puzzle, &entry.place, send));
        match outcome {
            Ok(answer) => send((self.part(&answer, &entry.place), Some(answer.effort))),
            Err(trouble) => send((self.bad(trouble, &entry.place), None)),
        }
    }

    fn solve(&self, puzzle: &Grid, place: &Place, send: &mut dyn FnMut(Priced)) -> Result<Answer, Trouble> {
        let solver = self.options.manner.solver(puzzle.order())?;
        let limits = self.options.manner.limits();
        if let Some(storyteller) = self.storyteller {
            let trace = hopfield::solve(puzzle, &storyteller.config(), &limits);
            return Ok(Answer::traced(trace, storyteller.name()));
        }
        let wrong_size = |error| Trouble::new(format!("{error}"));
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
        Ok(Answer { puzzle: puzzle.clone(), found, effort, method: solver.name(), trace: None })
    }

    /// One of several solutions, sent as soon as it is found: there may be more than memory holds.
    fn one_of_all(&self, puzzle: &Grid, solution: &Grid, number: u64, place: &Place) -> Part {
        let data = match self.options.manner.json {
            true => answer::numbered_json(puzzle, solution, number, place),
            false => self.written(solution, puzzle),
        };
        Part { data, ..Part::default() }
    }

    fn part(&self, answer: &Answer, place: &Place) -> Part {
        let data = if self.options.manner.json {
            answer.json(place)
        } else {
            let story = answer.trace.as_ref().map_or(String::new(), Trace::to_string);
            story
                + &match &answer.found {
                    Found::Only(grid) | Found::Any(grid) | Found::Several(grid, _) | Found::Undecided(Some(grid)) => {
                        self.written(grid, &answer.puzzle)
                    }
                    Found::Count(count) => {
                        format!("{count}{}\n", if answer.effort.stop.is_some() { "+" } else { "" })
                    }
                    Found::All(0) | Found::None if answer.is_certain() => self.instead("no solution"),
                    Found::All(0) | Found::None | Found::Undecided(None) => self.instead("undecided"),
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

    fn bad(&self, trouble: Trouble, place: &Place) -> Part {
        let data = match self.options.manner.json {
            true => answer::error_json(&trouble, place),
            false if self.alone => String::new(),
            false => self.instead("unreadable"),
        };
        let remark = Remark { topic: "such an error", words: Err(trouble.at(place)) };
        Part { data, remarks: vec![remark], verdict: Verdict::Trouble, puzzles: 1 }
    }

    fn written(&self, grid: &Grid, puzzle: &Grid) -> String {
        match self.draw {
            true if self.alone && !self.options.all => format!("{}\n", paint::drawn(grid, puzzle, self.colour)),
            true => format!("{}\n\n", paint::drawn(grid, puzzle, self.colour)),
            false => format!("{grid}\n"),
        }
    }
}
