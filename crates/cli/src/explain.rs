//! `ninefold explain`: explains how to solve a puzzle, step by step.
//!
//! The proof checker verifies every step before it is printed. If logic alone does not solve the
//! puzzle, the output says so and names the result of a search separately.

use crate::console::{self, Console, Part, Total};
use crate::error::CliError;
use crate::input::{InputArgs, InputResult, Puzzles};
use crate::list_args::{ListArgs, NumberedPuzzles};
use crate::output::write_file;
use crate::position;
use crate::source::Place;
use crate::stream::{self, Event};
use crate::technique;
use crate::values;
use crate::verdict::Verdict;
use clap::builder::TypedValueParser;
use ninefold::explain::picture;
use ninefold::explain::view::ExplanationView;
use ninefold::grid::marks;
use ninefold::logic::{ExplainOptions, Preference, SinglesOrder, default_order_with};
use ninefold::proof::{Reason, all_techniques};
use ninefold::puzzles::canonical;
use ninefold::{
    Detail, ExplainOutcome, Explanation, Grid, Language, Notation, Position, Step, Wording,
};
use serde::Serialize;
use std::path::{Path, PathBuf};

#[cfg(feature = "networks")]
mod rem;

/// Explain puzzles step by step
///
/// The input is a puzzle, a partly solved grid, a grid of pencil marks (a drawn grid whose empty
/// cells list their candidates; +5 is a digit you placed, {5} a last candidate), or any file or
/// link that contains a position. The explanation starts from that position.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Exit codes:
  0  logic alone leads to the unique solution
  1  there is no solution or more than one, or the chosen techniques are not sufficient
  2  an input could not be read, or the time limit was reached")]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,

    #[command(flatten)]
    list: ListArgs,

    /// Amount of detail for each step [default: full]
    #[arg(long, value_name = "DETAIL", value_parser = detail_parser())]
    detail: Option<Detail>,

    /// Print one short line per step, with chains in Eureka notation
    #[arg(long, conflicts_with = "detail")]
    short: bool,

    /// Print the steps from this number [default: 1]
    #[arg(long, value_name = "N")]
    first_step: Option<usize>,

    /// Do not print steps that are singles
    #[arg(long)]
    hide_singles: bool,

    #[command(flatten)]
    wording: WordingArgs,

    /// The original puzzle, to distinguish its clues from digits that you placed
    #[arg(long, value_name = "PUZZLE")]
    givens: Option<String>,

    /// Order in which singles are searched [default: boxes-first; as-listed with --technique]
    #[arg(long, value_name = "ORDER", value_parser = singles_parser())]
    singles: Option<SinglesOrder>,

    /// Do not use techniques that assume a unique solution
    #[arg(long)]
    no_uniqueness: bool,

    /// Use this technique in addition, at the end of its tier; may be repeated. --techniques lists
    /// the names
    #[arg(long, value_name = "NAME", conflicts_with = "technique")]
    with: Vec<String>,

    /// Use only these techniques, in this order; may be repeated. --techniques lists the names
    #[arg(long, value_name = "NAME")]
    technique: Vec<String>,

    /// Kind of nested nets to use if nothing else helps [default: short]
    #[arg(long, value_name = "KIND", value_parser = preference_parser())]
    prefer: Option<Preference>,

    /// Explain the canonical form, so that equivalent puzzles have the same steps
    #[arg(long)]
    canonical: bool,

    /// List the techniques and exit
    #[arg(long)]
    techniques: bool,

    /// Draw the pencil marks before each step
    #[arg(long)]
    marks: bool,

    /// Draw the puzzle and each step as SVG files in this directory, with one file for each branch
    /// of a proof by cases
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,

    /// Write the complete explanation with pictures to an HTML file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Write the complete explanation with pictures to a PDF file with A4 pages
    #[arg(long, value_name = "FILE")]
    pdf: Option<PathBuf>,

    /// Print one JSON object per puzzle
    #[arg(long, conflicts_with_all = ["marks", "short", "detail", "first_step", "hide_singles"])]
    json: bool,

    /// Explain with logic, or with networks as in Cheewaprakobkit et al.
    ///
    /// The networks propose digits and name rules. The six rules of the paper verify both.
    #[cfg(feature = "networks")]
    #[arg(long, value_enum, default_value_t = Method::Logic)]
    method: Method,

    /// With --method rem or rem-relations: weights of the network that proposes digits, a file
    /// written by `ninefold train rrn`
    #[cfg(feature = "networks")]
    #[arg(long, value_name = "FILE")]
    rrn_weights: Option<PathBuf>,

    /// With --method rem or rem-relations: weights of the network that predicts which solving rule
    /// justifies a step, a file written by `ninefold train rem-board` or `rem-relations`
    #[cfg(feature = "networks")]
    #[arg(long, value_name = "FILE")]
    rem_weights: Option<PathBuf>,
}

