//! `ninefold hint`: the next deduction from a player's own grid, or the mistake in it.

use crate::console::tell;
use crate::error::CliError;
use crate::explain::{Depth, Naming};
use crate::position;
use crate::source::Sources;
use crate::technique;
use crate::verdict::Verdict;
use clap::Args;
use ninefold::grid::{Candidates, Grid};
use ninefold::logic::{self, Hint, Level, Notation, picture};
use ninefold::search::Solutions;
use std::path::PathBuf;

/// Hint at the next step, or at the first mistake
///
/// A position is a grid with the digits found so far, a grid of pencil marks (+5 is a digit you placed, {5} a last
/// candidate), or any file or link that holds one. Marks that were crossed out stay crossed out. Several positions are taken as one game, from its start to now: the first mistake among them is found.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit codes:
  0  yes: there is a step to be found, or nothing left to do
  1  no: something is wrong in the position, or no technique finds a step
  2  trouble: something could not be read")]
pub struct Options {
    #[command(flatten)]
    sources: Sources,

    /// How much to say
    #[arg(long, value_enum, default_value_t = Depth::Hint)]
    level: Depth,

    /// The puzzle as it was set, so that digits you filled in are judged against it
    #[arg(long, value_name = "PUZZLE")]
    givens: Option<String>,

    /// Use no step that rests on the promise of one solution
    #[arg(long)]
    no_uniqueness: bool,

    /// How to name cells
    #[arg(long, value_enum, default_value_t = Naming::RowColumn)]
    notation: Naming,

    /// Use this technique too, at the end of its tier; may be repeated. explain --techniques lists the names
    #[arg(long, value_name = "NAME")]
    with: Vec<String>,

    /// Draw the step as an SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// Looks at the last position, and at the earlier ones for the first mistake.
pub fn run(options: &Options) -> Result<Verdict, CliError> {
    let mut game = Vec::new();
    for question in position::all(&options.sources)? {
        game.push(question?.entry_that_may_break_rules()?.start());
    }
    let (Some((puzzle, _)), Some((_, now))) = (game.first(), game.last()) else {
        return Err(CliError::new("there is no position in the input"));
    };
    let givens = options.givens.as_deref().map(|text| position::givens(text, options.sources.boxes)).transpose()?;
    let givens = givens.unwrap_or_else(|| puzzle.clone());
    if givens.order() != now.order() {
        return Err(CliError::new(format!("the puzzle is {} but the position is {}", givens.order(), now.order())));
    }
    let solution = match position::solutions(&givens) {
        Ok(Solutions::One(only)) => Some(only),
        Ok(Solutions::Zero) => {
            tell!("The puzzle has no solution.");
            return Ok(Verdict::No);
        }
        Ok(Solutions::Many(first, second)) => {
            tell!("The puzzle has more than one solution, for example\n  {first}\n  {second}");
            None
        }
        Err(unfinished) => return Err(CliError::new(format!("whether the puzzle has one solution: {unfinished}"))),
    };
    if let Some((number, words)) = first_mistake(&game, solution.as_ref(), options.notation.into()) {
        match game.len() {
            1 => tell!("{words}"),
            _ if number == 1 => tell!("Position 1: {words}"),
            _ => tell!("Position {number}: {words} Position {} was still right.", number - 1),
        }
        return Ok(Verdict::No);
    }
    give(options, &givens, now, solution.as_ref())
}

/// The number of the first position that cannot lead to the solution, and what is wrong with it.
fn first_mistake(game: &[(Grid, Candidates)], solution: Option<&Grid>, notation: Notation) -> Option<(usize, String)> {
    (1..).zip(game).find_map(|(number, (_, position))| {
        let words = match position.grid().conflict() {
            Some(conflict) => format!("This cannot be: {conflict}."),
            None => {
                let mistake = logic::mistake(position, solution?)?;
                Hint::Mistake(mistake).text_in(position, Level::Full, notation)
            }
        };
        Some((number, words))
    })
}

fn give(
    options: &Options,
    givens: &Grid,
    candidates: &Candidates,
    solution: Option<&Grid>,
) -> Result<Verdict, CliError> {
    let uniqueness = !options.no_uniqueness && solution.is_some();
    let techniques = logic::default_order_with(&technique::all_named(&options.with)?);
    let wanted = logic::Options { uniqueness, techniques, ..logic::Options::default() };
    let hint = logic::hint(givens, candidates, solution, &wanted);
    let position = logic::without_stale_marks(candidates);
    if let Hint::Step(step) = &hint {
        if let Err(flaw) = logic::check::check(step, givens, &position) {
            return Err(CliError::new(format!("this is a bug in Ninefold: the step is not proven: {flaw}")));
        }
        if let Some(file) = &options.svg {
            std::fs::write(file, picture::svg(givens, &position, Some(step)))
                .map_err(|error| CliError::new(format!("{} cannot be written: {error}", file.display())))?;
        }
    }
    tell!("{}", hint.text_in(&position, options.level.into(), options.notation.into()));
    let more = match options.level {
        Depth::Hint => Some("--level technique says what to look for"),
        Depth::Technique => Some("--level full tells the whole reason"),
        Depth::Full => None,
    };
    if let (Hint::Step(_), Some(more)) = (&hint, more) {
        eprintln!("{more}");
    }
    Ok(match hint {
        Hint::Step(_) | Hint::Solved => Verdict::Yes,
        _ => Verdict::No,
    })
}
