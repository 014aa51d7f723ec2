//! `ninefold explain`: the whole way to the solution, one step with its reason after the other.
//!
//! Every step is replayed by the checker before it is printed. Where logic ends, we say so; what a search finds beyond is
//! called what it is.

use crate::console;
use crate::console::{Console, Part, Remark, Total};
use crate::error::CliError;
use crate::input::{Input, Puzzles, Question};
use crate::list_args::{ListArgs, Numbered};
use crate::position;
use crate::source::Place;
use crate::stream::{self, Told};
use crate::technique;
use crate::verdict::Verdict;
use clap::{Args, ValueEnum};
use ninefold::explain::picture;
use ninefold::explain::view::ExplanationView;
use ninefold::grid::marks;
use ninefold::logic::SinglesOrder;
use ninefold::proof::{Because, all_techniques};
use ninefold::puzzles::canonical;
use ninefold::{Detail, End, Explanation, Language, Notation, Position, Step, Wording, logic};
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
  1  no: there is no solution, or more than one, or the techniques chosen are not enough
  2  trouble: something could not be read, or the time was up")]
pub struct Options {
    #[command(flatten)]
    input: Input,

    #[command(flatten)]
    list: ListArgs,

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

    #[command(flatten)]
    voice: WordingArgs,

    /// The puzzle as it was set, so that digits you filled in are judged against it
    #[arg(long, value_name = "PUZZLE")]
    givens: Option<String>,

    /// How singles are looked for [default: boxes-first, with --technique as-listed]
    #[arg(long, value_enum)]
    singles: Option<Singles>,

    /// Use no step that rests on the promise of one solution
    #[arg(long)]
    no_uniqueness: bool,

    /// Use this technique too, at the end of its tier; may be repeated. --techniques lists the names
    #[arg(long, value_name = "NAME", conflicts_with = "chosen")]
    with: Vec<String>,

    /// Use only these techniques, in this order; may be repeated. --techniques lists the names
    #[arg(long = "technique", value_name = "NAME")]
    chosen: Vec<String>,

    /// Which nested nets to take where nothing else helps
    #[arg(long, value_enum, default_value_t = Prefer::Short)]
    prefer: Prefer,

    /// Take the same steps for all rearrangements of a puzzle: it is explained in its canonical form
    #[arg(long)]
    canonical: bool,

    /// List the techniques and exit
    #[arg(long)]
    techniques: bool,

    /// Draw the pencil marks before each step
    #[arg(long)]
    marks: bool,

    /// Draw the puzzle and each step as SVG files in this folder, with a file for each branch of a proof by cases
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,

    /// Write the whole explanation with its pictures as one HTML file, to read or to print
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Write the whole explanation with its pictures as one PDF file of A4 pages, to print
    #[arg(long, value_name = "FILE")]
    pdf: Option<PathBuf>,

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
    /// Kaleidoscope proposes digits, heads on its states name rules, the six rules check both; where they end it guesses
    /// and says so
    Kaleidoscope,
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

/// How steps are told.
#[derive(Args, Clone, Copy, Debug)]
pub struct WordingArgs {
    /// The language of the explanation
    #[arg(long, value_enum, default_value_t = Tongue::English)]
    language: Tongue,

    /// How to name cells [default: as the language does, r1c1, z1s1 or f1c1]
    #[arg(long, value_enum)]
    notation: Option<Naming>,
}

impl From<WordingArgs> for Wording {
    fn from(args: WordingArgs) -> Wording {
        let language: Language = args.language.into();
        Wording { language, notation: args.notation.map_or(language.notation(), Notation::from) }
    }
}

/// A language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Tongue {
    /// English
    #[value(name = "en")]
    English,
    /// German
    #[value(name = "de")]
    German,
    /// Spanish
    #[value(name = "es")]
    Spanish,
}

impl From<Tongue> for Language {
    fn from(tongue: Tongue) -> Language {
        match tongue {
            Tongue::English => Language::English,
            Tongue::German => Language::German,
            Tongue::Spanish => Language::Spanish,
        }
    }
}

/// How singles are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Singles {
    /// Hidden singles in boxes, then naked singles, then hidden ones in rows and columns
    BoxesFirst,
    /// Naked singles, then hidden ones, or as --technique lists them
    AsListed,
}