#[cfg(feature = "networks")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Method {
    /// Logic alone
    Logic,
    /// A recurrent relational network proposes digits, and a second network on boards names rules
    Rem,
    /// The same, but the states of the second network belong to candidates; it names rules more
    /// reliably
    RemRelations,
    /// Kaleidoscope proposes digits and names rules. If no rule applies, it guesses and says so
    Kaleidoscope,
}

/// Language and cell names of explanations.
#[derive(clap::Args, Clone, Copy, Debug)]
pub struct WordingArgs {
    /// Language of the explanation [default: en]
    #[arg(long, value_name = "LANGUAGE", value_parser = language_parser())]
    language: Option<Language>,

    /// Names of cells [default: r1c1, z1s1 or f1c1, depending on the language]
    #[arg(long, value_name = "NOTATION", value_parser = notation_parser())]
    notation: Option<Notation>,
}

impl From<WordingArgs> for Wording {
    fn from(args: WordingArgs) -> Wording {
        let language = args.language.unwrap_or_default();
        Wording::from(language).with_notation(args.notation.unwrap_or(language.notation()))
    }
}

pub fn detail_parser() -> impl TypedValueParser<Value = Detail> {
    values::parser_with_help(Detail::ALL.map(|detail| {
        let help = match detail {
            Detail::Hint => "Where to look",
            Detail::Technique => "What to look for",
            Detail::Full => "The full reason",
        };
        (detail, detail.name(), help)
    }))
}

fn singles_parser() -> impl TypedValueParser<Value = SinglesOrder> {
    values::parser_with_help(SinglesOrder::ALL.map(|order| {
        let help = match order {
            SinglesOrder::BoxesFirst => {
                "Hidden singles in boxes, then naked singles, then hidden singles in rows and columns"
            }
            SinglesOrder::AsListed => "Naked singles, then hidden singles, or the order of --technique",
        };
        (order, order.name(), help)
    }))
}

fn preference_parser() -> impl TypedValueParser<Value = Preference> {
    values::parser_with_help(Preference::ALL.map(|preference| {
        let help = match preference {
            Preference::ShortSteps => "The shortest nets, which are the easiest to follow",
            Preference::FewSteps => "The nets with the largest effect, which give fewer steps",
            Preference::Quick => "The first nets found, which are the fastest to compute",
        };
        (preference, preference.name(), help)
    }))
}

fn language_parser() -> impl TypedValueParser<Value = Language> {
    values::parser_with_help(Language::ALL.map(|language| {
        let help = match language {
            Language::English => "English",
            Language::German => "German",
            Language::Spanish => "Spanish",
            _ => "",
        };
        (language, language.code(), help)
    }))
}

