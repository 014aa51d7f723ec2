//! `ninefold hint`: the next deduction from a player's own grid, or the mistake in it.

use crate::console::tell;
use crate::error::CliError;
use crate::explain::{Depth, Naming};
use crate::input::Input;
use crate::position;
use crate::technique;
use crate::verdict::Verdict;
use clap::Args;
use ninefold::explain::{self, picture};
use ninefold::{Detail, End, Hint, Limits, Position, Solutions, logic};
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
    input: Input,

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
    let game = game(options)?;
    let now = &game[game.len() - 1];
    let solutions = position::solutions(now.puzzle());
    match &solutions {
        Some(Solutions::One(_)) => {}
        Some(Solutions::Zero) => {
            tell!("The puzzle has no solution.");
            return Ok(Verdict::No);
        }
        Some(Solutions::Many(first, second)) => {
            tell!("The puzzle has more than one solution, for example\n  {first}\n  {second}");
        }
        None => return Err(CliError::new("no search could tell in time whether the puzzle has one solution")),
    }
    let only = solutions.as_ref().and_then(Solutions::only);
    if let Some((index, end)) = explain::first_mistake(&game, only) {
        let (number, words) = (index + 1, end.text(now.order(), Detail::Full, options.notation.into()));
        match game.len() {
            1 => tell!("{words}"),
            _ if number == 1 => tell!("Position 1: {words}"),
            _ => tell!("Position {number}: {words} Position {} was still right.", number - 1),
        }
        return Ok(Verdict::No);
    }
    give(options, now, solutions)
}

/// All positions with the clues of the first one, or with those that the user names.
fn game(options: &Options) -> Result<Vec<Position>, CliError> {
    let mut givens =
        options.givens.as_deref().map(|text| position::givens(text, options.input.sources.boxes)).transpose()?;
    let mut game = Vec::new();
    for question in position::all(&options.input)? {
        let position = position::of(&question?, givens)?;
        givens = Some(position.puzzle().clone());
        game.push(position);
    }
    if game.is_empty() { Err(CliError::new("there is no position in the input")) } else { Ok(game) }
}

fn give(options: &Options, position: &Position, solutions: Option<Solutions>) -> Result<Verdict, CliError> {
    let techniques = logic::default_order_with(&technique::all_named(&options.with)?);
    let wanted = logic::Options { uniqueness: !options.no_uniqueness, techniques, ..logic::Options::default() };
    let hint = Hint::of(position, solutions, &wanted, &Limits::none());
    let words = hint.text(options.level.into(), options.notation.into());
    if matches!(hint.end(), End::NotProven { .. }) {
        return Err(CliError::new(words));
    }
    if let (Some(step), Some(file)) = (hint.step(), &options.svg) {
        files::write(file, picture::svg(position.puzzle(), hint.position().candidates(), Some(step)))
            .map_err(|error| CliError::new(format!("{} cannot be written: {error}", file.display())))?;
    }
    tell!("{words}");
    let more = match options.level {
        Depth::Hint => Some("--level technique says what to look for"),
        Depth::Technique => Some("--level full tells the whole reason"),
        Depth::Full => None,
    };
    if let (Some(_), Some(more)) = (hint.step(), more) {
        eprintln!("{more}");
    }
    Ok(if hint.step().is_some() || *hint.end() == End::Solved { Verdict::Yes } else { Verdict::No })
}
