//! `ninefold generate --climb`: a local search for fewer clues or a higher rating. It can be
//! interrupted and resumed.

use super::{Args, threads};
use crate::console::Console;
use crate::error::CliError;
use crate::humanize;
use crate::input::Puzzles;
use crate::output::{Output, write_file};
use crate::source::SourceArgs;
use crate::values;
use crate::verdict::Verdict;
use clap::builder::TypedValueParser;
use ninefold::generate::climb::{Climb, ClimbOptions, Goal};
use ninefold::generate::{self, GenerateOptions};
use ninefold::grid::Grid;
use ninefold::rate::dupree;
use ninefold::search::{self, Solutions, unique};
use ninefold_formats::Entry;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

#[derive(clap::Args, Debug)]
pub struct ClimbArgs {
    /// Improve puzzles by removing and adding clues, and print the --count best ones at the end
    ///
    /// The climb starts from --start, or from ten puzzles that are generated with the other
    /// options. Moves are made in rounds of 32, and equal seeds find the same puzzles on any number
    /// of threads.
    #[arg(long, value_name = "GOAL", value_parser = goal_parser())]
    climb: Option<Goal>,

    /// With --climb: stop after this many minutes
    #[arg(long, value_name = "MINUTES", requires = "climb")]
    minutes: Option<f64>,

    /// With --climb: stop after this many moves, rounded up to a multiple of 32
    #[arg(long, value_name = "N", requires = "climb")]
    moves: Option<u64>,

    /// With --climb: save the state to this file, and resume from it if it exists
    #[arg(long, value_name = "FILE", requires = "climb")]
    state: Option<PathBuf>,

    /// With --climb: puzzles to start from
    #[arg(long, value_name = "PUZZLE|FILE", requires = "climb")]
    start: Vec<String>,

    /// With --climb: maximum number of clues that a move removes
    #[arg(long, value_name = "N", default_value_t = 4, requires = "climb")]
    reach: usize,

    /// With --climb: number of best puzzles to keep and improve
    #[arg(long, value_name = "N", default_value_t = 200, requires = "climb")]
    keep: usize,
}

const SAVE_INTERVAL: Duration = Duration::from_secs(10);

/// The number of generated puzzles that a climb starts from without `--start`.
const GENERATED_STARTS: u64 = 10;

impl ClimbArgs {
    pub fn is_requested(&self) -> bool {
        self.climb.is_some()
    }

    /// True if `--start` replaces generated puzzles.
    pub fn starts_from_puzzles(&self) -> bool {
        !self.start.is_empty()
    }

    fn is_over(&self, started: Instant, first: u64, climb: &Climb) -> bool {
        let time_is_up =
            self.minutes.is_some_and(|minutes| started.elapsed().as_secs_f64() >= 60.0 * minutes);
        time_is_up || self.moves.is_some_and(|moves| climb.moves() - first >= moves)
    }
}

pub fn run(args: &Args, options: &GenerateOptions<'_>, seed: u64) -> Result<Verdict, CliError> {
    let climbing = &args.climb;
    if climbing.minutes.is_none() && climbing.moves.is_none() {
        return Err(CliError::new("--climb needs --minutes or --moves"));
    }
    let mut climb = begin(args, options, seed)?;
    let print_note = |text: String| {
        if !args.quiet {
            eprintln!("{text}");
        }
    };
    let (started, first) = (Instant::now(), climb.moves());
    let mut saved = Instant::now();
    let mut highest = climb.pool()[0].0;
    print_note(format!("move {}: {}", humanize::thousands(first), to_text(&climb.pool()[0].1)));
    while !climbing.is_over(started, first, &climb) {
        for (height, puzzle) in climb.round(threads(args)) {
            if height > highest {
                highest = height;
                print_note(format!(
                    "move {}: {}",
                    humanize::thousands(climb.moves()),
                    to_text(&puzzle)
                ));
            }
        }
        if saved.elapsed() >= SAVE_INTERVAL {
            save(climbing.state.as_deref(), &climb)?;
            saved = Instant::now();
        }
    }
    save(climbing.state.as_deref(), &climb)?;
    print_note(format!("{} in total", humanize::count(climb.moves(), "move", "moves")));
    print(args, &climb)
}