impl From<Singles> for SinglesOrder {
    fn from(singles: Singles) -> SinglesOrder {
        match singles {
            Singles::BoxesFirst => SinglesOrder::BoxesFirst,
            Singles::AsListed => SinglesOrder::AsListed,
        }
    }
}

/// Which nested nets to take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Prefer {
    /// The shortest, so that each step is as easy to follow as can be
    Short,
    /// Those that lead furthest, so that there are few of them
    Few,
    /// The first that are found, not shortened: less time to find, more to read
    Quick,
}

impl From<Prefer> for logic::Preference {
    fn from(prefer: Prefer) -> logic::Preference {
        match prefer {
            Prefer::Short => logic::Preference::ShortSteps,
            Prefer::Few => logic::Preference::FewSteps,
            Prefer::Quick => logic::Preference::Quick,
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
    /// f3c7 for fila 3, columna 7
    #[value(name = "f1c1")]
    Spanish,
}

impl From<Naming> for Notation {
    fn from(naming: Naming) -> Notation {
        match naming {
            Naming::RowColumn => Notation::RowColumn,
            Naming::Letters => Notation::Letters,
            Naming::K9 => Notation::K9,
            Naming::German => Notation::German,
            Naming::Spanish => Notation::Spanish,
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
        Method::Kaleidoscope => return rem::run_kaleidoscope(options),
    }
    let wanted = understood(options)?;
    let puzzles = Puzzles::of_input(&options.input)?;
    let total = Total::Bytes(puzzles.reading.clone());
    let puzzles = Numbered::of(puzzles)?;
    let mut console = Console::open(options.list.quiet, options.list.strict).counting_to(total);
    stream::run(
        puzzles,
        options.list.threads(),
        |questions, send| {
            questions
                .into_iter()
                .for_each(|(number, question)| send(answer(options, &wanted, question, number)));
        },
        |told| match told {
            Told::Part(part) => console.print(part),
            Told::Idle => console.flush(),
        },
    );
    console.finish();
    Ok(console.verdict)
}

/// The options as logic understands them, with the folder for pictures made.
fn understood(options: &Options) -> Result<logic::Options, CliError> {
    let mut wanted = logic::Options {
        uniqueness: !options.no_uniqueness,
        preference: options.prefer.into(),
        ..logic::Options::default()
    };
    wanted.techniques = match options.chosen.is_empty() {
        true => logic::default_order_with(&technique::all_named(&options.with)?),
        false => technique::all_named(&options.chosen)?,
    };
    wanted.singles = match options.singles {
        Some(singles) => singles.into(),
        None if options.chosen.is_empty() => SinglesOrder::default(),
        None => SinglesOrder::AsListed,
    };
    if let Some(folder) = &options.svg {
        std::fs::create_dir_all(folder).map_err(|error| {
            CliError::new(format!("{} cannot be made: {error}", folder.display()))
        })?;
    }
    Ok(wanted)
}

fn answer(
    options: &Options,
    wanted: &logic::Options,
    question: Question,
    number: Option<usize>,
) -> Part {
    let told = question.map_err(CliError::from).and_then(|found| {
        let place = found.place();
        let givens = options
            .givens
            .as_deref()
            .map(|text| position::givens(text, options.input.sources.boxes))
            .transpose()?;
        let explanation = explain(&position::of(&found, givens)?, options, wanted)
            .map_err(|error| error.at(&place))?;
        if let Some(folder) = &options.svg {
            draw(&explanation, folder, number, options.voice.into())
                .map_err(|error| error.at(&place))?;
        }
        if let Some(file) = &options.html {
            let file = numbered(file, number);
            write(&file, picture::page(&explanation, options.voice))
                .map_err(|error| error.at(&place))?;
        }
        if let Some(file) = &options.pdf {
            let file = numbered(file, number);
            write(&file, picture::print(&explanation, options.voice))
                .map_err(|error| error.at(&place))?;
        }
        Ok((explanation, place))
    });
    match told {
        Ok((explanation, place)) => Part {
            data: if options.json {
                json(&explanation, &place, options)
            } else {
                text(&explanation, options, number)
            },
            verdict: match explanation.end {
                End::Stopped(_) => Verdict::Trouble,
                _ if explanation.is_complete() => Verdict::Yes,
                _ => Verdict::No,
            },
            puzzles: 1,
            ..Part::default()
        },
        Err(error) => {
            let remark = Remark { topic: "such an error", words: Err(error) };
            Part { remarks: vec![remark], verdict: Verdict::Trouble, puzzles: 1, ..Part::default() }
        }
    }
}

fn explain(
    position: &Position,
    options: &Options,
    wanted: &logic::Options,
) -> Result<Explanation, CliError> {
    if let Some(conflict) = position.grid().conflict() {
        return Err(CliError::new(conflict.to_string())
            .hint("one of the two is a slip; no grid can hold both"));
    }
    let (solutions, limits) = options.list.solutions(position.puzzle());
    let explanation = match options.canonical {
        true => Explanation::of_image(
            position,
            &canonical(position.puzzle()).symmetry,
            solutions,
            wanted,
            &limits,
        ),
        false => Explanation::of(position, solutions, wanted, &limits),
    };
    match &explanation.end {
        End::NotProven { .. } => Err(CliError::new(explanation.ending(options.voice))),
        _ => Ok(explanation),
    }
}

fn text(explanation: &Explanation, options: &Options, number: Option<usize>) -> String {
    let wording: Wording = options.voice.into();
    let mut text = number
        .map(|number| format!("puzzle {number}: {}\n", explanation.puzzle()))
        .unwrap_or_default();
    text += &explanation.opening(wording).map(|opening| opening + "\n").unwrap_or_default();
    let is_single =
        |step: &Step| matches!(step.because, Because::LastDigit | Because::LastPlaceIn(_));
    let promise = explanation.steps.iter().position(|step| step.technique.needs_uniqueness());
    for (index, (before, step)) in
        explanation.positions().enumerate().skip(options.first_step.saturating_sub(1))
    {
        if options.no_singles && is_single(step) {
            continue;
        }
        if options.marks {
            text += &marks::drawn(&before);
        }
        let mut said = match options.short {
            true => step.one_line_in(&before, wording.notation),
            false => step.explain_in(&before, options.level.into(), wording),
        };
        if promise == Some(index) && !options.short && options.level == Depth::Full {
            said = format!("{said} {}", wording.promise());
        }
        text += &format!("{:>3}. {}\n", index + 1, said.replace('\n', "\n     "));
    }
    text + &ending(explanation, wording) + if number.is_some() { "\n" } else { "" }
}

/// The last lines: how it ended, the grid reached, and what a search adds.
fn ending(explanation: &Explanation, wording: Wording) -> String {
    let sentence = explanation.ending(wording);
    let searched = explanation.searched(wording).map(|line| line + "\n").unwrap_or_default();
    match &explanation.end {
        End::Mistake(_) | End::Contradiction => format!("{sentence}\n"),
        End::Solved if explanation.steps.is_empty() => format!("{sentence}\n"),
        _ => format!("{}: {}\n{searched}", sentence.trim_end_matches('.'), explanation.last.grid()),
    }
}

fn draw(
    explanation: &Explanation,
    folder: &Path,
    number: Option<usize>,
    wording: Wording,
) -> Result<(), CliError> {
    let prefix = number.map(|number| format!("puzzle-{number:04}-")).unwrap_or_default();
    let puzzle = picture::puzzle(explanation.puzzle(), wording.notation);
    write(&folder.join(format!("{prefix}puzzle.svg")), &puzzle)?;
    for (number, (before, step)) in (1..).zip(explanation.positions()) {
        let drawn = picture::svgs(explanation.puzzle(), &before, step, wording);
        for (branch, svg) in drawn.iter().enumerate() {
            let of = if branch == 0 { String::new() } else { format!("-branch-{branch}") };
            write(&folder.join(format!("{prefix}step-{number:03}{of}.svg")), svg)?;
        }
    }
    Ok(())
}

/// The file for one of several puzzles: `way.html` becomes `way-0002.html`.
fn numbered(file: &Path, number: Option<usize>) -> PathBuf {
    let Some(number) = number else { return file.to_path_buf() };
    let part =
        |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let (stem, end) = (part(file.file_stem()), part(file.extension()));
    let dot = if end.is_empty() { "" } else { "." };
    file.with_file_name(format!("{stem}-{number:04}{dot}{end}"))
}

fn write(file: &Path, content: impl AsRef<[u8]>) -> Result<(), CliError> {
    files::write(file, content)
        .map_err(|error| CliError::new(format!("{} cannot be written: {error}", file.display())))
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
    let explanation = explanation.view(options.voice);
    let json = Json { source: &place.source, line: place.line, explanation };
    serde_json::to_string(&json).expect("words and numbers can be written as JSON") + "\n"
}
