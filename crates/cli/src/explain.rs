//! `ninefold explain`: the whole way to the solution, one step with its reason after the other.
//!
//! Every step is replayed by the checker before it is printed. Where logic ends, we say so; what a search finds beyond is
//! called what it is.

use crate::console;
use crate::console::{Console, Part, Remark, Total};
use crate::error::CliError;
use crate::input::{Input, Question};
use crate::position;
use crate::source::Place;
use crate::technique;
use crate::verdict::Verdict;
use clap::{Args, ValueEnum};
use ninefold::explain::picture;
use ninefold::explain::view::ExplanationView;
use ninefold::grid::marks;
use ninefold::proof::{Because, all_techniques};
use ninefold::{Detail, End, Explanation, Limits, Notation, Position, Solutions, Step, logic};
use serde::Serialize;
use std::path::{Path, PathBuf};

#[cfg(feature = "networks")]
mod rem;

/// Explain a puzzle step by step
///
/// Start from a puzzle, from a half-solved grid, from a grid of pencil marks (a drawn grid whose empty cells list their
/// candidates; +5 is a digit you placed, {5} a last candidate), or from any file or link that holds a position. Steps that
/// were done already do not come again.
#[derive(Args, Debug)]
#[command(after_help = "\
Exit codes:
  0  yes: logic alone leads to the only solution
  1  no: logic gets stuck, or there is no solution, or more than one
  2  trouble: something could not be read")]
pub struct Options {
    #[command(flatten)]
    input: Input,

    /// How much to say of each step
    #[arg(long, value_enum, default_value_t = Depth::Full)]
    level: Depth,

    /// Write each step in short, chains in Eureka notation
    #[arg(long, conflicts_with = "level")]
    short: bool,

    /// Begin with this step
    #[arg(long, value_name = "STEP", default_value_t = 1)]
    first_step: usize,

    /// Leave singles out of the list
    #[arg(long, conflicts_with = "json")]
    no_singles: bool,

    /// How to name cells
    #[arg(long, value_enum, default_value_t = Naming::RowColumn)]
    notation: Naming,

    /// The puzzle as it was set, so that digits you filled in are judged against it
    #[arg(long, value_name = "PUZZLE")]
    givens: Option<String>,

    /// Use no step that rests on the promise of one solution
    #[arg(long)]
    no_uniqueness: bool,

    /// Use this technique too, at the end of its tier; may be repeated. --techniques lists the names
    #[arg(long, value_name = "NAME", conflicts_with = "chosen")]
    with: Vec<String>,

    /// Use only these techniques, in this order; may be repeated. --techniques lists the names
    #[arg(long = "technique", value_name = "NAME")]
    chosen: Vec<String>,

    /// List the techniques and exit
    #[arg(long)]
    techniques: bool,

    /// Draw the pencil marks before each step
    #[arg(long)]
    marks: bool,

    /// Draw each step as an SVG file in this folder
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,

    /// Answer with one JSON object per puzzle
    #[arg(long, conflicts_with_all = ["marks", "short"])]
    json: bool,

    /// Who explains: logic, or networks as in Cheewaprakobkit et al., whose every word the six rules check
    #[cfg(feature = "networks")]
    #[arg(long, value_enum, default_value_t = Method::Logic)]
    method: Method,

    /// For networks: weights of the one that proposes digits, a file of `ninefold train rrn`
    #[cfg(feature = "networks")]
    #[arg(long, value_name = "FILE")]
    rrn: Option<PathBuf>,

    /// For networks: weights of the one that names rules, a file of `ninefold train rem-board` or `rem-relations`
    #[cfg(feature = "networks")]
    #[arg(long, value_name = "FILE")]
    rem: Option<PathBuf>,
}

/// Who explains.
#[cfg(feature = "networks")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Method {
    /// Logic alone
    Logic,
    /// A recurrent relational network proposes digits, a head on the states of another names rules, and the six rules
    /// check both
    Rem,
    /// The same with rules named by a network whose states belong to candidates, which knows them better
    RemRelations,
}

