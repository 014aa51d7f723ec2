//! `ninefold generate --climb`: a search for fewer clues or a higher rating that can be stopped and taken up again.

use super::{Options, threads};
use crate::console::Console;
use crate::error::CliError;
use crate::input::Puzzles;
use crate::output::{Output, write_file};
use crate::source::Sources;
use crate::verdict::Verdict;
use crate::words;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use formats::Entry;
use ninefold::generate::climb::{Climb, Goal};
use ninefold::generate::{self, Wish};
use ninefold::grid::Grid;
use ninefold::rate::dupree;
use ninefold::search::{self, Solutions, unique};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How to climb.
#[derive(Args, Debug)]
pub struct Climbing {
    /// Climb from puzzle to puzzle by taking clues out and putting others in; --count best ones are printed at the end
    ///
    /// The climb starts from --start, or from ten puzzles made by the other wishes. Moves are made in rounds of 32, and
    /// equal seeds find the same on any number of threads.
    #[arg(long, value_name = "GOAL", value_parser = goal_names())]
    climb: Option<Goal>,

    /// With --climb: how long; the best so far is printed then
    #[arg(long, value_name = "MINUTES", requires = "climb")]
    minutes: Option<f64>,

    /// With --climb: how many moves, in whole rounds of 32
    #[arg(long, value_name = "N", requires = "climb")]
    moves: Option<u64>,

    /// With --climb: keep the state in this file, and go on from it if it is there
    #[arg(long, value_name = "FILE", requires = "climb")]
    state: Option<PathBuf>,

    /// With --climb: puzzles to start from, a file or a puzzle
    #[arg(long, value_name = "PUZZLE|FILE", requires = "climb")]
    start: Vec<String>,

    /// With --climb: the most clues that one move takes out
    #[arg(long, value_name = "N", default_value_t = 4, requires = "climb")]
    reach: usize,

    /// With --climb: how many puzzles to keep and climb from
    #[arg(long, value_name = "N", default_value_t = 200, requires = "climb")]
    keep: usize,
}

/// How often the state is saved.
const BETWEEN_SAVES: Duration = Duration::from_secs(10);

/// Puzzles that a climb starts from when none are given.
const FIRST_PUZZLES: u64 = 10;

impl Climbing {
    /// Was a climb asked for?
    pub fn is_wanted(&self) -> bool {
        self.climb.is_some()
    }

    fn is_over(&self, started: Instant, first: u64, climb: &Climb) -> bool {
        let time_is_up =
            self.minutes.is_some_and(|minutes| started.elapsed().as_secs_f64() >= 60.0 * minutes);
        time_is_up || self.moves.is_some_and(|moves| climb.moves() - first >= moves)
    }
}

/// Climbs, saves and prints the best.
pub fn run(options: &Options, wish: &Wish<'_>, seed: u64) -> Result<Verdict, CliError> {
    let climbing = &options.climb;
    if climbing.minutes.is_none() && climbing.moves.is_none() {
        return Err(CliError::new("a climb has no end of its own").hint("add --minutes or --moves"));
    }
    let mut climb = begin(options, wish, seed)?;
    let say = |words: String| {
        if !options.quiet {
            eprintln!("{words}");
        }
    };
    let (started, first) = (Instant::now(), climb.moves());
    let mut saved = Instant::now();
    let mut highest = climb.pool()[0].0;
    say(format!("move {}: {}", words::thousands(first), in_words(&climb.pool()[0].1)));
    while !climbing.is_over(started, first, &climb) {
        for (height, puzzle) in climb.round(threads(options)) {
            if height > highest {
                highest = height;
                say(format!("move {}: {}", words::thousands(climb.moves()), in_words(&puzzle)));
            }
        }
        if saved.elapsed() >= BETWEEN_SAVES {
            save(climbing.state.as_deref(), &climb)?;
            saved = Instant::now();
        }
    }
    save(climbing.state.as_deref(), &climb)?;
    say(format!("{} made in all", words::counted(climb.moves(), "move", "moves")));
    print(options, &climb)
}