fn notation_parser() -> impl TypedValueParser<Value = Notation> {
    values::parser_with_help(Notation::ALL.map(|notation| {
        let help = match notation {
            Notation::RowColumn => "r3c7 for row 3, column 7; r12c45 for four cells",
            Notation::Letters => "G3 for column G, row 3, as in Sudoku Explainer",
            Notation::K9 => "C7 for row C, column 7; K9 is the last cell",
            Notation::German => "z3s7 for Zeile 3, Spalte 7",
            Notation::Spanish => "f3c7 for fila 3, columna 7",
            _ => "",
        };
        (notation, notation.name(), help)
    }))
}

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    if args.techniques {
        let lines = all_techniques().into_iter().map(|technique| {
            let note =
                if technique.needs_uniqueness() { " (assumes a unique solution)" } else { "" };
            let off = if technique.is_default() { "" } else { " (off; --with enables it)" };
            format!("{:<36} {technique}{note}{off}\n", technique.slug())
        });
        console::print(format_args!("{}", lines.collect::<String>()));
        return Ok(Verdict::Yes);
    }
    #[cfg(feature = "networks")]
    {
        args.reject_unused_options()?;
        match args.method {
            Method::Logic => {}
            Method::Rem => return rem::run(args, "rem-board"),
            Method::RemRelations => return rem::run(args, "rem-relations"),
            Method::Kaleidoscope => return rem::run_kaleidoscope(args),
        }
    }
    let context = ExplainContext::new(args)?;
    let puzzles = Puzzles::from_input(&args.input)?;
    let total = Total::Bytes(puzzles.progress.clone());
    let puzzles = NumberedPuzzles::new(puzzles)?;
    let mut console = Console::open(args.list.quiet, args.list.strict).with_total(total);
    stream::run(
        puzzles,
        args.list.threads(),
        |records, send| {
            records
                .into_iter()
                .for_each(|(number, record)| send(context.explain_record(record, number)));
        },
        |event| match event {
            Event::Part(part) => console.print(part),
            Event::Idle => console.flush(),
        },
    );
    console.finish();
    Ok(console.verdict)
}

#[cfg(feature = "networks")]
impl Args {
    /// Rejects options that the chosen method cannot use.
    fn reject_unused_options(&self) -> Result<(), CliError> {
        let network_options = [
            ("--rrn-weights", self.rrn_weights.is_some()),
            ("--rem-weights", self.rem_weights.is_some()),
        ];
        let logic_options = [
            ("--time-limit", self.list.has_time_limit()),
            ("--threads", self.list.has_threads()),
            ("--detail", self.detail.is_some()),
            ("--short", self.short),
            ("--first-step", self.first_step.is_some()),
            ("--hide-singles", self.hide_singles),
            ("--language", self.wording.language.is_some()),
            ("--notation", self.wording.notation.is_some()),
            ("--givens", self.givens.is_some()),
            ("--singles", self.singles.is_some()),
            ("--no-uniqueness", self.no_uniqueness),
            ("--with", !self.with.is_empty()),
            ("--technique", !self.technique.is_empty()),
            ("--prefer", self.prefer.is_some()),
            ("--canonical", self.canonical),
            ("--marks", self.marks),
            ("--svg", self.svg.is_some()),
            ("--html", self.html.is_some()),
            ("--pdf", self.pdf.is_some()),
        ];
        let (mode, unused) = match self.method {
            Method::Logic => ("--method logic", network_options.to_vec()),
            Method::Rem => ("--method rem", logic_options.to_vec()),
            Method::RemRelations => ("--method rem-relations", logic_options.to_vec()),
            Method::Kaleidoscope => {
                ("--method kaleidoscope", [&logic_options[..], &network_options[..]].concat())
            }
        };
        match unused.into_iter().find(|&(_, is_given)| is_given) {
            Some((option, _)) => Err(CliError::unsupported_option(option, mode)
                .hint("leave out the option, or use another --method")),
            None => Ok(()),
        }
    }
}

/// The data that all workers share.
struct ExplainContext<'a> {
    args: &'a Args,
    options: ExplainOptions,
    wording: Wording,
    /// The clues from `--givens`.
    givens: Option<Grid>,
}

