//! `ninefold hint`: the next deduction from a player's own grid, or the mistake in it.

use crate::console::{Console, Part, Remark};
use crate::error::CliError;
use crate::explain::{Depth, WordingArgs};
use crate::input::{Input, Puzzles, Question};
use crate::list_args::{ListArgs, Numbered};
use crate::position;
use crate::stream::{self, Told};
use crate::technique;
use crate::verdict::Verdict;
use clap::Args;
use ninefold::explain::{self, picture};
use ninefold::{Detail, End, Grid, Hint, Limits, Position, Solutions, Wording, logic};
use std::path::PathBuf;

/// Hint at the next step, or at the first mistake
///
/// A position is a grid with the digits found so far, a grid of pencil marks (+5 is a digit you placed, {5} a last
/// candidate), or any file or link that holds one. Marks that were crossed out stay crossed out. Several positions are taken
/// as one game, from its start to now, and the first mistake among them is found; with --each they are a list.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit codes:
  0  yes: there is a step to be found, or nothing left to do
  1  no: something is wrong in the position, or no technique finds a step
  2  trouble: something could not be read, or the time was up")]
pub struct Options {
    #[command(flatten)]
    input: Input,

    /// Give a hint for each position by itself
    #[arg(long, conflicts_with = "svg")]
    each: bool,

    #[command(flatten)]
    list: ListArgs,

    /// How much to say
    #[arg(long, value_enum, default_value_t = Depth::Hint)]
    level: Depth,

    /// The puzzle as it was set, so that digits you filled in are judged against it
    #[arg(long, value_name = "PUZZLE")]
    givens: Option<String>,

    /// Use no step that rests on the promise of one solution
    #[arg(long)]
    no_uniqueness: bool,

    #[command(flatten)]
    voice: WordingArgs,

    /// Use this technique too, at the end of its tier; may be repeated. explain --techniques lists the names
    #[arg(long, value_name = "NAME")]
    with: Vec<String>,

    /// Draw the step as an SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

/// What is said, and the answer behind it.
struct Said {
    /// For stdout.
    words: String,
    /// A way on, for stderr.
    more: Option<&'static str>,
    verdict: Verdict,
}

impl Said {
    fn no(words: String, more: Option<&'static str>) -> Said {
        Said { words, more, verdict: Verdict::No }
    }

    fn part(self) -> Part {
        let remark = |more: &str| Remark { topic: "such a hint", words: Ok(more.to_string()) };
        Part {
            data: self.words + "\n",
            remarks: self.more.into_iter().map(remark).collect(),
            verdict: self.verdict,
            puzzles: 1,
        }
    }
}

/// Looks at the last position, and at the earlier ones for the first mistake; or at each by itself.
pub fn run(options: &Options) -> Result<Verdict, CliError> {
    let mut console = Console::open(options.list.quiet, options.list.strict);
    if options.each {
        let puzzles = Numbered::of(Puzzles::of_input(&options.input)?)?;
        stream::run(
            puzzles,
            options.list.threads(),
            |questions, send| {
                questions.into_iter().for_each(|(_, question)| send(each(options, question)))
            },
            |told| match told {
                Told::Part(part) => console.print(part),
                Told::Idle => console.flush(),
            },
        );
    } else {
        console.print(about(options, &game(options)?)?.part());
    }
    console.finish();
    Ok(console.verdict)
}

/// The hint for one position of a list.
fn each(options: &Options, question: Question) -> Part {
    let said = question.map_err(CliError::from).and_then(|found| {
        let position = position::of(&found, givens(options)?)?;
        about(options, &[position]).map_err(|error| error.at(&found.place()))
    });
    match said {
        // The way on would be the same for every position.
        Ok(said) => Said { more: None, ..said }.part(),
        Err(error) => {
            let remark = Remark { topic: "such an error", words: Err(error) };
            Part { remarks: vec![remark], verdict: Verdict::Trouble, puzzles: 1, ..Part::default() }
        }
    }
}

fn givens(options: &Options) -> Result<Option<Grid>, CliError> {
    options
        .givens
        .as_deref()
        .map(|text| position::givens(text, options.input.sources.boxes))
        .transpose()
}

/// Where some of the digits may be a player's own.
const WHOSE_DIGITS: &str =
    "if some of these digits are your own, --givens PUZZLE names the one that is wrong";

fn about(options: &Options, game: &[Position]) -> Result<Said, CliError> {
    let now = &game[game.len() - 1];
    let wording: Wording = options.voice.into();
    let whose = options.givens.is_none().then_some(WHOSE_DIGITS);
    if let Some(conflict) = now.puzzle().conflict() {
        return Ok(Said::no(End::Conflict(conflict).text(now, Detail::Full, wording), whose));
    }
    let (solutions, limits) = options.list.solutions(now.puzzle());
    let mut words = String::new();
    match &solutions {
        Some(Solutions::One(_)) => {}
        Some(Solutions::Zero) => return Ok(Said::no(wording.no_solution(), whose)),
        Some(Solutions::Many(first, second)) => {
            words = wording.several_solutions(first, second) + "\n"
        }
        None => {
            return Err(CliError::new(
                "no search could tell in time whether the puzzle has one solution",
            ));
        }
    }
    let only = solutions.as_ref().and_then(Solutions::only);
    if let Some((index, end)) = explain::first_mistake(game, only) {
        let (number, mistake) = (index + 1, end.text(&game[index], options.level.into(), wording));
        words += &match game.len() {
            1 => mistake,
            _ if number == 1 => format!("Position 1: {mistake}"),
            _ => format!("Position {number}: {mistake} Position {} was still right.", number - 1),
        };
        return Ok(Said::no(words, None));
    }
    let said = give(options, now, solutions, &limits)?;
    Ok(Said { words: words + &said.words, ..said })
}

/// All positions with the clues of the first one, or with those that the user names.
fn game(options: &Options) -> Result<Vec<Position>, CliError> {
    let mut givens = givens(options)?;
    let mut game = Vec::new();
    for question in position::all(&options.input)? {
        let position = position::of(&question?, givens)?;
        givens = Some(position.puzzle().clone());
        game.push(position);
    }
    if game.is_empty() { Err(CliError::new("there is no position in the input")) } else { Ok(game) }
}

fn give(
    options: &Options,
    position: &Position,
    solutions: Option<Solutions>,
    limits: &Limits<'_>,
) -> Result<Said, CliError> {
    let techniques = logic::default_order_with(&technique::all_named(&options.with)?);
    let wanted = logic::Options {
        uniqueness: !options.no_uniqueness,
        techniques,
        ..logic::Options::default()
    };
    let hint = Hint::of(position, solutions, &wanted, limits);
    let words = hint.text(options.level.into(), options.voice);
    if matches!(hint.end(), End::NotProven { .. }) {
        return Err(CliError::new(words));
    }
    if let (Some(step), Some(file)) = (hint.step(), &options.svg) {
        files::write(
            file,
            &picture::svgs(position.puzzle(), hint.position().candidates(), step, options.voice)[0],
        )
        .map_err(|error| CliError::new(format!("{} cannot be written: {error}", file.display())))?;
    }
    let more = match options.level {
        Depth::Hint => Some("--level technique says what to look for"),
        Depth::Technique => Some("--level full tells the whole reason"),
        Depth::Full => None,
    };
    let verdict = match (hint.step(), hint.end()) {
        (Some(_), _) | (None, End::Solved) => Verdict::Yes,
        (None, End::Stopped(_)) => Verdict::Trouble,
        (None, _) => Verdict::No,
    };
    Ok(Said { words, more: more.filter(|_| hint.step().is_some()), verdict })
}
