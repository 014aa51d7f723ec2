//! `ninefold hint`: finds the next step in a player's grid, or the first mistake.

use crate::console::{Console, Message, Part};
use crate::error::CliError;
use crate::explain::{WordingArgs, detail_parser};
use crate::input::{InputArgs, InputResult, Puzzles};
use crate::list_args::{ListArgs, NumberedPuzzles};
use crate::output::write_file;
use crate::position;
use crate::stream::{self, Event};
use crate::technique;
use crate::verdict::Verdict;
use ninefold::explain::{self, picture};
use ninefold::{Detail, ExplainOutcome, Grid, Hint, Limits, Position, Solutions, Wording, logic};
use std::path::PathBuf;

/// Give a hint for the next step, or find the first mistake
///
/// A position is a partly solved grid, a grid of pencil marks (+5 is a digit you placed, {5} a last
/// candidate), or any file or link that contains one. Removed pencil marks stay removed. Several
/// positions are the history of one game, and the first mistake in it is reported. With --each,
/// every position is independent.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Exit codes:
  0  there is a next step, or the puzzle is solved
  1  the position contains a mistake, or no technique finds a step
  2  an input could not be read, or the time limit was reached")]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// Treat each position independently
    #[arg(long, conflicts_with = "svg")]
    each: bool,

    #[command(flatten)]
    list: ListArgs,

    /// Amount of detail
    #[arg(long, value_name = "DETAIL", default_value = "hint", value_parser = detail_parser())]
    detail: Detail,

    /// The original puzzle, to distinguish its clues from digits that you placed
    #[arg(long, value_name = "PUZZLE")]
    givens: Option<String>,

    /// Do not use techniques that assume a unique solution
    #[arg(long)]
    no_uniqueness: bool,

    #[command(flatten)]
    wording: WordingArgs,

    /// Use this technique in addition, at the end of its tier; may be repeated. `ninefold explain
    /// --techniques` lists the names
    #[arg(long, value_name = "NAME")]
    with: Vec<String>,

    /// Draw the step to this SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

struct Response {
    /// Text for stdout.
    text: String,
    /// A message for stderr.
    tip: Option<&'static str>,
    verdict: Verdict,
}

impl Response {
    fn no(text: String, tip: Option<&'static str>) -> Response {
        Response { text, tip, verdict: Verdict::No }
    }

    fn part(self) -> Part {
        let message = |tip: &str| Message { topic: "tips like this", text: Ok(tip.to_string()) };
        Part {
            data: self.text + "\n",
            messages: self.tip.into_iter().map(message).collect(),
            verdict: self.verdict,
            puzzles: 1,
        }
    }
}

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    let mut console = Console::open(args.list.quiet, args.list.strict);
    let givens = position::parse_givens(args.givens.as_deref(), args.input.sources.boxes)?;
    if args.each {
        let puzzles = NumberedPuzzles::new(Puzzles::from_input(&args.input)?)?;
        stream::run(
            puzzles,
            args.list.threads(),
            |records, send| {
                records
                    .into_iter()
                    .for_each(|(_, record)| send(hint_for_record(args, &givens, record)))
            },
            |event| match event {
                Event::Part(part) => console.print(part),
                Event::Idle => console.flush(),
            },
        );
    } else {
        if args.list.has_threads() {
            return Err(CliError::new("--threads can be used only with --each"));
        }
        console.print(hint_for_game(args, &read_game(args, givens)?)?.part());
    }
    console.finish();
    Ok(console.verdict)
}

/// The hint for one position of a list.
fn hint_for_record(args: &Args, givens: &Option<Grid>, record: InputResult) -> Part {
    let response = record.map_err(CliError::from).and_then(|record| {
        let position = position::from_record(&record, givens.clone())?;
        hint_for_game(args, &[position]).map_err(|error| error.at(&record.place()))
    });
    match response {
        // The tip would be the same for every position.
        Ok(response) => Response { tip: None, ..response }.part(),
        Err(error) => Part::error(error, 1),
    }
}

/// The tip for a grid that may contain digits of the player.
const GIVENS_TIP: &str =
    "if you placed some of these digits, use --givens PUZZLE to find the wrong one";

/// The hint for the last position of a game, or the first mistake in the game.
fn hint_for_game(args: &Args, game: &[Position]) -> Result<Response, CliError> {
    let now = &game[game.len() - 1];
    let wording: Wording = args.wording.into();
    let tip = args.givens.is_none().then_some(GIVENS_TIP);
    if let Some(conflict) = now.puzzle().conflict() {
        return Ok(Response::no(
            ExplainOutcome::Conflict(conflict).text(now, Detail::Full, wording),
            tip,
        ));
    }
    let (solutions, limits) = args.list.solutions(now.puzzle());
    let mut text = String::new();
    match &solutions {
        Some(Solutions::One(_)) => {}
        Some(Solutions::Zero) => return Ok(Response::no(wording.no_solution(), tip)),
        Some(Solutions::Many(first, second)) => {
            text = wording.several_solutions(first, second) + "\n"
        }
        None => {
            return Err(CliError::new(
                "the time limit was reached before the puzzle was proven to have one solution",
            ));
        }
    }
    let only = solutions.as_ref().and_then(Solutions::only);
    if let Some((index, outcome)) = explain::first_mistake(game, only) {
        let (number, mistake) = (index + 1, outcome.text(&game[index], args.detail, wording));
        text += &match game.len() {
            1 => mistake,
            _ if number == 1 => format!("Position 1: {mistake}"),
            _ => format!("Position {number}: {mistake} Position {} was still right.", number - 1),
        };
        return Ok(Response::no(text, None));
    }
    let response = next_step(args, now, solutions, &limits)?;
    Ok(Response { text: text + &response.text, ..response })
}

/// The positions of a game. Their clues are `givens`, or the clues of the first position.
fn read_game(args: &Args, mut givens: Option<Grid>) -> Result<Vec<Position>, CliError> {
    let mut game = Vec::new();
    for record in position::all(&args.input)? {
        let position = position::from_record(&record?, givens)?;
        givens = Some(position.puzzle().clone());
        game.push(position);
    }
    Ok(game)
}

fn next_step(
    args: &Args,
    position: &Position,
    solutions: Option<Solutions>,
    limits: &Limits<'_>,
) -> Result<Response, CliError> {
    let techniques = logic::default_order_with(&technique::parse_all(&args.with)?);
    let options = logic::ExplainOptions::default()
        .with_uniqueness(!args.no_uniqueness)
        .with_techniques(techniques);
    let hint = Hint::new(position, solutions, &options, limits);
    let text = hint.text(args.detail, args.wording);
    if matches!(hint.outcome(), ExplainOutcome::NotProven { .. }) {
        return Err(CliError::new(text));
    }
    if let (Some(step), Some(file)) = (hint.step(), &args.svg) {
        let candidates = hint.position().candidates();
        write_file(file, &picture::svgs(position.puzzle(), candidates, step, args.wording)[0])?;
    }
    let tip = match args.detail {
        Detail::Hint => Some("use --detail technique to see what to look for"),
        Detail::Technique => Some("use --detail full to see the full reason"),
        Detail::Full => None,
    };
    let verdict = match (hint.step(), hint.outcome()) {
        (Some(_), _) | (None, ExplainOutcome::Solved) => Verdict::Yes,
        (None, ExplainOutcome::Stopped(_)) => Verdict::Error,
        (None, _) => Verdict::No,
    };
    Ok(Response { text, tip: tip.filter(|_| hint.step().is_some()), verdict })
}