impl<'a> ExplainContext<'a> {
    /// Parses the option values and creates the directory for pictures.
    fn new(args: &'a Args) -> Result<ExplainContext<'a>, CliError> {
        let techniques = match args.technique.is_empty() {
            true => default_order_with(&technique::parse_all(&args.with)?),
            false => technique::parse_all(&args.technique)?,
        };
        let default_singles = match args.technique.is_empty() {
            true => SinglesOrder::default(),
            false => SinglesOrder::AsListed,
        };
        let mut options = ExplainOptions::default()
            .with_uniqueness(!args.no_uniqueness)
            .with_preference(args.prefer.unwrap_or_default());
        options.techniques = techniques;
        options.singles = args.singles.unwrap_or(default_singles);
        if let Some(directory) = &args.svg {
            std::fs::create_dir_all(directory)
                .map_err(|error| CliError::cannot_write(directory.display(), error))?;
        }
        let givens = position::parse_givens(args.givens.as_deref(), args.input.sources.boxes)?;
        Ok(ExplainContext { args, options, wording: args.wording.into(), givens })
    }

    fn explain_record(&self, record: InputResult, number: Option<usize>) -> Part {
        let result = record.map_err(CliError::from).and_then(|record| {
            let place = record.place();
            let position = position::from_record(&record, self.givens.clone())?;
            let explanation = self
                .explain(&position)
                .and_then(|explanation| {
                    self.write_files(&explanation, number)?;
                    Ok(explanation)
                })
                .map_err(|error| error.at(&place))?;
            Ok((explanation, place))
        });
        match result {
            Ok((explanation, place)) => Part {
                data: if self.args.json {
                    json(&explanation, &place, self.wording)
                } else {
                    self.text(&explanation, number)
                },
                verdict: match explanation.outcome {
                    ExplainOutcome::Stopped(_) => Verdict::Error,
                    _ if explanation.is_complete() => Verdict::Yes,
                    _ => Verdict::No,
                },
                puzzles: 1,
                ..Part::default()
            },
            Err(error) => Part::error(error, 1),
        }
    }

    fn explain(&self, position: &Position) -> Result<Explanation, CliError> {
        if let Some(conflict) = position.grid().conflict() {
            return Err(CliError::new(conflict.to_string())
                .hint("one of the two digits is wrong; no grid can contain both"));
        }
        if self.args.canonical {
            let classic = position.puzzle().require_classic("canonical forms are");
            classic.map_err(|error| CliError::new(error.to_string()))?;
        }
        let (solutions, limits) = self.args.list.solutions(position.puzzle());
        let explanation = match self.args.canonical {
            true => Explanation::with_symmetry(
                position,
                &canonical(position.puzzle()).symmetry,
                solutions,
                &self.options,
                &limits,
            ),
            false => Explanation::new(position, solutions, &self.options, &limits),
        };
        match &explanation.outcome {
            ExplainOutcome::NotProven { .. } => {
                Err(CliError::new(explanation.outcome_text(self.wording)))
            }
            _ => Ok(explanation),
        }
    }

    /// Writes the pictures and documents that were requested.
    fn write_files(
        &self,
        explanation: &Explanation,
        number: Option<usize>,
    ) -> Result<(), CliError> {
        if let Some(directory) = &self.args.svg {
            draw(explanation, directory, number, self.wording)?;
        }
        if let Some(file) = &self.args.html {
            write_file(&numbered_path(file, number), picture::page(explanation, self.wording))?;
        }
        if let Some(file) = &self.args.pdf {
            write_file(&numbered_path(file, number), picture::print(explanation, self.wording))?;
        }
        Ok(())
    }

    fn text(&self, explanation: &Explanation, number: Option<usize>) -> String {
        let (args, wording) = (self.args, self.wording);
        let detail = args.detail.unwrap_or(Detail::Full);
        let mut text = number
            .map(|number| format!("puzzle {number}: {}\n", explanation.puzzle()))
            .unwrap_or_default();
        text += &explanation.introduction(wording).map(|line| line + "\n").unwrap_or_default();
        let is_single =
            |step: &Step| matches!(step.reason, Reason::LastDigit | Reason::LastPlaceIn(_));
        let first_unique =
            explanation.steps.iter().position(|step| step.technique.needs_uniqueness());
        let skipped = args.first_step.unwrap_or(1).saturating_sub(1);
        for (index, (before, step)) in explanation.positions().enumerate().skip(skipped) {
            if args.hide_singles && is_single(step) {
                continue;
            }
            if args.marks {
                text += &marks::diagram(&before);
            }
            let mut step_text = match args.short {
                true => step.one_line_in(&before, wording.notation),
                false => step.explain_in(&before, detail, wording),
            };
            // The first step that assumes a unique solution says so.
            if first_unique == Some(index) && !args.short && detail == Detail::Full {
                step_text = format!("{step_text} {}", wording.uniqueness_note());
            }
            text += &format!("{:>3}. {}\n", index + 1, step_text.replace('\n', "\n     "));
        }
        text + &ending(explanation, wording) + if number.is_some() { "\n" } else { "" }
    }
}

/// The last lines: the outcome, the final grid, and what a search adds.
fn ending(explanation: &Explanation, wording: Wording) -> String {
    let sentence = explanation.outcome_text(wording);
    let note = explanation.solution_note(wording).map(|line| line + "\n").unwrap_or_default();
    match &explanation.outcome {
        ExplainOutcome::Mistake(_) | ExplainOutcome::Contradiction => format!("{sentence}\n"),
        ExplainOutcome::Solved if explanation.steps.is_empty() => format!("{sentence}\n"),
        _ => format!("{}: {}\n{note}", sentence.trim_end_matches('.'), explanation.last.grid()),
    }
}

fn draw(
    explanation: &Explanation,
    directory: &Path,
    number: Option<usize>,
    wording: Wording,
) -> Result<(), CliError> {
    let prefix = number.map(|number| format!("puzzle-{number:04}-")).unwrap_or_default();
    let puzzle = picture::puzzle(explanation.puzzle(), wording.notation);
    write_file(&directory.join(format!("{prefix}puzzle.svg")), &puzzle)?;
    for (number, (before, step)) in (1..).zip(explanation.positions()) {
        let pictures = picture::svgs(explanation.puzzle(), &before, step, wording);
        for (branch, svg) in pictures.iter().enumerate() {
            let suffix = if branch == 0 { String::new() } else { format!("-branch-{branch}") };
            write_file(&directory.join(format!("{prefix}step-{number:03}{suffix}.svg")), svg)?;
        }
    }
    Ok(())
}

/// The file for one of several puzzles, for example `path-0002.html` for `path.html`.
fn numbered_path(file: &Path, number: Option<usize>) -> PathBuf {
    let Some(number) = number else { return file.to_path_buf() };
    let part =
        |part: Option<&std::ffi::OsStr>| part.unwrap_or_default().to_string_lossy().into_owned();
    let (stem, extension) = (part(file.file_stem()), part(file.extension()));
    let dot = if extension.is_empty() { "" } else { "." };
    file.with_file_name(format!("{stem}-{number:04}{dot}{extension}"))
}

/// The JSON representation of an explanation, with the place of its puzzle.
#[derive(Serialize)]
struct Json<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    source: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(flatten)]
    explanation: ExplanationView,
}

fn json(explanation: &Explanation, place: &Place, wording: Wording) -> String {
    let explanation = explanation.view(wording);
    let json = Json { source: &place.source, line: place.line, explanation };
    serde_json::to_string(&json).expect("an explanation can be written as JSON") + "\n"
}
