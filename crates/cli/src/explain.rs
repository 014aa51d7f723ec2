//! `ninefold explain`: the whole way to the solution, one step with its reason after the other.
//!
//! Every step is replayed by the checker before it is printed. Where logic ends, we say so; what a search finds beyond is
//! called what it is.

use crate::console;
use crate::console::{Console, Part, Remark};
use crate::error::CliError;
use crate::input::Question;
use crate::position;
use crate::source::{Place, Sources};
use crate::technique;
use crate::verdict::Verdict;
use crate::words;
use clap::{Args, ValueEnum};
use ninefold::grid::{Candidates, Grid, marks};
use ninefold::logic::{self, Because, End, Hint, Level, Mistake, Notation, Path, Step, picture};
use ninefold::search::{Solutions, Unfinished};
use serde::Serialize;
use std::path::PathBuf;

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
    sources: Sources,

    /// How much to say of each step
    #[arg(long, value_enum, default_value_t = Depth::Full)]
    level: Depth,

    /// Write each step in short, chains in Eureka notation
    #[arg(long, conflicts_with = "level")]
    short: bool,

    /// Begin with this step
    #[arg(long, value_name = "STEP", default_value_t = 1)]
    from: usize,

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

    /// List the techniques and leave
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

    /// Who explains: logic, or networks as in paper 1, whose every word the six rules check
    #[arg(long, value_enum, default_value_t = Method::Logic)]
    method: Method,

    /// For networks: weights of the one that proposes digits, a file of `ninefold train rrn`
    #[arg(long, value_name = "FILE")]
    rrn: Option<PathBuf>,

    /// For networks: weights of the one that names rules, a file of `ninefold train rem-board` or `rem-relations`
    #[arg(long, value_name = "FILE")]
    rem: Option<PathBuf>,
}

/// Who explains.
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

impl From<Depth> for Level {
    fn from(depth: Depth) -> Level {
        match depth {
            Depth::Hint => Level::Hint,
            Depth::Technique => Level::Technique,
            Depth::Full => Level::Full,
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
        let lines = logic::all_techniques().into_iter().map(|technique| {
            let note = if technique.needs_uniqueness() { " (rests on uniqueness)" } else { "" };
            let off = if logic::default_order().contains(&technique) { "" } else { " (off; --with switches it on)" };
            format!("{:<36} {technique}{note}{off}\n", technique.slug())
        });
        console::print(format_args!("{}", lines.collect::<String>()));
        return Ok(Verdict::Yes);
    }
    match options.method {
        Method::Logic => {}
        Method::Rem => return rem::run(options, "rem-board"),
        Method::RemRelations => return rem::run(options, "rem-relations"),
    }
    let wanted = understood(options)?;
    let questions = position::all(&options.sources)?;
    let alone = questions.len() == 1;
    let mut console = Console::open(false, false);
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
        let with_place = |error: CliError| error.at(&place);
        let (puzzle, position) = found.entry_that_may_break_rules()?.start();
        let givens = options.givens.as_deref().map(|text| position::givens(text, options.sources.boxes)).transpose()?;
        let story = Story::of(givens.unwrap_or(puzzle), &position, wanted).map_err(with_place)?;
        if let Some(folder) = &options.svg {
            story.draw(folder, number).map_err(with_place)?;
        }
        Ok((story, place))
    });
    match told {
        Ok((story, place)) => Part {
            data: if options.json { story.json(&place, options.notation.into()) } else { story.text(options, number) },
            verdict: story.verdict(),
            puzzles: 1,
            ..Part::default()
        },
        Err(error) => {
            let remark = Remark { topic: "such an error", words: Err(error) };
            Part { remarks: vec![remark], verdict: Verdict::Trouble, puzzles: 1, ..Part::default() }
        }
    }
}

/// What is known about one puzzle, and the way through it.
struct Story {
    solutions: Result<Solutions, Unfinished>,
    /// A digit or pencil mark of the start that the only solution contradicts; then nothing more is explained.
    mistake: Option<Mistake>,
    path: Path,
}

impl Story {
    fn of(givens: Grid, position: &Candidates, wanted: &logic::Options) -> Result<Story, CliError> {
        if let Some(conflict) = position.grid().conflict() {
            let hint = "one of the two is a slip; no grid can hold both";
            return Err(CliError::new(conflict.to_string()).hint(hint));
        }
        let start = logic::without_stale_marks(position);
        if givens.order() != start.order() {
            return Err(CliError::new(format!(
                "the puzzle is {} but the position is {}",
                givens.order(),
                start.order()
            )));
        }
        let solutions = position::solutions(&givens);
        let only = match &solutions {
            Ok(Solutions::One(only)) => Some(only),
            _ => None,
        };
        let mistake = only.and_then(|only| logic::mistake(&start, only));
        // Without a promise of one solution, what rests on it proves nothing.
        let uniqueness = wanted.uniqueness && only.is_some();
        let most_steps = if mistake.is_some() { 0 } else { wanted.most_steps };
        let options = logic::Options { uniqueness, most_steps, ..wanted.clone() };
        let path = logic::solve(&givens, &start, &options);
        for (number, (before, step)) in (1..).zip(path.positions()) {
            if let Err(flaw) = logic::check::check(step, &path.givens, &before) {
                return Err(CliError::new(format!("this is a bug in Ninefold: step {number} is not proven: {flaw}")));
            }
        }
        Ok(Story { solutions, mistake, path })
    }