/// The climb in the state file, or a new one.
fn begin(args: &Args, options: &GenerateOptions<'_>, seed: u64) -> Result<Climb, CliError> {
    let climbing = &args.climb;
    let goal = climbing.climb.expect("--climb is given");
    if let Some(path) = climbing.state.as_deref().filter(|path| path.is_file()) {
        let shown = path.display();
        let text =
            std::fs::read_to_string(path).map_err(|error| CliError::cannot_read(&shown, error))?;
        let climb =
            text.parse::<Climb>().map_err(|error| CliError::new(format!("{shown}, {error}")))?;
        if climb.goal() != goal {
            return Err(CliError::new(format!(
                "{shown} contains the state of --climb {}",
                climb.goal().name()
            ))
            .hint("use the same goal, or another --state"));
        }
        return Ok(climb);
    }
    let puzzles = if climbing.start.is_empty() {
        generate_starts(args, options, seed)?
    } else {
        parse_starts(args)?
    };
    let options = ClimbOptions::new(goal)
        .with_seed(seed)
        .with_reach(climbing.reach)
        .with_pool_size(climbing.keep);
    Climb::new(&options, puzzles).map_err(|error| CliError::new(error.to_string()))
}

fn parse_starts(args: &Args) -> Result<Vec<Grid>, CliError> {
    let boxes = args.puzzle.boxes;
    let mut puzzles = Vec::new();
    for record in Puzzles::from_sources(&SourceArgs { puzzles: args.climb.start.clone(), boxes })? {
        puzzles.push(record?.entry()?.puzzle);
    }
    Ok(puzzles)
}

fn generate_starts(
    args: &Args,
    options: &GenerateOptions<'_>,
    seed: u64,
) -> Result<Vec<Grid>, CliError> {
    let mut puzzles = Vec::new();
    let mut first_error = None;
    generate::generate_many(options, seed, 0..GENERATED_STARTS, threads(args), |_, result| {
        match result {
            Ok(generated) => {
                puzzles.push(generated.puzzle);
                true
            }
            Err(error) => {
                first_error = Some(args.puzzle.to_cli_error(error).0);
                false
            }
        }
    });
    first_error.map_or(Ok(puzzles), Err)
}

/// `17 clues, DuPree 2,345 (diabolical): PUZZLE`.
fn to_text(puzzle: &Grid) -> String {
    let clues = humanize::count(puzzle.clue_count() as u64, "clue", "clues");
    match dupree::score(puzzle) {
        Ok(score) => format!(
            "{clues}, DuPree {} ({}): {puzzle}",
            humanize::thousands(score.points),
            score.difficulty()
        ),
        Err(_) => format!("{clues}: {puzzle}"),
    }
}

fn save(path: Option<&Path>, climb: &Climb) -> Result<(), CliError> {
    path.map_or(Ok(()), |path| write_file(path, climb.to_string()))
}

/// Prints the best puzzles with DuPree's score as their rating.
fn print(args: &Args, climb: &Climb) -> Result<Verdict, CliError> {
    let mut console = Console::open(args.quiet, false);
    let mut output = Output::open(&args.output, &mut console)?;
    for (_, puzzle) in climb.pool().iter().take(args.count as usize) {
        let limits = unique::limits_for(puzzle.order(), unique::NODES_PER_PROOF);
        let solution = search::prove(puzzle, &limits).solutions.ok().and_then(Solutions::into_only);
        let rating = dupree::score(puzzle).ok().map(|score| score.points.to_string());
        let entry = Entry::new(puzzle.clone()).with_solution(solution).with_rating(rating);
        output.write(&entry, &mut console)?;
    }
    output.finish(&mut console)?;
    console.finish();
    Ok(Verdict::Yes)
}

fn goal_parser() -> impl TypedValueParser<Value = Goal> {
    values::parser(Goal::ALL, Goal::name)
}