/// How much to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Depth {
    /// Where to look
    Hint,
    /// What to look for
    Technique,
    /// The whole reason
    Full,
}

impl From<Depth> for Detail {
    fn from(depth: Depth) -> Detail {
        match depth {
            Depth::Hint => Detail::Hint,
            Depth::Technique => Detail::Technique,
            Depth::Full => Detail::Full,
        }
    }
}

/// How cells are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Naming {
    /// r3c7 for row 3, column 7; r12c45 for four cells at once
    #[value(name = "r1c1")]
    RowColumn,
    /// G3 for column G, row 3, as in Sudoku Explainer
    #[value(name = "a1")]
    Letters,
    /// C7 for row C, column 7; K9 is the last cell
    #[value(name = "k9")]
    K9,
    /// z3s7 for Zeile 3, Spalte 7
    #[value(name = "z1s1")]
    German,
}

impl From<Naming> for Notation {
    fn from(naming: Naming) -> Notation {
        match naming {
            Naming::RowColumn => Notation::RowColumn,
            Naming::Letters => Notation::Letters,
            Naming::K9 => Notation::K9,
            Naming::German => Notation::German,
        }
    }
}

/// Explains everything and prints it.
pub fn run(options: &Options) -> Result<Verdict, CliError> {
    if options.techniques {
        let lines = all_techniques().into_iter().map(|technique| {
            let note = if technique.needs_uniqueness() { " (rests on uniqueness)" } else { "" };
            let off = if technique.is_default() { "" } else { " (off; --with switches it on)" };
            format!("{:<36} {technique}{note}{off}\n", technique.slug())
        });
        console::print(format_args!("{}", lines.collect::<String>()));
        return Ok(Verdict::Yes);
    }
    #[cfg(feature = "networks")]
    match options.method {
        Method::Logic => {}
        Method::Rem => return rem::run(options, "rem-board"),
        Method::RemRelations => return rem::run(options, "rem-relations"),
    }
    let wanted = understood(options)?;
    let questions = position::all(&options.input)?;
    let alone = questions.len() == 1;
    let mut console = Console::open(false, false).counting_to(Total::Puzzles(questions.len() as u64));
    for (number, question) in (1..).zip(questions) {
        console.print(answer(options, &wanted, question, (!alone).then_some(number)));
    }
    console.finish();
    Ok(console.verdict)
}

/// The options as logic understands them, with the folder for pictures made.
fn understood(options: &Options) -> Result<logic::Options, CliError> {
    let mut wanted = logic::Options { uniqueness: !options.no_uniqueness, ..logic::Options::default() };
    wanted.techniques = match options.chosen.is_empty() {
        true => logic::default_order_with(&technique::all_named(&options.with)?),
        false => technique::all_named(&options.chosen)?,
    };
    if let Some(folder) = &options.svg {
        std::fs::create_dir_all(folder)
            .map_err(|error| CliError::new(format!("{} cannot be made: {error}", folder.display())))?;
    }
    Ok(wanted)
}

fn answer(options: &Options, wanted: &logic::Options, question: Question, number: Option<usize>) -> Part {
    let told = question.map_err(CliError::from).and_then(|found| {
        let place = found.place();
        let givens =
            options.givens.as_deref().map(|text| position::givens(text, options.input.sources.boxes)).transpose()?;
        let explanation = explain(&position::of(&found, givens)?, options, wanted).map_err(|error| error.at(&place))?;
        if let Some(folder) = &options.svg {
            draw(&explanation, folder, number).map_err(|error| error.at(&place))?;
        }
        Ok((explanation, place))
    });
    match told {
        Ok((explanation, place)) => Part {
            data: if options.json { json(&explanation, &place, options) } else { text(&explanation, options, number) },
            verdict: if explanation.is_complete() { Verdict::Yes } else { Verdict::No },
            puzzles: 1,
            ..Part::default()
        },
        Err(error) => {
            let remark = Remark { topic: "such an error", words: Err(error) };
            Part { remarks: vec![remark], verdict: Verdict::Trouble, puzzles: 1, ..Part::default() }
        }
    }
}