    fn verdict(&self) -> Verdict {
        let solved = self.path.end == End::Solved && self.path.last.grid().is_solved();
        if solved && matches!(self.solutions, Ok(Solutions::One(_))) { Verdict::Yes } else { Verdict::No }
    }

    fn text(&self, options: &Options, number: Option<usize>) -> String {
        let mut text = number.map(|number| format!("puzzle {number}: {}\n", self.path.givens)).unwrap_or_default();
        text += &match &self.solutions {
            Ok(Solutions::Zero) => "This puzzle has no solution; here is how far its digits lead.\n".to_string(),
            Ok(Solutions::Many(first, second)) => {
                format!("This puzzle has more than one solution, for example\n  {first}\n  {second}\n")
            }
            Ok(Solutions::One(_)) | Err(_) => String::new(),
        };
        let notation = options.notation.into();
        if let Some(mistake) = self.mistake {
            let words = Hint::Mistake(mistake).text_in(&self.path.start, Level::Full, notation);
            return text + &format!("{words} Correct this first: from a mistake everything follows.\n");
        }
        let is_single = |step: &Step| matches!(step.because, Because::LastDigit | Because::LastPlaceIn(_));
        for (number, (before, step)) in (1..).zip(self.path.positions()).skip(options.from.saturating_sub(1)) {
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
        text + &self.ending() + if number.is_some() { "\n" } else { "" }
    }

    fn ending(&self) -> String {
        let steps = words::counted(self.path.trace.steps.len() as u64, "step", "steps");
        let last = self.path.last.grid();
        match (self.path.end, &self.solutions) {
            (End::Solved, _) => format!("Solved by logic alone in {steps}: {last}\n"),
            (End::Contradiction, _) => {
                format!(
                    "After {steps} a cell has no digit left or a house no place for one, so this cannot be solved.\n"
                )
            }
            (_, Ok(Solutions::One(only))) => format!(
                "After {steps} no technique in use finds anything more: {last}\n\
                 The rest is not explained. A search that tries digits out gives {only}\n"
            ),
            _ => format!("After {steps} no technique in use finds anything more: {last}\n"),
        }
    }

    fn draw(&self, folder: &std::path::Path, number: Option<usize>) -> Result<(), CliError> {
        let prefix = number.map(|number| format!("puzzle-{number:04}-")).unwrap_or_default();
        for (number, (before, step)) in (1..).zip(self.path.positions()) {
            let file = folder.join(format!("{prefix}step-{number:03}.svg"));
            std::fs::write(&file, picture::svg(&self.path.givens, &before, Some(step)))
                .map_err(|error| CliError::new(format!("{} cannot be written: {error}", file.display())))?;
        }
        Ok(())
    }

    fn json(&self, place: &Place, notation: Notation) -> String {
        let order = self.path.givens.order();
        let conclusions = |candidates: &[logic::Candidate]| {
            let one = |candidate: &logic::Candidate| JsonCandidate {
                cell: order.name_of(candidate.cell),
                digit: candidate.digit.number(),
            };
            candidates.iter().map(one).collect()
        };
        let step = |number: usize, before: &Candidates, step: &Step| JsonStep {
            step: number,
            technique: step.technique.to_string(),
            needs_uniqueness: step.technique.needs_uniqueness(),
            places: conclusions(&step.places),
            removes: conclusions(&step.removes),
            short: step.one_line_in(before, notation),
            text: step.explain_in(before, Level::Full, notation),
        };
        let (solutions, solution) = match &self.solutions {
            Ok(Solutions::Zero) => ("none", None),
            Ok(Solutions::One(only)) => ("one", Some(only)),
            Ok(Solutions::Many(..)) => ("several", None),
            Err(_) => ("unknown", None),
        };
        let end = match self.path.end {
            End::Solved => "solved",
            End::Stuck | End::Enough => "stuck",
            End::Contradiction => "contradiction",
        };
        let json = Json {
            source: &place.source,
            line: place.line,
            puzzle: self.path.givens.to_string(),
            solutions,
            solution: solution.map(Grid::to_string),
            mistake: self.mistake.map(|m| Hint::Mistake(m).text_in(&self.path.start, Level::Full, notation)),
            end,
            reached: self.path.last.grid().to_string(),
            steps: (1..).zip(self.path.positions()).map(|(number, (before, s))| step(number, &before, s)).collect(),
        };
        serde_json::to_string(&json).expect("words and numbers can be written as JSON") + "\n"
    }
}

#[derive(Serialize)]
struct Json<'a> {
    #[serde(skip_serializing_if = "str::is_empty")]
    source: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    puzzle: String,
    solutions: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    solution: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mistake: Option<String>,
    end: &'static str,
    reached: String,
    steps: Vec<JsonStep>,
}

#[derive(Serialize)]
struct JsonStep {
    step: usize,
    technique: String,
    needs_uniqueness: bool,
    places: Vec<JsonCandidate>,
    removes: Vec<JsonCandidate>,
    short: String,
    text: String,
}

#[derive(Serialize)]
struct JsonCandidate {
    cell: String,
    digit: u8,
}
