//! `ninefold rate`: rates the difficulty of puzzles on one or several scales.

use crate::console::{Console, Message, Part, Total};
use crate::error::CliError;
use crate::input::{InputArgs, InputResult, Puzzles};
use crate::search_args::parse_seconds;
use crate::source::Place;
use crate::stream::{self, Event};
use crate::verdict::Verdict;
use clap::builder::PossibleValuesParser;
use ninefold::grid::Grid;
use ninefold::limits::Limits;
use ninefold::puzzles::canonical;
use ninefold::rate::scale::{Answer, Reach, Scale, UnratedError};
use std::time::Duration;

/// Rate the difficulty of puzzles
///
/// Without --scale, all scales except te and w are used. A puzzle without a unique solution has no
/// rating, and some scales support only 9×9. If --time-limit stops a rating early, the result is a
/// lower bound: 7.2+ means 7.2 or more.
#[derive(clap::Args, Debug)]
#[command(after_help = "\
Scales:
  effort       Ninefold's scale, based on how hard steps are to find; its difficulty is easy,
               medium, hard, expert or extreme
  se           Sudoku Explainer, 9×9 only: ER, EP and ED, the ratings of the hardest step of the
               solution, up to the first digit, and of the first step
  hodoku       HoDoKu's score, 9×9 only: the sum over all steps; HoDoKu's level is easy, medium,
               hard, unfair or extreme
  dupree       DuPree's score, 9×9 only: the work of Bill DuPree's solver; DuPree's level is
               trivial, easy, medium, hard, very hard or diabolical
  consistency  the weakest consistency that solves the puzzle without search: AC, GAC, SAC, SGAC, …
  te           Berthier's depth of trial and error: the number of nested assumptions needed
  w            Berthier's whip rating: the length of the chains needed

Exit codes:
  0  every puzzle has a rating on every scale
  1  a rating is missing
  2  an input could not be read")]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,

    /// Use these scales; may be repeated [default: all except te and w]
    #[arg(long = "scale", value_name = "NAME,…", value_delimiter = ',',
          value_parser = PossibleValuesParser::new(Scale::ALL.map(Scale::name)))]
    scales: Vec<String>,

    /// Rate the canonical form of each puzzle, so that equivalent puzzles have equal ratings
    ///
    /// Sudoku Explainer, HoDoKu and DuPree's solver use the first of several equal steps, so
    /// equivalent puzzles may have different ratings. Without this option, the ratings are the same
    /// as in these programs.
    #[arg(long)]
    canonical: bool,

    /// Stop a rating after this many seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    time_limit: Option<Duration>,

    /// Print a CSV table with a header line and one row per puzzle
    #[arg(long, conflicts_with = "json")]
    csv: bool,

    /// Print one JSON object per line
    #[arg(long)]
    json: bool,

    /// Number of worker threads [default: number of cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Stop at the first error instead of continuing with the next puzzle
    #[arg(long)]
    strict: bool,

    /// Print only errors to stderr
    #[arg(long, short)]
    quiet: bool,
}

pub fn run(args: &Args) -> Result<Verdict, CliError> {
    let scales = selected_scales(&args.scales);
    let puzzles = Puzzles::from_input(&args.input)?;
    let total = Total::Bytes(puzzles.progress.clone());
    let mut console = Console::open(args.quiet, args.strict).with_total(total);
    if args.csv {
        let columns: Vec<&str> = scales.iter().flat_map(|scale| scale.columns()).copied().collect();
        console.print(Part { data: format!("puzzle,{}\n", columns.join(",")), ..Part::default() });
    }
    let threads = args.threads.map_or_else(stream::all_cores, usize::from);
    stream::run(
        puzzles,
        threads,
        |records, send| records.into_iter().for_each(|record| send(rate(args, &scales, record))),
        |event| match event {
            Event::Part(part) => console.print(part),
            Event::Idle => console.flush(),
        },
    );
    console.finish();
    if console.puzzles == 0 && console.verdict == Verdict::Yes {
        return Err(CliError::empty_input());
    }
    Ok(console.verdict)
}