fn explain(position: &Position, options: &Options, wanted: &logic::Options) -> Result<Explanation, CliError> {
    if let Some(conflict) = position.grid().conflict() {
        return Err(CliError::new(conflict.to_string()).hint("one of the two is a slip; no grid can hold both"));
    }
    let explanation = Explanation::of(position, position::solutions(position.puzzle()), wanted, &Limits::none());
    match &explanation.end {
        End::NotProven { .. } => Err(CliError::new(explanation.ending(options.notation.into()))),
        _ => Ok(explanation),
    }
}

fn text(explanation: &Explanation, options: &Options, number: Option<usize>) -> String {
    let mut text = number.map(|number| format!("puzzle {number}: {}\n", explanation.puzzle())).unwrap_or_default();
    text += &match &explanation.solutions {
        Some(Solutions::Zero) => "This puzzle has no solution; here is how far its digits lead.\n".to_string(),
        Some(Solutions::Many(first, second)) => {
            format!("This puzzle has more than one solution, for example\n  {first}\n  {second}\n")
        }
        Some(Solutions::One(_)) | None => String::new(),
    };
    let notation = options.notation.into();
    let is_single = |step: &Step| matches!(step.because, Because::LastDigit | Because::LastPlaceIn(_));
    for (number, (before, step)) in (1..).zip(explanation.positions()).skip(options.first_step.saturating_sub(1)) {
        if options.no_singles && is_single(step) {
            continue;
        }
        if options.marks {
            text += &marks::drawn(&before);
        }
        let said = match options.short {
            true => step.one_line_in(&before, notation),
            false => step.explain_in(&before, options.level.into(), notation),
        };
        text += &format!("{number:>3}. {said}\n");
    }
    text + &ending(explanation, notation) + if number.is_some() { "\n" } else { "" }
}

/// The last lines: how it ended, the grid reached, and what a search adds.
fn ending(explanation: &Explanation, notation: Notation) -> String {
    let (sentence, last) = (explanation.ending(notation), explanation.last.grid());
    let with_grid = || format!("{}: {last}\n", sentence.trim_end_matches('.'));
    match (&explanation.end, explanation.solutions.as_ref().and_then(Solutions::only)) {
        (End::Mistake(_) | End::Contradiction, _) => format!("{sentence}\n"),
        (End::Solved, _) | (_, None) => with_grid(),
        (_, Some(only)) => {
            with_grid() + &format!("The rest is not explained. A search that tries digits out gives {only}\n")
        }
    }
}

fn draw(explanation: &Explanation, folder: &Path, number: Option<usize>) -> Result<(), CliError> {
    let prefix = number.map(|number| format!("puzzle-{number:04}-")).unwrap_or_default();
    for (number, (before, step)) in (1..).zip(explanation.positions()) {
        let file = folder.join(format!("{prefix}step-{number:03}.svg"));
        files::write(&file, picture::svg(explanation.puzzle(), &before, Some(step)))
            .map_err(|error| CliError::new(format!("{} cannot be written: {error}", file.display())))?;
    }
    Ok(())
}

/// The explanation as every program reads it, and where its puzzle stands.
#[derive(Serialize)]
struct Json<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    source: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(flatten)]
    explanation: ExplanationView,
}

fn json(explanation: &Explanation, place: &Place, options: &Options) -> String {
    let explanation = explanation.view(options.notation.into());
    let json = Json { source: &place.source, line: place.line, explanation };
    serde_json::to_string(&json).expect("words and numbers can be written as JSON") + "\n"
}