/// The saved climb, or a new one.
fn begin(options: &Options, wish: &Wish<'_>, seed: u64) -> Result<Climb, CliError> {
    let climbing = &options.climb;
    let goal = climbing.climb.expect("this is only called for a climb");
    if let Some(path) = climbing.state.as_deref().filter(|path| path.is_file()) {
        let shown = path.display();
        let text = std::fs::read_to_string(path)
            .map_err(|error| CliError::new(format!("{shown} cannot be read: {error}")))?;
        let climb =
            Climb::read(&text).map_err(|error| CliError::new(format!("{shown}, {error}")))?;
        if climb.goal() != goal {
            return Err(CliError::new(format!(
                "the climb in {shown} goes for {}",
                climb.goal().name()
            ))
            .hint(format!("use --climb {}, or another --state", climb.goal().name())));
        }
        return Ok(climb);
    }
    let puzzles =
        if climbing.start.is_empty() { made(options, wish, seed)? } else { given(options)? };
    Climb::start(goal, seed, climbing.reach, climbing.keep, puzzles)
        .map_err(|error| CliError::new(error.to_string()))
}

fn given(options: &Options) -> Result<Vec<Grid>, CliError> {
    let boxes = options.wish.boxes;
    let mut puzzles = Vec::new();
    for found in Puzzles::of(&Sources { puzzles: options.climb.start.clone(), boxes })? {
        puzzles.push(found?.entry()?.puzzle);
    }
    Ok(puzzles)
}

fn made(options: &Options, wish: &Wish<'_>, seed: u64) -> Result<Vec<Grid>, CliError> {
    let mut puzzles = Vec::new();
    let mut refusal = None;
    generate::make_many(wish, seed, 0..FIRST_PUZZLES, threads(options), |_, made| match made {
        Ok(made) => {
            puzzles.push(made.puzzle);
            true
        }
        Err(refused) => {
            refusal = Some(options.wish.refused(refused).0);
            false
        }
    });
    refusal.map_or(Ok(puzzles), Err)
}

/// `17 clues, DuPree 2,345 (diabolical): PUZZLE`.
fn in_words(puzzle: &Grid) -> String {
    let clues = words::counted(puzzle.clue_count() as u64, "clue", "clues");
    match dupree::score(puzzle) {
        Ok(score) => format!(
            "{clues}, DuPree {} ({}): {puzzle}",
            words::thousands(score.points),
            score.difficulty()
        ),
        Err(_) => format!("{clues}: {puzzle}"),
    }
}

fn save(path: Option<&Path>, climb: &Climb) -> Result<(), CliError> {
    path.map_or(Ok(()), |path| write_file(path, climb.to_string()))
}

/// The best puzzles, with DuPree's score as their rating.
fn print(options: &Options, climb: &Climb) -> Result<Verdict, CliError> {
    let mut console = Console::open(options.quiet, false);
    let mut output = Output::start(&options.output, &mut console)?;
    for (_, puzzle) in climb.pool().iter().take(options.count as usize) {
        let limits = unique::limits_for(puzzle.order(), unique::NODES_PER_PROOF);
        let solution = search::prove(puzzle, &limits).solutions.ok().and_then(Solutions::into_only);
        let rating = dupree::score(puzzle).ok().map(|score| score.points.to_string());
        let entry = Entry::new(puzzle.clone()).with_solution(solution).with_rating(rating);
        output.write(&entry, &mut console)?;
    }
    output.end(&mut console)?;
    console.finish();
    Ok(Verdict::Yes)
}

fn goal_names() -> impl TypedValueParser<Value = Goal> {
    PossibleValuesParser::new(Goal::ALL.map(Goal::name))
        .map(|name| Goal::by_name(&name).expect("the parser lets only these names through"))
}