/// The scales with these names in the order of the table, or the default scales if there are no
/// names.
pub fn selected_scales(names: &[String]) -> Vec<Scale> {
    let is_selected = |scale: &Scale| match names {
        [] => scale.is_default(),
        _ => names.iter().any(|name| name == scale.name()),
    };
    Scale::ALL.into_iter().filter(is_selected).collect()
}

fn rate(args: &Args, scales: &[Scale], record: InputResult) -> Part {
    let (puzzle, place) = match record
        .and_then(|record| Ok((record.valid_entry_with_known_rules()?.puzzle, record.place())))
    {
        Ok(parsed) => parsed,
        Err(error) => return Part::error(error.into(), 1),
    };
    if args.canonical
        && let Err(error) = puzzle.require_classic("canonical forms are")
    {
        return Part::error(CliError::new(error.to_string()).at(&place), 1);
    }
    let limits = Limits::none().with_time(args.time_limit);
    let rated = if args.canonical { &canonical(&puzzle).form } else { &puzzle };
    let rate = |&scale: &Scale| (scale, scale.rate(rated, &limits, Reach::Full));
    let ratings: Ratings = scales.iter().map(rate).collect();
    let data = if args.csv {
        row(&puzzle, &ratings)
    } else if args.json {
        json(&puzzle, &place, &ratings)
    } else {
        to_text(&puzzle, &place, &ratings)
    };
    let unrated = ratings.iter().any(|(_, rating)| rating.is_err());
    // The other formats contain the reason.
    let messages =
        ratings.iter().filter(|_| args.csv).filter_map(|(_, rating)| rating.as_ref().err());
    let messages = messages.map(|unrated| Message {
        topic: "puzzles without a rating",
        text: Ok(format!("{}{}", place.prefix(), unrated.reason)),
    });
    let messages = messages.collect();
    Part { data, messages, verdict: if unrated { Verdict::No } else { Verdict::Yes }, puzzles: 1 }
}

/// The result of each scale.
type Ratings = Vec<(Scale, Answer)>;

/// `puzzle,51,trivial`. A missing rating is an empty field, a lower bound is `7.2+`.
fn row(puzzle: &Grid, ratings: &Ratings) -> String {
    let mut fields = vec![puzzle.to_string()];
    for (scale, rating) in ratings {
        match rating.as_ref().map_or_else(|unrated| unrated.so_far.as_deref(), Some) {
            Some(known) => fields.extend(known.fields.iter().cloned()),
            None => fields.extend(scale.columns().iter().map(|_| String::new())),
        }
    }
    fields.join(",") + "\n"
}

/// The puzzle and a line for each scale.
fn to_text(puzzle: &Grid, place: &Place, ratings: &Ratings) -> String {
    let mut text = format!("{}{puzzle}\n", place.prefix());
    for (scale, rating) in ratings {
        let line = match rating {
            Ok(rating) => rating.words.clone(),
            Err(unrated) if unrated.so_far.is_some() => unrated.to_string(),
            Err(unrated) => format!("none: {unrated}"),
        };
        text += &format!("{:<12} {line}\n", scale.name());
    }
    text + if place.source.is_empty() { "" } else { "\n" }
}

fn json(puzzle: &Grid, place: &Place, ratings: &Ratings) -> String {
    let mut object = serde_json::Map::new();
    if !place.source.is_empty() {
        object.insert("source".to_string(), place.source.as_ref().into());
    }
    if let Some(line) = place.line {
        object.insert("line".to_string(), line.into());
    }
    object.insert("puzzle".to_string(), puzzle.to_string().into());
    for (scale, rating) in ratings {
        let value = match rating {
            Ok(rating) => serde_json::json!(rating.details),
            Err(UnratedError { reason, so_far: Some(rating), .. }) => {
                serde_json::json!({ "none": reason, "so_far": rating.details })
            }
            Err(UnratedError { reason, .. }) => serde_json::json!({ "none": reason }),
        };
        object.insert(scale.name().to_string(), value);
    }
    serde_json::Value::Object(object).to_string() + "\n"
}
